/* rung compile: the generated C in a directory, with a Makefile. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "cli/variable_json.h"
#include "emit/model/event_code.h"
#include "runtime/method/method_needs.h"
#include "runtime/run/simulate.h"
#include "study/state_policy.h"
#include "translate/c_library.h"
#include "translate/emission.h"
#include "translate/method.h"

#include <stdio.h>
#include <string.h>

static bool is_kind(const Options *o, const char *kind)
{
    return o->kind && strcmp(o->kind, kind) == 0;
}

/* Reports options that have no effect for the chosen --kind. */
static bool fits(const Options *o)
{
    bool library = o->kind && !is_kind(o, "program");
    const char *wrong = NULL;
    if (library && o->method)
        wrong = "--method is for --kind program";
    else if (o->method && simulate_method_needs(o->method) & NEEDS_SUNDIALS)
        wrong = "programs are made without SUNDIALS: take --method esdirk, gear or dopri5";
    else if (library && !is_kind(o, "library") && o->lanes)
        wrong = "--lanes is for --kind program and library";
    else if (!library && (o->jacobian || o->real || o->parameters))
        wrong = "--jacobian, --parameters and --real are for libraries (--kind)";
    else if (!library && (o->sensitivity || o->adjoint))
        wrong = "--sensitivity and --adjoint are for libraries (--kind); rung simulate and rung "
                "gradient "
                "have them for runs";
    else if (is_kind(o, "inverse") && (o->sensitivity || o->adjoint))
        wrong = "inverse dynamics have no run: --sensitivity and --adjoint are for other kinds";
    else if ((o->sensitivity || o->adjoint) && o->lanes)
        wrong = "lanes have no derivatives by parameters: --sensitivity and --adjoint are without "
                "--lanes";
    else if (o->sensitivity && o->adjoint)
        wrong = "a library has derivatives along its steps or backward: --sensitivity or --adjoint";
    else if (o->parameters &&
             (is_kind(o, "inverse") || (o->jacobian && strcmp(o->jacobian, "dense") == 0)))
        wrong = "--parameters asks for symbolic derivatives, which the other options leave out";
    else if (is_kind(o, "inverse") != (o->motion && o->effort) || (o->motion && !o->effort) ||
             (o->effort && !o->motion))
        wrong = "--kind inverse needs --motion and --effort, which are for this kind only";
    else if (o->jacobian && is_kind(o, "inverse"))
        wrong = "inverse dynamics have no steps: --jacobian is for other kinds";
    else if (o->real && is_kind(o, "library") && strcmp(o->real, "float") == 0)
        wrong = "--real float is for --kind single-file and embedded";
    if (wrong)
        fprintf(stderr, "rung: %s\n", wrong);
    return !wrong;
}

/* The variables of each sort with their places in x, u, y and among the parameters. */
static void put_members(Json *j, const System *s, const EmitFiles *files)
{
    for (uint32_t k = 0; k < files->n_members; k++) {
        const EmitMembers *it = &files->member[k];
        json_line(j, 2);
        json_array(j, arena_printf(files->mem, "%ss", it->what));
        for (uint32_t i = 0; i < it->n; i++) {
            json_line(j, 4);
            json_object(j, NULL);
            json_count(j, "place", it->place[i]);
            variable_json(j, s, &s->var.at[it->var[i].i], files->mem);
            json_close(j);
        }
        json_close(j);
    }
}

static void put_names(Json *j, const System *s, uint32_t n, const VarId *var)
{
    for (uint32_t k = 0; k < n; k++)
        json_text(j, NULL, s->var.at[var[k].i].name.s);
}

/* Rows and columns of M_jacobian, by name: rows are derivatives of the states, then outputs. */
static void put_jacobian(Json *j, const System *s, const Program *g)
{
    const Linearisation *lin = g->linearisation;
    json_line(j, 2);
    json_object(j, "jacobian");
    json_array(j, "rows");
    put_names(j, s, lin->n_states, g->state);
    put_names(j, s, lin->n_outputs, lin->output);
    json_close(j);
    json_array(j, "columns");
    put_names(j, s, lin->n_states, g->state);
    put_names(j, s, lin->n_inputs, lin->input);
    put_names(j, s, lin->n_parameters, lin->parameter);
    json_close(j);
    json_close(j);
}

static void print_json(const Compilation *c, const Options *o, const EmitFiles *files)
{
    const Program *g = &c->dae.solution.program;
    Text t = text_new(files->mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", c->request.model);
    json_text(&j, "id", files->id);
    json_text(&j, "directory", o->output);
    json_count(&j, "statements", files->statements);
    json_array(&j, "files");
    for (uint32_t k = 0; k < files->file.n; k++)
        json_text(&j, NULL, files->file.at[k].name);
    json_close(&j);
    put_members(&j, c->sys, files);
    if (files->n_members && g->linearisation)
        put_jacobian(&j, c->sys, g);
    if (files->n_members) {
        json_line(&j, 2);
        json_bool(&j, "events", event_exists(g));
    }
    json_close(&j);
    puts(t.at);
}

static LibraryKind library_kind(const Options *o)
{
    return is_kind(o, "embedded")      ? LIBRARY_EMBEDDED
           : is_kind(o, "single-file") ? LIBRARY_SINGLE
                                       : LIBRARY_FOLDER;
}

static bool emit(Compilation *c, const Options *o, Arena *mem, EmitFiles *files)
{
    bool is_float = o->real && strcmp(o->real, "float") == 0;
    if (!o->kind || is_kind(o, "program"))
        return emission_standalone(c, o->no_fallback, mem, files);
    if (is_kind(o, "inverse")) {
        InverseRequest r = {o->motion, o->effort, is_float};
        return c_library_inverse(c, &r, mem, files);
    }
    LibraryRequest r = {library_kind(o), is_float, o->no_fallback};
    return c_library_make(c, &r, mem, files);
}

Exit command_compile(const Options *o)
{
    if (!o->output) {
        fputs("rung: compile needs -o DIR\n", stderr);
        return EXIT_USAGE;
    }
    uint32_t width[MOST_LANES], n_lanes;
    if ((o->method && !method_known(o->method)) || !fits(o) || !options_lanes(o, width, &n_lanes))
        return EXIT_USAGE;
    // an evaluation of a library is straight code: positions that follow are solved for in blocks
    RunRequest r = run_request_of(o);
    bool is_library = o->kind && !is_kind(o, "program");
    r.translation.base_parameters = is_library && !o->adjoint;
    r.translation.derives_outputs = is_library;
    if (o->adjoint) {
        r.translation.sensitivity_by = o->adjoint;
        r.translation.adjoint = true;
    }
    if (is_library && !o->loops)
        r.translation.loops = LOOPS_INDEX_REDUCTION;
    Arena *mem = arena_new();
    EmitFiles files = {0};
    Compilation *c;
    bool ok;
    if (is_kind(o, "inverse")) {
        c = compilation_open(&r.translation, mem);
        ok = c != NULL;
    } else {
        c = state_policy_translate(&r, !is_library, mem, &ok);
    }
    ok = ok && emit(c, o, mem, &files);
    Exit status = c ? compilation_report(c, stderr) : EXIT_USAGE;
    if (status == EXIT_MODEL && is_library && !o->loops && c->sys->cut.n)
        fputs(
            "rung: a C library closes kinematic loops by index reduction, which this model may not "
            "allow; a program (without --kind) and an FMU cut them open\n",
            stderr);
    if (ok && status == EXIT_GOOD) {
        const char *error = NULL;
        if (emit_write(&files, o->output, mem, &error)) {
            if (options_want_json(o))
                print_json(c, o, &files);
            else if (!o->quiet && is_library)
                printf("%s: %u files in %s; %s.h documents the interface\n", c->request.model,
                       files.file.n, o->output, files.id);
            else if (!o->quiet)
                printf("%s: %u files in %s; `make -C %s` builds the simulator\n", c->request.model,
                       files.file.n, o->output, o->output);
        } else {
            fprintf(stderr, "rung: %s\n", error);
            status = EXIT_FILE;
        }
    }
    compilation_free(c);
    arena_free(mem);
    return status;
}
