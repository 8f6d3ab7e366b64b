#include "eliminate/prepare/occurrence.h"

typedef struct Occurring {
    const System *s;
    Map seen;
    bool *does;
    VEC(ExprId) todo;
    Arena *mem;
} Occurring;

static void occur(Occurring *w, ExprId x)
{
    const ExprPool *p = w->s->pool;
    if (expr_exists(x))
        vec_push(w->mem, w->todo, x);
    while (w->todo.n) {
        ExprId y = w->todo.at[--w->todo.n];
        if (!map_add(&w->seen, y.i))
            continue;
        if (expr_op(p, y) == OP_VAR)
            w->does[expr_var_of(p, y).i] = true;
        for (uint32_t k = 0; k < expr_n_args(p, y); k++)
            vec_push(w->mem, w->todo, expr_arg(p, y, k));
    }
}

bool *occurrence_find(const Dae *d, const bool *without, Arena *mem)
{
    const System *s = d->sys;
    Occurring w = {
        .s = s, .seen = map_new(mem), .does = arena_array(mem, bool, s->var.n + 1), .mem = mem};
    for (uint32_t k = 0; k < s->eq.n; k++)
        if (!without || !without[k])
            occur(&w, s->eq.at[k].lhs), occur(&w, s->eq.at[k].rhs);
    for (uint32_t k = 0; k < s->initial_eq.n; k++)
        occur(&w, s->initial_eq.at[k].lhs), occur(&w, s->initial_eq.at[k].rhs);
    for (uint32_t k = 0; k < s->assertion.n; k++)
        occur(&w, s->assertion.at[k].cond), occur(&w, s->assertion.at[k].message);
    for (uint32_t k = 0; k < s->memory.n; k++)
        occur(&w, s->memory.at[k].of), occur(&w, s->memory.at[k].start);
    for (uint32_t k = 0; k < s->homotopy.n; k++)
        occur(&w, s->homotopy.at[k].actual), occur(&w, s->homotopy.at[k].simplified);
    for (uint32_t k = 0; k < s->action.n; k++)
        occur(&w, s->action.at[k].fires), occur(&w, s->action.at[k].value);
    for (uint32_t k = 0; k < d->loops.n_constraints; k++)
        occur(&w, d->loops.phi[k]);
    for (uint32_t k = 0; k < d->loops.n_massless; k++)
        occur(&w, d->loops.balance[k]);
    // a derivative that is an alias of another one is read where that is
    for (uint32_t k = 0; k < d->aliases.n && k < s->var.n; k++)
        if (!var_exists(s->var.at[k].der_of))
            occur(&w, d->aliases.value[k]);
    return w.does;
}
