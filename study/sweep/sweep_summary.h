/* sweep_summary.h -- how the runs of a sweep went, in numbers and as JSON. */
#ifndef RUNG_STUDY_SWEEP_SWEEP_SUMMARY_H
#define RUNG_STUDY_SWEEP_SWEEP_SUMMARY_H

#include "study/sweep/sweep.h"

typedef struct SweepTally {
    uint32_t n[RUN_LOST + 1]; /* by status; RUN_NONE: not made yet */
    uint32_t n_bad;           /* failed, invalid or lost           */
} SweepTally;

SweepTally sweep_tally(const SweepStore *s);
/* DIR/sweep.json; in mem. */
const char *sweep_json(const Sweep *s, const SweepStore *store, Arena *mem);
/* Writes the table and sweep.json; false, with a message on stderr, if that fails. */
bool sweep_write(SweepStore *store, const char *json);

#endif
