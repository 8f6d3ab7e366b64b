#include "study/by_lapack.h"

#include "base/bug.h"

#include <math.h>
#include <stdlib.h>

/* Fortran's calling convention; the header lapacke.h is another package. */
void dgeev_(const char *left, const char *right, const int *n, double *a, const int *lda,
            double *wr, double *wi, double *vl, const int *ldvl, double *vr, const int *ldvr,
            double *work, const int *lwork, int *info, size_t n_left, size_t n_right);

void dgesdd_(const char *what, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork,
             int *iwork, int *info, size_t n_what);

typedef struct Eigenvalue {
    double re, im;
} Eigenvalue;

static int by_real_part(const void *a, const void *b)
{
    const Eigenvalue *x = a, *y = b;
    if (x->re != y->re)
        return x->re < y->re ? 1 : -1;
    if (fabs(x->im) != fabs(y->im))
        return fabs(x->im) < fabs(y->im) ? 1 : -1;
    return x->im != y->im ? (x->im < y->im ? 1 : -1) : 0;
}

bool lapack_eigenvalues(uint32_t n, double *a, double *re, double *im)
{
    const int size = (int)n, one = 1;
    int length = -1, info = 0;
    double best, none;
    if (n == 0)
        return true;
    for (size_t k = 0; k < (size_t)n * n; k++)
        if (!isfinite(a[k]))
            return false;
    dgeev_("N", "N", &size, a, &size, re, im, &none, &one, &none, &one, &best, &length, &info, 1,
           1);
    length = (int)best;
    double *work = malloc((size_t)length * sizeof *work);
    Eigenvalue *all = malloc(n * sizeof *all);
    if (!work || !all)
        bug("out of memory");
    dgeev_("N", "N", &size, a, &size, re, im, &none, &one, &none, &one, work, &length, &info, 1, 1);
    if (info < 0)
        bug("LAPACK: argument %d of dgeev", -info);
    for (uint32_t k = 0; k < n; k++)
        all[k] = (Eigenvalue){re[k], im[k]};
    qsort(all, n, sizeof *all, by_real_part);
    for (uint32_t k = 0; k < n; k++) {
        re[k] = all[k].re;
        im[k] = all[k].im;
    }
    free(work);
    free(all);
    return info == 0;
}

void lapack_singular_values(uint32_t m, uint32_t n, double *a, double *sigma, double *u, double *vt)
{
    const int rows = (int)m, cols = (int)n;
    uint32_t most = m < n ? m : n;
    int length = -1, info = 0;
    double best = 0;
    bool finite = true;
    for (size_t k = 0; k < (size_t)m * n; k++)
        finite = finite && isfinite(a[k]);
    for (uint32_t k = 0; !finite && k < most; k++)
        sigma[k] = NAN;
    if (!finite || most == 0)
        return;
    int *whole = malloc(8 * (size_t)most * sizeof *whole);
    dgesdd_("A", &rows, &cols, a, &rows, sigma, u, &rows, vt, &cols, &best, &length, whole, &info,
            1);
    length = (int)best;
    double *work = malloc((size_t)length * sizeof *work);
    if (!work || !whole)
        bug("out of memory");
    dgesdd_("A", &rows, &cols, a, &rows, sigma, u, &rows, vt, &cols, work, &length, whole, &info,
            1);
    if (info < 0)
        bug("LAPACK: argument %d of dgesdd", -info);
    for (uint32_t k = 0; info > 0 && k < most; k++)
        sigma[k] = NAN;
    free(work);
    free(whole);
}
