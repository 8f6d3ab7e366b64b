/* The two providers of a Newton correction, the model's own iteration and the runtime's matrix. */
#include "runtime/loop/newton_step.h"
#include "tests/runtime/spring.h"

Test(newton_step, both_solvers_find_the_same_correction)
{
    static const double x[] = {1.2, 0.4};
    for (double gamma = 1e-3; gamma < 20; gamma *= 10) {
        double r[2][2];
        for (int k = 0; k < 2; k++) {
            Spring b;
            spring_open(&b, k);
            b.fixture.run.problem.ctx->u[0] = 5;
            const Formula f = {.t = 0, .gamma = gamma, .base = spring_base};
            const NewtonSolver *solver = k ? &newton_by_model : &newton_by_matrix;
            cr_assert_eq(solver->correct(&b.implicit, &f, x, 0), 0);
            memcpy(r[k], b.implicit.r, sizeof r[k]);
            cr_assert_eq(b.fixture.run.problem.ctx->u[0], 5.0); // the input is the caller's
            cr_assert_eq(b.fixture.counts.factorisations, 1);
            spring_close(&b);
        }
        for (int i = 0; i < 2; i++) // the matrix is of differences
            cr_assert_float_eq(r[0][i], r[1][i], 1e-6, "%g: %g, %g", gamma, r[0][i], r[1][i]);
    }
}

Test(newton_step, of_weight_nothing_is_no_correction)
{
    Spring b;
    spring_open(&b, true);
    double delta[2] = {1, 1};
    static const double x[] = {1.2, 0.4};
    NewtonGiven given = {.gamma = 0.1, .weight = 0, .base = spring_base};
    cr_assert_eq(newton_step(&b.fixture.run.problem, 0, x, NULL, &given, delta), 0);
    cr_assert(delta[0] == 0 && delta[1] == 0);
    given.weight = 1;
    cr_assert_eq(newton_step(&b.fixture.run.problem, 0, x, NULL, &given, delta), 0);
    // x + delta solves the linear part: what is left is the cube's second order
    double next[] = {x[0] + delta[0], x[1] + delta[1]};
    double curved = 0.1 * (3 * x[0] * delta[0] * delta[0] + pow(delta[0], 3));
    cr_assert_float_eq(spring_missed(next, spring_base, 0.1), fabs(curved), 1e-14);
    spring_close(&b);
}
