/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"
#include "fallback.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* For where a relation is no longer what memory says, in the step that `method` made last. */
typedef struct Search {
    Events *e;
    Run *run;
    const Integrator *method;
    void *self;
    Sample *past; /* n_past: left of where it looks */
    int n_past;
    int left;         /* samples that may be taken      */
    uint32_t unclear; /* the relation that took the last of them */
    double high;      /* what was found                 */
} Search;

/* ---- calls of this round ---- */

struct RecalledCall {
    double *value; /* inputs, then results */
    bool is_known;
};

static int recall(RungContext *ctx, int keep, uint32_t n_in, const double *in, uint32_t n_out,
                  double *out, uint32_t key)
{
    Events *e = ctx->recall_from;
    if (!keep) {
        const RecalledCall *c = key < e->n_calls ? &e->call[key] : NULL;
        if (!c || !c->is_known || memcmp(c->value, in, n_in * sizeof *in) != 0)
            return 0;
        memcpy(out, c->value + n_in, n_out * sizeof *out);
        return 1;
    }
    if (key >= e->n_calls) {
        RecalledCall *more = realloc(e->call, (key + (size_t)1) * sizeof *more);
        if (!more)
            return 0;
        memset(more + e->n_calls, 0, (key + (size_t)1 - e->n_calls) * sizeof *more);
        e->call = more;
        e->n_calls = key + 1;
    }
    RecalledCall *c = &e->call[key];
    if (!c->value)
        c->value = malloc((n_in + (size_t)n_out + 1) * sizeof *c->value);
    c->is_known = c->value != NULL;
    if (!c->is_known)
        return 0;
    memcpy(c->value, in, n_in * sizeof *in);
    memcpy(c->value + n_in, out, n_out * sizeof *out);
    return 1;
}

static void forget_calls(Events *e)
{
    for (uint32_t k = 0; k < e->n_calls; k++)
        e->call[k].is_known = false;
}

bool events_new(Events *e, Run *run)
{
    const RungModel *m = run->model;
    *e = (Events){.table = m->event};
    if (!e->table)
        return true;
    uint32_t n = e->table->n_memory;
    e->memory = run->ctx->u + m->n_inputs;
    run->ctx->recall = recall;
    run->ctx->recall_from = e;
    e->out = calloc((size_t)n + 2 * (size_t)e->table->n_actions + 1, sizeof(double));
    e->g = calloc(m->n_events + (size_t)1, sizeof(double));
    e->x = calloc(m->n_states + (size_t)1, sizeof(double));
    e->sampled = calloc(n + (size_t)1, sizeof(double));
    e->size = calloc(n + (size_t)1, sizeof(double));
    e->is_loose = calloc(n + (size_t)1, sizeof *e->is_loose);
    e->z = calloc(m->n_unknowns + (size_t)1, sizeof(double));
    e->relation = calloc(n + (size_t)1, sizeof *e->relation);
    e->changes = calloc(n + (size_t)1, sizeof *e->changes);
    e->seen = calloc(n + (size_t)1, sizeof *e->seen);
    e->before = calloc(n + (size_t)1, sizeof *e->before);
    e->fading = calloc(n + (size_t)1, sizeof *e->fading);
    e->faded = RUNG_NONE;
    e->entry = calloc(n + (size_t)1, sizeof *e->entry);
    for (uint32_t k = 0; k < n && e->relation; k++)
        if (e->table->memory[k].kind == RUNG_RELATION)
            e->relation[e->n_relations++] = k;
    e->low = calloc(m->n_events + (size_t)1, sizeof(double));
    e->high = calloc(m->n_events + (size_t)1, sizeof(double));
    Sample *all[] = {&e->begin, &e->end, &e->past[0], &e->past[1]};
    bool ok = true;
    for (int k = 0; k < 4; k++)
        ok = (all[k]->g = calloc(m->n_events + (size_t)1, sizeof(double))) && ok;
    return ok && e->low && e->high && e->before && e->fading && e->entry && e->changes && e->seen &&
           e->relation && e->z && e->out && e->g && e->x && e->sampled && e->size && e->is_loose;
}

void events_free(Events *e)
{
    free(e->out);
    free(e->g);
    free(e->low);
    free(e->high);
    free(e->x);
    free(e->sampled);
    free(e->z);
    free(e->size);
    free(e->is_loose);
    free(e->relation);
    free(e->changes);
    free(e->seen);
    free(e->before);
    free(e->fading);
    free(e->entry);
    for (uint32_t k = 0; k < e->n_calls; k++)
        free(e->call[k].value);
    free(e->call);
    free(e->begin.g);
    free(e->end.g);
    for (int k = 0; k < 2; k++)
        free(e->past[k].g);
    for (int k = 0; k < LEVELS; k++)
        free(e->level[k]);
}

/* Relation k with what it compares. What is found by Newton's method and by interpolation is zero
 * up to some noise only: a relation that holds at zero holds from there on until the noise is left
 * behind, and so does one that does not; otherwise one crossing would be a thousand events. Never
 * earlier than at zero: what follows from a relation may be consistent on its side alone. Events
 * put to zero but for rounding, so what an event leaves at zero, as friction that begins to slide
 * leaves the acceleration, is behind zero when it is by more than rounding, until it has left zero.
 * Of time alone there is no noise. */
static const double NOISE = 1e-10, ROUNDED = 1e-14;

static bool holds(Events *e, uint32_t k, double g, bool fresh)
{
    const RungMemory *m = &e->table->memory[k];
    // of values that do not agree with the relations yet nothing is known but the last
    if (fresh || fabs(g) > e->size[k])
        e->size[k] = fabs(g);
    if (m->is_exact || fresh || fabs(g) > NOISE * e->size[k])
        return m->is_strict ? g < 0 : g <= 0;
    double rounding = ROUNDED * e->size[k];
    double zero = e->is_iterating ? rounding : e->is_loose[k] ? -rounding : 0;
    bool is_zero = !e->keeps && (m->is_strict ? g >= -zero : g <= zero);
    return is_zero ? !m->is_strict : e->memory[k] != 0;
}

static double value_of(const Run *run, double value, uint32_t in)
{
    return in == RUNG_NONE ? value : run->ctx->c[in];
}

static double sample_time(const Events *e, const Run *run, uint32_t k, double number)
{
    const RungMemory *m = &e->table->memory[k];
    double interval = value_of(run, m->interval, m->interval_in);
    if (m->kind == RUNG_CLOCK)
        return e->start + interval * ((m->shift + number * m->factor) / m->per);
    return value_of(run, m->start, m->start_in) + number * interval;
}

/* Events at times that are known beforehand. */
static bool is_timed(const RungMemory *m)
{
    return m->kind == RUNG_SAMPLE || m->kind == RUNG_CLOCK;
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

/* Relation number k of the model as it is by g; true if that is new. The two of a floor go with it.
 */
static bool renew(Events *e, uint32_t k, bool fresh)
{
    uint32_t at = e->relation[k];
    bool is_floor = at > 0 && e->table->memory[at - 1].kind == RUNG_FLOOR;
    if (!is_floor) {
        double now = holds(e, at, e->g[k], fresh);
        bool changed = now != e->memory[at];
        e->memory[at] = now;
        e->changes[at] += changed;
        return changed;
    }
    double *whole = &e->memory[at - 1], g = e->g[k];
    e->size[at] = e->size[at + 1] = fmax(e->size[at], fabs(*whole) + 1);
    bool below = holds(e, at, g, fresh), above = holds(e, at + 1, e->g[k + 1], fresh);
    if (!below && !above)
        return false;
    double noise = fresh || e->table->memory[at].is_exact ? 0 : 2 * ROUNDED * e->size[at];
    double before = *whole;
    *whole += floor(g + noise);
    e->changes[at] += *whole != before;
    return *whole != before;
}

static bool is_second_of_floor(const Events *e, uint32_t k)
{
    uint32_t at = e->relation[k];
    return at > 1 && e->table->memory[at - 2].kind == RUNG_FLOOR;
}

/* All at a time, starting with number `first`; or only the first that is new. */
static bool renew_relations(Events *e, bool fresh, bool one, uint32_t first)
{
    bool changed = false;
    uint32_t n = e->n_relations;
    for (uint32_t i = 0; i < n && !(one && changed); i++) {
        uint32_t k = first + i < n ? first + i : first + i - n;
        if (!is_second_of_floor(e, k))
            changed = renew(e, k, fresh) || changed;
    }
    return changed;
}

/* The relations that changed most often, as text. */
static void name_changes(const Events *e, char *text, size_t size)
{
    enum { SHOWN = 3 };
    uint32_t shown[SHOWN];
    size_t n = 0;
    *text = 0;
    for (uint32_t i = 0; i < SHOWN; i++) {
        uint32_t most = RUNG_NONE;
        for (uint32_t k = 0; k < e->table->n_memory; k++) {
            bool again = false;
            for (uint32_t j = 0; j < i; j++)
                again = again || shown[j] == k;
            if (!again && e->changes[k] > (most == RUNG_NONE ? 0 : e->changes[most]))
                most = k;
        }
        if (most == RUNG_NONE)
            return;
        const RungMemory *m = &e->table->memory[most];
        shown[i] = most;
        int more = snprintf(text + n, size - n, "%s%s changed %llu times%s%s%s", i ? ", " : "; ",
                            m->text && *m->text ? m->text : "a relation",
                            (unsigned long long)e->changes[most], m->where && *m->where ? " (" : "",
                            m->where ? m->where : "", m->where && *m->where ? ")" : "");
        n += more < 0 ? 0 : (size_t)more;
        if (n >= size)
            return;
    }
}

typedef enum Way {
    TOGETHER, /* all that disagree change at a time                       */
    ALONE,    /* the first one alone                                      */
    ANYONE,   /* one of them, from somewhere on                           */
} Way;

/* Where to begin to look for one that disagrees: any number will do, the same in every run. */
static uint32_t somewhere(uint32_t round, uint32_t n)
{
    return (uint32_t)((uint64_t)(round * 2654435769u) * n >> 32);
}

/* The relations as they are, until they agree with what follows from them, which is evaluated once
 * then: functions that it calls may have a memory. First all that disagree change at a time, from
 * what was before. Where that goes round in circles, the first one alone, again from what was
 * before, which comes to an end for complementarity problems (Murty 1974, Opsearch 11; together and
 * alone: Judice and Pires 1994, Computers and Operations Research 21). What follows from relations
 * need not be one; then any of them changes. */
static int find_relations(Events *e, Run *run, bool fresh)
{
    enum { MOST = 5000, MOST_ALONE = 1000, START = 10 };
    size_t n = e->table->n_memory * sizeof *e->memory;
    int mark = 1, begun = 0;
    Way way = TOGETHER;
    forget_calls(e);
    memcpy(e->before, e->memory, n);
    for (int round = 0; round < MOST && e->n_relations; round++) {
        run->ctx->contradictions = 1;
        int status = run_evaluate(run, PART_EVENTS, run->t, run->x, e->g);
        run->ctx->contradictions = 0;
        if (status)
            return cannot(run);
        uint32_t first = way == ANYONE ? somewhere((uint32_t)round, e->n_relations) : 0;
        if (!renew_relations(e, fresh && round < START, way != TOGETHER, first))
            return evaluate(e, run); // what does not agree now never will
        if (way == TOGETHER && round > START && !memcmp(e->seen, e->memory, n)) {
            e->keeps = true; // perhaps for noise alone
            way = ALONE;
            begun = round;
            memcpy(e->memory, e->before, n);
        } else if (way == ALONE && round - begun > MOST_ALONE) {
            way = ANYONE;
            memcpy(e->memory, e->before, n);
            memset(e->changes, 0, e->table->n_memory * sizeof *e->changes);
        }
        if (round == mark) {
            memcpy(e->seen, e->memory, n);
            mark *= 2;
        }
    }
    if (!e->n_relations)
        return evaluate(e, run);
    e->is_contrary = true;
    char which[400];
    name_changes(e, which, sizeof which);
    snprintf(run->why, sizeof run->why, "the relations of the model find no consistent values%s",
             which);
    return 1;
}

static int iterate_relations(Events *e, Run *run, bool fresh)
{
    e->is_iterating = true;
    int status = find_relations(e, run, fresh);
    e->is_iterating = e->keeps = false;
    return status;
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

/* Where relations contradict what follows from them while pre(v) is what it was, as a clutch does
 * that slides on at less than it began to slide at: once what follows from the relations as they
 * are with their old values, so that pre(v) gets on. False: there is nothing that pre(v) could
 * change. */
static bool get_on(Events *e, Run *run)
{
    memcpy(e->memory, e->before, e->table->n_memory * sizeof *e->memory);
    e->is_contrary = false;
    if (run_evaluate(run, PART_EVENTS, run->t, run->x, e->g))
        return false;
    e->is_iterating = true;
    renew_relations(e, false, false, 0);
    e->is_iterating = false;
    return !evaluate(e, run) && take_values(e);
}

/* MLS 8.6, appendix B: solve, then pre(v) = v, until nothing changes any more. */
static int iterate(Events *e, Run *run)
{
    enum { MOST = 200, MOST_CONTRARY = 5 };
    int n_contrary = 0;
    for (int round = 0; round < MOST; round++) {
        bool moved = false;
        e->is_contrary = false;
        if (iterate_relations(e, run, false)) {
            if (!e->is_contrary || n_contrary++ == MOST_CONTRARY || !get_on(e, run))
                return 1;
            e->rounds++;
            continue;
        }
        // assertions in when-clauses hold or not now, before pre(v) follows
        e->failed = e->check ? e->check(e->user, run) : 0;
        if (e->failed)
            return 1;
        act(e, run, &moved);
        e->restarts = e->restarts || moved;
        if (!take_values(e) && !moved)
            return 0;
        e->rounds++;
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

/* What relations are made of may be at rest at zero, and they are no more than noise then. They are
 * not to be told from zero better than what the error of the states makes of them: so much they
 * change where each state is off by a share of its size, to one side or the other. */
static void find_sizes(Events *e, Run *run)
{
    static const double SHARE = 1e-6;
    size_t n = run->model->n_unknowns;
    const double part = fmin(1, run->tolerance / SHARE);
    double *near = e->end.g;
    memcpy(e->z, run->ctx->z, n * sizeof *e->z);
    bool ok = e->n_relations && !run_evaluate(run, PART_EVENTS, run->t, run->x, e->g);
    for (uint32_t round = 0; ok && round < 2; round++) {
        for (uint32_t k = 0; k < run->n; k++) {
            double off = SHARE * (run->model->nominal[k] + fabs(run->x[k]));
            e->x[k] = run->x[k] + (somewhere(k + round * run->n + 1, 2) ? off : -off);
        }
        ok = !run_evaluate(run, PART_EVENTS, run->t, e->x, near);
        for (uint32_t k = 0; ok && k < e->n_relations; k++) {
            double size = part * fabs(near[k] - e->g[k]) / SHARE;
            if (isfinite(size) && size > e->size[e->relation[k]])
                e->size[e->relation[k]] = size;
        }
    }
    memcpy(run->ctx->z, e->z, n * sizeof *e->z);
}

int events_begin(Events *e, Run *run)
{
    if (!e->table)
        return 0;
    bool samples_now = false;
    e->start = run->t;
    for (uint32_t k = 0; k < e->table->n_memory; k++) {
        const RungMemory *m = &e->table->memory[k];
        if (!is_timed(m))
            continue;
        double interval = value_of(run, m->interval, m->interval_in);
        if (!(interval > 0)) {
            snprintf(run->why, sizeof run->why, "the interval of %s must be positive",
                     m->kind == RUNG_SAMPLE ? "sample()" : "a clock");
            return 1;
        }
        double begun = (run->t - value_of(run, m->start, m->start_in)) / interval;
        e->sampled[k] = m->kind == RUNG_SAMPLE && begun > 0 ? ceil(begun) : 0;
        samples_now = samples_now || sample_time(e, run, k, e->sampled[k]) <= run->t;
    }
    set_all(e, RUNG_INITIAL, 1);
    bool moved = false;
    if (iterate_relations(e, run, true))
        return 1;
    act(e, run, &moved);
    take_values(e);
    set_all(e, RUNG_INITIAL, 0);
    int status = samples_now ? events_handle(e, run) : iterate(e, run);
    if (!status && !samples_now)
        find_sizes(e, run);
    return status;
}

int events_iterate(Events *e, Run *run)
{
    if (!e->table)
        return 0;
    if (iterate_relations(e, run, true))
        return 1;
    take_values(e);
    return 0;
}

double events_next_time(const Events *e, const Run *run)
{
    double next = INFINITY;
    for (uint32_t k = 0; e->table && k < e->table->n_memory; k++)
        if (is_timed(&e->table->memory[k]))
            next = fmin(next, sample_time(e, run, k, e->sampled[k]));
    return next;
}

/* The relations at t inside the last step, into g. False where they cannot be said: the method has
 * its own way with such points. */
static bool sample(Search *s, double t, double *g)
{
    Run *run = s->run;
    Events *e = s->e;
    const double *x = run->x;
    if (t != run->t) {
        s->method->at(s->self, run, t, e->x);
        x = e->x;
    }
    // looking leaves the first guesses of blocks as the method had them
    size_t n = run->model->n_unknowns;
    memcpy(e->z, run->ctx->z, n * sizeof *e->z);
    int status = run_evaluate(run, PART_EVENTS, t, x, g);
    memcpy(run->ctx->z, e->z, n * sizeof *e->z);
    return !status;
}

/* Whether a relation is not what memory says. */
static bool differs(Events *e, const double *g)
{
    bool differ = false;
    for (uint32_t k = 0; k < e->n_relations; k++) {
        uint32_t memory = e->relation[k];
        differ = holds(e, memory, g[k], false) != (e->memory[memory] != 0) || differ;
    }
    return differ;
}

/* With what relations are when an event is over, or (`since`) at the end of a step after it. */
static void find_loose(Events *e, const double *g, bool since)
{
    for (uint32_t k = 0; k < e->n_relations; k++) {
        uint32_t memory = e->relation[k];
        bool is_zero = fabs(g[k]) <= ROUNDED * e->size[memory];
        e->is_loose[memory] = is_zero && (!since || e->is_loose[memory]);
    }
}

/* Weights of a third divided difference, what the quadratic polynomial through the last three
 * leaves out, times what that is at most between; and their sum, which multiplies rounding. */
typedef struct Difference {
    const double *g; /* at the first point; the others are those of the interval */
    double weight[4], sum;
} Difference;

static Difference third_difference(const double *g, const double *t, double most)
{
    Difference d = {.g = g};
    for (int i = 0; i < 4; i++) {
        double product = 1;
        for (int j = 0; j < 4; j++)
            product *= j == i ? 1 : t[i] - t[j];
        d.weight[i] = most / product;
        d.sum += fabs(d.weight[i]);
    }
    return d;
}

/* Whether what is known says that no relation crosses zero twice between a and b, where all are as
 * memory says: the polynomial through a, m and b does not, nor would it if it were a good deal
 * farther off than a fourth point and a fifth show it to be. */
static bool is_resolved(Search *s, const Sample *a, const Sample *m, const Sample *b)
{
    static const double FAR = 300, END = 1e-3;
    const Events *e = s->e;
    double h = b->t - a->t, share = (m->t - a->t) / h;
    // the largest of |s (s - share) (s - 1)| on [0, 1]
    const double most = 0.071 * h * h * h;
    Difference other[4];
    int n = 0;
    for (int k = 0; k < s->n_past; k++)
        other[n++] =
            third_difference(s->past[k].g, (double[]){s->past[k].t, a->t, m->t, b->t}, most);
    for (const Sample *right = b->next; right && n < 4; right = right->next)
        other[n++] = third_difference(right->g, (double[]){right->t, a->t, m->t, b->t}, most);
    if (n < 2)
        return false;
    // of rounding, against what counts as zero
    static const double ROUNDING = 1e-3;
    for (uint32_t k = 0; k < e->n_relations; k++) {
        uint32_t memory = e->relation[k];
        double sign = e->memory[memory] != 0 ? -1 : 1;
        double fa = sign * a->g[k], fm = sign * m->g[k], fb = sign * b->g[k], off = 0;
        for (int i = 0; i < n; i++) {
            const Difference *d = &other[i];
            const double *w = d->weight;
            double sum = w[0] * sign * d->g[k] + w[1] * fa + w[2] * fm + w[3] * fb;
            off = fmax(off, fabs(sum) - d->sum * ROUNDING * NOISE * e->size[memory]);
        }
        double low = fmin(fa, fmin(fm, fb)), high = fmax(fa, fmax(fm, fb));
        if (fmax(high, -low) + off <= NOISE * e->size[memory])
            continue;
        // fa + s (slope + s bend)
        double chord = (fm - fa) / share, bend = (fb - fa - chord) / (1 - share);
        double slope = chord - share * bend, at = bend > 0 ? -slope / (2 * bend) : -1;
        bool dips = at > END && at < 1 - END;
        double bottom = dips ? fa + at * (slope + at * bend) : low;
        bool clear = dips ? bottom > FAR * off : bottom > FAR * off || high - low > FAR * off;
        if (!clear) {
            s->unclear = memory;
            return false;
        }
    }
    return true;
}

/* The points left of what comes next. */
static void keep_past(Search *s, const Sample *a, const Sample *m)
{
    Events *e = s->e;
    const Sample *from[] = {a, m};
    for (int k = 0; k < 2; k++) {
        memcpy(e->past[k].g, from[k]->g, e->n_relations * sizeof *e->g);
        e->past[k].t = from[k]->t;
    }
    s->n_past = e->n_past = 2;
}

static bool scan(Search *s, const Sample *a, const Sample *b, int depth);

/* Where relation k is another one, of what it compares. */
static double threshold(const Events *e, uint32_t k)
{
    const RungMemory *m = &e->table->memory[k];
    if (m->is_exact)
        return 0;
    bool is_true = e->memory[k] != 0;
    double share = m->is_strict == is_true ? 0 : NOISE;
    return (m->is_strict ? -share : share) * e->size[k];
}

/* By lines through what relations are at low and at high, the first time at which one is not as
 * memory says; outside of that where lines say nothing. */
static double first_by_lines(Events *e, double low, const double *at_low, double high,
                             const double *at_high)
{
    double first = INFINITY;
    for (uint32_t k = 0; k < e->n_relations; k++) {
        uint32_t memory = e->relation[k];
        if (holds(e, memory, at_high[k], false) == (e->memory[memory] != 0))
            continue;
        double zero = threshold(e, memory), from = at_low[k] - zero, to = at_high[k] - zero;
        first = fmin(first, low + (high - low) * from / (from - to));
    }
    return first;
}

/* A relation that is as memory says at a, and one that is not at b: *s->high becomes where that
 * begins. What crosses zero twice before that is found first. Both sides of where lines say it is
 * are tried, and the middle where that does not help. */
static void narrow(Search *s, const Sample *a, const Sample *b, int depth)
{
    Events *e = s->e;
    size_t size = e->n_relations * sizeof *e->g;
    double low = a->t, high = b->t;
    // to neighbouring numbers, so that a time that is known exactly is found exactly
    double ulp = DBL_EPSILON * fmax(fabs(low), fabs(high)), least = ulp / 4;
    Sample last = {low, e->level[depth], NULL};
    memcpy(e->high, b->g, size);
    memcpy(e->low, a->g, size);
    bool by_lines = true, rose = false;
    for (int round = 0; high - low > least; round++) {
        double width = high - low, middle = low + width / 2, try = middle;
        if (by_lines && round % 3 != 2) {
            double at = first_by_lines(e, low, e->low, high, e->high);
            at += rose ? ulp : -ulp;
            try = at > low && at < high ? at : middle;
        }
        if (try <= low || try >= high)
            break;
        bool known = sample(s, try, e->g);
        rose = known && !differs(e, e->g);
        if (rose) {
            low = last.t = try;
            memcpy(e->low, e->g, size);
        } else {
            high = try;
            by_lines = known;
            if (known)
                memcpy(e->high, e->g, size);
        }
    }
    if (low > a->t) {
        memcpy(last.g, e->low, size);
        if (scan(s, a, &last, depth + 1))
            return;
    }
    s->high = high;
}

/* Looks between a and b, where all relations are as memory says. */
static bool scan(Search *s, const Sample *a, const Sample *b, int depth)
{
    Events *e = s->e;
    // not the middle: what repeats itself with the steps would look the same there
    static const double SHARE = 0.3819660112501051;
    Sample m = {a->t + SHARE * (b->t - a->t), NULL, b};
    if (depth >= LEVELS || s->left <= 0 || m.t <= a->t || m.t >= b->t) {
        return false;
    }
    if (!e->level[depth])
        e->level[depth] = calloc(e->n_relations + (size_t)1, sizeof *e->g);
    m.g = e->level[depth];
    s->left--;
    if (!m.g || !sample(s, m.t, m.g))
        return false;
    if (differs(e, m.g)) {
        narrow(s, a, &m, depth);
        return true;
    }
    if (is_resolved(s, a, &m, b)) {
        keep_past(s, a, &m);
        return false;
    }
    return scan(s, a, &m, depth + 1) || scan(s, &m, b, depth + 1);
}

/* Where nothing is known of the past, two points close behind the start tell how the relations
 * begin to move, which a long step hides. False where that cannot be said. */
static bool look_ahead(Search *s, double t0, double h)
{
    static const double NEAR = 1e-4;
    Events *e = s->e;
    for (int k = 0; k < 2; k++) {
        e->past[k].t = t0 + (k + 1) * NEAR * h;
        if (e->past[k].t <= t0 || !sample(s, e->past[k].t, e->past[k].g))
            return false;
    }
    e->n_past = 2;
    return true;
}

/* The earliest time in the last step at which a relation is not what memory says; not found: false.
 */
static bool find_crossing(Events *e, Run *run, const Integrator *method, void *self, double t0,
                          double *when)
{
    enum { MOST = 20000 }; /* points in a step */
    Search s = {.e = e, .run = run, .method = method, .self = self, .left = MOST};
    if (e->begin.t != t0 || !e->has_begin) {
        e->n_past = 0;
        e->begin.t = t0;
        if (!sample(&s, t0, e->begin.g))
            return false;
        look_ahead(&s, t0, run->t - t0);
    }
    s.past = e->past;
    s.n_past = e->n_past;
    e->end.t = run->t;
    e->has_begin = sample(&s, run->t, e->end.g);
    bool found;
    if (!e->has_begin) {
        found = false;
    } else if (!differs(e, e->end.g)) {
        found = scan(&s, &e->begin, &e->end, 0);
    } else {
        if (!e->level[0])
            e->level[0] = calloc(e->n_relations + (size_t)1, sizeof *e->g);
        found = e->level[0] != NULL;
        if (found)
            narrow(&s, &e->begin, &e->end, 0);
    }
    if (s.left <= 0 && !found && !e->n_unresolved++) {
        e->unresolved = &e->table->memory[s.unclear];
        e->unresolved_t = t0;
    }
    if (found)
        e->has_begin = false;
    else if (e->has_begin)
        find_loose(e, e->end.g, true);
    Sample next = e->end;
    e->end = e->begin;
    e->begin = next;
    *when = s.high;
    return found;
}

/* Events that follow one another ever faster, as those of a ball that bounces ever lower, have a
 * limit in time (Zeno). Bounces below what counts as zero are not seen, so after that limit such a
 * ball would fall through the floor: a relation whose events have come to it may not go on as it
 * is. */
static void find_faded(Events *e, const Run *run)
{
    enum { LEAST = 4 };
    static const double FASTER = 0.999, SHORT = 1e-4;
    e->faded = RUNG_NONE;
    for (uint32_t k = 0; k < e->n_relations; k++) {
        uint32_t at = e->relation[k];
        if (e->memory[at] == e->entry[at])
            continue;
        Fading *f = &e->fading[at][e->memory[at] != 0];
        double interval = run->t - f->t;
        bool is_faster = f->n > 0 && interval > 0 && interval < FASTER * f->interval;
        if (!is_faster) {
            f->first = f->t;
            f->n = 0;
        }
        f->n++;
        f->t = run->t;
        f->interval = interval;
        if (f->n >= LEAST && interval < SHORT * (run->t - f->first))
            e->faded = k;
    }
}

/* g: the relations where the last step ends, without an event in it. By then it should have turned
 * several times; one that stays at zero has come to rest. */
static bool has_passed(const Events *e, Run *run, const double *g)
{
    static const double FAR = 1000, LATE = 10;
    if (e->faded == RUNG_NONE)
        return false;
    uint32_t at = e->relation[e->faded];
    const RungMemory *m = &e->table->memory[at];
    const Fading *f = &e->fading[at][e->memory[at] != 0];
    if (run->t < f->t + LATE * f->interval || fabs(g[e->faded]) <= FAR * NOISE * e->size[at])
        return false;
    bool has_place = m->where && *m->where;
    snprintf(
        run->why, sizeof run->why,
        "events follow one another ever faster up to t = %.9g, where they cease: %s%s%s%s "
        "became %s at intervals down to %.3g, and then for good, which the model does not mean",
        f->t, m->text && *m->text ? m->text : "a relation", has_place ? " (" : "",
        has_place ? m->where : "", has_place ? ")" : "", e->memory[at] != 0 ? "true" : "false",
        f->interval);
    return true;
}

int events_look(Events *e, Run *run, const Integrator *method, void *self, double t0, bool *found)
{
    *found = false;
    if (!e->table)
        return 0;
    double when;
    if (e->n_relations && find_crossing(e, run, method, self, t0, &when)) {
        method->at(self, run, when, e->x);
        if (when == run->t)
            memcpy(e->x, run->x, run->n * sizeof *e->x);
        e->t = when;
        *found = e->is_crossing = true;
        return 0;
    }
    if (e->n_relations && e->has_begin && has_passed(e, run, e->begin.g))
        return 1;
    *found = events_next_time(e, run) <= run->t;
    e->is_crossing = false;
    memcpy(e->x, run->x, run->n * sizeof *e->x);
    e->t = run->t;
    return 0;
}

void events_go(Events *e, Run *run)
{
    run->t = e->t;
    memcpy(run->x, e->x, run->n * sizeof *e->x);
}

/* So many events in so small a part of the run that it would never end; sample() may have them
 * close, but not closer than the clock can tell. */
static bool is_crowded(Events *e, Run *run)
{
    enum { MANY = 1000 };
    e->n_crossings += e->is_crossing;
    if (e->n % MANY)
        return false;
    double span = run->t - e->t_many, length = run->s->stop - run->s->start;
    bool crossings = e->n_crossings >= MANY / 2;
    double least = crossings ? 1e-6 * length : 16 * DBL_EPSILON * MANY * fabs(run->t);
    bool crowded = e->n >= MANY && span <= least;
    if (crowded) {
        char which[380];
        name_changes(e, which, sizeof which);
        snprintf(run->why, sizeof run->why,
                 "events follow one another without end, the last %d within %.3g%s", MANY, span,
                 which);
    }
    e->t_many = run->t;
    e->n_crossings = 0;
    memset(e->changes, 0, e->table->n_memory * sizeof *e->changes);
    return crowded;
}

/* Values just before the event. */
static int take_left_limits(Events *e, Run *run)
{
    bool has = false;
    for (uint32_t k = 0; k < e->table->n_memory && !has; k++)
        has = e->table->memory[k].kind == RUNG_LEFT_LIMIT;
    if (has && evaluate(e, run))
        return 1;
    for (uint32_t k = 0; k < e->table->n_memory && has; k++)
        if (e->table->memory[k].kind == RUNG_LEFT_LIMIT)
            e->memory[k] = e->out[k];
    return 0;
}

int events_handle(Events *e, Run *run)
{
    e->has_begin = false;
    if (is_crowded(e, run))
        return 1;
    e->n++;
    e->rounds = 0;
    e->restarts = false;
    memcpy(e->entry, e->memory, e->table->n_memory * sizeof *e->entry);
    if (take_left_limits(e, run))
        return 1;
    for (uint32_t k = 0; k < e->table->n_memory; k++) {
        if (!is_timed(&e->table->memory[k]))
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
    set_all(e, RUNG_CLOCK, 0);
    uint32_t rounds = e->rounds, after;
    int status = iterate(e, run);
    after = e->rounds - rounds; // in the first one pre(sample()) follows
    e->rounds = rounds + (after > 0 ? after - 1 : 0);
    for (uint32_t k = 0; k < e->table->n_memory; k++)
        e->restarts =
            e->restarts || (e->table->memory[k].is_driving && e->memory[k] != e->entry[k]);
    if (!status)
        find_loose(e, e->g, false);
    find_faded(e, run);
    // again now and then: other equations hold now
    if (!status && (e->n & (e->n - 1)) == 0)
        find_sizes(e, run);
    return status;
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

void events_save(const Events *e, Snapshot *s)
{
    if (!e->table)
        return;
    size_t n = e->table->n_memory;
    snapshot_put(s, e->sampled, n * sizeof *e->sampled);
    snapshot_put(s, e->size, n * sizeof *e->size);
    snapshot_put(s, e->is_loose, n * sizeof *e->is_loose);
    snapshot_put(s, e->fading, n * sizeof *e->fading);
    snapshot_put(s, &e->faded, sizeof e->faded);
    snapshot_put(s, &e->n, sizeof e->n);
    snapshot_put(s, &e->t_many, sizeof e->t_many);
    snapshot_put(s, &e->start, sizeof e->start);
}

bool events_restore(Events *e, Snapshot *s)
{
    if (!e->table)
        return true;
    size_t n = e->table->n_memory;
    return snapshot_get(s, e->sampled, n * sizeof *e->sampled) &&
           snapshot_get(s, e->size, n * sizeof *e->size) &&
           snapshot_get(s, e->is_loose, n * sizeof *e->is_loose) &&
           snapshot_get(s, e->fading, n * sizeof *e->fading) &&
           snapshot_get(s, &e->faded, sizeof e->faded) && snapshot_get(s, &e->n, sizeof e->n) &&
           snapshot_get(s, &e->t_many, sizeof e->t_many) &&
           snapshot_get(s, &e->start, sizeof e->start);
}

bool events_differ(Events *e, const double *g)
{
    bool differ = differs(e, g);
    if (!differ)
        find_loose(e, g, true);
    return differ;
}

double events_indicator(const Events *e, uint32_t k, const double *g)
{
    // what `holds` takes for noise, and as much again
    uint32_t memory = e->relation[k];
    double size = e->size[memory] > 0 ? e->size[memory] : 1;
    return e->memory[memory] != 0 ? g[k] - 2 * NOISE * size : g[k] + 2 * NOISE * size;
}
