/* heap.h -- candidates by rising key, with lazy deletion.
 *
 * A candidate whose key changed is pushed again; the older items are skipped when they come up.
 * Equal keys come out by rising id, so orders are the same on every run.
 */
#ifndef RUNG_GRAPH_HEAP_H
#define RUNG_GRAPH_HEAP_H

#include "base/vec.h"

#include <stdbool.h>

typedef struct HeapItem {
    uint64_t key;
    uint32_t id, age;
} HeapItem;

typedef struct HeapKey {
    uint64_t key;
    uint32_t age; /* of the newest item */
    bool is_set;
} HeapKey;

typedef struct Heap {
    Arena *mem;
    VEC(HeapItem) items;
    HeapKey *of; /* per id */
} Heap;

Heap heap_new(uint32_t n_ids, Arena *mem);
/* Replaces the key of id. */
void heap_set(Heap *h, uint32_t id, uint64_t key);
/* Forgets id until it is set again. */
void heap_drop(Heap *h, uint32_t id);
/* Takes out the id of the lowest key; false when there is none. */
bool heap_pop(Heap *h, uint32_t *id);

#endif
