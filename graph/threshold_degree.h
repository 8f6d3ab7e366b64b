/* threshold_degree.h -- minimum degree among the pivots that keep their digits.
 *
 * Markowitz (1957) with a threshold, as in Duff & Reid's MA28 (1979). The elimination is carried
 * out on the structure and, at a few points, on numbers at once; each number comes with the size of
 * the terms that it is made of. A pivot whose size is far above its number at one of the points has
 * lost digits there, or vanishes, and waits:
 *
 *     entry  a - l u / p,   size  |a| + |l u / p|       pivot if |entry| is no small part of it
 *
 * The measure does not depend on the units of rows and columns. An order by structure alone meets
 * pivots that are zero where the model starts, exchanges columns there, and fills.
 * Cost: that of minimum degree, times the number of points.
 */
#ifndef RUNG_GRAPH_THRESHOLD_DEGREE_H
#define RUNG_GRAPH_THRESHOLD_DEGREE_H

#include "graph/incidence.h"

/* Pivots that are preferred to all others, as those of a ladder, which never vanish: the natural
 * pairs, and the handle of a structure once its members are gone. */
typedef struct PreferredPivots {
    uint32_t *var_of;    /* per row: the column, INC_NONE if none is preferred             */
    uint32_t *stage_of;  /* per row: the structure that it is a member of, or INC_NONE     */
    uint32_t *handle_of; /* per row: the structure that it is the handle of, or INC_NONE   */
    bool *is_taken;      /* per column: by one of the pairs                                */
    uint32_t n_stages;
    bool late; /* rows without one wait until they hold no column of a pair      */
} PreferredPivots;

/* By g->number; fails without it, and where no pivot is left that keeps its digits. preferred may
 * be NULL. */
Order threshold_degree_find(const Incidence *g, const PreferredPivots *preferred, Arena *mem);

#endif
