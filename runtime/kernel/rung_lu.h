/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_lu.h -- small dense linear systems: LU with row pivoting, column-major, in the memory of the
 * caller. Rows are scaled for the choice of pivots, so that an equation may be written in any unit.
 */
#ifndef RUNG_LU_H
#define RUNG_LU_H

#include "rung_question.h"

#include <float.h>
#include <math.h>

/* Factors the n by n matrix in place, each row scaled by its largest entry for the choice of the
 * pivot. pivot has n entries; size too: the largest of each row, where the row came to. Returns -1
 * when regular, else the first column with an entry that is not finite, or without a pivot. */
RUNG_PART int64_t rung_lu_factor(uint32_t n, double *a, uint32_t *pivot, double *size)
{
    for (uint32_t i = 0; i < n; i++)
        size[i] = 0;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) {
            const double entry = fabs(a[i + (size_t)j * n]);
            if (!(entry <= DBL_MAX))
                return j;
            size[i] = entry > size[i] ? entry : size[i];
        }
    for (uint32_t k = 0; k < n; k++) {
        // scaled partial pivoting: the row whose entry is largest relative to its original largest
        // one
        uint32_t best = k;
        double best_share = 0, p, largest;
        for (uint32_t i = k; i < n; i++) {
            const double share = size[i] > 0 ? fabs(a[i + (size_t)k * n]) / size[i] : 0;
            if (share > best_share) {
                best_share = share;
                best = i;
            }
        }
        pivot[k] = best;
        p = a[best + (size_t)k * n];
        if (!(fabs(p) > 0) || !(fabs(p) <= DBL_MAX))
            return k;
        largest = size[best];
        size[best] = size[k];
        size[k] = largest;
        if (best != k)
            for (uint32_t j = 0; j < n; j++) {
                const double keep = a[k + (size_t)j * n];
                a[k + (size_t)j * n] = a[best + (size_t)j * n];
                a[best + (size_t)j * n] = keep;
            }
        for (uint32_t i = k + 1; i < n; i++)
            a[i + (size_t)k * n] /= p;
        for (uint32_t j = k + 1; j < n; j++) {
            const double f = a[k + (size_t)j * n];
            if (f != 0)
                for (uint32_t i = k + 1; i < n; i++)
                    a[i + (size_t)j * n] -= a[i + (size_t)k * n] * f;
        }
    }
    return -1;
}

/* Of the factors: the least share that a pivot has of the largest number in its column of U, rows
 * scaled; between 0 and 1. */
RUNG_PART double rung_lu_ratio(uint32_t n, const double *a, const double *size)
{
    double least = INFINITY;
    for (uint32_t k = 0; k < n; k++) {
        double most = 0;
        for (uint32_t i = 0; i <= k; i++)
            most = fmax(most, fabs(a[i + (size_t)k * n]) / size[i]);
        least = fmin(least, fabs(a[k + (size_t)k * n]) / size[k] / most);
    }
    return least;
}

/* Solves with the factors; b becomes the solution. */
RUNG_PART void rung_lu_solve(uint32_t n, const double *a, const uint32_t *pivot, double *b)
{
    for (uint32_t k = 0; k < n; k++) {
        const double keep = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = keep;
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = k + 1; i < n; i++)
            b[i] -= a[i + (size_t)k * n] * b[k];
    for (uint32_t k = n; k-- > 0;) {
        b[k] /= a[k + (size_t)k * n];
        for (uint32_t i = 0; i < k; i++)
            b[i] -= a[i + (size_t)k * n] * b[k];
    }
}

/* Likewise m right-hand sides, number k of side j at b[k * m + j]. */
RUNG_PART void rung_lu_solve_sides(uint32_t n, const double *a, const uint32_t *pivot, uint32_t m,
                                   double *b)
{
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t j = 0; j < m && pivot[k] != k; j++) {
            const double keep = b[(size_t)k * m + j];
            b[(size_t)k * m + j] = b[(size_t)pivot[k] * m + j];
            b[(size_t)pivot[k] * m + j] = keep;
        }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = k + 1; i < n; i++) {
            const double f = a[i + (size_t)k * n], *from = b + (size_t)k * m;
            double *to = b + (size_t)i * m;
            for (uint32_t j = 0; j < m && f != 0; j++)
                to[j] -= f * from[j];
        }
    for (uint32_t k = n; k-- > 0;) {
        double *from = b + (size_t)k * m;
        for (uint32_t j = 0; j < m; j++)
            from[j] /= a[k + (size_t)k * n];
        for (uint32_t i = 0; i < k; i++) {
            const double f = a[i + (size_t)k * n];
            double *to = b + (size_t)i * m;
            for (uint32_t j = 0; j < m && f != 0; j++)
                to[j] -= f * from[j];
        }
    }
}

/* Solves with the transposed matrix. */
RUNG_PART void rung_lu_solve_transposed(uint32_t n, const double *a, const uint32_t *pivot,
                                        double *b)
{
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = 0; i < k; i++)
            b[k] -= a[i + (size_t)k * n] * b[i];
        b[k] /= a[k + (size_t)k * n];
    }
    for (uint32_t k = n; k-- > 0;)
        for (uint32_t i = k + 1; i < n; i++)
            b[k] -= a[i + (size_t)k * n] * b[i];
    for (uint32_t k = n; k-- > 0;) {
        const double keep = b[k];
        b[k] = b[pivot[k]];
        b[pivot[k]] = keep;
    }
}

#endif
