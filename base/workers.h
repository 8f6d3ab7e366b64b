/* workers.h -- pieces of work, one after the other, by copies of this process.
 *
 * A copy holds all that this process has prepared and takes pieces until there are none; a piece
 * costs no process of its own. A copy that dies costs the piece it was at: another copy takes its
 * place. The same pieces can be handed to the ranks of mpirun (ranks.h).
 */
#ifndef RUNG_BASE_WORKERS_H
#define RUNG_BASE_WORKERS_H

#include "base/text.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct Work {
    uint32_t n;         /* pieces 0 .. n - 1 */
    const uint32_t *id; /* n: the id of a piece for the worker */
    /* n, or NULL: pieces of one group, which lie side by side, share the preparation for the first
     * of them, so a worker stays with its group as long as it has pieces. */
    const uint32_t *group;
    void *user;
    /* Runs in a worker; an empty answer means that it was interrupted. */
    void (*run)(void *user, uint32_t id, Text *answer);
    /* Run in the parent process: */
    void (*take)(void *user, uint32_t piece, const char *answer, size_t n);
    void (*lost)(void *user, uint32_t piece, int signal); /* signal 0: the worker left by itself */
    void (*look)(void *user);                             /* now and then */
    const volatile sig_atomic_t *interrupt;
} Work;

/* ---- distribution of pieces ---- */

typedef struct WorkQueue {
    uint32_t n_groups;
    uint32_t *next, *end; /* of each group     */
    uint32_t fresh;       /* the first group without a worker           */
    uint32_t n_returned, *returned;
} WorkQueue;

enum { NO_PIECE = UINT32_MAX };

WorkQueue work_queue_new(const Work *w, Arena *mem);
/* *group: the worker's previous group, or NO_PIECE; becomes its new group. Returns NO_PIECE if none
 * is left. */
uint32_t work_queue_take(WorkQueue *q, uint32_t *group);

/* Calls w->look if the last time, *last in seconds, is long ago. */
void work_look(const Work *w, double *last);

/* ---- processes ---- */

/* Returns when all pieces are done or lost, or after an interrupt. False, with a message on stderr,
 * if no process can be started. */
bool workers_run(const Work *w, uint32_t jobs, Arena *mem);

#endif
