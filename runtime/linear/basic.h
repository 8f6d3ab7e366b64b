/* SPDX-License-Identifier: BSD-3-Clause
 *
 * basic.h -- small consistent systems that may be of less than full rank, for many right-hand
 * sides.
 *
 * Elimination with complete pivoting, A = R' L [U W; 0 0] C' with row and column permutations R, C,
 * stops where nothing is left. A basic solution has zeros for the other unknowns; along
 * z = C [-U^-1 W; 1] there are others, of which the smallest is perpendicular to all z. The next
 * matrix is eliminated in the same order, if its pivots have not become much smaller.
 */
#ifndef RUNG_RUNTIME_BASIC_H
#define RUNG_RUNTIME_BASIC_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Basic {
    uint32_t n, rank;
    double *a;           /* n x n by columns, factored, rows and columns where they came to */
    double *scale;       /* n: of each row, 1 over its largest entry          */
    uint32_t *row, *col; /* n: the equation, the unknown in each place        */
    double *null;        /* n x (n - rank): an orthonormal basis of the null space */
    double *inverse;     /* n: of pivots                                      */
    double *size;        /* n: of pivots when their order was found           */
    bool has_order;      /* false: it is searched for                         */
} Basic;

/* False when out of memory. */
bool basic_open(Basic *it, uint32_t n);
void basic_close(Basic *it);

/* Of the n x n matrix a, by columns. False if its rank is not clear: pivots come down to rounding
 * by and by. */
bool basic_factor(Basic *it, const double *a);

/* y: a solution of A y = b for each of width right-hand sides, n rows of width numbers each, width
 * even. What contradicts itself in b is left out. */
void basic_solve(const Basic *it, uint32_t width, const double *b, double *y);

/* These become the smallest ones. work: width. */
void basic_shorten(const Basic *it, uint32_t width, double *y, double *work);

#endif
