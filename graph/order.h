/* order.h -- orders of elimination: making them whole, checking them, pricing them.
 *
 * order_estimate simulates the elimination on the structure (symbolic_lu.h): it finds pivots that
 * are structurally zero when their turn comes, and estimates the operations. Near-linear as long as
 * rows stay short.
 */
#ifndef RUNG_GRAPH_ORDER_H
#define RUNG_GRAPH_ORDER_H

#include "graph/incidence.h"

typedef struct OrderEstimate {
    bool ok;            /* every pivot is there when its turn comes */
    uint32_t bad;       /* when not ok: the first pair whose pivot is structurally zero */
    uint32_t n_varying; /* pivots that vary with time (LABEL_OTHER), to be checked at run time */
    uint64_t fill;      /* entries created */
    uint64_t ops;       /* additions, multiplications, divisions per evaluation, an estimate */
    uint64_t all;       /* likewise, with those of parameters alone */
    uint64_t straight;  /* of all: operations that do not recur, of which no loop can be made */
    uint32_t widest;    /* longest pivot row */
} OrderEstimate;

Order order_empty(uint32_t n, Arena *mem);
/* Rows and columns as they stand. */
Order order_as_given(uint32_t n, Arena *mem);
/* A failed order: why is a sentence for the report. */
Order order_failed(const char *why);

/* Whether so many operations are those of an order that fills the matrix: a good one takes about
 * ten per entry, whatever the size. Small matrices may fill. */
bool order_fills(uint64_t ops, const Incidence *g);
#define ORDER_FILLS "it fills the matrix more and more"

OrderEstimate order_estimate(const Order *o, const Incidence *g, Arena *scratch);
/* A permutation of all rows and columns. */
bool order_check(const Order *o, const Incidence *g);
void order_dump(const Order *o, FILE *f);

#endif
