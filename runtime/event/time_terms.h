/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_terms.h -- pulses in time that no step may pass over.
 *
 * A method evaluates its right-hand side at few points in time. A pulse between two of them,
 *
 *     der(x) = exp(-((time - 5)/1e-3)^2)        with steps of a second,
 *
 * it misses, and its error estimate is zero. The terms of the model that depend on time alone
 * (RungTimeTerms) are searched ahead of the steps: interval arithmetic (Moore, Interval Analysis,
 * 1966) bounds them over a stretch of time; where the bounds are further apart than the values at
 * its two ends the stretch is halved, down to an extremum of a term. There a step has to end: it
 * meets the pulse at its height, the error test fails, and the flanks are resolved.
 *
 * A stop is made only for a term that moves by half of its largest value and back, in less than the
 * longest next step, and moves a state by more than the tolerance in that time.
 *
 * A step has to end also at a kink of a term of time, made by abs, min, max or noEvent: error
 * control alone finds a kink by rejected steps and accepts a part of its error, of the same sign at
 * each kink.
 *
 * Terms of states, exp(-((x + y - 5)/1e-3)^2), of time and states, and of unknowns of equations
 * solved at run time, are searched after each step. Linear combinations, x + y - 5, are taken
 * from the dense output at the ends and in the middle of a stretch; interval arithmetic does the
 * rest. Terms whose bounds or divisors hardly change around a step are left alone as long as that
 * lasts. If derivatives or relations at an extremum show that the step missed it, the run goes back
 * and stops there. So it does for a pulse of a delayed expression, which has to be recorded, and
 * later for the recorded one, which the delayed value follows.
 *
 * Likewise conditions of several states by which derivatives choose between events, as under
 * noEvent: they are sampled on the dense output (margin_search.h). Of steps of one length those
 * that have missed something are counted.
 */
#ifndef RUNG_RUNTIME_TIME_TERMS_H
#define RUNG_RUNTIME_TIME_TERMS_H

#include "integrator.h"

#include <stdbool.h>

typedef struct TimeTerms TimeTerms;

/* NULL where the model has none, or when out of memory; time_terms_needed distinguishes these. */
TimeTerms *time_terms_new(const RungModel *m);
void time_terms_free(TimeTerms *it);
bool time_terms_needed(const RungModel *m);

/* Start of a run, which may continue from a saved state: no extremum has been met. */
void time_terms_begin(TimeTerms *it);
/* Discards all search results: memory or parameters have changed. */
void time_terms_forget(TimeTerms *it);
/* Sets run->stop to where the next step is to end if it would go further: `end` or before.
 * is_first: of a method that has just been opened. 0, or the status of a method that rejects the
 * stop. */
int time_terms_stop(TimeTerms *it, Run *run, const Integrator *method, void *self, double end,
                    bool is_first);

/* Whether a relation at (t, x) differs from memory. */
typedef bool (*TimeTermsAsk)(void *user, Run *run, double t, const double *x);
/* Whether the last step has passed over something between t0 and t1. Then the run has to continue
 * from *back, before the pulse begins. */
bool time_terms_passed(TimeTerms *it, Run *run, const Integrator *method, void *self, double t0,
                       double t1, TimeTermsAsk ask, void *user, double *back);

/* The extremum that the last step has passed over, if it has. */
double time_terms_met(const TimeTerms *it);
/* The steps of one length that have passed over something, and where the first one did. */
uint64_t time_terms_missed(const TimeTerms *it, double *first);

/* Bounds of term k between t0 and t1; where these are equal, its value. */
void time_terms_bounds(TimeTerms *it, const RungContext *ctx, uint32_t k, double t0, double t1,
                       double *lo, double *hi);

#endif
