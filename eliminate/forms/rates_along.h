/* rates_along.h -- the derivatives of x' = f(x, p) along any direction, for all parameters alike.
 *
 * With z all other variables, f comes of equations F(z, x, p) = 0. These are differentiated, not
 * their solution:
 *
 *     F_z dz = -F_x s - F_p,    s = dx/dp
 *
 * One elimination of F_z serves all parameters: the part of it that depends on x alone is kept
 * (linear_split.h), and each parameter is a right-hand side, of which s and the entries of F_p
 * are the leaves.
 *
 * F_z is that of the program's own blocks, so that in their order most factors are theirs; an order
 * of its own may be cheaper. Both are counted.
 *
 *     0 = a - k*x,  der(x) = a*x       kept  k, x, a      da = k*s + r,  der(s) = x*da + a*s
 */
#ifndef RUNG_ELIMINATE_FORMS_RATES_ALONG_H
#define RUNG_ELIMINATE_FORMS_RATES_ALONG_H

#include "eliminate/dae.h"

/* After solution_find: d->solution.program gets `along`, where there are derivatives by parameters,
 * no loop is cut, no block is left to the runtime, each equation has a derivative, and it takes
 * fewer operations than the derivatives' own equations. Linear in the model times the number of
 * parameters, besides the elimination. */
void rates_along_make(Dae *d, Arena *scratch);

#endif
