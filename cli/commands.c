/* commands.c -- the subcommands and their help. */
#include "cli/command.h"

#include "base/spelling.h"
#include "cli/topics.h"

#include <stdio.h>
#include <string.h>

// clang-format off
static const Command commands[] = {
    {"check", "FILES --model M",
     "errors, or the numbers of equations, unknowns, states and loops",
     "Equations and unknowns are those of the flat model as written, before any are removed. With\n"
     "--format json they are printed, with the number of errors, even if a later pass finds an error\n"
     "or the model has constructs that cannot be compiled yet.\n"
     "Given a directory, a package or a file with several models, and no model name, rung checks all\n"
     "classes. It flattens models that are not partial and checks the others as types; it prints each\n"
     "message once, then the number of classes with errors. A model without an experiment annotation\n"
     "that fails only because parameters have no values is counted separately, not as an error.\n",
     "rung check --model Linkage.Examples.Slider",
     command_check},
    {"flatten", "FILES --model M",
     "the flat model, in Base Modelica", NULL,
     "rung flatten --model Linkage.Examples.Slider -o Slider.mo",
     command_flatten},
    {"simulate", "FILES --model M",
     "compile, run, write the trajectories",
     "Defaults of --stop, --tolerance and --interval are those of the model's experiment annotation; of\n"
     "--method the one that suits the model (`rung help methods`). -o: CSV or MAT (version 4, as\n"
     "Modelica tools write it), by the suffix; - is CSV on standard output. --signals: only matching\n"
     "variables, hidden ones (HideResult) too; * matches any text, ? a single character. An audit\n"
     "compares the run with the equations as the model writes them. A run that fails, or whose audit\n"
     "does, keeps its results up to there, and the exit status is 3.\n",
     "rung simulate --model Linkage.Examples.DrivenArm --stop 2 -o arm.csv\n"
     "rung simulate --model 'Linkage.Examples.PlanarPendulum(n=4)' --set m=2 -o p.mat",
     command_simulate},
    {"sweep", "FILES --model M --vary 'p=VALUES' -o DIR",
     "many runs with other values of parameters, on all processors; a table of results",
     "--vary, several times, gives the values of a parameter: m=1,2,4 or m=1,1.1,...,2, k=uniform(1,2),\n"
     "k=normal(mean,deviation); --sampling and --runs say how they are combined or drawn. DIR/table.csv\n"
     "has a row for each run with its values, its status, and of each signal the last value, the extrema\n"
     "and the integral over time; DIR/runs has the trajectories of failed runs. The same command\n"
     "continues after an interruption, also with more runs or values. A process that is killed loses its\n"
     "run only. Exit status 3: some run is not ok. Sampling, lanes, clusters: docs/sweeps.md.\n",
     "rung sweep --model Linkage.Examples.AlternatingPendulum --stop 1 \\\n"
     "    --vary 'm=1,1.5,...,3' --vary n=1,2 -o grid\n"
     "rung sweep --model 'Linkage.Examples.AlternatingPendulum(n=2)' --stop 1 \\\n"
     "    --vary 'm=uniform(1,2)' --vary 'l=normal(1,0.05)' --runs 20 --seed 1 -o drawn",
     command_sweep},
    {"plot", "R.mat [more results] -o F.svg",
     "curves of results over time, as SVG, PNG or a page to zoom in",
     "--signals 'a,b;c': names as in the result, * and ? match any text; a semicolon begins a new panel\n"
     "below. Without a semicolon each unit has a panel (MAT has units, CSV has none). By default the\n"
     "states that change, recognised by their columns der(x); without such columns all variables that\n"
     "change. Several results are drawn in one picture: colours distinguish signals, dashes results.\n"
     "The HTML page is self-contained, draws by uPlot and opens without a network.\n",
     "rung simulate --model Linkage.Examples.DrivenArm -o arm.mat\n"
     "rung plot arm.mat --signals 'shoulder.phi' -o arm.svg",
     command_plot},
    {"view", "FILES --model M | R.mat  -o M.html",
     "a mechanism in motion, as one page",
     "The page is self-contained and opens without a network, in any browser with WebGL. It shows the\n"
     "shapes of the model's parts (Visualizers of the Modelica Standard Library, and the DXF, STL and OBJ\n"
     "files that they name); parts without shapes are rods from frame to frame, and joints where frames\n"
     "meet.\n"
     "A frame is a connector with a position, Real[3] in m, and a rotation matrix, Real[3,3]. `rung\n"
     "simulate -o R.mat` writes R.view.json beside the result, so that a result can be shown without the\n"
     "model; several stand side by side.\n"
     "The camera follows a part that travels several times its size, or the part of --follow.\n"
     "In the page: drag turns, wheel or two fingers zoom, right button or two fingers move; space plays\n"
     "and stops; parts lists all parts, with the path of a part's last frame; curves of --signals\n"
     "follow the time, and a click on them sets the time.\n"
     "--live puts the model itself into the page: the page computes its motion, sliders change its\n"
     "parameters and inputs. That takes clang, lld, wasi-libc and libclang-rt-14-dev-wasm32.\n",
     "rung view --model Linkage.Examples.SpatialChain20 -o chain.html\n"
     "rung simulate --model Linkage.Examples.DrivenArm -o arm.mat\n"
     "rung view arm.mat --signals 'shoulder.phi' -o arm.html\n"
     "rung view --live --model Linkage.Examples.DrivenArm -o live.html",
     command_view},
    {"report", "FILES --model M -o M.html",
     "one page for a model: translation, run, the mechanism in motion",
     "Sizes, the run with its audit and curves, degrees of freedom, operations per order of elimination,\n"
     "the body structures, the equations in the order of evaluation: the output of check, simulate,\n"
     "view, dof, count and graph, on one page that opens without a network. Options of the run are\n"
     "those of simulate. A failed run is shown up to its failure, and the exit status is 3.\n",
     "rung report --model Linkage.Benchmarks.SpatialFourBar -o fourbar.html",
     command_report},
    {"compare", "RESULT.csv REFERENCE.csv",
     "a trajectory against a reference, by the rule of csv-compare",
     "Around each signal of the reference lies a tube, of half-width R * (range of time) and\n"
     "half-height R * (range of the signal, its least value or 0.001, whichever is largest), where\n"
     "R is the tolerance. One line per signal: ok and the share of the tube that it uses, or FAIL and\n"
     "the place of the largest deviation; -q: the latter only. --stop: only up to that time. Exit\n"
     "status 0: all inside; 1: some outside, missing, or the result ends early; 4: a file cannot be\n"
     "read.\n",
     "rung simulate --model Linkage.Examples.Slider -o a.mat\n"
     "rung simulate --model Linkage.Examples.Slider --tolerance 1e-9 -o b.csv\n"
     "rung compare a.mat b.csv --tolerance 1e-3",
     command_compare},
    {"gradient", "FILES --model M --objective 'y,integral(y)' --by 'p'",
     "derivatives of end values, integrals and extrema of a run by parameters",
     "An objective is the value of a variable at the stop time, integral(y) over the run, max(y) or\n"
     "min(y) in it. Derivatives are those of simulate --sensitivity; an integral is one more state with\n"
     "error control; extrema are searched in each step. An extremum at an event or at a kink has no\n"
     "known derivative: an error. --mode adjoint integrates backward from the end, by all parameters at\n"
     "once, in runs by esdirk (its default), dopri5, trapezoid or ali3p; other runs are an\n"
     "error. It keeps the steps within --memory. By ten parameters or more it is the default where it\n"
     "is possible.\n",
     "rung gradient --model Linkage.Examples.DrivenArm --stop 1 \\\n"
     "  --objective 'shoulder.phi,max(shoulder.w)' --by 'upper.m'",
     command_gradient},
    {"optimize", "FILES --model M --objective 'integral(y)' --by 'p=lo:hi,q=lo:hi'",
     "values of parameters that minimise an objective of a run",
     "The objective is one of those of gradient, --by its parameters, each between bounds. The search\n"
     "begins at the model's values, or those of --set, and uses derivatives, by algorithms of NLopt; it\n"
     "finds a local minimum. It ends when parameters change by less than 1e-8 of the range between their\n"
     "bounds, or after --runs runs, with exit status 3. Printed: each run, then the best one, its\n"
     "parameters and the model with them as a modification. -o: all runs as CSV. A failed run ends the\n"
     "search.\n"
     "Identification: measured data are read by --input, or by a table of the model, and the objective is\n"
     "the integral of a squared difference.\n",
     "rung optimize --model Linkage.Examples.DrivenArm --stop 1 \\\n"
     "  --objective 'shoulder.phi' --by 'upper.m=0.5:4'",
     command_optimize},
    {"linearize", "FILES --model M [--at T | --steady] -o M.json",
     "A, B, C, D around a point: x' = A x + B u, y = C x + D u; eigenvalues of A",
     "The point is the start of a run (after the initial equations are solved), the time T of a run, or\n"
     "the steady state that the model approaches from its start at constant time. Derivatives are\n"
     "symbolic, or differences where a function has none. Inputs and outputs are those of the top level\n"
     "and of type Real; --inputs selects among them, --outputs takes any variables. Relations and\n"
     "discrete variables keep their values at the point; delayed values count as constants.\n"
     "If kinematic loops are cut, A has as many states as can move freely; --states names some of them,\n"
     "--states 'crank.*', and the others follow.\n"
     "-o: JSON, or MAT (version 4) with the matrices A, B, C, D, the point x0, u0, y0 and the names.\n",
     "rung linearize --model 'Linkage.Examples.PlanarPendulum(n=2)' -o A.json",
     command_linearize},
    {"doc", "LIBRARY|FILES|DIR...",
     "an HTML reference of classes: icons, parameters, documentation, source",
     "One page for each class: icon and diagram drawn from the annotations, documentation, parameters with\n"
     "defaults and units, connectors, bases, users, examples and the source; with a search that needs no\n"
     "server. LIBRARY is a folder, or a name that is searched for like those in models. Names that are\n"
     "not found are listed on the page of the class; syntax errors end with status 1, and nothing is written.\n"
     "A folder that is there is replaced if it is empty or an earlier run wrote all its files.\n",
     "rung doc Linkage -o linkage\n"
     "test -f linkage/index.html",
     command_doc},
    {"dof", "FILES --model M [--along R.mat] [-o F]",
     "degrees of freedom of a mechanism: how many, which motions, redundant constraints and why",
     "The degrees of freedom are those of the flat equations at the start of a run: constraints of joints,\n"
     "of closed loops and of equations (x^2 + y^2 = L^2) count alike. Each motion is printed as the\n"
     "velocities of its coordinates, the first being 1; for each redundant constraint its place, its loop\n"
     "or the constraints that it follows from. A constraint is redundant, a motion free, where singular\n"
     "values are at most --tolerance (1e-6) times the largest. --along: the number at up to 500 rows of a\n"
     "result of the model, and the times of its changes. -o F.html: a page on which each motion goes to\n"
     "and fro, F.svg: a picture with arrows. Coordinates, singular positions, velocities: docs/dof.md.\n",
     "rung dof --model Linkage.Benchmarks.FourBarChain\n"
     "rung simulate --model Linkage.Benchmarks.FiveBar -o five.mat\n"
     "rung dof --model Linkage.Benchmarks.FiveBar --along five.mat\n"
     "rung dof --model Linkage.Benchmarks.FiveBar -o five.html",
     command_dof},
    {"parameters", "FILES --model M",
     "which combinations of parameters the motion depends on, and which do not matter",
     "Base parameters, for identification: each line is a combination of parameters on which the motion\n"
     "depends; all values with the same combinations give the same motion for the same efforts. The\n"
     "analysis takes parameters that enter the equations of motion linearly, as masses, inertias and\n"
     "damping do, and their products with others of the same component. The others count as known, with\n"
     "any value; --known adds more, --numbers takes those of the model. With cut kinematic loops the\n"
     "combinations are those of the open mechanism. Coefficients and limits: docs/base-parameters.md.\n",
     "rung parameters --model Linkage.Examples.DoublePendulum",
     command_parameters},
    {"count", "FILES --model M",
     "operations per order of elimination",
     "For each block: the cost of every order, its growth of rounding errors, the cost of a sparse LU\n"
     "decomposition at run time, and the choice; numeric: the block is left to that decomposition,\n"
     "because straight code would be too long. --sweep compiles the model for each value of a structural\n"
     "parameter; given several times, for all combinations. --plot draws the operations over the first\n"
     "of them. --no-frames: vectors stay in the frames in which the model writes them.\n"
     "--motion, --effort: inverse dynamics, efforts from motions (rung compile --kind inverse).\n"
     "CSV: model, the swept parameters, order, add, mul, div, call (for the accelerations),\n"
     "total_add, total_mul, total_div, total_call (for all variables), taken (1: the choice).\n",
     "rung count --model Linkage.Examples.PlanarPendulum --sweep n=1,2,4,...,16",
     command_count},
    {"bench", "FILES --model M",
     "nanoseconds per evaluation of the generated code",
     "xdot: the derivatives of the states; residual: the residual form; jacobian: derivatives by the\n"
     "states, generated and by differences. Only on request: extended, derivatives of the equations of an\n"
     "implicit step; newton, its iteration, also by libraries; step, one of rk4. --lanes: the same for as\n"
     "many instances at once, in vector registers. ns is that of the fastest of many batches, over several\n"
     "states near the start; size is the number of states, of the residual form that of its inputs; error\n"
     "is relative to the largest number, against another way to the same numbers. $CC and $CFLAGS set the\n"
     "compiler and its flags (default: cc -O2):  CC=clang CFLAGS='-O3 -march=native' rung bench ...\n",
     "rung bench --model 'Linkage.Examples.PlanarPendulum(n=4)' --what xdot",
     command_bench},
    {"graph", "FILES --model M",
     "equations and unknowns as a graph or a picture",
     "incidence: the unknowns of each equation, after index reduction. blt: the same in the order of\n"
     "evaluation, algebraic loops together. ladder: the body structures of the largest linear\n"
     "loop, with kinematic leg, steps, kinetic leg and handles. Without --format the suffix of F\n"
     "decides, else dot. Equation e12 is the twelfth of `rung -d inline`.\n",
     "rung graph --model 'Linkage.Examples.PlanarPendulum(n=4)' --what ladder -o ladder.svg",
     command_graph},
    {"verify", "FILES --model M",
     "the exact check: the program in the model's equations, in residues and fractions",
     "The compiled program is put into each equation of the flat model, at random points, modulo primes\n"
     "of 61 bits; small models, and any with --rational, in fractions too. A residual that is not zero\n"
     "is an error that names the equation. Derivatives for implicit methods are checked likewise. The\n"
     "report gives the probability with which a wrong program passes. --certificate writes equations,\n"
     "program and points for a checker that shares no code with rung (docs/certificate.md).\n",
     "rung verify --model 'Linkage.Examples.PlanarPendulum(n=2)'",
     command_verify},
    {"compile", "FILES --model M -o DIR",
     "the generated C, with a Makefile",
     "A simulator with all methods but those of SUNDIALS; --method NAME: it takes that one by default.\n"
     "--kind library: files for other programs to link, without a heap; single-file: M.c and M.h; embedded:\n"
     "these for small targets; inverse: the efforts of --effort for the motions of --motion. --parameters:\n"
     "derivatives by these, too; --sensitivity: those along the steps of a library; --adjoint: gradients, back\n"
     "over them. --lanes 8: also code for eight instances at once. --no-kernels leaves code of repeated\n"
     "bodies straight; --no-fallback omits the equations with pivoting, for pivots that vanish at run time.\n"
     "Functions, kinds and limits: docs/c-library.md.\n",
     "rung compile --model Linkage.Examples.Slider -o slider\n"
     "make -C slider\n"
     "rung compile --model 'Linkage.Examples.PlanarPendulum(n=2)' --kind library -o pendulum\n"
     "make -C pendulum example",
     command_compile},
    {"fmu", "FILES --model M -o M.fmu",
     "a Functional Mock-up Unit, for model exchange and co-simulation",
     "One archive for both, with a binary for this platform that needs libc and libm only. FMI 2.0\n"
     "unless --fmi 3. Co-simulation uses the method esdirk, with events and closed loops. In model\n"
     "exchange with cut loops (--loops) the accelerations keep the loops closed and slowly reduce\n"
     "deviations from the constraints; events project the positions onto them.\n"
     "If constraints make some positions follow from others, rung runs the experiment: if the chosen\n"
     "states fail, the constraints are cut likewise (--loops ali3p), or all positions become states\n"
     "(--states redundant).\n"
     "Inputs and outputs are the model's own; parameters may change at events and between steps,\n"
     "unless external objects, or times of events and delays, depend on them. --format json describes\n"
     "the FMU.\n",
     "rung fmu --model Linkage.Examples.Slider -o Slider.fmu",
     command_fmu},
    {"format", "FILES|DIR...",
     "Modelica files in one layout, written in place",
     "Elements, equations and statements begin lines, indented by two columns; lines have up to 100\n"
     "columns. Tokens and comments stay, byte by byte, also empty lines, one at a place, and rows of a\n"
     "matrix that are written on lines of their own. The result is read again and has the same syntax\n"
     "tree, or the file stays untouched, as do files with syntax errors (exit status 1). Files that are\n"
     "formatted already are not written.\n"
     "With - it formats standard input to standard output. --check and --diff write nothing.\n",
     "printf 'model M Real x=1;end M;' | rung format -",
     command_format},
    {"import", "ROBOT.urdf|ROBOT.xml|X.fmu",
     "a robot (URDF, MJCF), or an FMU, as a model on Linkage",
     "An FMU becomes a class that calls it; among the files of other commands it is that class by itself:\n"
     "`rung simulate X.fmu` (docs/fmu-import.md). Robots (docs/robots.md): links become bodies, joints\n"
     "those of Linkage.Joints with a drive, an input for its torque or force; damping, friction, limits as\n"
     "elastic stops, shapes and meshes come along, z points up. A file that begins with <mujoco> is MJCF:\n"
     "its contacts, sites, sensors, controls are left out with a warning, equality constraints are errors.\n"
     "--base free: the first link of a URDF robot moves freely. --model: the name of the class.\n",
     "printf '<robot name=\"r\"><link name=\"l\"><inertial><mass value=\"1\"/></inertial></link></robot>' >r.urdf\n"
     "rung import r.urdf --base free -o R.mo\n"
     "rung check R.mo",
     command_import},
    {"lsp", "",
     "a language server for editors, on standard input and output",
     "For editors that know the language server protocol: errors while one types, names, types and\n"
     "equations after a pause, completion, an outline, the declaration of a name and its place, formatting.\n"
     "docs/editors.md sets up Neovim, Emacs, Kate and VS Code. --library: folders with libraries. Each\n"
     "answer is computed by a copy of the process: an unfinished model cannot stop the server.\n",
     "rung lsp </dev/null || true",
     command_lsp},
    {"parse", "DIR...",
     "reads all Modelica files: classes, lines per second, errors", NULL,
     "rung parse .",
     command_parse},
    {"passes", "[FILES --model M]", "the passes from text to program, in order; with a model their cost",
     "With a model: seconds of processor time of each pass, then, after the pass, the number of equations\n"
     "and of expression nodes, the megabytes that the translation holds, and the peak of the process.\n",
     "rung passes\n"
     "rung passes --model 'Linkage.Examples.AlternatingPendulum(n=100)'",
     command_passes},
    {"dump", "-d PASS FILES --model M",
     "the model after a pass; `rung -d PASS` is short for it", NULL,
     "rung -d blocks --model Linkage.Examples.Slider",
     command_dump},
    {"manual", "[COMMAND | -o DIR]",
     "a man page: of rung, of a command, or all of them as files", NULL,
     "rung manual simulate >rung-simulate.1",
     command_manual},
    {"completion", "bash|zsh",
     "completion of commands, options and values in a shell",
     "The shell reads the file:  source <(rung completion bash).  An installation puts it where\n"
     "shells look.\n",
     "rung completion bash >rung.bash",
     command_completion},
};
// clang-format on

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
    "Exit status: 0 good, 1 error in the model, or no values at its start, 2 usage,\n"
    "3 solver failed at run time, 4 file or tool missing, 130 interrupted.\n";

Exit command_unknown(const char *name)
{
    Spelling s = spelling_of(name);
    for (int k = 0; k < COMMANDS; k++)
        spelling_try(&s, commands[k].name);
    const Topic *t;
    for (int k = 0; (t = topic_at(k)); k++)
        spelling_try(&s, t->name);
    fprintf(stderr, "rung: there is no command '%s'; %s%s%s\n", name,
            s.nearest ? "did you mean '" : "see `rung help`", s.nearest ? s.nearest : "",
            s.nearest ? "'?" : "");
    return EXIT_USAGE;
}

/* More about a command, by topic. */
static void print_topics(const char *command)
{
    const Topic *t;
    bool any = false;
    for (int k = 0; (t = topic_at(k)); k++) {
        if (command && strcmp(t->command, command) != 0)
            continue;
        if (!any)
            puts("\nMore:");
        any = true;
        printf("  rung help %-32s %s\n", t->name, t->title);
    }
}

static Exit help_on(const char *of)
{
    const Command *c = command_find(of);
    const Topic *t = topic_find(of);
    if (c) {
        printf("rung %s%s%s\n\n%s\n", c->name, *c->usage ? " " : "", c->usage, c->what);
        if (c->detail)
            printf("\n%s", c->detail);
        options_help(c->name);
        printf("\nExample:\n%s\n", c->example);
        print_topics(c->name);
        return EXIT_GOOD;
    }
    if (t) {
        printf("%s\n\n%s\nSee also `rung help %s`.\n", t->title, t->text, t->command);
        return EXIT_GOOD;
    }
    return command_unknown(of);
}

Exit command_help(const char *of)
{
    if (of)
        return help_on(of);
    puts("rung compiles equation-based models (Modelica) to fast C.\n");
    for (int k = 0; k < COMMANDS; k++)
        printf("  rung %-10s %s\n", commands[k].name, commands[k].what);
    options_help(NULL);
    print_topics(NULL);
    printf("\n`rung help COMMAND` says more, and `man rung`. %s", command_statuses);
    return EXIT_GOOD;
}
