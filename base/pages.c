#define _GNU_SOURCE /* madvise, mremap */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, LARGE_PAGE = 2 * 1024 * 1024 };

void pages_large(void *at, size_t n)
{
#ifdef MADV_HUGEPAGE
    if (n < LARGE_PAGE)
        return;
    uintptr_t begin = ((uintptr_t)at + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t end = ((uintptr_t)at + n) & ~(uintptr_t)(PAGE - 1);
    /* only advice: without it all is as before */
    (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)at;
    (void)n;
#endif
}

#ifdef MAP_ANONYMOUS
static size_t whole_pages(size_t n)
{
    return (n + PAGE - 1) & ~(size_t)(PAGE - 1);
}

/* Large blocks begin with a large page, so that pages_grow moves these whole. */
static void *map_pages(size_t n)
{
    n = whole_pages(n);
    size_t room = n < LARGE_PAGE ? 0 : LARGE_PAGE;
    unsigned char *at =
        mmap(NULL, n + room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    size_t before = room ? -(uintptr_t)at & (LARGE_PAGE - 1) : 0;
    if (before > 0)
        (void)munmap(at, before);
    if (room > before)
        (void)munmap(at + before + n, room - before);
    return at + before;
}
#endif

void *pages_new(size_t n)
{
#ifdef MAP_ANONYMOUS
    void *at = map_pages(n);
#else
    void *at = calloc(1, n);
#endif
    if (at)
        pages_large(at, n);
    return at;
}

void *pages_grow(void *at, size_t old, size_t n)
{
    void *to = pages_new(n);
    if (!to)
        return NULL;
#if defined(MAP_ANONYMOUS) && defined(MREMAP_FIXED)
    size_t size = whole_pages(old);
    if (mremap(at, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to)
        return to;
#endif
    memcpy(to, at, old);
    pages_free(at, old);
    return to;
}

void pages_free(void *at, size_t n)
{
#ifdef MAP_ANONYMOUS
    (void)munmap(at, n);
#else
    (void)n;
    free(at);
#endif
}
