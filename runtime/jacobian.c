/* SPDX-License-Identifier: BSD-3-Clause */
#include "jacobian.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool jacobian_is_sparse(const Run *run)
{
    return run->model->jacobian && !run->loops && run->options->jacobian != JACOBIAN_DENSE;
}

int jacobian_entries(Run *run, double t, const double *x, double *entry, double *work)
{
    const RungJacobian *j = run->model->jacobian;
    const RungPattern *p = &j->pattern;
    if (run->options->jacobian == JACOBIAN_ANALYTIC)
        return j->entries(run->ctx, t, x, entry);
    uint32_t n = run->n;
    double *f = work, *moved = work + n, *g = work + 2 * (size_t)n;
    int status = run_xdot(run, t, x, f);
    for (uint32_t k = 0; k < p->n_colours && !status; k++) {
        memcpy(moved, x, n * sizeof *x);
        for (uint32_t c = 0; c < n; c++)
            if (p->colour[c] == k)
                moved[c] += sqrt(DBL_EPSILON) * fmax(fabs(x[c]), run->model->nominal[c]);
        status = run_xdot(run, t, moved, g);
        for (uint32_t c = 0; c < n && !status; c++)
            for (uint32_t e = p->col_start[c]; p->colour[c] == k && e < p->col_start[c + 1]; e++)
                entry[e] = (g[p->row[e]] - f[p->row[e]]) / (moved[c] - x[c]);
    }
    return status;
}
