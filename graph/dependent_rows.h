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

/* Which rows to leave out so that the others are independent: of those listed, each of the
 * g->n_rows once, the ones that depend on rows before them in the list. In ascending order of the
 * list, rows less rank of them, into `out` (as many places). Cost: of the elimination above, and of
 * a plain one, row by row, among the rows that take part in a dependence. */
uint32_t dependent_rows_surplus(const Incidence *g, const uint32_t *order, uint32_t *out,
                                Arena *tmp);

#endif
