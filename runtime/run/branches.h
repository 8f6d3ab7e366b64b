/* SPDX-License-Identifier: BSD-3-Clause
 *
 * branches.h -- nonlinear equations that no step solves, only rows: whether their solution goes on
 * continuously from row to row (rung_branch.h).
 */
#ifndef RUNG_RUNTIME_BRANCHES_H
#define RUNG_RUNTIME_BRANCHES_H

#include "problem.h"
#include "rung_branch.h"

typedef struct Branches {
    unsigned char *is_of_step; /* per block: a step solves it */
    double t, *x, *z;          /* the last row */
    bool has_row;
    double *z_row, *x_at, *z_end; /* of this row; at a time between; behind that */
} Branches;

/* False when out of memory. */
bool branches_new(Branches *b, const RungModel *m);
void branches_free(Branches *b);
/* The next row has none before it: at the start, and behind an event. */
void branches_forget(Branches *b);
/* Whether there are nonlinear blocks that no step has solved since the last row, from which z would
 * differ in them. */
bool branches_have_any(Branches *b, const RungModel *m, const double *z);
/* Whether the solutions of the blocks at (t, x), in ctx->z, continue those of the last row; then
 * this is the last row. Else `text` has the reason. Between both rows the states are taken as
 * linear: values are evaluated there only where an unknown changes by more than a tenth of its
 * size. */
bool branches_continue(Branches *b, Problem *problem, double t, const double *x, double *values,
                       char *text, size_t size);

#endif
