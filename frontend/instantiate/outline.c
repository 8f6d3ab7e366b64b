#include "frontend/instantiate/outline.h"

#include "frontend/instantiate/instance.h"

/* The class that a definition is without modifications from outside. A definition that a
 * redeclaration in its own class has replaced is found by its text alone. */
static Class *class_of(Front *f, const SynClass *syn)
{
    Scope *outer = NULL;
    if (syn->parent) {
        Class *around = class_of(f, syn->parent);
        Element *e = class_element(f, around, syn->name);
        if (e && e->is_class && e->class_syn == syn)
            return element_class(f, e, NULL);
        outer = &around->body;
    } else {
        Found top = lookup_name(f, NULL, syn->name);
        if (top.kind == FOUND_CLASS && top.cls->syn == syn)
            return top.cls;
    }
    return class_of_syntax(f, (SynClass *)syn, outer, (Env){0});
}

static const SynExpr *attribute_in(const Env *env, Name name)
{
    for (uint32_t k = 0; k < env->n; k++) {
        const Mod *m = mod_find(env->at[k].mod, name);
        if (m && m->value)
            return m->value;
    }
    return NULL;
}

/* Modifiers of the component, then those of its type (MLS 4.9). */
static const SynExpr *attribute_of(Front *f, const Element *e, const Class *type, Attribute a)
{
    const SynExpr *x = e ? attribute_in(&e->env, f->lookup->attribute[a]) : NULL;
    const Class *last = type ? type->terminal : NULL;
    return x || !last ? x : attribute_in(&last->env, f->lookup->attribute[a]);
}

static OutlineComponent component_of(Front *f, Element *e)
{
    OutlineComponent c = {.element = e->syn, .syn = e->component};
    if (!element_type(f, e)) {
        c.is_constant = c.syn->prefix.variability == SYN_CONSTANT;
        c.is_parameter = c.syn->prefix.variability == SYN_PARAMETER;
        return c;
    }
    const Member *m = &e->member;
    c.type = e->type;
    c.type_syn = e->type->syn;
    c.type_name = e->type->name;
    c.is_connector = class_is_connector(e->type);
    c.is_constant = m->variability == VARIES_NEVER;
    c.is_parameter = m->variability == VARIES_PARAMETER;
    c.is_input = m->is_input;
    c.is_output = m->is_output;
    c.value = m->binding;
    c.unit = attribute_of(f, e, e->type, ATTR_UNIT);
    c.display_unit = attribute_of(f, e, e->type, ATTR_DISPLAY_UNIT);
    c.min = attribute_of(f, e, e->type, ATTR_MIN);
    c.max = attribute_of(f, e, e->type, ATTR_MAX);
    c.start = attribute_of(f, e, e->type, ATTR_START);
    return c;
}

static const char *predefined_name(const Class *c)
{
    static const char *const names[] = {[TYPE_REAL] = "Real",
                                        [TYPE_INTEGER] = "Integer",
                                        [TYPE_BOOLEAN] = "Boolean",
                                        [TYPE_STRING] = "String",
                                        [TYPE_ENUMERATION] = "enumeration"};
    bool is_named = c->terminal && (size_t)c->base_type < sizeof names / sizeof *names;
    return is_named ? names[c->base_type] : NULL;
}

/* The clause that made base k; NULL where clauses and bases do not correspond after an error. */
static const SynExtends *clause_of(const Class *c, uint32_t k)
{
    uint32_t n_before = c->overridden ? 1 : 0;
    bool is_long = c->syn->kind == SYN_LONG || c->syn->kind == SYN_CLASS_EXTENDS;
    if (!is_long || k < n_before || c->base.n != c->syn->n_extends + n_before)
        return NULL;
    return c->syn->extends[k - n_before]->extends;
}

static const Outline *outline_of(Front *f, Class *c)
{
    Outline *o = arena_make(f->mem, Outline);
    o->has_failed = !class_elaborate(f, c);
    o->cls = c;
    o->syn = c->syn;
    o->name = c->name;
    o->predefined = predefined_name(c);
    if (c->terminal) {
        o->unit = attribute_of(f, NULL, c, ATTR_UNIT);
        o->display_unit = attribute_of(f, NULL, c, ATTR_DISPLAY_UNIT);
        o->quantity = attribute_of(f, NULL, c, ATTR_QUANTITY);
        o->min = attribute_of(f, NULL, c, ATTR_MIN);
        o->max = attribute_of(f, NULL, c, ATTR_MAX);
    }
    if (!c->syn)
        return o;
    OutlineBase *base = arena_array(f->mem, OutlineBase, c->base.n);
    for (uint32_t k = 0; k < c->base.n; k++) {
        base[k] = (OutlineBase){clause_of(c, k), outline_of(f, c->base.at[k])};
        o->has_failed |= base[k].outline->has_failed;
    }
    OutlineComponent *component = arena_array(f->mem, OutlineComponent, c->element.n);
    for (uint32_t k = 0; k < c->element.n; k++) {
        Element *e = c->element.at[k];
        if (e->in != c || e->is_class)
            continue;
        component[o->n_components] = component_of(f, e);
        o->has_failed |= !component[o->n_components++].type;
    }
    o->base = base;
    o->n_bases = c->base.n;
    o->component = component;
    return o;
}

const Outline *front_outline(Front *f, const SynClass *syn)
{
    return outline_of(f, class_of(f, syn));
}

const Outline *front_outline_of(Front *f, const Class *type)
{
    return outline_of(f, (Class *)type);
}

const SynClass *front_class_named(Front *f, const Outline *within, const SynPath *path)
{
    Class *around = (Class *)within->cls;
    const Class *c = lookup_path(f, &around->body, path);
    return c ? c->syn : NULL;
}
