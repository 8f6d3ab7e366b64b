/* Operators of records and their overloads (MLS 14). */
#include "frontend/evaluate/frame.h"
#include "frontend/evaluate/function.h"
#include "frontend/evaluate/function_call.h"

/* The functions that `operator name` of a record holds, or the function itself. */
Overloads overloads_of(Front *f, const Class *record, const char *name)
{
    Overloads o = {0};
    const Class *c = class_find(f, record, name_of(f->names, name));
    if (!c)
        return o;
    if (class_kind(f, c) == CLASS_FUNCTION) {
        vec_push(f->scratch, o, c);
        return o;
    }
    const SynClass *syn = class_syntax(c);
    for (uint32_t k = 0; k < syn->n_elements; k++) {
        if (syn->elements[k]->kind != SYN_CLASS)
            continue;
        const Class *fn = class_find(f, c, syn->elements[k]->class_->name);
        if (fn && class_kind(f, fn) == CLASS_FUNCTION)
            vec_push(f->scratch, o, fn);
    }
    return o;
}

/* By number and names: types are the call's affair. */
bool takes_arguments(Front *f, const Class *c, const SynExpr *x)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    uint32_t inputs = 0;
    uint32_t named = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!m[k].is_input)
            continue;
        bool given = inputs++ < x->arg.n;
        for (uint32_t i = 0; i < x->n_named; i++)
            if (name_same(x->named[i].name, m[k].name)) {
                given = true;
                named++;
            }
        if (!given && !m[k].binding)
            return false;
    }
    return x->arg.n <= inputs && named == x->n_named;
}

/* The call of c with exactly these arguments, if their types and ranks are the declared ones. */
static bool call_matching(Front *f, const Class *c, Span span, uint32_t n_args,
                          const Value *const *args, Value *out, bool *matches)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    Value *arg = arena_array(f->scratch, Value, n);
    uint32_t used = 0;
    *matches = false;
    for (uint32_t k = 0; k < n; k++) {
        if (!m[k].is_input)
            continue;
        if (used == n_args) {
            if (!m[k].binding)
                return false;
            continue;
        }
        arg[k] = *args[used++];
        if (arg[k].n_dims != m[k].n_dims || !fit_type(f, m[k].type, &arg[k]))
            return false;
    }
    if (used < n_args)
        return false;
    *matches = true;
    return call_once(f, c, arg, span, 1, out);
}

/* Calls the first overload of any record among the arguments that fits; *found: there is one. */
static bool call_overload(Front *f, const char *name, Span span, uint32_t n,
                          const Value *const *arg, Value *out, bool *found)
{
    *found = false;
    for (uint32_t k = 0; k < n; k++) {
        if (arg[k]->kind != VALUE_RECORD || !arg[k]->cls)
            continue;
        Overloads o = overloads_of(f, arg[k]->cls, name);
        for (uint32_t i = 0; i < o.n; i++) {
            bool good = call_matching(f, o.at[i], span, n, arg, out, found);
            if (*found)
                return good;
        }
    }
    return false;
}

/* The value of operator '0' of a record, the sum of no elements. */
static bool zero_of(Front *f, Span span, const Value *a, const Value *b, Value *out)
{
    const Value *record = a->kind == VALUE_RECORD && a->cls ? a : b;
    Overloads o = {0};
    if (record->kind == VALUE_RECORD && record->cls)
        o = overloads_of(f, record->cls, "'0'");
    bool found = false;
    if (o.n > 0 && call_matching(f, o.at[0], span, 0, NULL, out, &found))
        return true;
    if (!found)
        diag_error(f->diags, span, "T01",
                   "a sum of no elements needs an operator '0' of its record (MLS 14.5)");
    return false;
}

/* MLS 14.5, 10.6.4: matrix times vector or matrix, by the operators '*' and '+' of the elements.
 * Vectors on the left are left undefined there. */
static bool matrix_product(Front *f, Span span, const Value *a, const Value *b, Value *out)
{
    uint32_t rows = a->dims[0], inner = a->dims[1], columns = b->n_dims == 2 ? b->dims[1] : 1;
    uint32_t dims[2] = {rows, columns};
    Value *block = arena_array(f->scratch, Value, (size_t)rows * columns + 1);
    for (uint32_t i = 0; i < rows * columns; i++) {
        Value sum = {0}, product;
        for (uint32_t k = 0; k < inner; k++) {
            uint32_t at_a = i / columns * inner + k, at_b = k * columns + i % columns;
            Value x = value_pick(f->scratch, a, 2, &at_a, 0, NULL);
            Value y = value_pick(f->scratch, b, b->n_dims, &at_b, 0, NULL);
            if (!operator_binary(f, SYN_MUL, span, &x, &y, &product))
                return false;
            Value before = sum;
            if (k > 0 && !operator_binary(f, SYN_ADD, span, &before, &product, &sum))
                return false;
            sum = k > 0 ? sum : product;
        }
        if (inner == 0 && !zero_of(f, span, a, b, &sum))
            return false;
        block[i] = sum;
    }
    Value like = block[0];
    if (rows * columns == 0 && !zero_of(f, span, a, b, &like))
        return false;
    *out = value_stack(f->scratch, &like, b->n_dims, dims, block);
    return true;
}

bool function_operator(Front *f, SynOp op, Span span, uint32_t n, const Value *const *arg,
                       Value *out)
{
    const char *text = syn_op_text(op);
    bool elementwise = text[0] == '.';
    const char *name = arena_printf(f->scratch, "'%s'", elementwise ? text + 1 : text);
    bool found;
    if (!elementwise || (arg[0]->n_dims == 0 && arg[n - 1]->n_dims == 0)) {
        bool good = call_overload(f, name, span, n, arg, out, &found);
        if (found)
            return good;
        /* MLS 14.4: the other operand as a record, through a constructor */
        for (uint32_t k = 0; n == 2 && k < 2; k++) {
            if (arg[k]->kind == VALUE_RECORD || arg[1 - k]->kind != VALUE_RECORD ||
                !arg[1 - k]->cls)
                continue;
            Overloads o = overloads_of(f, arg[1 - k]->cls, "'constructor'");
            for (uint32_t i = 0; i < o.n; i++) {
                Value converted;
                good = call_matching(f, o.at[i], span, 1, &arg[k], &converted, &found);
                if (!found)
                    continue;
                if (!good)
                    return false;
                const Value *both[2] = {arg[0], arg[1]};
                both[k] = &converted;
                good = call_overload(f, name, span, 2, both, out, &found);
                if (found)
                    return good;
            }
        }
    }
    const Value *a = arg[0];
    const Value *b = arg[n - 1];
    if (op == SYN_MUL && a->n_dims == 2 && (b->n_dims == 1 || b->n_dims == 2)) {
        if (a->dims[1] == b->dims[0])
            return matrix_product(f, span, a, b, out);
        diag_error(f->diags, span, "T02", "sizes do not fit: %s * %s", type_text(f, a),
                   type_text(f, b));
        return false;
    }
    /* element by element: arrays of one size, or a scalar with an array */
    const Value *shape = a->n_dims > 0 ? a : b;
    bool additive = op == SYN_ADD || op == SYN_SUB;
    bool fits = shape->n_dims > 0 &&
                (n == 1 || elementwise ? a->n_dims == 0 || b->n_dims == 0 || value_same_dims(a, b)
                 : additive            ? value_same_dims(a, b)
                                       : a->n_dims == 0 || b->n_dims == 0);
    uint32_t total = fits ? value_size(shape) : 0;
    if (total == 0) {
        if (n == 1)
            diag_error(f->diags, span, "T01", "operator '%s' is not defined for %s", text,
                       type_text(f, a));
        else
            diag_error(f->diags, span, "T01", "operator '%s' is not defined for %s and %s", text,
                       type_text(f, a), type_text(f, b));
        return false;
    }
    Value *block = arena_array(f->scratch, Value, total);
    for (uint32_t i = 0; i < total; i++) {
        Value one[2];
        const Value *both[2] = {&one[0], &one[1]};
        for (uint32_t k = 0; k < n; k++)
            one[k] = arg[k]->n_dims > 0
                         ? value_pick(f->scratch, arg[k], arg[k]->n_dims, &i, 0, NULL)
                         : *arg[k];
        if (!function_operator(f, op, span, n, both, &block[i]))
            return false;
    }
    *out = value_stack(f->scratch, &block[0], shape->n_dims, shape->dims, block);
    return true;
}

/* The value of an argument and the input that it is for: are type and rank the declared ones. */
static bool argument_fits(Front *f, Scope *s, const Member *m, const SynExpr *x)
{
    Value v;
    return expression_value(f, s, x, &v) && v.n_dims == m->n_dims && fit_type(f, m->type, &v);
}

static bool arguments_fit(Front *f, Scope *s, const Class *c, const SynExpr *x)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    uint32_t at = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!m[k].is_input)
            continue;
        const SynExpr *arg = at < x->arg.n ? x->arg.at[at] : NULL;
        at++;
        for (uint32_t i = 0; i < x->n_named; i++)
            if (name_same(x->named[i].name, m[k].name))
                arg = x->named[i].value;
        if (arg && !argument_fits(f, s, &m[k], arg))
            return false;
    }
    return true;
}

/* The one that takes the arguments: by number and names and, if there are several, by types (MLS
 * 14.2); NULL if none does. */
const Class *overload_for(Front *f, Scope *s, const Overloads *o, const SynExpr *x)
{
    const Class *first = NULL;
    uint32_t n = 0;
    for (uint32_t k = 0; k < o->n; k++)
        if (takes_arguments(f, o->at[k], x)) {
            first = first ? first : o->at[k];
            n++;
        }
    for (uint32_t k = 0; n > 1 && k < o->n; k++)
        if (takes_arguments(f, o->at[k], x) && arguments_fit(f, s, o->at[k], x))
            return o->at[k];
    return first;
}
