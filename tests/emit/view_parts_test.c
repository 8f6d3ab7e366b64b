/* What the viewer and pages are made of: the geometry beside a result, icons, pages, PNG. */
#include "emit/picture/geometry.h"
#include "emit/picture/icon.h"
#include "emit/picture/page.h"
#include "emit/picture/png.h"
#include "emit/picture/viewer.h"
#include "tests/emit/fixture.h"

#include <string.h>

/* ---- geometry.h ---- */

Test(geometry, paths_and_arrays)
{
    Arena *mem = arena_new();
    cr_assert_str_eq(geometry_path("R.mat", mem), "R.view.json");
    cr_assert_str_eq(geometry_path("/a.b/R", mem), "/a.b/R.view.json");
    cr_assert_str_eq(geometry_path("/a/.R", mem), "/a/.R.view.json");
    cr_assert_str_eq(geometry_array("body[2].r[3]", mem), "body[2].r");
    cr_assert_str_eq(geometry_array("time", mem), "time");
    arena_free(mem);
}

Test(geometry, frames_and_parts_as_json)
{
    Bench b = bench_new(1);
    cr_assert_str_eq(geometry_json(b.sys, b.mem), "");
    VarId r = add(&b, "arm.frame_a.r[1]", VAR_CONTINUOUS, EXPR_NONE),
          T = add(&b, "arm.frame_a.T[1,1]", VAR_CONTINUOUS, EXPR_NONE);
    Geometry *g = &b.sys->geometry;
    Name frame = name_of(b.sys->names, "arm.frame_a"), tip = name_of(b.sys->names, "arm.\"tip\"");
    VarId none = VAR_NONE, pull = add(&b, "'pull arm.frame_a'[1]", VAR_INPUT, EXPR_NONE);
    vec_push(b.mem, g->frame, ((GeometryFrame){frame, r, T, none, pull}));
    vec_push(b.mem, g->frame, ((GeometryFrame){tip, r, none, none, none}));
    vec_push(b.mem, g->part, ((GeometryPart){name_of(b.sys->names, "arm"), 0, 2}));
    const char *json = geometry_json(b.sys, b.mem);
    cr_assert(strstr(json, "\"r\": \"arm.frame_a.r\", \"T\": \"arm.frame_a.T\""), "%s", json);
    cr_assert(strstr(json, "\"pull\": \"'pull arm.frame_a'\"}"), "%s", json);
    cr_assert(strstr(json, "\"name\": \"arm.\\\"tip\\\"\", \"r\": \"arm.frame_a.r\"}"), "%s", json);
    cr_assert(strstr(json, "\"name\": \"arm\", \"frames\": [0, 1]"), "%s", json);
    bench_free(&b);
}

/* ---- icon.h ---- */

/* A corner at (10, 0) turned by 90 degrees about (20, 30) is at (20, 40); y grows downwards. */
Test(icon, points_are_turned_about_their_origin)
{
    Arena *mem = arena_new();
    Icon icon = {.extent = {{-100, -100}, {100, 100}}};
    static const IconPoint line[] = {{0, 0}, {10, 0}};
    vec_push(mem, icon.shape,
             ((IconShape){.kind = ICON_LINE,
                          .origin = {20, 30},
                          .rotation = 90,
                          .n = 2,
                          .point = line,
                          .line = 0x00ff80,
                          .line_pattern = LINE_SOLID,
                          .thickness = 0.25}));
    Text svg = icon_svg(&icon, mem);
    cr_assert(strstr(svg.at, "120 70"), "%s", svg.at);
    cr_assert(strstr(svg.at, "120 60"), "%s", svg.at);
    cr_assert(strstr(svg.at, "#00ff80"), "%s", svg.at);
    arena_free(mem);
}

/* ---- page.h, png.h, viewer.h ---- */

static Text picture(Arena *mem)
{
    Text svg = text_new(mem);
    text_put(&svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\">"
                   "<rect width=\"30\" height=\"20\" fill=\"#ff0000\"/></svg>");
    return svg;
}

Test(page, needs_no_other_file)
{
    Arena *mem = arena_new();
    static const double x[] = {0, 1, 2}, y[] = {1, 4, 9};
    const ChartCurve curve = {.name = "a < b", .n = 3, .x = x, .y = y};
    const Chart chart = {.title = "t", .n = 1, .curve = &curve};
    Text svg = picture(mem), page = page_html(&chart, 1, 600, 200, "x & y", &svg, mem);
    cr_assert(strstr(page.at, "<title>x &amp; y</title>"));
    cr_assert_null(strstr(page.at, "src=\"http"));
    cr_assert_null(strstr(page.at, "href=\"http"));
    if (!page_is_interactive())
        cr_assert(strstr(page.at, svg.at));
    arena_free(mem);
}

Test(png, has_twice_the_size)
{
    Arena *mem = arena_new();
    if (png_is_there()) {
        Text svg = picture(mem), png = text_new(mem);
        const char *error = NULL;
        cr_assert(png_of_svg(&svg, &png, mem, &error), "%s", error);
        const unsigned char *at = (const unsigned char *)png.at;
        cr_assert_eq(memcmp(at, "\x89PNG\r\n\x1a\n", 8), 0);
        cr_assert_eq(at[19], 60); /* width and height, the last byte of four (PNG, 11.2.2) */
        cr_assert_eq(at[23], 40);
        Text wrong = text_new(mem);
        text_put(&wrong, "<svg");
        cr_assert_not(png_of_svg(&wrong, &png, mem, &error));
        cr_assert_not_null(error);
    }
    arena_free(mem);
}

Test(viewer, script_and_style_are_there)
{
    for (const BundleFile *f = viewer; f->name; f++)
        cr_assert_gt(f->size, 100, "%s", f->name);
    cr_assert_not_null(viewer[0].name);
}
