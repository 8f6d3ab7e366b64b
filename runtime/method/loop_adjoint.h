/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loop_adjoint.h -- transposed derivatives of closed loops: of the accelerations, of projections
 * and of implicit stages.
 *
 * With the inputs y of the loops (loops.h), g = (xdot, balance) = g0 + G y, weights w of the
 * states, a of the constraints, b of the balances:
 *
 *     xdot(x), phi'' = 0, balance = 0:    N' (a, b) = -G' w,      by x: w xdot + a phi'' + b
 * balance v + G y, N y = (-phi', 0):          N' (a, b) = G' w,       by x: w - a phi'
 *                                             + (w - phi_v' a, -b) G y - a phi'_v (G y)
 *     x + A' c, A A' c = -r(x):           A A' a = A w,           by x: w - a r
 *                                             + c A (w - A' a) - a A (A' c)
 *     x = base + gamma xdot, phi = 0:     w = m - gamma m xdot_x - a phi_x - b balance_x,
 *                                         0 = gamma G' m + G_b' b,       by base: m
 *
 * N = phi_v G, A = phi_x or phi'_v without the columns of states that are held. The sums on the
 * right are the model's (RungAdjointLoops); what is differentiated in them is all but the weights
 * and y. */
#ifndef RUNG_RUNTIME_LOOP_ADJOINT_H
#define RUNG_RUNTIME_LOOP_ADJOINT_H

#include "integrator.h"
#include "loops.h"

/* All statuses: nonzero with the problem's why, without a time. */
typedef struct LoopAdjoint LoopAdjoint;

/* Of a model of cut loops with an adjoint; NULL when out of memory. */
LoopAdjoint *loop_adjoint_new(const Problem *problem);
void loop_adjoint_free(LoopAdjoint *it);

/* The product of closed loops at (t, x), of the weights in the model's inputs, states and
 * objectives alone: out is as that of RungAdjoint.product. */
int loop_adjoint_product(LoopAdjoint *it, Problem *problem, double t, const double *x, double *out);

/* Back over a trace: bar, by the states behind it, becomes that by those before; the derivatives by
 * kept and shared values are added to rest. gamma: of the stage in it. */
int loop_adjoint_back(LoopAdjoint *it, Problem *problem, double t, const LoopTrace *trace,
                      double gamma, double *bar, double *rest);

#endif
