/* SPDX-License-Identifier: BSD-3-Clause */
#include "implicit.h"
#include "jacobian.h"
#include "loop_tangents.h"
#include "newton_solver.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the inverse inertia of a constraint, against the largest: a constraint that no force moves has
 * a penalty all the same. */
static const double LIGHTEST = 1e-3;

/* ---- of the iteration: sizes are those of the largest correction of a state against its nominal
 * value and its own ---- */

enum { ITERATIONS = 60 };
/* The error allowed for Newton's method: far below that of any step, some digits above rounding. */
static const double LEFT = 1e-11;
/* Where corrections do not shrink any more they are rounding of the constraints, which times the
 * penalty keeps forces and their integrals moving: this much, once; or this much for some rounds.
 * States whose scale is small, as speeds just behind a start at rest, move by more: there the
 * constraints themselves tell, which each solution removes, up to rounding that comes back.
 */
static const double IDLE = 1e-9, IDLE_LONG = 1e-7;
enum { LONG_IDLE = 4 };
/* Velocities are computed from closed positions: the rounding of these divided by the step bounds
 * the corrections of a very short step from below. */
static const double ROUNDINGS = 100;
/* Near a singular position rounding of phi is multiplied, and corrections may cycle: so many rounds
 * without a clearly smaller one. */
enum { CIRCLES = 8 };
/* There a penalty that outweighs the inertia along most constraints hardly does along all: it is
 * raised where the multipliers take so little away, round after round. */
static const double SLOWLY = 0.3, RAISE = 100, MOST_RAISED = 1e6;
enum { SLOW_ROUNDS = 3 };
static const double SHRINKS = 0.5; /* less of the correction before is progress */
/* Redundant constraints contradict each other off their positions: a residual no force removes,
 * seen by a round that leaves most of it. */
static const double CONTRADICTION = 1e-6, STAYS = 0.9;
/* The multipliers follow once the states are this near: before, phi is not yet linear. */
static const double NEAR = 1e-3;
/* A correction larger than FAR, or larger than STALE times the last one, requires a new Jacobian,
 * unless the iteration has nearly converged. */
static const double FAR = 0.03, STALE = 0.3;
/* The constraints predicted by a linear solution have an error quadratic in the correction. An
 * error above this share of the correction and above FORESEEN shows that unpivoted elimination has
 * lost digits. */
static const double QUADRATIC = 0.3, FORESEEN = 1e-6;
/* The rate of the multipliers is measured on residuals well above rounding, where the error of
 * Newton's method is negligible. */
static const double MEASURABLE = 1e-10, CLEAR = 0.1;

void implicit_close(Implicit *it)
{
    free(it->jacobian);
    free(it->by_input);
    factor_close(&it->matrix);
    free(it->f);
    free(it->r);
    free(it->c);
    free(it->probe);
    free(it->entry);
    free(it->by_position);
    free(it->foreseen);
    free(it->multiplier);
    free(it->contradiction);
    free(it->penalty);
    free(it->inertia);
    free(it->perturbed);
    free(it->delta);
    free(it->guess);
    free(it->work);
    free(it->y);
    tangents_close(&it->tangents);
}

bool implicit_open(Implicit *it, Run *run)
{
    *it = (Implicit){.run = run,
                     .loops = run->problem.loops,
                     .linear = run->problem.loops,
                     .n = problem_own_states(&run->problem)};
    uint32_t all_n = run->problem.n, all_m = 0, all_k = 0;
    it->reuse = run->problem.jacobian_reuse ? run->problem.jacobian_reuse : 3;
    size_t entries = 0;
    if (it->loops) {
        const RungLoops *l = it->loops->l;
        it->m = it->loops->m0;
        it->k = it->loops->k0;
        all_m = it->loops->m;
        all_k = it->loops->k;
        entries = l->phi_x_pattern.col_start[all_n];
        if (l->phi_v_pattern.col_start[all_n] > entries)
            entries = l->phi_v_pattern.col_start[all_n];
    }
    const RungJacobian *j = run->problem.model->jacobian;
    if (j && j->pattern.col_start[j->pattern.n_cols] > entries)
        entries = j->pattern.col_start[j->pattern.n_cols];
    it->s = it->n + it->k;
    size_t s = it->s, all_s = (size_t)all_n + all_k;
    it->f = calloc(all_s + 1, sizeof(double));
    it->r = calloc(s + 1, sizeof(double));
    it->c = calloc((size_t)all_m + 1, sizeof(double));
    it->probe = calloc(all_s + all_n + 2, sizeof(double));
    it->entry = calloc(entries + 1, sizeof(double));
    it->by_position = calloc(
        it->loops ? it->loops->l->phi_x_pattern.col_start[all_n] + (size_t)1 : 1, sizeof(double));
    it->foreseen = calloc((size_t)it->m + 1, sizeof(double));
    it->multiplier = calloc((size_t)it->m + 1, sizeof(double));
    it->contradiction = calloc((size_t)it->m + 1, sizeof(double));
    it->penalty = calloc((size_t)it->m + 1, sizeof(double));
    it->inertia = calloc((size_t)all_m + 1, sizeof(double));
    it->y = calloc((size_t)it->m + it->k + 1, sizeof(double));
    // multipliers, then rates or multipliers again: redundant constraints may be more than states
    it->perturbed = calloc(all_s + 2 * ((size_t)all_m + all_k) + 1, sizeof(double));
    it->delta = calloc(s + all_m + 1, sizeof(double));
    it->structured = jacobian_in_newton_step(&run->problem);
    it->guess = calloc(it->n + 2 * (size_t)it->m + it->k + 1, sizeof(double));
    it->work = calloc(jacobian_work(&run->problem), sizeof(double));
    if (tangents_open(&it->tangents, run) && it->work && it->guess && it->delta && it->f && it->r &&
        it->c && it->probe && it->entry && it->by_position && it->foreseen && it->multiplier &&
        it->contradiction && it->penalty && it->inertia && it->y && it->perturbed)
        return true;
    implicit_close(it);
    return false;
}

int implicit_linearise(Implicit *it, double t, const double *x)
{
    Problem *problem = &it->run->problem;
    Problem *own = loop_tangents_problem(problem);
    int status = own ? loops_linearise(own, t, x) : 1;
    it->linear = status > 0 ? it->loops : own->loops;
    return status > 0 ? loops_linearise(problem, t, x) : status;
}

int implicit_inertia(Implicit *it, bool of_velocities)
{
    if (!it->loops)
        return 0;
    Run *run = it->run;
    const Loops *l = it->loops;
    bool full = !it->structured || of_velocities, apart = loop_tangents_alone(l) != NULL;
    // steps of index 2 end with a projection, which has linearised
    bool kept = full ? of_velocities && l->g && !l->by_newton && !apart : it->linearised;
    int status = 0;
    if (!kept && (full || apart))
        status = implicit_linearise(it, run->t, run->x);
    else if (!kept)
        status = loops_delassus_diagonal(&run->problem, run->t, run->x, it->inertia);
    if (full && !status)
        status = implicit_inputs(it);
    if (!status && (full || apart || kept))
        loops_diagonal(it->linear, it->inertia);
    double most = 0;
    for (uint32_t i = 0; i < it->m; i++)
        most = fmax(most, fabs(it->inertia[i]));
    for (uint32_t i = 0; i < it->m; i++) {
        // a multiplier in the model's own equations may act against its constraint
        double own = it->inertia[i];
        it->inertia[i] = copysign(most > 0 ? fmax(fabs(own), LIGHTEST * most) : 1, own);
    }
    return status;
}

void implicit_weigh(Implicit *it, double gamma, bool of_velocities, double scale)
{
    for (uint32_t i = 0; i < it->m; i++)
        it->penalty[i] = scale / (gamma * (of_velocities ? 1 : gamma) * it->inertia[i]);
}

void implicit_set_penalties(Implicit *it, double alpha)
{
    for (uint32_t i = 0; i < it->m; i++)
        it->penalty[i] = copysign(alpha, it->inertia[i]);
}

void implicit_unstructure(Implicit *it)
{
    it->structured = it->has_jacobian = false;
    it->pause = it->pause ? 2 * it->pause : 4;
    it->left = it->pause;
}

/* The rounds so far of one call of iterate. */
typedef struct Progress {
    double size, worst, left; /* of the round before: correction, |c| at its start, |c| foreseen */
    double least;             /* correction so far                                                */
    int idle;                 /* rounds in which the correction did not shrink                    */
    int noisy;                /* rounds in which |c|, which was foreseen to vanish, did not       */
    double raised;            /* penalties, times those at the start                              */
    int circling;             /* rounds since the least one did                                   */
    int slow;      /* rounds that left most of |c|, since penalties were raised         */
    bool followed; /* multipliers have followed once, or need not                      */
} Progress;

/* The augmented Lagrangian: multipliers follow the force of the last linear solution. The residual
 * beyond its prediction is nonlinear and left to the next round of Newton's method. */
static void follow(Implicit *it)
{
    for (uint32_t i = 0; i < it->m; i++)
        it->multiplier[i] += it->penalty[i] * it->foreseen[i];
}

/* The largest |c|, and the largest difference from its predicted value. */
static void compare(const Implicit *it, double *worst, double *off)
{
    *worst = *off = 0;
    for (uint32_t i = 0; i < it->m; i++) {
        *worst = fmax(*worst, fabs(it->c[i]));
        *off = fmax(*off, fabs(it->c[i] - it->foreseen[i]));
    }
}

/* x and the inputs y become the new iterate, both at once: forces that lag behind would do work.
 * Returns the size of the correction; *left: the largest |c| predicted after it. */
static double move(Implicit *it, double *x, double *left)
{
    double size = 0;
    for (uint32_t i = 0; i < it->n; i++) {
        x[i] += it->r[i];
        size = fmax(size, fabs(it->r[i]) / (problem_nominal(&it->run->problem, i) + fabs(x[i])));
    }
    for (uint32_t i = it->n; i < it->s; i++)
        it->y[it->m + i - it->n] += it->r[i];
    *left = 0;
    for (uint32_t i = 0; i < it->m; i++) {
        it->y[i] = -(it->multiplier[i] + it->penalty[i] * it->foreseen[i]);
        *left = fmax(*left, fabs(it->foreseen[i]));
    }
    return size;
}

/* The convergence test: the remaining error by the rate of the last two rounds (Hairer and Wanner,
 * IV.8), or only rounding; and closed constraints. */
static bool is_there(const Progress *p, double gamma, double size, double worst, bool augmented)
{
    double of_step = ROUNDINGS * DBL_EPSILON / gamma, rounding = fmin(of_step, NEAR);
    double share = size / p->size;
    double rest = isfinite(p->size) && share < 1 ? size * share / (1 - share) : size;
    bool still =
        (rest <= LEFT && p->followed) || (size <= fmax(IDLE, rounding) && p->idle > 0) ||
        (size <= fmax(IDLE_LONG, rounding) && (p->idle >= LONG_IDLE || p->circling >= CIRCLES)) ||
        (size <= fmax(NEAR, of_step) && p->idle >= LONG_IDLE && p->noisy >= LONG_IDLE);
    bool stays = worst > STAYS * p->worst && worst <= CONTRADICTION;
    return still && (!augmented || worst <= LEFT || stays);
}

/* The next rounds show what it does. */
static void multiply_penalties(Implicit *it, Progress *p)
{
    for (uint32_t i = 0; i < it->m; i++)
        it->penalty[i] *= RAISE;
    p->raised *= RAISE;
    p->slow = 0;
}

/* At the end of a solution. What it leaves of constraints that do not contradict each other is kept
 * too, and therefore forgotten after some solutions. */
static void keep_contradiction(Implicit *it, double left, double before)
{
    static const double ROUNDED = 1e-14, KEPT = 0.99; // phi vanishes but for rounding
    it->contradicts = it->contradicts || (left > ROUNDED && left >= STAYS * before);
    for (uint32_t i = 0; i < it->m && it->contradicts; i++)
        it->contradiction[i] = KEPT * (it->contradiction[i] + it->foreseen[i]);
}

static int iterate(Implicit *it, const Formula *f, double *x)
{
    Run *run = it->run;
    // constraints of the model's own part alone, where the model has these by themselves
    const RungLoops *l = it->loops ? it->loops->l : NULL;
    l = l && l->tangents ? &l->tangents->loops : l;
    bool of_velocities = f->how.of_velocities, augmented = l && f->how.augmented;
    bool of_positions = augmented && !of_velocities;
    const NewtonSolver *solver =
        it->structured && !(l && of_velocities) ? &newton_by_model : &newton_by_matrix;
    Progress p = {.size = INFINITY,
                  .worst = INFINITY,
                  .least = INFINITY,
                  .raised = 1,
                  .followed = !augmented};
    it->rate = 0;
    it->near = false;
    for (int round = 0; round < ITERATIONS; round++) {
        double worst = 0, off = 0, left = 0;
        bool follows = augmented && p.size <= NEAR, begins = false;
        if (l) {
            int status = (of_velocities ? l->phi_dot : l->phi)(run->problem.ctx, f->t, x, it->c);
            if (status)
                return newton_unknown_here(it, status);
            for (uint32_t i = 0; i < it->m && of_positions; i++)
                it->c[i] -= it->contradiction[i];
            compare(it, &worst, &off);
            off = round > 0 ? off : 0;
            if (follows)
                follow(it);
            begins = of_velocities && follows && !p.followed;
            p.followed = p.followed || follows;
        }
        // the second iteration is mostly the last
        if (round > 0 && solver == &newton_by_model && it->tangents.iterates &&
            tangents_expect_near(p.size, it->curvature))
            solver = &newton_by_factors;
        if (!solver->chooses_pivots && off > fmax(FORESEEN, QUADRATIC * p.size))
            return newton_give_up(it, "Newton's matrix lost its digits");
        int status = solver->correct(it, f, x, round);
        if (status)
            return status;
        run->problem.counts->iterations++;
        it->age++;
        double size = move(it, x, &left);
        if (!isfinite(size))
            return newton_give_up(it, "Newton's method does not stay finite");
        if (follows && p.left > MEASURABLE && off <= CLEAR * p.left)
            it->rate = left / p.left;
        if (isfinite(p.size) && p.size > 0)
            it->curvature = size / (p.size * p.size);
        if (isfinite(p.size) && size > IDLE)
            counts_rate(run->problem.counts, size / p.size);
        p.idle = size >= SHRINKS * p.size ? p.idle + 1 : 0;
        bool is_noise = left <= CLEAR * worst && off >= SHRINKS * worst;
        p.noisy = is_noise && worst >= SHRINKS * p.worst ? p.noisy + 1 : 0;
        p.circling = size >= SHRINKS * p.least ? p.circling + 1 : 0;
        p.least = fmin(p.least, size);
        p.slow = p.circling > 0 && left > SLOWLY * worst ? p.slow + 1 : 0;
        if (follows && !it->keeps_penalties && p.slow >= SLOW_ROUNDS && p.raised < MOST_RAISED)
            multiply_penalties(it, &p);
        if (is_there(&p, f->gamma, size, worst, augmented)) {
            it->near = solver == &newton_by_factors && tangents_are_near(size);
            if (of_positions)
                keep_contradiction(it, left, p.left);
            return 0;
        }
        // phi': when the multipliers first follow, the correction does not shrink, whatever the
        // Jacobian; phi: the error of a stale Jacobian appears in the forces of massless parts
        if ((size > STALE * p.size && size > IDLE && !begins) || size > FAR)
            it->age = it->reuse;
        p.size = size;
        p.worst = worst;
        p.left = left;
    }
    return newton_give_up(it, "Newton's method did not converge");
}

int implicit_solve(Implicit *it, double t, const double *base, double gamma, Closing how, double *x)
{
    if (it->left > 0)
        it->structured = --it->left == 0;
    Formula f = {t, gamma, base, how};
    if (!it->structured || (it->loops && how.of_velocities))
        return iterate(it, &f, x);
    double *guess = it->guess, *multiplier = it->guess + it->n, *y = multiplier + it->m;
    memcpy(guess, x, it->n * sizeof *x);
    memcpy(multiplier, it->multiplier, it->m * sizeof *x);
    memcpy(y, it->y, ((size_t)it->m + it->k) * sizeof *x);
    int status = iterate(it, &f, x);
    if (status <= 0)
        return status;
    implicit_unstructure(it);
    memcpy(x, guess, it->n * sizeof *x);
    memcpy(it->multiplier, multiplier, it->m * sizeof *x);
    memcpy(it->y, y, ((size_t)it->m + it->k) * sizeof *x);
    status = it->loops ? implicit_linearise(it, t, x) : 0;
    status = status ? status : implicit_inputs(it);
    if (status < 0)
        return status;
    return iterate(it, &f, x);
}

/* The largest error that the derivatives by parameters leave in the equations of the stage,
 * relative to their sizes. */
static double error_of_tangents(Implicit *it, const Formula *f, const double *x, const double *y)
{
    static const double SMALL = 1e-3;
    Problem *problem = &it->run->problem;
    const Tangents *of = &it->tangents;
    double error = 0;
    if (it->loops ? loops_g(problem, f->t, x, y, of->f) : problem_xdot(problem, f->t, x, of->f))
        return INFINITY;
    for (uint32_t j = 1; j <= of->n_by; j++) {
        size_t first = (size_t)j * of->n;
        double most = 0;
        for (uint32_t i = 0; i < of->n; i++)
            most = fmax(most, fabs(x[first + i]));
        for (uint32_t i = 0; i < of->n; i++) {
            size_t at = first + i;
            double left = f->base[at] + f->gamma * of->f[at] - x[at];
            double size = problem_nominal(problem, (uint32_t)at) + fmax(fabs(x[at]), SMALL * most);
            error = fmax(error, fabs(left) / size);
        }
    }
    return error;
}

/* Elimination without pivoting may lose digits. Newton's iteration corrects the states, but the
 * derivatives are solved for once: the residual of every eighth stage is checked. */
static int structured_tangents(Implicit *it, const Formula *f, double *x, double *y)
{
    enum { STAGES = 8 };
    static const double LOST = 1e-11;
    bool checks = it->stages++ % STAGES == 0;
    if (it->lost && !checks)
        return newton_matrix_tangents(it, f, x, y);
    if (tangents_by_model(&it->tangents, f->t, f->gamma, f->base, it->penalty, it->near, x, y)) {
        implicit_unstructure(it);
        return newton_give_up(it, "a pivot of Newton's matrix vanished");
    }
    it->lost = checks ? !(error_of_tangents(it, f, x, y) <= LOST) : it->lost;
    return it->lost ? newton_matrix_tangents(it, f, x, y) : 0;
}

int implicit_tangents(Implicit *it, double t, const double *base, double gamma, Closing how,
                      double *x, double *y)
{
    Tangents *of = &it->tangents;
    if (it->loops)
        loops_put_part(it->loops, 0, it->y, it->y + it->m, y);
    if (!of->n_by)
        return 0;
    bool structured = it->structured && of->solve && !(it->loops && how.of_velocities);
    Formula f = {t, gamma, base, how};
    return structured ? structured_tangents(it, &f, x, y) : newton_matrix_tangents(it, &f, x, y);
}
