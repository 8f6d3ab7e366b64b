/* null_space.h -- the null space of a large sparse matrix, seen in chosen columns.
 *
 * Columns that were not chosen are eliminated first, by sparse Gaussian elimination with the pivot
 * that fills least (Markowitz 1957; a column that stands in one row alone costs nothing, so that
 * trees vanish from their tips inwards). The remaining rows have chosen columns only. They fall
 * into parts that share no column; the singular value decomposition of each part by LAPACK gives
 * its rank and null space (Golub and Van Loan, Matrix Computations, 5.5). Of a large part chosen
 * columns are eliminated, too, where there are good pivots; they follow from the others.
 *
 *     x + y + z = 0        z not chosen: it follows, x and y are free
 *     x - y     = 0        one part {x, y}: rank 1, null space (1, 1)/sqrt 2
 */
#ifndef RUNG_STUDY_MECHANISM_NULL_SPACE_H
#define RUNG_STUDY_MECHANISM_NULL_SPACE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* By rows. */
typedef struct SparseMatrix {
    uint32_t n_rows, n_cols;
    const uint32_t *start; /* n_rows + 1 */
    const uint32_t *col;
    const double *value;
    const double *right; /* n_rows: right-hand sides, or NULL: zero */
} SparseMatrix;

typedef enum ColumnUse {
    COLUMN_FOLLOWS, /* not chosen                                             */
    COLUMN_SPARE,   /* chosen, if possible eliminated by good pivots */
    COLUMN_ASKED,
} ColumnUse;

/* Rows that share chosen columns with each other and with no others. */
typedef struct NullPart {
    uint32_t m, n;
    const uint32_t *row, *col; /* of the matrix, ascending                               */
    const double *a;           /* m by n, by rows: the rows after elimination */
    const double *right;       /* m                                                      */
    uint32_t rank;
    const double *sigma; /* min(m, n), falling                              */
    const double *u;     /* m by m, by columns: a = u sigma vt              */
    const double *vt;    /* n by n, by columns: rows from rank on are the null space */
} NullPart;

/* A row after the elimination of columns that were not chosen, by columns. */
typedef struct NullRow {
    uint32_t n;
    const uint32_t *col;
    const double *value;
} NullRow;

typedef struct NullPivot {
    uint32_t row, col, first, n; /* the row as it was then: entries, without the pivot's */
    double value, right;
} NullPivot;

typedef struct NullSpace {
    uint32_t n_rows, n_cols;
    uint32_t n_parts;
    NullPart *part;
    uint32_t n_free; /* chosen columns that no row restricts */
    const uint32_t *free;
    uint32_t n_empty; /* rows of which nothing is left: they follow from others */
    const uint32_t *empty;
    const NullRow *row; /* per row of the matrix; n is 0 where it was a pivot's before    */
    uint32_t n_pivots;
    uint32_t n_followed; /* those of columns that were not chosen: the first ones           */
    const NullPivot *pivot;
    const uint32_t *entry_col;
    const double *entry_value;
    /* of all parts, relative to the largest value of each: the smallest one that counts as nonzero,
     * 1 if there is none; the largest one that counts as zero */
    double above, below;
    uint32_t too_large; /* columns of a part beyond NULL_SPACE_MOST, and nothing was found; or 0 */
} NullSpace;

enum { NULL_SPACE_MOST = 2500 };

/* use: per column; late: per row, eliminate others first. Singular values up to tolerance times the
 * largest of their part are zero. */
NullSpace null_space_find(const SparseMatrix *a, const ColumnUse *use, const bool *late,
                          double tolerance, Arena *mem);

/* Computes the eliminated columns of x from the chosen ones, which are set, the others being zero;
 * with_right: such that rows equal their right-hand sides, else zero. */
void null_space_follow(const NullSpace *s, bool with_right, double *x);

/* Likewise those that were chosen and eliminated alone, each to zero. */
void null_space_follow_chosen(const NullSpace *s, double *x);

/* The smallest solution of the parts' rows, in least squares, in the chosen columns of x. */
void null_space_solve(const NullSpace *s, double *x);

#endif
