/* frontal.h -- elimination from the far end of a structure towards its ground.
 *
 * Nodes have the level of their distance (breadth-first) from a ground, one end of the longest
 * way through the block. Pairs are eliminated from the highest level down, a band of levels at a
 * time; within a band the cheapest pair comes first. So what is being worked on stays as narrow as
 * the structure is: chains and trees cost O(n), whatever their equations look like. Both ends and
 * several widths of the band are tried, in large blocks on the first pairs only; the cheapest by
 * structure (symbolic_lu.h) is taken.
 */
#ifndef RUNG_GRAPH_FRONTAL_H
#define RUNG_GRAPH_FRONTAL_H

#include "graph/incidence.h"

Order sweep_find(const Incidence *g, Arena *mem);

#endif
