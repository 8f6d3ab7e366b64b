/* write.c -- the C text of one expression: precedences, signs, names of functions. */
#include "base/bug.h"
#include "emit/coder.h"

#include <math.h>
#include <stdlib.h>

static void put_size(Coder *c, ExprId x, int prec);

static bool is_product(const Coder *c, ExprId x)
{
    Op op = expr_op(c->pool, x);
    return op == OP_MUL || op == OP_DIV;
}

/* A sign that can be written before x instead of inside: negation, of a number, of factors. */
static bool sign(const Coder *c, ExprId x);

static bool product_sign(const Coder *c, ExprId x)
{
    return sign(c, expr_arg(c->pool, x, 0)) != sign(c, expr_arg(c->pool, x, 1));
}

static bool sign(const Coder *c, ExprId x)
{
    bool negated = false;
    double value;
    x = code_strip(c->pool, x, &negated);
    if (code_literal(c, x, &value))
        return negated != (value < 0);
    return c->nested[x.i] && is_product(c, x) ? negated != product_sign(c, x) : negated;
}

static void open_if(Coder *c, bool paren)
{
    if (paren)
        text_put(&c->body, "(");
}

static void close_if(Coder *c, bool paren)
{
    if (paren)
        text_put(&c->body, ")");
}

static void put_binary(Coder *c, ExprId x, const char *op, int prec, int left, int right, int own)
{
    open_if(c, own < prec);
    code_put(c, expr_arg(c->pool, x, 0), left);
    text_put(&c->body, op);
    code_put(c, expr_arg(c->pool, x, 1), right);
    close_if(c, own < prec);
}

static void put_sum(Coder *c, ExprId x, int prec)
{
    ExprId a = expr_arg(c->pool, x, 0), b = expr_arg(c->pool, x, 1);
    bool minus_a = sign(c, a), minus_b = sign(c, b) != (expr_op(c->pool, x) == OP_SUB);
    if (minus_a && !minus_b) {
        ExprId keep = a;
        a = b;
        b = keep;
        minus_a = false;
        minus_b = true;
    }
    open_if(c, PREC_SUM < prec);
    if (minus_a)
        text_put(&c->body, "-");
    put_size(c, a, minus_a ? PREC_PRODUCT : PREC_SUM);
    text_put(&c->body, minus_b ? " - " : " + ");
    put_size(c, b, PREC_PRODUCT);
    close_if(c, PREC_SUM < prec);
}

/* |n| multiplications at most, by squaring. */
static void put_power(Coder *c, ExprId base, long n)
{
    if (n == 1) {
        code_put(c, base, PREC_UNARY);
    } else if (n % 2) {
        put_power(c, base, n - 1);
        text_put(&c->body, " * ");
        code_put(c, base, PREC_UNARY);
    } else {
        text_put(&c->body, "rung_square(");
        put_power(c, base, n / 2);
        text_put(&c->body, ")");
    }
}

static void put_pow(Coder *c, ExprId x, int prec)
{
    ExprId base = expr_arg(c->pool, x, 0), exponent = expr_arg(c->pool, x, 1);
    double value;
    long n;
    if (code_small_power(c, x, &n)) {
        open_if(c, PREC_PRODUCT < prec);
        if (n < 0)
            text_put(&c->body, n < -1 ? "1.0 / (" : "1.0 / ");
        put_power(c, base, labs(n));
        close_if(c, n < -1);
        close_if(c, PREC_PRODUCT < prec);
        return;
    }
    bool root =
        code_literal(c, code_bare(c, exponent), &value) && value == 0.5 && !sign(c, exponent);
    text_put(&c->body, root ? "sqrt(" : "pow(");
    code_put(c, base, PREC_ANY);
    if (!root) {
        text_put(&c->body, ", ");
        code_put(c, exponent, PREC_ANY);
    }
    text_put(&c->body, ")");
}

static bool is_claim(const Coder *c, ExprId x)
{
    switch (expr_op(c->pool, x)) {
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE:
    case OP_AND:
    case OP_OR:
    case OP_NOT:
        return c->nested[x.i];
    default:
        return false;
    }
}

/* A Boolean, as C's condition. */
void code_put_condition(Coder *c, ExprId x, int prec)
{
    x = code_bare(c, x);
    if (is_claim(c, x)) {
        code_put(c, x, prec);
        return;
    }
    open_if(c, PREC_EQUAL < prec);
    code_put(c, x, PREC_ORDER);
    text_put(&c->body, " != 0.0");
    close_if(c, PREC_EQUAL < prec);
}

static void put_logic(Coder *c, ExprId x, const char *op, int own, int prec)
{
    open_if(c, own < prec);
    code_put_condition(c, expr_arg(c->pool, x, 0), PREC_EQUAL);
    text_put(&c->body, op);
    code_put_condition(c, expr_arg(c->pool, x, 1), PREC_EQUAL);
    close_if(c, own < prec);
}

static const char *const fn_c[FN_COUNT] = {
    [FN_SIN] = "sin",   [FN_COS] = "cos",   [FN_TAN] = "tan",        [FN_ASIN] = "asin",
    [FN_ACOS] = "acos", [FN_ATAN] = "atan", [FN_SINH] = "sinh",      [FN_COSH] = "cosh",
    [FN_TANH] = "tanh", [FN_EXP] = "exp",   [FN_LOG] = "log",        [FN_LOG10] = "log10",
    [FN_SQRT] = "sqrt", [FN_ABS] = "fabs",  [FN_SIGN] = "rung_sign", [FN_FLOOR] = "floor",
    [FN_CEIL] = "ceil",
};
static const char *const fn2_c[FN2_COUNT] = {
    [FN2_ATAN2] = "atan2",  [FN2_MIN] = "rung_min", [FN2_MAX] = "rung_max",
    [FN2_MOD] = "rung_mod", [FN2_REM] = "rung_rem", [FN2_DIV] = "rung_div",
};

/* The operation at x itself, without the sign that sign() or product_sign() has told of. */
static void put_operation(Coder *c, ExprId x, int prec)
{
    Text *t = &c->body;
    ExprId a = expr_arg(c->pool, x, 0);
    switch (expr_op(c->pool, x)) {
    case OP_ADD:
    case OP_SUB:
        put_sum(c, x, prec);
        return;
    case OP_MUL:
    case OP_DIV:
        open_if(c, PREC_PRODUCT < prec);
        put_size(c, a, PREC_PRODUCT);
        text_put(t, expr_op(c->pool, x) == OP_MUL ? " * " : " / ");
        put_size(c, expr_arg(c->pool, x, 1), PREC_UNARY);
        close_if(c, PREC_PRODUCT < prec);
        return;
    case OP_POW:
        put_pow(c, x, prec);
        return;
    case OP_FN:
        text_printf(t, "%s(", fn_c[expr_fn_of(c->pool, x)]);
        code_put(c, a, PREC_ANY);
        text_put(t, ")");
        return;
    case OP_FN2:
        text_printf(t, "%s(", fn2_c[expr_fn2_of(c->pool, x)]);
        code_put(c, a, PREC_ANY);
        text_put(t, ", ");
        code_put(c, expr_arg(c->pool, x, 1), PREC_ANY);
        text_put(t, ")");
        return;
    case OP_LT:
        put_binary(c, x, " < ", prec, PREC_SUM, PREC_SUM, PREC_ORDER);
        return;
    case OP_LE:
        put_binary(c, x, " <= ", prec, PREC_SUM, PREC_SUM, PREC_ORDER);
        return;
    case OP_EQ:
        put_binary(c, x, " == ", prec, PREC_SUM, PREC_SUM, PREC_EQUAL);
        return;
    case OP_NE:
        put_binary(c, x, " != ", prec, PREC_SUM, PREC_SUM, PREC_EQUAL);
        return;
    case OP_AND:
        put_logic(c, x, " && ", PREC_AND, prec);
        return;
    case OP_OR:
        put_logic(c, x, " || ", PREC_OR, prec);
        return;
    case OP_NOT:
        text_put(t, "!");
        code_put_condition(c, a, PREC_ATOM);
        return;
    case OP_SELECT:
        open_if(c, PREC_SELECT < prec);
        code_put_condition(c, a, PREC_OR);
        text_put(t, " ? ");
        code_put(c, expr_arg(c->pool, x, 1), PREC_OR);
        text_put(t, " : ");
        code_put(c, expr_arg(c->pool, x, 2), PREC_OR);
        close_if(c, PREC_SELECT < prec);
        return;
    default:
        bug("emit: operation %d", (int)expr_op(c->pool, x));
    }
}

/* x without its sign(). */
static void put_size(Coder *c, ExprId x, int prec)
{
    double value;
    x = code_bare(c, x);
    if (code_literal(c, x, &value)) {
        text_number(&c->body, fabs(value));
    } else if (expr_op(c->pool, x) == OP_TIME) {
        c->has_t = true;
        text_put(&c->body, "t");
    } else if (c->nested[x.i]) {
        put_operation(c, x, prec);
    } else if (code_is_local(c, x)) {
        text_printf(&c->body, "t%u", c->local[x.i]);
    } else {
        code_put_place(c, &c->body, x);
    }
}

void code_put(Coder *c, ExprId x, int prec)
{
    if (!sign(c, x)) {
        put_size(c, x, prec);
        return;
    }
    ExprId n = code_bare(c, x);
    int own = c->nested[n.i] && is_product(c, n) ? PREC_PRODUCT : PREC_UNARY;
    open_if(c, own < prec);
    text_put(&c->body, "-");
    put_size(c, x, own);
    close_if(c, own < prec);
}

void code_put_value(Coder *c, ExprId x)
{
    if (is_product(c, x) && product_sign(c, x))
        text_put(&c->body, "-");
    put_operation(c, x, is_product(c, x) ? PREC_PRODUCT : PREC_ANY);
}
