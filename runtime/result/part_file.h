/* SPDX-License-Identifier: BSD-3-Clause
 *
 * part_file.h -- a file that is there whole or not at all.
 *
 * Output goes to a temporary file beside the final one, .NAME.PID.part, or .NAME.PID-1.part where
 * this process has another of that name open, and so on; part_close gives it the final name. A
 * symbolic link stays one: its target is replaced. A pipe or a device is written directly; "-" is
 * standard output. Parts that a killed process left, known by the lock that is gone, are removed by
 * the next one that writes the same name.
 */
#ifndef RUNG_RUNTIME_PART_FILE_H
#define RUNG_RUNTIME_PART_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct PartFile {
    FILE *f;
    char *path, *part; /* part: NULL when written through */
} PartFile;

/* Whether the name is of something that exists and is no regular file, or "-". */
bool part_is_special(const char *path);
/* False with errno set. */
bool part_open(PartFile *p, const char *path);
/* The file gets its name; 0, or -1 with errno set and nothing left behind. */
int part_close(PartFile *p);
/* As if it had never been opened. */
void part_discard(PartFile *p);

#endif
