#include "eliminate/verify/number.h"

#include "base/hash.h"

#include <stdlib.h>

#define PRIME(c)                                                                                   \
    {                                                                                              \
        {MODULAR_TOP - (c), (c)},                                                                  \
        {                                                                                          \
            (MODULAR_TOP - (c) + 1) / 24, 0                                                        \
        }                                                                                          \
    }
const VerifyPrime verify_prime[VERIFY_PRIMES] = {PRIME(143721),  PRIME(830841),  PRIME(1301481),
                                                 PRIME(1472841), PRIME(2090841), PRIME(2674041),
                                                 PRIME(3918921), PRIME(4664601)};

/* Bounds of the fractions that residues are recognised as: |numerator|, denominator. Another
 * residue is taken for one with a probability of 2^-20, on both sides alike. */
enum { SMALL_NUMERATOR = 1 << 24, SMALL_DENOMINATOR = 1 << 16 };

Field field_new(const Modulus *mod, uint64_t seed, Arena *mem)
{
    return (Field){.mod = mod, .mem = mem, .seed = seed, .constant = map_new(mem)};
}

void field_done(Field *f)
{
    for (uint32_t k = 0; k < f->owned.n; k++)
        mpq_clear(f->owned.at[k]);
    f->owned.n = 0;
}

void field_add_constant(Field *f, mpq_srcptr q)
{
    if (!f->mod)
        return;
    bool was_poor = f->poor_point;
    uint64_t r = number_rational(f, q).r;
    f->poor_point = was_poor; /* one that is never asked for does no harm */
    if (map_get(&f->constant, r) != MAP_NONE)
        return;
    map_put(&f->constant, r, f->constants.n);
    vec_push(f->mem, f->constants, q);
}

static mpq_ptr fraction_new(Field *f)
{
    mpq_ptr q = arena_alloc(f->mem, sizeof(mpq_t));
    mpq_init(q);
    vec_push(f->mem, f->owned, q);
    return q;
}

Number number_fresh(Field *f)
{
    return f->mod ? (Number){.r = 0} : (Number){fraction_new(f)};
}

Number number_int(Field *f, long n)
{
    if (f->mod)
        return (Number){.r = n >= 0 ? (uint64_t)n % f->mod->p
                                    : f->mod->p - (0 - (uint64_t)n) % f->mod->p};
    mpq_ptr q = fraction_new(f);
    mpq_set_si(q, n, 1);
    return (Number){q};
}

Number number_rational(Field *f, mpq_srcptr q)
{
    if (f->mod) {
        Number num = {.r = mpz_fdiv_ui(mpq_numref(q), f->mod->p)};
        if (mpz_cmp_ui(mpq_denref(q), 1) == 0)
            return num;
        return number_div(f, num, (Number){.r = mpz_fdiv_ui(mpq_denref(q), f->mod->p)});
    }
    mpq_ptr out = fraction_new(f);
    mpq_set(out, q);
    return (Number){out};
}

Number number_draw(Field *f, uint64_t key)
{
    uint64_t h = hash_word(f->seed ^ hash_word(f->mod ? key ^ f->mod->p : key));
    if (f->mod)
        return (Number){.r = h % f->mod->p};
    uint64_t other = hash_word(h);
    long num = (long)((h >> 1) % VERIFY_RANGE) + 1;
    unsigned long den = (unsigned long)((other >> 1) % VERIFY_RANGE) + 1;
    mpq_ptr q = fraction_new(f);
    mpq_set_si(q, h & 1 ? -num : num, den);
    mpq_canonicalize(q);
    return (Number){q};
}

bool number_draw_bit(const Field *f, uint64_t key)
{
    return hash_word(f->seed ^ hash_word(key)) >> 63;
}

/* ---- arithmetic ---- */

Number fraction_add(Field *f, Number a, Number b)
{
    mpq_ptr q = fraction_new(f);
    mpq_add(q, a.q, b.q);
    return (Number){q};
}

Number fraction_sub(Field *f, Number a, Number b)
{
    mpq_ptr q = fraction_new(f);
    mpq_sub(q, a.q, b.q);
    return (Number){q};
}

Number fraction_mul(Field *f, Number a, Number b)
{
    mpq_ptr q = fraction_new(f);
    mpq_mul(q, a.q, b.q);
    return (Number){q};
}

bool fraction_same(Number a, Number b)
{
    return mpq_equal(a.q, b.q) != 0;
}

Number number_neg(Field *f, Number a)
{
    if (f->mod)
        return (Number){.r = a.r ? f->mod->p - a.r : 0};
    mpq_ptr q = fraction_new(f);
    mpq_neg(q, a.q);
    return (Number){q};
}

bool number_is_zero(const Field *f, Number a)
{
    return f->mod ? a.r == 0 : mpq_sgn(a.q) == 0;
}

Number number_div(Field *f, Number a, Number b)
{
    if (number_is_zero(f, b)) {
        f->poor_point = true;
        return number_fresh(f);
    }
    if (f->mod)
        return (Number){.r = modulus_mul(f->mod, a.r, modulus_inverse(f->mod, b.r))};
    mpq_ptr q = fraction_new(f);
    mpq_div(q, a.q, b.q);
    return (Number){q};
}

Number number_power(Field *f, Number a, long n)
{
    if (n < 0)
        return number_div(f, number_int(f, 1), number_power(f, a, -n));
    if (f->mod)
        return (Number){.r = modulus_power(f->mod, a.r, (uint64_t)n)};
    mpq_ptr q = fraction_new(f);
    mpz_pow_ui(mpq_numref(q), mpq_numref(a.q), (unsigned long)n);
    mpz_pow_ui(mpq_denref(q), mpq_denref(a.q), (unsigned long)n);
    return (Number){q};
}

/* ---- keys ---- */

uint64_t number_key(const Field *f, Number a, uint64_t salt)
{
    uint64_t h = hash_word(salt);
    if (f->mod)
        return hash_word(h ^ a.r);
    for (int half = 0; half < 2; half++) {
        mpz_srcptr z = half ? mpq_denref(a.q) : mpq_numref(a.q);
        size_t n = mpz_size(z);
        for (size_t k = 0; k < n; k++)
            h = hash_word(h ^ mpz_getlimbn(z, (mp_size_t)k));
        h = hash_word(h + (uint64_t)(mpz_sgn(z) + 2));
    }
    return h;
}

bool number_is_odd(const Field *f, Number a)
{
    return f->mod ? a.r > f->mod->p / 2 : mpq_sgn(a.q) < 0;
}

uint64_t number_even_key(Field *f, Number a, uint64_t salt)
{
    return number_key(f, number_is_odd(f, a) ? number_neg(f, a) : a, salt);
}

/* ---- signs and sizes, by reconstructed fractions ---- */

/* The small fraction of this residue (P. S. Wang, A p-adic algorithm for univariate partial
 * fractions, 1981). */
static bool reconstruct(const Modulus *m, uint64_t r, long *num, long *den)
{
    int64_t r0 = (int64_t)m->p, r1 = (int64_t)r, t0 = 0, t1 = 1;
    while (r1 >= SMALL_NUMERATOR) {
        int64_t quotient = r0 / r1, r2 = r0 - quotient * r1, t2 = t0 - quotient * t1;
        r0 = r1;
        r1 = r2;
        t0 = t1;
        t1 = t2;
        if (labs(t1) >= SMALL_DENOMINATOR)
            return false;
    }
    *num = t1 < 0 ? -r1 : r1;
    *den = labs(t1);
    return true;
}

bool number_fraction(Field *f, Number a, mpq_ptr out)
{
    long num;
    long den;
    if (!f->mod) {
        mpq_set(out, a.q);
        return true;
    }
    uint32_t k = map_get(&f->constant, a.r);
    uint32_t minus = map_get(&f->constant, number_neg(f, a).r);
    if (k != MAP_NONE) {
        mpq_set(out, f->constants.at[k]);
        return true;
    }
    if (minus != MAP_NONE) {
        mpq_neg(out, f->constants.at[minus]);
        return true;
    }
    if (!reconstruct(f->mod, a.r, &num, &den))
        return false;
    mpq_set_si(out, num, (unsigned long)den);
    mpq_canonicalize(out);
    return true;
}

/* By Euler's criterion. */
static bool is_square(const Modulus *m, uint64_t a)
{
    return modulus_power(m, a, (m->p - 1) / 2) == 1;
}

void number_give_sign(Field *f, Number a, int sign)
{
    map_put(f->signs, a.r, (uint32_t)(1 + sign));
    map_put(f->signs, number_neg(f, a).r, (uint32_t)(1 - sign));
}

int number_sign(Field *f, Number a)
{
    if (!f->mod)
        return mpq_sgn(a.q);
    if (a.r == 0)
        return 0;
    uint32_t given = f->signs && f->signs->n ? map_get(f->signs, a.r) : MAP_NONE;
    if (given != MAP_NONE)
        return (int)given - 1;
    mpq_t q;
    mpq_init(q);
    bool known = number_fraction(f, a, q);
    int sign = known ? mpq_sgn(q) : is_square(f->mod, a.r) ? 1 : -1;
    mpq_clear(q);
    return sign;
}

/* Of a residue that is no fraction a number that depends on it alone. */
Number number_floor(Field *f, Number a)
{
    mpq_t q;
    mpq_init(q);
    bool known = number_fraction(f, a, q);
    if (known) {
        mpz_fdiv_q(mpq_numref(q), mpq_numref(q), mpq_denref(q));
        mpz_set_ui(mpq_denref(q), 1);
    }
    Number out = known ? number_rational(f, q) : number_draw(f, number_key(f, a, 4500));
    mpq_clear(q);
    return out;
}

bool number_sqrt(Field *f, Number a, Number *out)
{
    mpq_t q;
    mpq_init(q);
    bool found = number_fraction(f, a, q) && mpq_sgn(q) >= 0 &&
                 mpz_perfect_square_p(mpq_numref(q)) && mpz_perfect_square_p(mpq_denref(q));
    if (found) {
        mpz_sqrt(mpq_numref(q), mpq_numref(q));
        mpz_sqrt(mpq_denref(q), mpq_denref(q));
        *out = number_rational(f, q);
    }
    mpq_clear(q);
    if (found || !f->mod || f->mod->p % 4 != 3 || !is_square(f->mod, a.r))
        return found;
    out->r = modulus_power(f->mod, a.r, (f->mod->p + 1) / 4);
    return true;
}

/* ---- the circle modulo p ---- */

typedef struct Turn {
    uint64_t cos, sin;
} Turn;

static Turn turn_add(const Modulus *m, Turn a, Turn b)
{
    return (Turn){modulus_sub(m, modulus_mul(m, a.cos, b.cos), modulus_mul(m, a.sin, b.sin)),
                  modulus_add(m, modulus_mul(m, a.sin, b.cos), modulus_mul(m, a.cos, b.sin))};
}

static Turn turn_times(const Modulus *m, Turn a, uint64_t n)
{
    Turn x = {1, 0};
    for (; n; n >>= 1, a = turn_add(m, a, a))
        if (n & 1)
            x = turn_add(m, x, a);
    return x;
}

void number_circle(Field *f, uint64_t x, Number *cosine, Number *sine)
{
    const Modulus *m = f->mod;
    if (f->turn[0] == 0 && f->turn[1] == 0) {
        uint64_t u = number_draw(f, 77).r;
        uint64_t uu = modulus_mul(m, u, u);
        uint64_t inverse = modulus_inverse(m, modulus_add(m, 1, uu)); /* -1 is no square */
        Turn any = {modulus_mul(m, modulus_sub(m, 1, uu), inverse),
                    modulus_mul(m, modulus_add(m, u, u), inverse)};
        Turn g = turn_times(m, any, 24);
        f->turn[0] = g.cos;
        f->turn[1] = g.sin;
    }
    Turn at = turn_times(m, (Turn){f->turn[0], f->turn[1]}, x);
    cosine->r = at.cos;
    sine->r = at.sin;
}
