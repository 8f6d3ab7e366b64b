#include "graph/dependent_rows.h"

#include "ir/residue.h"
#include "tests/graph/random_incidence.h"

#include <criterion/criterion.h>

/* Rank of the rows that stay (NULL: all) but one, of a full matrix. */
static uint32_t rank_of(const Incidence *g, const bool *stays, uint32_t left_out, Arena *mem)
{
    uint32_t m = g->n_rows, n = g->n_cols, rank = 0;
    uint64_t *a = arena_array(mem, uint64_t, (uint64_t)m * n + 1);
    for (uint32_t e = 0; e < m; e++)
        for (uint32_t k = g->row_begin[e];
             e != left_out && (!stays || stays[e]) && k < g->row_begin[e + 1]; k++)
            a[e * n + g->col[k]] = g->residue[k];
    for (uint32_t v = 0; v < n; v++) {
        uint32_t p = rank;
        while (p < m && a[p * n + v] == 0)
            p++;
        if (p == m)
            continue;
        for (uint32_t c = 0; c < n; c++) {
            uint64_t x = a[p * n + c];
            a[p * n + c] = a[rank * n + c];
            a[rank * n + c] = x;
        }
        uint64_t inverse = residue_inverse(a[rank * n + v]);
        for (uint32_t e = rank + 1; e < m; e++) {
            uint64_t f = residue_mul(a[e * n + v], inverse);
            for (uint32_t c = v; c < n; c++)
                a[e * n + c] = residue_sub(a[e * n + c], residue_mul(f, a[rank * n + c]));
        }
        rank++;
    }
    return rank;
}

static uint32_t rank_without(const Incidence *g, uint32_t left_out, Arena *mem)
{
    return rank_of(g, NULL, left_out, mem);
}

/* A row takes part where the rank is the same without it. */
Test(dependent_rows, agree_with_ranks_of_full_matrices)
{
    uint32_t n_found = 0;
    for (unsigned seed = 1; seed < 300; seed++) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        g.residue = arena_array(mem, uint64_t, g.n_edges + 1);
        for (uint32_t k = 0; k < g.n_edges; k++)
            g.residue[k] = 1 + any(3);
        bool *takes_part = arena_array(mem, bool, g.n_rows + 1);
        uint32_t n = dependent_rows_mark(&g, takes_part, mem),
                 rank = rank_without(&g, INC_NONE, mem);
        cr_assert_eq(n, g.n_rows - rank, "seed %u", seed);
        for (uint32_t e = 0; e < g.n_rows; e++) {
            cr_assert_eq(takes_part[e], rank_without(&g, e, mem) == rank, "seed %u, row %u", seed,
                         e);
            n_found += takes_part[e];
        }
        arena_free(mem);
    }
    cr_assert_gt(n_found, 1000);
}

/* Without the surplus the rank is the same and the rows are independent, whatever the order; each
 * of the surplus depends on what is listed before it. */
Test(dependent_rows, of_the_surplus_none_is_missing_and_none_too_much)
{
    for (unsigned seed = 1; seed < 300; seed++) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        g.residue = arena_array(mem, uint64_t, g.n_edges + 1);
        for (uint32_t k = 0; k < g.n_edges; k++)
            g.residue[k] = 1 + any(3);
        uint32_t *order = arena_array(mem, uint32_t, g.n_rows + 1);
        uint32_t *out = arena_array(mem, uint32_t, g.n_rows + 1);
        for (uint32_t e = 0; e < g.n_rows; e++) {
            uint32_t at = any(e + 1);
            order[e] = order[at];
            order[at] = e;
        }
        uint32_t n = dependent_rows_surplus(&g, order, out, mem), found = 0;
        for (uint32_t i = 0; i < g.n_rows; i++) {
            bool *stays = arena_array(mem, bool, g.n_rows + 1);
            for (uint32_t k = 0; k <= i; k++)
                stays[order[k]] = true;
            uint32_t rank = rank_of(&g, stays, INC_NONE, mem),
                     without = rank_of(&g, stays, order[i], mem);
            bool is_surplus = found < n && out[found] == order[i];
            cr_assert_eq(is_surplus, rank == without, "seed %u, place %u", seed, i);
            found += is_surplus;
        }
        cr_assert_eq(found, n, "seed %u", seed);
        arena_free(mem);
    }
}
