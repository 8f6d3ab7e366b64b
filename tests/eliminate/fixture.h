/* A System made by hand, for tests of one pass. */
#ifndef RUNG_TESTS_ELIMINATE_FIXTURE_H
#define RUNG_TESTS_ELIMINATE_FIXTURE_H

#include "ir/system.h"

#include <criterion/criterion.h>

typedef struct Fixture {
    Arena *mem;
    System *s;
    ExprPool *p;
} Fixture;

static inline Fixture fixture(void)
{
    Fixture f = {.mem = arena_new()};
    f.s = system_new(f.mem, names_new(f.mem), diags_new(f.mem), true);
    f.p = f.s->pool;
    return f;
}

static inline void fixture_done(Fixture *f)
{
    system_free(f->s);
    arena_free(f->mem);
}

static inline VarId variable(Fixture *f, VarKind kind, const char *name)
{
    Var v = {.name = name_of(f->s->names, name),
             .kind = kind,
             .attr = attributes_none(),
             .binding = EXPR_NONE,
             .der = VAR_NONE,
             .der_of = VAR_NONE,
             .group = GROUP_NONE};
    return system_add_var(f->s, v);
}

static inline ExprId unknown(Fixture *f, const char *name)
{
    return system_var_expr(f->s, variable(f, VAR_CONTINUOUS, name));
}

static inline ExprId parameter(Fixture *f, const char *name)
{
    return system_var_expr(f->s, variable(f, VAR_PARAMETER, name));
}

static inline void equation(Fixture *f, ExprId lhs, ExprId rhs)
{
    Eq e = {.lhs = lhs, .rhs = rhs, .group = GROUP_NONE};
    system_add_eq(f->s, e);
}

#endif
