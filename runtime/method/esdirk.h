/* SPDX-License-Identifier: BSD-3-Clause
 *
 * esdirk.h -- coefficients of the method `esdirk`, for whoever checks them.
 *
 * ESDIRK5(4)7L[2]SA2 of Kennedy and Carpenter, Diagonally implicit Runge-Kutta methods for stiff
 * ODEs, Applied Numerical Mathematics 146 (2019): seven stages, the first explicit, the others with
 * the same diagonal entry; order 5, with an embedded formula of order 4; stage order 2; L-stable;
 * the last stage is the solution. The continuous extension is our own: of order 4 for all
 * 0 <= theta <= 1, bounded for eigenvalues however stiff.
 */
#ifndef RUNG_RUNTIME_ESDIRK_H
#define RUNG_RUNTIME_ESDIRK_H

enum { ESDIRK_STAGES = 7, ESDIRK_DEGREE = 4 };

extern const double esdirk_c[ESDIRK_STAGES];
/* The last row is b. */
extern const double esdirk_a[ESDIRK_STAGES][ESDIRK_STAGES];
/* b minus that of the embedded formula. */
extern const double esdirk_error[ESDIRK_STAGES];
/* x(t + theta h) = x(t) + h sum_i f_i sum_k dense[i][k] theta^(k + 1) */
extern const double esdirk_dense[ESDIRK_STAGES][ESDIRK_DEGREE];

#endif
