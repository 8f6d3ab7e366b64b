/* whole.h -- Integers of a program that may be no whole numbers.
 *
 * The exact check asks whether the equations hold, which fractions satisfy, too: 2*n + k = 7 and
 * n = k give n = 7/3. Sums, differences and products of Integers are whole numbers; the
 * result of a division need not be one, and is checked during a run. Time is linear in the pool.
 */
#ifndef RUNG_ELIMINATE_VERIFY_WHOLE_H
#define RUNG_ELIMINATE_VERIFY_WHOLE_H

#include "ir/program.h"

/* Per expression of the program's pool: YES, it is a whole number where its Integer variables are;
 * NO, never; UNKNOWN: that depends on values. */
const Truth *whole_numbers(const Program *g, Arena *mem);

#endif
