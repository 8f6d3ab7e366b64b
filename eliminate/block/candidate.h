/* candidate.h -- one linear block: which order of elimination, and the elimination.
 *
 * Orders are proposed by graph/, priced on the structure. Those near the cheapest are tried: the
 * elimination is carried out, and taken back. So what they cost is known exactly, as it is counted
 * for the whole program, before one is taken; orders that know body structures are refined
 * meanwhile (search.h), and where a pivot is zero another column is taken. Of those that neither
 * lose digits (growth.h) nor divide by more that vanishes at a sample point than others
 * (sample_points.h) the cheapest is taken.
 */
#ifndef RUNG_ELIMINATE_BLOCK_CANDIDATE_H
#define RUNG_ELIMINATE_BLOCK_CANDIDATE_H

#include "eliminate/block/elimination.h"
#include "eliminate/structure.h"
#include "ir/op_counter.h"

/* Estimates are off by the symmetry they do not see: up to this factor dearer than the cheapest is
 * worth a try. */
enum { WORTH_A_TRY = 3 };

/* What was found of an order that was proposed. */
typedef struct Verdict {
    const char *order;
    const char *why; /* no candidate: the reason; NULL for candidates */
    bool is_tried;   /* its cost was known when the choice was made */
} Verdict;

/* One order of elimination that a block may be solved in. */
typedef struct Candidate {
    const char *name; /* what reports call it                                          */
    Order order;      /* arrays in the arena given                                     */
    uint32_t
        n_variants; /* with stages: orders that differ inside structures, the first is `order` */
    const Order *variant;
    uint64_t ops;    /* structural estimate; 0: wanted by the user, whatever it costs */
    uint64_t budget; /* of refining the variants, in nodes built; 0: the usual    */
    bool is_numeric; /* left to the runtime, rows and columns in this order */
    bool is_torn;    /* the handles are left over: tearing variables and residual equations */
    uint32_t
        n_verdicts; /* left to the runtime though nobody asked for it: why no order was taken */
    const Verdict *verdict;
} Candidate;

/* The k-th proposal for a block, the cheapest estimate first; false when there are no more. k
 * UINT32_MAX asks for a tearing order, for a nonlinear block. */
typedef bool (*OrderSource)(void *data, const Incidence *g, uint32_t k, Arena *mem, Candidate *out);

typedef enum BlockKind { BLOCK_EXPLICIT, BLOCK_LINEAR, BLOCK_NONLINEAR } BlockKind;

/* What became of one block; explicit single equations are not listed. */
typedef struct BlockReport {
    BlockKind kind;
    uint32_t n;        /* equations                                          */
    uint32_t n_torn;   /* unknowns left after tearing (nonlinear: Newton's)  */
    uint32_t nonzeros; /* of the block                                       */
    uint32_t fill;     /* entries that elimination added                     */
    uint32_t swaps;    /* columns exchanged where a pivot was zero           */
    bool is_numeric;   /* left to the LU at run time                         */
    const char *order; /* the order taken; "" for none                       */
    const char *why;   /* why earlier proposals failed; NULL if none did     */
    uint32_t n_verdicts;
    const Verdict *verdict; /* where there was a choice, the order taken first */
    const VarId *var;
    const EqId *eq;
} BlockReport;

/* What follows from the block's unknowns for certain: the explicit equations up to the next block.
 * Given the values of the unknowns, lists what the rest of the program needs of both, then what
 * else there is; *n_needed of them are needed. NULL takes the values back. */
typedef uint32_t (*Follow)(void *data, const ExprId *value, ExprId **out, uint32_t *n_needed,
                           Arena *mem);

typedef struct LinearBlock {
    System *s;
    Arena *mem; /* scratch, and for step */
    uint32_t n;
    const EqId *eq;
    const VarId *var;
    const LinearForm *form; /* per equation */
    const bool *is_needed;  /* per variable of the System: by the derivatives of the states */
    Sample *sample;
    OpCounter *counter; /* operations that there are anyway */
    OrderSource order;
    void *order_data;
    Follow follow;
    void *follow_data;
    /* After solving: the pivots, by places in eq and var; or the block is left to the runtime, rows
     * and columns in this order, or torn in it. */
    uint32_t n_steps;
    const PivotStep *step;
    bool is_numeric, is_torn;
    Order left_order;
} LinearBlock;

/* value[v.i] of the unknowns. False, with r->why, if the block is singular. */
bool linear_block_solve(LinearBlock *b, ExprId *value, BlockReport *r);

#endif
