/* by_rung.c -- what rung generated for the chain, as a shared object. */
#include "chain.h"
#include "runtime/kernel/lanes.h"
#include "runtime/problem/context.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Rung {
    void *library;
    const RungModel *model;
    RungContext *ctx;
    uint32_t n;
    uint32_t *angle, *rate; /* state of each hinge */
    double *x[CHAIN_STATES], *xdot;
    Lanes *lanes; /* NULL: one state at a time */
    double *lane_x[CHAIN_STATES];
} Rung;

typedef const RungModel *(*Entry)(void);

static void rung_close(void *self)
{
    Rung *it = self;
    for (int s = 0; s < CHAIN_STATES; s++) {
        free(it->x[s]);
        free(it->lane_x[s]);
    }
    lanes_free(it->lanes);
    free(it->angle);
    free(it->rate);
    free(it->xdot);
    context_free(it->ctx);
    if (it->library)
        dlclose(it->library);
    free(it);
}

/* joint[k].phi and joint[k].w, k from 1 */
static bool find_states(Rung *it)
{
    memset(it->angle, 0xff, it->n * sizeof *it->angle);
    memset(it->rate, 0xff, it->n * sizeof *it->rate);
    for (uint32_t i = 0; i < it->model->n_states; i++) {
        const char *name = rung_name(it->model, it->model->state[i]);
        uint32_t k = 0;
        int phi = 0, w = 0;
        sscanf(name, "joint[%u].phi%n", &k, &phi);
        sscanf(name, "joint[%u].w%n", &k, &w);
        if (k < 1 || k > it->n)
            return false;
        if (phi && !name[phi])
            it->angle[k - 1] = i;
        else if (w && !name[w])
            it->rate[k - 1] = i;
    }
    for (uint32_t k = 0; k < it->n; k++)
        if (it->angle[k] == RUNG_NONE || it->rate[k] == RUNG_NONE)
            return false;
    return true;
}

static void *rung_open(const Chain *c, const char *path)
{
    Rung *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->n = c->n;
    it->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!it->library)
        fprintf(stderr, "%s\n", dlerror());
    union {
        void *object;
        Entry function;
    } entry = {.object = it->library ? dlsym(it->library, "rung_model") : NULL};
    it->model = entry.object ? entry.function() : NULL;
    it->ctx = it->model ? context_new(it->model) : NULL;
    it->angle = calloc(c->n, sizeof *it->angle);
    it->rate = calloc(c->n, sizeof *it->rate);
    it->xdot = calloc(2 * c->n, sizeof *it->xdot);
    bool ok = it->ctx && it->angle && it->rate && it->xdot;
    for (int s = 0; s < CHAIN_STATES; s++) {
        it->x[s] = calloc(2 * c->n, sizeof(double));
        ok = ok && it->x[s];
    }
    if (ok && (it->model->n_states != 2 * c->n || !find_states(it))) {
        fprintf(stderr, "%s is not the model of a chain of %u\n", path, c->n);
        ok = false;
    }
    if (!ok || context_update(it->ctx)) {
        rung_close(it);
        return NULL;
    }
    return it;
}

static void rung_keep(void *self, uint32_t s, const double *q, const double *v)
{
    Rung *it = self;
    for (uint32_t k = 0; k < it->n; k++) {
        it->x[s][it->angle[k]] = q[k];
        it->x[s][it->rate[k]] = v[k];
    }
}

static void rung_evaluate(void *self, uint32_t s)
{
    Rung *it = self;
    if (it->model->xdot(it->ctx, 0, it->x[s], it->xdot)) {
        fprintf(stderr, "rung: a pivot vanished\n");
        exit(1);
    }
}

static void rung_result(void *self, double *a)
{
    const Rung *it = self;
    for (uint32_t k = 0; k < it->n; k++)
        a[k] = it->xdot[it->rate[k]];
}

const Engine engine_rung = {
    "rung", "generated C", false, 1, rung_open, rung_keep, rung_evaluate, rung_result, rung_close,
};

/* ---- all states at once ---- */

static void *lanes_open(const Chain *c, const char *path)
{
    Rung *it = rung_open(c, path);
    if (!it)
        return NULL;
    it->lanes = lanes_new(it->model, CHAIN_STATES);
    bool ok = it->lanes;
    for (uint32_t s = 0; s < CHAIN_STATES && ok; s++) {
        it->lane_x[s] = lanes_array((size_t)2 * c->n * CHAIN_STATES);
        ok = it->lane_x[s] && !lanes_set(it->lanes, s, it->ctx);
    }
    if (!ok)
        rung_close(it);
    return ok ? it : NULL;
}

static void lanes_keep(void *self, uint32_t s, const double *q, const double *v)
{
    Rung *it = self;
    rung_keep(self, s, q, v);
    for (uint32_t lane = 0; lane < CHAIN_STATES; lane++)
        lanes_put(it->lanes, lane, 2 * it->n, it->x[s],
                  it->lane_x[(s + CHAIN_STATES - lane) % CHAIN_STATES]);
}

static void lanes_evaluate(void *self, uint32_t s)
{
    Rung *it = self;
    Lanes *l = it->lanes;
    l->code->xdot(&l->ctx, l->t, it->lane_x[s], l->k);
    if (l->ctx.failed) {
        fprintf(stderr, "rung: a pivot vanished\n");
        exit(1);
    }
}

static void lanes_result(void *self, double *a)
{
    const Rung *it = self;
    lanes_get(it->lanes, 0, 2 * it->n, it->lanes->k, it->xdot);
    rung_result(self, a);
}

const Engine engine_rung_lanes = {
    "rung, 8 at once", "the same in lanes", false,        CHAIN_STATES, lanes_open,
    lanes_keep,        lanes_evaluate,      lanes_result, rung_close,
};
