/* SPDX-License-Identifier: BSD-3-Clause */
#include "jacobian.h"
#include "context.h"
#include "delay.h"
#include "loops.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool jacobian_is_sparse(const Run *run)
{
    return run->model->jacobian && run->options->jacobian != JACOBIAN_DENSE &&
           !delays_any_zero(run->delays);
}

bool jacobian_in_newton_step(const Run *run)
{
    return run->model->newton && run->model->newton->step &&
           run->options->jacobian == JACOBIAN_ANALYTIC && !delays_any_zero(run->delays);
}

size_t jacobian_work(const Run *run)
{
    const RungJacobian *j = run->model->jacobian;
    return j ? 2 * (size_t)j->pattern.n_rows + j->pattern.n_cols + 1 : 1;
}

static int evaluate(Run *run, double t, const double *x, const double *y, double *f)
{
    return run->loops ? loops_g(run, t, x, y, f) : run_xdot(run, t, x, f);
}

int jacobian_beside(Run *run, double t, const double *x, const double *y, double *moved, double *f)
{
    context_keep_branches(run->ctx);
    int status = evaluate(run, t, moved, y, f);
    if (status || !context_has_left_branch(run->ctx))
        return status;
    for (uint32_t c = 0; c < run->n; c++)
        moved[c] = x[c] - (moved[c] - x[c]);
    return evaluate(run, t, moved, y, f);
}

/* Evaluations survive a vanishing pivot (fallback.h). */
static int jacobian_differences(Run *run, double t, const double *x, const double *y, double *entry,
                                double *work)
{
    const RungPattern *p = &run->model->jacobian->pattern;
    uint32_t n = p->n_cols;
    double *f = work, *g = work + p->n_rows, *moved = g + p->n_rows;
    int status = evaluate(run, t, x, y, f);
    for (uint32_t k = 0; k < p->n_colours && !status; k++) {
        memcpy(moved, x, n * sizeof *x);
        for (uint32_t c = 0; c < n; c++)
            if (p->colour[c] == k)
                moved[c] += sqrt(DBL_EPSILON) * fmax(fabs(x[c]), run->model->nominal[c]);
        status = jacobian_beside(run, t, x, y, moved, g);
        for (uint32_t c = 0; c < n && !status; c++)
            for (uint32_t e = p->col_start[c]; p->colour[c] == k && e < p->col_start[c + 1]; e++)
                entry[e] = (g[p->row[e]] - f[p->row[e]]) / (moved[c] - x[c]);
    }
    return status;
}

static bool are_finite(const RungJacobian *j, const double *entry)
{
    for (uint32_t e = 0; e < j->pattern.col_start[j->pattern.n_cols]; e++)
        if (!isfinite(entry[e]))
            return false;
    return true;
}

int jacobian_entries(Run *run, double t, const double *x, const double *y, double *entry,
                     double *work)
{
    if (run->options->jacobian != JACOBIAN_ANALYTIC || !run->model->jacobian->entries)
        return jacobian_differences(run, t, x, y, entry, work);
    if (run->loops)
        loops_put(run->loops, run->ctx, y);
    int own = run->model->jacobian->entries(run->ctx, t, x, entry);
    if (own < 0 || (own == 0 && are_finite(run->model->jacobian, entry)))
        return own;
    return jacobian_differences(run, t, x, y, entry, work);
}
