/* main.c -- accelerations of the chain by all programs: do they agree, and how long does each take.
 *
 * usage: chain_bench [--check] [--csv] N=MODEL.so ...
 *
 * For each N: the generated model in MODEL.so, the algorithm written by hand, and the libraries
 * that were there when this was built. All must give the same accelerations to 1e-9 of the largest
 * before anything is timed. The fastest of many batches counts. With --check nothing is timed.
 */
#define _POSIX_C_SOURCE 200809L
#include "chain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const Engine *const engines[] = {
    &engine_rung,    &engine_rung_lanes, &engine_aba, &engine_aba_along_x, &engine_aba_batched,
#ifdef WITH_BULLET
    &engine_bullet,
#endif
#ifdef WITH_MUJOCO
    &engine_mujoco,
#endif
#ifdef WITH_SIMBODY
    &engine_simbody,
#endif
};
enum { ENGINES = sizeof engines / sizeof *engines };

static const double TOLERANCE = 1e-9;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*seed >> 32) / 2147483648.0;
}

static double largest(uint32_t n, const double *a, const double *b)
{
    double most = 0;
    for (uint32_t k = 0; k < n; k++) {
        double d = fabs(a[k] - (b ? b[k] : 0));
        if (!(d <= most))
            most = d;
    }
    return most;
}

static double seconds_of(const Engine *e, void *self, uint64_t n)
{
    double begun = now();
    for (uint64_t k = 0; k < n; k++)
        e->evaluate(self, (uint32_t)(k % CHAIN_STATES));
    return now() - begun;
}

/* The runs of the engines are dealt out in rounds, so that a slow spell of the machine hits all. */
enum { ROUNDS = 15 };

static void time_all(const Chain *c, void *const *self, double *ns)
{
    uint64_t n[ENGINES];
    for (int e = 0; e < ENGINES; e++) {
        ns[e] = INFINITY;
        n[e] = CHAIN_STATES;
        while (self[e] && seconds_of(engines[e], self[e], n[e]) < 2e-3)
            n[e] *= 2;
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int e = 0; e < ENGINES; e++)
            for (int batch = 0; self[e] && batch < 3; batch++)
                ns[e] = fmin(ns[e], 1e9 * seconds_of(engines[e], self[e], n[e]) / (double)n[e] /
                                        c->n / engines[e]->lanes);
}

static bool run(const Chain *c, const char *path, bool check, bool csv)
{
    uint32_t n = c->n;
    void *self[ENGINES];
    double error[ENGINES] = {0}, ns[ENGINES], *q = calloc(n, sizeof *q), *v = calloc(n, sizeof *v),
           *a = calloc(n, sizeof *a), *first = calloc(n, sizeof *first);
    bool good = q && v && a && first;
    for (int e = 0; e < ENGINES; e++) {
        self[e] = good ? engines[e]->open(c, path) : NULL;
        if (good && !self[e])
            fprintf(stderr, "n = %u: %s is left out\n", n, engines[e]->name);
        good = good && (self[e] || engines[e]->may_fail);
    }
    uint64_t seed = 1;
    for (uint32_t s = 0; good && s < CHAIN_STATES; s++) {
        for (uint32_t k = 0; k < n; k++) {
            q[k] = 0.2 + 0.4 * noise(&seed);
            v[k] = 0.5 + 0.5 * noise(&seed);
        }
        for (int e = 0; e < ENGINES; e++) {
            if (!self[e])
                continue;
            engines[e]->keep(self[e], s, q, v);
            engines[e]->evaluate(self[e], s);
            engines[e]->result(self[e], e ? a : first);
            if (e)
                error[e] = fmax(error[e], largest(n, a, first) / largest(n, first, NULL));
        }
    }
    for (int e = 1; good && e < ENGINES; e++)
        if (self[e] && !(error[e] <= TOLERANCE)) {
            fprintf(stderr, "n = %u: %s differs from %s by %.2e\n", n, engines[e]->name,
                    engines[0]->name, error[e]);
            good = false;
        }
    if (good && !check)
        time_all(c, self, ns);
    for (int e = 0; good && e < ENGINES; e++) {
        if (!self[e])
            continue;
        if (check)
            printf("n = %-5u %-18s agrees to %.1e\n", n, engines[e]->name, error[e]);
        else if (csv)
            printf("%u,%s,%.4g,%.2e\n", n, engines[e]->name, ns[e], error[e]);
        else
            printf("%6u  %-18s %9.1f %8.2f   %.0e   %s\n", n, engines[e]->name, ns[e],
                   ns[e] / ns[0], error[e], engines[e]->what);
    }
    for (int e = 0; e < ENGINES; e++)
        if (self[e])
            engines[e]->close(self[e]);
    free(q);
    free(v);
    free(a);
    free(first);
    return good;
}

int main(int argc, char **argv)
{
    bool check = false, csv = false, good = true;
    int k = 1;
    for (; k < argc && argv[k][0] == '-'; k++) {
        check |= !strcmp(argv[k], "--check");
        csv |= !strcmp(argv[k], "--csv");
    }
    if (csv && !check)
        puts("n,program,ns_per_body,difference");
    else if (!check)
        printf("%6s  %-18s %9s %8s   %s\n", "n", "program", "ns/body", "ratio", "diff.");
    for (; k < argc; k++) {
        char *path;
        unsigned long n = strtoul(argv[k], &path, 10);
        if (n < 1 || *path != '=') {
            fprintf(stderr, "usage: %s [--check] [--csv] N=MODEL.so ...\n", argv[0]);
            return 2;
        }
        Chain c = {(uint32_t)n, 1, 1, 1.0 / 12, 9.81};
        good = run(&c, path + 1, check, csv) && good;
    }
    return good ? 0 : 1;
}
