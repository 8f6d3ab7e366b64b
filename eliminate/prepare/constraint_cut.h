/* constraint_cut.h -- position constraints of models without connection graphs, closed like loops.
 *
 * A constraint is an equation of positions that index reduction would differentiate twice and that
 * no variable can be solved from by a constant coefficient (x^2 + y^2 = L^2, not phi_2 = i phi_1:
 * that is a definition, and reducing the index there is safe). It is taken out of the System, and
 * the algebraic variable that is left undetermined then, the constraint's multiplier in the
 * modeller's own equations, becomes an input.
 */
#ifndef RUNG_ELIMINATE_PREPARE_CONSTRAINT_CUT_H
#define RUNG_ELIMINATE_PREPARE_CONSTRAINT_CUT_H

#include "eliminate/prepare/loop_cut.h"

/* None (n_loops 0) where there are fewer than `least` such constraints, or not as many multipliers.
 */
LoopCut constraints_cut(System *s, uint32_t least, Arena *scratch);

#endif
