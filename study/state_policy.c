#include "study/state_policy.h"

#include "study/scratch.h"
#include "study/simulation.h"
#include "translate/driver.h"

#include <stdio.h>

/* Steps of the test run after which the states are accepted; its stop time in s if the model has no
 * experiment annotation. */
enum { STEPS = 100000, STOP = 10 };

typedef struct Look {
    uint32_t left;   /* steps */
    Auditing *audit; /* NULL: none */
} Look;

static int look_at_step(void *user, const SimulateStep *step)
{
    Look *it = user;
    if (--it->left == 0)
        return 1;
    return it->audit ? auditing_look(it->audit, step) : 0;
}

/* Whether the audit finds faults, as it does where the derivative of a function that preferred
 * states need is not that of its values. */
static bool has_faults(Auditing *audit)
{
    double worst, bound;
    uint32_t n = 0;
    if (audit)
        auditing_worst(audit, &worst, &bound, &n);
    return n > 0;
}

/* Good unless the run of the experiment fails in a way that the states may be the cause of. */
static Exit run_experiment(const void *request)
{
    const RunRequest *r = request;
    Arena *mem = arena_new();
    Simulation s;
    SimulateSummary sum = {0};
    Look look = {.left = STEPS};
    Exit status = simulation_open(&s, r, true, (BuildOptions){0}, mem);
    if (status == EXIT_GOOD) {
        SimulateOptions so = simulation_options(&s);
        if (!s.build.model->experiment.has_stop)
            so.stop = STOP;
        so.look = look_at_step;
        so.user = &look;
        look.audit = s.audit = s.has_preferred ? auditing_new(r, s.build.model, mem) : NULL;
        int end = simulate(s.build.model, &so, &sum);
        bool fails = look.left > 0 && simulate_may_need_states(end, &sum);
        status = fails || has_faults(s.audit) ? EXIT_RUN : EXIT_GOOD;
    } else if (status != EXIT_MODEL) {
        status = EXIT_GOOD; // for example no compiler: accept the states
    }
    simulation_free(&s);
    arena_free(mem);
    return status;
}

/* Does the experiment run with these states. Its output is discarded. */
static bool last(const RunRequest *r, Arena *mem)
{
    Scratch a;
    RunRequest run = *r;
    run.translation.method = NULL;
    run.translation.messages_in_colour = false;
    run.progress = PROGRESS_NONE;
    if (!scratch_open(&a, "states", mem))
        return true;
    Exit status = scratch_run(&a, run_experiment, &run).status;
    scratch_close(&a);
    return status == EXIT_GOOD;
}

/* The model without states that are preferred and not differentiated; NULL if it does not run, *r
 * is then unchanged. */
static Compilation *as_written(RunRequest *r, Arena *mem)
{
    r->translation.states = STATES_DIFFERENTIATED;
    Compilation *c = compilation_open(&r->translation, mem);
    if (c && driver_run(c, NULL) && last(r, mem)) {
        if (!r->quiet)
            fputs("rung: the preferred states fail: as by --states differentiated\n", stderr);
        return c;
    }
    compilation_free(c);
    r->translation.states = STATES_DEFAULT;
    return NULL;
}

Compilation *state_policy_translate(RunRequest *r, bool may_cut, Arena *mem, bool *ok)
{
    Compilation *c = compilation_open(&r->translation, mem);
    *ok = c && driver_run(c, NULL);
    if (!c || r->translation.states != STATES_DEFAULT ||
        (c->dae.redundancy.n == 0 && !c->dae.has_preferred) || (*ok && last(r, mem)))
        return c;
    if (c->dae.has_preferred) {
        Compilation *other = as_written(r, mem);
        if (other) {
            compilation_free(c);
            *ok = true;
            return other;
        }
        if (c->dae.redundancy.n == 0)
            return c;
    }
    const Request given = r->translation;
    if (!*ok && r->avoid && r->avoid(&given, &r->translation.avoided, mem)) {
        Compilation *other = compilation_open(&r->translation, mem);
        bool translates = other && driver_run(other, NULL);
        if (translates && last(r, mem)) {
            if (!r->quiet)
                fputs("rung: the states that were chosen are dependent at the start: those that "
                      "move there are states\n",
                      stderr);
            compilation_free(c);
            *ok = true;
            return other;
        }
        compilation_free(other);
    }
    const Texts avoided = *ok ? given.avoided : r->translation.avoided;
    for (int k = may_cut && given.loops == LOOPS_DEFAULT ? 0 : 1; k < 2; k++) {
        r->translation = given;
        r->translation.avoided = avoided;
        if (k == 0)
            r->translation.loops = LOOPS_ALI3P;
        else
            r->translation.states = STATES_REDUNDANT;
        Compilation *other = compilation_open(&r->translation, mem);
        bool translates = other && driver_run(other, NULL);
        if (translates && (k == 1 || other->dae.loops.n_loops > 0)) {
            if (!r->quiet)
                fprintf(stderr, "rung: the states that were chosen do not last: %s\n",
                        k == 0 ? "constraints are closed by multipliers, as by --loops ali3p"
                               : "as by --states redundant");
            compilation_free(c);
            *ok = true;
            return other;
        }
        compilation_free(other);
    }
    r->translation = given;
    return c;
}
