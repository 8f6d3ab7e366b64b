/* sort.h -- numbers 0 .. n - 1 by rising keys, equal keys in their order. Linear: counting, digit
 * by digit (Knuth, volume 3, 5.2.5). */
#ifndef RUNG_BASE_SORT_H
#define RUNG_BASE_SORT_H

#include "base/arena.h"

#include <stdint.h>

/* The result and the temporary arrays live in mem. */
uint32_t *sort_by_key(uint32_t n, const uint64_t *key, Arena *mem);

#endif
