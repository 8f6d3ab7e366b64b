/* branch.h -- several computations from one state of the process, each in a forked process.
 *
 * A computation ("way") sees all data computed before; its changes are lost with its process; its
 * output to the stream `out` is returned. As many run at a time as there are processors, at most
 * four. The results do not depend on which ends first; messages of several on stderr come in any
 * order.
 */
#ifndef RUNG_BASE_BRANCH_H
#define RUNG_BASE_BRANCH_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

typedef void (*Way)(void *data, uint32_t k, FILE *out);

typedef struct Branch {
    char *at; /* output of the way */
    uint32_t n;
    bool ok; /* it came to its end */
} Branch;

/* Ways 0 .. n - 1. */
void branch_run(uint32_t n, Way way, void *data, Branch *out, Arena *mem);

/* Texts in such a stream; NULL is one of them. */
void branch_put_text(const char *text, FILE *f);
bool branch_get_text(const char **out, FILE *f, Arena *mem);

#endif
