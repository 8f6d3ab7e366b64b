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
    it->x_begin = calloc(n, sizeof *it->x_begin);
    it->g_begin = calloc(m->n_events + (size_t)1, sizeof *it->g_begin);
    it->memory = calloc(2 * (m->event ? m->event->n_memory : (size_t)0) + 1, sizeof *it->memory);
    it->z = calloc(m->n_unknowns + (size_t)1, sizeof *it->z);
    it->at_begin[0] = calloc(2 * n, sizeof *it->at_begin[0]);
    it->at_begin[1] = it->at_begin[0] ? it->at_begin[0] + n : NULL;
    return it->before && it->behind && it->x && it->slope && it->g && it->shift && it->set &&
           it->set_by && it->x_begin && it->g_begin && it->memory && it->z && it->at_begin[0];
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
    free(it->x_begin);
    free(it->g_begin);
    free(it->memory);
    free(it->z);
    free(it->at_begin[0]);
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
             "the derivatives of the event's condition cannot be evaluated");
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

static void note_fault(Sensitivity *it, const Events *e, uint32_t k, const char *why)
{
    const double ratio = it->has_begin ? fabs(it->g[k] / it->g_begin[k]) : 1;
    crossing_note(&it->fault, &e->table->memory[e->relation[k]], ratio, why);
}

/* Relation k, as it was before the event, has become another one. */
static void add_crossing(Sensitivity *it, Run *run, const Events *e, uint32_t k, bool first)
{
    static const double SAME = 1e-5;
    const RungSensitivity *t = it->table;
    const double *slope = it->slope + (size_t)k * t->n_directions;
    bool any = false;
    for (uint32_t j = 0; j < t->n; j++)
        any = any || slope[j] != 0;
    const RungCrossing c = {.t = run->t,
                            .g = it->g[k],
                            .rate = slope[t->n],
                            .falls = e->r.memory[e->relation[k]] == 0, // it becomes true
                            .h = it->has_begin ? run->t - it->t_begin : INFINITY,
                            .g_begin = it->g_begin[k],
                            .size = e->r.size[e->relation[k]],
                            .tolerance = run->tolerance};
    const char *why = any ? rung_crossing_fault(&c) : NULL;
    if (why)
        note_fault(it, e, k, why);
    for (uint32_t j = 0; j < t->n; j++) {
        double shift = any ? -slope[j] / c.rate : 0;
        if (!isfinite(shift))
            note_fault(it, e, k, "changes at a time that has no derivative by parameters");
        if (!first && fabs(shift - it->shift[j]) > SAME * (fabs(shift) + fabs(it->shift[j])))
            note_fault(it, e, k,
                       "changes at the same time as something else that depends on parameters "
                       "in another way: there are no derivatives by parameters");
        it->shift[j] = shift;
    }
}

static int unknown_event(Run *run)
{
    snprintf(run->problem.why, sizeof run->problem.why,
             "which relation makes the event is not known, nor how its time depends on parameters");
    return 1;
}

static double *memory_of(const Run *run)
{
    return run->problem.ctx->u + run->problem.model->n_inputs;
}

void sensitivity_look(Sensitivity *it, const Run *run, const Integrator *method, void *self,
                      double t0)
{
    if (!it || !it->table || !it->table->n_relations)
        return;
    method->at(self, run, t0, it->x_begin);
    it->t_begin = t0;
    it->has_begin = true;
}

/* The relations where the step before began. */
static void look_earlier(Sensitivity *it, Run *run)
{
    size_t n = run->problem.model->n_unknowns * sizeof *it->z;
    memcpy(it->z, run->problem.ctx->z, n);
    it->has_begin =
        it->has_begin && it->t_begin < run->t &&
        !problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, it->t_begin, it->x_begin, it->g_begin);
    memcpy(run->problem.ctx->z, it->z, n);
}

/* Whether neither states nor their derivatives jump at the event. */
static bool is_continuous(Sensitivity *it, Run *run)
{
    const Problem *p = &run->problem;
    const RungModel *m = p->model;
    const size_t n_memory = m->event->n_memory, n_z = m->n_unknowns;
    double *memory = memory_of(run), *behind = it->memory + n_memory;
    uint32_t n = problem_own_states(p);
    for (uint32_t k = 0; k < n; k++)
        if (it->set_by[k] != RUNG_NONE || it->x[k] != run->x[k])
            return false;
    bool ok = it->has_begin;
    memcpy(it->z, p->ctx->z, n_z * sizeof *it->z);
    memcpy(behind, memory, n_memory * sizeof *memory);
    for (int k = 1; k >= 0 && ok; k--) {
        memcpy(memory, k ? behind : it->memory, n_memory * sizeof *memory);
        ok = !problem_xdot(&run->problem, it->t_begin, it->x_begin, it->at_begin[k]);
    }
    memcpy(memory, behind, n_memory * sizeof *memory);
    memcpy(p->ctx->z, it->z, n_z * sizeof *it->z);
    return ok && rung_crossing_is_continuous(it->fault.ratio, n,
                                             (RungCrossingRates){it->before, it->behind},
                                             (RungCrossingRates){it->at_begin[0], it->at_begin[1]});
}

int sensitivity_enter(Sensitivity *it, Run *run, Events *e, bool at_start)
{
    const RungSensitivity *t = it->table;
    if (!t)
        return 0;
    it->has_acted = it->is_unknown = false;
    it->is_start = at_start;
    *it->fault.text = '\0';
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
    memcpy(it->memory, memory_of(run), run->problem.model->event->n_memory * sizeof *it->memory);
    look_earlier(it, run);
    bool timed = events_next_time(e, run) <= run->t, first = !timed;
    uint32_t n = 0;
    for (uint32_t k = 0; k < t->n_relations; k++) {
        if (!events_is_other(e, k, it->g[k]))
            continue;
        n++;
        add_crossing(it, run, e, k, first);
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
    if (*it->fault.text && !is_continuous(it, run)) {
        snprintf(run->problem.why, sizeof run->problem.why, "%s", it->fault.text);
        return 1;
    }
    if (*it->fault.text)
        memset(it->shift, 0, t->n_directions * sizeof *it->shift);
    it->has_begin = false;
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
