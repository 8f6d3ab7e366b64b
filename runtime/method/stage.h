/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stage.h -- one implicit stage x = base + gamma * xdot(t, x) of a one-step method, with closed
 * loops: positions by Newton's method with an augmented Lagrangian of index 3 or with a penalty,
 * then velocities onto phi' = 0, then accelerations and the balances of massless coordinates onto
 * theirs (Lopez Varela 2023, eqs. 9-11; Callejo 2014, eqs. 17, 20-26).
 *
 * The result is a consistent point of the mechanism with its derivative, whatever formula gave the
 * base; the stages of the next step begin from there.
 */
#ifndef RUNG_RUNTIME_STAGE_H
#define RUNG_RUNTIME_STAGE_H

#include "implicit.h"

/* How much a penalty outweighs the inertia in the matrix of an iteration: enough for two or three
 * corrections of the multipliers, or for a violation far below the error of the step; not so much
 * that rounding of phi shows in the forces. */
#define IMPLICIT_OUTWEIGH 1e4

typedef struct Stage {
    Implicit *im; /* the caller's                                                     */
    bool augmented;
    ClosingChoice choice;
    bool by_mass;  /* projections, where the full system is solved                         */
    bool renews;   /* inertia in each step: one evaluation gives the columns of all inputs */
    bool stale;    /* inertia is to be renewed at run->x                                   */
    double gamma;  /* of the last stage                                                    */
    double raised; /* penalties, times the usual ones                                      */
    uint32_t slow; /* stages in which the multipliers converged slowly, one after the other */
    double *base;  /* n: of a projection                                                   */
} Stage;

/* False when out of memory. */
bool stage_open(Stage *it, Implicit *im, bool augmented, const ClosingChoice *choice);
void stage_close(Stage *it);

/* For an adjoint positions are closed, and velocities put onto phi' = 0 by one impulse of the
 * constraints, with the mass matrix; else nonzero with the run's problem.why. */
int stage_has_adjoint(const Stage *it);

/* The next stage begins from inputs y, with nothing kept: at the start, and behind a failure. */
void stage_restart(Stage *it, const double *y);

/* A step begins at run->t, run->x. */
void stage_new_step(Stage *it);

/* x is the first guess and becomes the solution; f its derivative, y the inputs there. 0, or
 * positive with run->problem.why: try a shorter step; negative: stop. */
int stage_solve(Stage *it, double t, const double *base, double gamma, double *x, double *f,
                double *y);

#endif
