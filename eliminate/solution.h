/* solution.h -- the sorted equations solved, and solved again in other orders.
 */
#ifndef RUNG_ELIMINATE_SOLUTION_H
#define RUNG_ELIMINATE_SOLUTION_H

#include "eliminate/block/ordering.h"
#include "eliminate/dae.h"

/* Needs d->blt; gives d->solution, with the initial program and, unless blocks are left to the
 * runtime, the constraints of loops. False if a block is singular, or a loop cannot be closed
 * (reported). */
bool solution_find(Dae *d, const Orders *orders, Arena *scratch);
/* After solution_find: the equations solved once more, in the orders of another policy. */
bool solution_again(const Dae *d, OrderPolicy *policy, Program *out, Arena *scratch);
/* The same with the linear blocks left to the runtime, which chooses their pivots while it runs.
 * whole: nonlinear ones, too, are not torn. */
bool solution_numeric(const Dae *d, bool whole, Program *out, Arena *scratch);
/* Likewise of the initial system, into out->initial. Needs d->initial. */
bool solution_numeric_initial(const Dae *d, Program *out, Arena *scratch);
/* Whether that differs from the result of solution_find, in blocks where a divisor can vanish. */
bool solution_has_pivots(const Dae *d);
/* Likewise in the initial system; false if there is none. */
bool solution_has_initial_pivots(const Dae *d);

#endif
