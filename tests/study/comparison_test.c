#include "study/comparison.h"
#include "tests/study/fixture.h"

static const char *table(Fixture *f, const char *name, const char *text)
{
    const char *path = scratch_path(&f->files, name);
    FILE *to = fopen(path, "w");
    fputs(text, to);
    fclose(to);
    return path;
}

/* A step at t = 1 that is 0.001 late is inside, for the tube is as wide in time; one that is 0.01
 * late is not; a signal that only the result has is not looked at. */
Test(comparison, tube)
{
    Fixture f = fixture_of("");
    const char *reference =
        table(&f, "ref.csv", "time,x,y,z\n0,0,1,5\n1,0,1,5\n1,1,1,5\n1.0005,1,1,5\n2,1,1,5\n");
    const char *result =
        table(&f, "res.csv", "time,x,y,w\n0,0,1,7\n1.001,0,1,7\n1.001,1,1.01,7\n2,1,1,7\n");
    CompareRequest r = {result, reference, NAN, NAN};
    Comparison c;
    cr_assert_eq(compare_results(&r, &c, f.mem), EXIT_GOOD);
    cr_assert_eq(c.n, 3u);
    cr_assert(!c.ends_early);
    cr_assert_eq(c.signal[0].kind, FIT_INSIDE);
    cr_assert_eq(c.signal[1].kind, FIT_OUTSIDE);
    cr_assert_float_eq(c.signal[1].over, 0.008, 1e-12);
    cr_assert_eq(c.signal[1].outside, 1u);
    cr_assert_eq(c.signal[2].kind, FIT_MISSING);
    cr_assert_eq(c.n_bad, 2u);
    r.tolerance = 1e-4;
    cr_assert_eq(compare_results(&r, &c, f.mem), EXIT_GOOD);
    cr_assert_eq(c.signal[0].kind, FIT_OUTSIDE);
    fixture_end(&f);
}

Test(comparison, early_end)
{
    Fixture f = fixture_of("");
    CompareRequest r = {table(&f, "res.csv", "time,x\n0,0\n1,1\n"),
                        table(&f, "ref.csv", "time,x\n0,0\n2,2\n"), NAN, NAN};
    Comparison c;
    cr_assert_eq(compare_results(&r, &c, f.mem), EXIT_GOOD);
    cr_assert(c.ends_early);
    r.stop = 1;
    cr_assert_eq(compare_results(&r, &c, f.mem), EXIT_GOOD);
    cr_assert_eq(c.n_bad, 0u);
    fixture_end(&f);
}
