#include "study/sweep/sweep_store.h"
#include "tests/study/fixture.h"

enum { RUNS = 3 };

static const uint64_t key[RUNS] = {11, 12, 11}; /* the last has the values of the first */

static SweepStore open_store(Fixture *f, const Vary *v)
{
    SweepStore s;
    sweep_store_init(&s, f->files.dir, v, key, false, f->mem);
    cr_assert(sweep_store_open(&s, "finished.csv"));
    return s;
}

/* What was finished is read again, but for a line that was cut short or changed. */
Test(sweep_store, goes_on_with_what_is_finished)
{
    Fixture f = fixture_of("");
    Vary v = {.n_runs = RUNS, .sampling = SAMPLING_LIST};
    vec_push(f.mem, v.name, "p");
    VaryAxis axis = {.n_rows = RUNS};
    vec_push(f.mem, axis.name, "p");
    vec_push(f.mem, axis.row, "1");
    vec_push(f.mem, axis.row, "2");
    vec_push(f.mem, axis.row, "1");
    vec_push(f.mem, v.axis, axis);

    SweepStore s = open_store(&f, &v);
    cr_assert_eq(s.run[2].same_as, 0u);
    Texts names = {0};
    vec_push(f.mem, names, "y");
    const double number[NUMBERS_OF_SIGNAL] = {0.1, -1, 2, 1.0 / 3};
    Text lines = text_new(f.mem);
    sweep_line_names(&lines, 7, &names);
    sweep_line_run(&lines, key[0], 7, RUN_OK, 1.5, 42, number, NUMBERS_OF_SIGNAL, "", "");
    size_t first = lines.n;
    sweep_line_run(&lines, key[1], 7, RUN_FAILED, 0.5, 7, number, NUMBERS_OF_SIGNAL, "",
                   "a \"quoted\", long\nmessage");
    sweep_store_take(&s, lines.at, first);
    sweep_store_close(&s);

    FILE *journal = fopen(scratch_path(&f.files, "finished.csv"), "a");
    fwrite(lines.at + first, 1, lines.n - first - 3, journal); /* the process was killed */
    fclose(journal);

    s = open_store(&f, &v);
    cr_assert_eq(s.run[0].status, RUN_OK);
    cr_assert_eq(s.run[1].status, RUN_NONE);
    cr_assert_str_eq(s.run[0].steps, "42");
    cr_assert_str_eq(s.run[0].number[3], "0.3333333333333333");
    sweep_store_take(&s, lines.at + first, lines.n - first);
    cr_assert_eq(s.run[1].status, RUN_FAILED);
    cr_assert_str_eq(s.run[1].message, "a \"quoted\", long message");
    cr_assert(sweep_store_table(&s));
    sweep_store_close(&s);
    fixture_end(&f);
}

/* A second command on the same directory would write into the first one's journal. */
Test(sweep_store, is_locked)
{
    Fixture f = fixture_of("");
    Vary v = {.n_runs = RUNS};
    SweepStore s = open_store(&f, &v), other;
    sweep_store_init(&other, f.files.dir, &v, key, false, f.mem);
    cr_assert(!sweep_store_open(&other, "finished.csv"));
    sweep_store_close(&other);
    sweep_store_close(&s);
    fixture_end(&f);
}
