/* rung simulate: translate, compile, run, write the trajectories. */
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/simulation.h"
#include "emit/picture/plot.h"
#include "runtime/result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static Exit run(Simulation *it, const char *result)
{
    const Options *o = it->options;
    Auditing *audit = it->audit;
    SimulateOptions so = simulation_options(it);
    so.result = result;
    so.save_state = o->save_state;
    so.save_interval = o->save_interval;
    so.from = o->from;
    if (o->input) {
        Exit wrong;
        so.input = input_file_read(o, it->build.model, it->mem, &wrong);
        if (!so.input)
            return wrong;
    }
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
static const char *default_result(const Simulation *s)
{
    const char *dot = strrchr(s->class_name, '.');
    return arena_printf(s->mem, "%s_res.mat", dot ? dot + 1 : s->class_name);
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

static Exit run_loaded(Simulation *s)
{
    const Options *o = s->options;
    const char *result = o->output ? o->output : default_result(s);
    s->audit = o->audit ? auditing_new(s->c, s->build.model, s->mem) : NULL;
    Exit status = o->audit && !s->audit ? EXIT_MODEL : run(s, result);
    if (status == EXIT_GOOD && !o->quiet && strcmp(result, "-") != 0)
        printf("result in %s\n", result);
    if (status == EXIT_GOOD && o->plot)
        status = plot(o, o->model, result);
    return status;
}

/* *again: the choice of states is at fault, perhaps, and there is another one. */
static Exit simulate_once(const Options *o, bool *again)
{
    Arena *mem = arena_new();
    Simulation s;
    Exit status = simulation_open(&s, o, true, (BuildOptions){0}, mem);
    *again = s.may_be_redundant && status == EXIT_MODEL && !s.build.error;
    if (status == EXIT_GOOD) {
        status = run_loaded(&s);
        *again = s.may_be_redundant && status == EXIT_RUN;
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
    if (!isnan(o->save_interval) && !o->save_state) {
        fputs("rung: --save-interval needs --save-state S\n", stderr);
        return EXIT_USAGE;
    }
    if (o->interpolation && !o->input) {
        fputs("rung: --interpolation needs --input F\n", stderr);
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
