/* result_table.h -- a file of results, read whole: CSV, or MAT as Modelica tools write it.
 *
 *     ResultTable t;
 *     if (!result_table_read(&t, "R.mat", mem)) puts(t.error);
 *     result_table_at(&t, row, result_table_find(&t, "arm.phi"))
 *
 * Column 0 is the first of the file, time as a rule. In CSV true and false are 1 and 0; columns of
 * texts, all in quotes and not all numbers, as variables of type String, are left out. Which of
 * both formats it is, is seen in the file. MAT: version 4, Aclass Atrajectory, matrices of either
 * orientation, doubles or floats, numbers in the byte order of this machine.
 */
#ifndef RUNG_BASE_RESULT_TABLE_H
#define RUNG_BASE_RESULT_TABLE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ResultColumn {
    const char *name;
    const char *description, *unit; /* "" if the file has none; CSV: `name [unit]` */
    const char *display_unit;       /* likewise; MAT alone */
    const double *first;            /* of row 0 */
    size_t stride;                  /* from row to row; 0: constant */
    bool negated;
    uint32_t field; /* in rows of a CSV file */
} ResultColumn;

typedef struct ResultTable {
    uint32_t n_cols, n_rows;
    ResultColumn *column;
    const char *error; /* of reading: file, line, column and cause */
    const char *path;
    bool is_csv;
} ResultTable;

/* False with t->error. */
bool result_table_read(ResultTable *t, const char *path, Arena *mem);
/* The place of a value, for messages: file:line:column of a CSV file, else the file and the row.
 * Reads the file again. */
const char *result_table_place(const ResultTable *t, uint32_t row, uint32_t col, Arena *mem);
/* The column of that name; n_cols if there is none. */
uint32_t result_table_find(const ResultTable *t, const char *name);

static inline double result_table_at(const ResultTable *t, uint32_t row, uint32_t col)
{
    const ResultColumn *c = &t->column[col];
    double x = c->first[row * c->stride];
    return c->negated ? -x : x;
}

#endif
