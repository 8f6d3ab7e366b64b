/* lookup_class.c -- classes in their environments: elements, bases, redeclarations (MLS 3.6
 * ch. 5.6, 7). */
#include "frontend/instantiate/deselection.h"
#include "frontend/instantiate/instance.h"

#include "base/vec.h"

#include <string.h>

enum { DEPTH_MAX = 500 }; /* of classes elaborated inside one another */

Class *class_new(Front *f, const char *name)
{
    Class *c = arena_make(f->mem, Class);
    c->id = f->lookup->classes.n;
    c->name = name;
    c->self = c;
    c->body.cls = c;
    c->table = map_new(f->mem);
    c->outside = map_new(f->mem);
    vec_push(f->mem, f->lookup->classes, c);
    return c;
}

Class *class_at(Front *f, const Map *m, uint64_t key)
{
    uint32_t k = map_get(m, key);
    return k == MAP_NONE ? NULL : f->lookup->classes.at[k];
}

static bool scope_is_bound(const Scope *s)
{
    return s && (s->inst || !s->cls || s->cls->is_bound);
}

Class *class_of_syntax(Front *f, SynClass *syn, Scope *outer, Env env)
{
    const char *name = syn->name.s;
    if (outer && outer->cls)
        name = arena_printf(f->mem, "%s.%s", outer->cls->self->name, syn->name.s);
    Class *c = class_new(f, name);
    c->syn = syn;
    c->outer = outer;
    c->body.outer = outer;
    c->is_bound = scope_is_bound(outer);
    c->env = env;
    return c;
}

Class *class_derive(Front *f, const Class *from, Env env, Class *derived)
{
    Class *c = class_new(f, from->name);
    c->syn = from->syn;
    c->outer = from->outer;
    c->body.outer = from->outer;
    c->is_bound = from->is_bound;
    c->env = env_join(f, env, from->env);
    c->overridden = from->overridden;
    if (derived) {
        c->derived = derived;
        c->self = derived->self;
    }
    if (!c->syn) {
        c->state = from->state;
        c->kind = from->kind;
        c->base_type = from->base_type;
        c->terminal = c;
        if (!derived)
            vec_push(f->mem, c->linear, c);
    }
    return c;
}

const Element *element_first(const Element *e)
{
    while (e->same)
        e = e->same;
    return e;
}

/* ---- elements ------------------------------------------------------------------------------ */

const SynMod *rung_annotation(const SynMod *annotation, const char *name)
{
    const SynArg *all = annotation ? syn_mod_find(annotation, "__rung") : NULL;
    const SynArg *one = all && all->mod ? syn_mod_find(all->mod, name) : NULL;
    return one ? one->mod : NULL;
}

/* UNKNOWN: there is none, or its value is no literal. */
static Truth annotation_truth(const SynMod *annotation, const char *name)
{
    const SynArg *a = syn_mod_find(annotation, name);
    if (!a || !a->mod || !a->mod->value || a->mod->value->kind != SYN_BOOLEAN)
        return UNKNOWN;
    return a->mod->value->truth ? YES : NO;
}

/* MLS 7.3: a redeclaration inherits from the original the prefixes that it does not set. */
static const SynComponent *redeclared_component(Front *f, const SynComponent *by,
                                                const SynComponent *old)
{
    SynComponent *c = arena_make(f->mem, SynComponent);
    *c = *by;
    if (c->prefix.connector == SYN_NOT_FLOW)
        c->prefix.connector = old->prefix.connector;
    if (c->prefix.variability == SYN_NO_VARIABILITY)
        c->prefix.variability = old->prefix.variability;
    if (c->prefix.causality == SYN_NO_CAUSALITY)
        c->prefix.causality = old->prefix.causality;
    if (c->own_dims.n == 0 && c->type_dims.n == 0) {
        c->own_dims = old->own_dims;
        c->type_dims = old->type_dims;
    }
    if (!c->condition)
        c->condition = old->condition;
    if (!c->comment)
        c->comment = old->comment;
    return c;
}

/* Why this redeclaration of e cannot be, or NULL; `behind` is the next one further in, that it
 * would replace, or NULL (MLS 7.3, 7.3.3). */
static const char *redeclaration_fault(Front *f, const Element *e, const Mod *m, const Mod *behind,
                                       bool *is_clear)
{
    *is_clear = false;
    const char *name = e->name.s;
    if ((m->redeclare->kind == SYN_CLASS) != e->is_class)
        return arena_printf(f->mem, "'%s' is a %s and cannot be redeclared as a %s (MLS 7.3)", name,
                            e->is_class ? "class" : "component",
                            e->is_class ? "component" : "class");
    /* a component may be redeclared with its own type (MLS 7.3.3): element_type */
    if (!e->is_replaceable && e->is_class)
        return arena_printf(f->mem, "'%s' is not replaceable (MLS 7.3)", name);
    if (e->is_final || (behind && (behind->is_final || behind->redeclare->final)))
        return arena_printf(f->mem, "'%s' is final and cannot be redeclared (MLS 7.2.6)", name);
    *is_clear = behind && !behind->redeclare->replaceable && !f->strict;
    if (behind && !behind->redeclare->replaceable)
        return arena_printf(f->mem,
                            "'%s' has been redeclared without 'replaceable', so it cannot be "
                            "redeclared again (MLS 7.3)",
                            name);
    if (!e->is_class && e->original->component->prefix.variability == SYN_CONSTANT)
        return arena_printf(f->mem, "'%s' is a constant and cannot be redeclared (MLS 7.3.3)",
                            name);
    return NULL;
}

/* The outermost redeclaration that reaches the element, if it may be redeclared (MLS 7.3). */
static const ModSource *redeclaration_of(Front *f, const Element *e)
{
    for (uint32_t k = 0; k < e->env.n; k++) {
        Mod *m = e->env.at[k].mod;
        if (!m->redeclare)
            continue;
        const Mod *behind = NULL;
        for (uint32_t j = k + 1; j < e->env.n && !behind; j++)
            if (e->env.at[j].mod->redeclare && e->env.at[j].mod->redeclare != m->redeclare)
                behind = e->env.at[j].mod;
        if (m->is_constraint && behind && !behind->redeclare->replaceable)
            continue;
        bool is_clear;
        const char *fault = redeclaration_fault(f, e, m, behind, &is_clear);
        if (!fault)
            return &e->env.at[k];
        if (!m->is_reported) {
            m->is_reported = true;
            (is_clear ? diag_warning : diag_error)(f->diags, m->span, "N09", "%s", fault);
            diag_note(f->diags, behind ? behind->span : e->original->span, "it is declared here");
        }
        if (is_clear)
            return &e->env.at[k];
    }
    return NULL;
}

static void mark_constraint(Mod *m)
{
    if (!m)
        return;
    m->is_constraint = true;
    for (uint32_t k = 0; k < m->n; k++)
        mark_constraint(m->sub[k]);
}

/* MLS 7.3.2: of a redeclaration that s overrides only the modification of its constraining clause
 * stays; its own modification is dropped. The constraint's modification of s itself follows the
 * modification of s. */
static Env without_replaced(Front *f, Env all, const ModSource *s)
{
    ModSource *kept = arena_array(f->mem, ModSource, 2 * (size_t)all.n + 1);
    uint32_t n = 0;
    for (uint32_t k = 0; k < all.n; k++) {
        const ModSource *at = &all.at[k];
        const SynElement *by = at->mod->redeclare;
        if (at <= s || !by)
            kept[n++] = *at;
        if (at < s || !by || !by->component->constrained)
            continue;
        Mod *m = mod_of_syntax(f, by->component->constrained->mod, at->mod->scope, 0);
        mark_constraint(m);
        if (m)
            kept[n++] = (ModSource){.mod = m, .at = at->at};
    }
    return (Env){kept, n};
}

static void redeclare_component(Front *f, Element *e, const ModSource *s)
{
    const SynComponent *old = e->original->component;
    e->syn = s->mod->redeclare;
    e->own = s->mod;
    e->component = redeclared_component(f, e->syn->component, old);
    /* MLS 7.3.2: the constraint's modification stays, or without a constraint the original's with
     * its binding; the redeclaration's own modification comes first */
    e->env = without_replaced(f, e->env, s);
    const SynMod *keep = old->constrained ? old->constrained->mod : old->mod;
    Mod *m = mod_of_syntax(f, keep, e->scope, 0);
    mark_constraint(m);
    e->env = env_add(f, e->env, m, NULL);
    const SynComponent *by = e->syn->component;
    e->scope = s->at ? scope_bind(f, s->at, s->mod->scope) : s->mod->scope;
    if (by->condition)
        e->condition_scope = e->scope;
    if (by->own_dims.n || by->type_dims.n)
        e->own_dims_scope = e->scope;
}

/* MLS 7.3.2: the constraint's modification applies to the declaration and to redeclarations; a
 * declaration's own modification, `= Base(...)`, comes first. */
static void constrain_class(Front *f, Element *e, const SynMod *constraint, Scope *scope,
                            bool *is_first)
{
    if (!constraint)
        return;
    if (*is_first && e->class_syn->kind == SYN_SHORT)
        e->env = env_add(f, e->env, mod_of_syntax(f, e->class_syn->mod, e->scope, -1), NULL);
    *is_first = false;
    Mod *m = mod_of_syntax(f, constraint, scope, -1);
    mark_constraint(m);
    e->env = env_add(f, e->env, m, NULL);
}

/* The redeclaration that s overrides: the next one inwards. */
static const ModSource *redeclaration_behind(Env env, const ModSource *s)
{
    for (const ModSource *at = s + 1; at < env.at + env.n; at++)
        if (at->mod->redeclare && at->mod->redeclare->kind == SYN_CLASS)
            return at;
    return NULL;
}

static void redeclare_class(Front *f, Element *e, const ModSource *s)
{
    Env all = e->env;
    Scope *declared = e->scope;
    SynClass *old = e->class_syn;
    e->syn = s->mod->redeclare;
    e->class_syn = e->syn->class_;
    e->scope = s->at ? scope_bind(f, s->at, s->mod->scope) : s->mod->scope;
    if (e->class_syn->kind == SYN_CLASS_EXTENDS) {
        /* MLS 7.3.1: it extends the class that it replaces */
        Element *o = arena_make(f->mem, Element);
        *o = *e;
        o->id = f->lookup->n_elements++;
        o->syn = e->original;
        o->class_syn = old;
        o->scope = declared;
        o->env = all;
        const ModSource *behind = redeclaration_behind(all, s);
        if (behind)
            redeclare_class(f, o, behind);
        o->env = (Env){0};
        e->overridden = o;
    } else {
        bool is_first = true;
        for (const ModSource *at = s; at; at = redeclaration_behind(all, at)) {
            const SynConstrained *own = at->mod->redeclare->class_->constrained;
            if (own)
                constrain_class(f, e, own->mod, at->mod->scope, &is_first);
        }
        const SynMod *keep = old->constrained         ? old->constrained->mod
                             : old->kind == SYN_SHORT ? old->mod
                                                      : NULL;
        constrain_class(f, e, keep, declared, &is_first);
    }
}

static Element *element_new(Front *f, Class *c, SynElement *syn)
{
    Element *e = arena_make(f->mem, Element);
    e->id = f->lookup->n_elements++;
    e->syn = e->original = syn;
    e->in = c;
    e->scope = e->condition_scope = e->own_dims_scope = &c->body;
    e->is_class = syn->kind == SYN_CLASS;
    e->name = e->is_class ? syn->class_->name : syn->component->name;
    e->is_protected = syn->is_protected;
    e->is_final = syn->final;
    e->is_inner = syn->inner;
    e->is_outer = syn->outer;
    e->is_replaceable = syn->replaceable;
    e->env = e->around = env_sub(f, c->env, e->name);
    const ModSource *s = redeclaration_of(f, e);
    for (uint32_t k = 0; e->is_class && k < e->env.n; k++) {
        Mod *m = e->env.at[k].mod;
        if (m->value && !m->is_reported) {
            m->is_reported = true;
            diag_error(f->diags, m->span, "N09", "'%s' is a class and has no value (MLS 7.2)",
                       e->name.s);
        }
    }
    if (e->is_class) {
        e->class_syn = syn->class_;
        if (s)
            redeclare_class(f, e, s);
        else if (syn->class_->constrained)
            constrain_class(f, e, syn->class_->constrained->mod, e->scope, &(bool){true});
        return e;
    }
    e->component = syn->component;
    if (s)
        redeclare_component(f, e, s);
    else if ((e->own = mod_of_syntax(f, syn->component->mod, e->scope, 0)))
        e->env = env_add(f, e->env, e->own, NULL);
    /* MLS 7.3.2: the constraint's modification is for the original declaration, too */
    if (!s && e->component->constrained) {
        Mod *m = mod_of_syntax(f, e->component->constrained->mod, e->scope, 0);
        mark_constraint(m);
        e->env = env_add(f, e->env, m, NULL);
    }
    e->is_evaluate = annotation_truth(e->component->annotation, "Evaluate") == YES;
    e->hides_result = annotation_truth(e->component->annotation, "HideResult");
    return e;
}

/* Attributes that differ are common in libraries, so only values count here. */
static bool binds_the_same(const SynMod *a, const SynMod *b)
{
    const SynExpr *x = a ? a->value : NULL;
    const SynExpr *y = b ? b->value : NULL;
    return x && y ? syntax_equal_expr(x, y) : x == y;
}

/* Two inherited elements of one name are legal if they are identical (MLS 7.1). */
static bool says_the_same(const Element *a, const Element *b)
{
    if (a->syn == b->syn)
        return true;
    if (a->is_class || b->is_class) {
        if (!a->is_class || !b->is_class)
            return false;
        const SynClass *p = a->class_syn;
        const SynClass *q = b->class_syn;
        /* comments do not count */
        if (p->kind == SYN_SHORT && q->kind == SYN_SHORT)
            return p->restriction == q->restriction && p->base.n && q->base.n &&
                   name_same(p->base.name[p->base.n - 1], q->base.name[q->base.n - 1]) &&
                   syntax_equal_mod(p->mod, q->mod);
        return syntax_equal_class(p, q);
    }
    const SynPath *p = &a->component->type;
    const SynPath *q = &b->component->type;
    return name_same(p->name[p->n - 1], q->name[q->n - 1]) &&
           a->component->own_dims.n == b->component->own_dims.n &&
           a->component->prefix.variability == b->component->prefix.variability &&
           a->component->prefix.connector == b->component->prefix.connector &&
           binds_the_same(a->component->mod, b->component->mod);
}

static void table_add(Front *f, Class *c, Element *e)
{
    uint32_t k = map_get(&c->table, map_key_ptr(e->name.s));
    if (k == MAP_NONE) {
        map_put(&c->table, map_key_ptr(e->name.s), c->element.n);
        vec_push(f->mem, c->element, e);
        return;
    }
    Element *old = c->element.at[k];
    if (old == e)
        return;
    e->same = old;
    if (!says_the_same(old, e)) {
        diag_error(f->diags, e->original->span, "N05", "%s has two elements named '%s'",
                   c->self->name, e->name.s);
        diag_note(f->diags, old->original->span, "the other one is here");
    }
}

/* Whether the class of e may depend on values of the instance around: by a modification, or that of
 * the class beside it that it renames, as f in `function f = g` where g = h(k = k0). */
static bool class_may_use_instance(Front *f, const Element *e)
{
    enum { LONGEST = 100 }; /* renamings; a cycle is reported elsewhere */
    for (uint32_t k = 0; k < LONGEST && e && e->is_class; k++) {
        const SynClass *c = e->class_syn;
        if (e->env.n > 0 || (c->kind == SYN_SHORT && c->mod))
            return true;
        if (c->kind != SYN_SHORT || c->base.n != 1 || c->base.global || !e->scope || !e->scope->cls)
            return false;
        e = class_element(f, e->scope->cls->self, c->base.name[0]);
    }
    return false;
}

Class *element_class(Front *f, Element *e, Instance *inst)
{
    Lookup *l = f->lookup;
    Scope *outer = e->scope;
    /* A modification in the declaration may use parameters of the enclosing instance: function g =
     * h(k = k0) */
    Env env = e->env;
    uint64_t key = 0;
    bool bind =
        inst && !scope_is_bound(outer) && e->in->self == inst->cls && class_may_use_instance(f, e);
    if (bind) {
        key = map_key_pair(inst->id, e->id);
        Class *known = class_at(f, &l->bound, key);
        if (known)
            return known;
        outer = scope_bind(f, inst, outer);
        ModSource *at = arena_array(f->mem, ModSource, env.n + (size_t)1);
        for (uint32_t k = 0; k < env.n; k++) {
            at[k] = env.at[k];
            at[k].at = at[k].at ? at[k].at : inst;
        }
        env.at = at;
    } else if (e->cls) {
        return e->cls;
    }
    Class *c = class_of_syntax(f, e->class_syn, outer, env);
    c->overridden = e->overridden;
    if (e->syn != e->original && !e->overridden)
        c->replaces = e;
    if (bind)
        map_put(&l->bound, key, c->id);
    else
        e->cls = c;
    return c;
}

/* Are both predefined types, and not the same? */
static bool are_other_types(const SynPath *a, const SynPath *b)
{
    static const char *const type[] = {"Real", "Integer", "Boolean", "String"};
    uint32_t n = 0;
    for (size_t k = 0; k < sizeof type / sizeof *type; k++)
        n += (uint32_t)(a->n == 1 && strcmp(a->name[0].s, type[k]) == 0) +
             (uint32_t)(b->n == 1 && strcmp(b->name[0].s, type[k]) == 0);
    return n == 2 && !name_same(a->name[0], b->name[0]);
}

const char *class_lacks(Front *f, Class *by, Class *type, bool *is_other)
{
    *is_other = false;
    for (uint32_t k = 0; k < type->element.n; k++) {
        const Element *wanted = type->element.at[k];
        if (wanted->is_protected)
            continue;
        const Element *got = class_element(f, by, wanted->name);
        if (!got || got->is_class != wanted->is_class)
            return wanted->name.s;
        if (!wanted->is_class && are_other_types(&wanted->component->type, &got->component->type)) {
            *is_other = true;
            return wanted->name.s;
        }
    }
    return NULL;
}

Class *class_constraining(Front *f, const Element *e, Span *at)
{
    const SynElement *old = e->original;
    const SynConstrained *constrained =
        old->kind == SYN_CLASS ? old->class_->constrained : old->component->constrained;
    const SynPath *path = constrained                      ? &constrained->by
                          : old->kind == SYN_COMPONENT     ? &old->component->type
                          : old->class_->kind == SYN_SHORT ? &old->class_->base
                                                           : NULL;
    *at = constrained ? constrained->span : old->span;
    Class *type = path ? lookup_path(f, &e->in->body, path)
                       : class_of_syntax(f, old->class_, &e->in->body, (Env){0});
    return type && class_elaborate(f, type) ? type : NULL;
}

/* Reports that `by` is no subtype of `type`, at least that something public is missing: `at` is
 * where `by` is named, `required` where `type` is. */
static bool check_subtype(Front *f, const Element *e, Class *by, Class *type, Span at,
                          Span required)
{
    if (class_same(by, type))
        return true;
    const char *lacking = NULL;
    bool is_other = false;
    bool plain = type->kind == CLASS_PLAIN || type->kind == CLASS_ENUMERATION;
    if (plain && (by->kind != type->kind || by->base_type != type->base_type))
        lacking = type->name;
    if (!lacking)
        lacking = class_lacks(f, by, type, &is_other);
    if (!lacking)
        return true;
    while (by->syn && by->syn->kind == SYN_SHORT && by->base.n)
        by = by->base.at[0];
    if (plain)
        diag_error(f->diags, at, "N16", "'%s' must be %s as a %s, not as a %s", e->name.s,
                   e->syn == e->original ? "declared" : "redeclared", type->name, by->name);
    else
        diag_error(f->diags, at, "N16", "'%s' cannot be a %s: it has %s '%s' (MLS 7.3.2)",
                   e->name.s, by->name, is_other ? "another" : "no", lacking);
    diag_note(f->diags, required, "%s is required here", type->name);
    return false;
}

static const SynConstrained *constraint_of(const SynElement *x)
{
    return x->kind == SYN_CLASS ? x->class_->constrained : x->component->constrained;
}

/* MLS 7.3.2: the class of an element is a subtype of its constraint, or of the original class where
 * none is written; a constraint that a redeclaration brings is a subtype of the one before and
 * holds for the redeclarations around it. */
void class_check_constraint(Front *f, const Element *e, Class *by)
{
    Span required;
    Class *type = class_constraining(f, e, &required);
    if (!type)
        return;
    for (uint32_t k = e->syn == e->original ? 0 : e->around.n; k-- > 0;) {
        const Mod *m = e->around.at[k].mod;
        const SynConstrained *own = m->redeclare ? constraint_of(m->redeclare) : NULL;
        Class *next = own ? lookup_path(f, m->scope, &own->by) : NULL;
        bool is_last = m->redeclare == e->syn;
        if (next && class_elaborate(f, next)) {
            if (!check_subtype(f, e, next, type, own->span, required))
                return;
            type = next;
            required = own->span;
        }
        if (is_last)
            break; /* redeclarations further outside have not taken effect */
    }
    check_subtype(f, e, by, type, e->syn->span, required);
}

void class_check_original(Front *f, const Element *e)
{
    Span required;
    const SynElement *x = e->original;
    Class *type = constraint_of(x) ? class_constraining(f, e, &required) : NULL;
    Class *own = !type                  ? NULL
                 : x->kind == SYN_CLASS ? class_of_syntax(f, x->class_, &e->in->body, (Env){0})
                                        : lookup_path(f, &e->in->body, &x->component->type);
    if (own && class_elaborate(f, own))
        check_subtype(f, e, own, type, x->span, required);
}

/* ---- elaboration --------------------------------------------------------------------------- */

/* `mod` is the modification of the extends clause; env holds it, too. */
static bool base_add(Front *f, Class *c, Class *from, Env env, Mod *mod, const SynMod *says,
                     Span span)
{
    for (const Class *d = c; d; d = d->derived)
        if (from->syn && syn_class_whole(d->syn) == syn_class_whole(from->syn)) {
            diag_error(f->diags, span, "N06", "class %s extends itself", from->name);
            return false;
        }
    Class *base = class_derive(f, from, env, c);
    base->deselected = deselection_new(f, says, c->deselected);
    base->syn = deselection_apply(f, base->deselected, base->syn);
    if (!class_elaborate(f, base))
        return false;
    deselection_check_kinds(f, base->deselected, base);
    deselection_check_used(f, base->deselected, says, base);
    vec_push(f->mem, c->base, base);
    c->has_dir = c->has_dir || base->has_dir;
    if (mod)
        env_check(f, env_add(f, (Env){0}, mod, NULL), base, false);
    for (uint32_t k = 0; k < base->element.n; k++)
        table_add(f, c, base->element.at[k]);
    return true;
}

/* Copies to c the kind and base type of the class that it renames or extends. */
static void take_over(Class *c, const Class *base)
{
    bool own = c->syn->restriction == SYN_R_CLASS || c->syn->restriction == SYN_R_TYPE ||
               c->syn->restriction == SYN_R_CONNECTOR;
    if (base->kind == CLASS_PLAIN || base->kind == CLASS_ENUMERATION) {
        c->kind = base->kind;
        c->base_type = base->base_type;
        c->terminal = base->terminal;
    } else if (own && c->syn->kind == SYN_SHORT) {
        c->kind = base->kind;
    }
    if (c->prefix.causality == SYN_NO_CAUSALITY)
        c->prefix.causality = base->prefix.causality;
    if (c->prefix.connector == SYN_NOT_FLOW)
        c->prefix.connector = base->prefix.connector;
    if (c->prefix.variability == SYN_NO_VARIABILITY)
        c->prefix.variability = base->prefix.variability;
}

/* MLS 10.1: type A = B[2] with type B = Real[3] is Real[2, 3]. */
static void dims_join(Front *f, Class *c, SynExprs own, Scope *scope, const Class *base)
{
    uint32_t n = own.n + base->n_dims;
    if (n == 0)
        return;
    SynExpr **dims = arena_array(f->mem, SynExpr *, n);
    Scope **scopes = arena_array(f->mem, Scope *, n);
    for (uint32_t k = 0; k < n; k++) {
        dims[k] = k < own.n ? own.at[k] : base->dims[k - own.n];
        scopes[k] = k < own.n ? scope : base->dims_scope[k - own.n];
    }
    c->n_dims = n;
    c->dims = dims;
    c->dims_scope = scopes;
}

static bool elaborate_short(Front *f, Class *c)
{
    const SynClass *syn = c->syn;
    c->prefix = syn->prefix;
    /* the class beside it, modified by values of the instance, is that of the instance */
    bool is_beside = c->outer && c->outer->inst && syn->base.n == 1 && !syn->base.global;
    Found beside = {.kind = FOUND_NONE};
    if (is_beside)
        beside = lookup_name(f, c->outer, syn->base.name[0]);
    Class *target = beside.kind == FOUND_CLASS
                        ? beside.cls
                        : lookup_path_or_report(f, c->outer, &syn->base, "class");
    if (!target)
        return false;
    Mod *mod = mod_of_syntax(f, syn->mod, c->outer, -1);
    if (!base_add(f, c, target, env_add(f, c->env, mod, NULL), mod, NULL, syn->base.span))
        return false;
    take_over(c, c->base.at[0]);
    dims_join(f, c, syn->dims, c->outer, c->base.at[0]);
    return true;
}

static bool elaborate_long(Front *f, Class *c)
{
    SynClass *syn = c->syn;
    bool good = true;
    c->has_dir = syn->dir != NULL;
    /* MLS 5.6.1.4: own elements first, so that the names of bases are found among them */
    for (uint32_t k = 0; k < syn->n_elements; k++) {
        SynElement *e = syn->elements[k];
        bool declares = e->kind == SYN_COMPONENT ||
                        (e->kind == SYN_CLASS && e->class_->kind != SYN_CLASS_EXTENDS);
        if (!declares || e->redeclare)
            continue;
        Name name = e->kind == SYN_CLASS ? e->class_->name : e->component->name;
        uint32_t old = map_get(&c->table, map_key_ptr(name.s));
        if (old != MAP_NONE) {
            diag_error(f->diags, e->span, "N05", "'%s' is declared twice", name.s);
            diag_note(f->diags, c->element.at[old]->original->span, "the other one is here");
            continue;
        }
        table_add(f, c, element_new(f, c, e));
    }
    Mod *bodies = mod_of_bodies(f, syn->elements, syn->n_elements, &c->body);
    Env env = env_add(f, c->env, bodies, NULL);
    if (c->overridden) {
        Class *from = element_class(f, c->overridden, NULL);
        Mod *mod = mod_of_syntax(f, syn->base_mod, &c->body, -1);
        good = base_add(f, c, from, env_add(f, env, mod, NULL), mod, NULL, syn->name_span);
    }
    for (uint32_t k = 0; k < syn->n_extends; k++) {
        const SynElement *e = syn->extends[k];
        Class *from = lookup_path_or_report(f, &c->body, &e->extends->base, "class");
        if (!from) {
            good = false;
            continue;
        }
        Mod *mod = mod_of_syntax(f, e->extends->mod, &c->body, -1);
        if (!base_add(f, c, from, env_add(f, env, mod, NULL), mod, e->extends->mod,
                      e->extends->base.span)) {
            good = false;
            continue;
        }
        Class *base = vec_last(c->base);
        take_over(c, base);
        for (uint32_t j = 0; e->is_protected && j < base->element.n; j++)
            base->element.at[j]->is_protected = true; /* MLS 7.1.2 */
        if (base->n_dims > 0)
            dims_join(f, c, (SynExprs){0}, NULL, base);
    }
    for (uint32_t k = 0; bodies && k < bodies->n; k++) {
        if (good && map_get(&c->table, map_key_ptr(bodies->sub[k]->name.s)) == MAP_NONE) {
            diag_error(f->diags, bodies->sub[k]->span, "N09",
                       "nothing named '%s' is inherited that could be redeclared",
                       bodies->sub[k]->name.s);
            good = false;
        }
        uint32_t at = map_get(&c->table, map_key_ptr(bodies->sub[k]->name.s));
        const SynElement *by = bodies->sub[k]->redeclare;
        bool was_protected = at != MAP_NONE && c->element.at[at]->is_protected;
        if (at != MAP_NONE && (was_protected ? by->is_public : by->is_protected))
            diag_error(f->diags, bodies->sub[k]->span, "N09",
                       "'%s' is %s and cannot be redeclared as %s (MLS 7.3.3)",
                       bodies->sub[k]->name.s, was_protected ? "protected" : "public",
                       was_protected ? "public" : "protected");
    }
    return good;
}

/* Declaration order: the elements of a base stand where its extends clause stands. */
static void order_elements(Front *f, Class *c)
{
    Elements sorted = {0};
    uint32_t base = c->overridden ? 1 : 0;
    const SynClass *syn = c->syn;
    Map seen = map_new(f->mem);
    for (uint32_t b = 0; b < base && b < c->base.n; b++)
        for (uint32_t k = 0; k < c->base.at[b]->element.n; k++)
            vec_push(f->mem, sorted, c->base.at[b]->element.at[k]);
    for (uint32_t k = 0; k < syn->n_elements; k++) {
        const SynElement *e = syn->elements[k];
        if (e->kind == SYN_EXTENDS) {
            if (base >= c->base.n)
                continue;
            const Class *b = c->base.at[base++];
            for (uint32_t j = 0; j < b->element.n; j++)
                vec_push(f->mem, sorted, b->element.at[j]);
            continue;
        }
        if (e->kind == SYN_IMPORT)
            continue;
        Name name = e->kind == SYN_CLASS ? e->class_->name : e->component->name;
        uint32_t at = map_get(&c->table, map_key_ptr(name.s));
        if (at != MAP_NONE && c->element.at[at]->in == c)
            vec_push(f->mem, sorted, c->element.at[at]);
    }
    /* classes of the directory that were loaded while the bases were looked up */
    for (uint32_t k = 0; k < c->element.n; k++)
        if (c->element.at[k]->in == c)
            vec_push(f->mem, sorted, c->element.at[k]);
    Elements unique = {0};
    for (uint32_t k = 0; k < sorted.n; k++) {
        Element *e = (Element *)element_first(sorted.at[k]);
        if (map_get(&seen, map_key_ptr(e)) != MAP_NONE)
            continue;
        map_put(&seen, map_key_ptr(e), 1);
        map_put(&c->table, map_key_ptr(e->name.s), unique.n);
        vec_push(f->mem, unique, e);
    }
    c->element = unique;
}

static void collect_bases(Front *f, Class *self, Class *c)
{
    for (uint32_t k = 0; k < c->base.n; k++)
        collect_bases(f, self, c->base.at[k]);
    for (uint32_t k = 0; k < self->linear.n; k++) {
        if (self->linear.at[k]->syn == c->syn) {
            c->place = k;
            c->is_repeat = true;
            return;
        }
    }
    c->place = self->linear.n;
    vec_push(f->mem, self->linear, c);
}

static ClassKind kind_of(SynRestriction r)
{
    switch (r) {
    case SYN_R_RECORD:
    case SYN_R_OPERATOR_RECORD:
        return CLASS_RECORD;
    case SYN_R_FUNCTION:
    case SYN_R_OPERATOR_FUNCTION:
        return CLASS_FUNCTION;
    default:
        return CLASS_OTHER;
    }
}

bool class_elaborate(Front *f, Class *c)
{
    if (c->state == CLASS_DONE || c->state == CLASS_FAILED)
        return c->state == CLASS_DONE;
    if (c->state == CLASS_ELABORATING)
        return true; /* its own elements can be seen */
    if (f->lookup->elaborating >= DEPTH_MAX) {
        diag_error(f->diags, c->syn->name_span, "F04", "classes are nested too deeply around %s",
                   c->name);
        c->state = CLASS_FAILED;
        return false;
    }
    f->lookup->elaborating++;
    c->state = CLASS_ELABORATING;
    c->kind = kind_of(c->syn->restriction);
    bool good = true;
    switch (c->syn->kind) {
    case SYN_LONG:
    case SYN_CLASS_EXTENDS:
        good = elaborate_long(f, c);
        order_elements(f, c);
        break;
    case SYN_SHORT:
        good = elaborate_short(f, c);
        break;
    case SYN_ENUM:
    case SYN_ENUM_OPEN:
        c->kind = CLASS_ENUMERATION;
        c->base_type = TYPE_ENUMERATION;
        c->terminal = c;
        break;
    case SYN_DER:
        good = elaborate_short(f, c);
        break;
    }
    const Class *object = lookup_predefined(f, "ExternalObject");
    for (uint32_t k = 0; object && k < c->base.n; k++)
        if (c->base.at[k]->syn == object->syn) {
            /* MLS 12.9.7: nothing but its two functions is known of it */
            c->kind = CLASS_PLAIN;
            c->base_type = TYPE_OBJECT;
            c->terminal = c;
        }
    if (c->self == c) {
        collect_bases(f, c, c);
        for (uint32_t k = 0; k < c->element.n; k++) {
            Element *e = c->element.at[k];
            if (e->is_class)
                continue;
            e->index = c->component.n;
            vec_push(f->mem, c->component, e);
        }
    }
    c->state = good ? CLASS_DONE : CLASS_FAILED;
    if (good && c->replaces)
        class_check_constraint(f, c->replaces, c);
    f->lookup->elaborating--;
    return good;
}

Element *class_element(Front *f, Class *c, Name name)
{
    class_elaborate(f, c);
    uint32_t k = map_get(&c->table, map_key_ptr(name.s));
    if (k != MAP_NONE) {
        Element *e = c->element.at[k];
        /* while bases are being looked up, only own elements count (MLS 5.6.1.4) */
        return c->state == CLASS_ELABORATING && e->in != c ? NULL : e;
    }
    if (!c->has_dir)
        return NULL;
    Element *e = NULL;
    if (c->syn->dir) {
        SynElement *syn = library_member(f->library, c->syn, name);
        if (syn && (syn->kind == SYN_CLASS || syn->kind == SYN_COMPONENT))
            e = element_new(f, c, syn);
    }
    for (uint32_t b = 0; !e && b < c->base.n && c->state != CLASS_ELABORATING; b++)
        e = class_element(f, c->base.at[b], name);
    if (e) {
        map_put(&c->table, map_key_ptr(name.s), c->element.n);
        vec_push(f->mem, c->element, e);
    }
    return e;
}

/* ---- questions about a class --------------------------------------------------------------- */

bool element_type(Front *f, Element *e)
{
    if (e->typed != TYPE_UNKNOWN)
        return e->typed == TYPE_KNOWN;
    e->typed = TYPE_PENDING;
    const SynComponent *c = e->component;
    Class *type = lookup_path_or_report(f, e->scope, &c->type, "type");
    if (!type || !class_elaborate(f, type)) {
        e->typed = TYPE_BAD;
        return false;
    }
    bool into_class = env_check(f, e->env, type, true);
    if (into_class || env_has_redeclare(e->env)) {
        type = class_derive(f, type, env_redeclares(f, e->env), NULL);
        if (!class_elaborate(f, type)) {
            e->typed = TYPE_BAD;
            return false;
        }
    }
    e->type = type;
    if (e->syn != e->original || c->constrained)
        class_check_constraint(f, e, type);
    uint32_t n = c->own_dims.n + c->type_dims.n + type->n_dims;
    if (e->syn != e->original) {
        const SynComponent *old = e->original->component;
        Class *was = lookup_path(f, &e->in->body, &old->type);
        if (was && !e->is_replaceable && !class_same(was, type)) {
            diag_error(f->diags, e->syn->span, "N09",
                       "'%s' is not replaceable, so it keeps its type %s (MLS 7.3.3)", e->name.s,
                       was->name);
            diag_note(f->diags, e->original->span, "it is declared here");
        }
        uint32_t n_old = old->own_dims.n + old->type_dims.n + (was ? was->n_dims : 0);
        if (was && n != n_old)
            diag_error(f->diags, e->syn->span, "N16",
                       "'%s' has %u dimensions and cannot be redeclared with %u (MLS 7.3.3)",
                       e->name.s, n_old, n);
    }
    if (n > DIMS_MAX) {
        diag_error(f->diags, c->name_span, "F04", "'%s' has more than %d dimensions", e->name.s,
                   DIMS_MAX);
        e->typed = TYPE_BAD;
        return false;
    }
    SynExpr **dims = arena_array(f->mem, SynExpr *, n);
    Scope **scopes = arena_array(f->mem, Scope *, n);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t j = k;
        scopes[k] = e->own_dims_scope;
        if (j < c->own_dims.n) {
            dims[k] = c->own_dims.at[j];
        } else if ((j -= c->own_dims.n) < c->type_dims.n) {
            dims[k] = c->type_dims.at[j];
        } else {
            j -= c->type_dims.n;
            dims[k] = type->dims[j];
            scopes[k] = type->dims_scope[j];
        }
    }
    e->dims_scope = scopes;
    SynVariability v = c->prefix.variability ? c->prefix.variability : type->prefix.variability;
    SynCausality io = c->prefix.causality ? c->prefix.causality : type->prefix.causality;
    bool discrete =
        v == SYN_DISCRETE || ((type->kind == CLASS_PLAIN || type->kind == CLASS_ENUMERATION) &&
                              type->base_type != TYPE_REAL);
    Member *m = &e->member;
    m->name = e->name;
    m->type = type;
    m->n_dims = n;
    m->dims = dims;
    m->dims_scope = e->own_dims_scope;
    bool handle = type->kind == CLASS_PLAIN && type->base_type == TYPE_OBJECT;
    m->variability = v == SYN_CONSTANT              ? VARIES_NEVER
                     : v == SYN_PARAMETER || handle ? VARIES_PARAMETER
                     : discrete                     ? VARIES_DISCRETE
                                                    : VARIES_ALWAYS;
    m->is_input = io == SYN_INPUT;
    m->is_output = io == SYN_OUTPUT;
    m->is_protected = e->is_protected;
    m->is_final = e->is_final;
    m->syn = c;
    m->span = c->name_span;
    for (uint32_t k = 0; k < e->env.n; k++) {
        const Mod *mod = e->env.at[k].mod;
        if (mod->is_break)
            break;
        if (!mod->value)
            continue;
        m->binding = mod->value;
        Instance *at = e->env.at[k].at;
        m->binding_scope = at ? scope_bind(f, at, mod->scope) : mod->scope;
        break;
    }
    e->typed = TYPE_KNOWN;
    return true;
}

ClassKind class_kind(Front *f, const Class *c)
{
    class_elaborate(f, (Class *)c);
    return c->kind;
}

BaseType class_base_type(Front *f, const Class *c)
{
    class_elaborate(f, (Class *)c);
    return c->base_type;
}

/* The definition that carries the algorithm or is written out; of functions made by
 * inheritance, a base. */
static const Class *body_of(const Class *c)
{
    for (uint32_t k = c->linear.n; k-- > 0;) {
        const SynClass *syn = c->linear.at[k]->syn;
        if (syn && (syn->n_sections > 0 || syn->external))
            return c->linear.at[k];
    }
    while (c->syn && c->syn->kind == SYN_SHORT && c->base.n)
        c = c->base.at[0];
    return c;
}

const Class *class_derived_function(Front *f, const Class *c, const Name **by, uint32_t *n)
{
    while (c->syn && c->syn->kind == SYN_SHORT && c->base.n)
        c = c->base.at[0];
    if (!c->syn || c->syn->kind != SYN_DER || !c->base.n)
        return NULL;
    *by = c->syn->der_of;
    *n = c->syn->n_der_of;
    return lookup_path(f, c->outer, &c->syn->base);
}

const SynClass *class_syntax(const Class *c)
{
    return body_of(c)->syn;
}

Scope *class_scope(Front *f, const Class *c)
{
    class_elaborate(f, (Class *)c);
    return &((Class *)body_of(c))->body;
}

const char *class_name(Front *f, const Class *c)
{
    (void)f;
    return c->name;
}

uint32_t class_members(Front *f, const Class *in, const Member **out)
{
    Class *c = (Class *)in;
    if (!class_elaborate(f, c)) {
        *out = NULL;
        return 0;
    }
    if (!c->members) {
        Member *all = arena_array(f->mem, Member, c->component.n + 1);
        for (uint32_t k = 0; k < c->component.n; k++) {
            element_type(f, c->component.at[k]);
            all[k] = c->component.at[k]->member;
            if (c->component.at[k]->typed == TYPE_KNOWN)
                c->n_members++;
            else
                return *out = NULL, 0;
        }
        c->members = all;
    }
    *out = c->members;
    return c->n_members;
}

uint32_t class_n_literals(Front *f, const Class *c)
{
    class_elaborate(f, (Class *)c);
    return c->terminal && c->terminal->syn ? c->terminal->syn->n_literals : 0;
}

Name class_literal(Front *f, const Class *c, uint32_t k)
{
    class_elaborate(f, (Class *)c);
    return c->terminal->syn->literal[k].name;
}

/* Short classes are other names of the same definition. */
static const void *definition_of(const Class *c)
{
    if (c->terminal)
        return c->terminal->syn ? (const void *)c->terminal->syn : (const void *)c->terminal->name;
    while (c->syn && c->syn->kind == SYN_SHORT && c->base.n)
        c = c->base.at[0];
    return c->syn ? (const void *)c->syn : (const void *)c->name;
}

bool class_same(const Class *a, const Class *b)
{
    return a == b || definition_of(a) == definition_of(b);
}

bool class_same_type(const Class *a, const Class *b)
{
    if (class_same(a, b))
        return true;
    const SynClass *x = a->terminal ? a->terminal->syn : NULL;
    const SynClass *y = b->terminal ? b->terminal->syn : NULL;
    bool same = a->kind == CLASS_ENUMERATION && b->kind == CLASS_ENUMERATION && x && y &&
                x->kind == SYN_ENUM && y->kind == SYN_ENUM && x->n_literals == y->n_literals;
    for (uint32_t k = 0; same && k < x->n_literals; k++)
        same = name_same(x->literal[k].name, y->literal[k].name);
    return same;
}

const SynClass *class_operators(const Class *c)
{
    const SynClass *syn = class_syntax(c);
    return syn && syn->restriction == SYN_R_OPERATOR_RECORD ? syn : NULL;
}

const Class *class_find(Front *f, const Class *c, Name name)
{
    Element *e = class_element(f, (Class *)c, name);
    if (!e || !e->is_class)
        return NULL;
    Class *x = element_class(f, e, NULL);
    class_elaborate(f, x);
    return x;
}

bool class_extends(const Class *c, const Class *base)
{
    if (class_same(c, base))
        return true;
    for (uint32_t k = 0; k < c->linear.n; k++)
        if (definition_of(c->linear.at[k]) == definition_of(base))
            return true;
    return false;
}

bool class_is(const Class *c, SynRestriction r)
{
    return c->syn && c->syn->restriction == r;
}

/* MLS 4.6: another name for a partial class is partial, too. */
bool class_is_partial(const Class *c)
{
    while (c->syn && c->syn->kind == SYN_SHORT && !c->syn->partial && c->base.n)
        c = c->base.at[0];
    return c->syn && c->syn->partial;
}

bool class_stays_partial(const Class *c)
{
    if (!class_is_partial(c))
        return false;
    for (; !class_is_replaceable(c); c = c->base.at[0])
        if (!c->syn || c->syn->kind != SYN_SHORT || c->syn->partial || !c->base.n)
            return true;
    return false;
}

bool class_is_replaceable(const Class *c)
{
    while (c && !(c->syn && c->syn->element->replaceable))
        c = c->outer && c->outer->cls ? c->outer->cls->self : NULL;
    return c;
}

bool class_is_expandable(const Class *c)
{
    return class_is(c, SYN_R_EXPANDABLE_CONNECTOR);
}

bool class_is_connector(const Class *c)
{
    return class_is(c, SYN_R_CONNECTOR) || class_is(c, SYN_R_EXPANDABLE_CONNECTOR);
}
