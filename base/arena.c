#include "base/arena.h"

#include "base/bug.h"
#include "base/pages.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define RUNG_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RUNG_ASAN 1
#endif
#endif

#ifdef RUNG_ASAN
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 16 };
#define POISON(p, n) __asan_poison_memory_region((p), (n))
#define UNPOISON(p, n) __asan_unpoison_memory_region((p), (n))
#else
enum { RED_ZONE = 0 };
#define POISON(p, n) ((void)(p), (void)(n))
#define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

#ifdef RUNG_STRESS
enum { CHUNK_MIN = 64, CHUNK_MAX = 4096 };
#else
enum { CHUNK_MIN = 64 * 1024, CHUNK_MAX = 8 * 1024 * 1024 };
#endif

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *older;
    uint64_t number; /* from 1, in the order of the list; it stays when pages move */
    size_t cap;
    size_t used;
    size_t dirty; /* bytes from here on are zero still */
    unsigned char bytes[];
};

struct Arena {
    Chunk *top;
    Chunk *spare; /* given back by a rollback, for the next that is needed */
    size_t total;
    uint64_t n_chunks;                      /* so far */
    Arena *parent, *part, *previous, *next; /* part: the first of a list */
};

static void *must_have(void *p)
{
    if (!p) {
        fputs("rung: out of memory\n", stderr);
        abort();
    }
    return p;
}

Arena *arena_new(void)
{
    return must_have(calloc(1, sizeof(Arena)));
}

Arena *arena_part(Arena *parent)
{
    Arena *a = arena_new();
    a->parent = parent;
    a->next = parent->part;
    if (a->next)
        a->next->previous = a;
    parent->part = a;
    return a;
}

static void leave_parent(Arena *a)
{
    if (a->next)
        a->next->previous = a->previous;
    if (a->previous)
        a->previous->next = a->next;
    else if (a->parent)
        a->parent->part = a->next;
}

/* Of pages of its own, which the system has back as soon as it is freed. The leak checker finds no
 * pointers there, so that under AddressSanitizer only chunks of one array are. */
static bool is_large(size_t cap)
{
    enum { LARGE = 1024 * 1024 };
#ifdef RUNG_ASAN
    return cap > CHUNK_MAX && cap >= LARGE;
#else
    return cap >= LARGE;
#endif
}

static void give_back(Arena *a, Chunk *c)
{
    if (!c)
        return;
    a->total -= c->cap;
    UNPOISON(c->bytes, c->cap);
    if (is_large(c->cap))
        pages_free(c, sizeof *c + c->cap);
    else
        free(c);
}

/* A pass that rolls back for every equation may do so across the end of a chunk. Larger chunks were
 * made for one array (is_large). */
static void drop_top(Arena *a)
{
    Chunk *c = a->top;
    a->top = c->older;
    if (c->cap > CHUNK_MAX || (a->spare && a->spare->cap >= c->cap)) {
        give_back(a, c);
        return;
    }
    give_back(a, a->spare);
    POISON(c->bytes, c->cap);
    c->used = 0;
    a->spare = c;
}

void arena_free(Arena *a)
{
    if (!a)
        return;
    while (a->part)
        arena_free(a->part);
    leave_parent(a);
    give_back(a, a->spare);
    while (a->top) {
        Chunk *c = a->top;
        a->top = c->older;
        give_back(a, c);
    }
    free(a);
}

static void push_chunk(Arena *a, size_t need)
{
    size_t cap = a->top ? a->top->cap * 2 : CHUNK_MIN;
    if (cap > CHUNK_MAX)
        cap = CHUNK_MAX;
    if (cap < need)
        cap = need;
    if (a->spare && a->spare->cap >= cap) {
        a->spare->older = a->top;
        a->spare->number = ++a->n_chunks;
        a->top = a->spare;
        a->spare = NULL;
        return;
    }
    size_t size = sizeof(Chunk) + cap;
    Chunk *c = must_have(is_large(cap) ? pages_new(size) : calloc(1, size));
    c->older = a->top;
    c->number = ++a->n_chunks;
    c->cap = cap;
    POISON(c->bytes, cap);
    a->top = c;
    a->total += cap;
}

static size_t room_for(size_t size)
{
    size_t need = (size + RED_ZONE + 15) & ~(size_t)15;
    return need ? need : 16;
}

void *arena_alloc(Arena *a, size_t size)
{
    if (size > SIZE_MAX / 4)
        bug("arena: a block of %zu bytes was requested", size);
    size_t need = room_for(size);
    if (!a->top || a->top->cap - a->top->used < need)
        push_chunk(a, need);
    Chunk *c = a->top;
    void *p = c->bytes + c->used;
    UNPOISON(p, need);
    if (c->dirty > c->used)
        memset(p, 0, c->dirty - c->used < need ? c->dirty - c->used : need);
    POISON((unsigned char *)p + size, need - size);
    c->used += need;
    c->dirty = c->dirty > c->used ? c->dirty : c->used;
    return p;
}

/* The place in the list of the chunk that is a large block alone; NULL: there is none. */
static Chunk **chunk_of_block(Arena *a, const void *at, size_t size)
{
    if (!at || !is_large(room_for(size)))
        return NULL;
    for (Chunk **c = &a->top; *c; c = &(*c)->older)
        if ((*c)->bytes == at)
            return is_large((*c)->cap) && (*c)->used == room_for(size) ? c : NULL;
    return NULL;
}

void arena_drop(Arena *a, void *at, size_t size)
{
    Chunk **place = chunk_of_block(a, at, size);
    if (place) {
        Chunk *c = *place;
        *place = c->older;
        give_back(a, c);
    } else if (at) {
        POISON(at, size);
    }
}

void *arena_grow(Arena *a, void *at, size_t old, size_t size)
{
#ifndef RUNG_ASAN /* uses of the old block are to be found */
    Chunk **place = size >= old ? chunk_of_block(a, at, old) : NULL;
    if (place) {
        Chunk *c = *place;
        size_t need = room_for(size);
        if (c->dirty > old)
            memset(c->bytes + old, 0, c->dirty - old);
        if (need > c->cap) {
            c = must_have(pages_grow(c, sizeof *c + c->cap, sizeof *c + need));
            *place = c;
            a->total += need - c->cap;
            c->cap = need;
        }
        c->used = need;
        c->dirty = c->dirty > need ? c->dirty : need;
        return c->bytes;
    }
#endif
    void *to = arena_alloc(a, size);
    if (old)
        memcpy(to, at, old < size ? old : size);
    arena_drop(a, at, old);
    return to;
}

char *arena_copy(Arena *a, const char *text, size_t n)
{
    char *s = arena_alloc(a, n + 1);
    if (n)
        memcpy(s, text, n);
    return s;
}

char *arena_vprintf(Arena *a, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    if (n < 0)
        bug("arena_printf: bad format '%s'", fmt);
    char *s = arena_alloc(a, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, fmt, again);
    va_end(again);
    return s;
}

char *arena_printf(Arena *a, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    char *s = arena_vprintf(a, fmt, args);
    va_end(args);
    return s;
}

ArenaMark arena_mark(const Arena *a)
{
    return a->top ? (ArenaMark){a->top->number, a->top->used} : (ArenaMark){0};
}

void arena_rollback(Arena *a, ArenaMark m)
{
    /* back to empty, the first chunk stays: passes roll back once for every equation */
    while (a->top && (m.chunk ? a->top->number > m.chunk : a->top->older != NULL))
        drop_top(a);
    if (m.chunk > a->n_chunks)
        bug("arena: rollback to a mark of another arena");
    /* the chunk of the mark is gone if it was that of one array, which has grown since */
    if (a->top && (!m.chunk || a->top->number == m.chunk)) {
        size_t used = m.chunk ? m.used : 0;
        POISON(a->top->bytes + used, a->top->used - used);
        a->top->used = used;
    }
}

size_t arena_bytes(const Arena *a)
{
    size_t n = a->total;
    for (const Arena *p = a->part; p; p = p->next)
        n += arena_bytes(p);
    return n;
}
