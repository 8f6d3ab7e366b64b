#include "emit/code/repeat.h"
#include "base/map.h"

#include <stdlib.h>

/* Hashes of all prefixes, modulo 2^61 - 1. */
typedef struct Prefixes {
    uint32_t n;
    const uint64_t *token;
    uint64_t *hash, *power;
} Prefixes;

static const uint64_t PRIME = (UINT64_C(1) << 61) - 1, BASE = UINT64_C(0x1f3d5b79a2c4e687);

static uint64_t times(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 Wide;
    Wide w = (Wide)a * b;
    uint64_t r = (uint64_t)(w & PRIME) + (uint64_t)(w >> 61);
    return r >= PRIME ? r - PRIME : r;
}

static Prefixes prefixes(uint32_t n, const uint64_t *token, Arena *mem)
{
    Prefixes p = {n, token, arena_array(mem, uint64_t, n + 1), arena_array(mem, uint64_t, n + 1)};
    p.power[0] = 1;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t t = token[k] % PRIME, h = times(p.hash[k], BASE) + t;
        p.hash[k + 1] = h >= PRIME ? h - PRIME : h;
        p.power[k + 1] = times(p.power[k], BASE);
    }
    return p;
}

static bool equal(const Prefixes *p, uint32_t a, uint32_t b, uint32_t n)
{
    uint64_t x = p->hash[a + n] + PRIME - times(p->hash[a], p->power[n]);
    uint64_t y = p->hash[b + n] + PRIME - times(p->hash[b], p->power[n]);
    return x % PRIME == y % PRIME;
}

/* How far the sequences that begin at a and at b > a agree. */
static uint32_t ahead(const Prefixes *p, uint32_t a, uint32_t b)
{
    uint32_t most = p->n - b, low = 0, step = 4;
    while (low < 4 && low < most && p->token[a + low] == p->token[b + low])
        low++;
    if (low < 4)
        return low;
    while (low + step <= most && equal(p, a + low, b + low, step)) {
        low += step;
        step *= 2;
    }
    // agrees for low, not for low + step (or that is too far)
    for (; step; step /= 2)
        if (low + step <= most && equal(p, a + low, b + low, step))
            low += step;
    return low;
}

/* How far the sequences that end before a and before b > a agree. */
static uint32_t behind(const Prefixes *p, uint32_t a, uint32_t b)
{
    uint32_t low = 0, step = 1;
    while (low + step <= a && equal(p, a - low - step, b - low - step, step)) {
        low += step;
        step *= 2;
    }
    for (; step; step /= 2)
        if (low + step <= a && equal(p, a - low - step, b - low - step, step))
            low += step;
    return low;
}

static uint32_t saved(Repeat r)
{
    return (r.end - r.begin) / r.period < 3 ? 0 : r.end - r.begin - r.period;
}

/* Lengths of the longest Lyndon word from each place: the roots of all runs are among them. */
static void candidates(const Prefixes *p, bool reversed, uint32_t *length, uint32_t save,
                       uint32_t longest, Arena *mem, Repeats *out)
{
    Map known = map_new(mem);
    uint32_t *agree = arena_array(mem, uint32_t, p->n + 1); // how far i and i + length[i] agree
    for (uint32_t i = p->n; i-- > 0;) {
        uint32_t j = i + 1;
        bool goes_on = false; // a run that was found from j on
        while (j < p->n) {
            uint32_t d = j - i;
            goes_on = length[j] == d && j + d < p->n && equal(p, i, j, d);
            agree[i] = goes_on ? d + agree[j] : ahead(p, i, j);
            uint32_t same = agree[i];
            if (j + same == p->n || (p->token[i + same] < p->token[j + same]) == reversed)
                break;
            j += length[j];
        }
        length[i] = j - i;
        if (length[i] > longest || j >= p->n || goes_on)
            continue;
        Repeat r = {i - behind(p, i, j), j + ahead(p, i, j), length[i]};
        if (saved(r) < save || map_get(&known, map_key_pair(r.begin, r.period)) != MAP_NONE)
            continue;
        map_put(&known, map_key_pair(r.begin, r.period), 0);
        vec_push(mem, *out, r);
    }
}

/* The order of taking: larger saving first, then shorter period, then earlier begin. */
static bool before(Repeat a, Repeat b)
{
    if (saved(a) != saved(b))
        return saved(a) > saved(b);
    return a.period != b.period ? a.period < b.period : a.begin < b.begin;
}

static void sift_down(Repeats *heap, uint32_t k)
{
    for (;;) {
        uint32_t best = k;
        for (uint32_t child = 2 * k + 1; child <= 2 * k + 2 && child < heap->n; child++)
            if (before(heap->at[child], heap->at[best]))
                best = child;
        if (best == k)
            return;
        Repeat keep = heap->at[k];
        heap->at[k] = heap->at[best];
        heap->at[best] = keep;
        k = best;
    }
}

static void heap_push(Arena *mem, Repeats *heap, Repeat r)
{
    vec_push(mem, *heap, r);
    for (uint32_t k = heap->n - 1; k && before(heap->at[k], heap->at[(k - 1) / 2]);
         k = (k - 1) / 2) {
        Repeat keep = heap->at[k];
        heap->at[k] = heap->at[(k - 1) / 2];
        heap->at[(k - 1) / 2] = keep;
    }
}

static Repeat heap_pop(Repeats *heap)
{
    Repeat top = heap->at[0];
    heap->at[0] = heap->at[--heap->n];
    sift_down(heap, 0);
    return top;
}

/* Takes r if it overlaps no taken one, else puts its free pieces back into the heap. */
static void take(Arena *mem, Repeats *heap, Repeats *taken, Repeat r, uint32_t save)
{
    // the first taken one that ends behind the beginning of r
    uint32_t low = 0, high = taken->n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (taken->at[middle].end > r.begin)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == taken->n || taken->at[low].begin >= r.end) {
        vec_push(mem, *taken, r);
        memmove(&taken->at[low + 1], &taken->at[low], (taken->n - 1 - low) * sizeof r);
        taken->at[low] = r;
        return;
    }
    uint32_t begin = r.begin;
    for (uint32_t k = low; begin < r.end; k++) {
        bool last = k == taken->n || taken->at[k].begin >= r.end;
        Repeat piece = {begin, last ? r.end : taken->at[k].begin, r.period};
        if (piece.end > piece.begin && saved(piece) >= save)
            heap_push(mem, heap, piece);
        begin = last ? r.end : taken->at[k].end;
    }
}

void repeat_find(uint32_t n, const uint64_t *token, uint32_t save, uint32_t longest, Arena *mem,
                 Repeats *out)
{
    Arena *scratch = arena_new();
    Prefixes p = prefixes(n, token, scratch);
    Repeats found = {0}, heap = {0};
    uint32_t *length = arena_array(scratch, uint32_t, n + 1);
    candidates(&p, false, length, save, longest, scratch, &found);
    candidates(&p, true, length, save, longest, scratch, &found);
    for (uint32_t k = 0; k < found.n; k++)
        heap_push(scratch, &heap, found.at[k]);
    out->n = 0;
    while (heap.n)
        take(mem, &heap, out, heap_pop(&heap), save);
    arena_free(scratch);
}
