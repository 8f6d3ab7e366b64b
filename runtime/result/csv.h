/* SPDX-License-Identifier: BSD-3-Clause
 *
 * csv.h -- results as comma separated values (RFC 4180): time first, one column per variable.
 */
#ifndef RUNG_RUNTIME_CSV_H
#define RUNG_RUNTIME_CSV_H

#include "context.h"

/* The fewest digits that read back as the same double; "nan", "inf", "-inf" otherwise. Returns
 * the length; text has room for 32. */
size_t csv_number(double value, char *text);

typedef struct Csv Csv;

/* Of the n variables whose rows in the model's table are listed, then of n_strings variables of
 * type String, whose cells are quoted; takes the lists over. The file is there when csv_close has
 * closed it (part_file.h). NULL with errno set (the lists stay the caller's). */
Csv *csv_open(const char *path, uint32_t *variable, uint32_t n, uint32_t *string,
              uint32_t n_strings, const RungContext *ctx);
/* 0, or -1 with errno set. */
int csv_row(Csv *f, const RungContext *ctx, double t, const double *x, const double *v);
/* Completes the file and gives it its final name; 0, or -1 with errno set. */
int csv_close(Csv *f);

#endif
