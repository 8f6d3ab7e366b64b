/* hash.h -- one mixing of words, one hash of bytes. The same on every machine: where numbers are
 * drawn from a hash, the output depends on it.
 */
#ifndef RUNG_BASE_HASH_H
#define RUNG_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The odd number next to 2^64 divided by the golden ratio (Knuth, volume 3, 6.4). */
#define HASH_GOLDEN UINT64_C(0x9e3779b97f4a7c15)

/* Every bit of the result depends on every bit of x; one to one (splitmix64; Steele, Lea, Flood
 * 2014). */
static inline uint64_t hash_word(uint64_t x)
{
    x += HASH_GOLDEN;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Combines a hash with the next value. */
static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b + HASH_GOLDEN + (a << 6) + (a >> 2))) * UINT64_C(0xbf58476d1ce4e5b9);
    return h ^ h >> 29;
}

/* FNV-1a, byte by byte (Fowler, Noll, Vo). */
#define HASH_NO_BYTES UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_byte(uint64_t h, unsigned char b)
{
    return (h ^ b) * UINT64_C(0x100000001b3);
}

/* FNV-1a, finished so that the low bits are good for a mask. For names of some tens of bytes. */
static inline uint64_t hash_bytes(const void *p, size_t n)
{
    const unsigned char *b = p;
    uint64_t h = HASH_NO_BYTES;
    for (size_t i = 0; i < n; i++)
        h = hash_byte(h, b[i]);
    h = (h ^ h >> 32) * HASH_GOLDEN;
    return h ^ h >> 29;
}

/* At least 0, below 1. */
static inline double hash_unit(uint64_t h)
{
    return (double)(h >> 11) / 9007199254740992.0;
}

#endif
