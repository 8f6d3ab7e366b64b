#include "study/run.h"

#include "emit/picture/geometry.h"
#include "runtime/problem/context.h"
#include "runtime/result/part_file.h"
#include "study/input_file.h"
#include "study/output.h"
#include "translate/setting_values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int look_at_step(void *user, const SimulateStep *step)
{
    return auditing_look(((Simulation *)user)->audit, step);
}

static int look_at_row(void *user, const RungContext *ctx, double t, const double *x,
                       const double *v)
{
    Simulation *it = user;
    simulation_look_at_start(it, ctx, t, x, v);
    return it->error ? error_estimate_row(it->error, ctx, t, x, v) : 0;
}

/* ---- the second run, for the estimate of the error ---- */

static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return a && b && stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

/* Where the first run keeps its rows; the status is that of a run that cannot begin. */
static Exit open_estimate(Simulation *it)
{
    const RunRequest *r = &it->request;
    if (is_same_file(r->from, r->save_state)) {
        fputs("rung: --error-estimate begins twice from the saved state: --save-state has to name "
              "another file\n",
              stderr);
        return EXIT_USAGE;
    }
    it->error = error_estimate_new(it->build.model, r->signals, it->mem);
    if (it->error)
        return EXIT_GOOD;
    fprintf(stderr, "rung: no temporary file for the estimate of the error: %s\n", strerror(errno));
    return EXIT_FILE;
}

static int keep_row(void *user, const RungContext *ctx, double t, const double *x, const double *v)
{
    return error_estimate_row(user, ctx, t, x, v);
}

static int measure_step(void *user, const SimulateStep *step)
{
    return error_estimate_look(user, step);
}

/* Warnings of the first run are not repeated. */
static void say_nothing(void *user, const char *text)
{
    (void)user;
    (void)text;
}

/* The status of the whole; so has the options of the first run, which has ended well. */
static Exit estimate_error(Run *run, SimulateOptions so)
{
    Simulation *it = &run->simulation;
    SimulateSummary second;
    run->no_estimate = error_estimate_second(it->error, &run->summary, &so);
    if (run->no_estimate)
        return EXIT_RUN;
    simulation_phase(&it->request, "second run");
    so.user = it->error;
    so.row = keep_row;
    so.look = measure_step;
    so.message = say_nothing;
    SimulateStatus end = (SimulateStatus)simulate(it->build.model, &so, &second);
    if (end == SIMULATE_OK && error_estimate_compare(it->error, &second))
        return run->status;
    run->no_estimate = end == SIMULATE_OK
                           ? "there is no room for the rows in a temporary file"
                           : arena_printf(it->mem, "the second run fails: %s", second.error);
    return end == SIMULATE_OK ? EXIT_RUN : (Exit)end;
}

static Exit simulate_loaded(Run *run)
{
    Simulation *it = &run->simulation;
    const RunRequest *r = &it->request;
    SimulateOptions so = simulation_options(it);
    so.result = run->result;
    so.save_state = r->save_state;
    so.save_interval = r->save_interval;
    so.from = r->from;
    if (r->input) {
        Exit wrong;
        so.input = input_file_read(r, it->build.model, it->mem, &wrong);
        if (!so.input)
            return wrong;
    }
    so.user = it;
    if (it->audit)
        so.look = look_at_step;
    Exit opened = r->estimates_error ? open_estimate(it) : EXIT_GOOD;
    if (opened != EXIT_GOOD)
        return opened;
    so.row = look_at_row;
    run->is_begun = true;
    run->end = (SimulateStatus)simulate(it->build.model, &so, &run->summary);
    double worst, bound;
    uint32_t n_faults = 0;
    if (it->audit)
        auditing_worst(it->audit, &worst, &bound, &n_faults);
    // steps of one length that have passed over something are no solution either
    n_faults += it->audit && run->summary.missed;
    run->status = n_faults > 0 && run->end == SIMULATE_OK ? EXIT_RUN : (Exit)run->end;
    return it->error && run->end == SIMULATE_OK ? estimate_error(run, so) : run->status;
}

/* M_res.mat in the working directory, M being the class without its packages. */
static const char *default_result(const Simulation *s)
{
    const char *dot = strrchr(s->class_name, '.');
    char *name = arena_printf(s->mem, "%s_res.mat", dot ? dot + 1 : s->class_name);
    // a quoted identifier may hold anything, but the file is one of this directory
    for (char *at = name; *at; at++)
        if (*at == '/' || *at == '\'' || (unsigned char)*at < 32)
            *at = '_';
    return name;
}

bool run_write_geometry(const Run *run)
{
    const Simulation *s = &run->simulation;
    if (!*s->geometry || part_is_special(run->result))
        return true;
    return output_write(geometry_path(run->result, s->mem), s->geometry, strlen(s->geometry));
}

void run_say_no_estimate(const Run *run)
{
    if (run->no_estimate)
        fprintf(stderr, "rung: the error cannot be estimated: %s\n", run->no_estimate);
}

Exit run_say_errors(Run *run, void *user)
{
    (void)user;
    if (run->end != SIMULATE_OK)
        fprintf(stderr, "rung: %s\n", run->summary.error);
    if (run->simulation.audit && run->is_begun)
        auditing_report(run->simulation.audit, NULL);
    run_say_no_estimate(run);
    if (run->summary.rows > 0 && !run_write_geometry(run) && run->status == EXIT_GOOD)
        return EXIT_FILE;
    return run->status;
}

/* Why a run is audited on request alone, or NULL. The flat model of so many variables takes longer
 * than most runs. Evaluations inside a step leave other guesses for the multipliers of closed
 * loops, which changes last digits: the pieces of a saved run are to have those of the whole. */
static const char *not_audited(const RunRequest *r, const RungModel *m)
{
    enum { MOST_VARIABLES = 100000 };
    if (m->n_variables > MOST_VARIABLES)
        return "the model has more than 100,000 variables";
    return m->loops && (r->save_state || r->from) ? "the state of closed loops is saved" : NULL;
}

/* Why a run is made once more. */
typedef enum Again {
    AGAIN_NOT,
    AGAIN_AS_WRITTEN, /* preferred states have failed, or the audit with them: their derivatives may
                         be those of a function whose derivative annotation names another one */
    AGAIN_DEPENDENT,  /* dependent states may be the cause of the failure */
    AGAIN_WITH_PIVOTING, /* steps fail, or equations do not hold, and the order of elimination that
                            was chosen before the run may be the cause */
    AGAIN_STABILISED,    /* redundant states may get on where errors across constraints decay */
} Again;

static Again why_again(const Run *run, bool is_other_left)
{
    const Simulation *s = &run->simulation;
    const bool has_failed = run->end == SIMULATE_OK
                                ? run->status == EXIT_RUN
                                : run->end == SIMULATE_FAILED || run->end == SIMULATE_MODEL;
    if (s->request.translation.sensitivity_by)
        return AGAIN_NOT;
    bool may_help = (has_failed && run->summary.pivoting_may_help) ||
                    (s->audit && auditing_wants_pivoting(s->audit));
    if (may_help && !s->request.with_pivoting)
        return AGAIN_WITH_PIVOTING;
    if (s->has_preferred && has_failed)
        return AGAIN_AS_WRITTEN;
    if (s->request.translation.states == STATES_REDUNDANT && !s->request.is_stabilised &&
        s->build.model->invariants && run->end == SIMULATE_FAILED &&
        run->summary.counts.steps > 0 && !run->summary.is_position_singular)
        return AGAIN_STABILISED;
    // a violation found by the audit alone is no reason
    bool has_other = s->may_be_redundant || (is_other_left && run->summary.counts.steps == 0);
    return has_other && simulate_may_need_states((int)run->end, &run->summary) ? AGAIN_DEPENDENT
                                                                               : AGAIN_NOT;
}

/* is_other_left: there are other states besides redundant ones, for a run that has made no step. */
static Exit run_loaded(Run *run, bool is_other_left, RunDone done, void *user, Again *again)
{
    Simulation *s = &run->simulation;
    const RunRequest *r = &s->request;
    run->result = r->result ? r->result : default_result(s);
    run->not_audited = r->is_audited && !r->must_audit ? not_audited(r, s->build.model) : NULL;
    // the model is translated, so that its flat form can be had, unless a file has changed
    // meanwhile
    if (r->is_audited && !run->not_audited)
        s->audit = auditing_new(r, s->build.model, s->mem);
    if (r->must_audit && !s->audit)
        return EXIT_MODEL;
    run->status = simulate_loaded(run);
    *again = why_again(run, is_other_left);
    // of a run that is begun again the other one is reported
    return *again == AGAIN_WITH_PIVOTING ? run->status
           : *again                      ? run_say_errors(run, NULL)
                                         : done(run, user);
}

/* *begun: a step was made. */
static Exit run_once(const RunRequest *r, bool is_other_left, RunDone done, void *user,
                     Again *again, bool *begun)
{
    Arena *mem = arena_new();
    Run run = {.status = EXIT_GOOD};
    Simulation *s = &run.simulation;
    simulation_release_interrupts();
    Exit status = simulation_interrupted ? EXIT_INTERRUPTED : simulation_open_set(s, r, true, mem);
    const bool fails = status == EXIT_MODEL && !s->build.error;
    *again = fails && s->has_preferred                         ? AGAIN_AS_WRITTEN
             : fails && (s->may_be_redundant || is_other_left) ? AGAIN_DEPENDENT
                                                               : AGAIN_NOT;
    if (status == EXIT_GOOD)
        status = run_loaded(&run, is_other_left, done, user, again);
    *begun = run.summary.counts.steps > 0;
    simulation_free(s);
    arena_free(mem);
    return status;
}

/* The same states, in other ways if they fail. */
static Exit run_these_states(const RunRequest *r, bool is_other_left, RunDone done, void *user,
                             Again *again, bool *begun)
{
    Exit status = run_once(r, is_other_left, done, user, again, begun);
    RunRequest other = *r;
    request_warned(&other.translation);
    if (*again == AGAIN_WITH_PIVOTING) {
        fputs("rung: the run has failed; once more with equations solved at run time, with "
              "pivoting\n",
              stderr);
        other.with_pivoting = true;
        status = run_once(&other, is_other_left, done, user, again, begun);
    }
    if (*again == AGAIN_STABILISED) {
        fputs("rung: redundant states have failed; once more with errors across their constraints "
              "that decay\n",
              stderr);
        other.is_stabilised = true;
        status = run_once(&other, is_other_left, done, user, again, begun);
    }
    return status;
}

static void say_redundant(void)
{
    fputs("rung: the states that were chosen became dependent; once more with --states redundant\n",
          stderr);
}

/* Redundant states last wherever constraints are regular, so they come before those that move at
 * the start, which may become dependent a moment later; but not where the translation has failed,
 * or the start has no values, both with status 1. */
Exit run_model(const RunRequest *r, RunDone done, void *user)
{
    Again again;
    bool begun;
    Exit status = run_these_states(r, false, done, user, &again, &begun);
    RunRequest as_written = *r;
    if (again == AGAIN_AS_WRITTEN) {
        fputs("rung: the preferred states have failed; once more with --states differentiated\n",
              stderr);
        request_warned(&as_written.translation);
        as_written.translation.states = STATES_DIFFERENTIATED;
        r = &as_written;
        status = run_these_states(r, false, done, user, &again, &begun);
    }
    if (again == AGAIN_NOT)
        return status;
    bool translates = status != EXIT_MODEL;
    RunRequest redundant = *r, moving = *r;
    request_warned(&redundant.translation);
    request_warned(&moving.translation);
    redundant.translation.states = STATES_REDUNDANT;
    Arena *mem = arena_new();
    bool has_moving =
        !begun && r->avoid && r->avoid(&r->translation, &moving.translation.avoided, mem);
    if (translates || !has_moving) {
        say_redundant();
        status = run_these_states(&redundant, has_moving, done, user, &again, &begun);
    }
    if (again != AGAIN_NOT && has_moving) {
        fputs("rung: the states that were chosen are dependent at the start; once more with those "
              "that move there\n",
              stderr);
        status = run_these_states(&moving, false, done, user, &again, &begun);
        if (again != AGAIN_NOT) {
            say_redundant();
            moving.translation.states = STATES_REDUNDANT;
            status = run_these_states(&moving, false, done, user, &again, &begun);
        }
    }
    arena_free(mem);
    return status;
}
