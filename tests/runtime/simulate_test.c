/* Runs of hand-written models: orders, agreement of methods, results, failures. */
#include "runtime/kernel/rung_lu.h"
#include "runtime/result/csv.h"
#include "runtime/run/run_parts.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- a pendulum: phi'' = -g/l sin(phi), energy as an output, -phi as an alias ---- */

enum { P_G, P_L, P_RATIO };

static int pendulum_update(RungContext *ctx)
{
    if (!ctx->is_set[P_RATIO])
        ctx->p[P_RATIO] = ctx->p[P_G] / ctx->p[P_L];
    ctx->c[0] = ctx->p[P_L] > 0;
    return 0;
}

static int pendulum_start(RungContext *ctx, double t, double *x)
{
    (void)ctx, (void)t;
    x[0] = 1;
    x[1] = 0;
    return 0;
}

static int pendulum_xdot(RungContext *ctx, double t, const double *x, double *xdot)
{
    (void)t;
    xdot[0] = x[1];
    xdot[1] = -ctx->p[P_RATIO] * sin(x[0]);
    return 0;
}

static int pendulum_outputs(RungContext *ctx, double t, const double *x, double *v)
{
    (void)t;
    v[0] = 0.5 * x[1] * x[1] - ctx->p[P_RATIO] * cos(x[0]);
    return 0;
}

static const char pendulum_names[] = "g\0l\0ratio\0phi\0w\0minus, \"phi\"\0energy";
static const RungAttributes pendulum_attributes[] = {
    {"", "", "", RUNG_PARAMETER, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
    {"", "", "", RUNG_STATE, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
    {"", "", "", RUNG_ALGEBRAIC, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
};
#define ROW(name, place, index, negated, attributes)                                               \
    name, index, (attributes) << 4 | (place) << 1 | (negated)
static const uint32_t pendulum_variable[] = {
    ROW(0, RUNG_IN_PARAMETERS, P_G, 0, 0),     ROW(2, RUNG_IN_PARAMETERS, P_L, 0, 0),
    ROW(4, RUNG_IN_PARAMETERS, P_RATIO, 0, 0), ROW(10, RUNG_IN_STATES, 0, 0, 1),
    ROW(14, RUNG_IN_STATES, 1, 0, 1),          ROW(16, RUNG_IN_STATES, 0, 1, 2),
    ROW(29, RUNG_IN_VALUES, 0, 0, 2),
};
static const RungParameter pendulum_parameter[] = {
    {P_G, 0, 1, 9.81}, {P_L, 0, 1, 1}, {P_RATIO, 1, 1, 0}};
static const uint32_t pendulum_state[] = {3, 4};
static const double ones[] = {1, 1, 1};
static const RungAssertion pendulum_assertion[] = {{"length must be positive", "p.mo:1:1", 0, 0}};

static RungModel pendulum(void)
{
    return (RungModel){
        .version = RUNG_MODEL_VERSION,
        .size = sizeof(RungModel),
        .name = "Pendulum",
        .n_states = 2,
        .n_variables = 7,
        .n_values = 1,
        .n_parameters = 3,
        .n_constants = 1,
        .n_assertions = 1,
        .variable = pendulum_variable,
        .names = pendulum_names,
        .attributes = pendulum_attributes,
        .parameter = pendulum_parameter,
        .state = pendulum_state,
        .nominal = ones,
        .assertion = pendulum_assertion,
        .update = pendulum_update,
        .start = pendulum_start,
        .xdot = pendulum_xdot,
        .outputs = pendulum_outputs,
    };
}

/* ---- what a run leaves behind ---- */

typedef struct Track {
    size_t n;
    double t[20000], x[20000][2], v[20000];
} Track;

static int keep(void *user, const RungContext *ctx, double t, const double *x, const double *v)
{
    Track *k = user;
    (void)ctx;
    cr_assert_lt(k->n, 20000u);
    k->t[k->n] = t;
    k->x[k->n][0] = ctx->model->n_states > 0 ? x[0] : 0;
    k->x[k->n][1] = ctx->model->n_states > 1 ? x[1] : 0;
    k->v[k->n++] = ctx->model->n_values ? v[0] : 0;
    return 0;
}

/* Methods of fixed step take the interval where no step is given here. */
static bool takes_fixed_steps(const char *method)
{
    const Integrator *m = methods_find(method);
    return m && m->fixed_step;
}

/* Which the models here have not. */
static bool needs_residual_form(const char *method)
{
    return simulate_method_needs(method) & NEEDS_RESIDUAL;
}

static Track *run(const RungModel *m, const char *method, double stop, double tolerance,
                  double interval, double step, int want, SimulateSummary *s)
{
    Track *k = calloc(1, sizeof *k);
    SimulateOptions o = simulate_defaults();
    o.method = method;
    o.stop = stop;
    o.tolerance = tolerance;
    o.interval = interval;
    o.step = isnan(step) && takes_fixed_steps(method) ? interval : step;
    o.row = keep;
    o.user = k;
    o.progress = PROGRESS_NONE;
    int status = simulate(m, &o, s);
    cr_assert_eq(status, want, "%s: status %d, %s", method, status, s->error);
    return k;
}

static double last_x(const RungModel *m, const char *method, double stop, double tolerance,
                     double step)
{
    SimulateSummary s;
    Track *k = run(m, method, stop, tolerance, stop / 10, step, 0, &s);
    double x = k->x[k->n - 1][0];
    free(k);
    return x;
}

Test(rk4, is_of_order_four)
{
    RungModel m = pendulum();
    double exact = last_x(&m, "dopri5", 2, 1e-13, NAN);
    double before = 0;
    for (int k = 0; k < 4; k++) {
        double err = fabs(last_x(&m, "rk4", 2, 1e-6, 0.04 / (1 << k)) - exact);
        if (k)
            cr_assert(fabs(log2(before / err) - 4) < (k < 3 ? 0.4 : 0.2), "order %g",
                      log2(before / err));
        before = err;
    }
}

/* A method with control of the error keeps to the tolerance; with steps of half the length another
 * makes half the error at most. */
Test(methods, converge)
{
    RungModel m = pendulum();
    double exact = last_x(&m, "dopri5", 2, 1e-13, NAN);
    const char *method;
    for (uint32_t nth = 0; (method = simulate_method(nth)); nth++) {
        if (needs_residual_form(method))
            continue;
        bool fixed = takes_fixed_steps(method);
        double first = fabs(last_x(&m, method, 2, 1e-6, fixed ? 0.01 : NAN) - exact),
               second = fabs(last_x(&m, method, 2, 1e-8, fixed ? 0.005 : NAN) - exact);
        cr_expect(fixed ? second < 0.6 * first : first < 3e-5 && second < 3e-7, "%s: errors %g, %g",
                  method, first, second);
    }
}

/* The largest error of rows between steps, while the tolerance shrinks: at least as good as the
 * tolerance asks, up to a constant that does not grow. */
static void error_follows_tolerance(const char *method)
{
    RungModel m = pendulum();
    SimulateSummary s;
    Track *exact = run(&m, "dopri5", 10, 1e-13, 0.013, NAN, 0, &s);
    double steps = 0;
    for (double tolerance = 1e-4; tolerance > 1e-11; tolerance /= 100) {
        Track *k = run(&m, method, 10, tolerance, 0.013, NAN, 0, &s);
        double worst = 0;
        cr_assert_eq(k->n, exact->n);
        for (size_t i = 0; i < k->n; i++)
            worst = fmax(worst, fabs(k->x[i][0] - exact->x[i][0]));
        cr_assert_lt(worst, 300 * tolerance, "at tolerance %g: %g", tolerance, worst);
        // a method of order 5 takes 100^(1/5) = 2.5 times the steps for two digits
        if (steps > 0)
            cr_assert((double)s.counts.steps > 1.9 * steps && (double)s.counts.steps < 3.2 * steps,
                      "%g: %llu after %g", tolerance, (unsigned long long)s.counts.steps, steps);
        steps = (double)s.counts.steps;
        free(k);
    }
    free(exact);
}

Test(dopri5, error_follows_tolerance_between_steps_too)
{
    error_follows_tolerance("dopri5");
}

Test(esdirk, error_follows_tolerance_between_steps_too)
{
    error_follows_tolerance("esdirk");
}

Test(dopri5, keeps_the_energy)
{
    RungModel m = pendulum();
    SimulateSummary s;
    Track *k = run(&m, "dopri5", 10, 1e-9, 0.1, NAN, 0, &s);
    for (size_t i = 0; i < k->n; i++)
        cr_assert_float_eq(k->v[i], k->v[0], 1e-6 * fabs(k->v[0]));
    free(k);
}

#ifdef RUNG_SUNDIALS
Test(methods, agree)
{
    RungModel m = pendulum();
    SimulateSummary s;
    Track *a = run(&m, "dopri5", 5, 1e-10, 0.05, NAN, 0, &s);
    const char *const other[] = {"ida", "cvode"};
    for (int k = 0; k < 2; k++) {
        Track *b = run(&m, other[k], 5, 1e-10, 0.05, NAN, 0, &s);
        cr_assert_eq(a->n, b->n);
        for (size_t i = 0; i < a->n; i++) {
            cr_assert_eq(a->t[i], b->t[i]);
            // the tolerance is per step; BDF loses about three digits on 5 s of swinging
            cr_assert_float_eq(a->x[i][0], b->x[i][0], 1e-6, "%s at %g: %.12g, %.12g", other[k],
                               a->t[i], a->x[i][0], b->x[i][0]);
        }
        free(b);
    }
    free(a);
}
#endif

/* A run that controls nothing is asked for by the length of its steps. */
Test(steps, of_one_length_are_asked_for)
{
    RungModel m = pendulum();
    const char *method;
    for (uint32_t nth = 0; (method = simulate_method(nth)); nth++) {
        if (needs_residual_form(method))
            continue;
        SimulateOptions o = simulate_defaults();
        SimulateSummary s;
        o.method = method;
        o.stop = 0.1;
        o.progress = PROGRESS_NONE;
        int status = simulate(&m, &o, &s);
        bool fixed = takes_fixed_steps(method);
        cr_assert_eq(status, fixed ? SIMULATE_USAGE : SIMULATE_OK, "%s: %s", method, s.error);
        cr_assert(!fixed || strstr(s.error, "--step"), "%s: %s", method, s.error);
    }
}

Test(rows, are_equidistant_and_end_at_stop)
{
    RungModel m = pendulum();
    SimulateSummary s;
    const char *method;
    for (uint32_t nth = 0; (method = simulate_method(nth)); nth++) {
        if (needs_residual_form(method))
            continue;
        Track *k = run(&m, method, 1, 1e-6, 0.3, NAN, 0, &s);
        const double want[] = {0, 0.3, 0.6, 0.9, 1};
        cr_assert_eq(k->n, 5u, "%s", method);
        for (int i = 0; i < 5; i++)
            cr_assert_float_eq(k->t[i], want[i], 1e-15);
        cr_assert_eq(k->t[4], 1.0);
        free(k);
        // an interval that divides the span but for rounding gives no extra row
        k = run(&m, method, 1, 1e-6, 0.1, NAN, 0, &s);
        cr_assert_eq(k->n, 11u, "%s", method);
        free(k);
        // nothing to do: the start values
        k = run(&m, method, 0, 1e-6, 0.1, NAN, 0, &s);
        cr_assert_eq(k->n, 1u, "%s", method);
        cr_assert_eq(k->x[0][0], 1.0);
        free(k);
    }
}

static int ramp_outputs(RungContext *ctx, double t, const double *x, double *v)
{
    (void)ctx, (void)x;
    v[0] = 2 * t;
    return 0;
}

static int nothing(RungContext *ctx, double t, const double *x, double *xdot)
{
    (void)ctx, (void)t, (void)x, (void)xdot;
    return 0;
}

static int nothing_to_start(RungContext *ctx, double t, double *x)
{
    (void)ctx, (void)t, (void)x;
    return 0;
}

Test(rows, come_without_states_too)
{
    RungModel m = pendulum();
    m.n_states = 0;
    m.n_variables = 3; // the parameters
    m.start = nothing_to_start;
    m.xdot = nothing;
    m.outputs = ramp_outputs;
    const char *method;
    for (uint32_t nth = 0; (method = simulate_method(nth)); nth++) {
        SimulateSummary s;
        Track *k = run(&m, method, 1, 1e-6, 0.25, NAN, 0, &s);
        cr_assert_eq(k->n, 5u, "%s", method);
        for (int i = 0; i < 5; i++)
            cr_assert_float_eq(k->v[i], 0.5 * i, 1e-15);
        free(k);
    }
}

/* ---- parameters ---- */

static double ratio_after(const char *const *set, uint32_t n, int want)
{
    RungModel m = pendulum();
    Track *k = calloc(1, sizeof *k);
    SimulateOptions o = simulate_defaults();
    SimulateSummary s;
    o.set = set;
    o.n_set = n;
    o.stop = 0;
    o.row = keep;
    o.user = k;
    cr_assert_eq(simulate(&m, &o, &s), want, "%s", s.error);
    double ratio = k->n ? -k->v[0] / cos(1) : 0;
    free(k);
    return ratio;
}

Test(parameters, dependent_ones_follow_unless_set)
{
    cr_assert_float_eq(ratio_after(NULL, 0, 0), 9.81, 1e-14);
    cr_assert_float_eq(ratio_after((const char *[]){"l=2"}, 1, 0), 9.81 / 2, 1e-14);
    cr_assert_float_eq(ratio_after((const char *[]){"l=2", "ratio=7"}, 2, 0), 7, 1e-14);
}

Test(parameters, wrong_ones_are_refused)
{
    ratio_after((const char *[]){"nope=2"}, 1, SIMULATE_MODEL);
    ratio_after((const char *[]){"phi=2"}, 1, SIMULATE_MODEL);
    ratio_after((const char *[]){"l=2x"}, 1, SIMULATE_MODEL);
    ratio_after((const char *[]){"l"}, 1, SIMULATE_USAGE);
    ratio_after((const char *[]){"l=-1"}, 1, SIMULATE_MODEL); // its assertion
}

/* ---- failures ---- */

/* x' = 2, computed by a pivot that vanishes from t = 1 on */
static int pole_xdot(RungContext *ctx, double t, const double *x, double *xdot)
{
    (void)x;
    double pivot = fmax(1 - t, 0);
    if (!(fabs(pivot) > 0)) {
        ctx->failed_pivot = 0;
        return 1;
    }
    xdot[0] = 2 * pivot / pivot;
    xdot[1] = 0;
    return 0;
}

static int pole_assertions(RungContext *ctx, double t, const double *x, unsigned char *holds)
{
    (void)ctx, (void)t;
    holds[0] = x[0] < 2;
    return 0;
}

static RungModel pole(void)
{
    static const RungPivot pivot[] = {{"a", "pole.mo:3:5", "arm.joint", 1}};
    RungModel m = pendulum();
    m.pivot = pivot;
    m.n_pivots = 1;
    m.n_assertions = 0;
    m.xdot = pole_xdot;
    return m;
}

Test(failure, keeps_rows_and_names_the_pivot)
{
    RungModel m = pole();
    SimulateSummary s;
    const char *method;
    for (uint32_t nth = 0; (method = simulate_method(nth)); nth++) {
        if (needs_residual_form(method))
            continue;
        Track *k = run(&m, method, 2, 1e-6, 0.05, 0.01, SIMULATE_FAILED, &s);
        cr_assert(k->n >= 19 && k->n <= 21, "%s: %zu rows", method, k->n);
        cr_assert_lt(k->t[k->n - 1], 1.02);
        cr_assert(strstr(s.error, "'a'"), "%s: %s", method, s.error);
        cr_assert(strstr(s.error, "pole.mo:3:5 in arm.joint"), "%s", s.error);
        cr_assert(strstr(s.error, "t = "), "%s", s.error);
        free(k);
    }
}

static void count_message(void *user, const char *text)
{
    (void)text;
    ((Track *)user)->n++;
}

Test(assertions, stop_or_warn_once)
{
    RungAssertion a = {"x below 2", "pole.mo:5:3", 0, RUNG_NONE};
    RungModel m = pole();
    m.assertion = &a;
    m.n_assertions = 1;
    m.assertions = pole_assertions;
    m.start = pendulum_start;
    SimulateSummary s;
    // x = 1 + 2 t reaches 2 at t = 0.5
    Track *k = run(&m, "rk4", 0.9, 1e-6, 0.01, 0.01, SIMULATE_FAILED, &s);
    cr_assert(strstr(s.error, "x below 2"), "%s", s.error);
    cr_assert(strstr(s.error, "pole.mo:5:3"), "%s", s.error);
    cr_assert(k->t[k->n - 1] > 0.48 && k->t[k->n - 1] < 0.53);
    free(k);

    a.is_warning = 1;
    k = calloc(1, sizeof *k);
    SimulateOptions o = simulate_defaults();
    o.stop = 0.9;
    o.message = count_message;
    o.user = k;
    cr_assert_eq(simulate(&m, &o, &s), SIMULATE_OK, "%s", s.error);
    cr_assert_eq(k->n, 1u);
    free(k);
}

/* x' = -1e6 (x - cos t): an explicit method must say that it is the wrong one */
static int stiff_xdot(RungContext *ctx, double t, const double *x, double *xdot)
{
    (void)ctx;
    xdot[0] = -1e6 * (x[0] - cos(t));
    xdot[1] = 0;
    return 0;
}

Test(dopri5, recognises_stiffness)
{
    RungModel m = pole();
    m.xdot = stiff_xdot;
    SimulateSummary s;
    Track *k = run(&m, "dopri5", 1, 1e-4, 0.1, NAN, SIMULATE_FAILED, &s);
    cr_assert(strstr(s.error, "stiff"), "%s", s.error);
    free(k);
    k = run(&m, "esdirk", 1, 1e-6, 0.1, NAN, SIMULATE_OK, &s);
    cr_assert_float_eq(k->x[k->n - 1][0], cos(1), 1e-5);
    cr_assert_lt(s.counts.steps, 100);
    free(k);
#ifdef RUNG_SUNDIALS
    k = run(&m, "cvode", 1, 1e-6, 0.1, NAN, SIMULATE_OK, &s);
    cr_assert_float_eq(k->x[k->n - 1][0], cos(1), 1e-5);
    free(k);
#endif
}

/* ---- nonlinear block: z^3 + z = 1 + x^2, x' = -z ---- */

static int cubic_residual(RungContext *ctx, uint32_t copy, double t, const double *x,
                          const double *z, double *r)
{
    (void)ctx, (void)copy, (void)t;
    r[0] = z[0] * z[0] * z[0] + z[0] - 1 - x[0] * x[0];
    return 0;
}

static int cubic_jacobian(RungContext *ctx, uint32_t copy, double t, const double *x,
                          const double *z, double *e)
{
    (void)ctx, (void)copy, (void)t, (void)x;
    e[0] = 3 * z[0] * z[0] + 1;
    return 0;
}

static int cubic_xdot(RungContext *ctx, double t, const double *x, double *xdot)
{
    int status = ctx->solve(ctx, 0, t, x);
    xdot[0] = -ctx->z[0];
    xdot[1] = 0;
    return status;
}

static int cubic_outputs(RungContext *ctx, double t, const double *x, double *v)
{
    int status = ctx->solve(ctx, 0, t, x);
    v[0] = ctx->z[0];
    return status;
}

Test(block, is_solved_by_newton)
{
    static const uint32_t col[] = {0, 1}, row[] = {0}, variable[] = {6};
    static const double start[] = {-3}, nominal[] = {1};
    static const char *const where[] = {"c.mo:1:1"};
    RungBlock b = {.n = 1,
                   .variable = variable,
                   .start = start,
                   .nominal = nominal,
                   .equation = where,
                   .residual = cubic_residual,
                   .pattern = {1, 1, col, row, NULL, 0},
                   .jacobian = cubic_jacobian};
    RungModel m = pole();
    m.n_blocks = m.n_unknowns = 1;
    m.block = &b;
    m.xdot = cubic_xdot;
    m.outputs = cubic_outputs;
    SimulateSummary s;
    Track *k = run(&m, "dopri5", 1, 1e-8, 0.1, NAN, 0, &s);
    for (size_t i = 0; i < k->n; i++) {
        double z = k->v[i], x = k->x[i][0];
        cr_assert_float_eq(z * z * z + z, 1 + x * x, 1e-14);
    }
    free(k);
}

/* ---- dense systems ---- */

Test(dense, solves_what_was_multiplied)
{
    for (unsigned seed = 1; seed < 200; seed++) {
        srand(seed);
        uint32_t n = 1 + (uint32_t)rand() % 12, pivot[12];
        double a[144], f[144], x[12], b[12], size[12];
        for (uint32_t i = 0; i < n * n; i++)
            f[i] = a[i] = rand() % 3 ? 0 : (double)rand() / RAND_MAX - 0.5;
        // a hidden permutation makes it regular: pivoting must find it
        for (uint32_t i = 0; i < n; i++)
            f[i + (i + 3) % n * n] = a[i + (i + 3) % n * n] = 5;
        for (uint32_t i = 0; i < n; i++)
            x[i] = (double)rand() / RAND_MAX;
        for (uint32_t i = 0; i < n; i++) {
            b[i] = 0;
            for (uint32_t j = 0; j < n; j++)
                b[i] += a[i + j * n] * x[j];
        }
        cr_assert_eq(rung_lu_factor(n, f, pivot, size), -1, "seed %u", seed);
        rung_lu_solve(n, f, pivot, b);
        for (uint32_t i = 0; i < n; i++)
            cr_assert_float_eq(b[i], x[i], 1e-12, "seed %u", seed);
    }
    double singular[] = {1, 2, 2, 4};
    uint32_t pivot[2];
    double size[2];
    cr_assert_eq(rung_lu_factor(2, singular, pivot, size), 1);
}

/* ---- files ---- */

Test(csv, numbers_are_short_and_read_back)
{
    char text[32];
    const struct {
        double value;
        const char *text;
    } known[] = {{0, "0"},        {-0.0, "0"},       {0.1, "0.1"},
                 {9.81, "9.81"},  {-2, "-2"},        {1e22, "1e+22"},
                 {1e-7, "1e-07"}, {INFINITY, "inf"}, {-INFINITY, "-inf"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        cr_assert_eq(csv_number(known[k].value, text), strlen(known[k].text));
        cr_assert_str_eq(text, known[k].text);
    }
    srand(7);
    for (int k = 0; k < 20000; k++) {
        union {
            uint64_t bits;
            double value;
        } u = {0};
        for (int b = 0; b < 5; b++)
            u.bits = u.bits << 15 ^ (uint64_t)rand();
        if (!isfinite(u.value))
            continue;
        size_t n = csv_number(u.value, text);
        cr_assert_eq(strlen(text), n);
        cr_assert_lt(n, 26u);
        cr_assert_eq(strtod(text, NULL), u.value, "%s", text);
    }
}

/* The digits are those that printf gives. */
Test(csv, numbers_are_rounded_as_printf_rounds)
{
    srand(11);
    for (int k = 0; k < 20000; k++) {
        // full mantissas of all sizes; short decimal numbers, their neighbours; powers of two
        double value = ldexp(1 + rand() / (RAND_MAX + 1.0) + rand() * 0x1p-60, rand() % 200 - 100);
        if (k % 4 == 1)
            value = rand() % 100000 / pow(10, rand() % 12);
        else if (k % 4 == 2)
            value = nextafter(rand() % 100000 / pow(10, rand() % 12), 1);
        else if (k % 8 == 3)
            value = ldexp(1, rand() % 2000 - 1000);
        if (value == floor(value) && value < 1e15)
            continue;
        char text[32], expected[32];
        for (int digits = 15; digits <= 17; digits++) {
            sprintf(expected, "%.*g", digits, value);
            if (strtod(expected, NULL) == value)
                break;
        }
        csv_number(value, text);
        cr_assert_str_eq(text, expected);
    }
}

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return NULL;
    char *text = calloc(1, 100000);
    size_t n = fread(text, 1, 99999, f);
    text[n] = 0;
    fclose(f);
    return text;
}

Test(csv, has_all_names_and_survives_a_failure)
{
    char base[] = "/tmp/rung-csv-XXXXXX", path[64];
    close(mkstemp(base));
    remove(base);
    snprintf(path, sizeof path, "%s.csv", base);
    RungModel m = pole();
    SimulateOptions o = simulate_defaults();
    SimulateSummary s;
    o.stop = 2;
    o.interval = 0.25;
    o.result = path;
    cr_assert_eq(simulate(&m, &o, &s), SIMULATE_FAILED);
    char *text = slurp(path);
    cr_assert_not_null(text);
    char *line = strtok(text, "\n");
    cr_assert_str_eq(line, "\"time\",\"g\",\"l\",\"ratio\",\"phi\",\"w\",\"minus, \"\"phi\"\"\","
                           "\"energy\"");
    int rows = 0;
    while ((line = strtok(NULL, "\n"))) {
        double r[8];
        for (int k = 0; k < 8; k++) {
            r[k] = strtod(line, &line);
            cr_assert(*line == ',' || (k == 7 && !*line), "row %d, column %d", rows, k);
            line++;
        }
        cr_assert_eq(r[0], 0.25 * rows);
        cr_assert_eq(r[6], -r[4]);
        cr_assert_eq(r[1], 9.81);
        rows++;
    }
    cr_assert_eq(rows, 4); // 0 .. 0.75; the pole at 1 is not reached
    free(text);

    // what cannot start leaves no file
    remove(path);
    o.set = (const char *[]){"nope=1"};
    o.n_set = 1;
    cr_assert_eq(simulate(&m, &o, &s), SIMULATE_MODEL);
    cr_assert_neq(access(path, F_OK), 0);
    o.n_set = 0;
    o.result = "/dev/null/R.csv";
    cr_assert_eq(simulate(&m, &o, &s), SIMULATE_FILE);
}
