#include "graph/matching.h"
#include "graph/order.h"
#include "graph/tearing.h"
#include "tests/graph/multibody.h"
#include "tests/graph/random_incidence.h"

#include <criterion/criterion.h>

Test(tearing, explicit_part_is_explicit)
{
    uint32_t n_found = 0;
    for (unsigned seed = 1; seed < 3000; seed += 2) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        Label worst = (Label)(seed % 4);
        Order o = tearing_find(&g, worst, mem);
        cr_assert(tearing_check(&o, &g, worst), "seed %u", seed);
        Matching m = matching_find(&g, mem);
        cr_assert_eq(!o.why, m.size == g.n_rows, "seed %u", seed);
        n_found += !o.why && o.n_torn < o.n;
        arena_free(mem);
    }
    cr_assert(n_found > 100, "%u", n_found);
}

/* A ladder network of n resistors: one current torn, all else follows. */
Test(tearing, resistor_ladder_needs_one_tear)
{
    Arena *mem = arena_new();
    uint32_t n = 50;
    IncidenceBuilder b = incidence_begin(mem, 2 * n);
    for (uint32_t i = 0; i < n; i++) {
        /* voltages u_i = unknown i, currents i_i = unknown n + i through the rungs */
        incidence_row(&b);
        incidence_edge(&b, i, LABEL_ONE, 1);
        incidence_edge(&b, n + i, LABEL_PARAM, 1);
        incidence_row(&b);
        incidence_edge(&b, i, LABEL_ONE, 1);
        incidence_edge(&b, (i + 1) % n, LABEL_ONE, -1);
        incidence_edge(&b, n + i, LABEL_PARAM, 1);
    }
    Incidence g = incidence_done(&b);
    Order o = tearing_find(&g, LABEL_PARAM, mem);
    cr_assert(tearing_check(&o, &g, LABEL_PARAM));
    cr_assert_eq(o.n_torn, 1, "%u", o.n_torn);
    arena_free(mem);
}

Test(tearing, mechanisms_need_one_tear_per_joint)
{
    for (unsigned seed = 0; seed < 30; seed++) {
        srand(seed);
        Arena *mem = arena_new();
        Mechanism m = {.shape = (Shape)(seed % 3),
                       .n = 1 + seed,
                       .parent = random_parents(1 + seed, mem),
                       .keep_torque = seed % 2};
        Linear l = mechanism_equations(&m, seed, mem);
        Order o = tearing_find(&l.g, LABEL_PARAM, mem);
        cr_assert(tearing_check(&o, &l.g, LABEL_PARAM), "seed %u", seed);
        cr_assert_leq(o.n_torn, m.n, "seed %u: %u tears", seed, o.n_torn);
        cr_assert(order_estimate(&o, &l.g, mem).ok, "seed %u", seed);
        Solution s = linear_solve(&l, &o, mem);
        cr_assert(s.ok && solution_check(&l, &s), "seed %u", seed);
        arena_free(mem);
    }
}
