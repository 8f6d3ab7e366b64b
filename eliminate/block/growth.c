#include "eliminate/block/growth.h"

#include <math.h>
#include <stdlib.h>

typedef struct Number {
    double exact, rounded;
} Number;

typedef struct NumberEntry {
    uint32_t col;
    Number x;
} NumberEntry;

typedef struct NumberRow {
    NumberEntry *at; /* columns ascending */
    uint32_t n, cap;
} NumberRow;

typedef struct Holders {
    uint32_t *at; /* rows that hold, or held, an entry in the column */
    uint32_t n, cap;
} Holders;

typedef struct Trial {
    Arena *mem;
    uint32_t n;
    uint32_t *pivot_row; /* per column, once it is eliminated */
    bool *done;          /* per row: it was a pivot's         */
    NumberRow *row;
    Number *side;
    Holders *col;
    VEC(NumberEntry) merged;
} Trial;

static Number product(Number a, Number b)
{
    return (Number){a.exact * b.exact, (float)(a.rounded * b.rounded)};
}

/* What cancels but for rounding is zero. */
static Number difference(Number a, Number b)
{
    Number x = {a.exact - b.exact, (float)(a.rounded - b.rounded)};
    if (fabs(x.exact) <= 1e-13 * (fabs(a.exact) + fabs(b.exact)))
        x = (Number){0, 0};
    return x;
}

static Number quotient(Number a, Number b)
{
    return (Number){a.exact / b.exact, (float)(a.rounded / b.rounded)};
}

static const NumberEntry *find(const NumberRow *r, uint32_t col)
{
    uint32_t lo = 0, hi = r->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (r->at[mid].col < col)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < r->n && r->at[lo].col == col ? &r->at[lo] : NULL;
}

static void hold(Trial *t, uint32_t col, uint32_t row)
{
    Holders *c = &t->col[col];
    if (c->n == c->cap)
        c->at = vec_grow(t->mem, c->at, sizeof *c->at, c->n, &c->cap, c->n + 1);
    c->at[c->n++] = row;
}

/* Row e -= factor * row of the pivot in column p, without columns up to it. */
static void subtract(Trial *t, uint32_t e, uint32_t row, uint32_t p, Number factor)
{
    NumberRow *a = &t->row[e];
    const NumberRow *b = &t->row[row];
    t->merged.n = 0;
    for (uint32_t i = 0, k = 0; i < a->n || k < b->n;) {
        uint32_t ca = i < a->n ? a->at[i].col : UINT32_MAX;
        uint32_t cb = k < b->n ? b->at[k].col : UINT32_MAX;
        if (ca == p || cb <= p) {
            i += ca == p;
            k += cb <= p;
        } else if (ca < cb) {
            vec_push(t->mem, t->merged, a->at[i]);
            i++;
        } else {
            Number x = product(factor, b->at[k++].x);
            if (ca == cb) {
                x = difference(a->at[i++].x, x);
            } else {
                x = (Number){-x.exact, -x.rounded};
                hold(t, cb, e);
            }
            if (x.exact != 0)
                vec_push(t->mem, t->merged, ((NumberEntry){cb, x}));
        }
    }
    a->n = 0;
    if (a->cap < t->merged.n)
        a->at = vec_grow(t->mem, a->at, sizeof *a->at, 0, &a->cap, t->merged.n);
    if (t->merged.n)
        memcpy(a->at, t->merged.at, sizeof *a->at * t->merged.n);
    a->n = t->merged.n;
    t->side[e] = difference(t->side[e], product(factor, t->side[row]));
}

static int compare_entries(const void *a, const void *b)
{
    const NumberEntry *x = a, *y = b;
    return (x->col > y->col) - (x->col < y->col);
}

/* Entries at the sample's point, rows and columns by their place in the order; between 0.5 and 1.5
 * on the right-hand side. */
static Trial trial_of(const Matrix *m, const uint32_t *eq, const uint32_t *var, Sample *sample,
                      Arena *mem)
{
    Trial t = {.mem = mem, .n = m->n_rows};
    t.row = arena_array(mem, NumberRow, t.n);
    t.side = arena_array(mem, Number, t.n);
    t.col = arena_array(mem, Holders, t.n);
    t.pivot_row = arena_array(mem, uint32_t, t.n);
    t.done = arena_array(mem, bool, t.n);
    uint32_t *place = arena_array(mem, uint32_t, t.n);
    for (uint32_t k = 0; k < t.n; k++)
        place[var[k]] = k;
    for (uint32_t e = 0; e < t.n; e++) {
        const Row *r = &m->row[eq ? eq[e] : e];
        uint64_t h = (e + 1) * 0x9e3779b97f4a7c15u;
        double side = 0.5 + (double)(h >> 11) / 9007199254740992.0;
        t.side[e] = (Number){side, side};
        t.row[e] = (NumberRow){arena_array(mem, NumberEntry, r->n), 0, r->n};
        for (uint32_t k = 0; k < r->n; k++) {
            double x = sample_value(sample, r->at[k].x);
            t.row[e].at[t.row[e].n++] = (NumberEntry){place[r->at[k].col], {x, x}};
            hold(&t, place[r->at[k].col], e);
        }
        qsort(t.row[e].at, t.row[e].n, sizeof *t.row[e].at, compare_entries);
    }
    return t;
}

static double solve(Trial *t)
{
    Number *x = arena_array(t->mem, Number, t->n);
    double error = 0;
    double size = 0;
    for (uint32_t k = t->n; k-- > 0;) {
        Number sum = t->side[t->pivot_row[k]];
        const NumberRow *r = &t->row[t->pivot_row[k]];
        for (uint32_t i = 0; i < r->n; i++)
            if (r->at[i].col > k)
                sum = difference(sum, product(r->at[i].x, x[r->at[i].col]));
        x[k] = quotient(sum, find(r, k)->x);
        error = fmax(error, fabs(x[k].exact - x[k].rounded));
        size = fmax(size, fabs(x[k].exact));
        if (isnan(x[k].exact))
            return NAN;
        if (!isfinite(x[k].rounded))
            return INFINITY;
    }
    return size > 0 ? error / size * 16777216.0 : 0;
}

/* The row among those left whose entry in column k is largest; INC_NONE if there is none. */
static uint32_t largest(const Trial *t, uint32_t k)
{
    uint32_t best = INC_NONE;
    double size = 0;
    for (uint32_t i = 0; i < t->col[k].n; i++) {
        uint32_t e = t->col[k].at[i];
        const NumberEntry *x = t->done[e] ? NULL : find(&t->row[e], k);
        if (x && fabs(x->x.exact) > size) {
            size = fabs(x->x.exact);
            best = e;
        }
    }
    return best;
}

/* False if the pivot is zero. */
static bool eliminate(Trial *t, uint32_t k, uint32_t row)
{
    const NumberEntry *pivot = row == INC_NONE ? NULL : find(&t->row[row], k);
    if (!pivot || pivot->x.exact == 0)
        return false;
    Number by = pivot->x;
    t->pivot_row[k] = row;
    t->done[row] = true;
    for (uint32_t i = 0; i < t->col[k].n; i++) {
        uint32_t e = t->col[k].at[i];
        const NumberEntry *x = t->done[e] ? NULL : find(&t->row[e], k);
        if (x)
            subtract(t, e, row, k, quotient(x->x, by));
    }
    return true;
}

/* eq NULL: rows are chosen by size. */
static double loss_of(const Matrix *m, const uint32_t *eq, const uint32_t *var, Sample *sample)
{
    Arena *mem = arena_new();
    Trial t = trial_of(m, eq, var, sample, mem);
    bool ok = true;
    for (uint32_t k = 0; k < t.n && ok; k++)
        ok = eliminate(&t, k, eq ? k : largest(&t, k));
    double loss = ok ? solve(&t) : INFINITY;
    arena_free(mem);
    return loss;
}

double growth_of_order(const Matrix *m, const Order *o, Sample *sample)
{
    return loss_of(m, o->eq, o->var, sample);
}

double growth_of_lu(const Matrix *m, const uint32_t *column, Sample *sample)
{
    return loss_of(m, NULL, column, sample);
}

/* Six of sixteen digits, and four more than need be. */
bool growth_is_too_much(double loss, double best)
{
    return loss > 1e6 && loss > 1e4 * best;
}
