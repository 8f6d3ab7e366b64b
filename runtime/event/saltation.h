/* SPDX-License-Identifier: BSD-3-Clause
 *
 * saltation.h -- derivatives of the states by parameters over an event of a run, by the rules of
 * rung_saltation.h. Between events they are states like others (RungSensitivity). At a grazing
 * event (rung_crossing.h) the time has no derivative; that is an error if x or x' jump.
 */
#ifndef RUNG_RUNTIME_SALTATION_H
#define RUNG_RUNTIME_SALTATION_H

#include "event.h"
#include "rung_saltation.h"

typedef struct Sensitivity {
    const RungSensitivity *table; /* NULL: the model has no such derivatives */
    RungSaltation rules;          /* over these arrays: */
    double *number, *g_by_inputs;
    uint32_t *set_by;
    bool has_begin;           /* where the step before the event began is known ... */
    double t_begin, *x_begin; /* ... and the states there                            */
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
