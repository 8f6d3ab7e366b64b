/* rung gradient: how objectives of a run change with parameters. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "study/input_file.h"
#include "study/optimize/objectives.h"

#include <stdio.h>

enum { DIGITS = 17 };

static void print_json(const Objectives *g, const Options *o, const SimulateSummary *s)
{
    Text text = text_new(g->mem);
    Json j = json_new(&text);
    json_object(&j, NULL);
    json_text(&j, "model", o->model);
    json_text(&j, "method", s->method);
    json_number(&j, "start", s->start, DIGITS);
    json_number(&j, "stop", s->t, DIGITS);
    json_number(&j, "tolerance", s->tolerance, DIGITS);
    json_array(&j, "objectives");
    for (uint32_t k = 0; k < g->each.n; k++) {
        const Objective *it = &g->each.at[k];
        json_object(&j, NULL);
        json_text(&j, "name", it->text);
        json_number(&j, "value", it->value, DIGITS);
        json_number(&j, "time", it->t, DIGITS);
        json_object(&j, "gradient");
        for (uint32_t i = 0; i < g->n_parameters; i++)
            json_number(&j, g->parameter[i], it->gradient[i], DIGITS);
        json_close(&j);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    puts(text.at);
}

static void print(const Objectives *g)
{
    for (uint32_t k = 0; k < g->each.n; k++) {
        const Objective *it = &g->each.at[k];
        printf("%s = %.10g", it->text, it->value);
        if (objective_is_extremum(it))
            printf(" at t = %.9g", it->t);
        putchar('\n');
        for (uint32_t j = 0; j < g->n_parameters; j++)
            printf("  by %-20s %.10g\n", g->parameter[j], it->gradient[j]);
    }
}

static Exit run(Objectives *g, const Options *o, Simulation *s)
{
    SimulateSummary summary;
    SimulateOptions so = simulation_options(s);
    Exit status = EXIT_GOOD;
    if (!objectives_find(g, s->build.model))
        return EXIT_MODEL;
    if (o->input && !(so.input = input_file_read(&s->request, s->build.model, s->mem, &status)))
        return status;
    status = objectives_run(g, s->build.model, so, &summary);
    if (status != EXIT_GOOD)
        return status;
    if (options_want_json(o))
        print_json(g, o, &summary);
    else
        print(g);
    return EXIT_GOOD;
}

Exit command_gradient(const Options *given)
{
    if (!given->objective || !given->sensitivity) {
        fputs("rung: gradient needs --objective 'y,integral(y),max(y)' and --by 'p'\n", stderr);
        return EXIT_USAGE;
    }
    if (!run_is_usable(given))
        return EXIT_USAGE;
    Arena *mem = arena_new();
    Objectives g = objectives_read(given->objective, mem);
    RunRequest r = run_request_of(given);
    r.translation.sensitivity_of = objectives_variables(&g);
    Simulation s;
    Exit status = simulation_open(&s, &r, false, (BuildOptions){0}, mem);
    if (status == EXIT_GOOD)
        status = run(&g, given, &s);
    simulation_free(&s);
    arena_free(mem);
    return status;
}
