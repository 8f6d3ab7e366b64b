/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event_times.h -- the times of sample() and of clocks, which end a step.
 */
#ifndef RUNG_RUNTIME_EVENT_TIMES_H
#define RUNG_RUNTIME_EVENT_TIMES_H

#include "event_parts.h"
#include "integrator.h"

typedef struct Events Events; /* event.h */

/* For the whole run: the times of sample() and of clocks (event_times.c). */
typedef struct EventTimes {
    uint32_t n, *memory; /* with such times: a heap by `next` if is_heap */
    double *number;      /* per memory: of the next sample */
    double *next;        /* and its time */
    bool is_heap;
    double start; /* of the run: clocks begin there */
    Some now;     /* memory of the samples of this event */
} EventTimes;

/* False when out of memory. */
bool event_times_new(Events *e);
void event_times_free(Events *e);
/* The first times of the run. *now: one is that of its start. Nonzero with run->problem.why: an
 * interval is not positive, or too short. */
int event_times_start(Events *e, Run *run, bool *now);
/* Memory of the samples whose time has come is true during the event. */
void event_times_begin(Events *e, const Run *run);
void event_times_end(Events *e);

#endif
