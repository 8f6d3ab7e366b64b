/* ladder_extend.c -- ladder_extend of ladder.h. */
#include "graph/blocks.h"
#include "graph/ladder.h"

#include <string.h>

typedef struct Work {
    Arena *mem;
    Ladder *l;
    const Incidence *g;
    uint32_t *size;      /* per structure: those under it, itself included                     */
    uint32_t *handle_of; /* per unknown: the structure it is the tearing variable of           */
    uint32_t *from;      /* per equation: the structure farthest from the ground on whose tearing
                            variable it depends, or where branches that it depends on meet; the
                            ground is l->n */
} Work;

static bool is_under(const Work *w, uint32_t a, uint32_t b)
{
    return b == w->l->n || (a <= b && b - a < w->size[b]);
}

static uint32_t join(const Work *w, uint32_t a, uint32_t b)
{
    if (a == INC_NONE || b == INC_NONE)
        return a == INC_NONE ? b : a;
    if (is_under(w, a, b) || is_under(w, b, a))
        return a < b ? a : b;
    while (!is_under(w, b, a))
        a = w->l->handle[a].parent == INC_NONE ? w->l->n : w->l->handle[a].parent;
    return a;
}

/* Pairs whose equations contain the tearing variable of a structure are eliminated no later than
 * it, so that its elimination fills no remaining row. */
static void join_handles(Work *w)
{
    const Incidence *g = w->g;
    Ladder *l = w->l;
    for (uint32_t k = 0; k < l->n; k++) {
        uint32_t v = l->handle[k].var;
        for (uint32_t i = g->col_begin[v]; i < g->col_begin[v + 1]; i++) {
            uint32_t e = g->row[i];
            if (l->natural.var_of[e] != INC_NONE && l->stage_of[e] != INC_NONE &&
                l->stage_of[e] > k)
                l->stage_of[e] = k;
        }
    }
}

/* `from` of n pairs that depend on each other in a circle, the same for all of them, or of one
 * pair. A circle: the Euler parameters of a ball joint, the rotation matrix that they give, the
 * relative angular acceleration in which it stands. */
static void find_from(Work *w, const uint32_t *pair, uint32_t n)
{
    const Incidence *g = w->g;
    uint32_t from = INC_NONE;
    for (uint32_t k = 0; k < n; k++)
        w->from[pair[k]] = INC_NONE;
    for (uint32_t k = 0; k < n; k++) {
        for (uint32_t i = g->row_begin[pair[k]]; i < g->row_begin[pair[k] + 1]; i++) {
            uint32_t v = g->col[i], other = w->l->natural.eq_of[v];
            from = join(w, from, other == INC_NONE ? w->handle_of[v] : w->from[other]);
        }
    }
    for (uint32_t k = 0; k < n; k++)
        w->from[pair[k]] = from;
}

/* The n pairs of a circle, or one pair: before the first that uses one of them, but not before the
 * tearing variables that move them. */
static void join_users(Work *w, const uint32_t *pair, uint32_t n)
{
    const Incidence *g = w->g;
    Ladder *l = w->l;
    uint32_t from = w->from[pair[0]], first = INC_NONE;
    for (uint32_t i = 0; i < n && from != INC_NONE; i++) {
        uint32_t v = l->natural.var_of[pair[i]];
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++) {
            uint32_t r = g->row[k], stage = l->stage_of[r];
            if (r == pair[i] || (stage == INC_NONE && l->natural.var_of[r] != INC_NONE))
                continue;
            /* ends of loops have no stage */
            stage = stage == INC_NONE || stage < from ? from : stage;
            first = stage < first ? stage : first;
        }
    }
    for (uint32_t i = 0; i < n && first < l->n; i++)
        if (first < l->stage_of[pair[i]])
            l->stage_of[pair[i]] = first;
}

static uint32_t later(uint32_t a, uint32_t b)
{
    return a == INC_NONE || b == INC_NONE ? INC_NONE : a > b ? a : b;
}

/* Derivatives of ends of loops alone. */
static void place_rest(Work *w, uint32_t e)
{
    const Incidence *g = w->g;
    Ladder *l = w->l;
    if (l->stage_of[e] != INC_NONE || w->from[e] != INC_NONE)
        return;
    uint32_t v = l->natural.var_of[e], first = INC_NONE;
    for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
        if (g->row[k] != e && l->stage_of[g->row[k]] < first)
            first = l->stage_of[g->row[k]];
    l->stage_of[e] = first == INC_NONE ? 0 : first;
}

/* Equations and unknowns that are neither natural pairs nor handles are paired after all their
 * neighbours are eliminated. */
static void find_ends(Work *w)
{
    const Incidence *g = w->g;
    Ladder *l = w->l;
    uint32_t n_eqs = 0, n_vars = 0;
    bool *is_handle = arena_array(w->mem, bool, g->n_rows);
    for (uint32_t k = 0; k < l->n; k++)
        is_handle[l->handle[k].eq] = true;
    for (uint32_t e = 0; e < g->n_rows; e++) {
        uint32_t home = 0;
        if (l->natural.var_of[e] != INC_NONE || is_handle[e])
            continue;
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            if (l->natural.eq_of[g->col[k]] != INC_NONE)
                home = later(home, l->stage_of[l->natural.eq_of[g->col[k]]]);
        l->loop_eq[n_eqs++] = (LadderLoop){e, home};
    }
    for (uint32_t v = 0; v < g->n_cols; v++) {
        uint32_t home = 0;
        if (l->natural.eq_of[v] != INC_NONE || w->handle_of[v] != INC_NONE)
            continue;
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
            if (l->natural.var_of[g->row[k]] != INC_NONE)
                home = later(home, l->stage_of[g->row[k]]);
        l->loop_var[n_vars++] = (LadderLoop){v, home};
    }
    l->n_loops = n_eqs;
}

Ladder ladder_extend(const Ladder *inner, const uint32_t *row, const uint32_t *col,
                     const Matching *natural, const Incidence *g, Arena *mem)
{
    Ladder l = *inner;
    l.by_fill = (Order){0};
    l.natural = *natural;
    l.stage_of = arena_array(mem, uint32_t, g->n_rows);
    memset(l.stage_of, 0xff, g->n_rows * sizeof *l.stage_of);
    l.handle = arena_array(mem, LadderHandle, l.n);
    uint32_t n_ends = g->n_rows - natural->size - l.n;
    l.loop_eq = arena_array(mem, LadderLoop, n_ends);
    l.loop_var = arena_array(mem, LadderLoop, n_ends);
    Work w = {.mem = mem,
              .l = &l,
              .g = g,
              .size = arena_array(mem, uint32_t, l.n),
              .handle_of = arena_array(mem, uint32_t, g->n_cols),
              .from = arena_array(mem, uint32_t, g->n_rows)};
    memset(w.handle_of, 0xff, g->n_cols * sizeof *w.handle_of);
    for (uint32_t k = 0; k < l.n; k++) {
        LadderHandle *h = &l.handle[k];
        *h = inner->handle[k];
        w.size[k]++;
        if (h->parent != INC_NONE)
            w.size[h->parent] += w.size[k];
        h->eq = row[h->eq];
        h->var = col[h->var];
        w.handle_of[h->var] = k;
    }
    /* an equation whose unknown is not there any more is an end of a loop, of no structure */
    for (uint32_t e = 0; e < inner->natural.n_rows; e++) {
        bool is_pair = inner->natural.var_of[e] != INC_NONE;
        if (row[e] != INC_NONE && (!is_pair || natural->var_of[row[e]] != INC_NONE))
            l.stage_of[row[e]] = inner->stage_of[e];
    }
    ladder_keep_together(w.l, g, NULL, mem);
    join_handles(&w);
    Blocks order = blocks_find(g, &l.natural, mem);
    uint32_t n = order.begin[order.n];
    for (uint32_t b = 0; b < order.n; b++)
        find_from(&w, order.eq + order.begin[b], order.begin[b + 1] - order.begin[b]);
    for (uint32_t b = order.n; b-- > 0;)
        join_users(&w, order.eq + order.begin[b], order.begin[b + 1] - order.begin[b]);
    for (uint32_t k = n; k-- > 0;)
        place_rest(&w, order.eq[k]);
    find_ends(&w);
    return l;
}
