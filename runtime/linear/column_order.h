/* SPDX-License-Identifier: BSD-3-Clause
 *
 * column_order.h -- an order of columns in which the LU factors of a sparse matrix fill little.
 *
 * Minimum degree on the pattern of A + A' with approximate external degrees, on a quotient graph
 * (Amestoy, Davis, Duff, "An approximate minimum degree ordering algorithm", 1996). Blocks of a
 * model bring their order with them, found when the model was compiled; this is for matrices that
 * come about at run time: normal equations of projections, Newton matrices of implicit steps, whose
 * pattern depends on which loops are cut and on which constraints the method looks at. These have a
 * diagonal to pivot on, so that A + A' is the pattern that counts.
 *
 * Time and memory are about those of the factors.
 */
#ifndef RUNG_RUNTIME_COLUMN_ORDER_H
#define RUNG_RUNTIME_COLUMN_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* order[k] is the column that comes k-th, of the n by n matrix in compressed columns. False when
 * out of memory. */
bool column_order(uint32_t n, const uint32_t *col_start, const uint32_t *row, uint32_t *order);

#endif
