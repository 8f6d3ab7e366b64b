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
 * differences, and no parameter makes a delay zero, which pattern and expressions know nothing of.
 */
bool jacobian_is_sparse(const Run *run);
/* Likewise, whether the model's own Newton iteration serves. */
bool jacobian_in_newton_step(const Run *run);

/* Numbers that jacobian_entries needs for its work. */
size_t jacobian_work(const Run *run);

/* The entries in the order of the pattern; y: multipliers and free accelerations, where loops are
 * cut. Counts evaluations, not Jacobians. The model's status. */
int jacobian_entries(Run *run, double t, const double *x, const double *y, double *entry,
                     double *work);
/* Likewise by differences, whatever the options say: evaluations survive a vanishing pivot
 * (fallback.h), the model's own expressions do not. */
int jacobian_differences(Run *run, double t, const double *x, const double *y, double *entry,
                         double *work);

#endif
