/* rung optimize: values of parameters, between bounds, for which an objective of a run is least. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "runtime/result/csv.h"
#include "runtime/result/result.h"
#include "study/optimize/optimum.h"
#include "study/output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 17, MOST = 200 };

typedef struct Report {
    const Options *o;
    Arena *mem;
    Bound *bound;
    uint32_t n;
    Optimum best;
} Report;

/* ---- the request ---- */

static bool read_number(const char *begin, const char *end, double *out)
{
    char *stop;
    errno = 0;
    *out = strtod(begin, &stop);
    return stop == end && begin != end && isfinite(*out);
}

/* p=lo:hi */
static bool read_bounds(Report *w, const char *begin, const char *end)
{
    const char *equal = memchr(begin, '=', (size_t)(end - begin));
    const char *colon = equal ? memchr(equal, ':', (size_t)(end - equal)) : NULL;
    uint32_t k = w->n;
    if (!colon || equal == begin || !read_number(equal + 1, colon, &w->bound[k].low) ||
        !read_number(colon + 1, end, &w->bound[k].high) || !(w->bound[k].low < w->bound[k].high)) {
        fprintf(stderr, "rung: --by '%.*s': 'p=lo:hi' is meant, two numbers, lo < hi\n",
                (int)(end - begin), begin);
        return false;
    }
    w->bound[k].name = arena_copy(w->mem, begin, (size_t)(equal - begin));
    for (uint32_t i = 0; i < k; i++)
        if (strcmp(w->bound[i].name, w->bound[k].name) == 0) {
            fprintf(stderr, "rung: --by: '%s' twice\n", w->bound[k].name);
            return false;
        }
    if (strpbrk(w->bound[k].name, "*?")) {
        fprintf(stderr, "rung: --by '%s': one parameter is meant\n", w->bound[k].name);
        return false;
    }
    size_t n = strlen(w->bound[k].name), m = strlen(".start");
    if (n > m && strcmp(w->bound[k].name + n - m, ".start") == 0) {
        fprintf(stderr,
                "rung: --by '%s': a start value is optimised by a parameter that gives it\n",
                w->bound[k].name);
        return false;
    }
    w->n++;
    return true;
}

static bool read_all_bounds(Report *w, const char *text)
{
    size_t most = strlen(text) + 1;
    w->bound = arena_array(w->mem, Bound, most);
    for (const char *p = text; *p;) {
        const char *end = result_pattern_end(p);
        if (!read_bounds(w, p, end))
            return false;
        p = *end ? end + 1 : end;
    }
    return w->n > 0;
}

static bool usable(Report *w)
{
    const Options *o = w->o;
    const char *algorithms = o->algorithm ? nlopt_names_unless(o->algorithm) : NULL;
    if (!o->objective || !o->bounds) {
        fputs("rung: optimize needs --objective 'y' and --by 'p=lo:hi'\n", stderr);
        return false;
    }
    if (algorithms) {
        fprintf(stderr, "rung: no algorithm '%s'; there are %s\n", o->algorithm, algorithms);
        return false;
    }
    if (!isnan(o->runs) && !(o->runs >= 1 && o->runs <= 1e6 && o->runs == floor(o->runs))) {
        fputs("rung: --runs needs a whole number from 1\n", stderr);
        return false;
    }
    return run_is_usable(o) && read_all_bounds(w, o->bounds);
}

/* ---- while it searches ---- */

static void show_run(void *user, const Optimum *so_far)
{
    const Report *w = user;
    uint32_t n = so_far->history.n;
    if (!n) {
        printf("%5s %15s", "run", so_far->objectives.each.at[0].text);
        for (uint32_t k = 0; k < w->n; k++)
            printf(" %15s", w->bound[k].name);
        putchar('\n');
        return;
    }
    const OptimumPoint *p = &so_far->history.at[n - 1];
    printf("%5u %15.8g", n, p->value);
    for (uint32_t k = 0; k < w->n; k++)
        printf(" %15.8g", p->x[k]);
    putchar('\n');
    fflush(stdout);
}

/* ---- the result ---- */

static const char *shortest(const Report *w, double x)
{
    char text[32];
    size_t n = csv_number(x, text);
    return arena_copy(w->mem, text, n);
}

/* M(m=1, arm.d=2); if a name has an index, which a modification cannot have (MLS A.2.5), or the
 * model has modifiers already, the equivalent options of a run. */
static const char *modification(const Report *w)
{
    const double *x = w->best.history.at[w->best.best].x;
    const char *model = w->best.model, *all = "";
    bool is_plain = !strchr(model, '(');
    for (uint32_t k = 0; k < w->n; k++)
        is_plain = is_plain && !strpbrk(w->bound[k].name, "['");
    for (uint32_t k = 0; k < w->n; k++)
        all = arena_printf(w->mem, is_plain ? "%s%s%s=%s" : "%s%s'%s=%s'", all,
                           is_plain ? (k ? ", " : "") : " --set ", w->bound[k].name,
                           shortest(w, x[k]));
    return is_plain ? arena_printf(w->mem, "%s(%s)", model, all) : all + 1;
}

static const char *const endings[] = {
    [MINIMUM_FOUND] = "parameters, or the value, change no more",
    [MINIMUM_ROUNDING] = "no better value is seen among the last digits",
    [MINIMUM_MOST] = "not converged: as many runs as there may be",
    [MINIMUM_STOPPED] = "stopped",
    [MINIMUM_FAILED] = "the algorithm finds no further step",
};

static const char *side_of(const Report *w, uint32_t k, double x)
{
    double range = OPTIMUM_CLOSE * (w->bound[k].high - w->bound[k].low);
    return x - w->bound[k].low <= range    ? ", its lower bound"
           : w->bound[k].high - x <= range ? ", its upper bound"
                                           : NULL;
}

static void print(const Report *w)
{
    const OptimumPoint *p = &w->best.history.at[w->best.best];
    printf("%s = %.10g after %u run%s, by %s: %s\n", w->best.objectives.each.at[0].text, p->value,
           w->best.history.n, w->best.history.n > 1 ? "s" : "", w->best.algorithm,
           endings[w->best.ending]);
    for (uint32_t k = 0; k < w->n; k++) {
        const char *side = side_of(w, k, p->x[k]);
        const char *remark = !w->best.matters[k] ? ", which changes nothing" : side ? side : "";
        printf("  %s = %.10g%s\n", w->bound[k].name, p->x[k], remark);
    }
    printf("%s\n", modification(w));
}

static void print_json(const Report *w)
{
    const OptimumPoint *best = &w->best.history.at[w->best.best];
    Text text = text_new(w->mem);
    Json j = json_new(&text);
    json_object(&j, NULL);
    json_text(&j, "model", w->best.model);
    json_text(&j, "objective", w->best.objectives.each.at[0].text);
    json_text(&j, "algorithm", w->best.algorithm);
    json_text(&j, "method", w->best.method);
    json_text(&j, "mode", w->best.objectives.back ? "adjoint" : "direct");
    json_text(&j, "ending", endings[w->best.ending]);
    json_number(&j, "value", best->value, DIGITS);
    json_object(&j, "parameters");
    for (uint32_t k = 0; k < w->n; k++)
        json_number(&j, w->bound[k].name, best->x[k], DIGITS);
    json_close(&j);
    json_text(&j, "modification", modification(w));
    json_array(&j, "history");
    for (uint32_t i = 0; i < w->best.history.n; i++) {
        json_object(&j, NULL);
        json_number(&j, "value", w->best.history.at[i].value, DIGITS);
        json_object(&j, "parameters");
        for (uint32_t k = 0; k < w->n; k++)
            json_number(&j, w->bound[k].name, w->best.history.at[i].x[k], DIGITS);
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    puts(text.at);
}

/* The history as CSV: run, value, parameters. */
static bool write_history(const Report *w)
{
    Output out;
    if (!w->o->output)
        return true;
    if (!output_open(&out, w->o->output))
        return false;
    fprintf(out.file, "\"run\",\"%s\"", w->best.objectives.each.at[0].text);
    for (uint32_t k = 0; k < w->n; k++)
        fprintf(out.file, ",\"%s\"", w->bound[k].name);
    fputc('\n', out.file);
    for (uint32_t i = 0; i < w->best.history.n; i++) {
        fprintf(out.file, "%u,%s", i + 1, shortest(w, w->best.history.at[i].value));
        for (uint32_t k = 0; k < w->n; k++)
            fprintf(out.file, ",%s", shortest(w, w->best.history.at[i].x[k]));
        fputc('\n', out.file);
    }
    return output_close(&out);
}

Exit command_optimize(const Options *o)
{
    Arena *mem = arena_new();
    Report w = {.o = o, .mem = mem};
    Exit status = EXIT_USAGE;
    if (usable(&w)) {
        OptimizeRequest r = {
            .run = run_request_of(o),
            .objective = o->objective,
            .n = w.n,
            .bound = w.bound,
            .algorithm = o->algorithm,
            .mode = gradient_mode_of(o),
            .is_maximum = o->maximise,
            .most = isnan(o->runs) ? MOST : (int)o->runs,
            .report = o->quiet || options_want_json(o) ? NULL : show_run,
            .user = &w,
        };
        status = optimize(&r, &w.best, mem);
    }
    if (w.best.history.n) {
        if (options_want_json(o))
            print_json(&w);
        else
            print(&w);
        if (!write_history(&w))
            status = EXIT_FILE;
    }
    arena_free(mem);
    return status;
}
