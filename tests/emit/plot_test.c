#include "emit/picture/plot.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char csv[64], svg[80];

static void write_csv(int rows)
{
    strcpy(csv, "/tmp/rung-plot-XXXXXX");
    close(mkstemp(csv));
    snprintf(svg, sizeof svg, "%s.svg", csv);
    FILE *f = fopen(csv, "w");
    fprintf(f, "\"time\",\"a<b\",\"fixed\",\"say \"\"c\"\", d\"\n");
    for (int k = 0; k < rows; k++)
        fprintf(f, "%g,%g,2,%s\n", 0.1 * k, sin(0.1 * k), k == 5 ? "nan" : "1e-3");
    fclose(f);
}

static char *drawn(PlotOptions o, Arena *mem)
{
    const char *error = NULL;
    cr_assert(plot_result(csv, svg, o, mem, &error), "%s", error);
    FILE *f = fopen(svg, "r");
    char *text = arena_array(mem, char, 200001);
    text[fread(text, 1, 200000, f)] = 0;
    fclose(f);
    remove(csv);
    remove(svg);
    return text;
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

Test(plot, draws_the_named_columns)
{
    Arena *mem = arena_new();
    write_csv(100);
    const char *const names[] = {"say \"c\", d", "a<b"};
    char *text = drawn((PlotOptions){.column = names, .n_columns = 2, .title = "T & U"}, mem);
    cr_assert_eq(count(text, "<path"), 2);
    cr_assert_eq(count(text, "T &amp; U"), 1);
    cr_assert_eq(count(text, "a&lt;b"), 1);
    // a gap where the value is not a number
    cr_assert_eq(count(text, "\"M"), 2);
    char *second = strstr(text, "#d55e00");
    *strstr(second, "/>") = 0;
    cr_assert_eq(count(second, "M"), 2);
    arena_free(mem);
}

Test(plot, chooses_what_varies)
{
    Arena *mem = arena_new();
    write_csv(100);
    char *text = drawn((PlotOptions){0}, mem);
    cr_assert_eq(count(text, "<path"), 1);
    cr_assert_eq(count(text, "a&lt;b"), 1);
    arena_free(mem);
}

Test(plot, stays_small_and_survives_short_files)
{
    Arena *mem = arena_new();
    for (int rows = 0; rows < 3; rows++) {
        write_csv(rows);
        const char *const names[] = {"a<b"};
        drawn((PlotOptions){.column = names, .n_columns = 1}, mem);
    }
    write_csv(100000);
    const char *const names[] = {"fixed"};
    char *text = drawn((PlotOptions){.column = names, .n_columns = 1}, mem);
    cr_assert_lt(strlen(text), 40000u);
    arena_free(mem);
}

Test(plot, names_what_is_missing)
{
    Arena *mem = arena_new();
    const char *error = NULL;
    const char *const names[] = {"nope"};
    write_csv(3);
    cr_assert(!plot_result(csv, svg, (PlotOptions){.column = names, .n_columns = 1}, mem, &error));
    cr_assert(strstr(error, "'nope'"));
    cr_assert(!plot_result("/nonexistent", svg, (PlotOptions){0}, mem, &error));
    cr_assert(strstr(error, "/nonexistent"));
    remove(csv);
    arena_free(mem);
}
