#include "emit/model/linear_terms.h"

#include <criterion/criterion.h>

static ExprPool *pool;
static ExprId x, y, c;

static void variables(Arena *mem)
{
    pool = pool_new(mem, false);
    x = expr_var(pool, (VarId){0}, VARIES_ALWAYS);
    y = expr_var(pool, (VarId){1}, VARIES_ALWAYS);
    c = expr_var(pool, (VarId){2}, VARIES_PARAMETER);
}

static LinearTerms terms_of(ExprId sum)
{
    LinearTerms t;
    linear_terms_begin(&t, pool);
    linear_terms_add(&t, sum, (Factor){1, EXPR_NONE, false});
    return t;
}

/* The factor of a leaf at c = 4. */
static double factor_of(const LinearTerms *t, ExprId leaf)
{
    double sum = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        const Factor *f = &t->term[k].factor;
        double by = expr_exists(f->c) ? 4 : 1;
        if (t->term[k].leaf.i == leaf.i)
            sum += f->is_divisor ? f->number / by : f->number * by;
    }
    return sum;
}

/* 2*(x - y)/c - 3*time - c + 5 */
Test(linear_terms, of_a_sum)
{
    Arena *mem = arena_new();
    variables(mem);
    ExprId sum = expr_div(pool, expr_mul(pool, expr_int(pool, 2), expr_sub(pool, x, y)), c);
    sum = expr_sub(pool, sum, expr_mul(pool, expr_int(pool, 3), expr_time(pool)));
    sum = expr_add(pool, expr_sub(pool, sum, c), expr_int(pool, 5));
    LinearTerms t = terms_of(sum);
    cr_assert(t.is_whole);
    cr_assert_eq(factor_of(&t, x), 0.5);
    cr_assert_eq(factor_of(&t, y), -0.5);
    cr_assert_eq(factor_of(&t, expr_time(pool)), -3);
    double one = 0;
    for (uint32_t k = 0; k < t.n; k++)
        if (!expr_exists(t.term[k].leaf))
            one += t.term[k].factor.number *
                   (expr_exists(t.term[k].factor.c) && expr_op(pool, t.term[k].factor.c) == OP_VAR
                        ? 4
                        : 1);
    cr_assert_eq(one, 1);
    pool_free(pool);
    arena_free(mem);
}

Test(linear_terms, leave_out_others)
{
    Arena *mem = arena_new();
    variables(mem);
    LinearTerms t = terms_of(expr_add(pool, x, expr_fn(pool, FN_SIN, y)));
    cr_assert_not(t.is_whole);
    cr_assert_eq(t.n, 1);
    cr_assert_eq(factor_of(&t, x), 1);
    t = terms_of(expr_mul(pool, x, y));
    cr_assert_not(t.is_whole);
    cr_assert_eq(t.n, 0);
    // the end of a long sum
    ExprId sum = x;
    for (uint32_t k = 0; k < 2 * LINEAR_TERMS; k++)
        sum = expr_add(pool, sum, expr_var(pool, (VarId){10 + k}, VARIES_ALWAYS));
    t = terms_of(sum);
    cr_assert_not(t.is_whole);
    cr_assert_leq(t.n, LINEAR_TERMS);
    pool_free(pool);
    arena_free(mem);
}
