/* thread.h -- two pieces of work at a time.
 *
 * For work that is long and shares nothing that either changes: each has its own arena. The result
 * does not depend on which is done first.
 */
#ifndef RUNG_BASE_THREAD_H
#define RUNG_BASE_THREAD_H

typedef struct Task {
    void (*run)(void *data);
    void *data;
} Task;

/* Returns when both are done; one after the other where there is no thread to be had. */
void thread_both(Task here, Task beside);

#endif
