/* mindegree.h -- the order in which each pivot is the cheapest at its time.
 *
 * Markowitz (1957) with labels: the price of a pivot is what symbolic_lu.h counts for it, so +-1
 * pivots win over expressions of equal degree. OrderPolicy wait in a heap by row; a row's price is
 * taken again when an elimination touched it or one of its columns. Near-linear as long as rows and
 * columns stay short.
 */
#ifndef RUNG_GRAPH_MINDEGREE_H
#define RUNG_GRAPH_MINDEGREE_H

#include "graph/incidence.h"

Order mindegree_find(const Incidence *g, Arena *mem);

#endif
