/* Which orders a block is offered, and when none is. */
#include "eliminate/block/ordering.h"

#include "tests/graph/random_incidence.h"

#include <criterion/criterion.h>
#include <string.h>

Test(ordering, lists_of_names)
{
    static const char *const good[] = {"all", "ladder", "numeric", "frontal,tearing",
                                       "mindegree,dissection,numeric"};
    static const char *const bad[] = {"",        "sweep", "ladder,", "ladder,all",
                                      "ladders", "lad",   ",ladder"};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        cr_assert(ordering_is_known(good[k]), "%s", good[k]);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        cr_assert(!ordering_is_known(bad[k]), "%s", bad[k]);
    for (uint32_t k = 0; k < ORDER_NAMES; k++)
        cr_assert(ordering_is_known(ordering_name(k)));
}

/* The estimate of each order is that of its elimination on the structure; a dense rest may be
 * estimated without. */
Test(ordering, all_orders_the_cheapest_estimate_first)
{
    uint32_t n_orders = 0;
    for (unsigned seed = 1; seed <= 121; seed += 2) { /* square */
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        OrderPolicy policy = {0};
        Candidate c;
        uint64_t last = 0;
        bool seen[ORDERS] = {false};
        uint32_t k = 0;
        for (; ordering_next(&policy, &g, k, mem, &c); k++) {
            for (uint32_t i = 0; i < ORDERS; i++) {
                bool same = strcmp(c.name, ordering_name(i)) == 0;
                cr_assert(!same || !seen[i], "seed %u: %s again", seed, c.name);
                seen[i] = seen[i] || same;
            }
            if (candidate_reason(&c).kind) {
                cr_assert_eq(c.estimate, UINT64_MAX, "seed %u: %s", seed, c.name);
                continue;
            }
            n_orders++;
            cr_assert(order_check(&c.order, &g), "seed %u: %s", seed, c.name);
            cr_assert_geq(c.estimate, last, "seed %u: %s", seed, c.name);
            OrderEstimate e = order_estimate(&c.order, &g, mem);
            cr_assert(!e.ok || c.order.n_torn || c.estimate == e.ops, "seed %u: %s", seed, c.name);
            last = c.estimate;
        }
        cr_assert_eq(k, ORDERS, "seed %u", seed);
        arena_free(mem);
    }
    cr_assert_gt(n_orders, 60);
}

Test(ordering, what_is_asked_for_comes_alone_and_within_the_limit)
{
    uint32_t n_kept = 0, n_beyond = 0;
    for (unsigned seed = 1; seed <= 121; seed += 2) { /* square */
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        OrderPolicy asked = {.only = "mindegree,numeric"};
        Candidate c, again;
        cr_assert(ordering_next(&asked, &g, 0, mem, &c));
        cr_assert_str_eq(c.name, "mindegree");
        cr_assert(c.estimate == 0 && !c.is_numeric);
        cr_assert(ordering_next(&asked, &g, 1, mem, &again));
        cr_assert(again.is_numeric && order_check(&again.order, &g), "seed %u", seed);
        cr_assert(!ordering_next(&asked, &g, 2, mem, &again));
        OrderEstimate e = order_estimate(&c.order, &g, mem);
        if (!candidate_reason(&c).kind && e.ok && e.all > 1) {
            OrderPolicy narrow = {.only = "mindegree", .limit = e.all - 1};
            OrderPolicy wide = {.only = "mindegree", .limit = e.all};
            cr_assert(ordering_next(&wide, &g, 0, mem, &again));
            cr_assert_eq(candidate_reason(&again).kind, REASON_NONE);
            cr_assert(ordering_next(&narrow, &g, 0, mem, &again));
            cr_assert_eq(candidate_reason(&again).kind, REASON_LIMIT);
            cr_assert_eq(candidate_reason(&again).amount, (double)e.all);
            n_beyond++;
        }
        n_kept += !candidate_reason(&c).kind;
        OrderPolicy torn = {.is_torn = true};
        cr_assert(ordering_next(&torn, &g, 0, mem, &c) && c.is_torn);
        cr_assert(!ordering_next(&torn, &g, 1, mem, &c));
        arena_free(mem);
    }
    cr_assert(n_kept > 10 && n_beyond > 10, "%u, %u", n_kept, n_beyond);
}
