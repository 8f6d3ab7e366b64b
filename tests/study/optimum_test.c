#include "study/optimize/optimum.h"
#include "tests/study/fixture.h"

static void count(void *user, const Optimum *so_far)
{
    uint32_t *report = user;
    cr_assert_eq(so_far->history.n, (*report)++);
}

/* (k - 2)^2 + (m - 1)^2 of a run in which x grows by k and y by m. */
static const char *const bowl =
    "model M parameter Real k = 0.5, m = 3; Real x(start = 0, fixed = true),\n"
    "  y(start = 0, fixed = true), e; equation der(x) = k; der(y) = m;\n"
    "  e = (x - 2)^2 + (y - 1)^2; end M;";

Test(optimum, least_value)
{
    Fixture f = fixture_of(bowl);
    if (!nlopt_is_there())
        cr_skip_test("without NLopt");
    const Bound bound[] = {{"k", 0, 5}, {"m", 2, 5}}; /* the least m is its lower bound */
    uint32_t report = 0;
    OptimizeRequest r = {.run = f.run,
                         .objective = "e",
                         .n = 2,
                         .bound = bound,
                         .most = 100,
                         .report = count,
                         .user = &report};
    Optimum it;
    cr_assert_eq(optimize(&r, &it, f.mem), EXIT_GOOD);
    const OptimumPoint *best = &it.history.at[it.best];
    cr_assert_float_eq(best->x[0], 2, 1e-5);
    cr_assert_float_eq(best->x[1], 2, 1e-9);
    cr_assert_float_eq(best->value, 1, 1e-8);
    cr_assert_eq(report, it.history.n + 1);
    fixture_end(&f);
}

/* As many runs as there may be are no optimum, but a history. */
Test(optimum, too_few_runs)
{
    Fixture f = fixture_of(bowl);
    if (!nlopt_is_there())
        cr_skip_test("without NLopt");
    const Bound bound[] = {{"k", 0, 5}};
    OptimizeRequest r = {
        .run = f.run, .objective = "integral(e)", .n = 1, .bound = bound, .most = 1};
    Optimum it;
    cr_assert_eq(optimize(&r, &it, f.mem), EXIT_RUN);
    cr_assert_eq(it.history.n, 1u);
    cr_assert_eq(it.ending, MINIMUM_MOST);
    fixture_end(&f);
}
