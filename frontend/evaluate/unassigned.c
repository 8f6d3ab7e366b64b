#include "frontend/evaluate/unassigned.h"

#include "frontend/evaluate/dynamic_array.h"
#include "frontend/evaluate/function.h"
#include "frontend/syntax/syntax_print.h"

#include <string.h>

/* ---- Flags ----------------------------------------------------------------------------- */

/* Of the shape of v: true, or, where `declared`, whether the element has a value already. */
static Value flags_like(Front *f, const Value *v, bool declared)
{
    ExprPool *p = f->sys->pool;
    Value out = value_copy(f->scratch, v);
    out.cls = NULL;
    out.type = TYPE_BOOLEAN;
    for (uint32_t k = 0; k < v->n_fields; k++)
        out.field[k] = flags_like(f, &v->field[k], declared);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        out.elem[k] = expr_int(p, !declared || expr_exists(v->elem[k]));
    return out;
}

/* Elements without a value begin as zeros, which are never used. */
static void open_elements(Front *f, Value *v)
{
    ExprPool *p = f->sys->pool;
    for (uint32_t k = 0; k < v->n_fields; k++)
        open_elements(f, &v->field[k]);
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (!expr_exists(v->elem[k]))
            v->elem[k] =
                v->type == TYPE_STRING ? expr_string(p, name_of(f->names, "")) : expr_int(p, 0);
}

void unassigned_add_flags(Frame *fr, Unassigned *u)
{
    Front *f = fr->f;
    uint32_t n = fr->n, all = n;
    u->is_declared = true;
    for (uint32_t k = 0; k < n; k++)
        all += u->has_flags[k];
    if (all == n)
        return;
    Member *m = arena_array(f->scratch, Member, all);
    Local *local = arena_array(f->scratch, Local, all);
    memcpy(m, fr->m, n * sizeof *m);
    memcpy(local, fr->local, n * sizeof *local);
    for (uint32_t k = 0; k < n; k++) {
        if (!u->has_flags[k])
            continue;
        u->flags_of[k] = fr->n;
        m[fr->n] = m[k];
        m[fr->n].type = NULL;
        m[fr->n].is_output = false;
        m[fr->n].name = name_printf(f->names, "%s.set", m[k].name.s);
        local[k].value = value_copy(f->scratch, &local[k].value);
        local[fr->n] = (Local){m[fr->n].name, flags_like(f, &local[k].value, true)};
        open_elements(f, &local[k].value);
        fr->n++;
    }
    fr->m = m;
    fr->local = local;
    fr->scope = scope_locals(f, class_scope(f, fr->c), fr->local, fr->n);
}

static uint32_t member_of(const Frame *fr, const Unassigned *u, Name name)
{
    uint32_t k = 0;
    while (k < u->n && !name_same(fr->m[k].name, name))
        k++;
    return k;
}

/* The same reference to the flags. */
static SynCref *flags_cref(const Frame *fr, const Unassigned *u, uint32_t k, const SynCref *cref)
{
    Arena *mem = fr->f->scratch;
    SynCref *own = arena_make(mem, SynCref);
    SynPart *part = arena_array(mem, SynPart, cref->n);
    memcpy(part, cref->part, cref->n * sizeof *part);
    part[0].name = fr->m[u->flags_of[k]].name;
    *own = *cref;
    own->part = part;
    return own;
}

bool unassigned_note(Frame *fr, Unassigned *u, Scope *s, const SynCref *target, const Value *v)
{
    Front *f = fr->f;
    uint32_t k = member_of(fr, u, target->part[0].name);
    if (k == u->n || !u->flags_of[k])
        return true;
    Value set;
    if (v->kind == VALUE_DYNAMIC) {
        Value yes = value_scalar(f->scratch, TYPE_BOOLEAN, expr_int(f->sys->pool, 1));
        ExprId *size = arena_array(f->scratch, ExprId, v->n_dims + 1);
        for (uint32_t d = 0; d < v->n_dims; d++)
            size[d] = dynamic_size(f, v, d);
        if (!dynamic_fill(f, target->span, &yes, v->n_dims, size, &set))
            return false;
    } else {
        set = flags_like(f, v, false);
    }
    return frame_assign(fr, s, flags_cref(fr, u, k, target), &set);
}

void unassigned_note_partial(Frame *fr, Unassigned *u, uint32_t k)
{
    const Value *v = &fr->local[k].value;
    if (k < u->n && v->kind != VALUE_DYNAMIC && !value_is_known(v))
        u->is_partial[k] = true;
}

/* ---- Reads ----------------------------------------------------------------------------- */

/* All flags of v are true. */
static bool all_set(Front *f, const Value *v, Span span, ExprId *out)
{
    ExprPool *p = f->sys->pool;
    ExprId x;
    if (v->kind == VALUE_DYNAMIC) {
        Value number = dynamic_typed(f, v, TYPE_INTEGER), least;
        if (!dynamic_fold(f, span, FOLD_MIN, &number, &least))
            return false;
        *out = expr_and(p, *out, expr_compare(p, OP_LT, expr_int(p, 0), least.elem[0]));
    }
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (!all_set(f, &v->field[k], span, out))
            return false;
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++) {
        x = v->elem[k];
        *out = expr_and(p, *out, x);
    }
    return true;
}

static bool has_some(const Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (has_some(&v->field[k]))
            return true;
    uint32_t n = v->kind == VALUE_PLAIN ? value_size(v) : 0;
    for (uint32_t k = 0; k < n; k++)
        if (expr_exists(v->elem[k]))
            return true;
    return false;
}

static bool can_have_flags(const Value *v)
{
    for (uint32_t k = 0; k < v->n_fields; k++)
        if (!can_have_flags(&v->field[k]))
            return false;
    return v->kind == VALUE_RECORD || v->kind == VALUE_DYNAMIC ||
           (v->kind == VALUE_PLAIN && v->type <= TYPE_ENUMERATION);
}

/* Rounds of a loop around may have assigned the variable before this read, which is not in each
 * round. */
static bool depends_on_rounds(const Front *f, const Unassigned *u, Name name)
{
    for (const LoopAround *l = u->around; l; l = l->outer)
        if ((u->depth > l->depth || f->eval.has_path) && syn_assigns(&l->loop->body, name))
            return true;
    return false;
}

static const char *read_too_early(Front *f, const SynExpr *x)
{
    return arena_printf(f->scratch, "'%s' is used before it has a value",
                        syn_expr_text(f->scratch, x));
}

static void note_read(Front *f, Unassigned *u, const SynExpr *x, bool may_have_value)
{
    uint32_t k = map_get(&u->read_at, map_key_ptr(x));
    if (k == MAP_NONE) {
        map_put(&u->read_at, map_key_ptr(x), k = u->read.n);
        vec_push(f->scratch, u->read, ((UnassignedRead){.x = x}));
    }
    u->read.at[k].may_have_value = u->read.at[k].may_have_value || may_have_value;
}

static bool assert_set(Frame *fr, Unassigned *u, Scope *s, const SynExpr *x, uint32_t k)
{
    Front *f = fr->f;
    SynExpr flags = {.kind = SYN_CREF, .span = x->span};
    flags.cref = flags_cref(fr, u, k, x->cref);
    Value v;
    ExprId set = expr_int(f->sys->pool, 1);
    Scope *own = scope_locals(f, s, &fr->local[u->flags_of[k]], 1);
    if (!expression_any(f, own, &flags, &v) || !all_set(f, &v, x->span, &set))
        return false;
    double value = -1;
    expr_constant(f->sys->pool, set, &value);
    note_read(f, u, x, value != 0);
    ExprId message = expr_string(f->sys->pool, name_of(f->names, read_too_early(f, x)));
    return value == 1 || function_assert(f, set, message, false, x->span);
}

bool function_is_conditional(const Front *f)
{
    Frame *fr;
    const Unassigned *u = emission_unassigned(f, &fr);
    return f->eval.has_path || (u && u->depth > 0);
}

/* The whole that the subscripts of the last part of a reference select from, in v. */
static const Value *part_of(const Value *v, const SynCref *cref)
{
    for (uint32_t k = 1; v && k < cref->n; k++)
        v = v->kind == VALUE_RECORD ? value_field(v, cref->part[k].name) : NULL;
    return v;
}

bool function_read(Front *f, Scope *s, const SynExpr *x, const Value *v, bool is_known, bool varies)
{
    Frame *fr;
    Unassigned *u = emission_unassigned(f, &fr);
    uint32_t k = u ? member_of(fr, u, x->cref->part[0].name) : 0;
    bool is_variable = u && k < u->n && !fr->m[k].is_input &&
                       scope_local(f, s, x->cref->part[0].name) == &fr->local[k].value;
    if (is_variable && u->flags_of[k])
        return assert_set(fr, u, s, x, k);
    if (is_variable && v->kind == VALUE_DYNAMIC) {
        const Value *whole = part_of(&fr->local[k].value, x->cref);
        varies = true;
        is_known = !whole || value_is_known(whole);
    }
    bool is_partial = is_variable && u->is_partial[k];
    if (is_known && !is_partial)
        return true;
    if (is_variable && u->is_declared && can_have_flags(&fr->local[k].value) &&
        (is_partial || (varies && has_some(&fr->local[k].value)) ||
         depends_on_rounds(f, u, x->cref->part[0].name))) {
        u->has_flags[k] = true;
        emission_again(f);
        return false;
    }
    if (is_known)
        return true;
    if ((varies || f->eval.has_path) && f->eval.in_function && !f->eval.emission) {
        /* known in some rounds of a run, perhaps: the function stays a call, or cannot */
        f->eval.stuck = arena_printf(f->mem, "%s", read_too_early(f, x));
        f->eval.stuck_endless = false;
        f->eval.stuck_code = "T16";
        f->eval.stuck_span = x->span;
        return false;
    }
    diag_error(f->diags, x->span, "T16", "%s", read_too_early(f, x));
    return false;
}

/* ---- The whole ------------------------------------------------------------------------- */

bool unassigned_check(const Frame *fr, const Unassigned *u)
{
    for (uint32_t k = 0; k < u->read.n; k++) {
        const SynExpr *x = u->read.at[k].x;
        if (u->read.at[k].may_have_value)
            continue;
        diag_error(fr->f->diags, x->span, "T16", "%s", read_too_early(fr->f, x));
        return false;
    }
    return true;
}
