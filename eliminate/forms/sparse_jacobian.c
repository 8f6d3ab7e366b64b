#include "eliminate/forms/sparse_jacobian.h"

#include "eliminate/block/linear_form.h"
#include "eliminate/prepare/differentiate.h"
#include "graph/by_igraph.h"

#include <stdlib.h>
#include <string.h>

typedef struct Edge {
    uint32_t col, row;
} Edge;

static int by_column(const void *a, const void *b)
{
    const Edge *x = a;
    const Edge *y = b;
    if (x->col != y->col)
        return x->col < y->col ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Columns that share a row, each pair once. row_start, col: the matrix by rows, columns ascending.
 */
static Digraph column_intersections(const ExprColumns *a, const uint32_t *row_start,
                                    const uint32_t *col, Arena *scratch)
{
    VEC(uint32_t) from = {0}, to = {0};
    uint32_t *seen = arena_array(scratch, uint32_t, a->n_cols);
    for (uint32_t c = 0; c < a->n_cols; c++) {
        for (uint32_t e = a->col_start[c]; e < a->col_start[c + 1]; e++) {
            uint32_t r = a->row[e];
            for (uint32_t k = row_start[r]; k < row_start[r + 1] && col[k] < c; k++) {
                if (seen[col[k]] == c)
                    continue;
                seen[col[k]] = c;
                vec_push(scratch, from, col[k]);
                vec_push(scratch, to, c);
            }
        }
    }
    return (Digraph){.n = a->n_cols, .n_edges = from.n, .from = from.at, .to = to.at};
}

/* No colouring has fewer colours than the longest row has entries. Where the columns as they stand
 * need more, another order of theirs is tried, unless long rows would make the graph of columns
 * much larger than the matrix. */
static void find_fewer_colours(SparseJacobian *j, const uint32_t *row_start, const uint32_t *col,
                               uint32_t *colour, Arena *scratch)
{
    enum { PER_ENTRY = 32 };
    uint32_t longest = 0, *other = arena_array(scratch, uint32_t, j->columns.n_cols);
    uint64_t size = 0;
    for (uint32_t r = 0; r < j->columns.n_rows; r++) {
        uint32_t n = row_start[r + 1] - row_start[r];
        longest = n > longest ? n : longest;
        size += (uint64_t)n * n;
    }
    if (j->n_colours <= longest || size > PER_ENTRY * (uint64_t)row_start[j->columns.n_rows])
        return;
    Digraph g = column_intersections(&j->columns, row_start, col, scratch);
    uint32_t n = igraph_colours(&g, other);
    if (n >= j->n_colours)
        return;
    memcpy(colour, other, j->columns.n_cols * sizeof *colour);
    j->n_colours = n;
}

void jacobian_colours(SparseJacobian *j, Arena *mem, Arena *scratch)
{
    uint32_t n = j->columns.n_cols;
    uint32_t m = j->columns.n_rows;
    const uint32_t *start = j->columns.col_start;
    uint32_t *row_start = arena_array(scratch, uint32_t, m + 2);
    uint32_t *col = arena_array(scratch, uint32_t, start[n] + 1);
    uint32_t *taken = arena_array(scratch, uint32_t, n + 1);
    uint32_t *colour = arena_array(mem, uint32_t, n + 1);
    for (uint32_t e = 0; e < start[n]; e++)
        row_start[j->columns.row[e] + 2]++;
    for (uint32_t r = 0; r < m; r++)
        row_start[r + 2] += row_start[r + 1];
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = start[c]; e < start[c + 1]; e++)
            col[row_start[j->columns.row[e] + 1]++] = c;
    for (uint32_t c = 0; c < n; c++) {
        for (uint32_t e = start[c]; e < start[c + 1]; e++) {
            uint32_t r = j->columns.row[e];
            for (uint32_t k = row_start[r]; k < row_start[r + 1] && col[k] < c; k++)
                taken[colour[col[k]]] = c + 1;
        }
        while (taken[colour[c]] == c + 1)
            colour[c]++;
        j->n_colours = colour[c] >= j->n_colours ? colour[c] + 1 : j->n_colours;
    }
    find_fewer_colours(j, row_start, col, colour, scratch);
    j->colour = colour;
}

bool jacobian_columns(System *s, uint32_t n_rows, const ExprId *value, uint32_t n_cols,
                      const VarId *by, uint32_t limit, SparseJacobian *out, Arena *scratch)
{
    ExprPool *p = s->pool;
    bool *is_column = arena_array(scratch, bool, s->var.n + 1);
    uint32_t *place = arena_array(scratch, uint32_t, s->var.n + 1);
    for (uint32_t k = 0; k < n_cols; k++) {
        is_column[by[k].i] = true;
        place[by[k].i] = k;
    }
    VEC(Edge) edge = {0};
    uint32_t walked = 0;
    Series series = series_new(s, is_column, scratch);
    for (uint32_t r = 0; r < n_rows; r++) {
        VarId *found;
        Arena *tmp = arena_new();
        uint32_t m = series_unknowns(&series, value[r], UINT32_MAX - 1, tmp, &found);
        for (uint32_t k = 0; k < m; k++) {
            Edge e = {place[found[k].i], r};
            vec_push(scratch, edge, e);
        }
        arena_free(tmp);
        walked += m;
        if (walked > limit)
            return false;
    }
    if (edge.n)
        qsort(edge.at, edge.n, sizeof(Edge), by_column);
    uint32_t *start = arena_array(s->mem, uint32_t, n_cols + 1);
    uint32_t *row = arena_array(s->mem, uint32_t, edge.n + 1);
    ExprId *entry = arena_array(s->mem, ExprId, edge.n + 1);
    uint32_t before = pool_size(p);
    uint32_t kept = 0;
    uint32_t k = 0;
    for (uint32_t c = 0; c < n_cols; c++) {
        Arena *tmp = arena_new();
        Differentiator d = differentiator_partial(s, by[c], tmp);
        for (; k < edge.n && edge.at[k].col == c; k++) {
            ExprId x = differentiate(&d, value[edge.at[k].row]);
            if (!expr_exists(x) || pool_size(p) - before > limit) {
                arena_free(tmp);
                return false;
            }
            if (expr_is_zero(p, x) == YES)
                continue;
            row[kept] = edge.at[k].row;
            entry[kept++] = x;
        }
        arena_free(tmp);
        start[c + 1] = kept;
    }
    *out = (SparseJacobian){.columns = {n_rows, n_cols, start, row, entry}};
    jacobian_colours(out, s->mem, scratch);
    return true;
}

/* The derivatives of the states, then the balances of cut loops. */
static const ExprId *rows_of(const Program *g, uint32_t *n, Arena *mem)
{
    uint32_t n_massless = g->loops ? g->loops->n_massless : 0;
    ExprId *row = arena_array(mem, ExprId, g->n_states + n_massless + 1);
    if (g->n_states > 0)
        memcpy(row, g->derivative, g->n_states * sizeof *row);
    if (n_massless > 0)
        memcpy(row + g->n_states, g->loops->balance, n_massless * sizeof *row);
    *n = g->n_states + n_massless;
    return row;
}

bool jacobian_of_states(Program *g, uint32_t limit, Arena *scratch)
{
    if (g->n_blocks > 0 || g->n_states == 0)
        return false;
    uint32_t n;
    const ExprId *row = rows_of(g, &n, scratch);
    SparseJacobian *out = arena_make(g->sys->mem, SparseJacobian);
    if (!jacobian_columns(g->sys, n, row, g->n_states, g->state, limit, out, scratch))
        return false;
    g->jacobian = out;
    return true;
}

bool jacobian_of_inputs(Program *g, uint32_t limit, Arena *scratch)
{
    const LoopConstraints *l = g->loops;
    if (g->n_blocks > 0 || !l)
        return false;
    uint32_t n;
    const ExprId *row = rows_of(g, &n, scratch);
    VarId *input = arena_array(scratch, VarId, l->n_constraints + l->n_massless + 1);
    for (uint32_t k = 0; k < l->n_constraints; k++)
        input[k] = l->multiplier[k];
    for (uint32_t k = 0; k < l->n_massless; k++)
        input[l->n_constraints + k] = l->massless[k];
    SparseJacobian *out = arena_make(g->sys->mem, SparseJacobian);
    if (!jacobian_columns(g->sys, n, row, l->n_constraints + l->n_massless, input, limit, out,
                          scratch))
        return false;
    LoopConstraints *with = arena_make(g->sys->mem, LoopConstraints);
    *with = *l;
    with->by_input = out;
    g->loops = with;
    return true;
}
