/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_event.h -- events where there is no runtime (rung_instance.h): event iteration by the rules
 * of event.c, which says why they are so, and steps that end at events. A relation is looked at
 * where steps end and at places inside, on the cubic through states and derivatives at both ends;
 * an event is found by steps that are shorter, from the same states, since there is no dense output
 * of the method's own order.
 */
#ifndef RUNG_EVENT_H
#define RUNG_EVENT_H

#include "rung_delay.h"

/* In ctx->user->events. Memory lies behind the inputs. */
typedef struct RungEventRoom {
    const uint32_t *relation;                /* n_events: which of memory they are              */
    double *out;                             /* of the model's `event`: n_memory + 2 n_actions  */
    double *g, *low, *high;                  /* n_events: what relations compare                */
    double *size, *sampled, *seen, *before;  /* n_memory: see event.h                           */
    double *begin, *begin_sampled, *begin_x; /* where the step began                            */
    double *piece_x, *piece_z;               /* where a piece of it did                         */
    double *start;                           /* of the run: clocks begin there                  */
    unsigned char *ended;                    /* the model has called terminate()                */
    int is_iterating, keeps;
    /* Functions that may have a memory, n_calls of them, by their keys: at call + call_at[k]
     * whether the results are known of this round, inputs, results. */
    uint32_t n_calls;
    const uint32_t *call_key, *call_at;
    double *call;
} RungEventRoom;

/* Noise of relations, against the largest they have been; rounding. */
#define RUNG_NOISE (cbrt(DBL_EPSILON) * cbrt(DBL_EPSILON))
#define RUNG_ROUNDING (50 * DBL_EPSILON)

RUNG_PART double *rung_memory(const RungContext *ctx)
{
    return ctx->u + ctx->model->n_inputs;
}

RUNG_PART RungEventRoom *rung_event_room(const RungContext *ctx)
{
    return ((const RungRoom *)ctx->user)->events;
}

/* For RungContext.recall. */
RUNG_PART int rung_recall(RungContext *ctx, int keep, uint32_t n_in, const double *in,
                          uint32_t n_out, double *out, uint32_t key)
{
    const RungEventRoom *e = (const RungEventRoom *)ctx->recall_from;
    for (uint32_t k = 0; k < e->n_calls; k++) {
        double *known = e->call + e->call_at[k];
        if (e->call_key[k] != key)
            continue;
        if (keep) {
            known[0] = 1;
            memcpy(known + 1, in, n_in * sizeof *in);
            memcpy(known + 1 + n_in, out, n_out * sizeof *out);
        } else if (known[0] != 0 && !memcmp(known + 1, in, n_in * sizeof *in)) {
            memcpy(out, known + 1 + n_in, n_out * sizeof *out);
            return 1;
        }
    }
    return 0;
}

RUNG_PART int rung_event_fails(const RungContext *ctx, const char *why)
{
    ((RungRoom *)ctx->user)->why = why;
    return 1;
}

RUNG_PART int rung_holds(const RungContext *ctx, uint32_t k, double g, int fresh)
{
    const RungMemory *m = &ctx->model->event->memory[k];
    const RungEventRoom *e = rung_event_room(ctx);
    if (fresh || fabs(g) > e->size[k])
        e->size[k] = fabs(g);
    if (m->is_exact || fresh || fabs(g) > RUNG_NOISE * e->size[k])
        return m->is_strict ? g < 0 : g <= 0;
    const double zero = e->is_iterating ? RUNG_ROUNDING * e->size[k] : 0;
    const int is_zero = !e->keeps && (m->is_strict ? g >= -zero : g <= zero);
    return is_zero ? !m->is_strict : rung_memory(ctx)[k] != 0;
}

RUNG_PART double rung_event_value(const RungContext *ctx, double value, uint32_t in)
{
    return in == RUNG_NONE ? value : ctx->c[in];
}

RUNG_PART int rung_is_timed(const RungMemory *m)
{
    return m->kind == RUNG_SAMPLE || m->kind == RUNG_CLOCK;
}

RUNG_PART double rung_sample_time(const RungContext *ctx, uint32_t k, double number)
{
    const RungMemory *m = &ctx->model->event->memory[k];
    const double interval = rung_event_value(ctx, m->interval, m->interval_in);
    if (m->kind == RUNG_CLOCK)
        return *rung_event_room(ctx)->start + interval * ((m->shift + number * m->factor) / m->per);
    return rung_event_value(ctx, m->start, m->start_in) + number * interval;
}

/* The next event at a time that is known, or DBL_MAX. */
RUNG_PART double rung_next_time(const RungContext *ctx)
{
    const RungEvents *table = ctx->model->event;
    double next = DBL_MAX;
    for (uint32_t k = 0; k < table->n_memory; k++)
        if (rung_is_timed(&table->memory[k]))
            next = fmin(next, rung_sample_time(ctx, k, rung_event_room(ctx)->sampled[k]));
    return next;
}

/* Relation number k as it is by g; whether that is new. The two of a floor go with it. */
RUNG_PART int rung_renew(const RungContext *ctx, uint32_t k, int fresh)
{
    const RungEventRoom *e = rung_event_room(ctx);
    const RungMemory *memory = ctx->model->event->memory;
    const uint32_t at = e->relation[k];
    double *value = rung_memory(ctx) + at;
    if (at == 0 || memory[at - 1].kind != RUNG_FLOOR) {
        const double now = (double)rung_holds(ctx, at, e->g[k], fresh), before = *value;
        *value = now;
        return now != before;
    }
    double *whole = value - 1, before = *whole;
    e->size[at] = e->size[at + 1] = fmax(e->size[at], fabs(before) + 1);
    const int below = rung_holds(ctx, at, e->g[k], fresh);
    const int above = rung_holds(ctx, at + 1, e->g[k + 1], fresh);
    if (!below && !above)
        return 0;
    *whole += floor(e->g[k] + (fresh || memory[at].is_exact ? 0 : 2 * RUNG_ROUNDING * e->size[at]));
    return *whole != before;
}

RUNG_PART int rung_renew_all(const RungContext *ctx, int fresh, int one, uint32_t first)
{
    const RungEventRoom *e = rung_event_room(ctx);
    const uint32_t n = ctx->model->n_events;
    int changed = 0;
    for (uint32_t i = 0; i < n && !(one && changed); i++) {
        const uint32_t k = first + i < n ? first + i : first + i - n, at = e->relation[k];
        if (at < 2 || ctx->model->event->memory[at - 2].kind != RUNG_FLOOR)
            changed = rung_renew(ctx, k, fresh) || changed;
    }
    return changed;
}

/* Relations until they agree with what follows from them: all at a time, else the first one alone,
 * else any; then what happens, into out. */
RUNG_PART int rung_find_relations(RungContext *ctx, double t, const double *x, int fresh)
{
    enum { MOST = 5000, MOST_ALONE = 1000, START = 10 };
    RungEventRoom *e = rung_event_room(ctx);
    const uint32_t n = ctx->model->n_events;
    const size_t size = ctx->model->event->n_memory * sizeof *e->seen;
    int mark = 1, begun = 0, way = 0;
    for (uint32_t k = 0; k < e->n_calls; k++)
        e->call[e->call_at[k]] = 0;
    memcpy(e->before, rung_memory(ctx), size);
    for (int round = 0; round < MOST && n; round++) {
        ctx->contradictions = 1;
        const int status = rung_evaluate(ctx, RUNG_ASK_RELATIONS, t, x, e->g);
        ctx->contradictions = 0;
        if (status)
            return status;
        const uint32_t any = (uint32_t)((uint64_t)((uint32_t)round * 2654435769u) * n >> 32);
        if (!rung_renew_all(ctx, fresh && round<START, way> 0, way == 2 ? any : 0))
            return rung_evaluate(ctx, RUNG_ASK_EVENT, t, x, e->out);
        if (way == 0 && round > START && !memcmp(e->seen, rung_memory(ctx), size)) {
            e->keeps = 1;
            way = 1;
            begun = round;
            memcpy(rung_memory(ctx), e->before, size);
        } else if (way == 1 && round - begun > MOST_ALONE) {
            way = 2;
            memcpy(rung_memory(ctx), e->before, size);
        }
        if (round == mark) {
            memcpy(e->seen, rung_memory(ctx), size);
            mark *= 2;
        }
    }
    if (!n)
        return rung_evaluate(ctx, RUNG_ASK_EVENT, t, x, e->out);
    return rung_event_fails(ctx, "the relations of the model find no consistent values");
}

RUNG_PART int rung_iterate_relations(RungContext *ctx, double t, const double *x, int fresh)
{
    RungEventRoom *e = rung_event_room(ctx);
    e->is_iterating = 1;
    const int status = rung_find_relations(ctx, t, x, fresh);
    e->is_iterating = e->keeps = 0;
    return status;
}

/* reinit and terminate that are due. Whether a state has moved. */
RUNG_PART int rung_act(const RungContext *ctx, double *x)
{
    const RungEvents *table = ctx->model->event;
    const RungEventRoom *e = rung_event_room(ctx);
    int moved = 0;
    for (uint32_t k = 0; k < table->n_actions; k++) {
        const RungAction *a = &table->action[k];
        const double *out = e->out + table->n_memory + 2 * (size_t)k;
        if (out[0] == 0)
            continue;
        if (a->kind == RUNG_TERMINATE) {
            *e->ended = 1;
        } else {
            moved = moved || x[a->state] != out[1];
            x[a->state] = out[1];
        }
    }
    return moved;
}

/* pre(v) follows v; whether it had not. */
RUNG_PART int rung_take(const RungContext *ctx, uint32_t kind)
{
    const RungEvents *table = ctx->model->event;
    double *memory = rung_memory(ctx);
    int changed = 0;
    for (uint32_t k = 0; k < table->n_memory; k++)
        if (table->memory[k].kind == kind) {
            changed = changed || memory[k] != rung_event_room(ctx)->out[k];
            memory[k] = rung_event_room(ctx)->out[k];
        }
    return changed;
}

RUNG_PART int rung_assert(RungContext *ctx, double t, const double *x);

RUNG_PART int rung_iterate(RungContext *ctx, double t, double *x)
{
    enum { MOST = 200 };
    for (int round = 0; round < MOST; round++) {
        int status = rung_iterate_relations(ctx, t, x, 0);
        // assertions in when-clauses hold or not now, before pre(v) follows
        status = status ? status : rung_assert(ctx, t, x);
        if (status)
            return status;
        const int moved = rung_act(ctx, x), changed = rung_take(ctx, RUNG_PRE);
        if (!moved && !changed)
            return 0;
    }
    return rung_event_fails(ctx, "the event iteration finds no end");
}

RUNG_PART void rung_set_all(const RungContext *ctx, uint32_t kind, double value)
{
    for (uint32_t k = 0; k < ctx->model->event->n_memory; k++)
        if (ctx->model->event->memory[k].kind == kind)
            rung_memory(ctx)[k] = value;
}

/* What happens at an event at t. */
RUNG_PART int rung_handle_event(RungContext *ctx, double t, double *x)
{
    const RungEvents *table = ctx->model->event;
    const RungEventRoom *e = rung_event_room(ctx);
    int status = 0, has_left = 0;
    for (uint32_t k = 0; k < table->n_memory; k++)
        has_left = has_left || table->memory[k].kind == RUNG_LEFT_LIMIT;
    if (has_left) {
        status = rung_evaluate(ctx, RUNG_ASK_EVENT, t, x, e->out);
        if (status)
            return status;
        rung_take(ctx, RUNG_LEFT_LIMIT);
    }
    for (uint32_t k = 0; k < table->n_memory; k++)
        if (rung_is_timed(&table->memory[k]) &&
            rung_sample_time(ctx, k, e->sampled[k]) <= t + 8 * DBL_EPSILON * fabs(t)) {
            rung_memory(ctx)[k] = 1;
            e->sampled[k]++;
        }
    status = rung_iterate(ctx, t, x);
    if (status)
        return status;
    rung_set_all(ctx, RUNG_SAMPLE, 0);
    rung_set_all(ctx, RUNG_CLOCK, 0);
    return rung_iterate(ctx, t, x);
}

/* Before the start: what memory is before initialisation. */
RUNG_PART void rung_reset_events(const RungContext *ctx)
{
    for (uint32_t k = 0; k < ctx->model->event->n_memory; k++) {
        const RungMemory *m = &ctx->model->event->memory[k];
        if (m->kind == RUNG_PRE)
            rung_memory(ctx)[k] = rung_event_value(ctx, m->start, m->start_in);
    }
}

/* What happens at the start, where delays are what they were before. */
RUNG_PART int rung_first_event(RungContext *ctx, double t, double *x)
{
    const RungEvents *table = ctx->model->event;
    const RungEventRoom *e = rung_event_room(ctx);
    int samples_now = 0, status;
    *e->start = t;
    for (uint32_t k = 0; k < table->n_memory; k++) {
        const RungMemory *m = &table->memory[k];
        if (!rung_is_timed(m))
            continue;
        const double interval = rung_event_value(ctx, m->interval, m->interval_in);
        if (!(interval > 0))
            return -rung_event_fails(ctx, "an interval of sample() or of a clock is not positive");
        const double begun = (t - rung_event_value(ctx, m->start, m->start_in)) / interval;
        e->sampled[k] = m->kind == RUNG_SAMPLE && begun > 0 ? ceil(begun) : 0;
        samples_now = samples_now || rung_sample_time(ctx, k, e->sampled[k]) <= t;
    }
    rung_set_all(ctx, RUNG_INITIAL, 1);
    status = rung_iterate_relations(ctx, t, x, 1);
    if (status)
        return status;
    rung_act(ctx, x);
    rung_take(ctx, RUNG_PRE);
    rung_set_all(ctx, RUNG_INITIAL, 0);
    return samples_now ? rung_handle_event(ctx, t, x) : rung_iterate(ctx, t, x);
}

/* The event at the start. */
RUNG_PART int rung_begin_events(RungContext *ctx, double t, double *x)
{
    enum { MOST = 10 };
    const RungHistory *h = rung_history(ctx);
    int moved = h ? rung_begin_history(ctx, t, x) : 0;
    int status = moved < 0 ? moved : rung_first_event(ctx, t, x);
    // before the start delayed expressions were what they are there, relations in them as well
    for (int round = 0; round < MOST && h && !status; round++) {
        moved = rung_begin_history(ctx, t, x);
        if (moved <= 0)
            return moved;
        status = rung_iterate(ctx, t, x);
    }
    return status;
}

/* For integrators of the caller's: an event at t, and the end of a step of theirs. */
RUNG_PART int rung_event_at(RungContext *ctx, double t, double *x)
{
    int status = rung_history(ctx) ? rung_continue_history(ctx, t, x) : 0;
    status = status ? status : rung_handle_event(ctx, t, x);
    return status || !rung_history(ctx) ? status : rung_record(ctx, t, x);
}

RUNG_PART int rung_record_step(RungContext *ctx, double t, const double *x)
{
    return rung_continue_history(ctx, t, x);
}

/* Relations at t into g: whether one is not what memory says; negative where they cannot be
 * evaluated. */
RUNG_PART int rung_differ(RungContext *ctx, double t, const double *x, double *g)
{
    const uint32_t n = ctx->model->n_events;
    int differ = 0;
    if (n && rung_evaluate(ctx, RUNG_ASK_RELATIONS, t, x, g))
        return -1;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t at = rung_event_room(ctx)->relation[k];
        differ = rung_holds(ctx, at, g[k], 0) != (rung_memory(ctx)[at] != 0) || differ;
    }
    return differ;
}

/* A step of h from where the piece began. */
RUNG_PART int rung_piece(RungContext *ctx, double t, double h, double *x, double *error)
{
    const RungEventRoom *e = rung_event_room(ctx);
    const RungModel *m = ctx->model;
    memcpy(x, e->piece_x, m->n_states * sizeof *x);
    memcpy(ctx->z, e->piece_z, m->n_unknowns * sizeof *x);
    return rung_step(ctx, t, h, x, error);
}

/* By lines through what relations are at low and at high, the first time at which one is not as
 * memory says. */
RUNG_PART double rung_first_by_lines(const RungContext *ctx, double low, double high)
{
    const RungEventRoom *e = rung_event_room(ctx);
    double first = high;
    for (uint32_t k = 0; k < ctx->model->n_events; k++) {
        const uint32_t at = e->relation[k];
        const RungMemory *m = &ctx->model->event->memory[at];
        const int is_true = rung_memory(ctx)[at] != 0;
        if (rung_holds(ctx, at, e->high[k], 0) == is_true)
            continue;
        const double share = m->is_exact || (int)m->is_strict == is_true ? 0 : RUNG_NOISE;
        const double zero = (m->is_strict ? -share : share) * e->size[at];
        first = fmin(first, low + (high - low) * (e->low[k] - zero) / (e->low[k] - e->high[k]));
    }
    return first;
}

/* Whether a relation becomes another inside the piece from t to *high, and back before its end:
 * then *high is a time at which it is another, x the states there. The cubic only says where to
 * look; what is found there is the method's. Negative: a step fails. */
RUNG_PART int rung_look_inside(RungContext *ctx, double t, double *high, double *x, double *error)
{
    enum { PLACES = 8 };
    const RungEventRoom *e = rung_event_room(ctx);
    const RungModel *m = ctx->model;
    const uint32_t n = m->n_states;
    const double h = *high - t;
    // between steps the room of their stages is free
    const RungRoom *room = (const RungRoom *)ctx->user;
    double *f0 = room->matrix, *f1 = f0 + n, *inside = f1 + n, *z_end = room->z_before;
    const size_t size_z = m->n_unknowns * sizeof *z_end;
    int differ = 0, known = 0;
    memcpy(z_end, ctx->z, size_z);
    for (int place = 1; place < PLACES && !differ; place++) {
        const double s = (double)place / PLACES, r = 1 - s;
        if (!known) {
            int status = rung_evaluate(ctx, RUNG_ASK_XDOT, *high, x, f1);
            memcpy(ctx->z, e->piece_z, size_z);
            status = status ? status : rung_evaluate(ctx, RUNG_ASK_XDOT, t, e->piece_x, f0);
            if (status)
                break;
        }
        known = 1;
        for (uint32_t i = 0; i < n; i++)
            inside[i] = r * r * ((1 + 2 * s) * e->piece_x[i] + s * h * f0[i]) +
                        s * s * ((3 - 2 * s) * x[i] - r * h * f1[i]);
        if (rung_differ(ctx, t + s * h, inside, e->g) <= 0)
            continue;
        if (rung_piece(ctx, t, s * h, x, error))
            return -1;
        differ = rung_differ(ctx, t + s * h, x, e->high) > 0;
        if (differ)
            *high = t + s * h;
        else if (rung_piece(ctx, t, h, x, error))
            return -1;
        memcpy(z_end, ctx->z, size_z);
        known = 0;
    }
    // blocks are as they were found at the end of the piece
    memcpy(ctx->z, z_end, size_z);
    return differ;
}

/* The piece from t as long as no relation changes, and to where the first does: *end, at most where
 * it is. x is there afterwards. 0 if none does, 1 if one does; negative: a step fails. */
RUNG_PART int rung_piece_to_event(RungContext *ctx, double t, double *end, double *x, double *error)
{
    const RungEventRoom *e = rung_event_room(ctx);
    const uint32_t n = ctx->model->n_events;
    double low = t, high = *end;
    memcpy(e->piece_x, x, ctx->model->n_states * sizeof *x);
    memcpy(e->piece_z, ctx->z, ctx->model->n_unknowns * sizeof *x);
    // one that is not as memory says at the start is an event there: an input has changed
    const int now = rung_differ(ctx, t, x, e->low);
    if (now > 0)
        *end = t;
    if (now)
        return now;
    if (rung_piece(ctx, t, high - t, x, error))
        return -1;
    int differ = rung_differ(ctx, high, x, e->high);
    if (differ == 0 && n)
        differ = rung_look_inside(ctx, t, &high, x, error);
    if (differ <= 0)
        return differ;
    const double ulp = DBL_EPSILON * fmax(fabs(low), fabs(high));
    int by_lines = 1, rose = 0;
    for (int round = 0; high - low > 4 * ulp; round++) {
        double next = low + (high - low) / 2;
        // both sides of where lines say it is are tried, and the middle where that does not help
        if (by_lines && round % 3 != 2) {
            const double at = rung_first_by_lines(ctx, low, high) + (rose ? ulp : -ulp);
            next = at > low && at < high ? at : next;
        }
        if (rung_piece(ctx, t, next - t, x, error))
            return -1;
        differ = rung_differ(ctx, next, x, e->g);
        rose = differ == 0;
        by_lines = differ >= 0;
        if (rose)
            low = next;
        else
            high = next;
        if (by_lines)
            memcpy(rose ? e->low : e->high, e->g, n * sizeof *e->g);
    }
    *end = high;
    return rung_piece(ctx, t, high - t, x, error) ? -1 : 1;
}

/* How far a piece of a step of h goes at most: for what is delayed only ends of pieces are
 * recorded, of which an interpolation takes several, and none may reach its own. */
RUNG_PART double rung_longest_piece(const RungContext *ctx, double h)
{
    enum { PIECES = 4 };
    return rung_history(ctx) ? fmin(h / PIECES, rung_shortest_lag(ctx)) : h;
}

/* From t to t + h with the events between, the one at t + h among them. Where it fails all is as it
 * was. */
RUNG_PART int rung_step_with_events(RungContext *ctx, double t, double h, double *x, double *error)
{
    enum { MOST = 1000 };
    const RungEventRoom *e = rung_event_room(ctx);
    const RungModel *m = ctx->model;
    const uint32_t n = m->event->n_memory;
    RungHistory *history = ((RungRoom *)ctx->user)->history;
    const double stop = t + h, longest = rung_longest_piece(ctx, h);
    int status = 0, count = 0;
    if (history)
        status = rung_continue_history(ctx, t, x);
    if (status)
        return status;
    memcpy(e->begin, rung_memory(ctx), n * sizeof *x);
    memcpy(e->begin_sampled, e->sampled, n * sizeof *x);
    memcpy(e->begin_x, x, m->n_states * sizeof *x);
    *error = 0;
    while (!status && !*e->ended) {
        double end = fmin(stop, rung_next_time(ctx)), piece = 0;
        int found = 0, is_event;
        // no piece that is shorter by its rounding
        if (end - t > longest * (1 + 1e-6))
            end = t + longest;
        if (end > t)
            found = rung_piece_to_event(ctx, t, &end, x, &piece);
        else
            end = t;
        if (found < 0) {
            status = 1;
            break;
        }
        *error = fmax(*error, piece);
        t = end;
        is_event = found || rung_next_time(ctx) <= t + 8 * DBL_EPSILON * fabs(t);
        if (history)
            status = rung_record(ctx, t, x);
        if (is_event && !status)
            status = rung_handle_event(ctx, t, x);
        if (is_event && history && !status)
            status = rung_record(ctx, t, x);
        if (!is_event && t >= stop)
            break;
        if (is_event && ++count > MOST && !status)
            status = rung_event_fails(ctx, "events follow one another without end");
    }
    if (status) {
        memcpy(rung_memory(ctx), e->begin, n * sizeof *x);
        memcpy(e->sampled, e->begin_sampled, n * sizeof *x);
        memcpy(x, e->begin_x, m->n_states * sizeof *x);
        if (history)
            *history->points -= history->added;
    }
    return status;
}

#endif
