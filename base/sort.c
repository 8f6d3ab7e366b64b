#include "base/sort.h"

#include <stdbool.h>

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

static uint32_t digit_of(uint64_t key, uint32_t shift)
{
    return (uint32_t)(key >> shift) & (DIGITS - 1);
}

uint32_t *sort_by_key(uint32_t n, const uint64_t *key, Arena *mem)
{
    uint32_t *order = arena_array(mem, uint32_t, n), *next = arena_array(mem, uint32_t, n);
    uint32_t *begin = arena_array(mem, uint32_t, DIGITS + 1);
    uint64_t all = UINT64_MAX, any = 0;
    for (uint32_t k = 0; k < n; k++) {
        order[k] = k;
        all &= key[k];
        any |= key[k];
    }
    for (uint32_t shift = 0; shift < 64; shift += DIGIT) {
        if (digit_of(all ^ any, shift) == 0)
            continue; /* the same in all keys */
        for (uint32_t d = 0; d <= DIGITS; d++)
            begin[d] = 0;
        for (uint32_t k = 0; k < n; k++)
            begin[digit_of(key[k], shift) + 1]++;
        for (uint32_t d = 0; d < DIGITS; d++)
            begin[d + 1] += begin[d];
        for (uint32_t k = 0; k < n; k++)
            next[begin[digit_of(key[order[k]], shift)]++] = order[k];
        uint32_t *keep = order;
        order = next;
        next = keep;
    }
    return order;
}
