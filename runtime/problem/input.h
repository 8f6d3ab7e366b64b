/* SPDX-License-Identifier: BSD-3-Clause
 *
 * input.h -- top-level inputs that follow data during a run.
 *
 * One time axis for all, which never goes back; where a time occurs twice signals may jump, from
 * the value of the first row of that time to that of the last one. A run is cut into pieces at the
 * rows where some signal jumps or has a kink: methods stop there and start anew, so that the
 * right-hand side is smooth in each piece. A jump is an event.
 */
#ifndef RUNG_RUNTIME_INPUT_H
#define RUNG_RUNTIME_INPUT_H

#include "rung_model.h"

#include <stdbool.h>

typedef enum InputKind {
    INPUT_LINEAR, /* a kink at every row, unless rows lie on a line                          */
    INPUT_HOLD,   /* the last row's value: jumps where that changes; always, unless Real     */
    INPUT_CUBIC,  /* Hermite's cubic; slope at a row: of the parabola through it and its two
                     neighbours, at a jump and at the ends of the line beside it             */
    INPUT_TAYLOR  /* a polynomial in the time since row 0, the only one: value[j] is the
                     coefficient of its power j < stride                                     */
} InputKind;

typedef struct InputSignal {
    uint32_t input; /* place in u */
    InputKind kind;
    const double *value; /* of row k: value[k * stride] */
    size_t stride;
} InputSignal;

typedef struct InputData {
    size_t n_rows;
    const double *t; /* of row k: t[k * stride], ascending */
    size_t stride;
    uint32_t n;
    const InputSignal *signal;
} InputData;

/* The inputs of a run. */
typedef struct Inputs Inputs;

/* At the piece that begins at t or holds it; NULL when out of memory. */
Inputs *inputs_new(const InputData *data, double t);
void inputs_free(Inputs *it);
/* The end of the piece, infinite after the last row; whether something jumps there. */
double inputs_next(const Inputs *it, bool *jumps);
/* To the next piece. */
void inputs_advance(Inputs *it);
/* The piece, for inputs_go: back to it. */
size_t inputs_place(const Inputs *it);
void inputs_go(Inputs *it, size_t place);
/* Whether some signal moves within a piece; false where `it` is NULL. */
bool inputs_move(const Inputs *it);
/* A time over which signals at t are as good as linear, for differences; 0: none moves there. */
double inputs_smooth_for(const Inputs *it, double t);
/* From now on values at t are those of t + lead, by the polynomials at t. */
void inputs_lead(Inputs *it, double lead);
/* The values at t, which lies in the piece: nothing where `it` is NULL. */
void inputs_refresh(const Inputs *it, RungContext *ctx, double t);

#endif
