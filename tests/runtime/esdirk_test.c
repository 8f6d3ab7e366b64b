/* The coefficients of the method `esdirk` against the conditions they must satisfy, and the order
 * that its steps have. */
#include "runtime/kernel/rung_esdirk.h"
#include "runtime/method/integrator.h"
#include "runtime/problem/fallback.h"
#include "tests/runtime/spring.h"

#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { S = ESDIRK_STAGES, ORDER = 5, MOST_TREES = 64 };

/* ---- rooted trees (Butcher): order, density, elementary weight before b is applied ---- */

typedef struct Tree {
    int order;
    double density;
    double weight[S];
} Tree;

typedef struct Trees {
    int n;
    Tree at[MOST_TREES];
} Trees;

/* A root on the forest: its trees are `from` and those after it in the list, of `rest` nodes. */
static void grow(Trees *all, int known, int from, int rest, Tree so_far)
{
    if (rest == 0) {
        cr_assert_lt(all->n, MOST_TREES);
        so_far.density *= so_far.order;
        all->at[all->n++] = so_far;
        return;
    }
    for (int k = from; k < known; k++) {
        const Tree *t = &all->at[k];
        if (t->order > rest)
            continue;
        Tree more = so_far;
        more.density *= t->density;
        for (int i = 0; i < S; i++) {
            double sum = 0;
            for (int j = 0; j < S; j++)
                sum += esdirk_a[i][j] * t->weight[j];
            more.weight[i] *= sum;
        }
        grow(all, known, k, rest - t->order, more);
    }
}

static Trees trees(void)
{
    Trees all = {0};
    for (int order = 1; order <= ORDER; order++) {
        Tree root = {.order = order, .density = 1};
        for (int i = 0; i < S; i++)
            root.weight[i] = 1;
        grow(&all, all.n, 0, order - 1, root);
    }
    return all;
}

static double apply(const double *b, const Tree *t)
{
    double sum = 0;
    for (int i = 0; i < S; i++)
        sum += b[i] * t->weight[i];
    return sum;
}

static void dense_at(double theta, double *b)
{
    for (int i = 0; i < S; i++) {
        b[i] = 0;
        for (int k = ESDIRK_DEGREE; k-- > 0;)
            b[i] = (b[i] + esdirk_dense[i][k]) * theta;
    }
}

Test(esdirk, order_conditions)
{
    Trees all = trees();
    // 1, 1, 2, 4, 9 rooted trees of orders 1 to 5
    cr_assert_eq(all.n, 17);
    const double *b = esdirk_a[S - 1];
    double embedded[S];
    int missed = 0;
    for (int i = 0; i < S; i++)
        embedded[i] = b[i] - esdirk_error[i];
    for (int k = 0; k < all.n; k++) {
        const Tree *t = &all.at[k];
        cr_assert_float_eq(apply(b, t), 1 / t->density, 1e-15, "tree %d", k);
        bool holds = fabs(apply(embedded, t) - 1 / t->density) < 1e-15;
        cr_assert(holds || t->order == ORDER, "embedded, tree %d", k);
        missed += !holds;
    }
    // what is estimated is an error of the next order
    cr_assert_eq(missed, 9);
}

Test(esdirk, stages)
{
    for (int i = 0; i < S; i++) {
        double sum = 0, first = 0;
        for (int j = 0; j < S; j++) {
            sum += esdirk_a[i][j];
            first += esdirk_a[i][j] * esdirk_c[j];
            cr_assert(j <= i || esdirk_a[i][j] == 0);
        }
        cr_assert_float_eq(sum, esdirk_c[i], 1e-15);
        cr_assert_float_eq(first, esdirk_c[i] * esdirk_c[i] / 2, 1e-15, "stage order 2");
        cr_assert_eq(esdirk_a[i][i], i ? esdirk_a[1][1] : 0);
    }
    cr_assert_eq(esdirk_c[S - 1], 1);
}

Test(esdirk, dense_output)
{
    Trees all = trees();
    double b[S];
    for (int m = 0; m <= 20; m++) {
        double theta = m / 20.;
        dense_at(theta, b);
        for (int k = 0; k < all.n; k++)
            if (all.at[k].order < ORDER)
                cr_assert_float_eq(apply(b, &all.at[k]),
                                   pow(theta, all.at[k].order) / all.at[k].density, 2e-14,
                                   "theta %g, tree %d", theta, k);
    }
    for (int i = 0; i < S; i++)
        cr_assert_float_eq(b[i], esdirk_a[S - 1][i], 1e-14);
}

/* 1 + z b (1 - z A)^-1 1: what x' = lambda x makes of 1, z = h lambda. */
static double complex growth(const double *b, double complex z)
{
    double complex f[S], x = 1;
    for (int i = 0; i < S; i++) {
        double complex base = 1;
        for (int j = 0; j < i; j++)
            base += z * esdirk_a[i][j] * f[j];
        f[i] = base / (1 - z * esdirk_a[i][i]);
    }
    for (int i = 0; i < S; i++)
        x += z * b[i] * f[i];
    return x;
}

Test(esdirk, l_stability)
{
    // the poles lie at 1 / gamma > 0: what holds on the imaginary axis holds left of it
    const double *b = esdirk_a[S - 1];
    for (double y = 1e-3; y < 1e7; y *= 1.01)
        cr_assert_leq(cabs(growth(b, y * I)), 1 + 1e-12, "y = %g", y);
    double embedded[S];
    for (int i = 0; i < S; i++)
        embedded[i] = b[i] - esdirk_error[i];
    cr_assert_leq(cabs(growth(b, -1e6)), 1e-4);
    cr_assert_leq(cabs(growth(b, -1e8)), 1e-6);
    cr_assert_leq(cabs(growth(embedded, -1e8)), 1);
    // the solution inside a step stays bounded, too
    for (int m = 1; m < 20; m++) {
        double dense[S];
        dense_at(m / 20., dense);
        cr_assert_leq(cabs(growth(dense, -1e6)), 1, "theta %g", m / 20.);
    }
}

/* ---- one step of x' = A(t) x with the solution (exp(sin t), t exp(sin t)) ---- */

static int linear_xdot(RungContext *ctx, double t, const double *x, double *xdot)
{
    (void)ctx;
    xdot[0] = cos(t) * x[0];
    xdot[1] = x[0] + cos(t) * x[1];
    return 0;
}

/* (I - gamma A(t)) delta = base + gamma A(t) x - x, which is lower triangular */
static int linear_newton(RungContext *ctx, double t, const double *x, double *delta)
{
    const double gamma = ctx->u[0], weight = ctx->u[1], *base = ctx->u + 3;
    double f[2];
    linear_xdot(ctx, t, x, f);
    delta[0] = weight * (base[0] + gamma * f[0] - x[0]) / (1 - gamma * cos(t));
    delta[1] = (weight * (base[1] + gamma * f[1] - x[1]) + gamma * delta[0]) / (1 - gamma * cos(t));
    return 0;
}

static const double nominal[] = {1, 1};

/* The error after one step of length h, and inside it. */
static void one_step(double h, double *end, double *middle)
{
    // solved exactly in one iteration: what is left is the method's own error
    RungNewton newton = {.n = 5, .step = linear_newton};
    RungModel m = {.version = RUNG_MODEL_VERSION,
                   .newton = &newton,
                   .size = sizeof(RungModel),
                   .n_states = 2,
                   .nominal = nominal,
                   .xdot = linear_xdot};
    Counts counts = {0};
    double t0 = 0.3, x[2] = {exp(sin(t0)), t0 * exp(sin(t0))}, at[2];
    Run run = {.problem = {.model = &m,
                           .ctx = context_new(&m),
                           .n = 2,
                           .piece_start = t0,
                           .counts = &counts},
               .t = t0,
               .stop = t0 + h,
               .tolerance = 0.9,
               .step = h,
               .x = x};
    run.problem.fallback = fallback_new(run.problem.ctx, 1e-6);
    void *it = integrator_esdirk.open(&run);
    cr_assert(it);
    cr_assert_eq(integrator_esdirk.step(it, &run), 0);
    cr_assert_eq(run.t, run.stop);
    *end = fabs(x[1] - run.t * exp(sin(run.t)));
    double t = t0 + 0.6 * h;
    integrator_esdirk.at(it, &run, t, at);
    *middle = fabs(at[1] - t * exp(sin(t)));
    integrator_esdirk.close(it);
    fallback_delete(run.problem.fallback);
    context_free(run.problem.ctx);
}

Test(esdirk, measured_order)
{
    double end[2], middle[2];
    one_step(0.4, &end[0], &middle[0]);
    one_step(0.2, &end[1], &middle[1]);
    // local errors: h^6 and h^5
    cr_assert_geq(end[0] / end[1], 45, "%g %g", end[0], end[1]);
    cr_assert_geq(middle[0] / middle[1], 25, "%g %g", middle[0], middle[1]);
    cr_assert_leq(end[0], 1e-4);
}

/* A model's own iteration whose pivots have lost their digits goes astray at any step. */
static int astray(RungContext *ctx, double t, const double *x, double *delta)
{
    int status = spring_step(ctx, t, x, delta);
    for (int i = 0; i < 2 && t > 0.5; i++)
        delta[i] *= -20;
    return status;
}

Test(esdirk, an_iteration_that_goes_astray_is_left)
{
    RungNewton newton = spring_newton;
    newton.step = astray;
    double end[2];
    for (int k = 0; k < 2; k++) {
        RungModel m = spring();
        m.newton = k ? &newton : &spring_newton;
        SimulateOptions o = simulate_defaults();
        spring_fails = false;
        Fixture it;
        fixture_open(&it, &m, &o);
        it.run.tolerance = 1e-9;
        it.run.step = NAN;
        it.x[0] = 2;
        void *method = integrator_esdirk.open(&it.run);
        cr_assert(method);
        while (it.run.t < it.run.stop)
            cr_assert_eq(integrator_esdirk.step(method, &it.run), 0, "%s", it.run.problem.why);
        integrator_esdirk.close(method);
        end[k] = it.x[0];
        cr_assert_eq(it.counts.jacobians > 0, k);
        fixture_close(&it);
    }
    cr_assert_float_eq(end[0], end[1], 1e-7);
}
