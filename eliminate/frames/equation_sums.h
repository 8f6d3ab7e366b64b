/* equation_sums.h -- the sums and differences in an equation, of two operands each: m*(a + d) = f -
 * k has a + d and f - k. From them frames.h and reference_points.h take the terms that are added to
 * an unknown wherever it is read.
 */
#ifndef RUNG_ELIMINATE_FRAMES_EQUATION_SUMS_H
#define RUNG_ELIMINATE_FRAMES_EQUATION_SUMS_H

#include "ir/system.h"

typedef struct EquationSum {
    ExprId left, right;
    bool is_difference;
} EquationSum;

typedef VEC(EquationSum) EquationSums;

/* Each once, in mem. Linear in the nodes of the equation. */
EquationSums equation_sums(const ExprPool *p, const Eq *e, Arena *mem);

#endif
