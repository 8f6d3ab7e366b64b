/* Linear expressions against their kept values and the rest, at random points. */
#include "eliminate/forms/linear_split.h"

#include "base/hash.h"
#include "tests/eliminate/evaluate.h"
#include "tests/eliminate/fixture.h"

#include <math.h>

enum { N = 4, NODES = 40, ROOTS = 3 };

typedef struct Case {
    Fixture f;
    ExprId r[N], k[N]; /* right-hand sides; of the matrix */
    bool *is_right;    /* per variable                    */
} Case;

static Case new_case(void)
{
    Case c = {.f = fixture()};
    for (int i = 0; i < N; i++)
        c.r[i] = unknown(&c.f, name_printf(c.f.s->names, "r%d", i).s);
    for (int i = 0; i < N; i++)
        c.k[i] = unknown(&c.f, name_printf(c.f.s->names, "k%d", i).s);
    c.is_right = arena_array(c.f.mem, bool, c.f.s->var.n);
    for (int i = 0; i < N; i++)
        c.is_right[expr_var_of(c.f.p, c.r[i]).i] = true;
    return c;
}

/* The rest, with kept values in place, is the root. */
static void same_values(const Case *c, uint32_t n, const ExprId *root, const LinearSplit *split,
                        unsigned seed)
{
    const System *s = c->f.s;
    double *value = arena_array(c->f.mem, double, s->var.n);
    for (uint32_t k = 0; k < s->var.n; k++)
        value[k] = (double)(hash_word(1000 * seed + k) % 1000) / 500 - 0.9995;
    Point at = {.var = value};
    for (uint32_t k = 0; k < split->n_kept; k++)
        value[split->leaf[k].i] = evaluate(c->f.p, split->kept[k], &at);
    for (uint32_t k = 0; k < n; k++) {
        double want = evaluate(c->f.p, root[k], &at), is = evaluate(c->f.p, split->rest[k], &at);
        cr_assert(fabs(is - want) <= 1e-9 * (1 + fabs(want)), "seed %u, root %u: %g, not %g", seed,
                  k, is, want);
    }
}

/* Sums, multiples and quotients of what is there, some of it used often. */
static ExprId grow(const Case *c, ExprId *node, uint32_t n, unsigned seed)
{
    ExprPool *p = c->f.p;
    uint64_t h = hash_word(100 * seed + n);
    ExprId a = node[h % n], b = node[h / 100 % n];
    ExprId k = c->k[h / 10000 % N], other = c->k[h / 100000 % N];
    switch (h / 1000000 % 6) {
    case 0:
        return expr_sub(p, a, b);
    case 1:
        return expr_neg(p, a);
    case 2:
        return expr_mul(p, expr_add(p, k, other), a);
    case 3:
        return expr_div(p, a, expr_add(p, expr_mul(p, k, k), expr_int(p, 1)));
    default:
        return expr_add(p, a, expr_mul(p, k, b));
    }
}

Test(linear_split, rest_and_kept_values_are_the_roots)
{
    for (unsigned seed = 1; seed <= 60; seed++) {
        Case c = new_case();
        ExprId node[NODES];
        for (uint32_t k = 0; k < NODES; k++)
            node[k] = k < N ? c.r[k] : grow(&c, node, k, seed);
        LinearSplit split;
        cr_assert(
            linear_split(c.f.s, c.is_right, ROOTS, node + NODES - ROOTS, "kept", &split, c.f.mem));
        same_values(&c, ROOTS, node + NODES - ROOTS, &split, seed);
        fixture_done(&c.f);
    }
}

Test(linear_split, multiples_of_one_right_hand_side_are_one)
{
    // k0 r0 + (r1 - k1 (k2 r0)): of k0 and k1 k2 their difference is kept
    Case c = new_case();
    ExprPool *p = c.f.p;
    ExprId inner = expr_sub(p, c.r[1], expr_mul(p, c.k[1], expr_mul(p, c.k[2], c.r[0])));
    ExprId root = expr_add(p, expr_mul(p, c.k[0], c.r[0]), inner);
    LinearSplit split;
    cr_assert(linear_split(c.f.s, c.is_right, 1, &root, "kept", &split, c.f.mem));
    cr_assert_eq(split.n_kept, 1, "%u kept values", split.n_kept);
    same_values(&c, 1, &root, &split, 1);
    fixture_done(&c.f);
}

Test(linear_split, products_and_constants_are_refused)
{
    Case c = new_case();
    ExprPool *p = c.f.p;
    ExprId product = expr_mul(p, c.r[0], c.r[1]), sum = expr_add(p, c.r[0], c.k[0]);
    LinearSplit split;
    cr_assert(!linear_split(c.f.s, c.is_right, 1, &product, "kept", &split, c.f.mem));
    cr_assert(!linear_split(c.f.s, c.is_right, 1, &sum, "kept", &split, c.f.mem));
    fixture_done(&c.f);
}
