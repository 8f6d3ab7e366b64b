/* lane_runs.h -- runs of one model by the method rk4, several at once (runtime/kernel/lanes.h).
 *
 * Steps, rows and sums are those of runtime/run/simulate.c and rk4.c, number for number. A run that
 * fails, has a message to print, or meets a vanished pivot is left over: the caller repeats it
 * alone from its beginning.
 */
#ifndef RUNG_STUDY_SWEEP_LANE_RUNS_H
#define RUNG_STUDY_SWEEP_LANE_RUNS_H

#include "study/sweep/signal_summary.h"

typedef struct LaneRun {
    const char *const *set; /* n_set times "name=value" */
    uint32_t n_set;
    SignalSummary signals;
    bool is_done;   /* it reached its end without messages */
    double t;       /* then: where it ended */
    uint64_t steps; /* likewise */
} LaneRun;

/* n runs, at most `width`, with the same signals; so: their common options. No run is done if the
 * model has no code for this width. */
void lane_runs(const RungModel *m, uint32_t width, SimulateOptions so, uint32_t n, LaneRun *run);

#endif
