/* Residues: the primes are what they are said to be, and the laws of real numbers that number.h
 * promises hold. */
#include "eliminate/verify/number.h"

#include "base/hash.h"

#include <criterion/criterion.h>

static bool is_prime(uint64_t n)
{
    mpz_t z;
    mpz_init_set_ui(z, n);
    bool prime = mpz_probab_prime_p(z, 40) != 0;
    mpz_clear(z);
    return prime;
}

Test(number, primes_have_the_properties_that_are_used)
{
    for (int k = 0; k < VERIFY_PRIMES; k++) {
        const Modulus *p = &verify_prime[k].p, *q = &verify_prime[k].q;
        cr_assert(is_prime(p->p) && is_prime(q->p), "%d", k);
        cr_assert(p->p > (uint64_t)1 << 60 && p->p < (uint64_t)1 << 61);
        cr_assert_eq(p->p, ((uint64_t)1 << 61) - p->c);
        cr_assert_eq(24 * q->p, p->p + 1);
        cr_assert_geq(q->p, VERIFY_RESIDUES);
        cr_assert_eq(p->p % 4, 3);
        static const uint64_t positive[] = {2, 3, 5, 7, 11, 13};
        for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
            cr_assert_eq(modulus_power(p, positive[i], (p->p - 1) / 2), 1);
        for (int i = 0; i < k; i++)
            cr_assert_neq(p->p, verify_prime[i].p.p);
        /* those of the pool's fingerprints are others */
        cr_assert(p->c != 1 && p->c != 31);
    }
}

/* Against GMP. */
Test(number, arithmetic_of_residues)
{
    mpz_t x, y, m;
    mpz_inits(x, y, m, NULL);
    for (uint64_t k = 0; k < 2000; k++) {
        const VerifyPrime *at = &verify_prime[k % VERIFY_PRIMES];
        const Modulus *p = k & 64 ? &at->q : &at->p;
        uint64_t a = hash_word(k) % p->p, b = hash_word(~k) % p->p;
        if (k % 5 == 0)
            a = p->p - 1 - k % 3;
        mpz_set_ui(x, a);
        mpz_set_ui(m, p->p);
        mpz_mul_ui(y, x, b);
        cr_assert_eq(modulus_mul(p, a, b), mpz_fdiv_ui(y, p->p));
        mpz_add_ui(y, x, b);
        cr_assert_eq(modulus_add(p, a, b), mpz_fdiv_ui(y, p->p));
        mpz_sub_ui(y, x, b);
        cr_assert_eq(modulus_sub(p, a, b), mpz_fdiv_ui(y, p->p));
        mpz_powm_ui(y, x, b, m);
        cr_assert_eq(modulus_power(p, a, b), mpz_get_ui(y));
        mpz_invert(y, x, m);
        cr_assert_eq(modulus_inverse(p, a), mpz_get_ui(y));
    }
    mpz_clears(x, y, m, NULL);
}

Test(number, signs_and_roots_are_those_of_real_numbers)
{
    Arena *mem = arena_new();
    uint32_t n_roots = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        Field f = field_new(&verify_prime[seed % VERIFY_PRIMES].p, seed, mem);
        Number a = number_draw(&f, 1), b = number_draw(&f, 2), root[3];
        int sa = number_sign(&f, a), sb = number_sign(&f, b);
        cr_assert(sa != 0 && number_sign(&f, number_neg(&f, a)) == -sa);
        cr_assert_eq(number_sign(&f, number_mul(&f, a, b)), sa * sb);
        cr_assert_eq(number_sign(&f, number_mul(&f, a, a)), 1);
        cr_assert_eq(number_sqrt(&f, a, &root[0]), sa > 0);
        if (sa < 0 || sb < 0)
            continue;
        n_roots++;
        cr_assert(number_sqrt(&f, b, &root[1]));
        cr_assert(number_sqrt(&f, number_mul(&f, a, b), &root[2]));
        cr_assert(number_same(&f, number_mul(&f, root[0], root[0]), a));
        cr_assert(number_same(&f, number_mul(&f, root[0], root[1]), root[2]));
        cr_assert(number_sqrt(&f, number_mul(&f, a, a), &root[2]));
        cr_assert(number_same(&f, root[2], a));
    }
    cr_assert_gt(n_roots, 20);
    Field f = field_new(&verify_prime[0].p, 1, mem);
    mpq_t q;
    mpq_init(q);
    for (long num = -200; num <= 200; num++)
        for (long den = 1; den <= 20; den++) {
            mpq_set_si(q, num, (unsigned long)den);
            mpq_canonicalize(q);
            cr_assert_eq(number_sign(&f, number_rational(&f, q)), mpq_sgn(q), "%ld/%ld", num, den);
            mpz_fdiv_q(mpq_numref(q), mpq_numref(q), mpq_denref(q));
            long down = mpz_get_si(mpq_numref(q));
            mpq_set_si(q, num, (unsigned long)den);
            mpq_canonicalize(q);
            cr_assert(
                number_same(&f, number_floor(&f, number_rational(&f, q)), number_int(&f, down)));
        }
    /* 17 is no square modulo this prime, and no small fraction where it is 17 * 10^30 */
    mpq_set_si(q, 17, 1);
    Number x = number_rational(&f, q), root;
    cr_assert(!number_sqrt(&f, x, &root) && number_sign(&f, x) == 1);
    mpz_ui_pow_ui(mpq_numref(q), 10, 30);
    mpz_mul_ui(mpq_numref(q), mpq_numref(q), 17);
    x = number_rational(&f, q);
    cr_assert_eq(number_sign(&f, x), -1);
    field_add_constant(&f, q);
    cr_assert_eq(number_sign(&f, x), 1);
    cr_assert_eq(number_sign(&f, number_neg(&f, x)), -1);
    mpq_clear(q);
    arena_free(mem);
}

Test(number, angles_add_up)
{
    Arena *mem = arena_new();
    for (uint64_t seed = 1; seed <= 50; seed++) {
        const VerifyPrime *prime = &verify_prime[seed % VERIFY_PRIMES];
        Field f = field_new(&prime->p, seed, mem), angle = field_new(&prime->q, seed, mem);
        Number a = number_draw(&angle, 1), b = number_draw(&angle, 2), c[4], s[4];
        number_circle(&f, a.r, &c[0], &s[0]);
        number_circle(&f, b.r, &c[1], &s[1]);
        number_circle(&f, number_sub(&angle, a, b).r, &c[2], &s[2]);
        number_circle(&f, 0, &c[3], &s[3]);
        cr_assert(c[3].r == 1 && s[3].r == 0);
        Number one = number_add(&f, number_mul(&f, c[0], c[0]), number_mul(&f, s[0], s[0]));
        cr_assert_eq(one.r, 1);
        Number cosine = number_add(&f, number_mul(&f, c[0], c[1]), number_mul(&f, s[0], s[1]));
        Number sine = number_sub(&f, number_mul(&f, s[0], c[1]), number_mul(&f, c[0], s[1]));
        cr_assert(number_same(&f, cosine, c[2]) && number_same(&f, sine, s[2]));
        cr_assert(!number_same(&f, c[0], c[1]));
    }
    arena_free(mem);
}
