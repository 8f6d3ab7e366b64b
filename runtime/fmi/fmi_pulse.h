/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fmi_pulse.h -- pulses in the steps of an importer (model exchange).
 *
 * The importer evaluates derivatives at few points, and its steps may pass over a pulse of an
 * expression of time, of states or of a delayed expression (time_terms.h). The last event indicator
 * tells: the states in its step are taken from the cubic through states and derivatives at the last
 * completed step and at the point at which it asks. Where a pulse is in between, the indicator
 * passes zero before it begins, at `at`, and the event there names the time of its peak as the next
 * one, where a step then has to end:
 *
 *     t0           at      peak        t       indicator: (at - t)/(peak - t0);
 *      |-----------|--------^----------|                  1 where no pulse is known
 */
#ifndef RUNG_RUNTIME_FMI_PULSE_H
#define RUNG_RUNTIME_FMI_PULSE_H

#include "delay.h"
#include "time_terms.h"

enum { FMI_STEPS_BEFORE = 2 };

typedef struct FmiPulse {
    bool has_begin; /* of the importer's step: */
    double t0, *x0, *f0;
    double *x1, *f1; /* its end so far; the time is that of the run */
    /* of the completed step, for delayed expressions: terms of degree 4 and 5, if they are taken */
    bool is_quintic;
    double *bend, *skew;
    double *fi, *defect, *bound; /* derivatives and defects inside of the step */
    /* ends of the steps before it, the last one first, since states have jumped */
    uint32_t n_before;
    double t_before[FMI_STEPS_BEFORE], *x_before; /* n each */
    double *of_values;                            /* n: slopes at t0, then n at t1 */
    double at, peak; /* of the pulse that it passes over; INFINITY: none is known */
    double part;     /* peak - t0, where it was found                             */
    double next;     /* the peak of the pulse that has begun, or INFINITY         */
} FmiPulse;

bool fmi_pulse_new(FmiPulse *it, const RungModel *m);
void fmi_pulse_free(FmiPulse *it);

/* A step of the importer begins at the run's t and x, where the derivatives are f; NULL: they are
 * not known. */
void fmi_pulse_begin(FmiPulse *it, const Run *run, const double *f);
/* Searches up to the run's t, where the derivatives are f, but not behind `until`, a known event
 * at which the step has to end. */
void fmi_pulse_search(FmiPulse *it, Run *run, const double *f, double until, TimeTermsAsk ask,
                      void *user);
double fmi_pulse_indicator(const FmiPulse *it, double t);
/* An event at the run's t: whether a pulse begins there. `jumps`: states have changed. */
void fmi_pulse_pass(FmiPulse *it, Run *run, bool jumps);
/* Records delayed expressions over the step that ends at the run's t, where the derivatives are f.
 * As delays_record. */
int fmi_pulse_record(FmiPulse *it, Run *run, const double *f);

#endif
