/* One instance of a model, or several, without a run around them: the tasks of `rung bench`, lanes,
 * the C of an FMU; a run of a sweep by itself. */
#include "eliminate/forms/newton_order.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "emit/model/build.h"
#include "runtime/problem/context.h"
#include "study/instance_code.h"
#include "study/measure/bench.h"
#include "study/simulation.h"
#include "study/sweep/lane_runs.h"
#include "study/sweep/signal_summary.h"
#include "study/sweep/sweep.h"
#include "tests/study/fixture.h"
#include "translate/driver.h"

#include <math.h>
#include <string.h>

/* ---- bench.h ---- */

/* Two masses between which a force acts that is kept: a linear loop, a Jacobian, residuals. */
static const char *const masses =
    "model M parameter Real k = 2; Real x(start = 1), v(start = 0), y(start = 0.5), w(start = 0);\n"
    "  Real f, a, b; equation der(x) = v; der(v) = a; der(y) = w; der(w) = b;\n"
    "  a = f - k*x^3; 3*b = -f - sin(y)*w; f = -2*(a - b) - v; end M;";

/* Every task gives the numbers of the other way that it is compared with, in lanes those of a
 * single instance, bit by bit. */
Test(bench, tasks_agree)
{
    Arena *mem = arena_new();
    Request r = {.model = "M", .lanes = {4}, .n_lanes = 1};
    Compilation *c = compilation_new(&r, mem);
    library_add_text(c->library, "M.mo", masses);
    cr_assert(driver_run(c, NULL));
    Program *g = &c->dae.solution.program;
    newton_system_make(&c->dae, NEWTON_STEP | NEWTON_MATRIX, c->scratch);
    residual_form_make(&c->dae, JACOBIAN_NODES, c->scratch);
    cr_assert(jacobian_of_states(g, JACOBIAN_NODES, c->scratch));
    EmitFiles files;
    Build built;
    cr_assert(emit_program(g, request_emission(&r), mem, &files));
    cr_assert(build_model(&files, (BuildOptions){.optimise = "-O0"}, mem, &built), "%s",
              built.error);
    RungContext *ctx = context_new(built.model);
    double x[4];
    cr_assert_eq(context_update(ctx), 0);
    cr_assert_eq(built.model->start(ctx, 0, x), 0);
    Bench b = {0};
    cr_assert(bench_open(&b, ctx, 0, x), "%s", b.error);
    uint32_t n_compared = 0, n_lanes = 0;
    for (uint32_t k = 0; k < bench_n_tasks; k++) {
        const BenchTask *it = &bench_task[k];
        for (uint32_t s = 0; it->exists(built.model) && s < BENCH_STATES; s++) {
            cr_assert_eq(it->evaluate(&b, s), 0, "%s %s", it->what, it->variant);
            double error = it->error ? it->error(&b, s) : 0;
            cr_assert_lt(error, 1e-5, "%s %s: %g", it->what, it->variant, error);
            n_compared += it->error != NULL;
        }
    }
    cr_assert_gt(n_compared, 6 * BENCH_STATES);
    cr_assert_not(bench_widen(&b, 8), "there is no code for 8");
    bench_narrow(&b);
    cr_assert(bench_widen(&b, 4), "%s", b.error);
    for (uint32_t k = 0; k < bench_n_tasks; k++) {
        const BenchTask *it = &bench_task[k];
        if (!it->of_lanes || !it->exists(built.model))
            continue;
        cr_assert_eq(it->of_lanes(&b, 0), 0, "%s", it->what);
        cr_assert_eq(bench_lanes_error(&b, it, 0), 0, "%s %s", it->what, it->variant);
        n_lanes++;
    }
    cr_assert_gt(n_lanes, 2);
    bench_close(&b);
    context_free(ctx);
    build_close(&built);
    compilation_free(c);
    arena_free(mem);
}

/* ---- lane_runs.h ---- */

typedef struct LaneRuns {
    SimulateOptions so;
    uint32_t row;
    const char *const (*set)[1];
    struct {
        SignalSummary signals;
        SimulateSummary sum;
        int status, n_made;
    } run[7];
    Arena *mem;
} LaneRuns;

static void make_lane_run(void *user, uint32_t k, const RungModel *model)
{
    LaneRuns *it = user;
    SimulateOptions so = it->so;
    it->run[k].signals = signal_summary_new(1, &it->row, it->mem);
    signal_summary_begin(&it->run[k].signals);
    so.set = it->set[k];
    so.n_set = 1;
    so.progress = PROGRESS_NONE;
    so.row = signal_summary_row;
    so.look = signal_summary_look;
    so.user = &it->run[k].signals;
    it->run[k].status = simulate(model, &so, &it->run[k].sum);
    it->run[k].n_made++;
}

/* Of der(x) = -k x a step h of rk4 multiplies x by 1 + z + z^2/2 + z^3/6 + z^4/24, z = -k h: in
 * runs of different lengths, more than there are lanes, one of which fails. */
Test(lane_runs, steps_are_those_of_rk4)
{
    enum { RUNS = 7, FAILS = 4 };
    Fixture f = fixture_of("model M parameter Real k = 1; Real x(start = 1, fixed = true);\n"
                           "equation der(x) = -k*x; assert(x < 2, \"large\");\n"
                           "  when x < 0.1 then terminate(\"small\"); end when; end M;");
    f.run.translation.method = "rk4";
    f.run.translation.n_lanes = 1;
    f.run.translation.lanes[0] = 4;
    f.run.step = 0.05;
    Simulation s;
    cr_assert_eq(simulation_open_set(&s, &f.run, false, f.mem), EXIT_GOOD);
    const RungModel *m = s.build.model;
    static const double k[RUNS] = {0.5, 2, 5, 1, -3, 20, 3};
    static const char *const set[RUNS][1] = {{"k=0.5"}, {"k=2"},  {"k=5"}, {"k=1"},
                                             {"k=-3"},  {"k=20"}, {"k=3"}};
    LaneRuns it = {.so = simulation_options(&s), .set = set, .mem = f.mem};
    while (strcmp(rung_name(m, it.row), "x") != 0)
        it.row++;
    cr_assert(lane_runs(m, 4, RUNS, make_lane_run, &it));
    for (int i = 0; i < RUNS; i++) {
        double z = -k[i] * 0.05, x = 1;
        unsigned n = 0;
        for (; n < 20 && x > 0.1; n++)
            x *= 1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24;
        cr_assert_eq(it.run[i].n_made, 1);
        if (i == FAILS) {
            cr_assert_neq(it.run[i].status, SIMULATE_OK);
            continue;
        }
        cr_assert_eq(it.run[i].status, SIMULATE_OK, "%s", it.run[i].sum.error);
        cr_assert_eq(it.run[i].sum.counts.steps, n, "k = %g", k[i]);
        cr_assert_float_eq(it.run[i].signals.last[0], x > 0.1 ? x : 0.1, 1e-9, "k = %g", k[i]);
        cr_assert_eq(it.run[i].signals.most[0], 1);
    }
    cr_assert_not(lane_runs(m, 8, RUNS, make_lane_run, &it), "there is no code for that");
    cr_assert_eq(it.run[0].n_made, 1);
    simulation_free(&s);
    fixture_end(&f);
}

/* ---- sweep.h ---- */

/* The answer of one run is a line for the store, whose number is that of its parameter value. */
Test(sweep, one_run_answers)
{
    Fixture f = fixture_of("model M parameter Real k = 1; Real x(start = 1, fixed = true);\n"
                           "equation der(x) = -k*x; end M;");
    f.run.tolerance = 1e-9;
    Sweep s = {.mem = f.mem, .dir = f.files.dir, .width = 1};
    VaryRequest vary = {.runs = NAN, .seed = NAN};
    vec_push(f.mem, vary.axes, "k=0.5,3");
    cr_assert_eq(vary_read(&s.vary, &vary, f.mem), EXIT_GOOD);
    cr_assert_eq(sweep_prepare(&s, &f.run, false), EXIT_GOOD);
    cr_assert_not(s.any_structural);
    cr_assert_eq(s.n_todo, 0, "the store says what is left");
    SweepStore store;
    sweep_store_init(&store, f.files.dir, &s.vary, s.key, false, f.mem);
    cr_assert(sweep_store_open(&store, "finished.csv"));
    Text answer = text_new(f.mem);
    sweep_run(&s, 1, &answer);
    sweep_store_take(&store, answer.at, answer.n);
    cr_assert_eq(store.run[0].status, RUN_NONE);
    cr_assert_eq(store.run[1].status, RUN_OK);
    cr_assert_float_eq(strtod(store.run[1].number[0], NULL), exp(-3), 1e-7);
    sweep_store_close(&store);
    sweep_free(&s);
    remove(scratch_path(&f.files, "runs"));
    fixture_end(&f);
}

/* ---- instance_code.h ---- */

/* The C of an FMU has the Jacobian that its steps need, derivatives by inputs if they are asked
 * for; a model with an error has none. */
Test(instance_code, has_what_instances_need)
{
    static const char *const model[] = {
        "model M input Real u; output Real y = x^2; Real x(start = 1, fixed = true);\n"
        "equation der(x) = u - x; end M;",
        "model M Real x; equation x = 1; x = 2; end M;"};
    for (int wrong = 0; wrong < 2; wrong++)
        for (int derivatives = 0; derivatives < 2; derivatives++) {
            Fixture f = fixture_of(model[wrong]);
            InstanceCode it = instance_code_make(&f.run, derivatives, f.mem);
            cr_assert_eq(it.is_good, !wrong);
            if (wrong) {
                cr_assert_gt(diags_errors(it.c->diags), 0);
            } else {
                const Program *g = &it.c->dae.solution.program;
                cr_assert_str_eq(it.files.id, "M");
                cr_assert(g->newton || g->jacobian);
                cr_assert_eq(g->linearisation != NULL, derivatives);
                if (derivatives)
                    cr_assert(g->linearisation->n_inputs == 1 && g->linearisation->n_outputs == 1);
            }
            compilation_free(it.c);
            fixture_end(&f);
        }
}
