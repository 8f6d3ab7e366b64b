/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops_rank.h"
#include "initial.h"
#include "loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Modified Gram-Schmidt, each row twice: a row of which so little is left, against the longest, is
 * a combination of those before. */
static const double LEFT = 1e-8;

static void find_rank(const RungLoops *l, uint32_t n, const double *entry, double *row,
                      LoopsRank *out)
{
    const RungPattern *p = &l->phi_v_pattern;
    uint32_t m = l->n_constraints;
    double longest = 0;
    memset(row, 0, (size_t)m * n * sizeof *row);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            row[(size_t)p->row[e] * n + c] = entry[e];
    for (uint32_t k = 0; k < m; k++) {
        double sum = 0;
        for (uint32_t c = 0; c < n; c++)
            sum += row[(size_t)k * n + c] * row[(size_t)k * n + c];
        longest = fmax(longest, sum);
    }
    for (uint32_t k = 0; k < m; k++) {
        double *v = row + (size_t)k * n, after = 0;
        for (int twice = 0; twice < 2; twice++)
            for (uint32_t j = 0; j < k; j++) {
                const double *q = row + (size_t)j * n;
                double dot = 0;
                for (uint32_t c = 0; c < n && !out->is_redundant[j]; c++)
                    dot += q[c] * v[c];
                for (uint32_t c = 0; c < n && dot != 0; c++)
                    v[c] -= dot * q[c];
            }
        for (uint32_t c = 0; c < n; c++)
            after += v[c] * v[c];
        out->residual[k] = longest > 0 ? sqrt(after / longest) : 0;
        out->is_redundant[k] = !(out->residual[k] > LEFT);
        out->rank += !out->is_redundant[k];
        for (uint32_t c = 0; c < n && !out->is_redundant[k]; c++)
            v[c] /= sqrt(after);
    }
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
    *out = (LoopsRank){.is_redundant = calloc(l->n_constraints + (size_t)1, 1),
                       .residual = calloc(l->n_constraints + (size_t)1, sizeof(double))};
    double *entry = calloc(l->phi_v_pattern.col_start[n] + (size_t)1, sizeof *entry);
    double *row = calloc((size_t)l->n_constraints * n + 1, sizeof *row);
    bool ok = run.ctx && run.x && run.loops && out->is_redundant && out->residual && entry && row;
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
    if (ok)
        find_rank(l, n, entry, row, out);
    free(entry);
    free(row);
    loops_delete(run.loops);
    context_free(run.ctx);
    free(run.x);
    return ok;
}
