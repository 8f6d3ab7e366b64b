/* matrix.h -- symbolic Gaussian elimination of a sparse linear block in a given order.
 *
 * Rows and columns are numbered by their place in the order, so step k takes row k, column k as
 * pivot. Entries are pool ids; equal values are one id, so symmetric halves cost once. The
 * right-hand side is one more column. Cost: the operations of the elimination.
 */
#ifndef RUNG_ELIMINATE_MATRIX_H
#define RUNG_ELIMINATE_MATRIX_H

#include "base/vec.h"
#include "ir/sample.h"

typedef struct Entry {
    uint32_t col;
    ExprId x;
} Entry;

typedef VEC(Entry) Row;

typedef struct Matrix {
    ExprPool *p;
    Arena *mem;
    uint32_t n;
    Row *row;    /* columns ascending, no zeros */
    ExprId *rhs; /* sum of row * unknowns = rhs */
    uint32_t nonzeros, fill;
    uint32_t *column; /* per place: the column that stands there now */
    uint32_t swaps;   /* columns exchanged                           */
    ExprId *pivot;    /* per step, after matrix_eliminate            */
} Matrix;

Matrix matrix_new(ExprPool *p, uint32_t n, Arena *mem);
void matrix_set(Matrix *m, uint32_t row, uint32_t col, ExprId x); /* columns in any order, once */
/* Upper triangular form. Returns n, or the step at which the pivot is zero or vanishes at the
 * sample (NULL: not looked at). With may_swap a later column is taken instead, unless the row has
 * no pivot at all. */
uint32_t matrix_eliminate(Matrix *m, Sample *sample, bool may_swap);
/* After elimination: unknown[c] is that of original column c. */
void matrix_solve(Matrix *m, ExprId *unknown);

#endif
