#include "frontend/instantiate/declaration.h"

#include "frontend/instantiate/instance.h"

static Found found_element(Front *f, Element *e, Class *in)
{
    if (!e)
        return (Found){0};
    if (e->is_class)
        return (Found){.kind = FOUND_CLASS, .cls = element_class(f, e, NULL)};
    return (Found){.kind = FOUND_COMPONENT, .el = e, .scope = &in->body};
}

/* The class whose elements a name behind the dot is among. */
static Class *class_behind(Front *f, const Found *at)
{
    if (at->kind == FOUND_CLASS)
        return at->cls;
    bool is_typed = at->kind == FOUND_COMPONENT && element_type(f, at->el);
    return is_typed ? at->el->type : NULL;
}

static Declaration declaration_of(const Found *at)
{
    Declaration d = {0};
    if (at->kind == FOUND_COMPONENT) {
        const Class *type = at->el->type;
        d.element = at->el->syn;
        d.type = type ? type->syn : NULL;
        d.type_name = type ? type->name : NULL;
        d.name = d.element->component->name_span;
        return d;
    }
    d.type_name = at->cls->name;
    d.element = at->cls->syn ? at->cls->syn->element : NULL;
    d.name = at->cls->syn ? at->cls->syn->name_span : SPAN_NONE;
    return d;
}

bool front_declaration(Front *f, const SynPath *within, const Name *part, uint32_t n,
                       Declaration *out)
{
    Class *c = within && within->n > 0 ? lookup_path(f, NULL, within) : NULL;
    if (c)
        class_elaborate(f, c);
    Found at = lookup_name(f, c ? &c->body : NULL, part[0]);
    for (uint32_t k = 1; k < n && at.kind != FOUND_NONE; k++) {
        Class *in = class_behind(f, &at);
        at = found_element(f, in ? class_element(f, in, part[k]) : NULL, in);
    }
    if (at.kind == FOUND_COMPONENT)
        element_type(f, at.el);
    else if (at.kind != FOUND_CLASS || !at.cls)
        return false;
    *out = declaration_of(&at);
    return true;
}
