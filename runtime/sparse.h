/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sparse.h -- sparse linear systems: LU with row pivoting.
 *
 * By CXSparse where it is linked (RUNG_CXSPARSE): the order of columns is found once per pattern,
 * among that given, minimum degree of A + A' and of A'A the one whose factors are smallest. Else
 * columns come in the order given. Rows are scaled by their largest entry. Among the candidates of
 * a column the diagonal is taken unless it is ten times smaller than the largest, so that an order
 * without fill stays one.
 */
#ifndef RUNG_RUNTIME_SPARSE_H
#define RUNG_RUNTIME_SPARSE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct SparseLu SparseLu;

SparseLu *sparse_new(uint32_t n); /* NULL when out of memory */
void sparse_free(SparseLu *f);

/* Factors the matrix in compressed columns, which keeps its arrays. False if it is singular, not
 * finite, or when out of memory. Entries that come and go from call to call are no new pattern. */
bool sparse_factor(SparseLu *f, const uint32_t *col_start, const uint32_t *row,
                   const double *value);

/* Of the matrix factored last: the least pivot against the largest number in its column of U. */
double sparse_weakest(const SparseLu *f);

/* Solves with the factors; b becomes the solution. */
void sparse_solve(const SparseLu *f, double *b);

#endif
