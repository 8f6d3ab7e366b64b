/* slopes.h -- the exact check of derivatives: symbolic derivatives against dual numbers.
 *
 * At a random point modulo a prime and along a random direction, the slope of the rows that a
 * matrix belongs to is compared with the matrix times the direction; one wrong entry makes them
 * differ but for a share of 2^-61 of all directions. A Newton iteration is put
 * into the equations that it solves. Covers d xdot / d x, the linearisation by inputs and of
 * outputs, the residual form, blocks left to Newton's method, constraints of loops, the
 * iteration of implicit methods, and rates along parameters: whatever the program has.
 */
#ifndef RUNG_ELIMINATE_VERIFY_SLOPES_H
#define RUNG_ELIMINATE_VERIFY_SLOPES_H

#include "eliminate/verify/dual.h"
#include "ir/program.h"

typedef struct Slopes {
    const Program *g;
    DualNumbers *at;
    Arena *mem;
    uint32_t n_rows;    /* compared                             */
    const char *failed; /* NULL, or the error, in words */
    uint32_t failed_row;
} Slopes;

/* Of a point that is not poor, unless it becomes so here. */
void slopes_check(Slopes *c);

#endif
