/* free_states.h -- which states of a tree can move freely where its loops are closed, and how the
 * others follow.
 *
 * With the constraints' derivatives P dx = 0, P being phi and phi' by the states: pivoted QR of the
 * columns chooses as many dependent states as there are independent constraints (Wehage and Haug
 * 1982 by LU), dx = N dx_free. States that are wanted stay free, and coordinates with their own
 * velocities.
 */
#ifndef RUNG_STUDY_LINEAR_FREE_STATES_H
#define RUNG_STUDY_LINEAR_FREE_STATES_H

#include "runtime/problem/linearise.h"

#include "base/arena.h"

#include <stdbool.h>

typedef struct FreeStates {
    uint32_t n, n_free;
    uint32_t *at; /* n_free: which states are free, ascending; behind them the others */
    double *move; /* N: n by n_free, by columns                                       */
    const char *error;
} FreeStates;

/* At the point of the last linearise_at. wanted: per state, or NULL. False with out->error: if
 * constraints depend on inputs, or states that are wanted on each other. */
bool free_states_find(const Linearise *l, const RungModel *m, const bool *wanted, FreeStates *out,
                      Arena *mem);

#endif
