/* Normal equations by parts against the full matrix. */
#include "runtime/kernel/rung_lu.h"
#include "runtime/linear/normal.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 60, COLS = 90 };

static uint64_t next(uint64_t *s)
{
    *s = *s * 6364136223846793005u + 1442695040888963407u;
    return *s >> 33;
}

/* Rows in groups of `size` that share columns, or now and then a column of the next group. */
static uint32_t random_pattern(uint64_t *s, uint32_t size, uint32_t *start, uint32_t *row)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < COLS; c++) {
        uint32_t group = (uint32_t)(next(s) % (ROWS / size)), first = group * size;
        start[c] = n;
        for (uint32_t r = first; r < first + size; r++)
            if (next(s) % 3 > 0)
                row[n++] = r;
        if (size > 1 && next(s) % 8 == 0 && first + size < ROWS)
            row[n++] = first + size;
    }
    start[COLS] = n;
    return n;
}

Test(normal, agrees_with_the_full_matrix)
{
    static uint32_t start[COLS + 1], row[ROWS * COLS], pivot[ROWS];
    static double entry[ROWS * COLS], full[ROWS * ROWS], size_of[ROWS];
    const double regular = 1e-6;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t s = seed;
        static const uint32_t sizes[] = {1, 6, 60};
        uint32_t n = random_pattern(&s, sizes[seed % 3], start, row);
        uint8_t held[COLS];
        for (uint32_t c = 0; c < COLS; c++)
            held[c] = next(&s) % 7 == 0;
        RungPattern p = {.n_rows = ROWS, .n_cols = COLS, .col_start = start, .row = row};
        Normal *it = normal_new(&p);
        cr_assert(it);
        for (int twice = 0; twice < 2; twice++) {
            double b[ROWS], y[ROWS], most = 0;
            for (uint32_t e = 0; e < n; e++)
                entry[e] = (double)(next(&s) % 2001) / 1000 - 1;
            memset(full, 0, sizeof full);
            for (uint32_t c = 0; c < COLS; c++)
                for (uint32_t e = start[c]; e < start[c + 1] && !held[c]; e++)
                    for (uint32_t f = start[c]; f < start[c + 1]; f++)
                        full[row[e] + row[f] * ROWS] += entry[e] * entry[f];
            for (uint32_t k = 0; k < ROWS; k++) {
                most = fmax(most, full[k + k * ROWS]);
                y[k] = b[k] = (double)(next(&s) % 2001) / 1000 - 1;
            }
            for (uint32_t k = 0; k < ROWS; k++)
                full[k + k * ROWS] += regular * most;
            cr_assert(normal_factor(it, entry, held, regular), "seed %d", (int)seed);
            normal_solve(it, y);
            cr_assert(rung_lu_factor(ROWS, full, pivot, size_of) < 0);
            rung_lu_solve(ROWS, full, pivot, b);
            for (uint32_t k = 0; k < ROWS; k++)
                cr_assert_float_eq(y[k], b[k], 1e-7 * (1 + fabs(b[k])), "seed %d, row %u",
                                   (int)seed, k);
        }
        normal_delete(it);
    }
}
