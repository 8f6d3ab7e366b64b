#include "graph/dissection.h"
#include "graph/frontal.h"
#include "graph/heap.h"
#include "graph/ladder.h"
#include "graph/matching.h"
#include "graph/mindegree.h"
#include "graph/order.h"
#include "graph/structure_class.h"
#include "graph/symbolic_lu.h"
#include "tests/graph/multibody.h"

#include <criterion/criterion.h>

/* Whether the order eliminates the system and the result satisfies every original equation; the
 * operations it takes, or 0 when it fails. */
static uint64_t ops_of(const Linear *l, const Order *o, const char *name, unsigned seed)
{
    cr_assert(!o->why, "%s, seed %u: %s", name, seed, o->why);
    cr_assert(order_check(o, &l->g), "%s, seed %u", name, seed);
    Arena *mem = arena_new();
    OrderEstimate price = order_estimate(o, &l->g, mem);
    cr_assert(price.ok, "%s, seed %u: pair %u", name, seed, price.bad);
    cr_assert(!o->ops || o->ops == price.ops, "%s, seed %u: the search found another price", name,
              seed);
    Solution s = linear_solve(l, o, mem);
    cr_assert(!s.ok || solution_check(l, &s), "%s, seed %u", name, seed);
    uint64_t ops = s.ok ? s.ops : 0;
    arena_free(mem);
    return ops;
}

Test(order, every_order_solves_random_trees, .timeout = 60)
{
    for (unsigned seed = 0; seed < 60; seed++) {
        srand(seed);
        Arena *mem = arena_new();
        uint32_t n = 1 + (uint32_t)rand() % 12;
        Mechanism m = {.shape = (Shape)(seed % 3),
                       .n = n,
                       .parent = random_parents(n, mem),
                       .keep_torque = seed % 2};
        Linear l = mechanism_equations(&m, seed, mem);
        cr_assert(incidence_check(&l.g));
        Ladder ladder = ladder_find(&l.g, mem);
        cr_assert(ladder_check(&ladder, &l.g), "seed %u", seed);
        Order by_ladder = ladder_order(&ladder, &l.g, LADDER_FILL, mem);
        Order by_schubert = ladder_order(&ladder, &l.g, LADDER_SCHUBERT, mem);
        Order by_frontal = frontal_order(&l.g, mem);
        Order by_degree = mindegree_find(&l.g, mem), by_dissection = dissection_find(&l.g, mem);
        cr_assert(by_ladder.ops && by_schubert.ops, "seed %u", seed);
        ops_of(&l, &by_ladder, "ladder", seed);
        ops_of(&l, &by_schubert, "schubert", seed);
        ops_of(&l, &by_frontal, "frontal", seed);
        ops_of(&l, &by_degree, "minimum degree", seed);
        ops_of(&l, &by_dissection, "dissection", seed);
        arena_free(mem);
    }
}

Test(heap, pops_the_lowest_of_the_newest_keys)
{
    enum { N = 40 };
    Arena *mem = arena_new();
    for (unsigned seed = 0; seed < 100; seed++) {
        srand(seed);
        Heap h = heap_new(N, mem);
        uint64_t key[N];
        bool is_set[N] = {0};
        for (uint32_t step = 0; step < 500; step++) {
            uint32_t k = (uint32_t)rand() % N, what = (uint32_t)rand() % 4, least = N, id;
            if (what < 2) {
                key[k] = (uint64_t)rand() % 8;
                is_set[k] = true;
                heap_set(&h, k, key[k]);
            } else if (what == 2) {
                is_set[k] = false;
                heap_drop(&h, k);
            } else {
                for (uint32_t i = 0; i < N; i++)
                    if (is_set[i] && (least == N || key[i] < key[least]))
                        least = i;
                cr_assert_eq(heap_pop(&h, &id), least < N, "seed %u", seed);
                cr_assert(least == N || id == least, "seed %u", seed);
                if (least < N)
                    is_set[least] = false;
            }
        }
    }
    arena_free(mem);
}

/* Operations per body between two lengths of a chain. */
static double slope(Shape shape, bool keep_torque, uint32_t n, LadderRule rule)
{
    uint64_t ops[2];
    for (uint32_t k = 0; k < 2; k++) {
        Arena *mem = arena_new();
        Mechanism m = {.shape = shape,
                       .n = n << k,
                       .parent = chain_parents(n << k, mem),
                       .keep_torque = keep_torque};
        Linear l = mechanism_equations(&m, 1, mem);
        Ladder ladder = ladder_find(&l.g, mem);
        cr_assert_eq(ladder.n, m.n, "%u structures", ladder.n);
        cr_assert_eq(ladder.n_loops, 0);
        Order o = ladder_order(&ladder, &l.g, rule, mem);
        ops[k] = ops_of(&l, &o, "ladder", 1);
        arena_free(mem);
    }
    return (double)(ops[1] - ops[0]) / n;
}

Test(ladder, operations_per_body_are_constant, .timeout = 60)
{
    static const double most[] = {90, 330, 520}; /* planar, slender, general */
    for (uint32_t k = 0; k < 6; k++)
        for (LadderRule rule = 0; rule < LADDER_RULES; rule++) {
            double some = slope((Shape)(k % 3), k >= 3, 20, rule);
            double many = slope((Shape)(k % 3), k >= 3, 40, rule);
            cr_assert_float_eq(some, many, 1e-9, "case %u, rule %u: %g %g", k, rule, some, many);
            if (rule == LADDER_FILL)
                cr_assert_lt(many, most[k % 3], "case %u: %g", k, many);
        }
}

/* 10,000 bodies on a tree, 200,000 unknowns: seconds. */
Test(ladder, ten_thousand_bodies, .timeout = 60)
{
    srand(1);
    Arena *mem = arena_new();
    uint32_t n = 10000;
    Mechanism m = {.shape = SHAPE_SLENDER, .n = n, .parent = random_parents(n, mem)};
    Linear l = mechanism_equations(&m, 1, mem);
    Ladder ladder = ladder_find(&l.g, mem);
    cr_assert(ladder_check(&ladder, &l.g));
    Order o = ladder_order(&ladder, &l.g, LADDER_FILL, mem);
    cr_assert(!o.why, "%s", o.why);
    OrderEstimate price = order_estimate(&o, &l.g, mem);
    cr_assert(price.ok);
    cr_assert_lt((double)price.ops, 500.0 * n);
    arena_free(mem);
}

/* A chain twice as long is twice the work, but no more straight code; a grid is. */
Test(order, straight_code_is_what_does_not_recur, .timeout = 60)
{
    enum { SIZES = 3 };
    uint64_t chain[SIZES], all[SIZES], grid[SIZES];
    for (uint32_t k = 0; k < SIZES; k++) {
        Arena *mem = arena_new();
        uint32_t n = 50u << k, side = 8u << k;
        Mechanism m = {.shape = SHAPE_SLENDER, .n = n, .parent = chain_parents(n, mem)};
        Linear l = mechanism_equations(&m, 1, mem);
        Ladder ladder = ladder_find(&l.g, mem);
        Order o = ladder_order(&ladder, &l.g, LADDER_FILL, mem);
        OrderEstimate price = order_estimate(&o, &l.g, mem);
        cr_assert(price.ok && price.straight <= price.all && price.ops <= price.all);
        chain[k] = price.straight;
        all[k] = price.all;

        IncidenceBuilder b = incidence_begin(mem, side * side);
        for (uint32_t i = 0; i < side * side; i++) {
            incidence_row(&b);
            incidence_edge(&b, i, LABEL_OTHER, 0);
            if (i % side)
                incidence_edge(&b, i - 1, LABEL_OTHER, 0);
            if (i % side < side - 1)
                incidence_edge(&b, i + 1, LABEL_OTHER, 0);
            if (i >= side)
                incidence_edge(&b, i - side, LABEL_OTHER, 0);
            if (i + side < side * side)
                incidence_edge(&b, i + side, LABEL_OTHER, 0);
        }
        Incidence g = incidence_done(&b);
        Order by_degree = mindegree_find(&g, mem);
        price = order_estimate(&by_degree, &g, mem);
        cr_assert(price.ok);
        grid[k] = price.straight;
        arena_free(mem);
    }
    for (uint32_t k = 1; k < SIZES; k++) {
        cr_assert_eq(chain[k], chain[0]);
        cr_assert_gt(all[k], 3 * all[k - 1] / 2);
        cr_assert_gt(grid[k], 4 * grid[k - 1]);
    }
}

/* The bodies inside a long chain are of as many classes as there are in a short one, and each of
 * their pairs has a role. */
Test(structure_class, do_not_depend_on_the_length, .timeout = 60)
{
    for (uint32_t shape = 0; shape < 3; shape++) {
        uint32_t n_classes[2];
        for (uint32_t k = 0; k < 2; k++) {
            Arena *mem = arena_new();
            uint32_t n = 12 << k;
            Mechanism m = {.shape = (Shape)shape, .n = n, .parent = chain_parents(n, mem)};
            Linear l = mechanism_equations(&m, 1, mem);
            Ladder ladder = ladder_find(&l.g, mem);
            Order o = ladder_order(&ladder, &l.g, LADDER_FILL, mem);
            StructureClasses classes = structure_classes(&o, &l.g, mem);
            n_classes[k] = classes.n;
            uint32_t next = 0;
            bool *seen = arena_array(mem, bool, o.n);
            for (uint32_t i = 0; i < classes.n_ranges; i++) {
                StructureRange t = classes.range[i];
                cr_assert_eq(t.begin, next);
                next += t.n;
                for (uint32_t j = t.begin; j < next; j++) {
                    uint32_t place = classes.by_role[j];
                    cr_assert(place >= t.begin && place < next && !seen[place]);
                    seen[place] = true;
                }
            }
            cr_assert_eq(next, o.n);
            arena_free(mem);
        }
        cr_assert_eq(n_classes[0], n_classes[1]);
    }
}

/* A chain of n four-bars: bodies 3 k and 3 k + 2 hang on the tip of the four-bar before, body 3 k +
 * 1 on 3 k, and its tip is pinned to that of 3 k + 2. */
static Linear four_bars(uint32_t n, Shape shape, Arena *mem)
{
    uint32_t *parent = arena_array(mem, uint32_t, 3 * n), (*loop)[2] = arena_alloc(mem, 8 * n);
    for (uint32_t k = 0; k < n; k++) {
        parent[3 * k] = parent[3 * k + 2] = k ? 3 * k - 2 : INC_NONE;
        parent[3 * k + 1] = 3 * k;
        loop[k][0] = 3 * k + 1;
        loop[k][1] = 3 * k + 2;
    }
    Mechanism m = {.shape = shape,
                   .n = 3 * n,
                   .parent = parent,
                   .n_loops = n,
                   .loop = (const uint32_t(*)[2])loop};
    return mechanism_equations(&m, 1, mem);
}

/* Multipliers are unknowns here. The ladder must solve such systems; the frontal order also does so
 * in O(n). */
Test(frontal, chain_of_loops_is_linear, .timeout = 60)
{
    for (uint32_t n = 5; n <= 40; n *= 2) {
        Arena *mem = arena_new();
        Linear l = four_bars(n, SHAPE_PLANAR, mem);
        Ladder ladder = ladder_find(&l.g, mem);
        cr_assert(ladder_check(&ladder, &l.g));
        Order by_ladder = ladder_order(&ladder, &l.g, LADDER_FILL, mem);
        cr_assert_gt(ops_of(&l, &by_ladder, "ladder", n), 0);
        Order by_frontal = frontal_order(&l.g, mem);
        uint64_t ops = ops_of(&l, &by_frontal, "frontal", n);
        cr_assert(ops > 0 && ops < 600 * n, "%u loops: %lu operations", n, (unsigned long)ops);
        arena_free(mem);
    }
}

/* Bands are chosen by the first pairs where there are many. */
Test(frontal, large_blocks_cost_no_more_per_loop, .timeout = 60)
{
    Arena *mem = arena_new();
    uint64_t ops[2];
    for (uint32_t k = 0; k < 2; k++) {
        Linear l = four_bars(k ? 300 : 30, SHAPE_PLANAR, mem);
        Order o = frontal_order(&l.g, mem);
        ops[k] = ops_of(&l, &o, "frontal", k);
    }
    cr_assert_gt(ops[0], 0);
    cr_assert_lt(ops[1], 11 * ops[0]);
    arena_free(mem);
}
