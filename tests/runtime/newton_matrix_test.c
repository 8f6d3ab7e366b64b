/* The matrix of Newton's method that the runtime makes and factors itself. */
#include "tests/runtime/spring.h"

static int spring_jacobian(RungContext *ctx, double t, const double *x, double *entry)
{
    (void)ctx, (void)t;
    entry[0] = -3 * x[0] * x[0];
    entry[1] = 1;
    entry[2] = -SPRING_DAMPING;
    return 0;
}

static const double x[] = {1.2, 0.4};

/* With the model's Jacobian, its pattern in colours or dense differences the correction is that of
 * the model's own iteration. */
Test(newton_matrix, corrects_as_the_model_does_from_any_jacobian)
{
    static const uint32_t start[] = {0, 1, 3}, row[] = {1, 0, 1}, colour[] = {0, 1};
    static const RungJacobian jacobian = {{2, 2, start, row, colour, 2}, spring_jacobian};
    static const JacobianKind kind[] = {JACOBIAN_ANALYTIC, JACOBIAN_COLOURED, JACOBIAN_DENSE};
    for (int k = 0; k < 3; k++) {
        Spring b;
        spring_open(&b, true);
        implicit_close(&b.implicit);
        b.m.jacobian = &jacobian;
        b.o.jacobian = kind[k];
        cr_assert(implicit_open(&b.implicit, &b.fixture.run));
        const Formula f = {.t = 0, .gamma = 0.5, .base = spring_base};
        double model[2];
        cr_assert_eq(newton_by_model.correct(&b.implicit, &f, x, 0), 0);
        memcpy(model, b.implicit.r, sizeof model);
        cr_assert_eq(newton_by_matrix.correct(&b.implicit, &f, x, 0), 0);
        double digits = kind[k] == JACOBIAN_ANALYTIC ? 1e-14 : 1e-6;
        cr_assert_float_eq(b.implicit.r[0], model[0], digits, "%d", k);
        cr_assert_float_eq(b.implicit.r[1], model[1], digits, "%d", k);
        cr_assert_eq(b.fixture.counts.jacobians, 1);
        spring_close(&b);
    }
}

/* Factors are kept while gamma is the same; another gamma makes a matrix, not a Jacobian. */
Test(newton_matrix, is_made_anew_for_another_gamma)
{
    Spring b;
    spring_open(&b, false);
    static const struct {
        double gamma;
        uint64_t factorisations;
    } turn[] = {{0.5, 1}, {0.5, 1}, {0.1, 2}, {0.1, 2}, {0.5, 3}};
    for (size_t k = 0; k < sizeof turn / sizeof *turn; k++) {
        double g = turn[k].gamma, a = 3 * g * x[0] * x[0], r[2], f[2];
        const Formula formula = {.t = 0, .gamma = g, .base = spring_base};
        cr_assert_eq(newton_by_matrix.correct(&b.implicit, &formula, x, 0), 0);
        cr_assert_eq(b.fixture.counts.factorisations, turn[k].factorisations, "%zu", k);
        cr_assert_eq(b.fixture.counts.jacobians, 1);
        // (1 - gamma J) times the correction is what was missed
        spring_xdot(NULL, 0, x, f);
        memcpy(r, b.implicit.r, sizeof r);
        cr_assert_float_eq(r[0] - g * r[1], spring_base[0] + g * f[0] - x[0], 1e-6);
        cr_assert_float_eq(a * r[0] + (1 + g * SPRING_DAMPING) * r[1],
                           spring_base[1] + g * f[1] - x[1], 1e-6);
        double column[] = {1, a};
        implicit_apply(&b.implicit, column); // the first column of the matrix
        cr_assert_float_eq(column[0], 1, 1e-6);
        cr_assert_float_eq(column[1], 0, 1e-6);
    }
    spring_close(&b);
}
