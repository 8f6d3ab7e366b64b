/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear.h"
#include "sparse.h"

#include <math.h>
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
