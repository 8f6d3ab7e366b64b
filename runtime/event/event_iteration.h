/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event_iteration.h -- at an event: memory and actions until nothing changes (MLS appendix B).
 */
#ifndef RUNG_RUNTIME_EVENT_ITERATION_H
#define RUNG_RUNTIME_EVENT_ITERATION_H

#include "event_parts.h"
#include "integrator.h"

typedef struct Events Events; /* event.h */
typedef struct RecalledCall RecalledCall;

/* Former values of changed memory. */
typedef struct Journal {
    Some changed;
    double *was; /* of these */
} Journal;

/* During an event: its iteration (event_iteration.c). */
typedef struct EventIteration {
    Run *run;
    bool has_reason;       /* of a failure, in run->problem.why */
    bool is_noted;         /* the present round is known to Events.acts ...     */
    bool lost_round;       /* ... which has failed to take one without actions */
    Journal entry, before; /* since the event began; since the iteration of relations began */
    Some fires;            /* actions that are due */
    double *out;           /* of the model's `event` */
    RecalledCall *call;    /* n_calls: of functions that may have a memory, in this round */
    uint32_t n_calls;
    uint32_t taken; /* the pre(v) that followed v last */
    bool has_moved; /* it has set a state */
    bool restarts;  /* it has changed states or their derivatives */
} EventIteration;

/* False when out of memory. */
bool event_iteration_new(Events *e, Run *run);
void event_iteration_free(Events *e);
/* Sets memory k; the parts that read it are due. Likewise all memory of a kind. */
void event_set_memory(Events *e, uint32_t k, double value);
void event_set_all(Events *e, RungMemoryKind kind, double value);
/* Until relations, or all memory, have consistent values. Nonzero with run->problem.why. */
int event_iterate_relations(Events *e, Run *run, bool fresh);
int event_iterate(Events *e, Run *run);
/* Actions that are due; *moved if a state was set. */
int event_act(Events *e, Run *run, bool *moved);
/* pre(v) follows v; false when it had. */
bool event_take_values(Events *e);
/* Nonzero, with run->problem.why: the event cannot be evaluated. */
int event_cannot(Run *run);

#endif
