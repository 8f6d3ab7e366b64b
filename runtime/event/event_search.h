/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event_search.h -- in a step: the first change of a relation under test, and the event found.
 * Its functions for the run are in event.h.
 */
#ifndef RUNG_RUNTIME_EVENT_SEARCH_H
#define RUNG_RUNTIME_EVENT_SEARCH_H

#include "event_parts.h"
#include "rung_search.h"

typedef struct Events Events; /* event.h */

/* In the last step: its search for an event, and the event found (event_search.c). */
typedef struct EventSearch {
    RungSearch search;     /* with the samples before `begin` */
    RungSample begin, end; /* of the step: `end` has become the next one's `begin` */
    bool has_begin;
    bool goes_on;               /* the step has more behind the event */
    double *level[RUNG_LEVELS]; /* samples inside; NULL: not needed yet */
    double *apart;              /* a sample */
    Some few, few_states;       /* parts of relations that have changed, and their states */
    uint32_t n_few, *few_watched;
    double *x, t;                 /* of the sample at work; of the event found */
    double *z;                    /* saved first guesses of blocks */
    bool is_crossing;             /* the event found is a relation's */
    uint64_t n_unresolved;        /* steps in which a relation moved too fast to be followed */
    const RungMemory *unresolved; /* the first such relation, in the step from unresolved_t on */
    double unresolved_t;
} EventSearch;

/* False when out of memory. */
bool event_search_new(Events *e, const RungModel *m);
void event_search_free(Events *e);
/* Which relations under test are at zero (RungRelations.is_at_zero), by g at the end of an event,
 * or
 * (`since`) of a step after it. */
void event_search_find_at_zero(Events *e, const double *g, bool since);

#endif
