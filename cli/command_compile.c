/* rung compile: the generated C in a directory, with what builds it elsewhere. */
#include "base/json.h"
#include "cli/command.h"
#include "cli/requests.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/prepare/inverse.h"
#include "eliminate/solution.h"
#include "emit/library/library.h"
#include "runtime/result/result.h"
#include "study/state_policy.h"
#include "translate/driver.h"
#include "translate/emission.h"
#include "translate/method.h"

#include <stdio.h>
#include <string.h>

static bool is_kind(const Options *o, const char *kind)
{
    return o->kind && strcmp(o->kind, kind) == 0;
}

/* Unknowns and inputs of the flat model that the patterns mean, in its order. */
static uint32_t find(Compilation *c, const char *option, const char *patterns, const VarId **out)
{
    VEC(VarId) found = {0};
    for (uint32_t k = 0; k < c->sys->var.n; k++) {
        const Var *v = &c->sys->var.at[k];
        if (v->type == TYPE_REAL && v->kind >= VAR_INPUT && !v->is_hidden &&
            !var_exists(v->der_of) && result_means(patterns, v->name.s))
            vec_push(c->mem, found, ((VarId){k}));
    }
    if (!found.n)
        diag_error(c->diags, SPAN_NONE, "G04", "--%s: no variable of type Real is called like '%s'",
                   option, patterns);
    *out = found.at;
    return found.n;
}

/* The flat model turned around, for the passes that follow. */
static bool invert(Compilation *c, const Options *o, InverseDynamics *it)
{
    if (!driver_run(c, driver_find("der")))
        return false;
    it->n = find(c, "motion", o->motion, &it->position);
    uint32_t n = find(c, "effort", o->effort, &it->effort);
    if (it->n && n && it->n != n)
        diag_error(c->diags, SPAN_NONE, "G04",
                   "--motion means %u variables, --effort %u: one effort belongs to each motion",
                   it->n, n);
    return it->n && it->n == n && inverse_make(c->sys, it, c->scratch);
}

static bool emit_inverse(Compilation *c, const Options *o, const InverseDynamics *it, Arena *mem,
                         EmitFiles *out)
{
    const Program *g = &c->dae.solution.program;
    LibraryOptions how = {
        .kind = LIBRARY_INVERSE,
        .single_precision = o->real && strcmp(o->real, "float") == 0,
        .inverse = {it->n, it->position, it->velocity, it->acceleration, it->effort}};
    const char *why = library_cannot(g);
    if (g->n_states)
        why = arena_printf(mem, "%u states are left, '%s' among them", g->n_states,
                           c->sys->var.at[g->state[0].i].name.s);
    if (why) {
        diag_error(c->diags, SPAN_NONE, "G05", "%s: no inverse dynamics of this model: %s",
                   c->request.model, why);
        return false;
    }
    return library_emit(g, how, request_emission(&c->request), mem, out);
}

enum { DENSE = 300 }; // equations solved by dense LU, in the instance

/* The program with its linear blocks solved at run time. NULL: one of them is too large. */
static const Program *pivoting_program(Compilation *c, Arena *mem)
{
    Program *numeric = arena_make(mem, Program);
    if (!solution_numeric(&c->dae, numeric, c->scratch))
        return NULL;
    for (uint32_t b = 0; b < numeric->n_blocks; b++)
        if (numeric->block[b].n > DENSE) {
            diag_warning(c->diags, SPAN_NONE, "G06",
                         "a pivoting solve would take a dense matrix of %u equations: where a "
                         "pivot vanishes functions of the library have a positive status",
                         numeric->block[b].n);
            return NULL;
        }
    return numeric;
}

/* What a library is made with: derivatives by inputs and of outputs and the residual form, which a
 * small target has no room for unless they are asked for. */
static bool emit_library(Compilation *c, const Options *o, Arena *mem, EmitFiles *out)
{
    Program *g = &c->dae.solution.program;
    LibraryOptions how = {
        .kind = is_kind(o, "embedded")      ? LIBRARY_EMBEDDED
                : is_kind(o, "single-file") ? LIBRARY_SINGLE
                                            : LIBRARY_FOLDER,
        .single_precision = o->real && strcmp(o->real, "float") == 0,
    };
    const char *why = library_cannot(g);
    if (why) {
        diag_error(c->diags, SPAN_NONE, "G05",
                   "%s: no C library can be made of this model: %s; a program (without --kind) or "
                   "an FMU (rung fmu) can",
                   c->request.model, why);
        return false;
    }
    bool small = how.kind == LIBRARY_EMBEDDED, asked = o->jacobian != NULL;
    bool derivatives = asked ? strcmp(o->jacobian, "analytic") == 0 : !small || o->parameters;
    if (derivatives && !linearisation_prepare(c))
        return false;
    if (g->linearisation && g->linearisation->n_implicit > DENSE) {
        diag_warning(c->diags, SPAN_NONE, "G06",
                     "derivatives would take a dense matrix of %u equations: the library has no "
                     "Jacobian, and its steps use differences",
                     g->linearisation->n_implicit);
        g->linearisation = NULL;
    } else if (g->linearisation && !g->linearisation->matrix.columns.entry) {
        diag_warning(c->diags, SPAN_NONE, "G06",
                     "something in the model has no derivative: the library has no Jacobian, and "
                     "its steps use differences");
        g->linearisation = NULL;
    }
    if (!small)
        residual_form_make(&c->dae, JACOBIAN_NODES, c->scratch);
    if (!small && !o->no_fallback && solution_has_pivots(&c->dae))
        g->numeric = pivoting_program(c, mem);
    return library_emit(g, how, request_emission(&c->request), mem, out);
}

static bool emit(Compilation *c, const Options *o, Arena *mem, EmitFiles *files)
{
    if (o->kind && !is_kind(o, "program"))
        return emit_library(c, o, mem, files);
    const char *method = o->method;
    if (!method && c->dae.loops.n_loops == 0) {
        /* without a library of integrators a program that stands alone takes its own */
        method = method_of(c);
        method = strcmp(method, "ida") == 0 ? "esdirk" : method;
    }
    if (method)
        method_prepare(c, method);
    else
        jacobian_of_inputs(&c->dae.solution.program, JACOBIAN_NODES, c->scratch);
    /* a compiler may not be at hand where it runs */
    bool ok =
        !o->no_fallback && solution_has_pivots(&c->dae)
            ? emission_with_fallback(c, mem, files)
            : emit_program(&c->dae.solution.program, request_emission(&c->request), mem, files);
    if (ok)
        emit_standalone(files);
    return ok;
}

/* Options that say nothing of the kind that is made. */
static bool fits(const Options *o)
{
    bool library = o->kind && !is_kind(o, "program");
    const char *wrong = NULL;
    if (library && o->method)
        wrong = "--method is for --kind program";
    else if (library && o->lanes)
        wrong = "--lanes is for --kind program";
    else if (!library && (o->jacobian || o->real || o->parameters))
        wrong = "--jacobian, --parameters and --real are for libraries (--kind)";
    else if (o->parameters &&
             (is_kind(o, "inverse") || (o->jacobian && strcmp(o->jacobian, "dense") == 0)))
        wrong = "--parameters asks for symbolic derivatives, which the other options leave out";
    else if (is_kind(o, "inverse") != (o->motion && o->effort) || (o->motion && !o->effort) ||
             (o->effort && !o->motion))
        wrong = "--kind inverse wants --motion and --effort, and they are for nothing else";
    else if (o->jacobian && is_kind(o, "inverse"))
        wrong = "inverse dynamics have no steps: --jacobian is for other kinds";
    else if (o->real && is_kind(o, "library") && strcmp(o->real, "float") == 0)
        wrong = "--real float is for --kind single-file and embedded";
    if (wrong)
        fprintf(stderr, "rung: %s\n", wrong);
    return !wrong;
}

static void print_json(const char *model, const char *dir, const EmitFiles *files)
{
    Text t = text_new(files->mem);
    Json j = json_new(&t);
    json_object(&j, NULL);
    json_text(&j, "model", model);
    json_text(&j, "id", files->id);
    json_text(&j, "directory", dir);
    json_count(&j, "statements", files->statements);
    json_array(&j, "files");
    for (uint32_t k = 0; k < files->file.n; k++)
        json_text(&j, NULL, files->file.at[k].name);
    json_close(&j);
    json_close(&j);
    puts(t.at);
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
    if (is_library && !o->loops)
        r.translation.loops = LOOPS_INDEX_REDUCTION;
    Arena *mem = arena_new();
    EmitFiles files = {0};
    InverseDynamics inverse = {0};
    Compilation *c;
    bool ok;
    if (is_kind(o, "inverse")) {
        c = compilation_open(&r.translation, mem);
        ok = c && invert(c, o, &inverse) && driver_run(c, NULL);
    } else {
        c = state_policy_translate(&r, !is_library, mem, &ok);
    }
    if (ok)
        ok = is_kind(o, "inverse") ? emit_inverse(c, o, &inverse, mem, &files)
                                   : emit(c, o, mem, &files);
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
                print_json(c->request.model, o->output, &files);
            else if (!o->quiet && is_library)
                printf("%s: %u files in %s; %s.h says what there is\n", c->request.model,
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
