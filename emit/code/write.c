/* write.c -- the C text of one statement's expression: precedences, signs, names of functions. */
#include "base/bug.h"
#include "emit/code/coder.h"

#include <math.h>
#include <stdlib.h>

/* C's precedences, as far as used. */
enum {
    PREC_ANY,
    PREC_SELECT,
    PREC_OR,
    PREC_AND,
    PREC_EQUAL,
    PREC_ORDER,
    PREC_SUM,
    PREC_PRODUCT,
    PREC_UNARY,
    PREC_ATOM
};

static void put(Coder *c, uint32_t k, int prec);
static void put_size(Coder *c, uint32_t k, int prec);
static void put_operation(Coder *c, const Term *it, int prec);

static void open_if(Coder *c, bool paren)
{
    if (paren)
        text_put(&c->chunk.body, "(");
}

static void close_if(Coder *c, bool paren)
{
    if (paren)
        text_put(&c->chunk.body, ")");
}

/* An argument of a function or an operand of a comparison: in lanes a vector. */
static void put_argument(Coder *c, uint32_t k)
{
    code_open_lane(c);
    put(c, k, PREC_ANY);
    code_close_lane(c);
}

static void put_comparison(Coder *c, const Term *t, const char *op, int prec, int own)
{
    if (code_in_lanes(c)) {
        text_put(&c->chunk.body, "(RungMask)(");
        put_argument(c, t->arg[0]);
        text_put(&c->chunk.body, op);
        put_argument(c, t->arg[1]);
        text_put(&c->chunk.body, ")");
        return;
    }
    open_if(c, own < prec);
    put(c, t->arg[0], PREC_SUM);
    text_put(&c->chunk.body, op);
    put(c, t->arg[1], PREC_SUM);
    close_if(c, own < prec);
}

/* |n| multiplications at most, by squaring. */
static void put_power(Coder *c, uint32_t base, long n)
{
    if (n == 1) {
        put(c, base, PREC_UNARY);
    } else if (n % 2) {
        put_power(c, base, n - 1);
        text_put(&c->chunk.body, " * ");
        put(c, base, PREC_UNARY);
    } else {
        code_put_function(c, "rung_square");
        code_open_lane(c);
        put_power(c, base, n / 2);
        code_close_lane(c);
        text_put(&c->chunk.body, ")");
    }
}

static void put_pow(Coder *c, const Term *t, int prec)
{
    if (t->arg[1] == UINT32_MAX) {
        long n = (long)t->value;
        open_if(c, PREC_PRODUCT < prec);
        if (n < 0)
            text_put(&c->chunk.body, n < -1 ? "1.0 / (" : "1.0 / ");
        put_power(c, t->arg[0], labs(n));
        close_if(c, n < -1);
        close_if(c, PREC_PRODUCT < prec);
        return;
    }
    const Term *exponent = &c->tree.term.at[t->arg[1]];
    bool root = exponent->op == OP_NUM && exponent->value == 0.5 && !exponent->negated;
    code_put_function(c, root ? "sqrt" : "pow");
    put_argument(c, t->arg[0]);
    if (!root) {
        text_put(&c->chunk.body, ", ");
        put_argument(c, t->arg[1]);
    }
    text_put(&c->chunk.body, ")");
}

/* A Boolean, as C's condition. */
static void put_condition(Coder *c, uint32_t k, int prec)
{
    if (op_is_logical((Op)c->tree.term.at[k].op)) {
        put_operation(c, &c->tree.term.at[k], prec);
        return;
    }
    if (code_in_lanes(c)) {
        text_put(&c->chunk.body, "(RungMask)(");
        put_argument(c, k);
        text_put(&c->chunk.body, " != 0.0)");
        return;
    }
    open_if(c, PREC_EQUAL < prec);
    put(c, k, PREC_ORDER);
    text_put(&c->chunk.body, " != 0.0");
    close_if(c, PREC_EQUAL < prec);
}

static void put_logic(Coder *c, const Term *t, const char *op, int own, int prec)
{
    open_if(c, own < prec);
    put_condition(c, t->arg[0], PREC_EQUAL);
    text_put(&c->chunk.body, op);
    put_condition(c, t->arg[1], PREC_EQUAL);
    close_if(c, own < prec);
}

#define NAME(op, modelica, c) #c,
static const char *const fn_c[FN_COUNT] = {ELEMENTARY_FUNCTIONS(NAME)};
static const char *const fn2_c[FN2_COUNT] = {ELEMENTARY_FUNCTIONS_OF_TWO(NAME)};
#undef NAME

static void put_select_of_lanes(Coder *c, const Term *it)
{
    code_put_function(c, "rung_select");
    put_condition(c, it->arg[0], PREC_ANY);
    for (int k = 1; k <= 2; k++) {
        text_put(&c->chunk.body, ", ");
        put_argument(c, it->arg[k]);
    }
    text_put(&c->chunk.body, ")");
}

static void put_operation(Coder *c, const Term *it, int prec)
{
    Text *t = &c->chunk.body;
    switch ((Op)it->op) {
    case OP_ADD:
    case OP_SUB:
        open_if(c, PREC_SUM < prec);
        put(c, it->arg[0], PREC_SUM);
        text_put(t, it->op == OP_ADD ? " + " : " - ");
        put(c, it->arg[1], PREC_PRODUCT);
        close_if(c, PREC_SUM < prec);
        return;
    case OP_MUL:
    case OP_DIV:
        open_if(c, PREC_PRODUCT < prec);
        put(c, it->arg[0], PREC_PRODUCT);
        text_put(t, it->op == OP_MUL ? " * " : " / ");
        put(c, it->arg[1], PREC_UNARY);
        close_if(c, PREC_PRODUCT < prec);
        return;
    case OP_POW:
        put_pow(c, it, prec);
        return;
    case OP_FN:
        code_put_function(c, fn_c[it->fn]);
        put_argument(c, it->arg[0]);
        text_put(t, ")");
        return;
    case OP_FN2:
        code_put_function(c, fn2_c[it->fn]);
        put_argument(c, it->arg[0]);
        text_put(t, ", ");
        put_argument(c, it->arg[1]);
        text_put(t, ")");
        return;
    case OP_LT:
        put_comparison(c, it, " < ", prec, PREC_ORDER);
        return;
    case OP_LE:
        put_comparison(c, it, " <= ", prec, PREC_ORDER);
        return;
    case OP_EQ:
        put_comparison(c, it, " == ", prec, PREC_EQUAL);
        return;
    case OP_NE:
        put_comparison(c, it, " != ", prec, PREC_EQUAL);
        return;
    case OP_AND:
        put_logic(c, it, code_in_lanes(c) ? " & " : " && ", PREC_AND, prec);
        return;
    case OP_OR:
        put_logic(c, it, code_in_lanes(c) ? " | " : " || ", PREC_OR, prec);
        return;
    case OP_NOT:
        text_put(t, code_in_lanes(c) ? "~" : "!");
        put_condition(c, it->arg[0], PREC_ATOM);
        return;
    case OP_SELECT:
        if (code_in_lanes(c)) {
            put_select_of_lanes(c, it);
            return;
        }
        open_if(c, PREC_SELECT < prec);
        put_condition(c, it->arg[0], PREC_OR);
        text_put(t, " ? ");
        put(c, it->arg[1], PREC_OR);
        text_put(t, " : ");
        put(c, it->arg[2], PREC_OR);
        close_if(c, PREC_SELECT < prec);
        return;
    default:
        bug("emit: operation %d", (int)it->op);
    }
}

/* A term without its sign. */
static void put_size(Coder *c, uint32_t k, int prec)
{
    const Term *t = &c->tree.term.at[k];
    switch ((Op)t->op) {
    case OP_NUM:
        text_number(&c->chunk.body, t->value);
        return;
    case OP_TIME:
        c->chunk.has_t = true;
        text_put(&c->chunk.body, "t");
        return;
    case OP_VAR:
        code_put_ref(c, &c->chunk.body, c->tree.ref.at[t->arg[0]]);
        return;
    default:
        if (code_in_lanes(c) && op_is_logical((Op)t->op)) {
            code_put_function(c, "rung_truth");
            put_operation(c, t, PREC_ANY);
            text_put(&c->chunk.body, ")");
            return;
        }
        put_operation(c, t, prec);
        return;
    }
}

static void put(Coder *c, uint32_t k, int prec)
{
    const Term *t = &c->tree.term.at[k];
    if (!t->negated) {
        put_size(c, k, prec);
        return;
    }
    int own = op_is_product(t->op) ? PREC_PRODUCT : PREC_UNARY;
    open_if(c, own < prec);
    text_put(&c->chunk.body, "-");
    put_size(c, k, own);
    close_if(c, own < prec);
}

void code_put_value(Coder *c, bool as_condition)
{
    bool is_number = c->tree.operand.n == 0 || code_in_sides(&c->section);
    if (is_number)
        code_open_lane(c);
    if (as_condition)
        put_condition(c, c->tree.term.n - 1, PREC_ANY);
    else
        put(c, c->tree.term.n - 1, PREC_ANY);
    if (is_number)
        code_close_lane(c);
}

/* ------------------------------------------------------------------ size of a pivot's terms */

static bool is_wave(const Coder *c, const Term *t)
{
    if (t->op == OP_FN)
        return t->fn == FN_SIN || t->fn == FN_COS;
    return t->op == OP_VAR && code_is_wave(c, c->tree.operand.at[t->arg[0]]);
}

/* Of an operand that is computed elsewhere. */
static ExprId known_size(const Coder *c, const Term *t)
{
    return t->op == OP_VAR ? code_size_of(c, c->tree.operand.at[t->arg[0]]) : EXPR_NONE;
}

/* It is an operand behind those of the value, in the order of theirs. */
static void put_known_size(Coder *c, const Term *t)
{
    double value;
    if (code_literal(c, known_size(c, t), &value)) {
        text_number(&c->chunk.body, value);
        return;
    }
    uint32_t at = c->tree.n_read;
    for (uint32_t k = 0; k < t->arg[0]; k++) {
        ExprId size = code_size_of(c, c->tree.operand.at[k]);
        at += expr_exists(size) && !code_literal(c, size, &value);
    }
    code_open_lane(c);
    code_put_ref(c, &c->chunk.body, c->tree.ref.at[at]);
    code_close_lane(c);
}

static bool cancels(const Coder *c, uint32_t k)
{
    const Term *t = &c->tree.term.at[k];
    switch ((Op)t->op) {
    case OP_ADD:
    case OP_SUB:
        return true;
    case OP_MUL:
        return cancels(c, t->arg[0]) || cancels(c, t->arg[1]);
    case OP_DIV:
        return cancels(c, t->arg[0]);
    default:
        return is_wave(c, t) || expr_exists(known_size(c, t));
    }
}

bool code_cancels(const Coder *c)
{
    return c->tree.term.n && cancels(c, c->tree.term.n - 1);
}

/* The size of a sine is 1. Of a sum: those of its terms that are sums themselves, which may be the
 * rounding of greater terms; where none is, either one, since terms that cancel are of equal size.
 */
static void put_terms(Coder *c, uint32_t k)
{
    const Term *t = &c->tree.term.at[k];
    switch ((Op)t->op) {
    case OP_ADD:
    case OP_SUB: {
        bool left = cancels(c, t->arg[0]), right = cancels(c, t->arg[1]);
        if (left && right)
            text_put(&c->chunk.body, "(");
        if (left || !right)
            put_terms(c, t->arg[0]);
        if (left && right)
            text_put(&c->chunk.body, " + ");
        if (right)
            put_terms(c, t->arg[1]);
        if (left && right)
            text_put(&c->chunk.body, ")");
        return;
    }
    case OP_MUL:
    case OP_DIV:
        put_terms(c, t->arg[0]);
        text_put(&c->chunk.body, t->op == OP_MUL ? " * " : " / ");
        if (t->op == OP_MUL) {
            put_terms(c, t->arg[1]);
            return;
        }
        code_put_function(c, "fabs");
        put_argument(c, t->arg[1]);
        text_put(&c->chunk.body, ")");
        return;
    default:
        break;
    }
    if (is_wave(c, t)) {
        text_put(&c->chunk.body, "1.0");
        return;
    }
    if (expr_exists(known_size(c, t))) {
        put_known_size(c, t);
        return;
    }
    code_put_function(c, "fabs");
    put_argument(c, k);
    text_put(&c->chunk.body, ")");
}

void code_put_terms(Coder *c)
{
    put_terms(c, c->tree.term.n - 1);
}
