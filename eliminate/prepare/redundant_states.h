/* redundant_states.h -- more states than degrees of freedom, where a static choice becomes
 * singular.
 *
 * Dummy derivatives choose once which variables a constraint determines; the Jacobian of the
 * constraint in these may vanish along the way (quaternions: Q[4] from Q*Q = 1). Then all the
 * variables become states, whose derivatives the differentiated constraint determines, and the
 * constraint itself goes: it holds since it does at the start and its derivative is zero. So that
 * errors do not add up, the derivative of g = 0 is taken as g' + a g = 0 (Baumgarte 1972), of g''
 * as g'' + 2 a g' + a^2 g = 0. The rate a is a hidden parameter, 100 times the inverse of the
 * experiment's length, and zero in runs that project the states instead (forms/invariants.h).
 *
 * This is done to blocks whose Jacobian varies, of which each equation has been differentiated and
 * each unknown has a derivative (positions that a nonlinear constraint determines, or velocities in
 * turning frames), and to the blocks for these derivatives, which have the same Jacobian, if they
 * are like that too.
 */
#ifndef RUNG_ELIMINATE_PREPARE_REDUNDANT_STATES_H
#define RUNG_ELIMINATE_PREPARE_REDUNDANT_STATES_H

#include "eliminate/dae.h"

/* Finds the constraints: d->redundancy. Needs d->blt, d->pantelides; changes nothing else. Always
 * true. */
bool redundant_find(Dae *d, Arena *scratch);
/* Makes the states and takes the constraints out, after which none is left: the numbers of
 * equations in d->pantelides and d->blt do not hold any more. The initial system is to be solved
 * before, with the constraints in it. */
void redundant_apply(Dae *d);

#endif
