/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event_contrary.h -- relations that no value satisfies, and the time from which one does.
 *
 * e > top with e = if e > top then top else u has no solution while u > top: with true e is top,
 * which is not above top, with false e is u, which is. The event iteration then takes the value
 * that only misses by the equality, here true (RungRelations.keeps). Its zero-crossing function
 * stays at zero, so that it never tells when u has fallen below top, from where false is a
 * solution. So the function is asked for with the other value, after each step.
 */
#ifndef RUNG_RUNTIME_EVENT_CONTRARY_H
#define RUNG_RUNTIME_EVENT_CONTRARY_H

#include "event_parts.h"
#include "integrator.h"
#include "snapshot.h"

typedef struct Events Events; /* event.h */

typedef struct EventContrary {
    Some kept;        /* relations, by number, whose value contradicts their function at zero */
    uint32_t changes; /* one that takes its other value at the event found; RUNG_NONE */
    double *g;        /* zero-crossing functions with the other value of one of them */
} EventContrary;

/* False when out of memory. */
bool event_contrary_new(Events *e);
void event_contrary_free(Events *e);
/* After an event iteration. */
void event_contrary_find(Events *e);
/* In the last step from t0 on, not behind *when: the time at which one of them agrees with its
 * other value, if there is one. */
bool event_contrary_look(Events *e, Run *run, const Integrator *method, void *self, double t0,
                         double *when);
/* Before an event iteration. */
void event_contrary_change(Events *e);
void event_contrary_save(const Events *e, Snapshot *s);
bool event_contrary_restore(Events *e, Snapshot *s);

#endif
