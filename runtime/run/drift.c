/* SPDX-License-Identifier: BSD-3-Clause */
#include "drift.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool drift_open(Drift *it, const RungModel *model, RungContext *ctx, bool stabilises)
{
    *it = (Drift){.constraints = model->invariants};
    if (!it->constraints)
        return true;
    const RungPattern *p = &it->constraints->by_state_pattern;
    if (p->n_rows == 0)
        return true;
    if (!stabilises)
        ctx->p[it->constraints->rate] = 0;
    it->residual = calloc(p->n_rows + (size_t)1, sizeof(double));
    it->bound = calloc(p->n_rows + (size_t)1, sizeof(double));
    it->entry = calloc(p->col_start[p->n_cols] + (size_t)1, sizeof(double));
    it->unit = calloc(p->n_cols + (size_t)1, sizeof(double));
    it->x = calloc(p->n_cols + (size_t)1, sizeof(double));
    it->last = calloc(p->n_cols + (size_t)1, sizeof(double));
    it->rate = calloc(p->n_cols + (size_t)1, sizeof(double));
    it->normal = normal_new(p);
    it->nearest = INFINITY;
    drift_begin(it);
    return it->residual && it->bound && it->entry && it->unit && it->x && it->last && it->rate &&
           it->normal;
}

void drift_close(Drift *it)
{
    normal_delete(it->normal);
    free(it->residual);
    free(it->bound);
    free(it->entry);
    free(it->unit);
    free(it->x);
    free(it->last);
    free(it->rate);
    *it = (Drift){0};
}

/* The entries in units of the states, and the bounds. */
static bool linearise(Drift *it, Problem *problem, double tolerance, double t, const double *x)
{
    static const double ROUNDINGS = 32, OFF = 0.25; // tolerances
    const RungPattern *p = &it->constraints->by_state_pattern;
    if (it->constraints->by_state(problem->ctx, t, x, it->entry))
        return false;
    memset(it->bound, 0, p->n_rows * sizeof *it->bound);
    for (uint32_t c = 0; c < p->n_cols; c++) {
        it->unit[c] = problem_size(problem, c, x[c]);
        double off = OFF * tolerance * it->unit[c] + ROUNDINGS * DBL_EPSILON * fabs(x[c]);
        for (uint32_t k = p->col_start[c]; k < p->col_start[c + 1]; k++) {
            it->bound[p->row[k]] += fabs(it->entry[k]) * off;
            it->entry[k] *= it->unit[c];
        }
    }
    it->age = 1;
    return true;
}

/* The largest residual over its bound; infinite where it cannot be evaluated. */
static double share(Drift *it, Problem *problem, double t, const double *x)
{
    double most = 0;
    if (it->constraints->residual(problem->ctx, t, x, it->residual))
        return INFINITY;
    for (uint32_t k = 0; k < it->constraints->by_state_pattern.n_rows; k++)
        if (it->residual[k] != 0)
            most = fmax(most, fabs(it->residual[k]) / it->bound[k]);
    return isfinite(most) ? most : INFINITY;
}

static bool correct(Drift *it, double *x)
{
    static const double REGULAR = 1e-12;
    const RungPattern *p = &it->constraints->by_state_pattern;
    if (!normal_factor(it->normal, it->entry, NULL, REGULAR))
        return false;
    normal_solve(it->normal, it->residual);
    for (uint32_t c = 0; c < p->n_cols; c++)
        for (uint32_t k = p->col_start[c]; k < p->col_start[c + 1]; k++)
            x[c] -= it->unit[c] * it->entry[k] * it->residual[p->row[k]];
    return true;
}

void drift_begin(Drift *it)
{
    it->age = 0;
    it->t_last = NAN;
}

/* The smallest pivot of the constraints' normal equations relative to its row: near a singular
 * position it falls with the square of the distance. */
static double pivot_ratio(Drift *it, Problem *problem, double t, const double *x)
{
    const RungPattern *p = &it->constraints->by_state_pattern;
    problem_refresh(problem, t, x);
    if (it->constraints->by_state(problem->ctx, t, x, it->entry))
        return 1;
    for (uint32_t c = 0; c < p->n_cols; c++)
        for (uint32_t k = p->col_start[c]; k < p->col_start[c + 1]; k++)
            it->entry[k] *= problem_size(problem, c, x[c]);
    if (!normal_factor(it->normal, it->entry, NULL, 0))
        return 1;
    double ratio = normal_pivot_ratio(it->normal);
    it->regular = fmax(it->regular, ratio);
    return ratio;
}

uint32_t drift_singular(Drift *it, Problem *problem, double tolerance, double t, const double *x)
{
    enum { SHORT = 8 };
    static const double FASTER = 10, REGULAR = 1e-6, NEAR = 100, NEAREST = 1e-4, STRAIGHT = 1e-4;
    if (!it->normal)
        return RUNG_NONE;
    const uint32_t n = it->constraints->by_state_pattern.n_cols;
    uint32_t fast = RUNG_NONE;
    double h = fabs(t - it->t_last);
    it->longest = fmax(it->longest, h);
    bool is_short = h > 0 && h <= it->longest / SHORT;
    for (uint32_t k = 0; k < n && h > 0; k++) {
        double rate = fabs(x[k] - it->last[k]) / h;
        if (!is_short) {
            it->rate[k] = fmax(it->rate[k], rate);
            it->most = fmax(it->most, fabs(x[k]));
        } else if (rate > FASTER * (it->rate[k] + problem_size(problem, k, x[k]) / it->longest)) {
            fast = k;
        }
        // energy limits the speeds of a mechanism, not those of angles that are singular themselves
        it->is_unbounded = it->is_unbounded || (is_short && fabs(x[k]) > FASTER * it->most);
    }
    if (is_short || it->longest == 0) {
        it->nearest = fmin(it->nearest, pivot_ratio(it, problem, t, x));
    } else if (h > 0) {
        it->nearest = INFINITY;
        it->is_unbounded = false;
    }
    it->t_last = t;
    memcpy(it->last, x, n * sizeof *x);
    // a constraint that is off by a tolerance leads from one way to another at this distance; a
    // motion that has come much closer goes straight on
    double distance = it->nearest / it->regular;
    bool is_singular = it->regular > REGULAR && distance < fmin(NEAR * tolerance, NEAREST) &&
                       distance > STRAIGHT * tolerance;
    return is_singular && !it->is_unbounded ? fast : RUNG_NONE;
}

bool drift_restore(Drift *it, Problem *problem, double tolerance, double t, double *x)
{
    enum { SERVES = 100, ROUNDS = 4 };
    static const double CLOSE = 0.01, NEAR = 0.5; // shares of the bounds: enough, and at the end
    if (!it->normal)
        return false;
    problem_refresh(problem, t, x);
    bool has_bounds = it->age > 0 && it->age++ < SERVES;
    if (has_bounds && share(it, problem, t, x) <= 1)
        return false;
    if (!linearise(it, problem, tolerance, t, x))
        return false;
    double off = share(it, problem, t, x);
    if (!(off > 1))
        return false;
    const uint32_t n = it->constraints->by_state_pattern.n_cols;
    memcpy(it->x, x, n * sizeof *x);
    for (int round = 0; round < ROUNDS && off > CLOSE && isfinite(off); round++) {
        if (round > 0 && !linearise(it, problem, tolerance, t, x))
            off = INFINITY;
        else
            off = correct(it, x) && problem_is_finite(n, x) ? share(it, problem, t, x) : INFINITY;
    }
    if (off <= NEAR)
        return true;
    memcpy(x, it->x, n * sizeof *x);
    return false;
}
