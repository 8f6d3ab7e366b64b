/* Values fitted to declarations; the variables of a function declared (MLS 12.4.4). */
#include "frontend/evaluate/dynamic_array.h"
#include "frontend/evaluate/frame.h"
#include "frontend/syntax/syntax_print.h"

#include <string.h>

enum { MAX_RECORDS = 100 /* inside one another */ };

/* ---- Fitting a value to a declaration -------------------------------------------------- */

static const char *member_type_text(Front *f, const Member *m)
{
    ClassKind kind = class_kind(f, m->type);
    const char *text =
        kind == CLASS_PLAIN ? base_type_text(class_base_type(f, m->type)) : class_name(f, m->type);
    for (uint32_t k = 0; k < m->n_dims; k++)
        text = arena_printf(f->scratch, "%s%s%s%s", text, k == 0 ? "[" : ", ",
                            syn_expr_text(f->scratch, m->dims[k]), k + 1 == m->n_dims ? "]" : "");
    return text;
}

/* v as a value of the class `type`, its dimensions as they are: Integer becomes Real, the fields
 * of a record come into the order of the class. False (not reported) when v is no such thing. */
bool fit_type(Front *f, const Class *type, Value *v)
{
    switch (class_kind(f, type)) {
    case CLASS_PLAIN: {
        BaseType want = class_base_type(f, type);
        if (v->kind == VALUE_DYNAMIC) {
            bool fits = v->type == want || (want == TYPE_REAL && v->type == TYPE_INTEGER);
            if (fits)
                *v = dynamic_typed(f, v, want);
            return fits;
        }
        if (v->kind != VALUE_PLAIN)
            return false;
        bool ok =
            v->type == want || (want == TYPE_REAL && v->type == TYPE_INTEGER) || value_size(v) == 0;
        v->type = want;
        return ok;
    }
    case CLASS_ENUMERATION: {
        bool ok = (v->kind == VALUE_PLAIN || v->kind == VALUE_DYNAMIC) &&
                  v->type == TYPE_ENUMERATION && (!v->cls || class_same_type(v->cls, type));
        v->cls = type;
        return ok;
    }
    case CLASS_RECORD: {
        const Member *m;
        uint32_t n = class_members(f, type, &m);
        if (v->kind != VALUE_RECORD || n != v->n_fields ||
            (v->cls && class_operators(v->cls) != class_operators(type)))
            return false;
        Name *name = arena_array(f->scratch, Name, n);
        Value *field = arena_array(f->scratch, Value, n);
        for (uint32_t k = 0; k < n; k++) {
            const Value *from = value_field(v, m[k].name);
            if (!from)
                return false;
            name[k] = m[k].name;
            field[k] = *from;
            if (field[k].n_dims != v->n_dims + m[k].n_dims || !fit_type(f, m[k].type, &field[k]))
                return false;
        }
        v->field_name = name;
        v->field = field;
        v->cls = type;
        return true;
    }
    case CLASS_FUNCTION:
        return v->kind == VALUE_FUNCTION;
    case CLASS_OTHER:
    case CLASS_BUILTIN_FUNCTION:
        break;
    }
    return false;
}

bool bad_argument(Front *f, const Class *c, const Member *m, const Value *v, Span span)
{
    diag_error(f->diags, span, "T08", "'%s' of '%s' must be %s, this is %s", m->name.s,
               class_name(f, c), member_type_text(f, m), type_text(f, v));
    return false;
}

/* The declared size of a dimension against that of v, where one of them is known in a run only;
 * else *done is false. */
static bool fit_dim_in_run(Front *f, Scope *scope, const SynExpr *dim, const Value *v, uint32_t d,
                           Span span, bool *done)
{
    ExprId size;
    bool varies;
    uint32_t known;
    *done = false;
    if (v->kind != VALUE_DYNAMIC && dim->kind == SYN_INTEGER)
        return true;
    if (dimension_is_type(f, scope, dim, &known)) {
        size = expr_int(f->sys->pool, known);
        varies = false;
    } else if (!dynamic_dimension(f, scope, dim, &size, &varies)) {
        return false;
    }
    *done = varies || v->kind == VALUE_DYNAMIC;
    return !*done || dynamic_assert_size(f, v, d, size, span);
}

/* The declared sizes of m against those of v; `scope` knows the other variables. */
bool fit_dims(Front *f, Scope *scope, const Class *c, const Member *m, const Value *v, Span span)
{
    if (v->n_dims != m->n_dims)
        return bad_argument(f, c, m, v, span);
    for (uint32_t k = 0; k < m->n_dims; k++) {
        uint32_t size;
        if (m->dims[k]->kind == SYN_COLON)
            continue;
        if (dynamic_allowed(f)) {
            bool done;
            if (!fit_dim_in_run(f, scope, m->dims[k], v, k, span, &done))
                return false;
            if (done)
                continue;
        } else if (v->kind == VALUE_DYNAMIC) {
            continue; /* asserted by the function itself, which stays a call */
        }
        if (!eval_dimension(f, scope, m->dims[k], &size))
            return false;
        if (size != v->dims[k]) {
            bad_argument(f, c, m, v, span);
            diag_note(f->diags, m->dims[k]->span, "dimension %u of '%s' is %u here", k + 1,
                      m->name.s, size);
            return false;
        }
    }
    return true;
}

/* ---- The variables of a function ------------------------------------------------------- */

/* The scope in which an expression of m's declaration has its meaning: the function's variables
 * over the class that declared it; a modification from outside does not see them. */
Scope *declared_scope(Frame *fr, const Member *m, Scope *scope, bool is_binding)
{
    bool own = !is_binding || (m->syn && m->syn->mod && m->syn->mod->value == m->binding);
    if (scope == class_scope(fr->f, fr->c))
        return fr->scope;
    return own ? scope_locals(fr->f, scope, fr->local, fr->n) : scope;
}

static bool declare_value(Frame *fr, uint32_t k);

/* A record while it is declared: its fields, of which sizes and values of others may speak. */
typedef struct Blank {
    Front *f;
    Frame *fr;       /* of the function that declares it, NULL if there is none */
    Scope *body;     /* of the record */
    const Member *m; /* the fields */
    uint32_t n;
    Local *local;      /* per field */
    uint8_t *declared; /* per field: 1 begun, 2 done */
    uint32_t n_dims;   /* of the record */
    const uint32_t *dims;
    uint32_t depth;
    const Member *whole; /* the variable whose declaration modifies fields, NULL if none does */
} Blank;

static bool blank_field(Front *f, Frame *fr, const Class *type, uint32_t n_dims,
                        const uint32_t *dims, uint32_t depth, const Member *whole, Value *out);
static bool blank_one(Blank *b, uint32_t k);

static bool blank_used(void *ctx, const SynCref *cref)
{
    Blank *b = ctx;
    for (uint32_t k = 0; k < b->n; k++)
        if (name_same(b->m[k].name, cref->part[0].name))
            return blank_one(b, k);
    return true;
}

/* Complex c(re = x, im = y): the argument that the declaration itself gives for field k. */
static const SynArg *blank_given(const Blank *b, uint32_t k)
{
    const SynMod *mod = b->whole && b->whole->syn && b->n_dims == 0 ? b->whole->syn->mod : NULL;
    for (uint32_t i = 0; mod && i < mod->n; i++) {
        const SynArg *a = &mod->arg[i];
        if (a->kind == SYN_ARG_MODIFY && a->path.n == 1 && a->mod && a->mod->value &&
            name_same(b->m[k].name, a->path.name[0]))
            return a;
    }
    return NULL;
}

/* Field k: its size, then its value if one is given or declared. */
static bool blank_one(Blank *b, uint32_t k)
{
    Front *f = b->f;
    Frame *fr = b->fr;
    const Member *m = &b->m[k];
    if (b->declared[k])
        return true; /* its own size is allowed, x[size(x, 1)] */
    b->declared[k] = 1;
    uint32_t *all = arena_array(f->scratch, uint32_t, b->n_dims + m->n_dims);
    if (b->n_dims > 0)
        memcpy(all, b->dims, b->n_dims * sizeof *all);
    /* Polynomial p(redeclare Real c[size(c, 1)]): the c of the function, MLS 7.3 */
    bool is_redeclared = fr && m->dims_scope == class_scope(f, fr->c);
    Scope *inside = is_redeclared ? fr->scope : scope_locals(f, m->dims_scope, b->local, b->n);
    for (uint32_t d = 0; d < m->n_dims; d++)
        if (m->dims[d]->kind != SYN_COLON &&
            (!visit_crefs(m->dims[d], is_redeclared ? declare_used : blank_used,
                          is_redeclared ? (void *)fr : b) ||
             !eval_dimension(f, inside, m->dims[d], &all[b->n_dims + d])))
            return false;
    Value *v = &b->local[k].value;
    if (!blank_field(f, fr, m->type, b->n_dims + m->n_dims, all, b->depth + 1, NULL, v))
        return false;
    const SynArg *a = blank_given(b, k);
    Value x;
    if (a) {
        Scope *scope = declared_scope(fr, b->whole, b->whole->dims_scope, false);
        if (!visit_crefs(a->mod->value, declare_used, fr) ||
            !expression_value(f, scope, a->mod->value, &x))
            return false;
        bool open = value_size(v) == 0;
        if (!fit_type(f, m->type, &x) || (!open && !value_same_dims(&x, v)))
            return bad_argument(f, fr->c, b->whole, &x, a->span);
        *v = value_copy(f->scratch, &x);
    } else if (m->binding && b->n_dims == 0) {
        bool here = fr && m->binding_scope == class_scope(f, fr->c);
        bool own = (m->syn && m->syn->mod && m->syn->mod->value == m->binding) ||
                   m->binding_scope == b->body; /* of a field that is declared anew */
        if (own && !visit_crefs(m->binding, blank_used, b))
            return false;
        Scope *scope = here  ? fr->scope
                       : own ? scope_locals(f, m->binding_scope, b->local, b->n)
                             : m->binding_scope;
        if (!expression_value(f, scope, m->binding, &x) || !fit_type(f, m->type, &x))
            return false;
        *v = value_copy(f->scratch, &x);
    }
    b->declared[k] = 2;
    return true;
}

/* A variable of that type with no value yet; unknown sizes are 0. `dims` stand before. */
static bool blank_field(Front *f, Frame *fr, const Class *type, uint32_t n_dims,
                        const uint32_t *dims, uint32_t depth, const Member *whole, Value *out)
{
    ClassKind kind = class_kind(f, type);
    if (kind == CLASS_PLAIN || kind == CLASS_ENUMERATION) {
        BaseType base = kind == CLASS_PLAIN ? class_base_type(f, type) : TYPE_ENUMERATION;
        *out = value_array(f->scratch, base, n_dims, dims);
        out->cls = kind == CLASS_ENUMERATION ? type : NULL;
        return true;
    }
    if (kind != CLASS_RECORD || depth > MAX_RECORDS)
        return false;
    Blank b = {.f = f, .fr = fr, .n_dims = n_dims, .dims = dims, .depth = depth, .whole = whole};
    b.body = class_scope(f, type);
    b.n = class_members(f, type, &b.m);
    b.local = arena_array(f->scratch, Local, b.n);
    b.declared = arena_array(f->scratch, uint8_t, b.n);
    for (uint32_t k = 0; k < b.n; k++)
        b.local[k].name = b.m[k].name;
    Value v = {.kind = VALUE_RECORD, .cls = type, .n_dims = n_dims, .n_fields = b.n};
    uint32_t *own = arena_array(f->scratch, uint32_t, n_dims);
    if (n_dims > 0)
        memcpy(own, dims, n_dims * sizeof *own);
    v.dims = own;
    Name *name = arena_array(f->scratch, Name, b.n);
    v.field = arena_array(f->scratch, Value, b.n);
    for (uint32_t k = 0; k < b.n; k++) {
        if (!blank_one(&b, k))
            return false;
        name[k] = b.m[k].name;
        v.field[k] = b.local[k].value;
    }
    v.field_name = name;
    *out = v;
    return true;
}

/* `whole`: the variable whose declaration gives fields, NULL if none does. */
bool blank_value(Front *f, Frame *fr, const Class *type, uint32_t n_dims, const uint32_t *dims,
                 const Member *whole, Value *out)
{
    return blank_field(f, fr, type, n_dims, dims, 0, whole, out);
}

/* Variables that a declaration uses are declared first (MLS 12.4.4). */
bool declare_used(void *ctx, const SynCref *cref)
{
    Frame *fr = ctx;
    for (uint32_t k = 0; k < fr->n; k++)
        if (name_same(fr->m[k].name, cref->part[0].name))
            return frame_declare_one(fr, k);
    return true;
}

/* Declares variable k: its sizes, then its binding. */
bool frame_declare_one(Frame *fr, uint32_t k)
{
    Front *f = fr->f;
    const Member *m = &fr->m[k];
    Value *v = &fr->local[k].value;
    if (fr->declared[k] == 2)
        return true;
    if (fr->declared[k] == 1) {
        /* its own size is allowed, x[size(x, 1)]; a value that needs itself is not */
        if (v->kind != VALUE_NONE)
            return true;
        diag_error(f->diags, m->span, "F36", "the declaration of '%s' in '%s' depends on itself",
                   m->name.s, class_name(f, fr->c));
        return false;
    }
    fr->declared[k] = 1;
    bool ok = declare_value(fr, k);
    fr->declared[k] = 2;
    return ok;
}

/* Real w[n] with an n that is known in a run only: zeros; else *done is false. */
static bool declare_if_dynamic(Front *f, Scope *scope, const Member *m, Value *v, bool *done)
{
    ExprId *size = arena_array(f->scratch, ExprId, m->n_dims);
    bool any = false;
    *done = false;
    for (uint32_t d = 0; d < m->n_dims; d++) {
        uint32_t known;
        bool varies = false;
        if (m->dims[d]->kind == SYN_COLON)
            size[d] = expr_int(f->sys->pool, 0);
        else if (dimension_is_type(f, scope, m->dims[d], &known))
            size[d] = expr_int(f->sys->pool, known);
        else if (!dynamic_dimension(f, scope, m->dims[d], &size[d], &varies))
            return false;
        any = any || varies;
    }
    if (!any)
        return true;
    ClassKind kind = class_kind(f, m->type);
    BaseType type = kind == CLASS_PLAIN         ? class_base_type(f, m->type)
                    : kind == CLASS_ENUMERATION ? TYPE_ENUMERATION
                                                : TYPE_STRING;
    if (!dynamic_holds(type))
        return dynamic_unsupported(f, m->span, "an array of Strings or records");
    Value zero = value_scalar(f->scratch, type, expr_int(f->sys->pool, 0));
    zero.cls = kind == CLASS_ENUMERATION ? m->type : NULL;
    *done = true;
    return dynamic_fill(f, m->span, &zero, m->n_dims, size, v);
}

static bool declare_value(Frame *fr, uint32_t k)
{
    Front *f = fr->f;
    const Member *m = &fr->m[k];
    Value *v = &fr->local[k].value;
    /* a modification from outside does not speak of these variables */
    bool own = m->binding && declared_scope(fr, m, m->binding_scope, true) != m->binding_scope;
    if (own && !visit_crefs(m->binding, declare_used, fr))
        return false;
    for (uint32_t d = 0; d < m->n_dims; d++)
        if (!m->binding && !visit_crefs(m->dims[d], declare_used, fr))
            return false;
    Value b = {0};
    if (m->binding) {
        Scope *scope = declared_scope(fr, m, m->binding_scope, true);
        if (!expression_any(f, scope, m->binding, &b))
            return false;
        if (!fit_type(f, m->type, &b))
            return bad_argument(f, fr->c, m, &b, m->binding->span);
    }
    Scope *scope = declared_scope(fr, m, m->dims_scope, false);
    if (m->binding) {
        *v = value_copy(f->scratch, &b); /* x[size(x, 1)] */
        for (uint32_t d = 0; d < m->n_dims; d++)
            if (!visit_crefs(m->dims[d], declare_used, fr))
                return false;
        if (!fit_dims(f, scope, fr->c, m, &b, m->binding->span))
            return false;
        *v = value_copy(f->scratch, &b);
        return true;
    }
    uint32_t *dims = arena_array(f->scratch, uint32_t, m->n_dims);
    if (dynamic_allowed(f) && m->n_dims > 0) {
        bool done;
        if (!declare_if_dynamic(f, scope, m, v, &done))
            return false;
        if (done)
            return true;
    }
    for (uint32_t d = 0; d < m->n_dims; d++)
        if (m->dims[d]->kind != SYN_COLON && !eval_dimension(f, scope, m->dims[d], &dims[d]))
            return false;
    uint32_t before = diags_errors(f->diags);
    if (!blank_value(f, fr, m->type, m->n_dims, dims, m, v)) {
        if (diags_errors(f->diags) == before)
            diag_error(f->diags, m->span, "F30",
                       "variable '%s' of function '%s' is of class '%s', which is not supported",
                       m->name.s, class_name(f, fr->c), class_name(f, m->type));
        return false;
    }
    return true;
}
