#include "eliminate/linear.h"

#include "base/bug.h"

#include <stdlib.h>

static int by_id(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

uint32_t unknowns_of(const System *s, const bool *is_unknown, ExprId x, uint32_t most, Arena *mem,
                     VarId **out)
{
    const ExprPool *p = s->pool;
    Map seen = map_new(mem);
    VEC(ExprId) stack = {0};
    VEC(VarId) found = {0};
    vec_push(mem, stack, x);
    while (stack.n && found.n <= most) {
        ExprId y = stack.at[--stack.n];
        Op op = expr_op(p, y);
        if (op == OP_NUM || map_get(&seen, y.i) != MAP_NONE)
            continue;
        map_put(&seen, y.i, 1);
        if (op == OP_VAR) {
            if (is_unknown[expr_var_of(p, y).i])
                vec_push(mem, found, expr_var_of(p, y));
            continue;
        }
        for (uint32_t k = expr_n_args(p, y); k-- > 0;)
            vec_push(mem, stack, expr_arg(p, y, k));
    }
    if (found.n)
        qsort(found.at, found.n, sizeof(VarId), by_id);
    *out = found.at;
    return found.n;
}

#define FREE (MAP_NONE - 1)

/* One residual's nodes that depend on unknowns, operands before users. */
typedef struct Sweep {
    System *s;
    const bool *is_unknown;
    Substitution *values;
    Arena *mem;
    Map place; /* node -> FREE, or place in `node` */
    VEC(ExprId) node;
    ExprId *factor;  /* d residual / d node, EXPR_NONE: none yet */
    bool *nonlinear; /* below a nonlinear operation              */
    ExprId *at_zero; /* value with the unknowns at zero          */
} Sweep;

/* FREE if x does not depend on unknowns. */
static uint32_t place_of(const Sweep *w, ExprId x)
{
    return map_get(&w->place, x.i);
}

static bool depends(const Sweep *w, ExprId x)
{
    return place_of(w, x) != FREE;
}

static void find_dependent(Sweep *w, ExprId root)
{
    const ExprPool *p = w->s->pool;
    VEC(ExprId) stack = {0};
    vec_push(w->mem, stack, root);
    while (stack.n) {
        ExprId x = vec_last(stack);
        if (place_of(w, x) != MAP_NONE) {
            stack.n--;
            continue;
        }
        bool dep = false;
        bool ready = true;
        if (expr_op(p, x) == OP_VAR) {
            dep = w->is_unknown[expr_var_of(p, x).i];
        } else {
            for (uint32_t k = expr_n_args(p, x); k-- > 0;) {
                ExprId a = expr_arg(p, x, k);
                uint32_t place = place_of(w, a);
                if (place == MAP_NONE) {
                    vec_push(w->mem, stack, a);
                    ready = false;
                }
                dep = dep || place != FREE;
            }
        }
        if (!ready)
            continue;
        stack.n--;
        map_put(&w->place, x.i, dep ? w->node.n : FREE);
        if (dep)
            vec_push(w->mem, w->node, x);
    }
}

static ExprId value_of(Sweep *w, ExprId x)
{
    return w->values->n ? expr_substitute(w->s->pool, w->values, x) : x;
}

static void add_factor(Sweep *w, ExprId x, ExprId f, bool negative, bool nonlinear)
{
    uint32_t k = place_of(w, x);
    if (k == FREE)
        return;
    ExprPool *p = w->s->pool;
    if (nonlinear) {
        w->nonlinear[k] = true;
        return;
    }
    ExprId old = w->factor[k];
    if (!expr_exists(old))
        w->factor[k] = negative ? expr_neg(p, f) : f;
    else
        w->factor[k] = negative ? expr_sub(p, old, f) : expr_add(p, old, f);
}

/* Hands the factor of a node down to its operands. */
static void sweep_node(Sweep *w, ExprId x, ExprId f, bool nonlinear)
{
    ExprPool *p = w->s->pool;
    uint32_t n = expr_n_args(p, x);
    ExprId a = n > 0 ? expr_arg(p, x, 0) : EXPR_NONE;
    ExprId b = n > 1 ? expr_arg(p, x, 1) : EXPR_NONE;
    switch (expr_op(p, x)) {
    case OP_VAR:
        return;
    case OP_NEG:
        add_factor(w, a, f, true, nonlinear);
        return;
    case OP_ADD:
        add_factor(w, a, f, false, nonlinear);
        add_factor(w, b, f, false, nonlinear);
        return;
    case OP_SUB:
        add_factor(w, a, f, false, nonlinear);
        add_factor(w, b, f, true, nonlinear);
        return;
    case OP_MUL:
        if (nonlinear || (depends(w, a) && depends(w, b)))
            break;
        if (depends(w, a))
            add_factor(w, a, expr_mul(p, f, value_of(w, b)), false, false);
        else
            add_factor(w, b, expr_mul(p, f, value_of(w, a)), false, false);
        return;
    case OP_DIV:
        if (nonlinear || depends(w, b))
            break;
        add_factor(w, a, expr_div(p, f, value_of(w, b)), false, false);
        return;
    case OP_NOEVENT:
    case OP_SMOOTH:
        add_factor(w, a, f, false, nonlinear);
        return;
    case OP_SELECT: {
        if (nonlinear || depends(w, a))
            break;
        ExprId cond = value_of(w, a);
        ExprId zero = expr_int(p, 0);
        add_factor(w, b, expr_select(p, cond, f, zero), false, false);
        add_factor(w, expr_arg(p, x, 2), expr_select(p, cond, zero, f), false, false);
        return;
    }
    default:
        break;
    }
    for (uint32_t k = 0; k < n; k++)
        add_factor(w, expr_arg(p, x, k), f, false, true);
}

/* The residual with the unknowns at zero, bottom-up. */
static ExprId rest_of(Sweep *w, ExprId root)
{
    ExprPool *p = w->s->pool;
    if (!depends(w, root))
        return value_of(w, root);
    VEC(ExprId) args = {0};
    for (uint32_t i = 0; i < w->node.n; i++) {
        ExprId x = w->node.at[i];
        if (expr_op(p, x) == OP_VAR) {
            w->at_zero[i] = expr_int(p, 0);
            continue;
        }
        args.n = 0;
        uint32_t n = expr_n_args(p, x);
        for (uint32_t k = 0; k < n; k++) {
            ExprId a = expr_arg(p, x, k);
            uint32_t place = place_of(w, a);
            vec_push(w->mem, args, place == FREE ? value_of(w, a) : w->at_zero[place]);
        }
        w->at_zero[i] = expr_rebuild(p, x, args.at);
    }
    return w->at_zero[place_of(w, root)];
}

LinearForm linear_form(System *s, const bool *is_unknown, Substitution *values, ExprId residual,
                       Arena *mem)
{
    ExprPool *p = s->pool;
    Sweep w = {
        .s = s, .is_unknown = is_unknown, .values = values, .mem = mem, .place = map_new(mem)};
    find_dependent(&w, residual);
    w.factor = arena_array(mem, ExprId, w.node.n + 1);
    w.nonlinear = arena_array(mem, bool, w.node.n + 1);
    w.at_zero = arena_array(mem, ExprId, w.node.n + 1);
    for (uint32_t i = 0; i < w.node.n; i++)
        w.factor[i] = EXPR_NONE;
    LinearForm form = {.is_linear = true, .rest = EXPR_NONE};
    VEC(uint32_t) leaf = {0};
    if (w.node.n)
        w.factor[w.node.n - 1] = expr_int(p, 1); /* the residual itself comes last */
    for (uint32_t i = w.node.n; i-- > 0;) {
        ExprId x = w.node.at[i];
        ExprId f = expr_exists(w.factor[i]) ? w.factor[i] : expr_int(p, 0);
        sweep_node(&w, x, f, w.nonlinear[i]);
        if (expr_op(p, x) == OP_VAR)
            vec_push(mem, leaf, i);
    }
    form.var = arena_array(mem, VarId, leaf.n + 1);
    for (uint32_t k = 0; k < leaf.n; k++)
        form.var[k] = expr_var_of(p, w.node.at[leaf.at[k]]);
    qsort(form.var, leaf.n, sizeof(VarId), by_id);
    form.coeff = arena_array(mem, ExprId, leaf.n + 1);
    /* an unknown whose factors cancel is not there */
    for (uint32_t k = 0; k < leaf.n; k++) {
        ExprId x = system_var_expr(s, form.var[k]);
        uint32_t i = place_of(&w, x);
        if (w.nonlinear[i]) {
            form.is_linear = false;
        } else if (expr_is_zero(p, w.factor[i]) == YES) {
            continue;
        }
        form.var[form.n] = form.var[k];
        form.coeff[form.n++] = w.nonlinear[i] ? EXPR_NONE : w.factor[i];
    }
    if (form.is_linear)
        form.rest = rest_of(&w, residual);
    return form;
}

LinearForm linear_copy(const LinearForm *f, Arena *mem)
{
    LinearForm c = *f;
    c.var = arena_array(mem, VarId, f->n);
    c.coeff = arena_array(mem, ExprId, f->n);
    if (f->n) {
        memcpy(c.var, f->var, f->n * sizeof *c.var);
        memcpy(c.coeff, f->coeff, f->n * sizeof *c.coeff);
    }
    return c;
}

ExprId linear_solution(System *s, bool *is_unknown, Substitution *values, EqId e, VarId v,
                       Arena *mem)
{
    const Eq *q = &s->eq.at[e.i];
    is_unknown[v.i] = true;
    LinearForm f = linear_form(s, is_unknown, values, expr_sub(s->pool, q->lhs, q->rhs), mem);
    is_unknown[v.i] = false;
    if (!f.is_linear || f.n != 1)
        return EXPR_NONE;
    return expr_neg(s->pool, expr_div(s->pool, f.rest, f.coeff[0]));
}
