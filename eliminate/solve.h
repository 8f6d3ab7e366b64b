/* solve.h -- block after block, every unknown becomes an expression over the states.
 *
 * A block of one equation that is linear in its unknown is solved on the spot; a linear block is
 * eliminated symbolically in the cheapest of the orders that graph/ proposes; a block with
 * nonlinear equations is torn and handed to the runtime's Newton.
 *
 * What an order costs is known exactly before it is taken: it is tried in a pool of its own whose
 * leaves have the fingerprints of the block's coefficients, so that equal entries are found equal
 * there too (structure alone does not see the symmetry of a ladder).
 */
#ifndef RUNG_ELIMINATE_SOLVE_H
#define RUNG_ELIMINATE_SOLVE_H

#include "eliminate/structure.h"
#include "ir/program.h"

/* One order of elimination that a block may be solved in. */
typedef struct Proposal {
    const char *name; /* what reports call it                                          */
    Order order;      /* arrays in the arena given                                     */
    uint64_t ops;     /* structural estimate; 0: wanted by the user, whatever it costs */
    bool is_numeric;  /* left to the runtime, rows and columns in this order           */
} Proposal;

/* The k-th proposal for a block, the cheapest estimate first; false when there are no more. k
 * UINT32_MAX asks for a tearing order, for a nonlinear block. */
typedef bool (*OrderSource)(void *data, const Incidence *g, uint32_t k, Arena *mem, Proposal *out);

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
    const VarId *pivot_var; /* linear: in the order of elimination */
    const EqId *pivot_eq;
} BlockReport;

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
