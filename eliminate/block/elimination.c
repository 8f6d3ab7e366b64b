#include "eliminate/block/elimination.h"

#include "base/bug.h"
#include "eliminate/block/congruence.h"

Matrix matrix_new(ExprPool *p, uint32_t n_rows, uint32_t n_cols, Arena *mem)
{
    Matrix m = {.p = p, .mem = mem, .n_rows = n_rows, .n_cols = n_cols};
    m.row = arena_array(mem, Row, n_rows);
    m.rhs = arena_array(mem, ExprId, n_rows);
    m.row_done = arena_array(mem, bool, n_rows);
    m.col_done = arena_array(mem, bool, n_cols);
    m.head = arena_array(mem, uint32_t, n_cols);
    for (uint32_t k = 0; k < n_rows; k++)
        m.rhs[k] = expr_int(p, 0);
    for (uint32_t c = 0; c < n_cols; c++)
        m.head[c] = HOLDER_NONE;
    return m;
}

static void holds(Matrix *m, uint32_t col, uint32_t row)
{
    Holder h = {row, m->head[col]};
    vec_push(m->mem, m->holder, h);
    m->head[col] = m->holder.n - 1;
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
    holds(m, col, row);
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

ExprId matrix_entry(const Matrix *m, uint32_t row, uint32_t col)
{
    uint32_t k = find(&m->row[row], col);
    return k == UINT32_MAX ? EXPR_NONE : m->row[row].at[k].x;
}

/* row[i] -= factor * row[k]; the entry in the pivot's column goes. */
static void subtract(Matrix *m, uint32_t i, uint32_t k, uint32_t pivot_col, ExprId factor)
{
    ExprPool *p = m->p;
    Row *a = &m->row[i];
    const Row *b = &m->row[k];
    m->merged.n = 0;
    uint32_t x = 0;
    uint32_t y = 0;
    while (x < a->n || y < b->n) {
        uint32_t ca = x < a->n ? a->at[x].col : UINT32_MAX;
        uint32_t cb = y < b->n ? b->at[y].col : UINT32_MAX;
        if (ca == pivot_col || cb == pivot_col) {
            x += ca == pivot_col;
            y += cb == pivot_col;
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
                holds(m, cb, i);
                m->fill++;
            }
            y++;
            if (expr_is_zero(p, e.x) == YES)
                continue;
        }
        vec_push(m->mem, m->merged, e);
    }
    a->n = 0;
    vec_reserve(m->mem, *a, m->merged.n);
    if (m->merged.n)
        memcpy(a->at, m->merged.at, sizeof(Entry) * m->merged.n);
    a->n = m->merged.n;
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

void matrix_pivot(Matrix *m, uint32_t row, uint32_t col)
{
    ExprId pivot = matrix_entry(m, row, col);
    if (!expr_exists(pivot) || m->row_done[row] || m->col_done[col])
        bug("matrix: row %u cannot be the pivot's of column %u", row, col);
    vec_push(m->mem, m->step, ((PivotStep){row, col, pivot}));
    m->row_done[row] = m->col_done[col] = true;
    for (uint32_t h = m->head[col]; h != HOLDER_NONE; h = m->holder.at[h].next) {
        uint32_t i = m->holder.at[h].row;
        ExprId x = m->row_done[i] ? EXPR_NONE : matrix_entry(m, i, col);
        if (expr_exists(x))
            subtract(m, i, row, col, over(m->p, x, pivot));
    }
}

void matrix_solve(Matrix *m, ExprId *unknown)
{
    ExprPool *p = m->p;
    for (uint32_t k = m->step.n; k-- > 0;) {
        const PivotStep *s = &m->step.at[k];
        const Row *r = &m->row[s->row];
        ExprId sum = m->rhs[s->row];
        for (uint32_t i = 0; i < r->n; i++) {
            if (r->at[i].col != s->col)
                sum = expr_sub(p, sum, expr_mul(p, r->at[i].x, unknown[r->at[i].col]));
        }
        unknown[s->col] = over(p, sum, s->pivot);
    }
}
