/* linearize.h -- x' = A x + B u, y = C x + D u of a model at the start of a run, at a time in it,
 * or at a steady state.
 *
 *     LinearizeRequest r = {.run = run_request_defaults(), .at = NAN};
 *     vec_push(mem, r.run.translation.files, "tank.mo");
 *     LinearSystem s;
 *     Exit status = linearize(&r, &s, mem);
 *
 * Where the states that were chosen depend on each other at that point, or nearly so, the loops are
 * closed by multipliers instead, unless the request says how. Where a pivot of the order of
 * elimination vanishes there, the equations are solved with a choice of pivots.
 */
#ifndef RUNG_STUDY_LINEAR_LINEARIZE_H
#define RUNG_STUDY_LINEAR_LINEARIZE_H

#include "study/linear/linear_system.h"
#include "study/run_request.h"

#include "base/exit.h"

typedef struct LinearizeRequest {
    RunRequest run;
    double at;          /* time of the point; NAN: the start of the run              */
    bool is_steady;     /* at the steady state that is reached from the start        */
    const char *states; /* patterns of those that are free where loops are closed, or NULL */
} LinearizeRequest;

/* Prints errors to stderr. The system lives in mem. */
Exit linearize(const LinearizeRequest *r, LinearSystem *out, Arena *mem);

#endif
