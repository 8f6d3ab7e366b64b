/* Calls of functions and record constructors, run symbolically. */
#include "frontend/evaluate/function.h"

#include "frontend/evaluate/external_function.h"
#include "frontend/evaluate/frame.h"
#include "frontend/instantiate/when.h"
#include "frontend/syntax/syntax_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_CALLS = 200,           /* nested calls: recursion deeper than this is refused */
    MAX_WHILE_ROUNDS = 200000, /* of one loop */
    MAX_CALL_NOTES = 3,        /* outermost calls named in a message */
    MAX_RECORDS = 100,         /* inside one another */
    MAX_EDGES = 200000,        /* of a call: each result depends on each argument that varies */
    MAX_SCALARS = 300000,      /* of a call: what a stack of a few MB holds, calls inside it too */
};

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
static bool fit_type(Front *f, const Class *type, Value *v)
{
    switch (class_kind(f, type)) {
    case CLASS_PLAIN: {
        BaseType want = class_base_type(f, type);
        if (v->kind != VALUE_PLAIN)
            return false;
        bool ok =
            v->type == want || (want == TYPE_REAL && v->type == TYPE_INTEGER) || value_size(v) == 0;
        v->type = want;
        return ok;
    }
    case CLASS_ENUMERATION: {
        bool ok = v->kind == VALUE_PLAIN && v->type == TYPE_ENUMERATION &&
                  (!v->cls || class_same_type(v->cls, type));
        v->cls = type;
        return ok;
    }
    case CLASS_RECORD: {
        const Member *m;
        uint32_t n = class_members(f, type, &m);
        if (v->kind != VALUE_RECORD || n != v->n_fields)
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

static bool bad_argument(Front *f, const Class *c, const Member *m, const Value *v, Span span)
{
    diag_error(f->diags, span, "T08", "'%s' of '%s' must be %s, this is %s", m->name.s,
               class_name(f, c), member_type_text(f, m), type_text(f, v));
    return false;
}

/* The declared sizes of m against those of v; `scope` knows the other variables. */
static bool fit_dims(Front *f, Scope *scope, const Class *c, const Member *m, const Value *v,
                     Span span)
{
    if (v->n_dims != m->n_dims)
        return bad_argument(f, c, m, v, span);
    for (uint32_t k = 0; k < m->n_dims; k++) {
        uint32_t size;
        if (m->dims[k]->kind == SYN_COLON)
            continue;
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

/* ---- A function at work ---------------------------------------------------------------- */

/* For messages. */
static const char *frame_text(const Frame *fr)
{
    return fr->c ? arena_printf(fr->f->scratch, "function '%s'", class_name(fr->f, fr->c))
                 : "this algorithm";
}

void stuck(Frame *fr, Span span, const char *code, const char *why)
{
    Front *f = fr->f;
    if (!fr->c) {
        diag_error(f->diags, span, code, "%s cannot be expanded: %s", frame_text(fr), why);
        return;
    }
    const char *text = arena_printf(f->mem, "%s cannot be expanded: %s", frame_text(fr), why);
    f->eval.stuck = text;
    f->eval.stuck_endless = false;
    f->eval.stuck_code = code;
    f->eval.stuck_span = span;
}

void log_element(Frame *fr, ExprId *at)
{
    if (fr->logging)
        vec_push(fr->f->scratch, fr->write, ((Write){.at = at, .before = *at}));
}

void log_whole(Frame *fr, Value *whole)
{
    fr->keeps = true;
    if (fr->logging)
        vec_push(fr->f->scratch, fr->write, ((Write){.whole = whole, .whole_before = *whole}));
}

/* The scope in which an expression of m's declaration has its meaning: the function's variables
 * over the class that declared it; a modification from outside does not see them. */
static Scope *declared_scope(Frame *fr, const Member *m, Scope *scope, bool is_binding)
{
    bool own = !is_binding || (m->syn && m->syn->mod && m->syn->mod->value == m->binding);
    if (scope == class_scope(fr->f, fr->c))
        return fr->scope;
    return own ? scope_locals(fr->f, scope, fr->local, fr->n) : scope;
}

static bool declare(Frame *fr, uint32_t k);
static bool declare_value(Frame *fr, uint32_t k);
static bool declare_used(void *ctx, const SynCref *cref);

/* A record while it is declared: its fields, of which sizes and values of others may speak. */
typedef struct Blank {
    Front *f;
    Frame *fr;       /* of the function that declares it, NULL if there is none */
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
    Scope *inside = scope_locals(f, m->dims_scope, b->local, b->n);
    for (uint32_t d = 0; d < m->n_dims; d++)
        if (m->dims[d]->kind != SYN_COLON &&
            (!visit_crefs(m->dims[d], blank_used, b) ||
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
        bool own = m->syn && m->syn->mod && m->syn->mod->value == m->binding;
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
static bool blank_value(Front *f, Frame *fr, const Class *type, uint32_t n_dims,
                        const uint32_t *dims, const Member *whole, Value *out)
{
    return blank_field(f, fr, type, n_dims, dims, 0, whole, out);
}

/* What the declaration of one variable says of another comes first (MLS 12.4.4). */
static bool declare_used(void *ctx, const SynCref *cref)
{
    Frame *fr = ctx;
    for (uint32_t k = 0; k < fr->n; k++)
        if (name_same(fr->m[k].name, cref->part[0].name))
            return declare(fr, k);
    return true;
}

/* Declares variable k: its sizes, then its binding. */
static bool declare(Frame *fr, uint32_t k)
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
        if (!expression_value(f, scope, m->binding, &b))
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

/* ---- Assignment ------------------------------------------------------------------------ */

static bool is_negation(const ExprPool *p, ExprId a, ExprId b)
{
    return (expr_op(p, a) == OP_NOT && expr_same(expr_arg(p, a, 0), b)) ||
           (expr_op(p, b) == OP_NOT && expr_same(expr_arg(p, b, 0), a));
}

/* x where cond is known to be `truth`: selects by it are decided, some levels down. */
static ExprId assume(ExprPool *p, ExprId x, ExprId cond, bool truth, uint32_t levels)
{
    if (levels == 0 || expr_op(p, x) != OP_SELECT)
        return x;
    ExprId c = expr_arg(p, x, 0);
    bool same = expr_same(c, cond);
    if (same || is_negation(p, c, cond))
        return assume(p, expr_arg(p, x, same == truth ? 1 : 2), cond, truth, levels - 1);
    ExprId yes = assume(p, expr_arg(p, x, 1), cond, truth, levels - 1);
    ExprId no = assume(p, expr_arg(p, x, 2), cond, truth, levels - 1);
    return expr_select(p, c, yes, no);
}

/* What has no value in one branch is undefined there: any value will do, so the other's. */
static ExprId select_known(Frame *fr, ExprId cond, ExprId yes, ExprId no)
{
    enum { LEVELS = 4 };
    ExprPool *p = fr->f->sys->pool;
    if (!expr_exists(yes))
        return no;
    if (!expr_exists(no))
        return yes;
    if (expr_op(p, cond) == OP_NOT) {
        ExprId swap = yes;
        yes = no;
        no = swap;
        cond = expr_arg(p, cond, 0);
    }
    return expr_select(p, cond, assume(p, yes, cond, true, LEVELS),
                       assume(p, no, cond, false, LEVELS));
}

/* v in place of all of `to`, whose shape is the same; or which is of unknown size (`:`). */
static bool assign_whole(Frame *fr, Value *to, const Value *v, bool may_resize)
{
    Front *f = fr->f;
    if (to->kind == VALUE_RECORD) {
        if (!value_same_dims(to, v) && !may_resize)
            return false;
        if (!value_same_dims(to, v)) {
            log_whole(fr, to);
            *to = value_copy(f->scratch, v);
            return true;
        }
        for (uint32_t k = 0; k < to->n_fields; k++)
            if (!assign_whole(fr, &to->field[k], &v->field[k], value_size(&to->field[k]) == 0))
                return false;
        return true;
    }
    if (!value_same_dims(to, v)) {
        if (!may_resize)
            return false;
        log_whole(fr, to);
        *to = value_copy(f->scratch, v);
        return true;
    }
    uint32_t n = value_size(to);
    for (uint32_t k = 0; k < n; k++) {
        log_element(fr, &to->elem[k]);
        to->elem[k] = v->elem[k];
    }
    return true;
}

/* The blocks `pick` of to (n_lead leading dimensions, `dims` once picked) become v where cond
 * holds. */
static bool assign_picked(Frame *fr, Value *to, uint32_t n_lead, const uint32_t *pick,
                          uint32_t n_dims, const uint32_t *dims, const Value *v, ExprId cond)
{
    bool same = v->n_dims == n_dims + to->n_dims - n_lead;
    uint32_t blocks = 1;
    for (uint32_t d = 0; same && d < n_dims; d++) {
        same = v->dims[d] == dims[d];
        blocks *= dims[d];
    }
    uint32_t block = 1;
    for (uint32_t d = n_lead; same && d < to->n_dims; d++) {
        same = v->dims[n_dims + d - n_lead] == to->dims[d];
        block *= to->dims[d];
    }
    if (!same)
        return false;
    if (to->kind == VALUE_RECORD) {
        for (uint32_t k = 0; k < to->n_fields; k++)
            if (!assign_picked(fr, &to->field[k], n_lead, pick, n_dims, dims, &v->field[k], cond))
                return false;
        return true;
    }
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t i = 0; i < block; i++) {
            ExprId *at = &to->elem[(size_t)pick[b] * block + i];
            log_element(fr, at);
            *at = select_known(fr, cond, v->elem[(size_t)b * block + i], *at);
        }
    return true;
}

static const Member *field_member(Front *f, const Class *record, Name name)
{
    const Member *m;
    uint32_t n = class_members(f, record, &m);
    for (uint32_t k = 0; k < n; k++)
        if (name_same(m[k].name, name))
            return &m[k];
    return NULL;
}

static bool bad_assignment(Frame *fr, const SynCref *target, const Value *v)
{
    SynExpr x = {.kind = SYN_CREF, .span = target->span};
    x.cref = target;
    diag_error(fr->f->diags, target->span, "T08", "'%s' cannot take %s: types or sizes differ",
               syn_expr_text(fr->f->scratch, &x), type_text(fr->f, v));
    return false;
}

/* As fit_type, for a variable of which only the value is known. */
static bool fit_value(Front *f, const Value *to, Value *v)
{
    if (to->cls)
        return fit_type(f, to->cls, v);
    bool ok = v->kind == to->kind && (v->type == to->type || value_size(v) == 0 ||
                                      (to->type == TYPE_REAL && v->type == TYPE_INTEGER));
    v->type = to->type;
    return ok;
}

/* One choice of the subscripts that vary. The subscripts of all parts together pick blocks of the
 * last part's value. */
static bool assign_chosen(Frame *fr, Scope *s, const SynCref *target, const Value *value)
{
    Front *f = fr->f;
    uint32_t at = 0;
    while (at < fr->n && !name_same(fr->m[at].name, target->part[0].name))
        at++;
    if (at == fr->n) {
        diag_error(f->diags, target->span, "N22", "%s has no variable '%s'", frame_text(fr),
                   target->part[0].name.s);
        return false;
    }
    const Member *m = &fr->m[at];
    if (m->is_input) {
        diag_error(f->diags, target->span, "T18", "'%s' is an input and cannot be assigned",
                   m->name.s);
        return false;
    }
    Value *to = &fr->local[at].value;
    uint32_t n_lead = 0; /* dimensions of `to` that pick and dims replace */
    uint32_t n_pick = 1;
    uint32_t *pick = arena_make(f->scratch, uint32_t);
    uint32_t *dims = NULL;
    uint32_t n_dims = 0;
    bool subscripted = false;
    for (uint32_t p = 0; p < target->n; p++) {
        const SynPart *part = &target->part[p];
        if (p > 0) {
            Value *field = NULL;
            for (uint32_t k = 0; k < to->n_fields; k++)
                if (name_same(to->field_name[k], part->name))
                    field = &to->field[k];
            if (!field) {
                diag_error(f->diags, part->span, "T12", "%s has no field '%s'", type_text(f, to),
                           part->name.s);
                return false;
            }
            m = to->cls ? field_member(f, to->cls, part->name) : NULL;
            to = field;
        }
        uint32_t own = to->n_dims - n_lead;
        if (part->sub.n > own) {
            diag_error(f->diags, part->span, "T04", "%u subscripts for %s", part->sub.n,
                       type_text(f, to));
            return false;
        }
        /* a part between others takes all its dimensions along, subscripted or not */
        uint32_t n_sub = p + 1 < target->n ? own : part->sub.n;
        subscripted |= part->sub.n > 0;
        for (uint32_t k = 0; k < n_sub; k++) {
            Subscript sub;
            uint32_t size = to->dims[n_lead];
            static const SynExpr colon = {.kind = SYN_COLON};
            const SynExpr *x = k < part->sub.n ? part->sub.at[k] : &colon;
            if (!eval_subscript(f, s, x, size, &sub))
                return false;
            uint32_t *next = arena_array(f->scratch, uint32_t, (size_t)n_pick * sub.n);
            for (uint32_t i = 0; i < n_pick; i++)
                for (uint32_t j = 0; j < sub.n; j++)
                    next[i * sub.n + j] = pick[i] * size + sub.index[j] - 1;
            pick = next;
            n_pick *= sub.n;
            n_lead++;
            if (sub.keeps_dim) {
                uint32_t *more = arena_array(f->scratch, uint32_t, n_dims + 1);
                if (n_dims > 0)
                    memcpy(more, dims, n_dims * sizeof *more);
                more[n_dims++] = sub.n;
                dims = more;
            }
        }
    }
    Value v = *value;
    if (m && m->type ? !fit_type(f, m->type, &v) : !fit_value(f, to, &v))
        return bad_assignment(fr, target, value);
    bool open = false;
    for (uint32_t d = 0; m && d < m->n_dims; d++)
        open |= m->dims[d]->kind == SYN_COLON;
    bool picked = subscripted || n_lead > 0;
    ExprId cond = varying_condition(f, f->eval.varying);
    bool ok = picked ? assign_picked(fr, to, n_lead, pick, n_dims, dims, &v, cond)
                     : assign_whole(fr, to, &v, open);
    return ok || bad_assignment(fr, target, value);
}

/* target := v. A subscript that varies assigns every element it may select, each where it does. */
static bool assign(Frame *fr, Scope *s, const SynCref *target, const Value *v)
{
    VaryingSubscripts varying = {0};
    VaryingSubscripts *outer = fr->f->eval.varying;
    fr->f->eval.varying = &varying;
    bool ok;
    do
        ok = assign_chosen(fr, s, target, v);
    while (ok && varying_next(&varying));
    fr->f->eval.varying = outer;
    return ok;
}

/* ---- Branches whose condition depends on variables ------------------------------------- */

Outcome take_back(Frame *fr, uint32_t mark)
{
    Arena *mem = fr->f->scratch;
    Outcome o = {arena_array(mem, Write, fr->write.n - mark), 0};
    for (uint32_t k = mark; k < fr->write.n; k++) {
        Write w = fr->write.at[k];
        if (w.whole) {
            w.whole_before = value_copy(mem, w.whole);
            if (fr->emission)
                emission_copied(fr, w.whole, &w.whole_before);
        } else {
            w.before = *w.at;
        }
        o.write[o.n++] = w;
    }
    while (fr->write.n > mark) {
        Write w = fr->write.at[--fr->write.n];
        if (w.whole)
            *w.whole = w.whole_before;
        else
            *w.at = w.before;
    }
    return o;
}

static bool has_value(const Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (has_value(&v->field[k]))
            return true;
    return v->kind == VALUE_PLAIN && value_size(v) > 0 && expr_exists(v->elem[0]);
}

static bool select_whole(Frame *fr, ExprId cond, const Value *yes, const Value *no, Value *out)
{
    if (!value_same_dims(yes, no)) {
        if (has_value(yes) && has_value(no)) {
            diag_error(fr->f->diags, fr->span, "F33",
                       "%s cannot be expanded: an array gets the sizes of %s or %s by a condition "
                       "that depends on variables",
                       frame_text(fr), type_text(fr->f, yes), type_text(fr->f, no));
            return false;
        }
        *out = has_value(yes) ? *yes : *no;
        return true;
    }
    *out = value_copy(fr->f->scratch, yes);
    for (uint32_t k = 0; k < yes->n_fields; k++)
        if (!select_whole(fr, cond, &yes->field[k], &no->field[k], &out->field[k]))
            return false;
    uint32_t n = yes->kind == VALUE_PLAIN ? value_size(yes) : 0;
    for (uint32_t k = 0; k < n; k++)
        out->elem[k] = select_known(fr, cond, yes->elem[k], no->elem[k]);
    return true;
}

/* The frame is in the state of "not cond", recorded since mark; `o` is that of "cond". Both become
 * one. */
static bool merge(Frame *fr, ExprId cond, const Outcome *o, uint32_t mark)
{
    Map done = map_new(fr->f->scratch);
    uint32_t n = fr->write.n;
    for (uint32_t k = 0; k < o->n; k++) {
        const Write *w = &o->write[k];
        const void *key = w->whole ? (const void *)w->whole : (const void *)w->at;
        if (map_get(&done, map_key_ptr(key)) != MAP_NONE)
            continue;
        map_put(&done, map_key_ptr(key), 0);
        if (w->whole) {
            Value now;
            if (!select_whole(fr, cond, &w->whole_before, w->whole, &now))
                return false;
            log_whole(fr, w->whole);
            *w->whole = now;
        } else {
            ExprId now = select_known(fr, cond, w->before, *w->at);
            log_element(fr, w->at);
            *w->at = now;
        }
    }
    for (uint32_t k = mark; k < n; k++) {
        Write w = fr->write.at[k];
        const void *key = w.whole ? (const void *)w.whole : (const void *)w.at;
        if (map_get(&done, map_key_ptr(key)) != MAP_NONE)
            continue;
        map_put(&done, map_key_ptr(key), 0);
        if (w.whole) {
            Value now;
            if (!select_whole(fr, cond, &w.whole_before, w.whole, &now))
                return false;
            *w.whole = now;
        } else {
            *w.at = select_known(fr, cond, w.before, *w.at);
        }
    }
    return true;
}

/* The path of conditions (Evaluator) on entering and leaving a branch. */
typedef struct Path {
    bool had, logging;
    ExprId path, local_path;
    uint32_t mark;
} Path;

static Path branch_enter(Frame *fr, ExprId cond)
{
    Evaluator *e = &fr->f->eval;
    ExprPool *pool = fr->f->sys->pool;
    Path p = {e->has_path, fr->logging, e->path, fr->path, fr->write.n};
    expression_path(fr->f, cond);
    fr->path = expr_and(pool, fr->path, cond);
    fr->logging = true;
    return p;
}

static void branch_leave(Frame *fr, Path p)
{
    fr->f->eval.has_path = p.had;
    fr->f->eval.path = p.path;
    fr->path = p.local_path;
    fr->logging = p.logging;
}

/* ---- Statements ------------------------------------------------------------------------ */

/* A break or return under a condition goes on with the condition noted; then what follows runs
 * under its negation. */
static void note_exit(Frame *fr, Flow flow, ExprId cond)
{
    ExprPool *p = fr->f->sys->pool;
    if (flow == GO_RETURN) {
        fr->returned = fr->may_return ? expr_or(p, fr->returned, cond) : cond;
        fr->may_return = true;
    } else if (flow == GO_BREAK) {
        fr->broken = fr->may_break ? expr_or(p, fr->broken, cond) : cond;
        fr->may_break = true;
    }
}

Flow run_if(Frame *fr, Scope *s, const SynStatement *st, uint32_t k)
{
    Front *f = fr->f;
    ExprPool *p = f->sys->pool;
    ExprId cond;
    bool is_clock;
    for (; k < st->n_branches; k++) {
        const SynStBranch *b = &st->branch[k];
        if (!b->condition)
            return run_list(fr, s, &b->body);
        if (st->kind == SYN_ST_WHEN ? !when_fires(f, s, b->condition, &cond, &is_clock)
                                    : !expression_scalar(f, s, b->condition, TYPE_BOOLEAN, &cond))
            return GO_FAILED;
        if (st->kind == SYN_ST_WHEN && is_clock) {
            diag_error(f->diags, b->condition->span, "F05",
                       "a when-clause with a clock stands in no algorithm (MLS 16.6)");
            return GO_FAILED;
        }
        Truth known = expression_truth(f, cond);
        if (known == YES)
            return run_list(fr, s, &b->body);
        // a when-clause that never fires says of its variables that they are as before (MLS 11.1.2)
        if (known == UNKNOWN || (st->kind == SYN_ST_WHEN && f->eval.section))
            break;
    }
    if (k == st->n_branches)
        return GO_ON;
    if (fr->emission)
        return emission_if(fr, s, st, k, cond);

    /* both ways, then one state out of two */
    Path yes = branch_enter(fr, cond);
    bool in_when = f->eval.in_when;
    f->eval.in_when = in_when || st->kind == SYN_ST_WHEN;
    Flow flow = run_list(fr, s, &st->branch[k].body);
    f->eval.in_when = in_when;
    Outcome o = take_back(fr, yes.mark);
    branch_leave(fr, yes);
    if (flow == GO_FAILED)
        return flow;
    note_exit(fr, flow, expr_and(p, fr->path, cond));

    ExprId otherwise = expr_not(p, cond);
    Path no = branch_enter(fr, otherwise);
    Flow flow2 = run_if(fr, s, st, k + 1);
    branch_leave(fr, no);
    if (flow2 == GO_FAILED)
        return flow2;
    note_exit(fr, flow2, expr_and(p, fr->path, otherwise));

    if (!merge(fr, cond, &o, no.mark))
        return GO_FAILED;
    if (!fr->logging)
        fr->write.n = no.mark;
    if (flow == flow2)
        return flow; /* both ways leave alike */
    return GO_ON;
}

/* The condition under which the frame still runs here; false when nothing restricts it. */
static bool still_running(Frame *fr, ExprId *cond)
{
    ExprPool *p = fr->f->sys->pool;
    if (!fr->may_return && !fr->may_break)
        return false;
    ExprId left = fr->may_return && fr->may_break ? expr_or(p, fr->returned, fr->broken)
                  : fr->may_return                ? fr->returned
                                                  : fr->broken;
    *cond = expr_not(p, left);
    return true;
}

static Flow run_while(Frame *fr, Scope *s, const SynStatement *st)
{
    Front *f = fr->f;
    if (fr->emission)
        return emission_while(fr, s, st);
    for (uint32_t round = 0;; round++) {
        ExprId cond;
        if (!expression_scalar(f, s, st->value, TYPE_BOOLEAN, &cond))
            return GO_FAILED;
        Truth known = expression_truth(f, cond);
        if (known == NO)
            return GO_ON;
        if (round == MAX_WHILE_ROUNDS) {
            diag_error(f->diags, st->value->span, "F31",
                       "%s cannot be expanded: a while loop does not end", frame_text(fr));
            return GO_FAILED;
        }
        if (known == UNKNOWN) {
            stuck(fr, st->value->span, "F31", "while loop whose condition depends on variables");
            return GO_FAILED;
        }
        Flow flow = run_list(fr, s, &st->body);
        if (flow != GO_ON)
            return flow;
        ExprId running;
        if (still_running(fr, &running)) {
            stuck(fr, st->span, "F31", "while loop left by a condition that depends on variables");
            return GO_FAILED;
        }
    }
}

/* Runs the list where cond holds; elsewhere the state stays. */
static Flow run_where(Frame *fr, Scope *s, ExprId cond, const SynStatements *list)
{
    Path path = branch_enter(fr, cond);
    Flow flow = run_list(fr, s, list);
    Outcome o = take_back(fr, path.mark);
    branch_leave(fr, path);
    if (flow == GO_FAILED)
        return flow;
    note_exit(fr, flow, expr_and(fr->f->sys->pool, fr->path, cond));
    if (!merge(fr, cond, &o, path.mark))
        return GO_FAILED;
    if (!fr->logging)
        fr->write.n = path.mark;
    return GO_ON;
}

bool range_bounds(Frame *fr, Scope *s, const SynIter *iter, Bounds *out)
{
    Front *f = fr->f;
    const SynExpr *x = iter->range;
    *out = (Bounds){.known = true};
    if (!x || x->kind != SYN_RANGE)
        return true;
    ExprId part[3] = {EXPR_NONE, EXPR_NONE, EXPR_NONE};
    out->type = TYPE_INTEGER;
    for (uint32_t k = 0; k < x->arg.n; k++) {
        Value v;
        ExprId known;
        if (!expression_value(f, s, x->arg.at[k], &v))
            return false;
        if (!value_is_scalar(&v) || (v.type != TYPE_INTEGER && v.type != TYPE_REAL))
            return true; /* reported where it is evaluated */
        if (v.type == TYPE_REAL)
            out->type = TYPE_REAL;
        part[k] = v.elem[0];
        out->known = out->known && structural_value(f, part[k], &known);
    }
    out->first = part[0];
    out->step = x->arg.n == 3 ? part[1] : expr_int(f->sys->pool, 1);
    out->last = part[x->arg.n - 1];
    return true;
}

/* Several iterators are nested loops (MLS 11.2.2.3). */
Flow run_for(Frame *fr, Scope *s, const SynStatement *st, uint32_t k)
{
    Front *f = fr->f;
    if (k == st->n_iter)
        return run_list(fr, s, &st->body);
    if (fr->emission)
        return emission_for(fr, s, st, k);
    Bounds bounds;
    if (!range_bounds(fr, s, &st->iter[k], &bounds))
        return GO_FAILED;
    if (!bounds.known && fr->c) {
        stuck(fr, st->iter[k].span, "F31", "for loop over a range that depends on variables");
        return GO_FAILED;
    }
    Iteration it;
    if (!iteration_new(f, s, 1, &st->iter[k], NULL, &st->body, &it))
        return GO_FAILED;
    for (uint32_t i = 0; i < it.total; i++) {
        iteration_set(f, &it, i);
        ExprId running;
        Flow flow;
        if (k + 1 == st->n_iter && still_running(fr, &running))
            flow = run_where(fr, it.scope, running, &st->body);
        else
            flow = run_for(fr, it.scope, st, k + 1);
        if (flow != GO_ON)
            return flow; /* break leaves all the nested loops of one for */
    }
    return GO_ON;
}

/* Exact numbers that an iteration keeps making longer are rounded as the program would. */
static Value round_long_numbers(Front *f, const Value *v)
{
    enum { MAX_BITS = 2000 };
    ExprPool *p = f->sys->pool;
    Value out = *v;
    bool copied = false;
    for (uint32_t k = 0; k < v->n_fields; k++) {
        if (!copied) {
            out.field = arena_array(f->scratch, Value, v->n_fields);
            copied = true;
        }
        out.field[k] = round_long_numbers(f, &v->field[k]);
    }
    uint32_t n = v->kind == VALUE_PLAIN && v->type == TYPE_REAL ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++) {
        double x;
        if (!expr_exists(v->elem[k]) || !expr_is_num(p, v->elem[k]))
            continue;
        mpq_srcptr q = expr_rational(p, v->elem[k]);
        if (mpz_sizeinbase(mpq_numref(q), 2) + mpz_sizeinbase(mpq_denref(q), 2) < MAX_BITS ||
            !expr_constant(p, v->elem[k], &x) || !isfinite(x))
            continue;
        if (!copied) {
            out.elem = arena_array(f->scratch, ExprId, n);
            memcpy(out.elem, v->elem, n * sizeof *v->elem);
            copied = true;
        }
        out.elem[k] = expr_double(p, x);
    }
    return out;
}

static Flow assigned(Frame *fr, uint32_t mark, const SynStatement *st)
{
    if (fr->emission)
        emission_assigned(fr, mark, st->span);
    return GO_ON;
}

static Flow run_one(Frame *fr, Scope *s, const SynStatement *st)
{
    Front *f = fr->f;
    switch (st->kind) {
    case SYN_ST_ASSIGN: {
        Value v;
        if (!expression_value(f, s, st->value, &v))
            return GO_FAILED;
        v = round_long_numbers(f, &v);
        uint32_t mark = fr->write.n;
        return assign(fr, s, st->target, &v) ? assigned(fr, mark, st) : GO_FAILED;
    }
    case SYN_ST_TUPLE: {
        if (st->value->kind != SYN_CALL) {
            diag_error(f->diags, st->span, "T07", "only a function has several results");
            return GO_FAILED;
        }
        uint32_t n = st->tuple.n;
        Value *v = arena_array(f->scratch, Value, n);
        if (!expression_call(f, s, st->value, n, v))
            return GO_FAILED;
        uint32_t mark = fr->write.n;
        for (uint32_t k = 0; k < n; k++) {
            const SynExpr *x = st->tuple.at[k];
            if (!x)
                continue;
            if (x->kind != SYN_CREF) {
                diag_error(f->diags, x->span, "T18", "this cannot be assigned");
                return GO_FAILED;
            }
            if (!assign(fr, s, x->cref, &v[k]))
                return GO_FAILED;
        }
        return assigned(fr, mark, st);
    }
    case SYN_ST_CALL: {
        const SynCref *called = st->value->cref;
        if (called->n == 1 && strcmp(called->part[0].name.s, "assert") == 0)
            return function_assert_call(f, s, st->value) ? GO_ON : GO_FAILED;
        if (when_is_action(st->value))
            return when_action(f, s, st->value) ? GO_ON : GO_FAILED;
        Value none; /* no results, but it runs */
        return expression_call(f, s, st->value, 0, &none) ? GO_ON : GO_FAILED;
    }
    case SYN_ST_BREAK:
    case SYN_ST_RETURN: {
        Flow flow = st->kind == SYN_ST_BREAK ? GO_BREAK : GO_RETURN;
        return fr->emission && !emission_leave(fr, flow, st->span) ? GO_FAILED : flow;
    }
    case SYN_ST_WHEN:
        if (fr->c)
            break;
        return run_if(fr, s, st, 0);
    case SYN_ST_IF:
        return run_if(fr, s, st, 0);
    case SYN_ST_FOR:
    case SYN_ST_WHILE: {
        bool may = fr->may_break;
        ExprId broken = fr->broken;
        fr->may_break = false;
        Flow flow = st->kind == SYN_ST_FOR ? run_for(fr, s, st, 0) : run_while(fr, s, st);
        fr->may_break = may;
        fr->broken = broken;
        return flow == GO_BREAK ? GO_ON : flow;
    }
    }
    diag_error(f->diags, st->span, "F30", "'when' is not supported in %s", frame_text(fr));
    return GO_FAILED;
}

/* What a statement builds on the way is given back, unless the frame needs it: loops run long. */
static Flow run_statement(Frame *fr, Scope *s, const SynStatement *st)
{
    if (fr->logging)
        return run_one(fr, s, st);
    ArenaMark mark = arena_mark(fr->f->scratch);
    bool kept = fr->keeps;
    fr->keeps = false;
    uint32_t room = fr->write.cap;
    Flow flow = run_one(fr, s, st);
    bool exits = fr->may_return || fr->may_break;
    if (!fr->keeps && fr->write.cap == room && !exits && flow != GO_FAILED)
        arena_rollback(fr->f->scratch, mark);
    fr->keeps |= kept;
    return flow;
}

Flow run_list(Frame *fr, Scope *s, const SynStatements *list)
{
    for (uint32_t k = 0; k < list->n; k++) {
        ExprId before = EXPR_NONE;
        ExprId running = EXPR_NONE;
        still_running(fr, &before);
        Flow flow = run_statement(fr, s, list->at[k]);
        if (flow != GO_ON)
            return flow;
        if (still_running(fr, &running) && !expr_same(before, running) && k + 1 < list->n) {
            /* a conditional exit: the rest runs where it was not taken */
            SynStatements rest = {list->at + k + 1, list->n - k - 1};
            return run_where(fr, s, running, &rest);
        }
    }
    return GO_ON;
}

/* ---- Running a function ---------------------------------------------------------------- */

/* external "builtin" y = sin(u): the predefined function on the variables. */
static bool run_external(Frame *fr, const SynClass *syn)
{
    Front *f = fr->f;
    const SynExternal *ext = syn->external;
    const char *language = ext->language ? ext->language : "C";
    if (strcmp(language, "builtin") == 0) {
        const char *name = ext->function.s ? ext->function.s : syn->name.s;
        if (builtin_is_function(name)) {
            SynPart part = {.name = name_of(f->names, name), .span = ext->span};
            SynCref cref = {.n = 1, .part = &part, .span = ext->span};
            SynExpr call = {.kind = SYN_CALL, .span = fr->span};
            call.cref = &cref;
            call.arg = ext->arg;
            SynCref result = {.n = 1, .span = ext->span};
            SynPart output = {.span = ext->span};
            for (uint32_t k = 0; k < fr->n; k++) {
                if (fr->m[k].is_input && !ext->function.s) {
                    diag_error(f->diags, ext->span, "F30",
                               "external \"builtin\" without a call is not supported");
                    return false;
                }
                if (fr->m[k].is_output)
                    output.name = fr->m[k].name;
            }
            result.part = &output;
            Value v;
            return builtin_call(f, fr->scope, name, &call, &v) &&
                   assign(fr, fr->scope, ext->result ? ext->result : &result, &v);
        }
    }
    if (ext->function.s && ext->result && external_is_known(ext->function.s)) {
        Value *arg = arena_array(f->scratch, Value, ext->arg.n);
        Value v;
        bool known = true;
        for (uint32_t k = 0; known && k < ext->arg.n; k++)
            known = ext->arg.at[k] && expression_value(f, fr->scope, ext->arg.at[k], &arg[k]);
        if (!known)
            return false;
        if (external_evaluate(f, ext->function.s, ext->arg.n, arg, &v)) {
            for (uint32_t k = 0; k < fr->n; k++) {
                /* what C calls an int may be an enumeration */
                const Value *to = &fr->local[k].value;
                if (name_same(fr->m[k].name, ext->result->part[0].name) &&
                    to->type == TYPE_ENUMERATION) {
                    v.type = to->type;
                    v.cls = to->cls;
                }
            }
            return assign(fr, fr->scope, ext->result, &v);
        }
    }
    stuck(fr, fr->span, "F32", arena_printf(f->scratch, "it is external \"%s\"", language));
    return false;
}

bool run_sections(Frame *fr)
{
    const SynClass *syn = class_syntax(fr->c);
    for (uint32_t k = 0; k < syn->n_sections; k++) {
        if (!syn->section[k].algorithm)
            continue;
        Flow flow = run_list(fr, fr->scope, &syn->section[k].statements);
        if (flow == GO_FAILED)
            return false;
        if (flow == GO_RETURN)
            return true;
    }
    return true;
}

static bool run_body(Frame *fr)
{
    Front *f = fr->f;
    const SynClass *syn = class_syntax(fr->c);
    if (syn->kind == SYN_DER) {
        diag_error(f->diags, fr->span, "F32",
                   "function '%s' is a partial derivative, which is not "
                   "supported",
                   class_name(f, fr->c));
        return false;
    }
    if (syn->external)
        return run_external(fr, syn);
    if (!run_sections(fr))
        return false;
    bool any = false;
    for (uint32_t k = 0; k < syn->n_sections; k++)
        any |= syn->section[k].algorithm;
    bool has_binding = false;
    for (uint32_t k = 0; k < fr->n; k++)
        has_binding |= fr->m[k].is_output && fr->m[k].binding;
    if (!any && !has_binding) {
        if (syn->partial && class_is_replaceable(fr->c))
            f->wants_class = true;
        diag_error(f->diags, fr->span, "F32", "function '%s' has no algorithm%s",
                   class_name(f, fr->c), syn->partial ? ": it is partial" : "");
        return false;
    }
    return true;
}

/* A frame in which what has an argument has its value (per member, VALUE_NONE for the default). */
static void frame_new(Frame *fr, Front *f, const Class *c, const Value *arg, Span span)
{
    *fr = (Frame){.f = f, .c = c, .span = span, .path = expr_int(f->sys->pool, 1)};
    fr->n = class_members(f, c, &fr->m);
    fr->local = arena_array(f->scratch, Local, fr->n);
    fr->declared = arena_array(f->scratch, uint8_t, fr->n);
    for (uint32_t k = 0; k < fr->n; k++) {
        fr->local[k] = (Local){fr->m[k].name, arg[k]};
        fr->declared[k] = arg[k].kind != VALUE_NONE ? 2 : 0;
    }
    fr->scope = scope_locals(f, class_scope(f, c), fr->local, fr->n);
}

/* A frame whose inputs have their values. */
bool frame_open(Frame *fr, Front *f, const Class *c, const Value *arg, Span span)
{
    frame_new(fr, f, c, arg, span);
    for (uint32_t k = 0; k < fr->n; k++) {
        const Member *m = &fr->m[k];
        if (!m->is_input)
            continue;
        bool given = arg[k].kind != VALUE_NONE;
        /* its size may be that of a constant declared further down */
        for (uint32_t d = 0; given && d < m->n_dims; d++)
            if (!visit_crefs(m->dims[d], declare_used, fr))
                return false;
        bool ok =
            given ? fit_dims(f, declared_scope(fr, m, m->dims_scope, false), c, m, &arg[k], span)
                  : declare(fr, k);
        if (!ok)
            return false;
    }
    return true;
}

bool frame_declare(Frame *fr)
{
    for (uint32_t k = 0; k < fr->n; k++)
        if (!fr->m[k].is_input && !declare(fr, k))
            return false;
    return true;
}

static bool frame_run(Frame *fr, uint32_t n_out, Value *out)
{
    if (!frame_declare(fr) || !run_body(fr))
        return false;
    uint32_t n = 0;
    for (uint32_t k = 0; k < fr->n && n < n_out; k++) {
        if (!fr->m[k].is_output)
            continue;
        const Value *v = &fr->local[k].value;
        if (v->kind == VALUE_RECORD ? !value_is_partly_known(v) && !value_is_known(v)
                                    : !value_is_known(v)) {
            diag_error(fr->f->diags, fr->m[k].span, "T16", "%s assigns no value to '%s'%s",
                       frame_text(fr), fr->m[k].name.s,
                       value_n_scalars(&fr->local[k].value) > 1 ? ", or not to all of it" : "");
            return false;
        }
        out[n++] = fr->local[k].value;
    }
    if (n < n_out)
        diag_error(fr->f->diags, fr->span, "T07", "%s has no result", frame_text(fr));
    return n == n_out;
}

/* The functions among the arguments can be called by their names. */
void give_functions(Front *f, const Class *c, const Value *arg)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    uint32_t count = 0;
    for (uint32_t k = 0; k < n; k++)
        count += arg[k].kind == VALUE_FUNCTION;
    f->eval.n_functional = count;
    if (count == 0)
        return;
    Value *function = arena_array(f->scratch, Value, count);
    Name *name = arena_array(f->scratch, Name, count);
    count = 0;
    for (uint32_t k = 0; k < n; k++)
        if (arg[k].kind == VALUE_FUNCTION) {
            name[count] = m[k].name;
            function[count++] = arg[k];
        }
    f->eval.functional = function;
    f->eval.functional_name = name;
}

/* Fitted arguments per member, VALUE_NONE for defaults, which are filled in; results per output;
 * with out NULL only the arguments are completed. */
static bool run_function(Front *f, const Class *c, Value *arg, Span span, uint32_t n_out,
                         Value *out)
{
    Frame fr = {.f = f, .c = c};
    if (f->eval.calls >= MAX_CALLS) {
        stuck(&fr, span, "F31",
              arena_printf(f->scratch, "calls are nested more than %d deep", MAX_CALLS));
        f->eval.stuck_endless = true;
        return false;
    }
    f->eval.calls++;
    Evaluator outer = f->eval;
    CallChain link = {outer.chain, c};
    f->eval.chain = &link;
    f->eval.has_end = false;
    f->eval.in_function = true;
    give_functions(f, c, arg);
    bool ok = frame_open(&fr, f, c, arg, span);
    for (uint32_t k = 0; ok && k < fr.n; k++)
        if (fr.m[k].is_input)
            arg[k] = fr.local[k].value;
    ok = ok && (!out || frame_run(&fr, n_out, out));
    f->eval.has_end = outer.has_end;
    f->eval.in_function = outer.in_function;
    f->eval.functional = outer.functional;
    f->eval.functional_name = outer.functional_name;
    f->eval.n_functional = outer.n_functional;
    f->eval.chain = outer.chain;
    f->eval.calls--;
    if (!ok && !f->eval.stuck && f->eval.calls < MAX_CALL_NOTES)
        diag_note(f->diags, span, "in this call of '%s'", class_name(f, c));
    return ok;
}

/* As run_function, into a Body. */
static Body *write_down(Front *f, const Class *c, const Value *arg, Span span, Value *result)
{
    Evaluator outer = f->eval;
    CallChain link = {outer.chain, c};
    f->eval.calls++;
    f->eval.chain = &link;
    f->eval.has_end = false;
    f->eval.in_function = true;
    Body *b = function_write_down(f, c, arg, span, result);
    f->eval.has_end = outer.has_end;
    f->eval.in_function = outer.in_function;
    f->eval.functional = outer.functional;
    f->eval.functional_name = outer.functional_name;
    f->eval.n_functional = outer.n_functional;
    f->eval.chain = outer.chain;
    f->eval.calls--;
    return b;
}

/* The shapes of the results by the declarations alone, the arguments given; elements EXPR_NONE.
 * False (nothing reported) if a size is left open. */
static bool result_shapes(Front *f, const Class *c, Value *arg, Span span, Value *out)
{
    Frame fr;
    if (!frame_open(&fr, f, c, arg, span))
        return false;
    for (uint32_t k = 0; k < fr.n; k++) {
        const Member *m = &fr.m[k];
        if (!m->is_output)
            continue;
        uint32_t *dims = arena_array(f->scratch, uint32_t, m->n_dims);
        Scope *scope = declared_scope(&fr, m, m->dims_scope, false);
        for (uint32_t d = 0; d < m->n_dims; d++)
            if (m->dims[d]->kind == SYN_COLON || !visit_crefs(m->dims[d], declare_used, &fr) ||
                !eval_dimension(f, scope, m->dims[d], &dims[d]))
                return false;
        if (!blank_value(f, &fr, m->type, m->n_dims, dims, m, out++))
            return false;
    }
    return true;
}

static uint32_t count_members(Front *f, const Class *c)
{
    const Member *m;
    return class_members(f, c, &m);
}

static uint32_t count_outputs(Front *f, const Class *c)
{
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    uint32_t outputs = 0;
    for (uint32_t k = 0; k < n; k++)
        outputs += m[k].is_output;
    return outputs;
}

/* ---- Functions kept as calls ----------------------------------------------------------- */

/* A Function of the System and the shapes that it stands for. */
typedef struct KeptFunction {
    Front *f;
    const Class *c;
    FuncId id;
    uint32_t n_members;
    Value *arg; /* per member: an input's shape, else VALUE_NONE */
    uint32_t n_out;
    Value *result; /* per output */
    Span span;
    bool has_body; /* is written down, or has been tried */
} KeptFunction;

struct FunctionTable {
    VEC(KeptFunction *) at;
    Map by_signature; /* Name of the signature -> index in at                   */
    Map lasting;      /* classes of which some entry cannot be expanded        */
    Map asserted;     /* condition -> where it stands among the assertions     */
    Map result_of;    /* call with constant arguments -> where its results stand in result */
    VEC(const ExprId *) result; /* NULL: it cannot be evaluated */
};

/* Of a class in `lasting`: whether the sizes of its results are known yet. */
enum { OPENING, OPENED };

static struct FunctionTable *function_table(Front *f)
{
    if (!f->eval.functions) {
        f->eval.functions = arena_make(f->mem, struct FunctionTable);
        f->eval.functions->by_signature = map_new(f->mem);
        f->eval.functions->lasting = map_new(f->mem);
        f->eval.functions->asserted = map_new(f->mem);
        f->eval.functions->result_of = map_new(f->mem);
    }
    return f->eval.functions;
}

static bool annotation_is_true(const SynClass *syn, const char *name)
{
    const SynArg *a = syn_mod_find(syn->annotation, name);
    return a && a->mod && a->mod->value && a->mod->value->kind == SYN_BOOLEAN &&
           a->mod->value->truth;
}

static InlineKind inline_kind(const SynClass *syn)
{
    if (annotation_is_true(syn, "LateInline") ||
        annotation_is_true(syn, "InlineAfterIndexReduction") ||
        syn_mod_find(syn->annotation, "derivative"))
        return INLINE_LATE;
    return INLINE_DEFAULT;
}

/* Does a scalar of v change during a simulation? */
static bool varies(Front *f, const Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (varies(f, &v->field[k]))
            return true;
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (expr_exists(v->elem[k]) &&
            expr_variability(f->sys->pool, v->elem[k]) > VARIES_PARAMETER)
            return true;
    return false;
}

/* Type and sizes; and the values of constants that may decide sizes and branches. */
static const char *shape_signature(Front *f, const char *head, const Value *v)
{
    const char *text = arena_printf(f->scratch, "%s|%d,%d", head, (int)v->kind, (int)v->type);
    if (v->kind == VALUE_FUNCTION)
        text = arena_printf(f->scratch, "%s:%p", text, (const void *)v->cls);
    for (uint32_t k = 0; k < v->n_dims; k++)
        text = arena_printf(f->scratch, "%s[%u]", text, v->dims[k]);
    for (uint32_t k = 0; k < v->n_fields; k++)
        text = shape_signature(f, text, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN && v->type != TYPE_REAL ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (expr_exists(v->elem[k]) && expr_variability(f->sys->pool, v->elem[k]) == VARIES_NEVER)
            text = arena_printf(f->scratch, "%s;%u", text, v->elem[k].i);
    return text;
}

/* Function.expand: runs the function on the scalars. */
static bool kept_expand(void *self, System *sys, const ExprId *args, ExprId *results)
{
    KeptFunction *kept = self;
    Front *f = kept->f;
    (void)sys;
    Evaluation e = evaluation_begin(f);
    Value *arg = arena_array(f->scratch, Value, kept->n_members);
    for (uint32_t k = 0; k < kept->n_members; k++) {
        if (kept->arg[k].kind == VALUE_NONE)
            continue;
        arg[k] = value_unflatten(f->scratch, &kept->arg[k], args);
        args += value_n_scalars(&arg[k]);
    }
    Value *out = arena_array(f->scratch, Value, kept->n_out);
    bool ok = run_function(f, kept->c, arg, kept->span, kept->n_out, out);
    for (uint32_t k = 0; ok && k < kept->n_out; k++) {
        uint32_t n = value_n_scalars(&out[k]);
        value_flatten(&out[k], results);
        for (uint32_t i = 0; i < n; i++)
            ok = ok && expr_exists(results[i]);
        results += n;
    }
    evaluation_end(f, &e);
    f->eval.stuck = NULL;
    return ok;
}

static KeptFunction *kept_function(Front *f, const Class *c, Value *arg, Span span);

static bool named_in(const SynArg *rule, const char *what, Name input)
{
    for (uint32_t k = 0; rule->mod && k < rule->mod->n; k++) {
        const SynArg *a = &rule->mod->arg[k];
        if (a->kind != SYN_ARG_MODIFY || a->path.n != 1 || strcmp(a->path.name[0].s, what) != 0 ||
            !a->mod)
            continue;
        /* noDerivative = x, or the older noDerivative(x = f(y, z)) */
        const SynExpr *x = a->mod->value;
        if (x && x->kind == SYN_CREF && x->cref->n == 1 && name_same(x->cref->part[0].name, input))
            return true;
        for (uint32_t i = 0; i < a->mod->n; i++)
            if (a->mod->arg[i].path.n == 1 && name_same(a->mod->arg[i].path.name[0], input))
                return true;
    }
    return false;
}

static uint32_t rule_order(const SynArg *rule)
{
    const SynArg *order = syn_mod_find(rule->mod, "order");
    const SynExpr *x = order && order->mod ? order->mod->value : NULL;
    long n = x && x->kind == SYN_INTEGER ? strtol(x->text, NULL, 10) : 1;
    return n >= 1 && n < 100 ? (uint32_t)n : 1;
}

/* Marks the n scalars from *flag on per scalar: those that are no Real have no derivative. */
static bool *mark_scalars(const Value *v, bool flag, bool *at)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        at = mark_scalars(&v->field[k], flag, at);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        *at++ = flag || v->type != TYPE_REAL;
    return at;
}

static bool has_real(const Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (has_real(&v->field[k]))
            return true;
    return v->kind == VALUE_PLAIN && v->type == TYPE_REAL;
}

/* MLS 12.7.1: the inputs of the derivative function are those of the function, then one per Real
 * input that is not excluded. A function that is itself a derivative (order > 1) has the
 * derivatives of its last inputs only. */
static bool add_rule(KeptFunction *kept, const SynArg *rule, const Value *arg, DerivativeRule *out)
{
    Front *f = kept->f;
    const SynExpr *name = rule->mod ? rule->mod->value : NULL;
    const Class *d =
        name && name->kind == SYN_CREF ? scope_class(f, class_scope(f, kept->c), name->cref) : NULL;
    if (!d || class_kind(f, d) != CLASS_FUNCTION) {
        diag_error(f->diags, rule->span, "F34", "the derivative of '%s' is not a function",
                   class_name(f, kept->c));
        return false;
    }
    const Member *m;
    const Member *dm;
    uint32_t n = class_members(f, kept->c, &m);
    uint32_t dn = class_members(f, d, &dm);
    uint32_t n_in = 0;
    uint32_t d_in = 0;
    for (uint32_t k = 0; k < n; k++)
        n_in += m[k].is_input;
    for (uint32_t k = 0; k < dn; k++)
        d_in += dm[k].is_input;
    uint32_t order = rule_order(rule);
    /* inputs before this one are those of functions lower in the chain */
    uint32_t first = order > 1 && d_in >= n_in && d_in - n_in <= n_in ? n_in - (d_in - n_in) : 0;

    uint32_t n_scalars = f->sys->function->at[kept->id.i].n_in;
    bool *no_derivative = arena_array(f->mem, bool, n_scalars);
    bool *zero_derivative = arena_array(f->mem, bool, n_scalars);
    bool *no_at = no_derivative;
    bool *zero_at = zero_derivative;
    Value *list = arena_array(f->scratch, Value, 2 * (size_t)n_in); /* inputs of d in order */
    uint32_t n_list = 0;
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input)
            list[n_list++] = arg[k];
    uint32_t at = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (!m[k].is_input)
            continue;
        bool no = at < first || named_in(rule, "noDerivative", m[k].name);
        bool zero = named_in(rule, "zeroDerivative", m[k].name);
        uint32_t scalars = value_n_scalars(&arg[k]);
        no_at = mark_scalars(&arg[k], no, no_at);
        for (uint32_t i = 0; i < scalars; i++)
            *zero_at++ = zero;
        /* stands in for the derivative: of the same shape */
        if (!no && !zero && has_real(&arg[k]))
            list[n_list++] = arg[k];
        at++;
    }
    if (n_list != d_in) {
        diag_error(f->diags, rule->span, "F34",
                   "the derivative '%s' of '%s' must have %u inputs, it has %u", class_name(f, d),
                   class_name(f, kept->c), n_list, d_in);
        return false;
    }
    Value *d_arg = arena_array(f->scratch, Value, dn);
    uint32_t next = 0;
    for (uint32_t k = 0; k < dn; k++)
        if (dm[k].is_input) {
            d_arg[k] = list[next++];
            if (!fit_type(f, dm[k].type, &d_arg[k]))
                return bad_argument(f, d, &dm[k], &d_arg[k], rule->span);
        }
    KeptFunction *kd = kept_function(f, d, d_arg, rule->span);
    if (!kd)
        return false;
    /* the next derivative of this function, whatever its own order in the chain is */
    *out = (DerivativeRule){.func = kd->id,
                            .order = 1,
                            .no_derivative = no_derivative,
                            .zero_derivative = zero_derivative};
    return true;
}

/* Another function is looked at in the middle of one: of where that is, it knows nothing. */
typedef struct Inner {
    bool dry, has_path;
    ExprId path;
    struct Emission *emission;
    VaryingSubscripts *varying;
    bool in_message, structural;
} Inner;

static Inner inner_begin(Front *f)
{
    Evaluator *e = &f->eval;
    Inner i = {e->dry, e->has_path, e->path, e->emission, e->varying, e->in_message, e->structural};
    e->dry = true;
    e->has_path = e->in_message = e->structural = false;
    e->emission = NULL;
    e->varying = NULL;
    return i;
}

static void inner_end(Front *f, const Inner *i)
{
    Evaluator *e = &f->eval;
    e->dry = i->dry;
    e->has_path = i->has_path;
    e->path = i->path;
    e->emission = i->emission;
    e->varying = i->varying;
    e->in_message = i->in_message;
    e->structural = i->structural;
}

static void scalar_types(const Value *v, BaseType **at)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        scalar_types(&v->field[k], at);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        *(*at)++ = v->type;
}

/* result: the shapes of the outputs. */
static KeptFunction *add_entry(Front *f, const Class *c, const Value *arg, Span span,
                               Name signature, const Value *result, bool lasts)
{
    struct FunctionTable *t = function_table(f);
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    uint32_t n_out = count_outputs(f, c);
    KeptFunction *kept = arena_make(f->mem, KeptFunction);
    *kept = (KeptFunction){.f = f, .c = c, .n_members = n, .n_out = n_out, .span = span};
    kept->arg = arena_array(f->mem, Value, n);
    kept->result = arena_array(f->mem, Value, n_out);
    Function fn = {.name = name_of(f->names, class_name(f, c)), .span = class_syntax(c)->span};
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input) {
            kept->arg[k] = value_copy(f->mem, &arg[k]);
            fn.n_in += value_n_scalars(&arg[k]);
        }
    for (uint32_t k = 0; k < n_out; k++) {
        kept->result[k] = value_copy(f->mem, &result[k]);
        fn.n_out += value_n_scalars(&result[k]);
    }
    BaseType *in = arena_array(f->mem, BaseType, fn.n_in + 1);
    BaseType *out = arena_array(f->mem, BaseType, fn.n_out + 1);
    fn.in_type = in;
    fn.out_type = out;
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input)
            scalar_types(&arg[k], &in);
    for (uint32_t k = 0; k < n_out; k++)
        scalar_types(&result[k], &out);
    fn.inlining = lasts ? INLINE_NEVER : inline_kind(class_syntax(c));
    fn.expand = lasts ? NULL : kept_expand;
    fn.self = kept;
    kept->id = system_add_function(f->sys, fn);
    map_put(&t->by_signature, map_key_ptr(signature.s), t->at.n);
    vec_push(f->mem, t->at, kept);
    return kept;
}

/* Each call of a constructor makes an object of its own: its first input is the object's number. */
static void add_slot(System *s, Function *fn, Body *b)
{
    uint32_t *input = arena_array(s->mem, uint32_t, fn->n_in + 1);
    BaseType *in = arena_array(s->mem, BaseType, fn->n_in + 1);
    input[0] = b->local.n;
    in[0] = TYPE_INTEGER;
    vec_push(s->mem, b->local, ((BodyLocal){name_of(s->names, "slot"), TYPE_INTEGER}));
    if (fn->n_in > 0) {
        memcpy(input + 1, b->input, fn->n_in * sizeof *input);
        memcpy(in + 1, fn->in_type, fn->n_in * sizeof *in);
    }
    b->input = input;
    fn->in_type = in;
    fn->n_in++;
}

/* A function that cannot be expanded, for the reason in `stuck`. */
static KeptFunction *add_lasting(Front *f, const Class *c, const Value *arg, Span span,
                                 Name signature, Value *result)
{
    struct FunctionTable *t = function_table(f);
    const char *why = f->eval.stuck;
    const char *code = f->eval.stuck_code;
    Span where = f->eval.stuck_span;
    f->eval.stuck = NULL;
    map_put(&t->lasting, map_key_ptr(c), OPENING);
    /* known by its declaration it can call itself; else its sizes are those that it ends with */
    Value *own = arena_array(f->scratch, Value, count_members(f, c));
    memcpy(own, arg, count_members(f, c) * sizeof *own);
    KeptFunction *kept = NULL;
    if (result_shapes(f, c, own, span, result))
        kept = add_entry(f, c, arg, span, signature, result, true);
    if (kept)
        map_put(&t->lasting, map_key_ptr(c), OPENED);
    Body *body = write_down(f, c, arg, span, result);
    if (!body && !f->eval.stuck)
        return NULL; /* reported */
    if (!kept && body)
        kept = add_entry(f, c, arg, span, signature, result, true);
    map_put(&t->lasting, map_key_ptr(c), OPENED);
    if (!body && f->eval.stuck) {
        why = f->eval.stuck;
        code = f->eval.stuck_code;
        where = f->eval.stuck_span;
    }
    f->eval.stuck = NULL;
    if (!kept) {
        diag_error(f->diags, where, code, "%s", why);
        return NULL;
    }
    if (!body)
        front_unsupported(f, where, code, why);
    if (body && body->external && body->external->is_constructor)
        add_slot(f->sys, &f->sys->function->at[kept->id.i], body);
    f->sys->function->at[kept->id.i].body = body;
    return kept;
}

static bool add_rules(KeptFunction *kept, const Value *arg)
{
    Front *f = kept->f;
    const SynClass *syn = class_syntax(kept->c);
    VEC(DerivativeRule) rules = {0};
    for (uint32_t k = 0; syn->annotation && k < syn->annotation->n; k++) {
        const SynArg *a = &syn->annotation->arg[k];
        if (a->kind != SYN_ARG_MODIFY || a->path.n != 1 ||
            strcmp(a->path.name[0].s, "derivative") != 0)
            continue;
        DerivativeRule rule;
        if (!add_rule(kept, a, arg, &rule))
            return false;
        Function *d = &f->sys->function->at[rule.func.i];
        if (d->n_primal == 0)
            d->n_primal = f->sys->function->at[kept->id.i].n_in;
        vec_push(f->mem, rules, rule);
    }
    Function *entry = &f->sys->function->at[kept->id.i];
    entry->derivative = rules.at;
    entry->n_derivatives = rules.n;
    return true;
}

/* The entry for c with arguments shaped as arg (per member, fitted); made on first use. */
static KeptFunction *kept_function(Front *f, const Class *c, Value *arg, Span span)
{
    struct FunctionTable *t = function_table(f);
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    const char *text = arena_printf(f->scratch, "%p", (const void *)c);
    for (uint32_t k = 0; k < n; k++)
        if (m[k].is_input)
            text = shape_signature(f, text, &arg[k]);
    Name signature = name_of(f->names, text);
    uint32_t known = map_get(&t->by_signature, map_key_ptr(signature.s));
    if (known != MAP_NONE)
        return t->at.at[known];

    uint32_t n_out = count_outputs(f, c);
    Value *result = arena_array(f->scratch, Value, n_out);
    Inner inner = inner_begin(f);
    KeptFunction *kept = NULL;
    uint32_t lasting = map_get(&t->lasting, map_key_ptr(c));
    bool lasts = lasting != MAP_NONE;
    if (lasting == OPENING) {
        diag_error(f->diags, span, "F33",
                   "'%s' calls itself before the sizes of its results are known", class_name(f, c));
        inner_end(f, &inner);
        return NULL;
    }
    /* a first run gives the shapes of the results, and shows that there will be any */
    if (!lasts && run_function(f, c, arg, span, n_out, result))
        kept = add_entry(f, c, arg, span, signature, result, false);
    else if (lasts || f->eval.stuck)
        kept = add_lasting(f, c, arg, span, signature, result);
    inner_end(f, &inner);
    return kept && add_rules(kept, arg) ? kept : NULL;
}

/* Equations take what can be expanded for its value; algorithms and messages call it. */
static bool give_body(KeptFunction *kept, const Value *arg, Span span)
{
    Front *f = kept->f;
    if (kept->has_body || f->sys->function->at[kept->id.i].body)
        return true;
    kept->has_body = true;
    Inner inner = inner_begin(f);
    Value *result = arena_array(f->scratch, Value, kept->n_out);
    Body *body = write_down(f, kept->c, arg, span, result);
    inner_end(f, &inner);
    if (!body && f->eval.stuck)
        front_unsupported(f, f->eval.stuck_span, f->eval.stuck_code, f->eval.stuck);
    bool ok = body || f->eval.stuck;
    f->eval.stuck = NULL;
    f->sys->function->at[kept->id.i].body = body;
    return ok;
}

/* A call in the equations of a model for what it does, where the current path leads. In a
 * when-clause or at the start it is an equation of a discrete variable of the compiler's own, so
 * that the call is made at these events, once, behind the call before it (MLS 12.3). Elsewhere the
 * function can only fail: it is an assertion. */
static void add_effect(Front *f, FuncId id, const ExprId *arg, Span span)
{
    System *s = f->sys;
    ExprPool *p = s->pool;
    bool at_start = f->eval.in_initial;
    bool at_events = f->eval.in_when || at_start;
    FuncId g = function_effect(s, id);
    uint32_t n = s->function->at[g.i].n_in;
    ExprId *in = arena_array(f->scratch, ExprId, n);
    ExprId path = f->eval.has_path ? f->eval.path : expr_int(p, 1);
    in[0] = at_start ? expr_and(p, path, expr_initial(p)) : path;
    in[1] = at_events && f->eval.effect.i ? f->eval.effect : expr_int(p, 0);
    if (n > 2)
        memcpy(in + 2, arg, (n - 2) * sizeof *in);
    ExprId done = expr_proj(p, expr_call(p, g, n, in), 0);
    if (!at_events) {
        ExprId message = expr_string(p, name_of(f->names, "the call fails"));
        Assertion a = {
            .cond = expr_compare(p, OP_LT, expr_int(p, 0), done), .message = message, .span = span};
        vec_push(s->mem, s->assertion, a);
        return;
    }
    VarId v = system_add_hidden(s, arena_printf(f->scratch, "call %u", g.i + 1));
    Var *var = var_at(s, v);
    var->kind = VAR_DISCRETE;
    var->type = TYPE_INTEGER;
    ExprId x = system_var_expr(s, v);
    ExprId now = expr_wrap(p, OP_NOEVENT, done);
    ExprId value = f->eval.in_clocked ? now : expr_select(p, in[0], now, expr_wrap(p, OP_PRE, x));
    system_add_eq(s, (Eq){.lhs = x, .rhs = value, .group = GROUP_NONE, .span = span});
    f->eval.effect = x;
}

static bool kept_call(Front *f, const Class *c, Value *arg, Span span, uint32_t n_out, Value *out)
{
    if (n_out == 0 && f->eval.in_function && !f->eval.emission) {
        /* it is run when the function at work is */
        f->eval.stuck = arena_printf(f->mem, "'%s' is called for its effect", class_name(f, c));
        f->eval.stuck_code = "F38";
        f->eval.stuck_span = span;
        return false;
    }
    KeptFunction *kept = kept_function(f, c, arg, span);
    if (!kept)
        return false;
    if ((f->eval.emission || f->eval.in_message) && !give_body(kept, arg, span))
        return false;
    const Function *fn = &f->sys->function->at[kept->id.i];
    ExprPool *p = f->sys->pool;
    uint32_t n_in = fn->n_in;
    uint32_t n_results = fn->n_out;
    ExprId *scalar = arena_array(f->scratch, ExprId, n_in);
    ExprId *next = scalar;
    if (fn->body && fn->body->external && fn->body->external->is_constructor)
        *next++ = expr_int(p, f->sys->n_objects++);
    for (uint32_t k = 0; k < kept->n_members; k++)
        if (kept->arg[k].kind != VALUE_NONE) {
            value_flatten(&arg[k], next);
            next += value_n_scalars(&arg[k]);
        }
    for (uint32_t k = 0; k < n_in; k++)
        if (!expr_exists(scalar[k])) {
            diag_error(f->diags, span, "T16", "a part of an argument of '%s' has no value",
                       class_name(f, c));
            return false;
        }
    uint64_t n_varying = 0;
    for (uint32_t k = 0; k < n_in; k++)
        n_varying += expr_variability(p, scalar[k]) > VARIES_PARAMETER;
    if ((n_varying * n_results > MAX_EDGES || (uint64_t)n_in + n_results > MAX_SCALARS) &&
        !f->eval.emission)
        front_unsupported(f, span, "F37",
                          arena_printf(f->mem,
                                       "a call of '%s' with %u scalars as arguments and %u as "
                                       "results is too large",
                                       class_name(f, c), n_in, n_results));
    ExprId call;
    /* it may fail, or never end, where the condition does not hold; and what is external may
     * remember that it was called (MLS 12.3), so a when-clause calls it at its events alone */
    bool is_external = fn->body && fn->body->external;
    bool may_not_run = fn->inlining == INLINE_NEVER ||
                       (is_external && (f->eval.in_when || fn->n_derivatives == 0));
    bool is_impure = class_syntax(c)->purity == SYN_IMPURE && !f->eval.emission;
    if (is_impure || (may_not_run && f->eval.has_path)) {
        FuncId g = is_impure ? function_guarded_anew(f->sys, kept->id)
                             : function_guarded(f->sys, kept->id);
        ExprId *guarded = arena_array(f->scratch, ExprId, n_in + 1);
        guarded[0] = f->eval.has_path ? f->eval.path : expr_int(p, 1);
        memcpy(guarded + 1, scalar, n_in * sizeof *scalar);
        call = expr_call(p, g, n_in + 1, guarded);
    } else {
        call = expr_call(p, kept->id, n_in, scalar);
    }
    if (n_out == 0) {
        if (f->eval.emission)
            emission_run(f->eval.emission, call, span);
        else if (!f->eval.dry)
            add_effect(f, kept->id, scalar, span);
    }
    ExprId *result = arena_array(f->scratch, ExprId, n_results);
    for (uint32_t k = 0; k < n_results; k++)
        result[k] = expr_proj(p, call, k);
    for (uint32_t k = 0; k < n_out; k++) {
        out[k] = value_unflatten(f->scratch, &kept->result[k], result);
        result += value_n_scalars(&kept->result[k]);
    }
    return true;
}

/* All scalars of the results with these arguments, in f->mem; NULL if they cannot be found. */
static const ExprId *run_kept(Front *f, const KeptFunction *kept, const ExprId *scalar,
                              uint32_t n_results)
{
    Value *arg = arena_array(f->scratch, Value, kept->n_members);
    for (uint32_t k = 0; k < kept->n_members; k++) {
        if (kept->arg[k].kind == VALUE_NONE)
            continue;
        arg[k] = value_unflatten(f->scratch, &kept->arg[k], scalar);
        scalar += value_n_scalars(&arg[k]);
    }
    Value *result = arena_array(f->scratch, Value, kept->n_out);
    if (!run_function(f, kept->c, arg, kept->span, kept->n_out, result)) {
        f->eval.stuck = NULL;
        return NULL;
    }
    ExprId *flat = arena_array(f->mem, ExprId, n_results);
    ExprId *at = flat;
    for (uint32_t k = 0; k < kept->n_out; k++) {
        value_flatten(&result[k], at);
        at += value_n_scalars(&result[k]);
    }
    return flat;
}

bool function_result(Front *f, ExprId x, ExprId *out)
{
    ExprPool *p = f->sys->pool;
    ExprId call = expr_arg(p, x, 0);
    const Function fn = f->sys->function->at[expr_func_of(p, call).i];
    const KeptFunction *kept = fn.self;
    if (!kept || class_syntax(kept->c)->external)
        return false;
    ExprId *scalar = arena_array(f->scratch, ExprId, fn.n_in);
    for (uint32_t k = 0; k < fn.n_in; k++) {
        scalar[k] = expr_arg(p, call, k);
        if (expr_variability(p, scalar[k]) != VARIES_NEVER)
            return false;
    }
    struct FunctionTable *t = function_table(f);
    uint32_t known = map_get(&t->result_of, call.i);
    if (known == MAP_NONE) {
        const ExprId *flat = run_kept(f, kept, scalar, fn.n_out);
        known = t->result.n;
        vec_push(f->mem, t->result, flat);
        map_put(&t->result_of, call.i, known);
    }
    if (!t->result.at[known])
        return false;
    *out = t->result.at[known][expr_proj_of(p, x)];
    return expr_exists(*out);
}

bool function_text_varies(Front *f, Span span)
{
    Evaluator *e = &f->eval;
    if (e->in_message || e->emission || !e->in_function)
        return true;
    /* what makes Strings while it runs stays a call */
    e->stuck = "a String that varies is made";
    e->stuck_code = "F31";
    e->stuck_span = span;
    return false;
}

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
        } else if (!declare(&fr, k)) {
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
        any |= m[k].is_input && varies(f, &arg[k]);
    return any;
}

/* The value with its parameters replaced by what they are; false if one has no value. */
static bool with_parameters(Front *f, const Value *v, Value *out)
{
    *out = *v;
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
        if (all && run_function(f, c, known, span, n_out, out))
            return true;
        if (all && !f->eval.stuck)
            return false; /* reported */
    }
    f->eval.stuck = NULL;
    if (is_endless && !any && all_constant(f, c, arg)) {
        diag_error(f->diags, where, code, "%s", why);
        return false;
    }
    if (kept_call(f, c, arg, span, n_out, out))
        return true;
    if (!f->eval.stuck && !diags_errors(f->diags))
        diag_error(f->diags, where, code, "%s", why);
    return false;
}

/* Is it known that calls of c cannot be expanded? */
static bool lasts(Front *f, const Class *c)
{
    return map_get(&function_table(f)->lasting, map_key_ptr(c)) != MAP_NONE;
}

/* One call with arguments of the declared ranks. */
static bool call_once(Front *f, const Class *c, Value *arg, Span span, uint32_t n_out, Value *out)
{
    if (class_kind(f, c) == CLASS_RECORD)
        return construct_record(f, c, arg, span, out);
    bool late = inline_kind(class_syntax(c)) == INLINE_LATE || lasts(f, c);
    if (late && !f->eval.structural) {
        if (!run_function(f, c, arg, span, 0, NULL))
            return false;
        /* of constants and parameters alone: nothing to differentiate */
        if (any_varies(f, c, arg))
            return kept_call(f, c, arg, span, n_out, out);
    }
    uint32_t n_assertions = f->sys->assertion.n;
    uint32_t n_unsupported = f->sys->unsupported.n;
    if (run_function(f, c, arg, span, n_out, out))
        return true;
    /* what it has asserted, the call will */
    if (f->eval.stuck)
        f->sys->unsupported.n = n_unsupported;
    f->sys->assertion.n = n_assertions;
    return f->eval.stuck && stuck_call(f, c, arg, span, n_out, out);
}

/* MLS 12.4.6: arguments with more dimensions than declared call the function for each index of the
 * surplus, which all of them share. */
static bool call_vectorised(Front *f, const Class *c, Value *arg, const Span *at, Span span,
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
        bool fits = !lead ||
                    (extra == surplus && memcmp(lead->dims, v.dims, surplus * sizeof *v.dims) == 0);
        if (!fits)
            return bad_argument(f, c, &m[k], &arg[k], at ? at[k] : span);
        lead = &arg[k];
        surplus = extra;
    }
    if (!lead)
        return call_once(f, c, arg, span, n_out, out);

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
        /* no call tells the shape of the results: the declared types without elements */
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

/* What a call gives values to: inputs of a function; fields of a record that can be modified. */
static bool is_formal(bool is_record, const Member *m)
{
    return is_record ? !((m->variability == VARIES_NEVER || m->is_final) && m->binding)
                     : m->is_input;
}

static bool check_call(Front *f, const Class *c, const Value *arg, Span span, uint32_t n_out)
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

/* ---- Operators of records (MLS 14) ----------------------------------------------------- */

typedef VEC(const Class *) Overloads;

/* The functions that `operator name` of a record holds, or the function itself. */
static Overloads overloads_of(Front *f, const Class *record, const char *name)
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
static bool takes_arguments(Front *f, const Class *c, const SynExpr *x)
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

/* The first overload of any record among the arguments that fits; *found says whether there is. */
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
    /* element by element: arrays of one size, or a scalar with an array */
    const Value *a = arg[0];
    const Value *b = arg[n - 1];
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

/* MLS 12.4.2: what is given for a function has results of the types of those that are wanted. */
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
    return expression_value(f, s, x, out);
}

/* A call of c of which some inputs are given already, by name. */
static bool call_with(Front *f, Scope *s, const Class *c, const Value *given, const SynExpr *x,
                      uint32_t n_out, Value *out)
{
    bool is_record = class_kind(f, c) == CLASS_RECORD;
    const Member *m;
    uint32_t n = class_members(f, c, &m);
    Value *arg = arena_array(f->scratch, Value, n);
    if (class_syntax(c)->kind == SYN_DER) {
        diag_error(f->diags, x->span, "F32",
                   "function '%s' is a partial derivative (MLS 12.7.2), which is not supported",
                   class_name(f, c));
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
            return false;
        }
        where[i] = named->span;
        if (!argument_value(f, s, &m[i], named->value, &arg[i]))
            return false;
    }
    return check_call(f, c, arg, x->span, n_out) &&
           call_vectorised(f, c, arg, where, x->span, n_out, out);
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
static const Class *overload_for(Front *f, Scope *s, const Overloads *o, const SynExpr *x)
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

/* ---- Algorithm sections ---------------------------------------------------------------- */

typedef VEC(Name) NameList;

static void add_target(Front *f, NameList *list, const SynCref *target)
{
    for (uint32_t k = 0; k < list->n; k++)
        if (name_same(list->at[k], target->part[0].name))
            return;
    vec_push(f->scratch, *list, target->part[0].name);
}

static void collect_targets(Front *f, NameList *list, const SynStatements *body)
{
    for (uint32_t k = 0; k < body->n; k++) {
        const SynStatement *st = body->at[k];
        if (st->target)
            add_target(f, list, st->target);
        for (uint32_t i = 0; i < st->tuple.n; i++)
            if (st->tuple.at[i] && st->tuple.at[i]->kind == SYN_CREF)
                add_target(f, list, st->tuple.at[i]->cref);
        for (uint32_t b = 0; b < st->n_branches; b++)
            collect_targets(f, list, &st->branch[b].body);
        collect_targets(f, list, &st->body);
    }
}

/* What a variable is before the algorithm (MLS 11.1.2): its start value, or pre(v). */
static Value value_before(Front *f, const Value *v)
{
    ExprPool *p = f->sys->pool;
    Value out = value_copy(f->scratch, v);
    for (uint32_t k = 0; k < v->n_fields; k++)
        out.field[k] = value_before(f, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++) {
        if (expr_op(p, v->elem[k]) != OP_VAR)
            continue;
        const Var *var = var_at(f->sys, expr_var_of(p, v->elem[k]));
        if (var->kind == VAR_DISCRETE)
            out.elem[k] = expr_wrap(p, OP_PRE, v->elem[k]);
        else
            out.elem[k] = expr_exists(var->attr.start) ? var->attr.start : expr_int(p, 0);
    }
    return out;
}

/* A copy in mem of what has been written; EXPR_NONE for the rest. */
static Value written_part(Front *f, const Map *written, const Value *v)
{
    Value out = value_copy(f->mem, v);
    if (map_get(written, map_key_ptr(v)) != MAP_NONE)
        return out;
    for (uint32_t k = 0; k < v->n_fields; k++)
        out.field[k] = written_part(f, written, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (map_get(written, map_key_ptr(&v->elem[k])) == MAP_NONE)
            out.elem[k] = EXPR_NONE;
    return out;
}

bool eval_algorithm(Front *f, Scope *s, const SynStatements *body, Assigned **out, uint32_t *n)
{
    Evaluation e = evaluation_begin(f);
    NameList target = {0};
    collect_targets(f, &target, body);
    Frame fr = {.f = f, .n = target.n, .path = expr_int(f->sys->pool, 1), .logging = true};
    Member *m = arena_array(f->scratch, Member, target.n);
    Assigned *assigned = arena_array(f->mem, Assigned, target.n);
    fr.m = m;
    fr.local = arena_array(f->scratch, Local, target.n);
    bool ok = true;
    for (uint32_t k = 0; ok && k < target.n; k++) {
        Span span = body->at[0]->span;
        SynPart part = {.name = target.at[k], .span = span};
        SynCref cref = {.n = 1, .part = &part, .span = span};
        Value v;
        ok = scope_value(f, s, &cref, &v);
        if (!ok)
            break;
        assigned[k].name = m[k].name = target.at[k];
        assigned[k].variable = value_copy(f->mem, &v);
        fr.local[k] = (Local){target.at[k], value_before(f, &v)};
    }
    if (ok) {
        fr.scope = scope_locals(f, s, fr.local, fr.n);
        f->eval.section = fr.local;
        ok = run_list(&fr, fr.scope, body) != GO_FAILED;
    }
    Map written = map_new(f->scratch);
    for (uint32_t k = 0; k < fr.write.n; k++) {
        const Write *w = &fr.write.at[k];
        map_put(&written, w->whole ? map_key_ptr(w->whole) : map_key_ptr(w->at), 0);
    }
    for (uint32_t k = 0; ok && k < target.n; k++)
        assigned[k].value = written_part(f, &written, &fr.local[k].value);
    *out = assigned;
    *n = target.n;
    evaluation_end(f, &e);
    return ok;
}

/* ---- Assertions ------------------------------------------------------------------------ */

bool function_assert(Front *f, ExprId cond, ExprId message, bool is_warning, Span span)
{
    ExprPool *p = f->sys->pool;
    if (f->eval.has_path)
        cond = expr_or(p, expr_not(p, f->eval.path), cond);
    if (f->eval.emission) {
        emission_assert(f->eval.emission, cond, message, is_warning, span);
        return true;
    }
    if (f->eval.dry)
        return true; /* for shapes alone: that it is reached is not said */
    double value;
    if (expr_constant(p, cond, &value) && value == 0) {
        const char *text = expr_op(p, message) == OP_STRING ? expr_text_of(p, message).s : "";
        if (is_warning)
            diag_warning(f->diags, span, "F35", "assertion fails: %s", text);
        else
            diag_error(f->diags, span, "F35", "assertion fails: %s", text);
        return is_warning;
    }
    if (expr_variability(p, cond) == VARIES_NEVER)
        return true;
    Map *asserted = &function_table(f)->asserted;
    uint32_t at = map_get(asserted, cond.i);
    if (at < f->sys->assertion.n && expr_same(f->sys->assertion.at[at].cond, cond))
        return true;
    map_put(asserted, cond.i, f->sys->assertion.n);
    Assertion a = {.cond = cond, .message = message, .is_warning = is_warning, .span = span};
    vec_push(f->sys->mem, f->sys->assertion, a);
    return true;
}

bool function_assert_call(Front *f, Scope *s, const SynExpr *x)
{
    static const char *const formals[] = {"condition", "message", "level"};
    const SynExpr *arg[3] = {NULL, NULL, NULL};
    for (uint32_t k = 0; k < x->arg.n && k < 3; k++)
        arg[k] = x->arg.at[k];
    for (uint32_t k = 0; k < x->n_named; k++)
        for (uint32_t i = 0; i < 3; i++)
            if (strcmp(x->named[k].name.s, formals[i]) == 0)
                arg[i] = x->named[k].value;
    if (!arg[0] || !arg[1] || x->arg.n > 3) {
        diag_error(f->diags, x->span, "T07", "assert takes a condition, a message and a level");
        return false;
    }
    ExprId cond;
    ExprId message;
    if (!expression_scalar(f, s, arg[0], TYPE_BOOLEAN, &cond))
        return false;
    if (expression_truth(f, cond) == YES)
        return true;
    bool in_message = f->eval.in_message;
    f->eval.in_message = true;
    bool ok = expression_scalar(f, s, arg[1], TYPE_STRING, &message);
    f->eval.in_message = in_message;
    if (!ok)
        return false;
    bool is_warning = false;
    if (arg[2]) {
        /* AssertionLevel.warning is its first literal (MLS 8.3.7) */
        Value level;
        if (!expression_value(f, s, arg[2], &level))
            return false;
        if (!value_is_scalar(&level) || level.type != TYPE_ENUMERATION ||
            expr_variability(f->sys->pool, level.elem[0]) > VARIES_PARAMETER) {
            diag_error(f->diags, arg[2]->span, "T07",
                       "the level of an assertion is an AssertionLevel that does not vary "
                       "(MLS 8.3.7)");
            return false;
        }
        if (!expr_is_num(f->sys->pool, level.elem[0]) &&
            !eval_structural(f, s, arg[2], "the level of an assertion", &level))
            return false;
        is_warning = expr_is(f->sys->pool, level.elem[0], 1);
    }
    return function_assert(f, cond, message, is_warning, x->span);
}
