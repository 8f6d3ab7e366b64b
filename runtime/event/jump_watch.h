/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jump_watch.h -- variables that are no states and whose derivative the equations use: one that
 * jumps at an event has no derivative there.
 *
 *     x = if time > 0.5 then 1 else 0;  v = der(x);     v is 0 at all times, the integral of v too
 */
#ifndef RUNG_RUNTIME_JUMP_WATCH_H
#define RUNG_RUNTIME_JUMP_WATCH_H

#include "rung_model.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct JumpWatch {
    double part;                      /* of the size of a variable: smaller jumps are errors */
    double *state, *before, *largest; /* before the event: states, variables; largest |value| */
    bool *is_told;
    uint32_t n_told;
} JumpWatch;

/* False: out of memory. */
bool jump_watch_new(JumpWatch *j, const RungModel *m);
void jump_watch_free(JumpWatch *j);
/* Whether the model has such variables; else the functions below do nothing. */
bool jump_watch_has_any(const RungModel *m);
/* Values of results, for the sizes of variables. */
void jump_watch_note(JumpWatch *j, const RungContext *ctx, double t, const double *x,
                     const double *v);
/* The values just before an event, right to `part` of their size; v as filled by outputs. */
void jump_watch_before(JumpWatch *j, const RungContext *ctx, double part, double t, const double *x,
                       const double *v);
/* Looks at the next variables from *at on, 0 at first, behind the event; whether one has jumped
 * that had not before, of which `text` says so then. Where states are set, as by reinit or an
 * impulse, others are meant to follow. */
bool jump_watch_next(JumpWatch *j, const RungContext *ctx, double t, const double *x,
                     const double *v, uint32_t *at, char *text, size_t size);

#endif
