/* output.h -- a file that is there whole or not at all. */
#ifndef RUNG_CLI_OUTPUT_H
#define RUNG_CLI_OUTPUT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct Output {
    FILE *file;
    const char *path, *temporary; /* NULL: standard output */
} Output;

/* path NULL or "-": standard output. Says what went wrong on stderr. */
bool output_open(Output *out, const char *path, Arena *mem);
/* Moves the file to its final name; false (said on stderr, nothing left behind) on an error. */
bool output_close(Output *out);

#endif
