/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_event.h -- events where there is no runtime (rung_instance.h): event iteration by the rules
 * of rung_relation.h, and steps that end at events, which are searched for on the dense output of
 * the steps as in runs (rung_search.h).
 */
#ifndef RUNG_EVENT_H
#define RUNG_EVENT_H

#include "rung_advance.h"
#include "rung_contrary.h"
#include "rung_delay.h"
#include "rung_saltation.h"
#include "rung_search.h"
#include "rung_tape.h"

/* In ctx->user->events. */
typedef struct RungEventRoom {
    RungRelations r;
    double t, *x;                            /* time and states of the event iteration */
    double *out;                             /* of the model's `event`: n_memory + 2 n_actions  */
    double *low, *high, *near;               /* n_relations: zero-crossing functions */
    double *sampled, *before;                /* n_memory: see event.h; the saved memory */
    double *entry;                           /* n_memory: memory at the begin of the event */
    double *begin, *begin_sampled, *begin_x; /* where the step began                            */
    double *piece_x, *piece_z;               /* start of a piece of the step */
    double *start;                           /* of the run: clocks begin there                  */
    unsigned char *begin_at_zero;            /* n_memory: where the step began                  */
    unsigned char *is_contrary;              /* n_memory: see rung_contrary.h                   */
    unsigned char *ended;                    /* the model has called terminate()                */
    uint32_t *handled;                       /* events so far                                   */
    /* The search in a piece: samples, and states inside it. */
    RungSearch search;
    RungSample first, last;
    double *level;  /* RUNG_LEVELS n_relations           */
    double *inside; /* n_states                          */
    double *end_x;  /* n_states: where the piece ends    */
    double *near_x; /* n_states: in the search for sizes */
    double *dense;  /* 7 n_states: of RungEsdirk         */
    double *kept;   /* n_unknowns: solutions of blocks during a search */
    /* External functions that may count their calls, n_calls of them, by their keys: at call +
     * call_at[k] whether a result is stored for this round, then the inputs, the results. */
    uint32_t n_calls;
    const uint32_t *call_key, *call_at;
    double *call;
    RungTape *tape;           /* NULL: none is kept */
    int has_set;              /* an action has set a state at this event */
    RungSaltation *saltation; /* NULL: there are no derivatives by parameters */
    double step_error;        /* of the pieces so far */
    int n_events;             /* in the step so far   */
} RungEventRoom;

/* The arrays of an instance, one behind the other from `at` on: so many numbers as
 * emit/library/library_header.c counts (9 n_memory + 2 n_actions + (9 + RUNG_LEVELS) n_relations
 * + 12 n_states + 2 n_unknowns). */
RUNG_PART void rung_place_events(RungEventRoom *e, const RungModel *m, double *at)
{
    const size_t memory = m->event->n_memory, relations = m->n_events;
    const size_t states = m->n_states, unknowns = m->n_unknowns;
    double **const place[] = {&e->out,
                              &e->r.g,
                              &e->low,
                              &e->high,
                              &e->near,
                              &e->search.low_g,
                              &e->search.high_g,
                              &e->search.past[0].g,
                              &e->search.past[1].g,
                              &e->first.g,
                              &e->level,
                              &e->r.size,
                              &e->sampled,
                              &e->r.seen,
                              &e->r.noise,
                              &e->before,
                              &e->entry,
                              &e->begin,
                              &e->begin_sampled,
                              &e->begin_x,
                              &e->piece_x,
                              &e->inside,
                              &e->end_x,
                              &e->near_x,
                              &e->dense,
                              &e->piece_z,
                              &e->kept};
    const size_t size[] = {memory + 2 * (size_t)m->event->n_actions,
                           relations,
                           relations,
                           relations,
                           relations,
                           relations,
                           relations,
                           relations,
                           relations,
                           relations,
                           RUNG_LEVELS * relations,
                           memory,
                           memory,
                           memory,
                           memory,
                           memory,
                           memory,
                           memory,
                           memory,
                           states,
                           states,
                           states,
                           states,
                           states,
                           7 * states,
                           unknowns,
                           unknowns};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        *place[k] = at;
        at += size[k];
    }
    e->last.g = e->high;
    e->r.entry_g = e->level; // no search is under way then
}

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
    RungEventRoom *e = rung_event_room(ctx);
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
            e->has_set = 1;
            x[a->state] = out[1];
        }
    }
    return moved;
}

/* Memory of this kind takes the values of `out`; whether one has changed. */
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

/* ---- derivatives by parameters (rung_saltation.h) ---- */

RUNG_PART int rung_evaluation_evaluate(void *ctx, RungQuestion question, double t, const double *x,
                                       double *out)
{
    return rung_evaluate((RungContext *)ctx, question, t, x, out);
}

RUNG_PART int rung_evaluation_refresh(void *ctx, double t, const double *x)
{
    return rung_refresh((RungContext *)ctx, t, x);
}

RUNG_PART RungEvaluation rung_evaluation(RungContext *ctx)
{
    const RungEvaluation by = {ctx, rung_evaluation_evaluate, rung_evaluation_refresh, 0};
    return by;
}

#if defined(RUNG_SALTATION)

/* Over events, in the arrays of an instance (rung_open_saltation). */
RUNG_PART void rung_open_jumps(RungContext *ctx, RungEventRoom *e, RungSaltation *it, double *at,
                               uint32_t *set_by)
{
    rung_open_saltation(it, ctx->model, at, set_by);
    it->ctx = ctx;
    it->by = rung_evaluation(ctx);
    it->r = &e->r;
    it->tolerance = 1e-6; // as in runs by default
    e->saltation = it;
}

/* Negative, where status is not 0: the derivatives end here. */
RUNG_PART int rung_jumps_explain(const RungSaltation *it, int status)
{
    if (!status)
        return 0;
    if (it->why == it->fault.why)
        ((RungRoom *)it->ctx->user)->where = rung_memory_of(it->r, it->fault.of)->where;
    return -rung_fails(it->ctx, it->why);
}

/* Before the actions that are due. */
RUNG_PART int rung_jumps_act(const RungContext *ctx, double t, double *x)
{
    const RungEventRoom *e = rung_event_room(ctx);
    const RungEvents *table = ctx->model->event;
    int is_noted = 0, status = 0;
    for (uint32_t k = 0; k < table->n_actions && !status; k++)
        if (e->out[table->n_memory + 2 * (size_t)k] != 0)
            status = rung_saltation_act(e->saltation, t, x, k, &is_noted);
    return rung_jumps_explain(e->saltation, status);
}

RUNG_PART int rung_jumps_enter(const RungContext *ctx, double t, double *x, RungCause cause,
                               int is_timed)
{
    const RungEsdirk *before = &((const RungRoom *)ctx->user)->step;
    const int has_begin = before->h_before > 0 && cause != RUNG_CAUSE_TIME;
    RungSaltation *it = rung_event_room(ctx)->saltation;
    const int status = rung_saltation_enter(it, t, x, cause, is_timed, before->t_old,
                                            has_begin ? before->x_old : NULL);
    return it->is_unknown ? -rung_fails(ctx, rung_no_cause) : rung_jumps_explain(it, status);
}

RUNG_PART int rung_jumps_leave(const RungContext *ctx, double t, double *x)
{
    RungSaltation *it = rung_event_room(ctx)->saltation;
    return rung_jumps_explain(it, rung_saltation_leave(it, t, x));
}

#else

RUNG_PART int rung_jumps_act(const RungContext *ctx, double t, double *x)
{
    (void)ctx, (void)t, (void)x;
    return 0;
}

RUNG_PART int rung_jumps_enter(const RungContext *ctx, double t, double *x, RungCause cause,
                               int is_timed)
{
    (void)ctx, (void)t, (void)x, (void)cause, (void)is_timed;
    return 0;
}

RUNG_PART int rung_jumps_leave(const RungContext *ctx, double t, double *x)
{
    (void)ctx, (void)t, (void)x;
    return 0;
}

#endif

/* ---- callbacks of RungRelations ---- */

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
    // assertions in when-clauses are evaluated here, before pre(v) changes
    int status = rung_assert(ctx, e->t, e->x);
    if (e->saltation && !status)
        status = rung_jumps_act(ctx, e->t, e->x);
    if (!status)
        rung_tape_round(e->tape, ctx, e->x, e->out);
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

/* Functions whose calls are remembered during an event: n of them, as RungEventRoom has it. */
RUNG_PART void rung_open_calls(RungContext *ctx, RungEventRoom *e, uint32_t n, const uint32_t *key,
                               const uint32_t *at, double *call)
{
    e->n_calls = n;
    e->call_key = key;
    e->call_at = at;
    e->call = call;
    ctx->recall = rung_recall;
    ctx->recall_from = e;
}

/* Whether there was an event in the present step. */
RUNG_PART int rung_had_event(const RungEventRoom *e)
{
    return e->n_events > 0;
}

/* The events of an instance that has just been opened, in these arrays: relation[k] of n_relations
 * is its place in memory; numbers from `at` on (rung_place_events); 6 n_memory flags at `at_zero`.
 */
RUNG_PART void rung_open_events(RungContext *ctx, RungEventRoom *e, const uint32_t *relation,
                                double *at, double *start, unsigned char *at_zero,
                                unsigned char *ended, uint32_t *handled)
{
    RungRelations *r = &e->r;
    rung_place_events(e, ctx->model, at);
    e->start = start;
    e->begin_at_zero = at_zero + ctx->model->event->n_memory;
    e->ended = ended;
    e->handled = handled;
    ((RungRoom *)ctx->user)->events = e;
    r->relation = relation;
    r->is_at_zero = at_zero;
    r->is_due = at_zero + 2 * (size_t)ctx->model->event->n_memory;
    r->steps_from_far = at_zero + 3 * (size_t)ctx->model->event->n_memory;
    r->cycles = at_zero + 4 * (size_t)ctx->model->event->n_memory;
    e->is_contrary = at_zero + 5 * (size_t)ctx->model->event->n_memory;
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
        rung_fails(ctx, "the event iteration finds no end");
    else if (status && rung_event_room(ctx)->r.is_contrary)
        rung_fails(ctx, "the relations of the model find no consistent values");
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
    if (!status)
        rung_contrary_find(&e->r, NULL, e->is_contrary);
    return rung_explain_events(ctx, status, is_endless);
}

/* Where relations are asked for: at e->inside. */
typedef struct RungAsked {
    RungContext *ctx;
    double t;
} RungAsked;

/* Unknowns of blocks are first guesses again behind it. */
RUNG_PART int rung_ask_inside(void *user, double *g)
{
    const RungAsked *p = (const RungAsked *)user;
    const RungEventRoom *e = rung_event_room(p->ctx);
    const size_t size = p->ctx->model->n_unknowns * sizeof *p->ctx->z;
    int status;
    memcpy(e->kept, p->ctx->z, size);
    status = rung_evaluate(p->ctx, RUNG_ASK_RELATIONS, p->t, e->inside, g);
    memcpy(p->ctx->z, e->kept, size);
    return status;
}

/* In g, of the states e->inside at t, the functions of contrary relations with their other values.
 */
RUNG_PART int rung_ask_contrary(RungContext *ctx, double t, double *g)
{
    const RungEventRoom *e = rung_event_room(ctx);
    RungAsked at;
    at.ctx = ctx;
    at.t = t;
    return rung_contrary_ask(&e->r, e->is_contrary, rung_ask_inside, &at, e->near, g);
}

/* Before an event iteration: contrary relations that have a solution again take their other value.
 * Nonzero if they cannot be evaluated. */
RUNG_PART int rung_change_contrary(RungContext *ctx, double t, const double *x)
{
    RungEventRoom *e = rung_event_room(ctx);
    int status;
    memcpy(e->inside, x, ctx->model->n_states * sizeof *x);
    memset(e->low, 0, e->r.n * sizeof *e->low);
    status = rung_ask_contrary(ctx, t, e->low);
    for (uint32_t k = 0; k < e->r.n && !status; k++) {
        const uint32_t at = e->r.relation[k];
        if (!e->is_contrary[at] || !rung_is_other(&e->r, k, e->low[k]))
            continue;
        rung_memory(ctx)[at] = rung_memory(ctx)[at] == 0;
        break;
    }
    return status;
}

/* The noise levels of the zero-crossing functions, after the event at t. */
RUNG_PART void rung_find_sizes_at(RungContext *ctx, double t, double *x)
{
    RungEventRoom *e = rung_event_room(ctx);
    const RungSizesRoom room = {e->near_x, e->near, e->low, e->high};
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

/* Updates is_at_zero of all relations from g at the end of an event, or (`since`) of a step after
 * it.
 */
RUNG_PART void rung_find_all_at_zero(const RungContext *ctx, const double *g, int since)
{
    RungEventRoom *e = rung_event_room(ctx);
    for (uint32_t k = 0; k < e->r.n; k++)
        rung_find_at_zero(&e->r, k, g[k], since);
}

/* Handles the event at t: left limits, samples and clocks due, then the event iteration. */
RUNG_PART int rung_handle_event(RungContext *ctx, double t, double *x)
{
    const RungEvents *table = ctx->model->event;
    RungEventRoom *e = rung_event_room(ctx);
    int status = 0, has_left = 0;
    e->r.has_kept = RUNG_KEEPS_NONE;
    memcpy(e->entry, rung_memory(ctx), table->n_memory * sizeof *e->entry);
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
    status = rung_change_contrary(ctx, t, x);
    status = status ? status : rung_iterate_at(ctx, t, x);
    memset(e->r.is_due, 0, table->n_memory);
    if (status)
        return status;
    rung_set_all(ctx, RUNG_SAMPLE, 0);
    rung_set_all(ctx, RUNG_CLOCK, 0);
    status = rung_iterate_at(ctx, t, x);
    if (status)
        return status;
    rung_find_all_at_zero(ctx, e->r.g, 0);
    // repeated at handled events 1, 2, 4, 8 ..: other branches of the equations may hold now
    ++*e->handled;
    if ((*e->handled & (*e->handled - 1)) == 0)
        rung_find_sizes_at(ctx, t, x);
    return 0;
}

/* The same, with derivatives by parameters, and on the tape. */
RUNG_PART int rung_pass_event(RungContext *ctx, double t, double *x, RungCause cause)
{
    RungEventRoom *e = rung_event_room(ctx);
    const int is_timed = rung_next_time(ctx) <= rung_latest(t);
    int status = e->saltation ? rung_jumps_enter(ctx, t, x, cause, is_timed) : 0;
    if (!status)
        status = rung_tape_event(e->tape, ctx, &e->r, t, x, cause, is_timed);
    e->has_set = 0;
    status = status ? status : rung_handle_event(ctx, t, x);
    if (!status)
        rung_tape_behind(e->tape, ctx, x);
    if (e->saltation && !status)
        status = rung_jumps_leave(ctx, t, x);
    return status;
}

/* Memory before the initialisation: start values of pre(v). */
RUNG_PART void rung_reset_events(const RungContext *ctx)
{
    const RungEventRoom *e = rung_event_room(ctx);
    *e->handled = 0;
    for (uint32_t k = 0; k < ctx->model->event->n_memory; k++) {
        const RungMemory *m = &ctx->model->event->memory[k];
        e->r.noise[k] = 0;
        e->is_contrary[k] = 0;
        if (m->kind == RUNG_PRE)
            rung_memory(ctx)[k] = rung_event_value(ctx, m->start, m->start_in);
    }
}

/* The event at the start, with the present history of the delays. */
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
            return -rung_fails(ctx, "an interval of sample() or of a clock is not positive");
        e->sampled[k] = rung_first_number(ctx, m, t);
        samples_now = samples_now || rung_sample_time(ctx, m, t, e->sampled[k]) <= t;
    }
    rung_set_all(ctx, RUNG_INITIAL, 1);
    e->t = t;
    e->x = x;
    status = rung_explain_events(ctx, rung_iterate_relations(&e->r, 1), 0);
    if (e->saltation && !status)
        status = rung_jumps_act(ctx, t, x);
    if (status)
        return status;
    rung_tape_round(e->tape, ctx, x, e->out);
    rung_act(ctx, x);
    rung_take(ctx, RUNG_PRE);
    rung_set_all(ctx, RUNG_INITIAL, 0);
    status = samples_now ? rung_handle_event(ctx, t, x) : rung_iterate_at(ctx, t, x);
    if (!status && !samples_now)
        rung_find_sizes_at(ctx, t, x);
    return status;
}

/* As rung_begin_history: delayed expressions have the values while initialising. */
RUNG_PART int rung_begin_delays(RungContext *ctx, double t, const double *x)
{
    rung_set_all(ctx, RUNG_INITIAL, 1);
    const int moved = rung_begin_history(ctx, t, x);
    rung_set_all(ctx, RUNG_INITIAL, 0);
    return moved;
}

/* The event at the start. */
RUNG_PART int rung_begin_events(RungContext *ctx, double t, double *x)
{
    enum { MOST = 10 };
    const RungHistory *h = rung_history(ctx);
    RungEventRoom *e = rung_event_room(ctx);
    const int jumps = e->saltation != NULL;
    int moved = h ? rung_begin_delays(ctx, t, x) : 0;
    int status = moved < 0 ? moved : 0;
    if (jumps && !status)
        status = rung_jumps_enter(ctx, t, x, RUNG_CAUSE_START, 0);
    if (!status)
        status = rung_tape_event(e->tape, ctx, &e->r, t, x, RUNG_CAUSE_START, 0);
    status = status ? status : rung_first_event(ctx, t, x);
    if (!status)
        rung_tape_behind(e->tape, ctx, x);
    if (jumps && !status)
        status = rung_jumps_leave(ctx, t, x);
    // before the start delayed expressions have their values at the start, relations in them as
    // well
    for (int round = 0; round < MOST && h && !status; round++) {
        moved = rung_begin_delays(ctx, t, x);
        if (moved < 0)
            return moved;
        if (moved == 0)
            break;
        status = rung_iterate_at(ctx, t, x);
    }
    // the value after the initialisation, which may be another
    return status || !h ? status : rung_record(ctx, t, x);
}

/* For integrators of the caller's: an event at t, and the end of a step of theirs. */
RUNG_PART int rung_event_at(RungContext *ctx, double t, double *x)
{
    int status = rung_history(ctx) ? rung_continue_history(ctx, t, x) : 0;
    status = status ? status : rung_pass_event(ctx, t, x, RUNG_CAUSE_OTHER);
    return status || !rung_history(ctx) ? status : rung_record(ctx, t, x);
}

RUNG_PART int rung_record_step(RungContext *ctx, double t, const double *x)
{
    return rung_continue_history(ctx, t, x);
}

/* The zero-crossing functions at t, into g: whether a relation differs from memory; negative if
 * they cannot be evaluated. */
RUNG_PART int rung_differ(RungContext *ctx, double t, const double *x, double *g)
{
    RungEventRoom *e = rung_event_room(ctx);
    int differ = 0;
    if (e->r.n && rung_evaluate(ctx, RUNG_ASK_RELATIONS, t, x, g))
        return -1;
    memcpy(e->inside, x, ctx->model->n_states * sizeof *x);
    if (rung_ask_contrary(ctx, t, g))
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
        rung_find_all_at_zero(ctx, e->r.g, 1);
    return differ || rung_next_time(ctx) <= t;
}

/* The states at t inside the last piece, by the dense output of its step. */
RUNG_PART void rung_states_inside(RungContext *ctx, double t, double *x)
{
    RungEsdirk *it = &((RungRoom *)ctx->user)->step;
    const double theta = (t - it->t_old) / it->h_before;
    rung_esdirk_polynomial(it, theta, x);
    if (it->is_stiff && theta > 0 && theta < 1)
        rung_esdirk_follow(it, theta, x);
}

/* For RungSearch.sample; restores the solutions of blocks. */
RUNG_PART int rung_sample_piece(void *user, double t, double *g)
{
    RungAsked at;
    at.ctx = (RungContext *)user;
    at.t = t;
    rung_states_inside(at.ctx, t, rung_event_room(at.ctx)->inside);
    return rung_ask_inside(&at, g) || rung_ask_contrary(at.ctx, t, g);
}

RUNG_PART double *rung_piece_level(void *user, int depth)
{
    const RungContext *ctx = (const RungContext *)user;
    return rung_event_room(ctx)->level + (size_t)depth * ctx->model->n_events;
}

/* A step from t to `end`, and its dense output. */
RUNG_PART int rung_piece(RungContext *ctx, double t, double end, double *x, double *error)
{
    const RungEventRoom *e = rung_event_room(ctx);
    const RungModel *m = ctx->model;
    RungEsdirk *it = &((RungRoom *)ctx->user)->step;
    const size_t n = m->n_states;
    memcpy(e->piece_x, x, n * sizeof *x);
    memcpy(e->piece_z, ctx->z, m->n_unknowns * sizeof *x);
    rung_tape_piece(e->tape, ctx, t, end, x);
    if (rung_step(ctx, t, end - t, x, error))
        return -1;
    rung_tape_made(e->tape, ctx);
    it->x_old = e->piece_x;
    for (int d = 0; d < ESDIRK_DEGREE; d++)
        it->dense[d] = e->dense + (size_t)d * n;
    it->move = e->dense + 4 * n;
    it->end_move[0] = e->dense + 5 * n;
    it->end_move[1] = e->dense + 6 * n;
    it->kept = e->kept;
    return 0;
}

/* For rung_refine_noise. */
RUNG_PART int rung_all_at(void *user, double t, const double *x, double *g)
{
    RungContext *ctx = (RungContext *)user;
    rung_event_room(ctx)->t = t;
    return rung_rule_all(ctx, x, g);
}

/* Whether the noise at a dip that the search has met is less than the dip is deep. */
RUNG_PART int rung_refine_in_piece(void *user, const RungDip *dip)
{
    RungContext *ctx = (RungContext *)user;
    RungEventRoom *e = rung_event_room(ctx);
    const RungSearch *s = &e->search;
    const RungSizesRoom room = {e->near_x, s->high_g, s->low_g, NULL};
    const size_t size = ctx->model->n_unknowns * sizeof *ctx->z;
    int ok;
    rung_states_inside(ctx, dip->t, e->inside);
    memcpy(e->kept, ctx->z, size);
    ok = rung_refine_noise(&e->r, dip->relation, dip->t, e->inside, &room, ctx, rung_all_at);
    memcpy(ctx->z, e->kept, size);
    return ok;
}

/* Searches the last piece, from t to `end` with the states x there, or the rest of it: whether a
 * relation changes in it, at *at. Negative: relations cannot be evaluated, or move too fast. */
RUNG_PART int rung_look_in_piece(RungContext *ctx, double t, double end, const double *x,
                                 int is_rest, double *at)
{
    RungEventRoom *e = rung_event_room(ctx);
    RungSearch *s = &e->search;
    int found;
    s->r = &e->r;
    s->user = ctx;
    s->sample = rung_sample_piece;
    s->level = rung_piece_level;
    s->focus = NULL;
    s->unfocus = NULL;
    rung_search_begin(s);
    e->first.t = t;
    e->first.next = NULL;
    e->last.t = end;
    e->last.next = NULL;
    if (rung_differ(ctx, end, x, e->last.g) < 0 ||
        (is_rest && rung_sample_piece(ctx, t, e->first.g)))
        return -1;
    memset(e->r.is_due, RUNG_DUE_NOT, ctx->model->event->n_memory);
    rung_allow_dips(&e->r);
    rung_look_ahead(s, t, end - t);
    found = rung_search(s, &e->first, &e->last);
    while (rung_refine_dips(s, found, rung_refine_in_piece)) {
        // the samples before the piece are gone
        rung_search_begin(s);
        rung_look_ahead(s, t, end - t);
        found = rung_search(s, &e->first, &e->last);
    }
    if (!found && s->left <= 0) {
        ((RungRoom *)ctx->user)->where = ctx->model->event->memory[s->unclear].where;
        rung_fails(ctx,
                   "a relation moves too fast for its events to be found in this step, which a "
                   "shorter one may do");
        return -1;
    }
    if (!found) {
        rung_forget_noise(&e->r, e->last.g);
        rung_find_all_at_zero(ctx, e->last.g, 1);
        return 0;
    }
    *at = s->high;
    return 1;
}

/* The longest piece of a step of h. Histories of delays record the ends of pieces only; an
 * interpolation takes several of them, and no piece may be longer than the shortest delay. */
RUNG_PART double rung_longest_piece(const RungContext *ctx, double h)
{
    enum { PIECES = 4 };
    return rung_history(ctx) ? fmin(h / PIECES, rung_shortest_lag(ctx)) : h;
}

/* A step of the caller while it is made: the operations of rung_advance. */
typedef struct RungStepping {
    RungContext *ctx;
    double *x, longest, stop;
    /* a relation differs from memory at the start of the piece: an input has changed */
    int is_now;
    int is_crossing; /* the search has found a relation */
    int is_rest;     /* the search is in the rest of a piece, after an event in it */
    int status;      /* of the operation that has failed */
} RungStepping;

RUNG_PART int rung_advance_step(void *self, double t, double stop, double *end)
{
    RungStepping *it = (RungStepping *)self;
    RungEventRoom *e = rung_event_room(it->ctx);
    double error = 0;
    int now;
    it->is_rest = 0;
    *end = stop;
    // no last piece of the length of a rounding error
    if (*end - t > it->longest * (1 + 1e-6))
        *end = t + it->longest;
    now = rung_differ(it->ctx, t, it->x, e->first.g);
    it->is_now = now > 0;
    if (now) {
        *end = t;
        return now < 0 ? -1 : 0;
    }
    if (rung_piece(it->ctx, t, *end, it->x, &error))
        return -1;
    e->step_error = fmax(e->step_error, error);
    return 0;
}

RUNG_PART int rung_advance_look(void *self, double t, double end, double *at, RungFound *found)
{
    RungStepping *it = (RungStepping *)self;
    int differs = 0;
    it->is_crossing = 0;
    if (it->is_now) {
        *at = t;
        *found = RUNG_FOUND_EVENT;
        return 0;
    }
    if (it->ctx->model->n_events)
        differs = rung_look_in_piece(it->ctx, t, end, it->x, it->is_rest, at);
    if (differs < 0)
        return -1;
    it->is_crossing = differs;
    if (differs ||
        fmin(rung_next_time(it->ctx), rung_next_arrival(it->ctx, end)) <= rung_latest(end))
        *found = RUNG_FOUND_EVENT;
    if (*found == RUNG_FOUND_EVENT && it->ctx->model->n_events) {
        RungSearch *search = &rung_event_room(it->ctx)->search;
        rung_settle_event(search, t, end, rung_next_time(it->ctx), differs);
        *at = differs ? search->high : *at;
    }
    if (differs && *at < end) {
        memcpy(rung_event_room(it->ctx)->end_x, it->x, it->ctx->model->n_states * sizeof *it->x);
        rung_states_inside(it->ctx, *at, it->x);
    }
    return 0;
}

/* Records the delayed expressions at t. */
RUNG_PART int rung_note_piece(RungStepping *it, double t)
{
    it->status = rung_history(it->ctx) ? rung_record(it->ctx, t, it->x) : 0;
    return it->status ? -1 : 0;
}

RUNG_PART int rung_advance_observe(void *self, double t, double at, RungFound found)
{
    RungStepping *it = (RungStepping *)self;
    (void)t, (void)found;
    return rung_note_piece(it, at);
}

/* Whether the event has changed memory on which derivatives depend: they need not jump at once, as
 * where a spring takes up its slack. */
RUNG_PART int rung_changes_derivatives(const RungContext *ctx)
{
    const RungEventRoom *e = rung_event_room(ctx);
    int changes = 0;
    for (uint32_t k = 0; k < ctx->model->event->n_memory; k++)
        changes = changes ||
                  (ctx->model->event->memory[k].is_driving && rung_memory(ctx)[k] != e->entry[k]);
    return changes;
}

RUNG_PART RungCause rung_cause_of(const RungStepping *it)
{
    return it->is_now ? RUNG_CAUSE_TIME : it->is_crossing ? RUNG_CAUSE_SEARCH : RUNG_CAUSE_OTHER;
}

RUNG_PART int rung_advance_pass(void *self, double at, double end, double *stop, int *restarts)
{
    enum { MOST = 1000 };
    RungStepping *it = (RungStepping *)self;
    RungContext *ctx = it->ctx;
    RungEventRoom *e = rung_event_room(ctx);
    const RungModel *m = ctx->model;
    const size_t size = m->n_states * sizeof *it->x;
    // derivatives along time are set at each event
    const size_t moved =
        m->sensitivity ? rung_own_states(m) * (m->sensitivity->n + 1) * sizeof *it->x : size;
    const int is_inside = at < end && !rung_history(ctx);
    *restarts = 1;
    if (++e->n_events > MOST) {
        it->status = rung_fails(ctx, "events follow one another without end");
        return -1;
    }
    if (rung_history(ctx))
        ((RungRoom *)ctx->user)->history->begin = at;
    memcpy(e->inside, it->x, size);
    it->status = rung_pass_event(ctx, at, it->x, rung_cause_of(it));
    if (it->status)
        return -1;
    if (rung_history(ctx))
        return rung_note_piece(it, at);
    *restarts = !is_inside || *e->ended || memcmp(e->inside, it->x, moved) ||
                rung_changes_derivatives(ctx) || rung_tape_jumps(ctx, e->has_set);
    if (at < end)
        rung_tape_inside(e->tape, ctx, !*restarts);
    if (*restarts)
        return 0;
    it->is_rest = 1;
    memcpy(it->x, e->end_x, size);
    *stop = fmin(it->stop, rung_next_time(ctx));
    return 0;
}

/* From t to t + h with the events between, the one at t + h among them. On failure all is restored.
 */
RUNG_PART int rung_step_with_events(RungContext *ctx, double t, double h, double *x, double *error)
{
    static const RungAdvance operations = {rung_advance_step, rung_advance_look,
                                           rung_advance_observe, rung_advance_pass};
    RungEventRoom *e = rung_event_room(ctx);
    const RungModel *m = ctx->model;
    const uint32_t n = m->event->n_memory;
    RungHistory *history = ((RungRoom *)ctx->user)->history;
    RungStepping stepping = {ctx, x, rung_longest_piece(ctx, h), t + h, 0, 0, 0, 0};
    RungEnded ended = RUNG_ENDED_EARLY;
    int status = 0;
    if (history)
        status = rung_continue_history(ctx, t, x);
    if (status)
        return status;
    memcpy(e->begin, rung_memory(ctx), n * sizeof *x);
    memcpy(e->begin_sampled, e->sampled, n * sizeof *x);
    memcpy(e->begin_at_zero, e->r.is_at_zero, n);
    memcpy(e->begin_x, x, m->n_states * sizeof *x);
    e->step_error = 0;
    e->n_events = 0;
    // behind an event the method starts anew; events at the very end belong to the step
    while (ended != RUNG_ENDED_FAILED && !*e->ended) {
        const double timed = fmin(rung_next_time(ctx), rung_next_arrival(ctx, t));
        const double next = fmin(stepping.stop, timed);
        int restarts;
        if (next > t)
            ended = rung_advance(&operations, &stepping, &t, next);
        else if (timed > rung_latest(t))
            break;
        else {
            stepping.is_now = stepping.is_crossing = 0;
            if (rung_advance_pass(&stepping, t, t, NULL, &restarts))
                ended = RUNG_ENDED_FAILED;
        }
    }
    *error = e->step_error;
    if (ended != RUNG_ENDED_FAILED)
        return 0;
    memcpy(rung_memory(ctx), e->begin, n * sizeof *x);
    memcpy(e->sampled, e->begin_sampled, n * sizeof *x);
    memcpy(e->r.is_at_zero, e->begin_at_zero, n);
    memcpy(x, e->begin_x, m->n_states * sizeof *x);
    if (history)
        rung_withdraw(history);
    return stepping.status ? stepping.status : 1;
}

#endif
