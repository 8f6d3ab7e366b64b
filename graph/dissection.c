#include "graph/dissection.h"

#include "graph/heap.h"
#include "graph/matching.h"
#include "graph/order.h"
#include "graph/symbolic_lu.h"

#include <stdlib.h>

/* ---- pairs that cost nothing ---- */

typedef struct Thinning {
    SymbolicLu f;
    Heap heap;      /* rows with a pair that may go, by the entries it leaves */
    uint32_t *best; /* per row: the column of that pair */
    Order *o;
} Thinning;

/* How many entries more than now there are when (e, v) is gone, offset to be positive. */
static uint64_t balance(const SymbolicLu *f, uint32_t e, uint32_t v)
{
    return symbolic_lu_fill_by(f, e, v) + ((uint64_t)1 << 32) - (f->row[e].n + f->col[v].n - 1);
}

static void look_at_row(Thinning *t, uint32_t e)
{
    const SymbolicRow *r = &t->f.row[e];
    uint64_t lowest = ((uint64_t)1 << 32) + 1;
    for (uint32_t k = 0; k < r->n; k++) {
        /* long rows and columns cannot be free; not even looking keeps this linear */
        uint64_t others = (uint64_t)(r->n - 1) * (t->f.col[r->at[k].col].n - 1);
        if (r->at[k].label > LABEL_PARAM || others > 64)
            continue;
        uint64_t b = balance(&t->f, e, r->at[k].col);
        if (b < lowest) {
            lowest = b;
            t->best[e] = r->at[k].col;
        }
    }
    if (lowest <= (uint64_t)1 << 32)
        heap_set(&t->heap, e, lowest);
    else
        heap_drop(&t->heap, e);
}

static void thin_out(Thinning *t, uint32_t n, Arena *mem)
{
    uint32_t *touched = arena_array(mem, uint32_t, n), *stamp = arena_array(mem, uint32_t, n), e;
    for (e = 0; e < n; e++)
        look_at_row(t, e);
    while (heap_pop(&t->heap, &e)) {
        uint32_t n_touched = 0;
        const SymbolicRow *r = &t->f.row[e];
        for (uint32_t k = 0; k < r->n; k++) {
            const SymbolicCol *c = &t->f.col[r->at[k].col];
            for (uint32_t i = 0; i < c->n; i++)
                if (stamp[c->at[i]] != t->o->n + 1 && c->at[i] != e) {
                    stamp[c->at[i]] = t->o->n + 1;
                    touched[n_touched++] = c->at[i];
                }
        }
        symbolic_lu_pivot(&t->f, e, t->best[e]);
        t->o->eq[t->o->n] = e;
        t->o->var[t->o->n++] = t->best[e];
        for (uint32_t i = 0; i < n_touched; i++)
            look_at_row(t, touched[i]);
    }
}

/* ---- the rest ---- */

/* The remaining rows and columns, renumbered; row and col are their old numbers. */
static Incidence rest_of(const SymbolicLu *f, uint32_t *row, uint32_t *col, Arena *mem)
{
    uint32_t *number = arena_array(mem, uint32_t, f->n_cols), n = 0;
    for (uint32_t v = 0; v < f->n_cols; v++)
        if (!f->col_done[v]) {
            col[n] = v;
            number[v] = n++;
        }
    IncidenceBuilder b = incidence_begin(mem, n);
    for (uint32_t e = 0; e < f->n_rows; e++) {
        if (f->row_done[e])
            continue;
        row[incidence_row(&b)] = e;
        for (uint32_t k = 0; k < f->row[e].n; k++)
            incidence_edge(&b, number[f->row[e].at[k].col], f->row[e].at[k].label, 1);
    }
    return incidence_done(&b);
}

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Neighbours of each equation's pair, both directions, sorted, each once. */
static void symmetric_graph(const Incidence *g, const Matching *m, uint32_t *begin, uint32_t *next)
{
    uint32_t n_edges = 0;
    for (uint32_t e = 0; e < g->n_rows; e++) {
        uint32_t first = n_edges;
        begin[e] = first;
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            if (m->eq_of[g->col[k]] != e)
                next[n_edges++] = m->eq_of[g->col[k]];
        uint32_t v = m->var_of[e];
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
            if (g->row[k] != e)
                next[n_edges++] = g->row[k];
        if (n_edges > first)
            qsort(next + first, n_edges - first, sizeof *next, compare_ids);
        uint32_t kept = first;
        for (uint32_t k = first; k < n_edges; k++)
            if (k == first || next[k] != next[k - 1])
                next[kept++] = next[k];
        n_edges = kept;
    }
    begin[g->n_rows] = n_edges;
}

/* An edge, and the similarity of its ends' neighbourhoods. */
typedef struct Likeness {
    float share;
    uint8_t label;
    uint32_t e, v;
} Likeness;

static int compare_likeness(const void *a, const void *b)
{
    const Likeness *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    if (x->e != y->e)
        return x->e < y->e ? -1 : 1;
    return (x->v > y->v) - (x->v < y->v);
}

/* The fraction of all paths from e to v by another unknown and another equation that exist. A node
 * of a network and the balance there have the same neighbours, so this finds the diagonal. */
static float likeness(const Incidence *g, uint32_t e, uint32_t v, uint32_t *stamp, uint32_t now)
{
    uint32_t n = 0;
    for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
        stamp[g->col[k]] = now;
    for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++) {
        uint32_t f = g->row[k];
        for (uint32_t i = g->row_begin[f]; i < g->row_begin[f + 1]; i++)
            n += stamp[g->col[i]] == now;
    }
    float all = (float)(g->row_begin[e + 1] - g->row_begin[e]) *
                (float)(g->col_begin[v + 1] - g->col_begin[v]);
    return (float)n / all;
}

/* Pairs for the diagonal of a nearly symmetric order, so that fill stays near the eliminated
 * pairs. */
static Matching symmetric_matching(const Incidence *g, Arena *mem)
{
    enum { LONG = 200 }; /* long rows and columns are similar to everything */
    Likeness *all = arena_array(mem, Likeness, g->n_edges);
    uint32_t *stamp = arena_array(mem, uint32_t, g->n_cols);
    uint32_t n = 0;
    for (uint32_t e = 0; e < g->n_rows; e++)
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t v = g->col[k];
            bool is_long = g->row_begin[e + 1] - g->row_begin[e] > LONG ||
                           g->col_begin[v + 1] - g->col_begin[v] > LONG;
            if (g->label[k] == LABEL_NONLINEAR)
                continue;
            float share = is_long ? 0 : likeness(g, e, v, stamp, n + 1);
            all[n++] = (Likeness){share, g->label[k], e, v};
        }
    if (n)
        qsort(all, n, sizeof *all, compare_likeness);
    Matching m = matching_empty(g, mem);
    for (uint32_t k = 0; k < n; k++) {
        if (m.var_of[all[k].e] != INC_NONE || m.eq_of[all[k].v] != INC_NONE)
            continue;
        m.var_of[all[k].e] = all[k].v;
        m.eq_of[all[k].v] = all[k].e;
        m.size++;
    }
    matching_extend(&m, g, LABEL_NONLINEAR, mem);
    return m;
}

/* Appends the rest to the order; false if it has no matching. */
static bool dissect(const SymbolicLu *f, Order *o, Arena *mem)
{
    uint32_t *row = arena_array(mem, uint32_t, f->n_rows);
    uint32_t *col = arena_array(mem, uint32_t, f->n_cols);
    Incidence g = rest_of(f, row, col, mem);
    Matching m = symmetric_matching(&g, mem);
    if (m.size < g.n_rows)
        return false;
    uint32_t *begin = arena_array(mem, uint32_t, g.n_rows + 1);
    uint32_t *next = arena_array(mem, uint32_t, 2 * g.n_edges);
    symmetric_graph(&g, &m, begin, next);
    uint32_t *perm = arena_array(mem, uint32_t, g.n_rows);
    metis_dissect(g.n_rows, begin, next, perm);
    for (uint32_t k = 0; k < g.n_rows; k++) {
        o->eq[o->n] = row[perm[k]];
        o->var[o->n++] = col[m.var_of[perm[k]]];
    }
    return true;
}

Order dissection_find(const Incidence *g, Arena *mem)
{
    if (g->n_rows != g->n_cols)
        return order_failed("the block is not square");
    Order o = order_empty(g->n_rows, mem);
    Arena *tmp = arena_new();
    Thinning t = {.f = symbolic_lu_begin(g, tmp),
                  .heap = heap_new(g->n_rows, tmp),
                  .best = arena_array(tmp, uint32_t, g->n_rows),
                  .o = &o};
    thin_out(&t, g->n_rows, tmp);
    bool whole = dissect(&t.f, &o, tmp);
    arena_free(tmp);
    return whole ? o : order_failed("the block is structurally singular");
}
