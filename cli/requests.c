#include "cli/requests.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is(const char *text, const char *word)
{
    return text && strcmp(text, word) == 0;
}

static LoopChoice loops_of(const char *text)
{
    return is(text, "ali3p")             ? LOOPS_ALI3P
           : is(text, "penalty")         ? LOOPS_PENALTY
           : is(text, "index-reduction") ? LOOPS_INDEX_REDUCTION
                                         : LOOPS_DEFAULT;
}

static StateChoice states_of(const char *text)
{
    return is(text, "static")      ? STATES_STATIC
           : is(text, "redundant") ? STATES_REDUNDANT
                                   : STATES_DEFAULT;
}

static JacobianChoice jacobian_of(const char *text)
{
    return is(text, "analytic")   ? DERIVATIVES_ANALYTIC
           : is(text, "coloured") ? DERIVATIVES_COLOURED
           : is(text, "dense")    ? DERIVATIVES_DENSE
                                  : DERIVATIVES_DEFAULT;
}

static RuleLevel level_of(const char *text, RuleLevel otherwise)
{
    return is(text, "off")     ? RULE_OFF
           : is(text, "warn")  ? RULE_WARN
           : is(text, "error") ? RULE_ERROR
                               : otherwise;
}

static bool in_colour(const Options *o)
{
    return is(o->color, "auto") ? isatty(2) && !getenv("NO_COLOR") : is(o->color, "always");
}

Request request_of(const Options *o)
{
    // `rung check` reports everything; a run looks at all values, those of --set too
    RuleLevel units = is(o->command, "check") ? RULE_WARN : RULE_OFF;
    bool is_run = is(o->command, "simulate") || is(o->command, "sweep");
    Request r = {
        .files = o->files,
        .libraries = o->libraries,
        .model = o->model,
        .start = o->start,
        .order = is(o->order, "all") ? NULL : o->order,
        .method = o->method,
        .sensitivity_by = o->sensitivity,
        .sensitivity_of = o->of,
        .objective = o->objective,
        .inputs = o->inputs,
        .outputs = o->outputs,
        .parameters = o->parameters,
        .loops = loops_of(o->loops),
        .states = states_of(o->states),
        .jacobian = jacobian_of(o->jacobian),
        .units = level_of(o->unit_check, units),
        .ranges = is_run ? RULE_OFF : level_of(o->range_check, RULE_WARN),
        .strict = o->strict,
        .linearisation = o->linearisation,
        .plain_consing = o->plain_consing,
        .keeps_frames = o->no_frames,
        .has_no_kernels = o->no_kernels,
        .messages_as_json = is(o->diagnostics, "json"),
        .messages_in_colour = in_colour(o),
    };
    options_lanes(o, r.lanes, &r.n_lanes);
    return r;
}
