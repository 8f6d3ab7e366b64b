/* blocks.h -- strong components of the matched graph, in the order of evaluation.
 *
 * The permutation to block lower triangular form: one algebraic loop per block (Tarjan 1972, with
 * an explicit stack). Inside a block, equations ascend: as the model has them, not as the search
 * met them, so that chains of all lengths are ordered in the same way. Linear but for that sorting.
 * Unmatched equations and unknowns belong to no block.
 */
#ifndef RUNG_GRAPH_BLOCKS_H
#define RUNG_GRAPH_BLOCKS_H

#include "graph/incidence.h"

Blocks blocks_find(const Incidence *g, const Matching *m, Arena *mem);
/* Each block only contains unknowns of itself and of earlier blocks; pairs are those of m. Does
 * not prove that a block could not be split further: tests do, with a second method. */
bool blocks_check(const Blocks *b, const Incidence *g, const Matching *m);
void blocks_dump(const Blocks *b, FILE *f);

#endif
