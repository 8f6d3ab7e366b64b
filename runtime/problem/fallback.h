/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fallback.h -- evaluations that survive a vanishing pivot, and far guesses.
 *
 * Elimination has chosen its divisors before the run; where one of them vanishes, or is small
 * against the terms it is the sum of, the result is nothing or noise. Then a second model takes
 * over for that evaluation: of the same equations, but its linear blocks are solved numerically,
 * with pivoting. It comes with the generated model, or is made when it is wanted first.
 *
 * Linear blocks that are singular leave unknowns open, which stay what they were. Forces in
 * redundant constraints are such; where a derivative depends on them the equations do not determine
 * the motion, and the evaluation fails, for every method alike. At the start of a piece between two
 * events it does not: there an unknown may be open for that one instant, 0/0, and what it stays is
 * what initialisation has found.
 *
 * Where Newton's method does not solve a nonlinear block from its last solution, that solution is
 * followed from where it was found to where it is wanted.
 */
#ifndef RUNG_RUNTIME_FALLBACK_H
#define RUNG_RUNTIME_FALLBACK_H

#include "problem.h"

/* Pivots that are small, not only those that are zero, count as vanished; NULL when out of
 * memory. */
struct Fallback *fallback_new(RungContext *ctx);
void fallback_delete(struct Fallback *f);
/* Whoever failed last. */
const RungContext *fallback_blamed(const Problem *problem);

#endif
