#include "ir/common_factor.h"

enum {
    LAST_TERMS = 10,  /* of a sum, that are searched           */
    FACTOR_DEPTH = 10 /* of a factor in a product of parameters */
};

typedef struct Term {
    ExprId x;
    bool negative;
} Term;

/* t = of_t*y, u = of_u*y */
typedef struct Common {
    ExprId y, of_t, of_u;
} Common;

/* z for x = fixed*z; x is 1*x where it is no such product. */
static ExprId without_fixed(ExprPool *p, ExprId x, ExprId *fixed)
{
    for (uint32_t k = 0; expr_op(p, x) == OP_MUL && k < 2; k++) {
        *fixed = expr_arg(p, x, k);
        if (expr_is_fixed(p, *fixed))
            return expr_arg(p, x, 1 - k);
    }
    *fixed = expr_int(p, 1);
    return x;
}

/* c/g where g is a factor of c, so that nothing is divided by g, which may be zero; else EXPR_NONE.
 */
static ExprId without_factor(ExprPool *p, ExprId c, ExprId g, int depth)
{
    if (expr_is(p, g, 1))
        return c;
    if (expr_same(c, g))
        return expr_int(p, 1);
    Op op = expr_op(p, c);
    uint32_t n = op == OP_MUL ? 2 : op == OP_DIV || op == OP_NEG ? 1 : 0;
    for (uint32_t k = 0; k < n && depth > 0; k++) {
        ExprId arg[2] = {expr_arg(p, c, 0), op == OP_NEG ? EXPR_NONE : expr_arg(p, c, 1)};
        arg[k] = without_factor(p, arg[k], g, depth - 1);
        if (expr_exists(arg[k]))
            return expr_rebuild(p, c, arg);
    }
    return EXPR_NONE;
}

/* Of t = c*z with c fixed, and u = b*y with y = g*z. */
static bool common_but_for_fixed(ExprPool *p, ExprId t, ExprId u, Common *out)
{
    ExprId c, z = without_fixed(p, t, &c);
    for (uint32_t k = 0; !expr_same(z, t) && k < 2; k++) {
        ExprId g, y = expr_arg(p, u, k);
        if (!expr_same(without_fixed(p, y, &g), z))
            continue;
        *out = (Common){y, without_factor(p, c, g, FACTOR_DEPTH), expr_arg(p, u, 1 - k)};
        return expr_exists(out->of_t);
    }
    return false;
}

static bool find_common(ExprPool *p, ExprId t, ExprId u, Common *out)
{
    if (expr_op(p, t) != OP_MUL || expr_op(p, u) != OP_MUL || expr_same(t, u))
        return false;
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t j = 0; j < 2; j++) {
            ExprId y = expr_arg(p, t, i);
            if (!expr_same(y, expr_arg(p, u, j)) || expr_is_fixed(p, y))
                continue;
            *out = (Common){y, expr_arg(p, t, 1 - i), expr_arg(p, u, 1 - j)};
            return true;
        }
    if (common_but_for_fixed(p, t, u, out))
        return true;
    Common other;
    if (!common_but_for_fixed(p, u, t, &other))
        return false;
    *out = (Common){other.y, other.of_u, other.of_t};
    return true;
}

static ExprId signed_sum(ExprPool *p, Term a, Term b)
{
    if (a.negative && b.negative)
        return expr_neg(p, expr_add(p, a.x, b.x));
    if (a.negative)
        return expr_sub(p, b.x, a.x);
    return b.negative ? expr_sub(p, a.x, b.x) : expr_add(p, a.x, b.x);
}

/* The sum without the term that n terms follow. */
static ExprId without_term(ExprPool *p, ExprId sum, int n)
{
    Op op = expr_op(p, sum);
    if (!op_is_sum(op))
        return expr_int(p, 0);
    ExprId a = expr_arg(p, sum, 0), b = expr_arg(p, sum, 1);
    if (n == 0)
        return a;
    Term rest = {without_term(p, a, n - 1), false};
    return signed_sum(p, rest, (Term){b, op == OP_SUB});
}

/* sum + u, each with its sign */
static bool add_product(ExprPool *p, Term sum, Term u, ExprId *out)
{
    if (expr_op(p, u.x) != OP_MUL)
        return false;
    ExprId x = sum.x;
    for (int n = 0; n < LAST_TERMS; n++) {
        Op op = expr_op(p, x);
        bool is_sum = op_is_sum(op);
        Term t = {is_sum ? expr_arg(p, x, 1) : x, sum.negative != (op == OP_SUB)};
        Common c;
        if (find_common(p, t.x, u.x, &c)) {
            ExprId factor = signed_sum(p, (Term){c.of_u, u.negative}, (Term){c.of_t, t.negative});
            Term rest = {without_term(p, sum.x, n), sum.negative};
            *out = signed_sum(p, rest, (Term){expr_mul(p, factor, c.y), false});
            return true;
        }
        if (!is_sum)
            return false;
        x = expr_arg(p, x, 0);
    }
    return false;
}

bool common_factor_sum(ExprPool *p, Op op, ExprId a, ExprId b, ExprId *sum)
{
    Term left = {a, false}, right = {b, op == OP_SUB};
    return add_product(p, left, right, sum) || add_product(p, right, left, sum);
}
