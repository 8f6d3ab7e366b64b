/* SPDX-License-Identifier: BSD-3-Clause
 *
 * implicit.h -- Newton's method for one step of an implicit formula, with or without loops.
 *
 * Solved for x and the free accelerations b (loops.h):
 *     x = base + gamma * xdot(t, x, lambda, b),    balance(t, x, lambda) = 0,
 *     lambda = -(multiplier + penalty * c(x)),
 * where c is phi (Lopez Varela 2023, eq. 9, Callejo 2014, eq. 17) or phi' (index 2, Arnold 1997,
 * eq. 5). With an augmented Lagrangian, multiplier += penalty * c after each iteration, until c
 * vanishes, c being predicted by the iteration's linear solution: the difference is quadratic and
 * is removed by the next iteration without a force. With a penalty alone the multiplier stays zero.
 * Redundant constraints whose numbers are rounded contradict each other by a residual that no force
 * removes. It is subtracted from c, or the multipliers would grow in each iteration; the sum of
 * their forces vanishes only up to the same rounding.
 * The matrix of an iteration is 1 - gamma * d xdot/d x + gamma * d xdot/d lambda * penalty * d c/d
 * x, of which the derivatives of xdot are kept for a chosen number of iterations (Callejo, after
 * eq. 26); it is that of Callejo's eq. 20, multiplied by the inverse of the mass matrix.
 */
#ifndef RUNG_RUNTIME_IMPLICIT_H
#define RUNG_RUNTIME_IMPLICIT_H

#include "integrator.h"
#include "newton_step.h"
#include "tangent.h"

typedef struct Implicit {
    Run *run;
    Loops *loops;        /* the run's, or NULL              */
    uint32_t n, m, k, s; /* states, constraints, free, n + k: the model's own */
    uint32_t reuse;
    double *jacobian; /* s x n: d(xdot, balance)/dx; NULL before it is needed */
    uint32_t age;     /* iterations it has served        */
    bool has_jacobian;
    double *by_input; /* s x (m + k)                         */
    Factor matrix;    /* s x s                           */
    double *f;        /* s: g at the last iterate        */
    double *r, *c, *probe, *entry;
    double *by_position;   /* entries of d phi' / d positions, in the pattern of phi_x     */
    double *foreseen;      /* m: c at the next iterate, by the last linear solution        */
    double *multiplier;    /* m                               */
    double *contradiction; /* m: of phi, what no force removes: redundant constraints, rounded */
    bool contradicts;      /* it has been seen                                               */
    double *penalty;       /* m                               */
    double *inertia;       /* m: inverse, of each constraint  */
    double *y;             /* m + k: inputs of the last iterate: lambda, b */
    double *perturbed;
    double *work;         /* of coloured differences                       */
    double *guess;        /* n + 2 m + k: where the iteration began          */
    double *delta;        /* s + m: of the model's own iteration          */
    bool structured;      /* it has one, and it is to be used             */
    uint32_t pause, left; /* solutions that go without it after it failed; of these still to come */
    double gamma;         /* the matrix was made for         */
    /* of the last solution: measured factor by which one multiplier update reduces c */
    double rate;
    bool keeps_penalties; /* they are not raised where multipliers converge slowly */
    bool fits;            /* the matrix was made from the present jacobian and by_input */
    bool linearised;      /* loops are, where the last stage ended */
    Loops *linear;        /* those that were linearised last: the model's part alone, or all      */
    Tangents tangents;
    bool near;        /* by the factors of the last iteration                        */
    double curvature; /* the last correction / (the one before)^2, without loops     */
    uint32_t stages;  /* of derivatives by parameters so far                         */
    bool lost;        /* digits were, in the last of these that was checked          */
} Implicit;

/* Whether c is phi' (else phi), and whether multiplier follows it. */
typedef struct Closing {
    bool of_velocities, augmented;
} Closing;

/* Allocates; false when out of memory. */
bool implicit_open(Implicit *it, Run *run);
void implicit_close(Implicit *it);

/* The inverse inertia of each constraint, the diagonal N_kk of the Delassus matrix, at the run's t
 * and x. Positive if that fails. */
int implicit_inertia(Implicit *it, bool of_velocities);
/* Penalties that outweigh it: scale / (gamma_c * N_kk), gamma_c being gamma^2 for phi and gamma for
 * phi'. */
void implicit_weigh(Implicit *it, double gamma, bool of_velocities, double scale);

/* All penalties are alpha, with the sign of N_kk. */
void implicit_set_penalties(Implicit *it, double alpha);

/* loops_linearise, of the model's part alone where that is had by itself. */
int implicit_linearise(Implicit *it, double t, const double *x);

/* Takes the columns of the inputs from the last loops_linearise: somewhere near the step. Negative
 * when out of memory. */
int implicit_inputs(Implicit *it);

/* x, the first guess, becomes the solution; y has the inputs there. 0, or
 * positive if the iteration fails, with run->problem.why. */
int implicit_solve(Implicit *it, double t, const double *base, double gamma, Closing how,
                   double *x);

/* After implicit_solve of the same: x gets its derivatives by parameters (tangent.h), and y, of all
 * parts, the inputs. 0, or positive with run->why. */
int implicit_tangents(Implicit *it, double t, const double *base, double gamma, Closing how,
                      double *x, double *y);

/* r := matrix^-1 r, of the last iteration. */
void implicit_apply(const Implicit *it, double *r);

/* Straight-line code cannot choose its pivots: where it fails the matrix is factored instead, for
 * some steps. */
void implicit_unstructure(Implicit *it);

/* By the model's own Newton iteration (RungNewton), with the penalties of `it`: delta at x with the
 * inputs y. The model's status. */
int implicit_structured(Implicit *it, double t, const double *x, const double *y,
                        NewtonGiven given);

#endif
