/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rank.h -- which of some vectors are independent, and systems of equations that may be singular.
 */
#ifndef RUNG_RUNTIME_RANK_H
#define RUNG_RUNTIME_RANK_H

#include <stdint.h>

/* Householder's QR of m vectors of length n, one behind the other in a, the longest of what is left
 * first (Businger and Golub 1965); among those of nearly the same length the one that stands first.
 * order, of m: the vectors as they were taken. Returns the rank: what is left of the others is at
 * most `small` times the longest. *smallest, unless NULL: of the last one taken, likewise.
 * b, of n, unless NULL, is turned along: behind the rank it holds what the vectors cannot make. */
uint32_t rank_find(uint32_t n, uint32_t m, double *a, double small, uint32_t *order, double *b,
                   double *smallest);

/* After it, b[k] becomes the factor of vector order[k], for k below the rank. */
void rank_solve(uint32_t n, const double *a, uint32_t rank, const uint32_t *order, double *b);

#endif
