/* SPDX-License-Identifier: BSD-3-Clause
 *
 * delay.h -- histories of delayed expressions (MLS 3.7.4.1): recorded at each accepted step and at
 * points inside it, interpolated by polynomials that do not reach across events.
 */
#ifndef RUNG_RUNTIME_DELAY_H
#define RUNG_RUNTIME_DELAY_H

#include "problem.h"
#include "snapshot.h"

typedef struct Delays Delays;

/* NULL without delays, or when out of memory; delays_needed distinguishes these. */
Delays *delays_new(Problem *problem);
void delays_free(Delays *d);
bool delays_needed(const RungModel *m);

/* Records the expressions at the start of a run, or after an event. 0, or nonzero with
 * problem->why. */
int delays_note(Delays *d, Problem *problem, double t, const double *x);
/* At the start: clears the history and records it again with the present relations. *moved: the
 * delayed values in memory have changed, so that relations may change again. */
int delays_begin(Delays *d, Problem *problem, double t, const double *x, bool *moved);
/* The last step, from t0 to t, by the dense output of its method; as many points as the
 * interpolation needs for a tenth of the tolerance. */
int delays_record(Delays *d, Problem *problem, const Interpolant *inside, double tolerance,
                  double t0, double t);
/* Updates the delays after a change of parameters. Nonzero with problem->why where a delay has
 * become longer than the recorded history. */
int delays_change(Delays *d, Problem *problem);
/* How many there are, how long number k is at (t, x), and whether that varies. */
uint32_t delays_count(const Delays *d);
double delays_lag(const Delays *d, RungContext *ctx, uint32_t k, double t, const double *x);
/* The first time between `from` and `to` at which what number k delays had an extremum: it went by
 * half of its largest value from that at `from`, and back. *width: how long it was half as far
 * away. False: there is none. */
bool delays_find_peak(const Delays *d, uint32_t k, double from, double to, double *at,
                      double *width);
/* Whether a delayed expression moves at t, by more than the tolerance within `width` to both sides:
 * it is to be recorded there. */
bool delays_move(Delays *d, Problem *problem, const Interpolant *inside, double tolerance, double t,
                 double width);
/* Whether a delay is zero: its value then depends on the present states. */
bool delays_any_zero(const Delays *d);
/* How far a method may go from the last point: the shortest delay. */
double delays_reach(const Delays *d);
/* With is_before, delayed values at a jump of the delayed expression are those before the jump, as
 * the left limits of an event need them; otherwise those after it. */
void delays_look_back(Delays *d, bool is_before);
/* Jumps of delayed expressions are not seen before the run has come there: at (t, x) it has. */
void delays_pass(Delays *d, Problem *problem, double t, const double *x);
/* When the next one arrives that has a delay of a known length; infinity: never. A step has to end
 * there, with delays_pass behind it. */
double delays_arrival(const Delays *d);
/* Whether one has arrived at t, but for rounding. */
bool delays_arrive(const Delays *d, double t);
/* After each step from t0 to t1 the caller asks whether delays that vary have passed a jump, and
 * at which time *at: the run continues there, after delays_pass. */
void delays_watch(Delays *d);
bool delays_passed(Delays *d, Problem *problem, const Interpolant *inside, double t0, double t1,
                   double *at);
/* The delayed values at (t, x), into the context's memory. */
void delays_refresh(const Delays *d, RungContext *ctx, double t, const double *x);

/* Saves the history as far as the longest delay reaches back; nothing where d is NULL. */
void delays_save(Delays *d, Snapshot *s);
/* Into a new one. False if the bytes are others, or when out of memory. */
bool delays_restore(Delays *d, Snapshot *s);

#endif
