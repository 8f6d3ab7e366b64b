#include "graph/cut_choice.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* A rod with a body, from a hinge in the ground to the point where two more hinges meet:
 *
 *     ground 0 | hip 1, 2 | rod 3, 4, body 5 | knee 6, 7 | extra 8, 9 | leg 10, 11, body 12
 *
 * The rod's frames are those of a part made of parts: 13 and 14 are connected inside. */
Test(cut_choice, parts_a_joint_from_what_has_mass)
{
    Arena *mem = arena_new();
    SpanningEdge branch[] = {{1, 2}, {3, 4}, {6, 7}, {8, 9}, {10, 11}};
    const bool moves[] = {true, false, true, true, false};
    SpanningEdge connect[] = {{0, 1},  {2, 13}, {13, 3}, {13, 5},  {14, 4},
                              {14, 6}, {6, 8},  {7, 10}, {10, 12}, {7, 10}};
    bool inside[][2] = {{true, true}, {true, true}, {false, true}, {false, true}, {false, true},
                        {true, true}, {true, true}, {true, true},  {true, true},  {true, true}};
    const uint32_t root[] = {0};
    const uint32_t component[] = {0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6, 7, 8, 8};
    CutGraph g = {.n_nodes = 15,
                  .n_branches = 5,
                  .n_connects = 10,
                  .n_roots = 1,
                  .branch = branch,
                  .moves = moves,
                  .root = root,
                  .component = component,
                  .connect = connect,
                  .inside = inside};
    uint8_t *rank = cut_choice(&g, mem);
    cr_assert_eq(rank[0], CUT_JOINT, "the hip from the ground");
    cr_assert_eq(rank[1], CUT_JOINT, "the hip from the rod");
    cr_assert_eq(rank[4], CUT_BAD, "two hinges would be left without mass");
    cr_assert_eq(rank[5], CUT_JOINT, "the knee alone");
    cr_assert_eq(rank[6], CUT_JOINT, "the other hinge alone, from the rod's frame");
    cr_assert_eq(connect[6].a, 14);
    cr_assert_eq(connect[6].b, 8);
    cr_assert_eq(rank[7], CUT_JOINT);
    cr_assert_eq(rank[9], CUT_REPEATS, "the same once more");
    cr_assert_eq(connect[9].a, connect[9].b);
    arena_free(mem);
}

/* A rod from a hinge in the ground to a ball there, in whose middle fewer forces go through:
 *
 *     ground 0 | hip 1, 2 | rod 3, 4, body 5 | ball 6, its middle 7 and 8, 9 */
Test(cut_choice, cuts_first_where_fewer_forces_go_through)
{
    Arena *mem = arena_new();
    SpanningEdge branch[] = {{1, 2}, {3, 4}, {6, 7}, {8, 9}};
    const bool moves[] = {true, false, true, true};
    SpanningEdge connect[] = {{0, 1}, {2, 3}, {3, 5}, {4, 6}, {7, 8}, {9, 0}};
    bool inside[][2] = {{true, true}, {true, true}, {true, true},
                        {true, true}, {true, true}, {true, true}};
    const uint32_t root[] = {0};
    const uint32_t component[] = {0, 1, 1, 2, 2, 3, 4, 5, 6, 4};
    const uint32_t n_flows[] = {6, 6, 6, 6, 3, 6};
    CutGraph g = {.n_nodes = 10,
                  .n_branches = 4,
                  .n_connects = 6,
                  .n_roots = 1,
                  .branch = branch,
                  .moves = moves,
                  .root = root,
                  .component = component,
                  .n_flows = n_flows,
                  .connect = connect,
                  .inside = inside};
    uint8_t *rank = cut_choice(&g, mem);
    for (uint32_t k = 0; k < 6; k++)
        cr_assert_eq(rank[k] == CUT_FREE, k == 4, "connect %u", k);
    g.n_flows = NULL;
    rank = cut_choice(&g, mem);
    for (uint32_t k = 0; k < 6; k++)
        cr_assert_neq(rank[k], CUT_FREE, "all alike: connect %u", k);
    arena_free(mem);
}

static uint32_t leader(uint32_t *up, uint32_t a)
{
    while (up[a] != a)
        a = up[a] = up[up[a]];
    return a;
}

static uint32_t *sets_of(const CutGraph *g, Arena *mem)
{
    uint32_t *up = arena_array(mem, uint32_t, 2 * g->n_nodes);
    for (uint32_t m = 0; m < 2 * g->n_nodes; m++)
        up[m] = m;
    for (uint32_t k = 0; k < g->n_connects; k++) {
        uint32_t a = leader(up, 2 * g->connect[k].a + g->inside[k][0]);
        uint32_t b = leader(up, 2 * g->connect[k].b + g->inside[k][1]);
        up[a < b ? b : a] = a < b ? a : b;
    }
    for (uint32_t m = 0; m < 2 * g->n_nodes; m++)
        up[m] = leader(up, m);
    return up;
}

/* Whatever is connected: what is written anew connects the same, by no connect more than it takes.
 */
Test(cut_choice, connects_the_same)
{
    for (unsigned seed = 0; seed < 500; seed++) {
        srand(seed);
        Arena *mem = arena_new();
        uint32_t n = 2 + (uint32_t)rand() % 30, n_connects = (uint32_t)rand() % 60, n_branches = 0;
        SpanningEdge *branch = arena_array(mem, SpanningEdge, n);
        bool *moves = arena_array(mem, bool, n);
        uint32_t *component = arena_array(mem, uint32_t, n);
        SpanningEdge *connect = arena_array(mem, SpanningEdge, n_connects);
        bool(*inside)[2] = (bool(*)[2])arena_array(mem, bool, 2 * n_connects + 1);
        for (uint32_t a = 0; a < n; a++)
            component[a] = (uint32_t)rand() % n;
        for (uint32_t a = 0; a + 1 < n; a += 2) {
            moves[n_branches] = rand() % 2;
            branch[n_branches++] = (SpanningEdge){a, (uint32_t)rand() % n};
        }
        for (uint32_t k = 0; k < n_connects; k++) {
            connect[k] = (SpanningEdge){(uint32_t)rand() % n, (uint32_t)rand() % n};
            inside[k][0] = rand() % 4;
            inside[k][1] = rand() % 4;
        }
        uint32_t root[] = {0};
        CutGraph g = {.n_nodes = n,
                      .n_branches = n_branches,
                      .n_connects = n_connects,
                      .n_roots = 1,
                      .branch = branch,
                      .moves = moves,
                      .root = root,
                      .component = component,
                      .connect = connect,
                      .inside = inside};
        uint32_t *before = sets_of(&g, mem);
        uint8_t *rank = cut_choice(&g, mem);
        uint32_t *after = sets_of(&g, mem);
        uint32_t n_sets = 0, n_needed = 0;
        for (uint32_t m = 0; m < 2 * n; m++) {
            cr_assert_eq(before[m], after[m], "seed %u", seed);
            n_sets += after[m] == m;
        }
        for (uint32_t k = 0; k < n_connects; k++)
            n_needed += rank[k] != CUT_REPEATS;
        cr_assert_eq(n_needed + n_sets, 2 * n, "seed %u", seed);
        arena_free(mem);
    }
}
