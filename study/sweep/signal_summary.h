/* signal_summary.h -- summaries of signals whose trajectory is not kept: last value, extrema,
 * integral over time.
 *
 * Found along the accepted steps of a run, not at its rows: in each step between events Lobatto's
 * formula of five points, exact up to degree 7, gives the integral, and the polynomial through
 * these points tells where an extremum may be; there the signal itself is evaluated. Rows count
 * too, so that the values on both sides of an event do.
 */
#ifndef RUNG_STUDY_SWEEP_SIGNAL_SUMMARY_H
#define RUNG_STUDY_SWEEP_SIGNAL_SUMMARY_H

#include "base/arena.h"
#include "runtime/run/simulate.h"

enum { LOBATTO = 5 };

typedef struct SignalSummary {
    uint32_t n;
    const uint32_t *row;              /* n: of RungModel's table */
    double *last, *least, *most;      /* n: NAN before the first row */
    double *integral;                 /* n */
    double *sample[LOBATTO], *inside; /* n: in the current step */
    double end;                       /* of the step before, if no event was there; else NAN */
} SignalSummary;

SignalSummary signal_summary_new(uint32_t n, const uint32_t *row, Arena *mem);
/* Before a run. */
void signal_summary_begin(SignalSummary *s);

/* The times at which signals are sampled in a step from t0 to t1, 0 <= k < LOBATTO. */
double signal_summary_time(double t0, double t1, int k);
/* SimulateOptions.row and .look, with a SignalSummary as user. */
int signal_summary_row(void *user, const RungContext *ctx, double t, const double *x,
                       const double *v);
int signal_summary_look(void *user, const SimulateStep *step);

#endif
