/* asking.h -- what is printed by a copy of this process that does something, and a directory for
 * its files. */
#ifndef RUNG_STUDY_ASKING_H
#define RUNG_STUDY_ASKING_H

#include "base/exit.h"
#include "base/text.h"

#include <stdbool.h>

typedef struct Asking {
    Arena *mem;
    const char *dir; /* of what it writes, removed at the end */
    int lock;        /* on it, as long as this process is there     */
} Asking;

typedef struct Said {
    Exit status;
    Text out, err;
} Said;

/* The directory is called so, and something; false, said on stderr, if it cannot be made. Those of
 * processes that were killed go first. */
bool asking_open(Asking *a, const char *name, Arena *mem);
void asking_close(const Asking *a);
const char *asking_path(const Asking *a, const char *name);
/* "" where there is none. */
Text asking_read(const Asking *a, const char *path);
/* What question(of) prints and returns. */
Said ask(const Asking *a, Exit (*question)(const void *of), const void *of);

#endif
