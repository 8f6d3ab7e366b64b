/* The interfaces to LAPACK and NLopt against closed forms; steady states of a model. */
#include "study/by_lapack.h"
#include "study/linear/steady_state.h"
#include "study/optimize/by_nlopt.h"
#include "study/simulation.h"
#include "tests/study/fixture.h"

#include <math.h>
#include <string.h>

enum { N = 6 };

/* ---- by_lapack.h ---- */

/* A cyclic shift has the roots of unity as eigenvalues: exp(2 pi i k/N). */
Test(by_lapack, eigenvalues_of_a_shift)
{
    double a[N * N] = {0}, re[N], im[N];
    for (int k = 0; k < N; k++)
        a[(k + 1) % N + N * k] = 1;
    cr_assert(lapack_eigenvalues(N, a, re, im));
    for (int k = 0; k < N; k++) {
        double x = 1, y = 0; /* (re + i im)^N */
        for (int i = 0; i < N; i++) {
            double was = x;
            x = x * re[k] - y * im[k];
            y = was * im[k] + y * re[k];
        }
        cr_assert_float_eq(x, 1, 1e-12);
        cr_assert_float_eq(y, 0, 1e-12);
        if (k)
            cr_assert(re[k] <= re[k - 1] + 1e-12);
        if (k && fabs(im[k]) > 0.1 && im[k] < 0)
            cr_assert_float_eq(im[k], -im[k - 1], 1e-12, "the positive one comes first");
    }
}

Test(by_lapack, numbers_that_are_not_finite)
{
    double a[4] = {1, NAN, 0, 1}, re[2], im[2], sigma[2], u[4], vt[4];
    cr_assert_not(lapack_eigenvalues(2, a, re, im));
    double b[4] = {1, INFINITY, 0, 1};
    lapack_singular_values(2, 2, b, sigma, u, vt);
    cr_assert(isnan(sigma[0]) && isnan(sigma[1]));
}

/* u diag(sigma) vt is the matrix; sigma falls, and its squares add up to those of the entries. */
Test(by_lapack, singular_values_make_the_matrix)
{
    enum { ROWS = 5, COLS = 3 };
    double a[ROWS * COLS], was[ROWS * COLS], sigma[COLS], u[ROWS * ROWS], vt[COLS * COLS];
    double squares = 0, sum = 0;
    for (int k = 0; k < ROWS * COLS; k++) {
        was[k] = a[k] = sin(1 + 7 * k) + (k == 4);
        squares += a[k] * a[k];
    }
    lapack_singular_values(ROWS, COLS, a, sigma, u, vt);
    for (int k = 0; k < COLS; k++) {
        cr_assert(k == 0 || sigma[k] <= sigma[k - 1]);
        sum += sigma[k] * sigma[k];
    }
    cr_assert_float_eq(sum, squares, 1e-12 * squares);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLS; c++) {
            double x = 0;
            for (int k = 0; k < COLS; k++)
                x += u[r + ROWS * k] * sigma[k] * vt[k + COLS * c];
            cr_assert_float_eq(x, was[r + ROWS * c], 1e-13);
        }
}

/* ---- by_nlopt.h ---- */

/* (x - 2)^2 + 10 (y - x^2)^2 with x <= 1.5: the bound, and y its square. */
static double valley(void *user, const double *x, double *gradient, bool *stop)
{
    int *n = user;
    *stop = n[1] && *n >= n[1];
    ++*n;
    double off = x[1] - x[0] * x[0];
    if (gradient) {
        gradient[0] = 2 * (x[0] - 2) - 40 * x[0] * off;
        gradient[1] = 20 * off;
    }
    return (x[0] - 2) * (x[0] - 2) + 10 * off * off;
}

Test(by_nlopt, least_value_between_bounds)
{
    if (!nlopt_is_there())
        cr_skip_test("without NLopt");
    static const char *const algorithm[] = {"slsqp", "lbfgs"};
    for (int k = 0; k < 2; k++) {
        int n[2] = {0};
        double low[] = {-1, -5}, high[] = {1.5, 5}, x[] = {0.2, -1};
        Minimum m = {.n = 2,
                     .low = low,
                     .high = high,
                     .x = x,
                     .x_tolerance = 1e-9,
                     .f_tolerance = 1e-14,
                     .most = 2000,
                     .value = valley,
                     .user = n};
        cr_assert_null(nlopt_names_unless(algorithm[k]), "%s", algorithm[k]);
        MinimumStatus status = nlopt_minimum(algorithm[k], &m);
        cr_assert(status == MINIMUM_FOUND || status == MINIMUM_ROUNDING, "%s", algorithm[k]);
        cr_assert_float_eq(x[0], 1.5, 1e-5, "%s: %g", algorithm[k], x[0]);
        cr_assert_float_eq(x[1], 2.25, 1e-4, "%s: %g", algorithm[k], x[1]);
    }
    const char *names = nlopt_names_unless("nothing");
    cr_assert(names && strstr(names, algorithm[0]) && strstr(names, algorithm[1]), "%s", names);
}

Test(by_nlopt, ends_when_told)
{
    if (!nlopt_is_there())
        cr_skip_test("without NLopt");
    double low[] = {-1, -5}, high[] = {1.5, 5}, x[] = {0.2, -1};
    int n[2] = {0};
    Minimum m = {2, low, high, x, 1e-12, 1e-16, 3, valley, n};
    cr_assert_eq(nlopt_minimum("slsqp", &m), MINIMUM_MOST);
    int stops[2] = {0, 2};
    m.user = stops;
    m.most = 1000;
    cr_assert_eq(nlopt_minimum("slsqp", &m), MINIMUM_STOPPED);
}

/* ---- steady_state.h ---- */

/* The level at which as much flows out as comes in, from far away: (u/k)^2. */
Test(steady_state, levels_of_tanks)
{
    Fixture f = fixture_of("model M parameter Real k = 0.5; input Real u(start = 3);\n"
                           "  Real x(start = 0.01), y(start = 100); equation\n"
                           "  der(x) = u - k*sqrt(x); der(y) = k*(sqrt(x) - sqrt(y)); end M;");
    f.run.translation.linearisation = true;
    Simulation s;
    cr_assert_eq(simulation_open_set(&s, &f.run, false, f.mem), EXIT_GOOD);
    RungContext *ctx = context_new(s.build.model);
    double x[2];
    cr_assert_eq(context_update(ctx), 0);
    cr_assert_eq(s.build.model->start(ctx, 0, x), 0);
    Linearise *l = linearise_new(ctx);
    cr_assert_not_null(l);
    const char *error = NULL;
    cr_assert(steady_state_find(l, ctx, 0, x, f.mem, &error), "%s", error);
    cr_assert_float_eq(x[0], 36, 1e-6);
    cr_assert_float_eq(x[1], 36, 1e-6);
    linearise_free(l);
    context_free(ctx);
    simulation_free(&s);
    fixture_end(&f);
}

Test(steady_state, names_the_state_that_moves)
{
    Fixture f = fixture_of("model M Real rest(start = 2), moves(start = 0); equation\n"
                           "  der(rest) = -rest; der(moves) = 1; end M;");
    f.run.translation.linearisation = true;
    Simulation s;
    cr_assert_eq(simulation_open_set(&s, &f.run, false, f.mem), EXIT_GOOD);
    RungContext *ctx = context_new(s.build.model);
    double x[2];
    cr_assert_eq(context_update(ctx), 0);
    cr_assert_eq(s.build.model->start(ctx, 0, x), 0);
    Linearise *l = linearise_new(ctx);
    const char *error = NULL;
    cr_assert_not(steady_state_find(l, ctx, 0, x, f.mem, &error));
    cr_assert(error && strstr(error, "moves"), "%s", error);
    linearise_free(l);
    context_free(ctx);
    simulation_free(&s);
    fixture_end(&f);
}
