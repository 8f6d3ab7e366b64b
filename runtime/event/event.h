/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event.h -- the events of a run: their times, and the changes there (MLS 3.6, appendix B).
 *
 * Between events the equations use memory in place of relations, so that methods step over smooth
 * functions. After each step relations are tested at its end and inside: the method's dense output
 * is sampled until divided differences exclude two zero crossings of one relation between two
 * samples (rung_search.h). The event is the start of the first crossing, found by bisection. It
 * depends neither on the output times nor on the length of the run. Times of sample() always end a
 * step.
 */
#ifndef RUNG_RUNTIME_EVENT_H
#define RUNG_RUNTIME_EVENT_H

#include "event_contrary.h"
#include "event_iteration.h"
#include "event_limit.h"
#include "event_search.h"
#include "event_times.h"
#include "event_watch.h"
#include "snapshot.h"

/* At an event only parts whose arguments have changed are evaluated (event_parts.h), and the
 * changes are recorded when memory is written. For relations that are linear in time the time of
 * the next change is known: parts of these are not tested until then. So the cost of an event is
 * that of the parts that it changes and of those that depend on time or states, not that of the
 * model. If there are many relations, those shown not to change in a whole step are excluded from
 * the test until it ends, or an event changes memory that they read. */
typedef struct Events {
    const RungEvents *table; /* NULL: the model has no events */
    bool remembers;          /* parameters and memory do not change between events */
    bool has_outputs, has_left_limits;
    Parts outputs;                /* of the model's `outputs`, where it has parts; due by memory */
    Parts relations, values;      /* of the model's `events` and `event` */
    uint32_t *part_of, *relation; /* of each relation its part; its index in memory */
    uint32_t *number_of;          /* per memory the number of its relation */
    RungRelations r;              /* the rules, and data of each relation */
    EventWatch watch;
    EventSearch step;
    EventTimes times;
    EventIteration now;
    EventLimit limit;
    EventContrary contrary;
    bool has_sizes;   /* found with the scales of a run */
    bool at_cut;      /* some input jumps: the time of the event depends on nothing */
    double leaving_t; /* of the last events_find_leaving */
    uint64_t n;       /* events so far */
    uint32_t rounds;  /* of the last one, in which something changed */
    bool is_over;     /* terminate was called */
    const RungAction *over;
    /* Called with the values inside an event; nonzero ends the run and becomes `failed`. */
    int (*check)(void *user, Run *run);
    void *user;
    int failed;
    /* Called in each round with the actions that are due, if any, before they are executed; nonzero
     * with run->problem.why ends the run. May be NULL. */
    int (*acts)(void *user, Run *run, uint32_t n, const uint32_t *action);
    void *acts_user;
} Events;

/* False when out of memory. */
bool events_new(Events *e, Run *run);
void events_free(Events *e);

/* To be called after a change of parameters, memory or inputs: drops all stored results. */
void events_forget(Events *e);
/* Memory before the start: start values, which the initialisation may replace. */
void events_reset(Events *e, Run *run);
/* Memory at the start, with initial() true; then the first event iteration. Run->x may change. 0,
 * or nonzero with run->problem.why. */
int events_begin(Events *e, Run *run);
/* Finds the noise of each relation from the scales of the states; once, where a run begins. */
void events_find_sizes(Events *e, Run *run);
/* Repeats the event iteration at the start, after a change of states, parameters or delayed values.
 */
int events_iterate(Events *e, Run *run);
/* The first time after t at which a method must stop, or infinity. */
double events_next_time(const Events *e, const Run *run);
/* The time, later by rounding only, at which a relation that is linear in time will have changed,
 * if its other arguments stay the same; infinity where none is known. */
double events_known_time(const Events *e);
/* Searches the last step, which began at t0. If it contains an event (a time of events_next_time
 * included), *found is set and e->step.t is its time. Nonzero with run->problem.why where events
 * accumulate at a time behind which the model does not continue. */
int events_look(Events *e, Run *run, const Integrator *method, void *self, double t0, bool *found);
/* The last event has not changed the solution: the next search is in the rest of the same step. */
void events_go_on(Events *e);
/* run->t and run->x go back to the event; the method's dense output is lost by that. */
void events_go(Events *e, Run *run);
/* For a time from which every step fails. Marks the relations whose zero-crossing function is zero
 * at run->t and has the sign of the other value just behind it: the direction of a flow that starts
 * from rest, for example. Until its noise is exceeded the old direction would count, with the
 * enthalpies of the wrong side. Returns whether a relation is marked; handling an event at run->t
 * changes it. False in a second call for the same time. */
bool events_find_leaving(Events *e, Run *run);
/* Handles the event at run->t: memory and run->x change. */
int events_handle(Events *e, Run *run);
/* For importers that search for events themselves, g from the model's `events`: whether a relation
 * differs from memory; and the indicator of relation k, positive or not, zero only just after a
 * change, never behind its event. */
bool events_differ(Events *e, const double *g);
double events_indicator(const Events *e, uint32_t k, const double *g);
/* Whether relation k, with zero-crossing function g, changes at the event at hand: whether it
 * differs from memory as the event's iteration sees it. */
bool events_is_other(Events *e, uint32_t k, double g);
/* Whether a relation at (t, x) differs from memory (TimeTermsAsk). */
bool events_have_other(void *events, Run *run, double t, const double *x);
/* Whether the model uses terminal(); the event at which it becomes true. */
bool events_has_end(const Events *e);
int events_end(Events *e, Run *run);

/* Parameters have changed since the model's constants were `old`: samples and clocks whose times
 * change continue with the first one after run->t. 0, or nonzero with run->problem.why. */
int events_change(Events *e, Run *run, const double *old);

/* Saves the data of events besides the context's memory: the next samples, the sizes of relations,
 * the number of events. Restores into a new one: false if the bytes are others. */
void events_save(const Events *e, Snapshot *s);
bool events_restore(Events *e, Snapshot *s);

#endif
