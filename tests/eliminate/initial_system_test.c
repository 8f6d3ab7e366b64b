/* What holds at the start of a run, and what may be asked for beside it. */
#include "eliminate/forms/initial_system.h"

#include "tests/eliminate/model.h"

static InitialView view(Model *m)
{
    model_sort(m);
    InitialView v;
    initial_view(m->dae.sys, &m->dae.aliases, m->dae.is_state, false, m->scratch, &v);
    cr_assert_eq(v.n_model, m->dae.sys->eq.n);
    cr_assert_eq(v.sys->eq.n, v.n_model + v.n_conditions + v.n_candidates);
    cr_assert_eq(v.structure.g.n_rows, v.sys->eq.n);
    return v;
}

/* The label of a row. */
static Label rank(const InitialView *v, uint32_t row)
{
    const Incidence *g = &v->structure.g;
    cr_assert_lt(g->row_begin[row], g->row_begin[row + 1]);
    return (Label)g->label[g->row_begin[row]];
}

Test(initial_system, conditions_must_hold_and_starts_are_candidates)
{
    Model m = model_of("model M\n"
                       "  Real x(start = 1, fixed = true), y, z(start = 2),\n"
                       "    w(stateSelect = StateSelect.prefer, start = 3);\n"
                       "initial equation der(y) = 0; 2*y = 2*der(y) + x;\n"
                       "equation der(x) = y; der(y) = -x*y; der(z) = w*x; der(w) = z; end M;");
    InitialView v = view(&m);
    cr_assert_not(v.is_trivial);
    cr_assert_eq(v.n_conditions, 3, "the fixed start and two equations");
    cr_assert_eq(v.n_candidates, 4, "each state");
    cr_assert_eq(v.n_free, 0);
    for (uint32_t e = 0; e < v.n_model + v.n_conditions; e++)
        cr_assert_eq(rank(&v, e), LABEL_ONE);
    for (uint32_t k = 0; k < 4; k++) {
        VarId x = v.candidate[k];
        Label want = x.i == model_var(&m, "w").i   ? LABEL_CONST
                     : x.i == model_var(&m, "y").i ? LABEL_OTHER /* has no start value */
                                                   : LABEL_PARAM;
        cr_assert_eq(rank(&v, v.n_model + v.n_conditions + k), want, "%s",
                     var_at(v.sys, x)->name.s);
    }
    model_done(&m);
}

Test(initial_system, fixed_starts_of_states_ask_nothing_more)
{
    Model m = model_of("model M Real x(start = 1, fixed = true), y(start = 2, fixed = true);\n"
                       "equation der(x) = y; der(y) = -x; end M;");
    cr_assert(view(&m).is_trivial);
    model_done(&m);
    Model of_other = model_of("model M Real x(start = 1), y(start = 2, fixed = true);\n"
                              "equation der(x) = y^3; y = 2*x + sin(x); end M;");
    cr_assert_not(view(&of_other).is_trivial, "y is no state, or x is none");
    model_done(&of_other);
}

Test(initial_system, a_free_parameter_has_a_stand_in)
{
    Model m = model_of("model M parameter Real p(fixed = false, start = 4), q = 2*p;\n"
                       "  Real x(start = 1, fixed = true);\n"
                       "initial equation der(x) = 3; equation der(x) = -q*x; end M;");
    InitialView v = view(&m);
    cr_assert_eq(v.n_free, 1);
    cr_assert_eq(v.free[0].parameter.i, model_var(&m, "p").i);
    VarId unknown = v.free[0].unknown;
    cr_assert_eq(var_at(v.sys, unknown)->kind, VAR_CONTINUOUS);
    cr_assert_neq(v.structure.column[unknown.i], INC_NONE);
    cr_assert_eq(v.n_candidates, 2, "the state, and the parameter if nothing else gives it");
    cr_assert_eq(rank(&v, v.sys->eq.n - 1), LABEL_NONLINEAR);
    /* q = 2 p holds it too */
    ExprPool *p = v.sys->pool;
    ExprId x = model_expr(&m, "x"), r = expr_sub(p, v.sys->eq.at[0].lhs, v.sys->eq.at[0].rhs);
    ExprId dx = model_expr(&m, "der(x)");
    ExprId product = expr_mul(p, expr_mul(p, expr_int(p, 2), system_var_expr(v.sys, unknown)), x);
    Fp have = expr_fingerprint(p, r);
    cr_assert(fp_same(have, expr_fingerprint(p, expr_add(p, dx, product))));
    /* contradictions are told at the start of a run */
    bool *taken = arena_array(m.mem, bool, v.sys->eq.n);
    memset(taken, 1, v.sys->eq.n);
    taken[v.n_model + 1] = false;
    uint32_t n = v.sys->assertion.n;
    initial_assert_others(&v, taken);
    cr_assert_eq(v.sys->assertion.n, n + 1);
    model_done(&m);
}
