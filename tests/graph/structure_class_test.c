#include "graph/structure_class.h"

#include "graph/by_igraph.h"
#include "graph/order.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* n structures, each of two equal bars side by side between a top and a bottom: e0 = top, pairs a,
 * b in the middle, a', b' that take them up, a bottom with both. Rows of the pair a come before
 * those of b; a' and b' change places in structures marked in `crossed`. */
static Incidence twin_bars(uint32_t n, uint32_t crossed, Arena *mem)
{
    enum { TOP, A, B, A2, B2, BOTTOM, SIZE };
    IncidenceBuilder b = incidence_begin(mem, n * SIZE);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t v = k * SIZE;
        uint32_t of_a2 = crossed >> k & 1 ? B : A, of_b2 = crossed >> k & 1 ? A : B;
        for (uint32_t i = 0; i < SIZE; i++) {
            incidence_row(&b);
            incidence_edge(&b, v + i, LABEL_ONE, 1);
            if (i == A || i == B)
                incidence_edge(&b, v + TOP, LABEL_OTHER, 0);
            if (i == A2)
                incidence_edge(&b, v + of_a2, LABEL_OTHER, 0);
            if (i == B2)
                incidence_edge(&b, v + of_b2, LABEL_OTHER, 0);
            if (i == BOTTOM) {
                incidence_edge(&b, v + A2, LABEL_CONST, 0);
                incidence_edge(&b, v + B2, LABEL_CONST, 0);
            }
        }
    }
    return incidence_done(&b);
}

static Order by_structure(uint32_t n, uint32_t size, Arena *mem)
{
    Order o = order_as_given(n * size, mem);
    o.stage = arena_array(mem, uint32_t, n * size);
    for (uint32_t k = 0; k < n * size; k++)
        o.stage[k] = k / size;
    return o;
}

/* Equal colours do not tell the bars apart. In structures of one class equal roles must have equal
 * entries all the same. */
Test(structure_class, pairs_of_one_colour_keep_together)
{
    enum { N = 4, SIZE = 6 };
    for (uint32_t crossed = 0; crossed < 1 << N; crossed++) {
        Arena *mem = arena_new();
        Incidence g = twin_bars(N, crossed, mem);
        Order o = by_structure(N, SIZE, mem);
        StructureClasses c = structure_classes(&o, &g, mem);
        cr_assert(structure_classes_check(&c, &o));
        cr_assert_eq(c.n, 1);
        cr_assert_eq(c.n_ranges, N);
        for (uint32_t k = 1; k < N; k++) {
            for (uint32_t i = 0; i < SIZE; i++) {
                for (uint32_t j = 0; j < SIZE; j++) {
                    uint32_t first = incidence_find(&g, o.eq[c.by_role[i]], o.var[c.by_role[j]]);
                    uint32_t here = incidence_find(&g, o.eq[c.by_role[k * SIZE + i]],
                                                   o.var[c.by_role[k * SIZE + j]]);
                    cr_assert_eq(first == INC_NONE, here == INC_NONE, "crossed %u, structure %u",
                                 crossed, k);
                    cr_assert(first == INC_NONE || g.label[first] == g.label[here]);
                }
            }
        }
        arena_free(mem);
    }
}

/* A ring of six and two rings of three: colour refinement cannot tell them apart, they are not
 * alike. */
Test(structure_class, rings_are_told_apart)
{
    enum { SIZE = 6 };
    Arena *mem = arena_new();
    IncidenceBuilder b = incidence_begin(mem, 2 * SIZE);
    for (uint32_t i = 0; i < SIZE; i++) {
        incidence_row(&b);
        incidence_edge(&b, i, LABEL_ONE, 1);
        incidence_edge(&b, (i + 1) % SIZE, LABEL_OTHER, 0);
    }
    for (uint32_t i = 0; i < SIZE; i++) {
        incidence_row(&b);
        incidence_edge(&b, SIZE + i, LABEL_ONE, 1);
        incidence_edge(&b, SIZE + i / 3 * 3 + (i + 1) % 3, LABEL_OTHER, 0);
    }
    Incidence g = incidence_done(&b);
    Order o = by_structure(2, SIZE, mem);
    StructureClasses c = structure_classes(&o, &g, mem);
    cr_assert(structure_classes_check(&c, &o));
    cr_assert_eq(c.n, 2);
    arena_free(mem);
}

Test(structure_class, checker_and_dump)
{
    Arena *mem = arena_new();
    Incidence g = twin_bars(2, 0, mem);
    Order o = by_structure(2, 6, mem);
    StructureClasses c = structure_classes(&o, &g, mem);
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    structure_classes_dump(&c, &o, f);
    fclose(f);
    cr_assert_eq(strncmp(text, "class 0: (", 10), 0);
    cr_assert(strstr(text, "\nclass 0: ("));
    free(text);
    c.by_role[0] = c.by_role[1];
    cr_assert_not(structure_classes_check(&c, &o));
    arena_free(mem);
}
