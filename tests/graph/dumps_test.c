/* What the structures of graph/ print, in a debugger or a failing test: by numbers. */
#include "graph/blocks.h"
#include "graph/dissection.h"
#include "graph/dulmage.h"
#include "graph/matching.h"
#include "graph/order.h"
#include "graph/spanning.h"
#include "graph/state.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Page {
    char *text;
    size_t n;
    FILE *f;
} Page;

static FILE *page_open(Page *p)
{
    p->f = open_memstream(&p->text, &p->n);
    return p->f;
}

static void page_is(Page *p, const char *want)
{
    fclose(p->f);
    cr_expect_str_eq(p->text, want);
    free(p->text);
}

/* e0: v0 = 1, e1: 2*v0 - v1 = 0, e2: nonlinear in v1 */
static Incidence three_by_two(Arena *mem)
{
    IncidenceBuilder b = incidence_begin(mem, 2);
    incidence_row(&b);
    incidence_edge(&b, 0, LABEL_ONE, 1);
    incidence_row(&b);
    incidence_edge(&b, 0, LABEL_CONST, 0);
    incidence_edge(&b, 1, LABEL_ONE, -1);
    incidence_row(&b);
    incidence_edge(&b, 1, LABEL_NONLINEAR, 0);
    return incidence_done(&b);
}

Test(dumps, of_incidence_matching_and_blocks)
{
    Arena *mem = arena_new();
    Incidence g = three_by_two(mem);
    Page p;
    incidence_dump(&g, page_open(&p));
    page_is(&p, "incidence 3 x 2, 4 edges\ne0: 1*v0\ne1: c*v0 -1*v1\ne2: n*v1\n");
    Matching m = matching_natural(&g, mem);
    matching_dump(&m, &g, page_open(&p));
    page_is(&p, "matching of size 2 in 3 x 2\ne0 -> v0 (+-1)\ne1 -> v1 (+-1)\ne2: unmatched\n");
    Blocks b = blocks_find(&g, &m, mem);
    cr_assert(blocks_check(&b, &g, &m));
    blocks_dump(&b, page_open(&p));
    page_is(&p, "2 blocks\nblock 0: e0->v0\nblock 1: e1->v1\n");
    Dulmage d = dulmage_find(&g, &m, mem);
    cr_assert(dulmage_check(&d, &g, &m));
    dulmage_dump(&d, page_open(&p));
    page_is(&p, "over-determined, 3 equations, 2 unknowns: e0 e1 e2 v0 v1\n"
                "under-determined, 0 equations, 0 unknowns:\n"
                "well determined, 0 equations, 0 unknowns:\n");
    arena_free(mem);
}

Test(dumps, of_orders)
{
    Arena *mem = arena_new();
    Page p;
    Order o = order_as_given(2, mem);
    order_dump(&o, page_open(&p));
    page_is(&p, "order of 2 pairs, 0 of them torn\n0: e0 -> v0\n1: e1 -> v1\n");
    o = order_failed("it fills");
    cr_assert_eq(o.n, 0);
    order_dump(&o, page_open(&p));
    page_is(&p, "no order: it fills\n");
    o = order_empty(3, mem);
    cr_assert_eq(o.n, 0);
    cr_assert_null(o.why);
    arena_free(mem);
}

/* Of x + y = 1 and its derivative one of der(x), der(y) is a dummy. */
Test(dumps, of_index_reduction)
{
    Arena *mem = arena_new();
    enum { X, Y, DX, DY };
    const uint32_t der[] = {DX, DY, INC_NONE, INC_NONE};
    IncidenceBuilder b = incidence_begin(mem, 4);
    incidence_row(&b); /* x + y = 1 */
    incidence_edge(&b, X, LABEL_ONE, 1);
    incidence_edge(&b, Y, LABEL_ONE, 1);
    incidence_row(&b); /* der(x) = 2*der(y) + 1 */
    incidence_edge(&b, DX, LABEL_ONE, 1);
    incidence_edge(&b, DY, LABEL_CONST, 0);
    Incidence g = incidence_done(&b);
    Pantelides r = pantelides_find(&g, der, mem);
    Page p;
    pantelides_dump(&r, page_open(&p));
    page_is(&p, "1 new equations, 0 new variables, at most 1 differentiations\ne2 = der(e0)\n");
    States s = states_find(&r, NULL, mem);
    cr_assert(states_check(&s, &r));
    states_dump(&s, page_open(&p));
    page_is(&p, "1 states: v0\ndummy derivatives: v3\n");
    arena_free(mem);
}

Test(dumps, of_spanning_trees)
{
    Arena *mem = arena_new();
    const SpanningEdge branch[] = {{0, 1}}, connect[] = {{1, 2}, {2, 0}};
    const uint32_t root[] = {0};
    SpanningGraph g = {.n_nodes = 3,
                       .n_branches = 1,
                       .n_connects = 2,
                       .n_roots = 1,
                       .branch = branch,
                       .connect = connect,
                       .root = root};
    Spanning s = spanning_find(&g, mem);
    cr_assert(spanning_check(&s, &g));
    Page p;
    spanning_dump(&s, &g, page_open(&p));
    page_is(&p, "spanning trees over 3 nodes\nnode 0: root\nnode 1: under 0, root 0\n"
                "node 2: under 1, root 0\nbroken: 2 -- 0\n");
    arena_free(mem);
}

/* METIS cuts a path of nodes at a separator, which comes last. */
Test(dissection, metis_orders_every_node_once)
{
    enum { N = 300 };
    uint32_t begin[N + 1], next[2 * N], perm[N], n = 0;
    for (uint32_t k = 0; k < N; k++) {
        begin[k] = n;
        if (k > 0)
            next[n++] = k - 1;
        if (k + 1 < N)
            next[n++] = k + 1;
    }
    begin[N] = n;
    metis_dissect(N, begin, next, perm);
    bool seen[N] = {false};
    for (uint32_t k = 0; k < N; k++) {
        cr_assert(perm[k] < N && !seen[perm[k]]);
        seen[perm[k]] = true;
    }
    cr_assert(perm[N - 1] > N / 10 && perm[N - 1] < N - N / 10);
}
