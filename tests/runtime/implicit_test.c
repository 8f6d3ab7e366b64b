/* Implicit steps: solved the same by either linear solver, and failures of both. */
#include "tests/runtime/spring.h"

/* x0' = 1 + x0^2: large steps have no solution */
static int escape_xdot(RungContext *ctx, double t, const double *x, double *f)
{
    (void)ctx, (void)t;
    f[0] = 1 + x[0] * x[0];
    f[1] = 0;
    return 0;
}

Test(implicit, both_solvers_find_the_same_step)
{
    for (double gamma = 1e-3; gamma < 2; gamma *= 10) {
        double x[2][2];
        for (int k = 0; k < 2; k++) {
            Spring b;
            spring_open(&b, k);
            memcpy(x[k], spring_base, sizeof spring_base);
            cr_assert_eq(implicit_solve(&b.implicit, 0, spring_base, gamma, (Closing){0}, x[k]), 0,
                         "%s", b.fixture.run.problem.why);
            cr_assert_lt(spring_missed(x[k], spring_base, gamma), 1e-10, "%d, %g", k, gamma);
            cr_assert_eq(spring_steps > 0, k);
            cr_assert_eq(b.fixture.counts.jacobians > 0, !k);
            cr_assert_gt(b.fixture.counts.iterations, 1);
            spring_close(&b);
        }
        cr_assert_float_eq(x[0][0], x[1][0], 1e-10, "%g", gamma);
        cr_assert_float_eq(x[0][1], x[1][1], 1e-10, "%g", gamma);
    }
}

/* Where the model's own iteration fails the matrix is taken, for four solutions, then for eight. */
Test(implicit, a_vanishing_pivot_is_gone_round_for_a_while)
{
    Spring b;
    spring_open(&b, true);
    int tried[16] = {0};
    spring_fails = true;
    for (int k = 0; k < 16; k++) {
        double x[] = {spring_base[0], spring_base[1]};
        spring_steps = 0;
        spring_fails = k < 5;
        cr_assert_eq(implicit_solve(&b.implicit, 0, spring_base, 0.1, (Closing){0}, x), 0, "%d: %s",
                     k, b.fixture.run.problem.why);
        cr_assert_lt(spring_missed(x, spring_base, 0.1), 1e-10, "%d", k);
        tried[k] = spring_steps > 0;
    }
    for (int k = 0; k < 16; k++)
        cr_assert_eq(tried[k], k == 0 || k == 4 || k >= 12, "%d", k);
    spring_close(&b);
}

Test(implicit, a_step_without_solution_fails_with_a_reason)
{
    Spring b;
    spring_open(&b, false);
    b.m.xdot = escape_xdot;
    double x[] = {1, 0};
    static const double from[] = {1, 0};
    // x = 1 + gamma (1 + x^2) has a root up to gamma = (sqrt(2) - 1) / 2
    cr_assert_eq(implicit_solve(&b.implicit, 0, from, 0.2, (Closing){0}, x), 0);
    cr_assert_float_eq(x[0], (1 - sqrt(1 - 4 * 0.2 * 1.2)) / 0.4, 1e-10);
    x[0] = 1;
    b.fixture.run.problem.why[0] = 0;
    cr_assert_gt(implicit_solve(&b.implicit, 0, from, 0.3, (Closing){0}, x), 0);
    cr_assert(strstr(b.fixture.run.problem.why, "Newton"), "%s", b.fixture.run.problem.why);
    spring_close(&b);
}
