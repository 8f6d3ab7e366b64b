/* SPDX-License-Identifier: BSD-3-Clause
 *
 * nonlinear.h -- blocks of nonlinear equations, solved at run time by Newton's method.
 *
 * The steps are damped by the natural monotonicity test: a step is short enough when the
 * correction that the same Jacobian asks for after it is shorter than the step itself. Unlike the
 * residual that is the same however the equations are scaled (Deuflhard 2004, Newton Methods for
 * Nonlinear Problems, section 3.3, algorithm NLEQ-ERR). Lengths are in units of the unknowns:
 * |z| + nominal.
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

/* The same for blocks with kinks alone, until a step ends far from where it began: where a branch
 * of solutions ends at a kink, the run goes over to another. Whether it was so before. */
bool nonlinear_leave_kinks(Nonlinear *w, bool on);

/* While branches are left: z as it is now is kept. Whether what was found since, of blocks with
 * kinks, is another branch's; then z is again what was kept. */
void nonlinear_keep(Nonlinear *w, const RungContext *ctx);
bool nonlinear_has_left(Nonlinear *w, RungContext *ctx);

/* Whether unknowns that the equations of a block leave open, where its Jacobian is singular and
 * they do not contradict each other, stay what they are: at the start of a run, where initial
 * conditions may repeat what relations say, as that a body which dry friction holds does not
 * accelerate. */
void nonlinear_leave_open(Nonlinear *w, bool on);

/* The unknowns as they are now are the last solution that holds: where a step begins. A block whose
 * solution at some attempt since then is far from its guess begins there again at a shorter
 * attempt, not at what the longer one has left: of several solutions (a comparator with hysteresis)
 * the one that is near is kept until it ends, however long the steps are that were tried. Before
 * the first step of a piece it is also another guess where Newton's method does not converge; later
 * there is none: near a position where states that were chosen depend on each other it would give
 * now one solution, now another, and the run would neither fail nor get on. */
void nonlinear_settle(Nonlinear *w, const RungContext *ctx); /* before the first step */
void nonlinear_go_on(Nonlinear *w, const RungContext *ctx);  /* after each step       */

/* Solves block k into ctx->z, which holds the first guess. 0; positive with failed_block if it
 * does not converge, ctx->z then as before or as settled; negative: stop. */
int nonlinear_solve(Nonlinear *w, RungContext *ctx, uint32_t k, double t, const double *x);

/* Jacobians evaluated since nonlinear_new. */
uint64_t nonlinear_iterations(const Nonlinear *w);

#endif
