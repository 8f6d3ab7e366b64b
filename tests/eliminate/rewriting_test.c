/* Equations exchanged, taken back, and put in again. */
#include "eliminate/frames/rewriting.h"

#include "tests/eliminate/fixture.h"

static bool says(const Fixture *f, uint32_t e, ExprId lhs, ExprId rhs)
{
    const Eq *q = &f->s->eq.at[e];
    return expr_same(q->lhs, lhs) && expr_same(q->rhs, rhs);
}

Test(rewriting, goes_there_and_back)
{
    Fixture f = fixture();
    ExprId a = unknown(&f, "a"), b = unknown(&f, "b[2]");
    Eq e = {.lhs = a, .rhs = b, .group = GROUP_NONE};
    system_add_eq(f.s, e);
    system_add_eq(f.s, e);
    Rewriting r = rewriting_new(f.s);
    const char *array = name_of_array(f.s, expr_var_of(f.p, b), f.mem);
    cr_assert_str_eq(array, "b");
    VarId v = rewriting_add_var(&r, array, " in R", system_new_group(f.s), 1);
    cr_assert_str_eq(f.s->var.at[v.i].name.s, "b[2] in R");
    ExprId c = system_var_expr(f.s, v);
    rewriting_set(&r, (EqId){1}, c, b, 0);
    rewriting_set(&r, (EqId){1}, b, c, 0); /* twice: what it was first counts */
    e.lhs = c;
    system_add_eq(f.s, e);

    for (int k = 0; k < 2; k++) {
        cr_assert_eq(f.s->eq.n, 3);
        cr_assert(says(&f, 1, b, c) && says(&f, 2, c, b));
        rewriting_exchange(&r);
        cr_assert_eq(f.s->eq.n, 2);
        cr_assert(says(&f, 0, a, b) && says(&f, 1, a, b));
        rewriting_exchange(&r);
    }
    fixture_done(&f);
}
