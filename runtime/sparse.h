/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sparse.h -- sparse linear systems: LU with row pivoting, columns in the order given.
 *
 * Column by column, each by the rows it reaches (Gilbert and Peierls 1988): time proportional to
 * the multiplications. Rows are scaled by their largest entry. Among the candidates of a column the
 * diagonal is taken unless it is ten times smaller than the largest, so that an order without fill
 * stays one.
 */
#ifndef RUNG_RUNTIME_SPARSE_H
#define RUNG_RUNTIME_SPARSE_H

#include <stddef.h>
#include <stdint.h>

typedef struct SparseLu SparseLu;

enum { SPARSE_REGULAR = -1, SPARSE_MEMORY = -2 };

SparseLu *sparse_new(uint32_t n); /* NULL when out of memory */
void sparse_free(SparseLu *f);

/* Factors the matrix in compressed columns. SPARSE_REGULAR; SPARSE_MEMORY; else the first column
 * that depends on those before it to about 13 digits, or that is not finite. */
int64_t sparse_factor(SparseLu *f, const uint32_t *col_start, const uint32_t *row,
                      const double *value);

/* Solves with the factors; b becomes the solution. */
void sparse_solve(SparseLu *f, double *b);

#endif
