/* mindegree.h -- the order in which each pivot is the cheapest at its time.
 *
 * Markowitz (1957) with labels: the price of a pivot is its number of operations by symbolic_lu.h,
 * so +-1 pivots win over expressions of equal degree. Candidates wait in a heap by row; a row's
 * price is recomputed when an elimination changes it or one of its columns. Near-linear as long as
 * rows and columns stay short.
 */
#ifndef RUNG_GRAPH_MINDEGREE_H
#define RUNG_GRAPH_MINDEGREE_H

#include "graph/heap.h"
#include "graph/symbolic_lu.h"

Order mindegree_find(const Incidence *g, Arena *mem);

/* The same, pivot by pivot, of a matrix of any shape and rank: each that mindegree_next names is to
 * be eliminated before the next. At the end the rows that were none are empty. */
typedef struct Mindegree {
    SymbolicLu f;
    Heap prices;
    uint32_t *best;    /* per row: the column of its cheapest pivot      */
    uint32_t *touched; /* rows whose price the current pivot changes */
    uint32_t *stamp;   /* per row: the last pivot that touched it        */
    uint32_t n_done;
} Mindegree;

Mindegree mindegree_begin(const Incidence *g, Arena *mem);
bool mindegree_next(Mindegree *m, uint32_t *e, uint32_t *v);
void mindegree_pivot(Mindegree *m, uint32_t e, uint32_t v);

#endif
