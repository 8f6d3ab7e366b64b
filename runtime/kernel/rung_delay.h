/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rung_delay.h -- histories of delayed expressions (MLS 3.7.4.1) for C libraries (rung_instance.h):
 * points in an array of the caller's, the oldest dropped when no delay reaches back to them any
 * more, interpolated as in delay.c. Points are the ends of steps; two points at one time are a
 * jump.
 */
#ifndef RUNG_DELAY_H
#define RUNG_DELAY_H

#include "rung_instance.h"

/* In ctx->user->history. */
typedef struct RungHistory {
    uint32_t n, room;         /* delays; capacity in points */
    const uint32_t *memory;   /* n: index of each delay in memory */
    double *point;            /* room: each a time and n values */
    double *now;              /* n                                             */
    uint32_t *first, *points; /* the oldest, and how many there are behind it  */
    uint32_t added;           /* points since the start of the present step */
    double kept;              /* points older than this minus the longest delay are free */
    double begin;             /* of a piece of a step: a jump that arrives later ends it */
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

/* Rounding of a time in the past, which is the present time less the delay. */
RUNG_PART double rung_close(const RungHistory *h, double past)
{
    return 32 * DBL_EPSILON * (fabs(past) + fabs(rung_point(h, *h->points - 1)[0]));
}

/* The last point up to t; the first one where all are later. */
RUNG_PART uint32_t rung_point_before(const RungHistory *h, double t)
{
    uint32_t low = 0, high = *h->points;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (rung_point(h, middle)[0] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Expression k at t: at a jump its value after it, or before it; before the first point that of the
 * first point. */
RUNG_PART double rung_delayed(const RungHistory *h, uint32_t k, double t, int is_before)
{
    const double close = rung_close(h, t);
    uint32_t low = rung_point_before(h, t + close), high, first, end;
    if (rung_point(h, low)[0] >= t - close) {
        while (is_before && low > 0 && rung_point(h, low - 1)[0] >= t - close)
            low--;
        return rung_point(h, low)[1 + k];
    }
    high = low + 1;
    if (high == *h->points)
        return rung_point(h, low)[1 + k];
    // points closer than this would amplify the errors of single steps
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
    // a constant is reproduced exactly, whatever the weights sum up to
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
        memory[h->memory[k]] = rung_delayed(h, k, t - lag, t > h->begin + rung_close(h, t));
    }
    // delays of zero are the present values, on which other delays of zero may depend
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

/* When the first jump arrives behind the begin of the piece, which has come to t: t, where that is
 * so but for rounding; DBL_MAX: none does. */
RUNG_PART double rung_next_arrival(const RungContext *ctx, double t)
{
    const double rounding = 1e-10;
    const RungHistory *h = rung_history(ctx);
    double next = DBL_MAX, longest = 0;
    uint32_t i;
    if (!h || !*h->points)
        return next;
    for (uint32_t k = 0; k < h->n; k++)
        longest = fmax(longest, rung_lag(ctx, k));
    for (i = 1 + rung_point_before(h, h->begin - longest); i < *h->points; i++) {
        const double *here = rung_point(h, i), *before = rung_point(h, i - 1);
        for (uint32_t k = 0; k < h->n && here[0] == before[0]; k++) {
            const double a = before[1 + k], b = here[1 + k], at = here[0] + rung_lag(ctx, k);
            if (rung_lag(ctx, k) > 0 && fabs(b - a) > rounding * (fabs(a) + fabs(b)) &&
                at > h->begin + rung_close(h, here[0]))
                next = fmin(next, at > t + rung_close(h, here[0]) ? at : t);
        }
    }
    return next;
}

/* n delays of an instance, over `room` points of a time and n values each. */
RUNG_PART void rung_open_history(RungContext *ctx, RungHistory *h, uint32_t n, uint32_t room,
                                 const uint32_t *memory, double *point, double *now,
                                 uint32_t *first, uint32_t *points)
{
    *h = (RungHistory){n, room, memory, point, now, first, points, 0, -DBL_MAX, DBL_MAX};
    ((RungRoom *)ctx->user)->history = h;
    ((RungRoom *)ctx->user)->refresh = rung_refresh_delays;
}

/* Takes back the points of the present step, which has failed. */
RUNG_PART void rung_withdraw(RungHistory *h)
{
    *h->points -= h->added;
    h->added = 0;
}

/* Appends the delayed expressions at (t, x) as a point. */
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

/* The history at the start: expressions have their initial values before it. Negative: a delay is
 * negative or an evaluation failed; 1: memory has changed. */
RUNG_PART int rung_begin_history(RungContext *ctx, double t, const double *x)
{
    RungHistory *h = ((RungRoom *)ctx->user)->history;
    double *memory = ctx->u + ctx->model->n_inputs;
    int moved = 0;
    h->kept = h->begin = t;
    for (uint32_t k = 0; k < h->n; k++)
        if (!(rung_lag(ctx, k) >= 0)) {
            ((RungRoom *)ctx->user)->why = "a delay is negative";
            return -1;
        }
    // a delayed expression may contain other delays
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

/* A step begins at t: later points are removed, and t is recorded. */
RUNG_PART int rung_continue_history(RungContext *ctx, double t, const double *x)
{
    RungHistory *h = ((RungRoom *)ctx->user)->history;
    const double rounding = 64 * DBL_EPSILON * fabs(t);
    while (*h->points > 0 && rung_point(h, *h->points - 1)[0] > t + rounding)
        --*h->points;
    h->added = 0;
    h->kept = h->begin = t;
    if (*h->points && rung_point(h, *h->points - 1)[0] >= t - rounding)
        return 0;
    const int status = rung_record(ctx, t, x);
    h->added = 0;
    return status;
}

#endif
