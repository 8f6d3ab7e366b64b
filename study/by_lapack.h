/* by_lapack.h -- the interface to LAPACK. The runtime does not use it. */
#ifndef RUNG_STUDY_BY_LAPACK_H
#define RUNG_STUDY_BY_LAPACK_H

#include <stdbool.h>
#include <stdint.h>

/* Eigenvalues of the n by n matrix, by columns, which is overwritten: sorted by real part, the
 * largest first, of equal ones the fastest first, of a conjugate pair the positive imaginary part.
 * False if they are not found (QR iterations do not converge, or numbers are not finite). */
bool lapack_eigenvalues(uint32_t n, double *a, double *re, double *im);

/* a = u diag(sigma) vt of the m by n matrix, by columns, which is overwritten: sigma of min(m, n),
 * falling; u m by m, vt n by n, by columns (dgesdd). NAN throughout if numbers are not finite. */
void lapack_singular_values(uint32_t m, uint32_t n, double *a, double *sigma, double *u,
                            double *vt);

#endif
