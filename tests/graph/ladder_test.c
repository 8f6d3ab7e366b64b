#include "graph/ladder.h"

#include "graph/order.h"
#include "ir/residue.h"
#include "tests/graph/multibody.h"
#include "tests/graph/random_incidence.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { Q1, Q2, A1, A2, F1, F2, UNKNOWNS };

/* The two masses of ladder.h, equations in the order they stand there. */
static Incidence two_masses(Arena *mem)
{
    IncidenceBuilder b = incidence_begin(mem, UNKNOWNS);
    incidence_row(&b); /* a1 = q1 */
    incidence_edge(&b, A1, LABEL_ONE, 1);
    incidence_edge(&b, Q1, LABEL_ONE, -1);
    incidence_row(&b); /* a2 = a1 + q2 */
    incidence_edge(&b, A2, LABEL_ONE, 1);
    incidence_edge(&b, A1, LABEL_ONE, -1);
    incidence_edge(&b, Q2, LABEL_ONE, -1);
    incidence_row(&b); /* f2 = 3*a2 */
    incidence_edge(&b, F2, LABEL_ONE, 1);
    incidence_edge(&b, A2, LABEL_CONST, 0);
    incidence_row(&b); /* f1 = f2 + 2*a1 */
    incidence_edge(&b, F1, LABEL_ONE, 1);
    incidence_edge(&b, F2, LABEL_ONE, -1);
    incidence_edge(&b, A1, LABEL_CONST, 0);
    incidence_row(&b); /* f2 = u2, times something that keeps it from being a natural pair */
    incidence_edge(&b, F2, LABEL_OTHER, 0);
    incidence_row(&b); /* f1 = u1 */
    incidence_edge(&b, F1, LABEL_OTHER, 0);
    return incidence_done(&b);
}

static char *text_of(const Ladder *l)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    ladder_dump(l, f);
    fclose(f);
    return text;
}

Test(ladder, two_masses_as_in_the_header)
{
    Arena *mem = arena_new();
    Incidence g = two_masses(mem);
    Ladder l = ladder_find(&g, mem);
    cr_assert(ladder_check(&l, &g));
    char *text = text_of(&l);
    cr_assert_str_eq(text, "ladder of 2 body structures, 0 loop handles, 4 natural pairs\n"
                           "structure 0: e4 ... v1, on structure 1\n"
                           "structure 1: e5 ... v0\n"
                           "e0 -> v2, structure 1\n"
                           "e1 -> v3, structure 0\n"
                           "e2 -> v5, structure 0\n"
                           "e3 -> v4, structure 1\n");
    free(text);
    for (int rule = 0; rule < LADDER_RULES; rule++) {
        Order o = ladder_order(&l, &g, (LadderRule)rule, mem);
        cr_assert_null(o.why);
        cr_assert(order_check(&o, &g));
        cr_assert(order_estimate(&o, &g, mem).ok, "rule %d", rule);
        cr_assert_eq(o.stage[0], 0);
        cr_assert_eq(o.stage[5], 1);
    }
    l.handle[0].parent = 0;
    cr_assert_not(ladder_check(&l, &g));
    arena_free(mem);
}

/* The matrix of q2 and q1 comes last, q2 first, whatever the order inside the structures. */
Test(ladder, composite_bodies_leave_the_handles_for_the_end)
{
    Arena *mem = arena_new();
    Incidence g = two_masses(mem);
    Ladder l = ladder_find(&g, mem);
    for (int rule = 0; rule < LADDER_RULES; rule++) {
        Order o = ladder_composite(&l, &g, (LadderRule)rule, UINT64_MAX, mem);
        cr_assert_null(o.why);
        cr_assert(order_check(&o, &g));
        cr_assert(order_estimate(&o, &g, mem).ok);
        for (uint32_t k = 0; k < l.n; k++) {
            uint32_t at = o.n - l.n + k;
            cr_assert_eq(o.eq[at], l.handle[k].eq);
            cr_assert_eq(o.var[at], l.handle[k].var);
            cr_assert_eq(o.stage[at], INC_NONE);
        }
    }
    /* one pair of structures, one of which carries the other */
    cr_assert_not_null(ladder_composite(&l, &g, LADDER_FILL, 0, mem).why);
    cr_assert_null(ladder_composite(&l, &g, LADDER_FILL, 1, mem).why);
    arena_free(mem);
}

Test(ladder, says_why_there_is_none)
{
    Arena *mem = arena_new();
    IncidenceBuilder b = incidence_begin(mem, 1);
    incidence_row(&b);
    incidence_edge(&b, 0, LABEL_OTHER, 0);
    Incidence g = incidence_done(&b);
    Ladder l = ladder_find(&g, mem);
    cr_assert_not_null(l.why);
    cr_assert_not_null(ladder_order(&l, &g, LADDER_FILL, mem).why);
    char *text = text_of(&l);
    cr_assert_eq(strncmp(text, "no ladder: ", 11), 0);
    free(text);
    arena_free(mem);
}

/* Elements of one array in two structures one on the other: all go into the earlier one. */
Test(ladder, arrays_keep_together)
{
    Arena *mem = arena_new();
    Incidence g = two_masses(mem), plain = g;
    uint32_t group[UNKNOWNS], index[UNKNOWNS] = {0};
    memset(group, 0xff, sizeof group);
    group[A1] = group[A2] = 0;
    index[A2] = 1;
    incidence_set_col_groups(&g, group, index, 1);
    Ladder l = ladder_find(&plain, mem);
    bool none[UNKNOWNS] = {false};
    cr_assert_eq(ladder_keep_together(&l, &g, none, mem), 0);
    cr_assert_eq(l.stage_of[0], 1);
    cr_assert_eq(ladder_keep_together(&l, &g, NULL, mem), 1);
    cr_assert_eq(l.stage_of[0], 0);
    cr_assert(ladder_check(&l, &g));
    arena_free(mem);
}

/* The pairs of m, then rows that determine n more unknowns. */
static Matching with_pairs(const Matching *m, uint32_t n, const uint32_t *more, Arena *mem)
{
    uint32_t all = m->n_rows + n;
    Matching out = {.n_rows = all,
                    .n_cols = all,
                    .eq_of = arena_array(mem, uint32_t, all),
                    .var_of = arena_array(mem, uint32_t, all),
                    .size = m->size + n};
    memcpy(out.eq_of, m->eq_of, m->n_cols * sizeof *m->eq_of);
    memcpy(out.var_of, m->var_of, m->n_rows * sizeof *m->var_of);
    for (uint32_t k = 0; k < n; k++) {
        out.var_of[m->n_rows + k] = more[k];
        out.eq_of[more[k]] = m->n_rows + k;
    }
    return out;
}

/* The larger matrix of two masses: positions s1, s2 with s1 = h*a1, and forces of springs between
 * them, as an implicit step has. Handles stay, and what a tearing variable moves comes along. */
Test(ladder, extends_to_a_larger_matrix)
{
    Arena *mem = arena_new();
    enum { S1 = UNKNOWNS, S2, ALL };
    Incidence inner = two_masses(mem);
    Ladder l = ladder_find(&inner, mem);
    IncidenceBuilder b = incidence_begin(mem, ALL);
    uint32_t row[UNKNOWNS], col[UNKNOWNS];
    for (uint32_t e = 0; e < UNKNOWNS; e++) {
        row[e] = incidence_row(&b);
        col[e] = e;
        for (uint32_t k = inner.row_begin[e]; k < inner.row_begin[e + 1]; k++)
            incidence_edge(&b, inner.col[k], (Label)inner.label[k], inner.sign[k]);
        if (e == 5) /* f1 = u1 - 4*s1 */
            incidence_edge(&b, S1, LABEL_CONST, 0);
    }
    for (uint32_t k = 0; k < 2; k++) {
        incidence_row(&b);
        incidence_edge(&b, S1 + k, LABEL_ONE, 1);
        incidence_edge(&b, A1 + k, LABEL_PARAM, 0);
    }
    Incidence g = incidence_done(&b);
    static const uint32_t MORE[] = {S1, S2};
    Matching natural = with_pairs(&l.natural, 2, MORE, mem);
    Ladder all = ladder_extend(&l, row, col, &natural, &g, mem);
    cr_assert(ladder_check(&all, &g));
    cr_assert_eq(all.n, 2);
    cr_assert_eq(all.n_loops, 0);
    cr_assert_eq(all.stage_of[6], 1, "s1 is moved by q1");
    cr_assert_eq(all.stage_of[7], INC_NONE, "s2 is used by nobody and comes last");
    Order o = ladder_order(&all, &g, LADDER_FILL, mem);
    cr_assert_null(o.why);
    cr_assert(order_check(&o, &g));
    cr_assert(order_estimate(&o, &g, mem).ok);
    arena_free(mem);
}

/* As above, with the rotations r1, r2 of balls: r = h*w, w = h*a, but the acceleration of a mass is
 * turned by its own rotation, too: a = ... + c*r. The pairs of such a circle belong to the
 * structure whose tearing variable moves them, in whatever order they are met. */
Test(ladder, circles_come_into_the_structure_that_moves_them)
{
    Arena *mem = arena_new();
    enum { R1 = UNKNOWNS, R2, W1, W2, ALL };
    Incidence inner = two_masses(mem);
    Ladder l = ladder_find(&inner, mem);
    for (int turned = 0; turned < 2; turned++) {
        IncidenceBuilder b = incidence_begin(mem, ALL);
        uint32_t row[UNKNOWNS], col[UNKNOWNS], of[4];
        for (uint32_t e = 0; e < UNKNOWNS; e++) {
            row[e] = incidence_row(&b);
            col[e] = e;
            for (uint32_t k = inner.row_begin[e]; k < inner.row_begin[e + 1]; k++)
                incidence_edge(&b, inner.col[k], (Label)inner.label[k], inner.sign[k]);
            if (e < 2)
                incidence_edge(&b, R1 + e, LABEL_OTHER, 0);
        }
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t u = of[k] = R1 + (turned ? 3 - k : k);
            incidence_row(&b);
            incidence_edge(&b, u, LABEL_ONE, 1);
            incidence_edge(&b, u < W1 ? u + 2 : A1 + (u - W1), LABEL_PARAM, 0);
        }
        Incidence g = incidence_done(&b);
        Matching natural = with_pairs(&l.natural, 4, of, mem);
        Ladder all = ladder_extend(&l, row, col, &natural, &g, mem);
        cr_assert(ladder_check(&all, &g));
        for (uint32_t k = 0; k < 4; k++)
            cr_assert_eq(all.stage_of[UNKNOWNS + k], of[k] == R1 || of[k] == W1,
                         "unknown %u, rows turned: %d", of[k], turned);
    }
    arena_free(mem);
}

/* A slide carries a hinge: accelerations a of the slide and z of the hinge; the force along the
 * slide, 2*a, contains 5*z - 5*z of two points of the body as well, the torque 3*z. Nearest to z is
 * the force, but there it cancels. */
Test(ladder, a_residual_in_which_the_tearing_variable_cancels_is_none_of_its_own)
{
    enum { A, Z, P, N, F, T, ALL };
    static const struct {
        uint32_t row, col;
        int coefficient;
    } ENTRY[] = {{0, P, 1}, {0, Z, -5}, {1, N, 1},  {1, Z, 5}, /* points  */
                 {2, F, 1}, {2, A, -2}, {2, P, -7}, {2, N, -7},
                 {3, T, 1}, {3, Z, -3}, /* balances */
                 {4, F, 2}, {5, T, 2}};
    Arena *mem = arena_new();
    IncidenceBuilder b = incidence_begin(mem, ALL);
    uint64_t residue[sizeof ENTRY / sizeof *ENTRY];
    for (uint32_t k = 0; k < sizeof ENTRY / sizeof *ENTRY; k++) {
        int x = ENTRY[k].coefficient;
        if (k == 0 || ENTRY[k].row != ENTRY[k - 1].row)
            incidence_row(&b);
        incidence_edge(&b, ENTRY[k].col, x == 1 ? LABEL_ONE : LABEL_CONST, x == 1);
    }
    Incidence g = incidence_done(&b);
    for (uint32_t k = 0; k < sizeof ENTRY / sizeof *ENTRY; k++) {
        int x = ENTRY[k].coefficient;
        residue[incidence_find(&g, ENTRY[k].row, ENTRY[k].col)] =
            x < 0 ? residue_negated((uint64_t)-x) : (uint64_t)x;
    }
    g.residue = residue;
    Ladder l = ladder_find(&g, mem);
    cr_assert_null(l.why);
    cr_assert_eq(l.n, 2);
    for (uint32_t k = 0; k < 2; k++)
        cr_assert_eq(l.handle[k].eq, l.handle[k].var == A ? 4 : 5);
    arena_free(mem);
}

/* Values as alike as 1 and 2 cancel at every turn: a pair whose entry has gone waits with the ends
 * of loops, and the order is one, or says why it is none. */
Test(ladder, pairs_whose_entries_cancel, .timeout = 60)
{
    for (unsigned seed = 0; seed < 4000; seed++) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        g.residue = arena_array(mem, uint64_t, g.n_edges + 1);
        for (uint32_t k = 0; k < g.n_edges; k++)
            g.residue[k] = 1 + (uint64_t)rand() % 2;
        Ladder l = ladder_find(&g, mem);
        for (int rule = 0; rule < LADDER_RULES && !l.why; rule++) {
            Order o = ladder_order(&l, &g, (LadderRule)rule, mem);
            cr_assert(o.why || order_check(&o, &g), "seed %u, rule %d", seed, rule);
            o = ladder_composite(&l, &g, (LadderRule)rule, UINT64_MAX, mem);
            cr_assert(o.why || order_check(&o, &g), "seed %u, rule %d", seed, rule);
        }
        arena_free(mem);
    }
}
