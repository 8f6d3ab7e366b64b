/* SPDX-License-Identifier: BSD-3-Clause */
#include "basic.h"
#include "block_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of scaled rows: pivots that count, and what is left where they end. */
static const double LEAST = 1e-6, ROUNDING = 1e-11;
/* Of a pivot's size when the order was found: enough to keep that. */
static const double KEPT = 0.1;

bool basic_open(Basic *it, uint32_t n)
{
    size_t all = (size_t)n * n;
    *it = (Basic){.n = n};
    it->a = calloc(all + 1, sizeof *it->a);
    it->null = calloc(all + 1, sizeof *it->null);
    it->scale = calloc(n + (size_t)1, sizeof *it->scale);
    it->inverse = calloc(n + (size_t)1, sizeof *it->inverse);
    it->size = calloc(n + (size_t)1, sizeof *it->size);
    it->row = calloc(n + (size_t)1, sizeof *it->row);
    it->col = calloc(n + (size_t)1, sizeof *it->col);
    if (it->a && it->null && it->scale && it->inverse && it->size && it->row && it->col)
        return true;
    basic_close(it);
    return false;
}

void basic_close(Basic *it)
{
    free(it->a);
    free(it->null);
    free(it->scale);
    free(it->inverse);
    free(it->size);
    free(it->row);
    free(it->col);
    *it = (Basic){0};
}

static double *at(const Basic *it, size_t i, size_t k)
{
    return &it->a[i + k * it->n];
}

static void exchange(uint32_t *v, uint32_t i, uint32_t k)
{
    uint32_t keep = v[i];
    v[i] = v[k];
    v[k] = keep;
}

static void exchange_rows(Basic *it, uint32_t i, uint32_t k)
{
    for (uint32_t c = 0; c < it->n && i != k; c++) {
        double keep = *at(it, i, c);
        *at(it, i, c) = *at(it, k, c);
        *at(it, k, c) = keep;
    }
    exchange(it->row, i, k);
}

static void exchange_columns(Basic *it, uint32_t i, uint32_t k)
{
    for (uint32_t r = 0; r < it->n && i != k; r++) {
        double keep = *at(it, r, i);
        *at(it, r, i) = *at(it, r, k);
        *at(it, r, k) = keep;
    }
    exchange(it->col, i, k);
}

static void eliminate(Basic *it, uint32_t k)
{
    double inverse = it->inverse[k] = 1 / *at(it, k, k);
    for (uint32_t i = k + 1; i < it->n; i++)
        *at(it, i, k) *= inverse;
    for (uint32_t c = k + 1; c < it->n; c++) {
        double f = *at(it, k, c);
        for (uint32_t i = k + 1; i < it->n && f != 0; i++)
            *at(it, i, c) -= *at(it, i, k) * f;
    }
}

/* The largest entry from row and column k on. */
static double find_pivot(const Basic *it, uint32_t k, uint32_t *row, uint32_t *col)
{
    double most = 0;
    *row = *col = k;
    for (uint32_t c = k; c < it->n; c++)
        for (uint32_t i = k; i < it->n; i++)
            if (!(fabs(*at(it, i, c)) <= most)) {
                most = fabs(*at(it, i, c));
                *row = i;
                *col = c;
            }
    return most;
}

/* z, in the places of the unknowns, by Gram and Schmidt, twice. */
static void find_null(Basic *it)
{
    enum { ROUNDS = 2 };
    uint32_t n = it->n, rank = it->rank;
    for (uint32_t j = rank; j < n; j++) {
        double *z = it->null + (size_t)(j - rank) * n, size = 0;
        memset(z, 0, n * sizeof *z);
        z[it->col[j]] = 1;
        for (uint32_t k = rank; k-- > 0;) {
            double sum = *at(it, k, j);
            for (uint32_t c = k + 1; c < rank; c++)
                sum += *at(it, k, c) * z[it->col[c]];
            z[it->col[k]] = -sum * it->inverse[k];
        }
        for (uint32_t i = 0; i < (j - rank) * ROUNDS; i++) {
            const double *other = it->null + (size_t)(i % (j - rank)) * n;
            double along = 0;
            for (uint32_t k = 0; k < n; k++)
                along += other[k] * z[k];
            for (uint32_t k = 0; k < n; k++)
                z[k] -= along * other[k];
        }
        for (uint32_t k = 0; k < n; k++)
            size += z[k] * z[k];
        size = 1 / sqrt(size);
        for (uint32_t k = 0; k < n; k++)
            z[k] *= size;
    }
}

static void find_scales(Basic *it, const double *a)
{
    uint32_t n = it->n;
    memset(it->scale, 0, n * sizeof *it->scale);
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t i = 0; i < n; i++) {
            double size = fabs(a[i + (size_t)c * n]);
            it->scale[i] = size > it->scale[i] ? size : it->scale[i];
        }
    for (uint32_t i = 0; i < n; i++)
        it->scale[i] = it->scale[i] > 0 ? 1 / it->scale[i] : 0;
}

/* The scaled matrix with rows and columns in their order. */
static void take(Basic *it, const double *a)
{
    for (uint32_t c = 0; c < it->n; c++) {
        const double *from = a + (size_t)it->col[c] * it->n;
        double *to = it->a + (size_t)c * it->n;
        for (uint32_t i = 0; i < it->n; i++)
            to[i] = it->scale[it->row[i]] * from[it->row[i]];
    }
}

/* Whether the order that it has still serves. */
static bool factor_in_order(Basic *it, const double *a)
{
    take(it, a);
    for (uint32_t k = 0; k < it->rank; k++) {
        double pivot = fabs(*at(it, k, k));
        if (!(pivot >= KEPT * it->size[k]) || !(pivot >= LEAST))
            return false;
        eliminate(it, k);
    }
    for (uint32_t c = it->rank; c < it->n; c++)
        for (uint32_t i = it->rank; i < it->n; i++)
            if (!(fabs(*at(it, i, c)) <= ROUNDING))
                return false;
    return true;
}

/* False if a number is not finite, or the last pivot is too small to count. */
static bool factor_anew(Basic *it, const double *a)
{
    for (uint32_t i = 0; i < it->n; i++)
        it->row[i] = it->col[i] = i;
    take(it, a);
    double pivot = 1;
    uint32_t row, col;
    for (it->rank = 0; it->rank < it->n; it->rank++) {
        double largest = find_pivot(it, it->rank, &row, &col);
        if (!isfinite(largest))
            return false;
        if (largest <= ROUNDING)
            break;
        pivot = it->size[it->rank] = largest;
        exchange_rows(it, it->rank, row);
        exchange_columns(it, it->rank, col);
        eliminate(it, it->rank);
    }
    return pivot >= LEAST;
}

bool basic_factor(Basic *it, const double *a)
{
    find_scales(it, a);
    if (!it->has_order || !factor_in_order(it, a))
        it->has_order = factor_anew(it, a);
    if (it->has_order)
        find_null(it);
    return it->has_order;
}

BLOCK_VECTORS
void basic_solve(const Basic *it, uint32_t width, const double *b, double *y)
{
    uint32_t rank = it->rank;
    size_t w = width;
    memset(y, 0, it->n * w * sizeof *y);
    for (uint32_t k = 0; k < rank; k++) {
        double *to = y + it->col[k] * w;
        block_add(w, it->scale[it->row[k]], b + it->row[k] * w, to);
        for (uint32_t c = 0; c < k; c++)
            if (*at(it, k, c) != 0)
                block_add(w, -*at(it, k, c), y + it->col[c] * w, to);
    }
    for (uint32_t k = rank; k-- > 0;) {
        double *to = y + it->col[k] * w;
        for (uint32_t c = k + 1; c < rank; c++)
            if (*at(it, k, c) != 0)
                block_add(w, -*at(it, k, c), y + it->col[c] * w, to);
        block_scale(w, it->inverse[k], to);
    }
}

BLOCK_VECTORS
void basic_shorten(const Basic *it, uint32_t width, double *y, double *work)
{
    size_t w = width;
    for (uint32_t j = 0; j + it->rank < it->n; j++) {
        const double *z = it->null + (size_t)j * it->n;
        memset(work, 0, w * sizeof *work);
        for (uint32_t k = 0; k < it->n; k++)
            if (z[k] != 0)
                block_add(w, z[k], y + k * w, work);
        for (uint32_t k = 0; k < it->n; k++)
            if (z[k] != 0)
                block_add(w, -z[k], work, y + k * w);
    }
}
