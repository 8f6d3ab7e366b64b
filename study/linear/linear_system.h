/* linear_system.h -- x' = A x + B u, y = C x + D u of a model around a point, with names.
 *
 *     A = d xdot / d x,  B = d xdot / d u,  C = d y / d x,  D = d y / d u
 *
 * x, u, y are deviations from the point. Where kinematic loops are cut, the states of the tree
 * cannot move freely: as many as there are independent constraints are left out, so that A has no
 * eigenvalues of the drift from the constraints.
 */
#ifndef RUNG_STUDY_LINEAR_LINEAR_SYSTEM_H
#define RUNG_STUDY_LINEAR_LINEAR_SYSTEM_H

#include "runtime/problem/linearise.h"

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct LinearSystem {
    const char *model;
    double t;
    uint32_t n_x, n_u, n_y;
    const char **x_name, **u_name, **y_name;
    double *x, *xdot, *u, *y; /* the point                        */
    double *a, *b, *c, *d;    /* by columns                       */
    double *re, *im;          /* eigenvalues of A (by_lapack.h)   */
    uint32_t n_left_out;      /* states that follow from the others */
    const char **left_out;
} LinearSystem;

/* At (t, x), where linearise_at has returned 0, of all states or those that are free; x is that of
 * all. wanted: patterns of states that are free where loops are closed, or NULL. False with a
 * message in *error. */
bool linear_system_find(Linearise *l, RungContext *ctx, double t, const double *x,
                        const char *wanted, LinearSystem *out, Arena *mem, const char **error);

void linear_system_print(const LinearSystem *s, FILE *f);
void linear_system_json(const LinearSystem *s, FILE *f, Arena *mem);
/* MAT version 4: A, B, C, D, x0, xdot0, u0, y0, t0, eigenvalues (re, im), and the names as rows of
 * characters. */
void linear_system_mat(const LinearSystem *s, FILE *f);

#endif
