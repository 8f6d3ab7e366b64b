#include "graph/symbolic_lu.h"

#include "tests/graph/random_incidence.h"

#include <criterion/criterion.h>

/* Elimination of pairs (e, diagonal[e]) on a full Boolean matrix, for which entries are there. */
static void eliminate_dense(bool *a, const bool *done, uint32_t n, uint32_t e, uint32_t v)
{
    for (uint32_t r = 0; r < n; r++) {
        if (r == e || done[r] || !a[r * n + v])
            continue;
        for (uint32_t c = 0; c < n; c++)
            a[r * n + c] = a[r * n + c] || a[e * n + c];
        a[r * n + v] = false;
    }
}

/* Seeds of a full diagonal, permuted. */
Test(symbolic_lu, agrees_with_full_matrices)
{
    for (unsigned seed = 1; seed < 800; seed += 4) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        uint32_t n = g.n_rows;
        bool *a = arena_array(mem, bool, n *n), *done = arena_array(mem, bool, n);
        for (uint32_t e = 0; e < n; e++)
            for (uint32_t k = g.row_begin[e]; k < g.row_begin[e + 1]; k++)
                a[e * n + g.col[k]] = true;
        SymbolicLu f = symbolic_lu_begin(&g, mem);
        cr_assert(symbolic_lu_check(&f));
        for (uint32_t e = 0; e < n; e++) {
            /* the first entry that is left */
            uint32_t v = 0;
            while (v < n && !a[e * n + v])
                v++;
            cr_assert_eq(v == n, f.row[e].n == 0, "seed %u", seed);
            if (v == n)
                continue;
            cr_assert_not_null(symbolic_lu_find(&f, e, v));
            uint64_t ops = f.ops, n_fill = f.n_fill;
            uint64_t estimate = symbolic_lu_estimate(&f, e, v);
            uint64_t fill = symbolic_lu_fill_by(&f, e, v);
            symbolic_lu_pivot(&f, e, v);
            cr_assert_eq(f.ops - ops, estimate, "seed %u, step %u", seed, e);
            cr_assert_eq(f.n_fill - n_fill, fill, "seed %u, step %u", seed, e);
            cr_assert(symbolic_lu_check(&f), "seed %u, step %u", seed, e);
            eliminate_dense(a, done, n, e, v);
            done[e] = true;
            for (uint32_t r = 0; r < n; r++)
                for (uint32_t c = 0; c < n; c++)
                    cr_assert(done[r] || a[r * n + c] == (symbolic_lu_find(&f, r, c) != NULL),
                              "seed %u, step %u, entry %u, %u", seed, e, r, c);
        }
        arena_free(mem);
    }
}
