#include "base/name.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Slot {
    const char *s;
    uint64_t hash;
} Slot;

struct Names {
    Arena *mem;
    Arena *table; /* of slots */
    Slot *slot;
    size_t cap; /* a power of two */
    size_t n;
};

#ifdef RUNG_STRESS
enum { FIRST_SLOTS = 2 };
#else
enum { FIRST_SLOTS = 1024 };
#endif

Names *names_new(Arena *mem)
{
    Names *t = arena_make(mem, Names);
    t->mem = mem;
    t->cap = FIRST_SLOTS;
    t->table = arena_part(mem);
    t->slot = arena_array(t->table, Slot, t->cap);
    return t;
}

static void grow(Names *t)
{
    Slot *old = t->slot;
    size_t old_cap = t->cap;
    t->cap *= 2;
    t->slot = arena_array(t->table, Slot, t->cap);
    for (size_t k = 0; k < old_cap; k++) {
        if (!old[k].s)
            continue;
        size_t i = old[k].hash & (t->cap - 1);
        while (t->slot[i].s)
            i = (i + 1) & (t->cap - 1);
        t->slot[i] = old[k];
    }
    arena_drop(t->table, old, old_cap * sizeof *old);
}

Name name_of_n(Names *t, const char *text, size_t n)
{
    uint64_t h = hash_bytes(text, n);
    size_t i = h & (t->cap - 1);
    for (; t->slot[i].s; i = (i + 1) & (t->cap - 1)) {
        const Slot *s = &t->slot[i];
        if (s->hash == h && strncmp(s->s, text, n) == 0 && s->s[n] == 0)
            return (Name){s->s};
    }
    if (4 * (t->n + 1) > 3 * t->cap) {
        grow(t);
        for (i = h & (t->cap - 1); t->slot[i].s;)
            i = (i + 1) & (t->cap - 1);
    }
    t->slot[i] = (Slot){arena_copy(t->mem, text, n), h};
    t->n++;
    return (Name){t->slot[i].s};
}

Name name_of(Names *t, const char *text)
{
    return name_of_n(t, text, strlen(text));
}

Name name_printf(Names *t, const char *fmt, ...)
{
    char small[256];
    va_list args;
    va_start(args, fmt);
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(small, sizeof small, fmt, args);
    va_end(args);
    Name r;
    if (n >= 0 && (size_t)n < sizeof small) {
        r = name_of_n(t, small, (size_t)n);
    } else {
        Arena *tmp = arena_new();
        r = name_of(t, arena_vprintf(tmp, fmt, again));
        arena_free(tmp);
    }
    va_end(again);
    return r;
}
