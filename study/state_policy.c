#include "study/state_policy.h"

#include "study/scratch.h"
#include "study/simulation.h"
#include "translate/driver.h"

#include <stdio.h>

/* Steps of the test run after which the states are accepted; its stop time in s if the model has no
 * experiment annotation. */
enum { STEPS = 100000, STOP = 10 };

static int count_step(void *user, const SimulateStep *step)
{
    uint32_t *left = user;
    (void)step;
    return --*left == 0;
}

/* Good unless the run of the experiment fails in a way that the states may be the cause of. */
static Exit run_experiment(const void *request)
{
    const RunRequest *r = request;
    Arena *mem = arena_new();
    Simulation s;
    SimulateSummary sum = {0};
    uint32_t left = STEPS;
    Exit status = simulation_open(&s, r, true, (BuildOptions){0}, mem);
    if (status == EXIT_GOOD) {
        SimulateOptions so = simulation_options(&s);
        if (!s.build.model->experiment.has_stop)
            so.stop = STOP;
        so.look = count_step;
        so.user = &left;
        int end = simulate(s.build.model, &so, &sum);
        bool fails = left > 0 && simulate_may_need_states(end, &sum);
        status = fails ? EXIT_RUN : EXIT_GOOD;
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

Compilation *state_policy_translate(RunRequest *r, bool may_cut, Arena *mem, bool *ok)
{
    Compilation *c = compilation_open(&r->translation, mem);
    *ok = c && driver_run(c, NULL);
    if (!c || r->translation.states != STATES_DEFAULT || c->dae.redundancy.n == 0 ||
        (*ok && last(r, mem)))
        return c;
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
