#include "eliminate/forms/loop_roots.h"

#include "eliminate/prepare/differentiate.h"

/* to[r] += the entries of row r times of[column]. */
static void add_product(ExprPool *p, const ExprColumns *a, const ExprId *of, ExprId *to)
{
    for (uint32_t c = 0; c < a->n_cols; c++)
        for (uint32_t e = a->col_start[c]; e < a->col_start[c + 1]; e++)
            to[a->row[e]] = expr_add(p, to[a->row[e]], expr_mul(p, a->entry[e], of[c]));
}

/* Derivatives along the inputs, at inputs that are zero, with the inputs in place of their changes.
 */
static bool find_push(Dae *d, ExprId *push, Arena *scratch)
{
    System *s = d->sys;
    const Program *g = &d->solution.program;
    const LoopConstraints *l = g->loops;
    uint32_t n = g->n_states, n_inputs = l->n_constraints + l->n_massless, first = s->var.n;
    for (uint32_t k = 0; k < n_inputs; k++)
        system_add_hidden(s, arena_printf(s->mem, "adjoint push %u", k));
    ExprId *along = arena_array(scratch, ExprId, s->var.n + 1),
           *value = arena_array(scratch, ExprId, s->var.n + 1);
    for (uint32_t k = 0; k < s->var.n; k++)
        along[k] = value[k] = EXPR_NONE;
    for (uint32_t k = 0; k < n_inputs; k++) {
        VarId y = loop_input(l, k), change = {first + k};
        along[y.i] = system_var_expr(s, change);
        value[y.i] = expr_int(s->pool, 0);
        value[change.i] = system_var_expr(s, y);
    }
    Differentiator diff = differentiator_along(s, s->var.n, along, EXPR_NONE, scratch);
    Substitution at = {.value = value, .n = s->var.n, .mem = scratch};
    for (uint32_t i = 0; i < n + l->n_massless; i++) {
        ExprId x = differentiate(&diff, i < n ? g->derivative[i] : l->balance[i - n]);
        if (!expr_exists(x))
            return false;
        push[i] = expr_substitute(s->pool, &at, x);
    }
    return true;
}

bool loop_roots_make(Dae *d, const VarId *weight, LoopRoots *out, Arena *scratch)
{
    System *s = d->sys;
    const Program *g = &d->solution.program;
    const LoopConstraints *l = g->loops;
    uint32_t n = g->n_states, m = l->n_constraints;
    ExprId *second = arena_array(s->mem, ExprId, 3 * m + n + l->n_massless + 1);
    ExprId *by_x = second + m, *by_v = by_x + m, *push = by_v + m;
    ExprId *w = arena_array(scratch, ExprId, n + 1);
    for (uint32_t c = 0; c < n; c++)
        w[c] = system_var_expr(s, weight[c]);
    for (uint32_t i = 0; i < m; i++) {
        second[i] = l->phi_rest[i];
        by_x[i] = by_v[i] = expr_int(s->pool, 0);
    }
    add_product(s->pool, &l->phi_v, g->derivative, second);
    add_product(s->pool, &l->phi_x, w, by_x);
    add_product(s->pool, &l->phi_v, w, by_v);
    *out = (LoopRoots){second, push, by_x, by_v};
    return find_push(d, push, scratch);
}
