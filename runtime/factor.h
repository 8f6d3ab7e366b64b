/* SPDX-License-Identifier: BSD-3-Clause
 *
 * factor.h -- LU of a matrix that is given in full and may be mostly zero: then its entries are
 * gathered and factored sparse, else as they stand.
 */
#ifndef RUNG_RUNTIME_FACTOR_H
#define RUNG_RUNTIME_FACTOR_H

#include "sparse.h"

#include <stdbool.h>

typedef struct Factor {
    uint32_t n;
    bool is_sparse; /* as last factored */
    uint32_t *pivot;
    double *dense; /* n x n, factored in place by dense.h      */
    double *size;  /* of its rows                              */
    SparseLu *sparse;
    uint32_t *col_start, *row; /* of the entries gathered; room for a share of all */
    double *entry;
} Factor;

/* False when out of memory. */
bool factor_open(Factor *it, uint32_t n);
void factor_close(Factor *it);

/* n x n by columns, to be filled; factor_make overwrites it. */
double *factor_matrix(Factor *it);
/* False if it is singular. */
bool factor_make(Factor *it);
/* b becomes the solution. */
void factor_solve(const Factor *it, double *b);

#endif
