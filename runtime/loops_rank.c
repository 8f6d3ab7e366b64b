/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops_rank.h"
#include "initial.h"
#include "loops.h"
#include "rank.h"

#include <stdio.h>
#include <stdlib.h>

/* What is left of a row, against the longest of all, that says nothing new. */
static const double LEFT = 1e-8;

static bool find_rank(const RungLoops *l, uint32_t n, const double *entry, LoopsRank *out)
{
    const RungPattern *p = &l->phi_v_pattern;
    uint32_t m = l->n_constraints;
    double *row = calloc((size_t)m * n + 1, sizeof *row);
    uint32_t *order = calloc(m + (size_t)1, sizeof *order);
    if (row && order) {
        for (uint32_t c = 0; c < n; c++)
            for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
                row[(size_t)p->row[e] * n + c] = entry[e];
        out->rank = rank_find(n, m, row, LEFT, order, NULL, &out->smallest);
        for (uint32_t k = out->rank; k < m; k++)
            out->is_redundant[order[k]] = 1;
    }
    bool ok = row && order;
    free(row);
    free(order);
    return ok;
}

bool loops_rank(const RungModel *model, LoopsRank *out, char *why, size_t size)
{
    const RungLoops *l = model->loops;
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
    bool ok = run.ctx && run.x && run.loops && out->is_redundant && entry;
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
    if (ok && !find_rank(l, n, entry, out)) {
        snprintf(why, size, "out of memory");
        ok = false;
    }
    free(entry);
    loops_delete(run.loops);
    context_free(run.ctx);
    free(run.x);
    return ok;
}
