/* SPDX-License-Identifier: BSD-3-Clause
 *
 * saltation.h -- derivatives of the states by parameters, over an event.
 *
 * Between events they are states like others (RungSensitivity). A relation that compares g(t, x, p)
 * changes where g is zero, so the time of its event depends on the parameter:
 *
 *     dt/dp = -(dg/dp) / (dg/dt),   both along the trajectory before the event
 *
 * and behind it, with f = x' before (-) and behind (+), and r the value of reinit, else x itself,
 *
 *     der(x,p) = dr/dp + (dr/dt - f+) dt/dp
 *
 * (saltation). Events at times that depend on no parameter have dt/dp = 0. At a
 * grazing event (rung_crossing.h) there is no dt/dp; that is an error if x or x' jump.
 */
#ifndef RUNG_RUNTIME_SALTATION_H
#define RUNG_RUNTIME_SALTATION_H

#include "crossing.h"
#include "event.h"

typedef struct Sensitivity {
    const RungSensitivity *table; /* NULL: the model has no such derivatives */
    double *before, *behind;      /* n_states: derivatives there                */
    double *x;                    /* n_states: before the event                 */
    double *slope;                /* of table->slopes                           */
    double *g;                    /* relations                                  */
    double *shift;                /* n_directions: dt/dp                        */
    double *set;                  /* n_actions, n_directions each: dr/dp, dr/dt */
    uint32_t *set_by;             /* n_states: the action that set it, RUNG_NONE */
    bool is_start, has_acted;
    bool has_begin;                     /* where the step before the event began is known ... */
    double t_begin, *x_begin, *g_begin; /* ... and states and relations there */
    double *at_begin[2];                /* n_states: derivatives there, with memory before the event
                                           and behind it */
    double *memory;                     /* before the event, and behind it */
    double *z;                          /* first guesses of blocks */
    CrossingFault fault;                /* of the event */
    bool is_unknown; /* the relation that causes the event is not known: derivatives may not jump */
} Sensitivity;

/* False when out of memory. */
bool sensitivity_new(Sensitivity *it, const RungModel *m);
void sensitivity_free(Sensitivity *it);
/* Registers as observer of the reinit actions of e; true. */
bool sensitivity_watch(Sensitivity *it, Events *e);

/* An event has been found inside of the last step of the method, which began at t0. */
void sensitivity_look(Sensitivity *it, const Run *run, const Integrator *method, void *self,
                      double t0);
/* Before an event at run->t is handled, or, at_start, the first one. 0, or nonzero with
 * run->problem.why: the derivatives end there. */
int sensitivity_enter(Sensitivity *it, Run *run, Events *e, bool at_start);
/* Behind it: run->x has the derivatives there, e->restarts is set if they have jumped. */
int sensitivity_leave(Sensitivity *it, Run *run, Events *e);

#endif
