#include "graph/mindegree.h"
#include "graph/order.h"
#include "graph/threshold_degree.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

static double any_number(void)
{
    return (rand() % 2 ? 1 : -1) * (0.5 + (double)rand() / RAND_MAX);
}

/* A random matrix of full structural rank; some entries vanish at the second point. */
static Incidence random_matrix(uint32_t n, Arena *mem)
{
    IncidenceBuilder b = incidence_begin(mem, n);
    for (uint32_t e = 0; e < n; e++) {
        incidence_row(&b);
        incidence_edge(&b, (e * 7 + 3) % n, LABEL_OTHER, 0);
        for (int k = 0; k < 3; k++)
            incidence_edge(&b, (uint32_t)rand() % n, LABEL_OTHER, 0);
    }
    Incidence g = incidence_done(&b);
    g.number = arena_alloc(mem, (g.n_edges + 1) * sizeof *g.number);
    for (uint32_t k = 0; k < g.n_edges; k++) {
        g.number[k][0] = any_number();
        g.number[k][1] = rand() % 3 ? any_number() : 0;
    }
    return g;
}

/* The smallest pivot of a dense elimination in the order, at a point. */
static double smallest_pivot(const Incidence *g, const Order *o, int point, Arena *mem)
{
    uint32_t n = g->n_rows;
    double *a = arena_array(mem, double, n *n), least = INFINITY;
    for (uint32_t e = 0; e < n; e++)
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            a[e * n + g->col[k]] = g->number[k][point];
    for (uint32_t s = 0; s < n; s++) {
        uint32_t e = o->eq[s], v = o->var[s];
        least = fmin(least, fabs(a[e * n + v]));
        for (uint32_t later = s + 1; later < n && a[e * n + v] != 0; later++) {
            uint32_t r = o->eq[later];
            double f = a[r * n + v] / a[e * n + v];
            for (uint32_t c = 0; c < n; c++)
                a[r * n + c] -= f * a[e * n + c];
        }
    }
    return least;
}

Test(threshold_degree, no_pivot_vanishes_at_the_points)
{
    uint32_t n_found = 0, n_avoided = 0;
    for (unsigned seed = 0; seed < 400; seed++) {
        srand(seed);
        Arena *mem = arena_new();
        Incidence g = random_matrix(2 + seed % 25, mem);
        Order o = threshold_degree_find(&g, NULL, mem);
        if (!o.why) {
            n_found++;
            cr_assert(order_check(&o, &g), "seed %u", seed);
            for (int point = 0; point < 2; point++)
                cr_assert_gt(smallest_pivot(&g, &o, point, mem), 1e-9, "seed %u", seed);
            Order by_structure = mindegree_find(&g, mem);
            n_avoided += !by_structure.why && smallest_pivot(&g, &by_structure, 1, mem) < 1e-9;
        }
        arena_free(mem);
    }
    cr_assert_gt(n_found, 60, "%u", n_found);
    cr_assert_gt(n_avoided, 20, "structure alone meets zeros: %u", n_avoided);
}

/* m legs of four unknowns, each of which contains the three of the body that all hang on. */
static uint64_t cost_of_legs(uint32_t m, Arena *mem)
{
    enum { LEG = 4, BODY = 3 };
    uint32_t n = LEG * m + BODY;
    IncidenceBuilder b = incidence_begin(mem, n);
    for (uint32_t e = 0; e < n; e++) {
        uint32_t leg = e / LEG;
        incidence_row(&b);
        for (uint32_t c = 0; c < n; c++)
            if (e >= LEG * m || c >= LEG * m || c / LEG == leg)
                incidence_edge(&b, c, LABEL_OTHER, 0);
    }
    Incidence g = incidence_done(&b);
    g.number = arena_alloc(mem, (g.n_edges + 1) * sizeof *g.number);
    for (uint32_t e = 0; e < n; e++)
        for (uint32_t k = g.row_begin[e]; k < g.row_begin[e + 1]; k++)
            g.number[k][0] = g.number[k][1] = g.col[k] == e ? 10 : any_number();
    Order o = threshold_degree_find(&g, NULL, mem);
    cr_assert(!o.why, "%s", o.why);
    OrderEstimate p = order_estimate(&o, &g, mem);
    cr_assert(p.ok);
    return p.ops;
}

Test(threshold_degree, legs_go_before_the_body_they_hang_on)
{
    Arena *mem = arena_new();
    uint64_t a = cost_of_legs(4, mem), b = cost_of_legs(8, mem), c = cost_of_legs(16, mem);
    cr_assert_eq(c - b, 2 * (b - a), "%lu, %lu, %lu", (unsigned long)a, (unsigned long)b,
                 (unsigned long)c);
    arena_free(mem);
}

/* Two pairs are preferred; the handle of the structure waits for its member. */
Test(threshold_degree, preferred_pairs_come_first)
{
    Arena *mem = arena_new();
    IncidenceBuilder b = incidence_begin(mem, 3);
    for (uint32_t e = 0; e < 3; e++) {
        incidence_row(&b);
        for (uint32_t c = 0; c < 3; c++)
            incidence_edge(&b, c, LABEL_OTHER, 0);
    }
    Incidence g = incidence_done(&b);
    g.number = arena_alloc(mem, g.n_edges * sizeof *g.number);
    for (uint32_t k = 0; k < g.n_edges; k++)
        g.number[k][0] = g.number[k][1] = 1.0 / (1 + k * k);
    uint32_t var_of[] = {2, 0, INC_NONE}, stage_of[] = {INC_NONE, 0, INC_NONE};
    uint32_t handle_of[] = {0, INC_NONE, INC_NONE};
    bool is_taken[] = {true, false, true};
    PreferredPivots p = {var_of, stage_of, handle_of, is_taken, 1, true};
    Order o = threshold_degree_find(&g, &p, mem);
    cr_assert(!o.why, "%s", o.why);
    cr_assert_eq(o.eq[0], 1);
    cr_assert_eq(o.var[0], 0);
    cr_assert_eq(o.eq[1], 0);
    cr_assert_eq(o.var[1], 2);
    arena_free(mem);
}

Test(threshold_degree, says_why_there_is_no_order)
{
    Arena *mem = arena_new();
    srand(1);
    Incidence g = random_matrix(3, mem);
    for (uint32_t k = 0; k < g.n_edges; k++)
        g.number[k][1] = 0;
    cr_assert_not_null(threshold_degree_find(&g, NULL, mem).why);
    g.number = NULL;
    cr_assert_not_null(threshold_degree_find(&g, NULL, mem).why);
    arena_free(mem);
}
