/* SPDX-License-Identifier: BSD-3-Clause
 *
 * valid.h -- values that mean something: finite numbers, whole Integers, literals of enumerations
 * (MLS 4.9). Values computed from any other would be wrong in silence.
 */
#ifndef RUNG_RUNTIME_VALID_H
#define RUNG_RUNTIME_VALID_H

#include "rung_model.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Valid {
    uint32_t n; /* variables that move and are of type Integer or an enumeration */
    uint32_t *row;
} Valid;

/* Those of the model. False: out of memory. */
bool valid_open(Valid *it, const RungModel *m);
void valid_close(Valid *it);

/* The first parameter, constant or variable of these alone without a value that means something:
 * its row, and `text` says so; RUNG_NONE: there is none. After the start of a run, O(variables). */
uint32_t valid_constants(const RungContext *ctx, char *text, size_t size);

/* The first variable that moves and is no finite number, v as filled by outputs. */
uint32_t valid_finite(const RungContext *ctx, double t, const double *x, const double *v,
                      char *text, size_t size);

/* Likewise of the variables that move, whose numbers are none of their types. O(n). */
uint32_t valid_values(const Valid *it, const RungContext *ctx, double t, const double *x,
                      const double *v, char *text, size_t size);

#endif
