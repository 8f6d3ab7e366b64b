/* What generated code calls besides libm, against libm. */
#include "runtime/kernel/rung_math.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Difference in units of the last place of the larger one. */
static double units(double a, double b)
{
    double size = fmax(fabs(a), fabs(b));
    return a == b ? 0 : fabs(a - b) / (nextafter(size, INFINITY) - size);
}

Test(math, sines_and_cosines_of_a_batch_are_those_of_libm)
{
    enum { MOST = 37 };
    static const double sizes[] = {1e-300, 1e-9, 0.1, 1, 10, 1e3, 9.9e5, 1e7, 1e300};
    double angle[MOST], sine[MOST + 1], cosine[MOST + 1];
    unsigned random = 1;
    for (unsigned n = 0; n <= MOST; n++) {
        for (unsigned k = 0; k < n; k++) {
            random = random * 1103515245u + 12345u;
            double x = (double)(random >> 8) / (1 << 23) - 1, size = sizes[(n + k) % 9];
            // near multiples of a quarter turn too
            angle[k] =
                k % 5 == 4 ? 0x1.921fb54442d18p+0 * (double)((int)(random >> 12) % 1000) : x * size;
        }
        sine[n] = cosine[n] = 7;
        rung_sincos(n, angle, sine, cosine);
        for (unsigned k = 0; k < n; k++) {
            cr_assert_leq(units(sine[k], sin(angle[k])), 3.0, "sin(%.17g) is %.17g", angle[k],
                          sine[k]);
            cr_assert_leq(units(cosine[k], cos(angle[k])), 3.0, "cos(%.17g) is %.17g", angle[k],
                          cosine[k]);
        }
        cr_assert(sine[n] == 7 && cosine[n] == 7, "written beyond %u", n);
    }
}

Test(math, no_angle_no_sine)
{
    double angle[] = {INFINITY, NAN, -INFINITY, 0, -0.0}, sine[5], cosine[5];
    rung_sincos(5, angle, sine, cosine);
    for (int k = 0; k < 3; k++)
        cr_assert(isnan(sine[k]) && isnan(cosine[k]));
    cr_assert(sine[3] == 0 && cosine[3] == 1 && sine[4] == 0 && cosine[4] == 1);
}

Test(math, the_least_and_the_largest_with_what_is_no_number)
{
    cr_assert(isnan(rung_min(NAN, 1)) && isnan(rung_min(1, NAN)));
    cr_assert(isnan(rung_max(NAN, 1)) && isnan(rung_max(1, NAN)));
    cr_assert(rung_min(1, 2) == 1 && rung_min(2, 1) == 1 && rung_min(-INFINITY, 1) == -INFINITY);
    cr_assert(rung_max(1, 2) == 2 && rung_max(2, 1) == 2 && rung_max(INFINITY, 1) == INFINITY);
}
