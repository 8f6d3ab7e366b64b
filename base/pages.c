#define _DEFAULT_SOURCE /* madvise */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
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

void *pages_new(size_t n)
{
#ifdef MAP_ANONYMOUS
    void *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
#else
    void *at = calloc(1, n);
    if (!at)
        return NULL;
#endif
    pages_large(at, n);
    return at;
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
