/* dual.h -- slopes at a point of exact.h, modulo its prime.
 *
 * Slopes along a direction are dual numbers (forward mode): they are not built in a pool, so they
 * check the results of symbolic differentiation.
 */
#ifndef RUNG_ELIMINATE_VERIFY_DUAL_H
#define RUNG_ELIMINATE_VERIFY_DUAL_H

#include "eliminate/verify/exact.h"

typedef struct DualNumbers {
    Exact *at; /* in residues */
    Arena *mem;
    uint32_t turn;
    VEC(uint32_t) turn_of; /* per node: the direction that its slope is along */
    VEC(Number) slope;
    Map moving; /* VarId.i -> index in rate */
    VEC(Number) rate;
    Number time_rate;
    VEC(ExprId) stack;
    bool is_open; /* a slope was asked for that no function of the program gives */
} DualNumbers;

/* Poor points are noted in `at`. */
DualNumbers dual_new(Exact *at, Arena *mem);
/* A rate that depends on the key and the point alone. */
Number dual_random(DualNumbers *d, uint64_t key);

/* A new direction, in which nothing moves yet. */
void dual_turn(DualNumbers *d);
/* v, or time, moves at this rate along the direction. */
void dual_move(DualNumbers *d, VarId v, Number rate);
void dual_move_time(DualNumbers *d, Number rate);
Number dual_slope(DualNumbers *d, ExprId x);

#endif
