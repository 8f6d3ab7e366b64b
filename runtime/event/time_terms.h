/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_terms.h -- pulses in time that no step may pass over.
 *
 * A method sees its right-hand side at few points in time. What rises and falls between two of
 * them,
 *
 *     der(x) = exp(-((time - 5)/1e-3)^2)        with steps of a second,
 *
 * it never sees, and its estimate of the error is zero. The terms of the model that depend on time
 * alone (RungTimeTerms) are looked at ahead of the steps: interval arithmetic (Moore, Interval
 * Analysis, 1966) bounds them over a stretch of time; where the bounds are further apart than the
 * values at its two ends the stretch is halved, down to where a term turns round. There a step is
 * to end: it meets the pulse at its height, the error test fails, and the flanks are resolved.
 *
 * Only what matters makes a stop: a term that goes half of its largest value away and back, within
 * less than the next step may be long, and moves a state by more than the tolerance meanwhile.
 *
 * Where a term of time bends, as abs, min, max and noEvent make it, a step is to end, too: methods
 * see a kink by the error it makes, come back, and leave a part of it, of one sign at each.
 *
 * Terms of one state, exp(-((x - 5)/1e-3)^2), are looked at when a step has been made, which tells
 * where the state has been. What was passed over then, as derivatives or relations there tell, the
 * run goes back from, and stops at. Not where loops are cut or something is delayed.
 */
#ifndef RUNG_RUNTIME_TIME_TERMS_H
#define RUNG_RUNTIME_TIME_TERMS_H

#include "integrator.h"

#include <stdbool.h>

typedef struct TimeTerms TimeTerms;

/* NULL where the model has none, or when out of memory; time_terms_needed tells which. */
TimeTerms *time_terms_new(const RungModel *m);
void time_terms_free(TimeTerms *it);
bool time_terms_needed(const RungModel *m);

/* Steps have met nothing yet: where a run begins that may be one from a state of before. */
void time_terms_begin(TimeTerms *it);
/* What was seen is forgotten: memory is another, or parameters are. */
void time_terms_forget(TimeTerms *it);
/* Sets run->stop to where the next step is to end if it would go further: `end` or before.
 * is_first: of a method that has just been opened. 0, or what the method returns that does not take
 * that. */
int time_terms_stop(TimeTerms *it, Run *run, const Integrator *method, void *self, double end,
                    bool is_first);

/* Whether what relations compare at (t, x) is not what they were. */
typedef bool (*TimeTermsAsk)(void *user, Run *run, double t, const double *x);
/* Whether the last step has passed over something between t0 and t1. Then the run is to go on from
 * *back, where nothing of it has begun. */
bool time_terms_passed(TimeTerms *it, Run *run, const Integrator *method, void *self, double t0,
                       double t1, TimeTermsAsk ask, void *user, double *back);

/* Bounds of term k between t0 and t1; where these are equal, its value. */
void time_terms_bounds(TimeTerms *it, const RungContext *ctx, uint32_t k, double t0, double t1,
                       double *lo, double *hi);

#endif
