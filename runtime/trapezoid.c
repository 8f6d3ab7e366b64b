/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trapezoid.c -- the trapezoidal rule with fixed steps (Callejo 2014, eqs. 15-19), and on it the
 * two ways to close loops: by a penalty (`penalty`, eqs. 17, 20-26) and by an augmented Lagrangian
 * of index 3 with projections (`ali3p`, Lopez Varela 2023, eqs. 9-11). Order 2.
 */
#include "implicit_steps.h"

#include <math.h>
#include <string.h>

typedef struct Trapezoid {
    ImplicitSteps common;
    double gamma;  /* the penalties were made for */
    double more;   /* times the usual ones        */
    uint32_t slow; /* steps in which the multipliers converged slowly, one after the other */
    bool renews;   /* in each step: one evaluation gives the columns of all inputs */
} Trapezoid;

static void *open_with(Run *run, bool augmented)
{
    Trapezoid *it = implicit_steps_open(run, sizeof *it);
    if (!it)
        return NULL;
    it->more = 1;
    it->renews = run->loops && run->loops->l->by_input;
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
    const char *loops = run->options->loops;
    return open_with(run, !loops || strcmp(loops, "penalty") != 0);
}

/* Callejo 2014, eqs. 24-26: with the last iteration's matrix, v += matrix^-1 (-gamma W alpha
 * phi'), and likewise the accelerations. */
static int project_by_penalty(Trapezoid *it, double t)
{
    Implicit *im = &it->common.implicit;
    Run *run = im->run;
    Steps *st = &it->common.steps;
    const RungLoops *l = im->loops->l;
    for (int accelerations = 0; accelerations < 2; accelerations++) {
        // phi'' = phi_v f + rest
        int status = (accelerations ? l->phi_rest : l->phi_dot)(run->ctx, t, st->x, im->c);
        if (status)
            return status;
        if (accelerations) {
            const RungPattern *p = &l->phi_v_pattern;
            status = l->phi_v(run->ctx, t, st->x, im->entry);
            for (uint32_t c = 0; c < it->common.implicit.n && !status; c++)
                for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
                    im->c[p->row[e]] += im->entry[e] * st->f[c];
        }
        memset(im->r, 0, im->s * sizeof *im->r);
        double g2 = im->gamma * im->gamma;
        for (uint32_t j = 0; j < im->m; j++) {
            const double *w = im->by_input + (size_t)j * im->s;
            double push = im->penalty[j] * im->c[j];
            // gamma^2 is h^2/4: the matrix holds gamma W alpha phi_x, and dx = gamma dv
            for (uint32_t i = 0; i < im->n; i++)
                im->r[i] -= g2 * w[i] * push;
            for (uint32_t i = im->n; i < im->s; i++)
                im->r[i] += im->gamma * w[i] * push;
        }
        implicit_apply(im, im->r);
        // states that the constraint forces do not move are positions: these stay
        double *to = accelerations ? st->f : st->x;
        for (uint32_t c = 0; c < im->n; c++)
            to[c] += l->moved[c] ? im->r[c] : 0;
    }
    return 0;
}

/* it->c := phi'' with the accelerations f at x. */
static int phi_second(Implicit *im, double t, const double *x, const double *f)
{
    const RungLoops *l = im->loops->l;
    const RungPattern *p = &l->phi_v_pattern;
    int status = l->phi_rest(im->run->ctx, t, x, im->c);
    status = status ? status : l->phi_v(im->run->ctx, t, x, im->entry);
    for (uint32_t c = 0; c < im->n && !status; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            im->c[p->row[e]] += im->entry[e] * f[c];
    return status;
}

static double largest(uint32_t n, const double *v)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++)
        most = fmax(most, fabs(v[i]));
    return most;
}

/* The same with the model's own Newton iteration: the penalties act on s = -gamma alpha phi'. Of an
 * augmented Lagrangian the next rounds take away what is left (Lopez Varela 2023, eq. 10b). */
static int project_velocities_structured(Trapezoid *it, double t)
{
    enum { ROUNDS = 3 };
    Implicit *im = &it->common.implicit;
    Steps *st = &it->common.steps;
    int status = 0;
    for (int round = 0; round < (it->common.augmented ? ROUNDS : 1) && !status; round++) {
        status = im->loops->l->phi_dot(im->run->ctx, t, st->x, im->c);
        if (it->common.augmented && largest(im->m, im->c) <= 1e-14)
            break;
        for (uint32_t j = 0; j < im->m; j++)
            im->c[j] *= -it->gamma * im->penalty[j];
        status =
            status ? status
                   : implicit_structured(im, t, st->x, im->y, it->gamma, it->common.base, 0, im->c);
        for (uint32_t c = 0; c < im->n && !status; c++)
            st->x[c] += im->loops->l->moved[c] ? im->delta[c] : 0;
    }
    return status;
}

/* Likewise accelerations (eq. 11b), with what the balances of massless coordinates lack. The
 * iteration is that of a step so short that its matrix is the mass matrix but for a small part:
 * with dampers and springs of the whole step the rounds need not converge. Where parts have no
 * mass, only what is small against the mass holds that matrix: there it loses its digits. */
static int project_accelerations_structured(Trapezoid *it, double t)
{
    enum { ROUNDS = 8 };
    Implicit *im = &it->common.implicit;
    Run *run = im->run;
    Steps *st = &it->common.steps;
    double shorter = im->k ? 1 : 64;
    double g = it->gamma / shorter, *penalty = im->penalty;
    for (uint32_t j = 0; j < im->m; j++)
        penalty[j] *= shorter * shorter;
    int status = 0;
    double before = INFINITY;
    for (int round = 0; !status; round++) {
        // what the forces do is the model's to say, the iteration only says which forces
        status = loops_g(run, t, st->x, st->y, im->f);
        memcpy(st->f, im->f, st->n * sizeof *st->f);
        status = status ? status : phi_second(im, t, st->x, st->f);
        double size = it->common.augmented ? largest(im->n, st->f) : 0;
        double left = fmax(largest(im->m, im->c), largest(im->k, im->f + im->n));
        bool enough = left <= 1e-14 * size || (left <= 1e-11 * size && left > 0.3 * before);
        if (status || enough || round == (it->common.augmented ? ROUNDS : 1))
            break;
        before = left;
        for (uint32_t j = 0; j < im->m; j++)
            im->c[j] *= -g * penalty[j];
        for (uint32_t i = 0; i < im->n; i++)
            it->common.base[i] = st->x[i] - g * st->f[i];
        status = implicit_structured(im, t, st->x, st->y, g, it->common.base, 1 / g, im->c);
        for (uint32_t j = 0; j < im->m && !status; j++)
            st->y[j] += g * im->delta[im->s + j];
        for (uint32_t j = 0; j < im->k && !status; j++)
            st->y[im->m + j] += g * im->delta[im->n + j];
    }
    for (uint32_t j = 0; j < im->m; j++)
        penalty[j] /= shorter * shorter;
    return status;
}

/* Positions stay; velocities, then accelerations go onto their constraints. */
static int project(Trapezoid *it, double t)
{
    Run *run = it->common.implicit.run;
    Steps *st = &it->common.steps;
    int status = loops_linearise(run, t, st->x);
    status = status ? status : loops_project_velocities(run, t, st->x);
    status = status ? status : implicit_inputs(&it->common.implicit);
    // rates of the positions belong to the projected velocities, accelerations are the step's
    for (uint32_t i = 0; i < it->common.implicit.m + it->common.implicit.k; i++)
        st->y[i] = it->common.implicit.y[i];
    status = status ? status : loops_g(run, t, st->x, st->y, it->common.implicit.f);
    memcpy(st->f, it->common.implicit.f, st->n * sizeof *st->f);
    return status ? status : loops_project_accelerations(run, t, st->x, st->f, st->y);
}

/* In long chains of loops some motions of all constraints together are hardly held by the
 * penalties of each. Near singular positions, which take few steps, they stay as they are. In the
 * matrix columns that are a few rounds old slow the multipliers down, and no penalty helps. */
static void follow_faster(Trapezoid *it)
{
    enum { PATIENCE = 3 };
    static const double SLOW = 0.02, MOST = 1e4;
    double rate = it->common.implicit.rate, times = 1;
    bool counts = it->common.augmented && it->common.implicit.structured;
    it->slow = counts && rate > SLOW ? it->slow + 1 : 0;
    if (it->slow < PATIENCE)
        return;
    it->slow = 0;
    // what a multiplier leaves of its constraint is 1 / (1 + penalty * mobility)
    while (1 / (1 + times * (1 / fmin(rate, 0.9) - 1)) > SLOW && it->more < MOST) {
        times *= 10;
        it->more *= 10;
    }
    for (uint32_t k = 0; k < it->common.implicit.m; k++)
        it->common.implicit.penalty[k] *= times;
}

/* From the kept start of the step to t; x holds the first guess. */
static int advance(void *self, Run *run, double t)
{
    Trapezoid *it = self;
    Steps *st = &it->common.steps;
    Implicit *im = &it->common.implicit;
    double gamma = (t - run->t) / 2;
    int status = 0;
    // steps of one length differ by rounding
    bool same = fabs(gamma - it->gamma) <= 1e-9 * gamma;
    if (!same || it->renews || (!it->common.augmented && !im->structured)) {
        status = implicit_penalties(im, gamma, false, IMPLICIT_OUTWEIGH * it->more);
        it->gamma = gamma;
    }
    for (uint32_t i = 0; i < st->n; i++)
        it->common.base[i] = run->x[i] + gamma * st->f_old[i];
    status = status ? status
                    : implicit_solve(im, t, it->common.base, gamma,
                                     (Closing){false, it->common.augmented}, st->x);
    if (status)
        return status;
    follow_faster(it);
    implicit_steps_finish(&it->common, gamma);
    // the full system keeps balances to rounding
    bool full = run->loops &&
                (!im->structured || (it->common.augmented && im->k && !run->loops->by_newton));
    if (run->loops && !full) {
        status = project_velocities_structured(it, t);
        status = status ? status : project_accelerations_structured(it, t);
        full = status > 0;
        if (full)
            implicit_unstructure(im);
        // penalties are others then: the step is tried again
        if (status > 0 && !it->common.augmented)
            return status;
    }
    if (full)
        status = it->common.augmented ? project(it, t) : project_by_penalty(it, t);
    if (status)
        run_explain(run, run->why, sizeof run->why);
    return status;
}

static int trapezoid_step(void *self, Run *run)
{
    return implicit_steps_take(self, run, advance);
}

const Integrator integrator_trapezoid = {
    .name = "trapezoid",
    .text = "implicit trapezoidal rule, fixed step, order 2; loops as --loops says",
    .open = trapezoid_open,
    .step = trapezoid_step,
    .at = implicit_steps_at,
    .close = implicit_steps_close,
    .closes_loops = true,
    .needs = NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};

const Integrator integrator_ali3p = {
    .name = "ali3p",
    .text = "trapezoid, loops by augmented Lagrangian of index 3 with projections",
    .open = ali3p_open,
    .step = trapezoid_step,
    .at = implicit_steps_at,
    .close = implicit_steps_close,
    .closes_loops = true,
    .needs = NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};

const Integrator integrator_penalty = {
    .name = "penalty",
    .text = "trapezoid, loops by penalty with projections",
    .open = penalty_open,
    .step = trapezoid_step,
    .at = implicit_steps_at,
    .close = implicit_steps_close,
    .closes_loops = true,
    .needs = NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};
