#include "graph/blocks.h"
#include "graph/by_igraph.h"
#include "graph/matching.h"
#include "tests/graph/random_incidence.h"

#include <criterion/criterion.h>

Test(matching, is_maximum)
{
    for (unsigned seed = 0; seed < 1000; seed++) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        Matching m = matching_find(&g, mem);
        cr_assert(matching_check(&m, &g), "seed %u", seed);
        cr_assert(matching_is_maximum(&m, &g, mem), "seed %u", seed);
        cr_assert_eq(m.size, igraph_matching_size(&g), "seed %u", seed);
        arena_free(mem);
    }
}

/* Natural pairs are +-1 and can be evaluated one after another; no further pair could be added
 * without a cycle being possible, which the greedy choice does not promise, so only validity. */
Test(matching, natural_pairs_are_acyclic)
{
    for (unsigned seed = 0; seed < 2000; seed++) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        uint32_t *row_group = arena_array(mem, uint32_t, g.n_rows);
        uint32_t *row_index = arena_array(mem, uint32_t, g.n_rows);
        uint32_t *col_group = arena_array(mem, uint32_t, g.n_cols);
        uint32_t *col_index = arena_array(mem, uint32_t, g.n_cols);
        for (uint32_t e = 0; e < g.n_rows; e++) {
            row_group[e] = e % 7 ? e / 2 : INC_NONE;
            row_index[e] = e % 2;
        }
        for (uint32_t v = 0; v < g.n_cols; v++) {
            col_group[v] = v / 2;
            col_index[v] = v % 2;
        }
        incidence_set_row_groups(&g, row_group, row_index, g.n_rows);
        incidence_set_col_groups(&g, col_group, col_index, g.n_cols);
        cr_assert(incidence_check(&g), "seed %u", seed);
        Matching m = matching_natural(&g, mem);
        cr_assert(matching_check(&m, &g), "seed %u", seed);
        for (uint32_t e = 0; e < g.n_rows; e++)
            if (m.var_of[e] != INC_NONE)
                cr_assert_eq(g.label[incidence_find(&g, e, m.var_of[e])], LABEL_ONE);
        Blocks b = blocks_find(&g, &m, mem);
        cr_assert_eq(b.n, m.size, "seed %u", seed);
        arena_free(mem);
    }
}

Test(blocks, are_the_strong_components)
{
    for (unsigned seed = 0; seed < 1000; seed++) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        Matching m = matching_find(&g, mem);
        Blocks b = blocks_find(&g, &m, mem);
        cr_assert(blocks_check(&b, &g, &m), "seed %u", seed);
        uint32_t *component = arena_array(mem, uint32_t, g.n_rows);
        cr_assert_eq(b.n, igraph_components(&g, &m, component), "seed %u", seed);
        for (uint32_t e = 0; e < g.n_rows; e++)
            for (uint32_t o = 0; o < e; o++)
                cr_assert_eq(b.block_of[e] == b.block_of[o], component[e] == component[o],
                             "seed %u", seed);
        arena_free(mem);
    }
}

/* g without edges of labels beyond worst. */
static Incidence up_to(const Incidence *g, Label worst, Arena *mem)
{
    IncidenceBuilder b = incidence_begin(mem, g->n_cols);
    for (uint32_t e = 0; e < g->n_rows; e++) {
        incidence_row(&b);
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            if (g->label[k] <= worst)
                incidence_edge(&b, g->col[k], (Label)g->label[k], g->sign[k]);
    }
    return incidence_done(&b);
}

/* Label by label: as large as a matching of the edges up to there can be, and what is matched
 * stays matched. */
Test(matching, is_extended_by_labels)
{
    for (unsigned seed = 0; seed < 300; seed++) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        Matching m = matching_empty(&g, mem);
        bool *matched = arena_array(mem, bool, g.n_rows + 1);
        for (int label = LABEL_ONE; label <= LABEL_NONLINEAR; label++) {
            matching_extend(&m, &g, (Label)label, mem);
            cr_assert(matching_check(&m, &g), "seed %u", seed);
            Incidence part = up_to(&g, (Label)label, mem);
            cr_assert_eq(m.size, igraph_matching_size(&part), "seed %u, label %d", seed, label);
            for (uint32_t e = 0; e < g.n_rows; e++) {
                cr_assert(!matched[e] || m.var_of[e] != INC_NONE);
                matched[e] = m.var_of[e] != INC_NONE;
            }
        }
        arena_free(mem);
    }
}

/* Rows that can be matched are a matroid: one after the other gives as many as at once, and a row
 * is refused only if those before it leave no way. */
Test(matching, grows_row_by_row)
{
    for (unsigned seed = 0; seed < 300; seed++) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        Augmenter w = augmenter_new(&g, mem);
        uint32_t *rows = arena_array(mem, uint32_t, g.n_rows + 1);
        uint32_t *cols = arena_array(mem, uint32_t, g.n_cols + 1);
        for (uint32_t v = 0; v < g.n_cols; v++)
            cols[v] = v;
        for (uint32_t e = 0; e < g.n_rows; e++) {
            rows[e] = e;
            bool grows = matching_augment(&w, e, LABEL_NONLINEAR);
            Incidence before = incidence_part(&g, rows, e + 1, cols, g.n_cols, mem);
            cr_assert_eq(w.m.size, igraph_matching_size(&before), "seed %u, row %u", seed, e);
            cr_assert_eq(grows, w.m.var_of[e] != INC_NONE);
        }
        cr_assert(matching_check(&w.m, &g), "seed %u", seed);
        arena_free(mem);
    }
}
