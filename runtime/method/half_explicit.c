/* SPDX-License-Identifier: BSD-3-Clause
 *
 * half_explicit.c -- half-explicit methods with fixed steps for non-stiff systems with loops
 * (Arnold 1997, eq. 4; Hairer, Lubich, Roche 1989): the state goes forward explicitly, the
 * multipliers are such that the velocities at the end of a stage satisfy phi' = 0. With Euler's
 * rule (`half-explicit-euler`, order 1), and with the midpoint rule in its place: two stages, order
 * 2. Positions are put onto phi = 0 after each step.
 */
#include "steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct HalfExplicit {
    Steps steps;
    double *f; /* at a stage */
    bool is_euler;
} HalfExplicit;

static void half_explicit_close(void *self)
{
    HalfExplicit *it = self;
    if (!it)
        return;
    steps_close(&it->steps);
    free(it->f);
    free(it);
}

static void *half_explicit_open(Run *run)
{
    HalfExplicit *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->f = calloc(run->problem.n + (size_t)1, sizeof *it->f);
    if (!it->f || !steps_open(&it->steps, run) || steps_start(&it->steps, run)) {
        half_explicit_close(it);
        return NULL;
    }
    return it;
}

static void *euler_open(Run *run)
{
    HalfExplicit *it = half_explicit_open(run);
    if (it)
        it->is_euler = true;
    return it;
}

/* x = x_old + h f, f such that phi' = 0 there. */
static int euler_stage(HalfExplicit *it, Run *run, double t_new, double h)
{
    Steps *st = &it->steps;
    int status = 0;
    if (run->problem.loops)
        status = loops_half_explicit(&run->problem, run->t, st->x_old, t_new, st->x_old, h, it->f);
    else
        memcpy(it->f, st->f_old, st->n * sizeof *it->f);
    for (uint32_t i = 0; i < st->n; i++)
        st->x[i] = st->x_old[i] + h * it->f[i];
    return status;
}

/* to = from + h (g0 + G y) where g is that at (t, x), y such that phi' = 0 at (t_to, to).
 * Velocities of `to` only enter phi' by phi_v there, but their directions G are those at x. */
static int stage(HalfExplicit *it, Run *run, double t, const double *x, const double *from,
                 double t_to, double h, double *to)
{
    uint32_t n = run->problem.n;
    if (!run->problem.loops) {
        int status = problem_xdot(&run->problem, t, x, it->f);
        for (uint32_t i = 0; i < n; i++)
            to[i] = from[i] + h * it->f[i];
        return status;
    }
    // the multipliers of phi'' = 0 are the first guess, an impulse at the end does the rest
    int status = loops_xdot(&run->problem, t, x, it->f);
    for (uint32_t i = 0; i < n; i++)
        to[i] = from[i] + h * it->f[i];
    return status ? status : loops_project_rates(&run->problem, t_to, to);
}

static int midpoint_stages(HalfExplicit *it, Run *run, double t_new, double h)
{
    Steps *st = &it->steps;
    double t = run->t, *middle = st->f; // its values are in f_old
    int status = stage(it, run, t, st->x_old, st->x_old, t + h / 2, h / 2, middle);
    if (status)
        return status;
    double *at = malloc((run->problem.n + (size_t)1) * sizeof *at);
    if (!at)
        return -1;
    memcpy(at, middle, run->problem.n * sizeof *at);
    status = stage(it, run, t + h / 2, at, st->x_old, t_new, h, st->x);
    free(at);
    return status;
}

static int half_explicit_step(void *self, Run *run)
{
    HalfExplicit *it = self;
    Steps *st = &it->steps;
    double t = run->t, t_new = steps_next(st, run), h = run->h = t_new - t;
    steps_keep(st, run);
    int status = (it->is_euler ? euler_stage : midpoint_stages)(it, run, t_new, h);
    if (!status && run->problem.loops &&
        (status = loops_close_step(&run->problem, t_new, h, st->x_old, st->f_old, st->x)) != 0)
        return status;
    status = status ? status : problem_xdot(&run->problem, t_new, st->x, st->f);
    if (status) {
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        return status;
    }
    if (run->problem.loops)
        memcpy(st->y, run->problem.loops->y, st->n_y * sizeof *st->y);
    return steps_done(st, run, t_new);
}

static void half_explicit_at(void *self, const Run *run, double t, double *x)
{
    const HalfExplicit *it = self;
    steps_at(&it->steps, run, t, x);
}

const Integrator integrator_half_explicit = {
    .name = "half-explicit",
    .text = "half-explicit midpoint rule, fixed step, order 2; loops of index 2",
    .fixed_step = true,
    .open = half_explicit_open,
    .step = half_explicit_step,
    .at = half_explicit_at,
    .close = half_explicit_close,
    .closes_loops = true,
};

const Integrator integrator_half_explicit_euler = {
    .name = "half-explicit-euler",
    .text = "half-explicit Euler method, fixed step, order 1; loops of index 2",
    .fixed_step = true,
    .open = euler_open,
    .step = half_explicit_step,
    .at = half_explicit_at,
    .close = half_explicit_close,
    .closes_loops = true,
};
