/* Points along the axes of hinges: levers lose an element, the motion stays. */
#include "eliminate/frames/axis_points.h"

#include "tests/eliminate/model.h"

/* Three bodies in a row on hinges about z, y, z, vectors in the frames of the bodies; `tip`: of the
 * torque that acts on the second body, about the hinge to the third. */
#define CHAIN(tip)                                                                                 \
    "model M\n"                                                                                    \
    "  constant Real n[3, 3] = {{0, 0, 1}, {0, 1, 0}, {0, 0, 1}};\n"                               \
    "  parameter Real m = 1.3;\n"                                                                  \
    "  parameter Real r1[3] = {0.9, 0.3, -0.2}, r2[3] = {0.7, -0.4, 0.5};\n"                       \
    "  parameter Real c1[3] = {0.5, 0.1, 0.2}, c2[3] = {0.3, 0.6, 0.1}, c3[3] = {0.4, 0.1, "       \
    "0.3};\n"                                                                                      \
    "  parameter Real I[3, 3] = {{1, 0.1, 0.2}, {0.1, 2, 0.3}, {0.2, 0.3, 1.5}};\n"                \
    "  Real q[3](start = {0.1, 0.2, 0.3}), u[3], h[3];\n"                                          \
    "  Real R1[3, 3] = {{cos(q[1]), sin(q[1]), 0}, {-sin(q[1]), cos(q[1]), 0}, {0, 0, 1}};\n"      \
    "  Real R2[3, 3] = {{cos(q[2]), 0, -sin(q[2])}, {0, 1, 0}, {sin(q[2]), 0, cos(q[2])}};\n"      \
    "  Real R3[3, 3] = {{cos(q[3]), sin(q[3]), 0}, {-sin(q[3]), cos(q[3]), 0}, {0, 0, 1}};\n"      \
    "  Real w1[3] = n[1]*u[1], w2[3] = R2*w1 + n[2]*u[2], w3[3] = R3*w2 + n[3]*u[3];\n"            \
    "  Real z1[3], z2[3], z3[3], a1[3], a2[3], a3[3], b1[3], b2[3];\n"                             \
    "  Real f1[3], f2[3], f3[3], g2[3], g3[3], k1[3], k2[3], k3[3];\n"                             \
    "  Real t1[3], t2[3], t3[3], s2[3], s3[3];\n"                                                  \
    "equation\n"                                                                                   \
    "  der(q) = u; der(u) = h;\n"                                                                  \
    "  z1 = n[1]*h[1]; z2 = R2*z1 + n[2]*h[2] + cross(w2, n[2]*u[2]);\n"                           \
    "  z3 = R3*z2 + n[3]*h[3] + cross(w3, n[3]*u[3]);\n"                                           \
    "  a1 = R1*{0, 9.81, 0}; a2 = R2*b1; a3 = R3*b2;\n"                                            \
    "  b1 = a1 + cross(z1, r1) + cross(w1, cross(w1, r1));\n"                                      \
    "  b2 = a2 + cross(z2, r2) + cross(w2, cross(w2, r2));\n"                                      \
    "  k1 = m*(a1 + cross(z1, c1) + cross(w1, cross(w1, c1)));\n"                                  \
    "  k2 = m*(a2 + cross(z2, c2) + cross(w2, cross(w2, c2)));\n"                                  \
    "  k3 = m*(a3 + cross(z3, c3) + cross(w3, cross(w3, c3)));\n"                                  \
    "  g2 = transpose(R2)*f2; g3 = transpose(R3)*f3;\n"                                            \
    "  s2 = transpose(R2)*t2; s3 = transpose(R3)*t3;\n"                                            \
    "  f1 = k1 + g2; f2 = k2 + g3; f3 = k3;\n"                                                     \
    "  t1 = I*z1 + cross(w1, I*w1) + cross(c1, k1) + cross(r1, g2) + s2;\n"                        \
    "  t2 = I*z2 + cross(w2, I*w2) + cross(c2, k2) + cross(r2, g3) + s3" tip ";\n"                 \
    "  t3 = I*z3 + cross(w3, I*w3) + cross(c3, k3);\n"                                             \
    "  n[1]*t1 = 0; n[2]*t2 = 0; n[3]*t3 = 0;\n"                                                   \
    "end M;\n"

static uint32_t move(Model *m)
{
    Dae *d = &m->dae;
    uint32_t n_vars = d->sys->var.n;
    Rewriting r = rewriting_new(d->sys);
    uint32_t n = axis_points_apply(&d->blt, &r, m->scratch);
    dae_extend(d, n_vars);
    d->frames.rewriting = r;
    return n;
}

Test(axis_points, an_element_of_a_lever_goes_to_the_other_side_of_the_hinge)
{
    static const char text[] = CHAIN("");
    Model plain = model_of(text), m = model_of(text);
    model_sort(&plain);
    model_solve(&plain);
    model_sort(&m);
    cr_assert_eq(move(&m), 2, "y of the second lever, z of the other bodies about the last hinge");
    cr_assert(equations_sort(&m.dae, m.scratch));
    cr_assert(blt_check(&m.dae.blt));
    model_solve(&m);
    cr_assert(model_holds(&m, text));
    cr_assert_lt(model_operations(&m), model_operations(&plain));
    model_done(&plain);
    model_done(&m);
}

/* A force from elsewhere has a lever that stays. */
Test(axis_points, levers_that_something_else_reads_stay)
{
    static const char text[] = CHAIN(" + cross(r2, {time, 1, 2})");
    Model m = model_of(text);
    model_sort(&m);
    cr_assert_leq(move(&m), 1);
    cr_assert(equations_sort(&m.dae, m.scratch));
    model_solve(&m);
    cr_assert(model_holds(&m, text));
    model_done(&m);
}
