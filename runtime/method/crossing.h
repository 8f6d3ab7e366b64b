/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crossing.h -- whether the time t at which the function g(t, x, p) of a relation crosses zero has
 * the derivative by parameters
 *
 *     dt/dp = -(dg/dp) / (dg/dt)
 *
 * At a grazing event, where g and dg/dt are both zero, it has none; what is computed for dg/dt
 * there is a rounding error. If neither the states nor their derivatives jump at the event,
 * derivatives by parameters do not jump either, and dt/dp does not matter.
 */
#ifndef RUNG_RUNTIME_CROSSING_H
#define RUNG_RUNTIME_CROSSING_H

#include "rung_model.h"

#include <stdbool.h>

typedef struct Crossing {
    double t, g, rate; /* of the event; dg/dt                                      */
    bool falls;        /* g becomes negative                                       */
    double h, g_begin; /* length of the step before, INFINITY: not known; g at its begin */
    double size;       /* of g along the run, to which the tolerance is relative   */
    double tolerance;
} Crossing;

/* Why there is no dt/dp; NULL: there is. */
const char *crossing_fault(const Crossing *c);

/* The first relation of an event without dt/dp. */
typedef struct CrossingFault {
    char text[400]; /* "": each has one                                            */
    double ratio;   /* g at the event over g at the begin of the step before, or 1 */
} CrossingFault;

/* Names relation m with its source line, unless another one is there already. */
void crossing_note(CrossingFault *f, const RungMemory *m, double ratio, const char *why);

/* Derivatives of the states with the memory before an event and with that behind it. */
typedef struct CrossingRates {
    const double *before, *behind;
} CrossingRates;

/* Whether n derivatives are continuous across an event with fault f, as those by a force max(0, g):
 * the jump at the event is zero, or that at the begin of the step before times f->ratio. */
bool crossing_is_continuous(const CrossingFault *f, uint32_t n, CrossingRates at_event,
                            CrossingRates at_begin);

#endif
