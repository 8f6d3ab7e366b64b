/* SPDX-License-Identifier: BSD-3-Clause
 *
 * methods.c -- the methods that are built in, which of them a run takes, and which goes on.
 */
#include "run_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const Integrator *const methods[] = {
    &integrator_esdirk,        &integrator_dopri5,
    &integrator_rk4,           &integrator_trapezoid,
    &integrator_ali3p,         &integrator_penalty,
    &integrator_euler,         &integrator_bdf,
    &integrator_half_explicit, &integrator_half_explicit_euler,
    &integrator_hedop5,        &integrator_gear,
#ifdef RUNG_SUNDIALS
    &integrator_ida,           &integrator_ida_residual,
    &integrator_cvode,
#endif
};
enum { METHODS = sizeof methods / sizeof *methods };

/* So many states may have a matrix that is dense. */
enum { DENSE_STATES = 500 };

const char *simulate_method(uint32_t k)
{
    return k < METHODS ? methods[k]->name : NULL;
}

const Integrator *methods_find(const char *name)
{
    for (int k = 0; k < METHODS; k++)
        if (!strcmp(methods[k]->name, name))
            return methods[k];
    return NULL;
}

static bool costs_little(uint32_t n_states, bool has_matrix)
{
    return n_states <= DENSE_STATES || has_matrix;
}

const char *simulate_default_method(uint32_t n_states, bool has_matrix)
{
    return costs_little(n_states, has_matrix) ? "esdirk" : "dopri5";
}

/* The method that goes on where dopri5 finds a model stiff, until it is not: esdirk; ida with many
 * states and no matrix, which esdirk makes more often. */
static const char *simulate_stiff_method(uint32_t n_states, bool has_matrix)
{
    return costs_little(n_states, has_matrix) || !methods_find("ida") ? "esdirk" : "ida";
}

unsigned simulate_default_needs(uint32_t n_states, bool closed_loops)
{
    unsigned needs = integrator_esdirk.needs;
    return closed_loops || n_states <= DENSE_STATES ? needs : needs & ~(unsigned)NEEDS_NEWTON;
}

unsigned simulate_method_needs(const char *name)
{
    const Integrator *m = methods_find(name);
    return m ? m->needs : 0;
}

bool simulate_method_has_adjoint(const char *name)
{
    const Integrator *m = methods_find(name);
    return m && m->keeps_tape;
}

const char *simulate_method_text(const char *name)
{
    const Integrator *m = methods_find(name);
    return m ? m->text : NULL;
}

/* Whether an implicit method has more than differences of all states to make its matrix of. */
static bool has_matrix(const RungModel *m)
{
    return m->loops || m->newton || m->jacobian;
}

const Integrator *methods_choose(Simulation *it)
{
    const RungModel *m = it->run.problem.model;
    const SimulateOptions *o = it->o;
    // without states there is nothing to integrate: one step per row
    const char *otherwise = m->loops && it->run.by_penalty
                                ? o->loops
                                : simulate_default_method(m->n_states, has_matrix(m));
    const Integrator *method = methods_find(o->method ? o->method : otherwise);
    if (method)
        return m->n_states ? method : &integrator_rk4;
    char known[200] = "";
    for (size_t k = 0, n = 0; k < METHODS && n < sizeof known; k++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", k ? ", " : "", methods[k]->name);
    simulation_fail(it, "there is no method '%s'; known are %s", o->method, known);
    return NULL;
}

/* ------------------------------------------------------------------ the default method */

/* The largest h |lambda| of an explicit step, lambda the largest eigenvalue, that is stable with an
 * error as large as the tolerance: half of dopri5's interval on the real axis. */
static const double STABLE = 1.5;
/* A step that is further from the limit is short for its error: the limit on the imaginary axis is
 * about 1. */
static const double FREE = 0.7;
/* An implicit step costs as much as so many explicit ones. */
static const double COST = 4;

enum {
    /* So many steps of an implicit method, one after the other, are to be stable, times two for
     * each return before; one round of the power method goes with each ROUND of them, with each
     * of the first. */
    SMOOTH_STEPS = 15,
    ROUND = 3,
    FIRST_ROUNDS = 8,
    /* After LIMITED_STEPS steps limited by stability (twice as many after each trial) an implicit
     * method is tried for TRIAL_STEPS, of which the first are short. */
    LIMITED_STEPS = 100,
    TRIAL_STEPS = 15,
    FIRST_STEPS = 5,
    MOST_DOUBLINGS = 12
};

static bool is_default(const Simulation *it)
{
    return !it->o->method && !it->run.problem.loops && it->run.problem.model->n_states > 0;
}

static double doubled(double n, uint32_t times)
{
    return ldexp(n, (int)(times < MOST_DOUBLINGS ? times : MOST_DOUBLINGS));
}

/* Oscillations that no step resolves hold an explicit method up without looking stiff. */
static bool is_held_up(Simulation *it)
{
    const Run *run = &it->run;
    const RungModel *m = run->problem.model;
    Behaviour *b = &it->behaviour;
    b->h_explicit = b->h_explicit > 0 ? b->h_explicit + 0.05 * (run->h - b->h_explicit) : run->h;
    b->limited = run->stability > FREE ? b->limited + 1 : fmax(b->limited - 1, 0);
    b->is_limited = b->limited >= doubled(LIMITED_STEPS, run->n_trials) && has_matrix(m) &&
                    it->s->stop - run->t > 2 * TRIAL_STEPS * b->h_explicit;
    return b->is_limited;
}

/* Whether the implicit method that is tried is not worth its cost. */
static bool trial_fails(Simulation *it)
{
    const Run *run = &it->run;
    Behaviour *b = &it->behaviour;
    if (b->steps == FIRST_STEPS)
        b->trial_t = run->t;
    if (b->steps < TRIAL_STEPS)
        return false;
    b->is_trial = false;
    b->is_smooth = run->t - b->trial_t < COST * (TRIAL_STEPS - FIRST_STEPS) * b->h_explicit;
    return b->is_smooth;
}

static bool is_smooth(Simulation *it)
{
    Run *run = &it->run;
    Behaviour *b = &it->behaviour;
    uint32_t steps = b->radius.rounds < FIRST_ROUNDS ? 1 : ROUND;
    if (b->steps % steps)
        return false;
    if (spectral_radius_round(&b->radius, &run->problem, run->t, run->x)) {
        b->smooth = 0;
        return false;
    }
    bool is_known = b->radius.rounds > FIRST_ROUNDS || b->radius.value == 0;
    b->smooth = run->h * b->radius.value > STABLE ? 0 : b->smooth + is_known * steps;
    b->is_smooth = (double)b->smooth >= doubled(SMOOTH_STEPS, run->n_returns);
    return b->is_smooth;
}

bool methods_change(Simulation *it)
{
    if (!is_default(it))
        return false;
    if (it->method == &integrator_dopri5)
        return is_held_up(it);
    it->behaviour.steps++;
    return it->behaviour.is_trial ? trial_fails(it) : is_smooth(it);
}

/* The method of the next piece, where none is named (Shampine 1977; Petzold 1983, LSODA): explicit
 * where nothing is stiff, implicit where an explicit method is held up by stability. A run begins
 * with the implicit one: at its limit of stability an explicit method excites oscillations up to
 * the tolerance, which an implicit one would have to follow. Steps are counted, not seconds: the
 * same run is the same everywhere. */
static const Integrator *next_method(Simulation *it)
{
    Run *run = &it->run;
    Behaviour *b = &it->behaviour;
    const RungModel *m = run->problem.model;
    bool is_explicit = it->method == &integrator_dopri5, is_trial = b->is_limited;
    const char *next = NULL;
    if (is_explicit && (run->is_stiff || is_trial))
        next = simulate_stiff_method(m->n_states, has_matrix(m));
    else if (b->is_smooth)
        next = "dopri5";
    run->is_stiff = b->is_smooth = b->is_limited = false;
    if (!next || !is_default(it))
        return it->method;
    run->n_trials += is_trial;
    run->n_returns += !is_explicit && !strcmp(next, "dopri5");
    run->stiff_score = 0;
    run->later_method = next;
    run->later_t = run->t;
    run->n_changes++;
    b->is_trial = is_trial;
    b->h_explicit = is_trial ? b->h_explicit : 0;
    b->limited = 0;
    b->smooth = b->steps = 0;
    b->radius.rounds = 0;
    return methods_find(next);
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
