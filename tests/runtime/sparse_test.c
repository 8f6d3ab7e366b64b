/* Sparse LU against dense LU and the matrix itself; ranks. */
#include "runtime/kernel/rung_lu.h"
#include "runtime/linear/rank.h"
#include "runtime/linear/sparse.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

typedef struct Sparse {
    uint32_t n, start[MOST + 1], row[MOST * MOST];
    double value[MOST * MOST], full[MOST * MOST];
} Sparse;

static uint64_t next(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s >> 33;
}

static double real(uint64_t *s)
{
    return (double)next(s) / 1073741824.0 - 1;
}

/* Regular by a permutation of nonzeros; diagonals are often zero, sizes of rows differ widely. */
static Sparse random_matrix(uint64_t *s, uint32_t n)
{
    static Sparse m;
    memset(&m, 0, sizeof m);
    m.n = n;
    uint32_t column_of[MOST];
    for (uint32_t i = 0; i < n; i++)
        column_of[i] = i;
    for (uint32_t i = n; i-- > 1;) {
        uint32_t j = (uint32_t)(next(s) % (i + 1)), keep = column_of[i];
        column_of[i] = column_of[j];
        column_of[j] = keep;
    }
    for (uint32_t i = 0; i < n; i++) {
        double size = pow(10, 6 * real(s));
        m.full[i + column_of[i] * n] = size * (1 + fabs(real(s)));
        for (uint32_t k = next(s) % 4; k > 0; k--)
            m.full[i + (uint32_t)(next(s) % n) * n] = size * real(s);
    }
    uint32_t e = 0;
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < n; i++)
            if (m.full[i + j * n] != 0) {
                m.row[e] = i;
                m.value[e++] = m.full[i + j * n];
            }
        m.start[j + 1] = e;
    }
    return m;
}

Test(sparse, solves_what_dense_solves)
{
    int regular = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        uint64_t s = seed;
        Sparse m = random_matrix(&s, 1 + (uint32_t)(next(&s) % MOST));
        double x[MOST], b[MOST], factor[MOST * MOST], size[MOST];
        uint32_t pivot[MOST];
        for (uint32_t i = 0; i < m.n; i++) {
            x[i] = real(&s);
            b[i] = 0;
        }
        for (uint32_t j = 0; j < m.n; j++)
            for (uint32_t i = 0; i < m.n; i++)
                b[i] += m.full[i + j * m.n] * x[j];
        memcpy(factor, m.full, sizeof factor);
        SparseLu *f = sparse_new(m.n, NULL);
        bool regular_too = sparse_factor(f, m.start, m.row, m.value);
        if (rung_lu_factor(m.n, factor, pivot, size) < 0 && regular_too) {
            double y[MOST];
            memcpy(y, b, sizeof y);
            rung_lu_solve(m.n, factor, pivot, y);
            sparse_solve(f, b);
            // as good as dense LU, which feels the condition of the matrix too
            double error = 0, theirs = 0;
            for (uint32_t i = 0; i < m.n; i++) {
                error = fmax(error, fabs(b[i] - x[i]));
                theirs = fmax(theirs, fabs(y[i] - x[i]));
            }
            cr_assert_leq(error, 1e-10 + 1000 * theirs, "seed %d: %g", (int)seed, error);
            double ratio = sparse_pivot_ratio(f), dense = rung_lu_ratio(m.n, factor, size);
            cr_assert(ratio > 0 && ratio <= 1 && dense > 0 && dense <= 1);
            regular++;
        }
        sparse_free(f);
    }
    cr_assert_gt(regular, 400);
}

Test(sparse, sees_that_columns_depend)
{
    // column 2 is the sum of the others up to rounding
    const uint32_t start[] = {0, 2, 4, 7}, row[] = {0, 1, 1, 2, 0, 1, 2};
    const double value[] = {0.1, 0.2, 0.7, 0.3, 0.1, 0.2 + 0.7, 0.3};
    const double regular[] = {0.1, 0.2, 0.7, 0.3, 0.1, 0.2 + 0.8, 0.3};
    SparseLu *f = sparse_new(3, NULL);
    cr_assert(!sparse_factor(f, start, row, value) || sparse_pivot_ratio(f) < 1e-13);
    cr_assert(sparse_factor(f, start, row, regular));
    cr_assert_gt(sparse_pivot_ratio(f), 1e-3);
    sparse_free(f);
}

Test(sparse, tells_not_a_number)
{
    const uint32_t start[] = {0, 1, 2}, row[] = {0, 1};
    const double value[] = {1, NAN};
    SparseLu *f = sparse_new(2, NULL);
    cr_assert_not(sparse_factor(f, start, row, value));
    sparse_free(f);
}

/* One matrix after the other in one place: entries of the last one are gone. */
Test(sparse, patterns_may_change)
{
    const uint32_t start_1[] = {0, 1, 3}, row_1[] = {0, 0, 1};
    const double value_1[] = {2, 1, 4};
    const uint32_t start_2[] = {0, 2, 3}, row_2[] = {0, 1, 1};
    const double value_2[] = {2, 1, 4};
    SparseLu *f = sparse_new(2, NULL);
    for (int round = 0; round < 3; round++) {
        double b[] = {4, 8}, c[] = {4, 10};
        cr_assert(sparse_factor(f, start_1, row_1, value_1));
        sparse_solve(f, b);
        cr_assert_float_eq(b[0], 1, 1e-15);
        cr_assert_float_eq(b[1], 2, 1e-15);
        cr_assert(sparse_factor(f, start_2, row_2, value_2));
        sparse_solve(f, c);
        cr_assert_float_eq(c[0], 2, 1e-15);
        cr_assert_float_eq(c[1], 2, 1e-15);
    }
    sparse_free(f);
}

/* Vectors that follow from others by chance-made factors: as many are independent as were made, and
 * these make the others. */
Test(rank, is_that_of_a_product)
{
    enum { LONG = 12 };
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t s = seed;
        uint32_t n = 1 + (uint32_t)(next(&s) % LONG), m = 1 + (uint32_t)(next(&s) % LONG);
        uint32_t most = n < m ? n : m, rank = (uint32_t)(next(&s) % (most + 1)), order[LONG];
        double factor[LONG * LONG], a[LONG * LONG] = {0}, kept[LONG * LONG], b[LONG] = {0}, left;
        double base[LONG * LONG], sum[LONG] = {0};
        for (uint32_t k = 0; k < LONG * LONG; k++) {
            factor[k] = real(&s);
            base[k] = real(&s);
        }
        for (uint32_t j = 0; j < m; j++)
            for (uint32_t k = 0; k < rank; k++)
                for (uint32_t i = 0; i < n; i++)
                    a[i + j * n] += base[i + k * n] * factor[k + j * LONG];
        memcpy(kept, a, sizeof a);
        for (uint32_t j = 0; j < m; j++)
            for (uint32_t i = 0; i < n; i++)
                b[i] += a[i + j * n];
        memcpy(sum, b, sizeof b);
        uint32_t found = rank_find(n, m, a, 1e-9, order, b, &left);
        cr_assert_eq(found, rank, "seed %d: %u instead of %u", (int)seed, found, rank);
        for (uint32_t i = found; i < n; i++)
            cr_assert_float_eq(b[i], 0, 1e-12);
        rank_solve(n, a, found, order, b);
        for (uint32_t k = 0; k < found; k++)
            for (uint32_t i = 0; i < n; i++)
                sum[i] -= kept[i + order[k] * n] * b[k];
        for (uint32_t i = 0; i < n; i++)
            cr_assert_float_eq(sum[i], 0, 1e-8, "seed %d", (int)seed);
    }
}

/* Of A x = b, against the largest entry of a row times the largest of x. */
static double residual_of(const Sparse *m, const double *x, const double *b)
{
    double worst = 0, longest = 0;
    for (uint32_t j = 0; j < m->n; j++)
        longest = fmax(longest, fabs(x[j]));
    for (uint32_t i = 0; i < m->n; i++) {
        double sum = -b[i], largest = 0;
        for (uint32_t j = 0; j < m->n; j++) {
            sum += m->full[i + j * m->n] * x[j];
            largest = fmax(largest, fabs(m->full[i + j * m->n]));
        }
        worst = fmax(worst, fabs(sum) / (largest * longest + fabs(b[i])));
    }
    return worst;
}

Test(sparse, factors_again_and_looks_at_the_pivots)
{
    int again = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t s = seed;
        Sparse m = random_matrix(&s, 2 + (uint32_t)(next(&s) % (MOST - 1)));
        uint32_t given[MOST];
        for (uint32_t k = 0; k < m.n; k++)
            given[k] = m.n - 1 - k;
        SparseLu *f = sparse_new(m.n, seed % 2 ? given : NULL);
        // the same pattern with entries that move a little, then far: pivots must change
        for (int round = 0; round < 4; round++) {
            double b[MOST], x[MOST];
            for (uint32_t i = 0; i < m.n; i++)
                x[i] = b[i] = real(&s);
            if (sparse_factor(f, m.start, m.row, m.value) && sparse_pivot_ratio(f) > 1e-6) {
                sparse_solve(f, x);
                cr_assert_lt(residual_of(&m, x, b), 1e-10, "seed %d", (int)seed);
                again += round > 0;
            }
            for (uint32_t j = 0; j < m.n; j++)
                for (uint32_t e = m.start[j]; e < m.start[j + 1]; e++) {
                    m.value[e] *= round < 2 ? 1 + 0.01 * real(&s) : pow(10, 8 * real(&s));
                    m.full[m.row[e] + j * m.n] = m.value[e];
                }
        }
        sparse_free(f);
    }
    cr_assert_gt(again, 500);
}

Test(sparse, takes_no_entry_that_is_not_finite)
{
    const uint32_t start[] = {0, 2, 4}, row[] = {0, 1, 0, 1};
    const double infinite[] = {1, INFINITY, 2, 3}, undefined[] = {1, NAN, 2, 3},
                 regular[] = {1, 1, 2, 3};
    SparseLu *f = sparse_new(2, NULL);
    cr_assert_not(sparse_factor(f, start, row, infinite));
    cr_assert(sparse_factor(f, start, row, regular));
    cr_assert_not(sparse_factor(f, start, row, undefined));
    double b[] = {3, 4}; // x = (1, 1)
    cr_assert(sparse_factor(f, start, row, regular));
    sparse_solve(f, b);
    cr_assert_float_eq(b[0], 1, 1e-15);
    cr_assert_float_eq(b[1], 1, 1e-15);
    sparse_free(f);
}
