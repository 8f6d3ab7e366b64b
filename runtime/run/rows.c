/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rows.c -- rows of a result: the values at them, their ranges, who looks on.
 */
#include "delay.h"
#include "fallback.h"
#include "loops.h"
#include "run_parts.h"
#include "tape.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* So many variables outside their ranges are reported by name; of more their number. */
enum { MOST_RANGES = 10 };

/* MLS 4.9.1: v as filled by outputs; NULL: parameters alone. */
int rows_check_ranges(Simulation *it, double t, const double *x, const double *v)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    Ranges *r = &it->rows.ranges;
    char text[600];
    for (uint32_t at = 0; ranges_next(r, run->problem.ctx, t, x, v, &at, text, sizeof text);) {
        if (o->range == RANGE_ERROR) {
            simulation_fail(it, "%s", text);
            return v ? SIMULATE_FAILED : SIMULATE_MODEL;
        }
        if (r->n_reported <= MOST_RANGES)
            simulation_say(it, text);
    }
    return SIMULATE_OK;
}

void rows_count_ranges(Simulation *it)
{
    Ranges *r = &it->rows.ranges;
    char text[100];
    if (r->n_reported <= MOST_RANGES)
        return;
    snprintf(text, sizeof text, "%u more variables were outside their min and max",
             r->n_reported - MOST_RANGES);
    simulation_say(it, text);
}

static bool are_finite(uint32_t n, const double *v)
{
    // a sum of products with zero is zero unless one is not finite
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += 0 * v[k];
    return sum == 0;
}

/* A value that is not finite ends the run: values computed from it would be wrong in silence. */
static int fail_value(Simulation *it, double t, const double *x, const double *v)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    uint32_t n = run->problem.model->n_variables, bad = RUNG_NONE;
    double *value = calloc(n + (size_t)1, sizeof *value);
    char text[800] = "";
    for (uint32_t k = 0; k < n && value; k++) {
        value[k] = rung_value(run->problem.ctx, k, t, x, v);
        bool is_found = rung_variable(run->problem.model, k).attributes->kind >= RUNG_DISCRETE;
        if (bad == RUNG_NONE && is_found && !isfinite(value[k]))
            bad = k;
    }
    if (o->explain && bad != RUNG_NONE)
        o->explain(o->explain_user, t, value, text, sizeof text);
    simulation_fail(it, "t = %.9g: the value of '%s' is %s%s%s", t,
                    bad == RUNG_NONE ? "an unknown" : rung_name(run->problem.model, bad),
                    bad == RUNG_NONE || isnan(value[bad]) ? "not a number" : "infinite",
                    *text ? "; " : "", text);
    free(value);
    return SIMULATE_FAILED;
}

/* Values that are numbers, but none of their type (text). */
static int fail_invalid(Simulation *it, double t, uint32_t bad, const double *x, const double *v,
                        const char *text)
{
    const Problem *problem = &it->run.problem;
    const SimulateOptions *o = it->o;
    uint32_t n = problem->model->n_variables;
    double *value = calloc(n + (size_t)1, sizeof *value);
    char why[800] = "";
    for (uint32_t k = 0; k < n && value; k++)
        value[k] = x ? rung_value(problem->ctx, k, t, x, v) : 0;
    for (uint32_t k = 0; k < n && value && !x; k++) {
        uint32_t place = (uint32_t)rung_variable(problem->model, k).place;
        bool is_known =
            place == RUNG_IN_PARAMETERS || place == RUNG_IN_CONSTANTS || place == RUNG_IN_NUMBERS;
        value[k] = is_known ? rung_value(problem->ctx, k, t, NULL, NULL) : 0;
    }
    if (value)
        value[bad] = NAN; // the equation that determines it
    if (o->explain && value)
        o->explain(o->explain_user, t, value, why, sizeof why);
    if (x)
        simulation_fail(it, "t = %.9g: %s%s%s", t, text, *why ? "; " : "", why);
    else
        simulation_fail(it, "%s%s%s", text, *why ? "; " : "", why);
    free(value);
    return x ? SIMULATE_FAILED : SIMULATE_MODEL;
}

int rows_check_constants(Simulation *it)
{
    char why[400];
    uint32_t bad = valid_constants(it->run.problem.ctx, why, sizeof why);
    return bad == RUNG_NONE ? SIMULATE_OK : fail_invalid(it, it->run.t, bad, NULL, NULL, why);
}

static int fail_outputs(Simulation *it, double t)
{
    Run *run = &it->run;
    char why[512];
    problem_explain(&run->problem, why, sizeof why);
    simulation_fail(it, "t = %.9g: the variables cannot be evaluated: %s", t, why);
    return SIMULATE_FAILED;
}

/* The values at (t, x) into rows->v: those that may be others than in the row before. Whether these
 * are finite. */
static int find_values(Simulation *it, double t, const double *x, bool *finite)
{
    Run *run = &it->run;
    Rows *rows = &it->rows;
    Parts *p = rows->parts;
    int status = 1;
    // blocks that no step solves go on from the last row, which may be far: then as at the start
    for (int round = 0; round < 2 && status > 0; round++) {
        context_search(run->problem.ctx, round > 0);
        if (p) {
            parts_touch_moving(p);
            status = parts_evaluate(p, &run->problem, t, x, rows->v);
        } else {
            status = problem_evaluate(&run->problem, RUNG_ASK_OUTPUTS, t, x, rows->v);
        }
    }
    context_search(run->problem.ctx, false);
    *finite = are_finite(run->problem.model->n_unknowns, run->problem.ctx->z);
    if (!p)
        *finite = *finite && are_finite(run->problem.model->n_values, rows->v);
    for (uint32_t i = 0; p && i < p->done.n; i++)
        for (uint32_t k = p->table.first_out[p->done.at[i]];
             k < p->table.first_out[p->done.at[i] + 1]; k++)
            *finite = *finite && isfinite(rows->v[p->table.out[k]]);
    if (p)
        some_clear(&p->done);
    return status;
}

/* Whether the solutions of blocks continue those of the row before. */
static bool goes_on(Simulation *it, double t, const double *x, char *text, size_t size)
{
    Rows *rows = &it->rows;
    Problem *problem = &it->run.problem;
    if (!problem->model->n_blocks || problem->loops)
        return true;
    if (it->events.n != rows->n_events)
        branches_forget(&rows->branches);
    rows->n_events = it->events.n;
    return branches_continue(&rows->branches, problem, t, x, rows->v, text, size);
}

static int write_row(Simulation *it, double t, const double *x)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    Rows *rows = &it->rows;
    rows->tried = t;
    // a method that closes loops has the multipliers of t already
    if (run->problem.loops && !rows->closes_loops && loops_xdot(&run->problem, t, x, rows->xdot)) {
        simulation_fail(it, "t = %.9g: the constraint forces cannot be evaluated", t);
        return SIMULATE_FAILED;
    }
    bool finite;
    if (find_values(it, t, x, &finite))
        return fail_outputs(it, t);
    if (!finite)
        return fail_value(it, t, x, rows->v);
    char text[400];
    if (!goes_on(it, t, x, text, sizeof text)) {
        simulation_fail(it, "t = %.9g: %s", t, text);
        return SIMULATE_FAILED;
    }
    uint32_t bad = valid_values(&rows->valid, run->problem.ctx, t, x, rows->v, text, sizeof text);
    if (bad != RUNG_NONE)
        return fail_invalid(it, t, bad, x, rows->v, text);
    int outside = rows_check_ranges(it, t, x, rows->v);
    if (outside)
        return outside;
    jump_watch_note(&rows->jumps, run->problem.ctx, t, x, rows->v);
    if (!rows->file && o->result) {
        // opened with the first row: a run that cannot start leaves no file
        rows->file = result_open(o->result, o->signals, run->problem.ctx);
        if (!rows->file) {
            simulation_fail(it, "cannot write '%s': %s", o->result, strerror(errno));
            return SIMULATE_FILE;
        }
    }
    if (rows->file && result_row(rows->file, run->problem.ctx, t, x, rows->v)) {
        simulation_fail(it, "cannot write '%s': %s", o->result, strerror(errno));
        return SIMULATE_FILE;
    }
    if (o->row && o->row(o->user, run->problem.ctx, t, x, rows->v)) {
        simulation_fail(it, "stopped at t = %.9g by the receiver of the results", t);
        return SIMULATE_FAILED;
    }
    it->s->rows++;
    rows->t = t;
    return SIMULATE_OK;
}

int rows_write(Simulation *it, double t, const double *x)
{
    ProfilePart before = profile_enter(it->run.problem.profile, PROFILE_ROWS);
    int status = write_row(it, t, x);
    profile_leave(it->run.problem.profile, before);
    return status;
}

/* Evaluates the values at the end of a step without a row: one that is not finite ends the run,
 * too. */
int rows_check(Simulation *it)
{
    Run *run = &it->run;
    Rows *rows = &it->rows;
    if (!run->problem.model->has_open_values || rows->t == run->t ||
        (run->problem.loops && !rows->closes_loops))
        return SIMULATE_OK;
    if (problem_evaluate(&run->problem, RUNG_ASK_OUTPUTS, run->t, run->x, rows->v))
        return fail_outputs(it, run->t);
    bool finite = are_finite(run->problem.model->n_values, rows->v) &&
                  are_finite(run->problem.model->n_unknowns, run->problem.ctx->z);
    return finite ? SIMULATE_OK : fail_value(it, run->t, run->x, rows->v);
}

double rows_time(const Rows *rows, uint64_t k)
{
    return rows->grid.origin + (double)k * rows->grid.interval;
}

double rows_near(const Rows *rows)
{
    return 1e-9 * rows->grid.interval;
}

void rows_pass(Rows *rows, double t)
{
    while (rows_time(rows, rows->next) <= t + rows_near(rows))
        rows->next++;
}

/* Restores the first guesses of blocks from the end of the step, so that a run does not depend on
 * evaluations inside the step for rows. Blocks outside the steps keep those of the last evaluation.
 */
void rows_guess_as_step(Simulation *it)
{
    Run *run = &it->run;
    Rows *rows = &it->rows;
    double *z = run->problem.ctx->z;
    for (uint32_t k = 0; k < run->problem.model->n_blocks; k++) {
        const RungBlock *b = &run->problem.model->block[k];
        size_t size = b->n * sizeof *z;
        if (memcmp(rows->guess + b->first, rows->left + b->first, size) == 0)
            continue;
        memcpy(z + b->first, rows->guess + b->first, size);
        rows->branches.is_of_step[k] = rows->branches.is_of_step[k] || rows->has_left;
    }
    memcpy(rows->left, z, run->problem.model->n_unknowns * sizeof *z);
    rows->has_left = true;
}

/* The states at t inside the last step, with closed loops: forces of nearly redundant constraints
 * magnify the error of the dense output. */
static void closed_at(Simulation *it, double t, double *x)
{
    Run *run = &it->run;
    it->method->at(it->self, run, t, x);
    if (!run->problem.loops || it->rows.closes_loops || t == run->t)
        return;
    if (loops_project(&run->problem, t, x))
        it->method->at(it->self, run, t, x);
}

/* The rows that are due after a step to run->t, or before `end` in it. A grid point that is the
 * final time, or that of a save, but for rounding is written as that. */
int rows_write_due(Simulation *it, double end)
{
    Run *run = &it->run;
    Rows *rows = &it->rows;
    const Integrator *method = it->method;
    void *self = it->self;
    const SimulateSummary *s = it->s;
    bool inside = !isnan(end);
    for (; inside ? rows_time(rows, rows->next) < end : rows_time(rows, rows->next) <= run->t;
         rows->next++) {
        double t = rows_time(rows, rows->next);
        if (fmin(s->stop, it->next_save) - t <= rows_near(rows))
            break;
        closed_at(it, t, rows->x);
        int status = rows_write(it, t, rows->x);
        if (status)
            return status;
    }
    if (inside || run->t < fmin(s->stop, it->next_save))
        return SIMULATE_OK;
    // at a save rows are those of a run that ends there and of one that goes on
    bool due = rows_time(rows, rows->next) - run->t <= rows_near(rows);
    if (run->t < s->stop && !due)
        return SIMULATE_OK;
    rows->next += due;
    // inputs of loops are those of the end again, wherever else was looked at
    method->at(self, run, run->t, rows->x);
    return rows_write(it, run->t, run->x);
}

static double unit_inside(const SimulateStep *s, uint32_t k, double x)
{
    const Simulation *it = s->inside;
    const Problem *problem = &it->run.problem;
    if (k >= problem_own_states(problem))
        return INFINITY;
    return it->run.tolerance * problem_size(problem, k, x);
}

static void states_inside(const SimulateStep *s, double t, double *x)
{
    const Simulation *it = s->inside;
    if (t == it->run.t)
        memcpy(x, it->run.x, it->run.problem.n * sizeof *x);
    else
        it->method->at(it->self, &it->run, t, x);
}

/* Up or down by 0.5 to 1, by a hash of both numbers (Knuth 1998, 6.4), so that no difference of two
 * states stays as it is. */
static double drawn(uint32_t draw, uint32_t k)
{
    uint32_t x = (k + 1) * 2654435761u + draw * 40503u;
    x = (x ^ (x >> 15)) * 2246822519u;
    x ^= x >> 13;
    double size = 0.5 + 0.5 * (double)(x & 0xffff) / 0xffff;
    return x >> 31 ? size : -size;
}

static int evaluate_inside(const SimulateStep *s, double t, bool moved, uint32_t draw)
{
    Simulation *it = s->inside;
    Run *run = &it->run;
    Rows *rows = &it->rows;
    it->method->at(it->self, run, t, rows->x);
    for (uint32_t k = 0; moved && k < problem_own_states(&run->problem); k++)
        rows->x[k] += drawn(draw, k) * unit_inside(s, k, rows->x[k]);
    bool finds = !rows->closes_loops || (moved && it->o->moves_multipliers);
    // delayed values that jump at the beginning are those behind the jump, at the end those before
    delays_look_back(run->problem.delays, s->ends_in_event && t > s->t0);
    int status =
        (run->problem.loops && finds && loops_xdot(&run->problem, t, rows->x, rows->xdot)) ||
        problem_evaluate(&run->problem, RUNG_ASK_OUTPUTS, t, rows->x, rows->v);
    delays_look_back(run->problem.delays, s->ends_in_event);
    return status;
}

/* Whether the model has to be evaluated for these variables: not where the states say it all. */
static bool need_values(const RungModel *m, uint32_t n, const uint32_t *row)
{
    for (uint32_t k = 0; k < n; k++) {
        RungPlace place = rung_variable(m, row[k]).place;
        if (place == RUNG_IN_VALUES || place == RUNG_IN_INPUTS || place == RUNG_IN_UNKNOWNS)
            return true;
    }
    return false;
}

/* The states among these variables, and the others as they are. */
static void states_of(Simulation *it, double t, uint32_t n, const uint32_t *row)
{
    enum { MOST = 32 };
    uint32_t state[MOST], found = 0;
    bool ok = it->method->some_at;
    for (uint32_t k = 0; ok && k < n; k++) {
        const RungVariable v = rung_variable(it->run.problem.model, row[k]);
        if (v.place == RUNG_IN_STATES)
            state[found++] = v.index;
        if (found && (found == MOST || k + 1 == n)) {
            ok = it->method->some_at(it->self, &it->run, t, found, state, it->rows.x);
            found = 0;
        }
    }
    if (!ok)
        it->method->at(it->self, &it->run, t, it->rows.x);
}

static int some_inside(const SimulateStep *s, double t, uint32_t n, const uint32_t *row,
                       double *value)
{
    Simulation *it = s->inside;
    if (!need_values(it->run.problem.model, n, row))
        states_of(it, t, n, row);
    else if (evaluate_inside(s, t, false, 0))
        return 1;
    for (uint32_t k = 0; k < n; k++)
        value[k] = rung_value(it->run.problem.ctx, row[k], t, it->rows.x, it->rows.v);
    return 0;
}

static int moved_inside(const SimulateStep *s, double t, uint32_t draw, uint32_t n,
                        const uint32_t *row, double *value)
{
    Simulation *it = s->inside;
    if (evaluate_inside(s, t, true, draw))
        return 1;
    for (uint32_t k = 0; k < n; k++)
        value[k] = rung_value(it->run.problem.ctx, row[k], t, it->rows.x, it->rows.v);
    return 0;
}

static int values_inside(const SimulateStep *s, double t, double *value)
{
    Simulation *it = s->inside;
    if (evaluate_inside(s, t, false, 0))
        return 1;
    for (uint32_t k = 0; k < it->run.problem.model->n_variables; k++)
        value[k] = rung_value(it->run.problem.ctx, k, t, it->rows.x, it->rows.v);
    return 0;
}

static int mark_inside(const SimulateStep *step, double t, uint32_t k)
{
    Simulation *it = step->inside;
    return it->run.tape ? tape_mark(it->run.tape, &it->run, it->method, it->self, t, k) : 1;
}

static bool pivoting_may_help_inside(const SimulateStep *step, double t)
{
    Simulation *it = step->inside;
    t = fmin(fmax(t, step->t0), step->t1); // of a fault before a jump, the time behind it
    states_inside(step, t, it->rows.x);
    return fallback_may_do_better(&it->run.problem, t, it->rows.x, it->run.tolerance);
}

int rows_look(Simulation *it, double t0, double t1, bool is_event)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    Rows *rows = &it->rows;
    Events *events = &it->events;
    const SimulateSummary *s = it->s;
    SimulateStep step = {.t0 = t0,
                         .t1 = t1,
                         .ends_in_event = is_event,
                         .h = run->t - t0,
                         .next_row = rows_time(rows, rows->next),
                         .interval = s->interval,
                         .tolerance = s->tolerance,
                         .start = s->start,
                         .stop = s->stop,
                         .n_events = events->n,
                         .rounds = events->rounds,
                         .method = s->method,
                         .is_fixed = it->method->fixed_step,
                         .is_multistep = it->method->multistep,
                         .is_projected = run->problem.loops && !it->method->closes_loops,
                         .is_resumed = o->from != NULL,
                         .evaluations = run->problem.counts->evaluations,
                         .n_states = run->problem.n,
                         .values = values_inside,
                         .some = some_inside,
                         .moved = moved_inside,
                         .states = states_inside,
                         .unit = unit_inside,
                         .mark = mark_inside,
                         .pivoting_may_help = pivoting_may_help_inside,
                         .inside = it};
    // who looks on is none of the run's cost
    const Counts counts = *run->problem.counts;
    ProfilePart before = profile_enter(run->problem.profile, PROFILE_LOOK);
    int stops = o->look(o->user, &step);
    profile_leave(run->problem.profile, before);
    *run->problem.counts = counts;
    if (!stops)
        return SIMULATE_OK;
    if (run->tape && *run->problem.why)
        simulation_fail(it, "t = %.9g: %s", t1, run->problem.why);
    else
        simulation_fail(it, "stopped at t = %.9g by who looked on", t1);
    return SIMULATE_FAILED;
}
