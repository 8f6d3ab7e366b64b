/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Events of which so many in little time have no end. */
enum { MANY = 1000 };

bool event_limit_new(Events *e)
{
    uint32_t n = e->table->n_memory;
    e->limit.intervals = calloc(n + (size_t)1, sizeof *e->limit.intervals);
    e->limit.relation = RUNG_NONE;
    e->r.changes = calloc(n + (size_t)1, sizeof *e->r.changes);
    return some_new(&e->limit.reverted, n) && e->limit.intervals && e->r.changes;
}

void event_limit_free(Events *e)
{
    some_free(&e->limit.reverted);
    free(e->limit.intervals);
    free(e->r.changes);
}

void event_limit_name_changes(const Events *e, char *text, size_t size)
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

/* Whether a discrete variable has another value: the condition of a when-clause that still holds
 * is one. Where an event sets states alone, so that its condition is false again, as that of a
 * limiter that sets its state back to the limit, the next event is found as the first one was. */
static bool has_acted(const Events *e)
{
    for (uint32_t i = 0; i < e->now.entry.changed.n; i++) {
        uint32_t k = e->now.entry.changed.at[i];
        if (e->table->memory[k].kind == RUNG_PRE && e->r.memory[k] != e->now.entry.was[k])
            return true;
    }
    return false;
}

/* Events at ever shorter intervals, as those of a ball that bounces ever lower, have a limit in
 * time (Zeno). Bounces below the noise of g are not seen, so that after the limit such a ball would
 * fall through the floor: a relation whose events have reached the limit may not change for good.
 * One that only switches a derivative may: the state has left the surface along which it slid. */
void event_limit_find(Events *e, const Run *run)
{
    enum { LEAST = 4 };
    static const double FASTER = 0.999, SHORT = 1e-4, FINE = 1e-5;
    bool acts = has_acted(e);
    if (acts)
        e->limit.relation = RUNG_NONE;
    for (uint32_t i = 0; i < e->now.entry.changed.n; i++) {
        uint32_t at = e->now.entry.changed.at[i], k = e->number_of[at];
        if (e->table->memory[at].kind != RUNG_RELATION || e->r.memory[at] == e->now.entry.was[at])
            continue;
        Intervals *f = &e->limit.intervals[at][e->r.memory[at] != 0];
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
        bool is_last = e->limit.relation == RUNG_NONE || k > e->limit.relation;
        if (!acts || f->n < LEAST)
            continue;
        f->size = f->size > 0 ? f->size : FINE * e->r.size[at];
        if (interval < SHORT * (run->t - f->first) && is_last)
            e->limit.relation = k;
    }
}

void event_limit_find_reverted(Events *e, const Run *run)
{
    // an importer may call for more events at the same time, at which g is zero as well
    if (!e->limit.is_again)
        some_clear(&e->limit.reverted);
    e->limit.t_reverted = run->t;
    bool is_reverted = !e->now.has_moved && !e->r.has_kept;
    for (uint32_t i = 0; i < e->now.entry.changed.n && is_reverted; i++) {
        uint32_t at = e->now.entry.changed.at[i];
        is_reverted = e->r.memory[at] == e->now.entry.was[at];
    }
    // those of the value that counts at zero
    for (uint32_t i = 0; i < e->now.entry.changed.n && is_reverted; i++) {
        uint32_t at = e->now.entry.changed.at[i];
        const RungMemory *m = &e->table->memory[at];
        if (m->kind == RUNG_RELATION && (e->r.memory[at] != 0) != (int)m->is_strict)
            some_add(&e->limit.reverted, at);
    }
}

/* Relations that passed zero twice, as closely as events without end. */
void event_limit_try_again(Events *e, const Run *run)
{
    const double near = fmax(e->limit.near, event_limit_little_time(run) / MANY);
    e->limit.is_again = e->limit.reverted.n > 0 && run->t >= e->limit.t_reverted &&
                        run->t - e->limit.t_reverted <= near;
    for (uint32_t i = 0; i < e->limit.reverted.n && e->limit.is_again; i++)
        if (e->r.is_due[e->limit.reverted.at[i]] != RUNG_DUE_LEAVES)
            e->r.is_due[e->limit.reverted.at[i]] = RUNG_DUE_AGAIN;
}

void event_limit_save_reverted(const Events *e, Snapshot *s)
{
    snapshot_put(s, e->limit.reverted.has, e->table->n_memory * sizeof *e->limit.reverted.has);
    snapshot_put(s, &e->limit.t_reverted, sizeof e->limit.t_reverted);
}

bool event_limit_restore_reverted(Events *e, Snapshot *s)
{
    Some *reverted = &e->limit.reverted;
    some_clear(reverted);
    bool ok = snapshot_get(s, reverted->has, e->table->n_memory * sizeof *reverted->has) &&
              snapshot_get(s, &e->limit.t_reverted, sizeof e->limit.t_reverted);
    for (uint32_t k = 0; k < e->table->n_memory; k++)
        if (reverted->has[k])
            reverted->at[reverted->n++] = k;
    return ok;
}

/* The height of the bounces of a ball decreases. Noise relative to the largest height of the run
 * would hide the low ones, which the model still resolves. */
void event_limit_follow(Events *e, uint32_t at)
{
    double size = e->limit.intervals[at][e->r.memory[at] != 0].size;
    if (size > 0 && size < e->r.size[at])
        e->r.size[at] = size;
}

/* g: the zero-crossing functions at the end of the last step, which contains no event. The relation
 * at its limit should have changed several times by then; one that stays at zero has come to rest.
 */
bool event_limit_has_passed(const Events *e, Run *run, const double *g)
{
    static const double FAR = 1000, LATE = 10;
    if (e->limit.relation == RUNG_NONE)
        return false;
    uint32_t at = e->r.relation[e->limit.relation];
    const RungMemory *m = &e->table->memory[at];
    const Intervals *f = &e->limit.intervals[at][e->r.memory[at] != 0];
    if (run->t < f->t + LATE * f->interval ||
        fabs(g[e->limit.relation]) <= FAR * RUNG_NOISE * e->r.size[at])
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

double event_limit_little_time(const Run *run)
{
    return 1e-6 * (run->span);
}

/* So many events in so small a part of the run that it would never end. sample() may have more,
 * down to the resolution of time. */
bool event_limit_is_endless(Events *e, Run *run)
{
    e->limit.n_crossings += e->step.is_crossing;
    if (e->n % MANY)
        return false;
    double span = run->t - e->limit.t_many;
    bool crossings = e->limit.n_crossings >= MANY / 2;
    double least =
        crossings ? event_limit_little_time(run) : 16 * DBL_EPSILON * MANY * fabs(run->t);
    bool endless = e->n >= MANY && span <= least;
    if (endless) {
        char which[300];
        event_limit_name_changes(e, which, sizeof which);
        snprintf(
            run->problem.why, sizeof run->problem.why,
            "events follow one another without end, the last %d within %.3g%s%s", MANY, span, which,
            crossings ? "; a jump that drives a value back from both sides wants a steep slope "
                        "instead, or a discrete state in which the value rests"
                      : "");
    }
    e->limit.t_many = run->t;
    e->limit.n_crossings = 0;
    memset(e->r.changes, 0, e->table->n_memory * sizeof *e->r.changes);
    return endless;
}
