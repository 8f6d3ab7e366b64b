/* A, B, C, D where equations are solved at run time, and where these are singular. */
#include "runtime/problem/linearise.h"
#include "tests/runtime/fixture.h"

/* Rows x0', x1', v = z0 z2, then the equations of z0, z1, z2; columns x0, x1, z0, z1, z2. */
static int entries(RungContext *ctx, double t, const double *x, double *entry)
{
    int status = ctx->solve(ctx, 0, t, x);
    status = status ? status : ctx->solve(ctx, 1, t, x);
    const double e[] = {-ctx->p[1], -1,
                        -1,             // x0: x1', the equations of z0 and z2
                        1,          -1, // x1: x0', the equation of z1
                        ctx->z[2],  1,
                        1,              // z0
                        1,          -1, // z1
                        ctx->z[0],  1 + 3 * ctx->z[2] * ctx->z[2]};
    memcpy(entry, e, sizeof e);
    return status;
}

static const uint32_t output[] = {7};
static const RungLinearisation with_blocks = {
    {6, 5, (const uint32_t[]){0, 3, 5, 8, 10, 12},
     (const uint32_t[]){1, 3, 5, 0, 4, 2, 3, 4, 3, 4, 2, 5}, NULL, 0},
    .n_outputs = 1,
    .n_implicit = 3,
    .output = output,
    .entries = entries};
/* The same by differences: rows x0', x1', v. */
static const RungLinearisation by_differences = {{3, 2, (const uint32_t[]){0, 2, 4},
                                                  (const uint32_t[]){1, 2, 0, 2},
                                                  (const uint32_t[]){0, 1}, 2},
                                                 .n_outputs = 1,
                                                 .output = output};

static const double x[] = {1.3, 0.4};

Test(linearise, blocks_are_eliminated)
{
    for (int way = 0; way < 2; way++) {
        RungModel m = fixture_model();
        m.linearisation = way ? &by_differences : &with_blocks;
        RungContext *ctx = context_new(&m);
        Linearise *l = linearise_new(ctx);
        cr_assert(l && !context_update(ctx));
        cr_assert_eq(linearise_at(l, 0, x), 0);
        double a[6], z2 = ctx->z[2], z0 = 0.5 * (x[0] + x[1]);
        cr_assert_float_eq(z2 + z2 * z2 * z2, x[0], 1e-9);
        linearise_matrix(l, a);
        const double right[] = {0, -4, 0.5 * z2 + z0 / (1 + 3 * z2 * z2), 1, 0, 0.5 * z2};
        for (int k = 0; k < 6; k++)
            cr_assert_float_eq(a[k], right[k], way ? 1e-7 : 1e-9, "entry %d: %g", k, a[k]);
        // the transpose
        const double w[] = {0.3, -0.7}, y[] = {0.9};
        double by_x[2];
        linearise_adjoint(l, w, y, by_x, NULL);
        for (int c = 0; c < 2; c++)
            cr_assert_float_eq(by_x[c], w[0] * a[3 * c] + w[1] * a[3 * c + 1] + y[0] * a[3 * c + 2],
                               1e-12);
        linearise_free(l);
        context_free(ctx);
    }
}

/* z0 + z1 = x0 + x1 twice, x0' = z0 + z1, and v = `open` z0: unknowns are not unique, their sum
 * is. */
static double open, contradiction;

static int redundant(RungContext *ctx, double t, const double *at, double *entry)
{
    (void)ctx, (void)t, (void)at;
    const double e[] = {-1, -1 - contradiction, -1, -1, 1, open, 1, 1, 1, 1, 1};
    memcpy(entry, e, sizeof e);
    return 0;
}

static const RungLinearisation singular = {{5, 4, (const uint32_t[]){0, 2, 4, 8, 11},
                                            (const uint32_t[]){3, 4, 3, 4, 0, 2, 3, 4, 0, 3, 4},
                                            NULL, 0},
                                           .n_outputs = 1,
                                           .n_implicit = 2,
                                           .output = output,
                                           .entries = redundant};

Test(linearise, redundant_equations)
{
    RungModel m = fixture_model();
    m.linearisation = &singular;
    RungContext *ctx = context_new(&m);
    Linearise *l = linearise_new(ctx);
    double a[6], by_x[2];
    const double w[] = {2, 0}, y[] = {1};
    open = contradiction = 0;
    cr_assert_eq(linearise_at(l, 0, x), 0);
    linearise_matrix(l, a);
    const double right[] = {1, 0, 0, 1, 0, 0};
    for (int k = 0; k < 6; k++)
        cr_assert_float_eq(a[k], right[k], 1e-12);
    linearise_adjoint(l, w, y, by_x, NULL);
    cr_assert_float_eq(by_x[0], 2, 1e-12);
    cr_assert_float_eq(by_x[1], 2, 1e-12);
    // an output that is not unique has no derivative, the others have theirs
    open = 1;
    cr_assert_eq(linearise_at(l, 0, x), 0);
    linearise_matrix(l, a);
    cr_assert_float_eq(a[0], 1, 1e-12);
    cr_assert(isnan(a[2]) && isnan(a[5]));
    linearise_adjoint(l, w, NULL, by_x, NULL);
    cr_assert_float_eq(by_x[0], 2, 1e-12);
    // the second equation says something else: there is no derivative
    contradiction = 1;
    cr_assert_eq(linearise_at(l, 0, x), 1);
    linearise_free(l);
    context_free(ctx);
}

Test(linearise, no_linearisation)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    cr_assert_null(linearise_new(ctx));
    linearise_free(NULL);
    context_free(ctx);
}
