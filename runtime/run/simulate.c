/* SPDX-License-Identifier: BSD-3-Clause */
#include "simulate.h"
#include "checkpoint.h"
#include "delay.h"
#include "event.h"
#include "fallback.h"
#include "initial.h"
#include "input.h"
#include "integrator.h"
#include "loops.h"
#include "loops_rank.h"
#include "progress.h"
#include "range.h"
#include "result.h"
#include "saltation.h"
#include "time_terms.h"
#include "valid.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const Integrator *const methods[] = {
    &integrator_esdirk,    &integrator_dopri5,       &integrator_rk4,
    &integrator_trapezoid, &integrator_ali3p,        &integrator_penalty,
    &integrator_euler,     &integrator_bdf,          &integrator_half_explicit,
#ifdef RUNG_SUNDIALS
    &integrator_ida,       &integrator_ida_residual, &integrator_cvode,
#endif
};
enum { METHODS = sizeof methods / sizeof *methods };

/* So many states may have a matrix that is dense. */
enum { DENSE_STATES = 500 };

const char *const *simulate_methods(void)
{
    static const char *const names[] = {"esdirk",    "dopri5",       "rk4",
                                        "trapezoid", "ali3p",        "penalty",
                                        "euler",     "bdf",          "half-explicit",
#ifdef RUNG_SUNDIALS
                                        "ida",       "ida-residual", "cvode",
#endif
                                        NULL};
    return names;
}

static const Integrator *method_find(const char *name)
{
    for (int k = 0; k < METHODS; k++)
        if (!strcmp(methods[k]->name, name))
            return methods[k];
    return NULL;
}

const char *simulate_default_method(uint32_t n_states, bool closed_loops, bool has_pattern)
{
    if (closed_loops)
        return "esdirk";
    if (n_states > DENSE_STATES && !has_pattern)
        return "dopri5";
    return method_find("ida") ? "ida" : "esdirk";
}

bool simulate_needs_pattern(uint32_t n_states)
{
    return n_states > DENSE_STATES;
}

unsigned simulate_method_needs(const char *name)
{
    const Integrator *m = method_find(name);
    return m ? m->needs : 0;
}

const char *simulate_method_text(const char *name)
{
    const Integrator *m = method_find(name);
    return m ? m->text : NULL;
}

/* ------------------------------------------------------------------ messages */

static void fail(SimulateSummary *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void fail(SimulateSummary *s, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(s->error, sizeof s->error, fmt, args);
    va_end(args);
}

/* ------------------------------------------------------------------ assertions */

static void say(const SimulateOptions *o, const char *text)
{
    if (o->message)
        o->message(o->user, text);
    else
        fprintf(stderr, "warning: %s\n", text);
}

/* Of several patterns of --signals those that mean nothing. */
static void tell_unmatched(const RungModel *m, const SimulateOptions *o)
{
    size_t n;
    for (const char *p = o->signals; (p = result_unmatched(m, p, &n)) != NULL;) {
        char text[300];
        snprintf(text, sizeof text, "no variable is called like '%.*s'", (int)fmin((double)n, 200),
                 p);
        say(o, text);
        p += n;
        if (!*p++)
            return;
    }
}

/* Warnings of functions, each told once. */
enum { MOST_WARNINGS = 32 };
typedef struct Warned {
    const SimulateOptions *o;
    const char *where[MOST_WARNINGS];
    uint32_t n;
} Warned;

static void warn(RungContext *ctx, const char *message, const char *where)
{
    Warned *w = ctx->warn_to;
    for (uint32_t k = 0; k < w->n; k++)
        if (!strcmp(w->where[k], where))
            return;
    if (w->n == MOST_WARNINGS)
        return;
    w->where[w->n++] = where;
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s", where, *where ? ": " : "", message);
    say(w->o, text);
}

/* When it was looked last whether steps get the run on. */
typedef struct Pace {
    uint64_t steps, rejected;
    double t;
} Pace;

typedef struct Watch {
    Pace pace;
    unsigned char *holds, *warned;
    bool any_varying;
    Warned warnings;
} Watch;

/* MLS 8.3.7: an error stops the run, a warning is told once. */
static int check_assertions(Run *run, const SimulateOptions *o, Watch *w, bool at_start)
{
    const RungModel *m = run->model;
    if (!at_start && !w->any_varying)
        return SIMULATE_OK;
    if (w->any_varying) {
        if (run_evaluate(run, PART_ASSERTIONS, run->t, run->x, w->holds)) {
            char why[512];
            run_explain(run, why, sizeof why);
            fail(run->s, "t = %.9g: the conditions of assertions cannot be evaluated: %s", run->t,
                 why);
            return SIMULATE_FAILED;
        }
    }
    for (uint32_t k = 0; k < m->n_assertions; k++) {
        const RungAssertion *a = &m->assertion[k];
        bool constant = a->constant != RUNG_NONE;
        if ((constant && !at_start) || w->warned[k])
            continue;
        if (constant ? run->ctx->c[a->constant] != 0 : w->holds[k])
            continue;
        const char *message = context_message(run->ctx, run->t, run->x, k, a->message);
        if (!a->is_warning) {
            fail(run->s, "%s%sassertion violated at t = %.9g: %s", a->where, *a->where ? ": " : "",
                 run->t, message);
            return at_start ? SIMULATE_MODEL : SIMULATE_FAILED;
        }
        char text[1024];
        snprintf(text, sizeof text, "%s%sassertion violated at t = %.9g: %s", a->where,
                 *a->where ? ": " : "", run->t, message);
        say(o, text);
        w->warned[k] = 1;
    }
    return SIMULATE_OK;
}

typedef struct Checked {
    const SimulateOptions *o;
    Watch *watch;
} Checked;

static int check_in_event(void *user, Run *run)
{
    const Checked *c = user;
    return check_assertions(run, c->o, c->watch, false);
}

/* ------------------------------------------------------------------ rows */

typedef struct Output {
    Snapshot saved;         /* the last state that was saved, or gone on from */
    uint64_t events_before; /* of the run that was gone on from */
    Result *file;
    double *x, *v, *xdot;
    Parts *parts;         /* of v, or NULL          */
    double t;             /* of the last row */
    double *end;          /* states at the end of a step with an event in it */
    double *guess, *left; /* first guesses of blocks, as a step has left them; before the step */
    bool closes_loops;
    Ranges ranges;
    Valid valid;
    RowGrid grid;
    uint64_t next;    /* the row at origin + next * interval is due */
    double next_save; /* infinite: none                             */
} Output;

/* As many variables outside their ranges are told; of more their number. */
enum { MOST_RANGES = 10 };

/* MLS 4.9.1: v as filled by outputs; NULL: parameters alone. */
static int check_ranges(Run *run, const SimulateOptions *o, Ranges *r, double t, const double *x,
                        const double *v)
{
    char text[600];
    for (uint32_t at = 0; ranges_next(r, run->ctx, t, x, v, &at, text, sizeof text);) {
        if (o->range == RANGE_ERROR) {
            fail(run->s, "%s", text);
            return v ? SIMULATE_FAILED : SIMULATE_MODEL;
        }
        if (r->n_told <= MOST_RANGES)
            say(o, text);
    }
    return SIMULATE_OK;
}

static void count_ranges(const SimulateOptions *o, const Ranges *r)
{
    char text[100];
    if (r->n_told <= MOST_RANGES)
        return;
    snprintf(text, sizeof text, "%u more variables were outside their min and max",
             r->n_told - MOST_RANGES);
    say(o, text);
}

static bool are_finite(uint32_t n, const double *v)
{
    // a sum of products with zero is zero unless one is not finite
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += 0 * v[k];
    return sum == 0;
}

/* A value that is none ends the run: what follows from it would be wrong in silence. */
static int fail_value(Run *run, const SimulateOptions *o, double t, const double *x,
                      const double *v)
{
    uint32_t n = run->model->n_variables, bad = RUNG_NONE;
    double *value = calloc(n + (size_t)1, sizeof *value);
    char text[800] = "";
    for (uint32_t k = 0; k < n && value; k++) {
        value[k] = rung_value(run->ctx, k, t, x, v);
        bool is_found = rung_variable(run->model, k).attributes->kind >= RUNG_DISCRETE;
        if (bad == RUNG_NONE && is_found && !isfinite(value[k]))
            bad = k;
    }
    if (o->explain && bad != RUNG_NONE)
        o->explain(o->explain_user, t, value, text, sizeof text);
    fail(run->s, "t = %.9g: the value of '%s' is %s%s%s", t,
         bad == RUNG_NONE ? "an unknown" : rung_name(run->model, bad),
         bad == RUNG_NONE || isnan(value[bad]) ? "not a number" : "infinite", *text ? "; " : "",
         text);
    free(value);
    return SIMULATE_FAILED;
}

/* Values that are numbers, but none of their type (text). */
static int fail_invalid(Run *run, const SimulateOptions *o, double t, uint32_t bad, const double *x,
                        const double *v, const char *text)
{
    uint32_t n = run->model->n_variables;
    double *value = calloc(n + (size_t)1, sizeof *value);
    char why[800] = "";
    for (uint32_t k = 0; k < n && value; k++)
        value[k] = x ? rung_value(run->ctx, k, t, x, v) : 0;
    for (uint32_t k = 0; k < n && value && !x; k++) {
        uint32_t place = (uint32_t)rung_variable(run->model, k).place;
        bool is_known =
            place == RUNG_IN_PARAMETERS || place == RUNG_IN_CONSTANTS || place == RUNG_IN_NUMBERS;
        value[k] = is_known ? rung_value(run->ctx, k, t, NULL, NULL) : 0;
    }
    if (value)
        value[bad] = NAN; // the equation that determines it
    if (o->explain && value)
        o->explain(o->explain_user, t, value, why, sizeof why);
    if (x)
        fail(run->s, "t = %.9g: %s%s%s", t, text, *why ? "; " : "", why);
    else
        fail(run->s, "%s%s%s", text, *why ? "; " : "", why);
    free(value);
    return x ? SIMULATE_FAILED : SIMULATE_MODEL;
}

static int fail_outputs(Run *run, double t)
{
    char why[512];
    run_explain(run, why, sizeof why);
    fail(run->s, "t = %.9g: the variables cannot be evaluated: %s", t, why);
    return SIMULATE_FAILED;
}

/* The values at (t, x) into out->v: those that may be others than in the row before. Whether these
 * are finite. */
static int find_values(Run *run, Output *out, double t, const double *x, bool *finite)
{
    Parts *p = out->parts;
    int status = 1;
    // blocks that no step solves go on from the last row, which may be far: then as at the start
    for (int round = 0; round < 2 && status > 0; round++) {
        context_search(run->ctx, round > 0);
        if (p) {
            parts_touch_moving(p);
            status = parts_evaluate(p, run, t, x, out->v);
        } else {
            status = run_evaluate(run, PART_OUTPUTS, t, x, out->v);
        }
    }
    context_search(run->ctx, false);
    *finite = are_finite(run->model->n_unknowns, run->ctx->z);
    if (!p)
        *finite = *finite && are_finite(run->model->n_values, out->v);
    for (uint32_t i = 0; p && i < p->done.n; i++)
        for (uint32_t k = p->table.first_out[p->done.at[i]];
             k < p->table.first_out[p->done.at[i] + 1]; k++)
            *finite = *finite && isfinite(out->v[p->table.out[k]]);
    if (p)
        some_clear(&p->done);
    return status;
}

static int write_row(Run *run, const SimulateOptions *o, Output *out, double t, const double *x)
{
    // a method that closes loops has the multipliers of t already
    if (run->loops && !out->closes_loops && loops_xdot(run, t, x, out->xdot)) {
        fail(run->s, "t = %.9g: the constraint forces cannot be evaluated", t);
        return SIMULATE_FAILED;
    }
    bool finite;
    if (find_values(run, out, t, x, &finite))
        return fail_outputs(run, t);
    if (!finite)
        return fail_value(run, o, t, x, out->v);
    char text[400];
    uint32_t bad = valid_values(&out->valid, run->ctx, t, x, out->v, text, sizeof text);
    if (bad != RUNG_NONE)
        return fail_invalid(run, o, t, bad, x, out->v, text);
    int outside = check_ranges(run, o, &out->ranges, t, x, out->v);
    if (outside)
        return outside;
    if (!out->file && o->result) {
        // opened with the first row: a run that cannot start leaves no file
        out->file = result_open(o->result, o->signals, run->ctx);
        if (!out->file) {
            fail(run->s, "cannot write '%s': %s", o->result, strerror(errno));
            return SIMULATE_FILE;
        }
    }
    if (out->file && result_row(out->file, run->ctx, t, x, out->v)) {
        fail(run->s, "cannot write '%s': %s", o->result, strerror(errno));
        return SIMULATE_FILE;
    }
    if (o->row && o->row(o->user, run->ctx, t, x, out->v)) {
        fail(run->s, "stopped at t = %.9g by the receiver of the results", t);
        return SIMULATE_FAILED;
    }
    run->s->rows++;
    out->t = t;
    return SIMULATE_OK;
}

/* The values at the end of a step that no row shows: what is not a number there ends the run, too.
 */
static int check_values(Run *run, const SimulateOptions *o, Output *out)
{
    if (!run->model->has_open_values || out->t == run->t || (run->loops && !out->closes_loops))
        return SIMULATE_OK;
    if (run_evaluate(run, PART_OUTPUTS, run->t, run->x, out->v))
        return fail_outputs(run, run->t);
    bool finite =
        are_finite(run->model->n_values, out->v) && are_finite(run->model->n_unknowns, run->ctx->z);
    return finite ? SIMULATE_OK : fail_value(run, o, run->t, run->x, out->v);
}

static double grid_time(const Output *out, uint64_t k)
{
    return out->grid.origin + (double)k * out->grid.interval;
}

/* First guesses of the model's blocks are again those that the step has left, whoever looked at
 * what is inside it: a run does not depend on its rows. Blocks that no step solves go on from the
 * last look. */
static void guess_as_step(Run *run, Output *out)
{
    double *z = run->ctx->z;
    for (uint32_t k = 0; k < run->model->n_blocks; k++) {
        const RungBlock *b = &run->model->block[k];
        size_t size = b->n * sizeof *z;
        if (memcmp(out->guess + b->first, out->left + b->first, size) != 0)
            memcpy(z + b->first, out->guess + b->first, size);
    }
    memcpy(out->left, z, run->model->n_unknowns * sizeof *z);
}

/* The rows that are due after a step to run->t, or before the event in it. A grid point that is the
 * final time, or that of a save, but for rounding is written as that. */
static int write_due(Run *run, const SimulateOptions *o, Output *out, const Integrator *method,
                     void *self, double event)
{
    const SimulateSummary *s = run->s;
    bool at_event = !isnan(event);
    for (; at_event ? grid_time(out, out->next) < event : grid_time(out, out->next) <= run->t;
         out->next++) {
        double t = grid_time(out, out->next);
        if (fmin(s->stop, out->next_save) - t <= 1e-9 * out->grid.interval)
            break;
        method->at(self, run, t, out->x);
        int status = write_row(run, o, out, t, out->x);
        if (status)
            return status;
    }
    if (at_event || run->t < fmin(s->stop, out->next_save))
        return SIMULATE_OK;
    // at a save rows are those of a run that ends there and of one that goes on
    bool due = grid_time(out, out->next) - run->t <= 1e-9 * out->grid.interval;
    if (run->t < s->stop && !due)
        return SIMULATE_OK;
    out->next += due;
    // inputs of loops are those of the end again, wherever else was looked at
    method->at(self, run, run->t, out->x);
    return write_row(run, o, out, run->t, run->x);
}

/* ------------------------------------------------------------------ someone who looks on */

typedef struct Inside {
    Run *run;
    Output *out;
    const Integrator *method;
    void *self;
} Inside;

static int evaluate_inside(const Inside *in, double t)
{
    Run *run = in->run;
    Output *out = in->out;
    in->method->at(in->self, run, t, out->x);
    return (run->loops && !out->closes_loops && loops_xdot(run, t, out->x, out->xdot)) ||
           run_evaluate(run, PART_OUTPUTS, t, out->x, out->v);
}

static int some_inside(const SimulateStep *s, double t, uint32_t n, const uint32_t *row,
                       double *value)
{
    const Inside *in = s->inside;
    if (evaluate_inside(in, t))
        return 1;
    for (uint32_t k = 0; k < n; k++)
        value[k] = rung_value(in->run->ctx, row[k], t, in->out->x, in->out->v);
    return 0;
}

static int values_inside(const SimulateStep *s, double t, double *value)
{
    const Inside *in = s->inside;
    if (evaluate_inside(in, t))
        return 1;
    for (uint32_t k = 0; k < in->run->model->n_variables; k++)
        value[k] = rung_value(in->run->ctx, k, t, in->out->x, in->out->v);
    return 0;
}

static int look_inside(Run *run, const SimulateOptions *o, Output *out, const Integrator *method,
                       void *self, double t0, double t1, bool found, const Events *events)
{
    const SimulateSummary *s = run->s;
    Inside in = {run, out, method, self};
    SimulateStep step = {.t0 = t0,
                         .t1 = t1,
                         .ends_in_event = found,
                         .h = run->t - t0,
                         .next_row = grid_time(out, out->next),
                         .interval = s->interval,
                         .tolerance = s->tolerance,
                         .start = s->start,
                         .stop = s->stop,
                         .n_events = events->n,
                         .rounds = events->rounds,
                         .method = s->method,
                         .values = values_inside,
                         .some = some_inside,
                         .inside = &in};
    if (!o->look(o->user, &step))
        return SIMULATE_OK;
    fail(run->s, "stopped at t = %.9g by who looked on", t1);
    return SIMULATE_FAILED;
}

/* ------------------------------------------------------------------ the run */

static double or_else(double a, bool has, double b, double otherwise)
{
    return !isnan(a) ? a : has ? b : otherwise;
}

/* Where a run that goes on begins. */
typedef struct Saved {
    double start, interval;
} Saved;

static int choose_options(const RungModel *m, const SimulateOptions *o, const Saved *saved,
                          SimulateSummary *s, const Integrator **method)
{
    const RungExperiment *e = &m->experiment;
    // only trapezoidal steps take a penalty
    bool by_penalty = m->loops && o->loops && !strcmp(o->loops, "penalty");
    const char *otherwise =
        by_penalty ? o->loops
                   : simulate_default_method(m->n_states, m->loops != NULL, m->jacobian != NULL);
    *method = method_find(o->method ? o->method : otherwise);
    if (!*method) {
        char known[200] = "";
        for (int k = 0; k < METHODS; k++) {
            strcat(known, k ? ", " : "");
            strcat(known, methods[k]->name);
        }
        fail(s, "there is no method '%s'; known are %s", o->method, known);
        return SIMULATE_USAGE;
    }
    // without states there is nothing to integrate: one step per row
    if (!m->n_states)
        *method = &integrator_rk4;
    s->method = (*method)->name;
    s->form = (*method)->form;
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
        fail(s, "%s", wrong);
        return SIMULATE_USAGE;
    }
    uint32_t n_signals = 0;
    free(o->signals ? result_signals(m, o->signals, &n_signals) : NULL);
    if (o->signals && !n_signals) {
        fail(s, "no variable is called like '%s'", o->signals);
        return SIMULATE_USAGE;
    }
    tell_unmatched(m, o);
    s->step = m->n_states && (*method)->fixed_step ? o->step : 0;
    if (isnan(s->step)) {
        fail(s,
             "'%s' takes steps of one length and does not control the error: give --step, or take "
             "--method %s",
             s->method,
             simulate_default_method(m->n_states, m->loops != NULL, m->jacobian != NULL));
        return SIMULATE_USAGE;
    }
    return SIMULATE_OK;
}

static int set_parameters(RungContext *ctx, const SimulateOptions *o, SimulateSummary *s)
{
    for (uint32_t k = 0; k < o->n_set; k++) {
        const char *text = o->set[k], *eq = strrchr(text, '=');
        if (!eq || eq == text) {
            fail(s, "'%s' is not of the form name=value", text);
            return SIMULATE_USAGE;
        }
        size_t n = (size_t)(eq - text);
        char *name = malloc(n + 1);
        if (!name) {
            fail(s, "out of memory");
            return SIMULATE_FILE;
        }
        memcpy(name, text, n);
        name[n] = 0;
        static const char *const why[] = {
            [SET_UNKNOWN] = "the model has no variable of that name",
            [SET_NOT_PARAMETER] = "it is not a parameter",
            [SET_FIXED] = "it is fixed when the model is compiled (constant, final or structural)",
            [SET_BAD_VALUE] = "the value does not fit its type",
        };
        ContextSet r = context_set(ctx, name, eq + 1);
        if (r != SET_OK)
            fail(s, "cannot set '%s' to '%s': %s", name, eq + 1, why[r]);
        free(name);
        if (r != SET_OK)
            return SIMULATE_MODEL;
    }
    return SIMULATE_OK;
}

/* What the clock cannot tell from nothing. */
static double least_step(const Run *run)
{
    return 16 * DBL_EPSILON * fmax(fabs(run->t), fabs(run->stop));
}

/* Whether a singular position of a loop is near; *which is a constraint of it. Exactly there more
 * constraints depend on each other than elsewhere. */
static bool near_singular(Run *run, uint32_t *which)
{
    static const double NEAR = 0.1; // share that the least constraint has of the largest
    return run->loops && (loops_rank_ratio(run, run->t, run->x, which) < NEAR ||
                          run->loops->rank < run->loops->most_rank);
}

/* Steps so short that time stands still: a method that creeps towards a point it cannot pass. In
 * front of a singular position it does so without end. */
static bool stands_still(Run *run, int *tiny)
{
    enum { FEW = 5, MANY = 500 };
    // of the time reached: at t = 1e-20 a step of 1e-21 is long
    bool still = run->h < 16 * DBL_EPSILON * fabs(run->t);
    bool creeps = run->loops && run->h < 1e-7 * (run->stop - run->start);
    *tiny = (still || creeps) && run->t < run->stop ? *tiny + 1 : 0;
    if (*tiny < (still ? FEW : MANY))
        return false;
    *tiny = 0;
    uint32_t which;
    if (!still && !near_singular(run, &which))
        return false;
    const char *blame = run_blame(run);
    snprintf(run->why, sizeof run->why, "the step became too small%s%s", blame ? "; " : "",
             blame ? blame : "");
    return true;
}

/* Where a derivative that is not finite comes from, as text; empty where that is not the cause. */
static void explain_rate(Run *run, const SimulateOptions *o, Output *out, char *text, size_t size)
{
    *text = 0;
    uint32_t n = run->model->n_variables;
    double *value =
        o->explain && run->blame_x && run_blame(run) ? calloc(n + (size_t)1, sizeof *value) : NULL;
    double t = run->blame_t;
    if (value && !run_evaluate(run, PART_OUTPUTS, t, run->blame_x, out->v)) {
        for (uint32_t k = 0; k < n; k++)
            value[k] = rung_value(run->ctx, k, t, run->blame_x, out->v);
        o->explain(o->explain_user, t, value, text, size);
    }
    free(value);
}

static int fail_step(Run *run, const SimulateOptions *o, Output *out)
{
    uint32_t which;
    char rate[512];
    explain_rate(run, o, out, rate, sizeof rate);
    const char *loop = near_singular(run, &which) ? loops_name(run->loops, which) : "";
    // named already, perhaps
    bool known = strstr(run->why, loop);
    char pivot[400] = "";
    if (run->s->fallbacks && *run->s->fallback_variable && !*loop)
        snprintf(pivot, sizeof pivot,
                 "; the pivot of '%s' vanished at t = %.9g: where that is a motion which nothing "
                 "resists, as a slender rod's about its line, give the body an inertia about it",
                 run->s->fallback_variable, run->s->fallback_t);
    fail(run->s, "t = %.9g, step %llu (h = %.3g): %s%s%s%s%s%s%s", run->t,
         (unsigned long long)run->s->steps + 1, run->h, run->why, *loop ? "; " : "",
         known ? "" : loop,
         *loop ? known ? "near a singular position" : " is near a singular position" : "",
         *rate ? "; " : "", rate, pivot);
    return SIMULATE_FAILED;
}

/* The start onto the constraints, and the accelerations that keep it there. */
static int close_loops(Run *run)
{
    SimulateSummary *s = run->s;
    s->has_loops = true;
    if (!loops_project_start(run)) {
        fail(s, "t = %.9g: %s", run->t, run->why);
        return SIMULATE_FAILED;
    }
    double *xdot = calloc(run->n + (size_t)1, sizeof *xdot);
    int status = xdot ? loops_xdot(run, run->t, run->x, xdot) : -1;
    free(xdot);
    if (status) {
        const char *blame = run_blame(run);
        fail(s, "t = %.9g: the accelerations cannot be computed%s%s", run->t, blame ? "; " : "",
             blame ? blame : "");
        return SIMULATE_FAILED;
    }
    return SIMULATE_OK;
}

/* Of constraints, which are lengths in metres and cosines: what is no error of a step any more. */
static const double APART = 1e-3;

/* Notes how far the loops are from being closed. Not 0 with run->why where that is too far. */
static int watch_loops(Run *run)
{
    SimulateSummary *s = run->s;
    double phi, phi_dot;
    uint32_t which = 0;
    if (loops_phi(run, run->t, run->x, &phi, &phi_dot, &which)) {
        snprintf(run->why, sizeof run->why, "the constraints of the loops cannot be evaluated");
        return 1;
    }
    s->worst_phi = fmax(s->worst_phi, phi);
    s->worst_phi_dot = fmax(s->worst_phi_dot, phi_dot);
    if (phi <= APART)
        return 0;
    snprintf(run->why, sizeof run->why, "%s has come apart, a constraint is off by %.3g",
             loops_name(run->loops, which), phi);
    return 1;
}

/* Notes what the forces lack in the balances at the end of a step, before a row inside it has put
 * other inputs in their place. Methods that do not close loops have inputs at rows alone. */
static int watch_balances(Run *run, const Integrator *method)
{
    SimulateSummary *s = run->s;
    if (!run->loops || !method->closes_loops || !run->loops->k)
        return 0;
    double balance;
    if (loops_balance(run, run->t, run->x, &balance)) {
        snprintf(run->why, sizeof run->why, "the balances of massless parts cannot be evaluated");
        return 1;
    }
    s->has_balances = true;
    s->worst_balance = fmax(s->worst_balance, balance);
    return 0;
}

/* What an event does to a mechanism with closed loops: the derivative there is found anew by the
 * method that starts behind it. */
static int handle_event(Run *run, const SimulateOptions *o, Events *events)
{
    if (!run->loops)
        return sensitivity_enter(run->sensitivity, run, events, false) ||
               events_handle(events, run) || sensitivity_leave(run->sensitivity, run, events);
    double *before = malloc((run->n + (size_t)1) * sizeof *before);
    if (!before) {
        snprintf(run->why, sizeof run->why, "out of memory");
        return 1;
    }
    int status = sensitivity_enter(run->sensitivity, run, events, false);
    memcpy(before, run->x, run->n * sizeof *before);
    uint32_t set = RUNG_NONE;
    status = status ? status : events_handle(events, run);
    bool changed = memcmp(before, run->x, run->n * sizeof *before) != 0;
    if (!status && changed && run->loops->parts > 1) {
        snprintf(run->why, sizeof run->why,
                 "an event sets states of closed kinematic loops that are cut: the derivatives by "
                 "parameters are not known there");
        status = 1;
    }
    if (!status && changed)
        status = loops_project_event(run, before, &set);
    status = status ? status : sensitivity_leave(run->sensitivity, run, events);
    free(before);
    if (set == RUNG_NONE || status)
        return status;
    char text[512];
    snprintf(text, sizeof text,
             "t = %.9g: the loops do not allow what 'reinit' asks for; '%s' becomes %.9g", run->t,
             run_state_name(run, set), run->x[set]);
    say(o, text);
    return 0;
}

/* Both sides of an event are rows; where inputs have a cut there, their next piece begins. The
 * method starts anew behind it. */
static int pass_event(Run *run, const SimulateOptions *o, Output *out, Events *events, bool cut)
{
    // what is inside a step is on the constraints to its order only, and the method is gone that
    // has inputs there
    bool closes_loops = out->closes_loops;
    out->closes_loops = false;
    if (run->loops && loops_project(run, run->t, run->x)) {
        fail(run->s, "event at t = %.9g: %s", run->t, run->why);
        return SIMULATE_FAILED;
    }
    delays_look_back(run->delays, true);
    int status = write_row(run, o, out, run->t, run->x);
    delays_look_back(run->delays, false);
    if (cut)
        inputs_advance(run->inputs);
    if (!status && events->table && handle_event(run, o, events)) {
        if (!events->failed)
            fail(run->s, "event at t = %.9g: %s", run->t, run->why);
        status = events->failed ? events->failed : SIMULATE_FAILED;
    }
    if (!status && delays_note(run->delays, run)) {
        fail(run->s, "t = %.9g: %s", run->t, run->why);
        status = SIMULATE_FAILED;
    }
    if (status)
        return status;
    while (grid_time(out, out->next) <= run->t)
        out->next++;
    status = write_row(run, o, out, run->t, run->x);
    out->closes_loops = closes_loops;
    return status;
}

/* At a row of the data where something jumps, or a kink alone is. */
static int pass_cut(Run *run, const SimulateOptions *o, Output *out, Events *events, bool jumps)
{
    if (jumps)
        return pass_event(run, o, out, events, true);
    inputs_advance(run->inputs);
    return SIMULATE_OK;
}

/* Said once; the summary counts. */
static void note_unresolved(Run *run, const SimulateOptions *o, const Events *events)
{
    bool is_first = events->n_unresolved && !run->s->unresolved;
    run->s->unresolved = events->n_unresolved;
    if (!is_first)
        return;
    const RungMemory *m = events->unresolved;
    char text[512];
    snprintf(text, sizeof text,
             "%s%st = %.9g: '%s' moves too fast to be followed, events of it may be missed",
             m->where, *m->where ? ": " : "", events->unresolved_t, m->text);
    say(o, text);
}

/* Whether a method with a step behind it goes on behind an event that changes no derivative. */
static bool may_go_on(const Run *run, const Integrator *method)
{
    return !method->fixed_step && !run->loops && !run->delays;
}

/* The state whose derivative is another one a little before or behind, as it jumps where no event
 * is made: the one with the largest jump against its nominal value. RUNG_NONE if there is none. */
static uint32_t find_jump(Run *run)
{
    static const double FAR = 100, LEAST = 0.1; // steps; of the sizes on both sides
    uint32_t found = RUNG_NONE;
    double most = 0, *x = malloc((3 * (size_t)run->n + 1) * sizeof *x);
    if (!x)
        return found;
    double *here = x + run->n, *there = here + run->n;
    if (!run_xdot(run, run->t, run->x, here))
        for (int side = -1; side <= 1; side += 2) {
            double h = side * FAR * run->h;
            for (uint32_t k = 0; k < run->n; k++)
                x[k] = run->x[k] + h * here[k];
            if (run_xdot(run, run->t + h, x, there))
                continue;
            for (uint32_t k = 0; k < run->n; k++) {
                double jump = fabs(there[k] - here[k]), size = fabs(there[k]) + fabs(here[k]);
                double share = jump / run->model->nominal[k];
                if (jump > LEAST * size && share > most) {
                    most = share;
                    found = k;
                }
            }
        }
    free(x);
    return found;
}

/* Steps succeed, one as small as the other, and the end would never come: at the rate of the last
 * ones, after more than a million million. Where every third fails it is a jump that no step gets
 * past, for which less is enough; where every tenth does and such a jump is there, still less. */
static bool makes_no_progress(Run *run, Pace *p)
{
    enum { MANY = 50000, FAILING = MANY / 3, SOME = MANY / 10 };
    // of the run, in so many steps
    static const double LEAST = 1e-8, LEAST_FAILING = 1e-4, LEAST_AT_JUMP = 1e-3;
    SimulateSummary *s = run->s;
    if (s->steps < p->steps + MANY)
        return false;
    bool fail_often = s->rejected > p->rejected + FAILING;
    double gone = (run->t - p->t) / (s->stop - s->start);
    bool stuck = gone < (fail_often ? LEAST_FAILING : LEAST);
    bool may_be = s->rejected > p->rejected + SOME && gone < LEAST_AT_JUMP;
    *p = (Pace){s->steps, s->rejected, run->t};
    uint32_t jump = stuck || may_be ? find_jump(run) : RUNG_NONE;
    if (!stuck && jump == RUNG_NONE)
        return false;
    fail(s, "t = %.9g: the last %d steps, of %.3g, have brought the run no further%s%s%s", run->t,
         MANY, run->h, jump == RUNG_NONE ? "" : "; der(",
         jump == RUNG_NONE ? "" : run_state_name(run, jump),
         jump == RUNG_NONE ? ""
                           : ") jumps to and fro where no event is made, as by sign() or "
                             "noEvent()");
    return true;
}

/* Whether the step has failed where the solution of a nonlinear block ends at a kink, as a
 * comparator with feedback saturates no longer: then it has to jump to another solution, which is
 * searched for. Where smooth equations end nothing is searched for: a linkage does not jump. */
static bool leaves_branch(Run *run, const SimulateOptions *o)
{
    const RungContext *ctx = run->ctx;
    uint32_t k = ctx->failed_block;
    if (k == RUNG_NONE || ctx->failed_pivot != RUNG_NONE || ctx->model->block[k].is_linear ||
        !ctx->model->block[k].has_kinks || run->loops || (run->branches && run->t <= run->branch_t))
        return false;
    if (!run->branches) {
        char text[512];
        snprintf(text, sizeof text,
                 "t = %.9g: the solution for '%s' ends at a jump of its equations' slopes, and the "
                 "run goes on with another one",
                 run->t, rung_name(run->model, ctx->model->block[k].variable[0]));
        say(o, text);
    }
    run->branches++;
    run->branch_t = run->t;
    return true;
}

/* Steps from run->t to the next event, to where the data have a cut, to the next save or the end.
 */
static int integrate(Run *run, const SimulateOptions *o, Output *out, Watch *watch, Events *events,
                     const Integrator *method, Progress *progress)
{
    SimulateSummary *s = run->s;
    run->start = run->t;
    run->stop = fmin(s->stop, events_next_time(events, run));
    if (run->stop >= s->stop && s->stop - run->t <= least_step(run)) {
        /* after an event at the very end there is no time left for a step */
        run->t = s->t = s->stop;
        return write_row(run, o, out, run->t, run->x);
    }
    bool jumps, cut = false;
    double next_cut = inputs_next(run->inputs, &jumps);
    if (next_cut < s->stop && next_cut - run->t <= least_step(run)) // as by a rounding error
        return pass_cut(run, o, out, events, jumps);
    run->stop = fmin(run->stop, fmin(next_cut, out->next_save));
    double reach = delays_reach(run->delays);
    if (run->stop - run->t > (1 + 1e-9) * reach) // what sums of it leave is no stretch of its own
        run->stop = run->t + reach;
    context_settle(run->ctx);
    context_leave_kinks(run->ctx, run->branches && run->t <= run->branch_t);
    void *self = method->open(run);
    if (!self) {
        char rate[512];
        explain_rate(run, o, out, rate, sizeof rate);
        fail(s, "%s: %s%s%s", method->name, *run->why ? run->why : "out of memory",
             *rate ? "; " : "", rate);
        return *run->why ? SIMULATE_FAILED : SIMULATE_FILE;
    }
    int status = SIMULATE_OK, tiny = 0;
    bool found = false, is_passed = false, is_rest = false, is_first = true;
    double end_of_piece = run->stop;
    time_terms_forget(run->time_terms);
    while (!status && !found && (is_rest || run->t < end_of_piece)) {
        // what a step has behind an event in it comes before the next step
        double t0 = is_rest ? events->t : run->t, t1;
        if (o->interrupt && *o->interrupt) {
            fail(s, "interrupted at t = %.9g", run->t);
            status = SIMULATE_INTERRUPTED;
        } else if (o->max_steps && s->steps >= o->max_steps) {
            fail(s, "t = %.9g: the limit of %llu steps is reached", run->t,
                 (unsigned long long)o->max_steps);
            status = SIMULATE_FAILED;
        } else if (!is_rest &&
                   time_terms_stop(run->time_terms, run, method, self, end_of_piece, is_first)) {
            fail(s, "t = %.9g: %s takes no other time to stop at", run->t, method->name);
            status = SIMULATE_FAILED;
        } else if (!is_rest && method->step(self, run)) {
            // another method goes on from the last step
            if (run->is_stiff && !o->method)
                break;
            if (leaves_branch(run, o)) {
                guess_as_step(run, out);
                break;
            }
            status = fail_step(run, o, out);
        } else if (!is_rest && stands_still(run, &tiny)) {
            if (leaves_branch(run, o))
                break;
            status = fail_step(run, o, out);
        } else if ((!is_rest && watch_balances(run, method)) ||
                   events_look(events, run, method, self, t0, &found)) {
            status = fail_step(run, o, out);
        } else {
            s->steps += !is_rest;
            note_unresolved(run, o, events);
            is_rest = is_first = false;
            t1 = run->t;
            context_go_on(run->ctx);
            double end = found ? events->t : run->t, back;
            bool has_passed = time_terms_passed(run->time_terms, run, method, self, t0, end,
                                                events_have_other, events, &back);
            if (has_passed) {
                // as if the step had been that short
                found = false;
                end = back;
                method->at(self, run, back, out->end);
            }
            cut = end >= next_cut;
            bool event = found || (cut && jumps);
            memcpy(out->guess, run->ctx->z, run->model->n_unknowns * sizeof *out->guess);
            int lost = delays_record(run->delays, run, method, self, t0, end);
            delays_look_back(run->delays, event);
            int seen = o->look ? look_inside(run, o, out, method, self, t0, end, event, events) : 0;
            delays_look_back(run->delays, false);
            // what is written may be behind the end of a branch that the step itself has not seen
            bool leaves = context_leave_kinks(run->ctx, true);
            int written = write_due(run, o, out, method, self, event || has_passed ? end : NAN);
            if (found) {
                memcpy(out->end, run->x, run->n * sizeof *out->end);
                events_go(events, run);
            }
            if (has_passed) {
                run->t = back;
                memcpy(run->x, out->end, run->n * sizeof *run->x);
            }
            s->t = run->t;
            if (run->loops && watch_loops(run)) {
                status = fail_step(run, o, out);
                break;
            }
            status = check_assertions(run, o, watch, false);
            status = status ? status : written;
            status = status ? status : seen;
            if (!status && !found)
                status = check_values(run, o, out);
            context_leave_kinks(run->ctx, leaves);
            guess_as_step(run, out);
            if (lost && !status) {
                fail(s, "t = %.9g: %s", run->t, run->why);
                status = SIMULATE_FAILED;
            }
            if (!status && !method->fixed_step && makes_no_progress(run, &watch->pace))
                status = SIMULATE_FAILED;
            progress_step(progress, s, run->h);
            if (has_passed)
                break;
            if (status || !found || cut || !may_go_on(run, method))
                continue;
            status = pass_event(run, o, out, events, cut);
            is_passed = status || events->restarts || events->is_over;
            if (is_passed)
                continue;
            // derivatives are what they were, and so is the step
            found = false;
            is_rest = run->t < t1;
            if (is_rest)
                events_go_on(events);
            run->t = s->t = t1;
            memcpy(run->x, out->end, run->n * sizeof *out->end);
            end_of_piece = run->stop =
                fmin(fmin(s->stop, events_next_time(events, run)), fmin(next_cut, out->next_save));
            time_terms_forget(run->time_terms);
            if (method->resume && method->resume(self, run)) {
                fail(s, "%s cannot go on behind an event", method->name);
                status = SIMULATE_FAILED;
            }
        }
    }
    method->close(self);
    if (!status && found && !is_passed)
        return pass_event(run, o, out, events, cut);
    return status || !cut ? status : pass_cut(run, o, out, events, jumps);
}

/* ------------------------------------------------------------------ saving */

/* All that a run is made of besides its states: new, as before the start. */
static bool open_parts(Run *run, Events *events)
{
    const RungModel *m = run->model;
    run->ctx = context_new(m);
    run->loops = m->loops ? loops_new(m) : NULL;
    run->fallback = run->ctx ? fallback_new(run->ctx) : NULL;
    run->newton_pause = run->newton_left = 0;
    run->delays = delays_new(run);
    run->time_terms = time_terms_new(m);
    run->sensitivity = calloc(1, sizeof *run->sensitivity);
    return run->sensitivity && sensitivity_new(run->sensitivity, m) && run->ctx && run->fallback &&
           (run->loops || !m->loops) && (run->delays || !delays_needed(m)) &&
           (run->time_terms || !time_terms_needed(m)) && events_new(events, run) &&
           sensitivity_watch(run->sensitivity, events);
}

static void close_parts(Run *run, Events *events)
{
    if (run->ctx)
        run->s->iterations += context_iterations(run->ctx);
    loops_delete(run->loops);
    fallback_delete(run->fallback);
    delays_free(run->delays);
    time_terms_free(run->time_terms);
    events_free(events);
    if (run->sensitivity)
        sensitivity_free(run->sensitivity);
    free(run->sensitivity);
    run->sensitivity = NULL;
    context_free(run->ctx);
    run->ctx = NULL;
    run->loops = NULL;
    run->fallback = NULL;
    run->delays = NULL;
    run->time_terms = NULL;
    *events = (Events){0};
}

/* The run as the bytes have it: nothing of what it was before has a part in what comes. */
static bool renew(Run *run, Events *events, Snapshot *bytes, RowGrid *grid)
{
    int (*check)(void *, Run *) = events->check;
    void *user = events->user, *warn_to = run->ctx->warn_to;
    close_parts(run, events);
    if (!open_parts(run, events))
        return false;
    events->check = check;
    events->user = user;
    run->ctx->warn = warn;
    run->ctx->warn_to = warn_to;
    if (!checkpoint_resume(bytes, run, events, grid))
        return false;
    if (run->options->input) {
        inputs_free(run->inputs);
        run->inputs = inputs_new(run->options->input, run->t);
    }
    return run->inputs || !run->options->input;
}

static int save(Run *run, const SimulateOptions *o, Output *out, const Events *events)
{
    if (checkpoint_take(&out->saved, run, events, &out->grid) &&
        checkpoint_write(&out->saved, o->save_state)) {
        run->s->saved++;
        return SIMULATE_OK;
    }
    fail(run->s, "cannot write '%s': %s", o->save_state,
         out->saved.failed ? "out of memory" : strerror(errno));
    return SIMULATE_FILE;
}

/* The next time at which the run is saved. */
static double save_time(const Run *run, const SimulateOptions *o, const Output *out)
{
    if (!o->save_state || isnan(o->save_interval))
        return INFINITY;
    double k = floor((run->t - out->grid.origin) / o->save_interval), t;
    do
        t = out->grid.origin + ++k * o->save_interval;
    while (t - run->t <= least_step(run));
    return t;
}

/* The run goes on with another method than it began with, as nobody has named one. */
static const Integrator *take_over(Run *run, const char *name)
{
    run->s->later_method = name;
    run->s->later_t = run->t;
    run->pieces = 0;
    run->pieces_from = run->s->steps;
    return method_find(name);
}

/* The method of the next piece, where none is named: another one if an explicit method has found
 * the model stiff; if one of several steps spends its time at low orders, since few steps lie
 * between one start and the next, a one-step method. Steps are counted, not seconds: the same run
 * is the same everywhere. */
static const Integrator *next_method(Run *run, const SimulateOptions *o, const Integrator *method)
{
    enum { PIECES = 500, FEW_STEPS = 100 };
    if (o->method)
        return method;
    if (run->is_stiff) {
        run->is_stiff = false;
        const Integrator *next = take_over(run, method_find("ida") ? "ida" : "esdirk");
        char text[200];
        snprintf(text, sizeof text, "t = %.9g: the model is stiff, '%s' goes on instead of '%s'",
                 run->t, next->name, method->name);
        say(o, text);
        return next;
    }
    // a polynomial through what was before a jump finds no step small enough at the next one
    if (method->multistep && run->branches)
        return take_over(run, "esdirk");
    if (!method->multistep || ++run->pieces < PIECES)
        return method;
    if (run->s->steps - run->pieces_from < PIECES * FEW_STEPS)
        return take_over(run, "esdirk");
    run->pieces = 0;
    run->pieces_from = run->s->steps;
    return method;
}

/* What a run that was saved had come to. */
static const Integrator *resumed_method(const Run *run, const SimulateOptions *o,
                                        const Integrator *method)
{
    const Integrator *later = run->s->later_method ? method_find(run->s->later_method) : NULL;
    return o->method || !later ? method : later;
}

/* From event to event. */
static int run_through(Run *run, const SimulateOptions *o, Output *out, Watch *watch,
                       Events *events, const Integrator *method)
{
    Progress progress = progress_begin(o->progress);
    int status = SIMULATE_OK;
    out->next_save = save_time(run, o, out);
    while (!status && run->t < run->s->stop && !events->is_over) {
        run->is_stiff = false;
        status = integrate(run, o, out, watch, events, method, &progress);
        if (!status)
            method = next_method(run, o, method);
        if (status || out->next_save - run->t > least_step(run) || run->t >= run->s->stop)
            continue;
        status = save(run, o, out, events);
        if (!status && !renew(run, events, &out->saved, &out->grid)) {
            fail(run->s, "t = %.9g: out of memory", run->t);
            status = SIMULATE_FILE;
        }
        out->next_save = save_time(run, o, out);
    }
    progress_end(&progress);
    if (o->save_state && (!status || status == SIMULATE_INTERRUPTED)) {
        int saved = save(run, o, out, events);
        status = status ? status : saved;
    }
    run->s->events = events->n - out->events_before;
    if (!status && events_has_end(events)) {
        if (events_end(events, run)) {
            fail(run->s, "the end at t = %.9g: %s", run->t, run->why);
            status = SIMULATE_FAILED;
        } else {
            status = write_row(run, o, out, run->t, run->x);
        }
    }
    if (!status && events->is_over) {
        char text[1024];
        uint32_t k = run->model->n_assertions + (uint32_t)(events->over - events->table->action);
        snprintf(text, sizeof text, "the model ends the run at t = %.9g: %s", run->t,
                 context_message(run->ctx, run->t, run->x, k, events->over->message));
        say(o, text);
    }
    return status;
}

static int update_parameters(Run *run)
{
    if (!context_update(run->ctx))
        return SIMULATE_OK;
    if (run->ctx->failed_message)
        context_failed_call(run->ctx, run->s->error, sizeof run->s->error);
    else
        fail(run->s, "the dependent parameters cannot be computed");
    return SIMULATE_MODEL;
}

/* Parameters that are set where a run goes on: all that is made of them, times of events and delays
 * among it. */
static int change_parameters(Run *run, const SimulateOptions *o, Events *events)
{
    size_t size = run->model->n_constants * sizeof *run->ctx->c;
    double *old = malloc(size + 1);
    if (!old) {
        fail(run->s, "out of memory");
        return SIMULATE_FILE;
    }
    if (size)
        memcpy(old, run->ctx->c, size);
    int status = update_parameters(run);
    if (!status && (events_change(events, run, old) || delays_change(run->delays, run))) {
        fail(run->s, "t = %.9g: %s", run->t, run->why);
        status = SIMULATE_MODEL;
    }
    free(old);
    if (!status && events->table && handle_event(run, o, events)) {
        fail(run->s, "event at t = %.9g: %s", run->t, run->why);
        status = SIMULATE_MODEL;
    }
    return status;
}

/* Goes on where the bytes end; parameters may be others now, which is an event. */
static int go_on(Run *run, const SimulateOptions *o, Output *out, Watch *watch, Events *events,
                 const Integrator *method)
{
    if (!renew(run, events, &out->saved, &out->grid)) {
        fail(run->s, "'%s': it is cut off or damaged", o->from);
        return SIMULATE_MODEL;
    }
    out->events_before = events->n;
    int status = set_parameters(run->ctx, o, run->s);
    if (!status && o->n_set) {
        status = change_parameters(run, o, events);
        if (!status && !checkpoint_take(&out->saved, run, events, &out->grid)) {
            fail(run->s, "out of memory");
            status = SIMULATE_FILE;
        }
    }
    if (!status)
        status = check_assertions(run, o, watch, true);
    if (!status)
        status = write_row(run, o, out, run->t, run->x);
    if (status)
        return status;
    // the first row has left its traces
    if (!renew(run, events, &out->saved, &out->grid)) {
        fail(run->s, "out of memory");
        return SIMULATE_FILE;
    }
    method = resumed_method(run, o, method);
    // rows on the old grid, unless another is wanted
    if (!isnan(o->interval) && o->interval != out->grid.interval)
        out->grid = (RowGrid){run->t, o->interval};
    double passed = (run->t - out->grid.origin) / out->grid.interval;
    out->next = passed > 1 ? (uint64_t)passed : 0;
    while (grid_time(out, out->next) <= run->t + 1e-9 * out->grid.interval)
        out->next++;
    return run_through(run, o, out, watch, events, method);
}

/* Whether the initial system determines parameters: until then they are guesses. */
static bool finds_parameters(const RungModel *m)
{
    for (uint32_t k = 0; m->initial && k < m->initial->n; k++)
        if (m->initial->value[k].place == RUNG_IN_PARAMETERS)
            return true;
    return false;
}

static int start_and_run(Run *run, const SimulateOptions *o, Output *out, Watch *watch,
                         Events *events, const Integrator *method)
{
    const RungModel *m = run->model;
    SimulateSummary *s = run->s;
    run->ctx->warn = warn;
    run->ctx->warn_to = &watch->warnings;
    if (o->from)
        return go_on(run, o, out, watch, events, method);
    int status = set_parameters(run->ctx, o, s);
    if (status)
        return status;
    inputs_refresh(run->inputs, run->ctx, run->t);
    status = update_parameters(run);
    // before an initialisation that fails because of them
    if (!status && !finds_parameters(m))
        status = check_ranges(run, o, &out->ranges, run->t, run->x, NULL);
    if (status)
        return status;
    if (m->start(run->ctx, run->t, run->x)) {
        fail(s, "the start values cannot be computed");
        return SIMULATE_MODEL;
    }
    context_search(run->ctx, true);
    events_reset(events, run);
    char why[768];
    if (context_initialise(run->ctx, run->t, run->x, why, sizeof why)) {
        fail(s, "initialisation at t = %.9g: %s", run->t, why);
        return SIMULATE_MODEL;
    }
    for (uint32_t k = 0; k < run->n; k++)
        if (!isfinite(run->x[k])) {
            fail(s, "the start value of '%s' is not finite", run_state_name(run, k));
            return SIMULATE_MODEL;
        }
    if (m->loops)
        status = close_loops(run);
    uint32_t bad = status ? RUNG_NONE : valid_constants(run->ctx, why, sizeof why);
    if (bad != RUNG_NONE)
        return fail_invalid(run, o, run->t, bad, NULL, NULL, why);
    if (!status && delays_note(run->delays, run)) {
        fail(s, "t = %.9g: %s", run->t, run->why);
        return SIMULATE_MODEL;
    }
    if (!status &&
        (sensitivity_enter(run->sensitivity, run, events, true) || events_begin(events, run) ||
         sensitivity_leave(run->sensitivity, run, events))) {
        const RungContext *blamed = fallback_blamed(run);
        s->is_start_singular =
            blamed->failed_pivot != RUNG_NONE || blamed->failed_block != RUNG_NONE;
        if (!events->failed)
            fail(s, "event at t = %.9g: %s", run->t, run->why);
        return SIMULATE_MODEL;
    }
    // before the start delayed expressions were what they are there, relations in them as well
    bool moved = !status;
    for (int round = 0; moved && round < 10; round++) {
        if (delays_begin(run->delays, run, &moved) || (moved && events_iterate(events, run))) {
            fail(s, "t = %.9g: %s", run->t, run->why);
            return SIMULATE_MODEL;
        }
    }
    if (!status)
        status = check_assertions(run, o, watch, true);
    if (!status)
        status = write_row(run, o, out, run->t, run->x);
    context_search(run->ctx, false);
    out->next = 1;
    if (status)
        return status;
    if (run->t >= run->stop)
        return o->save_state ? save(run, o, out, events) : SIMULATE_OK;
    return run_through(run, o, out, watch, events, method);
}

/* Data that do not cover the run are no data for it. What is held may end before. */
static int check_cover(const SimulateOptions *o, SimulateSummary *s)
{
    const InputData *d = o->input;
    double first = d->t[0], last = d->t[(d->n_rows - 1) * d->stride];
    double small = 1e-9 * (s->stop - s->start);
    bool held = true;
    for (uint32_t k = 0; k < d->n; k++)
        held = held && d->signal[k].kind == INPUT_HOLD;
    if (first > s->start + small) {
        fail(s, "the data of the inputs begin at t = %.9g, after the start of the run at %.9g",
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
        say(o, text);
        return SIMULATE_OK;
    }
    fail(s, "%s", text);
    return SIMULATE_MODEL;
}

/* The file that the run goes on from; its time and grid are looked at before anything is made. */
static int read_saved(const RungModel *m, const SimulateOptions *o, Snapshot *bytes, Saved *saved,
                      SimulateSummary *s)
{
    const char *wrong = checkpoint_read(bytes, o->from, m);
    double origin;
    if (!wrong && !(snapshot_get(bytes, &origin, sizeof origin) &&
                    snapshot_get(bytes, &saved->interval, sizeof saved->interval) &&
                    snapshot_get(bytes, &saved->start, sizeof saved->start)))
        wrong = "it is cut off or damaged";
    if (!wrong && !isnan(o->start))
        wrong = "the run begins where it was saved: no start time can be given";
    if (wrong)
        fail(s, "cannot go on from '%s': %s", o->from, wrong);
    return !wrong ? SIMULATE_OK : bytes->n ? SIMULATE_MODEL : SIMULATE_FILE;
}

int simulate(const RungModel *m, const SimulateOptions *o, SimulateSummary *s)
{
    double begun = seconds_now();
    const Integrator *method;
    *s = (SimulateSummary){0};
    if (m->version != RUNG_MODEL_VERSION || m->size < sizeof(RungModel)) {
        fail(s, "the model was generated for another version of the interface (%u, here %u)",
             m->version, RUNG_MODEL_VERSION);
        return SIMULATE_FILE;
    }
    if ((o->save_state || o->from) && !context_can_save(m)) {
        fail(s, "the model has external objects: what these are only their library knows, so that "
                "its state can be neither saved nor gone on from");
        return SIMULATE_MODEL;
    }
    Output out = {.saved = {0}, .ranges = {0}};
    Saved saved;
    int status = o->from ? read_saved(m, o, &out.saved, &saved, s) : SIMULATE_OK;
    status = status ? status : choose_options(m, o, o->from ? &saved : NULL, s, &method);
    if (!status && o->input)
        status = check_cover(o, s);
    if (status) {
        snapshot_free(&out.saved);
        return status;
    }
    Run run = {.model = m,
               .n = m->n_states,
               .start = s->start,
               .stop = s->stop,
               .tolerance = s->tolerance,
               .step = o->step,
               .t = s->start,
               .x = calloc(m->n_states + (size_t)1, sizeof(double)),
               .s = s,
               .bad_state = RUNG_NONE,
               .options = o,
               .inputs = o->input ? inputs_new(o->input, s->start) : NULL};
    Events events = {0};
    bool enough = open_parts(&run, &events) && run.x && (run.inputs || !o->input);
    out.parts = events.has_outputs ? &events.outputs : NULL;
    out.x = calloc(m->n_states + (size_t)1, sizeof(double));
    out.v = calloc(m->n_values + (size_t)1, sizeof(double));
    out.xdot = calloc(m->n_states + (size_t)1, sizeof(double));
    out.end = calloc(m->n_states + (size_t)1, sizeof(double));
    out.guess = calloc(m->n_unknowns + (size_t)1, sizeof(double));
    out.left = calloc(m->n_unknowns + (size_t)1, sizeof(double));
    out.closes_loops = method->closes_loops;
    out.grid = (RowGrid){s->start, s->interval};
    out.next_save = INFINITY;
    Watch watch = {.holds = calloc(m->n_assertions + (size_t)1, 1),
                   .warned = calloc(m->n_assertions + (size_t)1, 1),
                   .warnings.o = o};
    for (uint32_t k = 0; k < m->n_assertions; k++)
        watch.any_varying |= m->assertion[k].constant == RUNG_NONE;
    if (o->range != RANGE_OFF)
        enough = ranges_open(&out.ranges, m, 10 * s->tolerance) && enough;
    enough = valid_open(&out.valid, m) && enough;
    if (enough && out.x && out.v && out.xdot && out.end && out.guess && out.left && watch.holds &&
        watch.warned) {
        Checked checked = {o, &watch};
        events.check = check_in_event;
        events.remembers = true;
        events.user = &checked;
        status = start_and_run(&run, o, &out, &watch, &events, method);
    } else {
        fail(s, "out of memory");
        status = SIMULATE_FILE;
    }
    if (out.file && result_close(out.file) && !status) {
        fail(s, "cannot write '%s': %s", o->result, strerror(errno));
        status = SIMULATE_FILE;
    }
    count_ranges(o, &out.ranges);
    ranges_close(&out.ranges);
    valid_close(&out.valid);
    close_parts(&run, &events);
    inputs_free(run.inputs);
    snapshot_free(&out.saved);
    free(run.x);
    free(out.x);
    free(out.v);
    free(out.xdot);
    free(out.end);
    free(out.guess);
    free(out.left);
    free(run.blame_x);
    free(watch.holds);
    free(watch.warned);
    s->wall = seconds_now() - begun;
    return status;
}

void simulate_print_summary(const SimulateSummary *s, FILE *f)
{
    fprintf(f, "%s", s->method);
    if (s->later_method)
        fprintf(f, ", from t = %.9g on %s", s->later_t, s->later_method);
    fprintf(f, "%s%s from %.9g to %.9g, %s %.3g: %llu steps, %llu rejected, %llu evaluations",
            s->form ? " on " : "", s->form ? s->form : "", s->start, s->t,
            s->step > 0 ? "steps of" : "tolerance", s->step > 0 ? s->step : s->tolerance,
            (unsigned long long)s->steps, (unsigned long long)s->rejected,
            (unsigned long long)s->evaluations);
    if (s->jacobians)
        fprintf(f, ", %llu Jacobians", (unsigned long long)s->jacobians);
    if (s->events)
        fprintf(f, ", %llu events", (unsigned long long)s->events);
    if (s->iterations)
        fprintf(f, ", %llu Newton iterations", (unsigned long long)s->iterations);
    if (s->factorisations)
        fprintf(f, ", %llu factorisations", (unsigned long long)s->factorisations);
    if (s->operations)
        fprintf(f, " of %llu operations", (unsigned long long)s->operations);
    fprintf(f, ", %llu rows, %.3g s\n", (unsigned long long)s->rows, s->wall);
    if (s->unresolved)
        fprintf(
            f,
            "%llu steps in which a relation moved too fast to be followed, events may be missed\n",
            (unsigned long long)s->unresolved);
    if (s->fallbacks)
        fprintf(
            f,
            "%llu evaluations with linear equations solved numerically, the first at t = %.9g%s%s"
            "%s\n",
            (unsigned long long)s->fallbacks, s->fallback_t,
            *s->fallback_variable ? ", where the pivot of '" : "", s->fallback_variable,
            *s->fallback_variable ? "' vanished" : "");
    if (s->has_loops)
        fprintf(f, "constraints of the loops: |phi| <= %.3g, |phi'| <= %.3g", s->worst_phi,
                s->worst_phi_dot);
    if (s->has_balances)
        fprintf(f, ", |balance| <= %.3g", s->worst_balance);
    if (s->has_loops)
        fprintf(f, "\n");
}
