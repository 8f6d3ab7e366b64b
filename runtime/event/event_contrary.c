/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <stdlib.h>
#include <string.h>

bool event_contrary_new(Events *e)
{
    EventContrary *c = &e->contrary;
    const size_t n = e->r.n + (size_t)1;
    c->g = calloc(n, sizeof *c->g);
    c->other = calloc(n, sizeof *c->other);
    c->is_contrary = calloc(e->table->n_memory + (size_t)1, sizeof *c->is_contrary);
    return c->g && c->other && c->is_contrary;
}

void event_contrary_free(Events *e)
{
    free(e->contrary.g);
    free(e->contrary.other);
    free(e->contrary.is_contrary);
}

void event_contrary_find(Events *e)
{
    EventContrary *c = &e->contrary;
    c->n = rung_contrary_find(&e->r, e->watch.is_unread, c->is_contrary);
}

/* Where relations are asked for. */
typedef struct Point {
    Events *e;
    Run *run;
    double t;
    const double *x;
} Point;

/* Unknowns of blocks are first guesses again behind it. */
static int ask(void *user, double *g)
{
    const Point *p = user;
    RungContext *ctx = p->run->problem.ctx;
    const size_t n = p->run->problem.model->n_unknowns;
    memcpy(p->e->step.z, ctx->z, n * sizeof *ctx->z);
    int status = problem_evaluate(&p->run->problem, RUNG_ASK_RELATIONS, p->t, p->x, g);
    memcpy(ctx->z, p->e->step.z, n * sizeof *ctx->z);
    return status;
}

int event_contrary_ask(Events *e, Run *run, double t, const double *x, double *g)
{
    EventContrary *c = &e->contrary;
    Point p = {e, run, t, x};
    return c->n ? rung_contrary_ask(&e->r, c->is_contrary, ask, &p, c->other, g) : 0;
}

void event_contrary_change(Events *e, Run *run)
{
    EventContrary *c = &e->contrary;
    memset(c->g, 0, e->r.n * sizeof *c->g);
    if (!c->n || event_contrary_ask(e, run, run->t, run->x, c->g))
        return;
    for (uint32_t k = 0; k < e->r.n; k++) {
        const uint32_t at = e->r.relation[k];
        if (!c->is_contrary[at] || !rung_is_other(&e->r, k, c->g[k]))
            continue;
        event_set_memory(e, at, e->r.memory[at] == 0);
        break;
    }
}

void event_contrary_save(const Events *e, Snapshot *s)
{
    snapshot_put(s, e->contrary.is_contrary, e->table->n_memory);
}

bool event_contrary_restore(Events *e, Snapshot *s)
{
    EventContrary *c = &e->contrary;
    bool ok = snapshot_get(s, c->is_contrary, e->table->n_memory);
    c->n = 0;
    for (uint32_t k = 0; k < e->table->n_memory; k++)
        c->n += c->is_contrary[k] != 0;
    return ok;
}
