/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loops_start.h -- initial equations of a mechanism whose loops are cut.
 */
#ifndef RUNG_RUNTIME_LOOPS_START_H
#define RUNG_RUNTIME_LOOPS_START_H

#include "loops.h"

/* The initial system of the model knows nothing of the loops, and what closes them moves the states
 * again. From there, x with its loops closed, the initial equations, phi = 0 and phi' = 0 are
 * solved together: Gauss-Newton in the states that are not held and the free parameters, each
 * change the smallest that does it, and where that does not converge by a homotopy from what the
 * initial equations miss there (Allgower and Georg 1990). O(n) evaluations a round; nothing where
 * the model asks for nothing. False with problem->why naming an equation that is missed. */
bool loops_meet_conditions(Problem *problem, double t, double *x);

#endif
