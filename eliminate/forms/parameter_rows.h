/* parameter_rows.h -- equations as sums of parameters times columns of motion.
 *
 * A body's equations hold its parameters in products, with each other and with forces that are
 * products themselves:
 *
 *     f = m*(a + z*r),  t = I*z - r*f         f = m*a + (m*r)*z
 *                                             t = (I - m*r^2)*z - (m*r)*a
 *
 * Equations that hold the same such parameters are expanded, forces that they define put in, and
 * written with as few new parameters as their columns have rank, here m, m*r, I - m*r^2. Of all
 * columns, their sums and differences those are taken that stand in the fewest equations; equal
 * columns of an equation are one. The common rest of the columns is written once for all of them:
 * (z x) + (w x)(w x) of a rigid body, whose columns are its elements.
 */
#ifndef RUNG_ELIMINATE_FORMS_PARAMETER_ROWS_H
#define RUNG_ELIMINATE_FORMS_PARAMETER_ROWS_H

#include "eliminate/blt.h"

/* rest + sum of parameter * column = 0 */
typedef struct ParameterRow {
    EqId eq;
    ExprId rest;
    uint32_t n;
    uint32_t *parameter; /* of ParameterRows */
    ExprId *column;
} ParameterRow;

typedef struct ParameterRows {
    uint32_t n_parameters, n_bodies;
    ExprId *value;  /* per new parameter: over parameters of the model        */
    uint32_t *body; /* per new parameter: which of the bodies has it          */
    uint32_t n_rows;
    ParameterRow *row;
} ParameterRows;

/* Which columns are preferred: those in the fewest equations, sums and differences too, or those of
 * the model's own parameters, then of products of two. */
typedef enum ColumnBasis { BASIS_SPARSE, BASIS_OWN } ColumnBasis;

/* Parameters of these equations, by their role in the rows of inverse dynamics. */
typedef struct ParameterQuestion {
    const bool *is_needed; /* per equation                                                     */
    const bool *is_linear; /* per variable: parameters that are put together                   */
    const bool *is_factor; /* per variable: parameters in products with one of these           */
    const uint8_t *basis;  /* per body: ColumnBasis; NULL: BASIS_SPARSE                        */
} ParameterQuestion;

/* Near-linear in the size of these equations. */
ParameterRows parameter_rows_find(const Blt *b, const ParameterQuestion *q, Arena *mem);

#endif
