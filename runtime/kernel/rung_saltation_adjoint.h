/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_saltation_adjoint.h -- derivatives of an objective J back over an event (saltation,
 * transposed), in runs (discrete_adjoint.c) and C libraries (rung_event_adjoint.h). Over an event
 * at t(p) total derivatives D x = s + f dt/dp are those of the values that it sets, round after
 * round: D x = r_x D x + r_p + r_t dt/dp. Backwards, with f = x' before (-) and behind (+), bar r
 * by the values r, and l by the states,
 *
 *     dJ/dt = -l f+ + sum bar r_t + (l-) f-
 *     l- -= dJ/dt g_x / (dg/dt),   dJ/dp -= dJ/dt g_p / (dg/dt)
 *
 * where g is the function of the relation that causes it. Kept values of discrete variables are
 * states with f = 0.
 */
#ifndef RUNG_SALTATION_ADJOINT_H
#define RUNG_SALTATION_ADJOINT_H

#include "rung_crossing.h"

#include <string.h>

/* A state on a tape, with memory and first guesses of blocks. */
typedef struct RungTapeState {
    const double *x, *memory, *z;
} RungTapeState;

/* An event on a tape. */
typedef struct RungPassed {
    double t, begin_t;
    int is_timed;               /* it comes at a time of sample() or of a clock, too        */
    int sets;                   /* reinit() has set a state                                 */
    int has_begin;              /* where the step before began is known: at begin_t         */
    RungTapeState here, behind; /* before the event and behind it                           */
    const double *begin, *begin_z;
} RungPassed;

typedef struct RungEventAdjoint {
    RungContext *ctx;
    RungEvaluation by;
    const uint32_t *relation; /* n_events: index of each relation in memory */
    double tolerance;
    double *g_by_inputs;     /* n_events: parts of dg/dt by inputs that follow data           */
    double *out;             /* of RungAdjoint.at_event                                       */
    double *before, *behind; /* n_states: derivatives at an event                             */
    double *at_begin[2];     /* at the begin of the step, with the memory before and behind   */
    double *cause;           /* by states, kept and shared values: -dt of the event's time    */
    double *g, *g_begin;     /* n_events */
    int has_cause;           /* its time depends on something                                 */
    int is_first;            /* no relation of it has been looked at                          */
    RungCrossingFault fault; /* of a relation without dt/dp                                   */
    const char *why;         /* of a failure                                                  */
} RungEventAdjoint;

/* Weights of the products, all zero: of states, objectives, loops, relations, actions, kept values.
 */
RUNG_PART double *rung_adjoint_weights(const RungContext *ctx)
{
    const RungAdjoint *a = ctx->model->adjoint;
    double *u = ctx->u + a->first;
    const size_t n = ctx->model->n_states + (size_t)a->n_objectives + a->n_loop_weights +
                     a->n_relations + a->n_actions + a->n_kept;
    memset(u, 0, n * sizeof *u);
    return u;
}

/* Behind the states in results of the products. */
RUNG_PART size_t rung_n_rest(const RungAdjoint *a)
{
    return a->n_kept + (size_t)a->n_shared;
}

/* Those of relations, all zero; behind them those of actions, then of kept values. */
RUNG_PART double *rung_event_weights(const RungContext *ctx)
{
    const RungAdjoint *a = ctx->model->adjoint;
    return rung_adjoint_weights(ctx) + ctx->model->n_states + a->n_objectives + a->n_loop_weights;
}

/* Memory and first guesses as they were. */
RUNG_PART void rung_go_to(const RungContext *ctx, const double *memory, const double *z)
{
    const RungModel *m = ctx->model;
    if (m->event)
        memcpy(ctx->u + m->n_inputs, memory, m->event->n_memory * sizeof *memory);
    memcpy(ctx->z, z, m->n_unknowns * sizeof *z);
}

RUNG_PART double rung_dot(uint32_t n, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* 1. */
RUNG_PART int rung_adjoint_ends(RungEventAdjoint *it, const char *why)
{
    it->why = why;
    return 1;
}

/* it->out: the gradient of a weighted sum of relations, values of reinit() and values that the
 * event gives to discrete variables, with the weights that are set. */
RUNG_PART int rung_event_product(RungEventAdjoint *it, double t, const RungTapeState *place)
{
    const RungModel *m = it->ctx->model;
    const size_t n = m->n_states + rung_n_rest(m->adjoint) + 1;
    int ok;
    rung_go_to(it->ctx, place->memory, place->z);
    ok = !it->by.refresh(it->by.user, t, place->x) &&
         !m->adjoint->at_event(it->ctx, t, place->x, it->out);
    for (size_t k = 0; ok && k < n; k++)
        ok = fabs(it->out[k]) <= DBL_MAX;
    return ok ? 0
              : rung_adjoint_ends(it,
                                  "the derivatives of the event's condition cannot be evaluated");
}

/* The derivative by the time of the values that an event sets. */
RUNG_PART double rung_by_time(const RungEventAdjoint *it)
{
    const RungModel *m = it->ctx->model;
    return it->out[m->n_states + rung_n_rest(m->adjoint)];
}

RUNG_PART int rung_ask_at(const RungEventAdjoint *it, RungQuestion question, double t,
                          const RungTapeState *place, double *out)
{
    rung_go_to(it->ctx, place->memory, place->z);
    return it->by.evaluate(it->by.user, question, t, place->x, out);
}

/* The derivatives on both sides of an event, and its relations there and where the step before
 * began; its time depends on nothing so far. Nonzero with it->why, as below. */
RUNG_PART int rung_look_at_event(RungEventAdjoint *it, const RungPassed *e)
{
    const RungModel *m = it->ctx->model;
    const RungTapeState begin = {e->begin, e->here.memory, e->begin_z};
    int status = rung_ask_at(it, RUNG_ASK_XDOT, e->t, &e->behind, it->behind);
    it->fault.why = it->why = NULL;
    it->has_cause = 0;
    it->is_first = !e->is_timed;
    memset(it->cause, 0, (m->n_states + rung_n_rest(m->adjoint)) * sizeof *it->cause);
    status = status ? status : rung_ask_at(it, RUNG_ASK_XDOT, e->t, &e->here, it->before);
    status = status ? status : rung_ask_at(it, RUNG_ASK_RELATIONS, e->t, &e->here, it->g);
    if (it->by.rates_by_inputs && !status)
        status = it->by.rates_by_inputs(it->by.user, e->t, e->here.x, it->g_by_inputs);
    if (e->has_begin && !status)
        status = rung_ask_at(it, RUNG_ASK_RELATIONS, e->begin_t, &begin, it->g_begin);
    return status ? rung_adjoint_ends(it, "the derivatives at an event cannot be evaluated") : 0;
}

/* it->out: the gradient of relation k, which changes at the event, over its rate, dg/dt: zero if it
 * depends on nothing. Unless there is a fault. size: of its function along the run. */
RUNG_PART int rung_find_cause(RungEventAdjoint *it, const RungPassed *e, uint32_t k, double size)
{
    const RungModel *m = it->ctx->model;
    const size_t n = m->n_states + rung_n_rest(m->adjoint);
    const uint32_t at = it->relation[k];
    int depends = 0;
    rung_event_weights(it->ctx)[k] = 1;
    if (rung_event_product(it, e->t, &e->here))
        return 1;
    for (size_t c = 0; c < n; c++)
        depends = depends || it->out[c] != 0;
    const RungCrossing c = {e->t,
                            it->g[k],
                            rung_by_time(it) + rung_dot(m->n_states, it->out, it->before) +
                                (it->by.rates_by_inputs ? it->g_by_inputs[k] : 0),
                            e->here.memory[at] == 0,
                            e->has_begin ? e->t - e->begin_t : INFINITY,
                            it->g_begin[k],
                            size,
                            it->tolerance};
    const char *why = depends ? rung_crossing_fault(&c) : NULL;
    if (why)
        rung_crossing_note(&it->fault, at, it->g[k], e->has_begin, it->g_begin[k], why);
    for (size_t i = 0; i < n && depends && !why; i++)
        it->out[i] /= c.rate;
    return 0;
}

/* Whether two gradients are the same. */
RUNG_PART int rung_are_alike(size_t n, const double *one, const double *other)
{
    const double same = 1e-5, noise = 1e-12;
    double most = 0;
    int ok = 1;
    for (size_t k = 0; k < n; k++)
        most = fmax(most, fmax(fabs(one[k]), fabs(other[k])));
    for (size_t k = 0; k < n; k++)
        ok = ok && fabs(one[k] - other[k]) <= same * (fabs(one[k]) + fabs(other[k])) + noise * most;
    return ok;
}

/* Behind rung_find_cause of relation k. why: its gradient is not that of those before; NULL: it is.
 */
RUNG_PART void rung_add_cause(RungEventAdjoint *it, const RungPassed *e, uint32_t k,
                              const char *why)
{
    const RungModel *m = it->ctx->model;
    const size_t n = m->n_states + rung_n_rest(m->adjoint);
    if (why)
        rung_crossing_note(&it->fault, it->relation[k], it->g[k], e->has_begin, it->g_begin[k],
                           why);
    for (size_t i = 0; i < n && it->is_first; i++) {
        it->cause[i] = it->out[i];
        it->has_cause = it->has_cause || it->cause[i] != 0;
    }
    it->is_first = 0;
}

/* Whether neither states nor kept values nor derivatives jump at the event. */
RUNG_PART int rung_event_is_continuous(const RungEventAdjoint *it, const RungPassed *e)
{
    const RungModel *m = it->ctx->model;
    const RungAdjoint *a = m->adjoint;
    const RungCrossingRates at_event = {it->before, it->behind},
                            at_begin = {it->at_begin[0], it->at_begin[1]};
    int ok = e->has_begin && !e->sets;
    for (uint32_t k = 0; k < a->n_kept; k++)
        ok = ok && e->here.memory[a->kept[k]] == e->behind.memory[a->kept[k]];
    for (int k = 1; k >= 0 && ok; k--) {
        const RungTapeState begin = {e->begin, k ? e->behind.memory : e->here.memory, e->begin_z};
        ok = !rung_ask_at(it, RUNG_ASK_XDOT, e->begin_t, &begin, it->at_begin[k]);
    }
    return ok && rung_crossing_is_continuous(it->fault.ratio, m->n_states, at_event, at_begin);
}

/* Behind the last relation: a fault is none where nothing jumps. it->why is that of the fault
 * otherwise. */
RUNG_PART int rung_end_causes(RungEventAdjoint *it, const RungPassed *e)
{
    const RungAdjoint *a = it->ctx->model->adjoint;
    int sets = e->sets;
    for (uint32_t k = 0; k < a->n_kept; k++)
        sets = sets || e->here.memory[a->kept[k]] != e->behind.memory[a->kept[k]];
    if (it->by.rates_by_inputs && it->has_cause && sets)
        return rung_adjoint_ends(it, rung_lacks_input_rates());
    if (!it->fault.why)
        return 0;
    it->has_cause = 0;
    return rung_event_is_continuous(it, e) ? 0 : rung_adjoint_ends(it, it->fault.why);
}

/* In u, the weights of an event: action k, which is a reinit(), has set its state, by which the
 * derivatives are `state`. */
RUNG_PART void rung_weigh_action(const RungContext *ctx, double *u, uint32_t k, double *state)
{
    const uint32_t of = ctx->model->event->action[k].state;
    u[ctx->model->adjoint->n_relations + k] = state[of];
    state[of] = 0;
}

/* Back over a round of an event, with the weights u of its actions, of which there are any or not.
 * state, rest: by states, and by kept and shared values. Adds to *by_t the derivative by the time
 * of the event. */
RUNG_PART int rung_round_back(RungEventAdjoint *it, double t, const RungTapeState *place, double *u,
                              int any, double *state, double *rest, double *by_t)
{
    const RungModel *m = it->ctx->model;
    const RungAdjoint *a = m->adjoint;
    const size_t n_rest = rung_n_rest(a);
    for (uint32_t k = 0; k < a->n_kept; k++) {
        any = any || rest[k] != 0;
        u[a->n_relations + a->n_actions + k] = rest[k];
        rest[k] = 0;
    }
    if (!any)
        return 0;
    if (rung_event_product(it, t, place))
        return 1;
    for (uint32_t k = 0; k < m->n_states; k++)
        state[k] += it->out[k];
    for (size_t k = 0; k < n_rest; k++)
        rest[k] += it->out[m->n_states + k];
    *by_t += rung_by_time(it);
    return 0;
}

/* Behind the first round: by_t, by the time of the event, becomes by its cause. */
RUNG_PART void rung_cause_back(const RungEventAdjoint *it, double by_t, double *state, double *rest)
{
    const RungModel *m = it->ctx->model;
    const size_t n_rest = rung_n_rest(m->adjoint);
    by_t += rung_dot(m->n_states, it->before, state);
    for (uint32_t k = 0; k < m->n_states; k++)
        state[k] -= by_t * it->cause[k];
    for (size_t k = 0; k < n_rest; k++)
        rest[k] -= by_t * it->cause[m->n_states + k];
}

#endif
