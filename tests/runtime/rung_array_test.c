/* Arrays of functions whose sizes are known in a run only. */
#include "runtime/kernel/rung_array.h"

#include <criterion/criterion.h>

Test(rung_array, stands_by_rows_and_knows_its_bounds)
{
    RungArray a = {0};
    cr_assert_eq(rung_array_resize(&a, 2, (const double[]){2, 3}), 0);
    for (int i = 1; i <= 2; i++)
        for (int j = 1; j <= 3; j++)
            rung_array_put(&a, 2, (const double[]){i, j}, 10 * i + j);
    static const double rows[] = {11, 12, 13, 21, 22, 23};
    for (int k = 0; k < 6; k++)
        cr_assert_eq(a.x[k], rows[k]);
    static const double outside[][2] = {{0, 1}, {3, 1}, {1, 0}, {1, 4}, {NAN, 1}, {1, -1e300}};
    for (int k = 0; k < 6; k++) {
        rung_array_put(&a, 2, outside[k], 1e9);
        cr_assert(isnan(rung_array_at(&a, 2, outside[k])));
    }
    for (int k = 0; k < 6; k++)
        cr_assert_eq(a.x[k], rows[k], "nothing is written outside");
    cr_assert_eq(rung_array_size(&a, 1), 2);
    cr_assert_eq(rung_array_size(&a, 2), 3);
    rung_arrays_free(1, &a);
}

Test(rung_array, begins_anew_with_each_size)
{
    RungArray a = {0};
    for (double n = 0; n <= 1000; n = n < 2 ? n + 1 : 10 * n) {
        cr_assert_eq(rung_array_resize(&a, 1, &n), 0);
        cr_assert_eq(rung_array_size(&a, 1), n);
        for (double k = 1; k <= n; k++) {
            cr_assert_eq(rung_array_at(&a, 1, &k), 0);
            rung_array_put(&a, 1, &k, k);
        }
    }
    const double smaller = 3;
    cr_assert_eq(rung_array_resize(&a, 1, &smaller), 0);
    cr_assert_eq(rung_array_at(&a, 1, &smaller), 0);
    rung_arrays_free(1, &a);
}

Test(rung_array, refuses_sizes_that_are_none)
{
    RungArray a = {0};
    static const double bad[][2] = {{-1, 1}, {1, -1}, {NAN, 1}, {1e10, 1}, {1e6, 1e6}};
    for (int k = 0; k < 5; k++)
        cr_assert_neq(rung_array_resize(&a, 2, bad[k]), 0, "%d", k);
    rung_arrays_free(1, &a);
}

Test(rung_array, moves_with_its_memory)
{
    RungArray a[2] = {{0}};
    const double n = 2, one = 1;
    rung_array_resize(&a[0], 1, &n);
    rung_array_resize(&a[1], 1, &one);
    rung_array_put(&a[0], 1, &n, 7);
    rung_array_move(&a[1], &a[0]);
    cr_assert_eq(rung_array_at(&a[1], 1, &n), 7);
    cr_assert_eq(rung_array_size(&a[0], 1), 0);
    rung_array_move(&a[1], &a[1]);
    cr_assert_eq(rung_array_size(&a[1], 1), 2);
    rung_arrays_free(2, a);
}
