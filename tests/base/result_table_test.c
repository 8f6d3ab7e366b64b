/* Files of results written by hand, right and wrong ones. */
#include "base/result_table.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ResultTable read_bytes(const char *bytes, size_t n, bool *good, Arena *mem)
{
    char path[] = "/tmp/rung-table-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    cr_assert_eq(fwrite(bytes, 1, n, f), n);
    fclose(f);
    ResultTable t;
    *good = result_table_read(&t, path, mem);
    cr_assert_eq(*good, t.error == NULL);
    remove(path);
    return t;
}

Test(result_table, csv_keeps_names_and_says_which_line_is_wrong)
{
    Arena *mem = arena_new();
    bool good;
    static const char right[] =
        "\"time\",\"a b\",\"say \"\"c\"\"\",\"x[1,2]\"\n0,1,2,3\n0.5,-1e3,nan,4\n";
    ResultTable t = read_bytes(right, sizeof right - 1, &good, mem);
    cr_assert(good, "%s", t.error);
    cr_assert(t.n_cols == 4 && t.n_rows == 2);
    cr_assert_eq(result_table_find(&t, "a b"), 1);
    cr_assert_eq(result_table_find(&t, "say \"c\""), 2);
    cr_assert_eq(result_table_find(&t, "x[1,2]"), 3);
    cr_assert_eq(result_table_find(&t, "a"), 4);
    cr_assert_eq(result_table_at(&t, 1, 0), 0.5);
    cr_assert_eq(result_table_at(&t, 1, 1), -1000);
    cr_assert(isnan(result_table_at(&t, 1, 2)));
    static const char *const wrong[][2] = {
        {"t,x\n0,1\n1\n", ":3: 1 values in 2 columns"},
        {"t,x\n0,1,2\n", ":2: 3 values in 2 columns"},
        {"t,x\n0,1\n1,1.5x\n", ":3:3: '1.5x' is no number"},
        {"t,x\n0,\n", ":2:3: '' is no number"},
        {"t,x\n0,\"a\"\n1,2\n2,b\n\"c\",3\n", ":5:1: 'c' is no number"},
        {"t,x\n0,1\n1,\"a\"\n", ":3:3: 'a' is no number"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        t = read_bytes(wrong[k][0], strlen(wrong[k][0]), &good, mem);
        cr_assert(!good && strstr(t.error, wrong[k][1]), "%zu: %s", k, t.error);
    }
    // texts in quotes are left out; the places of the others are those of the file
    static const char texts[] = "\"t\",\"s\",\"x\",\"q\",\"e\"\n"
                                "0,\"1\",2,\"5\",\"\"\n1,\"a, b\",3,\"6\",\"\"\n";
    t = read_bytes(texts, sizeof texts - 1, &good, mem);
    cr_assert(good, "%s", t.error);
    cr_assert(t.n_cols == 3 && result_table_find(&t, "s") == 3 && result_table_find(&t, "e") == 3);
    cr_assert_eq(result_table_at(&t, 1, result_table_find(&t, "x")), 3);
    cr_assert_eq(result_table_at(&t, 1, result_table_find(&t, "q")), 6);
    cr_assert_eq(t.column[1].field, 2);
    cr_assert(!result_table_read(&t, "/dev/null/below", mem) && strstr(t.error, "/dev/null/below"));
    arena_free(mem);
}

/* ---- MAT ---- */

typedef struct Bytes {
    char at[2000];
    size_t n;
} Bytes;

static void put(Bytes *b, const void *from, size_t n)
{
    cr_assert_leq(b->n + n, sizeof b->at);
    memcpy(b->at + b->n, from, n);
    b->n += n;
}

/* A matrix given by rows, or its transpose. Type: 0 doubles, 1 floats, 2 int32, 5 bytes. */
static void put_matrix(Bytes *b, const char *name, int type, int rows, int cols, const double *cell,
                       bool transposed)
{
    const int32_t field[5] = {10 * type + (type == 5), transposed ? cols : rows,
                              transposed ? rows : cols, 0, (int32_t)strlen(name) + 1};
    put(b, field, sizeof field);
    put(b, name, strlen(name) + 1);
    for (int k = 0; k < rows * cols; k++) {
        double x = transposed ? cell[k] : cell[k % rows * cols + k / rows];
        float f = (float)x;
        int32_t i = (int32_t)x;
        unsigned char c = (unsigned char)i;
        put(b,
            type == 0   ? (void *)&x
            : type == 1 ? (void *)&f
            : type == 2 ? (void *)&i
                        : &c,
            type == 0   ? 8
            : type == 5 ? 1
                        : 4);
    }
}

/* Texts as a matrix, one text a column. */
static void put_text(Bytes *b, const char *name, const char *const *text, int n, bool transposed)
{
    enum { LONGEST = 11 };
    double cell[LONGEST * 8];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < LONGEST; i++)
            cell[i * n + k] = (size_t)i < strlen(text[k]) ? text[k][i] : ' ';
    put_matrix(b, name, 5, LONGEST, n, cell, transposed);
}

/* Time, "a b" = 7, x and y = -x, three rows. One by columns (binTrans), or all transposed. */
static Bytes trajectory(bool transposed, int type, double matrix_of_y, double row_of_y)
{
    Bytes b = {0};
    const char *const class[] = {"Atrajectory", "1.1", "", transposed ? "binNormal" : "binTrans"};
    const char *const name[] = {"Time", "a b", "x", "y\"s"};
    const double info[] = {0, 1, 2, matrix_of_y, 1, 2, 2, row_of_y, 0, 0, 0, 0, -1, -1, -1, -1};
    const double still[] = {0, 2, 7, 7}, moving[] = {0, 1, 2, 0.5, -4, 8};
    put_text(&b, "Aclass", class, 4, true); // its lines are rows in both
    put_text(&b, "name", name, 4, transposed);
    put_matrix(&b, "dataInfo", 2, 4, 4, info, transposed);
    put_matrix(&b, "data_1", type, 2, 2, still, transposed);
    put_matrix(&b, "data_2", type, 2, 3, moving, transposed);
    return b;
}

Test(result_table, mat_of_either_orientation_holds_the_same)
{
    Arena *mem = arena_new();
    for (int k = 0; k < 4; k++) {
        Bytes b = trajectory(k & 1, k / 2, 2, -2);
        bool good;
        ResultTable t = read_bytes(b.at, b.n, &good, mem);
        cr_assert(good, "%d: %s", k, t.error);
        cr_assert(t.n_cols == 4 && t.n_rows == 3, "%d: %u x %u", k, t.n_rows, t.n_cols);
        cr_assert_eq(result_table_find(&t, "a b"), 1);
        cr_assert_eq(result_table_find(&t, "y\"s"), 3);
        static const double is[3][4] = {{0, 7, 0.5, -0.5}, {1, 7, -4, 4}, {2, 7, 8, -8}};
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t j = 0; j < 4; j++)
                cr_assert_eq(result_table_at(&t, i, j), is[i][j], "%d: row %u, column %u", k, i, j);
    }
    arena_free(mem);
}

Test(result_table, mat_cut_off_or_with_wrong_rows_is_refused)
{
    Arena *mem = arena_new();
    for (int transposed = 0; transposed < 2; transposed++) {
        bool good;
        Bytes b = trajectory(transposed, 0, 2, -2);
        for (size_t n = 4; n < b.n; n++) {
            ResultTable t = read_bytes(b.at, n, &good, mem);
            cr_assert(!good && strstr(t.error, "/tmp/rung-table-"), "%zu bytes of %zu", n, b.n);
        }
        static const double no_matrix[] = {0, -1, 3, 17, INT32_MAX};
        for (size_t k = 0; k < sizeof no_matrix / sizeof *no_matrix; k++) {
            b = trajectory(transposed, 0, no_matrix[k], 1);
            read_bytes(b.at, b.n, &good, mem);
            cr_assert(!good, "matrix %g", no_matrix[k]);
        }
        static const double wrong[] = {0, 3, -3, INT32_MAX, -INT32_MAX};
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            b = trajectory(transposed, 0, 2, wrong[k]);
            ResultTable t = read_bytes(b.at, b.n, &good, mem);
            cr_assert(!good && strstr(t.error, "dataInfo"), "row %g", wrong[k]);
        }
    }
    arena_free(mem);
}
