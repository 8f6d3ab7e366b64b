/* Every elementary function of the table in ir/expr.h, one added later too: its derivative, the
 * exact check, the audit, code of several instances at once. */
#include "study/measure/bench_run.h"
#include "study/run.h"
#include "study/verification.h"
#include "tests/study/fixture.h"

#include "base/result_table.h"
#include "base/text.h"
#include "ir/expr.h"

/* x' = 1; q is the integral of der(f), d that of differences of f. The argument stays between 0.2
 * and 0.8, where all functions are defined; those that jump are no derivatives' matter. */
static const char *all_functions(Arena *mem)
{
    Text t = text_new(mem);
    text_put(&t, "model M\n  Real x(start = 0.2, fixed = true);\n");
    for (int f = 0; f < FN_COUNT; f++)
        text_printf(&t,
                    "  Real y%d = noEvent(%s(0.5 + 0.3*sin(x))), off%d = d%d - q%d,\n"
                    "    q%d(start = 0, fixed = true), d%d(start = 0, fixed = true);\n",
                    f, fn_name((Fn)f), f, f, f, f, f);
    text_put(&t, "equation\n  der(x) = 1;\n");
    for (int f = 0; f < FN_COUNT; f++) {
        const char *name = fn_name((Fn)f);
        bool jumps = f == FN_SIGN || f == FN_FLOOR || f == FN_CEIL;
        text_printf(&t, jumps ? "  der(q%d) = 0*y%d;\n" : "  der(q%d) = der(y%d);\n", f, f);
        text_printf(&t,
                    "  der(d%d) = noEvent(%s(0.5 + 0.3*sin(x + 1e-5))\n"
                    "    - %s(0.5 + 0.3*sin(x - 1e-5)))/2e-5;\n",
                    f, name, name);
    }
    text_put(&t, "end M;\n");
    return t.at;
}

static uint32_t check_derivatives(const char *path, Arena *mem)
{
    uint32_t n = 0;
    ResultTable t;
    cr_assert(result_table_read(&t, path, mem));
    for (uint32_t c = 0; c < t.n_cols; c++) {
        const char *name = t.column[c].name;
        if (strncmp(name, "off", 3) != 0)
            continue;
        double off = result_table_at(&t, t.n_rows - 1, c);
        cr_expect(fabs(off) < 1e-6, "derivative of %s: %g", fn_name((Fn)atoi(name + 3)), off);
        n++;
    }
    return n;
}

static void check_lanes(void *user, const RungModel *m, const BenchRow *row)
{
    uint32_t *seen = user;
    (void)m;
    if (!row || !row->exists || strncmp(row->variant, "lanes", 5) != 0)
        return;
    ++*seen;
    cr_expect_eq(bench_row_error(row), 0);
}

Test(functions, everywhere)
{
    Arena *mem = arena_new();
    Fixture f = fixture_of(all_functions(mem));
    f.run.tolerance = 1e-9;
    f.run.stop = 3;
    f.run.is_audited = f.run.must_audit = true;
    cr_assert_eq(run_model(&f.run, run_say_errors, NULL), EXIT_GOOD);
    cr_expect_eq(check_derivatives(f.run.result, mem), (uint32_t)FN_COUNT);

    VerificationRequest v = {.translation = f.run.translation};
    Verification made;
    cr_assert_eq(verification_make(&v, &made, mem), EXIT_GOOD);
    cr_expect(made.program.ok && verify_is_proved(&made.program));
    verification_free(&made);

    uint32_t seen = 0;
    BenchRequest b = {
        .translation = f.run.translation, .what = "xdot", .report = check_lanes, .user = &seen};
    b.translation.lanes[b.translation.n_lanes++] = 4;
    cr_assert_eq(bench_run(&b, mem), EXIT_GOOD);
    cr_expect_eq(seen, 1u);
    fixture_end(&f);
    arena_free(mem);
}
