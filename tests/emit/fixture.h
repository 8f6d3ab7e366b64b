/* fixture.h -- Programs built by hand for the tests of emit/, and a second way to compute what
 * their expressions say. */
#ifndef RUNG_TESTS_EMIT_FIXTURE_H
#define RUNG_TESTS_EMIT_FIXTURE_H

#include "base/vec.h"
#include "ir/program.h"
#include "runtime/kernel/rung_math.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

typedef struct Bench {
    Arena *mem;
    System *sys;
    ExprPool *pool;
    Program g;
    ExprId *value;
    unsigned random;
} Bench;

static inline unsigned pick(Bench *b, unsigned n)
{
    b->random = b->random * 1103515245u + 12345u;
    return (b->random >> 12) % n;
}

static inline double unit(Bench *b)
{
    return (double)pick(b, 100000) / 50000 - 1;
}

static inline Bench bench_new(unsigned seed)
{
    Bench b = {.mem = arena_new(), .random = seed};
    Names *names = names_new(b.mem);
    b.sys = system_new(b.mem, names, diags_new(b.mem), true);
    b.pool = b.sys->pool;
    b.sys->model = "A.Test(n=1)";
    b.sys->class_name = name_of(names, "A.Test");
    b.g.sys = b.sys;
    return b;
}

static inline void bench_free(Bench *b)
{
    system_free(b->sys);
    arena_free(b->mem);
}

static inline VarId add(Bench *b, const char *name, VarKind kind, ExprId binding)
{
    Var v = {.name = name_of(b->sys->names, name),
             .kind = kind,
             .attr = attributes_none(),
             .binding = binding,
             .der = VAR_NONE,
             .der_of = VAR_NONE,
             .group = GROUP_NONE};
    return system_add_var(b->sys, v);
}

static inline ExprId leaf(Bench *b, VarId v)
{
    return system_var_expr(b->sys, v);
}

/* value[] of the Program: leaves by default. */
static inline void finish(Bench *b)
{
    b->value = arena_array(b->mem, ExprId, b->sys->var.n);
    for (uint32_t k = 0; k < b->sys->var.n; k++)
        b->value[k] = leaf(b, (VarId){k});
    b->g.value = b->value;
}

/* ---- the second way of computing ---- */

static inline double value_at(const Bench *b, ExprId x, double t, const double *var, double *memo,
                              bool *known)
{
    const ExprPool *p = b->pool;
    if (known[x.i])
        return memo[x.i];
    double a[3] = {0};
    for (uint32_t k = 0; k < expr_n_args(p, x); k++)
        a[k] = value_at(b, expr_arg(p, x, k), t, var, memo, known);
    double r = NAN;
    switch (expr_op(p, x)) {
    case OP_NUM:
        r = mpq_get_d(expr_rational(p, x));
        break;
    case OP_VAR:
        r = var[expr_var_of(p, x).i];
        break;
    case OP_TIME:
        r = t;
        break;
    case OP_NEG:
        r = -a[0];
        break;
    case OP_ADD:
        r = a[0] + a[1];
        break;
    case OP_SUB:
        r = a[0] - a[1];
        break;
    case OP_MUL:
        r = a[0] * a[1];
        break;
    case OP_DIV:
        r = a[0] / a[1];
        break;
    case OP_POW:
        r = pow(a[0], a[1]);
        break;
    case OP_FN: {
#define APPLY(op, modelica, c) c,
        static double (*const f[FN_COUNT])(double) = {ELEMENTARY_FUNCTIONS(APPLY)};
#undef APPLY
        r = f[expr_fn_of(p, x)](a[0]);
        break;
    }
    case OP_FN2:
        switch (expr_fn2_of(p, x)) {
        case FN2_ATAN2:
            r = atan2(a[0], a[1]);
            break;
        case FN2_MIN:
            r = fmin(a[0], a[1]);
            break;
        case FN2_MAX:
            r = fmax(a[0], a[1]);
            break;
        case FN2_MOD:
            r = a[0] - floor(a[0] / a[1]) * a[1];
            break;
        case FN2_REM:
            r = a[0] - trunc(a[0] / a[1]) * a[1];
            break;
        case FN2_DIV:
            r = trunc(a[0] / a[1]);
            break;
        case FN2_COUNT:
            break;
        }
        break;
    case OP_LT:
        r = a[0] < a[1];
        break;
    case OP_LE:
        r = a[0] <= a[1];
        break;
    case OP_EQ:
        r = a[0] == a[1];
        break;
    case OP_NE:
        r = a[0] != a[1];
        break;
    case OP_AND:
        r = a[0] != 0 && a[1] != 0;
        break;
    case OP_OR:
        r = a[0] != 0 || a[1] != 0;
        break;
    case OP_NOT:
        r = a[0] == 0;
        break;
    case OP_SELECT:
        r = a[0] != 0 ? a[1] : a[2];
        break;
    case OP_NOEVENT:
    case OP_SMOOTH:
        r = a[0];
        break;
    default:
        cr_assert_fail("no way to evaluate");
    }
    memo[x.i] = r;
    known[x.i] = true;
    return r;
}

/* ---- random expressions ---- */

static inline ExprId random_node(Bench *b, const ExprId *from, uint32_t n)
{
    ExprPool *p = b->pool;
    // recent ones more often: deep as well as shared
    ExprId x = from[pick(b, 2) ? n - 1 - pick(b, n < 8 ? n : 8) : pick(b, n)];
    ExprId y = from[pick(b, n)], z = from[pick(b, n)];
    ExprId one = expr_int(p, 1);
    switch (pick(b, 24)) {
    case 0:
        return expr_neg(p, x);
    case 1:
    case 2:
        return expr_add(p, x, y);
    case 3:
    case 4:
        return expr_sub(p, x, y);
    case 5:
    case 6:
        return expr_mul(p, x, expr_neg(p, y));
    case 7:
        return expr_mul(p, expr_fn(p, FN_TANH, x), y);
    case 8:
        return expr_div(p, x, expr_add(p, expr_mul(p, y, y), one));
    case 9:
        return expr_pow(p, expr_fn(p, FN_SIN, x), expr_int(p, (long)pick(b, 7)));
    case 10:
        return expr_pow(p, expr_add(p, expr_fn(p, FN_COS, x), expr_int(p, 3)),
                        expr_int(p, -1 - (long)pick(b, 4)));
    case 11:
        return expr_pow(p, expr_add(p, expr_mul(p, x, x), one), expr_ratio(p, 1, 2));
    case 12:
        return expr_pow(p, expr_add(p, expr_mul(p, x, x), one),
                        expr_sub(p, expr_fn(p, FN_TANH, y), one));
    case 13:
        return expr_fn(p, FN_SIN, x);
    case 14:
        return expr_fn(p, FN_COS, x);
    case 15:
        return expr_fn(p, pick(b, 2) ? FN_ATAN : FN_SIGN, x);
    case 16:
        return expr_fn2(p, pick(b, 2) ? FN2_MIN : FN2_MAX, x, y);
    case 17: {
        static const Fn2 f[] = {FN2_MOD, FN2_REM, FN2_DIV, FN2_ATAN2};
        return expr_fn2(p, f[pick(b, 4)], x, expr_add(p, expr_fn(p, FN_ABS, y), one));
    }
    case 18:
        return expr_select(p, expr_compare(p, pick(b, 2) ? OP_LT : OP_LE, x, y), z, x);
    case 19:
        return expr_select(p,
                           expr_or(p, expr_compare(p, OP_LT, x, y),
                                   expr_not(p, expr_and(p, expr_compare(p, OP_LE, z, x),
                                                        expr_compare(p, OP_NE, y, x)))),
                           y, z);
    case 20:
        return expr_mul(p, expr_ratio(p, (long)pick(b, 200) - 100, 7), x);
    case 21:
        return expr_compare(p, OP_LT, x, y);
    case 22:
        return expr_wrap(p, OP_NOEVENT, x);
    default:
        return expr_sub(p, expr_neg(p, x), expr_mul(p, expr_neg(p, y), z));
    }
}

/* States s[i], parameters p[i] (some dependent), an input, and n variables of random values. */
static inline Bench random_bench(unsigned seed, uint32_t n)
{
    Bench b = bench_new(seed);
    VEC(ExprId) node = {0};
    enum { STATES = 6, PARAMETERS = 8 };
    VarId *state = arena_array(b.mem, VarId, STATES);
    ExprId *derivative = arena_array(b.mem, ExprId, STATES);
    ExprId *start = arena_array(b.mem, ExprId, STATES);
    VEC(ExprId) constant = {0};
    vec_push(b.mem, constant, expr_ratio(b.pool, 1, 3));
    for (int k = 0; k < PARAMETERS; k++) {
        ExprId value = k % 2 ? random_node(&b, constant.at, constant.n)
                             : expr_ratio(b.pool, (long)pick(&b, 100) - 50, 16);
        VarId v = add(&b, arena_printf(b.mem, "p[%d]", k), VAR_PARAMETER, value);
        vec_push(b.mem, constant, leaf(&b, v));
        vec_push(b.mem, node, leaf(&b, v));
    }
    for (int k = 0; k < STATES; k++) {
        state[k] = add(&b, arena_printf(b.mem, "s[%d]", k), VAR_CONTINUOUS, EXPR_NONE);
        vec_push(b.mem, node, leaf(&b, state[k]));
        start[k] = random_node(&b, constant.at, constant.n);
    }
    vec_push(b.mem, node, leaf(&b, add(&b, "u", VAR_INPUT, EXPR_NONE)));
    vec_push(b.mem, node, expr_time(b.pool));
    vec_push(b.mem, node, expr_ratio(b.pool, 22, 7));
    uint32_t first = node.n;
    VarId *var = arena_array(b.mem, VarId, n);
    for (uint32_t k = 0; k < n; k++) {
        ExprId x = random_node(&b, node.at, node.n);
        vec_push(b.mem, node, x);
        var[k] = add(&b, arena_printf(b.mem, "v[%u] */ \"?\?/\\", k), VAR_CONTINUOUS, EXPR_NONE);
    }
    finish(&b);
    for (uint32_t k = 0; k < n; k++)
        b.value[var[k].i] = node.at[first + k];
    for (int k = 0; k < STATES; k++)
        derivative[k] = node.at[node.n - 1 - pick(&b, n / 2)];
    b.g.n_states = STATES;
    b.g.state = state;
    b.g.derivative = derivative;
    b.g.start = start;
    return b;
}

/* a * b, which way round by chance: what is built first stays. */
static inline ExprId product(Bench *b, ExprId x, ExprId y)
{
    return pick(b, 2) ? expr_mul(b->pool, x, y) : expr_mul(b->pool, y, x);
}

/* Bodies on a chain (branches = 0) or on a tree: a sweep outward over sines and cosines, one inward
 * with divisions, one outward with the results, as multibody models have it. */
static inline Bench body_bench(unsigned seed, uint32_t n, uint32_t branches)
{
    Bench b = bench_new(seed);
    ExprPool *p = b.pool;
    VarId *state = arena_array(b.mem, VarId, n), *mass = arena_array(b.mem, VarId, n);
    ExprId *derivative = arena_array(b.mem, ExprId, n), *start = arena_array(b.mem, ExprId, n);
    ExprId *speed = arena_array(b.mem, ExprId, n), *inertia = arena_array(b.mem, ExprId, n);
    ExprId *sine = arena_array(b.mem, ExprId, n), *force = arena_array(b.mem, ExprId, n);
    uint32_t *parent = arena_array(b.mem, uint32_t, n);
    VarId *var = arena_array(b.mem, VarId, n);
    ExprId one = expr_int(p, 1);
    for (uint32_t k = 0; k < n; k++)
        mass[k] = add(&b, arena_printf(b.mem, "p[%u]", k), VAR_PARAMETER,
                      expr_ratio(p, 1 + (long)pick(&b, 50), 16));
    for (uint32_t k = 0; k < n; k++) {
        parent[k] = !k ? 0 : branches && pick(&b, branches) == 0 ? pick(&b, k) : k - 1;
        state[k] = add(&b, arena_printf(b.mem, "s[%u]", k), VAR_CONTINUOUS, EXPR_NONE);
        var[k] = add(&b, arena_printf(b.mem, "v[%u]", k), VAR_CONTINUOUS, EXPR_NONE);
        start[k] = expr_div(p, leaf(&b, mass[k]), expr_int(p, 3));
        ExprId s = leaf(&b, state[k]), before = k ? speed[parent[k]] : one;
        sine[k] = expr_fn(p, FN_SIN, s);
        speed[k] = expr_add(p, product(&b, before, expr_fn(p, FN_COS, s)),
                            product(&b, sine[k], leaf(&b, mass[k])));
        inertia[k] = leaf(&b, mass[k]);
        force[k] = expr_mul(p, speed[k], speed[k]);
    }
    for (uint32_t k = n; k-- > 1;) {
        ExprId share = expr_div(p, inertia[k], expr_add(p, inertia[k], one));
        ExprId turned = expr_mul(p, sine[k], sine[k]);
        inertia[parent[k]] = expr_add(p, inertia[parent[k]], product(&b, share, turned));
        force[parent[k]] =
            expr_sub(p, product(&b, force[k], product(&b, share, sine[k])), force[parent[k]]);
    }
    for (uint32_t k = 0; k < n; k++) {
        ExprId before = k ? derivative[parent[k]] : one;
        derivative[k] = expr_div(p, expr_sub(p, force[k], product(&b, sine[k], before)),
                                 expr_add(p, inertia[k], expr_int(p, 2)));
    }
    finish(&b);
    for (uint32_t k = 0; k < n; k++)
        b.value[var[k].i] = k % 3 ? speed[k] : force[k];
    b.g.n_states = n;
    b.g.state = state;
    b.g.derivative = derivative;
    b.g.start = start;
    return b;
}

/* ---- directories for what is emitted ---- */

static inline char *scratch_directory(void)
{
    static char dir[200];
    const char *tmp = getenv("TMPDIR");
    // mkdtemp replaces the last six letters
    int n = snprintf(dir, sizeof dir, "%s/rung-emit-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    cr_assert(n > 0 && (size_t)n < sizeof dir && mkdtemp(dir));
    return dir;
}

/* The exit status of a command in which %s is the directory; -1 if it was killed. */
static inline int shell(const char *fmt, const char *dir)
{
    char command[1000];
    snprintf(command, sizeof command, fmt, dir);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#endif
