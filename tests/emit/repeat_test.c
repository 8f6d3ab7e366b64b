/* Repeats against a search over all places and periods. */
#include "emit/code/repeat.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static unsigned pick(unsigned *random, unsigned n)
{
    *random = *random * 1103515245u + 12345u;
    return (*random >> 12) % n;
}

static uint32_t saved(uint32_t length, uint32_t period)
{
    return length / period < 3 ? 0 : length - period;
}

/* What the best single repetition saves. */
static uint32_t best(uint32_t n, const uint64_t *token, uint32_t longest)
{
    uint32_t most = 0;
    for (uint32_t p = 1; p <= longest && p < n; p++) {
        uint32_t run = 0;
        for (uint32_t k = 0; k + p < n; k++) {
            run = token[k] == token[k + p] ? run + 1 : 0;
            if (saved(run + p, p) > most)
                most = saved(run + p, p);
        }
    }
    return most;
}

/* Noise, and blocks of several periods that are repeated. */
static uint32_t sequence(unsigned *random, uint64_t *token, uint32_t room)
{
    uint32_t n = 0;
    unsigned letters = 1 + pick(random, 6);
    while (n + 100 < room && pick(random, 12)) {
        uint32_t period = 1 + pick(random, 12), length = pick(random, 100), begin = n;
        for (; n < begin + length; n++)
            token[n] = n < begin + period ? pick(random, letters) : token[n - period];
        for (uint32_t k = pick(random, 20); k > 0 && n < room; k--)
            token[n++] = pick(random, letters);
    }
    return n;
}

Test(repeat, repeats_are_repeats_and_none_is_missed)
{
    enum { ROOM = 600 };
    for (unsigned seed = 1; seed <= 400; seed++) {
        uint64_t token[ROOM];
        unsigned random = seed;
        uint32_t n = sequence(&random, token, ROOM), save = 1 + pick(&random, 30);
        uint32_t longest = 1 + pick(&random, 40), end = 0, sum = 0, most = 0;
        Arena *mem = arena_new();
        Repeats found = {0};
        repeat_find(n, token, save, longest, mem, &found);
        for (uint32_t k = 0; k < found.n; k++) {
            Repeat r = found.at[k];
            cr_assert(r.begin >= end && r.end <= n && r.period <= longest, "seed %u", seed);
            for (uint32_t i = r.begin; i + r.period < r.end; i++)
                cr_assert_eq(token[i], token[i + r.period], "seed %u", seed);
            uint32_t own = saved(r.end - r.begin, r.period);
            cr_assert_geq(own, save, "seed %u", seed);
            sum += own;
            most = own > most ? own : most;
            end = r.end;
        }
        uint32_t could = best(n, token, longest);
        cr_assert(could < save || (most == could && sum >= could), "seed %u: %u saved, not %u",
                  seed, most, could);
        arena_free(mem);
    }
}

Test(repeat, a_long_sequence_takes_no_long_time)
{
    enum { N = 400000, PERIOD = 330 };
    Arena *mem = arena_new();
    uint64_t *token = arena_array(mem, uint64_t, N);
    unsigned random = 1;
    for (uint32_t k = 0; k < N; k++)
        token[k] = k < PERIOD ? pick(&random, 40) : token[k - PERIOD];
    Repeats found = {0};
    repeat_find(N, token, 24, 2000, mem, &found);
    cr_assert_eq(found.n, 1u);
    cr_assert(found.at[0].begin == 0 && found.at[0].end == N && found.at[0].period == PERIOD);
    arena_free(mem);
}
