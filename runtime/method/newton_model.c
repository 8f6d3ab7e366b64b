/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_model.c -- the model's own Newton iteration as a linear solver of implicit.h.
 */
#include "newton_solver.h"

#include <stdio.h>
#include <string.h>

int implicit_structured(Implicit *it, double t, const double *x, const double *y, NewtonGiven given)
{
    given.penalty = it->penalty;
    it->run->problem.counts->operations = it->run->problem.model->newton->operations;
    return newton_step(&it->run->problem, t, x, y, &given, it->delta);
}

int newton_unknown_here(Implicit *it, int status)
{
    problem_explain(&it->run->problem, it->run->problem.why, sizeof it->run->problem.why);
    return status;
}

int newton_give_up(Implicit *it, const char *what)
{
    snprintf(it->run->problem.why, sizeof it->run->problem.why, "%s", what);
    return 1;
}

static int correct_by_model(Implicit *it, const Formula *f, const double *x, int round)
{
    (void)round;
    // the residual with the multipliers alone; the penalty forces are unknowns of the solve
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

static int correct_by_factors(Implicit *it, const Formula *f, const double *x, int round)
{
    (void)round;
    if (tangents_correct(&it->tangents, f->t, f->gamma, f->base, x, it->r))
        return newton_give_up(it, "a pivot of Newton's matrix vanished");
    return 0;
}

const NewtonSolver newton_by_factors = {.correct = correct_by_factors};
