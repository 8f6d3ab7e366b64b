/* dependent_rows.h -- rows of a matrix that depend on each other, by their values.
 *
 *     1 1 .  .          rows 0, 1 and 2: row 0 + row 1 - row 2 = 0
 *     . . 1  1          row 3 takes part in no such sum
 *     1 1 1  1
 *     . 1 .  2
 *
 * Elimination modulo 2^61 - 1 in the order of mindegree.h. Rows that end up empty depend on those
 * that were subtracted from them, which is followed back. Values are those at one random point: a
 * dependence that is none elsewhere is found with a chance of about rows * 2^-61, none is missed.
 * Cost: of the elimination.
 */
#ifndef RUNG_GRAPH_DEPENDENT_ROWS_H
#define RUNG_GRAPH_DEPENDENT_ROWS_H

#include "graph/incidence.h"

/* Marks rows that occur, with a factor other than zero, in a sum of rows that vanishes. Returns the
 * number of such sums that do not depend on each other: rows less rank. Needs g->residue. */
uint32_t dependent_rows_mark(const Incidence *g, bool *takes_part, Arena *tmp);

#endif
