/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_event.h -- events where there is no runtime (rung_instance.h): event iteration by the rules
 * of rung_relation.h, and steps that end at events. A relation is looked at where steps end and at
 * places inside, on the cubic through states and derivatives at both ends; an event is found by
 * steps that are shorter, from the same states, since there is no dense output of the method's own
 * order.
 */
#ifndef RUNG_EVENT_H
#define RUNG_EVENT_H

#include "rung_delay.h"
#include "rung_relation.h"

/* In ctx->user->events. */
typedef struct RungEventRoom {
    RungRelations r;
    double t, *x;                            /* where the rules are asked for                   */
    double *out;                             /* of the model's `event`: n_memory + 2 n_actions  */
    double *low, *high, *near;               /* n_relations: what they compare                  */
    double *sampled, *before;                /* n_memory: see event.h; as it was noted          */
    double *begin, *begin_sampled, *begin_x; /* where the step began                            */
    double *piece_x, *piece_z;               /* where a piece of it did                         */
    double *start;                           /* of the run: clocks begin there                  */
    unsigned char *begin_loose;              /* n_memory: where the step began                  */
    unsigned char *ended;                    /* the model has called terminate()                */
    uint32_t *handled;                       /* events so far                                   */
    /* Functions that may have a memory, n_calls of them, by their keys: at call + call_at[k]
     * whether the results are known of this round, inputs, results. */
    uint32_t n_calls;
    const uint32_t *call_key, *call_at;
    double *call;
} RungEventRoom;

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

/* The next event at a time that is known, or DBL_MAX. */
RUNG_PART double rung_next_time(const RungContext *ctx)
{
    const RungEvents *table = ctx->model->event;
    const RungEventRoom *e = rung_event_room(ctx);
    double next = DBL_MAX;
    for (uint32_t k = 0; k < table->n_memory; k++)
        if (rung_is_timed(&table->memory[k]))
            next = fmin(next, rung_sample_time(ctx, &table->memory[k], *e->start, e->sampled[k]));
    return next;
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

/* Memory of this kind follows what has been found; whether it had not. */
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

/* ---- what the rules ask ---- */

RUNG_PART void rung_rule_set(void *user, uint32_t k, double value)
{
    rung_memory((const RungContext *)user)[k] = value;
}

RUNG_PART void rung_rule_note(void *user)
{
    const RungContext *ctx = (const RungContext *)user;
    const RungEventRoom *e = rung_event_room(ctx);
    for (uint32_t k = 0; k < e->n_calls; k++)
        e->call[e->call_at[k]] = 0;
    memcpy(e->before, rung_memory(ctx), ctx->model->event->n_memory * sizeof *e->before);
}

RUNG_PART void rung_rule_go_back(void *user)
{
    const RungContext *ctx = (const RungContext *)user;
    memcpy(rung_memory(ctx), rung_event_room(ctx)->before,
           ctx->model->event->n_memory * sizeof(double));
}

RUNG_PART int rung_rule_compare(void *user)
{
    RungContext *ctx = (RungContext *)user;
    const RungEventRoom *e = rung_event_room(ctx);
    return e->r.n ? rung_evaluate(ctx, RUNG_ASK_RELATIONS, e->t, e->x, e->r.g) : 0;
}

RUNG_PART int rung_rule_compare_unsolved(void *user)
{
    RungContext *ctx = (RungContext *)user;
    ctx->unsolved = 1;
    const int status = rung_rule_compare(user), some = ctx->unsolved > 1;
    ctx->unsolved = 0;
    return status || !some;
}

RUNG_PART int rung_rule_follow(void *user)
{
    const RungEventRoom *e = rung_event_room((RungContext *)user);
    return rung_evaluate((RungContext *)user, RUNG_ASK_EVENT, e->t, e->x, e->out);
}

RUNG_PART int rung_rule_act(void *user, int *moved)
{
    RungContext *ctx = (RungContext *)user;
    const RungEventRoom *e = rung_event_room(ctx);
    // assertions in when-clauses hold or not now, before pre(v) follows
    const int status = rung_assert(ctx, e->t, e->x);
    *moved = status ? 0 : rung_act(ctx, e->x);
    return status;
}

RUNG_PART int rung_rule_take(void *user)
{
    return rung_take((const RungContext *)user, RUNG_PRE);
}

RUNG_PART int rung_rule_all(void *user, const double *x, double *g)
{
    RungContext *ctx = (RungContext *)user;
    return rung_evaluate(ctx, RUNG_ASK_RELATIONS, rung_event_room(ctx)->t, x, g);
}

/* The rules, of an instance that has just been opened: its arrays are there. */
RUNG_PART void rung_open_events(RungContext *ctx)
{
    RungRelations *r = &rung_event_room(ctx)->r;
    r->ctx = ctx;
    r->n = ctx->model->n_events;
    r->memory = rung_memory(ctx);
    r->user = ctx;
    r->set = rung_rule_set;
    r->note = rung_rule_note;
    r->go_back = rung_rule_go_back;
    r->compare = rung_rule_compare;
    r->compare_unsolved = rung_rule_compare_unsolved;
    r->follow = rung_rule_follow;
    r->act = rung_rule_act;
    r->take = rung_rule_take;
}

RUNG_PART int rung_explain_events(const RungContext *ctx, int status, int is_endless)
{
    if (status && is_endless)
        rung_event_fails(ctx, "the event iteration finds no end");
    else if (status && rung_event_room(ctx)->r.is_contrary)
        rung_event_fails(ctx, "the relations of the model find no consistent values");
    return status;
}

/* Event iteration at t. */
RUNG_PART int rung_iterate_at(RungContext *ctx, double t, double *x)
{
    RungEventRoom *e = rung_event_room(ctx);
    uint32_t rounds = 0;
    int is_endless, status;
    e->t = t;
    e->x = x;
    status = rung_iterate(&e->r, &rounds, &is_endless);
    return rung_explain_events(ctx, status, is_endless);
}

/* What relations are not told from zero by, at an event at t that is over. */
RUNG_PART void rung_find_sizes_at(RungContext *ctx, double t, double *x)
{
    // pieces begin behind the event
    RungEventRoom *e = rung_event_room(ctx);
    const RungSizesRoom room = {e->piece_x, e->near, e->low, e->high};
    const size_t size = ctx->model->n_unknowns * sizeof *ctx->z;
    const double error = 1e-6; // of states, as in runs by default
    e->t = t;
    e->x = x;
    memcpy(e->piece_z, ctx->z, size);
    rung_find_sizes(&e->r, x, error, &room, rung_rule_all);
    memcpy(ctx->z, e->piece_z, size);
}

RUNG_PART void rung_set_all(const RungContext *ctx, uint32_t kind, double value)
{
    for (uint32_t k = 0; k < ctx->model->event->n_memory; k++)
        if (ctx->model->event->memory[k].kind == kind)
            rung_memory(ctx)[k] = value;
}

/* What relations compare where an event is over, or (`since`) a step after it. */
RUNG_PART void rung_find_all_loose(const RungContext *ctx, const double *g, int since)
{
    RungEventRoom *e = rung_event_room(ctx);
    for (uint32_t k = 0; k < e->r.n; k++)
        rung_find_loose(&e->r, k, g[k], since);
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
            rung_sample_time(ctx, &table->memory[k], *e->start, e->sampled[k]) <= rung_latest(t)) {
            rung_memory(ctx)[k] = 1;
            e->sampled[k]++;
        }
    status = rung_iterate_at(ctx, t, x);
    if (status)
        return status;
    rung_set_all(ctx, RUNG_SAMPLE, 0);
    rung_set_all(ctx, RUNG_CLOCK, 0);
    status = rung_iterate_at(ctx, t, x);
    if (status)
        return status;
    rung_find_all_loose(ctx, e->r.g, 0);
    // again now and then: other equations hold now
    ++*e->handled;
    if ((*e->handled & (*e->handled - 1)) == 0)
        rung_find_sizes_at(ctx, t, x);
    return 0;
}

/* Before the start: what memory is before initialisation. */
RUNG_PART void rung_reset_events(const RungContext *ctx)
{
    *rung_event_room(ctx)->handled = 0;
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
    RungEventRoom *e = rung_event_room(ctx);
    int samples_now = 0, status;
    *e->start = t;
    for (uint32_t k = 0; k < table->n_memory; k++) {
        const RungMemory *m = &table->memory[k];
        if (!rung_is_timed(m))
            continue;
        if (!(rung_interval(ctx, m) > 0))
            return -rung_event_fails(ctx, "an interval of sample() or of a clock is not positive");
        e->sampled[k] = rung_first_number(ctx, m, t);
        samples_now = samples_now || rung_sample_time(ctx, m, t, e->sampled[k]) <= t;
    }
    rung_set_all(ctx, RUNG_INITIAL, 1);
    e->t = t;
    e->x = x;
    status = rung_explain_events(ctx, rung_iterate_relations(&e->r, 1), 0);
    if (status)
        return status;
    rung_act(ctx, x);
    rung_take(ctx, RUNG_PRE);
    rung_set_all(ctx, RUNG_INITIAL, 0);
    status = samples_now ? rung_handle_event(ctx, t, x) : rung_iterate_at(ctx, t, x);
    if (!status && !samples_now)
        rung_find_sizes_at(ctx, t, x);
    return status;
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
        status = rung_iterate_at(ctx, t, x);
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
    RungEventRoom *e = rung_event_room(ctx);
    int differ = 0;
    if (e->r.n && rung_evaluate(ctx, RUNG_ASK_RELATIONS, t, x, g))
        return -1;
    for (uint32_t k = 0; k < e->r.n; k++)
        differ = rung_is_other(&e->r, k, g[k]) || differ;
    return differ;
}

/* For integrators of the caller's: whether there is an event at t, where a step of theirs ends. */
RUNG_PART int rung_is_event(RungContext *ctx, double t, const double *x)
{
    const RungEventRoom *e = rung_event_room(ctx);
    const int differ = rung_differ(ctx, t, x, e->r.g);
    if (!differ)
        rung_find_all_loose(ctx, e->r.g, 1);
    return differ || rung_next_time(ctx) <= t;
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
    RungEventRoom *e = rung_event_room(ctx);
    double first = high;
    for (uint32_t k = 0; k < e->r.n; k++)
        if (rung_is_other(&e->r, k, e->high[k]))
            first = fmin(first, rung_crossing(&e->r, k, low, e->low[k], high, e->high[k]));
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
        if (rung_differ(ctx, t + s * h, inside, e->r.g) <= 0)
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
    if (differ <= 0) {
        if (!differ)
            rung_find_all_loose(ctx, e->high, 1);
        return differ;
    }
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
        differ = rung_differ(ctx, next, x, e->r.g);
        rose = differ == 0;
        by_lines = differ >= 0;
        if (rose)
            low = next;
        else
            high = next;
        if (by_lines)
            memcpy(rose ? e->low : e->high, e->r.g, n * sizeof *e->low);
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
    memcpy(e->begin_loose, e->r.is_loose, n);
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
        is_event = found || rung_next_time(ctx) <= rung_latest(t);
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
        memcpy(e->r.is_loose, e->begin_loose, n);
        memcpy(x, e->begin_x, m->n_states * sizeof *x);
        if (history)
            *history->points -= history->added;
    }
    return status;
}

#endif
