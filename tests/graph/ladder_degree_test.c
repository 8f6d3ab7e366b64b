#include "graph/ladder_degree.h"
#include "graph/order.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { Q = 3, LEG = 5 * Q, BODY = 6, POINTS = 2 };

static double any_number(void)
{
    return (rand() % 2 ? 1 : -1) * (0.5 + (double)rand() / RAND_MAX);
}

/* Legs with a body on them: q of each leg, of the body; x = G q at the leg's end, y = B q there on
 * the body; l + p (x - y) = s;  f = G' l;  M q + f = u;  M q - B' l = u of the body. */
typedef struct Legs {
    uint32_t m, n;
    double *a; /* n x n, at each point */
    Incidence g;
    Ladder l;
    double *number;
} Legs;

static void put(Legs *t, uint32_t point, uint32_t row, uint32_t col, double x)
{
    t->a[((size_t)point * t->n + row) * t->n + col] = x;
}

static void fill(Legs *t, uint32_t point, uint32_t n_massless)
{
    const double penalty = 1e4;
    uint32_t body = LEG * t->m;
    for (uint32_t k = 0; k < BODY; k++)
        put(t, point, body + k, body + k, 2);
    for (uint32_t leg = 0; leg < t->m; leg++) {
        uint32_t q = LEG * leg, x = q + Q, y = x + Q, l = y + Q, f = l + Q;
        for (uint32_t i = 0; i < Q; i++) {
            put(t, point, x + i, x + i, 1);
            put(t, point, y + i, y + i, 1);
            put(t, point, l + i, l + i, 1);
            put(t, point, l + i, x + i, penalty);
            put(t, point, l + i, y + i, -penalty);
            put(t, point, f + i, f + i, 1);
            put(t, point, q + i, f + i, 1);
            for (uint32_t k = 0; k < Q; k++) {
                double slope = any_number() + (i == k ? 3 : 0);
                put(t, point, x + i, q + k, -slope);
                put(t, point, f + k, l + i, -slope);
                if (i >= n_massless && k >= n_massless)
                    put(t, point, q + i, q + k, i == k ? 1.5 : i + k == 2 ? 0.2 : 0.1);
            }
            for (uint32_t k = 0; k < BODY; k++) {
                double slope = any_number();
                put(t, point, y + i, body + k, -slope);
                put(t, point, body + k, l + i, -slope);
            }
        }
    }
}

/* Handles are paired crosswise, as a ladder may have found them. */
static Legs legs_of(uint32_t m, uint32_t n_massless, Arena *mem)
{
    Legs t = {.m = m, .n = LEG * m + BODY};
    t.a = arena_array(mem, double, (size_t)POINTS *t.n *t.n);
    for (uint32_t point = 0; point < POINTS; point++)
        fill(&t, point, n_massless);
    IncidenceBuilder b = incidence_begin(mem, t.n);
    for (uint32_t e = 0; e < t.n; e++) {
        incidence_row(&b);
        for (uint32_t v = 0; v < t.n; v++)
            if (t.a[e * t.n + v] != 0)
                incidence_edge(&b, v, e == v && t.a[e * t.n + v] == 1 ? LABEL_ONE : LABEL_OTHER, 1);
    }
    t.g = incidence_done(&b);
    t.number = arena_array(mem, double, (size_t)t.g.n_edges *POINTS);
    for (uint32_t e = 0; e < t.n; e++)
        for (uint32_t k = t.g.row_begin[e]; k < t.g.row_begin[e + 1]; k++)
            for (uint32_t p = 0; p < POINTS; p++)
                t.number[k * POINTS + p] = t.a[((size_t)p * t.n + e) * t.n + t.g.col[k]];
    Ladder *l = &t.l;
    l->natural = (Matching){t.n, t.n, arena_array(mem, uint32_t, t.n),
                            arena_array(mem, uint32_t, t.n), t.n - BODY - Q * m};
    l->handle = arena_array(mem, LadderHandle, t.n);
    l->loop_eq = arena_array(mem, LadderLoop, t.n);
    l->loop_var = arena_array(mem, LadderLoop, t.n);
    for (uint32_t e = 0; e < t.n; e++) {
        bool is_body = e >= LEG * m, is_end = is_body || e % LEG < Q;
        l->natural.var_of[e] = l->natural.eq_of[e] = is_end ? INC_NONE : e;
        if (!is_end)
            continue;
        uint32_t first = is_body ? LEG * m : e - e % LEG, size = is_body ? BODY : Q;
        uint32_t other = first + (e - first + 1) % size;
        if (!is_body && e % LEG < n_massless) {
            l->loop_eq[l->n_loops] = (LadderLoop){e, INC_NONE};
            l->loop_var[l->n_loops++] = (LadderLoop){other, INC_NONE};
        } else {
            l->handle[l->n++] = (LadderHandle){e, other, INC_NONE, 0};
        }
    }
    return t;
}

/* The smallest pivot of a dense elimination in the order, at a point. */
static double smallest_pivot(const Legs *t, const Order *o, uint32_t point, Arena *mem)
{
    uint32_t n = t->n;
    double *a = arena_array(mem, double, (size_t)n *n), least = INFINITY;
    memcpy(a, t->a + (size_t)point * n * n, (size_t)n * n * sizeof *a);
    for (uint32_t s = 0; s < n; s++) {
        uint32_t e = o->eq[s], v = o->var[s];
        least = fmin(least, fabs(a[e * n + v]));
        for (uint32_t later = s + 1; later < n && a[e * n + v] != 0; later++) {
            uint32_t r = o->eq[later];
            double f = a[r * n + v] / a[e * n + v];
            for (uint32_t c = 0; c < n && f != 0; c++)
                a[r * n + c] -= f * a[e * n + c];
        }
    }
    return least;
}

static const DegreePrice BY_DEGREE = {0, false};

/* Legs of mass or with a coordinate that moves none. */
Test(ladder_degree, pairs_are_those_of_the_diagonal)
{
    for (unsigned seed = 0; seed < 40; seed++) {
        srand(seed);
        Arena *mem = arena_new();
        Legs t = legs_of(1 + seed % 5, seed % 3, mem);
        Order o = ladder_degree_order(ladder_pairs(&t.l, &t.g, t.number, POINTS, mem),
                                      (DegreePrice){0, seed % 2}, UINT64_MAX, mem);
        cr_assert(!o.why, "seed %u: %s", seed, o.why);
        cr_assert(order_check(&o, &t.g), "seed %u", seed);
        for (uint32_t k = 0; k < o.n; k++)
            cr_assert_eq(o.eq[k], o.var[k], "seed %u", seed);
        for (uint32_t point = 0; point < POINTS; point++)
            cr_assert_gt(smallest_pivot(&t, &o, point, mem), 0.5, "seed %u", seed);
        arena_free(mem);
    }
}

static uint64_t cost_of_legs(uint32_t m, Arena *mem)
{
    srand(1);
    Legs t = legs_of(m, 0, mem);
    Order o = ladder_degree_order(ladder_pairs(&t.l, &t.g, t.number, POINTS, mem), BY_DEGREE,
                                  UINT64_MAX, mem);
    cr_assert(!o.why, "%s", o.why);
    OrderEstimate p = order_estimate(&o, &t.g, mem);
    cr_assert(p.ok);
    return p.ops;
}

Test(ladder_degree, legs_go_before_the_body_that_they_carry)
{
    Arena *mem = arena_new();
    uint64_t a = cost_of_legs(4, mem), b = cost_of_legs(8, mem), c = cost_of_legs(16, mem);
    cr_assert_eq(c - b, 2 * (b - a), "%lu, %lu, %lu", (unsigned long)a, (unsigned long)b,
                 (unsigned long)c);
    Legs t = legs_of(4, 0, mem);
    cr_assert_not_null(
        ladder_degree_order(ladder_pairs(&t.l, &t.g, t.number, POINTS, mem), BY_DEGREE, a / 2, mem)
            .why);
    arena_free(mem);
}

/* Of three unknowns in a circle each is solved for by adding: there are pivots 1 - u. */
static Order circle(double u, Arena *mem)
{
    enum { N = 3 };
    IncidenceBuilder b = incidence_begin(mem, N);
    double *number = arena_array(mem, double, 2 * N);
    for (uint32_t e = 0, edge = 0; e < N; e++) {
        uint32_t next = (e + 1) % N;
        incidence_row(&b);
        incidence_edge(&b, e, LABEL_ONE, 1);
        incidence_edge(&b, next, LABEL_OTHER, 0);
        number[edge++] = e < next ? 1 : -u;
        number[edge++] = e < next ? -u : 1;
    }
    Incidence g = incidence_done(&b);
    uint32_t self[] = {0, 1, 2};
    Ladder l = {.natural = {N, N, self, self, N}};
    return ladder_degree_order(ladder_pairs(&l, &g, number, 1, mem), BY_DEGREE, UINT64_MAX, mem);
}

Test(ladder_degree, circles_are_taken_if_their_pivots_cannot_vanish)
{
    Arena *mem = arena_new();
    cr_assert_null(circle(0.5, mem).why);
    cr_assert_not_null(circle(0.9, mem).why);
    cr_assert_not_null(circle(2, mem).why);
    arena_free(mem);
}

Test(ladder_degree, says_why_there_is_no_order)
{
    Arena *mem = arena_new();
    Legs t = legs_of(1, 0, mem);
    for (uint32_t k = 0; k < t.g.n_edges * POINTS; k++)
        t.number[k] = NAN;
    cr_assert_not_null(ladder_degree_order(ladder_pairs(&t.l, &t.g, t.number, POINTS, mem),
                                           BY_DEGREE, UINT64_MAX, mem)
                           .why);
    t.l.why = "none";
    cr_assert_str_eq(ladder_degree_order(ladder_pairs(&t.l, &t.g, t.number, POINTS, mem), BY_DEGREE,
                                         UINT64_MAX, mem)
                         .why,
                     "none");
    arena_free(mem);
}

/* q = a - b, f = 3 a, with the handle a; `label` is that of q there. Whether q becomes the handle,
 * and a is found by its pair. */
static bool is_exchanged(Label label, bool is_wanted, Arena *mem)
{
    enum { A, F, Q, N };
    IncidenceBuilder b = incidence_begin(mem, N);
    incidence_row(&b);
    incidence_edge(&b, A, LABEL_ONE, 1);
    incidence_edge(&b, Q, label, 1);
    incidence_row(&b);
    incidence_edge(&b, A, LABEL_CONST, 3);
    incidence_edge(&b, F, LABEL_ONE, 1);
    incidence_row(&b);
    incidence_edge(&b, F, LABEL_ONE, 1);
    incidence_edge(&b, Q, LABEL_OTHER, 0);
    Incidence g = incidence_done(&b);
    uint32_t var_of[] = {Q, F, INC_NONE}, eq_of[] = {INC_NONE, 1, 0};
    LadderHandle handle = {2, A, INC_NONE, 0};
    Ladder l = {.natural = {N, N, eq_of, var_of, 2}, .n = 1, .handle = &handle};
    bool wanted[] = {false, false, is_wanted};
    uint32_t n = ladder_exchange_handles(&l, &g, wanted, mem);
    cr_assert_eq(handle.var, A);
    cr_assert_eq(var_of[0], Q);
    cr_assert_eq(l.natural.var_of[1], F);
    cr_assert_eq(l.handle[0].var, n ? Q : A);
    cr_assert_eq(l.natural.var_of[0], n ? A : Q);
    cr_assert_eq(l.natural.eq_of[A], n ? 0 : INC_NONE);
    cr_assert_eq(l.natural.eq_of[Q], n ? INC_NONE : 0);
    return n > 0;
}

Test(ladder_degree, handles_are_the_unknowns_that_are_wanted)
{
    Arena *mem = arena_new();
    cr_assert(is_exchanged(LABEL_ONE, true, mem));
    cr_assert_not(is_exchanged(LABEL_ONE, false, mem));
    cr_assert_not(is_exchanged(LABEL_OTHER, true, mem));
    arena_free(mem);
}
