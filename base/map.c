#include "base/map.h"

#include "base/bug.h"

#ifdef RUNG_STRESS
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 16 };
#endif

static uint64_t mix(uint64_t k)
{
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdu;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53u;
    return k ^ (k >> 33);
}

Map map_new(Arena *mem)
{
    return (Map){.mem = mem};
}

static uint32_t slot_of(const Map *m, uint64_t key)
{
    uint32_t i = (uint32_t)mix(key) & (m->cap - 1);
    while (m->val[i] && m->key[i] != key)
        i = (i + 1) & (m->cap - 1);
    return i;
}

uint32_t map_get(const Map *m, uint64_t key)
{
    if (!m->cap)
        return MAP_NONE;
    uint32_t i = slot_of(m, key);
    return m->val[i] ? m->val[i] - 1 : MAP_NONE;
}

static void grow(Map *m)
{
    Map big = *m;
    big.cap = m->cap ? m->cap * 2 : FIRST_SLOTS;
    big.key = arena_array(m->mem, uint64_t, big.cap);
    big.val = arena_array(m->mem, uint32_t, big.cap);
    for (uint32_t k = 0; k < m->cap; k++) {
        if (!m->val[k])
            continue;
        uint32_t i = slot_of(&big, m->key[k]);
        big.key[i] = m->key[k];
        big.val[i] = m->val[k];
    }
    *m = big;
}

void map_put(Map *m, uint64_t key, uint32_t val)
{
    if (val == MAP_NONE)
        bug("map: MAP_NONE stored as a value");
    if (4 * (m->n + 1) > 3 * m->cap)
        grow(m);
    uint32_t i = slot_of(m, key);
    if (!m->val[i])
        m->n++;
    m->key[i] = key;
    m->val[i] = val + 1;
}

/* Knuth, volume 3, 6.4, algorithm R: what would no longer be found moves up. */
void map_remove(Map *m, uint64_t key)
{
    if (map_get(m, key) == MAP_NONE)
        return;
    uint32_t gap = slot_of(m, key);
    for (uint32_t i = (gap + 1) & (m->cap - 1); m->val[i]; i = (i + 1) & (m->cap - 1)) {
        uint32_t home = (uint32_t)mix(m->key[i]) & (m->cap - 1);
        if (((i - home) & (m->cap - 1)) < ((i - gap) & (m->cap - 1)))
            continue;
        m->key[gap] = m->key[i];
        m->val[gap] = m->val[i];
        gap = i;
    }
    m->val[gap] = 0;
    m->n--;
}
