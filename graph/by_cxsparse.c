/* by_cxsparse.c -- the only file of the compiler that knows CXSparse; declared in lu_cost.h. */
#include "graph/lu_cost.h"

#include "base/bug.h"

#include <cs.h>

/* Neither zero nor of one size: between 0.5 and 1.5, of either sign. */
static double arbitrary(uint64_t k)
{
    uint64_t h = (k + 1) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
    h *= 0xbf58476d1ce4e5b9u;
    double x = 0.5 + (double)(h >> 11) / 9007199254740992.0;
    return h & 1 ? x : -x;
}

static cs_dl *matrix_of(const Incidence *g)
{
    cs_dl *a = cs_dl_spalloc(g->n_rows, g->n_cols, g->n_edges ? g->n_edges : 1, 1, 0);
    if (!a)
        bug("out of memory for a matrix of %u entries", g->n_edges);
    for (uint32_t v = 0; v <= g->n_cols; v++)
        a->p[v] = g->col_begin[v];
    for (uint32_t k = 0; k < g->n_edges; k++) {
        uint32_t edge = g->edge[k];
        a->i[k] = g->row[k];
        a->x[k] = g->label[edge] == LABEL_ONE && g->sign[edge] ? g->sign[edge] : arbitrary(edge);
    }
    return a;
}

/* Column k of the factors: L's below the diagonal times U's of each column it went through.
 * n_entries: of the matrix. */
static LuCost price_of(const cs_dl *l, const cs_dl *u, uint64_t n_entries)
{
    LuCost p = {.ok = true};
    for (cs_long_t c = 0; c < u->n; c++) {
        /* U ends each column with its diagonal, L begins with it */
        for (cs_long_t k = u->p[c]; k < u->p[c + 1] - 1; k++) {
            cs_long_t below = l->p[u->i[k] + 1] - l->p[u->i[k]] - 1;
            p.mul += (uint64_t)below;
            p.add += (uint64_t)below;
        }
        p.div += (uint64_t)(l->p[c + 1] - l->p[c] - 1);
    }
    uint64_t n = (uint64_t)u->n;
    uint64_t entries = (uint64_t)(l->p[l->n] + u->p[u->n]) - n;
    p.fill = entries > n_entries ? entries - n_entries : 0;
    p.mul += entries - n;
    p.add += entries - n;
    p.div += n;
    return p;
}

static const uint32_t *columns_of(const cs_dls *order, uint32_t n, Arena *mem)
{
    uint32_t *column = arena_array(mem, uint32_t, n);
    for (uint32_t k = 0; k < n; k++)
        column[k] = (uint32_t)order->q[k];
    return column;
}

/* The cost with the cheaper of the two orders. Frees the matrix. */
static LuCost cheapest(cs_dl *a, uint64_t n_entries, Arena *mem)
{
    static const int orders[] = {1, 2}; /* of A + A', of A'A */
    static const double tol = 0.1;      /* least diagonal pivot, relative to the largest entry */
    LuCost best = {0};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        cs_dls *order = cs_dl_sqr(orders[k], a, 0);
        cs_dln *factors = order ? cs_dl_lu(a, order, tol) : NULL;
        LuCost p = factors ? price_of(factors->L, factors->U, n_entries) : best;
        if (factors && (!best.ok || p.fill < best.fill)) {
            best = p;
            best.column = columns_of(order, (uint32_t)a->n, mem);
        }
        cs_dl_nfree(factors);
        cs_dl_sfree(order);
    }
    cs_dl_spfree(a);
    return best;
}

LuCost lu_cost(const Incidence *g, Arena *mem)
{
    if (g->n_rows != g->n_cols || g->n_rows == 0)
        return (LuCost){0};
    return cheapest(matrix_of(g), g->n_edges, mem);
}

const uint32_t *lu_column_order(uint32_t n, const uint32_t *col_start, const uint32_t *row,
                                Arena *mem)
{
    enum { LARGE = 40, SHARE = 5 };
    uint32_t n_entries = n ? col_start[n] : 0;
    if (n < LARGE || n_entries > (uint64_t)n * n / SHARE)
        return NULL;
    cs_dl *a = cs_dl_spalloc(n, n, n_entries + 1, 1, 0);
    if (!a)
        bug("out of memory for a matrix of %u entries", n_entries);
    for (uint32_t c = 0; c <= n; c++)
        a->p[c] = col_start[c];
    for (uint32_t k = 0; k < n_entries; k++) {
        a->i[k] = row[k];
        a->x[k] = arbitrary(k);
    }
    return cheapest(a, n_entries, mem).column;
}
