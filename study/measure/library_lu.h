/* library_lu.h -- sparse LU of libraries, to measure against: the order of columns is found once,
 * then only numbers change.
 */
#ifndef RUNG_STUDY_MEASURE_LIBRARY_LU_H
#define RUNG_STUDY_MEASURE_LIBRARY_LU_H

#include <stdbool.h>
#include <stdint.h>

typedef enum LibraryKind { LIBRARY_CXSPARSE, LIBRARY_KLU, LIBRARIES } LibraryKind;

typedef struct LibraryLu LibraryLu;

bool library_lu_exists(LibraryKind kind); /* KLU need not be there */

/* Analyses the pattern in compressed columns, which must stay valid; the entries are typical ones.
 * NULL if that fails. */
LibraryLu *library_lu_new(LibraryKind kind, uint32_t n, const uint32_t *col_start,
                          const uint32_t *row, const double *entry);
void library_lu_free(LibraryLu *it); /* NULL is fine */

/* Factors and solves; b becomes the solution. */
bool library_lu_solve(LibraryLu *it, const double *entry, double *b);

#endif
