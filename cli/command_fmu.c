/* rung fmu: the model as a Functional Mock-up Unit. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "emit/fmu/fmu.h"
#include "runtime/problem/context.h"
#include "study/instance_code.h"
#include "study/output.h"
#include "study/simulation.h"
#include "translate/driver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values known before a run: parameters, constants, inputs, start values of states. */
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

/* The user's options for the FMU. */
static FmuOptions choice_of(const Options *o)
{
    const char *interface = o->interface ? o->interface : "both";
    return (FmuOptions){.version = o->fmi && !strcmp(o->fmi, "3") ? 3 : 2,
                        .model_exchange = strcmp(interface, "cs") != 0,
                        .co_simulation = strcmp(interface, "me") != 0,
                        .sources = o->sources,
                        .tool = "rung " RUNG_VERSION,
                        .interrupt = &simulation_interrupted};
}

static void print_json(const Options *o, const char *model, const FmuResult *made)
{
    FmuOptions what = choice_of(o);
    Arena *mem = arena_new();
    Text t = text_new(mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", model);
    json_text(&j, "file", o->output);
    json_text(&j, "fmi_version", what.version == 3 ? "3.0" : "2.0");
    json_text(&j, "identifier", made->identifier);
    json_text(&j, "token", made->token);
    json_bool(&j, "model_exchange", what.model_exchange);
    json_bool(&j, "co_simulation", what.co_simulation);
    json_bool(&j, "saves_state", made->saves_state);
    json_bool(&j, "directional_derivatives", made->has_derivatives);
    json_bool(&j, "adjoint_derivatives", made->has_derivatives && what.version == 3);
    json_count(&j, "bytes", made->size);
    json_array(&j, "files");
    for (uint32_t k = 0; k < made->n_files; k++) {
        json_object(&j, NULL);
        json_text(&j, "path", made->file[k].path);
        json_count(&j, "bytes", made->file[k].size);
        json_close(&j);
    }
    json_close(&j);
    json_count(&j, "variables", made->n_variables);
    json_count(&j, "aliases", made->n_aliases);
    json_count(&j, "states", made->n_states);
    json_count(&j, "inputs", made->n_inputs);
    json_count(&j, "outputs", made->n_outputs);
    json_count(&j, "parameters", made->n_parameters);
    json_count(&j, "tunable_parameters", made->n_tunable);
    json_count(&j, "event_indicators", made->n_indicators);
    json_count(&j, "terminals", made->n_terminals);
    if (made->needs)
        json_text(&j, "needs", made->needs);
    json_close(&j);
    printf("%s\n", t.at);
    arena_free(mem);
}

static Exit make(Compilation *c, const Options *o, const EmitFiles *files)
{
    Build b;
    FmuResult made = {0};
    FmuOptions choice = choice_of(o);
    choice.cache = o->no_cache ? NULL : cache_open(c->mem);
    BuildOptions build = {.keep = true, .sections = true, .interrupt = &simulation_interrupted};
    simulation_catch_interrupts();
    bool ok = build_model(files, build, c->mem, &b);
    if (!ok) {
        made.error = b.error;
        made.status = b.status;
    } else {
        FmuModel m = {&c->dae.solution.program, c->sys, files, b.model,
                      start_values(b.model, c->mem)};
        ok = fmu_make(&m, choice, &b, c->mem, &made);
    }
    build_close(&b);
    build_remove(&b);
    if (simulation_interrupted)
        return EXIT_INTERRUPTED;
    if (!ok) {
        fprintf(stderr, "rung: %s\n", made.error);
        return (Exit)made.status;
    }
    if (made.needs)
        fprintf(stderr,
                "rung: warning: the FMU loads shared libraries (%s): static archives of them were "
                "not found\n",
                made.needs);
    if (!output_write(o->output, made.bytes, made.size))
        return EXIT_FILE;
    if (strcmp(o->output, "-") == 0)
        return EXIT_GOOD;
    if (options_want_json(o))
        print_json(o, c->request.model, &made);
    else if (!o->quiet)
        printf("%s: FMI %s in %s, %zu bytes\n", c->request.model, o->fmi ? o->fmi : "2", o->output,
               made.size);
    return EXIT_GOOD;
}

Exit command_fmu(const Options *o)
{
    if (!o->output) {
        fputs("rung: fmu needs -o M.fmu\n", stderr);
        return EXIT_USAGE;
    }
    Arena *mem = arena_new();
    RunRequest r = run_request_of(o);
    InstanceCode code = instance_code_make(&r, true, mem);
    Exit status = code.c ? compilation_report(code.c, stderr) : EXIT_USAGE;
    if (code.is_good && status == EXIT_GOOD)
        status = make(code.c, o, &code.files);
    compilation_free(code.c);
    arena_free(mem);
    return status;
}
