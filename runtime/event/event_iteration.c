/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct RecalledCall {
    double *value; /* inputs, then results */
    bool is_known;
};

static int recall(RungContext *ctx, int keep, uint32_t n_in, const double *in, uint32_t n_out,
                  double *out, uint32_t key)
{
    Events *e = ctx->recall_from;
    if (!keep) {
        const RecalledCall *c = key < e->now.n_calls ? &e->now.call[key] : NULL;
        if (!c || !c->is_known || memcmp(c->value, in, n_in * sizeof *in) != 0)
            return 0;
        memcpy(out, c->value + n_in, n_out * sizeof *out);
        return 1;
    }
    if (key >= e->now.n_calls) {
        RecalledCall *more = realloc(e->now.call, (key + (size_t)1) * sizeof *more);
        if (!more)
            return 0;
        memset(more + e->now.n_calls, 0, (key + (size_t)1 - e->now.n_calls) * sizeof *more);
        e->now.call = more;
        e->now.n_calls = key + 1;
    }
    RecalledCall *c = &e->now.call[key];
    if (!c->value)
        c->value = malloc((n_in + (size_t)n_out + 1) * sizeof *c->value);
    c->is_known = c->value != NULL;
    if (!c->is_known)
        return 0;
    memcpy(c->value, in, n_in * sizeof *in);
    memcpy(c->value + n_in, out, n_out * sizeof *out);
    return 1;
}

static void forget_calls(Events *e)
{
    for (uint32_t k = 0; k < e->now.n_calls; k++)
        e->now.call[k].is_known = false;
}

static bool journal_new(Journal *j, uint32_t n)
{
    j->was = calloc(n + (size_t)1, sizeof *j->was);
    return some_new(&j->changed, n) && j->was;
}

static void journal_free(Journal *j)
{
    some_free(&j->changed);
    free(j->was);
}

static void journal_note(Journal *j, uint32_t k, double was)
{
    if (!j->changed.has[k])
        j->was[k] = was;
    some_add(&j->changed, k);
}

void event_set_memory(Events *e, uint32_t k, double value)
{
    if (!memcmp(&e->r.memory[k], &value, sizeof value))
        return;
    journal_note(&e->now.entry, k, e->r.memory[k]);
    journal_note(&e->now.before, k, e->r.memory[k]);
    e->r.memory[k] = value;
    e->watch.knows_unread = e->watch.knows_unread && !e->watch.in_guard[k];
    parts_touch(&e->relations, k);
    for (uint32_t i = e->relations.first_reader[k]; i < e->relations.first_reader[k + 1]; i++)
        if (e->watch.n_excluded[e->relations.reader[i]])
            event_watch_again(e, e->relations.reader[i]);
    parts_touch(&e->values, k);
    if (e->has_outputs)
        parts_touch(&e->outputs, k);
}

void event_set_all(Events *e, RungMemoryKind kind, double value)
{
    for (uint32_t k = 0; k < e->table->n_memory; k++)
        if (e->table->memory[k].kind == kind)
            event_set_memory(e, k, value);
}

int event_cannot(Run *run)
{
    char why[400];
    problem_explain(&run->problem, why, sizeof why);
    snprintf(run->problem.why, sizeof run->problem.why, "the event cannot be evaluated: %s", why);
    return 1;
}

/* Evaluates the due parts of `event`, and collects the actions that are due by them. */
static int evaluate(Events *e, Run *run)
{
    Parts *v = &e->values;
    if (parts_evaluate(v, &run->problem, run->t, run->x, e->now.out))
        return event_cannot(run);
    uint32_t n = e->table->n_memory;
    for (uint32_t i = 0; i < v->done.n && e->table->n_actions; i++) {
        uint32_t p = v->done.at[i];
        for (uint32_t k = v->table.first_out[p]; k < v->table.first_out[p + 1]; k++) {
            uint32_t out = v->table.out[k];
            if (out >= n && (out - n) % 2 == 0 && e->now.out[out] != 0)
                some_add(&e->now.fires, (out - n) / 2);
        }
    }
    return 0;
}

int event_act(Events *e, Run *run, bool *moved)
{
    const RungEvents *t = e->table;
    uint32_t n = 0;
    some_sort(&e->now.fires);
    for (uint32_t i = 0; i < e->now.fires.n; i++) {
        uint32_t k = e->now.fires.at[i];
        e->now.fires.has[k] = e->now.out[t->n_memory + 2 * (size_t)k] != 0;
        if (e->now.fires.has[k])
            e->now.fires.at[n++] = k;
    }
    e->now.fires.n = n;
    e->now.is_noted = true;
    if (e->acts && e->acts(e->acts_user, run, n, e->now.fires.at))
        return 1;
    for (uint32_t i = 0; i < e->now.fires.n; i++) {
        uint32_t k = e->now.fires.at[i];
        const RungAction *a = &t->action[k];
        const double *out = e->now.out + t->n_memory + 2 * (size_t)k;
        switch ((RungActionKind)a->kind) {
        case RUNG_REINIT:
            if (memcmp(&run->x[a->state], &out[1], sizeof *out) != 0)
                event_watch_states_set(e);
            *moved = *moved || run->x[a->state] != out[1];
            run->x[a->state] = out[1];
            break;
        case RUNG_TERMINATE:
            e->is_over = true;
            e->over = a;
            break;
        }
    }
    return 0;
}

bool event_take_values(Events *e)
{
    bool changed = false;
    Parts *v = &e->values;
    // values without actions: relations that find no consistent values (rung_get_on)
    e->now.lost_round = e->now.lost_round || (!e->now.is_noted && e->acts && e->now.run &&
                                              e->acts(e->acts_user, e->now.run, 0, NULL));
    e->now.is_noted = false;
    for (uint32_t i = 0; i < v->done.n; i++) {
        uint32_t p = v->done.at[i];
        for (uint32_t q = v->table.first_out[p]; q < v->table.first_out[p + 1]; q++) {
            uint32_t k = v->table.out[q];
            if (k >= e->table->n_memory || e->table->memory[k].kind != RUNG_PRE)
                continue;
            if (e->r.memory[k] != e->now.out[k]) {
                changed = true;
                e->now.taken = k;
            }
            event_set_memory(e, k, e->now.out[k]);
            if (isnan(e->now.out[k])) // NaN never equals its former value
                some_add(&v->due, p);
        }
    }
    some_clear(&v->done);
    return changed;
}

static void rule_set(void *user, uint32_t k, double value)
{
    event_set_memory(user, k, value);
}

static void rule_note(void *user)
{
    Events *e = user;
    forget_calls(e);
    some_clear(&e->now.before.changed);
}

static void rule_go_back(void *user)
{
    Events *e = user;
    for (uint32_t i = 0; i < e->now.before.changed.n; i++) {
        uint32_t k = e->now.before.changed.at[i];
        event_set_memory(e, k, e->now.before.was[k]);
    }
}

static int rule_compare(void *user)
{
    Events *e = user;
    return event_watch_compare(e, e->now.run);
}

static int rule_compare_unsolved(void *user)
{
    Events *e = user;
    return event_watch_compare_unsolved(e, e->now.run);
}

static int rule_follow(void *user)
{
    Events *e = user;
    e->now.has_reason = evaluate(e, e->now.run) != 0;
    return e->now.has_reason;
}

static int rule_act(void *user, int *moved)
{
    Events *e = user;
    bool has_moved = false;
    // assertions in when-clauses hold or not now, before pre(v) follows
    e->failed = e->check ? e->check(e->user, e->now.run) : 0;
    e->now.has_reason = e->failed || event_act(e, e->now.run, &has_moved);
    e->now.has_moved = e->now.has_moved || has_moved;
    e->now.restarts = e->now.restarts || has_moved;
    *moved = has_moved;
    return e->now.has_reason;
}

static int rule_take(void *user)
{
    return event_take_values(user);
}

static RungRelations rules_of(Events *e, const Run *run)
{
    return (RungRelations){
        .ctx = run->problem.ctx,
        .memory = run->problem.ctx->u + run->problem.model->n_inputs,
        .user = e,
        .set = rule_set,
        .note = rule_note,
        .go_back = rule_go_back,
        .compare = rule_compare,
        .compare_unsolved = rule_compare_unsolved,
        .follow = rule_follow,
        .act = rule_act,
        .take = rule_take,
    };
}

bool event_iteration_new(Events *e, Run *run)
{
    uint32_t n = e->table->n_memory, n_actions = e->table->n_actions;
    RungContext *ctx = run->problem.ctx;
    e->r = rules_of(e, run);
    ctx->recall = recall;
    ctx->recall_from = e;
    e->now.out = calloc((size_t)n + 2 * (size_t)n_actions + 1, sizeof(double));
    return e->now.out && journal_new(&e->now.entry, n) && journal_new(&e->now.before, n) &&
           some_new(&e->now.fires, n_actions);
}

void event_iteration_free(Events *e)
{
    free(e->now.out);
    journal_free(&e->now.entry);
    journal_free(&e->now.before);
    some_free(&e->now.fires);
    for (uint32_t k = 0; k < e->now.n_calls; k++)
        free(e->now.call[k].value);
    free(e->now.call);
}

/* Why the rules came to no end, into run->problem.why. */
static int explain(Events *e, Run *run, bool is_endless)
{
    char which[400];
    if (is_endless) {
        const RungMemory *m =
            e->now.taken < e->table->n_memory ? &e->table->memory[e->now.taken] : NULL;
        bool is_named = m && m->text && *m->text, has_place = is_named && m->where && *m->where;
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the event iteration finds no end%s%s%s%s%s%s", is_named ? ": '" : "",
                 is_named ? m->text : "", is_named ? "' changes again and again" : "",
                 has_place ? " (" : "", has_place ? m->where : "", has_place ? ")" : "");
    } else if (e->r.is_contrary) {
        event_limit_name_changes(e, which, sizeof which);
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the relations of the model find no consistent values%s", which);
    } else if (!e->now.has_reason) {
        event_cannot(run);
    }
    return 1;
}

int event_iterate_relations(Events *e, Run *run, bool fresh)
{
    e->now.run = run;
    e->now.has_reason = false;
    return rung_iterate_relations(&e->r, fresh) ? explain(e, run, false) : 0;
}

int event_iterate(Events *e, Run *run)
{
    int is_endless;
    e->now.run = run;
    e->now.has_reason = false;
    e->now.taken = e->table->n_memory;
    return rung_iterate(&e->r, &e->rounds, &is_endless) ? explain(e, run, is_endless) : 0;
}
