/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_step.h -- the model's own Newton iteration (RungNewton), called.
 */
#ifndef RUNG_RUNTIME_NEWTON_STEP_H
#define RUNG_RUNTIME_NEWTON_STEP_H

#include "loops.h"

/* The data of an iteration for x = base + gamma * xdot: the residual of the formula is multiplied
 * by weight, the residuals of the balances of massless coordinates by balance_weight; per
 * constraint its penalty and the right-hand side s. */
typedef struct NewtonGiven {
    double gamma, weight, balance_weight;
    const double *base, *penalty, *s;
} NewtonGiven;

/* delta (n + k + m, of the model's own) at (t, x) with the inputs y of its cut loops. The model's
 * status. */
int newton_step(Problem *problem, double t, const double *x, const double *y,
                const NewtonGiven *given, double *delta);

#endif
