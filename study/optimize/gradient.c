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
    return objectives_run(g, s->build.model, so, sum);
}

/* Values along the run, gradients on the way back. */
static Exit run_back(const RunRequest *r, Simulation *s, Objectives *g, SimulateSummary *sum)
{
    SimulateOptions so = simulation_options(s);
    const RungAdjoint *a = s->build.model->adjoint;
    Exit status = EXIT_GOOD;
    if (!objectives_find_values(g, s->build.model))
        return EXIT_MODEL;
    if (r->input && !(so.input = input_file_read(r, s->build.model, s->mem, &status)))
        return status;
    double *all = arena_array(s->mem, double, (size_t)a->n_objectives * a->n + 1);
    so.gradient = all;
    status = objectives_run(g, s->build.model, so, sum);
    const char **name = arena_array(g->mem, const char *, a->n + 1);
    for (uint32_t j = 0; j < a->n; j++)
        name[j] = arena_printf(g->mem, "%s", a->name[j]);
    g->parameter = name;
    g->n_parameters = a->n;
    for (uint32_t k = 0; k < g->each.n; k++) {
        Objective *it = &g->each.at[k];
        it->gradient = arena_array(g->mem, double, a->n + 1);
        for (uint32_t j = 0; j < a->n; j++)
            it->gradient[j] = all[(size_t)k * a->n + j];
    }
    return status;
}

Exit gradient(const GradientRequest *r, Objectives *out, SimulateSummary *sum, Arena *mem)
{
    *out = objectives_read(r->objective, mem);
    RunRequest with = r->run;
    with.translation.objective = r->objective;
    with.translation.sensitivity_of = objectives_variables(out);
    with.translation.adjoint = r->is_adjoint;
    if (r->is_adjoint && !with.translation.method)
        with.translation.method = "esdirk";
    Simulation s;
    Exit status = simulation_open(&s, &with, false, (BuildOptions){0}, mem);
    if (status == EXIT_GOOD)
        out->model = arena_printf(mem, "%s", s.request.translation.model);
    if (status == EXIT_GOOD)
        status = r->is_adjoint ? run_back(&with, &s, out, sum) : run(&with, &s, out, sum);
    simulation_free(&s);
    return status;
}
