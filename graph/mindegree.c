#include "graph/mindegree.h"

#include "graph/heap.h"
#include "graph/order.h"
#include "graph/symbolic_lu.h"

/* Price of pivot (e, v) by degrees: what a dense-label elimination would cost, a division more for
 * what is not +-1, and a strong dislike of pivots that may vanish. */
static uint64_t pivot_price(const SymbolicLu *f, uint32_t e, const SymbolicEntry *x)
{
    uint64_t r = f->row[e].n - 1, c = f->col[x->col].n - 1;
    static const uint64_t divide[] = {0, 1, 2, 4, 4};
    return 4 * r * c + divide[x->label] * (c + 1);
}

/* Keeps each row's best pivot: its column in best, its price in the heap. */
static void look_at_row(const SymbolicLu *f, Heap *h, uint32_t *best, uint32_t e)
{
    uint64_t lowest = UINT64_MAX;
    const SymbolicRow *r = &f->row[e];
    for (uint32_t k = 0; k < r->n; k++) {
        uint64_t price = pivot_price(f, e, &r->at[k]);
        if (price < lowest) {
            lowest = price;
            best[e] = r->at[k].col;
        }
    }
    if (r->n)
        heap_set(h, e, lowest);
    else
        heap_drop(h, e);
}

Order mindegree_find(const Incidence *g, Arena *mem)
{
    if (g->n_rows != g->n_cols)
        return order_failed("the block is not square");
    Order o = order_empty(g->n_rows, mem);
    ArenaMark mark = arena_mark(mem);
    SymbolicLu f = symbolic_lu_begin(g, mem);
    Heap h = heap_new(g->n_rows, mem);
    uint32_t *best = arena_array(mem, uint32_t, g->n_rows);
    uint32_t *touched = arena_array(mem, uint32_t, g->n_rows), n_touched, e;
    uint32_t *stamp = arena_array(mem, uint32_t, g->n_rows);
    for (e = 0; e < g->n_rows; e++)
        look_at_row(&f, &h, best, e);
    while (heap_pop(&h, &e)) {
        n_touched = 0;
        const SymbolicRow *r = &f.row[e];
        for (uint32_t k = 0; k < r->n; k++) {
            const SymbolicCol *c = &f.col[r->at[k].col];
            for (uint32_t i = 0; i < c->n; i++)
                if (stamp[c->at[i]] != o.n + 1 && c->at[i] != e) {
                    stamp[c->at[i]] = o.n + 1;
                    touched[n_touched++] = c->at[i];
                }
        }
        symbolic_lu_pivot(&f, e, best[e]);
        o.eq[o.n] = e;
        o.var[o.n++] = best[e];
        for (uint32_t i = 0; i < n_touched; i++)
            look_at_row(&f, &h, best, touched[i]);
    }
    bool whole = o.n == g->n_rows;
    arena_rollback(mem, mark);
    return whole ? o : order_failed("the block is structurally singular");
}
