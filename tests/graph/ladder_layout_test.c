/* Pictures of ladders: everybody has a place of his own, and the legs stand where they belong. */
#include "graph/ladder_layout.h"

#include "tests/graph/multibody.h"

#include <criterion/criterion.h>
#include <math.h>

static Mechanism random_mechanism(unsigned seed, Arena *mem)
{
    srand(seed);
    uint32_t n = 1 + (uint32_t)rand() % 20;
    Mechanism m = {.shape = (Shape)(seed % 3), .n = n, .parent = random_parents(n, mem)};
    if (seed % 4 == 3 && n > 1) {
        /* one loop: the tips of the last body and another one */
        uint32_t(*loop)[2] = arena_alloc(mem, sizeof *loop);
        loop[0][0] = n - 1;
        loop[0][1] = (uint32_t)rand() % (n - 1);
        m.n_loops = 1;
        m.loop = (const uint32_t(*)[2])loop;
    }
    return m;
}

static int compare_standings(const void *a, const void *b)
{
    const LayoutNode *x = a, *y = b;
    if (x->y != y->y)
        return x->y < y->y ? -1 : 1;
    return (x->x > y->x) - (x->x < y->x);
}

/* Sorted by rows: neighbours do not touch. */
static void all_apart(const LadderLayout *p, const Incidence *g, unsigned seed, Arena *mem)
{
    LayoutNode *all = arena_array(mem, LayoutNode, g->n_rows + g->n_cols);
    uint32_t n = 0;
    for (uint32_t k = 0; k < g->n_rows; k++)
        if (p->eq[k].shown)
            all[n++] = p->eq[k];
    for (uint32_t k = 0; k < g->n_cols; k++)
        if (p->var[k].shown)
            all[n++] = p->var[k];
    qsort(all, n, sizeof *all, compare_standings);
    for (uint32_t k = 0; k < n; k++) {
        cr_assert(all[k].x >= 0 && all[k].x <= p->width && all[k].y >= 0 && all[k].y <= p->height,
                  "seed %u: %g %g outside of %g by %g", seed, all[k].x, all[k].y, p->width,
                  p->height);
        cr_assert(k == 0 || all[k].y > all[k - 1].y || all[k].x > all[k - 1].x + 0.99,
                  "seed %u: two nodes at %g %g", seed, all[k].x, all[k].y);
    }
}

Test(ladder_layout, everybody_has_a_place, .timeout = 60)
{
    for (unsigned seed = 0; seed < 100; seed++) {
        Arena *mem = arena_new();
        Mechanism m = random_mechanism(seed, mem);
        Linear l = mechanism_equations(&m, seed, mem);
        Ladder ladder = ladder_find(&l.g, mem);
        cr_assert(!ladder.why, "seed %u: %s", seed, ladder.why);
        LadderLayout p = ladder_layout(&ladder, &l.g, ladder.n, mem);
        cr_assert_eq(p.n_hidden, 0);
        for (uint32_t e = 0; e < l.g.n_rows; e++) {
            cr_assert(p.eq[e].shown && p.var[e].shown, "seed %u: e%u", seed, e);
            uint32_t v = ladder.natural.var_of[e];
            if (v == INC_NONE)
                continue;
            cr_assert_float_eq(p.var[v].x, p.eq[e].x + 1, 1e-9);
            cr_assert_float_eq(p.var[v].y, p.eq[e].y, 1e-9);
        }
        /* a structure stands above the one that carries it, inside its band */
        for (uint32_t s = 0; s < ladder.n; s++) {
            const Band *b = &p.band[s];
            uint32_t up = ladder.handle[s].parent;
            cr_assert(up == INC_NONE || b->y + b->height < p.band[up].y, "seed %u", seed);
            const LayoutNode *residual = &p.eq[ladder.handle[s].eq];
            const LayoutNode *tear = &p.var[ladder.handle[s].var];
            cr_assert(residual->lane == LANE_RESIDUAL && tear->lane == LANE_TEARING);
            cr_assert(tear->x >= b->x && residual->x <= b->x + b->width);
        }
        all_apart(&p, &l.g, seed, mem);
        arena_free(mem);
    }
}

/* In a chain forces are handed from the tip to the ground, accelerations the other way; what a body
 * hands on is on a leg. */
Test(ladder_layout, edges_between_structures_join_legs)
{
    Arena *mem = arena_new();
    Mechanism m = {.shape = SHAPE_PLANAR, .n = 6, .parent = chain_parents(6, mem)};
    Linear l = mechanism_equations(&m, 1, mem);
    Ladder ladder = ladder_find(&l.g, mem);
    LadderLayout p = ladder_layout(&ladder, &l.g, ladder.n, mem);
    uint32_t kinematic = 0, kinetic = 0;
    for (uint32_t e = 0; e < l.g.n_rows; e++)
        for (uint32_t k = l.g.row_begin[e]; k < l.g.row_begin[e + 1]; k++) {
            uint32_t f = ladder.natural.eq_of[l.g.col[k]];
            if (f == INC_NONE || p.eq[f].structure == p.eq[e].structure ||
                p.eq[f].structure == INC_NONE || p.eq[e].structure == INC_NONE)
                continue;
            bool outwards = p.eq[e].y < p.eq[f].y;
            if (outwards) {
                kinematic += p.eq[f].lane == LANE_KINEMATIC;
                cr_assert(p.eq[f].lane != LANE_KINETIC, "e%u needs e%u", e, f);
            } else if (ladder.natural.var_of[e] != INC_NONE) {
                kinetic += p.eq[e].lane == LANE_KINETIC;
                cr_assert(p.eq[e].lane != LANE_KINEMATIC, "e%u needs e%u", e, f);
            }
        }
    /* next to the ground what is handed on may come straight back */
    cr_assert(kinematic >= 8 && kinetic >= 8, "%u %u", kinematic, kinetic);
    arena_free(mem);
}

Test(ladder_layout, of_many_structures_the_nearest_are_shown, .timeout = 60)
{
    Arena *mem = arena_new();
    Mechanism m = {.shape = SHAPE_PLANAR, .n = 5000, .parent = chain_parents(5000, mem)};
    Linear l = mechanism_equations(&m, 1, mem);
    Ladder ladder = ladder_find(&l.g, mem);
    LadderLayout p = ladder_layout(&ladder, &l.g, 10, mem);
    cr_assert_eq(p.n_hidden, ladder.n - 10);
    uint32_t shown = 0;
    for (uint32_t s = 0; s < ladder.n; s++) {
        shown += p.band[s].shown;
        cr_assert_eq(p.band[s].shown, ladder.handle[s].depth < 10);
    }
    cr_assert_eq(shown, 10);
    all_apart(&p, &l.g, 0, mem);
    arena_free(mem);
}
