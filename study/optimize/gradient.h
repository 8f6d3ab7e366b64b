/* gradient.h -- objectives of a run and their derivatives by parameters, in one run.
 *
 *     GradientRequest r = {.run = run_request_defaults(), .objective = "y,integral(e)"};
 *     r.run.translation.sensitivity_by = "k,x.start";
 *     Objectives g;
 *     SimulateSummary s;
 *     Exit status = gradient(&r, &g, &s, mem);
 */
#ifndef RUNG_STUDY_OPTIMIZE_GRADIENT_H
#define RUNG_STUDY_OPTIMIZE_GRADIENT_H

#include "study/optimize/objectives.h"

typedef struct GradientRequest {
    RunRequest run;        /* with translation.sensitivity_by        */
    const char *objective; /* as objectives_read takes it, several   */
    bool is_adjoint;       /* back from the end, by all parameters at once; else along the run */
} GradientRequest;

/* Says on stderr what is wrong. */
Exit gradient(const GradientRequest *r, Objectives *out, SimulateSummary *s, Arena *mem);

#endif
