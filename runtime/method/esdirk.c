/* SPDX-License-Identifier: BSD-3-Clause
 *
 * esdirk.c -- the stiff one-step method: an ESDIRK pair of order 5(4) (esdirk.h), stages by
 * Newton's method, dense output of order 4.
 *
 * With k_i = h f_i a stage is x_i = base_i + gamma k_i, base_i = x + sum_(j < i) a_ij k_j, which is
 * solved for z_i = gamma k_i, so that f_i comes of what was solved and never of an evaluation,
 * which would multiply Newton's leftover by the stiffness. The matrix I - gamma h J is the model's
 * own Newton iteration (newton_step.h) where it has one, else LU (iteration_matrix.h), kept while
 * it serves. Step control, the test of Newton's convergence and the first step are those of Hairer
 * and Wanner, Solving Ordinary Differential Equations II, IV.8, and I, II.4; the estimated error
 * goes through the inverse of the matrix, too, or stiff components would forbid large steps.
 */
#include "esdirk.h"
#include "delay.h"
#include "iteration_matrix.h"
#include "jacobian.h"
#include "newton_step.h"
#include "rung_esdirk.h"
#include "stage.h"
#include "tangent.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { S = ESDIRK_STAGES };

const double esdirk_c[S] = RUNG_ESDIRK_C;
const double esdirk_a[S][S] = RUNG_ESDIRK_A;
const double esdirk_error[S] = RUNG_ESDIRK_ERROR;
/* clang-format off */
const double esdirk_dense[S][ESDIRK_DEGREE] = {
    {1.5733386259288764, -7.4896185544387378, 10.174690896535669, -4.2978770371355475},
    {1.5733386259288764, -7.4896185544387378, 10.174690896535669, -4.2978770371355475},
    {-1.4677181629964464, 8.2120205733612632, -10.770704322843232, 4.2990384027286579},
    {-1.4303552238491423, 11.905833510062242, -17.942881389001893, 7.8995682753090811},
    {0.68288803425746749, -5.4181804615750562, 10.065392927564065, -4.9776844140135873},
    {0.053471148878305189, 0.46330908028668043, -1.839279181724019, 1.1602133417750938},
    {0.015036951852063258, -0.18374559325765394, 0.13809017293374135, 0.21461846847184933},
};
/* clang-format on */

static const double GAMMA = RUNG_ESDIRK_GAMMA;

enum { ITERATIONS = 8 };          /* of Newton's method                         */
enum { CORRECTIONS = 3 };         /* of a point between two steps               */
enum { PATIENT = 3 };             /* failures of the model's own, in a step     */
static const double CLOSE = 0.02; /* what it may leave, of the tolerance        */
/* What corrections come to by rounding where nothing cancels much, against the states. */
static const double ROUNDING = 5e-13;
static const double SLOW = 0.1; /* a rate of convergence that asks for a new J */
/* Where the matrix takes away so much of an estimated error, stiff components have made it. */
static const double STIFF = 2;
/* Corrections this small against the tolerance that do not shrink by this much are noise: the
 * model's own iteration, whose matrix is exact, has lost the digits. */
static const double NEAR = 1, NOISY = 0.3;

typedef struct Esdirk {
    uint32_t n, n_own; /* states; those that Newton's method is for */
    bool own_newton;   /* the model's */
    bool by_model;     /* it is at work */
    bool has_matrix, fits;
    bool is_fresh; /* J is of where the step begins */
    bool has_jacobian;
    double gamma_h;    /* of the matrix as factored */
    double worst_rate; /* of convergence, since J was made */
    double eta;        /* rate / (1 - rate) of the last stage */
    bool is_tried;     /* the rate of this Jacobian has been seen       */
    double defect;     /* of the stage before a correction, until it is */
    double
        curvature; /* of the model's own iteration: a correction / (the one before)^2; 0: unknown */
    IterationMatrix matrix;
    bool
        closes; /* loops: each stage is a point of the mechanism (stage.h), its f evaluated there */
    Implicit implicit;
    Stage stage;
    Tangents tangents;
    double *y; /* inputs of the loops: at the start of the step, then at the stage */

    double *all;              /* room of the vectors below */
    double *k[S], *before[S]; /* h f of the stages, of this step and of the last one */
    double *x, *base, *z, *delta, *scale;
    double *dense[ESDIRK_DEGREE];
    bool has_dense, has_ends;
    double *move, *end_move[2]; /* of stiff components between the ends of the step, and at them */
    bool is_stiff;
    Run *run;
    double *kept;  /* first guesses of the model's nonlinear blocks, while someone looks */
    bool is_rough; /* derivatives across the constraints of the last step mean nothing */
    double t_old, h, h_next, h_before; /* h_before: of `before`; 0: there is none */
    double *x_old;
    double last_error;
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
    free(it->kept);
    free(it->all);
    free(it);
}

/* The largest of the first n of v against the tolerance. */
static double norm_of(const Esdirk *it, uint32_t n, const double *v)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++) {
        double r = fabs(v[i]) / it->scale[i];
        if (!(r <= most)) /* written so that a NaN stays */
            most = r;
        if (isnan(r))
            return INFINITY;
    }
    return most;
}

/* Of an error; of a correction. */
static double norm(const Esdirk *it, const double *v)
{
    return norm_of(it, it->n, v);
}

static double norm_own(const Esdirk *it, const double *v)
{
    return norm_of(it, it->n_own, v);
}

static void set_scale(Esdirk *it, const Run *run, const double *x)
{
    for (uint32_t i = 0; i < it->n; i++)
        it->scale[i] = run_scale(run, i, x[i]);
}

/* States that start next to zero count as this much of their nominal values: a rest of closing
 * loops tells nothing of how far the first step may go. */
static const double FIRST_SIZE = 0.01;

/* A first step whose explicit Euler step is small and whose second derivative is harmless. k[0] is
 * the derivative. */
static double first_step(Esdirk *it, Run *run)
{
    double span = run->stop - run->t;
    if (!isnan(run->step))
        return fmin(run->step, span);
    double size_x = fmax(norm(it, run->x), FIRST_SIZE / run_step_tolerance(run)),
           size_f = norm(it, it->k[0]);
    double h = size_f < 1e-5 ? 1e-6 : 0.01 * size_x / size_f;
    h = fmin(h, span);
    for (int attempt = 0; attempt < 30; attempt++, h /= 10) {
        for (uint32_t i = 0; i < it->n; i++)
            it->x[i] = run->x[i] + h * it->k[0][i];
        if (problem_xdot(&run->problem, run->t + h, it->x, it->k[1]))
            continue;
        for (uint32_t i = 0; i < it->n; i++)
            it->delta[i] = it->k[1][i] - it->k[0][i];
        double bound = fmax(norm(it, it->delta) / h, size_f);
        double h1 = bound <= 1e-15 ? fmax(1e-6, h * 1e-3) : pow(0.01 / bound, 0.2);
        return fmin(fmin(100 * h, h1), span);
    }
    return h;
}

/* With closed loops; run->problem.loops->y is that of the start. False when out of memory. */
static bool open_loops(Esdirk *it, Run *run)
{
    uint32_t n = run->problem.loops->m + run->problem.loops->k;
    it->y = calloc(2 * (size_t)n + 1, sizeof *it->y);
    if (!it->y || !implicit_open(&it->implicit, run))
        return false;
    it->closes = true;
    if (!stage_open(&it->stage, &it->implicit, true))
        return false;
    memcpy(it->y, run->problem.loops->y, n * sizeof *it->y);
    stage_restart(&it->stage, it->y);
    return true;
}

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
    it->n = run->problem.n;
    it->n_own = problem_own_states(&run->problem);
    it->run = run;
    it->all = all;
    for (size_t s = 0; s < S; s++) {
        it->k[s] = all + s * n;
        it->before[s] = all + (S + s) * n;
    }
    it->x = all + 2 * S * n;
    it->base = it->x + n;
    it->z = it->x + 2 * n;
    it->delta = it->x + 3 * n;
    it->scale = it->x + 4 * n;
    it->x_old = it->x + 5 * n;
    for (size_t d = 0; d < ESDIRK_DEGREE; d++)
        it->dense[d] = it->x + (6 + d) * n;
    it->move = it->x + (6 + ESDIRK_DEGREE) * n;
    for (size_t end = 0; end < 2; end++)
        it->end_move[end] = it->move + (1 + end) * n;
    it->own_newton = jacobian_in_newton_step(&run->problem);
    it->last_error = 1e-4;
    it->eta = 1;
    if (!tangents_open(&it->tangents, run)) {
        esdirk_close(it);
        return NULL;
    }
    if (problem_xdot(&run->problem, run->t, run->x, it->k[0])) {
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        esdirk_close(it);
        return NULL;
    }
    if (run->problem.loops && !open_loops(it, run)) {
        esdirk_close(it);
        return NULL;
    }
    set_scale(it, run, run->x);
    it->h_next = first_step(it, run);
    for (uint32_t i = 0; i < it->n; i++)
        it->k[0][i] *= it->h_next;
    it->h = it->h_next;
    return it;
}

/* The model's own iteration is left for some steps: a pivot of it vanished. */
static void leave_model(Esdirk *it, Run *run)
{
    run->problem.newton_pause = run->problem.newton_pause ? 2 * run->problem.newton_pause : 4;
    run->problem.newton_left = run->problem.newton_pause;
    it->by_model = false;
    it->has_jacobian = it->fits = it->is_fresh = false;
}

/* The matrix for steps of length h, of the start of the step. */
static int prepare(Esdirk *it, Run *run, double h)
{
    if (it->by_model)
        return 0;
    if (!it->has_matrix) {
        if (!iteration_matrix_open(&it->matrix, &run->problem, it->n_own)) {
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
        it->is_tried = false;
        it->fits = false;
        it->worst_rate = 0;
    }
    if (!it->fits || it->gamma_h != GAMMA * h) {
        if (!iteration_matrix_factor(&it->matrix, &run->problem, GAMMA * h)) {
            snprintf(run->problem.blame, sizeof run->problem.blame,
                     "the matrix of Newton's method is singular");
            run->problem.blame_t = run->t;
            return 1;
        }
        it->gamma_h = GAMMA * h;
        it->fits = true;
        it->eta = 1;
    }
    return 0;
}

/* delta = (I - gamma h J)^-1 (base + extra + gamma h f(t, x) - x); extra may be NULL. */
static int correction(Esdirk *it, Run *run, double t, double h, const double *extra)
{
    run->problem.counts->iterations++;
    if (it->by_model) {
        for (uint32_t i = 0; i < it->n_own && extra; i++)
            it->base[i] += extra[i];
        NewtonGiven given = {
            .gamma = GAMMA * h, .weight = 1, .balance_weight = 1, .base = it->base};
        run->problem.counts->operations = run->problem.model->newton->operations;
        int status = newton_step(&run->problem, t, it->x, NULL, &given, it->delta);
        for (uint32_t i = 0; i < it->n_own && extra; i++)
            it->base[i] -= extra[i];
        return status;
    }
    int status = problem_xdot(&run->problem, t, it->x, it->delta);
    if (status)
        return status;
    for (uint32_t i = 0; i < it->n_own; i++)
        it->delta[i] = GAMMA * h * it->delta[i] - it->z[i] + (extra ? extra[i] : 0);
    it->defect = it->is_tried ? 0 : norm_own(it, it->delta);
    iteration_matrix_solve(&it->matrix, it->delta);
    return 0;
}

/* What a correction of this size leaves, by what earlier ones have told. A matrix that stays the
 * same leaves a fixed part. The model's own is that of the iterate: what it leaves goes with the
 * square, so that the rate of a small correction says nothing of a large one. */
static double left_by(const Esdirk *it, double size)
{
    static const double SAFE = 4;
    if (!it->by_model)
        return it->eta * size;
    return it->curvature > 0 ? fmin(1, SAFE * it->curvature * size) * size : size;
}

/* Newton's method for a stage at t: base and the first guess z are given. 0, positive: not with
 * this step, negative: stop. */
static int solve_stage(Esdirk *it, Run *run, double t, double h)
{
    // corrections of another stage point elsewhere: what is known is worth less with each
    static const double ELSEWHERE = 10;
    double before = 0;
    it->eta = pow(fmax(it->eta, DBL_EPSILON), 0.8);
    it->curvature *= ELSEWHERE;
    for (int round = 0; round < ITERATIONS; round++) {
        int status = correction(it, run, t, h, NULL);
        if (status > 0 && it->by_model)
            leave_model(it, run);
        if (status)
            return status;
        double size = norm_own(it, it->delta);
        if (!isfinite(size))
            return 1;
        bool rounding = true;
        for (uint32_t i = 0; i < it->n_own; i++) {
            rounding = rounding && fabs(it->delta[i]) <= 4 * DBL_EPSILON * fabs(it->x[i]);
            it->z[i] += it->delta[i];
            it->x[i] = it->base[i] + it->z[i];
        }
        if (round > 0) {
            double rate = size / before;
            if (it->by_model && before <= NEAR && rate > NOISY &&
                size * run_step_tolerance(run) > ROUNDING) {
                leave_model(it, run);
                return 1;
            }
            // corrections that do not shrink any more where only rounding is left
            rounding = rounding || (rate > 0.5 && size * run_step_tolerance(run) <= ROUNDING);
            it->worst_rate = fmax(it->worst_rate, rounding ? 0 : rate);
            if (rate >= 1 && !rounding)
                return 1;
            it->eta = rate < 1 ? rate / (1 - rate) : 1;
            it->is_tried = true;
            it->curvature = rate / before;
            // what is left after the last round, if it goes on like this
            int more = ITERATIONS - 1 - round;
            if (!it->by_model && !rounding && pow(rate, more) * it->eta * size > CLOSE)
                return 1;
        }
        // a new matrix that has far too large entries makes any correction small
        bool is_sure = it->by_model || it->is_tried || it->defect <= CLOSE;
        if (is_sure && (rounding || left_by(it, size) <= CLOSE))
            return 0;
        before = size;
    }
    return 1;
}

static void apply_matrix(const void *user, double *r)
{
    iteration_matrix_solve(user, r);
}

/* The derivatives of the stage by parameters, once it is solved. */
static int solve_tangents(Esdirk *it, Run *run, double t, double h)
{
    if (it->n == it->n_own)
        return 0;
    int status;
    if (it->by_model && it->tangents.solve) {
        status = tangents_by_model(&it->tangents, t, GAMMA * h, it->base, NULL, it->x, NULL);
        if (status > 0)
            leave_model(it, run);
    } else {
        status =
            tangents_by_matrix(&it->tangents, t, GAMMA * h, it->base,
                               CLOSE * run_step_tolerance(run), apply_matrix, &it->matrix, it->x);
    }
    for (uint32_t i = it->n_own; i < it->n; i++)
        it->z[i] = it->x[i] - it->base[i];
    return status;
}

/* A first guess of k of the stage: the polynomial through derivatives near it in time, of stages of
 * this step and of the last one; none so near to another that their difference is multiplied. */
static void predict(Esdirk *it, int stage, double h, double *k)
{
    enum { MOST = 4 };
    static const double APART = 0.1; /* of the step                              */
    static const double WILD = 20;   /* sum of |weights|, by which errors grow */
    double at[MOST], weight[MOST];
    const double *value[MOST];
    double times[MOST]; /* h f of this step against that of the point's */
    int n = 0;
    double c = esdirk_c[stage];
    while (n < MOST) {
        int best = -1;
        double distance = INFINITY;
        // those of this step, then of the last one, whose end is where this one begins
        for (int s = 0; s < stage + (it->h_before > 0 ? S - 1 : 0); s++) {
            double where = s < stage ? esdirk_c[s] : (esdirk_c[s - stage] - 1) * it->h_before / h;
            bool near = false;
            for (int i = 0; i < n; i++)
                near = near || fabs(where - at[i]) < APART;
            if (near || fabs(where - c) >= distance)
                continue;
            distance = fabs(where - c);
            best = s;
            at[n] = where; // of the best so far
        }
        if (best < 0)
            break;
        value[n] = best < stage ? it->k[best] : it->before[best - stage];
        times[n++] = best < stage ? 1 : h / it->h_before;
    }
    for (;; n--) {
        double sum = 0;
        for (int i = 0; i < n; i++) {
            weight[i] = 1;
            for (int j = 0; j < n; j++)
                if (j != i)
                    weight[i] *= (c - at[j]) / (at[i] - at[j]);
            sum += fabs(weight[i]);
        }
        if (n <= 1 || sum <= WILD)
            break;
    }
    memset(k, 0, it->n_own * sizeof *k);
    for (int s = 0; s < n; s++)
        for (uint32_t i = 0; i < it->n_own; i++)
            k[i] += weight[s] * times[s] * value[s][i];
}

/* All stages with step h; *err is the estimated error against the tolerance. */
static int stages(Esdirk *it, Run *run, double t_new, double h, double *err)
{
    int status = it->closes ? 0 : prepare(it, run, h);
    uint32_t n_y = it->closes ? run->problem.loops->m + run->problem.loops->k : 0;
    it->is_rough = false;
    if (it->closes)
        stage_new_step(&it->stage);
    for (int s = 1; s < S && !status; s++) {
        double t = s == S - 1 ? t_new : run->t + esdirk_c[s] * h;
        predict(it, s, h, it->k[s]);
        for (uint32_t i = 0; i < it->n; i++) {
            double sum = 0;
            for (int j = 0; j < s; j++)
                sum += esdirk_a[s][j] * it->k[j][i];
            it->base[i] = run->x[i] + sum;
            it->z[i] = GAMMA * it->k[s][i];
            it->x[i] = it->base[i] + it->z[i];
        }
        if (it->closes) {
            status = stage_solve(&it->stage, t, it->base, GAMMA * h, it->x, it->delta, it->y + n_y);
            for (uint32_t i = 0; i < it->n; i++)
                it->k[s][i] = h * it->delta[i];
            continue;
        }
        status = solve_stage(it, run, t, h);
        status = status ? status : solve_tangents(it, run, t, h);
        for (uint32_t i = 0; i < it->n; i++)
            it->k[s][i] = it->z[i] / GAMMA;
    }
    if (status && it->closes) {
        snprintf(run->problem.blame, sizeof run->problem.blame, "%.*s",
                 (int)sizeof run->problem.blame - 1, run->problem.why);
        run->problem.blame_t = run->t;
        stage_restart(&it->stage, it->y);
    }
    if (status)
        return status;
    double *error = it->z;
    for (uint32_t i = 0; i < it->n; i++) {
        double sum = 0, before = fabs(run->x[i]), now = fabs(it->x[i]);
        for (int s = 0; s < S; s++)
            sum += esdirk_error[s] * it->k[s][i];
        error[i] = sum;
        it->scale[i] = run_scale(run, i, before > now ? before : now);
    }
    if (it->closes) {
        // as it is: in stiff directions the formula's own factor is bounded
        *err = norm(it, error);
        int forgiven =
            *err > 1 ? loops_forgive(&run->problem, run->t, run->x, t_new, it->x, error) : 0;
        it->is_rough = forgiven > 0;
        *err = forgiven ? norm(it, error) : *err;
        status = forgiven < 0 ? forgiven : 0;
    } else if (it->by_model) {
        *err = norm(it, error);
        status = correction(it, run, t_new, h, error);
        if (status > 0)
            leave_model(it, run);
        // those of the derivatives by parameters as they are
        memcpy(it->delta + it->n_own, error + it->n_own, (it->n - it->n_own) * sizeof *error);
        it->is_stiff = *err > STIFF * norm(it, it->delta);
        *err = norm(it, it->delta);
    } else {
        *err = norm(it, error);
        iteration_matrix_solve(&it->matrix, error);
        it->is_stiff = *err > STIFF * norm(it, error);
        *err = norm(it, error);
    }
    return status;
}

static void too_small(const Esdirk *it, Run *run, double h, bool converged)
{
    const char *blame = run_blame(run);
    if (!converged) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "Newton's method does not converge, not even with a step of %.3g%s%s", h,
                 blame ? "; " : "", blame ? blame : "");
        return;
    }
    uint32_t worst = 0;
    double most = -1;
    for (uint32_t i = 0; i < it->n; i++) {
        double sum = 0;
        for (int s = 0; s < S; s++)
            sum += esdirk_error[s] * it->k[s][i];
        if (fabs(sum) / it->scale[i] > most) {
            most = fabs(sum) / it->scale[i];
            worst = i;
        }
    }
    snprintf(run->problem.why, sizeof run->problem.why,
             "the step became too small; the error of '%s' is %.3g times what the tolerance "
             "allows (a singularity, or a tolerance below rounding)",
             it->n ? problem_state_name(&run->problem, worst) : "", most);
}

/* h f of the first stage, with another step. */
static void set_step(Esdirk *it, double h)
{
    double times = h / it->h;
    for (uint32_t i = 0; i < it->n && times != 1; i++)
        it->k[0][i] *= times;
    it->h = h;
}

static int esdirk_step(void *self, Run *run)
{
    Esdirk *it = self;
    double h = it->h_next, t_new = 0, err = 0;
    bool rejected = false;
    int failures = 0; // of Newton's method
    run->problem.newton_left -= run->problem.newton_left > 0;
    it->by_model = it->own_newton && !run->problem.newton_left;
    set_scale(it, run, run->x);
    for (;;) {
        run->h = h;
        double least = 16 * DBL_EPSILON * fabs(run->t);
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
        if (!status && err <= 1)
            break;
        run->problem.counts->rejected++;
        rejected = true;
        failures += status > 0;
        // with another J first
        bool stale = status && !it->closes && !it->by_model && it->has_jacobian && !it->is_fresh;
        if (stale)
            it->has_jacobian = false;
        else if (status && !it->closes && it->by_model && failures > PATIENT)
            leave_model(it, run); // pivots that are not chosen may have lost the digits
        else if (status && !it->closes && run->problem.newton_left &&
                 run->problem.newton_left == run->problem.newton_pause && !it->has_jacobian)
            ; // without the model's own iteration, then
        else
            h *= status || !isfinite(err) ? 0.25 : fmax(0.1, 0.9 * pow(err, -0.2));
        if (!(h > least) || h < DBL_MIN) {
            run->h = h;
            too_small(it, run, h, !status);
            return 1;
        }
    }
    run->h = h;

    // proportional-integral control (Hairer, Wanner II, IV.2)
    double grow = 0.9 * pow(fmax(err, 1e-10), -0.14) * pow(it->last_error, 0.08);
    grow = fmin(fmax(grow, 0.2), rejected ? 1 : 6);
    it->last_error = fmax(err, 1e-4);
    bool renew = it->worst_rate > SLOW;
    // a matrix that serves is kept
    if (!it->closes && !it->by_model && !renew && grow >= 1 && grow <= 1.2)
        grow = 1;
    it->h_next = h * grow;
    it->has_jacobian = it->has_jacobian && !renew;
    it->is_fresh = false;
    it->t_old = run->t;
    it->h_before = h;
    it->has_dense = it->has_ends = false;
    it->accepted++;
    memcpy(it->x_old, run->x, it->n * sizeof *run->x);
    memcpy(run->x, it->x, it->n * sizeof *run->x);
    if (it->closes) {
        uint32_t n_y = run->problem.loops->m + run->problem.loops->k;
        memcpy(it->y, it->y + n_y, n_y * sizeof *it->y);
        memcpy(run->problem.loops->y, it->y, n_y * sizeof *it->y);
        loops_apply(run->problem.loops, run->problem.ctx);
    }
    for (int s = 0; s < S; s++) {
        double *old = it->before[s];
        it->before[s] = it->k[s];
        it->k[s] = old;
    }
    memcpy(it->k[0], it->before[S - 1], it->n * sizeof *it->x);
    run->t = t_new;
    return 0;
}

static void polynomial(const Esdirk *it, double theta, double *x)
{
    for (uint32_t i = 0; i < it->n; i++)
        x[i] =
            it->x_old[i] + theta * (it->dense[0][i] +
                                    theta * (it->dense[1][i] +
                                             theta * (it->dense[2][i] + theta * it->dense[3][i])));
}

/* Stiff components follow the others: what the polynomial through derivatives of the stages says of
 * them at x is of low order. (I - gamma h J)^-1 gamma h (f(t, x) - x'), x' being the derivative of
 * the polynomial, moves them to where they belong; on others it is of the order of the polynomial's
 * own error. The model's own iteration adds up what nearly cancels where h J is large, and leaves
 * that share of a correction: the next one takes it away. */
static void find_move(Esdirk *it, double theta, const double *x, double *move)
{
    Run *run = it->run;
    size_t n = run->problem.model->n_unknowns;
    for (uint32_t i = 0; i < it->n; i++) {
        double slope = 0;
        for (int d = ESDIRK_DEGREE; d > 0; d--)
            slope = slope * theta + d * it->dense[d - 1][i];
        it->x[i] = x[i];
        it->z[i] = GAMMA * slope;
        it->base[i] = x[i] - it->z[i];
    }
    memcpy(it->kept, run->problem.ctx->z, n * sizeof *it->kept);
    double t = it->t_old + theta * it->h_before;
    for (int round = 0; round < CORRECTIONS; round++) {
        if (correction(it, run, t, it->h_before, NULL))
            break;
        for (uint32_t i = 0; i < it->n_own; i++) {
            it->x[i] += it->delta[i];
            it->z[i] += it->delta[i];
        }
        if (norm_own(it, it->delta) <= CLOSE)
            break;
    }
    if (solve_tangents(it, run, t, it->h_before))
        memcpy(it->x + it->n_own, x + it->n_own, (it->n - it->n_own) * sizeof *x);
    for (uint32_t i = 0; i < it->n; i++)
        move[i] = it->x[i] - x[i];
    memcpy(run->problem.ctx->z, it->kept, n * sizeof *it->kept);
}

/* A state that is not where the others want it when the step begins runs there in no time: its
 * derivative at the start has nothing to do with those that follow. */
static bool runs_there(const Esdirk *it, uint32_t i)
{
    static const double ALIKE = 0.1;
    double end = it->before[S - 1][i];
    return fabs(it->dense[0][i] - end) < ALIKE * fabs(it->before[0][i] - end);
}

/* At the ends of the step x is what the step says. A solution that jumped there, however little,
 * would have relations cross zero at each event without end: what the ends would be moved by is
 * taken away again, less of it the farther they are. */
static void follow_others(Esdirk *it, double theta, double *x)
{
    enum { FADES = 8 };
    Run *run = it->run;
    if (!it->kept)
        it->kept = calloc(run->problem.model->n_unknowns + 1, sizeof *it->kept);
    if (!it->kept || (!it->by_model && !(it->fits && it->gamma_h == GAMMA * it->h_before)))
        return;
    for (int end = 0; end < 2 && !it->has_ends; end++) {
        polynomial(it, end, it->move);
        find_move(it, end, it->move, it->end_move[end]);
        for (uint32_t i = 0; i < it->n && end == 0; i++)
            if (runs_there(it, i))
                it->end_move[0][i] = 0;
    }
    it->has_ends = true;
    find_move(it, theta, x, it->move);
    double first = pow(1 - theta, FADES), last = pow(theta, FADES);
    for (uint32_t i = 0; i < it->n; i++)
        x[i] += it->move[i] - first * it->end_move[0][i] - last * it->end_move[1][i];
}

static void esdirk_at(void *self, const Run *run, double t, double *x)
{
    Esdirk *it = self;
    (void)run;
    if (!it->has_dense) {
        for (int d = 0; d < ESDIRK_DEGREE; d++)
            for (uint32_t i = 0; i < it->n; i++) {
                double sum = 0;
                for (int s = 0; s < S; s++)
                    sum += esdirk_dense[s][d] * it->before[s][i];
                it->dense[d][i] = sum;
            }
        it->has_dense = true;
    }
    double theta = (t - it->t_old) / it->h_before;
    polynomial(it, theta, x);
    if (it->is_rough)
        loops_project(&it->run->problem, t, x);
    else if (it->is_stiff && theta > 0 && theta < 1)
        follow_others(it, theta, x);
}

const Integrator integrator_esdirk = {
    .name = "esdirk",
    .text = "implicit Runge-Kutta of order 5(4), L-stable, adaptive step, dense output",
    .open = esdirk_open,
    .step = esdirk_step,
    .at = esdirk_at,
    .close = esdirk_close,
    .growth = 6,
    .needs = NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};
