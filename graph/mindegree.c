#include "graph/mindegree.h"

#include "graph/order.h"

/* Price of pivot (e, v) by degrees: the cost if all entries were general, plus divisions if the
 * pivot is not +-1, with a high weight for pivots that may vanish. */
static uint64_t pivot_price(const SymbolicLu *f, uint32_t e, const SymbolicEntry *x)
{
    uint64_t r = f->row[e].n - 1, c = f->col[x->col].n - 1;
    static const uint64_t divide[] = {0, 1, 2, 4, 4};
    return 4 * r * c + divide[x->label] * (c + 1);
}

/* Keeps each row's best pivot: its column in best, its price in the heap. */
static void look_at_row(Mindegree *m, uint32_t e)
{
    uint64_t lowest = UINT64_MAX;
    const SymbolicRow *r = &m->f.row[e];
    for (uint32_t k = 0; k < r->n; k++) {
        uint64_t price = pivot_price(&m->f, e, &r->at[k]);
        if (price < lowest) {
            lowest = price;
            m->best[e] = r->at[k].col;
        }
    }
    if (r->n)
        heap_set(&m->prices, e, lowest);
    else
        heap_drop(&m->prices, e);
}

Mindegree mindegree_begin(const Incidence *g, Arena *mem)
{
    Mindegree m = {.f = symbolic_lu_begin(g, mem),
                   .prices = heap_new(g->n_rows, mem),
                   .best = arena_array(mem, uint32_t, g->n_rows),
                   .touched = arena_array(mem, uint32_t, g->n_rows),
                   .stamp = arena_array(mem, uint32_t, g->n_rows)};
    for (uint32_t e = 0; e < g->n_rows; e++)
        look_at_row(&m, e);
    return m;
}

bool mindegree_next(Mindegree *m, uint32_t *e, uint32_t *v)
{
    if (!heap_pop(&m->prices, e))
        return false;
    *v = m->best[*e];
    return true;
}

void mindegree_pivot(Mindegree *m, uint32_t e, uint32_t v)
{
    uint32_t n_touched = 0;
    const SymbolicRow *r = &m->f.row[e];
    m->n_done++;
    for (uint32_t k = 0; k < r->n; k++) {
        const SymbolicCol *c = &m->f.col[r->at[k].col];
        for (uint32_t i = 0; i < c->n; i++)
            if (m->stamp[c->at[i]] != m->n_done && c->at[i] != e) {
                m->stamp[c->at[i]] = m->n_done;
                m->touched[n_touched++] = c->at[i];
            }
    }
    symbolic_lu_pivot(&m->f, e, v);
    for (uint32_t i = 0; i < n_touched; i++)
        look_at_row(m, m->touched[i]);
}

Order mindegree_find(const Incidence *g, Arena *mem)
{
    if (g->n_rows != g->n_cols)
        return order_failed("the block is not square");
    Order o = order_empty(g->n_rows, mem);
    ArenaMark mark = arena_mark(mem);
    Mindegree m = mindegree_begin(g, mem);
    uint32_t e, v;
    while (mindegree_next(&m, &e, &v)) {
        mindegree_pivot(&m, e, v);
        o.eq[o.n] = e;
        o.var[o.n++] = v;
    }
    bool whole = o.n == g->n_rows;
    arena_rollback(mem, mark);
    return whole ? o : order_failed("the block is structurally singular");
}
