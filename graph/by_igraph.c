#include "graph/by_igraph.h"

#include "base/bug.h"

#include <igraph/igraph.h>

static void on_igraph_error(const char *why, const char *file, int line, igraph_error_t code)
{
    bug("igraph: %s (%s) at %s:%d", why, igraph_strerror(code), file, line);
}

static void digraph_create(igraph_t *out, const Digraph *g, igraph_bool_t directed)
{
    igraph_vector_int_t ends;
    igraph_vector_int_init(&ends, 2 * (igraph_integer_t)g->n_edges);
    for (uint32_t k = 0; k < g->n_edges; k++) {
        VECTOR(ends)[2 * (igraph_integer_t)k] = g->from[k];
        VECTOR(ends)[2 * (igraph_integer_t)k + 1] = g->to[k];
    }
    igraph_create(out, &ends, g->n, directed);
    igraph_vector_int_destroy(&ends);
}

static void colours_create(igraph_vector_int_t *out, const Digraph *g)
{
    igraph_vector_int_init(out, g->n);
    for (uint32_t v = 0; v < g->n; v++)
        VECTOR(*out)[v] = g->colour[v];
}

bool igraph_isomorphism(const Digraph *a, const Digraph *b, uint32_t *map)
{
    igraph_error_handler_t *before = igraph_set_error_handler(on_igraph_error);
    igraph_t first, second;
    digraph_create(&first, a, IGRAPH_DIRECTED);
    digraph_create(&second, b, IGRAPH_DIRECTED);
    igraph_vector_int_t first_colour, second_colour, image;
    colours_create(&first_colour, a);
    colours_create(&second_colour, b);
    igraph_vector_int_init(&image, 0);
    igraph_bool_t same = false;
    igraph_isomorphic_bliss(&first, &second, &first_colour, &second_colour, &same, &image, NULL,
                            IGRAPH_BLISS_FL, NULL, NULL);
    for (uint32_t v = 0; same && v < a->n; v++)
        map[v] = (uint32_t)VECTOR(image)[v];
    igraph_vector_int_destroy(&image);
    igraph_vector_int_destroy(&second_colour);
    igraph_vector_int_destroy(&first_colour);
    igraph_destroy(&second);
    igraph_destroy(&first);
    igraph_set_error_handler(before);
    return same;
}

uint32_t igraph_colours(const Digraph *g, uint32_t *colour)
{
    igraph_error_handler_t *before = igraph_set_error_handler(on_igraph_error);
    igraph_t graph;
    digraph_create(&graph, g, IGRAPH_UNDIRECTED);
    igraph_vector_int_t found;
    igraph_vector_int_init(&found, 0);
    igraph_vertex_coloring_greedy(&graph, &found, IGRAPH_COLORING_GREEDY_COLORED_NEIGHBORS);
    uint32_t n = 0;
    for (uint32_t v = 0; v < g->n; v++) {
        colour[v] = (uint32_t)VECTOR(found)[v];
        n = colour[v] >= n ? colour[v] + 1 : n;
    }
    igraph_vector_int_destroy(&found);
    igraph_destroy(&graph);
    igraph_set_error_handler(before);
    return n;
}

bool igraph_layers(const Digraph *g, uint64_t most_crossed, double *x, double *y)
{
    enum { ITERATIONS = 100 }; /* at most, over all layers, for fewer crossings */
    igraph_error_handler_t *before = igraph_set_error_handler(on_igraph_error);
    igraph_t graph;
    digraph_create(&graph, g, IGRAPH_DIRECTED);
    igraph_vector_int_t order, next, layer;
    igraph_vector_int_init(&order, 0);
    igraph_vector_int_init(&next, 0);
    igraph_vector_int_init(&layer, g->n);
    igraph_topological_sorting(&graph, &order, IGRAPH_OUT);
    for (igraph_integer_t k = 0; k < g->n; k++) {
        igraph_integer_t v = VECTOR(order)[k];
        igraph_neighbors(&graph, &next, v, IGRAPH_OUT);
        for (igraph_integer_t i = 0; i < igraph_vector_int_size(&next); i++) {
            igraph_integer_t w = VECTOR(next)[i];
            if (VECTOR(layer)[w] <= VECTOR(layer)[v])
                VECTOR(layer)[w] = VECTOR(layer)[v] + 1;
        }
    }
    uint64_t crossed = 0;
    for (uint32_t k = 0; k < g->n_edges; k++)
        crossed += (uint64_t)(VECTOR(layer)[g->to[k]] - VECTOR(layer)[g->from[k]]);
    bool ok = crossed <= most_crossed;
    igraph_matrix_t place;
    igraph_matrix_init(&place, 0, 0);
    if (ok)
        igraph_layout_sugiyama(&graph, &place, NULL, NULL, &layer, 1, 1, ITERATIONS, NULL);
    double left = 0;
    for (uint32_t v = 0; ok && v < g->n; v++)
        left = v == 0 || MATRIX(place, v, 0) < left ? MATRIX(place, v, 0) : left;
    for (uint32_t v = 0; ok && v < g->n; v++) {
        x[v] = MATRIX(place, v, 0) - left;
        y[v] = (double)VECTOR(layer)[v];
    }
    igraph_matrix_destroy(&place);
    igraph_vector_int_destroy(&layer);
    igraph_vector_int_destroy(&next);
    igraph_vector_int_destroy(&order);
    igraph_destroy(&graph);
    igraph_set_error_handler(before);
    return ok;
}

void igraph_assignment(uint32_t n, const double *cost, uint32_t *to)
{
    if (n == 0)
        return;
    igraph_error_handler_t *before = igraph_set_error_handler(on_igraph_error);
    igraph_matrix_t c;
    igraph_vector_int_t found;
    igraph_matrix_init(&c, n, n);
    igraph_vector_int_init(&found, n);
    for (uint32_t r = 0; r < n; r++)
        for (uint32_t k = 0; k < n; k++)
            MATRIX(c, r, k) = cost[(size_t)r * n + k];
    igraph_solve_lsap(&c, n, &found);
    for (uint32_t r = 0; r < n; r++)
        to[r] = (uint32_t)VECTOR(found)[r];
    igraph_vector_int_destroy(&found);
    igraph_matrix_destroy(&c);
    igraph_set_error_handler(before);
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
