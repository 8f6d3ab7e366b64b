#include "study/error_estimate.h"
#include "study/run.h"
#include "tests/study/fixture.h"

#include <math.h>

/* Of 'x' after the run. */
static Exit keep(Run *run, void *user)
{
    const VariableError *found = error_estimate_of(run->simulation.error, "x");
    cr_assert_not_null(found);
    *(VariableError *)user = *found;
    cr_assert_geq(error_estimate_worst(run->simulation.error)->tolerances, found->tolerances);
    return run->status;
}

/* x' = x with steps of h: Euler's method takes x(1) as (1 + h)^(1/h), or (1 - h)^(-1/h). */
Test(error_estimate, of_eulers_method)
{
    Fixture f = fixture_of("model M Real x(start = 1, fixed = true); equation der(x) = x; end M;");
    f.run.estimates_error = true;
    f.run.translation.method = "euler";
    f.run.step = 1e-3;
    f.run.tolerance = 1e-4;
    VariableError x;
    cr_assert_eq(run_model(&f.run, keep, &x), EXIT_GOOD);
    double coarse = pow(1 - 1e-3, -1e3), fine = pow(1 - 0.25e-3, -4e3);
    cr_assert_float_eq(x.error, fabs(coarse - fine), 1e-9);
    cr_assert_float_eq(x.t, 1, 0);
    cr_assert_leq(x.tolerances, x.error / (1e-4 * coarse));
    cr_assert_geq(x.tolerances, x.error / (1e-4 * (1 + coarse)));
    fixture_end(&f);
}

/* A tank that is filled until it is full: the time of that, not the jump of der(x), is off. */
Test(error_estimate, leaves_out_the_time_between_events)
{
    Fixture f = fixture_of("model M Real x(start = 0, fixed = true), y(start = 1, fixed = true);\n"
                           "Boolean full(start = false, fixed = true);\n"
                           "equation der(y) = -y; der(x) = if full then 0 else y;\n"
                           "when x > 0.5 then full = true; end when; end M;");
    f.run.estimates_error = true;
    f.run.tolerance = 1e-4;
    f.run.interval = 1e-5; // rows between both times
    f.run.translation.method = "ida";
    VariableError x;
    cr_assert_eq(run_model(&f.run, keep, &x), EXIT_GOOD);
    cr_assert_lt(x.tolerances, 10);
    fixture_end(&f);
}

/* The worst of one variable is that one. */
Test(error_estimate, of_signals)
{
    Fixture f = fixture_of("model M Real x(start = 1, fixed = true), y(start = 1, fixed = true);\n"
                           "equation der(x) = -x; der(y) = 3*y; end M;");
    f.run.estimates_error = true;
    f.run.signals = "x";
    VariableError x;
    cr_assert_eq(run_model(&f.run, keep, &x), EXIT_GOOD);
    cr_assert_lt(x.error, 1e-6);
    fixture_end(&f);
}
