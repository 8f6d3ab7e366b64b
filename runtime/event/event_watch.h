/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event_watch.h -- between events: the relations under test. Those that are known not to change are
 * not evaluated.
 */
#ifndef RUNG_RUNTIME_EVENT_WATCH_H
#define RUNG_RUNTIME_EVENT_WATCH_H

#include "event_parts.h"

typedef struct Events Events; /* event.h */

/* Between events: the relations under test, which may change (event_watch.c). */
typedef struct EventWatch {
    Some tested;         /* parts with such relations */
    Some states;         /* states that these read, if they are not all parts */
    bool *had_been;      /* per part: whether it was under test before */
    bool is_listed;      /* r.watched and `states` are those of `tested` */
    double *safe, *sure; /* per part: none of its relations changes until then; by then one has */
    double known;        /* where relations have no parts: the least `sure`, or INFINITY */
    double *between;     /* zero-crossing functions at a later time */
    bool *is_excluded;   /* per relation: equal to memory until the last step ends */
    uint32_t *n_excluded, n_all_excluded; /* of these, in each part and in all */
    /* per relation: nothing reads it, so its memory may be out of date; it was so before */
    unsigned char *is_unread, *was_unread;
    uint32_t n_unread;
    bool knows_unread;   /* since memory that guards read has changed */
    bool *in_guard;      /* per memory: guards read it */
    double *guard_value; /* scratch */
    double *left;        /* scratch, per relation: its zero-crossing function before an event */
} EventWatch;

/* After the parts of relations. */
bool event_watch_new(Events *e, const RungModel *m);
void event_watch_free(Events *e);
/* The relations of part p, or all, are tested again although they were excluded. */
void event_watch_again(Events *e, uint32_t p);
void event_watch_all_again(Events *e);
bool event_watch_is_curved(const Events *e, uint32_t part);
/* The states that these parts read; none where that is not known, or they are all parts. */
void event_watch_states(const Events *e, const Some *parts, Some *states);
/* Relations that cannot change before `until`, or that nothing reads, are not tested. */
void event_watch_choose(Events *e, double until);
/* Zero-crossing functions at an event, of the relations that may have changed; with the unknowns of
 * nonlinear blocks unchanged where these have no solution. Status as problem_evaluate. */
int event_watch_compare(Events *e, Run *run);
int event_watch_compare_unsolved(Events *e, Run *run);
/* Parts that depend on time or states are due: at a new time; after states have been set. */
void event_watch_time_moved(Events *e, const Run *run);
void event_watch_states_set(Events *e);
/* The times until which relations linear in time do not change, for the parts under test. */
void event_watch_find_safe(Events *e, Run *run);

#endif
