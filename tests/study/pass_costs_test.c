#include "study/measure/pass_costs.h"

#include "fixture.h"

/* Each pass is measured, in their order; a model twice as large has twice the equations. */
Test(pass_costs, grow_with_the_model)
{
    uint32_t equations[2];
    for (uint32_t k = 0; k < 2; k++) {
        Fixture f =
            fixture_of("model M parameter Integer n = 10; Real x[n](each start = 1); equation "
                       "der(x) = -x; end M;");
        Request r = f.run.translation;
        r.model = k ? "M(n=20)" : "M";
        Compilation *c = compilation_open(&r, f.mem);
        PassCost *cost = arena_array(f.mem, PassCost, driver_n_passes());
        uint32_t n;
        cr_assert(pass_costs_measure(c, cost, &n));
        cr_assert_eq(n, driver_n_passes());
        for (uint32_t i = 0; i < n; i++) {
            cr_assert_eq(cost[i].pass, driver_pass(i));
            cr_assert_geq(cost[i].peak, i ? cost[i - 1].peak : cost[i].kept);
            cr_assert(cost[i].seconds >= 0 && cost[i].n_nodes > 0);
        }
        equations[k] = cost[n - 1].n_equations;
        compilation_free(c);
        fixture_end(&f);
    }
    cr_assert_eq(equations[0], 10);
    cr_assert_eq(equations[1], 20);
}

Test(pass_costs, end_at_an_error)
{
    Fixture f = fixture_of("model M Real x; equation x = y; end M;");
    Compilation *c = compilation_open(&f.run.translation, f.mem);
    PassCost *cost = arena_array(f.mem, PassCost, driver_n_passes());
    uint32_t n = 1;
    cr_assert_not(pass_costs_measure(c, cost, &n));
    cr_assert_eq(n, 0);
    compilation_free(c);
    fixture_end(&f);
}
