#include "graph/matching.h"

Matching matching_empty(const Incidence *g, Arena *mem)
{
    Matching m = {.n_rows = g->n_rows,
                  .n_cols = g->n_cols,
                  .eq_of = arena_array(mem, uint32_t, g->n_cols),
                  .var_of = arena_array(mem, uint32_t, g->n_rows)};
    for (uint32_t v = 0; v < g->n_cols; v++)
        m.eq_of[v] = INC_NONE;
    for (uint32_t e = 0; e < g->n_rows; e++)
        m.var_of[e] = INC_NONE;
    return m;
}

static void pair(Matching *m, uint32_t e, uint32_t v)
{
    m->eq_of[v] = e;
    m->var_of[e] = v;
    m->size++;
}

/* Cheap assignment, one round per label. Of the free unknowns of an equation it takes the one in
 * the fewest equations, which has the fewest other candidates. */
static void assign_greedily(Matching *m, const Incidence *g, Label worst)
{
    for (int label = LABEL_ONE; label <= (int)worst; label++)
        for (uint32_t e = 0; e < g->n_rows; e++) {
            if (m->var_of[e] != INC_NONE)
                continue;
            uint32_t best = INC_NONE, fewest = UINT32_MAX;
            for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
                uint32_t v = g->col[k], degree = g->col_begin[v + 1] - g->col_begin[v];
                if (g->label[k] == label && m->eq_of[v] == INC_NONE && degree < fewest) {
                    best = v;
                    fewest = degree;
                }
            }
            if (best != INC_NONE)
                pair(m, e, best);
        }
}

/* Layers of alternating paths from all free equations; true when one ends at a free unknown. */
static bool layer(const Matching *m, const Incidence *g, Label worst, uint32_t *depth,
                  uint32_t *queue)
{
    uint32_t n_queue = 0, limit = UINT32_MAX;
    for (uint32_t e = 0; e < g->n_rows; e++) {
        depth[e] = m->var_of[e] == INC_NONE ? 0 : UINT32_MAX;
        if (depth[e] == 0)
            queue[n_queue++] = e;
    }
    for (uint32_t i = 0; i < n_queue; i++) {
        uint32_t e = queue[i];
        if (depth[e] >= limit)
            break;
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            if (g->label[k] > worst)
                continue;
            uint32_t next = m->eq_of[g->col[k]];
            if (next == INC_NONE) {
                limit = depth[e];
            } else if (depth[next] == UINT32_MAX) {
                depth[next] = depth[e] + 1;
                queue[n_queue++] = next;
            }
        }
    }
    return limit != UINT32_MAX;
}

/* One augmenting path from the free equation e down the layers, by an explicit stack. at[e] is the
 * next edge of e to try; it only grows within a phase, so a phase costs O(edges). */
static bool augment(Matching *m, const Incidence *g, Label worst, uint32_t *depth, uint32_t *at,
                    uint32_t *stack, uint32_t e)
{
    uint32_t n = 0;
    stack[n++] = e;
    while (n) {
        e = stack[n - 1];
        if (at[e] == g->row_begin[e + 1]) {
            depth[e] = UINT32_MAX;
            if (--n)
                at[stack[n - 1]]++;
            continue;
        }
        uint32_t k = at[e], next = m->eq_of[g->col[k]];
        if (g->label[k] > worst) {
            at[e]++;
        } else if (next == INC_NONE) {
            /* flip the path: each equation on the stack takes its current candidate */
            while (n) {
                e = stack[--n];
                m->var_of[e] = g->col[at[e]];
                m->eq_of[g->col[at[e]]] = e;
            }
            m->size++;
            return true;
        } else if (depth[next] == depth[e] + 1) {
            stack[n++] = next;
        } else {
            at[e]++;
        }
    }
    return false;
}

void matching_extend(Matching *m, const Incidence *g, Label worst, Arena *scratch)
{
    ArenaMark mark = arena_mark(scratch);
    assign_greedily(m, g, worst);
    uint32_t *depth = arena_array(scratch, uint32_t, g->n_rows);
    uint32_t *at = arena_array(scratch, uint32_t, g->n_rows);
    uint32_t *stack = arena_array(scratch, uint32_t, g->n_rows);
    while (m->size < g->n_rows && m->size < g->n_cols && layer(m, g, worst, depth, stack)) {
        for (uint32_t e = 0; e < g->n_rows; e++)
            at[e] = g->row_begin[e];
        for (uint32_t e = 0; e < g->n_rows; e++)
            if (m->var_of[e] == INC_NONE && depth[e] == 0)
                augment(m, g, worst, depth, at, stack, e);
    }
    arena_rollback(scratch, mark);
}

Augmenter augmenter_new(const Incidence *g, Arena *mem)
{
    return (Augmenter){.g = g,
                       .m = matching_empty(g, mem),
                       .from = arena_array(mem, uint32_t, g->n_cols + 1),
                       .mark = arena_array(mem, uint32_t, g->n_cols + 1),
                       .queue = arena_array(mem, uint32_t, g->n_rows + 1)};
}

bool matching_augment(Augmenter *w, uint32_t e, Label worst)
{
    const Incidence *g = w->g;
    uint32_t n = 0, turn = ++w->turn;
    w->queue[n++] = e;
    for (uint32_t head = 0; head < n; head++) {
        uint32_t r = w->queue[head];
        for (uint32_t k = g->row_begin[r]; k < g->row_begin[r + 1]; k++) {
            uint32_t v = g->col[k];
            if (w->mark[v] == turn || g->label[k] > worst)
                continue;
            w->mark[v] = turn;
            w->from[v] = r;
            if (w->m.eq_of[v] != INC_NONE) {
                w->queue[n++] = w->m.eq_of[v];
                continue;
            }
            while (v != INC_NONE) {
                uint32_t owner = w->from[v], before = w->m.var_of[owner];
                w->m.eq_of[v] = owner;
                w->m.var_of[owner] = v;
                v = before;
            }
            w->m.size++;
            return true;
        }
    }
    return false;
}

Matching matching_find(const Incidence *g, Arena *mem)
{
    Matching m = matching_empty(g, mem);
    matching_extend(&m, g, LABEL_NONLINEAR, mem);
    return m;
}

bool matching_check(const Matching *m, const Incidence *g)
{
    uint32_t size = 0;
    if (m->n_rows != g->n_rows || m->n_cols != g->n_cols)
        return false;
    for (uint32_t e = 0; e < g->n_rows; e++) {
        uint32_t v = m->var_of[e];
        if (v == INC_NONE)
            continue;
        if (v >= g->n_cols || m->eq_of[v] != e || incidence_find(g, e, v) == INC_NONE)
            return false;
        size++;
    }
    for (uint32_t v = 0; v < g->n_cols; v++)
        if (m->eq_of[v] != INC_NONE && (m->eq_of[v] >= g->n_rows || m->var_of[m->eq_of[v]] != v))
            return false;
    return size == m->size;
}

bool matching_is_maximum(const Matching *m, const Incidence *g, Arena *scratch)
{
    /* Berge: maximum exactly when no alternating path leads from a free row to a free column */
    ArenaMark mark = arena_mark(scratch);
    uint32_t *depth = arena_array(scratch, uint32_t, g->n_rows);
    uint32_t *queue = arena_array(scratch, uint32_t, g->n_rows);
    bool more = layer(m, g, LABEL_NONLINEAR, depth, queue);
    arena_rollback(scratch, mark);
    return !more;
}

void matching_dump(const Matching *m, const Incidence *g, FILE *f)
{
    static const char *const name[] = {"+-1",    "constant",  "parameter",
                                       "linear", "nonlinear", "zero"};
    fprintf(f, "matching of size %u in %u x %u\n", m->size, m->n_rows, m->n_cols);
    for (uint32_t e = 0; e < m->n_rows; e++) {
        if (m->var_of[e] == INC_NONE)
            fprintf(f, "e%u: unmatched\n", e);
        else
            fprintf(f, "e%u -> v%u (%s)\n", e, m->var_of[e],
                    name[g->label[incidence_find(g, e, m->var_of[e])]]);
    }
    for (uint32_t v = 0; v < m->n_cols; v++)
        if (m->eq_of[v] == INC_NONE)
            fprintf(f, "v%u: unmatched\n", v);
}
