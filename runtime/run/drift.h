/* SPDX-License-Identifier: BSD-3-Clause
 *
 * drift.h -- redundant states along a run: the errors of its steps add up across the constraints
 * that they keep (RungInvariants), of which the derivatives alone are equations of the model. Where
 * a constraint is off by more than states that are each off by a quarter of a tolerance make it,
 * the states are projected onto all of them:
 *
 *     min |d| with g(x + S d) = 0,    S: the units of the states' errors (state_scale.h)
 *
 * by Gauss and Newton, and the method begins there anew. (Hairer and Wanner, Solving Ordinary
 * Differential Equations II, VII.2; Eich 1993.)
 */
#ifndef RUNG_RUNTIME_DRIFT_H
#define RUNG_RUNTIME_DRIFT_H

#include "normal.h"
#include "problem.h"

typedef struct Drift {
    const RungInvariants *constraints; /* NULL: there are none */
    Normal *normal;
    double *residual, *bound; /* per constraint: the largest that is no drift */
    double *entry, *unit;     /* of the matrix; per state */
    double *x;                /* states before a projection */
    uint32_t age;             /* steps since `bound` was found, and 1; 0: it is not known */
    double *last, t_last;     /* states behind the last step; NAN: there is none */
    double *rate, most;       /* largest rates, and the largest value, in steps not short */
    double longest;           /* step */
    double regular;           /* largest ratio of the constraints' pivots */
    double nearest;           /* the smallest since the last step that was not short */
    bool is_unbounded;        /* since then: a value is larger than before by orders of magnitude */
} Drift;

/* For a run in this context, whose parameters are not evaluated yet: where the residuals are known,
 * nothing has to decay, at a rate that would leave the errors of many short steps, or be stiff;
 * unless it `stabilises`, which brings angles through positions in which they are singular. False
 * when out of memory. */
bool drift_open(Drift *it, const RungModel *model, RungContext *ctx, bool stabilises);
void drift_close(Drift *it);
/* Behind a step: whether the constraints are singular there, and which state moves faster than it
 * ever did in consequence: at a singular position errors that are tolerated move a mechanism from
 * one of the ways that it may go on to another. RUNG_NONE: none does. */
uint32_t drift_singular(Drift *it, Problem *problem, double tolerance, double t, const double *x);
/* States may have jumped since the last step. */
void drift_begin(Drift *it);
/* Whether x has moved: once behind a step. Where the projection does not converge x stays as it is.
 */
bool drift_restore(Drift *it, Problem *problem, double tolerance, double t, double *x);

#endif
