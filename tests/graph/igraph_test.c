#include "graph/by_igraph.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static const uint32_t square_from[] = {0, 1, 2, 3}, square_to[] = {1, 2, 3, 0};

Test(igraph, colours_of_edges_differ)
{
    Digraph square = {4, 4, square_from, square_to, NULL};
    uint32_t colour[4];
    cr_assert_eq(igraph_colours(&square, colour), 2);
    for (uint32_t k = 0; k < 4; k++)
        cr_assert_neq(colour[square_from[k]], colour[square_to[k]]);
}

Test(igraph, isomorphism_maps_edges_and_colours)
{
    const uint32_t from[] = {2, 0, 3, 1}, to[] = {0, 3, 1, 2}; /* 2 0 3 1 */
    const uint32_t colour[] = {7, 7, 7, 5}, other[] = {7, 5, 7, 7}, plain[] = {7, 7, 7, 7};
    Digraph a = {4, 4, square_from, square_to, colour}, b = {4, 4, from, to, other};
    uint32_t map[4];
    cr_assert(igraph_isomorphism(&a, &b, map));
    for (uint32_t k = 0; k < 4; k++) {
        bool found = false;
        for (uint32_t i = 0; i < 4; i++)
            found = found || (from[i] == map[square_from[k]] && to[i] == map[square_to[k]]);
        cr_assert(found);
        cr_assert_eq(colour[k], other[map[k]]);
    }
    b.colour = plain;
    cr_assert_not(igraph_isomorphism(&a, &b, map));
}

/* 0 -> 1 -> 3, 0 -> 2 -> 3, 0 -> 3 */
Test(igraph, edges_lead_to_later_layers)
{
    const uint32_t from[] = {0, 1, 0, 2, 0}, to[] = {1, 3, 2, 3, 3};
    Digraph g = {4, 5, from, to, NULL};
    double x[4], y[4];
    cr_assert_not(igraph_layers(&g, 5, x, y), "layers crossed: 1 + 1 + 1 + 1 + 2");
    cr_assert(igraph_layers(&g, 6, x, y));
    for (uint32_t k = 0; k < 5; k++)
        cr_assert_lt(y[from[k]], y[to[k]]);
    cr_assert_eq(y[0], 0);
    cr_assert_eq(y[3], 2);
    cr_assert_geq(x[1] > x[2] ? x[1] - x[2] : x[2] - x[1], 1);
    for (uint32_t v = 0; v < 4; v++)
        cr_assert_geq(x[v], 0);
}

/* By all permutations of four. */
Test(igraph, assignment_costs_least)
{
    enum { N = 4 };
    for (unsigned seed = 0; seed < 20; seed++) {
        double cost[N * N], least = INFINITY, found = 0;
        uint32_t to[N];
        srand(seed);
        for (uint32_t k = 0; k < N * N; k++)
            cost[k] = rand() % 1000 - 500;
        for (uint32_t all = 0; all < N * N * N * N; all++) {
            uint32_t p[N] = {all % N, all / N % N, all / (N * N) % N, all / (N * N * N)};
            double sum = 0;
            bool differ = true;
            for (uint32_t r = 0; r < N; r++) {
                sum += cost[r * N + p[r]];
                for (uint32_t k = 0; k < r; k++)
                    differ = differ && p[k] != p[r];
            }
            least = differ && sum < least ? sum : least;
        }
        igraph_assignment(N, cost, to);
        for (uint32_t r = 0; r < N; r++)
            found += cost[r * N + to[r]];
        cr_assert_float_eq(found, least, 1e-9, "seed %u: %g, %g", seed, found, least);
    }
}
