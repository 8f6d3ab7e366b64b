/* SPDX-License-Identifier: BSD-3-Clause */
#include "linearise.h"

#include "factor.h"
#include "rank.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A relative pivot of LU below ROUNDING is rounding; with cut loops, whose closing error is larger,
 * one below CLOSED. */
static const double ROUNDING = 1e-13, CLOSED = 1e-8;

/* The matrix of the equations that are solved at run time (K), or its transpose. */
typedef struct Implicit {
    RungPattern pattern;
    uint32_t *col_start, *row, *from; /* from: which of the model's entries */
    double *entry;
    Factor lu;   /* of the pattern                                             */
    Factor full; /* where it is singular: with some equations and as many unknowns left out */
    bool is_open, is_full_open, is_factored, is_singular;
} Implicit;

struct Linearise {
    RungContext *ctx;
    const RungModel *m;
    const RungLinearisation *l;
    uint32_t n, n_y, n_u, n_z;
    double *entry;
    Implicit straight, transposed;
    double *z, *b;       /* n_z each               */
    double *row, *col;   /* all rows, all columns  */
    double *v;           /* n_values               */
    unsigned char *open; /* per derivative and output: not unique */
    unsigned char *out;  /* n_z: equations, then unknowns left out, where K is singular */
    double *dense;       /* n_z squared            */
    uint32_t *order;
    double relax; /* linearise_relax */
};

/* ---- the equations solved at run time ---- */

static uint32_t first_row(const Linearise *it)
{
    return it->n + it->n_y;
}

static uint32_t first_col(const Linearise *it)
{
    return it->n + it->n_u;
}

static bool implicit_open(const Linearise *it, Implicit *k, bool is_transposed)
{
    const RungPattern *p = &it->l->pattern;
    uint32_t n = it->n_z, at = 0, top = first_row(it), left = first_col(it);
    k->col_start = calloc(n + 2, sizeof *k->col_start);
    if (!k->col_start)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t c = left; c < left + n; c++)
            for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++) {
                if (p->row[e] < top || p->row[e] >= top + n)
                    continue;
                uint32_t to = is_transposed ? p->row[e] - top : c - left;
                if (pass == 0) {
                    k->col_start[to + 2]++;
                    at++;
                } else {
                    uint32_t place = k->col_start[to + 1]++;
                    k->row[place] = is_transposed ? c - left : p->row[e] - top;
                    k->from[place] = e;
                }
            }
        if (pass == 1)
            break;
        for (uint32_t c = 0; c < n; c++)
            k->col_start[c + 2] += k->col_start[c + 1];
        k->row = malloc((at + 1) * sizeof *k->row);
        k->from = malloc((at + 1) * sizeof *k->from);
        k->entry = malloc((at + 1) * sizeof *k->entry);
        if (!k->row || !k->from || !k->entry)
            return false;
    }
    k->pattern = (RungPattern){n, n, k->col_start, k->row, NULL, 0};
    k->is_open = factor_open(&k->lu, n, &k->pattern, NULL);
    return k->is_open;
}

static void implicit_close(Implicit *k)
{
    if (k->is_open)
        factor_close(&k->lu);
    if (k->is_full_open)
        factor_close(&k->full);
    free(k->col_start);
    free(k->row);
    free(k->from);
    free(k->entry);
}

/* Of a singular matrix, marks as many columns as its rank is short. */
static bool leave_out(Linearise *it, const Implicit *k, unsigned char *out)
{
    uint32_t n = it->n_z;
    if (!it->dense) {
        it->dense = malloc((size_t)n * n * sizeof *it->dense);
        it->order = malloc(n * sizeof *it->order);
    }
    if (!it->dense || !it->order)
        return false;
    memset(it->dense, 0, (size_t)n * n * sizeof *it->dense);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = k->col_start[c]; e < k->col_start[c + 1]; e++)
            it->dense[(size_t)c * n + k->row[e]] += k->entry[e];
    /* columns are of very different size: forces and accelerations */
    for (uint32_t c = 0; c < n; c++) {
        double largest = 0;
        for (uint32_t r = 0; r < n; r++)
            largest = fmax(largest, fabs(it->dense[(size_t)c * n + r]));
        for (uint32_t r = 0; r < n && largest > 0; r++)
            it->dense[(size_t)c * n + r] /= largest;
    }
    uint32_t rank =
        rank_find(n, n, it->dense, it->m->loops ? CLOSED : ROUNDING, it->order, NULL, NULL);
    memset(out, 0, n);
    for (uint32_t c = rank; c < n; c++)
        out[it->order[c]] = 1;
    return rank < n;
}

/* Factors the matrix without these rows and columns, each row paired with a column. */
static bool factor_rest(Linearise *it, Implicit *k, const unsigned char *row_out,
                        const unsigned char *col_out)
{
    uint32_t n = it->n_z;
    if (!k->is_full_open)
        k->is_full_open = factor_open(&k->full, n, NULL, NULL);
    if (!k->is_full_open)
        return false;
    double *a = factor_matrix(&k->full);
    memset(a, 0, (size_t)n * n * sizeof *a);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = k->col_start[c]; e < k->col_start[c + 1]; e++)
            if (!col_out[c] && !row_out[k->row[e]])
                a[(size_t)c * n + k->row[e]] += k->entry[e];
    for (uint32_t c = 0, r = 0; c < n; c++) {
        if (!col_out[c])
            continue;
        while (r < n && !row_out[r])
            r++;
        if (r == n)
            return false;
        a[(size_t)c * n + r++] = 1;
    }
    return factor_make(&k->full);
}

static bool implicit_factor(Linearise *it, Implicit *k, const Implicit *other)
{
    double small = it->m->loops ? CLOSED : ROUNDING;
    uint32_t n = it->n_z;
    k->is_factored = true;
    for (uint32_t e = 0; e < k->col_start[n]; e++)
        k->entry[e] = it->entry[k->from[e]];
    k->is_singular = other->is_factored
                         ? other->is_singular
                         : !factor_entries(&k->lu, k->entry) || factor_pivot_ratio(&k->lu) <= small;
    if (!k->is_singular)
        return !other->is_factored || factor_entries(&k->lu, k->entry);
    unsigned char *row_out = it->out, *col_out = it->out + n;
    if (k == &it->transposed)
        return factor_rest(it, k, col_out, row_out);
    for (uint32_t e = 0; e < k->col_start[n]; e++)
        if (!isfinite(k->entry[e]))
            return false;
    Implicit *t = &it->transposed;
    for (uint32_t e = 0; e < t->col_start[n]; e++)
        t->entry[e] = it->entry[t->from[e]];
    if (!leave_out(it, k, col_out)) { // ill-conditioned, no more
        k->is_singular = false;
        return factor_entries(&k->lu, k->entry);
    }
    leave_out(it, t, row_out);
    return factor_rest(it, k, row_out, col_out);
}

static void implicit_solve(const Linearise *it, const Implicit *k, double *b)
{
    const unsigned char *row_out = it->out + (k == &it->transposed ? it->n_z : 0);
    if (!k->is_singular) {
        factor_solve(&k->lu, b);
        return;
    }
    for (uint32_t r = 0; r < it->n_z; r++)
        if (row_out[r])
            b[r] = 0;
    factor_solve(&k->full, b);
}

/* ---- an instance ---- */

Linearise *linearise_new(RungContext *ctx)
{
    const RungModel *m = ctx->model;
    const RungLinearisation *l = m->linearisation;
    Linearise *it = l ? calloc(1, sizeof *it) : NULL;
    if (!it)
        return NULL;
    it->ctx = ctx;
    it->m = m;
    it->l = l;
    it->n = m->n_states;
    it->n_y = l->n_outputs;
    it->n_u = l->n_inputs + l->n_parameters;
    it->n_z = l->n_implicit;
    size_t z = it->n_z;
    it->entry = malloc((l->pattern.col_start[l->pattern.n_cols] + (size_t)1) * sizeof *it->entry);
    it->z = malloc((z + 1) * sizeof *it->z);
    it->b = malloc((z + 1) * sizeof *it->b);
    it->row = malloc(2 * (l->pattern.n_rows + (size_t)1) * sizeof *it->row);
    it->col = malloc((l->pattern.n_cols + (size_t)1) * sizeof *it->col);
    it->v = malloc((m->n_values + (size_t)1) * sizeof *it->v);
    it->out = malloc(2 * z + 1);
    it->open = calloc(m->n_states + (size_t)l->n_outputs + 1, 1);
    if (!it->open || !it->entry || !it->z || !it->b || !it->row || !it->col || !it->v || !it->out ||
        (z &&
         (!implicit_open(it, &it->straight, false) || !implicit_open(it, &it->transposed, true)))) {
        linearise_free(it);
        return NULL;
    }
    return it;
}

void linearise_free(Linearise *it)
{
    if (!it)
        return;
    implicit_close(&it->straight);
    implicit_close(&it->transposed);
    free(it->entry);
    free(it->z);
    free(it->b);
    free(it->row);
    free(it->col);
    free(it->v);
    free(it->out);
    free(it->open);
    free(it->dense);
    free(it->order);
    free(it);
}

/* ---- at a point ---- */

/* xdot, then outputs, in the rows. */
static int values(Linearise *it, double t, const double *x, double *row)
{
    int status = it->m->xdot(it->ctx, t, x, row);
    status = status ? status : it->m->outputs(it->ctx, t, x, it->v);
    for (uint32_t k = 0; k < it->n_y && !status; k++)
        row[it->n + k] = rung_value(it->ctx, it->l->output[k], t, x, it->v);
    return status;
}

static double step_of(const Linearise *it, uint32_t c, const double *x)
{
    double size = c < it->n ? fmax(fabs(x[c]), it->m->nominal[c])
                            : fmax(fabs(it->ctx->u[it->l->input[c - it->n]]), 1);
    return cbrt(DBL_EPSILON) * size;
}

/* Central differences of all columns of one colour at once. */
static int differences(Linearise *it, double t, const double *x)
{
    const RungPattern *p = &it->l->pattern;
    double *moved = it->col, *ahead = it->row, *behind = it->row + p->n_rows, *u = it->ctx->u;
    int status = 0;
    for (uint32_t k = 0; k < p->n_colours && !status; k++) {
        for (int side = 1; side >= -1 && !status; side -= 2) {
            memcpy(moved, x, it->n * sizeof *x);
            for (uint32_t c = 0; c < p->n_cols; c++) {
                if (p->colour[c] != k)
                    continue;
                double h = side * step_of(it, c, x);
                if (c < it->n)
                    moved[c] += h;
                else {
                    moved[c] = u[it->l->input[c - it->n]]; // restores the input
                    u[it->l->input[c - it->n]] += h;
                }
            }
            status = values(it, t, moved, side > 0 ? ahead : behind);
            for (uint32_t c = it->n; c < p->n_cols; c++)
                if (p->colour[c] == k)
                    u[it->l->input[c - it->n]] = moved[c];
        }
        for (uint32_t c = 0; c < p->n_cols && !status; c++)
            for (uint32_t e = p->col_start[c]; p->colour[c] == k && e < p->col_start[c + 1]; e++)
                it->entry[e] = (ahead[p->row[e]] - behind[p->row[e]]) / (2 * step_of(it, c, x));
    }
    return status;
}

static int factor_entries_of(Linearise *it, double t, const double *x)
{
    int status = it->l->entries(it->ctx, t, x, it->entry);
    it->straight.is_factored = it->transposed.is_factored = false;
    return status ? status : it->n_z && !implicit_factor(it, &it->straight, &it->transposed);
}

void linearise_relax(Linearise *it, double rate)
{
    it->relax = rate;
}

/* Where the rows of the constraints begin, those of their rates behind them. */
static uint32_t constraint_row(const Linearise *it)
{
    return it->l->pattern.n_rows - it->l->n_constraints;
}

/* it->b += 2 rate phi' + rate^2 phi */
static int add_drift(Linearise *it, double t, const double *x)
{
    const RungLoops *l = it->m->loops;
    double c = it->relax, *phi = it->z;
    int status = l->phi_dot(it->ctx, t, x, phi);
    for (uint32_t k = 0; k < l->n_constraints && !status; k++)
        it->b[k] += 2 * c * phi[k];
    status = status ? status : l->phi(it->ctx, t, x, phi);
    for (uint32_t k = 0; k < l->n_constraints && !status; k++)
        it->b[k] += c * c * phi[k];
    return status;
}

/* The Newton correction of the multipliers in u, into b: the solution for the residuals phi'' of
 * the constraints and those of the balances. */
static int correction(Linearise *it, double t, const double *x)
{
    const RungLoops *l = it->m->loops;
    const RungPattern *p = &l->phi_v_pattern;
    double *xdot = it->row, *entry = malloc((p->col_start[p->n_cols] + (size_t)1) * sizeof *entry);
    int status = entry ? 0 : -1;
    status = status ? status : l->phi_rest(it->ctx, t, x, it->b);
    status = status ? status : l->phi_v(it->ctx, t, x, entry);
    status = status ? status : it->m->xdot(it->ctx, t, x, xdot);
    for (uint32_t c = 0; c < p->n_cols && !status; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            it->b[p->row[e]] += entry[e] * xdot[c];
    free(entry);
    if (!status && it->relax > 0)
        status = add_drift(it, t, x);
    if (!status && l->n_free)
        status = l->balance(it->ctx, t, x, it->b + l->n_constraints);
    for (uint32_t k = l->n_constraints + l->n_free; k < it->n_z; k++)
        it->b[k] = 0;
    if (!status)
        implicit_solve(it, &it->straight, it->b);
    return status;
}

/* Multipliers that keep the loops closed; one correction unless blocks depend on them. */
static int close_loops(Linearise *it, double t, const double *x)
{
    enum { ITERATIONS = 10 };
    const RungLoops *l = it->m->loops;
    double *u = it->ctx->u;
    for (uint32_t i = 0; i < ITERATIONS; i++) {
        int status = factor_entries_of(it, t, x);
        status = status ? status : correction(it, t, x);
        if (status)
            return status;
        double moved = 0, size = 0;
        for (uint32_t k = 0; k < l->n_constraints + l->n_free; k++) {
            double *y = &u[k < l->n_constraints ? l->multiplier[k] : l->free[k - l->n_constraints]];
            *y -= it->b[k];
            moved = fmax(moved, fabs(it->b[k]));
            size = fmax(size, fabs(*y));
        }
        if (!isfinite(moved))
            return 1;
        if (i > 0 && moved <= 1e-9 * (size + DBL_MIN))
            break;
    }
    return factor_entries_of(it, t, x);
}

/* Whether the solution with the factors of k solves all equations, those left out too. b holds the
 * right-hand side. */
static bool solves_all(Linearise *it, const Implicit *k)
{
    static const double small = 1e-6;
    uint32_t n = it->n_z;
    double size = 0, left = 0;
    memcpy(it->z, it->b, n * sizeof *it->b);
    implicit_solve(it, k, it->z);
    for (uint32_t i = 0; i < n; i++)
        size = fmax(size, fabs(it->b[i]));
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t e = k->col_start[j]; e < k->col_start[j + 1]; e++) {
            double term = k->entry[e] * it->z[j];
            it->b[k->row[e]] -= term;
            size = fmax(size, fabs(term));
        }
    for (uint32_t i = 0; i < n; i++)
        left = fmax(left, fabs(it->b[i]));
    return left <= small * size;
}

/* If equations were dropped as redundant: whether they hold for all motions (with cut loops, for
 * the motions that keep the loops closed), and which rows depend on unknowns they leave
 * undetermined. */
static int check_rest(Linearise *it)
{
    const RungPattern *p = &it->l->pattern;
    uint32_t top = first_row(it), left = first_col(it), n = it->n_z;
    memset(it->open, 0, top);
    if (!n || !it->straight.is_singular)
        return 0;
    for (uint32_t c = 0; c < left && !it->m->loops; c++) {
        memset(it->b, 0, n * sizeof *it->b);
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            if (p->row[e] >= top && p->row[e] < top + n)
                it->b[p->row[e] - top] += it->entry[e];
        if (!solves_all(it, &it->straight))
            return 1;
    }
    if (!implicit_factor(it, &it->transposed, &it->straight))
        return 1;
    for (uint32_t r = 0; r < top; r++) {
        memset(it->b, 0, n * sizeof *it->b);
        for (uint32_t c = left; c < left + n; c++)
            for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
                if (p->row[e] == r)
                    it->b[c - left] += it->entry[e];
        it->open[r] = !solves_all(it, &it->transposed);
        if (it->open[r] && r < it->n)
            return 1;
    }
    return 0;
}

int linearise_at(Linearise *it, double t, const double *x)
{
    if (!it->l->entries)
        return differences(it, t, x);
    int status = it->m->loops ? close_loops(it, t, x) : factor_entries_of(it, t, x);
    return status ? status : check_rest(it);
}

double linearise_independence(const Linearise *it, const double *x)
{
    const RungPattern *p = &it->l->pattern;
    uint32_t top = first_row(it), left = first_col(it);
    double least = 1, *all = it->row, *own = it->row + p->n_rows;
    memset(all, 0, 2 * (size_t)p->n_rows * sizeof *all);
    for (uint32_t c = 0; it->l->entries && c < p->n_cols; c++) {
        if (c >= it->n && c < left)
            continue;
        double size = c < it->n ? fmax(fabs(x[c]), it->m->nominal[c]) : 1;
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++) {
            double a = fabs(it->entry[e]) * size, *of = c < it->n ? all : own;
            of[p->row[e]] = fmax(of[p->row[e]], a);
        }
    }
    for (uint32_t r = top; r < top + it->n_z; r++)
        if (all[r] > own[r])
            least = fmin(least, own[r] / all[r]);
    return least;
}

/* ---- products ---- */

void linearise_forward(Linearise *it, const double *dx, const double *du, double *dxdot, double *dy)
{
    const RungPattern *p = &it->l->pattern;
    uint32_t top = first_row(it), left = first_col(it);
    memset(it->row, 0, p->n_rows * sizeof *it->row);
    for (uint32_t c = 0; c < left; c++) {
        double d = c < it->n ? (dx ? dx[c] : 0) : (du ? du[c - it->n] : 0);
        for (uint32_t e = p->col_start[c]; d != 0 && e < p->col_start[c + 1]; e++)
            it->row[p->row[e]] += it->entry[e] * d;
    }
    if (it->n_z) {
        const double *phi = it->row + constraint_row(it), *rate = phi + it->l->n_constraints / 2;
        for (uint32_t k = 0; it->relax > 0 && k < it->l->n_constraints / 2; k++)
            it->row[top + k] += it->relax * (2 * rate[k] + it->relax * phi[k]);
        for (uint32_t k = 0; k < it->n_z; k++)
            it->z[k] = -it->row[top + k];
        implicit_solve(it, &it->straight, it->z);
        for (uint32_t k = 0; k < it->n_z; k++)
            for (uint32_t e = p->col_start[left + k]; e < p->col_start[left + k + 1]; e++)
                it->row[p->row[e]] += it->entry[e] * it->z[k];
    }
    for (uint32_t k = it->n; k < top; k++)
        if (it->open[k])
            it->row[k] = NAN;
    if (it->n)
        memcpy(dxdot, it->row, it->n * sizeof *dxdot);
    if (it->n_y)
        memcpy(dy, it->row + it->n, it->n_y * sizeof *dy);
}

void linearise_adjoint(Linearise *it, const double *of_xdot, const double *of_y, double *by_x,
                       double *by_u)
{
    const RungPattern *p = &it->l->pattern;
    uint32_t top = first_row(it), left = first_col(it);
    memset(it->row, 0, p->n_rows * sizeof *it->row);
    for (uint32_t k = 0; of_xdot && k < it->n; k++)
        it->row[k] = of_xdot[k];
    for (uint32_t k = 0; of_y && k < it->n_y; k++)
        it->row[it->n + k] = it->open[it->n + k] && of_y[k] != 0 ? NAN : of_y[k];
    for (uint32_t c = p->n_cols; c-- > 0;) {
        if (c + 1 == left && it->n_z) { // those of the unknowns are there
            for (uint32_t k = 0; k < it->n_z; k++)
                it->z[k] = -it->col[left + k];
            if (!it->transposed.is_factored)
                implicit_factor(it, &it->transposed, &it->straight);
            implicit_solve(it, &it->transposed, it->z);
            memcpy(it->row + top, it->z, it->n_z * sizeof *it->z);
            double *phi = it->row + constraint_row(it), *rate = phi + it->l->n_constraints / 2;
            for (uint32_t k = 0; it->relax > 0 && k < it->l->n_constraints / 2; k++) {
                rate[k] = 2 * it->relax * it->z[k];
                phi[k] = it->relax * it->relax * it->z[k];
            }
        }
        it->col[c] = 0;
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            it->col[c] += it->entry[e] * it->row[p->row[e]];
    }
    if (it->n)
        memcpy(by_x, it->col, it->n * sizeof *by_x);
    if (it->n_u)
        memcpy(by_u, it->col + it->n, it->n_u * sizeof *by_u);
}

void linearise_matrix(Linearise *it, double *abcd)
{
    uint32_t n_rows = it->n + it->n_y, n_cols = first_col(it);
    for (uint32_t c = 0; c < n_cols; c++) {
        double *unit = it->col, *out = abcd + (size_t)c * n_rows;
        memset(unit, 0, n_cols * sizeof *unit);
        unit[c] = 1;
        linearise_forward(it, unit, unit + it->n, out, out + it->n);
    }
}

void linearise_constraints(const Linearise *it, double *matrix)
{
    const RungPattern *p = &it->l->pattern;
    uint32_t m = it->l->n_constraints, top = constraint_row(it);
    memset(matrix, 0, (size_t)m * first_col(it) * sizeof *matrix);
    for (uint32_t c = 0; c < first_col(it); c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            if (p->row[e] >= top)
                matrix[(size_t)c * m + (p->row[e] - top)] += it->entry[e];
}
