#include "study/simulation.h"

#include "eliminate/solution.h"
#include "emit/model/external_code.h"
#include "emit/picture/geometry.h"
#include "translate/driver.h"
#include "translate/method.h"
#include "translate/setting_values.h"
#include "translate/structural_set.h"
#include "translate/translation_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t simulation_interrupted; /* a signal handler has no argument of its own */

static void on_interrupt(int sig)
{
    (void)sig;
    simulation_interrupted = 1;
}

static void handle(void (*handler)(int))
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
    /* the second one ends the program at once: a function of somebody else may never return */
    struct sigaction action = {.sa_handler = handler, .sa_flags = (int)SA_RESETHAND}, before;
    for (size_t k = 0; k < sizeof caught / sizeof *caught; k++) {
        bool has_left = caught[k] == SIGHUP && !sigaction(SIGHUP, NULL, &before) &&
                        before.sa_handler == SIG_IGN; // nohup: it outlives its terminal
        if (!has_left)
            sigaction(caught[k], &action, NULL);
    }
}

void simulation_catch_interrupts(void)
{
    handle(on_interrupt);
}

void simulation_release_interrupts(void)
{
    handle(SIG_DFL);
}

void simulation_phase(const RunRequest *r, const char *text)
{
    if (r->progress == PROGRESS_BAR || (r->progress == PROGRESS_AUTO && isatty(2)))
        fprintf(stderr, "\r\033[K%s", text);
}

/* Records the files and directories that it reads in `to`, unless that is NULL. */
static bool translate(Simulation *s, const RunRequest *r, Dependencies *to, Arena *mem)
{
    s->c = compilation_open_recording(&r->translation, mem, to);
    s->request = *r;
    if (s->c)
        s->request.translation = s->c->request;
    s->mem = mem;
    bool ok = s->c && driver_run(s->c, NULL);
    if (s->c) {
        s->class_name = s->c->sys->class_name.s;
        s->geometry = geometry_json(s->c->sys, mem);
        const StateChoice states = r->translation.states;
        s->may_be_redundant = (states == STATES_DEFAULT || states == STATES_DIFFERENTIATED) &&
                              s->c->dae.redundancy.n > 0;
        s->has_preferred = states == STATES_DEFAULT && s->c->dae.has_preferred;
    }
    // first: nodes equal by value are shared, also with those of other forms
    if (ok && r->translation.linearisation)
        ok = linearisation_prepare(s->c, INDEPENDENT_PARAMETERS);
    if (ok && s->c->dae.adjoint)
        ok = adjoint_prepare(s->c);
    if (ok)
        method_prepare(s->c, s->c->request.method);
    ok = ok && emit_program(&s->c->dae.solution.program, request_emission(&r->translation), mem,
                            &s->files);
    if (ok && to)
        external_depends(&s->files, to);
    return ok;
}

bool simulation_translate(Simulation *s, const RunRequest *r, Arena *mem)
{
    *s = (Simulation){.cache = r->keeps_nothing ? NULL : cache_open(mem)};
    return translate(s, r, NULL, mem);
}

bool simulation_build(Simulation *s, BuildOptions how, Arena *mem)
{
    how.interrupt = &simulation_interrupted;
    how.cache = s->cache;
    return build_model(&s->files, how, mem, &s->build);
}

/* Prints the diagnostics of the compilation to stderr and copies them to *messages. */
static Exit report(Compilation *c, Arena *mem, const char **messages)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    if (!f)
        return compilation_report(c, stderr);
    Exit status = compilation_report(c, f);
    fclose(f);
    *messages = arena_copy(mem, text, strlen(text));
    free(text);
    fputs(*messages, stderr);
    return status;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool take_kept(Simulation *s, const RunRequest *asked, const char *record, Arena *mem)
{
    TranslationRecord r;
    if (!translation_record_read(&r, s->cache, record, mem) ||
        !build_load(s->cache, r.entry, mem, &s->build))
        return false;
    s->request = *asked;
    s->request.translation.model = r.model;
    s->class_name = r.class_name;
    s->may_be_redundant = r.may_be_redundant;
    s->has_preferred = r.has_preferred;
    s->geometry = r.geometry;
    s->depends = r.depends;
    fputs(r.messages, stderr);
    return true;
}

/* Values of request.set as the program reads them. */
static Exit read_settings(Simulation *s)
{
    Texts *set = &s->request.set;
    const char *wrong = setting_values_read(s->build.model, set, set, s->mem);
    if (!wrong)
        return EXIT_GOOD;
    fprintf(stderr, "rung: %s\n", wrong);
    return EXIT_MODEL;
}

Exit simulation_open(Simulation *s, const RunRequest *asked, bool silent_if_redundant,
                     BuildOptions how, Arena *mem)
{
    double begun = now();
    *s = (Simulation){.mem = mem, .cache = asked->keeps_nothing ? NULL : cache_open(mem)};
    // a model compiled with special flags has no record
    const char *record = s->cache && !how.optimise && !how.keep
                             ? translation_record_name(&asked->translation, mem)
                             : NULL;
    if (record && take_kept(s, asked, record, mem)) {
        simulation_catch_interrupts();
        s->seconds = now() - begun;
        return read_settings(s);
    }
    Dependencies depends = dependencies_new(mem);
    simulation_phase(asked, "translating");
    bool ok = translate(s, asked, record ? &depends : NULL, mem);
    simulation_phase(asked, "");
    s->seconds = now() - begun;
    if (!s->c)
        return EXIT_USAGE;
    if (!ok &&
        (asked->is_trial || (silent_if_redundant && (s->may_be_redundant || s->has_preferred))))
        return EXIT_MODEL;
    const char *messages = "";
    Exit status = report(s->c, mem, &messages);
    if (!ok || status != EXIT_GOOD)
        return status == EXIT_GOOD ? EXIT_MODEL : status;

    simulation_phase(asked, "compiling the generated C");
    simulation_catch_interrupts();
    ok = simulation_build(s, how, mem);
    simulation_phase(asked, "");
    if (!ok && simulation_interrupted)
        return EXIT_INTERRUPTED;
    if (!ok) {
        fprintf(stderr, "rung: %s\n", s->build.error);
        return (Exit)s->build.status;
    }
    if (record && s->build.kept && dependencies_known(&depends)) {
        Text lines = text_new(mem);
        dependencies_print(&depends, &lines);
        const TranslationRecord r = {s->request.translation.model,
                                     s->class_name,
                                     s->may_be_redundant,
                                     s->has_preferred,
                                     s->build.kept,
                                     messages,
                                     s->geometry,
                                     lines.at};
        translation_record_keep(&r, s->cache, record, mem);
    }
    return read_settings(s);
}

/* The compilation, made now if the model came from the cache; NULL if the files have changed
 * since. */
static Compilation *simulation_compilation(Simulation *s)
{
    if (s->c)
        return s->c;
    Dependencies depends = dependencies_new(s->mem);
    Text lines = text_new(s->mem);
    RunRequest asked = s->request;
    bool ok = translate(s, &asked, &depends, s->mem);
    dependencies_print(&depends, &lines);
    if (ok && strcmp(lines.at, s->depends) == 0)
        return s->c;
    compilation_free(s->c);
    return s->c = NULL;
}

bool simulation_set_structure(const Simulation *s, Arena *mem, RunRequest *out)
{
    const RunRequest *r = &s->request;
    Texts left;
    const char *model = structural_model(s->build.model, r->translation.model, &r->set, &left, mem);
    if (!model)
        return false;
    *out = *r;
    out->translation.model = model;
    out->set = left;
    request_warned(&out->translation);
    if (!r->quiet)
        fprintf(stderr,
                "rung: fixed when the model is compiled, so that it is compiled again: %s\n",
                model);
    return true;
}

Exit simulation_open_set(Simulation *s, const RunRequest *r, bool silent_if_redundant, Arena *mem)
{
    RunRequest other;
    Exit status = simulation_open(s, r, silent_if_redundant, (BuildOptions){0}, mem);
    if (status != EXIT_GOOD || !simulation_set_structure(s, mem, &other))
        return status;
    simulation_free(s);
    return simulation_open(s, &other, silent_if_redundant, (BuildOptions){0}, mem);
}

static const RungModel *make_numeric(Simulation *s, bool initial, Build *out)
{
    Compilation *c = simulation_compilation(s);
    Program *p = arena_make(s->mem, Program);
    EmitFiles files;
    EmitOptions how = c ? request_emission(&c->request) : emit_defaults();
    how.n_lanes = 0;
    bool ok = c && solution_numeric(&c->dae, true, p, c->scratch) &&
              (!initial || solution_numeric_initial(&c->dae, p, c->scratch)) &&
              emit_program(p, how, c->mem, &files) &&
              build_model(&files, (BuildOptions){.cache = s->cache}, c->mem, out);
    return ok ? out->model : NULL;
}

/* Many runs share it. */
static const RungModel *make_fallback(void *user)
{
    Simulation *s = user;
    const Build *known = s->fallback.model ? &s->fallback : &s->initial_fallback;
    return known->model ? known->model : make_numeric(s, false, &s->fallback);
}

static const RungModel *make_initial_fallback(void *user)
{
    Simulation *s = user;
    return s->initial_fallback.model ? s->initial_fallback.model
                                     : make_numeric(s, true, &s->initial_fallback);
}

/* Explains values that are not finite; makes the flat model for it unless the audit has one. */
static void explain(void *user, double t, const double *value, char *text, size_t size)
{
    Simulation *s = user;
    Compilation *c = s->audit ? NULL : simulation_compilation(s);
    Auditing *made = c ? auditing_new(&s->request, s->build.model, c->mem) : NULL;
    if (s->audit || made)
        auditing_explain(s->audit ? s->audit : made, t, value, text, size);
    auditing_free(made);
}

/* A parameter that is set follows from no other any more: its derivatives by others are 0. */
static void set_derivatives(const Simulation *s, SimulateOptions *so)
{
    const RungModel *m = s->build.model;
    Texts all = {0};
    for (uint32_t k = 0; k < so->n_set; k++)
        vec_push(s->mem, all, so->set[k]);
    for (uint32_t k = 0; k < so->n_set; k++) {
        const char *eq = strchr(so->set[k], '=');
        int n = eq ? (int)(eq - so->set[k]) : 0;
        const char *begin = arena_printf(s->mem, "der(%.*s,", n, so->set[k]);
        for (uint32_t i = 0; i < m->n_variables && n; i++)
            if (!strncmp(rung_name(m, i), begin, strlen(begin)) &&
                rung_variable(m, i).attributes->kind == RUNG_PARAMETER)
                vec_push(s->mem, all, arena_printf(s->mem, "%s=0", rung_name(m, i)));
    }
    so->set = all.at;
    so->n_set = all.n;
}

SimulateOptions simulation_options(Simulation *s)
{
    static const JacobianKind jacobian[] = {[DERIVATIVES_DEFAULT] = JACOBIAN_ANALYTIC,
                                            [DERIVATIVES_ANALYTIC] = JACOBIAN_ANALYTIC,
                                            [DERIVATIVES_COLOURED] = JACOBIAN_COLOURED,
                                            [DERIVATIVES_DENSE] = JACOBIAN_DENSE};
    const RunRequest *r = &s->request;
    SimulateOptions so = simulate_defaults();
    so.method = r->translation.method;
    // where states may become dependent, an explicit method may step over the place and go on along
    // another branch; an implicit one stops there, and the run begins again
    if (!so.method && s->may_be_redundant && !s->build.model->loops)
        so.method = "esdirk";
    so.stop = r->stop;
    so.stabilises = r->is_stabilised;
    so.with_pivoting = r->with_pivoting;
    so.tolerance = r->tolerance;
    so.interval = r->interval;
    so.step = r->step;
    so.loops = loop_choice_name(r->translation.loops);
    so.jacobian = jacobian[r->translation.jacobian];
    so.jacobian_reuse = r->jacobian_reuse;
    so.closing = r->closing;
    so.profile = r->is_profiled ? &s->profile : NULL;
    so.sensitivity_tolerance = r->sensitivity_tolerance;
    so.memory = r->memory;
    so.set = r->set.at;
    so.n_set = r->set.n;
    if (r->translation.sensitivity_by)
        set_derivatives(s, &so);
    so.signals = r->signals;
    so.fallback = make_fallback;
    so.initial_fallback = make_initial_fallback;
    so.fallback_user = s;
    so.explain = explain;
    so.explain_user = s;
    so.range = r->range;
    so.progress = r->progress;
    so.interrupt = &simulation_interrupted;
    return so;
}

void simulation_free(Simulation *s)
{
    auditing_free(s->audit);
    error_estimate_free(s->error);
    build_close(&s->fallback);
    build_close(&s->initial_fallback);
    build_close(&s->build);
    compilation_free(s->c);
}

void simulation_look_at_start(Simulation *it, const RungContext *ctx, double t, const double *x,
                              const double *v)
{
    const Texts *start = &it->request.translation.start;
    for (uint32_t k = 0; k < start->n && !it->has_begun && !it->request.from; k++) {
        const char *text = start->at[k], *eq = strrchr(text, '=');
        const char *name = arena_copy(it->mem, text, (size_t)(eq - text));
        uint32_t row = context_find(ctx, name);
        double asked;
        if (row == RUNG_NONE || setting_value_at(ctx->model, row, eq + 1, &asked, it->mem))
            continue;
        double is = rung_value(ctx, row, t, x, v);
        if (fabs(is - asked) > 1e-9 * (1 + fabs(asked)))
            fprintf(stderr,
                    "rung: '%s' is %.9g at the start, not %s: other start values and the equations "
                    "determine it, %s was a first guess\n",
                    name, is, eq + 1, eq + 1);
    }
    it->has_begun = true;
}
