/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trapezoid.c -- the trapezoidal rule with fixed steps (Callejo 2014, eqs. 15-19), and on it the
 * two ways to close loops: by a penalty (`penalty`, eqs. 17, 20-26) and by an augmented Lagrangian
 * of index 3 with projections (`ali3p`, Lopez Varela 2023, eqs. 9-11). Order 2.
 */
#include "implicit_steps.h"
#include "stage.h"
#include "tape.h"

#include <math.h>
#include <string.h>

typedef struct Trapezoid {
    ImplicitSteps common;
    Stage stage;
} Trapezoid;

static void trapezoid_close(void *self)
{
    Trapezoid *it = self;
    if (it)
        stage_close(&it->stage);
    implicit_steps_close(it);
}

static void *open_with(Run *run, bool augmented)
{
    Trapezoid *it = implicit_steps_open(run, sizeof *it);
    if (!it)
        return NULL;
    if (!stage_open(&it->stage, &it->common.implicit, augmented, &run->closing)) {
        trapezoid_close(it);
        return NULL;
    }
    if (augmented)
        implicit_steps_augment(&it->common);
    return it;
}

static void *ali3p_open(Run *run)
{
    return open_with(run, true);
}

static void *penalty_open(Run *run)
{
    return open_with(run, false);
}

static void *trapezoid_open(Run *run)
{
    return open_with(run, !run->by_penalty);
}

/* From the kept start of the step to t; x holds the first guess. */
static int advance(void *self, Run *run, double t)
{
    Trapezoid *it = self;
    Steps *st = &it->common.steps;
    double gamma = it->common.gamma = (t - run->t) / 2;
    stage_new_step(&it->stage);
    // steps of one length differ by rounding
    it->stage.stale |= fabs(gamma - it->stage.gamma) > 1e-9 * gamma;
    for (uint32_t i = 0; i < st->n; i++)
        it->common.base[i] = run->x[i] + gamma * st->f_old[i];
    return stage_solve(&it->stage, t, it->common.base, gamma, st->x, st->f, st->y);
}

static const TapeFormula tape_formula = {
    .n = 2, .ends = 1, .a = {{0}, {0.5, 0.5}}, .b = {0.5, 0.5}};

static int trapezoid_step(void *self, Run *run)
{
    Trapezoid *it = self;
    double t = run->t;
    tape_stage(run->tape, 0, t, run->x);
    int status = implicit_steps_take(&it->common, run, advance);
    if (status || !run->tape)
        return status;
    if (run->problem.loops && stage_has_adjoint(&it->stage))
        return 1;
    tape_stage(run->tape, 1, run->t, run->x);
    return tape_step(run->tape, run, &tape_formula, t, run->t - t, run->tape->now, run->t, run->x);
}

/* As rung_hermite, of the slopes at both ends. */
static void trapezoid_cut(void *self, const Run *run, double t, TapeCut *out)
{
    const ImplicitSteps *it = &((const Trapezoid *)self)->common;
    double s = (t - it->steps.t_old) / (2 * it->gamma), r = 1 - s;
    double of_end = s * s * (1 + 2 * r), of_stages = run->problem.loops ? 0 : of_end / 2;
    out->n_follows = 0;
    out->of_end = run->problem.loops ? of_end : 0;
    out->dense[0] = r * r * s + of_stages;
    out->dense[1] = of_stages - s * s * r;
}

const Integrator integrator_trapezoid = {
    .name = "trapezoid",
    .keeps_tape = true,
    .cut = trapezoid_cut,
    .text = "implicit trapezoidal rule, fixed step, order 2; loops as --loops says",
    .fixed_step = true,
    .open = trapezoid_open,
    .step = trapezoid_step,
    .at = implicit_steps_at,
    .close = trapezoid_close,
    .closes_loops = true,
    .needs = NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};

const Integrator integrator_ali3p = {
    .name = "ali3p",
    .keeps_tape = true,
    .cut = trapezoid_cut,
    .text = "trapezoid, loops by augmented Lagrangian of index 3 with projections",
    .fixed_step = true,
    .open = ali3p_open,
    .step = trapezoid_step,
    .at = implicit_steps_at,
    .close = trapezoid_close,
    .closes_loops = true,
    .needs = NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};

const Integrator integrator_penalty = {
    .name = "penalty",
    .text = "trapezoid, loops by penalty with projections",
    .fixed_step = true,
    .open = penalty_open,
    .step = trapezoid_step,
    .at = implicit_steps_at,
    .close = trapezoid_close,
    .closes_loops = true,
    .needs = NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};
