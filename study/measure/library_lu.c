#include "study/measure/library_lu.h"

#include <cs.h>
#include <stdlib.h>
#include <string.h>

#ifdef RUNG_KLU
#include <klu.h>
#endif

struct LibraryLu {
    LibraryKind kind;
    int n;
    int *col_start, *row;
    double *entry, *work;
    cs_dis *order;
    double tolerance; /* of pivots off the diagonal */
#ifdef RUNG_KLU
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    klu_common common;
#endif
};

bool library_lu_exists(LibraryKind kind)
{
#ifdef RUNG_KLU
    return kind == LIBRARY_CXSPARSE || kind == LIBRARY_KLU;
#else
    return kind == LIBRARY_CXSPARSE;
#endif
}

static cs_di matrix_of(const LibraryLu *it)
{
    return (cs_di){.nzmax = it->col_start[it->n],
                   .m = it->n,
                   .n = it->n,
                   .p = it->col_start,
                   .i = it->row,
                   .x = it->entry,
                   .nz = -1};
}

/* Entries of the factors; zero if there are none. */
static double size_of(const cs_din *f)
{
    return f ? f->L->p[f->L->n] + (double)f->U->p[f->U->n] : 0;
}

/* Minimum degree of A + A' with pivots on the diagonal where they can be, or of A'A with partial
 * pivoting: whichever fills less. */
static void choose_order(LibraryLu *it)
{
    static const struct {
        int order;
        double tolerance;
    } choice[] = {{1, 1e-3}, {2, 1}, {3, 1}};
    cs_di a = matrix_of(it);
    double least = 0;
    for (size_t k = 0; k < sizeof choice / sizeof *choice; k++) {
        cs_dis *order = cs_di_sqr(choice[k].order, &a, 0);
        cs_din *f = order ? cs_di_lu(&a, order, choice[k].tolerance) : NULL;
        double size = size_of(f);
        cs_di_nfree(f);
        if (size > 0 && (least == 0 || size < least)) {
            cs_di_sfree(it->order);
            it->order = order;
            it->tolerance = choice[k].tolerance;
            least = size;
        } else {
            cs_di_sfree(order);
        }
    }
}

void library_lu_free(LibraryLu *it)
{
    if (!it)
        return;
    free(it->col_start);
    free(it->row);
    free(it->entry);
    free(it->work);
    cs_di_sfree(it->order);
#ifdef RUNG_KLU
    klu_free_numeric(&it->numeric, &it->common);
    klu_free_symbolic(&it->symbolic, &it->common);
#endif
    free(it);
}

LibraryLu *library_lu_new(LibraryKind kind, uint32_t n, const uint32_t *col_start,
                          const uint32_t *row, const double *entry)
{
    LibraryLu *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    uint32_t entries = col_start[n];
    it->kind = kind;
    it->n = (int)n;
    it->col_start = malloc((n + (size_t)1) * sizeof(int));
    it->row = malloc((entries + (size_t)1) * sizeof(int));
    it->entry = malloc((entries + (size_t)1) * sizeof(double));
    it->work = malloc((n + (size_t)1) * sizeof(double));
    bool ok = it->col_start && it->row && it->entry && it->work;
    if (ok) {
        memcpy(it->col_start, col_start, (n + (size_t)1) * sizeof(int));
        memcpy(it->row, row, entries * sizeof(int));
        memcpy(it->entry, entry, entries * sizeof(double));
    }
    if (ok && kind == LIBRARY_CXSPARSE) {
        choose_order(it);
        ok = it->order;
    }
#ifdef RUNG_KLU
    if (ok && kind == LIBRARY_KLU) {
        klu_defaults(&it->common);
        it->symbolic = klu_analyze(it->n, it->col_start, it->row, &it->common);
        if (it->symbolic)
            it->numeric = klu_factor(it->col_start, it->row, it->entry, it->symbolic, &it->common);
        ok = it->numeric;
    }
#endif
    if (!ok) {
        library_lu_free(it);
        return NULL;
    }
    return it;
}

bool library_lu_solve(LibraryLu *it, const double *entry, double *b)
{
    memcpy(it->entry, entry, (size_t)it->col_start[it->n] * sizeof *entry);
#ifdef RUNG_KLU
    if (it->kind == LIBRARY_KLU)
        return klu_refactor(it->col_start, it->row, it->entry, it->symbolic, it->numeric,
                            &it->common) &&
               klu_solve(it->symbolic, it->numeric, it->n, 1, b, &it->common);
#endif
    cs_di a = matrix_of(it);
    cs_din *f = cs_di_lu(&a, it->order, it->tolerance);
    if (!f)
        return false;
    cs_di_ipvec(f->pinv, b, it->work, it->n);
    cs_di_lsolve(f->L, it->work);
    cs_di_usolve(f->U, it->work);
    cs_di_ipvec(it->order->q, it->work, b, it->n);
    cs_di_nfree(f);
    return true;
}
