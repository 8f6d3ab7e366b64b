/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lanes.h -- several instances of a model on the heap, that are evaluated at once (RungLanes).
 *
 *     Lanes *l = lanes_new(model, 8);                  // NULL: the model has no code for eight
 *     for (uint32_t k = 0; k < 8; k++)
 *         lanes_set(l, k, ctx[k]);                     // parameters and inputs of an instance
 *     l->code->xdot(&l->ctx, l->t, l->x, l->k);        // of all, at t[k] of lane k:
 *                                                      // l->ctx.failed says for whom not
 */
#ifndef RUNG_RUNTIME_LANES_H
#define RUNG_RUNTIME_LANES_H

#include "rung_model.h"

typedef struct Lanes {
    const RungModel *model;
    const RungLanes *code;
    RungLaneContext ctx;
    /* Each n_states: of a step from x to x_new, slopes there and at stages (k, four of them), one
     * more. Number i of lane k is [i * width + k]. */
    double *x, *k, *stage, *x_new, *f_new;
    double *t, *grows;      /* a number per lane: its time; see rk4 */
    RungContext **instance; /* a context per lane */
    double *memory;
    double *constants; /* of one instance, and scratch of the code that finds them */
} Lanes;

/* NULL: the model has no code of this width, or out of memory. */
Lanes *lanes_new(const RungModel *model, uint32_t width);
void lanes_free(Lanes *l);
/* An array of n zeros, aligned for vectors, to be freed with free(); NULL when out of memory. */
double *lanes_array(size_t n);

/* Parameters and inputs of the instance; the model's status if the constants, expressions of
 * parameters alone, cannot be computed. */
int lanes_set(Lanes *l, uint32_t lane, RungContext *instance);

/* How many numbers of u the code may read: inputs, memory of events, what Newton's iteration reads.
 */
uint32_t lanes_inputs(const RungModel *model);

/* The n numbers of one lane. */
void lanes_put(const Lanes *l, uint32_t lane, uint32_t n, const double *from, double *to);
void lanes_get(const Lanes *l, uint32_t lane, uint32_t n, const double *from, double *to);

#endif
