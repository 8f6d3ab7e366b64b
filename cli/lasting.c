#include "cli/lasting.h"

#include "cli/asking.h"
#include "cli/requests.h"
#include "cli/simulation.h"
#include "translate/driver.h"

#include <stdio.h>

/* Steps after which states count as lasting; the end of an experiment that the model does not name,
 * in s. */
enum { STEPS = 100000, STOP = 10 };

static int count_step(void *user, const SimulateStep *step)
{
    uint32_t *left = user;
    (void)step;
    return --*left == 0;
}

/* Good unless the run of the experiment fails in a way that the states may be the cause of. */
static Exit run_experiment(const Options *o)
{
    Arena *mem = arena_new();
    Simulation s;
    SimulateSummary sum = {0};
    uint32_t left = STEPS;
    Exit status = simulation_open(&s, o, true, (BuildOptions){0}, mem);
    if (status == EXIT_GOOD) {
        SimulateOptions so = simulation_options(&s);
        if (!s.build.model->experiment.has_stop)
            so.stop = STOP;
        so.look = count_step;
        so.user = &left;
        int end = simulate(s.build.model, &so, &sum);
        bool fails = left > 0 &&
                     (end == SIMULATE_FAILED || (end == SIMULATE_MODEL && sum.is_start_singular));
        status = fails ? EXIT_RUN : EXIT_GOOD;
    } else if (status != EXIT_MODEL) {
        status = EXIT_GOOD; // no compiler, say: nothing is known
    }
    simulation_free(&s);
    arena_free(mem);
    return status;
}

/* Whether the experiment runs with these states; what is said on the way is for nobody. */
static bool last(const Options *o, Arena *mem)
{
    Asking a;
    Options run = asking_options(o);
    run.method = NULL;
    if (!asking_open(&a, "states", mem))
        return true;
    Exit status = ask(&a, run_experiment, &run).status;
    asking_close(&a);
    return status == EXIT_GOOD;
}

static Compilation *open(const Options *o, Arena *mem)
{
    Request r = request_of(o);
    return compilation_open(&r, mem);
}

Compilation *lasting_translate(Options *o, bool may_cut, Arena *mem, bool *ok)
{
    Compilation *c = open(o, mem);
    *ok = c && driver_run(c, NULL);
    if (!c || o->states || c->dae.redundancy.n == 0 || (*ok && last(o, mem)))
        return c;
    const Options given = *o;
    for (int k = may_cut && !given.loops ? 0 : 1; k < 2; k++) {
        *o = given;
        if (k == 0)
            o->loops = "ali3p";
        else
            o->states = "redundant";
        Compilation *other = open(o, mem);
        if (other && driver_run(other, NULL)) {
            if (!o->quiet)
                fprintf(stderr, "rung: the states that were chosen do not last: %s\n",
                        k == 0 ? "constraints are closed by multipliers, as by --loops ali3p"
                               : "as by --states redundant");
            compilation_free(c);
            *ok = true;
            return other;
        }
        compilation_free(other);
    }
    *o = given;
    return c;
}
