/* From syntax to values: MLS 3.6 chapters 3, 10 and 11.2.2. */
#include "frontend/evaluate/expression.h"

#include "frontend/evaluate/dynamic_array.h"
#include "frontend/evaluate/function.h"
#include "frontend/evaluate/joined_text.h"
#include "frontend/front.h"
#include "frontend/syntax/syntax_print.h"
#include "ir/body.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 3000, /* nested expressions, through calls; some hundred bytes of stack each */
    MAX_ELEMENTS = 20000000, /* of one array */
};

/* ---- Types ---------------------------------------------------------------------------- */

const char *base_type_text(BaseType t)
{
    switch (t) {
    case TYPE_REAL:
        return "Real";
    case TYPE_INTEGER:
        return "Integer";
    case TYPE_BOOLEAN:
        return "Boolean";
    case TYPE_STRING:
        return "String";
    case TYPE_CLOCK:
        return "Clock";
    case TYPE_OBJECT:
        return "external object";
    case TYPE_ENUMERATION:
        break;
    }
    return "enumeration";
}

const char *type_text(Front *f, const Value *v)
{
    const char *text = v->kind == VALUE_NONE     ? "nothing"
                       : v->cls                  ? class_name(f, v->cls)
                       : v->kind == VALUE_RECORD ? "record"
                                                 : base_type_text(v->type);
    for (uint32_t k = 0; k < v->n_dims; k++) {
        const char *size =
            v->kind == VALUE_DYNAMIC ? ":" : arena_printf(f->scratch, "%u", v->dims[k]);
        text = arena_printf(f->scratch, "%s%s%s%s", text, k == 0 ? "[" : ", ", size,
                            k + 1 == v->n_dims ? "]" : "");
    }
    return text;
}

static bool same_record(const Value *a, const Value *b)
{
    if (a->n_fields != b->n_fields)
        return false;
    for (uint32_t k = 0; k < a->n_fields; k++)
        if (!name_same(a->field_name[k], b->field_name[k]))
            return false;
    return true;
}

bool types_unify(Value *a, Value *b)
{
    if (a->kind != b->kind || a->kind == VALUE_NONE)
        return false;
    if (a->kind == VALUE_RECORD) {
        /* MLS 6.4: records agree by the names and types of their fields, operator records by name
         */
        if (!same_record(a, b) ||
            (a->cls && b->cls && class_operators(a->cls) != class_operators(b->cls)))
            return false;
        for (uint32_t k = 0; k < a->n_fields; k++)
            if (!types_unify(&a->field[k], &b->field[k]))
                return false;
        return true;
    }
    if (a->type == b->type)
        return a->type != TYPE_ENUMERATION || !a->cls || !b->cls || class_same_type(a->cls, b->cls);
    bool numeric = (a->type == TYPE_REAL || a->type == TYPE_INTEGER) &&
                   (b->type == TYPE_REAL || b->type == TYPE_INTEGER);
    if (numeric)
        a->type = b->type = TYPE_REAL;
    return numeric;
}

/* Have a and b the same dimensions, also in the fields of records. */
static bool same_shape(const Value *a, const Value *b)
{
    if (!value_same_dims(a, b) || a->kind != b->kind || a->n_fields != b->n_fields)
        return false;
    for (uint32_t k = 0; k < a->n_fields; k++)
        if (!same_shape(&a->field[k], &b->field[k]))
            return false;
    return true;
}

/* Copies the headers of fields so that types_unify may change them. */
static Value own_fields(Front *f, const Value *v)
{
    Value out = *v;
    if (v->kind == VALUE_RECORD) {
        out.field = arena_array(f->scratch, Value, v->n_fields);
        for (uint32_t k = 0; k < v->n_fields; k++)
            out.field[k] = own_fields(f, &v->field[k]);
    }
    return out;
}

bool value_is_partly_known(const Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (value_is_partly_known(&v->field[k]))
            return true;
    return v->kind == VALUE_PLAIN && value_is_known(v);
}

bool value_is_known(const Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (!value_is_known(&v->field[k]))
            return false;
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (!expr_exists(v->elem[k]))
            return false;
    return true;
}

/* ---- Values known at compile time --------------------------------------------------------- */

/* The first variable in x, or VAR_NONE. */
static VarId first_variable(Front *f, ExprId x)
{
    ExprPool *p = f->sys->pool;
    Map seen = map_new(f->scratch);
    VEC(ExprId) todo = {0};
    vec_push(f->scratch, todo, x);
    while (todo.n > 0) {
        ExprId y = todo.at[--todo.n];
        if (expr_op(p, y) == OP_VAR)
            return expr_var_of(p, y);
        if (map_get(&seen, y.i) != MAP_NONE)
            continue;
        map_put(&seen, y.i, 0);
        for (uint32_t k = expr_n_args(p, y); k > 0; k--)
            vec_push(f->scratch, todo, expr_arg(p, y, k - 1));
    }
    return VAR_NONE;
}

/* Replaces parameters below x by their values; the memo is keyed by node. final_only: those that
 * cannot be set from outside anyhow; otherwise the others become final. */
static bool replace_parameters(Front *f, Map *memo, bool final_only, ExprId x, ExprId *out)
{
    ExprPool *p = f->sys->pool;
    if (expr_variability(p, x) == VARIES_NEVER) {
        *out = x;
        return true;
    }
    uint32_t known = map_get(memo, x.i);
    if (known != MAP_NONE) {
        *out = (ExprId){known};
        return true;
    }
    if (f->eval.depth >= MAX_DEPTH)
        return false;
    bool ok = false;
    f->eval.depth++;
    uint32_t n = expr_n_args(p, x);
    if (expr_op(p, x) == OP_VAR) {
        Var *v = var_at(f->sys, expr_var_of(p, x));
        ExprId binding = v->binding;
        bool fixed =
            v->kind <= VAR_PARAMETER && v->attr.fixed != NO && (v->is_final || !final_only);
        /* while instances are being made, bindings have not been written to the System */
        if (fixed && !expr_exists(binding))
            fixed = scope_binding(f, expr_var_of(p, x), &binding);
        ok = fixed && replace_parameters(f, memo, final_only, binding, out);
        if (ok)
            var_at(f->sys, expr_var_of(p, x))->is_final = true;
    } else if (n > 0 && expr_variability(p, x) == VARIES_PARAMETER) {
        ExprId *arg = arena_array(f->scratch, ExprId, n);
        ok = true;
        for (uint32_t k = 0; ok && k < n; k++)
            ok = replace_parameters(f, memo, final_only, expr_arg(p, x, k), &arg[k]);
        /* a quotient that turned out to be 1/0 has no value */
        ok = ok && !(expr_op(p, x) == OP_DIV && expr_is_zero(p, arg[1]) == YES);
        if (ok)
            *out = expr_rebuild(p, x, arg);
        if (ok && expr_op(p, x) == OP_PROJ && !function_result(f, *out, out))
            ok = false;
    }
    f->eval.depth--;
    if (ok)
        map_put(memo, x.i, out->i);
    return ok;
}

static bool parameters_replaced(Front *f, bool final_only, ExprId x, ExprId *out)
{
    Variability how = expr_variability(f->sys->pool, x);
    *out = x;
    if (how == VARIES_NEVER || how > VARIES_PARAMETER)
        return how == VARIES_NEVER;
    Map memo = map_new(f->scratch);
    return replace_parameters(f, &memo, final_only, x, out) &&
           expr_variability(f->sys->pool, *out) == VARIES_NEVER;
}

bool structural_value(Front *f, ExprId x, ExprId *out)
{
    return parameters_replaced(f, false, x, out);
}

Truth expression_truth(Front *f, ExprId cond)
{
    double value;
    ExprId known;
    if (expr_constant(f->sys->pool, cond, &value))
        return value != 0 ? YES : NO;
    if (parameters_replaced(f, !f->eval.structural, cond, &known) &&
        expr_constant(f->sys->pool, known, &value))
        return value != 0 ? YES : NO;
    return UNKNOWN;
}

/* The function that is expanded cannot be, for this reason. */
static void set_stuck(Front *f, Span span, const char *code, const char *why)
{
    f->eval.stuck = why;
    f->eval.stuck_code = code;
    f->eval.stuck_span = span;
    f->eval.stuck_endless = false;
}

/* Where a model is expanded, this is an error; a function that it happens in may stay a call. */
static bool not_known(Front *f, Span span, VarId var)
{
    const char *what = f->eval.use ? f->eval.use : "this";
    const char *why = arena_printf(f->mem, "%s must be known when the model is compiled%s%s%s",
                                   what, var_exists(var) ? ", but depends on '" : "",
                                   var_exists(var) ? var_at(f->sys, var)->name.s : "",
                                   var_exists(var) ? "'" : "");
    if (!f->eval.in_function || dynamic_allowed(f)) {
        diag_error(f->diags, span, "T11", "%s", why);
        return false;
    }
    set_stuck(f, span, "T11", why);
    return false;
}

/* Every scalar of v becomes constant, or the variable in the way is named. Of a record those that
 * can: its sizes may be wanted, of a record that a function returns, whose other fields an external
 * function computes. A field that is wanted comes here by itself. */
static bool make_structural(Front *f, Span span, Value *v, bool is_field)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (!make_structural(f, span, &v->field[k], true))
            return false;
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    ExprId *elem = arena_array(f->scratch, ExprId, n);
    for (uint32_t k = 0; k < n; k++)
        if (!expr_exists(v->elem[k])) {
            elem[k] = EXPR_NONE;
        } else if (!structural_value(f, v->elem[k], &elem[k])) {
            if (is_field) {
                elem[k] = v->elem[k];
                continue;
            }
            return not_known(f, span, first_variable(f, v->elem[k]));
        }
    v->elem = elem;
    return true;
}

/* As eval_structural, result in scratch. */
static bool structural_in(Front *f, Scope *s, const SynExpr *x, const char *what, Value *out)
{
    bool structural = f->eval.structural;
    const char *use = f->eval.use;
    f->eval.structural = true;
    f->eval.use = what;
    bool ok = expression_value(f, s, x, out);
    if (ok) {
        *out = own_fields(f, out);
        ok = make_structural(f, x->span, out, false);
    }
    f->eval.structural = structural;
    f->eval.use = use;
    return ok;
}

/* ---- Scalars and conditions ----------------------------------------------------------- */

bool expression_scalar(Front *f, Scope *s, const SynExpr *x, BaseType type, ExprId *out)
{
    Value v;
    if (!expression_value(f, s, x, &v))
        return false;
    bool fits =
        value_is_scalar(&v) && (v.type == type || (type == TYPE_REAL && v.type == TYPE_INTEGER));
    if (!fits) {
        diag_error(f->diags, x->span, "T03", "expected a scalar %s, this is %s",
                   base_type_text(type), type_text(f, &v));
        return false;
    }
    *out = v.elem[0];
    return true;
}

/* cond ? a : b element by element, for values of one shape. */
static Value value_select(Front *f, ExprId cond, const Value *a, const Value *b)
{
    Value v = *a;
    if (a->kind == VALUE_RECORD) {
        v.field = arena_array(f->scratch, Value, a->n_fields);
        for (uint32_t k = 0; k < a->n_fields; k++)
            v.field[k] = value_select(f, cond, &a->field[k], &b->field[k]);
        return v;
    }
    uint32_t n = value_size(a);
    v.elem = arena_array(f->scratch, ExprId, n);
    for (uint32_t k = 0; k < n; k++)
        v.elem[k] = !expr_exists(a->elem[k]) ? b->elem[k]
                    : !expr_exists(b->elem[k])
                        ? a->elem[k]
                        : expr_select(f->sys->pool, cond, a->elem[k], b->elem[k]);
    return v;
}

ExprId expression_event(Front *f, ExprId x)
{
    const Evaluator *e = &f->eval;
    return e->in_body && !e->emission ? expr_of_function(f->sys->pool, x) : x;
}

void expression_path(Front *f, ExprId cond)
{
    ExprPool *p = f->sys->pool;
    Evaluator *e = &f->eval;
    if (e->in_no_event)
        cond = expr_wrap(p, OP_NOEVENT, cond);
    e->path = e->has_path ? expr_and(p, e->path, cond) : cond;
    e->has_path = true;
}

/* Evaluates x under the current path and `cond`. */
static bool value_under(Front *f, Scope *s, const SynExpr *x, ExprId cond, Value *out)
{
    bool had = f->eval.has_path;
    ExprId path = f->eval.path;
    expression_path(f, cond);
    bool ok = expression_any(f, s, x, out);
    f->eval.has_path = had;
    f->eval.path = path;
    return ok;
}

/* Branches of which one is a dynamic array, or which are arrays of different sizes where there may
 * be one. */
static bool is_dynamic_branch(Front *f, Value *a, Value *b)
{
    bool differ = a->kind == VALUE_PLAIN && b->kind == VALUE_PLAIN && a->n_dims == b->n_dims &&
                  !value_same_dims(a, b) && dynamic_holds(a->type) && dynamic_holds(b->type);
    bool is_dynamic =
        a->kind == VALUE_DYNAMIC || b->kind == VALUE_DYNAMIC || (differ && dynamic_allowed(f));
    if (is_dynamic && a->type != b->type && (a->type == TYPE_INTEGER || a->type == TYPE_REAL) &&
        (b->type == TYPE_INTEGER || b->type == TYPE_REAL)) {
        *a = dynamic_typed(f, a, TYPE_REAL);
        *b = dynamic_typed(f, b, TYPE_REAL);
    }
    return is_dynamic;
}

/* MLS 3.6.5: if the condition is known, only the chosen branch is evaluated. */
static bool if_value(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    ExprPool *p = f->sys->pool;
    uint32_t n = x->arg.n / 2; /* conditions */
    ExprId *cond = arena_array(f->scratch, ExprId, n);
    Value *branch = arena_array(f->scratch, Value, n + 1);
    ExprId none_before = expr_int(p, 1);
    uint32_t used = 0; /* branches with an unknown condition */
    for (uint32_t k = 0; k < n; k++) {
        ExprId c;
        if (!expression_scalar(f, s, x->arg.at[2 * k], TYPE_BOOLEAN, &c))
            return false;
        Truth known = expression_truth(f, c);
        if (known == NO)
            continue;
        const SynExpr *value = x->arg.at[2 * k + 1];
        ExprId here = known == YES ? none_before : expr_and(p, none_before, c);
        bool always = known == YES && used == 0;
        if (!(always ? expression_any(f, s, value, &branch[used])
                     : value_under(f, s, value, here, &branch[used])))
            return false;
        if (always) {
            *out = branch[0];
            return true;
        }
        if (known == YES)
            goto combine;
        cond[used++] = c;
        none_before = expr_and(p, none_before, expr_not(p, c));
    }
    const SynExpr *last = x->arg.at[2 * n];
    if (used == 0)
        return expression_any(f, s, last, out);
    if (!value_under(f, s, last, none_before, &branch[used]))
        return false;

combine:;
    Value v = own_fields(f, &branch[used]);
    for (uint32_t k = used; k > 0; k--) {
        Value a = own_fields(f, &branch[k - 1]);
        if (is_dynamic_branch(f, &a, &v)) {
            if (!dynamic_select(f, x->span, cond[k - 1], &a, &v, &v))
                return false;
            continue;
        }
        if (!types_unify(&a, &v)) {
            diag_error(f->diags, x->span, "T02", "the branches of 'if' are %s and %s",
                       type_text(f, &a), type_text(f, &v));
            return false;
        }
        /* of different sizes, texts or clocks (MLS 16.3): then the condition decides when the model
         * is compiled */
        bool is_alike = same_shape(&a, &v),
             is_text = a.kind == VALUE_PLAIN && (a.type == TYPE_STRING || a.type == TYPE_CLOCK);
        ExprId c;
        double truth;
        bool is_decided = (!is_alike || is_text) && structural_value(f, cond[k - 1], &c) &&
                          expr_constant(p, c, &truth);
        if (is_alike && !is_decided) {
            v = value_select(f, cond[k - 1], &a, &v);
            continue;
        }
        if (!is_decided) {
            const char *why = arena_printf(f->mem,
                                           "the branches of 'if' are %s and %s, and the condition "
                                           "is not known when the model is compiled",
                                           type_text(f, &a), type_text(f, &v));
            bool may_be_dynamic = f->eval.in_function && !dynamic_allowed(f) &&
                                  a.kind == VALUE_PLAIN && dynamic_holds(a.type);
            if (may_be_dynamic)
                set_stuck(f, x->span, "T02", why);
            else
                diag_error(f->diags, x->span, "T02", "%s", why);
            return false;
        }
        if (truth != 0)
            v = a;
    }
    *out = v;
    return true;
}

/* ---- Ranges and iterators ------------------------------------------------------------- */

/* All literals of an enumeration, or {false, true}: `for e in E` (MLS 11.2.2.2). */
static bool type_as_range(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    if (x->kind != SYN_CREF)
        return false;
    const Class *c = scope_class(f, s, x->cref);
    if (!c)
        return false;
    bool is_enum = class_kind(f, c) == CLASS_ENUMERATION;
    if (!is_enum && !(class_kind(f, c) == CLASS_PLAIN && class_base_type(f, c) == TYPE_BOOLEAN))
        return false;
    uint32_t n = is_enum ? class_n_literals(f, c) : 2;
    *out = value_array(f->scratch, is_enum ? TYPE_ENUMERATION : TYPE_BOOLEAN, 1, &n);
    if (is_enum)
        out->cls = c;
    for (uint32_t k = 0; k < n; k++)
        out->elem[k] = expr_int(f->sys->pool, (long)k + is_enum);
    return true;
}

/* floor(x) of a constant. */
static bool constant_floor(Front *f, ExprId x, long *out)
{
    ExprPool *p = f->sys->pool;
    double value;
    if (expr_is_int(p, expr_fn(p, FN_FLOOR, x), out))
        return true;
    if (!expr_constant(p, x, &value) || fabs(value) > 1e15)
        return false;
    *out = (long)floor(value);
    return true;
}

enum { SUM_TERMS = 16, SUM_DEPTH = 100 };

/* A sum of integer multiples of expressions, and a number. */
typedef struct IntegerSum {
    ExprId term[SUM_TERMS];
    long times[SUM_TERMS], number;
    uint32_t n;
    bool fits;
} IntegerSum;

static void sum_add(const ExprPool *p, IntegerSum *to, ExprId x, long times, int depth)
{
    long value;
    Op op = expr_op(p, x);
    if (depth > SUM_DEPTH || labs(times) > 1000000) {
        to->fits = false;
    } else if (expr_is_int(p, x, &value) && labs(value) < 1000000000) {
        to->number += times * value;
    } else if (op == OP_NEG) {
        sum_add(p, to, expr_arg(p, x, 0), -times, depth + 1);
    } else if (op_is_sum(op)) {
        sum_add(p, to, expr_arg(p, x, 0), times, depth + 1);
        sum_add(p, to, expr_arg(p, x, 1), op == OP_ADD ? times : -times, depth + 1);
    } else if (op == OP_MUL && expr_is_int(p, expr_arg(p, x, 0), &value)) {
        sum_add(p, to, expr_arg(p, x, 1), times * value, depth + 1);
    } else if (op == OP_MUL && expr_is_int(p, expr_arg(p, x, 1), &value)) {
        sum_add(p, to, expr_arg(p, x, 0), times * value, depth + 1);
    } else {
        uint32_t k = 0;
        while (k < to->n && !expr_same(to->term[k], x))
            k++;
        if (k == SUM_TERMS) {
            to->fits = false;
            return;
        }
        if (k == to->n) {
            to->term[to->n] = x;
            to->times[to->n++] = 0;
        }
        to->times[k] += times;
    }
}

/* a - b, if it is a number whatever their variables are. */
static bool constant_difference(const ExprPool *p, ExprId a, ExprId b, long *out)
{
    IntegerSum sum = {.fits = true};
    sum_add(p, &sum, a, 1, 0);
    sum_add(p, &sum, b, -1, 0);
    for (uint32_t k = 0; k < sum.n; k++)
        sum.fits = sum.fits && sum.times[k] == 0;
    *out = sum.number;
    return sum.fits;
}

/* i:i + 2 of an i that varies: three elements, whatever i is. False, and nothing reported, if the
 * bounds do not vary, or their difference does. */
static bool moving_range(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    ExprPool *p = f->sys->pool;
    Value part[3];
    bool varies = false;
    for (uint32_t k = 0; k < x->arg.n; k++) {
        if (!expression_value(f, s, x->arg.at[k], &part[k]) || !value_is_scalar(&part[k]) ||
            part[k].type != TYPE_INTEGER)
            return false;
        varies = varies || !expr_is_fixed(p, part[k].elem[0]);
    }
    ExprId first = part[0].elem[0], last = part[x->arg.n - 1].elem[0];
    ExprId step = x->arg.n == 3 ? part[1].elem[0] : expr_int(p, 1);
    long by, length;
    if (!varies || !expr_is_int(p, step, &by) || by == 0 ||
        !constant_difference(p, last, first, &length) || length / by >= MAX_ELEMENTS)
        return false;
    bool is_empty = length != 0 && (length < 0) != (by < 0);
    uint32_t size = is_empty ? 0 : (uint32_t)(length / by) + 1;
    *out = value_array(f->scratch, TYPE_INTEGER, 1, &size);
    for (uint32_t k = 0; k < size; k++)
        out->elem[k] = expr_add(p, first, expr_mul(p, expr_int(p, (long)k), step));
    return true;
}

/* A range whose bounds are known in a run only; else *done is false. */
static bool range_if_dynamic(Front *f, Scope *s, const SynExpr *x, Value *out, bool *done)
{
    ExprId part[3], known;
    bool varies = false, whole = true;
    *done = false;
    for (uint32_t k = 0; k < x->arg.n; k++) {
        Value v;
        if (!expression_value(f, s, x->arg.at[k], &v))
            return false;
        if (!value_is_scalar(&v))
            return true; /* reported by who expects a known one */
        part[k] = v.elem[0];
        whole = whole && v.type == TYPE_INTEGER;
        varies = varies || !structural_value(f, part[k], &known);
    }
    *done = varies;
    if (varies && !whole)
        return dynamic_unsupported(f, x->span, "a range that is not of Integers");
    ExprId step = x->arg.n == 3 ? part[1] : expr_int(f->sys->pool, 1);
    return !varies || dynamic_range(f, x->span, part[0], step, part[x->arg.n - 1], out);
}

/* MLS 10.4.3. The bounds decide a size, so they are structural. */
static bool range_value(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    if (f->eval.varying && moving_range(f, s, x, out))
        return true;
    if (dynamic_allowed(f)) {
        bool done;
        if (!range_if_dynamic(f, s, x, out, &done))
            return false;
        if (done)
            return true;
    }
    ExprPool *p = f->sys->pool;
    const char *what = "a bound of a range";
    Value part[3] = {0};
    uint32_t n_parts = x->arg.n;
    for (uint32_t k = 0; k < n_parts; k++) {
        if (!structural_in(f, s, x->arg.at[k], what, &part[k]))
            return false;
        if (!value_is_scalar(&part[k]) || part[k].type == TYPE_STRING) {
            diag_error(f->diags, x->arg.at[k]->span, "T13", "%s must be a scalar, this is %s", what,
                       type_text(f, &part[k]));
            return false;
        }
        if (k > 0 && !types_unify(&part[0], &part[k])) {
            diag_error(f->diags, x->span, "T13", "the bounds of a range are %s and %s",
                       type_text(f, &part[0]), type_text(f, &part[k]));
            return false;
        }
    }
    ExprId first = part[0].elem[0];
    ExprId step = n_parts == 3 ? part[1].elem[0] : expr_int(p, 1);
    ExprId last = part[n_parts - 1].elem[0];
    long n;
    if (expr_is_zero(p, step) == YES) {
        diag_error(f->diags, x->span, "T13", "the step of a range is zero");
        return false;
    }
    if (!constant_floor(f, expr_div(p, expr_sub(p, last, first), step), &n) || n >= MAX_ELEMENTS) {
        diag_error(f->diags, x->span, "T13", "this range has too many elements");
        return false;
    }
    uint32_t size = n < 0 ? 0 : (uint32_t)n + 1;
    Value v = value_array(f->scratch, part[0].type, 1, &size);
    v.cls = part[0].cls;
    for (uint32_t k = 0; k < size; k++)
        v.elem[k] = expr_add(p, first, expr_mul(p, expr_int(p, (long)k), step));
    *out = v;
    return true;
}

bool visit_crefs(const SynExpr *x, CrefVisitor visit, void *ctx)
{
    if (!x)
        return true;
    switch (x->kind) {
    case SYN_INTEGER:
    case SYN_REAL:
    case SYN_STRING:
    case SYN_BOOLEAN:
    case SYN_COLON:
    case SYN_END:
        return true;
    case SYN_CREF:
        if (!visit(ctx, x->cref))
            return false;
        for (uint32_t p = 0; p < x->cref->n; p++)
            for (uint32_t k = 0; k < x->cref->part[p].sub.n; k++)
                if (!visit_crefs(x->cref->part[p].sub.at[k], visit, ctx))
                    return false;
        return true;
    case SYN_MATRIX:
        for (uint32_t r = 0; r < x->n_rows; r++)
            for (uint32_t k = 0; k < x->row[r].n; k++)
                if (!visit_crefs(x->row[r].at[k], visit, ctx))
                    return false;
        return true;
    case SYN_INDEX:
        if (!visit_crefs(x->base, visit, ctx))
            return false;
        break;
    case SYN_CALL:
    case SYN_PARTIAL:
    case SYN_ARRAY:
        for (uint32_t k = 0; k < x->n_named; k++)
            if (!visit_crefs(x->named[k].value, visit, ctx))
                return false;
        for (uint32_t k = 0; k < x->n_iter; k++)
            if (!visit_crefs(x->iter[k].range, visit, ctx))
                return false;
        break;
    case SYN_UNARY:
    case SYN_CHAIN:
    case SYN_BINARY:
    case SYN_IF:
    case SYN_RANGE:
    case SYN_TUPLE:
        break;
    }
    for (uint32_t k = 0; k < x->arg.n; k++)
        if (!visit_crefs(x->arg.at[k], visit, ctx))
            return false;
    return true;
}

bool visit_statements(const SynStatements *list, CrefVisitor visit, void *ctx)
{
    for (uint32_t k = 0; k < list->n; k++) {
        const SynStatement *st = list->at[k];
        SynExpr target = {.kind = SYN_CREF};
        target.cref = st->target;
        if (st->target && !visit_crefs(&target, visit, ctx))
            return false;
        if (!visit_crefs(st->value, visit, ctx))
            return false;
        for (uint32_t i = 0; i < st->tuple.n; i++)
            if (!visit_crefs(st->tuple.at[i], visit, ctx))
                return false;
        for (uint32_t b = 0; b < st->n_branches; b++)
            if (!visit_crefs(st->branch[b].condition, visit, ctx) ||
                !visit_statements(&st->branch[b].body, visit, ctx))
                return false;
        for (uint32_t i = 0; i < st->n_iter; i++)
            if (!visit_crefs(st->iter[i].range, visit, ctx))
                return false;
        if (!visit_statements(&st->body, visit, ctx))
            return false;
    }
    return true;
}

/* The size of the first array that `name` alone subscripts, and its literals where a type is the
 * dimension: Real x[Boolean] (MLS 11.2.2.1). */
typedef struct Deduction {
    Front *f;
    Scope *s;
    Name name;
    long size; /* -1: not found */
    bool is_dynamic;
    ExprId dynamic; /* then the size */
    bool has_literals;
    Value literals;
    bool failed;
} Deduction;

static bool is_name(const SynExpr *x, Name name)
{
    return x && x->kind == SYN_CREF && x->cref->n == 1 && x->cref->part[0].sub.n == 0 &&
           name_same(x->cref->part[0].name, name);
}

static bool deduce(void *ctx, const SynCref *cref)
{
    Deduction *d = ctx;
    for (uint32_t k = 0; k < cref->n; k++)
        for (uint32_t i = 0; i < cref->part[k].sub.n; i++) {
            if (!is_name(cref->part[k].sub.at[i], d->name))
                continue;
            /* the reference up to this part, without its subscripts */
            SynPart *own = arena_array(d->f->scratch, SynPart, k + 1);
            memcpy(own, cref->part, (k + 1) * sizeof *own);
            own[k].sub = (SynExprs){0};
            SynCref whole = {cref->global, k + 1, own, cref->span};
            Value v;
            if (!scope_value(d->f, d->s, &whole, &v)) {
                d->failed = true;
            } else if (v.kind == VALUE_DYNAMIC) {
                if (d->size < 0 && !d->is_dynamic && i < v.n_dims)
                    d->dynamic = dynamic_size(d->f, &v, i);
                d->is_dynamic = d->is_dynamic || d->size < 0;
            } else if (i < v.n_dims && d->size >= 0 && d->size != (long)v.dims[i]) {
                diag_error(d->f->diags, cref->span, "T13",
                           "'%s' would run to %ld and here to %u: its range must be written "
                           "(MLS 11.2.2.1)",
                           d->name.s, d->size, v.dims[i]);
                d->failed = true;
            } else if (i < v.n_dims && d->size < 0) {
                const SynExpr *dim;
                Scope *around;
                d->size = v.dims[i];
                d->has_literals = scope_dimension(d->f, d->s, &whole, i, &dim, &around) &&
                                  type_as_range(d->f, around, dim, &d->literals);
            }
            return !d->failed;
        }
    return true;
}

bool deduced_range(Front *f, Scope *s, const SynIter *iter, const SynExpr *body,
                   const SynStatements *statements, Value *out)
{
    Deduction d = {.f = f, .s = s, .name = iter->name, .size = -1};
    if (visit_crefs(body, deduce, &d) && statements)
        visit_statements(statements, deduce, &d);
    if (d.failed)
        return false;
    ExprId one = expr_int(f->sys->pool, 1);
    if (d.is_dynamic)
        return dynamic_range(f, iter->span, one, one, d.dynamic, out);
    if (d.size < 0) {
        diag_error(f->diags, iter->span, "T13",
                   "the range of '%s' cannot be deduced: it subscripts no array", iter->name.s);
        return false;
    }
    if (d.has_literals) {
        *out = d.literals;
        return true;
    }
    uint32_t n = (uint32_t)d.size;
    *out = value_array(f->scratch, TYPE_INTEGER, 1, &n);
    for (uint32_t k = 0; k < n; k++)
        out->elem[k] = expr_int(f->sys->pool, (long)k + 1);
    return true;
}

bool iteration_new(Front *f, Scope *s, uint32_t n, const SynIter *iter, const SynExpr *body,
                   const SynStatements *statements, Iteration *out)
{
    Iteration it = {.n = n, .total = 1};
    uint32_t *size = arena_array(f->scratch, uint32_t, n);
    Value *range = arena_array(f->scratch, Value, n);
    it.local = arena_array(f->scratch, Local, n);
    for (uint32_t k = 0; k < n; k++) {
        bool ok = !iter[k].range ? deduced_range(f, s, &iter[k], body, statements, &range[k])
                  : type_as_range(f, s, iter[k].range, &range[k])
                      ? true
                      : expression_value(f, s, iter[k].range, &range[k]);
        if (!ok)
            return false;
        if (range[k].kind == VALUE_DYNAMIC)
            return dynamic_unsupported(f, iter[k].span, "an iterator over such an array here");
        if (range[k].n_dims != 1) {
            diag_error(f->diags, iter[k].span, "T13", "'%s' must run over a vector, this is %s",
                       iter[k].name.s, type_text(f, &range[k]));
            return false;
        }
        size[k] = range[k].dims[0];
        uint64_t total = (uint64_t)it.total * size[k];
        if (total > MAX_ELEMENTS) {
            diag_error(f->diags, iter[k].span, "T13", "this iteration has too many elements");
            return false;
        }
        it.total = (uint32_t)total;
        it.local[k].name = iter[k].name;
    }
    it.size = size;
    it.range = range;
    it.scope = scope_locals(f, s, it.local, n);
    *out = it;
    return true;
}

void iteration_set(Front *f, Iteration *it, uint32_t k)
{
    for (uint32_t i = 0; i < it->n; i++) {
        uint32_t at = k % it->size[i];
        it->local[i].value = value_pick(f->scratch, &it->range[i], 1, &at, 0, NULL);
        k /= it->size[i];
    }
}

bool iteration_shape(Front *f, Iteration *it, const SynExpr *body, Value *out)
{
    if (f->eval.emission)
        return false;
    for (uint32_t k = 0; k < it->n; k++) {
        const Value *range = &it->range[k];
        if (range->kind != VALUE_PLAIN)
            return false;
        Value one = value_scalar(f->scratch, range->type, expr_int(f->sys->pool, 1));
        one.cls = range->cls;
        it->local[k].value = one;
    }
    Evaluator before = f->eval;
    bool hidden = diags_hide(f->diags, true);
    f->eval.dry = true;
    bool ok = expression_value(f, it->scope, body, out) &&
              (out->kind == VALUE_PLAIN || out->kind == VALUE_RECORD);
    f->eval = before;
    diags_hide(f->diags, hidden);
    return ok;
}

/* ---- Arrays --------------------------------------------------------------------------- */

/* All blocks of one type and one shape, stacked. */
static bool stack(Front *f, Span span, uint32_t n_dims, const uint32_t *dims, uint32_t n,
                  Value *block, Value *out)
{
    Value like = own_fields(f, &block[0]);
    for (uint32_t k = 1; k < n; k++) {
        Value b = own_fields(f, &block[k]);
        if (!types_unify(&like, &b) || !same_shape(&like, &b)) {
            diag_error(f->diags, span, "T10", "the elements of an array are %s and %s",
                       type_text(f, &block[0]), type_text(f, &block[k]));
            return false;
        }
    }
    *out = value_stack(f->scratch, &like, n_dims, dims, block);
    return true;
}

/* {e for i in r, j in s} is {{e for i in r} for j in s} (MLS 10.4.1.2). */
static bool comprehension(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    Iteration it;
    if (dynamic_allowed(f)) {
        Value *range = arena_array(f->scratch, Value, x->n_iter);
        bool any;
        if (!dynamic_ranges(f, s, x->n_iter, x->iter, x->arg.at[0], NULL, range, &any))
            return false;
        if (any)
            return dynamic_comprehension(f, s, x->span, x->n_iter, x->iter, range, x->arg.at[0],
                                         out);
    }
    if (!iteration_new(f, s, x->n_iter, x->iter, x->arg.at[0], NULL, &it))
        return false;
    uint32_t *dims = arena_array(f->scratch, uint32_t, it.n);
    for (uint32_t k = 0; k < it.n; k++)
        dims[k] = it.size[it.n - 1 - k];
    if (it.total == 0) {
        Value like;
        if (iteration_shape(f, &it, x->arg.at[0], &like))
            *out = value_stack(f->scratch, &like, it.n, dims, NULL);
        else /* Real agrees with all numbers */
            *out = value_array(f->scratch, TYPE_REAL, it.n, dims);
        return true;
    }
    Value *block = arena_array(f->scratch, Value, it.total);
    for (uint32_t k = 0; k < it.total; k++) {
        iteration_set(f, &it, k);
        if (!expression_value(f, it.scope, x->arg.at[0], &block[k]))
            return false;
    }
    return stack(f, x->span, it.n, dims, it.total, block, out);
}

static bool array_value(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    if (x->n_iter > 0)
        return comprehension(f, s, x, out);
    uint32_t n = x->arg.n;
    if (n == 0) {
        diag_error(f->diags, x->span, "T10",
                   "an array constructor needs an element; an empty "
                   "array is written fill(0, 0)");
        return false;
    }
    Value *block = arena_array(f->scratch, Value, n);
    for (uint32_t k = 0; k < n; k++)
        if (!expression_value(f, s, x->arg.at[k], &block[k]))
            return false;
    return stack(f, x->span, 1, &n, n, block, out);
}

/* Fields of an array of records have its dimensions, the first `whole`, before their own. */
static Value promote(Front *f, const Value *v, uint32_t whole, uint32_t n_dims)
{
    Value out = *v;
    uint32_t more = n_dims - whole;
    uint32_t *dims = arena_array(f->scratch, uint32_t, v->n_dims + more);
    for (uint32_t k = 0; k < v->n_dims + more; k++)
        dims[k] = k < whole ? v->dims[k] : k < n_dims ? 1 : v->dims[k - more];
    out.n_dims = v->n_dims + more;
    out.dims = dims;
    out.field = arena_array(f->scratch, Value, v->n_fields + 1);
    for (uint32_t k = 0; k < v->n_fields; k++)
        out.field[k] = promote(f, &v->field[k], whole, n_dims);
    return out;
}

Value value_promote(Front *f, const Value *v, uint32_t n_dims)
{
    return promote(f, v, v->n_dims, n_dims);
}

/* Arrays of records: field by field. */
static bool cat_records(Front *f, Span span, uint32_t along, uint32_t n, const Value *part,
                        Value *out)
{
    uint32_t *dims = arena_array(f->scratch, uint32_t, out->n_dims);
    memcpy(dims, out->dims, out->n_dims * sizeof *dims);
    for (uint32_t k = 1; k < n; k++)
        dims[along] += part[k].dims[along];
    out->dims = dims;
    Value *of = arena_array(f->scratch, Value, n);
    for (uint32_t i = 0; i < out->n_fields; i++) {
        for (uint32_t k = 0; k < n; k++)
            of[k] = *value_field(&part[k], out->field_name[i]);
        if (!value_cat(f, span, along, n, of, &out->field[i]))
            return false;
    }
    return true;
}

bool value_cat(Front *f, Span span, uint32_t along, uint32_t n, const Value *part, Value *out)
{
    Value like = own_fields(f, &part[0]);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < n; k++) {
        Value b = own_fields(f, &part[k]);
        bool fits = (b.kind == VALUE_PLAIN || b.kind == VALUE_RECORD) && types_unify(&like, &b) &&
                    b.n_dims == like.n_dims;
        for (uint32_t d = 0; fits && d < b.n_dims; d++)
            fits = d == along || b.dims[d] == like.dims[d];
        if (!fits) {
            diag_error(f->diags, span, "T10", "%s and %s cannot be joined along dimension %u",
                       type_text(f, &part[0]), type_text(f, &part[k]), along + 1);
            return false;
        }
        sum += b.dims[along];
    }
    if (like.kind == VALUE_RECORD) {
        *out = like;
        return cat_records(f, span, along, n, part, out);
    }
    /* rows: all dimensions before `along`; each takes a run of every part */
    uint32_t *dims = arena_array(f->scratch, uint32_t, like.n_dims);
    uint64_t rows = 1;
    uint64_t inner = 1;
    for (uint32_t d = 0; d < like.n_dims; d++) {
        dims[d] = d == along ? (uint32_t)sum : like.dims[d];
        if (d < along)
            rows *= dims[d];
        else if (d > along)
            inner *= dims[d];
    }
    if (sum * rows * inner > MAX_ELEMENTS) {
        diag_error(f->diags, span, "T10", "this array has too many elements");
        return false;
    }
    Value v = value_array(f->scratch, like.type, like.n_dims, dims);
    v.cls = like.cls;
    ExprId *to = v.elem;
    for (uint64_t r = 0; r < rows; r++)
        for (uint32_t k = 0; k < n; k++) {
            size_t run = (size_t)(part[k].dims[along] * inner);
            if (run > 0)
                memcpy(to, part[k].elem + r * run, run * sizeof *to);
            to += run;
        }
    *out = v;
    return true;
}

/* [a, b; c, d]: all promoted to matrices, joined along 2, then along 1 (MLS 10.4.2.1). */
static bool matrix_value(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    uint32_t n_dims = 2;
    bool any_dynamic = false;
    Value **part = arena_array(f->scratch, Value *, x->n_rows);
    for (uint32_t r = 0; r < x->n_rows; r++) {
        part[r] = arena_array(f->scratch, Value, x->row[r].n);
        for (uint32_t k = 0; k < x->row[r].n; k++) {
            if (!expression_any(f, s, x->row[r].at[k], &part[r][k]))
                return false;
            any_dynamic = any_dynamic || part[r][k].kind == VALUE_DYNAMIC;
            if (part[r][k].kind != VALUE_PLAIN && part[r][k].kind != VALUE_RECORD &&
                part[r][k].kind != VALUE_DYNAMIC) {
                diag_error(f->diags, x->row[r].at[k]->span, "T10", "a matrix cannot hold a %s",
                           type_text(f, &part[r][k]));
                return false;
            }
            if (part[r][k].n_dims > n_dims)
                n_dims = part[r][k].n_dims;
        }
    }
    Value *row = arena_array(f->scratch, Value, x->n_rows);
    for (uint32_t r = 0; any_dynamic && r < x->n_rows; r++) {
        for (uint32_t k = 0; k < x->row[r].n; k++)
            if (!dynamic_promote(f, &part[r][k], n_dims, &part[r][k]))
                return false;
        if (!dynamic_cat(f, x->span, 1, x->row[r].n, part[r], &row[r]))
            return false;
    }
    if (any_dynamic)
        return dynamic_cat(f, x->span, 0, x->n_rows, row, out);
    for (uint32_t r = 0; r < x->n_rows; r++) {
        for (uint32_t k = 0; k < x->row[r].n; k++)
            part[r][k] = value_promote(f, &part[r][k], n_dims);
        if (!value_cat(f, x->span, 1, x->row[r].n, part[r], &row[r]))
            return false;
    }
    return value_cat(f, x->span, 0, x->n_rows, row, out);
}

/* ---- Subscripts (MLS 10.5) ------------------------------------------------------------- */

/* One of the choices that the caller goes through (VaryingSubscripts). */
static bool varying_subscript(Front *f, Span span, ExprId index, BaseType type, uint32_t size,
                              Subscript *out)
{
    VaryingSubscripts *v = f->eval.varying;
    if (v->next == MAX_VARYING) {
        diag_error(f->diags, span, "F30", "more than %d subscripts that vary are not supported",
                   MAX_VARYING);
        return false;
    }
    uint32_t k = v->next++;
    if (k >= v->n) {
        ExprPool *p = f->sys->pool;
        v->n = k + 1;
        v->size[k] = size;
        v->choice[k] = 0;
        v->index[k] = type == TYPE_BOOLEAN ? expr_add(p, index, expr_int(p, 1)) : index;
        ExprId inside = expr_and(p, expr_compare(p, OP_LE, expr_int(p, 1), v->index[k]),
                                 expr_compare(p, OP_LE, v->index[k], expr_int(p, size)));
        const char *text = arena_printf(f->scratch, "a subscript is outside 1 .. %u", size);
        if (!function_assert(f, inside, expr_string(p, name_of(f->names, text)), false, span))
            return false;
    }
    uint32_t *one = arena_make(f->scratch, uint32_t);
    *one = v->choice[k] + 1;
    *out = (Subscript){1, one, false};
    return true;
}

bool varying_next(VaryingSubscripts *v)
{
    v->next = 0;
    for (uint32_t k = 0; k < v->n; k++) {
        if (++v->choice[k] < v->size[k])
            return true;
        v->choice[k] = 0;
    }
    return false;
}

ExprId varying_condition(Front *f, const VaryingSubscripts *v)
{
    ExprPool *p = f->sys->pool;
    ExprId cond = expr_int(p, 1);
    for (uint32_t k = 0; k < v->n; k++)
        cond = expr_and(p, cond,
                        expr_compare(p, OP_EQ, v->index[k], expr_int(p, (long)v->choice[k] + 1)));
    return cond;
}

/* Whether the index is not known before the run, so that all its values are choices. */
static bool index_varies(Front *f, ExprId x)
{
    ExprId known;
    Variability how = expr_variability(f->sys->pool, x);
    return how > VARIES_PARAMETER || (how == VARIES_PARAMETER && !structural_value(f, x, &known));
}

/* One element of an index vector that varies, as choices; the dimension stays. */
static bool varying_element(Front *f, Span span, const Value *v, uint32_t size, Subscript *out)
{
    VaryingSubscripts *varying = f->eval.varying;
    uint32_t n = v->dims[0];
    if (varying->is_shape) {
        diag_error(f->diags, span, "F30", "two index vectors that vary are not supported");
        return false;
    }
    if (varying->n_elements == 0) {
        varying->n_elements = n;
        varying->is_shape = true;
        uint32_t *first = arena_array(f->scratch, uint32_t, n);
        for (uint32_t k = 0; k < n; k++)
            first[k] = 1;
        *out = (Subscript){n, first, true};
        return true;
    }
    bool ok = varying_subscript(f, span, v->elem[varying->element], v->type, size, out);
    out->keeps_dim = true;
    return ok;
}

static bool is_variable(void *ctx, const SynCref *cref)
{
    (void)ctx;
    (void)cref;
    return false;
}

/* In a function or a section, a subscript made of variables whose value is outside: if a condition
 * leads here, this is an error of the run. Then *value is one inside. */
static bool outside_at_run(Front *f, const SynExpr *x, uint32_t size, double *value)
{
    ExprPool *p = f->sys->pool;
    bool is_literal = visit_crefs(x, is_variable, NULL);
    if (size == 0 || is_literal || !(f->eval.in_function || f->eval.section) ||
        !function_is_conditional(f))
        return false;
    const char *text = arena_printf(f->scratch, "subscript %.0f is outside 1 .. %u", *value, size);
    *value = 1;
    return function_assert(f, expr_int(p, 0), expr_string(p, name_of(f->names, text)), false,
                           x->span);
}

/* The subscript is one of those that vary, and the reference has been evaluated for a choice. */
static bool is_chosen_again(const Front *f, const SynExpr *x)
{
    const VaryingSubscripts *v = f->eval.varying;
    for (uint32_t k = 0; v && v->n_elements == 0 && k < v->n; k++)
        if (v->of[k] == x)
            return true;
    return false;
}

bool eval_subscript(Front *f, Scope *s, const SynExpr *x, uint32_t size, Subscript *out)
{
    ExprPool *p = f->sys->pool;
    VaryingSubscripts *varying = f->eval.varying;
    if (is_chosen_again(f, x) && varying->next < varying->n && varying->of[varying->next] == x)
        return varying_subscript(f, x->span, varying->index[varying->next], TYPE_INTEGER, size,
                                 out);
    if (x->kind == SYN_COLON) {
        uint32_t *index = arena_array(f->scratch, uint32_t, size);
        for (uint32_t k = 0; k < size; k++)
            index[k] = k + 1;
        *out = (Subscript){size, index, true};
        return true;
    }
    bool had = f->eval.has_end, varied = f->eval.end_varies;
    uint32_t end = f->eval.end_size;
    f->eval.has_end = true;
    f->eval.end_varies = false;
    f->eval.end_size = size;
    Value v;
    bool structural = f->eval.structural;
    f->eval.structural = true;
    bool ok = expression_value(f, s, x, &v);
    f->eval.structural = structural;
    f->eval.has_end = had;
    f->eval.end_varies = varied;
    f->eval.end_size = end;
    if (!ok)
        return false;
    bool discrete = v.kind == VALUE_PLAIN && (v.type == TYPE_INTEGER || v.type == TYPE_BOOLEAN ||
                                              v.type == TYPE_ENUMERATION);
    if (!discrete && v.kind == VALUE_PLAIN && v.n_dims == 1 && v.dims[0] == 0)
        discrete = true; /* an empty vector selects nothing, whatever its type */
    if (!discrete || v.n_dims > 1) {
        diag_error(f->diags, x->span, "T06",
                   "a subscript is an Integer, Boolean or enumeration, or a vector of them; this "
                   "is %s",
                   type_text(f, &v));
        return false;
    }
    if (varying && value_is_scalar(&v) && size > 0 && index_varies(f, v.elem[0])) {
        ok = varying_subscript(f, x->span, v.elem[0], v.type, size, out);
        if (ok)
            varying->of[varying->next - 1] = x;
        return ok;
    }
    bool varies = false;
    for (uint32_t k = 0; v.n_dims == 1 && k < v.dims[0]; k++)
        varies = varies || index_varies(f, v.elem[k]);
    if (varies && f->eval.varying && f->eval.varying->has_elements && size > 0)
        return varying_element(f, x->span, &v, size, out);
    const char *use = f->eval.use;
    f->eval.use = "a subscript";
    ok = make_structural(f, x->span, &v, false);
    f->eval.use = use;
    if (!ok)
        return false;

    uint32_t n = value_size(&v);
    uint32_t *index = arena_array(f->scratch, uint32_t, n);
    for (uint32_t k = 0; k < n; k++) {
        double value = 0;
        if (!expr_constant(p, v.elem[k], &value)) {
            diag_error(f->diags, x->span, "T06", "the value of this subscript is not known");
            return false;
        }
        value += v.type == TYPE_BOOLEAN;
        if ((value < 1 || value > size) && !outside_at_run(f, x, size, &value)) {
            diag_error(f->diags, x->span, "T05", "subscript %.0f is outside 1 .. %u", value, size);
            return false;
        }
        index[k] = (uint32_t)value;
    }
    *out = (Subscript){n, index, v.n_dims == 1};
    return true;
}

bool value_subscript(Front *f, Scope *s, const Value *v, uint32_t n, SynExpr *const *subs,
                     Span span, Value *out)
{
    bool is_again = false;
    for (uint32_t k = 0; k < n; k++)
        is_again = is_again || is_chosen_again(f, subs[k]);
    if (v->kind == VALUE_DYNAMIC ||
        (dynamic_allowed(f) && !is_again && dynamic_is_slice(f, s, n, subs, v)))
        return dynamic_subscript(f, s, v, n, subs, span, out);
    if (n > v->n_dims) {
        diag_error(f->diags, span, "T04", "%u subscripts for %s", n, type_text(f, v));
        return false;
    }
    Subscript *sub = arena_array(f->scratch, Subscript, n);
    uint32_t *dims = arena_array(f->scratch, uint32_t, n);
    uint32_t n_dims = 0;
    uint32_t total = 1;
    for (uint32_t k = 0; k < n; k++) {
        if (!eval_subscript(f, s, subs[k], v->dims[k], &sub[k]))
            return false;
        uint64_t product = (uint64_t)total * sub[k].n;
        if (product > MAX_ELEMENTS) {
            diag_error(f->diags, span, "T10", "this array has too many elements");
            return false;
        }
        total = (uint32_t)product;
        if (sub[k].keeps_dim)
            dims[n_dims++] = sub[k].n;
    }
    uint32_t *pick = arena_array(f->scratch, uint32_t, total);
    for (uint32_t t = 0; t < total; t++) {
        /* digits of t, the last subscript fastest */
        uint32_t rest = t;
        uint32_t at = 0;
        uint32_t stride = 1;
        for (uint32_t k = n; k > 0; k--) {
            at += (sub[k - 1].index[rest % sub[k - 1].n] - 1) * stride;
            rest /= sub[k - 1].n;
            stride *= v->dims[k - 1];
        }
        pick[t] = at;
    }
    *out = value_pick(f->scratch, v, n, pick, n_dims, dims);
    return true;
}

/* (x)[1].f */
static bool index_value(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    Value v;
    if (!expression_any(f, s, x->base, &v))
        return false;
    if (x->arg.n > 0 && !value_subscript(f, s, &v, x->arg.n, x->arg.at, x->span, &v))
        return false;
    if (x->field.s) {
        const Value *field = v.kind == VALUE_RECORD ? value_field(&v, x->field) : NULL;
        if (!field) {
            diag_error(f->diags, x->span, "T12", "%s has no field '%s'", type_text(f, &v),
                       x->field.s);
            return false;
        }
        v = *field;
    }
    *out = v;
    return true;
}

/* ---- References and calls ------------------------------------------------------------- */

/* The 0-based numbers of the current choice and of the actual one, the last subscript varying
 * fastest. */
static uint32_t choice_place(const VaryingSubscripts *v)
{
    uint32_t at = 0;
    for (uint32_t k = 0; k < v->n; k++)
        at = at * v->size[k] + v->choice[k];
    return at;
}

static ExprId actual_place(Front *f, const VaryingSubscripts *v)
{
    ExprPool *p = f->sys->pool;
    ExprId at = expr_int(p, 0);
    for (uint32_t k = 0; k < v->n; k++)
        at = expr_add(p, expr_mul(p, at, expr_int(p, v->size[k])),
                      expr_sub(p, v->index[k], expr_int(p, 1)));
    return at;
}

/* The value with the 1-based number among n values of one shape, inside the body of a function. */
static Value value_element(Front *f, ExprId number, uint32_t n, const Value *value)
{
    Value out = value[0];
    Value *part = arena_array(f->scratch, Value, n);
    if (out.n_fields)
        out.field = arena_array(f->scratch, Value, out.n_fields);
    for (uint32_t k = 0; k < out.n_fields; k++) {
        for (uint32_t i = 0; i < n; i++)
            part[i] = value[i].field[k];
        out.field[k] = value_element(f, number, n, part);
    }
    uint32_t size = out.kind == VALUE_PLAIN ? value_size(&out) : 0;
    out.elem = arena_array(f->scratch, ExprId, size);
    ExprId *arg = arena_array(f->scratch, ExprId, n + 1);
    for (uint32_t k = 0; k < size; k++) {
        bool same = true;
        bool known = true;
        arg[0] = number;
        for (uint32_t i = 0; i < n; i++) {
            arg[i + 1] = value[i].elem[k];
            known = known && expr_exists(arg[i + 1]);
            same = same && expr_same(arg[i + 1], arg[1]);
        }
        if (same || !known) {
            out.elem[k] = known ? arg[1] : EXPR_NONE;
            continue;
        }
        FuncId element = function_element(f->sys, n);
        out.elem[k] = expr_proj(f->sys->pool, expr_call(f->sys->pool, element, n + 1, arg), 0);
    }
    return out;
}

/* The value of a reference whose subscripts that vary are choices: if i == 1 then a[1] elseif i ==
 * 2
 * ... else the last one. */
static bool choose(Front *f, Scope *s, const SynCref *cref, VaryingSubscripts *varying, Value *out)
{
    VEC(Value) value = {0};
    VEC(ExprId) cond = {0};
    VEC(uint32_t) place = {0};
    bool ok;
    varying->next = 0;
    do {
        Value v;
        ok = scope_value(f, s, cref, &v) && (value.n == 0 || same_shape(&value.at[0], &v));
        vec_push(f->scratch, value, v);
        vec_push(f->scratch, cond, varying_condition(f, varying));
        vec_push(f->scratch, place, choice_place(varying));
    } while (ok && varying_next(varying));
    if (!ok)
        return false;
    if (f->eval.emission) {
        Value *sorted = arena_array(f->scratch, Value, value.n);
        for (uint32_t k = 0; k < value.n; k++)
            sorted[place.at[k]] = value.at[k];
        ExprId number = expr_add(f->sys->pool, actual_place(f, varying), expr_int(f->sys->pool, 1));
        *out = value_element(f, number, value.n, sorted);
        return true;
    }
    *out = value.at[value.n - 1];
    for (uint32_t k = value.n - 1; k > 0; k--)
        *out = value_select(f, cond.at[k - 1], &value.at[k - 1], out);
    return true;
}

/* Parts of one shape, with one index along that dimension, joined; in the fields of records too. */
static bool join_along(Front *f, Span span, uint32_t along, uint32_t n, const Value *part,
                       Value *out)
{
    if (part[0].kind != VALUE_RECORD)
        return value_cat(f, span, along, n, part, out);
    Value v = part[0];
    uint32_t *dims = arena_array(f->scratch, uint32_t, v.n_dims);
    memcpy(dims, v.dims, v.n_dims * sizeof *dims);
    dims[along] = n;
    v.dims = dims;
    v.field = arena_array(f->scratch, Value, v.n_fields);
    Value *own = arena_array(f->scratch, Value, n);
    bool ok = true;
    for (uint32_t k = 0; ok && k < v.n_fields; k++) {
        for (uint32_t i = 0; i < n; i++)
            own[i] = part[i].field[k];
        ok = join_along(f, span, along, n, own, &v.field[k]);
    }
    *out = v;
    return ok;
}

/* a[k, ...] of an index vector k that varies: a[k[1], ...], a[k[2], ...] along its dimension. */
static bool choose_elements(Front *f, Scope *s, const SynCref *cref, const Value *shape,
                            const VaryingSubscripts *begun, Value *out)
{
    uint32_t n = begun->n_elements, along = 0;
    Value *part = arena_array(f->scratch, Value, n);
    for (uint32_t k = 0; k < n; k++) {
        VaryingSubscripts varying = {.has_elements = true, .n_elements = n, .element = k};
        f->eval.varying = &varying;
        if (!scope_value(f, s, cref, &part[k]) || !choose(f, s, cref, &varying, &part[k]))
            return false;
    }
    while (along + 1 < shape->n_dims && part[0].dims[along] == shape->dims[along])
        along++;
    return join_along(f, cref->span, along, n, part, out);
}

static bool cref_value(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    if (x->cref->n == 1 && strcmp(x->cref->part[0].name.s, "time") == 0) {
        *out = value_scalar(f->scratch, TYPE_REAL, expr_time(f->sys->pool));
        out->unit = name_of(f->names, "s");
        return true;
    }
    VaryingSubscripts varying = {.has_elements = true};
    VaryingSubscripts *outer = f->eval.varying;
    f->eval.varying = &varying;
    bool ok = scope_value(f, s, x->cref, out);
    if (ok && varying.n_elements > 0) {
        Value shape = *out;
        ok = choose_elements(f, s, x->cref, &shape, &varying, out);
    } else if (ok && varying.n > 0) {
        ok = choose(f, s, x->cref, &varying, out);
    }
    f->eval.varying = outer;
    if (!ok)
        return false;
    bool known = out->kind == VALUE_RECORD ? value_is_partly_known(out) || value_is_known(out)
                                           : value_is_known(out);
    if (known && !f->eval.emission)
        return true;
    return function_read(f, s, x, out, known, varying.n > 0);
}

/* E(i): the i-th literal (MLS 4.9.5.3). */
static bool enumeration_of(Front *f, Scope *s, const Class *c, const SynExpr *x, Value *out)
{
    ExprId index;
    if (x->arg.n != 1 || x->n_named > 0) {
        diag_error(f->diags, x->span, "T07", "'%s' takes one Integer", class_name(f, c));
        return false;
    }
    if (!expression_scalar(f, s, x->arg.at[0], TYPE_INTEGER, &index))
        return false;
    double value;
    uint32_t n = class_n_literals(f, c);
    if (expr_constant(f->sys->pool, index, &value) && (value < 1 || value > n)) {
        diag_error(f->diags, x->span, "T05", "%.0f is outside the %u literals of '%s'", value, n,
                   class_name(f, c));
        return false;
    }
    *out = value_scalar(f->scratch, TYPE_ENUMERATION, index);
    out->cls = c;
    return true;
}

/* The dotted name of the called function, without subscripts. */
static const char *called_name(Front *f, const SynCref *c)
{
    if (c->n == 1)
        return c->part[0].name.s;
    const char *text = c->part[0].name.s;
    for (uint32_t k = 1; k < c->n; k++)
        text = arena_printf(f->scratch, "%s.%s", text, c->part[k].name.s);
    return text;
}

bool expression_call(Front *f, Scope *s, const SynExpr *x, uint32_t n_out, Value *out)
{
    const char *name = called_name(f, x->cref);
    bool keyword = x->cref->n == 1 && (strcmp(name, "der") == 0 || strcmp(name, "initial") == 0 ||
                                       strcmp(name, "pure") == 0);
    for (uint32_t k = 0; x->cref->n == 1 && k < f->eval.n_functional; k++)
        if (name_same(f->eval.functional_name[k], x->cref->part[0].name))
            return function_call_of(f, s, &f->eval.functional[k], x, n_out, out);
    const Class *c = keyword ? NULL : scope_class(f, s, x->cref);
    if (c) {
        switch (class_kind(f, c)) {
        case CLASS_FUNCTION:
        case CLASS_RECORD:
            return function_call(f, s, c, x, n_out, out);
        case CLASS_ENUMERATION:
            return enumeration_of(f, s, c, x, out);
        case CLASS_PLAIN:
            if (class_base_type(f, c) == TYPE_OBJECT) {
                /* MLS 12.9.7: its name is that of its constructor */
                const Class *make = class_find(f, c, name_of(f->names, "constructor"));
                if (make && class_kind(f, make) == CLASS_FUNCTION) {
                    bool good = function_call(f, s, make, x, n_out, out);
                    if (good && n_out)
                        out->cls = c;
                    return good;
                }
            }
            name = class_name(f, c);
            break;
        case CLASS_BUILTIN_FUNCTION:
            name = class_name(f, c);
            break;
        case CLASS_OTHER:
            diag_error(f->diags, x->span, "N21", "'%s' is not a function, it is a %s", name,
                       syn_restriction_text(class_syntax(c)->restriction));
            return false;
        }
    }
    uint32_t n_results = builtin_n_results(name);
    if (n_out > n_results) {
        diag_error(f->diags, x->span, "T07", "'%s' has %s, %u are wanted", name,
                   n_results == 1 ? "one result" : "two results", n_out);
        return false;
    }
    if (builtin_is_function(name))
        return builtin_call(f, s, name, x, n_out, out);
    scope_check_imports(f, s);
    diag_error(f->diags, x->span, "N20", "there is no function '%s'%s", name,
               scope_function_hint(f, s, x->cref));
    scope_note_library(f, s, x->cref->part[0].name, x->cref->n > 1);
    return false;
}

/* ---- Expressions ---------------------------------------------------------------------- */

static bool is_known_text(const Front *f, const Value *v)
{
    return value_is_scalar(v) && v->type == TYPE_STRING && joined_text_is(f, v->elem[0]);
}

static ExprId append(Front *f, ExprId before, const Text *more)
{
    ExprId x = expr_string(f->sys->pool, name_of(f->names, more->at));
    return more->n > 0 ? joined_text_append(f, before, x) : before;
}

/* Of a chain "a" + "b" + ... the texts are joined at once: each text is kept for good. *v is the
 * operand *k - 1, afterwards the whole, and *k the operand behind it. */
static bool join_texts(Front *f, Scope *s, const SynExpr *x, Value *v, uint32_t *k)
{
    ExprPool *p = f->sys->pool;
    ExprId joined = v->elem[0];
    Text more = text_new(f->scratch);
    text_put(&more, "");
    Value b = *v;
    bool is_joined = true;
    for (; *k < x->arg.n && x->ops[*k] == SYN_ADD && is_joined; *k += 1) {
        if (!expression_in_pieces(f, s, x->arg.at[*k], &b))
            return false;
        is_joined = is_known_text(f, &b);
        if (!is_joined)
            break;
        if (!joined_text_is_long(f, b.elem[0])) {
            text_put(&more, expr_text_of(p, b.elem[0]).s);
            continue;
        }
        joined = joined_text_append(f, append(f, joined, &more), b.elem[0]);
        text_clear(&more);
        text_put(&more, "");
    }
    *v = value_scalar(f->scratch, TYPE_STRING, append(f, joined, &more));
    if (is_joined)
        return true;
    joined_text_make_whole(f, v);
    Span span = {x->span.file, x->arg.at[0]->span.begin, x->arg.at[*k]->span.end};
    *k += 1;
    return operator_binary(f, SYN_ADD, span, v, &b, v);
}

/* Operand k of a chain, behind those with the value v. The operands of `and` and `or` guard the
 * ones behind them: i <= n and a[i] > 0 (MLS 3.3 leaves it to the tool). */
static bool operand_value(Front *f, Scope *s, const SynExpr *x, uint32_t k, const Value *v,
                          Value *out)
{
    SynOp op = x->ops[k];
    bool is_guard = (op == SYN_AND || op == SYN_OR) && value_is_scalar(v) &&
                    v->type == TYPE_BOOLEAN && !expr_is_num(f->sys->pool, v->elem[0]);
    if (!is_guard)
        return expression_any(f, s, x->arg.at[k], out);
    return value_under(f, s, x->arg.at[k],
                       op == SYN_AND ? v->elem[0] : expr_not(f->sys->pool, v->elem[0]), out);
}

/* a op b op c ... from the left; `and` and `or` stop at a constant that decides. */
static bool chain_value(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    Value v;
    if (!(x->ops[1] == SYN_ADD ? expression_in_pieces : expression_any)(f, s, x->arg.at[0], &v))
        return false;
    for (uint32_t k = 1; k < x->arg.n;) {
        SynOp op = x->ops[k];
        if (op == SYN_ADD && is_known_text(f, &v)) {
            if (!join_texts(f, s, x, &v, &k))
                return false;
            continue;
        }
        if ((op == SYN_AND || op == SYN_OR) && value_is_scalar(&v) && v.type == TYPE_BOOLEAN &&
            expression_truth(f, v.elem[0]) == (op == SYN_AND ? NO : YES))
            break;
        Value b;
        if (!operand_value(f, s, x, k, &v, &b))
            return false;
        Span span = {x->span.file, x->arg.at[0]->span.begin, x->arg.at[k]->span.end};
        if (!operator_binary(f, op, span, &v, &b, &v))
            return false;
        k++;
    }
    *out = v;
    return true;
}

static bool value_of_kind(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    ExprPool *p = f->sys->pool;
    Value a;
    Value b;
    switch (x->kind) {
    case SYN_INTEGER:
        *out = value_scalar(f->scratch, TYPE_INTEGER, expr_literal(p, x->text));
        return true;
    case SYN_REAL:
        *out = value_scalar(f->scratch, TYPE_REAL, expr_literal(p, x->text));
        return true;
    case SYN_STRING:
        *out = value_scalar(f->scratch, TYPE_STRING, expr_string(p, name_of(f->names, x->text)));
        return true;
    case SYN_BOOLEAN:
        *out = value_scalar(f->scratch, TYPE_BOOLEAN, expr_int(p, x->truth));
        return true;
    case SYN_CREF:
        return cref_value(f, s, x, out);
    case SYN_UNARY:
        return expression_any(f, s, x->arg.at[0], &a) && operator_unary(f, x->op, x->span, &a, out);
    case SYN_CHAIN:
        return chain_value(f, s, x, out);
    case SYN_BINARY:
        return expression_any(f, s, x->arg.at[0], &a) && expression_any(f, s, x->arg.at[1], &b) &&
               operator_binary(f, x->op, x->span, &a, &b, out);
    case SYN_IF:
        return if_value(f, s, x, out);
    case SYN_RANGE:
        return range_value(f, s, x, out);
    case SYN_CALL:
        return expression_call(f, s, x, 1, out);
    case SYN_PARTIAL:
        diag_error(f->diags, x->span, "T07",
                   "a function is allowed only as an argument of a function");
        return false;
    case SYN_ARRAY:
        return array_value(f, s, x, out);
    case SYN_MATRIX:
        return matrix_value(f, s, x, out);
    case SYN_TUPLE:
        diag_error(f->diags, x->span, "T07",
                   "a list in parentheses is allowed only on the left side of a function call");
        return false;
    case SYN_INDEX:
        return index_value(f, s, x, out);
    case SYN_COLON:
        diag_error(f->diags, x->span, "T06", "':' is allowed only in a subscript");
        return false;
    case SYN_END:
        if (!f->eval.has_end) {
            diag_error(f->diags, x->span, "T06", "'end' is allowed only in a subscript");
            return false;
        }
        *out = value_scalar(f->scratch, TYPE_INTEGER,
                            f->eval.end_varies ? f->eval.end_expr
                                               : expr_int(p, (long)f->eval.end_size));
        return true;
    }
    return false;
}

/* A function's variable, or its result, may lack a value. Parts of records may, until one is used.
 */
static bool is_assigned(Front *f, const SynExpr *x, const Value *v)
{
    bool may_lack = x->kind == SYN_CREF || x->kind == SYN_CALL || x->kind == SYN_INDEX;
    uint32_t n = may_lack && v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (!expr_exists(v->elem[k])) {
            diag_error(f->diags, x->span, "T21", "this is used before it has a value");
            return false;
        }
    return true;
}

bool expression_value(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    if (!expression_any(f, s, x, out))
        return false;
    return out->kind != VALUE_DYNAMIC || dynamic_unsupported(f, x->span, "an array here");
}

bool expression_any(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    if (!expression_in_pieces(f, s, x, out))
        return false;
    joined_text_make_whole(f, out);
    return true;
}

bool expression_in_pieces(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    if (f->eval.depth >= MAX_DEPTH) {
        diag_error(f->diags, x->span, "T17", "expressions are nested more than %d deep", MAX_DEPTH);
        return false;
    }
    f->eval.depth++;
    bool ok = value_of_kind(f, s, x, out);
    f->eval.depth--;
    return ok && is_assigned(f, x, out);
}

/* ---- The door ------------------------------------------------------------------------- */

Evaluation evaluation_begin(Front *f)
{
    Evaluation e = {f->eval, arena_mark(f->scratch)};
    /* the path of an enclosing if-equation holds; an evaluation nested in an expression has none */
    bool in_branch = e.outer.depth == 0 && e.outer.has_path;
    f->eval = (Evaluator){
        .has_path = in_branch,
        .path = e.outer.path,
        .depth = e.outer.depth,
        .calls = e.outer.calls,
        .dry = e.outer.dry,
        .functions = e.outer.functions,
        .chain = e.outer.chain,
        .in_when = e.outer.in_when,
        .in_initial = e.outer.in_initial,
        .effect = e.outer.effect,
        .in_left_limit = e.outer.in_left_limit,
        .section = e.outer.section,
    };
    return e;
}

void evaluation_end(Front *f, const Evaluation *e)
{
    Evaluator inner = f->eval;
    f->eval = e->outer;
    f->eval.functions = inner.functions;
    f->eval.effect = inner.effect;
    f->eval.stuck = inner.stuck;
    f->eval.stuck_endless = inner.stuck_endless;
    f->eval.stuck_code = inner.stuck_code;
    f->eval.stuck_span = inner.stuck_span;
    arena_rollback(f->scratch, e->mark);
}

typedef bool (*EvaluateFn)(Front *f, Scope *s, const SynExpr *x, const char *what, Value *out);

/* Nobody has kept the function as a call. */
static void report_stuck(Front *f)
{
    diag_error(f->diags, f->eval.stuck_span, f->eval.stuck_code, "%s", f->eval.stuck);
    f->eval.stuck = NULL;
}

/* The result is copied to mem. */
static bool evaluate(Front *f, Scope *s, const SynExpr *x, const char *what, EvaluateFn run,
                     Value *out)
{
    Evaluation e = evaluation_begin(f);
    uint32_t n_errors = diags_errors(f->diags);
    Value v;
    f->eval.stuck = NULL;
    bool ok = run(f, s, x, what, &v);
    if (ok)
        *out = value_copy(f->mem, &v);
    else if (f->eval.stuck && !e.outer.in_function && diags_errors(f->diags) == n_errors)
        report_stuck(f);
    evaluation_end(f, &e);
    return ok;
}

static bool run_plain(Front *f, Scope *s, const SynExpr *x, const char *what, Value *out)
{
    (void)what;
    return expression_value(f, s, x, out);
}

bool eval(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    return evaluate(f, s, x, NULL, run_plain, out);
}

bool eval_structural(Front *f, Scope *s, const SynExpr *x, const char *what, Value *out)
{
    return evaluate(f, s, x, what, structural_in, out);
}

bool eval_integer(Front *f, Scope *s, const SynExpr *x, const char *what, long *out)
{
    ArenaMark mark = arena_mark(f->scratch);
    Value v;
    bool ok = structural_in(f, s, x, what, &v);
    if (ok) {
        double value;
        bool fits = value_is_scalar(&v) && v.type == TYPE_INTEGER;
        ok = fits && expr_is_int(f->sys->pool, v.elem[0], out);
        if (!ok && fits && expr_constant(f->sys->pool, v.elem[0], &value) && fabs(value) < 1e15) {
            *out = lround(value);
            ok = true;
        }
        if (!ok)
            diag_error(f->diags, x->span, "T03", "%s must be an Integer, this is %s", what,
                       type_text(f, &v));
    }
    arena_rollback(f->scratch, mark);
    return ok;
}

bool eval_boolean(Front *f, Scope *s, const SynExpr *x, const char *what, bool *out)
{
    ArenaMark mark = arena_mark(f->scratch);
    Value v;
    bool ok = structural_in(f, s, x, what, &v);
    if (ok) {
        double value = 0;
        ok = value_is_scalar(&v) && v.type == TYPE_BOOLEAN &&
             expr_constant(f->sys->pool, v.elem[0], &value);
        *out = value != 0;
        if (!ok)
            diag_error(f->diags, x->span, "T03", "%s must be a Boolean, this is %s", what,
                       type_text(f, &v));
    }
    arena_rollback(f->scratch, mark);
    return ok;
}

bool dimension_is_type(Front *f, Scope *s, const SynExpr *x, uint32_t *out)
{
    Value range;
    if (!type_as_range(f, s, x, &range))
        return false;
    *out = range.dims[0];
    return true;
}

bool eval_dimension(Front *f, Scope *s, const SynExpr *x, uint32_t *out)
{
    if (dimension_is_type(f, s, x, out))
        return true;
    long n;
    if (!eval_integer(f, s, x, "an array size", &n))
        return false;
    if (n < 0 || n > MAX_ELEMENTS) {
        diag_error(f->diags, x->span, "T13", "an array cannot have %ld elements", n);
        return false;
    }
    *out = (uint32_t)n;
    return true;
}

bool eval_tuple(Front *f, Scope *s, const SynExpr *call, uint32_t n, Value *out)
{
    Evaluation e = evaluation_begin(f);
    Value *v = arena_array(f->scratch, Value, n + 1); /* a built-in one sets v[0] */
    bool ok = call->kind == SYN_CALL;
    if (!ok)
        diag_error(f->diags, call->span, "T07", "only a function has several results");
    ok = ok && expression_call(f, s, call, n, v);
    for (uint32_t k = 0; ok && k < n; k++)
        out[k] = value_copy(f->mem, &v[k]);
    evaluation_end(f, &e);
    return ok;
}
