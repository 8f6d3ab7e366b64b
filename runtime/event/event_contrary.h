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
    double *g, *other;          /* zero-crossing functions */
} EventContrary;

/* False when out of memory. */
bool event_contrary_new(Events *e);
void event_contrary_free(Events *e);
/* After an event iteration. */
void event_contrary_find(Events *e);
/* In g, of all relations at (t, x), the functions of these become those with their other values.
 * Nonzero if the model cannot be evaluated. */
int event_contrary_ask(Events *e, Run *run, double t, const double *x, double *g);
/* Before an event iteration: one that differs at the run's t takes its other value. */
void event_contrary_change(Events *e, Run *run);
void event_contrary_save(const Events *e, Snapshot *s);
bool event_contrary_restore(Events *e, Snapshot *s);

#endif
