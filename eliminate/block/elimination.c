#include "eliminate/block/elimination.h"

#include "base/bug.h"
#include "eliminate/block/congruence.h"

#define LU_MATRIX Matrix
#define LU_ROW Row
#define LU_SCALAR ExprId
#define LU_VALUE(entry) ((entry).x)
#define LU_ENTRY(col, x) ((Entry){col, x})
#define LU_MUL(m, a, b) expr_mul((m)->p, a, b)
#define LU_SUB(m, a, b) congruence_sub((m)->p, a, b)
#define LU_NEG(m, a) expr_neg((m)->p, a)
#define LU_OVER(m, a, pivot) over(m, a, pivot)
#define LU_SOLVED(m, k, sum, pivot) solved(m, &(m)->step.at[k], sum)
#define LU_IS_ZERO(m, a) (expr_is_zero((m)->p, a) == YES)
#define LU_NEWEST_FIRST 1
#define LU_ON_FILL(m) ((m)->fill++)
#define LU_ON_CANCEL(m, row, col) (void)0
#define LU_SIDE_SUB(m, a, b) expr_sub((m)->p, a, b)
#define LU_SUB_SIDE(m, row, pivot_row, factor) subtract_side(m, row, pivot_row, factor)

static void subtract_side(Matrix *m, uint32_t row, uint32_t pivot_row, ExprId factor)
{
    m->rhs[row] = expr_sub(m->p, m->rhs[row], expr_mul(m->p, factor, m->rhs[pivot_row]));
}

static ExprId over(const Matrix *m, ExprId a, ExprId pivot)
{
    uint32_t inverse = map_get(&m->open, pivot.i);
    return inverse == MAP_NONE ? congruence_over(m->p, a, pivot)
                               : expr_mul(m->p, a, (ExprId){inverse});
}

/* The divisor varies with time, so that it is tested where the unknown is evaluated. */
static ExprId solved(Matrix *m, PivotStep *step, ExprId sum)
{
    ExprPool *p = m->p;
    if (map_get(&m->open, step->pivot.i) == MAP_NONE)
        return congruence_over(p, sum, step->pivot);
    ExprId zero = expr_int(p, 0), one = expr_int(p, 1);
    ExprId never = expr_compare(p, OP_LT, expr_fn(p, FN_ABS, sum), zero);
    step->pivot = expr_select(p, expr_compare(p, OP_EQ, step->pivot, zero),
                              expr_select(p, never, one, zero), step->pivot);
    return expr_div(p, sum, step->pivot);
}

#include "graph/sparse_elimination.inc"

Matrix matrix_new(ExprPool *p, uint32_t n_rows, uint32_t n_cols, Arena *mem)
{
    Matrix m = {.p = p, .mem = mem, .n_rows = n_rows, .n_cols = n_cols, .open = map_new(mem)};
    m.row = arena_array(mem, Row, n_rows);
    m.col = arena_array(mem, Column, n_cols);
    m.rhs = arena_array(mem, ExprId, n_rows);
    m.row_done = arena_array(mem, bool, n_rows);
    m.col_done = arena_array(mem, bool, n_cols);
    for (uint32_t k = 0; k < n_rows; k++)
        m.rhs[k] = expr_int(p, 0);
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
    vec_push(m->mem, m->col[col], row);
    m->nonzeros++;
}

ExprId matrix_entry(const Matrix *m, uint32_t row, uint32_t col)
{
    int64_t k = lu_find(&m->row[row], col);
    return k == LU_NONE ? EXPR_NONE : m->row[row].at[k].x;
}

void matrix_pivot(Matrix *m, uint32_t row, uint32_t col)
{
    ExprId pivot = matrix_entry(m, row, col);
    if (!expr_exists(pivot) || m->row_done[row] || m->col_done[col])
        bug("matrix: row %u cannot be the pivot's of column %u", row, col);
    vec_push(m->mem, m->step, ((PivotStep){row, col, pivot}));
    lu_eliminate(m, row, col);
    m->col_done[col] = true;
}

void matrix_pivot_open(Matrix *m, uint32_t row, uint32_t col)
{
    ExprPool *p = m->p;
    ExprId pivot = matrix_entry(m, row, col), zero = expr_int(p, 0);
    ExprId inverse = expr_select(p, expr_compare(p, OP_EQ, pivot, zero), zero,
                                 expr_div(p, expr_int(p, 1), pivot));
    map_put(&m->open, pivot.i, inverse.i);
    matrix_pivot(m, row, col);
}

void matrix_solve(Matrix *m, ExprId *unknown)
{
    lu_substitute_back(m, unknown);
}
