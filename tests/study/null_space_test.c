#include "study/mechanism/null_space.h"

#include <criterion/criterion.h>
#include <math.h>

static double noise(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int32_t)(*seed >> 32) / 2147483648.0;
}

/* The example of null_space.h. */
Test(null_space, two_rows)
{
    Arena *mem = arena_new();
    static const uint32_t start[] = {0, 3, 5}, col[] = {0, 1, 2, 0, 1};
    static const double value[] = {1, 1, 1, 1, -1};
    static const ColumnUse use[] = {COLUMN_ASKED, COLUMN_ASKED, COLUMN_FOLLOWS};
    const SparseMatrix a = {2, 3, start, col, value, NULL};
    NullSpace s = null_space_find(&a, use, NULL, 1e-6, mem);
    cr_assert_eq(s.n_parts, 1u);
    cr_assert_eq(s.part[0].rank, 1u);
    const double *row = s.part[0].vt; /* by columns: row 1 is the null space */
    cr_assert_float_eq(fabs(row[1]), sqrt(0.5), 1e-12);
    cr_assert_float_eq(row[1], row[3], 1e-12);
    double x[] = {1, 1, 0};
    null_space_follow(&s, false, x);
    cr_assert_float_eq(x[2], -2, 1e-12);
    arena_free(mem);
}

/* x - u - v = 0 with u = (1 - c) x, v = c x is 0 = 0, but for rounding of 1 - c - (1 - c), which is
 * not small beside c: x is free. */
Test(null_space, cancelled_twice)
{
    Arena *mem = arena_new();
    const double c = 1.1e-6;
    static const uint32_t start[] = {0, 3, 5, 7}, col[] = {0, 1, 2, 0, 2, 1, 2};
    const double value[] = {-1, -1, 1, 1, c - 1, 1, -c};
    static const ColumnUse use[] = {COLUMN_FOLLOWS, COLUMN_FOLLOWS, COLUMN_ASKED};
    const SparseMatrix a = {3, 3, start, col, value, NULL};
    const bool late[] = {true, false, false};
    NullSpace s = null_space_find(&a, use, late, 1e-6, mem);
    cr_assert_eq(s.n_parts, 0u);
    cr_assert_eq(s.n_free, 1u);
    cr_assert_eq(s.n_empty, 1u);
    arena_free(mem);
}

/* A spare column follows from those that are asked for where its entry is small in all of its rows,
 * too: x + 20 p - 20 q = 0, x - 30 p + 31 q = 0 leave one row of p and q. */
Test(null_space, spare_column_of_small_entries)
{
    Arena *mem = arena_new();
    static const uint32_t start[] = {0, 3, 6}, col[] = {0, 1, 2, 0, 1, 2};
    static const double value[] = {1, 20, -20, 1, -30, 31};
    static const ColumnUse use[] = {COLUMN_SPARE, COLUMN_ASKED, COLUMN_ASKED};
    static const bool late[] = {false, false};
    const SparseMatrix a = {2, 3, start, col, value, NULL};
    NullSpace s = null_space_find(&a, use, late, 1e-6, mem);
    cr_assert_eq(s.n_parts, 1u);
    cr_assert_eq(s.part[0].m, 1u);
    cr_assert_eq(s.part[0].n, 2u);
    cr_assert_eq(s.part[0].rank, 1u);
    /* 50 p = 51 q, x = 20 q - 20 p */
    double x[] = {0, 51, 50};
    null_space_follow(&s, false, x);
    cr_assert_float_eq(x[0], -20, 1e-9);
    cr_assert_float_eq(s.part[0].a[0] * x[1] + s.part[0].a[1] * x[2], 0, 1e-9);
    arena_free(mem);
}

/* Sparse matrices with a row that is the sum of two others: what is free moves all columns so that
 * all rows stay zero, and there is as much of it as columns less independent rows. */
Test(null_space, random_matrices)
{
    enum { ROWS = 12, COLS = 20, EACH = 4 };
    for (uint64_t k = 1; k <= 50; k++) {
        Arena *mem = arena_new();
        uint64_t seed = k;
        double dense[ROWS + 1][COLS] = {0};
        for (int r = 0; r < ROWS; r++)
            for (int i = 0; i < EACH; i++)
                dense[r][(uint32_t)(fabs(noise(&seed)) * COLS) % COLS] = noise(&seed);
        for (int c = 0; c < COLS; c++)
            dense[ROWS][c] = dense[0][c] + dense[1][c];
        uint32_t start[ROWS + 2] = {0}, col[(ROWS + 1) * COLS], n = 0;
        double value[(ROWS + 1) * COLS];
        for (int r = 0; r <= ROWS; r++) {
            for (uint32_t c = 0; c < COLS; c++)
                if (dense[r][c] != 0) {
                    col[n] = c;
                    value[n++] = dense[r][c];
                }
            start[r + 1] = n;
        }
        ColumnUse use[COLS];
        for (int c = 0; c < COLS; c++)
            use[c] = COLUMN_ASKED;
        const SparseMatrix a = {ROWS + 1, COLS, start, col, value, NULL};
        NullSpace s = null_space_find(&a, use, NULL, 1e-9, mem);
        uint32_t rank = 0, n_asked = s.n_free;
        for (uint32_t p = 0; p < s.n_parts; p++) {
            const NullPart *it = &s.part[p];
            rank += it->rank;
            n_asked += it->n;
            for (uint32_t d = it->rank; d < it->n; d++) {
                double x[COLS] = {0};
                for (uint32_t c = 0; c < it->n; c++)
                    x[it->col[c]] = it->vt[(size_t)c * it->n + d];
                for (int r = 0; r <= ROWS; r++) {
                    double sum = 0;
                    for (int c = 0; c < COLS; c++)
                        sum += dense[r][c] * x[c];
                    cr_assert_float_eq(sum, 0, 1e-9, "seed %d", (int)k);
                }
            }
        }
        cr_assert_eq(n_asked, (uint32_t)COLS, "seed %d", (int)k);
        cr_assert_leq(rank, (uint32_t)ROWS, "seed %d", (int)k);
        arena_free(mem);
    }
}
