#include "eliminate/forms/invariants.h"

#include "eliminate/block/linear_form.h"
#include "eliminate/forms/sparse_jacobian.h"

/* Marks the unknowns of blocks, which are solved at run time. */
static const bool *block_unknowns(const Program *g, Arena *mem)
{
    bool *is_unknown = arena_array(mem, bool, g->sys->var.n + 1);
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t k = 0; k < g->block[b].n; k++)
            is_unknown[g->block[b].unknown[k].i] = true;
    return is_unknown;
}

/* The residuals and their derivatives. */
static void find_residuals(Dae *d, uint32_t limit, Invariants *out, Arena *scratch)
{
    System *s = d->sys;
    const Program *g = &d->solution.program;
    const Redundancy *r = &d->redundancy;
    Substitution values = {.value = g->value, .n = s->var.n, .mem = scratch};
    ExprId *residual = arena_array(s->mem, ExprId, r->n_kept + 1);
    const bool *is_unknown = block_unknowns(g, scratch);
    for (uint32_t k = 0; k < r->n_kept; k++) {
        VarId *found;
        residual[k] = expr_substitute(s->pool, &values, r->kept[k]);
        if (unknowns_of(s, is_unknown, residual[k], 0, scratch, &found) > 0)
            return;
    }
    out->residual = residual;
    if (jacobian_columns(s, r->n_kept, residual, g->n_states, g->state, limit, &out->by_state,
                         scratch))
        out->n = r->n_kept;
}

void invariants_make(Dae *d, uint32_t limit, Arena *scratch)
{
    if (!d->redundancy.is_applied)
        return;
    Invariants *out = arena_make(d->sys->mem, Invariants);
    out->rate = d->redundancy.rate;
    find_residuals(d, limit, out, scratch);
    d->solution.program.invariants = out;
}
