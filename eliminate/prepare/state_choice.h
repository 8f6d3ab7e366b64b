/* state_choice.h -- which variables are states, by the modeller's priorities.
 *
 * graph/state.h chooses (dummy derivatives, Mattsson & Soderlind 1993); here StateSelect and fixed
 * become priorities, and the choice is judged: a variable with StateSelect.always that is no state
 * is a warning, an input that would have to be differentiated an error.
 */
#ifndef RUNG_ELIMINATE_PREPARE_STATE_CHOICE_H
#define RUNG_ELIMINATE_PREPARE_STATE_CHOICE_H

#include "eliminate/dae.h"

/* Per column of d->structure (MLS 4.9.8.1): StateSelect, and one more where the start value is
 * fixed, since among equals a run starts from the start values that are given (graph/state.h).
 * Preferred variables that the equations differentiate come before those that they do not.
 * Derivatives by parameters have the priority of their variable. */
uint8_t *state_priorities(Dae *d, Arena *mem);

/* Needs d->structure, d->pantelides; gives d->states, d->is_state. False if there is no choice
 * (reported). */
bool states_choose(Dae *d, Arena *scratch);
void states_print(Dae *d, FILE *f);

#endif
