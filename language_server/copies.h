/* copies.h -- work done by copies of this process, while it goes on listening.
 *
 * A copy writes its answer into a pipe and ends. One that fails, or takes too long and is ended,
 * gives no answer. Its messages of bugs go to standard error, which editors keep.
 */
#ifndef RUNG_LANGUAGE_SERVER_COPIES_H
#define RUNG_LANGUAGE_SERVER_COPIES_H

#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct Copy {
    pid_t process;
    int from;        /* its answer */
    double deadline; /* by clock_now */
    char *answer;    /* n bytes so far */
    size_t n, cap;
} Copy;

/* Runs work(user, answer) in a copy; false if there can be none. */
bool copy_start(Copy *c, void (*work)(const void *user, Text *answer), const void *user,
                double seconds);
/* Reads the bytes that have arrived; true when the copy has ended. */
bool copy_read(Copy *c);
/* After that: whether the answer is whole; else *signal ended the copy. */
bool copy_is_good(Copy *c, int *signal);
void copy_end(Copy *c); /* at once, with the programs that it runs; also frees the answer */

#endif
