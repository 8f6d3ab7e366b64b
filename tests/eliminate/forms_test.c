#include "eliminate/forms/initial_solve.h"
#include "eliminate/forms/newton_order.h"
#include "eliminate/forms/residual_form.h"
#include "eliminate/forms/sparse_jacobian.h"
#include "eliminate/frames/frame_policy.h"
#include "eliminate/prepare/open_loops.h"
#include "ir/op_counter.h"
#include "ir/sample.h"
#include "tests/eliminate/model.h"

/* Two rods in a row, forces kept: a linear loop for accelerations and forces. */
static const char rods[] =
    "model M\n"
    "  Real p1(start = 0.1), p2(start = 0.3), w1, w2, z1, z2, ax1, ay1, ax2, ay2;\n"
    "  Real fx1, fy1, fx2, fy2;\n"
    "equation\n"
    "  der(p1) = w1; der(p2) = w2; der(w1) = z1; der(w2) = z2;\n"
    "  ax1 = -z1*sin(p1) - w1^2*cos(p1); ay1 = z1*cos(p1) - w1^2*sin(p1);\n"
    "  ax2 = ax1 - z2*sin(p2) - w2^2*cos(p2); ay2 = ay1 + z2*cos(p2) - w2^2*sin(p2);\n"
    "  ax1 = fx1 - fx2; ay1 + 9.81 = fy1 - fy2;\n"
    "  ax2 = fx2; ay2 + 9.81 = fy2;\n"
    "  cos(p1)*fy1 = sin(p1)*fx1; cos(p2)*fy2 = sin(p2)*fx2;\n"
    "end M;\n";

Test(forms, initial_equations_are_solved)
{
    Model m = model_of("model M Real x; initial equation der(x) = 0; equation der(x) = 1 - 2*x; "
                       "end M;");
    model_sort(&m);
    Dae *d = &m.dae;
    cr_assert(initial_solve(d, false, m.scratch));
    cr_assert_not_null(d->initial);
    VarId x = model_var(&m, "x");
    cr_assert(d->initial->is_solved[x.i]);
    cr_assert(expr_same(d->initial->program.value[x.i], expr_ratio(d->sys->pool, 1, 2)));
    model_done(&m);
    Model fixed = model_of("model M Real x(start = 3, fixed = true); equation der(x) = -x; end M;");
    model_sort(&fixed);
    cr_assert(initial_solve(&fixed.dae, false, fixed.scratch));
    cr_assert_null(fixed.dae.initial);
    model_done(&fixed);
}

Test(forms, too_few_conditions_are_told)
{
    Model m =
        model_of("model M Real x, y; initial equation x = 1; equation der(x) = y; der(y) = -x;"
                 " end M;");
    model_sort(&m);
    cr_assert(initial_solve(&m.dae, false, m.scratch));
    cr_assert(model_says(&m, "S07"));
    model_done(&m);
}

Test(forms, newton_iteration_is_the_derivative)
{
    Model m = model_of(rods);
    model_sort(&m);
    model_solve(&m);
    Program *g = &m.dae.solution.program;
    newton_system_make(&m.dae, NEWTON_STEP | NEWTON_MATRIX, m.scratch);
    cr_assert_not_null(g->newton);
    cr_assert(g->newton->has_matrix);
    cr_assert_eq(g->newton->n_delta, 4);
    cr_assert(model_holds(&m, rods));
    /* verify() compares with dual numbers: another increment is found out */
    ExprPool *p = m.dae.sys->pool;
    g->newton->delta[0] = expr_add(p, g->newton->delta[0], expr_int(p, 1));
    cr_assert_not(model_holds(&m, rods));
    model_done(&m);
}

/* A body on Euler parameters, pulled by a spring at a point d of it: R turns to its axes. */
#define ROTOR(length)                                                                              \
    "model M\n"                                                                                    \
    "  parameter Real d[3] = {0.3, -0.4, 0.2};\n"                                                  \
    "  Real Q[4](start = {1, 0.1, 0, 0.2}), w[3](start = {0.1, 0.2, 0.3}), k, R[3,3], f[3], "      \
    "t[3];\n"                                                                                      \
    "equation\n"                                                                                   \
    "  der(Q) = 0.5*[-Q[2], -Q[3], -Q[4]; Q[1], -Q[4], Q[3]; Q[4], Q[1], -Q[2];"                   \
    " -Q[3], Q[2], Q[1]]*w;\n"                                                                     \
    "  k = 2/(Q*Q);\n"                                                                             \
    "  R = " length "*[1 - k*(Q[3]^2 + Q[4]^2), k*(Q[2]*Q[3] + Q[1]*Q[4]),"                        \
    " k*(Q[2]*Q[4] - Q[1]*Q[3]); k*(Q[2]*Q[3] - Q[1]*Q[4]), 1 - k*(Q[2]^2 + Q[4]^2),"              \
    " k*(Q[3]*Q[4] + Q[1]*Q[2]); k*(Q[2]*Q[4] + Q[1]*Q[3]), k*(Q[3]*Q[4] - Q[1]*Q[2]),"            \
    " 1 - k*(Q[2]^2 + Q[3]^2)];\n"                                                                 \
    "  f = {1, 2, 3} - 5*transpose(R)*d; t = cross(d, R*f);\n"                                     \
    "  der(w) = {t[1]/2 - w[2]*w[3], t[2]/3, t[3]/4};\n"                                           \
    "end M;\n"

/* The operations of its Newton iteration, which has to be exact. */
static uint64_t operations_of_iteration(const char *text)
{
    Model m = model_of(text);
    model_sort(&m);
    model_solve(&m);
    Program *g = &m.dae.solution.program;
    newton_system_make(&m.dae, NEWTON_STEP, m.scratch);
    cr_assert_not_null(g->newton);
    cr_assert(model_holds(&m, text));
    OpCounter counter = op_counter_new(m.dae.sys->pool, m.scratch);
    op_counter_begin(&counter);
    OpCount c = op_counter_more(&counter, g->newton->n_delta, g->newton->delta);
    model_done(&m);
    return c.add + c.mul + c.div + c.call;
}

Test(forms, rotation_matrices_move_by_three_angles)
{
    /* a matrix that is a rotation is cheaper than one that is not */
    uint64_t rotation = operations_of_iteration(ROTOR("1"));
    uint64_t other = operations_of_iteration(ROTOR("1.5"));
    cr_assert_lt(rotation, other - other / 10, "%lu, %lu", rotation, other);
}

Test(forms, residual_form_has_the_accelerations_as_inputs)
{
    Model m = model_of(rods);
    model_sort(&m);
    model_solve(&m);
    residual_form_make(&m.dae, JACOBIAN_NODES, m.scratch);
    const ResidualForm *r = m.dae.solution.program.residual;
    cr_assert_not_null(r);
    cr_assert(r->has_jacobians);
    cr_assert_eq(r->n, 2, "%u", r->n); /* an acceleration of each rod */
    cr_assert(model_holds(&m, rods));
    model_done(&m);
}

Test(forms, solved_again_it_is_the_same_function)
{
    Model m = model_of(rods);
    model_sort(&m);
    model_solve(&m);
    OrderPolicy other = {.only = "mindegree"};
    Program again, first = m.dae.solution.program;
    cr_assert(solution_again(&m.dae, &other, &again, m.scratch));
    ExprPool *p = m.dae.sys->pool;
    for (uint32_t k = 0; k < first.n_states; k++)
        cr_assert(fp_same(expr_fingerprint(p, again.derivative[k]),
                          expr_fingerprint(p, first.derivative[k])),
                  "state %u", k);
    cr_assert(solution_has_pivots(&m.dae));
    cr_assert(solution_numeric(&m.dae, true, &again, m.scratch));
    cr_assert_eq(again.n_blocks, 1);
    cr_assert_eq(again.block[0].n, m.dae.solution.report[0].n); /* all of the loop */
    model_done(&m);
}

/* Newton's method has one unknown, or all of the block. */
Test(forms, nonlinear_blocks_are_torn_or_left_whole)
{
    Model m = model_of("model M\n"
                       "  Real x(start = 1, fixed = true), u, v, i;\n"
                       "equation\n"
                       "  der(x) = -i;\n"
                       "  x = u + v; u = 5*i; i = exp(v) - 1;\n"
                       "end M;\n");
    Program again;
    model_sort(&m);
    model_solve(&m);
    cr_assert_eq(m.dae.solution.program.block[0].n, 1);
    cr_assert(solution_numeric(&m.dae, false, &again, m.scratch));
    cr_assert_eq(again.block[0].n, 1);
    cr_assert(solution_numeric(&m.dae, true, &again, m.scratch));
    cr_assert_eq(again.block[0].n, 3);
    model_done(&m);
}

Test(forms, constraints_of_a_cut_loop)
{
    Model m = model_of("model M\n"
                       "  parameter Real L = 2;\n"
                       "  Real x(start = 1.2), y(start = 1.6), vx, vy, f;\n"
                       "equation\n"
                       "  der(x) = vx; der(y) = vy;\n"
                       "  der(vx) = f*x; der(vy) = f*y - 9.81;\n"
                       "  x^2 + y^2 = L^2;\n"
                       "end M;\n");
    Dae *d = &m.dae;
    cr_assert(der_expand(d->sys, m.scratch));
    cr_assert(loops_open(d, LOOPS_CUT_ALL, m.scratch));
    model_sort(&m);
    model_solve(&m);
    const LoopConstraints *l = d->solution.program.loops;
    cr_assert_not_null(l);
    cr_assert_eq(l->n_constraints, 1);
    cr_assert_eq(l->n_velocities, 2);
    /* phi_dot = phi_x der(x) by the states; the sign of phi is free */
    ExprPool *p = d->sys->pool;
    ExprId sum = expr_int(p, 0);
    for (uint32_t c = 0; c < l->phi_x.n_cols; c++)
        for (uint32_t k = l->phi_x.col_start[c]; k < l->phi_x.col_start[c + 1]; k++)
            sum =
                expr_add(p, sum, expr_mul(p, l->phi_x.entry[k], d->solution.program.derivative[c]));
    cr_assert(expr_same(sum, l->phi_dot[0]));
    ExprId x = model_expr(&m, "x"), vx = model_expr(&m, "vx");
    ExprId y = model_expr(&m, "y"), vy = model_expr(&m, "vy");
    ExprId want = expr_mul(p, expr_int(p, 2), expr_add(p, expr_mul(p, x, vx), expr_mul(p, y, vy)));
    Fp have = expr_fingerprint(p, l->phi_dot[0]);
    cr_assert(fp_same(have, expr_fingerprint(p, want)) ||
              fp_same(have, expr_fingerprint(p, expr_neg(p, want))));
    model_done(&m);
}

/* Forces in a frame that turns against that of the accelerations, as tests/golden/frames has it. */
static const char turned[] = "model M\n"
                             "  Real p(start = 0.1, fixed = true), q(start = 0.2, fixed = true);\n"
                             "  Real u(fixed = true), v(fixed = true);\n"
                             "  Real R[2, 2] = {{cos(p), sin(p)}, {-sin(p), cos(p)}};\n"
                             "  Real S[2, 2] = {{cos(q), sin(q)}, {-sin(q), cos(q)}};\n"
                             "  Real T[2, 2] = S*R;\n"
                             "  Real x[2], y[2], f[2], alpha, beta;\n"
                             "equation\n"
                             "  der(p) = u; der(q) = v; der(u) = alpha; der(v) = beta;\n"
                             "  x = transpose(R)*{-u^2, alpha};\n"
                             "  y = x + transpose(T)*{-v^2, beta};\n"
                             "  f = T*(y + {0, 9.81});\n"
                             "  alpha = -S[1, 2]*f[1] - S[2, 2]*f[2];\n"
                             "  beta = -f[2];\n"
                             "end M;\n";

Test(forms, moved_vectors_cost_less_and_are_the_same)
{
    Model plain = model_of(turned), moved = model_of(turned);
    model_sort(&plain);
    model_solve(&plain);
    model_sort(&moved);
    cr_assert(frames_apply(&moved.dae, moved.scratch));
    cr_assert_gt(moved.dae.frames.n_turned + moved.dae.frames.n_shifted, 0);
    cr_assert(equations_sort(&moved.dae, moved.scratch));
    cr_assert(blt_check(&moved.dae.blt));
    model_solve(&moved);
    cr_assert_lt(model_operations(&moved), model_operations(&plain));
    cr_assert(model_holds(&moved, turned));
    model_done(&plain);
    model_done(&moved);
    /* nothing to move: the equations stay */
    Model m = model_of(rods);
    model_sort(&m);
    uint32_t n = m.dae.sys->var.n;
    cr_assert_not(frames_apply(&m.dae, m.scratch));
    cr_assert_eq(m.dae.sys->var.n, n);
    cr_assert(blt_check(&m.dae.blt));
    model_done(&m);
}

/* No equation says that der(y) is the derivative of y; the check does. */
Test(forms, a_rate_that_is_no_derivative_is_found)
{
    static const char *const text = "model M Real x(start = 1), y, z; equation\n"
                                    "  der(x) = -x; y = x*x; z = der(y); end M;";
    Model m = model_of(text);
    model_sort(&m);
    model_solve(&m);
    cr_assert(model_holds(&m, text));
    Program *g = &m.dae.solution.program;
    uint32_t n = m.dae.sys->var.n;
    ExprId *value = arena_array(m.mem, ExprId, n);
    memcpy(value, g->value, n * sizeof *value);
    static const char *const rate[] = {"z", "der(y)"};
    for (int k = 0; k < 2; k++) {
        VarId v = model_var(&m, rate[k]);
        value[v.i] = expr_mul(m.dae.sys->pool, expr_int(m.dae.sys->pool, 2), value[v.i]);
    }
    g->value = value;
    Model flat = model_flat(text, false);
    VerifyReport r = verify(g, flat.dae.sys, NULL, (VerifyPoints){.residues = 1});
    cr_assert(!r.ok && var_exists(r.failed_rate));
    cr_assert_str_eq(var_at(flat.dae.sys, r.failed_rate)->name.s, "y");
    model_done(&flat);
    model_done(&m);
}

/* alpha*q with a parameter alpha = 0: no pivot for this model, though samples have no value of q.
 */
Test(forms, a_product_with_zero_vanishes_whatever_the_other_factor)
{
    Model m = model_of("model M function f input Real t; output Real q; algorithm q := t;"
                       " while q > 1 loop q := q - 1; end while; annotation(Inline = false); end f;"
                       " parameter Real alpha = 0, beta = 2; Real x = alpha*f(time),"
                       " y = beta*f(time); end M;");
    const System *s = m.dae.sys;
    Sample sample = sample_new(s, m.scratch);
    cr_assert_eq(s->eq.n, 2);
    cr_assert(sample_vanishes(&sample, s->eq.at[0].rhs));
    cr_assert_not(sample_vanishes(&sample, s->eq.at[1].rhs));
    model_done(&m);
}
