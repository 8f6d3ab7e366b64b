/* dissection.h -- nested dissection (George 1973) by METIS.
 *
 * Pairs of a maximum matching, +-1 pairs preferred, are the nodes; the graph is made symmetric.
 * The pivots are the matched entries, so none is structurally zero.
 */
#ifndef RUNG_GRAPH_DISSECTION_H
#define RUNG_GRAPH_DISSECTION_H

#include "ir/incidence.h"

Order dissection_find(const Incidence *g, Arena *mem);

#endif
