/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool event_watch_new(Events *e, const RungModel *m)
{
    EventWatch *w = &e->watch;
    uint32_t n_parts = e->relations.table.n;
    w->safe = calloc(n_parts + (size_t)1, sizeof *w->safe);
    w->sure = calloc(n_parts + (size_t)1, sizeof *w->sure);
    w->between = calloc(e->r.n + (size_t)1, sizeof *w->between);
    w->had_been = calloc(n_parts + (size_t)1, sizeof *w->had_been);
    w->is_excluded = calloc(m->n_events + (size_t)1, sizeof *w->is_excluded);
    w->n_excluded = calloc(n_parts + (size_t)1, sizeof *w->n_excluded);
    e->r.watched = calloc(e->table->n_memory + (size_t)1, sizeof *e->r.watched);
    w->is_unread = calloc(m->n_events + (size_t)1, sizeof *w->is_unread);
    w->was_unread = calloc(m->n_events + (size_t)1, sizeof *w->was_unread);
    w->left = calloc(m->n_events + (size_t)1, sizeof *w->left);
    w->in_guard = calloc(e->table->n_memory + (size_t)1, sizeof *w->in_guard);
    const RungGuards *guards = e->table->guards;
    w->guard_value = calloc((guards ? guards->n : 0) + (size_t)1, sizeof *w->guard_value);
    for (uint32_t k = 0; guards && w->in_guard && k < guards->n; k++)
        if (guards->op[k] == RUNG_GUARD_MEMORY)
            w->in_guard[guards->a[k]] = true;
    return w->is_unread && w->was_unread && w->left && w->in_guard && w->guard_value && w->safe &&
           w->sure && w->between && w->had_been && w->is_excluded && w->n_excluded &&
           e->r.watched && some_new(&w->tested, n_parts) && some_new(&w->states, m->n_states);
}

void event_watch_free(Events *e)
{
    EventWatch *w = &e->watch;
    free(w->safe);
    free(w->sure);
    free(w->between);
    free(w->had_been);
    free(w->is_excluded);
    free(w->n_excluded);
    free(e->r.watched);
    free(w->is_unread);
    free(w->was_unread);
    free(w->left);
    free(w->in_guard);
    free(w->guard_value);
    some_free(&w->tested);
    some_free(&w->states);
}

void event_watch_again(Events *e, uint32_t p)
{
    const RungEventParts *t = &e->relations.table;
    for (uint32_t i = t->first_out[p]; i < t->first_out[p + 1] && e->watch.n_excluded[p]; i++)
        e->watch.is_excluded[t->out[i]] = false;
    e->watch.n_all_excluded -= e->watch.n_excluded[p];
    e->watch.n_excluded[p] = 0;
    e->watch.is_listed = false;
}

void event_watch_all_again(Events *e)
{
    for (uint32_t p = 0; p < e->relations.table.n && e->watch.n_all_excluded; p++)
        if (e->watch.n_excluded[p])
            event_watch_again(e, p);
}

/* Whether no relation of part p needs a test in the last step. */
static bool is_excluded_part(const Events *e, uint32_t p)
{
    const uint32_t *first = e->relations.table.first_out;
    return e->watch.n_excluded[p] > 0 && e->watch.n_excluded[p] == first[p + 1] - first[p];
}

bool event_watch_is_curved(const Events *e, uint32_t part)
{
    return (e->relations.table.nature[part] & RUNG_PART_CURVED) != 0;
}

void event_watch_states(const Events *e, const Some *parts, Some *states)
{
    const RungEventParts *t = &e->relations.table;
    some_clear(states);
    for (uint32_t i = 0; i < parts->n && t->first_state && parts->n < t->n; i++)
        for (uint32_t k = t->first_state[parts->at[i]]; k < t->first_state[parts->at[i] + 1]; k++)
            some_add(states, t->state[k]);
}

/* Lists the relations under test: those of tested parts that are neither excluded nor unread,
 * ascending. */
static void list_watched(Events *e)
{
    const RungEventParts *t = &e->relations.table;
    bool all = e->watch.tested.n == t->n && !e->watch.n_all_excluded && !e->watch.n_unread;
    e->watch.is_listed = true;
    event_watch_states(e, &e->watch.tested, &e->watch.states);
    e->r.n_watched = 0;
    some_sort(&e->watch.tested);
    for (uint32_t k = 0; k < e->r.n && all; k++)
        e->r.watched[e->r.n_watched++] = k;
    for (uint32_t i = 0; i < e->watch.tested.n && !all; i++)
        for (uint32_t k = t->first_out[e->watch.tested.at[i]];
             k < t->first_out[e->watch.tested.at[i] + 1]; k++)
            if (!e->watch.is_excluded[t->out[k]] && !e->watch.is_unread[t->out[k]])
                e->r.watched[e->r.n_watched++] = t->out[k];
    Some sorted = {.n = e->r.n_watched, .at = e->r.watched};
    some_sort(&sorted);
}

/* Exchanges the present memory with that of before the event. */
static void exchange_entry(Events *e)
{
    Journal *j = &e->now.entry;
    for (uint32_t i = 0; i < j->changed.n; i++) {
        uint32_t k = j->changed.at[i];
        double now = e->r.memory[k];
        e->r.memory[k] = j->was[k];
        j->was[k] = now;
    }
}

static bool is_read_again(const EventWatch *w, uint32_t k)
{
    return w->was_unread[k] && !w->is_unread[k];
}

/* Zero-crossing functions at the left limit, with the discrete state before the event, of the
 * relations that are read again; NAN where they cannot be evaluated. The discrete state behind the
 * event may follow from the old value of the relation itself:
 *
 *     quenched = off and (abs(i) <= abs(v)*Goff or pre(quenched)), v = if quenched then i/Goff ...
 */
static void find_left_limits(Events *e, Run *run)
{
    EventWatch *w = &e->watch;
    uint32_t last = RUNG_NONE;
    bool is_known = false;
    exchange_entry(e);
    problem_refresh(&run->problem, run->t, run->x);
    for (uint32_t k = 0; k < e->r.n; k++) {
        if (!is_read_again(w, k))
            continue;
        if (e->part_of[k] != last)
            is_known = !parts_evaluate_one(&e->relations, &run->problem, e->part_of[k], run->t,
                                           run->x, w->left);
        last = e->part_of[k];
        w->left[k] = is_known ? w->left[k] : NAN;
    }
    exchange_entry(e);
}

/* Relation k is read again, with its value at the left limit; within noise as at zero. */
static void read_again(Events *e, uint32_t k)
{
    uint32_t at = e->relation[k];
    const RungMemory *m = &e->table->memory[at];
    double g = isnan(e->watch.left[k]) ? e->r.g[k] : e->watch.left[k];
    // noise has the size of the new state: at the left limit g may be the voltage of an open switch
    e->r.size[at] = fmax(e->r.size[at], fabs(e->r.g[k]));
    bool is_zero = fabs(g) <= rung_noise(&e->r, at), was = e->now.entry.changed.has[at];
    event_set_memory(e, at, is_zero ? !m->is_strict : rung_is_true(m, g));
    if (!was) // the event does not change it
        e->now.entry.was[at] = e->r.memory[at];
    e->r.trend[at] = (RungTrend){0};
}

/* The relations that nothing reads, memory having changed. At an event of a run (NULL: between
 * events) those that are read again get values. Whether there are such. */
static bool find_unread(Events *e, Run *run)
{
    EventWatch *w = &e->watch;
    bool some = false;
    if (!e->table->guards || w->knows_unread || !e->remembers)
        return false;
    memcpy(w->was_unread, w->is_unread, e->r.n * sizeof *w->is_unread);
    rung_find_unread(e->table->guards, e->r.n, e->r.memory, w->guard_value, w->is_unread);
    w->knows_unread = true;
    w->n_unread = 0;
    for (uint32_t k = 0; k < e->r.n; k++) {
        w->n_unread += w->is_unread[k] != 0;
        w->is_listed = w->is_listed && w->is_unread[k] == w->was_unread[k];
        some = some || (run && is_read_again(w, k));
    }
    if (some)
        find_left_limits(e, run);
    for (uint32_t k = 0; k < e->r.n && some; k++)
        if (is_read_again(w, k))
            read_again(e, k);
    return some;
}

/* Relations of time alone do not change before `until`, excluded ones not before the last step
 * ends: only the others are tested. */
void event_watch_choose(Events *e, double until)
{
    uint32_t n = e->relations.table.n, n_before = e->watch.tested.n, n_kept = 0;
    find_unread(e, NULL);
    Some *a = &e->watch.tested;
    uint32_t limit = e->limit.relation == RUNG_NONE ? RUNG_NONE : e->part_of[e->limit.relation];
    for (uint32_t p = 0; p < n; p++) {
        bool stays =
            is_excluded_part(e, p) || (!event_watch_is_curved(e, p) && e->watch.safe[p] > until);
        bool unchanged = e->remembers && stays && !e->relations.due.has[p] && p != limit;
        n_kept += a->has[p] && !unchanged;
        if (unchanged)
            a->has[p] = false;
        else
            some_add(a, p);
    }
    if (n_kept == n_before && a->n == n_before && e->watch.is_listed)
        return;
    a->n = 0;
    for (uint32_t p = 0; p < n; p++)
        if (a->has[p])
            a->at[a->n++] = p;
    list_watched(e);
}

/* Zero-crossing functions at an event, of the relations that may have changed. */
int event_watch_compare(Events *e, Run *run)
{
    Parts *r = &e->relations;
    // the arguments of these are not known
    for (uint32_t i = 0; i < r->n_always; i++)
        if (e->watch.n_excluded[r->always[i]])
            event_watch_again(e, r->always[i]);
    int status = parts_evaluate(r, &run->problem, run->t, run->x, e->r.g);
    while (!status && find_unread(e, run))
        status = parts_evaluate(r, &run->problem, run->t, run->x, e->r.g);
    uint32_t n = e->watch.tested.n;
    for (uint32_t i = 0; i < r->done.n; i++)
        some_add(&e->watch.tested, r->done.at[i]);
    some_clear(&r->done);
    if (e->watch.tested.n != n || !e->watch.is_listed)
        list_watched(e);
    return status;
}

/* A nonlinear block may have no solution with the present relations: a vessel whose ports are
 * closed since its level has not been compared yet. The zero-crossing functions with its unknowns
 * unchanged. */
int event_watch_compare_unsolved(Events *e, Run *run)
{
    RungContext *ctx = run->problem.ctx;
    ctx->unsolved = 1;
    parts_touch_all(&e->relations);
    int status = event_watch_compare(e, run);
    bool some = ctx->unsolved > 1;
    ctx->unsolved = 0;
    // other relations change all results
    parts_touch_all(&e->relations);
    return status || !some ? 1 : 0;
}

/* A new point in time: parts that depend on time or states are due. */
void event_watch_time_moved(Events *e, const Run *run)
{
    if (!e->remembers)
        events_forget(e);
    parts_touch_moving(&e->values);
    for (uint32_t p = 0; p < e->relations.table.n; p++)
        if ((event_watch_is_curved(e, p) || e->watch.safe[p] <= run->t) && !is_excluded_part(e, p))
            some_add(&e->relations.due, p);
}

void event_watch_states_set(Events *e)
{
    event_watch_all_again(e);
    parts_touch_moving(&e->values);
    for (uint32_t p = 0; p < e->relations.table.n; p++)
        if (event_watch_is_curved(e, p))
            some_add(&e->relations.due, p);
}

static void know_nothing(Events *e, uint32_t part)
{
    e->watch.safe[part] = -INFINITY;
    e->watch.sure[part] = INFINITY;
}

void events_forget(Events *e)
{
    if (!e->table)
        return;
    event_watch_all_again(e);
    e->watch.knows_unread = false;
    parts_touch_all(&e->relations);
    parts_touch_all(&e->values);
    if (e->has_outputs)
        parts_touch_all(&e->outputs);
    for (uint32_t p = 0; p < e->relations.table.n; p++)
        know_nothing(e, p);
    e->watch.known = INFINITY;
    e->times.is_heap = false;
}

/* Whether relation k, with zero-crossing function g, differs from memory, without regard to noise.
 */
static bool event_watch_is_behind(const Events *e, uint32_t k, double g)
{
    uint32_t at = e->relation[k];
    return rung_is_true(&e->table->memory[at], g) != (e->r.memory[at] != 0);
}

/* A time safely after t + left, by the rounding of the sum and of the slope. */
static double behind(double t, double left)
{
    static const double LESS = 1e-9, ROUNDINGS = 64 * DBL_EPSILON;
    return t + left + (LESS * left + ROUNDINGS * (fabs(t) + left));
}

/* The next change of a relation of time alone where relations have no parts. One more point tests
 * whether it is linear: if it is not after all, a step ends without an event. */
static void find_known(Events *e, Run *run)
{
    static const double FAR = 1e5, MIDDLE = 0.37, ROUNDING = 1e-9;
    e->watch.known = INFINITY;
    bool any = false;
    for (uint32_t k = 0; k < e->r.n; k++)
        any = any || e->table->memory[e->relation[k]].is_exact;
    if (!any || !e->relations.is_whole || run->problem.model->n_blocks || !e->remembers)
        return;
    double ahead = fmax(1, fabs(run->t)), *g = e->step.search.low_g, *there = e->step.search.high_g;
    if (parts_evaluate_one(&e->relations, &run->problem, 0, run->t, run->x, g) ||
        parts_evaluate_one(&e->relations, &run->problem, 0, run->t + MIDDLE * ahead, run->x,
                           e->watch.between) ||
        parts_evaluate_one(&e->relations, &run->problem, 0, run->t + ahead, run->x, there))
        return;
    for (uint32_t k = 0; k < e->r.n; k++) {
        double slope = (there[k] - g[k]) / ahead, left = -g[k] / slope;
        double off = fabs(g[k] + MIDDLE * ahead * slope - e->watch.between[k]);
        bool is_linear = off <= ROUNDING * (fabs(g[k]) + fabs(there[k]));
        if (e->table->memory[e->relation[k]].is_exact && is_linear && left > 0 &&
            left <= FAR * ahead)
            e->watch.known = fmin(e->watch.known, behind(run->t, left));
    }
}

/* The times until which relations linear in time do not change, for the parts under test. Their
 * slopes are found by evaluation some way ahead, so that rounding is negligible within FAR times
 * that. */
void event_watch_find_safe(Events *e, Run *run)
{
    static const double FAR = 1e5, LESS = 1e-9, ROUNDINGS = 64 * DBL_EPSILON;
    const RungEventParts *t = &e->relations.table;
    double ahead = fmax(1, fabs(run->t));
    find_known(e, run);
    for (uint32_t i = 0; i < e->watch.tested.n && e->remembers; i++) {
        uint32_t p = e->watch.tested.at[i];
        if (event_watch_is_curved(e, p))
            continue;
        know_nothing(e, p);
        if (parts_evaluate_one(&e->relations, &run->problem, p, run->t, run->x,
                               e->step.search.low_g) ||
            parts_evaluate_one(&e->relations, &run->problem, p, run->t + ahead, run->x,
                               e->step.search.high_g))
            continue;
        double first = INFINITY, next = INFINITY; // next: not now
        for (uint32_t k = t->first_out[p]; k < t->first_out[p + 1]; k++) {
            double g = e->step.search.low_g[t->out[k]],
                   slope = (e->step.search.high_g[t->out[k]] - g) / ahead;
            double left = slope == 0 ? INFINITY : -g / slope;
            // behind zero already, by no more than noise: it is going to be another any time
            if (event_watch_is_behind(e, t->out[k], g))
                left = 0;
            if (left < 0)
                continue;
            // NaN, too
            first = left < first || isnan(left) ? left : first;
            next = left > 0 && left < next ? left : next;
        }
        if (isnan(first))
            continue;
        if (next <= FAR * ahead)
            e->watch.sure[p] = behind(run->t, next);
        first = fmin(first, FAR * ahead);
        e->watch.safe[p] = run->t + first - (LESS * first + ROUNDINGS * (fabs(run->t) + first));
    }
}

double events_known_time(const Events *e)
{
    if (!e->table || e->relations.is_whole)
        return e->table ? e->watch.known : INFINITY;
    double sure = INFINITY;
    for (uint32_t p = 0; p < e->relations.table.n && e->remembers; p++)
        sure = fmin(sure, e->watch.sure[p]);
    return sure;
}
