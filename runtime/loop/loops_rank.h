/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loops_rank.h -- how far the constraints of closed loops are from depending on each other.
 */
#ifndef RUNG_RUNTIME_LOOPS_RANK_H
#define RUNG_RUNTIME_LOOPS_RANK_H

#include "problem.h"

/* The distance of x from a singular position: the smallest pivot of the independent constraints,
 * relative to the largest; 1 if unknown. *which is the constraint. */
double loops_rank_ratio(Problem *problem, double t, const double *x, uint32_t *which);

/* Of the velocities that are held at values other than zero the first state that stands still in
 * all motions that the constraints allow at x; RUNG_NONE if there is none or unknown. *all: so do
 * all velocities that are in constraints, the mechanism cannot move. */
uint32_t loops_stuck(Problem *problem, double t, const double *x, const uint8_t *held, bool *all);

#endif
