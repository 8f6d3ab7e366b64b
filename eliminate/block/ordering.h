/* ordering.h -- the orders of elimination that a block may be solved in, cheapest first.
 *
 * Estimated on the structure, before any expression is built. The user can force a list of them;
 * whatever fails leaves the word to the next.
 */
#ifndef RUNG_ELIMINATE_BLOCK_ORDERING_H
#define RUNG_ELIMINATE_BLOCK_ORDERING_H

#include "eliminate/block/solve.h"
#include "graph/ladder.h"
#include "graph/order.h"

/* All that can be asked for: the last one, "numeric", is no order of elimination, the block is left
 * to the LU at run time. */
enum { ORDERS = 6, NUMERIC = ORDERS, ORDER_NAMES };

/* The treatment of a block whose elimination is more straight-line code than its evaluations repay.
 */
typedef enum TooLong {
    TOO_LONG_ELIMINATED,
    TOO_LONG_NUMERIC, /* left to the LU at run time */
} TooLong;

typedef struct OrderPolicy {
    OrderSource source; /* of these orders; set by ordering_of */
    const char *only;   /* comma-separated names, in the order to try; NULL: all, cheapest first */
    TooLong too_long;
    uint64_t limit;  /* of operations, those of parameters too, beyond which an order that is asked
                        for is not made; 0: none */
    bool is_numeric; /* nothing is eliminated: the order is for the LU at run time */
    uint64_t budget; /* of searching orders, in nodes built; 0: the usual */
    bool is_whole;   /* nonlinear blocks are not torn */
    bool is_torn;    /* the handles are not eliminated: the residual form          */
    /* of the block at work */
    uint32_t rank[ORDERS];
    uint64_t ops[ORDERS]; /* estimate; UINT64_MAX: failed */
    OrderEstimate estimate[ORDERS];
    Order order[ORDERS];
    Ladder ladder; /* that of order[0] */
    uint32_t n_variants;
    Order *variant; /* of order[0]; NULL: not made yet */
    uint32_t n_composite;
    Order *composite; /* the order of composite bodies and its variants */
} OrderPolicy;

const char *ordering_name(uint32_t k); /* of ORDER_NAMES */
/* Whether text is "all" or a list of names. */
bool ordering_is_known(const char *text);

/* Of a nonlinear block: the last n_torn unknowns are those of Newton's method. */
Candidate ordering_torn(const Incidence *g, Arena *mem);
/* The k-th candidate under this policy, as OrderSource has it. */
bool ordering_next(OrderPolicy *c, const Incidence *g, uint32_t k, Arena *mem, Candidate *out);
/* The orders of this policy, for solve(). */
Orders ordering_of(OrderPolicy *p);

#endif
