/* rung simulate: translate, compile, run, write the trajectories. */
#include "cli/auditing.h"
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/method.h"
#include "eliminate/solution.h"
#include "emit/model/build.h"
#include "emit/picture/plot.h"
#include "runtime/result.h"
#include "runtime/simulate.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig)
{
    (void)sig;
    interrupted = 1;
}

/* From now on a run ends at once, and keeps what it has. */
static void catch_interrupts(void)
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_interrupt};
    for (size_t k = 0; k < sizeof caught / sizeof *caught; k++)
        sigaction(caught[k], &action, NULL);
}

static SimulateProgress progress_of(const Options *o)
{
    if (o->quiet || strcmp(o->progress, "none") == 0)
        return PROGRESS_NONE;
    if (strcmp(o->progress, "bar") == 0)
        return PROGRESS_BAR;
    return strcmp(o->progress, "json") == 0 ? PROGRESS_JSON : PROGRESS_AUTO;
}

/* One line on a terminal, gone when the next comes. */
static void phase(const Options *o, const char *text)
{
    SimulateProgress p = progress_of(o);
    if (p == PROGRESS_BAR || (p == PROGRESS_AUTO && isatty(2)))
        fprintf(stderr, "\r\033[K%s", text);
}

/* The model with its linear blocks solved at run time, made when a pivot vanishes first. */
typedef struct Fallback {
    Compilation *c;
    Build build;
} Fallback;

static const RungModel *make_fallback(void *user)
{
    Fallback *f = user;
    Program *p = arena_make(f->c->mem, Program);
    EmitFiles files;
    bool ok = solution_numeric(&f->c->dae, p, f->c->scratch) &&
              emit_program(p, options_emission(f->c->options), f->c->mem, &files) &&
              build_model(&files, (BuildOptions){0}, f->c->mem, &f->build);
    return ok ? f->build.model : NULL;
}

/* Where values that are none come from; the flat model is made for it unless the audit has it. */
typedef struct Explained {
    Compilation *c;
    const RungModel *model;
    Auditing *audit;
} Explained;

static void explain(void *user, double t, const double *value, char *text, size_t size)
{
    Explained *it = user;
    Auditing *made = it->audit ? NULL : auditing_new(it->c, it->model, it->c->mem);
    if (it->audit || made)
        auditing_explain(it->audit ? it->audit : made, t, value, text, size);
    auditing_free(made);
}

static Exit run(const Options *o, const RungModel *model, Fallback *fallback, Auditing *audit,
                const char *result)
{
    SimulateOptions so = simulate_defaults();
    so.method = o->method;
    so.stop = o->stop;
    so.tolerance = o->tolerance;
    so.interval = o->interval;
    so.step = o->step;
    so.loops = o->loops;
    if (o->jacobian)
        so.jacobian = strcmp(o->jacobian, "dense") == 0      ? JACOBIAN_DENSE
                      : strcmp(o->jacobian, "coloured") == 0 ? JACOBIAN_COLOURED
                                                             : JACOBIAN_ANALYTIC;
    if (o->jacobian_reuse >= 1)
        so.jacobian_reuse = (uint32_t)o->jacobian_reuse;
    so.set = o->set.at;
    so.n_set = o->set.n;
    so.result = result;
    so.signals = o->signals;
    so.fallback = make_fallback;
    so.fallback_user = fallback;
    Explained explained = {fallback->c, model, audit};
    so.explain = explain;
    so.explain_user = &explained;
    so.progress = progress_of(o);
    so.interrupt = &interrupted;
    if (audit) {
        so.look = auditing_look;
        so.user = audit;
    }
    SimulateSummary s;
    int status = simulate(model, &so, &s);
    if (status != SIMULATE_OK)
        fprintf(stderr, "rung: %s\n", s.error);
    if (!o->quiet && s.rows > 0 && !(result && strcmp(result, "-") == 0))
        simulate_print_summary(&s, stdout);
    bool to_stdout = result && strcmp(result, "-") == 0;
    bool holds = !audit || auditing_report(audit, o->quiet || to_stdout ? NULL : stdout);
    return holds || status != SIMULATE_OK ? (Exit)status : EXIT_RUN;
}

/* M_res.mat in the working directory, M being the class without its packages. */
static const char *default_result(const Compilation *c)
{
    const char *name = c->sys->class_name.s;
    const char *dot = strrchr(name, '.');
    return arena_printf(c->mem, "%s_res.mat", dot ? dot + 1 : name);
}

/* The picture of a result; the columns are those of --plot-signals. */
static Exit plot(const Options *o, const char *title, const char *result)
{
    Arena *mem = arena_new();
    Texts column = {0};
    if (o->plot_signals) {
        /* commas inside brackets belong to the name: T[1,2] */
        const char *from = o->plot_signals;
        int depth = 0;
        for (const char *c = from;; c++) {
            depth += (*c == '[') - (*c == ']');
            if (*c && (*c != ',' || depth > 0))
                continue;
            const char *name = arena_copy(mem, from, (size_t)(c - from));
            vec_push(mem, column, name);
            if (!*c)
                break;
            from = c + 1;
        }
    }
    PlotOptions p = {.title = title, .column = column.at, .n_columns = column.n};
    const char *error;
    bool ok = plot_result(result, o->plot, p, mem, &error);
    if (!ok)
        fprintf(stderr, "rung: %s\n", error);
    else if (!o->quiet)
        printf("picture in %s\n", o->plot);
    arena_free(mem);
    return ok ? EXIT_GOOD : EXIT_FILE;
}

static Exit build_and_run(Compilation *c, const EmitFiles *files)
{
    const Options *o = c->options;
    Build b;
    phase(o, "compiling the generated C");
    catch_interrupts();
    bool built = build_model(files, (BuildOptions){.interrupt = &interrupted}, c->mem, &b);
    phase(o, "");
    if (!built && interrupted)
        return EXIT_INTERRUPTED;
    if (!built) {
        fprintf(stderr, "rung: %s\n", b.error);
        return (Exit)b.status;
    }
    const char *result = o->output ? o->output : default_result(c);
    Fallback fallback = {.c = c};
    Auditing *audit = o->audit ? auditing_new(c, b.model, c->mem) : NULL;
    Exit status = o->audit && !audit ? EXIT_MODEL : run(o, b.model, &fallback, audit, result);
    auditing_free(audit);
    if (status == EXIT_GOOD && !o->quiet && strcmp(result, "-") != 0)
        printf("result in %s\n", result);
    if (status == EXIT_GOOD && o->plot)
        status = plot(o, c->options->model, result);
    build_close(&fallback.build);
    build_close(&b);
    return status;
}

/* *again: the choice of states is at fault, perhaps, and there is another one. */
static Exit simulate_once(const Options *o, bool *again)
{
    Arena *mem = arena_new();
    Compilation *c = compilation_open(o, mem);
    EmitFiles files = {0};
    phase(o, "translating");
    bool ok = c && driver_run(c, NULL);
    if (ok)
        method_prepare(c, method_of(c));
    ok = ok && emit_program(&c->dae.solution.program, options_emission(o), mem, &files);
    phase(o, "");
    *again = c && !o->states && c->dae.redundancy.n > 0;
    Exit status = EXIT_MODEL;
    if (ok || !*again)
        status = c ? compilation_report(c) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD) {
        status = build_and_run(c, &files);
        *again = *again && status == EXIT_RUN;
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}

Exit command_simulate(const Options *o)
{
    if (o->method && !method_known(o->method))
        return EXIT_USAGE;
    if (o->jacobian && strcmp(o->jacobian, "all") == 0) {
        fputs("rung: a run uses one Jacobian: analytic, coloured or dense\n", stderr);
        return EXIT_USAGE;
    }
    const char *wrong = o->output ? result_wrong_name(o->output) : NULL;
    if (wrong) {
        fprintf(stderr, "rung: '%s': %s\n", o->output, wrong);
        return EXIT_USAGE;
    }
    if (o->plot && o->output && strcmp(o->output, "-") == 0) {
        fputs("rung: --plot needs the result in a file, not on standard output\n", stderr);
        return EXIT_USAGE;
    }
    bool again;
    Exit status = simulate_once(o, &again);
    if (again) {
        fputs("rung: the states that were chosen became dependent; once more with --states "
              "redundant\n",
              stderr);
        Options redundant = *o;
        redundant.states = "redundant";
        status = simulate_once(&redundant, &again);
    }
    return status;
}
