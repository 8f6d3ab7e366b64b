#include "eliminate/prepare/alias.h"
#include "tests/eliminate/fixture.h"

Test(alias, chains_and_constants_run_to_the_end)
{
    Fixture f = fixture();
    ExprId k = parameter(&f, "k");
    ExprId a = unknown(&f, "a");
    ExprId b = unknown(&f, "b");
    ExprId c = unknown(&f, "c");
    ExprId z = unknown(&f, "z");
    ExprId w = unknown(&f, "w");
    ExprId y = unknown(&f, "y");
    equation(&f, b, expr_neg(f.p, a));
    equation(&f, expr_add(f.p, c, b), expr_int(f.p, 0));
    /* only after z = 0 is c + z = w an alias, and y a number */
    equation(&f, expr_add(f.p, c, z), w);
    equation(&f, expr_mul(f.p, expr_int(f.p, 3), z), expr_int(f.p, 0));
    equation(&f, y, expr_add(f.p, k, expr_mul(f.p, z, a)));
    equation(&f, expr_mul(f.p, a, w), expr_int(f.p, 2));
    Aliases al;
    cr_assert(aliases_remove(f.s, &al, f.mem));
    cr_assert_eq(f.s->eq.n, 1, "a*w = 2 stays");
    cr_assert(expr_same(f.s->eq.at[0].lhs, expr_mul(f.p, a, a)));
    cr_assert(expr_same(alias_value(f.s, &al, expr_var_of(f.p, b)), expr_neg(f.p, a)));
    cr_assert(expr_same(alias_value(f.s, &al, expr_var_of(f.p, c)), a));
    cr_assert(expr_same(alias_value(f.s, &al, expr_var_of(f.p, w)), a));
    cr_assert(expr_is(f.p, alias_value(f.s, &al, expr_var_of(f.p, z)), 0));
    cr_assert(expr_same(alias_value(f.s, &al, expr_var_of(f.p, y)), k));
    fixture_done(&f);
}

Test(alias, derivatives_follow_the_variable_that_stays)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x");
    ExprId y = unknown(&f, "y");
    VarId vx = expr_var_of(f.p, x);
    VarId vy = expr_var_of(f.p, y);
    ExprId dx = system_var_expr(f.s, system_der(f.s, vx));
    ExprId dy = system_var_expr(f.s, system_der(f.s, vy));
    equation(&f, y, expr_neg(f.p, x));
    equation(&f, dy, expr_add(f.p, expr_mul(f.p, x, x), dx));
    Aliases al;
    cr_assert(aliases_remove(f.s, &al, f.mem));
    cr_assert(expr_same(alias_value(f.s, &al, f.s->var.at[vy.i].der), expr_neg(f.p, dx)));
    cr_assert_eq(f.s->eq.n, 1);
    cr_assert(expr_same(f.s->eq.at[0].lhs, expr_neg(f.p, dx)));
    fixture_done(&f);
}

Test(alias, contradiction_is_reported)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x");
    equation(&f, x, expr_int(f.p, 1));
    equation(&f, x, expr_int(f.p, 2));
    Aliases al;
    cr_assert(!aliases_remove(f.s, &al, f.mem));
    cr_assert_eq(diags_errors(f.s->diags), 1);
    fixture_done(&f);
}

Test(alias, a_long_chain_is_near_linear)
{
    enum { N = 200000 };
    Fixture f = fixture();
    ExprId first = unknown(&f, "x0");
    ExprId last = first;
    for (int k = 1; k < N; k++) {
        ExprId x = unknown(&f, name_printf(f.s->names, "x%d", k).s);
        equation(&f, x, last);
        last = x;
    }
    equation(&f, last, expr_int(f.p, 7));
    Aliases al;
    cr_assert(aliases_remove(f.s, &al, f.mem));
    cr_assert_eq(f.s->eq.n, 0);
    cr_assert(expr_is(f.p, alias_value(f.s, &al, expr_var_of(f.p, first)), 7));
    fixture_done(&f);
}
