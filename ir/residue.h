/* residue.h -- arithmetic modulo primes 2^61 - c, for values of expressions at a random point.
 *
 * modular_*: c is given, 1 or 31; a compiler that sees a constant leaves the other case out.
 * residue_*: c = 1, for the values of entries in graph/ and in the search of orders. The pool has
 * values modulo both primes (fingerprint.h). modulus_*: a prime that is known at run time only. All
 * arguments are less than the prime, as all results are.
 */
#ifndef RUNG_IR_RESIDUE_H
#define RUNG_IR_RESIDUE_H

#include <stdint.h>

#define MODULAR_TOP ((uint64_t)1 << 61)
#define RESIDUE_PRIME (MODULAR_TOP - 1)

static inline uint64_t modular_add(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t s = a + b;
    return s >= MODULAR_TOP - c ? s - (MODULAR_TOP - c) : s;
}

static inline uint64_t modular_negated(uint64_t a, uint64_t c)
{
    return a ? MODULAR_TOP - c - a : 0;
}

__extension__ typedef unsigned __int128 ModularProduct;

/* 2^61 is congruent to c. */
static inline uint64_t modular_mul(uint64_t a, uint64_t b, uint64_t c)
{
    ModularProduct x = (ModularProduct)a * b;
    x = (x >> 61) * c + (uint64_t)(x & (MODULAR_TOP - 1));
    if (c > 1)
        x = (x >> 61) * c + (uint64_t)(x & (MODULAR_TOP - 1));
    return modular_add((uint64_t)x, 0, c);
}

/* a^(2^n) * b */
static inline uint64_t modular_squared(uint64_t a, int n, uint64_t b, uint64_t c)
{
    for (; n > 0; n--)
        a = modular_mul(a, a, c);
    return modular_mul(a, b, c);
}

/* a^(p - 2), which is 1/a (Fermat); 0 for 0. p - 2 = (2^55 - 1) * 2^6 + 62 - c. */
static inline uint64_t modular_inverse(uint64_t a, uint64_t c)
{
    if (a == 1 || a == MODULAR_TOP - c - 1) /* as most pivots are */
        return a;
    uint64_t a2 = modular_squared(a, 1, a, c); /* powers 2^k - 1 */
    uint64_t a3 = modular_squared(a2, 1, a, c);
    uint64_t a6 = modular_squared(a3, 3, a3, c);
    uint64_t a12 = modular_squared(a6, 6, a6, c);
    uint64_t a24 = modular_squared(a12, 12, a12, c);
    uint64_t a27 = modular_squared(a24, 3, a3, c);
    uint64_t a54 = modular_squared(a27, 27, a27, c);
    uint64_t x = modular_squared(a54, 1, a, c);
    for (int bit = 5; bit >= 0; bit--)
        x = modular_squared(x, 1, (62 - c) >> bit & 1 ? a : 1, c);
    return x;
}

/* p = 2^61 - c with 1 < c < 2^30; or any p below 2^62, c being 0, whose products cost a division.
 */
typedef struct Modulus {
    uint64_t p, c;
} Modulus;

static inline uint64_t modulus_add(const Modulus *m, uint64_t a, uint64_t b)
{
    uint64_t s = a + b;
    return s >= m->p ? s - m->p : s;
}

static inline uint64_t modulus_sub(const Modulus *m, uint64_t a, uint64_t b)
{
    return a >= b ? a - b : a + (m->p - b);
}

static inline uint64_t modulus_mul(const Modulus *m, uint64_t a, uint64_t b)
{
    return m->c ? modular_mul(a, b, m->c) : (uint64_t)((ModularProduct)a * b % m->p);
}

static inline uint64_t modulus_power(const Modulus *m, uint64_t a, uint64_t n)
{
    uint64_t x = 1;
    for (; n; n >>= 1, a = modulus_mul(m, a, a))
        if (n & 1)
            x = modulus_mul(m, x, a);
    return x;
}

/* 0 for 0. */
static inline uint64_t modulus_inverse(const Modulus *m, uint64_t a)
{
    return a == 1 || a == m->p - 1 ? a : modulus_power(m, a, m->p - 2);
}

static inline uint64_t residue_add(uint64_t a, uint64_t b)
{
    return modular_add(a, b, 1);
}

static inline uint64_t residue_negated(uint64_t a)
{
    return modular_negated(a, 1);
}

static inline uint64_t residue_sub(uint64_t a, uint64_t b)
{
    return residue_add(a, residue_negated(b));
}

static inline uint64_t residue_mul(uint64_t a, uint64_t b)
{
    return modular_mul(a, b, 1);
}

static inline uint64_t residue_inverse(uint64_t a)
{
    return modular_inverse(a, 1);
}

#endif
