/* frontal.h -- an elimination order that goes along the block from one end to the other.
 *
 * A chain of five unknowns, each equation holding its neighbours too:
 *
 *     distance from the ground end   0 - 1 - 2 - 3 - 4
 *     eliminated                     5th 4th 3rd 2nd 1st      the front is never wider than one
 *
 * Breadth-first search from an end of the longest path gives each equation and unknown its
 * distance. Pairs are eliminated from the largest distance down, a band of several distances at a
 * time; within a band the cheapest pair comes first (Markowitz 1957). So the front, the rows and
 * columns that an elimination step changes, stays as narrow as the block is (frontal methods: Irons
 * 1970; profile reduction: George 1971): chains and trees cost O(n), whatever their equations. Both
 * ends and several widths of the band are tried, in large blocks on the first pairs only; that with
 * the lowest estimate (symbolic_lu.h) is taken.
 */
#ifndef RUNG_GRAPH_FRONTAL_H
#define RUNG_GRAPH_FRONTAL_H

#include "graph/incidence.h"

/* Fails, saying why (Order.why), where the block fills more and more. */
Order frontal_order(const Incidence *g, Arena *mem);

#endif
