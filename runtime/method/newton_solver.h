/* SPDX-License-Identifier: BSD-3-Clause
 *
 * newton_solver.h -- the linear solvers of Newton's method of implicit.h: they find the correction
 * at an iterate, and predict the constraints after it. A solver is a file: newton_matrix.c factors
 * a matrix, newton_model.c calls the model's own iteration, which is residual, setup and solve in
 * one, or keeps its factors for derivatives by parameters.
 */
#ifndef RUNG_RUNTIME_NEWTON_SOLVER_H
#define RUNG_RUNTIME_NEWTON_SOLVER_H

#include "implicit.h"

/* x = base + gamma * xdot(t, x), with its loops closed as `how` says. */
typedef struct Formula {
    double t, gamma;
    const double *base;
    Closing how;
} Formula;

typedef struct NewtonSolver {
    bool chooses_pivots; /* else digits may be lost, and are watched */
    /* At x, where the constraints are it->c: it->r becomes the correction of the states and the
     * free accelerations, it->foreseen the constraints behind it to first order. 0; positive with
     * run->problem.why; negative: stop. */
    int (*correct)(Implicit *it, const Formula *f, const double *x, int round);
} NewtonSolver;

/* by_factors: where tangents.iterates. */
extern const NewtonSolver newton_by_model, newton_by_factors, newton_by_matrix;

/* Derivatives by parameters, by the matrix of the last iteration (tangent.h): x and, of all parts,
 * y.
 */
int newton_matrix_tangents(Implicit *it, const Formula *f, double *x, double *y);

/* Positive, with run->problem.why; the status of an evaluation, with run->problem.why. */
int newton_give_up(Implicit *it, const char *why);
int newton_unknown_here(Implicit *it, int status);

#endif
