#include "graph/frontal.h"

#include "graph/heap.h"
#include "graph/order.h"
#include "graph/symbolic_lu.h"

typedef struct Work {
    const Incidence *g;
    Arena *mem;
    uint32_t *level; /* equations, then unknowns */
    uint32_t highest;
    uint32_t band; /* levels in one */
    SymbolicLu f;
    Heap heap;
    uint32_t *best; /* per row: the column of its cheapest pair; UNPRICED */
    uint64_t work;  /* pairs priced, times the rows that each would touch */
} Work;

/* On a chain or a tree every pair is priced a few times, next to few others. Where the front became
 * wide (WIDE units of work), no other bands are tried; where it is too wide for the number of
 * pairs, this band is given up too. A unit of work takes some ten nanoseconds. */
enum { WIDE = 100 * 1000 * 1000, TOO_WIDE = 200 * 1000 * 1000, TOO_WIDE_PER_PAIR = 2000 };

#define UNPRICED UINT32_MAX

/* In blocks of more pairs than LARGE the first PROBE pairs decide which band is best. */
enum { LARGE = 6000, PROBE = 2000 };

/* Distances from `start` over edges of any label; nodes not reached keep level 0. Returns a node
 * of the highest level. */
static uint32_t levels(Work *w, uint32_t start)
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

static uint64_t band_of(const Work *w, uint32_t e, const SymbolicEntry *x)
{
    if (x->label == LABEL_NONLINEAR)
        return UINT64_MAX;
    uint32_t a = w->level[e];
    uint32_t b = w->level[w->g->n_rows + x->col];
    return (uint64_t)((w->highest - (a < b ? a : b)) / w->band) << 40;
}

/* Bands from the far end first, then the price: fewest new entries first, then fewest operations. A
 * key that is not below `lowest` need not be exact. */
static uint64_t key_of(const Work *w, uint32_t e, const SymbolicEntry *x, uint64_t lowest)
{
    uint64_t band = band_of(w, e, x);
    if (band >= lowest)
        return band;
    uint64_t price = symbolic_lu_fill_by(&w->f, e, x->col) << 12;
    if (band + price >= lowest)
        return band + price;
    uint64_t ops = symbolic_lu_estimate(&w->f, e, x->col);
    price += ops < 4095 ? ops : 4095;
    return band | (price < ((uint64_t)1 << 40) ? price : ((uint64_t)1 << 40) - 1);
}

static void look_at_row(Work *w, uint32_t e)
{
    uint64_t lowest = UINT64_MAX;
    const SymbolicRow *r = &w->f.row[e];
    for (uint32_t k = 0; k < r->n; k++) {
        w->work += (uint64_t)r->n * w->f.col[r->at[k].col].n;
        uint64_t key = key_of(w, e, &r->at[k], lowest);
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

/* The row comes into the heap where it stands if its pairs cost nothing. */
static void wait_row(Work *w, uint32_t e)
{
    uint64_t lowest = UINT64_MAX;
    const SymbolicRow *r = &w->f.row[e];
    for (uint32_t k = 0; k < r->n; k++) {
        uint64_t band = band_of(w, e, &r->at[k]);
        lowest = band < lowest ? band : lowest;
    }
    w->best[e] = UNPRICED;
    if (lowest < UINT64_MAX)
        heap_set(&w->heap, e, lowest);
    else
        heap_drop(&w->heap, e);
}

/* The next row, its cheapest pair known. */
static bool next_row(Work *w, uint32_t *e)
{
    while (heap_pop(&w->heap, e)) {
        if (w->best[*e] != UNPRICED)
            return true;
        look_at_row(w, *e);
    }
    return false;
}

static bool is_too_wide(const Work *w)
{
    return w->work >= TOO_WIDE && w->work >= (uint64_t)TOO_WIDE_PER_PAIR * w->g->n_rows;
}

/* The first `n` pairs. Fails if they cost `*ops` or more; else *ops becomes their cost. */
static Order eliminate(Work *w, uint32_t n, uint64_t *ops, Arena *result)
{
    const Incidence *g = w->g;
    Order o = order_empty(g->n_rows, result);
    ArenaMark mark = arena_mark(w->mem);
    w->f = symbolic_lu_begin(g, w->mem);
    w->heap = heap_new(g->n_rows, w->mem);
    w->best = arena_array(w->mem, uint32_t, g->n_rows);
    w->work = 0;
    uint32_t *touched = arena_array(w->mem, uint32_t, g->n_rows);
    uint32_t *stamp = arena_array(w->mem, uint32_t, g->n_rows);
    uint32_t e;
    for (e = 0; e < g->n_rows; e++)
        wait_row(w, e);
    while (o.n < n && !is_too_wide(w) && w->f.ops < *ops && next_row(w, &e)) {
        uint32_t n_touched = 0;
        const SymbolicRow *r = &w->f.row[e];
        for (uint32_t k = 0; k < r->n; k++) {
            const SymbolicCol *c = &w->f.col[r->at[k].col];
            for (uint32_t i = 0; i < c->n; i++) {
                if (stamp[c->at[i]] == o.n + 1 || c->at[i] == e)
                    continue;
                stamp[c->at[i]] = o.n + 1;
                touched[n_touched++] = c->at[i];
            }
        }
        uint32_t v = w->best[e];
        symbolic_lu_pivot(&w->f, e, v);
        o.eq[o.n] = e;
        o.var[o.n++] = v;
        for (uint32_t i = 0; i < n_touched; i++) {
            if (w->best[touched[i]] != UNPRICED)
                look_at_row(w, touched[i]);
            else
                wait_row(w, touched[i]);
        }
    }
    const char *why = NULL;
    if (is_too_wide(w))
        why = "the bands are too wide";
    else if (w->f.ops >= *ops)
        why = "another band is cheaper";
    else if (o.n < n)
        why = "no pair is left to eliminate";
    else
        *ops = w->f.ops;
    arena_rollback(w->mem, mark);
    return why ? order_failed(why) : o;
}

static Order copy_of(const Order *o, Arena *mem)
{
    Order c = order_empty(o->n, mem);
    c.n = o->n;
    memcpy(c.eq, o->eq, sizeof *c.eq * o->n);
    memcpy(c.var, o->var, sizeof *c.var * o->n);
    return c;
}

Order frontal_order(const Incidence *g, Arena *mem)
{
    static const uint32_t bands[] = {3, 8, 16, 24};
    if (g->n_rows != g->n_cols)
        return order_failed("the block is not square");
    if (g->n_rows == 0)
        return order_as_given(0, mem);
    Arena *tmp = arena_new();
    Work w = {.g = g, .mem = tmp};
    w.level = arena_array(tmp, uint32_t, g->n_rows + g->n_cols);
    uint32_t end[2];
    end[0] = levels(&w, 0);
    end[1] = levels(&w, end[0]);
    Order best = order_failed("no pair is left to eliminate");
    uint64_t lowest = UINT64_MAX;
    uint32_t n = g->n_rows > LARGE ? PROBE : g->n_rows, best_end = 0, best_band = bands[0];
    for (uint32_t side = 0; side < 2 && w.work < WIDE; side++) {
        levels(&w, end[side]);
        for (uint32_t k = 0; k < sizeof bands / sizeof *bands && w.work < WIDE; k++) {
            w.band = bands[k];
            Arena *one = arena_new();
            Order o = eliminate(&w, n, &lowest, one);
            if (!o.why) {
                best = copy_of(&o, mem);
                best_end = end[side];
                best_band = w.band;
            } else if (best.why) {
                best = o;
            }
            arena_free(one);
        }
    }
    if (n < g->n_rows && !best.why) {
        lowest = UINT64_MAX;
        levels(&w, best_end);
        w.band = best_band;
        best = eliminate(&w, g->n_rows, &lowest, mem);
    }
    arena_free(tmp);
    return best;
}
