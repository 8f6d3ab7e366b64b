/* Operators on values (MLS 3.6 §3.4-3.6, §10.6). */
#include "frontend/evaluate/expression.h"

#include "base/bug.h"
#include "frontend/evaluate/dynamic_array.h"
#include "frontend/evaluate/function.h"
#include "frontend/front.h"
#include "ir/body.h"

static bool is_numeric(const Value *v)
{
    return v->kind == VALUE_PLAIN && (v->type == TYPE_REAL || v->type == TYPE_INTEGER);
}

static bool is_boolean(const Value *v)
{
    return v->kind == VALUE_PLAIN && v->type == TYPE_BOOLEAN;
}

static bool is_string(const Value *v)
{
    return v->kind == VALUE_PLAIN && v->type == TYPE_STRING;
}

static BaseType numeric_type(const Value *a, const Value *b)
{
    return a->type == TYPE_INTEGER && b->type == TYPE_INTEGER ? TYPE_INTEGER : TYPE_REAL;
}

static bool bad_types(Front *f, SynOp op, Span span, const Value *a, const Value *b)
{
    diag_error(f->diags, span, "T01", "operator '%s' is not defined for %s and %s", syn_op_text(op),
               type_text(f, a), type_text(f, b));
    bool is_text = a->kind == VALUE_PLAIN && b->kind == VALUE_PLAIN &&
                   (a->type == TYPE_STRING) != (b->type == TYPE_STRING);
    if (is_text && op == SYN_ADD)
        diag_note(f->diags, span, "String(x) is the text of a number, a Boolean or a literal");
    return false;
}

static bool bad_sizes(Front *f, SynOp op, Span span, const Value *a, const Value *b)
{
    diag_error(f->diags, span, "T02", "sizes do not fit: %s %s %s", type_text(f, a),
               syn_op_text(op), type_text(f, b));
    return false;
}

void expression_must_hold(Front *f, ExprId cond, Span span, Name message)
{
    if (f->eval.dry)
        return;
    System *s = f->sys;
    Assertion a = {.cond = cond, .message = expr_string(s->pool, message), .span = span};
    vec_push(s->mem, s->assertion, a);
}

/* The pool cancels p/p to 1, but a parameter p may be 0. So a division by a parameter that
 * cancelled gets a check of its own before the run; any other division by zero is noticed by its
 * result, infinite or NaN. */
static void note_cancelled(Front *f, Span span, ExprId by, ExprId quotient)
{
    const Evaluator *e = &f->eval;
    ExprPool *p = f->sys->pool;
    if (expr_is_num(p, by) || expr_variability(p, by) != VARIES_PARAMETER || e->structural ||
        e->dry || e->in_function || (e->has_path && !expr_is_fixed(p, e->path)))
        return;
    if (expr_op(p, quotient) == OP_DIV) {
        ExprId below = expr_arg(p, quotient, 1);
        if (expr_same(below, by) || expr_same(below, expr_neg(p, by)))
            return;
    }
    ExprId holds = expr_not(p, expr_compare(p, OP_EQ, by, expr_int(p, 0)));
    if (e->has_path)
        holds = expr_or(p, expr_not(p, e->path), holds);
    expression_must_hold(
        f, holds, span,
        name_printf(f->names, "division by zero: %s", expr_text(f->sys, by, f->sys->mem)));
}

/* An operation without a value: an error, except in a branch (MLS 3.6.5), which must not be taken.
 */
static bool undefined(Front *f, Span span, const char *cause, ExprId *out)
{
    const Evaluator *e = &f->eval;
    if (!e->has_path || e->structural || e->in_function) {
        diag_error(f->diags, span, "T14", "%s", cause);
        return false;
    }
    expression_must_hold(f, expr_not(f->sys->pool, e->path), span, name_of(f->names, cause));
    *out = expr_int(f->sys->pool, 0);
    return true;
}

/* 0*u is a number, and still ties what it is added to to the clock of u (MLS 16.7.3). */
static void note_lost(Front *f, ExprId a, ExprId b, ExprId result)
{
    const ExprPool *p = f->sys->pool;
    if (!expr_is_num(p, result))
        return;
    if (!expr_is_fixed(p, a))
        vec_push(f->mem, f->lost, a);
    if (!expr_is_fixed(p, b) && !expr_same(a, b))
        vec_push(f->mem, f->lost, b);
}

/* One scalar operation; false when it is undefined for these numbers. */
static bool scalar_binary(Front *f, SynOp op, Span span, ExprId a, ExprId b, ExprId *out)
{
    ExprPool *p = f->sys->pool;
    switch (op) {
    case SYN_ADD:
    case SYN_EL_ADD:
        *out = expr_add(p, a, b);
        return true;
    case SYN_SUB:
    case SYN_EL_SUB:
        *out = expr_sub(p, a, b);
        return true;
    case SYN_MUL:
    case SYN_EL_MUL:
        *out = expr_mul(p, a, b);
        return true;
    case SYN_DIV:
    case SYN_EL_DIV:
        if (expr_is_zero(p, b) == YES)
            return undefined(f, span, "division by zero", out);
        *out = expr_div(p, a, b);
        note_cancelled(f, span, b, *out);
        return true;
    case SYN_POW:
    case SYN_EL_POW: {
        double exponent;
        if (expr_is_zero(p, a) == YES && expr_constant(p, b, &exponent) && exponent < 0)
            return undefined(f, span, "zero to a negative power", out);
        *out = expr_pow(p, a, b);
        return true;
    }
    case SYN_LT:
        *out = expression_event(f, expr_compare(p, OP_LT, a, b));
        return true;
    case SYN_LE:
        *out = expression_event(f, expr_compare(p, OP_LE, a, b));
        return true;
    case SYN_GT:
        *out = expression_event(f, expr_compare(p, OP_LT, b, a));
        return true;
    case SYN_GE:
        *out = expression_event(f, expr_compare(p, OP_LE, b, a));
        return true;
    case SYN_EQ:
        *out = expression_event(f, expr_compare(p, OP_EQ, a, b));
        return true;
    case SYN_NE:
        *out = expression_event(f, expr_compare(p, OP_NE, a, b));
        return true;
    case SYN_AND:
        *out = expr_and(p, a, b);
        return true;
    case SYN_OR:
        *out = expr_or(p, a, b);
        return true;
    case SYN_NO_OP:
    case SYN_NOT:
        break;
    }
    bug("scalar_binary: operator %d", (int)op);
}

/* Element by element; a scalar goes with every element of the other. */
static bool elementwise(Front *f, SynOp op, Span span, BaseType type, const Value *a,
                        const Value *b, Value *out)
{
    const Value *shape = a->n_dims > 0 ? a : b;
    uint32_t n = value_size(shape);
    Value v = value_array(f->scratch, type, shape->n_dims, shape->dims);
    for (uint32_t k = 0; k < n; k++) {
        ExprId x = a->elem[a->n_dims > 0 ? k : 0];
        ExprId y = b->elem[b->n_dims > 0 ? k : 0];
        if (!scalar_binary(f, op, span, x, y, &v.elem[k]))
            return false;
        note_lost(f, x, y, v.elem[k]);
    }
    *out = v;
    return true;
}

/* MLS 10.6.2 (+, -), and the elementwise operators of 10.6.1-10.6.8. */
static bool additive(Front *f, SynOp op, Span span, const Value *a, const Value *b, Value *out)
{
    bool any = op == SYN_EL_ADD || op == SYN_EL_SUB;
    bool scalar = a->n_dims == 0 || b->n_dims == 0;
    if (!value_same_dims(a, b) && !(any && scalar))
        return bad_sizes(f, op, span, a, b);
    return elementwise(f, op, span, numeric_type(a, b), a, b, out);
}

/* MLS 10.6.4: products of scalars, vectors and matrices. */
static bool multiply(Front *f, Span span, const Value *a, const Value *b, Value *out)
{
    ExprPool *p = f->sys->pool;
    BaseType type = numeric_type(a, b);
    if (a->n_dims == 0 || b->n_dims == 0)
        return elementwise(f, SYN_MUL, span, type, a, b, out);
    if (a->n_dims > 2 || b->n_dims > 2 || a->dims[a->n_dims - 1] != b->dims[0])
        return bad_sizes(f, SYN_MUL, span, a, b);

    uint32_t rows = a->n_dims == 2 ? a->dims[0] : 1;
    uint32_t inner = b->dims[0];
    uint32_t columns = b->n_dims == 2 ? b->dims[1] : 1;
    uint32_t dims[2] = {0};
    uint32_t n_dims = 0;
    if (a->n_dims == 2)
        dims[n_dims++] = rows;
    if (b->n_dims == 2)
        dims[n_dims++] = columns;
    Value v = value_array(f->scratch, type, n_dims, dims);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < columns; j++) {
            ExprId sum = expr_int(p, 0);
            for (uint32_t k = 0; k < inner; k++)
                sum =
                    expr_add(p, sum, expr_mul(p, a->elem[i * inner + k], b->elem[k * columns + j]));
            v.elem[i * columns + j] = sum;
        }
    *out = v;
    return true;
}

bool operator_exponent(Front *f, const Value *v, long *out)
{
    ExprId exponent;
    return v->kind == VALUE_PLAIN && v->n_dims == 0 && v->type == TYPE_INTEGER &&
           structural_value(f, v->elem[0], &exponent) && expr_is_int(f->sys->pool, exponent, out);
}

/* MLS 10.6.7: an integer power of a square matrix, by squaring. */
static bool matrix_power(Front *f, Span span, const Value *a, const Value *b, Value *out)
{
    long n = -1;
    bool known = operator_exponent(f, b, &n);
    if (a->n_dims != 2 || a->dims[0] != a->dims[1])
        return bad_sizes(f, SYN_POW, span, a, b);
    if (!known || n < 0) {
        diag_error(f->diags, span, "T01",
                   "the power of a matrix needs an exponent that is a constant Integer, at least "
                   "0");
        return false;
    }
    uint32_t size = a->dims[0];
    Value r = value_array(f->scratch, a->type, 2, a->dims);
    for (uint32_t k = 0; k < size * size; k++)
        r.elem[k] = expr_int(f->sys->pool, k % (size + 1) == 0);
    Value square = *a;
    for (; n > 0; n /= 2) {
        if (n % 2 && !multiply(f, span, &r, &square, &r))
            return false;
        if (n > 1 && !multiply(f, span, &square, &square, &square))
            return false;
    }
    *out = r;
    return true;
}

static bool concatenate(Front *f, SynOp op, Span span, const Value *a, const Value *b, Value *out)
{
    ExprPool *p = f->sys->pool;
    if (!value_same_dims(a, b))
        return bad_sizes(f, op, span, a, b);
    Value v = value_array(f->scratch, TYPE_STRING, a->n_dims, a->dims);
    for (uint32_t k = 0; k < value_size(a); k++) {
        if (expr_op(p, a->elem[k]) != OP_STRING || expr_op(p, b->elem[k]) != OP_STRING) {
            if (!function_text_varies(f, span))
                return false;
            v.elem[k] = expr_join(f->sys, a->elem[k], b->elem[k]);
            continue;
        }
        const char *x = expr_text_of(p, a->elem[k]).s;
        const char *y = expr_text_of(p, b->elem[k]).s;
        v.elem[k] = expr_string(p, name_of(f->names, arena_printf(f->scratch, "%s%s", x, y)));
    }
    *out = v;
    return true;
}

/* MLS 3.5: relations of scalars of one simple type. */
static bool relation(Front *f, SynOp op, Span span, const Value *a, const Value *b, Value *out)
{
    Value x = *a;
    Value y = *b;
    if (a->kind != VALUE_PLAIN || b->kind != VALUE_PLAIN || !types_unify(&x, &y))
        return bad_types(f, op, span, a, b);
    if (a->n_dims > 0 || b->n_dims > 0) {
        diag_error(f->diags, span, "T03", "operator '%s' compares scalars, these are %s and %s",
                   syn_op_text(op), type_text(f, a), type_text(f, b));
        return false;
    }
    ExprPool *p = f->sys->pool;
    if ((op == SYN_EQ || op == SYN_NE) && x.type == TYPE_REAL && !f->eval.in_function) {
        /* of parameters it has one value throughout */
        bool is_clear = !f->strict && expr_is_fixed(p, x.elem[0]) && expr_is_fixed(p, y.elem[0]);
        (is_clear ? diag_warning
                  : diag_error)(f->diags, span, "T03",
                                "'%s' of Reals is allowed in functions only: results with rounding "
                                "errors are compared with <, > or a tolerance (MLS 3.5)",
                                syn_op_text(op));
        if (!is_clear)
            return false;
    }
    if (x.type == TYPE_STRING &&
        (expr_op(p, x.elem[0]) != OP_STRING || expr_op(p, y.elem[0]) != OP_STRING)) {
        if (!function_text_varies(f, span))
            return false;
        ExprId order = expr_compare_texts(f->sys, x.elem[0], y.elem[0]);
        x = value_scalar(f->scratch, TYPE_INTEGER, order);
        y = value_scalar(f->scratch, TYPE_INTEGER, expr_int(p, 0));
    }
    return elementwise(f, op, span, TYPE_BOOLEAN, &x, &y, out);
}

bool operator_binary(Front *f, SynOp op, Span span, const Value *a, const Value *b, Value *out)
{
    bool numeric = is_numeric(a) && is_numeric(b);
    if (a->kind == VALUE_RECORD || b->kind == VALUE_RECORD)
        return function_operator(f, op, span, 2, (const Value *[]){a, b}, out);
    if (a->kind == VALUE_DYNAMIC || b->kind == VALUE_DYNAMIC)
        return dynamic_binary(f, op, span, a, b, out);
    switch (op) {
    case SYN_ADD:
    case SYN_EL_ADD:
        if (is_string(a) && is_string(b))
            return concatenate(f, op, span, a, b, out);
        if (!numeric)
            break;
        return additive(f, op, span, a, b, out);
    case SYN_SUB:
    case SYN_EL_SUB:
        if (!numeric)
            break;
        return additive(f, op, span, a, b, out);
    case SYN_MUL:
        if (!numeric)
            break;
        return multiply(f, span, a, b, out);
    case SYN_DIV: /* MLS 10.6.5: by a scalar only; the result is Real */
        if (!numeric)
            break;
        if (b->n_dims > 0)
            return bad_sizes(f, op, span, a, b);
        return elementwise(f, op, span, TYPE_REAL, a, b, out);
    case SYN_POW:
        if (!numeric)
            break;
        if (a->n_dims > 0)
            return matrix_power(f, span, a, b, out);
        if (b->n_dims > 0)
            return bad_sizes(f, op, span, a, b);
        return elementwise(f, op, span, TYPE_REAL, a, b, out);
    case SYN_EL_MUL:
    case SYN_EL_DIV:
    case SYN_EL_POW:
        if (!numeric)
            break;
        if (a->n_dims > 0 && b->n_dims > 0 && !value_same_dims(a, b))
            return bad_sizes(f, op, span, a, b);
        return elementwise(f, op, span, op == SYN_EL_MUL ? numeric_type(a, b) : TYPE_REAL, a, b,
                           out);
    case SYN_AND:
    case SYN_OR:
        if (!is_boolean(a) || !is_boolean(b))
            break;
        if (!value_same_dims(a, b))
            return bad_sizes(f, op, span, a, b);
        return elementwise(f, op, span, TYPE_BOOLEAN, a, b, out);
    case SYN_LT:
    case SYN_LE:
    case SYN_GT:
    case SYN_GE:
    case SYN_EQ:
    case SYN_NE:
        return relation(f, op, span, a, b, out);
    case SYN_NO_OP:
    case SYN_NOT:
        bug("operator_binary: operator %d", (int)op);
    }
    return bad_types(f, op, span, a, b);
}

bool operator_unary(Front *f, SynOp op, Span span, const Value *a, Value *out)
{
    ExprPool *p = f->sys->pool;
    if (a->kind == VALUE_RECORD)
        return function_operator(f, op, span, 1, &a, out);
    if (a->kind == VALUE_DYNAMIC)
        return dynamic_unary(f, op, span, a, out);
    bool fits = op == SYN_NOT ? is_boolean(a) : is_numeric(a);
    if (!fits) {
        diag_error(f->diags, span, "T01", "operator '%s' is not defined for %s", syn_op_text(op),
                   type_text(f, a));
        return false;
    }
    if (op == SYN_ADD || op == SYN_EL_ADD) {
        *out = *a;
        return true;
    }
    Value v = value_array(f->scratch, a->type, a->n_dims, a->dims);
    for (uint32_t k = 0; k < value_size(a); k++)
        v.elem[k] = op == SYN_NOT ? expr_not(p, a->elem[k]) : expr_neg(p, a->elem[k]);
    *out = v;
    return true;
}

Value value_transpose(Front *f, const Value *v)
{
    uint32_t rows = v->dims[0];
    uint32_t columns = v->dims[1];
    uint32_t *pick = arena_array(f->scratch, uint32_t, (size_t)rows * columns);
    for (uint32_t i = 0; i < columns; i++)
        for (uint32_t j = 0; j < rows; j++)
            pick[i * rows + j] = j * columns + i;
    return value_pick(f->scratch, v, 2, pick, 2, (uint32_t[]){columns, rows});
}
