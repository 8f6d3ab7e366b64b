#include "eliminate/prepare/reduce.h"

typedef VEC(uint32_t) Columns;

static bool expand_in(System *s, Eq *e, Arena *scratch)
{
    Name failed = {NULL};
    ExprId lhs = expand_derivatives(s, scratch, e->lhs, &failed);
    ExprId rhs = expand_derivatives(s, scratch, e->rhs, &failed);
    if (!expr_exists(lhs) || !expr_exists(rhs)) {
        diag_error(s->diags, e->span, "E03",
                   "'%s' cannot be differentiated: it has no derivative annotation and its "
                   "algorithm cannot be expanded",
                   failed.s ? failed.s : "der");
        return false;
    }
    e->lhs = lhs;
    e->rhs = rhs;
    return true;
}

bool reduce_expand(System *s, Arena *scratch)
{
    bool ok = true;
    for (uint32_t k = 0; k < s->eq.n; k++)
        ok = expand_in(s, &s->eq.at[k], scratch) && ok;
    for (uint32_t k = 0; k < s->initial_eq.n; k++)
        ok = expand_in(s, &s->initial_eq.at[k], scratch) && ok;
    for (uint32_t k = 0; k < s->action.n; k++) {
        Action *a = &s->action.at[k];
        Eq e = {.lhs = a->fires, .span = a->span};
        e.rhs = a->kind == ACTION_REINIT ? a->value : a->fires;
        ok = expand_in(s, &e, scratch) && ok;
        a->fires = e.lhs;
        if (a->kind == ACTION_REINIT)
            a->value = e.rhs;
    }
    return ok;
}

typedef enum Moving { MOVING_ALL, MOVING_DISCRETE, MOVING_CONTINUOUS } Moving;

static bool is_variable(const System *s, ExprId x, VarKind kind)
{
    return expr_op(s->pool, x) == OP_VAR && s->var.at[expr_var_of(s->pool, x).i].kind == kind;
}

/* Discrete variables do not move between events: the equations that give them are theirs alone, and
 * elsewhere they are known. v = ... gives the discrete v, but for v = x with a continuous x. */
static Moving moving_kind(const System *s, const Eq *e)
{
    bool left = is_variable(s, e->lhs, VAR_DISCRETE);
    bool right = is_variable(s, e->rhs, VAR_DISCRETE);
    if ((left && !is_variable(s, e->rhs, VAR_CONTINUOUS)) ||
        (right && !is_variable(s, e->lhs, VAR_CONTINUOUS)))
        return MOVING_DISCRETE;
    return MOVING_CONTINUOUS;
}

/* The columns of variables of that kind in x; where a call will use its derivative function,
 * arguments named noDerivative do not count. */
static void moving_columns(const System *s, const Map *column, ExprId x, Moving moving, Map *seen,
                           Arena *mem, Columns *out)
{
    const ExprPool *p = s->pool;
    VEC(ExprId) stack = {0};
    vec_push(mem, stack, x);
    while (stack.n) {
        ExprId y = stack.at[--stack.n];
        uint32_t n = expr_n_args(p, y);
        Op op = expr_op(p, y);
        if ((n == 0 && op != OP_VAR) || !map_add(seen, y.i))
            continue;
        if (op == OP_VAR) {
            uint32_t c = map_get(column, expr_var_of(p, y).i);
            bool discrete = s->var.at[expr_var_of(p, y).i].kind == VAR_DISCRETE;
            if (c != MAP_NONE && (moving == MOVING_ALL || (moving == MOVING_DISCRETE) == discrete))
                vec_push(mem, *out, c);
            continue;
        }
        const bool *skip = NULL;
        if (op == OP_CALL) {
            const Function *f = &s->function.at[expr_func_of(p, y).i];
            skip = f->n_derivatives > 0 ? f->derivative[0].no_derivative : NULL;
        }
        for (uint32_t k = n; k > 0; k--)
            if (!skip || !skip[k - 1])
                vec_push(mem, stack, expr_arg(p, y, k - 1));
    }
}

static Map columns_of(const Structure *t, Arena *mem)
{
    Map column = map_with_room(t->n, mem);
    for (uint32_t k = 0; k < t->n; k++)
        map_put(&column, t->var[k].i, k);
    return column;
}

static void equation_columns(const System *s, const Map *column, uint32_t e, Arena *mem,
                             Columns *out)
{
    const Eq *eq = &s->eq.at[e];
    Moving moving = moving_kind(s, eq);
    for (;;) {
        Map seen = map_new(mem);
        moving_columns(s, column, eq->lhs, moving, &seen, mem, out);
        moving_columns(s, column, eq->rhs, moving, &seen, mem, out);
        if (out->n || moving == MOVING_ALL)
            return;
        moving = MOVING_ALL; /* v is given by an equation of another form */
    }
}

Incidence reduce_moving(const System *s, const Structure *t, Arena *mem)
{
    Arena *tmp = arena_new();
    Map column = columns_of(t, tmp);
    IncidenceBuilder b = incidence_begin(mem, t->n);
    for (uint32_t e = 0; e < s->eq.n; e++) {
        ArenaMark m = arena_mark(tmp);
        Columns found = {0};
        equation_columns(s, &column, e, tmp, &found);
        incidence_row(&b);
        for (uint32_t k = 0; k < found.n; k++)
            incidence_edge(&b, found.at[k], LABEL_OTHER, 0);
        arena_rollback(tmp, m);
    }
    arena_free(tmp);
    return incidence_done(&b);
}

Reduction reduction_new(System *s, Structure *t, Arena *mem)
{
    Reduction r = {.s = s, .t = t, .mem = mem, .d = differentiator_time(s, mem)};
    r.column = columns_of(t, mem);
    r.eq_group = map_new(mem);
    for (uint32_t k = 0; k < t->n; k++)
        vec_push(mem, r.var, t->var[k]);
    return r;
}

void reduction_add_var(void *self, uint32_t der_of)
{
    Reduction *r = self;
    VarId v = system_der(r->s, r->var.at[der_of]);
    map_put(&r->column, v.i, r->var.n);
    vec_push(r->mem, r->var, v);
}

/* The derivatives of an array of equations are an array. */
static uint32_t derived_group(Reduction *r, uint32_t group)
{
    if (group == GROUP_NONE)
        return GROUP_NONE;
    uint32_t g = map_get(&r->eq_group, group);
    if (g == MAP_NONE) {
        g = system_new_group(r->s);
        map_put(&r->eq_group, group, g);
    }
    return g;
}

bool reduction_add_eq(void *self, uint32_t eq_der_of, Arena *mem, uint32_t *n, const uint32_t **col)
{
    Reduction *r = self;
    System *s = r->s;
    Eq e = s->eq.at[eq_der_of];
    e.lhs = differentiate(&r->d, e.lhs);
    e.rhs = expr_exists(e.lhs) ? differentiate(&r->d, e.rhs) : EXPR_NONE;
    if (!expr_exists(e.rhs)) {
        diag_error(s->diags, e.span, "E03",
                   "this equation must be differentiated to reduce the index, but '%s' has no "
                   "derivative annotation and its algorithm cannot be expanded",
                   r->d.failed.s ? r->d.failed.s : "der");
        return false;
    }
    e.group = derived_group(r, e.group);
    EqId id = system_add_eq(s, e);
    Columns found = {0};
    equation_columns(s, &r->column, id.i, mem, &found);
    *n = found.n;
    *col = found.at;
    return true;
}

void reduction_done(Reduction *r)
{
    r->t->var = r->var.at;
    r->t->n = r->var.n;
}
