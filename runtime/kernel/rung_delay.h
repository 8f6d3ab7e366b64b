/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_delay.h -- what delayed expressions were (MLS 3.7.4.1), where there is no runtime
 * (rung_instance.h): points in an array of the caller's, the oldest dropped when nothing reaches
 * them any more, read by interpolation as in delay.c. Points are the ends of steps; where a time
 * occurs twice something may jump.
 */
#ifndef RUNG_DELAY_H
#define RUNG_DELAY_H

#include "rung_instance.h"

/* In ctx->user->history. */
typedef struct RungHistory {
    uint32_t n, room;         /* delays; points that there is room for         */
    const uint32_t *memory;   /* n: which of memory they are                   */
    double *point;            /* room: a time and n values                     */
    double *now;              /* n                                             */
    uint32_t *first, *points; /* the oldest, and how many there are behind it  */
    uint32_t added;           /* since the step began that may be taken back   */
    double kept;              /* nothing looks at what is delayed before that  */
} RungHistory;

/* Points that an interpolation takes. */
enum { RUNG_AROUND = 6 };

RUNG_PART const RungHistory *rung_history(const RungContext *ctx)
{
    return ((const RungRoom *)ctx->user)->history;
}

RUNG_PART double *rung_point(const RungHistory *h, uint32_t k)
{
    return h->point + (size_t)((*h->first + k) % h->room) * (h->n + 1);
}

RUNG_PART double rung_lag(const RungContext *ctx, uint32_t k)
{
    const RungMemory *m = &ctx->model->event->memory[rung_history(ctx)->memory[k]];
    return m->start_in == RUNG_NONE ? m->start : ctx->c[m->start_in];
}

RUNG_PART double rung_shortest_lag(const RungContext *ctx)
{
    double least = DBL_MAX;
    for (uint32_t k = 0; k < rung_history(ctx)->n; k++)
        if (rung_lag(ctx, k) > 0)
            least = fmin(least, rung_lag(ctx, k));
    return least;
}

/* Delay k at t: behind a jump what it is behind it, before the first point as at that one. */
RUNG_PART double rung_delayed(const RungHistory *h, uint32_t k, double t)
{
    uint32_t low = 0, high = *h->points - 1, first, end;
    if (high == 0 || t < rung_point(h, 0)[0])
        return rung_point(h, 0)[1 + k];
    if (t >= rung_point(h, high)[0])
        return rung_point(h, high)[1 + k];
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (rung_point(h, middle)[0] <= t)
            low = middle;
        else
            high = middle;
    }
    // nor points much closer than these: what a step is off from the next one would be multiplied
    const double least = (rung_point(h, high)[0] - rung_point(h, low)[0]) / 2;
    int grows = 1;
    for (first = low, end = high; grows && end - first + 1 < RUNG_AROUND;) {
        const int left =
            first > 0 && rung_point(h, first)[0] - rung_point(h, first - 1)[0] >= least;
        const int right =
            end + 1 < *h->points && rung_point(h, end + 1)[0] - rung_point(h, end)[0] >= least;
        grows = left || right;
        if (left && (!right || low - first <= end - high))
            first--;
        else if (right)
            end++;
    }
    // what stays the same is so to the last digit, whatever the weights sum up to
    const double of_first = rung_point(h, first)[1 + k];
    double sum = of_first;
    for (uint32_t i = first; i <= end; i++) {
        double weight = 1;
        for (uint32_t j = first; j <= end; j++)
            if (j != i)
                weight *= (t - rung_point(h, j)[0]) / (rung_point(h, i)[0] - rung_point(h, j)[0]);
        sum += weight * (rung_point(h, i)[1 + k] - of_first);
    }
    return sum;
}

/* The delayed values at (t, x), into memory. For RungRoom.refresh. */
RUNG_PART int rung_refresh_delays(RungContext *ctx, double t, const double *x)
{
    const RungHistory *h = rung_history(ctx);
    double *memory = ctx->u + ctx->model->n_inputs;
    uint32_t zero = 0;
    if (!*h->points)
        return 0;
    const double last = rung_point(h, *h->points - 1)[0];
    for (uint32_t k = 0; k < h->n; k++) {
        const double lag = rung_lag(ctx, k);
        if (lag == 0) {
            zero++;
            continue;
        }
        if (t - lag > last + 1e-6 * lag + 64 * DBL_EPSILON * fabs(t)) {
            ((RungRoom *)ctx->user)->why = "what is delayed has not been recorded up to there";
            return 1;
        }
        memory[h->memory[k]] = rung_delayed(h, k, t - lag);
    }
    // what is not delayed is what it is, which others of the kind may depend on
    for (uint32_t round = 0; round < zero; round++) {
        const int status = rung_ask(ctx, RUNG_ASK_DELAYS, t, x, h->now);
        if (status)
            return status;
        for (uint32_t k = 0; k < h->n; k++)
            if (rung_lag(ctx, k) == 0)
                memory[h->memory[k]] = h->now[k];
    }
    return 0;
}

/* What is delayed at (t, x), behind the last point. */
RUNG_PART int rung_record(RungContext *ctx, double t, const double *x)
{
    RungRoom *room = (RungRoom *)ctx->user;
    RungHistory *h = room->history;
    double longest = 0;
    int status = rung_evaluate(ctx, RUNG_ASK_DELAYS, t, x, h->now);
    if (status)
        return status;
    if (*h->points == h->room) {
        for (uint32_t k = 0; k < h->n; k++)
            longest = fmax(longest, rung_lag(ctx, k));
        if (h->room <= RUNG_AROUND || !(rung_point(h, RUNG_AROUND)[0] < h->kept - longest)) {
            room->why = "the history of the delays has no room for what they reach back to";
            return -1;
        }
        *h->first = (*h->first + 1) % h->room;
        --*h->points;
    }
    ++*h->points;
    h->added++;
    double *point = rung_point(h, *h->points - 1);
    point[0] = t;
    for (uint32_t k = 0; k < h->n; k++)
        point[1 + k] = h->now[k];
    return 0;
}

/* At the start nothing was before: expressions were what they are there. Negative: that cannot be;
 * 1: memory is another than before. */
RUNG_PART int rung_begin_history(RungContext *ctx, double t, const double *x)
{
    RungHistory *h = ((RungRoom *)ctx->user)->history;
    double *memory = ctx->u + ctx->model->n_inputs;
    int moved = 0;
    h->kept = t;
    for (uint32_t k = 0; k < h->n; k++)
        if (!(rung_lag(ctx, k) >= 0)) {
            ((RungRoom *)ctx->user)->why = "a delay is negative";
            return -1;
        }
    // others may depend on one that is what it is
    for (uint32_t round = 0; round <= h->n; round++) {
        *h->first = *h->points = 0;
        if (rung_record(ctx, t, x))
            return -1;
        for (uint32_t k = 0; k < h->n; k++) {
            moved = moved || memory[h->memory[k]] != h->now[k];
            memory[h->memory[k]] = h->now[k];
        }
    }
    return moved;
}

/* A step begins at t: what was recorded behind it is forgotten, it is itself recorded. */
RUNG_PART int rung_continue_history(RungContext *ctx, double t, const double *x)
{
    RungHistory *h = ((RungRoom *)ctx->user)->history;
    const double rounding = 64 * DBL_EPSILON * fabs(t);
    while (*h->points > 0 && rung_point(h, *h->points - 1)[0] > t + rounding)
        --*h->points;
    h->added = 0;
    h->kept = t;
    if (*h->points && rung_point(h, *h->points - 1)[0] >= t - rounding)
        return 0;
    const int status = rung_record(ctx, t, x);
    h->added = 0;
    return status;
}

#endif
