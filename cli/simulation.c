#include "cli/simulation.h"

#include "cli/driver.h"
#include "cli/method.h"
#include "eliminate/solution.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

volatile sig_atomic_t simulation_interrupted;

static void on_interrupt(int sig)
{
    (void)sig;
    simulation_interrupted = 1;
}

void simulation_catch_interrupts(void)
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_interrupt};
    for (size_t k = 0; k < sizeof caught / sizeof *caught; k++)
        sigaction(caught[k], &action, NULL);
}

SimulateProgress simulation_progress(const Options *o)
{
    if (o->quiet || strcmp(o->progress, "none") == 0)
        return PROGRESS_NONE;
    if (strcmp(o->progress, "bar") == 0)
        return PROGRESS_BAR;
    return strcmp(o->progress, "json") == 0 ? PROGRESS_JSON : PROGRESS_AUTO;
}

void simulation_phase(const Options *o, const char *text)
{
    SimulateProgress p = simulation_progress(o);
    if (p == PROGRESS_BAR || (p == PROGRESS_AUTO && isatty(2)))
        fprintf(stderr, "\r\033[K%s", text);
}

bool simulation_usable(const Options *o)
{
    if (o->method && !method_known(o->method))
        return false;
    if (!o->jacobian || strcmp(o->jacobian, "all") != 0)
        return true;
    fputs("rung: a run uses one Jacobian: analytic, coloured or dense\n", stderr);
    return false;
}

bool simulation_translate(Simulation *s, const Options *o, Arena *mem)
{
    *s = (Simulation){.c = compilation_open(o, mem)};
    bool ok = s->c && driver_run(s->c, NULL);
    if (ok)
        method_prepare(s->c, method_of(s->c));
    return ok && emit_program(&s->c->dae.solution.program, options_emission(o), mem, &s->files);
}

bool simulation_build(Simulation *s, BuildOptions how, Arena *mem)
{
    how.interrupt = &simulation_interrupted;
    return build_model(&s->files, how, mem, &s->build);
}

static const RungModel *make_fallback(void *user)
{
    Simulation *s = user;
    Compilation *c = s->c;
    // many runs share it
    if (s->fallback.model)
        return s->fallback.model;
    Program *p = arena_make(c->mem, Program);
    EmitFiles files;
    bool ok = solution_numeric(&c->dae, p, c->scratch) &&
              emit_program(p, options_emission(c->options), c->mem, &files) &&
              build_model(&files, (BuildOptions){0}, c->mem, &s->fallback);
    return ok ? s->fallback.model : NULL;
}

/* Where values that are none come from; the flat model is made for it unless the audit has it. */
static void explain(void *user, double t, const double *value, char *text, size_t size)
{
    Simulation *s = user;
    Auditing *made = s->audit ? NULL : auditing_new(s->c, s->build.model, s->c->mem);
    if (s->audit || made)
        auditing_explain(s->audit ? s->audit : made, t, value, text, size);
    auditing_free(made);
}

SimulateOptions simulation_options(Simulation *s)
{
    const Options *o = s->c->options;
    SimulateOptions so = simulate_defaults();
    so.method = o->method;
    so.stop = o->stop;
    so.tolerance = o->tolerance;
    so.interval = o->interval;
    so.step = o->step;
    so.loops = o->loops;
    if (o->jacobian)
        so.jacobian = strcmp(o->jacobian, "dense") == 0      ? JACOBIAN_DENSE
                      : strcmp(o->jacobian, "coloured") == 0 ? JACOBIAN_COLOURED
                                                             : JACOBIAN_ANALYTIC;
    if (o->jacobian_reuse >= 1)
        so.jacobian_reuse = (uint32_t)o->jacobian_reuse;
    so.set = o->set.at;
    so.n_set = o->set.n;
    so.signals = o->signals;
    so.fallback = make_fallback;
    so.fallback_user = s;
    so.explain = explain;
    so.explain_user = s;
    so.progress = simulation_progress(o);
    so.interrupt = &simulation_interrupted;
    return so;
}

void simulation_free(Simulation *s)
{
    auditing_free(s->audit);
    build_close(&s->fallback);
    build_close(&s->build);
    compilation_free(s->c);
}
