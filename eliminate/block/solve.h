/* solve.h -- block after block, every unknown becomes an expression over the states.
 *
 * A block of one equation that is linear in its unknown is solved on the spot; a linear block is
 * eliminated symbolically in the cheapest of the orders that graph/ proposes; a block with
 * nonlinear equations is torn and handed to the runtime's Newton.
 *
 * What an order costs is known exactly before it is taken: it is carried out and taken back, so
 * that what it shares with itself, with the blocks before it and with what follows from it is seen
 * (structure alone does not see the symmetry of a ladder).
 */
#ifndef RUNG_ELIMINATE_BLOCK_SOLVE_H
#define RUNG_ELIMINATE_BLOCK_SOLVE_H

#include "eliminate/block/candidate.h"
#include "ir/program.h"

typedef struct Solution {
    Program program;
    uint32_t n_reports;
    const BlockReport *report;
    uint32_t n_explicit; /* single equations solved on the spot */
} Solution;

/* g: the structure of all equations over the columns; it tells what the derivatives of the states
 * need, which is what orders are judged by. blocks: pairs (equation of the System, column of var).
 * alias: value of removed variables, may be EXPR_NONE; n_alias of them. is_state: per variable.
 * False if a block is singular (reported). */
bool solve(System *s, const Incidence *g, const Blocks *blocks, const VarId *var,
           const ExprId *alias, uint32_t n_alias, const bool *is_state, OrderSource order,
           void *order_data, Solution *out, Arena *scratch);

#endif
