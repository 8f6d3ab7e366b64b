/* instance_reference.c -- component references: from names to values and instances (MLS 3.6
 * ch. 5.3).
 */
#include "frontend/instantiate/instance.h"

#include "base/vec.h"

#include <string.h>

/* ---- references ---------------------------------------------------------------------------- */

/* A step of a reference: the instances so far, the dimensions they form together. */
typedef struct Walk {
    Instance **at;
    Instance *shape; /* like each of them, when there are none */
    uint32_t n, n_dims;
    uint32_t *dims;
    bool some_absent; /* of the instances: their conditions are false */
    uint32_t missing; /* WALK_UNDECLARED: the part that is */
} Walk;

static void walk_dim(Front *f, Walk *w, uint32_t dim)
{
    uint32_t *dims = arena_array(f->scratch, uint32_t, w->n_dims + 1);
    if (w->n_dims)
        memcpy(dims, w->dims, w->n_dims * sizeof *dims);
    dims[w->n_dims++] = dim;
    w->dims = dims;
}

static bool subscripts_eval(Front *f, Scope *s, const SynPart *part, const Instance *i,
                            Subscript *sub)
{
    if (part->sub.n > i->n_dims) {
        diag_error(f->diags, part->span, "T32", "'%s' has %u dimensions, not %u", part->name.s,
                   i->n_dims, part->sub.n);
        return false;
    }
    for (uint32_t k = 0; k < i->n_dims; k++) {
        if (k < part->sub.n) {
            if (!eval_subscript(f, s, part->sub.at[k], i->dims[k], &sub[k]))
                return false;
            continue;
        }
        uint32_t *all = arena_array(f->scratch, uint32_t, i->dims[k] + 1);
        for (uint32_t j = 0; j < i->dims[k]; j++)
            all[j] = j + 1;
        sub[k] = (Subscript){i->dims[k], all, true};
    }
    return true;
}

/* Row-major places that subscripts select in an array. */
static uint32_t *places_of(Front *f, const Instance *array, const Subscript *sub, uint32_t *count)
{
    uint32_t total = 1;
    for (uint32_t k = 0; k < array->n_dims; k++)
        total *= sub[k].n;
    uint32_t *at = arena_array(f->scratch, uint32_t, total + 1);
    for (uint32_t j = 0; j < total; j++) {
        uint32_t rest = j;
        uint32_t place = 0;
        uint32_t stride = 1;
        for (uint32_t k = array->n_dims; k-- > 0;) {
            place += (sub[k].index[rest % sub[k].n] - 1) * stride;
            rest /= sub[k].n;
            stride *= array->dims[k];
        }
        at[j] = place;
    }
    *count = total;
    return at;
}

/* Goes from arrays of components to the elements that the subscripts select. */
static bool walk_elements(Front *f, Scope *s, const SynPart *part, Walk *w)
{
    Instance *a = w->shape;
    Subscript *sub = arena_array(f->scratch, Subscript, a->n_dims + 1);
    if (!subscripts_eval(f, s, part, a, sub))
        return false;
    uint32_t per = 0;
    uint32_t *place = places_of(f, a, sub, &per);
    Instance **next = arena_array(f->scratch, Instance *, (size_t)w->n * per + 1);
    uint32_t n = 0;
    for (uint32_t j = 0; j < w->n; j++) {
        if (w->at[j]->kind == INST_ABSENT) {
            for (uint32_t k = 0; k < per; k++)
                next[n++] = w->at[j];
            continue;
        }
        if (w->at[j]->kind != INST_ARRAY || w->at[j]->n != a->n) {
            diag_error(f->diags, part->span, "T32", "'%s' differs in size among the elements",
                       part->name.s);
            return false;
        }
        for (uint32_t k = 0; k < per; k++)
            next[n++] = w->at[j]->elem[place[k]];
    }
    for (uint32_t k = 0; k < a->n_dims; k++)
        if (sub[k].keeps_dim)
            walk_dim(f, w, sub[k].n);
    w->at = next;
    w->n = n;
    w->shape = n && per ? a->elem[place[0]] : instance_prototype(f, a);
    return true;
}

typedef enum WalkResult { WALK_GOOD, WALK_BAD, WALK_ABSENT, WALK_UNDECLARED } WalkResult;

/* Follows a reference from its first component to its last part; arrays of components are
 * replaced by elements, a leaf keeps its subscripts for the caller. */
static WalkResult walk(Front *f, Scope *s, const SynCref *cref, uint32_t from, Instance *around,
                       Element *e, Walk *w)
{
    Instance **one = arena_make(f->scratch, Instance *);
    *w = (Walk){.at = one, .n = 1, .shape = around};
    one[0] = around;
    for (uint32_t k = from;; k++) {
        const SynPart *part = &cref->part[k];
        Instance *added = NULL;
        if (k > from) {
            if (w->shape->kind != INST_CLASS) {
                diag_error(f->diags, part->span, "N01", "'%s' has no parts, so no '%s'",
                           cref->part[k - 1].name.s, part->name.s);
                for (int a = 0; a < ATTR_COUNT; a++)
                    if (name_same(f->lookup->attribute[a], part->name))
                        diag_note(f->diags, w->shape->el->original->span,
                                  "attributes are set where it is declared: %s(%s = ...)",
                                  cref->part[k - 1].name.s, part->name.s);
                return WALK_BAD;
            }
            e = class_element(f, w->shape->cls, part->name);
            added = e ? NULL : expandable_part(w->shape, part->name);
            bool can_be_added = !e && !added && w->n == 1 && class_is_expandable(w->shape->cls);
            if (can_be_added ||
                (e && !e->is_class && w->n == 1 && expandable_is_sizeless(f, w->shape, e))) {
                w->missing = k;
                return WALK_UNDECLARED;
            }
            if (!added && (!e || e->is_class)) {
                diag_error(f->diags, part->span, "N01", "%s has no component '%s'%s",
                           w->shape->cls->name, part->name.s,
                           class_hint(f, w->shape->cls, part->name));
                class_note_connectors(f, w->shape->cls, cref->part[k - 1].name, part->span);
                return WALK_BAD;
            }
            /* MLS 4.1 */
            if (!added && e->is_protected) {
                diag_error(f->diags, part->span, "N07", "'%s' is protected in %s", part->name.s,
                           w->shape->cls->name);
                return WALK_BAD;
            }
        }
        uint32_t index = added ? 0 : element_first(e)->index;
        Instance *shape = added       ? added
                          : k == from ? instance_local(f, w->shape, e)
                                      : instance_child(f, w->shape, index);
        if (!shape)
            return WALK_BAD;
        if (w->n == 1 && w->n_dims == 0) {
            w->at[0] = shape;
        } else {
            Instance **next = arena_array(f->scratch, Instance *, w->n + 1);
            Instance *present = NULL;
            for (uint32_t j = 0; j < w->n; j++) {
                bool is_absent = w->at[j]->kind == INST_ABSENT;
                next[j] = is_absent ? w->at[j]
                          : added   ? expandable_part(w->at[j], part->name)
                                    : instance_child(f, w->at[j], index);
                if (!next[j])
                    return WALK_BAD;
                if (next[j]->kind == INST_ABSENT)
                    w->some_absent = true;
                else if (!present)
                    present = next[j];
            }
            w->at = next;
            if (w->n)
                shape = present;
            if (!shape)
                return WALK_ABSENT;
        }
        w->shape = shape;
        if (shape->kind == INST_ABSENT)
            return WALK_ABSENT;
        if (shape->kind == INST_ARRAY) {
            if (!walk_elements(f, s, part, w))
                return WALK_BAD;
        } else if (shape->kind == INST_CLASS && part->sub.n) {
            diag_error(f->diags, part->span, "T32", "'%s' is no array", part->name.s);
            return WALK_BAD;
        }
        if (k + 1 == cref->n)
            return WALK_GOOD;
    }
}

static bool gather(Front *f, const Walk *w, Span use, Value *out);

static bool gather_leaves(Front *f, const Walk *w, Span use, Value *out)
{
    Instance *shape = w->shape;
    uint32_t n_dims = w->n_dims + shape->n_dims;
    uint32_t *dims = arena_array(f->scratch, uint32_t, n_dims + 1);
    if (w->n_dims)
        memcpy(dims, w->dims, w->n_dims * sizeof *dims);
    if (shape->n_dims)
        memcpy(dims + w->n_dims, shape->dims, shape->n_dims * sizeof *dims);
    *out = value_array(f->scratch, shape->cls->base_type, n_dims, dims);
    out->cls = shape->cls->kind == CLASS_ENUMERATION ? shape->cls : NULL;
    for (uint32_t j = 0; j < w->n; j++) {
        Value v;
        if (w->at[j]->n != shape->n) {
            diag_error(f->diags, use, "T32", "the elements '%s' differ in size", shape->el->name.s);
            return false;
        }
        if (!instance_value(f, w->at[j], use, &v))
            return false;
        if (shape->n)
            memcpy(out->elem + (size_t)j * shape->n, v.elem, shape->n * sizeof *v.elem);
    }
    return true;
}

static bool gather_record(Front *f, const Walk *w, Span use, Value *out)
{
    Instance *shape = w->shape;
    const Class *c = shape->cls;
    *out = (Value){.kind = VALUE_RECORD, .cls = c, .n_dims = w->n_dims, .dims = w->dims};
    out->field = arena_array(f->scratch, Value, c->component.n + 1);
    Name *name = arena_array(f->scratch, Name, c->component.n + 1);
    out->field_name = name;
    for (uint32_t k = 0; k < c->component.n; k++) {
        Walk part = {.n = w->n, .n_dims = w->n_dims, .dims = w->dims};
        part.shape = instance_child(f, shape, k);
        if (!part.shape)
            return false;
        if (part.shape->kind == INST_ABSENT)
            continue;
        part.at = arena_array(f->scratch, Instance *, w->n + 1);
        for (uint32_t j = 0; j < w->n; j++) {
            part.at[j] = instance_child(f, w->at[j], k);
            if (!part.at[j])
                return false;
            if (part.at[j]->kind != part.shape->kind) {
                diag_error(f->diags, use, "N15", "'%s' is absent in some elements",
                           part.shape->el->name.s);
                return false;
            }
        }
        static const SynPart whole;
        if (part.shape->kind == INST_ARRAY && !walk_elements(f, NULL, &whole, &part))
            return false;
        name[out->n_fields] = c->component.at[k]->name;
        if (!gather(f, &part, use, &out->field[out->n_fields++]))
            return false;
    }
    return true;
}

static bool gather(Front *f, const Walk *w, Span use, Value *out)
{
    if (w->shape->kind == INST_LEAF)
        return gather_leaves(f, w, use, out);
    return gather_record(f, w, use, out);
}

bool instance_whole(Front *f, Instance *i, Span use, Value *out)
{
    Walk w = {.at = &i, .shape = i, .n = 1};
    return gather(f, &w, use, out);
}

static void report_unknown(Front *f, Scope *s, const SynCref *cref)
{
    scope_check_imports(f, s);
    Name name = cref->part[0].name;
    bool is_call = cref->n == 1 && cref->part[0].sub.n && builtin_is_function(name.s);
    diag_error(f->diags, cref->part[0].span, "N01", "there is no variable '%s' here%s", name.s,
               is_call ? ": it is a function, whose arguments stand in parentheses"
                       : variable_hint(f, s, name));
    scope_note_library(f, s, cref->part[0].name, cref->n > 1);
}

/* A.B.c: through classes to a constant or a literal of an enumeration. */
static bool value_in_class(Front *f, Scope *s, const SynCref *cref, Class *c, Value *out)
{
    for (uint32_t k = 1;; k++) {
        if (k == cref->n) {
            diag_error(f->diags, cref->span, "N01", "'%s' is a class, not a value", c->name);
            return false;
        }
        if (!class_elaborate(f, c))
            return false;
        const SynPart *part = &cref->part[k];
        if (c->kind == CLASS_ENUMERATION && k + 1 == cref->n) {
            for (uint32_t j = 0; j < class_n_literals(f, c); j++) {
                if (name_same(class_literal(f, c, j), part->name)) {
                    *out = value_scalar(f->scratch, TYPE_ENUMERATION,
                                        expr_int(f->sys->pool, (long)j + 1));
                    out->cls = c;
                    return true;
                }
            }
        }
        Element *e = class_element(f, c, part->name);
        if (!e) {
            diag_error(f->diags, part->span, "N01", "%s has no '%s'%s", c->name, part->name.s,
                       class_hint(f, c, part->name));
            return false;
        }
        if (e->is_protected) { /* MLS 4.1 */
            diag_error(f->diags, part->span, "N07", "'%s' is protected in %s", part->name.s,
                       c->name);
            return false;
        }
        if (class_stays_partial(c)) {
            diag_error(f->diags, part->span, "N43",
                       "%s is partial, so nothing is looked up in it (MLS 5.3.2)", c->name);
            return false;
        }
        if (e->is_class) {
            c = element_class(f, e, NULL);
            continue;
        }
        Walk w;
        if (walk(f, s, cref, k, class_statics(f, c), e, &w) != WALK_GOOD)
            return false;
        if (!gather(f, &w, cref->span, out))
            return false;
        const SynPart *last = &cref->part[cref->n - 1];
        if (w.shape->kind == INST_LEAF && last->sub.n)
            return value_subscript(f, s, out, last->sub.n, last->sub.at, last->span, out);
        return true;
    }
}

static bool value_of_local(Front *f, Scope *s, const SynCref *cref, const Value *local, Value *out)
{
    Value v = *local;
    for (uint32_t k = 0;; k++) {
        const SynPart *part = &cref->part[k];
        if (part->sub.n) {
            Value sub;
            if (!value_subscript(f, s, &v, part->sub.n, part->sub.at, part->span, &sub))
                return false;
            v = sub;
        }
        if (k + 1 == cref->n)
            break;
        const Value *field =
            v.kind == VALUE_RECORD ? value_field(&v, cref->part[k + 1].name) : NULL;
        if (!field) {
            diag_error(f->diags, cref->part[k + 1].span, "N01", "'%s' has no part '%s'",
                       part->name.s, cref->part[k + 1].name.s);
            return false;
        }
        v = *field;
    }
    *out = v;
    return true;
}

bool scope_value(Front *f, Scope *s, const SynCref *cref, Value *out)
{
    Found at = lookup_name(f, cref->global ? NULL : s, cref->part[0].name);
    if (at.kind == FOUND_LOCAL)
        return value_of_local(f, s, cref, &at.local->value, out);
    if (at.kind == FOUND_CLASS)
        return value_in_class(f, s, cref, at.cls, out);
    if (at.kind == FOUND_NONE) {
        if (cref->n == 1 && strcmp(cref->part[0].name.s, "time") == 0) {
            *out = value_scalar(f->scratch, TYPE_REAL, expr_time(f->sys->pool));
            return true;
        }
        report_unknown(f, s, cref);
        return false;
    }
    Instance *around = at.scope->inst ? at.scope->inst : class_statics(f, at.scope->cls);
    if (!at.scope->inst && at.scope->cls->self->kind == CLASS_OTHER &&
        at.el->component->prefix.variability == SYN_PARAMETER) {
        diag_error(f->diags, cref->span, "N11",
                   "'%s' is a parameter of %s around: only constants of a class around can be used "
                   "(MLS 5.3.1)",
                   at.el->name.s, at.scope->cls->self->name);
        return false;
    }
    if (cref->n == 1) {
        /* the usual case, short: a variable of this instance */
        Instance *i = instance_local(f, around, at.el);
        if (!i)
            return false;
        if (i->kind == INST_LEAF) {
            const SynPart *part = &cref->part[0];
            Value v;
            if (!instance_value(f, i, cref->span, &v))
                return false;
            if (!part->sub.n) {
                *out = v;
                return true;
            }
            return value_subscript(f, s, &v, part->sub.n, part->sub.at, part->span, out);
        }
    }
    Walk w;
    WalkResult r = walk(f, s, cref, 0, around, at.el, &w);
    if (r == WALK_GOOD && w.some_absent)
        r = WALK_ABSENT;
    if (r == WALK_ABSENT)
        diag_error(f->diags, cref->span, "N15",
                   "'%s' is used, but a component on the way is absent: its condition is false",
                   cref->part[0].name.s);
    if (r == WALK_UNDECLARED)
        diag_error(f->diags, cref->span, "N01", "no connection gives '%s' to the connector %s",
                   cref->part[w.missing].name.s, w.shape->path);
    if (r != WALK_GOOD)
        return false;
    const SynPart *last = &cref->part[cref->n - 1];
    if (w.shape->kind == INST_LEAF && w.n == 1 && w.n_dims == 0) {
        Value v;
        if (!instance_value(f, w.shape, cref->span, &v))
            return false;
        if (!last->sub.n) {
            *out = v;
            return true;
        }
        return value_subscript(f, s, &v, last->sub.n, last->sub.at, last->span, out);
    }
    if (w.shape->kind == INST_CLASS && w.shape->cls->kind != CLASS_RECORD &&
        !class_is_connector(w.shape->cls)) {
        diag_error(f->diags, cref->span, "T34", "'%s' is a component of class %s, not a value",
                   w.shape->path, w.shape->cls->name);
        return false;
    }
    if (w.shape->kind == INST_LEAF && last->sub.n) {
        /* a[:].x[2]: the subscripts of x behind the dimensions of a */
        SynExpr colon = {.kind = SYN_COLON, .span = last->span};
        SynExpr **sub = arena_array(f->scratch, SynExpr *, w.n_dims + last->sub.n);
        for (uint32_t k = 0; k < w.n_dims; k++)
            sub[k] = &colon;
        for (uint32_t k = 0; k < last->sub.n; k++)
            sub[w.n_dims + k] = last->sub.at[k];
        Value v;
        return gather(f, &w, cref->span, &v) &&
               value_subscript(f, s, &v, w.n_dims + last->sub.n, sub, last->span, out);
    }
    return gather(f, &w, cref->span, out);
}

/* MLS 11.2.1: the variables of the component at the end of w, of which path names the parts, in
 * the order in which the references name them. */
static bool assigned_parts(Front *f, Scope *s, const SynCref *path, const Walk *w, uint32_t n,
                           const SynCref *const *use, Value *out);

static bool assigned_value(Front *f, Scope *s, const SynCref *path, uint32_t n,
                           const SynCref *const *use, Value *out)
{
    Found at = lookup_name(f, path->global ? NULL : s, path->part[0].name);
    if (at.kind != FOUND_COMPONENT || !at.scope->inst)
        return scope_value(f, s, path, out);
    Walk w;
    if (walk(f, s, path, 0, at.scope->inst, at.el, &w) != WALK_GOOD || w.some_absent ||
        w.shape->kind != INST_CLASS || w.shape->cls->kind == CLASS_RECORD ||
        class_is_connector(w.shape->cls))
        return scope_value(f, s, path, out);
    return assigned_parts(f, s, path, &w, n, use, out);
}

static bool assigned_parts(Front *f, Scope *s, const SynCref *path, const Walk *w, uint32_t n,
                           const SynCref *const *use, Value *out)
{
    *out = (Value){.kind = VALUE_RECORD, .n_dims = w->n_dims, .dims = w->dims};
    out->field = arena_array(f->scratch, Value, n + 1);
    Name *name = arena_array(f->scratch, Name, n + 1);
    out->field_name = name;
    const SynCref **inside = arena_array(f->scratch, const SynCref *, n + 1);
    SynPart *part = arena_array(f->scratch, SynPart, path->n + 1);
    memcpy(part, path->part, path->n * sizeof *part);
    for (uint32_t k = 0; k < n; k++) {
        if (use[k]->n <= path->n)
            continue;
        Name field = use[k]->part[path->n].name;
        if (value_field(out, field))
            continue;
        uint32_t n_inside = 0;
        for (uint32_t j = k; j < n; j++)
            if (use[j]->n > path->n && name_same(use[j]->part[path->n].name, field))
                inside[n_inside++] = use[j];
        part[path->n] = (SynPart){.name = field, .span = use[k]->part[path->n].span};
        SynCref longer = {.global = path->global, .n = path->n + 1, .part = part};
        longer.span = use[k]->span;
        if (!assigned_value(f, s, &longer, n_inside, inside, &out->field[out->n_fields]))
            return false;
        name[out->n_fields++] = field;
    }
    return true;
}

bool scope_assigned_value(Front *f, Scope *s, const SynPart *name, uint32_t n,
                          const SynCref *const *use, Value *out)
{
    SynPart part = {.name = name->name, .span = name->span};
    SynCref path = {.n = 1, .part = &part, .span = name->span};
    return assigned_value(f, s, &path, n, use, out);
}

bool scope_dimension(Front *f, Scope *s, const SynCref *cref, uint32_t dim, const SynExpr **out,
                     Scope **out_scope)
{
    // the values of an algorithm are locals: they are declared in the class around
    for (; s && !s->cls;)
        s = s->outer;
    Found at = lookup_name(f, cref->global ? NULL : s, cref->part[0].name);
    const Element *e = at.kind == FOUND_COMPONENT ? at.el : NULL;
    for (uint32_t k = 1; e && k < cref->n; k++)
        e = e->typed == TYPE_KNOWN ? class_element(f, e->type, cref->part[k].name) : NULL;
    if (!e || e->is_class || e->typed != TYPE_KNOWN || dim >= e->member.n_dims)
        return false;
    *out = e->member.dims[dim];
    *out_scope = e->dims_scope[dim];
    return true;
}

/* The dimensions that an array without a size needs for these subscripts. */
static bool subscripts_asked(Front *f, Scope *s, const SynPart *part, Selection *out)
{
    out->asked = arena_array(f->mem, uint32_t, part->sub.n + 1);
    for (uint32_t k = 0; k < part->sub.n; k++) {
        Value v;
        const SynExpr *x = part->sub.at[k];
        if (x->kind == SYN_COLON || x->kind == SYN_END) {
            diag_error(f->diags, x->span, "T33",
                       "'%s' has no size of its own: its subscripts are numbers (MLS 9.1.3)",
                       part->name.s);
            return false;
        }
        if (!eval_structural(f, s, x, "a subscript", &v))
            return false;
        for (uint32_t i = 0; v.kind == VALUE_PLAIN && i < value_size(&v); i++) {
            double at;
            bool fits = expr_constant(f->sys->pool, v.elem[i], &at) && at >= 1 && at < 1e6;
            if (fits && (uint32_t)at > out->asked[k])
                out->asked[k] = (uint32_t)at;
            if (!fits) {
                diag_error(f->diags, x->span, "T05", "this is no subscript of an array");
                return false;
            }
        }
    }
    out->n_asked = part->sub.n;
    return true;
}

bool instance_select(Front *f, Scope *s, const SynCref *cref, Selection *out)
{
    *out = (Selection){0};
    Found at = lookup_name(f, cref->global ? NULL : s, cref->part[0].name);
    if (at.kind != FOUND_COMPONENT || !at.scope->inst) {
        if (at.kind == FOUND_NONE)
            report_unknown(f, s, cref);
        else
            diag_error(f->diags, cref->span, "N01", "'%s' is not a component of the model",
                       cref->part[0].name.s);
        return false;
    }
    Walk w;
    WalkResult r = walk(f, s, cref, 0, at.scope->inst, at.el, &w);
    out->is_absent = r == WALK_ABSENT;
    if (r == WALK_UNDECLARED) {
        out->undeclared_in = w.at[0];
        out->undeclared = cref->part[w.missing].name;
        const SynPart *part = &cref->part[w.missing];
        bool is_declared = class_element(f, w.at[0]->cls, part->name) != NULL;
        bool is_last = w.missing + 1 == cref->n;
        out->asks_last = is_last;
        out->can_be_declared = is_last && !part->sub.n && !is_declared;
        return !(is_last || is_declared) || subscripts_asked(f, s, part, out);
    }
    if (r != WALK_GOOD)
        return r == WALK_ABSENT;
    Instance *first = instance_local(f, at.scope->inst, at.el);
    /* MLS 9.1.2: a connector of the class itself is an outside one */
    out->is_inside = !class_is_connector(first->cls) || at.el->is_outer;
    out->shape = w.shape;
    if (w.shape->kind != INST_LEAF) {
        out->n = w.n;
        out->at = w.at;
        out->n_dims = w.n_dims;
        out->dims = w.dims;
        return true;
    }
    const SynPart *last = &cref->part[cref->n - 1];
    Subscript *sub = arena_array(f->scratch, Subscript, w.shape->n_dims + 1);
    if (!subscripts_eval(f, s, last, w.shape, sub))
        return false;
    uint32_t per = 0;
    uint32_t *place = places_of(f, w.shape, sub, &per);
    out->at = arena_array(f->scratch, Instance *, (size_t)w.n * per + 1);
    out->place = arena_array(f->scratch, uint32_t, (size_t)w.n * per + 1);
    for (uint32_t j = 0; j < w.n; j++) {
        for (uint32_t k = 0; k < per; k++) {
            out->at[out->n] = w.at[j];
            out->place[out->n++] = place[k];
        }
    }
    for (uint32_t k = 0; k < w.shape->n_dims; k++)
        if (sub[k].keeps_dim)
            walk_dim(f, &w, sub[k].n);
    out->n_dims = w.n_dims;
    out->dims = w.dims;
    return true;
}
