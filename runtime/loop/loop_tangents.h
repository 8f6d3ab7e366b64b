/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loop_tangents.h -- derivatives by parameters of what closes loops: the model's own part as
 * without derivatives, then the others at once, by products with its Jacobian or by rows along each
 * parameter (RungLoopTangents).
 *
 * With s = dx/dp, (xdot, balance) = g0(x, p) + G y, N = phi_v G and A, B the derivatives by the
 * states and by p of what stands behind, a projection of velocities x+ = x + G u gives
 *
 *     w = s + (G u)_x s + (G u)_p,   N u' = -(phi'_x w + phi'_p),   s+ = w + G u',
 *
 * and forces y that keep phi'' = 0, with y' as it was before,
 *
 *     N dy = -(A s+ + B + N y'),     y' += dy,     xdot' = A s+ + B + G y'.
 */
#ifndef RUNG_RUNTIME_LOOP_TANGENTS_H
#define RUNG_RUNTIME_LOOP_TANGENTS_H

#include "loops.h"

/* False when out of memory. all->tangents stays NULL where the model has no such form. */
bool loop_tangents_open(Loops *all, const RungModel *model);
void loop_tangents_delete(struct LoopTangents *it);
/* The order of pivots is searched for anew. NULL: nothing. */
void loop_tangents_forget(struct LoopTangents *it);

/* The Loops of the model's part alone; NULL where there is no such form. */
Loops *loop_tangents_alone(const Loops *all);

/* The problem of the model's part alone, whose states are the first, at work in the same instance,
 * until it is asked for again; NULL where there is no such form. */
Problem *loop_tangents_problem(Problem *problem);

/* loops_project_velocities, then loops_project_accelerations, of all parts: x, f = xdot and y of
 * all parts. 0; positive, with x, f, y as they were, if that is to be done part by part: there is
 * no such form, or the constraints are redundant. Negative: stop. */
int loop_tangents_project(Problem *problem, double t, double *x, double *f, double *y);

/* loops_project_rates, likewise. */
int loop_tangents_project_rates(Problem *problem, double t, double *x);

/* loops_project_derivatives, likewise. */
int loop_tangents_project_parts(Problem *problem, double t, double *x, double *f, double *y);

/* loops_xdot of the model's own part alone, n / parts numbers; positive where that is not had by
 * itself. */
int loop_tangents_own_xdot(Problem *problem, double t, const double *x, double *xdot);

/* loops_xdot of all parts, likewise. */
int loop_tangents_xdot(Problem *problem, double t, const double *x, double *xdot);

#endif
