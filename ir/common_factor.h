/* common_factor.h -- sums whose terms have a factor in common: a*y + b*y as (a + b)*y, which is one
 * multiplication less.
 *
 * Where products gather their parameters (pool_gather_factors), y may stand in one term without its
 * parameters. A rod of mass m and length l that turns at the rate w, with t of the rods behind it:
 *
 *     (m*l/2)*w^2 + t*(l*w^2) = (m/2 + t)*(l*w^2)
 */
#ifndef RUNG_IR_COMMON_FACTOR_H
#define RUNG_IR_COMMON_FACTOR_H

#include "ir/expr.h"

/* a + b or, with OP_SUB, a - b. False: neither is a product with a factor of one of the last terms
 * of the other. Only these are searched, so that a sum of n terms is made in O(n). */
bool common_factor_sum(ExprPool *p, Op op, ExprId a, ExprId b, ExprId *sum);

#endif
