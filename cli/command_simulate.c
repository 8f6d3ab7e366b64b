/* rung simulate: translate, compile, run, write the trajectories. */
#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/output.h"
#include "cli/plotting.h"
#include "cli/run_report.h"
#include "cli/simulation.h"
#include "emit/picture/geometry.h"
#include "runtime/problem/context.h"
#include "runtime/result/result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_json(const Options *o)
{
    return o->format && strcmp(o->format, "json") == 0;
}

/* What of the start values that were asked for is another at the start: initial equations say so.
 */
static int look_at_start(void *user, const RungContext *ctx, double t, const double *x,
                         const double *v)
{
    Simulation *it = user;
    const Texts *start = &it->options->start;
    for (uint32_t k = 0; k < start->n && !it->has_begun; k++) {
        const char *text = start->at[k], *eq = strrchr(text, '=');
        const char *name = arena_copy(it->mem, text, (size_t)(eq - text));
        uint32_t row = context_find(ctx, name);
        double asked = strcmp(eq + 1, "true") == 0 ? 1 : strtod(eq + 1, NULL);
        double is = row == RUNG_NONE ? asked : rung_value(ctx, row, t, x, v);
        if (fabs(is - asked) > 1e-9 * (1 + fabs(asked)))
            fprintf(stderr,
                    "rung: '%s' is %.9g at the start, not %s: other start values and the equations "
                    "determine it, %s was a first guess\n",
                    name, is, eq + 1, eq + 1);
    }
    it->has_begun = true;
    return 0;
}

/* Standard output is for the result, or for the summary as JSON. */
static bool may_print(const Options *o, const char *result)
{
    return !o->quiet && !is_json(o) && strcmp(result, "-") != 0;
}

static Exit run(Simulation *it, const char *result, SimulateSummary *s)
{
    const Options *o = it->options;
    Auditing *audit = it->audit;
    SimulateOptions so = simulation_options(it);
    *s = (SimulateSummary){0};
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
    } else if (o->start.n && !o->from) {
        so.row = look_at_start;
        so.user = it;
    }
    int status = simulate(it->build.model, &so, s);
    if (status != SIMULATE_OK)
        fprintf(stderr, "rung: %s\n", s->error);
    if (may_print(o, result) && s->rows > 0)
        simulate_print_summary(s, stdout);
    bool holds = !audit || auditing_report(audit, may_print(o, result) ? stdout : NULL);
    return holds || status != SIMULATE_OK ? (Exit)status : EXIT_RUN;
}

/* M_res.mat in the working directory, M being the class without its packages. */
static const char *default_result(const Simulation *s)
{
    const char *dot = strrchr(s->class_name, '.');
    return arena_printf(s->mem, "%s_res.mat", dot ? dot + 1 : s->class_name);
}

/* What of the model can be drawn, beside its result. */
static bool write_geometry(const Simulation *s, const char *result)
{
    if (!*s->geometry || part_is_special(result))
        return true;
    return output_write(geometry_path(result, s->mem), s->geometry, strlen(s->geometry));
}

/* What the model knows of a variable. */
static const RungAttributes *attributes_of(const Simulation *s, const char *name)
{
    const RungModel *m = s->build.model;
    for (uint32_t k = 0; k < m->n_variables; k++)
        if (strcmp(rung_name(m, k), name) == 0)
            return rung_variable(m, k).attributes;
    return NULL;
}

static const char *unit_of(void *user, const char *name)
{
    const RungAttributes *a = attributes_of(user, name);
    return a ? a->unit : NULL;
}

static bool is_output(void *user, const char *name)
{
    const RungAttributes *a = attributes_of(user, name);
    return a && a->is_output;
}

/* The picture of a result. */
static Exit plot(Simulation *s, const char *result)
{
    const Options *o = s->options;
    const PlotOptions p = {.title = o->model,
                           .signals = o->plot_signals,
                           .unit = unit_of,
                           .is_output = is_output,
                           .user = s};
    return plot_write(&result, 1, o->plot, p, o);
}

/* *again: states that depend on each other may be why it failed. */
static Exit run_loaded(Simulation *s, bool *again)
{
    const Options *o = s->options;
    const char *result = o->output ? o->output : default_result(s);
    SimulateSummary summary;
    s->audit = o->audit ? auditing_new(s->options, s->build.model, s->mem) : NULL;
    Exit status = o->audit && !s->audit ? EXIT_MODEL : run(s, result, &summary);
    if (o->audit && !s->audit)
        return status;
    *again = status == EXIT_RUN || (status == EXIT_MODEL && summary.is_start_singular);
    if (summary.rows > 0 && !write_geometry(s, result) && status == EXIT_GOOD)
        status = EXIT_FILE;
    if (status == EXIT_GOOD && may_print(o, result))
        printf("result in %s\n", result);
    bool is_drawn = status == EXIT_GOOD && o->plot;
    if (is_drawn)
        status = plot(s, result);
    if (is_json(o)) {
        RunReport r = {.status = status, .summary = &summary};
        r.result = summary.rows && strcmp(result, "-") != 0 ? result : NULL;
        r.plot = is_drawn && status == EXIT_GOOD ? o->plot : NULL;
        r.state = summary.saved ? o->save_state : NULL;
        run_report_print(s, &r);
    }
    return status;
}

/* *again: the choice of states is at fault, perhaps, and there is another one. */
static Exit simulate_once(const Options *o, bool *again)
{
    Arena *mem = arena_new();
    Simulation s;
    Exit status = simulation_open(&s, o, true, (BuildOptions){0}, mem);
    *again = s.may_be_redundant && status == EXIT_MODEL && !s.build.error;
    Options other = *o;
    if (status == EXIT_GOOD && simulation_set_structure(&s, mem, &other)) {
        simulation_free(&s);
        status = simulation_open(&s, &other, true, (BuildOptions){0}, mem);
        *again = s.may_be_redundant && status == EXIT_MODEL && !s.build.error;
    }
    if (status == EXIT_GOOD) {
        status = run_loaded(&s, again);
        *again = *again && s.may_be_redundant && !o->sensitivity;
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
    wrong = o->plot ? plot_wrong_name(o->plot) : NULL;
    if (wrong) {
        fprintf(stderr, "rung: '%s': %s\n", o->plot, wrong);
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
    if (o->of && !o->sensitivity) {
        fputs("rung: --of needs --sensitivity 'p'\n", stderr);
        return EXIT_USAGE;
    }
    if (o->sensitivity && o->from && o->set.n) {
        fputs("rung: with --sensitivity a run that goes on has the parameters that it had\n",
              stderr);
        return EXIT_USAGE;
    }
    if (is_json(o) && o->output && strcmp(o->output, "-") == 0) {
        fputs("rung: --format json and -o - both want standard output\n", stderr);
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
