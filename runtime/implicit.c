/* SPDX-License-Identifier: BSD-3-Clause */
#include "implicit.h"
#include "jacobian.h"
#include "newton_step.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the inverse inertia of a constraint, against the largest: a constraint that no force moves has
 * a penalty all the same. */
static const double LIGHTEST = 1e-3;

enum { ITERATIONS = 60, PATIENT = 5 };
static const double FAR = 0.03, NEAR = 1e-3, CONTRADICTION = 1e-6;

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
    free(it->penalty);
    free(it->inertia);
    free(it->trial);
    free(it->delta);
    free(it->guess);
    free(it->work);
    free(it->y);
}

bool implicit_open(Implicit *it, Run *run)
{
    *it = (Implicit){.run = run, .loops = run->loops, .n = run->n};
    it->reuse = run->options->jacobian_reuse ? run->options->jacobian_reuse : 3;
    size_t entries = 0;
    if (it->loops) {
        const RungLoops *l = it->loops->l;
        it->m = it->loops->m;
        it->k = it->loops->k;
        entries = l->phi_x_pattern.col_start[it->n];
        if (l->phi_v_pattern.col_start[it->n] > entries)
            entries = l->phi_v_pattern.col_start[it->n];
    }
    const RungJacobian *j = run->model->jacobian;
    if (j && j->pattern.col_start[it->n] > entries)
        entries = j->pattern.col_start[it->n];
    it->s = it->n + it->k;
    size_t s = it->s;
    it->f = calloc(s + 1, sizeof(double));
    it->r = calloc(s + 1, sizeof(double));
    it->c = calloc((size_t)it->m + 1, sizeof(double));
    it->probe = calloc(s + it->n + 2, sizeof(double));
    it->entry = calloc(entries + 1, sizeof(double));
    it->by_position = calloc(
        it->loops ? it->loops->l->phi_x_pattern.col_start[it->n] + (size_t)1 : 1, sizeof(double));
    it->foreseen = calloc((size_t)it->m + 1, sizeof(double));
    it->multiplier = calloc((size_t)it->m + 1, sizeof(double));
    it->penalty = calloc((size_t)it->m + 1, sizeof(double));
    it->inertia = calloc((size_t)it->m + 1, sizeof(double));
    it->y = calloc((size_t)it->m + it->k + 1, sizeof(double));
    it->trial = calloc(s + it->m + it->k + 1, sizeof(double));
    it->delta = calloc(s + it->m + 1, sizeof(double));
    it->structured = run->model->newton && run->model->newton->step &&
                     run->options->jacobian == JACOBIAN_ANALYTIC;
    it->guess = calloc(it->n + 2 * (size_t)it->m + it->k + 1, sizeof(double));
    it->work = calloc(jacobian_work(run), sizeof(double));
    if (it->work && it->guess && it->delta && it->f && it->r && it->c && it->probe && it->entry &&
        it->by_position && it->foreseen && it->multiplier && it->penalty && it->inertia && it->y &&
        it->trial)
        return true;
    implicit_close(it);
    return false;
}

/* For a matrix of the runtime's own, which takes O(n^2): made when it is needed. */
static bool make_room(Implicit *it)
{
    if (it->jacobian)
        return true;
    size_t s = it->s;
    it->by_input = calloc(s * ((size_t)it->m + it->k) + 1, sizeof(double));
    it->jacobian = calloc(s * it->n + 1, sizeof(double));
    return it->jacobian && it->by_input && factor_open(&it->matrix, it->s, NULL, NULL);
}

/* (xdot, balance) with the inputs y. */
static int evaluate(Implicit *it, double t, const double *x, const double *y, double *g)
{
    return it->loops ? loops_g(it->run, t, x, y, g) : run_xdot(it->run, t, x, g);
}

/* d(xdot, balance)/dx at (t, x) with the multipliers as they are. What the penalty adds to them is
 * left out, as in Callejo's eq. 20: far from the constraints it is large and means nothing. */
static int renew_jacobian(Implicit *it, double t, const double *x)
{
    Run *run = it->run;
    uint32_t s = it->s;
    double *y = it->trial, *base = it->trial + it->m + it->k;
    if (!make_room(it))
        return -1;
    run->s->jacobians++;
    for (uint32_t i = 0; i < it->m; i++)
        y[i] = -it->multiplier[i];
    for (uint32_t i = it->m; i < it->m + it->k; i++)
        y[i] = it->y[i];
    if (jacobian_is_sparse(run)) {
        const RungJacobian *own = run->model->jacobian;
        int status = jacobian_entries(run, t, x, y, it->entry, it->work);
        if (status)
            return status;
        memset(it->jacobian, 0, (size_t)s * it->n * sizeof *it->jacobian);
        for (uint32_t c = 0; c < it->n; c++)
            for (uint32_t e = own->pattern.col_start[c]; e < own->pattern.col_start[c + 1]; e++)
                it->jacobian[own->pattern.row[e] + (size_t)c * s] = it->entry[e];
        return 0;
    }
    double *moved = it->probe, *g = it->probe + it->n + 1;
    memcpy(moved, x, it->n * sizeof *x);
    int known = evaluate(it, t, x, y, base);
    if (known)
        return known;
    for (uint32_t c = 0; c < it->n; c++) {
        double h = sqrt(DBL_EPSILON) * fmax(fabs(x[c]), run->model->nominal[c]);
        moved[c] = x[c] + h;
        h = moved[c] - x[c];
        int status = evaluate(it, t, moved, y, g);
        if (status)
            return status;
        double *column = it->jacobian + (size_t)c * s;
        for (uint32_t i = 0; i < s; i++)
            column[i] = (g[i] - base[i]) / h;
        moved[c] = x[c];
    }
    return 0;
}

int implicit_inputs(Implicit *it)
{
    if (!it->loops)
        return 0;
    if (!make_room(it))
        return -1;
    memcpy(it->by_input, it->loops->g, (size_t)it->s * (it->m + it->k) * sizeof *it->by_input);
    return 0;
}

/* Adds what a multiplier does that follows its constraint by push = d lambda / d x. */
static void add_push(const Implicit *it, uint32_t constraint, double gamma, double push,
                     double *column)
{
    const double *w = it->by_input + (size_t)constraint * it->s;
    for (uint32_t i = 0; i < it->n; i++)
        column[i] -= gamma * w[i] * push;
    for (uint32_t i = it->n; i < it->s; i++)
        column[i] += w[i] * push;
}

/* phi' depends on positions too, which matters where it hardly depends on velocities: in singular
 * positions, and in what is redundant. it->c is phi' at x. By differences. */
static int add_positions(Implicit *it, double t, const double *x, double gamma)
{
    const RungLoops *l = it->loops->l;
    const RungPattern *p = &l->phi_x_pattern;
    double *moved = it->probe, *c = it->delta, *a = factor_matrix(&it->matrix);
    memcpy(moved, x, it->n * sizeof *x);
    for (uint32_t k = 0; k < it->n; k++) {
        if (p->col_start[k] == p->col_start[k + 1])
            continue;
        moved[k] = x[k] + sqrt(DBL_EPSILON) * fmax(fabs(x[k]), it->run->model->nominal[k]);
        int status = l->phi_dot(it->run->ctx, t, moved, c);
        if (status)
            return status;
        for (uint32_t e = p->col_start[k]; e < p->col_start[k + 1]; e++) {
            uint32_t row = p->row[e];
            it->by_position[e] = (c[row] - it->c[row]) / (moved[k] - x[k]);
            add_push(it, row, gamma, -it->penalty[row] * it->by_position[e], a + (size_t)k * it->s);
        }
        moved[k] = x[k];
    }
    return 0;
}

static int renew_matrix(Implicit *it, double t, const double *x, double gamma, Closing how)
{
    uint32_t s = it->s, n = it->n;
    double *a = factor_matrix(&it->matrix);
    memset(a, 0, (size_t)s * s * sizeof *a);
    for (uint32_t c = 0; c < n; c++) {
        const double *j = it->jacobian + (size_t)c * s;
        double *to = a + (size_t)c * s;
        for (uint32_t i = 0; i < n; i++)
            to[i] = -gamma * j[i];
        for (uint32_t i = n; i < s; i++)
            to[i] = j[i];
        to[c] += 1;
    }
    if (it->loops) {
        const RungLoops *l = it->loops->l;
        const RungPattern *p = how.of_velocities ? &l->phi_v_pattern : &l->phi_x_pattern;
        int status = (how.of_velocities ? l->phi_v : l->phi_x)(it->run->ctx, t, x, it->entry);
        if (status)
            return status;
        for (uint32_t c = 0; c < n; c++) {
            double *to = a + (size_t)c * s;
            for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
                add_push(it, p->row[e], gamma, -it->penalty[p->row[e]] * it->entry[e], to);
        }
        status = how.of_velocities ? add_positions(it, t, x, gamma) : 0;
        if (status)
            return status;
        for (uint32_t b = 0; b < it->k; b++) {
            const double *w = it->by_input + (size_t)(it->m + b) * s;
            for (uint32_t i = 0; i < n; i++)
                a[i + (size_t)(n + b) * s] = -gamma * w[i];
        }
    }
    it->run->s->factorisations++;
    it->gamma = gamma;
    it->fits = true;
    return !factor_make(&it->matrix);
}

/* What the solution r of the matrix leaves of the constraints to first order; it->c is at x. */
static void foresee(Implicit *it, bool of_velocities)
{
    const RungLoops *l = it->loops->l;
    const RungPattern *p = of_velocities ? &l->phi_v_pattern : &l->phi_x_pattern;
    memcpy(it->foreseen, it->c, it->m * sizeof *it->c);
    for (uint32_t c = 0; c < it->n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            it->foreseen[p->row[e]] += it->entry[e] * it->r[c];
    p = &l->phi_x_pattern;
    for (uint32_t c = 0; c < it->n && of_velocities; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            it->foreseen[p->row[e]] += it->by_position[e] * it->r[c];
}

static int linearised_inputs(Implicit *it, double t, const double *x)
{
    int status = loops_linearise(it->run, t, x);
    return status ? status : implicit_inputs(it);
}

int implicit_inertia(Implicit *it, bool of_velocities)
{
    if (!it->loops)
        return 0;
    Loops *l = it->loops;
    bool full = !it->structured || of_velocities;
    // steps of index 2 end with a projection, which has linearised
    bool kept = of_velocities && l->g && !l->by_newton;
    int status = full && !kept ? loops_linearise(it->run, it->run->t, it->run->x) : 0;
    if (full && !status)
        status = implicit_inputs(it);
    if (full && !status)
        loops_diagonal(l, it->inertia);
    else if (!full)
        status = loops_mobility(it->run, it->run->t, it->run->x, it->inertia);
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

void implicit_apply(const Implicit *it, double *r)
{
    factor_solve(&it->matrix, r);
}

int implicit_structured(Implicit *it, double t, const double *x, const double *y, double gamma,
                        const double *base, double weight, const double *s)
{
    NewtonGiven given = {gamma, weight, base, it->penalty, s};
    it->run->s->operations = it->run->model->newton->operations;
    return newton_step(it->run, t, x, y, &given, it->delta);
}

void implicit_unstructure(Implicit *it)
{
    it->structured = it->has_jacobian = false;
    it->pause = it->pause ? 2 * it->pause : 4;
    it->left = it->pause;
}

static int give_up(Implicit *it, const char *what)
{
    snprintf(it->run->why, sizeof it->run->why, "%s", what);
    return 1;
}

static int iterate(Implicit *it, double t, const double *base, double gamma, Closing how, double *x)
{
    Run *run = it->run;
    const RungLoops *l = it->loops ? it->loops->l : NULL;
    bool structured = it->structured && !(l && how.of_velocities);
    double size_before = INFINITY, worst_last = INFINITY;
    double left = 0, left_before = 0; // of the constraints, by the forces of a solution
    int idle = 0;
    bool followed = !l;
    it->rate = 0;
    for (int round = 0; round < ITERATIONS; round++) {
        double worst = 0, off = 0;
        bool follow = false;
        if (l) {
            int status = (how.of_velocities ? l->phi_dot : l->phi)(run->ctx, t, x, it->c);
            if (status) {
                run_explain(run, run->why, sizeof run->why);
                return status;
            }
            follow = how.augmented && size_before <= NEAR;
            followed = followed || follow || !how.augmented;
            for (uint32_t i = 0; i < it->m; i++) {
                // what is beyond the last solution is Newton's to take away, no force is wrong
                if (follow)
                    it->multiplier[i] += it->penalty[i] * it->foreseen[i];
                it->y[i] = -(it->multiplier[i] + it->penalty[i] * it->c[i]);
                worst = fmax(worst, fabs(it->c[i]));
                if (round > 0)
                    off = fmax(off, fabs(it->c[i] - it->foreseen[i]));
            }
        }
        // a step of Newton's method leaves of the constraints what is quadratic in it
        if (structured && off > fmax(1e-6, 0.3 * size_before))
            return give_up(it, "Newton's matrix lost its digits");
        int status = 0;
        if (structured) {
            // with the multipliers alone; what the penalties add is part of what is solved for
            for (uint32_t i = 0; i < it->m; i++) {
                it->c[i] *= -it->penalty[i];
                it->y[i] = -it->multiplier[i];
            }
            if (implicit_structured(it, t, x, it->y, gamma, base, 1, it->c))
                return give_up(it, "a pivot of Newton's matrix vanished");
            memcpy(it->r, it->delta, it->s * sizeof *it->r);
        } else {
            status = evaluate(it, t, x, it->y, it->f);
        }
        if (status) {
            run_explain(run, run->why, sizeof run->why);
            return status;
        }
        bool stale =
            !structured && (it->age >= (round < PATIENT ? it->reuse : 1) || !it->has_jacobian);
        if (stale) {
            status = renew_jacobian(it, t, x);
            if (l && (round > 0 || !it->by_input) && !status) {
                status = linearised_inputs(it, t, x);
            }
            if (status) {
                run_explain(run, run->why, sizeof run->why);
                return status;
            }
            it->age = 0;
            it->has_jacobian = true;
            it->fits = false;
        }
        if (!structured) {
            if ((l || !it->fits || it->gamma != gamma) && renew_matrix(it, t, x, gamma, how))
                return give_up(it, "the matrix of Newton's method cannot be solved");
            for (uint32_t i = 0; i < it->n; i++)
                it->r[i] = base[i] + gamma * it->f[i] - x[i];
            for (uint32_t i = it->n; i < it->s; i++)
                it->r[i] = -it->f[i];
            implicit_apply(it, it->r);
        }
        run->s->iterations++;
        it->age++;
        double size = 0;
        for (uint32_t i = 0; i < it->n; i++) {
            x[i] += it->r[i];
            size = fmax(size, fabs(it->r[i]) / (run->model->nominal[i] + fabs(x[i])));
        }
        for (uint32_t i = it->n; i < it->s; i++)
            it->y[it->m + i - it->n] += it->r[i];
        if (l && structured)
            for (uint32_t i = 0; i < it->m; i++)
                it->foreseen[i] = -it->delta[it->s + i] / it->penalty[i];
        else if (l)
            foresee(it, how.of_velocities);
        // from here on of the new iterate: forces that lag behind do work
        left_before = left;
        left = 0;
        for (uint32_t i = 0; i < it->m; i++) {
            it->y[i] = -(it->multiplier[i] + it->penalty[i] * it->foreseen[i]);
            left = fmax(left, fabs(it->foreseen[i]));
        }
        if (follow && left_before > 1e-10 && off <= 0.1 * left_before)
            it->rate = left / left_before;
        if (!isfinite(size))
            return give_up(it, "Newton's method does not stay finite");
        // what is still to come, by the rate of the last two (Hairer and Wanner, IV.8)
        double share = size / size_before;
        double rest = round > 0 && share < 1 ? size * share / (1 - share) : size;
        // rounding of the constraints, times their penalty, keeps forces and their integrals moving
        idle = size >= 0.5 * size_before ? idle + 1 : 0;
        bool still =
            (rest <= 1e-11 && followed) || (size <= 1e-9 && idle > 0) || (size <= 1e-7 && idle > 3);
        // redundant constraints contradict each other off their positions: what no force takes away
        bool stays = worst > 0.9 * worst_last && worst <= CONTRADICTION;
        if (still && (!l || !how.augmented || worst <= 1e-11 || stays))
            return 0;
        worst_last = worst;
        // what is kept no longer fits
        if ((size > 0.3 * size_before && size > 1e-9) || size > FAR)
            it->age = it->reuse;
        size_before = size;
    }
    return give_up(it, "Newton's method did not converge");
}

int implicit_solve(Implicit *it, double t, const double *base, double gamma, Closing how, double *x)
{
    if (it->left > 0)
        it->structured = --it->left == 0;
    if (!it->structured || (it->loops && how.of_velocities))
        return iterate(it, t, base, gamma, how, x);
    double *guess = it->guess, *multiplier = it->guess + it->n, *y = multiplier + it->m;
    memcpy(guess, x, it->n * sizeof *x);
    memcpy(multiplier, it->multiplier, it->m * sizeof *x);
    memcpy(y, it->y, ((size_t)it->m + it->k) * sizeof *x);
    int status = iterate(it, t, base, gamma, how, x);
    if (status <= 0)
        return status;
    implicit_unstructure(it);
    memcpy(x, guess, it->n * sizeof *x);
    memcpy(it->multiplier, multiplier, it->m * sizeof *x);
    memcpy(it->y, y, ((size_t)it->m + it->k) * sizeof *x);
    status = it->loops ? linearised_inputs(it, t, x) : 0;
    if (status < 0)
        return status;
    return iterate(it, t, base, gamma, how, x);
}
