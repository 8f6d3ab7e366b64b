#include "cli/options.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_LIBRARY = 256,
    OPT_MODEL,
    OPT_FORMAT,
    OPT_STOP,
    OPT_TOLERANCE,
    OPT_INTERVAL,
    OPT_STEP,
    OPT_POINTS,
    OPT_METHOD,
    OPT_LOOPS,
    OPT_STATES,
    OPT_JACOBIAN,
    OPT_JACOBIAN_REUSE,
    OPT_SET,
    OPT_ORDER,
    OPT_SWEEP,
    OPT_WHAT,
    OPT_PLOT,
    OPT_PLOT_SIGNALS,
    OPT_DIAGNOSTICS,
    OPT_COLOR,
    OPT_PROGRESS,
    OPT_ROUND_TRIP,
    OPT_NO_FINGERPRINTS,
    OPT_NO_FALLBACK,
    OPT_NO_FRAMES,
    OPT_NO_KERNELS,
    OPT_AUDIT,
};

static const struct option long_options[] = {
    {"library", required_argument, NULL, OPT_LIBRARY},
    {"model", required_argument, NULL, OPT_MODEL},
    {"format", required_argument, NULL, OPT_FORMAT},
    {"stop", required_argument, NULL, OPT_STOP},
    {"tolerance", required_argument, NULL, OPT_TOLERANCE},
    {"interval", required_argument, NULL, OPT_INTERVAL},
    {"step", required_argument, NULL, OPT_STEP},
    {"points", required_argument, NULL, OPT_POINTS},
    {"method", required_argument, NULL, OPT_METHOD},
    {"loops", required_argument, NULL, OPT_LOOPS},
    {"states", required_argument, NULL, OPT_STATES},
    {"jacobian", required_argument, NULL, OPT_JACOBIAN},
    {"jacobian-reuse", required_argument, NULL, OPT_JACOBIAN_REUSE},
    {"set", required_argument, NULL, OPT_SET},
    {"order", required_argument, NULL, OPT_ORDER},
    {"sweep", required_argument, NULL, OPT_SWEEP},
    {"what", required_argument, NULL, OPT_WHAT},
    {"plot", required_argument, NULL, OPT_PLOT},
    {"plot-signals", required_argument, NULL, OPT_PLOT_SIGNALS},
    {"diagnostics", required_argument, NULL, OPT_DIAGNOSTICS},
    {"color", required_argument, NULL, OPT_COLOR},
    {"progress", required_argument, NULL, OPT_PROGRESS},
    {"round-trip", no_argument, NULL, OPT_ROUND_TRIP},
    {"no-fingerprints", no_argument, NULL, OPT_NO_FINGERPRINTS},
    {"no-fallback", no_argument, NULL, OPT_NO_FALLBACK},
    {"no-frames", no_argument, NULL, OPT_NO_FRAMES},
    {"no-kernels", no_argument, NULL, OPT_NO_KERNELS},
    {"audit", no_argument, NULL, OPT_AUDIT},
    {"output", required_argument, NULL, 'o'},
    {"dump", required_argument, NULL, 'd'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static bool number(const char *option, const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end != text && *end == 0 && isfinite(*out))
        return true;
    fprintf(stderr, "rung: --%s wants a number, not '%s'\n", option, text);
    return false;
}

static bool one_of(const char *option, const char *text, const char *const *allowed)
{
    for (const char *const *a = allowed; *a; a++) {
        if (strcmp(*a, text) == 0)
            return true;
    }
    fprintf(stderr, "rung: --%s does not know '%s'; it takes", option, text);
    for (const char *const *a = allowed; *a; a++)
        fprintf(stderr, "%s %s", a == allowed ? "" : ",", *a);
    fputc('\n', stderr);
    return false;
}

bool options_read(Options *o, Arena *mem, int argc, char **argv)
{
    static const char *const formats[] = {"table", "csv",     "json", "text",
                                          "dot",   "graphml", "svg",  NULL};
    static const char *const colors[] = {"auto", "always", "never", NULL};
    static const char *const diagnostics[] = {"text", "json", NULL};
    static const char *const progress[] = {"none", "bar", "json", "auto", NULL};
    static const char *const loops[] = {"ali3p", "penalty", "index-reduction", NULL};
    static const char *const states[] = {"static", "redundant", NULL};
    static const char *const jacobians[] = {"analytic", "coloured", "dense", "all", NULL};
    *o = (Options){.mem = mem,
                   .stop = NAN,
                   .tolerance = NAN,
                   .interval = NAN,
                   .step = NAN,
                   .points = NAN,
                   .jacobian_reuse = NAN,
                   .color = "auto",
                   .progress = "auto"};
    opterr = 0;
    optind = 1;
    bool ok = true;
    for (;;) {
        int c = getopt_long(argc, argv, ":o:d:qhV", long_options, NULL);
        if (c < 0)
            break;
        for (const struct option *l = long_options; l->name; l++)
            if (l->val == c)
                vec_push(mem, o->given, l->name);
        switch (c) {
        case OPT_LIBRARY:
            vec_push(mem, o->libraries, optarg);
            break;
        case OPT_SET:
            vec_push(mem, o->set, optarg);
            break;
        case OPT_MODEL:
            o->model = optarg;
            break;
        case OPT_FORMAT:
            o->format = optarg;
            ok = one_of("format", optarg, formats) && ok;
            break;
        case OPT_STOP:
            ok = number("stop", optarg, &o->stop) && ok;
            break;
        case OPT_TOLERANCE:
            ok = number("tolerance", optarg, &o->tolerance) && ok;
            break;
        case OPT_INTERVAL:
            ok = number("interval", optarg, &o->interval) && ok;
            break;
        case OPT_STEP:
            ok = number("step", optarg, &o->step) && ok;
            break;
        case OPT_POINTS:
            ok = number("points", optarg, &o->points) && ok;
            break;
        case OPT_METHOD:
            o->method = optarg;
            break;
        case OPT_STATES:
            o->states = optarg;
            ok = one_of("states", optarg, states) && ok;
            break;
        case OPT_LOOPS:
            o->loops = optarg;
            ok = one_of("loops", optarg, loops) && ok;
            break;
        case OPT_JACOBIAN:
            o->jacobian = optarg;
            ok = one_of("jacobian", optarg, jacobians) && ok;
            break;
        case OPT_JACOBIAN_REUSE:
            ok = number("jacobian-reuse", optarg, &o->jacobian_reuse) && ok;
            if (ok && !(o->jacobian_reuse >= 1 && o->jacobian_reuse <= 1e6)) {
                fputs("rung: --jacobian-reuse wants a number of iterations, from 1 on\n", stderr);
                ok = false;
            }
            break;
        case OPT_ORDER:
            o->order = optarg;
            break;
        case OPT_SWEEP:
            vec_push(mem, o->sweep, optarg);
            break;
        case OPT_WHAT:
            o->what = optarg;
            break;
        case OPT_PLOT:
            o->plot = optarg;
            break;
        case OPT_PLOT_SIGNALS:
            o->plot_signals = optarg;
            break;
        case OPT_DIAGNOSTICS:
            ok = one_of("diagnostics", optarg, diagnostics) && ok;
            o->diagnostics_json = strcmp(optarg, "json") == 0;
            break;
        case OPT_COLOR:
            o->color = optarg;
            ok = one_of("color", optarg, colors) && ok;
            break;
        case OPT_PROGRESS:
            o->progress = optarg;
            ok = one_of("progress", optarg, progress) && ok;
            break;
        case OPT_ROUND_TRIP:
            o->round_trip = true;
            break;
        case OPT_NO_KERNELS:
            o->no_kernels = true;
            break;
        case OPT_AUDIT:
            o->audit = true;
            break;
        case OPT_NO_FALLBACK:
            o->no_fallback = true;
            break;
        case OPT_NO_FRAMES:
            o->no_frames = true;
            break;
        case OPT_NO_FINGERPRINTS:
            o->plain_consing = true;
            break;
        case 'o':
            o->output = optarg;
            break;
        case 'd':
            o->dump = optarg;
            break;
        case 'q':
            o->quiet = true;
            break;
        case 'h':
            o->help = true;
            break;
        case 'V':
            o->command = "version";
            return true;
        case ':':
            fprintf(stderr, "rung: option '%s' needs a value\n", argv[optind - 1]);
            return false;
        default:
            fprintf(stderr, "rung: unknown option '%s'; see `rung help`\n", argv[optind - 1]);
            return false;
        }
    }
    for (int k = optind; k < argc; k++) {
        if (!o->command && !(o->dump && strcmp(argv[k], "dump") != 0))
            o->command = argv[k];
        else
            vec_push(mem, o->files, (const char *)argv[k]);
    }
    if (o->dump)
        o->command = "dump"; /* rung -d PASS FILES */
    return ok;
}

EmitOptions options_emission(const Options *o)
{
    EmitOptions e = emit_defaults();
    e.kernels = !o->no_kernels;
    return e;
}
