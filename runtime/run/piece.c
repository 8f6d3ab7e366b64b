/* SPDX-License-Identifier: BSD-3-Clause
 *
 * piece.c -- the operations of rung_advance (rung_advance.h) in a run: steps of its method, rows,
 * events handled, and where a method starts anew.
 */
#include "delay.h"
#include "event_tape.h"
#include "external.h"
#include "fallback.h"
#include "input.h"
#include "loops.h"
#include "run_parts.h"
#include "rung_advance.h"
#include "saltation.h"
#include "time_terms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where no state was set and velocities do not fit the loops any more, the velocity of a given
 * motion has jumped, which takes an impulse of the constraints: all velocities of the loops jump.
 */
static int answer_jump(Simulation *it)
{
    enum { MOST = 3 };
    static const double JUMP = 1e-6;
    Run *run = &it->run;
    double rate;
    uint32_t which = 0;
    int status = loops_rate(&run->problem, run->t, run->x, &rate, &which);
    if (status || !(rate > JUMP))
        return status;
    if (run->problem.loops->parts == 1)
        status = loops_project(&run->problem, run->t, run->x);
    if (it->jumps_reported == MOST)
        return status;
    char text[512];
    it->jumps_reported++;
    const char *given = loops_given(run->problem.loops, which);
    snprintf(text, sizeof text,
             "t = %.9g: %s%s changes its velocity at once, by %.3g at %s: velocities "
             "there jump by an impulse of the constraints%s",
             run->t, *given ? "the given motion of " : "a given motion", given, rate,
             loops_name(run->problem.loops, which),
             it->jumps_reported == MOST ? "; further jumps are not reported" : "");
    simulation_say(it, text);
    return status;
}

/* Likewise with a tape. A jump of velocities is no part of it. */
static int record_event(Simulation *it)
{
    static const double JUMP = 1e-6;
    Run *run = &it->run;
    double rate = 0;
    int status = event_tape_enter(run->tape, run, &it->events, false) ||
                 events_handle(&it->events, run) || event_tape_leave(run->tape, run, &it->events);
    if (status || !run->problem.loops)
        return status;
    status = loops_rate(&run->problem, run->t, run->x, &rate, NULL);
    if (!status && (rate > JUMP || loops_are_open(&run->problem, run->t, run->x))) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "an event sets states of closed kinematic loops that are cut, or a given motion "
                 "jumps: the derivatives by parameters are not known there");
        return 1;
    }
    return status;
}

/* Handles an event of a mechanism with closed loops, too: the method that starts behind it
 * evaluates the derivative anew. */
int piece_handle_event(Simulation *it)
{
    Run *run = &it->run;
    Events *events = &it->events;
    if (run->tape)
        return record_event(it);
    if (!run->problem.model->sensitivity) // which remembers memory, as a tape does
        context_collect_texts(run->problem.ctx, it->rows.v);
    if (!run->problem.loops)
        return sensitivity_enter(run->sensitivity, run, events, false) ||
               events_handle(events, run) || sensitivity_leave(run->sensitivity, run, events);
    double *before = malloc((run->problem.n + (size_t)1) * sizeof *before);
    if (!before) {
        snprintf(run->problem.why, sizeof run->problem.why, "out of memory");
        return 1;
    }
    int status = sensitivity_enter(run->sensitivity, run, events, false);
    memcpy(before, run->x, run->problem.n * sizeof *before);
    uint32_t set = RUNG_NONE;
    status = status ? status : events_handle(events, run);
    bool changed = memcmp(before, run->x, run->problem.n * sizeof *before) != 0;
    if (!status && changed && run->problem.loops->parts > 1) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "an event sets states of closed kinematic loops that are cut: the derivatives by "
                 "parameters are not known there");
        status = 1;
    }
    if (!status && changed)
        status = loops_project_event(&run->problem, run->t, run->x, before, &set);
    if (!status && !changed)
        status = answer_jump(it);
    status = status ? status : sensitivity_leave(run->sensitivity, run, events);
    free(before);
    if (set == RUNG_NONE || status)
        return status;
    char text[512];
    snprintf(text, sizeof text,
             "t = %.9g: the loops do not allow what 'reinit' asks for; '%s' becomes %.9g", run->t,
             problem_state_name(&run->problem, set), run->x[set]);
    simulation_say(it, text);
    return 0;
}

/* Warns of variables that have jumped at the event although equations use their derivatives. */
static void tell_jumps(Simulation *it)
{
    enum { MOST = 10 };
    Run *run = &it->run;
    JumpWatch *j = &it->rows.jumps;
    char text[600];
    for (uint32_t at = 0;
         j->n_told < MOST && jump_watch_next(j, run->problem.ctx, run->t, run->x, it->rows.v, &at,
                                             text, sizeof text);) {
        size_t n = strlen(text);
        if (j->n_told == MOST)
            snprintf(text + n, sizeof text - n, "; further variables are not reported");
        simulation_say(it, text);
    }
}

/* Both sides of an event are rows; where inputs have a cut there, their next piece begins. The
 * method starts anew behind it. */
static int pass_event(Simulation *it, bool cut)
{
    Run *run = &it->run;
    Rows *rows = &it->rows;
    Events *events = &it->events;
    // inside a step the states satisfy the constraints only to the order of the method, and the
    // method, which has the inputs there, has ended
    bool closes_loops = rows->closes_loops;
    rows->closes_loops = false;
    tape_close_loops(run->tape);
    if (run->problem.loops &&
        (loops_project(&run->problem, run->t, run->x) || tape_closed(run->tape, run))) {
        simulation_fail(it, "event at t = %.9g: %s", run->t, run->problem.why);
        return SIMULATE_FAILED;
    }
    delays_look_back(run->problem.delays, true);
    int status = rows_write(it, run->t, run->x);
    delays_look_back(run->problem.delays, false);
    if (!status)
        jump_watch_before(&rows->jumps, run->problem.ctx, run->tolerance, run->t, run->x, rows->v);
    delays_pass(run->problem.delays, &run->problem, run->t, run->x);
    if (cut)
        inputs_advance(run->problem.inputs);
    // a branch of solutions may end in the last bit before the event
    bool leaves = context_leave_kinks(run->problem.ctx, !run->problem.loops);
    events->at_cut = cut;
    bool fails = !status && events->table && piece_handle_event(it);
    events->at_cut = false;
    context_leave_kinks(run->problem.ctx, leaves);
    if (fails) {
        if (!events->failed)
            simulation_fail(it, "event at t = %.9g: %s", run->t, run->problem.why);
        status = events->failed ? events->failed : SIMULATE_FAILED;
    }
    if (!status && delays_note(run->problem.delays, &run->problem, run->t, run->x)) {
        simulation_fail(it, "t = %.9g: %s", run->t, run->problem.why);
        status = SIMULATE_FAILED;
    }
    if (status)
        return status;
    rows_pass(rows, run->t);
    status = rows_write(it, run->t, run->x);
    rows->closes_loops = closes_loops;
    if (!status)
        tell_jumps(it);
    return status;
}

/* At a row of the data where something jumps, or a kink alone is. */
static int pass_cut(Simulation *it)
{
    if (it->piece.jumps)
        return pass_event(it, true);
    inputs_advance(it->run.problem.inputs);
    return SIMULATE_OK;
}

/* Whether a method with a step behind it goes on behind an event that changes no derivative. */
static bool may_go_on(const Simulation *it)
{
    const Problem *problem = &it->run.problem;
    return !it->method->fixed_step && !problem->loops && !problem->delays;
}

/* Whether the step has failed where the solution of a nonlinear block ends at a kink, as a
 * comparator with feedback saturates no longer: then it has to jump to another solution, which is
 * searched for. Where smooth equations end nothing is searched for: a linkage does not jump. */
static bool leaves_branch(Simulation *it)
{
    Run *run = &it->run;
    const RungContext *ctx = run->problem.ctx;
    uint32_t k = ctx->failed_block;
    // steps that get shorter and shorter may end with one that succeeds
    if (k == RUNG_NONE && run_last_failure(run))
        k = run->problem.failure_block;
    if (k == RUNG_NONE || ctx->failed_pivot != RUNG_NONE || ctx->model->block[k].is_linear ||
        !ctx->model->block[k].has_kinks || run->problem.loops ||
        (run->branches && run->t <= run->branch_t))
        return false;
    if (!run->branches) {
        char text[512];
        snprintf(text, sizeof text,
                 "t = %.9g: the solution for '%s' ends at a jump of its equations' slopes, and the "
                 "run goes on with another one",
                 run->t, rung_name(run->problem.model, ctx->model->block[k].variable[0]));
        simulation_say(it, text);
    }
    run->branches++;
    run->branch_t = run->t;
    return true;
}

/* Whether no step can be made because relations are on the side that their functions leave with
 * time: an event puts them on the other. */
static bool leaves_zero(Simulation *it)
{
    it->piece.is_asked = events_find_leaving(&it->events, &it->run);
    return it->piece.is_asked;
}

static void close_method(Simulation *it)
{
    if (it->self)
        it->method->close(it->self);
    it->self = NULL;
}

/* Tells external objects of the step up to run->t, with the equations evaluated there; whether one
 * of them wants an event. */
static bool objects_ask(Simulation *it)
{
    Run *run = &it->run;
    const RungContext *ctx = run->problem.ctx;
    bool asks = false, is_there = false;
    for (uint32_t k = 0; k < run->problem.model->n_objects; k++) {
        const struct RungObject *o = &ctx->object[k];
        if (!o->completed)
            continue;
        // a failure is that of the next step, too
        if (!is_there &&
            problem_evaluate(&run->problem, RUNG_ASK_OUTPUTS, run->t, run->x, it->rows.v))
            return false;
        is_there = true;
        asks = o->completed(o->at, run->t) || asks;
    }
    return asks;
}

/* ------------------------------------------------------------------ operations */

static int ends(Simulation *it, int status)
{
    it->piece.status = status;
    return status == SIMULATE_OK ? 0 : -1;
}

/* Where the next step is to end: at the latest where a relation of time alone changes derivatives,
 * since beyond it functions of time may have a kink, as at the knots of a table. */
static int set_stop(Simulation *it, double stop)
{
    Run *run = &it->run;
    Piece *piece = &it->piece;
    piece->known = INFINITY;
    if (!it->method->fixed_step && !piece->goes_over)
        piece->known = events_known_time(&it->events);
    if (!(piece->known - run->t > simulation_least_step(it)) || piece->known > stop)
        piece->known = INFINITY;
    double before = run->stop, until = fmin(stop, piece->known);
    if (it->o->longest_step > 0 && !it->method->fixed_step)
        until = fmin(until, run->t + it->o->longest_step);
    if (run->time_terms)
        return time_terms_stop(run->time_terms, run, it->method, it->self, until, piece->is_first);
    run->stop = until;
    return until != before && it->method->resume ? it->method->resume(it->self, run) : 0;
}

static int step(void *simulation, double t, double stop, double *end)
{
    Simulation *it = simulation;
    const SimulateOptions *o = it->o;
    Run *run = &it->run;
    Piece *piece = &it->piece;
    (void)t;
    piece->is_rest = false;
    if (piece->is_asked)
        return 1;
    if (o->interrupt && *o->interrupt) {
        simulation_fail(it, "interrupted at t = %.9g", run->t);
        return ends(it, SIMULATE_INTERRUPTED);
    }
    if (o->max_steps && run->problem.counts->steps >= o->max_steps) {
        simulation_fail(it, "t = %.9g: the limit of %llu steps is reached", run->t,
                        (unsigned long long)o->max_steps);
        return ends(it, SIMULATE_FAILED);
    }
    if (set_stop(it, stop)) {
        simulation_fail(it, "t = %.9g: %s takes no other time to stop at", run->t,
                        it->method->name);
        return ends(it, SIMULATE_FAILED);
    }
    if (!piece->is_first && methods_change(it))
        return 1;
    uint32_t fast = drift_singular(&it->drift, &run->problem, run->tolerance, run->t, run->x);
    if (fast != RUNG_NONE) {
        it->s->is_position_singular = true;
        simulation_fail(
            it,
            "t = %.9g: the constraints of redundant states are singular, and '%s' moves "
            "faster than before by orders of magnitude; at a singular position a "
            "mechanism may go on in several ways",
            run->t, problem_state_name(&run->problem, fast));
        return ends(it, SIMULATE_FAILED);
    }
    // the method begins anew where the states have come back
    if (!piece->is_first &&
        drift_restore(&it->drift, &run->problem, run->tolerance, run->t, run->x))
        return 1;
    fallback_probe_step(&run->problem, run->steps_before + run->problem.counts->steps + 1,
                        piece->is_first, run->t, run->x, run->h, run->tolerance);
    if (it->method->step(it->self, run)) {
        // another method goes on from the last step
        if (run->is_stiff && !o->method)
            return 1;
        if (!leaves_branch(it) && !leaves_zero(it))
            return ends(it, watch_fail_step(it));
        rows_guess_as_step(it);
        return 1;
    }
    scale_step(run->problem.scale, &run->problem, run->t, run->x);
    if (watch_stands_still(it))
        return leaves_branch(it) || leaves_zero(it) ? 1 : ends(it, watch_fail_step(it));
    if (watch_balances(it))
        return ends(it, watch_fail_step(it));
    *end = run->t;
    return 0;
}

static int look(void *simulation, double t, double end, double *at, RungFound *found)
{
    Simulation *it = simulation;
    Run *run = &it->run;
    Events *events = &it->events;
    bool is_event = false;
    double back;
    if (events_look(events, run, it->method, it->self, t, &is_event))
        return ends(it, watch_fail_step(it));
    run->problem.counts->steps += !it->piece.is_rest;
    it->piece.is_first = false;
    context_go_on(run->problem.ctx);
    *at = is_event ? events->step.t : end;
    *found = is_event ? RUNG_FOUND_EVENT : RUNG_FOUND_NOTHING;
    if (time_terms_passed(run->time_terms, run, it->method, it->self, t, *at, events_have_other,
                          events, &back)) {
        *found = RUNG_FOUND_SHORTER;
        *at = back;
        it->method->at(it->self, run, back, it->piece.end);
    }
    const Inside inside = inside_of(run, it->method, it->self);
    it->piece.is_arrival =
        delays_passed(run->problem.delays, &run->problem, &inside.interpolant, t, *at, &back);
    if (it->piece.is_arrival) {
        *found = RUNG_FOUND_SHORTER;
        *at = back;
        it->method->at(it->self, run, back, it->piece.end);
    }
    watch_note_unresolved(it);
    return 0;
}

static int observe(void *simulation, double t, double at, RungFound found)
{
    Simulation *it = simulation;
    Run *run = &it->run;
    Piece *piece = &it->piece;
    Rows *rows = &it->rows;
    RungContext *ctx = run->problem.ctx;
    const size_t size = run->problem.n * sizeof *run->x;
    piece->is_cut = at >= piece->next_cut;
    piece->is_arrival = piece->is_arrival || delays_arrive(run->problem.delays, at);
    bool is_event =
        found == RUNG_FOUND_EVENT || piece->is_arrival || (piece->is_cut && piece->jumps);
    memcpy(rows->guess, ctx->z, run->problem.model->n_unknowns * sizeof *rows->guess);
    const Inside inside = inside_of(run, it->method, it->self);
    int lost = delays_record(run->problem.delays, &run->problem, &inside.interpolant,
                             run->tolerance, t, at);
    delays_look_back(run->problem.delays, is_event);
    // nothing is shown of the step behind the time at which an assertion is violated
    int violated = watch_assertions_inside(it, t, at,
                                           found == RUNG_FOUND_EVENT     ? it->events.step.x
                                           : found == RUNG_FOUND_SHORTER ? piece->end
                                                                         : run->x);
    double end = violated ? it->watch.held : at;
    int seen = it->o->look && end > t ? rows_look(it, t, end, is_event && !violated) : 0;
    delays_look_back(run->problem.delays, false);
    // a row may lie beyond the end of a branch of solutions that the step itself has not met
    bool leaves = context_leave_kinks(ctx, true);
    // a grid point that is the event but for rounding is written as that
    int written = rows_write_due(it, violated                      ? it->watch.held
                                     : is_event                    ? at - rows_near(rows)
                                     : found == RUNG_FOUND_SHORTER ? at
                                                                   : NAN);
    written = violated ? violated : written;
    if (found == RUNG_FOUND_EVENT) {
        memcpy(piece->end, run->x, size);
        sensitivity_look(run->sensitivity, run, it->method, it->self, t);
        events_go(&it->events, run);
    } else if (found == RUNG_FOUND_SHORTER) {
        run->t = at;
        memcpy(run->x, piece->end, size);
    }
    bool cut_fails = found != RUNG_FOUND_NOTHING && tape_cut(run->tape, run, it->method, it->self);
    if (!cut_fails && found == RUNG_FOUND_SHORTER && run->problem.loops) {
        tape_close_loops(run->tape);
        cut_fails = loops_project(&run->problem, run->t, run->x) || tape_closed(run->tape, run);
    }
    if (cut_fails) {
        simulation_fail(it, "t = %.9g: %s", run->t, run->problem.why);
        return ends(it, SIMULATE_FAILED);
    }
    it->s->t = it->watch.is_violated ? it->watch.held : written ? rows->tried : run->t;
    if (run->problem.loops && watch_loops(it))
        return ends(it, watch_fail_step(it));
    int status = written ? written : seen;
    if (!status && found != RUNG_FOUND_EVENT)
        status = rows_check(it);
    context_leave_kinks(ctx, leaves);
    rows_guess_as_step(it);
    if (lost && !status) {
        simulation_fail(it, "t = %.9g: %s", run->t, run->problem.why);
        status = SIMULATE_FAILED;
    }
    if (!status && !it->method->fixed_step && watch_makes_no_progress(it))
        status = SIMULATE_FAILED;
    progress_step(&it->progress, it->s, run->h);
    piece->is_asked = !status && found == RUNG_FOUND_NOTHING && objects_ask(it);
    return ends(it, status);
}

static int pass(void *simulation, double at, double end, double *stop, int *restarts)
{
    Simulation *it = simulation;
    Run *run = &it->run;
    Piece *piece = &it->piece;
    if (piece->is_cut || !may_go_on(it)) {
        close_method(it);
        return ends(it, pass_event(it, piece->is_cut));
    }
    int status = pass_event(it, false);
    *restarts = status || it->events.now.restarts || it->events.is_over;
    if (piece->known < INFINITY)
        piece->goes_over = !*restarts;
    if (*restarts)
        return ends(it, status);
    margin_search_forget(&it->watch.margins); // memory has changed
    // derivatives have not changed: the rest of the step remains valid
    piece->is_rest = at < end;
    if (piece->is_rest)
        events_go_on(&it->events);
    run->t = it->s->t = end;
    memcpy(run->x, piece->end, run->problem.n * sizeof *run->x);
    if (run->tape)
        tape_go_on(run->tape);
    *stop = run->stop = fmin(fmin(it->s->stop, events_next_time(&it->events, run)),
                             fmin(piece->next_cut, it->next_save));
    time_terms_forget(run->time_terms);
    if (it->method->resume && it->method->resume(it->self, run)) {
        simulation_fail(it, "%s cannot go on behind an event", it->method->name);
        return ends(it, SIMULATE_FAILED);
    }
    return 0;
}

/* ------------------------------------------------------------------ the piece */

static int fail_open(Simulation *it)
{
    const char *why = it->run.problem.why;
    char rate[512];
    watch_explain_rate(it, rate, sizeof rate);
    simulation_fail(it, "%s: %s%s%s", it->method->name, *why ? why : "out of memory",
                    *rate ? "; " : "", rate);
    return *why ? SIMULATE_FAILED : SIMULATE_FILE;
}

int piece_integrate(Simulation *it)
{
    static const RungAdvance operations = {step, look, observe, pass};
    const SimulateSummary *s = it->s;
    Run *run = &it->run;
    Piece *piece = &it->piece;
    run->problem.piece_start = run->t;
    run->stop = fmin(s->stop, events_next_time(&it->events, run));
    if (run->stop >= s->stop && s->stop - run->t <= simulation_least_step(it)) {
        /* after an event at the very end there is no time left for a step */
        run->t = it->s->t = s->stop;
        return rows_write(it, run->t, run->x);
    }
    piece->is_cut = false;
    piece->next_cut = inputs_next(run->problem.inputs, &piece->jumps);
    if (piece->next_cut < s->stop && piece->next_cut - run->t <= simulation_least_step(it))
        return pass_cut(it); // as by a rounding error
    run->stop = fmin(run->stop, fmin(piece->next_cut, it->next_save));
    double reach = delays_reach(run->problem.delays);
    if (run->stop - run->t > (1 + 1e-9) * reach) // a remainder of rounding is no piece of its own
        run->stop = run->t + reach;
    delays_watch(run->problem.delays);
    delays_pass(run->problem.delays, &run->problem, run->t, run->x);
    piece->is_arrival = false;
    run->stop = fmin(run->stop, delays_arrival(run->problem.delays));
    context_settle(run->problem.ctx);
    context_leave_kinks(run->problem.ctx, run->branches && run->t <= run->branch_t);
    scale_begin(run->problem.scale, &run->problem,
                &(ScaleRun){run->t, s->start, run->span, run->tolerance}, run->x);
    events_find_sizes(&it->events, run);
    loops_forget(run->problem.loops);
    drift_begin(&it->drift);
    margin_search_forget(&it->watch.margins);
    it->self = it->method->open(run);
    if (!it->self)
        return fail_open(it);
    it->watch.tiny = 0;
    piece->is_first = true;
    piece->status = SIMULATE_OK;
    piece->is_asked = false;
    time_terms_forget(run->time_terms);
    double t = run->t;
    RungEnded ended = rung_advance(&operations, it, &t, run->stop);
    close_method(it);
    if (ended == RUNG_ENDED_FAILED)
        return piece->status;
    if (ended != RUNG_ENDED_AT_EVENT && piece->is_cut)
        return pass_cut(it);
    return piece->is_asked || (piece->is_arrival && ended != RUNG_ENDED_AT_EVENT)
               ? pass_event(it, false)
               : SIMULATE_OK;
}
