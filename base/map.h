/* map.h -- 64-bit key to 32-bit value, open addressing, in an arena. Key 0 is allowed.
 *
 * For keys that are text, use the address of the interned Name.
 */
#ifndef RUNG_BASE_MAP_H
#define RUNG_BASE_MAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct MapSlot {
    uint64_t key;
    uint32_t val; /* value + 1; 0 marks a free slot */
} MapSlot;

typedef struct Map {
    Arena *mem;
    MapSlot *slot;
    uint32_t cap, n;
} Map;

#define MAP_NONE UINT32_MAX /* never a value */

Map map_new(Arena *mem);
Map map_with_room(uint32_t n, Arena *mem); /* n keys fit before it grows */
Map map_copy(const Map *m, Arena *mem);
uint32_t map_get(const Map *m, uint64_t key); /* MAP_NONE when absent */
void map_put(Map *m, uint64_t key, uint32_t val);
bool map_add(Map *m, uint64_t key); /* as a set: false if the key is there already */
/* Keys numbered as they come: the key's value, which is `next` if it was absent. */
uint32_t map_number(Map *m, uint64_t key, uint32_t next);
void map_remove(Map *m, uint64_t key); /* nothing where it is absent */

static inline uint64_t map_key_ptr(const void *p)
{
    return (uint64_t)(uintptr_t)p;
}
static inline uint64_t map_key_pair(uint32_t a, uint32_t b)
{
    return (uint64_t)a << 32 | b;
}

#endif
