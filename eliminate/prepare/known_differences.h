/* known_differences.h -- differences of unknowns that states are.
 *
 *     vbe = B.v - E.v;   i = f(B.v - E.v)     with the state vbe: i = f(vbe)
 *     vbc = B.v - C.v;   j = g(C.v - E.v)     with the state vbc, too: j = g(vbe - vbc)
 *
 * As the model writes it i and j depend on unknowns of the loop in which these nodes stand, which
 * is not linear then, and where f jumps rounding decides the branch. Sums in linear equations stay
 * as they are: elimination sees these.
 */
#ifndef RUNG_ELIMINATE_PREPARE_KNOWN_DIFFERENCES_H
#define RUNG_ELIMINATE_PREPARE_KNOWN_DIFFERENCES_H

#include "eliminate/dae.h"

/* After states were chosen and calls expanded. Whether an equation has changed. */
bool known_differences_put_in(Dae *d, Arena *scratch);

#endif
