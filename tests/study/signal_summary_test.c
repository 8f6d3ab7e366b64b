/* Integrals and extrema along steps: of a polynomial of degree 7 exactly (Lobatto's formula of five
 * points), of extrema inside a step to the square of a thousandth of it. */
#include "study/sweep/signal_summary.h"

#include <criterion/criterion.h>
#include <math.h>

static double polynomial(double t)
{
    return 1 - 2 * t + 3 * pow(t, 4) - pow(t, 7);
}

/* The signal 1 is the polynomial, 2 has a maximum of 5 at t = 0.3. */
static int some(const SimulateStep *s, double t, uint32_t n, const uint32_t *row, double *value)
{
    (void)s;
    for (uint32_t k = 0; k < n; k++)
        value[k] = row[k] == 1 ? polynomial(t) : 5 - 4 * (t - 0.3) * (t - 0.3);
    return 0;
}

static void look(SignalSummary *s, double t0, double t1, bool ends_in_event)
{
    const SimulateStep step = {.t0 = t0,
                               .t1 = t1,
                               .h = t1 - t0,
                               .ends_in_event = ends_in_event,
                               .tolerance = 1e-6,
                               .some = some};
    cr_assert_eq(signal_summary_look(s, &step), 0);
}

Test(signal_summary, of_a_polynomial)
{
    Arena *mem = arena_new();
    static const uint32_t row[] = {1, 2};
    SignalSummary s = signal_summary_new(2, row, mem);
    signal_summary_begin(&s);
    cr_assert(isnan(s.most[0]));
    look(&s, 0, 0.7, false);
    look(&s, 0.7, 1.5, true);
    look(&s, 1.5, 2, false);
    double want = 2 - 4 + 3 * pow(2, 5) / 5 - pow(2, 8) / 8;
    cr_assert_lt(fabs(s.integral[0] - want), 1e-13 * fabs(want));
    cr_assert_lt(fabs(s.most[1] - 5), 1e-5);
    cr_assert_leq(s.most[1], 5);
    cr_assert_lt(fabs(s.least[1] - (5 - 4 * 1.7 * 1.7)), 1e-13);
    /* again: nothing is left of before */
    signal_summary_begin(&s);
    look(&s, 0, 0.5, false);
    cr_assert_lt(fabs(s.integral[1] - (2.5 - 4 / 3.0 * (pow(0.2, 3) + pow(0.3, 3)))), 1e-14);
    arena_free(mem);
}

Test(signal_summary, nodes_are_those_of_lobatto)
{
    cr_assert_eq(signal_summary_time(2, 4, 0), 2);
    cr_assert_eq(signal_summary_time(2, 4, 2), 3);
    cr_assert_eq(signal_summary_time(2, 4, 4), 4);
    cr_assert_lt(fabs(signal_summary_time(2, 4, 1) - (3 - sqrt(3 / 7.0))), 1e-15);
}
