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
    const char *array = name_of_array(f.s, expr_var_of(f.p, b), 1, f.mem);
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

Test(rewriting, a_row_of_an_array_has_its_own_name)
{
    static const struct {
        const char *name, *vector, *matrix;
    } is[] = {{"f[2]", "f", "f"},
              {"arm[3].f", "arm[3].f", "arm[3].f"},
              {"arm[3].f[1]", "arm[3].f", "arm[3].f"},
              {"v[4,2]", "v[4]", "v"},
              {"R[7,1,3]", "R[7,1]", "R[7]"}};
    for (size_t k = 0; k < sizeof is / sizeof *is; k++) {
        Fixture f = fixture();
        VarId v = variable(&f, VAR_CONTINUOUS, is[k].name);
        cr_assert_str_eq(name_of_array(f.s, v, 1, f.mem), is[k].vector);
        cr_assert_str_eq(name_of_array(f.s, v, 2, f.mem), is[k].matrix);
        fixture_done(&f);
    }
}

/* a[1,1:3] and a[1,4:6]: two vectors in one row. */
Test(rewriting, no_name_is_given_twice)
{
    Fixture f = fixture();
    Rewriting r = rewriting_new(f.s);
    VarId a = rewriting_add_var(&r, "a[1] shifted", "", 0, 0);
    VarId b = rewriting_add_var(&r, "a[1] shifted", "", 1, 0);
    cr_assert_str_neq(f.s->var.at[a.i].name.s, f.s->var.at[b.i].name.s);
    fixture_done(&f);
}
