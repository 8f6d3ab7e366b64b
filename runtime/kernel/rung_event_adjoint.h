/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_event_adjoint.h -- in C libraries: back over steps with events (rung_adjoint.h). The step is
 * made once more, on a tape. Events are those of rung_saltation_adjoint.h; the state inside a piece
 * comes of the stages of that piece, by its dense output.
 */
#ifndef RUNG_EVENT_ADJOINT_H
#define RUNG_EVENT_ADJOINT_H

#include "rung_adjoint.h"
#include "rung_event.h"
#include "rung_saltation_adjoint.h"

typedef struct RungEventBack {
    RungBack *back;
    RungTape tape;
    double *of_stage, *of_begin; /* by stages and begin of a piece, of states inside       */
    double *inside;              /* by the states at an event that does not end the piece    */
    double *mine;                /* n_states */
    RungEventAdjoint event;      /* the rules */
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
    it.event.ctx = back->ctx;
    it.event.by = rung_evaluation(back->ctx);
    it.event.tolerance = 1e-6; // as in runs by default
    it.event.out = back->out;
    it.event.before = at += n;
    it.event.behind = at += n;
    it.event.at_begin[0] = at += n;
    it.event.at_begin[1] = at += n;
    it.event.cause = at += n;
    it.event.g = at += n + rung_n_rest(m->adjoint);
    it.event.g_begin = at += m->n_events;
    it.tape.record = at += m->n_events;
    it.tape.most = most;
    it.tape.round = at + most * rung_record_size(m);
    it.tape.most_rounds = most_rounds;
    return it;
}

/* Negative, where status is not 0. */
RUNG_PART int rung_back_explain(const RungEventBack *it, int status)
{
    const RungEventAdjoint *e = &it->event;
    if (!status)
        return 0;
    if (e->why == e->fault.why)
        ((RungRoom *)e->ctx->user)->where = e->ctx->model->event->memory[e->fault.of].where;
    return -rung_fails(e->ctx, e->why);
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

RUNG_PART RungTapeState rung_place_of(const RungModel *m, const double *snapshot)
{
    const double *memory = snapshot + m->n_states;
    const RungTapeState place = {snapshot, memory, memory + m->event->n_memory};
    return place;
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

/* Behind its snapshot: whether each action is due. */
RUNG_PART const double *rung_round_of(const RungEventBack *it, const double *record, uint32_t k)
{
    const uint32_t first = (uint32_t)record[RUNG_TAPE_FIRST_ROUND];
    return it->tape.round + (first + k) * rung_round_size(it->back->ctx->model);
}

RUNG_PART RungPassed rung_passed(const RungEventBack *it, uint32_t i)
{
    const RungModel *m = it->back->ctx->model;
    double *record = rung_record_at(&it->tape, m, i), *begin = rung_piece_before(it, i);
    RungPassed e;
    memset(&e, 0, sizeof e);
    e.t = record[RUNG_TAPE_T];
    e.is_timed = record[RUNG_TAPE_IS_TIMED] != 0;
    e.here = rung_place_of(m, rung_snapshot_of(m, record, 0));
    e.behind = rung_place_of(m, rung_snapshot_of(m, record, 1));
    e.has_begin = begin != NULL;
    if (begin) {
        e.begin_t = begin[RUNG_TAPE_T];
        e.begin = rung_snapshot_of(m, begin, 0);
        e.begin_z = rung_place_of(m, e.begin).z;
    }
    for (uint32_t k = 0; k < (uint32_t)record[RUNG_TAPE_ROUNDS]; k++)
        for (uint32_t j = 0; j < m->event->n_actions; j++)
            e.sets = e.sets || rung_round_of(it, record, k)[rung_snapshot_size(m) + j] != 0;
    return e;
}

/* -dt/d(states, kept and shared values) of the time at which relations change, in one way. */
RUNG_PART int rung_find_causes(RungEventBack *it, const RungPassed *e, const double *sizes)
{
    static const char *const other = "changes at the same time as something else that may depend "
                                     "on parameters in another way";
    const RungModel *m = it->back->ctx->model;
    const size_t n = m->n_states + rung_n_rest(m->adjoint);
    RungEventAdjoint *event = &it->event;
    int status;
    event->relation = rung_event_room(it->back->ctx)->r.relation;
    status = rung_look_at_event(event, e);
    for (uint32_t k = 0; k < m->n_events && !status && !event->fault.why; k++) {
        if (sizes[k] < 0)
            continue;
        status = rung_find_cause(event, e, k, sizes[k]);
        if (!status && !event->fault.why)
            rung_add_cause(event, e, k,
                           event->is_first || rung_are_alike(n, event->out, event->cause) ? NULL
                                                                                          : other);
    }
    return rung_back_explain(it, status ? status : rung_end_causes(event, e));
}

/* Back over the rounds of an event: `state`, by the states. */
RUNG_PART int rung_rounds_back(RungEventBack *it, const double *record, double *state, double *by_t)
{
    const RungContext *ctx = it->back->ctx;
    const RungModel *m = ctx->model;
    int status = 0;
    for (uint32_t k = (uint32_t)record[RUNG_TAPE_ROUNDS]; k-- > 0 && !status;) {
        const double *round = rung_round_of(it, record, k), *due = round + rung_snapshot_size(m);
        const RungTapeState place = rung_place_of(m, round);
        double *u = rung_event_weights(ctx);
        int any = 0;
        for (uint32_t j = 0; j < m->event->n_actions; j++)
            if (due[j] != 0) {
                rung_weigh_action(ctx, u, j, state);
                any = 1;
            }
        status = rung_round_back(&it->event, record[RUNG_TAPE_T], &place, u, any, state,
                                 it->back->rest, by_t);
    }
    return rung_back_explain(it, status);
}

RUNG_PART int rung_event_back(RungEventBack *it, uint32_t i)
{
    RungContext *ctx = it->back->ctx;
    const RungModel *m = ctx->model;
    const uint32_t n = m->n_states;
    double *record = rung_record_at(&it->tape, m, i), *state = it->back->state, by_t = 0;
    const double *sizes = rung_causes_of(m, record);
    const RungPassed passed = rung_passed(it, i);
    const int keeps = record[RUNG_TAPE_KEEPS] != 0;
    int any = 0, status = 0;
    for (uint32_t k = 0; k < m->n_events; k++)
        any = any || sizes[k] >= 0;
    it->event.has_cause = 0;
    if (any)
        status = rung_find_causes(it, &passed, sizes);
    if (it->event.has_cause && !keeps)
        by_t = -rung_dot(n, it->event.behind, state);
    if (keeps) {
        state = it->inside;
        memset(state, 0, n * sizeof *state);
    }
    status = status ? status : rung_rounds_back(it, record, state, &by_t);
    if (it->event.has_cause)
        rung_cause_back(&it->event, by_t, state, it->back->rest);
    rung_take_snapshot(ctx, rung_snapshot_of(m, record, 0));
    if (status || record[RUNG_TAPE_IS_INSIDE] == 0)
        return status;
    // the state comes of the dense output of the piece
    record = rung_piece_before(it, i);
    if (!record)
        return -rung_fails(ctx, "an event inside of no step");
    memcpy(it->event.before, state, n * sizeof *state);
    status = rung_cut_back(it, record, passed.t, it->event.before);
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
