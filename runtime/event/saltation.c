/* SPDX-License-Identifier: BSD-3-Clause */
#include "saltation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sensitivity_new(Sensitivity *it, const RungModel *m)
{
    const RungSensitivity *t = m->sensitivity;
    bool any = t && (t->n_relations || t->n_actions || m->loops);
    *it = (Sensitivity){.table = any ? t : NULL};
    if (!any)
        return true;
    size_t n = m->n_states + (size_t)1, d = t->n_directions + (size_t)1;
    it->before = calloc(n, sizeof *it->before);
    it->behind = calloc(n, sizeof *it->behind);
    it->x = calloc(n, sizeof *it->x);
    it->slope = calloc((t->n_relations + (size_t)t->n_actions + 1) * d, sizeof *it->slope);
    it->g = calloc(m->n_events + (size_t)1, sizeof *it->g);
    it->shift = calloc(d, sizeof *it->shift);
    it->set = calloc((t->n_actions + (size_t)1) * d, sizeof *it->set);
    it->set_by = calloc(n, sizeof *it->set_by);
    return it->before && it->behind && it->x && it->slope && it->g && it->shift && it->set &&
           it->set_by;
}

void sensitivity_free(Sensitivity *it)
{
    free(it->before);
    free(it->behind);
    free(it->x);
    free(it->slope);
    free(it->g);
    free(it->shift);
    free(it->set);
    free(it->set_by);
    *it = (Sensitivity){0};
}

static int find_slopes(Sensitivity *it, Run *run)
{
    const RungSensitivity *t = it->table;
    problem_refresh(&run->problem, run->t, run->x);
    bool ok = !t->slopes(run->problem.ctx, run->t, run->x, it->slope);
    for (uint32_t k = 0; ok && k < (t->n_relations + t->n_actions) * t->n_directions; k++)
        ok = isfinite(it->slope[k]);
    if (ok)
        return 0;
    snprintf(run->problem.why, sizeof run->problem.why,
             "the derivatives of what makes the event cannot be evaluated");
    return 1;
}

/* What reinit sets, before it does: all at once (MLS 8.3.6). */
static int note_action(void *user, Run *run, uint32_t n, const uint32_t *action)
{
    Sensitivity *it = user;
    const RungSensitivity *t = it->table;
    const RungAction *all = run->problem.model->event->action;
    bool sets = false;
    for (uint32_t i = 0; i < n; i++)
        sets = sets || all[action[i]].kind == RUNG_REINIT;
    if (!sets)
        return 0;
    if (it->has_acted) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "states are set, and set again at the same event: the derivatives by parameters "
                 "are not known there");
        return 1;
    }
    it->has_acted = true;
    if (find_slopes(it, run))
        return 1;
    for (uint32_t i = 0; i < n; i++) {
        const RungAction *a = &all[action[i]];
        if (a->kind != RUNG_REINIT)
            continue;
        it->set_by[a->state] = action[i];
        memcpy(it->set + (size_t)action[i] * t->n_directions,
               it->slope + ((size_t)t->n_relations + action[i]) * t->n_directions,
               t->n_directions * sizeof *it->set);
    }
    return 0;
}

bool sensitivity_watch(Sensitivity *it, Events *e)
{
    e->acts = it->table ? note_action : NULL;
    e->acts_user = it;
    return true;
}

static const char *text_of(const Events *e, uint32_t relation)
{
    const RungMemory *m = &e->table->memory[e->relation[relation]];
    return m->text && *m->text ? m->text : "a relation";
}

/* Relation k, as it was before the event, has become another one. */
static int add_crossing(Sensitivity *it, Run *run, const Events *e, uint32_t k, bool first)
{
    static const double SAME = 1e-5;
    const RungSensitivity *t = it->table;
    const double *slope = it->slope + (size_t)k * t->n_directions;
    double rate = slope[t->n];
    bool falls = e->r.memory[e->relation[k]] == 0; // it becomes true: less than zero
    if (!(falls ? rate < 0 : rate > 0)) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "'%s' changes without crossing zero at a rate: the time of the event has no "
                 "derivative by parameters",
                 text_of(e, k));
        return 1;
    }
    for (uint32_t j = 0; j < t->n; j++) {
        double shift = -slope[j] / rate;
        if (!isfinite(shift)) {
            snprintf(run->problem.why, sizeof run->problem.why,
                     "the time at which '%s' changes has no derivative by parameters",
                     text_of(e, k));
            return 1;
        }
        if (!first && fabs(shift - it->shift[j]) > SAME * (fabs(shift) + fabs(it->shift[j]))) {
            snprintf(run->problem.why, sizeof run->problem.why,
                     "'%s' changes at the same time as something else that depends on parameters "
                     "in another way: there are no derivatives by parameters",
                     text_of(e, k));
            return 1;
        }
        it->shift[j] = shift;
    }
    return 0;
}

static int unknown_event(Run *run)
{
    snprintf(run->problem.why, sizeof run->problem.why,
             "which relation makes the event is not known, nor how its time depends on parameters");
    return 1;
}

int sensitivity_enter(Sensitivity *it, Run *run, Events *e, bool at_start)
{
    const RungSensitivity *t = it->table;
    if (!t)
        return 0;
    it->has_acted = it->is_unknown = false;
    it->is_start = at_start;
    memset(it->shift, 0, t->n_directions * sizeof *it->shift);
    for (uint32_t k = 0; k < run->problem.n; k++)
        it->set_by[k] = RUNG_NONE;
    memcpy(it->x, run->x, run->problem.n * sizeof *it->x);
    if (at_start)
        return 0;
    if (run->problem.inputs && t->n_relations) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "at events the derivatives by parameters need those of the inputs by time, which "
                 "follow data");
        return 1;
    }
    if (problem_xdot(&run->problem, run->t, run->x, it->before)) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the derivatives before the event cannot be evaluated");
        return 1;
    }
    for (uint32_t k = 0; k < run->problem.n; k++)
        if (t->of[k] != RUNG_NONE && t->by[k] == t->n)
            run->x[k] = t->is_negated[k] ? -it->before[t->of[k]] : it->before[t->of[k]];
    if (!t->n_relations)
        return 0;
    if (find_slopes(it, run))
        return 1;
    if (problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, run->t, run->x, it->g)) {
        snprintf(run->problem.why, sizeof run->problem.why, "the relations cannot be evaluated");
        return 1;
    }
    bool timed = events_next_time(e, run) <= run->t, first = !timed;
    uint32_t n = 0;
    for (uint32_t k = 0; k < t->n_relations; k++) {
        if (!events_is_other(e, k, it->g[k]))
            continue;
        n++;
        if (add_crossing(it, run, e, k, first))
            return 1;
        first = false;
    }
    it->is_unknown = !n && e->step.is_crossing;
    // where closed loops were projected the crossing may have been taken back: it comes again
    return it->is_unknown && !run->problem.loops ? unknown_event(run) : 0;
}

int sensitivity_leave(Sensitivity *it, Run *run, Events *e)
{
    const RungSensitivity *t = it->table;
    if (!t)
        return 0;
    if (it->is_unknown && e->now.restarts)
        return unknown_event(run);
    const double *behind = it->behind;
    if (problem_xdot(&run->problem, run->t, run->x, it->behind)) {
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the derivatives behind the event cannot be evaluated");
        return 1;
    }
    for (uint32_t k = 0; k < run->problem.n; k++) {
        if (t->of[k] == RUNG_NONE)
            continue;
        uint32_t i = t->of[k], j = t->by[k], a = it->set_by[i];
        double sign = t->is_negated[k] ? -1 : 1, value;
        if (j == t->n) {
            run->x[k] = sign * behind[i];
            continue;
        }
        const double *set = a == RUNG_NONE ? NULL : it->set + (size_t)a * t->n_directions;
        double rate = !set ? it->before[i] : t->n_directions > t->n ? set[t->n] : 0;
        value = set ? set[j] : sign * it->x[k];
        if (it->shift[j] != 0)
            value += (rate - behind[i]) * it->shift[j];
        if (set || it->shift[j] != 0)
            run->x[k] = sign * value;
        e->now.restarts = e->now.restarts || run->x[k] != it->x[k];
    }
    return 0;
}
