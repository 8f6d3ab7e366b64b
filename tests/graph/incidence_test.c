#include "graph/incidence.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Random incidence beside a dense table of what was put in. */
static Incidence random_incidence(Arena *mem, unsigned seed, uint32_t n_rows, uint32_t n_cols,
                                  int *dense)
{
    srand(seed);
    IncidenceBuilder b = incidence_begin(mem, n_cols);
    for (uint32_t e = 0; e < n_rows; e++) {
        incidence_row(&b);
        for (uint32_t k = 0; n_cols && k < (uint32_t)rand() % 6; k++) {
            uint32_t v = (uint32_t)rand() % n_cols;
            Label label = (Label)(rand() % 5);
            incidence_edge(&b, v, label, rand() % 2 ? 1 : -1);
            int *d = &dense[e * n_cols + v];
            *d = *d == 0                         ? (int)label + 1
                 : *d == 1 && label == LABEL_ONE ? 2
                 : *d > (int)label + 1           ? *d
                                                 : (int)label + 1;
        }
    }
    return incidence_done(&b);
}

Test(incidence, holds_what_was_put_in_and_transposes)
{
    for (unsigned seed = 0; seed < 300; seed++) {
        Arena *mem = arena_new();
        uint32_t n_rows = seed % 7, n_cols = seed % 11;
        int *dense = arena_array(mem, int, n_rows *n_cols);
        Incidence g = random_incidence(mem, seed, n_rows, n_cols, dense);
        Incidence t = incidence_transpose(&g, mem);
        cr_assert(incidence_check(&g), "seed %u", seed);
        cr_assert(incidence_check(&t), "seed %u", seed);
        for (uint32_t e = 0; e < n_rows; e++)
            for (uint32_t v = 0; v < n_cols; v++) {
                uint32_t k = incidence_find(&g, e, v), l = incidence_find(&t, v, e);
                int want = dense[e * n_cols + v];
                cr_assert_eq(k == INC_NONE ? 0 : g.label[k] + 1, want, "seed %u", seed);
                cr_assert_eq(l == INC_NONE ? 0 : t.label[l] + 1, want, "seed %u", seed);
            }
        arena_free(mem);
    }
}

Test(incidence, part_keeps_labels_and_groups)
{
    for (unsigned seed = 0; seed < 200; seed++) {
        Arena *mem = arena_new();
        int *dense = arena_array(mem, int, 64);
        Incidence g = random_incidence(mem, seed, 8, 8, dense);
        uint32_t group[8] = {0, 0, 0, 1, 1, 1, INC_NONE, INC_NONE};
        uint32_t index[8] = {0, 1, 2, 0, 1, 2, 0, 0};
        incidence_set_row_groups(&g, group, index, 2);
        incidence_set_col_groups(&g, group, index, 2);
        uint32_t rows[] = {5, 2, 7}, cols[] = {6, 0, 3, 4};
        Incidence p = incidence_part(&g, rows, 3, cols, 4, mem);
        cr_assert(incidence_check(&p), "seed %u", seed);
        for (uint32_t e = 0; e < 3; e++)
            for (uint32_t v = 0; v < 4; v++) {
                uint32_t k = incidence_find(&p, e, v);
                cr_assert_eq(k == INC_NONE ? 0 : p.label[k] + 1, dense[rows[e] * 8 + cols[v]],
                             "seed %u", seed);
                cr_assert_eq(p.row_group[e], group[rows[e]]);
                cr_assert_eq(p.col_index[v], index[cols[v]]);
            }
        arena_free(mem);
    }
}
