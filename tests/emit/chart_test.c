#include "emit/picture/chart.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

/* y = 3 x^2 is a straight line of slope 2 where both axes are logarithmic. */
Test(chart, powers_are_straight_on_logarithmic_axes)
{
    Arena *mem = arena_new();
    double x[] = {1, 2, 4, 8, 16}, y[5];
    for (int k = 0; k < 5; k++)
        y[k] = 3 * x[k] * x[k];
    ChartCurve curve = {"square", 5, x, y, 0, 0};
    Chart c = {.log_x = true, .log_y = true, .marks = true, .n = 1, .curve = &curve};
    Text t = chart_svg(&c, 1, 600, 400, mem);
    double px[5], py[5];
    const char *at = strstr(t.at, "<path");
    at = strstr(at, "d=\"") + 3;
    for (int k = 0; k < 5; k++) {
        int n = 0;
        cr_assert_eq(sscanf(at + 1, "%lf %lf%n", &px[k], &py[k], &n), 2);
        at += 1 + n;
    }
    for (int k = 1; k < 4; k++) {
        cr_assert_float_eq(px[k + 1] - px[k], px[k] - px[k - 1], 0.21);
        cr_assert_float_eq(py[k + 1] - py[k], py[k] - py[k - 1], 0.21);
    }
    cr_assert_lt(py[1], py[0]);
    /* each point has its dot and its tick */
    cr_assert_eq(count(t.at, "<circle"), 5);
    cr_assert_eq(count(t.at, ">16<"), 1);
    arena_free(mem);
}

Test(chart, what_has_no_logarithm_leaves_a_gap)
{
    Arena *mem = arena_new();
    double x[] = {0, 1, 2, 3, 4}, y[] = {5, 6, -1, NAN, 7};
    ChartCurve curve = {"<b>\"&", 5, x, y, 0, 0};
    Chart c = {.log_x = true, .log_y = true, .n = 1, .curve = &curve, .title = "a < b"};
    Text t = chart_svg(&c, 1, 600, 400, mem);
    char *path = strstr(t.at, "d=\"");
    *strstr(path, "/>") = 0;
    cr_assert_eq(count(path, "M"), 2); /* (1, 6) and (4, 7) */
    cr_assert_eq(count(path, "L"), 0);
    cr_assert_eq(count(t.at, "a &lt; b"), 1);
    arena_free(mem);
}

Test(chart, panels_share_the_legend_and_nothing_is_fine)
{
    Arena *mem = arena_new();
    double x[] = {1, 2}, y[] = {1, 1e7};
    ChartCurve curve[] = {{"one", 2, x, y, 0, 0}, {"two", 2, x, x, 0, 0}};
    Chart c[] = {{.n = 2, .curve = curve}, {.n = 1, .curve = curve}};
    Text t = chart_svg(c, 2, 900, 400, mem);
    cr_assert_eq(count(t.at, "<path"), 3);
    cr_assert_eq(count(t.at, ">one<"), 1);
    cr_assert_eq(count(t.at, ">two<"), 1);
    cr_assert_eq(count(t.at, ">1e7<"), 2);
    Chart empty = {.log_x = true};
    cr_assert(strstr(chart_svg(&empty, 1, 900, 400, mem).at, "</svg>"));
    arena_free(mem);
}
