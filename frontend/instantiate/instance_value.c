/* instance_value.c -- bindings, attributes and values of instances (MLS 3.6 ch. 4.4, 4.9, 7.2). */
#include "frontend/instantiate/instance.h"

#include "base/vec.h"

#include <string.h>

/* ---- bindings ------------------------------------------------------------------------------ */

/* The depth of the outermost arrays over which the values of a modifier are split. */
static uint32_t first_depth(const ModSource *s)
{
    const Instance *around = s->above ? s->above : s->at;
    return around ? around->depth + 1 : 0;
}

/* The element of `whole` for instance i: one index for each array component between the place
 * where the modifier stands and i (MLS 7.2.5). `own` counts i's own place in its array. */
static bool split(Front *f, const Value *whole, const ModSource *s, Instance *i, Value *out)
{
    const Instance *level[INSTANCE_DEPTH_MAX + 2];
    uint32_t n = 0;
    uint32_t first = first_depth(s);
    for (const Instance *p = i; p && p->depth >= first && p->el; p = p->parent) {
        int rel = (int)(p->depth - first);
        if (p->array && rel >= s->mod->each_level && n < INSTANCE_DEPTH_MAX)
            level[n++] = p;
    }
    *out = *whole;
    if (n == 0)
        return true;
    uint32_t at = 0;
    uint32_t n_dims = 0;
    for (uint32_t k = n; k-- > 0;) {
        const Instance *array = level[k]->array;
        uint32_t size = 1;
        for (uint32_t d = 0; d < array->n_dims; d++) {
            uint32_t dim = array->dims[d];
            if (n_dims >= whole->n_dims || whole->dims[n_dims] != dim) {
                /* one value for all of them */
                bool is_clear = whole->n_dims == 0 && !f->strict;
                if (s->mod->is_reported)
                    return is_clear;
                s->mod->is_reported = true;
                (is_clear ? diag_warning : diag_error)(
                    f->diags, s->mod->span, "T32",
                    n_dims >= whole->n_dims
                        ? "'%s' is modified in an array of components: give an array of "
                          "values, or write 'each'"
                        : "the modifier of '%s' does not have the size of the array of "
                          "components",
                    s->mod->name.s ? s->mod->name.s : i->el->name.s);
                return is_clear;
            }
            size *= dim;
            n_dims++;
        }
        at = at * size + level[k]->index;
    }
    *out = value_pick(f->mem, whole, n_dims, &at, 0, NULL);
    return true;
}

static bool needs_split(const ModSource *s, const Instance *i)
{
    uint32_t first = first_depth(s);
    for (const Instance *p = i; p && p->depth >= first && p->el; p = p->parent)
        if (p->array && (int)(p->depth - first) >= s->mod->each_level)
            return true;
    return false;
}

static bool source_eval(Front *f, const ModSource *s, bool structural, Value *out)
{
    Scope *scope = scope_bind(f, s->at, s->mod->scope);
    return structural ? eval_structural(f, scope, s->mod->value,
                                        f->eval.use ? f->eval.use : "a parameter", out)
                      : eval(f, scope, s->mod->value, out);
}

/* The value of a modifier for instance i, in mem. */
static bool source_value(Front *f, const ModSource *s, Instance *i, bool structural, Value *out)
{
    Lookup *l = f->lookup;
    if (!needs_split(s, i))
        return source_eval(f, s, structural, out);
    /* evaluated once for all elements of the array */
    uint64_t key = (uint64_t)s->mod->id << 33 | (uint64_t)(s->at ? s->at->id + 1 : 0) << 1 |
                   (structural ? 1 : 0);
    uint32_t k = map_get(&l->split, key);
    if (k == MAP_NONE) {
        Value *kept = arena_make(f->mem, Value);
        if (!source_eval(f, s, structural, kept))
            kept = NULL;
        k = l->split_value.n;
        vec_push(f->mem, l->split_value, (const Value *)kept);
        map_put(&l->split, key, k);
    }
    const Value *whole = l->split_value.at[k];
    return whole && split(f, whole, s, i, out);
}

/* Finds the first modifier with a value; the element's own come behind those from outside. */
static bool find_source(Front *f, const Instance *i, Env outer, Env inner, ModSource *out)
{
    bool found = false;
    for (uint32_t k = 0; k < outer.n + inner.n; k++) {
        ModSource s = k < outer.n ? outer.at[k] : inner.at[k - outer.n];
        if (s.only_redeclare)
            continue;
        if (found) {
            /* MLS 7.2.6; that of a redeclaration whose constraint has modifications comes by two
             * ways (7.3.2) */
            bool is_same = s.mod->value && s.mod->value == out->mod->value;
            if (s.mod->is_final && !is_same && !out->mod->is_reported) {
                out->mod->is_reported = true;
                diag_error(f->diags, out->mod->span, "N10", "'%s' is final and cannot be modified",
                           s.mod->name.s ? s.mod->name.s : i->el->name.s);
                diag_note(f->diags, s.mod->span, "it is made final here");
            }
            continue;
        }
        if (!s.mod->value && !s.mod->is_break)
            continue;
        found = true;
        if (!s.at)
            s.at = i->parent;
        if (k >= outer.n && !s.above)
            s.above = i->parent;
        *out = s;
    }
    if (!found || out->mod->is_break)
        return false;
    bool is_binding = !out->mod->name.s || name_same(out->mod->name, i->el->name);
    if (is_binding && i->el->is_final && out->mod != i->el->own && !out->mod->is_reported) {
        out->mod->is_reported = true;
        diag_error(f->diags, out->mod->span, "N10", "'%s' is final and cannot be modified",
                   i->el->name.s);
    }
    return true;
}

/* "; its values are E.a, E.b" */
static const char *literals_text(Front *f, const Class *c)
{
    enum { SHOWN = 6 };
    const char *text = "";
    uint32_t n = class_n_literals(f, c);
    for (uint32_t k = 0; k < n && k < SHOWN; k++)
        text = arena_printf(f->mem, "%s%s%s.%s", text, k ? ", " : "; its values are ", c->name,
                            class_literal(f, c, k).s);
    return n > SHOWN ? arena_printf(f->mem, "%s, ...", text) : text;
}

bool value_note_matrix(Front *f, Span at, const Value *a, const Value *b)
{
    const Value *v = a->n_dims == 1 ? a : b, *m = v == a ? b : a;
    bool is_line = v->n_dims == 1 && m->n_dims == 2 &&
                   ((m->dims[0] == 1 && m->dims[1] == v->dims[0]) ||
                    (m->dims[1] == 1 && m->dims[0] == v->dims[0]));
    if (is_line)
        diag_note(f->diags, at, "a vector is written {a, b}; [a, b] and [a; b] are matrices");
    return is_line;
}

bool value_fits(Front *f, const Value *v, BaseType type, const Class *enumeration, Span span,
                const char *what)
{
    if (v->kind != VALUE_PLAIN) {
        diag_error(f->diags, span, "T31", "%s is %s, not a record", what, base_type_text(type));
        return false;
    }
    if (v->type == type || (type == TYPE_REAL && v->type == TYPE_INTEGER)) {
        bool is_class = type == TYPE_ENUMERATION || type == TYPE_OBJECT;
        if (!is_class || !v->cls || !enumeration || class_same_type(v->cls, enumeration))
            return true;
        diag_error(f->diags, span, "T31", "%s is a %s, not a %s", what, enumeration->name,
                   v->cls->name);
        return false;
    }
    if (value_size(v) == 0)
        return true;
    bool has_literals = type == TYPE_ENUMERATION && enumeration;
    diag_error(f->diags, span, "T31", "%s is %s, not %s%s", what,
               has_literals ? enumeration->name : base_type_text(type), base_type_text(v->type),
               has_literals ? literals_text(f, enumeration) : "");
    return false;
}

const char *dims_text(Front *f, uint32_t n, const uint32_t *dims)
{
    if (n == 0)
        return "a scalar";
    const char *text = "[";
    for (uint32_t k = 0; k < n; k++)
        text = arena_printf(f->mem, "%s%s%u", text, k ? ", " : "", dims[k]);
    return arena_printf(f->mem, "%s]", text);
}

/* Does a binding have the type and size of its component. Reports an error. */
static bool binding_fits(Front *f, Instance *i, const Value *v, Span span)
{
    if (i->kind == INST_LEAF) {
        if (!value_fits(f, v, i->cls->base_type, i->cls, span,
                        arena_printf(f->scratch, "'%s'", i->el->name.s)))
            return false;
    } else if (v->kind != VALUE_RECORD) {
        diag_error(f->diags, span, "T31", "'%s' is a record %s, not %s", i->el->name.s,
                   i->cls->name, base_type_text(v->type));
        return false;
    } else if (v->cls && class_operators(v->cls) != class_operators(i->cls)) {
        diag_error(f->diags, span, "T31", "'%s' is a record %s, not a record %s (MLS 6.4)",
                   i->el->name.s, i->cls->name, class_name(f, v->cls));
        return false;
    } else {
        /* MLS 6.7: the binding has the fields of the record */
        for (uint32_t k = 0; k < i->cls->component.n; k++) {
            const Element *e = i->cls->component.at[k];
            if (e->is_final || e->component->prefix.variability == SYN_CONSTANT ||
                value_field(v, e->name))
                continue;
            diag_error(f->diags, span, "T31", "'%s' is a record %s, and its binding has no '%s'",
                       i->el->name.s, i->cls->name, e->name.s);
            return false;
        }
    }
    uint32_t n = i->n_dims;
    bool same = v->n_dims == n;
    for (uint32_t k = 0; same && k < n; k++)
        same = i->dims[k] == v->dims[k] || i->el->member.dims[k]->kind == SYN_COLON ||
               own_size(i->el->member.dims[k], i->el->name, n);
    if (!same)
        diag_error(f->diags, span, "T32", "'%s' is %s, but its binding is %s", i->el->name.s,
                   dims_text(f, n, i->dims), dims_text(f, v->n_dims, v->dims));
    const Value own = {.n_dims = n, .dims = i->dims};
    if (!same && !value_note_matrix(f, span, &own, v) && v->n_dims > n)
        diag_note(f->diags, i->el->original->span,
                  "one element of the binding is picked by a subscript, or '%s' is declared as an "
                  "array",
                  i->el->name.s);
    return same;
}

static bool binding_from(Front *f, const ModSource *s, Instance *i, bool structural, Value *out)
{
    const Instance *context = i->parent->el ? i : i->parent;
    context_push(f, context);
    bool good =
        source_value(f, s, i, structural, out) &&
        (i->array || i->kind == INST_FAILED || binding_fits(f, i, out, s->mod->value->span));
    context_pop(f, context);
    return good;
}

/* The modifier r.field, where a record is bound to a reference r. */
static Mod *field_of(Front *f, const Mod *record, Name field)
{
    const SynCref *r = record->value->cref;
    SynPart *part = arena_array(f->mem, SynPart, r->n + 1);
    memcpy(part, r->part, r->n * sizeof *part);
    part[r->n] = (SynPart){.name = field, .span = r->span};
    SynCref *cref = arena_make(f->mem, SynCref);
    *cref = (SynCref){r->global, r->n + 1, part, r->span};
    SynExpr *x = arena_make(f->mem, SynExpr);
    *x = (SynExpr){.kind = SYN_CREF, .span = r->span, .cref = cref};
    Mod *m = arena_make(f->mem, Mod);
    *m = *record;
    m->id = f->lookup->n_mods++;
    m->value = x;
    return m;
}

/* The reference that a record, or a record around it, is bound to. */
static bool reference_source(Front *f, const Instance *i, ModSource *out)
{
    if (!i->el || i->cls->kind != CLASS_RECORD)
        return false;
    if (find_source(f, i, i->env, i->el->env, out))
        return out->mod->value->kind == SYN_CREF;
    if (!reference_source(f, i->parent, out))
        return false;
    out->mod = field_of(f, out->mod, i->el->name);
    return true;
}

/* The effect of one modifier of a record: 1 if it gives the field at the end of the path a value,
 * -1 if it binds the record, or one on the way, as a whole, else 0. */
static int what_is_given(const Mod *m, const Name *path, uint32_t n)
{
    bool is_whole = false;
    for (uint32_t k = 0; m && k < n; k++) {
        is_whole = is_whole || m->value;
        m = mod_find(m, path[k]);
    }
    if (m && (m->value || m->is_break))
        return 1;
    return is_whole ? -1 : 0;
}

static int what_comes_first(Env env, const Name *path, uint32_t n)
{
    int given = 0;
    for (uint32_t k = 0; k < env.n && !given; k++)
        if (!env.at[k].only_redeclare)
            given = what_is_given(env.at[k].mod, path, n);
    return given;
}

/* Is a modifier of the field further outside than all bindings of its record, and of the enclosing
 * records, as a whole. Searches the modifiers of the outermost record first, then the declarations
 * inwards. */
static bool field_comes_first(Front *f, const Instance *record, Name field)
{
    uint32_t n = 1; /* of names from the outermost record to the field */
    const Instance *top = record;
    for (; top->parent->el && top->parent->cls->kind == CLASS_RECORD; n++)
        top = top->parent;
    Name *path = arena_array(f->scratch, Name, n);
    path[n - 1] = field;
    const Instance **at = arena_array(f->scratch, const Instance *, n);
    const Instance *in = record;
    for (uint32_t k = n; k-- > 0; in = in->parent) {
        at[k] = in;
        if (k > 0)
            path[k - 1] = in->el->name;
    }
    int given = what_comes_first(top->env, path, n);
    for (uint32_t k = 0; k < n && !given; k++)
        given = what_comes_first(at[k]->el->env, path + k, n - k);
    return given > 0;
}

/* MLS 7.2: the outermost of the modifiers of a field and of its record as a whole wins; the
 * record's own class comes last. */
static bool binding_find(Front *f, Instance *i, bool structural, Value *out, bool *found)
{
    ModSource s;
    *found = false;
    if (!i->el)
        return true;
    const Instance *p = i->parent;
    if (p->el && p->cls->kind == CLASS_RECORD && !field_comes_first(f, p, i->el->name)) {
        /* structural evaluation needs this field alone; others may be unknown */
        if (structural && reference_source(f, p, &s)) {
            s.mod = field_of(f, s.mod, i->el->name);
            *found = true;
            return binding_from(f, &s, i, true, out);
        }
        const Value *record = NULL;
        if (!instance_binding(f, i->parent, structural, &record))
            return false;
        const Value *field = record ? value_field(record, i->el->name) : NULL;
        if (field) {
            *found = true;
            *out = *field;
            if (i->array)
                *out = value_pick(f->mem, field, i->array->n_dims, &i->index, 0, NULL);
            return i->array || binding_fits(f, i, out, instance_span(i->parent));
        }
    }
    *found = find_source(f, i, i->env, i->el->env, &s);
    return !*found || binding_from(f, &s, i, structural, out);
}

const ExprIds *instance_lost(const Front *f, const Instance *i)
{
    uint32_t k = map_get(&f->lookup->binding_lost, i->id);
    return k == MAP_NONE ? NULL : &f->lookup->lost.at[k];
}

/* Operands that the binding of i lost, the last ones of f->lost, are kept for its equations. */
static void keep_lost(Front *f, const Instance *i, uint32_t from)
{
    ExprIds own = {0};
    for (uint32_t k = from; k < f->lost.n; k++)
        vec_push(f->mem, own, f->lost.at[k]);
    f->lost.n = from;
    if (own.n) {
        map_put(&f->lookup->binding_lost, i->id, f->lookup->lost.n);
        vec_push(f->mem, f->lookup->lost, own);
    }
}

bool instance_binding(Front *f, Instance *i, bool structural, const Value **out)
{
    int mode = structural ? 1 : 0;
    *out = NULL;
    if (i->bound[mode] == BINDING_PENDING) {
        diag_error(f->diags, instance_span(i), "N13", "the value of '%s' depends on itself",
                   i->path);
        i->bound[mode] = BINDING_BAD;
        return false;
    }
    if (i->bound[mode] == BINDING_UNKNOWN) {
        if (f->lookup->depth > INSTANCE_DEPTH_MAX) {
            diag_error(f->diags, instance_span(i), "F04",
                       "the values of parameters depend on each other too deeply");
            return false;
        }
        i->bound[mode] = BINDING_PENDING;
        f->lookup->depth++;
        Value v;
        bool found = false;
        uint32_t n_lost = f->lost.n;
        bool good = binding_find(f, i, structural, &v, &found);
        keep_lost(f, i, n_lost);
        f->lookup->depth--;
        if (good && found) {
            Value *kept = arena_make(f->mem, Value);
            *kept = v;
            i->binding[mode] = kept;
        }
        i->bound[mode] = good && i->bound[mode] == BINDING_PENDING ? BINDING_KNOWN : BINDING_BAD;
    }
    *out = i->binding[mode];
    return i->bound[mode] == BINDING_KNOWN;
}

bool scope_binding(Front *f, VarId v, ExprId *out)
{
    Lookup *l = f->lookup;
    Instance *i = v.i < l->leaf_of_var.n ? l->leaf_of_var.at[v.i] : NULL;
    /* a binding that is being evaluated is not known yet; evaluating it again would report a
     * cycle */
    if (!i || i->variability > VARIES_PARAMETER || i->bound[0] == BINDING_PENDING)
        return false;
    Value fixed;
    Span span;
    const Value *b = NULL;
    if (!instance_attribute(f, i, ATTR_FIXED, true, &fixed, &span) ||
        (fixed.kind == VALUE_PLAIN && value_size(&fixed) > 0 &&
         expr_is(f->sys->pool, fixed.elem[(v.i - i->var.i) % value_size(&fixed)], 0)) ||
        !instance_binding(f, i, false, &b) || !b)
        return false;
    *out = b->elem[v.i - i->var.i];
    return expr_exists(*out); /* a function may leave a field of a record open */
}

const char *scope_instance_name(Front *f, Scope *s)
{
    while (s && !s->inst)
        s = s->outer;
    const char *model = f->lookup->root ? f->lookup->root->cls->name : "";
    const char *last = strrchr(model, '.');
    last = last ? last + 1 : model;
    return s && s->inst->path && s->inst->path[0]
               ? arena_printf(f->mem, "%s.%s", last, s->inst->path)
               : last;
}

bool instance_has_binding(Front *f, Instance *i)
{
    ModSource s = {0};
    return i->el && find_source(f, i, i->env, i->el->env, &s);
}

Span instance_binding_span(Front *f, Instance *i)
{
    ModSource s = {0};
    if (i->el && find_source(f, i, i->env, i->el->env, &s))
        return s.mod->value->span;
    return instance_span(i);
}

bool instance_attribute(Front *f, Instance *i, Attribute a, bool structural, Value *out, Span *span)
{
    Name name = f->lookup->attribute[a];
    Env outer = env_sub(f, i->env, name);
    Env inner = env_sub(f, i->el->env, name);
    Env type = env_sub(f, i->cls->terminal->env, name);
    ModSource s;
    out->kind = VALUE_NONE;
    if (outer.n + inner.n + type.n == 0)
        return true;
    if (!find_source(f, i, outer, env_join(f, inner, type), &s))
        return true;
    *span = s.mod->span;
    if (!source_value(f, &s, i, structural, out))
        return false;
    /* MLS 7.2.5: one value for all elements needs `each`; a type's own are for its elements */
    bool of_type = !outer.n && !inner.n;
    if (out->kind != VALUE_PLAIN || out->n_dims > i->n_dims) {
        diag_error(f->diags, s.mod->span, "T32", "'%s' of '%s' must be %s", name.s, i->el->name.s,
                   dims_text(f, i->n_dims, i->dims));
        return false;
    }
    uint32_t skip = i->n_dims - out->n_dims;
    bool fits = true;
    for (uint32_t k = 0; k < out->n_dims; k++)
        fits = fits && out->dims[k] == i->dims[skip + k];
    bool each = s.mod->each_level > 0 || of_type || s.at != i->parent;
    if (!fits || (skip > 0 && !each && out->n_dims > 0)) {
        diag_error(f->diags, s.mod->span, "T32", "'%s' of '%s' is %s, not %s", name.s,
                   i->el->name.s, dims_text(f, i->n_dims, i->dims),
                   dims_text(f, out->n_dims, out->dims));
        return false;
    }
    if (skip > 0 && !each) {
        /* a text for people is the same for all elements, whatever was meant */
        bool is_text = a == ATTR_UNIT || a == ATTR_DISPLAY_UNIT || a == ATTR_QUANTITY;
        static const char words[] =
            "'%s' is an array: give '%s' an array of values, or write 'each' (MLS 7.2.5)";
        bool is_clear = is_text || !f->strict;
        (is_clear ? diag_warning : diag_error)(f->diags, s.mod->span, "T32", words, i->el->name.s,
                                               name.s);
        return is_clear;
    }
    return true;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool is_alias_of_var(const ExprPool *p, ExprId x)
{
    if (expr_op(p, x) == OP_NEG)
        x = expr_arg(p, x, 0);
    return expr_op(p, x) == OP_VAR;
}

static ExprId *symbols_of(Front *f, Instance *i)
{
    if (i->symbols)
        return i->symbols;
    i->symbols = arena_array(f->mem, ExprId, i->n + 1);
    for (uint32_t k = 0; k < i->n; k++)
        i->symbols[k] = system_var_expr(f->sys, (VarId){i->var.i + k});
    return i->symbols;
}

/* Whether it is measured in a unit, other than that of a ratio. */
static bool has_unit(Front *f, Instance *i)
{
    Value unit;
    Span span;
    if (i->cls->base_type != TYPE_REAL ||
        !instance_attribute(f, i, ATTR_UNIT, true, &unit, &span) || unit.kind != VALUE_PLAIN ||
        value_size(&unit) == 0 || expr_op(f->sys->pool, unit.elem[0]) != OP_STRING)
        return false;
    const char *text = expr_text_of(f->sys->pool, unit.elem[0]).s;
    return text[0] && strcmp(text, "1") != 0;
}

/* Without a value, a parameter has its start value (MLS 8.6). */
static ExprId text_at_start(Front *f, Instance *i, uint32_t k)
{
    Value start;
    Span span;
    if (instance_attribute(f, i, ATTR_START, true, &start, &span) && start.kind == VALUE_PLAIN &&
        value_size(&start) > 0)
        return start.elem[k % value_size(&start)];
    return expr_string(f->sys->pool, name_of(f->names, ""));
}

/* Zeros that the model fixes must be seen by whoever orders equations: a final parameter's
 * elements that are numbers, or other parameters, stand for themselves. But 1 with a unit (a length
 * of 1 m) is 1 by accident, and no coefficient that natural matching may count on: it keeps its
 * name. */
static bool final_elements(Front *f, Instance *i, Value *out)
{
    if (i->folded) {
        out->elem = i->folded;
        return true;
    }
    const Value *b = NULL;
    out->elem = symbols_of(f, i);
    /* a long chain of parameters is not followed to its end */
    if (f->lookup->depth > INSTANCE_DEPTH_MAX / 2)
        return true;
    if (!instance_binding(f, i, false, &b))
        return false;
    ExprPool *p = f->sys->pool;
    bool is_text = i->cls->base_type == TYPE_STRING;
    ExprId *elem = arena_array(f->mem, ExprId, i->n + 1);
    memcpy(elem, symbols_of(f, i), i->n * sizeof *elem);
    for (uint32_t k = 0; !b && is_text && k < i->n; k++)
        elem[k] = text_at_start(f, i, k);
    for (uint32_t k = 0; b && k < i->n; k++) {
        ExprId x = b->elem[k];
        if (!expr_exists(x) || !(expr_is_num(p, x) || is_alias_of_var(p, x) || is_text))
            continue;
        if ((expr_is(p, x, 1) || expr_is(p, x, -1)) && has_unit(f, i))
            continue;
        elem[k] = x;
    }
    i->folded = elem;
    out->elem = elem;
    return true;
}

/* A function may leave a part of a record unassigned. */
static bool all_known(Front *f, const Instance *i, const Value *v, Span use)
{
    for (uint32_t k = 0; k < i->n; k++) {
        if (expr_exists(v->elem[k]))
            continue;
        diag_error(f->diags, use, "N14", "'%s' has no value", i->path);
        return false;
    }
    return true;
}

/* fixed = false: its value comes out of the initial equations. */
static bool is_solved_for(Front *f, Instance *i)
{
    Value fixed;
    Span span;
    return instance_attribute(f, i, ATTR_FIXED, true, &fixed, &span) && fixed.kind == VALUE_PLAIN &&
           value_size(&fixed) > 0 && expr_is(f->sys->pool, fixed.elem[0], 0);
}

static bool parameter_number(Front *f, Instance *i, Span use, Value *out)
{
    const Value *b = NULL;
    if (!instance_binding(f, i, true, &b))
        return false;
    if (!b && f->eval.varying && !i->is_static && is_solved_for(f, i)) {
        out->elem = symbols_of(f, i); /* a[i] for an i that is solved for */
        return true;
    }
    if (!b) {
        diag_error(f->diags, use, "N14", "%s needs the value of '%s', which has none",
                   f->eval.use ? f->eval.use : "this", i->path);
        diag_note(f->diags, instance_span(i), "it is declared here without a binding");
        return false;
    }
    if (!all_known(f, i, b, use))
        return false;
    out->elem = b->elem;
    /* a parameter that the structure depends on can no longer be set (MLS 18.3) */
    for (uint32_t k = 0; !i->is_static && k < i->n; k++)
        var_at(f->sys, (VarId){i->var.i + k})->is_final = true;
    return true;
}

/* The value of a leaf. */
bool instance_value(Front *f, Instance *i, Span use, Value *out)
{
    *out = (Value){.kind = VALUE_PLAIN,
                   .type = i->cls->base_type,
                   .cls = i->cls->kind == CLASS_ENUMERATION ? i->cls : NULL,
                   .n_dims = i->n_dims,
                   .dims = i->dims};
    if (i->n == 0) {
        out->elem = NULL;
        return true;
    }
    if (i->is_static || i->variability == VARIES_NEVER) {
        if (i->is_static && i->variability > VARIES_PARAMETER) {
            diag_error(f->diags, use, "N11",
                       "'%s' is no constant: only constants of a class around can be used",
                       i->path);
            return false;
        }
        const Value *b = NULL;
        if (!instance_binding(f, i, f->eval.structural, &b))
            return false;
        if (!b) {
            diag_error(f->diags, use, "N14", "constant '%s' has no value", i->path);
            return false;
        }
        if (!all_known(f, i, b, use))
            return false;
        out->elem = b->elem;
        return true;
    }
    if (i->variability == VARIES_PARAMETER) {
        if (f->eval.structural)
            return parameter_number(f, i, use, out);
        /* no variable of type String exists at run time: its value stands in its place */
        if ((i->is_final && !f->lookup->is_dump) || i->cls->base_type == TYPE_STRING)
            return final_elements(f, i, out);
    }
    out->elem = symbols_of(f, i);
    return true;
}
