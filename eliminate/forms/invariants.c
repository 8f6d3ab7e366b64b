#include "eliminate/forms/invariants.h"

#include "eliminate/block/linear_form.h"
#include "eliminate/forms/sparse_jacobian.h"

/* Whether the expression needs an unknown that equations at run time determine. */
static bool needs_solving(const Program *g, ExprId x, Arena *scratch)
{
    bool *is_solved = arena_array(scratch, bool, g->sys->var.n + 1);
    for (uint32_t b = 0; b < g->n_blocks; b++)
        for (uint32_t k = 0; k < g->block[b].n; k++)
            is_solved[g->block[b].unknown[k].i] = true;
    VarId *found;
    return unknowns_of(g->sys, is_solved, x, 0, scratch, &found) > 0;
}

/* The residuals and their derivatives. */
static void find_residuals(Dae *d, uint32_t limit, Invariants *out, Arena *scratch)
{
    System *s = d->sys;
    const Program *g = &d->solution.program;
    const Redundancy *r = &d->redundancy;
    Substitution values = {.value = g->value, .n = s->var.n, .mem = scratch};
    ExprId *residual = arena_array(s->mem, ExprId, r->n_kept + 1);
    for (uint32_t k = 0; k < r->n_kept; k++) {
        residual[k] = expr_substitute(s->pool, &values, r->kept[k]);
        if (g->n_blocks > 0 && needs_solving(g, residual[k], scratch))
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
