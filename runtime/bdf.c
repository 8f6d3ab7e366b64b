/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bdf.c -- the backward differentiation formula of order 2 with fixed steps (the first step, and a
 * shortened last one, are backward Euler's); loops in the form of index 2, phi' = 0 at the end of
 * the step (Arnold 1997, section 3). The derivatives of xdot are kept over steps.
 */
#include "implicit.h"
#include "steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double OUTWEIGH = 1e4;

typedef struct Bdf {
    Implicit implicit;
    Steps steps;
    double *base, *before; /* before: x one step before x_old */
    double h_old;
} Bdf;

static void bdf_close(void *self)
{
    Bdf *it = self;
    if (!it)
        return;
    implicit_close(&it->implicit);
    steps_close(&it->steps);
    free(it->base);
    free(it);
}

static void *bdf_open(Run *run)
{
    Bdf *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->base = calloc(2 * ((size_t)run->n + 1), sizeof *it->base);
    if (!steps_open(&it->steps, run) || !implicit_open(&it->implicit, run) || !it->base ||
        steps_start(&it->steps, run)) {
        bdf_close(it);
        return NULL;
    }
    it->before = it->base + run->n + 1;
    for (uint32_t i = 0; i < it->implicit.m; i++)
        it->implicit.multiplier[i] = -it->steps.y[i];
    return it;
}

static int bdf_step(void *self, Run *run)
{
    Bdf *it = self;
    Steps *st = &it->steps;
    Implicit *im = &it->implicit;
    double t = steps_next(st, run), h = run->h = t - run->t, gamma;
    bool second = it->h_old > 0;
    // variable-step coefficients; with equal steps 4/3, -1/3, 2/3 h
    double ratio = second ? h / it->h_old : 0;
    gamma = second ? h * (1 + ratio) / (1 + 2 * ratio) : h;
    double back = ratio * ratio / (1 + 2 * ratio);
    for (uint32_t i = 0; i < st->n; i++) {
        it->base[i] = run->x[i] + back * (run->x[i] - it->before[i]);
    }
    steps_predict(st, run, h, st->x);
    if (!second)
        memcpy(it->base, run->x, st->n * sizeof *it->base);
    memcpy(it->before, run->x, st->n * sizeof *it->before);
    steps_keep(st, run);
    if (implicit_penalties(im, gamma, true, OUTWEIGH)) {
        run_explain(run, run->why, sizeof run->why);
        return 1;
    }
    int status = implicit_solve(im, t, it->base, gamma, (Closing){true, true}, st->x);
    if (status)
        return status;
    for (uint32_t i = 0; i < st->n; i++)
        st->f[i] = (st->x[i] - it->base[i]) / gamma;
    memcpy(st->y, im->y, st->n_y * sizeof *st->y);
    it->h_old = h;
    return steps_done(st, run, t);
}

static void bdf_at(void *self, const Run *run, double t, double *x)
{
    const Bdf *it = self;
    steps_at(&it->steps, run, t, x);
}

const Integrator integrator_bdf = {
    .name = "bdf",
    .text = "backward differentiation, fixed step, order 2; loops of index 2",
    .open = bdf_open,
    .step = bdf_step,
    .at = bdf_at,
    .close = bdf_close,
    .closes_loops = true,
};
