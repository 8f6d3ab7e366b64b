/* topics.c -- subjects of the help that belong to a command but need more than five sentences. */
#include "cli/topics.h"

#include <string.h>

// clang-format off
static const Topic topics[] = {
    {"methods", "simulate", "integration methods, and the method that is chosen by default",
     "Methods with error control: esdirk, dopri5, hedop5, gear, cvode, ida for x' = f(t, x), and\n"
     "ida-residual for F(t, y, y') = 0, which is slower. Methods with fixed steps (--step): rk4,\n"
     "trapezoid, ali3p, penalty, euler, bdf, half-explicit, half-explicit-euler. By default rung uses\n"
     "esdirk, and dopri5 while the model is not stiff; esdirk with closed kinematic loops; with more\n"
     "than 500 densely coupled states dopri5, and ida if the model is stiff. The summary reports which\n"
     "method took over from which.\n"},
    {"loops", "simulate", "closed kinematic loops: --loops and --states",
     "By default rung cuts loops of joints open, if their connectors allow it, and the method, esdirk,\n"
     "closes them by multipliers in each step. Redundant constraints and singular positions do no harm.\n"
     "Results contain the forces at the cut, resolved in the joint's frame, and norm(phi),\n"
     "norm(der(phi)), norm(der(der(phi))). Two or more constraints that a model writes as equations\n"
     "(x^2 + y^2 = L^2) are treated likewise, with the variables that are their multipliers in the\n"
     "model's own equations, unless --states is given.\n"
     "--loops ali3p: also a single such constraint, and a joint that cannot be cut is an error; the\n"
     "method stays esdirk, and trapezoid, if chosen, uses augmented Lagrange multipliers.\n"
     "--loops penalty: the same cuts, with trapezoidal steps and penalties; needs --step.\n"
     "--loops index-reduction cuts nothing: constraints are differentiated, and some positions follow\n"
     "from the others. --states chooses among these positions; it does not concern loops that are cut.\n"
     "static: a fixed choice of independent positions; Newton's method solves for the others.\n"
     "redundant: all positions are states, which are projected onto the constraints between steps, for\n"
     "mechanisms in which no fixed choice works. The default is static, and redundant once a run has\n"
     "failed with static states.\n"},
    {"input", "simulate", "data for inputs, start values and parameters, saved states",
     "--input: columns by the names of inputs, the first one is the time. Real inputs are interpolated\n"
     "linearly between rows, or by --interpolation hold or cubic; other types are held. Two rows with\n"
     "the same time are a jump, which is an event.\n"
     "--start sets start values like a modifier; --set of a parameter that is evaluated at compile time\n"
     "compiles the model again. Values of --set: 2.5, 5 mm, true, a literal of an enumeration, {1, 2},\n"
     "\"text\" in quotes (for the shell in two kinds: 'name=\"text\"'). @FILE: a line for each value.\n"
     "--save-state saves the state at the end of a run, with --save-interval also during it; --from\n"
     "continues from there, with the digits of the run that saved and did not stop.\n"},
    {"sensitivity", "simulate", "derivatives of a run by parameters",
     "--sensitivity 'p,arm.*.m': the derivative of each variable x by each of these parameters, as\n"
     "variable der(x,p) of the result, with the steps of the run without derivatives; with\n"
     "--sensitivity-tolerance step control includes their errors. x.start is the start value of x,\n"
     "--of 'y,b.*' keeps the derivatives of some variables only. At events they jump, since the time of\n"
     "the event depends on p. A model without such derivatives is an error; docs/sensitivities.md\n"
     "lists the cases.\n"},
    {"audit", "simulate", "the check of a run against the equations as written",
     "The audit evaluates the equations of the flat model, as written, along the run, with an\n"
     "interpreter of its own: those with derivatives as integrals over each step, the others at rows and\n"
     "inside steps. It also checks that each step begins where the last one ended, and the actions at\n"
     "events. The largest defect is reported in tolerances: 1 is the residual of the equation if all\n"
     "states were off by one tolerance. Above 10 the exit status is 3, the result is kept, and a message\n"
     "names equation, variable, time and the values of both sides. In long runs some steps are not\n"
     "audited, so that it takes a fifth of the time at most. Models of more than 100,000 variables, and\n"
     "saved runs with closed loops, are audited with --audit only. --no-audit: no audit.\n"},
    {"error-estimate", "simulate", "the error of a run, estimated by a second one",
     "--error-estimate makes a second run with a tenth of the tolerance (a quarter of --step), whose\n"
     "steps are at most 1/500 of the run, and compares the rows. The summary shows the five variables\n"
     "with the largest errors, --format json all of them. 1 is the tolerance times the largest value of\n"
     "the variable, or its change if all states were off by one tolerance, whichever is larger. Rows\n"
     "between the times that an event has in the two runs are left out; the largest difference of these\n"
     "times is shown. The result file is that of the first run. If the second run fails, the exit status\n"
     "is 3. Faults that both runs make are not seen, such as a wrong model; see also the audit.\n"},
    {"compiler", "simulate", "the C compiler, its flags, and the cache of compiled models",
     "$CC (default: cc) compiles the C, with -O1 if loops over bodies make it short, else with -O0;\n"
     "$CFLAGS are added. For long runs use CFLAGS='-O2 -march=native'; with -ffp-contract=fast also, a\n"
     "processor that fuses multiply and add is a fifth faster, and the last digits depend on it.\n"
     "A model is translated again only if one of its files or options has changed; compiled models are\n"
     "kept in $XDG_CACHE_HOME/rung (~/.cache/rung), at most $RUNG_CACHE_SIZE (1G).\n"},
};
// clang-format on

enum { TOPICS = sizeof topics / sizeof *topics };

const Topic *topic_at(int k)
{
    return k < TOPICS ? &topics[k] : NULL;
}

const Topic *topic_find(const char *name)
{
    for (int k = 0; k < TOPICS; k++)
        if (strcmp(topics[k].name, name) == 0)
            return &topics[k];
    return NULL;
}
