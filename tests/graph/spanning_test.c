#include "graph/spanning.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(spanning, closes_a_loop_at_the_last_connect)
{
    /* world 0 root; two bodies 1-2 and 3-4, connected in a ring through the world */
    Arena *mem = arena_new();
    SpanningEdge branch[] = {{1, 2}, {4, 3}}, connect[] = {{0, 1}, {2, 3}, {4, 0}};
    uint32_t root[] = {0}, potential[] = {1, 3}, priority[] = {5, 0};
    SpanningGraph g = {.n_nodes = 5,
                       .n_branches = 2,
                       .n_connects = 3,
                       .n_roots = 1,
                       .n_potential = 2,
                       .branch = branch,
                       .connect = connect,
                       .root = root,
                       .potential = potential,
                       .priority = priority};
    Spanning s = spanning_find(&g, mem);
    cr_assert(spanning_check(&s, &g));
    cr_assert_eq(s.fault, SPANNING_GOOD);
    cr_assert(!s.broken[0] && !s.broken[1] && s.broken[2]);
    cr_assert(s.rooted[0]);
    cr_assert(!s.rooted[1], "3 is nearer to the root than 4");

    /* without the definite root the potential root of lowest priority is taken */
    g.n_roots = 0;
    s = spanning_find(&g, mem);
    cr_assert(spanning_check(&s, &g));
    for (uint32_t a = 0; a < 5; a++)
        cr_assert_eq(s.root_of[a], 3);

    g.n_potential = 0;
    s = spanning_find(&g, mem);
    cr_assert_eq(s.fault, SPANNING_NO_ROOT);
    cr_assert_eq(s.fault_at, 0);
    arena_free(mem);
}

Test(spanning, names_loops_of_required_branches)
{
    Arena *mem = arena_new();
    SpanningEdge branch[] = {{0, 1}, {1, 2}, {2, 0}};
    uint32_t root[] = {0, 2};
    SpanningGraph g = {.n_nodes = 3, .n_branches = 3, .n_roots = 1, .branch = branch, .root = root};
    Spanning s = spanning_find(&g, mem);
    cr_assert_eq(s.fault, SPANNING_BRANCH_LOOP);
    cr_assert_eq(s.fault_at, 2);
    g.n_branches = 2;
    g.n_roots = 2;
    s = spanning_find(&g, mem);
    cr_assert_eq(s.fault, SPANNING_TWO_ROOTS);
    cr_assert_eq(s.fault_at, 1);
    arena_free(mem);
}

/* On a graph without faults: as many connects are broken as there are surplus edges. */
Test(spanning, breaks_exactly_the_surplus)
{
    for (unsigned seed = 0; seed < 500; seed++) {
        srand(seed);
        Arena *mem = arena_new();
        uint32_t n = 2 + (uint32_t)rand() % 30, n_connects = (uint32_t)rand() % 60;
        SpanningEdge *branch = arena_array(mem, SpanningEdge, n);
        SpanningEdge *connect = arena_array(mem, SpanningEdge, n_connects);
        uint32_t n_branches = 0;
        for (uint32_t a = 0; a + 1 < n; a += 2)
            branch[n_branches++] = rand() % 2 ? (SpanningEdge){a, a + 1} : (SpanningEdge){a + 1, a};
        for (uint32_t k = 0; k < n_connects; k++)
            connect[k] = (SpanningEdge){(uint32_t)rand() % n, (uint32_t)rand() % n};
        uint32_t root[] = {0};
        uint32_t *potential = arena_array(mem, uint32_t, n);
        for (uint32_t a = 0; a < n; a++)
            potential[a] = a;
        SpanningGraph g = {.n_nodes = n,
                           .n_branches = n_branches,
                           .n_connects = n_connects,
                           .n_roots = 1,
                           .n_potential = n,
                           .branch = branch,
                           .connect = connect,
                           .root = root,
                           .potential = potential};
        Spanning s = spanning_find(&g, mem);
        cr_assert(spanning_check(&s, &g), "seed %u", seed);
        cr_assert_eq(s.fault, SPANNING_GOOD, "seed %u", seed);
        uint32_t n_kept = n_branches, n_trees = 0;
        for (uint32_t k = 0; k < n_connects; k++)
            n_kept += !s.broken[k] && connect[k].a != connect[k].b;
        for (uint32_t a = 0; a < n; a++)
            n_trees += spanning_is_root(&s, a);
        cr_assert_eq(n_kept + n_trees, n, "seed %u", seed);
        arena_free(mem);
    }
}
