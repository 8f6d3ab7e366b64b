#include "eliminate/forms/loop_closure.h"

#include "eliminate/block/linear_form.h"
#include "eliminate/prepare/differentiate.h"

LoopClosure loop_closure_new(System *s, const ExprId *value, Arena *mem)
{
    bool *is_any = arena_array(mem, bool, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        is_any[k] = true;
    return (LoopClosure){.s = s,
                         .value = value,
                         .is_any = is_any,
                         .all = {.value = value, .n = s->var.n, .mem = mem},
                         .mem = mem};
}

/* The terms of a constraint with the common frame at rest. */
typedef struct Moved {
    LoopClosure *c;
    Arena *mem;
    Map at; /* node -> its replacement */
    uint32_t n_seen;
} Moved;

static void put(Moved *w, ExprId x, ExprId by)
{
    ExprPool *p = w->c->s->pool;
    bool negative = expr_op(p, x) == OP_NEG;
    map_put(&w->at, negative ? expr_arg(p, x, 0).i : x.i, negative ? expr_neg(p, by).i : by.i);
}

/* The order of a square matrix of so many scalars, 0 if there is none. */
static uint32_t order_of(uint32_t n)
{
    uint32_t d = 2;
    while (d * d < n)
        d++;
    return d * d == n ? d : 0;
}

/* Matrices become I, all else 0. False if nothing of it moves. */
static bool put_at_rest(Moved *w, const Common *common)
{
    const System *s = w->c->s;
    ExprPool *p = s->pool;
    Map size = map_new(w->mem); /* of a group */
    bool moves = false;
    for (uint32_t k = 0; k < common->n; k++) {
        if (expr_op(p, common->x[k]) != OP_VAR)
            continue;
        uint32_t group = s->var.at[expr_var_of(p, common->x[k]).i].group;
        uint32_t n = map_get(&size, group);
        map_put(&size, group, n == MAP_NONE ? 1 : n + 1);
    }
    for (uint32_t k = 0; k < common->n; k++) {
        if (expr_op(p, common->x[k]) != OP_VAR)
            continue;
        VarId v = expr_var_of(p, common->x[k]);
        const Var *var = &s->var.at[v.i];
        ExprId x = w->c->value[v.i];
        if (!expr_exists(x) || expr_is_fixed(p, x))
            continue;
        uint32_t d = var->group == GROUP_NONE ? 0 : order_of(map_get(&size, var->group));
        put(w, x, expr_int(p, d > 0 && var->index % (d + 1) == 0));
        moves = true;
    }
    return moves;
}

/* x over the states, the common frame being at rest; EXPR_NONE where that reaches too far. */
static ExprId moved(Moved *w, ExprId root)
{
    enum { FARTHEST = 20000 }; /* nodes: then it is not all that lies between */
    ExprPool *p = w->c->s->pool;
    VEC(ExprId) stack = {0};
    VEC(ExprId) args = {0};
    vec_push(w->mem, stack, root);
    while (stack.n) {
        ExprId x = vec_last(stack);
        if (map_get(&w->at, x.i) != MAP_NONE) {
            stack.n--;
            continue;
        }
        if (++w->n_seen > FARTHEST)
            return EXPR_NONE;
        uint32_t n = expr_n_args(p, x);
        bool ready = true;
        args.n = 0;
        for (uint32_t k = 0; k < n; k++) {
            ExprId a = expr_arg(p, x, k);
            uint32_t by = map_get(&w->at, a.i);
            if (by == MAP_NONE) {
                vec_push(w->mem, stack, a);
                ready = false;
            }
            vec_push(w->mem, args, ((ExprId){by}));
        }
        if (!ready)
            continue;
        stack.n--;
        map_put(&w->at, x.i, n > 0 ? expr_rebuild(p, x, args.at).i : x.i);
    }
    return (ExprId){map_get(&w->at, root.i)};
}

/* Values of the variables in phi, then phi itself. */
static ExprId rest_constraint(LoopClosure *c, const Common *common, ExprId phi, Arena *mem)
{
    System *s = c->s;
    Moved w = {.c = c, .mem = mem, .at = map_new(mem)};
    if (!put_at_rest(&w, common))
        return EXPR_NONE;
    VarId *var;
    uint32_t n = unknowns_of(s, c->is_any, phi, UINT32_MAX - 1, mem, &var);
    Moved over = {.c = c, .mem = mem, .at = map_new(mem)}; /* phi's own nodes */
    for (uint32_t k = 0; k < n; k++) {
        ExprId x = system_var_expr(s, var[k]);
        ExprId y = expr_exists(c->value[var[k].i]) ? moved(&w, c->value[var[k].i]) : x;
        if (!expr_exists(y))
            return EXPR_NONE;
        map_put(&over.at, x.i, y.i);
    }
    return moved(&over, phi);
}

/* The fingerprint of phi with variables replaced by their values, without building that expression.
 */
static Fp true_value(LoopClosure *c, ExprId phi)
{
    ExprPool *p = c->s->pool;
    PoolMark mark = pool_mark(p);
    c->all.is_tentative = true;
    Fp value = expr_fingerprint(p, expr_substitute(p, &c->all, phi));
    substitution_go_back(&c->all);
    pool_rollback(p, mark);
    return value;
}

ExprId loop_closure_of(LoopClosure *c, const Common *common, ExprId phi)
{
    ExprPool *p = c->s->pool;
    Arena *mem = arena_new();
    phi = expand_calls(c->s, NULL, phi);
    if (common->n > 0 && pool_by_value(p)) {
        Fp value = true_value(c, phi);
        PoolMark mark = pool_mark(p);
        ExprId x = rest_constraint(c, common, phi, mem);
        if (expr_exists(x) && fp_same(expr_fingerprint(p, x), value)) {
            arena_free(mem);
            return x;
        }
        pool_rollback(p, mark);
    }
    arena_free(mem);
    return expr_substitute(p, &c->all, phi);
}
