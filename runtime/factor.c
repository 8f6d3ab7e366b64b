/* SPDX-License-Identifier: BSD-3-Clause */
#include "factor.h"
#include "dense.h"

#include <stdlib.h>

/* From this size on, and with fewer entries than this share of all, sparse is faster. */
enum { LARGE = 40, SHARE = 5 };

void factor_close(Factor *it)
{
    free(it->pivot);
    free(it->dense);
    free(it->size);
    if (it->sparse)
        sparse_free(it->sparse);
    free(it->col_start);
    free(it->row);
    free(it->entry);
    *it = (Factor){0};
}

bool factor_open(Factor *it, uint32_t n)
{
    size_t all = (size_t)n * n;
    *it = (Factor){.n = n};
    it->pivot = calloc(n + (size_t)1, sizeof *it->pivot);
    it->dense = calloc(all + 1, sizeof *it->dense);
    it->size = calloc(n + (size_t)1, sizeof *it->size);
    bool ok = it->pivot && it->dense && it->size;
    if (n >= LARGE) {
        it->sparse = sparse_new(n);
        it->col_start = calloc(n + (size_t)1, sizeof *it->col_start);
        it->row = calloc(all / SHARE + 1, sizeof *it->row);
        it->entry = calloc(all / SHARE + 1, sizeof *it->entry);
        ok = ok && it->sparse && it->col_start && it->row && it->entry;
    }
    if (!ok)
        factor_close(it);
    return ok;
}

double *factor_matrix(Factor *it)
{
    return it->dense;
}

/* False if there are too many. */
static bool gather(Factor *it)
{
    size_t most = (size_t)it->n * it->n / SHARE;
    uint32_t at = 0;
    for (uint32_t c = 0; c < it->n; c++) {
        const double *column = it->dense + (size_t)c * it->n;
        it->col_start[c] = at;
        for (uint32_t r = 0; r < it->n; r++) {
            if (column[r] == 0)
                continue;
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
    if (!it->is_sparse)
        return dense_factor(it->n, it->dense, it->pivot, it->size) < 0;
    return sparse_factor(it->sparse, it->col_start, it->row, it->entry) == SPARSE_REGULAR;
}

void factor_solve(const Factor *it, double *b)
{
    if (it->is_sparse)
        sparse_solve(it->sparse, b);
    else
        dense_solve(it->n, it->dense, it->pivot, b);
}
