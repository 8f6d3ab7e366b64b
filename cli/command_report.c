/* rung report: one page on the translation and the run of a model. Each part is the output of
 * another command, run in a forked process. */
#include "cli/forked_command.h"
#include "cli/requests.h"
#include "emit/picture/geometry.h"
#include "study/output.h"
#include "translate/driver.h"
#include "translate/setting_values.h"
#include "translate/structural_set.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Report {
    const Options *options;
    Arena *mem;
    Scratch scratch;
    Text page;
} Report;

/* ---- pieces of the page ---- */

static void put_escaped(Text *t, const char *s)
{
    for (; *s; s++) {
        const char *as = *s == '<' ? "&lt;" : *s == '>' ? "&gt;" : *s == '&' ? "&amp;" : NULL;
        as = *s == '"' ? "&quot;" : as;
        if (as)
            text_put(t, as);
        else
            text_put_n(t, s, 1);
    }
}

static void put_heading(Report *r, const char *title, const char *what)
{
    text_printf(&r->page, "<h2>%s</h2>\n<p>", title);
    put_escaped(&r->page, what);
    text_put(&r->page, "</p>\n");
}

static void put_text(Report *r, const char *text)
{
    text_put(&r->page, "<pre>");
    put_escaped(&r->page, text);
    text_put(&r->page, "</pre>\n");
}

static void put_picture(Report *r, const char *path, const char *what)
{
    Text svg = scratch_read(&r->scratch, path);
    if (svg.n == 0)
        return;
    text_put(&r->page, "<img alt=\"");
    put_escaped(&r->page, what);
    text_put(&r->page, "\" src=\"data:image/svg+xml;base64,");
    text_put_base64(&r->page, svg.at, svg.n);
    text_put(&r->page, "\">\n");
}

/* ---- the parts ---- */

/* Numbers of the summary but for seconds, which differ from run to run. */
static void put_summary(Report *r, const char *json)
{
    cJSON *all = cJSON_Parse(json);
    const cJSON *v, *w;
    text_put(&r->page, "<table>\n");
    cJSON_ArrayForEach(v, all)
    {
        bool is_left_out = strcmp(v->string, "seconds") == 0 || strcmp(v->string, "files") == 0 ||
                           strcmp(v->string, "compiled") == 0 || strcmp(v->string, "error") == 0;
        const cJSON *inside = is_left_out ? NULL : v;
        cJSON_ArrayForEach(w, inside)
        {
            if (cJSON_IsNumber(w))
                text_printf(&r->page, "<tr><td>%s, %s</td><td>%.6g</td></tr>\n", v->string,
                            w->string, w->valuedouble);
        }
        if (is_left_out || cJSON_IsObject(v) || cJSON_IsNull(v))
            continue;
        text_printf(&r->page, "<tr><td>%s</td><td>", v->string);
        if (cJSON_IsString(v))
            put_escaped(&r->page, v->valuestring);
        else
            text_printf(&r->page, "%.9g", v->valuedouble);
        text_put(&r->page, "</td></tr>\n");
    }
    text_put(&r->page, "</table>\n");
    cJSON_Delete(all);
}

static Exit put_run(Report *r)
{
    const char *result = scratch_path(&r->scratch, "R.mat"),
               *curves = scratch_path(&r->scratch, "R.svg");
    Options o = forked_options(r->options);
    o.output = result;
    o.plot = curves;
    o.format = "json";
    ScratchOutput run = forked_command(&r->scratch, command_simulate, &o);
    const char *page = scratch_path(&r->scratch, "view.html");
    Options v = forked_options(r->options);
    v.files = (Texts){.at = &result, .n = 1};
    v.model = NULL;
    v.output = page;
    v.quiet = true;
    bool is_seen = access(geometry_path(result, r->mem), R_OK) == 0 &&
                   forked_command(&r->scratch, command_view, &v).status == EXIT_GOOD;
    if (is_seen) {
        put_heading(r, "In motion", "Drag turns, the wheel zooms, space plays and stops.");
        text_put(&r->page, "<iframe title=\"the mechanism in motion\" srcdoc=\"");
        put_escaped(&r->page, scratch_read(&r->scratch, page).at);
        text_put(&r->page, "\"></iframe>\n");
    }
    put_heading(r, "The run",
                "With default settings, or those of the command line. Audit: the largest defect of "
                "the flat equations, as written, along the run, in tolerances, and the bound "
                "that it has to keep.");
    if (run.err.n)
        put_text(r, run.err.at);
    put_summary(r, run.out.at);
    put_picture(r, curves, "states and outputs over time");
    return run.status;
}

static void put_graph(Report *r, const char *what, const char *title, const char *text)
{
    const char *svg = scratch_path(&r->scratch, "graph.svg");
    Options o = forked_options(r->options);
    o.what = what;
    o.output = svg;
    o.quiet = true;
    unlink(svg);
    if (forked_command(&r->scratch, command_graph, &o).status != EXIT_GOOD ||
        access(svg, R_OK) != 0)
        return;
    put_heading(r, title, text);
    put_picture(r, svg, title);
}

static void put_dof(Report *r)
{
    Options o = forked_options(r->options);
    ScratchOutput s = forked_command(&r->scratch, command_dof, &o);
    if (s.status != EXIT_GOOD)
        return;
    put_heading(r, "Degrees of freedom",
                "In which ways the mechanism can move at the start, by the coordinates that move "
                "together; kinematic loops, where they are cut, which constraints are redundant.");
    put_text(r, s.out.at);
}

static void put_count(Report *r)
{
    Options o = forked_options(r->options);
    ScratchOutput s = forked_command(&r->scratch, command_count, &o);
    if (s.status != EXIT_GOOD)
        return;
    put_heading(r, "Orders of elimination",
                "The cost of each order, block by block; rung takes the cheapest that keeps the "
                "digits. Other tools use tearing.");
    put_text(r, s.out.at);
}

static const char style[] =
    ":root { color-scheme: light dark }\n"
    "body { margin: 0 auto; max-width: 1000px; padding: 1em; font: 15px/1.5 system-ui, sans-serif "
    "}\n"
    "pre { overflow: auto; font-size: 13px; line-height: 1.35; padding: 0.7em; border: 1px solid "
    "#8886; border-radius: 6px }\n"
    "img { display: block; width: 100%; height: auto; background: #fff; border-radius: 6px }\n"
    "iframe { width: 100%; height: 560px; border: 1px solid #8886; border-radius: 6px }\n"
    "table { border-collapse: collapse } td { padding: 1px 1.2em 1px 0 }\n";

/* EXIT_MODEL: the model has errors, which are printed, and there is no page. */
static Exit make(Report *r)
{
    Options o = forked_options(r->options);
    ScratchOutput check = forked_command(&r->scratch, command_check, &o);
    if (check.status != EXIT_GOOD) {
        fwrite(check.err.at, 1, check.err.n, stderr);
        return check.status;
    }
    char name[256] = "";
    sscanf(check.out.at, "%255[^\n]", name);
    r->page = text_new(r->mem);
    text_put(&r->page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>");
    put_escaped(&r->page, name);
    text_printf(&r->page, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
    put_escaped(&r->page, name);
    text_put(&r->page, "</h1>\n");
    put_text(r, check.out.at);
    if (check.err.n)
        put_text(r, check.err.at);
    Exit status = put_run(r);
    put_dof(r);
    put_count(r);
    put_graph(r, "ladder", "Body structures",
              "Of the largest linear block: the equations and unknowns of each body, and the body "
              "that carries it.");
    put_graph(r, "blt", "Equations in the order of evaluation",
              "Rows are equations, columns unknowns; a square is an algebraic loop.");
    text_printf(&r->page, "<p>Made by rung %s.</p>\n</body>\n</html>\n", RUNG_VERSION);
    return status;
}

/* Makes values of structural parameters modifiers of the model, so that all parts of the page are
 * of one model. A model with errors is left to `check`. False, after a message, if there is no
 * model.
 */
static bool set_structure(Options *o, Arena *mem)
{
    if (!o->set.n)
        return true;
    Request q = request_of(o);
    Compilation *c = compilation_open(&q, mem);
    if (!c)
        return false;
    Texts left;
    const char *model = NULL;
    const char *wrong = NULL;
    if (driver_run(c, driver_find("flatten")))
        wrong = setting_values_read_flat(c->sys, &o->set, &o->set, mem);
    if (wrong)
        fprintf(stderr, "rung: %s\n", wrong);
    else if (diags_errors(c->diags) == 0)
        model = structural_model_flat(c->sys, c->request.model, &o->set, &left, mem);
    if (model) {
        o->model = model;
        o->set = left;
    }
    compilation_free(c);
    return !wrong;
}

Exit command_report(const Options *given)
{
    if (!given->output) {
        fputs("rung: report needs -o M.html\n", stderr);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    Options own = *given;
    const Options *o = &own;
    Report r = {.options = o, .mem = mem};
    Exit status = EXIT_FILE;
    if (!set_structure(&own, mem)) {
        arena_free(mem);
        return EXIT_USAGE;
    }
    if (!scratch_open(&r.scratch, "report", mem)) {
        arena_free(mem);
        return status;
    }
    status = make(&r);
    if (r.page.n && output_write(o->output, r.page.at, r.page.n)) {
        if (!o->quiet && strcmp(o->output, "-") != 0)
            printf("report in %s\n", o->output);
        if (status == EXIT_RUN)
            fputs("rung: the run failed; the page shows where\n", stderr);
    } else if (r.page.n) {
        status = EXIT_FILE;
    }
    scratch_close(&r.scratch);
    arena_free(mem);
    return status;
}
