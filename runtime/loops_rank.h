/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loops_rank.h -- how many of the constraints of closed loops are independent, and which are not.
 */
#ifndef RUNG_RUNTIME_LOOPS_RANK_H
#define RUNG_RUNTIME_LOOPS_RANK_H

#include "integrator.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct LoopsRank {
    uint32_t n_velocities; /* of the tree                                                     */
    uint32_t rank;         /* of d phi' / d velocities at the closed start                    */
    unsigned char *is_redundant; /* per constraint: it follows from the others                */
    double smallest;             /* of the others, against the largest: how far the rank is clear */
} LoopsRank;

/* At the start of a run with default parameters, projected onto the constraints. The arrays are
 * the caller's to free. False with a message. */
bool loops_rank(const RungModel *model, LoopsRank *out, char *why, size_t size);

/* How far x is from a singular position: the least of what the independent constraints add to
 * each other, against the largest; 1 when that cannot be told. *which is the constraint. */
double loops_rank_ratio(Run *run, double t, const double *x, uint32_t *which);

#endif
