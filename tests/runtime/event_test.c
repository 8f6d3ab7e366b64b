/* Events, delays, initial systems and evaluations that fail, around steps that a test makes up. */
#include "runtime/event/event.h"
#include "runtime/problem/ModelicaUtilities.h"
#include "runtime/problem/delay.h"
#include "runtime/problem/external.h"
#include "runtime/run/initial.h"
#include "tests/runtime/fixture.h"

/* ---- the solution inside a step: x0 = t, x1 = t^3 ---- */

static void at(void *self, const Run *run, double t, double *x)
{
    (void)self, (void)run;
    x[0] = t;
    x[1] = t * t * t;
}

static const Integrator made_up = {.name = "made up", .at = at};

/* ---- a relation x0 < 0.3 (memory 0), samples every 0.25 s (memory 1) ---- */

static int crossings(RungContext *ctx, double t, const double *x, double *g)
{
    (void)ctx, (void)t;
    g[0] = x[0] - 0.3;
    return 0;
}

static int event(RungContext *ctx, double t, const double *x, double *out)
{
    out[1] = 0;
    out[2] = ctx->u[1]; // reinit of x1 where a sample is due
    out[3] = 5;
    return crossings(ctx, t, x, out);
}

static const RungMemory memory[] = {
    {.kind = RUNG_RELATION, .is_strict = 1, .start_in = RUNG_NONE, .interval_in = RUNG_NONE},
    {.kind = RUNG_SAMPLE,
     .start = 0.25,
     .start_in = RUNG_NONE,
     .interval = 0.25,
     .interval_in = RUNG_NONE},
};
static const RungAction action[] = {{RUNG_REINIT, 1, "", "tiny.mo:5:1"}};
static const RungEvents table = {2, 1, memory, action, event, NULL, NULL, NULL};

Test(event, lies_where_the_relation_changes_and_samples_are_not_passed)
{
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    m.event = &table;
    m.events = crossings;
    m.n_events = 1;
    Fixture it;
    Events e;
    bool found;
    fixture_open(&it, &m, &o);
    it.x[0] = it.x[1] = 0;
    cr_assert(events_new(&e, &it.run));
    events_reset(&e, &it.run);
    cr_assert_eq(events_begin(&e, &it.run), 0);
    cr_assert_eq(it.run.problem.ctx->u[0], 1); // x0 < 0.3

    // a step that ends before anything happens, one that ends at a sample
    it.run.t = 0.2;
    at(NULL, &it.run, 0.2, it.x);
    cr_assert_eq(events_next_time(&e, &it.run), 0.25);
    cr_assert_eq(events_look(&e, &it.run, &made_up, NULL, 0, &found), 0);
    cr_assert_not(found);
    it.run.t = 0.25;
    at(NULL, &it.run, 0.25, it.x);
    cr_assert_eq(events_look(&e, &it.run, &made_up, NULL, 0.2, &found), 0);
    cr_assert(found);
    events_go(&e, &it.run);
    cr_assert_eq(events_handle(&e, &it.run), 0);
    cr_assert_eq(it.x[1], 5);
    cr_assert_eq(events_next_time(&e, &it.run), 0.5);

    // one over the crossing
    it.run.t = 0.4;
    at(NULL, &it.run, 0.4, it.x);
    cr_assert_eq(events_look(&e, &it.run, &made_up, NULL, 0.25, &found), 0);
    cr_assert(found);
    events_go(&e, &it.run);
    cr_assert_float_eq(it.run.t, 0.3, 1e-9);
    cr_assert_eq(events_handle(&e, &it.run), 0);
    cr_assert_eq(it.run.problem.ctx->u[0], 0);
    events_free(&e);
    fixture_close(&it);
}

/* ---- delay(x1, 0.5) ---- */

static int delayed(RungContext *ctx, double t, const double *x, double *out)
{
    (void)ctx, (void)t;
    out[0] = x[1];
    return 0;
}

static const RungMemory delay_memory[] = {
    {.kind = RUNG_DELAY, .start = 0.5, .start_in = RUNG_NONE, .interval_in = RUNG_NONE}};
static const RungEvents delay_table = {1, 0, delay_memory, NULL, NULL, NULL, NULL, NULL};

Test(delay, reads_back_what_was_recorded)
{
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    cr_assert_not(delays_needed(&m));
    m.event = &delay_table;
    m.delays = delayed;
    cr_assert(delays_needed(&m));
    Fixture it;
    fixture_open(&it, &m, &o);
    it.x[0] = it.x[1] = 0;
    Delays *d = delays_new(&it.run.problem);
    cr_assert(d);
    cr_assert_eq(delays_note(d, &it.run.problem, it.run.t, it.run.x), 0);
    cr_assert_eq(delays_reach(d), 0.5);
    const Inside inside = inside_of(&it.run, &made_up, NULL);
    for (int k = 0; k < 4; k++)
        cr_assert_eq(
            delays_record(d, &it.run.problem, &inside.interpolant, 1e-7, 0.4 * k, 0.4 * (k + 1)),
            0);
    delays_refresh(d, it.run.problem.ctx, 0.2, it.run.x); // before the start: the first value
    cr_assert_eq(it.run.problem.ctx->u[0], 0);
    for (double t = 0.5; t < 2.1; t += 0.013) {
        // at an end two points alone make a line: as many are recorded as that needs
        delays_refresh(d, it.run.problem.ctx, t, it.run.x);
        cr_assert_float_eq(it.run.problem.ctx->u[0], pow(t - 0.5, 3), 1e-7, "t = %g", t);
    }
    delays_free(d);
    fixture_close(&it);
}

/* ---- an initial system: x0 = a + 1, in a model without states ---- */

static int initial_outputs(RungContext *ctx, double t, const double *x, double *v)
{
    (void)t, (void)x;
    v[0] = ctx->p[0] < 0 ? NAN : ctx->p[0] + 1;
    return 0;
}

Test(initial, values_go_to_their_places_and_must_be_finite)
{
    RungModel m = fixture_model(), first = fixture_model();
    first.n_states = first.n_unknowns = first.n_blocks = 0;
    first.outputs = initial_outputs;
    const RungInitialValue value[] = {{RUNG_IN_STATES, 0, 7}, {RUNG_IN_UNKNOWNS, 2, 7}};
    const RungInitial initial = {&first, 2, value};
    RungContext *ctx = context_new(&m);
    double x[] = {9, 9};
    char why[200];
    cr_assert_eq(context_initialise(ctx, 0, x, (InitialFallback){0}, why, sizeof why),
                 0); // there is none
    cr_assert_eq(x[0], 9);
    m.initial = &initial;
    cr_assert_eq(context_update(ctx), 0);
    cr_assert_eq(context_initialise(ctx, 0, x, (InitialFallback){0}, why, sizeof why), 0, "%s",
                 why);
    cr_assert_eq(x[0], 3);
    cr_assert_eq(x[1], 9);
    cr_assert_eq(ctx->z[2], 3);
    ctx->p[0] = -1;
    cr_assert_neq(context_initialise(ctx, 0, x, (InitialFallback){0}, why, sizeof why), 0);
    cr_assert(strstr(why, "'v'"), "%s", why);
    context_free(ctx);
}

/* ---- a pivot that vanishes ---- */

static int pivot_vanishes(RungContext *ctx, double t, const double *x, double *xdot)
{
    if (fabs(x[0]) <= ctx->least) {
        ctx->failed_pivot = 0;
        return 1;
    }
    return fixture_xdot(ctx, t, x, xdot);
}

/* Calls an external function, which has a message. */
static int says_so(RungContext *ctx, double t, const double *x, double *xdot)
{
    RungCall call;
    rung_call_enter(&call, ctx, "");
    ModelicaMessage("pivoting");
    rung_call_leave(&call);
    return fixture_xdot(ctx, t, x, xdot);
}

static void keep_message(RungContext *ctx, const char *text, int is_warning)
{
    cr_assert_not(is_warning);
    *(const char **)ctx->warn_to = strcmp(text, "pivoting") ? NULL : "pivoting";
}

Test(fallback, takes_over_where_a_pivot_vanishes)
{
    static const RungPivot pivot[] = {{"x0", "tiny.mo:3:1", "", 0}};
    RungModel m = fixture_model(), second = fixture_model();
    SimulateOptions o = simulate_defaults();
    m.xdot = pivot_vanishes;
    m.pivot = pivot;
    m.n_pivots = 1;
    second.xdot = says_so;
    double xdot[2], zero[] = {0, 3};
    for (int has = 0; has < 2; has++) {
        Fixture it;
        m.fallback = has ? &second : NULL;
        fixture_open(&it, &m, &o);
        const char *said = NULL;
        it.run.problem.ctx->message = keep_message;
        it.run.problem.ctx->warn_to = &said;
        cr_assert_eq(problem_evaluate(&it.run.problem, RUNG_ASK_XDOT, 0, it.x, xdot), 0);
        cr_assert_eq(it.counts.fallbacks, 0);
        int status = problem_evaluate(&it.run.problem, RUNG_ASK_XDOT, 0.5, zero, xdot);
        if (has) {
            cr_assert_eq(status, 0);
            cr_assert_eq(xdot[0], 3);
            cr_assert_eq(it.counts.fallbacks, 1);
            cr_assert_eq(it.counts.fallback_t, 0.5);
            cr_assert(said, "the receiver of the model's messages gets those of the second one");
            cr_assert_str_eq(it.counts.fallback_variable, "x0");
        } else {
            char why[300];
            cr_assert_gt(status, 0);
            problem_explain(&it.run.problem, why, sizeof why);
            cr_assert(strstr(why, "'x0'"), "%s", why);
        }
        fixture_close(&it);
    }
}
