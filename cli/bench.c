/* rung bench: translate, compile, and measure how long an evaluation of the model takes.
 *
 * Measured is at states near the start of a run, a different one each time, so that neither a
 * nonlinear block starts from its solution nor a constant is predicted. Of many batches the
 * fastest counts: what disturbs a measurement makes it longer, never shorter.
 */
#include "cli/command.h"
#include "cli/pipeline.h"
#include "eliminate/jacobian.h"
#include "emit/build.h"
#include "runtime/context.h"
#include "runtime/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    JACOBIAN_NODES = 100000, /* of expressions, at most          */
    STATES = 8,              /* different states                             */
    BATCHES = 40,            /* per measurement, at most                     */
    MIN_BATCHES = 5,         /* also where one evaluation is long            */
    MAX_SHRINKS = 30,        /* of the distance from the start               */
};
static const double BATCH_SECONDS = 1e-3, TOTAL_SECONDS = 0.4;

/* What is measured: one model at a few states. */
typedef struct Bench {
    const RungModel *model;
    RungContext *ctx;
    double t;
    double *x[STATES];
    double *out, *other; /* as long as the longest result */
    double *input;       /* of the residual form          */
    double *exact;       /* entries of the analytic Jacobian at one state; NULL: not compared */
    double difference;   /* from them, of what is evaluated, at most */
    bool csv;
    const char *error;
} Bench;

/* What the command line asks for. NULL: everything there is. */
typedef struct Wanted {
    const char *what;     /* a list              */
    const char *jacobian; /* one of its variants, or "all": with the error of each */
} Wanted;

typedef int (*Task)(Bench *b, uint32_t state);

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
static double run_batch(Bench *b, Task evaluate, uint64_t n)
{
    int status = 0;
    double begun = now();
    for (uint64_t k = 0; k < n; k++)
        status |= evaluate(b, (uint32_t)(k % STATES));
    double seconds = now() - begun;
    return status ? -1 : seconds;
}

static bool measure(Bench *b, Task evaluate, Timing *out)
{
    /* as many evaluations as make a batch long against the clock; all code is warm by then */
    uint64_t n = STATES;
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

/* ------------------------------------------------------------------ what can be evaluated */

static int evaluate_xdot(Bench *b, uint32_t state)
{
    return b->model->xdot(b->ctx, b->t, b->x[state], b->out);
}

static int evaluate_residual(Bench *b, uint32_t state)
{
    return b->model->residual->residual(b->ctx, b->t, b->x[state], b->input, b->out);
}

static int evaluate_residual_jacobian(Bench *b, uint32_t state)
{
    return b->model->residual->jacobian(b->ctx, b->t, b->x[state], b->input, b->out);
}

static int evaluate_analytic(Bench *b, uint32_t state)
{
    return b->model->jacobian->entries(b->ctx, b->t, b->x[state], b->out);
}

/* Column k of a Jacobian by differences, a value for each row, against the analytic one. */
static void compare_column(Bench *b, uint32_t k, const double *column)
{
    const RungPattern *p = &b->model->jacobian->pattern;
    uint32_t e = p->col_start[k];
    for (uint32_t i = 0; i < p->n_rows; i++) {
        bool there = e < p->col_start[k + 1] && p->row[e] == i;
        double exact = there ? b->exact[e++] : 0;
        b->difference = fmax(b->difference, fabs(column[i] - exact));
    }
}

/* The step that balances rounding and truncation of a forward difference. */
static double difference_step(const Bench *b, uint32_t k, double x)
{
    return 1.5e-8 * fmax(fabs(x), b->model->nominal[k]);
}

/* Finite differences, columns of one colour at once. */
static int evaluate_coloured(Bench *b, uint32_t state)
{
    const RungPattern *p = &b->model->jacobian->pattern;
    double *x = b->x[state], *f = b->other, *g = f + p->n_rows, *step = g + p->n_rows;
    int status = b->model->xdot(b->ctx, b->t, x, f);
    for (uint32_t c = 0; c < p->n_colours; c++) {
        for (uint32_t k = 0; k < p->n_cols; k++)
            if (p->colour[k] == c) {
                step[k] = x[k];
                x[k] += difference_step(b, k, x[k]);
            }
        status |= b->model->xdot(b->ctx, b->t, x, g);
        for (uint32_t k = 0; k < p->n_cols; k++)
            if (p->colour[k] == c) {
                double h = x[k] - step[k];
                x[k] = step[k];
                for (uint32_t e = p->col_start[k]; e < p->col_start[k + 1]; e++)
                    b->out[e] = (g[p->row[e]] - f[p->row[e]]) / h;
            }
    }
    for (uint32_t e = 0; b->exact && e < p->col_start[p->n_cols]; e++)
        b->difference = fmax(b->difference, fabs(b->out[e] - b->exact[e]));
    return status;
}

/* Finite differences, column by column; no pattern is needed, and none is kept. */
static int evaluate_dense(Bench *b, uint32_t state)
{
    uint32_t n = b->model->n_states;
    double *x = b->x[state], *f = b->other, *g = f + n;
    int status = b->model->xdot(b->ctx, b->t, x, f);
    for (uint32_t k = 0; k < n; k++) {
        double keep = x[k];
        x[k] += difference_step(b, k, keep);
        status |= b->model->xdot(b->ctx, b->t, x, g);
        double h = x[k] - keep;
        x[k] = keep;
        for (uint32_t i = 0; i < n; i++)
            g[i] = (g[i] - f[i]) / h;
        if (b->exact)
            compare_column(b, k, g);
    }
    return status;
}

// clang-format off
static bool always(const RungModel *m) { return m->n_states > 0; }
static bool has_residual(const RungModel *m) { return m->residual && m->residual->residual; }
static bool has_slope(const RungModel *m) { return m->residual && m->residual->jacobian; }
static bool has_jacobian(const RungModel *m) { return m->jacobian && m->jacobian->entries; }
static bool has_colours(const RungModel *m) { return m->jacobian && m->jacobian->pattern.colour; }

/* `size` is what the time is divided by: states, or inputs of the residual. */
static const struct Measurement {
    const char *what, *variant, *text;
    bool of_residual;
    bool (*exists)(const RungModel *m);
    Task evaluate;
} measurements[] = {
    {"xdot",     "explicit", "derivatives of the states", false, always, evaluate_xdot},
    {"residual", "inverse",  "residual form, torn variables as inputs", true, has_residual,
     evaluate_residual},
    {"residual", "matrix",   "its derivatives by the torn variables", true, has_slope,
     evaluate_residual_jacobian},
    {"jacobian", "analytic", "derivatives by the states, generated", false, has_jacobian,
     evaluate_analytic},
    {"jacobian", "coloured", "the same by differences, many columns at once", false, has_colours,
     evaluate_coloured},
    {"jacobian", "dense",    "the same by differences, column by column", false, always,
     evaluate_dense},
};
// clang-format on
enum { MEASUREMENTS = sizeof measurements / sizeof *measurements };

/* ------------------------------------------------------------------ states to measure at */

/* Between -1 and 1, the same in every run. */
static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*seed >> 32) / 2147483648.0;
}

/* States around x at which the model can be evaluated: the distance shrinks until it can. */
static bool choose_states(Bench *b, const double *x)
{
    double distance = 0.1;
    for (int tries = 0; tries <= MAX_SHRINKS; tries++, distance /= 2) {
        uint64_t seed = 1;
        bool good = true;
        for (uint32_t s = 0; good && s < STATES; s++) {
            for (uint32_t k = 0; k < b->model->n_states; k++) {
                double size = fmin(fmax(fabs(x[k]), b->model->nominal[k]), 1e100);
                b->x[s][k] = x[k] + distance * size * noise(&seed);
            }
            good = b->model->xdot(b->ctx, b->t, b->x[s], b->out) == 0;
            for (uint32_t k = 0; good && k < b->model->n_states; k++)
                good = isfinite(b->out[k]);
        }
        if (good)
            return true;
    }
    b->error = "the derivatives cannot be evaluated near the start of a run";
    return false;
}

static double *copied(double *to, const double *from, uint32_t n)
{
    return n ? memcpy(to, from, n * sizeof *to) : to;
}

/* An instance as the run has it after its start, and room for all results. */
static bool bench_open(Bench *b, const RungContext *run, double t, const double *x)
{
    const RungModel *m = b->model = run->model;
    b->ctx = context_new(m);
    b->t = t;
    size_t most = 3 * (size_t)m->n_states;
    if (m->jacobian) {
        const RungPattern *p = &m->jacobian->pattern;
        size_t n = p->col_start[p->n_cols];
        most = n > most ? n : most;
    }
    if (m->residual) {
        const RungPattern *p = &m->residual->pattern;
        size_t n = p->col_start ? p->col_start[p->n_cols] : 0;
        n = n > m->residual->n ? n : m->residual->n;
        most = n > most ? n : most;
    }
    b->out = calloc(most + 1, sizeof *b->out);
    b->other = calloc(most + 1, sizeof *b->other);
    b->input = calloc(most + 1, sizeof *b->input);
    bool ok = b->ctx && b->out && b->other && b->input;
    for (uint32_t s = 0; s < STATES; s++) {
        b->x[s] = calloc(m->n_states + (size_t)1, sizeof(double));
        ok = ok && b->x[s];
    }
    if (!ok) {
        b->error = "out of memory";
        return false;
    }
    copied(b->ctx->p, run->p, m->n_parameters);
    copied(b->ctx->c, run->c, m->n_constants);
    // what is remembered between events stands behind the inputs
    copied(b->ctx->u, run->u, m->n_inputs + (m->event ? m->event->n_memory : 0));
    copied(b->ctx->z, run->z, m->n_unknowns);
    memcpy(b->ctx->is_set, run->is_set, m->n_parameters);
    return choose_states(b, x);
}

static void bench_close(Bench *b)
{
    for (uint32_t s = 0; s < STATES; s++)
        free(b->x[s]);
    free(b->out);
    free(b->other);
    free(b->input);
    context_free(b->ctx);
}

/* ------------------------------------------------------------------ the command */

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

static bool wanted(Wanted w, const struct Measurement *it)
{
    bool variant = !w.jacobian || strcmp(w.jacobian, "all") == 0 ||
                   strcmp(it->what, "jacobian") != 0 || strcmp(it->variant, w.jacobian) == 0;
    return lists(w.what, it->what) && variant;
}

/* Every word of the list is something that can be measured. */
static bool what_known(const char *list)
{
    for (const char *c = list; c;) {
        size_t n = strcspn(c, ",");
        bool known = false;
        for (int k = 0; k < MEASUREMENTS; k++)
            known |= strlen(measurements[k].what) == n && !strncmp(measurements[k].what, c, n);
        if (!known) {
            fprintf(stderr,
                    "rung: --what does not know '%.*s'; it takes xdot, residual, jacobian\n",
                    (int)n, c);
            return false;
        }
        c = c[n] ? c + n + 1 : NULL;
    }
    return true;
}

/* What is asked for by name must be there in at least one variant. */
static bool has_all(const RungModel *m, Wanted w)
{
    for (int k = 0; w.what && k < MEASUREMENTS; k++) {
        const char *what = measurements[k].what;
        bool exists = !lists(w.what, what);
        for (int i = 0; i < MEASUREMENTS; i++)
            exists |= strcmp(measurements[i].what, what) == 0 && wanted(w, &measurements[i]) &&
                      measurements[i].exists(m);
        if (!exists) {
            fprintf(stderr, "rung: the generated model has no %s\n", what);
            return false;
        }
    }
    return true;
}

/* The error of a Jacobian by differences, in units of the largest entry: the worst of all states.
 * Negative if there is nothing to compare with. */
static double error_of(Bench *b, const struct Measurement *it)
{
    if (strcmp(it->what, "jacobian") != 0 || !has_jacobian(b->model))
        return -1;
    const RungPattern *p = &b->model->jacobian->pattern;
    uint32_t n = p->col_start[p->n_cols];
    double worst = 0;
    b->exact = calloc(n + (size_t)1, sizeof *b->exact);
    for (uint32_t s = 0; b->exact && s < STATES; s++) {
        double largest = 0;
        b->difference = 0;
        if (b->model->jacobian->entries(b->ctx, b->t, b->x[s], b->exact) != 0)
            continue;
        for (uint32_t e = 0; e < n; e++)
            largest = fmax(largest, fabs(b->exact[e]));
        it->evaluate(b, s);
        worst = fmax(worst, largest > 0 ? b->difference / largest : b->difference);
    }
    free(b->exact);
    b->exact = NULL;
    return worst;
}

static void print_measurement(Bench *b, const struct Measurement *it, Timing t, bool compared)
{
    uint32_t size = it->of_residual ? b->model->residual->n : b->model->n_states;
    double error = compared ? error_of(b, it) : -1;
    if (b->csv)
        printf("%s,%s,%.6g,%u", it->what, it->variant, t.best, size);
    else
        printf("%-10s%-10s%12.5g%12.4g%12.5g%9u", it->what, it->variant, t.best,
               t.best / (size ? size : 1), t.median, size);
    if (compared && b->csv)
        fputc(',', stdout);
    if (error >= 0)
        printf(b->csv ? "%.3g" : "%10.2g", error);
    putchar('\n');
}

static Exit print_measurements(Bench *b, Wanted w)
{
    if (!has_all(b->model, w))
        return EXIT_MODEL;
    Exit status = EXIT_GOOD;
    bool compared = w.jacobian && strcmp(w.jacobian, "all") == 0;
    if (b->csv)
        printf("what,variant,ns,size%s\n", compared ? ",error" : "");
    else
        printf("%-10s%-10s%12s%12s%12s%9s%s\n", "what", "variant", "ns", "ns each", "median ns",
               "size", compared ? "     error" : "");
    for (int k = 0; k < MEASUREMENTS; k++) {
        const struct Measurement *it = &measurements[k];
        if (!wanted(w, it))
            continue;
        if (!it->exists(b->model)) {
            // a list for programs holds what was measured, one for people also says what was not
            if (!b->csv)
                printf("%-10s%-10s%12s   %s: not in the generated model\n", it->what, it->variant,
                       "-", it->text);
            continue;
        }
        Timing t;
        if (measure(b, it->evaluate, &t)) {
            print_measurement(b, it, t, compared);
        } else {
            fprintf(stderr, "rung: %s, %s: an evaluation failed\n", it->what, it->variant);
            status = EXIT_RUN;
        }
        fflush(stdout);
    }
    return status;
}

/* What the run hands over, with the first row. */
typedef struct Handover {
    Wanted wanted;
    bool csv;
    Exit status;
    const char *error;
} Handover;

static int at_start(void *user, const RungContext *run, double t, const double *x, const double *v)
{
    (void)v;
    Handover *h = user;
    Bench b = {.csv = h->csv};
    h->status = bench_open(&b, run, t, x) ? print_measurements(&b, h->wanted) : EXIT_RUN;
    h->error = b.error;
    bench_close(&b);
    return 0;
}

static Exit measure_model(const Options *o, const RungModel *model)
{
    Handover h = {.wanted = {o->what, o->jacobian},
                  .csv = o->format && strcmp(o->format, "csv") == 0};
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
    if (!what_known(o->what))
        return EXIT_USAGE;
    if (o->format && strcmp(o->format, "table") != 0 && strcmp(o->format, "csv") != 0) {
        fprintf(stderr, "rung: bench prints table or csv, not %s\n", o->format);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    Compilation *c = compilation_open(o, mem);
    EmitFiles files = {0};
    bool ok = c && pipeline_run(c, NULL);
    if (ok && c->loops.n_loops == 0)
        jacobian_pieces(&c->solution.program, JACOBIAN_NODES, c->scratch);
    ok = ok && emit_program(&c->solution.program, options_emission(o), mem, &files);
    Exit status = c ? compilation_report(c) : EXIT_USAGE;
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
