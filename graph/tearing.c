#include "graph/tearing.h"

#include "graph/blocks.h"
#include "graph/heap.h"
#include "graph/matching.h"
#include "graph/order.h"

/* ---- greedy choice ---------------------------------------------------------------------- */

typedef struct Greedy {
    const Incidence *g;
    Label worst;
    Matching m;
    bool *known;     /* per unknown: assigned or torn */
    uint32_t *count; /* per equation: unknowns left */
    uint32_t *ready, n_ready;
    Heap scores; /* unknowns by falling gain of tearing them */
} Greedy;

/* Longer rows do not influence the choice of tearing variables. */
enum { LONG_ROW = 64 };

static uint64_t gain(const Greedy *t, uint32_t v)
{
    static const uint32_t by_count[] = {0, 0, 1000, 100, 10};
    uint64_t sum = 0;
    for (uint32_t k = t->g->col_begin[v]; k < t->g->col_begin[v + 1]; k++) {
        uint32_t e = t->g->row[k];
        if (t->m.var_of[e] == INC_NONE)
            sum += t->count[e] < 5 ? by_count[t->count[e]] : 1;
    }
    return sum;
}

static void set_known(Greedy *t, uint32_t v)
{
    t->known[v] = true;
    for (uint32_t k = t->g->col_begin[v]; k < t->g->col_begin[v + 1]; k++) {
        uint32_t e = t->g->row[k];
        if (--t->count[e] == 1 && t->m.var_of[e] == INC_NONE)
            t->ready[t->n_ready++] = e;
    }
    for (uint32_t k = t->g->col_begin[v]; k < t->g->col_begin[v + 1]; k++) {
        uint32_t e = t->g->row[k];
        if (t->m.var_of[e] != INC_NONE || t->g->row_begin[e + 1] - t->g->row_begin[e] > LONG_ROW)
            continue;
        for (uint32_t i = t->g->row_begin[e]; i < t->g->row_begin[e + 1]; i++)
            if (!t->known[t->g->col[i]])
                heap_set(&t->scores, t->g->col[i], UINT64_MAX - gain(t, t->g->col[i]));
    }
}

/* Solves the equation for its only unknown left, if the label allows. */
static void assign(Greedy *t, uint32_t e)
{
    for (uint32_t k = t->g->row_begin[e]; k < t->g->row_begin[e + 1]; k++) {
        uint32_t v = t->g->col[k];
        if (t->known[v])
            continue;
        if (t->g->label[k] <= t->worst) {
            t->m.var_of[e] = v;
            t->m.eq_of[v] = e;
            t->m.size++;
            set_known(t, v);
        }
        return;
    }
}

static Matching choose_greedily(const Incidence *g, Label worst, Arena *mem)
{
    Greedy t = {.g = g,
                .worst = worst,
                .m = matching_empty(g, mem),
                .known = arena_array(mem, bool, g->n_cols),
                .count = arena_array(mem, uint32_t, g->n_rows),
                .ready = arena_array(mem, uint32_t, g->n_rows),
                .scores = heap_new(g->n_cols, mem)};
    for (uint32_t e = 0; e < g->n_rows; e++) {
        t.count[e] = g->row_begin[e + 1] - g->row_begin[e];
        if (t.count[e] == 1)
            t.ready[t.n_ready++] = e;
    }
    for (uint32_t v = 0; v < g->n_cols; v++)
        heap_set(&t.scores, v, UINT64_MAX - gain(&t, v));
    uint32_t at = 0, v;
    for (;;) {
        if (at < t.n_ready)
            assign(&t, t.ready[at++]);
        else if (!heap_pop(&t.scores, &v))
            break;
        else if (!t.known[v])
            set_known(&t, v);
    }
    return t.m;
}

/* ---- natural choice ----------------------------------------------------------------------- */

/* Whether solving residual r for its tearing variable v closes no cycle: nothing that needs v leads
 * back to an unknown of r. Searches a bounded neighbourhood only, and answers no beyond it. */
typedef struct Reach {
    uint32_t *stamp, n_stamps;
    uint32_t *queue;
} Reach;

enum { MAX_REACH = 500 };

static bool is_acyclic(const Incidence *g, const Matching *m, Reach *s, uint32_t r, uint32_t v)
{
    uint32_t n = 0;
    s->n_stamps++;
    s->queue[n++] = v;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = g->col_begin[s->queue[i]]; k < g->col_begin[s->queue[i] + 1]; k++) {
            uint32_t e = g->row[k];
            if (e == r && i > 0)
                return false;
            if (m->var_of[e] == INC_NONE || m->var_of[e] == s->queue[i] ||
                s->stamp[e] == s->n_stamps)
                continue;
            if (n == MAX_REACH)
                return false;
            s->stamp[e] = s->n_stamps;
            s->queue[n++] = m->var_of[e];
        }
    return true;
}

static Matching choose_naturally(const Incidence *g, Label worst, Arena *mem)
{
    Matching m = matching_natural(g, mem);
    Reach s = {.stamp = arena_array(mem, uint32_t, g->n_rows),
               .queue = arena_array(mem, uint32_t, MAX_REACH)};
    for (int label = LABEL_ONE; label <= (int)worst; label++)
        for (uint32_t e = 0; e < g->n_rows; e++)
            for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
                uint32_t v = g->col[k];
                if (m.var_of[e] != INC_NONE || m.eq_of[v] != INC_NONE || g->label[k] != label ||
                    !is_acyclic(g, &m, &s, e, v))
                    continue;
                m.var_of[e] = v;
                m.eq_of[v] = e;
                m.size++;
            }
    return m;
}

/* ---- the order ------------------------------------------------------------------------------ */

/* Residuals and tearing variables at the two ends of the paths by which the matching can be
 * augmented: disjoint paths, so the dense rest is not structurally singular. */
static bool pair_rest(Order *o, const Incidence *g, const Matching *m, Arena *mem)
{
    Matching whole = matching_empty(g, mem);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        whole.var_of[e] = m->var_of[e];
        whole.eq_of[e] = m->eq_of[e];
    }
    whole.size = m->size;
    matching_extend(&whole, g, LABEL_NONLINEAR, mem);
    if (whole.size < g->n_rows)
        return false;
    for (uint32_t e = 0; e < g->n_rows; e++) {
        if (m->var_of[e] != INC_NONE)
            continue;
        uint32_t v = whole.var_of[e];
        while (m->eq_of[v] != INC_NONE)
            v = whole.var_of[m->eq_of[v]];
        o->eq[o->n] = e;
        o->var[o->n++] = v;
        o->n_torn++;
    }
    return true;
}

Order tearing_find(const Incidence *g, Label worst, Arena *mem)
{
    if (g->n_rows != g->n_cols)
        return order_failed("the block is not square");
    if (worst > LABEL_OTHER)
        worst = LABEL_OTHER;
    Order o = order_empty(g->n_rows, mem);
    ArenaMark mark = arena_mark(mem);
    Matching natural = choose_naturally(g, worst, mem), greedy = choose_greedily(g, worst, mem);
    Matching *m = greedy.size > natural.size ? &greedy : &natural;
    /* acyclic, so that blocks are single pairs in the order of evaluation */
    Blocks b = blocks_find(g, m, mem);
    for (uint32_t k = 0; k < m->size; k++) {
        o.eq[k] = b.eq[k];
        o.var[k] = b.var[k];
    }
    o.n = m->size;
    bool whole = pair_rest(&o, g, m, mem);
    arena_rollback(mem, mark);
    return whole ? o : order_failed("the block is structurally singular");
}

bool tearing_check(const Order *o, const Incidence *g, Label worst)
{
    if (o->why)
        return true;
    if (!order_check(o, g))
        return false;
    Arena *scratch = arena_new();
    bool *known = arena_array(scratch, bool, o->n);
    bool good = true;
    for (uint32_t k = o->n - o->n_torn; k < o->n; k++)
        known[o->var[k]] = true;
    for (uint32_t i = 0; good && i < o->n - o->n_torn; i++) {
        uint32_t e = o->eq[i], solved = incidence_find(g, e, o->var[i]);
        good = solved != INC_NONE && g->label[solved] <= worst;
        for (uint32_t k = g->row_begin[e]; good && k < g->row_begin[e + 1]; k++)
            good = known[g->col[k]] || k == solved;
        known[o->var[i]] = true;
    }
    arena_free(scratch);
    return good;
}
