/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"
#include "fallback.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool events_new(Events *e, Run *run)
{
    const RungModel *m = run->model;
    *e = (Events){.table = m->event};
    if (!e->table)
        return true;
    uint32_t n = e->table->n_memory;
    e->memory = run->ctx->u + m->n_inputs;
    e->out = calloc((size_t)n + 2 * (size_t)e->table->n_actions + 1, sizeof(double));
    e->g = calloc(m->n_events + (size_t)1, sizeof(double));
    e->x = calloc(m->n_states + (size_t)1, sizeof(double));
    e->sampled = calloc(n + (size_t)1, sizeof(double));
    e->size = calloc(n + (size_t)1, sizeof(double));
    e->z = calloc(m->n_unknowns + (size_t)1, sizeof(double));
    return e->z && e->out && e->g && e->x && e->sampled && e->size;
}

void events_free(Events *e)
{
    free(e->out);
    free(e->g);
    free(e->x);
    free(e->sampled);
    free(e->z);
    free(e->size);
}

/* Relation k with what it compares. What is found by Newton's method and by interpolation is zero
 * up to some noise only; a relation stays what it is until the noise is left behind, or one
 * crossing would be a thousand events. Of time alone there is none. */
static bool holds(Events *e, uint32_t k, double g, bool fresh)
{
    static const double noise = 1e-10;
    const RungMemory *m = &e->table->memory[k];
    if (fabs(g) > e->size[k])
        e->size[k] = fabs(g);
    if (!m->is_exact && !fresh && fabs(g) <= noise * e->size[k])
        return e->memory[k] != 0;
    return m->is_strict ? g < 0 : g <= 0;
}

static double value_of(const Run *run, double value, uint32_t in)
{
    return in == RUNG_NONE ? value : run->ctx->c[in];
}

static double sample_time(const Events *e, const Run *run, uint32_t k, double number)
{
    const RungMemory *m = &e->table->memory[k];
    return value_of(run, m->start, m->start_in) +
           number * value_of(run, m->interval, m->interval_in);
}

static int cannot(Run *run)
{
    char why[400];
    run_explain(run, why, sizeof why);
    snprintf(run->why, sizeof run->why, "the event cannot be evaluated: %s", why);
    return 1;
}

static int evaluate(Events *e, Run *run)
{
    return run_evaluate(run, PART_EVENT, run->t, run->x, e->out) ? cannot(run) : 0;
}

/* Relations as they are, until they agree with what follows from them. */
static int settle_relations(Events *e, Run *run, bool fresh)
{
    enum { MOST = 200 };
    for (int round = 0; round < MOST; round++) {
        run->ctx->settles = 1;
        int status = evaluate(e, run);
        bool agree = run->ctx->settles == 1;
        run->ctx->settles = 0;
        if (status)
            return 1;
        bool changed = false;
        for (uint32_t k = 0; k < e->table->n_memory; k++) {
            const RungMemory *m = &e->table->memory[k];
            double now = e->memory[k];
            if (m->kind == RUNG_RELATION)
                now = holds(e, k, e->out[k], fresh && round < 10);
            changed = changed || now != e->memory[k];
            e->memory[k] = now;
        }
        if (!changed) /* what does not agree now never will */
            return agree ? 0 : evaluate(e, run);
    }
    snprintf(run->why, sizeof run->why, "the relations of the model find no consistent values");
    return 1;
}

/* Actions that are due; *moved if a state was set. */
static void act(Events *e, Run *run, bool *moved)
{
    const RungEvents *t = e->table;
    for (uint32_t k = 0; k < t->n_actions; k++) {
        const RungAction *a = &t->action[k];
        const double *out = e->out + t->n_memory + 2 * (size_t)k;
        if (out[0] == 0)
            continue;
        switch ((RungActionKind)a->kind) {
        case RUNG_REINIT:
            *moved = *moved || run->x[a->state] != out[1];
            run->x[a->state] = out[1];
            break;
        case RUNG_TERMINATE:
            e->is_over = true;
            e->over = a;
            break;
        }
    }
}

/* pre(v) follows v; false when it had. */
static bool take_values(Events *e)
{
    bool changed = false;
    for (uint32_t k = 0; k < e->table->n_memory; k++) {
        if (e->table->memory[k].kind != RUNG_PRE)
            continue;
        changed = changed || e->memory[k] != e->out[k];
        e->memory[k] = e->out[k];
    }
    return changed;
}

/* MLS 8.6, appendix B: solve, then pre(v) = v, until nothing changes any more. */
static int iterate(Events *e, Run *run)
{
    enum { MOST = 200 };
    for (int round = 0; round < MOST; round++) {
        bool moved = false;
        if (settle_relations(e, run, false))
            return 1;
        // assertions in when-clauses hold or not now, before pre(v) follows
        e->failed = e->check ? e->check(e->user, run) : 0;
        if (e->failed)
            return 1;
        act(e, run, &moved);
        if (!take_values(e) && !moved)
            return 0;
    }
    snprintf(run->why, sizeof run->why, "the event iteration finds no end");
    return 1;
}

static void set_all(Events *e, RungMemoryKind kind, double value)
{
    for (uint32_t k = 0; k < e->table->n_memory; k++)
        if (e->table->memory[k].kind == kind)
            e->memory[k] = value;
}

void events_reset(Events *e, Run *run)
{
    for (uint32_t k = 0; e->table && k < e->table->n_memory; k++) {
        const RungMemory *m = &e->table->memory[k];
        if (m->kind == RUNG_PRE)
            e->memory[k] = value_of(run, m->start, m->start_in);
    }
}

int events_begin(Events *e, Run *run)
{
    if (!e->table)
        return 0;
    bool samples_now = false;
    for (uint32_t k = 0; k < e->table->n_memory; k++) {
        const RungMemory *m = &e->table->memory[k];
        if (m->kind != RUNG_SAMPLE)
            continue;
        double interval = value_of(run, m->interval, m->interval_in);
        if (!(interval > 0)) {
            snprintf(run->why, sizeof run->why, "the interval of sample() must be positive");
            return 1;
        }
        double begun = (run->t - value_of(run, m->start, m->start_in)) / interval;
        e->sampled[k] = begun > 0 ? ceil(begun) : 0;
        samples_now = samples_now || sample_time(e, run, k, e->sampled[k]) <= run->t;
    }
    set_all(e, RUNG_INITIAL, 1);
    bool moved = false;
    if (settle_relations(e, run, true))
        return 1;
    act(e, run, &moved);
    take_values(e);
    set_all(e, RUNG_INITIAL, 0);
    return samples_now ? events_handle(e, run) : iterate(e, run);
}

double events_next_time(const Events *e, const Run *run)
{
    double next = INFINITY;
    for (uint32_t k = 0; e->table && k < e->table->n_memory; k++)
        if (e->table->memory[k].kind == RUNG_SAMPLE)
            next = fmin(next, sample_time(e, run, k, e->sampled[k]));
    return next;
}

/* Whether a relation at (t, x) is not what memory says. Not where it cannot be said: the method has
 * its own way with such points. */
static bool differs(Events *e, Run *run, double t, const double *x)
{
    const RungModel *m = run->model;
    // looking leaves the first guesses of blocks as the method had them
    memcpy(e->z, run->ctx->z, m->n_unknowns * sizeof *e->z);
    int status = m->n_events ? run_evaluate(run, PART_EVENTS, t, x, e->g) : 1;
    memcpy(run->ctx->z, e->z, m->n_unknowns * sizeof *e->z);
    if (status)
        return false;
    bool differ = false;
    uint32_t g = 0;
    for (uint32_t k = 0; k < e->table->n_memory; k++)
        if (e->table->memory[k].kind == RUNG_RELATION)
            differ = holds(e, k, e->g[g++], false) != (e->memory[k] != 0) || differ;
    return differ;
}

int events_look(Events *e, Run *run, const Integrator *method, void *self, double t0, bool *found)
{
    *found = false;
    if (!e->table)
        return 0;
    double low = t0, high = run->t;
    // a relation that is crossed twice in one step shows in its middle
    double middle = t0 + (run->t - t0) / 2;
    bool differ = false;
    if (run->model->n_events) {
        method->at(self, run, middle, e->x);
        differ = differs(e, run, middle, e->x);
        high = differ ? middle : high;
        differ = differ || differs(e, run, run->t, run->x);
    }
    if (!differ) {
        *found = events_next_time(e, run) <= run->t;
        memcpy(e->x, run->x, run->n * sizeof *e->x);
        e->t = run->t;
        return 0;
    }
    double least = 4 * DBL_EPSILON * fmax(fabs(run->t), fabs(t0));
    while (high - low > least) {
        middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        method->at(self, run, middle, e->x);
        *(differs(e, run, middle, e->x) ? &high : &low) = middle;
    }
    method->at(self, run, high, e->x);
    if (high == run->t)
        memcpy(e->x, run->x, run->n * sizeof *e->x);
    e->t = high;
    *found = true;
    return 0;
}

void events_go(Events *e, Run *run)
{
    run->t = e->t;
    memcpy(run->x, e->x, run->n * sizeof *e->x);
}

/* So many events in so small a part of the run that it would never end. */
static bool is_crowded(Events *e, Run *run)
{
    enum { MANY = 1000 };
    if (e->n % MANY)
        return false;
    double span = run->t - e->t_many;
    e->t_many = run->t;
    if (e->n < MANY || span > 1e-6 * (run->s->stop - run->s->start))
        return false;
    snprintf(run->why, sizeof run->why,
             "events follow one another without end, the last %d within %.3g", MANY, span);
    return true;
}

int events_handle(Events *e, Run *run)
{
    if (is_crowded(e, run))
        return 1;
    e->n++;
    for (uint32_t k = 0; k < e->table->n_memory; k++) {
        if (e->table->memory[k].kind != RUNG_SAMPLE)
            continue;
        // times a few roundings apart are one
        double now = sample_time(e, run, k, e->sampled[k]);
        if (now > run->t + 8 * DBL_EPSILON * fabs(run->t))
            continue;
        e->memory[k] = 1;
        e->sampled[k]++;
    }
    if (iterate(e, run))
        return 1;
    set_all(e, RUNG_SAMPLE, 0);
    return iterate(e, run);
}

bool events_has_end(const Events *e)
{
    for (uint32_t k = 0; e->table && k < e->table->n_memory; k++)
        if (e->table->memory[k].kind == RUNG_TERMINAL)
            return true;
    return false;
}

int events_end(Events *e, Run *run)
{
    set_all(e, RUNG_TERMINAL, 1);
    return iterate(e, run);
}
