/* SPDX-License-Identifier: BSD-3-Clause
 *
 * factor.h -- LU of a square matrix, given in full or by its entries in a pattern: sparse where it
 * is large and mostly zero, else dense.
 */
#ifndef RUNG_RUNTIME_FACTOR_H
#define RUNG_RUNTIME_FACTOR_H

#include "rung_model.h"
#include "sparse.h"

typedef struct Factor {
    uint32_t n;
    const RungPattern *pattern; /* of the entries; NULL: the matrix is given in full */
    bool is_sparse;             /* as last factored                                  */
    uint32_t *pivot;
    double *dense, *size; /* n x n, factored in place by rung_lu.h; n             */
    SparseLu *sparse;
    /* Of a matrix given in full, where it is sparse: */
    unsigned char *seen;       /* n x n: 1 where an entry was ever other than zero         */
    uint32_t *col_start, *row; /* of the entries gathered; room for a share of all         */
    double *entry;
} Factor;

/* Whether a matrix with so many entries is worth a sparse factorisation. */
bool factor_is_sparse(uint32_t n, size_t entries);

/* Pattern and order of columns, which is that of sparse_new, stay the caller's and may be NULL.
 * False when out of memory. */
bool factor_open(Factor *it, uint32_t n, const RungPattern *pattern, const uint32_t *order);
void factor_close(Factor *it);

/* n x n by columns, to be filled; factor_make overwrites it. */
double *factor_matrix(Factor *it);
/* False if it is singular. */
bool factor_make(Factor *it);
/* Likewise of the entries in the pattern. */
bool factor_entries(Factor *it, const double *entry);

/* The least share that a pivot has of the largest number in its column of U, rows scaled; between 0
 * and 1. Where it is 1e-13 or less, a pivot may be rounding and no more: the matrix is singular. */
double factor_pivot_ratio(const Factor *it);
/* b becomes the solution. */
void factor_solve(const Factor *it, double *b);
/* The same with the transposed matrix. */
void factor_solve_transposed(const Factor *it, double *b);
/* Of m right-hand sides at once, m even: b has n rows of m numbers, one of each; work: n. Each gets
 * the digits that factor_solve gives it. */
void factor_solve_block(const Factor *it, uint32_t m, double *b, double *work);

#endif
