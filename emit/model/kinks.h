/* kinks.h -- which nonlinear blocks have kinks.
 *
 * Residuals that choose by the block's own unknowns without an event (noEvent, abs, min, max) are
 * not smooth there: a branch of solutions may end at such a place though the Jacobian is regular up
 * to it, as a comparator's with feedback. One pass over the pool, whose operands come before users.
 */
#ifndef RUNG_EMIT_KINKS_H
#define RUNG_EMIT_KINKS_H

#include "ir/program.h"

/* Per block of g, in mem. */
bool *kinks_find(const Program *g, const ExprPool *p, Arena *mem);

#endif
