/* Results by the name of their file: which names can be, which variables are meant, and that both
 * formats hold the same numbers. */
#define _XOPEN_SOURCE 700
#include "runtime/result/result.h"
#include "tests/runtime/fixture.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

Test(result, a_wrong_name_has_a_reason)
{
    static const char *const good[] = {"R.csv", "a.b/R.mat", "-", "/dev/null"};
    static const char *const wrong[] = {"R", "R.txt", ".csv", ".mat", "R.csv.gz", "R.CSV", ""};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        cr_assert_null(result_wrong_name(good[k]), "%s", good[k]);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        cr_assert(result_wrong_name(wrong[k]), "%s", wrong[k]);
    char folder[] = "/tmp/result_test_XXXXXX.mat";
    cr_assert(mkdtemp(strcpy(folder, "/tmp/result_test_XXXXXX")));
    char link[sizeof folder + 8];
    snprintf(link, sizeof link, "%s/R.mat", folder);
    cr_assert_eq(symlink("/dev/null", link), 0);
    cr_assert(strstr(result_wrong_name(link), "device"));
    cr_assert_eq(unlink(link) || rmdir(folder), 0);
}

/* The rows that are meant, as digits. */
static const char *meant(const char *signals)
{
    static const uint32_t variable[] = {
        FIXTURE_ROW(0, RUNG_IN_VALUES, 0, 0, 2),  FIXTURE_ROW(2, RUNG_IN_VALUES, 1, 0, 2),
        FIXTURE_ROW(5, RUNG_IN_VALUES, 2, 0, 2),  FIXTURE_ROW(10, RUNG_IN_VALUES, 3, 0, 2),
        FIXTURE_ROW(15, RUNG_IN_VALUES, 4, 0, 2), FIXTURE_ROW(22, RUNG_IN_VALUES, 5, 0, 2),
    };
    static char text[10];
    RungModel m = fixture_model();
    m.names = "a\0ab\0x[1]\0x[2]\0x[1,2]\0ba";
    m.variable = variable;
    m.n_variables = 6;
    uint32_t n, *row = result_signals(&m, signals, &n);
    for (uint32_t k = 0; row && k < n; k++)
        text[k] = (char)('0' + row[k]);
    cr_assert_eq(row != NULL, n > 0);
    text[n] = 0;
    free(row);
    return text;
}

Test(result, signals_are_patterns_between_commas)
{
    static const char *const cases[][2] = {
        {NULL, "012345"},    {"*", "012345"}, {"a", "0"},      {"a*", "01"},    {"*a", "05"},
        {"x[?]", "23"},      {"x[*]", "234"}, {"x[1,2]", "4"}, {"x[?,?]", "4"}, {"ba,a", "05"},
        {"x[1,2],ab", "14"}, {"??", "15"},    {"*a*b*", "1"},  {"a,a*", "01"},  {"*[*2*", "34"},
        {"A", ""},           {"x[1", ""},     {"", ""},        {"x", ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        cr_assert_str_eq(meant(cases[k][0]), cases[k][1], "%s: %s", cases[k][0],
                         meant(cases[k][0]));
}

/* The numbers of a CSV file behind its line of names, row by row; how many. */
static size_t csv_numbers(const char *path, double *to, size_t most)
{
    FILE *f = fopen(path, "r");
    cr_assert(f);
    cr_assert_eq(fscanf(f, "%*[^\n]"), 0);
    size_t n = 0;
    // what stands before a number is a comma or the end of a line
    while (n < most && getc(f) != EOF && fscanf(f, "%lf", &to[n]) == 1)
        n++;
    fclose(f);
    return n;
}

/* The doubles of matrix data_2 by columns; how many. */
static size_t mat_numbers(const char *path, double *to, size_t most)
{
    FILE *f = fopen(path, "rb");
    cr_assert(f);
    int32_t field[5];
    char name[20] = "";
    size_t n;
    bool found;
    do {
        cr_assert_eq(fread(field, sizeof *field, 5, f), 5, "no data_2");
        n = (size_t)field[1] * (size_t)field[2];
        cr_assert_lt(field[4], (int)sizeof name);
        cr_assert_eq(fread(name, 1, (size_t)field[4], f), (size_t)field[4]);
        found = !strcmp(name, "data_2");
        long width = field[0] % 100 == 0 ? 8 : field[0] % 100 == 20 ? 4 : 1;
        cr_assert_eq(found ? 0 : fseek(f, width * (long)n, SEEK_CUR), 0);
    } while (!found);
    cr_assert_leq(n, most);
    cr_assert_eq(fread(to, sizeof *to, n, f), n);
    fclose(f);
    return n;
}

Test(result, csv_and_mat_hold_the_same_numbers)
{
    enum { ROWS = 20, COLS = 3 };
    RungModel m = fixture_model();
    RungContext *ctx = context_new(&m);
    char folder[] = "/tmp/result_test_XXXXXX", path[2][40];
    cr_assert(mkdtemp(folder));
    Result *r[2];
    for (int k = 0; k < 2; k++) {
        snprintf(path[k], sizeof path[k], "%s/R.%s", folder, k ? "mat" : "csv");
        cr_assert(r[k] = result_open(path[k], "x0,v", ctx));
        for (int i = 0; i < ROWS; i++) {
            double t = i / 7.0, x[2] = {sin(i) * pow(10, i - 9), 0}, v[1] = {-1 / (i + 1.0)};
            cr_assert_eq(result_row(r[k], ctx, t, x, v), 0);
        }
        cr_assert_eq(result_close(r[k]), 0);
    }
    double csv[ROWS * COLS + 1], mat[ROWS * COLS + 1];
    cr_assert_eq(csv_numbers(path[0], csv, ROWS * COLS + 1), ROWS * COLS);
    cr_assert_eq(mat_numbers(path[1], mat, ROWS * COLS + 1), ROWS * COLS);
    for (int i = 0; i < ROWS * COLS; i++)
        cr_assert_eq(csv[i], mat[i], "%d: %.17g, %.17g", i, csv[i], mat[i]);
    cr_assert_eq(csv[COLS + 2], -0.5);
    cr_assert_null(result_open(path[0], "none", ctx));
    cr_assert_eq(unlink(path[0]) || unlink(path[1]) || rmdir(folder), 0);
    context_free(ctx);
}
