/* refine.h -- a better order inside body structures, found by trying.
 *
 * Structures of one kind (the same labels and neighbours, pair by pair) are ordered alike. On a
 * sample, the first structures eliminated, pairs are moved inside the structures of a kind, and a
 * move stays when the exact count (count.h) does not grow. What was found is then done to all
 * structures of the kind. Needs the residues of the incidence; without them, and for orders without
 * stages, the order is returned as it is. The cost hardly depends on the number of structures. Same
 * input, same order.
 */
#ifndef RUNG_GRAPH_REFINE_H
#define RUNG_GRAPH_REFINE_H

#include "ir/incidence.h"

/* effort: operations counted in all trials together; 0 leaves the order as it is. */
Order refine_order(const Order *o, const Incidence *g, uint64_t effort, Arena *mem);

#endif
