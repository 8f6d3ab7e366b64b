/* newton_order.h -- the linearised equations of a Newton iteration, ordered and solved.
 *
 * newton_system.h writes them down. Here the residual form is found first: of each group of
 * algebraic loops the derivatives that states have anyway are taken as known, as many equations are
 * left over, and the rest is solved by adding and subtracting. The ladder of that form, extended by
 * the other linearised equations, is the first elimination order tried for the iteration's matrix.
 * Its pairs may be cheaper by minimum degree (graph/ladder_degree.h): closed legs are eliminated
 * before the body that they carry, which in the tree of the cut mechanism hangs on one of them or
 * is as near to the ground as they are; the force of a spring between bodies far apart is carried
 * along until both are reached.
 */
#ifndef RUNG_ELIMINATE_FORMS_NEWTON_ORDER_H
#define RUNG_ELIMINATE_FORMS_NEWTON_ORDER_H

#include "eliminate/dae.h"

/* The iteration; its equations; both. */
typedef enum NewtonParts { NEWTON_STEP = 1, NEWTON_MATRIX = 2 } NewtonParts;

/* Gives d->solution.program its Newton iteration, where there is one, with the parts that are asked
 * for. */
void newton_system_make(Dae *d, NewtonParts parts, Arena *scratch);

#endif
