/* SPDX-License-Identifier: BSD-3-Clause
 *
 * iteration_matrix.h -- I - gamma J of Newton's method for x = base + gamma * xdot(t, x), factored.
 *
 * J = d xdot / d x comes from the model in its pattern, by its own expressions or by coloured
 * differences (jacobian.h), and is sparse then; without a pattern, or where the options ask for it,
 * by differences column by column, and dense: O(n^2) memory. J is kept while gamma changes. Of
 * models without cut loops.
 */
#ifndef RUNG_RUNTIME_ITERATION_MATRIX_H
#define RUNG_RUNTIME_ITERATION_MATRIX_H

#include "factor.h"
#include "integrator.h"

typedef struct IterationMatrix {
    uint32_t n;
    bool in_pattern;
    double *jacobian;    /* entries in the model's pattern, or n x n by columns */
    double *work;        /* of jacobian_entries, or of differences              */
    RungPattern pattern; /* the model's and the diagonal                        */
    uint32_t *col_start, *row;
    uint32_t n_entries; /* of the model's pattern             */
    uint32_t *place;    /* of each entry of the model's pattern in ours, or RUNG_NONE */
    uint32_t *diagonal; /* n: likewise                                  */
    double *entry;      /* in our pattern                               */
    Factor lu;
} IterationMatrix;

/* Of the run's first n states. False when out of memory. */
bool iteration_matrix_open(IterationMatrix *it, Problem *problem, uint32_t n);
void iteration_matrix_close(IterationMatrix *it);

/* shift * I + scale * J in it->pattern, where in_pattern. */
const double *iteration_matrix_entries(IterationMatrix *it, double shift, double scale);

/* J at (t, x); the model's status. */
int iteration_matrix_renew(IterationMatrix *it, Problem *problem, double t, const double *x);
/* False if I - gamma J is singular or not finite. */
bool iteration_matrix_factor(IterationMatrix *it, Problem *problem, double gamma);
/* b becomes the solution. */
void iteration_matrix_solve(const IterationMatrix *it, double *b);
/* The same with the transposed matrix. */
void iteration_matrix_solve_transposed(const IterationMatrix *it, double *b);

#endif
