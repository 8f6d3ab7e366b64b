#include "eliminate/prepare/parameters.h"

#include "eliminate/block/linear_form.h"

typedef struct Bindings {
    System *s;
    Arena *mem;
    bool *is_bound;
    ExprId *value;
    Substitution values;
    VEC(VarId) stack;
} Bindings;

/* Neither conditions nor calls. */
static bool has_plain_binding(const Bindings *w, ExprId root)
{
    const ExprPool *p = w->s->pool;
    Arena *tmp = arena_new();
    Map seen = map_new(tmp);
    VEC(ExprId) stack = {0};
    bool plain = true;
    vec_push(tmp, stack, root);
    while (stack.n > 0 && plain) {
        ExprId x = stack.at[--stack.n];
        if (map_get(&seen, x.i) != MAP_NONE)
            continue;
        map_put(&seen, x.i, 0);
        Op op = expr_op(p, x);
        plain = op == OP_NUM || op == OP_VAR || op_is_arithmetic(op);
        for (uint32_t k = expr_n_args(p, x); k-- > 0;)
            vec_push(tmp, stack, expr_arg(p, x, k));
    }
    arena_free(tmp);
    return plain;
}

/* Those that its binding holds come first; no parameter depends on itself (MLS 4.4.4). */
static void find_value(Bindings *w, VarId root, Arena *tmp)
{
    vec_push(w->mem, w->stack, root);
    while (w->stack.n > 0) {
        VarId v = vec_last(w->stack), *used;
        ExprId binding = w->s->var.at[v.i].binding;
        uint32_t n = unknowns_of(w->s, w->is_bound, binding, UINT32_MAX - 1, tmp, &used);
        bool ready = true;
        for (uint32_t k = 0; k < n; k++) {
            if (expr_exists(w->value[used[k].i]))
                continue;
            vec_push(w->mem, w->stack, used[k]);
            ready = false;
        }
        if (!ready)
            continue;
        w->value[v.i] = expr_substitute(w->s->pool, &w->values, binding);
        w->stack.n--;
    }
}

/* A number, or an array of numbers, is a size and no structure, even if it is 0 or 1. */
static void keep_numbers(Bindings *w)
{
    const System *s = w->s;
    bool *varies = arena_array(w->mem, bool, s->n_groups + 1);
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < s->var.n; k++) {
            uint32_t group = s->var.at[k].group;
            bool is_number = w->is_bound[k] && expr_is_num(s->pool, s->var.at[k].binding);
            if (pass == 0 && group != GROUP_NONE && w->is_bound[k] && !is_number)
                varies[group] = true;
            if (pass == 1 && is_number && (group == GROUP_NONE || !varies[group]))
                w->is_bound[k] = false;
        }
    }
}

static ExprId *find_values(System *s, bool of_all, Arena *mem)
{
    uint32_t n = s->var.n;
    Arena *tmp = arena_new();
    Bindings w = {.s = s,
                  .mem = tmp,
                  .is_bound = arena_array(tmp, bool, n + 1),
                  .value = arena_array(mem, ExprId, n + 1)};
    w.values = (Substitution){.value = w.value, .n = n, .mem = tmp};
    for (uint32_t k = 0; k < n; k++) {
        const Var *v = &s->var.at[k];
        w.value[k] = EXPR_NONE;
        w.is_bound[k] = v->kind == VAR_PARAMETER && v->type == TYPE_REAL &&
                        (of_all || v->is_final) && v->attr.fixed != NO && expr_exists(v->binding) &&
                        has_plain_binding(&w, v->binding);
    }
    if (!of_all)
        keep_numbers(&w);
    for (uint32_t k = 0; k < n; k++)
        if (w.is_bound[k] && !expr_exists(w.value[k]))
            find_value(&w, (VarId){k}, tmp);
    arena_free(tmp);
    return w.value;
}

ExprId *parameters_values(System *s, Arena *mem)
{
    return find_values(s, false, mem);
}

ExprId *parameters_written(System *s, Arena *mem)
{
    return find_values(s, true, mem);
}

void parameters_put_in(System *s, LoopCut *cut, Arena *scratch)
{
    ExprPool *p = s->pool;
    Substitution v = {.value = parameters_values(s, scratch), .n = s->var.n, .mem = scratch};
    for (uint32_t k = 0; k < s->eq.n; k++) {
        s->eq.at[k].lhs = expr_substitute(p, &v, s->eq.at[k].lhs);
        s->eq.at[k].rhs = expr_substitute(p, &v, s->eq.at[k].rhs);
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        Action *a = &s->action.at[k];
        a->fires = expr_substitute(p, &v, a->fires);
        if (a->kind == ACTION_REINIT)
            a->value = expr_substitute(p, &v, a->value);
    }
    for (uint32_t k = 0; k < cut->n_constraints; k++)
        cut->phi[k] = expr_substitute(p, &v, cut->phi[k]);
    for (uint32_t k = 0; k < cut->n_massless; k++)
        cut->balance[k] = expr_substitute(p, &v, cut->balance[k]);
}
