/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Of memory k of this kind, event `number`. */
static double time_of(const Events *e, const Run *run, uint32_t k, double number)
{
    return rung_sample_time(run->problem.ctx, &e->table->memory[k], e->times.start, number);
}

/* Times of which more than one in eight roundings come are not counted. */
static bool is_interval(Run *run, const RungMemory *m)
{
    const char *of = m->kind == RUNG_SAMPLE ? "sample()" : "a clock";
    double interval = rung_interval(run->problem.ctx, m);
    double latest = fmax(fabs(run->t), isfinite(run->stop) ? fabs(run->stop) : 0);
    double shortest = 8 * DBL_EPSILON * latest;
    if (interval > 0 && interval > shortest)
        return true;
    if (interval > 0)
        snprintf(run->problem.why, sizeof run->problem.why,
                 "the interval of %s, %.3g s, is below the rounding of times up to %.9g", of,
                 interval, latest);
    else
        snprintf(run->problem.why, sizeof run->problem.why, "the interval of %s must be positive",
                 of);
    return false;
}

bool event_times_new(Events *e)
{
    EventTimes *times = &e->times;
    uint32_t n = e->table->n_memory;
    times->memory = calloc(n + (size_t)1, sizeof *times->memory);
    times->next = calloc(n + (size_t)1, sizeof *times->next);
    times->number = calloc(n + (size_t)1, sizeof *times->number);
    if (!times->memory || !times->next || !times->number || !some_new(&times->now, n))
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (rung_is_timed(&e->table->memory[k]))
            times->memory[times->n++] = k;
    return true;
}

void event_times_free(Events *e)
{
    free(e->times.memory);
    free(e->times.next);
    free(e->times.number);
    some_free(&e->times.now);
}

int event_times_start(Events *e, Run *run, bool *now)
{
    *now = false;
    e->times.start = run->t;
    for (uint32_t i = 0; i < e->times.n; i++) {
        uint32_t k = e->times.memory[i];
        const RungMemory *m = &e->table->memory[k];
        if (!is_interval(run, m))
            return 1;
        e->times.number[k] = rung_first_number(run->problem.ctx, m, run->t);
        *now = *now || time_of(e, run, k, e->times.number[k]) <= run->t;
    }
    return 0;
}

double events_next_time(const Events *e, const Run *run)
{
    double next = INFINITY;
    if (e->times.is_heap && e->remembers)
        return e->times.n ? e->times.next[e->times.memory[0]] : next;
    for (uint32_t i = 0; i < e->times.n; i++)
        next = fmin(next, time_of(e, run, e->times.memory[i], e->times.number[e->times.memory[i]]));
    return next;
}

/* The heap of `timed` where number i has become later: the one that is next, first. */
static void sink(Events *e, uint32_t i)
{
    uint32_t n = e->times.n;
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n &&
            e->times.next[e->times.memory[child + 1]] < e->times.next[e->times.memory[child]])
            child++;
        uint32_t up = e->times.memory[i], down = e->times.memory[child];
        if (e->times.next[up] <= e->times.next[down])
            return;
        e->times.memory[i] = down;
        e->times.memory[child] = up;
    }
}

static void make_heap(Events *e, const Run *run)
{
    for (uint32_t i = 0; i < e->times.n; i++)
        e->times.next[e->times.memory[i]] =
            time_of(e, run, e->times.memory[i], e->times.number[e->times.memory[i]]);
    for (uint32_t i = e->times.n / 2; i-- > 0;)
        sink(e, i);
    e->times.is_heap = true;
}

void event_times_begin(Events *e, const Run *run)
{
    double now = rung_latest(run->t);
    if (!e->times.is_heap)
        make_heap(e, run);
    some_clear(&e->times.now);
    while (e->times.n && !(e->times.next[e->times.memory[0]] > now) &&
           !e->times.now.has[e->times.memory[0]]) {
        uint32_t k = e->times.memory[0];
        some_add(&e->times.now, k);
        event_set_memory(e, k, 1);
        e->times.number[k]++;
        e->times.next[k] = time_of(e, run, k, e->times.number[k]);
        sink(e, 0);
    }
}

void event_times_end(Events *e)
{
    for (uint32_t i = 0; i < e->times.now.n; i++)
        event_set_memory(e, e->times.now.at[i], 0);
    some_clear(&e->times.now);
}

int events_change(Events *e, Run *run, const double *old)
{
    double now = rung_latest(run->t);
    for (uint32_t i = 0; e->table && i < e->times.n; i++) {
        uint32_t k = e->times.memory[i];
        const RungMemory *m = &e->table->memory[k];
        bool moves =
            (m->interval_in != RUNG_NONE &&
             old[m->interval_in] != run->problem.ctx->c[m->interval_in]) ||
            (m->start_in != RUNG_NONE && old[m->start_in] != run->problem.ctx->c[m->start_in]);
        if (!moves)
            continue;
        if (!is_interval(run, m))
            return 1;
        double first = time_of(e, run, k, 0);
        double between = time_of(e, run, k, 1) - first;
        e->times.number[k] = fmax(0, floor((run->t - first) / between));
        while (time_of(e, run, k, e->times.number[k]) <= now)
            e->times.number[k]++;
    }
    e->times.is_heap = false;
    return 0;
}
