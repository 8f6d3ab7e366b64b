#include "tests/runtime/fixture.h"

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

/* A derivative of which the last digits of x0 change a percent. */
static int rough_xdot(RungContext *ctx, double t, const double *x, double *xdot)
{
    int status = fixture_xdot(ctx, t, x, xdot);
    xdot[1] += 0.01 * sin(1e18 * x[0]);
    return status;
}

/* `first` becomes m with a pivot and the other model, which takes over where it vanishes. */
static void open_two(Fixture *it, const RungModel *m, const RungModel *other, RungModel *first)
{
    static const RungPivot pivot;
    static SimulateOptions o;
    o = simulate_defaults();
    *first = *m;
    first->fallback = other;
    first->n_pivots = 1;
    first->pivot = &pivot;
    fixture_open(it, first, &o);
}

static bool is_found(const RungModel *m, const RungModel *other, double tolerance, double *xdot)
{
    RungModel first;
    Fixture it;
    open_two(&it, m, other, &first);
    Problem *problem = &it.run.problem;
    const double x[2] = {0.7, 0.3};
    bool found = fallback_probe(problem, 0, x, 1e-3, tolerance);
    cr_assert_eq(found, problem->is_numeric);
    cr_assert_not(problem_xdot(problem, 0, x, xdot));
    fixture_close(&it);
    return found;
}

/* Where derivatives have lost digits and the other model has not, that replaces the first; not
 * where the error is less than the tolerance, nor where both change alike. */
Test(fallback, lost_digits_are_found)
{
    RungModel exact = fixture_model(), rough = exact;
    rough.xdot = rough_xdot;
    double xdot[2], right[2];
    cr_assert_not(is_found(&exact, &exact, 1e-8, right));
    cr_assert(is_found(&rough, &exact, 1e-8, xdot));
    cr_assert_eq(xdot[1], right[1]);
    cr_assert_not(is_found(&rough, &exact, 1, xdot));
    cr_assert_not(is_found(&rough, &rough, 1e-8, xdot));
}

/* Another derivative, by one percent. */
static int other_xdot(RungContext *ctx, double t, const double *x, double *xdot)
{
    int status = fixture_xdot(ctx, t, x, xdot);
    xdot[1] *= 1.01;
    return status;
}

static bool does_better(const RungModel *m, const RungModel *other, double tolerance)
{
    RungModel first;
    Fixture it;
    open_two(&it, m, other, &first);
    const double x[2] = {0.7, 0.3};
    bool does = fallback_may_do_better(&it.run.problem, 0.1, x, tolerance);
    cr_assert_not(it.run.problem.is_numeric);
    fixture_close(&it);
    return does;
}

/* After a failure: differences of both models that are other ones at the next point are digits that
 * the first has lost; those that stay are another reason. */
Test(fallback, lost_digits_are_told_from_other_equations)
{
    RungModel exact = fixture_model(), rough = exact, other = exact;
    rough.xdot = rough_xdot;
    other.xdot = other_xdot;
    cr_assert(does_better(&rough, &exact, 1e-8));
    cr_assert_not(does_better(&rough, &exact, 1));
    cr_assert_not(does_better(&exact, &exact, 1e-8));
    cr_assert_not(does_better(&other, &exact, 1e-8));
}
