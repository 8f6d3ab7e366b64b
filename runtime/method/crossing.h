/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crossing.h -- relations whose time of crossing has no derivative by parameters (rung_crossing.h),
 * by name.
 */
#ifndef RUNG_RUNTIME_CROSSING_H
#define RUNG_RUNTIME_CROSSING_H

#include "rung_crossing.h"

/* The first relation of an event without dt/dp. */
typedef struct CrossingFault {
    char text[400]; /* "": each has one                                            */
    double ratio;   /* g at the event over g at the begin of the step before, or 1 */
} CrossingFault;

/* Names relation m with its source line, unless another one is there already. */
void crossing_note(CrossingFault *f, const RungMemory *m, double ratio, const char *why);

#endif
