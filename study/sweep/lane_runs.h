/* lane_runs.h -- runs of one model, several at a time, whose evaluations of the model are made
 * together, each in a lane of vectors (runtime/kernel/lanes.h).
 *
 * A run is a coroutine (base/coroutine.h) around the same function that makes a run by itself. It
 * gets a model whose functions wait until the other runs need the same one, each at its own time:
 *
 *     run 1   step  step  event  step         |: all derivatives at once
 *               |     |            |
 *     run 2   step  step  step   step  end
 *               |     |     |
 *     run 3   step  step  fails, run 4 begins
 *
 * Hence methods, events, messages and failures are those of a run by itself; its digits too, since
 * a lane makes the same operations in the same order. Functions that the model does not have in
 * lanes, and those of a lane in which a pivot vanishes, are evaluated by the code of one instance.
 */
#ifndef RUNG_STUDY_SWEEP_LANE_RUNS_H
#define RUNG_STUDY_SWEEP_LANE_RUNS_H

#include "runtime/kernel/rung_model.h"

#include <stdbool.h>

/* Makes run k, of n, with this model in place of its own; it may evaluate it in any context. */
typedef void LaneRun(void *user, uint32_t k, const RungModel *model);

/* n runs, `width` of them at a time. False, and there is none: the model has no code of this width,
 * or out of memory. */
bool lane_runs(const RungModel *m, uint32_t width, uint32_t n, LaneRun *run, void *user);

#endif
