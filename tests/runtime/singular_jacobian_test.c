/* Singular Jacobians: corrections of determined unknowns, families of solutions against folds. */
#include "runtime/linear/singular_jacobian.h"
#include "tests/runtime/fixture.h"

enum { N = 3 };
static const uint32_t col_start[N + 1] = {0, 3, 6, 9}, row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
static const double nominal[N] = {1, 1e5, 1}, start[N];
static const uint32_t variable[N] = {RUNG_NONE, RUNG_NONE, RUNG_NONE};

/* Columns of rank 2 in units far apart: row 2 is 1e-7 of the sum of the others. */
static const double entry[] = {1e5, 1e6, 0.11, 1, -2, -1e-7, 3e5, 3e6, 0.33};

Test(singular_jacobian, corrects_determined_unknowns)
{
    const RungBlock b = {.n = N, .nominal = nominal, .pattern = {N, N, col_start, row, NULL, 0}};
    const double z[N] = {0, 0, 0}, d[N] = {0.3, 2e4, -0.1};
    SingularJacobian it = {0};
    cr_assert_eq(singular_jacobian_make(&it, &b, entry, z), 0);
    cr_assert_eq(it.rank, 2);
    double r[N] = {0}, left[N] = {0}, along[N];
    for (uint32_t c = 0; c < N; c++)
        for (uint32_t i = 0; i < N; i++)
            r[i] += entry[c * N + i] * d[c];
    memcpy(left, r, sizeof left);
    cr_assert(singular_jacobian_correct(&it, r));
    for (uint32_t c = 0; c < N; c++)
        for (uint32_t i = 0; i < N; i++)
            left[i] -= entry[c * N + i] * r[c];
    cr_assert_lt(singular_jacobian_residual(&it, left), 1e-14);
    cr_assert_eq(r[it.order[2]], 0, "the open unknown stays");

    singular_jacobian_tangent(&it, 0, 0.5, along);
    memset(left, 0, sizeof left);
    for (uint32_t c = 0; c < N; c++)
        for (uint32_t i = 0; i < N; i++)
            left[i] += entry[c * N + i] * along[c];
    cr_assert_lt(singular_jacobian_residual(&it, left), 1e-14);
    cr_assert_eq(along[it.order[2]], 0.5);

    double contradiction[N] = {0, 0, 1e-4};
    cr_assert_not(singular_jacobian_correct(&it, contradiction));
    singular_jacobian_free(&it);
}

/* z1 + z1^3 = z0 - z2 beside z1 = x1 twice: any z0 for its z2. */
static int family(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                  double *r)
{
    (void)ctx, (void)copy, (void)t;
    r[0] = z[1] + z[1] * z[1] * z[1] - z[0] + z[2];
    r[1] = z[1] - x[1];
    r[2] = 2 * x[1] - 2 * z[1];
    return 0;
}

static int family_entries(RungContext *ctx, uint32_t copy, double t, const double *x,
                          const double *z, double *out)
{
    (void)ctx, (void)copy, (void)t, (void)x;
    const double now[] = {-1, 0, 0, 1 + 3 * z[1] * z[1], 1, -2, 1, 0, 0};
    memcpy(out, now, sizeof now);
    return 0;
}

/* The circle z0^2 + z1^2 = 1 meets the line z0 + z1 = x1; z2 = 0. Singular where they touch. */
static int fold(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                double *r)
{
    (void)ctx, (void)copy, (void)t;
    r[0] = z[0] * z[0] + z[1] * z[1] - 1;
    r[1] = z[0] + z[1] - x[1];
    r[2] = z[2];
    return 0;
}

static int fold_entries(RungContext *ctx, uint32_t copy, double t, const double *x, const double *z,
                        double *out)
{
    (void)ctx, (void)copy, (void)t, (void)x;
    const double now[] = {2 * z[0], 1, 0, 2 * z[1], 1, 0, 0, 0, 1};
    memcpy(out, now, sizeof now);
    return 0;
}

/* A fixture of one block. */
static RungModel model_of(RungBlock *b)
{
    RungModel m = fixture_model();
    *b = (RungBlock){.n = N,
                     .variable = variable,
                     .start = start,
                     .nominal = nominal,
                     .pattern = {N, N, col_start, row, NULL, 0}};
    m.block = b;
    m.n_blocks = 1;
    m.n_unknowns = N;
    return m;
}

Test(singular_jacobian, open_unknowns_of_a_family_keep_their_values)
{
    RungBlock b;
    RungModel m = model_of(&b);
    b.residual = family;
    b.jacobian = family_entries;
    RungContext *ctx = context_new(&m);
    double x[] = {0, 0};
    const double z0 = 4, z2 = 3e3;
    ctx->z[0] = z0;
    ctx->z[2] = z2;
    context_settle(ctx);
    for (int i = 0; i < 5; i++) {
        x[1] = 0.1 * i;
        cr_assert_eq(ctx->solve(ctx, 0, 0, x), 0);
        cr_assert_float_eq(ctx->z[1], x[1], 1e-12);
        cr_assert_float_eq(ctx->z[0] - ctx->z[2], x[1] + pow(x[1], 3), 1e-9);
        cr_assert(fabs(ctx->z[0] - z0) < 1e-9 || fabs(ctx->z[2] - z2) < 1e-6, "one of them stays");
    }
    context_free(ctx);
}

Test(singular_jacobian, a_fold_is_no_family)
{
    RungBlock b;
    RungModel m = model_of(&b);
    b.residual = fold;
    b.jacobian = fold_entries;
    const double touch = sqrt(2);
    for (int beyond = 0; beyond < 3; beyond++) {
        const double x[] = {0, touch + (beyond ? 1e-6 * beyond : -1e-6)};
        RungContext *ctx = context_new(&m);
        ctx->z[0] = ctx->z[1] = touch / 2; // where the Jacobian is singular
        context_settle(ctx);
        cr_assert_gt(ctx->solve(ctx, 0, 0, x), 0, "%d", beyond);
        ctx->z[0] += 0.01;
        context_settle(ctx);
        cr_assert_eq(ctx->solve(ctx, 0, 0, x) > 0, beyond > 0);
        context_free(ctx);
    }
}
