/* coroutine.h -- functions on stacks of their own, that pause in the middle and go on later.
 *
 *     Coroutine *c = coroutine_new(body, user);     // NULL: there are none to be had
 *     while (coroutine_resume(c))                   // body(user) up to its next coroutine_pause(c)
 *         ...                                       // false: it has returned
 *     coroutine_free(c);
 *
 * All run in one thread, one at a time, and none is interrupted anywhere else: between a resume
 * and the next pause a coroutine is a function that is called. One that is freed before it has
 * returned is never resumed again, and whatever it owns stays.
 */
#ifndef RUNG_BASE_COROUTINE_H
#define RUNG_BASE_COROUTINE_H

#include <stdbool.h>

typedef struct Coroutine Coroutine;

/* Its stack has the usual size of a main program's; pages that are never touched cost nothing. */
Coroutine *coroutine_new(void (*body)(void *user), void *user);
void coroutine_free(Coroutine *c);

/* Must not be called from the coroutine itself. */
bool coroutine_resume(Coroutine *c);
/* From the coroutine's body alone: back to its last resume. */
void coroutine_pause(Coroutine *c);

#endif
