/* SPDX-License-Identifier: BSD-3-Clause */
#include "stage.h"
#include "loop_tangents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool stage_open(Stage *it, Implicit *im, bool augmented, const ClosingChoice *choice)
{
    *it = (Stage){.im = im, .augmented = augmented, .choice = *choice, .stale = true, .raised = 1};
    it->by_mass =
        choice->matrix == PROJECTION_DEFAULT ? augmented : choice->matrix == PROJECTION_MASS;
    it->renews = im->loops && im->loops->l->by_input;
    im->keeps_penalties = choice->alpha > 0;
    it->base = calloc(im->n + (size_t)1, sizeof *it->base);
    return it->base != NULL;
}

void stage_close(Stage *it)
{
    free(it->base);
}

int stage_has_adjoint(const Stage *it)
{
    Problem *problem = &it->im->run->problem;
    const char *why = NULL;
    if (!it->augmented || !it->by_mass || it->choice.projections)
        why = "closed kinematic loops by a penalty, or projected by other than the mass matrix";
    else if (problem->loops->by_newton)
        why = "long chains of closed kinematic loops by an implicit method";
    if (!why)
        return 0;
    snprintf(problem->why, sizeof problem->why, "no adjoint: %s (--mode direct)", why);
    return 1;
}

/* The next stage begins with the forces of y. */
static void take_inputs(Stage *it, const double *y)
{
    Implicit *im = it->im;
    if (im->loops)
        loops_take_own(im->loops, y, im->y);
    for (uint32_t i = 0; i < im->m && it->augmented; i++)
        im->multiplier[i] = -im->y[i];
}

void stage_restart(Stage *it, const double *y)
{
    Implicit *im = it->im;
    im->has_jacobian = im->linearised = false;
    it->stale = true;
    take_inputs(it, y);
    memset(im->contradiction, 0, im->m * sizeof *im->contradiction);
}

void stage_new_step(Stage *it)
{
    it->stale = it->stale || it->renews || (!it->by_mass && !it->im->structured);
}

/* Of one projection in a step, at most. */
static int rounds_of(const Stage *it, int most)
{
    return it->choice.projections ? (int)it->choice.projections : it->augmented ? most : 1;
}

/* The constraints of the model's own part, by themselves where the model has them so. */
static const RungLoops *own_loops(const Implicit *im)
{
    const RungLoops *l = im->loops->l;
    return l->tangents ? &l->tangents->loops : l;
}

/* it->c := phi'' with the accelerations f at x. */
static int phi_second(Implicit *im, double t, const double *x, const double *f)
{
    const RungLoops *l = own_loops(im);
    const RungPattern *p = &l->phi_v_pattern;
    int status = l->phi_rest(im->run->problem.ctx, t, x, im->c);
    status = status ? status : l->phi_v(im->run->problem.ctx, t, x, im->entry);
    for (uint32_t c = 0; c < im->n && !status; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            if (p->row[e] < im->m)
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

/* The residual of a projection is rounding: of accelerations of this size, of velocities 0. */
static bool is_rounding(double left, double size)
{
    return left <= 1e-14 * (size > 0 ? size : 1);
}

/* Callejo 2014, eqs. 24-26: with the last iteration's matrix, v += matrix^-1 (-gamma W alpha
 * phi'), and likewise the accelerations; once, or again and again (Lopez Varela 2023, eqs. 10b,
 * 11b). */
static int project_by_matrix(Stage *it, double t, double *x, double *f, bool accelerations)
{
    enum { ROUNDS = 8 };
    Implicit *im = it->im;
    Run *run = im->run;
    const RungLoops *l = own_loops(im);
    double *to = accelerations ? f : x;
    for (int round = 0; round < rounds_of(it, ROUNDS); round++) {
        int status =
            accelerations ? phi_second(im, t, x, f) : l->phi_dot(run->problem.ctx, t, x, im->c);
        if (status)
            return status;
        if (it->augmented &&
            is_rounding(largest(im->m, im->c), accelerations ? largest(im->n, f) : 0))
            break;
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
        for (uint32_t c = 0; c < im->n; c++)
            to[c] += l->moved[c] ? im->r[c] : 0;
    }
    return 0;
}

static int project_by_penalty(Stage *it, double t, double *x, double *f)
{
    int status = project_by_matrix(it, t, x, f, false);
    return status ? status : project_by_matrix(it, t, x, f, true);
}

/* The same with the model's own Newton iteration: the penalties act on s = -gamma alpha phi'. With
 * an augmented Lagrangian the next rounds remove the remaining residual (Lopez Varela 2023, eq.
 * 10b). */
static int project_velocities_structured(Stage *it, double t, double *x)
{
    enum { ROUNDS = 3, CHOSEN_ROUNDS = 8 }; // a chosen penalty may be a weak one
    Implicit *im = it->im;
    const RungLoops *l = own_loops(im);
    int most = closing_choice_is_made(&it->choice) ? CHOSEN_ROUNDS : ROUNDS, status = 0;
    for (int round = 0; round < rounds_of(it, most) && !status; round++) {
        status = l->phi_dot(im->run->problem.ctx, t, x, im->c);
        if (it->augmented && is_rounding(largest(im->m, im->c), 0))
            break;
        for (uint32_t j = 0; j < im->m; j++)
            im->c[j] *= -it->gamma * im->penalty[j];
        NewtonGiven given = {it->gamma, 0, 0, it->base, .s = im->c};
        status = status ? status : implicit_structured(im, t, x, im->y, given);
        for (uint32_t c = 0; c < im->n && !status; c++)
            x[c] += l->moved[c] ? im->delta[c] : 0;
    }
    return status;
}

/* Likewise accelerations (eq. 11b), with the residuals of the balances of massless coordinates. The
 * iteration has so short a step that its matrix is nearly the mass matrix: with the dampers and
 * springs of the whole step the rounds need not converge. With massless coordinates the step is not
 * shortened: only the small terms make the matrix regular there, and it would lose its digits. */
static int project_accelerations_structured(Stage *it, double t, const double *x, double *f,
                                            double *y)
{
    enum { ROUNDS = 8 };
    Implicit *im = it->im;
    Run *run = im->run;
    double shorter = im->k ? 1 : 64;
    double g = it->gamma / shorter, *penalty = im->penalty;
    for (uint32_t j = 0; j < im->m; j++)
        penalty[j] *= shorter * shorter;
    int status = 0;
    double before = INFINITY;
    Problem *own = loop_tangents_problem(&run->problem);
    uint32_t n = own ? im->n : run->problem.n;
    loops_take_own(im->loops, y, im->y);
    for (int round = 0; !status; round++) {
        // accelerations come from the model's evaluation, the iteration only corrects the forces
        status = loops_g(own ? own : &run->problem, t, x, own ? im->y : y, im->f);
        memcpy(f, im->f, n * sizeof *f);
        status = status ? status : phi_second(im, t, x, f);
        double size = it->augmented ? largest(im->n, f) : 0;
        double left = fmax(largest(im->m, im->c), largest(im->k, im->f + n));
        bool enough = left <= 1e-14 * size || (left <= 1e-11 * size && left > 0.3 * before);
        if (status || enough || round == rounds_of(it, ROUNDS))
            break;
        before = left;
        for (uint32_t j = 0; j < im->m; j++)
            im->c[j] *= -g * penalty[j];
        for (uint32_t i = 0; i < im->n; i++)
            it->base[i] = x[i] - g * f[i];
        // f is the model's, so the weight of the state residuals is 0: the rounding of x - base,
        // times the penalties, would be 1e-16 / g^2 in the accelerations
        NewtonGiven given = {g, 0, 1 / g, it->base, .s = im->c};
        status = implicit_structured(im, t, x, im->y, given);
        for (uint32_t j = 0; j < im->m && !status; j++)
            im->y[j] += g * im->delta[im->s + j];
        for (uint32_t j = 0; j < im->k && !status; j++)
            im->y[im->m + j] += g * im->delta[im->n + j];
        loops_put_part(im->loops, 0, im->y, im->y + im->m, y);
    }
    for (uint32_t j = 0; j < im->m; j++)
        penalty[j] /= shorter * shorter;
    return status;
}

/* Idle forces that the projection has left out of y are not in the next stage, either. */
static void take_dropped(Stage *it, const double *y)
{
    if (!it->im->run->problem.loops->dropped)
        return;
    take_inputs(it, y);
    tangents_take_inputs(&it->im->tangents, y);
}

/* Positions stay; velocities, then accelerations go onto their constraints. */
static int project(Stage *it, double t, double *x, double *f, double *y)
{
    static const double IDLE = 1e-6; // of forces that contradictory constraints make grow
    Run *run = it->im->run;
    run->problem.loops->idle = it->im->contradicts ? IDLE : 0;
    int status = loop_tangents_project(&run->problem, t, x, f, y);
    if (status <= 0) {
        it->im->linear = loop_tangents_alone(run->problem.loops);
        it->im->linearised = status == 0;
        status = status ? status : implicit_inputs(it->im);
        if (!status)
            take_dropped(it, y);
        return status;
    }
    it->im->linear = run->problem.loops;
    loops_soften(run->problem.loops, it->choice.projections, it->im->penalty);
    status = loops_linearise(&run->problem, t, x);
    it->im->linearised = status == 0;
    status = status ? status : loops_project_velocities(&run->problem, t, x);
    status = status ? status : implicit_inputs(it->im);
    // rates of the positions belong to the projected velocities, accelerations are the step's
    status = status ? status : loops_project_accelerations(&run->problem, t, x, f, y);
    if (!status)
        take_dropped(it, y);
    loops_soften(run->problem.loops, 0, NULL);
    return status;
}

/* In long chains of loops some motions of all constraints together are hardly held by the
 * penalties of each. Near singular positions, which take few steps, they stay as they are. In the
 * matrix columns that are a few rounds old slow the multipliers down, and no penalty helps. */
static void raise_penalties(Stage *it)
{
    enum { PATIENCE = 3 };
    static const double SLOW = 0.02, MOST = 1e4;
    double rate = it->im->rate, times = 1;
    bool counts = it->augmented && it->im->structured && !it->im->keeps_penalties;
    it->slow = counts && rate > SLOW ? it->slow + 1 : 0;
    if (it->slow < PATIENCE)
        return;
    it->slow = 0;
    // a multiplier update reduces its constraint by the factor 1 / (1 + penalty * Delassus
    // diagonal)
    while (1 / (1 + times * (1 / fmin(rate, 0.9) - 1)) > SLOW && it->raised < MOST) {
        times *= 10;
        it->raised *= 10;
    }
}

int stage_solve(Stage *it, double t, const double *base, double gamma, double *x, double *f,
                double *y)
{
    Implicit *im = it->im;
    Run *run = im->run;
    LoopTrace *trace = run->problem.loops ? run->problem.loops->trace : NULL;
    if (trace && trace->is_on)
        loop_trace_begin(trace);
    int status = it->stale ? implicit_inertia(im, false) : 0;
    it->stale = status != 0;
    it->gamma = gamma;
    double outweigh = it->choice.penalty > 0 ? it->choice.penalty : IMPLICIT_OUTWEIGH;
    if (it->choice.alpha > 0)
        implicit_set_penalties(im, it->choice.alpha);
    else
        implicit_weigh(im, gamma, false, outweigh * it->raised);
    status =
        status ? status : implicit_solve(im, t, base, gamma, (Closing){false, it->augmented}, x);
    if (status)
        return status;
    status = implicit_tangents(im, t, base, gamma, (Closing){false, it->augmented}, x, y);
    if (status)
        return status;
    loop_trace_add(trace, (LoopStep){.kind = LOOP_STAGE}, x, y);
    raise_penalties(it);
    for (uint32_t i = 0; i < run->problem.n; i++)
        f[i] = (x[i] - base[i]) / gamma;
    if (!run->problem.loops)
        return 0;
    // the full system keeps balances to rounding, its projections are differentiated, and of few
    // multipliers it costs less than more iterations of the model
    bool full = !im->structured || it->choice.matrix == PROJECTION_MASS ||
                (it->by_mass && !run->problem.loops->by_newton);
    if (!full) {
        status = project_velocities_structured(it, t, x);
        status = status ? status : project_accelerations_structured(it, t, x, f, y);
        full = status > 0;
        if (full)
            implicit_unstructure(im);
        // penalties are others then: the step is tried again
        if (status > 0 && !it->by_mass)
            return status;
    }
    if (full)
        status = it->by_mass ? project(it, t, x, f, y) : project_by_penalty(it, t, x, f);
    // a penalty keeps a loop slightly open: derivatives are those of the closed one
    if (!status && !it->augmented && im->tangents.n_by)
        status = loops_project_derivatives(&run->problem, t, x, f, y);
    if (status)
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
    return status;
}
