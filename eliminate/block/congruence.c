#include "eliminate/block/congruence.h"

#include "ir/fingerprint.h"

/* sign * factor[0] * factor[1]. */
typedef struct Product {
    bool negative;
    ExprId factor[2];
} Product;

static bool is_product(const ExprPool *p, ExprId x, Product *out)
{
    out->negative = expr_op(p, x) == OP_NEG;
    if (out->negative)
        x = expr_arg(p, x, 0);
    if (expr_op(p, x) != OP_MUL)
        return false;
    out->factor[0] = expr_arg(p, x, 0);
    out->factor[1] = expr_arg(p, x, 1);
    return true;
}

/* c^2 + s^2 = 1, and neither is a number. */
static bool is_rotation(ExprPool *p, ExprId c, ExprId s)
{
    if (expr_variability(p, c) == VARIES_NEVER || expr_variability(p, s) == VARIES_NEVER)
        return false;
    Fp fc = expr_fingerprint(p, c);
    Fp fs = expr_fingerprint(p, s);
    Fp one = expr_fingerprint(p, expr_int(p, 1));
    return fp_same(fp_add(fp_mul(fc, fc), fp_mul(fs, fs)), one);
}

/* of_c * c + of_s * s. */
typedef struct Rotated {
    ExprId of_c, of_s;
} Rotated;

static bool is_multiple(ExprPool *p, ExprId x, ExprId c, ExprId s, bool negative, Rotated *out)
{
    Product m;
    if (!is_product(p, x, &m))
        return false;
    for (int k = 0; k < 2; k++) {
        ExprId rest = m.factor[1 - k];
        bool of_c = expr_same(m.factor[k], c);
        if (!of_c && !expr_same(m.factor[k], s))
            continue;
        *(of_c ? &out->of_c : &out->of_s) = m.negative != negative ? expr_neg(p, rest) : rest;
        return true;
    }
    return false;
}

static bool is_rotated(ExprPool *p, ExprId x, ExprId c, ExprId s, Rotated *out)
{
    *out = (Rotated){expr_int(p, 0), expr_int(p, 0)};
    bool negative = expr_op(p, x) == OP_NEG;
    ExprId y = negative ? expr_arg(p, x, 0) : x;
    Op op = expr_op(p, y);
    if (op != OP_ADD && op != OP_SUB)
        return is_multiple(p, x, c, s, false, out);
    Rotated first = *out;
    if (!is_multiple(p, expr_arg(p, y, 0), c, s, negative, &first) ||
        !is_multiple(p, expr_arg(p, y, 1), c, s, negative != (op == OP_SUB), out))
        return false;
    /* one of each */
    if (expr_is_zero(p, first.of_c) == YES) {
        out->of_s = first.of_s;
        return expr_is_zero(p, out->of_c) != YES;
    }
    out->of_c = first.of_c;
    return expr_is_zero(p, out->of_s) != YES;
}

/* x*a - y*b, without building anything. */
static Fp value_of_difference(const ExprPool *p, ExprId x, ExprId a, ExprId y, ExprId b)
{
    return fp_sub(fp_mul(expr_fingerprint(p, x), expr_fingerprint(p, a)),
                  fp_mul(expr_fingerprint(p, y), expr_fingerprint(p, b)));
}

/* alpha*c^2 + beta*c*s + gamma*s^2: by t or t', whichever is there already. */
static ExprId quadratic(ExprPool *p, ExprId c, ExprId s, ExprId alpha, ExprId beta, ExprId gamma)
{
    ExprId delta = expr_sub(p, alpha, gamma);
    bool t_known = expr_is_known(p, value_of_difference(p, s, delta, c, beta));
    bool by_t =
        t_known || !expr_is_known(p, value_of_difference(p, c, delta, s, expr_neg(p, beta)));
    if (by_t) {
        ExprId t = expr_sub(p, expr_mul(p, s, delta), expr_mul(p, c, beta));
        return expr_sub(p, alpha, expr_mul(p, s, t));
    }
    ExprId t = expr_add(p, expr_mul(p, c, delta), expr_mul(p, s, beta));
    return expr_add(p, gamma, expr_mul(p, c, t));
}

/* first +- second as a quadratic; EXPR_NONE if it is none. */
static ExprId congruent(ExprPool *p, Product first, Product second)
{
    for (int i = 0; i < 4; i++) {
        ExprId c = first.factor[i / 2];
        ExprId s = second.factor[i % 2];
        Rotated x, y;
        if (!is_rotation(p, c, s) || !is_rotated(p, first.factor[1 - i / 2], c, s, &x) ||
            !is_rotated(p, second.factor[1 - i % 2], c, s, &y))
            continue;
        if (first.negative)
            x = (Rotated){expr_neg(p, x.of_c), expr_neg(p, x.of_s)};
        if (second.negative)
            y = (Rotated){expr_neg(p, y.of_c), expr_neg(p, y.of_s)};
        return quadratic(p, c, s, x.of_c, expr_add(p, x.of_s, y.of_c), y.of_s);
    }
    return EXPR_NONE;
}

ExprId congruence_sub(ExprPool *p, ExprId a, ExprId b)
{
    Product first, second;
    if (is_product(p, a, &first) && is_product(p, b, &second)) {
        second.negative = !second.negative;
        ExprId q = congruent(p, first, second);
        if (expr_exists(q))
            return q;
    }
    return expr_sub(p, a, b);
}
