/* by_metis.c -- the only file that knows METIS; declared in dissection.h. */
#include "graph/dissection.h"

#include "base/bug.h"
#include "graph/matching.h"
#include "graph/order.h"

#include <metis.h>
#include <stdlib.h>

static int compare_ids(const void *a, const void *b)
{
    idx_t x = *(const idx_t *)a, y = *(const idx_t *)b;
    return (x > y) - (x < y);
}

/* Neighbours of each equation's pair, both directions, sorted, each once. */
static idx_t symmetric_graph(const Incidence *g, const Matching *m, idx_t *begin, idx_t *next)
{
    idx_t n_edges = 0;
    for (uint32_t e = 0; e < g->n_rows; e++) {
        idx_t first = n_edges;
        begin[e] = first;
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            if (m->eq_of[g->col[k]] != e)
                next[n_edges++] = (idx_t)m->eq_of[g->col[k]];
        uint32_t v = m->var_of[e];
        for (uint32_t k = g->col_begin[v]; k < g->col_begin[v + 1]; k++)
            if (g->row[k] != e)
                next[n_edges++] = (idx_t)g->row[k];
        qsort(next + first, (size_t)(n_edges - first), sizeof *next, compare_ids);
        idx_t kept = first;
        for (idx_t k = first; k < n_edges; k++)
            if (k == first || next[k] != next[k - 1])
                next[kept++] = next[k];
        n_edges = kept;
    }
    begin[g->n_rows] = n_edges;
    return n_edges;
}

Order dissection_find(const Incidence *g, Arena *mem)
{
    if (g->n_rows != g->n_cols)
        return order_failed("the block is not square");
    uint32_t n = g->n_rows;
    Order o = order_empty(n, mem);
    ArenaMark mark = arena_mark(mem);
    Matching m = matching_natural(g, mem);
    matching_extend(&m, g, LABEL_NONLINEAR, mem);
    if (m.size < n) {
        arena_rollback(mem, mark);
        return order_failed("the block is structurally singular");
    }
    idx_t *begin = arena_array(mem, idx_t, n + 1);
    idx_t *next = arena_array(mem, idx_t, 2 * g->n_edges);
    idx_t n_edges = symmetric_graph(g, &m, begin, next);
    idx_t *perm = arena_array(mem, idx_t, n), *inverse = arena_array(mem, idx_t, n);
    for (uint32_t k = 0; k < n; k++)
        perm[k] = (idx_t)k;
    /* METIS refuses a graph without edges, for which any order is good */
    if (n_edges) {
        idx_t nodes = (idx_t)n, options[METIS_NOPTIONS];
        METIS_SetDefaultOptions(options);
        options[METIS_OPTION_SEED] = 1;
        int status = METIS_NodeND(&nodes, begin, next, NULL, options, perm, inverse);
        if (status != METIS_OK)
            bug("METIS_NodeND failed with status %d on %u nodes", status, n);
    }
    for (uint32_t k = 0; k < n; k++) {
        o.eq[k] = (uint32_t)perm[k];
        o.var[k] = m.var_of[o.eq[k]];
    }
    o.n = n;
    arena_rollback(mem, mark);
    return o;
}
