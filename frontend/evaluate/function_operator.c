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

/* Are these arguments of the declared types and ranks; of NULL only the place is taken. The fitted
 * ones come to `out`, one per member. */
static bool matches(Front *f, const Class *c, uint32_t n_args, const Value *const *args, Value *out)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    uint32_t used = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!m[k].is_input)
            continue;
        if (used == n_args) {
            if (!m[k].binding)
                return false;
            continue;
        }
        const Value *x = args[used++];
        if (!x)
            continue;
        out[k] = *x;
        if (x->n_dims != m[k].n_dims || !fit_type(f, m[k].type, &out[k]))
            return false;
    }
    return used == n_args;
}

/* The call of c with exactly these arguments, if they match. */
static bool call_matching(Front *f, const Class *c, Span span, uint32_t n_args,
                          const Value *const *args, Value *out, bool *found)
{
    const Member *m;
    Value *arg = arena_array(f->scratch, Value, class_members(f, c, &m));
    *found = matches(f, c, n_args, args, arg);
    return *found && call_once(f, c, arg, span, 1, out);
}

/* A way to evaluate an operator: its function and, where an operand is converted, the constructor.
 */
typedef struct Match {
    const Class *fn;
    const Class *constructor;
    uint32_t converted; /* the operand */
} Match;

typedef VEC(Match) Matches;

static bool is_among(const Overloads *seen, const Class *fn)
{
    for (uint32_t k = 0; k < seen->n; k++)
        if (class_same(seen->at[k], fn))
            return true;
    return false;
}

/* MLS 14.5, step 2, and 14.6: the functions of all records among the operands that take them. */
static Matches direct_matches(Front *f, const char *name, uint32_t n, const Value *const *arg)
{
    Matches found = {0};
    Overloads seen = {0};
    for (uint32_t k = 0; k < n; k++) {
        if (arg[k]->kind != VALUE_RECORD || !arg[k]->cls)
            continue;
        Overloads o = overloads_of(f, arg[k]->cls, name);
        for (uint32_t i = 0; i < o.n; i++) {
            const Member *m;
            Value *fitted = arena_array(f->scratch, Value, class_members(f, o.at[i], &m));
            if (is_among(&seen, o.at[i]) || !matches(f, o.at[i], n, arg, fitted))
                continue;
            vec_push(f->scratch, seen, o.at[i]);
            vec_push(f->scratch, found, (Match){.fn = o.at[i]});
        }
    }
    return found;
}

/* The type of the operand-th input; NULL where it is an array or no operator record. */
static const Class *record_input(Front *f, const Class *fn, uint32_t operand)
{
    const Member *m;
    uint32_t n = class_members(f, fn, &m), at = 0;
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input && at++ == operand)
            return m[k].n_dims == 0 && class_kind(f, m[k].type) == CLASS_RECORD &&
                           class_operators(m[k].type)
                       ? m[k].type
                       : NULL;
    return NULL;
}

/* MLS 14.5, step 3: one operand becomes a record of another class by a constructor of that. */
static Matches converted_matches(Front *f, const char *name, const Value *const *arg)
{
    Matches found = {0};
    for (uint32_t k = 0; k < 2; k++) {
        const Value *other = arg[1 - k];
        if (other->kind != VALUE_RECORD || !other->cls)
            continue;
        Overloads o = overloads_of(f, other->cls, name);
        for (uint32_t i = 0; i < o.n; i++) {
            const Class *record = record_input(f, o.at[i], k);
            const Member *input;
            Value *fitted = arena_array(f->scratch, Value, class_members(f, o.at[i], &input));
            const Value *with[2] = {arg[0], arg[1]};
            with[k] = NULL;
            if (!record ||
                (arg[k]->kind == VALUE_RECORD && arg[k]->cls &&
                 class_operators(record) == class_operators(arg[k]->cls)) ||
                !matches(f, o.at[i], 2, with, fitted))
                continue;
            Overloads make = overloads_of(f, record, "'constructor'");
            for (uint32_t j = 0; j < make.n; j++) {
                fitted = arena_array(f->scratch, Value, class_members(f, make.at[j], &input));
                Match m = {.fn = o.at[i], .constructor = make.at[j], .converted = k};
                if (matches(f, make.at[j], 1, &arg[k], fitted))
                    vec_push(f->scratch, found, m);
            }
        }
    }
    return found;
}

/* The operator by the functions of its records, with or without a conversion; *found: there is one,
 * or several, which is an error. */
static bool call_overload(Front *f, const char *name, Span span, uint32_t n,
                          const Value *const *arg, Value *out, bool *found)
{
    Matches all = direct_matches(f, name, n, arg);
    if (all.n == 0 && n == 2)
        all = converted_matches(f, name, arg);
    *found = all.n > 0;
    if (all.n == 0)
        return false;
    Match m = all.at[0];
    if (all.n > 1) {
        diag_error(
            f->diags, span, "T01", "both %s and %s are operator %s of these operands (MLS 14.5)",
            class_name(f, m.constructor ? m.constructor : m.fn),
            class_name(f, all.at[1].constructor ? all.at[1].constructor : all.at[1].fn), name);
        return false;
    }
    bool fits;
    const Value *both[2] = {arg[0], arg[n - 1]};
    Value converted;
    if (m.constructor) {
        if (!call_matching(f, m.constructor, span, 1, &arg[m.converted], &converted, &fits))
            return false;
        both[m.converted] = &converted;
    }
    return call_matching(f, m.fn, span, n, both, out, &fits);
}

bool operator_zero(Front *f, Span span, const Value *like, Value *out)
{
    Overloads o = {0};
    if (like->kind == VALUE_RECORD && like->cls)
        o = overloads_of(f, like->cls, "'0'");
    bool found = false;
    if (o.n > 0 && call_matching(f, o.at[0], span, 0, NULL, out, &found))
        return true;
    if (!found)
        diag_error(f->diags, span, "T01",
                   "a sum of no elements, or of flow variables, needs an operator '0' of its "
                   "record (MLS 9.2, 14.5)");
    return false;
}

bool operator_adds(Front *f, const Value *record)
{
    return record->cls && overloads_of(f, record->cls, "'+'").n > 0;
}

/* The shape of an element of an array with n_lead dimensions. */
static Value element_shape(Front *f, const Value *v, uint32_t n_lead)
{
    Value out = *v;
    out.n_dims -= n_lead;
    out.dims = out.n_dims > 0 ? v->dims + n_lead : NULL;
    out.elem = NULL;
    if (v->kind != VALUE_RECORD)
        return out;
    out.field = arena_array(f->scratch, Value, v->n_fields + 1);
    for (uint32_t k = 0; k < v->n_fields; k++)
        out.field[k] = element_shape(f, &v->field[k], n_lead);
    return out;
}

/* An array without elements, of the record among the operands. */
static Value no_records(Front *f, const Value *a, const Value *b, uint32_t n_dims,
                        const uint32_t *dims)
{
    const Value *record = a->kind == VALUE_RECORD ? a : b;
    Value like = element_shape(f, record, record->n_dims);
    return value_stack(f->scratch, &like, n_dims, dims, NULL);
}

/* MLS 14.5, 10.6.4: matrix times vector or matrix, by the operators '*' and '+' of the elements. */
static bool matrix_product(Front *f, Span span, const Value *a, const Value *b, Value *out)
{
    uint32_t rows = a->dims[0], inner = a->dims[1], columns = b->n_dims == 2 ? b->dims[1] : 1;
    uint32_t dims[2] = {rows, columns};
    if (rows * columns == 0) {
        *out = no_records(f, a, b, b->n_dims, dims);
        return true;
    }
    Value *block = arena_array(f->scratch, Value, (size_t)rows * columns);
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
        if (inner == 0 && !operator_zero(f, span, a->kind == VALUE_RECORD ? a : b, &sum))
            return false;
        block[i] = sum;
    }
    *out = value_stack(f->scratch, &block[0], b->n_dims, dims, block);
    return true;
}

/* MLS 10.6.7, 14.5: the elements need not have a one, so the exponent is at least 1. */
static bool matrix_power(Front *f, Span span, const Value *a, const Value *b, Value *out)
{
    long n;
    if (!operator_exponent(f, b, &n) || n < 1) {
        diag_error(f->diags, span, "T01",
                   "the power of a matrix of records needs an exponent that is a constant Integer, "
                   "at least 1 (MLS 10.6.7, 14.5)");
        return false;
    }
    Value square = *a;
    bool any = false;
    for (; n > 0; n /= 2) {
        Value before = *out, twice = square;
        if (n % 2 && !any)
            *out = square;
        else if (n % 2 && !matrix_product(f, span, &before, &square, out))
            return false;
        any = any || n % 2;
        if (n > 1 && !matrix_product(f, span, &twice, &twice, &square))
            return false;
    }
    return true;
}

static bool not_defined(Front *f, SynOp op, Span span, uint32_t n, const Value *const *arg)
{
    const char *text = syn_op_text(op);
    const Value *a = arg[0], *b = arg[n - 1];
    if (n == 1)
        diag_error(f->diags, span, "T01", "operator '%s' is not defined for %s", text,
                   type_text(f, a));
    else
        diag_error(f->diags, span, "T01", "operator '%s' is not defined for %s and %s", text,
                   type_text(f, a), type_text(f, b));
    if (op == SYN_MUL && n == 2 && a->n_dims == 1 && b->n_dims > 0)
        diag_note(f->diags, span,
                  b->n_dims == 1
                      ? "products of vectors of records need a function of their own (MLS 14.5); "
                        "sum(a .* b) adds the products of the elements"
                      : "products of a vector of records and a matrix need a function of their own "
                        "(MLS 14.5); transpose(A)*v has the elements sum(v .* A[:, k])");
    return false;
}

/* Does the operator go over the elements of these arrays (MLS 10.6)? */
static bool is_elementwise(SynOp op, uint32_t n, const Value *a, const Value *b)
{
    if (a->n_dims == 0 && b->n_dims == 0)
        return false;
    if (n == 1)
        return true;
    bool same = value_same_dims(a, b);
    switch (op) {
    case SYN_ADD:
    case SYN_SUB:
    case SYN_AND:
    case SYN_OR:
        return same;
    case SYN_MUL:
        return a->n_dims == 0 || b->n_dims == 0;
    case SYN_DIV:
        return b->n_dims == 0;
    case SYN_EL_ADD:
    case SYN_EL_SUB:
    case SYN_EL_MUL:
    case SYN_EL_DIV:
    case SYN_EL_POW:
        return same || a->n_dims == 0 || b->n_dims == 0;
    default:
        return false;
    }
}

bool function_operator(Front *f, SynOp op, Span span, uint32_t n, const Value *const *arg,
                       Value *out)
{
    const char *text = syn_op_text(op);
    bool has_dot = text[0] == '.';
    const char *name = arena_printf(f->scratch, "'%s'", has_dot ? text + 1 : text);
    const Value *a = arg[0];
    const Value *b = arg[n - 1];
    if (!has_dot || (a->n_dims == 0 && b->n_dims == 0)) {
        bool found;
        bool good = call_overload(f, name, span, n, arg, out, &found);
        if (found)
            return good;
    }
    bool is_square = a->n_dims == 2 && a->dims[0] == a->dims[1];
    if (op == SYN_POW && is_square && a->kind == VALUE_RECORD && b->n_dims == 0)
        return matrix_power(f, span, a, b, out);
    if (op == SYN_MUL && a->n_dims == 2 && (b->n_dims == 1 || b->n_dims == 2)) {
        if (a->dims[1] == b->dims[0])
            return matrix_product(f, span, a, b, out);
        diag_error(f->diags, span, "T02", "sizes do not fit: %s * %s", type_text(f, a),
                   type_text(f, b));
        return false;
    }
    if (!is_elementwise(op, n, a, b))
        return not_defined(f, op, span, n, arg);
    const Value *shape = a->n_dims > 0 ? a : b;
    uint32_t total = value_size(shape);
    if (total == 0) {
        *out = no_records(f, a, b, shape->n_dims, shape->dims);
        return true;
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
