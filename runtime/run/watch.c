/* SPDX-License-Identifier: BSD-3-Clause
 *
 * watch.c -- conditions under which a run ends or warns: assertions, loops that come apart, steps
 * that get it no further; and the message of a step that fails.
 */
#include "loops.h"
#include "loops_rank.h"
#include "run_parts.h"
#include "time_terms.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void watch_warn(RungContext *ctx, const char *message, const char *where)
{
    Simulation *it = ctx->warn_to;
    Warned *w = &it->watch.warnings;
    for (uint32_t k = 0; k < w->n; k++)
        if (!strcmp(w->where[k], where))
            return;
    if (w->n == MOST_WARNINGS)
        return;
    w->where[w->n++] = where;
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s", where, *where ? ": " : "", message);
    simulation_say(it, text);
}

/* Evaluates the conditions of assertions at (t, x) into watch->holds. */
static int find_conditions(Simulation *it, double t, const double *x)
{
    Run *run = &it->run;
    int status = 1;
    // blocks that no step solves, as at rows (find_values)
    for (int round = 0; round < 2 && status > 0; round++) {
        context_search(run->problem.ctx, round > 0);
        status = problem_evaluate(&run->problem, RUNG_ASK_ASSERTIONS, t, x, it->watch.holds);
    }
    context_search(run->problem.ctx, false);
    if (!status)
        return SIMULATE_OK;
    char why[512];
    problem_explain(&run->problem, why, sizeof why);
    simulation_fail(it, "t = %.9g: the conditions of assertions cannot be evaluated: %s", t, why);
    return SIMULATE_FAILED;
}

/* MLS 8.3.7: an error stops the run, a warning is reported once. */
static int report_assertions(Simulation *it, double t, const double *x, bool at_start)
{
    Run *run = &it->run;
    Watch *w = &it->watch;
    const RungModel *m = run->problem.model;
    for (uint32_t k = 0; k < m->n_assertions; k++) {
        const RungAssertion *a = &m->assertion[k];
        bool constant = a->constant != RUNG_NONE;
        if ((constant && !at_start) || w->warned[k])
            continue;
        if (constant ? run->problem.ctx->c[a->constant] != 0 : w->holds[k])
            continue;
        const char *message = context_message(run->problem.ctx, t, x, k, a->message);
        if (!a->is_warning) {
            simulation_fail(it, "%s%sassertion violated at t = %.9g: %s", a->where,
                            *a->where ? ": " : "", t, message);
            return at_start ? SIMULATE_MODEL : SIMULATE_FAILED;
        }
        char text[1024];
        snprintf(text, sizeof text, "%s%sassertion violated at t = %.9g: %s", a->where,
                 *a->where ? ": " : "", t, message);
        simulation_say(it, text);
        w->warned[k] = 1;
    }
    return SIMULATE_OK;
}

int watch_assertions(Simulation *it, bool at_start)
{
    Run *run = &it->run;
    if (!at_start && !it->watch.any_varying)
        return SIMULATE_OK;
    if (it->watch.any_varying && find_conditions(it, run->t, run->x))
        return SIMULATE_FAILED;
    return report_assertions(it, run->t, run->x, at_start);
}

/* Whether an assertion is violated that has not been reported. */
static bool is_violated(const Simulation *it)
{
    const RungModel *m = it->run.problem.model;
    bool any = false;
    for (uint32_t k = 0; k < m->n_assertions; k++)
        any = any || (m->assertion[k].constant == RUNG_NONE && !it->watch.holds[k] &&
                      !it->watch.warned[k]);
    return any;
}

/* At (t, x) in the last step, later than before: reported is the earliest time at which one is
 * violated, by bisection since then. */
static int look_inside(Simulation *it, double t, const double *x)
{
    enum { HALVINGS = 60 };
    Watch *w = &it->watch;
    if (find_conditions(it, t, x))
        return SIMULATE_FAILED;
    double low = w->held, high = t;
    bool found = is_violated(it);
    for (int k = 0; found && k < HALVINGS; k++) {
        double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high))
            break;
        it->method->at(it->self, &it->run, middle, w->x);
        if (find_conditions(it, middle, w->x))
            return SIMULATE_FAILED;
        if (is_violated(it))
            high = middle;
        else
            low = middle;
    }
    if (found && high < t) {
        it->method->at(it->self, &it->run, high, w->x);
        x = w->x;
    }
    w->held = high;
    if (!found)
        return SIMULATE_OK;
    w->is_violated = find_conditions(it, high, x) || report_assertions(it, high, x, false);
    // multipliers of closed loops are those of the last point again
    if (x == w->x)
        it->method->at(it->self, &it->run, t, w->x);
    return w->is_violated ? SIMULATE_FAILED : SIMULATE_OK;
}

int watch_assertions_inside(Simulation *it, double t0, double t, const double *x)
{
    Run *run = &it->run;
    Rows *rows = &it->rows;
    RungContext *ctx = run->problem.ctx;
    if (!it->watch.any_varying)
        return SIMULATE_OK;
    it->watch.held = t0;
    bool leaves = context_leave_kinks(ctx, true); // as for rows
    int status = SIMULATE_OK;
    double at = t, begin = t0;
    uint64_t k = rows->next;
    // a violation found between is one of the times to look at
    for (bool more = true; more && !status;) {
        more = margin_search_find(&it->watch.margins, run, it->method, it->self, it->watch.warned,
                                  begin, t, x, &at);
        for (; !status && rows_time(rows, k) < (more ? at : t); k++) {
            it->method->at(it->self, run, rows_time(rows, k), rows->x);
            status = look_inside(it, rows_time(rows, k), rows->x);
        }
        if (more && !status) {
            it->method->at(it->self, run, at, rows->x);
            status = look_inside(it, at, rows->x);
            // a warning; or none, and then the search would find it again
            more = it->watch.held > begin;
            begin = it->watch.held;
        }
    }
    status = status ? status : look_inside(it, t, x);
    context_leave_kinks(ctx, leaves);
    memcpy(ctx->z, rows->guess, run->problem.model->n_unknowns * sizeof *ctx->z);
    return status;
}

int watch_in_event(void *simulation, Run *run)
{
    (void)run;
    return watch_assertions(simulation, false);
}

/* Whether a singular position of a loop is near; *which is a constraint of it. Exactly there more
 * constraints depend on each other than elsewhere. */
static bool near_singular(Simulation *it, uint32_t *which)
{
    Run *run = &it->run;
    static const double NEAR = 0.1; // share that the least constraint has of the largest
    return run->problem.loops && (loops_rank_ratio(&run->problem, run->t, run->x, which) < NEAR ||
                                  run->problem.loops->rank < run->problem.loops->most_rank);
}

/* The state that changes most for its size, as text: one that grows without bound, as x' = x^2. */
static void name_fastest(Simulation *it, char *text, size_t size)
{
    Run *run = &it->run;
    const Problem *problem = &run->problem;
    double most = 0, *rate = it->rows.xdot;
    uint32_t fastest = 0;
    if (problem->loops || problem_xdot(&run->problem, run->t, run->x, rate))
        return;
    for (uint32_t k = 0; k < problem->n; k++) {
        double share = fabs(rate[k]) / problem_size(problem, k, run->x[k]);
        if (share > most) {
            most = share;
            fastest = k;
        }
    }
    if (most > 0)
        snprintf(text, size, "; '%s' = %.6g changes most, with the derivative %.6g",
                 problem_state_name(problem, fastest), run->x[fastest], rate[fastest]);
}

/* The state whose derivative is another one a little before or behind, as it jumps where no event
 * is made: the one with the largest jump against its nominal value; with `back`, of those that
 * change their sign. RUNG_NONE if there is none. */
static uint32_t find_jump(Simulation *it, bool back)
{
    Run *run = &it->run;
    static const double FAR = 100, LEAST = 0.1; // steps; of the sizes on both sides
    uint32_t found = RUNG_NONE;
    double most = 0, *x = malloc((3 * (size_t)run->problem.n + 1) * sizeof *x);
    if (!x)
        return found;
    double *here = x + run->problem.n, *there = here + run->problem.n;
    if (!problem_xdot(&run->problem, run->t, run->x, here))
        for (int side = -1; side <= 1; side += 2) {
            double h = side * FAR * run->h;
            for (uint32_t k = 0; k < run->problem.n; k++)
                x[k] = run->x[k] + h * here[k];
            if (problem_xdot(&run->problem, run->t + h, x, there))
                continue;
            for (uint32_t k = 0; k < run->problem.n; k++) {
                double jump = fabs(there[k] - here[k]), size = fabs(there[k]) + fabs(here[k]);
                double share = jump / run->problem.model->nominal[k];
                bool counts = !back || there[k] * here[k] < 0;
                if (counts && jump > LEAST * size && share > most) {
                    most = share;
                    found = k;
                }
            }
        }
    free(x);
    return found;
}

/* As text, for a message; empty where there is none. */
static void name_jump(Simulation *it, bool back, char *text, size_t size)
{
    uint32_t jump = find_jump(it, back);
    *text = 0;
    if (jump != RUNG_NONE)
        snprintf(text, size,
                 "; der(%s) jumps to and fro where no event is made, as by sign() or noEvent()",
                 problem_state_name(&it->run.problem, jump));
}

/* Steps so short that time stands still: a method that creeps towards a point it cannot pass. In
 * front of a singular position it does so without end. */
bool watch_stands_still(Simulation *it)
{
    Run *run = &it->run;
    int *tiny = &it->watch.tiny;
    enum { FEW = 6, MANY = 500 };
    static const double GROWN = 1.5;
    // of the time reached: at t = 1e-20 a step of 1e-21 is long
    bool still = run->h < 16 * DBL_EPSILON * fabs(run->t);
    bool creeps = run->problem.loops && run->h < 1e-7 * (run->stop - run->problem.piece_start);
    // behind a jump of derivatives steps grow again
    it->watch.shortest = *tiny ? fmin(it->watch.shortest, run->h) : run->h;
    bool grows = still && run->h > GROWN * it->watch.shortest;
    *tiny = (still || creeps) && run->t < run->stop ? *tiny + !grows : 0;
    if (*tiny < (still ? FEW : MANY))
        return false;
    *tiny = 0;
    uint32_t which;
    if (!still && !near_singular(it, &which))
        return false;
    const char *failure = run_last_failure(run);
    char fastest[300] = "";
    if (!failure)
        name_jump(it, true, fastest, sizeof fastest);
    if (!failure && !*fastest)
        name_fastest(it, fastest, sizeof fastest);
    snprintf(run->problem.why, sizeof run->problem.why, "the step became too small%s%s%s",
             failure ? "; " : "", failure ? failure : "", fastest);
    return true;
}

/* Where a derivative that is not finite comes from, as text; empty where that is not the cause. */
void watch_explain_rate(Simulation *it, char *text, size_t size)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    Rows *rows = &it->rows;
    *text = 0;
    uint32_t n = run->problem.model->n_variables;
    double *value = o->explain && run->problem.failure_x && run_last_failure(run)
                        ? calloc(n + (size_t)1, sizeof *value)
                        : NULL;
    double t = run->problem.failure_t;
    if (value &&
        !problem_evaluate(&run->problem, RUNG_ASK_OUTPUTS, t, run->problem.failure_x, rows->v)) {
        for (uint32_t k = 0; k < n; k++)
            value[k] = rung_value(run->problem.ctx, k, t, run->problem.failure_x, rows->v);
        o->explain(o->explain_user, t, value, text, size);
    }
    free(value);
}

int watch_fail_step(Simulation *it)
{
    Run *run = &it->run;
    uint32_t which;
    char rate[512];
    watch_explain_rate(it, rate, sizeof rate);
    const char *loop = near_singular(it, &which) ? loops_name(run->problem.loops, which) : "";
    // named already, perhaps
    bool known = strstr(run->problem.why, loop);
    char pivot[400] = "";
    if (run->problem.counts->fallbacks && *run->problem.counts->fallback_variable && !*loop)
        snprintf(pivot, sizeof pivot,
                 "; the pivot of '%s' vanished at t = %.9g: where that is a motion which nothing "
                 "resists, as a slender rod's about its line, give the body an inertia about it",
                 run->problem.counts->fallback_variable, run->problem.counts->fallback_t);
    simulation_fail(it, "t = %.9g, step %llu (h = %.3g): %s%s%s%s%s%s%s", run->t,
                    (unsigned long long)run->problem.counts->steps + 1, run->h, run->problem.why,
                    *loop ? "; " : "", known ? "" : loop,
                    *loop ? known ? "near a singular position" : " is near a singular position"
                          : "",
                    *rate ? "; " : "", rate, pivot);
    return SIMULATE_FAILED;
}

/* A violation of constraints, which are lengths in metres and cosines, too large for an error of a
 * step. */
static const double APART = 1e-3;

/* Notes how far the loops are from being closed. Not 0 with run->problem.why where that is too far.
 */
int watch_loops(Simulation *it)
{
    Run *run = &it->run;
    SimulateSummary *s = it->s;
    double phi, phi_dot;
    uint32_t which = 0;
    if (loops_phi(&run->problem, run->t, run->x, &phi, &phi_dot, &which)) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the constraints of the loops cannot be evaluated");
        return 1;
    }
    s->worst_phi = fmax(s->worst_phi, phi);
    s->worst_phi_dot = fmax(s->worst_phi_dot, phi_dot);
    if (phi <= APART)
        return 0;
    snprintf(run->problem.why, sizeof run->problem.why,
             "%s has come apart, a constraint is off by %.3g",
             loops_name(run->problem.loops, which), phi);
    return 1;
}

/* Records the residuals of the balances at the end of a step, before a row inside it replaces the
 * inputs. Methods that do not close loops have these inputs at rows alone. */
int watch_balances(Simulation *it)
{
    Run *run = &it->run;
    const Integrator *method = it->method;
    SimulateSummary *s = it->s;
    if (!run->problem.loops || !method->closes_loops || !run->problem.loops->k)
        return 0;
    double balance;
    if (loops_balance(&run->problem, run->t, run->x, &balance)) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the balances of massless parts cannot be evaluated");
        return 1;
    }
    s->has_balances = true;
    s->worst_balance = fmax(s->worst_balance, balance);
    return 0;
}

/* Reported once; the summary counts them all. */
void watch_note_unresolved(Simulation *it)
{
    const Events *events = &it->events;
    double t;
    uint64_t missed = time_terms_missed(it->run.time_terms, &t);
    if (missed && !it->s->missed) {
        char text[256];
        snprintf(
            text, sizeof text,
            "t = %.9g: a pulse or a condition under noEvent rises and falls inside a step, which "
            "misses its effect: take shorter steps, or a method with error control",
            t);
        simulation_say(it, text);
    }
    it->s->missed = missed;
    bool is_first = events->step.n_unresolved && !it->s->unresolved;
    it->s->unresolved = events->step.n_unresolved;
    if (!is_first)
        return;
    const RungMemory *m = events->step.unresolved;
    char text[512];
    snprintf(text, sizeof text,
             "%s%st = %.9g: '%s' moves too fast to be followed, events of it may be missed",
             m->where, *m->where ? ": " : "", events->step.unresolved_t, m->text);
    simulation_say(it, text);
}

/* Once: steps are short and fail often, and there are millions of them to come. */
static void tell_pace(Simulation *it, double left, const char *jump)
{
    const Run *run = &it->run;
    if (it->watch.pace.is_told)
        return;
    it->watch.pace.is_told = true;
    char text[600];
    snprintf(text, sizeof text,
             "t = %.9g: steps of %.3g, of which many fail: at this pace the run takes %.2g steps "
             "more; another method may take longer ones%s",
             run->t, run->h, left, jump);
    simulation_say(it, text);
}

/* Steps succeed, one as small as the other, and the end would never come: at the rate of the last
 * ones, after more than a million million. Where every third fails it is a jump that no step gets
 * past, for which less is enough; where every tenth does and such a jump is there, still less. */
bool watch_makes_no_progress(Simulation *it)
{
    Pace *p = &it->watch.pace;
    Run *run = &it->run;
    enum { MANY = 50000, FAILING = MANY / 3, SOME = MANY / 10 };
    // of the run, in so many steps
    static const double LEAST = 1e-8, LEAST_FAILING = 1e-4, LEAST_AT_JUMP = 1e-3;
    static const double LONG = 2e6; // steps
    const SimulateSummary *s = it->s;
    const Counts *counts = run->problem.counts;
    if (counts->steps < p->steps + MANY)
        return false;
    bool fail_often = counts->rejected > p->rejected + FAILING;
    double gone = (run->t - p->t) / (s->stop - s->start);
    bool stuck = gone < (fail_often ? LEAST_FAILING : LEAST);
    bool fails_some = counts->rejected > p->rejected + SOME;
    bool may_be = fails_some && gone < LEAST_AT_JUMP;
    double left = MANY * (s->stop - run->t) / (run->t - p->t);
    *p = (Pace){counts->steps, counts->rejected, run->t, p->is_told};
    char jump[300] = "";
    if (stuck || may_be || (fails_some && left > LONG && !p->is_told))
        name_jump(it, false, jump, sizeof jump);
    if (!stuck && !(may_be && *jump)) {
        if (fails_some && left > LONG)
            tell_pace(it, left, jump);
        return false;
    }
    simulation_fail(it, "t = %.9g: the last %d steps, of %.3g, have brought the run no further%s",
                    run->t, MANY, run->h, jump);
    return true;
}
