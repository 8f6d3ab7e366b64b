/* SPDX-License-Identifier: BSD-3-Clause */
#include "fmi_instance.h"

#include "external.h"
#include "fallback.h"
#include "initial.h"
#include "input.h"
#include "linearise.h"
#include "loops.h"
#include "rung_advance.h"
#include "time_terms.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take_message(RungContext *ctx, const char *text, int is_warning)
{
    FmiInstance *it = ctx->warn_to;
    it->log(it, is_warning ? FMI_WARNING : FMI_OK, is_warning ? "logStatusWarning" : "logAll",
            text);
}

/* The tables of a model are filled once, though several threads may make instances: only in objects
 * of the whole process. */
static const RungModel *model_of_fmu(void)
{
    static atomic_flag busy = ATOMIC_FLAG_INIT;
    static const RungModel *model;
    while (atomic_flag_test_and_set(&busy))
        ;
    if (!model) {
        model = rung_model();
        if (model->fallback && model->fallback->fill)
            model->fallback->fill();
    }
    const RungModel *m = model;
    atomic_flag_clear(&busy);
    return m;
}

/* ------------------------------------------------------------------ messages */

/* The first ones are those of the statuses. */
static const char *const category[] = FMI_CATEGORIES;
enum { N_CATEGORIES = sizeof category / sizeof *category, LOG_ALL = 1 };

static unsigned category_bit(const char *name)
{
    for (unsigned k = 0; k < N_CATEGORIES; k++)
        if (name && !strcmp(name, category[k]))
            return 1u << k;
    return 0;
}

bool fmi_is_wanted(const FmiInstance *it, FmiStatus status, const char *name)
{
    return status >= FMI_WARNING || it->logged & (LOG_ALL | category_bit(name));
}

FmiStatus fmi_fail(FmiInstance *it, FmiStatus status, const char *fmt, ...)
{
    char text[sizeof it->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (status >= FMI_ERROR)
        it->mode = FMI_FAILED;
    it->log(it, status, category[status], text);
    return status;
}

/* The mode does not change: another call may succeed. */
static FmiStatus refuse(FmiInstance *it, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static FmiStatus refuse(FmiInstance *it, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(it->text, sizeof it->text, fmt, args);
    va_end(args);
    it->log(it, FMI_ERROR, "logStatusError", it->text);
    return FMI_ERROR;
}

bool fmi_is_allowed(FmiInstance *it, unsigned modes, const char *refusal)
{
    if (!it)
        return false;
    if (modes & FMI_IN(it->mode))
        return true;
    bool failed = it->mode == FMI_FAILED;
    it->log(it, FMI_ERROR, "logStatusError",
            failed ? "after an error an instance can only be freed or reset" : refusal);
    return false;
}

FmiStatus fmi_set_logging(FmiInstance *it, bool on, size_t n, const char *const name[])
{
    unsigned bits = n ? 0 : LOG_ALL;
    for (size_t k = 0; k < n; k++) {
        if (!category_bit(name[k]))
            return refuse(it, "there is no log category '%s'", name[k] ? name[k] : "");
        bits |= category_bit(name[k]);
    }
    it->logged = on ? bits : 0;
    return FMI_OK;
}

static void say(void *user, const char *text)
{
    FmiInstance *it = user;
    it->log(it, FMI_WARNING, "logStatusWarning", text);
}

static void warn(RungContext *ctx, const char *message, const char *where)
{
    FmiInstance *it = ctx->warn_to;
    snprintf(it->text, sizeof it->text, "%s%s%s", where, *where ? ": " : "", message);
    say(it, it->text);
}

static FmiStatus fail_evaluation(FmiInstance *it, int status, const char *what)
{
    char why[512];
    problem_explain(&it->run.problem, why, sizeof why);
    return fmi_fail(it, status < 0 ? FMI_ERROR : FMI_DISCARD, "t = %.9g: %s: %s", it->run.t, what,
                    why);
}

/* ------------------------------------------------------------------ life */

static void close_run(FmiInstance *it)
{
    linearise_free(it->linear);
    it->linear = NULL;
    loops_delete(it->run.problem.loops);
    fallback_delete(it->run.problem.fallback);
    delays_free(it->run.problem.delays);
    time_terms_free(it->run.time_terms);
    events_free(&it->events);
    context_free(it->run.problem.ctx);
    it->run.problem.loops = NULL;
    it->run.problem.fallback = NULL;
    it->run.problem.delays = NULL;
    it->run.time_terms = NULL;
    it->run.problem.ctx = NULL;
    it->events = (Events){0};
}

/* How fast an importer's integrator, which knows nothing of the constraints, is led back to them,
 * in 1/s. */
static double rate_of_return(const RungModel *m)
{
    const RungExperiment *e = &m->experiment;
    double span = (e->has_stop ? e->stop : 1) - (e->has_start ? e->start : 0);
    return fmax(10, span > 0 ? 100 / span : 0);
}

static int check_in_event(void *user, Run *run);

static void is_changed(FmiInstance *it)
{
    it->has_xdot = it->has_values = it->has_linear = false;
}

/* The context and all around it, anew. */
static bool open_run(FmiInstance *it)
{
    const RungModel *m = it->model;
    close_run(it);
    Run *run = &it->run;
    double *x = run->x;
    // without a stop time only events at one and the same time are counted
    *run = (Run){.problem = {.model = m,
                             .n = m->n_states,
                             .piece_start = it->start,
                             .counts = &it->counts,
                             .scale = &it->scale,
                             .bad_state = RUNG_NONE},
                 .stop = INFINITY,
                 .tolerance = it->tolerance,
                 .step = NAN,
                 .t = it->start,
                 .x = x};
    it->counts = (Counts){0};
    scale_forget(&it->scale);
    run->problem.ctx = context_new(m);
    loops_attach(&run->problem, m->loops ? loops_new(m) : NULL);
    run->problem.fallback =
        run->problem.ctx ? fallback_new(run->problem.ctx, run->tolerance) : NULL;
    run->problem.delays = run->problem.ctx ? delays_new(&run->problem) : NULL;
    run->time_terms = time_terms_new(it->model);
    if (!run->problem.ctx || (m->loops && !run->problem.loops) || !run->problem.fallback ||
        (delays_needed(m) && !run->problem.delays) || (time_terms_needed(m) && !run->time_terms) ||
        !events_new(&it->events, run))
        return false;
    it->events.limit.near = 1e-9 * it->span;
    it->events.check = check_in_event;
    it->events.user = it;
    run->problem.ctx->warn = warn;
    run->problem.ctx->message = take_message;
    run->problem.ctx->warn_to = it;
    run->problem.ctx->files = &it->files;
    if (run->problem.loops && !it->is_cosimulation)
        run->problem.loops->relax = rate_of_return(m);
    is_changed(it);
    branches_forget(&it->branches);
    it->h = NAN;
    memset(it->warned, 0, m->n_assertions);
    return true;
}

static void forget_set(FmiInstance *it)
{
    const RungModel *m = it->model;
    memset(it->p_set, 0, m->n_parameters);
    memset(it->x_set, 0, m->n_states);
    for (uint32_t k = 0; k < m->n_inputs; k++)
        it->u[k] = m->input[k].start;
    const RungExperiment *e = &m->experiment;
    it->start = e->has_start ? e->start : 0;
    it->span = (e->has_stop ? e->stop : it->start + 1) - it->start;
    it->tolerance = e->has_tolerance ? e->tolerance : 1e-6;
    it->mode = FMI_INSTANTIATED;
    it->is_ready = false;
    it->next_event = INFINITY;
    it->inputs_moved = it->parameters_moved = it->has_taylor = it->has_terminated = false;
    it->last_step = 0;
    memset(it->taylor, 0, FMI_ORDERS * (size_t)m->n_inputs * sizeof *it->taylor);
    memset(it->u_rate, 0, m->n_inputs * sizeof *it->u_rate);
}

static FmiInstance *new_instance(bool is_cosimulation, const char *name, FmiLog log)
{
    const RungModel *m = model_of_fmu();
    FmiInstance *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->model = m;
    it->is_cosimulation = is_cosimulation;
    it->log = log;
    size_t n = m->n_states + (size_t)1;
    it->p = calloc(m->n_parameters + (size_t)1, sizeof *it->p);
    it->p_set = calloc(m->n_parameters + (size_t)1, 1);
    it->u = calloc(m->n_inputs + (size_t)1, sizeof *it->u);
    it->taylor = calloc(FMI_ORDERS * (size_t)m->n_inputs + 1, sizeof *it->taylor);
    it->u_rate = calloc(m->n_inputs + (size_t)1, sizeof *it->u_rate);
    it->name = malloc(strlen(name) + 1);
    it->x = calloc(n, sizeof *it->x);
    it->inside = calloc(n, sizeof *it->inside);
    it->x_set = calloc(n, 1);
    it->run.x = calloc(n, sizeof *it->run.x);
    it->xdot = calloc(n, sizeof *it->xdot);
    it->v = calloc(m->n_values + (size_t)1, sizeof *it->v);
    it->z = calloc(m->n_unknowns + (size_t)1, sizeof *it->z);
    it->g = calloc(m->n_events + (size_t)1, sizeof *it->g);
    it->scratch = calloc(n + m->n_events + m->n_unknowns + 1, sizeof *it->scratch);
    it->holds = calloc(m->n_assertions + (size_t)1, 1);
    it->warned = calloc(m->n_assertions + (size_t)1, 1);
    it->is_loop_input = calloc(m->n_inputs + (size_t)1, 1);
    it->is_found = calloc(m->n_parameters + (size_t)1, 1);
    if (!it->name || !it->taylor || !it->u_rate || !it->p || !it->p_set || !it->u || !it->x ||
        !it->x_set || !it->run.x || !it->xdot || !it->v || !it->z || !it->g || !it->scratch ||
        !it->holds || !it->warned || !it->is_loop_input || !it->is_found || !it->inside ||
        !margin_search_new(&it->margins, m, RUNG_ASK_MARGINS) || !fmi_pulse_new(&it->pulse, m) ||
        !valid_open(&it->valid, m) || !jump_watch_new(&it->jumps, m) ||
        !branches_new(&it->branches, m) ||
        !scale_open(&it->scale, &(Problem){.model = m, .n = m->n_states})) {
        fmi_free(it);
        return NULL;
    }
    strcpy(it->name, name);
    for (uint32_t k = 0; m->initial && k < m->initial->n; k++)
        if (m->initial->value[k].place == RUNG_IN_PARAMETERS)
            it->is_found[m->initial->value[k].index] = 1;
    for (uint32_t k = 0; m->loops && k < m->loops->n_constraints; k++)
        it->is_loop_input[m->loops->multiplier[k]] = 1;
    for (uint32_t k = 0; m->loops && k < m->loops->n_free; k++)
        it->is_loop_input[m->loops->free[k]] = 1;
    forget_set(it);
    if (!open_run(it)) {
        fmi_free(it);
        return NULL;
    }
    return it;
}

FmiInstance *fmi_new(bool is_cosimulation, const char *name, const char *token, FmiLog log,
                     const char **wrong)
{
    *wrong = NULL;
    if (!name || !*name)
        *wrong = "an instance needs a name";
    else if (!token || strcmp(token, fmi_config.token) != 0)
        *wrong = "the GUID or instantiation token is that of another FMU";
    if (*wrong)
        return NULL;
    FmiInstance *it = new_instance(is_cosimulation, name, log);
    if (!it)
        *wrong = "out of memory";
    return it;
}

/* The path that a URI names, %20 being a blank; other texts are paths. */
static void put_path(char *to, const char *folder)
{
    bool is_uri = !strncmp(folder, "file:", 5);
    const char *at = is_uri ? folder + 5 : folder;
    if (is_uri && !strncmp(at, "//", 2))
        at += 2 + strcspn(at + 2, "/");
    for (; *at; at++) {
        unsigned code;
        bool is_code = is_uri && *at == '%' && sscanf(at + 1, "%2x", &code) == 1;
        *to++ = is_code ? (char)code : *at;
        at += is_code ? 2 : 0;
    }
    *to = 0;
}

static bool is_there(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f)
        fclose(f);
    return f;
}

bool fmi_place(FmiInstance *it, const char *folder)
{
    it->files = (RungFiles){.path = fmi_config.file,
                            .now = calloc(fmi_config.n_files + (size_t)1, sizeof(char *))};
    if (!it->files.now)
        return false;
    it->files.n = folder && *folder ? fmi_config.n_files : 0;
    for (uint32_t k = 0; k < it->files.n; k++) {
        const char *name = fmi_config.resource[k];
        char *path = malloc(strlen(folder) + strlen(name) + 2);
        if (!path)
            return false;
        put_path(path, folder);
        strcat(strcat(path, "/"), name);
        if (is_there(path)) {
            it->files.now[k] = path;
        } else {
            free(path);
        }
    }
    return true;
}

void fmi_free(FmiInstance *it)
{
    if (!it)
        return;
    close_run(it);
    for (uint32_t k = 0; k < it->files.n; k++)
        free(it->files.now[k]);
    free(it->files.now);
    free(it->p);
    free(it->p_set);
    free(it->u);
    free(it->taylor);
    free(it->u_rate);
    free(it->x);
    free(it->x_set);
    free(it->run.x);
    free(it->xdot);
    free(it->v);
    free(it->z);
    free(it->g);
    free(it->scratch);
    free(it->holds);
    valid_close(&it->valid);
    jump_watch_free(&it->jumps);
    fmi_pulse_free(&it->pulse);
    branches_free(&it->branches);
    scale_close(&it->scale);
    free(it->warned);
    free(it->inside);
    margin_search_free(&it->margins);
    free(it->is_loop_input);
    free(it->is_found);
    free(it->name);
    free(it);
}

bool fmi_renew(FmiInstance *it)
{
    Run *run = &it->run;
    struct Fallback *fallback = fallback_new(run->problem.ctx, run->tolerance);
    Loops *loops = run->problem.loops ? loops_new(it->model) : NULL, *old = run->problem.loops;
    if (!fallback || (old && !loops) || !context_forget(run->problem.ctx)) {
        fallback_delete(fallback);
        loops_delete(loops);
        return false;
    }
    fallback_delete(run->problem.fallback);
    run->problem.fallback = fallback;
    if (old) {
        memcpy(loops->y, old->y, ((size_t)loops->m + loops->k) * sizeof *loops->y);
        memcpy(loops->penalty, old->penalty, loops->m * sizeof *loops->penalty);
        loops->has_penalties = old->has_penalties;
        loops->relax = old->relax;
        loops_delete(old);
        loops_attach(&run->problem, loops);
    }
    linearise_free(it->linear);
    it->linear = NULL;
    it->events.step.has_begin = false;
    is_changed(it);
    return true;
}

FmiStatus fmi_reset(FmiInstance *it)
{
    forget_set(it);
    return open_run(it) ? FMI_OK : fmi_fail(it, FMI_ERROR, "out of memory");
}

FmiStatus fmi_set_experiment(FmiInstance *it, double tolerance, double start, double stop)
{
    if (!isfinite(start) || (!isnan(tolerance) && !(tolerance > 0 && tolerance < 1)))
        return refuse(it, "the start time must be finite, the tolerance between 0 and 1");
    const RungExperiment *e = &it->model->experiment;
    const double end = !isnan(stop) ? stop : e->has_stop ? e->stop : start + 1;
    it->start = start;
    it->span = isfinite(end) && end > start ? end - start : 0;
    if (!isnan(tolerance))
        it->tolerance = tolerance;
    it->is_ready = false;
    return FMI_OK;
}

/* ------------------------------------------------------------------ assertions */

/* MLS 8.3.7: an error stops the run, a warning is reported once. */
static int check_assertions_at(FmiInstance *it, double t, const double *x, bool at_start)
{
    const RungModel *m = it->model;
    Run *run = &it->run;
    if (m->assertions && problem_evaluate(&run->problem, RUNG_ASK_ASSERTIONS, t, x, it->holds)) {
        fail_evaluation(it, 1, "the conditions of assertions cannot be evaluated");
        return 1;
    }
    for (uint32_t k = 0; k < m->n_assertions; k++) {
        const RungAssertion *a = &m->assertion[k];
        bool constant = a->constant != RUNG_NONE;
        if ((constant && !at_start) || it->warned[k] ||
            (constant ? run->problem.ctx->c[a->constant] != 0 : it->holds[k]))
            continue;
        snprintf(it->text, sizeof it->text, "%s%sassertion violated at t = %.9g: %s", a->where,
                 *a->where ? ": " : "", t, context_message(run->problem.ctx, t, x, k, a->message));
        if (!a->is_warning) {
            fmi_fail(it, FMI_ERROR, "%s", it->text);
            return 1;
        }
        say(it, it->text);
        it->warned[k] = 1;
    }
    return 0;
}

static int check_assertions(FmiInstance *it, bool at_start)
{
    return check_assertions_at(it, it->run.t, it->run.x, at_start);
}

static int check_in_event(void *user, Run *run)
{
    (void)run;
    return check_assertions(user, false);
}

/* ------------------------------------------------------------------ the start */

static void take_set(FmiInstance *it)
{
    const RungModel *m = it->model;
    RungContext *ctx = it->run.problem.ctx;
    for (uint32_t k = 0; k < m->n_parameters; k++)
        if (it->p_set[k]) {
            ctx->p[k] = it->p[k];
            ctx->is_set[k] = 1;
        }
    memcpy(ctx->u, it->u, m->n_inputs * sizeof *ctx->u);
}

static bool close_loops(FmiInstance *it)
{
    Run *run = &it->run;
    if (!loops_project_start(&run->problem, run->t, run->x)) {
        fmi_fail(it, FMI_ERROR, "t = %.9g: %s", run->t, run->problem.why);
        return false;
    }
    int status = loops_xdot(&run->problem, run->t, run->x, it->xdot);
    if (status)
        fail_evaluation(it, -1, "the accelerations cannot be computed");
    return !status;
}

/* Before the start delayed expressions have their values at the start, relations in them as well.
 */
static bool begin_events(FmiInstance *it)
{
    enum { ROUNDS = 10 };
    Run *run = &it->run;
    bool ok = !delays_note(run->problem.delays, &run->problem, run->t, run->x) &&
              !events_begin(&it->events, run),
         moved = ok;
    // a given motion may hang on relations, which are known once loops are closed
    for (int round = 0; ok && it->model->loops && round < ROUNDS; round++) {
        if (!loops_are_open(&run->problem, run->t, run->x))
            break;
        if (!close_loops(it))
            return false;
        ok = !events_iterate(&it->events, run);
    }
    for (int round = 0; ok && moved && round < ROUNDS; round++)
        ok = !delays_begin(run->problem.delays, &run->problem, run->t, run->x, &moved) &&
             (!moved || !events_iterate(&it->events, run));
    if (!ok && !it->events.failed)
        fmi_fail(it, FMI_ERROR, "initialisation at t = %.9g: %s", run->t, run->problem.why);
    return ok;
}

static void find_next_event(FmiInstance *it);

static FmiStatus fail_update(FmiInstance *it)
{
    char why[512];
    problem_explain(&it->run.problem, why, sizeof why);
    return fmi_fail(it, FMI_ERROR, "the values that do not change cannot be computed: %s", why);
}

FmiStatus fmi_initialise(FmiInstance *it)
{
    const RungModel *m = it->model;
    Run *run = &it->run;
    if (it->is_ready)
        return FMI_OK;
    if (!open_run(it))
        return fmi_fail(it, FMI_ERROR, "out of memory");
    RungContext *ctx = run->problem.ctx;
    take_set(it);
    if (context_update(ctx))
        return fail_update(it);
    if (m->start(ctx, run->t, run->x))
        return fmi_fail(it, FMI_ERROR, "the start values cannot be computed");
    for (uint32_t k = 0; k < m->n_states; k++)
        if (it->x_set[k])
            run->x[k] = it->x[k];
    context_search(ctx, true);
    events_reset(&it->events, run);
    char why[768];
    if (context_initialise(ctx, run->t, run->x, (InitialFallback){0}, why, sizeof why))
        return fmi_fail(it, FMI_ERROR, "initialisation at t = %.9g: %s", run->t, why);
    for (uint32_t k = 0; k < run->problem.n; k++)
        if (!isfinite(run->x[k]))
            return fmi_fail(it, FMI_ERROR, "the start value of '%s' is not finite",
                            problem_state_name(&run->problem, k));
    if (run->problem.loops && !close_loops(it))
        return FMI_ERROR;
    if (valid_constants(ctx, why, sizeof why) != RUNG_NONE)
        return fmi_fail(it, FMI_ERROR, "%s", why);
    if (!begin_events(it) || check_assertions(it, true))
        return FMI_ERROR;
    context_search(ctx, false);
    find_next_event(it);
    it->is_ready = true;
    is_changed(it);
    return FMI_OK;
}

/* ------------------------------------------------------------------ values */

static bool is_before_start(const FmiInstance *it)
{
    return it->mode == FMI_INSTANTIATED || it->mode == FMI_INITIALIZATION;
}

FmiStatus fmi_settle(FmiInstance *it)
{
    if (!it->parameters_moved)
        return FMI_OK;
    it->parameters_moved = false;
    is_changed(it);
    if (context_update(it->run.problem.ctx))
        return fail_update(it);
    char why[400];
    if (valid_constants(it->run.problem.ctx, why, sizeof why) != RUNG_NONE)
        return fmi_fail(it, FMI_ERROR, "%s", why);
    if (!fmi_renew(it))
        return fmi_fail(it, FMI_ERROR, "out of memory");
    return check_assertions(it, true) ? FMI_ERROR : FMI_OK;
}

/* Before values are read. */
static FmiStatus get_ready(FmiInstance *it)
{
    return is_before_start(it) ? fmi_initialise(it) : fmi_settle(it);
}

static FmiStatus find_xdot(FmiInstance *it)
{
    if (it->has_xdot)
        return FMI_OK;
    Run *run = &it->run;
    int status = problem_xdot(&run->problem, run->t, run->x, it->xdot);
    it->has_xdot = !status;
    return status ? fail_evaluation(it, status, "the derivatives cannot be evaluated") : FMI_OK;
}

static FmiStatus find_values(FmiInstance *it)
{
    if (it->has_values)
        return FMI_OK;
    Run *run = &it->run;
    // with the multipliers that close loops there
    if (run->problem.loops) {
        FmiStatus bad = find_xdot(it);
        if (bad)
            return bad;
        loops_apply(run->problem.loops, run->problem.ctx);
    }
    int status = problem_evaluate(&run->problem, RUNG_ASK_OUTPUTS, run->t, run->x, it->v);
    if (status > 0) {
        // blocks not needed for derivatives have their solutions from the last evaluation of
        // outputs
        context_search(run->problem.ctx, true);
        status = problem_evaluate(&run->problem, RUNG_ASK_OUTPUTS, run->t, run->x, it->v);
        context_search(run->problem.ctx, false);
    }
    char wrong[400];
    if (!status &&
        (valid_finite(run->problem.ctx, run->t, run->x, it->v, wrong, sizeof wrong) != RUNG_NONE ||
         valid_values(&it->valid, run->problem.ctx, run->t, run->x, it->v, wrong, sizeof wrong) !=
             RUNG_NONE))
        return fmi_fail(it, FMI_ERROR, "t = %.9g: %s", run->t, wrong);
    it->has_values = !status;
    if (!status)
        jump_watch_note(&it->jumps, run->problem.ctx, run->t, run->x, it->v);
    memcpy(it->z, run->problem.ctx->z, it->model->n_unknowns * sizeof *it->z);
    return status ? fail_evaluation(it, status, "the variables cannot be evaluated") : FMI_OK;
}

/* Zero-crossing functions at t, with the first guesses of blocks unchanged. */
static int find_relations(FmiInstance *it, double t, double *g)
{
    Run *run = &it->run;
    size_t n = it->model->n_unknowns;
    double *z = it->scratch;
    memcpy(z, run->problem.ctx->z, n * sizeof *z);
    int status = problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, t, run->x, g);
    memcpy(run->problem.ctx->z, z, n * sizeof *z);
    return status;
}

static FmiStatus find_indicators(FmiInstance *it)
{
    Run *run = &it->run;
    if (run->problem.loops) {
        FmiStatus bad = find_xdot(it);
        if (bad)
            return bad;
        loops_apply(run->problem.loops, run->problem.ctx);
    }
    int status = it->model->n_events ? find_relations(it, run->t, it->g) : 0;
    if (!status && it->events.table)
        status = event_contrary_ask(&it->events, run, run->t, run->x, it->g);
    if (status)
        return fail_evaluation(it, status, "the event indicators cannot be evaluated");
    if (!it->is_cosimulation && rung_has_pulses(it->model) && !find_xdot(it))
        fmi_pulse_search(&it->pulse, run, it->xdot, it->next_event, events_have_other, &it->events);
    return FMI_OK;
}

/* After find_indicators. A number for importers where a relation compares with infinity, as with
 * the time of an event that never comes. */
static double indicator(const FmiInstance *it, uint32_t k)
{
    const double z = k < it->model->n_events ? events_indicator(&it->events, k, it->g)
                                             : fmi_pulse_indicator(&it->pulse, it->run.t);
    return isinf(z) ? copysign(DBL_MAX, z) : z;
}

static uint32_t first_derivative(const RungModel *m)
{
    return 1 + m->n_variables;
}

static FmiStatus wrong_reference(FmiInstance *it, uint32_t r)
{
    return refuse(it, "there is no value with reference %u", r);
}

/* Values available without initialisation: independent parameters, inputs, the start time. */
static bool get_start(const FmiInstance *it, unsigned types, uint32_t r, double *value)
{
    const RungModel *m = it->model;
    if (r == 0 && types & FMI_TYPE(FMI_REAL)) {
        *value = it->start;
        return true;
    }
    if (r == 0 || r >= first_derivative(m))
        return false;
    const RungVariable v = rung_variable(m, r - 1);
    if (v.negated || !(types & FMI_TYPE(v.attributes->type)))
        return false;
    if (v.place == RUNG_IN_INPUTS && v.index < m->n_inputs && !it->is_loop_input[v.index]) {
        *value = it->u[v.index];
        return true;
    }
    bool is_set = v.place == RUNG_IN_PARAMETERS && it->p_set[v.index];
    if (!is_set && (v.place != RUNG_IN_PARAMETERS || it->is_found[v.index] ||
                    m->parameter[v.index].is_dependent))
        return false;
    *value = is_set ? it->p[v.index] : m->parameter[v.index].default_value;
    return true;
}

FmiStatus fmi_get(FmiInstance *it, unsigned types, uint32_t r, double *value)
{
    const RungModel *m = it->model;
    uint32_t derivatives = first_derivative(m), indicators = derivatives + m->n_states;
    if (is_before_start(it) && !it->is_ready && get_start(it, types, r, value))
        return FMI_OK;
    FmiStatus status = get_ready(it);
    if (status)
        return status;
    if (r == 0 || r >= derivatives) {
        if (!(types & FMI_TYPE(FMI_REAL)))
            return refuse(it, "the value with reference %u is a Real", r);
        if (r == 0) {
            *value = it->run.t;
        } else if (r < indicators) {
            status = find_xdot(it);
            *value = it->xdot[r - derivatives];
        } else if (r - indicators < rung_n_indicators(m)) {
            status = find_indicators(it);
            if (!status)
                *value = indicator(it, r - indicators);
        } else {
            return wrong_reference(it, r);
        }
        return status;
    }
    const RungVariable v = rung_variable(m, r - 1);
    if (!(types & FMI_TYPE(v.attributes->type)))
        return refuse(it, "'%s' is of another type", v.name);
    // delayed expressions stand among the inputs, too
    bool is_kept = v.place == RUNG_IN_INPUTS && !m->loops && !m->delays;
    bool is_known = v.place == RUNG_IN_STATES || v.place == RUNG_IN_PARAMETERS ||
                    v.place == RUNG_IN_CONSTANTS || v.place == RUNG_IN_NUMBERS ||
                    v.place == RUNG_IS_TIME || is_kept;
    if (is_known) {
        *value = rung_value(it->run.problem.ctx, r - 1, it->run.t, it->run.x, it->v);
        return FMI_OK;
    }
    status = find_values(it);
    if (status)
        return status;
    // as they were found, whatever has been evaluated since
    double *guess = it->run.problem.ctx->z;
    it->run.problem.ctx->z = it->z;
    *value = rung_value(it->run.problem.ctx, r - 1, it->run.t, it->run.x, it->v);
    it->run.problem.ctx->z = guess;
    return FMI_OK;
}

/* Where it is in an ascending list; n: nowhere. */
static uint32_t place_of(const uint32_t *list, uint32_t n, uint32_t r)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle] < r)
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && list[low] == r ? low : n;
}

/* Tunable parameters change at events and between steps (FMI 2.0, 2.2.7; FMI 3.0, 2.4.7.4). */
static bool may_tune(const FmiInstance *it, uint32_t r)
{
    return (it->mode == FMI_EVENT || it->mode == FMI_STEP) &&
           place_of(fmi_config.fixed, fmi_config.n_fixed, r) == fmi_config.n_fixed;
}

FmiStatus fmi_set(FmiInstance *it, unsigned types, uint32_t r, double value)
{
    const RungModel *m = it->model;
    if (r == 0 || r >= first_derivative(m))
        return r == 0 || r < first_derivative(m) + m->n_states + rung_n_indicators(m)
                   ? refuse(it, "the value with reference %u cannot be set", r)
                   : wrong_reference(it, r);
    const RungVariable v = rung_variable(m, r - 1);
    if (!(types & FMI_TYPE(v.attributes->type)))
        return refuse(it, "'%s' is of another type", v.name);
    bool before = is_before_start(it);
    if (v.negated)
        ; // the value belongs to another variable, of which this one is an alias
    else if (v.place == RUNG_IN_INPUTS && v.index < m->n_inputs && !it->is_loop_input[v.index] &&
             m->input[v.index].variable == r - 1) {
        if (before) {
            it->u[v.index] = value;
            it->is_ready = false;
        } else if (it->run.problem.ctx->u[v.index] != value) {
            it->run.problem.ctx->u[v.index] = value;
            it->inputs_moved = true;
            is_changed(it);
        }
        return FMI_OK;
    } else if (v.place == RUNG_IN_PARAMETERS && m->parameter[v.index].variable == r - 1 &&
               m->parameter[v.index].is_settable && !m->parameter[v.index].is_dependent &&
               !it->is_found[v.index] && (before || may_tune(it, r))) {
        if (before) {
            it->p[v.index] = value;
            it->p_set[v.index] = 1;
            it->is_ready = false;
        } else if (it->run.problem.ctx->p[v.index] != value) {
            it->run.problem.ctx->p[v.index] = value;
            it->inputs_moved = it->parameters_moved = true;
        }
        return FMI_OK;
    } else if (v.place == RUNG_IN_STATES && m->state[v.index] == r - 1 &&
               v.attributes->kind == RUNG_STATE) {
        if (before && !m->initial) {
            it->x[v.index] = value;
            it->x_set[v.index] = 1;
            it->is_ready = false;
            return FMI_OK;
        }
        if (!before && !it->is_cosimulation) {
            it->run.x[v.index] = value;
            is_changed(it);
            return FMI_OK;
        }
    }
    return refuse(it, "'%s' cannot be set%s", v.name, before ? "" : " any more");
}

static bool is_text(uint32_t r)
{
    return r >= fmi_config.first_text && r - fmi_config.first_text < fmi_config.n_texts;
}

/* Those of the model that change. */
static const RungStringVariable *string_of(const FmiInstance *it, uint32_t r)
{
    uint32_t first = fmi_config.first_text + fmi_config.n_texts;
    return r >= first && r - first < it->model->n_strings ? &it->model->string[r - first] : NULL;
}

FmiStatus fmi_get_text(FmiInstance *it, uint32_t r, const char **value)
{
    if (is_text(r)) {
        *value = fmi_config.text[r - fmi_config.first_text];
        return FMI_OK;
    }
    const RungStringVariable *v = string_of(it, r);
    if (!v)
        return refuse(it, "there is no String with reference %u", r);
    FmiStatus status = get_ready(it);
    if (!status)
        status = find_values(it);
    if (!status)
        *value = context_text(it->run.problem.ctx, rung_at(it->run.problem.ctx, (RungPlace)v->place,
                                                           v->index, it->run.t, it->run.x, it->v));
    return status;
}

FmiStatus fmi_set_text(FmiInstance *it, uint32_t r, const char *value)
{
    const RungStringVariable *v = string_of(it, r);
    if (v)
        return refuse(it, "'%s' cannot be set: its equations determine it", v->name);
    if (!is_text(r))
        return refuse(it, "there is no String with reference %u", r);
    const char *text = fmi_config.text[r - fmi_config.first_text];
    if (value && strcmp(value, text) == 0) /* importers set all start values */
        return FMI_OK;
    return refuse(
        it,
        "'%s' is a constant of this FMU, \"%s\": the model is translated with the values of "
        "its Strings (rung fmu --set)",
        fmi_config.text_name[r - fmi_config.first_text], text);
}

uint32_t fmi_size(uint32_t r)
{
    uint32_t k = place_of(fmi_config.array, fmi_config.n_arrays, r);
    return k < fmi_config.n_arrays ? fmi_config.size[k] : 1;
}

/* ------------------------------------------------------------------ model exchange */

FmiStatus fmi_set_time(FmiInstance *it, double t)
{
    if (t != it->run.t)
        is_changed(it);
    it->run.t = t;
    return FMI_OK;
}

FmiStatus fmi_set_states(FmiInstance *it, const double *x, size_t n)
{
    if (n != it->run.problem.n)
        return refuse(it, "the model has %u states, not %zu", it->run.problem.n, n);
    if (n && memcmp(it->run.x, x, n * sizeof *x) != 0) {
        memcpy(it->run.x, x, n * sizeof *x);
        is_changed(it);
    }
    return FMI_OK;
}

FmiStatus fmi_derivatives(FmiInstance *it, double *xdot, size_t n)
{
    if (n != it->run.problem.n)
        return refuse(it, "the model has %u states, not %zu", it->run.problem.n, n);
    FmiStatus status = get_ready(it);
    status = status ? status : find_xdot(it);
    if (!status && n)
        memcpy(xdot, it->xdot, n * sizeof *xdot);
    return status;
}

FmiStatus fmi_states(FmiInstance *it, double *x, size_t n)
{
    if (n != it->run.problem.n)
        return refuse(it, "the model has %u states, not %zu", it->run.problem.n, n);
    FmiStatus status = is_before_start(it) ? fmi_initialise(it) : FMI_OK;
    if (!status && n)
        memcpy(x, it->run.x, n * sizeof *x);
    return status;
}

FmiStatus fmi_nominals(FmiInstance *it, double *nominal, size_t n)
{
    if (n != it->run.problem.n)
        return refuse(it, "the model has %u states, not %zu", it->run.problem.n, n);
    if (n)
        memcpy(nominal, it->model->nominal, n * sizeof *nominal);
    return FMI_OK;
}

FmiStatus fmi_indicators(FmiInstance *it, double *z, size_t n)
{
    const uint32_t wanted = rung_n_indicators(it->model);
    if (n != wanted)
        return refuse(it, "the model has %u event indicators, not %zu", wanted, n);
    FmiStatus status = get_ready(it);
    status = status || !n ? status : find_indicators(it);
    for (uint32_t k = 0; k < n && !status; k++)
        z[k] = indicator(it, k);
    return status;
}

/* ------------------------------------------------------------------ events */

/* The first number from t on, a few roundings about it, at which relation k is another. */
static double exact_crossing(FmiInstance *it, uint32_t k, const RungMemory *m, bool now, double t)
{
    enum { BEFORE = 4, TRIES = 12 };
    double *g = it->scratch + it->model->n_unknowns;
    for (int i = 0; i < BEFORE; i++)
        t = nextafter(t, -INFINITY);
    for (int i = 0; i < TRIES; i++, t = nextafter(t, INFINITY)) {
        if (find_relations(it, t, g))
            return INFINITY;
        if (rung_is_true(m, g[k]) != now)
            return t;
    }
    return t;
}

/* Relations that are linear functions of time alone give the time of their change. */
static double next_crossing(FmiInstance *it)
{
    const RungModel *m = it->model;
    const Events *e = &it->events;
    Run *run = &it->run;
    double next = INFINITY, t = run->t;
    bool any = false;
    for (uint32_t k = 0; k < e->r.n; k++)
        any = any || e->table->memory[e->relation[k]].is_exact;
    if (!any || find_relations(it, t, it->g))
        return next;
    size_t n = m->n_events;
    double *at = calloc(2 * n + 1, sizeof *at);
    static const double AHEAD[2] = {1, 2};
    bool known =
        at && !find_relations(it, t + AHEAD[0], at) && !find_relations(it, t + AHEAD[1], at + n);
    for (uint32_t k = 0; k < e->r.n && known; k++) {
        const RungMemory *memory = &e->table->memory[e->relation[k]];
        if (!memory->is_exact)
            continue;
        double a = it->g[k], b = at[k], c = at[n + k], slope = b - a;
        double size = fabs(a) + fabs(b) + fabs(c);
        if (!isfinite(size) || slope == 0 || fabs(a - 2 * b + c) > 1e-12 * size)
            continue;
        double when = t - a / slope;
        bool now = rung_is_true(memory, a);
        // at the root itself a relation may still have the value from before and change just after
        // it
        if (!(when >= t) || !isfinite(when) || when >= next)
            continue;
        double exact = exact_crossing(it, k, memory, now, when);
        if (exact > t)
            next = fmin(next, exact);
    }
    free(at);
    return next;
}

static void find_next_event(FmiInstance *it)
{
    const Run *run = &it->run;
    double next = events_next_time(&it->events, run);
    // co-simulation finds the others itself
    if (!it->is_cosimulation) {
        next = fmin(next, next_crossing(it));
        next = fmin(next, run->t + delays_reach(run->problem.delays));
        next = fmin(next, delays_arrival(run->problem.delays));
        next = fmin(next, it->pulse.next);
    }
    it->next_event = next;
}

/* The importer's time of an event may differ from ours by a few roundings. */
static const double SAME = 1e-13;

static void snap_to_event(FmiInstance *it)
{
    double t = it->run.t, next = it->next_event;
    if (t < next && next - t <= SAME * (fabs(t) + 1)) {
        it->run.t = next;
        is_changed(it);
    }
}

/* Before an event and behind it: variables that jump although equations use their derivatives.
 * Solutions of blocks stay as they are. False where there is nothing to compare. */
static bool watch_jumps(FmiInstance *it, bool is_behind)
{
    Run *run = &it->run;
    RungContext *ctx = run->problem.ctx;
    const size_t size = it->model->n_unknowns * sizeof *it->z;
    if (!jump_watch_has_any(it->model))
        return false;
    it->has_values = false;
    memcpy(it->z, ctx->z, size);
    bool ok = !problem_evaluate(&run->problem, RUNG_ASK_OUTPUTS, run->t, run->x, it->v);
    if (ok && !is_behind)
        jump_watch_before(&it->jumps, ctx, run->tolerance, run->t, run->x, it->v);
    for (uint32_t at = 0;
         ok && is_behind &&
         jump_watch_next(&it->jumps, ctx, run->t, run->x, it->v, &at, it->text, sizeof it->text);)
        say(it, it->text);
    memcpy(ctx->z, it->z, size);
    return ok;
}

/* As in a run: handles the event, then projects closed loops. */
static int change(FmiInstance *it)
{
    Run *run = &it->run;
    double *before = it->scratch;
    if (run->problem.loops && loops_project(&run->problem, run->t, run->x))
        return 1;
    memcpy(before, run->x, run->problem.n * sizeof *before);
    bool compares = watch_jumps(it, false);
    delays_pass(run->problem.delays, &run->problem, run->t, run->x);
    context_collect_texts(run->problem.ctx, it->v);
    int status = it->events.table ? events_handle(&it->events, run) : 0;
    bool moved = memcmp(before, run->x, run->problem.n * sizeof *before) != 0;
    uint32_t set = RUNG_NONE;
    if (!status && moved && run->problem.loops)
        status = loops_project_event(&run->problem, run->t, run->x, before, &set);
    if (!status && set != RUNG_NONE) {
        snprintf(it->text, sizeof it->text,
                 "t = %.9g: the loops do not allow what 'reinit' asks for; '%s' becomes %.9g",
                 run->t, problem_state_name(&run->problem, set), run->x[set]);
        say(it, it->text);
    }
    status = status ? status : delays_note(run->problem.delays, &run->problem, run->t, run->x);
    if (!status)
        delays_pass(run->problem.delays, &run->problem, run->t, run->x);
    if (!status && compares)
        watch_jumps(it, true);
    return status;
}

/* The next step of the importer begins here. */
static void begin_pulse(FmiInstance *it)
{
    if (!it->is_cosimulation && rung_has_pulses(it->model))
        fmi_pulse_begin(&it->pulse, &it->run, find_xdot(it) ? NULL : it->xdot);
}

FmiStatus fmi_terminate(FmiInstance *it)
{
    if (it->has_terminated || !events_has_end(&it->events))
        return FMI_OK;
    it->has_terminated = true;
    if (fmi_settle(it))
        return FMI_ERROR;
    const bool fails = events_end(&it->events, &it->run);
    is_changed(it);
    return fails
               ? fmi_fail(it, FMI_ERROR, "the end at t = %.9g: %s", it->run.t, it->run.problem.why)
               : FMI_OK;
}

FmiStatus fmi_handle_event(FmiInstance *it, FmiEvent *event)
{
    FmiStatus unsettled = fmi_settle(it);
    if (unsettled)
        return unsettled;
    Run *run = &it->run;
    size_t n = run->problem.n, n_memory = it->events.table ? it->events.table->n_memory : 0;
    double *before = malloc((n + n_memory + 1) * sizeof *before), *memory = before + n;
    if (!before)
        return fmi_fail(it, FMI_ERROR, "out of memory");
    memcpy(before, run->x, n * sizeof *before);
    if (n_memory)
        memcpy(memory, it->events.r.memory, n_memory * sizeof *memory);
    snap_to_event(it);
    // both sides of a jump at the same time
    int status =
        it->is_cosimulation ? 0 : delays_note(run->problem.delays, &run->problem, run->t, run->x);
    status = status ? status : change(it);
    // derivatives change with memory, too: importers that have integrated beyond the event start
    // anew only if a change of states is reported
    event->states_changed =
        memcmp(before, run->x, n * sizeof *before) != 0 ||
        (n_memory && memcmp(memory, it->events.r.memory, n_memory * sizeof *memory) != 0);
    free(before);
    if (status)
        return it->events.failed
                   ? FMI_ERROR
                   : fmi_fail(it, FMI_ERROR, "event at t = %.9g: %s", run->t, run->problem.why);
    is_changed(it);
    event->terminate = it->events.is_over;
    if (event->terminate && fmi_terminate(it))
        return FMI_ERROR;
    if (event->terminate) {
        uint32_t k =
            it->model->n_assertions + (uint32_t)(it->events.over - it->events.table->action);
        snprintf(it->text, sizeof it->text, "the model ends the run at t = %.9g: %s", run->t,
                 context_message(run->problem.ctx, run->t, run->x, k, it->events.over->message));
        it->log(it, FMI_OK, "logEvents", it->text);
    }
    fmi_pulse_pass(&it->pulse, run, event->states_changed);
    begin_pulse(it);
    find_next_event(it);
    event->next_time = it->next_event;
    return FMI_OK;
}

/* Equations that no step solves go on with the solution that they have; at the end of a step of the
 * importer. Inputs and events may make them jump. */
static FmiStatus check_branches(FmiInstance *it)
{
    Run *run = &it->run;
    RungContext *ctx = run->problem.ctx;
    Branches *b = &it->branches;
    if (it->inputs_moved || it->events.n != it->n_events)
        branches_forget(b);
    it->n_events = it->events.n;
    if (run->problem.loops || !branches_have_any(b, it->model, ctx->z))
        return FMI_OK;
    FmiStatus status = find_values(it);
    char text[400];
    if (!status && !branches_continue(b, &run->problem, run->t, run->x, it->v, text, sizeof text))
        status = fmi_fail(it, FMI_ERROR, "t = %.9g: %s", run->t, text);
    memcpy(it->z, ctx->z, it->model->n_unknowns * sizeof *it->z);
    return status;
}

/* The violation of constraints after an importer's step above which loops are closed again. */
static const double APART = 1e-5;

FmiStatus fmi_completed_step(FmiInstance *it, bool *enter_event_mode)
{
    Run *run = &it->run;
    *enter_event_mode = false;
    if (check_assertions(it, false))
        return FMI_ERROR;
    if (run->problem.delays && fmi_pulse_record(&it->pulse, run, find_xdot(it) ? NULL : it->xdot))
        return fmi_fail(it, FMI_ERROR, "t = %.9g: %s", run->t, run->problem.why);
    if (it->events.r.n) {
        FmiStatus status = find_indicators(it);
        if (status)
            return status;
        *enter_event_mode = events_differ(&it->events, it->g);
    }
    if (check_branches(it))
        return FMI_ERROR;
    if (it->pulse.at < INFINITY && it->pulse.peak <= run->t) {
        snprintf(it->text, sizeof it->text,
                 "t = %.9g: the step has passed over a pulse at t = %.9g, which an event indicator "
                 "has told",
                 run->t, it->pulse.peak);
        say(it, it->text);
    }
    begin_pulse(it);
    double phi = 0;
    if (run->problem.loops && !loops_phi(&run->problem, run->t, run->x, &phi, NULL, NULL) &&
        phi > APART)
        *enter_event_mode = true;
    return FMI_OK;
}

/* ------------------------------------------------------------------ co-simulation */

static FmiStatus fail_step(FmiInstance *it)
{
    return fmi_fail(it, FMI_ERROR, "t = %.9g: %s", it->run.t, it->run.problem.why);
}

/* A piece of a step of the importer: from one start of the method to the next. */
typedef struct FmiPiece {
    FmiInstance *it;
    const Integrator *method;
    void *self;
    uint64_t rejected; /* steps, before the last one                                    */
    bool may_retry;    /* the first step has the length of another piece                */
    bool is_first;     /* no step has been made                                         */
    bool found;        /* an event, which the importer's step handles                   */
    bool arrives;      /* a jump that was delayed                                       */
    bool returned;     /* the importer wants to return early                            */
} FmiPiece;

/* A first step that was too long has left guesses that are of no use: as at the start. */
static int begin_anew(FmiPiece *piece)
{
    FmiInstance *it = piece->it;
    Run *run = &it->run;
    piece->may_retry = false;
    piece->method->close(piece->self);
    memcpy(run->problem.ctx->z, it->scratch, it->model->n_unknowns * sizeof *it->scratch);
    it->h = run->step = NAN;
    piece->is_first = true;
    *run->problem.why = 0;
    piece->self = piece->method->open(run);
    return piece->self ? 0 : -1;
}

static int piece_step(void *self, double t, double stop, double *end)
{
    FmiPiece *piece = self;
    FmiInstance *it = piece->it;
    Run *run = &it->run;
    (void)t;
    time_terms_stop(run->time_terms, run, piece->method, piece->self, stop, piece->is_first);
    piece->is_first = false;
    memcpy(it->scratch, run->problem.ctx->z, it->model->n_unknowns * sizeof *it->scratch);
    int failed = piece->method->step(piece->self, run);
    if (failed && piece->may_retry && !begin_anew(piece))
        return piece_step(piece, t, stop, end);
    if (!failed)
        scale_step(run->problem.scale, &run->problem, run->t, run->x);
    *end = run->t;
    return failed ? -1 : 0;
}

/* The length of steps, for the next piece: not of one that `stop` has cut short. */
static void keep_step(FmiPiece *piece)
{
    FmiInstance *it = piece->it;
    const Run *run = &it->run;
    bool cut = run->t >= run->stop && it->counts.rejected == piece->rejected;
    if (!cut)
        it->h = run->h;
    else if (isnan(it->h) || run->h > it->h / 2)
        it->h = 2 * run->h;
    piece->rejected = it->counts.rejected;
}

static int piece_look(void *self, double t, double end, double *at, RungFound *found)
{
    FmiPiece *piece = self;
    FmiInstance *it = piece->it;
    Run *run = &it->run;
    double back;
    if (events_look(&it->events, run, piece->method, piece->self, t, &piece->found))
        return -1;
    keep_step(piece);
    *at = piece->found ? it->events.step.t : end;
    *found = piece->found ? RUNG_FOUND_EVENT : RUNG_FOUND_NOTHING;
    if (time_terms_passed(run->time_terms, run, piece->method, piece->self, t, *at,
                          events_have_other, &it->events, &back)) {
        *found = RUNG_FOUND_SHORTER;
        *at = back;
        piece->found = false;
    }
    const Inside inside = inside_of(run, piece->method, piece->self);
    piece->arrives =
        delays_passed(run->problem.delays, &run->problem, &inside.interpolant, t, *at, &back);
    if (piece->arrives) {
        *found = RUNG_FOUND_SHORTER;
        *at = back;
        piece->found = false;
    }
    return 0;
}

/* Violations of assertions between t0 and (t, x) in the last step. */
static int check_inside(FmiPiece *piece, double t0, double t, const double *x)
{
    FmiInstance *it = piece->it;
    MarginSearch *margins = &it->margins;
    int violated = 0;
    for (double at; !violated && margin_search_find(margins, &it->run, piece->method, piece->self,
                                                    it->warned, t0, t, x, &at);
         t0 = at) {
        piece->method->at(piece->self, &it->run, at, margins->x);
        violated = check_assertions_at(it, at, margins->x, false);
    }
    return violated;
}

static int piece_observe(void *self, double t, double at, RungFound found)
{
    FmiPiece *piece = self;
    FmiInstance *it = piece->it;
    Run *run = &it->run;
    const Inside inside = inside_of(run, piece->method, piece->self);
    int lost = delays_record(run->problem.delays, &run->problem, &inside.interpolant,
                             run->tolerance, t, at);
    if (found == RUNG_FOUND_SHORTER)
        piece->method->at(piece->self, run, at, it->inside);
    int violated = check_inside(piece, t, at,
                                found == RUNG_FOUND_EVENT     ? it->events.step.x
                                : found == RUNG_FOUND_SHORTER ? it->inside
                                                              : run->x);
    if (found == RUNG_FOUND_EVENT)
        events_go(&it->events, run);
    if (found == RUNG_FOUND_SHORTER) {
        memcpy(run->x, it->inside, run->problem.n * sizeof *run->x);
        run->t = at;
        lost = (run->problem.loops && loops_project(&run->problem, run->t, run->x)) || lost;
    }
    is_changed(it);
    if (violated || lost || check_assertions(it, false))
        return -1;
    if (it->stepped)
        it->stepped(it, run->t, &piece->returned);
    it->counts.steps++;
    return piece->returned ? -1 : 0;
}

/* Handled by who takes the importer's step. */
static int piece_pass(void *self, double at, double end, double *stop, int *restarts)
{
    (void)self, (void)at, (void)end, (void)stop;
    *restarts = 1;
    return 0;
}

/* Steps to `stop` or the first event before it. */
static FmiStatus integrate(FmiInstance *it, double stop, bool *found, bool *returned)
{
    static const RungAdvance operations = {piece_step, piece_look, piece_observe, piece_pass};
    Run *run = &it->run;
    // without states there is nothing to integrate: one step
    FmiPiece piece = {.it = it,
                      .method = run->problem.n ? &integrator_esdirk : &integrator_rk4,
                      .rejected = it->counts.rejected,
                      .may_retry = run->problem.n && !isnan(it->h),
                      .is_first = true};
    double reach = delays_reach(run->problem.delays), t = run->t;
    run->problem.piece_start = run->t;
    run->stop = stop;
    run->step = run->problem.n ? it->h : stop - run->t;
    if (run->stop - run->t > (1 + 1e-9) * reach)
        run->stop = run->t + reach;
    delays_watch(run->problem.delays);
    delays_pass(run->problem.delays, &run->problem, run->t, run->x);
    run->stop = fmin(run->stop, delays_arrival(run->problem.delays));
    // no data are kept over steps of the importer, so that a restored state continues identically
    it->events.step.has_begin = false;
    margin_search_forget(&it->margins);
    *run->problem.why = 0;
    scale_begin(run->problem.scale, &run->problem,
                &(ScaleRun){run->t, it->start, it->span, run->tolerance}, run->x);
    events_find_sizes(&it->events, run);
    piece.self = piece.method->open(run);
    if (!piece.self)
        return fmi_fail(it, FMI_ERROR, "t = %.9g: %s", run->t,
                        *run->problem.why ? run->problem.why : "out of memory");
    time_terms_forget(run->time_terms);
    RungEnded ended = rung_advance(&operations, &piece, &t, run->stop);
    if (piece.self)
        piece.method->close(piece.self);
    *found = piece.found || piece.arrives || delays_arrive(run->problem.delays, run->t);
    *returned = piece.returned;
    if (ended != RUNG_ENDED_FAILED || piece.returned)
        return FMI_OK;
    // a failed assertion has been reported
    return it->mode == FMI_FAILED ? FMI_ERROR : fail_step(it);
}

FmiStatus fmi_set_input_rate(FmiInstance *it, uint32_t r, int order, double value)
{
    const RungModel *m = it->model;
    uint32_t k = r > 0 && r <= m->n_variables ? rung_variable(m, r - 1).index : m->n_inputs;
    if (k >= m->n_inputs || m->input[k].variable != r - 1 || it->is_loop_input[k] ||
        rung_variable(m, r - 1).attributes->type != RUNG_REAL)
        return refuse(it, "the value with reference %u is no input of type Real", r);
    if (order < 1 || order >= FMI_ORDERS)
        return refuse(it, "derivatives of inputs have orders from 1 to %d", FMI_ORDERS - 1);
    static const double factorial[FMI_ORDERS] = {1, 1, 2, 6};
    it->taylor[FMI_ORDERS * k + (uint32_t)order] = value / factorial[order];
    it->has_taylor = true;
    if (order == 1)
        it->u_rate[k] = value;
    return FMI_OK;
}

/* Makes inputs polynomials from now on, or constants at their present values. False when out of
 * memory. */
static bool begin_inputs(FmiInstance *it, InputData *data, double *t)
{
    const RungModel *m = it->model;
    Run *run = &it->run;
    InputSignal *signal = it->has_taylor ? calloc(m->n_inputs, sizeof *signal) : NULL;
    *data = (InputData){.n_rows = 1, .t = t, .stride = 1, .signal = signal};
    *t = run->t;
    for (uint32_t k = 0; signal && k < m->n_inputs; k++) {
        double *taylor = it->taylor + FMI_ORDERS * k;
        bool is_constant = taylor[1] == 0 && taylor[2] == 0 && taylor[3] == 0;
        taylor[0] = run->problem.ctx->u[k];
        if (!is_constant)
            signal[data->n++] = (InputSignal){k, INPUT_TAYLOR, taylor, FMI_ORDERS};
    }
    run->problem.inputs = signal ? inputs_new(data, run->t) : NULL;
    return !it->has_taylor || run->problem.inputs;
}

/* Inputs keep their values at the end. */
static void end_inputs(FmiInstance *it, InputData *data)
{
    inputs_refresh(it->run.problem.inputs, it->run.problem.ctx, it->run.t);
    inputs_free(it->run.problem.inputs);
    it->run.problem.inputs = NULL;
    free((void *)data->signal);
    double h = it->run.t - *data->t;
    for (uint32_t k = 0; k < it->model->n_inputs; k++) {
        const double *a = it->taylor + FMI_ORDERS * k;
        it->u_rate[k] = a[1] + h * (2 * a[2] + 3 * h * a[3]);
    }
    if (it->has_taylor)
        memset(it->taylor, 0, FMI_ORDERS * (size_t)it->model->n_inputs * sizeof *it->taylor);
    it->has_taylor = false;
}

FmiStatus fmi_step(FmiInstance *it, double t, double h, double *reached, bool *event)
{
    Run *run = &it->run;
    *event = false;
    *reached = run->t;
    double stop = t + h;
    if (!(h >= 0) || fabs(t - run->t) > 1e-9 * fmax(1, fabs(t)))
        return refuse(it, "a step from t = %.9g by %.9g cannot be made at t = %.9g", t, h, run->t);
    FmiStatus status = fmi_settle(it);
    if (status)
        return status;
    FmiEvent what;
    InputData data;
    double begin;
    bool returned = false;
    if (!begin_inputs(it, &data, &begin)) {
        end_inputs(it, &data);
        return fmi_fail(it, FMI_ERROR, "out of memory");
    }
    if (it->inputs_moved && it->events.table && !it->uses_events)
        status = fmi_handle_event(it, &what);
    bool inputs_moved = it->inputs_moved;
    it->inputs_moved = false;
    time_terms_begin(run->time_terms);
    while (!status && run->t < stop && !it->events.is_over && !returned && !*event) {
        double next = events_next_time(&it->events, run);
        bool found = next <= run->t;
        if (!found)
            status = integrate(it, fmin(stop, next), &found, &returned);
        if (status || !found)
            continue;
        *event = it->uses_events && it->returns_early;
        if (!*event)
            status = fmi_handle_event(it, &what);
    }
    *reached = run->t;
    if (h > 0)
        it->last_step = h;
    end_inputs(it, &data);
    is_changed(it);
    if (inputs_moved)
        branches_forget(&it->branches);
    return status || it->events.is_over ? status : check_branches(it);
}
