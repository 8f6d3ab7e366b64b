/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loops_start.h -- initial equations of a mechanism whose loops are cut.
 */
#ifndef RUNG_RUNTIME_LOOPS_START_H
#define RUNG_RUNTIME_LOOPS_START_H

#include "loops.h"

/* The initial system of the model does not contain the loops, and closing them moves the states
 * again. From there, x with its loops closed, the initial equations, phi = 0 and phi' = 0 are
 * solved together: Gauss-Newton in the states that are not held and the free parameters, with
 * minimal changes; if that does not converge, by a homotopy from the residuals of the initial
 * equations there (Allgower and Georg 1990). O(n) evaluations a round; returns at once if the model
 * has no such conditions. False with problem->why naming an equation that is not satisfied. */
bool loops_meet_conditions(Problem *problem, double t, double *x);

#endif
