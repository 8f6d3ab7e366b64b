/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fallback.h -- evaluations where a pivot vanishes or Newton's method of a block fails.
 *
 * The symbolic elimination has chosen its divisors before the run; where one of them vanishes, or
 * is small relative to the terms of its sum, the result is undefined or rounding. Then a second
 * model replaces the first for that evaluation: it has the same equations, but its linear blocks,
 * and the linear equations in nonlinear ones, are solved numerically, with pivoting. It is part of
 * the generated model, or is made at its first use.
 *
 * A singular linear block does not determine all of its unknowns; these keep their last values.
 * Forces in redundant constraints are an example; if a derivative depends on such an unknown, the
 * equations do not determine the motion, and the evaluation fails, for every method alike. At the
 * start of a piece between two events it does not fail: there an unknown may be 0/0 for that one
 * instant, and it keeps the value found by the initialisation.
 *
 * Small divisors one after the other lose digits, too, though none is small relative to the terms
 * of its own sum: entries grow along the elimination. Derivatives then change by much more than
 * they do by the second model when the states change by their last digits; where that matters to
 * the error of a step, the second model replaces the first for the rest of the run.
 *
 * Where Newton's method does not solve a nonlinear block from its last solution, that solution is
 * continued along the line from the point where it was found to the present one.
 */
#ifndef RUNG_RUNTIME_FALLBACK_H
#define RUNG_RUNTIME_FALLBACK_H

#include "problem.h"

/* Pivots that are small, not only those that are zero, count as vanished: all the earlier, the
 * tighter the tolerance of the run, whose steps would follow the rounding. NULL when out of memory.
 */
struct Fallback *fallback_new(RungContext *ctx, double tolerance);
void fallback_delete(struct Fallback *f);
/* Whether derivatives at (t, x) lose digits that count in a step of length h: true where that is
 * found now, and problem->is_numeric from then on. */
bool fallback_probe(Problem *problem, double t, const double *x, double h, double tolerance);
/* The same before step number `step`, of those now and then that cost little over all: 1, 2, 4, 8,
 * ..., every 256th, and the first thousand where a method begins. A method that begins sees losses
 * in its first steps; later ones mostly begin behind events. */
bool fallback_probe_step(Problem *problem, uint64_t step, bool begins, double t, const double *x,
                         double h, double tolerance);
/* The same where a step was rejected that might end at (t, x): the 1st, 2nd, 4th, 8th, ..., and
 * every 64th. A probe takes as many evaluations as most of such a step. */
bool fallback_probe_rejected(Problem *problem, double t, const double *x, double h,
                             double tolerance);
/* For runs that have failed, or whose equations do not hold. Whether derivatives or variables at
 * (t, x) lose digits that the second model keeps, more than a part of the tolerance, relative to
 * each of them: a variable that is small among its like may lose them without harm. Or Newton's
 * method has taken many iterations, and the second model does not tear its blocks. */
bool fallback_may_do_better(Problem *problem, double t, const double *x, double tolerance);
/* Newton's method has taken many iterations for nonlinear blocks, in the mean of the run. */
bool fallback_newton_is_slow(const Problem *problem);
/* The context that failed last. */
const RungContext *fallback_that_failed(const Problem *problem);

#endif
