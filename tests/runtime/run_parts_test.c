/* The parts of a run one by one: evaluation, scales and lengths of steps, the checks of its values,
 * saves, functions for external C. */
#include "runtime/event/event_parts.h"
#include "runtime/method/method_needs.h"
#include "runtime/method/step_control.h"
#include "runtime/problem/ModelicaUtilities.h"
#include "runtime/problem/external.h"
#include "runtime/problem/problem.h"
#include "runtime/problem/state_scale.h"
#include "runtime/run/branches.h"
#include "runtime/run/checkpoint.h"
#include "runtime/run/range.h"
#include "runtime/run/spectral_radius.h"
#include "runtime/run/valid.h"
#include "tests/runtime/fixture.h"

#include <unistd.h>

/* ---- problem.h ---- */

static int infinite(RungContext *ctx, double t, const double *x, double *f)
{
    (void)ctx, (void)t;
    f[0] = x[1];
    f[1] = x[0] > 1 ? INFINITY : 1 / x[0];
    return 0;
}

Test(problem, derivatives_are_counted_and_finite)
{
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    Fixture it;
    fixture_open(&it, &m, &o);
    double f[2], x[] = {2, 3};
    cr_assert_eq(problem_xdot(&it.run.problem, 0, x, f), 0);
    cr_assert_eq(f[0], 3);
    cr_assert_eq(f[1], -it.run.problem.ctx->p[1] * 2);
    cr_assert_eq(it.counts.evaluations, 1);
    m.xdot = infinite;
    cr_assert_gt(problem_xdot(&it.run.problem, 0.5, x, f), 0);
    cr_assert_eq(it.counts.evaluations, 2);
    char why[400] = "no: ";
    problem_explain(&it.run.problem, why, sizeof why);
    cr_assert(strstr(why, problem_state_name(&it.run.problem, 1)), "%s", why);
    cr_assert_str_eq(problem_state_name(&it.run.problem, 1), "x1");
    fixture_close(&it);
}

/* ---- spectral_radius.h ---- */

static double turn[2][2];

static int linear(RungContext *ctx, double t, const double *x, double *f)
{
    (void)ctx, (void)t;
    for (int i = 0; i < 2; i++)
        f[i] = turn[i][0] * x[0] + turn[i][1] * x[1];
    return 0;
}

/* Of a symmetric matrix: the root of l^2 - trace l + det of the larger size. */
Test(spectral_radius, is_the_largest_eigenvalue)
{
    static const double of[][3] = {{-3, 1, -200}, {4, 2, 1}, {-1e-3, 1e-4, -1e-2}};
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    m.xdot = linear;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        turn[0][0] = of[k][0];
        turn[0][1] = turn[1][0] = of[k][1];
        turn[1][1] = of[k][2];
        double trace = of[k][0] + of[k][2], det = of[k][0] * of[k][2] - of[k][1] * of[k][1];
        double want = (fabs(trace) + sqrt(trace * trace - 4 * det)) / 2, x[] = {1, 1};
        Fixture it;
        SpectralRadius s;
        fixture_open(&it, &m, &o);
        cr_assert(spectral_radius_open(&s, &it.run.problem));
        for (int round = 0; round < 40; round++)
            cr_assert_eq(spectral_radius_round(&s, &it.run.problem, 0, x), 0);
        cr_assert_float_eq(s.value, want, 1e-3 * want, "%g, not %g", s.value, want);
        spectral_radius_close(&s);
        fixture_close(&it);
    }
}

/* ---- step_control.h ---- */

static double largest(const void *method, const double *v)
{
    (void)method;
    return fmax(fabs(v[0]), fabs(v[1])) / 1e-6;
}

static double error_of(const void *method, uint32_t i)
{
    return ((const double *)method)[i];
}

/* A step that the controller proposes has the error that it aims at: with an error C h^p the next
 * attempt comes below the bound, and steps of error 0.9^p grow no more. */
Test(step_control, aims_at_the_tolerance)
{
    for (int order = 2; order <= 6; order++) {
        StepControl c = {.order = order, .proportional = 1. / order, .growth = 5, .last_error = 1};
        for (double scale = 1.5; scale < 1e4; scale *= 7) {
            double h = 0.3, err = scale, to = step_shorter(&c, h, false, err, 1);
            double now = err * pow(to / h, order);
            cr_assert(fabs(now - pow(0.9, order)) < 1e-12 || to == 0.1 * h, "order %d: %g", order,
                      now);
            cr_assert_lt(to, h);
            cr_assert(step_shorter(&c, h, true, err, 1) < h);
        }
        cr_assert_float_eq(step_growth(&c, pow(0.9, order), false), 1, 1e-12);
        cr_assert_eq(step_growth(&c, 0, false), 5);
        cr_assert_leq(step_growth(&c, 0, true), 1, "no growth behind a rejected step");
        cr_assert_eq(step_growth(&c, 1e30, false), 0.2);
    }
}

Test(step_control, first_step_is_small_for_the_solution)
{
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    Fixture it;
    fixture_open(&it, &m, &o);
    it.run.step = NAN;
    StepControl c = {.order = 4};
    double x[2], f[2], xdot[2];
    double h[2];
    for (int k = 0; k < 2; k++) { /* a spring 100 times stiffer is ten times as fast */
        cr_assert_eq(context_set(it.run.problem.ctx, "a", k ? "100" : "1"), SET_OK);
        cr_assert_eq(context_update(it.run.problem.ctx), 0);
        cr_assert_eq(problem_xdot(&it.run.problem, 0, it.x, xdot), 0);
        h[k] = step_first(&it.run, &c, 10, 0, largest, NULL, xdot, x, f);
        cr_assert(h[k] > 0 && h[k] < 0.2 / (k ? 10 : 1), "%g", h[k]);
    }
    cr_assert_lt(h[1], h[0]);
    cr_assert_leq(step_first(&it.run, &c, 1e-9, 0, largest, NULL, xdot, x, f), 1e-9);
    it.run.step = 0.125;
    cr_assert_eq(step_first(&it.run, &c, 10, 0, largest, NULL, xdot, x, f), 0.125);
    const double error[] = {1, 7};
    step_too_small(&it.run, 2, error_of, error);
    cr_assert(strstr(it.run.problem.why, "'x1' is 7 times"), "%s", it.run.problem.why);
    fixture_close(&it);
}

/* ---- method_needs.h ---- */

Test(method_needs, of_the_methods)
{
    cr_assert_eq(simulate_method_needs("rk4"), 0u);
    cr_assert_eq(simulate_method_needs("dopri5") & NEEDS_NEWTON, 0u);
    cr_assert(simulate_method_needs("esdirk") & NEEDS_NEWTON);
    cr_assert(simulate_method_needs("ida") & NEEDS_SUNDIALS);
    for (uint32_t k = 0; simulate_method(k); k++) {
        unsigned all =
            NEEDS_NEWTON | NEEDS_JACOBIAN | NEEDS_LOOP_JACOBIAN | NEEDS_RESIDUAL | NEEDS_SUNDIALS;
        cr_assert_eq(simulate_method_needs(simulate_method(k)) & ~all, 0u, "%s",
                     simulate_method(k));
    }
}

/* ---- state_scale.h ---- */

/* A scale is the nominal value where there is one; it never falls below the states of the run. */
Test(state_scale, follows_the_states)
{
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    Fixture it;
    fixture_open(&it, &m, &o);
    Scale s;
    cr_assert(scale_open(&s, &it.run.problem));
    it.run.problem.scale = &s;
    ScaleRun run = {.t = 0, .start = 0, .span = 1, .tolerance = 1e-6};
    scale_begin(&s, &it.run.problem, &run, it.x);
    double x[] = {0.25, 0.75}, before[2];
    for (uint32_t k = 0; k < 2; k++) {
        before[k] = problem_nominal(&it.run.problem, k);
        cr_assert(before[k] > 0 && before[k] <= 1);
    }
    scale_step(&s, &it.run.problem, 0.1, x);
    for (uint32_t k = 0; k < 2; k++)
        cr_assert_geq(problem_nominal(&it.run.problem, k), fmin(1, x[k]));
    uint32_t first;
    cr_assert_eq(scale_unseen(&s, &it.run.problem, &run, x, &first), 0);
    scale_forget(&s);
    scale_begin(&s, &it.run.problem, &run, it.x);
    for (uint32_t k = 0; k < 2; k++)
        cr_assert_eq(problem_nominal(&it.run.problem, k), before[k], "as opened");
    it.run.problem.scale = NULL;
    scale_close(&s);
    fixture_close(&it);
}

/* ---- valid.h, range.h ---- */

static const RungBounds bounds = {-1, 1, RUNG_NONE, RUNG_NONE};
static const RungAttributes typed[] = {
    {"", "", "", RUNG_PARAMETER, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
    {"", "", "", RUNG_STATE, RUNG_REAL, 0, 0, 0, &bounds, 0, NULL},
    {"", "", "", RUNG_ALGEBRAIC, RUNG_INTEGER, 0, 0, 0, NULL, 0, NULL},
};

Test(valid, values_of_their_types)
{
    RungModel m = fixture_model();
    m.attributes = typed;
    RungContext *ctx = context_new(&m);
    cr_assert_eq(context_update(ctx), 0);
    Valid it;
    char text[200];
    double x[] = {1, 2}, v[] = {3};
    cr_assert(valid_open(&it, &m));
    cr_assert_eq(it.n, 4, "the unknowns and v");
    ctx->z[0] = 5, ctx->z[1] = -2, ctx->z[2] = 0;
    cr_assert_eq(valid_values(&it, ctx, 0, x, v, text, sizeof text), RUNG_NONE);
    static const double wrong[] = {0.5, 3e9, NAN};
    for (int k = 0; k < 3; k++) {
        ctx->z[1] = wrong[k];
        uint32_t row = valid_values(&it, ctx, 0, x, v, text, sizeof text);
        cr_assert_eq(row, 5);
        cr_assert(strstr(text, rung_name(&m, row)), "%s", text);
    }
    cr_assert_eq(valid_finite(ctx, 0, x, v, text, sizeof text), 5);
    ctx->z[1] = 0.5;
    cr_assert_eq(valid_finite(ctx, 0, x, v, text, sizeof text), RUNG_NONE);
    cr_assert_eq(valid_constants(ctx, text, sizeof text), RUNG_NONE);
    ctx->p[1] = INFINITY;
    cr_assert_eq(valid_constants(ctx, text, sizeof text), 1);
    valid_close(&it);
    context_free(ctx);
}

/* A variable that leaves its range is reported, once in a run. */
Test(range, reports_who_leaves)
{
    RungModel m = fixture_model();
    m.attributes = typed;
    RungContext *ctx = context_new(&m);
    cr_assert_eq(context_update(ctx), 0);
    Ranges r;
    cr_assert(ranges_open(&r, &m, 1e-6));
    cr_assert_eq(r.n, 2);
    static const double of_x0[] = {0.5, 1 + 1e-9, 1.5, 2, 0, -1.5};
    static const int reports[] = {0, 0, 1, 0, 0, 0};
    char text[200];
    double v[] = {0};
    for (int k = 0; k < 6; k++) {
        double x[] = {of_x0[k], 0};
        uint32_t at = 0;
        int n = 0;
        while (ranges_next(&r, ctx, k, x, v, &at, text, sizeof text)) {
            cr_assert(strstr(text, "'x0'"), "%s", text);
            n++;
        }
        cr_assert_eq(n, reports[k], "x0 = %g", of_x0[k]);
    }
    ranges_close(&r);
    context_free(ctx);
}

/* ---- branches.h ---- */

/* Of z2 + z2^3 = x0 there is one solution, which goes on everywhere. */
Test(branches, a_monotonic_equation_has_one)
{
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    Fixture it;
    fixture_open(&it, &m, &o);
    Branches b = {0};
    double v[1], x[] = {1, 0};
    char text[200] = "";
    cr_assert(branches_new(&b, &m));
    cr_assert_eq(m.outputs(it.run.problem.ctx, 0, x, v), 0);
    cr_assert(branches_have_any(&b, &m, it.run.problem.ctx->z));
    for (int k = 0; k < 5; k++) {
        x[0] = 1 - 7 * k;
        cr_assert_eq(m.outputs(it.run.problem.ctx, k, x, v), 0);
        double z = it.run.problem.ctx->z[2];
        cr_assert(branches_continue(&b, &it.run.problem, k, x, v, text, sizeof text), "%s", text);
        cr_assert_eq(it.run.problem.ctx->z[2], z);
    }
    branches_free(&b);
    fixture_close(&it);
}

/* ---- checkpoint.h ---- */

/* A run that is read from the file is the one that was written; a file of another model, or cut
 * short, is refused. */
Test(checkpoint, goes_through_a_file)
{
    RungModel m = fixture_model(), other = fixture_model();
    SimulateOptions o = simulate_defaults();
    Fixture it, next;
    Events e, f;
    fixture_open(&it, &m, &o);
    fixture_open(&next, &m, &o);
    Scale scale[2];
    cr_assert(scale_open(&scale[0], &it.run.problem) && scale_open(&scale[1], &next.run.problem));
    it.run.problem.scale = &scale[0];
    next.run.problem.scale = &scale[1];
    scale[0].seen[1] = 0.375;
    cr_assert(events_new(&e, &it.run) && events_new(&f, &next.run));
    it.run.t = 0.75;
    it.x[0] = -0.3;
    it.x[1] = 1.25;
    RowGrid grid = {0.125, 0.25}, got;
    Snapshot s = {0}, read = {0};
    cr_assert(checkpoint_take(&s, &it.run, &e, &grid));
    char path[200];
    const char *tmp = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/checkpoint-test-%ld", tmp && *tmp ? tmp : "/tmp",
             (long)getpid());
    cr_assert(checkpoint_write(&s, path));
    const char *why = checkpoint_read(&read, path, &m);
    cr_assert_null(why, "%s", why);
    cr_assert(checkpoint_resume(&read, &next.run, &f, &got));
    cr_assert_eq(next.run.t, 0.75);
    cr_assert_eq(next.x[0], -0.3);
    cr_assert_eq(next.x[1], 1.25);
    cr_assert_eq(scale[1].seen[1], 0.375);
    cr_assert_eq(got.origin, grid.origin);
    cr_assert_eq(got.interval, grid.interval);
    other.n_states = 1;
    Snapshot wrong = {0};
    cr_assert_not_null(checkpoint_read(&wrong, path, &other));
    snapshot_free(&wrong);
    cr_assert_eq(truncate(path, 40), 0);
    cr_assert_not_null(checkpoint_read(&wrong, path, &m));
    cr_assert_eq(remove(path), 0);
    snapshot_free(&wrong);
    snapshot_free(&s);
    snapshot_free(&read);
    events_free(&e);
    events_free(&f);
    scale_close(&scale[0]);
    scale_close(&scale[1]);
    fixture_close(&it);
    fixture_close(&next);
}

/* ---- ModelicaUtilities.h ---- */

static char said[100];
static bool was_warning;

static void hear(RungContext *ctx, const char *text, int is_warning)
{
    (void)ctx;
    snprintf(said, sizeof said, "%s", text);
    was_warning = is_warning;
}

Test(modelica_utilities, messages_errors_and_strings)
{
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    RungCall call, inner;
    ctx->message = hear;
    volatile int n_errors = 0;
    rung_call_enter(&call, ctx, "outer.mo:1:1");
    if (setjmp(call.jump)) {
        n_errors++;
        cr_assert_neq(rung_call_failed(&call), 0);
    } else {
        ModelicaFormatMessage("%d apples\n", 3);
        cr_assert_str_eq(said, "3 apples");
        cr_assert_not(was_warning);
        ModelicaFormatWarning("%s!\n", "hot");
        cr_assert_str_eq(said, "hot!");
        cr_assert(was_warning);
        char *text = ModelicaAllocateString(5);
        strcpy(text, "12345");
        cr_assert_str_eq(ModelicaDuplicateString(text), "12345");
        rung_call_enter(&inner, ctx, "inner.mo:2:2");
        if (setjmp(inner.jump)) {
            n_errors++;
            cr_assert_neq(rung_call_failed(&inner), 0);
            cr_assert_str_eq(ctx->failed_message, "no 7");
            cr_assert_str_eq(ctx->failed_where, "inner.mo:2:2");
        } else {
            ModelicaFormatError("no %d", 7);
        }
        ModelicaError("outer"); /* of the call around */
    }
    cr_assert_eq(n_errors, 2);
    cr_assert_str_eq(ctx->failed_message, "outer");
    cr_assert_str_eq(ctx->failed_where, "outer.mo:1:1");
    context_free(ctx);
}

/* ---- event_parts.h ---- */

Test(event_parts, some_of_many)
{
    Some s;
    cr_assert(some_new(&s, 50));
    static const uint32_t in[] = {41, 3, 17, 3, 41, 0};
    for (int k = 0; k < 6; k++)
        some_add(&s, in[k]);
    cr_assert_eq(s.n, 4);
    some_sort(&s);
    for (uint32_t k = 1; k < s.n; k++)
        cr_assert_lt(s.at[k - 1], s.at[k]);
    for (uint32_t k = 0; k < 50; k++)
        cr_assert_eq(s.has[k], k == 0 || k == 3 || k == 17 || k == 41);
    some_clear(&s);
    cr_assert_eq(s.n, 0);
    cr_assert_not(s.has[3]);
    some_free(&s);
}

static int n_first, n_second;

static int first_part(RungContext *ctx, double t, const double *x, double *out)
{
    (void)t, (void)x;
    n_first++;
    out[0] = 2 * ctx->u[0];
    return 0;
}

static int second_part(RungContext *ctx, double t, const double *x, double *out)
{
    (void)ctx, (void)t;
    n_second++;
    out[1] = x[0];
    return 0;
}

/* All of them, as the model has them. */
static int both_parts(RungContext *ctx, double t, const double *x, double *out)
{
    return first_part(ctx, t, x, out) || second_part(ctx, t, x, out);
}

/* A part is evaluated when memory that it reads has changed, one of states when they have. */
Test(event_parts, are_evaluated_when_they_are_due)
{
    static int (*const evaluate[])(RungContext *, double, const double *, double *) = {first_part,
                                                                                       second_part};
    static const uint32_t first_out[] = {0, 1, 2}, out_at[] = {0, 1}, first_read[] = {0, 1, 1},
                          read[] = {0}, nature[] = {0, RUNG_PART_MOVES}, first_state[] = {0, 0, 1},
                          state[] = {0};
    const RungEventParts table = {2,    evaluate, first_out,   out_at, first_read,
                                  read, nature,   first_state, state};
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    Fixture it;
    fixture_open(&it, &m, &o);
    m.events = both_parts;
    m.n_events = 2;
    double u[] = {4}, *was = it.run.problem.ctx->u, out[2] = {0}, x[] = {7, 0};
    it.run.problem.ctx->u = u;
    Parts p;
    cr_assert(parts_new(&p, &table, RUNG_ASK_RELATIONS, 2, 1));
    parts_touch_all(&p);
    cr_assert_eq(parts_evaluate(&p, &it.run.problem, 0, x, out), 0);
    cr_assert(out[0] == 8 && out[1] == 7 && n_first == 1 && n_second == 1);
    u[0] = 5;
    parts_touch(&p, 0);
    cr_assert_eq(parts_evaluate(&p, &it.run.problem, 0, x, out), 0);
    cr_assert(out[0] == 10 && n_first == 2 && n_second == 1);
    x[0] = -1;
    parts_touch_moving(&p);
    cr_assert_eq(parts_evaluate(&p, &it.run.problem, 0, x, out), 0);
    cr_assert(out[1] == -1 && n_first == 2 && n_second == 2);
    cr_assert_eq(parts_evaluate(&p, &it.run.problem, 0, x, out), 0);
    cr_assert(n_first == 2 && n_second == 2, "nothing is due");
    cr_assert_eq(parts_evaluate_one(&p, &it.run.problem, 0, 0, x, out), 0);
    cr_assert_eq(n_first, 3);
    parts_free(&p);
    it.run.problem.ctx->u = was;
    fixture_close(&it);
}
