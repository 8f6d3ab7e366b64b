/* branch.h -- several ways on from one state of the process, each in a copy of it (POSIX fork).
 *
 * A way sees all that was computed before, and whatever it changes is gone with its copy; what it
 * writes to its stream comes back. As many run at a time as there are processors. The results do
 * not depend on which is done first; what several print on stderr comes in any order.
 */
#ifndef RUNG_BASE_BRANCH_H
#define RUNG_BASE_BRANCH_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

typedef void (*Way)(void *data, uint32_t k, FILE *out);

typedef struct Branch {
    char *at; /* what the way wrote */
    uint32_t n;
    bool ok; /* it came to its end */
} Branch;

/* Ways 0 .. n - 1. */
void branch_run(uint32_t n, Way way, void *data, Branch *out, Arena *mem);

/* Texts in such a stream; NULL is one of them. */
void branch_put_text(const char *text, FILE *f);
bool branch_get_text(const char **out, FILE *f, Arena *mem);

#endif
