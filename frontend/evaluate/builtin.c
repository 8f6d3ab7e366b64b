/* Predefined functions and operators in function syntax: MLS 3.6 §3.7 and §10.3. */
#include "frontend/evaluate/clock_operator.h"
#include "frontend/evaluate/dynamic_array.h"
#include "frontend/evaluate/function.h"
#include "frontend/front.h"
#include "ir/body.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Call Call;

typedef struct Builtin {
    const char *name;
    bool (*run)(const Call *c, Value *out);
    uint32_t least, most; /* positional arguments; most UINT32_MAX: any number */
    int detail;           /* for handlers that serve several                   */
} Builtin;

struct Call {
    Front *f;
    Scope *s;
    const SynExpr *x;
    uint32_t n_out; /* results that are wanted */
    const Builtin *b;
};

/* ---- Arguments ------------------------------------------------------------------------- */

static bool argument(const Call *c, uint32_t k, Value *out)
{
    return expression_value(c->f, c->s, c->x->arg.at[k], out);
}

/* As argument, or a dynamic array. */
static bool argument_any(const Call *c, uint32_t k, Value *out)
{
    return expression_any(c->f, c->s, c->x->arg.at[k], out);
}

static bool bad_argument(const Call *c, uint32_t k, const char *want, const Value *v)
{
    diag_error(c->f->diags, c->x->arg.at[k]->span, "T08", "'%s' needs %s, this is %s", c->b->name,
               want, type_text(c->f, v));
    return false;
}

static bool numeric_argument(const Call *c, uint32_t k, Value *out)
{
    if (!argument(c, k, out))
        return false;
    if (out->kind != VALUE_PLAIN || (out->type != TYPE_REAL && out->type != TYPE_INTEGER))
        return bad_argument(c, k, "a number", out);
    return true;
}

static bool numeric_any(const Call *c, uint32_t k, Value *out)
{
    if (!argument_any(c, k, out))
        return false;
    if ((out->kind != VALUE_PLAIN && out->kind != VALUE_DYNAMIC) ||
        (out->type != TYPE_REAL && out->type != TYPE_INTEGER))
        return bad_argument(c, k, "a number", out);
    return true;
}

/* The sizes in the arguments from number `first` on, where one of them is known in a run only; else
 * *any is false. */
static bool sizes_in_run(const Call *c, uint32_t first, ExprId *size, bool *any)
{
    *any = false;
    if (!dynamic_allowed(c->f))
        return true;
    for (uint32_t k = first; k < c->x->arg.n; k++) {
        uint32_t known;
        bool varies = false;
        if (dimension_is_type(c->f, c->s, c->x->arg.at[k], &known))
            size[k - first] = expr_int(c->f->sys->pool, known);
        else if (!dynamic_dimension(c->f, c->s, c->x->arg.at[k], &size[k - first], &varies))
            return false;
        *any = *any || varies;
    }
    return true;
}

static bool size_argument(const Call *c, uint32_t k, uint32_t *out)
{
    return eval_dimension(c->f, c->s, c->x->arg.at[k], out);
}

/* The argument's type and sizes matter only: variables without a value yet are fine. */
static bool shape_argument(const Call *c, uint32_t k, Value *out)
{
    const SynExpr *x = c->x->arg.at[k];
    if (x->kind != SYN_CREF)
        return argument_any(c, k, out);
    /* size() of a variable does not make its value structural */
    bool structural = c->f->eval.structural;
    c->f->eval.structural = false;
    bool ok = scope_value(c->f, c->s, x->cref, out);
    c->f->eval.structural = structural;
    return ok;
}

static Value scalar(const Call *c, BaseType type, ExprId x)
{
    return value_scalar(c->f->scratch, type, x);
}

static Value integer(const Call *c, long n)
{
    return scalar(c, TYPE_INTEGER, expr_int(c->f->sys->pool, n));
}

/* Every scalar of v, those of fields too, through fn. */
typedef bool (*MapFn)(const Call *c, ExprId x, ExprId *out);

static bool map_value(const Call *c, const Value *v, MapFn fn, Value *out)
{
    Value r = *v;
    if (v->kind == VALUE_RECORD) {
        r.field = arena_array(c->f->scratch, Value, v->n_fields);
        for (uint32_t k = 0; k < v->n_fields; k++)
            if (!map_value(c, &v->field[k], fn, &r.field[k]))
                return false;
    } else {
        uint32_t n = value_size(v);
        r.elem = arena_array(c->f->scratch, ExprId, n);
        for (uint32_t k = 0; k < n; k++)
            if (!fn(c, v->elem[k], &r.elem[k]))
                return false;
    }
    *out = r;
    return true;
}

/* The same for the elements of a dynamic array. */
typedef struct ElementMap {
    Call call;
    MapFn fn;
    bool (*combine)(const Call *c, const Value *a, const Value *b, Value *out);
} ElementMap;

static bool map_one(Front *f, void *self, const Value *arg, Value *out)
{
    const ElementMap *m = self;
    (void)f;
    return m->fn ? map_value(&m->call, &arg[0], m->fn, out)
                 : m->combine(&m->call, &arg[0], &arg[1], out);
}

static ElementMap *element_map(const Call *c)
{
    ElementMap *m = arena_make(c->f->scratch, ElementMap);
    m->call = *c;
    return m;
}

static bool map_any(const Call *c, const Value *v, MapFn fn, Value *out)
{
    if (v->kind != VALUE_DYNAMIC)
        return map_value(c, v, fn, out);
    ElementMap *m = element_map(c);
    m->fn = fn;
    return dynamic_map(c->f, c->x->span, v->type, map_one, m, 1, v, out);
}

/* ---- Elementary functions (3.7.3) ------------------------------------------------------ */

static bool apply_fn(const Call *c, ExprId x, ExprId *out)
{
    double value;
    Fn fn = (Fn)c->b->detail;
    if (expr_constant(c->f->sys->pool, x, &value)) {
        bool outside = (fn == FN_SQRT && value < 0) ||
                       ((fn == FN_LOG || fn == FN_LOG10) && value <= 0) ||
                       ((fn == FN_ASIN || fn == FN_ACOS) && fabs(value) > 1);
        if (outside) {
            diag_error(c->f->diags, c->x->span, "T19", "%s(%.6g) is not defined", fn_name(fn),
                       value);
            return false;
        }
        if ((fn == FN_FLOOR || fn == FN_CEIL) && !expr_is_num(c->f->sys->pool, x)) {
            *out = expr_double(c->f->sys->pool, fn == FN_FLOOR ? floor(value) : ceil(value));
            return true;
        }
    }
    *out = expression_event(c->f, expr_fn(c->f->sys->pool, fn, x));
    return true;
}

static bool real_function(const Call *c, Value *out)
{
    Value v;
    if (!numeric_any(c, 0, &v))
        return false;
    v.type = TYPE_REAL;
    v.unit = (Name){NULL};
    return map_any(c, &v, apply_fn, out);
}

static bool builtin_abs(const Call *c, Value *out)
{
    Value v;
    return numeric_any(c, 0, &v) && map_any(c, &v, apply_fn, out);
}

/* sign, integer: the result is Integer */
static bool integer_function(const Call *c, Value *out)
{
    Value v;
    if (!numeric_any(c, 0, &v))
        return false;
    v.type = TYPE_INTEGER;
    v.unit = (Name){NULL};
    return map_any(c, &v, apply_fn, out);
}

/* Two numbers, or arrays of them element by element (12.4.6). */
static bool combine(const Call *c, BaseType type, const Value *a, const Value *b, Fn2 fn,
                    Value *out)
{
    ExprPool *p = c->f->sys->pool;
    if (a->n_dims > 0 && b->n_dims > 0 && !value_same_dims(a, b)) {
        diag_error(c->f->diags, c->x->span, "T02", "sizes do not fit: '%s' of %s and %s",
                   c->b->name, type_text(c->f, a), type_text(c->f, b));
        return false;
    }
    const Value *shape = a->n_dims > 0 ? a : b;
    Value v = value_array(c->f->scratch, type, shape->n_dims, shape->dims);
    v.cls = a->cls;
    for (uint32_t k = 0; k < value_size(shape); k++) {
        ExprId x = a->elem[a->n_dims > 0 ? k : 0];
        ExprId y = b->elem[b->n_dims > 0 ? k : 0];
        bool divides = fn == FN2_DIV || fn == FN2_MOD || fn == FN2_REM;
        if (divides && expr_is_zero(p, y) == YES) {
            diag_error(c->f->diags, c->x->span, "T14", "'%s' by zero", c->b->name);
            return false;
        }
        v.elem[k] = expression_event(c->f, expr_fn2(p, fn, x, y));
    }
    *out = v;
    return true;
}

static bool atan2_of(const Call *c, const Value *a, const Value *b, Value *out)
{
    return combine(c, TYPE_REAL, a, b, FN2_ATAN2, out);
}

static bool division_of(const Call *c, const Value *a, const Value *b, Value *out)
{
    return combine(c, a->type, a, b, (Fn2)c->b->detail, out);
}

/* Two numbers, or arrays of them, also dynamic ones. */
static bool combine_any(const Call *c, BaseType type, const Value *a, const Value *b,
                        bool (*fn)(const Call *c, const Value *a, const Value *b, Value *out),
                        Value *out)
{
    if (a->kind != VALUE_DYNAMIC && b->kind != VALUE_DYNAMIC)
        return fn(c, a, b, out);
    ElementMap *m = element_map(c);
    m->combine = fn;
    const Value of[2] = {*a, *b};
    return dynamic_map(c->f, c->x->span, type, map_one, m, 2, of, out);
}

static bool builtin_atan2(const Call *c, Value *out)
{
    Value a;
    Value b;
    return numeric_any(c, 0, &a) && numeric_any(c, 1, &b) &&
           combine_any(c, TYPE_REAL, &a, &b, atan2_of, out);
}

/* div, mod, rem */
static bool division(const Call *c, Value *out)
{
    Value a;
    Value b;
    if (!numeric_any(c, 0, &a) || !numeric_any(c, 1, &b))
        return false;
    if (a.kind == b.kind)
        types_unify(&a, &b);
    else if (a.type != b.type)
        a.type = b.type = TYPE_REAL;
    return combine_any(c, a.type, &a, &b, division_of, out);
}

/* ---- Reductions (10.3.4) --------------------------------------------------------------- */

/* The terms of a reduction in order: the elements of an array, or the values of e for i in r. The
 * array itself is in *whole, or a term where there is none; VALUE_NONE if that is not known. Of a
 * dynamic array it is in *whole alone, and of dynamic ranges that kind is, and the ranges are in
 * *out. */
static bool elements(const Call *c, uint32_t *n, Value **out, Value *whole)
{
    Front *f = c->f;
    *whole = (Value){0};
    *n = 0;
    if (c->x->n_iter > 0 && dynamic_allowed(f)) {
        Value *range = arena_array(f->scratch, Value, c->x->n_iter);
        bool any;
        if (!dynamic_ranges(f, c->s, c->x->n_iter, c->x->iter, c->x->arg.at[0], NULL, range, &any))
            return false;
        whole->kind = any ? VALUE_DYNAMIC : VALUE_NONE;
        *out = range;
        if (any)
            return true;
    }
    if (c->x->n_iter > 0) {
        Iteration it;
        const SynExpr *body = c->x->arg.at[0];
        if (!iteration_new(f, c->s, c->x->n_iter, c->x->iter, body, NULL, &it))
            return false;
        Value *v = arena_array(f->scratch, Value, it.total);
        for (uint32_t k = 0; k < it.total; k++) {
            iteration_set(f, &it, k);
            if (!expression_value(f, it.scope, body, &v[k]))
                return false;
        }
        *n = it.total;
        *out = v;
        if (it.total == 0 && !iteration_shape(f, &it, body, whole))
            *whole = (Value){0};
        return true;
    }
    Value a;
    if (!argument_any(c, 0, &a))
        return false;
    *whole = a;
    if (a.kind == VALUE_DYNAMIC)
        return true;
    *n = value_size(&a);
    Value *v = arena_array(f->scratch, Value, *n);
    for (uint32_t k = 0; k < *n; k++)
        v[k] = value_pick(f->scratch, &a, a.n_dims, &k, 0, NULL);
    *out = v;
    *whole = a;
    return true;
}

static bool builtin_sum(const Call *c, Value *out);

/* A reduction of a dynamic array, or over dynamic ranges. */
static bool fold_dynamic(const Call *c, DynamicFold fold, const Value *range, const Value *whole,
                         Value *out)
{
    const SynExpr *x = c->x;
    return x->n_iter > 0 ? dynamic_fold_iterated(c->f, c->s, x->span, fold, x->n_iter, x->iter,
                                                 range, x->arg.at[0], out)
                         : dynamic_fold(c->f, x->span, fold, whole, out);
}

/* Elements that can be added or multiplied: numbers; records with '+' can be added. */
static bool numbers(const Call *c, uint32_t *n, Value **out, Value *whole)
{
    if (!elements(c, n, out, whole))
        return false;
    if (whole->kind == VALUE_DYNAMIC)
        return true;
    const Value *v = *n > 0 ? *out : whole;
    bool is_sum = c->b->run == builtin_sum;
    if (v->kind == VALUE_NONE ||
        (v->kind == VALUE_PLAIN && (v->type == TYPE_REAL || v->type == TYPE_INTEGER)
             ? is_sum || *n == 0 || v->n_dims == 0
             : v->kind == VALUE_RECORD && is_sum && operator_adds(c->f, v)))
        return true;
    diag_error(c->f->diags, c->x->span, "T08", "'%s' of %s (MLS 10.3.4)", c->b->name,
               type_text(c->f, v));
    return false;
}

static bool builtin_sum(const Call *c, Value *out)
{
    uint32_t n;
    Value *v, whole;
    if (!numbers(c, &n, &v, &whole))
        return false;
    if (whole.kind == VALUE_DYNAMIC)
        return fold_dynamic(c, FOLD_SUM, v, &whole, out);
    if (n == 0 && whole.kind == VALUE_RECORD)
        return operator_zero(c->f, c->x->span, &whole, out);
    *out = n > 0 ? v[0] : integer(c, 0);
    if (n == 0 && c->x->n_iter > 0 && whole.n_dims > 0) {
        *out = value_array(c->f->scratch, whole.type, whole.n_dims, whole.dims);
        for (uint32_t k = 0; k < value_size(out); k++)
            out->elem[k] = expr_int(c->f->sys->pool, 0);
    }
    for (uint32_t k = 1; k < n; k++)
        if (!operator_binary(c->f, SYN_ADD, c->x->span, out, &v[k], out))
            return false;
    return true;
}

static bool builtin_product(const Call *c, Value *out)
{
    uint32_t n;
    Value *v, whole;
    if (!numbers(c, &n, &v, &whole))
        return false;
    if (whole.kind == VALUE_DYNAMIC)
        return fold_dynamic(c, FOLD_PRODUCT, v, &whole, out);
    *out = integer(c, 1);
    for (uint32_t k = 0; k < n; k++)
        if (!operator_binary(c->f, SYN_MUL, c->x->span, out, &v[k], out))
            return false;
    return true;
}

/* MLS 10.3.4.1: the minimum of no elements is the greatest value of their type, the maximum the
 * least. */
static void no_extremum(const Call *c, const Value *whole, Fn2 fn, Value *out)
{
    Front *f = c->f;
    ExprPool *p = f->sys->pool;
    bool least = fn == FN2_MAX;
    BaseType type = whole->kind == VALUE_PLAIN ? whole->type : TYPE_REAL;
    if (type == TYPE_INTEGER)
        *out = integer(c, least ? -INT32_MAX : INT32_MAX);
    else if (type == TYPE_BOOLEAN)
        *out = scalar(c, type, expr_int(p, !least));
    else if (type == TYPE_ENUMERATION)
        *out = scalar(c, type, expr_int(p, least ? 1 : (long)class_n_literals(f, whole->cls)));
    else
        *out = scalar(c, TYPE_REAL, expr_double(p, least ? -DBL_MAX : DBL_MAX));
    out->cls = whole->cls;
}

static bool extremum(const Call *c, Value *out)
{
    uint32_t n;
    Value *v, whole = {0};
    Fn2 fn = (Fn2)c->b->detail;
    if (c->x->arg.n == 2) {
        n = 2;
        v = arena_array(c->f->scratch, Value, 2);
        if (!argument(c, 0, &v[0]) || !argument(c, 1, &v[1]))
            return false;
    } else if (!elements(c, &n, &v, &whole)) {
        return false;
    }
    if (whole.kind == VALUE_DYNAMIC)
        return fold_dynamic(c, fn == FN2_MIN ? FOLD_MIN : FOLD_MAX, v, &whole, out);
    bool has_order =
        whole.kind == VALUE_NONE || (whole.kind == VALUE_PLAIN && whole.type != TYPE_STRING &&
                                     (whole.type != TYPE_ENUMERATION || whole.cls));
    if (n == 0 && has_order) {
        no_extremum(c, &whole, fn, out);
        return true;
    }
    if (n == 0) {
        diag_error(c->f->diags, c->x->span, "T08", "'%s' of no elements", c->b->name);
        return false;
    }
    *out = v[0];
    for (uint32_t k = 0; k < n; k++) {
        if (v[k].kind != VALUE_PLAIN || v[k].type == TYPE_STRING || !types_unify(out, &v[k])) {
            diag_error(c->f->diags, c->x->span, "T08", "'%s' of %s and %s", c->b->name,
                       type_text(c->f, out), type_text(c->f, &v[k]));
            return false;
        }
        if (k > 0 && !combine(c, out->type, out, &v[k], fn, out))
            return false;
    }
    return true;
}

/* ---- Sizes (10.3.1) -------------------------------------------------------------------- */

static bool builtin_ndims(const Call *c, Value *out)
{
    Value v;
    if (!shape_argument(c, 0, &v))
        return false;
    *out = integer(c, v.n_dims);
    return true;
}

static bool builtin_size(const Call *c, Value *out)
{
    Value v;
    if (!shape_argument(c, 0, &v))
        return false;
    if (c->x->arg.n == 1) {
        *out = value_array(c->f->scratch, TYPE_INTEGER, 1, &v.n_dims);
        for (uint32_t k = 0; k < v.n_dims; k++)
            out->elem[k] = dynamic_size(c->f, &v, k);
        return true;
    }
    long k;
    if (!eval_integer(c->f, c->s, c->x->arg.at[1], "the dimension of 'size'", &k))
        return false;
    if (k < 1 || k > v.n_dims) {
        diag_error(c->f->diags, c->x->span, "T05", "%s has no dimension %ld", type_text(c->f, &v),
                   k);
        return false;
    }
    *out = scalar(c, TYPE_INTEGER, dynamic_size(c->f, &v, (uint32_t)k - 1));
    return true;
}

/* ---- Conversions between ranks (10.3.2) ------------------------------------------------ */

static bool builtin_scalar(const Call *c, Value *out)
{
    Value v;
    if (!argument_any(c, 0, &v))
        return false;
    if (v.kind == VALUE_DYNAMIC)
        return dynamic_scalar(c->f, c->x->span, &v, out);
    if (v.kind != VALUE_PLAIN || value_size(&v) != 1)
        return bad_argument(c, 0, "an array of one element", &v);
    *out = v;
    out->n_dims = 0;
    return true;
}

static bool builtin_vector(const Call *c, Value *out)
{
    Value v;
    if (!argument_any(c, 0, &v))
        return false;
    if (v.kind == VALUE_DYNAMIC)
        return dynamic_vector(c->f, c->x->span, &v, out);
    uint32_t wide = 0;
    for (uint32_t k = 0; k < v.n_dims; k++)
        wide += v.dims[k] != 1;
    if (v.kind != VALUE_PLAIN || wide > 1)
        return bad_argument(c, 0, "an array with at most one dimension other than 1", &v);
    uint32_t *n = arena_make(c->f->scratch, uint32_t);
    *n = value_size(&v);
    v.n_dims = 1;
    v.dims = n;
    *out = v;
    return true;
}

static bool builtin_matrix(const Call *c, Value *out)
{
    Value v;
    if (!argument_any(c, 0, &v))
        return false;
    if (v.kind == VALUE_DYNAMIC)
        return v.n_dims <= 2
                   ? dynamic_promote(c->f, &v, 2, out)
                   : dynamic_unsupported(c->f, c->x->span, "'matrix' of an array that is none");
    bool fits = v.kind == VALUE_PLAIN;
    for (uint32_t k = 2; fits && k < v.n_dims; k++)
        fits = v.dims[k] == 1;
    if (!fits)
        return bad_argument(c, 0, "an array whose dimensions from the third on are 1", &v);
    *out = value_promote(c->f, &v, 2);
    return true;
}

static bool builtin_promote(const Call *c, Value *out)
{
    Value v;
    long n;
    if (!argument(c, 0, &v) ||
        !eval_integer(c->f, c->s, c->x->arg.at[1], "the rank of 'promote'", &n))
        return false;
    if (v.kind != VALUE_PLAIN || n < v.n_dims || n > 100)
        return bad_argument(c, 0, "an array of at most that many dimensions", &v);
    *out = value_promote(c->f, &v, (uint32_t)n);
    return true;
}

/* ---- Constructors (10.3.3) ------------------------------------------------------------- */

/* zeros, ones: detail is the element */
static bool constant_array(const Call *c, Value *out)
{
    uint32_t n = c->x->arg.n;
    uint32_t *dims = arena_array(c->f->scratch, uint32_t, n);
    ExprId *size = arena_array(c->f->scratch, ExprId, n);
    Value one = integer(c, c->b->detail);
    bool varies;
    if (!sizes_in_run(c, 0, size, &varies))
        return false;
    if (varies)
        return dynamic_fill(c->f, c->x->span, &one, n, size, out);
    for (uint32_t k = 0; k < n; k++)
        if (!size_argument(c, k, &dims[k]))
            return false;
    uint64_t total = 1;
    for (uint32_t k = 0; k < n; k++)
        if ((total *= dims[k]) > 20000000) {
            diag_error(c->f->diags, c->x->span, "T13", "this array has too many elements");
            return false;
        }
    *out = value_array(c->f->scratch, TYPE_INTEGER, n, dims);
    for (uint32_t k = 0; k < value_size(out); k++)
        out->elem[k] = one.elem[0];
    return true;
}

static bool builtin_fill(const Call *c, Value *out)
{
    Value v;
    if (!argument_any(c, 0, &v))
        return false;
    uint32_t n = c->x->arg.n - 1;
    uint32_t *dims = arena_array(c->f->scratch, uint32_t, n);
    ExprId *size = arena_array(c->f->scratch, ExprId, n);
    bool varies;
    if (!sizes_in_run(c, 1, size, &varies))
        return false;
    if (varies || v.kind == VALUE_DYNAMIC)
        return dynamic_fill(c->f, c->x->span, &v, n, size, out);
    uint64_t total = 1;
    for (uint32_t k = 0; k < n; k++) {
        if (!size_argument(c, k + 1, &dims[k]))
            return false;
        if ((total *= dims[k]) * value_n_scalars(&v) > 20000000) {
            diag_error(c->f->diags, c->x->span, "T13", "this array has too many elements");
            return false;
        }
    }
    Value *block = arena_array(c->f->scratch, Value, total);
    for (uint64_t k = 0; k < total; k++)
        block[k] = v;
    *out = value_stack(c->f->scratch, &v, n, dims, block);
    return true;
}

static bool square(const Call *c, BaseType type, uint32_t n, Value *out)
{
    if ((uint64_t)n * n > 20000000) {
        diag_error(c->f->diags, c->x->span, "T13", "this array has too many elements");
        return false;
    }
    *out = value_array(c->f->scratch, type, 2, (uint32_t[]){n, n});
    ExprId zero = expr_int(c->f->sys->pool, 0);
    for (uint32_t k = 0; k < n * n; k++)
        out->elem[k] = zero;
    return true;
}

static bool builtin_identity(const Call *c, Value *out)
{
    uint32_t n;
    ExprId size;
    bool varies;
    if (!sizes_in_run(c, 0, &size, &varies))
        return false;
    Value one = integer(c, 1);
    if (varies)
        return dynamic_diagonal(c->f, &one, size, out);
    if (!size_argument(c, 0, &n) || !square(c, TYPE_INTEGER, n, out))
        return false;
    for (uint32_t k = 0; k < n; k++)
        out->elem[k * (n + 1)] = expr_int(c->f->sys->pool, 1);
    return true;
}

static bool builtin_diagonal(const Call *c, Value *out)
{
    Value v;
    if (!numeric_any(c, 0, &v))
        return false;
    if (v.n_dims != 1)
        return bad_argument(c, 0, "a vector", &v);
    if (v.kind == VALUE_DYNAMIC)
        return dynamic_diagonal(c->f, &v, dynamic_size(c->f, &v, 0), out);
    if (!square(c, v.type, v.dims[0], out))
        return false;
    for (uint32_t k = 0; k < v.dims[0]; k++)
        out->elem[k * (v.dims[0] + 1)] = v.elem[k];
    return true;
}

static bool builtin_linspace(const Call *c, Value *out)
{
    ExprPool *p = c->f->sys->pool;
    ExprId a;
    ExprId b;
    uint32_t n;
    ExprId size;
    bool varies;
    if (!expression_scalar(c->f, c->s, c->x->arg.at[0], TYPE_REAL, &a) ||
        !expression_scalar(c->f, c->s, c->x->arg.at[1], TYPE_REAL, &b) ||
        !sizes_in_run(c, 2, &size, &varies))
        return false;
    if (varies)
        return dynamic_linspace(c->f, c->x->span, a, b, size, out);
    if (!size_argument(c, 2, &n))
        return false;
    if (n < 2) {
        diag_error(c->f->diags, c->x->span, "T08", "'linspace' needs at least 2 points");
        return false;
    }
    *out = value_array(c->f->scratch, TYPE_REAL, 1, &n);
    ExprId width = expr_sub(p, b, a);
    for (uint32_t k = 0; k < n; k++)
        out->elem[k] = expr_add(p, a, expr_mul(p, width, expr_ratio(p, (long)k, (long)n - 1)));
    return true;
}

/* array(a, b) is {a, b}, array(e for i in r) is {e for i in r} */
static bool builtin_array(const Call *c, Value *out)
{
    SynExpr x = *c->x;
    x.kind = SYN_ARRAY;
    return expression_any(c->f, c->s, &x, out);
}

static bool builtin_cat(const Call *c, Value *out)
{
    long along;
    if (!eval_integer(c->f, c->s, c->x->arg.at[0], "the dimension of 'cat'", &along))
        return false;
    uint32_t n = c->x->arg.n - 1;
    Value *part = arena_array(c->f->scratch, Value, n);
    bool any_dynamic = false;
    for (uint32_t k = 0; k < n; k++) {
        if (!argument_any(c, k + 1, &part[k]))
            return false;
        any_dynamic = any_dynamic || part[k].kind == VALUE_DYNAMIC;
        bool is_array = part[k].kind == VALUE_PLAIN || part[k].kind == VALUE_RECORD ||
                        part[k].kind == VALUE_DYNAMIC;
        if (!is_array || along < 1 || along > part[k].n_dims)
            return bad_argument(c, k + 1, "arrays that have the dimension", &part[k]);
    }
    return any_dynamic ? dynamic_cat(c->f, c->x->span, (uint32_t)along - 1, n, part, out)
                       : value_cat(c->f, c->x->span, (uint32_t)along - 1, n, part, out);
}

/* ---- Matrices and vectors (10.3.5) ----------------------------------------------------- */

static bool builtin_transpose(const Call *c, Value *out)
{
    Value v;
    if (!argument_any(c, 0, &v))
        return false;
    if (v.n_dims < 2)
        return bad_argument(c, 0, "a matrix", &v);
    if (v.kind == VALUE_DYNAMIC)
        return dynamic_transpose(c->f, c->x->span, &v, out);
    *out = value_transpose(c->f, &v);
    return true;
}

static bool vector_argument(const Call *c, uint32_t k, uint32_t size, Value *out)
{
    if (!numeric_argument(c, k, out))
        return false;
    if (out->n_dims != 1 || (size > 0 && out->dims[0] != size))
        return bad_argument(c, k, size == 3 ? "a vector of 3 elements" : "a vector", out);
    return true;
}

static bool builtin_outer_product(const Call *c, Value *out)
{
    Value a;
    Value b;
    if (!vector_argument(c, 0, 0, &a) || !vector_argument(c, 1, 0, &b))
        return false;
    a = value_promote(c->f, &a, 2);
    b = value_promote(c->f, &b, 2);
    b = value_transpose(c->f, &b);
    return operator_binary(c->f, SYN_MUL, c->x->span, &a, &b, out);
}

static bool builtin_symmetric(const Call *c, Value *out)
{
    Value v;
    if (!argument(c, 0, &v))
        return false;
    if (v.kind != VALUE_PLAIN || v.n_dims != 2 || v.dims[0] != v.dims[1])
        return bad_argument(c, 0, "a square matrix", &v);
    Value r = value_copy(c->f->scratch, &v);
    uint32_t n = v.dims[0];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            r.elem[i * n + j] = v.elem[j * n + i];
    *out = r;
    return true;
}

static bool builtin_cross(const Call *c, Value *out)
{
    ExprPool *p = c->f->sys->pool;
    Value a;
    Value b;
    if (!vector_argument(c, 0, 3, &a) || !vector_argument(c, 1, 3, &b))
        return false;
    types_unify(&a, &b);
    *out = value_array(c->f->scratch, a.type, 1, a.dims);
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t i = (k + 1) % 3;
        uint32_t j = (k + 2) % 3;
        out->elem[k] =
            expr_sub(p, expr_mul(p, a.elem[i], b.elem[j]), expr_mul(p, a.elem[j], b.elem[i]));
    }
    return true;
}

static bool builtin_skew(const Call *c, Value *out)
{
    ExprPool *p = c->f->sys->pool;
    Value a;
    if (!vector_argument(c, 0, 3, &a) || !square(c, a.type, 3, out))
        return false;
    /* [0, -x3, x2; x3, 0, -x1; -x2, x1, 0] */
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t i = (k + 1) % 3;
        uint32_t j = (k + 2) % 3;
        out->elem[j * 3 + i] = a.elem[k];
        out->elem[i * 3 + j] = expr_neg(p, a.elem[k]);
    }
    return true;
}

/* ---- Operators on time and events (3.7.4, 3.7.5) --------------------------------------- */

static bool derivative(const Call *c, ExprId x, ExprId *out)
{
    System *sys = c->f->sys;
    ExprPool *p = sys->pool;
    if (expr_is_fixed(p, x)) {
        *out = expr_int(p, 0);
        return true;
    }
    switch (expr_op(p, x)) {
    case OP_TIME:
        *out = expr_int(p, 1);
        return true;
    case OP_NEG:
        if (!derivative(c, expr_arg(p, x, 0), out))
            return false;
        *out = expr_neg(p, *out);
        return true;
    case OP_VAR: {
        VarId v = expr_var_of(p, x);
        if (var_at(sys, v)->kind == VAR_DISCRETE) {
            diag_error(c->f->diags, c->x->span, "T20", "'%s' is discrete and has no derivative",
                       var_at(sys, v)->name.s);
            return false;
        }
        *out = system_var_expr(sys, system_der(sys, v));
        return true;
    }
    case OP_PROJ: {
        Intrinsic i = sys->function->at[expr_func_of(p, expr_arg(p, x, 0)).i].intrinsic;
        if (i >= INTRINSIC_SAMPLE && i != INTRINSIC_HOLD && i <= INTRINSIC_BACK_SAMPLE) {
            diag_error(c->f->diags, c->x->span, "T20",
                       "the result of a clock operator has no derivative (MLS 16.5.3)");
            return false;
        }
        *out = expr_wrap(p, OP_DER, x);
        return true;
    }
    default:
        *out = expr_wrap(p, OP_DER, x);
        return true;
    }
}

static bool builtin_der(const Call *c, Value *out)
{
    Value v;
    if (!argument(c, 0, &v))
        return false;
    if (v.kind != VALUE_PLAIN || (v.type != TYPE_REAL && v.type != TYPE_INTEGER))
        return bad_argument(c, 0, "a Real", &v);
    if (c->f->eval.in_function) {
        diag_error(c->f->diags, c->x->span, "F30", "'der' cannot stand in a function");
        return false;
    }
    /* MLS 3.7.4: der() of Real expressions only; an Integer that may vary is an error */
    if (v.type == TYPE_INTEGER && value_size(&v) > 0) {
        for (uint32_t k = 0; k < value_size(&v); k++)
            if (expr_is_fixed(c->f->sys->pool, v.elem[k]))
                return bad_argument(c, 0, "a Real", &v);
    }
    v.type = TYPE_REAL;
    v.unit = (Name){NULL};
    return map_value(c, &v, derivative, out);
}

static bool wrap(const Call *c, ExprId x, ExprId *out)
{
    *out = expr_wrap(c->f->sys->pool, (Op)c->b->detail, x);
    return true;
}

static bool builtin_no_event(const Call *c, Value *out)
{
    Value v;
    bool outer = c->f->eval.in_no_event;
    c->f->eval.in_no_event = true;
    bool ok = argument(c, 0, &v);
    c->f->eval.in_no_event = outer;
    return ok && map_value(c, &v, wrap, out);
}

/* Is this Real or Integer, or an array or record of such. */
static bool all_numbers(const Value *v)
{
    bool are = v->kind == VALUE_RECORD || v->type == TYPE_REAL || v->type == TYPE_INTEGER;
    for (uint32_t k = 0; v->kind == VALUE_RECORD && k < v->n_fields; k++)
        are = are && all_numbers(&v->field[k]);
    return are;
}

/* Contents of an expression: relations and the like that make events; conditional expressions and
 * jumps that make none. */
enum { MAKES_EVENTS = 1, MAY_JUMP = 2 };

/* The contents of the operator of x itself, without its arguments. */
static uint32_t is_made_of(const ExprPool *p, ExprId x)
{
    Fn2 of_two = FN2_COUNT;
    switch (expr_op(p, x)) {
    case OP_LT:
    case OP_LE:
    case OP_EQ:
    case OP_NE:
        return MAKES_EVENTS;
    case OP_SELECT:
        return MAY_JUMP;
    case OP_FN:
        return expr_fn_of(p, x) == FN_SIGN ? MAY_JUMP
               : expr_fn_of(p, x) == FN_FLOOR || expr_fn_of(p, x) == FN_CEIL
                   ? MAKES_EVENTS | MAY_JUMP
                   : 0;
    case OP_FN2:
        of_two = expr_fn2_of(p, x);
        return of_two == FN2_MOD || of_two == FN2_REM || of_two == FN2_DIV ? MAKES_EVENTS | MAY_JUMP
                                                                           : 0;
    default:
        return 0;
    }
}

/* smooth(0, x): keeps the events; wraps in smooth() the parts that may jump without an event. */
static bool promise(const Call *c, ExprId root, ExprId *out)
{
    ExprPool *p = c->f->sys->pool;
    Arena *tmp = arena_new();
    Map made = map_new(tmp), has = map_new(tmp);
    VEC(ExprId) stack = {0};
    vec_push(tmp, stack, root);
    while (stack.n) {
        ExprId x = vec_last(stack), arg[3];
        uint32_t n = expr_n_args(p, x), in = is_made_of(p, x), first = expr_op(p, x) == OP_SELECT;
        bool ready = true, changed = false;
        // leave parts that are declared smooth already, and calls of functions
        if (expr_op(p, x) == OP_SMOOTH || expr_op(p, x) == OP_CALL || n > 3)
            n = 0;
        for (uint32_t k = 0; k < n; k++)
            if (map_get(&has, expr_arg(p, x, k).i) == MAP_NONE) {
                vec_push(tmp, stack, expr_arg(p, x, k));
                ready = false;
            }
        if (!ready)
            continue;
        stack.n--;
        for (uint32_t k = 0; k < n; k++)
            in |= map_get(&has, expr_arg(p, x, k).i);
        if (expr_op(p, x) == OP_NOEVENT) {
            in &= ~(uint32_t)MAKES_EVENTS;
            // the operands of a relation of a function make theirs
            ExprId of = expr_arg(p, x, 0);
            uint32_t operands = expr_noevent_of_function(p, x) ? expr_n_args(p, of) : 0;
            for (uint32_t k = 0; k < operands; k++)
                in |= map_get(&has, expr_arg(p, of, k).i) & MAKES_EVENTS;
        }
        // conditions stay as they are
        for (uint32_t k = 0; k < n && in & MAKES_EVENTS; k++) {
            ExprId a = expr_arg(p, x, k);
            arg[k] = k < first ? a : (ExprId){map_get(&made, a.i)};
            if (k >= first && map_get(&has, a.i) == MAY_JUMP)
                arg[k] = expr_smooth(p, a);
            changed = changed || !expr_same(a, arg[k]);
        }
        map_put(&made, x.i, changed ? expr_rebuild(p, x, arg).i : x.i);
        map_put(&has, x.i, in);
    }
    *out = (ExprId){map_get(&made, root.i)};
    if (map_get(&has, root.i) == MAY_JUMP)
        *out = expr_smooth(p, root);
    arena_free(tmp);
    return true;
}

static bool builtin_smooth(const Call *c, Value *out)
{
    Value v;
    long order;
    if (!eval_integer(c->f, c->s, c->x->arg.at[0], "the order of 'smooth'", &order) ||
        !argument(c, 1, &v))
        return false;
    if (order < 0) {
        diag_error(c->f->diags, c->x->arg.at[0]->span, "T08",
                   "the order of 'smooth' cannot be negative (MLS 3.7.5)");
        return false;
    }
    if (!all_numbers(&v))
        return bad_argument(c, 1, "Reals (MLS 3.7.5)", &v);
    if (v.kind == VALUE_PLAIN)
        v.type = TYPE_REAL;
    /* MLS 3.7.5: events may be left out. A kink is better found than smeared over a step. */
    if (order < 1 && v.kind == VALUE_PLAIN)
        return map_value(c, &v, promise, out);
    return map_value(c, &v, wrap, &v) && map_value(c, &v, promise, out);
}

/* The left limit of a discrete expression; a constant is its own. */
static bool left_limit(const Call *c, ExprId x, ExprId *out)
{
    *out = expr_wrap(c->f->sys->pool, OP_PRE, x);
    return true;
}

/* The argument of an operator for discrete-time expressions. Every expression of another type than
 * Real is one (MLS 3.8.4), also a relation of continuous variables. */
static bool discrete_argument(const Call *c, bool is_before, Value *out)
{
    ExprPool *p = c->f->sys->pool;
    bool outer = c->f->eval.in_left_limit;
    c->f->eval.in_left_limit = is_before;
    bool ok = argument(c, 0, out);
    c->f->eval.in_left_limit = outer;
    if (!ok)
        return false;
    bool is_real = out->kind == VALUE_PLAIN && out->type == TYPE_REAL;
    is_real = is_real && !c->f->eval.in_when;
    for (uint32_t k = 0; is_real && k < value_size(out); k++)
        if (expr_variability(p, out->elem[k]) > VARIES_DISCRETE) {
            diag_error(c->f->diags, c->x->span, "T20", "'%s' needs a discrete variable",
                       c->b->name);
            return false;
        }
    return true;
}

static bool builtin_pre(const Call *c, Value *out)
{
    Value v;
    return discrete_argument(c, true, &v) && map_value(c, &v, left_limit, out);
}

/* edge(b) = b and not pre(b), change(v) = v <> pre(v) (MLS 3.7.5) */
static bool changed(const Call *c, bool rises, Value *out)
{
    ExprPool *p = c->f->sys->pool;
    Value now;
    Value before;
    if (!discrete_argument(c, false, &now) || !discrete_argument(c, true, &before))
        return false;
    if (now.kind != VALUE_PLAIN || (rises && now.type != TYPE_BOOLEAN))
        return bad_argument(c, 0, rises ? "a Boolean" : "a variable", &now);
    uint32_t n = value_size(&now);
    *out = now;
    out->type = TYPE_BOOLEAN;
    out->cls = NULL;
    out->elem = arena_array(c->f->scratch, ExprId, n);
    for (uint32_t k = 0; k < n; k++) {
        ExprId left = expr_wrap(p, OP_PRE, before.elem[k]);
        out->elem[k] = rises ? expr_and(p, now.elem[k], expr_not(p, left))
                             : expr_compare(p, OP_NE, now.elem[k], left);
    }
    return true;
}

static bool builtin_edge(const Call *c, Value *out)
{
    return changed(c, true, out);
}

static bool builtin_change(const Call *c, Value *out)
{
    return changed(c, false, out);
}

static bool builtin_initial(const Call *c, Value *out)
{
    *out = scalar(c, TYPE_BOOLEAN, expr_initial(c->f->sys->pool));
    return true;
}

static ExprId memory(const Call *c, Memory m, const char *name)
{
    System *s = c->f->sys;
    m.span = c->x->span;
    return system_var_expr(s, system_add_memory(s, m, TYPE_BOOLEAN, name));
}

static bool builtin_terminal(const Call *c, Value *out)
{
    *out = scalar(c, TYPE_BOOLEAN, memory(c, (Memory){.kind = MEMORY_TERMINAL}, "terminal"));
    return true;
}

/* ---- Clocks (MLS 16) ------------------------------------------------------------------------- */

static bool clocked(const Call *c, Value *out)
{
    return clock_operator(c->f, c->s, c->b->name, c->x, out);
}

/* sample(start, interval) (MLS 3.7.5); sample(u) and sample(u, clock) are of a clock */
static bool builtin_sample(const Call *c, Value *out)
{
    ExprPool *p = c->f->sys->pool;
    Value v[2];
    if (c->x->n_named || c->x->arg.n == 1 ||
        (argument(c, 1, &v[1]) && v[1].kind == VALUE_PLAIN && v[1].type == TYPE_CLOCK))
        return clocked(c, out);
    for (uint32_t k = 0; k < 2; k++) {
        if (!argument(c, k, &v[k]))
            return false;
        if (!value_is_scalar(&v[k]) || (v[k].type != TYPE_REAL && v[k].type != TYPE_INTEGER))
            return bad_argument(c, k, "a time", &v[k]);
        if (!expr_is_fixed(p, v[k].elem[0])) {
            diag_error(c->f->diags, c->x->span, "T20",
                       "the start and the interval of 'sample' must be parameter expressions");
            return false;
        }
    }
    double interval;
    if (expr_constant(p, v[1].elem[0], &interval) && interval <= 0) {
        diag_error(c->f->diags, c->x->arg.at[1]->span, "T08",
                   "the interval of 'sample' must be positive, this is %.6g (MLS 3.7.5)", interval);
        return false;
    }
    Memory m = {.kind = MEMORY_SAMPLE, .start = v[0].elem[0], .interval = v[1].elem[0]};
    *out = scalar(c, TYPE_BOOLEAN, memory(c, m, "sample"));
    return true;
}

/* homotopy(actual, simplified) of one scalar. An actual expression without variables needs no
 * homotopy */
static ExprId homotopy(const Call *c, ExprId actual, ExprId simplified)
{
    System *s = c->f->sys;
    bool is_known = expr_is_fixed(s->pool, actual);
    if (is_known || c->f->eval.in_function || expr_same(actual, simplified))
        return actual;
    return expr_homotopy(s, actual, simplified);
}

/* The inputs of a built-in function by position and by name; NULL where one is not given. */
static bool inputs_of(const Call *c, uint32_t n, const char *const *name, const SynExpr **x)
{
    for (uint32_t k = 0; k < n; k++)
        x[k] = k < c->x->arg.n ? c->x->arg.at[k] : NULL;
    for (uint32_t k = 0; k < c->x->n_named; k++) {
        uint32_t i = 0;
        while (i < n && strcmp(c->x->named[k].name.s, name[i]) != 0)
            i++;
        if (i == n || x[i]) {
            diag_error(c->f->diags, c->x->named[k].span, "T07",
                       i == n ? "'%s' has no input '%s'" : "'%s' has '%s' twice", c->b->name,
                       c->x->named[k].name.s);
            return false;
        }
        x[i] = c->x->named[k].value;
    }
    return true;
}

/* homotopy(actual, simplified) (MLS 3.7.4.4) */
static bool builtin_homotopy(const Call *c, Value *out)
{
    static const char *const input[] = {"actual", "simplified"};
    const SynExpr *x[2];
    if (!inputs_of(c, 2, input, x))
        return false;
    Value v[2];
    for (uint32_t k = 0; k < 2; k++) {
        if (!x[k]) {
            diag_error(c->f->diags, c->x->span, "T07", "argument '%s' of 'homotopy' is missing",
                       input[k]);
            return false;
        }
        if (!expression_value(c->f, c->s, x[k], &v[k]))
            return false;
        if (!all_numbers(&v[k])) {
            diag_error(c->f->diags, x[k]->span, "T08", "'homotopy' is of Reals, this is %s",
                       type_text(c->f, &v[k]));
            return false;
        }
    }
    if (v[0].kind == VALUE_PLAIN && v[1].kind == VALUE_PLAIN && !value_same_dims(&v[0], &v[1])) {
        diag_error(c->f->diags, x[1]->span, "T02", "'homotopy' of %s and %s",
                   type_text(c->f, &v[0]), type_text(c->f, &v[1]));
        return false;
    }
    *out = v[0];
    if (v[0].kind != VALUE_PLAIN || v[1].kind != VALUE_PLAIN)
        return true;
    uint32_t n = value_size(&v[0]);
    out->type = TYPE_REAL;
    out->elem = arena_array(c->f->scratch, ExprId, n);
    for (uint32_t k = 0; k < n; k++)
        out->elem[k] = homotopy(c, v[0].elem[k], v[1].elem[k]);
    return true;
}

/* 3.7.4.5: x >= 0 chooses the slope */
static bool builtin_semi_linear(const Call *c, Value *out)
{
    ExprPool *p = c->f->sys->pool;
    Value a[3];
    const Value *shape = &a[0];
    for (uint32_t k = 0; k < 3; k++) {
        if (!numeric_argument(c, k, &a[k]))
            return false;
        if (a[k].n_dims && shape->n_dims && !value_same_dims(shape, &a[k]))
            return bad_argument(c, k, type_text(c->f, shape), &a[k]);
        shape = a[k].n_dims ? &a[k] : shape;
    }
    *out = value_array(c->f->scratch, TYPE_REAL, shape->n_dims, shape->dims);
    for (uint32_t k = 0; k < value_size(shape); k++) {
        ExprId x[3];
        for (uint32_t i = 0; i < 3; i++)
            x[i] = a[i].elem[a[i].n_dims ? k : 0];
        ExprId up = expression_event(c->f, expr_compare(p, OP_LE, expr_int(p, 0), x[0]));
        out->elem[k] = expr_select(p, up, expr_mul(p, x[0], x[1]), expr_mul(p, x[0], x[2]));
    }
    return true;
}

static bool builtin_pure(const Call *c, Value *out)
{
    return argument(c, 0, out);
}

static bool builtin_assert(const Call *c, Value *out)
{
    (void)out;
    diag_error(c->f->diags, c->x->span, "T07", "'%s' has no value", c->b->name);
    return false;
}

/* MLS 3.7.4.1: element by element; a delay that varies has a longest one. */
static bool builtin_delay(const Call *c, Value *out)
{
    ExprPool *p = c->f->sys->pool;
    Value by;
    if (!argument(c, 0, out) || !argument(c, 1, &by))
        return false;
    if (out->kind != VALUE_PLAIN || (out->type != TYPE_REAL && out->type != TYPE_INTEGER))
        return bad_argument(c, 0, "Real", out);
    if (!value_is_scalar(&by) || (by.type != TYPE_REAL && by.type != TYPE_INTEGER))
        return bad_argument(c, 1, "a time", &by);
    double seconds;
    bool known = expr_constant(p, by.elem[0], &seconds);
    if (known && seconds < 0) {
        diag_error(c->f->diags, c->x->span, "T08", "a delay cannot be negative");
        return false;
    }
    Value most = by;
    if (c->x->arg.n == 3) {
        double longest;
        if (!argument(c, 2, &most))
            return false;
        if (!value_is_scalar(&most) || (most.type != TYPE_REAL && most.type != TYPE_INTEGER))
            return bad_argument(c, 2, "a time", &most);
        if (!expr_is_fixed(p, most.elem[0])) {
            diag_error(c->f->diags, c->x->arg.at[2]->span, "T20",
                       "the longest delay must be a parameter expression (MLS 3.7.4.1)");
            return false;
        }
        if (known && expr_constant(p, most.elem[0], &longest) && seconds > longest) {
            diag_error(c->f->diags, c->x->span, "T08",
                       "a delay by %.6g is longer than the longest, %.6g (MLS 3.7.4.1)", seconds,
                       longest);
            return false;
        }
    }
    if (!expr_is_fixed(p, by.elem[0]) && c->x->arg.n == 2) {
        diag_error(c->f->diags, c->x->span, "T20",
                   "a delay by a time that varies needs a longest delay as third argument "
                   "(MLS 3.7.4.1)");
        return false;
    }
    bool varies = !expr_is_fixed(p, by.elem[0]);
    *out = value_copy(c->f->scratch, out);
    out->type = TYPE_REAL;
    for (uint32_t k = 0; k < value_size(out); k++)
        if (!expr_is_fixed(p, out->elem[k]) && !(known && seconds == 0))
            out->elem[k] =
                expr_delay(c->f->sys, out->elem[k], by.elem[0], varies ? most.elem[0] : EXPR_NONE);
    return true;
}

/* The piecewise linear function through n points at y. */
static ExprId through_points(ExprPool *p, uint32_t n, const ExprId *point, const ExprId *value,
                             ExprId y)
{
    ExprId out = value[n - 1];
    for (uint32_t k = n - 1; k-- > 0;) {
        ExprId slope =
            expr_div(p, expr_sub(p, value[k + 1], value[k]), expr_sub(p, point[k + 1], point[k]));
        ExprId line = expr_add(p, value[k], expr_mul(p, slope, expr_sub(p, y, point[k])));
        out =
            k == n - 2 ? line : expr_select(p, expr_compare(p, OP_LT, y, point[k + 1]), line, out);
    }
    return out;
}

/* The value at one end: the input there while the fluid flows in; else, of the particle that
 * leaves, the input on its side when it entered, or the distribution at the start. */
static ExprId transported(const Call *c, bool end, ExprId x, ExprId flows_in, const ExprId in[2],
                          uint32_t n, const ExprId *point, const ExprId *value)
{
    System *s = c->f->sys;
    ExprPool *p = s->pool;
    ExprId longest = expr_double(p, DBL_MAX);
    ExprId of_left = expr_delay(s, in[0], expr_particle(s, x, end, PARTICLE_LEFT_AGE), longest);
    ExprId of_right = expr_delay(s, in[1], expr_particle(s, x, end, PARTICLE_RIGHT_AGE), longest);
    ExprId place = expr_particle(s, x, end, PARTICLE_PLACE);
    ExprId at_start = expr_wrap(p, OP_NOEVENT, through_points(p, n, point, value, place));
    // while the fluid flows in, the origin of particles makes no events
    ExprId origin =
        expr_select(p, flows_in, expr_int(p, 0), expr_particle(s, x, end, PARTICLE_ORIGIN));
    ExprId was_inside = expr_compare(p, OP_LT, origin, expr_ratio(p, 1, 2));
    ExprId from_left = expr_compare(p, OP_LT, origin, expr_ratio(p, 3, 2));
    return expr_select(
        p, flows_in, in[end],
        expr_select(p, was_inside, at_start, expr_select(p, from_left, of_left, of_right)));
}

enum { IN0, IN1, POSITION, IS_POSITIVE, POINTS, VALUES, TRANSPORT_INPUTS };

/* The inputs of spatialDistribution; the distribution at the start is zero where none is given. */
static bool transport_inputs(const Call *c, Value v[TRANSPORT_INPUTS])
{
    static const char *const name[] = {"in0",           "in1",          "x", "positiveVelocity",
                                       "initialPoints", "initialValues"};
    static const char *const kind[] = {
        "Real", "Real", "Real", "Boolean", "vector of Reals", "vector of Reals"};
    const SynExpr *x[TRANSPORT_INPUTS];
    if (!inputs_of(c, TRANSPORT_INPUTS, name, x))
        return false;
    for (uint32_t k = 0; k < TRANSPORT_INPUTS; k++) {
        if (!x[k] && k < POINTS) {
            diag_error(c->f->diags, c->x->span, "T07", "argument '%s' of '%s' is missing", name[k],
                       c->b->name);
            return false;
        }
        if (!x[k]) {
            uint32_t two = 2;
            v[k] = value_array(c->f->scratch, TYPE_REAL, 1, &two);
            v[k].elem[0] = expr_int(c->f->sys->pool, 0);
            v[k].elem[1] = expr_int(c->f->sys->pool, k == POINTS);
            continue;
        }
        if (!expression_value(c->f, c->s, x[k], &v[k]))
            return false;
        bool is_number = v[k].type == TYPE_REAL || v[k].type == TYPE_INTEGER;
        bool has_type = k == IS_POSITIVE ? v[k].type == TYPE_BOOLEAN : is_number;
        if (v[k].kind == VALUE_PLAIN && has_type && v[k].n_dims == (k < POINTS ? 0 : 1))
            continue;
        diag_error(c->f->diags, x[k]->span, "T08", "argument '%s' of '%s' is a %s, this is %s",
                   name[k], c->b->name, kind[k], type_text(c->f, &v[k]));
        return false;
    }
    return true;
}

/* Points from 0 to 1, ascending, which is asserted where they are not known yet; and as many
 * values. */
static bool is_distribution(const Call *c, const Value *point, const Value *value)
{
    static const char ASCEND[] = "'initialPoints' ascend from 0 to 1 (MLS 3.7.4.2)";
    ExprPool *p = c->f->sys->pool;
    uint32_t n = value_size(point);
    if (n < 2 || value_size(value) != n) {
        diag_error(c->f->diags, c->x->span, "T08",
                   "'initialPoints' and 'initialValues' have the same size, at least 2, these are "
                   "%u and %u (MLS 3.7.4.2)",
                   n, value_size(value));
        return false;
    }
    for (uint32_t k = 0; k < n; k++) {
        if (expr_is_fixed(p, point->elem[k]) && expr_is_fixed(p, value->elem[k]))
            continue;
        diag_error(c->f->diags, c->x->span, "T20",
                   "the distribution at the start consists of parameter expressions "
                   "(MLS 3.7.4.2)");
        return false;
    }
    ExprId ascends = expr_and(p, expr_compare(p, OP_EQ, point->elem[0], expr_int(p, 0)),
                              expr_compare(p, OP_EQ, point->elem[n - 1], expr_int(p, 1)));
    for (uint32_t k = 1; k < n; k++)
        ascends = expr_and(p, ascends, expr_compare(p, OP_LT, point->elem[k - 1], point->elem[k]));
    double holds;
    if (!expr_constant(p, ascends, &holds)) {
        expression_must_hold(c->f, ascends, c->x->span, name_of(c->f->names, ASCEND));
        return true;
    }
    if (holds == 0)
        diag_error(c->f->diags, c->x->span, "T08", "%s", ASCEND);
    return holds != 0;
}

/* MLS 3.7.4.2: (out0, out1) = spatialDistribution(in0, in1, x, positiveVelocity, initialPoints,
 * initialValues), z(y, t) with dz/dt + der(x) dz/dy = 0 for y in [0, 1], at both ends. */
static bool builtin_transport(const Call *c, Value *out)
{
    ExprPool *p = c->f->sys->pool;
    Value v[TRANSPORT_INPUTS];
    if (!transport_inputs(c, v) || !is_distribution(c, &v[POINTS], &v[VALUES]))
        return false;
    const ExprId in[2] = {v[IN0].elem[0], v[IN1].elem[0]}, is_positive = v[IS_POSITIVE].elem[0];
    for (uint32_t end = 0; end < c->n_out; end++) {
        ExprId flows_in = end == 0 ? is_positive : expr_not(p, is_positive);
        out[end] = value_array(c->f->scratch, TYPE_REAL, 0, NULL);
        out[end].elem[0] = transported(c, end == 1, v[POSITION].elem[0], flows_in, in,
                                       value_size(&v[POINTS]), v[POINTS].elem, v[VALUES].elem);
    }
    return true;
}

static bool stream_of(const Call *c, ExprId x, ExprId *out)
{
    return scope_stream(c->f, x, c->b->detail, c->x->span, out);
}

static bool builtin_stream(const Call *c, Value *out)
{
    Value v;
    return argument(c, 0, &v) && map_value(c, &v, stream_of, out);
}

/* MLS 3.7.4.4: the model's own name, then the path of the instance. */
static bool builtin_instance_name(const Call *c, Value *out)
{
    const char *name = scope_instance_name(c->f, c->s);
    *out = scalar(c, TYPE_STRING, expr_string(c->f->sys->pool, name_of(c->f->names, name)));
    return true;
}

/* MLS 17.1 */
static bool builtin_active_state(const Call *c, Value *out)
{
    const SynExpr *x = c->x->arg.at[0];
    ExprId is;
    if (x->kind != SYN_CREF) {
        diag_error(c->f->diags, x->span, "F50", "a state is a block of the model (MLS 17.1)");
        return false;
    }
    if (!scope_active_state(c->f, c->s, x->cref, &is))
        return false;
    *out = scalar(c, TYPE_BOOLEAN, is);
    return true;
}

static bool builtin_in_state(const Call *c, Value *out)
{
    ExprId x;
    if (!scope_in_state(c->f, c->s, c->b->detail, c->x->span, &x))
        return false;
    *out = scalar(c, c->b->detail ? TYPE_REAL : TYPE_INTEGER, x);
    return true;
}

static bool builtin_transition(const Call *c, Value *out)
{
    (void)out;
    diag_error(c->f->diags, c->x->span, "F50",
               "'%s' is an equation of its own, in an equation section (MLS 17.1)", c->b->name);
    return false;
}

/* ---- Connections (MLS 3.7.4.3, 9.4) ---------------------------------------------------- */

static bool connector_argument(const Call *c, const SynCref **out)
{
    const SynExpr *x = c->x->arg.at[0];
    if (x->kind != SYN_CREF) {
        diag_error(c->f->diags, x->span, "T08", "'%s' needs the name of a connector", c->b->name);
        return false;
    }
    *out = x->cref;
    return true;
}

static bool builtin_cardinality(const Call *c, Value *out)
{
    const SynCref *cref;
    long n;
    if (!connector_argument(c, &cref) || !scope_cardinality(c->f, c->s, cref, &n))
        return false;
    *out = integer(c, n);
    return true;
}

static bool builtin_root(const Call *c, Value *out)
{
    const SynCref *cref;
    bool is;
    if (!connector_argument(c, &cref) ||
        !(c->b->detail ? scope_is_rooted : scope_is_root)(c->f, c->s, cref, &is))
        return false;
    *out = scalar(c, TYPE_BOOLEAN, expr_int(c->f->sys->pool, is));
    return true;
}

/* ---- Conversions (4.9.5, 3.7.1) -------------------------------------------------------- */

static bool builtin_integer_of(const Call *c, Value *out)
{
    Value v;
    if (!argument(c, 0, &v))
        return false;
    if (v.kind != VALUE_PLAIN || (v.type != TYPE_ENUMERATION && v.type != TYPE_INTEGER))
        return bad_argument(c, 0, "an enumeration", &v);
    v.type = TYPE_INTEGER;
    v.cls = NULL;
    *out = v;
    return true;
}

typedef struct StringOptions {
    long digits, length;
    bool left;
    const char *format; /* or NULL */
} StringOptions;

static bool string_options(const Call *c, const Value *v, StringOptions *out)
{
    bool is_real = v->type == TYPE_REAL;
    bool is_number = is_real || v->type == TYPE_INTEGER;
    static const char *const formals[] = {"significantDigits", "minimumLength", "leftJustified",
                                          "format"};
    const SynExpr *x = c->x;
    const SynExpr *arg[4] = {NULL};
    if (x->arg.n > 1) {
        diag_error(c->f->diags, x->arg.at[1]->span, "T07",
                   "after the value the arguments of 'String' are named (MLS 3.7.1.2)");
        return false;
    }
    for (uint32_t k = 0; k < x->n_named; k++) {
        uint32_t i = 0;
        while (i < 4 && strcmp(formals[i], x->named[k].name.s) != 0)
            i++;
        if (i == 4) {
            diag_error(c->f->diags, x->named[k].span, "T07", "'String' has no argument '%s'",
                       x->named[k].name.s);
            return false;
        }
        arg[i] = x->named[k].value;
    }
    /* MLS 3.7.1: the formal arguments depend on the type, which is not converted */
    const char *odd = arg[0] && !is_real                       ? formals[0]
                      : arg[3] && !is_number                   ? formals[3]
                      : arg[3] && (arg[0] || arg[1] || arg[2]) ? formals[3]
                                                               : NULL;
    if (odd) {
        diag_error(c->f->diags, x->span, "T07",
                   odd == formals[3] && is_number ? "'String' has '%s' alone or not at all"
                                                  : "'String' of this type has no '%s' (MLS 3.7.1)",
                   odd);
        return false;
    }
    *out = (StringOptions){6, 0, true, NULL};
    if (arg[0] && !eval_integer(c->f, c->s, arg[0], formals[0], &out->digits))
        return false;
    if (arg[1] && !eval_integer(c->f, c->s, arg[1], formals[1], &out->length))
        return false;
    if (arg[2] && !eval_boolean(c->f, c->s, arg[2], formals[2], &out->left))
        return false;
    if (arg[3]) {
        ExprId text;
        if (!expression_scalar(c->f, c->s, arg[3], TYPE_STRING, &text))
            return false;
        if (expr_op(c->f->sys->pool, text) != OP_STRING) {
            diag_error(c->f->diags, arg[3]->span, "T08",
                       "the format of 'String' must be known when the model is compiled");
            return false;
        }
        out->format = expr_text_of(c->f->sys->pool, text).s;
    }
    if (out->digits < 1 || out->digits > 100 || out->length < 0 || out->length > 1000) {
        diag_error(c->f->diags, x->span, "T08", "these sizes of 'String' make no sense");
        return false;
    }
    return true;
}

/* A format of the form [-+ 0#]*width.precision[eEfgG] (MLS 3.7.1): nothing else reaches printf. */
static bool format_of(const Call *c, const char *format, char text[16])
{
    size_t n = strlen(format);
    size_t flags = strspn(format, "-+ 0#");
    size_t digits = flags + strspn(format + flags, "0123456789");
    size_t width = digits;
    if (format[digits] == '.')
        digits += 1 + strspn(format + digits + 1, "0123456789");
    if (n > 12 || digits + 1 != n || !strchr("eEfgGdi", format[digits])) {
        diag_error(c->f->diags, c->x->span, "T08", "'%s' is not a format for 'String'", format);
        return false;
    }
    bool is_integer = strchr("di", format[digits]) != NULL;
    if (is_integer)
        snprintf(text, 16, "%%%.*s.0f", (int)width, format);
    else
        snprintf(text, 16, "%%%s", format);
    return true;
}

static const char *format_text(const Call *c, const char *format, double value)
{
    char text[16];
    char result[400];
    if (!format_of(c, format, text))
        return NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(result, sizeof result, text, value);
#pragma GCC diagnostic pop
    return arena_printf(c->f->scratch, "%s", result);
}

/* Each of the lines in a field of the width that the options give. */
static const char *padded_line(const Call *c, const StringOptions *o, const char *before,
                               const char *line)
{
    return arena_printf(c->f->scratch, o->left ? "%s\n%-*s" : "%s\n%*s", before, (int)o->length,
                        line);
}

/* String(x) of an x that varies. */
static bool text_at_run_time(const Call *c, const Value *v, const StringOptions *o, Value *out)
{
    Front *f = c->f;
    ExprId x = v->elem[0];
    char own[16];
    const char *format = own;
    if (v->type == TYPE_BOOLEAN) {
        x = expr_add(
            f->sys->pool,
            expr_select(f->sys->pool, x, expr_int(f->sys->pool, 1), expr_int(f->sys->pool, 0)),
            expr_int(f->sys->pool, 1));
        format = padded_line(c, o, padded_line(c, o, "", "false"), "true");
    } else if (v->type == TYPE_ENUMERATION && v->cls) {
        format = "";
        for (uint32_t k = 0; k < class_n_literals(f, v->cls); k++)
            format = padded_line(c, o, format, class_literal(f, v->cls, k).s);
    } else if (o->format) {
        if (!format_of(c, o->format, own))
            return false;
    } else {
        const char *width =
            o->length == 0 ? "" : arena_printf(f->scratch, "%s%ld", o->left ? "-" : "", o->length);
        format = v->type == TYPE_INTEGER ? arena_printf(f->scratch, "%%%s.0f", width)
                                         : arena_printf(f->scratch, "%%%s.%ldg", width, o->digits);
    }
    *out = scalar(c, TYPE_STRING, expr_text_of_number(f->sys, x, format));
    return true;
}

static bool builtin_string(const Call *c, Value *out)
{
    ExprPool *p = c->f->sys->pool;
    Arena *mem = c->f->scratch;
    Value v;
    StringOptions o;
    if (!argument(c, 0, &v))
        return false;
    if (v.kind == VALUE_RECORD && v.cls && v.n_dims == 0) { /* MLS 14.4 */
        bool found;
        bool good = function_string_of(c->f, c->s, v.cls, c->x, out, &found);
        if (found)
            return good;
    }
    if (!value_is_scalar(&v) || v.type == TYPE_STRING)
        return bad_argument(c, 0, "a number, a Boolean or an enumeration", &v);
    if (!string_options(c, &v, &o))
        return false;
    ExprId x;
    const char *text = NULL;
    double value = 0;
    bool constant = expr_variability(p, v.elem[0]) == VARIES_NEVER || c->f->eval.structural;
    bool known = constant && structural_value(c->f, v.elem[0], &x) && expr_constant(p, x, &value);
    if (!known) {
        return function_text_varies(c->f, c->x->span) && text_at_run_time(c, &v, &o, out);
    } else if (v.type == TYPE_BOOLEAN) {
        text = value != 0 ? "true" : "false";
    } else if (v.type == TYPE_ENUMERATION) {
        text = v.cls ? class_literal(c->f, v.cls, (uint32_t)value - 1).s : "";
    } else if (o.format) {
        text = format_text(c, o.format, value);
        if (!text)
            return false;
    } else if (v.type == TYPE_INTEGER) {
        text = arena_printf(mem, "%.0f", value);
    } else {
        text = arena_printf(mem, "%.*g", (int)o.digits, value);
    }
    text = o.left ? arena_printf(mem, "%-*s", (int)o.length, text)
                  : arena_printf(mem, "%*s", (int)o.length, text);
    *out = scalar(c, TYPE_STRING, expr_string(p, name_of(c->f->names, text)));
    return true;
}

/* ---- The table ------------------------------------------------------------------------- */

#define MANY UINT32_MAX

/* Sorted by name (strcmp). */
/* clang-format off */
static const Builtin builtins[] = {
    {"Clock",                     clocked,               0, MANY, 0},
    {"Connections.branch",        builtin_assert,        0, MANY, 0},
    {"Connections.isRoot",        builtin_root,          1, 1, 0},
    {"Connections.potentialRoot", builtin_assert,        0, MANY, 0},
    {"Connections.root",          builtin_assert,        0, MANY, 0},
    {"Connections.rooted",        builtin_root,          1, 1, 1},
    {"Integer",                   builtin_integer_of,    1, 1, 0},
    {"String",                    builtin_string,        1, MANY, 0},
    {"abs",                       builtin_abs,           1, 1, FN_ABS},
    {"acos",                      real_function,         1, 1, FN_ACOS},
    {"activeState",               builtin_active_state,  1, 1, 0},
    {"actualStream",              builtin_stream,        1, 1, 1},
    {"array",                     builtin_array,         1, MANY, 0},
    {"asin",                      real_function,         1, 1, FN_ASIN},
    {"assert",                    builtin_assert,        0, MANY, 0},
    {"atan",                      real_function,         1, 1, FN_ATAN},
    {"atan2",                     builtin_atan2,         2, 2, 0},
    {"backSample",                clocked,               0, MANY, 0},
    {"cardinality",               builtin_cardinality,   1, 1, 0},
    {"cat",                       builtin_cat,           2, MANY, 0},
    {"ceil",                      real_function,         1, 1, FN_CEIL},
    {"change",                    builtin_change,        1, 1, 0},
    {"cos",                       real_function,         1, 1, FN_COS},
    {"cosh",                      real_function,         1, 1, FN_COSH},
    {"cross",                     builtin_cross,         2, 2, 0},
    {"delay",                     builtin_delay,         2, 3, 0},
    {"der",                       builtin_der,           1, 1, 0},
    {"diagonal",                  builtin_diagonal,      1, 1, 0},
    {"div",                       division,              2, 2, FN2_DIV},
    {"edge",                      builtin_edge,          1, 1, 0},
    {"exp",                       real_function,         1, 1, FN_EXP},
    {"fill",                      builtin_fill,          2, MANY, 0},
    {"firstTick",                 clocked,               0, MANY, 0},
    {"floor",                     real_function,         1, 1, FN_FLOOR},
    {"getInstanceName",           builtin_instance_name, 0, 0, 0},
    {"hold",                      clocked,               0, MANY, 0},
    {"homotopy",                  builtin_homotopy,      0, 2, 0},
    {"identity",                  builtin_identity,      1, 1, 0},
    {"inStream",                  builtin_stream,        1, 1, 0},
    {"initial",                   builtin_initial,       0, 0, 0},
    {"initialState",              builtin_transition,    0, MANY, 0},
    {"integer",                   integer_function,      1, 1, FN_FLOOR},
    {"interval",                  clocked,               0, MANY, 0},
    {"linspace",                  builtin_linspace,      3, 3, 0},
    {"log",                       real_function,         1, 1, FN_LOG},
    {"log10",                     real_function,         1, 1, FN_LOG10},
    {"matrix",                    builtin_matrix,        1, 1, 0},
    {"max",                       extremum,              1, 2, FN2_MAX},
    {"min",                       extremum,              1, 2, FN2_MIN},
    {"mod",                       division,              2, 2, FN2_MOD},
    {"ndims",                     builtin_ndims,         1, 1, 0},
    {"noClock",                   clocked,               0, MANY, 0},
    {"noEvent",                   builtin_no_event,      1, 1, OP_NOEVENT},
    {"ones",                      constant_array,        1, MANY, 1},
    {"outerProduct",              builtin_outer_product, 2, 2, 0},
    {"pre",                       builtin_pre,           1, 1, 0},
    {"previous",                  clocked,               0, MANY, 0},
    {"product",                   builtin_product,       1, 1, 0},
    {"promote",                   builtin_promote,       2, 2, 0},
    {"pure",                      builtin_pure,          1, 1, 0},
    {"reinit",                    builtin_assert,        0, MANY, 0},
    {"rem",                       division,              2, 2, FN2_REM},
    {"rooted",                    builtin_root,          1, 1, 1},
    {"sample",                    builtin_sample,        1, 2, 0},
    {"scalar",                    builtin_scalar,        1, 1, 0},
    {"semiLinear",                builtin_semi_linear,   3, 3, 0},
    {"shiftSample",               clocked,               0, MANY, 0},
    {"sign",                      integer_function,      1, 1, FN_SIGN},
    {"sin",                       real_function,         1, 1, FN_SIN},
    {"sinh",                      real_function,         1, 1, FN_SINH},
    {"size",                      builtin_size,          1, 2, 0},
    {"skew",                      builtin_skew,          1, 1, 0},
    {"smooth",                    builtin_smooth,        2, 2, OP_SMOOTH},
    {"spatialDistribution",       builtin_transport,     0, 6, 0},
    {"sqrt",                      real_function,         1, 1, FN_SQRT},
    {"subSample",                 clocked,               0, MANY, 0},
    {"sum",                       builtin_sum,           1, 1, 0},
    {"superSample",               clocked,               0, MANY, 0},
    {"symmetric",                 builtin_symmetric,     1, 1, 0},
    {"tan",                       real_function,         1, 1, FN_TAN},
    {"tanh",                      real_function,         1, 1, FN_TANH},
    {"terminal",                  builtin_terminal,      0, 0, 0},
    {"terminate",                 builtin_assert,        0, MANY, 0},
    {"ticksInState",              builtin_in_state,      0, 0, 0},
    {"timeInState",               builtin_in_state,      0, 0, 1},
    {"transition",                builtin_transition,    0, MANY, 0},
    {"transpose",                 builtin_transpose,     1, 1, 0},
    {"vector",                    builtin_vector,        1, 1, 0},
    {"zeros",                     constant_array,        1, MANY, 0},
};
/* clang-format on */

static int by_name(const void *key, const void *entry)
{
    return strcmp(key, ((const Builtin *)entry)->name);
}

static const Builtin *find(const char *name)
{
    return bsearch(name, builtins, sizeof builtins / sizeof *builtins, sizeof *builtins, by_name);
}

bool builtin_is_function(const char *name)
{
    return find(name) != NULL;
}

const char *builtin_nth(uint32_t k)
{
    return k < sizeof builtins / sizeof *builtins ? builtins[k].name : NULL;
}

uint32_t builtin_n_results(const char *name)
{
    const Builtin *b = find(name);
    return b && b->run == builtin_transport ? 2 : 1;
}

bool builtin_call(Front *f, Scope *s, const char *name, const SynExpr *call, uint32_t n_out,
                  Value *out)
{
    Call c = {.f = f, .s = s, .x = call, .n_out = n_out, .b = find(name)};
    bool names_arguments = c.b->run == clocked || c.b->run == builtin_sample ||
                           c.b->run == builtin_string || c.b->run == builtin_homotopy ||
                           c.b->run == builtin_transition || c.b->run == builtin_transport;
    bool reduces = c.b->run == builtin_sum || c.b->run == builtin_product || c.b->run == extremum ||
                   c.b->run == builtin_array;
    if (call->n_named > 0 && !names_arguments) {
        diag_error(f->diags, call->named[0].span, "T07", "'%s' takes no named arguments", name);
        return false;
    }
    if (call->n_iter > 0 && !reduces) {
        diag_error(f->diags, call->span, "T07", "'%s' takes no iterator", name);
        return false;
    }
    if (call->arg.n < c.b->least || call->arg.n > c.b->most) {
        diag_error(f->diags, call->span, "T07", "'%s' takes %s%u argument%s, these are %u", name,
                   c.b->most == MANY        ? "at least "
                   : c.b->most > c.b->least ? "up to "
                                            : "",
                   c.b->most == MANY ? c.b->least : c.b->most,
                   (c.b->most == MANY ? c.b->least : c.b->most) == 1 ? "" : "s", call->arg.n);
        return false;
    }
    for (uint32_t k = 0; k < call->arg.n; k++)
        if (!call->arg.at[k]) {
            diag_error(f->diags, call->span, "T07", "an argument of '%s' is missing", name);
            return false;
        }
    return c.b->run(&c, out);
}
