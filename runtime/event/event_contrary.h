/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event_contrary.h -- relations without a consistent value (rung_contrary.h) in runs: each step is
 * searched for the time from which one has a consistent value.
 */
#ifndef RUNG_RUNTIME_EVENT_CONTRARY_H
#define RUNG_RUNTIME_EVENT_CONTRARY_H

#include "integrator.h"
#include "rung_contrary.h"
#include "snapshot.h"

typedef struct Events Events; /* event.h */

typedef struct EventContrary {
    unsigned char *is_contrary; /* per memory */
    uint32_t n;                 /* how many of them are */
    uint32_t changes;  /* the relation that takes its other value at the event found; RUNG_NONE */
    double *g, *other; /* zero-crossing functions */
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
/* For importers of FMUs, at the run's t: the functions of these relations become those with their
 * other values, nonzero if the model cannot be evaluated; before an event, which of them takes its
 * other value. */
int event_contrary_ask(Events *e, Run *run, double *g);
void event_contrary_look_now(Events *e, Run *run);
/* Before an event iteration. */
void event_contrary_change(Events *e);
void event_contrary_save(const Events *e, Snapshot *s);
bool event_contrary_restore(Events *e, Snapshot *s);

#endif
