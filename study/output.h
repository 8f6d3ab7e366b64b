/* output.h -- where a command prints: a file that is there whole or not at all (part_file.h), or
 * standard output. */
#ifndef RUNG_STUDY_OUTPUT_H
#define RUNG_STUDY_OUTPUT_H

#include "runtime/result/part_file.h"

typedef struct Output {
    FILE *file;
    const char *path; /* NULL: standard output */
    PartFile part;
} Output;

/* path NULL or "-": standard output. Prints errors to stderr. */
bool output_open(Output *out, const char *path);
/* Moves the file to its final name; false after an error, with a message on stderr and no file left
 * behind. */
bool output_close(Output *out);
/* n bytes and nothing else. */
bool output_write(const char *path, const void *bytes, size_t n);

#endif
