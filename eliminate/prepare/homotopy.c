#include "eliminate/prepare/homotopy.h"

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
    dae_substitute(d, &values);
    return true;
}
