/* solve.h -- block after block, every unknown becomes an expression over the states.
 *
 * A block of one equation that is linear in its unknown is solved on the spot; a linear block is
 * eliminated symbolically in the cheapest of the orders that graph/ finds; a block with nonlinear
 * equations is torn and handed to the runtime's Newton.
 *
 * The cost of an order is known exactly before it is taken: it is carried out and taken back, so
 * that common subexpressions within it, with the blocks before it and with the equations after it
 * are seen (structure alone does not see the symmetry of a ladder).
 */
#ifndef RUNG_ELIMINATE_BLOCK_SOLVE_H
#define RUNG_ELIMINATE_BLOCK_SOLVE_H

#include "eliminate/block/candidate.h"
#include "eliminate/blt.h"
#include "ir/program.h"

typedef struct Solution {
    Program program;
    uint32_t n_reports;
    const BlockReport *report;
    uint32_t n_explicit; /* single equations solved on the spot */
    Failure failure;     /* not solved: why the block that is singular is so */
} Solution;

/* Where the orders come from of elimination of each block. */
typedef struct Orders {
    OrderSource *source;
    uint32_t *block; /* NULL, or receives the block being solved */
    bool leaves; /* blocks are left to the runtime: their unknowns are no expressions of the states
                  */
    bool whole;  /* nonlinear blocks are not torn */
} Orders;

/* By the structure of b only operations that the derivatives of the states need are counted for
 * orders. False if a block is singular (reported). */
bool solve(const Blt *b, const Orders *orders, Solution *out, Arena *scratch);

#endif
