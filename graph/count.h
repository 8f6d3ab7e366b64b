/* count.h -- what an order costs exactly, without building an expression.
 *
 * The elimination over residues modulo 2^61 - 1: coefficients and right-hand sides are the
 * fingerprints of their expressions (Incidence.residue, .side), so two results are the same residue
 * exactly when they are the same value, up to an accident of probability operations^2 / 2^61.
 * Operations whose result is known already, up to sign, or depends on parameters only, are free,
 * as they are in the expression pool. About 0.2 us per operation.
 */
#ifndef RUNG_GRAPH_COUNT_H
#define RUNG_GRAPH_COUNT_H

#include "ir/incidence.h"

typedef struct OrderCount {
    bool ok;      /* no pivot is zero */
    uint32_t bad; /* when not ok: the first pair whose pivot is zero */
    uint64_t ops; /* additions, multiplications, divisions */
} OrderCount;

/* Needs g->residue. Counts the elimination and the back substitution of the first n pairs, the
 * unknowns of later ones taken as known. Gives up once ops exceeds the limit, with ok true. */
OrderCount order_count(const Order *o, uint32_t n, const Incidence *g, uint64_t limit,
                       Arena *scratch);

#endif
