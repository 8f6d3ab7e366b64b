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
 */
#ifndef RUNG_RUNTIME_DISCRETE_ADJOINT_H
#define RUNG_RUNTIME_DISCRETE_ADJOINT_H

#include "integrator.h"

enum { TAPE_STAGES = 7 };

/* The formula of a method. */
typedef struct TapeFormula {
    uint32_t n;                         /* stages                                              */
    double a[TAPE_STAGES][TAPE_STAGES]; /* nothing above the diagonal, which is 0 or one number */
    double b[TAPE_STAGES];
} TapeFormula;

/* All steps of a run. */
typedef struct Tape {
    TapeFormula formula; /* 0 stages: no step has been made */
    uint32_t n_states;
    size_t n, most; /* steps; room for so many */
    double *time;   /* per step: its length, its end, then those of its stages  */
    double *x;      /* per step: the stages, then its end          */
    double *now;    /* of the step that is being made, likewise */
    double t_now[TAPE_STAGES];
    size_t bytes; /* that it may take */
    double *x_start;
    double t_start;
} Tape;

bool tape_open(Tape *it, uint32_t n_states, size_t bytes);
void tape_close(Tape *it);
/* A method with a tape records its formula; then each stage of a step (the last call for a stage
 * counts); and the acceptance of the step, of length h. Nonzero with run->problem.why: it does not
 * fit. No effect without a tape. */
void tape_stage(Tape *it, uint32_t stage, double t, const double *x);
int tape_step(Tape *it, Run *run, const TapeFormula *formula, double t_old, double h,
              const double *x_old, double t, const double *x);

/* Of each objective the gradient, n_objectives times n; run->problem is that of the run. Nonzero
 * with run->problem.why. */
int adjoint_sweep(const Tape *it, Run *run, double *gradient);

#endif
