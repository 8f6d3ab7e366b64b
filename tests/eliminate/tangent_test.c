/* The derivative of an algorithm, carried out, against differences of the algorithm itself. */
#include "eliminate/prepare/tangent.h"

#include "tests/eliminate/evaluate.h"
#include "tests/eliminate/model.h"

#include <math.h>

/* What cannot be expanded: how often the loop runs depends on values. */
static const char loop[] = "model M\n"
                           "  function F input Real u, v; input Integer n;\n"
                           "    output Real y; output Integer k;\n"
                           "  algorithm\n"
                           "    y := n*u; k := 0;\n"
                           "    while y < 100 loop\n"
                           "      y := y*v + sin(u); k := k + 1;\n"
                           "      if y > 20 then y := y + u*v^2; else y := y + exp(v)/u; end if;\n"
                           "      if k > 7 then break; end if;\n"
                           "    end while;\n"
                           "  end F;\n"
                           "  Real x; Integer k; equation (x, k) = F(time, time + 1, 3); end M;";

enum { MOST = 16 };

/* False after a break. */
static bool carry_out(const ExprPool *p, const StatementList *list, double *local)
{
    const Point at = {.local = local};
    for (uint32_t k = 0; k < list->n; k++) {
        const Statement *st = list->at[k];
        double value[MOST];
        switch (st->kind) {
        case STATEMENT_ASSIGN:
            cr_assert_leq(st->n, MOST);
            for (uint32_t i = 0; i < st->n; i++)
                value[i] = evaluate(p, st->value[i], &at);
            for (uint32_t i = 0; i < st->n; i++)
                local[st->to[i]] = value[i];
            break;
        case STATEMENT_IF: {
            bool yes = evaluate(p, st->cond, &at) != 0;
            if (!carry_out(p, yes ? &st->body : &st->otherwise, local))
                return false;
            break;
        }
        case STATEMENT_LOOP:
            while (evaluate(p, st->cond, &at) != 0 && carry_out(p, &st->body, local))
                ;
            break;
        case STATEMENT_BLOCK:
            carry_out(p, &st->body, local);
            break;
        case STATEMENT_BREAK:
            return false;
        default:
            cr_assert_fail("a statement that the test does not have");
        }
    }
    return true;
}

static void call(const System *s, FuncId id, const double *in, double *out)
{
    const Function *f = &s->function->at[id.i];
    double local[4 * MOST] = {0};
    cr_assert_leq(f->body->local.n, 4 * MOST);
    for (uint32_t k = 0; k < f->n_in; k++)
        local[f->body->input[k]] = in[k];
    carry_out(s->pool, &f->body->list, local);
    for (uint32_t k = 0; k < f->n_out; k++)
        out[k] = local[f->body->output[k]];
}

static FuncId function_with_body(const System *s)
{
    for (uint32_t k = 0; k < s->function->n; k++)
        if (s->function->at[k].body)
            return (FuncId){k};
    cr_assert_fail("no function has stayed a call");
    return (FuncId){0};
}

Test(tangent, of_a_loop_agrees_with_differences)
{
    Model m = model_of(loop);
    System *s = m.dae.sys;
    FuncId f = function_with_body(s), df, again;
    cr_assert(function_tangent(s, f, &df));
    cr_assert_eq(s->function->at[df.i].n_in, 5, "u, v, n and the derivatives of u and v");
    cr_assert_eq(s->function->at[df.i].n_out, 2);
    cr_assert(function_tangent(s, f, &again) && again.i == df.i, "made once");
    static const double point[][2] = {{0.7, 1.1}, {1.3, 0.4}, {2.5, 3}, {40, 0.2}};
    static const double along[][2] = {{1, 0}, {0, 1}, {0.6, -0.8}};
    double rounds = 0;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++) {
            const double u = point[k][0], v = point[k][1], du = along[i][0], dv = along[i][1];
            const double h = 1e-6;
            const double in[] = {u, v, 3, du, dv};
            const double left[] = {u - h * du, v - h * dv, 3},
                         right[] = {u + h * du, v + h * dv, 3};
            double slope[2], lo[2], hi[2];
            call(s, df, in, slope);
            call(s, f, left, lo);
            call(s, f, right, hi);
            cr_assert_eq(lo[1], hi[1], "the same rounds");
            double want = (hi[0] - lo[0]) / (2 * h);
            cr_assert(fabs(slope[0] - want) < 1e-7 * (1 + fabs(want)), "%d, %d: %.12g, %.12g", k, i,
                      slope[0], want);
            cr_assert_eq(slope[1], 0, "an Integer has no derivative");
            rounds += hi[1];
        }
    cr_assert_gt(rounds, 12, "loops ran");
    model_done(&m);
}

Test(tangent, an_external_function_has_none)
{
    Model m = model_of("model M\n"
                       "  function F input Real u; output Real y; external \"C\" y = f(u); end F;\n"
                       "  Real x; equation x = F(time); end M;");
    System *s = m.dae.sys;
    uint32_t n = s->function->n;
    FuncId df;
    cr_assert_not(function_tangent(s, function_with_body(s), &df));
    cr_assert_eq(s->function->n, n);
    model_done(&m);
}

Test(tangent, inputs_of_a_call_without_derivative_are_held)
{
    Model m = model_of("model M\n"
                       "  function F input Real u; output Real y; external \"C\" y = f(u); end F;\n"
                       "  function G input Real u, v, w; input Integer n; output Real y, z;\n"
                       "  protected Real c, d = 2*v;\n"
                       "  algorithm\n"
                       "    c := 0;\n"
                       "    while c < n loop c := c + F(d); d := d + 1; end while;\n"
                       "    y := c*u; z := c; annotation(Inline = false); end G;\n"
                       "  Real x, z; equation (x, z) = G(time, 1, time, 2); end M;");
    System *s = m.dae.sys;
    FuncId g = {0}, dg;
    while (s->function->at[g.i].n_out < 2)
        g.i++;
    cr_assert(function_tangent(s, g, &dg));
    const bool *held = s->function->at[g.i].held;
    cr_assert(held && !held[0] && held[1] && !held[2], "by u and w, not by v");
    cr_assert_eq(s->function->at[dg.i].n_in, 7, "all of its inputs, and three rates");
    model_done(&m);
}
