/* SPDX-License-Identifier: BSD-3-Clause */
#include "singular_jacobian.h"
#include "rank.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void singular_jacobian_free(SingularJacobian *it)
{
    free(it->a);
    free(it->order);
    free(it->was_open);
    *it = (SingularJacobian){0};
}

static bool reserve(SingularJacobian *it, uint32_t n)
{
    if (it->n == n && it->a)
        return true;
    singular_jacobian_free(it);
    it->a = malloc(((size_t)n * n + 4 * (size_t)n + 1) * sizeof *it->a);
    it->order = malloc((n + (size_t)1) * sizeof *it->order);
    it->was_open = calloc(n + (size_t)1, sizeof *it->was_open);
    if (!it->a || !it->order || !it->was_open) {
        singular_jacobian_free(it);
        return false;
    }
    it->n = n;
    it->unit = it->a + (size_t)n * n;
    it->scale = it->unit + n;
    it->row = it->scale + n;
    it->r = it->row + n;
    return true;
}

void singular_jacobian_forget(SingularJacobian *it)
{
    if (it->was_open)
        memset(it->was_open, 0, it->n * sizeof *it->was_open);
}

int singular_jacobian_make(SingularJacobian *it, const RungBlock *b, const double *entry,
                           const double *z)
{
    enum { DENSE = 500 };
    static const double SMALL = 1e-12, LAST = 1e-3;
    const RungPattern *pattern = &b->pattern;
    const uint32_t n = b->n;
    if (n > DENSE)
        return 1;
    if (!reserve(it, n))
        return -1;
    memset(it->a, 0, (size_t)n * n * sizeof *it->a);
    memset(it->row, 0, n * sizeof *it->row);
    for (uint32_t c = 0; c < n; c++) {
        it->unit[c] = fabs(z[c]) + b->nominal[c];
        it->scale[c] = it->was_open[c] ? LAST * it->unit[c] : it->unit[c];
        for (uint32_t k = pattern->col_start[c]; k < pattern->col_start[c + 1]; k++) {
            const double term = entry[k] * it->scale[c];
            if (!isfinite(term))
                return 1;
            it->a[(size_t)c * n + pattern->row[k]] += term;
            it->row[pattern->row[k]] = fmax(it->row[pattern->row[k]], fabs(term));
        }
    }
    for (uint32_t i = 0; i < n; i++)
        it->row[i] = it->row[i] >= DBL_MIN ? it->row[i] : 1;
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t i = 0; i < n; i++)
            it->a[(size_t)c * n + i] /= it->row[i];
    it->rank = rank_find(n, n, it->a, SMALL, it->order, NULL, NULL);
    for (uint32_t k = 0; k < n; k++)
        it->was_open[it->order[k]] = k >= it->rank;
    return 0;
}

double singular_jacobian_residual(const SingularJacobian *it, const double *r)
{
    double most = 0;
    for (uint32_t i = 0; i < it->n; i++) {
        const double part = fabs(r[i]) / it->row[i];
        most = part > most || isnan(part) ? part : most;
    }
    return most;
}

bool singular_jacobian_correct(SingularJacobian *it, double *r)
{
    static const double AGREE = 1e-9;
    const uint32_t n = it->n;
    const double bound = AGREE * fmax(1, singular_jacobian_residual(it, r));
    for (uint32_t i = 0; i < n; i++)
        it->r[i] = r[i] / it->row[i];
    rank_transform(n, it->a, it->rank, it->order, it->r);
    for (uint32_t i = it->rank; i < n; i++)
        if (!(fabs(it->r[i]) <= bound))
            return false;
    rank_solve(n, it->a, it->rank, it->order, it->r);
    memset(r, 0, n * sizeof *r);
    for (uint32_t k = 0; k < it->rank; k++)
        r[it->order[k]] = it->r[k] * it->scale[it->order[k]];
    return true;
}

void singular_jacobian_tangent(const SingularJacobian *it, uint32_t k, double step, double *out)
{
    const uint32_t n = it->n, open = it->order[it->rank + k];
    const double part = step * it->unit[open] / it->scale[open];
    for (uint32_t i = 0; i < it->rank; i++)
        it->r[i] = -part * it->a[(size_t)open * n + i];
    rank_solve(n, it->a, it->rank, it->order, it->r);
    memset(out, 0, n * sizeof *out);
    for (uint32_t i = 0; i < it->rank; i++)
        out[it->order[i]] = it->r[i] * it->scale[it->order[i]];
    out[open] = step * it->unit[open];
}
