/* bench_run.h -- how long the tasks of bench.h take in a model.
 *
 * Evaluations use states near the start of a run, a different one each time, so that neither a
 * nonlinear block starts from its solution nor a constant is predicted. Of many batches the fastest
 * counts: disturbances make a measurement longer, never shorter.
 */
#ifndef RUNG_STUDY_MEASURE_BENCH_RUN_H
#define RUNG_STUDY_MEASURE_BENCH_RUN_H

#include "base/exit.h"
#include "study/measure/bench.h"
#include "translate/request.h"

typedef struct BenchRow {
    const BenchTask *task;
    bool exists;         /* in the generated model; else nothing was measured */
    const char *variant; /* of the task, or lanes4                            */
    double best, median; /* ns per evaluation of one instance                 */
    uint32_t size;       /* the time may be divided by it                     */
    Bench *bench;
} BenchRow;

/* The largest difference to another way to the same numbers; NAN: there is none. */
double bench_row_error(const BenchRow *row);

typedef struct BenchRequest {
    Request translation; /* its lanes are measured, too                                        */
    Texts set;           /* "p=v" */
    const char *what;    /* tasks, with commas between; NULL: all but the expensive ones       */
    const char *variant; /* of derivatives: one, or "all"; NULL: those that cost little to find */
    bool is_alone;       /* one instance at a time                                             */
    /* Called once with row NULL, when all requested forms exist, then for each row. */
    void (*report)(void *user, const RungModel *m, const BenchRow *row);
    void *user;
} BenchRequest;

/* Whether the list a,b,c has the word. NULL has every word. */
bool bench_lists(const char *list, const char *word);
/* Is every word of the list a task; else prints the list of tasks. */
bool bench_what_known(const char *list);
/* Prints errors to stderr; if an evaluation fails, EXIT_RUN after the others. */
Exit bench_run(const BenchRequest *r, Arena *mem);

#endif
