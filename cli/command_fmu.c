/* rung fmu: the model as a Functional Mock-up Unit. */
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/emission.h"
#include "cli/method.h"
#include "cli/output.h"
#include "cli/simulation.h"
#include "eliminate/forms/linearisation.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/solution.h"
#include "emit/fmu/fmu.h"
#include "runtime/context.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known before a run: parameters, constants, inputs, start values of states. */
static const double *start_values(const RungModel *m, Arena *mem)
{
    double *value = arena_array(mem, double, m->n_variables + 1);
    RungContext *ctx = context_new(m);
    double *x = calloc(m->n_states + (size_t)1, sizeof *x);
    bool ok = ctx && x && !context_update(ctx) && !m->start(ctx, m->experiment.start, x);
    for (uint32_t k = 0; k < m->n_variables; k++) {
        RungPlace place = rung_variable(m, k).place;
        bool is_known =
            place != RUNG_IN_VALUES && place != RUNG_IN_UNKNOWNS && place != RUNG_IS_TIME;
        value[k] = ok && is_known ? rung_value(ctx, k, 0, x, NULL) : NAN;
    }
    context_free(ctx);
    free(x);
    return value;
}

static FmuOptions options_of(const Options *o, const Compilation *c)
{
    const char *interface = o->interface ? o->interface : "both";
    return (FmuOptions){.version = o->fmi && !strcmp(o->fmi, "3") ? 3 : 2,
                        .model_exchange = strcmp(interface, "cs") != 0,
                        .co_simulation = strcmp(interface, "me") != 0,
                        .sources = o->sources,
                        .tool = "rung " RUNG_VERSION,
                        .interrupt = &simulation_interrupted,
                        .cache = o->no_cache ? NULL : cache_open(c->mem)};
}

/* A file that is there whole or not at all. */
static Exit write_fmu(const Options *o, const char *bytes, size_t size)
{
    Output out;
    if (!output_open(&out, o->output))
        return EXIT_FILE;
    fwrite(bytes, 1, size, out.file);
    return output_close(&out) ? EXIT_GOOD : EXIT_FILE;
}

static Exit make(Compilation *c, const EmitFiles *files)
{
    const Options *o = c->options;
    Build b;
    const char *bytes = NULL, *error = NULL;
    size_t size = 0;
    int status = EXIT_GOOD;
    BuildOptions build = {.keep = true, .sections = true, .interrupt = &simulation_interrupted};
    simulation_catch_interrupts();
    bool ok = build_model(files, build, c->mem, &b);
    if (!ok) {
        error = b.error;
        status = b.status;
    } else {
        FmuModel m = {c->sys, files, b.model, start_values(b.model, c->mem)};
        ok = fmu_make(&m, options_of(o, c), &b, c->mem, &bytes, &size, &error, &status);
    }
    build_close(&b);
    build_remove(&b, c->mem);
    if (simulation_interrupted)
        return EXIT_INTERRUPTED;
    if (!ok) {
        fprintf(stderr, "rung: %s\n", error);
        return (Exit)status;
    }
    status = write_fmu(o, bytes, size);
    if (status == EXIT_GOOD && !o->quiet && strcmp(o->output, "-") != 0)
        printf("%s: FMI %s in %s, %zu bytes\n", o->model, o->fmi ? o->fmi : "2", o->output, size);
    return (Exit)status;
}

Exit command_fmu(const Options *o)
{
    if (!o->output) {
        fputs("rung: fmu needs -o M.fmu\n", stderr);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    Compilation *c = compilation_open(o, mem);
    EmitFiles files = {0};
    bool ok = c && driver_run(c, NULL);
    if (ok) {
        Program *g = &c->dae.solution.program;
        LinearisationChoice choice = linearisation_top_level(g, c->mem);
        linearisation_make(&c->dae, &choice, JACOBIAN_NODES, c->scratch);
        method_prepare(c, "esdirk");
        if (!g->jacobian)
            jacobian_of_states(g, JACOBIAN_NODES, c->scratch);
    }
    if (ok && solution_has_pivots(&c->dae))
        ok = emission_with_fallback(c, mem, &files);
    else if (ok)
        ok = emit_program(&c->dae.solution.program, options_emission(o), mem, &files);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (ok && status == EXIT_GOOD)
        status = make(c, &files);
    compilation_free(c);
    arena_free(mem);
    return status;
}
