/* A mass on a rod in Cartesian coordinates, x^2 + y^2 = 1 with its force as multiplier: one cut
 * loop written by hand. The angle's own equation, integrated by rk4, is the second way to compute.
 */
#include "runtime/loop/loops.h"
#include "runtime/method/stage.h"
#include "runtime/problem/fallback.h"
#include "runtime/run/simulate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { X, Y, VX, VY, STATES };
static const double G = 9.81;

static int update(RungContext *ctx)
{
    (void)ctx;
    return 0;
}

/* Neither on the circle nor along it: closing the loop has something to do. */
static int start(RungContext *ctx, double t, double *x)
{
    (void)ctx, (void)t;
    x[X] = 1.02;
    x[Y] = 0;
    x[VX] = 0.1;
    x[VY] = -1;
    return 0;
}

static int xdot(RungContext *ctx, double t, const double *x, double *f)
{
    (void)t;
    f[X] = x[VX];
    f[Y] = x[VY];
    f[VX] = ctx->u[0] * x[X];
    f[VY] = ctx->u[0] * x[Y] - G;
    return 0;
}

static int outputs(RungContext *ctx, double t, const double *x, double *v)
{
    (void)ctx, (void)t, (void)x, (void)v;
    return 0;
}

static int phi(RungContext *ctx, double t, const double *x, double *c)
{
    (void)ctx, (void)t;
    c[0] = (x[X] * x[X] + x[Y] * x[Y] - 1) / 2;
    return 0;
}

static int phi_dot(RungContext *ctx, double t, const double *x, double *c)
{
    (void)ctx, (void)t;
    c[0] = x[X] * x[VX] + x[Y] * x[VY];
    return 0;
}

static int phi_rest(RungContext *ctx, double t, const double *x, double *c)
{
    (void)ctx, (void)t;
    c[0] = x[VX] * x[VX] + x[VY] * x[VY];
    return 0;
}

static int nothing(RungContext *ctx, double t, const double *x, double *c)
{
    (void)ctx, (void)t, (void)x, (void)c;
    return 0;
}

/* d phi / d position and d phi' / d velocity are the same here. */
static int gradient(RungContext *ctx, double t, const double *x, double *entry)
{
    (void)ctx, (void)t;
    entry[0] = x[X];
    entry[1] = x[Y];
    return 0;
}

static const uint32_t in_positions[] = {0, 1, 2, 2, 2}, in_velocities[] = {0, 0, 0, 1, 2};
static const uint32_t rows[] = {0, 0}, first[] = {0, 1}, multiplier[] = {0};
static const uint8_t held[STATES], moved[STATES] = {0, 0, 1, 1};
static const char *const names[] = {"rod"}, *const places[] = {"rod.mo:1:1"};
static const RungLoops rod = {
    .n_loops = 1,
    .n_parts = 1,
    .n_constraints = 1,
    .n_velocities = 2,
    .loop_name = names,
    .where = places,
    .first = first,
    .multiplier = multiplier,
    .held = held,
    .moved = moved,
    .phi = phi,
    .phi_dot = phi_dot,
    .phi_t = nothing,
    .phi_rest = phi_rest,
    .balance = nothing,
    .phi_x_pattern = {.n_rows = 1, .n_cols = STATES, .col_start = in_positions, .row = rows},
    .phi_v_pattern = {.n_rows = 1, .n_cols = STATES, .col_start = in_velocities, .row = rows},
    .phi_x = gradient,
    .phi_v = gradient,
    .joint = names,
    .joints = names,
};
static const RungAttributes attributes[] = {
    {"", "", "", RUNG_STATE, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
    {"", "", "", RUNG_INPUT, RUNG_REAL, 0, 0, 0, NULL, 0, NULL}};
#define ROW(name, place, index, kind) name, index, (kind) << 4 | (place) << 1
static const uint32_t variable[] = {ROW(0, RUNG_IN_STATES, X, 0), ROW(2, RUNG_IN_STATES, Y, 0),
                                    ROW(4, RUNG_IN_STATES, VX, 0), ROW(7, RUNG_IN_STATES, VY, 0),
                                    ROW(10, RUNG_IN_INPUTS, 0, 1)};
static const uint32_t state[] = {0, 1, 2, 3};
static const RungInput input[] = {{4, 0}};
static const double ones[] = {1, 1, 1, 1};
static const RungModel model = {
    .version = RUNG_MODEL_VERSION,
    .size = sizeof(RungModel),
    .name = "Rod",
    .n_states = STATES,
    .n_variables = 5,
    .n_inputs = 1,
    .variable = variable,
    .names = "x\0y\0vx\0vy\0f",
    .attributes = attributes,
    .input = input,
    .state = state,
    .nominal = ones,
    .update = update,
    .start = start,
    .xdot = xdot,
    .outputs = outputs,
    .loops = &rod,
};

/* The mass after t seconds from the closed start: angle and speed along the circle. */
static void by_angle(double t, double *x, double *y)
{
    enum { STEPS = 20000 };
    double a = 0, w = -1, h = t / STEPS;
    for (int k = 0; k < STEPS; k++) {
        double k1 = w, l1 = -G * cos(a), k2 = w + h / 2 * l1, l2 = -G * cos(a + h / 2 * k1);
        double k3 = w + h / 2 * l2, l3 = -G * cos(a + h / 2 * k2);
        double k4 = w + h * l3, l4 = -G * cos(a + h * k3);
        a += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        w += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
    *x = cos(a);
    *y = sin(a);
}

typedef struct Last {
    double x[STATES], worst; /* of |phi| and |phi'| over the rows */
} Last;

static int keep(void *user, const RungContext *ctx, double t, const double *x, const double *v)
{
    (void)ctx, (void)t, (void)v;
    Last *it = user;
    memcpy(it->x, x, sizeof it->x);
    double c;
    phi(NULL, 0, x, &c);
    it->worst = fmax(it->worst, fabs(c));
    phi_dot(NULL, 0, x, &c);
    it->worst = fmax(it->worst, fabs(c));
    return 0;
}

/* The error at the end of a run. */
static double error_of(const char *method, double tolerance, double step, double interval,
                       double *worst)
{
    Last last = {0};
    SimulateOptions o = simulate_defaults();
    SimulateSummary s;
    o.method = method;
    o.stop = 2;
    o.tolerance = tolerance;
    o.interval = interval;
    o.step = step;
    o.row = keep;
    o.user = &last;
    o.progress = PROGRESS_NONE;
    int status = simulate(&model, &o, &s);
    cr_assert_eq(status, 0, "%s: %s", method ? method : "default", s.error);
    double x, y;
    by_angle(2, &x, &y);
    *worst = last.worst;
    return hypot(last.x[X] - x, last.x[Y] - y);
}

Test(loops, errors_follow_the_tolerance_whatever_the_interval)
{
    static const char *const method[] = {NULL,    "esdirk", "dopri5", "hedop5", "gear",
#ifdef RUNG_SUNDIALS
                                         "cvode", "ida"
#endif
    };
    for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
        for (double tolerance = 1e-4; tolerance > 1e-9; tolerance /= 100) {
            for (double interval = 0.01; interval < 2; interval *= 20) {
                double worst, error = error_of(method[k], tolerance, NAN, interval, &worst);
                cr_assert_lt(error, 100 * tolerance, "%s, %g", method[k], tolerance);
                cr_assert_lt(worst, 100 * tolerance, "%s, %g", method[k], tolerance);
            }
        }
    }
}

Test(loops, fixed_steps_have_their_order)
{
    static const struct {
        const char *name;
        double order, h;
    } method[] = {{"ali3p", 2, 0.01}, {"bdf", 2, 0.01}, {"half-explicit", 2, 0.01},
                  {"euler", 1, 0.01}, {"rk4", 4, 0.01}, {"half-explicit-euler", 1, 0.001}};
    for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
        double worst, h = method[k].h;
        double a = error_of(method[k].name, 1e-6, h, 2, &worst);
        double b = error_of(method[k].name, 1e-6, h / 2, 2, &worst);
        cr_assert(fabs(log2(a / b) - method[k].order) < 0.5, "%s: %g, %g", method[k].name, a, b);
        cr_assert_lt(worst, 1e-9, "%s", method[k].name);
    }
}

/* By the steps taken, of which the tolerance makes six times as many. */
Test(loops, the_half_explicit_method_is_of_order_5)
{
    double tolerance[] = {1e-6, 1e-10}, error[2], steps[2], x, y;
    by_angle(2, &x, &y);
    for (int k = 0; k < 2; k++) {
        Last last = {0};
        SimulateOptions o = simulate_defaults();
        SimulateSummary s;
        o.method = "hedop5";
        o.stop = o.interval = 2;
        o.tolerance = tolerance[k];
        o.row = keep;
        o.user = &last;
        o.progress = PROGRESS_NONE;
        cr_assert_eq(simulate(&model, &o, &s), 0, "%s", s.error);
        error[k] = hypot(last.x[X] - x, last.x[Y] - y);
        steps[k] = (double)s.counts.steps;
    }
    double order = log(error[0] / error[1]) / log(steps[1] / steps[0]);
    cr_assert(order > 4.5 && order < 6, "%g: %g in %g steps, %g in %g", order, error[0], steps[0],
              error[1], steps[1]);
}

/* A run in progress, closed. */
static void begin(Run *run, double *x, Counts *counts)
{
    *counts = (Counts){0};
    *run = (Run){.problem = {.model = &model,
                             .ctx = context_new(&model),
                             .n = STATES,
                             .counts = counts,
                             .bad_state = RUNG_NONE},
                 .x = x,
                 .stop = 1,
                 .tolerance = 1e-6};
    loops_attach(&run->problem, loops_new(&model));
    run->problem.fallback = fallback_new(run->problem.ctx, 1e-6);
    start(run->problem.ctx, 0, x);
    cr_assert(loops_project_start(&run->problem, 0, x), "%s", run->problem.why);
}

static void end(Run *run)
{
    loops_delete(run->problem.loops);
    fallback_delete(run->problem.fallback);
    context_free(run->problem.ctx);
}

/* Whether the start closes: constraints and nominal values other than those of the rod. */
static bool closes(const RungLoops *loops, const double *nominal, double *x)
{
    RungModel m = model;
    m.loops = loops;
    m.nominal = nominal;
    Counts counts = {0};
    Problem problem = {.model = &m,
                       .ctx = context_new(&m),
                       .n = STATES,
                       .counts = &counts,
                       .bad_state = RUNG_NONE};
    loops_attach(&problem, loops_new(&m));
    bool ok = loops_project_start(&problem, 0, x);
    loops_delete(problem.loops);
    context_free(problem.ctx);
    return ok;
}

Test(loops, a_start_far_away_in_units_of_its_nominal_value_is_closed)
{
    static const double tiny[] = {1e-7, 1e-7, 1, 1};
    double x[STATES] = {0.6, 0.6, 0, 0}, c;
    cr_assert(closes(&rod, tiny, x));
    phi(NULL, 0, x, &c);
    cr_assert_lt(fabs(c), 1e-9);
    cr_assert_lt(fabs(x[X] - sqrt(0.5)), 1e-9); // the nearest point
}

/* Full steps go to and fro, each over the root. */
static int steep(RungContext *ctx, double t, const double *x, double *c)
{
    (void)ctx, (void)t;
    c[0] = atan(100 * (x[X] - 1));
    return 0;
}

static int slope_of_steep(RungContext *ctx, double t, const double *x, double *entry)
{
    (void)ctx, (void)t;
    entry[0] = 100 / (1 + pow(100 * (x[X] - 1), 2));
    entry[1] = 0;
    return 0;
}

Test(loops, a_start_that_full_steps_leave_is_closed_by_damped_ones)
{
    RungLoops it = rod;
    it.phi = steep;
    it.phi_x = slope_of_steep;
    double x[STATES] = {1.16, 0, 0, 0};
    cr_assert(closes(&it, ones, x));
    cr_assert_lt(fabs(x[X] - 1), 1e-9);
}

static double value(int (*f)(RungContext *, double, const double *, double *), const double *x)
{
    double c;
    f(NULL, 0, x, &c);
    return c;
}

/* What comes out of a stage is a point of the mechanism with its derivative: the force is that of
 * the rod, v^2 and gravity along it. */
Test(loops, a_stage_is_a_point_of_the_mechanism)
{
    double x[STATES], f[STATES], base[STATES], y[1], next[STATES];
    Run run;
    Counts counts;
    begin(&run, x, &counts);
    cr_assert_eq(loops_xdot(&run.problem, 0, x, f), 0);
    Implicit im;
    Stage stage;
    cr_assert(implicit_open(&im, &run));
    cr_assert(stage_open(&stage, &im, true, &(ClosingChoice){0}));
    stage_restart(&stage, run.problem.loops->y);
    double gamma = 0.01;
    for (int i = 0; i < STATES; i++) {
        base[i] = x[i] + gamma * f[i];
        next[i] = base[i] + gamma * f[i];
    }
    cr_assert_eq(stage_solve(&stage, 2 * gamma, base, gamma, next, f, y), 0, "%s", run.problem.why);
    cr_assert_lt(fabs(value(phi, next)), 1e-12);
    cr_assert_lt(fabs(value(phi_dot, next)), 1e-12);
    cr_assert_lt(fabs(next[X] * f[VX] + next[Y] * f[VY] + value(phi_rest, next)), 1e-10);
    double force = G * next[Y] - value(phi_rest, next);
    cr_assert_float_eq(y[0], force, 1e-9);
    stage_close(&stage);
    implicit_close(&im);
    end(&run);
}

/* What an event sets stays, the other velocity follows; where it cannot, that is said. */
Test(loops, velocities_fit_behind_an_event)
{
    double x[STATES], before[STATES];
    Run run;
    Counts counts;
    begin(&run, x, &counts);
    x[X] = cos(0.5);
    x[Y] = sin(0.5);
    x[VX] = -sin(0.5);
    x[VY] = cos(0.5);
    memcpy(before, x, sizeof x);
    x[VX] = 3;
    uint32_t set;
    cr_assert_eq(loops_project_event(&run.problem, run.t, run.x, before, &set), 0, "%s",
                 run.problem.why);
    cr_assert_eq(set, RUNG_NONE);
    cr_assert_eq(x[VX], 3.0);
    cr_assert_float_eq(x[VY], -3 * cos(0.5) / sin(0.5), 1e-10);
    memcpy(before, x, sizeof x);
    x[VX] = 1;
    x[VY] = 1;
    cr_assert_eq(loops_project_event(&run.problem, run.t, run.x, before, &set), 0, "%s",
                 run.problem.why);
    cr_assert_neq(set, RUNG_NONE);
    cr_assert_lt(fabs(value(phi_dot, x)), 1e-12);
    end(&run);
}
