#include "base/disjoint.h"

uint32_t *disjoint_new(uint32_t n, Arena *mem)
{
    uint32_t *leader = arena_array(mem, uint32_t, (size_t)n + 1);
    for (uint32_t k = 0; k < n; k++)
        leader[k] = k;
    return leader;
}

uint32_t disjoint_leader(uint32_t *leader, uint32_t k)
{
    while (leader[k] != k)
        k = leader[k] = leader[leader[k]];
    return k;
}

void disjoint_join(uint32_t *leader, uint32_t a, uint32_t b)
{
    a = disjoint_leader(leader, a);
    b = disjoint_leader(leader, b);
    leader[a < b ? b : a] = a < b ? a : b;
}
