/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include "delay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The constant tables. */
static bool index_new(Events *e, const RungModel *m)
{
    uint32_t n = e->table->n_memory;
    e->part_of = calloc(m->n_events + (size_t)1, sizeof *e->part_of);
    e->number_of = calloc(n + (size_t)1, sizeof *e->number_of);
    e->r.relation = e->relation = calloc(n + (size_t)1, sizeof *e->relation);
    if (!e->part_of || !e->number_of || !e->relation)
        return false;
    for (uint32_t k = 0; k < n; k++) {
        const RungMemory *it = &e->table->memory[k];
        if (it->kind == RUNG_RELATION) {
            e->number_of[k] = e->r.n;
            e->relation[e->r.n++] = k;
        }
        e->has_left_limits = e->has_left_limits || it->kind == RUNG_LEFT_LIMIT;
    }
    if (!parts_new(&e->relations, e->table->relations, RUNG_ASK_RELATIONS, e->r.n, n) ||
        !parts_new(&e->values, e->table->values, RUNG_ASK_EVENT, n + 2 * e->table->n_actions, n))
        return false;
    e->has_outputs = m->output_parts != NULL;
    if (e->has_outputs &&
        !parts_new(&e->outputs, m->output_parts, RUNG_ASK_OUTPUTS, m->n_values, n))
        return false;
    const RungEventParts *parts = &e->relations.table;
    for (uint32_t p = 0; p < parts->n; p++)
        for (uint32_t i = parts->first_out[p]; i < parts->first_out[p + 1]; i++)
            e->part_of[parts->out[i]] = p;
    return true;
}

/* What the rules of rung_relation.h know of each relation. */
static bool relations_new(RungRelations *r, const RungModel *m)
{
    size_t n = m->event->n_memory + (size_t)1;
    r->g = calloc(m->n_events + (size_t)1, sizeof *r->g);
    r->size = calloc(n, sizeof *r->size);
    r->noise = calloc(n, sizeof *r->noise);
    r->is_at_zero = calloc(n, sizeof *r->is_at_zero);
    r->is_due = calloc(n, sizeof *r->is_due);
    r->cycles = calloc(n, sizeof *r->cycles);
    r->steps_from_far = calloc(n, sizeof *r->steps_from_far);
    r->trend = calloc(n, sizeof *r->trend);
    r->seen = calloc(n, sizeof *r->seen);
    r->entry_g = calloc(m->n_events + (size_t)1, sizeof *r->entry_g);
    return r->g && r->entry_g && r->size && r->noise && r->is_at_zero && r->is_due && r->cycles &&
           r->steps_from_far && r->trend && r->seen;
}

bool events_new(Events *e, Run *run)
{
    const RungModel *m = run->problem.model;
    *e = (Events){.table = m->event};
    if (!e->table)
        return true;
    bool ok = event_iteration_new(e, run) && relations_new(&e->r, m) && index_new(e, m) &&
              event_watch_new(e, m) && event_search_new(e, m) && event_times_new(e) &&
              event_limit_new(e) && event_contrary_new(e);
    if (ok)
        events_forget(e);
    return ok;
}

void events_free(Events *e)
{
    event_iteration_free(e);
    event_watch_free(e);
    event_search_free(e);
    event_times_free(e);
    event_limit_free(e);
    event_contrary_free(e);
    free(e->r.g);
    free(e->r.size);
    free(e->r.noise);
    free(e->r.is_at_zero);
    free(e->r.is_due);
    free(e->r.cycles);
    free(e->r.steps_from_far);
    free(e->r.trend);
    free(e->r.seen);
    free(e->r.entry_g);
    free(e->relation);
    free(e->part_of);
    free(e->number_of);
    parts_free(&e->relations);
    parts_free(&e->values);
    parts_free(&e->outputs);
}

void events_reset(Events *e, Run *run)
{
    for (uint32_t k = 0; e->table && k < e->table->n_memory; k++) {
        const RungMemory *m = &e->table->memory[k];
        if (m->kind == RUNG_PRE)
            e->r.memory[k] = rung_event_value(run->problem.ctx, m->start, m->start_in);
    }
    events_forget(e);
}

static int compare_all(void *user, const double *x, double *g)
{
    const Events *e = user;
    return problem_evaluate(&e->now.run->problem, RUNG_ASK_RELATIONS, e->now.run->t, x, g);
}

static void find_sizes(Events *e, Run *run)
{
    const RungSizesRoom room = {e->step.x, e->step.end.g, e->step.search.low_g,
                                e->step.search.high_g};
    size_t n = run->problem.model->n_unknowns;
    e->now.run = run;
    // small sizes that follow from derivatives may be rounding
    e->r.scale = run->problem.scale ? run->problem.scale->least : NULL;
    memcpy(e->step.z, run->problem.ctx->z, n * sizeof *e->step.z);
    rung_find_sizes(&e->r, run->x, run->tolerance, &room, compare_all);
    memcpy(run->problem.ctx->z, e->step.z, n * sizeof *e->step.z);
}

void events_find_sizes(Events *e, Run *run)
{
    if (!e->table || e->has_sizes)
        return;
    e->has_sizes = true;
    memset(e->r.size, 0, e->table->n_memory * sizeof *e->r.size);
    find_sizes(e, run);
    for (uint32_t k = 0; k < e->r.n; k++)
        e->r.size[e->relation[k]] = fmax(e->r.size[e->relation[k]], fabs(e->r.g[k]));
}

int events_begin(Events *e, Run *run)
{
    if (!e->table)
        return 0;
    bool samples_now;
    e->has_sizes = false;
    events_forget(e); // initialisation has set memory
    if (event_times_start(e, run, &samples_now))
        return 1;
    event_set_all(e, RUNG_INITIAL, 1);
    bool moved = false;
    if (event_iterate_relations(e, run, true) || event_act(e, run, &moved))
        return 1;
    event_take_values(e);
    event_set_all(e, RUNG_INITIAL, 0);
    int status = samples_now ? events_handle(e, run) : event_iterate(e, run);
    if (!status && !samples_now) {
        event_contrary_find(e);
        find_sizes(e, run);
        event_watch_find_safe(e, run);
    }
    return status;
}

int events_iterate(Events *e, Run *run)
{
    if (!e->table)
        return 0;
    events_forget(e);
    if (event_iterate_relations(e, run, true))
        return 1;
    event_take_values(e);
    event_contrary_find(e);
    event_watch_find_safe(e, run);
    return 0;
}

/* Values just before the event. */
static int take_left_limits(Events *e, Run *run)
{
    if (!e->has_left_limits)
        return 0;
    delays_look_back(run->problem.delays, true);
    int status = problem_evaluate(&run->problem, RUNG_ASK_EVENT, run->t, run->x, e->now.out);
    delays_look_back(run->problem.delays, false);
    if (status)
        return event_cannot(run);
    for (uint32_t k = 0; k < e->table->n_memory; k++)
        if (e->table->memory[k].kind == RUNG_LEFT_LIMIT)
            event_set_memory(e, k, e->now.out[k]);
    return 0;
}

static int handle(Events *e, Run *run)
{
    e->step.has_begin = false;
    if (event_limit_is_endless(e, run))
        return 1;
    e->n++;
    e->rounds = 0;
    e->now.restarts = e->now.has_moved = false;
    e->r.has_kept = RUNG_KEEPS_NONE;
    some_clear(&e->now.entry.changed);
    event_watch_time_moved(e, run);
    if (take_left_limits(e, run))
        return 1;
    event_times_begin(e, run);
    event_limit_try_again(e, run);
    event_contrary_change(e, run);
    if (event_iterate(e, run))
        return 1;
    for (uint32_t k = 0; k < e->table->n_memory; k++)
        if (e->r.is_due[k] != RUNG_DUE_LEAVES && e->r.is_due[k] != RUNG_DUE_AGAIN)
            e->r.is_due[k] = RUNG_DUE_NOT;
    event_times_end(e);
    uint32_t rounds = e->rounds, after;
    int status = event_iterate(e, run);
    memset(e->r.is_due, RUNG_DUE_NOT, e->table->n_memory);
    after = e->rounds - rounds; // in the first one pre(sample()) follows
    e->rounds = rounds + (after > 0 ? after - 1 : 0);
    for (uint32_t i = 0; i < e->now.entry.changed.n; i++) {
        uint32_t k = e->now.entry.changed.at[i];
        bool has_changed = e->r.memory[k] != e->now.entry.was[k];
        e->now.restarts = e->now.restarts || (e->table->memory[k].is_driving && has_changed);
    }
    if (!status) {
        event_search_find_at_zero(e, e->r.g, false);
        event_contrary_find(e);
    }
    if (e->now.restarts) // else relations go on as they were
        memset(e->r.trend, 0, e->table->n_memory * sizeof *e->r.trend);
    event_limit_find(e, run);
    event_limit_find_reverted(e, run);
    // again now and then: other equations hold now; and where events follow one another closely
    enum { SOME = 64 };
    bool gathers = e->n % SOME == 0 && run->t - e->limit.t_many <= event_limit_little_time(run);
    bool has_sizes = !status && ((e->n & (e->n - 1)) == 0 || gathers);
    if (has_sizes)
        find_sizes(e, run);
    for (uint32_t k = 0; k < e->r.n && has_sizes; k++)
        event_limit_follow(e, e->relation[k]);
    for (uint32_t i = 0; i < e->now.entry.changed.n && !has_sizes; i++)
        if (e->table->memory[e->now.entry.changed.at[i]].kind == RUNG_RELATION)
            event_limit_follow(e, e->now.entry.changed.at[i]);
    if (!status)
        event_watch_find_safe(e, run);
    return status;
}

int events_handle(Events *e, Run *run)
{
    ProfilePart before = profile_enter(run->problem.profile, PROFILE_EVENTS);
    bool searched = context_searches(run->problem.ctx);
    context_search(run->problem.ctx, true); // unknowns jump
    int status = handle(e, run);
    context_search(run->problem.ctx, searched);
    profile_leave(run->problem.profile, before);
    return status;
}

bool events_find_leaving(Events *e, Run *run)
{
    static const double LITTLE = 1e-9; // of the run
    if (!e->table || !e->r.n || (e->n && e->leaving_t == run->t))
        return false;
    e->leaving_t = run->t;
    double *here = e->step.search.low_g, *behind = e->step.search.high_g;
    size_t n = run->problem.model->n_unknowns;
    memcpy(e->step.z, run->problem.ctx->z, n * sizeof *e->step.z);
    bool known = !problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, run->t, run->x, here) &&
                 !problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, run->t + LITTLE * run->span,
                                   run->x, behind);
    memcpy(run->problem.ctx->z, e->step.z, n * sizeof *e->step.z);
    bool some = false;
    for (uint32_t k = 0; k < e->r.n && known; k++) {
        uint32_t at = e->relation[k];
        const RungMemory *m = &e->table->memory[at];
        double rounding = RUNG_ROUNDED * e->r.size[at];
        bool is_zero = fabs(here[k]) <= rounding, leaves = fabs(behind[k]) > rounding;
        bool is_other = rung_is_true(m, behind[k]) != (e->r.memory[at] != 0);
        if (m->is_exact || e->watch.is_unread[k] || !is_zero || !leaves || !is_other)
            continue;
        e->r.is_due[at] = RUNG_DUE_LEAVES;
        some = true;
    }
    return some;
}

bool events_is_other(Events *e, uint32_t k, double g)
{
    if (e->watch.is_unread[k])
        return false;
    e->r.is_iterating = 1;
    bool is_other = rung_is_other(&e->r, k, g);
    e->r.is_iterating = 0;
    return is_other;
}

bool events_have_other(void *events, Run *run, double t, const double *x)
{
    Events *e = events;
    if (!e->r.n || problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, t, x, e->r.g) ||
        event_contrary_ask(e, run, t, x, e->r.g))
        return false;
    bool other = false;
    for (uint32_t k = 0; k < e->r.n && !other; k++)
        other = !e->watch.is_unread[k] && rung_is_other(&e->r, k, e->r.g[k]);
    return other;
}

bool events_has_end(const Events *e)
{
    for (uint32_t k = 0; e->table && k < e->table->n_memory; k++)
        if (e->table->memory[k].kind == RUNG_TERMINAL)
            return true;
    return false;
}

int events_end(Events *e, Run *run)
{
    event_watch_time_moved(e, run);
    event_set_all(e, RUNG_TERMINAL, 1);
    return event_iterate(e, run);
}

void events_save(const Events *e, Snapshot *s)
{
    if (!e->table)
        return;
    size_t n = e->table->n_memory;
    snapshot_put(s, e->times.number, n * sizeof *e->times.number);
    snapshot_put(s, e->r.size, n * sizeof *e->r.size);
    snapshot_put(s, e->r.is_at_zero, n * sizeof *e->r.is_at_zero);
    snapshot_put(s, e->r.steps_from_far, n * sizeof *e->r.steps_from_far);
    snapshot_put(s, e->r.trend, n * sizeof *e->r.trend);
    snapshot_put(s, &e->has_sizes, sizeof e->has_sizes);
    snapshot_put(s, e->limit.intervals, n * sizeof *e->limit.intervals);
    snapshot_put(s, &e->limit.relation, sizeof e->limit.relation);
    snapshot_put(s, &e->n, sizeof e->n);
    snapshot_put(s, &e->limit.t_many, sizeof e->limit.t_many);
    event_limit_save_reverted(e, s);
    event_contrary_save(e, s);
    snapshot_put(s, &e->times.start, sizeof e->times.start);
}

bool events_restore(Events *e, Snapshot *s)
{
    if (!e->table)
        return true;
    events_forget(e);
    size_t n = e->table->n_memory;
    return snapshot_get(s, e->times.number, n * sizeof *e->times.number) &&
           snapshot_get(s, e->r.size, n * sizeof *e->r.size) &&
           snapshot_get(s, e->r.is_at_zero, n * sizeof *e->r.is_at_zero) &&
           snapshot_get(s, e->r.steps_from_far, n * sizeof *e->r.steps_from_far) &&
           snapshot_get(s, e->r.trend, n * sizeof *e->r.trend) &&
           snapshot_get(s, &e->has_sizes, sizeof e->has_sizes) &&
           snapshot_get(s, e->limit.intervals, n * sizeof *e->limit.intervals) &&
           snapshot_get(s, &e->limit.relation, sizeof e->limit.relation) &&
           snapshot_get(s, &e->n, sizeof e->n) &&
           snapshot_get(s, &e->limit.t_many, sizeof e->limit.t_many) &&
           event_limit_restore_reverted(e, s) && event_contrary_restore(e, s) &&
           snapshot_get(s, &e->times.start, sizeof e->times.start);
}

bool events_differ(Events *e, const double *g)
{
    event_watch_choose(e, INFINITY);
    bool differ = rung_differs(&e->r, g);
    if (!differ)
        event_search_find_at_zero(e, g, true);
    return differ;
}

double events_indicator(const Events *e, uint32_t k, const double *g)
{
    // twice the noise of rung_holds
    uint32_t memory = e->r.relation[k];
    if (e->watch.is_unread[k])
        return e->r.memory[memory] != 0 ? -1 : 1;
    double size = e->r.size[memory] > 0 ? e->r.size[memory] : 1;
    return e->r.memory[memory] != 0 ? g[k] - 2 * RUNG_NOISE * size : g[k] + 2 * RUNG_NOISE * size;
}
