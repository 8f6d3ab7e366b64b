#include "study/measure/bench_run.h"

#include "eliminate/forms/newton_order.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "emit/model/build.h"
#include "runtime/run/simulate.h"
#include "translate/driver.h"
#include "translate/setting_values.h"

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
    /* as many evaluations as make a batch long against the clock's resolution, but no more:
     * interruptions last milliseconds. All code is warm by then */
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
bool bench_lists(const char *list, const char *word)
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
bool bench_what_known(const char *list)
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

/* Is the task requested, for derivatives in this variant; differences of many equations only by
 * name. */
static bool wanted(const BenchRequest *w, const BenchTask *it)
{
    bool extended = strcmp(it->what, "extended") == 0;
    if (!bench_lists(w->what, it->what) ||
        (!w->what && !w->translation.n_lanes && !strcmp(it->what, "step")))
        return false;
    if (!w->variant)
        return !extended || !is_difference(it);
    bool has_variants =
        strcmp(it->what, "jacobian") == 0 || (extended && strcmp(it->variant, "equations") != 0);
    return !has_variants || strcmp(w->variant, "all") == 0 || strcmp(it->variant, w->variant) == 0;
}

/* Each requested task must exist in at least one variant. */
static bool has_all(const RungModel *m, const BenchRequest *w)
{
    for (uint32_t k = 0; w->what && k < bench_n_tasks; k++) {
        const char *what = bench_task[k].what;
        bool exists = !bench_lists(w->what, what);
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

double bench_row_error(const BenchRow *row)
{
    Bench *b = row->bench;
    double error = 0;
    bool is_known = b->lanes || row->task->error;
    for (uint32_t s = 0; is_known && s < BENCH_STATES; s++) {
        double e = b->lanes ? bench_lanes_error(b, row->task, s) : row->task->error(b, s);
        error = isnan(e) ? e : fmax(error, e);
    }
    return is_known ? error : NAN;
}

/* One task, alone or in lanes. */
static Exit measure_task(Bench *b, const BenchRequest *r, const BenchTask *it)
{
    char variant[24];
    snprintf(variant, sizeof variant, "%s", it->variant);
    if (b->lanes)
        snprintf(variant, sizeof variant, "lanes%u", b->lanes->code->width);
    BenchRow row = {.task = it, .exists = it->exists(b->model), .variant = variant, .bench = b};
    Timing t = {0};
    if (row.exists && !measure(b, b->lanes ? it->of_lanes : it->evaluate, &t)) {
        fprintf(stderr, "rung: %s, %s: an evaluation failed\n", it->what, variant);
        return EXIT_RUN;
    }
    uint32_t instances = b->lanes ? b->lanes->code->width : 1;
    row.best = t.best / instances;
    row.median = t.median / instances;
    if (row.exists)
        row.size = it->of_residual ? b->model->residual->n : b->model->n_states;
    r->report(r->user, b->model, &row);
    return EXIT_GOOD;
}

static Exit measure_tasks(Bench *b, const BenchRequest *r)
{
    Exit status = EXIT_GOOD;
    for (uint32_t k = 0; k < bench_n_tasks; k++) {
        const BenchTask *it = &bench_task[k];
        if (!wanted(r, it) || (b->lanes && !(it->of_lanes && it->exists(b->model))))
            continue;
        Exit now = measure_task(b, r, it);
        status = now == EXIT_GOOD ? status : now;
    }
    return status;
}

static Exit measure_all(Bench *b, const BenchRequest *r)
{
    if (!has_all(b->model, r))
        return EXIT_MODEL;
    r->report(r->user, b->model, NULL);
    Exit status = r->is_alone ? measure_tasks(b, r) : EXIT_GOOD;
    for (uint32_t k = 0; k < r->translation.n_lanes; k++) {
        Exit now = bench_widen(b, r->translation.lanes[k]) ? measure_tasks(b, r) : EXIT_RUN;
        status = now == EXIT_GOOD ? status : now;
        bench_narrow(b);
    }
    return status;
}

/* Passed to the measurement at the first row of the run. */
typedef struct Handover {
    const BenchRequest *request;
    Exit status;
    const char *error;
} Handover;

static int at_start(void *user, const RungContext *run, double t, const double *x, const double *v)
{
    (void)v;
    Handover *h = user;
    Bench b = {0};
    h->status = bench_open(&b, run, t, x) ? measure_all(&b, h->request) : EXIT_RUN;
    h->error = b.error;
    bench_close(&b);
    return 0;
}

static Exit measure_model(const BenchRequest *r, const RungModel *model, Arena *mem)
{
    Handover h = {.request = r};
    if (model->n_states == 0) {
        fputs("rung: the model has no states: nothing is evaluated in a step\n", stderr);
        return EXIT_MODEL;
    }
    // parameters are set and start values found as in every run
    Texts set = {0};
    const char *wrong = setting_values_read(model, &r->set, &set, mem);
    if (wrong) {
        fprintf(stderr, "rung: %s\n", wrong);
        return EXIT_MODEL;
    }
    SimulateOptions so = simulate_defaults();
    so.start = so.stop = model->experiment.has_start ? model->experiment.start : 0;
    so.set = set.at;
    so.n_set = set.n;
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

/* Makes the forms to evaluate; expensive ones only if requested by name. */
static void make_forms(Compilation *c, const char *what)
{
    Program *g = &c->dae.solution.program;
    if (bench_lists(what, "jacobian"))
        jacobian_of_states(g, BENCH_NODES, c->scratch);
    if (bench_lists(what, "residual"))
        residual_form_make(&c->dae, BENCH_NODES, c->scratch);
    if (what && bench_lists(what, "newton"))
        newton_system_make(&c->dae, NEWTON_STEP | NEWTON_MATRIX, c->scratch);
    else if (what && bench_lists(what, "extended"))
        newton_system_make(&c->dae, NEWTON_MATRIX, c->scratch);
}

Exit bench_run(const BenchRequest *r, Arena *mem)
{
    Compilation *c = compilation_open(&r->translation, mem);
    EmitFiles files = {0};
    bool ok = c && driver_run(c, NULL);
    if (ok)
        make_forms(c, r->what);
    ok = ok && emit_program(&c->dae.solution.program, request_emission(&c->request), mem, &files);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD) {
        Build b;
        if (build_model(&files, (BuildOptions){.optimise = "-O2"}, mem, &b)) {
            status = measure_model(r, b.model, mem);
            build_close(&b);
        } else {
            fprintf(stderr, "rung: %s\n", b.error);
            status = (Exit)b.status;
        }
    }
    compilation_free(c);
    return status;
}
