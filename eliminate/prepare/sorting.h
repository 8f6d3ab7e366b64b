/* sorting.h -- after states are chosen: which equation determines which unknown, in which order.
 *
 * The equations are solved for all unknowns that are no states, and for variables that were added
 * since. To be done again after every pass that changes equations. If that cannot be because of
 * calls that were expanded since the states were chosen, indices are reduced and states chosen once
 * more.
 */
#ifndef RUNG_ELIMINATE_PREPARE_SORTING_H
#define RUNG_ELIMINATE_PREPARE_SORTING_H

#include "eliminate/dae.h"

/* Needs d->structure, d->is_state; gives d->blt. False if an unknown is left without an equation
 * (reported). */
bool equations_sort(Dae *d, Arena *scratch);
/* The same where states stay; nothing is reported. */
bool equations_sort_again(Dae *d, Arena *scratch);

#endif
