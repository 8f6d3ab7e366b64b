/* rung gradient: how objectives of a run change with parameters. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "study/optimize/gradient.h"

#include <stdio.h>

enum { DIGITS = 17 };

static void print_json(const Objectives *g, const SimulateSummary *s)
{
    Text text = text_new(g->mem);
    Json j = json_new(&text);
    json_object(&j, NULL);
    json_text(&j, "model", g->model);
    json_text(&j, "method", s->method);
    json_text(&j, "mode", g->back ? "adjoint" : "direct");
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

Exit command_gradient(const Options *given)
{
    if (!given->objective || !given->sensitivity) {
        fputs("rung: gradient needs --objective 'y,integral(y),max(y)' and --by 'p'\n", stderr);
        return EXIT_USAGE;
    }
    if (!run_is_usable(given))
        return EXIT_USAGE;
    Arena *mem = arena_new();
    GradientRequest r = {.run = run_request_of(given),
                         .objective = given->objective,
                         .mode = gradient_mode_of(given)};
    Objectives g;
    SimulateSummary summary;
    Exit status = gradient(&r, &g, &summary, mem);
    if (status == EXIT_GOOD && options_want_json(given))
        print_json(&g, &summary);
    else if (status == EXIT_GOOD)
        print(&g);
    arena_free(mem);
    return status;
}
