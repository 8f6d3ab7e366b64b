/* structure_class.h -- classes of equal body structures, and the correspondence of their pairs.
 *
 * A chain of five equal links on a cart: structures 0 (the tip) .. 4 (on the cart), 5 (the cart).
 *
 *     classes   0 | 1 1 1 | 2 | 3      the links between two links are of one class
 *     by_role   pair i of each of structures 1, 2, 3 is the "same" equation and unknown of its link
 *
 * so an elimination order found for structure 1 is done to structures 2 and 3 as well. Pairs are
 * distinguished by colour refinement (Weisfeiler & Leman 1968): the colour of a pair is first made
 * of the labels in its row and column and of its place in arrays, then in each round of the colours
 * of its neighbours. Two structures are of one class when their sorted colours are equal.
 * Near-linear.
 */
#ifndef RUNG_GRAPH_STRUCTURE_CLASS_H
#define RUNG_GRAPH_STRUCTURE_CLASS_H

#include "graph/incidence.h"

/* The pairs of one structure, places begin .. begin + n - 1 of the order, and its class. */
typedef struct StructureRange {
    uint32_t begin, n, class;
} StructureRange;

typedef struct StructureClasses {
    uint32_t n; /* classes, numbered as they come first in the order */
    uint32_t n_ranges;
    StructureRange *range; /* in the order of elimination */
    /* by_role[begin + i] is the place in the order of the structure's i-th pair by colour: equal i
     * correspond in two structures of one class, and mostly in classes that differ only beyond the
     * neighbours. */
    uint32_t *by_role;
    /* by_shape[begin + i] is the role of the structure's i-th pair by a colour made of labels
     * alone, without signs and places in arrays: equal i correspond in classes that differ only in
     * those, as hinges about y and about z, if labels distinguish the pairs. */
    uint32_t *by_shape;
} StructureClasses;

/* o: an order that knows the structure of each pivot (Order.stage), of all pairs of g. */
StructureClasses structure_classes(const Order *o, const Incidence *g, Arena *mem);
/* Ranges follow each other and cover the order; roles and shapes are permutations of each range;
 * structures of one class have as many pairs. */
bool structure_classes_check(const StructureClasses *c, const Order *o);
/* A line per structure: its class, then its pairs "(equation, unknown)" by role. */
void structure_classes_dump(const StructureClasses *c, const Order *o, FILE *f);

#endif
