/* SPDX-License-Identifier: BSD-3-Clause */
#include "spectral_radius.h"

#include <math.h>
#include <stdlib.h>

/* About the square root of DBL_EPSILON. */
static const double EPSILON = 1e-8;

bool spectral_radius_open(SpectralRadius *it, const Problem *problem)
{
    size_t n = problem->n + (size_t)1;
    it->v = calloc(4 * n, sizeof *it->v);
    if (!it->v)
        return false;
    it->x = it->v + n;
    it->f = it->x + n;
    it->g = it->f + n;
    it->rounds = 0;
    it->value = 0;
    return true;
}

void spectral_radius_close(SpectralRadius *it)
{
    free(it->v);
    it->v = NULL;
}

static double size_of(const Problem *problem, const double *x, uint32_t i)
{
    return problem_nominal(problem, i) + fabs(x[i]);
}

/* A direction that no eigenvector of a model is likely to be orthogonal to; the same every time. */
static void begin(SpectralRadius *it, const Problem *problem)
{
    for (uint32_t i = 0; i < problem->n; i++)
        it->g[i] = 1 + 0.6180339887498949 * (double)(i % 5) - 1.3 * (i & 1);
}

int spectral_radius_round(SpectralRadius *it, Problem *problem, double t, const double *x)
{
    uint32_t n = problem->n;
    double sum = 0;
    if (!it->rounds) {
        begin(it, problem);
        for (uint32_t i = 0; i < n; i++)
            sum += it->g[i] * it->g[i];
        for (uint32_t i = 0; i < n; i++)
            it->v[i] = it->g[i] / sqrt(sum) * size_of(problem, x, i);
    }
    for (uint32_t i = 0; i < n; i++)
        it->x[i] = x[i] + EPSILON * it->v[i];
    int status = problem_xdot(problem, t, it->x, it->g);
    // last, so that blocks keep their solutions at x
    status = problem_xdot(problem, t, x, it->f) || status;
    if (status) {
        it->rounds = 0;
        return status;
    }
    sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        it->g[i] = (it->g[i] - it->f[i]) / EPSILON;
        double share = it->g[i] / size_of(problem, x, i);
        sum += share * share;
    }
    it->value = sqrt(sum);
    if (!(it->value > 0 && isfinite(it->value))) {
        it->rounds = 0; // another direction would not help: f does not depend on x
        return 0;
    }
    for (uint32_t i = 0; i < n; i++)
        it->v[i] = it->g[i] / it->value;
    it->rounds++;
    return 0;
}
