#include "graph/ladder_degree.h"

#include "graph/blocks.h"
#include "graph/by_igraph.h"
#include "graph/heap.h"
#include "graph/order.h"
#include "graph/symbolic_lu.h"

#include <math.h>
#include <string.h>

typedef VEC(uint32_t) Waiters;

struct LadderPairs {
    const char *why; /* there is no order; else NULL */
    const Ladder *l;
    const Incidence *g;
    const double *number;
    uint32_t n_points;
    Arena *mem;
    uint32_t *var_of, *eq_of; /* the pairs, whole once knots are paired                        */
    bool *is_knot;            /* per equation                                                  */
    Blocks inner;             /* the other pairs, each after those that it depends on          */
    uint32_t n_ends;          /* handles and ends of loops, which are still to be paired       */
    uint32_t *end_eq, *end_var;
    Waiters *waiter; /* per inner pair, by equation: knots that wait for it           */
    uint32_t *left;  /* per knot, by equation: pairs that it waits for                */
};

static double number_at(const LadderPairs *w, uint32_t edge, uint32_t point)
{
    return w->number[(size_t)edge * w->n_points + point];
}

/* ---- which pairs are knots ---- */

static void find_ends(LadderPairs *w)
{
    const Ladder *l = w->l;
    w->end_eq = arena_array(w->mem, uint32_t, l->n + l->n_loops + 1);
    w->end_var = arena_array(w->mem, uint32_t, l->n + l->n_loops + 1);
    for (uint32_t k = 0; k < l->n; k++) {
        w->end_eq[w->n_ends] = l->handle[k].eq;
        w->end_var[w->n_ends++] = l->handle[k].var;
    }
    for (uint32_t k = 0; k < l->n_loops; k++) {
        w->end_eq[w->n_ends] = l->loop_eq[k].id;
        w->end_var[w->n_ends++] = l->loop_var[k].id;
    }
    for (uint32_t k = 0; k < w->n_ends; k++)
        w->is_knot[w->end_eq[k]] = true;
}

/* The natural pairs but for those that are knots. */
static Matching inner_pairs(const LadderPairs *w)
{
    Matching m = {w->g->n_rows, w->g->n_cols, arena_array(w->mem, uint32_t, w->g->n_cols),
                  arena_array(w->mem, uint32_t, w->g->n_rows), 0};
    memset(m.eq_of, 0xff, w->g->n_cols * sizeof *m.eq_of);
    for (uint32_t e = 0; e < w->g->n_rows; e++) {
        m.var_of[e] = w->is_knot[e] ? INC_NONE : w->l->natural.var_of[e];
        if (m.var_of[e] == INC_NONE)
            continue;
        m.eq_of[m.var_of[e]] = e;
        m.size++;
    }
    return m;
}

/* The block's pairs with unit pivots, other entries negative: -|a_ij| / |a_ii|. */
static double *comparison_of(const LadderPairs *w, uint32_t block, uint32_t point, Arena *mem)
{
    const Incidence *g = w->g;
    const Blocks *b = &w->inner;
    uint32_t first = b->begin[block], n = b->begin[block + 1] - first;
    double *a = arena_array(mem, double, (size_t)n *n);
    uint32_t *place = arena_array(mem, uint32_t, g->n_cols); /* + 1 */
    for (uint32_t k = 0; k < n; k++)
        place[b->var[first + k]] = k + 1;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t e = b->eq[first + k];
        double pivot = number_at(w, incidence_find(g, e, b->var[first + k]), point);
        for (uint32_t i = g->row_begin[e]; i < g->row_begin[e + 1]; i++)
            if (place[g->col[i]])
                a[(size_t)k * n + place[g->col[i]] - 1] = -fabs(number_at(w, i, point) / pivot);
        a[(size_t)k * n + k] = 1;
    }
    return a;
}

/* Whether the pivots of a circle keep at least half of their size, whatever the order of the
 * elimination: derivatives of states by each other, times a short step. They are bounded from below
 * by those of the comparison matrix (H-matrices: Varga 1976), and these are smallest when they come
 * last, where they are the reciprocals of its inverse's diagonal. */
static bool is_tame(const LadderPairs *w, uint32_t block)
{
    enum { MOST = 64 };
    static const double LARGEST = 2; /* of the inverse's diagonal */
    uint32_t n = w->inner.begin[block + 1] - w->inner.begin[block];
    bool ok = n <= MOST;
    for (uint32_t p = 0; p < w->n_points && ok; p++) {
        Arena *tmp = arena_new();
        double *a = comparison_of(w, block, p, tmp);
        /* Gauss-Jordan: a becomes its inverse */
        for (uint32_t k = 0; k < n && ok; k++) {
            double pivot = a[(size_t)k * n + k];
            ok = !(pivot < 1 / LARGEST);
            a[(size_t)k * n + k] = 1;
            for (uint32_t c = 0; c < n; c++)
                a[(size_t)k * n + c] /= pivot;
            for (uint32_t r = 0; r < n; r++) {
                double x = a[(size_t)r * n + k];
                if (r == k || x == 0)
                    continue;
                a[(size_t)r * n + k] = 0;
                for (uint32_t c = 0; c < n; c++)
                    a[(size_t)r * n + c] -= x * a[(size_t)k * n + c];
            }
        }
        for (uint32_t k = 0; k < n && ok; k++)
            ok = !(a[(size_t)k * n + k] > LARGEST);
        arena_free(tmp);
    }
    return ok;
}

/* Masses: pairs of a circle whose pivot is not one. False if there are circles without them whose
 * pivots may vanish. */
static bool find_masses(LadderPairs *w)
{
    const Incidence *g = w->g;
    Matching m = inner_pairs(w);
    Blocks all = blocks_find(g, &m, w->mem);
    for (uint32_t b = 0; b < all.n; b++) {
        for (uint32_t k = all.begin[b]; k < all.begin[b + 1] && all.begin[b + 1] - all.begin[b] > 1;
             k++)
            if (g->label[incidence_find(g, all.eq[k], all.var[k])] != LABEL_ONE)
                w->is_knot[all.eq[k]] = true;
    }
    m = inner_pairs(w);
    w->inner = blocks_find(g, &m, w->mem);
    bool ok = true;
    for (uint32_t b = 0; b < w->inner.n && ok; b++)
        ok = w->inner.begin[b + 1] - w->inner.begin[b] == 1 || is_tame(w, b);
    return ok;
}

/* ---- the diagonal ---- */

/* Adds the logarithms of the matrix of ends, at one point, after the inner pairs are gone; the
 * columns of other knots are left out. False without numbers. */
static bool add_sizes(const LadderPairs *w, uint32_t point, double *size)
{
    static const double LOG_OF_ZERO = -1000; /* a finite weight for entries that are zero */
    const Incidence *g = w->g;
    uint32_t n = w->n_ends, n_inner = w->inner.begin[w->inner.n];
    Arena *tmp = arena_new();
    uint32_t *place = arena_array(tmp, uint32_t, g->n_cols); /* 1 + of an end, n + 1 + of a pair */
    double *by = arena_array(tmp, double, (size_t)n_inner *n + 1); /* of pairs by ends */
    double *sum = arena_array(tmp, double, n + 1);
    bool ok = true;
    for (uint32_t k = 0; k < n; k++)
        place[w->end_var[k]] = 1 + k;
    for (uint32_t k = 0; k < n_inner + n && ok; k++) {
        uint32_t e = k < n_inner ? w->inner.eq[k] : w->end_eq[k - n_inner];
        double pivot = -1;
        memset(sum, 0, n * sizeof *sum);
        for (uint32_t i = g->row_begin[e]; i < g->row_begin[e + 1]; i++) {
            double x = number_at(w, i, point);
            uint32_t v = g->col[i], at = place[v];
            ok = ok && isfinite(x);
            if (k < n_inner && v == w->inner.var[k])
                pivot = x;
            else if (at > n)
                for (uint32_t c = 0; c < n; c++)
                    sum[c] += x * by[(size_t)(at - n - 1) * n + c];
            else if (at > 0)
                sum[at - 1] += x;
        }
        if (k < n_inner)
            place[w->inner.var[k]] = n + 1 + k;
        for (uint32_t c = 0; c < n; c++) {
            double x = sum[c] / -pivot;
            if (k < n_inner)
                by[(size_t)k * n + c] = x;
            else
                size[(size_t)(k - n_inner) * n + c] += x != 0 ? log(fabs(x)) : LOG_OF_ZERO;
            ok = ok && isfinite(x);
        }
    }
    arena_free(tmp);
    return ok;
}

/* Pairs the ends such that the product of their entries is as large as possible, over all points.
 */
static bool pair_ends(LadderPairs *w)
{
    uint32_t n = w->n_ends, n_used = 0;
    size_t n_all = (size_t)n * n;
    double *size = arena_array(w->mem, double, n_all + 1);
    double *sizes = arena_array(w->mem, double, n_all + 1);
    uint32_t *to = arena_array(w->mem, uint32_t, n + 1);
    for (uint32_t p = 0; p < w->n_points; p++) {
        memset(size, 0, n_all * sizeof *size);
        if (!add_sizes(w, p, size))
            continue;
        for (size_t k = 0; k < n_all; k++)
            sizes[k] -= size[k];
        n_used++;
    }
    if (n_used == 0)
        return false;
    igraph_assignment(n, sizes, to);
    for (uint32_t k = 0; k < n; k++) {
        w->var_of[w->end_eq[k]] = w->end_var[to[k]];
        w->eq_of[w->end_var[to[k]]] = w->end_eq[k];
    }
    return true;
}

/* Pairs the ends as they are listed, which in a tree are the handles. */
static void pair_handles(LadderPairs *w)
{
    for (uint32_t k = 0; k < w->n_ends; k++) {
        w->var_of[w->end_eq[k]] = w->end_var[k];
        w->eq_of[w->end_var[k]] = w->end_eq[k];
    }
}

/* ---- which pairs a knot waits for ---- */

typedef struct Reach {
    uint32_t *stamp; /* per equation */
    VEC(uint32_t) way;
} Reach;

static void visit(const LadderPairs *w, Reach *r, uint32_t e, uint32_t stamp)
{
    if (e == INC_NONE || w->is_knot[e] || r->stamp[e] == stamp)
        return;
    r->stamp[e] = stamp;
    vec_push(w->mem, r->way, e);
}

/* Inner pairs that depend on the unknown of e. */
static void reach_users(const LadderPairs *w, Reach *r, uint32_t e, uint32_t stamp)
{
    const Incidence *g = w->g;
    r->way.n = 0;
    for (uint32_t k = 0, next = e;; next = r->way.at[k++]) {
        uint32_t v = w->var_of[next];
        for (uint32_t i = g->col_begin[v]; i < g->col_begin[v + 1]; i++)
            visit(w, r, g->row[i], stamp);
        if (k == r->way.n)
            break;
    }
}

/* Inner pairs that equation e depends on. */
static void reach_used(const LadderPairs *w, Reach *r, uint32_t e, uint32_t stamp)
{
    const Incidence *g = w->g;
    r->way.n = 0;
    for (uint32_t k = 0, next = e;; next = r->way.at[k++]) {
        for (uint32_t i = g->row_begin[next]; i < g->row_begin[next + 1]; i++)
            visit(w, r, w->eq_of[g->col[i]], stamp);
        if (k == r->way.n)
            break;
    }
}

/* False if there are too many. */
static bool find_waiters(LadderPairs *w)
{
    enum { MOST = 20 * 1000 * 1000 };
    uint32_t n = w->g->n_rows;
    Reach users = {.stamp = arena_array(w->mem, uint32_t, n)};
    Reach used = {.stamp = arena_array(w->mem, uint32_t, n)};
    w->waiter = arena_array(w->mem, Waiters, n);
    w->left = arena_array(w->mem, uint32_t, n);
    uint64_t n_visits = 0;
    for (uint32_t e = 0; e < n && n_visits < MOST; e++) {
        if (!w->is_knot[e])
            continue;
        reach_users(w, &users, e, e + 1);
        reach_used(w, &used, e, e + 1);
        n_visits += users.way.n + used.way.n;
        for (uint32_t k = 0; k < used.way.n; k++) {
            uint32_t at = used.way.at[k];
            if (users.stamp[at] != e + 1)
                continue;
            vec_push(w->mem, w->waiter[at], e);
            w->left[e]++;
        }
    }
    return n_visits < MOST;
}

/* ---- the order ---- */

typedef struct Degree {
    LadderPairs *w;
    SymbolicLu f;
    Heap prices;
    VEC(uint32_t) touched;
    uint32_t *left; /* per knot, as in Pairs, of those that are not gone */
    DegreePrice by;
} Degree;

/* Sets the price of pair e: the operations of a dense elimination, as in mindegree.c, or those
 * that labels leave, weighted alike. */
static void look_at(Degree *d, uint32_t e)
{
    static const uint64_t divide[] = {0, 1, 2, 4, 4};
    const LadderPairs *w = d->w;
    if (e == INC_NONE || d->f.row_done[e])
        return;
    const SymbolicEntry *x = symbolic_lu_find(&d->f, e, w->var_of[e]);
    if (!x || (w->is_knot[e] && d->left[e] > 0)) {
        heap_drop(&d->prices, e);
        return;
    }
    uint64_t r = d->f.row[e].n - 1, c = d->f.col[x->col].n - 1;
    uint64_t price = d->by.is_by_labels ? 4 * symbolic_lu_estimate(&d->f, e, w->var_of[e])
                                        : 4 * r * c + divide[x->label] * (c + 1);
    if (d->by.per_entry)
        price += d->by.per_entry * symbolic_lu_fill_by(&d->f, e, w->var_of[e]);
    heap_set(&d->prices, e, price);
}

static void eliminate(Degree *d, uint32_t e)
{
    LadderPairs *w = d->w;
    uint32_t v = w->var_of[e];
    d->touched.n = 0;
    for (uint32_t k = 0; k < d->f.col[v].n; k++)
        vec_push(w->mem, d->touched, d->f.col[v].at[k]);
    for (uint32_t k = 0; k < d->f.row[e].n; k++)
        vec_push(w->mem, d->touched, w->eq_of[d->f.row[e].at[k].col]);
    symbolic_lu_pivot(&d->f, e, v);
    for (uint32_t k = 0; k < w->waiter[e].n; k++) {
        d->left[w->waiter[e].at[k]]--;
        vec_push(w->mem, d->touched, w->waiter[e].at[k]);
    }
    for (uint32_t k = 0; k < d->touched.n; k++)
        look_at(d, d->touched.at[k]);
}

/* ---- handles that are wanted ---- */

/* The way back from an unknown: the pair that it was found by solves its equation for `from` then.
 */
typedef struct Exchange {
    uint32_t *from, *by, *stamp; /* per unknown */
    VEC(uint32_t) queue;
} Exchange;

static bool is_one(const Incidence *g, uint32_t e, uint32_t v)
{
    uint32_t edge = incidence_find(g, e, v);
    return edge != INC_NONE && g->label[edge] == LABEL_ONE;
}

/* A wanted unknown that is no handle, on the shortest way from the handle's over natural pairs that
 * may be solved for either of two unknowns by adding and subtracting; or INC_NONE. */
static uint32_t find_wanted(Exchange *x, const Ladder *l, const Incidence *g, uint32_t handle,
                            const bool *wanted, const bool *is_handle, Arena *mem)
{
    enum { MOST = 64 };
    uint32_t stamp = handle + 1;
    x->queue.n = 0;
    vec_push(mem, x->queue, handle);
    x->stamp[handle] = stamp;
    for (uint32_t k = 0; k < x->queue.n && k < MOST; k++) {
        uint32_t v = x->queue.at[k];
        for (uint32_t i = g->col_begin[v]; i < g->col_begin[v + 1]; i++) {
            uint32_t e = g->row[i], u = l->natural.var_of[e];
            if (u == INC_NONE || x->stamp[u] == stamp || !is_one(g, e, v) || !is_one(g, e, u))
                continue;
            x->stamp[u] = stamp;
            x->from[u] = v;
            x->by[u] = e;
            vec_push(mem, x->queue, u);
            if (wanted[u] && !is_handle[u])
                return u;
        }
    }
    return INC_NONE;
}

uint32_t ladder_exchange_handles(Ladder *l, const Incidence *g, const bool *wanted, Arena *mem)
{
    uint32_t n = g->n_cols, n_exchanged = 0;
    Exchange x = {.from = arena_array(mem, uint32_t, n + 1),
                  .by = arena_array(mem, uint32_t, n + 1),
                  .stamp = arena_array(mem, uint32_t, n + 1)};
    bool *is_handle = arena_array(mem, bool, n + 1);
    LadderHandle *handle = arena_array(mem, LadderHandle, l->n + 1);
    Matching *m = &l->natural;
    uint32_t *var_of = arena_array(mem, uint32_t, m->n_rows + 1);
    uint32_t *eq_of = arena_array(mem, uint32_t, m->n_cols + 1);
    memcpy(handle, l->handle, l->n * sizeof *handle);
    memcpy(var_of, m->var_of, m->n_rows * sizeof *var_of);
    memcpy(eq_of, m->eq_of, m->n_cols * sizeof *eq_of);
    l->handle = handle;
    m->var_of = var_of;
    m->eq_of = eq_of;
    for (uint32_t k = 0; k < l->n; k++)
        is_handle[handle[k].var] = true;
    for (uint32_t k = 0; k < l->n; k++) {
        uint32_t old = handle[k].var;
        uint32_t new = wanted[old] ? INC_NONE : find_wanted(&x, l, g, old, wanted, is_handle, mem);
        if (new == INC_NONE)
            continue;
        for (uint32_t u = new; u != old; u = x.from[u]) {
            var_of[x.by[u]] = x.from[u];
            eq_of[x.from[u]] = x.by[u];
        }
        eq_of[new] = INC_NONE;
        is_handle[old] = false;
        is_handle[new] = true;
        handle[k].var = new;
        n_exchanged++;
    }
    return n_exchanged;
}

LadderPairs *ladder_pairs(const Ladder *l, const Incidence *g, const double *number,
                          uint32_t n_points, Arena *mem)
{
    enum { MOST_ENDS = 500, MOST_NUMBERS = 4 * 1000 * 1000 };
    LadderPairs *w = arena_array(mem, LadderPairs, 1);
    *w = (LadderPairs){.l = l, .g = g, .number = number, .n_points = n_points, .mem = mem};
    w->why = l->why;
    if (w->why)
        return w;
    w->var_of = arena_array(mem, uint32_t, g->n_rows);
    w->eq_of = arena_array(mem, uint32_t, g->n_cols);
    w->is_knot = arena_array(mem, bool, g->n_rows);
    memcpy(w->var_of, l->natural.var_of, g->n_rows * sizeof *w->var_of);
    memcpy(w->eq_of, l->natural.eq_of, g->n_cols * sizeof *w->eq_of);
    find_ends(w);
    pair_handles(w);
    bool is_large = w->n_ends > MOST_ENDS || (uint64_t)w->n_ends * g->n_rows > MOST_NUMBERS;
    if (is_large && l->n_loops > 0)
        w->why = "the ladder has too many handles";
    else if (!find_masses(w))
        w->why = "pairs of the ladder depend on each other";
    else if (!is_large && !pair_ends(w))
        w->why = "the block has no numbers";
    else if (!find_waiters(w))
        w->why = "the ladder has too many ways between its handles";
    return w;
}

Order ladder_degree_order(LadderPairs *w, DegreePrice price, uint64_t most, Arena *mem)
{
    if (w->why)
        return order_failed(w->why);
    uint32_t n = w->g->n_rows;
    Order o = order_empty(n, mem);
    ArenaMark mark = arena_mark(w->mem);
    Degree d = {.w = w,
                .f = symbolic_lu_begin(w->g, w->mem),
                .prices = heap_new(n, w->mem),
                .left = arena_array(w->mem, uint32_t, n + 1),
                .by = price};
    memcpy(d.left, w->left, n * sizeof *d.left);
    for (uint32_t e = 0; e < n; e++)
        look_at(&d, e);
    uint32_t e;
    while (d.f.ops <= most && heap_pop(&d.prices, &e)) {
        eliminate(&d, e);
        o.eq[o.n] = e;
        o.var[o.n++] = w->var_of[e];
    }
    o.ops = d.f.ops;
    arena_rollback(w->mem, mark);
    if (o.ops > most)
        return order_failed("it takes too many operations");
    return o.n == n ? o : order_failed("a pair of the ladder vanishes");
}
