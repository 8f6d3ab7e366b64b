/* angular_rates.h -- second derivatives of rotation matrices, written by angular accelerations.
 *
 * A model that writes positions and rotations, p = q + R r, v = der(p), L = R I R' omega, has the
 * nine second derivatives of each R among its unknowns after index reduction, which depend on those
 * of the body before: nine unknowns for three angular accelerations. If an omega is known whose
 * skew matrix is der(R) R' (by fingerprints), then with alpha = der(omega) der(der(R)) r = alpha x
 * R r + omega x (omega x R r) holds for all r. The equations of the loop that read second
 * derivatives of R read alpha instead; those that determine them stay and are in no loop any more.
 * A known part of an equation that is omega x (M omega), M being the coefficients of alpha, is
 * written so: der(L) without derivatives of R. Transposed matrices likewise. Near-linear.
 */
#ifndef RUNG_ELIMINATE_FRAMES_ANGULAR_RATES_H
#define RUNG_ELIMINATE_FRAMES_ANGULAR_RATES_H

#include "eliminate/blt.h"
#include "eliminate/frames/rewriting.h"

/* Returns the number of equations of b->sys that were rewritten; if there are any, b is no longer
 * valid. */
uint32_t angular_rates_apply(const Blt *b, Rewriting *out, Arena *scratch);

#endif
