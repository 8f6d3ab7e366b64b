/* asking.h -- what a command says, run by a copy of this process, and a directory for its files. */
#ifndef RUNG_CLI_ASKING_H
#define RUNG_CLI_ASKING_H

#include "cli/command.h"

#include "base/text.h"

typedef struct Asking {
    Arena *mem;
    const char *dir; /* of what commands write, removed at the end */
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
/* What a command prints with these options. */
Said ask(const Asking *a, CommandFn command, const Options *o);
/* Those of the command line, without what a command would write or show on the way. */
Options asking_options(const Options *o);

#endif
