#include "study/mechanism/null_space.h"

#include "base/vec.h"
#include "graph/heap.h"
#include "study/by_lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double CANCELLED = 1e-12; /* of the terms of a sum: it is zero              */
static const double TINY = 1e-11;      /* of the largest entry of a row: no pivot        */
static const double GOOD = 0.1;        /* likewise: one by which spare columns may go    */
static const double POOR = 1e-3;       /* likewise, where there is no good one           */
static const double FAIR = 0.01;       /* of the largest in its column                   */
enum { PART_WANTED = 400 };            /* beyond so many columns chosen ones are eliminated, too */

typedef struct Entry {
    uint32_t col;
    double value;
} Entry;

typedef struct Row {
    VEC(Entry) at;
    double right;
    double most; /* the largest entry that it, or a multiple subtracted from it, has had */
    bool is_active;
} Row;

typedef VEC(uint32_t) Rows;

typedef struct Work {
    Arena *mem;
    uint32_t n_rows, n_cols;
    Row *row;
    Rows *holder;       /* per column: rows that may hold it */
    uint32_t *n_active; /* per column: active rows that hold it */
    const bool *late;
    uint32_t *place; /* per column: its place in the current row, + 1 */
    VEC(NullPivot) pivot;
    VEC(uint32_t) entry_col;
    VEC(double) entry_value;
    bool *is_gone; /* per column: eliminated */
} Work;

static double value_in(const Row *r, uint32_t col)
{
    for (uint32_t k = 0; k < r->at.n; k++)
        if (r->at.at[k].col == col)
            return r->at.at[k].value;
    return 0;
}

static double largest_in(const Row *r)
{
    double most = 0;
    for (uint32_t k = 0; k < r->at.n; k++)
        most = fmax(most, fabs(r->at.at[k].value));
    return most;
}

/* The active rows that hold the column, each once. */
static void clean_holders(Work *w, uint32_t col)
{
    Rows *h = &w->holder[col];
    uint32_t n = 0;
    for (uint32_t k = 0; k < h->n; k++) {
        uint32_t r = h->at[k];
        bool again = false;
        if (!w->row[r].is_active || value_in(&w->row[r], col) == 0)
            continue;
        for (uint32_t i = 0; i < n && !again; i++)
            again = h->at[i] == r;
        if (!again)
            h->at[n++] = r;
    }
    h->n = n;
    w->n_active[col] = n;
}

/* The row to solve for the column: of those whose entry is large enough the shortest, those that
 * are not late first; UINT32_MAX if there is none. */
static uint32_t pivot_row(Work *w, uint32_t col, double least)
{
    clean_holders(w, col);
    const Rows *h = &w->holder[col];
    double most = 0;
    for (uint32_t k = 0; k < h->n; k++)
        most = fmax(most, fabs(value_in(&w->row[h->at[k]], col)));
    uint32_t best = UINT32_MAX;
    for (uint32_t k = 0; k < h->n; k++) {
        uint32_t r = h->at[k];
        double size = fabs(value_in(&w->row[r], col));
        if (!(size > TINY) || size < FAIR * most || size < least * largest_in(&w->row[r]))
            continue;
        if (best == UINT32_MAX || w->late[r] < w->late[best] ||
            (w->late[r] == w->late[best] && w->row[r].at.n < w->row[best].at.n))
            best = r;
    }
    return best;
}

/* Row t less `factor` times row p, without the pivot's column. */
static void subtract(Work *w, uint32_t t, uint32_t p, uint32_t col, Heap *heap,
                     const uint32_t *in_heap)
{
    Row *to = &w->row[t];
    const Row *from = &w->row[p];
    double factor = value_in(to, col) / value_in(from, col);
    for (uint32_t k = 0; k < to->at.n; k++)
        w->place[to->at.at[k].col] = k + 1;
    for (uint32_t k = 0; k < from->at.n; k++) {
        uint32_t c = from->at.at[k].col;
        double change = factor * from->at.at[k].value;
        if (c == col)
            continue;
        to->most = fmax(to->most, fabs(change));
        if (!w->place[c]) {
            Entry new = {c, -change};
            vec_push(w->mem, to->at, new);
            w->place[c] = to->at.n;
            vec_push(w->mem, w->holder[c], t);
            w->n_active[c]++;
        } else {
            double *at = &to->at.at[w->place[c] - 1].value, was = fabs(*at);
            *at -= change;
            if (fabs(*at) <= CANCELLED * (was + fabs(change))) {
                *at = 0;
                w->n_active[c]--;
            }
        }
        if (in_heap[c])
            heap_set(heap, c, w->n_active[c]);
    }
    to->right -= factor * from->right;
    uint32_t n = 0;
    for (uint32_t k = 0; k < to->at.n; k++) {
        Entry e = to->at.at[k];
        w->place[e.col] = 0;
        if (e.value != 0 && e.col != col)
            to->at.at[n++] = e;
    }
    to->at.n = n;
}

static void take_pivot(Work *w, uint32_t p, uint32_t col, Heap *heap, const uint32_t *in_heap)
{
    Row *from = &w->row[p];
    NullPivot pivot = {.row = p,
                       .col = col,
                       .first = w->entry_col.n,
                       .value = value_in(from, col),
                       .right = from->right};
    for (uint32_t k = 0; k < from->at.n; k++) {
        Entry e = from->at.at[k];
        if (e.col == col)
            continue;
        vec_push(w->mem, w->entry_col, e.col);
        vec_push(w->mem, w->entry_value, e.value);
    }
    pivot.n = w->entry_col.n - pivot.first;
    vec_push(w->mem, w->pivot, pivot);
    from->is_active = false;
    w->is_gone[col] = true;
    const Rows *h = &w->holder[col];
    for (uint32_t k = 0; k < h->n; k++)
        if (h->at[k] != p)
            subtract(w, h->at[k], p, col, heap, in_heap);
    for (uint32_t k = 0; k < from->at.n; k++) {
        uint32_t c = from->at.at[k].col;
        w->n_active[c]--;
        if (in_heap[c] && c != col)
            heap_set(heap, c, w->n_active[c]);
    }
}

/* Eliminates the columns that are marked, those in fewest rows first. A pivot must be at least
 * `least` times the largest entry of its row. */
static void eliminate(Work *w, const bool *marked, double least)
{
    Heap heap = heap_new(w->n_cols, w->mem);
    uint32_t *in_heap = arena_array(w->mem, uint32_t, w->n_cols + 1);
    for (uint32_t c = 0; c < w->n_cols; c++) {
        in_heap[c] = marked[c] && !w->is_gone[c];
        if (in_heap[c])
            heap_set(&heap, c, w->n_active[c]);
    }
    for (uint32_t c; heap_pop(&heap, &c);) {
        uint32_t p = pivot_row(w, c, least);
        in_heap[c] = 0;
        if (p != UINT32_MAX)
            take_pivot(w, p, c, &heap, in_heap);
    }
}

/* Entries of the remaining rows that are rounding of what cancelled over several subtractions: a
 * row of nothing else would restrict its columns. */
static void drop_cancelled(Work *w)
{
    for (uint32_t r = 0; r < w->n_rows; r++) {
        Row *row = &w->row[r];
        uint32_t n = 0;
        for (uint32_t k = 0; row->is_active && k < row->at.n; k++) {
            Entry e = row->at.at[k];
            if (fabs(e.value) > CANCELLED * row->most)
                row->at.at[n++] = e;
            else
                w->n_active[e.col]--;
        }
        if (row->is_active)
            row->at.n = n;
    }
}

/* ---- the remaining rows ---- */

static uint32_t find_root(uint32_t *up, uint32_t k)
{
    while (up[k] != k)
        k = up[k] = up[up[k]];
    return k;
}

static void factor_part(NullPart *p, double tolerance, NullSpace *s, Arena *mem)
{
    uint32_t most = p->m < p->n ? p->m : p->n;
    double *copy = arena_array(mem, double, (size_t)p->m * p->n + 1);
    double *sigma = arena_array(mem, double, most + 1);
    double *u = arena_array(mem, double, (size_t)p->m * p->m + 1);
    double *vt = arena_array(mem, double, (size_t)p->n * p->n + 1);
    for (uint32_t r = 0; r < p->m; r++)
        for (uint32_t c = 0; c < p->n; c++)
            copy[(size_t)c * p->m + r] = p->a[(size_t)r * p->n + c];
    lapack_singular_values(p->m, p->n, copy, sigma, u, vt);
    p->sigma = sigma;
    p->u = u;
    p->vt = vt;
    for (p->rank = 0; p->rank < most && sigma[p->rank] > tolerance * sigma[0];)
        p->rank++;
    if (p->rank > 0)
        s->above = fmin(s->above, sigma[p->rank - 1] / sigma[0]);
    if (p->rank < most && sigma[0] > 0)
        s->below = fmax(s->below, sigma[p->rank] / sigma[0]);
}

/* The parts, their rows and columns; those with more than PART_WANTED columns are marked instead
 * if again is not NULL. */
static bool find_parts(Work *w, const ColumnUse *use, bool *again, NullSpace *s)
{
    Arena *mem = w->mem;
    uint32_t *up = arena_array(mem, uint32_t, w->n_cols + 1);
    uint32_t *size = arena_array(mem, uint32_t, w->n_cols + 1);
    uint32_t *n_rows = arena_array(mem, uint32_t, w->n_cols + 1);
    uint32_t *part = arena_array(mem, uint32_t, w->n_cols + 1); /* per root, + 1 */
    for (uint32_t c = 0; c < w->n_cols; c++)
        up[c] = c;
    for (uint32_t r = 0; r < w->n_rows; r++)
        for (uint32_t k = 1; w->row[r].is_active && k < w->row[r].at.n; k++) {
            uint32_t a = find_root(up, w->row[r].at.at[0].col),
                     b = find_root(up, w->row[r].at.at[k].col);
            up[a > b ? a : b] = a > b ? b : a;
        }
    bool marked = false;
    for (uint32_t r = 0; r < w->n_rows; r++)
        if (w->row[r].is_active && w->row[r].at.n)
            n_rows[find_root(up, w->row[r].at.at[0].col)]++;
    uint32_t n_columns = 0;
    for (uint32_t c = 0; c < w->n_cols; c++)
        if (!w->is_gone[c] && (use[c] != COLUMN_FOLLOWS || w->n_active[c]))
            size[find_root(up, c)] += n_rows[find_root(up, c)] > 0, n_columns++;
    for (uint32_t c = 0; again && c < w->n_cols; c++) {
        again[c] = !w->is_gone[c] && size[find_root(up, c)] > PART_WANTED;
        marked = marked || again[c];
    }
    if (marked)
        return false;

    s->part = arena_array(mem, NullPart, n_columns + 1);
    uint32_t *free = arena_array(mem, uint32_t, w->n_cols + 1);
    uint32_t *empty = arena_array(mem, uint32_t, w->n_rows + 1);
    uint32_t *place = arena_array(mem, uint32_t, w->n_cols + 1);
    uint32_t **cols = arena_array(mem, uint32_t *, n_columns + 1);
    uint32_t **rows = arena_array(mem, uint32_t *, n_columns + 1);
    for (uint32_t c = 0; c < w->n_cols; c++) {
        uint32_t root = find_root(up, c);
        if (w->is_gone[c] || (size[root] == 0 && use[c] == COLUMN_FOLLOWS))
            continue;
        if (size[root] == 0) {
            free[s->n_free++] = c;
            continue;
        }
        if (use[c] == COLUMN_FOLLOWS && !w->n_active[c])
            continue;
        if (!part[root]) {
            cols[s->n_parts] = arena_array(mem, uint32_t, size[root] + 1);
            rows[s->n_parts] = arena_array(mem, uint32_t, n_rows[root] + 1);
            s->part[s->n_parts].col = cols[s->n_parts];
            s->part[s->n_parts].row = rows[s->n_parts];
            part[root] = ++s->n_parts;
            if (size[root] > NULL_SPACE_MOST || n_rows[root] > 2 * NULL_SPACE_MOST)
                s->too_large = size[root];
        }
        uint32_t p = part[root] - 1;
        place[c] = s->part[p].n;
        cols[p][s->part[p].n++] = c;
    }
    for (uint32_t r = 0; r < w->n_rows; r++) {
        const Row *row = &w->row[r];
        if (!row->is_active)
            continue;
        if (!row->at.n) {
            empty[s->n_empty++] = r;
            continue;
        }
        uint32_t p = part[find_root(up, row->at.at[0].col)] - 1;
        rows[p][s->part[p].m++] = r;
    }
    s->free = free;
    s->empty = empty;
    for (uint32_t k = 0; k < s->n_parts && !s->too_large; k++) {
        NullPart *p = &s->part[k];
        double *a = arena_array(mem, double, (size_t)p->m * p->n + 1);
        double *right = arena_array(mem, double, p->m + 1);
        for (uint32_t r = 0; r < p->m; r++) {
            const Row *row = &w->row[p->row[r]];
            right[r] = row->right;
            for (uint32_t i = 0; i < row->at.n; i++)
                a[(size_t)r * p->n + place[row->at.at[i].col]] = row->at.at[i].value;
        }
        p->a = a;
        p->right = right;
    }
    return true;
}

static int by_column(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    return (x->col > y->col) - (x->col < y->col);
}

static const NullRow *rows_as_they_are(const Work *w)
{
    NullRow *out = arena_array(w->mem, NullRow, w->n_rows + 1);
    for (uint32_t r = 0; r < w->n_rows; r++) {
        const Row *row = &w->row[r];
        uint32_t n = row->is_active ? row->at.n : 0;
        Entry *sorted = arena_array(w->mem, Entry, n + 1);
        uint32_t *col = arena_array(w->mem, uint32_t, n + 1);
        double *value = arena_array(w->mem, double, n + 1);
        if (n > 0)
            memcpy(sorted, row->at.at, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, by_column);
        for (uint32_t k = 0; k < n; k++) {
            col[k] = sorted[k].col;
            value[k] = sorted[k].value;
        }
        out[r] = (NullRow){n, col, value};
    }
    return out;
}

NullSpace null_space_find(const SparseMatrix *a, const ColumnUse *use, const bool *late,
                          double tolerance, Arena *mem)
{
    Work w = {.mem = mem,
              .n_rows = a->n_rows,
              .n_cols = a->n_cols,
              .row = arena_array(mem, Row, a->n_rows + 1),
              .holder = arena_array(mem, Rows, a->n_cols + 1),
              .n_active = arena_array(mem, uint32_t, a->n_cols + 1),
              .late = late,
              .place = arena_array(mem, uint32_t, a->n_cols + 1),
              .is_gone = arena_array(mem, bool, a->n_cols + 1)};
    NullSpace s = {.n_rows = a->n_rows, .n_cols = a->n_cols, .above = 1};
    for (uint32_t r = 0; r < a->n_rows; r++) {
        Row *row = &w.row[r];
        double most = 0;
        row->is_active = true;
        for (uint32_t e = a->start[r]; e < a->start[r + 1]; e++)
            most = fmax(most, fabs(a->value[e]));
        for (uint32_t e = a->start[r]; e < a->start[r + 1]; e++) {
            double value = a->value[e] / most;
            if (!(fabs(value) > CANCELLED))
                continue;
            Entry entry = {a->col[e], value};
            uint32_t before = w.place[a->col[e]];
            if (before) { // a variable and its like in one equation
                row->at.at[before - 1].value += value;
                continue;
            }
            vec_push(mem, row->at, entry);
            w.place[a->col[e]] = row->at.n;
        }
        uint32_t n = 0;
        for (uint32_t k = 0; k < row->at.n; k++) {
            Entry e = row->at.at[k];
            w.place[e.col] = 0;
            if (!(fabs(e.value) > CANCELLED))
                continue;
            row->at.at[n++] = e;
            vec_push(mem, w.holder[e.col], r);
            w.n_active[e.col]++;
        }
        row->at.n = n;
        row->most = 1;
        row->right = a->right && most > 0 ? a->right[r] / most : 0;
    }
    bool *marked = arena_array(mem, bool, a->n_cols + 1);
    for (uint32_t c = 0; c < a->n_cols; c++)
        marked[c] = use[c] == COLUMN_FOLLOWS;
    eliminate(&w, marked, 0);
    drop_cancelled(&w);
    for (uint32_t c = 0; c < a->n_cols; c++)
        marked[c] = use[c] == COLUMN_SPARE;
    eliminate(&w, marked, GOOD);
    /* a spare column must not be left beside the asked ones that it follows from */
    eliminate(&w, marked, POOR);
    s.row = rows_as_they_are(&w);
    s.n_followed = w.pivot.n;
    if (!find_parts(&w, use, marked, &s)) {
        eliminate(&w, marked, GOOD);
        find_parts(&w, use, NULL, &s);
    }
    for (uint32_t k = 0; k < s.n_parts && !s.too_large; k++)
        factor_part(&s.part[k], tolerance, &s, mem);
    s.n_pivots = w.pivot.n;
    s.pivot = w.pivot.at;
    s.entry_col = w.entry_col.at;
    s.entry_value = w.entry_value.at;
    return s;
}

/* The columns of the pivots from `first` on. */
static void follow(const NullSpace *s, uint32_t first, bool with_right, double *x)
{
    for (uint32_t k = s->n_pivots; k-- > first;) {
        const NullPivot *p = &s->pivot[k];
        double sum = with_right ? p->right : 0;
        for (uint32_t e = p->first; e < p->first + p->n; e++)
            sum -= s->entry_value[e] * x[s->entry_col[e]];
        x[p->col] = sum / p->value;
    }
}

void null_space_follow(const NullSpace *s, bool with_right, double *x)
{
    follow(s, 0, with_right, x);
}

void null_space_follow_chosen(const NullSpace *s, double *x)
{
    follow(s, s->n_followed, false, x);
}

void null_space_solve(const NullSpace *s, double *x)
{
    for (uint32_t k = 0; k < s->n_parts; k++) {
        const NullPart *p = &s->part[k];
        for (uint32_t i = 0; i < p->rank; i++) {
            double along = 0;
            for (uint32_t r = 0; r < p->m; r++)
                along += p->u[(size_t)i * p->m + r] * p->right[r];
            for (uint32_t c = 0; c < p->n; c++)
                x[p->col[c]] += p->vt[(size_t)c * p->n + i] * along / p->sigma[i];
        }
    }
}
