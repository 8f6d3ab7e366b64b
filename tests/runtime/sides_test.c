/* Right-hand sides in lanes (rung_sides.h): a row holds all of them, and each is computed as by
 * itself. The archive of an FMU stays in its folder (fmi_unit.h). */
#include "runtime/fmi/fmi_unit.h"
#include "runtime/kernel/rung_sides.h"

#include <criterion/criterion.h>
#include <string.h>

/* One elimination step, y - l x, of all sides. */
Test(rung_sides, a_row_has_all_sides)
{
    cr_assert_eq(sizeof(RungRow), RUNG_SIDES * sizeof(double));
    double x[RUNG_SIDES], y[RUNG_SIDES], out[RUNG_SIDES];
    for (unsigned k = 0; k < RUNG_SIDES; k++) {
        x[k] = 0.1 * (k + 1);
        y[k] = 3 - (double)k;
    }
    RungRow a, b, c;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    const double l = 1. / 3;
    for (size_t i = 0; i < sizeof a / sizeof *a; i++)
        c[i] = b[i] - RUNG_LANE(l) * a[i];
    memcpy(out, &c, sizeof c);
    for (unsigned k = 0; k < RUNG_SIDES; k++) {
        volatile double product = l * x[k]; /* not fused */
        cr_assert_float_eq(out[k], y[k] - product, 1e-15);
    }
}

Test(fmi_unit, paths_out_of_the_folder)
{
    static const char *const inside[] = {"a", "binaries/linux64/M.so", "a..b/c", "..a"};
    static const char *const outside[] = {"..", "../a", "/etc/passwd", "a/../../b"};
    for (size_t k = 0; k < sizeof inside / sizeof *inside; k++)
        cr_assert(rung_fmu_path_is_inside(inside[k]), "%s", inside[k]);
    for (size_t k = 0; k < sizeof outside / sizeof *outside; k++)
        cr_assert_not(rung_fmu_path_is_inside(outside[k]), "%s", outside[k]);
    cr_assert(rung_fmu_path_is_inside(rung_fmu_platform(2)));
    cr_assert(rung_fmu_path_is_inside(rung_fmu_platform(3)));
}
