#include "eliminate/forms/base_form.h"

#include "eliminate/forms/parameter_rows.h"
#include "tests/eliminate/model.h"

/* Two links in a plane; forces and torques in the frame of each. */
static const char two_links[] =
    "model M parameter Real m1 = 1, m2 = 2, c1 = 0.3, c2 = 0.4, I1 = 0.1, I2 = 0.2, l = 1, g = "
    "10;\n"
    "  Real p1, p2, w1, w2, z1, z2, w, a1x, a1y, a2x, a2y, bx, by, f1x, f1y, f2x, f2y, t1, t2, h;\n"
    "  input Real u1, u2;\n"
    "equation der(p1) = w1; der(p2) = w2; z1 = der(w1); z2 = z1 + der(w2); w = w1 + w2;\n"
    "  a1x = g*sin(p1); a1y = g*cos(p1); bx = a1x - w1*w1*l; by = a1y + z1*l;\n"
    "  a2x = cos(p2)*bx + sin(p2)*by; a2y = -sin(p2)*bx + cos(p2)*by;\n"
    "  f1x = m1*(a1x - w1*w1*c1); f1y = m1*(a1y + z1*c1); t1 = I1*z1 + c1*f1y;\n"
    "  f2x = m2*(a2x - w*w*c2); f2y = m2*(a2y + z2*c2); t2 = I2*z2 + c2*f2y;\n"
    "  u2 = t2; u1 = t1 + t2 + l*h; h = sin(p2)*f2x + cos(p2)*f2y;\n"
    "end M;\n";

/* Of each body a mass, a first moment, an inertia: I + m*c^2, which no equation has by itself. */
Test(base_form, rows_have_as_many_parameters_as_columns_have_rank)
{
    Model m = model_of(two_links);
    model_sort(&m);
    System *s = m.dae.sys;
    static const char *const linear[] = {"m1", "m2", "I1", "I2"}, *const factor[] = {"c1", "c2"};
    bool *needed = arena_array(m.mem, bool, s->eq.n);
    bool *is_linear = arena_array(m.mem, bool, s->var.n);
    bool *is_factor = arena_array(m.mem, bool, s->var.n);
    memset(needed, true, s->eq.n);
    for (size_t k = 0; k < 4; k++)
        is_linear[model_var(&m, linear[k]).i] = true;
    for (size_t k = 0; k < 2; k++)
        is_factor[model_var(&m, factor[k]).i] = true;
    ParameterQuestion q = {.is_needed = needed, .is_linear = is_linear, .is_factor = is_factor};
    ParameterRows r = parameter_rows_find(&m.dae.blt, &q, m.mem);
    cr_assert_eq(r.n_bodies, 2);
    cr_assert_eq(r.n_parameters, 6);
    cr_assert_eq(r.n_rows, 6);
    ExprPool *p = s->pool;
    ExprId c = model_expr(&m, "c2");
    ExprId about_hinge =
        expr_add(p, model_expr(&m, "I2"), expr_mul(p, expr_mul(p, model_expr(&m, "m2"), c), c));
    bool found = false;
    for (uint32_t k = 0; k < r.n_parameters; k++)
        found = found || expr_same(r.value[k], about_hinge);
    cr_assert(found);
    /* a length that stands without a mass, too, is no factor: l of by = a1y + z1*l */
    is_factor[model_var(&m, "l").i] = true;
    ParameterRows with_length = parameter_rows_find(&m.dae.blt, &q, m.mem);
    cr_assert_eq(with_length.n_parameters, 6);
    model_done(&m);
}

static Model solved(const char *text)
{
    Model m = model_of(text);
    model_sort(&m);
    OrderPolicy policy = {0};
    base_form_find(&m.dae, &policy, &m.dae.base, m.scratch);
    model_solve(&m);
    base_form_put_in(&m.dae, &m.dae.base, &m.dae.solution.program);
    return m;
}

static uint64_t operations(const Model *m)
{
    const Program *g = &m->dae.solution.program;
    return program_operations(m->dae.sys->pool, g->n_states, g->derivative);
}

/* Theirs are 6 - 1: the outer mass is carried by the inner link (Mayeda, Yoshida and Osuka 1990).
 */
Test(base_form, the_same_motion_with_fewer_parameters_and_operations)
{
    Model m = solved(two_links), plain = model_of(two_links);
    model_sort(&plain);
    model_solve(&plain);
    cr_assert(m.dae.base.is_taken);
    cr_assert_lt(m.dae.base.n_base, m.dae.base.n_parameters);
    cr_assert_lt(operations(&m), operations(&plain));
    cr_assert_eq(operations(&m), m.dae.base.grouped);
    cr_assert(model_holds(&m, two_links));
    model_done(&plain);
    model_done(&m);
}

/* Euler's equations, t = I*der(w) + cross(w, I*w): the torque by which two products of moments
 * differ, I3*z*y - I2*y*z, is that of one parameter, which takes a product, a sum, a quotient and
 * y*z for each axis. */
Test(base_form, moments_of_inertia_that_only_differ_are_one_parameter)
{
    const char *text =
        "model M parameter Real I1 = 1, I2 = 2, I3 = 4; Real x, y, z; input Real t1, t2, t3;\n"
        "equation t1 = I1*der(x) + (y*(I3*z) - z*(I2*y)); t2 = I2*der(y) + (z*(I1*x) - x*(I3*z));\n"
        "  t3 = I3*der(z) + (x*(I2*y) - y*(I1*x)); end M;\n";
    Model m = solved(text);
    cr_assert(m.dae.base.is_taken);
    cr_assert_eq(operations(&m), 12);
    cr_assert(model_holds(&m, text));
    model_done(&m);
}

/* verify() compares them with the values that the equations have. */
Test(base_form, a_wrong_derivative_is_found)
{
    Model m = solved(two_links);
    Program *g = &m.dae.solution.program;
    ExprPool *p = m.dae.sys->pool;
    for (uint32_t k = 0; k < g->n_states; k++) {
        const ExprId *right = g->derivative;
        ExprId *wrong = arena_array(m.mem, ExprId, g->n_states);
        memcpy(wrong, right, g->n_states * sizeof *wrong);
        wrong[k] = expr_add(p, right[k], expr_int(p, 1));
        g->derivative = wrong;
        cr_assert(!model_holds(&m, two_links));
        g->derivative = right;
    }
    cr_assert(model_holds(&m, two_links));
    model_done(&m);
}

/* A force that another equation holds, such as friction of a hinge, keeps its mass. */
Test(base_form, parameters_of_forces_that_matter_stay)
{
    const char *text =
        "model M parameter Real m1 = 1, m2 = 2, k = 3, g = 10; Real s, v, x, y, f1, f2;\n"
        "equation der(s) = v; der(x) = y; f2 = m2*(der(v) + der(y) + g); f1 = m1*(der(v) + g);\n"
        "  f1 + f2 = -k*s; f2 = -noEvent(max(f2, -f2))*y; end M;\n";
    Model m = solved(text);
    cr_assert(model_holds(&m, text));
    model_done(&m);
}
