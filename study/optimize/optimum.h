/* optimum.h -- values of parameters, between bounds, for which an objective of a run is least.
 *
 *     Bound bound[] = {{"k", 0.1, 10}};
 *     OptimizeRequest r = {.run = run_request_defaults(), .objective = "integral(e)",
 *                          .n = 1, .bound = bound, .most = 200};
 *     vec_push(mem, r.run.translation.files, "loop.mo");
 *     Optimum best;
 *     Exit status = optimize(&r, &best, mem);
 *
 * The search begins at the values that the model and run.set give. Gradients are derivatives of the
 * equations, not differences (objectives.h); the algorithms are those of NLopt (by_nlopt.h).
 */
#ifndef RUNG_STUDY_OPTIMIZE_OPTIMUM_H
#define RUNG_STUDY_OPTIMIZE_OPTIMUM_H

#include "base/exit.h"
#include "study/optimize/by_nlopt.h"
#include "study/optimize/objectives.h"

/* Parameters that close, in parts of the range between the bounds, are the same. */
#define OPTIMUM_CLOSE 1e-8

typedef struct Bound {
    const char *name; /* of a parameter */
    double low, high; /* low < high     */
} Bound;

typedef struct OptimumPoint {
    double value;
    const double *x; /* per bound */
} OptimumPoint;

typedef struct Optimum {
    Objectives objectives; /* one                                          */
    const char *model, *algorithm, *method;
    VEC(OptimumPoint) history; /* of all runs                              */
    uint32_t best;             /* of them                                  */
    bool *matters;             /* per bound: some derivative by it was not 0 */
    MinimumStatus ending;      /* why the search ended; with history.n > 0 */
} Optimum;

typedef struct OptimizeRequest {
    RunRequest run;
    const char *objective; /* as objectives_read takes it           */
    uint32_t n;            /* parameters, each between bounds       */
    const Bound *bound;
    const char *algorithm; /* NULL: slsqp                           */
    GradientMode mode;
    bool is_maximum; /* maximise the objective                */
    int most;        /* runs                                  */
    /* Called before the first run, with history.n = 0, and after each run; may be NULL. */
    void (*report)(void *user, const Optimum *so_far);
    void *user;
} OptimizeRequest;

/* Prints errors to stderr. EXIT_RUN, with a history, if it ends before it converges. */
Exit optimize(const OptimizeRequest *r, Optimum *out, Arena *mem);

#endif
