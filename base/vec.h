/* vec.h -- growing arrays in an arena.
 *
 *     VEC(EqId) todo = {0};
 *     vec_push(mem, todo, e);
 *     for (uint32_t k = 0; k < todo.n; k++) use(todo.at[k]);
 *
 * Growth doubles and leaves the old copy in the arena, for it may be shared; vec_push_own does not.
 * From a megabyte on the capacity becomes four times as large: pages without data cost no memory,
 * and the old copies together are a third of the last.
 */
#ifndef RUNG_BASE_VEC_H
#define RUNG_BASE_VEC_H

#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#define VEC(T)                                                                                     \
    struct {                                                                                       \
        T *at;                                                                                     \
        uint32_t n, cap;                                                                           \
    }

typedef VEC(const char *) Texts;

#ifdef RUNG_STRESS
enum { VEC_FIRST = 1 };
#else
enum { VEC_FIRST = 8 };
#endif

#define vec_reserve(mem, v, want)                                                                  \
    do {                                                                                           \
        if ((v).cap < (want))                                                                      \
            (v).at = vec_grow((mem), (v).at, sizeof *(v).at, (v).n, &(v).cap, (want));             \
    } while (0)

#define vec_push(mem, v, x)                                                                        \
    do {                                                                                           \
        vec_reserve(mem, v, (v).n + 1);                                                            \
        (v).at[(v).n++] = (x);                                                                     \
    } while (0)

/* Of an array that nobody else has and that no pointer into is used afterwards. */
#define vec_reserve_own(mem, v, want)                                                              \
    do {                                                                                           \
        if ((v).cap < (want))                                                                      \
            (v).at = vec_grow_own((mem), (v).at, sizeof *(v).at, &(v).cap, (want));                \
    } while (0)

#define vec_push_own(mem, v, x)                                                                    \
    do {                                                                                           \
        vec_reserve_own(mem, v, (v).n + 1);                                                        \
        (v).at[(v).n++] = (x);                                                                     \
    } while (0)

#define vec_last(v) ((v).at[(v).n - 1])

/* The capacity, not below `want`, that follows `cap` for elements of `size` bytes. */
static inline uint32_t vec_capacity(uint32_t cap, uint32_t want, size_t size)
{
    enum { LARGE = 1024 * 1024 };
    uint32_t c = cap ? cap : VEC_FIRST;
    while (c < want)
        c *= c * size >= LARGE && c < UINT32_MAX / 8 ? 4 : 2;
    return c;
}

static inline void *vec_grow(Arena *mem, void *at, size_t size, uint32_t n, uint32_t *cap,
                             uint32_t want)
{
    uint32_t c = vec_capacity(*cap, want, size);
    void *p = arena_alloc(mem, size * c);
    if (n)
        memcpy(p, at, size * n);
    *cap = c;
    return p;
}

static inline void *vec_grow_own(Arena *mem, void *at, size_t size, uint32_t *cap, uint32_t want)
{
    uint32_t c = vec_capacity(*cap, want, size);
    void *p = arena_grow(mem, at, size * *cap, size * c);
    *cap = c;
    return p;
}

#endif
