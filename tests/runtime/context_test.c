/* Instances of a model: versions, names, parameters, blocks. */
#include "tests/runtime/fixture.h"

Test(context, is_not_made_of_another_version)
{
    RungModel m = fixture_model();
    m.version--;
    cr_assert_null(context_new(&m));
    m.version++;
    m.size--;
    cr_assert_null(context_new(&m));
}

Test(context, finds_and_sets)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    cr_assert_eq(context_find(ctx, "z2"), 6);
    cr_assert_eq(context_find(ctx, "z"), RUNG_NONE);
    cr_assert_eq(context_set(ctx, "z", "1"), SET_UNKNOWN);
    cr_assert_eq(context_set(ctx, "x0", "1"), SET_NOT_PARAMETER);
    cr_assert_eq(context_set(ctx, "b", "1"), SET_FIXED);
    cr_assert_eq(context_set(ctx, "a", "1 m"), SET_BAD_VALUE);
    cr_assert_eq(context_set(ctx, "a", ""), SET_BAD_VALUE);
    cr_assert_eq(context_set(ctx, "a", "2.5e1"), SET_OK);
    cr_assert_eq(context_update(ctx), 0);
    cr_assert_eq(ctx->p[1], 50); // the parameter that depends on it
    context_free(ctx);
}

Test(context, solves_blocks_on_the_way_to_values)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    const double x[] = {10, 4};
    double v[1];
    cr_assert_eq(context_update(ctx), 0);
    cr_assert_eq(m.outputs(ctx, 0, x, v), 0);
    cr_assert_float_eq(ctx->z[0], 7, 1e-12);
    cr_assert_float_eq(ctx->z[1], 3, 1e-12);
    cr_assert_float_eq(ctx->z[2], 2, 1e-12);
    cr_assert_float_eq(rung_value(ctx, 7, 0, x, v), 14, 1e-11);
    cr_assert_gt(context_iterations(ctx), 0);
    context_free(ctx);
}
