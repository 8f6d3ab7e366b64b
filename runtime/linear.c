/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear.h"
#include "sparse.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct Linear {
    uint32_t n_blocks;
    SparseLu **factor; /* per block; NULL until it is solved */
    double *r, *entry; /* of the largest block               */
};

void linear_free(Linear *w)
{
    if (!w)
        return;
    for (uint32_t k = 0; w->factor && k < w->n_blocks; k++)
        sparse_free(w->factor[k]);
    free(w->factor);
    free(w->r);
    free(w->entry);
    free(w);
}

Linear *linear_new(const RungModel *m)
{
    size_t n = 0, entries = 0;
    for (uint32_t k = 0; k < m->n_blocks; k++) {
        const RungBlock *b = &m->block[k];
        if (!b->is_linear)
            continue;
        n = b->n > n ? b->n : n;
        entries = b->pattern.col_start[b->n] > entries ? b->pattern.col_start[b->n] : entries;
    }
    Linear *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->n_blocks = m->n_blocks;
    w->factor = calloc(m->n_blocks + (size_t)1, sizeof(SparseLu *));
    w->r = calloc(n + 1, sizeof *w->r);
    w->entry = calloc(entries + 1, sizeof *w->entry);
    if (!w->factor || !w->r || !w->entry) {
        linear_free(w);
        return NULL;
    }
    return w;
}

/* The entry of largest size in rows and columns from k on goes to (k, k); its size. a is n by n by
 * columns. */
static double pivot_to(uint32_t n, double *a, double *r, uint32_t *col, uint32_t k)
{
    uint32_t row = k, column = k;
    double most = 0;
    for (uint32_t c = k; c < n; c++)
        for (uint32_t i = k; i < n; i++)
            if (fabs(a[(size_t)c * n + i]) > most) {
                most = fabs(a[(size_t)c * n + i]);
                row = i;
                column = c;
            }
    for (uint32_t c = 0; c < n; c++) {
        double other = a[(size_t)c * n + k];
        a[(size_t)c * n + k] = a[(size_t)c * n + row];
        a[(size_t)c * n + row] = other;
    }
    for (uint32_t i = 0; i < n; i++) {
        double other = a[(size_t)k * n + i];
        a[(size_t)k * n + i] = a[(size_t)column * n + i];
        a[(size_t)column * n + i] = other;
    }
    double rest = r[k];
    r[k] = r[row];
    r[row] = rest;
    uint32_t which = col[k];
    col[k] = col[column];
    col[column] = which;
    return most;
}

/* A singular block: unknowns that its equations leave open stay what they were (MLS 3.7.4.5 for a
 * flow that stands still). False if the equations contradict each other, unless that passes. */
static bool solve_singular(Linear *w, RungContext *ctx, const RungBlock *b, double t,
                           const double *x)
{
    enum { DENSE = 500 };
    const double small = 1e-12, agree = 1e-9;
    uint32_t n = b->n;
    double *z = ctx->z + b->first;
    double *a = n > DENSE ? NULL : calloc((size_t)n * n + 1, sizeof *a);
    uint32_t *col = calloc(n + (size_t)1, sizeof *col);
    bool good = a && col && !b->residual(ctx, t, x, z, w->r);
    double size = 0;
    for (uint32_t c = 0; good && c < n; c++) {
        col[c] = c;
        for (uint32_t k = b->pattern.col_start[c]; k < b->pattern.col_start[c + 1]; k++) {
            a[(size_t)c * n + b->pattern.row[k]] = w->entry[k];
            good = good && isfinite(w->entry[k]);
            size = fmax(size, fabs(w->entry[k] * z[c]));
        }
    }
    for (uint32_t i = 0; good && i < n; i++)
        size = fmax(size, fabs(w->r[i]));
    uint32_t rank = 0;
    double first = 0;
    for (; good && rank < n; rank++) {
        double pivot = pivot_to(n, a, w->r, col, rank);
        first = rank == 0 ? pivot : first;
        if (!(pivot > small * first))
            break;
        for (uint32_t i = rank + 1; i < n; i++) {
            double f = a[(size_t)rank * n + i] / a[(size_t)rank * n + rank];
            for (uint32_t c = rank; f != 0 && c < n; c++)
                a[(size_t)c * n + i] -= f * a[(size_t)c * n + rank];
            w->r[i] -= f * w->r[rank];
        }
    }
    for (uint32_t i = rank; good && i < n; i++) {
        bool agrees = fabs(w->r[i]) <= agree * size;
        good = agrees || ctx->settles > 0;
        ctx->settles += good && !agrees;
    }
    for (uint32_t k = rank; good && k-- > 0;) {
        for (uint32_t c = k + 1; c < rank; c++)
            w->r[k] -= a[(size_t)c * n + k] * w->r[c];
        w->r[k] /= a[(size_t)k * n + k];
    }
    for (uint32_t k = 0; good && k < rank; k++)
        z[col[k]] -= w->r[k];
    free(a);
    free(col);
    return good;
}

int linear_solve(Linear *w, RungContext *ctx, uint32_t k, double t, const double *x)
{
    enum { REFINEMENTS = 2 };
    const RungBlock *b = &ctx->model->block[k];
    double *z = ctx->z + b->first;
    if (!w->factor[k] && !(w->factor[k] = sparse_new(b->n)))
        return -1;
    for (uint32_t i = 0; i < b->n; i++)
        z[i] = isfinite(z[i]) ? z[i] : 0;
    int status = b->jacobian(ctx, t, x, z, w->entry);
    if (status)
        return status;
    int64_t column = sparse_factor(w->factor[k], b->pattern.col_start, b->pattern.row, w->entry);
    if (column == SPARSE_MEMORY)
        return -1;
    if (column >= 0) {
        if (solve_singular(w, ctx, b, t, x))
            return 0;
        ctx->failed_block = k;
        ctx->failed_unknown = b->variable[column];
        return 1;
    }
    // the residual at any z tells the step to the solution; what rounding leaves is stepped once
    // more
    for (int it = 0; it < REFINEMENTS; it++) {
        status = b->residual(ctx, t, x, z, w->r);
        if (status)
            return status;
        sparse_solve(w->factor[k], w->r);
        for (uint32_t i = 0; i < b->n; i++)
            z[i] -= w->r[i];
    }
    return 0;
}
