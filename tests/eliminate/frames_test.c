/* Vectors moved into other frames and measured from elsewhere: the program of the rewritten
 * equations still solves the equations as they were, and costs less. */
#include "eliminate/frames/frames.h"

#include "eliminate/block/ordering.h"
#include "eliminate/verify/verify.h"
#include "tests/eliminate/fixture.h"

#include <string.h>

static void array(Fixture *f, const char *name, uint32_t n, ExprId *out)
{
    uint32_t group = system_new_group(f->s);
    for (uint32_t k = 0; k < n; k++) {
        VarId v = variable(f, VAR_CONTINUOUS, name_printf(f->s->names, "%s[%u]", name, k + 1).s);
        f->s->var.at[v.i].group = group;
        f->s->var.at[v.i].index = k;
        out[k] = system_var_expr(f->s, v);
    }
}

static void vector_equation(Fixture *f, uint32_t n, const ExprId *lhs, const ExprId *rhs)
{
    uint32_t group = system_new_group(f->s);
    for (uint32_t k = 0; k < n; k++) {
        equation(f, lhs[k], rhs[k]);
        f->s->eq.at[f->s->eq.n - 1].group = group;
        f->s->eq.at[f->s->eq.n - 1].index = k;
    }
}

static ExprId dot(ExprPool *p, ExprId a, ExprId b, ExprId c, ExprId d)
{
    return expr_add(p, expr_mul(p, a, b), expr_mul(p, c, d));
}

/* A chain of rods in a plane, everything written in the world's frame though forces and inertia
 * are simple in those of the rods. Rod k: R_k = [cos q, sin q; -sin q, cos q],
 *     a_k = a_(k-1) + R_k' (-w^2 r, z r),   f_k = f_(k+1) + R_k' diag(m1, m2) R_k (a_k - g),
 *     (R_k f_k)[2] = -J z      (in water a rod is heavier across than along)       */
static Fixture chain(uint32_t n, bool by_value)
{
    Fixture f = {.mem = arena_new()};
    f.s = system_new(f.mem, names_new(f.mem), diags_new(f.mem), by_value);
    ExprPool *p = f.p = f.s->pool;
    enum { MOST = 4 };
    ExprId q[MOST], w[MOST], z[MOST], R[MOST][4], a[MOST][2], force[MOST + 1][2];
    const ExprId m[2] = {parameter(&f, "m1"), parameter(&f, "m2")};
    ExprId J = parameter(&f, "J"), r = parameter(&f, "r");
    ExprId g[2] = {parameter(&f, "g1"), parameter(&f, "g2")};
    for (uint32_t k = 0; k < n; k++) {
        q[k] = unknown(&f, name_printf(f.s->names, "q%u", k).s);
        w[k] = unknown(&f, name_printf(f.s->names, "w%u", k).s);
        z[k] = unknown(&f, name_printf(f.s->names, "z%u", k).s);
        array(&f, name_printf(f.s->names, "R%u", k).s, 4, R[k]);
        array(&f, name_printf(f.s->names, "a%u", k).s, 2, a[k]);
        array(&f, name_printf(f.s->names, "f%u", k).s, 2, force[k]);
    }
    for (uint32_t k = 0; k < n; k++) {
        ExprId c = expr_fn(p, FN_COS, q[k]), s = expr_fn(p, FN_SIN, q[k]);
        const ExprId rotation[4] = {c, s, expr_neg(p, s), c};
        vector_equation(&f, 4, R[k], rotation);
        equation(&f, system_var_expr(f.s, system_der(f.s, expr_var_of(p, q[k]))), w[k]);
        equation(&f, system_var_expr(f.s, system_der(f.s, expr_var_of(p, w[k]))), z[k]);
        ExprId along = expr_neg(p, expr_mul(p, expr_mul(p, w[k], w[k]), r));
        ExprId across = expr_mul(p, z[k], r);
        ExprId acceleration[2], balance[2];
        for (uint32_t i = 0; i < 2; i++) {
            acceleration[i] = dot(p, R[k][i], along, R[k][2 + i], across);
            if (k)
                acceleration[i] = expr_add(p, a[k - 1][i], acceleration[i]);
            ExprId x = expr_sub(p, a[k][0], g[0]), y = expr_sub(p, a[k][1], g[1]);
            ExprId inner[2] = {expr_mul(p, m[0], dot(p, R[k][0], x, R[k][1], y)),
                               expr_mul(p, m[1], dot(p, R[k][2], x, R[k][3], y))};
            balance[i] = dot(p, R[k][i], inner[0], R[k][2 + i], inner[1]);
            if (k + 1 < n)
                balance[i] = expr_add(p, force[k + 1][i], balance[i]);
        }
        vector_equation(&f, 2, a[k], acceleration);
        vector_equation(&f, 2, force[k], balance);
        equation(&f, dot(p, R[k][2], force[k][0], R[k][3], force[k][1]),
                 expr_neg(p, expr_mul(p, J, z[k])));
    }
    return f;
}

static Blt sorted(Fixture *f, uint32_t n)
{
    bool *is_state = arena_array(f->mem, bool, f->s->var.n);
    bool *is_unknown = arena_array(f->mem, bool, f->s->var.n);
    for (uint32_t k = 0; k < f->s->var.n; k++)
        is_unknown[k] = f->s->var.at[k].kind == VAR_CONTINUOUS;
    for (uint32_t k = 0; k < n; k++) {
        const char *name[] = {name_printf(f->s->names, "q%u", k).s,
                              name_printf(f->s->names, "w%u", k).s};
        for (int i = 0; i < 2; i++) {
            VarId v = system_find_var(f->s, name_of(f->s->names, name[i]));
            is_state[v.i] = true;
            is_unknown[v.i] = false;
        }
    }
    Blt b = blt_find(f->s, is_unknown, is_state, NULL, f->mem);
    cr_assert(blt_is_complete(&b) && blt_check(&b));
    return b;
}

static uint64_t operations(Fixture *f, const Blt *b, uint32_t n)
{
    OrderPolicy policy = {.budget = 1000};
    Orders orders = ordering_of(&policy);
    Solution s;
    cr_assert(solve(b, &orders, &s, f->mem));
    Fixture flat = chain(n, false);
    VerifyReport v = verify(&s.program, flat.s, NULL, (VerifyPoints){3, 3});
    cr_assert(verify_is_proved(&v), "equation %u", v.failed.i);
    fixture_done(&flat);
    return program_operations(f->p, s.program.n_states, s.program.derivative);
}

Test(frames, rewritten_equations_have_the_same_solution_and_cost_less)
{
    for (uint32_t n = 2; n <= 4; n++) {
        Fixture plain = chain(n, true), f = chain(n, true);
        Blt before = sorted(&plain, n), b = sorted(&f, n);
        Frames frames = frames_find(&b, (FramesHow){0}, f.mem);
        cr_assert(frames.n_turned > 0 && frames.n_moved > 0 && frames.n_shifted > 0,
                  "%u rods: %u turned, %u moved, %u shifted", n, frames.n_turned, frames.n_moved,
                  frames.n_shifted);
        Blt after = sorted(&f, n);
        uint64_t dear = operations(&plain, &before, n), cheap = operations(&f, &after, n);
        cr_assert(10 * cheap < 7 * dear, "%u rods: %lu operations, then %lu", n, dear, cheap);
        fixture_done(&plain);
        fixture_done(&f);
    }
}

/* The equations as they were, after all. */
Test(frames, what_was_rewritten_can_be_taken_back)
{
    Fixture f = chain(3, true);
    Blt b = sorted(&f, 3);
    uint32_t n = f.s->eq.n;
    Eq *eq = arena_array(f.mem, Eq, n);
    memcpy(eq, f.s->eq.at, n * sizeof *eq);
    Frames frames = frames_find(&b, (FramesHow){0}, f.mem);
    cr_assert_gt(f.s->eq.n, n, "an equation for each coordinate in another frame");
    rewriting_exchange(&frames.rewriting);
    cr_assert_eq(f.s->eq.n, n);
    for (uint32_t k = 0; k < n; k++)
        cr_assert(expr_same(f.s->eq.at[k].lhs, eq[k].lhs) &&
                  expr_same(f.s->eq.at[k].rhs, eq[k].rhs));
    fixture_done(&f);
}
