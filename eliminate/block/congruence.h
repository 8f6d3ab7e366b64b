/* congruence.h -- sums that rotate a matrix from both sides, in the form with fewest operations.
 *
 * R*A*R' with R = [c, s; -s, c], c^2 + s^2 = 1, has entries that are quadratic in c and s:
 *
 *     q = alpha*c^2 + beta*c*s + gamma*s^2
 *       = alpha - s*t,  t  = s*(alpha - gamma) - c*beta
 *       = gamma + c*t', t' = c*(alpha - gamma) + s*beta
 *
 * All entries of one A share t (or t') up to sign: [a, b1; b2, d] takes 11 operations and [a, b; b,
 * d] 10, where one side after the other takes 24 and 19. c and s may be any expressions:
 * fingerprints show that their squares add to 1.
 */
#ifndef RUNG_ELIMINATE_BLOCK_CONGRUENCE_H
#define RUNG_ELIMINATE_BLOCK_CONGRUENCE_H

#include "ir/expr.h"

/* a - b, in the form above if it is a sum of that kind. */
ExprId congruence_sub(ExprPool *p, ExprId a, ExprId b);
/* x / pivot, by the pivot's reciprocal unless it is a number, so that many x share one division. */
ExprId congruence_over(ExprPool *p, ExprId x, ExprId pivot);

#endif
