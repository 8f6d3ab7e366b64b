#include "ir/fingerprint.h"

#include "base/hash.h"

static const uint64_t prime[2] = {MODULAR_TOP - FP_FOLD_0, MODULAR_TOP - FP_FOLD_1};

bool fp_inverse(Fp a, Fp *out)
{
    if (fp_is_zero(a)) { /* as most entries of a sparse matrix are */
        *out = a;
        return false;
    }
    *out = (Fp){{modular_inverse(a.r[0], FP_FOLD_0), modular_inverse(a.r[1], FP_FOLD_1)}};
    return a.r[0] != 0 && a.r[1] != 0;
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
