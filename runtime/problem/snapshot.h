/* SPDX-License-Identifier: BSD-3-Clause
 *
 * snapshot.h -- the state of an instance or a run as bytes, to continue from.
 *
 *     Snapshot s = {0};
 *     snapshot_begin(&s, ctx->model);
 *     context_save(ctx, t, x, &s);               // delays_save, events_save: of a run
 *     ... s.failed: out of memory; else s.at, s.n
 *     snapshot_read(&s, bytes, n);               // or these bytes from elsewhere
 *     bool ok = !snapshot_check(&s, ctx->model) && context_restore(ctx, &t, x, &s);
 *     snapshot_free(&s);
 *
 * The bytes, numbers in the byte order of the machine: "rung state\n" and 0; version (uint32);
 * 0x01020304 (uint32), which shows another byte order; a number (uint64) of the model's layout:
 * names and places of its variables, the memory of events. Then each part: arrays, with their
 * length (uint64) before them. snapshot_end puts a checksum (uint64) of all before it behind.
 *
 * The restored state depends on the bytes alone: context_restore drops the stored factors of
 * blocks. So two instances restored from the same bytes continue with the same digits; an instance
 * that has been saved continues with these digits only if it is restored from its own bytes.
 */
#ifndef RUNG_RUNTIME_SNAPSHOT_H
#define RUNG_RUNTIME_SNAPSHOT_H

#include "rung_model.h"

#include <stdbool.h>

typedef struct Snapshot {
    unsigned char *at;
    size_t n, room;
    size_t next; /* to be read */
    bool failed; /* out of memory, or read beyond the end */
} Snapshot;

void snapshot_free(Snapshot *s);
/* Empty, but for the head. */
void snapshot_begin(Snapshot *s, const RungModel *m);
/* Appends the checksum, after all parts, for a file. */
void snapshot_end(Snapshot *s);
/* A copy of these bytes, to be read from their beginning. */
void snapshot_read(Snapshot *s, const void *bytes, size_t n);
/* To be read from the beginning again. NULL, or the error in the head, as a clause. */
const char *snapshot_check(Snapshot *s, const RungModel *m);
/* Whether the bytes end with their checksum, which is then cut off. */
bool snapshot_is_whole(Snapshot *s);

void snapshot_put(Snapshot *s, const void *array, size_t size);
/* False unless an array of this size comes next. */
bool snapshot_get(Snapshot *s, void *array, size_t size);
/* The size of the array that comes next. */
size_t snapshot_next(const Snapshot *s);

/* False for a model with external objects, which only their own functions can copy. */
bool context_can_save(const RungModel *m);
/* Time, states (x, n_states), parameters, inputs, the memory of events, the last solutions of
 * nonlinear blocks. */
void context_save(const RungContext *ctx, double t, const double *x, Snapshot *s);
/* Into an instance of the same model, new or used. False if the bytes are others. */
bool context_restore(RungContext *ctx, double *t, double *x, Snapshot *s);

#endif
