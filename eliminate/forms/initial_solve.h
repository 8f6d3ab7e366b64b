/* initial_solve.h -- the initial system: completed, sorted and solved.
 *
 * initial_system.h writes its equations down; here matching finds the start candidates that
 * complete them and the conditions that repeat others, and the blocks that states and parameters
 * need are solved.
 */
#ifndef RUNG_ELIMINATE_FORMS_INITIAL_SOLVE_H
#define RUNG_ELIMINATE_FORMS_INITIAL_SOLVE_H

#include "eliminate/dae.h"

/* Gives d->initial; NULL there if the start values of the states are all there is to it. redundant:
 * d->redundancy will be applied. Needs d->blt of the model's equations. False after an error
 * (reported). */
bool initial_solve(Dae *d, bool redundant, Arena *scratch);
void initial_print(Dae *d, FILE *f);

#endif
