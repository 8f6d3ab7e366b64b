/* The matrix of F(t, y, y') = 0 against differences of F, in as many entries as the model has. */
#include "runtime/method/dae_residual.h"
#include "runtime/problem/context.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

/* Masses on springs in a row, positions and speeds: tearing variables are the accelerations, and
 * the tension of the first spring, which no state integrates. */
enum { MASSES = 100, STATES = 2 * MASSES, TORN = MASSES + 1, ROWS = TORN + MASSES };

static double tension(const double *x, const double *a, int spring)
{
    return spring == 0        ? a[MASSES]
           : spring == MASSES ? 0
                              : x[spring] - x[spring - 1] + 0.1 * pow(x[spring] - x[spring - 1], 3);
}

static int masses_residual(RungContext *ctx, double t, const double *x, const double *a, double *r)
{
    (void)ctx, (void)t;
    for (int k = 0; k < MASSES; k++)
        r[k] = (1 + k) * a[k] - (tension(x, a, k + 1) - tension(x, a, k));
    r[MASSES] = a[MASSES] + 0.2 * sin(a[MASSES]) - x[0];
    return 0;
}

static int masses_rates(RungContext *ctx, double t, const double *x, const double *a, double *rate)
{
    (void)ctx, (void)t, (void)a;
    memcpy(rate, x + MASSES, MASSES * sizeof *rate);
    return 0;
}

static double stretched(double x)
{
    return 1 + 0.3 * x * x;
}

/* By columns: each a[k] in its own row, the tension in its own and in that of the first mass. */
static int masses_by_torn(RungContext *ctx, double t, const double *x, const double *a, double *e)
{
    (void)ctx, (void)t, (void)x;
    for (int k = 0; k < MASSES; k++)
        e[k] = 1 + k;
    e[MASSES] = 1;
    e[MASSES + 1] = 1 + 0.2 * cos(a[MASSES]);
    return 0;
}

/* By columns: x[k] in the rows of k - 1, k, k + 1, x[0] in the tension's too; speeds in rates. */
static int masses_by_state(RungContext *ctx, double t, const double *x, const double *a, double *e)
{
    (void)ctx, (void)t, (void)a;
    for (int k = 0; k < MASSES; k++) {
        double left = k > 0 ? stretched(x[k] - x[k - 1]) : 0;
        double right = k < MASSES - 1 ? stretched(x[k + 1] - x[k]) : 0;
        if (k > 0)
            *e++ = -left;
        *e++ = left + right;
        if (k < MASSES - 1)
            *e++ = -right;
        if (k == 0)
            *e++ = -1;
    }
    for (int k = 0; k < MASSES; k++)
        *e++ = 1;
    return 0;
}

typedef struct Masses {
    RungModel model;
    RungResidual form;
    double nominal[STATES];
    uint32_t state[TORN], rate_of[MASSES], variable[TORN];
    uint32_t torn_start[TORN + 1], torn_row[TORN + 1];
    uint32_t state_start[STATES + 1], state_row[3 * MASSES + 1 + MASSES];
} Masses;

static void masses_new(Masses *it)
{
    *it = (Masses){0};
    uint32_t e = 0;
    for (uint32_t k = 0; k < TORN; k++) {
        it->state[k] = k < MASSES ? MASSES + k : RUNG_NONE;
        it->torn_start[k] = e;
        it->torn_row[e++] = k < MASSES ? k : 0;
        if (k == MASSES)
            it->torn_row[e++] = k;
    }
    it->torn_start[TORN] = e;
    e = 0;
    for (uint32_t k = 0; k < STATES; k++) {
        it->nominal[k] = 1;
        it->state_start[k] = e;
        for (uint32_t row = k > 0 ? k - 1 : 0; k < MASSES && row < MASSES && row <= k + 1; row++)
            it->state_row[e++] = row;
        if (k == 0)
            it->state_row[e++] = MASSES;
        if (k >= MASSES) {
            it->rate_of[k - MASSES] = k - MASSES;
            it->state_row[e++] = TORN + k - MASSES;
        }
    }
    it->state_start[STATES] = e;
    it->form = (RungResidual){.n = TORN,
                              .n_rates = MASSES,
                              .variable = it->variable,
                              .state = it->state,
                              .rate_of = it->rate_of,
                              .residual = masses_residual,
                              .rates = masses_rates,
                              .by_torn = masses_by_torn,
                              .by_state = masses_by_state};
    it->form.by_torn_pattern = (RungPattern){
        .n_rows = ROWS, .n_cols = TORN, .col_start = it->torn_start, .row = it->torn_row};
    it->form.by_state_pattern = (RungPattern){
        .n_rows = ROWS, .n_cols = STATES, .col_start = it->state_start, .row = it->state_row};
    it->model = (RungModel){.n_states = STATES, .nominal = it->nominal, .residual = &it->form};
}

Test(dae_residual, has_the_matrix_of_its_function_and_no_more_entries)
{
    enum { N = STATES + 1 };
    static Masses m;
    masses_new(&m);
    Counts counts = {0};
    RungContext ctx = {0};
    Run run = {.problem = {.model = &m.model, .ctx = &ctx, .counts = &counts, .n = STATES}};
    ResidualForm form;
    cr_assert(residual_form_open(&form, &run));
    cr_assert_eq(form.n, N);
    cr_assert_leq(form.col_start[N], 6u * N);

    static double y[N], yp[N], f[N], g[N], column[N];
    for (int k = 0; k < N; k++) {
        y[k] = sin(1.0 + 3 * k);
        yp[k] = cos(2.0 * k);
    }
    const double c = 7.5, h = 1e-6;
    cr_assert_eq(residual_form_entries(&form, &run, 0, c, y, yp), 0);
    for (uint32_t k = 0; k < N; k++) {
        memset(column, 0, sizeof column);
        for (uint32_t e = form.col_start[k]; e < form.col_start[k + 1]; e++)
            column[form.row_of[e]] += form.entry[e];
        double at = y[k], slope = yp[k];
        y[k] = at + h;
        yp[k] = slope + c * h;
        cr_assert_eq(residual_form_f(&form, &run, 0, y, yp, f), 0);
        y[k] = at - h;
        yp[k] = slope - c * h;
        cr_assert_eq(residual_form_f(&form, &run, 0, y, yp, g), 0);
        y[k] = at;
        yp[k] = slope;
        for (uint32_t i = 0; i < N; i++)
            cr_assert_float_eq(column[i], (f[i] - g[i]) / (2 * h), 1e-6, "row %u, column %u: %g", i,
                               k, column[i]);
    }
    residual_form_close(&form);
}

/* The tension is variable 0 of the model, or none: then it has no start value. */
Test(dae_residual, is_refused_where_an_unknown_has_no_start_value)
{
    static Masses m;
    masses_new(&m);
    Run run = {.problem = {.model = &m.model, .n = STATES}};
    cr_assert_null(residual_form_missing(&run));
    m.variable[MASSES] = RUNG_NONE;
    const char *missing = residual_form_missing(&run);
    cr_assert(missing && strstr(missing, "no start value"), "%s", missing ? missing : "none");
}
