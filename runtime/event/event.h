/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event.h -- events of a run: where they are, and what changes there (MLS 3.6, appendix B).
 *
 * Between events the model sees memory only, so methods step over smooth functions; after each step
 * it is looked whether a relation is no longer what memory says, at its end and inside: samples of
 * the method's dense output are taken until each relation is known so well, by divided differences,
 * that it cannot cross zero twice between two of them. The event lies where the first crossing
 * begins, found by bisection. Neither the output grid nor the length of the run has a part in it.
 * Times of sample() are never stepped over.
 */
#ifndef RUNG_RUNTIME_EVENT_H
#define RUNG_RUNTIME_EVENT_H

#include "event_parts.h"
#include "integrator.h"
#include "rung_search.h"
#include "snapshot.h"

typedef struct RecalledCall RecalledCall;

/* A relation that becomes true, or false, again and again. */
typedef struct Fading {
    double first, t; /* of the times at which it did: the first since each was sooner, the last */
    double interval; /* between the last two */
    uint32_t n;      /* how many */
    double size;     /* what its relation counts as while they are close; 0: they are not */
} Fading;

/* What memory was before it changed. */
typedef struct Journal {
    Some changed;
    double *was; /* of these */
} Journal;

/* At an event only that is evaluated which reads something new (event_parts.h), and changes are
 * found where something is written. Relations that are linear in time tell how long they stay:
 * until then they sleep, and nobody looks at them. So an event costs as much as what takes part in
 * it, and what moves with time or states; not as much as the model. Where there are many relations,
 * those that a look at a whole step shows to stay are quiet until it ends, or until an event
 * changes what they read. */
typedef struct Events {
    const RungEvents *table; /* NULL: the model has no events   */
    RungRelations r;         /* what the rules look at; watched: of parts that are awake */
    Run *run;                /* while they do                                            */
    bool is_told;            /* run->problem.why says what went wrong                            */
    bool remembers;          /* nobody changes parameters or memory between events */
    bool has_outputs;
    Parts outputs;                /* of the model's `outputs`, where it has parts; due by memory */
    Parts relations, values;      /* of the model's `events` and `event` */
    uint32_t *part_of, *relation; /* of each relation its part; which of memory it is */
    uint32_t *number_of;          /* of memory the number of its relation             */
    double *between; /* what relations compare, some way ahead                        */
    double known;    /* where relations have no parts: the same as the least `sure`, or INFINITY */
    double *safe, *sure; /* per part of relations: none of it changes until then; by then one has */
    Some awake;          /* parts of relations that may                */
    bool *had_been;      /* which of them were so before               */
    Some states;         /* that parts which are awake read, where some sleep */
    Some few;            /* while the search goes on, those that have changed */
    uint32_t n_few, *few_watched;
    Some few_states;
    bool *is_quiet;                 /* per relation: as memory says until the last step ends */
    uint32_t *n_quiet, n_all_quiet; /* such in each part, and in all */
    bool is_listed;                 /* `watched` and `states` are those of `awake` */
    bool goes_on;                   /* the last step has more behind the event */
    double *apart;                  /* a sample */
    Journal entry, before;    /* since the event began; since the iteration of relations did */
    Some fires;               /* actions that are due */
    uint32_t n_timed, *timed; /* memory with events at times known beforehand: a heap if is_heap */
    double *next;             /* per memory: of such, the next one */
    bool is_heap, has_left_limits;
    Some ticking;          /* memory of these at this event */
    double *out;           /* of the model's `event`          */
    double *x, t;          /* of the search; the event found  */
    double *z;             /* first guesses of blocks, kept meanwhile */
    double start;          /* of the run: clocks begin there */
    double *sampled;       /* per memory: number of the next sample */
    RungSample begin, end; /* of the last step: `end` has become the next one's `begin` */
    bool has_begin;
    RungSearch search;            /* with what is known before `begin`                 */
    double *level[RUNG_LEVELS];   /* samples inside; NULL: not needed yet              */
    uint64_t n_unresolved;        /* steps in which a relation moved too fast to be followed */
    const RungMemory *unresolved; /* the first such relation, in the step from unresolved_t on */
    double unresolved_t;
    RecalledCall *call; /* n_calls: of functions that may have a memory, in this round */
    uint32_t n_calls;
    Fading (*fading)[2];  /* per memory: of a relation, becoming false and true */
    uint32_t faded;       /* the relation (of n_relations) whose events have come to their limit */
    double t_many;        /* when the last thousand events began */
    uint64_t n_crossings; /* events since then at which a relation crossed zero */
    bool is_crossing;     /* the event found is one                       */
    uint64_t n;           /* events so far                   */
    uint32_t rounds;      /* of the last one, in which something changed */
    bool has_moved;       /* it set a state */
    bool restarts;        /* the last one changed states or what their derivatives depend on */
    bool is_over;         /* terminate was called            */
    const RungAction *over;
    /* Told of the values inside an event; nonzero ends the run and becomes `failed`. */
    int (*check)(void *user, Run *run);
    void *user;
    int failed;
    /* Told which actions are due, before they act; nonzero with run->problem.why ends the run.
     * NULL: nobody is. */
    int (*acts)(void *user, Run *run, uint32_t n, const uint32_t *action);
    void *acts_user;
} Events;

/* False when out of memory. */
bool events_new(Events *e, Run *run);
void events_free(Events *e);

/* Whoever has changed parameters, memory or inputs says so: nothing is taken for known any more. */
void events_forget(Events *e);
/* What was before the start: start values, unless initialisation finds otherwise afterwards. */
void events_reset(Events *e, Run *run);
/* Memory at the start, with initial() true; then the first event iteration. Run->x may change. 0,
 * or nonzero with run->problem.why. */
int events_begin(Events *e, Run *run);
/* Relations and pre() anew, still before the start, after what they depend on has changed. */
int events_iterate(Events *e, Run *run);
/* The first time after t at which a method must stop, or infinity. */
double events_next_time(const Events *e, const Run *run);
/* When a relation that is linear in time will have become another one, if nothing else changes what
 * it reads: by rounding behind the event; infinity where none is known. */
double events_known_time(const Events *e);
/* Looks at the last step, which began at t0. If it holds an event, *found is set and e->t is where;
 * also for a time that events_next_time told. Nonzero with run->problem.why where events have come
 * to an end in time that the model does not tell of. */
int events_look(Events *e, Run *run, const Integrator *method, void *self, double t0, bool *found);
/* Nothing has changed what the step behind the event is: the next look is at the rest of it. */
void events_go_on(Events *e);
/* run->t and run->x go back to the event; the method's dense output is lost by that. */
void events_go(Events *e, Run *run);
/* What happens at the event at run->t: memory and run->x change. */
int events_handle(Events *e, Run *run);
/* For who looks for events himself, g being what the model's `events` finds: whether a relation is
 * no longer what memory says; and relation k as a number that is positive or not, zero only where
 * it has just become another, never behind its event. */
bool events_differ(Events *e, const double *g);
double events_indicator(const Events *e, uint32_t k, const double *g);
/* Whether relation k, which compares g, is no longer what memory says. */
bool events_is_other(Events *e, uint32_t k, double g);
/* As it is written, the first relation that is not as memory says at run->t, or "a relation". */
const char *events_cause(Events *e, Run *run);
/* Whether one at (t, x) is not as memory says (TimeTermsAsk). */
bool events_have_other(void *events, Run *run, double t, const double *x);
/* Whether the model asks for terminal(), and its becoming true. */
bool events_has_end(const Events *e);
int events_end(Events *e, Run *run);

/* Parameters are others than when the model's constants were `old`: samples and clocks of which
 * that moves the times go on at the first one behind run->t. 0, or nonzero with run->problem.why.
 */
int events_change(Events *e, Run *run, const double *old);

/* What events have left behind besides the context's memory: the next samples, the sizes of
 * relations, how many there were. Into a new one: false if the bytes are others. */
void events_save(const Events *e, Snapshot *s);
bool events_restore(Events *e, Snapshot *s);

#endif
