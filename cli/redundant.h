/* redundant.h -- more states than degrees of freedom, where a static choice becomes singular.
 *
 * Dummy derivatives choose once which variables a constraint determines; the Jacobian of the
 * constraint in these may vanish along the way (quaternions: Q[4] from Q*Q = 1). Then all the
 * variables become states, whose derivatives the differentiated constraint determines, and the
 * constraint itself goes: it holds since it does at the start and its derivative is zero. So that
 * errors do not add up, the derivative of g = 0 is taken as g' + a g = 0 (Baumgarte 1972), of g''
 * as g'' + 2 a g' + a^2 g = 0, with a 100 times the inverse of the run's length.
 *
 * This is done to nonlinear blocks of which each equation has been differentiated and each unknown
 * has a derivative, and to the blocks for these derivatives, which have the same Jacobian, if they
 * are like that too.
 */
#ifndef RUNG_CLI_REDUNDANT_H
#define RUNG_CLI_REDUNDANT_H

#include "cli/driver.h"

/* Finds the constraints, once blocks are known: c->is_invariant, c->is_redundant. */
void redundant_find(Compilation *c);
/* Whether there are such constraints, and the options want them to go. */
bool redundant_wanted(const Compilation *c);
/* Makes the states, after the initial system has been solved with the constraints in it. */
void redundant_apply(Compilation *c);

#endif
