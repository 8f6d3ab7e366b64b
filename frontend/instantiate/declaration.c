#include "frontend/instantiate/declaration.h"

#include "frontend/instantiate/instance.h"

#include <string.h>

static Found found_element(Front *f, Element *e, Class *in)
{
    if (!e)
        return (Found){0};
    if (e->is_class)
        return (Found){.kind = FOUND_CLASS, .el = e, .cls = element_class(f, e, NULL)};
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
        d.original = at->el->original;
        d.type = type ? type->syn : NULL;
        d.type_name = type ? type->name : NULL;
        d.name = d.element->component->name_span;
        return d;
    }
    d.type_name = at->cls->name;
    d.element = at->cls->syn ? at->cls->syn->element : NULL;
    const Element *replaced = at->el ? at->el : at->cls->replaces;
    d.original = replaced ? replaced->original : d.element;
    d.name = at->cls->syn ? at->cls->syn->name_span : SPAN_NONE;
    return d;
}

static Class *class_around(Front *f, const SynPath *within)
{
    Class *c = within && within->n > 0 ? lookup_path(f, NULL, within) : NULL;
    if (c)
        class_elaborate(f, c);
    return c;
}

static Found find(Front *f, Class *around, const Name *part, uint32_t n)
{
    Found at = lookup_name(f, around ? &around->body : NULL, part[0]);
    for (uint32_t k = 1; k < n && at.kind != FOUND_NONE; k++) {
        Class *in = class_behind(f, &at);
        at = found_element(f, in ? class_element(f, in, part[k]) : NULL, in);
    }
    return at;
}

/* The literal of an enumeration, a.b.Kind.literal (MLS 4.9.5). */
static bool find_literal(Front *f, Class *around, const Name *part, uint32_t n, Declaration *out)
{
    Found at = n > 1 ? find(f, around, part, n - 1) : (Found){0};
    if (at.kind != FOUND_CLASS || !at.cls)
        return false;
    uint32_t n_literals = class_n_literals(f, at.cls);
    for (uint32_t k = 0; at.cls->kind == CLASS_ENUMERATION && k < n_literals; k++) {
        const SynClass *type = at.cls->terminal->syn;
        if (!name_same(type->literal[k].name, part[n - 1]))
            continue;
        *out = (Declaration){.element = type->element,
                             .type_name = at.cls->terminal->name,
                             .literal = &type->literal[k],
                             .name = type->literal[k].span,
                             .original = type->element};
        return true;
    }
    return false;
}

bool front_declaration(Front *f, const SynPath *within, const Name *part, uint32_t n,
                       Declaration *out)
{
    Class *around = class_around(f, within);
    if (find_literal(f, around, part, n, out))
        return true;
    Found at = find(f, around, part, n);
    if (at.kind == FOUND_COMPONENT)
        element_type(f, at.el);
    else if (at.kind != FOUND_CLASS || !at.cls)
        return false;
    *out = declaration_of(&at);
    return true;
}

static void add_name(Front *f, Map *seen, Name name, const SynElement *e, NamedDeclarations *out)
{
    if (name.s && map_add(seen, map_key_ptr(name.s)))
        vec_push(f->mem, *out, ((NamedDeclaration){name, {.element = e}}));
}

/* Elements of a class, its own and inherited ones, and classes in its directory. */
static void add_elements(Front *f, Class *c, Map *seen, NamedDeclarations *out)
{
    class_elaborate(f, c);
    for (uint32_t k = 0; c->kind == CLASS_PLAIN && k < ATTR_UNBOUNDED; k++)
        add_name(f, seen, f->lookup->attribute[k], NULL, out);
    for (uint32_t k = 0; c->kind == CLASS_ENUMERATION && k < class_n_literals(f, c); k++)
        add_name(f, seen, class_literal(f, c, k), NULL, out);
    for (uint32_t k = 0; k < c->element.n; k++)
        add_name(f, seen, c->element.at[k]->name, c->element.at[k]->syn, out);
    uint32_t n = 0;
    const Name *entry = c->syn && c->syn->dir ? library_entries(f->library, c->syn, &n) : NULL;
    for (uint32_t k = 0; k < n; k++)
        add_name(f, seen, entry[k], NULL, out);
}

static void add_imports(Front *f, const Class *c, Map *seen, NamedDeclarations *out)
{
    for (uint32_t k = 0; c->syn && k < c->syn->n_imports; k++) {
        const SynImport *i = c->syn->imports[k]->import;
        add_name(f, seen, i->name, NULL, out);
        for (uint32_t j = 0; j < i->n_list; j++)
            add_name(f, seen, i->list[j], NULL, out);
    }
}

static void add_predefined(Front *f, Map *seen, NamedDeclarations *out)
{
    static const char *const other[] = {"Real", "Integer", "Boolean", "String", "time"};
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        add_name(f, seen, name_of(f->names, other[k]), NULL, out);
    const char *name;
    for (uint32_t k = 0; (name = builtin_nth(k)); k++)
        if (!strchr(name, '.'))
            add_name(f, seen, name_of(f->names, name), NULL, out);
    LibraryNames top = {0};
    library_top_names(f->library, &top);
    for (uint32_t k = 0; k < top.n; k++)
        add_name(f, seen, top.at[k], NULL, out);
}

void front_members(Front *f, const SynPath *within, const Name *part, uint32_t n,
                   NamedDeclarations *out)
{
    Class *around = class_around(f, within);
    Map seen = map_new(f->mem);
    if (n == 0) {
        for (Scope *s = around ? &around->body : NULL; s; s = s->outer) {
            if (s->cls)
                add_elements(f, s->cls, &seen, out);
            if (s->cls)
                add_imports(f, s->cls, &seen, out);
        }
        add_predefined(f, &seen, out);
        return;
    }
    Found at = find(f, around, part, n);
    Class *in = class_behind(f, &at);
    if (in)
        add_elements(f, in, &seen, out);
}
