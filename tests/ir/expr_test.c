#include "ir/op_counter.h"
#include "ir/program.h"
#include "ir/system.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

typedef struct Fixture {
    Arena *mem;
    System *s;
    ExprPool *p;
    ExprId x, y, z;
} Fixture;

static ExprId real_var(System *s, const char *name)
{
    Var v = {.name = name_of(s->names, name),
             .kind = VAR_CONTINUOUS,
             .attr = attributes_none(),
             .binding = EXPR_NONE,
             .der = VAR_NONE,
             .der_of = VAR_NONE,
             .group = GROUP_NONE};
    return system_var_expr(s, system_add_var(s, v));
}

static Fixture fixture(bool by_value)
{
    Fixture f = {.mem = arena_new()};
    f.s = system_new(f.mem, names_new(f.mem), diags_new(f.mem), by_value);
    f.p = f.s->pool;
    f.x = real_var(f.s, "x");
    f.y = real_var(f.s, "y");
    f.z = real_var(f.s, "z");
    return f;
}

static void done(Fixture *f)
{
    system_free(f->s);
    arena_free(f->mem);
}

Test(expr, equal_is_same_id)
{
    Fixture f = fixture(true);
    ExprPool *p = f.p;
    ExprId a = expr_add(p, expr_mul(p, f.x, f.y), expr_mul(p, f.x, f.z));
    ExprId b = expr_mul(p, expr_add(p, f.z, f.y), f.x);
    cr_assert(expr_same(a, b), "distributive law");
    ExprId c = expr_sub(p, f.x, f.y);
    ExprId d = expr_sub(p, f.y, f.x);
    cr_assert(expr_same(expr_neg(p, c), d), "opposite sign");
    ExprId q = expr_div(p, expr_sub(p, expr_mul(p, f.x, f.x), expr_mul(p, f.y, f.y)), c);
    cr_assert(expr_same(q, expr_add(p, f.x, f.y)), "(x^2-y^2)/(x-y) is x+y");
    cr_assert_eq(expr_is_zero(p, expr_sub(p, a, b)), YES);
    done(&f);
}

/* A value that varies is not what a constant of the same value is known as. */
Test(expr, constants_stay_constants)
{
    Fixture f = fixture(true);
    ExprPool *p = f.p;
    ExprId seven = expr_mul(p, f.x, expr_div(p, expr_int(p, 7), f.x));
    ExprId number = expr_int(p, 7);
    cr_expect_eq(expr_op(p, number), OP_NUM);
    cr_expect_eq(expr_variability(p, number), VARIES_NEVER);
    cr_expect(expr_same(expr_mul(p, f.y, expr_div(p, expr_int(p, 7), f.y)), number));
    cr_expect(expr_same(expr_int(p, 7), number));
    (void)seven;
    ExprId minus = expr_neg(p, expr_mul(p, f.x, expr_div(p, expr_int(p, 11), f.x)));
    cr_expect_eq(expr_op(p, expr_int(p, 11)), OP_NUM);
    cr_expect_eq(expr_op(p, expr_int(p, -11)), OP_NUM);
    (void)minus;
    done(&f);
}

/* Where x is not known yet, y * ((z + 1) / y) is not made of it. */
Test(expr, a_value_is_made_of_what_it_is_built_from)
{
    Fixture f = fixture(true);
    ExprPool *p = f.p;
    ExprId above = expr_add(p, f.z, expr_int(p, 1));
    ExprId twice = expr_add(p, above, above);
    ExprId of_x = expr_mul(p, expr_mul(p, expr_int(p, 2), f.x), expr_div(p, above, f.x));
    ExprId of_y = expr_mul(p, expr_mul(p, expr_int(p, 2), f.y), expr_div(p, above, f.y));
    cr_expect(expr_same(of_x, twice) && expr_same(of_y, twice), "2 * (z + 1) is known");
    ExprId next = expr_add(p, f.z, expr_int(p, 5));
    of_x = expr_mul(p, expr_mul(p, expr_int(p, 3), f.x), expr_div(p, next, f.x));
    of_y = expr_mul(p, expr_mul(p, expr_int(p, 3), f.y), expr_div(p, next, f.y));
    bool *reached = arena_array(f.mem, bool, pool_size(p));
    program_reach(p, 1, &of_y, reached);
    cr_expect(!reached[f.x.i] && reached[f.y.i]);
    /* what a function is made of are its locals */
    ExprId local = expr_local(p, 0);
    ExprId of_local = expr_mul(p, expr_mul(p, expr_int(p, 3), local), expr_div(p, next, local));
    ExprId of_time =
        expr_mul(p, expr_mul(p, expr_int(p, 3), expr_time(p)), expr_div(p, next, expr_time(p)));
    reached = arena_array(f.mem, bool, pool_size(p));
    program_reach(p, 1, &of_local, reached);
    cr_expect(!reached[f.y.i] && reached[local.i]);
    reached = arena_array(f.mem, bool, pool_size(p));
    program_reach(p, 1, &of_time, reached);
    cr_expect(!reached[f.y.i] && !reached[local.i]);
    cr_expect_eq(expr_is_zero(p, expr_sub(p, of_x, of_y)), YES, "they are equal all the same");
    done(&f);
}

Test(expr, plain_consing_shares_what_is_written_alike_only)
{
    Fixture f = fixture(false);
    ExprPool *p = f.p;
    ExprId a = expr_add(p, expr_mul(p, f.x, f.y), expr_mul(p, f.x, f.z));
    ExprId b = expr_mul(p, f.x, expr_add(p, f.y, f.z));
    cr_assert(!expr_same(a, b));
    cr_assert(expr_same(b, expr_mul(p, f.x, expr_add(p, f.y, f.z))));
    done(&f);
}

Test(expr, trigonometry)
{
    Fixture f = fixture(true);
    ExprPool *p = f.p;
    ExprId c = expr_fn(p, FN_COS, f.x);
    ExprId s = expr_fn(p, FN_SIN, f.x);
    cr_assert(expr_is(p, expr_add(p, expr_mul(p, c, c), expr_mul(p, s, s)), 1));
    ExprId c2 = expr_fn(p, FN_COS, f.y);
    ExprId s2 = expr_fn(p, FN_SIN, f.y);
    ExprId sum = expr_fn(p, FN_SIN, expr_add(p, f.x, f.y));
    cr_assert(expr_same(sum, expr_add(p, expr_mul(p, s, c2), expr_mul(p, c, s2))));
    ExprId minus = expr_fn(p, FN_SIN, expr_sub(p, f.y, f.x));
    cr_assert(expr_same(minus, expr_sub(p, expr_mul(p, s2, c), expr_mul(p, c2, s))));
    cr_assert(expr_same(expr_fn(p, FN_SIN, expr_neg(p, f.x)), expr_neg(p, s)));
    cr_assert(expr_same(expr_fn(p, FN_COS, expr_neg(p, f.x)), c));
    ExprId twice = expr_fn(p, FN_SIN, expr_mul(p, expr_int(p, 2), f.x));
    cr_assert(expr_same(twice, expr_mul(p, expr_int(p, 2), expr_mul(p, s, c))));
    done(&f);
}

Test(expr, literals_are_exact)
{
    Fixture f = fixture(true);
    ExprPool *p = f.p;
    cr_assert(expr_same(expr_literal(p, "9.81"), expr_ratio(p, 981, 100)));
    cr_assert(expr_same(expr_literal(p, "1e-3"), expr_ratio(p, 1, 1000)));
    cr_assert(expr_same(expr_literal(p, "2.50E+1"), expr_int(p, 25)));
    cr_assert(expr_same(expr_literal(p, ".5"), expr_ratio(p, 1, 2)));
    cr_assert(expr_same(expr_add(p, expr_literal(p, "0.1"), expr_literal(p, "0.2")),
                        expr_literal(p, "0.3")));
    double v;
    cr_assert(expr_constant(p, expr_literal(p, "1e-300"), &v));
    cr_assert_eq(v, 1e-300);
    cr_assert(expr_same(expr_literal(p, "3"), expr_neg(p, expr_int(p, -3))));
    done(&f);
}

/* Random expressions, evaluated beside the pool in exact rationals: the same id must mean the
 * same value, and the same value the same id up to sign. */
Test(expr, random_expressions_agree_with_rationals)
{
    enum { N = 300 };
    for (unsigned seed = 1; seed <= 20; seed++) {
        Fixture f = fixture(true);
        ExprPool *p = f.p;
        pool_gather_factors(p, seed % 2);
        pool_factor_sums(p, seed % 3);
        ExprId e[N];
        mpq_t v[N];
        srand(seed);
        for (int k = 0; k < N; k++)
            mpq_init(v[k]);
        ExprId leaf[] = {f.x, f.y, f.z, expr_int(p, 2), expr_ratio(p, -3, 7)};
        long num[] = {12345, -777, 31, 2, -3};
        unsigned long den[] = {1001, 13, 17, 1, 7};
        for (int k = 0; k < 5; k++) {
            e[k] = leaf[k];
            mpq_set_si(v[k], num[k], den[k]);
            mpq_canonicalize(v[k]);
        }
        int n = 5;
        while (n < N) {
            int a = rand() % n;
            int b = rand() % n;
            size_t bits = mpz_sizeinbase(mpq_numref(v[a]), 2) + mpz_sizeinbase(mpq_denref(v[b]), 2);
            if (bits > 4000)
                continue;
            switch (rand() % 4) {
            case 0:
                e[n] = expr_add(p, e[a], e[b]);
                mpq_add(v[n], v[a], v[b]);
                break;
            case 1:
                e[n] = expr_sub(p, e[a], e[b]);
                mpq_sub(v[n], v[a], v[b]);
                break;
            case 2:
                e[n] = expr_mul(p, e[a], e[b]);
                mpq_mul(v[n], v[a], v[b]);
                break;
            default:
                if (mpq_sgn(v[b]) == 0)
                    continue;
                e[n] = expr_div(p, e[a], e[b]);
                mpq_div(v[n], v[a], v[b]);
                break;
            }
            n++;
        }
        for (int a = 0; a < N; a++) {
            for (int b = a + 1; b < N; b++) {
                bool same = mpq_equal(v[a], v[b]);
                cr_assert_eq(same, expr_same(e[a], e[b]), "seed %u: %d and %d", seed, a, b);
            }
        }
        for (int k = 0; k < N; k++)
            mpq_clear(v[k]);
        done(&f);
    }
}

static OpCount operations(Fixture *f, ExprId x)
{
    OpCounter r = op_counter_new(f->p, f->mem);
    op_counter_begin(&r);
    return op_counter_more(&r, 1, &x);
}

/* Of a sum that gathers factors, in either order of its terms. */
Test(expr, terms_share_their_factors)
{
    for (int order = 0; order < 2; order++) {
        Fixture f = fixture(true);
        ExprPool *p = f.p;
        Var v = {.name = name_of(f.s->names, "m"), .kind = VAR_PARAMETER, .binding = EXPR_NONE};
        ExprId m = system_var_expr(f.s, system_add_var(f.s, v));
        v.name = name_of(f.s->names, "l");
        ExprId l = system_var_expr(f.s, system_add_var(f.s, v));
        pool_gather_factors(p, true);
        pool_factor_sums(p, true);
        ExprId half = expr_mul(p, expr_mul(p, m, l), expr_ratio(p, 1, 2));
        ExprId square = expr_mul(p, f.x, f.x);
        ExprId own = expr_mul(p, half, square);
        ExprId behind = expr_mul(p, f.y, expr_mul(p, l, square));
        ExprId sum = order ? expr_sub(p, expr_add(p, own, f.z), behind)
                           : expr_sub(p, own, expr_sub(p, behind, f.z));
        OpCount n = operations(&f, sum);
        cr_assert_eq(n.mul, 3, "x*x, l*x^2 and that times (m/2 - y)");
        cr_assert_eq(n.add, 2);
        cr_assert_eq(n.div, 0, "a length may be zero");

        ExprId twice = expr_add(p, expr_mul(p, f.x, f.y), expr_mul(p, f.x, f.y));
        cr_assert_eq(operations(&f, twice).mul, 1);
        ExprId lengths = expr_add(p, expr_mul(p, l, f.x), expr_mul(p, m, f.x));
        cr_assert_eq(operations(&f, lengths).mul, 1, "(l + m)*x");
        cr_assert_eq(operations(&f, lengths).add, 0);
        done(&f);
    }
}

/* n nodes more of all kinds, over those there are. */
static void build_some(ExprPool *p, int n, unsigned seed)
{
    srand(seed);
    for (int k = 0; k < n; k++) {
        ExprId a = {(uint32_t)rand() % pool_size(p)}, b = {(uint32_t)rand() % pool_size(p)};
        switch (rand() % 9) {
        case 0:
            expr_add(p, a, b);
            break;
        case 1:
            expr_sub(p, a, b);
            break;
        case 2:
            expr_mul(p, a, b);
            break;
        case 3:
            if (expr_is_zero(p, b) != YES)
                expr_div(p, a, b);
            break;
        case 4:
            expr_fn(p, rand() % 2 ? FN_SIN : FN_COS, a);
            break;
        case 5:
            expr_ratio(p, rand() % 50 - 25, 1 + rand() % 7);
            break;
        case 6:
            expr_neg(p, a);
            break;
        case 7:
            expr_var(p, (VarId){100 + (uint32_t)rand() % 20}, VARIES_ALWAYS);
            break;
        default:
            /* what varies less takes the place of what varies */
            expr_mul(p, expr_div(p, expr_int(p, rand() % 30), a), a);
            expr_fn(p, FN_SQRT, expr_int(p, 2 + rand() % 30));
        }
    }
}

/* Node x of p and node y of q have the same value, operator and constant. */
static void check_same(const ExprPool *p, ExprId x, const ExprPool *q, ExprId y, unsigned seed)
{
    double v, w;
    cr_assert(fp_same(expr_fingerprint(p, x), expr_fingerprint(q, y)), "seed %u", seed);
    cr_assert_eq(expr_op(p, x), expr_op(q, y), "seed %u", seed);
    bool known = expr_constant(p, x, &v);
    cr_assert_eq(known, expr_constant(q, y, &w), "seed %u", seed);
    cr_assert(!known || v == w, "seed %u", seed);
}

/* Going back leaves the pool as it was: the same is built after it as without. */
Test(expr, what_is_taken_back_has_never_been)
{
    for (int by_value = 0; by_value < 2; by_value++) {
        for (unsigned seed = 1; seed <= 60; seed++) {
            Fixture f = fixture(by_value), g = fixture(by_value);
            build_some(f.p, 40, seed);
            build_some(g.p, 40, seed);
            PoolMark mark = pool_mark(f.p);
            build_some(f.p, 60, seed + 1000);
            pool_rollback(f.p, mark);
            cr_assert_eq(pool_size(f.p), pool_size(g.p), "seed %u", seed);
            build_some(f.p, 60, seed + 2000);
            build_some(g.p, 60, seed + 2000);
            cr_assert_eq(pool_size(f.p), pool_size(g.p), "seed %u", seed);
            for (uint32_t k = 0; k < pool_size(f.p); k++)
                check_same(f.p, (ExprId){k}, g.p, (ExprId){k}, seed);
            done(&f);
            done(&g);
        }
    }
}

/* Rebuilding node x of p from its operands gives the same value, which the hash table finds. */
static void check_rebuilt(ExprPool *p, ExprId x)
{
    ExprId arg[3];
    uint32_t n = expr_n_args(p, x);
    for (uint32_t k = 0; k < n; k++)
        arg[k] = expr_arg(p, x, k);
    cr_assert(
        fp_same(expr_fingerprint(p, x), expr_fingerprint(p, n ? expr_rebuild(p, x, arg) : x)));
    cr_assert(expr_is_known(p, expr_fingerprint(p, x)));
}

/* pool_compact changes no value, operator, operand or constant of the remaining nodes. Rebuilding
 * each of them gives its value. */
Test(expr, dropped_nodes_leave_the_others_as_they_were)
{
    for (int by_value = 0; by_value < 2; by_value++) {
        for (unsigned seed = 1; seed <= 60; seed++) {
            Fixture f = fixture(by_value), g = fixture(by_value);
            build_some(f.p, 60, seed);
            build_some(g.p, 60, seed);
            uint32_t before = pool_size(f.p), n = 0;
            bool *stays = arena_array(f.mem, bool, before);
            for (uint32_t k = 0; k < before; k++)
                stays[k] = rand() % (int)(1 + seed % 5) == 0;
            const uint32_t *to = pool_compact(f.p, stays, f.mem);
            for (uint32_t k = 0; k < before; k++) {
                ExprId x = {to[k]}, old = {k};
                if (!stays[k])
                    continue;
                cr_assert_eq(x.i, n++, "seed %u: in the same order", seed);
                check_same(f.p, x, g.p, old, seed);
                for (uint32_t i = 0; i < expr_n_args(f.p, x); i++)
                    cr_assert_eq(expr_arg(f.p, x, i).i, to[expr_arg(g.p, old, i).i]);
            }
            cr_assert_eq(pool_size(f.p), n, "seed %u", seed);
            for (uint32_t k = 0; k < n; k++)
                check_rebuilt(f.p, (ExprId){k});
            n = pool_size(f.p); /* negatives of what was dropped may be new */
            PoolMark mark = pool_mark(f.p);
            build_some(f.p, 60, seed + 1000);
            pool_rollback(f.p, mark);
            for (uint32_t k = 0; k < n; k++)
                check_rebuilt(f.p, (ExprId){k});
            cr_assert_eq(pool_size(f.p), n, "seed %u: all were there", seed);
            done(&f);
            done(&g);
        }
    }
}

/* exp(z) is one node for every form of z. log(2*exp(x)/exp(x)) is log(2), which is a constant. */
Test(expr, functions_of_equal_values_are_one)
{
    Fixture f = fixture(true);
    ExprPool *p = f.p;
    ExprId two = expr_int(p, 2), varies = expr_mul(p, f.x, f.y);
    varies = expr_sub(p, expr_mul(p, expr_add(p, f.x, expr_int(p, 1)), f.y), varies); /* is y */
    ExprId of_y = expr_fn(p, FN_EXP, f.y);
    cr_assert(expr_same(expr_fn(p, FN_EXP, varies), of_y));
    ExprId quotient =
        expr_div(p, expr_mul(p, two, expr_fn(p, FN_EXP, f.x)), expr_fn(p, FN_EXP, f.x));
    ExprId constant = expr_fn(p, FN_LOG, two);
    cr_assert_eq(expr_variability(p, constant), VARIES_NEVER);
    cr_assert(expr_same(expr_fn(p, FN_LOG, quotient), constant));
    done(&f);
}

/* (2*y + 2*z) - z is 2*y + z: found by its value, unless it was made for other equations. */
Test(expr, what_is_set_apart_is_not_found_by_its_value)
{
    for (int apart = 0; apart < 2; apart++) {
        Fixture f = fixture(true);
        ExprPool *p = f.p;
        ExprId twice = expr_add(p, f.y, f.y);
        PoolMark mark = pool_mark(p);
        uint32_t before = pool_size(p);
        ExprId first = expr_sub(p, expr_add(p, twice, expr_add(p, f.z, f.z)), f.z);
        if (apart)
            pool_set_apart(p, before);
        ExprId second = expr_add(p, twice, f.z);
        cr_assert_eq(expr_same(first, second), !apart);
        cr_assert(expr_same(expr_add(p, f.z, twice), second), "found from then on");
        if (apart) {
            pool_put_back(p, before);
            cr_assert(expr_same(expr_add(p, f.z, twice), second), "of two the later one");
        }
        /* taken back, with what was set apart */
        pool_rollback(p, mark);
        first = expr_add(p, twice, f.z);
        cr_assert(expr_same(expr_add(p, f.z, twice), first));
        done(&f);
    }
}

Test(expr, select_and_relations_fold)
{
    Fixture f = fixture(true);
    ExprPool *p = f.p;
    ExprId one = expr_int(p, 1);
    ExprId two = expr_int(p, 2);
    cr_assert(expr_same(expr_select(p, expr_compare(p, OP_LT, one, two), f.x, f.y), f.x));
    cr_assert(expr_same(expr_select(p, expr_compare(p, OP_LT, two, one), f.x, f.y), f.y));
    ExprId c = expr_compare(p, OP_LT, f.x, f.y);
    cr_assert(expr_same(expr_select(p, c, f.z, f.z), f.z));
    cr_assert(expr_same(expr_not(p, expr_not(p, c)), c));
    cr_assert(expr_same(expr_wrap(p, OP_NOEVENT, f.x), f.x), "nothing to hide");
    cr_assert_eq(expr_op(p, expr_wrap(p, OP_NOEVENT, c)), OP_NOEVENT);
    done(&f);
}

Test(expr, substitution_rebuilds_deep_expressions)
{
    Fixture f = fixture(true);
    ExprPool *p = f.p;
    ExprId deep = f.x;
    ExprId want = f.y;
    for (int k = 0; k < 200000; k++) {
        deep = k % 2 ? expr_fn(p, FN_SQRT, deep) : expr_add(p, deep, f.z);
        want = k % 2 ? expr_fn(p, FN_SQRT, want) : expr_add(p, want, f.z);
    }
    ExprId value[3] = {f.y, EXPR_NONE, EXPR_NONE};
    Substitution sub = {.value = value, .n = 3, .mem = f.mem};
    cr_assert(expr_same(expr_substitute(p, &sub, deep), want));
    done(&f);
}

Test(print, parentheses_where_they_are_needed)
{
    Fixture f = fixture(false);
    ExprPool *p = f.p;
    ExprId s = expr_sub(p, f.x, expr_sub(p, f.y, f.z));
    cr_assert_str_eq(expr_text(f.s, s, f.mem), "'x' - ('y' - 'z')");
    ExprId t = expr_mul(p, expr_add(p, f.x, f.y), expr_literal(p, "0.05"));
    cr_assert_str_eq(expr_text(f.s, t, f.mem), "('x' + 'y') * 0.05");
    ExprId q = expr_div(p, f.x, expr_ratio(p, 1, 3));
    cr_assert_str_eq(expr_text(f.s, q, f.mem), "'x' / (1/3)");
    done(&f);
}

/* An operator without its number of operands in expr_arity would lose them. */
Test(expr, operators_have_operands)
{
    static const bool is_leaf[OP_COUNT] = {
        [OP_NUM] = true,   [OP_STRING] = true, [OP_VAR] = true,    [OP_TIME] = true,
        [OP_LOCAL] = true, [OP_CALL] = true,   [OP_INITIAL] = true};
    for (int op = 0; op < OP_COUNT; op++)
        cr_assert_eq(expr_arity[op] == 0, is_leaf[op], "operator %d", op);
}
