/* SPDX-License-Identifier: BSD-3-Clause
 *
 * stabilised_newton.h -- Newton's method for one step of a multistep formula with closed loops in
 * the stabilised form of index 2 (Gear, Gupta, Leimkuhler 1985; Arnold 1997, section 3):
 *
 *     x = base + gamma xdot(t, x, y) + D mu,    balance(t, x, y) = 0,    phi' = 0,    phi = 0
 *
 * for x, the inputs y of the loops (loops.h) and mu, which moves positions across the constraints
 * as little as possible: D = S^2 phi_x', S the sizes of the states. All derivatives are kept over
 * steps and over changes of gamma, as long as the iteration converges with them (Arnold 1997,
 * section 3); of a new gamma only the matrix is factored:
 *
 *     I - gamma J   -gamma G   -D
 *     balance_x      G_b        0
 *     phi'_x         e          0        e: small, since constraints may be redundant
 *     phi_x          0          e
 *
 * Without loops it is I - gamma J (iteration_matrix.h).
 */
#ifndef RUNG_RUNTIME_STABILISED_NEWTON_H
#define RUNG_RUNTIME_STABILISED_NEWTON_H

#include "iteration_matrix.h"
#include "loops.h"

typedef struct StabilisedNewton {
    Run *run;
    Loops *loops;           /* the run's, or NULL */
    uint32_t n, m, k, size; /* states, constraints, free accelerations; of the matrix */
    IterationMatrix free;   /* without loops */
    /* With loops: kept derivatives, by columns; */
    double *jacobian;         /* (n + k) x n               */
    double *by_input;         /* (n + k) x (m + k)         */
    double *rate_by, *by;     /* m x n: of phi', of phi    */
    double *regular, *normal; /* m: e of both rows, of the first without gamma */
    Factor matrix;
    double gamma; /* of the matrix; 0: none       */
    bool has_jacobian;
    double known_rate; /* the largest factor by which corrections shrink; 0: not yet measured */
    int rounds;        /* of the last solution */
    double *f, *r, *c, *mu; /* n + k, size, m, m           */
    double *entry, *work, *moved;
} StabilisedNewton;

/* The size of a change of the states; 1 is the tolerance of a step. */
typedef double (*StabilisedSize)(const void *method, const double *v);

/* False when out of memory. */
bool stabilised_newton_open(StabilisedNewton *it, Run *run);
void stabilised_newton_close(StabilisedNewton *it);

/* The derivatives at (t, x, y). The status of the model. */
int stabilised_newton_renew(StabilisedNewton *it, double t, const double *x, const double *y);

/* x and y, the first guess, become the solution, up to `left` in sizes. 0; positive if the
 * iteration does not converge with these derivatives, or fails; negative: stop. */
int stabilised_newton_solve(StabilisedNewton *it, double t, const double *base, double gamma,
                            StabilisedSize size, const void *method, double left, double *x,
                            double *y);

#endif
