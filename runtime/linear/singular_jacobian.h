/* SPDX-License-Identifier: BSD-3-Clause
 *
 * singular_jacobian.h -- Newton's corrections where the Jacobian of a block is singular: of the
 * unknowns that it determines, the others stay open and keep their values.
 *
 * QR of the Jacobian with its columns in units of the unknowns and its rows divided by their
 * largest term, so that pascals and kilograms per second compare.
 */
#ifndef RUNG_RUNTIME_SINGULAR_JACOBIAN_H
#define RUNG_RUNTIME_SINGULAR_JACOBIAN_H

#include "rung_model.h"

#include <stdbool.h>

typedef struct SingularJacobian {
    uint32_t n, rank;
    double *a;            /* n x n by columns, factored                              */
    double *unit, *scale; /* n: of the unknowns, of the columns                      */
    double *row, *r;      /* n: largest terms of the equations, work                 */
    uint32_t *order;      /* unknowns in pivot order: those behind the rank are open */
    bool *was_open;       /* n: so in this solution's last Jacobian                  */
} SingularJacobian;

void singular_jacobian_free(SingularJacobian *it);

/* Before a solution: along its iterations unknowns that are open stay so where they can. */
void singular_jacobian_forget(SingularJacobian *it);

/* Factors the entries at z, which are those of b's pattern. 0; positive if one is not finite or the
 * block is too large to be kept in full; negative when out of memory. */
int singular_jacobian_make(SingularJacobian *it, const RungBlock *b, const double *entry,
                           const double *z);

/* The largest residual in r, each relative to the terms of its equation. */
double singular_jacobian_residual(const SingularJacobian *it, const double *r);

/* r, a residual, becomes the correction: 0 for open unknowns. False if the equations contradict
 * each other: the residual is outside of the range of the Jacobian. */
bool singular_jacobian_correct(SingularJacobian *it, double *r);

/* The tangent of the family of solutions along which open unknown k (below n - rank) moves by
 * `step` of its units, into out. */
void singular_jacobian_tangent(const SingularJacobian *it, uint32_t k, double step, double *out);

#endif
