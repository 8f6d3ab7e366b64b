/* SPDX-License-Identifier: BSD-3-Clause */
#include "newton_step.h"

#include <math.h>
#include <string.h>

int newton_step(Problem *problem, double t, const double *x, const double *y,
                const NewtonGiven *given, double *delta)
{
    RungContext *ctx = problem->ctx;
    const RungNewton *newton = problem->model->newton;
    uint32_t n = problem_own_states(problem), m = problem->loops ? problem->loops->m0 : 0;
    double *u = ctx->u + newton->first;
    u[RUNG_NEWTON_GAMMA] = given->gamma;
    u[RUNG_NEWTON_WEIGHT] = given->weight;
    u[RUNG_NEWTON_BALANCE_WEIGHT] = given->balance_weight;
    u += RUNG_NEWTON_BASE;
    memcpy(u, given->base, n * sizeof *u);
    if (problem->loops) {
        memcpy(u + n, given->penalty, m * sizeof *u);
        memcpy(u + n + m, given->s, m * sizeof *u);
        loops_put_own(problem->loops, ctx, y);
    }
    problem_refresh(problem, t, x);
    problem->counts->factorisations++;
    ProfilePart before = profile_enter(problem->profile, PROFILE_NEWTON);
    int status = newton->step(ctx, t, x, delta);
    profile_leave(problem->profile, before);
    // a pivot may vanish unnoticed, as the slope of max(0, x) does
    double sum = 0;
    for (uint32_t k = 0; k < n + m + (problem->loops ? problem->loops->k0 : 0); k++)
        sum += 0 * delta[k];
    return status ? status : isnan(sum);
}
