#include "base/text.h"
#include "emit/picture/plot.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char csv[64];

static void write_csv(int rows)
{
    strcpy(csv, "/tmp/rung-plot-XXXXXX");
    close(mkstemp(csv));
    FILE *f = fopen(csv, "w");
    fprintf(f, "\"time\",\"a<b\",\"fixed\",\"say \"\"c\"\", d\"\n");
    for (int k = 0; k < rows; k++)
        fprintf(f, "%g,%g,2,%s\n", 0.1 * k, sin(0.1 * k), k == 5 ? "nan" : "1e-3");
    fclose(f);
}

static char *drawn(PlotOptions o, Arena *mem)
{
    PlotReport report;
    const char *const result[] = {csv};
    Text picture;
    cr_assert(plot_results(result, 1, "a.svg", o, &picture, &report, mem), "%s", report.error);
    remove(csv);
    return picture.at;
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
    char *text = drawn((PlotOptions){.signals = "a<b, say*", .title = "T & U"}, mem);
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
        drawn((PlotOptions){.signals = "a<b"}, mem);
    }
    write_csv(100000);
    char *text = drawn((PlotOptions){.signals = "fixed"}, mem);
    cr_assert_lt(strlen(text), 40000u);
    arena_free(mem);
}

Test(plot, names_what_is_missing)
{
    Arena *mem = arena_new();
    PlotReport report;
    Text picture;
    write_csv(3);
    const char *const here[] = {csv}, *const none[] = {"/dev/null/none"};
    cr_assert(!plot_results(here, 1, "a.svg", (PlotOptions){.signals = "a<b;nope"}, &picture,
                            &report, mem));
    cr_assert(strstr(report.error, "'nope'"));
    cr_assert(!plot_results(none, 1, "a.svg", (PlotOptions){0}, &picture, &report, mem));
    cr_assert(strstr(report.error, "/dev/null/none"));
    cr_assert(!plot_results(here, 1, "a.gif", (PlotOptions){0}, &picture, &report, mem));
    cr_assert(strstr(report.error, ".png"));
    remove(csv);
    arena_free(mem);
}

static const char *unit(void *user, const char *name)
{
    (void)user;
    return *name == 'v' ? "m/s" : *name == 'n' ? NULL : "m";
}

/* Two states, an output, an alias, something that does not move. */
static void write_states(void)
{
    write_csv(1);
    FILE *f = fopen(csv, "w");
    fputs("time,s,v,der(s),der(v),same,n,k\n0,0,1,1,2,0,0,5\n1,2,3,3,2,2,9,5\n", f);
    fclose(f);
}

static bool is_n(void *user, const char *name)
{
    (void)user;
    return strcmp(name, "n") == 0;
}

/* The text of every legend and axis, one behind the other. */
static const char *texts(const char *svg_text, Arena *mem)
{
    Text t = text_new(mem);
    for (const char *at = svg_text; (at = strstr(at, "<text")); at++) {
        const char *begin = strchr(at, '>') + 1;
        if ((*begin < '0' || *begin > '9') && *begin != '-')
            text_printf(&t, "%.*s ", (int)(strchr(begin, '<') - begin), begin);
    }
    return t.at;
}

Test(plot, states_and_outputs_by_unit)
{
    Arena *mem = arena_new();
    write_states();
    char *text = drawn((PlotOptions){.unit = unit}, mem);
    cr_assert_str_eq(texts(text, mem), "m s time in s m/s v ");
    write_states();
    text = drawn((PlotOptions){.unit = unit, .is_output = is_n}, mem);
    cr_assert_eq(count(text, "<rect"), 4); // the background and three panels
    write_states();
    text = drawn((PlotOptions){.unit = unit, .signals = "v,k;s"}, mem);
    cr_assert_str_eq(texts(text, mem), "v k time in s m s ");
    write_states();
    text = drawn((PlotOptions){.unit = unit, .most = 1}, mem);
    cr_assert_eq(count(text, "<path"), 1);
    arena_free(mem);
}

/* Two results in one picture: one colour, told apart by dashes. */
Test(plot, two_results)
{
    Arena *mem = arena_new();
    PlotReport report;
    Text picture;
    write_states();
    const char *const both[] = {csv, csv};
    cr_assert(
        plot_results(both, 2, "a.svg", (PlotOptions){.signals = "s"}, &picture, &report, mem));
    const char *text = picture.at;
    cr_assert_eq(report.drawn, 2);
    cr_assert_eq(count(text, "<path stroke=\"#0072b2\""), 2);
    cr_assert_eq(count(text, "<path stroke=\"#0072b2\" stroke-dasharray"), 1);
    remove(csv);
    arena_free(mem);
}
