/* residual_form.h -- the residual form: inverse dynamics instead of forward dynamics.
 *
 * The tearing variables of each algebraic loop (joint accelerations) are inputs, the outputs are
 * the residuals of the residual equations (d'Alembert's, of the joints); the handles are not
 * eliminated (Schubert et al. 2011, 3.3; Arnold 1997, section 4). So no divisor varies with the
 * states, and its cost is linear in the number of bodies without an order of elimination. Where the
 * explicit form's tearing variables are put in, it vanishes.
 */
#ifndef RUNG_ELIMINATE_FORMS_RESIDUAL_FORM_H
#define RUNG_ELIMINATE_FORMS_RESIDUAL_FORM_H

#include "eliminate/dae.h"

/* For g->residual, from the same equations solved with the loops torn: their tearing variables are
 * the unknowns of its blocks; it is kept. Derivatives of more than `limit` nodes are left out. */
void residual_form_find(Program *g, const Program *torn, uint32_t limit, Arena *scratch);

/* Solves the equations once more for that. Without such a solution g->residual stays NULL. */
void residual_form_make(Dae *d, uint32_t limit, Arena *scratch);

#endif
