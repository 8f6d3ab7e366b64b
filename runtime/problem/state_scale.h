/* SPDX-License-Identifier: BSD-3-Clause
 *
 * state_scale.h -- the scale of each state in error tests, the same for all methods:
 *
 *     error of x_k in a step <= tolerance * (scale_k + |x_k|)
 *
 * `nominal`, where the model gives one for x_k or an alias of it. Otherwise 1, but no more than
 *
 * - a start value other than zero that the model gives, - the change that moves a variable by its
 * own nominal value (1 by default): in v = q/C with
 *   C = 1e-12 an error of 1e-12 of the charge is an error of 1 of v (RungStateScale);
 *
 * and no less than the largest |x_k| of the run so far, up to 1. So every variable that is linear
 * in states is right to the tolerance in its own unit, and no state is held to more than that
 * needs: a front that is still far away, or the rounding in a motion across a plane, costs no
 * steps.
 */
#ifndef RUNG_RUNTIME_STATE_SCALE_H
#define RUNG_RUNTIME_STATE_SCALE_H

#include <stdbool.h>
#include <stdint.h>

struct Problem;

typedef struct Scale {
    uint32_t n;    /* states                                                */
    bool is_open;  /* some have no nominal value                            */
    double *now;   /* n: the scale */
    double *least; /* n: by start values and linear relations               */
    double *seen;  /* n: the largest |x| of the run so far, kept across pieces */
} Scale;

/* False: out of memory. */
bool scale_open(Scale *it, const struct Problem *problem);
void scale_close(Scale *it);
/* As opened. */
void scale_forget(Scale *it);

/* Before a method begins at x, with the present parameters. */
void scale_begin(Scale *it, const struct Problem *problem, const double *x);
/* After each accepted step to x. */
void scale_step(Scale *it, const struct Problem *problem, const double *x);

#endif
