/* candidate.h -- one linear block: in which order its unknowns are eliminated, and the elimination.
 *
 *     order      operations       (AlternatingPendulum, n = 8)
 *     ladder           1145       taken
 *     tearing          1710
 *     frontal          1738       rejected: 42 pivots vanish at sample points
 *
 * graph/ finds orders and estimates their costs by structure. Those near the lowest estimate are
 * counted: the elimination is carried out in the expression pool, its operations are counted as
 * they add to the whole program, and it is taken back. Orders that know body structures are
 * improved meanwhile (search.h), and where a pivot is zero another column is taken. An order is
 * rejected if rounding errors grow in it as they do not in others (growth.h), or if more of its
 * pivots vanish at sample points than in others (sample_points.h). The cheapest of the rest is
 * taken.
 */
#ifndef RUNG_ELIMINATE_BLOCK_CANDIDATE_H
#define RUNG_ELIMINATE_BLOCK_CANDIDATE_H

#include "eliminate/block/elimination.h"
#include "eliminate/block/open_unknown.h"
#include "eliminate/block/reason.h"
#include "eliminate/structure.h"
#include "graph/ladder_spread.h"
#include "ir/op_counter.h"

/* Estimates are off by the symmetry they do not see: those of candidates up to this factor dearer
 * than the cheapest are counted exactly. */
enum { COUNTED_UP_TO = 3 };

/* In blocks of more equations the cheapest estimate is believed: counting takes as long as
 * eliminating. */
enum { MOST_COUNTED = 10000 };

/* Nodes built while searching orders inside body structures, for a class of one structure: some
 * thousand orders of one of 28 pairs. */
enum { SEARCH_BUDGET = 2000000 };

typedef enum CandidateStatus {
    CANDIDATE_ESTIMATED, /* its cost is known by structure alone */
    CANDIDATE_COUNTED,   /* its cost was known exactly when one was taken */
    CANDIDATE_REJECTED,  /* for a reason */
} CandidateStatus;

/* The result for a candidate. */
typedef struct CandidateReport {
    const char *order; /* its name */
    CandidateStatus status;
    Reason reason; /* of a rejected one */
    bool is_eliminated;
    uint32_t n_vanishing; /* if so: its pivots that vanish at the points the choice was made at */
} CandidateReport;

/* One order of elimination that a block may be solved in. */
typedef struct Candidate {
    const char *name;    /* its name in reports */
    Order order;         /* arrays in the arena given                                         */
    Reason reason;       /* why there is no such order, where order.why does not say it       */
    uint32_t n_variants; /* with stages: orders that differ inside structures, `order` first */
    const Order *variant;
    uint64_t estimate;  /* of operations, structural; 0: wanted by the user, whatever it costs */
    uint64_t budget;    /* of searching from the variants, in nodes built; 0: SEARCH_BUDGET    */
    bool is_last;       /* others are asked for only after it and all before it have failed    */
    bool is_numeric;    /* left to the runtime, rows and columns in this order                 */
    bool is_torn;       /* the handles are left over: tearing variables and residual equations */
    uint32_t n_reports; /* left to the runtime without a request: why no order was taken */
    const CandidateReport *report;
    const LadderSpread *spread; /* of body structures, where there are any; NULL */
} Candidate;

/* Why the candidate is no order; REASON_NONE if it is one. */
Reason candidate_reason(const Candidate *c);

/* Proposes orders for linear blocks. First member of a struct that knows which (OrderPolicy, for
 * one). */
typedef struct OrderSource OrderSource;
struct OrderSource {
    /* The k-th candidate for a block, the cheapest estimate first; false when there are no more. */
    bool (*next)(OrderSource *self, const Incidence *g, uint32_t k, Arena *mem, Candidate *out);
};

typedef enum BlockKind { BLOCK_EXPLICIT, BLOCK_LINEAR, BLOCK_NONLINEAR } BlockKind;

/* The result for one block; explicit single equations are not listed. */
typedef struct BlockReport {
    BlockKind kind;
    uint32_t n;        /* equations                                          */
    uint32_t n_torn;   /* unknowns left after tearing (nonlinear: Newton's)  */
    uint32_t nonzeros; /* of the block                                       */
    uint32_t fill;     /* entries that elimination added                     */
    uint32_t swaps;    /* columns exchanged where a pivot was zero           */
    bool is_numeric;   /* left to the LU at run time                         */
    const char *order; /* the order taken; "" for none                       */
    Failure failure;   /* of a candidate before that                         */
    uint32_t n_open;   /* unknowns that nothing determines */
    const OpenUnknown *open;
    uint32_t n_candidates;
    const CandidateReport *candidate; /* where there were several, the order taken first */
    LadderSpread spread; /* of body structures, by places in eq and var; n = 0: there are none */
    const VarId *var;
    const EqId *eq;
    uint32_t n_steps; /* pivots of a block that is eliminated, by places in eq and var */
    const uint32_t *step_eq, *step_var;
} BlockReport;

/* The consequences of a block: the explicit equations between it and the next block. First member
 * of a struct that knows them. */
typedef struct Consequences Consequences;
struct Consequences {
    /* Given the values of the block's unknowns, lists the values of unknowns and consequences; the
     * first *n_needed of them are read by the rest of the program. NULL takes the values back. */
    uint32_t (*find)(Consequences *self, const ExprId *value, ExprId **out, uint32_t *n_needed,
                     Arena *mem);
};

typedef struct LinearBlock {
    System *s;
    Arena *mem; /* scratch, and for step */
    uint32_t n;
    const EqId *eq;
    const VarId *var;
    const LinearForm *form; /* per equation */
    const bool *is_needed;  /* per variable of the System: by the derivatives of the states */
    Sample *sample;
    Sample *given;      /* sample is a moved one where this makes the block singular; else NULL */
    OpCounter *counter; /* operations that there are anyway */
    OrderSource *orders;
    Consequences *consequences;
    /* After solving: the pivots, by places in eq and var; or the block is left to the runtime, rows
     * and columns in this order, or torn in it. */
    uint32_t n_steps;
    const PivotStep *step;
    bool is_numeric, is_torn;
    Order left_order;
} LinearBlock;

/* value[v.i] of the unknowns. False, with r->failure, if the block is singular. */
bool linear_block_solve(LinearBlock *b, ExprId *value, BlockReport *r);

#endif
