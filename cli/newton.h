/* newton.h -- a Newton iteration made of the linearised equations: matched, ordered, solved. */
#ifndef RUNG_CLI_NEWTON_H
#define RUNG_CLI_NEWTON_H

#include "cli/driver.h"

/* The iteration; its equations; both. */
typedef enum NewtonParts { NEWTON_STEP = 1, NEWTON_MATRIX = 2 } NewtonParts;

/* After the pass "solve": gives the program of its Newton iteration, where there is one, what is
 * asked for. */
void newton_make(Compilation *c, NewtonParts parts);

#endif
