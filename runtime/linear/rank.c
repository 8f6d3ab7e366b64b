/* SPDX-License-Identifier: BSD-3-Clause */
#include "rank.h"

#include <math.h>
#include <stddef.h>

/* r minus twice its part along v, from component `from` on; scale is 2 / |v|^2. */
static void reflect(uint32_t from, uint32_t n, const double *v, double scale, double *r)
{
    double dot = 0;
    for (uint32_t c = from; c < n; c++)
        dot += v[c] * r[c];
    for (uint32_t c = from; c < n; c++)
        r[c] -= scale * dot * v[c];
}

/* The squared length of components `from` .. n of a vector. */
static double left_of(uint32_t from, uint32_t n, const double *v)
{
    double sum = 0;
    for (uint32_t c = from; c < n; c++)
        sum += v[c] * v[c];
    return sum;
}

uint32_t rank_find(uint32_t n, uint32_t m, double *a, double small, uint32_t *order, double *b,
                   double *smallest)
{
    double first = 0;
    for (uint32_t k = 0; k < m; k++)
        order[k] = k;
    for (uint32_t step = 0; step < n && step < m; step++) {
        uint32_t best = step;
        double longest = 0;
        for (uint32_t k = step; k < m; k++) {
            double left = left_of(step, n, a + (size_t)order[k] * n);
            if (left > 1.01 * longest) {
                longest = left;
                best = k;
            }
        }
        if (step == 0)
            first = sqrt(longest);
        if (!(sqrt(longest) > small * first))
            return step;
        // the others stay in the order they stand in
        uint32_t taken = order[best];
        for (uint32_t k = best; k > step; k--)
            order[k] = order[k - 1];
        order[step] = taken;
        // the reflection that maps the rest of the vector to its first component
        double *v = a + (size_t)taken * n;
        double length = v[step] > 0 ? -sqrt(longest) : sqrt(longest);
        v[step] -= length;
        double scale = -1 / (length * v[step]);
        for (uint32_t k = step + 1; k < m; k++)
            reflect(step, n, v, scale, a + (size_t)order[k] * n);
        if (b)
            reflect(step, n, v, scale, b);
        // kept for rank_transform with a first component of 1
        for (uint32_t c = step + 1; c < n; c++)
            v[c] /= v[step];
        v[step] = length;
        if (smallest)
            *smallest = sqrt(longest) / first;
    }
    return n < m ? n : m;
}

void rank_transform(uint32_t n, const double *a, uint32_t rank, const uint32_t *order, double *b)
{
    for (uint32_t k = 0; k < rank; k++) {
        const double *v = a + (size_t)order[k] * n;
        double dot = b[k];
        for (uint32_t c = k + 1; c < n; c++)
            dot += v[c] * b[c];
        dot *= 2 / (1 + left_of(k + 1, n, v));
        b[k] -= dot;
        for (uint32_t c = k + 1; c < n; c++)
            b[c] -= dot * v[c];
    }
}

void rank_solve(uint32_t n, const double *a, uint32_t rank, const uint32_t *order, double *b)
{
    for (uint32_t k = rank; k-- > 0;) {
        const double *v = a + (size_t)order[k] * n;
        b[k] /= v[k];
        for (uint32_t i = 0; i < k; i++)
            b[i] -= v[i] * b[k];
    }
}
