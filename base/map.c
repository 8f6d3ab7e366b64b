#include "base/map.h"

#include "base/bug.h"
#include "base/hash.h"

#include <string.h>

#ifdef RUNG_STRESS
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 16 };
#endif

/* Knuth, volume 3, 6.4: multiplicative hashing. */
static uint32_t home_of(const Map *m, uint64_t key)
{
    return (uint32_t)((key * HASH_GOLDEN) >> 32) & (m->cap - 1);
}

Map map_new(Arena *mem)
{
    return (Map){.mem = mem};
}

static uint32_t slot_of(const Map *m, uint64_t key)
{
    uint32_t i = home_of(m, key);
    while (m->slot[i].val && m->slot[i].key != key)
        i = (i + 1) & (m->cap - 1);
    return i;
}

uint32_t map_get(const Map *m, uint64_t key)
{
    if (!m->cap)
        return MAP_NONE;
    uint32_t i = slot_of(m, key);
    return m->slot[i].val ? m->slot[i].val - 1 : MAP_NONE;
}

static void resize(Map *m, uint32_t cap)
{
    Map big = *m;
    big.cap = cap;
    big.slot = arena_array(m->mem, MapSlot, cap);
    for (uint32_t k = 0; k < m->cap; k++) {
        if (m->slot[k].val)
            big.slot[slot_of(&big, m->slot[k].key)] = m->slot[k];
    }
    *m = big;
}

static bool is_full(uint32_t n, uint32_t cap)
{
    return 4 * (uint64_t)n > 3 * (uint64_t)cap;
}

Map map_with_room(uint32_t n, Arena *mem)
{
    Map m = map_new(mem);
    uint32_t cap = FIRST_SLOTS;
    while (is_full(n, cap))
        cap *= 2;
    resize(&m, cap);
    return m;
}

Map map_copy(const Map *m, Arena *mem)
{
    Map c = *m;
    c.mem = mem;
    c.slot = arena_array(mem, MapSlot, m->cap);
    if (m->cap)
        memcpy(c.slot, m->slot, m->cap * sizeof *c.slot);
    return c;
}

static MapSlot *slot_for(Map *m, uint64_t key)
{
    if (is_full(m->n + 1, m->cap))
        resize(m, m->cap ? 2 * m->cap : FIRST_SLOTS);
    return &m->slot[slot_of(m, key)];
}

bool map_add(Map *m, uint64_t key)
{
    MapSlot *s = slot_for(m, key);
    if (s->val)
        return false;
    *s = (MapSlot){key, 1};
    m->n++;
    return true;
}

uint32_t map_number(Map *m, uint64_t key, uint32_t next)
{
    MapSlot *s = slot_for(m, key);
    if (!s->val) {
        *s = (MapSlot){key, next + 1};
        m->n++;
    }
    return s->val - 1;
}

void map_put(Map *m, uint64_t key, uint32_t val)
{
    if (val == MAP_NONE)
        bug("map: MAP_NONE stored as a value");
    MapSlot *s = slot_for(m, key);
    if (!s->val)
        m->n++;
    *s = (MapSlot){key, val + 1};
}

/* Knuth, volume 3, 6.4, algorithm R: entries that would no longer be found move up. */
void map_remove(Map *m, uint64_t key)
{
    if (map_get(m, key) == MAP_NONE)
        return;
    uint32_t gap = slot_of(m, key);
    for (uint32_t i = (gap + 1) & (m->cap - 1); m->slot[i].val; i = (i + 1) & (m->cap - 1)) {
        uint32_t home = home_of(m, m->slot[i].key);
        if (((i - home) & (m->cap - 1)) < ((i - gap) & (m->cap - 1)))
            continue;
        m->slot[gap] = m->slot[i];
        gap = i;
    }
    m->slot[gap].val = 0;
    m->n--;
}
