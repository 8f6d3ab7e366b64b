/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops_rank.h"
#include "initial.h"
#include "loops.h"
#include "rank.h"

#include <stdio.h>
#include <stdlib.h>

/* The rank of d phi' / d velocities by rank_find, its rows being the vectors; RUNG_NONE when out of
 * memory. */
static uint32_t rank_of(const RungLoops *l, uint32_t n, const double *entry, double small,
                        uint32_t *order, double *smallest)
{
    const RungPattern *p = &l->phi_v_pattern;
    double *row = calloc((size_t)l->n_constraints * n + 1, sizeof *row);
    if (!row)
        return RUNG_NONE;
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            row[(size_t)p->row[e] * n + c] = entry[e];
    uint32_t rank = rank_find(n, l->n_constraints, row, small, order, NULL, smallest);
    free(row);
    return rank;
}

bool loops_rank(const RungModel *model, LoopsRank *out, char *why, size_t size)
{
    const RungLoops *l = model->loops;
    static const double LEFT = 1e-8; // of a row, against the longest, that says nothing new
    SimulateOptions options = simulate_defaults();
    SimulateSummary summary = {0};
    uint32_t n = model->n_states;
    Run run = {.model = model,
               .ctx = context_new(model),
               .n = n,
               .x = calloc(n + (size_t)1, sizeof(double)),
               .s = &summary,
               .bad_state = RUNG_NONE,
               .options = &options,
               .loops = loops_new(model)};
    *out = (LoopsRank){.is_redundant = calloc(l->n_constraints + (size_t)1, 1)};
    double *entry = calloc(l->phi_v_pattern.col_start[n] + (size_t)1, sizeof *entry);
    uint32_t *order = calloc(l->n_constraints + (size_t)1, sizeof *order);
    bool ok = run.ctx && run.x && run.loops && out->is_redundant && entry && order;
    snprintf(why, size, "out of memory");
    if (ok) {
        run.t = model->experiment.has_start ? model->experiment.start : 0;
        ok = !context_update(run.ctx) && !model->start(run.ctx, run.t, run.x) &&
             !context_initialise(run.ctx, run.t, run.x, why, size);
        if (ok && !loops_project_start(&run)) {
            snprintf(why, size, "%s", run.why);
            ok = false;
        }
    }
    if (ok && l->phi_v(run.ctx, run.t, run.x, entry)) {
        snprintf(why, size, "the constraints cannot be evaluated at the start");
        ok = false;
    }
    out->n_velocities = l->n_velocities;
    if (ok) {
        out->rank = rank_of(l, n, entry, LEFT, order, &out->smallest);
        ok = out->rank != RUNG_NONE;
        snprintf(why, size, "out of memory");
        for (uint32_t k = out->rank; ok && k < l->n_constraints; k++)
            out->is_redundant[order[k]] = 1;
    }
    free(order);
    free(entry);
    loops_delete(run.loops);
    context_free(run.ctx);
    free(run.x);
    return ok;
}

double loops_rank_ratio(Run *run, double t, const double *x, uint32_t *which)
{
    static const double REDUNDANT = 1e-10;
    const RungLoops *l = run->loops->l;
    double share = 1,
           *entry = calloc(l->phi_v_pattern.col_start[run->n] + (size_t)1, sizeof *entry);
    uint32_t *order = calloc(l->n_constraints + (size_t)1, sizeof *order);
    uint32_t rank = 0;
    if (entry && order && !l->phi_v(run->ctx, t, x, entry))
        rank = rank_of(l, run->n, entry, REDUNDANT, order, &share);
    bool known = rank > 0 && rank != RUNG_NONE;
    *which = known ? order[rank - 1] : 0;
    free(entry);
    free(order);
    return known ? share : 1;
}
