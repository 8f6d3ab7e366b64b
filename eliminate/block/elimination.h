/* elimination.h -- symbolic Gaussian elimination of a sparse linear block, pivot by pivot.
 *
 *     J*a - f = m*g     pivot (0, a):  a = (f + m*g) / J
 *     a + f   = 0       row 1 becomes  (1 + 1/J) f = -m*g/J;  pivot (1, f)
 *
 * Rows are the block's equations, columns its unknowns; pivots come in any order. Entries are nodes
 * of the expression pool: equal values are one node, so symmetric halves cost once. The right-hand
 * side is one more column. The steps are those of graph/sparse_elimination.inc, entries are
 * subtracted as congruence.h does it. Cost: the operations of the elimination.
 */
#ifndef RUNG_ELIMINATE_BLOCK_ELIMINATION_H
#define RUNG_ELIMINATE_BLOCK_ELIMINATION_H

#include "base/map.h"
#include "base/vec.h"
#include "ir/expr.h"

typedef struct Entry {
    uint32_t col;
    ExprId x;
} Entry;

typedef VEC(Entry) Row;
typedef VEC(uint32_t) Column;

typedef struct PivotStep {
    uint32_t row, col;
    ExprId pivot;
} PivotStep;

/* A pivot is open if the values of the parameters make it zero, as the inertia of a rod about its
 * own line, in a row that is zero with it, as nothing else turns the rod. Divided by it is
 *
 *     x = sum / (pivot == 0 ? (|sum| < 0 ? 1 : 0) : pivot)
 *
 * so that a divisor that is zero is met where the equations are evaluated, not where parameters
 * are: there the numeric twin of the block takes over and decides whether the undetermined unknown
 * moves a state. */
typedef struct Matrix {
    ExprPool *p;
    Arena *mem;
    uint32_t n_rows, n_cols;
    Row *row; /* columns ascending, no zeros, without columns whose pivot came before the row's */
    Column *col; /* rows that hold, or held, an entry in the column */
    ExprId *rhs; /* sum of row * unknowns = rhs */
    VEC(PivotStep) step;
    Map open; /* open pivots: ExprId.i -> that of the inverse, which is 0 where the pivot is zero */
    bool *row_done, *col_done; /* was a pivot's */
    uint32_t nonzeros, fill;
    Row merged; /* scratch */
} Matrix;

Matrix matrix_new(ExprPool *p, uint32_t n_rows, uint32_t n_cols, Arena *mem);
void matrix_set(Matrix *m, uint32_t row, uint32_t col, ExprId x); /* columns in any order, once */
/* EXPR_NONE where there is no entry. */
ExprId matrix_entry(const Matrix *m, uint32_t row, uint32_t col);
/* Eliminates the column from all rows that were no pivot's. The entry must exist. */
void matrix_pivot(Matrix *m, uint32_t row, uint32_t col);
/* The same with an open pivot. After matrix_solve its step has the divisor. */
void matrix_pivot_open(Matrix *m, uint32_t row, uint32_t col);
/* Back substitution: unknown[c] for the columns of all steps; it holds the values of the others. */
void matrix_solve(Matrix *m, ExprId *unknown);

#endif
