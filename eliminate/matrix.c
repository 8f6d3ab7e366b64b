#include "eliminate/matrix.h"

#include "eliminate/congruence.h"

#include <math.h>

/* A list of the rows that hold (or held) an entry in a column. */
typedef struct Holder {
    uint32_t row, next;
} Holder;

#define HOLDER_NONE UINT32_MAX

Matrix matrix_new(ExprPool *p, uint32_t n, Arena *mem)
{
    Matrix m = {.p = p, .mem = mem, .n = n};
    m.row = arena_array(mem, Row, n);
    m.rhs = arena_array(mem, ExprId, n);
    m.pivot = arena_array(mem, ExprId, n);
    m.column = arena_array(mem, uint32_t, n);
    for (uint32_t k = 0; k < n; k++) {
        m.rhs[k] = expr_int(p, 0);
        m.column[k] = k;
    }
    return m;
}

void matrix_set(Matrix *m, uint32_t row, uint32_t col, ExprId x)
{
    Row *r = &m->row[row];
    Entry e = {col, x};
    vec_push(m->mem, *r, e);
    uint32_t k = r->n - 1;
    for (; k > 0 && r->at[k - 1].col > col; k--)
        r->at[k] = r->at[k - 1];
    r->at[k] = e;
    m->nonzeros++;
}

static uint32_t find(const Row *r, uint32_t col)
{
    uint32_t lo = 0;
    uint32_t hi = r->n;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (r->at[mid].col < col)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < r->n && r->at[lo].col == col ? lo : UINT32_MAX;
}

typedef struct Steps {
    Matrix *m;
    uint32_t *head; /* per column */
    VEC(Holder) holder;
    Row merged; /* reused */
} Steps;

static void holds(Steps *t, uint32_t col, uint32_t row)
{
    Holder h = {row, t->head[col]};
    vec_push(t->m->mem, t->holder, h);
    t->head[col] = t->holder.n - 1;
}

/* row[i] -= factor * row[k], in the columns after k; the entry in column k goes. */
static void subtract(Steps *t, uint32_t i, uint32_t k, ExprId factor)
{
    Matrix *m = t->m;
    ExprPool *p = m->p;
    Row *a = &m->row[i];
    const Row *b = &m->row[k];
    t->merged.n = 0;
    uint32_t x = 0;
    uint32_t y = 0;
    while (x < a->n || y < b->n) {
        uint32_t ca = x < a->n ? a->at[x].col : UINT32_MAX;
        uint32_t cb = y < b->n ? b->at[y].col : UINT32_MAX;
        if (ca == k || cb <= k) {
            x += ca == k;
            y += cb <= k;
            continue;
        }
        Entry e;
        if (ca < cb) {
            e = a->at[x++];
        } else {
            ExprId product = expr_mul(p, factor, b->at[y].x);
            if (ca == cb) {
                e = (Entry){ca, congruence_sub(p, a->at[x++].x, product)};
            } else {
                e = (Entry){cb, expr_neg(p, product)};
                holds(t, cb, i);
                m->fill++;
            }
            y++;
            if (expr_is_zero(p, e.x) == YES)
                continue;
        }
        vec_push(m->mem, t->merged, e);
    }
    a->n = 0;
    vec_reserve(m->mem, *a, t->merged.n);
    if (t->merged.n)
        memcpy(a->at, t->merged.at, sizeof(Entry) * t->merged.n);
    a->n = t->merged.n;
    m->rhs[i] = expr_sub(p, m->rhs[i], expr_mul(p, factor, m->rhs[k]));
}

/* x / pivot: by the reciprocal where a division would have to be done at run time more than once.
 */
static ExprId over(ExprPool *p, ExprId x, ExprId pivot)
{
    if (expr_is_num(p, pivot))
        return expr_div(p, x, pivot);
    return expr_mul(p, x, expr_div(p, expr_int(p, 1), pivot));
}

/* Puts the entry of a row in column `from` into column `to`, which the row does not hold. */
static void relabel(Row *r, uint32_t from, uint32_t to)
{
    uint32_t k = find(r, from);
    Entry e = {to, r->at[k].x};
    for (; k + 1 < r->n && r->at[k + 1].col < to; k++)
        r->at[k] = r->at[k + 1];
    for (; k > 0 && r->at[k - 1].col > to; k--)
        r->at[k] = r->at[k - 1];
    r->at[k] = e;
}

/* Exchanges columns k and j in all rows that hold either. */
static void swap_columns(Steps *t, uint32_t k, uint32_t j)
{
    Matrix *m = t->m;
    for (uint32_t r = 0; r < m->n; r++) {
        Row *row = &m->row[r];
        uint32_t a = find(row, k);
        uint32_t b = find(row, j);
        if (a != UINT32_MAX && b != UINT32_MAX) {
            ExprId x = row->at[a].x;
            row->at[a].x = row->at[b].x;
            row->at[b].x = x;
        } else if (a != UINT32_MAX) {
            relabel(row, k, j);
        } else if (b != UINT32_MAX) {
            relabel(row, j, k);
        }
    }
    uint32_t h = t->head[k];
    t->head[k] = t->head[j];
    t->head[j] = h;
    uint32_t c = m->column[k];
    m->column[k] = m->column[j];
    m->column[j] = c;
    m->swaps++;
}

/* The column of row k, from k on, whose entry is largest at the sample; UINT32_MAX if all vanish.
 */
static uint32_t largest(const Matrix *m, Sample *sample, uint32_t k)
{
    const Row *r = &m->row[k];
    uint32_t best = UINT32_MAX;
    double size = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        double v = fabs(sample_value(sample, r->at[i].x));
        if (r->at[i].col >= k && !sample_vanishes(sample, r->at[i].x) && v > size) {
            size = v;
            best = r->at[i].col;
        }
    }
    return best;
}

uint32_t matrix_eliminate(Matrix *m, Sample *sample, bool may_swap)
{
    Steps t = {.m = m};
    t.head = arena_array(m->mem, uint32_t, m->n);
    for (uint32_t c = 0; c < m->n; c++)
        t.head[c] = HOLDER_NONE;
    for (uint32_t r = m->n; r-- > 0;) {
        for (uint32_t k = 0; k < m->row[r].n; k++)
            holds(&t, m->row[r].at[k].col, r);
    }
    for (uint32_t k = 0; k < m->n; k++) {
        uint32_t at = find(&m->row[k], k);
        if (at == UINT32_MAX || (sample && sample_vanishes(sample, m->row[k].at[at].x))) {
            uint32_t j = may_swap ? largest(m, sample, k) : UINT32_MAX;
            if (j == UINT32_MAX)
                return k;
            swap_columns(&t, k, j);
            at = find(&m->row[k], k);
        }
        ExprId pivot = m->row[k].at[at].x;
        m->pivot[k] = pivot;
        for (uint32_t h = t.head[k]; h != HOLDER_NONE; h = t.holder.at[h].next) {
            uint32_t i = t.holder.at[h].row;
            if (i <= k)
                continue;
            uint32_t where = find(&m->row[i], k);
            if (where != UINT32_MAX)
                subtract(&t, i, k, over(m->p, m->row[i].at[where].x, pivot));
        }
    }
    return m->n;
}

void matrix_solve(Matrix *m, ExprId *unknown)
{
    ExprPool *p = m->p;
    for (uint32_t k = m->n; k-- > 0;) {
        ExprId sum = m->rhs[k];
        const Row *r = &m->row[k];
        for (uint32_t i = 0; i < r->n; i++) {
            if (r->at[i].col <= k)
                continue;
            sum = expr_sub(p, sum, expr_mul(p, r->at[i].x, unknown[m->column[r->at[i].col]]));
        }
        unknown[m->column[k]] = over(p, sum, m->pivot[k]);
    }
}
