#include "graph/symbolic_lu.h"

#include "base/bug.h"
#include "ir/residue.h"

static void remove_row(SymbolicCol *c, uint32_t e)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->at[i] == e) {
            c->at[i] = c->at[--c->n];
            return;
        }
}

SymbolicLu symbolic_lu_begin(const Incidence *g, Arena *mem)
{
    SymbolicLu f = {.mem = mem,
                    .n_rows = g->n_rows,
                    .n_cols = g->n_cols,
                    .by_value = g->residue != NULL,
                    .row = arena_array(mem, SymbolicRow, g->n_rows),
                    .col = arena_array(mem, SymbolicCol, g->n_cols),
                    .row_done = arena_array(mem, bool, g->n_rows),
                    .col_done = arena_array(mem, bool, g->n_cols)};
    /* side by side, until they grow */
    SymbolicEntry *entry = arena_array(mem, SymbolicEntry, g->n_edges);
    uint32_t *row = arena_array(mem, uint32_t, g->n_edges);
    for (uint32_t k = 0; k < g->n_edges; k++) {
        uint8_t label = g->label[k] > LABEL_OTHER ? LABEL_OTHER : g->label[k];
        entry[k] = (SymbolicEntry){g->col[k], label, f.by_value ? g->residue[k] : 0};
        row[k] = g->row[k];
    }
    for (uint32_t e = 0; e < g->n_rows; e++) {
        uint32_t n = g->row_begin[e + 1] - g->row_begin[e];
        f.row[e] = (SymbolicRow){entry + g->row_begin[e], n, n};
    }
    for (uint32_t v = 0; v < g->n_cols; v++) {
        uint32_t n = g->col_begin[v + 1] - g->col_begin[v];
        f.col[v] = (SymbolicCol){row + g->col_begin[v], n, n};
    }
    return f;
}

static uint8_t worse(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

/* One multiplication, unless by one or of parameters only. */
static uint32_t product_ops(uint8_t a, uint8_t b)
{
    return a != LABEL_ONE && b != LABEL_ONE && worse(a, b) > LABEL_PARAM;
}

/* The same, operations on parameters included. */
static uint32_t whole_ops(uint8_t a, uint8_t b)
{
    return a != LABEL_ONE && b != LABEL_ONE && worse(a, b) > LABEL_CONST;
}

/* The right-hand side is assumed to be nonzero and varying everywhere. */
static uint32_t side_ops(uint8_t factor)
{
    return 1 + product_ops(factor, LABEL_OTHER);
}

/* Operations of solving the pivot row in back substitution. */
static uint64_t solve_ops(const SymbolicRow *p, uint32_t v, uint8_t pivot)
{
    uint64_t ops = pivot != LABEL_ONE;
    for (uint32_t k = 0; k < p->n; k++)
        if (p->at[k].col != v)
            ops += 1 + (p->at[k].label != LABEL_ONE);
    return ops;
}

/* The factor is entry / pivot; its label is the worse of the two. */
static uint32_t factor_ops(uint8_t entry, uint8_t pivot)
{
    return pivot != LABEL_ONE && worse(entry, pivot) > LABEL_PARAM;
}

/* ---- operations on entries for sparse_elimination.inc; they count their costs ---- */

static SymbolicEntry at_column(uint32_t col, SymbolicEntry x)
{
    x.col = col;
    return x;
}

/* x / pivot. The label is the worse of the two. */
static SymbolicEntry over(SymbolicLu *f, SymbolicEntry x, SymbolicEntry pivot)
{
    uint8_t label = worse(x.label, pivot.label);
    f->ops += factor_ops(x.label, pivot.label);
    f->all += pivot.label != LABEL_ONE && label > LABEL_CONST;
    if (f->by_value && f->inverse == 0)
        f->inverse = residue_inverse(pivot.residue);
    return (SymbolicEntry){0, label, f->by_value ? residue_mul(x.residue, f->inverse) : 0};
}

static SymbolicEntry times(SymbolicLu *f, SymbolicEntry a, SymbolicEntry b)
{
    f->ops += product_ops(a.label, b.label);
    f->all += whole_ops(a.label, b.label);
    return (SymbolicEntry){0, worse(a.label, b.label),
                           f->by_value ? residue_mul(a.residue, b.residue) : 0};
}

static bool is_zero(const SymbolicLu *f, SymbolicEntry x)
{
    return f->by_value && x.residue == 0;
}

/* A subtraction that cancels costs nothing. */
static SymbolicEntry minus(SymbolicLu *f, SymbolicEntry a, SymbolicEntry b)
{
    SymbolicEntry x = {0, label_of_sum(a.label, b.label),
                       f->by_value ? residue_sub(a.residue, b.residue) : 0};
    if (!is_zero(f, x)) {
        f->ops += x.label > LABEL_PARAM;
        f->all += x.label > LABEL_CONST;
    }
    return x;
}

static SymbolicEntry negative(const SymbolicLu *f, SymbolicEntry x)
{
    x.residue = f->by_value ? residue_negated(x.residue) : 0;
    return x;
}

static void count_side(SymbolicLu *f, uint8_t factor)
{
    f->ops += side_ops(factor);
    f->all += side_ops(factor);
}

#define LU_MATRIX SymbolicLu
#define LU_ROW SymbolicRow
#define LU_SCALAR SymbolicEntry
#define LU_VALUE(entry) (entry)
#define LU_ENTRY(col, x) at_column(col, x)
#define LU_MUL(f, a, b) times(f, a, b)
#define LU_SUB(f, a, b) minus(f, a, b)
#define LU_NEG(f, a) negative(f, a)
#define LU_OVER(f, a, pivot) over(f, a, pivot)
#define LU_IS_ZERO(f, a) is_zero(f, a)
#define LU_NEWEST_FIRST 0
#define LU_ON_FILL(f) ((f)->n_fill++)
#define LU_ON_CANCEL(f, row, c) remove_row(&(f)->col[c], row)
#define LU_SUB_SIDE(f, row, pivot_row, factor) count_side(f, (factor).label)
#include "graph/sparse_elimination.inc"

const SymbolicEntry *symbolic_lu_find(const SymbolicLu *f, uint32_t e, uint32_t v)
{
    int64_t k = lu_find(&f->row[e], v);
    return k == LU_NONE ? NULL : &f->row[e].at[k];
}

void symbolic_lu_pivot(SymbolicLu *f, uint32_t e, uint32_t v)
{
    const SymbolicEntry *found = symbolic_lu_find(f, e, v);
    if (!found || f->row_done[e] || f->col_done[v])
        bug("symbolic_lu: no pivot at equation %u, unknown %u", e, v);
    SymbolicRow *p = &f->row[e];
    uint64_t solve = solve_ops(p, v, found->label);
    f->ops += solve;
    f->all += solve;
    f->inverse = 0;
    lu_eliminate(f, e, v);
    for (uint32_t k = 0; k < p->n; k++)
        remove_row(&f->col[p->at[k].col], e);
    p->n = f->col[v].n = 0;
    f->col_done[v] = true;
}

uint64_t symbolic_lu_estimate(const SymbolicLu *f, uint32_t e, uint32_t v)
{
    const SymbolicRow *p = &f->row[e];
    const SymbolicCol *c = &f->col[v];
    uint8_t pivot = symbolic_lu_find(f, e, v)->label;
    uint64_t ops = solve_ops(p, v, pivot);
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->at[i] == e)
            continue;
        const SymbolicRow *r = &f->row[c->at[i]];
        uint8_t entry = symbolic_lu_find(f, c->at[i], v)->label, factor = worse(entry, pivot);
        ops += factor_ops(entry, pivot) + side_ops(factor);
        for (uint32_t j = 0, k = 0; k < p->n; k++) {
            uint32_t b = p->at[k].col;
            if (b == v)
                continue;
            while (j < r->n && r->at[j].col < b)
                j++;
            ops += product_ops(factor, p->at[k].label);
            if (j < r->n && r->at[j].col == b)
                ops += label_of_sum(worse(factor, p->at[k].label), r->at[j].label) > LABEL_PARAM;
        }
    }
    return ops;
}

/* The number of columns with an entry in p and none in r. */
static uint64_t n_missing(const SymbolicRow *p, const SymbolicRow *r)
{
    enum { LONG = 16 };
    uint64_t n = 0;
    if (r->n / LONG > p->n) {
        for (uint32_t k = 0; k < p->n; k++)
            n += lu_find(r, p->at[k].col) == LU_NONE;
        return n;
    }
    for (uint32_t j = 0, k = 0; k < p->n; k++) {
        while (j < r->n && r->at[j].col < p->at[k].col)
            j++;
        n += j == r->n || r->at[j].col != p->at[k].col;
    }
    return n;
}

uint64_t symbolic_lu_fill_by(const SymbolicLu *f, uint32_t e, uint32_t v)
{
    const SymbolicRow *p = &f->row[e];
    const SymbolicCol *c = &f->col[v];
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        if (c->at[i] != e)
            n += n_missing(p, &f->row[c->at[i]]);
    return n;
}

bool symbolic_lu_check(const SymbolicLu *f)
{
    uint64_t n_rows = 0, n_cols = 0;
    for (uint32_t e = 0; e < f->n_rows; e++) {
        n_rows += f->row[e].n;
        if (f->row_done[e] && f->row[e].n)
            return false;
        for (uint32_t k = 0; k < f->row[e].n; k++) {
            uint32_t v = f->row[e].at[k].col;
            if (v >= f->n_cols || f->col_done[v] || (k && v <= f->row[e].at[k - 1].col))
                return false;
        }
    }
    for (uint32_t v = 0; v < f->n_cols; v++) {
        n_cols += f->col[v].n;
        for (uint32_t k = 0; k < f->col[v].n; k++)
            if (!symbolic_lu_find(f, f->col[v].at[k], v))
                return false;
    }
    return n_rows == n_cols;
}
