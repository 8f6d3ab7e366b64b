/* steady_state.h -- states at which nothing moves, from states that are near, or on the way there.
 *
 * Pseudo-transient continuation (Kelley and Keyes 1998): one Newton iteration of an implicit Euler
 * step after the other, steps growing as derivatives shrink (switched evolution relaxation), in the
 * end Newton's method for xdot = 0. So from a state that is not near a stable steady state it goes
 * where the model would go. Where loops are cut, in the states that are free (free_states.h).
 */
#ifndef RUNG_STUDY_LINEAR_STEADY_STATE_H
#define RUNG_STUDY_LINEAR_STEADY_STATE_H

#include "runtime/problem/linearise.h"

#include "base/arena.h"

#include <stdbool.h>

/* x becomes the steady state at time t and the context's inputs; relations and discrete variables
 * have their values in the context, but relations are updated if no discrete variable changes by
 * it. False with a message in *error: the state that keeps moving, or that the model cannot be
 * evaluated. */
bool steady_state_find(Linearise *l, RungContext *ctx, double t, double *x, Arena *mem,
                       const char **error);

#endif
