/* by_igraph.h -- the graph algorithms that igraph provides; only by_igraph.c includes its header.
 *
 * In the compiler: isomorphisms of body structures (structure_class.c), colours of Jacobians where
 * the simple way is not known to be best (eliminate/forms/sparse_jacobian.c), layered layouts of
 * graphs that are no ladder (rung graph --what blocks). For the tests: a second computation of
 * matchings and strong components; README.md gives the reasons for our own code. igraph keeps state
 * of its own: not to be called from two threads at once.
 */
#ifndef RUNG_GRAPH_BY_IGRAPH_H
#define RUNG_GRAPH_BY_IGRAPH_H

#include "graph/incidence.h"

/* A directed graph, edge k from vertex from[k] to vertex to[k]. */
typedef struct Digraph {
    uint32_t n, n_edges;
    const uint32_t *from, *to;
    const uint32_t *colour; /* per vertex, for isomorphisms; else may be NULL */
} Digraph;

/* Whether vertices can be mapped such that edges and colours agree; map[v of a] is a vertex of b.
 * By canonical forms (BLISS: Junttila & Kaski 2007): exponential at worst, near-linear on graphs
 * whose vertices mostly differ. No edge twice. */
bool igraph_isomorphism(const Digraph *a, const Digraph *b, uint32_t *map);

/* Gives the vertices colours 0, 1, ... such that edges join different ones; returns how many were
 * needed. Greedy, next the vertex with most coloured neighbours. Directions do not matter. */
uint32_t igraph_colours(const Digraph *g, uint32_t *colour);

/* Layers of a graph without cycles, 0 for vertices that no edge enters, edges lead to later layers;
 * within a layer vertices are ordered for few crossings (Sugiyama et al. 1981; Brandes & Köpf
 * 2001). x in units of a vertex's width, not negative; y is the layer. O(edges times layers they
 * cross), so false where these are more than most_crossed all together: such a picture shows
 * nothing. */
bool igraph_layers(const Digraph *g, uint64_t most_crossed, double *x, double *y);

/* The assignment of n rows to n columns with the least sum of costs (row after row): to[row] is the
 * column. O(n^3) (Burkard & Derigs 1980). */
void igraph_assignment(uint32_t n, const double *cost, uint32_t *to);

/* Size of a maximum matching. */
uint32_t igraph_matching_size(const Incidence *g);
/* Strong components of the matched graph: component of each equation (INC_NONE when
 * unmatched), numbers in no particular order; returns how many. */
uint32_t igraph_components(const Incidence *g, const Matching *m, uint32_t *component);

#endif
