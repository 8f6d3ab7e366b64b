#include "eliminate/prepare/homotopy.h"

static void put_in(System *s, Substitution *values, ExprId *x)
{
    if (expr_exists(*x))
        *x = expr_substitute(s->pool, values, *x);
}

bool homotopy_end(Dae *d, Arena *scratch)
{
    System *s = d->sys;
    if (s->homotopy.n == 0)
        return false;
    ExprId *value = arena_array(scratch, ExprId, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        value[k] = EXPR_NONE;
    for (uint32_t k = 0; k < s->homotopy.n; k++)
        value[s->homotopy.at[k].offset.i] = expr_int(s->pool, 0);
    Substitution values = {.value = value, .n = s->var.n, .mem = scratch};
    for (uint32_t k = 0; k < s->eq.n; k++) {
        put_in(s, &values, &s->eq.at[k].lhs);
        put_in(s, &values, &s->eq.at[k].rhs);
    }
    for (uint32_t k = 0; k < s->initial_eq.n; k++) {
        put_in(s, &values, &s->initial_eq.at[k].lhs);
        put_in(s, &values, &s->initial_eq.at[k].rhs);
    }
    for (uint32_t k = 0; k < d->aliases.n; k++)
        put_in(s, &values, &d->aliases.value[k]);
    for (uint32_t k = 0; k < s->memory.n; k++) {
        put_in(s, &values, &s->memory.at[k].of);
        put_in(s, &values, &s->memory.at[k].start);
    }
    for (uint32_t k = 0; k < s->action.n; k++) {
        put_in(s, &values, &s->action.at[k].fires);
        put_in(s, &values, &s->action.at[k].value);
    }
    for (uint32_t k = 0; k < s->assertion.n; k++)
        put_in(s, &values, &s->assertion.at[k].cond);
    return true;
}
