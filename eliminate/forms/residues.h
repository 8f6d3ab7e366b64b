/* residues.h -- dense matrices of residues modulo two primes, and the fractions behind residues.
 */
#ifndef RUNG_ELIMINATE_FORMS_RESIDUES_H
#define RUNG_ELIMINATE_FORMS_RESIDUES_H

#include "base/arena.h"
#include "ir/fingerprint.h"

typedef struct Residues {
    uint32_t n_rows, n_cols;
    Fp *at; /* row by row */
} Residues;

Residues residues_new(uint32_t n_rows, uint32_t n_cols, Arena *mem); /* zero */

static inline Fp *residues_at(const Residues *m, uint32_t row, uint32_t col)
{
    return &m->at[(size_t)row * m->n_cols + col];
}

/* The reduced row echelon form of the first n_cols columns; pivot[k] is the column of row k. The
 * rank. */
uint32_t residues_echelon(Residues *m, uint32_t n_cols, uint32_t *pivot);

/* The fraction num/den with small parts that has these residues; false if there is none. Both
 * primes together, then the extended Euclidean algorithm, up to where the parts are smallest
 * (Wang 1981). */
bool residues_fraction(Fp x, int64_t *num, int64_t *den);

#endif
