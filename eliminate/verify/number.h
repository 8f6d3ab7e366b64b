/* number.h -- numbers of a point at which expressions are evaluated exactly: fractions, or residues
 * modulo a prime.
 *
 * Of fractions everything is known. Residues have no order and few roots, so these are chosen such
 * that the laws of real numbers hold that programs are made by: the prime p is 3 modulo 4, and a
 * number is positive where it is a square modulo p. Then -a is negative where a is positive, and
 * products have the sign that they must have; of two roots the positive one is taken, so
 * sqrt(a b) = sqrt(a) sqrt(b) for positive a and b. Small fractions and the constants of a model
 * have the sign and the root that they have as real numbers. A sum of positive numbers may be
 * negative: conditions are decided at random, by the value alone.
 *
 * Cosine and sine are those of g^x, g being an element of order q of the circle modulo p, x^2 + y^2
 * = 1, with p + 1 = 24 q: the addition theorems hold for every sum of angles, however it was
 * computed. So angles are known modulo q, the prime of the exponents (after G. H. Gonnet,
 * Determining equivalence of expressions in random polynomial time, STOC 1984).
 *
 * Neither primes nor points are those of the pool's fingerprints (ir/fingerprint.h).
 */
#ifndef RUNG_ELIMINATE_VERIFY_NUMBER_H
#define RUNG_ELIMINATE_VERIFY_NUMBER_H

#include "base/map.h"
#include "base/vec.h"
#include "ir/expr.h"
#include "ir/residue.h"

/* Numerators and denominators are drawn from 1 .. range: enough for degrees of 10^17. */
#define VERIFY_RANGE (((uint64_t)1 << 61) - 1)
/* As many different residues are drawn, at least, of angles the fewest. */
#define VERIFY_RESIDUES ((uint64_t)96076792050000000)

enum { VERIFY_PRIMES = 8 };
/* 2, 3, 5, 7, 11 and 13 are squares modulo p. */
typedef struct VerifyPrime {
    Modulus p, q;
} VerifyPrime;
extern const VerifyPrime verify_prime[VERIFY_PRIMES];

typedef union Number {
    mpq_ptr q;
    uint64_t r;
} Number;

typedef struct Field {
    const Modulus *mod; /* NULL: fractions */
    Arena *mem;
    uint64_t seed;
    VEC(mpq_ptr) owned; /* all fractions, to be cleared */
    Map constant;       /* residue of a constant -> its index in constants */
    VEC(mpq_srcptr) constants;
    Map *signs;       /* residue -> 1 + its sign, where that is given; NULL: nowhere */
    uint64_t turn[2]; /* cosine and sine of g; 0, 0: not chosen yet */
    bool poor_point;  /* a division by zero: draw another point */
} Field;

Field field_new(const Modulus *mod, uint64_t seed, Arena *mem);
void field_done(Field *f);
/* A constant of the model keeps its sign, and so on. It has to live as long as the field. */
void field_add_constant(Field *f, mpq_srcptr q);

Number number_fresh(Field *f); /* 0 */
Number number_int(Field *f, long n);
Number number_rational(Field *f, mpq_srcptr q);
/* One that depends on the key and the point alone. */
Number number_draw(Field *f, uint64_t key);
bool number_draw_bit(const Field *f, uint64_t key);

Number fraction_add(Field *f, Number a, Number b);
Number fraction_sub(Field *f, Number a, Number b);
Number fraction_mul(Field *f, Number a, Number b);
bool fraction_same(Number a, Number b);

static inline Number number_add(Field *f, Number a, Number b)
{
    return f->mod ? (Number){.r = modulus_add(f->mod, a.r, b.r)} : fraction_add(f, a, b);
}
static inline Number number_sub(Field *f, Number a, Number b)
{
    return f->mod ? (Number){.r = modulus_sub(f->mod, a.r, b.r)} : fraction_sub(f, a, b);
}
static inline Number number_mul(Field *f, Number a, Number b)
{
    return f->mod ? (Number){.r = modulus_mul(f->mod, a.r, b.r)} : fraction_mul(f, a, b);
}
static inline bool number_same(const Field *f, Number a, Number b)
{
    return f->mod ? a.r == b.r : fraction_same(a, b);
}
Number number_neg(Field *f, Number a);
Number number_div(Field *f, Number a, Number b); /* a poor point where b is 0 */
bool number_is_zero(const Field *f, Number a);

/* Equal values, equal keys; and equal but for their signs. */
uint64_t number_key(const Field *f, Number a, uint64_t salt);
uint64_t number_even_key(Field *f, Number a, uint64_t salt);
/* Whether that key is drawn from -a. */
bool number_is_odd(const Field *f, Number a);

int number_sign(Field *f, Number a); /* -1, 0, 1 */
/* From now on the sign of a residue, which is not 0, is this one. */
void number_give_sign(Field *f, Number a, int sign);
Number number_floor(Field *f, Number a);
/* The fraction that a is, if it is a small one or a constant of the model. */
bool number_fraction(Field *f, Number a, mpq_ptr out);
/* The root of a, if it is known. */
bool number_sqrt(Field *f, Number a, Number *out);
/* a^n */
Number number_power(Field *f, Number a, long n);
/* cos(x), sin(x), x being known modulo q. */
void number_circle(Field *f, uint64_t x, Number *cosine, Number *sine);

#endif
