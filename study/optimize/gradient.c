#include "study/optimize/gradient.h"

#include "study/input_file.h"
#include "study/simulation.h"

static Exit run(const RunRequest *r, Simulation *s, Objectives *g, SimulateSummary *sum)
{
    SimulateOptions so = simulation_options(s);
    Exit status = EXIT_GOOD;
    if (!objectives_find(g, s->build.model))
        return EXIT_MODEL;
    if (r->input && !(so.input = input_file_read(r, s->build.model, s->mem, &status)))
        return status;
    status = objectives_run(g, s->build.model, so, sum);
    if (status != EXIT_GOOD && !(r->is_trial && status != EXIT_INTERRUPTED))
        fprintf(stderr, "rung: %s\n", g->why);
    return status;
}

/* *is_trial: without a gradient another mode is to be tried. */
static Exit try_mode(const GradientRequest *r, GradientMode mode, Objectives *out,
                     SimulateSummary *sum, bool *is_trial, Arena *mem)
{
    *out = objectives_read(r->objective, mem);
    RunRequest with = r->run;
    with.translation.objective = r->objective;
    with.translation.sensitivity_of = objectives_variables(out);
    objectives_choose_mode(mode, &with);
    *is_trial = with.is_trial;
    Simulation s;
    Exit status = simulation_open_set(&s, &with, false, mem);
    if (status == EXIT_GOOD)
        out->model = arena_printf(mem, "%s", s.request.translation.model);
    if (status == EXIT_GOOD)
        status = run(&with, &s, out, sum);
    simulation_free(&s);
    return status;
}

Exit gradient(const GradientRequest *r, Objectives *out, SimulateSummary *sum, Arena *mem)
{
    bool is_trial;
    Exit status = try_mode(r, r->mode, out, sum, &is_trial, mem);
    if (status == EXIT_GOOD || status == EXIT_INTERRUPTED || !is_trial)
        return status;
    return try_mode(r, GRADIENT_DIRECT, out, sum, &is_trial, mem);
}
