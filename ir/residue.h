/* residue.h -- arithmetic modulo 2^61 - 1, in which values of expressions are known to graph/. */
#ifndef RUNG_IR_RESIDUE_H
#define RUNG_IR_RESIDUE_H

#include <stdint.h>

#define RESIDUE_PRIME (((uint64_t)1 << 61) - 1)

static inline uint64_t residue_add(uint64_t a, uint64_t b)
{
    uint64_t s = a + b;
    return s >= RESIDUE_PRIME ? s - RESIDUE_PRIME : s;
}

static inline uint64_t residue_negated(uint64_t a)
{
    return a ? RESIDUE_PRIME - a : 0;
}

static inline uint64_t residue_sub(uint64_t a, uint64_t b)
{
    return residue_add(a, residue_negated(b));
}

__extension__ typedef unsigned __int128 ResidueProduct;

static inline uint64_t residue_mul(uint64_t a, uint64_t b)
{
    ResidueProduct x = (ResidueProduct)a * b; /* 2^61 = 1 */
    return residue_add((uint64_t)x & RESIDUE_PRIME, (uint64_t)(x >> 61));
}

/* a^(2^n) * b */
static inline uint64_t residue_squared(uint64_t a, int n, uint64_t b)
{
    for (; n > 0; n--)
        a = residue_mul(a, a);
    return residue_mul(a, b);
}

/* a^(2^61 - 3): powers 2^n - 1 are put together from shorter ones. */
static inline uint64_t residue_inverse(uint64_t a)
{
    if (a == 1 || a == RESIDUE_PRIME - 1) /* as most pivots are */
        return a;
    uint64_t a2 = residue_squared(a, 1, a);
    uint64_t a4 = residue_squared(a2, 2, a2);
    uint64_t a7 = residue_squared(a4, 3, residue_squared(a2, 1, a));
    uint64_t a14 = residue_squared(a7, 7, a7);
    uint64_t a28 = residue_squared(a14, 14, a14);
    uint64_t a56 = residue_squared(a28, 28, a28);
    uint64_t a59 = residue_squared(a56, 3, residue_squared(a2, 1, a));
    return residue_squared(a59, 2, a);
}

#endif
