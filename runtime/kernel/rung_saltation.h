/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_saltation.h -- in C libraries: derivatives of the states by parameters, over an event
 * (saltation). A relation that compares g(t, x, p) changes where g is zero, at a time with
 *
 *     dt/dp = -(dg/dp) / (dg/dt),   both along the trajectory before the event
 *
 * and behind it, with f = x' before (-) and behind (+), and r the value of reinit, else x itself,
 *
 *     der(x,p) = dr/dp + (dr/dt - f+) dt/dp
 *
 * RUNG_SALTATION is defined where a model has such derivatives; else nothing happens here.
 */
#ifndef RUNG_SALTATION_H
#define RUNG_SALTATION_H

#include "rung_crossing.h"
#include "rung_instance.h"
#include "rung_relation.h"

/* What makes an event. */
typedef enum RungCause {
    RUNG_CAUSE_START,  /* the first one                                          */
    RUNG_CAUSE_TIME,   /* its time depends on nothing: samples, inputs that jump */
    RUNG_CAUSE_SEARCH, /* a relation, whose change has been found inside a step  */
    RUNG_CAUSE_OTHER   /* relations, if any changes                              */
} RungCause;

typedef struct RungSaltation {
    RungRelations *r;
    double *before, *behind; /* n_states: derivatives there                        */
    double *x;               /* n_states: before the event                         */
    double *at_begin[2];     /* n_states: derivatives at the begin of the step before, with memory
                                before the event and behind it */
    double *slope;           /* of RungSensitivity.slopes                          */
    double *set;             /* n_actions, n_directions each: dr/dp, dr/dt         */
    double *g, *g_begin;     /* n_events: relations, and at the begin of the step  */
    double *shift;           /* n_directions: dt/dp                                */
    double *memory;          /* n_memory before the event, then behind it          */
    double *z;               /* n_unknowns: first guesses                          */
    uint32_t *set_by;        /* of the model's own states: the action, RUNG_NONE   */
    const double *begin_x;   /* where the step before began; NULL: not known       */
    double begin_t;
    int has_acted, is_start;
    const char *fault, *where; /* of a relation without dt/dp; NULL: none */
    double ratio;              /* as in rung_crossing_is_continuous */
} RungSaltation;

#if defined(RUNG_SALTATION)

/* Over arrays of an instance: of so many numbers as emit/library/library_header.c counts (5
 * n_states, n_directions for each relation and action, and once more for each action, 2 n_events,
 * n_directions, 2 n_memory, n_unknowns); set_by has one for each of the model's own states. */
RUNG_PART void rung_open_saltation(RungSaltation *it, const RungModel *m, double *at,
                                   uint32_t *set_by)
{
    const RungSensitivity *t = m->sensitivity;
    const size_t n = m->n_states, directions = t->n_directions;
    memset(it, 0, sizeof *it);
    it->set_by = set_by;
    it->before = at;
    it->behind = at += n;
    it->x = at += n;
    it->at_begin[0] = at += n;
    it->at_begin[1] = at += n;
    it->slope = at += n;
    it->set = at += (t->n_relations + (size_t)t->n_actions) * directions;
    it->g = at += t->n_actions * directions;
    it->g_begin = at += m->n_events;
    it->shift = at += m->n_events;
    it->memory = at += directions;
    it->z = at + 2 * (size_t)m->event->n_memory;
}

/* Negative: the derivatives end here. */
RUNG_PART int rung_saltation_fails(const RungContext *ctx, const char *why, const char *where)
{
    ((RungRoom *)ctx->user)->where = where;
    return -rung_fails(ctx, why);
}

RUNG_PART int rung_find_slopes(const RungSaltation *it, RungContext *ctx, double t, const double *x)
{
    const RungSensitivity *s = ctx->model->sensitivity;
    const uint32_t n = (s->n_relations + s->n_actions) * s->n_directions;
    int ok = !rung_refresh(ctx, t, x) && !s->slopes(ctx, t, x, it->slope);
    for (uint32_t k = 0; ok && k < n; k++)
        ok = fabs(it->slope[k]) <= DBL_MAX;
    if (ok)
        return 0;
    return rung_saltation_fails(ctx, "the derivatives of the event's condition cannot be evaluated",
                                NULL);
}

/* Before the actions that are due by `out` (RungEvents), all at once (MLS 8.3.6). */
RUNG_PART int rung_saltation_act(RungSaltation *it, RungContext *ctx, double t, const double *x,
                                 const double *out)
{
    const RungEvents *table = ctx->model->event;
    const RungSensitivity *s = ctx->model->sensitivity;
    const double *due = out + table->n_memory;
    int sets = 0, status;
    for (uint32_t k = 0; k < table->n_actions; k++)
        sets = sets || (due[2 * (size_t)k] != 0 && table->action[k].kind == RUNG_REINIT);
    if (!sets)
        return 0;
    if (it->has_acted)
        return rung_saltation_fails(ctx,
                                    "states are set, and set again at the same event: the "
                                    "derivatives by parameters are not known there",
                                    NULL);
    it->has_acted = 1;
    status = rung_find_slopes(it, ctx, t, x);
    for (uint32_t k = 0; k < table->n_actions && !status; k++) {
        const RungAction *a = &table->action[k];
        if (due[2 * (size_t)k] == 0 || a->kind != RUNG_REINIT)
            continue;
        it->set_by[a->state] = k;
        memcpy(it->set + (size_t)k * s->n_directions,
               it->slope + ((size_t)s->n_relations + k) * s->n_directions,
               s->n_directions * sizeof *it->set);
    }
    return status;
}

RUNG_PART void rung_note_fault(RungSaltation *it, uint32_t k, const char *why)
{
    if (it->fault)
        return;
    it->fault = why;
    it->where = rung_memory_of(it->r, it->r->relation[k])->where;
    it->ratio = it->begin_x ? fabs(it->g[k] / it->g_begin[k]) : 1;
}

/* Relation k, as it was before the event, has become another one. */
RUNG_PART void rung_add_crossing(RungSaltation *it, const RungContext *ctx, double t, uint32_t k,
                                 int is_first)
{
    const double same = 1e-5, tolerance = 1e-6; // as in runs by default
    const RungSensitivity *s = ctx->model->sensitivity;
    const double *slope = it->slope + (size_t)k * s->n_directions;
    const uint32_t at = it->r->relation[k];
    const double h = it->begin_x ? t - it->begin_t : INFINITY;
    const RungCrossing c = {t, it->g[k],       slope[s->n],     it->memory[at] == 0,
                            h, it->g_begin[k], it->r->size[at], tolerance};
    const char *why;
    int any = 0;
    for (uint32_t j = 0; j < s->n; j++)
        any = any || slope[j] != 0;
    why = any ? rung_crossing_fault(&c) : NULL;
    if (why)
        rung_note_fault(it, k, why);
    for (uint32_t j = 0; j < s->n; j++) {
        const double shift = any ? -slope[j] / c.rate : 0;
        if (!(fabs(shift) <= DBL_MAX))
            rung_note_fault(it, k, "changes at a time that has no derivative by parameters");
        if (!is_first && fabs(shift - it->shift[j]) > same * (fabs(shift) + fabs(it->shift[j])))
            rung_note_fault(it, k,
                            "changes at the same time as something else that depends on "
                            "parameters in another way: there are no derivatives by parameters");
        it->shift[j] = shift;
    }
}

/* Derivatives along time are those of the states. */
RUNG_PART void rung_set_along_time(const RungModel *m, const double *rate, double *x)
{
    const RungSensitivity *s = m->sensitivity;
    for (uint32_t k = 0; k < m->n_states; k++)
        if (s->of[k] != RUNG_NONE && s->by[k] == s->n)
            x[k] = s->is_negated[k] ? -rate[s->of[k]] : rate[s->of[k]];
}

/* The relations where the step before began. */
RUNG_PART void rung_look_before(RungSaltation *it, RungContext *ctx, double t)
{
    const size_t size = ctx->model->n_unknowns * sizeof *it->z;
    memcpy(it->z, ctx->z, size);
    if (it->begin_x && (!(it->begin_t < t) || rung_evaluate(ctx, RUNG_ASK_RELATIONS, it->begin_t,
                                                            it->begin_x, it->g_begin)))
        it->begin_x = NULL;
    memcpy(ctx->z, it->z, size);
}

/* Before an event at t. is_timed: a time of sample() or of a clock has come. begin_x: the states at
 * begin_t, where the step before began, or NULL. 0, or negative. */
RUNG_PART int rung_saltation_enter(RungSaltation *it, RungContext *ctx, double t, double *x,
                                   RungCause cause, int is_timed, double begin_t,
                                   const double *begin_x)
{
    const RungModel *m = ctx->model;
    const RungSensitivity *s = m->sensitivity;
    int status, is_first = !is_timed, any = 0;
    it->has_acted = 0;
    it->is_start = cause == RUNG_CAUSE_START;
    it->fault = NULL;
    it->begin_t = begin_t;
    it->begin_x = begin_x;
    memset(it->shift, 0, s->n_directions * sizeof *it->shift);
    for (uint32_t k = 0; k < rung_own_states(m); k++)
        it->set_by[k] = RUNG_NONE;
    memcpy(it->x, x, m->n_states * sizeof *x);
    if (it->is_start)
        return 0;
    if (rung_evaluate(ctx, RUNG_ASK_XDOT, t, x, it->before))
        return rung_saltation_fails(ctx, "the derivatives before the event cannot be evaluated",
                                    NULL);
    rung_set_along_time(m, it->before, x);
    if (!s->n_relations)
        return 0;
    status = rung_find_slopes(it, ctx, t, x);
    if (status)
        return status;
    if (rung_evaluate(ctx, RUNG_ASK_RELATIONS, t, x, it->g))
        return rung_saltation_fails(ctx, "the relations cannot be evaluated", NULL);
    memcpy(it->memory, it->r->memory, m->event->n_memory * sizeof *it->memory);
    rung_look_before(it, ctx, t);
    // as in the iteration that follows
    it->r->is_iterating = 1;
    for (uint32_t k = 0; k < s->n_relations && cause != RUNG_CAUSE_TIME; k++)
        if (rung_is_other(it->r, k, it->g[k])) {
            rung_add_crossing(it, ctx, t, k, is_first);
            is_first = 0;
            any = 1;
        }
    it->r->is_iterating = 0;
    if (cause == RUNG_CAUSE_SEARCH && !any && !is_timed)
        return rung_saltation_fails(ctx,
                                    "which relation makes the event is not known, nor how its time "
                                    "depends on parameters",
                                    NULL);
    return 0;
}

/* Whether neither states nor their derivatives jump at the event. */
RUNG_PART int rung_saltation_is_continuous(const RungSaltation *it, RungContext *ctx,
                                           const double *x)
{
    const RungModel *m = ctx->model;
    const uint32_t n = rung_own_states(m);
    const size_t n_memory = m->event->n_memory, size = m->n_unknowns * sizeof *it->z;
    double *memory = it->r->memory, *behind = it->memory + n_memory;
    const RungCrossingRates at_event = {it->before, it->behind},
                            at_begin = {it->at_begin[0], it->at_begin[1]};
    int ok = it->begin_x != NULL;
    for (uint32_t k = 0; k < n; k++)
        ok = ok && it->set_by[k] == RUNG_NONE && it->x[k] == x[k];
    memcpy(it->z, ctx->z, size);
    memcpy(behind, memory, n_memory * sizeof *memory);
    for (int k = 1; k >= 0 && ok; k--) {
        memcpy(memory, k ? behind : it->memory, n_memory * sizeof *memory);
        ok = !rung_evaluate(ctx, RUNG_ASK_XDOT, it->begin_t, it->begin_x, it->at_begin[k]);
    }
    memcpy(memory, behind, n_memory * sizeof *memory);
    memcpy(ctx->z, it->z, size);
    return ok && rung_crossing_is_continuous(it->ratio, n, at_event, at_begin);
}

/* Behind the event: x has the derivatives there. */
RUNG_PART int rung_saltation_leave(RungSaltation *it, RungContext *ctx, double t, double *x)
{
    const RungModel *m = ctx->model;
    const RungSensitivity *s = m->sensitivity;
    if (rung_evaluate(ctx, RUNG_ASK_XDOT, t, x, it->behind))
        return rung_saltation_fails(ctx, "the derivatives behind the event cannot be evaluated",
                                    NULL);
    if (it->fault && !rung_saltation_is_continuous(it, ctx, x))
        return rung_saltation_fails(ctx, it->fault, it->where);
    if (it->fault)
        memset(it->shift, 0, s->n_directions * sizeof *it->shift);
    for (uint32_t k = 0; k < m->n_states; k++) {
        const uint32_t i = s->of[k], j = s->by[k];
        const uint32_t by = i == RUNG_NONE ? RUNG_NONE : it->set_by[i];
        const double *set = by == RUNG_NONE ? NULL : it->set + (size_t)by * s->n_directions;
        const double sign = s->is_negated[k] ? -1 : 1;
        double value, rate;
        if (i == RUNG_NONE || j == s->n)
            continue;
        value = set ? set[j] : sign * it->x[k];
        rate = !set ? it->before[i] : s->n_directions > s->n ? set[s->n] : 0;
        if (it->shift[j] != 0)
            value += (rate - it->behind[i]) * it->shift[j];
        if (set || it->shift[j] != 0)
            x[k] = sign * value;
    }
    rung_set_along_time(m, it->behind, x);
    return 0;
}

#else

RUNG_PART int rung_saltation_act(RungSaltation *it, RungContext *ctx, double t, const double *x,
                                 const double *out)
{
    (void)it, (void)ctx, (void)t, (void)x, (void)out;
    return 0;
}

RUNG_PART int rung_saltation_enter(RungSaltation *it, RungContext *ctx, double t, double *x,
                                   RungCause cause, int is_timed, double begin_t,
                                   const double *begin_x)
{
    (void)it, (void)ctx, (void)t, (void)x, (void)cause, (void)is_timed, (void)begin_t,
        (void)begin_x;
    return 0;
}

RUNG_PART int rung_saltation_leave(RungSaltation *it, RungContext *ctx, double t, double *x)
{
    (void)it, (void)ctx, (void)t, (void)x;
    return 0;
}

#endif

#endif
