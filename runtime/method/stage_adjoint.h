/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stage_adjoint.h -- back over an implicit stage x = base + gamma xdot(t, x, y), phi = 0, balances
 * zero, of closed loops (stage.h): the transposed equations (loop_adjoint.h), by corrections with a
 * matrix nearby,
 *
 *     K = [1 - gamma xdot_x, -gamma G; -phi_x, -e 1; -balance_x, -G_b]
 *
 * until the model's own product says that they hold. The small e serves redundant constraints.
 */
#ifndef RUNG_RUNTIME_STAGE_ADJOINT_H
#define RUNG_RUNTIME_STAGE_ADJOINT_H

#include "integrator.h"

typedef struct StageAdjoint StageAdjoint;

/* Of the problem's loops; NULL when out of memory. */
StageAdjoint *stage_adjoint_new(const Problem *problem);
void stage_adjoint_free(StageAdjoint *it);

/* A stage that is solved: states and inputs of the loops. */
typedef struct StagePoint {
    double t, gamma;
    const double *x, *y;
} StagePoint;

/* bar, the derivatives by x, becomes the derivatives by the base; those by kept and shared values
 * are added to rest. Nonzero with the problem's why. */
int stage_adjoint_back(StageAdjoint *it, Problem *problem, StagePoint at, double *bar,
                       double *rest);

#endif
