/* lane_runs.h -- runs of one model by the method rk4, several at once (runtime/kernel/lanes.h).
 *
 * Steps, rows and sums are those of runtime/run/simulate.c and rk4.c, number for number. A run in
 * which anything is to be told, or fails, or needs a pivot that has vanished, is left over: whoever
 * asked makes it alone, from its beginning.
 */
#ifndef RUNG_STUDY_SWEEP_LANE_RUNS_H
#define RUNG_STUDY_SWEEP_LANE_RUNS_H

#include "study/sweep/signal_summary.h"

typedef struct LaneRun {
    const char *const *set; /* n_set times "name=value" */
    uint32_t n_set;
    SignalSummary signals;
    bool is_done;   /* it came to its end, and nothing is to be said of it */
    double t;       /* then: where it ended */
    uint64_t steps; /* likewise */
} LaneRun;

/* n runs, at most `width`, with the same signals; so: what they share. Nothing is done where the
 * model has no code for so many. */
void lane_runs(const RungModel *m, uint32_t width, SimulateOptions so, uint32_t n, LaneRun *run);

#endif
