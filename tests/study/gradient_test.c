#include "study/optimize/gradient.h"
#include "tests/study/fixture.h"

/* x = exp(-k t): at the end, its integral, and where sin(w t) is largest, in closed form. */
Test(gradient, closed_forms)
{
    Fixture f =
        fixture_of("model M parameter Real k = 0.5, w = 2; Real x(start = 1, fixed = true),\n"
                   "  y; equation der(x) = -k*x; y = w*w*sin(w*time); end M;");
    GradientRequest r = {.run = f.run, .objective = "x,integral(x),max(y)"};
    r.run.translation.sensitivity_by = "k,w";
    r.run.stop = 2;
    r.run.tolerance = 1e-10;
    Objectives g;
    SimulateSummary s;
    cr_assert_eq(gradient(&r, &g, &s, f.mem), EXIT_GOOD);
    cr_assert_eq(g.n_parameters, 2u);
    int k = strcmp(g.parameter[0], "k") == 0 ? 0 : 1;
    double e = exp(-1);
    const Objective *x = &g.each.at[0], *area = &g.each.at[1], *most = &g.each.at[2];
    cr_assert_float_eq(x->value, e, 1e-8);
    cr_assert_float_eq(x->gradient[k], -2 * e, 1e-7);
    cr_assert_float_eq(x->gradient[1 - k], 0, 1e-12);
    cr_assert_float_eq(area->value, (1 - e) / 0.5, 1e-8);
    cr_assert_float_eq(area->gradient[k], (e * (1 + 1) - 1) / 0.25, 1e-7);
    cr_assert_float_eq(most->value, 4, 1e-6);
    cr_assert_float_eq(most->t, acos(0) / 2, 1e-4);
    cr_assert_float_eq(most->gradient[1 - k], 4, 1e-5);
    fixture_end(&f);
}
