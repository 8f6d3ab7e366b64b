/* SPDX-License-Identifier: BSD-3-Clause
 *
 * linear.h -- blocks of linear equations that are solved at run time.
 */
#ifndef RUNG_RUNTIME_LINEAR_H
#define RUNG_RUNTIME_LINEAR_H

#include "rung_model.h"

typedef struct Linear Linear; /* scratch and factors for the linear blocks of a model */

Linear *linear_new(const RungModel *m); /* NULL when out of memory */
void linear_free(Linear *w);

/* Solves block k into ctx->z. 0; positive with failed_block and failed_unknown if its matrix is
 * singular at (t, x). */
int linear_solve(Linear *w, RungContext *ctx, uint32_t k, double t, const double *x);

/* An unknown that the equations of a singular block do not determine: it keeps its value. */
typedef struct LinearOpen {
    uint32_t block, unknown; /* ctx->z[block's first + unknown] */
} LinearOpen;

/* Those of all blocks solved since linear_watch; the number, and the array, in w's memory. */
void linear_watch(Linear *w);
uint32_t linear_open(const Linear *w, const LinearOpen **open);

#endif
