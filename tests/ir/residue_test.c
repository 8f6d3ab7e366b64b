/* Arithmetic modulo 2^61 - c against GMP's. */
#include "base/hash.h"
#include "ir/fingerprint.h"

#include <criterion/criterion.h>

static const uint64_t folds[] = {FP_FOLD_0, FP_FOLD_1};

/* The ends of the range are not left to chance. */
static uint64_t number(uint64_t seed, uint64_t prime)
{
    const uint64_t ends[] = {0, 1, 2, prime - 2, prime - 1, prime / 2, (prime + 1) / 2};
    uint64_t h = hash_word(seed);
    return h % 5 ? hash_word(h) % prime : ends[h / 5 % (sizeof ends / sizeof *ends)];
}

Test(residue, agrees_with_gmp)
{
    mpz_t a, b, p, x;
    mpz_inits(a, b, p, x, NULL);
    for (int k = 0; k < 2; k++) {
        uint64_t c = folds[k], prime = ((uint64_t)1 << 61) - c;
        mpz_set_ui(p, prime);
        cr_assert(mpz_probab_prime_p(p, 30), "2^61 - %lu", (unsigned long)c);
        for (uint64_t seed = 0; seed < 3000; seed++) {
            uint64_t m = number(2 * seed, prime), n = number(2 * seed + 1, prime);
            mpz_set_ui(a, m);
            mpz_set_ui(b, n);
            mpz_add(x, a, b);
            cr_assert_eq(modular_add(m, n, c), mpz_fdiv_ui(x, prime), "seed %lu", seed);
            mpz_mul(x, a, b);
            cr_assert_eq(modular_mul(m, n, c), mpz_fdiv_ui(x, prime), "seed %lu", seed);
            mpz_neg(x, a);
            cr_assert_eq(modular_negated(m, c), mpz_fdiv_ui(x, prime), "seed %lu", seed);
            mpz_set_ui(x, 0);
            mpz_invert(x, a, p);
            cr_assert_eq(modular_inverse(m, c), mpz_get_ui(x), "seed %lu", seed);
        }
    }
    mpz_clears(a, b, p, x, NULL);
}

Test(residue, is_the_first_of_a_fingerprint)
{
    for (uint64_t seed = 0; seed < 200; seed++) {
        Fp a = fp_random(seed, 1), b = fp_random(seed, 2), i;
        cr_assert_eq(residue_add(a.r[0], b.r[0]), fp_add(a, b).r[0]);
        cr_assert_eq(residue_sub(a.r[0], b.r[0]), fp_sub(a, b).r[0]);
        cr_assert_eq(residue_mul(a.r[0], b.r[0]), fp_mul(a, b).r[0]);
        cr_assert(fp_inverse(a, &i));
        cr_assert_eq(residue_inverse(a.r[0]), i.r[0]);
        cr_assert(fp_same(fp_mul(a, i), (Fp){{1, 1}}));
    }
    Fp out;
    cr_assert(!fp_inverse((Fp){{0, 5}}, &out) && !fp_inverse((Fp){{5, 0}}, &out));
}
