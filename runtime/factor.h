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
    double *dense, *size; /* n x n, factored in place by dense.h; n             */
    SparseLu *sparse;
    uint32_t *col_start, *row; /* of the entries gathered; room for a share of all */
    double *entry;
} Factor;

/* The pattern stays the caller's. False when out of memory. */
bool factor_open(Factor *it, uint32_t n, const RungPattern *pattern);
void factor_close(Factor *it);

/* n x n by columns, to be filled; factor_make overwrites it. */
double *factor_matrix(Factor *it);
/* False if it is singular. */
bool factor_make(Factor *it);
/* Likewise of the entries in the pattern. */
bool factor_entries(Factor *it, const double *entry);

/* The least pivot against the largest number in its column of U, rows scaled: how far the matrix is
 * from a singular one, 1e-13 and less being rounding. */
double factor_weakest(const Factor *it);
/* b becomes the solution. */
void factor_solve(const Factor *it, double *b);

#endif
