/* scratch.h -- runs a function in a forked process, captures its output, and gives it a temporary
 * directory for files. */
#ifndef RUNG_STUDY_SCRATCH_H
#define RUNG_STUDY_SCRATCH_H

#include "base/exit.h"
#include "base/text.h"

#include <signal.h>
#include <stdbool.h>

typedef struct Scratch {
    Arena *mem;
    const char *dir; /* temporary directory, removed at the end */
    int lock;        /* on it, as long as this process is there     */
    sigset_t mask;   /* blocked signals before it was made          */
} Scratch;

typedef struct ScratchOutput {
    Exit status;
    Text out, err;
} ScratchOutput;

/* Makes a temporary directory whose name begins with rung-NAME; false, with a message on stderr, if
 * that fails. Before that, removes such directories of processes that were killed. SIGINT, SIGTERM
 * and SIGHUP are blocked from here to scratch_close, but for the time of scratch_run(). */
bool scratch_open(Scratch *a, const char *name, Arena *mem);
void scratch_close(const Scratch *a);
const char *scratch_path(const Scratch *a, const char *name);
/* The contents of a file; "" if it does not exist. */
Text scratch_read(const Scratch *a, const char *path);
/* Runs question(of) in a forked process; returns its output and its status. */
ScratchOutput scratch_run(const Scratch *a, Exit (*question)(const void *of), const void *of);

#endif
