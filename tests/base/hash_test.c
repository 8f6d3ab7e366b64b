#include "base/hash.h"

#include <criterion/criterion.h>
#include <string.h>

/* Published values: the generator splitmix64 from 1234567 on, whose state grows by the golden
 * number; FNV-1a of "", "a" and "foobar". */
Test(hash, is_what_the_papers_say)
{
    uint64_t x = 1234567;
    const uint64_t drawn[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                              UINT64_C(9817491932198370423)};
    for (size_t k = 0; k < 3; k++, x += HASH_GOLDEN)
        cr_assert_eq(hash_word(x), drawn[k]);
    const struct {
        const char *text;
        uint64_t hash;
    } fnv[] = {{"", UINT64_C(0xcbf29ce484222325)},
               {"a", UINT64_C(0xaf63dc4c8601ec8c)},
               {"foobar", UINT64_C(0x85944171f73967e8)}};
    for (size_t k = 0; k < 3; k++) {
        uint64_t h = HASH_NO_BYTES;
        for (const char *s = fnv[k].text; *s; s++)
            h = hash_byte(h, (unsigned char)*s);
        cr_assert_eq(h, fnv[k].hash);
    }
}

/* Neighbours differ in about half of all bits, in every bit place. */
static void assert_mixes(uint64_t (*hash)(uint64_t))
{
    enum { N = 4096 };
    int changed[64] = {0};
    for (uint64_t k = 0; k < N; k++) {
        uint64_t d = hash(k) ^ hash(k + 1);
        for (int b = 0; b < 64; b++)
            changed[b] += (int)(d >> b & 1);
    }
    for (int b = 0; b < 64; b++)
        cr_assert(changed[b] > N / 3 && changed[b] < 2 * N / 3, "bit %d: %d of %d", b, changed[b],
                  N);
}

static uint64_t second_of_pair(uint64_t k)
{
    return hash_pair(7, k);
}

static uint64_t first_of_pair(uint64_t k)
{
    return hash_pair(k, 7);
}

static uint64_t of_bytes(uint64_t k)
{
    return hash_bytes(&k, sizeof k);
}

Test(hash, words_and_bytes_are_mixed)
{
    assert_mixes(hash_word);
    assert_mixes(of_bytes);
}

/* A pair's hash goes into tables by its upper bits: the lowest ones need not be as good. */
Test(hash, a_pair_depends_on_both_and_on_their_order)
{
    cr_assert_neq(hash_pair(1, 2), hash_pair(2, 1));
    int same = 0;
    for (uint64_t k = 0; k < 65536; k++)
        same += (first_of_pair(k) >> 32 & 65535) == (second_of_pair(k) >> 32 & 65535);
    cr_assert_lt(same, 20);
}

Test(hash, units_fill_their_interval)
{
    double least = 1, most = 0, sum = 0;
    for (uint64_t k = 0; k < 10000; k++) {
        double x = hash_unit(hash_word(k));
        least = x < least ? x : least;
        most = x > most ? x : most;
        sum += x;
    }
    cr_assert(least >= 0 && least < 1e-3 && most < 1 && most > 1 - 1e-3);
    cr_assert(sum > 4900 && sum < 5100, "%g", sum);
}
