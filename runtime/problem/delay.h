/* SPDX-License-Identifier: BSD-3-Clause
 *
 * delay.h -- what delayed expressions were (MLS 3.7.4.1): recorded at each accepted step and at
 * points inside it, read between them by cubic interpolation that does not look across events.
 */
#ifndef RUNG_RUNTIME_DELAY_H
#define RUNG_RUNTIME_DELAY_H

#include "problem.h"
#include "snapshot.h"

typedef struct Delays Delays;

/* NULL without delays, or when out of memory; delays_needed tells which. */
Delays *delays_new(Problem *problem);
void delays_free(Delays *d);
bool delays_needed(const RungModel *m);

/* The expressions at the start of a run, and behind an event. 0, or nonzero with problem->why. */
int delays_note(Delays *d, Problem *problem, double t, const double *x);
/* At the start: what was noted is forgotten, and noted anew with relations as they are now. *moved:
 * what is remembered of it is another, so that relations may be others again. */
int delays_begin(Delays *d, Problem *problem, double t, const double *x, bool *moved);
/* The last step, from t0 to t, by the dense output of its method. */
int delays_record(Delays *d, Problem *problem, const Interpolant *inside, double t0, double t);
/* Parameters are others, and delays with them. Nonzero with problem->why where one has become
 * longer than what is remembered. */
int delays_change(Delays *d, Problem *problem);
/* Whether one delays by nothing: what it delays depends on the states where it stands. */
bool delays_any_zero(const Delays *d);
/* How far a method may go from the last point: the shortest delay. */
double delays_reach(const Delays *d);
/* Until it is said otherwise delayed values at a jump of what is delayed are those before it: an
 * event goes on there, and what is asked for is what was before. */
void delays_look_back(Delays *d, bool is_before);
/* The delayed values at (t, x), into the context's memory. */
void delays_refresh(const Delays *d, RungContext *ctx, double t, const double *x);

/* All that is remembered, as far as a delay reaches back; nothing where d is NULL. */
void delays_save(Delays *d, Snapshot *s);
/* Into a new one. False if the bytes are others, or when out of memory. */
bool delays_restore(Delays *d, Snapshot *s);

#endif
