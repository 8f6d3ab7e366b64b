/* SPDX-License-Identifier: BSD-3-Clause
 *
 * block_row.h -- rows of numbers, one of each right-hand side: their width is even, and compilers
 * make one instruction of two or four of them.
 */
#ifndef RUNG_RUNTIME_BLOCK_ROW_H
#define RUNG_RUNTIME_BLOCK_ROW_H

#include <stddef.h>

/* The width for n of them: even, and from three on a multiple of four. */
static inline size_t block_width(size_t n)
{
    return n <= 2 ? (n + 1) / 2 * 2 : (n + 3) / 4 * 4;
}

/* to += f * from. */
static inline void block_add(size_t width, double f, const double *restrict from,
                             double *restrict to)
{
    size_t i = 0;
    for (; i + 4 <= width; i += 4) {
        to[i] += f * from[i];
        to[i + 1] += f * from[i + 1];
        to[i + 2] += f * from[i + 2];
        to[i + 3] += f * from[i + 3];
    }
    for (; i < width; i += 2) {
        to[i] += f * from[i];
        to[i + 1] += f * from[i + 1];
    }
}

/* row *= f. */
static inline void block_scale(size_t width, double f, double *row)
{
    for (size_t i = 0; i < width; i += 2) {
        row[i] *= f;
        row[i + 1] *= f;
    }
}

#endif
