/* SPDX-License-Identifier: BSD-3-Clause */
#include "sparse.h"
#include "column_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

static const double THRESHOLD = 0.1; /* share of the largest from which the diagonal is taken    */
static const double KEPT = 1e-3;     /* and from which an earlier choice of pivot is still taken */

/* Columns of L or U, one per step, without the diagonal. Rows are steps, too, once all pivots are
 * known. Rows of a column of U stand so that each comes after those it depends on. */
typedef struct Columns {
    size_t *start; /* n + 1 */
    uint32_t *row;
    double *value;
    size_t n, room;
} Columns;

struct SparseLu {
    uint32_t n;
    const uint32_t *given; /* the caller's order of columns, or NULL      */
    uint32_t *order;       /* per step: its column                        */
    uint32_t *pivot_row;   /* per step                                    */
    uint32_t *step_of;     /* per row; NONE while it is no pivot          */
    double *scale;         /* per row                                     */
    double *diagonal;      /* of U, per step                              */
    Columns l, u;
    bool has_pattern, has_pivots; /* `order`, and l, u, pivot_row, step_of are of this pattern: */
    uint32_t *col_start, *row;
    size_t row_room;
    /* work */
    double *x;       /* n: the column at hand; zero between columns          */
    uint32_t *reach; /* n: rows that the column at hand fills, see reach_of  */
    uint32_t *stack; /* n: of the depth-first search                         */
    size_t *next;    /* n: per level of it, place in a column of L           */
    uint32_t *seen;  /* n: per row, the last step that reached it, + 1       */
};

void sparse_free(SparseLu *f)
{
    if (!f)
        return;
    free(f->order);
    free(f->pivot_row);
    free(f->step_of);
    free(f->scale);
    free(f->diagonal);
    free(f->l.start);
    free(f->l.row);
    free(f->l.value);
    free(f->u.start);
    free(f->u.row);
    free(f->u.value);
    free(f->col_start);
    free(f->row);
    free(f->x);
    free(f->reach);
    free(f->stack);
    free(f->next);
    free(f->seen);
    free(f);
}

SparseLu *sparse_new(uint32_t n, const uint32_t *order)
{
    SparseLu *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    size_t room = n + (size_t)1;
    f->n = n;
    f->given = order;
    f->order = calloc(room, sizeof *f->order);
    f->pivot_row = calloc(room, sizeof *f->pivot_row);
    f->step_of = calloc(room, sizeof *f->step_of);
    f->scale = calloc(room, sizeof *f->scale);
    f->diagonal = calloc(room, sizeof *f->diagonal);
    f->l.start = calloc(room, sizeof *f->l.start);
    f->u.start = calloc(room, sizeof *f->u.start);
    f->col_start = calloc(room, sizeof *f->col_start);
    f->x = calloc(room, sizeof *f->x);
    f->reach = calloc(room, sizeof *f->reach);
    f->stack = calloc(room, sizeof *f->stack);
    f->next = calloc(room, sizeof *f->next);
    f->seen = calloc(room, sizeof *f->seen);
    if (f->order && f->pivot_row && f->step_of && f->scale && f->diagonal && f->l.start &&
        f->u.start && f->col_start && f->x && f->reach && f->stack && f->next && f->seen)
        return f;
    sparse_free(f);
    return NULL;
}

/* ------------------------------------------------------------------ the pattern */

static bool same_pattern(const SparseLu *f, const uint32_t *col_start, const uint32_t *row)
{
    return f->has_pattern &&
           !memcmp(f->col_start, col_start, (f->n + (size_t)1) * sizeof *col_start) &&
           !memcmp(f->row, row, col_start[f->n] * sizeof *row);
}

/* Keeps the pattern and finds the order of its columns. */
static bool take_pattern(SparseLu *f, const uint32_t *col_start, const uint32_t *row)
{
    uint32_t n = f->n;
    f->has_pattern = f->has_pivots = false;
    if (col_start[n] > f->row_room) {
        uint32_t *kept = realloc(f->row, col_start[n] * sizeof *kept);
        if (!kept)
            return false;
        f->row = kept;
        f->row_room = col_start[n];
    }
    memcpy(f->col_start, col_start, (n + (size_t)1) * sizeof *col_start);
    if (col_start[n])
        memcpy(f->row, row, col_start[n] * sizeof *row);
    if (f->given)
        memcpy(f->order, f->given, n * sizeof *f->order);
    return f->has_pattern = f->given || column_order(n, col_start, row, f->order);
}

/* ------------------------------------------------------------------ numbers */

/* 1 over the largest entry of each row; false if an entry is not finite. */
static bool scale_rows(SparseLu *f, const uint32_t *col_start, const uint32_t *row,
                       const double *value)
{
    uint32_t n = f->n;
    double sum = 0;
    memset(f->scale, 0, n * sizeof *f->scale);
    for (uint32_t e = 0; e < col_start[n]; e++) {
        double size = fabs(value[e]);
        sum += 0 * size; // NaN from the first entry on that is not finite
        if (size > f->scale[row[e]])
            f->scale[row[e]] = size;
    }
    for (uint32_t i = 0; i < n; i++)
        f->scale[i] = f->scale[i] > 0 ? 1 / f->scale[i] : 1;
    return sum == 0;
}

/* Room for so many more entries. */
static bool make_room(Columns *c, size_t more)
{
    if (c->n + more <= c->room)
        return true;
    size_t room = 2 * (c->n + more);
    uint32_t *row = realloc(c->row, room * sizeof *row);
    if (row)
        c->row = row;
    double *value = realloc(c->value, room * sizeof *value);
    if (value)
        c->value = value;
    if (!row || !value)
        return false;
    c->room = room;
    return true;
}

/* The rows that column `column` fills at this step: those of its entries, and for each that is a
 * pivot already the rows of that pivot's column of L, and so on. Found depth first; a row is put in
 * front of those found before, once all that it leads to is found: so that reach[from .. n) names
 * rows before those that they change. Returns from. */
static uint32_t reach_of(SparseLu *f, uint32_t column, uint32_t step)
{
    uint32_t from = f->n, stamp = step + 1;
    for (uint32_t e = f->col_start[column]; e < f->col_start[column + 1]; e++) {
        if (f->seen[f->row[e]] == stamp)
            continue;
        uint32_t depth = 0;
        f->stack[0] = f->row[e];
        f->next[0] = 0;
        f->seen[f->row[e]] = stamp;
        for (;;) {
            uint32_t pivot = f->step_of[f->stack[depth]];
            size_t count = pivot == NONE ? 0 : f->l.start[pivot + 1] - f->l.start[pivot];
            const uint32_t *to = pivot == NONE ? NULL : f->l.row + f->l.start[pivot];
            while (f->next[depth] < count && f->seen[to[f->next[depth]]] == stamp)
                f->next[depth]++;
            if (f->next[depth] < count) {
                uint32_t deeper = to[f->next[depth]++];
                f->seen[deeper] = stamp;
                f->stack[++depth] = deeper;
                f->next[depth] = 0;
                continue;
            }
            f->reach[--from] = f->stack[depth];
            if (depth-- == 0)
                break;
        }
    }
    return from;
}

/* Factors with a choice of pivots, column by column: x = L^-1 of the column by the steps before
 * gives the column of U; the other components of x divided by the chosen pivot give the column of
 * L. */
static bool factor_new(SparseLu *f, const double *value)
{
    uint32_t n = f->n;
    double *x = f->x;
    f->has_pivots = false;
    f->l.n = f->u.n = 0;
    memset(f->x, 0, n * sizeof *f->x);
    memset(f->seen, 0, n * sizeof *f->seen);
    memset(f->step_of, 0xff, n * sizeof *f->step_of);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t column = f->order[k], from = reach_of(f, column, k);
        if (!make_room(&f->u, n - from) || !make_room(&f->l, n - from))
            return false;
        f->u.start[k] = f->u.n;
        f->l.start[k] = f->l.n;

        // the sparse triangular solution
        for (uint32_t e = f->col_start[column]; e < f->col_start[column + 1]; e++)
            x[f->row[e]] += value[e] * f->scale[f->row[e]];
        double largest = 0;
        uint32_t best = NONE;
        for (uint32_t r = from; r < n; r++) {
            uint32_t i = f->reach[r], step = f->step_of[i];
            double xi = x[i];
            if (step == NONE) {
                // no row before it changes it any more
                if (fabs(xi) > largest) {
                    largest = fabs(xi);
                    best = i;
                }
                continue;
            }
            f->u.row[f->u.n] = step;
            f->u.value[f->u.n++] = xi;
            x[i] = 0;
            for (size_t e = f->l.start[step]; e < f->l.start[step + 1]; e++)
                x[f->l.row[e]] -= f->l.value[e] * xi;
        }

        // the pivot
        if (best == NONE || !isfinite(largest))
            return false;
        if (f->seen[column] == k + 1 && f->step_of[column] == NONE &&
            fabs(x[column]) >= THRESHOLD * largest)
            best = column;
        f->pivot_row[k] = best;
        f->step_of[best] = k;
        f->diagonal[k] = x[best];
        x[best] = 0;

        // L, entries that happen to be zero with it: they need not be so next time
        for (uint32_t r = from; r < n; r++) {
            uint32_t i = f->reach[r];
            if (f->step_of[i] != NONE)
                continue;
            f->l.row[f->l.n] = i;
            f->l.value[f->l.n++] = x[i] / f->diagonal[k];
            x[i] = 0;
        }
        f->l.start[k + 1] = f->l.n; // the search for the next column walks this one
    }
    f->u.start[n] = f->u.n;
    for (size_t e = 0; e < f->l.n; e++)
        f->l.row[e] = f->step_of[f->l.row[e]];
    f->has_pivots = true;
    return true;
}

/* Factors with the pivots and patterns that are there; false if a pivot is good no more. */
static bool factor_again(SparseLu *f, const double *value)
{
    uint32_t n = f->n;
    double *x = f->x; // by steps
    for (uint32_t k = 0; k < n; k++) {
        uint32_t column = f->order[k];
        for (uint32_t e = f->col_start[column]; e < f->col_start[column + 1]; e++)
            x[f->step_of[f->row[e]]] += value[e] * f->scale[f->row[e]];
        for (size_t at = f->u.start[k]; at < f->u.start[k + 1]; at++) {
            uint32_t step = f->u.row[at];
            double xi = x[step];
            f->u.value[at] = xi;
            x[step] = 0;
            for (size_t e = f->l.start[step]; e < f->l.start[step + 1]; e++)
                x[f->l.row[e]] -= f->l.value[e] * xi;
        }
        double pivot = f->diagonal[k] = x[k], largest = fabs(pivot);
        x[k] = 0;
        for (size_t e = f->l.start[k]; e < f->l.start[k + 1]; e++) {
            uint32_t i = f->l.row[e];
            largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
            f->l.value[e] = x[i] / pivot;
            x[i] = 0;
        }
        if (!(fabs(pivot) >= KEPT * largest) || pivot == 0 || !isfinite(pivot))
            return false;
    }
    return true;
}

bool sparse_factor(SparseLu *f, const uint32_t *col_start, const uint32_t *row, const double *value)
{
    if (!scale_rows(f, col_start, row, value))
        return false;
    if (same_pattern(f, col_start, row)) {
        if (f->has_pivots && factor_again(f, value))
            return true;
    } else if (!take_pattern(f, col_start, row)) {
        return false;
    }
    return factor_new(f, value);
}

double sparse_pivot_ratio(const SparseLu *f)
{
    double least = 1;
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
    double *x = f->x;
    // L y = P S b
    for (uint32_t k = 0; k < n; k++)
        x[k] = b[f->pivot_row[k]] * f->scale[f->pivot_row[k]];
    for (uint32_t k = 0; k < n; k++)
        for (size_t e = f->l.start[k]; e < f->l.start[k + 1]; e++)
            x[f->l.row[e]] -= f->l.value[e] * x[k];
    // U z = y, the columns of z as they came
    for (uint32_t k = n; k-- > 0;) {
        double z = x[k] / f->diagonal[k];
        for (size_t e = f->u.start[k]; e < f->u.start[k + 1]; e++)
            x[f->u.row[e]] -= f->u.value[e] * z;
        b[f->order[k]] = z;
        x[k] = 0;
    }
}

void sparse_solve_transposed(const SparseLu *f, double *b)
{
    uint32_t n = f->n;
    double *x = f->x;
    // U' y, then L' z = y; the rows of z are pivots
    for (uint32_t k = 0; k < n; k++) {
        double sum = b[f->order[k]];
        for (size_t e = f->u.start[k]; e < f->u.start[k + 1]; e++)
            sum -= f->u.value[e] * x[f->u.row[e]];
        x[k] = sum / f->diagonal[k];
    }
    for (uint32_t k = n; k-- > 0;)
        for (size_t e = f->l.start[k]; e < f->l.start[k + 1]; e++)
            x[k] -= f->l.value[e] * x[f->l.row[e]];
    for (uint32_t k = 0; k < n; k++) {
        b[f->pivot_row[k]] = x[k] * f->scale[f->pivot_row[k]];
        x[k] = 0;
    }
}
