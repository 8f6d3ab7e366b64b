/* rung optimize: values of parameters, between bounds, for which an objective of a run is least. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "runtime/result/csv.h"
#include "runtime/result/result.h"
#include "study/input_file.h"
#include "study/optimize/by_nlopt.h"
#include "study/optimize/objectives.h"
#include "study/output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 17, MOST = 200 };
/* In parts of the range between the bounds; of the value in parts of the first one. */
static const double CLOSE = 1e-8, SMALL = 1e-15;

typedef struct Point {
    double value;
    const double *x; /* per parameter */
} Point;

typedef struct Optimize {
    const Options *given;
    RunRequest request; /* with the values of a run */
    Arena *mem;
    Objectives objectives;
    Simulation s;
    const InputData *input;
    uint32_t n, first_set; /* parameters; the first of request.set that is one of them */
    const char **name;
    double *low, *high, *start;
    uint32_t *place;                /* among the parameters of the objectives */
    bool *matters;                  /* some derivative by it was not 0 */
    double scale;                   /* of the value                           */
    double sign;                    /* -1: the largest is looked for */
    double *last_u, *last_gradient; /* of the last run: some algorithms ask twice */
    VEC(Point) history;
    uint32_t best;
    Exit status;
    const char *method;
} Optimize;

/* ---- what is asked for ---- */

static bool read_number(const char *begin, const char *end, double *out)
{
    char *stop;
    errno = 0;
    *out = strtod(begin, &stop);
    return stop == end && begin != end && isfinite(*out);
}

/* p=lo:hi */
static bool read_bounds(Optimize *w, const char *begin, const char *end)
{
    const char *equal = memchr(begin, '=', (size_t)(end - begin));
    const char *colon = equal ? memchr(equal, ':', (size_t)(end - equal)) : NULL;
    uint32_t k = w->n;
    if (!colon || equal == begin || !read_number(equal + 1, colon, &w->low[k]) ||
        !read_number(colon + 1, end, &w->high[k]) || !(w->low[k] < w->high[k])) {
        fprintf(stderr, "rung: --by '%.*s': 'p=lo:hi' is meant, two numbers, lo < hi\n",
                (int)(end - begin), begin);
        return false;
    }
    w->name[k] = arena_copy(w->mem, begin, (size_t)(equal - begin));
    for (uint32_t i = 0; i < k; i++)
        if (strcmp(w->name[i], w->name[k]) == 0) {
            fprintf(stderr, "rung: --by: '%s' twice\n", w->name[k]);
            return false;
        }
    if (strpbrk(w->name[k], "*?")) {
        fprintf(stderr, "rung: --by '%s': one parameter is meant\n", w->name[k]);
        return false;
    }
    size_t n = strlen(w->name[k]), m = strlen(".start");
    if (n > m && strcmp(w->name[k] + n - m, ".start") == 0) {
        fprintf(stderr,
                "rung: --by '%s': a start value is optimised by a parameter that gives it\n",
                w->name[k]);
        return false;
    }
    w->n++;
    return true;
}

static bool read_all_bounds(Optimize *w, const char *text)
{
    size_t most = strlen(text) + 1;
    w->name = arena_array(w->mem, const char *, most);
    w->low = arena_array(w->mem, double, most);
    w->high = arena_array(w->mem, double, most);
    for (const char *p = text; *p;) {
        const char *end = result_pattern_end(p);
        if (!read_bounds(w, p, end))
            return false;
        p = *end ? end + 1 : end;
    }
    w->start = arena_array(w->mem, double, w->n + 1);
    w->place = arena_array(w->mem, uint32_t, w->n + 1);
    return w->n > 0;
}

static const char *names(const Optimize *w)
{
    const char *all = "";
    for (uint32_t k = 0; k < w->n; k++)
        all = arena_printf(w->mem, "%s%s%s", all, k ? "," : "", w->name[k]);
    return all;
}

static bool usable(Optimize *w)
{
    const Options *o = w->given;
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
        fputs("rung: --runs wants a whole number from 1\n", stderr);
        return false;
    }
    w->objectives = objectives_read(o->objective, w->mem);
    if (w->objectives.each.n != 1) {
        fputs("rung: optimize takes one objective\n", stderr);
        return false;
    }
    return run_is_usable(o) && read_all_bounds(w, o->bounds);
}

/* ---- values of the model ---- */

/* The value of a parameter as the model and --set give it, at the first row of a run. */
typedef struct First {
    Optimize *w;
    const uint32_t *row;
} First;

static int take_start(void *user, const RungContext *ctx, double t, const double *x,
                      const double *v)
{
    const First *f = user;
    for (uint32_t k = 0; k < f->w->n; k++)
        f->w->start[k] = rung_value(ctx, f->row[k], t, x, v);
    return 1; // that is all
}

static bool find_start(Optimize *w)
{
    const RungModel *m = w->s.build.model;
    uint32_t *row = arena_array(w->mem, uint32_t, w->n + 1);
    for (uint32_t k = 0; k < w->n; k++)
        for (uint32_t i = 0; i < m->n_variables; i++)
            if (strcmp(rung_name(m, i), w->name[k]) == 0)
                row[k] = i;
    First first = {w, row};
    SimulateOptions so = simulation_options(&w->s);
    SimulateSummary summary;
    so.input = w->input;
    so.progress = PROGRESS_NONE;
    so.row = take_start;
    so.user = &first;
    for (uint32_t k = 0; k < w->n; k++)
        w->start[k] = NAN;
    simulate(m, &so, &summary);
    for (uint32_t k = 0; k < w->n; k++) {
        if (isnan(w->start[k])) {
            fprintf(stderr, "rung: %s\n", summary.error);
            w->status = EXIT_RUN;
            return false;
        }
        if (!(w->start[k] >= w->low[k] && w->start[k] <= w->high[k])) {
            fprintf(stderr,
                    "rung: '%s' is %.9g, where the search begins, which is not between %.9g and "
                    "%.9g; --set gives it another value\n",
                    w->name[k], w->start[k], w->low[k], w->high[k]);
            w->status = EXIT_MODEL;
            return false;
        }
    }
    return true;
}

/* Where the derivatives by the parameters are. */
static bool find_places(Optimize *w)
{
    const Objectives *g = &w->objectives;
    for (uint32_t k = 0; k < w->n; k++) {
        uint32_t at = 0;
        while (at < g->n_parameters && strcmp(g->parameter[at], w->name[k]) != 0)
            at++;
        w->place[k] = at;
        if (at < g->n_parameters)
            continue;
        fprintf(stderr, "rung: '%s' does not depend on '%s'\n", g->each.at[0].text, w->name[k]);
        return false;
    }
    return true;
}

/* ---- the search ---- */

static void print_row(const Optimize *w, const Point *p)
{
    printf("%5u %15.8g", w->history.n, p->value);
    for (uint32_t k = 0; k < w->n; k++)
        printf(" %15.8g", p->x[k]);
    putchar('\n');
    fflush(stdout);
}

static bool is_better(const Optimize *w, double a, double b)
{
    return w->sign * a < w->sign * b;
}

/* Of the last run. u: 0 at the lower bound, 1 at the upper one. */
static double value_again(const Optimize *w, double *gradient)
{
    if (gradient)
        memcpy(gradient, w->last_gradient, w->n * sizeof *gradient);
    return w->sign * w->scale * w->history.at[w->history.n - 1].value;
}

static double value(void *user, const double *u, double *gradient, bool *stop)
{
    Optimize *w = user;
    if (w->history.n && !memcmp(u, w->last_u, w->n * sizeof *u))
        return value_again(w, gradient);
    double *x = arena_array(w->mem, double, w->n + 1);
    for (uint32_t k = 0; k < w->n; k++) {
        x[k] = fmin(fmax(w->low[k] + u[k] * (w->high[k] - w->low[k]), w->low[k]), w->high[k]);
        w->request.set.at[w->first_set + k] = arena_printf(w->mem, "%s=%.17g", w->name[k], x[k]);
    }
    SimulateOptions so = simulation_options(&w->s);
    SimulateSummary summary;
    so.input = w->input;
    so.progress = PROGRESS_NONE;
    w->status = objectives_run(&w->objectives, w->s.build.model, so, &summary);
    w->method = summary.method;
    const Objective *it = &w->objectives.each.at[0];
    if (w->status == EXIT_GOOD && !isfinite(it->value)) {
        fprintf(stderr, "rung: '%s' is not finite\n", it->text);
        w->status = EXIT_RUN;
    }
    if (w->status != EXIT_GOOD) {
        fputs("rung: this was the run with", stderr);
        for (uint32_t k = 0; k < w->n; k++)
            fprintf(stderr, "%s %s = %.9g", k ? "," : "", w->name[k], x[k]);
        fputc('\n', stderr);
        *stop = true;
        return 0;
    }
    Point p = {it->value, x};
    vec_push(w->mem, w->history, p);
    if (w->history.n == 1)
        w->scale = p.value != 0 ? 1 / fabs(p.value) : 1;
    if (is_better(w, p.value, w->history.at[w->best].value))
        w->best = w->history.n - 1;
    if (!w->given->quiet && !options_want_json(w->given))
        print_row(w, &p);
    memcpy(w->last_u, u, w->n * sizeof *u);
    for (uint32_t k = 0; k < w->n; k++) {
        w->matters[k] = w->matters[k] || it->gradient[w->place[k]] != 0;
        w->last_gradient[k] =
            w->sign * w->scale * it->gradient[w->place[k]] * (w->high[k] - w->low[k]);
    }
    return value_again(w, gradient);
}

/* ---- the result ---- */

static const char *shortest(const Optimize *w, double x)
{
    char text[32];
    size_t n = csv_number(x, text);
    return arena_copy(w->mem, text, n);
}

/* M(m=1, arm.d=2); where a name has an index, which a modification may not (MLS A.2.5), or the
 * model is modified already, the options of a run that say it. */
static const char *modification(const Optimize *w)
{
    const double *x = w->history.at[w->best].x;
    const char *model = w->s.request.translation.model, *all = "";
    bool is_plain = !strchr(model, '(');
    for (uint32_t k = 0; k < w->n; k++)
        is_plain = is_plain && !strpbrk(w->name[k], "['");
    for (uint32_t k = 0; k < w->n; k++)
        all = arena_printf(w->mem, is_plain ? "%s%s%s=%s" : "%s%s'%s=%s'", all,
                           is_plain ? (k ? ", " : "") : " --set ", w->name[k], shortest(w, x[k]));
    return is_plain ? arena_printf(w->mem, "%s(%s)", model, all) : all + 1;
}

static const char *const endings[] = {
    [MINIMUM_FOUND] = "parameters, or the value, change no more",
    [MINIMUM_ROUNDING] = "no better value is seen among the last digits",
    [MINIMUM_MOST] = "not converged: as many runs as there may be",
    [MINIMUM_STOPPED] = "stopped",
    [MINIMUM_FAILED] = "the algorithm finds no further step",
};

static const char *side_of(const Optimize *w, uint32_t k, double x)
{
    double range = CLOSE * (w->high[k] - w->low[k]);
    return x - w->low[k] <= range    ? ", its lower bound"
           : w->high[k] - x <= range ? ", its upper bound"
                                     : NULL;
}

static void print(const Optimize *w, const char *algorithm, MinimumStatus status)
{
    const Point *p = &w->history.at[w->best];
    printf("%s = %.10g after %u run%s, by %s: %s\n", w->objectives.each.at[0].text, p->value,
           w->history.n, w->history.n > 1 ? "s" : "", algorithm, endings[status]);
    for (uint32_t k = 0; k < w->n; k++) {
        const char *side = side_of(w, k, p->x[k]);
        const char *remark = !w->matters[k] ? ", which changes nothing" : side ? side : "";
        printf("  %s = %.10g%s\n", w->name[k], p->x[k], remark);
    }
    printf("%s\n", modification(w));
}

static void print_json(const Optimize *w, const char *algorithm, MinimumStatus status)
{
    const Point *best = &w->history.at[w->best];
    Text text = text_new(w->mem);
    Json j = json_new(&text);
    json_object(&j, NULL);
    json_text(&j, "model", w->s.request.translation.model);
    json_text(&j, "objective", w->objectives.each.at[0].text);
    json_text(&j, "algorithm", algorithm);
    json_text(&j, "method", w->method);
    json_text(&j, "ending", endings[status]);
    json_number(&j, "value", best->value, DIGITS);
    json_object(&j, "parameters");
    for (uint32_t k = 0; k < w->n; k++)
        json_number(&j, w->name[k], best->x[k], DIGITS);
    json_close(&j);
    json_text(&j, "modification", modification(w));
    json_array(&j, "history");
    for (uint32_t i = 0; i < w->history.n; i++) {
        json_object(&j, NULL);
        json_number(&j, "value", w->history.at[i].value, DIGITS);
        json_object(&j, "parameters");
        for (uint32_t k = 0; k < w->n; k++)
            json_number(&j, w->name[k], w->history.at[i].x[k], DIGITS);
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    puts(text.at);
}

/* The history as CSV: run, value, parameters. */
static bool write_history(const Optimize *w)
{
    Output out;
    if (!w->given->output)
        return true;
    if (!output_open(&out, w->given->output))
        return false;
    fprintf(out.file, "\"run\",\"%s\"", w->objectives.each.at[0].text);
    for (uint32_t k = 0; k < w->n; k++)
        fprintf(out.file, ",\"%s\"", w->name[k]);
    fputc('\n', out.file);
    for (uint32_t i = 0; i < w->history.n; i++) {
        fprintf(out.file, "%u,%s", i + 1, shortest(w, w->history.at[i].value));
        for (uint32_t k = 0; k < w->n; k++)
            fprintf(out.file, ",%s", shortest(w, w->history.at[i].x[k]));
        fputc('\n', out.file);
    }
    return output_close(&out);
}

static Exit search(Optimize *w)
{
    const Options *o = w->given;
    const char *algorithm = o->algorithm ? o->algorithm : "slsqp";
    if (!objectives_find(&w->objectives, w->s.build.model) || !find_places(w))
        return EXIT_MODEL;
    if (o->input &&
        !(w->input = input_file_read(&w->request, w->s.build.model, w->mem, &w->status)))
        return w->status;
    if (!find_start(w))
        return w->status;
    w->matters = arena_array(w->mem, bool, w->n + 1);
    w->last_u = arena_array(w->mem, double, w->n + 1);
    w->last_gradient = arena_array(w->mem, double, w->n + 1);
    double *u = arena_array(w->mem, double, w->n + 1);
    double *zero = arena_array(w->mem, double, w->n + 1);
    double *one = arena_array(w->mem, double, w->n + 1);
    for (uint32_t k = 0; k < w->n; k++) {
        one[k] = 1;
        u[k] = (w->start[k] - w->low[k]) / (w->high[k] - w->low[k]);
        vec_push(w->mem, w->request.set, "");
    }
    w->first_set = w->request.set.n - w->n;
    w->s.request.set = w->request.set;
    if (!o->quiet && !options_want_json(o)) {
        printf("%5s %15s", "run", w->objectives.each.at[0].text);
        for (uint32_t k = 0; k < w->n; k++)
            printf(" %15s", w->name[k]);
        putchar('\n');
    }
    Minimum m = {.n = w->n,
                 .low = zero,
                 .high = one,
                 .x = u,
                 .x_tolerance = CLOSE,
                 .f_tolerance = SMALL,
                 .most = isnan(o->runs) ? MOST : (int)o->runs,
                 .value = value,
                 .user = w};
    w->status = EXIT_GOOD;
    MinimumStatus status = nlopt_minimum(algorithm, &m);
    if (w->history.n) {
        if (options_want_json(o))
            print_json(w, algorithm, status);
        else
            print(w, algorithm, status);
        if (!write_history(w))
            return EXIT_FILE;
    }
    if (w->status != EXIT_GOOD)
        return w->status;
    return status == MINIMUM_FOUND || status == MINIMUM_ROUNDING ? EXIT_GOOD : EXIT_RUN;
}

Exit command_optimize(const Options *given)
{
    Arena *mem = arena_new();
    Optimize w = {.given = given, .mem = mem, .sign = given->maximise ? -1 : 1};
    Exit status = EXIT_USAGE;
    if (!usable(&w)) {
        arena_free(mem);
        return status;
    }
    if (!nlopt_is_there()) {
        fputs("rung: optimize searches by NLopt (libnlopt0), which cannot be loaded, or was not "
              "there when rung was built (libnlopt-dev)\n",
              stderr);
        arena_free(mem);
        return EXIT_FILE;
    }
    w.request = run_request_of(given);
    w.request.set = (Texts){0};
    for (uint32_t k = 0; k < given->set.n; k++)
        vec_push(mem, w.request.set, given->set.at[k]);
    w.request.translation.sensitivity_by = names(&w);
    w.request.translation.sensitivity_of = objectives_variables(&w.objectives);
    status = simulation_open(&w.s, &w.request, false, (BuildOptions){0}, mem);
    if (status == EXIT_GOOD)
        status = search(&w);
    simulation_free(&w.s);
    arena_free(mem);
    return status;
}
