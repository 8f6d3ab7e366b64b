/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_step.h -- the model's own Newton iteration (RungNewton), called.
 */
#ifndef RUNG_RUNTIME_NEWTON_STEP_H
#define RUNG_RUNTIME_NEWTON_STEP_H

#include "loops.h"

/* Of the formula x = base + gamma * xdot: what is missed counts times weight, what the balances of
 * massless coordinates lack times balance_weight; per constraint its penalty and the right-hand
 * side s. */
typedef struct NewtonGiven {
    double gamma, weight, balance_weight;
    const double *base, *penalty, *s;
} NewtonGiven;

/* delta (n + k + m, of the model's own) at (t, x) with the inputs y of its cut loops. The model's
 * status. */
int newton_step(Problem *problem, double t, const double *x, const double *y,
                const NewtonGiven *given, double *delta);

#endif
