#include "graph/heap.h"

Heap heap_new(uint32_t n_ids, Arena *mem)
{
    return (Heap){.mem = mem, .of = arena_array(mem, HeapKey, n_ids)};
}

static bool before(const HeapItem *a, const HeapItem *b)
{
    return a->key != b->key ? a->key < b->key : a->id < b->id;
}

void heap_set(Heap *h, uint32_t id, uint64_t key)
{
    HeapKey *of = &h->of[id];
    if (of->is_set && of->key == key)
        return;
    *of = (HeapKey){key, of->age + 1, true};
    HeapItem x = {key, id, of->age};
    vec_push(h->mem, h->items, x);
    uint32_t i = h->items.n - 1;
    for (; i && before(&x, &h->items.at[(i - 1) / 2]); i = (i - 1) / 2)
        h->items.at[i] = h->items.at[(i - 1) / 2];
    h->items.at[i] = x;
}

void heap_drop(Heap *h, uint32_t id)
{
    h->of[id].is_set = false;
}

static HeapItem take_top(Heap *h)
{
    HeapItem top = h->items.at[0], x = h->items.at[--h->items.n];
    uint32_t i = 0, n = h->items.n;
    for (;;) {
        uint32_t child = 2 * i + 1;
        if (child >= n)
            break;
        if (child + 1 < n && before(&h->items.at[child + 1], &h->items.at[child]))
            child++;
        if (!before(&h->items.at[child], &x))
            break;
        h->items.at[i] = h->items.at[child];
        i = child;
    }
    if (n)
        h->items.at[i] = x;
    return top;
}

bool heap_pop(Heap *h, uint32_t *id)
{
    while (h->items.n) {
        HeapItem top = take_top(h);
        HeapKey *of = &h->of[top.id];
        if (!of->is_set || top.age != of->age)
            continue;
        of->is_set = false;
        *id = top.id;
        return true;
    }
    return false;
}
