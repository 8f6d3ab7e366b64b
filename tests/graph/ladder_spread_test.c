#include "graph/ladder_spread.h"

#include <criterion/criterion.h>

enum { N = 10 };

/* Masses on a line, as in ladder_spread.h: q at the joints, a of the masses, f at the joints. */
static uint32_t q(uint32_t k)
{
    return k;
}

static uint32_t a(uint32_t k)
{
    return N + k;
}

static uint32_t f(uint32_t k)
{
    return 2 * N + k;
}

/* sums: accelerations from the ground; else from the mass before. */
static Incidence masses(bool sums, Arena *mem)
{
    IncidenceBuilder b = incidence_begin(mem, 3 * N);
    for (uint32_t k = 0; k < N; k++) {
        incidence_row(&b);
        incidence_edge(&b, a(k), LABEL_ONE, 1);
        for (uint32_t j = sums ? 0 : k; j <= k; j++)
            incidence_edge(&b, q(j), LABEL_CONST, 0);
        if (!sums && k > 0)
            incidence_edge(&b, a(k - 1), LABEL_ONE, -1);
    }
    for (uint32_t k = 0; k < N; k++) {
        incidence_row(&b);
        incidence_edge(&b, f(k), LABEL_ONE, 1);
        incidence_edge(&b, a(k), LABEL_CONST, 0);
        if (k + 1 < N)
            incidence_edge(&b, f(k + 1), LABEL_ONE, -1);
        incidence_row(&b);
        incidence_edge(&b, f(k), LABEL_OTHER, 0);
    }
    return incidence_done(&b);
}

static LadderSpread spread_of(bool sums, Arena *mem)
{
    Incidence g = masses(sums, mem);
    Ladder l = ladder_find(&g, mem);
    cr_assert_null(l.why);
    return ladder_spread(&l, &g, mem);
}

Test(ladder_spread, masses_that_touch_their_neighbours_alone)
{
    Arena *mem = arena_new();
    LadderSpread w = spread_of(false, mem);
    cr_assert_eq(w.n, N);
    cr_assert_eq(w.extra, 0);
    cr_assert_eq(w.joins, 0);
    arena_free(mem);
}

/* The k-th from the ground changes the k - 1 before it, one of which carries it. */
Test(ladder_spread, masses_that_are_measured_from_the_ground)
{
    Arena *mem = arena_new();
    LadderSpread w = spread_of(true, mem);
    cr_assert_eq(w.n, N);
    cr_assert_eq(w.extra, (N - 1) * (N - 2) / 2);
    cr_assert_eq(w.joins, N - 2);
    cr_assert_eq(w.eq, N - 1);
    cr_assert_eq(w.var, a(N - 1));
    arena_free(mem);
}
