/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sparse.h -- sparse linear systems: LU factors of a square matrix in compressed columns.
 *
 *     SparseLu *f = sparse_new(n, NULL);
 *     if (sparse_factor(f, col_start, row, value) && sparse_pivot_ratio(f) > 1e-13)
 *         sparse_solve(f, b);      // b becomes the solution
 *
 * Left-looking, in time proportional to the multiplications (Gilbert, Peierls 1988), with rows
 * scaled by their largest entry and threshold pivoting: of the candidates in a column the diagonal
 * is taken unless it is ten times smaller than the largest, so that an order of little fill stays
 * one. The pattern of the factors and the pivots are kept: a matrix of the same pattern is factored
 * again without searches, as long as no pivot is a thousand times smaller than an entry below it.
 */
#ifndef RUNG_RUNTIME_SPARSE_H
#define RUNG_RUNTIME_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SparseLu SparseLu;

/* order[k] is the column that comes k-th, n of them, the caller's; NULL: column_order.h finds one
 * whenever the pattern changes. NULL when out of memory. */
SparseLu *sparse_new(uint32_t n, const uint32_t *order);
void sparse_free(SparseLu *f);

/* Factors the matrix: column c has the entries value[e] in row[e] for e from col_start[c] to before
 * col_start[c + 1], rows in any order; those of one place are added. False if it is singular, has
 * an entry that is not finite, or when out of memory: then there are no factors. */
bool sparse_factor(SparseLu *f, const uint32_t *col_start, const uint32_t *row,
                   const double *value);

/* Of the factors: the least share that a pivot has of the largest number in its column of U, rows
 * scaled; between 0 and 1. Where it is 1e-13 or less, a pivot may be rounding and no more. */
double sparse_pivot_ratio(const SparseLu *f);

/* Solves with the factors; b, of n, becomes the solution. */
void sparse_solve(const SparseLu *f, double *b);
/* The same with the transposed matrix. */
void sparse_solve_transposed(const SparseLu *f, double *b);

#endif
