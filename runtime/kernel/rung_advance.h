/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_advance.h -- from t to the next event or to `stop`: the loop that runs, FMUs and C libraries
 * share. A step of the method is made and searched for an event; observers see it up to the event,
 * and the event is handled:
 *
 *      t           at        end
 *      |-----------|---------|       one step of the method, an event at `at`
 *      observed     passed    the rest is searched next, unless the event changes derivatives
 */
#ifndef RUNG_ADVANCE_H
#define RUNG_ADVANCE_H

#include "rung_question.h"

typedef enum RungEnded {
    RUNG_ENDED_FAILED = -1, /* an operation has failed and has recorded the reason */
    RUNG_ENDED_AT_STOP,
    RUNG_ENDED_AT_EVENT, /* which has been passed; the method starts anew       */
    RUNG_ENDED_EARLY     /* at t, before stop: the method starts anew from there */
} RungEnded;

typedef enum RungFound {
    RUNG_FOUND_NOTHING,
    RUNG_FOUND_EVENT,
    RUNG_FOUND_SHORTER /* the step has missed a pulse: it is shortened to end before it */
} RungFound;

/* Operations return 0, negative for a failure; `step` positive where another method, or the same
 * one started anew, has to continue from t. */
typedef struct RungAdvance {
    /* One accepted step from t, not beyond stop; *end: where it ends. */
    int (*step)(void *self, double t, double stop, double *end);
    /* Searches the last step from t to `end`. *at: the event, or where the step is taken to end; it
     * is `end` if nothing is found. */
    int (*look)(void *self, double t, double end, double *at, RungFound *found);
    /* The states become those at `at`; rows, saves, assertions, all that observes. */
    int (*observe)(void *self, double t, double at, RungFound found);
    /* The event at `at`. *restarts: the method starts anew behind it; else the states become those
     * at `end` again, and *stop is where it is to stop now. */
    int (*pass)(void *self, double at, double end, double *stop, int *restarts);
} RungAdvance;

RUNG_PART RungEnded rung_advance(const RungAdvance *ops, void *self, double *t, double stop)
{
    double end = *t;
    while (end > *t || *t < stop) {
        RungFound found = RUNG_FOUND_NOTHING;
        int status = 0, restarts = 1;
        double at;
        // the rest of a step behind an event in it comes before the next step
        if (!(end > *t))
            status = ops->step(self, *t, stop, &end);
        if (status)
            return status < 0 ? RUNG_ENDED_FAILED : RUNG_ENDED_EARLY;
        at = end;
        status = ops->look(self, *t, end, &at, &found);
        status = status ? status : ops->observe(self, *t, at, found);
        if (status)
            return RUNG_ENDED_FAILED;
        *t = at;
        if (found == RUNG_FOUND_SHORTER)
            return RUNG_ENDED_EARLY;
        if (found != RUNG_FOUND_EVENT)
            continue;
        if (ops->pass(self, at, end, &stop, &restarts))
            return RUNG_ENDED_FAILED;
        if (restarts)
            return RUNG_ENDED_AT_EVENT;
    }
    return RUNG_ENDED_AT_STOP;
}

#endif
