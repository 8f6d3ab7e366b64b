/* Programs built by hand are emitted, compiled, loaded, and compared with a direct evaluation of
 * their expressions. */
#include "emit/emit.h"
#include "emit/model/build.h"
#include "runtime/problem/context.h"
#include "runtime/run/simulate.h"
#include "tests/emit/fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool near(double a, double b)
{
    return a == b || (isnan(a) && isnan(b)) || (isinf(a) && isinf(b)) ||
           fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)) + 1e-12;
}

/* In `./dev check`. */
static bool is_large(void)
{
    const char *size = getenv("RUNG_TEST_SIZE");
    return size && strcmp(size, "large") == 0;
}

static EmitFiles emitted(Bench *b, uint32_t function_statements)
{
    EmitFiles f;
    EmitOptions o = emit_defaults();
    o.function_statements = function_statements;
    o.file_statements = 20 * function_statements;
    cr_assert(emit_program(&b->g, o, b->mem, &f));
    return f;
}

static Build built(Bench *b, const EmitFiles *f)
{
    Build it;
    cr_assert(build_model(f, (BuildOptions){.optimise = "-O1"}, b->mem, &it), "%s", it.error);
    return it;
}

static void compare(Bench *b, const RungModel *m, unsigned seed)
{
    RungContext *ctx = context_new(m);
    uint32_t n = b->sys->var.n, size = pool_size(b->pool);
    double *var = arena_array(b->mem, double, n), *memo = arena_array(b->mem, double, size);
    bool *known = arena_array(b->mem, bool, size);
    double *x = arena_array(b->mem, double, m->n_states + 1);
    double *xdot = arena_array(b->mem, double, m->n_states + 1);
    double *v = arena_array(b->mem, double, m->n_values + 1);
    cr_assert_not_null(ctx);

    // parameters, once with the defaults and once with one of them set
    for (int round = 0; round < 2; round++) {
        if (round)
            cr_assert_eq(context_set(ctx, "p[2]", "0.125"), SET_OK);
        cr_assert_eq(context_update(ctx), 0);
        memset(known, 0, size);
        for (uint32_t k = 0; k < n; k++)
            if (b->sys->var.at[k].kind == VAR_PARAMETER) {
                var[k] = value_at(b, b->sys->var.at[k].binding, 0, var, memo, known);
                if (round && !strcmp(b->sys->var.at[k].name.s, "p[2]"))
                    var[k] = 0.125;
                cr_assert(near(ctx->p[k], var[k]), "seed %u: %s", seed, b->sys->var.at[k].name.s);
            }
        cr_assert_eq(m->start(ctx, 0.5, x), 0);
        for (uint32_t k = 0; k < m->n_states; k++)
            cr_assert(near(x[k], value_at(b, b->g.start[k], 0.5, var, memo, known)));
    }
    for (int point = 0; point < 5; point++) {
        double t = unit(b);
        memset(known, 0, size);
        for (uint32_t k = 0; k < m->n_states; k++)
            var[b->g.state[k].i] = x[k] = 2 * unit(b);
        for (uint32_t k = 0; k < n; k++)
            if (b->sys->var.at[k].kind == VAR_INPUT)
                var[k] = ctx->u[0] = unit(b);
        cr_assert_eq(m->xdot(ctx, t, x, xdot), 0);
        for (uint32_t k = 0; k < m->n_states; k++)
            cr_assert(near(xdot[k], value_at(b, b->g.derivative[k], t, var, memo, known)),
                      "seed %u: derivative %u is %.17g", seed, k, xdot[k]);
        cr_assert_eq(m->outputs(ctx, t, x, v), 0);
        cr_assert_eq(m->n_variables, n);
        for (uint32_t k = 0; k < n; k++) {
            double want = value_at(b, b->value[k], t, var, memo, known);
            double got = rung_value(ctx, k, t, x, v);
            cr_assert(near(got, want), "seed %u: %s is %.17g, should be %.17g", seed,
                      rung_name(m, k), got, want);
        }
    }
    context_free(ctx);
}

Test(emit, random_programs_compute_what_their_expressions_say)
{
    unsigned seeds = is_large() ? 12 : 4;
    for (unsigned seed = 1; seed <= seeds; seed++) {
        Bench b = random_bench(seed, 150);
        // tiny functions: everything crosses
        EmitFiles f = emitted(&b, seed % 3 == 0 ? 1000 : seed % 3 == 1 ? 7 : 1);
        Build it = built(&b, &f);
        compare(&b, it.model, seed);
        build_close(&it);
        bench_free(&b);
    }
}

Test(emit, kernels_compute_what_straight_code_does)
{
    static const uint32_t branches[] = {0, 2, 6, 20};
    for (unsigned seed = 1; seed <= 8; seed++) {
        Bench b = body_bench(seed, 40, branches[seed % 4]);
        EmitFiles f = emitted(&b, seed < 5 ? 500 : 11);
        Build it = built(&b, &f);
        compare(&b, it.model, seed);
        build_close(&it);
        bench_free(&b);
    }
}

Test(emit, kernels_make_the_code_of_many_bodies_that_of_few)
{
    uint64_t statements[2];
    for (int k = 0; k < 2; k++) {
        Bench b = body_bench(1, k ? 2000 : 40, 0);
        statements[k] = emitted(&b, 500).statements;
        bench_free(&b);
    }
    cr_assert_lt(statements[1], 2 * statements[0]);
    cr_assert_lt(statements[1], 300u);
}

Test(emit, same_program_same_bytes)
{
    Bench a = random_bench(5, 300), b = random_bench(5, 300);
    EmitFiles f = emitted(&a, 20), g = emitted(&b, 20);
    cr_assert_eq(f.file.n, g.file.n);
    for (uint32_t k = 0; k < f.file.n; k++) {
        cr_assert_str_eq(f.file.at[k].name, g.file.at[k].name);
        cr_assert_eq(f.file.at[k].size, g.file.at[k].size);
        cr_assert(!memcmp(f.file.at[k].text, g.file.at[k].text, f.file.at[k].size));
    }
    bench_free(&a);
    bench_free(&b);
}

/* ---- the standalone directory ---- */

Test(emit, compiles_without_a_warning_and_runs_alone)
{
    if (!is_large()) /* all of the runtime is compiled here; tests/e2e/standalone.sh runs a program
                        alone, too */
        cr_skip_test();
    Bench b = random_bench(3, 200);
    // a run needs values that stay finite
    ExprId *derivative = arena_array(b.mem, ExprId, b.g.n_states);
    for (uint32_t k = 0; k < b.g.n_states; k++)
        derivative[k] = expr_fn(b.pool, FN_TANH, b.g.derivative[k]);
    b.g.derivative = derivative;
    EmitFiles f = emitted(&b, 50);
    emit_standalone(&f);
    char *dir = scratch_directory();
    const char *error = NULL;
    cr_assert(emit_write(&f, dir, b.mem, &error), "%s", error);
#define STRICT "-std=c11 -Wall -Wextra -Wpedantic -Werror"
    cr_assert_eq(shell("make -s -j2 -C %s CFLAGS='-O0 " STRICT "'", dir), 0);
    cr_assert_eq(shell("! command -v clang >/dev/null || "
                       "clang -fsyntax-only " STRICT " %s/*.c",
                       dir),
                 0);
    cr_assert_eq(shell("cd %s && ./A_Test --method rk4 --step 0.1 --stop 1 --interval 0.1 "
                       "-o R.csv 2>log && test $(wc -l <R.csv) = 12",
                       dir),
                 0);
    cr_assert_eq(shell("rm -r %s", dir), 0);
    bench_free(&b);
}

Test(emit, leaves_nothing_of_a_larger_model_behind)
{
    char *dir = scratch_directory();
    const char *error = NULL;
    Bench b = random_bench(3, 400);
    EmitFiles many = emitted(&b, 5), few = emitted(&b, 1000);
    cr_assert_gt(many.n_code, few.n_code);
    cr_assert(emit_write(&many, dir, b.mem, &error), "%s", error);
    cr_assert(emit_write(&few, dir, b.mem, &error), "%s", error);
    char text[200];
    snprintf(text, sizeof text, "cd %%s && test $(ls -A | wc -l) = %u", few.file.n);
    cr_assert_eq(shell(text, dir), 0);
    cr_assert_eq(shell("rm -r %s", dir), 0);
    bench_free(&b);
}

/* A model without anything. */
Test(emit, empty_program)
{
    Bench b = bench_new(1);
    finish(&b);
    EmitFiles f = emitted(&b, 10);
    Build it = built(&b, &f);
    SimulateOptions o = simulate_defaults();
    SimulateSummary s;
    cr_assert_eq(simulate(it.model, &o, &s), SIMULATE_OK, "%s", s.error);
    cr_assert_eq(s.rows, 501u);
    build_close(&it);
    bench_free(&b);
}

/* ---- nonlinear blocks, pivots, assertions ---- */

/* a^3 + a = 1 + s^2;  b + sin(b) a = t with b after a;  s' = b / s^2;  q = a + b, r = 1/s */
static Bench block_bench(void)
{
    Bench b = bench_new(1);
    ExprPool *p = b.pool;
    VarId *state = arena_array(b.mem, VarId, 1), *unknown = arena_array(b.mem, VarId, 2);
    state[0] = add(&b, "s", VAR_CONTINUOUS, EXPR_NONE);
    unknown[0] = add(&b, "a", VAR_CONTINUOUS, EXPR_NONE);
    unknown[1] = add(&b, "b", VAR_CONTINUOUS, EXPR_NONE);
    VarId q = add(&b, "q", VAR_CONTINUOUS, EXPR_NONE), r = add(&b, "r", VAR_CONTINUOUS, EXPR_NONE);
    ExprId s = leaf(&b, state[0]), a = leaf(&b, unknown[0]), c = leaf(&b, unknown[1]);
    ExprId one = expr_int(p, 1), three = expr_int(p, 3), square = expr_mul(p, s, s);
    EqId *eq = arena_array(b.mem, EqId, 2);
    for (int k = 0; k < 2; k++)
        eq[k] = system_add_eq(b.sys, (Eq){.lhs = a, .rhs = c, .group = GROUP_NONE, .origin = ""});
    uint32_t *col = arena_array(b.mem, uint32_t, 2), *row = arena_array(b.mem, uint32_t, 1);
    col[1] = 1;
    ExprId *residual = arena_array(b.mem, ExprId, 2), *entry = arena_array(b.mem, ExprId, 2);
    residual[0] = expr_sub(p, expr_add(p, expr_pow(p, a, three), a), expr_add(p, one, square));
    entry[0] = expr_add(p, expr_mul(p, three, expr_mul(p, a, a)), one);
    residual[1] = expr_sub(p, expr_add(p, c, expr_mul(p, expr_fn(p, FN_SIN, c), a)), expr_time(p));
    entry[1] = expr_add(p, one, expr_mul(p, expr_fn(p, FN_COS, c), a));
    NonlinearBlock *block = arena_array(b.mem, NonlinearBlock, 2);
    for (int k = 0; k < 2; k++)
        block[k] = (NonlinearBlock){1,   unknown + k, eq + k, residual + k, col,
                                    row, entry + k,   false,  NULL,         NULL};
    finish(&b);
    b.value[q.i] = expr_add(p, a, c);
    b.value[r.i] = expr_div(p, one, s);
    ExprId *derivative = arena_array(b.mem, ExprId, 1), *start = arena_array(b.mem, ExprId, 1);
    derivative[0] = expr_div(p, c, square);
    start[0] = expr_int(p, 2);
    Pivot *pivot = arena_array(b.mem, Pivot, 1);
    pivot[0] = (Pivot){square, eq[0], unknown[0], true};
    Assertion *assertion = arena_array(b.mem, Assertion, 2);
    assertion[0].cond = expr_compare(p, OP_LT, a, three);
    assertion[0].message = expr_string(p, name_of(b.sys->names, "a is \"below\" 3"));
    assertion[1].cond = expr_compare(p, OP_LT, expr_mul(p, c, c), expr_int(p, 100));
    assertion[1].message = assertion[0].message;
    b.g.n_states = 1;
    b.g.state = state;
    b.g.derivative = derivative;
    b.g.start = start;
    b.g.n_blocks = 2;
    b.g.block = block;
    b.g.n_pivots = 1;
    b.g.pivot = pivot;
    b.g.n_assertions = 2;
    b.g.assertion = assertion;
    return b;
}

static void check_blocks(const RungModel *m, bool pivot_in_xdot)
{
    RungContext *ctx = context_new(m);
    cr_assert_eq(context_update(ctx), 0);
    double x = 0, xdot, v[8];
    unsigned char holds[2];
    cr_assert_eq(m->start(ctx, 0, &x), 0);
    cr_assert_eq(x, 2.0);
    for (double t = 0; t < 1; t += 0.125, x += 0.3) {
        double xs[1] = {x};
        cr_assert_eq(m->xdot(ctx, t, xs, &xdot), 0);
        cr_assert_eq(m->outputs(ctx, t, xs, v), 0);
        double a = rung_value(ctx, 1, t, xs, v), b = rung_value(ctx, 2, t, xs, v);
        cr_assert(near(a * a * a + a, 1 + x * x));
        cr_assert(near(b + sin(b) * a, t));
        cr_assert(near(xdot, b / (x * x)));
        cr_assert(near(rung_value(ctx, 3, t, xs, v), a + b));
        cr_assert(near(rung_value(ctx, 4, t, xs, v), 1 / x));
        cr_assert_eq(m->assertions(ctx, t, xs, holds), 0);
        cr_assert_eq(holds[0], a < 3);
        cr_assert_eq(holds[1], 1);
    }
    double zero[1] = {0};
    int status = m->xdot(ctx, 0, zero, &xdot);
    cr_assert_eq(status, pivot_in_xdot);
    if (pivot_in_xdot)
        cr_assert_eq(ctx->failed_pivot, 0u);
    context_free(ctx);
}

Test(emit, blocks_are_solved_where_they_are_needed)
{
    for (uint32_t size = 1; size <= 1000; size *= 10) {
        Bench b = block_bench();
        EmitFiles f = emitted(&b, size);
        Build it = built(&b, &f);
        check_blocks(it.model, true);
        SimulateOptions o = simulate_defaults();
        SimulateSummary s;
        o.stop = 1;
        cr_assert_eq(simulate(it.model, &o, &s), SIMULATE_OK, "%s", s.error);
        build_close(&it);

        // the second block for outputs only, the first for nothing but the second
        ExprId *derivative = arena_array(b.mem, ExprId, 1);
        derivative[0] = leaf(&b, b.g.state[0]);
        b.g.derivative = derivative;
        f = emitted(&b, size);
        it = built(&b, &f);
        RungContext *ctx = context_new(it.model);
        double x[1] = {2}, v[8];
        unsigned char holds[2];
        cr_assert_eq(it.model->outputs(ctx, 0.5, x, v), 0);
        double a = rung_value(ctx, 1, 0.5, x, v), c = rung_value(ctx, 2, 0.5, x, v);
        cr_assert(near(a * a * a + a, 5));
        cr_assert(near(c + sin(c) * a, 0.5));
        cr_assert_eq(it.model->assertions(ctx, 0.5, x, holds), 0);
        cr_assert(holds[0] && holds[1]);
        context_free(ctx);
        build_close(&it);
        bench_free(&b);
    }
}

/* ---- what cannot be translated ---- */

static bool refused(Bench *b, const char *text)
{
    EmitFiles f;
    if (emit_program(&b->g, emit_defaults(), b->mem, &f))
        return false;
    for (uint32_t k = 0; k < diags_count(b->sys->diags); k++)
        if (strstr(diags_at(b->sys->diags, k)->text, text))
            return true;
    return false;
}

Test(emit, names_what_it_cannot_translate)
{
    Bench b = bench_new(1);
    VarId v = add(&b, "v", VAR_CONTINUOUS, EXPR_NONE), w = add(&b, "w", VAR_DISCRETE, EXPR_NONE);
    finish(&b);
    b.value[v.i] = expr_wrap(b.pool, OP_PRE, leaf(&b, w));
    b.value[w.i] = expr_int(b.pool, 1);
    cr_assert(refused(&b, "pre()"));
    bench_free(&b);

    b = bench_new(1);
    VarId p = add(&b, "p", VAR_PARAMETER, EXPR_NONE);
    VarId q = add(&b, "q", VAR_PARAMETER, expr_mul(b.pool, leaf(&b, p), expr_int(b.pool, 2)));
    b.sys->var.at[p.i].binding = expr_add(b.pool, leaf(&b, q), expr_int(b.pool, 1));
    finish(&b);
    cr_assert(refused(&b, "depends on itself"));
    bench_free(&b);
}

/* A sum of 100,000 terms, one inside the other. */
Test(emit, deep_expressions_need_no_deep_stack)
{
    Bench b = bench_new(1);
    VarId *state = arena_array(b.mem, VarId, 1);
    state[0] = add(&b, "s", VAR_CONTINUOUS, EXPR_NONE);
    ExprId s = leaf(&b, state[0]), x = s, one = expr_int(b.pool, 1);
    for (int k = 0; k < 100000; k++)
        x = expr_add(b.pool, expr_mul(b.pool, x, s), one);
    finish(&b);
    ExprId derivative[] = {x}, start[] = {one};
    b.g.n_states = 1;
    b.g.state = state;
    b.g.derivative = derivative;
    b.g.start = start;
    EmitFiles f;
    EmitOptions o = emit_defaults();
    o.kernels = false;
    cr_assert(emit_program(&b.g, o, b.mem, &f));
    cr_assert_gt(f.statements, 10000u);
    // one loop does as well
    cr_assert(emit_program(&b.g, emit_defaults(), b.mem, &f));
    cr_assert_lt(f.statements, 100u);
    bench_free(&b);
}

Test(build, says_when_there_is_no_compiler)
{
    Bench b = random_bench(1, 10);
    EmitFiles f = emitted(&b, 100);
    setenv("CC", "no-such-compiler", 1);
    Build it;
    cr_assert(!build_model(&f, (BuildOptions){0}, b.mem, &it));
    cr_assert_eq(it.status, 4);
    cr_assert(strstr(it.error, "no-such-compiler"));
    unsetenv("CC");
    bench_free(&b);
}
