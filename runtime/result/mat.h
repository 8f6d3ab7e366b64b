/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mat.h -- results as a MAT file of version 4, laid out as Modelica tools do ("trajectory",
 * binTrans).
 *
 * Matrices, in this order, numbers in the byte order of the machine, which the first field of each
 * tells:
 *
 *     Aclass       4 x 11 characters: Atrajectory, 1.1, nothing, binTrans
 *     name         one column of characters per variable, Time first
 *     description  likewise: description, then [unit] or [unit|display unit]
 *     dataInfo     4 x n integers: 1 or 2, which matrix (0: time); its row, from 1, minus for an
 *                  alias of opposite sign; 0; -1
 *     data_1       parameters and constants: one row each, at the start and at the end
 *     data_2       variables over time: one row each, time first; one column per row of the result
 *
 * Variables that are one and the same number share a row, so aliases cost nothing.
 */
#ifndef RUNG_RUNTIME_MAT_H
#define RUNG_RUNTIME_MAT_H

#include "context.h"

#include <stdio.h>

typedef struct Mat Mat;

/* Of the n variables whose rows in the model's table are listed; takes the list over. NULL with
 * errno set (the list stays the caller's). */
Mat *mat_open(const char *path, uint32_t *variable, uint32_t n, const RungContext *ctx);
int mat_row(Mat *m, const RungContext *ctx, double t, const double *x, const double *v);
int mat_close(Mat *m);

/* One matrix of a version 4 file with any content: numbers by columns; texts, one per row, padded
 * with blanks. */
void mat_doubles(FILE *f, const char *name, uint32_t rows, uint32_t cols, const double *value);
void mat_texts(FILE *f, const char *name, uint32_t n, const char *const *text);

#endif
