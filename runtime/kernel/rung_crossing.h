/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_crossing.h -- whether the time t at which the function g(t, x, p) of a relation crosses zero
 * has the derivative by parameters
 *
 *     dt/dp = -(dg/dp) / (dg/dt)
 *
 * At a grazing event, where g and dg/dt are both zero, it has none; what is computed for dg/dt
 * there is a rounding error. If neither the states nor their derivatives jump at the event,
 * derivatives by parameters do not jump either, and dt/dp does not matter.
 */
#ifndef RUNG_CROSSING_H
#define RUNG_CROSSING_H

#include "rung_question.h"

#include <float.h>
#include <math.h>

/* A model as its caller evaluates it. */
typedef struct RungEvaluation {
    void *user;
    /* As rung_ask, with what it needs refreshed; 0, or nonzero on failure. */
    int (*evaluate)(void *user, RungQuestion question, double t, const double *x, double *out);
    /* Before the model is called in another way. */
    int (*refresh)(void *user, double t, const double *x);
    /* rate, n_events: the part of dg/dt of relations by inputs that move; 0, or nonzero on failure.
     * NULL: none moves. */
    int (*rates_by_inputs)(void *user, double t, const double *x, double *rate);
} RungEvaluation;

/* Where an event sets values at a time that depends on parameters, their derivatives need those of
 * inputs by time, which nobody has. */
RUNG_PART const char *rung_lacks_input_rates(void)
{
    return "values are set at an event whose time depends on parameters: the derivatives need "
           "those of the inputs by time, which follow data";
}

typedef struct RungCrossing {
    double t, g, rate; /* of the event; dg/dt                                      */
    int falls;         /* g becomes negative                                       */
    double h, g_begin; /* length of the step before, INFINITY: not known; g at its begin */
    double size;       /* of g along the run, to which the tolerance is relative   */
    double tolerance;
} RungCrossing;

/* An error of the tolerance in g moves the event by error / rate. In that time dg/dt must not
 * change by as much as itself; its derivative comes from its mean over the step before. */
RUNG_PART int rung_is_grazing(const RungCrossing *c)
{
    const double of_size = 8 * DBL_EPSILON, of_time = 1e3 * DBL_EPSILON;
    double rate, mean, rounding, second;
    if (!(c->h > 0) || !(c->h <= DBL_MAX))
        return 0;
    rate = fabs(c->rate);
    mean = fabs(c->g - c->g_begin) / c->h;
    rounding = (of_size * c->size + of_time * fabs(c->t) * mean) / c->h;
    second = 2 * fmax(fabs(mean - rate) - rounding, 0) / c->h;
    return !(c->tolerance * c->size * second < rate * rate);
}

/* Why there is no dt/dp; NULL: there is. */
RUNG_PART const char *rung_crossing_fault(const RungCrossing *c)
{
    if (!(c->falls ? c->rate < 0 : c->rate > 0))
        return "changes without crossing zero at a rate: the time of the event has no derivative "
               "by parameters";
    if (rung_is_grazing(c))
        return "is zero together with its rate, within the tolerance: the time of the event has no "
               "derivative by parameters";
    return NULL;
}

/* The first relation of an event without dt/dp. */
typedef struct RungCrossingFault {
    const char *why; /* NULL: each has one                                         */
    uint32_t of;     /* its index in memory                                        */
    double ratio;    /* g at the event over g at the begin of the step before, or 1 */
} RungCrossingFault;

/* has_begin: g at the begin of the step before is known. */
RUNG_PART void rung_crossing_note(RungCrossingFault *f, uint32_t of, double g, int has_begin,
                                  double g_begin, const char *why)
{
    if (f->why)
        return;
    f->why = why;
    f->of = of;
    f->ratio = has_begin ? fabs(g / g_begin) : 1;
}

/* Derivatives of the states with the memory before an event and with that behind it. */
typedef struct RungCrossingRates {
    const double *before, *behind;
} RungCrossingRates;

/* Whether n derivatives are continuous across an event whose time has no derivative, as those by a
 * force max(0, g): the jump at the event is zero, or that at the begin of the step before times
 * `ratio`, g at the event over g at that begin. */
RUNG_PART int rung_crossing_is_continuous(double ratio, uint32_t n, RungCrossingRates at_event,
                                          RungCrossingRates at_begin)
{
    const double tiny = 1e-9, orders = 10;
    const int is_nearer = ratio < 1;
    const double share = orders * fmin(ratio, 1 / ratio);
    for (uint32_t k = 0; k < n; k++) {
        const double here = fabs(at_event.behind[k] - at_event.before[k]);
        const double there = fabs(at_begin.behind[k] - at_begin.before[k]);
        const double near = is_nearer ? here : there, far = is_nearer ? there : here;
        const double small = tiny * (fabs(at_event.before[k]) + fabs(at_event.behind[k]));
        if (!(near <= small + (share < 1 ? share * far : 0)))
            return 0;
    }
    return 1;
}

#endif
