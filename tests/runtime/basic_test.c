/* Systems of full and of less rank, for blocks of right-hand sides: against LU, and by what the
 * smallest solution is. */
#include "runtime/kernel/rung_lu.h"
#include "runtime/linear/basic.h"
#include "runtime/linear/block_row.h"
#include "runtime/problem/problem.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { N = 9, W = 8 };

/* N x N of the rank given, rows in units from 1e-6 to 1e6; b = A x. */
static void make(uint32_t rank, double *a, double *b)
{
    double left[N * N], right[N * N], x[N * W];
    for (int k = 0; k < N * N; k++) {
        left[k] = sin(1 + 3.7 * k * k);
        right[k] = cos(2 + 5.3 * k * k);
    }
    memset(a, 0, N * N * sizeof *a);
    for (uint32_t c = 0; c < N; c++)
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t k = 0; k < rank; k++)
                a[i + c * N] +=
                    pow(10, (double)(i % 5) * 3 - 6) * left[i + k * N] * right[k + c * N];
    for (int k = 0; k < N * W; k++)
        x[k] = sin(0.7 * k);
    memset(b, 0, N * W * sizeof *b);
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t c = 0; c < N; c++)
            for (int j = 0; j < W; j++)
                b[i * W + j] += a[i + c * N] * x[c * W + j];
}

static void check(const double *a, const double *b, const double *y)
{
    for (uint32_t i = 0; i < N; i++)
        for (int j = 0; j < W; j++) {
            double sum = -b[i * W + j], size = fabs(b[i * W + j]);
            for (uint32_t c = 0; c < N; c++) {
                sum += a[i + c * N] * y[c * W + j];
                size += fabs(a[i + c * N] * y[c * W + j]);
            }
            cr_assert_leq(fabs(sum), 1e-12 * size, "row %u: %g of %g", i, sum, size);
        }
}

Test(basic, full_rank_is_lu)
{
    double a[N * N], b[N * W], y[N * W], lu[N * N], size[N], one[N];
    uint32_t pivot[N];
    Basic it;
    cr_assert(basic_open(&it, N));
    make(N, a, b);
    cr_assert(basic_factor(&it, a));
    cr_assert_eq(it.rank, N);
    basic_solve(&it, W, b, y);
    memcpy(lu, a, sizeof lu);
    cr_assert_lt(rung_lu_factor(N, lu, pivot, size), 0);
    for (int j = 0; j < W; j++) {
        for (int i = 0; i < N; i++)
            one[i] = b[i * W + j];
        rung_lu_solve(N, lu, pivot, one);
        for (int i = 0; i < N; i++)
            cr_assert_float_eq(y[i * W + j], one[i], 1e-9 * (1 + fabs(one[i])));
    }
    basic_close(&it);
}

Test(basic, less_rank)
{
    double a[N * N], b[N * W], y[N * W], work[W];
    Basic it;
    cr_assert(basic_open(&it, N));
    for (uint32_t rank = 0; rank < N; rank++) {
        make(rank, a, b);
        cr_assert(basic_factor(&it, a));
        cr_assert_eq(it.rank, rank);
        basic_solve(&it, W, b, y);
        check(a, b, y);
        basic_shorten(&it, W, y, work);
        check(a, b, y);
        // perpendicular to what A does not see
        for (uint32_t j = 0; j + rank < N; j++) {
            const double *z = it.null + j * N;
            for (uint32_t i = 0; i < N && rank; i++) {
                double sum = 0, most = 0;
                for (uint32_t c = 0; c < N; c++) {
                    sum += a[i + c * N] * z[c];
                    most = fmax(most, fabs(a[i + c * N]));
                }
                cr_assert_lt(fabs(sum), 1e-12 * most);
            }
            for (int p = 0; p < W; p++) {
                double along = 0;
                for (uint32_t c = 0; c < N; c++)
                    along += z[c] * y[c * W + p];
                cr_assert_lt(fabs(along), 1e-12);
            }
        }
    }
    basic_close(&it);
}

/* Pivots that come down to rounding by and by say nothing of the rank. */
Test(basic, unclear_rank)
{
    double a[N * N] = {0};
    Basic it;
    cr_assert(basic_open(&it, N));
    for (uint32_t i = 0; i < N; i++)
        a[i + i * N] = 1;
    a[N] = a[1] = 1;
    a[1 + N] = 1 + 1e-8;
    cr_assert_not(basic_factor(&it, a));
    basic_close(&it);
}

/* The order of pivots is kept for matrices nearby, and found anew where one of them vanishes or the
 * rank changes. */
Test(basic, order_of_pivots)
{
    double a[N * N], near[N * N], b[N * W], y[N * W];
    Basic it;
    cr_assert(basic_open(&it, N));
    make(6, a, b);
    cr_assert(basic_factor(&it, a));
    uint32_t first = it.row[0];
    for (int turn = 0; turn < 3; turn++) {
        memcpy(near, a, sizeof near);
        for (uint32_t c = 0; c < N; c++)
            for (uint32_t i = 0; i < N; i++)
                near[i + c * N] *= 1 + 1e-3 * turn;
        cr_assert(basic_factor(&it, near));
        cr_assert_eq(it.rank, 6);
        cr_assert_eq(it.row[0], first);
        for (int k = 0; k < N * W; k++)
            y[k] = b[k] * (1 + 1e-3 * turn);
        double z[N * W];
        basic_solve(&it, W, y, z);
        check(near, y, z);
    }
    // the first row of before is the last one in size: columns are permuted, too
    for (uint32_t rank = 3; rank <= N; rank += 3) {
        make(rank, a, b);
        for (uint32_t c = 0; c < N / 2; c++)
            for (uint32_t i = 0; i < N; i++) {
                double keep = a[i + c * N];
                a[i + c * N] = a[i + (N - 1 - c) * N] * (c ? 1 : 1e-3);
                a[i + (N - 1 - c) * N] = keep;
            }
        memset(b, 0, sizeof b);
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t c = 0; c < N; c++)
                for (int j = 0; j < W; j++)
                    b[i * W + j] += a[i + c * N] * (1 + (double)c);
        cr_assert(basic_factor(&it, a));
        cr_assert_eq(it.rank, rank);
        basic_solve(&it, W, b, y);
        check(a, b, y);
    }
    basic_close(&it);
}

/* Rows of every width get what their products add up to. */
Test(basic, products_of_blocks)
{
    static const BlockProduct p[] = {{0, 0, 1}, {1, 2, 1}, {2, 1, 0}};
    static const double factor[] = {2, 3, 5};
    for (size_t w = 2; w <= 12; w += w < 4 ? 2 : 4) {
        double from[36], to[24], want[24];
        for (size_t k = 0; k < 3 * w; k++)
            from[k] = (double)k + 1;
        for (size_t k = 0; k < w; k++) {
            to[k] = to[w + k] = 1;
            want[k] = 1 - 5 * from[w + k];
            want[w + k] = 1 - 2 * from[k] - 3 * from[2 * w + k];
        }
        block_products(w, 3, p, -1, factor, from, to);
        for (size_t k = 0; k < 2 * w; k++)
            cr_assert_eq(to[k], want[k]);
    }
}

/* ---- block_row.h ---- */

Test(block_row, columns_become_rows_and_columns_again)
{
    enum { MOST = 11, WIDTH = 12 };
    for (size_t n_rows = 0; n_rows <= MOST; n_rows++)
        for (size_t n = 0; n <= MOST; n++) {
            double column[MOST * MOST + 1], row[MOST * WIDTH + 1], back[MOST * MOST + 1];
            for (size_t k = 0; k < n * n_rows; k++)
                column[k] = (double)k + 1;
            memset(row, 0, sizeof row);
            block_put_columns(WIDTH, n_rows, n, n_rows, column, row);
            for (size_t i = 0; i < n_rows; i++)
                for (size_t j = 0; j < WIDTH; j++)
                    cr_assert_eq(row[i * WIDTH + j], j < n ? column[j * n_rows + i] : 0);
            memset(back, 0, sizeof back);
            block_take_columns(WIDTH, n_rows, n, n_rows, row, back);
            cr_assert_eq(memcmp(back, column, n * n_rows * sizeof *back), 0);
            cr_assert_eq(back[n * n_rows], 0, "nothing behind the last");
        }
}

Test(problem, finite_numbers)
{
    enum { MOST = 21 };
    double x[MOST];
    for (uint32_t n = 0; n <= MOST; n++) {
        for (uint32_t k = 0; k < n; k++)
            x[k] = k % 2 ? -1e308 : 1e308;
        cr_assert(problem_is_finite(n, x));
        for (uint32_t k = 0; k < n; k++) {
            const double was = x[k];
            x[k] = k % 3 ? INFINITY : NAN;
            cr_assert_not(problem_is_finite(n, x), "%u of %u", k, n);
            x[k] = was;
        }
    }
}
