/* pages.h -- large memory in large pages, where the system offers them.
 *
 * Tables of millions of nodes are read all over the place: with large pages most addresses need no
 * walk through the page tables, and first writes a fault per 2 MB instead of one per 4 kB.
 */
#ifndef RUNG_BASE_PAGES_H
#define RUNG_BASE_PAGES_H

#include <stddef.h>

/* Asks for large pages for n bytes that were allocated, and not yet written to. */
void pages_large(void *at, size_t n);

/* n bytes of zeros that take memory only where they are written to; NULL if there are none. Memory
 * of malloc may be cleared as a whole, where it was in use before. */
void *pages_new(size_t n);
/* The block of pages_new at `at`, of `old` bytes, with room for n, the new ones zero. Its pages
 * move and are not copied. */
void *pages_grow(void *at, size_t old, size_t n);
void pages_free(void *at, size_t n);

#endif
