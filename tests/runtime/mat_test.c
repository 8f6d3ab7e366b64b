/* The bytes of a MAT file, matrix by matrix: what other tools rely on. */
#define _XOPEN_SOURCE 700
#include "runtime/result/mat.h"
#include "tests/runtime/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The next matrix must have this header; its numbers or characters follow. */
static void expect(FILE *f, int precision, int rows, int cols, const char *name)
{
    int32_t field[5];
    char got[20] = "";
    const uint16_t one = 1;
    int order = *(const unsigned char *)&one ? 0 : 1000;
    cr_assert_eq(fread(field, sizeof *field, 5, f), 5, "%s", name);
    cr_assert_eq(field[4], (int)strlen(name) + 1, "%s", name);
    cr_assert_eq(fread(got, 1, (size_t)field[4], f), (size_t)field[4]);
    cr_assert_str_eq(got, name);
    cr_assert_eq(field[0], order + precision, "%s: %d", name, field[0]);
    cr_assert(field[1] == rows && field[2] == cols, "%s: %d x %d", name, field[1], field[2]);
    cr_assert_eq(field[3], 0);
}

static void expect_text(FILE *f, const char *text)
{
    char got[200] = "";
    size_t n = strlen(text);
    cr_assert_eq(fread(got, 1, n, f), n);
    cr_assert_str_eq(got, text);
}

static void expect_numbers(FILE *f, const double *number, size_t n)
{
    double got;
    for (size_t k = 0; k < n; k++) {
        cr_assert_eq(fread(&got, sizeof got, 1, f), 1);
        cr_assert_eq(got, number[k], "%zu: %g instead of %g", k, got, number[k]);
    }
}

/* a parameter, s a state, minus s, v a value, time again, and minus the parameter */
static const uint32_t variable[] = {
    FIXTURE_ROW(0, RUNG_IN_PARAMETERS, 0, 0, 0), FIXTURE_ROW(2, RUNG_IN_STATES, 0, 0, 1),
    FIXTURE_ROW(4, RUNG_IN_STATES, 0, 1, 1),     FIXTURE_ROW(11, RUNG_IN_VALUES, 0, 0, 2),
    FIXTURE_ROW(13, RUNG_IS_TIME, 0, 0, 2),      FIXTURE_ROW(16, RUNG_IN_PARAMETERS, 0, 1, 0),
};
static const RungAttributes attributes[] = {
    {"", "", "mass", RUNG_PARAMETER, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
    {"rad", "deg", "", RUNG_STATE, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
    {"m", "m", "way", RUNG_ALGEBRAIC, RUNG_REAL, 0, 0, 0, NULL, 0, NULL},
};

Test(mat, has_the_matrices_of_modelica_tools)
{
    RungModel m = fixture_model();
    m.names = "a\0s\0s_turn\0v\0t2\0a_turn"; // the offsets in the table above
    m.variable = variable;
    m.attributes = attributes;
    m.n_variables = 6;
    RungContext *ctx = context_new(&m);
    ctx->p[0] = 3;
    char path[] = "/tmp/mat_test_XXXXXX";
    close(mkstemp(path));
    uint32_t *rows = calloc(6, sizeof *rows);
    for (uint32_t k = 0; k < 6; k++)
        rows[k] =
            k == 1 || k == 2 ? 3 - k : k; // minus s first: the row they share is s all the same
    Mat *mat = mat_open(path, rows, 6, ctx);
    cr_assert(mat);
    for (int k = 0; k < 3; k++) {
        const double x[] = {10 + k, 0}, v[] = {20 + k};
        cr_assert_eq(mat_row(mat, ctx, k / 2.0, x, v), 0);
    }
    cr_assert_eq(mat_close(mat), 0);

    FILE *f = fopen(path, "rb");
    expect(f, 51, 4, 11, "Aclass");
    expect_text(f, "A1 bt. ir1 na  Tj  re  ac  nt  so   r   y   ");
    expect(f, 51, 6, 7, "name");
    expect_text(f, "Time  a     s_turns     v     t2    a_turn");
    expect(f, 51, 19, 7, "description");
    expect_text(f, "Simulation time [s]"
                   "mass               "
                   "[rad|deg]          "
                   "[rad|deg]          "
                   "way [m]            "
                   "way [m]            "
                   "mass               ");
    expect(f, 20, 4, 7, "dataInfo");
    static const int32_t info[] = {0, 1,  0, -1, 1, 2,  0, -1, 2, -2, 0, -1, 2, 2,
                                   0, -1, 2, 3,  0, -1, 2, 1,  0, -1, 1, -2, 0, -1};
    for (size_t k = 0; k < sizeof info / sizeof *info; k++) {
        int32_t got;
        cr_assert_eq(fread(&got, sizeof got, 1, f), 1);
        cr_assert_eq(got, info[k], "%zu: %d instead of %d", k, got, info[k]);
    }
    expect(f, 0, 2, 2, "data_1"); // times of start and end, the parameter
    expect_numbers(f, (const double[]){0, 3, 1, 3}, 4);
    expect(f, 0, 3, 3, "data_2");
    expect_numbers(f, (const double[]){0, 10, 20, 0.5, 11, 21, 1, 12, 22}, 9);
    cr_assert_eq(fgetc(f), EOF);
    fclose(f);
    unlink(path);
    context_free(ctx);
}
