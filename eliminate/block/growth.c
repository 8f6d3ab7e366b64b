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

typedef VEC(NumberEntry) NumberRow;
typedef VEC(uint32_t) NumberColumn;

typedef struct PivotPlace {
    uint32_t row, col;
} PivotPlace;

/* Columns by their place in the order, in which they are eliminated. */
typedef struct NumberMatrix {
    Arena *mem;
    uint32_t n;
    NumberRow *row;
    NumberColumn *col;
    Number *rhs;
    bool *row_done;
    VEC(PivotPlace) step;
    NumberRow merged;
} NumberMatrix;

static Number product(Number a, Number b)
{
    return (Number){a.exact * b.exact, (float)(a.rounded * b.rounded)};
}

/* A difference of the size of rounding is zero. */
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

static void subtract_side(NumberMatrix *m, uint32_t row, uint32_t pivot_row, Number factor)
{
    m->rhs[row] = difference(m->rhs[row], product(factor, m->rhs[pivot_row]));
}

#define LU_MATRIX NumberMatrix
#define LU_ROW NumberRow
#define LU_SCALAR Number
#define LU_VALUE(entry) ((entry).x)
#define LU_ENTRY(col, x) ((NumberEntry){col, x})
#define LU_MUL(m, a, b) product(a, b)
#define LU_SUB(m, a, b) difference(a, b)
#define LU_NEG(m, a) ((Number){-(a).exact, -(a).rounded})
#define LU_OVER(m, a, pivot) quotient(a, pivot)
#define LU_IS_ZERO(m, a) ((a).exact == 0)
#define LU_NEWEST_FIRST 0
#define LU_ON_FILL(m) (void)0
#define LU_ON_CANCEL(m, row, col) (void)0
#define LU_SIDE_SUB(m, a, b) difference(a, b)
#define LU_SUB_SIDE(m, row, pivot_row, factor) subtract_side(m, row, pivot_row, factor)
#include "graph/sparse_elimination.inc"

static int compare_entries(const void *a, const void *b)
{
    const NumberEntry *x = a, *y = b;
    return (x->col > y->col) - (x->col < y->col);
}

/* Between 0.5 and 1.5 on the right-hand side. */
static NumberMatrix numbers_begin(uint32_t n, Arena *mem)
{
    NumberMatrix t = {.mem = mem,
                      .n = n,
                      .row = arena_array(mem, NumberRow, n),
                      .col = arena_array(mem, NumberColumn, n),
                      .rhs = arena_array(mem, Number, n),
                      .row_done = arena_array(mem, bool, n)};
    for (uint32_t e = 0; e < n; e++) {
        uint64_t h = (e + 1) * 0x9e3779b97f4a7c15u;
        double side = 0.5 + (double)(h >> 11) / 9007199254740992.0;
        t.rhs[e] = (Number){side, side};
    }
    return t;
}

static void numbers_add(NumberMatrix *t, uint32_t row, uint32_t col, double x)
{
    NumberEntry entry = {col, {x, x}};
    vec_push(t->mem, t->row[row], entry);
    vec_push(t->mem, t->col[col], row);
}

static void numbers_end(NumberMatrix *t)
{
    for (uint32_t e = 0; e < t->n; e++)
        if (t->row[e].n > 1)
            qsort(t->row[e].at, t->row[e].n, sizeof *t->row[e].at, compare_entries);
}

static uint32_t *places_of(const uint32_t *var, uint32_t n, Arena *mem)
{
    uint32_t *place = arena_array(mem, uint32_t, n);
    for (uint32_t k = 0; k < n; k++)
        place[var[k]] = k;
    return place;
}

/* Entries at the sample's point, rows and columns by their place in the order. */
static NumberMatrix numbers_of(const Matrix *m, const uint32_t *eq, const uint32_t *var,
                               Sample *sample, Arena *mem)
{
    NumberMatrix t = numbers_begin(m->n_rows, mem);
    const uint32_t *place = places_of(var, t.n, mem);
    for (uint32_t e = 0; e < t.n; e++) {
        const Row *r = &m->row[eq ? eq[e] : e];
        for (uint32_t k = 0; k < r->n; k++)
            numbers_add(&t, e, place[r->at[k].col], sample_value(sample, r->at[k].x));
    }
    numbers_end(&t);
    return t;
}

/* Of the solution, after all columns were eliminated. */
static double growth_of_solution(NumberMatrix *t)
{
    Number *x = arena_array(t->mem, Number, t->n);
    double difference_of_both = 0, size = 0;
    lu_substitute_back(t, x);
    for (uint32_t k = t->n; k-- > 0;) {
        if (isnan(x[k].exact))
            return NAN;
        if (!isfinite(x[k].rounded))
            return INFINITY;
        difference_of_both = fmax(difference_of_both, fabs(x[k].exact - x[k].rounded));
        size = fmax(size, fabs(x[k].exact));
    }
    return size > 0 ? difference_of_both / size * 16777216.0 : 0;
}

/* The row among those left whose entry in column k is largest; INC_NONE if there is none. */
static uint32_t largest(const NumberMatrix *t, uint32_t k)
{
    uint32_t best = INC_NONE;
    double size = 0;
    for (uint32_t i = 0; i < t->col[k].n; i++) {
        uint32_t e = t->col[k].at[i];
        int64_t at = t->row_done[e] ? LU_NONE : lu_find(&t->row[e], k);
        if (at != LU_NONE && fabs(t->row[e].at[at].x.exact) > size) {
            size = fabs(t->row[e].at[at].x.exact);
            best = e;
        }
    }
    return best;
}

/* False if the pivot is zero. */
static bool eliminate(NumberMatrix *t, uint32_t k, uint32_t row)
{
    int64_t at = row == INC_NONE ? LU_NONE : lu_find(&t->row[row], k);
    if (at == LU_NONE || t->row[row].at[at].x.exact == 0)
        return false;
    vec_push(t->mem, t->step, ((PivotPlace){row, k}));
    lu_eliminate(t, row, k);
    return true;
}

/* eq NULL: rows are chosen by size. */
static double growth_of(const Matrix *m, const uint32_t *eq, const uint32_t *var, Sample *sample)
{
    Arena *mem = arena_new();
    NumberMatrix t = numbers_of(m, eq, var, sample, mem);
    bool ok = true;
    for (uint32_t k = 0; k < t.n && ok; k++)
        ok = eliminate(&t, k, eq ? k : largest(&t, k));
    double growth = ok ? growth_of_solution(&t) : INFINITY;
    arena_free(mem);
    return growth;
}

double growth_of_order(const Matrix *m, const Order *o, Sample *sample)
{
    return growth_of(m, o->eq, o->var, sample);
}

double growth_at_point(const Incidence *g, const Order *o, const double *number, uint32_t n_points,
                       uint32_t point)
{
    Arena *mem = arena_new();
    NumberMatrix t = numbers_begin(o->n, mem);
    const uint32_t *place = places_of(o->var, t.n, mem);
    for (uint32_t e = 0; e < t.n; e++)
        for (uint32_t k = g->row_begin[o->eq[e]]; k < g->row_begin[o->eq[e] + 1]; k++)
            numbers_add(&t, e, place[g->col[k]], number[(size_t)k * n_points + point]);
    numbers_end(&t);
    bool ok = true;
    for (uint32_t k = 0; k < t.n && ok; k++)
        ok = eliminate(&t, k, k);
    double growth = ok ? growth_of_solution(&t) : INFINITY;
    arena_free(mem);
    return growth;
}

double growth_of_lu(const Matrix *m, const uint32_t *column, Sample *sample)
{
    return growth_of(m, NULL, column, sample);
}

/* Six of sixteen digits, and four more than need be. */
bool growth_is_too_much(double growth, double least)
{
    return growth > 1e6 && growth > 1e4 * least;
}
