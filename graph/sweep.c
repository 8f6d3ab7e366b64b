#include "graph/sweep.h"

#include "graph/fill.h"
#include "graph/heap.h"
#include "graph/order.h"

typedef struct Sweep {
    const Incidence *g;
    Arena *mem;
    uint32_t *level; /* equations, then unknowns */
    uint32_t highest;
    uint32_t band; /* levels in one */
    Fill f;
    Heap heap;
    uint32_t *best; /* per row: the column of its cheapest pair */
    uint64_t work;  /* pairs priced, times the rows that each would touch */
} Sweep;

/* On a chain or a tree every pair is priced a few times, next to few others. Where a band has
 * become wide, a sweep is not what the structure wants: no other bands are tried then, and beyond
 * all measure the one at work is given up. A unit of work takes some ten nanoseconds. */
enum { WIDE = 100 * 1000 * 1000, TOO_WIDE = 200 * 1000 * 1000 };

/* Distances from `start` over edges of any label; nodes not reached keep level 0. Returns a node
 * of the highest level. */
static uint32_t levels(Sweep *w, uint32_t start)
{
    const Incidence *g = w->g;
    uint32_t n = g->n_rows + g->n_cols;
    ArenaMark mark = arena_mark(w->mem);
    uint32_t *queue = arena_array(w->mem, uint32_t, n);
    bool *seen = arena_array(w->mem, bool, n);
    uint32_t tail = 0;
    for (uint32_t k = 0; k < n; k++)
        w->level[k] = 0;
    queue[tail++] = start;
    seen[start] = true;
    uint32_t last = start;
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t x = queue[head];
        last = x;
        bool is_row = x < g->n_rows;
        uint32_t begin = is_row ? g->row_begin[x] : g->col_begin[x - g->n_rows];
        uint32_t end = is_row ? g->row_begin[x + 1] : g->col_begin[x - g->n_rows + 1];
        for (uint32_t k = begin; k < end; k++) {
            uint32_t y = is_row ? g->n_rows + g->col[k] : g->row[k];
            if (seen[y])
                continue;
            seen[y] = true;
            w->level[y] = w->level[x] + 1;
            queue[tail++] = y;
        }
    }
    w->highest = w->level[last];
    arena_rollback(w->mem, mark);
    return last;
}

/* Bands from the far end first, then the price. */
static uint64_t key_of(const Sweep *w, uint32_t e, const FillEntry *x)
{
    if (x->label == LABEL_NONLINEAR)
        return UINT64_MAX;
    uint32_t a = w->level[e];
    uint32_t b = w->level[w->g->n_rows + x->col];
    uint64_t band = (w->highest - (a < b ? a : b)) / w->band;
    /* fewest new entries first; of these what costs fewest operations */
    uint64_t price = fill_growth(&w->f, e, x->col) << 12;
    uint64_t ops = fill_price(&w->f, e, x->col);
    price += ops < 4095 ? ops : 4095;
    return band << 40 | (price < ((uint64_t)1 << 40) ? price : ((uint64_t)1 << 40) - 1);
}

static void look_at_row(Sweep *w, uint32_t e)
{
    uint64_t lowest = UINT64_MAX;
    const FillRow *r = &w->f.row[e];
    for (uint32_t k = 0; k < r->n; k++) {
        w->work += (uint64_t)r->n * w->f.col[r->at[k].col].n;
        uint64_t key = key_of(w, e, &r->at[k]);
        if (key < lowest) {
            lowest = key;
            w->best[e] = r->at[k].col;
        }
    }
    if (lowest < UINT64_MAX)
        heap_set(&w->heap, e, lowest);
    else
        heap_drop(&w->heap, e);
}

static Order eliminate(Sweep *w, Arena *result)
{
    const Incidence *g = w->g;
    Order o = order_empty(g->n_rows, result);
    ArenaMark mark = arena_mark(w->mem);
    w->f = fill_begin(g, w->mem);
    w->heap = heap_new(g->n_rows, w->mem);
    w->best = arena_array(w->mem, uint32_t, g->n_rows);
    uint32_t *touched = arena_array(w->mem, uint32_t, g->n_rows);
    uint32_t *stamp = arena_array(w->mem, uint32_t, g->n_rows);
    uint32_t e;
    for (e = 0; e < g->n_rows; e++)
        look_at_row(w, e);
    w->work = 0;
    while (w->work < TOO_WIDE && heap_pop(&w->heap, &e)) {
        uint32_t n_touched = 0;
        const FillRow *r = &w->f.row[e];
        for (uint32_t k = 0; k < r->n; k++) {
            const FillCol *c = &w->f.col[r->at[k].col];
            for (uint32_t i = 0; i < c->n; i++) {
                if (stamp[c->at[i]] == o.n + 1 || c->at[i] == e)
                    continue;
                stamp[c->at[i]] = o.n + 1;
                touched[n_touched++] = c->at[i];
            }
        }
        uint32_t v = w->best[e];
        fill_pivot(&w->f, e, v);
        o.eq[o.n] = e;
        o.var[o.n++] = v;
        for (uint32_t i = 0; i < n_touched; i++)
            look_at_row(w, touched[i]);
    }
    bool whole = o.n == g->n_rows;
    arena_rollback(w->mem, mark);
    return whole ? o
                 : order_failed(w->work < TOO_WIDE ? "no pair is left to eliminate"
                                                   : "the bands are too wide");
}

Order sweep_find(const Incidence *g, Arena *mem)
{
    static const uint32_t bands[] = {3, 8, 16, 24};
    if (g->n_rows != g->n_cols)
        return order_failed("the block is not square");
    Arena *tmp = arena_new();
    Sweep w = {.g = g, .mem = tmp};
    w.level = arena_array(tmp, uint32_t, g->n_rows + g->n_cols);
    uint32_t end[2];
    end[0] = levels(&w, 0);
    end[1] = levels(&w, end[0]);
    Order best = order_failed("no pair is left to eliminate");
    uint64_t lowest = UINT64_MAX;
    for (uint32_t side = 0; side < 2 && w.work < WIDE; side++) {
        levels(&w, end[side]);
        for (uint32_t k = 0; k < sizeof bands / sizeof *bands && w.work < WIDE; k++) {
            w.band = bands[k];
            Arena *one = arena_new();
            Order o = eliminate(&w, one);
            if (o.why && best.why)
                best = o;
            OrderPrice price = {0};
            if (!o.why)
                price = order_price(&o, g, tmp);
            if (!o.why && price.ok && price.ops < lowest) {
                lowest = price.ops;
                best = order_empty(g->n_rows, mem);
                memcpy(best.eq, o.eq, sizeof(uint32_t) * o.n);
                memcpy(best.var, o.var, sizeof(uint32_t) * o.n);
                best.n = o.n;
            }
            arena_free(one);
        }
    }
    arena_free(tmp);
    return best;
}
