/* dissection.h -- nested dissection (George 1973) by METIS.
 *
 * First it eliminates pairs that cost nothing: those whose pivot cannot vanish and whose
 * elimination leaves no more entries than before, so that of a network the nodes remain and not its
 * branches. Pairs of a maximum matching of the rest, +-1 pairs preferred, are the nodes of METIS;
 * the graph is made symmetric. The pivots are the matched entries, so none is structurally zero.
 */
#ifndef RUNG_GRAPH_DISSECTION_H
#define RUNG_GRAPH_DISSECTION_H

#include "graph/incidence.h"

Order dissection_find(const Incidence *g, Arena *mem);

/* by_metis.c: perm[k] is the node that comes k-th. Neighbours of node k are next[begin[k]] to
 * next[begin[k + 1] - 1], each once, in both directions. */
void metis_dissect(uint32_t n, const uint32_t *begin, const uint32_t *next, uint32_t *perm);

#endif
