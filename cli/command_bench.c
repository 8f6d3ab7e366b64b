/* rung bench: translate, compile, and measure how long an evaluation of the model takes.
 *
 * Measured is at states near the start of a run, a different one each time, so that neither a
 * nonlinear block starts from its solution nor a constant is predicted. Of many batches the
 * fastest counts: what disturbs a measurement makes it longer, never shorter.
 */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "eliminate/forms/newton_order.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "emit/model/build.h"
#include "runtime/run/simulate.h"
#include "study/measure/bench.h"
#include "translate/driver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    BENCH_NODES = 100000, /* of the expressions of a Jacobian, at most */
    BATCHES = 400,        /* per measurement, at most                     */
    MIN_BATCHES = 5,      /* also where one evaluation is long            */
};
static const double BATCH_SECONDS = 1e-3, TOTAL_SECONDS = 0.4;

/* What the command line asks for. NULL: everything there is. */
typedef struct Wanted {
    const char *what;     /* a list                           */
    const char *jacobian; /* one of its variants, or "all" */
    bool csv, json;
    const char *model;
    bool alone; /* one instance at a time */
    uint32_t n_lanes, lanes[MOST_LANES];
} Wanted;

typedef struct Timing {
    double best, median; /* ns per evaluation */
} Timing;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds for n evaluations; negative if one fails. */
static double run_batch(Bench *b, BenchEvaluate evaluate, uint64_t n)
{
    int status = 0;
    double begun = now();
    for (uint64_t k = 0; k < n; k++)
        status |= evaluate(b, b->turn++ % BENCH_STATES);
    double seconds = now() - begun;
    return status ? -1 : seconds;
}

static bool measure(Bench *b, BenchEvaluate evaluate, Timing *out)
{
    /* as many evaluations as make a batch long against the clock, but no more: what disturbs takes
     * its time by milliseconds. All code is warm by then */
    uint64_t n = 1;
    double seconds;
    while ((seconds = run_batch(b, evaluate, n)) >= 0 && seconds < BATCH_SECONDS)
        n *= 2;
    double batch[BATCHES], total = 0;
    int batches = 0;
    while (seconds >= 0 && batches < BATCHES && (total < TOTAL_SECONDS || batches < MIN_BATCHES)) {
        seconds = run_batch(b, evaluate, n);
        total += seconds;
        batch[batches++] = 1e9 * seconds / (double)n;
    }
    if (seconds < 0)
        return false;
    qsort(batch, (size_t)batches, sizeof *batch, by_value);
    *out = (Timing){batch[0], batch[batches / 2]};
    return true;
}

/* Whether the list a,b,c has the word. NULL has every word. */
static bool lists(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *c = list; c; c = strchr(c, ',')) {
        c += *c == ',';
        if (strncmp(c, word, n) == 0 && (c[n] == 0 || c[n] == ','))
            return true;
    }
    return !list;
}

/* Every word of the list is something that can be measured. */
static bool what_known(const char *list)
{
    for (const char *c = list; c;) {
        size_t n = strcspn(c, ",");
        bool known = false;
        for (uint32_t k = 0; k < bench_n_tasks; k++)
            known |= strlen(bench_task[k].what) == n && !strncmp(bench_task[k].what, c, n);
        if (!known) {
            fprintf(stderr,
                    "rung: --what does not know '%.*s'; it takes xdot, residual, jacobian, "
                    "extended, newton, step\n",
                    (int)n, c);
            return false;
        }
        c = c[n] ? c + n + 1 : NULL;
    }
    return true;
}

static bool is_difference(const BenchTask *it)
{
    return strcmp(it->variant, "coloured") == 0 || strcmp(it->variant, "dense") == 0;
}

/* Of derivatives the variants asked for; differences of many equations only then. */
static bool wanted(Wanted w, const BenchTask *it)
{
    bool extended = strcmp(it->what, "extended") == 0;
    if (!lists(w.what, it->what) || (!w.what && !w.n_lanes && !strcmp(it->what, "step")))
        return false;
    if (!w.jacobian)
        return !extended || !is_difference(it);
    bool has_variants =
        strcmp(it->what, "jacobian") == 0 || (extended && strcmp(it->variant, "equations") != 0);
    return !has_variants || strcmp(w.jacobian, "all") == 0 || strcmp(it->variant, w.jacobian) == 0;
}

/* What is asked for by name must be there in at least one variant. */
static bool has_all(const RungModel *m, Wanted w)
{
    for (uint32_t k = 0; w.what && k < bench_n_tasks; k++) {
        const char *what = bench_task[k].what;
        bool exists = !lists(w.what, what);
        for (uint32_t i = 0; i < bench_n_tasks; i++)
            exists |= strcmp(bench_task[i].what, what) == 0 && wanted(w, &bench_task[i]) &&
                      bench_task[i].exists(m);
        if (!exists) {
            fprintf(stderr, "rung: the generated model has no %s\n", what);
            return false;
        }
    }
    return true;
}

/* The largest over all states. */
static const char *error_text(Bench *b, const BenchTask *it, bool csv, char text[32])
{
    double error = 0;
    bool known = b->lanes || it->error;
    for (uint32_t s = 0; known && s < BENCH_STATES; s++) {
        double e = b->lanes ? bench_lanes_error(b, it, s) : it->error(b, s);
        error = isnan(e) ? e : fmax(error, e);
    }
    if (!known || isnan(error))
        strcpy(text, csv ? "" : "-");
    else
        snprintf(text, 32, "%.1e", error);
    return text;
}

static void put_json(Json *j, Bench *b, const BenchTask *it, const char *variant, const Timing *t,
                     uint32_t size)
{
    char text[32];
    error_text(b, it, true, text);
    json_line(j, 4);
    json_object(j, NULL);
    json_text(j, "what", it->what);
    json_text(j, "variant", variant);
    json_number(j, "ns", t->best, 6);
    json_number(j, "median_ns", t->median, 6);
    json_count(j, "size", size);
    json_number(j, "error", *text ? strtod(text, NULL) : NAN, 2);
    json_close(j);
}

/* One task, alone or in lanes. */
static Exit measure_task(Bench *b, Wanted w, const BenchTask *it, Json *j)
{
    bool errors = w.jacobian && strcmp(w.jacobian, "all") == 0; // programs rely on four columns
    uint32_t size = it->of_residual ? b->model->residual->n : b->model->n_states;
    Timing t;
    char text[32], variant[24];
    snprintf(variant, sizeof variant, "%s", it->variant);
    if (b->lanes)
        snprintf(variant, sizeof variant, "lanes%u", b->lanes->code->width);
    if (!measure(b, b->lanes ? it->of_lanes : it->evaluate, &t)) {
        fprintf(stderr, "rung: %s, %s: an evaluation failed\n", it->what, variant);
        return EXIT_RUN;
    }
    if (b->lanes) {
        // of one instance
        t.best /= b->lanes->code->width;
        t.median /= b->lanes->code->width;
    }
    if (w.json)
        put_json(j, b, it, variant, &t, size);
    else if (w.csv)
        printf("%s,%s,%.6g,%u%s%s\n", it->what, variant, t.best, size, errors ? "," : "",
               errors ? error_text(b, it, w.csv, text) : "");
    else
        printf("%-10s%-11s%11.5g%12.4g%12.5g%9u%11s\n", it->what, variant, t.best,
               t.best / (size ? size : 1), t.median, size, error_text(b, it, w.csv, text));
    fflush(stdout);
    return EXIT_GOOD;
}

static Exit measure_tasks(Bench *b, Wanted w, Json *j)
{
    Exit status = EXIT_GOOD;
    for (uint32_t k = 0; k < bench_n_tasks; k++) {
        const BenchTask *it = &bench_task[k];
        if (!wanted(w, it) || (b->lanes && !(it->of_lanes && it->exists(b->model))))
            continue;
        if (it->exists(b->model)) {
            Exit now = measure_task(b, w, it, j);
            status = now == EXIT_GOOD ? status : now;
        } else if (!w.csv && !w.json) {
            // a list for programs holds what was measured, one for people also says what was not
            printf("%-10s%-11s%11s   %s: not in the generated model\n", it->what, it->variant, "-",
                   it->text);
        }
    }
    return status;
}

static Exit measure_all(Bench *b, Wanted w, Json *j)
{
    if (!has_all(b->model, w))
        return EXIT_MODEL;
    bool table = !w.csv && !w.json;
    if (w.csv)
        printf("what,variant,ns,size%s\n",
               w.jacobian && strcmp(w.jacobian, "all") == 0 ? ",error" : "");
    if (table)
        printf("%-10s%-11s%11s%12s%12s%9s%11s\n", "what", "variant", "ns", "ns each", "median ns",
               "size", "error");
    Exit status = w.alone ? measure_tasks(b, w, j) : EXIT_GOOD;
    for (uint32_t k = 0; k < w.n_lanes; k++) {
        Exit now = bench_widen(b, w.lanes[k]) ? measure_tasks(b, w, j) : EXIT_RUN;
        status = now == EXIT_GOOD ? status : now;
        bench_narrow(b);
    }
    if (bench_has_residual(b->model) && table && w.what && lists(w.what, "residual"))
        printf("residual: %llu operations\n", (unsigned long long)b->model->residual->operations);
    if (bench_has_extended(b->model) && table && w.what && lists(w.what, "extended"))
        printf("extended: %llu operations, the equations %llu\n",
               (unsigned long long)b->model->newton->entry_operations,
               (unsigned long long)b->model->newton->form_operations);
    return status;
}

static Exit print_measurements(Bench *b, Wanted w)
{
    Arena *mem = arena_new();
    Text lines = text_new(mem);
    Json j = json_new(&lines);
    json_object(&j, NULL);
    json_text(&j, "model", w.model);
    json_array(&j, "measured");
    Exit status = measure_all(b, w, &j);
    json_line(&j, 0);
    json_close(&j);
    json_close(&j);
    if (w.json && status != EXIT_MODEL)
        puts(lines.at);
    arena_free(mem);
    return status;
}

/* What the run hands over, with the first row. */
typedef struct Handover {
    Wanted wanted;
    Exit status;
    const char *error;
} Handover;

static int at_start(void *user, const RungContext *run, double t, const double *x, const double *v)
{
    (void)v;
    Handover *h = user;
    Bench b = {0};
    h->status = bench_open(&b, run, t, x) ? print_measurements(&b, h->wanted) : EXIT_RUN;
    h->error = b.error;
    bench_close(&b);
    return 0;
}

static Exit measure_model(const Options *o, const RungModel *model)
{
    Handover h = {.wanted = {.what = o->what,
                             .jacobian = o->jacobian,
                             .csv = o->format && strcmp(o->format, "csv") == 0,
                             .json = options_want_json(o),
                             .model = model->name,
                             .alone = !o->lanes || *o->lanes == '1'}};
    options_lanes(o, h.wanted.lanes, &h.wanted.n_lanes);
    if (model->n_states == 0) {
        fputs("rung: the model has no states: nothing is evaluated in a step\n", stderr);
        return EXIT_MODEL;
    }
    // parameters are set and start values found as in every run
    SimulateOptions so = simulate_defaults();
    so.start = so.stop = model->experiment.has_start ? model->experiment.start : 0;
    so.set = o->set.at;
    so.n_set = o->set.n;
    so.progress = PROGRESS_NONE;
    so.row = at_start;
    so.user = &h;
    SimulateSummary s;
    int status = simulate(model, &so, &s);
    if (status != SIMULATE_OK)
        fprintf(stderr, "rung: %s\n", s.error);
    else if (h.error)
        fprintf(stderr, "rung: %s\n", h.error);
    return status != SIMULATE_OK ? (Exit)status : h.status;
}

Exit command_bench(const Options *o)
{
    uint32_t width[MOST_LANES], n_lanes;
    if (!what_known(o->what) || !options_lanes(o, width, &n_lanes))
        return EXIT_USAGE;
    Arena *mem = arena_new();
    Request r = request_of(o);
    Compilation *c = compilation_open(&r, mem);
    EmitFiles files = {0};
    bool ok = c && driver_run(c, NULL);
    if (ok && lists(o->what, "jacobian"))
        jacobian_of_states(&c->dae.solution.program, BENCH_NODES, c->scratch);
    if (ok && lists(o->what, "residual"))
        residual_form_make(&c->dae, BENCH_NODES, c->scratch);
    if (ok && o->what && lists(o->what, "newton"))
        newton_system_make(&c->dae, NEWTON_STEP | NEWTON_MATRIX, c->scratch);
    else if (ok && o->what && lists(o->what, "extended"))
        newton_system_make(&c->dae, NEWTON_MATRIX, c->scratch);
    ok = ok && emit_program(&c->dae.solution.program, request_emission(&c->request), mem, &files);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD) {
        Build b;
        if (build_model(&files, (BuildOptions){.optimise = "-O2"}, mem, &b)) {
            status = measure_model(o, b.model);
            build_close(&b);
        } else {
            fprintf(stderr, "rung: %s\n", b.error);
            status = (Exit)b.status;
        }
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}
