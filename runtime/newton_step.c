/* SPDX-License-Identifier: BSD-3-Clause */
#include "newton_step.h"

#include <string.h>

int newton_step(Run *run, double t, const double *x, const double *y, const NewtonGiven *given,
                double *delta)
{
    RungContext *ctx = run->ctx;
    const RungNewton *newton = run->model->newton;
    uint32_t n = run->n, m = run->loops ? run->loops->m : 0;
    double *u = ctx->u + newton->first;
    u[0] = given->gamma;
    u[1] = given->weight;
    memcpy(u + 2, given->base, n * sizeof *u);
    if (run->loops) {
        memcpy(u + 2 + n, given->penalty, m * sizeof *u);
        memcpy(u + 2 + n + m, given->s, m * sizeof *u);
        loops_put(run->loops, ctx, y);
    }
    run->s->factorisations++;
    return newton->step(ctx, t, x, delta);
}
