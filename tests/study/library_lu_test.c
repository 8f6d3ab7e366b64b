#include "study/measure/library_lu.h"

#include <criterion/criterion.h>
#include <math.h>

enum { N = 40, NONZEROS = 3 * N - 2 };

/* A tridiagonal matrix by columns whose row sums are known: its solution for them is all ones. */
typedef struct Tridiagonal {
    uint32_t start[N + 1], row[NONZEROS];
    double entry[NONZEROS], sum[N];
} Tridiagonal;

static Tridiagonal tridiagonal(double diagonal)
{
    Tridiagonal m = {.start = {0}};
    uint32_t n = 0;
    for (uint32_t j = 0; j < N; j++) {
        for (uint32_t i = j ? j - 1 : 0; i <= j + 1 && i < N; i++) {
            m.row[n] = i;
            m.entry[n] = i == j ? diagonal + j : 1.0 / (1 + i + 2 * j);
            m.sum[i] += m.entry[n++];
        }
        m.start[j + 1] = n;
    }
    return m;
}

/* Other numbers in the pattern that was analysed are factored anew. */
Test(library_lu, solves_what_has_the_pattern)
{
    for (LibraryKind kind = 0; kind < LIBRARIES; kind++) {
        if (!library_lu_exists(kind))
            continue;
        Tridiagonal first = tridiagonal(4);
        LibraryLu *lu = library_lu_new(kind, N, first.start, first.row, first.entry);
        cr_assert_not_null(lu);
        for (double diagonal = 4; diagonal < 8; diagonal += 3) {
            Tridiagonal m = tridiagonal(diagonal);
            cr_assert(library_lu_solve(lu, m.entry, m.sum));
            for (uint32_t k = 0; k < N; k++)
                cr_assert_float_eq(m.sum[k], 1, 1e-12, "%d: %u", (int)kind, k);
        }
        library_lu_free(lu);
    }
}
