/* rung simulate: translate, compile, run, write the trajectories. */
#include "cli/command.h"
#include "cli/simulation.h"
#include "emit/picture/plot.h"
#include "runtime/result.h"

#include <stdio.h>
#include <string.h>

static Exit run(Simulation *it, const char *result)
{
    const Options *o = it->c->options;
    Auditing *audit = it->audit;
    SimulateOptions so = simulation_options(it);
    so.result = result;
    if (audit) {
        so.look = auditing_look;
        so.user = audit;
    }
    SimulateSummary s;
    int status = simulate(it->build.model, &so, &s);
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

static Exit build_and_run(Simulation *s)
{
    Compilation *c = s->c;
    const Options *o = c->options;
    simulation_phase(o, "compiling the generated C");
    simulation_catch_interrupts();
    bool built = simulation_build(s, (BuildOptions){0}, c->mem);
    simulation_phase(o, "");
    if (!built && simulation_interrupted)
        return EXIT_INTERRUPTED;
    if (!built) {
        fprintf(stderr, "rung: %s\n", s->build.error);
        return (Exit)s->build.status;
    }
    const char *result = o->output ? o->output : default_result(c);
    s->audit = o->audit ? auditing_new(c, s->build.model, c->mem) : NULL;
    Exit status = o->audit && !s->audit ? EXIT_MODEL : run(s, result);
    if (status == EXIT_GOOD && !o->quiet && strcmp(result, "-") != 0)
        printf("result in %s\n", result);
    if (status == EXIT_GOOD && o->plot)
        status = plot(o, c->options->model, result);
    return status;
}

/* *again: the choice of states is at fault, perhaps, and there is another one. */
static Exit simulate_once(const Options *o, bool *again)
{
    Arena *mem = arena_new();
    Simulation s;
    simulation_phase(o, "translating");
    bool ok = simulation_translate(&s, o, mem);
    Compilation *c = s.c;
    simulation_phase(o, "");
    *again = c && !o->states && c->dae.redundancy.n > 0;
    Exit status = EXIT_MODEL;
    if (ok || !*again)
        status = c ? compilation_report(c) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD) {
        status = build_and_run(&s);
        *again = *again && status == EXIT_RUN;
    }
    simulation_free(&s);
    arena_free(mem);
    return status;
}

Exit command_simulate(const Options *o)
{
    if (!simulation_usable(o))
        return EXIT_USAGE;
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
