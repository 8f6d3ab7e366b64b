#include "runtime/problem/fallback.h"

#include <criterion/criterion.h>

static double least_pivot(double tolerance)
{
    RungContext ctx = {0};
    struct Fallback *f = fallback_new(&ctx, tolerance);
    cr_assert_not_null(f);
    double least = ctx.least;
    fallback_delete(f);
    return least;
}

/* Quotients by pivots that are not too small are good to a tenth of the tolerance. */
Test(fallback, pivots_vanish_the_earlier_the_tighter_the_tolerance)
{
    cr_assert_eq(least_pivot(1), least_pivot(1e-6));
    for (double tolerance = 1e-7; tolerance > 5e-10; tolerance /= 10) {
        cr_assert_gt(least_pivot(tolerance), least_pivot(10 * tolerance));
        cr_assert_lt(2.2e-16 / least_pivot(tolerance), 0.1 * tolerance);
    }
    cr_assert_eq(least_pivot(1e-13), least_pivot(1e-12));
}
