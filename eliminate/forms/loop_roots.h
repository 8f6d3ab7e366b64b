/* loop_roots.h -- functions of cut loops whose transposed derivatives the adjoint needs.
 *
 * With the states x, the inputs y of the loops (forces, free accelerations), rates and balances
 * g = (xdot, balance) and constraints phi(x, p):
 *
 *     second    phi'' with xdot(x, y) put into it
 *     push      G y, G = dg/dy at y = 0: what an impulse y does
 *     by_x      phi_x w, and by_v: phi'_v w, along weights w of the states
 */
#ifndef RUNG_ELIMINATE_FORMS_LOOP_ROOTS_H
#define RUNG_ELIMINATE_FORMS_LOOP_ROOTS_H

#include "eliminate/dae.h"

typedef struct LoopRoots {
    const ExprId *second, *push, *by_x, *by_v; /* m, n + k, m, m */
} LoopRoots;

/* weight: per state. False if a rate has no known derivative by a force. */
bool loop_roots_make(Dae *d, const VarId *weight, LoopRoots *out, Arena *scratch);

#endif
