/* SPDX-License-Identifier: BSD-3-Clause */
#include "delay.h"

#include "fallback.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A value found at time t: of a delay that varies, at the time `of`; of a particle, at the position
 * `of`. */
typedef struct Found {
    double t, of, value;
    uint64_t version; /* that of the points; 0: none */
} Found;

/* The recorded points between two jumps of a delayed expression, or up to the last point. A delay
 * reads one stretch until the run has passed the next jump (delays_pass), so that no step reads
 * values from both sides of it. */
typedef struct Stretch {
    size_t low, high; /* points behind the jumps; low 0: none, high: points were searched so far */
    bool ends;        /* high is behind a jump */
} Stretch;

/* One time axis for all; where a time occurs twice something may jump. */
struct Delays {
    uint32_t n;       /* delays */
    uint32_t *memory; /* of each, its number among the memory */
    double *lag;      /* the longest, where it varies */
    uint32_t *lag_of; /* the delay of 0 that holds how long it is, or RUNG_NONE: as long as lag */
    uint32_t n_varying;
    uint32_t *particle;   /* as in RungMemory, or 0 */
    Found *found;         /* of each, the last one */
    size_t *turn;         /* of a position: it has gone one way since this point */
    double *least, *most; /* of a position up to then */
    double *begin;        /* of a position: at the start of the run */
    double *t;            /* points   */
    double *value;        /* n each   */
    size_t points, room;
    uint64_t version; /* changes with the points and with is_before */
    double *x;        /* states inside a step */
    double *now;      /* n: where a delay is zero */
    uint32_t initial; /* the memory of initial(), or RUNG_NONE */
    double *old;      /* n                        */
    double *size;     /* n: the largest |value| so far */
    double *test;     /* n: values between two points  */
    Stretch *stretch; /* n */
    double tolerance; /* of the points */
    uint32_t n_zero;
    bool is_before;  /* jumps, where they are asked for */
    bool is_watched; /* delays_passed is asked after each step */
};

bool delays_needed(const RungModel *m)
{
    return m->delays != NULL;
}

void delays_free(Delays *d)
{
    if (!d)
        return;
    free(d->memory);
    free(d->lag);
    free(d->lag_of);
    free(d->particle);
    free(d->found);
    free(d->turn);
    free(d->least);
    free(d->most);
    free(d->begin);
    free(d->t);
    free(d->value);
    free(d->x);
    free(d->now);
    free(d->old);
    free(d->size);
    free(d->test);
    free(d->stretch);
    free(d);
}

Delays *delays_new(Problem *problem)
{
    const RungModel *m = problem->model;
    if (!m->delays)
        return NULL;
    Delays *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->initial = RUNG_NONE;
    for (uint32_t k = 0; k < m->event->n_memory; k++) {
        d->n += m->event->memory[k].kind == RUNG_DELAY;
        if (m->event->memory[k].kind == RUNG_INITIAL)
            d->initial = k;
    }
    d->memory = calloc(d->n + (size_t)1, sizeof *d->memory);
    d->lag = calloc(d->n + (size_t)1, sizeof *d->lag);
    d->lag_of = calloc(d->n + (size_t)1, sizeof *d->lag_of);
    d->particle = calloc(d->n + (size_t)1, sizeof *d->particle);
    d->found = calloc(d->n + (size_t)1, sizeof *d->found);
    d->turn = calloc(d->n + (size_t)1, sizeof *d->turn);
    d->least = calloc(d->n + (size_t)1, sizeof *d->least);
    d->most = calloc(d->n + (size_t)1, sizeof *d->most);
    d->begin = calloc(d->n + (size_t)1, sizeof *d->begin);
    d->x = calloc(m->n_states + (size_t)1, sizeof *d->x);
    d->now = calloc(d->n + (size_t)1, sizeof *d->now);
    d->old = calloc(d->n + (size_t)1, sizeof *d->old);
    d->size = calloc(d->n + (size_t)1, sizeof *d->size);
    d->test = calloc(d->n + (size_t)1, sizeof *d->test);
    d->stretch = calloc(d->n + (size_t)1, sizeof *d->stretch);
    if (!d->memory || !d->lag || !d->lag_of || !d->particle || !d->found || !d->turn || !d->least ||
        !d->most || !d->begin || !d->x || !d->now || !d->old || !d->size || !d->test ||
        !d->stretch) {
        delays_free(d);
        return NULL;
    }
    uint32_t n = 0;
    for (uint32_t k = 0; k < m->event->n_memory; k++)
        if (m->event->memory[k].kind == RUNG_DELAY)
            d->memory[n++] = k;
    for (uint32_t k = 0; k < d->n; k++) {
        uint32_t in = m->event->memory[d->memory[k]].lag_in;
        d->lag_of[k] = RUNG_NONE;
        for (uint32_t i = 0; i < d->n && in; i++)
            if (d->memory[i] == in - 1)
                d->lag_of[k] = i;
        d->n_varying += d->lag_of[k] != RUNG_NONE;
        d->particle[k] = m->event->memory[d->memory[k]].particle;
    }
    return d;
}

/* Whether delays that vary are from 0 up to their longest, by the values of the last point. */
static int check_lags(const Delays *d, Problem *problem)
{
    const double *value = d->value + d->points * d->n;
    for (uint32_t k = 0; k < d->n; k++) {
        if (d->lag_of[k] == RUNG_NONE)
            continue;
        double lag = value[d->lag_of[k]], slack = 1e-9 * d->lag[k];
        if (lag >= -slack && lag <= d->lag[k] + slack)
            continue;
        snprintf(problem->why, sizeof problem->why,
                 lag < 0 ? "a delay of %.9g s is negative"
                         : "a delay of %.9g s is longer than its longest, %.9g s",
                 lag, d->lag[k]);
        return 1;
    }
    return 0;
}

/* After point `last` was added. */
static void note_turns(Delays *d, size_t last)
{
    for (uint32_t k = 0; k < d->n; k++) {
        const double *x = d->value + k;
        if (!d->particle[k])
            continue;
        if (last < 2) {
            d->turn[k] = 0;
            d->least[k] = d->most[k] = x[0];
            continue;
        }
        double before = x[(last - 1) * d->n], way = before - x[d->turn[k] * d->n];
        if (way * (x[last * d->n] - before) >= 0)
            continue;
        d->turn[k] = last - 1;
        d->least[k] = fmin(d->least[k], before);
        d->most[k] = fmax(d->most[k], before);
    }
}

static int push(Delays *d, Problem *problem, double t, const double *x)
{
    if (d->points == d->room) {
        size_t room = d->room ? 2 * d->room : 256;
        double *times = realloc(d->t, room * sizeof *times);
        d->t = times ? times : d->t;
        double *values = times ? realloc(d->value, room * d->n * sizeof *values) : NULL;
        d->value = values ? values : d->value;
        if (!values) {
            snprintf(problem->why, sizeof problem->why, "out of memory for delays");
            return 1;
        }
        d->room = room;
    }
    if (problem_evaluate(problem, RUNG_ASK_DELAYS, t, x, d->value + d->points * d->n)) {
        snprintf(problem->why, sizeof problem->why, "the delayed expressions cannot be evaluated");
        return 1;
    }
    if (d->n_varying && check_lags(d, problem))
        return 1;
    const double *value = d->value + d->points * d->n;
    for (uint32_t k = 0; k < d->n; k++)
        d->size[k] = fmax(d->size[k], fabs(value[k]));
    if (!d->points)
        memcpy(d->begin, value, d->n * sizeof *value);
    d->t[d->points] = t;
    d->version++;
    note_turns(d, d->points++);
    return 0;
}

/* The value at the start of an expression that stands in memory. Fluid particles are at their ends.
 */
static double first_value(const Delays *d, uint32_t k)
{
    if (!d->particle[k])
        return d->value[k];
    return d->particle[k] == 1 + RUNG_PARTICLE_KINDS + RUNG_PARTICLE_PLACE;
}

bool delays_any_zero(const Delays *d)
{
    return d && d->n_zero > 0;
}

/* How long each delay is, of the parameters as they are. */
static int find_lags(Delays *d, Problem *problem)
{
    d->n_zero = 0;
    for (uint32_t k = 0; k < d->n; k++) {
        const RungMemory *m = &problem->model->event->memory[d->memory[k]];
        d->lag[k] = m->start_in == RUNG_NONE ? m->start : problem->ctx->c[m->start_in];
        if (!(d->lag[k] >= 0)) {
            snprintf(problem->why, sizeof problem->why, "a delay of %.9g s is negative", d->lag[k]);
            return 1;
        }
        d->n_zero += d->lag[k] == 0;
    }
    return 0;
}

static double longest_of(const Delays *d)
{
    double longest = 0;
    for (uint32_t k = 0; k < d->n; k++)
        longest = fmax(longest, d->lag[k]);
    return longest;
}

int delays_change(Delays *d, Problem *problem)
{
    if (!d)
        return 0;
    double before = longest_of(d);
    if (find_lags(d, problem))
        return 1;
    if (longest_of(d) > before) {
        snprintf(problem->why, sizeof problem->why,
                 "a delay is %.9g s now, and what is remembered reaches back %.9g s", longest_of(d),
                 before);
        return 1;
    }
    return 0;
}

static void clear(Delays *d)
{
    d->points = 0;
    d->version++;
    memset(d->stretch, 0, d->n * sizeof *d->stretch);
}

int delays_note(Delays *d, Problem *problem, double t, const double *x)
{
    if (!d)
        return 0;
    if (!d->points && find_lags(d, problem))
        return 1;
    /* before the start a delayed expression has the value of the start, while initialising, on
     * which other delays may depend */
    double *memory = problem->ctx->u + problem->model->n_inputs;
    bool begins = d->points <= 1 && d->initial != RUNG_NONE;
    double initial = begins ? memory[d->initial] : 0;
    if (begins)
        memory[d->initial] = 1;
    for (uint32_t round = 0; round <= d->n + 1 && d->points <= 1; round++) {
        clear(d);
        if (push(d, problem, t, x))
            return 1;
        for (uint32_t k = 0; k < d->n; k++)
            memory[d->memory[k]] = first_value(d, k);
    }
    if (begins)
        memory[d->initial] = initial;
    return push(d, problem, t, x);
}

int delays_begin(Delays *d, Problem *problem, double t, const double *x, bool *moved)
{
    *moved = false;
    if (!d)
        return 0;
    double *memory = problem->ctx->u + problem->model->n_inputs;
    for (uint32_t k = 0; k < d->n; k++)
        d->old[k] = memory[d->memory[k]];
    clear(d);
    if (delays_note(d, problem, t, x))
        return 1;
    for (uint32_t k = 0; k < d->n; k++)
        *moved = *moved || d->old[k] != memory[d->memory[k]];
    return 0;
}

/* Points of a step at least; those that an interpolation takes: of the order of the methods, whose
 * steps may be as long as the delay. */
enum { INSIDE = 4, AROUND = 6 };

/* The last point before all fluid entered that is between the ends now: since then the position has
 * moved by the length of 1, from the least to the largest. Fluid that has left does not come back.
 */
static size_t before_entry(const Delays *d, uint32_t k)
{
    size_t i = d->points - 1;
    double least = d->value[i * d->n + k], most = least;
    while (i > 0 && most - least < 1) {
        i--;
        least = fmin(least, d->value[i * d->n + k]);
        most = fmax(most, d->value[i * d->n + k]);
    }
    return i;
}

/* The first point that something reaches from t on, by interpolation. */
static size_t first_reached(const Delays *d, double t)
{
    double longest = 0;
    size_t first = 0, end = d->points;
    for (uint32_t k = 0; k < d->n; k++) {
        longest = d->lag[k] < DBL_MAX ? fmax(longest, d->lag[k]) : longest;
        const size_t entry = d->particle[k] && d->points ? before_entry(d, k) : end;
        end = entry < end ? entry : end;
    }
    while (first + AROUND < end && d->t[first + AROUND] < t - longest)
        first++;
    return first;
}

/* When the arrays are full, removes points that no delay reaches from t on. */
static void forget(Delays *d, double t)
{
    if (d->points + INSIDE <= d->room)
        return;
    size_t first = first_reached(d, t);
    // moving costs as much as the points that stay: not for few
    if (first < d->points / 2)
        return;
    for (uint32_t k = 0; k < d->n; k++) {
        Stretch *s = &d->stretch[k];
        s->low = s->low > first ? s->low - first : 0;
        s->high = s->high > first ? s->high - first : 0;
        s->ends = s->ends && s->high > 0;
        d->turn[k] = d->turn[k] > first ? d->turn[k] - first : 0;
    }
    d->points -= first;
    d->version++;
    memmove(d->t, d->t + first, d->points * sizeof *d->t);
    memmove(d->value, d->value + first * d->n, d->points * d->n * sizeof *d->value);
}

double delays_reach(const Delays *d)
{
    double least = INFINITY;
    for (uint32_t k = 0; d && k < d->n; k++)
        if (d->lag[k] > 0 && d->lag_of[k] == RUNG_NONE)
            least = fmin(least, d->lag[k]);
    return least;
}

/* The points first .. first + n - 1 around t, on one side of every jump. */
static double lagrange(const Delays *d, uint32_t k, size_t first, size_t n, double t)
{
    // a constant is reproduced exactly, whatever the weights sum up to
    double of_first = d->value[first * d->n + k], sum = of_first;
    for (size_t i = first; i < first + n; i++) {
        double weight = 1;
        for (size_t j = first; j < first + n; j++)
            if (j != i)
                weight *= (t - d->t[j]) / (d->t[i] - d->t[j]);
        sum += weight * (d->value[i * d->n + k] - of_first);
    }
    return sum;
}

void delays_look_back(Delays *d, bool is_before)
{
    if (!d || d->is_before == is_before)
        return;
    d->is_before = is_before;
    d->version++;
}

/* Rounding of a time in the past, which is the present time less the delay. */
static double close_to(const Delays *d, double past)
{
    return 32 * DBL_EPSILON * (fabs(past) + fabs(d->t[d->points - 1]));
}

/* Where t is a jump, at points up to `low`, but for rounding: the point before it; else low. */
static size_t before_jump(const Delays *d, size_t low, double t)
{
    double close = close_to(d, t);
    size_t first = low;
    while (d->is_before && first > 0 && t - d->t[low] <= close && d->t[first - 1] == d->t[low])
        first--;
    return first;
}

/* At a jump the value after it (before it with is_before); before the first point, the first value.
 */
static double value_at(const Delays *d, uint32_t k, double t)
{
    size_t last = d->points - 1;
    if (t < d->t[0] || last == 0)
        return d->value[k];
    size_t low = 0, high = last;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (d->t[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    low = t >= d->t[last] ? last : low;
    size_t before = before_jump(d, low, t);
    if (before != low)
        return d->value[before * d->n + k];
    if (low == last || d->t[low] == t)
        return d->value[low * d->n + k];
    // points closer than this would amplify the errors of single steps
    size_t first = low, end = high;
    double least = 0.5 * (d->t[high] - d->t[low]);
    for (bool grows = true; grows && end - first + 1 < AROUND;) {
        bool left = first > 0 && d->t[first] - d->t[first - 1] >= least;
        bool right = end < last && d->t[end + 1] - d->t[end] >= least;
        grows = left || right;
        // as many on each side, where there are as many
        if (left && (!right || low - first <= end - high))
            first--;
        else if (right)
            end++;
    }
    return lagrange(d, k, first, end - first + 1, t);
}

/* n points after t0, equally far from each other, the last one at t. */
static int record_points(Delays *d, Problem *problem, const Interpolant *inside, double t0,
                         double t, int n)
{
    for (int k = 1; k <= n; k++) {
        double at = k == n ? t : t0 + (t - t0) * k / n;
        inside->at(inside, at, d->x);
        if (push(d, problem, at, d->x))
            return 1;
    }
    return 0;
}

/* Whether the interpolation is exact to the tolerance in the middle between the last n points. */
static int are_close(Delays *d, Problem *problem, const Interpolant *inside, double tolerance,
                     int n, bool *close)
{
    static const double SHARE = 0.1;
    *close = true;
    for (size_t i = d->points - (size_t)n; i < d->points && *close; i++) {
        double at = d->t[i - 1] + (d->t[i] - d->t[i - 1]) / 2;
        if (!(at > d->t[i - 1] && at < d->t[i]))
            return 0;
        inside->at(inside, at, d->x);
        if (problem_evaluate(problem, RUNG_ASK_DELAYS, at, d->x, d->test)) {
            snprintf(problem->why, sizeof problem->why,
                     "the delayed expressions cannot be evaluated");
            return 1;
        }
        for (uint32_t k = 0; k < d->n; k++)
            *close = *close && (d->lag[k] == 0 || fabs(value_at(d, k, at) - d->test[k]) <=
                                                      SHARE * tolerance * d->size[k]);
    }
    return 0;
}

/* Records from t0 to t with as many points as the tolerance takes; where that is too many for one
 * distance, each half has its own. A delayed expression that jumps in a step is close at no
 * distance. */
static int record_between(Delays *d, Problem *problem, const Interpolant *inside, double tolerance,
                          double t0, double t, int depth)
{
    enum { MOST_INSIDE = 32, DEPTH = 10 };
    const size_t before = d->points;
    bool close = false;
    for (int n = INSIDE; !close && n <= MOST_INSIDE; n *= 2) {
        d->points = before;
        d->version++;
        if (record_points(d, problem, inside, t0, t, n) ||
            are_close(d, problem, inside, tolerance, n, &close))
            return 1;
    }
    const double middle = t0 + (t - t0) / 2;
    if (close || depth == DEPTH || !(middle > t0 && middle < t))
        return 0;
    d->points = before;
    d->version++;
    return record_between(d, problem, inside, tolerance, t0, middle, depth + 1) ||
           record_between(d, problem, inside, tolerance, middle, t, depth + 1);
}

int delays_record(Delays *d, Problem *problem, const Interpolant *inside, double tolerance,
                  double t0, double t)
{
    static const double FINEST = 1e-13;
    if (!d)
        return 0;
    d->tolerance = tolerance;
    forget(d, t0);
    return record_between(d, problem, inside, fmax(tolerance, FINEST), t0, t, 0);
}

/* ------------------------------------------------------------------ pulses */

uint32_t delays_count(const Delays *d)
{
    return d ? d->n : 0;
}

double delays_lag(const Delays *d, RungContext *ctx, uint32_t k, double t, const double *x)
{
    if (d->lag_of[k] == RUNG_NONE)
        return d->lag[k];
    delays_refresh(d, ctx, t, x);
    return fmin(fmax(d->now[d->lag_of[k]], 0), d->lag[k]);
}

/* The first point behind t. */
static size_t point_behind(const Delays *d, double t)
{
    size_t low = 0, high = d->points;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->t[middle] <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool delays_find_peak(const Delays *d, uint32_t k, double from, double to, double *at,
                      double *width)
{
    static const double FAR = 0.5;
    if (!d->points || from < d->t[0])
        return false;
    const double first = value_at(d, k, from), far = FAR * d->size[k];
    size_t top = 0, begin = point_behind(d, from);
    for (size_t i = begin; i < d->points && d->t[i] < to && far > 0; i++) {
        const double here = d->value[i * d->n + k];
        if (fabs(here - first) > (top ? fabs(d->value[top * d->n + k] - first) : 0))
            top = i;
        const double peak = top ? d->value[top * d->n + k] : first;
        if (fabs(peak - first) < far || fabs(peak - here) < far)
            continue;
        // the width at half of the height
        size_t left = top, right = top;
        while (left > begin && fabs(d->value[left * d->n + k] - peak) < 0.5 * fabs(peak - first))
            left--;
        while (right < i && fabs(d->value[right * d->n + k] - peak) < 0.5 * fabs(peak - here))
            right++;
        *at = d->t[top];
        *width = d->t[right] - d->t[left];
        return true;
    }
    return false;
}

bool delays_move(Delays *d, Problem *problem, const Interpolant *inside, double tolerance, double t,
                 double width)
{
    bool ok = d != NULL;
    for (int side = -1; side <= 1 && ok; side++) {
        double *to = side < 0 ? d->old : side == 0 ? d->test : d->now;
        inside->at(inside, t + side * width, d->x);
        ok = !problem_evaluate(problem, RUNG_ASK_DELAYS, t + side * width, d->x, to);
    }
    for (uint32_t k = 0; ok && k < d->n; k++) {
        double size = fmax(d->size[k], fabs(d->test[k]));
        if (d->lag[k] > 0 && fabs(d->test[k] - (d->old[k] + d->now[k]) / 2) > tolerance * size)
            return true;
    }
    return false;
}

/* At a time that the present step has passed, though it is not recorded yet: between the points
 * since the last jump and the present value, at t. */
static double value_in_step(const Delays *d, uint32_t k, double at, double t)
{
    size_t last = d->points - 1, first = last;
    double span = t - d->t[last];
    if (at <= d->t[last] || span <= 0)
        return value_at(d, k, at);
    while (first > 0 && last - first + 2 < AROUND && d->t[first] - d->t[first - 1] >= 0.25 * span)
        first--;
    // the polynomial of the points, and the one that vanishes at them
    double weight = 1;
    for (size_t j = first; j <= last; j++)
        weight *= (at - d->t[j]) / (t - d->t[j]);
    size_t n = last - first + 1;
    return lagrange(d, k, first, n, at) + weight * (d->now[k] - lagrange(d, k, first, n, t));
}

/* ------------------------------------------------------------------ jumps */

static bool varies(const Delays *d, uint32_t k)
{
    return d->lag_of[k] != RUNG_NONE;
}

/* Whether the expression jumps between point i and the one before it. */
static bool is_jump(const Delays *d, uint32_t k, size_t i)
{
    static const double SHARE = 1e-2;
    return i > 0 && d->t[i] == d->t[i - 1] &&
           fabs(d->value[i * d->n + k] - d->value[(i - 1) * d->n + k]) >
               SHARE * d->tolerance * d->size[k];
}

/* Moves the stretch to `past`. Each point is searched once, as long as the past goes one way. */
static void find_stretch(Delays *d, uint32_t k, double past, double close)
{
    Stretch *s = &d->stretch[k];
    while (s->low && past < d->t[s->low] - close) {
        s->high = s->low--;
        s->ends = true;
        while (s->low && !is_jump(d, k, s->low))
            s->low--;
    }
    s->high = s->high > s->low && s->high <= d->points ? s->high : s->low + 1;
    for (;; s->low = s->high++) {
        while (s->high < d->points && !is_jump(d, k, s->high))
            s->high++;
        s->ends = s->high < d->points;
        if (!s->ends || past < d->t[s->high] - close)
            return;
    }
}

/* Outside of a stretch beyond its first or last point: on a line through this point and one inside,
 * which is as far away if there is one. */
static double beyond(const Delays *d, uint32_t k, size_t end, bool is_last, double past)
{
    const Stretch *s = &d->stretch[k];
    const double *value = d->value + k, far = fabs(past - d->t[end]);
    size_t i = end;
    while (fabs(d->t[i] - d->t[end]) < far && (is_last ? i > s->low : i + 1 < d->points) &&
           (is_last || !s->ends || i + 1 < s->high))
        i = is_last ? i - 1 : i + 1;
    const double h = d->t[i] - d->t[end], at = value[end * d->n];
    return h == 0 ? at : at + (past - d->t[end]) / h * (value[i * d->n] - at);
}

/* The value at a time in the past, of its present stretch. At t, where the present values are
 * `now`. */
static double past_value(const Delays *d, uint32_t k, double past, double t)
{
    const Stretch *s = &d->stretch[k];
    const double close = close_to(d, past);
    const bool holds = !varies(d, k) || d->is_watched;
    if (s->ends && past >= d->t[s->high] - close) {
        if (past <= d->t[s->high] + close)
            return d->value[(s->high - 1) * d->n + k];
        if (holds)
            return beyond(d, k, s->high - 1, true, past);
    }
    if (s->low && past <= d->t[s->low] + close) {
        if (past >= d->t[s->low] - close)
            return d->value[before_jump(d, s->low, past) * d->n + k];
        if (holds)
            return beyond(d, k, s->low, false, past);
    }
    return varies(d, k) ? value_in_step(d, k, past, t) : value_at(d, k, past);
}

/* At t, where the present values are `now`. */
static double past_of(const Delays *d, uint32_t k, double t)
{
    return varies(d, k) ? t - fmin(fmax(d->now[d->lag_of[k]], 0), d->lag[k]) : t - d->lag[k];
}

/* By so much times in the past are uncertain; delays that vary move with the states, which closed
 * loops correct. */
static double slack_of(const Delays *d, uint32_t k, double past, double t)
{
    static const double OF_STATES = 1e-11;
    return varies(d, k) ? OF_STATES * (fabs(t) + fabs(past)) : close_to(d, past);
}

void delays_watch(Delays *d)
{
    if (d)
        d->is_watched = true;
}

void delays_pass(Delays *d, Problem *problem, double t, const double *x)
{
    if (!d || !d->points)
        return;
    delays_refresh(d, problem->ctx, t, x);
    for (uint32_t k = 0; k < d->n; k++)
        if (d->lag[k] > 0) {
            const double past = past_of(d, k, t);
            find_stretch(d, k, past, slack_of(d, k, past, t));
        }
    d->version++;
}

double delays_arrival(const Delays *d)
{
    double next = INFINITY;
    for (uint32_t k = 0; d && k < d->n; k++)
        if (!varies(d, k) && d->lag[k] > 0 && d->stretch[k].ends)
            next = fmin(next, d->t[d->stretch[k].high] + d->lag[k]);
    return next;
}

bool delays_arrive(const Delays *d, double t)
{
    const double arrival = delays_arrival(d);
    return arrival < INFINITY && t >= arrival - close_to(d, t);
}

/* Whether a delay that varies reaches back beyond its stretch at t. */
static bool is_beyond(Delays *d, Problem *problem, const Interpolant *inside, double t)
{
    inside->at(inside, t, d->x);
    delays_refresh(d, problem->ctx, t, d->x);
    for (uint32_t k = 0; k < d->n; k++) {
        const Stretch *s = &d->stretch[k];
        if (!varies(d, k) || d->lag[k] == 0)
            continue;
        const double past = past_of(d, k, t);
        if ((s->ends && past > d->t[s->high]) ||
            (s->low && past < d->t[s->low] - 2 * slack_of(d, k, past, t)))
            return true;
    }
    return false;
}

bool delays_passed(Delays *d, Problem *problem, const Interpolant *inside, double t0, double t1,
                   double *at)
{
    if (!d || !d->n_varying || !is_beyond(d, problem, inside, t1))
        return false;
    double low = t0, high = t1;
    for (double middle = low + (high - low) / 2; middle > low && middle < high;
         middle = low + (high - low) / 2) {
        if (is_beyond(d, problem, inside, middle))
            high = middle;
        else
            low = middle;
    }
    *at = high;
    return true;
}

/* ------------------------------------------------------------------ spatialDistribution */

/* The time between a and b at which position k is at x, which it is on different sides of there. */
static double time_at(const Delays *d, uint32_t k, double a, double b, double x, double t)
{
    enum { ROUNDS = 60 };
    double at_a = value_in_step(d, k, a, t) - x, at_b = value_in_step(d, k, b, t) - x, c = b;
    if (at_a == 0)
        return a;
    // regula falsi that halves the weight of an end that stays (Illinois)
    for (int round = 0, side = 0; round < ROUNDS; round++) {
        double before = c;
        c = (a * at_b - b * at_a) / (at_b - at_a);
        c = c > a && c < b ? c : a + (b - a) / 2;
        double at_c = value_in_step(d, k, c, t) - x;
        if (at_c == 0 || fabs(c - before) <= 2 * DBL_EPSILON * fabs(c))
            return c;
        if ((at_c > 0) == (at_b > 0)) {
            b = c;
            at_b = at_c;
            at_a *= side == 1 ? 0.5 : 1;
            side = 1;
        } else {
            a = c;
            at_a = at_c;
            at_b *= side == -1 ? 0.5 : 1;
            side = -1;
        }
    }
    return c;
}

/* Of the points low .. high, between which the position goes one way, the last one that is not yet
 * beyond x. */
static size_t last_before(const Delays *d, uint32_t k, size_t low, size_t high, double x)
{
    bool rises = d->value[high * d->n + k] > d->value[low * d->n + k];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        double at = d->value[middle * d->n + k];
        if (rises ? at <= x : at >= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Whether position goes through x, upwards or downwards, from `first` to `last`. */
static bool passes(double first, double last, double x, bool up)
{
    return up ? first <= x && last > x : first >= x && last < x;
}

/* The last time up to t at which position k went through x, upwards or downwards; -infinity: never.
 * Constant time as long as the flow has turned once at most since then. */
static double last_passage(const Delays *d, uint32_t k, double x, bool up, double t)
{
    const double *at = d->value + k;
    size_t n = point_behind(d, t);
    if (n == 0)
        return -INFINITY;
    size_t i = n - 1, turn = d->turn[k];
    if (passes(at[i * d->n], d->now[k], x, up))
        return time_at(d, k, d->t[i], t, x, t);
    if (turn < i) {
        if (passes(at[turn * d->n], at[i * d->n], x, up)) {
            i = last_before(d, k, turn, i, x);
            return time_at(d, k, d->t[i], d->t[i + 1], x, t);
        }
        i = turn;
        if (up ? d->least[k] > x : d->most[k] < x)
            return -INFINITY;
    }
    for (; i > 0; i--)
        if (passes(at[(i - 1) * d->n], at[i * d->n], x, up))
            return time_at(d, k, d->t[i - 1], d->t[i], x, t);
    return -INFINITY;
}

/* When the particle at one end entered, from the left or from the right, its position being that of
 * the flow then, or one less. */
static double entry_time(const Delays *d, uint32_t k, bool end, bool from_left, double t)
{
    double particle = d->now[k] - end;
    return last_passage(d, k, from_left ? particle : particle + 1, from_left, t);
}

/* Property k of a fluid particle, with the present position in `now`. */
static double of_particle(const Delays *d, uint32_t k, double t)
{
    const uint32_t what = (d->particle[k] - 1) % RUNG_PARTICLE_KINDS;
    const bool end = d->particle[k] > RUNG_PARTICLE_KINDS;
    if (what == RUNG_PARTICLE_PLACE)
        return fmin(fmax(d->begin[k] - (d->now[k] - end), 0), 1);
    double left = what == RUNG_PARTICLE_RIGHT_AGE ? 0 : entry_time(d, k, end, true, t);
    double right = what == RUNG_PARTICLE_LEFT_AGE ? 0 : entry_time(d, k, end, false, t);
    if (what == RUNG_PARTICLE_ORIGIN)
        return isinf(left) && isinf(right) ? 0 : left >= right ? 1 : 2;
    return t - fmax(what == RUNG_PARTICLE_LEFT_AGE ? left : right, d->t[0]);
}

/* The value of number k, a delay that varies or of a particle, with the present values in `now`:
 * other delays of the same evaluation ask for it again. */
static double varying_value(const Delays *d, uint32_t k, double t)
{
    Found *f = &d->found[k];
    double of = varies(d, k) ? past_of(d, k, t) : d->now[k];
    bool is_recorded = !varies(d, k) || of <= d->t[d->points - 1];
    if (is_recorded && f->version == d->version && f->t == t && f->of == of)
        return f->value;
    double value = varies(d, k) ? past_value(d, k, of, t) : of_particle(d, k, t);
    *f = (Found){t, of, value, is_recorded ? d->version : 0};
    return value;
}

void delays_refresh(const Delays *d, RungContext *ctx, double t, const double *x)
{
    if (!d || !d->points)
        return;
    double *memory = ctx->u + ctx->model->n_inputs;
    for (uint32_t k = 0; k < d->n; k++)
        if (d->lag_of[k] == RUNG_NONE && !d->particle[k])
            memory[d->memory[k]] = past_value(d, k, past_of(d, k, t), t);
    // delays of zero are the present values, on which other delays of zero may depend, and how long
    // others are
    bool moves = true;
    for (uint32_t round = 0; round < d->n_zero + d->n_varying && moves; round++) {
        if (ctx->model->delays(ctx, t, x, d->now))
            return;
        moves = false;
        for (uint32_t k = 0; k < d->n; k++) {
            if (d->lag[k] != 0 && !varies(d, k))
                continue;
            double value = varies(d, k) || d->particle[k] ? varying_value(d, k, t) : d->now[k];
            moves = moves || value != memory[d->memory[k]];
            memory[d->memory[k]] = value;
        }
    }
}

void delays_save(Delays *d, Snapshot *s)
{
    if (!d)
        return;
    size_t first = d->points ? first_reached(d, d->t[d->points - 1]) : 0, n = d->points - first;
    const uint64_t zero = d->n_zero;
    snapshot_put(s, &zero, sizeof zero);
    snapshot_put(s, d->lag, d->n * sizeof *d->lag);
    snapshot_put(s, d->size, d->n * sizeof *d->size);
    snapshot_put(s, d->begin, d->n * sizeof *d->begin);
    snapshot_put(s, &d->tolerance, sizeof d->tolerance);
    snapshot_put(s, n ? d->t + first : NULL, n * sizeof *d->t);
    snapshot_put(s, n ? d->value + first * d->n : NULL, n * d->n * sizeof *d->value);
}

bool delays_restore(Delays *d, Snapshot *s)
{
    if (!d)
        return true;
    uint64_t zero;
    if (!snapshot_get(s, &zero, sizeof zero) || !snapshot_get(s, d->lag, d->n * sizeof *d->lag) ||
        !snapshot_get(s, d->size, d->n * sizeof *d->size) ||
        !snapshot_get(s, d->begin, d->n * sizeof *d->begin) ||
        !snapshot_get(s, &d->tolerance, sizeof d->tolerance))
        return false;
    size_t n = snapshot_next(s) / sizeof *d->t;
    if (n > s->n)
        return false;
    double *times = realloc(d->t, (n + 1) * sizeof *times);
    d->t = times ? times : d->t;
    double *values = times ? realloc(d->value, (n + 1) * d->n * sizeof *values) : NULL;
    d->value = values ? values : d->value;
    d->n_zero = (uint32_t)zero;
    clear(d);
    d->points = d->room = n;
    const bool ok = values && snapshot_get(s, d->t, n * sizeof *d->t) &&
                    snapshot_get(s, d->value, n * d->n * sizeof *d->value);
    for (size_t k = 0; ok && k < n; k++)
        note_turns(d, k);
    return ok;
}
