/* jacobian.h -- d xdot / d x as expressions, in compressed columns.
 *
 * Column by column, over the nodes that depend on the state; what columns share is shared. Cheap
 * where each derivative depends on few states; of a chain of bodies in explicit form the matrix is
 * full, so there is a limit, beyond which there is none (the Newton iteration of newton.h stays
 * linear).
 */
#ifndef RUNG_ELIMINATE_JACOBIAN_H
#define RUNG_ELIMINATE_JACOBIAN_H

#include "ir/program.h"

/* For g->jacobian. False if it would need more than `limit` new nodes, or has no derivative. */
bool jacobian_pieces(Program *g, uint32_t limit, Arena *scratch);

#endif
