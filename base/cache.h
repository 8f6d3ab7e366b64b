/* cache.h -- files kept from run to run: a directory of entries, named by the digest of their
 * inputs.
 *
 *     Cache *c = cache_open(mem);                 NULL: there is none, do without
 *     const char *path = cache_find(c, "7f...so");
 *     if (!path) { make it; cache_put(c, "7f...so", bytes, n); }
 *
 * In $XDG_CACHE_HOME/rung, else ~/.cache/rung, which is of this user alone. An entry is written
 * under a name of its own and renamed, so that it is there whole or not at all with several
 * processes at once; behind its bytes stand a mark and their digest, by which a damaged one is
 * known and removed. Where entries come to more than $RUNG_CACHE_SIZE (1G), those not used for the
 * longest time go, until a fifth is free; a few hundredths more may be there for a while. An entry
 * that cannot be written is silently not kept.
 */
#ifndef RUNG_BASE_CACHE_H
#define RUNG_BASE_CACHE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Cache Cache;

/* NULL where there is no such directory and none can be made, or it is open to others. */
Cache *cache_open(Arena *mem);
/* The entry's file, whole, used now; NULL if there is none. */
const char *cache_find(Cache *c, const char *name);
/* The entry's bytes without its trailer, and a 0; NULL if there is none. */
char *cache_read(Cache *c, const char *name, Arena *mem, size_t *n);
/* Keeps bytes, or a copy of a file. Whether it did. */
bool cache_put(Cache *c, const char *name, const void *bytes, size_t n);
bool cache_put_file(Cache *c, const char *name, const char *path);

#endif
