/* gradient.h -- objectives of a run and their derivatives by parameters, in one run: along it, or
 * on the way back.
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
    GradientMode mode;
} GradientRequest;

/* Prints errors to stderr. */
Exit gradient(const GradientRequest *r, Objectives *out, SimulateSummary *s, Arena *mem);

#endif
