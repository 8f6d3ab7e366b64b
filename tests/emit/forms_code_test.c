/* The C of the adjoint and of cut loops in a whole model, against differences of the C of the
 * functions; the other forms are in section_code_test.c. */
#include "eliminate/forms/adjoint.h"
#include "eliminate/prepare/open_loops.h"
#include "emit/emit.h"
#include "emit/model/adjoint_code.h"
#include "emit/model/build.h"
#include "runtime/problem/context.h"
#include "tests/eliminate/model.h"
#include "tests/emit/rods.h"

#include <math.h>
#include <string.h>

static const double STEP = 1e-5, NEAR = 1e-7;

static const char circle[] = "model M\n"
                             "  parameter Real L = 2;\n"
                             "  Real x(start = 1.2), y(start = 1.6), vx, vy, f;\n"
                             "equation\n"
                             "  der(x) = vx; der(y) = vy;\n"
                             "  der(vx) = f*x; der(vy) = f*y - 9.81;\n"
                             "  x^2 + y^2 = L^2;\n"
                             "end M;\n";

/* In its place: parts of a solved model point to others of it. */
static void solve_rods(Model *m)
{
    *m = model_of(rods);
    model_sort(m);
    model_solve(m);
}

static Build compiled(Model *m)
{
    EmitFiles f;
    Build it;
    cr_assert(emit_program(&m->dae.solution.program, emit_defaults(), m->mem, &f));
    cr_assert(build_model(&f, (BuildOptions){.optimise = "-O1"}, m->mem, &it), "%s", it.error);
    return it;
}

/* Something at a time and states. */
typedef int (*AtState)(RungContext *ctx, double t, const double *x, double *out);

/* d f[row] / d at[col], of f at (t, x), where `at` is x or a part of the context's u. */
static double difference(AtState f, RungContext *ctx, double t, double *x, double *at, uint32_t row)
{
    double low[64], high[64], was = *at;
    *at = was - STEP;
    cr_assert_eq(f(ctx, t, x, low), 0);
    *at = was + STEP;
    cr_assert_eq(f(ctx, t, x, high), 0);
    *at = was;
    return (high[row] - low[row]) / (2 * STEP);
}

static double entry_at(const RungPattern *p, const double *entry, uint32_t row, uint32_t col)
{
    for (uint32_t e = p->col_start[col]; e < p->col_start[col + 1]; e++)
        if (p->row[e] == row)
            return entry[e];
    return 0;
}

static void check(double have, double want, const char *name, uint32_t row, uint32_t col)
{
    cr_assert_lt(fabs(have - want), NEAR * (1 + fabs(want)), "%s[%u, %u] is %.10g, not %.10g", name,
                 row, col, have, want);
}

static void take_point(double *x, uint32_t n, int point)
{
    for (uint32_t k = 0; k < n; k++)
        x[k] = 0.3 + 0.17 * k - 0.41 * point;
}

/* The product with weights is the same sum over the Jacobian. */
Test(forms_code, adjoint)
{
    Model m;
    solve_rods(&m);
    Program *g = &m.dae.solution.program;
    const VarId by[] = {model_var(&m, "k")}, objective[] = {model_var(&m, "e")};
    const char *const name[] = {"k"};
    const AdjointChoice choice = {
        .n = 1, .n_objectives = 1, .by = by, .objective = objective, .name = name};
    cr_assert(adjoint_make(&m.dae, &choice, m.scratch));
    cr_assert_eq(g->adjoint->n_inputs,
                 g->n_states + 1 + g->adjoint->n_shared + g->adjoint->n_dependent);
    cr_assert_geq(adjoint_first(g, 1), 1);
    Build it = compiled(&m);
    const RungModel *c = it.model;
    const RungAdjoint *a = c->adjoint;
    RungContext *ctx = context_new(c);
    cr_assert_eq(context_update(ctx), 0);
    double x[4], out[64], result[8];
    take_point(x, 4, 1);
    ctx->u[0] = 0.7;
    double *weight = ctx->u + a->first, *shared = weight + 4 + 1, *is_free = shared + a->n_shared;
    for (uint32_t k = 0; k < a->n_dependent; k++)
        is_free[k] = 1;
    uint32_t e = 0;
    while (strcmp(rung_name(c, e), "e") != 0)
        e++;
    for (uint32_t w = 0; w < 5; w++) {
        memset(weight, 0, 5 * sizeof *weight);
        weight[w] = 1;
        AtState f = w < 4 ? c->xdot : c->outputs;
        uint32_t row = w < 4 ? w : rung_variable(c, e).index;
        cr_assert_eq(a->product(ctx, 0, x, out), 0);
        for (uint32_t k = 0; k < 4; k++)
            check(out[k], difference(f, ctx, 0, x, x + k, row), "adjoint", w, k);
        /* derivatives by the shared values become that by k, at whose change L follows */
        memcpy(shared, out + 4, a->n_shared * sizeof *shared);
        memset(weight, 0, 5 * sizeof *weight);
        cr_assert_eq(a->by_parameter(ctx, 0, x, result), 0);
        double value[2][64], by_k;
        for (int side = 0; side < 2; side++) {
            char text[40];
            snprintf(text, sizeof text, "%.17g", 0.3 + (side ? STEP : -STEP));
            cr_assert_eq(context_set(ctx, "k", text), 0);
            cr_assert_eq(context_update(ctx), 0);
            cr_assert_eq(f(ctx, 0, x, value[side]), 0);
        }
        cr_assert_eq(context_set(ctx, "k", "0.3"), 0);
        cr_assert_eq(context_update(ctx), 0);
        by_k = (value[1][row] - value[0][row]) / (2 * STEP);
        check(result[0], by_k, "adjoint by k", w, 0);
    }
    context_free(ctx);
    build_close(&it);
    model_done(&m);
}

Test(forms_code, constraints_of_a_cut_loop)
{
    Model m = model_of(circle);
    cr_assert(der_expand(m.dae.sys, m.scratch));
    cr_assert(loops_open(&m.dae, LOOPS_CUT_ALL, m.scratch));
    model_sort(&m);
    model_solve(&m);
    Build it = compiled(&m);
    const RungModel *c = it.model;
    const RungLoops *l = c->loops;
    RungContext *ctx = context_new(c);
    cr_assert_eq(context_update(ctx), 0);
    double x[4], xdot[4], phi_x[16], phi_dot[4], phi[4];
    for (int point = 0; point < 3; point++) {
        take_point(x, 4, point);
        cr_assert_eq(c->xdot(ctx, 0, x, xdot), 0);
        cr_assert_eq(l->phi(ctx, 0, x, phi), 0);
        cr_assert_eq(l->phi_dot(ctx, 0, x, phi_dot), 0);
        cr_assert_eq(l->phi_x(ctx, 0, x, phi_x), 0);
        double rate = 0;
        for (uint32_t col = 0; col < 4; col++) {
            double have = entry_at(&l->phi_x_pattern, phi_x, 0, col);
            check(have, difference(l->phi, ctx, 0, x, x + col, 0), "phi_x", 0, col);
            rate += have * xdot[col];
        }
        check(phi_dot[0], rate, "phi_dot", 0, 0);
        /* a multiplier does the work of its constraint */
        double *multiplier = ctx->u + l->multiplier[0], low[4], high[4];
        *multiplier = -1;
        cr_assert_eq(c->xdot(ctx, 0, x, low), 0);
        *multiplier = 1;
        cr_assert_eq(c->xdot(ctx, 0, x, high), 0);
        *multiplier = 0;
        uint32_t px = 0, py = 0, vx = 0, vy = 0;
        for (uint32_t k = 0; k < 4; k++) {
            VarId s = m.dae.solution.program.state[k];
            px = s.i == model_var(&m, "x").i ? k : px;
            py = s.i == model_var(&m, "y").i ? k : py;
            vx = s.i == model_var(&m, "vx").i ? k : vx;
            vy = s.i == model_var(&m, "vy").i ? k : vy;
        }
        double fx = high[vx] - low[vx], fy = high[vy] - low[vy];
        double nx = entry_at(&l->phi_x_pattern, phi_x, 0, px),
               ny = entry_at(&l->phi_x_pattern, phi_x, 0, py);
        cr_assert_gt(hypot(fx, fy), 0.1); /* along the normal */
        cr_assert_lt(fabs(fx * ny - fy * nx), 1e-12 * hypot(fx, fy) * hypot(nx, ny));
    }
    context_free(ctx);
    build_close(&it);
    model_done(&m);
}

/* Products with weights of a cut loop are the same sums over differences: along states, with the
 * force along the constraint held. */
Test(forms_code, adjoint_of_a_cut_loop)
{
    Model m = model_of(circle);
    cr_assert(der_expand(m.dae.sys, m.scratch));
    cr_assert(loops_open(&m.dae, LOOPS_CUT_ALL, m.scratch));
    model_sort(&m);
    model_solve(&m);
    const VarId by[] = {model_var(&m, "L")}, objective[] = {model_var(&m, "vx")};
    const char *const name[] = {"L"};
    const AdjointChoice choice = {
        .n = 1, .n_objectives = 1, .by = by, .objective = objective, .name = name};
    cr_assert(adjoint_make(&m.dae, &choice, m.scratch));
    Build it = compiled(&m);
    const RungModel *c = it.model;
    const RungAdjoint *a = c->adjoint;
    const RungLoops *l = c->loops;
    cr_assert_eq(a->n_loop_weights, 1);
    RungContext *ctx = context_new(c);
    cr_assert_eq(context_update(ctx), 0);
    double x[4], out[16], xdot[4], entry[16], *w = ctx->u + a->first, *of_phi = w + 4 + 1;
    double *force = ctx->u + l->multiplier[0];
    for (int point = 0; point < 3; point++) {
        take_point(x, 4, point);
        for (uint32_t k = 0; k < 4; k++)
            w[k] = 0.3 * k - 0.5;
        w[4] = 0;
        *of_phi = 0.7;
        *force = 1.3;
        cr_assert_eq(a->loops->stage(ctx, 0, x, out), 0);
        for (uint32_t col = 0; col < 4; col++) {
            double want = 0.7 * difference(l->phi, ctx, 0, x, x + col, 0);
            for (uint32_t k = 0; k < 4; k++)
                want += w[k] * difference(c->xdot, ctx, 0, x, x + col, k);
            check(out[col], want, "stage", 0, col);
        }
        double by_force = 0;
        for (uint32_t k = 0; k < 4; k++)
            by_force += w[k] * difference(c->xdot, ctx, 0, x, force, k);
        check(out[4 + a->n_shared], by_force, "stage by the force", 0, 0);
        cr_assert_eq(a->loops->dot(ctx, 0, x, out), 0);
        for (uint32_t col = 0; col < 4; col++)
            check(out[col], 0.7 * difference(l->phi_dot, ctx, 0, x, x + col, 0), "dot", 0, col);
        /* (phi_x w)', and of the velocities alone */
        for (int v = 0; v < 2; v++) {
            const RungPattern *p = v ? &l->phi_v_pattern : &l->phi_x_pattern;
            AtState entries = v ? l->phi_v : l->phi_x;
            cr_assert_eq((v ? a->loops->by_v : a->loops->by_x)(ctx, 0, x, out), 0);
            for (uint32_t col = 0; col < 4; col++) {
                double want = 0;
                for (uint32_t k = 0; k < 4; k++)
                    for (uint32_t e = p->col_start[k]; e < p->col_start[k + 1]; e++)
                        want += 0.7 * w[k] * difference(entries, ctx, 0, x, x + col, e);
                check(out[col], want, v ? "by_v" : "by_x", 0, col);
            }
        }
        /* what the force does, by the states */
        cr_assert_eq(a->loops->push(ctx, 0, x, out), 0);
        for (uint32_t col = 0; col < 4; col++) {
            double want[2] = {0};
            for (int with = 0; with < 2; with++) {
                *force = with ? 1.3 : 0;
                for (uint32_t k = 0; k < 4; k++)
                    want[with] += w[k] * difference(c->xdot, ctx, 0, x, x + col, k);
            }
            check(out[col], want[1] - want[0], "push", 0, col);
        }
        /* phi'' = phi_v xdot + rest */
        cr_assert_eq(a->product(ctx, 0, x, out), 0);
        cr_assert_eq(c->xdot(ctx, 0, x, xdot), 0);
        cr_assert_eq(l->phi_v(ctx, 0, x, entry), 0);
        for (uint32_t col = 0; col < 4; col++) {
            double want = 0.7 * difference(l->phi_rest, ctx, 0, x, x + col, 0);
            const RungPattern *p = &l->phi_v_pattern;
            for (uint32_t k = 0; k < 4; k++) {
                double slope = difference(c->xdot, ctx, 0, x, x + col, k);
                want += w[k] * slope;
                for (uint32_t e = p->col_start[k]; e < p->col_start[k + 1]; e++)
                    want += 0.7 * (entry[e] * slope +
                                   xdot[k] * difference(l->phi_v, ctx, 0, x, x + col, e));
            }
            check(out[col], want, "product", 0, col);
        }
    }
    context_free(ctx);
    build_close(&it);
    model_done(&m);
}
