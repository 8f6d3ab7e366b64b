/* SPDX-License-Identifier: BSD-3-Clause */
#include "linear.h"
#include "factor.h"
#include "rank.h"
#include "rung_newton_block.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct Linear {
    uint32_t n_blocks;
    Factor *factor;    /* per block; closed until it is solved                    */
    double **factored; /* per block: the entries of the factors; NULL: none there */
    double *r, *entry; /* of the largest block                                    */
    LinearOpen *open;  /* n_open, of as many as there are unknowns                */
    uint32_t n_open;
};

void linear_free(Linear *w)
{
    if (!w)
        return;
    for (uint32_t k = 0; w->factor && k < w->n_blocks; k++)
        factor_close(&w->factor[k]);
    for (uint32_t k = 0; w->factored && k < w->n_blocks; k++)
        free(w->factored[k]);
    free(w->factor);
    free(w->factored);
    free(w->r);
    free(w->entry);
    free(w->open);
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
    w->factor = calloc(m->n_blocks + (size_t)1, sizeof *w->factor);
    w->factored = calloc(m->n_blocks + (size_t)1, sizeof *w->factored);
    w->r = calloc(n + 1, sizeof *w->r);
    w->entry = calloc(entries + 1, sizeof *w->entry);
    w->open = calloc(m->n_unknowns + (size_t)1, sizeof *w->open);
    if (!w->factor || !w->factored || !w->r || !w->entry || !w->open) {
        linear_free(w);
        return NULL;
    }
    return w;
}

void linear_watch(Linear *w)
{
    w->n_open = 0;
}

uint32_t linear_open(const Linear *w, const LinearOpen **open)
{
    *open = w->open;
    return w->n_open;
}

/* Each block once. */
static void note_open(Linear *w, uint32_t block, uint32_t n, const uint32_t *unknown)
{
    for (uint32_t k = 0; k < w->n_open; k++)
        if (w->open[k].block == block)
            return;
    for (uint32_t k = 0; k < n; k++)
        w->open[w->n_open++] = (LinearOpen){block, unknown[k]};
}

/* Whether each equation holds, against its own terms: beside others that are larger by orders of
 * magnitude one is lost in their rounding. size: the largest term of all before. */
static bool all_hold(Linear *w, RungContext *ctx, const RungBlock *b, double t, const double *x,
                     double size)
{
    static const double AGREE = 1e-8, ROUNDED = 1e-13;
    const double *z = ctx->z + b->first;
    double *term = calloc(b->n + (size_t)1, sizeof *term);
    bool good = term && !b->residual(ctx, b->copy, t, x, z, w->r);
    for (uint32_t c = 0; good && c < b->n; c++)
        for (uint32_t k = b->pattern.col_start[c]; k < b->pattern.col_start[c + 1]; k++)
            term[b->pattern.row[k]] += fabs(w->entry[k] * z[c]);
    for (uint32_t i = 0; good && i < b->n; i++)
        good = fabs(w->r[i]) <= AGREE * term[i] + ROUNDED * size + DBL_MIN;
    free(term);
    return good;
}

/* Block k, singular: unknowns that its equations do not determine keep their values (MLS 3.7.4.5
 * for a flow at rest). False if the equations contradict each other, unless that is permitted
 * (ctx->contradictions); *open is one of the undetermined unknowns, or not set. */
static bool solve_singular(Linear *w, RungContext *ctx, uint32_t block, double t, const double *x,
                           uint32_t *open)
{
    enum { DENSE = 500, REFINEMENTS = 3 };
    const double small = 1e-12, agree = 1e-9;
    const RungBlock *b = &ctx->model->block[block];
    uint32_t n = b->n;
    double *z = ctx->z + b->first;
    double *a = n > DENSE ? NULL : calloc((size_t)n * n + 1, sizeof *a);
    uint32_t *order = calloc(n + (size_t)1, sizeof *order);
    bool good = a && order && !b->residual(ctx, b->copy, t, x, z, w->r);
    double size = 0;
    for (uint32_t c = 0; good && c < n; c++)
        for (uint32_t k = b->pattern.col_start[c]; k < b->pattern.col_start[c + 1]; k++) {
            a[(size_t)c * n + b->pattern.row[k]] = w->entry[k];
            good = good && isfinite(w->entry[k]);
            size = fmax(size, fabs(w->entry[k] * z[c]));
        }
    for (uint32_t i = 0; good && i < n; i++)
        size = fmax(size, fabs(w->r[i]));
    uint32_t rank = good ? rank_find(n, n, a, small, order, w->r, NULL) : 0;
    if (good && rank < n)
        *open = order[rank];
    for (uint32_t i = rank; good && i < n; i++) {
        bool agrees = fabs(w->r[i]) <= agree * size + DBL_MIN; // below it all digits are rounding
        good = agrees || ctx->contradictions > 0;
        ctx->contradictions += good && !agrees;
    }
    // reflections mix equations of all sizes, a flow that is zero with large pressures: its
    // rounding error is that of the largest, until the residuals are small
    for (int round = 0; good && round < REFINEMENTS; round++) {
        if (round > 0 && b->residual(ctx, b->copy, t, x, z, w->r))
            break;
        if (round > 0)
            rank_transform(n, a, rank, order, w->r);
        rank_solve(n, a, rank, order, w->r);
        for (uint32_t k = 0; k < rank; k++)
            z[order[k]] -= w->r[k];
    }
    if (good && ctx->contradictions == 0)
        good = all_hold(w, ctx, b, t, x, size);
    if (good)
        note_open(w, block, n - rank, order + rank);
    free(a);
    free(order);
    return good;
}

/* The factors of block k with these entries: those there are if nothing has changed, as where the
 * entries are parameters. False if the matrix is singular. */
static bool factor_again(Linear *w, const RungBlock *b, uint32_t k)
{
    const double rounding = 1e-13;
    size_t size = b->pattern.col_start[b->n] * sizeof *w->entry;
    double *held = w->factored[k];
    if (held && !memcmp(held, w->entry, size))
        return true;
    w->factored[k] = NULL;
    if (!factor_entries(&w->factor[k], w->entry) ||
        !(factor_pivot_ratio(&w->factor[k]) > rounding)) {
        free(held);
        return false;
    }
    w->factored[k] = held ? held : malloc(size + 1);
    if (w->factored[k])
        memcpy(w->factored[k], w->entry, size);
    return true;
}

static int correct(void *factor, const double *z, double *r)
{
    (void)z;
    factor_solve(factor, r);
    return 0;
}

int linear_solve(Linear *w, RungContext *ctx, uint32_t k, double t, const double *x)
{
    const RungBlock *b = &ctx->model->block[k];
    double *z = ctx->z + b->first;
    Factor *f = &w->factor[k];
    if (!f->n && !factor_open(f, b->n, &b->pattern, b->column_order))
        return -1;
    for (uint32_t i = 0; i < b->n; i++)
        z[i] = isfinite(z[i]) ? z[i] : 0;
    int status = b->jacobian(ctx, b->copy, t, x, z, w->entry);
    if (status)
        return status;
    bool is_regular = factor_again(w, b, k);
    if (is_regular && (status = rung_block_linear(ctx, b, t, x, f, correct, z, w->r)) <= 0)
        return status;
    uint32_t open = RUNG_NONE;
    if (solve_singular(w, ctx, k, t, x, &open))
        return 0;
    ctx->failed_block = k;
    ctx->failed_unknown = open == RUNG_NONE ? RUNG_NONE : b->variable[open];
    return 1;
}
