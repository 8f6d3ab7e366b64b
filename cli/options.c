#include "cli/command.h"

#include "base/spelling.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum OptionKind {
    OPTION_FLAG,   /* bool                                               */
    OPTION_TEXT,   /* const char *; once, or again with the same value   */
    OPTION_TEXTS,  /* Texts: may be repeated                             */
    OPTION_NUMBER, /* double; likewise once                              */
} OptionKind;

typedef struct Option {
    const char *name;
    char letter;          /* its short form, or 0                              */
    const char *commands; /* that take it, one blank apart; NULL: every one    */
    const char *argument; /* for the help; NULL: a flag; a|b: one of these     */
    OptionKind kind;
    size_t at; /* in Options */
    const char *help;
} Option;

/* All that the command line takes. A name has several rows where commands take different values. */
// clang-format off
#define AT(field) offsetof(Options, field)
static const Option table[] = {
    {"stop", 0, "simulate gradient optimize sweep view report compare", "T", OPTION_NUMBER, AT(stop),
     "stop time"},
    {"tolerance", 0, "simulate gradient optimize sweep view report linearize", "R", OPTION_NUMBER, AT(tolerance),
     "relative tolerance of the error of a step"},
    {"tolerance", 0, "dof", "R", OPTION_NUMBER, AT(tolerance),
     "singular values up to this fraction of the largest count as zero (default: 1e-6)"},
    {"along", 0, "dof", "R.mat", OPTION_TEXT, AT(along),
     "a result; report where the number changes"},
    {"tolerance", 0, "compare", "R", OPTION_NUMBER, AT(tolerance),
     "relative half-width of the tube (default: 2e-3)"},
    {"interval", 0, "simulate sweep view report", "H", OPTION_NUMBER, AT(interval),
     "time between rows"},
    {"step", 0, "simulate gradient optimize sweep view report", "H", OPTION_NUMBER, AT(step),
     "step size of methods with fixed steps"},
    {"method", 0, "simulate gradient optimize sweep view report compile linearize verify", "NAME", OPTION_TEXT, AT(method),
     "the integrator"},
    {"jacobian", 0, "compile", "analytic|dense", OPTION_TEXT, AT(jacobian),
     "derivatives for a library's steps: symbolic, or differences"},
    {"jacobian", 0, "simulate gradient optimize sweep", "analytic|coloured|dense", OPTION_TEXT, AT(jacobian),
     "derivatives: symbolic, or differences"},
    {"jacobian", 0, "bench", "analytic|coloured|dense|all", OPTION_TEXT, AT(jacobian),
     "one of the variants, or all"},
    {"at", 0, "linearize", "T", OPTION_NUMBER, AT(at),
     "at this time of a run"},
    {"steady", 0, "linearize", NULL, OPTION_FLAG, AT(steady),
     "at the steady state"},
    {"states", 0, "linearize", "'phi,w'", OPTION_TEXT, AT(states),
     "these states where closed loops leave a choice; or static, redundant"},
    {"inputs", 0, "linearize", "'u*,v'", OPTION_TEXT, AT(inputs),
     "only these inputs; * and ? match any text"},
    {"outputs", 0, "linearize", "'y*,v'", OPTION_TEXT, AT(outputs),
     "these variables as outputs"},
    {"jacobian-reuse", 0, "simulate gradient optimize sweep", "K", OPTION_NUMBER, AT(jacobian_reuse),
     "Newton iterations per Jacobian"},
    {"profile", 0, "simulate", NULL, OPTION_FLAG, AT(profile),
     "the time of the run by parts: residual, Jacobian, factors, solve"},
    {"alpha", 0, "simulate sweep", "A", OPTION_NUMBER, AT(alpha),
     "penalty factor of all constraints, with ali3p and penalty (default: by inertia)"},
    {"penalty", 0, "simulate sweep", "S", OPTION_NUMBER, AT(penalty),
     "instead: penalties over inertia in a step (default: 1e4)"},
    {"projections", 0, "simulate sweep", "K", OPTION_NUMBER, AT(projections),
     "rounds of projection in a step (default: to rounding with ali3p, 1 with penalty)"},
    {"projection", 0, "simulate sweep", "mass|alpha", OPTION_TEXT, AT(projection),
     "metric: masses, or the step's matrix with penalties (default with penalty)"},
    {"set", 0, "simulate gradient optimize sweep view report bench linearize dof parameters", "p=v", OPTION_TEXTS, AT(set),
     "value of a parameter, L=5 mm, kind=fast; may be repeated, or @FILE"},
    {"set", 0, "check flatten count graph verify compile fmu passes dump", "p=v", OPTION_TEXTS, AT(modifiers),
     "value of a parameter, as M(p=v), L=5 mm, kind=fast; may be repeated, or @FILE"},
    {"start", 0, "simulate gradient optimize sweep view report linearize", "x=v", OPTION_TEXTS, AT(start),
     "start value of a variable; may be repeated, or @FILE"},
    {"input", 0, "simulate gradient optimize sweep view report", "data.csv", OPTION_TEXT, AT(input),
     "data for inputs, .csv or .mat, columns by name"},
    {"interpolation", 0, "simulate gradient optimize sweep view report", "linear|hold|cubic", OPTION_TEXT, AT(interpolation),
     "between rows of these data (default: linear)"},
    {"sensitivity", 0, "simulate dump verify compile", "'p,a.*.m'", OPTION_TEXT, AT(sensitivity),
     "add derivatives by these parameters; x.start: by a start value"},
    {"adjoint", 0, "compile", "'p,a.*.m'", OPTION_TEXT, AT(adjoint),
     "of a library: gradients by these parameters, backward over its steps"},
    {"sensitivity-tolerance", 0, "simulate gradient optimize", "R", OPTION_NUMBER, AT(sensitivity_tolerance),
     "step control includes the errors of these derivatives"},
    {"mode", 0, "gradient optimize", "direct|adjoint|auto", OPTION_TEXT, AT(mode),
     "forward along the run, or backward from its end (default: auto, by the number of parameters)"},
    {"memory", 0, "gradient optimize", "256M", OPTION_TEXT, AT(memory),
     "for the steps that the backward way keeps (default: 1G); with less, the run is made several times"},
    {"by", 0, "gradient", "'p,a.*.m'", OPTION_TEXT, AT(sensitivity),
     "these parameters; x.start: the start value of x"},
    {"by", 0, "optimize", "'p=lo:hi'", OPTION_TEXT, AT(bounds),
     "parameters to find, each between bounds"},
    {"algorithm", 0, "optimize", "NAME", OPTION_TEXT, AT(algorithm),
     "of NLopt: slsqp (default), lbfgs, mma, ccsaq, tnewton, var2"},
    {"maximise", 0, "optimize", NULL, OPTION_FLAG, AT(maximise),
     "maximise the objective instead"},
    {"objective", 0, "gradient optimize", "'y,max(z)'", OPTION_TEXT, AT(objective),
     "a variable at the stop time, integral(y), max(y) or min(y) over the run"},
    {"of", 0, "simulate dump", "'y,b.*'", OPTION_TEXT, AT(of),
     "only the derivatives of these variables"},
    {"save-state", 0, "simulate", "S", OPTION_TEXT, AT(save_state),
     "save the state at the end of the run, for --from"},
    {"save-interval", 0, "simulate", "H", OPTION_NUMBER, AT(save_interval),
     "save the state also every H"},
    {"from", 0, "simulate", "S", OPTION_TEXT, AT(from),
     "continue from the state saved in S"},
    {"audit", 0, "simulate", NULL, OPTION_FLAG, AT(audit),
     "audit models of any size, and more steps"},
    {"no-audit", 0, "simulate", NULL, OPTION_FLAG, AT(no_audit),
     "no check of the run against the equations as written"},
    {"error-estimate", 0, "simulate", NULL, OPTION_FLAG, AT(error_estimate),
     "estimate the errors of all variables by a second run"},
    {"output", 'o', "plot", "F.svg", OPTION_TEXT, AT(output),
     "the picture, .svg, .png or .html"},
    {"signals", 0, "plot", "'a,b;c*'", OPTION_TEXT, AT(signals),
     "these variables; a semicolon begins a panel, * and ? match any text"},
    {"output", 'o', "view report", "M.html", OPTION_TEXT, AT(output),
     "the page; - is standard output"},
    {"signals", 0, "view", "'a,b*'", OPTION_TEXT, AT(curves),
     "curves below the picture; * and ? match any text"},
    {"live", 0, "view", NULL, OPTION_FLAG, AT(live),
     "the model itself in the page: sliders, inputs, no recording"},
    {"play", 0, "view", NULL, OPTION_FLAG, AT(play),
     "start the motion when the page opens"},
    {"up", 0, "view", "x|y|z", OPTION_TEXT, AT(up),
     "the axis that points up at first (default: y)"},
    {"follow", 0, "view", "PART", OPTION_TEXT, AT(follow),
     "part that the camera follows (default: a part that travels far, such as a vehicle)"},
    {"speed", 0, "view", "S", OPTION_NUMBER, AT(speed),
     "simulated seconds per second (default: 1)"},
    {"output", 'o', "simulate", "R.csv", OPTION_TEXT, AT(output),
     "the result, .csv or .mat; - is CSV on stdout"},
    {"output", 'o', "optimize", "H.csv", OPTION_TEXT, AT(output),
     "the values of all runs; - is standard output"},
    {"output", 'o', "dof", "F", OPTION_TEXT, AT(output),
     "a page .html on which each degree of freedom moves a little, or its picture .svg"},
    {"output", 'o', "linearize", "F", OPTION_TEXT, AT(output),
     "the file to write, .json or .mat; - is JSON on stdout"},
    {"output", 'o', "manual", "DIR", OPTION_TEXT, AT(output),
     "write the pages of all commands into this folder"},
    {"output", 'o', "flatten graph dump completion", "F", OPTION_TEXT, AT(output),
     "the file to write"},
    {"signals", 0, "simulate sweep", "'a.*,b'", OPTION_TEXT, AT(signals),
     "only these variables; * and ? match any text"},
    {"output", 'o', "compile sweep", "DIR", OPTION_TEXT, AT(output),
     "the directory to write"},
    {"output", 'o', "fmu", "M.fmu", OPTION_TEXT, AT(output),
     "the file to write"},
    {"fmi", 0, "fmu", "2|3", OPTION_TEXT, AT(fmi),
     "version of the standard (default: 2)"},
    {"interface", 0, "fmu", "me|cs|both", OPTION_TEXT, AT(interface),
     "model exchange, co-simulation (default: both)"},
    {"interface", 0, "import simulate gradient optimize sweep view report check linearize compile flatten dump", "me|cs", OPTION_TEXT, AT(interface),
     "of FMUs: model exchange, co-simulation (default: me if there is one)"},
    {"sources", 0, "fmu", NULL, OPTION_FLAG, AT(sources),
     "the C sources too, with buildDescription.xml"},
    {"kind", 0, "compile", "program|library|single-file|embedded|inverse", OPTION_TEXT, AT(kind),
     "kind of C code (default: program)"},
    {"known", 0, "parameters", "'l,arm.*'", OPTION_TEXT, AT(known),
     "parameters that count as known; * and ? match any text"},
    {"numbers", 0, "parameters", NULL, OPTION_FLAG, AT(numbers),
     "known parameters have the values of the model"},
    {"parameters", 0, "compile", "'m,k*'", OPTION_TEXT, AT(parameters),
     "of a library: derivatives by these parameters too; * and ? match any text"},
    {"parameters", 0, "fmu", "'m,k*'", OPTION_TEXT, AT(parameters),
     "directional derivatives by these parameters, too; * and ? match any text"},
    {"motion", 0, "compile count", "'joint[*].phi'", OPTION_TEXT, AT(motion),
     "inverse dynamics: the given coordinates"},
    {"effort", 0, "compile count", "'joint[*].tau'", OPTION_TEXT, AT(effort),
     "inverse dynamics: the forces and torques to compute, one along each"},
    {"real", 0, "compile", "double|float", OPTION_TEXT, AT(real),
     "number type of single-file and embedded"},
    {"plot", 0, "simulate", "F.svg", OPTION_TEXT, AT(plot),
     "curves of the result, .svg, .png or .html"},
    {"plot", 0, "count", "F.svg", OPTION_TEXT, AT(plot),
     "operations over the first parameter of --sweep"},
    {"plot-signals", 0, "simulate", "'a,b;c'", OPTION_TEXT, AT(plot_signals),
     "the curves to draw"},
    {"sweep", 0, "count", "n=1,2,4,...,64", OPTION_TEXTS, AT(sweep),
     "values of a structural parameter; may be repeated"},
    {"vary", 0, "sweep", "p=VALUES", OPTION_TEXTS, AT(vary),
     "1,2,4 or 1,1.1,...,2, uniform(a,b), normal(mean,deviation)"},
    {"vary-from", 0, "sweep", "F.csv", OPTION_TEXT, AT(vary_from),
     "values of parameters, with their names in the first row"},
    {"runs", 0, "optimize", "N", OPTION_NUMBER, AT(runs),
     "maximum number of runs (default: 200)"},
    {"runs", 0, "sweep", "N", OPTION_NUMBER, AT(runs),
     "number of runs, if values are random"},
    {"sampling", 0, "sweep", "grid|list|lhs|random", OPTION_TEXT, AT(sampling),
     "how to combine the values of several parameters"},
    {"seed", 0, "sweep", "S", OPTION_NUMBER, AT(seed),
     "of random values, a whole number (default: 0)"},
    {"jobs", 0, "check sweep", "N", OPTION_NUMBER, AT(jobs),
     "number of processes (default: number of processors)"},
    {"mpi", 0, "sweep", NULL, OPTION_FLAG, AT(mpi),
     "under mpirun: distribute the runs over the ranks"},
    {"slurm", 0, "sweep", NULL, OPTION_FLAG, AT(slurm),
     "write DIR/sweep.slurm, an array of jobs, instead"},
    {"part", 0, "sweep", "I/K", OPTION_TEXT, AT(part),
     "only the I-th of K parts of the runs"},
    {"keep", 0, "sweep", NULL, OPTION_FLAG, AT(keep),
     "the trajectories of all runs, not of failed ones only"},
    {"what", 0, "bench", "xdot,residual,...", OPTION_TEXT, AT(what),
     "tasks to measure"},
    {"lanes", 0, "bench", "1,4,8", OPTION_TEXT, AT(lanes),
     "instances at once: 1, 2, 4, 8, 16"},
    {"lanes", 0, "compile", "8", OPTION_TEXT, AT(lanes),
     "instances at once: 2, 4, 8, 16"},
    {"lanes", 0, "sweep", "8", OPTION_TEXT, AT(lanes),
     "runs at a time: 2, 4, 8, 16; without a number 8"},
    {"what", 0, "graph", "incidence|blt|blocks|ladder", OPTION_TEXT, AT(what),
     "the graph to draw"},
    {"format", 0, "check simulate gradient optimize sweep linearize fmu", "text|json", OPTION_TEXT, AT(format),
     "output format"},
    {"format", 0, "compare dof parameters verify passes compile flatten dump parse", "text|json", OPTION_TEXT, AT(format),
     "output format"},
    {"format", 0, "count", "table|csv|json", OPTION_TEXT, AT(format),
     "output format"},
    {"format", 0, "bench", "table|csv|json", OPTION_TEXT, AT(format),
     "output format"},
    {"format", 0, "graph", "dot|graphml|json|svg", OPTION_TEXT, AT(format),
     "output format"},
    {"points", 0, "verify", "K", OPTION_NUMBER, AT(points),
     "random points at which the equations are checked"},
    {"certificate", 0, "verify", "F", OPTION_TEXT, AT(certificate),
     "equations, program and points as text, for other checkers"},
    {"rational", 0, "verify", NULL, OPTION_FLAG, AT(rational),
     "in fractions too, for models of any size"},
    {"check", 0, "format", NULL, OPTION_FLAG, AT(check),
     "list the files that would change and end with status 1; write nothing"},
    {"output", 'o', "doc", "DIR", OPTION_TEXT, AT(output),
     "the folder of the pages; one that an earlier run wrote is replaced"},
    {"title", 0, "doc", "TEXT", OPTION_TEXT, AT(title),
     "the title of all pages (default: the name of the library)"},
    {"base", 0, "import", "fixed|free", OPTION_TEXT, AT(base),
     "whether the robot's first link is fixed to the world (default) or free"},
    {"output", 'o', "import", "ROBOT.mo", OPTION_TEXT, AT(output),
     "the model, named like the file; - is standard output (default)"},
    {"diff", 0, "format", NULL, OPTION_FLAG, AT(diff),
     "print the changes as a unified diff; write nothing"},
    {"round-trip", 0, "parse", NULL, OPTION_FLAG, AT(round_trip),
     "print, read again and compare"},
    {"no-cache", 0, "simulate gradient optimize sweep linearize view fmu dof check count verify compile", NULL,
     OPTION_FLAG, AT(no_cache), "neither read nor write the cache of compiled models and orders"},
    {"no-kernels", 0, "simulate gradient optimize sweep bench compile fmu", NULL, OPTION_FLAG, AT(no_kernels),
     "straight-line C, without loops"},
    {"no-fallback", 0, "compile", NULL, OPTION_FLAG, AT(no_fallback),
     "no second program to solve with pivoting"},

    {"model", 0, NULL, "M", OPTION_TEXT, AT(model),
     "the class, with modifiers: Package.Model(n=32); --model may be left out"},
    {"library", 0, NULL, "DIR", OPTION_TEXTS, AT(libraries),
     "folder with libraries, before MODELICAPATH; may be repeated"},
    {"order", 0, NULL, "a,b|all", OPTION_TEXT, AT(order),
     "orders of elimination to use or to count"},
    {"loops", 0, NULL, "ali3p|penalty|index-reduction", OPTION_TEXT, AT(loops),
     "treatment of kinematic loops"},
    {"states", 0, NULL, "static|redundant|differentiated", OPTION_TEXT, AT(states),
     "which positions are states"},
    {"strict", 0, NULL, NULL, OPTION_FLAG, AT(strict),
     "report every violation of the specification as an error"},
    {"no-external", 0, NULL, NULL, OPTION_FLAG, AT(no_external),
     "refuse models with external functions: their C is neither built nor run"},
    {"unit-check", 0, NULL, "off|warn|error", OPTION_TEXT, AT(unit_check),
     "action for units that do not match (default: warn in check and simulate, else off)"},
    {"range-check", 0, "check simulate sweep", "off|warn|error", OPTION_TEXT, AT(range_check),
     "action for values outside min and max (default: warn)"},
    {"no-fingerprints", 0, NULL, NULL, OPTION_FLAG, AT(plain_consing),
     "expressions are equal only if they have the same form"},
    {"no-frames", 0, NULL, NULL, OPTION_FLAG, AT(no_frames),
     "vectors stay in the frames in which the model writes them"},
    {"dump", 'd', NULL, "PASS", OPTION_TEXT, AT(dump),
     "print the model after this pass instead (rung passes)"},
    {"diagnostics", 0, NULL, "text|json", OPTION_TEXT, AT(diagnostics),
     "format of error messages"},
    {"color", 0, NULL, "auto|always|never", OPTION_TEXT, AT(color),
     "colour of error messages"},
    {"progress", 0, NULL, "auto|none|bar|json", OPTION_TEXT, AT(progress),
     "progress of a run, on stderr"},
    {"quiet", 'q', NULL, NULL, OPTION_FLAG, AT(quiet),
     "print results only"},
    {"help", 'h', NULL, NULL, OPTION_FLAG, AT(help),
     "print this help"},
    {"version", 'V', NULL, NULL, OPTION_FLAG, AT(version),
     "print the version of the program"},
};
// clang-format on

enum { ROWS = sizeof table / sizeof *table };

static bool is_among(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += n)
        if ((at == names || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

static bool takes(const char *command, const Option *row)
{
    return !row->commands || is_among(row->commands, command);
}

/* ---- values ---- */

static bool read_number(const char *option, const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end != text && *end == 0 && isfinite(*out))
        return true;
    fprintf(stderr, "rung: --%s needs a number, not '%s'\n", option, text);
    return false;
}

bool options_read_size(const char *text, size_t *out)
{
    static const double LARGEST = 1e18;
    static const char units[] = "kMGT";
    char *end;
    double size = strtod(text, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    for (const char *at = units; unit && at <= unit; at++)
        size *= 1024;
    *out = size >= 1 && size <= LARGEST ? (size_t)size : 0;
    return end != text && *out && !end[unit != NULL];
}

/* Is the text one of the words of an argument a|b|c (without a blank or comma in it). */
static bool is_allowed(const Option *row, const char *text)
{
    if (!strchr(row->argument, '|') || strpbrk(row->argument, ", "))
        return true;
    enum { LONGEST = 40 };
    char word[LONGEST], nearest[LONGEST] = "";
    const char *separator = "";
    Spelling near = spelling_of(text);
    for (const char *at = row->argument; *at; at += strcspn(at, "|"), at += *at == '|') {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "|"), at);
        if (strcmp(word, text) == 0)
            return true;
        near.nearest = NULL;
        spelling_try(&near, word);
        if (near.nearest)
            memcpy(nearest, word, sizeof word);
    }
    fprintf(stderr, "rung: --%s does not know '%s'%s%s%s; it takes", row->name, text,
            *nearest ? ", did you mean '" : "", nearest, *nearest ? "'?" : "");
    for (const char *at = row->argument; *at; at += strcspn(at, "|"), at += *at == '|') {
        fprintf(stderr, "%s %.*s", separator, (int)strcspn(at, "|"), at);
        separator = ",";
    }
    fputc('\n', stderr);
    return false;
}

/* --set @FILE: a setting in each line; a comment begins with #. */
static bool store_lines(Options *o, const Option *row, const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        fprintf(stderr, "rung: --%s: cannot read '%s': %s\n", row->name, path, strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t size = 0;
    for (ssize_t n; (n = getline(&line, &size, f)) >= 0;) {
        size_t blank = strspn(line, " \t");
        while (n && strchr(" \t\r\n", line[n - 1]))
            n--;
        if ((size_t)n > blank && line[blank] != '#')
            vec_push(o->mem, *(Texts *)((char *)o + row->at),
                     (const char *)arena_copy(o->mem, line + blank, (size_t)n - blank));
    }
    bool ok = !ferror(f);
    if (!ok)
        fprintf(stderr, "rung: --%s: cannot read '%s'\n", row->name, path);
    free(line);
    fclose(f);
    return ok;
}

/* before: its value further to the left, or NULL. */
static bool store(Options *o, const Option *row, const char *text, const char *before)
{
    void *at = (char *)o + row->at;
    if (row->kind == OPTION_FLAG) {
        *(bool *)at = true;
        return true;
    }
    if (row->kind == OPTION_TEXTS && *text == '@' && strchr(row->argument, '='))
        return store_lines(o, row, text + 1);
    if (row->kind == OPTION_TEXTS) {
        vec_push(o->mem, *(Texts *)at, text);
        return true;
    }
    if (before && strcmp(before, text) != 0) {
        fprintf(stderr, "rung: --%s is given twice, as '%s' and as '%s'\n", row->name, before,
                text);
        return false;
    }
    if (row->kind == OPTION_NUMBER)
        return read_number(row->name, text, at);
    *(const char **)at = text;
    return is_allowed(row, text);
}

/* ---- the command line ---- */

/* One option as it was given: the first row of that name, and its text. */
typedef struct Given {
    const Option *first;
    const char *text;
} Given;

typedef VEC(Given) Givens;

/* The word that getopt_long has just read: the last one, or the one before its value. */
static const char *word_of(char **argv, const char *value)
{
    return argv[optind - 1 - (value && value == argv[optind - 1])];
}

/* getopt_long takes the beginning of a name for the name, which another option may have as a whole
 * in the next version: --mode for --model. */
static bool is_shortened(const char *name, const char *word)
{
    size_t n = strcspn(word, "=");
    if (n < 2 || word[0] != '-' || word[1] != '-' ||
        (n == strlen(name) + 2 && strncmp(word + 2, name, n - 2) == 0))
        return false;
    fprintf(stderr, "rung: unknown option '%.*s'; --%s has to be written in full\n", (int)n, word,
            name);
    return true;
}

static void fail_unknown(const char *word)
{
    size_t n = strcspn(word, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)n, word);
    Spelling s = spelling_of(name + strspn(name, "-"));
    for (int k = 0; k < ROWS; k++)
        spelling_try(&s, table[k].name);
    fprintf(stderr, "rung: unknown option '%s'; %s%s%s\n", word,
            s.nearest ? "did you mean '--" : "see `rung help`", s.nearest ? s.nearest : "",
            s.nearest ? "'?" : "");
}

/* The only option whose value may be left out, where no number follows. */
static const char *const without_number = "lanes", *const instead_of_number = "auto";

/* Whether the value that getopt_long has taken for the option is the next word after all. */
static bool is_next_word(const char *name, char **argv, const char *value)
{
    return strcmp(name, without_number) == 0 && value && value == argv[optind - 1] &&
           !(*value >= '0' && *value <= '9');
}

static bool read_words(Options *o, Givens *given, int argc, char **argv)
{
    struct option *named = arena_array(o->mem, struct option, ROWS + 1);
    for (int k = 0; k < ROWS; k++)
        named[k] = (struct option){
            table[k].name, table[k].argument ? required_argument : no_argument, NULL, 256 + k};
    opterr = 0;
    optind = 1;
    for (int c; (c = getopt_long(argc, argv, ":o:d:qhV", named, NULL)) >= 0;) {
        if (c == ':' && optopt >= 256 && strcmp(table[optopt - 256].name, without_number) == 0) {
            vec_push(o->mem, *given, ((Given){&table[optopt - 256], instead_of_number}));
            continue;
        }
        if (c == ':') {
            fprintf(stderr, "rung: option '%s' needs a value\n", argv[optind - 1]);
            return false;
        }
        int row = c - 256;
        for (int k = 0; k < ROWS && row < 0; k++)
            if (table[k].letter == c)
                row = k;
        if (row < 0) {
            fail_unknown(argv[optind - 1]);
            return false;
        }
        if (is_shortened(table[row].name, word_of(argv, optarg)))
            return false;
        if (is_next_word(table[row].name, argv, optarg)) {
            optind--;
            optarg = (char *)instead_of_number;
        }
        vec_push(o->mem, *given, ((Given){&table[row], optarg}));
    }
    return true;
}

/* The first row of that name that the command takes; any where the command is not known, for which
 * there is another message. */
static const Option *row_for(const Options *o, const char *name)
{
    const Option *any = NULL;
    for (int k = 0; k < ROWS; k++) {
        if (strcmp(table[k].name, name) != 0)
            continue;
        if (o->command && takes(o->command, &table[k]))
            return &table[k];
        any = &table[k];
    }
    return o->command && command_find(o->command) ? NULL : any;
}

bool options_read(Options *o, Arena *mem, int argc, char **argv)
{
    *o = (Options){.mem = mem,
                   .stop = NAN,
                   .tolerance = NAN,
                   .interval = NAN,
                   .step = NAN,
                   .points = NAN,
                   .jacobian_reuse = NAN,
                   .alpha = NAN,
                   .penalty = NAN,
                   .projections = NAN,
                   .sensitivity_tolerance = NAN,
                   .at = NAN,
                   .runs = NAN,
                   .jobs = NAN,
                   .seed = NAN,
                   .speed = NAN,
                   .save_interval = NAN,
                   .base = "fixed",
                   .diagnostics = "text",
                   .color = "auto",
                   .progress = "auto"};
    Givens given = {0};
    if (!read_words(o, &given, argc, argv))
        return false;
    for (uint32_t k = 0; k < given.n; k++) {
        if (given.at[k].first->at == AT(dump))
            o->dump = given.at[k].text;
        if (given.at[k].first->at == AT(help))
            o->help = true;
    }
    for (int k = optind; k < argc; k++) {
        if (!o->command && !(o->dump && strcmp(argv[k], "dump") != 0))
            o->command = argv[k];
        else
            vec_push(mem, o->files, (const char *)argv[k]);
    }
    if (o->dump)
        o->command = "dump"; /* rung -d PASS FILES */
    if (o->help)
        return true;

    bool ok = true;
    for (uint32_t k = 0; k < given.n; k++) {
        const char *name = given.at[k].first->name, *before = NULL;
        const Option *row = row_for(o, name);
        // an option that does nothing would be believed to do something
        if (!row) {
            fprintf(stderr, "rung: `rung %s` takes no option --%s; see `rung help %s`\n",
                    o->command, name, o->command);
            return false;
        }
        for (uint32_t i = 0; i < k && !before; i++)
            if (strcmp(given.at[i].first->name, name) == 0)
                before = given.at[i].text;
        ok = store(o, row, given.at[k].text, before) && ok;
    }
    if (ok && !isnan(o->jacobian_reuse) && !(o->jacobian_reuse >= 1 && o->jacobian_reuse <= 1e6)) {
        fputs("rung: --jacobian-reuse needs a number of iterations, from 1 on\n", stderr);
        ok = false;
    }
    if (ok &&
        ((!isnan(o->alpha) && !(o->alpha > 0)) || (!isnan(o->penalty) && !(o->penalty > 0)))) {
        fprintf(stderr, "rung: --%s needs a number above 0\n",
                !isnan(o->alpha) && !(o->alpha > 0) ? "alpha" : "penalty");
        ok = false;
    }
    if (ok && !isnan(o->projections) &&
        !(o->projections >= 1 && o->projections <= 100 &&
          o->projections == floor(o->projections))) {
        fputs("rung: --projections needs a number of rounds, from 1 to 100\n", stderr);
        ok = false;
    }
    size_t bytes;
    if (ok && o->memory && !options_read_size(o->memory, &bytes)) {
        fprintf(stderr, "rung: --memory needs a size as 200000, 500k, 256M or 1.5G, not '%s'\n",
                o->memory);
        ok = false;
    }
    if (ok && !isnan(o->sensitivity_tolerance) && !(o->sensitivity_tolerance > 0)) {
        fputs("rung: --sensitivity-tolerance needs a number above 0\n", stderr);
        ok = false;
    }
    return ok;
}

/* ---- help ---- */

static void print_rows(const char *command, bool of_all)
{
    for (int k = 0; k < ROWS; k++) {
        const Option *row = &table[k];
        if (of_all ? row->commands != NULL : !row->commands || !takes(command, row))
            continue;
        char words[80];
        snprintf(words, sizeof words, "%s%c%s--%s%s%s", row->letter ? "-" : "",
                 row->letter ? row->letter : ' ', row->letter ? ", " : "   ", row->name,
                 row->argument ? " " : "", row->argument ? row->argument : "");
        printf("  %-43s %s\n", words, row->help);
    }
}

void options_help(const char *command)
{
    for (int k = 0; k < ROWS && command; k++)
        if (table[k].commands && takes(command, &table[k])) {
            puts("\nOptions:");
            print_rows(command, false);
            break;
        }
    if (command) {
        puts("\nOptions of every command: `rung help`.");
        return;
    }
    puts("\nOptions of every command:");
    print_rows(NULL, true);
}

bool options_want_json(const Options *o)
{
    return o->format && strcmp(o->format, "json") == 0;
}

bool options_row(int k, OptionText *out)
{
    if (k >= ROWS)
        return false;
    const Option *row = &table[k];
    *out = (OptionText){row->name, row->letter, row->commands, row->argument, row->help};
    return true;
}

bool options_is_of(const OptionText *row, const char *command)
{
    return row->commands && is_among(row->commands, command);
}

bool options_lanes(const Options *o, uint32_t width[MOST_LANES], uint32_t *n)
{
    enum { WIDTH = 8 }; // fills the widest vectors, and others several times
    bool wanted[MOST_LANES + 1] = {0};
    *n = 0;
    if (o->lanes && strcmp(o->lanes, instead_of_number) == 0 && strcmp(o->command, "sweep") == 0) {
        width[(*n)++] = WIDTH;
        return true;
    }
    for (const char *at = o->lanes; at; at = strchr(at, ',')) {
        at += *at == ',';
        char *end;
        unsigned long value = strtoul(at, &end, 10);
        uint32_t k = 0;
        while (k <= MOST_LANES && value != 1ul << k)
            k++;
        if (end == at || (*end && *end != ',') || k > MOST_LANES) {
            fprintf(stderr, "rung: --lanes takes 1, 2, 4, 8, 16, not '%.*s'\n",
                    (int)strcspn(at, ","), at);
            return false;
        }
        wanted[k] = true;
    }
    for (uint32_t k = 1; k <= MOST_LANES; k++)
        if (wanted[k])
            width[(*n)++] = 1u << k;
    return true;
}
