/* SPDX-License-Identifier: BSD-3-Clause */
#include "jump_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool jump_watch_new(JumpWatch *j, const RungModel *m)
{
    *j = (JumpWatch){0};
    size_t n = m->n_differentiated + (size_t)1;
    j->state = calloc(m->n_states + (size_t)1, sizeof *j->state);
    j->before = calloc(n, sizeof *j->before);
    j->largest = calloc(n, sizeof *j->largest);
    j->is_told = calloc(n, sizeof *j->is_told);
    return j->state && j->before && j->largest && j->is_told;
}

void jump_watch_free(JumpWatch *j)
{
    free(j->state);
    free(j->before);
    free(j->largest);
    free(j->is_told);
    *j = (JumpWatch){0};
}

bool jump_watch_has_any(const RungModel *m)
{
    return m->n_differentiated > 0;
}

void jump_watch_note(JumpWatch *j, const RungContext *ctx, double t, const double *x,
                     const double *v)
{
    const RungModel *m = ctx->model;
    for (uint32_t k = 0; k < m->n_differentiated; k++)
        j->largest[k] =
            fmax(j->largest[k], fabs(rung_value(ctx, m->differentiated[k].variable, t, x, v)));
}

void jump_watch_before(JumpWatch *j, const RungContext *ctx, double part, double t, const double *x,
                       const double *v)
{
    const RungModel *m = ctx->model;
    if (!jump_watch_has_any(m))
        return;
    j->part = part;
    memcpy(j->state, x, m->n_states * sizeof *x);
    for (uint32_t k = 0; k < m->n_differentiated; k++)
        j->before[k] = rung_value(ctx, m->differentiated[k].variable, t, x, v);
    jump_watch_note(j, ctx, t, x, v);
}

/* The size of variable k, of which `part` is its error: its nominal value, and the largest so far.
 * Where the model gives none, values that rounding alone makes different from zero do not count. */
static double size_of(const JumpWatch *j, const RungDifferentiated *d, uint32_t k)
{
    static const double ROUNDING = 1e-13;
    double size = fmax(d->nominal, j->largest[k]);
    return d->nominal > 0 ? size : fmax(size, ROUNDING / j->part);
}

bool jump_watch_next(JumpWatch *j, const RungContext *ctx, double t, const double *x,
                     const double *v, uint32_t *at, char *text, size_t size)
{
    const RungModel *m = ctx->model;
    if (!jump_watch_has_any(m) || memcmp(j->state, x, m->n_states * sizeof *x) != 0)
        return false;
    while (*at < m->n_differentiated) {
        uint32_t k = (*at)++;
        const RungDifferentiated *d = &m->differentiated[k];
        double now = rung_value(ctx, d->variable, t, x, v), was = j->before[k];
        j->largest[k] = fmax(j->largest[k], fabs(now));
        if (j->is_told[k] || !(fabs(now - was) > j->part * size_of(j, d, k)))
            continue;
        j->is_told[k] = true;
        j->n_told++;
        const char *name = rung_name(m, d->variable);
        snprintf(text, size,
                 "t = %.9g: '%s' jumps from %.9g to %.9g, and equations use its derivative, which "
                 "does not contain the jump",
                 t, name, 0 + was, 0 + now); // no -0
        return true;
    }
    return false;
}
