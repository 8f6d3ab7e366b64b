/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense.h"

#include <math.h>

int64_t dense_factor(uint32_t n, double *a, uint32_t *pivot, double *size)
{
    for (uint32_t i = 0; i < n; i++)
        size[i] = 0;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) {
            double entry = fabs(a[i + (size_t)j * n]);
            if (!isfinite(entry))
                return j;
            size[i] = entry > size[i] ? entry : size[i];
        }
    for (uint32_t k = 0; k < n; k++) {
        // the row whose entry is largest against what the row was
        uint32_t best = k;
        double best_share = 0;
        for (uint32_t i = k; i < n; i++) {
            double share = size[i] > 0 ? fabs(a[i + (size_t)k * n]) / size[i] : 0;
            if (share > best_share) {
                best_share = share;
                best = i;
            }
        }
        pivot[k] = best;
        double p = a[best + (size_t)k * n];
        if (!(fabs(p) > 0) || !isfinite(p))
            return k;
        double largest = size[best];
        size[best] = size[k];
        size[k] = largest;
        if (best != k)
            for (uint32_t j = 0; j < n; j++) {
                double keep = a[k + (size_t)j * n];
                a[k + (size_t)j * n] = a[best + (size_t)j * n];
                a[best + (size_t)j * n] = keep;
            }
        for (uint32_t i = k + 1; i < n; i++)
            a[i + (size_t)k * n] /= p;
        for (uint32_t j = k + 1; j < n; j++) {
            double f = a[k + (size_t)j * n];
            if (f != 0)
                for (uint32_t i = k + 1; i < n; i++)
                    a[i + (size_t)j * n] -= a[i + (size_t)k * n] * f;
        }
    }
    return -1;
}

double dense_pivot_ratio(uint32_t n, const double *a, const double *size)
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

void dense_solve(uint32_t n, const double *a, const uint32_t *pivot, double *b)
{
    for (uint32_t k = 0; k < n; k++) {
        double keep = b[k];
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
