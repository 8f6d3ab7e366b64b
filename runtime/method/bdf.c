/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bdf.c -- backward differentiation with fixed steps: of order 1 (`euler`: backward Euler) and of
 * order 2 (`bdf`: its first step, and that after a shortened one, are of order 1). Loops in the
 * form of index 2, phi' = 0 at the end of the step (Arnold 1997, section 3 and eq. 5); positions
 * are put onto phi = 0 behind it. The derivatives of xdot are kept over steps and over changes of
 * h.
 */
#include "implicit_steps.h"
#include "loop_tangents.h"

#include <stdlib.h>
#include <string.h>

typedef struct Bdf {
    ImplicitSteps common;
    double *before; /* x one step before x_old; NULL: order 1 */
    double h_old;
} Bdf;

static void bdf_close(void *self)
{
    Bdf *it = self;
    if (it)
        free(it->before);
    implicit_steps_close(it);
}

static void *euler_open(Run *run)
{
    Bdf *it = implicit_steps_open(run, sizeof *it);
    if (it)
        implicit_steps_augment(&it->common);
    return it;
}

static void *bdf_open(Run *run)
{
    Bdf *it = euler_open(run);
    if (it && !(it->before = calloc(run->problem.n + (size_t)1, sizeof *it->before))) {
        bdf_close(it);
        return NULL;
    }
    return it;
}

/* Positions and velocities onto their constraints, then the derivative there with the forces that
 * keep accelerations and the balances of massless coordinates on theirs. */
static int close_loops(Bdf *it, Run *run, double t)
{
    Steps *st = &it->common.steps;
    int status = loops_project(&run->problem, t, st->x);
    if (status)
        return status;
    if (run->problem.loops->tangents) {
        status = loop_tangents_project(&run->problem, t, st->x, st->f, st->y);
        if (status <= 0)
            return status;
        status = loops_linearise(&run->problem, t, st->x);
    }
    if (status)
        return status;
    if (!run->problem.loops->by_newton)
        status = loops_project_accelerations(&run->problem, t, st->x, st->f, st->y);
    else if (!(status = loops_xdot(&run->problem, t, st->x, st->f)))
        memcpy(st->y, run->problem.loops->y, st->n_y * sizeof *st->y);
    if (status)
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
    return status;
}

static int advance(void *self, Run *run, double t)
{
    Bdf *it = self;
    Steps *st = &it->common.steps;
    double *base = it->common.base, h = t - run->t;
    // variable-step coefficients; with equal steps 4/3, -1/3, 2/3 h
    double ratio = it->before && it->h_old > 0 ? h / it->h_old : 0;
    double gamma = it->common.gamma = h * (1 + ratio) / (1 + 2 * ratio);
    double back = ratio * ratio / (1 + 2 * ratio);
    for (uint32_t i = 0; i < st->n; i++)
        base[i] = run->x[i] + (ratio > 0 ? back * (run->x[i] - it->before[i]) : 0);
    int status = implicit_inertia(&it->common.implicit, true);
    implicit_weigh(&it->common.implicit, gamma, true, IMPLICIT_OUTWEIGH);
    if (status) {
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        return status;
    }
    status = implicit_solve(&it->common.implicit, t, base, gamma, (Closing){true, true}, st->x);
    status = status ? status
                    : implicit_tangents(&it->common.implicit, t, base, gamma, (Closing){true, true},
                                        st->x, st->y);
    if (status)
        return status;
    implicit_steps_finish(&it->common);
    return run->problem.loops ? close_loops(it, run, t) : 0;
}

static int bdf_step(void *self, Run *run)
{
    Bdf *it = self;
    int status = implicit_steps_take(&it->common, run, advance);
    if (status)
        return status;
    it->h_old = run->h;
    if (it->before)
        memcpy(it->before, it->common.steps.x_old, run->problem.n * sizeof *it->before);
    return 0;
}

const Integrator integrator_bdf = {
    .name = "bdf",
    .text = "backward differentiation, fixed step, order 2; loops of index 2",
    .fixed_step = true,
    .open = bdf_open,
    .step = bdf_step,
    .at = implicit_steps_at,
    .close = bdf_close,
    .closes_loops = true,
    .needs = NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};

const Integrator integrator_euler = {
    .name = "euler",
    .text = "backward Euler, fixed step, order 1; loops of index 2",
    .fixed_step = true,
    .open = euler_open,
    .step = bdf_step,
    .at = implicit_steps_at,
    .close = bdf_close,
    .closes_loops = true,
    .needs = NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};
