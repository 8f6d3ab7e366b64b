/* States are moved back onto the constraints that they keep, and no further than that takes. */
#include "runtime/problem/context.h"
#include "runtime/run/drift.h"

#include <criterion/criterion.h>
#include <math.h>

/* A mass on a circle, in position and velocity: x0^2 + x1^2 = 1, x0 x2 + x1 x3 = 0. */
static int circle(RungContext *ctx, double t, const double *x, double *r)
{
    (void)ctx, (void)t;
    r[0] = x[0] * x[0] + x[1] * x[1] - 1;
    r[1] = x[0] * x[2] + x[1] * x[3];
    return 0;
}

static int circle_by_state(RungContext *ctx, double t, const double *x, double *e)
{
    (void)ctx, (void)t;
    const double entry[] = {2 * x[0], x[2], 2 * x[1], x[3], x[0], x[1]};
    for (int k = 0; k < 6; k++)
        e[k] = entry[k];
    return 0;
}

static const uint32_t column[] = {0, 2, 4, 5, 6}, row[] = {0, 1, 0, 1, 1, 1};
static const double nominal[] = {1, 1, 1, 1};
static const RungInvariants invariants = {.rate = 0,
                                          .by_state_pattern = {2, 4, column, row, NULL, 0},
                                          .residual = circle,
                                          .by_state = circle_by_state};
static const RungModel model = {.n_states = 4, .nominal = nominal, .invariants = &invariants};

static double off(const double *x)
{
    double r[2];
    circle(NULL, 0, x, r);
    return fmax(fabs(r[0]), fabs(r[1]));
}

Test(drift, is_removed_beyond_the_tolerance_alone)
{
    double p[1] = {100};
    RungContext ctx = {.p = p};
    Problem problem = {.model = &model, .ctx = &ctx, .n = 4};
    Drift drift;
    cr_assert(drift_open(&drift, &model, &ctx, false));
    cr_assert_eq(p[0], 0);
    const double phi = 0.7;
    double x[] = {cos(phi), sin(phi), -3 * sin(phi), 3 * cos(phi)}, before[4];
    memcpy(before, x, sizeof x);
    cr_assert_not(drift_restore(&drift, &problem, 1e-6, 0, x));
    x[0] += 1e-8; /* less than the tolerance */
    cr_assert_not(drift_restore(&drift, &problem, 1e-6, 0, x));
    cr_assert_eq(x[0], before[0] + 1e-8);
    x[0] += 3e-5;
    x[3] -= 2e-5;
    cr_assert(drift_restore(&drift, &problem, 1e-6, 0, x));
    cr_assert_lt(off(x), 1e-8);
    for (int k = 0; k < 4; k++)
        cr_assert_float_eq(x[k], before[k], 1e-4);
    /* what is right is left alone */
    memcpy(before, x, sizeof x);
    cr_assert_not(drift_restore(&drift, &problem, 1e-6, 0, x));
    cr_assert_arr_eq(x, before, sizeof x);
    drift_close(&drift);
}

Test(drift, stays_where_no_projection_is_known)
{
    double p[1] = {100};
    RungContext ctx = {.p = p};
    Problem problem = {.model = &model, .ctx = &ctx, .n = 4};
    Drift drift;
    cr_assert(drift_open(&drift, &model, &ctx, false));
    double centre[4] = {0}, nowhere[] = {NAN, 0, 0, 1};
    cr_assert_not(drift_restore(&drift, &problem, 1e-6, 0, centre));
    for (int k = 0; k < 4; k++)
        cr_assert_eq(centre[k], 0);
    cr_assert_not(drift_restore(&drift, &problem, 1e-6, 0, nowhere));
    cr_assert(isnan(nowhere[0]) && nowhere[3] == 1);
    drift_close(&drift);
    p[0] = 100;
    cr_assert(drift_open(&drift, &model, &ctx, true));
    cr_assert_eq(p[0], 100, "where errors are to decay the model's rate stays");
    drift_close(&drift);
    /* without constraints, and where residuals are not known */
    static const RungModel none = {.n_states = 4, .nominal = nominal};
    static const RungInvariants unknown = {.by_state_pattern = {0, 0, NULL, NULL, NULL, 0}};
    static const RungModel some = {.n_states = 4, .nominal = nominal, .invariants = &unknown};
    double x[] = {2, 0, 0, 0};
    p[0] = 100;
    const RungModel *each[] = {&none, &some};
    for (int k = 0; k < 2; k++) {
        cr_assert(drift_open(&drift, each[k], &ctx, false));
        cr_assert_not(drift_restore(&drift, &problem, 1e-6, 0, x));
        cr_assert(x[0] == 2 && p[0] == 100);
        drift_close(&drift);
    }
}
