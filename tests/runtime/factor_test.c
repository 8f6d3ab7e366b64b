/* Dense LU, and LU of a matrix in full or in a pattern, dense or sparse: all against each other. */
#include "runtime/kernel/rung_lu.h"
#include "runtime/linear/factor.h"
#include "runtime/linear/rank.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { N = 60 };

static uint32_t start[N + 1], row[4 * N];
static double entry[4 * N], full[N * N];

/* Diagonal, the one above, and two more per column. */
static void make(int seed)
{
    uint32_t e = 0;
    memset(full, 0, sizeof full);
    for (uint32_t c = 0; c < N; c++) {
        uint32_t at[] = {c, (c + 1) % N, (c * 7 + 3) % N, (c * 11 + 29) % N};
        for (int k = 0; k < 4; k++)
            full[at[k] + c * N] = sin(1 + seed + 3.7 * c + 1.3 * k) + (k == 0 ? 3 : 0);
        for (uint32_t r = 0; r < N; r++)
            if (full[r + c * N] != 0) {
                row[e] = r;
                entry[e++] = full[r + c * N];
            }
        start[c + 1] = e;
    }
}

Test(factor, ways_agree)
{
    make(0);
    RungPattern p = {N, N, start, row, NULL, 0};
    Factor in_full, in_pattern;
    cr_assert(factor_open(&in_full, N, NULL, NULL));
    cr_assert(factor_open(&in_pattern, N, &p, NULL));
    for (int seed = 0; seed < 5; seed++) {
        double x[N], b[2][N] = {{0}}, dense[N * N], size[N], c[N] = {0};
        uint32_t pivot[N];
        make(seed);
        for (uint32_t k = 0; k < N; k++)
            x[k] = cos(2.1 * k);
        for (uint32_t j = 0; j < N; j++)
            for (uint32_t i = 0; i < N; i++)
                c[i] += full[i + j * N] * x[j];
        memcpy(b[0], c, sizeof c);
        memcpy(b[1], c, sizeof c);
        memcpy(dense, full, sizeof full);
        cr_assert_lt(rung_lu_factor(N, dense, pivot, size), 0);
        rung_lu_solve(N, dense, pivot, c);
        memcpy(factor_matrix(&in_full), full, sizeof full);
        cr_assert(factor_make(&in_full));
        cr_assert(factor_entries(&in_pattern, entry));
        cr_assert(in_full.is_sparse && in_pattern.is_sparse);
        factor_solve(&in_full, b[0]);
        factor_solve(&in_pattern, b[1]);
        for (uint32_t k = 0; k < N; k++) {
            cr_assert_float_eq(c[k], x[k], 1e-10);
            cr_assert_float_eq(b[0][k], x[k], 1e-10);
            cr_assert_float_eq(b[1][k], x[k], 1e-10);
        }
        cr_assert_gt(factor_pivot_ratio(&in_pattern), 1e-6);
        cr_assert_gt(rung_lu_ratio(N, dense, size), 1e-6);
    }
    // a row of zeros
    for (uint32_t c = 0; c < N; c++)
        for (uint32_t e = start[c]; e < start[c + 1]; e++)
            entry[e] = row[e] == 5 ? 0 : entry[e];
    cr_assert_not(factor_entries(&in_pattern, entry));
    factor_close(&in_full);
    factor_close(&in_pattern);
}

Test(factor, right_hand_sides_at_once_have_the_digits_of_one)
{
    enum { M = 6, SMALL = 7 };
    double few[SMALL * SMALL];
    Factor of[2];
    make(3);
    for (int i = 0; i < SMALL * SMALL; i++)
        few[i] = cos(1 + 2.3 * i) + (i % (SMALL + 1) ? 0 : 0.1);
    uint32_t n[] = {N, SMALL};
    for (int k = 0; k < 2; k++) {
        double block[N * M], one[N], work[N];
        cr_assert(factor_open(&of[k], n[k], NULL, NULL));
        memcpy(factor_matrix(&of[k]), k ? few : full, (size_t)n[k] * n[k] * sizeof *few);
        cr_assert(factor_make(&of[k]));
        cr_assert_eq(of[k].is_sparse, k == 0);
        for (uint32_t i = 0; i < n[k] * M; i++)
            block[i] = sin(3.1 * i);
        factor_solve_block(&of[k], M, block, work);
        for (uint32_t j = 0; j < M; j++) {
            for (uint32_t i = 0; i < n[k]; i++)
                one[i] = sin(3.1 * (i * M + j));
            factor_solve(&of[k], one);
            for (uint32_t i = 0; i < n[k]; i++)
                cr_assert_eq(block[i * M + j], one[i]);
            // the transposed: what comes of the columns is the right-hand side again
            double right[N];
            for (uint32_t i = 0; i < n[k]; i++)
                one[i] = right[i] = cos(2.7 * (i * M + j));
            factor_solve_transposed(&of[k], one);
            for (uint32_t c = 0; c < n[k]; c++) {
                double sum = 0;
                for (uint32_t r = 0; r < n[k]; r++)
                    sum += (k ? few : full)[r + c * n[k]] * one[r];
                cr_assert_float_eq(sum, right[c], 1e-9);
            }
        }
        factor_close(&of[k]);
    }
}

Test(dense, names_the_column_that_has_no_pivot)
{
    // column 1 is twice column 0; an entry that is no number
    double twice[] = {1, 3, 2, 2, 6, 4, 0, 1, 5}, undefined[] = {1, NAN, 0, 2}, size[3];
    uint32_t pivot[3];
    int64_t at = rung_lu_factor(3, twice, pivot, size);
    cr_assert(at == 1 || (at < 0 && rung_lu_ratio(3, twice, size) < 1e-13));
    cr_assert_geq(rung_lu_factor(2, undefined, pivot, size), 0);
}

Test(rank, counts_and_solves_what_is_independent)
{
    // three vectors of length 4, the last the sum of the others
    double a[] = {1, 2, 0, 1, 0, 1, 3, -1, 1, 3, 3, 0}, b[4], smallest;
    const double keep[] = {1, 2, 0, 1, 0, 1, 3, -1};
    uint32_t order[3];
    for (int i = 0; i < 4; i++)
        b[i] = 2 * keep[i] - 5 * keep[4 + i];
    cr_assert_eq(rank_find(4, 3, a, 1e-12, order, b, &smallest), 2);
    cr_assert_gt(smallest, 0.01);
    cr_assert_float_eq(b[2], 0, 1e-14); // what the vectors cannot make
    cr_assert_float_eq(b[3], 0, 1e-14);
    rank_solve(4, a, 2, order, b);
    double original[3][4], sum[4] = {0};
    for (int i = 0; i < 4; i++) {
        original[0][i] = keep[i];
        original[1][i] = keep[4 + i];
        original[2][i] = keep[i] + keep[4 + i];
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 4; i++)
            sum[i] += b[k] * original[order[k]][i];
    for (int i = 0; i < 4; i++)
        cr_assert_float_eq(sum[i], 2 * keep[i] - 5 * keep[4 + i], 1e-13);
}
