/* Linear blocks: regular, large and sparse, singular with and without a solution. */
#include "runtime/linear/linear.h"
#include "tests/runtime/fixture.h"

#include <float.h>
#include <stdlib.h>

static int same_rows(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                     double *r)
{
    (void)ctx, (void)copy, (void)t;
    r[0] = z[0] + z[1] - x[0];
    r[1] = z[0] + z[1] - x[1];
    return 0;
}

static int same_entries(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                        double *entry)
{
    (void)ctx, (void)copy, (void)t, (void)x, (void)z;
    entry[0] = entry[1] = entry[2] = entry[3] = 1;
    return 0;
}

Test(linear, singular_equations_agree_or_say_what_is_open)
{
    RungModel m = fixture_model();
    RungBlock block[2] = {fixture_block[0], fixture_block[1]};
    block[0].residual = same_rows;
    block[0].jacobian = same_entries;
    m.block = block;
    RungContext *ctx = context_new(&m);
    const double agree[] = {3, 3}, contradict[] = {3, 4};
    // what is open stays what it was
    ctx->z[1] = 1;
    cr_assert_eq(ctx->solve(ctx, 0, 0, agree), 0);
    cr_assert_float_eq(ctx->z[0] + ctx->z[1], 3, 1e-12);
    // a difference among the numbers below the smallest normal one is rounding
    const double least[] = {DBL_TRUE_MIN, 0};
    ctx->z[0] = ctx->z[1] = 0;
    cr_assert_eq(ctx->solve(ctx, 0, 0, least), 0);
    cr_assert_gt(ctx->solve(ctx, 0, 0, contradict), 0);
    cr_assert_eq(ctx->failed_block, 0);
    cr_assert(ctx->failed_unknown == 4 || ctx->failed_unknown == 5);
    context_free(ctx);
}

/* -z[k - 1] + 3 z[k] - z[k + 1] = x[0] */
enum { N = 100 };
static double factor_of_all = 1;

static int band_rows(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                     double *r)
{
    (void)ctx, (void)copy, (void)t;
    for (uint32_t k = 0; k < N; k++)
        r[k] =
            factor_of_all * (3 * z[k] - (k > 0 ? z[k - 1] : 0) - (k + 1 < N ? z[k + 1] : 0) - x[0]);
    return 0;
}

static int band_entries(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                        double *entry)
{
    (void)ctx, (void)copy, (void)t, (void)x, (void)z;
    for (uint32_t c = 0, e = 0; c < N; c++) {
        if (c > 0)
            entry[e++] = -factor_of_all;
        entry[e++] = 3 * factor_of_all;
        if (c + 1 < N)
            entry[e++] = -factor_of_all;
    }
    return 0;
}

Test(linear, large_blocks_take_the_order_of_their_columns)
{
    uint32_t start[N + 1] = {0}, row[3 * N], order[N], variable[N], e = 0;
    double ones[N], zeros[N] = {0};
    for (uint32_t c = 0; c < N; c++) {
        for (uint32_t r = c > 0 ? c - 1 : 0; r <= c + 1 && r < N; r++)
            row[e++] = r;
        start[c + 1] = e;
        order[c] = c * 37 % N;
        variable[c] = 4;
        ones[c] = 1;
    }
    for (int ordered = 0; ordered < 2; ordered++) {
        RungBlock b = {N,
                       0,
                       variable,
                       zeros,
                       ones,
                       fixture_equation,
                       band_rows,
                       {N, N, start, row, NULL, 0},
                       band_entries,
                       1,
                       0,
                       ordered ? order : NULL,
                       0};
        RungModel m = fixture_model();
        m.block = &b;
        m.n_blocks = 1;
        m.n_unknowns = N;
        RungContext *ctx = context_new(&m);
        // other entries, then the same once more
        for (int round = 0; round < 3; round++) {
            const double x[] = {1 + round, 0};
            double r[N];
            factor_of_all = round == 0 ? 1 : 5;
            cr_assert_eq(ctx->solve(ctx, 0, 0, x), 0);
            band_rows(ctx, 0, 0, x, ctx->z, r);
            for (uint32_t k = 0; k < N; k++)
                cr_assert_float_eq(r[k], 0, 1e-12);
        }
        context_free(ctx);
    }
}

/* The same equation twice: z0 + z1 = x0 is all that is known. */
static int once_rows(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                     double *r)
{
    (void)ctx, (void)copy, (void)t;
    r[0] = r[1] = z[0] + z[1] - x[0];
    return 0;
}

static bool by_sum; /* xdot is of what is determined */

static int open_xdot(RungContext *ctx, double t, const double *x, double *xdot)
{
    int status = ctx->solve(ctx, 0, t, x);
    xdot[0] = -(by_sum ? ctx->z[0] + ctx->z[1] : 2 * ctx->z[0]);
    xdot[1] = 0;
    return status;
}

/* Redundant equations do no harm, open unknowns that move a state stop every method by name. */
Test(linear, what_is_open_must_not_move_a_state)
{
    static const char *const methods[] = {"dopri5", "rk4", "esdirk", "trapezoid", "bdf"};
    for (size_t k = 0; k < 2 * sizeof methods / sizeof *methods; k++) {
        RungModel m = fixture_model();
        RungBlock block[2] = {fixture_block[0], fixture_block[1]};
        block[0].residual = once_rows;
        block[0].jacobian = same_entries;
        m.block = block;
        m.xdot = open_xdot;
        by_sum = k % 2;
        SimulateOptions o = simulate_defaults();
        o.method = methods[k / 2];
        o.step = 0.01;
        SimulateSummary s;
        int status = simulate(&m, &o, &s);
        cr_assert_eq(status, by_sum ? SIMULATE_OK : SIMULATE_FAILED, "%s: %d %s", o.method, status,
                     s.error);
        cr_assert(by_sum || (strstr(s.error, "'z0'") && strstr(s.error, "is open")), "%s: %s",
                  o.method, s.error);
    }
}
