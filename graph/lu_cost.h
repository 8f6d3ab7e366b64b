/* lu_cost.h -- the cost of a sparse LU decomposition at run time, for comparison.
 *
 * Columns are ordered by approximate minimum degree on the pattern of A + A' or
 * of A'A (Amestoy, Davis & Duff 1996), whichever fills less; rows by threshold pivoting that
 * prefers the diagonal (Gilbert & Peierls 1988), as the runtime does it. Every entry of the factors
 * counts, constants and ones too: at run time they are numbers like all others. By CXSparse.
 */
#ifndef RUNG_GRAPH_LU_COST_H
#define RUNG_GRAPH_LU_COST_H

#include "graph/incidence.h"

typedef struct LuCost {
    bool ok;           /* false: structurally singular */
    uint64_t fill;     /* entries of the factors beyond those of the block   */
    uint64_t add, mul; /* decomposition and both triangular solutions        */
    uint64_t div;
    const uint32_t *column; /* in which order the columns come */
} LuCost;

/* The order of columns alone, for the sparse LU of the runtime, of an n by n pattern in compressed
 * columns: the column that comes k-th. NULL where the runtime takes dense LU, as it does of small
 * matrices and of those that are not mostly zero (runtime/linear/factor.c), or if structurally
 * singular.
 */
const uint32_t *lu_column_order(uint32_t n, const uint32_t *col_start, const uint32_t *row,
                                Arena *mem);

/* Entries get arbitrary but fixed values, for the choice of pivots. The columns live in mem. */
LuCost lu_cost(const Incidence *g, Arena *mem);

#endif
