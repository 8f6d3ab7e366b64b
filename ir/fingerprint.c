#include "ir/fingerprint.h"

#include "base/hash.h"

__extension__ typedef unsigned __int128 Wide;

static const uint64_t prime[2] = {FP_PRIME_0, FP_PRIME_1};
static const uint64_t fold[2] = {1, 31}; /* 2^61 modulo the prime */

/* x mod prime[k] for x < 2^122: 2^61 is congruent to fold[k]. */
static uint64_t reduce(Wide x, int k)
{
    const uint64_t mask = ((uint64_t)1 << 61) - 1;
    x = (x >> 61) * fold[k] + (uint64_t)(x & mask);
    uint64_t y = (uint64_t)(x >> 61) * fold[k] + (uint64_t)(x & mask);
    return y >= prime[k] ? y - prime[k] : y;
}

static uint64_t mul(uint64_t a, uint64_t b, int k)
{
    return reduce((Wide)a * b, k);
}

static uint64_t power(uint64_t a, uint64_t n, int k)
{
    uint64_t r = 1;
    for (; n; n >>= 1) {
        if (n & 1)
            r = mul(r, a, k);
        a = mul(a, a, k);
    }
    return r;
}

Fp fp_mul(Fp a, Fp b)
{
    for (int k = 0; k < 2; k++)
        a.r[k] = mul(a.r[k], b.r[k], k);
    return a;
}

bool fp_inverse(Fp a, Fp *out)
{
    for (int k = 0; k < 2; k++) {
        if (a.r[k] == 0)
            return false;
        /* integers, mostly */
        bool is_one = a.r[k] == 1 || a.r[k] == prime[k] - 1;
        out->r[k] = is_one ? a.r[k] : power(a.r[k], prime[k] - 2, k);
    }
    return true;
}

bool fp_rational(mpq_srcptr q, Fp *out)
{
    Fp num;
    Fp den;
    for (int k = 0; k < 2; k++) {
        num.r[k] = mpz_fdiv_ui(mpq_numref(q), prime[k]);
        den.r[k] = mpz_fdiv_ui(mpq_denref(q), prime[k]);
    }
    if (!fp_inverse(den, &den))
        return false;
    *out = fp_mul(num, den);
    return true;
}

Fp fp_random(uint64_t key0, uint64_t key1)
{
    Fp f;
    uint64_t x = hash_word(hash_word(key0) ^ (key1 + 0x632be59bd9b4e019u));
    for (int k = 0; k < 2; k++) {
        x = hash_word(x + (uint64_t)k);
        f.r[k] = x % (prime[k] - 1) + 1;
    }
    return f;
}

FpAngle fp_angle_zero(void)
{
    return (FpAngle){.cos = {{1, 1}}, .sin = {{0, 0}}};
}

FpAngle fp_angle_random(uint64_t key)
{
    const Fp one = {{1, 1}};
    for (uint64_t salt = 1;; salt++) {
        Fp t = fp_random(key, salt);
        Fp tt = fp_mul(t, t);
        Fp inv;
        if (!fp_inverse(fp_add(one, tt), &inv))
            continue;
        return (FpAngle){.cos = fp_mul(fp_sub(one, tt), inv), .sin = fp_mul(fp_add(t, t), inv)};
    }
}

FpAngle fp_angle_add(FpAngle a, FpAngle b)
{
    return (FpAngle){.cos = fp_sub(fp_mul(a.cos, b.cos), fp_mul(a.sin, b.sin)),
                     .sin = fp_add(fp_mul(a.sin, b.cos), fp_mul(a.cos, b.sin))};
}

FpAngle fp_angle_neg(FpAngle a)
{
    a.sin = fp_neg(a.sin);
    return a;
}
