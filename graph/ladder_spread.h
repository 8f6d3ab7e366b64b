/* ladder_spread.h -- whether body structures of a ladder touch their neighbours alone.
 *
 * Three masses on a line, positions measured from the ground, from the mass before:
 *
 *     a3 = q1 + q2 + q3     structures 1, 2 and 3 meet in one equation: eliminating the third one
 *                           changes equations of the second and of the first
 *     a3 = a2 + q3          it changes those of the second
 *
 * Structures that touch their neighbours alone cost the same number of operations each; where each
 * touches all those towards the ground the costs grow with the square or the cube of their number.
 */
#ifndef RUNG_GRAPH_LADDER_SPREAD_H
#define RUNG_GRAPH_LADDER_SPREAD_H

#include "graph/ladder.h"

typedef struct LadderSpread {
    uint32_t n;     /* structures */
    uint64_t extra; /* summed over them: structures changed by their elimination, but for the one
                       that carries them; not counted to the end where they are very many */
    /* the equation that joins most structures that are no neighbours of its own, and the unknown
     * that it is for */
    uint32_t eq, var, joins;
} LadderSpread;

/* Of a ladder. Linear in the entries of g. */
LadderSpread ladder_spread(const Ladder *l, const Incidence *g, Arena *scratch);

#endif
