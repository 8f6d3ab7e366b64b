/* SPDX-License-Identifier: BSD-3-Clause
 *
 * result.h -- the rows of a run as a file, in the format that its name says.
 *
 *     R.csv   comma separated values: time first, one column per variable (csv.h)
 *     R.mat   MAT version 4 as Modelica tools write it: aliases and constants cost nothing (mat.h)
 *     -       CSV on standard output; pipes and devices get CSV too
 */
#ifndef RUNG_RUNTIME_RESULT_H
#define RUNG_RUNTIME_RESULT_H

#include "context.h"

#include <stdbool.h>

typedef struct Result Result;

/* Why a result cannot have this name; NULL: it can. */
const char *result_wrong_name(const char *path);

/* Variables that `signals` names, in the order of the model: patterns separated by commas outside
 * brackets, * for any text and ? for any character: "arm.*,joint[?].phi". NULL: all but those that
 * their model hides (HideResult, MLS 18.3). Returns their rows in RungModel's table, to be freed,
 * or NULL: out of memory, or (n 0) none is meant. */
uint32_t *result_signals(const RungModel *m, const char *signals, uint32_t *n);

/* Why no result can hold the variables that `signals` names, as words before these; NULL: it can.
 * path NULL: there is no file. */
const char *result_wrong_signals(const RungModel *m, const char *path, const char *signals);

/* The first of these patterns that means no variable, of that length; NULL: all mean some. */
const char *result_unmatched(const RungModel *m, const char *signals, size_t *length);

/* The end of the pattern that begins at text. */
const char *result_pattern_end(const char *text);

/* Whether these patterns mean that name. */
bool result_means(const char *signals, const char *name);

/* NULL with errno set. */
Result *result_open(const char *path, const char *signals, const RungContext *ctx);
/* 0, or -1 with errno set. v as filled by outputs. */
int result_row(Result *r, const RungContext *ctx, double t, const double *x, const double *v);
/* Completes the file and gives it its final name; 0, or -1 with errno set. */
int result_close(Result *r);

#endif
