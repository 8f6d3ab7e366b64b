/* run_request.h -- the request for a run: the translation, stop time, parameter values, result
 * files.
 *
 *     RunRequest r = run_request_defaults();
 *     vec_push(mem, r.translation.files, "tank.mo");
 *     r.stop = 10;
 *     Simulation s;
 *     Exit status = simulation_open(&s, &r, false, (BuildOptions){0}, mem);
 *
 * Texts and lists belong to the caller and live as long as the run.
 */
#ifndef RUNG_STUDY_RUN_REQUEST_H
#define RUNG_STUDY_RUN_REQUEST_H

#include "runtime/problem/input.h"
#include "runtime/run/simulate.h"
#include "translate/request.h"

typedef struct RunRequest {
    Request translation;
    /* NAN: as the model's experiment annotation has it, else as simulate_defaults */
    double stop, tolerance, interval;
    double step;                  /* of methods with fixed steps; NAN: none               */
    uint32_t jacobian_reuse;      /* Newton iterations that one Jacobian serves; 0: three */
    ClosingChoice closing;        /* of ali3p and penalty                                 */
    double sensitivity_tolerance; /* of derivatives by parameters; 0: steps are as without them */
    size_t memory;                /* bytes, of an adjoint (SimulateOptions); 0: the default */
    Texts set;                    /* "p=v" */
    const char *input;       /* a file of data for inputs; NULL: they have their start values */
    InputKind interpolation; /* between its rows, of inputs of type Real             */
    const char *signals;     /* patterns of names that the result has; NULL: all not hidden */
    const char *result;      /* file; NULL: M_res.mat, M being the class             */
    const char *save_state, *from; /* files of states: of the end, of the start; NULL: none */
    double save_interval;          /* NAN: at the end alone */
    bool is_profiled;              /* times of its parts are taken */
    bool is_audited;               /* the flat equations are evaluated along the run */
    bool must_audit;               /* also where it takes long; the default leaves it out there */
    bool estimates_error;          /* by a second run (error_estimate.h) */
    bool keeps_nothing;            /* translated and compiled anew, in no cache      */
    bool quiet;                    /* only errors are printed                        */
    bool is_stabilised; /* errors of redundant states across their constraints decay (drift.h) */
    bool with_pivoting; /* equations are solved at run time, with pivoting, from the start */
    bool is_trial; /* errors of its translation are not printed: there is another request to try */
    /* Names variables that are to be avoided as states where those chosen are dependent at the
     * start (moving_states.h); false if there are none. NULL: nobody does. */
    bool (*avoid)(const Request *r, Texts *avoided, Arena *mem);
    SimulateRange range;
    SimulateProgress progress;
} RunRequest;

static inline RunRequest run_request_defaults(void)
{
    return (RunRequest){.stop = NAN,
                        .tolerance = NAN,
                        .interval = NAN,
                        .step = NAN,
                        .save_interval = NAN,
                        .progress = PROGRESS_NONE};
}

#endif
