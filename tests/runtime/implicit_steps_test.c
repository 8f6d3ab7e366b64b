/* Implicit methods of fixed steps: a step that fails is halved; the order of the trapezoid. */
#include "runtime/method/implicit_steps.h"
#include "tests/runtime/fixture.h"

static double longest; /* what advance takes */
static int tried;

/* Euler's implicit step of x0' = x1, x1' = -b x0, solved by hand. */
static int advance(void *self, Run *run, double t)
{
    ImplicitSteps *it = self;
    double h = t - run->t, b = run->problem.ctx->p[1], *x = it->steps.x;
    tried++;
    if (h > longest)
        return 1;
    memcpy(it->base, run->x, 2 * sizeof *it->base);
    x[0] = (run->x[0] + h * run->x[1]) / (1 + h * h * b);
    x[1] = (run->x[1] - h * b * run->x[0]) / (1 + h * h * b);
    it->gamma = h;
    implicit_steps_finish(it);
    return 0;
}

Test(implicit_steps, a_step_that_fails_is_taken_in_parts)
{
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    Fixture it;
    fixture_open(&it, &m, &o);
    it.run.step = 0.5;
    ImplicitSteps *steps = implicit_steps_open(&it.run, sizeof *steps);
    cr_assert(steps);
    longest = 0.2;
    double before = 0;
    int taken = 0;
    while (it.run.t < 0.5 && taken < 20) {
        cr_assert_eq(implicit_steps_take(steps, &it.run, advance), 0);
        double h = it.run.t - before, f[2];
        cr_assert(h > 0 && h <= longest, "%g", h);
        cr_assert_float_eq(it.run.h, h, 1e-15);
        m.xdot(it.run.problem.ctx, it.run.t, it.run.x, f); // what finish takes from the formula
        cr_assert_float_eq(steps->steps.f[0], f[0], 1e-13);
        cr_assert_float_eq(steps->steps.f[1], f[1], 1e-13);
        before = it.run.t;
        taken++;
    }
    cr_assert_eq(it.run.t, 0.5); // on the grid, not beyond
    cr_assert_eq(it.counts.rejected, (uint64_t)(tried - taken));
    longest = 0; // nothing goes: it ends
    tried = 0;
    cr_assert_gt(implicit_steps_take(steps, &it.run, advance), 0);
    cr_assert_eq(it.run.t, 0.5);
    cr_assert(tried > 5 && tried < 50, "%d", tried);
    implicit_steps_close(steps);
    fixture_close(&it);
}

/* The error of x0 = cos(2 t) at stop by the trapezoid. */
static double error_of(double h, double inside)
{
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    Fixture it;
    fixture_open(&it, &m, &o);
    it.run.step = h;
    void *method = integrator_trapezoid.open(&it.run);
    cr_assert(method);
    while (it.run.t < it.run.stop)
        cr_assert_eq(integrator_trapezoid.step(method, &it.run), 0, "%s", it.run.problem.why);
    double t = it.run.stop - inside * h, x[2];
    integrator_trapezoid.at(method, &it.run, t, x);
    integrator_trapezoid.close(method);
    double omega = sqrt(it.run.problem.ctx->p[1]);
    fixture_close(&it);
    return fabs(x[0] - cos(omega * t));
}

Test(implicit_steps, trapezoid_has_order_two)
{
    for (double inside = 0; inside < 1; inside += 0.3) {
        double ratio = error_of(0.02, inside) / error_of(0.01, inside);
        cr_assert_float_eq(log2(ratio), 2, 0.1, "%g: %g", inside, ratio);
    }
}
