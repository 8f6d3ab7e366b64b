/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank.h -- which of some vectors are independent, and systems of equations that may be singular.
 */
#ifndef RUNG_RUNTIME_RANK_H
#define RUNG_RUNTIME_RANK_H

#include <stdint.h>

/* Householder's QR of m vectors of length n, one behind the other in a, pivoted: the vector with
 * the longest remainder first (Businger and Golub 1965), among nearly equal ones the first in a.
 * order, of m: the vectors in pivot order. Returns the rank: the remainders of the others are at
 * most `small` times the longest vector. *smallest, unless NULL: the remainder of the last pivot,
 * likewise relative. b, of n, unless NULL, is transformed too: its components behind the rank are
 * those outside the span of the vectors. */
uint32_t rank_find(uint32_t n, uint32_t m, double *a, double small, uint32_t *order, double *b,
                   double *smallest);

/* After it, transforms another b likewise. */
void rank_transform(uint32_t n, const double *a, uint32_t rank, const uint32_t *order, double *b);

/* b, transformed: b[k] becomes the factor of vector order[k], for k below the rank. */
void rank_solve(uint32_t n, const double *a, uint32_t rank, const uint32_t *order, double *b);

#endif
