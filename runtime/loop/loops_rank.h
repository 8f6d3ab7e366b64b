/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loops_rank.h -- how far the constraints of closed loops are from depending on each other.
 */
#ifndef RUNG_RUNTIME_LOOPS_RANK_H
#define RUNG_RUNTIME_LOOPS_RANK_H

#include "problem.h"

/* How far x is from a singular position: the least of what the independent constraints add to
 * each other, against the largest; 1 when that cannot be told. *which is the constraint. */
double loops_rank_ratio(Problem *problem, double t, const double *x, uint32_t *which);

#endif
