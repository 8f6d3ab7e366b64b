/* invariants.h -- the constraints that redundant states keep (prepare/redundant_states.h), as
 * functions of the states, and their derivatives by these: for projections of a run.
 *
 *     q1^2 + q2^2 + q3^2 + q4^2 - 1,    by q1: 2 q1, ...
 */
#ifndef RUNG_ELIMINATE_FORMS_INVARIANTS_H
#define RUNG_ELIMINATE_FORMS_INVARIANTS_H

#include "eliminate/dae.h"

/* Gives the Program its `invariants`, of a solved Dae with such constraints: without residuals if
 * one of them needs more than states, or their derivatives more than `limit` expressions
 * (sparse_jacobian.h). */
void invariants_make(Dae *d, uint32_t limit, Arena *scratch);

#endif
