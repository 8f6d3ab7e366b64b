#include "study/error_estimate.h"

#include "base/vec.h"
#include "runtime/problem/context.h"
#include "runtime/result/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the tolerance and of a fixed step: the second run's share. */
static const double FINER = 0.1, SHORTER = 0.25;
/* A finer tolerance is rounding. */
static const double FINEST = 1e-13;
/* Steps of the second run, at least; changes of variables by errors of states are measured as
 * often. */
static const double STEPS = 500, MEASURED = 50;

/* Times that differ by so much of the interval between rows, or of the longest step, are one. */
static const double ONE_TIME = 1e-9;

enum { DRAWS = 2, DIGITS = 17 };

/* Rows of one time are the two sides of an event, or of several. */
typedef struct RowsOfRun {
    FILE *file; /* for each row n numbers */
    VEC(double) t;
    double *values; /* of the row that was read last */
} RowsOfRun;

typedef struct EventRows {
    uint32_t first, last; /* before the event, behind it */
    bool is_common;       /* to both runs                */
} EventRows;

typedef VEC(EventRows) EventList;

struct ErrorEstimate {
    Arena *mem;
    uint32_t n;
    uint32_t *row; /* n: of the model's table, aliases once */
    VariableError *variable;
    RowsOfRun run[2];
    int current;
    double tolerance, step; /* of the second run; step 0: it chooses its own */
    double unit;            /* the tolerance of the first run */
    double per_tolerance;   /* tolerances of the second run in one of the first */
    double longest, measured, *base, *moved;
    double interval;
    uint64_t steps;
    bool is_full; /* the temporary files have no more room */
    /* the result */
    uint64_t n_rows, n_left_out;
    uint32_t n_events, n_lone;
    double lone_t;         /* the first event that one of the runs has alone */
    double shift, shift_t; /* the largest difference of times of an event    */
    bool is_compared;
};

/* ---- the rows of a run ---- */

static bool varies(const RungVariable *v)
{
    return v->attributes->kind >= RUNG_INPUT && v->place != RUNG_IS_TIME &&
           v->place != RUNG_IN_PARAMETERS && v->place != RUNG_IN_CONSTANTS &&
           v->place != RUNG_IN_NUMBERS;
}

/* One more than the largest index in each place. */
static void place_sizes(const RungModel *m, uint32_t n, const uint32_t *row, uint32_t *size)
{
    for (uint32_t k = 0; k < n; k++) {
        const RungVariable v = rung_variable(m, row[k]);
        if (v.index >= size[v.place])
            size[v.place] = v.index + 1;
    }
}

ErrorEstimate *error_estimate_new(const RungModel *model, const char *signals, Arena *mem)
{
    ErrorEstimate *e = arena_make(mem, ErrorEstimate);
    *e = (ErrorEstimate){.mem = mem, .lone_t = NAN};
    uint32_t n_rows = 0;
    uint32_t *row = result_signals(model, signals, &n_rows);
    n_rows = row ? n_rows : 0;
    enum { PLACES = RUNG_IS_TIME + 1 };
    uint32_t size[PLACES] = {0};
    bool *is_taken[PLACES];
    place_sizes(model, n_rows, row, size);
    for (int k = 0; k < PLACES; k++)
        is_taken[k] = arena_array(mem, bool, size[k] + 1);
    e->row = arena_array(mem, uint32_t, n_rows + 1);
    for (uint32_t k = 0; k < n_rows; k++) {
        const RungVariable v = rung_variable(model, row[k]);
        if (!varies(&v) || is_taken[v.place][v.index])
            continue;
        is_taken[v.place][v.index] = true;
        e->row[e->n++] = row[k];
    }
    free(row);
    e->variable = arena_array(mem, VariableError, e->n + 1);
    for (uint32_t k = 0; k < e->n; k++)
        e->variable[k].name = rung_name(model, e->row[k]);
    e->base = arena_array(mem, double, e->n + 1);
    e->moved = arena_array(mem, double, e->n + 1);
    for (int i = 0; i < 2; i++) {
        e->run[i].values = arena_array(mem, double, e->n + 1);
        e->run[i].file = tmpfile();
    }
    if (e->run[0].file && e->run[1].file)
        return e;
    int why = errno;
    error_estimate_free(e);
    errno = why;
    return NULL;
}

void error_estimate_free(ErrorEstimate *e)
{
    for (int i = 0; e && i < 2; i++)
        if (e->run[i].file)
            fclose(e->run[i].file);
}

int error_estimate_row(ErrorEstimate *e, const RungContext *ctx, double t, const double *x,
                       const double *v)
{
    RowsOfRun *r = &e->run[e->current];
    for (uint32_t k = 0; k < e->n; k++) {
        r->values[k] = rung_value(ctx, e->row[k], t, x, v);
        e->variable[k].size = fmax(e->variable[k].size, fabs(r->values[k]));
    }
    vec_push(e->mem, r->t, t);
    e->is_full = e->is_full || fwrite(r->values, sizeof *r->values, e->n, r->file) != e->n;
    return 0;
}

/* Reads the row behind the one that was read last. */
static bool next_values(const ErrorEstimate *e, int run)
{
    const RowsOfRun *r = &e->run[run];
    return fread(r->values, sizeof *r->values, e->n, r->file) == e->n;
}

/* ---- the second run ---- */

const char *error_estimate_second(ErrorEstimate *e, const SimulateSummary *first,
                                  SimulateOptions *options)
{
    if (e->is_full)
        return "there is no room for the rows in a temporary file";
    if (first->tolerance <= FINEST)
        return "no second run has a finer tolerance than 1e-13";
    e->current = 1;
    e->unit = first->tolerance;
    e->interval = fmin(first->interval, (first->stop - first->start) / STEPS);
    e->step = first->step * SHORTER;
    e->tolerance = first->step > 0 ? first->tolerance : fmax(FINER * first->tolerance, FINEST);
    e->per_tolerance = first->tolerance / e->tolerance;
    e->longest = (first->stop - first->start) / STEPS;
    e->measured = -INFINITY;
    options->tolerance = e->tolerance;
    options->longest_step = e->longest;
    options->moves_multipliers = true;
    if (first->step > 0)
        options->step = e->step;
    options->result = options->save_state = NULL;
    options->save_interval = NAN;
    return NULL;
}

int error_estimate_look(ErrorEstimate *e, const SimulateStep *step)
{
    double t = step->t0 + (step->t1 - step->t0) / 2;
    if (t - e->measured < e->longest * STEPS / MEASURED)
        return 0;
    e->measured = t;
    if (step->some(step, t, e->n, e->row, e->base))
        return 0;
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
        if (step->moved(step, t, draw, e->n, e->row, e->moved))
            continue;
        for (uint32_t k = 0; k < e->n; k++) {
            double change = fabs(e->moved[k] - e->base[k]) * e->per_tolerance;
            if (isfinite(change))
                e->variable[k].moved = fmax(e->variable[k].moved, change);
        }
    }
    return 0;
}

/* ---- events of both runs ---- */

static EventList events_of(const RowsOfRun *r, Arena *mem)
{
    EventList list = {0};
    for (uint32_t k = 1; k < r->t.n; k++) {
        if (r->t.at[k] != r->t.at[k - 1])
            continue;
        if (list.n && list.at[list.n - 1].last == k - 1)
            list.at[list.n - 1].last = k;
        else
            vec_push(mem, list, ((EventRows){.first = k - 1, .last = k}));
    }
    return list;
}

static void pair_events(ErrorEstimate *e, EventRows *a, double ta, EventRows *b, double tb)
{
    a->is_common = b->is_common = true;
    e->n_events++;
    if (fabs(tb - ta) > e->shift) {
        e->shift = fabs(tb - ta);
        e->shift_t = ta;
    }
}

/* An event of the first run and one of the second are the same if they have the same number, or,
 * where one run has more of them, if neither is nearer to a neighbour of the other. */
static void match_events(ErrorEstimate *e, EventList *a, EventList *b)
{
    const double *ta = e->run[0].t.at, *tb = e->run[1].t.at;
    uint32_t i = 0, j = 0;
    bool same_number = a->n == b->n;
    while (i < a->n && j < b->n) {
        double at = ta[a->at[i].first], bt = tb[b->at[j].first], apart = fabs(at - bt);
        bool other_a = i + 1 < a->n && fabs(ta[a->at[i + 1].first] - bt) < apart;
        bool other_b = j + 1 < b->n && fabs(at - tb[b->at[j + 1].first]) < apart;
        if (same_number || (!other_a && !other_b))
            pair_events(e, &a->at[i++], at, &b->at[j++], bt);
        else if (other_a)
            i++;
        else
            j++;
    }
    e->n_lone = a->n + b->n - 2 * e->n_events;
    e->lone_t = INFINITY;
    for (uint32_t k = 0; k < a->n; k++)
        if (!a->at[k].is_common)
            e->lone_t = fmin(e->lone_t, ta[a->at[k].first]);
    for (uint32_t k = 0; k < b->n; k++)
        if (!b->at[k].is_common)
            e->lone_t = fmin(e->lone_t, tb[b->at[k].first]);
}

/* ---- the comparison ---- */

/* A row in the order of both runs: by the number of common events before it, then behind the event,
 * on the grid, before the next event. */
typedef enum Side { BEHIND_EVENT, ON_GRID, BEFORE_EVENT } Side;

typedef struct Place {
    uint32_t row, event; /* the next event of the list      */
    uint32_t segment;    /* common events before            */
    Side side;
    bool is_inner; /* of an event with more than two rows */
} Place;

/* The place of p->row; rows come in order. */
static void find_place(const EventList *events, Place *p)
{
    p->side = ON_GRID;
    p->is_inner = false;
    while (p->event < events->n && p->row > events->at[p->event].last)
        p->event++;
    if (p->event == events->n || p->row < events->at[p->event].first)
        return;
    const EventRows *at = &events->at[p->event];
    if (!at->is_common)
        return;
    p->is_inner = p->row != at->first && p->row != at->last;
    if (p->row == at->first)
        p->side = BEFORE_EVENT;
    if (p->row == at->last) {
        p->side = BEHIND_EVENT;
        p->segment++;
    }
}

static double apart_in_time(const ErrorEstimate *e, const Place *a, const Place *b)
{
    return e->run[0].t.at[a->row] - e->run[1].t.at[b->row];
}

static int order_of(const ErrorEstimate *e, const Place *a, const Place *b)
{
    if (a->segment != b->segment)
        return a->segment < b->segment ? -1 : 1;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    double apart = apart_in_time(e, a, b);
    if (a->side != ON_GRID || fabs(apart) <= ONE_TIME * e->interval)
        return 0;
    return apart < 0 ? -1 : 1;
}

static void compare_row(ErrorEstimate *e, double t)
{
    for (uint32_t k = 0; k < e->n; k++) {
        double apart = fabs(e->run[0].values[k] - e->run[1].values[k]);
        // not a number where both are is no difference
        if (isnan(apart) && isnan(e->run[0].values[k]) != isnan(e->run[1].values[k]))
            apart = INFINITY;
        if (apart > e->variable[k].error) {
            e->variable[k].error = apart;
            e->variable[k].t = t;
        }
    }
    e->n_rows++;
}

/* Values before and behind an event are compared if it has one time in both runs, as a sample has:
 * else the rows of both tell of two times. */
static bool compare_rows(ErrorEstimate *e, const EventList *a, const EventList *b)
{
    const RowsOfRun *first = &e->run[0], *second = &e->run[1];
    Place p = {0}, q = {0};
    uint32_t read[2] = {0, 0};
    find_place(a, &p);
    find_place(b, &q);
    while (p.row < first->t.n && q.row < second->t.n) {
        for (; read[0] <= p.row; read[0]++)
            if (!next_values(e, 0))
                return false;
        for (; read[1] <= q.row; read[1]++)
            if (!next_values(e, 1))
                return false;
        int order = p.is_inner ? -1 : q.is_inner ? 1 : order_of(e, &p, &q);
        if (order == 0 && fabs(apart_in_time(e, &p, &q)) <= ONE_TIME * e->interval)
            compare_row(e, first->t.at[p.row]);
        else if (order <= 0)
            e->n_left_out++;
        if (order <= 0) {
            p.row++;
            find_place(a, &p);
        }
        if (order >= 0) {
            q.row++;
            find_place(b, &q);
        }
    }
    e->n_left_out += first->t.n - p.row;
    return true;
}

bool error_estimate_compare(ErrorEstimate *e, const SimulateSummary *second)
{
    e->steps = second->counts.steps;
    for (int i = 0; i < 2; i++)
        e->is_full = e->is_full || fflush(e->run[i].file) || fseek(e->run[i].file, 0, SEEK_SET);
    if (e->is_full)
        return false;
    if (!e->run[0].t.n || !e->run[1].t.n)
        return true;
    EventList a = events_of(&e->run[0], e->mem), b = events_of(&e->run[1], e->mem);
    match_events(e, &a, &b);
    if (!compare_rows(e, &a, &b))
        return false;
    for (uint32_t k = 0; k < e->n; k++) {
        VariableError *v = &e->variable[k];
        double unit = fmax(e->unit * v->size, v->moved);
        v->tolerances = v->error > 0 ? v->error / unit : 0;
    }
    e->is_compared = true;
    return true;
}

/* ---- reports ---- */

const VariableError *error_estimate_worst(const ErrorEstimate *e)
{
    const VariableError *worst = NULL;
    for (uint32_t k = 0; k < e->n && e->n_rows; k++)
        if (!worst || e->variable[k].tolerances > worst->tolerances)
            worst = &e->variable[k];
    return worst;
}

const VariableError *error_estimate_of(const ErrorEstimate *e, const char *name)
{
    for (uint32_t k = 0; k < e->n; k++)
        if (strcmp(e->variable[k].name, name) == 0)
            return &e->variable[k];
    return NULL;
}

/* By falling errors; equal ones in the order of the model. */
static int by_error(const void *a, const void *b)
{
    const VariableError *x = *(const VariableError *const *)a;
    const VariableError *y = *(const VariableError *const *)b;
    if (x->tolerances != y->tolerances)
        return x->tolerances > y->tolerances ? -1 : 1;
    return x < y ? -1 : x > y;
}

static void put_lone_events(const ErrorEstimate *e, FILE *to)
{
    if (e->n_lone)
        fprintf(to, "  %u events occur in one of the runs only, the first at t = %.9g\n", e->n_lone,
                e->lone_t);
}

void error_estimate_report(const ErrorEstimate *e, FILE *to)
{
    enum { SHOWN = 5 };
    if (!e->is_compared)
        return;
    fprintf(to, "error estimate: by a second run, %s %.3g, %llu steps, on %llu rows",
            e->step > 0 ? "steps of" : "tolerance", e->step > 0 ? e->step : e->tolerance,
            (unsigned long long)e->steps, (unsigned long long)e->n_rows);
    if (e->n_events)
        fprintf(to, ", %u events, whose times differ by %.3g at most", e->n_events, e->shift);
    fprintf(to, "; in tolerances of %.3g:\n", e->unit);
    put_lone_events(e, to);
    const VariableError **order = arena_array(e->mem, const VariableError *, e->n + 1);
    for (uint32_t k = 0; k < e->n; k++)
        order[k] = &e->variable[k];
    qsort(order, e->n, sizeof *order, by_error);
    for (uint32_t k = 0; k < e->n && k < SHOWN; k++)
        fprintf(to, "  %10.3g  %s, off by %.3g at t = %.9g\n", order[k]->tolerances, order[k]->name,
                order[k]->error, order[k]->t);
}

void error_estimate_json(const ErrorEstimate *e, Json *j)
{
    const VariableError *worst = error_estimate_worst(e);
    if (!e->is_compared)
        return;
    json_object(j, "error_estimate");
    if (e->step > 0)
        json_number(j, "step", e->step, DIGITS);
    json_number(j, "tolerance", e->tolerance, DIGITS);
    json_count(j, "steps", e->steps);
    json_count(j, "rows", e->n_rows);
    json_count(j, "rows_left_out", e->n_left_out);
    json_count(j, "events", e->n_events);
    json_count(j, "events_of_one_run", e->n_lone);
    json_number(j, "event_times", e->shift, DIGITS);
    if (worst) {
        json_text(j, "variable", worst->name);
        json_number(j, "tolerances", worst->tolerances, DIGITS);
    }
    json_array(j, "variables");
    for (uint32_t k = 0; k < e->n; k++) {
        const VariableError *v = &e->variable[k];
        json_object(j, NULL);
        json_text(j, "name", v->name);
        json_number(j, "error", v->error, DIGITS);
        json_number(j, "t", v->t, DIGITS);
        json_number(j, "tolerances", v->tolerances, DIGITS);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}
