#include "study/sweep/sweep_summary.h"
#include "study/sweep/sweep_work.h"
#include "tests/study/fixture.h"

#include <stdlib.h>

typedef struct Made {
    Sweep sweep;
    SweepStore store;
    Exit status;
} Made;

/* All runs with values of one name; the caller frees. */
static Made sweep_of(Fixture *f, const char *axis, uint32_t width)
{
    Made it = {.sweep = {.mem = f->mem, .dir = f->files.dir, .width = width}};
    VaryRequest vary = {.runs = NAN, .seed = NAN};
    vec_push(f->mem, vary.axes, axis);
    cr_assert_eq(vary_read(&it.sweep.vary, &vary, f->mem), EXIT_GOOD);
    it.status = sweep_prepare(&it.sweep, &f->run, false);
    SweepWork how = {.jobs = 2, .part = 1, .parts = 1};
    if (it.status == EXIT_GOOD)
        it.status = sweep_make(&it.sweep, &how, &it.store);
    return it;
}

static void made_end(Made *it, Fixture *f)
{
    sweep_store_close(&it->store);
    sweep_free(&it->sweep);
    /* the directory of trajectories is not one of its files */
    remove(scratch_path(&f->files, "runs"));
    fixture_end(f);
}

static double final_value(const Made *it, uint32_t run)
{
    return strtod(it->store.run[run].number[0], NULL);
}

static const char *const decay = "model M parameter Real k = 1; Real x(start = 1, fixed = true);\n"
                                 "equation der(x) = -k*x; end M;";

Test(sweep, values_of_a_parameter)
{
    Fixture f = fixture_of(decay);
    f.run.tolerance = 1e-9;
    Made it = sweep_of(&f, "k=0.5,1,2", 1);
    cr_assert_eq(it.status, EXIT_GOOD);
    const double k[] = {0.5, 1, 2};
    for (uint32_t i = 0; i < 3; i++)
        cr_assert_float_eq(final_value(&it, i), exp(-k[i]), 1e-7);
    SweepTally t = sweep_tally(&it.store);
    cr_assert_eq(t.n[RUN_OK], 3u);
    cr_assert_eq(t.n_bad, 0u);
    made_end(&it, &f);
}

/* Another model is compiled for each value of a parameter that its size depends on. */
Test(sweep, values_of_a_structural_parameter)
{
    Fixture f =
        fixture_of("model M parameter Integer n = 2; Real x[n](each start = 0, each fixed = "
                   "true); output Real y = sum(x); equation for i in 1:n loop\n"
                   "der(x[i]) = i; end for; end M;");
    f.run.signals = "y";
    Made it = sweep_of(&f, "n=1,2,3", 1);
    cr_assert_eq(it.status, EXIT_GOOD);
    cr_assert(it.sweep.any_structural);
    for (uint32_t i = 0; i < 3; i++)
        cr_assert_float_eq(final_value(&it, i), (i + 1) * (i + 2) / 2.0, 1e-6);
    made_end(&it, &f);
}

/* Runs in lanes of the processor have the numbers of single runs, bit by bit. */
Test(sweep, lanes_are_single_runs)
{
    char text[2][4][32];
    for (int lanes = 0; lanes < 2; lanes++) {
        Fixture f = fixture_of(decay);
        f.run.translation.method = "rk4";
        f.run.step = 0.01;
        if (lanes) {
            f.run.translation.n_lanes = 1;
            f.run.translation.lanes[0] = 4;
        }
        Made it = sweep_of(&f, "k=0.5,1,2,3", lanes ? 4 : 1);
        cr_assert_eq(it.status, EXIT_GOOD);
        for (uint32_t i = 0; i < 4; i++)
            snprintf(text[lanes][i], sizeof text[lanes][i], "%s", it.store.run[i].number[0]);
        made_end(&it, &f);
    }
    for (uint32_t i = 0; i < 4; i++)
        cr_assert_str_eq(text[0][i], text[1][i]);
}

Test(sweep, failed_runs_are_counted)
{
    Fixture f = fixture_of("model M parameter Real k = 1; Real x(start = 1, fixed = true);\n"
                           "equation der(x) = k*x^2; end M;");
    f.run.stop = 2;
    Made it = sweep_of(&f, "k=-1,1", 1); // the second one has a pole at t = 1
    cr_assert_eq(it.status, EXIT_GOOD);
    SweepTally t = sweep_tally(&it.store);
    cr_assert_eq(t.n[RUN_OK], 1u);
    cr_assert_eq(t.n_bad, 1u);
    cr_assert_eq(it.store.run[1].status, RUN_FAILED);
    remove(scratch_path(&f.files, it.store.run[1].file));
    made_end(&it, &f);
}

Test(sweep, unknown_name)
{
    Fixture f = fixture_of(decay);
    Made it = sweep_of(&f, "nothing=1,2", 1);
    cr_assert_eq(it.status, EXIT_MODEL);
    made_end(&it, &f);
}
