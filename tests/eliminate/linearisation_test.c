#include "eliminate/forms/linearisation.h"
#include "tests/eliminate/model.h"

static const char motor[] = "model M\n"
                            "  parameter Real R = 2, L = 0.5, k = 0.1, J = 0.02, b = 0.2;\n"
                            "  input Real u; output Real w, P; Real i;\n"
                            "equation\n"
                            "  L*der(i) = u - R*i - k*w; J*der(w) = k*i - b*w; P = u*i;\n"
                            "end M;\n";

/* A linear and a nonlinear loop, one behind the other. */
static const char loops[] =
    "model M\n"
    "  input Real u; output Real y, e; Real x(start = 1), z(start = 1), a, b;\n"
    "equation\n"
    "  der(x) = a - z + u; (2 + x^2)*a + sin(x)*b = u; x*a - (3 + u^2)*b = 1;\n"
    "  z^3 + z + x*a = 2; y = z*b + u; e = 3;\n"
    "end M;\n";

static void make(Model *m, const char *text, uint32_t limit)
{
    *m = model_of(text);
    model_sort(m);
    model_solve(m);
    LinearisationChoice choice = linearisation_top_level(&m->dae.solution.program, m->mem);
    linearisation_make(&m->dae, &choice, limit, m->scratch);
    cr_assert_not_null(m->dae.solution.program.linearisation);
}

static ExprId entry_of(const Linearisation *l, uint32_t row, uint32_t col)
{
    const ExprColumns *m = &l->matrix.columns;
    for (uint32_t e = m->col_start[col]; e < m->col_start[col + 1]; e++)
        if (m->row[e] == row)
            return m->entry[e];
    return EXPR_NONE;
}

Test(linearisation, of_a_motor)
{
    Model m;
    make(&m, motor, 1000);
    System *s = m.dae.sys;
    ExprPool *p = s->pool;
    const Linearisation *l = m.dae.solution.program.linearisation;
    const Program *g = &m.dae.solution.program;
    cr_assert_eq(l->n_outputs, 2);
    cr_assert_eq(l->n_inputs, 1);
    cr_assert_eq(l->n_implicit, 0);
    uint32_t i = g->state[0].i == model_var(&m, "i").i ? 0 : 1, w = 1 - i;
    cr_assert(expr_same(entry_of(l, i, 2), expr_div(p, expr_int(p, 1), model_expr(&m, "L"))));
    cr_assert(expr_same(entry_of(l, w, i), expr_div(p, model_expr(&m, "k"), model_expr(&m, "J"))));
    cr_assert(expr_same(entry_of(l, 2, w), expr_int(p, 1)));
    cr_assert(!expr_exists(entry_of(l, 2, i)) && !expr_exists(entry_of(l, 2, 2)));
    cr_assert(expr_same(entry_of(l, 3, i), model_expr(&m, "u")));
    cr_assert(expr_same(entry_of(l, 3, 2), model_expr(&m, "i")));
    cr_assert(model_holds(&m, motor));
    model_done(&m);
}

/* Equations solved at run time are rows. */
Test(linearisation, of_a_nonlinear_loop)
{
    Model m;
    make(&m, loops, 1000);
    const Linearisation *l = m.dae.solution.program.linearisation;
    cr_assert_eq(l->n_implicit, 1);
    cr_assert_not_null(l->matrix.columns.entry);
    cr_assert(model_holds(&m, loops));
    model_done(&m);
}

/* Forty coupled accelerations: in explicit form the derivatives are beyond the limit. */
Test(linearisation, beyond_the_limit_loops_are_blocks)
{
    static const char chain[] =
        "model M\n"
        "  constant Integer n = 40; input Real u; output Real y; Real x[n], a[n];\n"
        "equation\n"
        "  der(x) = a; y = a[1];\n"
        "  (2 + x[1]^2)*a[1] + sin(x[1])*a[2] = u;\n"
        "  for i in 2:n - 1 loop\n"
        "    sin(x[i - 1])*a[i - 1] + (3 + x[i])*a[i] + sin(x[i])*a[i + 1] = cos(x[i]);\n"
        "  end for;\n"
        "  sin(x[n - 1])*a[n - 1] + 2*a[n] = x[n];\n"
        "end M;\n";
    Model m;
    make(&m, chain, 1000);
    const Linearisation *l = m.dae.solution.program.linearisation;
    cr_assert_eq(l->n_implicit, 40);
    uint32_t n = l->matrix.columns.col_start[l->matrix.columns.n_cols];
    cr_assert_lt(n, 10 * 40, "%u entries", n);
    cr_assert(model_holds(&m, chain));
    model_done(&m);
}

/* One wrong entry anywhere is found by the exact check. */
Test(linearisation, a_wrong_entry_is_found)
{
    Model m;
    make(&m, loops, 1000);
    const Linearisation *l = m.dae.solution.program.linearisation;
    uint32_t n = l->matrix.columns.col_start[l->matrix.columns.n_cols];
    ExprId *entry = (ExprId *)(uintptr_t)l->matrix.columns.entry;
    cr_assert_gt(n, 5);
    for (uint32_t k = 0; k < n; k++) {
        ExprId right = entry[k];
        entry[k] = expr_add(m.dae.sys->pool, right, expr_int(m.dae.sys->pool, 1));
        cr_assert(!model_holds(&m, loops), "entry %u", k);
        entry[k] = right;
    }
    model_done(&m);
}
