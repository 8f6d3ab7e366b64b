/* rung simulate: translate, compile, run, write the trajectories. */
#include "cli/command.h"
#include "cli/plotting.h"
#include "cli/requests.h"
#include "runtime/problem/context.h"
#include "runtime/result/result.h"
#include "study/run.h"
#include "study/run_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_json(const Options *o)
{
    return o->format && strcmp(o->format, "json") == 0;
}

/* Standard output is for the result, or for the summary as JSON. */
static bool may_print(const Options *o, const char *result)
{
    return !o->quiet && !is_json(o) && strcmp(result, "-") != 0;
}

/* The attributes of a variable of the model. */
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

static const char *display_unit_of(void *user, const char *name)
{
    const RungAttributes *a = attributes_of(user, name);
    return a ? a->display_unit : NULL;
}

static bool is_output(void *user, const char *name)
{
    const RungAttributes *a = attributes_of(user, name);
    return a && a->is_output;
}

/* The picture of a result. */
static Exit plot(Simulation *s, const Options *o, const char *result)
{
    const PlotOptions p = {.title = s->request.translation.model,
                           .signals = o->plot_signals,
                           .unit = unit_of,
                           .display_unit = display_unit_of,
                           .is_output = is_output,
                           .user = s};
    return plot_write(&result, 1, o->plot, p, o);
}

static Exit report(Run *run, void *user)
{
    const Options *o = user;
    Simulation *s = &run->simulation;
    const SimulateSummary *sum = &run->summary;
    const char *result = run->result;
    // a run that has no row made no step
    bool prints = may_print(o, result) && sum->rows > 0;
    Exit status = run->status;
    if (run->end != SIMULATE_OK)
        fprintf(stderr, "rung: %s\n", sum->error);
    if (prints)
        simulate_print_summary(sum, stdout);
    if (prints && s->request.is_profiled)
        simulate_print_profile(&s->profile, stdout);
    if (s->audit && run->is_begun)
        auditing_report(s->audit, prints ? stdout : NULL);
    if (run->not_audited && run->is_begun && prints)
        printf("audit: left out, since %s; --audit makes it\n", run->not_audited);
    if (s->error && prints)
        error_estimate_report(s->error, stdout);
    run_say_no_estimate(run);
    if (sum->rows > 0 && !run_write_geometry(run) && status == EXIT_GOOD)
        status = EXIT_FILE;
    // a result whose audit fails is kept, and drawn
    bool is_whole = run->end == SIMULATE_OK && status != EXIT_FILE;
    if (is_whole && prints)
        printf("result in %s\n", result);
    bool is_drawn = is_whole && o->plot;
    Exit drawn = is_drawn ? plot(s, o, result) : EXIT_GOOD;
    status = drawn == EXIT_GOOD ? status : drawn;
    if (is_json(o)) {
        RunReport r = {.status = status, .summary = sum};
        r.result = sum->rows && strcmp(result, "-") != 0 ? result : NULL;
        r.plot = is_drawn && drawn == EXIT_GOOD ? o->plot : NULL;
        r.state = sum->saved ? o->save_state : NULL;
        run_report_print(s, &r);
    }
    return status;
}

Exit command_simulate(const Options *o)
{
    if (!run_is_usable(o))
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
    if (o->audit && o->no_audit) {
        fputs("rung: --audit and --no-audit contradict each other\n", stderr);
        return EXIT_USAGE;
    }
    if (!isnan(o->save_interval) && !o->save_state) {
        fputs("rung: --save-interval needs --save-state S\n", stderr);
        return EXIT_USAGE;
    }
    if ((o->of || !isnan(o->sensitivity_tolerance)) && !o->sensitivity) {
        fprintf(stderr, "rung: --%s needs --sensitivity 'p'\n",
                o->of ? "of" : "sensitivity-tolerance");
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
    RunRequest r = run_request_of(o);
    return run_model(&r, report, (void *)(uintptr_t)o);
}
