/* SPDX-License-Identifier: BSD-3-Clause
 *
 * euler.c -- the backward Euler method with fixed steps; loops in the form of index 2, phi' = 0 at
 * the end of the step (Arnold 1997, eq. 5). Order 1. The derivatives of xdot are kept over steps,
 * and over the change of the step at the end.
 */
#include "implicit.h"
#include "steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double OUTWEIGH = 1e4;

typedef struct Euler {
    Implicit implicit;
    Steps steps;
} Euler;

static void euler_close(void *self)
{
    Euler *it = self;
    if (!it)
        return;
    implicit_close(&it->implicit);
    steps_close(&it->steps);
    free(it);
}

static void *euler_open(Run *run)
{
    Euler *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    if (!steps_open(&it->steps, run) || !implicit_open(&it->implicit, run) ||
        steps_start(&it->steps, run)) {
        euler_close(it);
        return NULL;
    }
    for (uint32_t i = 0; i < it->implicit.m; i++)
        it->implicit.multiplier[i] = -it->steps.y[i];
    return it;
}

static int euler_step(void *self, Run *run)
{
    Euler *it = self;
    Steps *st = &it->steps;
    Implicit *im = &it->implicit;
    double t = steps_next(st, run), h = run->h = t - run->t;
    steps_predict(st, run, h, st->x);
    steps_keep(st, run);
    if (implicit_penalties(im, h, true, OUTWEIGH)) {
        run_explain(run, run->why, sizeof run->why);
        return 1;
    }
    int status = implicit_solve(im, t, run->x, h, (Closing){true, true}, st->x);
    if (status)
        return status;
    for (uint32_t i = 0; i < st->n; i++)
        st->f[i] = (st->x[i] - run->x[i]) / h;
    memcpy(st->y, im->y, st->n_y * sizeof *st->y);
    return steps_done(st, run, t);
}

static void euler_at(void *self, const Run *run, double t, double *x)
{
    const Euler *it = self;
    steps_at(&it->steps, run, t, x);
}

const Integrator integrator_euler = {
    .name = "euler",
    .text = "backward Euler, fixed step, order 1; loops of index 2",
    .open = euler_open,
    .step = euler_step,
    .at = euler_at,
    .close = euler_close,
    .closes_loops = true,
};
