/* Assignment to the variables of a running function, whole or in part. */
#include "frontend/evaluate/dynamic_array.h"
#include "frontend/evaluate/joined_text.h"
#include "frontend/evaluate/unassigned.h"
#include "frontend/syntax/syntax_print.h"

#include <string.h>

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

/* A variable without a value in one branch is undefined there; the result is then the value of the
 * other branch. */
ExprId select_known(Frame *fr, ExprId cond, ExprId yes, ExprId no)
{
    enum { LEVELS = 4 };
    ExprPool *p = fr->f->sys->pool;
    if (!expr_exists(yes))
        return no;
    if (!expr_exists(no))
        return yes;
    if (expr_is_num(p, cond))
        return expr_is(p, cond, 0) ? no : yes;
    yes = joined_text_whole(fr->f, yes);
    no = joined_text_whole(fr->f, no);
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
        Name name = target->part[0].name;
        if (scope_local(f, s, name)) /* of none of the frame's variables: an iterator */
            diag_error(f->diags, target->span, "F40",
                       "'%s' is the variable of a loop and cannot be assigned to (MLS 11.2.2)",
                       name.s);
        else
            diag_error(f->diags, target->span, "N22", "%s has no variable '%s'", frame_text(fr),
                       name.s);
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
            bool had_elements = f->eval.varying->n_elements > 0;
            if (!eval_subscript(f, s, x, size, &sub))
                return false;
            if (!had_elements && f->eval.varying->n_elements > 0)
                f->eval.varying->along = n_dims;
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
    if (f->eval.varying->is_shape)
        return true; /* frame_assign goes through the elements */
    Value v = *value;
    if (m && m->type ? !fit_type(f, m->type, &v) : !fit_value(f, to, &v))
        return bad_assignment(fr, target, value);
    bool open = false;
    for (uint32_t d = 0; m && d < m->n_dims; d++)
        open |= m->dims[d]->kind == SYN_COLON;
    bool picked = subscripted || n_lead > 0;
    ExprId cond = varying_condition(f, f->eval.varying);
    Frame *own;
    Unassigned *u = fr->emission ? emission_unassigned(f, &own) : NULL;
    if (u && !expr_is_num(f->sys->pool, cond))
        unassigned_note_partial(fr, u, at);
    bool ok = picked ? assign_picked(fr, to, n_lead, pick, n_dims, dims, &v, cond)
                     : assign_whole(fr, to, &v, open);
    return ok || bad_assignment(fr, target, value);
}

/* v with the one index e (0-based) in dimension `along`, which stays. */
static Value element_along(Front *f, const Value *v, uint32_t along, uint32_t e)
{
    uint32_t *dims = arena_array(f->scratch, uint32_t, along + 1), n = 1;
    for (uint32_t d = 0; d < along; d++)
        n *= dims[d] = v->dims[d];
    dims[along] = 1;
    uint32_t *pick = arena_array(f->scratch, uint32_t, n);
    for (uint32_t k = 0; k < n; k++)
        pick[k] = k * v->dims[along] + e;
    return value_pick(f->scratch, v, along + 1, pick, along + 1, dims);
}

/* ---- Dynamic arrays -------------------------------------------------------------------- */

enum { MAX_CHOICES = 50 }; /* elements that a varying subscript may select, one by one */

static bool has_open_size(const Member *m)
{
    for (uint32_t d = 0; d < m->n_dims; d++)
        if (m->dims[d]->kind == SYN_COLON)
            return true;
    return false;
}

/* The whole of a dynamic array; sizes that are declared stay. */
static bool assign_dynamic(Frame *fr, const Member *m, const Value *to, const Value *v, Span span)
{
    Front *f = fr->f;
    for (uint32_t d = 0; d < m->n_dims; d++)
        if (m->dims[d]->kind != SYN_COLON &&
            !dynamic_assert_size(f, v, d, dynamic_size(f, to, d), span))
            return false;
    Value own;
    if (!dynamic_store(f, v, to->type, span, &own))
        return false;
    if (emission_is_variable(fr->emission, own.elem[0]) &&
        !dynamic_copy(f, v, to->type, span, &own))
        return false;
    emission_move(fr->emission, to->elem[0], own.elem[0], span);
    return true;
}

/* A dynamic array to a variable of known sizes. */
static bool assign_elements(Frame *fr, Value *to, const Value *v, Span span)
{
    ExprId *element = arena_array(fr->f->scratch, ExprId, value_size(to) + 1);
    if (!dynamic_elements(fr->f, v, to, span, element))
        return false;
    for (uint32_t k = 0; k < value_size(to); k++) {
        log_element(fr, &to->elem[k]);
        to->elem[k] = element[k];
    }
    return true;
}

/* target := v where one of them, or a subscript, is a dynamic array; else *done is false. */
static bool assign_if_dynamic(Frame *fr, Scope *s, const SynCref *target, const Value *v,
                              bool *done)
{
    Front *f = fr->f;
    const SynPart *part = &target->part[0];
    bool is_dynamic = v->kind == VALUE_DYNAMIC;
    uint32_t at = 0;
    while (at < fr->n && !name_same(fr->m[at].name, part->name))
        at++;
    *done = false;
    if (at == fr->n || fr->m[at].is_input)
        return true;
    const Member *m = &fr->m[at];
    Value *to = &fr->local[at].value;
    if (target->n > 1) {
        *done = true;
        if (is_dynamic)
            return dynamic_unsupported(f, target->span, "this array of a record");
        *done = false;
        return true;
    }
    Value w = *v;
    if (to->kind == VALUE_DYNAMIC) {
        *done = true;
        if (m->type && !fit_type(f, m->type, &w))
            return bad_assignment(fr, target, v);
        if (part->sub.n > 0)
            return dynamic_assign_part(f, s, to, part->sub.n, part->sub.at, target->span, &w);
        return w.n_dims == to->n_dims ? assign_dynamic(fr, m, to, &w, target->span)
                                      : bad_assignment(fr, target, v);
    }
    /* of many elements each could be the one that a varying subscript selects */
    bool is_long = to->kind == VALUE_PLAIN && value_size(to) > MAX_CHOICES &&
                   dynamic_holds(to->type) &&
                   dynamic_is_moving(f, s, part->sub.n, part->sub.at, to);
    if (!is_dynamic && !is_long && !dynamic_is_slice(f, s, part->sub.n, part->sub.at, to))
        return true;
    *done = true;
    if (part->sub.n > 0 || has_open_size(m)) /* then it is dynamic, too */
        return emission_make_dynamic(fr, at, target->span);
    bool fits = !m->type || fit_type(f, m->type, &w);
    if (to->kind != VALUE_PLAIN || !fits || w.n_dims != to->n_dims)
        return bad_assignment(fr, target, v);
    return assign_elements(fr, to, &w, target->span);
}

/* target := v. A subscript that varies assigns every element it may select, each where it does. */
static bool assign(Frame *fr, Scope *s, const SynCref *target, const Value *v)
{
    bool done = false;
    if (fr->emission && !assign_if_dynamic(fr, s, target, v, &done))
        return false;
    if (done)
        return true;
    VaryingSubscripts varying = {.has_elements = true};
    VaryingSubscripts *outer = fr->f->eval.varying;
    fr->f->eval.varying = &varying;
    bool ok;
    do
        ok = assign_chosen(fr, s, target, v);
    while (ok && varying_next(&varying));
    uint32_t n = varying.n_elements, along = varying.along;
    if (ok && n > 0 && (v->n_dims <= along || v->dims[along] != n))
        ok = bad_assignment(fr, target, v);
    // a[k, ...] := v of an index vector that varies: a[k[1], ...] := v[1, ...] and so on
    for (uint32_t e = 0; ok && e < n; e++) {
        Value one = element_along(fr->f, v, along, e);
        varying = (VaryingSubscripts){.has_elements = true, .n_elements = n, .element = e};
        do
            ok = assign_chosen(fr, s, target, &one);
        while (ok && varying_next(&varying));
    }
    fr->f->eval.varying = outer;
    return ok;
}

bool frame_assign(Frame *fr, Scope *s, const SynCref *target, const Value *v)
{
    Frame *own;
    Unassigned *u = fr->emission ? emission_unassigned(fr->f, &own) : NULL;
    return assign(fr, s, target, v) && (!u || unassigned_note(fr, u, s, target, v));
}
