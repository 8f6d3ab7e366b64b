/* SPDX-License-Identifier: BSD-3-Clause */
#include "loops_start.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The residual allowed, relative to its change with the unknowns. */
static const double MET = 1e-9;
/* The longest step of a position, relative to its size. */
static const double FAR = 0.3;

typedef struct Joint {
    double t, *x; /* the start, of which x changes */
    Problem *problem;
    uint32_t n, m, rows; /* unknowns; constraints; 2 m and the conditions                 */
    uint32_t n_states;   /* of the unknowns, the first; behind them free parameters       */
    double **at;         /* n: address of each unknown */
    double *size;        /* n: scale */
    uint32_t *name;      /* n: row of the model's variables                               */
    double *longest;     /* n: step of it, scaled                                         */
    bool by_forces;      /* a condition needs the multipliers                             */
    double *r, *other;   /* rows                                                          */
    double *weight;      /* rows: 1 / norm of the row                                     */
    double *jacobian;    /* rows x n by columns, weighted, times size                     */
    double *lambda, *b;  /* rows */
    double *change;      /* n */
    double *basis;       /* rows x rank: orthonormal basis of the columns of the free parameters */
    double *triangle;    /* rank x rank by columns: the taken columns in terms of the basis     */
    uint32_t *taken;     /* rank: free parameters whose columns make the basis */
    uint32_t rank;
    double *xdot;   /* states */
    double *missed; /* conditions: the residual of each at the present homotopy parameter */
    Factor normal;
} Joint;

static void joint_close(Joint *it)
{
    free(it->at);
    free(it->size);
    free(it->name);
    free(it->longest);
    free(it->r);
    free(it->jacobian);
    free(it->change);
    free(it->basis);
    free(it->triangle);
    free(it->taken);
    free(it->xdot);
    factor_close(&it->normal);
}

static void add_unknown(Joint *it, double *at, double size, uint32_t name, double longest)
{
    it->at[it->n] = at;
    it->size[it->n] = size;
    it->name[it->n] = name;
    it->longest[it->n++] = longest / size;
}

static bool joint_open(Joint *it, Problem *problem, double t, double *x)
{
    const RungModel *m = problem->model;
    const RungLoops *l = problem->loops->l;
    uint32_t most = problem->n + l->n_late;
    *it = (Joint){.problem = problem,
                  .t = t,
                  .x = x,
                  .m = l->n_constraints,
                  .rows = 2 * l->n_constraints + l->n_conditions};
    size_t rows = it->rows;
    it->at = calloc(most + (size_t)1, sizeof *it->at);
    it->size = calloc(most + (size_t)1, sizeof *it->size);
    it->name = calloc(most + (size_t)1, sizeof *it->name);
    it->longest = calloc(most + (size_t)1, sizeof *it->longest);
    it->r = calloc(5 * rows + l->n_conditions + 1, sizeof *it->r);
    it->jacobian = calloc(rows * most + 1, sizeof *it->jacobian);
    it->change = calloc(2 * (size_t)most + 1, sizeof *it->change);
    it->xdot = calloc(problem->n + (size_t)1, sizeof *it->xdot);
    if (!it->at || !it->size || !it->name || !it->longest || !it->r || !it->jacobian ||
        !it->change || !it->xdot || !factor_open(&it->normal, it->rows, NULL, NULL))
        return false;
    it->other = it->r + rows;
    it->weight = it->r + 2 * rows;
    it->lambda = it->r + 3 * rows;
    it->b = it->r + 4 * rows;
    it->missed = it->r + 5 * rows;
    for (uint32_t k = 0; k < problem->n; k++) {
        if (l->held[k])
            continue;
        bool is_position = l->phi_x_pattern.col_start[k] < l->phi_x_pattern.col_start[k + 1];
        double size = k < problem->loops->own ? problem->loops->size[k] : m->nominal[k];
        add_unknown(it, &it->x[k], m->nominal[k], m->state[k], is_position ? FAR * size : INFINITY);
    }
    it->n_states = it->n;
    for (uint32_t k = 0; k < l->n_late; k++) {
        double *p = &problem->ctx->p[l->late[k]];
        add_unknown(it, p, fmax(1, fabs(*p)), l->late_row[k], INFINITY);
    }
    for (uint32_t k = 0; k < l->n_conditions; k++)
        it->by_forces = it->by_forces || l->condition_by_forces[k];
    size_t most_rank = it->n - it->n_states < rows ? it->n - it->n_states : rows;
    it->basis = calloc(rows * most_rank + 1, sizeof *it->basis);
    it->triangle = calloc(most_rank * most_rank + 1, sizeof *it->triangle);
    it->taken = calloc(most_rank + 1, sizeof *it->taken);
    return it->basis && it->triangle && it->taken;
}

/* r: constraints, their rates, conditions minus their homotopy residuals. */
static int evaluate(Joint *it, double *r)
{
    Problem *problem = it->problem;
    const RungLoops *l = problem->loops->l;
    RungContext *ctx = problem->ctx;
    int status = problem->model->initial ? context_update(ctx) : 0;
    status = status ? status : l->phi(ctx, it->t, it->x, r);
    status = status ? status : l->phi_dot(ctx, it->t, it->x, r + it->m);
    if (it->by_forces && !status)
        status = loops_xdot(problem, it->t, it->x, it->xdot);
    status = status ? status : l->conditions(ctx, it->t, it->x, r + 2 * (size_t)it->m);
    for (uint32_t k = 0; k < l->n_conditions && !status; k++)
        r[2 * it->m + k] -= it->missed[k];
    for (uint32_t k = 0; k < it->rows && !status; k++)
        status = !isfinite(r[k]);
    return status;
}

/* By differences at where it->r is. */
static int linearise(Joint *it)
{
    int status = 0;
    for (uint32_t c = 0; c < it->n && !status; c++) {
        double *column = it->jacobian + (size_t)c * it->rows, held = *it->at[c];
        *it->at[c] = held + sqrt(DBL_EPSILON) * fmax(fabs(held), it->size[c]);
        double h = (*it->at[c] - held) / it->size[c];
        status = evaluate(it, it->other);
        *it->at[c] = held;
        for (uint32_t k = 0; k < it->rows && !status; k++)
            column[k] = (it->other[k] - it->r[k]) / h;
    }
    for (uint32_t k = 0; k < it->rows && !status; k++) {
        double sum = 0;
        for (uint32_t c = 0; c < it->n; c++)
            sum += pow(it->jacobian[k + (size_t)c * it->rows], 2);
        // constraints count as they are
        double norm = sqrt(sum);
        it->weight[k] = k < 2 * it->m || !(norm > 0) ? 1 : 1 / norm;
        for (uint32_t c = 0; c < it->n; c++)
            it->jacobian[k + (size_t)c * it->rows] *= it->weight[k];
    }
    return status;
}

static double along(const Joint *it, uint32_t k, const double *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < it->rows; i++)
        sum += it->basis[i + (size_t)k * it->rows] * b[i];
    return sum;
}

/* b less its part along the basis; the parts are added to `part`, unless NULL. Twice, so that
 * rounding does not leave any of it (Giraud and others 2005). */
static void project_out(const Joint *it, double *b, double *part)
{
    for (int round = 0; round < 2; round++)
        for (uint32_t k = 0; k < it->rank; k++) {
            double share = along(it, k, b);
            for (uint32_t i = 0; i < it->rows; i++)
                b[i] -= share * it->basis[i + (size_t)k * it->rows];
            if (part)
                part[k] += share;
        }
}

/* The basis of the columns of the free parameters, orthogonalised one by one. */
static void find_basis(Joint *it)
{
    static const double DEPENDENT = 1e-8;
    uint32_t rows = it->rows, most = it->n - it->n_states < rows ? it->n - it->n_states : rows;
    memset(it->triangle, 0, (size_t)most * most * sizeof *it->triangle);
    it->rank = 0;
    for (uint32_t c = it->n_states; c < it->n && it->rank < most; c++) {
        double *q = it->basis + (size_t)it->rank * rows;
        double *part = it->triangle + (size_t)it->rank * most;
        memcpy(q, it->jacobian + (size_t)c * rows, rows * sizeof *q);
        double before = 0, left = 0;
        for (uint32_t i = 0; i < rows; i++)
            before += q[i] * q[i];
        project_out(it, q, part);
        for (uint32_t i = 0; i < rows; i++)
            left += q[i] * q[i];
        if (!(left > DEPENDENT * DEPENDENT * before)) {
            memset(part, 0, most * sizeof *part);
            continue;
        }
        part[it->rank] = sqrt(left);
        for (uint32_t i = 0; i < rows; i++)
            q[i] /= sqrt(left);
        it->taken[it->rank++] = c;
    }
}

/* it->b: minus the weighted linearised residual r + J change. */
static void find_rest(Joint *it)
{
    for (uint32_t k = 0; k < it->rows; k++)
        it->b[k] = -it->weight[k] * it->r[k];
    for (uint32_t c = 0; c < it->n; c++)
        for (uint32_t k = 0; k < it->rows; k++)
            it->b[k] -= it->jacobian[k + (size_t)c * it->rows] * it->change[c];
}

/* it->change: the smallest change, scaled, that makes r zero to first order. Changes of free
 * parameters cost nothing, since their start values are guesses (MLS 8.6): states move only as far
 * as these cannot do it, so that a condition that determines a parameter changes nothing else. With
 * Q the basis: (I - Q Q') (J_x dx + r) = 0 for the states, J_p dp = -(r + J_x dx) after it. */
static bool find_change(Joint *it)
{
    enum { CORRECTIONS = 3 };
    static const double REGULAR = 1e-10;
    uint32_t rows = it->rows;
    double *a = factor_matrix(&it->normal), largest = 0;
    find_basis(it);
    memset(a, 0, (size_t)rows * rows * sizeof *a);
    for (uint32_t c = 0; c < it->n_states; c++) {
        double *column = it->other;
        memcpy(column, it->jacobian + (size_t)c * rows, rows * sizeof *column);
        project_out(it, column, NULL);
        for (uint32_t j = 0; j < rows; j++)
            for (uint32_t i = 0; i < rows && column[j] != 0; i++)
                a[i + (size_t)j * rows] += column[i] * column[j];
    }
    for (uint32_t k = 0; k < rows; k++)
        largest = fmax(largest, a[k + (size_t)k * rows]);
    for (uint32_t k = 0; k < rows; k++)
        a[k + (size_t)k * rows] += REGULAR * (largest > 0 ? largest : 1);
    if (!factor_make(&it->normal))
        return false;
    memset(it->change, 0, it->n * sizeof *it->change);
    for (int round = 0; round < CORRECTIONS; round++) {
        find_rest(it);
        project_out(it, it->b, NULL);
        factor_solve(&it->normal, it->b);
        project_out(it, it->b, NULL);
        for (uint32_t c = 0; c < it->n_states; c++)
            for (uint32_t k = 0; k < rows; k++)
                it->change[c] += it->jacobian[k + (size_t)c * rows] * it->b[k];
    }
    find_rest(it);
    uint32_t most = it->n - it->n_states < rows ? it->n - it->n_states : rows;
    for (uint32_t k = it->rank; k-- > 0;) {
        double left = along(it, k, it->b);
        for (uint32_t j = k + 1; j < it->rank; j++)
            left -= it->triangle[k + (size_t)j * most] * it->change[it->taken[j]];
        it->change[it->taken[k]] = left / it->triangle[k + (size_t)k * most];
    }
    return true;
}

/* The largest weighted residual, and the sum of squares. */
static double missed_by(const Joint *it, const double *r, uint32_t *which, double *sum)
{
    double most = 0;
    *sum = 0;
    for (uint32_t k = 0; k < it->rows; k++) {
        double size = fabs(it->weight[k] * r[k]);
        *sum += size * size;
        if (size > most) {
            most = size;
            *which = k;
        }
    }
    return most;
}

/* Newton's method from the present unknowns. Whether it converges; *which has the largest residual.
 */
static bool newton(Joint *it, uint32_t *which)
{
    enum { ROUNDS = 60, HALVINGS = 12 };
    double *from = it->change + it->n;
    double before = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        if (evaluate(it, it->r) || linearise(it))
            return false;
        double sum, left = missed_by(it, it->r, which, &sum);
        if (left <= 1e-14 || (left <= MET && left > 0.5 * before))
            return true;
        before = left;
        if (!find_change(it))
            return false;
        double share = 1;
        for (uint32_t c = 0; c < it->n; c++) {
            from[c] = *it->at[c];
            if (share * fabs(it->change[c]) > it->longest[c])
                share = it->longest[c] / fabs(it->change[c]);
        }
        // shortened until the residual decreases
        bool less = false;
        for (int k = 0; k < HALVINGS && !less; k++, share /= 2) {
            for (uint32_t c = 0; c < it->n; c++)
                *it->at[c] = from[c] + share * it->size[c] * it->change[c];
            double now;
            uint32_t any;
            less = !evaluate(it, it->other) &&
                   (missed_by(it, it->other, &any, &now) <= MET || now < sum);
        }
        if (!less) {
            for (uint32_t c = 0; c < it->n; c++)
                *it->at[c] = from[c];
            evaluate(it, it->r);
            return left <= MET;
        }
    }
    return false;
}

/* Reduces the residuals of the conditions at the start to zero step by step (Newton homotopy). */
static bool follow(Joint *it, uint32_t *which)
{
    enum { MOST = 200 };
    static const double SHORTEST = 1e-3;
    uint32_t n_conditions = it->rows - 2 * it->m;
    double *begun = calloc(it->n + n_conditions + (size_t)1, sizeof *begun);
    if (!begun)
        return false;
    double *known = begun + n_conditions, share = 0, step = 0.25;
    memset(it->missed, 0, n_conditions * sizeof *it->missed);
    bool ok = !evaluate(it, it->r);
    memcpy(begun, it->r + 2 * (size_t)it->m, n_conditions * sizeof *begun);
    for (int k = 0; k < MOST && ok && share < 1; k++) {
        double next = fmin(1, share + step);
        for (uint32_t c = 0; c < it->n; c++)
            known[c] = *it->at[c];
        for (uint32_t i = 0; i < n_conditions; i++)
            it->missed[i] = (1 - next) * begun[i];
        if (newton(it, which)) {
            share = next;
            step *= 2;
            continue;
        }
        for (uint32_t c = 0; c < it->n; c++)
            *it->at[c] = known[c];
        step /= 2;
        ok = step >= SHORTEST;
    }
    memset(it->missed, 0, n_conditions * sizeof *it->missed);
    free(begun);
    return ok && share >= 1;
}

/* Names the equation, its residual, and the unknowns with the largest effect on it. */
static void explain(Joint *it, uint32_t which)
{
    enum { SHOWN = 4 };
    Problem *problem = it->problem;
    const RungLoops *l = problem->loops->l;
    uint32_t k = which < 2 * it->m ? UINT32_MAX : which - 2 * it->m;
    double sum;
    if (evaluate(it, it->r) || linearise(it)) {
        snprintf(problem->why, sizeof problem->why, "the initial equations cannot be evaluated");
        return;
    }
    missed_by(it, it->r, &which, &sum);
    if (which >= 2 * it->m)
        k = which - 2 * it->m;
    int n;
    if (k != UINT32_MAX)
        n = snprintf(problem->why, sizeof problem->why,
                     "initial equations and closed loops do not hold together from these start "
                     "values: %s%s%s misses by %.3g;",
                     l->condition_where[k], *l->condition_origin[k] ? " in " : "",
                     l->condition_origin[k], it->r[2 * it->m + k]);
    else
        n = snprintf(problem->why, sizeof problem->why,
                     "initial equations and closed loops do not hold together from these start "
                     "values: %s is off by %.3g;",
                     loops_name(problem->loops, which % it->m), it->r[which]);
    const uint32_t row = k != UINT32_MAX ? 2 * it->m + k : which;
    for (int shown = 0; shown < SHOWN; shown++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t c = 0; c < it->n; c++) {
            double *entry = &it->jacobian[row + (size_t)c * it->rows];
            if (*entry != 0 && (best == UINT32_MAX ||
                                fabs(*entry) > fabs(it->jacobian[row + (size_t)best * it->rows])))
                best = c;
        }
        if (best == UINT32_MAX || n < 0 || (size_t)n >= sizeof problem->why)
            return;
        n += snprintf(problem->why + n, sizeof problem->why - (size_t)n, "%s %s = %.9g",
                      shown ? "," : "", rung_name(problem->model, it->name[best]), *it->at[best]);
        it->jacobian[row + (size_t)best * it->rows] = 0;
    }
}

bool loops_meet_conditions(Problem *problem, double t, double *x)
{
    if (!problem->loops->l->n_conditions)
        return true;
    Joint it;
    bool ok = joint_open(&it, problem, t, x);
    double *begun = ok ? calloc(it.n + (size_t)1, sizeof *begun) : NULL;
    if (!ok || !begun) {
        snprintf(problem->why, sizeof problem->why, "out of memory");
        joint_close(&it);
        free(begun);
        return false;
    }
    for (uint32_t c = 0; c < it.n; c++)
        begun[c] = *it.at[c];
    uint32_t which = 0;
    ok = newton(&it, &which);
    if (!ok) {
        for (uint32_t c = 0; c < it.n; c++)
            *it.at[c] = begun[c];
        ok = follow(&it, &which);
    }
    // constants of the model are those of the last differences
    if (!ok || evaluate(&it, it.r))
        explain(&it, which);
    joint_close(&it);
    free(begun);
    return ok;
}
