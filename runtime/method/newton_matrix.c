/* SPDX-License-Identifier: BSD-3-Clause */
#include "jacobian.h"
#include "newton_solver.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounds with a Jacobian that is kept, before one is made for each. */
enum { PATIENT = 5 };

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
    return it->loops ? loops_g(&it->run->problem, t, x, y, g)
                     : problem_xdot(&it->run->problem, t, x, g);
}

/* d(xdot, balance)/dx at (t, x) with the multipliers as they are. What the penalty adds to them is
 * left out, as in Callejo's eq. 20: far from the constraints it is large and means nothing. */
static int renew_jacobian(Implicit *it, double t, const double *x)
{
    Run *run = it->run;
    uint32_t s = it->s;
    double *y = it->perturbed, *base = it->perturbed + it->m + it->k;
    if (!make_room(it))
        return -1;
    run->problem.counts->jacobians++;
    for (uint32_t i = 0; i < it->m; i++)
        y[i] = -it->multiplier[i];
    for (uint32_t i = it->m; i < it->m + it->k; i++)
        y[i] = it->y[i];
    if (jacobian_is_sparse(&run->problem)) {
        const RungJacobian *own = run->problem.model->jacobian;
        int status = jacobian_entries(&run->problem, t, x, y, it->entry, it->work);
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
        double h = sqrt(DBL_EPSILON) * fmax(fabs(x[c]), run->problem.model->nominal[c]);
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
    loops_inputs(it->loops, it->by_input);
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
        moved[k] = x[k] + sqrt(DBL_EPSILON) * fmax(fabs(x[k]), it->run->problem.model->nominal[k]);
        int status = l->phi_dot(it->run->problem.ctx, t, moved, c);
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
        int status =
            (how.of_velocities ? l->phi_v : l->phi_x)(it->run->problem.ctx, t, x, it->entry);
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
    it->run->problem.counts->factorisations++;
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
    int status = loops_linearise(&it->run->problem, t, x);
    return status ? status : implicit_inputs(it);
}

void implicit_apply(const Implicit *it, double *r)
{
    factor_solve(&it->matrix, r);
}

/* Of the derivatives some are kept for rounds and steps (Callejo 2014, after eq. 26). */
static int renew_if_stale(Implicit *it, const Formula *f, const double *x, int round)
{
    uint32_t serves = round < PATIENT ? it->reuse : 1;
    if (it->has_jacobian && it->age < serves)
        return 0;
    int status = renew_jacobian(it, f->t, x);
    if (it->loops && (round > 0 || !it->by_input) && !status)
        status = linearised_inputs(it, f->t, x);
    it->age = 0;
    it->has_jacobian = status == 0;
    it->fits = false;
    return status;
}

static int correct_by_matrix(Implicit *it, const Formula *f, const double *x, int round)
{
    // residual
    for (uint32_t i = 0; i < it->m; i++)
        it->y[i] = -(it->multiplier[i] + it->penalty[i] * it->c[i]);
    int status = evaluate(it, f->t, x, it->y, it->f);
    // setup
    status = status ? status : renew_if_stale(it, f, x, round);
    if (status)
        return newton_unknown_here(it, status);
    bool fits = !it->loops && it->fits && it->gamma == f->gamma;
    if (!fits && renew_matrix(it, f->t, x, f->gamma, f->how))
        return newton_give_up(it, "the matrix of Newton's method cannot be solved");
    // solve
    for (uint32_t i = 0; i < it->n; i++)
        it->r[i] = f->base[i] + f->gamma * it->f[i] - x[i];
    for (uint32_t i = it->n; i < it->s; i++)
        it->r[i] = -it->f[i];
    implicit_apply(it, it->r);
    if (it->loops)
        foresee(it, f->how.of_velocities);
    return 0;
}

const NewtonSolver newton_by_matrix = {.chooses_pivots = true, .correct = correct_by_matrix};
