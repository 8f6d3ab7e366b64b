/* cost.h -- what an order of elimination would cost, counted on values alone.
 *
 * The part of a matrix that eliminating a body structure touches is eliminated as elimination.h and
 * congruence.h do it, in residues modulo 2^61 - 1 in place of pool nodes: equal values are one
 * node, so what is shared is seen. A node takes a few dozen nanoseconds, some thirty times less
 * than one of a pool. By one prime two values are taken for one with probability 2^-61 each; the
 * program itself is built and counted in the pool.
 */
#ifndef RUNG_ELIMINATE_BLOCK_COST_H
#define RUNG_ELIMINATE_BLOCK_COST_H

#include "eliminate/block/sample_points.h"

/* What eliminating costs. Pivots that vanish somewhere in the workspace stop the straight-line code
 * or lose digits near by: the fewer the better, before any saving of operations. */
typedef struct Cost {
    uint32_t weak; /* pivots that vanish somewhere in the workspace */
    uint64_t ops;
} Cost;

#define COST_FAILED ((Cost){UINT32_MAX, UINT64_MAX})

bool cost_less(Cost a, Cost b);

typedef struct Trial Trial;

/* Entries are nodes of the pool, whose values it knows (pool_by_value). */
Trial *trial_new(const ExprPool *pool, uint32_t n_rows, uint32_t n_cols, Arena *mem);
void trial_set(Trial *t, uint32_t row, uint32_t col, ExprId x, const Worths *worth);
void trial_set_rhs(Trial *t, uint32_t row, ExprId x);
bool trial_has(const Trial *t, uint32_t row, uint32_t col); /* an entry, as given */
/* Eliminates n pivots, (row[k], col[k]); rows and columns of pivots are 0 .. n - 1. Counts what the
 * remaining rows are made of, and the unknowns of the columns that are wanted. COST_FAILED if a
 * pivot is zero, or more than most_weak vanish. May be repeated. */
Cost trial_price(Trial *t, uint32_t n, const uint32_t *row, const uint32_t *col, const bool *wanted,
                 uint32_t most_weak);
/* Nodes built in all prices so far. */
uint64_t trial_effort(const Trial *t);

#endif
