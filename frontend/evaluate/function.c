/* Calls of functions and record constructors. */
#include "frontend/evaluate/function.h"

#include "frontend/evaluate/dynamic_array.h"
#include "frontend/evaluate/frame.h"
#include "frontend/evaluate/function_call.h"
#include "frontend/syntax/syntax_print.h"

#include <string.h>

/* ---- Calls ----------------------------------------------------------------------------- */

/* MLS 12.6: the record with the given fields, defaults for the others. */
static bool construct_record(Front *f, const Class *c, const Value *arg, Span span, Value *out)
{
    Frame fr;
    frame_new(&fr, f, c, arg, span);
    Value v = {.kind = VALUE_RECORD, .cls = c, .n_fields = fr.n};
    Name *name = arena_array(f->scratch, Name, fr.n);
    v.field = arena_array(f->scratch, Value, fr.n);
    for (uint32_t k = 0; k < fr.n; k++) {
        const Member *m = &fr.m[k];
        if (arg[k].kind != VALUE_NONE) {
            if (!fit_dims(f, declared_scope(&fr, m, m->dims_scope, false), c, m, &arg[k], span))
                return false;
        } else if (!m->binding) {
            diag_error(f->diags, span, "T07", "no value for '%s' of record '%s'", m->name.s,
                       class_name(f, c));
            return false;
        } else if (!frame_declare_one(&fr, k)) {
            return false;
        }
        name[k] = m->name;
        v.field[k] = fr.local[k].value;
    }
    v.field_name = name;
    *out = v;
    return true;
}

static bool any_varies(Front *f, const Class *c, const Value *arg)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    bool any = false;
    for (uint32_t k = 0; k < n; k++)
        any |= m[k].is_input && value_varies(f, &arg[k]);
    return any;
}

static bool any_dynamic(Front *f, const Class *c, const Value *arg)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    bool any = false;
    for (uint32_t k = 0; k < n; k++)
        any = any || (m[k].is_input && arg[k].kind == VALUE_DYNAMIC);
    return any;
}

/* The value with parameters replaced by their values; false if one has none. */
static bool with_parameters(Front *f, const Value *v, Value *out)
{
    *out = *v;
    if (v->kind == VALUE_DYNAMIC)
        return false;
    if (v->n_fields)
        out->field = arena_array(f->scratch, Value, v->n_fields);
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (!with_parameters(f, &v->field[k], &out->field[k]))
            return false;
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    out->elem = arena_array(f->scratch, ExprId, n);
    for (uint32_t k = 0; k < n; k++)
        if (!expr_exists(v->elem[k]))
            out->elem[k] = EXPR_NONE;
        else if (!structural_value(f, v->elem[k], &out->elem[k]))
            return false;
    return true;
}

static bool is_constant(Front *f, const Value *v)
{
    if (v->kind == VALUE_DYNAMIC)
        return false;
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (!is_constant(f, &v->field[k]))
            return false;
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (expr_exists(v->elem[k]) && expr_variability(f->sys->pool, v->elem[k]) != VARIES_NEVER)
            return false;
    return true;
}

static bool all_constant(Front *f, const Class *c, const Value *arg)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input && !is_constant(f, &arg[k]))
            return false;
    return true;
}

/* Strings are known when the model is compiled, or nowhere. */
static bool gives_strings(Front *f, const Class *c)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_output && class_kind(f, m[k].type) == CLASS_PLAIN &&
            class_base_type(f, m[k].type) == TYPE_STRING)
            return true;
    return false;
}

/* A call that got stuck stays a call; for a String it is evaluated with the values of its
 * parameters, which become final. Of a recursive function the outermost call does. */
static bool stuck_call(Front *f, const Class *c, Value *arg, Span span, uint32_t n_out, Value *out)
{
    for (const CallChain *link = f->eval.chain; link; link = link->outer)
        if (link->c == c)
            return false;
    const char *why = f->eval.stuck;
    Span where = f->eval.stuck_span;
    const char *code = f->eval.stuck_code;
    bool is_endless = f->eval.stuck_endless;
    bool any = any_varies(f, c, arg);
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    if (!any && gives_strings(f, c) && !class_syntax(c)->external) {
        f->eval.stuck = NULL;
        Value *known = arena_array(f->scratch, Value, n);
        bool all = true;
        for (uint32_t k = 0; all && k < n; k++)
            all = arg[k].kind == VALUE_NONE || with_parameters(f, &arg[k], &known[k]);
        if (all && function_run(f, c, known, span, n_out, out))
            return true;
        if (all && !f->eval.stuck)
            return false; /* reported */
    }
    f->eval.stuck = NULL;
    if (is_endless && !any && all_constant(f, c, arg)) {
        diag_error(f->diags, where, code, "%s", why);
        return false;
    }
    if (function_keep(f, c, arg, span, n_out, out))
        return true;
    if (!f->eval.stuck && !diags_errors(f->diags))
        diag_error(f->diags, where, code, "%s", why);
    return false;
}

/* One call with arguments of the declared ranks. */
bool call_once(Front *f, const Class *c, Value *arg, Span span, uint32_t n_out, Value *out)
{
    if (class_kind(f, c) == CLASS_RECORD)
        return construct_record(f, c, arg, span, out);
    const Name *by;
    uint32_t n_by;
    if (class_derived_function(f, c, &by, &n_by))
        return partial_derivative(f, c, arg, span, n_out, out);
    bool late = function_inlining(class_syntax(c)) == INLINE_LATE || function_lasts(f, c);
    if (any_dynamic(f, c, arg))
        return (function_run(f, c, arg, span, 0, NULL) || f->eval.stuck) &&
               function_keep(f, c, arg, span, n_out, out);
    if (late && !f->eval.structural) {
        if (!function_run(f, c, arg, span, 0, NULL))
            return f->eval.stuck && stuck_call(f, c, arg, span, n_out, out);
        /* of constants and parameters alone: nothing to differentiate */
        if (any_varies(f, c, arg))
            return function_keep(f, c, arg, span, n_out, out);
    }
    uint32_t n_assertions = f->sys->assertion.n;
    uint32_t n_unsupported = f->sys->unsupported.n;
    if (function_run(f, c, arg, span, n_out, out))
        return true;
    /* drop its assertions: the call checks them */
    if (f->eval.stuck)
        f->sys->unsupported.n = n_unsupported;
    f->sys->assertion.n = n_assertions;
    return f->eval.stuck && stuck_call(f, c, arg, span, n_out, out);
}

/* MLS 12.4.6: a function that is called for each element has one result, a scalar. A function with
 * several results, of which one is used, or with an array as result is only a warning without
 * --strict: the meaning is clear. */
static bool check_vectorised(Front *f, const Class *c, const Value *lead, Span span, uint32_t n_out)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    uint32_t outputs = 0;
    bool is_scalar = true;
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_output) {
            outputs++;
            is_scalar = is_scalar && m[k].n_dims == 0;
        }
    if (class_kind(f, c) == CLASS_RECORD || (outputs == 1 && is_scalar))
        return true;
    bool is_error = f->strict || n_out > 1;
    (is_error ? diag_error : diag_warning)(
        f->diags, span, "T07",
        "'%s' has %s, so it is not called for each element of %s (MLS 12.4.6)", class_name(f, c),
        outputs > 1 ? "several results" : "no scalar as its result", type_text(f, lead));
    return !is_error;
}

/* A call for each element of a dynamic array. */
typedef struct ElementCall {
    const Class *c;
    const Value *arg;      /* per member                 */
    const uint32_t *place; /* of the members with arrays */
    uint32_t n;
    Span span;
} ElementCall;

static bool call_element(Front *f, void *self, const Value *element, Value *out)
{
    const ElementCall *e = self;
    const Member *m;
    uint32_t n = class_members(f, e->c, &m);
    Value *arg = arena_array(f->scratch, Value, n);
    memcpy(arg, e->arg, n * sizeof *arg);
    for (uint32_t k = 0; k < e->n; k++)
        arg[e->place[k]] = element[k];
    return call_once(f, e->c, arg, e->span, 1, out);
}

/* MLS 12.4.6 with arrays whose sizes are known in a run only: arguments that are declared as
 * scalars. */
static bool call_for_elements(Front *f, const Class *c, const Value *arg, Span span, uint32_t n_out,
                              Value *out)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m), count = 0;
    ElementCall *e = arena_make(f->scratch, ElementCall);
    Value *array = arena_array(f->scratch, Value, n), *own = arena_array(f->scratch, Value, n);
    uint32_t *place = arena_array(f->scratch, uint32_t, n);
    memcpy(own, arg, n * sizeof *own);
    bool ok = n_out == 1 && count_outputs(f, c) == 1;
    BaseType type = TYPE_STRING;
    for (uint32_t k = 0; k < n; k++) {
        if (m[k].is_output && m[k].n_dims == 0 && class_kind(f, m[k].type) == CLASS_PLAIN)
            type = class_base_type(f, m[k].type);
        bool is_array = arg[k].kind != VALUE_NONE && arg[k].n_dims > m[k].n_dims;
        ok = ok && (!is_array || (m[k].n_dims == 0 && arg[k].kind != VALUE_RECORD));
        if (is_array) {
            place[count] = k;
            array[count++] = arg[k];
        }
    }
    if (!ok || !dynamic_holds(type) || type == TYPE_ENUMERATION)
        return dynamic_unsupported(f, span, "a call of this function for each element of an array");
    *e = (ElementCall){.c = c, .arg = own, .place = place, .n = count, .span = span};
    return dynamic_map(f, span, type, call_element, e, count, array, out);
}

/* MLS 12.4.6: arguments with more dimensions than declared call the function for each index of the
 * surplus, which all of them share. */
bool call_vectorised(Front *f, const Class *c, Value *arg, const Span *at, Span span,
                     uint32_t n_out, Value *out)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    const Value *lead = NULL; /* an argument with surplus dimensions */
    uint32_t surplus = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (arg[k].kind == VALUE_NONE)
            continue;
        Value v = arg[k];
        if (!fit_type(f, m[k].type, &v) || v.n_dims < m[k].n_dims)
            return bad_argument(f, c, &m[k], &arg[k], at ? at[k] : span);
        arg[k] = v;
        uint32_t extra = v.n_dims - m[k].n_dims;
        if (extra == 0)
            continue;
        bool is_dynamic = v.kind == VALUE_DYNAMIC || (lead && lead->kind == VALUE_DYNAMIC);
        bool fits =
            !lead || (extra == surplus &&
                      (is_dynamic || memcmp(lead->dims, v.dims, surplus * sizeof *v.dims) == 0));
        if (!fits)
            return bad_argument(f, c, &m[k], &arg[k], at ? at[k] : span);
        lead = &arg[k];
        surplus = extra;
    }
    bool is_dynamic = false;
    for (uint32_t k = 0; k < n; k++)
        is_dynamic = is_dynamic || arg[k].kind == VALUE_DYNAMIC;
    if (is_dynamic && class_kind(f, c) == CLASS_RECORD)
        return dynamic_unsupported(f, span, "an array in a record");
    if (!lead)
        return call_once(f, c, arg, span, n_out, out);
    if (is_dynamic)
        return call_for_elements(f, c, arg, span, n_out, out);

    if (!check_vectorised(f, c, lead, span, n_out))
        return false;
    uint32_t dims[16];
    if (surplus > 16)
        return bad_argument(f, c, &m[0], lead, span);
    uint32_t total = 1;
    for (uint32_t d = 0; d < surplus; d++) {
        dims[d] = lead->dims[d];
        total *= dims[d];
    }
    Value *one = arena_array(f->scratch, Value, n);
    Value **block = arena_array(f->scratch, Value *, n_out);
    for (uint32_t r = 0; r < n_out; r++)
        block[r] = arena_array(f->scratch, Value, total);
    Value *result = arena_array(f->scratch, Value, n_out);
    for (uint32_t i = 0; i < total; i++) {
        for (uint32_t k = 0; k < n; k++) {
            bool many = arg[k].kind != VALUE_NONE && arg[k].n_dims > m[k].n_dims;
            one[k] = many ? value_pick(f->scratch, &arg[k], surplus, &i, 0, NULL) : arg[k];
        }
        if (!call_once(f, c, one, span, n_out, result))
            return false;
        for (uint32_t r = 0; r < n_out; r++)
            block[r][i] = result[r];
    }
    if (total == 0) {
        /* without calls the shape of the results is unknown: the declared types without elements */
        uint32_t r = 0;
        for (uint32_t k = 0; k < n && r < n_out; k++)
            if (m[k].is_output && !blank_value(f, NULL, m[k].type, surplus, dims, NULL, &out[r++]))
                return bad_argument(f, c, &m[k], lead, span);
        return true;
    }
    for (uint32_t r = 0; r < n_out; r++)
        out[r] = value_stack(f->scratch, &block[r][0], surplus, dims, block[r]);
    return true;
}

/* Members that a call has arguments for: inputs of a function, modifiable fields of a record. */
static bool is_formal(bool is_record, const Member *m)
{
    return is_record ? !((m->variability == VARIES_NEVER || m->is_final) && m->binding)
                     : m->is_input;
}

bool check_call(Front *f, const Class *c, const Value *arg, Span span, uint32_t n_out)
{
    bool is_record = class_kind(f, c) == CLASS_RECORD;
    uint32_t n_results = is_record ? 1 : count_outputs(f, c);
    if (n_out > n_results) {
        diag_error(f->diags, span, "T07", "'%s' has %u result%s, %u %s wanted", class_name(f, c),
                   n_results, n_results == 1 ? "" : "s", n_out, n_out == 1 ? "is" : "are");
        return false;
    }
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    for (uint32_t k = 0; k < n; k++)
        if (is_formal(is_record, &m[k]) && arg[k].kind == VALUE_NONE && !m[k].binding) {
            diag_error(f->diags, span, "T07", "argument '%s' of '%s' is missing", m[k].name.s,
                       class_name(f, c));
            return false;
        }
    return true;
}

/* ---- Calls as written ------------------------------------------------------------------ */

/* f, or function f(a = 1), as an argument (MLS 12.4.2). */
static bool function_argument(Front *f, Scope *s, const SynExpr *x, Value *out)
{
    if (x->kind != SYN_CREF && x->kind != SYN_PARTIAL) {
        diag_error(f->diags, x->span, "T08", "the name of a function is needed here");
        return false;
    }
    Value v = {.kind = VALUE_FUNCTION};
    for (uint32_t k = 0; x->cref->n == 1 && k < f->eval.n_functional; k++)
        if (name_same(f->eval.functional_name[k], x->cref->part[0].name))
            v = f->eval.functional[k];
    if (!v.cls)
        v.cls = scope_class(f, s, x->cref);
    if (!v.cls || class_kind(f, v.cls) != CLASS_FUNCTION) {
        diag_error(f->diags, x->span, "T08", "'%s' is not a function that can be an argument",
                   syn_expr_text(f->scratch, x));
        return false;
    }
    uint32_t given = x->kind == SYN_PARTIAL ? x->n_named : 0;
    Name *name = arena_array(f->scratch, Name, v.n_fields + given);
    Value *field = arena_array(f->scratch, Value, v.n_fields + given);
    for (uint32_t k = 0; k < v.n_fields; k++) {
        name[k] = v.field_name[k];
        field[k] = v.field[k];
    }
    for (uint32_t k = 0; k < given; k++) {
        name[v.n_fields] = x->named[k].name;
        if (!expression_value(f, s, x->named[k].value, &field[v.n_fields++]))
            return false;
    }
    v.field_name = name;
    v.field = field;
    *out = v;
    return true;
}

/* The type of result k; *is_known is false for records and where there is none. */
static BaseType result_type(Front *f, const Class *c, uint32_t k, bool *is_known)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    for (uint32_t j = 0; j < n; j++) {
        if (!m[j].is_output || k-- > 0)
            continue;
        *is_known = class_kind(f, m[j].type) == CLASS_PLAIN;
        return class_base_type(f, m[j].type);
    }
    *is_known = false;
    return TYPE_REAL;
}

/* MLS 12.4.2: a function passed as argument has results of the types that the formal function
 * declares. */
static bool function_fits(Front *f, const Member *m, const Value *v, const SynExpr *x)
{
    for (uint32_t k = 0;; k++) {
        bool is_wanted, is_given;
        BaseType wanted = result_type(f, m->type, k, &is_wanted);
        BaseType given = result_type(f, v->cls, k, &is_given);
        if (!is_wanted || !is_given)
            return true;
        if (wanted == given)
            continue;
        diag_error(f->diags, x->span, "T08",
                   "result %u of '%s' is of type %s, '%s' is a function with %s (MLS 12.4.2)",
                   k + 1, class_name(f, v->cls), base_type_text(given), m->name.s,
                   base_type_text(wanted));
        return false;
    }
}

static bool argument_value(Front *f, Scope *s, const Member *m, const SynExpr *x, Value *out)
{
    if (class_kind(f, m->type) == CLASS_FUNCTION)
        return function_argument(f, s, x, out) && function_fits(f, m, out, x);
    return expression_any(f, s, x, out);
}

/* The names that arguments of c can have. */
static void note_inputs(Front *f, const Class *c, const Member *m, uint32_t n, Span span)
{
    bool is_record = class_kind(f, c) == CLASS_RECORD;
    const char *all = "";
    for (uint32_t k = 0; k < n; k++)
        if (is_formal(is_record, &m[k]))
            all = arena_printf(f->scratch, "%s%s%s", all, *all ? ", " : "", m[k].name.s);
    if (*all)
        diag_note(f->diags, span, "its arguments are %s", all);
}

/* A call of c of which some inputs are given already, by name. */
bool call_with(Front *f, Scope *s, const Class *c, const Value *given, const SynExpr *x,
               uint32_t n_out, Value *out)
{
    bool is_record = class_kind(f, c) == CLASS_RECORD;
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    Value *arg = arena_array(f->scratch, Value, n);
    if (!is_record && class_is_partial(c)) {
        f->wants_class = f->wants_class || class_is_replaceable(c);
        diag_error(f->diags, x->span, "F32",
                   "function '%s' is partial, so it is not called (MLS 12.2)", class_name(f, c));
        return false;
    }
    if (x->n_iter > 0) {
        diag_error(f->diags, x->span, "T07", "'%s' is no reduction and takes no iterator",
                   class_name(f, c));
        return false;
    }
    for (uint32_t k = 0; given && k < given->n_fields; k++) {
        uint32_t i = 0;
        while (i < n && !(m[i].is_input && name_same(m[i].name, given->field_name[k])))
            i++;
        if (i == n) {
            diag_error(f->diags, x->span, "T07", "'%s' has no argument '%s'", class_name(f, c),
                       given->field_name[k].s);
            return false;
        }
        arg[i] = given->field[k];
    }
    Span *where = arena_array(f->scratch, Span, n);
    for (uint32_t k = 0; k < n; k++)
        where[k] = x->span;
    uint32_t at = 0;
    for (uint32_t k = 0; k < x->arg.n; k++) {
        while (at < n && (!is_formal(is_record, &m[at]) || arg[at].kind != VALUE_NONE))
            at++;
        if (at == n) {
            diag_error(f->diags, x->arg.at[k]->span, "T07", "too many arguments for '%s'",
                       class_name(f, c));
            return false;
        }
        where[at] = x->arg.at[k]->span;
        if (!argument_value(f, s, &m[at], x->arg.at[k], &arg[at]))
            return false;
        at++;
    }
    for (uint32_t k = 0; k < x->n_named; k++) {
        const SynNamed *named = &x->named[k];
        uint32_t i = 0;
        while (i < n && !(is_formal(is_record, &m[i]) && name_same(m[i].name, named->name)))
            i++;
        if (i == n || arg[i].kind != VALUE_NONE) {
            diag_error(f->diags, named->span, "T07",
                       i == n ? "'%s' has no argument '%s'" : "'%s' has two values for '%s'",
                       class_name(f, c), named->name.s);
            if (i == n)
                note_inputs(f, c, m, n, named->span);
            return false;
        }
        where[i] = named->span;
        if (!argument_value(f, s, &m[i], named->value, &arg[i]))
            return false;
    }
    for (uint32_t k = 0; k < n; k++) /* defaults that are functions (MLS 12.4.2) */
        if (m[k].is_input && m[k].binding && arg[k].kind == VALUE_NONE &&
            class_kind(f, m[k].type) == CLASS_FUNCTION &&
            !argument_value(f, m[k].binding_scope, &m[k], m[k].binding, &arg[k]))
            return false;
    return check_call(f, c, arg, x->span, n_out) &&
           call_vectorised(f, c, arg, where, x->span, n_out, out);
}

bool function_call(Front *f, Scope *s, const Class *c, const SynExpr *x, uint32_t n_out, Value *out)
{
    if (class_kind(f, c) == CLASS_RECORD) {
        /* MLS 14.3: a constructor of its own that takes these arguments comes first */
        Overloads o = overloads_of(f, c, "'constructor'");
        const Class *own = overload_for(f, s, &o, x);
        if (own)
            return call_with(f, s, own, NULL, x, n_out, out);
    }
    return call_with(f, s, c, NULL, x, n_out, out);
}

bool function_string_of(Front *f, Scope *s, const Class *record, const SynExpr *x, Value *out,
                        bool *found)
{
    Overloads o = overloads_of(f, record, "'String'");
    const Class *own = overload_for(f, s, &o, x);
    *found = own != NULL;
    return own && call_with(f, s, own, NULL, x, 1, out);
}

bool function_call_of(Front *f, Scope *s, const Value *function, const SynExpr *x, uint32_t n_out,
                      Value *out)
{
    return call_with(f, s, function->cls, function, x, n_out, out);
}

bool call_function(Front *f, const Class *c, const Value *args, uint32_t n_args, Span span,
                   Value *out)
{
    bool is_record = class_kind(f, c) == CLASS_RECORD;
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    Evaluation e = evaluation_begin(f);
    Value *arg = arena_array(f->scratch, Value, n);
    uint32_t used = 0;
    for (uint32_t k = 0; k < n && used < n_args; k++)
        if (is_formal(is_record, &m[k]))
            arg[k] = args[used++];
    bool ok = used == n_args;
    if (!ok)
        diag_error(f->diags, span, "T07", "too many arguments for '%s'", class_name(f, c));
    Value v;
    ok = ok && check_call(f, c, arg, span, 1) && call_vectorised(f, c, arg, NULL, span, 1, &v);
    if (ok)
        *out = value_copy(f->mem, &v);
    evaluation_end(f, &e);
    return ok;
}
