/* SPDX-License-Identifier: BSD-3-Clause
 *
 * esdirk.c -- the stiff one-step method: stages and dense output of rung_esdirk.h, with control of
 * the error.
 *
 * The matrix I - gamma h J is the model's own Newton iteration (newton_step.h) where it has one,
 * else LU (iteration_matrix.h), kept while it serves. Step control and the first step are those of
 * Hairer and Wanner, Solving Ordinary Differential Equations II, IV.8, and I, II.4; the estimated
 * error goes through the inverse of the matrix, too, or stiff components would forbid large steps.
 */
#include "delay.h"
#include "fallback.h"
#include "iteration_matrix.h"
#include "jacobian.h"
#include "newton_step.h"
#include "rung_esdirk.h"
#include "stage.h"
#include "step_control.h"
#include "tangent.h"
#include "tape.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { S = ESDIRK_STAGES };

enum { PATIENT = 3 }; /* failures of the model's own, in a step     */
/* The rounding of corrections without much cancellation, relative to the states. */
static const double ROUNDING = 5e-13;
static const double SLOW = 0.1; /* a rate of convergence that requires a new J */
/* An estimated error that the matrix reduces by this factor is one of stiff components. */
static const double STIFF = 2;
/* Tolerances that gamma h f may be off the slope of the dense output. */
static const double SLOPE_OFF = 4;
typedef struct Esdirk {
    RungEsdirk e;
    bool own_newton; /* the model's */
    bool has_matrix, fits;
    bool is_fresh; /* J is of where the step begins */
    bool has_jacobian;
    double gamma_h; /* of the matrix as factored */
    IterationMatrix matrix;
    bool
        closes; /* loops: each stage is a point of the mechanism (stage.h), its f evaluated there */
    Implicit implicit;
    Stage stage;
    Tangents tangents;
    /* With derivatives by parameters: corrections of a stage so far; of the last one its size, and
     * whether its factors are kept. */
    uint32_t rounds;
    double size;
    bool by_factors;
    double *y; /* inputs of the loops: at the start of the step, then at the stage */

    double *all; /* room of the vectors of e */
    Run *run;
    bool follows;                 /* the last state inside a step is not that of the polynomial */
    bool has_slope, slope_is_off; /* of the dense output: compared with f, and apart from it */
    bool is_rough;  /* derivatives across the constraints of the last step mean nothing */
    double shorter; /* the factor for a step that does not follow a transient, else 0 */
    double h, h_next;
    StepControl control;
    uint32_t accepted;
} Esdirk;

static void esdirk_close(void *self)
{
    Esdirk *it = self;
    if (!it)
        return;
    iteration_matrix_close(&it->matrix);
    tangents_close(&it->tangents);
    if (it->closes) {
        stage_close(&it->stage);
        implicit_close(&it->implicit);
    }
    free(it->y);
    free(it->e.kept);
    free(it->all);
    free(it);
}

static void set_scale(Esdirk *it, const Run *run, const double *x)
{
    for (uint32_t i = 0; i < run_controlled_states(run); i++)
        it->e.scale[i] = run_scale(run, i, x[i]);
}

static double size_of(const void *self, const double *v)
{
    const Esdirk *it = self;
    return rung_esdirk_norm(&it->e, run_controlled_states(it->run), v);
}

/* With closed loops; run->problem.loops->y is that of the start. False when out of memory. */
static bool open_loops(Esdirk *it, Run *run)
{
    uint32_t n = run->problem.loops->m + run->problem.loops->k;
    it->y = calloc(2 * (size_t)n + 1, sizeof *it->y);
    if (!it->y || !implicit_open(&it->implicit, run))
        return false;
    it->closes = true;
    if (!stage_open(&it->stage, &it->implicit, true, &(ClosingChoice){0}))
        return false;
    memcpy(it->y, run->problem.loops->y, n * sizeof *it->y);
    stage_restart(&it->stage, it->y);
    return true;
}

static int correction(void *self, double t, double h, const double *extra);
static int derive(void *self, double t, double h);
static void note_rate(void *self, double rate);

static void *esdirk_open(Run *run)
{
    enum { VECTORS = 2 * S + 9 + ESDIRK_DEGREE };
    size_t n = run->problem.n + (size_t)1;
    Esdirk *it = calloc(1, sizeof *it);
    double *all = calloc(VECTORS * n, sizeof *all);
    if (!it || !all) {
        free(it);
        free(all);
        return NULL;
    }
    it->e = (RungEsdirk){.n = run->problem.n,
                         .n_own = problem_own_states(&run->problem),
                         .ctx = run->problem.ctx,
                         .user = it,
                         .correct = correction,
                         .derive = derive,
                         .note_rate = note_rate,
                         .tolerance = run_step_tolerance(run),
                         .sums = problem_sums(&run->problem),
                         .least_change = ROUNDING};
    it->run = run;
    it->all = all;
    for (size_t s = 0; s < S; s++) {
        it->e.k[s] = all + s * n;
        it->e.before[s] = all + (S + s) * n;
    }
    it->e.x = all + 2 * S * n;
    it->e.base = it->e.x + n;
    it->e.z = it->e.x + 2 * n;
    it->e.delta = it->e.x + 3 * n;
    it->e.scale = it->e.x + 4 * n;
    it->e.x_old = it->e.x + 5 * n;
    for (size_t d = 0; d < ESDIRK_DEGREE; d++)
        it->e.dense[d] = it->e.x + (6 + d) * n;
    it->e.move = it->e.x + (6 + ESDIRK_DEGREE) * n;
    for (size_t end = 0; end < 2; end++)
        it->e.end_move[end] = it->e.move + (1 + end) * n;
    it->own_newton = jacobian_in_newton_step(&run->problem);
    it->control = (StepControl){.order = 5,
                                .proportional = 0.14,
                                .integral = 0.08,
                                .growth = integrator_esdirk.growth,
                                .last_error = 1e-4};
    it->e.eta = 1;
    if (!tangents_open(&it->tangents, run)) {
        esdirk_close(it);
        return NULL;
    }
    if (problem_xdot(&run->problem, run->t, run->x, it->e.k[0])) {
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        esdirk_close(it);
        return NULL;
    }
    if (run->problem.loops && !open_loops(it, run)) {
        esdirk_close(it);
        return NULL;
    }
    set_scale(it, run, run->x);
    it->h_next =
        step_first(run, &it->control, run->stop - run->t, FIRST_SIZE / run_step_tolerance(run),
                   size_of, it, it->e.k[0], it->e.x, it->e.k[1]);
    for (uint32_t i = 0; i < it->e.n; i++)
        it->e.k[0][i] *= it->h_next;
    it->h = it->h_next;
    return it;
}

/* The model's own iteration is left for some steps: a pivot of it vanished. */
static void leave_model(Esdirk *it, Run *run)
{
    run->problem.newton_pause = run->problem.newton_pause ? 2 * run->problem.newton_pause : 4;
    run->problem.newton_left = run->problem.newton_pause;
    it->e.by_model = false;
    it->has_jacobian = it->fits = it->is_fresh = false;
}

/* The matrix for steps of length h, of the start of the step. */
static int prepare(Esdirk *it, Run *run, double h)
{
    if (it->e.by_model)
        return 0;
    if (!it->has_matrix) {
        if (!iteration_matrix_open(&it->matrix, &run->problem, it->e.n_own)) {
            snprintf(run->problem.why, sizeof run->problem.why,
                     "out of memory for the matrix of %u states", run->problem.n);
            return -1;
        }
        it->has_matrix = true;
    }
    if (!it->has_jacobian) {
        int status = iteration_matrix_renew(&it->matrix, &run->problem, run->t, run->x);
        if (status)
            return status;
        it->has_jacobian = it->is_fresh = true;
        it->e.is_tried = false;
        it->fits = false;
        it->e.worst_rate = 0;
    }
    if (!it->fits || it->gamma_h != esdirk_gamma * h) {
        if (!iteration_matrix_factor(&it->matrix, &run->problem, esdirk_gamma * h)) {
            snprintf(run->problem.failure, sizeof run->problem.failure,
                     "the matrix of Newton's method is singular");
            run->problem.failure_t = run->t;
            run->problem.failure_block = RUNG_NONE;
            return 1;
        }
        it->gamma_h = esdirk_gamma * h;
        it->fits = true;
        it->e.eta = 1;
    }
    return 0;
}

/* By the model's own iteration. The second one of a stage is mostly the last, and keeps its factors
 * for derivatives by parameters. */
static int correct_by_model(Esdirk *it, double t, double h, const double *extra)
{
    Run *run = it->run;
    RungEsdirk *e = &it->e;
    run->problem.counts->operations = run->problem.model->newton->operations;
    int status;
    const double tolerance = run_step_tolerance(run); // norms are relative to it
    it->by_factors = it->tangents.iterates && !extra && it->rounds > 0 &&
                     tangents_expect_near(it->size * tolerance, e->curvature / tolerance);
    if (it->by_factors) {
        status = tangents_correct(&it->tangents, t, esdirk_gamma * h, e->base, e->x, e->delta);
    } else {
        for (uint32_t i = 0; i < e->n_own && extra; i++)
            e->base[i] += extra[i];
        NewtonGiven given = {
            .gamma = esdirk_gamma * h, .weight = 1, .balance_weight = 1, .base = e->base};
        status = newton_step(&run->problem, t, e->x, NULL, &given, e->delta);
        for (uint32_t i = 0; i < e->n_own && extra; i++)
            e->base[i] -= extra[i];
    }
    if (it->tangents.iterates && !extra && !status) {
        it->size = rung_esdirk_norm(e, e->n_own, e->delta);
        it->rounds++;
    }
    return status;
}

/* delta = (I - gamma h J)^-1 (base + extra + gamma h f(t, x) - x); extra may be NULL. */
static int correction(void *self, double t, double h, const double *extra)
{
    Esdirk *it = self;
    Run *run = it->run;
    run->problem.counts->iterations++;
    if (it->e.by_model)
        return correct_by_model(it, t, h, extra);
    int status = problem_xdot(&run->problem, t, it->e.x, it->e.delta);
    if (status)
        return status;
    for (uint32_t i = 0; i < it->e.n_own; i++)
        it->e.delta[i] = esdirk_gamma * h * it->e.delta[i] - it->e.z[i] + (extra ? extra[i] : 0);
    it->e.defect = it->e.is_tried ? 0 : rung_esdirk_norm(&it->e, it->e.n_own, it->e.delta);
    ProfilePart before = profile_enter(run->problem.profile, PROFILE_SOLVE);
    iteration_matrix_solve(&it->matrix, it->e.delta);
    profile_leave(run->problem.profile, before);
    return 0;
}

static void apply_matrix(const void *user, double *r)
{
    iteration_matrix_solve(user, r);
}

/* The derivatives of the stage by parameters, once it is solved. */
static int derive(void *self, double t, double h)
{
    Esdirk *it = self;
    Run *run = it->run;
    const RungEsdirk *e = &it->e;
    if (e->n == e->n_own)
        return 0;
    int status;
    if (e->by_model && it->tangents.solve) {
        bool near = it->by_factors && tangents_are_near(it->size * run_step_tolerance(run));
        status =
            tangents_by_model(&it->tangents, t, esdirk_gamma * h, e->base, NULL, near, e->x, NULL);
        if (status > 0)
            leave_model(it, run);
    } else {
        status = tangents_by_matrix(&it->tangents, t, esdirk_gamma * h, e->base,
                                    ESDIRK_CLOSE * run_step_tolerance(run), apply_matrix,
                                    &it->matrix, e->x);
    }
    it->rounds = 0;
    for (uint32_t i = e->n_own; i < e->n; i++)
        e->z[i] = e->x[i] - e->base[i];
    return status;
}

/* gamma h (f - d') of all states, d' being the derivative of the dense output at the beginning. */
static void slope_off(Esdirk *it, double *off)
{
    for (uint32_t i = 0; i < it->e.n_own; i++) {
        double slope = 0;
        for (int s = 0; s < S; s++)
            slope += esdirk_dense[s][0] * it->e.k[s][i];
        off[i] = esdirk_gamma * (it->e.k[0][i] - slope);
    }
}

/* The same, but no more than the distance of the stage at c_3 from the dense output, which is
 * bounded for stiff states: 0.34 of a deviation, of which the error is 0.62 at most. */
static void slope_off_bounded(Esdirk *it, double *off)
{
    enum { STAGE = 3 };
    slope_off(it, off);
    for (uint32_t i = 0; i < it->e.n_own; i++) {
        double away = 0, c = esdirk_c[STAGE];
        for (int s = 0; s < S; s++) {
            double dense = 0;
            for (int d = ESDIRK_DEGREE; d > 0; d--)
                dense = c * (dense + esdirk_dense[s][d - 1]);
            away += (esdirk_a[STAGE][s] - dense) * it->e.k[s][i];
        }
        off[i] = fmin(fabs(off[i]), fabs(away));
    }
}

/* The error of a transient. For an eigenvalue z/h the embedded formula's estimate passes through
 * zero at z = -14.4, where the step itself leaves 0.09 of a deviation d from the slow solution, and
 * beyond it is a tenth of the error and less. With the derivative d' of the dense output at the
 * beginning of the step, gamma h (f - d') goes through the matrix to
 *
 *     d gamma (z - d'/d) / (1 - gamma z)    = -0.00011 d, -0.13 d, -0.23 d, -0.78 d
 *                                             at z = -1, -10, -15, -100,
 *
 * of which the error is 0.4 at most; for small z it is twice the embedded estimate. Sets
 * it->shorter where that is more than MOST tolerances of a step. Positive where the matrix fails.
 */
static int look_for_transient(Esdirk *it, Run *run, double t_new, double h)
{
    static const double MOST = 10, FOLLOWS = 0.5, SHORTEST = 1e-4, LONGEST = 0.5;
    double *off = it->e.z;
    if (it->closes)
        slope_off_bounded(it, off);
    else
        slope_off(it, off);
    double whole = rung_esdirk_norm(&it->e, it->e.n_own, off);
    if (!(whole > MOST))
        return 0;
    if (it->closes) {
        it->shorter = LONGEST;
        return 0;
    }
    if (it->e.by_model) {
        int status = correction(it, t_new, h, off);
        if (status > 0)
            leave_model(it, run);
        if (status)
            return status;
        off = it->e.delta;
    } else {
        iteration_matrix_solve(&it->matrix, off);
    }
    double size = rung_esdirk_norm(&it->e, it->e.n_own, off);
    if (size > MOST)
        it->shorter = fmin(fmax(FOLLOWS / (whole / size - 1), SHORTEST), LONGEST);
    return 0;
}

static void note_rate(void *self, double rate)
{
    Esdirk *it = self;
    counts_rate(it->run->problem.counts, rate);
}

/* All stages with step h; *err is the estimated error against the tolerance. */
static int stages(Esdirk *it, Run *run, double t_new, double h, double *err)
{
    int status = it->closes ? 0 : prepare(it, run, h);
    uint32_t n_y = it->closes ? run->problem.loops->m + run->problem.loops->k : 0;
    it->is_rough = false;
    it->shorter = 0;
    tape_stage(run->tape, 0, run->t, run->x);
    if (it->closes)
        stage_new_step(&it->stage);
    for (int s = 1; s < S && !status; s++) {
        double t = s == S - 1 ? t_new : run->t + esdirk_c[s] * h;
        rung_esdirk_begin(&it->e, s, h, run->x);
        if (it->closes) {
            status = stage_solve(&it->stage, t, it->e.base, esdirk_gamma * h, it->e.x, it->e.delta,
                                 it->y + n_y);
            for (uint32_t i = 0; i < it->e.n; i++)
                it->e.k[s][i] = h * it->e.delta[i];
            tape_stage(run->tape, (uint32_t)s, t, it->e.x);
            continue;
        }
        it->e.has_lost = 0;
        it->rounds = 0;
        status = rung_esdirk_solve(&it->e, t, h);
        if (it->e.has_lost)
            leave_model(it, run);
        status = status ? status : derive(it, t, h);
        for (uint32_t i = 0; i < it->e.n; i++)
            it->e.k[s][i] = it->e.z[i] / esdirk_gamma;
        tape_stage(run->tape, (uint32_t)s, t, it->e.x);
    }
    if (status && it->closes) {
        snprintf(run->problem.failure, sizeof run->problem.failure, "%.*s",
                 (int)sizeof run->problem.failure - 1, run->problem.why);
        run->problem.failure_t = run->t;
        run->problem.failure_block = RUNG_NONE;
        stage_restart(&it->stage, it->y);
    }
    if (status)
        return status;
    const uint32_t n_judged = run_controlled_states(run);
    double *error = it->e.z;
    for (uint32_t i = 0; i < (it->closes ? it->e.n : n_judged); i++)
        error[i] = rung_esdirk_error(&it->e, i);
    for (uint32_t i = 0; i < n_judged; i++) {
        double before = fabs(run->x[i]), now = fabs(it->e.x[i]);
        it->e.scale[i] = run_scale(run, i, before > now ? before : now);
    }
    *err = rung_esdirk_norm(&it->e, n_judged, error);
    if (it->closes) {
        // as it is: in stiff directions the formula's own factor is bounded
        int forgiven =
            *err > 1 ? loops_forgive(&run->problem, run->t, run->x, t_new, it->e.x, error) : 0;
        it->is_rough = forgiven > 0;
        *err = forgiven ? rung_esdirk_norm(&it->e, n_judged, error) : *err;
        status = forgiven < 0 ? forgiven : 0;
    } else {
        double *smooth = error;
        if (it->e.by_model) {
            smooth = it->e.delta;
            status = correction(it, t_new, h, error);
            if (status > 0)
                leave_model(it, run);
            // those of the derivatives by parameters as they are
            memcpy(smooth + it->e.n_own, error + it->e.n_own,
                   (n_judged - it->e.n_own) * sizeof *error);
        } else {
            iteration_matrix_solve(&it->matrix, error);
        }
        double rest = rung_esdirk_norm(&it->e, n_judged, smooth);
        it->e.is_stiff = *err > STIFF * rest;
        *err = rest;
    }
    return status || it->is_rough || *err > 1 ? status : look_for_transient(it, run, t_new, h);
}

static double error_of(const void *self, uint32_t i)
{
    const Esdirk *it = self;
    return fabs(rung_esdirk_error(&it->e, i)) / it->e.scale[i];
}

static void too_small(const Esdirk *it, Run *run, double h, bool converged)
{
    const char *failure = run_last_failure(run);
    if (converged)
        step_too_small(run, run_controlled_states(run), error_of, it);
    else
        snprintf(run->problem.why, sizeof run->problem.why,
                 "Newton's method does not converge, not even with a step of %.3g%s%s", h,
                 failure ? "; " : "", failure ? failure : "");
}

/* h f of the first stage, with another step. */
static void set_step(Esdirk *it, double h)
{
    double times = h / it->h;
    for (uint32_t i = 0; i < it->e.n && times != 1; i++)
        it->e.k[0][i] *= times;
    it->h = h;
}

/* The first stage of the same step by other derivatives. */
static int begin_again(Esdirk *it, Run *run)
{
    if (problem_xdot(&run->problem, run->t, run->x, it->e.k[0])) {
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        return 1;
    }
    for (uint32_t i = 0; i < it->e.n; i++)
        it->e.k[0][i] *= it->h;
    return 0;
}

/* For an adjoint. */
static int keep_step(const Esdirk *it, Run *run, double t_new, double h)
{
    TapeFormula formula = {.n = S, .ends = 1};
    if (!run->tape)
        return 0;
    if (it->closes && stage_has_adjoint(&it->stage))
        return 1;
    memcpy(formula.a, esdirk_a, sizeof esdirk_a);
    memcpy(formula.b, esdirk_a[S - 1], sizeof formula.b);
    return tape_step(run->tape, run, &formula, run->t, h, run->x, t_new, it->e.x);
}

static int esdirk_step(void *self, Run *run)
{
    Esdirk *it = self;
    double h = it->h_next, t_new = 0, err = 0;
    bool rejected = false, rough = false, has_left_model = false;
    double most = 1;  // that the error may be
    int failures = 0; // of Newton's method
    run->problem.newton_left -= run->problem.newton_left > 0;
    it->e.by_model = it->own_newton && !run->problem.newton_left;
    set_scale(it, run, run->x);
    for (;;) {
        run->h = h;
        // stretch to the end rather than leave a crumb
        bool last = run->t + 1.01 * h >= run->stop;
        if (last)
            h = run->stop - run->t;
        t_new = last ? run->stop : run->t + h;
        set_step(it, h);
        int status = stages(it, run, t_new, h, &err);
        if (status < 0) {
            if (!*run->problem.why)
                problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
            return status;
        }
        // at a jump of derivatives, which no step resolves, the least one does
        if (!status && err <= most && !(it->shorter > 0 && h > step_least(run)))
            break;
        rough |= !status && err > ROUGH_ERROR;
        most = rough ? run_rough_share(run) : 1;
        run->problem.counts->rejected++;
        rejected = true;
        failures += status > 0;
        if (!status && fallback_probe_rejected(&run->problem, t_new, it->e.x, h, run->tolerance)) {
            if (begin_again(it, run))
                return 1;
            continue;
        }
        // with another J first
        bool stale = status && !it->closes && !it->e.by_model && it->has_jacobian && !it->is_fresh;
        if (stale)
            it->has_jacobian = false;
        else if (status && !it->closes && it->e.by_model && failures > PATIENT)
            leave_model(it, run); // pivots that are not chosen may have lost the digits
        else if (status && !it->closes && run->problem.newton_left && !has_left_model &&
                 run->problem.newton_left == run->problem.newton_pause && !it->has_jacobian)
            has_left_model = true; // the same step, without the model's own iteration
        else
            h = step_bounded(run,
                             it->shorter > 0
                                 ? h * it->shorter
                                 : step_shorter(&it->control, h, status != 0, err, most),
                             h);
        if (!(h >= step_least(run)) || h < DBL_MIN) {
            run->h = h;
            too_small(it, run, h, !status);
            return 1;
        }
    }
    run->h = h;
    run->n_rough += rough;
    if (keep_step(it, run, t_new, h))
        return 1;

    double grow = step_growth(&it->control, err, rejected);
    bool renew = it->e.worst_rate > SLOW;
    // a matrix that serves is kept
    if (!it->closes && !it->e.by_model && !renew && grow >= 1 && grow <= 1.2)
        grow = 1;
    it->h_next = h * grow;
    it->has_jacobian = it->has_jacobian && !renew;
    it->is_fresh = false;
    it->accepted++;
    memcpy(it->e.x_old, run->x, it->e.n * sizeof *run->x);
    memcpy(run->x, it->e.x, it->e.n * sizeof *run->x);
    if (it->closes) {
        uint32_t n_y = run->problem.loops->m + run->problem.loops->k;
        memcpy(it->y, it->y + n_y, n_y * sizeof *it->y);
        memcpy(run->problem.loops->y, it->y, n_y * sizeof *it->y);
        loops_apply(run->problem.loops, run->problem.ctx);
    }
    rung_esdirk_keep(&it->e, run->t, h);
    it->has_slope = false;
    memcpy(it->e.k[0], it->e.before[S - 1], it->e.n * sizeof *it->e.x);
    run->t = t_new;
    return 0;
}

/* Whether the matrix is that of the last step, and there is room to look. */
static bool may_follow(Esdirk *it)
{
    if (!it->e.kept)
        it->e.kept = calloc(it->run->problem.model->n_unknowns + (size_t)1, sizeof *it->e.kept);
    return it->e.kept &&
           (it->e.by_model || (it->fits && it->gamma_h == esdirk_gamma * it->e.h_before));
}

/* Whether f differs from the slope of the dense output in the middle of the step. A stiff state
 * within its tolerance of the slow solution has a derivative that is off by the eigenvalue times as
 * much. */
static bool slope_differs(Esdirk *it)
{
    static const double MIDDLE = 0.5;
    RungEsdirk *e = &it->e;
    Problem *p = &it->run->problem;
    size_t size = p->model->n_unknowns * sizeof *e->kept;
    if (it->has_slope)
        return it->slope_is_off;
    it->has_slope = true;
    rung_esdirk_polynomial(e, MIDDLE, e->x);
    memcpy(e->kept, p->ctx->z, size);
    int status = problem_xdot(p, e->t_old + MIDDLE * e->h_before, e->x, e->delta);
    memcpy(p->ctx->z, e->kept, size);
    for (uint32_t i = 0; i < e->n_own; i++)
        e->delta[i] = esdirk_gamma * (e->h_before * e->delta[i] - rung_esdirk_slope(e, MIDDLE, i));
    it->slope_is_off = !status && rung_esdirk_norm(e, e->n_own, e->delta) > SLOPE_OFF;
    return it->slope_is_off;
}

static void esdirk_at(void *self, const Run *run, double t, double *x)
{
    Esdirk *it = self;
    (void)run;
    double theta = (t - it->e.t_old) / it->e.h_before;
    it->follows = false;
    rung_esdirk_polynomial(&it->e, theta, x);
    if (it->is_rough)
        loops_project(&it->run->problem, t, x);
    else if (!it->closes && theta > 0 && theta < 1 && may_follow(it) &&
             (it->e.is_stiff || slope_differs(it))) {
        it->follows = true;
        rung_esdirk_follow(&it->e, theta, x);
    }
}

/* Weights of the stages at theta: of the polynomial, of the base of rung_esdirk_find_move. */
static void weights_at(double theta, double *dense, double *base)
{
    for (int s = 0; s < S; s++) {
        double power = 1, slope = 0;
        dense[s] = 0;
        for (int d = 0; d < ESDIRK_DEGREE; d++) {
            slope += (d + 1) * esdirk_dense[s][d] * power;
            power *= theta;
            dense[s] += esdirk_dense[s][d] * power;
        }
        base[s] = dense[s] - esdirk_gamma * slope;
    }
}

static void esdirk_cut(void *self, const Run *run, double t, TapeCut *out)
{
    enum { FADES = 8 }; // as rung_esdirk_follow
    Esdirk *it = self;
    RungEsdirk *e = &it->e;
    double theta = (t - e->t_old) / e->h_before, base[S];
    double *x = out->follow[0].x;
    esdirk_at(self, run, t, x);
    weights_at(theta, out->dense, base);
    out->of_end = 0;
    out->is_rough = it->is_rough;
    out->n_follows = it->follows ? TAPE_FOLLOWS : 0;
    const double at[TAPE_FOLLOWS] = {theta, 0, 1},
                 factor[TAPE_FOLLOWS] = {1, -pow(1 - theta, FADES), -pow(theta, FADES)};
    for (uint32_t k = 0; k < out->n_follows; k++) {
        TapeFollow *f = &out->follow[k];
        f->t = e->t_old + at[k] * e->h_before;
        f->gamma = esdirk_gamma * e->h_before;
        weights_at(at[k], f->dense, f->base);
        rung_esdirk_polynomial(e, at[k], e->move);
        rung_esdirk_find_move(e, at[k], e->move, f->factor);
        memcpy(f->x, e->x, e->n * sizeof *f->x);
        for (uint32_t i = 0; i < e->n; i++)
            f->factor[i] = k == 1 && rung_esdirk_runs_there(e, i) ? 0 : factor[k];
    }
}

const Integrator integrator_esdirk = {
    .name = "esdirk",
    .text = "implicit Runge-Kutta of order 5(4), L-stable, adaptive step, dense output",
    .open = esdirk_open,
    .step = esdirk_step,
    .at = esdirk_at,
    .close = esdirk_close,
    .growth = 6,
    .keeps_tape = true,
    .cut = esdirk_cut,
    .needs = NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};
