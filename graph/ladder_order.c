/* ladder_order.c -- elimination along a ladder, declared in ladder.h. */
#include "graph/heap.h"
#include "graph/ladder.h"
#include "graph/order.h"
#include "graph/symbolic_lu.h"

typedef struct Climb {
    const Ladder *l;
    const Incidence *g;
    LadderRule rule;
    Arena *mem;
    Fill f;
    Order o;
    uint32_t now;                 /* the structure being eliminated, l->n for what is left */
    uint32_t *pair_var, *pair_eq; /* candidates: per equation, per unknown */
    uint32_t *stage;              /* of each candidate, by equation; l->n for no structure */
    uint32_t *begin, *member;     /* equations of each structure */
    uint32_t handle_var;          /* eliminated with the structure's residual */
    uint32_t *level;              /* per equation: distance from the handle + 1, 0 not met */
    Heap heap;                    /* candidates of this structure, by equation */
    uint32_t *stamp, n_stamps;
    VEC(uint32_t) touched;
    VEC(uint32_t) queue;
    bool *loose_var; /* ends of loops whose time has come */
    VEC(uint32_t) loose;
} Climb;

static void note_pivot(Climb *c, uint32_t e, uint32_t v)
{
    c->o.eq[c->o.n] = e;
    c->o.var[c->o.n] = v;
    c->o.stage[c->o.n++] = c->now == c->l->n ? INC_NONE : c->now;
}

/* Farthest from the handle first, so that a structure is rolled up from the side of those that are
 * gone already; then the pair that creates fewest entries and has the shortest row. Tried against
 * the price, the degrees and mixes of these on chains and trees of bodies: this takes fewest
 * operations after equal values are merged, which no structural price foresees. */
static uint64_t pair_key(const Climb *c, uint32_t e, uint32_t v)
{
    enum { MOST_LEVELS = 0xffff, MOST_ENTRIES = 0xffffff };
    uint64_t level = c->level[e] < MOST_LEVELS ? c->level[e] : MOST_LEVELS;
    if (c->rule != LADDER_FILL)
        level = (level + (c->rule == LADDER_FILL_ODD)) / 2;
    uint64_t entries = fill_growth(&c->f, e, v) + c->f.row[e].n, column = c->f.col[v].n;
    if (entries > MOST_ENTRIES)
        entries = MOST_ENTRIES;
    if (column > MOST_ENTRIES)
        column = MOST_ENTRIES;
    return (MOST_LEVELS - level) << 48 | entries << 24 | column;
}

/* Takes the candidate of equation e up again, if it is of this structure and has an entry. */
static void reconsider(Climb *c, uint32_t e)
{
    if (e == INC_NONE || c->stage[e] != c->now || c->f.row_done[e] || c->stamp[e] == c->n_stamps)
        return;
    c->stamp[e] = c->n_stamps;
    uint32_t v = c->pair_var[e];
    if (v != INC_NONE && !c->f.col_done[v] && fill_find(&c->f, e, v))
        heap_set(&c->heap, e, pair_key(c, e, v));
}

/* Eliminates, then takes up all candidates whose key it may have changed. */
static void pivot(Climb *c, uint32_t e, uint32_t v)
{
    const FillCol *col = &c->f.col[v];
    const FillRow *row = &c->f.row[e];
    c->touched.n = 0;
    for (uint32_t i = 0; i < col->n; i++)
        if (col->at[i] != e)
            vec_push(c->mem, c->touched, col->at[i]);
    uint32_t n_rows = c->touched.n;
    for (uint32_t k = 0; k < row->n; k++)
        if (row->at[k].col != v)
            vec_push(c->mem, c->touched, row->at[k].col);
    fill_pivot(&c->f, e, v);
    note_pivot(c, e, v);
    c->n_stamps++;
    for (uint32_t i = 0; i < n_rows; i++) {
        const FillRow *r = &c->f.row[c->touched.at[i]];
        reconsider(c, c->touched.at[i]);
        for (uint32_t k = 0; k < r->n; k++)
            reconsider(c, c->pair_eq[r->at[k].col]);
    }
    for (uint32_t i = n_rows; i < c->touched.n; i++)
        reconsider(c, c->pair_eq[c->touched.at[i]]);
}

/* Pairs loose ends that fill has connected, cheapest first. */
static void tie_loose_ends(Climb *c)
{
    for (;;) {
        uint64_t lowest = UINT64_MAX;
        uint32_t best = 0, best_var = 0, kept = 0;
        for (uint32_t i = 0; i < c->loose.n; i++) {
            uint32_t e = c->loose.at[i];
            if (c->f.row_done[e])
                continue;
            c->loose.at[kept++] = e;
            for (uint32_t k = 0; k < c->f.row[e].n; k++) {
                uint32_t v = c->f.row[e].at[k].col;
                if (!c->loose_var[v])
                    continue;
                uint64_t key = pair_key(c, e, v);
                if (key < lowest) {
                    lowest = key;
                    best = e;
                    best_var = v;
                }
            }
        }
        c->loose.n = kept;
        if (lowest == UINT64_MAX)
            return;
        pivot(c, best, best_var);
    }
}

/* A tearing variable that one equation of its structure contains alone costs nothing to eliminate
 * with it: the equation's own unknown takes its place in the handle. */
static void turn_handle(Climb *c, uint32_t stage)
{
    const LadderHandle *h = &c->l->handle[stage];
    const FillCol *col = &c->f.col[h->var];
    uint32_t e = col->n == 1 ? col->at[0] : INC_NONE, v = h->var;
    if (e != INC_NONE && e != h->eq && c->stage[e] == stage &&
        fill_find(&c->f, e, v)->label == LABEL_ONE) {
        v = c->pair_var[e];
        c->pair_var[e] = h->var;
        c->pair_eq[h->var] = e;
    }
    c->pair_eq[v] = INC_NONE;
    c->handle_var = v;
}

static void visit(Climb *c, uint32_t e, uint32_t level)
{
    if (e == INC_NONE || c->stage[e] != c->now || c->level[e])
        return;
    c->level[e] = level;
    vec_push(c->mem, c->queue, e);
}

/* Distance of each pair from the handle, along edges of both kinds. */
static void measure(Climb *c, uint32_t stage)
{
    const Incidence *g = c->g;
    uint32_t h = c->l->handle[stage].eq;
    c->queue.n = 0;
    visit(c, h, 1);
    for (uint32_t i = 0; i < c->queue.n; i++) {
        uint32_t e = c->queue.at[i], level = c->level[e] + 1;
        uint32_t v = e == h ? c->handle_var : c->pair_var[e];
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            visit(c, c->pair_eq[g->col[k]], level);
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
            visit(c, g->row[k], level);
    }
}

static void eliminate_by_key(Climb *c, uint32_t stage)
{
    uint32_t e;
    c->n_stamps++;
    for (uint32_t i = c->begin[stage]; i < c->begin[stage + 1]; i++)
        reconsider(c, c->member[i]);
    while (heap_pop(&c->heap, &e))
        if (!c->f.row_done[e])
            pivot(c, e, c->pair_var[e]);
}

/* Breadth-first from the tearing variable over the structure's pairs; eliminated from the far end
 * back. Pairs it does not meet come before. */
static void eliminate_by_search(Climb *c, uint32_t stage)
{
    const Incidence *g = c->g;
    uint32_t v = c->handle_var;
    c->queue.n = 0;
    c->level[c->l->handle[stage].eq] = 1;
    for (uint32_t i = 0; v != INC_NONE; i++) {
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
            visit(c, g->row[k], 1);
        v = i < c->queue.n ? c->pair_var[c->queue.at[i]] : INC_NONE;
    }
    for (uint32_t i = c->begin[stage]; i < c->begin[stage + 1]; i++) {
        uint32_t e = c->member[i];
        if (!c->level[e])
            pivot(c, e, c->pair_var[e]);
    }
    for (uint32_t i = c->queue.n; i-- > 0;)
        pivot(c, c->queue.at[i], c->pair_var[c->queue.at[i]]);
}

/* One body structure, its handle last. A handle that fill has not connected waits with the ends of
 * loops. */
static void eliminate_structure(Climb *c, uint32_t stage)
{
    uint32_t e = c->l->handle[stage].eq;
    c->handle_var = c->l->handle[stage].var;
    if (c->rule != LADDER_SCHUBERT) {
        turn_handle(c, stage);
        measure(c, stage);
        eliminate_by_key(c, stage);
    } else {
        eliminate_by_search(c, stage);
    }
    if (fill_find(&c->f, e, c->handle_var)) {
        pivot(c, e, c->handle_var);
    } else {
        c->loose_var[c->handle_var] = true;
        vec_push(c->mem, c->loose, e);
    }
}

/* Equations of each structure; those of none come last, as structure n. Loop ends are in none. */
static void sort_members(Climb *c)
{
    const Ladder *l = c->l;
    const Incidence *g = c->g;
    c->begin = arena_array(c->mem, uint32_t, l->n + 3);
    c->member = arena_array(c->mem, uint32_t, g->n_rows);
    c->stage = arena_array(c->mem, uint32_t, g->n_rows);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        bool is_end = l->natural.var_of[e] == INC_NONE && l->stage_of[e] == INC_NONE;
        c->stage[e] = is_end ? INC_NONE : l->stage_of[e] == INC_NONE ? l->n : l->stage_of[e];
        if (!is_end)
            c->begin[c->stage[e] + 2]++;
    }
    for (uint32_t k = 0; k <= l->n; k++)
        c->begin[k + 1] += c->begin[k];
    for (uint32_t e = 0; e < g->n_rows; e++)
        if (c->stage[e] != INC_NONE)
            c->member[c->begin[c->stage[e] + 1]++] = e;
}

/* Ends of loops, listed per home. */
typedef struct Homes {
    uint32_t *begin, *which;
} Homes;

static Homes homes_of(const Climb *c, const LadderLoop *loops)
{
    const Ladder *l = c->l;
    Homes h = {arena_array(c->mem, uint32_t, l->n + 3), arena_array(c->mem, uint32_t, l->n_loops)};
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

/* A good ladder takes about ten operations per entry of the block, whatever its size. One that
 * fills is given up, unless the block is small. */
static bool fills(const Climb *c)
{
    enum { PER_ENTRY = 100, SMALL = 1000 * 1000 };
    return c->f.ops > SMALL && c->f.ops > (uint64_t)PER_ENTRY * c->g->n_edges;
}

Order ladder_order(const Ladder *l, const Incidence *g, LadderRule rule, Arena *mem)
{
    if (l->why)
        return order_failed(l->why);
    if (rule == LADDER_FILL && l->by_fill.n)
        return l->by_fill;
    uint32_t n = g->n_rows;
    Order o = order_empty(n, mem);
    o.stage = arena_array(mem, uint32_t, n);
    ArenaMark mark = arena_mark(mem);
    Climb c = {.l = l,
               .g = g,
               .rule = rule,
               .mem = mem,
               .f = fill_begin(g, mem),
               .o = o,
               .pair_var = arena_array(mem, uint32_t, n),
               .pair_eq = arena_array(mem, uint32_t, n),
               .level = arena_array(mem, uint32_t, n),
               .heap = heap_new(n, mem),
               .stamp = arena_array(mem, uint32_t, n),
               .loose_var = arena_array(mem, bool, n)};
    for (uint32_t k = 0; k < n; k++) {
        c.pair_var[k] = l->natural.var_of[k];
        c.pair_eq[k] = l->natural.eq_of[k];
    }
    sort_members(&c);
    Homes eqs = homes_of(&c, l->loop_eq), vars = homes_of(&c, l->loop_var);
    for (uint32_t stage = 0; stage <= l->n && !fills(&c); stage++) {
        c.now = stage;
        /* what is left of structures, then loops through the ground: both come last */
        if (stage == l->n)
            eliminate_by_key(&c, stage);
        for (uint32_t i = eqs.begin[stage]; i < eqs.begin[stage + 1]; i++)
            vec_push(mem, c.loose, eqs.which[i]);
        for (uint32_t i = vars.begin[stage]; i < vars.begin[stage + 1]; i++)
            c.loose_var[vars.which[i]] = true;
        if (c.loose.n)
            tie_loose_ends(&c);
        if (stage < l->n)
            eliminate_structure(&c, stage);
    }
    o.n = c.o.n;
    o.ops = c.f.ops;
    bool given_up = fills(&c);
    arena_rollback(mem, mark);
    if (given_up)
        return order_failed("it fills the matrix more and more");
    return o.n == n ? o : order_failed("a residual equation never meets a free tearing variable");
}
