/* SPDX-License-Identifier: BSD-3-Clause
 *
 * by_sundials_parts.h -- the linear solver of CVODE where states come in parts, the model's own and
 * their derivatives by parameters.
 *
 * Of x' = f(x, p), s' = f_x s + f_p the matrix I - gamma f_x of the first part is that of each
 * other one. The blocks below it, which say how f_x changes with x, are left out: with corrections
 * of both at once s converges one iteration behind x (simultaneous corrector: T. Maly and L. R.
 * Petzold, Numerical methods and software for sensitivity analysis of differential-algebraic
 * systems, Applied Numerical Mathematics 20 (1996) 57-79).
 */
#ifndef RUNG_RUNTIME_BY_SUNDIALS_PARTS_H
#define RUNG_RUNTIME_BY_SUNDIALS_PARTS_H

#include "problem.h"

#include <sundials/sundials_linearsolver.h>

/* Solves with a matrix of the n first states of the problem, which `of_part` factors, for all of
 * them; while *is_alone for these alone, the others become zero. It owns of_part and the vectors
 * that it passes on; NULL when out of memory: then of_part is the caller's. */
SUNLinearSolver sundials_parts(const Problem *problem, uint32_t n, SUNLinearSolver of_part,
                               const bool *is_alone, SUNContext context);

#endif
