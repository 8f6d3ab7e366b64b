#include "cli/requests.h"

#include "import/fmu_model.h"
#include "study/mechanism/moving_states.h"
#include "translate/driver.h"
#include "translate/method.h"
#include "translate/setting_values.h"
#include "translate/structural_set.h"

#include <math.h>
#include <stdio.h>
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
    return is(text, "static")           ? STATES_STATIC
           : is(text, "redundant")      ? STATES_REDUNDANT
           : is(text, "differentiated") ? STATES_DIFFERENTIATED
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

FmuInterface fmu_interface_of(const Options *o)
{
    // `rung fmu` makes one, and its own option says which
    return is(o->command, "fmu")    ? FMU_ANY
           : is(o->interface, "me") ? FMU_MODEL_EXCHANGE
           : is(o->interface, "cs") ? FMU_COSIMULATION
                                    : FMU_ANY;
}

static bool is_fmu_alone(const Options *o)
{
    return o->files.n == 1 && fmu_model_is_path(o->files.at[0]);
}

/* The communication step of an FMU that is run alone, 0 for its own: each row is a communication
 * point. Within a model the step is a parameter, which options of a run do not change. */
static double fmu_step_of(const Options *o)
{
    enum { ROWS = 500 };
    if (!is_fmu_alone(o) || !(o->stop > 0))
        return 0;
    // the end of the run is a communication point, too
    const double n = o->stop / o->interval;
    return o->interval > 0 && fabs(n - round(n)) <= 1e-9 * n ? o->interval : o->stop / ROWS;
}

Request request_of(const Options *o)
{
    // once where one model is looked at; a run looks at all values, those of --set too
    bool warns = is(o->command, "check") || is(o->command, "simulate");
    RuleLevel units = warns ? RULE_WARN : RULE_OFF;
    bool is_run = is(o->command, "simulate") || is(o->command, "sweep");
    Request r = {
        .files = o->files,
        .libraries = o->libraries,
        .model = o->model,
        .start = o->start,
        .interface = fmu_interface_of(o),
        .fmu_step = fmu_step_of(o),
        .fmu_tolerance = is_fmu_alone(o) && o->tolerance > 0 ? o->tolerance : 0,
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
        .no_external = o->no_external,
        .plain_consing = o->plain_consing,
        .keeps_frames = o->no_frames,
        .pulls = o->live,
        .has_no_kernels = o->no_kernels,
        .keeps_orders = !o->no_cache,
        .messages_as_json = is(o->diagnostics, "json"),
        .messages_in_colour = in_colour(o),
    };
    options_lanes(o, r.lanes, &r.n_lanes);
    return r;
}

/* ---- runs ---- */

bool run_is_usable(const Options *o)
{
    if (o->method && !method_known(o->method))
        return false;
    if (o->interpolation && !o->input) {
        fputs("rung: --interpolation needs --input F\n", stderr);
        return false;
    }
    if (is(o->mode, "adjoint") && !isnan(o->sensitivity_tolerance)) {
        fputs("rung: --sensitivity-tolerance is of --mode direct: an adjoint is that of the steps "
              "as they are\n",
              stderr);
        return false;
    }
    if (!is(o->jacobian, "all"))
        return true;
    fputs("rung: a run uses one Jacobian: analytic, coloured or dense\n", stderr);
    return false;
}

static SimulateProgress progress_of(const Options *o)
{
    return o->quiet || is(o->progress, "none") ? PROGRESS_NONE
           : is(o->progress, "bar")            ? PROGRESS_BAR
           : is(o->progress, "json")           ? PROGRESS_JSON
                                               : PROGRESS_AUTO;
}

bool modifiers_apply(Options *o, Arena *mem)
{
    if (!o->modifiers.n)
        return true;
    Request q = request_of(o);
    Compilation *c = compilation_open(&q, mem);
    if (!c)
        return false;
    // arrays are modifiers as they are; other values may have units and literals
    Texts plain = {0}, all = {0};
    for (uint32_t k = 0; k < o->modifiers.n; k++) {
        const char *text = o->modifiers.at[k], *eq = setting_equals(text);
        if (eq && setting_is_modifier(eq + 1))
            vec_push(mem, all, text);
        else
            vec_push(mem, plain, text);
    }
    const char *wrong = NULL;
    bool is_flat = driver_run(c, driver_find("flatten")) && diags_errors(c->diags) == 0;
    if (is_flat)
        wrong = setting_values_read_flat(c->sys, &plain, &plain, mem);
    for (uint32_t k = 0; k < plain.n; k++)
        vec_push(mem, all, plain.at[k]);
    if (!wrong)
        o->model = structural_model_set(c->request.model, &all, &wrong, mem);
    if (wrong)
        fprintf(stderr, "rung: %s\n", wrong);
    compilation_free(c);
    return !wrong;
}

RunRequest run_request_of(const Options *o)
{
    size_t memory = 0;
    if (o->memory)
        options_read_size(o->memory, &memory);
    return (RunRequest){
        .translation = request_of(o),
        .stop = o->stop,
        .tolerance = o->tolerance,
        .interval = o->interval,
        .step = o->step,
        .jacobian_reuse = o->jacobian_reuse >= 1 ? (uint32_t)o->jacobian_reuse : 0,
        .is_profiled = o->profile,
        .closing = {.alpha = isnan(o->alpha) ? 0 : o->alpha,
                    .penalty = isnan(o->penalty) ? 0 : o->penalty,
                    .projections = isnan(o->projections) ? 0 : (uint32_t)o->projections,
                    .matrix = is(o->projection, "mass")    ? PROJECTION_MASS
                              : is(o->projection, "alpha") ? PROJECTION_ALPHA
                                                           : PROJECTION_DEFAULT},
        .memory = memory,
        .sensitivity_tolerance = isnan(o->sensitivity_tolerance) ? 0 : o->sensitivity_tolerance,
        .set = o->set,
        .input = o->input,
        .interpolation = is(o->interpolation, "hold")    ? INPUT_HOLD
                         : is(o->interpolation, "cubic") ? INPUT_CUBIC
                                                         : INPUT_LINEAR,
        .signals = o->signals,
        .result = o->output,
        .save_state = o->save_state,
        .from = o->from,
        .save_interval = o->save_interval,
        .is_audited = !o->no_audit,
        .must_audit = o->audit,
        .estimates_error = o->error_estimate,
        .keeps_nothing = o->no_cache,
        .quiet = o->quiet,
        .range = is(o->range_check, "off")     ? RANGE_OFF
                 : is(o->range_check, "error") ? RANGE_ERROR
                                               : RANGE_WARN,
        .avoid = moving_states_find,
        .progress = progress_of(o),
    };
}

GradientMode gradient_mode_of(const Options *o)
{
    return is(o->mode, "direct")    ? GRADIENT_DIRECT
           : is(o->mode, "adjoint") ? GRADIENT_ADJOINT
                                    : GRADIENT_BY_NUMBER;
}

/* ---- sweeps ---- */

VaryRequest vary_request_of(const Options *o)
{
    return (VaryRequest){
        .axes = o->vary,
        .file = o->vary_from,
        .sampling = is(o->sampling, "grid")     ? SAMPLING_GRID
                    : is(o->sampling, "list")   ? SAMPLING_LIST
                    : is(o->sampling, "lhs")    ? SAMPLING_LHS
                    : is(o->sampling, "random") ? SAMPLING_RANDOM
                                                : SAMPLING_DEFAULT,
        .runs = o->runs,
        .seed = o->seed,
        .set = o->set,
    };
}

bool jobs_of(const Options *o, uint32_t *jobs)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    *jobs = !isnan(o->jobs) ? (uint32_t)o->jobs : n < 1 ? 1 : (uint32_t)n;
    if (isnan(o->jobs) || (o->jobs >= 1 && o->jobs <= 1024 && o->jobs == floor(o->jobs)))
        return true;
    fputs("rung: --jobs needs a number of processes, from 1 to 1024\n", stderr);
    return false;
}
