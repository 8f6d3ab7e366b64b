#include "graph/by_igraph.h"

#include "base/bug.h"

#include <igraph/igraph.h>

static void on_igraph_error(const char *why, const char *file, int line, igraph_error_t code)
{
    bug("igraph: %s (%s) at %s:%d", why, igraph_strerror(code), file, line);
}

uint32_t igraph_matching_size(const Incidence *g)
{
    igraph_error_handler_t *before = igraph_set_error_handler(on_igraph_error);
    igraph_vector_int_t ends;
    igraph_vector_int_init(&ends, 2 * (igraph_integer_t)g->n_edges);
    igraph_integer_t at = 0;
    for (uint32_t e = 0; e < g->n_rows; e++)
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            VECTOR(ends)[at++] = e;
            VECTOR(ends)[at++] = (igraph_integer_t)g->n_rows + g->col[k];
        }
    igraph_integer_t n = (igraph_integer_t)g->n_rows + g->n_cols, size = 0;
    igraph_t graph;
    igraph_create(&graph, &ends, n, IGRAPH_UNDIRECTED);
    igraph_vector_bool_t side;
    igraph_vector_bool_init(&side, n);
    for (igraph_integer_t k = g->n_rows; k < n; k++)
        VECTOR(side)[k] = true;
    igraph_maximum_bipartite_matching(&graph, &side, &size, NULL, NULL, NULL, 0);
    igraph_vector_bool_destroy(&side);
    igraph_destroy(&graph);
    igraph_vector_int_destroy(&ends);
    igraph_set_error_handler(before);
    return (uint32_t)size;
}

uint32_t igraph_components(const Incidence *g, const Matching *m, uint32_t *component)
{
    igraph_error_handler_t *before = igraph_set_error_handler(on_igraph_error);
    igraph_vector_int_t ends;
    igraph_vector_int_init(&ends, 0);
    igraph_vector_int_reserve(&ends, 2 * (igraph_integer_t)g->n_edges);
    for (uint32_t e = 0; e < g->n_rows; e++)
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++) {
            uint32_t from = m->eq_of[g->col[k]];
            if (m->var_of[e] == INC_NONE || from == INC_NONE)
                continue;
            igraph_vector_int_push_back(&ends, from);
            igraph_vector_int_push_back(&ends, e);
        }
    igraph_t graph;
    igraph_create(&graph, &ends, g->n_rows, IGRAPH_DIRECTED);
    igraph_vector_int_t member;
    igraph_vector_int_init(&member, 0);
    igraph_integer_t count = 0;
    igraph_connected_components(&graph, &member, NULL, &count, IGRAPH_STRONG);
    uint32_t unmatched = 0;
    for (uint32_t e = 0; e < g->n_rows; e++) {
        bool matched = m->var_of[e] != INC_NONE;
        component[e] = matched ? (uint32_t)VECTOR(member)[e] : INC_NONE;
        unmatched += !matched;
    }
    igraph_vector_int_destroy(&member);
    igraph_destroy(&graph);
    igraph_vector_int_destroy(&ends);
    igraph_set_error_handler(before);
    return (uint32_t)count - unmatched;
}
