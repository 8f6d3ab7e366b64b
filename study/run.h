/* run.h -- one run of a model, with its result and its geometry as files; repeated with redundant
 * states if the chosen states become dependent.
 *
 *     RunRequest r = run_request_defaults();
 *     vec_push(mem, r.translation.files, "tank.mo");
 *     r.result = "tank.csv";
 *     Exit status = run_model(&r, run_say_errors, NULL);
 */
#ifndef RUNG_STUDY_RUN_H
#define RUNG_STUDY_RUN_H

#include "study/simulation.h"

typedef struct Run {
    Simulation simulation;
    SimulateSummary summary; /* all zero if the run did not begin */
    const char *result;      /* file                              */
    const char *not_audited; /* why the run is left out of the default audit, or NULL */
    bool is_begun;           /* simulate() was called             */
    SimulateStatus end;      /* and ended with this               */
    const char *no_estimate; /* why the error that was asked for is not estimated, or NULL */
    Exit status; /* violated equations, where they are watched, and no estimate are EXIT_RUN */
} Run;

/* Called after a run, or if it could not begin though its model was compiled; earlier errors are on
 * stderr already. Returns the exit status. */
typedef Exit (*RunDone)(Run *run, void *user);

/* Runs the model, twice if states fail; done is called after each run. */
Exit run_model(const RunRequest *r, RunDone done, void *user);
/* A RunDone: errors on stderr, geometry beside the result. */
Exit run_say_errors(Run *run, void *user);
/* A message on stderr if the error that was asked for is not estimated. */
void run_say_no_estimate(const Run *run);
/* Writes the model's geometry beside its result; false, with a message on stderr, if that fails. */
bool run_write_geometry(const Run *run);

#endif
