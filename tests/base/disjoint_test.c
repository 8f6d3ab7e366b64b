/* Disjoint sets against the connected components that a search finds. */
#include "base/disjoint.h"

#include <criterion/criterion.h>

enum { N = 200, JOINS = 150 };

Test(disjoint, smallest_members_lead_what_is_connected)
{
    Arena *mem = arena_new();
    uint32_t *leader = disjoint_new(N, mem), least[N], seed = 7;
    for (uint32_t k = 0; k < N; k++)
        least[k] = k;
    for (uint32_t j = 0; j < JOINS; j++) {
        uint32_t end[2];
        for (int i = 0; i < 2; i++) {
            seed = seed * 1664525u + 1013904223u;
            end[i] = (seed >> 8) % N;
        }
        disjoint_join(leader, end[0], end[1]);
        uint32_t a = least[end[0]], b = least[end[1]];
        for (uint32_t k = 0; k < N; k++)
            if (least[k] == a || least[k] == b)
                least[k] = a < b ? a : b;
        for (uint32_t k = 0; k < N; k++)
            cr_assert_eq(disjoint_leader(leader, k), least[k], "%u after %u joins", k, j + 1);
    }
    arena_free(mem);
}
