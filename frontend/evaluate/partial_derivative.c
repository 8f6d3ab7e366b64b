/* partial_derivative.c -- functions declared as partial derivatives (MLS 12.7.2).
 *
 * function fuv = der(f, u, v) at (u, v): f runs with u + e0, v + e1, its results are differentiated
 * by e0, then by e1, and both become zero. e0, e1, ... are locals of no body.
 */
#include "frontend/evaluate/frame.h"
#include "frontend/evaluate/function_call.h"
#include "ir/operation_derivative.h"

#include <string.h>

enum { FIRST_PLACEHOLDER = 0x7f000000 }; /* beyond the locals of any body */

typedef struct Walk {
    Front *f;
    uint32_t local; /* the placeholder */
    Map memo;       /* node -> its derivative */
    bool failed;    /* a call on the way can neither be expanded nor differentiated */
} Walk;

static ExprId derivative(Walk *w, ExprId x);

static ExprId leaf_derivative(const Walk *w, ExprId x)
{
    ExprPool *p = w->f->sys->pool;
    return expr_int(p, expr_op(p, x) == OP_LOCAL && expr_local_of(p, x) == w->local);
}

/* Of a call: expanded, or an element of an array. */
static ExprId call_derivative(Walk *w, ExprId x)
{
    System *s = w->f->sys;
    ExprPool *p = s->pool;
    ExprId call = expr_arg(p, x, 0);
    FuncId id = expr_func_of(p, call);
    const Function fn = s->function->at[id.i];
    ExprId *arg = arena_array(w->f->scratch, ExprId, fn.n_in + 1);
    ExprId *result = arena_array(w->f->scratch, ExprId, fn.n_out + 1);
    bool moves = false;
    for (uint32_t k = 0; k < fn.n_in; k++) {
        arg[k] = expr_arg(p, call, k);
        moves = moves || expr_is_zero(p, derivative(w, arg[k])) != YES;
    }
    if (!moves)
        return expr_int(p, 0);
    if (fn.intrinsic == INTRINSIC_ELEMENT) {
        for (uint32_t k = 1; k < fn.n_in; k++)
            arg[k] = derivative(w, arg[k]);
        return expr_proj(p, expr_call(p, id, fn.n_in, arg), 0);
    }
    if (fn.expand && fn.expand(fn.self, s, arg, result))
        return derivative(w, result[expr_proj_of(p, x)]);
    w->failed = true;
    return expr_int(p, 0);
}

/* Operands first, on a stack of its own: results of loops are deep. */
static ExprId derivative(Walk *w, ExprId root)
{
    ExprPool *p = w->f->sys->pool;
    Arena *mem = w->f->scratch;
    VEC(ExprId) stack = {0};
    vec_push(mem, stack, root);
    while (stack.n) {
        ExprId x = vec_last(stack);
        Op op = expr_op(p, x);
        uint32_t n = expr_n_args(p, x);
        ExprId out;
        if (map_get(&w->memo, x.i) != MAP_NONE) {
            stack.n--;
            continue;
        }
        if (op == OP_PROJ) {
            out = call_derivative(w, x);
        } else if (n == 0 || n > 3 || op == OP_PRE || op == OP_DER || op_is_logical(op)) {
            out = leaf_derivative(w, x);
        } else {
            ExprId arg[3], der[3];
            uint32_t before = stack.n;
            for (uint32_t k = 0; k < n; k++) {
                arg[k] = expr_arg(p, x, k);
                der[k] = (ExprId){map_get(&w->memo, arg[k].i)};
                if (der[k].i == MAP_NONE)
                    vec_push(mem, stack, arg[k]);
            }
            if (stack.n > before)
                continue;
            out = operation_derivative(p, x, arg, der);
        }
        map_put(&w->memo, x.i, out.i);
        stack.n--;
    }
    return (ExprId){map_get(&w->memo, root.i)};
}

static ExprId without_placeholder(void *data, ExprId x)
{
    const Walk *w = data;
    ExprPool *p = w->f->sys->pool;
    bool is_it = expr_op(p, x) == OP_LOCAL && expr_local_of(p, x) == w->local;
    return is_it ? expr_int(p, 0) : x;
}

/* Each scalar of v by the placeholder, which becomes zero. */
static bool differentiate_value(Walk *w, Value *v)
{
    Front *f = w->f;
    *v = value_copy(f->scratch, v);
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (!differentiate_value(w, &v->field[k]))
            return false;
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    if (n && v->type != TYPE_REAL)
        return false;
    Arena *tmp = arena_new();
    for (uint32_t k = 0; k < n && !w->failed; k++)
        v->elem[k] = expr_map(f->sys->pool, tmp, derivative(w, v->elem[k]), without_placeholder, w);
    arena_free(tmp);
    return !w->failed;
}

/* The input that is differentiated by: a scalar Real (MLS 12.7.2). */
static bool find_input(Front *f, const Class *c, Name name, Span span, uint32_t *out)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    for (uint32_t k = 0; k < n; k++) {
        bool is_scalar = m[k].n_dims == 0 && class_kind(f, m[k].type) == CLASS_PLAIN &&
                         class_base_type(f, m[k].type) == TYPE_REAL;
        if (!m[k].is_input || !name_same(m[k].name, name))
            continue;
        *out = k;
        if (!is_scalar)
            diag_error(f->diags, span, "F32",
                       "'%s' is a derivative by '%s', which is no scalar Real (MLS 12.7.2)",
                       class_name(f, c), name.s);
        return is_scalar;
    }
    diag_error(f->diags, span, "F32", "'%s' is a derivative by '%s', which is no input of it",
               class_name(f, c), name.s);
    return false;
}

bool partial_derivative(Front *f, const Class *c, const Value *given, Span span, uint32_t n_out,
                        Value *out)
{
    const Name *by;
    uint32_t n_by;
    const Class *of = class_derived_function(f, c, &by, &n_by);
    ExprPool *p = f->sys->pool;
    const Member *m;
    uint32_t n_errors = diags_errors(f->diags);
    uint32_t n = class_members(f, c, &m), first = f->eval.placeholders;
    Value *arg = arena_array(f->scratch, Value, n);
    memcpy(arg, given, n * sizeof *arg);
    // defaults of other inputs may depend on these, which are held
    if (!function_run(f, c, arg, span, 0, NULL))
        return false;
    for (uint32_t k = 0; k < n_by; k++) {
        uint32_t at;
        if (!find_input(f, c, by[k], span, &at))
            return false;
        arg[at] = value_copy(f->scratch, &arg[at]);
        arg[at].elem[0] =
            expr_add(p, arg[at].elem[0], expr_local(p, FIRST_PLACEHOLDER + first + k));
    }
    bool was_dry = f->eval.dry;
    f->eval.dry = true; // its assertions are those of f
    f->eval.placeholders += n_by;
    const Name *inner;
    uint32_t n_inner;
    bool ok = class_derived_function(f, of, &inner, &n_inner)
                  ? partial_derivative(f, of, arg, span, n_out, out)
                  : function_run(f, of, arg, span, n_out, out);
    f->eval.dry = was_dry;
    f->eval.placeholders = first;
    for (uint32_t r = 0; ok && r < n_out; r++)
        for (uint32_t k = 0; ok && k < n_by; k++) {
            Walk w = {.f = f, .local = FIRST_PLACEHOLDER + first + k, .memo = map_new(f->scratch)};
            ok = differentiate_value(&w, &out[r]);
        }
    if (ok)
        return true;
    const char *why = f->eval.stuck ? f->eval.stuck : "not all that it gives are Reals";
    f->eval.stuck = NULL;
    if (diags_errors(f->diags) == n_errors)
        diag_error(f->diags, span, "F32",
                   "'%s' is a partial derivative, but '%s' cannot be differentiated: %s",
                   class_name(f, c), class_name(f, of), why);
    return false;
}
