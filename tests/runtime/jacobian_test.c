/* Jacobians and residual forms: expressions against differences, with and without colours. */
#include "runtime/method/dae_residual.h"
#include "runtime/method/iteration_matrix.h"
#include "runtime/method/jacobian.h"
#include "tests/runtime/fixture.h"

static int entries(RungContext *ctx, double t, const double *x, double *entry)
{
    (void)t, (void)x;
    entry[0] = -ctx->p[1]; // d x1' / d x0
    entry[1] = 1;          // d x0' / d x1
    return 0;
}

/* Columns share no row: one colour. */
static const RungJacobian jacobian = {
    {2, 2, (const uint32_t[]){0, 1, 2}, (const uint32_t[]){1, 0}, (const uint32_t[]){0, 0}, 1},
    entries};

Test(jacobian, differences_of_a_colour_are_the_entries)
{
    RungModel m = fixture_model();
    RungJacobian pattern_alone = jacobian;
    pattern_alone.entries = NULL;
    for (int way = 0; way < 3; way++) {
        SimulateOptions o = simulate_defaults();
        o.jacobian = way == 1 ? JACOBIAN_COLOURED : JACOBIAN_ANALYTIC;
        m.jacobian = way == 2 ? &pattern_alone : &jacobian;
        Fixture it;
        double entry[2], work[16];
        fixture_open(&it, &m, &o);
        cr_assert(jacobian_is_sparse(&it.run.problem));
        cr_assert_leq(jacobian_work(&it.run.problem), 16);
        cr_assert_eq(jacobian_entries(&it.run.problem, 0, it.x, NULL, entry, work), 0);
        cr_assert_float_eq(entry[0], -4, 1e-6);
        cr_assert_float_eq(entry[1], 1, 1e-6);
        cr_assert_eq(it.counts.evaluations, way == 0 ? 0 : 2);
        fixture_close(&it);
    }
    SimulateOptions o = simulate_defaults();
    o.jacobian = JACOBIAN_DENSE;
    Fixture it;
    fixture_open(&it, &m, &o);
    cr_assert_not(jacobian_is_sparse(&it.run.problem));
    fixture_close(&it);
}

Test(iteration_matrix, solves_with_and_without_a_pattern)
{
    RungModel m = fixture_model();
    for (int sparse = 0; sparse < 2; sparse++) {
        SimulateOptions o = simulate_defaults();
        m.jacobian = sparse ? &jacobian : NULL;
        Fixture it;
        IterationMatrix matrix;
        double b[] = {1 - 0.5 * 3, 3 + 0.5 * 4 * 1}; // (I - 0.5 J) (1, 3)
        fixture_open(&it, &m, &o);
        cr_assert(iteration_matrix_open(&matrix, &it.run.problem, it.run.problem.n));
        cr_assert_eq(iteration_matrix_renew(&matrix, &it.run.problem, 0, it.x), 0);
        cr_assert(iteration_matrix_factor(&matrix, &it.run.problem, 0.5));
        iteration_matrix_solve(&matrix, b);
        cr_assert_float_eq(b[0], 1, 1e-6);
        cr_assert_float_eq(b[1], 3, 1e-6);
        if (sparse) {
            const double *e = iteration_matrix_entries(&matrix, 2, 3);
            const double want[] = {2, -12, 3, 2}; // columns, rows ascending
            for (int k = 0; k < 4; k++)
                cr_assert_eq(e[k], want[k]);
        }
        iteration_matrix_close(&matrix);
        fixture_close(&it);
    }
}

/* a = x1' is torn: 0 = a + b x0; x0' = x1. */
static int form(RungContext *ctx, double t, const double *x, const double *a, double *r)
{
    (void)t;
    r[0] = a[0] + ctx->p[1] * x[0];
    return 0;
}

static int rates(RungContext *ctx, double t, const double *x, const double *a, double *rate)
{
    (void)ctx, (void)t, (void)a;
    rate[0] = x[1];
    return 0;
}

static int by_torn(RungContext *ctx, double t, const double *x, const double *a, double *entry)
{
    (void)ctx, (void)t, (void)x, (void)a;
    entry[0] = 1;
    return 0;
}

static int by_state(RungContext *ctx, double t, const double *x, const double *a, double *entry)
{
    (void)t, (void)x, (void)a;
    entry[0] = ctx->p[1];
    entry[1] = 1;
    return 0;
}

static const RungResidual residual = {
    .n = 1,
    .n_rates = 1,
    .variable = (const uint32_t[]){7},
    .state = (const uint32_t[]){1},
    .rate_of = (const uint32_t[]){0},
    .residual = form,
    .rates = rates,
    .by_torn_pattern = {2, 1, (const uint32_t[]){0, 1}, (const uint32_t[]){0},
                        (const uint32_t[]){0}, 1},
    .by_state_pattern = {2, 2, (const uint32_t[]){0, 1, 2}, (const uint32_t[]){0, 1},
                         (const uint32_t[]){0, 0}, 1},
    .by_torn = by_torn,
    .by_state = by_state,
};

Test(dae_residual, is_zero_at_the_start_and_its_matrix_is_its_derivative)
{
    RungModel m = fixture_model();
    m.residual = &residual;
    for (int coloured = 0; coloured < 2; coloured++) {
        SimulateOptions o = simulate_defaults();
        o.jacobian = coloured ? JACOBIAN_COLOURED : JACOBIAN_ANALYTIC;
        Fixture it;
        ResidualForm f;
        double y[2], yp[2], r[2], a[4] = {0};
        const double c = 7, step = 1e-6;
        fixture_open(&it, &m, &o);
        cr_assert(residual_form_open(&f, &it.run));
        cr_assert_eq(f.n, 2);
        cr_assert_eq(residual_form_start(&f, &it.run, y, yp), 0);
        cr_assert_eq(residual_form_f(&f, &it.run, 0, y, yp, r), 0);
        cr_assert_eq(r[0], 0);
        cr_assert_eq(r[1], 0);
        cr_assert_eq(residual_form_entries(&f, &it.run, 0, c, y, yp), 0);
        for (uint32_t k = 0; k < 2; k++)
            for (uint32_t e = f.col_start[k]; e < f.col_start[k + 1]; e++)
                a[f.row_of[e] + 2 * k] = f.entry[e];
        for (int k = 0; k < 2; k++) {
            y[k] += step;
            yp[k] += c * step;
            cr_assert_eq(residual_form_f(&f, &it.run, 0, y, yp, r), 0);
            for (int i = 0; i < 2; i++)
                cr_assert_float_eq(a[i + 2 * k], r[i] / step, 1e-6);
            y[k] -= step;
            yp[k] -= c * step;
        }
        residual_form_close(&f);
        fixture_close(&it);
    }
}
