#include "study/sweep/vary.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static Vary read(Arena *mem, VaryRequest *r, const char *one, const char *other)
{
    Vary v;
    vec_push(mem, r->axes, one);
    if (other)
        vec_push(mem, r->axes, other);
    cr_assert_eq(vary_read(&v, r, mem), EXIT_GOOD);
    return v;
}

Test(vary, grid_is_all_combinations)
{
    Arena *mem = arena_new();
    VaryRequest r = {.runs = NAN, .seed = NAN};
    Vary v = read(mem, &r, "a=1,2", "b=5,6,7");
    cr_assert_eq(v.n_runs, 6u);
    cr_assert_eq(v.sampling, SAMPLING_GRID);
    cr_assert_str_eq(vary_value(&v, 4, 0, mem), "2");
    cr_assert_str_eq(vary_value(&v, 4, 1, mem), "6");
    arena_free(mem);
}

Test(vary, list_takes_rows)
{
    Arena *mem = arena_new();
    VaryRequest r = {.runs = NAN, .seed = NAN, .sampling = SAMPLING_LIST};
    Vary v = read(mem, &r, "a=1,2,3", "b=5,6,7");
    cr_assert_eq(v.n_runs, 3u);
    cr_assert_str_eq(vary_value(&v, 2, 1, mem), "7");
    arena_free(mem);
}

/* Latin hypercube: each n-th of the range has one run; another seed has other values. */
Test(vary, hypercube_has_each_part_once)
{
    enum { N = 100 };
    Arena *mem = arena_new();
    VaryRequest r = {.runs = N, .seed = 3, .sampling = SAMPLING_LHS}, other = r;
    other.seed = 4;
    Vary v = read(mem, &r, "a=uniform(2,4)", NULL), w = read(mem, &other, "a=uniform(2,4)", NULL);
    bool seen[N] = {0}, differs = false;
    for (uint32_t k = 0; k < N; k++) {
        double x = strtod(vary_value(&v, k, 0, mem), NULL);
        int part = (int)((x - 2) / 2 * N);
        cr_assert(part >= 0 && part < N && !seen[part]);
        seen[part] = true;
        differs = differs || strcmp(vary_value(&v, k, 0, mem), vary_value(&w, k, 0, mem)) != 0;
    }
    cr_assert(differs);
    arena_free(mem);
}

Test(vary, normal_is_the_inverse_of_erfc)
{
    for (double p = 0.001; p < 1; p += 0.0137)
        cr_assert_float_eq(0.5 * erfc(-vary_normal(p) / sqrt(2)), p, 1e-14);
}

Test(vary, set_and_varied)
{
    Arena *mem = arena_new();
    VaryRequest r = {.runs = NAN, .seed = NAN};
    Vary v;
    vec_push(mem, r.axes, "a=1,2");
    vec_push(mem, r.set, "a=3");
    cr_assert_eq(vary_read(&v, &r, mem), EXIT_USAGE);
    arena_free(mem);
}
