#include "eliminate/prepare/differentiate.h"
#include "tests/eliminate/evaluate.h"
#include "tests/eliminate/fixture.h"

#include <math.h>
#include <stdlib.h>

Test(differentiate, every_function_agrees_with_differences)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x");
    ExprId y = unknown(&f, "y");
    VarId vx = expr_var_of(f.p, x);
    ExprId third = expr_ratio(f.p, 1, 3);
    VEC(ExprId) e = {0};
    for (int fn = 0; fn < FN_SIGN; fn++)
        vec_push(f.mem, e, expr_fn(f.p, (Fn)fn, expr_mul(f.p, x, y)));
    vec_push(f.mem, e, expr_pow(f.p, x, y));
    vec_push(f.mem, e, expr_pow(f.p, expr_add(f.p, x, y), third));
    vec_push(f.mem, e, expr_div(f.p, expr_sub(f.p, x, y), expr_add(f.p, expr_mul(f.p, x, x), y)));
    vec_push(f.mem, e, expr_fn2(f.p, FN2_ATAN2, x, expr_mul(f.p, x, y)));
    vec_push(f.mem, e, expr_fn2(f.p, FN2_MIN, x, y));
    vec_push(f.mem, e, expr_select(f.p, expr_compare(f.p, OP_LT, x, y), expr_mul(f.p, x, x), y));
    double v[2] = {0.37, 0.83};
    for (uint32_t k = 0; k < e.n; k++) {
        Differentiator d = differentiator_partial(f.s, vx, f.mem);
        ExprId de = differentiate(&d, e.at[k]);
        const double h = 1e-5;
        double lo[2] = {v[0] - h, v[1]};
        double hi[2] = {v[0] + h, v[1]};
        double slope = (evaluate(f.p, e.at[k], &(Point){.var = hi}) -
                        evaluate(f.p, e.at[k], &(Point){.var = lo})) /
                       (2 * h);
        double got = evaluate(f.p, de, &(Point){.var = v});
        cr_assert(fabs(got - slope) < 1e-8 * (1 + fabs(slope)), "%s: %.12g, differences %.12g",
                  expr_text(f.s, e.at[k], f.mem), got, slope);
    }
    fixture_done(&f);
}

Test(differentiate, time_derivative_makes_derivative_variables)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x");
    ExprId k = parameter(&f, "k");
    ExprId e = expr_wrap(f.p, OP_DER, expr_mul(f.p, k, expr_mul(f.p, x, expr_time(f.p))));
    Name failed;
    Arena *scratch = arena_new();
    ExprId d = expand_derivatives(f.s, scratch, e, &failed);
    arena_free(scratch);
    VarId dx = system_find_var(f.s, name_of(f.s->names, "der(x)"));
    cr_assert(var_exists(dx));
    ExprId want =
        expr_mul(f.p, k, expr_add(f.p, expr_mul(f.p, system_var_expr(f.s, dx), expr_time(f.p)), x));
    cr_assert(expr_same(d, want));
    fixture_done(&f);
}

Test(differentiate, a_long_sum_does_not_recurse)
{
    Fixture f = fixture();
    ExprId sum = unknown(&f, "x0");
    for (int k = 1; k < 100000; k++)
        sum = expr_fn(f.p, FN_SQRT, expr_add(f.p, sum, expr_int(f.p, k)));
    Differentiator d = differentiator_partial(f.s, (VarId){0}, f.mem);
    cr_assert(expr_exists(differentiate(&d, sum)));
    fixture_done(&f);
}

/* square(u) with a derivative function whose result is told apart from the true derivative. */
static bool expand_square(void *self, System *s, const ExprId *args, ExprId *results)
{
    (void)self;
    results[0] = expr_mul(s->pool, args[0], args[0]);
    return true;
}

Test(differentiate, a_derivative_annotation_is_used_before_the_algorithm)
{
    Fixture f = fixture();
    ExprId x = unknown(&f, "x");
    FuncId square_der = system_add_function(
        f.s, (Function){.name = name_of(f.s->names, "square_der"), .n_in = 2, .n_out = 1});
    DerivativeRule rule = {.func = square_der, .order = 1};
    FuncId square = system_add_function(f.s, (Function){.name = name_of(f.s->names, "square"),
                                                        .n_in = 1,
                                                        .n_out = 1,
                                                        .derivative = &rule,
                                                        .n_derivatives = 1,
                                                        .expand = expand_square});
    ExprId call = expr_proj(f.p, expr_call(f.p, square, 1, &x), 0);
    Differentiator d = differentiator_time(f.s, f.mem);
    ExprId got = differentiate(&d, call);
    ExprId args[2] = {x, system_var_expr(f.s, system_der(f.s, expr_var_of(f.p, x)))};
    cr_assert(expr_same(got, expr_proj(f.p, expr_call(f.p, square_der, 2, args), 0)));
    cr_assert(expr_same(expand_calls(f.s, NULL, call), expr_mul(f.p, x, x)));
    cr_assert(expr_same(expand_calls(f.s, NULL, x), x));
    fixture_done(&f);
}

static bool expand_counted(void *self, System *s, const ExprId *args, ExprId *results)
{
    ++*(int *)self;
    results[0] = expr_mul(s->pool, args[0], args[0]);
    return true;
}

/* y[k + 1] = sin(y[k] + square(x)): the expressions share a call, and each holds those before it.
 */
Test(differentiate, a_call_is_expanded_once_for_a_series_of_expressions)
{
    enum { N = 100 };
    Fixture f = fixture();
    int n_calls = 0;
    ExprId x = unknown(&f, "x");
    FuncId square = system_add_function(f.s, (Function){.name = name_of(f.s->names, "square"),
                                                        .n_in = 1,
                                                        .n_out = 1,
                                                        .self = &n_calls,
                                                        .expand = expand_counted});
    ExprId call = expr_proj(f.p, expr_call(f.p, square, 1, &x), 0);
    ExprId y = call, want = expr_mul(f.p, x, x);
    Arena *mem = arena_new();
    Map memo = map_new(mem);
    for (int k = 0; k < N; k++) {
        y = expr_fn(f.p, FN_SIN, expr_add(f.p, y, call));
        want = expr_fn(f.p, FN_SIN, expr_add(f.p, want, expr_mul(f.p, x, x)));
        cr_assert(expr_same(expand_calls(f.s, &memo, y), want));
    }
    cr_assert_eq(n_calls, 1);
    arena_free(mem);
    fixture_done(&f);
}
