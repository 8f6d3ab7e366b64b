/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dense.h -- small dense linear systems: LU with row pivoting, column-major.
 */
#ifndef RUNG_RUNTIME_DENSE_H
#define RUNG_RUNTIME_DENSE_H

#include <stddef.h>
#include <stdint.h>

/* Factors the n by n matrix in place, each row scaled by its largest entry for the choice of the
 * pivot. pivot has n entries; size too: the largest of each row, where the row came to. Returns -1
 * when regular, else the first column with an entry that is not finite, or without a pivot. */
int64_t dense_factor(uint32_t n, double *a, uint32_t *pivot, double *size);

/* Of the factors: the least share that a pivot has of the largest number in its column of U, rows
 * scaled; between 0 and 1. */
double dense_pivot_ratio(uint32_t n, const double *a, const double *size);

/* Solves with the factors; b becomes the solution. */
void dense_solve(uint32_t n, const double *a, const uint32_t *pivot, double *b);

#endif
