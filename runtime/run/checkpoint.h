/* SPDX-License-Identifier: BSD-3-Clause
 *
 * checkpoint.h -- a run saved to a file, and one that goes on from there.
 *
 * The file is a snapshot (snapshot.h): the grid of rows, the context, the histories of delays, the
 * data of events. After saving, a run restarts from these bytes and starts its method anew, as the
 * run that goes on from the file does: both have the same digits, with every method. Methods of
 * fixed steps and one-step methods lose nothing by that but the length of their next step, methods
 * with a memory (bdf, ida, cvode) begin with order 1 again.
 */
#ifndef RUNG_RUNTIME_CHECKPOINT_H
#define RUNG_RUNTIME_CHECKPOINT_H

#include "event.h"
#include "snapshot.h"

/* Rows are at origin + k * interval. */
typedef struct RowGrid {
    double origin, interval;
} RowGrid;

/* The run as it is, into s; false when out of memory. */
bool checkpoint_take(Snapshot *s, const Run *run, const Events *e, const RowGrid *grid);
/* Into a run whose parts are new. False if the bytes are others. */
bool checkpoint_resume(Snapshot *s, Run *run, Events *e, RowGrid *grid);

/* The file whole or not at all; false with errno set. */
bool checkpoint_write(const Snapshot *s, const char *path);
/* NULL, or why it cannot be continued: a clause. */
const char *checkpoint_read(Snapshot *s, const char *path, const RungModel *m);

#endif
