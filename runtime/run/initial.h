/* SPDX-License-Identifier: BSD-3-Clause
 *
 * initial.h -- the initial system of a model, solved: states, parameters with fixed = false and
 * first guesses of nonlinear blocks (MLS 3.6, 8.6).
 */
#ifndef RUNG_RUNTIME_INITIAL_H
#define RUNG_RUNTIME_INITIAL_H

#include "context.h"

#include <stddef.h>

/* Makes RungModel.fallback with its initial system, for pivots that vanish at the start; NULL, or
 * returns NULL: there is none but that of the model. */
typedef struct InitialFallback {
    const RungModel *(*make)(void *user);
    void *user;
} InitialFallback;

/* After update and start of the model: x is overwritten, and so are the entries of ctx->p and
 * ctx->z that the initial equations determine. 0, or nonzero with a message in why. Nothing happens
 * when the model has no such system. */
int context_initialise(RungContext *ctx, double t, double *x, InitialFallback fallback, char *why,
                       size_t size);

#endif
