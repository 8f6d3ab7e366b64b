#include "ir/operation_derivative.h"

#include "base/bug.h"

/* Where the argument of these stands still, they do: sqrt(max(0, u)) has the slope 0 where u is
 * negative, not 0 / 0. */
static bool has_infinite_slope(Fn f)
{
    return f == FN_SQRT || f == FN_LOG || f == FN_LOG10 || f == FN_ASIN || f == FN_ACOS;
}

/* smooth(0, ...), whose derivative may jump. */
static bool is_kinked(const ExprPool *p, ExprId x)
{
    return expr_op(p, x) == OP_SMOOTH && expr_smooth_has_kinks(p, x);
}

static ExprId fn_derivative(ExprPool *p, ExprId x, ExprId a, ExprId da)
{
    /* the derivative of a constant is zero even where that of the function is infinite: asin(1) */
    if (expr_is_zero(p, da) == YES)
        return da;
    if (has_infinite_slope(expr_fn_of(p, x))) {
        Op op = expr_op(p, da);
        if (op == OP_NOEVENT || op == OP_SMOOTH)
            return expr_wrap(p, is_kinked(p, da) ? OP_NOEVENT : op,
                             fn_derivative(p, x, a, expr_arg(p, da, 0)));
        if (op == OP_SELECT)
            return expr_select(p, expr_arg(p, da, 0), fn_derivative(p, x, a, expr_arg(p, da, 1)),
                               fn_derivative(p, x, a, expr_arg(p, da, 2)));
    }
    ExprId one = expr_int(p, 1);
    ExprId aa = expr_mul(p, a, a);
    switch (expr_fn_of(p, x)) {
    case FN_SIN:
        return expr_mul(p, expr_fn(p, FN_COS, a), da);
    case FN_COS:
        return expr_neg(p, expr_mul(p, expr_fn(p, FN_SIN, a), da));
    case FN_TAN:
        return expr_mul(p, expr_add(p, one, expr_mul(p, x, x)), da);
    case FN_ASIN:
        return expr_div(p, da, expr_fn(p, FN_SQRT, expr_sub(p, one, aa)));
    case FN_ACOS:
        return expr_neg(p, expr_div(p, da, expr_fn(p, FN_SQRT, expr_sub(p, one, aa))));
    case FN_ATAN:
        return expr_div(p, da, expr_add(p, one, aa));
    case FN_SINH:
        return expr_mul(p, expr_fn(p, FN_COSH, a), da);
    case FN_COSH:
        return expr_mul(p, expr_fn(p, FN_SINH, a), da);
    case FN_TANH:
        return expr_mul(p, expr_sub(p, one, expr_mul(p, x, x)), da);
    case FN_EXP:
        return expr_mul(p, x, da);
    case FN_LOG:
        return expr_div(p, da, a);
    case FN_LOG10:
        return expr_div(p, da, expr_mul(p, a, expr_fn(p, FN_LOG, expr_int(p, 10))));
    case FN_SQRT:
        return expr_div(p, da, expr_mul(p, expr_int(p, 2), x));
    case FN_ABS:
        return expr_mul(p, expr_wrap(p, OP_NOEVENT, expr_fn(p, FN_SIGN, a)), da);
    case FN_SIGN:
    case FN_FLOOR:
    case FN_CEIL:
        return expr_int(p, 0);
    case FN_COUNT:
        break;
    }
    bug("derivative of function %d", (int)expr_fn_of(p, x));
}

static ExprId fn2_derivative(ExprPool *p, ExprId x, ExprId a, ExprId b, ExprId da, ExprId db)
{
    switch (expr_fn2_of(p, x)) {
    case FN2_ATAN2: {
        ExprId num = expr_sub(p, expr_mul(p, b, da), expr_mul(p, a, db));
        return expr_div(p, num, expr_add(p, expr_mul(p, a, a), expr_mul(p, b, b)));
    }
    case FN2_MIN:
    case FN2_MAX: {
        /* at a tie the slope of the second, which of a limit that does not move is 0 */
        bool swap = expr_is_fixed(p, a);
        ExprId first = swap ? b : a, second = swap ? a : b;
        bool less = expr_fn2_of(p, x) == FN2_MIN;
        return expr_select(p, expr_compare(p, OP_LT, less ? first : second, less ? second : first),
                           swap ? db : da, swap ? da : db);
    }
    case FN2_MOD: {
        /* x - floor(x/y)*y */
        ExprId q = expr_fn(p, FN_FLOOR, expr_div(p, a, b));
        return expr_sub(p, da, expr_mul(p, q, db));
    }
    case FN2_REM: {
        ExprId q = expr_fn2(p, FN2_DIV, a, b);
        return expr_sub(p, da, expr_mul(p, q, db));
    }
    case FN2_DIV:
        return expr_int(p, 0);
    case FN2_COUNT:
        break;
    }
    bug("derivative of function of two arguments %d", (int)expr_fn2_of(p, x));
}

static ExprId power_derivative(ExprPool *p, ExprId x, ExprId a, ExprId b, ExprId da, ExprId db)
{
    ExprId lower = expr_pow(p, a, expr_sub(p, b, expr_int(p, 1)));
    ExprId r = expr_mul(p, expr_mul(p, b, lower), da);
    if (expr_is_zero(p, db) != YES)
        r = expr_add(p, r, expr_mul(p, expr_mul(p, x, expr_fn(p, FN_LOG, a)), db));
    return r;
}

/* Of a node: its operands and their derivatives. */
typedef struct Operands {
    ExprPool *p;
    const ExprId *arg, *der;
} Operands;

static ExprId product_derivative(const Operands *in, ExprId da, ExprId db)
{
    /* one after the other: which is built first shows in the ids, and so in dumps */
    ExprId first = expr_mul(in->p, in->arg[0], db);
    return expr_add(in->p, expr_mul(in->p, da, in->arg[1]), first);
}

static ExprId quotient_derivative(const Operands *in, ExprId x, ExprId da, ExprId db)
{
    return expr_div(in->p, expr_sub(in->p, da, expr_mul(in->p, x, db)), in->arg[1]);
}

static ExprId same_derivative(const Operands *in, ExprId x, Op op, ExprId da)
{
    return expr_wrap(in->p, is_kinked(in->p, x) ? OP_NOEVENT : op, da);
}

static ExprId no_derivative(Op op)
{
    bug("derivative of operator %d", (int)op);
}

#define EVAL_FUNCTION apply_operation
#define EVAL_VALUE ExprId
#define EVAL_NODE ExprId
#define EVAL_CONTEXT const Operands
#define EVAL_OPERAND(k) in->der[k]
#define EVAL_LEAF(op) no_derivative(op)
#define EVAL_NEG(a) expr_neg(in->p, a)
#define EVAL_ADD(a, b) expr_add(in->p, a, b)
#define EVAL_SUB(a, b) expr_sub(in->p, a, b)
#define EVAL_MUL(a, b) product_derivative(in, a, b)
#define EVAL_DIV(a, b) quotient_derivative(in, x, a, b)
#define EVAL_POW(a, b) power_derivative(in->p, x, in->arg[0], in->arg[1], a, b)
#define EVAL_FN(a) fn_derivative(in->p, x, in->arg[0], a)
#define EVAL_FN2(a, b) fn2_derivative(in->p, x, in->arg[0], in->arg[1], a, b)
#define EVAL_RELATION(op, a, b) ((void)(a), (void)(b), no_derivative(op))
#define EVAL_AND(a, b) EVAL_RELATION(OP_AND, a, b)
#define EVAL_OR(a, b) EVAL_RELATION(OP_OR, a, b)
#define EVAL_NOT(a) ((void)(a), no_derivative(OP_NOT))
#define EVAL_SELECT() expr_select(in->p, in->arg[0], in->der[1], in->der[2])
#define EVAL_SAME(op, a) same_derivative(in, x, op, a)
#include "ir/evaluate.inc"

ExprId operation_derivative(ExprPool *p, ExprId x, const ExprId *arg, const ExprId *der)
{
    return apply_operation(&(Operands){p, arg, der}, x, expr_op(p, x));
}

ExprId derivative_by_operand(ExprPool *p, ExprId x, uint32_t k)
{
    ExprId arg[3], der[3];
    for (uint32_t i = 0; i < expr_n_args(p, x); i++) {
        arg[i] = expr_arg(p, x, i);
        der[i] = expr_int(p, i == k);
    }
    return operation_derivative(p, x, arg, der);
}
