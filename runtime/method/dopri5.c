/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dopri5.c -- the explicit Runge-Kutta pair of order 5(4) of Dormand and Prince, with the
 * continuous extension of order 4, step control and stiffness test of Hairer, Norsett, Wanner:
 * Solving Ordinary Differential Equations I, II.4 to II.6, and II, IV.2. On it `hedop5`, the
 * half-explicit method for closed loops in the form of index 2 (Arnold: Half-explicit Runge-Kutta
 * methods with explicit stages for differential-algebraic systems of index 2, BIT 38, 1998): the
 * multipliers of stage i are those for which phi' = 0 in stage i + 1, which begins
 *
 *     x_i+1 = x + h sum_(j<=i) a_i+1,j k_j,    k_j = f(x_j, y_j),    phi'(x_i+1) = 0,  i = 2..6;
 *
 * x_7 is the end of the step. Those of stage 1 are the last ones of the step before, for which
 * phi' = 0 in an eighth stage inside that step.
 */
#include "block_row.h"
#include "fallback.h"
#include "loops.h"
#include "step_control.h"
#include "tape.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 7 };

static const double node[STAGES] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
static const double a[STAGES][STAGES - 1] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};
/* of the eighth stage of hedop5 */
static const double node_of_end = 19. / 20;
static const double a_of_end[STAGES] = {-18611506045861. / 19738176307200,
                                        59332529. / 14479296,
                                        -2509441598627. / 893904224850,
                                        2763523204159. / 3289696051200,
                                        -41262869588913. / 116235927142400,
                                        46310205821. / 287848404480,
                                        -3280. / 75413};
/* the solution of order 5 minus that of order 4 */
static const double e[STAGES] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                 -17253. / 339200, 22. / 525, -1. / 40};
/* the term of the continuous extension that is not Hermite's */
static const double d[STAGES] = {-12715105075. / 11282082432,  0,
                                 87487479700. / 32700410799,   -10690763975. / 1880347072,
                                 701980252875. / 199316789632, -1453857185. / 822651844,
                                 69997945. / 29380423};

typedef struct Dopri5 {
    /* In a step k[0] is the derivative at run->x; behind it, until the next one begins, that is
     * k[6], and k[0] is the one at its end. */
    double *k[STAGES];
    double *x_old, *x_new, *x_last;
    double *dense[4]; /* the extension over the last step, beyond x_old */
    bool has_dense;   /* only where it is asked for */
    double t_old, h, h_next;
    StepControl control;
    double *memory;        /* of all arrays */
    bool is_half_explicit; /* loops are closed by the stages */
    bool is_rough;         /* derivatives across the constraints of the last step mean nothing */
    Run *run;
} Dopri5;

static void dopri5_close(void *self)
{
    Dopri5 *it = self;
    if (it)
        free(it->memory);
    free(it);
}

/* The tolerance of a step is smaller than that of esdirk, whose formula damps components excited by
 * errors. */
static double step_tolerance(const Run *run)
{
    static const double SHARE = 0.3, FINEST = 1e-12;
    return fmax(SHARE * run_step_tolerance(run), fmin(run->tolerance, FINEST));
}

static double scale_of(const Run *run, uint32_t i, double x)
{
    return run_scale(run, i, x) * (step_tolerance(run) / run_step_tolerance(run));
}

/* Root mean square of v against the scale at x; no less than the largest of a sum of states. */
static double norm(const Run *run, const double *v, const double *x)
{
    double sum = 0;
    for (uint32_t i = 0; i < run_controlled_states(run); i++) {
        double r = v[i] / scale_of(run, i, x[i]);
        sum += r * r;
    }
    double of_sums = rung_sums_norm(problem_sums(&run->problem), v, step_tolerance(run));
    return run->problem.n ? fmax(sqrt(sum / run_controlled_states(run)), of_sums) : 0;
}

static double size_of(const void *self, const double *v)
{
    const Dopri5 *it = self;
    return norm(it->run, v, it->run->x);
}

static Dopri5 *open_with(Run *run, bool is_half_explicit)
{
    size_t n = run->problem.n + (size_t)1;
    Dopri5 *it = calloc(1, sizeof *it);
    double *all = calloc((STAGES + 7) * n, sizeof *all);
    if (!it || !all) {
        free(it);
        free(all);
        return NULL;
    }
    it->memory = all;
    it->is_half_explicit = is_half_explicit && loops_are_half_explicit(run->problem.loops);
    for (size_t s = 0; s < STAGES; s++)
        it->k[s] = all + s * n;
    it->x_old = all + STAGES * n;
    it->x_new = all + (STAGES + 1) * n;
    it->x_last = all + (STAGES + 2) * n;
    for (size_t s = 0; s < 4; s++)
        it->dense[s] = all + (STAGES + 3 + s) * n;
    it->control = (StepControl){.order = 5,
                                .proportional = 0.17,
                                .integral = 0.04,
                                .growth = integrator_dopri5.growth,
                                .last_error = 1e-4};
    it->run = run;
    if (problem_xdot(&run->problem, run->t, run->x, it->k[0])) {
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        dopri5_close(it);
        return NULL;
    }
    it->h_next =
        step_first(run, &it->control, run->stop - run->problem.piece_start,
                   FIRST_SIZE / step_tolerance(run), size_of, it, it->k[0], it->x_new, it->k[1]);
    return it;
}

static void *dopri5_open(Run *run)
{
    return open_with(run, false);
}

static void *hedop5_open(Run *run)
{
    return open_with(run, true);
}

/* A sum of derivatives with weights that are not zero. */
typedef struct Terms {
    int n;
    double w[STAGES];
    const double *k[STAGES];
} Terms;

static Terms terms_of(const Dopri5 *it, int n, const double *weight)
{
    Terms out = {0};
    for (int s = 0; s < n; s++)
        if (weight[s] != 0) {
            out.w[out.n] = weight[s];
            out.k[out.n++] = it->k[s];
        }
    return out;
}

#define DOPRI5_SUM1 w0 *k0[i]
#define DOPRI5_SUM2 (DOPRI5_SUM1 + w1 * k1[i])
#define DOPRI5_SUM3 (DOPRI5_SUM2 + w2 * k2[i])
#define DOPRI5_SUM4 (DOPRI5_SUM3 + w3 * k3[i])
#define DOPRI5_SUM5 (DOPRI5_SUM4 + w4 * k4[i])
#define DOPRI5_SUM6 (DOPRI5_SUM5 + w5 * k5[i])
#define DOPRI5_LOOP(sum)                                                                           \
    if (from)                                                                                      \
        for (uint32_t i = 0; i < n; i++)                                                           \
            to[i] = from[i] + h * (sum);                                                           \
    else                                                                                           \
        for (uint32_t i = 0; i < n; i++)                                                           \
        to[i] = h * (sum)

/* to := from + h times the sum of weight[s] k[s] over the first n_stages; from NULL: zero. In one
 * loop for each number of terms, of which a compiler makes vectors. */
BLOCK_VECTORS
static void combine(const Dopri5 *it, int n_stages, const double *weight, double h, uint32_t n,
                    const double *restrict from, double *restrict to)
{
    Terms t = terms_of(it, n_stages, weight);
    double w0 = t.w[0], w1 = t.w[1], w2 = t.w[2], w3 = t.w[3], w4 = t.w[4], w5 = t.w[5];
    const double *restrict k0 = t.k[0], *restrict k1 = t.k[1], *restrict k2 = t.k[2];
    const double *restrict k3 = t.k[3], *restrict k4 = t.k[4], *restrict k5 = t.k[5];
    switch (t.n) {
    case 1:
        DOPRI5_LOOP(DOPRI5_SUM1);
        break;
    case 2:
        DOPRI5_LOOP(DOPRI5_SUM2);
        break;
    case 3:
        DOPRI5_LOOP(DOPRI5_SUM3);
        break;
    case 4:
        DOPRI5_LOOP(DOPRI5_SUM4);
        break;
    case 5:
        DOPRI5_LOOP(DOPRI5_SUM5);
        break;
    default:
        DOPRI5_LOOP(DOPRI5_SUM6);
    }
}

/* Likewise, half-explicit: k[s] is known with x of the next stage. x_last is that of stage 6; room
 * for another one is in the extension, which is not there yet. */
static int half_explicit_stages(Dopri5 *it, Run *run, double t_new, double h)
{
    uint32_t n = run->problem.n;
    double *base = it->dense[0], *x = it->dense[1], *next = it->x_last;
    combine(it, 1, a[1], h, n, run->x, x);
    for (int s = 1; s < STAGES; s++) {
        bool last = s == STAGES - 1;
        const double *weight = last ? a_of_end : a[s + 1];
        double t = node[s] == 1 ? t_new : run->t + node[s] * h;
        double to = last ? node_of_end : node[s + 1];
        double t_to = to == 1 ? t_new : run->t + to * h, step = h * weight[s];
        combine(it, s, weight, h, n, run->x, base);
        int status = loops_half_explicit(&run->problem, t, x, t_to, base, step, it->k[s]);
        if (status || last)
            return status;
        next = s == STAGES - 2 ? it->x_new : s == STAGES - 3 ? it->x_last : it->dense[1 + s % 2];
        for (uint32_t i = 0; i < n; i++)
            next[i] = base[i] + step * it->k[s][i];
        x = next;
    }
    return 0;
}

/* Stages 2 to 7 with step h; x_new is the solution of order 5, k[6] the derivative there. */
static int stages(Dopri5 *it, Run *run, double t_new, double h)
{
    tape_stage(run->tape, 0, run->t, run->x);
    for (int s = 1; s < STAGES; s++) {
        double *x = s == STAGES - 1 ? it->x_new : it->x_last;
        combine(it, s, a[s], h, run->problem.n, run->x, x);
        double t = node[s] == 1 ? t_new : run->t + node[s] * h;
        int status = problem_xdot(&run->problem, t, x, it->k[s]);
        tape_stage(run->tape, (uint32_t)s, t, x);
        if (status)
            return status;
    }
    return 0;
}

/* Projects the end of the step onto the constraints of closed loops: the violation by steps that
 * only keep phi'' = 0 would add up. Stage 7 is the derivative there. */
static int close_step(Dopri5 *it, Run *run, double t_new, double h)
{
    if (!run->problem.loops)
        return 0;
    int status = loops_close_step(&run->problem, t_new, h, run->x, it->k[0], it->x_new);
    if (it->is_half_explicit)
        return status ? status
                      : loops_g_applied(&run->problem, t_new, it->x_new, it->k[STAGES - 1]);
    return status ? status : problem_xdot(&run->problem, t_new, it->x_new, it->k[STAGES - 1]);
}

/* h times the dominating eigenvalue beyond the region of stability in 15 steps more than half of
 * those in which it is not: stiff. x_last is the argument of stage 6, at the same time as stage 7.
 * Where a method is named, fewer steps than a thousand are done sooner than a run by another one is
 * started. */
static bool looks_stiff(Dopri5 *it, Run *run, double h)
{
    enum { CHEAP = 1000, STIFF_STEPS = 15 };
    double num = 0, den = 0;
    // derivatives by parameters grow and shrink as the states do, which choose the method
    for (uint32_t i = 0; i < problem_own_states(&run->problem); i++) {
        double df = it->k[6][i] - it->k[5][i], dx = it->x_new[i] - it->x_last[i];
        num += df * df;
        den += dx * dx;
    }
    run->stability = den > 0 ? h * sqrt(num / den) : 0;
    if (run->stability > 3.25) {
        run->stiff_score = fmin(run->stiff_score + 1, STIFF_STEPS);
        return run->stiff_score >= STIFF_STEPS &&
               (!run->has_named_method || run->problem.counts->steps > CHEAP);
    }
    run->stiff_score = fmax(run->stiff_score - 0.5, 0);
    return false;
}

/* Of the step that was attempted, in a stage that is no longer needed. */
static double error_of(const void *self, uint32_t i)
{
    const Dopri5 *it = self;
    return fabs(it->k[1][i]) / scale_of(it->run, i, it->x_new[i]);
}

static void too_small(const Dopri5 *it, Run *run, double h)
{
    if (run_last_failure(run))
        snprintf(run->problem.why, sizeof run->problem.why, "%s, also with a step of %.3g",
                 run_last_failure(run), h);
    else
        step_too_small(run, run->problem.n, error_of, it);
}

/* For an adjoint. The last stage is that of the dense output. */
static int keep_step(const Dopri5 *it, Run *run, double t_new, double h)
{
    TapeFormula formula = {.n = STAGES, .ends = 1};
    if (!run->tape)
        return 0;
    for (int s = 0; s < STAGES; s++)
        memcpy(formula.a[s], a[s], sizeof a[s]);
    memcpy(formula.b, a[STAGES - 1], sizeof a[STAGES - 1]);
    return tape_step(run->tape, run, &formula, run->t, h, run->x, t_new, it->x_new);
}

static void exchange_ends(Dopri5 *it)
{
    double *first = it->k[0];
    it->k[0] = it->k[STAGES - 1];
    it->k[STAGES - 1] = first;
}

static int dopri5_step(void *self, Run *run)
{
    Dopri5 *it = self;
    uint32_t n = run->problem.n;
    // of closed loops errors of all states are looked at (loops_forgive)
    uint32_t n_judged = run->problem.loops ? n : run_controlled_states(run);
    double h = it->h_next, t_new = 0, err = 0;
    double most = 1; // that the error may be
    bool rejected = false, rough = false;
    for (;; rejected = true) {
        run->h = h;
        // stretch to the end rather than leave a crumb
        bool last = run->t + 1.01 * h >= run->stop;
        if (last)
            h = run->stop - run->t;
        t_new = last ? run->stop : run->t + h;
        int status = (it->is_half_explicit ? half_explicit_stages : stages)(it, run, t_new, h);
        if (status < 0) {
            problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
            return status;
        }
        double *error = it->k[1];
        if (!status) {
            combine(it, STAGES, e, h, n_judged, NULL, error);
            // multipliers are of lower order; the constraints hold whatever their errors are
            if (it->is_half_explicit)
                loops_remove_rates(run->problem.loops, error);
            for (uint32_t i = 0; i < n_judged; i++) {
                double x_old = fabs(run->x[i]), x_new = fabs(it->x_new[i]);
                it->x_old[i] = x_old > x_new ? x_old : x_new;
            }
            err = norm(run, error, it->x_old);
            int forgiven =
                err > most && run->problem.loops
                    ? loops_forgive(&run->problem, run->t, run->x, t_new, it->x_new, error)
                    : 0;
            it->is_rough = forgiven > 0;
            err = forgiven ? norm(run, error, it->x_old) : err;
            status = forgiven < 0 ? forgiven : err <= most ? close_step(it, run, t_new, h) : 0;
            if (status < 0)
                return status;
            if (err <= most && !status)
                break;
            rough |= err > ROUGH_ERROR;
            most = rough ? run_rough_share(run) : 1;
        }
        run->problem.counts->rejected++;
        if (!status &&
            fallback_probe_rejected(&run->problem, t_new, it->x_new, h, run->tolerance)) {
            if (problem_xdot(&run->problem, run->t, run->x, it->k[0])) {
                problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
                return 1;
            }
            continue;
        }
        h = step_bounded(run, step_shorter(&it->control, h, status != 0, err, most), h);
        if (!(h >= step_least(run)) || h < DBL_MIN) {
            run->h = h;
            too_small(it, run, h);
            return 1;
        }
    }
    run->n_rough += rough;
    run->h = h;
    if (looks_stiff(it, run, h)) {
        run->is_stiff = true;
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the problem is stiff: an explicit method needs tiny steps here; use --method "
                 "esdirk");
        return 1;
    }

    if (keep_step(it, run, t_new, h))
        return 1;

    it->h_next = h * step_growth(&it->control, err, rejected);
    it->h = h;
    it->t_old = run->t;
    it->has_dense = false;
    memcpy(it->x_old, run->x, n * sizeof *run->x);
    memcpy(run->x, it->x_new, n * sizeof *run->x);
    exchange_ends(it);
    run->t = t_new;
    return 0;
}

/* The extension over the last step. */
static void make_dense(Dopri5 *it)
{
    uint32_t n = it->run->problem.n;
    double h = it->h;
    exchange_ends(it); // as in the step
    combine(it, STAGES, d, h, n, NULL, it->dense[3]);
    for (uint32_t i = 0; i < n; i++) {
        double dx = it->x_new[i] - it->x_old[i], bulge = h * it->k[0][i] - dx;
        it->dense[0][i] = dx;
        it->dense[1][i] = bulge;
        it->dense[2][i] = dx - h * it->k[6][i] - bulge;
    }
    exchange_ends(it);
    it->has_dense = true;
}

/* The share of the last step before t; makes the extension. */
static double share_of(Dopri5 *it, double t)
{
    if (!it->has_dense)
        make_dense(it);
    return (t - it->t_old) / it->h;
}

/* State i in the last step, of which s is the share. */
static double inside(const Dopri5 *it, double s, uint32_t i)
{
    double r = 1 - s;
    return it->x_old[i] + s * (it->dense[0][i] +
                               r * (it->dense[1][i] + s * (it->dense[2][i] + r * it->dense[3][i])));
}

static void dopri5_at(void *self, const Run *run, double t, double *x)
{
    Dopri5 *it = self;
    const double s = share_of(it, t);
    for (uint32_t i = 0; i < run->problem.n; i++)
        x[i] = inside(it, s, i);
    if (it->is_rough)
        loops_project(&it->run->problem, t, x);
}

/* As `inside`, of the slopes. */
static void dopri5_cut(void *self, const Run *run, double t, TapeCut *out)
{
    const Dopri5 *it = self;
    double s = (t - it->t_old) / it->h, r = 1 - s;
    bool closes = run->problem.loops;
    out->n_follows = 0;
    out->is_rough = it->is_rough;
    out->of_end = closes ? s * (1 + r * (2 * s - 1)) : 0;
    for (int j = 0; j < STAGES; j++) {
        double dx = j < STAGES - 1 && !closes ? a[STAGES - 1][j] : 0, bulge = (j == 0) - dx;
        double last = dx - (j == STAGES - 1) - bulge;
        out->dense[j] = s * (dx + r * (bulge + s * (last + r * d[j])));
    }
}

static bool dopri5_some_at(void *self, const Run *run, double t, uint32_t n, const uint32_t *state,
                           double *x)
{
    Dopri5 *it = self;
    (void)run;
    if (it->is_rough)
        return false;
    const double s = share_of(it, t);
    for (uint32_t k = 0; k < n; k++)
        x[state[k]] = inside(it, s, state[k]);
    return true;
}

const Integrator integrator_hedop5 = {
    .name = "hedop5",
    .text = "half-explicit Runge-Kutta of order 5(4), adaptive step; loops of index 2",
    .open = hedop5_open,
    .step = dopri5_step,
    .at = dopri5_at,
    .some_at = dopri5_some_at,
    .close = dopri5_close,
    .growth = 10,
};

const Integrator integrator_dopri5 = {
    .name = "dopri5",
    .text = "explicit Runge-Kutta of order 5(4), adaptive step, dense output",
    .open = dopri5_open,
    .step = dopri5_step,
    .at = dopri5_at,
    .some_at = dopri5_some_at,
    .close = dopri5_close,
    .growth = 10,
    .keeps_tape = true,
    .cut = dopri5_cut,
};
