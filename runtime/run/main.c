/* SPDX-License-Identifier: BSD-3-Clause
 *
 * main.c -- a simulator of one generated model that stands alone: link it with the model's C
 * files and the runtime.
 */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include "simulate.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t interrupted; /* a signal handler has no argument of its own */

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

static void usage(FILE *f, const char *program)
{
    const char *own = rung_model()->method;
    fprintf(f,
            "Usage: %s [options] [-o RESULT.csv|RESULT.mat]\n"
            "Simulates %s.\n\n"
            "  --start T        start time\n"
            "  --stop T         stop time\n"
            "  --tolerance R    relative tolerance\n"
            "  --interval H     time between two rows of the result\n"
            "  --step H         step of fixed-step methods, first step of others\n"
            "  --max-steps N    stop after that many steps\n"
            "  --method NAME    integrator%s%s:\n",
            program, rung_model()->name, own ? ", by default " : "", own ? own : "");
    const char *m;
    for (uint32_t k = 0; (m = simulate_method(k)); k++)
        fprintf(f, "                     %-8s %s\n", m, simulate_method_text(m));
    fprintf(f, "  --loops KIND     how trapezoid closes loops: ali3p or penalty\n"
               "  --jacobian-reuse K  Newton iterations that one Jacobian serves\n"
               "  --alpha A        penalty factor of all constraints, with ali3p and penalty\n"
               "  --penalty S      instead: penalties over inertia in a step\n"
               "  --projections K  rounds of projection in a step\n"
               "  --projection P   metric of these projections: mass, or alpha, the step's matrix\n"
               "  --profile        the time of the run by parts\n");
    fprintf(f, "  --set NAME=VALUE set a parameter, may be repeated\n"
               "  --range-check K  values outside min and max: off, warn or error\n"
               "  --progress KIND  auto, none, bar or json\n"
               "  --signals A,B    only variables called so, * and ? stand for any text\n"
               "  -o, --output F   result file, .csv or .mat; - is CSV on the standard output\n"
               "  --help\n");
}

static bool read_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end && isfinite(*value);
}

static bool read_range(const char *text, SimulateRange *kind)
{
    static const char *const names[] = {
        [RANGE_WARN] = "warn", [RANGE_OFF] = "off", [RANGE_ERROR] = "error"};
    for (int k = 0; k < 3; k++)
        if (!strcmp(text, names[k])) {
            *kind = (SimulateRange)k;
            return true;
        }
    return false;
}

static bool read_progress(const char *text, SimulateProgress *kind)
{
    static const char *const names[] = {"auto", "none", "bar", "json"};
    for (int k = 0; k < 4; k++)
        if (!strcmp(text, names[k])) {
            *kind = (SimulateProgress)k;
            return true;
        }
    return false;
}

int main(int argc, char **argv)
{
    enum {
        START = 256,
        STOP,
        TOLERANCE,
        INTERVAL,
        STEP,
        MAX_STEPS,
        METHOD,
        LOOPS,
        REUSE,
        ALPHA,
        PENALTY,
        PROJECTIONS,
        PROJECTION,
        PROFILE,
        SET,
        SIGNALS,
        RANGE,
        PROGRESS,
        HELP
    };
    static const struct option options[] = {
        {"start", required_argument, NULL, START},
        {"stop", required_argument, NULL, STOP},
        {"tolerance", required_argument, NULL, TOLERANCE},
        {"interval", required_argument, NULL, INTERVAL},
        {"step", required_argument, NULL, STEP},
        {"max-steps", required_argument, NULL, MAX_STEPS},
        {"method", required_argument, NULL, METHOD},
        {"loops", required_argument, NULL, LOOPS},
        {"jacobian-reuse", required_argument, NULL, REUSE},
        {"alpha", required_argument, NULL, ALPHA},
        {"penalty", required_argument, NULL, PENALTY},
        {"projections", required_argument, NULL, PROJECTIONS},
        {"projection", required_argument, NULL, PROJECTION},
        {"profile", no_argument, NULL, PROFILE},
        {"set", required_argument, NULL, SET},
        {"signals", required_argument, NULL, SIGNALS},
        {"range-check", required_argument, NULL, RANGE},
        {"progress", required_argument, NULL, PROGRESS},
        {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, HELP},
        {NULL, 0, NULL, 0},
    };
    SimulateOptions o = simulate_defaults();
    o.method = rung_model()->method;
    Profile profile;
    const char **set = calloc((size_t)argc, sizeof *set);
    if (!set)
        return SIMULATE_FILE;
    o.set = set;
    bool ok = true;
    for (int c; ok && (c = getopt_long(argc, argv, "o:", options, NULL)) != -1;) {
        double n = 0;
        switch (c) {
        case START:
            ok = read_number(optarg, &o.start);
            break;
        case STOP:
            ok = read_number(optarg, &o.stop);
            break;
        case TOLERANCE:
            ok = read_number(optarg, &o.tolerance);
            break;
        case INTERVAL:
            ok = read_number(optarg, &o.interval);
            break;
        case STEP:
            ok = read_number(optarg, &o.step);
            break;
        case MAX_STEPS:
            ok = read_number(optarg, &n) && n >= 1 && n < 1e18;
            o.max_steps = ok ? (uint64_t)n : 0;
            break;
        case METHOD:
            o.method = optarg;
            break;
        case LOOPS:
            ok = !strcmp(optarg, "ali3p") || !strcmp(optarg, "penalty");
            o.loops = optarg;
            break;
        case REUSE:
            ok = read_number(optarg, &n) && n >= 1 && n <= 1e6;
            o.jacobian_reuse = ok ? (uint32_t)n : 0;
            break;
        case ALPHA:
            ok = read_number(optarg, &o.closing.alpha) && o.closing.alpha > 0;
            break;
        case PENALTY:
            ok = read_number(optarg, &o.closing.penalty) && o.closing.penalty > 0;
            break;
        case PROJECTIONS:
            ok = read_number(optarg, &n) && n >= 1 && n <= 100 && n == floor(n);
            o.closing.projections = ok ? (uint32_t)n : 0;
            break;
        case PROJECTION:
            ok = !strcmp(optarg, "mass") || !strcmp(optarg, "alpha");
            o.closing.matrix = strcmp(optarg, "mass") ? PROJECTION_ALPHA : PROJECTION_MASS;
            break;
        case PROFILE:
            o.profile = &profile;
            break;
        case SET:
            set[o.n_set++] = optarg;
            break;
        case SIGNALS:
            o.signals = optarg;
            break;
        case RANGE:
            ok = read_range(optarg, &o.range);
            break;
        case PROGRESS:
            ok = read_progress(optarg, &o.progress);
            break;
        case 'o':
            o.result = optarg;
            break;
        case HELP:
            usage(stdout, argv[0]);
            free(set);
            return 0;
        default:
            usage(stderr, argv[0]);
            free(set);
            return SIMULATE_USAGE;
        }
        if (!ok)
            fprintf(stderr, "%s: '%s' is not a value of that option\n", argv[0], optarg);
    }
    if (ok && optind < argc) {
        fprintf(stderr, "%s: '%s' is one argument too many\n", argv[0], argv[optind]);
        ok = false;
    }
    if (!ok) {
        free(set);
        return SIMULATE_USAGE;
    }

    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    signal(SIGHUP, on_interrupt);
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of write() like others
#endif
    o.interrupt = &interrupted;
    SimulateSummary s;
    int status = simulate(rung_model(), &o, &s);
    if (status)
        fprintf(stderr, "%s: error: %s\n", argv[0], s.error);
    if (status == SIMULATE_OK || s.rows)
        simulate_print_summary(&s, stderr);
    if (o.profile && s.rows)
        simulate_print_profile(o.profile, stderr);
    free(set);
    return status;
}
