/* The parts of the viewer and of pages: the geometry beside a result, icons, pages, PNG; a view.
 */
#include "emit/picture/geometry.h"
#include "emit/picture/icon.h"
#include "emit/picture/live.h"
#include "emit/picture/page.h"
#include "emit/picture/png.h"
#include "emit/picture/uplot.h"
#include "emit/picture/view.h"
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
    Name at = name_of(b.sys->names, "at"), of = name_of(b.sys->names, "r"),
         n = name_of(b.sys->names, "n"), d = name_of(b.sys->names, "d");
    vec_push(b.mem, g->argument, ((LookArgument){.name = at, .frame = 1, .var = VAR_NONE}));
    vec_push(b.mem, g->argument,
             ((LookArgument){.name = of, .frame = FRAME_NONE, .var = r, .n_dims = 1, .dims = {3}}));
    vec_push(b.mem, g->argument,
             ((LookArgument){.name = n,
                             .frame = FRAME_NONE,
                             .var = VAR_NONE,
                             .n_dims = 1,
                             .dims = {2},
                             .number = {0.5, -1}}));
    vec_push(b.mem, g->argument,
             ((LookArgument){.name = d, .frame = FRAME_NONE, .var = VAR_NONE, .number = {4}}));
    vec_push(b.mem, g->look,
             ((GeometryLook){name_of(b.sys->names, "arm"), name_of(b.sys->names, "rod"), 0, 4}));
    const char *json = geometry_json(b.sys, b.mem);
    cr_assert(strstr(json, "\"r\": \"arm.frame_a.r\", \"T\": \"arm.frame_a.T\""), "%s", json);
    cr_assert(strstr(json, "\"pull\": \"'pull arm.frame_a'\"}"), "%s", json);
    cr_assert(strstr(json, "\"name\": \"arm.\\\"tip\\\"\", \"r\": \"arm.frame_a.r\"}"), "%s", json);
    cr_assert(strstr(json, "\"name\": \"arm\", \"frames\": [0, 1]"), "%s", json);
    cr_assert(strstr(json, "{\"name\": \"arm\", \"form\": \"rod\", \"at\": {\"frame\": 1}, "
                           "\"r\": {\"of\": \"arm.frame_a.r\", \"dims\": [3]}, "
                           "\"n\": [0.5, -1], \"d\": 4}"),
              "%s", json);
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

/* ---- uplot.h ---- */

/* Pages are to zoom in where the script is inside the compiler. */
Test(uplot, makes_pages_interactive)
{
    cr_assert_eq(uplot[0].name != NULL, page_is_interactive());
    for (const BundleFile *f = uplot; f->name; f++)
        cr_assert_gt(f->size, 0, "%s", f->name);
}

/* ---- view.h ---- */

static void put_file(const char *dir, const char *name, const char *text, Arena *mem)
{
    FILE *f = fopen(arena_printf(mem, "%s/%s", dir, name), "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", name);
}

static uint32_t times(const char *text, const char *word)
{
    uint32_t n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

/* Two results of a point that moves along x: each has its frames in the page, which stands alone.
 */
Test(view, results_stand_side_by_side)
{
    Arena *mem = arena_new();
    const char *dir = arena_printf(mem, "%s", scratch_directory()), *result[2];
    static const char geometry[] =
        "{\"format\": \"rung view 1\", \"model\": \"M\", \"frames\": [{\"name\": \"tip\", "
        "\"r\": \"tip.r\"}, {\"name\": \"base\", \"r\": \"base.r\"}], \"parts\": [{\"name\": "
        "\"arm\", \"frames\": [0, 1]}]}";
    for (int k = 0; k < 2; k++) {
        result[k] = arena_printf(mem, "%s/run_%d.csv", dir, k);
        put_file(dir, arena_printf(mem, "run_%d.csv", k),
                 "time,tip.r[1],tip.r[2],tip.r[3],base.r[1],base.r[2],base.r[3]\n"
                 "0,0,0,0,0,0,0\n1,0.1234375,0,0,0,0,0\n2,0.25,0,0,0,0,0\n",
                 mem);
        put_file(dir, arena_printf(mem, "run_%d.view.json", k), geometry, mem);
    }
    ViewOptions o = {.speed = 1, .tolerance = NAN};
    ViewReport report;
    Text one, page;
    cr_assert(view_page(result, 1, o, &one, &report, mem), "%s", report.error);
    cr_assert_eq(report.frames, 2);
    cr_assert_eq(report.parts, 1);
    cr_assert_eq(report.solids, 0);
    cr_assert(view_page(result, 2, o, &page, &report, mem), "%s", report.error);
    cr_assert_eq(report.warning.n, 0);
    cr_assert_eq(times(page.at, "\"tip\""), 2 * times(one.at, "\"tip\""));
    cr_assert_gt(times(one.at, "\"tip\""), 0);
    cr_assert_null(strstr(page.at, "src=\"http"));
    result[1] = arena_printf(mem, "%s/gone.csv", dir);
    cr_assert_not(view_page(result, 2, o, &page, &report, mem));
    cr_assert(report.error && strstr(report.error, "gone"), "%s", report.error);
    shell("rm -r '%s'", dir);
    arena_free(mem);
}

/* ---- live.h ---- */

/* No page where the compiler for WebAssembly fails, or the model calls external functions. */
Test(live, needs_a_compiler_and_its_own_c)
{
    Bench b = random_bench(1, 20);
    EmitFiles f;
    cr_assert(emit_program(&b.g, emit_defaults(), b.mem, &f));
    setenv("RUNG_WASM_CC", "false", 1);
    LiveModule out;
    cr_assert_not(live_make(&b.g, &f, (BuildOptions){0}, b.mem, &out));
    cr_assert_neq(out.status, 0);
    cr_assert_not_null(out.error);
    const char *failed = out.error;
    f.n_externals = 1;
    cr_assert_not(live_make(&b.g, &f, (BuildOptions){0}, b.mem, &out));
    cr_assert(strstr(out.error, "external functions") && strcmp(out.error, failed), "%s",
              out.error);
    bench_free(&b);
}
