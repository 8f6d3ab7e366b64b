#include "graph/count.h"
#include "graph/dissection.h"
#include "graph/fill.h"
#include "graph/ladder.h"
#include "graph/matching.h"
#include "graph/mindegree.h"
#include "graph/order.h"
#include "graph/sweep.h"
#include "tests/graph/multibody.h"

#include <criterion/criterion.h>

/* Whether the order eliminates the system and the result satisfies every original equation; the
 * operations it takes, or 0 when it fails. */
static uint64_t ops_of(const Linear *l, const Order *o, const char *name, unsigned seed)
{
    cr_assert(!o->why, "%s, seed %u: %s", name, seed, o->why);
    cr_assert(order_check(o, &l->g), "%s, seed %u", name, seed);
    Arena *mem = arena_new();
    OrderPrice price = order_price(o, &l->g, mem);
    cr_assert(price.ok, "%s, seed %u: pair %u", name, seed, price.bad);
    Solution s = linear_solve(l, o, mem);
    cr_assert(!s.ok || solution_check(l, &s), "%s, seed %u", name, seed);
    uint64_t ops = s.ok ? s.ops : 0;
    OrderCount count = order_count(o, o->n, &l->g, UINT64_MAX, mem);
    cr_assert_eq(count.ok, s.ok, "%s, seed %u", name, seed);
    if (s.ok)
        cr_assert_eq(count.ops, s.ops, "%s, seed %u", name, seed);
    else
        cr_assert_eq(count.bad, s.bad, "%s, seed %u", name, seed);
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
        Order by_sweep = sweep_find(&l.g, mem);
        Order by_degree = mindegree_find(&l.g, mem), by_dissection = dissection_find(&l.g, mem);
        ops_of(&l, &by_ladder, "ladder", seed);
        ops_of(&l, &by_schubert, "schubert", seed);
        ops_of(&l, &by_sweep, "sweep", seed);
        ops_of(&l, &by_degree, "minimum degree", seed);
        ops_of(&l, &by_dissection, "dissection", seed);
        arena_free(mem);
    }
}
