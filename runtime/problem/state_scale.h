/* SPDX-License-Identifier: BSD-3-Clause
 *
 * state_scale.h -- the scale of each state in error tests, the same for all methods:
 *
 *     error of x_k in a step <= tolerance * (scale_k + |x_k|)
 *
 * of an angle, whose sine the model takes: tolerance * (scale_k + min(|x_k|, half a turn)), since
 * turns are no size. A shaft of 1000 turns is as exact as one of the first. The scale is
 *
 * `nominal`, where the model gives one for x_k or an alias of it. Otherwise 1, but no more than
 *
 * - a start value other than zero that the model gives,
 * - the change that moves a variable by its own nominal value (1 by default): in v = q/C with
 *   C = 1e-12 an error of 1e-12 of the charge is an error of 1 of v (RungStateScale),
 * - the size that x_k can reach in the run, if that is below 0.001: length of the run times the
 *   largest |x_k'| at the start of a piece, of later ones if it is 1000 times as large, and at
 *   other times and states that the run can reach, as in der(q) = 1e-15*cos(time). During the run
 *   it is at most the size that |x_k| would reach at its pace so far.
 *   Derivatives that are rounding are no size: in a motion across a plane, of a mechanism at rest;
 *
 * and no less than the largest |x_k| of the run so far, up to 1. So every variable that is linear
 * in states is right to the tolerance in its own unit, and no state is held to more than that
 * needs: a front that is still far away, or the rounding in a motion across a plane, costs no
 * steps. Other states whose values stay below their tolerance are named in the summary.
 *
 * The error of a sum of positions or velocities, as the difference of large ones, may be tolerance
 * * (nominal + largest |y| so far), by dopri5, esdirk and gear; with ida and cvode that of each of
 * its terms (rung_sums.h).
 */
#ifndef RUNG_RUNTIME_STATE_SCALE_H
#define RUNG_RUNTIME_STATE_SCALE_H

#include "rung_sums.h"

#include <stdbool.h>
#include <stdint.h>

struct Problem;

typedef struct Scale {
    uint32_t n;    /* states                                                */
    bool is_open;  /* some have no nominal value                            */
    double *now;   /* n: the scale */
    double *least; /* n: by start values and linear relations               */
    double *turn;  /* n: half a turn; infinite for states that are no angles */
    /* Kept across pieces and saved, one behind the other. */
    double *seen;      /* n: the largest |x| of the run so far                  */
    double *reach;     /* n: the size that the state can reach; 0: not known    */
    double *floor;     /* n: below which it is noise, if its reach is known     */
    uint32_t searches; /* of sizes, so far */
    double *last;      /* n: states, and their change, of the last step         */
    double *change;
    double *turns; /* n: how often of late that has turned round            */
    /* Sums of states: y = terms + offset + slope * t. */
    RungSums sums;
    double *offset, *slope, *nominal;
    double *most;       /* per sum: the largest |y| of the run so far, kept as well */
    void *room;         /* of the arrays of sums */
    double *work;       /* of a search; NULL before the first                    */
    double start, span; /* of the whole run */
} Scale;

/* A run at t, as far as scales depend on it. */
typedef struct ScaleRun {
    double t, start, span; /* span 0: the end is not known */
    double tolerance;
} ScaleRun;

/* How many numbers from `seen` on are kept. */
uint32_t scale_n_kept(const Scale *it);

/* False: out of memory. */
bool scale_open(Scale *it, const struct Problem *problem);
void scale_close(Scale *it);
/* As opened. */
void scale_forget(Scale *it);

/* Before a method begins at x, with the present parameters. */
void scale_begin(Scale *it, struct Problem *problem, const ScaleRun *run, const double *x);
/* After each accepted step to (t, x). */
void scale_step(Scale *it, const struct Problem *problem, double t, const double *x);

/* How many states stayed below their tolerance though their derivatives at (t, x) are no rounding;
 * *first is one of them. */
uint32_t scale_unseen(Scale *it, struct Problem *problem, const ScaleRun *run, const double *x,
                      uint32_t *first);

#endif
