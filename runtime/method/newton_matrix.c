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

/* (xdot, balance) of the model with its inputs y, in room for all parts. */
static int evaluate(Implicit *it, double t, const double *x, const double *y, double *g)
{
    Run *run = it->run;
    if (!it->loops)
        return problem_xdot(&run->problem, t, x, g);
    loops_put_own(it->loops, run->problem.ctx, y);
    int status = problem_xdot_open(&run->problem, t, x, g);
    if (!status && it->loops->k > 0)
        status = problem_balance(&run->problem, t, x, g + run->problem.n);
    memmove(g + it->n, g + run->problem.n, it->k * sizeof *g);
    return status;
}

/* The row of the matrix for a row of the model's Jacobian; RUNG_NONE: a derivative by a parameter.
 */
static uint32_t own_row(const Implicit *it, uint32_t row)
{
    uint32_t n = it->run->problem.n;
    if (row >= n)
        return row - n < it->k ? it->n + row - n : RUNG_NONE;
    return row < it->n ? row : RUNG_NONE;
}

/* d(xdot, balance)/dx at (t, x) with the multipliers as they are. The penalty terms of the
 * multipliers are left out, as in Callejo's eq. 20: far from the constraints they are large and
 * meaningless. */
static int find_jacobian(Implicit *it, double t, const double *x)
{
    Run *run = it->run;
    uint32_t s = it->s;
    uint32_t n_y = it->loops ? it->loops->m + it->loops->k : 0;
    double *y = it->perturbed, *base = it->perturbed + n_y;
    if (!make_room(it))
        return -1;
    run->problem.counts->jacobians++;
    for (uint32_t i = 0; i < it->m; i++)
        y[i] = -it->multiplier[i];
    memcpy(y + it->m, it->y + it->m, it->k * sizeof *y);
    if (jacobian_is_sparse(&run->problem)) {
        const RungJacobian *own = run->problem.model->jacobian;
        if (it->loops) {
            memcpy(base, y, ((size_t)it->m + it->k) * sizeof *y);
            memset(y, 0, n_y * sizeof *y);
            loops_put_part(it->loops, 0, base, base + it->m, y);
        }
        int status = jacobian_entries(&run->problem, t, x, y, it->entry, it->work);
        if (status)
            return status;
        memset(it->jacobian, 0, (size_t)s * it->n * sizeof *it->jacobian);
        for (uint32_t c = 0; c < it->n; c++)
            for (uint32_t e = own->pattern.col_start[c]; e < own->pattern.col_start[c + 1]; e++)
                if (own_row(it, own->pattern.row[e]) != RUNG_NONE)
                    it->jacobian[own_row(it, own->pattern.row[e]) + (size_t)c * s] = it->entry[e];
        return 0;
    }
    double *moved = it->probe, *g = it->probe + run->problem.n + 1;
    memcpy(moved, x, run->problem.n * sizeof *x);
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

static int renew_jacobian(Implicit *it, double t, const double *x)
{
    ProfilePart before = profile_enter(it->run->problem.profile, PROFILE_JACOBIAN);
    int status = find_jacobian(it, t, x);
    profile_leave(it->run->problem.profile, before);
    return status;
}

int implicit_inputs(Implicit *it)
{
    if (!it->loops)
        return 0;
    if (!make_room(it))
        return -1;
    loops_inputs(it->linear, it->by_input);
    return 0;
}

/* Adds the derivative through a multiplier that follows its constraint, push = d lambda / d x. */
static void add_push(const Implicit *it, uint32_t constraint, double gamma, double push,
                     double *column)
{
    const double *w = it->by_input + (size_t)constraint * it->s;
    for (uint32_t i = 0; i < it->n; i++)
        column[i] -= gamma * w[i] * push;
    for (uint32_t i = it->n; i < it->s; i++)
        column[i] += w[i] * push;
}

/* Adds the derivative of phi' by positions, which matters where phi' hardly depends on velocities:
 * in singular positions, and in redundant constraints. it->c is phi' at x. By differences. */
static int add_positions(Implicit *it, double t, const double *x, double gamma)
{
    const RungLoops *l = it->loops->l;
    const RungPattern *p = &l->phi_x_pattern;
    double *moved = it->probe, *c = it->delta, *a = factor_matrix(&it->matrix);
    memcpy(moved, x, it->run->problem.n * sizeof *x);
    for (uint32_t k = 0; k < it->n; k++) {
        if (p->col_start[k] == p->col_start[k + 1])
            continue;
        moved[k] = x[k] + sqrt(DBL_EPSILON) * fmax(fabs(x[k]), it->run->problem.model->nominal[k]);
        int status = l->phi_dot(it->run->problem.ctx, t, moved, c);
        if (status)
            return status;
        for (uint32_t e = p->col_start[k]; e < p->col_start[k + 1]; e++) {
            uint32_t row = p->row[e];
            if (row >= it->m)
                continue;
            it->by_position[e] = (c[row] - it->c[row]) / (moved[k] - x[k]);
            add_push(it, row, gamma, -it->penalty[row] * it->by_position[e], a + (size_t)k * it->s);
        }
        moved[k] = x[k];
    }
    return 0;
}

static int find_matrix(Implicit *it, double t, const double *x, double gamma, Closing how)
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
                if (p->row[e] < it->m)
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

static int renew_matrix(Implicit *it, double t, const double *x, double gamma, Closing how)
{
    ProfilePart before = profile_enter(it->run->problem.profile, PROFILE_FACTORS);
    int status = find_matrix(it, t, x, gamma, how);
    profile_leave(it->run->problem.profile, before);
    return status;
}

/* Adds the first-order change of the constraints by the solution r to it->foreseen. */
static void foresee(Implicit *it, bool of_velocities, const double *r)
{
    const RungLoops *l = it->loops->l;
    const RungPattern *p = of_velocities ? &l->phi_v_pattern : &l->phi_x_pattern;
    for (uint32_t c = 0; c < it->n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            if (p->row[e] < it->m)
                it->foreseen[p->row[e]] += it->entry[e] * r[c];
    p = &l->phi_x_pattern;
    for (uint32_t c = 0; c < it->n && of_velocities; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            if (p->row[e] < it->m)
                it->foreseen[p->row[e]] += it->by_position[e] * r[c];
}

static int linearised_inputs(Implicit *it, double t, const double *x)
{
    int status = implicit_linearise(it, t, x);
    return status ? status : implicit_inputs(it);
}

void implicit_apply(const Implicit *it, double *r)
{
    Profile *profile = it->run->problem.profile;
    ProfilePart before = profile_enter(profile, PROFILE_SOLVE);
    factor_solve(&it->matrix, r);
    profile_leave(profile, before);
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
    // it->c is at x
    memcpy(it->foreseen, it->c, it->m * sizeof *it->c);
    if (it->loops)
        foresee(it, f->how.of_velocities, it->r);
    return 0;
}

static void apply(const void *user, double *r)
{
    implicit_apply(user, r);
}

/* As for the model's states: multipliers follow the constraints predicted by the last solution.
 * *size, *left: the largest correction, and the largest predicted constraint after it. */
static int correct_tangents(Implicit *it, const Formula *f, double *x, double *y, double *size,
                            double *left)
{
    Run *run = it->run;
    Tangents *of = &it->tangents;
    Loops *l = it->loops;
    const RungLoops *own = l->l;
    double *c = it->c, *r = of->r;
    int status = (f->how.of_velocities ? own->phi_dot : own->phi)(run->problem.ctx, f->t, x, c);
    for (uint32_t j = 0; j < of->n_by && !status; j++) {
        double part = own->part_size[j + 1], *push = of->push + (size_t)j * it->m;
        for (uint32_t i = 0; i < it->m; i++)
            push[i] -= it->penalty[i] * c[(j + 1) * it->m + i] / part;
        loops_put_part(l, j + 1, push, of->free + (size_t)j * it->k, y);
    }
    status = status ? status : loops_g(&run->problem, f->t, x, y, of->f);
    *size = *left = 0;
    for (uint32_t j = 0; j < of->n_by && !status; j++) {
        size_t first = ((size_t)j + 1) * it->n;
        const double *sign = of->sign + (size_t)j * it->n;
        double part = own->part_size[j + 1], *free_rate = of->free + (size_t)j * it->k;
        for (uint32_t i = 0; i < it->n; i++)
            r[i] = sign[i] * (f->base[first + i] + f->gamma * of->f[first + i] - x[first + i]);
        for (uint32_t i = 0; i < it->k; i++)
            r[it->n + i] = -of->f[run->problem.n + (j + 1) * it->k + i] / part;
        implicit_apply(it, r);
        for (uint32_t i = 0; i < it->n; i++) {
            x[first + i] += sign[i] * r[i];
            *size = fmax(*size, fabs(r[i]) / (problem_nominal(&run->problem, (uint32_t)first + i) +
                                              fabs(x[first + i])));
        }
        for (uint32_t i = 0; i < it->k; i++)
            free_rate[i] += r[it->n + i];
        for (uint32_t i = 0; i < it->m; i++)
            it->foreseen[i] = c[(j + 1) * it->m + i] / part;
        foresee(it, f->how.of_velocities, r);
        double *push = of->push + (size_t)j * it->m;
        for (uint32_t i = 0; i < it->m; i++) {
            push[i] -= it->penalty[i] * (it->foreseen[i] - c[(j + 1) * it->m + i] / part);
            *left = fmax(*left, fabs(it->foreseen[i] * part));
        }
    }
    return status;
}

int newton_matrix_tangents(Implicit *it, const Formula *f, double *x, double *y)
{
    enum { ROUNDS = 60, IDLE_ROUNDS = 3 };
    static const double CLOSE = 1e-11;
    Tangents *of = &it->tangents;
    uint32_t n_other = it->run->problem.n - it->n;
    int status = 0;
    if (!it->fits || it->structured) {
        status = it->loops ? linearised_inputs(it, f->t, x) : 0;
        status = status ? status : renew_jacobian(it, f->t, x);
        status = status ? status : renew_matrix(it, f->t, x, f->gamma, f->how);
        it->has_jacobian = status == 0;
    }
    if (!status && !it->loops)
        status = tangents_by_matrix(of, f->t, f->gamma, f->base, CLOSE, apply, it, x);
    if (status)
        return newton_give_up(it, "the derivatives by parameters of a step are not found");
    if (!it->loops)
        return 0;
    memcpy(x + it->n, f->base + it->n, n_other * sizeof *x);
    double least = INFINITY, size, left;
    for (int round = 0, idle = 0; round < ROUNDS; round++) {
        status = correct_tangents(it, f, x, y, &size, &left);
        if (status || !isfinite(size))
            return newton_give_up(it, "the derivatives by parameters of a step are not found");
        idle = size > 0.5 * least ? idle + 1 : 0;
        least = fmin(least, size);
        if ((size <= CLOSE && left <= CLOSE) || (size <= 1e3 * CLOSE && idle >= IDLE_ROUNDS))
            return 0;
    }
    return newton_give_up(it, "the derivatives by parameters of a step are not found");
}

const NewtonSolver newton_by_matrix = {.chooses_pivots = true, .correct = correct_by_matrix};
