#include "eliminate/forms/sparse_jacobian.h"

#include <criterion/criterion.h>
#include <string.h>

/* Rows and columns are the cells of a side x side grid of heat conduction: each row holds its cell
 * and the neighbours. Columns come in the order `at`, NULL for row by row. */
static SparseJacobian grid(uint32_t side, const uint32_t *at, Arena *mem)
{
    uint32_t n = side * side, n_entries = 0;
    uint32_t *start = arena_array(mem, uint32_t, n + 1), *row = arena_array(mem, uint32_t, 5 * n);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t cell = at ? at[c] : c, x = cell % side, y = cell / side;
        if (y > 0)
            row[n_entries++] = cell - side;
        if (x > 0)
            row[n_entries++] = cell - 1;
        row[n_entries++] = cell;
        if (x + 1 < side)
            row[n_entries++] = cell + 1;
        if (y + 1 < side)
            row[n_entries++] = cell + side;
        start[c + 1] = n_entries;
    }
    return (SparseJacobian){.columns = {.n_rows = n, .n_cols = n, .col_start = start, .row = row}};
}

static void columns_of_one_colour_share_no_row(const SparseJacobian *j, Arena *mem)
{
    const ExprColumns *a = &j->columns;
    bool *used = arena_array(mem, bool, a->n_rows);
    for (uint32_t colour = 0; colour < j->n_colours; colour++) {
        memset(used, 0, a->n_rows * sizeof *used);
        for (uint32_t c = 0; c < a->n_cols; c++) {
            cr_assert_lt(j->colour[c], j->n_colours);
            for (uint32_t e = a->col_start[c]; j->colour[c] == colour && e < a->col_start[c + 1];
                 e++) {
                cr_assert_not(used[a->row[e]]);
                used[a->row[e]] = true;
            }
        }
    }
}

/* Five colours are the least, since a row has five entries. Columns coloured as they
 * stand need up to ten. */
Test(jacobian_colours, of_a_grid)
{
    enum { SIDE = 24, N = SIDE * SIDE };
    for (uint32_t step = 1; step < N; step += 6) {
        Arena *mem = arena_new();
        uint32_t at[N], n = 0;
        for (uint32_t first = 0; first < step; first++)
            for (uint32_t k = first; k < N; k += step)
                at[n++] = k;
        SparseJacobian j = grid(SIDE, at, mem);
        jacobian_colours(&j, mem, mem);
        columns_of_one_colour_share_no_row(&j, mem);
        cr_assert_leq(j.n_colours, 7, "step %u: %u colours", step, j.n_colours);
        arena_free(mem);
    }
}
