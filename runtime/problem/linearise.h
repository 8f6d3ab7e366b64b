/* SPDX-License-Identifier: BSD-3-Clause
 *
 * linearise.h -- A, B, C, D of a model at a point, and products with them.
 *
 *     d xdot    = A dx + B du
 *     d outputs = C dx + D du       states, and top-level inputs and outputs of type Real; u holds
 *                                   the linearisation's parameters behind its inputs
 *
 *     Linearise *l = linearise_new(ctx);
 *     if (l && linearise_at(l, t, x) == 0)
 *         linearise_matrix(l, abcd);
 *     linearise_free(l);
 *
 * From the model's own derivatives (RungLinearisation); the equations that are solved at run time
 * are eliminated by a sparse LU. Where cut loops have redundant constraints, the multipliers are
 * not unique, but their effect on the motion is; rows of outputs that are not unique (a force among
 * redundant ones) are NaN. With cut loops A, B, C, D hold for motions that keep the loops closed.
 */
#ifndef RUNG_RUNTIME_LINEARISE_H
#define RUNG_RUNTIME_LINEARISE_H

#include "rung_model.h"

typedef struct Linearise Linearise;

/* NULL when out of memory, or when the model has no linearisation. The context stays the caller's.
 */
Linearise *linearise_new(RungContext *ctx);
void linearise_free(Linearise *it); /* NULL is fine */

/* From now on constraints phi of cut loops need not hold, but are led back by phi'' + 2 rate phi' +
 * rate^2 phi = 0 (Baumgarte); rate 0, as at first: phi'' = 0. */
void linearise_relax(Linearise *it, double rate);

/* At the parameters and inputs of the context. Where loops are cut, the multipliers that keep them
 * closed are put into u. 0; the model's status; 1 where derivatives do not exist: the equations
 * solved at run time are singular there. */
int linearise_at(Linearise *it, double t, const double *x);

/* All functions below are for the point of the last linearise_at that returned 0. */

/* dx, of the states, or du, of the linearisation's inputs and parameters, may be NULL: zero. */
void linearise_forward(Linearise *it, const double *dx, const double *du, double *dxdot,
                       double *dy);
/* The transpose: by_x = A^T of_xdot + C^T of_y, by_u = B^T of_xdot + D^T of_y; of_xdot or of_y may
 * be NULL. */
void linearise_adjoint(Linearise *it, const double *of_xdot, const double *of_y, double *by_x,
                       double *by_u);
/* (A B; C D), n_states + n_outputs rows, by columns. */
void linearise_matrix(Linearise *it, double *abcd);

/* How well the equations solved at run time determine their unknowns, the least of all rows of (G H
 * K): the largest entry of K, relative to the largest of G and K, each scaled by the size of its
 * column's variable: 0 where the chosen states depend on each other, as the horizontal position of
 * a pendulum that is horizontal; 1 without such equations. */
double linearise_independence(const Linearise *it, const double *x);

/* Where loops are cut: d (phi, phi_dot) / d (states, inputs), n_constraints rows, by columns. */
void linearise_constraints(const Linearise *it, double *matrix);

#endif
