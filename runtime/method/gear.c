/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gear.c -- backward differentiation of variable order, 1 to 5, and variable step, by modified
 * divided differences with the leading coefficient fixed in a step (Brenan, Campbell, Petzold 1996,
 * chapter 5; Shampine and Gordon 1975), with closed loops in the stabilised form of index 2
 * (stabilised_newton.h).
 *
 * With d_1 = x, d_2 = (1st difference), ..., times the ratios of the lengths of steps:
 *
 *     predictor  x_0 = d_1 + ... + d_(k+1),    x_0' = gamma_1 d_1 + ... + gamma_(k+1) d_(k+1)
 *     formula    x' = x_0' - (alpha_s/h) (x - x_0),    alpha_s = -(1 + 1/2 + ... + 1/k)
 *     error      c_k (x - x_0)
 */
#include "stabilised_newton.h"
#include "step_control.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ORDER = 5, DIFFERENCES = MOST_ORDER + 2 };

typedef struct Gear {
    StabilisedNewton newton;
    Run *run;
    uint32_t n, n_y;
    double *d[DIFFERENCES + 1]; /* d[1] is x                              */
    double *x, *change, *base, *part;
    double *y, *y_last, *y_before, *y_guess; /* inputs of loops: of the step, the last two */
    double *memory;
    /* alpha, beta, gamma, sigma: of the present order and lengths of steps; psi: sums of these */
    double alpha[DIFFERENCES + 1], beta[DIFFERENCES + 1], gamma[DIFFERENCES + 1];
    double sigma[DIFFERENCES + 1], psi[DIFFERENCES + 1];
    int order, last_order;
    int same;   /* steps with this order and length */
    bool rises; /* at the start order and length grow in each step, until an error says no */
    double h, last_h;
    double t_before, t_last; /* of y_before, y_last */
    double error_scale;      /* c_k */
    double *weight;          /* n: the errors that the states may have */
} Gear;

static void gear_close(void *self)
{
    Gear *it = self;
    if (!it)
        return;
    stabilised_newton_close(&it->newton);
    free(it->memory);
    free(it);
}

/* Errors of a multistep method add up more than those of the one-step methods. */
static const double SHARE = 0.3;

static void weigh(Gear *it)
{
    for (uint32_t i = 0; i < it->n; i++)
        it->weight[i] = SHARE * run_scale(it->run, i, it->run->x[i]);
}

static double size_of(const void *self, const double *v)
{
    const Gear *it = self;
    double sum = 0;
    for (uint32_t i = 0; i < it->n; i++)
        sum += v[i] / it->weight[i] * (v[i] / it->weight[i]);
    double of_sums =
        rung_sums_norm(problem_sums(&it->run->problem), v, SHARE * run_step_tolerance(it->run));
    return it->n ? fmax(sqrt(sum / it->n), of_sums) : 0;
}

static double error_of(const void *self, uint32_t i)
{
    const Gear *it = self;
    return fabs(it->error_scale * it->change[i]) / it->weight[i];
}

static void *gear_open(Run *run)
{
    static const StepControl first = {.order = 2, .growth = 2};
    size_t n = run->problem.n + (size_t)1,
           n_y = run->problem.loops ? run->problem.loops->m + run->problem.loops->k + (size_t)1 : 1;
    Gear *it = calloc(1, sizeof *it);
    double *all = calloc((DIFFERENCES + 5) * n + 4 * n_y, sizeof *all);
    if (!it || !all || !stabilised_newton_open(&it->newton, run)) {
        free(it);
        free(all);
        return NULL;
    }
    it->memory = all;
    it->run = run;
    it->n = run->problem.n;
    it->n_y = (uint32_t)n_y - 1;
    for (size_t k = 1; k <= DIFFERENCES; k++)
        it->d[k] = all + (k - 1) * n;
    double **of_states[] = {&it->x, &it->change, &it->base, &it->part, &it->weight};
    for (size_t k = 0; k < 5; k++)
        *of_states[k] = all + (DIFFERENCES + k) * n;
    double **of_loops[] = {&it->y, &it->y_last, &it->y_before, &it->y_guess};
    for (size_t k = 0; k < 4; k++)
        *of_loops[k] = all + (DIFFERENCES + 5) * n + k * n_y;
    if (problem_xdot(&run->problem, run->t, run->x, it->d[2])) {
        problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
        gear_close(it);
        return NULL;
    }
    if (it->n_y)
        memcpy(it->y_last, run->problem.loops->y, it->n_y * sizeof *it->y_last);
    weigh(it);
    it->h = step_first(run, &first, run->stop - run->problem.piece_start, FIRST_SIZE, size_of, it,
                       it->d[2], it->x, it->part);
    memcpy(it->d[1], run->x, it->n * sizeof *run->x);
    for (uint32_t i = 0; i < it->n; i++)
        it->d[2][i] *= it->h;
    it->psi[1] = it->h;
    it->order = 1;
    it->rises = true;
    it->t_last = it->t_before = run->t;
    return it;
}

/* The coefficients of a step of length h, and the differences for it. Returns alpha_s. */
static double begin_step(Gear *it, double h)
{
    int k = it->order;
    it->same = h == it->last_h && k == it->last_order ? it->same + 1 : 1;
    it->same = it->same < it->last_order + 2 ? it->same : it->last_order + 2;
    if (k + 1 >= it->same) {
        it->beta[1] = it->alpha[1] = it->sigma[1] = 1;
        it->gamma[1] = 0;
        double sum = h;
        for (int i = 2; i <= k + 1; i++) {
            double before = it->psi[i - 1];
            it->psi[i - 1] = sum;
            it->beta[i] = it->beta[i - 1] * it->psi[i - 1] / before;
            sum = before + h;
            it->alpha[i] = h / sum;
            it->sigma[i] = (i - 1) * it->sigma[i - 1] * it->alpha[i];
            it->gamma[i] = it->gamma[i - 1] + it->alpha[i - 1] / h;
        }
        it->psi[k + 1] = sum;
    }
    double fixed = 0, variable = 0;
    for (int i = 1; i <= k; i++) {
        fixed -= 1. / i;
        variable -= it->alpha[i];
    }
    it->error_scale = fmax(fabs(it->alpha[k + 1] + fixed - variable), it->alpha[k + 1]);
    for (int j = it->same + 1; j <= k + 1; j++)
        for (uint32_t i = 0; i < it->n; i++)
            it->d[j][i] *= it->beta[j];
    return fixed;
}

/* As before begin_step. */
static void take_back(Gear *it, double h)
{
    int k = it->order;
    for (int j = it->same + 1; j <= k + 1; j++)
        for (uint32_t i = 0; i < it->n; i++)
            it->d[j][i] /= it->beta[j];
    for (int i = 2; i <= k + 1; i++)
        it->psi[i - 1] = it->psi[i] - h;
    it->same = 0;
    it->last_h = 0;
}

/* The inputs of the loops, as the last two steps continue. */
static void predict_inputs(Gear *it, double t)
{
    double span = it->t_last - it->t_before, share = span > 0 ? (t - it->t_last) / span : 0;
    for (uint32_t i = 0; i < it->n_y; i++)
        it->y_guess[i] = it->y_last[i] + share * (it->y_last[i] - it->y_before[i]);
}

/* x at t from the predicted value, y; it->change is the difference. With derivatives that are kept;
 * with new ones where that does not converge. */
static int solve(Gear *it, Run *run, double t, double h, double fixed)
{
    enum { MANY_ROUNDS = 6 };        // they cost more than a Jacobian
    static const double LEFT = 0.03; // of the error of a step
    StabilisedNewton *newton = &it->newton;
    double gamma = -h / fixed;
    double *guess = it->part;
    memset(guess, 0, it->n * sizeof *guess);
    memset(it->base, 0, it->n * sizeof *it->base);
    for (int j = 1; j <= it->order + 1; j++)
        for (uint32_t i = 0; i < it->n; i++) {
            guess[i] += it->d[j][i];
            it->base[i] -= gamma * it->gamma[j] * it->d[j][i];
        }
    for (uint32_t i = 0; i < it->n; i++)
        it->base[i] += guess[i];
    predict_inputs(it, t);
    bool is_new = false, failed = false;
    int status = 1;
    while (status > 0) {
        if (!newton->has_jacobian || failed || newton->rounds >= MANY_ROUNDS) {
            if (is_new)
                return status;
            status = stabilised_newton_renew(newton, t, guess, it->y_guess);
            is_new = true;
            if (status) {
                problem_explain(&run->problem, run->problem.why, sizeof run->problem.why);
                return status;
            }
        }
        memcpy(it->x, guess, it->n * sizeof *guess);
        memcpy(it->y, it->y_guess, it->n_y * sizeof *it->y);
        status =
            stabilised_newton_solve(newton, t, it->base, gamma, size_of, it, LEFT, it->x, it->y);
        failed = status > 0;
    }
    for (uint32_t i = 0; i < it->n; i++)
        it->change[i] = it->x[i] - guess[i];
    return status;
}

/* Errors at this order and the two below, and the order that is better. */
typedef struct Judged {
    double err;       /* in tolerances, of the step */
    double at, below; /* times order + 1, order */
    double best;      /* at the better order */
    int order;
} Judged;

static double size_with(Gear *it, int j, double sign)
{
    for (uint32_t i = 0; i < it->n; i++)
        it->part[i] = it->change[i] + sign * it->d[j][i];
    return size_of(it, it->part);
}

static Judged judge(Gear *it)
{
    int k = it->order;
    double size = size_of(it, it->change), here = it->sigma[k + 1] * size;
    Judged out = {it->error_scale * size, (k + 1) * here, 0, here, k};
    if (k == 1)
        return out;
    for (uint32_t i = 0; i < it->n; i++)
        it->part[i] = it->change[i] + it->d[k + 1][i];
    double lower = it->sigma[k] * size_of(it, it->part), most = out.below = k * lower;
    if (k > 2) {
        for (uint32_t i = 0; i < it->n; i++)
            it->part[i] += it->d[k][i];
        most = fmax(most, (k - 1) * it->sigma[k - 1] * size_of(it, it->part));
    }
    if (k > 2 ? most <= out.at : out.below <= 0.5 * out.at) {
        out.order = k - 1;
        out.best = lower;
    }
    return out;
}

/* Order and length of the next step, behind an accepted one. */
static void choose_next(Gear *it, double h, const Judged *now)
{
    int k = it->order, rose = k - it->last_order;
    double best = now->best;
    it->last_order = k;
    it->last_h = h;
    if (now->order == k - 1 || k == MOST_ORDER)
        it->rises = false;
    if (it->rises) {
        it->order = k + 1;
        it->h = 2 * h;
        return;
    }
    if (now->order == k - 1) {
        it->order = k - 1;
    } else if (k < MOST_ORDER && k + 1 < it->same && rose != 1) {
        double higher = size_with(it, k + 2, -1) / (k + 2), times = (k + 2) * higher;
        if (k > 1 && now->below <= fmin(now->at, times)) {
            it->order = k - 1;
            best = now->below / k;
        } else if (k > 1 ? times < now->at : times < 0.5 * now->at) {
            it->order = k + 1;
            best = higher;
        }
    }
    double grow = pow(2 * best + 1e-4, -1. / (it->order + 1));
    it->h = grow >= 2 ? 2 * h : grow <= 1 ? h * fmax(0.5, fmin(0.9, grow)) : h;
}

static void update(Gear *it)
{
    int k = it->last_order;
    if (k < MOST_ORDER)
        memcpy(it->d[k + 2], it->change, it->n * sizeof *it->change);
    for (uint32_t i = 0; i < it->n; i++)
        it->d[k + 1][i] += it->change[i];
    for (int j = k; j >= 1; j--)
        for (uint32_t i = 0; i < it->n; i++)
            it->d[j][i] += it->d[j + 1][i];
}

/* The next attempt, behind one whose error is too large or that has no solution. */
static double shorter(Gear *it, double h, bool failed, int times, const Judged *now)
{
    it->rises = false;
    if (failed)
        return 0.25 * h;
    it->order = times > 2 ? 1 : now->order;
    double share = 0.9 * pow(2 * now->best + 1e-4, -1. / (it->order + 1));
    return h * (times > 1 ? 0.25 : fmax(0.25, fmin(0.9, share)));
}

static int gear_step(void *self, Run *run)
{
    Gear *it = self;
    double h = it->h, t;
    int times = 0;
    Judged now = {0};
    weigh(it);
    for (;;) {
        run->h = h;
        double least = 16 * DBL_EPSILON * fmax(fabs(run->t), fabs(run->stop));
        bool last = run->t + 1.01 * h >= run->stop;
        h = last ? run->stop - run->t : h;
        t = last ? run->stop : run->t + h;
        int status = solve(it, run, t, h, begin_step(it, h));
        if (status < 0)
            return status;
        if (!status) {
            now = judge(it);
            times++;
            if (now.err <= 1)
                break;
        }
        take_back(it, h);
        run->problem.counts->rejected++;
        h = shorter(it, h, status != 0, times, &now);
        if (h < least) {
            run->h = h;
            if (!status)
                step_too_small(run, it->n, error_of, it);
            return 1;
        }
    }
    run->h = h;
    choose_next(it, h, &now);
    update(it);
    memcpy(run->x, it->d[1], it->n * sizeof *run->x);
    double *spare = it->y_before;
    it->y_before = it->y_last;
    it->y_last = it->y;
    it->y = spare;
    it->t_before = it->t_last;
    it->t_last = run->t = t;
    return 0;
}

/* The polynomial through the ends of the last steps. */
static void gear_at(void *self, const Run *run, double t, double *x)
{
    const Gear *it = self;
    double since = t - run->t, c = 1, ratio = since / it->psi[1];
    memcpy(x, it->d[1], it->n * sizeof *x);
    for (int j = 2; j <= it->last_order + 1; j++) {
        c *= ratio;
        ratio = (since + it->psi[j - 1]) / it->psi[j];
        for (uint32_t i = 0; i < it->n; i++)
            x[i] += c * it->d[j][i];
    }
}

static int gear_resume(void *self, const Run *run)
{
    (void)self, (void)run; // run->stop is read in each step
    return 0;
}

const Integrator integrator_gear = {
    .name = "gear",
    .text = "BDF of order 1 to 5, adaptive step; loops of index 2, stabilised",
    .open = gear_open,
    .step = gear_step,
    .at = gear_at,
    .close = gear_close,
    .resume = gear_resume,
    .growth = 2,
    .multistep = true,
    .has_no_derivatives = true,
    .needs = NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN,
};
