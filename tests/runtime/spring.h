/* spring.h -- an oscillator with a cubic spring, x0' = x1, x1' = -x0^3 - d x1, with its own Newton
 * iteration written by hand, and Newton's method of implicit.h open for one step of it.
 */
#ifndef TESTS_RUNTIME_SPRING_H
#define TESTS_RUNTIME_SPRING_H

#include "runtime/method/implicit.h"
#include "runtime/method/newton_solver.h"
#include "tests/runtime/fixture.h"

static const double SPRING_DAMPING = 0.3;
static int spring_steps;  /* calls of the model's own iteration     */
static bool spring_fails; /* a pivot of it vanishes                 */

static inline int spring_xdot(RungContext *ctx, double t, const double *x, double *f)
{
    (void)ctx, (void)t;
    f[0] = x[1];
    f[1] = -x[0] * x[0] * x[0] - SPRING_DAMPING * x[1];
    return 0;
}

/* (1 - gamma J) delta = weight (base + gamma f - x) by Cramer's rule */
static inline int spring_step(RungContext *ctx, double t, const double *x, double *delta)
{
    const double *u = ctx->u + ctx->model->newton->first, g = u[0];
    double f[2], r[2];
    spring_xdot(ctx, t, x, f);
    for (int i = 0; i < 2; i++)
        r[i] = u[1] * (u[3 + i] + g * f[i] - x[i]);
    double a = 3 * g * x[0] * x[0], d = 1 + g * SPRING_DAMPING, det = d + g * a;
    delta[0] = (d * r[0] + g * r[1]) / det;
    delta[1] = (r[1] - a * r[0]) / det;
    spring_steps++;
    return spring_fails;
}

static const RungNewton spring_newton = {.first = 1, .n = 5, .operations = 30, .step = spring_step};

/* u[0] is an input of the model, behind it is what the iteration is given. */
static inline RungModel spring(void)
{
    static const RungInput input[5] = {{2, 0}, {2, 0}, {2, 0}, {2, 0}, {2, 0}};
    RungModel m = fixture_model();
    m.n_inputs = 5;
    m.input = input;
    m.xdot = spring_xdot;
    m.newton = &spring_newton;
    return m;
}

typedef struct Spring {
    RungModel m;
    SimulateOptions o;
    Fixture fixture;
    Implicit implicit;
} Spring;

static inline void spring_open(Spring *b, bool by_model)
{
    b->m = spring();
    b->o = simulate_defaults();
    b->o.jacobian = by_model ? JACOBIAN_ANALYTIC : JACOBIAN_DENSE;
    fixture_open(&b->fixture, &b->m, &b->o);
    cr_assert(implicit_open(&b->implicit, &b->fixture.run));
    spring_steps = 0;
    spring_fails = false;
}

static inline void spring_close(Spring *b)
{
    implicit_close(&b->implicit);
    fixture_close(&b->fixture);
}

/* What is missed of x = base + gamma f(x). */
static inline double spring_missed(const double *x, const double *base, double gamma)
{
    double f[2];
    spring_xdot(NULL, 0, x, f);
    return fmax(fabs(base[0] + gamma * f[0] - x[0]), fabs(base[1] + gamma * f[1] - x[1]));
}

/* Of the step x = base + gamma f(x). */
static const double spring_base[] = {1.5, -0.7};

#endif
