/* by_igraph.h -- the second opinion on matchings and strong components, from igraph.
 *
 * The compiler's own passes are warm-started, keep their edge labels and need no copy of the
 * graph; these answers check them.
 */
#ifndef RUNG_GRAPH_BY_IGRAPH_H
#define RUNG_GRAPH_BY_IGRAPH_H

#include "graph/incidence.h"

/* Size of a maximum matching. */
uint32_t igraph_matching_size(const Incidence *g);
/* Strong components of the matched graph: component of each equation (INC_NONE when
 * unmatched), numbers in no particular order; returns how many. */
uint32_t igraph_components(const Incidence *g, const Matching *m, uint32_t *component);

#endif
