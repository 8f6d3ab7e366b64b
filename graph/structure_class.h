/* structure_class.h -- body structures of one kind, told by their looks.
 *
 * The stretches of an order that eliminate one structure each (equal Order.stage) are of one kind
 * when their pairs agree in labels, places in arrays and neighbours, pair by pair. What was found
 * good for one structure can then be done to all of its kind. Near-linear.
 */
#ifndef RUNG_GRAPH_STRUCTURE_CLASS_H
#define RUNG_GRAPH_STRUCTURE_CLASS_H

#include "graph/incidence.h"

/* Pairs begin .. begin + n - 1 of the order. */
typedef struct Stretch {
    uint32_t begin, n, kind;
} Stretch;

typedef struct Kinds {
    uint32_t n; /* kinds, numbered as they come first in the order */
    uint32_t n_stretches;
    Stretch *stretch;
    /* Per place of the order: slot[begin + i] is the place of the stretch's i-th pair by looks, so
     * that equal i are equal roles within a kind, and mostly in kinds that differ only in what lies
     * beyond their neighbours. */
    uint32_t *slot;
    /* by_shape[begin + i] is the role of the i-th pair when they are told by labels alone: equal i
     * are equal roles in kinds that differ in signs and in the axes of vectors, too, where labels
     * tell all pairs. */
    uint32_t *by_shape;
} Kinds;

/* Of an order that knows its stages. */
Kinds kinds_find(const Order *o, const Incidence *g, Arena *mem);

#endif
