#include "study/sweep/lane_runs.h"

#include "runtime/kernel/lanes.h"
#include "runtime/kernel/rung_advance.h"
#include "runtime/kernel/rung_hermite.h"
#include "runtime/problem/context.h"
#include "runtime/run/range.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WIDTH = 16 };

/* A single instance with the values of one run, for computations outside the lanes. */
typedef struct Instance {
    RungContext *ctx;
    double *x; /* at the start */
    Ranges ranges;
} Instance;

typedef struct Block {
    const RungModel *m;
    Lanes *l;
    uint32_t n; /* lanes that are runs; behind them the last one is repeated */
    LaneRun *run;
    Instance one[MOST_WIDTH];
    unsigned alive;                     /* a bit per lane */
    uint32_t unstable[MOST_WIDTH];      /* steps, one after the other */
    double start, stop, step, interval; /* of all */
    double tolerance;
    /* Signals: of states, of `outputs`, of neither. */
    uint32_t n_signals;
    const uint32_t *row;
    RungVariable *signal;
    bool all_states;           /* no signal needs `outputs` */
    uint32_t n_read, *read;    /* states that are evaluated inside steps; NULL: all of them */
    double *inside, *v, *hold; /* in lanes: states, outputs, assertions */
    double *sample[LOBATTO], time[LOBATTO];
    double *x_one, *v_one; /* of one lane */
    const volatile sig_atomic_t *interrupt;
    uint64_t steps, next_row;
    double last_row; /* time of the last one */
    /* The current step. */
    double t0, t1;
    uint32_t lane;
    bool trouble; /* of the current lane */
} Block;

/* ---- the start of a run, by itself ---- */

typedef struct Probe {
    Instance *out;
    LaneRun *run;
    bool has_failed, has_stepped, ok;
} Probe;

static int probe_row(void *user, const RungContext *ctx, double t, const double *x, const double *v)
{
    Probe *p = user;
    const RungModel *m = ctx->model;
    if (p->out->ctx)
        return 0;
    RungContext *to = p->out->ctx = context_new(m);
    p->out->x = calloc(m->n_states + (size_t)1, sizeof(double));
    p->ok = to && p->out->x;
    if (!p->ok)
        return 1;
    memcpy(to->p, ctx->p, m->n_parameters * sizeof *to->p);
    memcpy(to->is_set, ctx->is_set, m->n_parameters);
    memcpy(to->c, ctx->c, m->n_constants * sizeof *to->c);
    memcpy(to->u, ctx->u, m->n_inputs * sizeof *to->u);
    to->least = ctx->least;
    memcpy(p->out->x, x, m->n_states * sizeof *x);
    return signal_summary_row(&p->run->signals, ctx, t, x, v);
}

static int probe_look(void *user, const SimulateStep *step)
{
    (void)step;
    ((Probe *)user)->has_stepped = true;
    return 1;
}

static void probe_message(void *user, const char *text)
{
    (void)text;
    ((Probe *)user)->has_failed = true;
}

/* Parameters, initialisation and the checks before a run, up to its first step. */
static bool begin(Block *b, uint32_t lane, SimulateOptions so)
{
    Probe p = {.out = &b->one[lane], .run = &b->run[lane]};
    so.set = p.run->set;
    so.n_set = p.run->n_set;
    so.result = NULL;
    so.row = probe_row;
    so.look = probe_look;
    so.message = probe_message;
    so.user = &p;
    so.progress = PROGRESS_NONE;
    signal_summary_begin(&p.run->signals);
    SimulateSummary s;
    simulate(b->m, &so, &s);
    b->start = s.start;
    b->stop = s.stop;
    b->step = s.step;
    b->interval = s.interval;
    b->tolerance = s.tolerance;
    bool bounded = so.range != RANGE_OFF;
    return p.ok && p.has_stepped && !p.has_failed && !s.counts.fallbacks &&
           !lanes_set(b->l, lane, p.out->ctx) &&
           (!bounded || ranges_open(&p.out->ranges, b->m, 10 * s.tolerance));
}

/* ---- values ---- */

static void lose(Block *b, unsigned lanes)
{
    b->alive &= ~lanes;
}

static void note_failed(Block *b)
{
    lose(b, b->l->ctx.failed);
    b->l->ctx.failed = 0;
}

/* All variables of all lanes at (t, x). */
static void outputs(Block *b, double t, const double *x)
{
    const RungModel *m = b->m;
    if (b->l->code->outputs) {
        b->l->code->outputs(&b->l->ctx, t, x, b->v);
        note_failed(b);
        return;
    }
    for (uint32_t k = 0; k < b->n; k++) {
        lanes_get(b->l, k, m->n_states, x, b->x_one);
        if (!(b->alive >> k & 1))
            continue;
        if (m->outputs(b->one[k].ctx, t, b->x_one, b->v_one))
            lose(b, 1u << k);
        lanes_put(b->l, k, m->n_values, b->v_one, b->v);
    }
}

/* Lanes in which one of them is none. */
static void lose_not_finite(Block *b)
{
    double *sum = b->l->grows;
    memset(sum, 0, b->l->code->width * sizeof *sum);
    b->l->code->finite(b->m->n_values, b->v, sum);
    for (uint32_t k = 0; k < b->n; k++)
        if (!(sum[k] == 0))
            lose(b, 1u << k);
}

/* Signal k of a lane at t, from arrays of all lanes. */
static double value_of(const Block *b, uint32_t k, uint32_t lane, double t, const double *x)
{
    const RungVariable *s = &b->signal[k];
    size_t at = (size_t)s->index * b->l->code->width + lane;
    double value;
    if (s->place == RUNG_IN_STATES)
        value = x[at];
    else if (s->place == RUNG_IN_VALUES)
        value = b->v[at];
    else
        return rung_value(b->one[lane].ctx, b->row[k], t, b->x_one, b->v_one);
    return s->negated ? -value : value;
}

/* ---- inside a step ---- */

static double share(const Block *b, double t)
{
    return (t - b->t0) / (b->t1 - b->t0);
}

static void states_at(Block *b, double t, bool all)
{
    const Lanes *l = b->l;
    uint32_t n = all ? b->m->n_states : b->n_read;
    l->code->inside(n, all ? NULL : b->read, b->t1 - b->t0, share(b, t), l->x, l->k, l->x_new,
                    l->f_new, b->inside);
}

/* Values for the summary of one run: computed for all lanes at the nodes, for one run alone at a
 * possible extremum.
 */
static int some(const SimulateStep *step, double t, uint32_t n, const uint32_t *row, double *value)
{
    Block *b = step->inside;
    const Lanes *l = b->l;
    size_t width = l->code->width;
    for (int i = 0; i < LOBATTO; i++)
        if (t == b->time[i]) {
            for (uint32_t k = 0; k < n; k++)
                value[k] = b->sample[i][k * width + b->lane];
            return 0;
        }
    double h = b->t1 - b->t0, s = share(b, t);
    uint32_t n_read = b->all_states ? b->n_read : b->m->n_states;
    for (uint32_t k = 0; k < n_read; k++) {
        uint32_t i = b->all_states ? b->read[k] : k;
        size_t at = i * width + b->lane;
        b->x_one[i] = rung_hermite(h, s, l->x[at], l->k[at], l->x_new[at], l->f_new[at]);
    }
    RungContext *ctx = b->one[b->lane].ctx;
    if (!b->all_states && b->m->outputs(ctx, t, b->x_one, b->v_one)) {
        b->trouble = true;
        return 1;
    }
    for (uint32_t k = 0; k < n; k++)
        value[k] = rung_value(ctx, row[k], t, b->x_one, b->v_one);
    return 0;
}

/* Sums, extrema: in the order of signal_summary.c. */
static void look(Block *b, uint64_t steps)
{
    size_t width = b->l->code->width;
    if (!b->n_signals)
        return;
    b->time[0] = NAN; // the end of the step before is known
    for (int i = steps > 0; i < LOBATTO; i++) {
        double t = b->time[i] = signal_summary_time(b->t0, b->t1, i);
        states_at(b, t, !b->all_states);
        if (!b->all_states)
            outputs(b, t, b->inside);
        for (uint32_t k = 0; k < b->n_signals; k++)
            for (uint32_t lane = 0; lane < b->n; lane++)
                b->sample[i][k * width + lane] = value_of(b, k, lane, t, b->inside);
    }
    SimulateStep step = {
        .t0 = b->t0, .t1 = b->t1, .tolerance = b->tolerance, .some = some, .inside = b};
    for (b->lane = 0; b->lane < b->n; b->lane++) {
        b->trouble = false;
        if (b->alive >> b->lane & 1)
            signal_summary_look(&b->run[b->lane].signals, &step);
        if (b->trouble)
            lose(b, 1u << b->lane);
    }
}

/* ---- rows ---- */

static bool is_outside(Block *b, uint32_t lane, double t, const double *x)
{
    Instance *one = &b->one[lane];
    char text[600];
    uint32_t at = 0;
    if (!one->ranges.n)
        return false;
    lanes_get(b->l, lane, b->m->n_states, x, b->x_one);
    lanes_get(b->l, lane, b->m->n_values, b->v, b->v_one);
    return ranges_next(&one->ranges, one->ctx, t, b->x_one, b->v_one, &at, text, sizeof text);
}

static void row(Block *b, double t, const double *x)
{
    outputs(b, t, x);
    lose_not_finite(b);
    for (uint32_t lane = 0; lane < b->n; lane++) {
        if (!(b->alive >> lane & 1))
            continue;
        if (is_outside(b, lane, t, x)) {
            lose(b, 1u << lane);
            continue;
        }
        for (uint32_t k = 0; k < b->n_signals; k++) {
            const RungVariable *s = &b->signal[k];
            size_t at = (size_t)s->index * b->l->code->width + lane;
            if (s->place == RUNG_IN_STATES)
                b->x_one[s->index] = x[at];
            else if (s->place == RUNG_IN_VALUES)
                b->v_one[s->index] = b->v[at];
        }
        signal_summary_row(&b->run[lane].signals, b->one[lane].ctx, t, b->x_one, b->v_one);
    }
}

/* Writes the rows that are due after the step; returns the time of the last one. */
static double rows_due(Block *b, uint64_t *next, double last)
{
    for (;; ++*next) {
        double t = b->start + (double)*next * b->interval;
        if (!(t <= b->t1) || b->stop - t <= 1e-9 * b->interval)
            break;
        states_at(b, t, true);
        row(b, last = t, b->inside);
    }
    if (b->t1 < b->stop)
        return last;
    row(b, b->t1, b->l->x_new);
    return b->t1;
}

/* ---- steps ---- */

static void check_assertions(Block *b)
{
    const RungModel *m = b->m;
    if (!b->l->code->assertions)
        return;
    b->l->code->assertions(&b->l->ctx, b->t1, b->l->x_new, b->hold);
    note_failed(b);
    for (uint32_t k = 0; k < m->n_assertions; k++)
        for (uint32_t lane = 0; lane < b->n && m->assertion[k].constant == RUNG_NONE; lane++)
            if (!(b->hold[(size_t)k * b->l->code->width + lane] != 0))
                lose(b, 1u << lane);
}

/* rk4.c: many unstable steps one after the other. */
static void check_growth(Block *b)
{
    enum { MANY = 15 };
    for (uint32_t k = 0; k < b->n; k++) {
        double grows = b->l->grows[k];
        b->unstable[k] = grows > 0 ? b->unstable[k] + 1 : 0;
        if (isnan(grows) || b->unstable[k] >= MANY)
            lose(b, 1u << k);
    }
}

/* The operations of rung_advance. Lanes have no events: one in which a relation would matter is
 * lost beforehand. */
static int step(void *block, double t, double stop, double *end)
{
    Block *b = block;
    Lanes *l = b->l;
    if (!b->alive || (b->interrupt && *b->interrupt))
        return -1;
    b->t0 = t;
    b->t1 = b->start + (double)(b->steps + 1) * b->step;
    if (b->t1 > stop - 1e-9 * b->step)
        b->t1 = stop;
    if (!(b->t1 > b->t0)) {
        lose(b, b->alive); // time does not advance: a scalar run reports it
        return -1;
    }
    l->code->rk4(&l->ctx, b->t0, b->t1, l->x, l->k, l->stage, l->x_new, l->f_new, l->grows);
    note_failed(b);
    check_growth(b);
    *end = b->t1;
    return 0;
}

static int find_nothing(void *block, double t, double end, double *at, RungFound *found)
{
    (void)block, (void)t, (void)end, (void)at, (void)found;
    return 0;
}

static int observe(void *block, double t, double at, RungFound found)
{
    Block *b = block;
    Lanes *l = b->l;
    const size_t size = b->m->n_states * (size_t)l->code->width * sizeof(double);
    (void)t, (void)at, (void)found;
    look(b, b->steps++);
    b->last_row = rows_due(b, &b->next_row, b->last_row);
    check_assertions(b);
    if (b->m->has_open_values && b->last_row != b->t1) {
        outputs(b, b->t1, l->x_new);
        lose_not_finite(b);
    }
    memcpy(l->x, l->x_new, size);
    memcpy(l->k, l->f_new, size);
    return 0;
}

static uint64_t integrate(Block *b, const volatile sig_atomic_t *interrupt)
{
    static const RungAdvance operations = {step, find_nothing, observe, NULL};
    Lanes *l = b->l;
    double t = b->start;
    b->interrupt = interrupt;
    b->steps = 0;
    b->next_row = 1;
    b->last_row = b->start;
    l->code->xdot(&l->ctx, t, l->x, l->k);
    note_failed(b);
    if (rung_advance(&operations, b, &t, b->stop) != RUNG_ENDED_AT_STOP)
        lose(b, b->alive);
    return b->steps;
}

/* ---- the whole ---- */

static bool make_room(Block *b)
{
    const RungModel *m = b->m;
    size_t width = b->l->code->width;
    b->n_signals = b->run->signals.n;
    b->row = b->run->signals.row;
    b->signal = calloc(b->n_signals + (size_t)1, sizeof *b->signal);
    b->read = calloc(m->n_states + (size_t)1, sizeof *b->read);
    b->inside = lanes_array((m->n_states + (size_t)1) * width);
    b->v = lanes_array((m->n_values + (size_t)1) * width);
    b->hold = lanes_array((m->n_assertions + (size_t)1) * width);
    b->x_one = calloc(m->n_states + (size_t)1, sizeof *b->x_one);
    b->v_one = calloc(m->n_values + (size_t)1, sizeof *b->v_one);
    bool ok = b->signal && b->read && b->inside && b->v && b->hold && b->x_one && b->v_one;
    for (int i = 0; i < LOBATTO; i++) {
        b->sample[i] = calloc((b->n_signals + (size_t)1) * width, sizeof(double));
        b->time[i] = NAN;
        ok = ok && b->sample[i];
    }
    if (!ok)
        return false;
    b->all_states = true;
    bool *is_read = calloc(m->n_states + (size_t)1, sizeof *is_read);
    for (uint32_t k = 0; k < b->n_signals && is_read; k++) {
        b->signal[k] = rung_variable(m, b->row[k]);
        b->all_states = b->all_states && b->signal[k].place != RUNG_IN_VALUES;
        if (b->signal[k].place == RUNG_IN_STATES && !is_read[b->signal[k].index]) {
            is_read[b->signal[k].index] = true;
            b->read[b->n_read++] = b->signal[k].index;
        }
    }
    ok = is_read;
    free(is_read);
    return ok;
}

static void clear(Block *b)
{
    for (uint32_t k = 0; k < MOST_WIDTH; k++) {
        context_free(b->one[k].ctx);
        free(b->one[k].x);
        ranges_close(&b->one[k].ranges);
    }
    free(b->signal);
    free(b->read);
    free(b->inside);
    free(b->v);
    free(b->hold);
    free(b->x_one);
    free(b->v_one);
    for (int i = 0; i < LOBATTO; i++)
        free(b->sample[i]);
    lanes_free(b->l);
}

void lane_runs(const RungModel *m, uint32_t width, SimulateOptions so, uint32_t n, LaneRun *run)
{
    Block b = {.m = m, .n = n, .run = run, .l = width <= MOST_WIDTH ? lanes_new(m, width) : NULL};
    for (uint32_t k = 0; k < n; k++)
        run[k].is_done = false;
    if (!b.l || n == 0 || m->n_states == 0 || !make_room(&b)) {
        clear(&b);
        return;
    }
    uint32_t good = RUNG_NONE;
    for (uint32_t k = 0; k < n; k++)
        if (begin(&b, k, so)) {
            b.alive |= 1u << k;
            good = k;
            lanes_put(b.l, k, m->n_states, b.one[k].x, b.l->x);
        }
    // lanes that are no runs, or left over, have numbers that are no trouble
    for (uint32_t k = 0; k < width && good != RUNG_NONE; k++)
        if (!(b.alive >> k & 1)) {
            lanes_set(b.l, k, b.one[good].ctx);
            lanes_put(b.l, k, m->n_states, b.one[good].x, b.l->x);
        }
    uint64_t steps = integrate(&b, so.interrupt);
    for (uint32_t k = 0; k < n; k++) {
        run[k].is_done = b.alive >> k & 1;
        run[k].t = b.stop;
        run[k].steps = steps;
    }
    clear(&b);
}
