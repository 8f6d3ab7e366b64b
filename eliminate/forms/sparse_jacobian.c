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

typedef VEC(Edge) Edges;

/* Which columns each row depends on. A row that contains an unknown of a block depends on whatever
 * a residual of the block does. */
typedef struct Dependence {
    System *s;
    Series series;
    uint32_t *place;    /* per variable: its column, or NONE                   */
    uint32_t *block_of; /* per variable: the block it is an unknown of, or NONE */
    uint32_t **column;  /* per block                                           */
    uint32_t *n_columns;
    uint32_t *seen; /* per column: the last row or block that met it, + 1  */
    uint32_t rounds;
    uint64_t walked, most;
    Arena *scratch;
} Dependence;

enum { NONE = UINT32_MAX };

/* Adds the columns that x depends on and that are not yet among them. An expression is not visited
 * any further once it has more unknowns than are left: a rate of a chain depends on all of it. */
static bool add_columns(Dependence *d, ExprId x, Edges *edge, uint32_t row)
{
    VarId *found;
    Arena *tmp = arena_new();
    uint64_t left = d->most - d->walked;
    uint32_t limit = left < UINT32_MAX ? (uint32_t)left : UINT32_MAX - 1;
    uint32_t n = series_unknowns(&d->series, x, limit, tmp, &found);
    if (n > limit)
        d->walked = d->most + 1;
    for (uint32_t k = 0; k < n && d->walked <= d->most; k++) {
        uint32_t v = found[k].i, b = d->block_of[v];
        const uint32_t *column = b == NONE ? &d->place[v] : d->column[b];
        uint32_t count = b == NONE ? 1 : d->n_columns[b];
        d->walked += count;
        for (uint32_t i = 0; i < count; i++) {
            if (d->seen[column[i]] == d->rounds)
                continue;
            d->seen[column[i]] = d->rounds;
            Edge e = {column[i], row};
            vec_push(d->scratch, *edge, e);
        }
    }
    arena_free(tmp);
    return d->walked <= d->most;
}

/* The entries that may be other than zero, by columns; false if there are more than `most`. Blocks
 * may be none. */
static bool find_structure(System *s, uint32_t n_rows, const ExprId *value, uint32_t n_cols,
                           const VarId *by, uint32_t n_blocks, const NonlinearBlock *block,
                           uint64_t most, Edges *edge, Arena *scratch)
{
    bool *is_leaf = arena_array(scratch, bool, s->var.n + 1);
    Dependence d = {.s = s,
                    .place = arena_array(scratch, uint32_t, s->var.n + 1),
                    .block_of = arena_array(scratch, uint32_t, s->var.n + 1),
                    .column = arena_array(scratch, uint32_t *, n_blocks + 1),
                    .n_columns = arena_array(scratch, uint32_t, n_blocks + 1),
                    .seen = arena_array(scratch, uint32_t, n_cols + 1),
                    .most = most,
                    .scratch = scratch};
    for (uint32_t v = 0; v < s->var.n; v++)
        d.place[v] = d.block_of[v] = NONE;
    for (uint32_t b = 0; b < n_blocks; b++)
        for (uint32_t i = 0; i < block[b].n; i++) {
            is_leaf[block[b].unknown[i].i] = true;
            d.block_of[block[b].unknown[i].i] = b;
        }
    for (uint32_t k = 0; k < n_cols; k++) {
        is_leaf[by[k].i] = true;
        d.place[by[k].i] = k;
    }
    d.series = series_new(s, is_leaf, scratch);
    for (uint32_t b = 0; b < n_blocks; b++) {
        Edges of = {0};
        d.rounds++;
        for (uint32_t i = 0; i < block[b].n; i++)
            if (!add_columns(&d, block[b].residual[i], &of, 0))
                return false;
        uint32_t *column = arena_array(scratch, uint32_t, of.n + 1);
        for (uint32_t i = 0; i < of.n; i++)
            column[i] = of.at[i].col;
        d.column[b] = column;
        d.n_columns[b] = of.n;
    }
    for (uint32_t r = 0; r < n_rows; r++) {
        d.rounds++;
        if (!add_columns(&d, value[r], edge, r))
            return false;
    }
    if (edge->n)
        qsort(edge->at, edge->n, sizeof(Edge), by_column);
    return true;
}

/* Allowed for a matrix of n rows: a constant, and for each row a constant. */
static uint64_t allowance(uint32_t limit, uint32_t n_rows)
{
    enum { PER_ROW = 50 };
    return limit + PER_ROW * (uint64_t)n_rows;
}

/* Whether rows spread evenly over a large matrix are much longer than `most` allows on average:
 * then the others need not be examined. */
static bool looks_dense(const Program *g, uint32_t n, const ExprId *row, uint64_t most,
                        Arena *scratch)
{
    enum { ROWS = 8, TOO_LONG = 4, ENOUGH = 3 };
    uint32_t n_dense = 0;
    for (uint32_t k = 0; k < ROWS && n >= 64 * ROWS && n_dense < ENOUGH; k++) {
        // rates of positions and of velocities mostly alternate
        const ExprId *one = &row[(uint64_t)(2 * k + 1) * n / (2 * ROWS) + k % 2];
        Edges edge = {0};
        ArenaMark mark = arena_mark(scratch);
        n_dense += !find_structure(g->sys, 1, one, g->n_states, g->state, program_own_blocks(g),
                                   g->block, TOO_LONG * most / n, &edge, scratch);
        arena_rollback(scratch, mark);
    }
    return n_dense == ENOUGH;
}

/* The entries as expressions; false if they need more than `most` new nodes or one has none. */
static bool differentiate_all(System *s, uint32_t n_rows, const ExprId *value, uint32_t n_cols,
                              const VarId *by, const Edges *edge, uint64_t most,
                              SparseJacobian *out, Arena *scratch)
{
    ExprPool *p = s->pool;
    uint32_t *start = arena_array(s->mem, uint32_t, n_cols + 1);
    uint32_t *row = arena_array(s->mem, uint32_t, edge->n + 1);
    ExprId *entry = arena_array(s->mem, ExprId, edge->n + 1);
    uint32_t before = pool_size(p);
    uint32_t kept = 0;
    uint32_t k = 0;
    for (uint32_t c = 0; c < n_cols; c++) {
        Arena *tmp = arena_new();
        Differentiator d = differentiator_partial(s, by[c], tmp);
        for (; k < edge->n && edge->at[k].col == c; k++) {
            ExprId x = differentiate(&d, value[edge->at[k].row]);
            if (!expr_exists(x) || pool_size(p) - before > most) {
                arena_free(tmp);
                return false;
            }
            if (expr_is_zero(p, x) == YES)
                continue;
            row[kept] = edge->at[k].row;
            entry[kept++] = x;
        }
        arena_free(tmp);
        start[c + 1] = kept;
    }
    *out = (SparseJacobian){.columns = {n_rows, n_cols, start, row, entry}};
    jacobian_colours(out, s->mem, scratch);
    return true;
}

/* The pattern alone. */
static void structure_alone(System *s, uint32_t n_rows, uint32_t n_cols, const Edges *edge,
                            SparseJacobian *out, Arena *scratch)
{
    uint32_t *start = arena_array(s->mem, uint32_t, n_cols + 1);
    uint32_t *row = arena_array(s->mem, uint32_t, edge->n + 1);
    for (uint32_t k = 0; k < edge->n; k++) {
        start[edge->at[k].col + 1]++;
        row[k] = edge->at[k].row;
    }
    for (uint32_t c = 0; c < n_cols; c++)
        start[c + 1] += start[c];
    *out = (SparseJacobian){.columns = {n_rows, n_cols, start, row, NULL}};
    jacobian_colours(out, s->mem, scratch);
}

bool jacobian_columns(System *s, uint32_t n_rows, const ExprId *value, uint32_t n_cols,
                      const VarId *by, uint32_t limit, SparseJacobian *out, Arena *scratch)
{
    Edges edge = {0};
    uint64_t most = allowance(limit, n_rows);
    return find_structure(s, n_rows, value, n_cols, by, 0, NULL, most, &edge, scratch) &&
           differentiate_all(s, n_rows, value, n_cols, by, &edge, most, out, scratch);
}

bool jacobian_pattern_of(const Program *g, uint32_t n_rows, const ExprId *value, uint32_t n_cols,
                         const VarId *by, uint32_t limit, SparseJacobian *out, Arena *scratch)
{
    Edges edge = {0};
    if (!find_structure(g->sys, n_rows, value, n_cols, by, program_own_blocks(g), g->block,
                        allowance(limit, n_rows), &edge, scratch))
        return false;
    structure_alone(g->sys, n_rows, n_cols, &edge, out, scratch);
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
    System *s = g->sys;
    uint32_t n;
    Edges edge = {0};
    const ExprId *row = rows_of(g, &n, scratch);
    uint64_t most = allowance(limit, n);
    if (g->n_states == 0 || looks_dense(g, n, row, most, scratch) ||
        !find_structure(s, n, row, g->n_states, g->state, program_own_blocks(g), g->block, most,
                        &edge, scratch))
        return false;
    SparseJacobian *out = arena_make(s->mem, SparseJacobian);
    if (program_own_blocks(g) > 0 ||
        !differentiate_all(s, n, row, g->n_states, g->state, &edge, most, out, scratch))
        structure_alone(s, n, g->n_states, &edge, out, scratch);
    g->jacobian = out;
    return true;
}

bool jacobian_of_inputs(Program *g, uint32_t limit, Arena *scratch)
{
    const LoopConstraints *l = g->loops;
    if (program_own_blocks(g) > 0 || !l)
        return false;
    uint32_t n, parts = l->n_parts ? l->n_parts : 1;
    uint32_t m = l->n_constraints / parts, n_massless = l->n_massless / parts;
    const ExprId *row = rows_of(g, &n, scratch);
    // the block of each further part by its own inputs equals the model's by the model's
    VarId *input = arena_array(scratch, VarId, m + n_massless + 1);
    for (uint32_t k = 0; k < m; k++)
        input[k] = l->multiplier[k];
    for (uint32_t k = 0; k < n_massless; k++)
        input[m + k] = l->massless[k];
    SparseJacobian *out = arena_make(g->sys->mem, SparseJacobian);
    if (!jacobian_columns(g->sys, n, row, m + n_massless, input, limit, out, scratch))
        return false;
    LoopConstraints *with = arena_make(g->sys->mem, LoopConstraints);
    *with = *l;
    with->by_input = out;
    g->loops = with;
    return true;
}
