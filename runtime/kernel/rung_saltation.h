/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_saltation.h -- derivatives of the states by parameters, over an event (saltation), in runs
 * (saltation.c) and C libraries (rung_event.h). A relation that compares g(t, x, p) changes where g
 * is zero, at a time with
 *
 *     dt/dp = -(dg/dp) / (dg/dt),   both along the trajectory before the event
 *
 * and behind it, with f = x' before (-) and behind (+), and r the value of reinit, else x itself,
 *
 *     der(x,p) = dr/dp + (dr/dt - f+) dt/dp
 *
 * The derivative of a discrete variable d by p is a discrete variable, too, and the event iteration
 * evaluates both equations. The value of d is a function of x and t at the time of the event, which
 * depends on p. During the iteration the derivatives of x and t by p therefore are
 *
 *     der(x,p) + f- dt/dp,   dt/dp
 *
 * RUNG_SALTATION is defined where a model may have such derivatives; else there is the type alone.
 */
#ifndef RUNG_SALTATION_H
#define RUNG_SALTATION_H

#include "rung_crossing.h"
#include "rung_relation.h"

/* What makes an event. */
typedef enum RungCause {
    RUNG_CAUSE_START,  /* the first one                                          */
    RUNG_CAUSE_TIME,   /* its time depends on nothing: samples, inputs that jump */
    RUNG_CAUSE_SEARCH, /* a relation, whose change has been found inside a step  */
    RUNG_CAUSE_OTHER   /* relations, if any changes                              */
} RungCause;

typedef struct RungSaltation {
    RungContext *ctx;
    RungEvaluation by;
    RungRelations *r;
    const unsigned char *is_unread; /* n_events: relations that do not matter now; NULL: none   */
    double tolerance;
    double *g_by_inputs;     /* n_events: parts of dg/dt by inputs that follow data */
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
    int has_acted;
    int is_unknown; /* the relation that causes the event is not known: derivatives may not jump */
    RungCrossingFault fault; /* of the event */
    const char *why;         /* the derivatives end here */
} RungSaltation;

#if defined(RUNG_SALTATION)

static const char rung_no_cause[] =
    "which relation makes the event is not known, nor how its time depends on parameters";

RUNG_PART size_t rung_n_memory(const RungModel *m)
{
    return m->event ? m->event->n_memory : 0;
}

/* The numbers that rung_open_saltation takes, as emit/library/library_header.c counts them, too. */
RUNG_PART size_t rung_saltation_size(const RungModel *m)
{
    const RungSensitivity *t = m->sensitivity;
    const size_t slopes = t->n_relations + 2 * (size_t)t->n_actions + 1;
    return 5 * (size_t)m->n_states + slopes * t->n_directions + 2 * (size_t)m->n_events +
           2 * rung_n_memory(m) + m->n_unknowns;
}

/* set_by has one for each of the model's own states. */
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
    it->z = at + 2 * rung_n_memory(m);
}

/* 1. */
RUNG_PART int rung_saltation_ends(RungSaltation *it, const char *why)
{
    it->why = why;
    return 1;
}

RUNG_PART int rung_find_slopes(RungSaltation *it, double t, const double *x)
{
    const uint32_t n = rung_n_slopes(it->ctx->model->sensitivity);
    int ok = !it->by.evaluate(it->by.user, RUNG_ASK_SLOPES, t, x, it->slope);
    for (uint32_t k = 0; ok && k < n; k++)
        ok = fabs(it->slope[k]) <= DBL_MAX;
    return ok ? 0
              : rung_saltation_ends(it,
                                    "the derivatives of the event's condition cannot be evaluated");
}

/* Whether the event iteration has the derivatives by parameter j at the time of the event. */
RUNG_PART int rung_is_total(const RungSensitivity *s, uint32_t j)
{
    return s->n_held && (!s->n_relations || (s->shift && s->shift[j] != RUNG_NONE));
}

/* The derivatives of a state that reinit() sets, for the following rounds of the iteration. */
RUNG_PART void rung_set_total(const RungSensitivity *s, uint32_t n_states, uint32_t state,
                              const double *set, double *x)
{
    for (uint32_t k = 0; k < n_states; k++)
        if (s->of[k] == state && s->by[k] < s->n && rung_is_total(s, s->by[k]))
            x[k] = s->is_negated[k] ? -set[s->by[k]] : set[s->by[k]];
}

/* Before action k, which is due, if it is a reinit(); all of a round act at once (MLS 8.3.6).
 * *is_noted: one of the round has been noted. */
RUNG_PART int rung_saltation_act(RungSaltation *it, double t, double *x, uint32_t k, int *is_noted)
{
    const RungSensitivity *s = it->ctx->model->sensitivity;
    const RungAction *a = &it->ctx->model->event->action[k];
    if (a->kind != RUNG_REINIT)
        return 0;
    int is_known = 1; // the derivatives of states that are set
    for (uint32_t j = 0; j < s->n; j++)
        is_known = is_known && rung_is_total(s, j);
    if (!*is_noted && it->has_acted && !is_known)
        return rung_saltation_ends(it, "states are set, and set again at the same event: the "
                                       "derivatives by parameters are not known there");
    if (!*is_noted && rung_find_slopes(it, t, x))
        return 1;
    it->has_acted = *is_noted = 1;
    it->set_by[a->state] = k;
    memcpy(it->set + (size_t)k * s->n_directions,
           it->slope + ((size_t)s->n_relations + k) * s->n_directions,
           s->n_directions * sizeof *it->set);
    rung_set_total(s, it->ctx->model->n_states, a->state, it->set + (size_t)k * s->n_directions, x);
    return 0;
}

RUNG_PART void rung_saltation_note(RungSaltation *it, uint32_t k, const char *why)
{
    rung_crossing_note(&it->fault, it->r->relation[k], it->g[k], it->begin_x != NULL,
                       it->g_begin[k], why);
}

/* Relation k, as it was before the event, has become another one. */
RUNG_PART void rung_add_crossing(RungSaltation *it, double t, uint32_t k, int is_first)
{
    const double same = 1e-5;
    const RungSensitivity *s = it->ctx->model->sensitivity;
    const double *slope = it->slope + (size_t)k * s->n_directions;
    const uint32_t at = it->r->relation[k];
    const double h = it->begin_x ? t - it->begin_t : INFINITY;
    // it becomes true: g falls
    const double rate = slope[s->n] + (it->by.rates_by_inputs ? it->g_by_inputs[k] : 0);
    const RungCrossing c = {
        t, it->g[k], rate, it->memory[at] == 0, h, it->g_begin[k], it->r->size[at], it->tolerance};
    const char *why;
    int any = 0;
    for (uint32_t j = 0; j < s->n; j++)
        any = any || slope[j] != 0;
    why = any ? rung_crossing_fault(&c) : NULL;
    if (why)
        rung_saltation_note(it, k, why);
    for (uint32_t j = 0; j < s->n; j++) {
        const double shift = any ? -slope[j] / c.rate : 0;
        if (!(fabs(shift) <= DBL_MAX))
            rung_saltation_note(it, k, "changes at a time that has no derivative by parameters");
        if (!is_first && fabs(shift - it->shift[j]) > same * (fabs(shift) + fabs(it->shift[j])))
            rung_saltation_note(it, k,
                                "changes at the same time as something else that depends on "
                                "parameters in another way: there are no derivatives by "
                                "parameters");
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
RUNG_PART void rung_look_before(RungSaltation *it, double t)
{
    RungContext *ctx = it->ctx;
    const size_t size = ctx->model->n_unknowns * sizeof *it->z;
    memcpy(it->z, ctx->z, size);
    if (it->begin_x &&
        (!(it->begin_t < t) ||
         it->by.evaluate(it->by.user, RUNG_ASK_RELATIONS, it->begin_t, it->begin_x, it->g_begin)))
        it->begin_x = NULL;
    memcpy(ctx->z, it->z, size);
}

/* The time of the event by parameters, from the relations that change. */
RUNG_PART void rung_find_shift(RungSaltation *it, double t, RungCause cause, int is_timed)
{
    const RungSensitivity *s = it->ctx->model->sensitivity;
    int is_first = !is_timed, any = 0;
    // as in the iteration that follows
    it->r->is_iterating = 1;
    for (uint32_t k = 0; k < s->n_relations && cause != RUNG_CAUSE_TIME; k++)
        if (!(it->is_unread && it->is_unread[k]) && rung_is_other(it->r, k, it->g[k])) {
            rung_add_crossing(it, t, k, is_first);
            is_first = 0;
            any = 1;
        }
    it->r->is_iterating = 0;
    it->is_unknown = cause == RUNG_CAUSE_SEARCH && !any && !is_timed;
}

/* The derivatives of the states and of time at the time of the event, for the iteration. */
RUNG_PART void rung_move_along(RungSaltation *it, double *x)
{
    const RungModel *m = it->ctx->model;
    const RungSensitivity *s = m->sensitivity;
    for (uint32_t j = 0; j < s->n && s->shift; j++)
        if (s->shift[j] != RUNG_NONE)
            it->r->set(it->r->user, s->shift[j], it->shift[j]);
    for (uint32_t k = 0; k < m->n_states && s->shift; k++) {
        const uint32_t of = s->of[k], j = s->by[k];
        if (of != RUNG_NONE && j < s->n && s->shift[j] != RUNG_NONE && it->shift[j] != 0)
            x[k] += (s->is_negated[k] ? -1 : 1) * it->before[of] * it->shift[j];
    }
}

/* That of time between events: 0. */
RUNG_PART void rung_stop_along(const RungSaltation *it)
{
    const RungSensitivity *s = it->ctx->model->sensitivity;
    for (uint32_t j = 0; j < s->n && s->shift; j++)
        if (s->shift[j] != RUNG_NONE)
            it->r->set(it->r->user, s->shift[j], 0);
}

/* Whether a discrete variable with derivatives has changed. */
RUNG_PART int rung_has_changed_held(const RungSaltation *it)
{
    const RungSensitivity *s = it->ctx->model->sensitivity;
    int changed = 0;
    for (uint32_t k = 0; k < s->n_held; k++)
        changed = changed || it->r->memory[s->held[k]] != it->memory[s->held[k]];
    return changed;
}

/* Whether the time of the event depends on a parameter. */
RUNG_PART int rung_is_shifted(const RungSaltation *it)
{
    const RungSensitivity *s = it->ctx->model->sensitivity;
    int any = 0;
    for (uint32_t j = 0; j < s->n; j++)
        any = any || it->shift[j] != 0;
    return any;
}

/* Before an event at t. is_timed: a time of sample() or of a clock has come. begin_x: the states at
 * begin_t, where the step before began, or NULL. 0, or nonzero with it->why. */
RUNG_PART int rung_saltation_enter(RungSaltation *it, double t, double *x, RungCause cause,
                                   int is_timed, double begin_t, const double *begin_x)
{
    const RungModel *m = it->ctx->model;
    const RungSensitivity *s = m->sensitivity;
    it->has_acted = it->is_unknown = 0;
    it->fault.why = it->why = NULL;
    it->begin_t = begin_t;
    it->begin_x = begin_x;
    memset(it->shift, 0, s->n_directions * sizeof *it->shift);
    for (uint32_t k = 0; k < rung_own_states(m); k++)
        it->set_by[k] = RUNG_NONE;
    memcpy(it->x, x, m->n_states * sizeof *x);
    if (cause == RUNG_CAUSE_START)
        return 0;
    if (it->by.evaluate(it->by.user, RUNG_ASK_XDOT, t, x, it->before))
        return rung_saltation_ends(it, "the derivatives before the event cannot be evaluated");
    rung_set_along_time(m, it->before, x);
    if (!s->n_relations)
        return 0;
    if (rung_find_slopes(it, t, x))
        return 1;
    if (it->by.evaluate(it->by.user, RUNG_ASK_RELATIONS, t, x, it->g) ||
        (it->by.rates_by_inputs && it->by.rates_by_inputs(it->by.user, t, x, it->g_by_inputs)))
        return rung_saltation_ends(it, "the relations cannot be evaluated");
    memcpy(it->memory, it->r->memory, rung_n_memory(m) * sizeof *it->memory);
    rung_look_before(it, t);
    rung_find_shift(it, t, cause, is_timed);
    if (!it->fault.why)
        rung_move_along(it, x);
    return 0;
}

/* Whether neither states nor their derivatives jump at the event. */
RUNG_PART int rung_saltation_is_continuous(const RungSaltation *it, const double *x)
{
    RungContext *ctx = it->ctx;
    const RungModel *m = ctx->model;
    const uint32_t n = rung_own_states(m);
    const size_t n_memory = rung_n_memory(m), size = m->n_unknowns * sizeof *it->z;
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
        ok =
            !it->by.evaluate(it->by.user, RUNG_ASK_XDOT, it->begin_t, it->begin_x, it->at_begin[k]);
    }
    memcpy(memory, behind, n_memory * sizeof *memory);
    memcpy(ctx->z, it->z, size);
    return ok && rung_crossing_is_continuous(it->fault.ratio, n, at_event, at_begin);
}

/* Behind the event: x has the derivatives there. Nonzero with it->why, of the relation it->fault if
 * that is its text. */
RUNG_PART int rung_saltation_leave(RungSaltation *it, double t, double *x)
{
    const RungModel *m = it->ctx->model;
    const RungSensitivity *s = m->sensitivity;
    rung_stop_along(it);
    if (it->by.evaluate(it->by.user, RUNG_ASK_XDOT, t, x, it->behind))
        return rung_saltation_ends(it, "the derivatives behind the event cannot be evaluated");
    if (it->by.rates_by_inputs && rung_is_shifted(it) &&
        (it->has_acted || rung_has_changed_held(it)))
        return rung_saltation_ends(it, rung_lacks_input_rates());
    if (it->fault.why && (rung_has_changed_held(it) || !rung_saltation_is_continuous(it, x)))
        return rung_saltation_ends(it, it->fault.why);
    if (it->fault.why)
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
        rate = !set                                             ? it->before[i]
               : s->n_directions > s->n && !rung_is_total(s, j) ? set[s->n]
                                                                : 0;
        if (it->shift[j] != 0)
            value += (rate - it->behind[i]) * it->shift[j];
        if (set || it->shift[j] != 0)
            x[k] = sign * value;
    }
    rung_set_along_time(m, it->behind, x);
    return 0;
}

#endif

#endif
