/* SPDX-License-Identifier: BSD-3-Clause */
#include "state_scale.h"
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool scale_open(Scale *it, const Problem *problem)
{
    const RungModel *m = problem->model;
    size_t n = problem->n;
    *it = (Scale){.n = problem->n};
    it->now = calloc(3 * n + 1, sizeof *it->now);
    if (!it->now)
        return false;
    it->least = it->now + n;
    it->seen = it->now + 2 * n;
    for (size_t k = 0; k < n; k++) {
        it->now[k] = it->least[k] = m->nominal[k];
        it->is_open = it->is_open || (m->is_nominal_open && m->is_nominal_open[k]);
    }
    return true;
}

void scale_close(Scale *it)
{
    free(it->now);
    *it = (Scale){0};
}

void scale_forget(Scale *it)
{
    memset(it->seen, 0, it->n * sizeof *it->seen);
}

static void renew(Scale *it, const Problem *problem, const double *x)
{
    for (uint32_t k = 0; k < it->n; k++) {
        if (!problem->model->is_nominal_open[k])
            continue;
        it->seen[k] = fmax(it->seen[k], fabs(x[k]));
        it->now[k] = fmax(it->least[k], fmin(1, it->seen[k]));
    }
}

void scale_begin(Scale *it, const Problem *problem, const double *x)
{
    const RungModel *m = problem->model;
    if (!it->is_open)
        return;
    for (uint32_t k = 0; k < it->n; k++)
        it->least[k] = m->nominal[k];
    for (uint32_t k = 0; k < m->n_state_scales; k++) {
        const RungStateScale *s = &m->state_scale[k];
        double c = s->constant == RUNG_NONE ? 1 : fabs(problem->ctx->c[s->constant]);
        double size = s->is_divisor ? s->number * c : s->number / c;
        if (size > 0 && isfinite(size))
            it->least[s->state] = fmin(it->least[s->state], size);
    }
    renew(it, problem, x);
}

void scale_step(Scale *it, const Problem *problem, const double *x)
{
    if (it->is_open)
        renew(it, problem, x);
}
