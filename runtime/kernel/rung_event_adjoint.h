/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_event_adjoint.h -- in C libraries: back over steps with events (rung_adjoint.h). The step is
 * made once more, on a tape. At an event at t, where g crosses zero, with f = x' before (-) and
 * behind (+), bar r by the values r that it sets, and l by the states,
 *
 *     dJ/dt = -l f+ + sum bar r_t + (l-) f-
 *     l- -= dJ/dt g_x / (dg/dt),   dJ/dp -= dJ/dt g_p / (dg/dt)
 *
 * and the state inside a piece comes of the stages of that piece, by its dense output.
 */
#ifndef RUNG_EVENT_ADJOINT_H
#define RUNG_EVENT_ADJOINT_H

#include "rung_adjoint.h"
#include "rung_crossing.h"
#include "rung_event.h"

typedef struct RungEventBack {
    RungBack *back;
    RungTape tape;
    double *of_stage, *of_begin; /* by stages and begin of a piece, of states inside       */
    double *inside;              /* by the states at an event that does not end the piece    */
    double *mine;                /* n_states */
    double *before, *behind;     /* derivatives at an event                                 */
    double *at_begin[2];         /* at the begin of the piece, with the memory before and behind */
    double *cause;               /* n_states and `rest`: of the first relation, over its rate */
    double *g, *g_begin;         /* n_events */
    const char *fault, *where;   /* of a relation without dt/dp */
    double ratio;
    int has_cut;
} RungEventBack;

/* at: the numbers behind those of rung_open_back: (ESDIRK_STAGES + 7) n_states, n_states and
 * `rest`, 2 n_events, then the tape. */
RUNG_PART RungEventBack rung_open_event_back(RungBack *back, double *at, uint32_t most,
                                             uint32_t most_rounds)
{
    const RungModel *m = back->ctx->model;
    const size_t n = m->n_states;
    RungEventBack it;
    memset(&it, 0, sizeof it);
    it.back = back;
    it.of_stage = at;
    it.of_begin = at += ESDIRK_STAGES * n;
    it.inside = at += n;
    it.mine = at += n;
    it.before = at += n;
    it.behind = at += n;
    it.at_begin[0] = at += n;
    it.at_begin[1] = at += n;
    it.cause = at += n;
    it.g = at += n + m->adjoint->n_kept + m->adjoint->n_shared;
    it.g_begin = at += m->n_events;
    it.tape.record = at += m->n_events;
    it.tape.most = most;
    it.tape.round = at + most * rung_record_size(m);
    it.tape.most_rounds = most_rounds;
    return it;
}

RUNG_PART int rung_back_fails(const RungEventBack *it, const char *why, const char *where)
{
    ((RungRoom *)it->back->ctx->user)->where = where;
    return -rung_fails(it->back->ctx, why);
}

RUNG_PART double rung_dot(uint32_t n, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* ---- pieces ---- */

/* The stages of the piece again, and its dense output. */
RUNG_PART int rung_remake_piece(const RungEventBack *it, double *record)
{
    RungContext *ctx = it->back->ctx;
    RungEsdirk *step = &((RungRoom *)ctx->user)->step;
    const RungEventRoom *e = rung_event_room(ctx);
    const double t = record[RUNG_TAPE_T], h = record[RUNG_TAPE_END] - t;
    double *begin = rung_snapshot_of(ctx->model, record, 0);
    const size_t n = ctx->model->n_states;
    int status;
    rung_take_snapshot(ctx, begin);
    status = rung_back_forward(it->back, t, h, begin);
    step->t_old = t;
    step->h_before = h;
    step->x_old = begin;
    step->is_stiff = record[RUNG_TAPE_IS_STIFF] != 0;
    step->has_dense = step->has_ends = 0;
    for (int d = 0; d < ESDIRK_DEGREE; d++)
        step->dense[d] = e->dense + (size_t)d * n;
    step->move = e->dense + 4 * n;
    step->end_move[0] = e->dense + 5 * n;
    step->end_move[1] = e->dense + 6 * n;
    step->kept = e->kept;
    return status;
}

/* Weights of h f of the stages at theta: of the dense output, of the base of rung_esdirk_find_move.
 */
RUNG_PART void rung_weights_inside(double theta, double *dense, double *base)
{
    for (int s = 0; s < ESDIRK_STAGES; s++) {
        double power = 1, slope = 0;
        dense[s] = 0;
        for (int d = 0; d < ESDIRK_DEGREE; d++) {
            slope += (double)(d + 1) * esdirk_dense[s][d] * power;
            power *= theta;
            dense[s] += esdirk_dense[s][d] * power;
        }
        base[s] = dense[s] - esdirk_gamma * slope;
    }
}

/* The derivative `bar` by the state at t inside the piece becomes that by its stages and begin. */
RUNG_PART int rung_cut_back(RungEventBack *it, double *record, double t, const double *bar)
{
    enum { FOLLOWS = 3, FADES = 8 }; // as in rung_esdirk_follow
    RungContext *ctx = it->back->ctx;
    RungEsdirk *step = &((RungRoom *)ctx->user)->step;
    const uint32_t n = ctx->model->n_states;
    const double h = record[RUNG_TAPE_END] - record[RUNG_TAPE_T];
    const double theta = (t - record[RUNG_TAPE_T]) / h;
    const double at[FOLLOWS] = {theta, 0, 1};
    const double factor[FOLLOWS] = {1, -pow(1 - theta, FADES), -pow(theta, FADES)};
    double dense[ESDIRK_STAGES], base[ESDIRK_STAGES];
    int status = 0;
    if (!it->has_cut) {
        memset(it->of_stage, 0, ESDIRK_STAGES * n * sizeof *it->of_stage);
        memset(it->of_begin, 0, n * sizeof *it->of_begin);
        status = rung_remake_piece(it, record);
    }
    it->has_cut = 1;
    rung_weights_inside(theta, dense, base);
    for (uint32_t c = 0; c < n; c++) {
        it->of_begin[c] += bar[c];
        for (int j = 0; j < ESDIRK_STAGES; j++)
            it->of_stage[(size_t)j * n + c] += dense[j] * bar[c];
    }
    if (!step->is_stiff || !(theta > 0 && theta < 1))
        return status;
    for (int k = 0; k < FOLLOWS && !status; k++) {
        rung_weights_inside(at[k], dense, base);
        // X of the moved state
        rung_esdirk_polynomial(step, at[k], it->back->x);
        rung_esdirk_find_move(step, at[k], it->back->x, it->mine);
        memcpy(it->back->x, step->x, n * sizeof *step->x);
        for (uint32_t c = 0; c < n; c++)
            it->mine[c] = k == 1 && rung_esdirk_runs_there(step, c) ? 0 : factor[k] * bar[c];
        memcpy(it->back->r, it->mine, n * sizeof *it->mine);
        status = rung_back_solve(it->back, record[RUNG_TAPE_T] + at[k] * h, it->back->x,
                                 esdirk_gamma * h);
        if (status)
            return status;
        rung_back_add(it->back, esdirk_gamma * h);
        for (uint32_t c = 0; c < n; c++) {
            const double m = it->back->m[c];
            it->of_begin[c] += m - it->mine[c];
            for (int j = 0; j < ESDIRK_STAGES; j++)
                it->of_stage[(size_t)j * n + c] += base[j] * m - dense[j] * it->mine[c];
        }
    }
    return status;
}

RUNG_PART int rung_piece_back(RungEventBack *it, double *record)
{
    RungContext *ctx = it->back->ctx;
    const uint32_t n = ctx->model->n_states;
    const double t = record[RUNG_TAPE_T], h = record[RUNG_TAPE_END] - t;
    double *begin = rung_snapshot_of(ctx->model, record, 0);
    int status;
    rung_take_snapshot(ctx, begin);
    it->back->of_stage = it->has_cut ? it->of_stage : NULL;
    status = rung_back_step(it->back, t, h, begin);
    for (uint32_t c = 0; c < n && it->has_cut; c++)
        it->back->state[c] += it->of_begin[c];
    it->back->of_stage = NULL;
    it->has_cut = 0;
    return status;
}

/* ---- events ---- */

/* it->back->out: the gradient of a weighted sum of relations, values of reinit() and values that
 * the event gives to discrete variables, with the weights that are set. */
RUNG_PART int rung_event_product(const RungEventBack *it, double t, const double *snapshot)
{
    RungContext *ctx = it->back->ctx;
    const RungModel *m = ctx->model;
    const size_t n = m->n_states + m->adjoint->n_kept + (size_t)m->adjoint->n_shared + 1;
    rung_take_snapshot(ctx, snapshot);
    if (rung_refresh(ctx, t, snapshot) || m->adjoint->at_event(ctx, t, snapshot, it->back->out) ||
        !rung_are_finite(n, it->back->out))
        return rung_back_fails(it, "the derivatives of the event's condition cannot be evaluated",
                               NULL);
    return 0;
}

/* Of the event: by its time. */
RUNG_PART double rung_by_time(const RungEventBack *it)
{
    const RungModel *m = it->back->ctx->model;
    return it->back->out[m->n_states + m->adjoint->n_kept + m->adjoint->n_shared];
}

/* Weights of relations; behind them those of actions, then of kept values. */
RUNG_PART double *rung_event_weights(const RungEventBack *it)
{
    const RungModel *m = it->back->ctx->model;
    return rung_back_weights(it->back) + m->n_states + m->adjoint->n_objectives;
}

/* Adds to *by_t the derivative by the time of the event. */
RUNG_PART int rung_round_back(const RungEventBack *it, double t, const double *round, double *state,
                              double *by_t)
{
    const RungModel *m = it->back->ctx->model;
    const RungAdjoint *a = m->adjoint;
    const double *due = round + rung_snapshot_size(m);
    double *u = rung_event_weights(it) + a->n_relations;
    int any = 0, status;
    for (uint32_t k = 0; k < m->event->n_actions; k++) {
        const RungAction *action = &m->event->action[k];
        if (due[k] == 0)
            continue;
        any = 1;
        u[k] = state[action->state];
        state[action->state] = 0;
    }
    for (uint32_t k = 0; k < a->n_kept; k++) {
        any = any || it->back->rest[k] != 0;
        u[a->n_actions + k] = it->back->rest[k];
        it->back->rest[k] = 0;
    }
    if (!any)
        return 0;
    status = rung_event_product(it, t, round);
    for (uint32_t c = 0; c < m->n_states && !status; c++)
        state[c] += it->back->out[c];
    if (!status)
        rung_back_add(it->back, 1);
    *by_t += status ? 0 : rung_by_time(it);
    return status;
}

/* The begin of the piece in which record i, an event, has been found; NULL: there is none. */
RUNG_PART double *rung_piece_before(const RungEventBack *it, uint32_t i)
{
    const RungModel *m = it->back->ctx->model;
    while (i-- > 0) {
        double *r = rung_record_at(&it->tape, m, i);
        if (r[RUNG_TAPE_IS_EVENT] == 0)
            return r;
        if (r[RUNG_TAPE_KEEPS] == 0)
            return NULL;
    }
    return NULL;
}

RUNG_PART void rung_note_no_time(RungEventBack *it, uint32_t k, const double *begin,
                                 const char *why)
{
    const RungContext *ctx = it->back->ctx;
    const uint32_t at = rung_event_room(ctx)->r.relation[k];
    if (it->fault)
        return;
    it->fault = why;
    it->where = ctx->model->event->memory[at].where;
    it->ratio = begin ? fabs(it->g[k] / it->g_begin[k]) : 1;
}

/* it->cause := -dt/d(states, kept and shared values) of the time at which relations change, in one
 * way; whether it depends on something. Negative: it is not known. */
RUNG_PART int rung_find_cause(RungEventBack *it, double *record, double *begin)
{
    const double same = 1e-5, noise = 1e-12, tolerance = 1e-6; // as in runs by default
    RungContext *ctx = it->back->ctx;
    const RungModel *m = ctx->model;
    const size_t n = m->n_states + m->adjoint->n_kept + (size_t)m->adjoint->n_shared;
    const double *sizes = rung_causes_of(m, record), *out = it->back->out;
    double *here = rung_snapshot_of(m, record, 0);
    int is_first = record[RUNG_TAPE_IS_TIMED] == 0, any = 0;
    memset(it->cause, 0, n * sizeof *it->cause);
    for (uint32_t k = 0; k < m->n_events; k++) {
        const uint32_t at = rung_event_room(ctx)->r.relation[k];
        int depends = 0, differs = 0;
        double most = 0;
        if (sizes[k] < 0)
            continue;
        rung_event_weights(it)[k] = 1;
        if (rung_event_product(it, record[RUNG_TAPE_T], here))
            return -1;
        for (size_t c = 0; c < n; c++)
            depends = depends || out[c] != 0;
        const RungCrossing c = {record[RUNG_TAPE_T],
                                it->g[k],
                                rung_by_time(it) + rung_dot(m->n_states, out, it->before),
                                here[m->n_states + at] == 0,
                                begin ? record[RUNG_TAPE_T] - begin[RUNG_TAPE_T] : INFINITY,
                                it->g_begin[k],
                                sizes[k],
                                tolerance};
        const char *why = depends ? rung_crossing_fault(&c) : NULL;
        if (why) {
            rung_note_no_time(it, k, begin, why);
            return 0;
        }
        for (size_t i = 0; i < n; i++) {
            const double by = depends ? out[i] / c.rate : 0;
            most = fmax(most, fmax(fabs(by), fabs(it->cause[i])));
            it->cause[i] = is_first ? by : it->cause[i];
        }
        for (size_t i = 0; i < n && !is_first; i++) {
            const double by = depends ? out[i] / c.rate : 0;
            differs = differs || fabs(by - it->cause[i]) >
                                     same * (fabs(by) + fabs(it->cause[i])) + noise * most;
        }
        if (differs)
            rung_note_no_time(it, k, begin,
                              "changes at the same time as something else that may depend on "
                              "parameters in another way");
        any = any || (is_first && depends);
        is_first = 0;
    }
    return any;
}

/* Whether neither states nor kept values nor derivatives jump at the event. */
RUNG_PART int rung_back_is_continuous(const RungEventBack *it, double *record, double *begin)
{
    RungContext *ctx = it->back->ctx;
    const RungModel *m = ctx->model;
    const RungAdjoint *a = m->adjoint;
    const double *here = rung_snapshot_of(m, record, 0), *behind = rung_snapshot_of(m, record, 1);
    const RungCrossingRates at_event = {it->before, it->behind},
                            at_begin = {it->at_begin[0], it->at_begin[1]};
    const uint32_t first = (uint32_t)record[RUNG_TAPE_FIRST_ROUND];
    int ok = begin != NULL;
    for (uint32_t k = 0; k < (uint32_t)record[RUNG_TAPE_ROUNDS]; k++) {
        const double *due =
            it->tape.round + (first + k) * rung_round_size(m) + rung_snapshot_size(m);
        for (uint32_t i = 0; i < m->event->n_actions; i++)
            ok = ok && due[i] == 0;
    }
    for (uint32_t k = 0; k < a->n_kept; k++)
        ok = ok && here[m->n_states + a->kept[k]] == behind[m->n_states + a->kept[k]];
    for (int k = 1; k >= 0 && ok; k--) {
        rung_take_snapshot(ctx, k ? behind : here);
        ok = !rung_evaluate(ctx, RUNG_ASK_XDOT, begin[RUNG_TAPE_T], rung_snapshot_of(m, begin, 0),
                            it->at_begin[k]);
    }
    return ok && rung_crossing_is_continuous(it->ratio, m->n_states, at_event, at_begin);
}

/* The derivatives before and behind the event, relations there and where its piece began; then its
 * cause: whether its time depends on something. Negative: it fails. */
RUNG_PART int rung_look_at_event(RungEventBack *it, uint32_t i)
{
    RungContext *ctx = it->back->ctx;
    const RungModel *m = ctx->model;
    double *record = rung_record_at(&it->tape, m, i), *begin = rung_piece_before(it, i);
    double *here = rung_snapshot_of(m, record, 0), *behind = rung_snapshot_of(m, record, 1);
    const double t = record[RUNG_TAPE_T], *sizes = rung_causes_of(m, record);
    int any = 0, status;
    it->fault = NULL;
    for (uint32_t k = 0; k < m->n_events; k++)
        any = any || sizes[k] >= 0;
    if (!any)
        return 0;
    rung_take_snapshot(ctx, behind);
    status = rung_evaluate(ctx, RUNG_ASK_XDOT, t, behind, it->behind);
    rung_take_snapshot(ctx, here);
    status = status ? status : rung_evaluate(ctx, RUNG_ASK_XDOT, t, here, it->before);
    status = status ? status : rung_evaluate(ctx, RUNG_ASK_RELATIONS, t, here, it->g);
    if (begin && !status)
        status = rung_evaluate(ctx, RUNG_ASK_RELATIONS, begin[RUNG_TAPE_T],
                               rung_snapshot_of(m, begin, 0), it->g_begin);
    if (status)
        return rung_back_fails(it, "the derivatives at an event cannot be evaluated", NULL);
    any = rung_find_cause(it, record, begin);
    if (any < 0 || !it->fault)
        return any;
    if (rung_back_is_continuous(it, record, begin))
        return 0;
    return rung_back_fails(it, it->fault, it->where);
}

RUNG_PART int rung_event_back(RungEventBack *it, uint32_t i)
{
    RungContext *ctx = it->back->ctx;
    const RungModel *m = ctx->model;
    const uint32_t n = m->n_states;
    double *record = rung_record_at(&it->tape, m, i), *state = it->back->state, by_t = 0;
    const double t = record[RUNG_TAPE_T];
    const uint32_t first = (uint32_t)record[RUNG_TAPE_FIRST_ROUND];
    const int keeps = record[RUNG_TAPE_KEEPS] != 0;
    const int has_cause = rung_look_at_event(it, i);
    int status = has_cause < 0 ? has_cause : 0;
    if (has_cause > 0 && !keeps)
        by_t = -rung_dot(n, it->behind, state);
    if (keeps) {
        state = it->inside;
        memset(state, 0, n * sizeof *state);
    }
    for (uint32_t k = (uint32_t)record[RUNG_TAPE_ROUNDS]; k-- > 0 && !status;)
        status =
            rung_round_back(it, t, it->tape.round + (first + k) * rung_round_size(m), state, &by_t);
    if (has_cause > 0) {
        by_t += rung_dot(n, it->before, state);
        for (uint32_t c = 0; c < n; c++)
            state[c] -= by_t * it->cause[c];
        for (uint32_t c = 0; c < m->adjoint->n_kept + m->adjoint->n_shared; c++)
            it->back->rest[c] -= by_t * it->cause[n + c];
    }
    rung_take_snapshot(ctx, rung_snapshot_of(m, record, 0));
    if (status || record[RUNG_TAPE_IS_INSIDE] == 0)
        return status;
    // the state comes of the dense output of the piece
    record = rung_piece_before(it, i);
    if (!record)
        return rung_back_fails(it, "an event inside of no step", NULL);
    memcpy(it->before, state, n * sizeof *state);
    status = rung_cut_back(it, record, t, it->before);
    if (!keeps)
        memset(it->back->state, 0, n * sizeof *state);
    return status;
}

/* Back over all records. */
RUNG_PART int rung_tape_back(RungEventBack *it)
{
    const RungModel *m = it->back->ctx->model;
    int status = 0;
    if (it->tape.is_full)
        return rung_fails(it->back->ctx,
                          "there are more events in a step than its adjoint has room for: a "
                          "shorter step, or the number that the header names");
    for (uint32_t i = it->tape.n; i-- > 0 && !status;) {
        double *r = rung_record_at(&it->tape, m, i);
        status = r[RUNG_TAPE_IS_EVENT] != 0 ? rung_event_back(it, i) : rung_piece_back(it, r);
    }
    return status;
}

/* Back over the step of h from (t, x), which is made once more. */
RUNG_PART int rung_back_events(RungEventBack *it, double t, double h, const double *x)
{
    RungContext *ctx = it->back->ctx;
    RungEventRoom *e = rung_event_room(ctx);
    double error;
    int status;
    it->tape.n = it->tape.n_rounds = 0;
    memcpy(it->back->x, x, ctx->model->n_states * sizeof *x);
    e->tape = &it->tape;
    status = rung_step_with_events(ctx, t, h, it->back->x, &error);
    e->tape = NULL;
    return status ? status : rung_tape_back(it);
}

/* After the start has been made once more: the derivatives by the parameters. */
RUNG_PART int rung_start_back(RungEventBack *it, double t, double *gradient)
{
    const RungContext *ctx = it->back->ctx;
    const double *start = rung_snapshot_of(ctx->model, it->tape.record, 0);
    const int status = rung_tape_back(it);
    if (status)
        return status;
    rung_take_snapshot(ctx, start);
    return rung_back_end(it->back, t, start, gradient);
}

#endif
