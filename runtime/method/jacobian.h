/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jacobian.h -- d xdot / d x in the model's pattern: its own expressions, or differences of all
 * columns of one colour at once (Curtis, Powell, Reid 1974; Coleman, Garbow, More 1984). Where
 * loops are cut, that of xdot and the balances, with the multipliers held.
 */
#ifndef RUNG_RUNTIME_JACOBIAN_H
#define RUNG_RUNTIME_JACOBIAN_H

#include "integrator.h"

/* Whether the Jacobian comes from here: the model has a pattern, the options do not ask for dense
 * differences, and no parameter makes a delay zero, which pattern and expressions do not contain.
 */
bool jacobian_is_sparse(const Problem *problem);
/* Likewise, whether the model's own Newton iteration serves. */
bool jacobian_in_newton_step(const Problem *problem);

/* Numbers that jacobian_entries needs for its work. */
size_t jacobian_work(const Problem *problem);

/* The entries in the order of the pattern; y: multipliers and free accelerations, where loops are
 * cut. By differences also where the model's own expressions have no value, at a vanishing pivot or
 * a slope without bound (sqrt(x^2 + y^2) at zero). Counts evaluations, not Jacobians. The model's
 * status. */
int jacobian_entries(Problem *problem, double t, const double *x, const double *y, double *entry,
                     double *work);

/* For differences: f at `moved`, near x; if a branch of solutions ends in between, `moved` becomes
 * the point on the other side of x, since values of another branch give no derivative. */
int jacobian_beside(Problem *problem, double t, const double *x, const double *y, double *moved,
                    double *f);

#endif
