/* error_estimate.h -- the global error of a run, estimated by a second one with a finer tolerance.
 *
 * Step control bounds the error of each step; along the run errors grow, decay, add up. A second
 * run with a tenth of the tolerance (a quarter of the step with methods of fixed steps) has a tenth
 * of the error as a rule, so that the difference of both is the error of the first. Its steps are
 * at most 1/500 of the run, so that it meets windows that the first one has stepped over.
 *
 *         event         event
 *     ------|-------------|--------    first run       rows are compared between events of the same
 *     -------|------------|--------    second run      number; those between the two times of one
 *           x                                          event differ by its jump and are left out,
 *                                                      as are the two sides of such an event
 *
 * Unit of the error of a variable: the tolerance times its largest value along the run, at least
 * the change of the variable if all states are off by their own tolerances (SimulateStep.moved).
 *
 *     ErrorEstimate *e = error_estimate_new(model, NULL, mem);
 *     ... a run with error_estimate_row as SimulateOptions.row ...
 *     error_estimate_second(e, &first_summary);
 *     ... the other one, with error_estimate_look, too ...
 *     error_estimate_compare(e, &second_summary);
 *
 * Rows are kept in two unnamed temporary files. References: L. F. Shampine, "Global error
 * estimation with one-step methods", Computers & Mathematics with Applications 12A (1986); R. D.
 * Skeel, "Thirteen ways to estimate global error", Numerische Mathematik 48 (1986).
 */
#ifndef RUNG_STUDY_ERROR_ESTIMATE_H
#define RUNG_STUDY_ERROR_ESTIMATE_H

#include "base/arena.h"
#include "base/json.h"
#include "runtime/run/simulate.h"

typedef struct VariableError {
    const char *name;
    double error;      /* the largest difference, in the variable's unit */
    double t;          /* of it, in the first run                        */
    double tolerances; /* the same in tolerances of the first run        */
    double size;       /* the largest value in either run                */
    double moved;      /* largest change by errors of the states         */
} VariableError;

typedef struct ErrorEstimate ErrorEstimate;

/* Of the variables that `signals` names (result.h); NULL: all. NULL, with errno, where there is no
 * room for a temporary file. */
ErrorEstimate *error_estimate_new(const RungModel *model, const char *signals, Arena *mem);
/* SimulateOptions.row; user is an ErrorEstimate. Returns 0: rows that cannot be kept end no run. */
int error_estimate_row(ErrorEstimate *e, const RungContext *ctx, double t, const double *x,
                       const double *v);
/* SimulateOptions.look of the second run. */
int error_estimate_look(ErrorEstimate *e, const SimulateStep *step);
/* The options for the second run, made of those of the first, which has ended. NULL, or the reason
 * why there can be none. */
const char *error_estimate_second(ErrorEstimate *e, const SimulateSummary *first,
                                  SimulateOptions *options);
/* Both runs have ended well. False if the rows could not be kept. */
bool error_estimate_compare(ErrorEstimate *e, const SimulateSummary *second);
/* The variable with the largest error in tolerances, or NULL: no row was compared. */
const VariableError *error_estimate_worst(const ErrorEstimate *e);
/* By name, in O(n); NULL: it is a constant, or not among the signals. An alias has the name of the
 * variable that comes first in the model. */
const VariableError *error_estimate_of(const ErrorEstimate *e, const char *name);
void error_estimate_report(const ErrorEstimate *e, FILE *to);
void error_estimate_json(const ErrorEstimate *e, Json *j);
void error_estimate_free(ErrorEstimate *e); /* NULL is fine */

#endif
