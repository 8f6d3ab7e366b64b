/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool event_contrary_new(Events *e)
{
    EventContrary *c = &e->contrary;
    const size_t n = e->r.n + (size_t)1;
    c->changes = RUNG_NONE;
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
    c->changes = RUNG_NONE;
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

int event_contrary_ask(Events *e, Run *run, double *g)
{
    EventContrary *c = &e->contrary;
    Point now = {e, run, run->t, run->x};
    return c->n ? rung_contrary_ask(&e->r, c->is_contrary, ask, &now, c->other, g) : 0;
}

/* The first that changes by the functions at a point; RUNG_NONE also where they are not known. */
static uint32_t changing(Events *e, Point *p)
{
    EventContrary *c = &e->contrary;
    if (rung_contrary_ask(&e->r, c->is_contrary, ask, p, c->other, c->g))
        return RUNG_NONE;
    for (uint32_t k = 0; k < e->r.n; k++)
        if (c->is_contrary[e->r.relation[k]] && rung_contrary_changes(&e->r, k, c->g[k]))
            return k;
    return RUNG_NONE;
}

void event_contrary_look_now(Events *e, Run *run)
{
    Point now = {e, run, run->t, run->x};
    e->contrary.changes = e->contrary.n ? changing(e, &now) : RUNG_NONE;
}

/* At t in the last step. */
static uint32_t changing_at(Events *e, Run *run, const Integrator *method, void *self, double t)
{
    Point p = {e, run, t, run->x};
    if (t != run->t) {
        method->at(self, run, t, e->step.x);
        p.x = e->step.x;
    }
    return changing(e, &p);
}

bool event_contrary_look(Events *e, Run *run, const Integrator *method, void *self, double t0,
                         double *when)
{
    EventContrary *c = &e->contrary;
    c->changes = c->n ? changing_at(e, run, method, self, *when) : RUNG_NONE;
    if (c->changes == RUNG_NONE)
        return false;
    double low = t0, high = *when;
    while (high - low > 4 * DBL_EPSILON * fabs(high)) {
        const double middle = low + (high - low) / 2;
        const uint32_t k =
            middle > low && middle < high ? changing_at(e, run, method, self, middle) : RUNG_NONE;
        if (middle <= low || middle >= high)
            break;
        if (k == RUNG_NONE) {
            low = middle;
        } else {
            high = middle;
            c->changes = k;
        }
    }
    *when = high;
    return true;
}

void event_contrary_change(Events *e)
{
    EventContrary *c = &e->contrary;
    if (c->changes == RUNG_NONE)
        return;
    const uint32_t at = e->r.relation[c->changes];
    event_set_memory(e, at, e->r.memory[at] == 0);
    c->changes = RUNG_NONE;
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
