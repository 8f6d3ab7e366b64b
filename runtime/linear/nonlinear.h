/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nonlinear.h -- blocks of nonlinear equations, solved at run time by Newton's method.
 *
 * The steps are damped by the natural monotonicity test: a step is short enough when the simplified
 * correction after it (by the same Jacobian) is shorter than the step itself. Unlike a test of the
 * residual this is invariant to the scaling of the equations (Deuflhard 2004, Newton Methods for
 * Nonlinear Problems, section 3.3, algorithm NLEQ-ERR). Lengths are in units of the unknowns: |z| +
 * nominal.
 */
#ifndef RUNG_RUNTIME_NONLINEAR_H
#define RUNG_RUNTIME_NONLINEAR_H

#include "rung_model.h"

#include <stdbool.h>

typedef struct Nonlinear Nonlinear; /* scratch for the nonlinear blocks of a model */

Nonlinear *nonlinear_new(const RungModel *m); /* NULL when out of memory */
void nonlinear_free(Nonlinear *w);

/* Whether blocks that do not converge are tried from other guesses: at the start of a run, where
 * the guess is the modeller's and may be far away. */
void nonlinear_search(Nonlinear *w, bool on);
bool nonlinear_searches(const Nonlinear *w);

/* The same for blocks with kinks only, until a step ends far from its start: where a branch of
 * solutions ends at a kink, the run switches to another branch. Returns the former setting. */
bool nonlinear_leave_kinks(Nonlinear *w, bool on);

/* While branches may be left: keeps the present z. nonlinear_has_left tells whether a block with
 * kinks has since found a solution of another branch; if so it restores the kept z. */
void nonlinear_keep(Nonlinear *w, const RungContext *ctx);
bool nonlinear_has_left(Nonlinear *w, RungContext *ctx);

/* Whether unknowns that a block with a singular Jacobian and consistent equations does not
 * determine keep their values: at the start of a run, where initial conditions may repeat
 * relations, as zero acceleration of a body that dry friction holds. */
void nonlinear_leave_open(Nonlinear *w, bool on);

/* Makes the present unknowns the settled solution: the one at the start of a step. If an attempt of
 * the step leads a block far from it, a shorter attempt begins at the settled solution instead of
 * the result of the longer one: of several solutions (a comparator with hysteresis) the near one is
 * kept until it ends, whatever step lengths were tried. Before the first step of a piece the
 * settled solution is also a second guess where Newton's method does not converge; not later: near
 * a position where the chosen states depend on each other it would give different solutions by
 * turns, and the run would neither fail nor advance. */
void nonlinear_settle(Nonlinear *w, const RungContext *ctx); /* before the first step */
void nonlinear_go_on(Nonlinear *w, const RungContext *ctx);  /* after each step       */

/* Solves block k into ctx->z, which holds the first guess. 0; positive with failed_block if it
 * does not converge, ctx->z then as before or as settled; negative: stop. */
int nonlinear_solve(Nonlinear *w, RungContext *ctx, uint32_t k, double t, const double *x);

/* Jacobians evaluated since nonlinear_new. */
uint64_t nonlinear_iterations(const Nonlinear *w);
double nonlinear_per_solution(const Nonlinear *w); /* in the mean */

#endif
