/* Orders of columns: permutations, and the fill they leave, by elimination on a full matrix. */
#include "runtime/linear/column_order.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

typedef struct Pattern {
    uint32_t n, *start, *row;
} Pattern;

/* A grid of w x w with its five-point stars; the numbers of the nodes are shuffled. */
static Pattern grid_new(uint32_t w)
{
    Pattern p = {.n = w * w};
    p.start = calloc(p.n + 1, sizeof *p.start);
    p.row = calloc(5 * (size_t)p.n, sizeof *p.row);
    uint32_t *name = calloc(p.n, sizeof *name), *of = calloc(p.n, sizeof *of), e = 0;
    for (uint32_t k = 0; k < p.n; k++)
        name[k] = (uint32_t)((uint64_t)k * 7919 % p.n);
    for (uint32_t k = 0; k < p.n; k++)
        of[name[k]] = k;
    for (uint32_t c = 0; c < p.n; c++) {
        uint32_t k = of[c], x = k % w, y = k / w;
        p.row[e++] = c;
        if (x > 0)
            p.row[e++] = name[k - 1];
        if (x + 1 < w)
            p.row[e++] = name[k + 1];
        if (y > 0)
            p.row[e++] = name[k - w];
        if (y + 1 < w)
            p.row[e++] = name[k + w];
        p.start[c + 1] = e;
    }
    free(name);
    free(of);
    return p;
}

static void pattern_free(Pattern *p)
{
    free(p->start);
    free(p->row);
}

/* Entries of L with its diagonal, of A + A' in this order. */
static uint64_t fill_of(const Pattern *p, const uint32_t *order)
{
    uint32_t n = p->n, *place = calloc(n, sizeof *place);
    unsigned char *a = calloc((size_t)n * n, 1);
    uint64_t count = 0;
    for (uint32_t k = 0; k < n; k++)
        place[order[k]] = k;
    for (uint32_t c = 0; c < n; c++)
        for (uint32_t e = p->start[c]; e < p->start[c + 1]; e++) {
            uint32_t i = place[p->row[e]], j = place[c];
            a[i * (size_t)n + j] = a[j * (size_t)n + i] = 1;
        }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = k; i < n; i++) {
            if (i > k && !a[i * (size_t)n + k])
                continue;
            count++;
            for (uint32_t j = k + 1; i > k && j < n; j++)
                a[i * (size_t)n + j] |= a[k * (size_t)n + j];
        }
    free(place);
    free(a);
    return count;
}

static void assert_permutation(uint32_t n, const uint32_t *order)
{
    unsigned char *seen = calloc(n, 1);
    for (uint32_t k = 0; k < n; k++) {
        cr_assert_lt(order[k], n);
        cr_assert_not(seen[order[k]]);
        seen[order[k]] = 1;
    }
    free(seen);
}

Test(column_order, of_a_star_and_a_ring_fills_least)
{
    // a star whose centre comes first, and a ring
    enum { N = 50 };
    uint32_t start[N + 1] = {0}, row[3 * N], order[N], e = 0;
    for (uint32_t c = 0; c < N; c++) {
        row[e++] = c;
        if (c > 0)
            row[e++] = 0;
        start[c + 1] = e;
    }
    Pattern star = {N, start, row};
    cr_assert(column_order(N, start, row, order));
    assert_permutation(N, order);
    cr_assert_eq(fill_of(&star, order), 2 * N - 1);
    e = 0;
    for (uint32_t c = 0; c < N; c++) {
        row[e++] = c;
        row[e++] = (c + 17) % N;
        start[c + 1] = e;
    }
    Pattern ring = {N, start, row};
    cr_assert(column_order(N, start, row, order));
    assert_permutation(N, order);
    cr_assert_eq(fill_of(&ring, order), 3 * N - 3);
}

Test(column_order, of_grids_fills_less_than_bands)
{
    for (uint32_t w = 1; w <= 24; w += w < 4 ? 1 : 5) {
        Pattern p = grid_new(w);
        uint32_t *order = calloc(p.n, sizeof *order);
        cr_assert(column_order(p.n, p.start, p.row, order));
        assert_permutation(p.n, order);
        uint64_t band = (uint64_t)p.n * (w + 1);
        cr_assert_leq(fill_of(&p, order), w < 10 ? band : band * 3 / 4, "width %u", w);
        free(order);
        pattern_free(&p);
    }
}

Test(column_order, takes_random_patterns_and_none)
{
    uint32_t order[60], start[61], row[60 * 4];
    for (uint64_t seed = 0; seed < 2000; seed++) {
        uint64_t s = seed * 2862933555777941757u + 3037000493u;
        uint32_t n = (uint32_t)(seed % 60), e = 0;
        start[0] = 0;
        for (uint32_t c = 0; c < n; c++) {
            for (uint32_t k = (uint32_t)(s >> 40) % 4; k > 0; k--) {
                s = s * 6364136223846793005u + 1442695040888963407u;
                row[e++] = (uint32_t)(s >> 33) % n;
            }
            s = s * 6364136223846793005u + 1442695040888963407u;
            start[c + 1] = e;
        }
        cr_assert(column_order(n, start, row, order));
        assert_permutation(n, order);
    }
}
