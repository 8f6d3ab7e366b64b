/* Sorted equations, and what is no sorting of them. */
#include "eliminate/blt.h"

#include "tests/eliminate/fixture.h"

/* The example of blt.h: b + c = 1, d = b*c, b - c = a. */
static Blt example(Fixture *f)
{
    ExprPool *p = f->p;
    ExprId a = unknown(f, "a"), b = unknown(f, "b"), c = unknown(f, "c"), d = unknown(f, "d");
    equation(f, expr_add(p, b, c), expr_int(p, 1));
    equation(f, d, expr_mul(p, b, c));
    equation(f, expr_sub(p, b, c), a);
    bool *is_state = arena_array(f->mem, bool, 4), *is_unknown = arena_array(f->mem, bool, 4);
    is_state[0] = true;
    is_unknown[1] = is_unknown[2] = is_unknown[3] = true;
    return blt_find(f->s, is_unknown, is_state, NULL, f->mem);
}

Test(blt, a_loop_comes_before_what_needs_it)
{
    Fixture f = fixture();
    Blt b = example(&f);
    cr_assert(blt_is_complete(&b) && blt_check(&b));
    cr_assert_eq(b.blocks.n, 2);
    cr_assert_eq(b.blocks.begin[1], 2);
    cr_assert_eq(b.blocks.eq[2], 1);
    cr_assert_eq(blt_var(&b, 2).i, 3, "d");
    fixture_done(&f);
}

Test(blt, a_spoiled_matching_is_found)
{
    Fixture f = fixture();
    Blt b = example(&f);
    uint32_t *var_of = b.matching.var_of, *eq_of = b.matching.eq_of;
    /* d = b*c does not hold a: pairs both ways, but no edge of the third equation */
    uint32_t of_loop = var_of[0], d = var_of[1];
    var_of[0] = d;
    var_of[1] = of_loop;
    cr_assert_not(blt_check(&b), "only one way");
    eq_of[d] = 0;
    eq_of[of_loop] = 1;
    cr_assert_not(blt_check(&b), "b + c = 1 does not hold d");
    var_of[0] = of_loop;
    var_of[1] = d;
    eq_of[d] = 1;
    eq_of[of_loop] = 0;
    cr_assert(blt_check(&b), "as it was");
    var_of[0] = INC_NONE;
    eq_of[of_loop] = INC_NONE;
    b.matching.size--;
    cr_assert_not(blt_check(&b), "a pair of a block that is not matched");
    fixture_done(&f);
}

Test(blt, blocks_in_another_order_and_states_among_unknowns_are_found)
{
    Fixture f = fixture();
    Blt b = example(&f);
    Blocks *k = &b.blocks;
    uint32_t eq = k->eq[2], var = k->var[2];
    k->eq[2] = k->eq[0];
    k->var[2] = k->var[0];
    k->eq[0] = eq;
    k->var[0] = var;
    cr_assert_not(blt_check(&b), "d before b");
    fixture_done(&f);
    f = fixture();
    b = example(&f);
    bool *is_state = arena_array(f.mem, bool, 4);
    is_state[3] = true;
    b.is_state = is_state;
    cr_assert_not(blt_check(&b));
    equation(&f, expr_int(f.p, 0), expr_int(f.p, 0));
    b.is_state = arena_array(f.mem, bool, 4);
    cr_assert_not(blt_check(&b), "an equation more");
    fixture_done(&f);
}
