/* dual.h -- values and slopes at a point of exact.h, modulo two 61-bit primes.
 *
 * Slopes along a direction are dual numbers (forward mode): nothing of them is built in a pool, so
 * they check what symbolic differentiation has built. What was not evaluated as a fraction before
 * is known by residues alone, since fractions of long programs grow beyond all use; functions and
 * conditions are those of the rational point.
 */
#ifndef RUNG_ELIMINATE_VERIFY_DUAL_H
#define RUNG_ELIMINATE_VERIFY_DUAL_H

#include "eliminate/verify/exact.h"
#include "ir/fingerprint.h"

typedef struct DualNumbers {
    Exact *at;
    Arena *mem;
    Map value_at, slope_at; /* node -> index in value, slope */
    VEC(Fp) value;
    VEC(Fp) slope;
    Map moving; /* VarId.i -> index in rate */
    VEC(Fp) rate;
    Fp time_rate;
    VEC(ExprId) stack;
    bool is_open; /* a slope was asked for that no function of the program gives */
} DualNumbers;

/* Poor points are noted in `at`. */
DualNumbers dual_new(Exact *at, Arena *mem);
Fp dual_value(DualNumbers *r, ExprId x);
/* One that depends on the key and the point alone. */
Fp dual_random(const DualNumbers *r, uint64_t key);

/* A new direction, in which nothing moves yet. */
void dual_turn(DualNumbers *r);
/* v, or time, moves at this rate along the direction. */
void dual_move(DualNumbers *r, VarId v, Fp rate);
void dual_move_time(DualNumbers *r, Fp rate);
Fp dual_slope(DualNumbers *r, ExprId x);

#endif
