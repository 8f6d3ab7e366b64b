#include "study/measure/grid.h"

#include <criterion/criterion.h>

Test(grid, ranges)
{
    static const struct {
        const char *text;
        uint32_t n;
        const char *last_but_one;
    } row[] = {
        {"n=1,2,4,...,64", 7, "32"},   /* by a factor                                  */
        {"n=1,2,...,5", 5, "4"},       /* by a step: no power of two is 5              */
        {"n=1,1.1,...,2", 11, "1.9"},  /* exactly, as decimal numbers                  */
        {"n=2,1.5,...,-1", 7, "-0.5"}, /* downwards                                    */
        {"n=1,2,...,2", 2, "1"},       /* the end is the value before the dots         */
        {"arm[2].m=1,2", 2, "1"},
    };
    Arena *mem = arena_new();
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        GridAxis a = {0};
        const char *why = grid_read_axis(&a, row[k].text, mem);
        cr_assert_null(why, "%s: %s", row[k].text, why);
        cr_assert_eq(a.value.n, row[k].n, "%s: %u values", row[k].text, a.value.n);
        cr_assert_str_eq(a.value.at[a.value.n - 2], row[k].last_but_one, "%s", row[k].text);
    }
    static const char *const wrong[] = {"n", "=1", "n=", "n=1,,2", "n=...,3", "n=1,...", "a b=1"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        GridAxis a = {0};
        cr_assert_not_null(grid_read_axis(&a, wrong[k], mem), "%s", wrong[k]);
    }
    arena_free(mem);
}

Test(grid, points_are_modifiers)
{
    Arena *mem = arena_new();
    Texts axes = {0};
    vec_push(mem, axes, "n=1,2,4");
    vec_push(mem, axes, "m=5,6");
    Grid g;
    cr_assert(grid_read(&g, &axes, mem));
    cr_assert_eq(g.n_points, 6u);
    cr_assert_str_eq(grid_model(&g, 3, "M", mem), "M(n=2, m=6)");
    cr_assert_str_eq(grid_model(&g, 4, "M(k=2)", mem), "M(k=2, n=4, m=5)");
    arena_free(mem);
}
