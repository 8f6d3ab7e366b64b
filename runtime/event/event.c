/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include "delay.h"
#include "fallback.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The search for a change of a relation in the last step of `method`. */
typedef struct Search {
    Events *e;
    Run *run;
    const Integrator *method;
    void *self;
    bool is_exact;       /* no Integrator.some_at */
    bool has_taken_some; /* states */
} Search;

/* ---- results of function calls in this round ---- */

struct RecalledCall {
    double *value; /* inputs, then results */
    bool is_known;
};

static int recall(RungContext *ctx, int keep, uint32_t n_in, const double *in, uint32_t n_out,
                  double *out, uint32_t key)
{
    Events *e = ctx->recall_from;
    if (!keep) {
        const RecalledCall *c = key < e->n_calls ? &e->call[key] : NULL;
        if (!c || !c->is_known || memcmp(c->value, in, n_in * sizeof *in) != 0)
            return 0;
        memcpy(out, c->value + n_in, n_out * sizeof *out);
        return 1;
    }
    if (key >= e->n_calls) {
        RecalledCall *more = realloc(e->call, (key + (size_t)1) * sizeof *more);
        if (!more)
            return 0;
        memset(more + e->n_calls, 0, (key + (size_t)1 - e->n_calls) * sizeof *more);
        e->call = more;
        e->n_calls = key + 1;
    }
    RecalledCall *c = &e->call[key];
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
    for (uint32_t k = 0; k < e->n_calls; k++)
        e->call[k].is_known = false;
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

/* ---- quiet relations: known not to change in the last step ---- */

/* The relations of part p are tested again. */
static void wake_quiet(Events *e, uint32_t p)
{
    const RungEventParts *t = &e->relations.table;
    for (uint32_t i = t->first_out[p]; i < t->first_out[p + 1] && e->n_quiet[p]; i++)
        e->is_quiet[t->out[i]] = false;
    e->n_all_quiet -= e->n_quiet[p];
    e->n_quiet[p] = 0;
    e->is_listed = false;
}

static void wake_all_quiet(Events *e)
{
    for (uint32_t p = 0; p < e->relations.table.n && e->n_all_quiet; p++)
        if (e->n_quiet[p])
            wake_quiet(e, p);
}

/* Whether no relation of part p needs a test in the last step. */
static bool is_quiet_part(const Events *e, uint32_t p)
{
    const uint32_t *first = e->relations.table.first_out;
    return e->n_quiet[p] > 0 && e->n_quiet[p] == first[p + 1] - first[p];
}

/* Sets memory k; the parts that read it are due. */
static void set_memory(Events *e, uint32_t k, double value)
{
    if (!memcmp(&e->r.memory[k], &value, sizeof value))
        return;
    journal_note(&e->entry, k, e->r.memory[k]);
    journal_note(&e->before, k, e->r.memory[k]);
    e->r.memory[k] = value;
    parts_touch(&e->relations, k);
    for (uint32_t i = e->relations.first_reader[k]; i < e->relations.first_reader[k + 1]; i++)
        if (e->n_quiet[e->relations.reader[i]])
            wake_quiet(e, e->relations.reader[i]);
    parts_touch(&e->values, k);
    if (e->has_outputs)
        parts_touch(&e->outputs, k);
}

/* Rules as a run uses them; its arrays are empty. */
static RungRelations rules_of(Events *e, const Run *run);

/* The constant tables. */
static bool index_new(Events *e, const RungModel *m)
{
    uint32_t n = e->table->n_memory;
    e->part_of = calloc(m->n_events + (size_t)1, sizeof *e->part_of);
    e->number_of = calloc(n + (size_t)1, sizeof *e->number_of);
    e->r.relation = e->relation = calloc(n + (size_t)1, sizeof *e->relation);
    e->r.watched = calloc(n + (size_t)1, sizeof *e->r.watched);
    e->few_watched = calloc(n + (size_t)1, sizeof *e->few_watched);
    e->timed = calloc(n + (size_t)1, sizeof *e->timed);
    e->next = calloc(n + (size_t)1, sizeof *e->next);
    if (!e->part_of || !e->number_of || !e->relation || !e->r.watched || !e->few_watched ||
        !e->timed || !e->next)
        return false;
    for (uint32_t k = 0; k < n; k++) {
        const RungMemory *it = &e->table->memory[k];
        if (it->kind == RUNG_RELATION) {
            e->number_of[k] = e->r.n;
            e->relation[e->r.n++] = k;
        }
        if (rung_is_timed(it))
            e->timed[e->n_timed++] = k;
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
    e->safe = calloc(parts->n + (size_t)1, sizeof *e->safe);
    e->sure = calloc(parts->n + (size_t)1, sizeof *e->sure);
    e->between = calloc(e->r.n + (size_t)1, sizeof *e->between);
    e->had_been = calloc(parts->n + (size_t)1, sizeof *e->had_been);
    e->is_quiet = calloc(m->n_events + (size_t)1, sizeof *e->is_quiet);
    e->n_quiet = calloc(parts->n + (size_t)1, sizeof *e->n_quiet);
    return e->safe && e->sure && e->between && e->had_been && e->is_quiet && e->n_quiet &&
           some_new(&e->awake, parts->n) && some_new(&e->few, parts->n) &&
           some_new(&e->states, m->n_states) && some_new(&e->few_states, m->n_states);
}

bool events_new(Events *e, Run *run)
{
    const RungModel *m = run->problem.model;
    *e = (Events){.table = m->event};
    if (!e->table)
        return true;
    uint32_t n = e->table->n_memory;
    e->r = rules_of(e, run);
    run->problem.ctx->recall = recall;
    run->problem.ctx->recall_from = e;
    e->out = calloc((size_t)n + 2 * (size_t)e->table->n_actions + 1, sizeof(double));
    e->r.g = calloc(m->n_events + (size_t)1, sizeof(double));
    e->x = calloc(m->n_states + (size_t)1, sizeof(double));
    e->sampled = calloc(n + (size_t)1, sizeof(double));
    e->r.size = calloc(n + (size_t)1, sizeof(double));
    e->r.is_loose = calloc(n + (size_t)1, sizeof *e->r.is_loose);
    e->z = calloc(m->n_unknowns + (size_t)1, sizeof(double));
    e->r.changes = calloc(n + (size_t)1, sizeof *e->r.changes);
    e->r.seen = calloc(n + (size_t)1, sizeof *e->r.seen);
    e->fading = calloc(n + (size_t)1, sizeof *e->fading);
    e->faded = RUNG_NONE;
    e->search.low_g = calloc(m->n_events + (size_t)1, sizeof(double));
    e->search.high_g = calloc(m->n_events + (size_t)1, sizeof(double));
    RungSample *all[] = {&e->begin, &e->end, &e->search.past[0], &e->search.past[1]};
    bool ok = true;
    for (int k = 0; k < 4; k++)
        ok = (all[k]->g = calloc(m->n_events + (size_t)1, sizeof(double))) && ok;
    ok = ok && e->search.low_g && e->search.high_g && e->fading && e->r.changes && e->r.seen &&
         e->z && e->out && e->r.g && e->x && e->sampled && e->r.size && e->r.is_loose;
    ok = ok && index_new(e, m) && journal_new(&e->entry, n) && journal_new(&e->before, n) &&
         some_new(&e->fires, e->table->n_actions) && some_new(&e->ticking, n);
    if (ok)
        events_forget(e);
    return ok;
}

void events_free(Events *e)
{
    free(e->out);
    free(e->r.g);
    free(e->search.low_g);
    free(e->search.high_g);
    free(e->x);
    free(e->sampled);
    free(e->z);
    free(e->r.size);
    free(e->r.is_loose);
    free(e->relation);
    free(e->r.changes);
    free(e->r.seen);
    free(e->fading);
    free(e->part_of);
    free(e->number_of);
    free(e->r.watched);
    free(e->few_watched);
    free(e->timed);
    free(e->next);
    free(e->safe);
    free(e->sure);
    free(e->between);
    free(e->had_been);
    parts_free(&e->relations);
    parts_free(&e->values);
    parts_free(&e->outputs);
    journal_free(&e->entry);
    journal_free(&e->before);
    some_free(&e->awake);
    some_free(&e->few);
    some_free(&e->states);
    some_free(&e->few_states);
    free(e->is_quiet);
    free(e->n_quiet);
    free(e->apart);
    some_free(&e->fires);
    some_free(&e->ticking);
    for (uint32_t k = 0; k < e->n_calls; k++)
        free(e->call[k].value);
    free(e->call);
    free(e->begin.g);
    free(e->end.g);
    for (int k = 0; k < 2; k++)
        free(e->search.past[k].g);
    for (int k = 0; k < RUNG_LEVELS; k++)
        free(e->level[k]);
}

/* Of memory k of this kind, event `number`. */
static double time_of(const Events *e, const Run *run, uint32_t k, double number)
{
    return rung_sample_time(run->problem.ctx, &e->table->memory[k], e->start, number);
}

static int cannot(Run *run)
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
    if (parts_evaluate(v, &run->problem, run->t, run->x, e->out))
        return cannot(run);
    uint32_t n = e->table->n_memory;
    for (uint32_t i = 0; i < v->done.n && e->table->n_actions; i++) {
        uint32_t p = v->done.at[i];
        for (uint32_t k = v->table.first_out[p]; k < v->table.first_out[p + 1]; k++) {
            uint32_t out = v->table.out[k];
            if (out >= n && (out - n) % 2 == 0 && e->out[out] != 0)
                some_add(&e->fires, (out - n) / 2);
        }
    }
    return 0;
}

/* ---- the relations under test ---- */

static bool is_curved(const Events *e, uint32_t part)
{
    return (e->relations.table.nature[part] & RUNG_PART_CURVED) != 0;
}

/* The states that these parts read; none where that is not known, or they are all parts. */
static void list_states(const Events *e, const Some *parts, Some *states)
{
    const RungEventParts *t = &e->relations.table;
    some_clear(states);
    for (uint32_t i = 0; i < parts->n && t->first_state && parts->n < t->n; i++)
        for (uint32_t k = t->first_state[parts->at[i]]; k < t->first_state[parts->at[i] + 1]; k++)
            some_add(states, t->state[k]);
}

/* Lists the relations under test: those of parts in `awake` that are not quiet, ascending. */
static void list_watched(Events *e)
{
    const RungEventParts *t = &e->relations.table;
    bool all = e->awake.n == t->n && !e->n_all_quiet;
    e->is_listed = true;
    list_states(e, &e->awake, &e->states);
    e->r.n_watched = 0;
    some_sort(&e->awake);
    for (uint32_t k = 0; k < e->r.n && all; k++)
        e->r.watched[e->r.n_watched++] = k;
    for (uint32_t i = 0; i < e->awake.n && !all; i++)
        for (uint32_t k = t->first_out[e->awake.at[i]]; k < t->first_out[e->awake.at[i] + 1]; k++)
            if (!e->is_quiet[t->out[k]])
                e->r.watched[e->r.n_watched++] = t->out[k];
    Some sorted = {.n = e->r.n_watched, .at = e->r.watched};
    some_sort(&sorted);
}

/* Relations of time alone do not change before `until`, quiet ones not before the last step ends:
 * only the others are tested. */
static void choose_watched(Events *e, double until)
{
    uint32_t n = e->relations.table.n, n_before = e->awake.n, n_kept = 0;
    Some *a = &e->awake;
    uint32_t faded = e->faded == RUNG_NONE ? RUNG_NONE : e->part_of[e->faded];
    for (uint32_t p = 0; p < n; p++) {
        bool stays = is_quiet_part(e, p) || (!is_curved(e, p) && e->safe[p] > until);
        bool sleeps = e->remembers && stays && !e->relations.due.has[p] && p != faded;
        n_kept += a->has[p] && !sleeps;
        if (sleeps)
            a->has[p] = false;
        else
            some_add(a, p);
    }
    if (n_kept == n_before && a->n == n_before && e->is_listed)
        return;
    a->n = 0;
    for (uint32_t p = 0; p < n; p++)
        if (a->has[p])
            a->at[a->n++] = p;
    list_watched(e);
}

/* Zero-crossing functions at an event, of the relations that may have changed. */
static int find_compared(Events *e, Run *run)
{
    Parts *r = &e->relations;
    // the arguments of these are not known
    for (uint32_t i = 0; i < r->n_always; i++)
        if (e->n_quiet[r->always[i]])
            wake_quiet(e, r->always[i]);
    int status = parts_evaluate(r, &run->problem, run->t, run->x, e->r.g);
    uint32_t n = e->awake.n;
    for (uint32_t i = 0; i < r->done.n; i++)
        some_add(&e->awake, r->done.at[i]);
    some_clear(&r->done);
    if (e->awake.n != n || !e->is_listed)
        list_watched(e);
    return status;
}

/* A nonlinear block may have no solution with the present relations: a vessel whose ports are
 * closed since its level has not been compared yet. The zero-crossing functions with its unknowns
 * unchanged. */
static int find_compared_unsolved(Events *e, Run *run)
{
    RungContext *ctx = run->problem.ctx;
    ctx->unsolved = 1;
    parts_touch_all(&e->relations);
    int status = find_compared(e, run);
    bool some = ctx->unsolved > 1;
    ctx->unsolved = 0;
    // other relations change all results
    parts_touch_all(&e->relations);
    return status || !some ? 1 : 0;
}

/* A new point in time: parts that depend on time or states are due. */
static void touch_moving(Events *e, const Run *run)
{
    if (!e->remembers)
        events_forget(e);
    parts_touch_moving(&e->values);
    for (uint32_t p = 0; p < e->relations.table.n; p++)
        if ((is_curved(e, p) || e->safe[p] <= run->t) && !is_quiet_part(e, p))
            some_add(&e->relations.due, p);
}

/* States have been set. */
static void touch_states(Events *e)
{
    wake_all_quiet(e);
    parts_touch_moving(&e->values);
    for (uint32_t p = 0; p < e->relations.table.n; p++)
        if (is_curved(e, p))
            some_add(&e->relations.due, p);
}

static void know_nothing(Events *e, uint32_t part)
{
    e->safe[part] = -INFINITY;
    e->sure[part] = INFINITY;
}

void events_forget(Events *e)
{
    if (!e->table)
        return;
    wake_all_quiet(e);
    parts_touch_all(&e->relations);
    parts_touch_all(&e->values);
    if (e->has_outputs)
        parts_touch_all(&e->outputs);
    for (uint32_t p = 0; p < e->relations.table.n; p++)
        know_nothing(e, p);
    e->known = INFINITY;
    e->is_heap = false;
}

/* Whether relation k, with zero-crossing function g, differs from memory, without regard to noise.
 */
static bool is_behind(const Events *e, uint32_t k, double g)
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
    e->known = INFINITY;
    bool any = false;
    for (uint32_t k = 0; k < e->r.n; k++)
        any = any || e->table->memory[e->relation[k]].is_exact;
    if (!any || !e->relations.is_whole || run->problem.model->n_blocks || !e->remembers)
        return;
    double ahead = fmax(1, fabs(run->t)), *g = e->search.low_g, *there = e->search.high_g;
    if (parts_evaluate_one(&e->relations, &run->problem, 0, run->t, run->x, g) ||
        parts_evaluate_one(&e->relations, &run->problem, 0, run->t + MIDDLE * ahead, run->x,
                           e->between) ||
        parts_evaluate_one(&e->relations, &run->problem, 0, run->t + ahead, run->x, there))
        return;
    for (uint32_t k = 0; k < e->r.n; k++) {
        double slope = (there[k] - g[k]) / ahead, left = -g[k] / slope;
        double off = fabs(g[k] + MIDDLE * ahead * slope - e->between[k]);
        bool is_linear = off <= ROUNDING * (fabs(g[k]) + fabs(there[k]));
        if (e->table->memory[e->relation[k]].is_exact && is_linear && left > 0 &&
            left <= FAR * ahead)
            e->known = fmin(e->known, behind(run->t, left));
    }
}

/* The times until which relations linear in time do not change, for the parts under test. Their
 * slopes are found by evaluation some way ahead, so that rounding is negligible within FAR times
 * that. */
static void find_safe(Events *e, Run *run)
{
    static const double FAR = 1e5, LESS = 1e-9, ROUNDINGS = 64 * DBL_EPSILON;
    const RungEventParts *t = &e->relations.table;
    double ahead = fmax(1, fabs(run->t));
    find_known(e, run);
    for (uint32_t i = 0; i < e->awake.n && e->remembers; i++) {
        uint32_t p = e->awake.at[i];
        if (is_curved(e, p))
            continue;
        know_nothing(e, p);
        if (parts_evaluate_one(&e->relations, &run->problem, p, run->t, run->x, e->search.low_g) ||
            parts_evaluate_one(&e->relations, &run->problem, p, run->t + ahead, run->x,
                               e->search.high_g))
            continue;
        double first = INFINITY, next = INFINITY; // next: not now
        for (uint32_t k = t->first_out[p]; k < t->first_out[p + 1]; k++) {
            double g = e->search.low_g[t->out[k]],
                   slope = (e->search.high_g[t->out[k]] - g) / ahead;
            double left = slope == 0 ? INFINITY : -g / slope;
            // behind zero already, by no more than noise: it is going to be another any time
            if (is_behind(e, t->out[k], g))
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
            e->sure[p] = behind(run->t, next);
        first = fmin(first, FAR * ahead);
        e->safe[p] = run->t + first - (LESS * first + ROUNDINGS * (fabs(run->t) + first));
    }
}

/* The relations that changed most often, as text. */
static void name_changes(const Events *e, char *text, size_t size)
{
    enum { SHOWN = 3 };
    uint32_t shown[SHOWN];
    size_t n = 0;
    *text = 0;
    for (uint32_t i = 0; i < SHOWN; i++) {
        uint32_t most = RUNG_NONE;
        for (uint32_t k = 0; k < e->table->n_memory; k++) {
            bool again = false;
            for (uint32_t j = 0; j < i; j++)
                again = again || shown[j] == k;
            if (!again && e->r.changes[k] > (most == RUNG_NONE ? 0 : e->r.changes[most]))
                most = k;
        }
        if (most == RUNG_NONE)
            return;
        const RungMemory *m = &e->table->memory[most];
        shown[i] = most;
        int more =
            snprintf(text + n, size - n, "%s%s changed %llu times%s%s%s", i ? ", " : "; ",
                     m->text && *m->text ? m->text : "a relation",
                     (unsigned long long)e->r.changes[most], m->where && *m->where ? " (" : "",
                     m->where ? m->where : "", m->where && *m->where ? ")" : "");
        n += more < 0 ? 0 : (size_t)more;
        if (n >= size)
            return;
    }
}

/* Actions that are due; *moved if a state was set. */
static int act(Events *e, Run *run, bool *moved)
{
    const RungEvents *t = e->table;
    uint32_t n = 0;
    some_sort(&e->fires);
    for (uint32_t i = 0; i < e->fires.n; i++) {
        uint32_t k = e->fires.at[i];
        e->fires.has[k] = e->out[t->n_memory + 2 * (size_t)k] != 0;
        if (e->fires.has[k])
            e->fires.at[n++] = k;
    }
    e->fires.n = n;
    if (n && e->acts && e->acts(e->acts_user, run, n, e->fires.at))
        return 1;
    for (uint32_t i = 0; i < e->fires.n; i++) {
        uint32_t k = e->fires.at[i];
        const RungAction *a = &t->action[k];
        const double *out = e->out + t->n_memory + 2 * (size_t)k;
        switch ((RungActionKind)a->kind) {
        case RUNG_REINIT:
            if (memcmp(&run->x[a->state], &out[1], sizeof *out) != 0)
                touch_states(e);
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

/* pre(v) follows v; false when it had. */
static bool take_values(Events *e)
{
    bool changed = false;
    Parts *v = &e->values;
    for (uint32_t i = 0; i < v->done.n; i++) {
        uint32_t p = v->done.at[i];
        for (uint32_t q = v->table.first_out[p]; q < v->table.first_out[p + 1]; q++) {
            uint32_t k = v->table.out[q];
            if (k >= e->table->n_memory || e->table->memory[k].kind != RUNG_PRE)
                continue;
            changed = changed || e->r.memory[k] != e->out[k];
            set_memory(e, k, e->out[k]);
            if (isnan(e->out[k])) // NaN never equals its former value
                some_add(&v->due, p);
        }
    }
    some_clear(&v->done);
    return changed;
}

/* ---- the rules of rung_relation.h, of a run ---- */

static void rule_set(void *user, uint32_t k, double value)
{
    set_memory(user, k, value);
}

static void rule_note(void *user)
{
    Events *e = user;
    forget_calls(e);
    some_clear(&e->before.changed);
}

static void rule_go_back(void *user)
{
    Events *e = user;
    for (uint32_t i = 0; i < e->before.changed.n; i++) {
        uint32_t k = e->before.changed.at[i];
        set_memory(e, k, e->before.was[k]);
    }
}

static int rule_compare(void *user)
{
    Events *e = user;
    return find_compared(e, e->run);
}

static int rule_compare_unsolved(void *user)
{
    Events *e = user;
    return find_compared_unsolved(e, e->run);
}

static int rule_follow(void *user)
{
    Events *e = user;
    e->is_told = evaluate(e, e->run) != 0;
    return e->is_told;
}

static int rule_act(void *user, int *moved)
{
    Events *e = user;
    bool has_moved = false;
    // assertions in when-clauses hold or not now, before pre(v) follows
    e->failed = e->check ? e->check(e->user, e->run) : 0;
    e->is_told = e->failed || act(e, e->run, &has_moved);
    e->has_moved = e->has_moved || has_moved;
    e->restarts = e->restarts || has_moved;
    *moved = has_moved;
    return e->is_told;
}

static int rule_take(void *user)
{
    return take_values(user);
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

/* Why the rules came to no end, into run->problem.why. */
static int explain(Events *e, Run *run, bool is_endless)
{
    char which[400];
    if (is_endless) {
        snprintf(run->problem.why, sizeof run->problem.why, "the event iteration finds no end");
    } else if (e->r.is_contrary) {
        name_changes(e, which, sizeof which);
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the relations of the model find no consistent values%s", which);
    } else if (!e->is_told) {
        cannot(run);
    }
    return 1;
}

static int iterate_relations(Events *e, Run *run, bool fresh)
{
    e->run = run;
    e->is_told = false;
    return rung_iterate_relations(&e->r, fresh) ? explain(e, run, false) : 0;
}

static int iterate(Events *e, Run *run)
{
    int is_endless;
    e->run = run;
    e->is_told = false;
    return rung_iterate(&e->r, &e->rounds, &is_endless) ? explain(e, run, is_endless) : 0;
}

static void set_all(Events *e, RungMemoryKind kind, double value)
{
    for (uint32_t k = 0; k < e->table->n_memory; k++)
        if (e->table->memory[k].kind == kind)
            set_memory(e, k, value);
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
    return problem_evaluate(&e->run->problem, RUNG_ASK_RELATIONS, e->run->t, x, g);
}

static void find_sizes(Events *e, Run *run)
{
    const RungSizesRoom room = {e->x, e->end.g, e->search.low_g, e->search.high_g};
    size_t n = run->problem.model->n_unknowns;
    e->run = run;
    memcpy(e->z, run->problem.ctx->z, n * sizeof *e->z);
    rung_find_sizes(&e->r, run->x, run->tolerance, &room, compare_all);
    memcpy(run->problem.ctx->z, e->z, n * sizeof *e->z);
}

/* Times of which more than one in eight roundings come are not counted. */
static bool is_interval(Run *run, const RungMemory *m)
{
    const char *of = m->kind == RUNG_SAMPLE ? "sample()" : "a clock";
    double interval = rung_interval(run->problem.ctx, m);
    double latest = fmax(fabs(run->t), isfinite(run->stop) ? fabs(run->stop) : 0);
    double shortest = 8 * DBL_EPSILON * latest;
    if (interval > 0 && interval > shortest)
        return true;
    if (interval > 0)
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the interval of %s, %.3g s, is below the rounding of times up to %.9g", of,
                 interval, latest);
    else
        snprintf(run->problem.why, sizeof run->problem.why, "the interval of %s must be positive",
                 of);
    return false;
}

int events_begin(Events *e, Run *run)
{
    if (!e->table)
        return 0;
    bool samples_now = false;
    e->start = run->t;
    events_forget(e); // initialisation has set memory
    for (uint32_t i = 0; i < e->n_timed; i++) {
        uint32_t k = e->timed[i];
        const RungMemory *m = &e->table->memory[k];
        if (!is_interval(run, m))
            return 1;
        e->sampled[k] = rung_first_number(run->problem.ctx, m, run->t);
        samples_now = samples_now || time_of(e, run, k, e->sampled[k]) <= run->t;
    }
    set_all(e, RUNG_INITIAL, 1);
    bool moved = false;
    if (iterate_relations(e, run, true) || act(e, run, &moved))
        return 1;
    take_values(e);
    set_all(e, RUNG_INITIAL, 0);
    int status = samples_now ? events_handle(e, run) : iterate(e, run);
    if (!status && !samples_now) {
        find_sizes(e, run);
        find_safe(e, run);
    }
    return status;
}

int events_change(Events *e, Run *run, const double *old)
{
    double now = rung_latest(run->t);
    for (uint32_t i = 0; e->table && i < e->n_timed; i++) {
        uint32_t k = e->timed[i];
        const RungMemory *m = &e->table->memory[k];
        bool moves =
            (m->interval_in != RUNG_NONE &&
             old[m->interval_in] != run->problem.ctx->c[m->interval_in]) ||
            (m->start_in != RUNG_NONE && old[m->start_in] != run->problem.ctx->c[m->start_in]);
        if (!moves)
            continue;
        if (!is_interval(run, m))
            return 1;
        double first = time_of(e, run, k, 0);
        double between = time_of(e, run, k, 1) - first;
        e->sampled[k] = fmax(0, floor((run->t - first) / between));
        while (time_of(e, run, k, e->sampled[k]) <= now)
            e->sampled[k]++;
    }
    e->is_heap = false;
    return 0;
}

int events_iterate(Events *e, Run *run)
{
    if (!e->table)
        return 0;
    events_forget(e);
    if (iterate_relations(e, run, true))
        return 1;
    take_values(e);
    find_safe(e, run);
    return 0;
}

double events_next_time(const Events *e, const Run *run)
{
    double next = INFINITY;
    if (e->is_heap && e->remembers)
        return e->n_timed ? e->next[e->timed[0]] : next;
    for (uint32_t i = 0; i < e->n_timed; i++)
        next = fmin(next, time_of(e, run, e->timed[i], e->sampled[e->timed[i]]));
    return next;
}

double events_known_time(const Events *e)
{
    if (!e->table || e->relations.is_whole)
        return e->table ? e->known : INFINITY;
    double sure = INFINITY;
    for (uint32_t p = 0; p < e->relations.table.n && e->remembers; p++)
        sure = fmin(sure, e->sure[p]);
    return sure;
}

/* The heap of `timed` where number i has become later: the one that is next, first. */
static void sink(Events *e, uint32_t i)
{
    uint32_t n = e->n_timed;
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && e->next[e->timed[child + 1]] < e->next[e->timed[child]])
            child++;
        uint32_t up = e->timed[i], down = e->timed[child];
        if (e->next[up] <= e->next[down])
            return;
        e->timed[i] = down;
        e->timed[child] = up;
    }
}

static void make_heap(Events *e, const Run *run)
{
    for (uint32_t i = 0; i < e->n_timed; i++)
        e->next[e->timed[i]] = time_of(e, run, e->timed[i], e->sampled[e->timed[i]]);
    for (uint32_t i = e->n_timed / 2; i-- > 0;)
        sink(e, i);
    e->is_heap = true;
}

/* Times that have come; a few roundings apart are one. */
static void tick(Events *e, const Run *run)
{
    double now = rung_latest(run->t);
    if (!e->is_heap)
        make_heap(e, run);
    some_clear(&e->ticking);
    while (e->n_timed && !(e->next[e->timed[0]] > now) && !e->ticking.has[e->timed[0]]) {
        uint32_t k = e->timed[0];
        some_add(&e->ticking, k);
        set_memory(e, k, 1);
        e->sampled[k]++;
        e->next[k] = time_of(e, run, k, e->sampled[k]);
        sink(e, 0);
    }
}

/* The event is over for them. */
static void untick(Events *e)
{
    for (uint32_t i = 0; i < e->ticking.n; i++)
        set_memory(e, e->ticking.at[i], 0);
    some_clear(&e->ticking);
}

/* The relations under test, into g; nonzero for parts that cannot be evaluated by themselves
 * (`sample` handles these). */
static int compare(Events *e, Run *run, double t, const double *x, double *g)
{
    Parts *r = &e->relations;
    if (e->awake.n == r->table.n) {
        run->problem.counts->event_values += e->r.n;
        return problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, t, x, g);
    }
    problem_refresh(&run->problem, t, x);
    int status = 0;
    for (uint32_t i = 0; i < e->awake.n && !status; i++)
        status = parts_evaluate_one(r, &run->problem, e->awake.at[i], t, x, g);
    return status;
}

/* The states that relations under test read, at t inside the last step, into e->x. False: it is no
 * cheaper than to take all. */
static bool take_some(Search *s, double t)
{
    Events *e = s->e;
    bool done = e->states.n && !s->is_exact && s->method->some_at &&
                s->method->some_at(s->self, s->run, t, e->states.n, e->states.at, e->x);
    s->has_taken_some = s->has_taken_some || done;
    return done;
}

/* The relations at t inside the last step, into g. Nonzero where they cannot be evaluated: the
 * method has its own way with such points. */
static int sample(void *search, double t, double *g)
{
    Search *s = search;
    Run *run = s->run;
    Events *e = s->e;
    const double *x = run->x;
    bool inside = t != run->t, some = inside && take_some(s, t);
    if (inside && !some)
        s->method->at(s->self, run, t, e->x);
    if (inside)
        x = e->x;
    // looking leaves the first guesses of blocks as the method had them
    size_t n = run->problem.model->n_unknowns;
    memcpy(e->z, run->problem.ctx->z, n * sizeof *e->z);
    int status = compare(e, run, t, x, g);
    if (status && e->awake.n < e->relations.table.n) {
        if (some)
            s->method->at(s->self, run, t, e->x);
        status = problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, t, x, g);
    }
    memcpy(run->problem.ctx->z, e->z, n * sizeof *e->z);
    return status;
}

static void find_loose(Events *e, const double *g, bool since)
{
    for (uint32_t i = 0; i < e->r.n_watched; i++)
        rung_find_loose(&e->r, e->r.watched[i], g[e->r.watched[i]], since);
}

/* The relations under test that differ from memory by g, and their parts. */
static void choose_few(Events *e, const double *g)
{
    some_clear(&e->few);
    e->n_few = 0;
    for (uint32_t i = 0; i < e->r.n_watched; i++) {
        uint32_t k = e->r.watched[i];
        if (!rung_is_other(&e->r, k, g[k]))
            continue;
        e->few_watched[e->n_few++] = k;
        some_add(&e->few, e->part_of[k]);
    }
    list_states(e, &e->few, &e->few_states);
}

/* Restricts the test to the few, and extends it again to all before. */
static void exchange_few(Events *e)
{
    Some awake = e->awake, states = e->states;
    e->states = e->few_states;
    e->few_states = states;
    uint32_t *watched = e->r.watched, n = e->r.n_watched;
    e->awake = e->few;
    e->r.watched = e->few_watched;
    e->r.n_watched = e->n_few;
    e->few = awake;
    e->few_watched = watched;
    e->n_few = n;
}

static void focus(void *search, const double *g)
{
    Events *e = ((Search *)search)->e;
    choose_few(e, g);
    exchange_few(e);
}

static void unfocus(void *search)
{
    exchange_few(((Search *)search)->e);
}

static double *level(void *search, int depth)
{
    Events *e = ((Search *)search)->e;
    if (!e->level[depth])
        e->level[depth] = calloc(e->r.n + (size_t)1, sizeof *e->r.g);
    return e->level[depth];
}

/* The two of a floor change together. */
static void pair_floors(Events *e)
{
    for (uint32_t i = 0; i < e->r.n_watched; i++) {
        uint32_t k = e->r.watched[i];
        if (rung_is_second_of_floor(&e->r, k) && e->is_quiet[k] != e->is_quiet[k - 1]) {
            e->is_quiet[k] = e->is_quiet[k - 1] = false;
            e->n_quiet[e->part_of[k]]--;
            e->n_all_quiet--;
        }
    }
}

/* Of many relations nearly all are clear between a and b, the ends of the step: these become quiet,
 * so that the cost of events in the step is that of the others. *m: a sample between. */
static bool set_apart(Events *e, const RungSample *a, const RungSample *b, RungSample *m)
{
    enum { MANY = 64 };
    RungSearch *s = &e->search;
    RungLook look;
    if (!e->remembers || e->r.n_watched < MANY)
        return false;
    if (!e->apart)
        e->apart = calloc(e->r.n + (size_t)1, sizeof *e->apart);
    *m = (RungSample){rung_inner(a, b), e->apart, b};
    if (!m->g || m->t <= a->t || m->t >= b->t || s->left-- <= 0 || s->sample(s->user, m->t, m->g) ||
        !rung_look_between(s, a, m, b, &look))
        return false;
    for (uint32_t i = 0; i < e->r.n_watched; i++) {
        uint32_t k = e->r.watched[i], p = e->part_of[k];
        bool other = rung_is_other(&e->r, k, m->g[k]) || rung_is_other(&e->r, k, b->g[k]);
        // how long others stay is known as it is
        if (!is_curved(e, p) || k == e->faded || other || !rung_is_clear(&e->r, &look, k))
            continue;
        rung_find_loose(&e->r, k, b->g[k], true);
        e->is_quiet[k] = true;
        e->n_quiet[p]++;
        e->n_all_quiet++;
    }
    pair_floors(e);
    e->is_listed = false;
    return true;
}

/* Single states (some_at) equal those of the full interpolation up to rounding: e->search.high is
 * moved by some last digits to a time at which the relations from all states differ from memory. */
static void confirm(Search *s, double end)
{
    enum { ROUNDS = 30 };
    Events *e = s->e;
    RungSearch *found = &e->search;
    double high = found->high, more = DBL_EPSILON * fabs(high);
    s->is_exact = true;
    for (int round = 0; round < ROUNDS && high < end; round++, more *= 2) {
        if (sample(s, high, e->r.g) || rung_differs(&e->r, e->r.g)) {
            found->high = high;
            break;
        }
        high = fmin(end, found->high + more);
    }
    s->is_exact = false;
}

/* Puts the relations that may change until then under test, in the step that began at t0. Those not
 * tested lately are functions of time, so that their earlier values are known. False: there are
 * none. */
static bool wake(Events *e, Run *run, double until, double t0)
{
    bool *was = e->had_been;
    uint32_t n = e->relations.table.n;
    memcpy(was, e->awake.has, n * sizeof *was);
    choose_watched(e, until);
    for (uint32_t i = 0; i < e->awake.n; i++) {
        uint32_t p = e->awake.at[i];
        if (was[p] || !e->has_begin || e->begin.t != t0)
            continue;
        RungSample *known[] = {&e->begin, &e->search.past[0], &e->search.past[1]};
        for (int k = 0; k < 1 + e->search.n_past; k++)
            if (parts_evaluate_one(&e->relations, &run->problem, p, known[k]->t, run->x,
                                   known[k]->g))
                e->has_begin = false;
    }
    return e->r.n_watched > 0;
}

/* The earliest time in the last step at which a relation differs from memory, of those that may
 * change until `until`; false if there is none. */
static bool find_among(Events *e, Run *run, const Integrator *method, void *self, double t0,
                       double until, double *when)
{
    Search s = {.e = e, .run = run, .method = method, .self = self};
    RungSearch *search = &e->search;
    search->r = &e->r;
    search->user = &s;
    search->sample = sample;
    search->level = level;
    search->focus = focus;
    search->unfocus = unfocus;
    rung_search_begin(search);
    if (!wake(e, run, until, t0))
        return e->has_begin = false;
    if (e->begin.t != t0 || !e->has_begin) {
        e->begin.t = t0;
        search->n_past = 0;
        if (sample(&s, t0, e->begin.g))
            return false;
        rung_look_ahead(search, t0, run->t - t0);
    }
    e->end.t = run->t;
    e->has_begin = !sample(&s, run->t, e->end.g);
    bool found = false, had_quiet = e->n_all_quiet > 0;
    RungSample middle;
    bool is_apart = e->has_begin && set_apart(e, &e->begin, &e->end, &middle);
    if (is_apart)
        choose_watched(e, until);
    if (e->has_begin && e->r.n_watched)
        found = rung_search(search, &e->begin, &e->end);
    if (found && s.has_taken_some)
        confirm(&s, run->t);
    // the next step begins with all of them
    if (is_apart && !found && !had_quiet) {
        wake_all_quiet(e);
        choose_watched(e, until);
        rung_keep_past(search, &e->begin, &middle);
    }
    if (search->left <= 0 && !found && !e->n_unresolved++) {
        e->unresolved = &e->table->memory[search->unclear];
        e->unresolved_t = t0;
    }
    if (found)
        e->has_begin = false;
    else if (e->has_begin)
        find_loose(e, e->end.g, true);
    RungSample next = e->end;
    e->end = e->begin;
    e->begin = next;
    *when = search->high;
    return found;
}

/* Of all relations. Where one of time alone is going to change, those that do so later are not
 * asked. */
static bool find_crossing(Events *e, Run *run, const Integrator *method, void *self, double t0,
                          double *when)
{
    double sure = e->relations.is_whole ? INFINITY : events_known_time(e);
    return (sure < run->t && find_among(e, run, method, self, t0, sure, when) && *when <= sure) ||
           find_among(e, run, method, self, t0, run->t, when);
}

/* Whether the event set a state or a discrete variable, not relations alone. */
static bool has_acted(const Events *e)
{
    for (uint32_t i = 0; i < e->entry.changed.n; i++) {
        uint32_t k = e->entry.changed.at[i];
        if (e->table->memory[k].kind == RUNG_PRE && e->r.memory[k] != e->entry.was[k])
            return true;
    }
    return e->has_moved;
}

/* Events at ever shorter intervals, as those of a ball that bounces ever lower, have a limit in
 * time (Zeno). Bounces below the noise of g are not seen, so that after the limit such a ball would
 * fall through the floor: a relation whose events have reached the limit may not change for good.
 * One that only switches a derivative may: the state has left the surface along which it slid. */
static void find_faded(Events *e, const Run *run)
{
    enum { LEAST = 4 };
    static const double FASTER = 0.999, SHORT = 1e-4, FINE = 1e-5;
    bool acts = has_acted(e);
    if (acts)
        e->faded = RUNG_NONE;
    for (uint32_t i = 0; i < e->entry.changed.n; i++) {
        uint32_t at = e->entry.changed.at[i], k = e->number_of[at];
        if (e->table->memory[at].kind != RUNG_RELATION || e->r.memory[at] == e->entry.was[at])
            continue;
        Fading *f = &e->fading[at][e->r.memory[at] != 0];
        double interval = run->t - f->t;
        bool is_faster = f->n > 0 && interval > 0 && interval < FASTER * f->interval;
        if (!is_faster) {
            f->first = f->t;
            f->n = 0;
            f->size = 0;
        }
        f->n++;
        f->t = run->t;
        f->interval = interval;
        bool is_last = e->faded == RUNG_NONE || k > e->faded;
        if (!acts || f->n < LEAST)
            continue;
        f->size = f->size > 0 ? f->size : FINE * e->r.size[at];
        if (interval < SHORT * (run->t - f->first) && is_last)
            e->faded = k;
    }
}

/* A value that bounces ever lower leaves zero by less each time: noise relative to the largest |g|
 * of the run would hide bounces that the model still resolves. */
static void follow_faded(Events *e, uint32_t at)
{
    double size = e->fading[at][e->r.memory[at] != 0].size;
    if (size > 0 && size < e->r.size[at])
        e->r.size[at] = size;
}

/* g: the zero-crossing functions at the end of the last step, which contains no event. The relation
 * at its limit should have changed several times by then; one that stays at zero has come to rest.
 */
static bool has_passed(const Events *e, Run *run, const double *g)
{
    static const double FAR = 1000, LATE = 10;
    if (e->faded == RUNG_NONE)
        return false;
    uint32_t at = e->r.relation[e->faded];
    const RungMemory *m = &e->table->memory[at];
    const Fading *f = &e->fading[at][e->r.memory[at] != 0];
    if (run->t < f->t + LATE * f->interval || fabs(g[e->faded]) <= FAR * RUNG_NOISE * e->r.size[at])
        return false;
    bool has_place = m->where && *m->where;
    snprintf(
        run->problem.why, sizeof run->problem.why,
        "events follow one another ever faster up to t = %.9g, where they cease: %s%s%s%s "
        "became %s at intervals down to %.3g, and then for good, which the model does not mean",
        f->t, m->text && *m->text ? m->text : "a relation", has_place ? " (" : "",
        has_place ? m->where : "", has_place ? ")" : "", e->r.memory[at] != 0 ? "true" : "false",
        f->interval);
    return true;
}

int events_look(Events *e, Run *run, const Integrator *method, void *self, double t0, bool *found)
{
    *found = false;
    if (!e->table)
        return 0;
    double when;
    // if the last search was among some relations only, the others are not known at its end
    if (!e->goes_on && e->n_all_quiet) {
        wake_all_quiet(e);
        e->has_begin = false;
    }
    e->goes_on = false;
    if (e->r.n && find_crossing(e, run, method, self, t0, &when)) {
        method->at(self, run, when, e->x);
        if (when == run->t)
            memcpy(e->x, run->x, run->problem.n * sizeof *e->x);
        e->t = when;
        *found = e->is_crossing = true;
        return 0;
    }
    if (e->r.n && e->has_begin && has_passed(e, run, e->begin.g))
        return 1;
    *found = events_next_time(e, run) <= run->t;
    e->is_crossing = false;
    memcpy(e->x, run->x, run->problem.n * sizeof *e->x);
    e->t = run->t;
    return 0;
}

void events_go_on(Events *e)
{
    e->goes_on = true;
}

void events_go(Events *e, Run *run)
{
    run->t = e->t;
    memcpy(run->x, e->x, run->problem.n * sizeof *e->x);
}

/* The part of the run that a thousand crossings must not fall into. */
static double little_time(const Run *run)
{
    return 1e-6 * (run->span);
}

/* So many events in so small a part of the run that it would never end. sample() may have more,
 * down to the resolution of time. */
static bool is_crowded(Events *e, Run *run)
{
    enum { MANY = 1000 };
    e->n_crossings += e->is_crossing;
    if (e->n % MANY)
        return false;
    double span = run->t - e->t_many;
    bool crossings = e->n_crossings >= MANY / 2;
    double least = crossings ? little_time(run) : 16 * DBL_EPSILON * MANY * fabs(run->t);
    bool crowded = e->n >= MANY && span <= least;
    if (crowded) {
        char which[300];
        name_changes(e, which, sizeof which);
        snprintf(
            run->problem.why, sizeof run->problem.why,
            "events follow one another without end, the last %d within %.3g%s%s", MANY, span, which,
            crossings ? "; a jump that drives a value back from both sides wants a steep slope "
                        "instead, or a discrete state in which the value rests"
                      : "");
    }
    e->t_many = run->t;
    e->n_crossings = 0;
    memset(e->r.changes, 0, e->table->n_memory * sizeof *e->r.changes);
    return crowded;
}

/* Values just before the event. */
static int take_left_limits(Events *e, Run *run)
{
    if (!e->has_left_limits)
        return 0;
    delays_look_back(run->problem.delays, true);
    int status = problem_evaluate(&run->problem, RUNG_ASK_EVENT, run->t, run->x, e->out);
    delays_look_back(run->problem.delays, false);
    if (status)
        return cannot(run);
    for (uint32_t k = 0; k < e->table->n_memory; k++)
        if (e->table->memory[k].kind == RUNG_LEFT_LIMIT)
            set_memory(e, k, e->out[k]);
    return 0;
}

int events_handle(Events *e, Run *run)
{
    e->has_begin = false;
    if (is_crowded(e, run))
        return 1;
    e->n++;
    e->rounds = 0;
    e->restarts = e->has_moved = false;
    some_clear(&e->entry.changed);
    touch_moving(e, run);
    if (take_left_limits(e, run))
        return 1;
    tick(e, run);
    if (iterate(e, run))
        return 1;
    untick(e);
    uint32_t rounds = e->rounds, after;
    int status = iterate(e, run);
    after = e->rounds - rounds; // in the first one pre(sample()) follows
    e->rounds = rounds + (after > 0 ? after - 1 : 0);
    for (uint32_t i = 0; i < e->entry.changed.n; i++) {
        uint32_t k = e->entry.changed.at[i];
        bool has_changed = e->r.memory[k] != e->entry.was[k];
        e->restarts = e->restarts || (e->table->memory[k].is_driving && has_changed);
    }
    if (!status)
        find_loose(e, e->r.g, false);
    find_faded(e, run);
    // again now and then: other equations hold now; and where events begin to crowd
    enum { SOME = 64 };
    bool crowds = e->n % SOME == 0 && run->t - e->t_many <= little_time(run);
    bool has_sizes = !status && ((e->n & (e->n - 1)) == 0 || crowds);
    if (has_sizes)
        find_sizes(e, run);
    for (uint32_t k = 0; k < e->r.n && has_sizes; k++)
        follow_faded(e, e->relation[k]);
    for (uint32_t i = 0; i < e->entry.changed.n && !has_sizes; i++)
        if (e->table->memory[e->entry.changed.at[i]].kind == RUNG_RELATION)
            follow_faded(e, e->entry.changed.at[i]);
    if (!status)
        find_safe(e, run);
    return status;
}

bool events_is_other(Events *e, uint32_t k, double g)
{
    return rung_is_other(&e->r, k, g);
}

const char *events_cause(Events *e, Run *run)
{
    if (e->r.n && !problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, run->t, run->x, e->r.g))
        for (uint32_t k = 0; k < e->r.n; k++) {
            const char *text = e->table->memory[e->relation[k]].text;
            if (rung_is_other(&e->r, k, e->r.g[k]) && text && *text)
                return text;
        }
    return "a relation";
}

bool events_have_other(void *events, Run *run, double t, const double *x)
{
    Events *e = events;
    if (!e->r.n || problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, t, x, e->r.g))
        return false;
    bool other = false;
    for (uint32_t k = 0; k < e->r.n && !other; k++)
        other = rung_is_other(&e->r, k, e->r.g[k]);
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
    touch_moving(e, run);
    set_all(e, RUNG_TERMINAL, 1);
    return iterate(e, run);
}

void events_save(const Events *e, Snapshot *s)
{
    if (!e->table)
        return;
    size_t n = e->table->n_memory;
    snapshot_put(s, e->sampled, n * sizeof *e->sampled);
    snapshot_put(s, e->r.size, n * sizeof *e->r.size);
    snapshot_put(s, e->r.is_loose, n * sizeof *e->r.is_loose);
    snapshot_put(s, e->fading, n * sizeof *e->fading);
    snapshot_put(s, &e->faded, sizeof e->faded);
    snapshot_put(s, &e->n, sizeof e->n);
    snapshot_put(s, &e->t_many, sizeof e->t_many);
    snapshot_put(s, &e->start, sizeof e->start);
}

bool events_restore(Events *e, Snapshot *s)
{
    if (!e->table)
        return true;
    events_forget(e);
    size_t n = e->table->n_memory;
    return snapshot_get(s, e->sampled, n * sizeof *e->sampled) &&
           snapshot_get(s, e->r.size, n * sizeof *e->r.size) &&
           snapshot_get(s, e->r.is_loose, n * sizeof *e->r.is_loose) &&
           snapshot_get(s, e->fading, n * sizeof *e->fading) &&
           snapshot_get(s, &e->faded, sizeof e->faded) && snapshot_get(s, &e->n, sizeof e->n) &&
           snapshot_get(s, &e->t_many, sizeof e->t_many) &&
           snapshot_get(s, &e->start, sizeof e->start);
}

bool events_differ(Events *e, const double *g)
{
    choose_watched(e, INFINITY);
    bool differ = rung_differs(&e->r, g);
    if (!differ)
        find_loose(e, g, true);
    return differ;
}

double events_indicator(const Events *e, uint32_t k, const double *g)
{
    // twice the noise of rung_holds
    uint32_t memory = e->r.relation[k];
    double size = e->r.size[memory] > 0 ? e->r.size[memory] : 1;
    return e->r.memory[memory] != 0 ? g[k] - 2 * RUNG_NOISE * size : g[k] + 2 * RUNG_NOISE * size;
}
