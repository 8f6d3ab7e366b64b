#include "graph/matching.h"
#include "graph/pantelides.h"
#include "graph/state.h"
#include "tests/graph/random_incidence.h"

#include <criterion/criterion.h>

Test(dulmage, parts_are_a_decomposition)
{
    for (unsigned seed = 0; seed < 1000; seed++) {
        Arena *mem = arena_new();
        Incidence g = random_incidence(mem, seed);
        Matching m = matching_find(&g, mem);
        Dulmage d = dulmage_find(&g, &m, mem);
        cr_assert(dulmage_check(&d, &g, &m), "seed %u", seed);
        for (uint32_t e = 0; e < g.n_rows; e++)
            if (m.var_of[e] == INC_NONE) {
                DulmagePart p = dulmage_clash(&g, &m, e, mem);
                cr_assert_eq(p.n_eqs, p.n_vars + 1, "seed %u", seed);
            }
        for (uint32_t v = 0; v < g.n_cols; v++)
            if (m.eq_of[v] == INC_NONE) {
                DulmagePart p = dulmage_gap(&g, &m, v, mem);
                cr_assert_eq(p.n_vars, p.n_eqs + 1, "seed %u", seed);
            }
        arena_free(mem);
    }
}

enum { X, Y, U, W, DX, DY, DU, DW, T, N_PENDULUM };

/* The pendulum of Pantelides 1988, in Cartesian coordinates: index 3. */
static Incidence pendulum(Arena *mem, uint32_t *der)
{
    IncidenceBuilder b = incidence_begin(mem, N_PENDULUM);
    static const struct {
        uint32_t e, v;
        Label label;
    } edges[] = {
        {0, DX, LABEL_ONE},      {0, U, LABEL_ONE},       /* der(x) = u                 */
        {1, DY, LABEL_ONE},      {1, W, LABEL_ONE},       /* der(y) = w                 */
        {2, DU, LABEL_ONE},      {2, T, LABEL_NONLINEAR}, /* der(u) = T x               */
        {2, X, LABEL_NONLINEAR},                          /*                            */
        {3, DW, LABEL_ONE},      {3, T, LABEL_NONLINEAR}, /* der(w) = T y - g           */
        {3, Y, LABEL_NONLINEAR},                          /*                            */
        {4, X, LABEL_NONLINEAR}, {4, Y, LABEL_NONLINEAR}, /* 0 = x^2 + y^2 - L^2     */
    };
    uint32_t open = INC_NONE;
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++) {
        if (edges[k].e != open)
            open = incidence_row(&b);
        incidence_edge(&b, edges[k].v, edges[k].label, 1);
    }
    for (uint32_t v = 0; v < N_PENDULUM; v++)
        der[v] = v <= W ? v + (DX - X) : INC_NONE;
    return incidence_done(&b);
}

Test(pantelides, pendulum_has_index_three)
{
    Arena *mem = arena_new();
    uint32_t der[N_PENDULUM];
    Incidence g = pendulum(mem, der);
    Pantelides p = pantelides_find(&g, der, mem);
    cr_assert(p.ok);
    cr_assert(pantelides_check(&p, &g));
    /* the constraint twice, and the two definitions of velocity once each */
    cr_assert_eq(p.max_diffs, 2);
    cr_assert_eq(p.n_eqs - p.n_old_eqs, 4);
    States s = states_find(&p, NULL, mem);
    cr_assert(states_check(&s, &p));
    cr_assert_eq(s.n, 2);

    /* one wants x and u, another y and w */
    uint8_t priority[N_PENDULUM];
    for (uint32_t v = 0; v < N_PENDULUM; v++)
        priority[v] = PRIORITY_DEFAULT;
    priority[X] = priority[U] = PRIORITY_PREFER;
    s = states_find(&p, priority, mem);
    cr_assert(states_check(&s, &p));
    cr_assert_eq(s.state[0], X);
    cr_assert_eq(s.state[1], U);
    priority[X] = priority[U] = PRIORITY_NEVER;
    s = states_find(&p, priority, mem);
    cr_assert_eq(s.state[0], Y);
    cr_assert_eq(s.state[1], W);
    cr_assert_eq(s.n_unwanted, 0);
    priority[X] = priority[Y] = PRIORITY_ALWAYS;
    s = states_find(&p, priority, mem);
    cr_assert_eq(s.n_lost, 1, "the pendulum has only one degree of freedom");
    arena_free(mem);
}

/* Random DAEs: chains of up to three orders. Either the structure is singular, and then it has an
 * over- or an under-determined part, or reduction ends in a regular system. */
Test(pantelides, reduces_or_explains)
{
    uint32_t n_reduced = 0, n_singular = 0;
    for (unsigned seed = 0; seed < 3000; seed++) {
        srand(seed);
        Arena *mem = arena_new();
        uint32_t n = 1 + any(12), n_cols = 0;
        uint32_t der[64], lead[64];
        for (uint32_t c = 0; c < n; c++) {
            uint32_t order = any(3);
            lead[c] = n_cols;
            for (uint32_t k = 0; k <= order; k++, n_cols++)
                der[n_cols] = k < order ? n_cols + 1 : INC_NONE;
        }
        IncidenceBuilder b = incidence_begin(mem, n_cols);
        for (uint32_t e = 0; e < n; e++) {
            incidence_row(&b);
            for (uint32_t k = 0; k < 1 + any(3); k++)
                incidence_edge(&b, any(n_cols), (Label)any(5), 1);
            if (seed % 3)
                incidence_edge(&b, lead[e], (Label)any(5), 1);
        }
        Incidence g = incidence_done(&b);
        Pantelides p = pantelides_find(&g, der, mem);
        cr_assert(pantelides_check(&p, &g), "seed %u", seed);
        n_reduced += p.ok && p.n_eqs > p.n_old_eqs;
        n_singular += !p.ok;
        if (p.ok) {
            uint8_t priority[64];
            for (uint32_t v = 0; v < n_cols; v++)
                priority[v] = (uint8_t)any(5);
            States s = states_find(&p, priority, mem);
            cr_assert(states_check(&s, &p), "seed %u", seed);
        }
        arena_free(mem);
    }
    cr_assert(n_reduced > 100 && n_singular > 100, "%u reduced, %u singular", n_reduced,
              n_singular);
}

/* A row of n pendulums hung on each other by index-3 constraints stays linear. */
Test(pantelides, long_chain_takes_linear_time, .timeout = 60)
{
    Arena *mem = arena_new();
    uint32_t n = 20000, n_cols = 9 * n;
    uint32_t *der = arena_array(mem, uint32_t, n_cols);
    IncidenceBuilder b = incidence_begin(mem, n_cols);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t o = N_PENDULUM * i, prev = i ? o - N_PENDULUM : o,
                 next = i + 1 < n ? o + N_PENDULUM : o;
        for (uint32_t v = 0; v < N_PENDULUM; v++)
            der[o + v] = v <= W ? o + v + (DX - X) : INC_NONE;
        for (uint32_t d = 0; d < 2; d++) {
            incidence_row(&b);
            incidence_edge(&b, o + DX + d, LABEL_ONE, 1);
            incidence_edge(&b, o + U + d, LABEL_ONE, -1);
            incidence_row(&b);
            incidence_edge(&b, o + DU + d, LABEL_ONE, 1);
            incidence_edge(&b, o + T, LABEL_NONLINEAR, 1);
            incidence_edge(&b, next + T, LABEL_NONLINEAR, 1);
            incidence_edge(&b, o + X + d, LABEL_NONLINEAR, 1);
        }
        incidence_row(&b);
        for (uint32_t d = 0; d < 2; d++) {
            incidence_edge(&b, o + X + d, LABEL_NONLINEAR, 1);
            incidence_edge(&b, prev + X + d, LABEL_NONLINEAR, 1);
        }
    }
    Incidence g = incidence_done(&b);
    Pantelides p = pantelides_find(&g, der, mem);
    cr_assert(p.ok && pantelides_check(&p, &g));
    cr_assert_eq(p.n_eqs - p.n_old_eqs, 4 * n);
    States s = states_find(&p, NULL, mem);
    cr_assert(states_check(&s, &p));
    cr_assert_eq(s.n, 2 * n);
    arena_free(mem);
}

/* Carries differentiations out on numbers, as pantelides_find takes them: each column and its
 * derivative. */
typedef struct Carrier {
    Arena *mem;
    const Incidence *g;
    uint32_t n_vars, n_eqs, der[64], eq[64][64], n_in[64];
    uint32_t refused; /* the equation without a derivative, INC_NONE for none */
} Carrier;

static void carry_var(void *self, uint32_t der_of)
{
    Carrier *c = self;
    c->der[der_of] = c->n_vars;
    c->der[c->n_vars++] = INC_NONE;
}

static bool carry_eq(void *self, uint32_t eq_der_of, Arena *mem, uint32_t *n, const uint32_t **col)
{
    Carrier *c = self;
    if (eq_der_of == c->refused)
        return false;
    uint32_t *out = arena_array(mem, uint32_t, 2 * (size_t)c->n_in[eq_der_of] + 1);
    *n = 0;
    for (uint32_t k = 0; k < c->n_in[eq_der_of]; k++) {
        uint32_t v = c->eq[eq_der_of][k];
        out[(*n)++] = v;
        out[(*n)++] = c->der[v];
    }
    for (uint32_t k = 0; k < *n; k++)
        c->eq[c->n_eqs][k] = out[k];
    c->n_in[c->n_eqs++] = *n;
    *col = out;
    return true;
}

static Carrier carrier_of(const Incidence *g, const uint32_t *der, uint32_t refused)
{
    Carrier c = {.g = g, .n_vars = g->n_cols, .n_eqs = g->n_rows, .refused = refused};
    for (uint32_t v = 0; v < g->n_cols; v++)
        c.der[v] = der[v];
    for (uint32_t e = 0; e < g->n_rows; e++)
        for (uint32_t k = g->row_begin[e]; k < g->row_begin[e + 1]; k++)
            c.eq[e][c.n_in[e]++] = g->col[k];
    return c;
}

Test(pantelides, asks_for_each_derivative_before_it_is_used)
{
    Arena *mem = arena_new();
    uint32_t der[N_PENDULUM];
    Incidence g = pendulum(mem, der);
    Carrier c = carrier_of(&g, der, INC_NONE);
    Differentiation how = {&c, carry_var, carry_eq};
    Pantelides p = pantelides_carry_out(&g, &g, der, &how, mem),
               plain = pantelides_find(&g, der, mem);
    cr_assert(p.ok);
    cr_assert(pantelides_check(&p, &g));
    cr_assert_eq(c.n_eqs, p.n_eqs);
    cr_assert_eq(c.n_vars, p.n_vars);
    cr_assert_eq(p.n_eqs, plain.n_eqs);
    cr_assert_eq(p.n_vars, plain.n_vars);
    for (uint32_t e = 0; e < p.n_eqs; e++)
        cr_assert_eq(p.eq_der_of[e], plain.eq_der_of[e]);
    arena_free(mem);
}

Test(pantelides, stops_at_an_equation_without_derivative)
{
    Arena *mem = arena_new();
    uint32_t der[N_PENDULUM];
    Incidence g = pendulum(mem, der);
    Carrier c = carrier_of(&g, der, g.n_rows - 1); /* the constraint */
    Differentiation how = {&c, carry_var, carry_eq};
    Pantelides p = pantelides_carry_out(&g, &g, der, &how, mem);
    cr_assert_not(p.ok);
    cr_assert(p.stopped);
    cr_assert_eq(p.stopped_at, g.n_rows - 1);
    arena_free(mem);
}
