/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate.h"
#include "delay.h"
#include "discrete_adjoint.h"
#include "event_tape.h"
#include "fallback.h"
#include "initial.h"
#include "input.h"
#include "loops.h"
#include "rates_along.h"
#include "run_parts.h"
#include "saltation.h"
#include "time_terms.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ messages */

void simulation_fail(Simulation *it, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(it->s->error, sizeof it->s->error, fmt, args);
    va_end(args);
}

void simulation_say(const Simulation *it, const char *text)
{
    const SimulateOptions *o = it->o;
    if (o->message)
        o->message(o->user, text);
    else
        fprintf(stderr, "warning: %s\n", text);
}

/* Of several patterns of --signals those that mean nothing. */
static void tell_unmatched(Simulation *it)
{
    const RungModel *m = it->run.problem.model;
    const SimulateOptions *o = it->o;
    size_t n;
    for (const char *p = o->signals; (p = result_unmatched(m, p, &n)) != NULL;) {
        char text[300];
        snprintf(text, sizeof text, "no variable is called like '%.*s'", (int)fmin((double)n, 200),
                 p);
        simulation_say(it, text);
        p += n;
        if (!*p++)
            return;
    }
}

static void tell_rounding(const Simulation *it, double tolerance)
{
    static const double LEAST = 10 * DBL_EPSILON;
    char text[120];
    snprintf(text, sizeof text, "a tolerance of %.3g is below the rounding of a step, about %.1e",
             tolerance, DBL_EPSILON);
    if (tolerance < LEAST)
        simulation_say(it, text);
}

/* The shortest step that t resolves. */
double simulation_least_step(const Simulation *it)
{
    const Run *run = &it->run;
    return 16 * DBL_EPSILON * fmax(fabs(run->t), fabs(run->stop));
}

/* ------------------------------------------------------------------ options */

static double or_else(double a, bool has, double b, double otherwise)
{
    return !isnan(a) ? a : has ? b : otherwise;
}

/* Where a run that goes on begins. */
typedef struct Saved {
    double start, interval;
} Saved;

/* Why the choices of how loops are closed cannot be made; NULL where they can. */
static const char *wrong_choice(const Simulation *it)
{
    const RungModel *m = it->run.problem.model;
    const ClosingChoice *c = &it->o->closing;
    if (!closing_choice_is_made(c))
        return NULL;
    if (it->method != &integrator_ali3p && it->method != &integrator_penalty &&
        it->method != &integrator_trapezoid)
        return "--alpha, --penalty, --projections and --projection need --method ali3p, penalty or "
               "trapezoid";
    if (!m->loops)
        return "--alpha, --penalty, --projections and --projection need a closed loop, which the "
               "model does not have";
    if (c->alpha > 0 && c->penalty > 0)
        return "either --alpha or --penalty, not both";
    return m->sensitivity && (c->projections || c->matrix)
               ? "--projections and --projection cannot be chosen with derivatives by parameters"
               : NULL;
}

static int choose_options(Simulation *it, const Saved *saved)
{
    const RungModel *m = it->run.problem.model;
    const SimulateOptions *o = it->o;
    const RungExperiment *e = &m->experiment;
    SimulateSummary *s = it->s;
    // only trapezoidal steps take a penalty
    it->run.by_penalty = o->loops && !strcmp(o->loops, "penalty");
    const Integrator *method = it->method = methods_choose(it);
    if (!method)
        return SIMULATE_USAGE;
    s->method = method->name;
    s->form = method->form;
    s->start = saved ? saved->start : or_else(o->start, e->has_start, e->start, 0);
    s->stop = or_else(o->stop, e->has_stop, e->stop, s->start + 1);
    s->tolerance = or_else(o->tolerance, e->has_tolerance, e->tolerance, 1e-6);
    s->interval = or_else(o->interval, saved || e->has_interval,
                          saved ? saved->interval : e->interval, (s->stop - s->start) / 500);
    s->t = s->start;
    const char *wrong = NULL;
    if (saved && s->stop <= s->start)
        wrong = "the saved state is not before the stop time: give a later --stop";
    else if (!isnan(o->save_interval) && !(o->save_interval > 0))
        wrong = "the interval of saving must be positive";
    else if (!isfinite(s->start) || !isfinite(s->stop))
        wrong = "start and stop must be finite";
    else if (s->stop < s->start)
        wrong = "stop is before start";
    else if (!(s->tolerance > 0 && s->tolerance < 1))
        wrong = "the tolerance must be between 0 and 1";
    else if (s->stop > s->start && !(s->interval > 0 && isfinite(s->interval)))
        wrong = "the interval must be positive";
    else if (!isnan(o->step) && !(o->step > 0 && isfinite(o->step)))
        wrong = "the step must be positive";
    if (!wrong && o->result)
        wrong = result_wrong_name(o->result);
    if (wrong) {
        simulation_fail(it, "%s", wrong);
        return SIMULATE_USAGE;
    }
    const char *no_choice = wrong_choice(it);
    if (no_choice) {
        simulation_fail(it, "%s", no_choice);
        return SIMULATE_USAGE;
    }
    const char *why = o->signals ? result_wrong_signals(m, o->result, o->signals) : NULL;
    if (why) {
        simulation_fail(it, "%s '%s'", why, o->signals);
        return SIMULATE_USAGE;
    }
    tell_unmatched(it);
    tell_rounding(it, s->tolerance);
    s->step = m->n_states && method->fixed_step ? o->step : 0;
    s->n_sensitivities = m->sensitivity ? m->sensitivity->n : 0;
    // where rates of derivatives jump inside of steps the states' errors say nothing of theirs
    const bool has_kinks = m->sensitivity && m->sensitivity->has_kinks;
    s->sensitivity_tolerance =
        o->sensitivity_tolerance > 0 || !has_kinks ? o->sensitivity_tolerance : s->tolerance;
    if (m->sensitivity && method->has_no_derivatives) {
        simulation_fail(it, "no derivatives by parameters with '%s': take esdirk, dopri5 or ali3p",
                        s->method);
        return SIMULATE_USAGE;
    }
    if (o->gradient && (!m->adjoint || (m->n_states && !method->keeps_tape))) {
        simulation_fail(
            it, "no adjoint of '%s': take esdirk, dopri5, trapezoid or ali3p, or --mode direct",
            s->method);
        return SIMULATE_USAGE;
    }
    if (isnan(s->step)) {
        simulation_fail(
            it,
            "'%s' takes steps of one length and does not control the error: give --step, or take "
            "--method %s",
            s->method, "esdirk");
        return SIMULATE_USAGE;
    }
    return SIMULATE_OK;
}

/* ------------------------------------------------------------------ parameters and the start */

static int set_parameters(Simulation *it)
{
    RungContext *ctx = it->run.problem.ctx;
    const SimulateOptions *o = it->o;
    for (uint32_t k = 0; k < o->n_set; k++) {
        const char *text = o->set[k], *eq = strrchr(text, '=');
        if (!eq || eq == text) {
            simulation_fail(it, "'%s' is not of the form name=value", text);
            return SIMULATE_USAGE;
        }
        size_t n = (size_t)(eq - text);
        char *name = malloc(n + 1);
        if (!name) {
            simulation_fail(it, "out of memory");
            return SIMULATE_FILE;
        }
        memcpy(name, text, n);
        name[n] = 0;
        static const char *const why[] = {
            [SET_UNKNOWN] = "the model has no variable of that name",
            [SET_NOT_PARAMETER] = "it is not a parameter; a start value is given by --start",
            [SET_FIXED] = "it is fixed when the model is compiled (constant, final or structural)",
            [SET_INITIAL] =
                "the initial equations determine it (fixed = false); its first guess is a "
                "start value, --start",
            [SET_BAD_VALUE] = "the value does not fit its type",
        };
        ContextSet r = context_set(ctx, name, eq + 1);
        if (r != SET_OK)
            simulation_fail(it, "cannot set '%s' to '%s': %s", name, eq + 1, why[r]);
        free(name);
        if (r != SET_OK)
            return SIMULATE_MODEL;
    }
    return SIMULATE_OK;
}

/* The start onto the constraints, and the accelerations that keep it there. */
static int close_loops(Simulation *it)
{
    Run *run = &it->run;
    SimulateSummary *s = it->s;
    s->has_loops = true;
    if (run->tape)
        tape_start(run->tape, run);
    if (!loops_project_start(&run->problem, run->t, run->x)) {
        simulation_fail(it, "t = %.9g: %s", run->t, run->problem.why);
        return SIMULATE_FAILED;
    }
    double *xdot = calloc(run->problem.n + (size_t)1, sizeof *xdot);
    int status = xdot ? loops_xdot(&run->problem, run->t, run->x, xdot) : -1;
    free(xdot);
    if (status) {
        const char *failure = run_last_failure(run);
        simulation_fail(it, "t = %.9g: the accelerations cannot be computed%s%s", run->t,
                        failure ? "; " : "", failure ? failure : "");
        return SIMULATE_FAILED;
    }
    return SIMULATE_OK;
}

/* Relations are known once loops are closed, and a given motion may hang on them: if time < 1 then
 * 0 else time - 1. */
static int close_again(Simulation *it)
{
    enum { ROUNDS = 5 };
    Run *run = &it->run;
    for (int round = 0; round < ROUNDS && loops_are_open(&run->problem, run->t, run->x); round++) {
        if (run->tape) {
            simulation_fail(it, "no adjoint: what happens at the start opens closed kinematic "
                                "loops again (--mode direct)");
            return SIMULATE_FAILED;
        }
        int status = close_loops(it);
        if (status)
            return status;
        if (events_iterate(&it->events, run)) {
            if (!it->events.failed)
                simulation_fail(it, "event at t = %.9g: %s", run->t, run->problem.why);
            return SIMULATE_MODEL;
        }
    }
    return SIMULATE_OK;
}

/* ------------------------------------------------------------------ the parts of a run */

/* All that a run is made of besides its states: new, as before the start. */
static bool open_parts(Simulation *it)
{
    Run *run = &it->run;
    Events *events = &it->events;
    const RungModel *m = run->problem.model;
    run->problem.ctx = context_new(m);
    loops_attach(&run->problem, m->loops ? loops_new(m) : NULL);
    run->problem.fallback =
        run->problem.ctx ? fallback_new(run->problem.ctx, run->tolerance) : NULL;
    run->problem.along = rates_along_new(m);
    run->problem.newton_pause = run->problem.newton_left = 0;
    run->problem.is_numeric = it->o->with_pivoting;
    run->problem.delays = delays_new(&run->problem);
    run->time_terms = time_terms_new(m);
    run->problem.scale = calloc(1, sizeof *run->problem.scale);
    it->behaviour = (Behaviour){0};
    run->sensitivity = calloc(1, sizeof *run->sensitivity);
    bool ok = run->sensitivity && sensitivity_new(run->sensitivity, m) && run->problem.ctx &&
              run->problem.scale && scale_open(run->problem.scale, &run->problem) &&
              spectral_radius_open(&it->behaviour.radius, &run->problem) && run->problem.fallback &&
              (run->problem.loops || !m->loops) && (run->problem.along || !rates_along_needed(m)) &&
              (run->problem.delays || !delays_needed(m)) &&
              (run->time_terms || !time_terms_needed(m)) && events_new(events, run) &&
              sensitivity_watch(run->sensitivity, events) &&
              drift_open(&it->drift, m, run->problem.ctx, it->o->stabilises);
    if (ok && run->tape)
        event_tape_watch(run->tape, events);
    return ok;
}

static void close_parts(Simulation *it)
{
    Run *run = &it->run;
    Events *events = &it->events;
    if (run->problem.ctx)
        run->problem.counts->iterations += context_iterations(run->problem.ctx);
    loops_delete(run->problem.loops);
    fallback_delete(run->problem.fallback);
    rates_along_free(run->problem.along);
    delays_free(run->problem.delays);
    time_terms_free(run->time_terms);
    if (run->problem.scale)
        scale_close(run->problem.scale);
    free(run->problem.scale);
    run->problem.scale = NULL;
    drift_close(&it->drift);
    spectral_radius_close(&it->behaviour.radius);
    events_free(events);
    if (run->sensitivity)
        sensitivity_free(run->sensitivity);
    free(run->sensitivity);
    run->sensitivity = NULL;
    context_free(run->problem.ctx);
    run->problem.ctx = NULL;
    loops_attach(&run->problem, NULL);
    run->problem.fallback = NULL;
    run->problem.along = NULL;
    run->problem.delays = NULL;
    run->time_terms = NULL;
    *events = (Events){0};
}

/* Restores the run from the bytes; no other data of the run before are kept. */
static bool renew(Simulation *it)
{
    Run *run = &it->run;
    Events *events = &it->events;
    int (*check)(void *, Run *) = events->check;
    void *user = events->user, *warn_to = run->problem.ctx->warn_to;
    close_parts(it);
    if (!open_parts(it))
        return false;
    events->check = check;
    events->user = user;
    run->problem.ctx->warn = watch_warn;
    run->problem.ctx->warn_to = warn_to;
    if (!checkpoint_resume(&it->saved, run, events, &it->rows.grid))
        return false;
    run->problem.is_numeric = run->problem.is_numeric || it->o->with_pivoting;
    if (it->o->input) {
        inputs_free(run->problem.inputs);
        run->problem.inputs = inputs_new(it->o->input, run->t);
    }
    return run->problem.inputs || !it->o->input;
}

static int save(Simulation *it)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    Rows *rows = &it->rows;
    Events *events = &it->events;
    if (checkpoint_take(&it->saved, run, events, &rows->grid) &&
        checkpoint_write(&it->saved, o->save_state)) {
        it->s->saved++;
        return SIMULATE_OK;
    }
    simulation_fail(it, "cannot write '%s': %s", o->save_state,
                    it->saved.failed ? "out of memory" : strerror(errno));
    return SIMULATE_FILE;
}

/* The next time at which the run is saved. */
static double save_time(Simulation *it)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    Rows *rows = &it->rows;
    if (!o->save_state || isnan(o->save_interval))
        return INFINITY;
    double k = floor((run->t - rows->grid.origin) / o->save_interval), t;
    do
        t = rows->grid.origin + ++k * o->save_interval;
    while (t - run->t <= simulation_least_step(it));
    return t;
}

/* From event to event. */
static int run_through(Simulation *it)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    Events *events = &it->events;
    it->progress = progress_begin(o->progress);
    int status = SIMULATE_OK;
    it->next_save = save_time(it);
    while (!status && run->t < it->s->stop && !events->is_over) {
        run->is_stiff = false;
        status = piece_integrate(it);
        if (!status)
            methods_next(it);
        if (status || it->next_save - run->t > simulation_least_step(it) || run->t >= it->s->stop)
            continue;
        status = save(it);
        if (!status && !renew(it)) {
            simulation_fail(it, "t = %.9g: out of memory", run->t);
            status = SIMULATE_FILE;
        }
        it->next_save = save_time(it);
    }
    progress_end(&it->progress);
    if (o->save_state && (!status || status == SIMULATE_INTERRUPTED)) {
        int saved = save(it);
        status = status ? status : saved;
    }
    it->s->events = events->n - it->events_before;
    if (!status && events_has_end(events)) {
        if (events_end(events, run)) {
            simulation_fail(it, "the end at t = %.9g: %s", run->t, run->problem.why);
            status = SIMULATE_FAILED;
        } else {
            status = rows_write(it, run->t, run->x);
        }
    }
    if (!status && events->is_over) {
        char text[1024];
        uint32_t k =
            run->problem.model->n_assertions + (uint32_t)(events->over - events->table->action);
        snprintf(text, sizeof text, "the model ends the run at t = %.9g: %s", run->t,
                 context_message(run->problem.ctx, run->t, run->x, k, events->over->message));
        simulation_say(it, text);
    }
    return status;
}

static int update_parameters(Simulation *it)
{
    Run *run = &it->run;
    if (!context_update(run->problem.ctx))
        return SIMULATE_OK;
    char why[400];
    problem_explain(&run->problem, why, sizeof why);
    if (run->problem.ctx->failed_message)
        context_failed_call(run->problem.ctx, it->s->error, sizeof it->s->error);
    else
        simulation_fail(it, "the values that do not change cannot be computed: %s", why);
    return SIMULATE_MODEL;
}

/* Parameters that are set where a run goes on: all that is made of them, times of events and delays
 * among it. */
static int change_parameters(Simulation *it)
{
    Run *run = &it->run;
    Events *events = &it->events;
    size_t size = run->problem.model->n_constants * sizeof *run->problem.ctx->c;
    double *old = malloc(size + 1);
    if (!old) {
        simulation_fail(it, "out of memory");
        return SIMULATE_FILE;
    }
    if (size)
        memcpy(old, run->problem.ctx->c, size);
    int status = update_parameters(it);
    if (!status &&
        (events_change(events, run, old) || delays_change(run->problem.delays, &run->problem))) {
        simulation_fail(it, "t = %.9g: %s", run->t, run->problem.why);
        status = SIMULATE_MODEL;
    }
    free(old);
    if (!status && events->table && piece_handle_event(it)) {
        simulation_fail(it, "event at t = %.9g: %s", run->t, run->problem.why);
        status = SIMULATE_MODEL;
    }
    return status;
}

/* Goes on where the bytes end; parameters may be others now, which is an event. */
static int go_on(Simulation *it)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    Rows *rows = &it->rows;
    Events *events = &it->events;
    if (!renew(it)) {
        simulation_fail(it, "'%s': it is cut off or damaged", o->from);
        return SIMULATE_MODEL;
    }
    it->events_before = events->n;
    int status = set_parameters(it);
    if (!status && o->n_set) {
        status = change_parameters(it);
        if (!status && !checkpoint_take(&it->saved, run, events, &rows->grid)) {
            simulation_fail(it, "out of memory");
            status = SIMULATE_FILE;
        }
    }
    if (!status)
        status = watch_assertions(it, true);
    if (!status)
        status = rows_write(it, run->t, run->x);
    if (status)
        return status;
    // the first row has left its traces
    if (!renew(it)) {
        simulation_fail(it, "out of memory");
        return SIMULATE_FILE;
    }
    methods_resume(it);
    // rows on the old grid, unless another is wanted
    if (!isnan(o->interval) && o->interval != rows->grid.interval)
        rows->grid = (RowGrid){run->t, o->interval};
    double passed = (run->t - rows->grid.origin) / rows->grid.interval;
    rows->next = passed > 1 ? (uint64_t)passed : 0;
    rows_pass(rows, run->t);
    return run_through(it);
}

/* Whether the initial system determines parameters: until then they are guesses. */
static bool finds_parameters(const RungModel *m)
{
    for (uint32_t k = 0; m->initial && k < m->initial->n; k++)
        if (m->initial->value[k].place == RUNG_IN_PARAMETERS)
            return true;
    return false;
}

static int start_and_run(Simulation *it)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    Events *events = &it->events;
    const RungModel *m = run->problem.model;
    SimulateSummary *s = it->s;
    run->problem.ctx->warn = watch_warn;
    run->problem.ctx->warn_to = it;
    if (o->from)
        return go_on(it);
    int status = set_parameters(it);
    if (status)
        return status;
    inputs_refresh(run->problem.inputs, run->problem.ctx, run->t);
    status = update_parameters(it);
    // before an initialisation that fails because of them
    if (!status && !finds_parameters(m))
        status = rows_check_ranges(it, run->t, run->x, NULL);
    if (status)
        return status;
    if (m->start(run->problem.ctx, run->t, run->x)) {
        simulation_fail(it, "the start values cannot be computed");
        return SIMULATE_MODEL;
    }
    context_search(run->problem.ctx, true);
    events_reset(events, run);
    char why[768];
    if (context_initialise(run->problem.ctx, run->t, run->x,
                           (InitialFallback){it->o->initial_fallback, it->o->fallback_user}, why,
                           sizeof why)) {
        simulation_fail(it, "initialisation at t = %.9g: %s", run->t, why);
        return SIMULATE_MODEL;
    }
    for (uint32_t k = 0; k < run->problem.n; k++)
        if (!isfinite(run->x[k])) {
            simulation_fail(it, "the start value of '%s' is not finite",
                            problem_state_name(&run->problem, k));
            return SIMULATE_MODEL;
        }
    if (m->loops)
        status = close_loops(it);
    status = status ? status : rows_check_constants(it);
    if (status)
        return status;
    if (!status && delays_note(run->problem.delays, &run->problem, run->t, run->x)) {
        simulation_fail(it, "t = %.9g: %s", run->t, run->problem.why);
        return SIMULATE_MODEL;
    }
    if (run->tape)
        tape_begin(run->tape, run);
    bool has_tape = run->tape && events->table;
    if (!status &&
        (sensitivity_enter(run->sensitivity, run, events, true) ||
         (has_tape && event_tape_enter(run->tape, run, events, true)) ||
         events_begin(events, run) || (has_tape && event_tape_leave(run->tape, run, events)) ||
         sensitivity_leave(run->sensitivity, run, events))) {
        const RungContext *failed_last = fallback_that_failed(&run->problem);
        s->is_start_singular =
            failed_last->failed_pivot != RUNG_NONE || failed_last->failed_block != RUNG_NONE;
        if (!events->failed)
            simulation_fail(it, "event at t = %.9g: %s", run->t, run->problem.why);
        return SIMULATE_MODEL;
    }
    if (!status && m->loops)
        status = close_again(it);
    // before the start delayed expressions have their values at the start, relations in them as
    // well
    bool moved = !status;
    for (int round = 0; moved && round < 10; round++) {
        if (delays_begin(run->problem.delays, &run->problem, run->t, run->x, &moved) ||
            (moved && events_iterate(events, run))) {
            simulation_fail(it, "t = %.9g: %s", run->t, run->problem.why);
            return SIMULATE_MODEL;
        }
    }
    if (!status)
        status = watch_assertions(it, true);
    if (!status)
        status = rows_write(it, run->t, run->x);
    context_search(run->problem.ctx, false);
    it->rows.next = 1;
    if (status)
        return status;
    if (run->t >= run->stop)
        return o->save_state ? save(it) : SIMULATE_OK;
    return run_through(it);
}

/* Input data have to cover the run; signals that are held may end before. */
static int check_cover(Simulation *it)
{
    const SimulateOptions *o = it->o;
    const SimulateSummary *s = it->s;
    const InputData *d = o->input;
    double first = d->t[0], last = d->t[(d->n_rows - 1) * d->stride];
    double small = 1e-9 * (s->stop - s->start);
    bool held = true;
    for (uint32_t k = 0; k < d->n; k++)
        held = held && d->signal[k].kind == INPUT_HOLD;
    if (first > s->start + small) {
        simulation_fail(
            it, "the data of the inputs begin at t = %.9g, after the start of the run at %.9g",
            first, s->start);
        return SIMULATE_MODEL;
    }
    if (last >= s->stop - small)
        return SIMULATE_OK;
    char text[200];
    snprintf(text, sizeof text, "the data of the inputs end at t = %.9g, before the run at %.9g",
             last, s->stop);
    if (held) {
        strcat(text, ": the last values are held");
        simulation_say(it, text);
        return SIMULATE_OK;
    }
    simulation_fail(it, "%s", text);
    return SIMULATE_MODEL;
}

/* The file that the run goes on from; its time and grid are looked at before anything is made. */
static int read_saved(Simulation *it, Saved *saved)
{
    Snapshot *bytes = &it->saved;
    const RungModel *m = it->run.problem.model;
    const SimulateOptions *o = it->o;
    const char *wrong = checkpoint_read(bytes, o->from, m);
    double origin;
    if (!wrong && !(snapshot_get(bytes, &origin, sizeof origin) &&
                    snapshot_get(bytes, &saved->interval, sizeof saved->interval) &&
                    snapshot_get(bytes, &saved->start, sizeof saved->start)))
        wrong = "it is cut off or damaged";
    if (!wrong && !isnan(o->start))
        wrong = "the run begins where it was saved: no start time can be given";
    if (wrong)
        simulation_fail(it, "cannot go on from '%s': %s", o->from, wrong);
    return !wrong ? SIMULATE_OK : bytes->n ? SIMULATE_MODEL : SIMULATE_FILE;
}

/* Allocates the arrays of rows and of the checks. */
static bool open_rows(Simulation *it)
{
    const RungModel *m = it->run.problem.model;
    Rows *rows = &it->rows;
    Watch *watch = &it->watch;
    const size_t n_states = m->n_states + (size_t)1;
    rows->x = calloc(n_states, sizeof *rows->x);
    rows->v = calloc(m->n_values + (size_t)1, sizeof *rows->v);
    rows->xdot = calloc(n_states, sizeof *rows->xdot);
    rows->guess = calloc(m->n_unknowns + (size_t)1, sizeof *rows->guess);
    rows->left = calloc(m->n_unknowns + (size_t)1, sizeof *rows->left);
    rows->closes_loops = it->method->closes_loops;
    rows->grid = (RowGrid){it->s->start, it->s->interval};
    rows->parts = it->events.has_outputs ? &it->events.outputs : NULL;
    it->piece.end = calloc(n_states, sizeof *it->piece.end);
    watch->x = calloc(n_states, sizeof *watch->x);
    watch->holds = calloc(m->n_assertions + (size_t)1, 1);
    watch->warned = calloc(m->n_assertions + (size_t)1, 1);
    for (uint32_t k = 0; k < m->n_assertions; k++)
        watch->any_varying |= m->assertion[k].constant == RUNG_NONE;
    bool enough = rows->x && rows->v && rows->xdot && rows->guess && rows->left && it->piece.end &&
                  watch->x && watch->holds && watch->warned &&
                  margin_search_new(&watch->margins, m, RUNG_ASK_MARGINS) &&
                  valid_open(&rows->valid, m) && branches_new(&rows->branches, m) &&
                  jump_watch_new(&rows->jumps, m);
    return (it->o->range == RANGE_OFF || ranges_open(&rows->ranges, m, 10 * it->s->tolerance)) &&
           enough;
}

static void free_rows(Simulation *it)
{
    ranges_close(&it->rows.ranges);
    valid_close(&it->rows.valid);
    jump_watch_free(&it->rows.jumps);
    free(it->rows.x);
    free(it->rows.v);
    free(it->rows.xdot);
    free(it->rows.guess);
    free(it->rows.left);
    branches_free(&it->rows.branches);
    free(it->piece.end);
    margin_search_free(&it->watch.margins);
    free(it->watch.x);
    free(it->watch.holds);
    free(it->watch.warned);
}

/* Of the steps and events that an adjoint goes back over. */
static const size_t TAPE_BYTES = (size_t)1 << 30;

/* The records of one run, and the way back over them. */
typedef struct Way {
    Tape tape;
    AdjointSweep *sweep; /* of a run that is made again; else NULL */
} Way;

static int make_again(Simulation *it, AdjointSweep *sweep, size_t from, size_t to);

/* Back over all records; those before the last window are made again, from the last ones on. */
static int go_back_over(Simulation *it, AdjointSweep *sweep, Tape *tape)
{
    Run *run = &it->run;
    if (adjoint_begin(sweep, run, tape) || adjoint_back(sweep, run, tape))
        return SIMULATE_FAILED;
    tape_forget(tape);
    for (size_t k = tape->n_windows; k-- > 0;) {
        int status = make_again(it, sweep, k ? tape->window[k - 1] : 0, tape->window[k]);
        if (status)
            return status;
    }
    return adjoint_end(sweep, run, tape, it->o->gradient) ? SIMULATE_FAILED : SIMULATE_OK;
}

/* Back to the start, for a gradient. */
static int go_back(Simulation *it, Way *way)
{
    Run *run = &it->run;
    if (it->s->counts.fallbacks) {
        simulation_fail(it, "no adjoint: where a pivot vanished equations were solved numerically "
                            "(--mode direct)");
        return SIMULATE_FAILED;
    }
    AdjointSweep *sweep = adjoint_new(run);
    if (!sweep) {
        simulation_fail(it, "out of memory");
        return SIMULATE_FILE;
    }
    int status = go_back_over(it, sweep, &way->tape);
    adjoint_free(sweep);
    if (status)
        simulation_fail(it, "%s", run->problem.why);
    return status;
}

/* At the end of the run. */
static void note_unseen(Simulation *it)
{
    Run *run = &it->run;
    const ScaleRun whole = {run->t, it->s->start, run->span, run->tolerance};
    uint32_t first = 0;
    if (it->s->step > 0 || it->s->n_sensitivities)
        return;
    it->s->n_unseen = scale_unseen(run->problem.scale, &run->problem, &whole, run->x, &first);
    if (it->s->n_unseen)
        it->s->unseen = problem_state_name(&run->problem, first);
}

/* Everything is opened, and the run goes from start to stop. */
static int run_all(Simulation *it, Way *way)
{
    const SimulateOptions *o = it->o;
    SimulateSummary *s = it->s;
    Run *run = &it->run;
    Problem *problem = &run->problem;
    const RungModel *m = problem->model;
    problem->piece_start = run->t = s->start;
    problem->jacobian = o->jacobian;
    problem->jacobian_reuse = o->jacobian_reuse;
    problem->make_fallback = o->fallback;
    problem->make_fallback_user = o->fallback_user;
    problem->inputs = o->input ? inputs_new(o->input, s->start) : NULL;
    run->stop = s->stop;
    run->span = s->stop - s->start;
    run->tolerance = s->tolerance;
    run->sensitivity_tolerance = s->sensitivity_tolerance;
    // without states there is one step per row
    run->closing = o->closing;
    problem->profile = o->profile;
    run->step = m->n_states || !isnan(o->step) ? o->step : s->interval;
    run->has_named_method = o->method;
    run->x = calloc(m->n_states + (size_t)1, sizeof *run->x);
    it->next_save = INFINITY;
    run->tape = way ? &way->tape : NULL;
    bool enough = open_parts(it) && run->x && (problem->inputs || !o->input);
    enough = open_rows(it) && enough;
    int status = SIMULATE_FILE;
    if (enough) {
        it->events.check = watch_in_event;
        it->events.remembers = true;
        it->events.user = it;
        status = start_and_run(it);
        if (!status)
            note_unseen(it);
        s->pivoting_may_help = status == SIMULATE_FAILED
                                   ? fallback_may_do_better(problem, run->t, run->x, run->tolerance)
                                   : !status && fallback_newton_is_slow(problem);
        if (way && way->sweep)
            status = way->tape.is_done ? adjoint_back(way->sweep, run, &way->tape) : 1;
        else if (!status && way && run->t >= s->stop)
            status = go_back(it, way);
    } else {
        simulation_fail(it, "out of memory");
    }
    if (it->rows.file && result_close(it->rows.file) && !status) {
        simulation_fail(it, "cannot write '%s': %s", o->result, strerror(errno));
        status = SIMULATE_FILE;
    }
    rows_count_ranges(it);
    run->tape = NULL;
    free_rows(it);
    close_parts(it);
    inputs_free(problem->inputs);
    free(problem->failure_x);
    free(run->x);
    s->later_method = run->later_method;
    s->later_t = run->later_t;
    s->n_changes = run->n_changes;
    return status;
}

static int no_row(void *user, const RungContext *ctx, double t, const double *x, const double *v)
{
    (void)user, (void)ctx, (void)t, (void)x, (void)v;
    return 0;
}

static int no_look(void *user, const SimulateStep *step)
{
    (void)user, (void)step;
    return 0;
}

static void no_message(void *user, const char *text)
{
    (void)user, (void)text;
}

/* The same run, for its records from a number to another, and back over these. It is the same to
 * the bit, for it is all made again, from the start; only nobody looks on. */
static int make_again(Simulation *it, AdjointSweep *sweep, size_t from, size_t to)
{
    SimulateOptions o = *it->o;
    SimulateSummary s = {0};
    const Problem *problem = &it->run.problem;
    Simulation again = {.run = {.problem = {.model = problem->model,
                                            .n = problem->n,
                                            .counts = &s.counts,
                                            .bad_state = RUNG_NONE}},
                        .o = &o,
                        .s = &s};
    o.row = no_row;
    o.look = no_look;
    o.message = no_message;
    o.progress = PROGRESS_NONE;
    o.result = NULL;
    o.profile = NULL;
    Way way = {.sweep = sweep};
    bool ok = tape_open(&way.tape, problem->model, SIZE_MAX);
    tape_want(&way.tape, from, to);
    int status = ok ? choose_options(&again, NULL) : SIMULATE_FILE;
    status = status ? status : run_all(&again, &way);
    if (status)
        snprintf(it->run.problem.why, sizeof it->run.problem.why, "%.500s",
                 !ok                      ? "out of memory"
                 : *again.run.problem.why ? again.run.problem.why
                                          : s.error);
    tape_close(&way.tape);
    snapshot_free(&again.saved);
    return status;
}

/* With the gradients, if these are asked for. */
static int run_and_back(Simulation *it)
{
    Way way = {.sweep = NULL};
    if (!it->o->gradient)
        return run_all(it, NULL);
    bool ok =
        tape_open(&way.tape, it->run.problem.model, it->o->memory ? it->o->memory : TAPE_BYTES);
    int status = SIMULATE_FILE;
    if (ok)
        status = run_all(it, &way);
    else
        simulation_fail(it, "out of memory");
    tape_close(&way.tape);
    return status;
}

int simulate(const RungModel *m, const SimulateOptions *o, SimulateSummary *s)
{
    double begun = seconds_now();
    *s = (SimulateSummary){0};
    if (o->profile)
        *o->profile = (Profile){.since = begun};
    Simulation it = {
        .run = {.problem =
                    {.model = m, .n = m->n_states, .counts = &s->counts, .bad_state = RUNG_NONE}},
        .o = o,
        .s = s,
    };
    if (m->version != RUNG_MODEL_VERSION || m->size < sizeof(RungModel)) {
        simulation_fail(
            &it, "the model was generated for another version of the interface (%u, here %u)",
            m->version, RUNG_MODEL_VERSION);
        return SIMULATE_FILE;
    }
    if ((o->save_state || o->from) && !context_can_save(m)) {
        simulation_fail(&it, "the model has external objects, which cannot be saved: neither "
                             "--save-state nor --from can be used");
        return SIMULATE_MODEL;
    }
    Saved saved;
    int status = o->from ? read_saved(&it, &saved) : SIMULATE_OK;
    status = status ? status : choose_options(&it, o->from ? &saved : NULL);
    if (!status && o->input)
        status = check_cover(&it);
    if (!status) {
        status = run_and_back(&it);
        s->wall = seconds_now() - begun;
        if (o->profile)
            profile_switch(o->profile, PROFILE_REST);
        // a run without a row has no start
        bool begins = s->rows > 0 || o->from;
        s->is_start_singular = s->is_start_singular || (status == SIMULATE_FAILED && !begins);
        status = s->is_start_singular ? SIMULATE_MODEL : status;
    }
    snapshot_free(&it.saved);
    return status;
}

void simulate_print_summary(const SimulateSummary *s, FILE *f)
{
    fprintf(f, "%s", s->method);
    if (s->n_changes > 1)
        fprintf(f, ", %u changes", s->n_changes);
    if (s->later_method)
        fprintf(f, ", from t = %.9g on %s", s->later_t, s->later_method);
    fprintf(f, "%s%s from %.9g to %.9g, %s %.3g: %llu steps, %llu rejected, %llu evaluations",
            s->form ? " on " : "", s->form ? s->form : "", s->start, s->t,
            s->step > 0 ? "steps of" : "tolerance", s->step > 0 ? s->step : s->tolerance,
            (unsigned long long)s->counts.steps, (unsigned long long)s->counts.rejected,
            (unsigned long long)s->counts.evaluations);
    if (s->counts.jacobians)
        fprintf(f, ", %llu Jacobians", (unsigned long long)s->counts.jacobians);
    if (s->events)
        fprintf(f, ", %llu events", (unsigned long long)s->events);
    if (s->counts.iterations)
        fprintf(f, ", %llu Newton iterations", (unsigned long long)s->counts.iterations);
    if (s->counts.factorisations)
        fprintf(f, ", %llu factorisations", (unsigned long long)s->counts.factorisations);
    if (s->counts.operations)
        fprintf(f, " of %llu operations", (unsigned long long)s->counts.operations);
    fprintf(f, ", %llu rows, %.3g s\n", (unsigned long long)s->rows, s->wall);
    if (s->counts.rates)
        fprintf(f, "Newton's method: corrections shrink by %.2g (geometric mean), %.2g at worst\n",
                exp(s->counts.log_rates / (double)s->counts.rates), s->counts.worst_rate);
    if (s->n_sensitivities && s->step == 0 && s->sensitivity_tolerance > 0)
        fprintf(f, "derivatives by %u parameters, tolerance %.3g\n", s->n_sensitivities,
                s->sensitivity_tolerance);
    else if (s->n_sensitivities && s->step == 0)
        fprintf(f, "derivatives by %u parameters, in steps as without them\n", s->n_sensitivities);
    if (s->missed)
        fprintf(f,
                "%llu steps passed over a pulse or a condition under noEvent that rises and falls "
                "inside, "
                "its effect is missing\n",
                (unsigned long long)s->missed);
    if (s->unresolved)
        fprintf(
            f,
            "%llu steps in which a relation moved too fast to be followed, events may be missed\n",
            (unsigned long long)s->unresolved);
    if (s->n_unseen == 1)
        fprintf(
            f, "'%s' stayed below its tolerance, its digits mean little: give it a nominal value\n",
            s->unseen);
    else if (s->n_unseen)
        fprintf(f,
                "%u states stayed below their tolerances, the first is '%s', their digits mean "
                "little: give them nominal values\n",
                s->n_unseen, s->unseen);
    if (s->counts.fallbacks)
        fprintf(
            f,
            "%llu evaluations with linear equations solved numerically, the first at t = %.9g%s%s"
            "%s\n",
            (unsigned long long)s->counts.fallbacks, s->counts.fallback_t,
            *s->counts.fallback_variable ? ", where the pivot of '" : "",
            s->counts.fallback_variable, *s->counts.fallback_variable ? "' vanished" : "");
    if (s->has_loops)
        fprintf(f, "constraints of the loops: |phi| <= %.3g, |phi'| <= %.3g", s->worst_phi,
                s->worst_phi_dot);
    if (s->has_balances)
        fprintf(f, ", |balance| <= %.3g", s->worst_balance);
    if (s->has_loops)
        fprintf(f, "\n");
}

void simulate_print_profile(const Profile *it, FILE *f)
{
    double all = 0;
    for (int k = 0; k < PROFILE_PARTS; k++)
        all += it->seconds[k];
    fprintf(f, "%-15s %10s %10s %6s\n", "part of the run", "calls", "seconds", "share");
    for (int k = PROFILE_RESIDUAL; k <= PROFILE_PARTS; k++) {
        int part = k < PROFILE_PARTS ? k : PROFILE_REST; // the rest comes last
        if (part != PROFILE_REST && !it->calls[part])
            continue;
        char calls[24] = "";
        if (part != PROFILE_REST)
            snprintf(calls, sizeof calls, "%llu", (unsigned long long)it->calls[part]);
        fprintf(f, "%-15s %10s %10.4g %5.1f%%\n", profile_names[part], calls, it->seconds[part],
                all > 0 ? 100 * it->seconds[part] / all : 0);
    }
}
