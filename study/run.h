/* run.h -- one run of a model, its result and what can be drawn in files; where the states that
 * were chosen become dependent, once more with redundant ones.
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
    Exit status;             /* violated equations, where they are watched, are EXIT_RUN */
} Run;

/* Told of a run that was made, or could not be begun after its model was compiled; what was wrong
 * before that has been said on stderr. Returns the status to go on with. */
typedef Exit (*RunDone)(Run *run, void *user);

/* Twice where states fail, told of both runs. */
Exit run_model(const RunRequest *r, RunDone done, void *user);
/* A RunDone: errors on stderr, geometry beside the result. */
Exit run_say_errors(Run *run, void *user);
/* What of the model can be drawn, beside its result; false (said on stderr) if that cannot be
 * written. */
bool run_write_geometry(const Run *run);

#endif
