/* SPDX-License-Identifier: BSD-3-Clause
 *
 * by_cxsparse.c -- the only file of the runtime that knows CXSparse; declared in sparse.h.
 */
#include "sparse.h"

#ifdef RUNG_CXSPARSE
#include <cs.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A diagonal entry is taken as pivot from this share of the largest on. */
static const double WEAK = 0.1;

struct SparseLu {
    cs_di a;       /* the matrix, rows scaled; its pattern holds all that was ever factored */
    cs_dis *order; /* of that pattern; NULL: not known yet */
    cs_din *factors;
    double *scale, *work; /* n */
    int *place;           /* n: of the row in the column at hand */
};

void sparse_free(SparseLu *f)
{
    if (!f)
        return;
    cs_di_nfree(f->factors);
    cs_di_sfree(f->order);
    free(f->a.p);
    free(f->a.i);
    free(f->a.x);
    free(f->scale);
    free(f->work);
    free(f->place);
    free(f);
}

SparseLu *sparse_new(uint32_t n)
{
    SparseLu *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    size_t most = n + (size_t)1;
    f->a = (cs_di){.m = (int)n, .n = (int)n, .nz = -1, .p = calloc(most, sizeof *f->a.p)};
    f->scale = calloc(most, sizeof *f->scale);
    f->work = calloc(most, sizeof *f->work);
    f->place = calloc(most, sizeof *f->place);
    if (f->a.p && f->scale && f->work && f->place)
        return f;
    sparse_free(f);
    return NULL;
}

/* The entries into the kept pattern, times the scale of their rows; false if one has no place. */
static bool put(SparseLu *f, const uint32_t *col_start, const uint32_t *row, const double *value)
{
    cs_di *a = &f->a;
    for (int c = 0; c < a->n; c++) {
        for (int k = a->p[c]; k < a->p[c + 1]; k++) {
            f->place[a->i[k]] = k;
            a->x[k] = 0;
        }
        for (uint32_t e = col_start[c]; e < col_start[c + 1]; e++) {
            int k = f->place[row[e]];
            if (k < a->p[c] || k >= a->p[c + 1] || a->i[k] != (int)row[e])
                return false;
            a->x[k] = value[e] * f->scale[row[e]];
        }
    }
    return true;
}

/* The kept pattern takes in that of the matrix. */
static bool widen(SparseLu *f, const uint32_t *col_start, const uint32_t *row)
{
    cs_di *a = &f->a;
    size_t most = (size_t)a->p[a->n] + col_start[a->n] + 1;
    int *i = malloc(most * sizeof *i), *p = malloc((a->n + (size_t)1) * sizeof *p), n = 0;
    double *x = malloc(most * sizeof *x);
    if (!i || !p || !x) {
        free(i);
        free(p);
        free(x);
        return false;
    }
    for (int c = 0; c < a->n; c++) {
        p[c] = n;
        for (int k = a->p[c]; k < a->p[c + 1]; k++) {
            f->place[a->i[k]] = n;
            i[n++] = a->i[k];
        }
        for (uint32_t e = col_start[c]; e < col_start[c + 1]; e++) {
            int k = f->place[row[e]];
            if (k >= p[c] && k < n && i[k] == (int)row[e])
                continue;
            f->place[row[e]] = n;
            i[n++] = (int)row[e];
        }
    }
    p[a->n] = n;
    free(a->p);
    free(a->i);
    free(a->x);
    a->p = p;
    a->i = i;
    a->x = x;
    a->nzmax = n;
    cs_di_sfree(f->order);
    f->order = NULL;
    return true;
}

static void find_scale(SparseLu *f, const uint32_t *col_start, const uint32_t *row,
                       const double *value)
{
    uint32_t n = (uint32_t)f->a.n;
    for (uint32_t i = 0; i < n; i++)
        f->scale[i] = 0;
    for (uint32_t e = 0; e < col_start[n]; e++)
        f->scale[row[e]] = fmax(f->scale[row[e]], fabs(value[e]));
    for (uint32_t i = 0; i < n; i++)
        f->scale[i] = f->scale[i] > 0 && isfinite(f->scale[i]) ? 1 / f->scale[i] : 1;
}

/* Keeps the order that fills least, and its factors. */
static void choose_order(SparseLu *f)
{
    static const int orders[] = {1, 0, 2}; /* of A + A', as it stands, of A'A */
    double least = INFINITY;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        cs_dis *order = cs_di_sqr(orders[k], &f->a, 0);
        cs_din *factors = order ? cs_di_lu(&f->a, order, WEAK) : NULL;
        double size = factors ? (double)factors->L->nzmax + factors->U->nzmax : INFINITY;
        bool better = size < least;
        cs_dis *worse_order = better ? f->order : order;
        cs_din *worse = better ? f->factors : factors;
        if (better) {
            f->order = order;
            f->factors = factors;
            least = size;
        }
        cs_di_sfree(worse_order);
        cs_di_nfree(worse);
    }
}

bool sparse_factor(SparseLu *f, const uint32_t *col_start, const uint32_t *row, const double *value)
{
    cs_di_nfree(f->factors);
    f->factors = NULL;
    double sum = 0;
    for (uint32_t e = 0; e < col_start[f->a.n]; e++)
        sum += 0 * value[e];
    if (sum != 0)
        return false;
    find_scale(f, col_start, row, value);
    if ((!f->a.x || !put(f, col_start, row, value)) &&
        (!widen(f, col_start, row) || !put(f, col_start, row, value)))
        return false;
    if (f->order)
        f->factors = cs_di_lu(&f->a, f->order, WEAK);
    else
        choose_order(f);
    return f->factors;
}

double sparse_weakest(const SparseLu *f)
{
    const cs_di *u = f->factors->U;
    double least = INFINITY;
    for (int k = 0; k < u->n; k++) {
        double most = 0, pivot = 0;
        // each column ends with its diagonal
        for (int e = u->p[k]; e < u->p[k + 1]; e++)
            most = fmax(most, pivot = fabs(u->x[e]));
        least = fmin(least, pivot / most);
    }
    return least;
}

void sparse_solve(const SparseLu *f, double *b)
{
    for (int i = 0; i < f->a.n; i++)
        b[i] *= f->scale[i];
    cs_di_ipvec(f->factors->pinv, b, f->work, f->a.n);
    cs_di_lsolve(f->factors->L, f->work);
    cs_di_usolve(f->factors->U, f->work);
    cs_di_ipvec(f->order->q, f->work, b, f->a.n);
}

#endif
