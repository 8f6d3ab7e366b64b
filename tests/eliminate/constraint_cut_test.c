/* Position constraints written as equations, with their multipliers. */
#include "eliminate/prepare/constraint_cut.h"

#include "tests/eliminate/model.h"

Test(constraint_cut, pendulums_and_their_multipliers)
{
    Model m = model_of("model M\n"
                       "  parameter Real L = 2;\n"
                       "  Real x(start = 1.2), y(start = 1.6), vx, vy, f;\n"
                       "  Real X(start = 1), Y(start = 3), VX, VY, F;\n"
                       "equation\n"
                       "  der(x) = vx; der(y) = vy; der(X) = VX; der(Y) = VY;\n"
                       "  der(vx) = f*x + F*(x - X); der(vy) = f*y + F*(y - Y) - 9.81;\n"
                       "  der(VX) = F*(X - x); der(VY) = F*(Y - y) - 9.81;\n"
                       "  x^2 + y^2 = L^2;\n"
                       "  (X - x)^2 + (Y - y)^2 = 1;\n"
                       "end M;");
    System *s = m.dae.sys;
    cr_assert(der_expand(s, m.scratch));
    ExprPool *p = s->pool;
    ExprId want[2];
    for (uint32_t k = 0; k < 2; k++) {
        const Eq *e = &s->eq.at[s->eq.n - 2 + k];
        want[k] = expr_sub(p, e->rhs, e->lhs);
    }
    uint32_t n = s->eq.n;
    LoopCut c = constraints_cut(s, 1, m.scratch);
    cr_assert_eq(c.n_loops, 2);
    cr_assert_eq(c.n_constraints, 2);
    cr_assert_eq(c.first[1], 1);
    cr_assert_eq(s->eq.n, n - 2);
    bool has_f = false, has_F = false;
    for (uint32_t k = 0; k < 2; k++) {
        cr_assert(expr_same(c.phi[k], want[k]), "constraint %u", k);
        cr_assert_eq(var_at(s, c.multiplier[k])->kind, VAR_INPUT);
        has_f = has_f || c.multiplier[k].i == model_var(&m, "f").i;
        has_F = has_F || c.multiplier[k].i == model_var(&m, "F").i;
    }
    cr_assert(has_f && has_F);
    model_reduce(&m);
    cr_assert_eq(m.dae.states.n, 8, "a tree: the index is not reduced");
    model_done(&m);
}

Test(constraint_cut, a_definition_is_none)
{
    Model m = model_of("model M\n"
                       "  parameter Real i = 3;\n"
                       "  Real p1, p2, w1, w2, t;\n"
                       "equation\n"
                       "  der(p1) = w1; der(p2) = w2; der(w1) = 1 - i*t; der(w2) = t;\n"
                       "  p2 = i*p1;\n"
                       "end M;");
    System *s = m.dae.sys;
    cr_assert(der_expand(s, m.scratch));
    uint32_t n = s->eq.n;
    LoopCut c = constraints_cut(s, 1, m.scratch);
    cr_assert_eq(c.n_loops, 0);
    cr_assert_eq(s->eq.n, n);
    cr_assert_eq(var_at(s, model_var(&m, "t"))->kind, VAR_CONTINUOUS);
    model_reduce(&m);
    cr_assert_eq(m.dae.states.n, 2);
    model_done(&m);
}
