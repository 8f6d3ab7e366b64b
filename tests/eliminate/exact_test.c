/* Expressions at a random rational point: the laws that must hold there, whatever the point. */
#include "eliminate/verify/exact.h"

#include "tests/eliminate/fixture.h"

static bool equal(Exact *e, ExprId a, ExprId b)
{
    return mpq_equal(exact_value(e, a), exact_value(e, b)) != 0;
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
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Fixture f = without_merging();
        ExprPool *p = f.p;
        ExprId x = unknown(&f, "x"), y = unknown(&f, "y"), one = expr_int(p, 1);
        ExprId cx = expr_fn(p, FN_COS, x), sx = expr_fn(p, FN_SIN, x);
        ExprId cy = expr_fn(p, FN_COS, y), sy = expr_fn(p, FN_SIN, y);
        ExprId sum = expr_add(p, x, y), difference = expr_sub(p, x, y);
        Exact e = exact_new(f.s, f.mem, seed);
        cr_assert(equal(&e, expr_mul(p, sum, difference),
                        expr_sub(p, expr_mul(p, x, x), expr_mul(p, y, y))));
        cr_assert(equal(&e, expr_add(p, expr_mul(p, cx, cx), expr_mul(p, sx, sx)), one));
        cr_assert(equal(&e, expr_fn(p, FN_COS, sum),
                        expr_sub(p, expr_mul(p, cx, cy), expr_mul(p, sx, sy))));
        cr_assert(equal(&e, expr_fn(p, FN_SIN, difference),
                        expr_sub(p, expr_mul(p, sx, cy), expr_mul(p, cx, sy))));
        cr_assert(equal(&e, expr_fn(p, FN_SIN, expr_mul(p, expr_int(p, 2), x)),
                        expr_mul(p, expr_int(p, 2), expr_mul(p, sx, cx))));
        cr_assert(equal(&e, expr_fn(p, FN_SIN, expr_neg(p, x)), expr_neg(p, sx)));
        /* the same argument in other words */
        ExprId square =
            expr_add(p, expr_mul(p, x, x), expr_mul(p, expr_int(p, 2), expr_mul(p, x, y)));
        ExprId other = expr_mul(p, x, expr_add(p, sum, y));
        cr_assert(!expr_same(square, other));
        cr_assert(equal(&e, expr_fn(p, FN_EXP, square), expr_fn(p, FN_EXP, other)));
        /* and what is not equal is not */
        cr_assert(!equal(&e, expr_fn(p, FN_EXP, square), expr_fn(p, FN_EXP, x)));
        cr_assert(!equal(&e, expr_fn(p, FN_EXP, x), expr_fn(p, FN_TAN, x)));
        cr_assert(!equal(&e, cx, cy) && !equal(&e, x, y));
        cr_assert(!e.poor_point);
        exact_done(&e);
        fixture_done(&f);
    }
}

Test(exact, a_variable_has_the_value_of_its_name)
{
    Fixture f = without_merging(), g = without_merging();
    ExprId x = unknown(&f, "x");
    unknown(&g, "other");
    ExprId same = unknown(&g, "x");
    Exact a = exact_new(f.s, f.mem, 3), b = exact_new(g.s, g.mem, 3), c = exact_new(g.s, g.mem, 4);
    cr_assert(mpq_equal(exact_value(&a, x), exact_value(&b, same)));
    cr_assert(!mpq_equal(exact_value(&a, x), exact_value(&c, same)), "another point");
    mpq_ptr half = exact_fresh(&c);
    mpq_set_ui(half, 1, 2);
    ExprId y = unknown(&g, "y");
    exact_set(&c, expr_var_of(g.p, y), half);
    cr_assert_eq(mpq_cmp_ui(exact_value(&c, expr_add(g.p, y, y)), 1, 1), 0);
    exact_done(&a);
    exact_done(&b);
    exact_done(&c);
    fixture_done(&f);
    fixture_done(&g);
}

/* Rational where the function is; the branch that is not taken may divide by zero. */
Test(exact, functions_branches_and_poor_points)
{
    Fixture f = without_merging();
    ExprPool *p = f.p;
    ExprId x = unknown(&f, "x"), y = unknown(&f, "y");
    ExprId squares = expr_sub(p, expr_mul(p, x, x), expr_mul(p, y, y));
    ExprId zero = expr_sub(p, expr_mul(p, expr_add(p, x, y), expr_sub(p, x, y)), squares);
    Exact e = exact_new(f.s, f.mem, 5);
    mpq_t q, r;
    mpq_inits(q, r, NULL);
    mpq_set_si(q, 9, 4);
    exact_function(&e, FN_SQRT, q, r);
    cr_assert_eq(mpq_cmp_ui(r, 3, 2), 0);
    mpq_set_si(q, 2, 3);
    mpq_set_si(r, -3, 1);
    mpq_t power;
    mpq_init(power);
    exact_power(&e, q, r, power);
    cr_assert_eq(mpq_cmp_ui(power, 27, 8), 0);
    mpq_clears(q, r, power, NULL);
    ExprId over = expr_div(p, x, zero);
    ExprId guarded = expr_select(p, expr_compare(p, OP_LT, zero, expr_mul(p, x, x)), x, over);
    cr_assert(equal(&e, guarded, x));
    cr_assert(expr_same(exact_branch(&e, guarded), x));
    cr_assert(!e.poor_point && !exact_is_known(&e, over));
    exact_value(&e, over);
    cr_assert(e.poor_point);
    exact_done(&e);
    fixture_done(&f);
}
