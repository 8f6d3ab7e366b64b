/* sweep_work.h -- the runs of a sweep, made by workers and kept in its store.
 *
 *     Sweep s = {.mem = mem, .dir = "out", .width = 1};
 *     SweepStore store;
 *     vary_read(&s.vary, &vary, mem);
 *     sweep_prepare(&s, &run, false);
 *     sweep_make(&s, &(SweepWork){.jobs = 2, .part = 1, .parts = 1}, &store);
 *     sweep_store_close(&store);
 *     sweep_free(&s);
 */
#ifndef RUNG_STUDY_SWEEP_SWEEP_WORK_H
#define RUNG_STUDY_SWEEP_SWEEP_WORK_H

#include "study/sweep/ranks.h"
#include "study/sweep/sweep.h"

typedef struct SweepWork {
    uint32_t jobs;        /* processes at a time                         */
    uint32_t part, parts; /* the part-th of so many parts of the runs, from 1 */
    const Ranks *ranks;   /* which make the runs instead; NULL: none do  */
} SweepWork;

/* After sweep_prepare: opens the store, reads the finished runs, and makes the others up to an
 * interrupt. EXIT_FILE, with a message on stderr, if there is no store or no worker. */
Exit sweep_make(Sweep *s, const SweepWork *how, SweepStore *store);
/* For ranks other than the first: takes runs until there are none; able false: this one cannot. */
void sweep_serve(Sweep *s, const Ranks *ranks, bool able);

#endif
