/* ladder_degree.h -- the pairs of a ladder in the order of minimum degree.
 *
 * Newton's matrix of a mechanism whose loops are cut, in small: q at joints, x positions of the cut
 * joint, l its multiplier, f forces:
 *
 *     x = G q,   l + p x = s,   f = G' l,   M q + f = u
 *
 * The first three are natural pairs, each solved for its own unknown: x, l, f depend on each other
 * in no circle, so that their pivots are one in any order. What is left, M + p G' G for q, is
 * symmetric and positive definite but for rows and columns that are scaled or exchanged, and then
 * the pairs on its diagonal can be eliminated in any order, too, none of them with a pivot that
 * vanishes (the largest product over all ways to pair rows and columns is that of the diagonal,
 * since |a_ij| < sqrt(a_ii a_jj), however it is scaled). So a closed leg is eliminated before the
 * body that carries all legs, whatever the tree of the cut mechanism says. Only a sum that is not
 * yet complete may vanish: a pair of this kind, a knot, waits until all natural pairs are gone on
 * ways that lead from its unknown back to its equation. Where masses turn forces into accelerations
 * without a handle, natural pairs and multipliers do depend on each other in circles: the pairs
 * there that are not solved by adding are knots, too. In trees the same order carries the force of
 * a spring between bodies far apart along until both are reached.
 *
 *     knots: handles, ends of loops, masses      inner pairs: all others
 *
 * Cost: the ways of all knots, then that of minimum degree.
 */
#ifndef RUNG_GRAPH_LADDER_DEGREE_H
#define RUNG_GRAPH_LADDER_DEGREE_H

#include "graph/ladder.h"

typedef struct LadderPairs LadderPairs;

/* Handles take unknowns that are wanted, where natural pairs can be solved for either by adding and
 * subtracting: for a = b + q, with the handle a and the pair q = a - b, the handle q and the pair
 * a = b + q. So the accelerations at joints are handles, over which loops are closed, instead of
 * those of bodies, which depend on all that carries them. The structures stay; new arrays live in
 * mem. wanted: per unknown. Returns how many handles changed. */
uint32_t ladder_exchange_handles(Ladder *l, const Incidence *g, const bool *wanted, Arena *mem);

/* number: per edge of g, its coefficient at n_points points, by which handles and ends are paired;
 * a point where one is not finite does not count. Orders fail with a reason where pairs that are no
 * knots depend on each other in a circle whose pivots may vanish, and with loops for more handles
 * and ends than a dense matrix may have rows. All of it, orders under way too, lives in mem. */
LadderPairs *ladder_pairs(const Ladder *l, const Incidence *g, const double *number,
                          uint32_t n_points, Arena *mem);
/* The price of a pair: the operations of a dense elimination of so long a row and column, or those
 * that labels leave of them; each entry that it creates adds `per_entry`. Which price gives the
 * shortest order differs from matrix to matrix. */
typedef struct DegreePrice {
    uint32_t per_entry;
    bool is_by_labels;
} DegreePrice;

/* Fails for an order of more than so many operations. */
Order ladder_degree_order(LadderPairs *w, DegreePrice price, uint64_t most, Arena *mem);

#endif
