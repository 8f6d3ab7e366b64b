/* residue.h -- arithmetic modulo 2^61 - 1, in which values of expressions are known to graph/. */
#ifndef RUNG_GRAPH_RESIDUE_H
#define RUNG_GRAPH_RESIDUE_H

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

/* By halves, a = ah 2^31 + al, so that nothing exceeds 64 bits; 2^61 = 1. */
static inline uint64_t residue_mul(uint64_t a, uint64_t b)
{
    uint64_t ah = a >> 31, al = a & 0x7fffffff, bh = b >> 31, bl = b & 0x7fffffff;
    uint64_t mid = ah * bl + al * bh;
    uint64_t s = al * bl + ((mid & 0x3fffffff) << 31) + (mid >> 30) + 2 * ah * bh;
    s = (s & RESIDUE_PRIME) + (s >> 61);
    return s >= RESIDUE_PRIME ? s - RESIDUE_PRIME : s;
}

static inline uint64_t residue_inverse(uint64_t a)
{
    if (a == 1 || a == RESIDUE_PRIME - 1) /* as most pivots are */
        return a;
    uint64_t r = 1;
    for (uint64_t k = RESIDUE_PRIME - 2; k; k >>= 1, a = residue_mul(a, a))
        if (k & 1)
            r = residue_mul(r, a);
    return r;
}

#endif
