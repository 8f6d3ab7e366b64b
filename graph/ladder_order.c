/* ladder_order.c -- elimination along a ladder, declared in ladder.h. */
#include "graph/heap.h"
#include "graph/ladder.h"
#include "graph/order.h"
#include "graph/symbolic_lu.h"

typedef struct Work {
    const Ladder *l;
    const Incidence *g;
    LadderRule rule;
    bool is_composite; /* handles come after all structures */
    Arena *mem;
    SymbolicLu f;
    Order o;
    uint32_t now;                 /* the structure being eliminated, l->n for the rest */
    uint32_t *pair_var, *pair_eq; /* candidates: per equation, per unknown */
    uint32_t *stage;              /* of each candidate, by equation; l->n for no structure */
    uint32_t *begin, *member;     /* equations of each structure */
    uint32_t handle_var;          /* eliminated with the structure's residual */
    uint32_t *level;              /* per equation: distance from the handle + 1, 0 not met */
    Heap heap;                    /* candidates of this structure, by equation */
    uint32_t *stamp, n_stamps;
    VEC(uint32_t) touched;
    VEC(uint32_t) queue;
    bool *loose_var; /* equations and unknowns of loops that may be paired now */
    VEC(uint32_t) loose;
} Work;

static void note_pivot(Work *w, uint32_t e, uint32_t v)
{
    w->o.eq[w->o.n] = e;
    w->o.var[w->o.n] = v;
    w->o.stage[w->o.n++] = w->now == w->l->n ? INC_NONE : w->now;
}

/* Farthest from the handle first, so that a structure is rolled up from the side of those that are
 * gone already; then the pair that creates fewest entries and has the shortest row. Tried against
 * the price, the degrees and mixes of these on chains and trees of bodies: this takes fewest
 * operations after equal values are merged, which no structural price foresees. */
static uint64_t pair_key(const Work *w, uint32_t e, uint32_t v)
{
    enum { MOST_LEVELS = 0xffff, MOST_ENTRIES = 0xffffff };
    uint64_t level = w->level[e] < MOST_LEVELS ? w->level[e] : MOST_LEVELS;
    if (w->rule != LADDER_FILL)
        level = (level + (w->rule == LADDER_FILL_ODD)) / 2;
    uint64_t entries = symbolic_lu_fill_by(&w->f, e, v) + w->f.row[e].n, column = w->f.col[v].n;
    if (entries > MOST_ENTRIES)
        entries = MOST_ENTRIES;
    if (column > MOST_ENTRIES)
        column = MOST_ENTRIES;
    return (MOST_LEVELS - level) << 48 | entries << 24 | column;
}

/* Takes the candidate of equation e up again, if it is of this structure and has an entry. */
static void reconsider(Work *w, uint32_t e)
{
    if (e == INC_NONE || w->stage[e] != w->now || w->f.row_done[e] || w->stamp[e] == w->n_stamps)
        return;
    w->stamp[e] = w->n_stamps;
    uint32_t v = w->pair_var[e];
    if (v != INC_NONE && !w->f.col_done[v] && symbolic_lu_find(&w->f, e, v))
        heap_set(&w->heap, e, pair_key(w, e, v));
}

/* After the pivot of equation p and unknown v the other rows of column v have changed, in the
 * columns of p. The key of a pair also changes if its unknown is in a changed row and its equation
 * in a changed column. Such pairs are found from the rows or from the columns, by the smaller
 * number of entries: a row may collect all bodies. */
static void reconsider_beside(Work *w, uint32_t n_rows)
{
    const uint32_t *row = w->touched.at, *column = w->touched.at + n_rows;
    const uint32_t n_columns = w->touched.n - n_rows;
    uint64_t by_rows = 0, by_columns = 0;
    for (uint32_t i = 0; i < n_rows; i++)
        by_rows += w->f.row[row[i]].n;
    for (uint32_t i = 0; i < n_columns; i++)
        by_columns += w->f.col[column[i]].n;
    for (uint32_t i = 0; i < n_rows && by_rows <= by_columns; i++)
        for (uint32_t k = 0; k < w->f.row[row[i]].n; k++)
            reconsider(w, w->pair_eq[w->f.row[row[i]].at[k].col]);
    for (uint32_t i = 0; i < n_columns && by_columns < by_rows; i++)
        for (uint32_t k = 0; k < w->f.col[column[i]].n; k++)
            reconsider(w, w->f.col[column[i]].at[k]);
}

/* Eliminates, then takes up all candidates whose key it may have changed. */
static void pivot(Work *w, uint32_t e, uint32_t v)
{
    const SymbolicCol *col = &w->f.col[v];
    const SymbolicRow *row = &w->f.row[e];
    w->touched.n = 0;
    for (uint32_t i = 0; i < col->n; i++)
        if (col->at[i] != e)
            vec_push(w->mem, w->touched, col->at[i]);
    uint32_t n_rows = w->touched.n;
    for (uint32_t k = 0; k < row->n; k++)
        if (row->at[k].col != v)
            vec_push(w->mem, w->touched, row->at[k].col);
    symbolic_lu_pivot(&w->f, e, v);
    note_pivot(w, e, v);
    w->n_stamps++;
    for (uint32_t i = 0; i < n_rows; i++)
        reconsider(w, w->touched.at[i]);
    for (uint32_t i = n_rows; i < w->touched.n; i++)
        reconsider(w, w->pair_eq[w->touched.at[i]]);
    reconsider_beside(w, n_rows);
}

/* Pairs waiting equations and unknowns of loops that fill has connected, cheapest first. */
static void tie_loose_ends(Work *w)
{
    for (;;) {
        uint64_t lowest = UINT64_MAX;
        uint32_t best = 0, best_var = 0, kept = 0;
        for (uint32_t i = 0; i < w->loose.n; i++) {
            uint32_t e = w->loose.at[i];
            if (w->f.row_done[e])
                continue;
            w->loose.at[kept++] = e;
            for (uint32_t k = 0; k < w->f.row[e].n; k++) {
                uint32_t v = w->f.row[e].at[k].col;
                if (!w->loose_var[v])
                    continue;
                uint64_t key = pair_key(w, e, v);
                if (key < lowest) {
                    lowest = key;
                    best = e;
                    best_var = v;
                }
            }
        }
        w->loose.n = kept;
        if (lowest == UINT64_MAX)
            return;
        pivot(w, best, best_var);
    }
}

/* A tearing variable that one equation of its structure contains alone costs nothing to eliminate
 * with it: the equation's own unknown takes its place in the handle. */
static void turn_handle(Work *w, uint32_t stage)
{
    const LadderHandle *h = &w->l->handle[stage];
    const SymbolicCol *col = &w->f.col[h->var];
    uint32_t e = col->n == 1 ? col->at[0] : INC_NONE, v = h->var;
    if (e != INC_NONE && e != h->eq && w->stage[e] == stage &&
        symbolic_lu_find(&w->f, e, v)->label == LABEL_ONE) {
        v = w->pair_var[e];
        w->pair_var[e] = h->var;
        w->pair_eq[h->var] = e;
    }
    w->pair_eq[v] = INC_NONE;
    w->handle_var = v;
}

static void visit(Work *w, uint32_t e, uint32_t level)
{
    if (e == INC_NONE || w->stage[e] != w->now || w->level[e])
        return;
    w->level[e] = level;
    vec_push(w->mem, w->queue, e);
}

/* Distance of each pair from the handle, along edges of both kinds. */
static void measure(Work *w, uint32_t stage)
{
    const Incidence *g = w->g;
    uint32_t h = w->l->handle[stage].eq;
    w->queue.n = 0;
    visit(w, h, 1);
    for (uint32_t i = 0; i < w->queue.n; i++) {
        uint32_t e = w->queue.at[i], level = w->level[e] + 1;
        uint32_t v = e == h ? w->handle_var : w->pair_var[e];
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            visit(w, w->pair_eq[g->col[k]], level);
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
            visit(w, g->row[k], level);
    }
}

/* If the entry (e, v) is zero, for example after cancellation, both wait with those of loops. */
static void pivot_or_wait(Work *w, uint32_t e, uint32_t v)
{
    if (symbolic_lu_find(&w->f, e, v)) {
        pivot(w, e, v);
        return;
    }
    w->loose_var[v] = true;
    vec_push(w->mem, w->loose, e);
}

static void eliminate_by_key(Work *w, uint32_t stage)
{
    uint32_t e;
    w->n_stamps++;
    for (uint32_t i = w->begin[stage]; i < w->begin[stage + 1]; i++)
        reconsider(w, w->member[i]);
    while (heap_pop(&w->heap, &e))
        if (!w->f.row_done[e])
            pivot_or_wait(w, e, w->pair_var[e]);
}

/* Breadth-first from the tearing variable over the structure's pairs; eliminated from the far end
 * back. Pairs it does not meet come before. */
static void eliminate_by_search(Work *w, uint32_t stage)
{
    const Incidence *g = w->g;
    uint32_t v = w->handle_var;
    w->queue.n = 0;
    w->level[w->l->handle[stage].eq] = 1;
    for (uint32_t i = 0; v != INC_NONE; i++) {
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
            visit(w, g->row[k], 1);
        v = i < w->queue.n ? w->pair_var[w->queue.at[i]] : INC_NONE;
    }
    for (uint32_t i = w->begin[stage]; i < w->begin[stage + 1]; i++) {
        uint32_t e = w->member[i];
        if (!w->level[e])
            pivot_or_wait(w, e, w->pair_var[e]);
    }
    for (uint32_t i = w->queue.n; i-- > 0;)
        pivot_or_wait(w, w->queue.at[i], w->pair_var[w->queue.at[i]]);
}

/* One body structure, its handle last. A handle that fill has not connected waits with the ends of
 * loops. */
static void eliminate_structure(Work *w, uint32_t stage)
{
    uint32_t e = w->l->handle[stage].eq;
    w->handle_var = w->l->handle[stage].var;
    if (w->rule != LADDER_SCHUBERT) {
        if (!w->is_composite)
            turn_handle(w, stage);
        measure(w, stage);
        eliminate_by_key(w, stage);
    } else {
        eliminate_by_search(w, stage);
    }
    if (!w->is_composite)
        pivot_or_wait(w, e, w->handle_var);
}

/* Equations of each structure; those of none come last, as structure n. Loop ends are in none. */
static void sort_members(Work *w)
{
    const Ladder *l = w->l;
    const Incidence *g = w->g;
    w->begin = arena_array(w->mem, uint32_t, l->n + 3);
    w->member = arena_array(w->mem, uint32_t, g->n_rows);
    w->stage = arena_array(w->mem, uint32_t, g->n_rows);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        bool is_end = l->natural.var_of[e] == INC_NONE && l->stage_of[e] == INC_NONE;
        w->stage[e] = is_end ? INC_NONE : l->stage_of[e] == INC_NONE ? l->n : l->stage_of[e];
        if (!is_end)
            w->begin[w->stage[e] + 2]++;
    }
    for (uint32_t k = 0; k <= l->n; k++)
        w->begin[k + 1] += w->begin[k];
    for (uint32_t e = 0; e < g->n_rows; e++)
        if (w->stage[e] != INC_NONE)
            w->member[w->begin[w->stage[e] + 1]++] = e;
}

/* Ends of loops, listed per home. */
typedef struct Homes {
    uint32_t *begin, *which;
} Homes;

static Homes homes_of(const Work *w, const LadderLoop *loops)
{
    const Ladder *l = w->l;
    Homes h = {arena_array(w->mem, uint32_t, l->n + 3), arena_array(w->mem, uint32_t, l->n_loops)};
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t k = 0; k < l->n_loops; k++) {
            uint32_t home = loops[k].home == INC_NONE ? l->n : loops[k].home;
            if (pass == 0)
                h.begin[home + 2]++;
            else
                h.which[h.begin[home + 1]++] = loops[k].id;
        }
        for (uint32_t k = 0; pass == 0 && k <= l->n; k++)
            h.begin[k + 1] += h.begin[k];
    }
    return h;
}

/* The handles, tips first: so a row gets entries of structures on the way to the ground alone. Then
 * what was waiting for them. */
static void eliminate_handles(Work *w)
{
    for (uint32_t k = 0; k < w->l->n && !order_fills(w->f.ops, w->g); k++)
        pivot_or_wait(w, w->l->handle[k].eq, w->l->handle[k].var);
    tie_loose_ends(w);
}

static Order order_along(const Ladder *l, const Incidence *g, LadderRule rule, bool is_composite,
                         Arena *mem)
{
    uint32_t n = g->n_rows;
    Order o = order_empty(n, mem);
    o.stage = arena_array(mem, uint32_t, n);
    ArenaMark mark = arena_mark(mem);
    Work w = {.l = l,
              .g = g,
              .rule = rule,
              .is_composite = is_composite,
              .mem = mem,
              .f = symbolic_lu_begin(g, mem),
              .o = o,
              .pair_var = arena_array(mem, uint32_t, n),
              .pair_eq = arena_array(mem, uint32_t, n),
              .level = arena_array(mem, uint32_t, n),
              .heap = heap_new(n, mem),
              .stamp = arena_array(mem, uint32_t, n),
              .loose_var = arena_array(mem, bool, n)};
    for (uint32_t k = 0; k < n; k++) {
        w.pair_var[k] = l->natural.var_of[k];
        w.pair_eq[k] = l->natural.eq_of[k];
    }
    sort_members(&w);
    Homes eqs = homes_of(&w, l->loop_eq), vars = homes_of(&w, l->loop_var);
    for (uint32_t stage = 0; stage <= l->n && !order_fills(w.f.ops, g); stage++) {
        w.now = stage;
        /* the rest of the structures, then loops through the ground: both come last */
        if (stage == l->n)
            eliminate_by_key(&w, stage);
        for (uint32_t i = eqs.begin[stage]; i < eqs.begin[stage + 1]; i++)
            vec_push(mem, w.loose, eqs.which[i]);
        for (uint32_t i = vars.begin[stage]; i < vars.begin[stage + 1]; i++)
            w.loose_var[vars.which[i]] = true;
        if (w.loose.n)
            tie_loose_ends(&w);
        if (stage < l->n)
            eliminate_structure(&w, stage);
    }
    if (is_composite)
        eliminate_handles(&w);
    o.n = w.o.n;
    o.ops = w.f.ops;
    bool given_up = order_fills(w.f.ops, g);
    arena_rollback(mem, mark);
    if (given_up)
        return order_failed(ORDER_FILLS);
    return o.n == n ? o : order_failed("a residual equation never meets a free tearing variable");
}

Order ladder_order(const Ladder *l, const Incidence *g, LadderRule rule, Arena *mem)
{
    if (l->why)
        return order_failed(l->why);
    return rule == LADDER_FILL && l->by_fill.n ? l->by_fill : order_along(l, g, rule, false, mem);
}

/* Eliminating the handles takes an operation and more per pair of structures on the way to the
 * ground. */
Order ladder_composite(const Ladder *l, const Incidence *g, LadderRule rule, uint64_t most,
                       Arena *mem)
{
    if (l->why)
        return order_failed(l->why);
    uint64_t pairs = 0;
    for (uint32_t k = 0; k < l->n; k++)
        pairs += (uint64_t)l->handle[k].depth * l->handle[k].depth;
    if (pairs > most || order_fills(pairs, g))
        return order_failed("bodies are carried by too many others");
    return order_along(l, g, rule, true, mem);
}
