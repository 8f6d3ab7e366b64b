#include "eliminate/prepare/inverse.h"
#include "tests/eliminate/model.h"

/* A flywheel on a shaft with friction; tau reaches it through aliases. */
static const char flywheel[] = "model M\n"
                               "  parameter Real J = 2, d = 0.1; %s\n"
                               "  Real phi, w, tau, t2;\n"
                               "equation\n"
                               "  w = der(phi); J*der(w) = tau - d*w; tau + t2 = 0; %s\n"
                               "end M;\n";

static Model turned(const char *declaration, const char *equation, InverseDynamics *it, bool *ok)
{
    char text[1000];
    snprintf(text, sizeof text, flywheel, declaration, equation);
    Model m = model_of(text);
    cr_assert(der_expand(m.dae.sys, m.scratch));
    VarId *phi = arena_make(m.mem, VarId), *tau = arena_make(m.mem, VarId);
    *phi = model_var(&m, "phi");
    *tau = model_var(&m, "tau");
    *it = (InverseDynamics){.n = 1, .position = phi, .effort = tau};
    *ok = inverse_make(m.dae.sys, it, m.scratch);
    return m;
}

static void check(const char *declaration, const char *equation)
{
    InverseDynamics it;
    bool ok;
    Model m = turned(declaration, equation, &it, &ok);
    cr_assert(ok);
    model_sort(&m);
    model_solve(&m);
    const Program *g = &m.dae.solution.program;
    ExprPool *p = m.dae.sys->pool;
    cr_assert_eq(g->n_states, 0);
    // tau = J*qdd + d*qd
    ExprId qd = system_var_expr(m.dae.sys, it.velocity[0]);
    ExprId qdd = system_var_expr(m.dae.sys, it.acceleration[0]);
    ExprId right =
        expr_add(p, expr_mul(p, model_expr(&m, "J"), qdd), expr_mul(p, model_expr(&m, "d"), qd));
    cr_assert(expr_same(g->value[it.effort[0].i], right));
    model_done(&m);
}

Test(inverse, of_an_input)
{
    check("input Real u;", "t2 = -u;");
}

Test(inverse, of_what_nothing_drives)
{
    check("", "t2 = 0;");
    check("parameter Real load = 3;", "load = t2;");
}

Test(inverse, of_what_is_no_drive)
{
    InverseDynamics it;
    bool ok;
    Model m = turned("", "t2 = 3*phi;", &it, &ok);
    cr_assert(!ok && model_says(&m, "E06"));
    model_done(&m);
}
