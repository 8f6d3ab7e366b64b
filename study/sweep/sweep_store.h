/* sweep_store.h -- the directory of `rung sweep`: finished runs, the table, the summary.
 *
 *     DIR/finished.csv     a line for each run as it ends; read when the command is given again
 *     DIR/table.csv        all runs, in order
 *     DIR/sweep.json       the request and its outcome
 *     DIR/runs/            trajectories
 *
 * A line of finished.csv belongs to a run by its key, a digest of the model's C, the options of the
 * run and its values; not by its number. It ends with a checksum, so that half a line, or one that
 * was changed, is no run. A line of names gives the columns of the runs that refer to it:
 *
 *     names,NAMES,"x","y",CHECK
 *     run,KEY,NAMES,ok,TIME,STEPS,final(x),min(x),max(x),integral(x),final(y),...,"file","message",CHECK
 */
#ifndef RUNG_STUDY_SWEEP_SWEEP_STORE_H
#define RUNG_STUDY_SWEEP_SWEEP_STORE_H

#include "base/map.h"
#include "base/text.h"
#include "study/sweep/vary.h"

#include <stdio.h>

typedef enum RunStatus {
    RUN_NONE,    /* not yet                                                   */
    RUN_OK,      /* came to its end                                           */
    RUN_FAILED,  /* stopped early                                             */
    RUN_INVALID, /* did not begin: its values are not allowed                 */
    RUN_LOST     /* its process was killed: it is made again with the next command */
} RunStatus;

enum { NUMBERS_OF_SIGNAL = 4 }; /* last, least, largest value, integral */

typedef struct SweepRun {
    uint64_t key;
    uint32_t same_as; /* an earlier run with the same values, or the run itself */
    RunStatus status;
    uint64_t names; /* of its signals */
    const char *time, *steps;
    const char **number; /* of all its signals; lives with file and message in mem */
    uint32_t n_numbers;
    const char *file;    /* in DIR, or "" */
    const char *message; /* or "" */
} SweepRun;

typedef struct SignalNames {
    uint64_t id;
    Texts name;
    uint32_t *column; /* of each, in the table */
} SignalNames;

typedef struct SweepStore {
    Arena *mem;
    const char *dir;
    const Vary *vary;
    SweepRun *run; /* vary->n_runs */
    Map run_of;    /* by key       */
    VEC(SignalNames) names;
    FILE *journal;
    uint32_t n_before; /* runs that an earlier command has finished */
    bool wants_files;  /* a run that is ok counts only with its trajectory */
} SweepStore;

const char *run_status_name(RunStatus s);

/* Initialises the store with the keys of the runs; the directory must exist. */
void sweep_store_init(SweepStore *s, const char *dir, const Vary *v, const uint64_t *key,
                      bool wants_files, Arena *mem);
/* Reads the finished runs, and opens the file (its name in DIR) to which this command adds more.
 * False, with a message on stderr, if that fails or another command has it open. */
bool sweep_store_open(SweepStore *s, const char *journal);
/* Adds the lines of a worker's answer for a finished run. */
void sweep_store_take(SweepStore *s, const char *lines, size_t n);
void sweep_store_close(SweepStore *s);

/* The lines of one run. file and message: "" for none. */
void sweep_line_names(Text *out, uint64_t id, const Texts *name);
void sweep_line_run(Text *out, uint64_t key, uint64_t names, RunStatus status, double time,
                    uint64_t steps, const double *number, uint32_t n, const char *file,
                    const char *message);

/* Writes the table; false, with a message on stderr, if that fails. */
bool sweep_store_table(SweepStore *s);

#endif
