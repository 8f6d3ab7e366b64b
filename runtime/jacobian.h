/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jacobian.h -- d xdot / d x in the model's pattern: its own expressions, or differences of all
 * columns of one colour at once (Curtis, Powell, Reid 1974; Coleman, Garbow, More 1984).
 */
#ifndef RUNG_RUNTIME_JACOBIAN_H
#define RUNG_RUNTIME_JACOBIAN_H

#include "integrator.h"

/* Whether the run's Jacobian comes from here: the model has a pattern, no loop is cut, and the
 * options do not ask for dense differences. */
bool jacobian_is_sparse(const Run *run);

/* The entries in the order of the pattern; work has room for 3 n numbers. Counts evaluations, not
 * Jacobians. The model's status. */
int jacobian_entries(Run *run, double t, const double *x, double *entry, double *work);

#endif
