/* reduce.h -- index reduction: equations are differentiated until the index is at most 1.
 *
 * graph/ finds, by numbers, the equations to differentiate (Pantelides 1988); here the System gets
 * their derivatives. For a pendulum x^2 + y^2 = L^2 the second derivative determines the force of
 * the rod, so
 *     2 x der(x) + 2 y der(y) = 0
 * and its derivative are added; state_choice.h then decides which of der(x), ... are derivatives of
 * states. If no choice of states is possible while functions stay calls, or one that is none once
 * they are expanded, these are expanded and the reduction starts again. Near-linear in the size of
 * the model.
 */
#ifndef RUNG_ELIMINATE_PREPARE_REDUCE_H
#define RUNG_ELIMINATE_PREPARE_REDUCE_H

#include "eliminate/dae.h"

/* Needs d->aliases; gives d->structure, d->pantelides. Adds derivatives to the System. False if the
 * model is structurally singular, or an equation has no derivative (reported). */
bool reduce_index(Dae *d, Arena *scratch);
/* As reduce_index, without derivatives for the preference of variables that the equations do not
 * differentiate (StateSelect.prefer). */
bool reduce_index_as_written(Dae *d, Arena *scratch);
/* The same as reduce_index from where that started, all calls expanded before; false too if that
 * has been tried, or there are none. */
bool reduce_index_inlined(Dae *d, Arena *scratch);
/* Whether these belong to the System. */
bool reduce_check(const Dae *d);
void reduce_print(Dae *d, FILE *f);

#endif
