/* commands.c -- the subcommands and their help. */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

// clang-format off
static const Command commands[] = {
    {"check", "FILES --model M",
     "errors, or the numbers of equations, unknowns, states and loops",
     "equations and unknowns are those of the flat model, as it is written, before anything is\n"
     "removed. With --format json they are printed, with the number of errors, also where a later\n"
     "pass finds an error or the model holds what no program can be made of yet.\n"
     "A directory, a package or a file with several models, with no model named: all classes are\n"
     "checked. Models that are not partial are flattened, the others are looked at as types; each\n"
     "message is printed once, then how many classes have errors. What is no example and fails for\n"
     "parameters without values alone is counted as such and no error.\n",
     command_check},
    {"flatten", "FILES --model M",
     "the flat model, in Base Modelica", NULL, command_flatten},
    {"simulate", "FILES --model M",
     "compile, run, write the trajectories",
     "Without --stop, --tolerance, --interval the model's experiment annotation counts.\n"
     "The C is compiled by $CC (cc), with -O1 where loops over bodies make it short, else -O0; then\n"
     "$CFLAGS. For long runs CFLAGS='-O2 -march=native'; with -ffp-contract=fast also, a processor\n"
     "that fuses multiply and add is a fifth faster, and the last digits depend on the processor.\n"
     "-o: CSV or MAT (version 4, as Modelica tools write it), by the ending of the name; - is CSV on\n"
     "standard output. --signals: only variables called so, * standing for any text, ? for one letter.\n"
     "Methods: esdirk, dopri5, cvode, ida, all on x' = f(t, x), ida-residual on F(t, y, y') = 0,\n"
     "which is slower; of steps that --step gives: rk4, trapezoid, ali3p, penalty, euler, bdf,\n"
     "half-explicit. Where none is named: esdirk, and dopri5 as long as nothing is stiff; in kinematic\n"
     "loops esdirk; with more than 500 states, each of which depends on most others, dopri5, and ida\n"
     "where the model is stiff. The summary says what went on from where.\n"
     "Kinematic loops: where nothing is said those of joints are cut open, where their connectors allow\n"
     "it, and the method, esdirk, closes them by multipliers in each step. Redundant constraints and\n"
     "singular positions do no harm. Results hold the forces at the cut, resolved in the joint's frame,\n"
     "and norm(phi), norm(der(phi)), norm(der(der(phi))). Two or more constraints that a model writes as\n"
     "equations (x^2 + y^2 = L^2) are closed so, too, by the variables that are their multipliers in its\n"
     "own equations, unless --states says otherwise. --loops ali3p: one of them as well, and joints that\n"
     "cannot be cut are an error; esdirk stays the method, and trapezoid, if named, takes augmented\n"
     "Lagrange multipliers. --loops penalty: likewise, with trapezoidal steps and penalties, which want\n"
     "--step.\n"
     "--loops index-reduction cuts nothing: constraints are differentiated, and some positions follow\n"
     "from the others.\n"
     "--states is about those, and says nothing of loops that are cut. static: which ones follow is\n"
     "chosen once, and Newton's method solves for them. redundant: all are states and the constraint\n"
     "is stabilised (Baumgarte), for mechanisms in which no choice lasts; without --states so once a\n"
     "run fails with static states.\n"
     "A model that is simulated again is not translated again unless something it is made of has\n"
     "changed; what is kept lies in $XDG_CACHE_HOME/rung (~/.cache/rung), $RUNG_CACHE_SIZE (1G) at most.\n"
     "--input: columns by the names of inputs, the first one the time. Real inputs are lines from row to\n"
     "row, --interpolation hold or cubic; others are held. Two rows of one time are a jump, which is an\n"
     "event. --start sets start values as a modifier would; --set of a parameter that is evaluated when\n"
     "the model is compiled translates it again. --save-state keeps the end of a run, and with\n"
     "--save-interval states on its way; --from goes on from there, with the digits of the run that saved\n"
     "and did not stop.\n"
     "--sensitivity 'p,arm.*.m': the derivative of each variable x by each of these parameters, as\n"
     "variable der(x,p) of the result, in the steps of the run without derivatives; with\n"
     "--sensitivity-tolerance steps control their errors, too. x.start is the start value of x,\n"
     "--of 'y,b.*' keeps those of some variables. At events they jump as the time of the event\n"
     "depends on p. What has no derivative is an error; docs/sensitivities.md\n"
     "says what that is.\n"
     "The audit evaluates the equations of the flat model, as written, along the run, by an interpreter\n"
     "of its own: those with derivatives as integrals over each step, the others at rows and inside\n"
     "steps; states have to begin where they have ended, events to do what the model says. The largest\n"
     "defect is reported, in tolerances: what the equation would miss if all states were off by one.\n"
     "Beyond 10 it warns; with --audit the exit status is 3. Long runs pass over some steps, so that it\n"
     "takes a fifth of the time at most. Models of more than 20,000 variables, and loops in runs that\n"
     "are saved, are audited with --audit alone. --no-audit: without it.\n",
     command_simulate},
    {"sweep", "FILES --model M --vary 'p=VALUES' -o DIR",
     "many runs with other values of parameters, on all processors; a table of what they gave",
     "--vary, several times, says what values a parameter takes: m=1,2,4 or m=1,1.1,...,2 (as the two\n"
     "values before the dots began: by a factor if that reaches the last one, else by a step),\n"
     "k=uniform(1,2), k=normal(mean,deviation). --vary-from: rows of values that belong together.\n"
     "--sampling grid: each value with each of the others, which is what happens to lists; list: run k\n"
     "takes the k-th value of each; random: --runs N draw each value, from lists too, which is what\n"
     "happens where there are distributions, and more runs begin with the same values; lhs: Latin\n"
     "hypercube. The same --seed draws the same values. A structural parameter is compiled anew for each\n"
     "of its values.\n"
     "DIR/table.csv has a row for each run: its values, ok, failed, invalid (not begun) or killed, the\n"
     "time reached, steps, and of each signal the last value, the extrema and the integral over time,\n"
     "found along the integrator's steps. Signals are those of --signals, else states and outputs. \n"
     "DIR/runs has the trajectories of runs that failed; with --keep of all. DIR/sweep.json (the same as\n"
     "--format json prints) says what was asked and which runs are not ok. Runs that are finished are in\n"
     "DIR/finished.csv, and the same command goes on with the rest; so it does with more runs or values,\n"
     "as long as model and options are the same.\n"
     "--lanes 8, with --method rk4 --step H: eight runs at once in each process, with the same numbers.\n"
     "A run whose process is killed is lost alone, and made again by the next command. Exit status: 3 if\n"
     "any run is not ok.\n",
     command_sweep},
    {"plot", "R.mat [more results] -o F.svg",
     "curves of results over time, as SVG, PNG or a page to zoom in",
     "--signals 'a,b;c': names as they are in the result, * and ? stand for any text; a semicolon begins a\n"
     "new panel below. Without a semicolon each unit has a panel (MAT tells units, CSV does not). Where\n"
     "none are named: the states that move, which are known by the columns der(x) beside them; without\n"
     "such columns whatever moves. Several results are in one picture: colours tell signals apart,\n"
     "dashes results. HTML holds all it needs, draws by uPlot and opens without a network.\n",
     command_plot},
    {"view", "FILES --model M | R.mat  -o M.html",
     "a mechanism in motion, as one page",
     "The page holds all it needs and opens without a network, in any browser with WebGL. Of a model it\n"
     "shows what it says of the looks of its parts (shapes of the Modelica Standard Library's\n"
     "Visualizers, and DXF, STL and OBJ files that they name); parts that say nothing are rods from\n"
     "frame to frame, and joints where frames meet.\n"
     "A frame is a connector with a position, Real[3] in m, and a rotation matrix, Real[3,3]. `rung\n"
     "simulate -o R.mat` writes R.view.json beside the result, by which results are shown without the\n"
     "model; several stand side by side.\n"
     "In the page: drag turns, wheel or two fingers zoom, right button or two fingers move; space plays\n"
     "and stops; parts lists what there is, with the path of a part's last frame; curves of --signals\n"
     "follow the time, and the time follows a click on them.\n",
     command_view},
    {"report", "FILES --model M -o M.html",
     "one page for a model: what the compiler did, what the run did, the mechanism in motion",
     "Sizes, the run with its audit and curves, degrees of freedom, operations per order of elimination,\n"
     "the body structures, the equations in the order of evaluation: what the commands check, simulate,\n"
     "view, dof, count and graph say, on one page that opens without a network. Options of the run are\n"
     "those of simulate. A run that fails is on the page, up to there, and the exit status is 3.\n",
     command_report},
    {"compare", "RESULT.csv REFERENCE.csv",
     "a trajectory against a reference, by the rule of csv-compare",
     "Around each signal of the reference lies a tube, of half-width R * (range of time) and\n"
     "half-height R * (range of the signal, its least value or 0.001, whichever is largest), where\n"
     "R is the tolerance. One line per signal: ok and how much of the tube it uses, or FAIL and\n"
     "where it is worst; -q: the latter only. --stop: only up to that time. Exit status 0: all\n"
     "inside; 1: some outside, missing, or the result ends early; 4: a file cannot be read.\n",
     command_compare},
    {"gradient", "FILES --model M --objective 'y,integral(y)' --by 'p'",
     "how the end of a run, integrals and extrema change with parameters",
     "An objective is the value of a variable at the stop time, integral(y) over the run, max(y) or\n"
     "min(y) in it. Derivatives are those of simulate --sensitivity, integrals one more state of which\n"
     "the error is controlled; an extremum is looked for in each step. One that lies at an event or at\n"
     "a kink has no derivative that is known: an error. --mode adjoint goes back from the end, by all\n"
     "parameters at once: for many of them, of runs by esdirk (where none is named), dopri5 or\n"
     "trapezoid without events and cut loops; what it does not go back through is an error.\n",
     command_gradient},
    {"optimize", "FILES --model M --objective 'integral(y)' --by 'p=lo:hi,q=lo:hi'",
     "values of parameters for which an objective of a run is least",
     "The objective is one of those of gradient, --by its parameters, each between bounds. The search\n"
     "begins at the model's values, or those of --set, and follows derivatives by NLopt's algorithms; it\n"
     "finds the next minimum, not the least of all. It ends where parameters change by less than 1e-8\n"
     "of the range between their bounds, or after --runs runs, which is exit status 3. Printed: each run,\n"
     "then the best one, its parameters and the model with them as a modification. -o has all runs as\n"
     "CSV. A run that fails ends the search.\n"
     "Identification: measured data come in by --input, or by a table of the model, and the objective is\n"
     "the integral of a squared difference.\n",
     command_optimize},
    {"linearize", "FILES --model M [--at T | --steady] -o M.json",
     "A, B, C, D around a point: x' = A x + B u, y = C x + D u; eigenvalues of A",
     "The point is the start of a run (where initial equations are solved), the time T of a run, or\n"
     "the steady state that the model comes to from its start, time standing still. Derivatives are\n"
     "symbolic; where a function has none, differences. Inputs and outputs are those of the top level\n"
     "and of type Real; --inputs chooses among them, --outputs takes any variables. Relations and\n"
     "discrete variables are what they are at the point; delayed values count as constants.\n"
     "Where kinematic loops are cut, A is that of as many states as can move freely.\n"
     "-o: JSON, or MAT (version 4) with the matrices A, B, C, D, the point x0, u0, y0 and the names.\n",
     command_linearize},
    {"dof", "FILES --model M [--along R.mat] [-o F.html]",
     "degrees of freedom of a mechanism: how many, which motions, redundant constraints and why",
     "Counted at the start of a run, in the flat equations as they are written, so that constraints of\n"
     "joints, of closed loops and those that a model writes (x^2 + y^2 = L^2) count alike, however loops\n"
     "are closed in a run. A model that cannot be simulated is put onto its constraints near its start\n"
     "values, and that is said. Coordinates are variables whose derivatives are velocities, in m, rad, 1\n"
     "or without a unit; where any have stateSelect prefer or always, as those of joints do, these are\n"
     "shown. Each motion is told by the coordinates that move and how fast, the first by 1.\n"
     "Of a loop that joints close (MLS 9.4): its joints, where it is cut, constraints there, redundant\n"
     "ones by the forces along them, of which results have columns, and why. Of others where they are\n"
     "written, what they restrict and from which ones a redundant one follows.\n"
     "A constraint is redundant, a motion free, where singular values are up to --tolerance (1e-6) times\n"
     "the largest; the two values next to that limit are printed. A small step along the motions tells\n"
     "whether the position is singular. Where velocities are restricted and positions are not (a wheel\n"
     "that rolls), both numbers are said.\n"
     "--along: the number at each row of a result of the model (of up to 500), where it changes, between\n"
     "rows, too, or else where it nearly does.\n"
     "-o F.html: a page (rung view) on which each motion goes to and fro a little, to first order, with\n"
     "arrows where frames go.\n",
     command_dof},
    {"parameters", "FILES --model M",
     "which combinations of parameters the motion depends on, and which do not matter",
     "What identification needs: base parameters. Of the equations of motion with accelerations given\n"
     "(inverse dynamics), parameters are asked for that enter them linearly, as masses, inertias and\n"
     "damping do, and those that only stand in products with one of these of the same component: a\n"
     "centre of mass, with the mass. The others are taken as known: geometry, gravity. --known: more of\n"
     "them. Each line is a combination that the motion depends on; in the model's equations, all other\n"
     "values of parameters with the same combinations make the same motion at the same efforts.\n"
     "What is known may have any value; --numbers: that of the model, which can make fewer, as when\n"
     "lengths are zero.\n"
     "Dependencies are found by ranks modulo two primes of 61 bits at random points; coefficients are\n"
     "reconstructed as polynomials or quotients of what is known and of cosines and sines of angles,\n"
     "f(...) where they are none of low degree, and compared at others. Efforts are those along the\n"
     "motion: forces inside joints may depend on more. Where kinematic loops are cut, combinations are\n"
     "those of the open mechanism, which are enough for the closed one, too, but may be more than it needs.\n",
     command_parameters},
    {"loops", "FILES --model M",
     "the older name of dof",
     NULL,
     command_dof},
    {"count", "FILES --model M",
     "operations per order of elimination",
     "For each block: what every order costs, how it lets rounding errors grow, what a sparse LU\n"
     "decomposition would cost at run time, and what is taken; numeric: the block is left to that\n"
     "decomposition, which happens where straight code would be too long. --sweep compiles the model for\n"
     "each value of a structural parameter; given several times, for all combinations. --plot\n"
     "draws the operations over the first of them. --no-frames: vectors stay in the frames in\n"
     "which the model writes them.\n"
     "--motion, --effort: inverse dynamics, efforts from motions (rung compile --kind inverse).\n"
     "CSV: model, the swept parameters, order, add, mul, div, call (for the accelerations),\n"
     "total_add, total_mul, total_div, total_call (for all variables), taken (1: the choice).\n",
     command_count},
    {"bench", "FILES --model M",
     "nanoseconds per evaluation of the generated code",
     "xdot: the derivatives of the states. residual: the residual form. jacobian: derivatives by\n"
     "the states, generated and by finite differences. Without --what, all that the model has.\n"
     "extended: derivatives of the equations an implicit step solves, frames being unknowns of their\n"
     "own, so that each equation has few, and these equations; newton: that step's iteration, and\n"
     "libraries in its place; step: one of rk4, which evaluates four times; all only if asked for.\n"
     "--lanes: the same for as many instances at once, with their own parameters and states, in vectors of\n"
     "the processor at hand; ns are those of one instance, error is against one instance at a time.\n"
     "--jacobian: one of the variants of jacobian and extended, or all of them; differences of\n"
     "extended only then. error: of generated derivatives against\n"
     "central differences along a vector, of differences against generated derivatives, of the\n"
     "residual form with the explicit form's results put in; in units of the largest number.\n"
     "CSV has it with `all` only.\n"
     "ns is that of the fastest of many batches, each over several states near the start; size\n"
     "is the number of states (of the residual form: of its inputs). $CC and $CFLAGS say how the\n"
     "C is compiled (else cc -O2):  CC=clang CFLAGS='-O3 -march=native -ffp-contract=fast' "
     "rung bench ...\n",
     command_bench},
    {"graph", "FILES --model M",
     "equations and unknowns as a graph or a picture",
     "incidence: who occurs where, once the index is reduced. blt: the same in the order of\n"
     "evaluation, algebraic loops together. ladder: the body structures of the largest linear\n"
     "loop, with kinematic leg, steps, kinetic leg and handles. Without --format the ending of F\n"
     "decides, else dot. Equation e12 is the twelfth of `rung -d inline`.\n",
     command_graph},
    {"verify", "FILES --model M",
     "the exact check: the program in the model's equations, in residues and fractions", NULL,
     command_verify},
    {"compile", "FILES --model M -o DIR",
     "the generated C, with what is needed to build it elsewhere",
     "Stretches of the program that recur, body after body, become loops. --no-kernels (here, for\n"
     "simulate and for bench) leaves them straight, for comparison. Linear equations are there\n"
     "twice, the second time to be solved with pivoting where a pivot vanishes at run time;\n"
     "--no-fallback leaves that out, and such a run stops.\n"
     "--kind library: files for other programs to link, without a heap, with a header, an example,\n"
     "Makefile and CMakeLists.txt; single-file: M.c and M.h; embedded: these for small targets.\n"
     "Derivatives by the parameters of --parameters are columns of their Jacobian.\n"
     "inverse: the efforts of --effort from the motions of --motion, in order of the model: a top-level\n"
     "input or a constant has to fix them there. With gravity alone, and the mass matrix.\n"
     "The simulator has all methods; --method adds what the one named works with in `simulate`: a\n"
     "Newton iteration in straight-line code, the residual form, a Jacobian.\n"
     "--lanes 8: what computes eight instances at once, RungModel.lanes of rung_model.h, is there,\n"
     "too, for models without events, functions and equations that are solved at run time.\n",
     command_compile},
    {"fmu", "FILES --model M -o M.fmu",
     "a Functional Mock-up Unit, for model exchange and co-simulation",
     "One archive for both, with a binary for this platform that needs libc and libm alone. FMI 2.0\n"
     "unless --fmi 3. Co-simulation takes the steps of the method esdirk, with events and closed\n"
     "loops. Model exchange of cut loops (--loops) has the accelerations that keep them closed, led\n"
     "back to the constraints slowly, and asks for events at which positions are put onto them.\n"
     "Where constraints make some positions follow from others, the experiment is run: if those that\n"
     "were chosen as states do not last, the constraints are cut likewise (--loops ali3p), or all\n"
     "positions become states (--states redundant).\n"
     "Inputs and outputs are the model's own; parameters may change at events and between steps,\n"
     "unless external objects, or times of events and delays, are made of them. --format json says\n"
     "what was made.\n",
     command_fmu},
    {"parse", "DIR...",
     "reads all Modelica files: classes, lines per second, errors", NULL, command_parse},
    {"passes", "", "the passes from text to program, in order", NULL, command_passes},
    {"dump", "-d PASS FILES --model M",
     "what a pass left behind; `rung -d PASS` is short for it", NULL, command_dump},
    {"manual", "[COMMAND | -o DIR]",
     "a man page; that of rung, of a command, or all of them as files", NULL, command_manual},
    {"completion", "bash|zsh",
     "what a shell needs to complete commands, options and values",
     "The file is read by the shell:  source <(rung completion bash).  An installation has it where\n"
     "shells look.\n",
     command_completion},
};

/* One or two for each command, as they can be typed anywhere. */
static const char *const examples[][2] = {
    {"check", "rung check --model Linkage.Examples.Slider"},
    {"flatten", "rung flatten --model Linkage.Examples.Slider -o Slider.mo"},
    {"simulate", "rung simulate --model Linkage.Examples.DrivenArm --stop 2 -o arm.csv\n"
                 "rung simulate --model 'Linkage.Examples.PlanarPendulum(n=4)' --set m=2 -o p.mat"},
    {"sweep", "rung sweep --model Linkage.Examples.AlternatingPendulum --stop 1 \\\n"
              "    --vary 'm=1,1.5,...,3' --vary n=1,2 -o grid\n"
              "rung sweep --model 'Linkage.Examples.AlternatingPendulum(n=2)' --stop 1 \\\n"
              "    --vary 'm=uniform(1,2)' --vary 'l=normal(1,0.05)' --runs 20 --seed 1 -o drawn"},
    {"compare", "rung simulate --model Linkage.Examples.Slider -o a.mat\n"
                "rung simulate --model Linkage.Examples.Slider --tolerance 1e-9 -o b.csv\n"
                "rung compare a.mat b.csv --tolerance 1e-3"},
    {"gradient", "rung gradient --model Linkage.Examples.DrivenArm --stop 1 \\\n"
                 "  --objective 'shoulder.phi,max(shoulder.w)' --by 'upper.m'"},
    {"optimize", "rung optimize --model Linkage.Examples.DrivenArm --stop 1 \\\n"
                 "  --objective 'shoulder.phi' --by 'upper.m=0.5:4'"},
    {"linearize", "rung linearize --model 'Linkage.Examples.PlanarPendulum(n=2)' -o A.json"},
    {"dof", "rung dof --model Linkage.Benchmarks.FourBarChain\n"
            "rung simulate --model Linkage.Benchmarks.FiveBar -o five.mat\n"
            "rung dof --model Linkage.Benchmarks.FiveBar --along five.mat\n"
            "rung dof --model Linkage.Benchmarks.FiveBar -o five.html"},
    {"parameters", "rung parameters --model Linkage.Examples.DoublePendulum"},
    {"loops", "rung loops --model Linkage.Benchmarks.FourBarChain"},
    {"count", "rung count --model Linkage.Examples.PlanarPendulum --sweep n=1,2,4,...,16"},
    {"bench", "rung bench --model 'Linkage.Examples.PlanarPendulum(n=4)' --what xdot"},
    {"graph", "rung graph --model 'Linkage.Examples.PlanarPendulum(n=4)' --what ladder -o ladder.svg"},
    {"verify", "rung verify --model 'Linkage.Examples.PlanarPendulum(n=2)'"},
    {"compile", "rung compile --model Linkage.Examples.Slider -o slider\n"
                "make -C slider\n"
                "rung compile --model 'Linkage.Examples.PlanarPendulum(n=2)' --kind library -o pendulum\n"
                "make -C pendulum example"},
    {"fmu", "rung fmu --model Linkage.Examples.Slider -o Slider.fmu"},
    {"plot", "rung simulate --model Linkage.Examples.DrivenArm -o arm.mat\n"
             "rung plot arm.mat --signals 'shoulder.phi' -o arm.svg"},
    {"view", "rung view --model Linkage.Examples.SpatialChain20 -o chain.html\n"
             "rung simulate --model Linkage.Examples.DrivenArm -o arm.mat\n"
             "rung view arm.mat --signals 'shoulder.phi' -o arm.html"},
    {"report", "rung report --model Linkage.Benchmarks.SpatialFourBar -o fourbar.html"},
    {"parse", "rung parse ."},
    {"passes", "rung passes"},
    {"dump", "rung -d blocks --model Linkage.Examples.Slider"},
    {"manual", "rung manual simulate >rung-simulate.1"},
    {"completion", "rung completion bash >rung.bash"},
};
// clang-format on

const char *command_example(const char *name)
{
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++)
        if (strcmp(examples[k][0], name) == 0)
            return examples[k][1];
    return NULL;
}

enum { COMMANDS = sizeof commands / sizeof *commands };

const Command *command_find(const char *name)
{
    for (int k = 0; k < COMMANDS; k++) {
        if (strcmp(commands[k].name, name) == 0)
            return &commands[k];
    }
    return NULL;
}

const Command *command_at(int k)
{
    return k < COMMANDS ? &commands[k] : NULL;
}

const char command_statuses[] =
    "Exit status: 0 good, 1 error in the model, 2 usage,\n"
    "3 solver failed at run time, 4 file or tool missing, 130 interrupted.\n";

Exit command_help(const char *of)
{
    if (of) {
        const Command *c = command_find(of);
        if (!c) {
            fprintf(stderr, "rung: there is no command '%s'\n", of);
            return EXIT_USAGE;
        }
        printf("rung %s %s\n\n%s\n", c->name, c->usage, c->what);
        if (c->detail)
            printf("\n%s", c->detail);
        options_help(c->name);
        if (command_example(c->name))
            printf("\nExample:\n%s\n", command_example(c->name));
        return EXIT_GOOD;
    }
    puts("rung compiles equation-based models (Modelica) to fast C.\n");
    for (int k = 0; k < COMMANDS; k++)
        printf("  rung %-10s %s\n", commands[k].name, commands[k].what);
    options_help(NULL);
    printf("\n`rung help COMMAND` says more, and `man rung`. %s", command_statuses);
    return EXIT_GOOD;
}
