/* Expressions at a random point, in fractions and in residues: the laws that must hold there,
 * whatever the point. */
#include "eliminate/verify/exact.h"

#include "tests/eliminate/fixture.h"

static bool equal(Exact *e, ExprId a, ExprId b)
{
    return number_same(&e->field, exact_value(e, a), exact_value(e, b));
}

static Fixture without_merging(void)
{
    Fixture f = {.mem = arena_new()};
    f.s = system_new(f.mem, names_new(f.mem), diags_new(f.mem), false);
    f.p = f.s->pool;
    return f;
}

/* In a pool that merges nothing, so that both sides are evaluated. */
Test(exact, laws_of_arithmetic_and_of_angles_hold)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        Fixture f = without_merging();
        ExprPool *p = f.p;
        ExprId x = unknown(&f, "x"), y = unknown(&f, "y"), one = expr_int(p, 1);
        ExprId cx = expr_fn(p, FN_COS, x), sx = expr_fn(p, FN_SIN, x);
        ExprId cy = expr_fn(p, FN_COS, y), sy = expr_fn(p, FN_SIN, y);
        ExprId sum = expr_add(p, x, y), difference = expr_sub(p, x, y);
        Exact *e =
            exact_new(f.s, f.mem, seed, seed % 2 ? &verify_prime[seed % VERIFY_PRIMES] : NULL);
        cr_assert(equal(e, expr_mul(p, sum, difference),
                        expr_sub(p, expr_mul(p, x, x), expr_mul(p, y, y))));
        cr_assert(equal(e, expr_add(p, expr_mul(p, cx, cx), expr_mul(p, sx, sx)), one));
        cr_assert(equal(e, expr_fn(p, FN_COS, sum),
                        expr_sub(p, expr_mul(p, cx, cy), expr_mul(p, sx, sy))));
        cr_assert(equal(e, expr_fn(p, FN_SIN, difference),
                        expr_sub(p, expr_mul(p, sx, cy), expr_mul(p, cx, sy))));
        cr_assert(equal(e, expr_fn(p, FN_SIN, expr_mul(p, expr_int(p, 2), x)),
                        expr_mul(p, expr_int(p, 2), expr_mul(p, sx, cx))));
        cr_assert(equal(e, expr_fn(p, FN_SIN, expr_neg(p, x)), expr_neg(p, sx)));
        /* the same argument in other words */
        ExprId square =
            expr_add(p, expr_mul(p, x, x), expr_mul(p, expr_int(p, 2), expr_mul(p, x, y)));
        ExprId other = expr_mul(p, x, expr_add(p, sum, y));
        cr_assert(!expr_same(square, other));
        cr_assert(equal(e, expr_fn(p, FN_EXP, square), expr_fn(p, FN_EXP, other)));
        /* and what is not equal is not */
        cr_assert(!equal(e, expr_fn(p, FN_EXP, square), expr_fn(p, FN_EXP, x)));
        cr_assert(!equal(e, expr_fn(p, FN_EXP, x), expr_fn(p, FN_TAN, x)));
        cr_assert(!equal(e, cx, cy) && !equal(e, x, y));
        cr_assert(!exact_is_poor(e));
        exact_done(e);
        fixture_done(&f);
    }
}

typedef struct Half {
    Exact *e;
    VarId v;
} Half;

static bool half(void *user, Exact *at, VarId v, ExactMeaning *out)
{
    Half *h = user;
    if (v.i != h->v.i)
        return false;
    *out = (ExactMeaning){
        .value = number_div(&at->field, number_int(&at->field, 1), number_int(&at->field, 2))};
    return true;
}

Test(exact, a_variable_has_the_value_of_its_name)
{
    for (int k = 0; k < 2; k++) {
        const VerifyPrime *prime = k ? &verify_prime[1] : NULL;
        Fixture f = without_merging(), g = without_merging();
        ExprId x = unknown(&f, "x");
        unknown(&g, "other");
        ExprId same = unknown(&g, "x"), y = unknown(&g, "y");
        Exact *a = exact_new(f.s, f.mem, 3, prime), *b = exact_new(g.s, g.mem, 3, prime);
        Exact *c = exact_new(g.s, g.mem, 4, prime);
        cr_assert(number_same(&a->field, exact_value(a, x), exact_value(b, same)));
        cr_assert(!number_same(&a->field, exact_value(a, x), exact_value(c, same)),
                  "another point");
        Half h = {c, expr_var_of(g.p, y)};
        exact_define(c, half, &h);
        cr_assert(
            number_same(&c->field, exact_value(c, expr_add(g.p, y, y)), number_int(&c->field, 1)));
        exact_done(a);
        exact_done(b);
        exact_done(c);
        fixture_done(&f);
        fixture_done(&g);
    }
}

/* Rational where the function is; the branch that is not taken may divide by zero. */
Test(exact, functions_branches_and_poor_points)
{
    for (int k = 0; k < 2; k++) {
        Fixture f = without_merging();
        ExprPool *p = f.p;
        ExprId x = unknown(&f, "x"), y = unknown(&f, "y");
        ExprId squares = expr_sub(p, expr_mul(p, x, x), expr_mul(p, y, y));
        ExprId zero = expr_sub(p, expr_mul(p, expr_add(p, x, y), expr_sub(p, x, y)), squares);
        Exact *e = exact_new(f.s, f.mem, 5, k ? &verify_prime[2] : NULL);
        Field *n = &e->field;
        Number q = number_div(n, number_int(n, 9), number_int(n, 4));
        Number three_halves = number_div(n, number_int(n, 3), number_int(n, 2));
        cr_assert(number_same(n, exact_function(e, FN_SQRT, q), three_halves));
        Number cube =
            exact_power(e, number_div(n, number_int(n, 1), three_halves), number_int(n, -3));
        cr_assert(number_same(n, cube, number_div(n, number_int(n, 27), number_int(n, 8))));
        ExprId over = expr_div(p, x, zero);
        ExprId guarded = expr_select(p, expr_compare(p, OP_EQ, zero, expr_int(p, 0)), x, over);
        cr_assert(equal(e, guarded, x));
        cr_assert(expr_same(exact_branch(e, guarded), x));
        cr_assert(!exact_is_poor(e));
        exact_value(e, over);
        cr_assert(exact_is_poor(e));
        exact_done(e);
        fixture_done(&f);
    }
}
