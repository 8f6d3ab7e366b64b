/* requests.h -- requests for a translation, a run, a sweep, from the options of the command
 * line. */
#ifndef RUNG_CLI_REQUESTS_H
#define RUNG_CLI_REQUESTS_H

#include "cli/options.h"
#include "study/optimize/objectives.h"
#include "study/run_request.h"
#include "study/sweep/vary.h"

FmuInterface fmu_interface_of(const Options *o); /* of FMUs among the files */
Request request_of(const Options *o);
/* Makes values of --set modifiers of the model where commands run nothing: n=3 of M is M(n=3).
 * False, after a message, if one is wrong. */
bool modifiers_apply(Options *o, Arena *mem);
/* The request of valid options. */
RunRequest run_request_of(const Options *o);
GradientMode gradient_mode_of(const Options *o);
/* False, with a message on stderr, if options of runs make no sense (EXIT_USAGE). */
bool run_is_usable(const Options *o);
VaryRequest vary_request_of(const Options *o);
/* --jobs, or as many as there are processors; false, with a message, if it is no number of
 * processes. */
bool jobs_of(const Options *o, uint32_t *jobs);

#endif
