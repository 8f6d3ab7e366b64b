/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops_rank.h"
#include "initial.h"
#include "loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is left of a row, against the longest of all, that says nothing new. */
static const double LEFT = 1e-8;

/* Householder's QR of the rows (as columns of length n), the longest of what is left first
 * (Businger and Golub 1965): the first `rank` pivots are independent, the others follow from them.
 * Among rows of nearly the same length the one written first is taken. */
static void find_rank(const RungLoops *l, uint32_t n, const double *entry, double *row,
                      LoopsRank *out)
{
    const RungPattern *p = &l->phi_v_pattern;
    uint32_t m = l->n_constraints;
    memset(row, 0, (size_t)m * n * sizeof *row);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            row[(size_t)p->row[e] * n + c] = entry[e];
    memset(out->is_redundant, 1, m);
    out->rank = 0;
    double first = 0;
    for (uint32_t step = 0; step < n; step++) {
        uint32_t best = m;
        double longest = 0;
        for (uint32_t k = 0; k < m; k++) {
            double sum = 0;
            for (uint32_t c = step; c < n && out->is_redundant[k]; c++)
                sum += row[(size_t)k * n + c] * row[(size_t)k * n + c];
            if (sum > 1.01 * longest) {
                longest = sum;
                best = k;
            }
        }
        if (step == 0)
            first = sqrt(longest);
        if (best == m || !(sqrt(longest) > LEFT * first))
            return;
        // the reflection that turns what is left of the row into its first component
        double *v = row + (size_t)best * n;
        double length = v[step] > 0 ? -sqrt(longest) : sqrt(longest);
        v[step] -= length;
        double scale = -1 / (length * v[step]);
        out->is_redundant[best] = 0;
        out->rank++;
        out->smallest = sqrt(longest) / first;
        for (uint32_t k = 0; k < m; k++) {
            double *r = row + (size_t)k * n, dot = 0;
            if (!out->is_redundant[k])
                continue;
            for (uint32_t c = step; c < n; c++)
                dot += v[c] * r[c];
            for (uint32_t c = step; c < n; c++)
                r[c] -= scale * dot * v[c];
        }
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
    *out = (LoopsRank){.is_redundant = calloc(l->n_constraints + (size_t)1, 1)};
    double *entry = calloc(l->phi_v_pattern.col_start[n] + (size_t)1, sizeof *entry);
    double *row = calloc((size_t)l->n_constraints * n + 1, sizeof *row);
    bool ok = run.ctx && run.x && run.loops && out->is_redundant && entry && row;
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
