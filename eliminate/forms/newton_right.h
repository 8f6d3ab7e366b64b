/* newton_right.h -- the matrix of a Newton iteration, kept for other right-hand sides.
 *
 * An iteration solves A(x) d = r (newton_system.h). The part of its elimination that does not
 * depend on r is the factorisation, `kept`; the rest is a forward and a back substitution, linear
 * in r:
 *
 *     a x + b y = r1        kept    a' = 1/a, l = c a', d' = 1/(d - l b)
 *     c x + d y = r2        solve   y = (r2 - l r1) d',  x = (r1 - b y) a'
 *
 * A parameter p has the same matrix where the iteration has converged (Lopez Varela et al. 2023,
 * eqs. 14-18; staggered direct differentiation: Feehery, Tolsma, Barton 1997): of the formula x =
 * base + gamma f(t, x, p), s = dx/dp has (1 - gamma f_x) s = dbase/dp + gamma f_p, a right-hand
 * side for each parameter, of which the entries that hold p are found here.
 */
#ifndef RUNG_ELIMINATE_FORMS_NEWTON_RIGHT_H
#define RUNG_ELIMINATE_FORMS_NEWTON_RIGHT_H

#include "eliminate/dae.h"
#include "eliminate/forms/newton_system.h"

/* After newton_finish, with v->right: d->solution.program.newton gets its `delta` with the
 * right-hand sides of an iteration in it, and `solve`. Without `solve`, NULL, if an equation has no
 * derivative by a parameter or the increments are not linear in the right-hand sides. Linear. */
void newton_right_split(NewtonView *v, Dae *d, Arena *scratch);

#endif
