/* SPDX-License-Identifier: BSD-3-Clause */
#include "event.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool event_contrary_new(Events *e)
{
    EventContrary *c = &e->contrary;
    c->changes = RUNG_NONE;
    c->g = calloc(e->r.n + (size_t)1, sizeof *c->g);
    return c->g && some_new(&c->kept, e->r.n);
}

void event_contrary_free(Events *e)
{
    free(e->contrary.g);
    some_free(&e->contrary.kept);
}

void event_contrary_find(Events *e)
{
    EventContrary *c = &e->contrary;
    some_clear(&c->kept);
    c->changes = RUNG_NONE;
    for (uint32_t k = 0; k < e->r.n && e->r.has_kept != RUNG_KEEPS_NONE; k++) {
        const uint32_t at = e->r.relation[k];
        const RungMemory *m = &e->table->memory[at];
        const bool is_floor = rung_is_first_of_floor(&e->r, k) || rung_is_second_of_floor(&e->r, k);
        const bool agrees = rung_is_true(m, e->r.g[k]) == (e->r.memory[at] != 0);
        if (e->r.cycles[at] && !agrees && !is_floor && !e->watch.is_unread[k])
            some_add(&c->kept, k);
    }
}

/* The first of them that agrees with its other value at t in the last step; RUNG_NONE. */
static uint32_t agrees_at(Events *e, Run *run, const Integrator *method, void *self, double t)
{
    const size_t n = run->problem.model->n_unknowns;
    const double *x = run->x;
    uint32_t found = RUNG_NONE;
    if (t != run->t) {
        method->at(self, run, t, e->step.x);
        x = e->step.x;
    }
    memcpy(e->step.z, run->problem.ctx->z, n * sizeof *e->step.z);
    for (uint32_t i = 0; i < e->contrary.kept.n && found == RUNG_NONE; i++) {
        const uint32_t k = e->contrary.kept.at[i], at = e->r.relation[k];
        const double value = e->r.memory[at], other = value == 0, *g = e->contrary.g;
        e->r.memory[at] = other;
        const bool known =
            !problem_evaluate(&run->problem, RUNG_ASK_RELATIONS, t, x, e->contrary.g);
        e->r.memory[at] = value;
        memcpy(run->problem.ctx->z, e->step.z, n * sizeof *e->step.z);
        // behind its noise: there the iteration takes this value, too
        if (known && fabs(g[k]) > rung_noise(&e->r, at) &&
            rung_is_true(&e->table->memory[at], g[k]) == (other != 0))
            found = k;
    }
    return found;
}

bool event_contrary_look(Events *e, Run *run, const Integrator *method, void *self, double t0,
                         double *when)
{
    EventContrary *c = &e->contrary;
    c->changes = c->kept.n ? agrees_at(e, run, method, self, *when) : RUNG_NONE;
    if (c->changes == RUNG_NONE)
        return false;
    double low = t0, high = *when;
    while (high - low > 4 * DBL_EPSILON * fabs(high)) {
        const double middle = low + (high - low) / 2;
        const uint32_t k =
            middle > low && middle < high ? agrees_at(e, run, method, self, middle) : RUNG_NONE;
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
    snapshot_put(s, e->contrary.kept.has, e->r.n * sizeof *e->contrary.kept.has);
}

bool event_contrary_restore(Events *e, Snapshot *s)
{
    Some *kept = &e->contrary.kept;
    some_clear(kept);
    bool ok = snapshot_get(s, kept->has, e->r.n * sizeof *kept->has);
    for (uint32_t k = 0; k < e->r.n; k++)
        if (kept->has[k])
            kept->at[kept->n++] = k;
    return ok;
}
