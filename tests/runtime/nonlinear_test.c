/* Nonlinear blocks: far guesses, equations without a solution. */
#include "runtime/linear/nonlinear.h"
#include "tests/runtime/fixture.h"

static int no_root(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                   double *r)
{
    (void)ctx, (void)copy, (void)t, (void)x;
    r[0] = z[0] * z[0] + 1;
    return 0;
}

static int no_root_entries(RungContext *ctx, uint32_t copy, double t, const double *x,
                           const double *z, double *entry)
{
    (void)ctx, (void)copy, (void)t, (void)x;
    entry[0] = 2 * z[0];
    return 0;
}

Test(nonlinear, converges_from_near_and_far)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    for (double guess = -1e6; guess < 2e6; guess += 333333) {
        const double x[] = {30, 0};
        ctx->z[2] = guess;
        cr_assert_eq(ctx->solve(ctx, 1, 0, x), 0, "from %g", guess);
        cr_assert_float_eq(ctx->z[2], 3, 1e-13);
    }
    context_free(ctx);
}

Test(nonlinear, says_which_block_has_no_solution_and_keeps_the_guess)
{
    RungModel m = fixture_model();
    RungBlock block[2] = {fixture_block[0], fixture_block[1]};
    block[1].residual = no_root;
    block[1].jacobian = no_root_entries;
    m.block = block;
    RungContext *ctx = context_new(&m);
    const double x[] = {0, 0};
    for (int search = 0; search < 2; search++) {
        context_search(ctx, search);
        ctx->z[2] = 0.7;
        ctx->failed_block = RUNG_NONE;
        cr_assert_gt(ctx->solve(ctx, 1, 0, x), 0);
        cr_assert_eq(ctx->failed_block, 1);
        cr_assert_eq(ctx->z[2], 0.7);
    }
    context_free(ctx);
}

/* atan(z) = x0: far out the slope says nothing. */
static int flat_row(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                    double *r)
{
    (void)ctx, (void)copy, (void)t;
    r[0] = atan(z[0]) - x[0];
    return 0;
}

static int flat_entry(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                      double *entry)
{
    (void)ctx, (void)copy, (void)t, (void)x;
    entry[0] = 1 / (1 + z[0] * z[0]);
    return 0;
}

Test(nonlinear, what_a_failed_attempt_has_left_is_no_guess)
{
    RungModel m = fixture_model();
    RungBlock block[2] = {fixture_block[0], fixture_block[1]};
    block[1].residual = flat_row;
    block[1].jacobian = flat_entry;
    m.block = block;
    const double x[] = {0.5, 0};
    for (int settled = 0; settled < 2; settled++) {
        RungContext *ctx = context_new(&m);
        double *z = &ctx->z[block[1].first];
        *z = 0.3;
        if (settled)
            context_settle(ctx);
        *z = 1e12;
        cr_assert_eq(ctx->solve(ctx, 1, 0, x) == 0, settled, "%d: %g", settled, *z);
        if (settled)
            cr_assert_float_eq(*z, tan(0.5), 1e-12);
        context_free(ctx);
    }
}

/* The same by a scratch of its own: z + z^3 = x0. */
Test(nonlinear, scratch_of_its_own)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    Nonlinear *w = nonlinear_new(&m);
    cr_assert_not_null(w);
    cr_assert_eq(nonlinear_iterations(w), 0);
    for (double root = -3; root <= 3; root += 0.75) {
        const double x[] = {root + root * root * root, 0};
        cr_assert_eq(nonlinear_solve(w, ctx, 1, 0, x), 0);
        cr_assert_float_eq(ctx->z[2], root, 1e-12);
        nonlinear_go_on(w, ctx);
    }
    uint64_t n = nonlinear_iterations(w);
    cr_assert_geq(n, 8);
    cr_assert_not(nonlinear_leave_kinks(w, true));
    cr_assert(nonlinear_leave_kinks(w, false), "the former setting");
    nonlinear_keep(w, ctx);
    cr_assert_not(nonlinear_has_left(w, ctx));
    nonlinear_free(w);
    context_free(ctx);
}
