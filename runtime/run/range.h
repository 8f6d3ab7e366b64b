/* SPDX-License-Identifier: BSD-3-Clause
 *
 * range.h -- values that lie outside min and max of their variables (MLS 4.9.1).
 */
#ifndef RUNG_RUNTIME_RANGE_H
#define RUNG_RUNTIME_RANGE_H

#include "rung_model.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Ranges {
    uint32_t n;      /* variables that have bounds                                  */
    uint32_t *row;   /* n, ascending                                                */
    double *largest; /* n: |value| so far: beyond a bound by a part of it is inside */
    double part;
    bool *was_outside;   /* n */
    uint32_t n_reported; /* rows that were, but for other names of one of the first */
    uint32_t *reported;
} Ranges;

/* Those of the model, for values right to `part` of their size. False: out of memory. */
bool ranges_open(Ranges *r, const RungModel *m, double part);
void ranges_close(Ranges *r);

/* Looks at the next variables from *at on, 0 at first; whether one is outside that was not before,
 * of which `text` says so then. v as filled by outputs; NULL:
 * parameters and constants alone are looked at. */
bool ranges_next(Ranges *r, const RungContext *ctx, double t, const double *x, const double *v,
                 uint32_t *at, char *text, size_t size);

#endif
