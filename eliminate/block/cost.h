/* cost.h -- the cost of an order of elimination, counted on values alone.
 *
 *     x*y is known as (residue of x) * (residue of y) modulo 2^61 - 1; made again, it is found in a
 *     table and costs nothing, as in the pool; at the end the nodes that the results depend on are
 * counted.
 *
 * The part of a matrix that eliminating a body structure touches is eliminated by the very text
 * that eliminates expressions (graph/sparse_elimination.inc, congruence.inc), with residues in
 * place of nodes of the pool. A node takes a few dozen nanoseconds, some thirty times less than one
 * of the pool. Two values are taken for one with probability 2^-61; the program itself is built and
 * counted in the pool.
 */
#ifndef RUNG_ELIMINATE_BLOCK_COST_H
#define RUNG_ELIMINATE_BLOCK_COST_H

#include "base/digest.h"
#include "eliminate/block/sample_points.h"

/* The cost of an elimination. Pivots that vanish at a sample point stop the straight-line code or
 * lose digits nearby: fewer of them count before any saving of operations. */
typedef struct Cost {
    uint32_t n_vanishing; /* pivots that vanish at a sample point */
    uint64_t ops;         /* in these units: of as many operations, those with fewer divisions */
} Cost;

enum { COST_OF_OPERATION = 16, COST_OF_DIVISION = 17 };

#define COST_FAILED ((Cost){UINT32_MAX, UINT64_MAX})

bool cost_less(Cost a, Cost b);

typedef struct CostMatrix CostMatrix;

/* Entries are nodes of the pool, whose values it knows (pool_by_value). */
CostMatrix *cost_matrix_new(const ExprPool *pool, uint32_t n_rows, uint32_t n_cols, Arena *mem);
void cost_matrix_open(CostMatrix *t); /* at sample points, 1/0 is 0 (OpenPivot) */
void cost_matrix_set(CostMatrix *t, uint32_t row, uint32_t col, ExprId x, const Samples *samples);
void cost_matrix_set_rhs(CostMatrix *t, uint32_t row, ExprId x);
bool cost_matrix_has(const CostMatrix *t, uint32_t row, uint32_t col); /* an entry, as given */
/* Adds the values of the given entries and right-hand sides, on which alone the results of
 * cost_of_order depend. Call cost_of_order once before: it evaluates them at the sample points. */
void cost_matrix_digest(const CostMatrix *t, Digester *to);
/* Eliminates n pivots, (row[k], col[k]); rows and columns of pivots are 0 .. n - 1. Counts the
 * operations of the remaining rows, and of the unknowns of the wanted columns. COST_FAILED if a
 * pivot is zero, or more than most_vanishing vanish. May be repeated. */
Cost cost_of_order(CostMatrix *t, uint32_t n, const uint32_t *row, const uint32_t *col,
                   const bool *wanted, uint32_t most_vanishing);
/* Nodes built so far, for all orders. */
uint64_t cost_nodes_built(const CostMatrix *t);

#endif
