/* asking.h -- runs a function in a forked process, captures its output, and gives it a temporary
 * directory for files. */
#ifndef RUNG_STUDY_ASKING_H
#define RUNG_STUDY_ASKING_H

#include "base/exit.h"
#include "base/text.h"

#include <signal.h>
#include <stdbool.h>

typedef struct Asking {
    Arena *mem;
    const char *dir; /* temporary directory, removed at the end */
    int lock;        /* on it, as long as this process is there     */
    sigset_t mask;   /* blocked signals before it was made          */
} Asking;

typedef struct Said {
    Exit status;
    Text out, err;
} Said;

/* Makes a temporary directory whose name begins with rung-NAME; false, with a message on stderr, if
 * that fails. Before that, removes such directories of processes that were killed. SIGINT, SIGTERM
 * and SIGHUP are blocked from here to the first ask(), or to asking_close. */
bool asking_open(Asking *a, const char *name, Arena *mem);
void asking_close(const Asking *a);
const char *asking_path(const Asking *a, const char *name);
/* The contents of a file; "" if it does not exist. */
Text asking_read(const Asking *a, const char *path);
/* Runs question(of) in a forked process; returns its output and its status. */
Said ask(const Asking *a, Exit (*question)(const void *of), const void *of);

#endif
