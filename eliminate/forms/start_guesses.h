/* start_guesses.h -- first guesses for Newton's method at the start, where a variable has no start
 * value.
 *
 * Equations of two unknowns, a*x + b*y + c = 0, carry the start value of x to y:
 *
 *     w = der(phi)          with w(start = 3): 3 is the first guess of der(phi), too
 *     v = der(phi)/2        then 3/2 of v
 *
 * MLS 8.6 leaves the guesses of variables without a start value to the tool. They matter where the
 * initial equations have several solutions or Newton's method converges from near ones only.
 */
#ifndef RUNG_ELIMINATE_FORMS_START_GUESSES_H
#define RUNG_ELIMINATE_FORMS_START_GUESSES_H

#include "eliminate/dae.h"

/* Sets Var.guess. Needs d->solution, and d->initial with its equations, if there is one. Nothing is
 * done if no nonlinear block needs guesses. Linear in the size of the System. */
void start_guesses_find(Dae *d, Arena *scratch);

#endif
