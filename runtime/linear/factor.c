/* SPDX-License-Identifier: BSD-3-Clause */
#include "factor.h"
#include "block_row.h"
#include "rung_lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From this size on, and with fewer entries than this share of all, sparse is faster. */
enum { LARGE = 40, SHARE = 5 };

void factor_close(Factor *it)
{
    free(it->pivot);
    free(it->dense);
    free(it->size);
    free(it->seen);
    free(it->col_start);
    free(it->row);
    free(it->entry);
    sparse_free(it->sparse);
    *it = (Factor){0};
}

bool factor_is_sparse(uint32_t n, size_t entries)
{
    return n >= LARGE && entries <= (size_t)n * n / SHARE;
}

bool factor_open(Factor *it, uint32_t n, const RungPattern *pattern, const uint32_t *order)
{
    size_t all = (size_t)n * n;
    *it = (Factor){.n = n, .pattern = pattern};
    bool ok = true;
    if (factor_is_sparse(n, pattern ? pattern->col_start[n] : 0)) {
        ok = (it->sparse = sparse_new(n, order)) != NULL;
        if (!pattern) {
            it->col_start = calloc(n + (size_t)1, sizeof *it->col_start);
            it->seen = calloc(all, 1);
            it->row = calloc(all / SHARE + 1, sizeof *it->row);
            it->entry = calloc(all / SHARE + 1, sizeof *it->entry);
            ok = ok && it->seen && it->col_start && it->row && it->entry;
        }
    }
    if (!it->sparse || !pattern) {
        it->pivot = calloc(n + (size_t)1, sizeof *it->pivot);
        it->size = calloc(n + (size_t)1, sizeof *it->size);
        it->dense = calloc(all + 1, sizeof *it->dense);
        ok = ok && it->pivot && it->size && it->dense;
    }
    if (!ok)
        factor_close(it);
    return ok;
}

double *factor_matrix(Factor *it)
{
    return it->dense;
}

/* The entries of the matrix in full, those that were other than zero before with them: a value that
 * passes zero is no new pattern. False if there are too many. */
static bool gather(Factor *it)
{
    size_t most = (size_t)it->n * it->n / SHARE;
    uint32_t at = 0;
    for (uint32_t c = 0; c < it->n; c++) {
        const double *column = it->dense + (size_t)c * it->n;
        unsigned char *seen = it->seen + (size_t)c * it->n;
        it->col_start[c] = at;
        for (uint32_t r = 0; r < it->n; r++) {
            if (column[r] == 0 && !seen[r])
                continue;
            seen[r] = 1;
            if (at == most)
                return false;
            it->row[at] = r;
            it->entry[at++] = column[r];
        }
    }
    it->col_start[it->n] = at;
    return true;
}

bool factor_make(Factor *it)
{
    it->is_sparse = it->sparse && gather(it);
    if (it->is_sparse)
        return sparse_factor(it->sparse, it->col_start, it->row, it->entry);
    return rung_lu_factor(it->n, it->dense, it->pivot, it->size) < 0;
}

bool factor_entries(Factor *it, const double *entry)
{
    const RungPattern *p = it->pattern;
    it->is_sparse = it->sparse != NULL;
    if (it->is_sparse)
        return sparse_factor(it->sparse, p->col_start, p->row, entry);
    memset(it->dense, 0, (size_t)it->n * it->n * sizeof *it->dense);
    for (uint32_t c = 0; c < it->n; c++)
        for (uint32_t e = p->col_start[c]; e < p->col_start[c + 1]; e++)
            it->dense[p->row[e] + (size_t)c * it->n] = entry[e];
    return rung_lu_factor(it->n, it->dense, it->pivot, it->size) < 0;
}

double factor_pivot_ratio(const Factor *it)
{
    return it->is_sparse ? sparse_pivot_ratio(it->sparse)
                         : rung_lu_ratio(it->n, it->dense, it->size);
}

void factor_solve(const Factor *it, double *b)
{
    if (it->is_sparse)
        sparse_solve(it->sparse, b);
    else
        rung_lu_solve(it->n, it->dense, it->pivot, b);
}

void factor_solve_transposed(const Factor *it, double *b)
{
    uint32_t n = it->n;
    const double *a = it->dense;
    if (it->is_sparse) {
        sparse_solve_transposed(it->sparse, b);
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < k; i++)
            b[k] -= a[i + (size_t)k * n] * b[i];
        b[k] /= a[k + (size_t)k * n];
    }
    for (uint32_t k = n; k-- > 0;) {
        for (uint32_t i = k + 1; i < n; i++)
            b[k] -= a[i + (size_t)k * n] * b[i];
    }
    for (uint32_t k = n; k-- > 0;) {
        double keep = b[k];
        b[k] = b[it->pivot[k]];
        b[it->pivot[k]] = keep;
    }
}

/* Side by side four columns of rows of m numbers, whose rows are permuted: a row's sums stay in
 * registers, of which compilers make vectors. */
BLOCK_VECTORS
static void solve_four(const Factor *it, uint32_t m, double *b)
{
    uint32_t n = it->n;
    for (uint32_t i = 0; i < n; i++) {
        double *to = b + (size_t)i * m, s0 = to[0], s1 = to[1], s2 = to[2], s3 = to[3];
        for (uint32_t k = 0; k < i; k++) {
            const double f = it->dense[i + (size_t)k * n], *row = b + (size_t)k * m;
            s0 -= f * row[0];
            s1 -= f * row[1];
            s2 -= f * row[2];
            s3 -= f * row[3];
        }
        to[0] = s0;
        to[1] = s1;
        to[2] = s2;
        to[3] = s3;
    }
    for (uint32_t i = n; i-- > 0;) {
        const double pivot = it->dense[i + (size_t)i * n];
        double *to = b + (size_t)i * m, s0 = to[0], s1 = to[1], s2 = to[2], s3 = to[3];
        for (uint32_t k = n; k-- > i + 1;) {
            const double f = it->dense[i + (size_t)k * n], *row = b + (size_t)k * m;
            s0 -= f * row[0];
            s1 -= f * row[1];
            s2 -= f * row[2];
            s3 -= f * row[3];
        }
        to[0] = s0 / pivot;
        to[1] = s1 / pivot;
        to[2] = s2 / pivot;
        to[3] = s3 / pivot;
    }
}

/* One of them. */
static void solve_side(const Factor *it, uint32_t m, double *b)
{
    uint32_t n = it->n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i; k++)
            b[(size_t)i * m] -= it->dense[i + (size_t)k * n] * b[(size_t)k * m];
    for (uint32_t i = n; i-- > 0;) {
        for (uint32_t k = n; k-- > i + 1;)
            b[(size_t)i * m] -= it->dense[i + (size_t)k * n] * b[(size_t)k * m];
        b[(size_t)i * m] /= it->dense[i + (size_t)i * n];
    }
}

void factor_solve_block(const Factor *it, uint32_t m, double *b, double *work)
{
    uint32_t n = it->n;
    if (it->is_sparse) {
        for (uint32_t j = 0; j < m; j++) {
            for (uint32_t i = 0; i < n; i++)
                work[i] = b[(size_t)i * m + j];
            sparse_solve(it->sparse, work);
            for (uint32_t i = 0; i < n; i++)
                b[(size_t)i * m + j] = work[i];
        }
        return;
    }
    // as rung_lu_solve does it for one
    for (uint32_t k = 0; k < n; k++) {
        double *here = b + (size_t)k * m, *there = b + (size_t)it->pivot[k] * m;
        for (uint32_t j = 0; j < m && here != there; j++) {
            double keep = here[j];
            here[j] = there[j];
            there[j] = keep;
        }
    }
    uint32_t j = 0;
    for (; j + 4 <= m; j += 4)
        solve_four(it, m, b + j);
    for (; j < m; j++)
        solve_side(it, m, b + j);
}
