/* SPDX-License-Identifier: BSD-3-Clause
 *
 * methods.c -- the methods that are built in, which of them a run takes, and which goes on.
 */
#include "run_parts.h"

#include <stdio.h>
#include <string.h>

static const Integrator *const methods[] = {
    &integrator_esdirk,    &integrator_dopri5,       &integrator_rk4,
    &integrator_trapezoid, &integrator_ali3p,        &integrator_penalty,
    &integrator_euler,     &integrator_bdf,          &integrator_half_explicit,
#ifdef RUNG_SUNDIALS
    &integrator_ida,       &integrator_ida_residual, &integrator_cvode,
#endif
};
enum { METHODS = sizeof methods / sizeof *methods };

/* So many states may have a matrix that is dense. */
enum { DENSE_STATES = 500 };

const char *const *simulate_methods(void)
{
    static const char *const names[] = {"esdirk",    "dopri5",       "rk4",
                                        "trapezoid", "ali3p",        "penalty",
                                        "euler",     "bdf",          "half-explicit",
#ifdef RUNG_SUNDIALS
                                        "ida",       "ida-residual", "cvode",
#endif
                                        NULL};
    return names;
}

const Integrator *methods_find(const char *name)
{
    for (int k = 0; k < METHODS; k++)
        if (!strcmp(methods[k]->name, name))
            return methods[k];
    return NULL;
}

const char *simulate_default_method(uint32_t n_states, bool closed_loops, bool has_pattern)
{
    if (closed_loops)
        return "esdirk";
    if (n_states > DENSE_STATES && !has_pattern)
        return "dopri5";
    return methods_find("ida") ? "ida" : "esdirk";
}

bool simulate_needs_pattern(uint32_t n_states)
{
    return n_states > DENSE_STATES;
}

unsigned simulate_method_needs(const char *name)
{
    const Integrator *m = methods_find(name);
    return m ? m->needs : 0;
}

const char *simulate_method_text(const char *name)
{
    const Integrator *m = methods_find(name);
    return m ? m->text : NULL;
}

const Integrator *methods_choose(Simulation *it)
{
    const RungModel *m = it->run.problem.model;
    const SimulateOptions *o = it->o;
    // without states there is nothing to integrate: one step per row
    const char *otherwise =
        m->loops && it->run.by_penalty
            ? o->loops
            : simulate_default_method(m->n_states, m->loops != NULL, m->jacobian != NULL);
    const Integrator *method = methods_find(o->method ? o->method : otherwise);
    if (method)
        return m->n_states ? method : &integrator_rk4;
    char known[200] = "";
    for (int k = 0; k < METHODS; k++) {
        strcat(known, k ? ", " : "");
        strcat(known, methods[k]->name);
    }
    simulation_fail(it, "there is no method '%s'; known are %s", o->method, known);
    return NULL;
}

/* The run goes on with another method than it began with, as nobody has named one. */
static const Integrator *take_over(Simulation *it, const char *name)
{
    Run *run = &it->run;
    run->later_method = name;
    run->later_t = run->t;
    run->pieces = 0;
    run->pieces_from = run->problem.counts->steps;
    return methods_find(name);
}

/* The method of the next piece, where none is named: another one if an explicit method has found
 * the model stiff; if one of several steps spends its time at low orders, since few steps lie
 * between one start and the next, a one-step method. Steps are counted, not seconds: the same run
 * is the same everywhere. */
static const Integrator *next_method(Simulation *it)
{
    Run *run = &it->run;
    const SimulateOptions *o = it->o;
    const Integrator *method = it->method;
    enum { PIECES = 500, FEW_STEPS = 100 };
    if (o->method)
        return method;
    if (run->is_stiff) {
        run->is_stiff = false;
        const Integrator *next = take_over(it, methods_find("ida") ? "ida" : "esdirk");
        char text[200];
        snprintf(text, sizeof text, "t = %.9g: the model is stiff, '%s' goes on instead of '%s'",
                 run->t, next->name, method->name);
        simulation_say(it, text);
        return next;
    }
    // a polynomial through what was before a jump finds no step small enough at the next one
    if (method->multistep && run->branches)
        return take_over(it, "esdirk");
    if (!method->multistep || ++run->pieces < PIECES)
        return method;
    if (run->problem.counts->steps - run->pieces_from < PIECES * FEW_STEPS)
        return take_over(it, "esdirk");
    run->pieces = 0;
    run->pieces_from = run->problem.counts->steps;
    return method;
}

void methods_next(Simulation *it)
{
    it->method = next_method(it);
}

void methods_resume(Simulation *it)
{
    const char *later = it->run.later_method;
    const Integrator *method = later ? methods_find(later) : NULL;
    if (!it->o->method && method)
        it->method = method;
}
