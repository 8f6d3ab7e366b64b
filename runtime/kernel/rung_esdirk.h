/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_esdirk.h -- the stages and the dense output of the method `esdirk`, in the memory of the
 * caller: for runs (esdirk.c), which control the length of steps, and for C libraries.
 *
 * ESDIRK5(4)7L[2]SA2 of Kennedy and Carpenter, Diagonally implicit Runge-Kutta methods for stiff
 * ODEs, Applied Numerical Mathematics 146 (2019): seven stages, the first explicit, the others with
 * the same diagonal entry gamma; order 5, with an embedded formula of order 4; stage order 2;
 * L-stable; the last stage is the solution. The continuous extension is our own: of order 4 for all
 * 0 <= theta <= 1, bounded for eigenvalues however stiff.
 *
 * With k_i = h f_i a stage is x_i = base_i + gamma k_i, base_i = x + sum_(j < i) a_ij k_j, which is
 * solved for z_i = gamma k_i, so that f_i = z_i / (gamma h) needs no evaluation of f, which would
 * multiply the error of Newton's method by the stiffness. The convergence test of Newton's method
 * is that of Hairer and Wanner, Solving Ordinary Differential Equations II, IV.8.
 */
#ifndef RUNG_ESDIRK_H
#define RUNG_ESDIRK_H

#include "rung_question.h"
#include "rung_sums.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { ESDIRK_STAGES = 7, ESDIRK_DEGREE = 4 };

#if defined(__GNUC__)
#define RUNG_TABLE static __attribute__((unused)) const double
#else
#define RUNG_TABLE static const double
#endif

/* clang-format off */
RUNG_TABLE esdirk_gamma = 0.184;
RUNG_TABLE esdirk_c[ESDIRK_STAGES] = {
    0, 0.368, 0.62821529547664945, 0.13881019830028329, 0.69995861940457471, 0.90837696335078533, 1};
/* The last row is b. */
RUNG_TABLE esdirk_a[ESDIRK_STAGES][ESDIRK_STAGES] = {
    {0},
    {0.184, 0.184},
    {0.22210764773832473, 0.22210764773832473, 0.184},
    {-0.014049475381926278, -0.014049475381926278, -0.017090850935864151, 0.184},
    {-0.40838859254931476, -0.40838859254931476, 0.16646399821362964, 1.1662718062895745, 0.184},
    {-0.53929072355881125, -0.53929072355881125, -0.24223442884542501, 1.4888806111225146,
     0.55631222819131843, 0.184},
    {-0.039466069109740303, -0.039466069109740303, 0.27263649025024267, 0.43216517252028819,
     0.35241608623288911, -0.16228561078393952, 0.184},
};
/* b minus that of the embedded formula. */
RUNG_TABLE esdirk_error[ESDIRK_STAGES] = {
    0.041223397456907053, 0.041223397456907053, 0.089736805636807138, -0.084848701245942792,
    -0.074183645069565207, -0.057958752816804543, 0.04480749858169103};
/* x(t + theta h) = x(t) + h sum_i f_i sum_k dense[i][k] theta^(k + 1) */
RUNG_TABLE esdirk_dense[ESDIRK_STAGES][ESDIRK_DEGREE] = {
    {1.5733386259288764, -7.4896185544387378, 10.174690896535669, -4.2978770371355475},
    {1.5733386259288764, -7.4896185544387378, 10.174690896535669, -4.2978770371355475},
    {-1.4677181629964464, 8.2120205733612632, -10.770704322843232, 4.2990384027286579},
    {-1.4303552238491423, 11.905833510062242, -17.942881389001893, 7.8995682753090811},
    {0.68288803425746749, -5.4181804615750562, 10.065392927564065, -4.9776844140135873},
    {0.053471148878305189, 0.46330908028668043, -1.839279181724019, 1.1602133417750938},
    {0.015036951852063258, -0.18374559325765394, 0.13809017293374135, 0.21461846847184933},
};
/* clang-format on */

/* A step of h of a model with n states. Of these the first n_own are solved for by Newton's method;
 * those behind them, derivatives by parameters, follow by one linear solve each. */
typedef struct RungEsdirk {
    uint32_t n, n_own;
    RungContext *ctx;
    void *user;
    /* delta = (I - gamma h J)^-1 (base + extra + gamma h f(t, x) - x), where x = base + z; extra
     * may be NULL. 0, positive: not with this step, negative: stop. May set `defect`. */
    int (*correct)(void *user, double t, double h, const double *extra);
    /* z and x of the states behind n_own, once the others are solved for; NULL: there are none. */
    int (*derive)(void *user, double t, double h);
    /* A rate of convergence of Newton's method, above rounding; may be NULL. */
    void (*note_rate)(void *user, double rate);
    /* Numbers of n states each: h f of the stages, of this step and of the last one; a stage. */
    double *k[ESDIRK_STAGES], *before[ESDIRK_STAGES];
    double *x, *base, *z, *delta;
    double *scale;        /* absolute error allowed per state */
    double tolerance;     /* relative to the states; scale is a multiple of it */
    const RungSums *sums; /* NULL: errors of states alone                      */
    double least_change;  /* rounding errors of corrections, relative to the states */
    double *x_old;        /* where the step began                                           */
    double t_old;
    double h_before; /* of `before`; 0: there is no last step                              */
    /* Newton's method. by_model: J is of the iterate and chooses no pivots. */
    int by_model;
    int is_tried; /* the rate of this Jacobian has been measured */
    int has_lost; /* by cancellation: a matrix factored with pivoting has to replace it */
    /* residual of the stage before a correction, relative to scale; 0 once is_tried */
    double defect;
    double worst_rate; /* of convergence, since J was made                                 */
    double eta;        /* rate / (1 - rate) of the last stage                              */
    double curvature;  /* by_model: a correction / (the one before)^2; 0: unknown          */
    /* Inside the last step. */
    double *dense[ESDIRK_DEGREE];
    /* corrections of stiff components inside the step, and at its ends */
    double *move, *end_move[2];
    double *kept; /* first guesses of blocks, saved during an interpolation */
    int has_dense, has_ends, is_stiff;
} RungEsdirk;

#define ESDIRK_CLOSE 0.02 /* error allowed for Newton's method, relative to the tolerance */

/* The largest of the first n of v against the scale, sums of states among them; infinite if one is
 * NaN or infinite. */
RUNG_PART double rung_esdirk_norm(const RungEsdirk *it, uint32_t n, const double *v)
{
    double most = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double r = fabs(v[i]) / it->scale[i];
        if (!(r <= DBL_MAX))
            return INFINITY;
        most = fmax(most, r);
    }
    return fmax(most, rung_sums_norm(it->sums, v, it->tolerance));
}

/* The error after a correction of this size, extrapolated from earlier corrections. With a constant
 * matrix the error shrinks by a fixed rate. by_model the matrix is the Jacobian at the iterate, so
 * the error is quadratic in the correction, and the rate of a small correction does not hold for a
 * large one. */
RUNG_PART double rung_esdirk_left(const RungEsdirk *it, double size)
{
    const double safe = 4;
    if (!it->by_model)
        return it->eta * size;
    return it->curvature > 0 ? fmin(1, safe * it->curvature * size) * size : size;
}

/* Newton's method for a stage at t: base and the first guess z are given. 0, positive: not with
 * this step, negative: stop. */
RUNG_PART int rung_esdirk_solve(RungEsdirk *it, double t, double h)
{
    enum { ITERATIONS = 8 };
    // the curvature was measured along the corrections of another stage and may be larger here
    const double elsewhere = 10;
    /* Corrections this small against the tolerance that do not shrink by this much are noise: the
     * model's own iteration, whose matrix is exact, has lost the digits. */
    const double near = 1, noisy = 0.3;
    double before = 0;
    it->eta = pow(fmax(it->eta, DBL_EPSILON), 0.8);
    it->curvature *= elsewhere;
    for (int round = 0; round < ITERATIONS; round++) {
        const int status = it->correct(it->user, t, h, NULL);
        double size;
        int rounding = 1, is_sure;
        if (status > 0 && it->by_model)
            it->has_lost = 1;
        if (status)
            return status;
        size = rung_esdirk_norm(it, it->n_own, it->delta);
        if (!(size <= DBL_MAX))
            return 1;
        for (uint32_t i = 0; i < it->n_own; i++) {
            rounding = rounding && fabs(it->delta[i]) <= 4 * DBL_EPSILON * fabs(it->x[i]);
            it->z[i] += it->delta[i];
            it->x[i] = it->base[i] + it->z[i];
        }
        if (round > 0) {
            const double rate = size / before;
            const int is_least = size * it->tolerance <= it->least_change;
            // the error after the last round at this rate
            const int more = ITERATIONS - 1 - round;
            if (it->by_model && before <= near && rate > noisy && !is_least) {
                it->has_lost = 1;
                return 1;
            }
            // corrections that do not shrink any more where only rounding is left
            rounding = rounding || (rate > 0.5 && is_least);
            it->worst_rate = fmax(it->worst_rate, rounding ? 0 : rate);
            if (it->note_rate && !rounding)
                it->note_rate(it->user, rate);
            if (rate >= 1 && !rounding)
                return 1;
            it->eta = rate < 1 ? rate / (1 - rate) : 1;
            it->is_tried = 1;
            it->curvature = rate / before;
            if (!it->by_model && !rounding &&
                pow(rate, (double)more) * it->eta * size > ESDIRK_CLOSE)
                return 1;
        }
        // with far too large entries in a new matrix any correction would be small
        is_sure = it->by_model || it->is_tried || it->defect <= ESDIRK_CLOSE;
        if (is_sure && (rounding || rung_esdirk_left(it, size) <= ESDIRK_CLOSE))
            return 0;
        before = size;
    }
    return 1;
}

/* A first guess of k of the stage: the polynomial through derivatives near it in time, of stages of
 * this step and of the last one; none so near to another that their difference is multiplied. */
RUNG_PART void rung_esdirk_predict(const RungEsdirk *it, int stage, double h, double *k)
{
    enum { MOST = 4, LAST = ESDIRK_STAGES - 1 };
    const double apart = 0.1; /* of the step                            */
    const double wild = 20;   /* sum of |weights|, by which errors grow */
    double at[MOST], weight[MOST] = {0};
    const double *value[MOST];
    double times[MOST]; /* h f of this step against that of the point's */
    const double c = esdirk_c[stage];
    int n = 0;
    while (n < MOST) {
        int best = -1;
        double distance = INFINITY;
        // those of this step, then of the last one, whose end is where this one begins
        for (int s = 0; s < stage + (it->h_before > 0 ? LAST : 0); s++) {
            const double where =
                s < stage ? esdirk_c[s] : (esdirk_c[s - stage] - 1) * it->h_before / h;
            int near = 0;
            for (int i = 0; i < n; i++)
                near = near || fabs(where - at[i]) < apart;
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
        if (n <= 1 || sum <= wild)
            break;
    }
    memset(k, 0, it->n_own * sizeof *k);
    for (int s = 0; s < n; s++)
        for (uint32_t i = 0; i < it->n_own; i++)
            k[i] += weight[s] * times[s] * value[s][i];
}

/* base, and z and x by the first guess, of stage s of the step from x. */
RUNG_PART void rung_esdirk_begin(RungEsdirk *it, int s, double h, const double *x)
{
    uint32_t i = 0;
    rung_esdirk_predict(it, s, h, it->k[s]);
    // four at a time, of which compilers make vectors
    for (; i + 4 <= it->n; i += 4) {
        double a = 0, b = 0, c = 0, d = 0, *to = it->base + i;
        for (int j = 0; j < s; j++) {
            const double w = esdirk_a[s][j], *k = it->k[j] + i;
            a += w * k[0];
            b += w * k[1];
            c += w * k[2];
            d += w * k[3];
        }
        a += x[i];
        b += x[i + 1];
        c += x[i + 2];
        d += x[i + 3];
        to[0] = a;
        to[1] = b;
        to[2] = c;
        to[3] = d;
    }
    for (; i < it->n; i++) {
        double sum = 0;
        for (int j = 0; j < s; j++)
            sum += esdirk_a[s][j] * it->k[j][i];
        it->base[i] = x[i] + sum;
    }
    for (i = 0; i < it->n_own; i++) {
        it->z[i] = esdirk_gamma * it->k[s][i];
        it->x[i] = it->base[i] + it->z[i];
    }
    // those behind follow from base
    memcpy(it->x + i, it->base + i, (it->n - i) * sizeof *x);
}

/* The estimated error of state i, as the formula has it. */
RUNG_PART double rung_esdirk_error(const RungEsdirk *it, uint32_t i)
{
    double sum = 0;
    for (int s = 0; s < ESDIRK_STAGES; s++)
        sum += esdirk_error[s] * it->k[s][i];
    return sum;
}

/* The stages become those of the last step, which went from x_old by h. */
RUNG_PART void rung_esdirk_keep(RungEsdirk *it, double t, double h)
{
    for (int s = 0; s < ESDIRK_STAGES; s++) {
        double *old = it->before[s];
        it->before[s] = it->k[s];
        it->k[s] = old;
    }
    it->t_old = t;
    it->h_before = h;
    it->has_dense = it->has_ends = 0;
}

RUNG_PART void rung_esdirk_polynomial(RungEsdirk *it, double theta, double *x)
{
    for (int d = 0; d < ESDIRK_DEGREE && !it->has_dense; d++)
        for (uint32_t i = 0; i < it->n; i++) {
            double sum = 0;
            for (int s = 0; s < ESDIRK_STAGES; s++)
                sum += esdirk_dense[s][d] * it->before[s][i];
            it->dense[d][i] = sum;
        }
    it->has_dense = 1;
    for (uint32_t i = 0; i < it->n; i++)
        x[i] =
            it->x_old[i] + theta * (it->dense[0][i] +
                                    theta * (it->dense[1][i] +
                                             theta * (it->dense[2][i] + theta * it->dense[3][i])));
}

/* h times the derivative of the polynomial, of state i. After rung_esdirk_polynomial. */
RUNG_PART double rung_esdirk_slope(const RungEsdirk *it, double theta, uint32_t i)
{
    double slope = 0;
    for (int d = ESDIRK_DEGREE; d > 0; d--)
        slope = slope * theta + (double)d * it->dense[d - 1][i];
    return slope;
}

/* For stiff components the polynomial through the derivatives of the stages is of low order only.
 * (I - gamma h J)^-1 gamma h (f(t, x) - x'), x' being the derivative of the polynomial, moves them
 * to the slow solution; other components change by no more than the order of the polynomial's own
 * error. by_model the residual suffers cancellation where h J is large, so that a correction leaves
 * a share of itself; the next one removes it. */
RUNG_PART void rung_esdirk_find_move(RungEsdirk *it, double theta, const double *x, double *move)
{
    enum { CORRECTIONS = 3 };
    const size_t size = it->ctx->model->n_unknowns * sizeof *it->kept;
    for (uint32_t i = 0; i < it->n; i++) {
        it->x[i] = x[i];
        it->z[i] = esdirk_gamma * rung_esdirk_slope(it, theta, i);
        it->base[i] = x[i] - it->z[i];
    }
    memcpy(it->kept, it->ctx->z, size);
    for (int round = 0; round < CORRECTIONS; round++) {
        if (it->correct(it->user, it->t_old + theta * it->h_before, it->h_before, NULL))
            break;
        for (uint32_t i = 0; i < it->n_own; i++) {
            it->x[i] += it->delta[i];
            it->z[i] += it->delta[i];
        }
        if (rung_esdirk_norm(it, it->n_own, it->delta) <= ESDIRK_CLOSE)
            break;
    }
    if (it->derive && it->derive(it->user, it->t_old + theta * it->h_before, it->h_before))
        memcpy(it->x + it->n_own, x + it->n_own, (it->n - it->n_own) * sizeof *x);
    for (uint32_t i = 0; i < it->n; i++)
        move[i] = it->x[i] - x[i];
    memcpy(it->ctx->z, it->kept, size);
}

/* A stiff state off its slow solution at the start of the step reaches it almost at once: its
 * derivative at the start is unrelated to the later ones. */
RUNG_PART int rung_esdirk_runs_there(const RungEsdirk *it, uint32_t i)
{
    const double alike = 0.1, end = it->before[ESDIRK_STAGES - 1][i];
    return fabs(it->dense[0][i] - end) < alike * fabs(it->before[0][i] - end);
}

/* x of the polynomial, with stiff components moved to the slow solution. At the ends of the step
 * the states are those of the step itself: a jump of the dense output there, however small, would
 * make relations cross zero at each event again. Hence the moves found at the two ends are
 * subtracted, with weights that decay towards the other end. The matrix of `correct` is that of the
 * step. */
RUNG_PART void rung_esdirk_follow(RungEsdirk *it, double theta, double *x)
{
    enum { FADES = 8 };
    double first, last;
    for (int end = 0; end < 2 && !it->has_ends; end++) {
        rung_esdirk_polynomial(it, (double)end, it->move);
        rung_esdirk_find_move(it, (double)end, it->move, it->end_move[end]);
        for (uint32_t i = 0; i < it->n && end == 0; i++)
            if (rung_esdirk_runs_there(it, i))
                it->end_move[0][i] = 0;
    }
    it->has_ends = 1;
    rung_esdirk_find_move(it, theta, x, it->move);
    first = pow(1 - theta, FADES);
    last = pow(theta, FADES);
    for (uint32_t i = 0; i < it->n; i++)
        x[i] += it->move[i] - first * it->end_move[0][i] - last * it->end_move[1][i];
}

#endif
