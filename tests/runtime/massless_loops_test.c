/* A massless slide a with a slide b on it that carries a mass: both along one axis. Three ties hold
 * points of both, one tie too many:
 *
 *     phi_k = u_k a + s_k b = 0,   a'' + b'' = F + sum of s_k e_k y_k,   sum of (u_k - s_k) e_k y_k
 * = 0,
 *
 * where e_k is 1 or, where the force acts against its tie, -1. At rest the forces are the smallest
 * with sum of s_k e_k y_k = sum of u_k e_k y_k = -F. Seen from the acceleration b'', the input, the
 * response of tie k to its own force, s_k u_k e_k, has any sign.
 */
#include "runtime/loop/loops.h"
#include "runtime/problem/fallback.h"
#include "tests/runtime/fixture.h"

enum { A, B, VA, VB, STATES, N = 3, INPUTS = N + 1 };

static double u[N], s[N], e[N];
static const double F = 7;

static int update(RungContext *ctx)
{
    (void)ctx;
    return 0;
}

static int start(RungContext *ctx, double t, double *x)
{
    (void)ctx, (void)t;
    memset(x, 0, STATES * sizeof *x);
    return 0;
}

static int xdot(RungContext *ctx, double t, const double *x, double *f)
{
    (void)t;
    f[A] = x[VA];
    f[B] = x[VB];
    f[VB] = ctx->u[N];
    f[VA] = F - ctx->u[N];
    for (int k = 0; k < N; k++)
        f[VA] += s[k] * e[k] * ctx->u[k];
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
    for (int k = 0; k < N; k++)
        c[k] = u[k] * x[0] + s[k] * x[1];
    return 0;
}

static int phi_dot(RungContext *ctx, double t, const double *x, double *c)
{
    return phi(ctx, t, x + VA, c);
}

static int nothing(RungContext *ctx, double t, const double *x, double *c)
{
    (void)ctx, (void)t, (void)x;
    memset(c, 0, N * sizeof *c);
    return 0;
}

static int balance(RungContext *ctx, double t, const double *x, double *c)
{
    (void)t, (void)x;
    c[0] = 0;
    for (int k = 0; k < N; k++)
        c[0] += (u[k] - s[k]) * e[k] * ctx->u[k];
    return 0;
}

static int gradient(RungContext *ctx, double t, const double *x, double *entry)
{
    (void)ctx, (void)t, (void)x;
    memcpy(entry, u, sizeof u);
    memcpy(entry + N, s, sizeof s);
    return 0;
}

static const uint32_t in_positions[] = {0, N, 2 * N, 2 * N, 2 * N};
static const uint32_t in_velocities[] = {0, 0, 0, N, 2 * N}, rows[] = {0, 1, 2, 0, 1, 2};
static const uint32_t first[] = {0, N}, multiplier[] = {0, 1, 2}, massless[] = {N};
static const uint32_t state[] = {0, 1, 2, 3};
static const uint8_t held[STATES], moved[STATES] = {0, 0, 1, 1};
static const char *const names[] = {"tie"}, *const places[] = {"tie.mo:1:1"};
static const RungLoops ties = {
    .n_loops = 1,
    .n_parts = 1,
    .n_constraints = N,
    .n_free = 1,
    .n_velocities = 2,
    .loop_name = names,
    .where = places,
    .first = first,
    .multiplier = multiplier,
    .held = held,
    .free = massless,
    .moved = moved,
    .phi = phi,
    .phi_dot = phi_dot,
    .phi_t = nothing,
    .phi_rest = nothing,
    .balance = balance,
    .phi_x_pattern = {.n_rows = N, .n_cols = STATES, .col_start = in_positions, .row = rows},
    .phi_v_pattern = {.n_rows = N, .n_cols = STATES, .col_start = in_velocities, .row = rows},
    .phi_x = gradient,
    .phi_v = gradient,
    .joint = names,
    .joints = names,
};
static const uint32_t variable[] = {
    FIXTURE_ROW(0, RUNG_IN_STATES, A, 0, 0),  FIXTURE_ROW(2, RUNG_IN_STATES, B, 0, 0),
    FIXTURE_ROW(4, RUNG_IN_STATES, VA, 0, 0), FIXTURE_ROW(7, RUNG_IN_STATES, VB, 0, 0),
    FIXTURE_ROW(10, RUNG_IN_INPUTS, 0, 0, 1), FIXTURE_ROW(12, RUNG_IN_INPUTS, 1, 0, 1),
    FIXTURE_ROW(14, RUNG_IN_INPUTS, 2, 0, 1), FIXTURE_ROW(16, RUNG_IN_INPUTS, 3, 0, 1),
};
static const RungAttributes attributes[] = {
    {"", "", "", RUNG_STATE, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
    {"", "", "", RUNG_INPUT, RUNG_REAL, 0, 0, 0, NULL, 0, NULL}};
static const RungInput input[] = {{4, 0}, {5, 0}, {6, 0}, {7, 0}};
static const double ones[] = {1, 1, 1, 1};
static const RungModel model = {
    .version = RUNG_MODEL_VERSION,
    .size = sizeof(RungModel),
    .name = "Ties",
    .n_states = STATES,
    .n_variables = 8,
    .n_inputs = INPUTS,
    .variable = variable,
    .names = "a\0b\0va\0vb\0y\0z\0w\0q",
    .attributes = attributes,
    .input = input,
    .state = state,
    .nominal = ones,
    .update = update,
    .start = start,
    .xdot = xdot,
    .outputs = outputs,
    .loops = &ties,
};

static double dot(const double *p, const double *q)
{
    double sum = 0;
    for (int k = 0; k < N; k++)
        sum += p[k] * q[k];
    return sum;
}

/* y_k e_k = a s_k + b u_k with the two sums -F. */
static void smallest(double *y)
{
    double ss = dot(s, s), su = dot(s, u), uu = dot(u, u), d = ss * uu - su * su;
    double a = -F * (uu - su) / d, b = -F * (ss - su) / d;
    for (int k = 0; k < N; k++)
        y[k] = e[k] * (a * s[k] + b * u[k]);
}

static void check(double against)
{
    e[0] = e[1] = 1;
    e[2] = against;
    Counts counts = {0};
    double x[STATES] = {0}, f[STATES], y[N], diagonal[N];
    Problem problem = {.model = &model,
                       .ctx = context_new(&model),
                       .n = STATES,
                       .counts = &counts,
                       .bad_state = RUNG_NONE};
    loops_attach(&problem, loops_new(&model));
    problem.fallback = fallback_new(problem.ctx, 1e-6);
    cr_assert_eq(loops_xdot(&problem, 0, x, f), 0);
    smallest(y);
    loops_diagonal(problem.loops, diagonal);
    for (int k = 0; k < N; k++) {
        // of order of the rounding of N over its regularisation
        cr_assert_lt(fabs(problem.loops->y[k] - y[k]), 1e-3, "%g: %d, %.10g not %.10g", u[0], k,
                     problem.loops->y[k], y[k]);
        cr_assert_eq(diagonal[k] < 0, e[k] < 0, "%g: %d, %g", u[0], k, diagonal[k]);
    }
    cr_assert(fabs(f[VA]) < 1e-9 && fabs(f[VB]) < 1e-9, "%g: %g, %g", u[0], f[VA], f[VB]);
    loops_delete(problem.loops);
    fallback_delete(problem.fallback);
    context_free(problem.ctx);
}

Test(massless_loops, redundant_forces_are_the_smallest_whatever_coordinate_is_the_input)
{
    // at the last one the signs of the responses make the system singular
    double singular = 0.99 / (1.1 * sqrt(2));
    const double first_u[] = {2, 0.1, -0.1, -0.5, -singular};
    for (size_t c = 0; c < sizeof first_u / sizeof *first_u; c++) {
        memcpy(u, (double[N]){first_u[c], 0.1, 1}, sizeof u);
        memcpy(s, (double[N]){singular, 1, 0.1}, sizeof s);
        check(1);
        check(-1);
    }
}
