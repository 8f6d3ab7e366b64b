/* Shapes as SVG: transformations by a second way, curves on their ellipses, texts upright. */
#include "doc_pages/drawing.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const IconPoint system_100[2] = {{-100, -100}, {100, 100}};

static void assert_point(IconPoint p, double x, double y)
{
    cr_assert(fabs(p.x - x) < 1e-12 && fabs(p.y - y) < 1e-12, "(%g, %g), not (%g, %g)", p.x, p.y, x,
              y);
}

/* The numbers of the first attribute `name` in the text. */
static uint32_t numbers_of(const char *svg, const char *name, double *out, uint32_t most)
{
    const char *at = strstr(svg, name);
    uint32_t n = 0;
    cr_assert(at, "no %s in %s", name, svg);
    for (at += strlen(name); *at && *at != '"' && n < most;) {
        char *end;
        out[n] = strtod(at, &end);
        n += end != at;
        at = end != at ? end : at + 1;
    }
    return n;
}

static const char *drawn(const IconShape *s, const char *text, const Affine *to, Arena *mem)
{
    Drawing d = drawing_new(mem);
    drawing_shape(&d, s, text, to);
    return d.out.at;
}

Test(drawing, a_place_scales_mirrors_turns_and_moves)
{
    IconPoint plain[2] = {{-10, -10}, {10, 10}}, mirrored[2] = {{10, -10}, {-10, 10}};
    Affine m = affine_of_place(system_100, plain, (IconPoint){50, -20}, 0, true);
    assert_point(affine_point(&m, (IconPoint){100, 0}), 60, -20);
    // mirrored: (100, 0) goes to (-10, 0); a quarter turn takes it to (0, -10)
    m = affine_of_place(system_100, mirrored, (IconPoint){20, 30}, 90, true);
    assert_point(affine_point(&m, (IconPoint){100, 0}), 20, 20);
    assert_point(affine_point(&m, (IconPoint){0, 100}), 10, 30);
}

Test(drawing, the_ratio_is_kept_or_not)
{
    IconPoint wide[2] = {{0, 0}, {40, 10}};
    Affine kept = affine_of_place(system_100, wide, (IconPoint){0}, 0, true);
    Affine free = affine_of_place(system_100, wide, (IconPoint){0}, 0, false);
    // the middle of the extent is (20, 5)
    assert_point(affine_point(&kept, (IconPoint){100, 100}), 25, 10);
    assert_point(affine_point(&free, (IconPoint){100, 100}), 40, 10);
}

/* One after the other, and their product. */
Test(drawing, products_of_transformations)
{
    Affine p = {1, 2, -3, 4, 5, 6}, q = {0.5, -1, 2, 3, -7, 1}, both = affine_times(&p, &q);
    for (int k = 0; k < 10; k++) {
        IconPoint x = {3.0 * k - 7, 11 - 2.5 * k}, inner = affine_point(&q, x);
        IconPoint one = affine_point(&p, inner);
        assert_point(affine_point(&both, x), one.x, one.y);
    }
}

Test(drawing, lines_are_written_with_y_downwards)
{
    Arena *mem = arena_new();
    IconPoint p[2] = {{-10, 5}, {20, -30}};
    IconShape s = {.kind = ICON_LINE,
                   .n = 2,
                   .point = p,
                   .line_pattern = LINE_SOLID,
                   .thickness = 0.25,
                   .line = 0x0000ff,
                   .rotation = 90,
                   .origin = {1, 2}};
    double x[8];
    // turned: (-5, -10) and (30, 20), moved by (1, 2)
    cr_assert_eq(numbers_of(drawn(&s, NULL, &AFFINE_IDENTITY, mem), " d=\"", x, 8), 4);
    double want[4] = {-4, 8, 31, -22};
    for (int k = 0; k < 4; k++)
        cr_assert_float_eq(x[k], want[k], 1e-9);
    arena_free(mem);
}

static double cubic(double a, double b, double c, double d, double t)
{
    double u = 1 - t;
    return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d;
}

Test(drawing, arcs_are_on_their_ellipse)
{
    Arena *mem = arena_new();
    IconPoint p[2] = {{80, -20}, {-40, 60}}; // middle (20, 20), half axes 60 and 40
    IconShape s = {.kind = ICON_ELLIPSE,
                   .n = 2,
                   .point = p,
                   .line_pattern = LINE_SOLID,
                   .thickness = 0.25,
                   .start_angle = 30,
                   .end_angle = 290};
    double x[64];
    uint32_t n = numbers_of(drawn(&s, NULL, &AFFINE_IDENTITY, mem), " d=\"", x, 64);
    cr_assert_eq(n, 2 + 3 * 6, "%u numbers", n);
    const double radians = acos(-1) / 180;
    cr_assert_float_eq(x[0], 20 + 60 * cos(30 * radians), 0.01);
    cr_assert_float_eq(-x[1], 20 + 40 * sin(30 * radians), 0.01);
    cr_assert_float_eq(x[n - 2], 20 + 60 * cos(290 * radians), 0.01);
    for (uint32_t k = 0; k + 7 < n; k += 6)
        for (double t = 0; t <= 1; t += 0.125) {
            double ex = (cubic(x[k], x[k + 2], x[k + 4], x[k + 6], t) - 20) / 60;
            double ey = (-cubic(x[k + 1], x[k + 3], x[k + 5], x[k + 7], t) - 20) / 40;
            cr_assert_float_eq(hypot(ex, ey), 1, 1.5e-3);
        }
    arena_free(mem);
}

Test(drawing, closures_of_arcs)
{
    Arena *mem = arena_new();
    IconPoint p[2] = {{-1, -1}, {1, 1}};
    IconShape s = {.kind = ICON_ELLIPSE,
                   .n = 2,
                   .point = p,
                   .line_pattern = LINE_SOLID,
                   .thickness = 0.25,
                   .end_angle = 90};
    cr_assert_null(strchr(drawn(&s, NULL, &AFFINE_IDENTITY, mem), 'Z'));
    s.is_chord = true;
    cr_assert_not_null(strstr(drawn(&s, NULL, &AFFINE_IDENTITY, mem), "d=\"M1 0C"));
    s.is_chord = false;
    s.is_sector = true;
    cr_assert_not_null(strstr(drawn(&s, NULL, &AFFINE_IDENTITY, mem), "d=\"M0 0L1 0C"));
    arena_free(mem);
}

/* Half a turn and a mirror leave a text as it is; a quarter turn reads along the other way. */
Test(drawing, texts_stay_upright)
{
    Arena *mem = arena_new();
    IconPoint p[2] = {{-50, -10}, {50, 10}};
    IconShape s = {.kind = ICON_TEXT, .n = 2, .point = p};
    Affine half = {-1, 0, 0, -1, 0, 0}, mirror = {-1, 0, 0, 1, 0, 0}, quarter = {0, 1, -1, 0, 0, 0};
    const char *plain = drawn(&s, "a<b", &AFFINE_IDENTITY, mem);
    cr_assert_str_eq(drawn(&s, "a<b", &half, mem), plain);
    cr_assert_str_eq(drawn(&s, "a<b", &mirror, mem), plain);
    cr_assert_not_null(strstr(drawn(&s, "a<b", &quarter, mem), "rotate(-90)"));
    cr_assert_not_null(strstr(plain, ">a&lt;b</text>"));
    // as high as the box; a long text as wide as it
    double size;
    numbers_of(plain, "font-size=\"", &size, 1);
    cr_assert_float_eq(size, 20, 1e-9);
    numbers_of(drawn(&s, "twenty letters, these", &AFFINE_IDENTITY, mem), "font-size=\"", &size, 1);
    cr_assert_lt(size, 100 / (0.5 * 21));
    arena_free(mem);
}

Test(drawing, fills_have_ids_of_their_own)
{
    Arena *mem = arena_new();
    IconPoint p[2] = {{-50, -10}, {50, 10}};
    IconShape s = {.kind = ICON_RECTANGLE,
                   .n = 2,
                   .point = p,
                   .line_pattern = LINE_SOLID,
                   .thickness = 0.25,
                   .fill_pattern = FILL_HORIZONTAL_CYLINDER};
    Affine quarter = {0, 1, -1, 0, 0, 0};
    Drawing d = drawing_new(mem);
    drawing_shape(&d, &s, NULL, &AFFINE_IDENTITY);
    // across the cylinder, from its lower to its upper side
    cr_assert_not_null(strstr(d.out.at, "x1=\"0\" y1=\"10\" x2=\"0\" y2=\"-10\""));
    drawing_shape(&d, &s, NULL, &quarter);
    cr_assert_not_null(strstr(d.out.at, "x1=\"10\" y1=\"0\" x2=\"-10\" y2=\"0\""));
    cr_assert_not_null(strstr(d.out.at, "url(#f1)"));
    cr_assert_not_null(strstr(d.out.at, "url(#f2)"));
    arena_free(mem);
}

Test(drawing, the_view_has_room_for_all_points)
{
    Arena *mem = arena_new();
    IconPoint p[2] = {{-150, 0}, {0, 120}};
    IconShape s = {
        .kind = ICON_LINE, .n = 2, .point = p, .line_pattern = LINE_SOLID, .thickness = 0.25};
    Drawing d = drawing_new(mem);
    drawing_shape(&d, &s, NULL, &AFFINE_IDENTITY);
    Text svg = text_new(mem);
    drawing_svg(&d, system_100, true, "a \"view\"", &svg);
    double box[4];
    cr_assert_eq(numbers_of(svg.at, "viewBox=\"", box, 4), 4);
    cr_assert(box[0] <= -150 && box[0] + box[2] >= 100);
    cr_assert(box[1] <= -120 && box[1] + box[3] >= 100);
    cr_assert_not_null(strstr(svg.at, "a &quot;view&quot;"));
    arena_free(mem);
}
