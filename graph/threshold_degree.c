#include "graph/threshold_degree.h"

#include "graph/heap.h"
#include "graph/order.h"

#include <math.h>
#include <string.h>

enum { POINTS = 2 };

/* A number, and the size of the terms that it is the sum of. */
typedef struct Value {
    double x[POINTS], size[POINTS];
} Value;

typedef struct ValueEntry {
    uint32_t col;
    uint8_t label;
    Value v;
} ValueEntry;

typedef VEC(ValueEntry) ValueRow;
typedef VEC(uint32_t) ValueColumn;

typedef struct ValueMatrix {
    Arena *mem;
    uint32_t n;
    ValueRow *row;
    ValueColumn *col; /* rows that hold, or held, an entry */
    uint32_t *col_n;  /* entries of a column in rows that are left */
    bool *row_done;
    const PreferredPivots *preferred;
    uint32_t *n_left; /* per structure: members */
    ValueRow merged;
} ValueMatrix;

/* Of an entry against its terms: rounding alone is left below; a pivot that has lost this many
 * digits comes last; one that has lost that many never. */
static const double ROUNDING = 1e-13, DIGITS = 1e-6, LEAST = 1e-11;
/* Of a pivot in a row that has no preferred one, against the largest. */
static const double SMALL = 1e-2;

static uint8_t worse(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static ValueEntry at_column(uint32_t col, ValueEntry e)
{
    e.col = col;
    return e;
}

static ValueEntry times(ValueEntry a, ValueEntry b)
{
    ValueEntry e = {.label = worse(a.label, b.label)};
    for (int i = 0; i < POINTS; i++) {
        e.v.x[i] = a.v.x[i] * b.v.x[i];
        e.v.size[i] = fmax(a.v.size[i] * fabs(b.v.x[i]), fabs(a.v.x[i]) * b.v.size[i]);
    }
    return e;
}

static ValueEntry minus(ValueEntry a, ValueEntry b)
{
    ValueEntry e = {.label = worse(worse(a.label, b.label), LABEL_CONST)};
    for (int i = 0; i < POINTS; i++) {
        e.v.x[i] = a.v.x[i] - b.v.x[i];
        e.v.size[i] = fmax(a.v.size[i], b.v.size[i]);
        if (fabs(e.v.x[i]) <= ROUNDING * e.v.size[i])
            e.v.x[i] = 0;
    }
    return e;
}

static ValueEntry negative(ValueEntry a)
{
    for (int i = 0; i < POINTS; i++)
        a.v.x[i] = -a.v.x[i];
    return a;
}

static ValueEntry over(ValueEntry a, ValueEntry pivot)
{
    ValueEntry e = {.label = worse(a.label, pivot.label)};
    for (int i = 0; i < POINTS; i++) {
        e.v.x[i] = a.v.x[i] / pivot.v.x[i];
        e.v.size[i] = a.v.size[i] / fabs(pivot.v.x[i]);
    }
    return e;
}

/* At the first point, where nothing is special. */
static bool cancels(ValueEntry a)
{
    return a.v.x[0] == 0;
}

static void leave_column(ValueMatrix *m, uint32_t col)
{
    m->col_n[col]--;
}

#define LU_MATRIX ValueMatrix
#define LU_ROW ValueRow
#define LU_SCALAR ValueEntry
#define LU_VALUE(entry) (entry)
#define LU_ENTRY(col, x) at_column(col, x)
#define LU_MUL(m, a, b) times(a, b)
#define LU_SUB(m, a, b) minus(a, b)
#define LU_NEG(m, a) negative(a)
#define LU_OVER(m, a, pivot) over(a, pivot)
#define LU_IS_ZERO(m, a) cancels(a)
#define LU_NEWEST_FIRST 0
#define LU_ON_FILL(m) ((m)->col_n[cb]++)
#define LU_ON_CANCEL(m, row, c) leave_column(m, c)
#define LU_SUB_SIDE(m, row, pivot_row, factor) (void)0
#include "graph/sparse_elimination.inc"

static ValueMatrix matrix_of(const Incidence *g, Arena *mem)
{
    ValueMatrix m = {.mem = mem,
                     .n = g->n_rows,
                     .row = arena_array(mem, ValueRow, g->n_rows),
                     .col = arena_array(mem, ValueColumn, g->n_cols),
                     .col_n = arena_array(mem, uint32_t, g->n_cols),
                     .row_done = arena_array(mem, bool, g->n_rows)};
    for (uint32_t e = 0; e < g->n_rows; e++) {
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            ValueEntry x = {.col = g->col[k], .label = g->label[k]};
            for (int i = 0; i < POINTS; i++) {
                x.v.x[i] = isnan(g->number[k][i]) ? 1 : g->number[k][i];
                x.v.size[i] = fabs(x.v.x[i]);
            }
            if (cancels(x))
                continue;
            vec_push(mem, m.row[e], x);
            vec_push(mem, m.col[x.col], e);
            m.col_n[x.col]++;
        }
    }
    return m;
}

/* ---- choice ---- */

/* Added to prices: pivots that are not preferred come after those that are, pivots that have lost
 * many digits last. */
static const uint64_t NOT_PREFERRED = (uint64_t)1 << 59, WORN = (uint64_t)1 << 60;

static bool is_loose(const ValueMatrix *m, uint32_t e)
{
    return m->preferred && m->preferred->var_of[e] == INC_NONE;
}

static bool is_preferred(const ValueMatrix *m, uint32_t e, uint32_t v)
{
    const PreferredPivots *p = m->preferred;
    if (!p)
        return true;
    if (p->var_of[e] == INC_NONE)
        return !p->is_taken[v];
    uint32_t stage = p->handle_of[e];
    return p->var_of[e] == v && (stage == INC_NONE || m->n_left[stage] == 0);
}

/* Operations of eliminating row and column of the pivot if all their entries fill, as in
 * mindegree.c; UINT64_MAX for a pivot that has lost its digits. */
static uint64_t price_of(const ValueMatrix *m, uint32_t e, const ValueEntry *x)
{
    static const uint64_t divide[] = {0, 1, 2, 4, 4};
    double left = 1;
    for (int i = 0; i < POINTS; i++) {
        if (!(fabs(x->v.x[i]) > LEAST * x->v.size[i]))
            return UINT64_MAX;
        left = fmin(left, fabs(x->v.x[i]) / x->v.size[i]);
    }
    uint64_t r = m->row[e].n - 1, c = m->col_n[x->col] - 1;
    uint64_t price = 4 * r * c + divide[x->label] * (c + 1);
    if (!is_preferred(m, e, x->col))
        price |= NOT_PREFERRED;
    return left > DIGITS ? price : price | WORN;
}

/* A row without a preferred pivot, among the columns that have none: whether it has to wait, and
 * how large an entry has to be at each point. */
static bool waits(const ValueMatrix *m, uint32_t e, double *least)
{
    const PreferredPivots *p = m->preferred;
    bool holds_pair = false;
    for (uint32_t k = 0; k < m->row[e].n; k++) {
        const ValueEntry *x = &m->row[e].at[k];
        if (p->is_taken[x->col])
            holds_pair = true;
        for (int i = 0; i < POINTS && !p->is_taken[x->col]; i++)
            least[i] = fmax(least[i], SMALL * fabs(x->v.x[i]));
    }
    return holds_pair && p->late;
}

/* The row's best pivot: its column in best, its price in the heap. */
static void look_at_row(const ValueMatrix *m, Heap *prices, uint32_t *best, uint32_t e)
{
    uint64_t lowest = UINT64_MAX;
    double least[POINTS] = {0};
    bool all_wait = is_loose(m, e) && waits(m, e, least);
    for (uint32_t k = 0; k < m->row[e].n; k++) {
        const ValueEntry *x = &m->row[e].at[k];
        uint64_t price = price_of(m, e, x);
        bool wait = all_wait;
        for (int i = 0; i < POINTS; i++)
            wait = wait || fabs(x->v.x[i]) < least[i];
        if (wait && price < UINT64_MAX)
            price |= NOT_PREFERRED;
        if (price < lowest) {
            lowest = price;
            best[e] = x->col;
        }
    }
    if (lowest < UINT64_MAX)
        heap_set(prices, e, lowest);
    else
        heap_drop(prices, e);
}

typedef struct Search {
    ValueMatrix m;
    Heap prices;
    uint32_t *best;       /* per row: the column of its best pivot                        */
    uint32_t *stamp;      /* per row: the last pivot that changed its prices              */
    uint32_t *handle_row; /* per structure                                                */
    uint32_t n_done;
    VEC(uint32_t) touched;
} Search;

static Search search_begin(const Incidence *g, const PreferredPivots *p, Arena *mem)
{
    uint32_t n = g->n_rows, n_stages = p ? p->n_stages : 0;
    Search w = {.m = matrix_of(g, mem),
                .prices = heap_new(n, mem),
                .best = arena_array(mem, uint32_t, n),
                .stamp = arena_array(mem, uint32_t, n),
                .handle_row = arena_array(mem, uint32_t, n_stages + 1)};
    w.m.preferred = p;
    w.m.n_left = arena_array(mem, uint32_t, n_stages + 1);
    for (uint32_t e = 0; p && e < n; e++) {
        if (p->stage_of[e] != INC_NONE)
            w.m.n_left[p->stage_of[e]]++;
        if (p->handle_of[e] != INC_NONE)
            w.handle_row[p->handle_of[e]] = e;
    }
    for (uint32_t e = 0; e < n; e++)
        look_at_row(&w.m, &w.prices, w.best, e);
    return w;
}

/* Whatever shares a column with the row changes its prices. */
static void touch(Search *w, uint32_t e)
{
    ValueMatrix *m = &w->m;
    w->touched.n = 0;
    for (uint32_t k = 0; k < m->row[e].n; k++) {
        const ValueColumn *c = &m->col[m->row[e].at[k].col];
        for (uint32_t i = 0; i < c->n; i++) {
            uint32_t r = c->at[i];
            if (m->row_done[r] || r == e || w->stamp[r] == w->n_done)
                continue;
            w->stamp[r] = w->n_done;
            vec_push(m->mem, w->touched, r);
        }
        m->col_n[m->row[e].at[k].col]--;
    }
}

static void pivot(Search *w, uint32_t e, uint32_t v)
{
    ValueMatrix *m = &w->m;
    w->n_done++;
    touch(w, e);
    lu_eliminate(m, e, v);
    for (uint32_t i = 0; i < w->touched.n; i++)
        look_at_row(m, &w->prices, w->best, w->touched.at[i]);
    uint32_t stage = m->preferred ? m->preferred->stage_of[e] : INC_NONE;
    if (stage == INC_NONE || --m->n_left[stage] > 0)
        return;
    if (!m->row_done[w->handle_row[stage]])
        look_at_row(m, &w->prices, w->best, w->handle_row[stage]);
}

Order threshold_degree_find(const Incidence *g, const PreferredPivots *preferred, Arena *mem)
{
    if (g->n_rows != g->n_cols)
        return order_failed("the block is not square");
    if (!g->number)
        return order_failed("the block has no numbers");
    Order o = order_empty(g->n_rows, mem);
    Arena *tmp = arena_new();
    Search w = search_begin(g, preferred, tmp);
    uint32_t e;
    while (heap_pop(&w.prices, &e)) {
        o.eq[o.n] = e;
        o.var[o.n++] = w.best[e];
        pivot(&w, e, w.best[e]);
    }
    arena_free(tmp);
    return o.n == g->n_rows ? o : order_failed("no pivot is left that keeps its digits");
}
