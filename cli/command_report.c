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

/* A part that is folded until it is asked for. */
static void open_fold(Report *r, const char *title, const char *what)
{
    text_printf(&r->page, "<details>\n<summary>%s</summary>\n<p>", title);
    put_escaped(&r->page, what);
    text_put(&r->page, "</p>\n");
}

static void close_fold(Report *r)
{
    text_put(&r->page, "</details>\n");
}

static void put_text(Report *r, const char *text)
{
    text_put(&r->page, "<pre>");
    put_escaped(&r->page, text);
    text_put(&r->page, "</pre>\n");
}

/* Messages for somebody at another machine: files by their names, without directories. */
static void put_messages(Report *r, const char *text)
{
    Text t = text_new(r->mem);
    for (const char *at = text; *at;) {
        bool begins = at == text || strchr(" \n('", at[-1]);
        size_t n = begins && *at == '/' ? strcspn(at, ": \n,;')") : 0;
        if ((at == text || at[-1] == '\n') && strncmp(at, "rung: ", 6) == 0) {
            at += 6;
            continue;
        }
        const char *name = at + n;
        while (n && name > at && name[-1] != '/')
            name--;
        text_put_n(&t, n ? name : at, n ? (size_t)(at + n - name) : 1);
        at += n ? n : 1;
    }
    put_text(r, t.n ? t.at : "");
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

/* ---- headline figures ---- */

/* A headline figure, its name, and a remark or "". */
static void put_figure(Report *r, const char *figure, const char *name, const char *remark)
{
    text_put(&r->page, "<div><b>");
    put_escaped(&r->page, figure);
    text_put(&r->page, "</b> ");
    put_escaped(&r->page, name);
    if (*remark) {
        text_put(&r->page, "<small>");
        put_escaped(&r->page, remark);
        text_put(&r->page, "</small>");
    }
    text_put(&r->page, "</div>\n");
}

/* The number that stands before a word in the output of a command, as text; NULL: none. */
static const char *number_before(Report *r, const char *text, const char *word)
{
    const char *at = text ? strstr(text, word) : NULL;
    const char *begin = at;
    while (begin && begin > text && begin[-1] >= '0' && begin[-1] <= '9')
        begin--;
    return begin && begin < at ? arena_copy(r->mem, begin, (size_t)(at - begin)) : NULL;
}

/* The row of the order that is taken among the totals of `rung count`: its name and its sum. */
static bool taken_total(const char *count, char name[32], unsigned *sum)
{
    const char *row = count ? strstr(count, "\ntotals") : NULL;
    unsigned add, mul, div, call;
    while (row && (row = strchr(row, '\n'))) {
        const char *end = strchr(++row, '\n'), *taken = strstr(row, "<- taken");
        if (taken && (!end || taken < end))
            return sscanf(row, " %31s %u %u %u %u %u", name, &add, &mul, &div, &call, sum) == 6;
    }
    return false;
}

static double number_in(const cJSON *object, const char *name)
{
    const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(v) ? v->valuedouble : 0;
}

static const char *text_in(const cJSON *object, const char *name)
{
    const char *s = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return s ? s : "";
}

static void put_figures(Report *r, const char *check, const char *dof, const char *count,
                        const cJSON *run)
{
    text_put(&r->page, "<div class=\"figures\">\n");
    const char *equations = number_before(r, check, " equations"),
               *states = number_before(r, check, " states"),
               *free = number_before(r, dof, " degree");
    if (!states)
        states = number_before(r, check, " state");
    if (equations)
        put_figure(r, equations, "equations", "");
    if (states)
        put_figure(r, states, strcmp(states, "1") == 0 ? "state" : "states", "");
    if (free)
        put_figure(r, free, strcmp(free, "1") == 0 ? "degree of freedom" : "degrees of freedom",
                   "at the start");
    char order[32];
    unsigned sum;
    if (taken_total(count, order, &sum))
        put_figure(r, arena_printf(r->mem, "%u", sum), "operations",
                   arena_printf(r->mem, "for the derivatives, order: %s", order));
    if (run) {
        double stop = number_in(run, "stop"), reached = number_in(run, "reached");
        put_figure(
            r, arena_printf(r->mem, "%.6g s", reached - number_in(run, "start")), "simulated",
            reached < stop ? arena_printf(r->mem, "of %.6g s: the run ended before", stop) : "");
        const char *later = text_in(run, "later_method"), *method = text_in(run, "method");
        put_figure(r, arena_printf(r->mem, "%.0f", number_in(run, "steps")), "steps",
                   *later ? arena_printf(r->mem, "%s, later %s", method, later) : method);
        const cJSON *audit = cJSON_GetObjectItemCaseSensitive(run, "audit");
        if (audit)
            put_figure(r, arena_printf(r->mem, "%.2g", number_in(audit, "worst")),
                       "tolerances off at most",
                       arena_printf(r->mem, "audit of all equations, bound %.3g: %s",
                                    number_in(audit, "bound"),
                                    number_in(audit, "violated") > 0 ? "violated" : "kept"));
    }
    text_put(&r->page, "</div>\n");
}

/* ---- the parts ---- */

/* Members of the summary of a run, in its order, by the words of the page. What is left out here
 * is a headline figure or differs from run to run. */
static const struct {
    const char *key, *inside, *words;
} rows[] = {
    {"method", NULL, "method"},
    {"later_method", NULL, "method later on"},
    {"later_from", NULL, "from, in s"},
    {"method_changes", NULL, "changes of the method"},
    {"start", NULL, "start, in s"},
    {"stop", NULL, "stop, in s"},
    {"reached", NULL, "reached, in s"},
    {"tolerance", NULL, "tolerance"},
    {"interval", NULL, "interval of rows, in s"},
    {"rows", NULL, "rows"},
    {"steps", NULL, "steps"},
    {"rejected", NULL, "steps rejected"},
    {"evaluations", NULL, "evaluations of the derivatives"},
    {"jacobians", NULL, "Jacobians by differences"},
    {"factorisations", NULL, "factorisations"},
    {"iterations", NULL, "Newton iterations"},
    {"events", NULL, "events"},
    {"event_values", NULL, "values found at events"},
    {"fallbacks", NULL, "evaluations by the fallback"},
    {"residuals", "phi", "largest residual of closed loops, positions"},
    {"residuals", "phi_dot", "largest residual of closed loops, velocities"},
    {"residuals", "balance", "largest residual of conserved quantities"},
    {"audit", "worst", "audit, largest defect in tolerances"},
    {"audit", "bound", "audit, bound"},
    {"audit", "violated", "audit, equations that violate it"},
};

static void put_summary(Report *r, const cJSON *all)
{
    text_put(&r->page, "<table>\n");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const cJSON *v = cJSON_GetObjectItemCaseSensitive(all, rows[k].key);
        v = rows[k].inside ? cJSON_GetObjectItemCaseSensitive(v, rows[k].inside) : v;
        if (!cJSON_IsString(v) && !cJSON_IsNumber(v))
            continue;
        text_printf(&r->page, "<tr><td>%s</td><td>", rows[k].words);
        if (cJSON_IsString(v))
            put_escaped(&r->page, v->valuestring);
        else
            text_printf(&r->page, "%.9g", v->valuedouble);
        text_put(&r->page, "</td></tr>\n");
    }
    text_put(&r->page, "</table>\n");
}

/* Runs the model; its result and curves are in the scratch directory. */
static ScratchOutput run_model(Report *r)
{
    Options o = forked_options(r->options);
    o.output = scratch_path(&r->scratch, "R.mat");
    o.plot = scratch_path(&r->scratch, "R.svg");
    o.format = "json";
    return forked_command(&r->scratch, command_simulate, &o);
}

static void put_motion(Report *r)
{
    const char *result = scratch_path(&r->scratch, "R.mat"),
               *page = scratch_path(&r->scratch, "view.html");
    Options v = forked_options(r->options);
    v.files = (Texts){.at = &result, .n = 1};
    v.model = NULL;
    v.output = page;
    v.quiet = true;
    bool is_seen = access(geometry_path(result, r->mem), R_OK) == 0 &&
                   forked_command(&r->scratch, command_view, &v).status == EXIT_GOOD;
    if (!is_seen)
        return;
    put_heading(r, "In motion", "Drag turns, the wheel zooms, space plays and stops.");
    text_put(&r->page, "<iframe title=\"the mechanism in motion\" srcdoc=\"");
    put_escaped(&r->page, scratch_read(&r->scratch, page).at);
    text_put(&r->page, "\"></iframe>\n");
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
    open_fold(r, title, text);
    put_picture(r, svg, title);
    close_fold(r);
}

static void put_output(Report *r, const ScratchOutput *s, const char *title, const char *what)
{
    if (s->status != EXIT_GOOD)
        return;
    open_fold(r, title, what);
    put_messages(r, s->out.at);
    close_fold(r);
}

static const char style[] =
    ":root { color-scheme: light dark }\n"
    "body { margin: 0 auto; max-width: 1000px; padding: 1em; font: 15px/1.5 system-ui, sans-serif "
    "}\n"
    "pre { overflow: auto; font-size: 13px; line-height: 1.35; padding: 0.7em; border: 1px solid "
    "#8886; border-radius: 6px }\n"
    "img { display: block; width: 100%; height: auto; background: #fff; border-radius: 6px }\n"
    "iframe { width: 100%; height: 560px; border: 1px solid #8886; border-radius: 6px }\n"
    "table { border-collapse: collapse } td { padding: 1px 1.2em 1px 0 }\n"
    ".figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(11em, 1fr)); gap: "
    "0.7em; margin: 1em 0 }\n"
    ".figures div { padding: 0.6em 0.9em; border: 1px solid #8886; border-radius: "
    "6px }\n"
    ".figures b { display: block; font-size: 1.5em } .figures small { display: block; opacity: "
    "0.7 }\n"
    "details { margin: 0.7em 0; padding: 0.5em 0.9em; border: 1px solid #8886; border-radius: 6px "
    "}\n"
    "summary { cursor: pointer; font-weight: 600 }\n";

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
    ScratchOutput run = run_model(r);
    Options plain = forked_options(r->options);
    ScratchOutput dof = forked_command(&r->scratch, command_dof, &plain),
                  count = forked_command(&r->scratch, command_count, &plain);
    cJSON *summary = cJSON_Parse(run.out.at ? run.out.at : "");
    put_figures(r, check.out.at, dof.status == EXIT_GOOD ? dof.out.at : NULL,
                count.status == EXIT_GOOD ? count.out.at : NULL, summary);
    if (check.err.n)
        put_messages(r, check.err.at);
    // a run repeats the messages of the check
    const char *said = run.err.n ? run.err.at : "",
               *again = check.err.n ? strstr(said, check.err.at) : NULL;
    said = again ? again + check.err.n : said;
    if (*said && run.status != EXIT_GOOD)
        put_messages(r, said);
    put_motion(r);
    put_heading(r, "Curves", "States and outputs over time.");
    if (*said && run.status == EXIT_GOOD)
        put_messages(r, said);
    put_picture(r, scratch_path(&r->scratch, "R.svg"), "states and outputs over time");
    text_put(&r->page, "<h2>Details</h2>\n");
    open_fold(
        r, "The run",
        "With default settings, or those of the command line. Audit: the largest defect of the "
        "flat equations, as written, along the run, in tolerances, and the bound that it has "
        "to keep.");
    put_summary(r, summary);
    close_fold(r);
    open_fold(r, "The model", "Of the flat model, and of its equations after simplification.");
    put_text(r, check.out.at);
    close_fold(r);
    put_output(r, &dof, "Degrees of freedom",
               "In which ways the mechanism can move at the start, by the coordinates that move "
               "together; kinematic loops, where they are cut, which constraints are redundant.");
    put_output(r, &count, "Orders of elimination",
               "The cost of each order, block by block; rung takes the cheapest that keeps the "
               "digits. Other tools use tearing.");
    put_graph(r, "ladder", "Body structures",
              "Of the largest linear block: the equations and unknowns of each body, and the body "
              "that carries it.");
    put_graph(r, "blt", "Equations in the order of evaluation",
              "Rows are equations, columns unknowns; a square is an algebraic loop.");
    cJSON_Delete(summary);
    text_printf(&r->page, "<p>Made by rung %s.</p>\n</body>\n</html>\n", RUNG_VERSION);
    return run.status;
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
