/* fingerprint.h -- residues modulo two 61-bit primes, the pool's notion of equality.
 *
 * A value is known by its residues at one random point (Schwartz-Zippel): two different rational
 * functions of degree d agree there with probability about d / 2^122.
 */
#ifndef RUNG_IR_FINGERPRINT_H
#define RUNG_IR_FINGERPRINT_H

#include "ir/residue.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Fp {
    uint64_t r[2]; /* modulo 2^61 - 1 and 2^61 - 31 */
} Fp;

static inline bool fp_same(Fp a, Fp b)
{
    return a.r[0] == b.r[0] && a.r[1] == b.r[1];
}
static inline bool fp_is_zero(Fp a)
{
    return a.r[0] == 0 && a.r[1] == 0;
}

/* The primes are 2^61 - FP_FOLD_k. */
enum { FP_FOLD_0 = 1, FP_FOLD_1 = 31 };

static inline Fp fp_add(Fp a, Fp b)
{
    return (Fp){{modular_add(a.r[0], b.r[0], FP_FOLD_0), modular_add(a.r[1], b.r[1], FP_FOLD_1)}};
}
static inline Fp fp_neg(Fp a)
{
    return (Fp){{modular_negated(a.r[0], FP_FOLD_0), modular_negated(a.r[1], FP_FOLD_1)}};
}
static inline Fp fp_sub(Fp a, Fp b)
{
    return fp_add(a, fp_neg(b));
}
static inline Fp fp_mul(Fp a, Fp b)
{
    return (Fp){{modular_mul(a.r[0], b.r[0], FP_FOLD_0), modular_mul(a.r[1], b.r[1], FP_FOLD_1)}};
}
bool fp_inverse(Fp a, Fp *out);          /* false if a residue is 0 */
bool fp_rational(mpq_srcptr q, Fp *out); /* false if a prime divides the denominator */
/* Residues that look random and depend on the key alone; none is 0. */
Fp fp_random(uint64_t key0, uint64_t key1);

/* Cosine and sine of one angle at the random point: a point of the unit circle. */
typedef struct FpAngle {
    Fp cos, sin;
} FpAngle;
FpAngle fp_angle_random(uint64_t key);      /* (1-t^2)/(1+t^2), 2t/(1+t^2) */
FpAngle fp_angle_add(FpAngle a, FpAngle b); /* addition theorems           */
FpAngle fp_angle_neg(FpAngle a);
FpAngle fp_angle_zero(void);

#endif
