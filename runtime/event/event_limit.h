/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event_limit.h -- over many events: those that go on without end.
 */
#ifndef RUNG_RUNTIME_EVENT_LIMIT_H
#define RUNG_RUNTIME_EVENT_LIMIT_H

#include "event_parts.h"
#include "integrator.h"
#include "snapshot.h"

typedef struct Events Events; /* event.h */

/* The changes of a relation to true, or to false, at ever shorter intervals. */
typedef struct Intervals {
    double first, t; /* time of the first change since intervals decrease; of the last */
    double interval; /* between the last two */
    uint32_t n;      /* how many */
    double size;     /* the size of g for its noise while they are close; 0: they are not */
} Intervals;

/* Over many events: whether they go on without end (event_limit.c). */
typedef struct EventLimit {
    Intervals (*intervals)[2]; /* per memory: of a relation, becoming false and true */
    uint32_t relation;         /* whose events have reached their limit in time; RUNG_NONE */
    double t_many;             /* when the last thousand events began */
    uint64_t n_crossings;      /* events since then at which a relation crossed zero */
    Some reverted;             /* relations that changed at the last event and changed back ... */
    double t_reverted;         /* ... at this time, when nothing else has changed */
    bool is_again;             /* they were due again at the last event */
    double near; /* so much time later an event is just behind; 0: by the length of the run */
} EventLimit;

/* False when out of memory. */
bool event_limit_new(Events *e);
void event_limit_free(Events *e);
/* After an event: the intervals between the changes of relations. */
void event_limit_find(Events *e, const Run *run);
/* The relations that are marked so, per memory, and the time. */
void event_limit_save_reverted(const Events *e, Snapshot *s);
bool event_limit_restore_reverted(Events *e, Snapshot *s);
/* After an event: which relations it changed and changed back, if it has no other effect. */
void event_limit_find_reverted(Events *e, const Run *run);
/* Before an event: those of an event just before are due again (RUNG_DUE_AGAIN). */
void event_limit_try_again(Events *e, const Run *run);
/* The noise of relation memory[at] follows the intervals between its changes. */
void event_limit_follow(Events *e, uint32_t at);
/* With run->problem.why. g: at the end of the last step, which contains no event. */
bool event_limit_has_passed(const Events *e, Run *run, const double *g);
bool event_limit_is_endless(Events *e, Run *run);
/* The part of the run that a thousand crossings must not fall into. */
double event_limit_little_time(const Run *run);
/* The relations that changed most often, as text. */
void event_limit_name_changes(const Events *e, char *text, size_t size);

#endif
