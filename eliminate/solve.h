/* solve.h -- block after block, every unknown becomes an expression over the states.
 *
 * A block of one equation that is linear in its unknown is solved on the spot; a linear block is
 * eliminated symbolically in the order that graph/ proposes, the next proposal being tried when a
 * pivot is zero; a block with nonlinear equations is torn and handed to the runtime's Newton.
 */
#ifndef RUNG_ELIMINATE_SOLVE_H
#define RUNG_ELIMINATE_SOLVE_H

#include "eliminate/structure.h"
#include "ir/program.h"

/* The attempt-th order for a block, best first; false when there are no more. `name` is what
 * reports call it. The order's arrays live in mem. */
typedef bool (*OrderSource)(void *data, const Incidence *g, uint32_t attempt, Arena *mem,
                            Order *out, const char **name);

typedef enum BlockKind { BLOCK_EXPLICIT, BLOCK_LINEAR, BLOCK_NONLINEAR } BlockKind;

/* What became of one block; explicit single equations are not listed. */
typedef struct BlockReport {
    BlockKind kind;
    uint32_t n;        /* equations                                          */
    uint32_t n_torn;   /* unknowns left after tearing (nonlinear: Newton's)  */
    uint32_t nonzeros; /* of the block                                       */
    uint32_t fill;     /* entries that elimination added                     */
    uint32_t swaps;    /* columns exchanged because every order failed       */
    const char *order; /* the order taken; "" for none                       */
    const char *why;   /* why earlier proposals failed; NULL if none did     */
    const VarId *var;
    const EqId *eq;
} BlockReport;

typedef struct Solution {
    Program program;
    uint32_t n_reports;
    const BlockReport *report;
    uint32_t n_explicit; /* single equations solved on the spot */
} Solution;

/* blocks: pairs (equation of the System, column of var). alias: value of removed variables, may be
 * EXPR_NONE; n_alias of them. is_state: per variable. False if a block is singular (reported). */
bool solve(System *s, const Blocks *blocks, const VarId *var, const ExprId *alias, uint32_t n_alias,
           const bool *is_state, OrderSource order, void *order_data, Solution *out,
           Arena *scratch);

#endif
