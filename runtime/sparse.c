/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sparse.c -- sparse.h without a library: columns in the order given, each by the rows it reaches
 * (Gilbert and Peierls 1988), in time proportional to the multiplications.
 */
#include "sparse.h"

#ifndef RUNG_CXSPARSE
#include <math.h>
#include <stdlib.h>

#define NONE UINT32_MAX

/* Columns one after the other; rows of L as in the matrix, of U by step. */
typedef struct Factor {
    size_t *start; /* n + 1 */
    uint32_t *row;
    double *value;
    size_t n, cap;
} Factor;

struct SparseLu {
    uint32_t n;
    Factor l, u;         /* without their diagonals                          */
    double *diagonal;    /* of U, per step                                   */
    uint32_t *pivot_row; /* per step                                         */
    uint32_t *step_of;   /* per row; NONE while it is no pivot               */
    double *scale;       /* per row                                          */
    double *x;           /* the column at hand                               */
    uint32_t *reach;     /* rows of the column at hand, sources before users */
    uint32_t *stack;
    size_t *next;   /* per level of the search: place in the column of L */
    uint32_t *seen; /* per row: last column that reached it, + 1 */
};

static bool grow(Factor *f, size_t more)
{
    if (f->n + more <= f->cap)
        return true;
    size_t cap = 2 * (f->n + more);
    uint32_t *row = realloc(f->row, cap * sizeof *row);
    if (row)
        f->row = row;
    double *value = realloc(f->value, cap * sizeof *value);
    if (value)
        f->value = value;
    if (!row || !value)
        return false;
    f->cap = cap;
    return true;
}

static void put(Factor *f, uint32_t row, double value)
{
    f->row[f->n] = row;
    f->value[f->n++] = value;
}

static void factor_free(Factor *f)
{
    free(f->start);
    free(f->row);
    free(f->value);
}

void sparse_free(SparseLu *f)
{
    if (!f)
        return;
    factor_free(&f->l);
    factor_free(&f->u);
    free(f->diagonal);
    free(f->pivot_row);
    free(f->step_of);
    free(f->scale);
    free(f->x);
    free(f->reach);
    free(f->stack);
    free(f->next);
    free(f->seen);
    free(f);
}

SparseLu *sparse_new(uint32_t n)
{
    SparseLu *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    size_t most = n + (size_t)1;
    f->n = n;
    f->l.start = calloc(most, sizeof *f->l.start);
    f->u.start = calloc(most, sizeof *f->u.start);
    f->diagonal = calloc(most, sizeof *f->diagonal);
    f->pivot_row = calloc(most, sizeof *f->pivot_row);
    f->step_of = calloc(most, sizeof *f->step_of);
    f->scale = calloc(most, sizeof *f->scale);
    f->x = calloc(most, sizeof *f->x);
    f->reach = calloc(most, sizeof *f->reach);
    f->stack = calloc(most, sizeof *f->stack);
    f->next = calloc(most, sizeof *f->next);
    f->seen = calloc(most, sizeof *f->seen);
    if (!f->l.start || !f->u.start || !f->diagonal || !f->pivot_row || !f->step_of || !f->scale ||
        !f->x || !f->reach || !f->stack || !f->next || !f->seen) {
        sparse_free(f);
        return NULL;
    }
    return f;
}

/* Rows that the row at first leads to through the columns of L, put before those found earlier:
 * f->reach[from..n) ends up in an order of dependence. */
static uint32_t search(SparseLu *f, uint32_t first, uint32_t column, uint32_t from)
{
    uint32_t depth = 0;
    f->stack[0] = first;
    f->seen[first] = column + 1;
    f->next[0] = f->step_of[first] == NONE ? 0 : f->l.start[f->step_of[first]];
    for (;;) {
        uint32_t row = f->stack[depth], step = f->step_of[row];
        size_t end = step == NONE ? 0 : f->l.start[step + 1];
        bool deeper = false;
        while (step != NONE && f->next[depth] < end && !deeper) {
            uint32_t to = f->l.row[f->next[depth]++];
            if (f->seen[to] == column + 1)
                continue;
            f->seen[to] = column + 1;
            f->stack[++depth] = to;
            f->next[depth] = f->step_of[to] == NONE ? 0 : f->l.start[f->step_of[to]];
            deeper = true;
        }
        if (deeper)
            continue;
        f->reach[--from] = row;
        if (depth-- == 0)
            return from;
    }
}

static void scale_rows(SparseLu *f, const uint32_t *col_start, const uint32_t *row,
                       const double *value)
{
    uint32_t n = f->n;
    for (uint32_t i = 0; i < n; i++)
        f->scale[i] = 0;
    for (uint32_t e = 0; e < col_start[n]; e++)
        f->scale[row[e]] = fmax(f->scale[row[e]], fabs(value[e]));
    for (uint32_t i = 0; i < n; i++)
        f->scale[i] = f->scale[i] > 0 && isfinite(f->scale[i]) ? 1 / f->scale[i] : 1;
}

bool sparse_factor(SparseLu *f, const uint32_t *col_start, const uint32_t *row, const double *value)
{
    const double WEAK = 0.1;
    uint32_t n = f->n;
    scale_rows(f, col_start, row, value);
    f->l.n = f->u.n = 0;
    for (uint32_t i = 0; i < n; i++) {
        f->step_of[i] = NONE;
        f->seen[i] = 0;
    }
    for (uint32_t k = 0; k < n; k++) {
        f->l.start[k] = f->l.n;
        f->u.start[k] = f->u.n;
        uint32_t from = n;
        for (uint32_t e = col_start[k]; e < col_start[k + 1]; e++)
            if (f->seen[row[e]] != k + 1)
                from = search(f, row[e], k, from);
        for (uint32_t r = from; r < n; r++)
            f->x[f->reach[r]] = 0;
        for (uint32_t e = col_start[k]; e < col_start[k + 1]; e++)
            f->x[row[e]] += value[e] * f->scale[row[e]];
        if (!grow(&f->u, n - from) || !grow(&f->l, n - from))
            return false;

        double largest = 0;
        uint32_t best = NONE;
        for (uint32_t r = from; r < n; r++) {
            uint32_t i = f->reach[r], step = f->step_of[i];
            double xi = f->x[i];
            if (step == NONE) {
                if (!(fabs(xi) <= largest)) {
                    largest = fabs(xi);
                    best = i;
                }
                continue;
            }
            put(&f->u, step, xi);
            for (size_t e = f->l.start[step]; e < f->l.start[step + 1]; e++)
                f->x[f->l.row[e]] -= f->l.value[e] * xi;
        }
        if (best == NONE || !isfinite(largest) || largest == 0)
            return false;
        if (f->seen[k] == k + 1 && f->step_of[k] == NONE && fabs(f->x[k]) >= WEAK * largest)
            best = k;
        f->pivot_row[k] = best;
        f->step_of[best] = k;
        f->diagonal[k] = f->x[best];
        for (uint32_t r = from; r < n; r++) {
            uint32_t i = f->reach[r];
            if (f->step_of[i] == NONE && f->x[i] != 0)
                put(&f->l, i, f->x[i] / f->diagonal[k]);
        }
        // the search for the next column walks this one
        f->l.start[k + 1] = f->l.n;
    }
    f->l.start[n] = f->l.n;
    f->u.start[n] = f->u.n;
    return true;
}

double sparse_weakest(const SparseLu *f)
{
    double least = INFINITY;
    for (uint32_t k = 0; k < f->n; k++) {
        double pivot = fabs(f->diagonal[k]), most = pivot;
        for (size_t e = f->u.start[k]; e < f->u.start[k + 1]; e++)
            most = fmax(most, fabs(f->u.value[e]));
        least = fmin(least, pivot / most);
    }
    return least;
}

void sparse_solve(const SparseLu *f, double *b)
{
    uint32_t n = f->n;
    for (uint32_t i = 0; i < n; i++)
        b[i] *= f->scale[i];
    for (uint32_t k = 0; k < n; k++) {
        double y = f->x[k] = b[f->pivot_row[k]];
        for (size_t e = f->l.start[k]; e < f->l.start[k + 1]; e++)
            b[f->l.row[e]] -= f->l.value[e] * y;
    }
    for (uint32_t k = n; k-- > 0;) {
        double y = b[k] = f->x[k] / f->diagonal[k];
        for (size_t e = f->u.start[k]; e < f->u.start[k + 1]; e++)
            f->x[f->u.row[e]] -= f->u.value[e] * y;
    }
}
#endif
