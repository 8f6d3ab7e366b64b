/* SPDX-License-Identifier: BSD-3-Clause */
#include "event_parts.h"

#include <stdlib.h>
#include <string.h>

bool some_new(Some *s, uint32_t n)
{
    s->n = 0;
    s->at = calloc(n + (size_t)1, sizeof *s->at);
    s->has = calloc(n + (size_t)1, sizeof *s->has);
    return s->at && s->has;
}

void some_free(Some *s)
{
    free(s->at);
    free(s->has);
}

void some_add(Some *s, uint32_t k)
{
    if (s->has[k])
        return;
    s->has[k] = true;
    s->at[s->n++] = k;
}

void some_clear(Some *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        s->has[s->at[i]] = false;
    s->n = 0;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void some_sort(Some *s)
{
    bool is_sorted = true;
    for (uint32_t i = 1; i < s->n; i++)
        is_sorted = is_sorted && s->at[i - 1] < s->at[i];
    if (!is_sorted)
        qsort(s->at, s->n, sizeof *s->at, by_number);
}

/* One part that finds all. */
static bool make_whole(Parts *p, uint32_t n_out)
{
    static const uint32_t nature[] = {RUNG_PART_MOVES | RUNG_PART_ALWAYS | RUNG_PART_CURVED};
    static const uint32_t nothing[] = {0, 0};
    p->is_whole = true;
    p->buffer = calloc(n_out + (size_t)2, sizeof *p->buffer);
    if (!p->buffer)
        return false;
    p->buffer[1] = n_out;
    for (uint32_t k = 0; k < n_out; k++)
        p->buffer[k + 2] = k;
    p->table = (RungEventParts){.n = 1,
                                .first_out = p->buffer,
                                .out = p->buffer + 2,
                                .first_read = nothing,
                                .read = nothing,
                                .nature = nature};
    return true;
}

bool parts_new(Parts *p, const RungEventParts *table, RungQuestion of, uint32_t n_out,
               uint32_t n_memory)
{
    *p = (Parts){.of = of};
    if (table)
        p->table = *table;
    else if (!make_whole(p, n_out))
        return false;
    const RungEventParts *t = &p->table;
    p->first_reader = calloc(n_memory + (size_t)2, sizeof *p->first_reader);
    p->reader = calloc(t->first_read[t->n] + (size_t)1, sizeof *p->reader);
    p->moving = calloc(t->n + (size_t)1, sizeof *p->moving);
    p->always = calloc(t->n + (size_t)1, sizeof *p->always);
    if (!some_new(&p->due, t->n) || !some_new(&p->done, t->n) || !p->first_reader || !p->reader ||
        !p->moving || !p->always)
        return false;
    // counted, then filled from behind
    for (uint32_t i = 0; i < t->first_read[t->n]; i++)
        p->first_reader[t->read[i]]++;
    for (uint32_t k = 0, sum = 0; k <= n_memory; k++)
        p->first_reader[k] = sum += p->first_reader[k];
    for (uint32_t k = t->n; k-- > 0;) {
        for (uint32_t i = t->first_read[k]; i < t->first_read[k + 1]; i++)
            p->reader[--p->first_reader[t->read[i]]] = k;
    }
    for (uint32_t k = 0; k < t->n; k++) {
        if (t->nature[k] & RUNG_PART_MOVES)
            p->moving[p->n_moving++] = k;
        if (t->nature[k] & RUNG_PART_ALWAYS)
            p->always[p->n_always++] = k;
    }
    parts_touch_all(p);
    return true;
}

void parts_free(Parts *p)
{
    some_free(&p->due);
    some_free(&p->done);
    free(p->buffer);
    free(p->first_reader);
    free(p->reader);
    free(p->moving);
    free(p->always);
}

void parts_touch(Parts *p, uint32_t memory)
{
    for (uint32_t i = p->first_reader[memory]; i < p->first_reader[memory + 1]; i++)
        some_add(&p->due, p->reader[i]);
}

void parts_touch_moving(Parts *p)
{
    for (uint32_t i = 0; i < p->n_moving; i++)
        some_add(&p->due, p->moving[i]);
}

void parts_touch_all(Parts *p)
{
    for (uint32_t k = 0; k < p->table.n; k++)
        some_add(&p->due, k);
}

int parts_evaluate_one(Parts *p, Problem *problem, uint32_t k, double t, const double *x,
                       double *out)
{
    if (p->of != RUNG_ASK_OUTPUTS)
        problem->counts->event_values += p->table.first_out[k + 1] - p->table.first_out[k];
    return p->is_whole ? problem_evaluate(problem, p->of, t, x, out)
                       : p->table.evaluate[k](problem->ctx, t, x, out);
}

static int evaluate_all(Parts *p, Problem *problem, double t, const double *x, double *out)
{
    if (p->of != RUNG_ASK_OUTPUTS)
        problem->counts->event_values += p->table.first_out[p->table.n];
    for (uint32_t k = 0; k < p->table.n; k++)
        some_add(&p->done, k);
    return problem_evaluate(problem, p->of, t, x, out);
}

int parts_evaluate(Parts *p, Problem *problem, double t, const double *x, double *out)
{
    for (uint32_t i = 0; i < p->n_always; i++)
        some_add(&p->due, p->always[i]);
    int status = 0;
    if (p->due.n == p->table.n || problem->is_numeric) {
        status = evaluate_all(p, problem, t, x, out);
    } else {
        problem_refresh(problem, t,
                        x); // the caller reads inputs and delays, too
        some_sort(&p->due);
        for (uint32_t i = 0; i < p->due.n && !status; i++) {
            status = parts_evaluate_one(p, problem, p->due.at[i], t, x, out);
            some_add(&p->done, p->due.at[i]);
        }
        // the fallback may evaluate it, or give the reason of the failure
        if (status)
            status = evaluate_all(p, problem, t, x, out);
    }
    if (!status)
        some_clear(&p->due);
    return status;
}
