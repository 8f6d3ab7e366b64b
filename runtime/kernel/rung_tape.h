/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_tape.h -- in C libraries: the record of one step with events, for its adjoint
 * (rung_event_adjoint.h): its pieces, and the events between them.
 *
 *     piece, event | piece, event, event | piece
 *
 * An event ends the piece in which it is found, unless it changes no derivative: then the piece
 * keeps its end. RUNG_TAPE is defined where a library has an adjoint; else nothing happens here.
 */
#ifndef RUNG_TAPE_H
#define RUNG_TAPE_H

#include "rung_instance.h"
#include "rung_relation.h"
#include "rung_saltation.h"

typedef struct RungTape {
    double *record, *round; /* with room for so many: */
    uint32_t most, most_rounds;
    uint32_t n, n_rounds;
    int is_full; /* there were more */
} RungTape;

/* A record: these numbers; a snapshot at its begin, of an event another one at its end; of an event
 * for each relation its size if it causes the event, else -1. */
enum {
    RUNG_TAPE_IS_EVENT,
    RUNG_TAPE_T,
    RUNG_TAPE_END,         /* of a piece                                        */
    RUNG_TAPE_IS_STIFF,    /* a piece whose dense output follows slow solutions */
    RUNG_TAPE_IS_INSIDE,   /* an event before the end of its piece ...          */
    RUNG_TAPE_KEEPS,       /* ... which goes on behind it                       */
    RUNG_TAPE_IS_TIMED,    /* the event comes at a time of sample(), too        */
    RUNG_TAPE_FIRST_ROUND, /* of an event                                       */
    RUNG_TAPE_ROUNDS,
    RUNG_TAPE_HEAD
};

/* The numbers that a snapshot takes: states, memory, unknowns of blocks. */
static inline size_t rung_snapshot_size(const RungModel *m)
{
    return m->n_states + (size_t)m->event->n_memory + m->n_unknowns;
}

static inline size_t rung_record_size(const RungModel *m)
{
    return RUNG_TAPE_HEAD + 2 * rung_snapshot_size(m) + m->n_events;
}

/* A round of an event: a snapshot, and for each action whether it is due. */
static inline size_t rung_round_size(const RungModel *m)
{
    return rung_snapshot_size(m) + m->event->n_actions;
}

static inline double *rung_record_at(const RungTape *it, const RungModel *m, uint32_t k)
{
    return it->record + k * rung_record_size(m);
}

static inline double *rung_snapshot_of(const RungModel *m, double *record, int is_behind)
{
    return record + RUNG_TAPE_HEAD + (is_behind ? rung_snapshot_size(m) : 0);
}

static inline double *rung_causes_of(const RungModel *m, double *record)
{
    return record + RUNG_TAPE_HEAD + 2 * rung_snapshot_size(m);
}

RUNG_PART void rung_put_snapshot(const RungContext *ctx, const double *x, double *to)
{
    const RungModel *m = ctx->model;
    memcpy(to, x, m->n_states * sizeof *to);
    to += m->n_states;
    memcpy(to, ctx->u + m->n_inputs, m->event->n_memory * sizeof *to);
    memcpy(to + m->event->n_memory, ctx->z, m->n_unknowns * sizeof *to);
}

/* Memory and first guesses as they were; the states are the first numbers. */
RUNG_PART void rung_take_snapshot(const RungContext *ctx, const double *from)
{
    const RungModel *m = ctx->model;
    from += m->n_states;
    memcpy(ctx->u + m->n_inputs, from, m->event->n_memory * sizeof *from);
    memcpy(ctx->z, from + m->event->n_memory, m->n_unknowns * sizeof *from);
}

#if defined(RUNG_TAPE)

/* NULL: the tape is full. */
RUNG_PART double *rung_tape_new(RungTape *it, const RungContext *ctx, double t, const double *x)
{
    double *r;
    if (it->n >= it->most) {
        it->is_full = 1;
        return NULL;
    }
    r = rung_record_at(it, ctx->model, it->n++);
    memset(r, 0, RUNG_TAPE_HEAD * sizeof *r);
    r[RUNG_TAPE_T] = t;
    r[RUNG_TAPE_FIRST_ROUND] = (double)it->n_rounds;
    rung_put_snapshot(ctx, x, rung_snapshot_of(ctx->model, r, 0));
    return r;
}

RUNG_PART double *rung_tape_last(const RungTape *it, const RungContext *ctx)
{
    return it->n && !it->is_full ? rung_record_at(it, ctx->model, it->n - 1) : NULL;
}

/* A piece begins; it has been made. */
RUNG_PART void rung_tape_piece(RungTape *it, const RungContext *ctx, double t, double end,
                               const double *x)
{
    double *r = it ? rung_tape_new(it, ctx, t, x) : NULL;
    if (r)
        r[RUNG_TAPE_END] = end;
}

RUNG_PART void rung_tape_made(const RungTape *it, const RungContext *ctx)
{
    double *r = it ? rung_tape_last(it, ctx) : NULL;
    if (r)
        r[RUNG_TAPE_IS_STIFF] = (double)((const RungRoom *)ctx->user)->step.is_stiff;
}

/* An event begins at t. */
RUNG_PART int rung_tape_event(RungTape *it, RungContext *ctx, RungRelations *relations, double t,
                              const double *x, RungCause what, int is_timed)
{
    double *r = it ? rung_tape_new(it, ctx, t, x) : NULL, *cause;
    int any = 0;
    if (!r)
        return 0;
    cause = rung_causes_of(ctx->model, r);
    r[RUNG_TAPE_IS_EVENT] = 1;
    r[RUNG_TAPE_IS_TIMED] = (double)is_timed;
    for (uint32_t k = 0; k < relations->n; k++)
        cause[k] = -1;
    if (what == RUNG_CAUSE_START || what == RUNG_CAUSE_TIME || !relations->n)
        return 0;
    if (rung_evaluate(ctx, RUNG_ASK_RELATIONS, t, x, relations->g))
        return 1;
    // as in the iteration that follows
    relations->is_iterating = 1;
    for (uint32_t k = 0; k < relations->n; k++)
        if (rung_is_other(relations, k, relations->g[k])) {
            cause[k] = relations->size[relations->relation[k]];
            any = 1;
        }
    relations->is_iterating = 0;
    if (what != RUNG_CAUSE_SEARCH || any || is_timed)
        return 0;
    return -rung_fails(ctx, "which relation makes the event is not known, nor how its time depends "
                            "on parameters");
}

/* A round of the event iteration, before its reinit() and assignments are carried out; their values
 * are in `out` (RungEvents). */
RUNG_PART void rung_tape_round(RungTape *it, const RungContext *ctx, const double *x,
                               const double *out)
{
    const RungModel *m = ctx->model;
    const RungEvents *table = m->event;
    double *r = it ? rung_tape_last(it, ctx) : NULL, *to;
    int any = m->adjoint->n_kept > 0;
    for (uint32_t k = 0; k < table->n_actions; k++)
        any = any ||
              (table->action[k].kind == RUNG_REINIT && out[table->n_memory + 2 * (size_t)k] != 0);
    if (!r || !any)
        return;
    if (it->n_rounds >= it->most_rounds) {
        it->is_full = 1;
        return;
    }
    to = it->round + it->n_rounds++ * rung_round_size(m);
    rung_put_snapshot(ctx, x, to);
    to += rung_snapshot_size(m);
    for (uint32_t k = 0; k < table->n_actions; k++)
        to[k] = table->action[k].kind == RUNG_REINIT && out[table->n_memory + 2 * (size_t)k] != 0;
    r[RUNG_TAPE_ROUNDS]++;
}

/* It ends. */
RUNG_PART void rung_tape_behind(const RungTape *it, const RungContext *ctx, const double *x)
{
    double *r = it ? rung_tape_last(it, ctx) : NULL;
    if (r)
        rung_put_snapshot(ctx, x, rung_snapshot_of(ctx->model, r, 1));
}

/* The last event was before the end of its piece, which goes on, or not. */
RUNG_PART void rung_tape_inside(const RungTape *it, const RungContext *ctx, int keeps)
{
    double *r = it ? rung_tape_last(it, ctx) : NULL;
    if (!r)
        return;
    r[RUNG_TAPE_IS_INSIDE] = 1;
    r[RUNG_TAPE_KEEPS] = (double)keeps;
}

/* Whether derivatives may jump at an event at which values do not. */
RUNG_PART int rung_tape_jumps(const RungContext *ctx, int has_set)
{
    const RungAdjoint *a = ctx->model->adjoint;
    for (uint32_t k = 0; k < a->n_kept; k++)
        has_set = has_set || ctx->model->event->memory[a->kept[k]].is_driving;
    return has_set;
}

#else

RUNG_PART void rung_tape_piece(RungTape *it, const RungContext *ctx, double t, double end,
                               const double *x)
{
    (void)it, (void)ctx, (void)t, (void)end, (void)x;
}

RUNG_PART void rung_tape_made(const RungTape *it, const RungContext *ctx)
{
    (void)it, (void)ctx;
}

RUNG_PART int rung_tape_event(RungTape *it, RungContext *ctx, RungRelations *relations, double t,
                              const double *x, RungCause what, int is_timed)
{
    (void)it, (void)ctx, (void)relations, (void)t, (void)x, (void)what, (void)is_timed;
    return 0;
}

RUNG_PART void rung_tape_round(RungTape *it, const RungContext *ctx, const double *x,
                               const double *out)
{
    (void)it, (void)ctx, (void)x, (void)out;
}

RUNG_PART void rung_tape_behind(const RungTape *it, const RungContext *ctx, const double *x)
{
    (void)it, (void)ctx, (void)x;
}

RUNG_PART void rung_tape_inside(const RungTape *it, const RungContext *ctx, int keeps)
{
    (void)it, (void)ctx, (void)keeps;
}

RUNG_PART int rung_tape_jumps(const RungContext *ctx, int has_set)
{
    (void)ctx, (void)has_set;
    return 0;
}

#endif

#endif
