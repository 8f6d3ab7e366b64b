/* Joints beside a cut that carry nothing else. */
#include "eliminate/prepare/massless.h"

#include "tests/eliminate/model.h"
#include "tests/eliminate/ring.h"

/* The last hinge, beside the cut, is a `kind`. */
#define RING(kind)                                                                                 \
    "model M\n" RING_CLASSES("b.phi - a.phi") "Ground g; Hinge h[2]; " kind " last;\n"             \
                                              "equation\n"                                         \
                                              "  connect(g.b, h[1].a); connect(h[1].b, h[2].a); "  \
                                              "connect(h[2].b, last.a);\n"                         \
                                              "  connect(last.b, g.b);\n"                          \
                                              "end M;"

static LoopCut cut(Model *m)
{
    System *s = m->dae.sys;
    cr_assert(der_expand(s, m->scratch));
    LoopCut c = loops_cut(s, m->scratch);
    massless_find(s, &c, m->scratch);
    return c;
}

Test(massless, an_acceleration_becomes_an_input)
{
    Model m = model_of(RING("Light"));
    System *s = m.dae.sys;
    LoopCut c = cut(&m);
    cr_assert_eq(c.n_massless, 1);
    cr_assert_eq(var_at(s, c.massless[0])->kind, VAR_INPUT);
    model_sort(&m);
    model_solve(&m);
    const Program *g = &m.dae.solution.program;
    uint32_t n_free = 0;
    for (uint32_t k = 0; k < g->n_states; k++)
        n_free += expr_same(g->derivative[k], system_var_expr(s, c.massless[0]));
    cr_assert_eq(n_free, 1);
    /* the balance says that nothing can act along the constraint */
    Substitution all = {.value = g->value, .n = s->var.n, .mem = m.scratch};
    ExprId balance = expr_substitute(s->pool, &all, c.balance[0]);
    ExprId force = system_var_expr(s, c.multiplier[0]);
    cr_assert(expr_same(balance, force) || expr_same(balance, expr_neg(s->pool, force)));
    model_done(&m);
}

Test(massless, a_joint_with_inertia_stays)
{
    Model m = model_of(RING("Hinge"));
    System *s = m.dae.sys;
    LoopCut c = cut(&m);
    cr_assert_eq(c.n_massless, 0);
    cr_assert_eq(strncmp(s->var.at[s->var.n - 1].name.s, "cut(", 4), 0, "nothing was added");
    model_sort(&m);
    cr_assert_eq(m.dae.states.n, 6);
    model_done(&m);
}
