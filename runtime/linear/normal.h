/* SPDX-License-Identifier: BSD-3-Clause
 *
 * normal.h -- normal equations (A A' + e 1) y = b of a sparse matrix A with few rows.
 *
 * Rows that share no column, not even by way of others, are independent: each such part has a
 * factorisation of its own, so that many separate loops cost O(n). Inside a part the matrix is
 * sparse where that pays (factor.h).
 */
#ifndef RUNG_RUNTIME_NORMAL_H
#define RUNG_RUNTIME_NORMAL_H

#include "rung_model.h"

#include <stdbool.h>

typedef struct Normal Normal;

/* Of matrices in the pattern, which stays the caller's. NULL when out of memory. */
Normal *normal_new(const RungPattern *pattern);
void normal_delete(Normal *it);

/* A by its entries, without the columns that are held (NULL: none); e is `regular` times the
 * largest entry of the diagonal. False if it is singular. */
bool normal_factor(Normal *it, const double *entry, const uint8_t *held, double regular);
/* Of the factors: the smallest pivot relative to its row, over the parts. */
double normal_pivot_ratio(const Normal *it);
/* b becomes y. */
void normal_solve(Normal *it, double *b);
/* The same for the component of b in the range of A: the rest, of linearly dependent rows, would
 * give a y bounded by e alone. Less accurate by e than normal_solve. */
void normal_solve_consistent(Normal *it, double *b);
/* Of m right-hand sides at once, m even, as factor_solve_block; work: as large as b. */
void normal_solve_block(Normal *it, uint32_t m, double *b, double *work);

#endif
