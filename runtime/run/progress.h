/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.h -- one line on stderr with the progress of a run, at most ten times a second.
 */
#ifndef RUNG_RUNTIME_PROGRESS_H
#define RUNG_RUNTIME_PROGRESS_H

#include "simulate.h"

typedef struct Progress {
    SimulateProgress kind; /* BAR, JSON or NONE */
    double begun, last;    /* seconds */
    bool shown;
} Progress;

double seconds_now(void); /* monotonic */
Progress progress_begin(SimulateProgress kind);
/* Cheap when it is not yet time to show. */
void progress_step(Progress *p, const SimulateSummary *s, double h);
void progress_end(Progress *p); /* clears the line */

#endif
