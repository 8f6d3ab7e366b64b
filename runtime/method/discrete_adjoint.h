/* SPDX-License-Identifier: BSD-3-Clause
 *
 * discrete_adjoint.h -- the gradient of a run of a one-step method: the derivatives of its computed
 * steps, backwards (discrete adjoint: Sandu, On the properties of Runge-Kutta discrete adjoints,
 * 2006).
 *
 * A step of length h has stages X_i = x + h sum_j a_ij F_j, F_j = f(t_j, X_j, p), and leads to x +
 * h sum_j b_j F_j. With l the derivative of an objective by the end of the step, from the last
 * stage to the first
 *
 *     m_i = h (b_i l + sum_(j >= i) a_ji s_j),    s_i = f_x(X_i)' m_i,    p' += f_p(X_i)' m_i
 *
 * and l + sum_i s_i is that by its beginning. Both products are the model's (RungAdjoint). Where
 * a_ii is not zero, (1 - h a_ii f_x)' m_i = r_i is solved by corrections with a matrix nearby,
 * until the product itself says that it holds. Lengths of steps are taken as given, as by the
 * derivatives along the run.
 *
 * Over events: rung_saltation_adjoint.h.
 */
#ifndef RUNG_RUNTIME_DISCRETE_ADJOINT_H
#define RUNG_RUNTIME_DISCRETE_ADJOINT_H

#include "tape.h"

/* All statuses: nonzero with run->problem.why. */
typedef struct AdjointSweep AdjointSweep;

/* From the end of the run at run->t; NULL when out of memory. */
AdjointSweep *adjoint_new(const Run *run);
void adjoint_free(AdjointSweep *it);
/* Begins with the objectives at the end of the run; those with a mark, at their extrema. The tape
 * must stay open until the end. */
int adjoint_begin(AdjointSweep *it, Run *run, const Tape *tape);
/* Back over all records of the tape. run: the one that has made them. */
int adjoint_back(AdjointSweep *it, Run *run, const Tape *tape);
/* At the start: of each objective the gradient, n_objectives times n. */
int adjoint_end(AdjointSweep *it, Run *run, const Tape *tape, double *gradient);

#endif
