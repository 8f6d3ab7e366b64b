/* SPDX-License-Identifier: BSD-3-Clause
 *
 * spectral_radius.h -- how large the largest eigenvalue of df/dx is along a run, by the nonlinear
 * power method: v <- (f(t, x + eps v) - f(t, x)) / eps, one round now and then, with the v of the
 * round before (Sommeijer, Shampine, Verwer 1998: RKC, section 3.2). Where the Jacobian changes
 * slowly the rounds go on as if it were one matrix.
 */
#ifndef RUNG_RUNTIME_SPECTRAL_RADIUS_H
#define RUNG_RUNTIME_SPECTRAL_RADIUS_H

#include "problem.h"

typedef struct SpectralRadius {
    double *v, *x, *f, *g; /* v: the direction, of length 1 against the scale of the states */
    uint32_t rounds;       /* with this v                                                   */
    double value;          /* in 1/s, of the last round                                     */
} SpectralRadius;

/* False: out of memory. Nothing is evaluated. */
bool spectral_radius_open(SpectralRadius *it, const Problem *problem);
void spectral_radius_close(SpectralRadius *it);
/* One round at (t, x), two evaluations; nonzero where f is not known: the rounds begin anew. */
int spectral_radius_round(SpectralRadius *it, Problem *problem, double t, const double *x);

#endif
