/* SPDX-License-Identifier: BSD-3-Clause */
#include "input.h"
#include "rung_hermite.h"

#include <math.h>
#include <stdlib.h>

struct Inputs {
    const InputData *data;
    unsigned char *cut; /* per row: 0, or the kind of the cut there */
    size_t first, end;  /* rows of the piece: its first, the one behind it or the last */
    double lead;
};

enum { KINK = 1, JUMP = 2 };

static double time_of(const InputData *d, size_t k)
{
    return d->t[k * d->stride];
}

static double value_of(const InputSignal *s, size_t k)
{
    return s->value[k * s->stride];
}

/* Rows k - 1, k, k + 1 on a line, but for rounding. */
static bool on_a_line(const InputData *d, const InputSignal *s, size_t k)
{
    static const double ROUNDING = 1e-13;
    double t = time_of(d, k), a = value_of(s, k - 1), b = value_of(s, k), c = value_of(s, k + 1);
    double share = (t - time_of(d, k - 1)) / (time_of(d, k + 1) - time_of(d, k - 1));
    return fabs(a + share * (c - a) - b) <= ROUNDING * (fabs(a) + fabs(b) + fabs(c));
}

/* The cut at row k, from where the new piece begins: the last row of its time. */
static unsigned char cut_at(const InputData *d, size_t k)
{
    size_t n = d->n_rows;
    if (k + 1 < n && time_of(d, k + 1) == time_of(d, k))
        return 0;
    bool twice = k > 0 && time_of(d, k - 1) == time_of(d, k);
    unsigned char cut = 0;
    size_t before = k;
    while (before > 0 && time_of(d, before - 1) == time_of(d, k))
        before--;
    for (uint32_t i = 0; i < d->n; i++) {
        const InputSignal *s = &d->signal[i];
        size_t from = s->kind == INPUT_HOLD && before > 0 ? before - 1 : before;
        if ((twice || s->kind == INPUT_HOLD) && value_of(s, from) != value_of(s, k))
            cut = JUMP;
        bool smooth = s->kind == INPUT_HOLD ||
                      (!twice && k > 0 && k + 1 < n && time_of(d, k - 1) < time_of(d, k) &&
                       s->kind == INPUT_LINEAR && on_a_line(d, s, k));
        if (!smooth && !cut)
            cut = KINK;
    }
    return cut;
}

/* The piece from row `first` on. */
static void take_piece(Inputs *it, size_t first)
{
    it->first = first;
    it->end = first + 1;
    while (it->end < it->data->n_rows && !it->cut[it->end])
        it->end++;
}

Inputs *inputs_new(const InputData *data, double t)
{
    Inputs *it = calloc(1, sizeof *it);
    unsigned char *cut = malloc(data->n_rows + 1);
    if (!it || !cut) {
        free(it);
        free(cut);
        return NULL;
    }
    it->data = data;
    it->cut = cut;
    size_t first = 0;
    for (size_t k = 0; k < data->n_rows; k++) {
        cut[k] = cut_at(data, k);
        if (cut[k] && time_of(data, k) <= t)
            first = k;
    }
    // rows of the start's time before the last of them are not reached
    while (first + 1 < data->n_rows && time_of(data, first + 1) <= time_of(data, 0))
        first++;
    take_piece(it, first);
    return it;
}

void inputs_free(Inputs *it)
{
    if (it)
        free(it->cut);
    free(it);
}

double inputs_next(const Inputs *it, bool *jumps)
{
    *jumps = false;
    if (!it || it->end >= it->data->n_rows)
        return INFINITY;
    *jumps = it->cut[it->end] == JUMP;
    return time_of(it->data, it->end);
}

void inputs_advance(Inputs *it)
{
    take_piece(it, it->end);
}

size_t inputs_place(const Inputs *it)
{
    return it ? it->first : 0;
}

void inputs_go(Inputs *it, size_t place)
{
    if (it && it->first != place)
        take_piece(it, place);
}

/* The last row of the piece that is not behind t, of those that have another behind them in it. */
static size_t row_at(const Inputs *it, size_t last, double t)
{
    size_t low = it->first, high = last;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (time_of(it->data, middle) <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Slope at row k from the parabola through its neighbours; at the end of a stretch without jumps,
 * of the line to the row beside it. */
static double slope_at(const InputData *d, const InputSignal *s, size_t k)
{
    double t = time_of(d, k), v = value_of(s, k), left = 0, right = 0;
    bool has_left = k > 0 && time_of(d, k - 1) < t;
    bool has_right = k + 1 < d->n_rows && time_of(d, k + 1) > t;
    double h = has_left ? t - time_of(d, k - 1) : 0, g = has_right ? time_of(d, k + 1) - t : 0;
    if (has_left)
        left = (v - value_of(s, k - 1)) / h;
    if (has_right)
        right = (value_of(s, k + 1) - v) / g;
    if (!has_left || !has_right)
        return has_left ? left : right;
    return (g * left + h * right) / (h + g);
}

static double cubic(const InputData *d, const InputSignal *s, size_t k, double t)
{
    double h = time_of(d, k + 1) - time_of(d, k), share = (t - time_of(d, k)) / h;
    double a = value_of(s, k), b = value_of(s, k + 1);
    double da = slope_at(d, s, k), db = slope_at(d, s, k + 1);
    return rung_hermite(h, share, a, da, b, db);
}

static double linear(const InputData *d, const InputSignal *s, size_t k, double t)
{
    double a = value_of(s, k), b = value_of(s, k + 1), from = time_of(d, k);
    double share = (t - from) / (time_of(d, k + 1) - from);
    return a + share * (b - a);
}

static double taylor(const InputData *d, const InputSignal *s, double t)
{
    double sum = 0;
    for (size_t j = s->stride; j-- > 0;)
        sum = sum * (t - d->t[0]) + s->value[j];
    return sum;
}

/* Whether the piece has one value alone; else *k is its row before t, another row being behind it.
 */
static bool find_row(const Inputs *it, double t, size_t *k)
{
    const InputData *d = it->data;
    size_t last = it->end < d->n_rows ? it->end : d->n_rows - 1;
    // the left side of a jump is its first row
    while (last > it->first + 1 && time_of(d, last - 1) == time_of(d, last))
        last--;
    bool is_point = last <= it->first || !(time_of(d, last) > time_of(d, it->first));
    *k = is_point ? it->first : row_at(it, last, t);
    return is_point;
}

void inputs_lead(Inputs *it, double lead)
{
    it->lead = lead;
}

bool inputs_move(const Inputs *it)
{
    bool any = false;
    for (uint32_t k = 0; it && k < it->data->n; k++)
        any = any || it->data->signal[k].kind != INPUT_HOLD;
    return any;
}

double inputs_smooth_for(const Inputs *it, double t)
{
    const double share = 1e-4, of_polynomial = 1e-5;
    const InputData *d = it->data;
    size_t k;
    if (d->n && d->signal[0].kind == INPUT_TAYLOR)
        return of_polynomial;
    return find_row(it, t, &k) ? 0 : share * (time_of(d, k + 1) - time_of(d, k));
}

void inputs_refresh(const Inputs *it, RungContext *ctx, double t)
{
    if (!it)
        return;
    const InputData *d = it->data;
    size_t k;
    bool is_point = find_row(it, t, &k);
    t += it->lead;
    for (uint32_t i = 0; i < d->n; i++) {
        const InputSignal *s = &d->signal[i];
        if (s->kind == INPUT_TAYLOR)
            ctx->u[s->input] = taylor(d, s, t);
        else if (s->kind == INPUT_HOLD || is_point)
            ctx->u[s->input] = value_of(s, k);
        else
            ctx->u[s->input] = s->kind == INPUT_LINEAR ? linear(d, s, k, t) : cubic(d, s, k, t);
    }
}
