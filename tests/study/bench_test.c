#include "study/measure/bench_run.h"
#include "tests/study/fixture.h"

typedef struct Told {
    bool begun;
    uint32_t rows;
    double worst;
} Told;

static void report(void *user, const RungModel *m, const BenchRow *row)
{
    Told *it = user;
    cr_assert_eq(m->n_states, 2u);
    it->begun = it->begun || !row;
    if (!row || !row->exists)
        return;
    it->rows++;
    cr_assert_gt(row->best, 0);
    cr_assert_leq(row->best, row->median);
    double error = bench_row_error(row);
    it->worst = isnan(error) ? it->worst : fmax(it->worst, error);
}

static const char *const spring =
    "model M Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n"
    "equation der(x) = v; der(v) = -x - 0.1*v^3; end M;";

/* Each way to the Jacobian is timed, and its numbers are those of differences. */
Test(bench, jacobians)
{
    Fixture f = fixture_of(spring);
    Told it = {0};
    BenchRequest r = {.translation = f.run.translation,
                      .what = "xdot,jacobian",
                      .is_alone = true,
                      .report = report,
                      .user = &it};
    cr_assert_eq(bench_run(&r, f.mem), EXIT_GOOD);
    cr_assert(it.begun);
    cr_assert_geq(it.rows, 2u);
    cr_assert_lt(it.worst, 1e-5);
    fixture_end(&f);
}

Test(bench, nothing_moves)
{
    Fixture f = fixture_of("model M Real x; equation x = time; end M;");
    Told it = {0};
    BenchRequest r = {
        .translation = f.run.translation, .is_alone = true, .report = report, .user = &it};
    cr_assert_eq(bench_run(&r, f.mem), EXIT_MODEL);
    cr_assert(!it.begun);
    cr_assert(!bench_what_known("xdot,nothing"));
    fixture_end(&f);
}
