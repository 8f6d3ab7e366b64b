/* The price of sparse LU against dense elimination by hand. */
#include "graph/lu_cost.h"

#include <criterion/criterion.h>

static Incidence dense(Arena *mem, uint32_t n)
{
    IncidenceBuilder b = incidence_begin(mem, n);
    for (uint32_t e = 0; e < n; e++) {
        incidence_row(&b);
        for (uint32_t v = 0; v < n; v++)
            incidence_edge(&b, v, LABEL_OTHER, 0);
    }
    return incidence_done(&b);
}

Test(numeric, a_dense_block_costs_what_gauss_says)
{
    Arena *mem = arena_new();
    for (uint64_t n = 1; n < 12; n++) {
        Incidence g = dense(mem, (uint32_t)n);
        LuCost p = lu_cost(&g, mem);
        cr_assert(p.ok);
        cr_assert_eq(p.fill, 0);
        /* sum of k^2 for the decomposition, n (n - 1) for the two triangles */
        cr_assert_eq(p.mul, (n - 1) * n * (2 * n - 1) / 6 + n * (n - 1), "n = %d", (int)n);
        cr_assert_eq(p.add, p.mul);
        cr_assert_eq(p.div, n * (n - 1) / 2 + n);
    }
    arena_free(mem);
}

Test(numeric, a_band_is_linear_and_a_singular_block_is_refused)
{
    Arena *mem = arena_new();
    uint64_t last = 0;
    for (uint32_t n = 100; n <= 400; n *= 2) {
        IncidenceBuilder b = incidence_begin(mem, n);
        for (uint32_t e = 0; e < n; e++) {
            incidence_row(&b);
            for (uint32_t v = e > 0 ? e - 1 : 0; v <= e + 1 && v < n; v++)
                incidence_edge(&b, v, LABEL_OTHER, 0);
        }
        Incidence g = incidence_done(&b);
        LuCost p = lu_cost(&g, mem);
        cr_assert(p.ok);
        cr_assert(last == 0 || p.mul < 3 * last, "n = %u: %d after %d", n, (int)p.mul, (int)last);
        last = p.mul;
    }
    IncidenceBuilder b = incidence_begin(mem, 2);
    for (int e = 0; e < 2; e++) {
        incidence_row(&b);
        incidence_edge(&b, 0, LABEL_OTHER, 0);
    }
    Incidence g = incidence_done(&b);
    cr_assert(!lu_cost(&g, mem).ok);
    arena_free(mem);
}
