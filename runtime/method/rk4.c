/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rk4.c -- the classical Runge-Kutta method of order 4, fixed step. Between steps a cubic
 * Hermite polynomial, of order 4 as well. Steps start at start + k * h; the last is shortened.
 */
#include "integrator.h"
#include "loops.h"
#include "rung_hermite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Rk4 {
    double *k[4], *x_old, *x_stage, *f_new;
    double t_old;
    uint64_t count;
    bool has_new; /* f_new belongs to run->x */
    int unstable; /* steps, one after the other */
} Rk4;

static void rk4_close(void *self)
{
    Rk4 *it = self;
    if (it)
        free(it->k[0]);
    free(it);
}

static void *rk4_open(Run *run)
{
    size_t n = run->problem.n + (size_t)1;
    Rk4 *it = calloc(1, sizeof *it);
    double *all = calloc(7 * n, sizeof *all);
    if (!it || !all) {
        free(it);
        free(all);
        return NULL;
    }
    for (int s = 0; s < 4; s++)
        it->k[s] = all + (size_t)s * n;
    it->x_old = all + 4 * n;
    it->x_stage = all + 5 * n;
    it->f_new = all + 6 * n;
    return it;
}

/* Whether h times the dominating eigenvalue was outside the region of stability in many steps, so
 * that the solution grows without end. Stages 2 and 3 are at the same time (Hairer, Wanner II,
 * IV.2). */
static bool is_unstable(Rk4 *it, const Run *run, double h)
{
    double num = 0, den = 0;
    for (uint32_t i = 0; i < run->problem.n; i++) {
        double df = it->k[2][i] - it->k[1][i], dx = h / 2 * (it->k[1][i] - it->k[0][i]);
        num += df * df;
        den += dx * dx;
    }
    it->unstable = den > 0 && h * sqrt(num / den) > 3.25 ? it->unstable + 1 : 0;
    return it->unstable >= 15;
}

static int rk4_step(void *self, Run *run)
{
    Rk4 *it = self;
    uint32_t n = run->problem.n;
    double t = run->t;
    double t_new = run->problem.piece_start + (double)(it->count + 1) * run->step;
    // no last step of a rounding error's length
    if (t_new > run->stop - 1e-9 * run->step)
        t_new = run->stop;
    double h = run->h = t_new - t;

    memcpy(it->x_old, run->x, n * sizeof *run->x);
    int status = 0;
    if (it->has_new)
        memcpy(it->k[0], it->f_new, n * sizeof *run->x);
    else
        status = problem_xdot(&run->problem, t, run->x, it->k[0]);
    static const double share[4] = {0, 0.5, 0.5, 1};
    for (int s = 1; s < 4 && !status; s++) {
        for (uint32_t i = 0; i < n; i++)
            it->x_stage[i] = run->x[i] + share[s] * h * it->k[s - 1][i];
        status = problem_xdot(&run->problem, t + share[s] * h, it->x_stage, it->k[s]);
    }
    if (!status) {
        for (uint32_t i = 0; i < n; i++)
            it->x_stage[i] =
                run->x[i] + h / 6 * (it->k[0][i] + 2 * (it->k[1][i] + it->k[2][i]) + it->k[3][i]);
        if (run->problem.loops && (status = loops_close_step(&run->problem, t_new, h, run->x,
                                                             it->k[0], it->x_stage)) != 0)
            return status;
        // the next step's first stage, and the slope that interpolation needs
        status = problem_xdot(&run->problem, t_new, it->x_stage, it->f_new);
    }
    if (status) {
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        return status;
    }
    if (is_unstable(it, run, h)) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the problem is stiff, or the step is too long: an explicit method is unstable "
                 "here; use --method esdirk");
        return 1;
    }
    memcpy(run->x, it->x_stage, n * sizeof *run->x);
    it->t_old = t;
    it->count++;
    it->has_new = true;
    run->t = t_new;
    return 0;
}

static void rk4_at(void *self, const Run *run, double t, double *x)
{
    const Rk4 *it = self;
    double h = run->t - it->t_old, s = (t - it->t_old) / h;
    for (uint32_t i = 0; i < run->problem.n; i++)
        x[i] = rung_hermite(h, s, it->x_old[i], it->k[0][i], run->x[i], it->f_new[i]);
}

static bool rk4_some_at(void *self, const Run *run, double t, uint32_t n, const uint32_t *state,
                        double *x)
{
    const Rk4 *it = self;
    double h = run->t - it->t_old, s = (t - it->t_old) / h;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = state[k];
        x[i] = rung_hermite(h, s, it->x_old[i], it->k[0][i], run->x[i], it->f_new[i]);
    }
    return true;
}

const Integrator integrator_rk4 = {
    .name = "rk4",
    .text = "explicit Runge-Kutta of order 4, fixed step",
    .fixed_step = true,
    .open = rk4_open,
    .step = rk4_step,
    .at = rk4_at,
    .some_at = rk4_some_at,
    .close = rk4_close,
};
