/* The parts of events one by one: margins, times, watched relations, limits, jumps of derivatives;
 * and the way back along the steps of a run. */
#include "runtime/event/event_contrary.h"
#include "runtime/event/event_iteration.h"
#include "runtime/event/event_limit.h"
#include "runtime/event/event_search.h"
#include "runtime/event/event_times.h"
#include "runtime/event/event_watch.h"
#include "runtime/event/margin_search.h"
#include "runtime/event/saltation.h"
#include "runtime/method/discrete_adjoint.h"
#include "tests/runtime/fixture.h"

/* ---- margin_search.h: a step along x0 = t ---- */

static const double DEPTH = 1e-4;

static void along(void *self, const Run *run, double t, double *x)
{
    (void)self, (void)run;
    x[0] = t;
    x[1] = 0;
}

static const Integrator made_up = {.name = "made up", .at = along};

/* Violated where |t - 0.6| < 0.01; the second one never. */
static int dips(RungContext *ctx, double t, const double *x, double *g)
{
    (void)ctx, (void)t;
    g[0] = (x[0] - 0.6) * (x[0] - 0.6) - DEPTH;
    g[1] = 1 + x[0];
    return 0;
}

Test(margin_search, finds_a_violation_inside_a_step)
{
    static const uint32_t margin[] = {0, 1};
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    m.n_margins = 2;
    m.margin = margin;
    m.margins = dips;
    Fixture it;
    MarginSearch s;
    fixture_open(&it, &m, &o);
    cr_assert(margin_search_new(&s, &m, RUNG_ASK_MARGINS));
    static const unsigned char all[] = {0, 0}, not_first[] = {1, 0};
    double x[2], at;
    along(NULL, NULL, 0.5, x);
    cr_assert_not(margin_search_find(&s, &it.run, &made_up, NULL, all, 0, 0.5, x, &at));
    along(NULL, NULL, 1, x);
    cr_assert(margin_search_find(&s, &it.run, &made_up, NULL, all, 0.5, 1, x, &at));
    cr_assert_float_eq(at, 0.6 - sqrt(DEPTH), 1e-6, "%.12g", at);
    margin_search_forget(&s);
    cr_assert_not(margin_search_find(&s, &it.run, &made_up, NULL, not_first, 0, 1, x, &at));
    margin_search_free(&s);
    fixture_close(&it);
}

static bool any(void *user, const MarginWindow *w)
{
    (void)w;
    ++*(int *)user;
    return true;
}

/* The choice that is another one for a while is found with its time, up to a factor of two. */
Test(margin_search, finds_the_window_of_a_choice)
{
    static const uint32_t of_state[] = {0};
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    m.n_choices = 2;
    m.n_choice_states = 1;
    m.choice_state = of_state;
    m.choices = dips;
    Fixture it;
    MarginSearch s;
    MarginWindow w;
    bool exhausted;
    int n = 0;
    fixture_open(&it, &m, &o);
    it.run.t = 1;
    along(NULL, NULL, 1, it.x);
    cr_assert(margin_search_new(&s, &m, RUNG_ASK_CHOICES));
    cr_assert(margin_search_window(&s, &it.run, &made_up, NULL, 0, 1, any, &n, &w, &exhausted));
    cr_assert_eq(n, 1);
    cr_assert_eq(w.choice, 0);
    double half = sqrt(DEPTH);
    cr_assert(w.at > 0.6 - half - 1e-6 && w.at < 0.6 + half, "%g", w.at);
    cr_assert(w.width > 0 && w.width < 2 * 2 * half, "%g", w.width);
    margin_search_free(&s);
    fixture_close(&it);
}

/* ---- events: a relation of time t < 0.7 (memory 0), samples (memory 1, 2) ---- */

static int of_time(RungContext *ctx, double t, const double *x, double *g)
{
    (void)ctx, (void)x;
    g[0] = t - 0.7;
    return 0;
}

static int event(RungContext *ctx, double t, const double *x, double *out)
{
    return of_time(ctx, t, x, out);
}

static int (*const evaluate[])(RungContext *, double, const double *, double *) = {of_time};
static const uint32_t none[] = {0, 0}, one[] = {0, 1}, zero[] = {0}, moves[] = {RUNG_PART_MOVES};
static const RungEventParts parts = {1, evaluate, one, zero, none, zero, moves, none, zero};
static RungMemory memory[] = {
    {.kind = RUNG_RELATION,
     .is_strict = 1,
     .is_exact = 1,
     .start_in = RUNG_NONE,
     .interval_in = RUNG_NONE,
     .text = "time < 0.7"},
    {.kind = RUNG_SAMPLE,
     .start = 0.25,
     .start_in = RUNG_NONE,
     .interval = 0.25,
     .interval_in = RUNG_NONE},
    {.kind = RUNG_SAMPLE,
     .start = 0,
     .start_in = RUNG_NONE,
     .interval = 0.5,
     .interval_in = RUNG_NONE},
};
static const RungEvents table = {3, 0, memory, NULL, event, &parts, NULL, NULL};

typedef struct Timed {
    RungModel m;
    Fixture f;
    Events e;
} Timed;

static void timed_open(Timed *it)
{
    SimulateOptions o = simulate_defaults();
    it->m = fixture_model();
    it->m.event = &table;
    it->m.events = of_time;
    it->m.n_events = 1;
    fixture_open(&it->f, &it->m, &o);
    it->f.run.span = 1;
    cr_assert(events_new(&it->e, &it->f.run));
    events_reset(&it->e, &it->f.run);
}

static void timed_close(Timed *it)
{
    events_free(&it->e);
    fixture_close(&it->f);
}

Test(event_times, samples_are_true_at_their_times)
{
    Timed it;
    bool now;
    timed_open(&it);
    cr_assert_eq(event_times_start(&it.e, &it.f.run, &now), 0);
    cr_assert(now, "the second one begins at 0");
    const double *u = it.f.run.problem.ctx->u;
    for (int k = 0; k <= 4; k++) {
        double next = events_next_time(&it.e, &it.f.run);
        cr_assert_eq(next, 0.25 * k);
        it.f.run.t = next;
        event_times_begin(&it.e, &it.f.run);
        cr_assert_eq(u[1] != 0, k >= 1, "%d", k);
        cr_assert_eq(u[2] != 0, k % 2 == 0, "%d", k);
        event_times_end(&it.e);
        cr_assert_eq(u[1], 0);
        cr_assert_eq(u[2], 0);
    }
    memory[1].interval = 0;
    cr_assert_neq(event_times_start(&it.e, &it.f.run, &now), 0);
    cr_assert(strstr(it.f.run.problem.why, "positive"), "%s", it.f.run.problem.why);
    timed_close(&it);
}

/* A relation that is linear in time is known ahead, and not tested until then. */
Test(event_watch, relations_of_time_are_known_ahead)
{
    Timed it;
    timed_open(&it);
    it.e.remembers = true;
    cr_assert_eq(events_begin(&it.e, &it.f.run), 0);
    cr_assert_eq(it.f.run.problem.ctx->u[0], 1);
    event_watch_choose(&it.e, 1);
    event_watch_find_safe(&it.e, &it.f.run);
    cr_assert_not(event_watch_is_curved(&it.e, 0));
    double known = events_known_time(&it.e);
    cr_assert(known > 0.7 && known < 0.7 + 1e-8, "%.12g", known);
    event_watch_choose(&it.e, 0.5);
    cr_assert_eq(it.e.watch.tested.n, 0);
    event_watch_choose(&it.e, 0.9);
    cr_assert_eq(it.e.watch.tested.n, 1);
    timed_close(&it);
}

Test(event_search, zero_at_an_event_is_remembered)
{
    Timed it;
    timed_open(&it);
    cr_assert_eq(events_begin(&it.e, &it.f.run), 0);
    event_watch_choose(&it.e, 1);
    static const double at_zero[] = {0}, away[] = {0.3};
    event_search_find_at_zero(&it.e, at_zero, false);
    cr_assert(it.e.r.is_at_zero[0]);
    event_search_find_at_zero(&it.e, away, true);
    cr_assert_not(it.e.r.is_at_zero[0]);
    event_search_find_at_zero(&it.e, at_zero, true);
    cr_assert_not(it.e.r.is_at_zero[0]);
    timed_close(&it);
}

Test(event_iteration, sets_memory)
{
    Timed it;
    timed_open(&it);
    const double *u = it.f.run.problem.ctx->u;
    event_set_memory(&it.e, 2, 1);
    cr_assert(u[0] == 0 && u[1] == 0 && u[2] == 1);
    event_set_all(&it.e, RUNG_SAMPLE, 7);
    cr_assert(u[0] == 0 && u[1] == 7 && u[2] == 7);
    event_set_all(&it.e, RUNG_SAMPLE, 0);
    cr_assert_eq(event_iterate_relations(&it.e, &it.f.run, true), 0);
    cr_assert_eq(u[0], 1, "0 < 0.7");
    it.f.run.t = 0.8;
    event_watch_time_moved(&it.e, &it.f.run);
    cr_assert_eq(event_iterate_relations(&it.e, &it.f.run, true), 0);
    cr_assert_eq(u[0], 0);
    timed_close(&it);
}

/* time < 0.7, kept true behind 0.7 with its function within noise, as if it were in a cycle: known
 * as contrary, and its other value is taken once it is asked to change. */
Test(event_contrary, takes_its_other_value)
{
    Timed it;
    timed_open(&it);
    double *u = it.e.r.memory;
    it.f.run.t = 0.6;
    event_watch_time_moved(&it.e, &it.f.run);
    cr_assert_eq(event_iterate_relations(&it.e, &it.f.run, true), 0);
    cr_assert_eq(u[0], 1);
    event_contrary_find(&it.e);
    cr_assert_eq(it.e.contrary.n, 0, "nothing was kept");
    it.e.r.has_kept = RUNG_KEEPS_CYCLES;
    event_contrary_find(&it.e);
    cr_assert_eq(it.e.contrary.n, 0, "it agrees");
    it.e.r.g[0] = 1e-14;
    event_contrary_find(&it.e);
    cr_assert_eq(it.e.contrary.n, 0, "not in a cycle");
    it.e.r.cycles[0] = 1;
    event_contrary_find(&it.e);
    cr_assert_eq(it.e.contrary.n, 1);
    event_contrary_change(&it.e, &it.f.run);
    cr_assert_eq(u[0], 1, "not yet");
    it.f.run.t = 0.8;
    event_contrary_change(&it.e, &it.f.run);
    cr_assert_eq(u[0], 0);
    timed_close(&it);
}

/* A thousand crossings in a millionth of the run are endless, in a tenth they are not. */
Test(event_limit, many_events_in_no_time)
{
    for (int many = 0; many < 2; many++) {
        Timed it;
        timed_open(&it);
        it.f.run.t = 0.5;
        it.e.n = 1000;
        it.e.limit.n_crossings = 1000;
        it.e.limit.t_many = many ? 0.5 - 0.5 * event_limit_little_time(&it.f.run) : 0.4;
        it.e.r.changes[0] = 1000;
        char text[200];
        event_limit_name_changes(&it.e, text, sizeof text);
        cr_assert(strstr(text, "time < 0.7 changed 1000 times"), "%s", text);
        cr_assert_eq(event_limit_is_endless(&it.e, &it.f.run), many);
        cr_assert_eq(strstr(it.f.run.problem.why, "time < 0.7") != NULL, many);
        cr_assert_eq(it.e.r.changes[0], 0, "counted anew");
        it.e.r.size[0] = 2;
        it.e.limit.intervals[0][0].size = 0.5;
        event_limit_follow(&it.e, 0);
        cr_assert_eq(it.e.r.size[0], 0.5, "the noise of low bounces");
        timed_close(&it);
    }
}

/* ---- saltation.h ---- */

/* x' = 2 while x < p, then 5; s = dx/dp; the last one is x' itself. With s = 0 before, x after is
 * p + 5 (t - p/2), so that s = 1 - 5/2. */
static int two_speeds(RungContext *ctx, double t, const double *x, double *f)
{
    (void)t, (void)x;
    f[0] = ctx->u[0] != 0 ? 2 : 5;
    f[1] = f[2] = 0;
    return 0;
}

static int beyond(RungContext *ctx, double t, const double *x, double *g)
{
    (void)t;
    g[0] = x[0] - ctx->p[0];
    return 0;
}

static int slopes(RungContext *ctx, double t, const double *x, double *slope)
{
    (void)ctx, (void)t;
    slope[0] = x[1] - 1;
    slope[1] = x[2];
    return 0;
}

Test(saltation, derivative_jumps_with_the_time_of_the_event)
{
    static const RungMemory of_x[] = {
        {.kind = RUNG_RELATION, .is_strict = 1, .start_in = RUNG_NONE, .interval_in = RUNG_NONE}};
    static const RungEvents events = {1, 0, of_x, NULL, beyond, NULL, NULL, NULL};
    static const uint32_t of[] = {RUNG_NONE, 0, 0}, by[] = {0, 0, 1}, negated[] = {0, 0, 0};
    static const RungSensitivity jumps = {1,    2,    1,    0,    of,   by, negated, slopes,
                                          NULL, NULL, NULL, NULL, NULL, 0,  0};
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    m.n_states = 3;
    m.xdot = two_speeds;
    m.event = &events;
    m.events = beyond;
    m.n_events = 1;
    m.sensitivity = &jumps;
    Fixture it;
    Events e;
    Sensitivity s;
    double x[] = {0, 0, 2};
    fixture_open(&it, &m, &o);
    it.run.x = x;
    double p = it.run.problem.ctx->p[0];
    cr_assert(events_new(&e, &it.run));
    events_reset(&e, &it.run);
    cr_assert_eq(events_begin(&e, &it.run), 0);
    cr_assert_eq(it.run.problem.ctx->u[0], 1);
    cr_assert(sensitivity_new(&s, &m));
    cr_assert(sensitivity_watch(&s, &e));
    it.run.t = p / 2;
    x[0] = p * (1 + 1e-9);
    cr_assert_eq(sensitivity_enter(&s, &it.run, &e, false), 0, "%s", it.run.problem.why);
    cr_assert_eq(x[2], 2, "the rate before");
    event_set_memory(&e, 0, 0);
    cr_assert_eq(sensitivity_leave(&s, &it.run, &e), 0, "%s", it.run.problem.why);
    cr_assert_float_eq(x[1], 1 - 5. / 2, 1e-14);
    cr_assert_eq(x[2], 5, "the rate behind");
    sensitivity_free(&s);
    events_free(&e);
    it.run.x = it.x;
    fixture_close(&it);
}

/* ---- discrete_adjoint.h ---- */

/* x0' = -a x0, objective x0; a is the shared value. In u: weights of the states, of the objective,
 * the derivative by the shared value. */
static int decay(RungContext *ctx, double t, const double *x, double *f)
{
    (void)t;
    f[0] = -ctx->p[0] * x[0];
    f[1] = 0;
    return 0;
}

static int products(RungContext *ctx, double t, const double *x, double *out)
{
    (void)t;
    const double *w = ctx->u;
    out[0] = -ctx->p[0] * w[0] + w[2];
    out[1] = 0;
    out[2] = -x[0] * w[0];
    return 0;
}

static int by_parameter(RungContext *ctx, double t, const double *x, double *out)
{
    (void)t, (void)x;
    out[0] = ctx->u[3];
    return 0;
}

/* N explicit steps of Euler give (1 - a h)^N, whose derivative by a is -N h (1 - a h)^(N - 1). */
Test(discrete_adjoint, is_the_derivative_of_the_steps)
{
    enum { STEPS = 10 };
    static const double h = 0.05;
    static const char *const name[] = {"a"};
    static const RungAdjoint adjoint = {.n = 1,
                                        .n_objectives = 1,
                                        .n_shared = 1,
                                        .n_inputs = 4,
                                        .name = name,
                                        .product = products,
                                        .by_parameter = by_parameter};
    static const TapeFormula euler = {.n = 1, .b = {1}};
    RungModel m = fixture_model();
    SimulateOptions o = simulate_defaults();
    m.xdot = decay;
    m.adjoint = &adjoint;
    Fixture it;
    Tape tape;
    fixture_open(&it, &m, &o);
    double a = it.run.problem.ctx->p[0], x[] = {1, 0}, f[2], t = 0, gradient;
    cr_assert(tape_open(&tape, &m, 1 << 20));
    memcpy(it.run.x, x, sizeof x);
    tape_begin(&tape, &it.run);
    it.run.tape = &tape;
    for (int k = 0; k < STEPS; k++) {
        double old[] = {x[0], x[1]};
        cr_assert_eq(problem_xdot(&it.run.problem, t, x, f), 0);
        tape_stage(&tape, 0, t, x);
        x[0] += h * f[0];
        cr_assert_eq(tape_step(&tape, &it.run, &euler, t, h, old, t + h, x), 0);
        t += h;
    }
    cr_assert_float_eq(x[0], pow(1 - a * h, STEPS), 1e-14);
    cr_assert_eq(tape.n, STEPS);
    it.run.t = t;
    memcpy(it.run.x, x, sizeof x);
    AdjointSweep *sweep = adjoint_new(&it.run);
    cr_assert_eq(adjoint_begin(sweep, &it.run, &tape), 0, "%s", it.run.problem.why);
    cr_assert_eq(adjoint_back(sweep, &it.run, &tape), 0, "%s", it.run.problem.why);
    cr_assert_eq(adjoint_end(sweep, &it.run, &tape, &gradient), 0, "%s", it.run.problem.why);
    adjoint_free(sweep);
    cr_assert_float_eq(gradient, -STEPS * h * pow(1 - a * h, STEPS - 1), 1e-13, "%.15g", gradient);
    tape_close(&tape);
    /* where there is no room all steps before are given up */
    cr_assert(tape_open(&tape, &m, 1));
    it.run.t = 0;
    tape_begin(&tape, &it.run);
    for (int k = 0; k < 3; k++) {
        tape_stage(&tape, 0, k * h, x);
        cr_assert_eq(tape_step(&tape, &it.run, &euler, k * h, h, x, (k + 1) * h, x), 0);
    }
    cr_assert_eq(tape.n, 1);
    cr_assert_eq(tape.n_windows, 2);
    cr_assert_eq(tape.window[1], 2);
    tape_close(&tape);
    fixture_close(&it);
}
