/* SPDX-License-Identifier: BSD-3-Clause */
#include "newton_step.h"
#include "newton_solver.h"

#include <math.h>
#include <string.h>

int newton_step(Run *run, double t, const double *x, const double *y, const NewtonGiven *given,
                double *delta)
{
    RungContext *ctx = run->ctx;
    const RungNewton *newton = run->model->newton;
    uint32_t n = run->n, m = run->loops ? run->loops->m : 0;
    double *u = ctx->u + newton->first;
    u[RUNG_NEWTON_GAMMA] = given->gamma;
    u[RUNG_NEWTON_WEIGHT] = given->weight;
    u[RUNG_NEWTON_BALANCE_WEIGHT] = given->balance_weight;
    u += RUNG_NEWTON_BASE;
    memcpy(u, given->base, n * sizeof *u);
    if (run->loops) {
        memcpy(u + n, given->penalty, m * sizeof *u);
        memcpy(u + n + m, given->s, m * sizeof *u);
        loops_put(run->loops, ctx, y);
    }
    run_refresh(run, t, x);
    run->s->factorisations++;
    int status = newton->step(ctx, t, x, delta);
    // a pivot may vanish that nobody watches, as the slope of max(0, x) does
    double sum = 0;
    for (uint32_t k = 0; k < n + m + (run->loops ? run->loops->k : 0); k++)
        sum += 0 * delta[k];
    return status ? status : isnan(sum);
}

int implicit_structured(Implicit *it, double t, const double *x, const double *y, NewtonGiven given)
{
    given.penalty = it->penalty;
    it->run->s->operations = it->run->model->newton->operations;
    return newton_step(it->run, t, x, y, &given, it->delta);
}

int newton_unknown_here(Implicit *it, int status)
{
    run_explain(it->run, it->run->why, sizeof it->run->why);
    return status;
}

int newton_give_up(Implicit *it, const char *what)
{
    snprintf(it->run->why, sizeof it->run->why, "%s", what);
    return 1;
}

static int correct_by_model(Implicit *it, const Formula *f, const double *x, int round)
{
    (void)round;
    // with the multipliers alone; what the penalties add is part of what is solved for
    for (uint32_t i = 0; i < it->m; i++) {
        it->c[i] *= -it->penalty[i];
        it->y[i] = -it->multiplier[i];
    }
    NewtonGiven given = {f->gamma, 1, 1, f->base, .s = it->c};
    if (implicit_structured(it, f->t, x, it->y, given))
        return newton_give_up(it, "a pivot of Newton's matrix vanished");
    memcpy(it->r, it->delta, it->s * sizeof *it->r);
    for (uint32_t i = 0; i < it->m; i++)
        it->foreseen[i] = -it->delta[it->s + i] / it->penalty[i];
    return 0;
}

const NewtonSolver newton_by_model = {.correct = correct_by_model};
