/* SPDX-License-Identifier: BSD-3-Clause */
#include "stabilised_newton.h"
#include "jacobian.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* e, relative to the diagonal of the systems of the multipliers and of mu; of constraints that
 * nearly nothing moves, relative to the largest entry. */
static const double REGULAR = 1e-11, LIGHTEST = 1e-6;

void stabilised_newton_close(StabilisedNewton *it)
{
    if (it->loops)
        factor_close(&it->matrix);
    else
        iteration_matrix_close(&it->free);
    free(it->jacobian);
    free(it->by_input);
    free(it->rate_by);
    free(it->by);
    free(it->f);
    free(it->r);
    free(it->c);
    free(it->mu);
    free(it->regular);
    free(it->normal);
    free(it->entry);
    free(it->work);
    free(it->moved);
    *it = (StabilisedNewton){0};
}

static size_t entries_of(const RungPattern *p)
{
    return p->col_start[p->n_cols];
}

bool stabilised_newton_open(StabilisedNewton *it, Run *run)
{
    Problem *problem = &run->problem;
    *it = (StabilisedNewton){.run = run, .loops = problem->loops, .n = problem->n};
    size_t n = it->n, entries = 0;
    if (it->loops) {
        const RungLoops *l = it->loops->l;
        it->m = it->loops->m;
        it->k = it->loops->k;
        entries = entries_of(&l->phi_x_pattern) + entries_of(&l->phi_v_pattern);
        if (problem->model->jacobian)
            entries += entries_of(&problem->model->jacobian->pattern);
    }
    it->size = it->n + it->k + 2 * it->m;
    size_t rows = n + it->k, m = it->m;
    it->f = calloc(rows + 1, sizeof(double));
    it->r = calloc(it->size + (size_t)1, sizeof(double));
    it->c = calloc(2 * m + 1, sizeof(double));
    it->mu = calloc(m + 1, sizeof(double));
    it->regular = calloc(m + 1, sizeof(double));
    it->normal = calloc(m + 1, sizeof(double));
    it->entry = calloc(entries + 1, sizeof(double));
    it->moved = calloc(n + 2 * rows + 1, sizeof(double));
    it->work = calloc(jacobian_work(problem), sizeof(double));
    bool ok = it->f && it->r && it->c && it->mu && it->regular && it->normal && it->entry &&
              it->moved && it->work;
    if (it->loops) {
        it->jacobian = calloc(rows * n + 1, sizeof(double));
        it->by_input = calloc(rows * (m + it->k) + 1, sizeof(double));
        it->rate_by = calloc(m * n + 1, sizeof(double));
        it->by = calloc(m * n + 1, sizeof(double));
        ok = ok && it->jacobian && it->by_input && it->rate_by && it->by &&
             factor_open(&it->matrix, it->size, NULL, NULL);
    } else {
        ok = iteration_matrix_open(&it->free, problem, it->n) && ok;
    }
    if (!ok)
        stabilised_newton_close(it);
    return ok;
}

/* (xdot, balance) by the states, in it->jacobian. */
static int find_rates(StabilisedNewton *it, double t, const double *x, const double *y)
{
    Problem *problem = &it->run->problem;
    uint32_t n = it->n, rows = n + it->k;
    problem->counts->jacobians++;
    if (jacobian_is_sparse(problem)) {
        const RungPattern *p = &problem->model->jacobian->pattern;
        int status = jacobian_entries(problem, t, x, y, it->entry, it->work);
        memset(it->jacobian, 0, (size_t)rows * n * sizeof *it->jacobian);
        for (uint32_t c = 0; c < n && !status; c++)
            for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
                it->jacobian[p->row[e] + (size_t)c * rows] = it->entry[e];
        return status;
    }
    double *moved = it->moved, *here = moved + n, *there = here + rows;
    memcpy(moved, x, n * sizeof *x);
    int status = loops_g(problem, t, x, y, here);
    for (uint32_t c = 0; c < n && !status; c++) {
        moved[c] = x[c] + sqrt(DBL_EPSILON) * fmax(fabs(x[c]), problem->model->nominal[c]);
        double h = moved[c] - x[c];
        status = loops_g(problem, t, moved, y, there);
        for (uint32_t i = 0; i < rows; i++)
            it->jacobian[i + (size_t)c * rows] = (there[i] - here[i]) / h;
        moved[c] = x[c];
    }
    return status;
}

static int renew_rates(StabilisedNewton *it, double t, const double *x, const double *y)
{
    ProfilePart before = profile_enter(it->run->problem.profile, PROFILE_JACOBIAN);
    int status = find_rates(it, t, x, y);
    profile_leave(it->run->problem.profile, before);
    return status;
}

static void spread(const RungPattern *p, const double *entry, uint32_t m, double *to)
{
    for (uint32_t c = 0; c < p->n_cols; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            to[p->row[e] + (size_t)c * m] = entry[e];
}

/* phi and phi' by the states; phi' by positions in differences. */
static int renew_constraints(StabilisedNewton *it, double t, const double *x)
{
    const RungLoops *l = it->loops->l;
    RungContext *ctx = it->run->problem.ctx;
    const RungPattern *p = &l->phi_x_pattern;
    uint32_t n = it->n, m = it->m;
    double *moved = it->moved, *here = it->c, *there = it->c + m;
    memset(it->rate_by, 0, (size_t)m * n * sizeof *it->rate_by);
    memset(it->by, 0, (size_t)m * n * sizeof *it->by);
    spread(&l->phi_v_pattern, it->loops->v, m, it->rate_by); // as linearised
    int status = l->phi_x(ctx, t, x, it->entry);
    spread(p, it->entry, m, it->by);
    status = status ? status : l->phi_dot(ctx, t, x, here);
    memcpy(moved, x, n * sizeof *x);
    for (uint32_t c = 0; c < n && !status; c++) {
        if (p->col_start[c] == p->col_start[c + 1])
            continue;
        moved[c] = x[c] + sqrt(DBL_EPSILON) * fmax(fabs(x[c]), it->loops->size[c]);
        status = l->phi_dot(ctx, t, moved, there);
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++) {
            uint32_t row = p->row[e];
            it->rate_by[row + (size_t)c * m] += (there[row] - here[row]) / (moved[c] - x[c]);
        }
        moved[c] = x[c];
    }
    return status;
}

/* Positions move along phi_x', times the squares of their sizes. */
static double across(const StabilisedNewton *it, uint32_t state, uint32_t constraint)
{
    double size = it->loops->size[state];
    return size * size * it->by[constraint + (size_t)state * it->m];
}

/* Diagonal entries become those of e. */
static void make_small(uint32_t m, double *diagonal)
{
    double most = 0;
    for (uint32_t j = 0; j < m; j++)
        most = fmax(most, fabs(diagonal[j]));
    for (uint32_t j = 0; j < m; j++)
        diagonal[j] =
            most > 0 ? copysign(REGULAR * fmax(fabs(diagonal[j]), LIGHTEST * most), diagonal[j])
                     : REGULAR;
}

/* The columns of the inputs at y: states besides those of the mechanism need not be linear in the
 * forces. */
static int inputs_of_model(StabilisedNewton *it, double t, const double *x, const double *y)
{
    Problem *problem = &it->run->problem;
    const RungLoops *l = it->loops->l;
    const RungPattern *p = &l->by_input_pattern;
    uint32_t rows = it->n + it->k;
    loops_put(it->loops, problem->ctx, y);
    problem_refresh(problem, t, x);
    int status = l->by_input(problem->ctx, t, x, it->loops->entry);
    for (uint32_t j = 0; j < it->m + it->k && !status; j++)
        for (uint32_t e = p->col_start[j]; e < p->col_start[j + 1]; e++)
            it->by_input[p->row[e] + (size_t)j * rows] = it->loops->entry[e];
    return status;
}

int stabilised_newton_renew(StabilisedNewton *it, double t, const double *x, const double *y)
{
    Problem *problem = &it->run->problem;
    it->has_jacobian = false;
    it->gamma = 0;
    if (!it->loops) {
        int status = iteration_matrix_renew(&it->free, problem, t, x);
        it->has_jacobian = !status;
        return status;
    }
    int status = loops_linearise(problem, t, x);
    status = status ? status : renew_constraints(it, t, x);
    if (status)
        return status;
    loops_inputs(it->loops, it->by_input);
    if (it->loops->l->by_input && inputs_of_model(it, t, x, y) < 0)
        return -1;
    loops_diagonal(it->loops, it->regular);
    for (uint32_t j = 0; j < it->m; j++) {
        it->normal[j] = 0;
        for (uint32_t i = 0; i < it->n; i++)
            it->normal[j] += it->by[j + (size_t)i * it->m] * across(it, i, j);
    }
    make_small(it->m, it->regular);
    make_small(it->m, it->normal);
    status = renew_rates(it, t, x, y);
    it->has_jacobian = !status;
    return status;
}

static bool factor_loops(StabilisedNewton *it, double gamma)
{
    uint32_t n = it->n, m = it->m, k = it->k, rows = n + k;
    size_t size = it->size;
    double *a = factor_matrix(&it->matrix);
    memset(a, 0, size * size * sizeof *a);
    for (uint32_t c = 0; c < n; c++) {
        double *to = a + c * size;
        const double *j = it->jacobian + (size_t)c * rows;
        for (uint32_t i = 0; i < n; i++)
            to[i] = -gamma * j[i];
        memcpy(to + n, j + n, k * sizeof *to);
        memcpy(to + rows, it->rate_by + (size_t)c * m, m * sizeof *to);
        memcpy(to + rows + m, it->by + (size_t)c * m, m * sizeof *to);
        to[c] += 1;
    }
    for (uint32_t j = 0; j < m + k; j++) {
        const double *g = it->by_input + (size_t)j * rows;
        double *to = a + (j < m ? rows + j : n + j - m) * size;
        for (uint32_t i = 0; i < n; i++)
            to[i] = -gamma * g[i];
        memcpy(to + n, g + n, k * sizeof *to);
        if (j < m)
            to[rows + j] = gamma * it->regular[j];
    }
    for (uint32_t j = 0; j < m; j++) {
        double *to = a + (rows + m + j) * size;
        for (uint32_t i = 0; i < n; i++)
            to[i] = -across(it, i, j);
        to[rows + m + j] = it->normal[j];
    }
    return factor_make(&it->matrix);
}

static bool factor(StabilisedNewton *it, double gamma)
{
    Problem *problem = &it->run->problem;
    if (!it->loops)
        return iteration_matrix_factor(&it->free, problem, gamma);
    problem->counts->factorisations++;
    ProfilePart before = profile_enter(problem->profile, PROFILE_FACTORS);
    bool ok = factor_loops(it, gamma);
    profile_leave(problem->profile, before);
    return ok;
}

static int give_up(StabilisedNewton *it, const char *why)
{
    snprintf(it->run->problem.why, sizeof it->run->problem.why, "%s", why);
    return 1;
}

/* it->r: the correction at (x, y), it->mu. */
static int correct(StabilisedNewton *it, double t, const double *base, double gamma,
                   const double *x, const double *y)
{
    Problem *problem = &it->run->problem;
    uint32_t n = it->n, m = it->m, rows = n + it->k;
    double *r = it->r;
    int status = it->loops ? loops_g(problem, t, x, y, it->f) : problem_xdot(problem, t, x, it->f);
    if (it->loops) {
        status = status ? status : it->loops->l->phi_dot(problem->ctx, t, x, r + rows);
        status = status ? status : it->loops->l->phi(problem->ctx, t, x, r + rows + m);
    }
    if (status)
        return status;
    for (uint32_t i = 0; i < n; i++)
        r[i] = base[i] + gamma * it->f[i] - x[i];
    for (uint32_t j = 0; j < m; j++)
        for (uint32_t i = 0; i < n && it->mu[j] != 0; i++)
            r[i] += across(it, i, j) * it->mu[j];
    for (uint32_t i = n; i < rows; i++)
        r[i] = -it->f[i];
    // forces in redundant constraints stay the smallest
    for (uint32_t j = 0; j < m; j++) {
        r[rows + j] = -r[rows + j] - gamma * it->regular[j] * y[j];
        r[rows + m + j] = -r[rows + m + j] - it->normal[j] * it->mu[j];
    }
    ProfilePart before = profile_enter(problem->profile, PROFILE_SOLVE);
    if (it->loops)
        factor_solve(&it->matrix, r);
    else
        iteration_matrix_solve(&it->free, r);
    profile_leave(problem->profile, before);
    return 0;
}

int stabilised_newton_solve(StabilisedNewton *it, double t, const double *base, double gamma,
                            StabilisedSize size, const void *method, double left, double *x,
                            double *y)
{
    enum { ROUNDS = 6 };
    // far below the tolerance nothing is left to measure a rate by
    static const double DIVERGES = 0.9, NOTHING = 0.1, FAST = 0.2;
    Problem *problem = &it->run->problem;
    double last = 0, *r = it->r;
    if (gamma != it->gamma) {
        it->gamma = 0;
        if (!factor(it, gamma))
            return give_up(it, "the matrix of Newton's method cannot be solved");
        it->gamma = gamma;
        it->known_rate = 0;
    }
    memset(it->mu, 0, it->m * sizeof *it->mu);
    it->rounds = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int status = correct(it, t, base, gamma, x, y);
        if (status) {
            problem_explain(problem, problem->why, sizeof problem->why);
            return status;
        }
        problem->counts->iterations++;
        it->rounds = round + 1;
        for (uint32_t i = 0; i < it->n; i++)
            x[i] += r[i];
        for (uint32_t j = 0; j < it->k; j++)
            y[it->m + j] += r[it->n + j];
        for (uint32_t j = 0; j < it->m; j++) {
            y[j] += r[it->n + it->k + j];
            it->mu[j] += r[it->n + it->k + it->m + j];
        }
        double now = size(method, r);
        if (!isfinite(now))
            return give_up(it, "Newton's method does not stay finite");
        double rate = round > 0 ? now / last : it->known_rate;
        rate = rate > 0 ? fmax(rate, FAST) : rate;
        if (round > 0 && now > NOTHING * left)
            counts_rate(problem->counts, now / last);
        if (now <= NOTHING * left || (rate > 0 && rate < 1 && now * rate / (1 - rate) <= left)) {
            it->known_rate = fmin(fmax(rate, it->known_rate), DIVERGES);
            return 0;
        }
        // states that are not linear in the forces, whose columns are those without forces, follow
        // in the second round
        if (rate > DIVERGES && round > 1)
            break;
        last = now;
    }
    return give_up(it, "Newton's method did not converge");
}
