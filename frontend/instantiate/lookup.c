/* lookup.c -- name lookup: elements, imports, enclosing scopes, predefined names (MLS 3.6 ch. 5.3,
 * 13.2). */
#include "frontend/instantiate/instance.h"
#include "frontend/rules/rules.h"

#include "base/spelling.h"
#include "base/vec.h"
#include "frontend/syntax/parser.h"
#include "frontend/syntax/syntax_print.h"

#include <ctype.h>
#include <string.h>

/* MLS 4.9, 8.3.7: types predefined in every model. */
static const char predefined_text[] =
    "type StateSelect = enumeration(never, avoid, default, prefer, always);\n"
    "type AssertionLevel = enumeration(warning, error);\n"
    "partial class ExternalObject end ExternalObject;\n";

static void add_predefined(Front *f, const char *name, BaseType type)
{
    Class *c = class_new(f, name);
    c->state = CLASS_DONE;
    c->kind = CLASS_PLAIN;
    c->base_type = type;
    c->terminal = c;
    vec_push(f->mem, c->linear, c);
    map_put(&f->lookup->predefined, map_key_ptr(name_of(f->names, name).s), c->id);
}

struct Lookup *lookup_new(Front *f)
{
    Lookup *l = arena_make(f->mem, Lookup);
    f->lookup = l;
    l->top = map_new(f->mem);
    l->predefined = map_new(f->mem);
    l->bound = map_new(f->mem);
    l->split = map_new(f->mem);
    l->endless = map_new(f->mem);
    l->missing = map_new(f->mem);
    l->dump_group = map_new(f->mem);
    l->part = map_new(f->mem);
    l->frame = map_new(f->mem);
    l->binding_lost = map_new(f->mem);
    l->marked = map_new(f->mem);
    static const char *const attribute[ATTR_COUNT] = {
        [ATTR_START] = "start",
        [ATTR_FIXED] = "fixed",
        [ATTR_MIN] = "min",
        [ATTR_MAX] = "max",
        [ATTR_NOMINAL] = "nominal",
        [ATTR_UNIT] = "unit",
        [ATTR_DISPLAY_UNIT] = "displayUnit",
        [ATTR_QUANTITY] = "quantity",
        [ATTR_STATE_SELECT] = "stateSelect",
        [ATTR_UNBOUNDED] = "unbounded",
    };
    for (int k = 0; k < ATTR_COUNT; k++)
        l->attribute[k] = name_of(f->names, attribute[k]);
    l->equality_constraint = name_of(f->names, "equalityConstraint");
    add_predefined(f, "Real", TYPE_REAL);
    add_predefined(f, "Integer", TYPE_INTEGER);
    add_predefined(f, "Boolean", TYPE_BOOLEAN);
    add_predefined(f, "String", TYPE_STRING);
    add_predefined(f, "Clock", TYPE_CLOCK);
    uint32_t file = diags_add_source(f->diags, "<predefined>", predefined_text,
                                     (uint32_t)strlen(predefined_text));
    SynFile *syn = parse_file(f->mem, f->names, f->diags, file);
    for (uint32_t k = 0; k < syn->n_classes; k++) {
        Class *c = class_of_syntax(f, syn->class_[k], NULL, (Env){0});
        map_put(&l->predefined, map_key_ptr(syn->class_[k]->name.s), c->id);
    }
    return l;
}

Class *lookup_predefined(Front *f, const char *name)
{
    return class_at(f, &f->lookup->predefined, map_key_ptr(name_of(f->names, name).s));
}

/* ---- names --------------------------------------------------------------------------------- */

static Found found_element(Front *f, Element *e, Scope *s)
{
    if (e->is_class) {
        Class *inner = e->is_outer && s->inst ? inner_class_of(f, s->inst, e->name) : NULL;
        return (Found){.kind = FOUND_CLASS, .cls = inner ? inner : element_class(f, e, s->inst)};
    }
    return (Found){.kind = FOUND_COMPONENT, .el = e, .scope = s};
}

static Found find_top(Front *f, Name name)
{
    Lookup *l = f->lookup;
    Class *c = class_at(f, &l->top, map_key_ptr(name.s));
    if (!c) {
        SynClass *syn = library_find_top(f->library, name);
        if (syn) {
            c = class_of_syntax(f, syn, NULL, (Env){0});
            map_put(&l->top, map_key_ptr(name.s), c->id);
        } else {
            c = class_at(f, &l->predefined, map_key_ptr(name.s));
        }
    }
    return c ? (Found){.kind = FOUND_CLASS, .cls = c} : (Found){0};
}

static Found find_predefined(Front *f, Name name)
{
    Class *c = class_at(f, &f->lookup->predefined, map_key_ptr(name.s));
    return c ? (Found){.kind = FOUND_CLASS, .cls = c} : (Found){0};
}

/* An import's target: from the top, by members (MLS 13.2.1); `last`, if not NULL, is one of an
 * unqualified import, which is for public members only (MLS 5.3.1). */
static Found find_imported(Front *f, const SynPath *path, const Name *last, bool is_public)
{
    Found at = find_top(f, path->name[0]);
    uint32_t n = path->n + (last ? 1 : 0);
    for (uint32_t k = 1; k < n; k++) {
        if (at.kind != FOUND_CLASS)
            return (Found){0};
        Element *e = class_element(f, at.cls, k < path->n ? path->name[k] : *last);
        if (!e || (is_public && k == path->n && e->is_protected))
            return (Found){0};
        at = found_element(f, e, &at.cls->body);
    }
    return at;
}

static bool is_same_found(const Found *a, const Found *b)
{
    if (a->kind != b->kind)
        return false;
    return a->kind == FOUND_CLASS ? class_same(a->cls, b->cls) : a->el->original == b->el->original;
}

/* MLS 5.3.1: qualified imports before unqualified ones; neither is inherited. */
static Found find_in_imports(Front *f, const Class *c, Name name)
{
    if (!c->syn)
        return (Found){0};
    for (uint32_t k = 0; k < c->syn->n_imports; k++) {
        const SynImport *i = c->syn->imports[k]->import;
        if ((i->kind == SYN_IMPORT_NAME || i->kind == SYN_IMPORT_AS) && name_same(i->name, name))
            return find_imported(f, &i->path, NULL, false);
        if (i->kind != SYN_IMPORT_LIST)
            continue;
        for (uint32_t j = 0; j < i->n_list; j++)
            if (name_same(i->list[j], name))
                return find_imported(f, &i->path, &name, false);
    }
    Found first = {0};
    for (uint32_t k = 0; k < c->syn->n_imports; k++) {
        const SynImport *i = c->syn->imports[k]->import;
        if (i->kind != SYN_IMPORT_ALL)
            continue;
        Found at = find_imported(f, &i->path, &name, true);
        if (first.kind == FOUND_NONE)
            first = at;
        else if (at.kind != FOUND_NONE && !is_same_found(&first, &at))
            rule_error(f, i->path.span, "N05",
                       "'%s' is in this package and in another one, and imported from both "
                       "(MLS 5.3.1)",
                       name.s);
    }
    return first;
}

/* Looks a name up outside the elements of c: in its imports, then in the enclosing scopes. */
static Found lookup_outside(Front *f, Class *c, Scope *outer, Name name)
{
    Lookup *l = f->lookup;
    bool cache = !c->is_bound && l->elaborating == 0 && c->state == CLASS_DONE;
    if (cache) {
        uint32_t k = map_get(&c->outside, map_key_ptr(name.s));
        if (k != MAP_NONE)
            return l->found.at[k];
    }
    Found at = find_in_imports(f, c, name);
    if (at.kind == FOUND_NONE)
        at =
            c->syn && c->syn->encapsulated ? find_predefined(f, name) : lookup_name(f, outer, name);
    if (cache) {
        map_put(&c->outside, map_key_ptr(name.s), l->found.n);
        vec_push(f->mem, l->found, at);
    }
    return at;
}

Found lookup_name(Front *f, Scope *s, Name name)
{
    for (; s && !s->cls; s = s->outer) {
        if (f->eval.in_left_limit && s->local == f->eval.section)
            continue;
        for (uint32_t k = s->n_local; k-- > 0;)
            if (name_same(s->local[k].name, name))
                return (Found){.kind = FOUND_LOCAL, .local = &s->local[k]};
    }
    if (!s)
        return find_top(f, name);
    Element *e = class_element(f, s->cls, name);
    if (e)
        return found_element(f, e, s);
    return lookup_outside(f, s->cls, s->outer, name);
}

/* Types mean the same in all instances: the scope of the class alone. */
static Scope *scope_of_class(Scope *s)
{
    return s && s->inst ? &s->cls->body : s;
}

Class *lookup_path(Front *f, Scope *s, const SynPath *path)
{
    Found at = lookup_name(f, path->global ? NULL : scope_of_class(s), path->name[0]);
    for (uint32_t k = 1; k < path->n && at.kind == FOUND_CLASS; k++) {
        Element *e = class_element(f, at.cls, path->name[k]);
        if (!e)
            return NULL;
        at = found_element(f, e, &at.cls->body);
    }
    return at.kind == FOUND_CLASS ? at.cls : NULL;
}

const Value *scope_local(Front *f, Scope *s, Name name)
{
    Found at = lookup_name(f, s, name);
    return at.kind == FOUND_LOCAL ? &at.local->value : NULL;
}

static void try_elements(Front *f, Class *c, Spelling *name)
{
    for (uint32_t k = 0; k < c->element.n; k++)
        spelling_try(name, c->element.at[k]->name.s);
    for (uint32_t k = 0; c->kind == CLASS_ENUMERATION && k < class_n_literals(f, c); k++)
        spelling_try(name, class_literal(f, c, k).s);
    uint32_t n = 0;
    const Name *entry = c->syn && c->syn->dir ? library_entries(f->library, c->syn, &n) : NULL;
    for (uint32_t k = 0; k < n; k++)
        spelling_try(name, entry[k].s);
}

static const char *hint(Front *f, const Spelling *name)
{
    return name->nearest ? arena_printf(f->mem, "; did you mean '%s'?", name->nearest) : "";
}

const char *class_hint(Front *f, Class *c, Name name)
{
    Spelling s = spelling_of(name.s);
    try_elements(f, c, &s);
    return hint(f, &s);
}

const char *lookup_hint(Front *f, Scope *s, Name name)
{
    Spelling of = spelling_of(name.s);
    const Class *closed = NULL; /* MLS 5.3.1: names around it are not seen */
    for (; s; s = s->outer) {
        for (uint32_t k = 0; k < s->n_local && !closed; k++)
            spelling_try(&of, s->local[k].name.s);
        if (s->cls && closed && class_element(f, s->cls, name))
            return arena_printf(f->mem, ": %s has one, but %s is encapsulated (MLS 5.3.1)",
                                s->cls->name, closed->name);
        if (s->cls && !closed)
            try_elements(f, s->cls, &of);
        if (s->cls && s->cls->syn && s->cls->syn->encapsulated && !closed)
            closed = s->cls;
    }
    for (uint32_t k = 0; k < library_n_files(f->library); k++) {
        const SynFile *file = library_file(f->library, k);
        for (uint32_t i = 0; i < file->n_classes && file->within.n == 0; i++)
            spelling_try(&of, file->class_[i]->name.s);
    }
    return hint(f, &of);
}

/* "; did you mean 'Mode.on'?": the enumeration x has the literal; or NULL. */
static const char *literal_hint(Front *f, const SynClass *x, Name name)
{
    for (uint32_t k = 0; x && x->kind == SYN_ENUM && k < x->n_literals; k++)
        if (name_same(x->literal[k].name, name))
            return arena_printf(f->mem, "; did you mean '%s.%s'?", x->name.s, name.s);
    return NULL;
}

static const char *hint_of_literals(Front *f, const Scope *s, Name name)
{
    const char *found = NULL;
    for (; s && !found; s = s->outer)
        for (uint32_t k = 0; s->cls && s->cls->syn && k < s->cls->syn->n_elements && !found; k++)
            if (s->cls->syn->elements[k]->kind == SYN_CLASS)
                found = literal_hint(f, s->cls->syn->elements[k]->class_, name);
    for (uint32_t k = 0; k < library_n_files(f->library); k++) {
        const SynFile *file = library_file(f->library, k);
        for (uint32_t i = 0; i < file->n_classes && file->within.n == 0 && !found; i++)
            found = literal_hint(f, file->class_[i], name);
    }
    return found;
}

const char *variable_hint(Front *f, Scope *s, Name name)
{
    /* names in other languages */
    static const char *const known[][2] = {
        {"True", "true"},
        {"TRUE", "true"},
        {"False", "false"},
        {"FALSE", "false"},
        {"PI", "Modelica.Constants.pi"},
        {"pi", "Modelica.Constants.pi"},
        {"t", "time"},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(name.s, known[k][0]) == 0)
            return arena_printf(f->mem, "; did you mean '%s'?", known[k][1]);
    if (name.s[0] == '\'')
        return arena_printf(f->mem, ": this is a name in quotes; a String is written \"%.*s\"",
                            (int)strlen(name.s) - 2, name.s + 1);
    const char *literal = hint_of_literals(f, s, name);
    return literal ? literal : lookup_hint(f, s, name);
}

/* Of a name that is missing in the class before it, A.B.nmae: the whole path. */
static const char *path_hint(Front *f, Scope *s, const SynCref *cref)
{
    Found at = lookup_name(f, cref->global ? NULL : s, cref->part[0].name);
    const char *path = cref->part[0].name.s;
    for (uint32_t k = 1; k < cref->n && at.kind == FOUND_CLASS && class_elaborate(f, at.cls); k++) {
        Name name = cref->part[k].name;
        Element *e = class_element(f, at.cls, name);
        if (e) {
            path = arena_printf(f->mem, "%s.%s", path, name.s);
            at = found_element(f, e, &at.cls->body);
            continue;
        }
        Spelling of = spelling_of(name.s);
        try_elements(f, at.cls, &of);
        return of.nearest && k + 1 == cref->n
                   ? arena_printf(f->mem, "; did you mean '%s.%s'?", path, of.nearest)
                   : "";
    }
    return "";
}

const char *scope_function_hint(Front *f, Scope *s, const SynCref *cref)
{
    if (cref->n > 1 || cref->global)
        return path_hint(f, s, cref);
    Name name = cref->part[0].name;
    Found at = lookup_name(f, s, name);
    if (at.kind == FOUND_COMPONENT || at.kind == FOUND_LOCAL)
        return arena_printf(f->mem, ": it is a variable, whose subscripts are in brackets, %s[...]",
                            name.s);
    /* names in other languages */
    static const char *const known[][2] = {
        {"pow", "a^b"},        {"ln", "log(x)"},
        {"fabs", "abs(x)"},    {"arctan", "atan(x)"},
        {"arcsin", "asin(x)"}, {"arccos", "acos(x)"},
        {"sqr", "x^2"},        {"round", "integer(x + 0.5)"},
        {"sgn", "sign(x)"},    {"length", "size(x, 1)"},
        {"len", "size(x, 1)"}, {"eye", "identity(n)"},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(name.s, known[k][0]) == 0 && !builtin_is_function(name.s))
            return arena_printf(f->mem, "; did you mean %s?", known[k][1]);
    Spelling of = spelling_of(name.s);
    for (uint32_t k = 0; builtin_nth(k); k++)
        if (!strchr(builtin_nth(k), '.'))
            spelling_try(&of, builtin_nth(k));
    return of.nearest ? hint(f, &of) : lookup_hint(f, s, name);
}

/* A hint if the name is that of a predefined type in another language; or "". */
static const char *type_hint(Front *f, Name name)
{
    static const char *const known[][2] = {
        {"real", "Real"},       {"double", "Real"},     {"float", "Real"},   {"int", "Integer"},
        {"integer", "Integer"}, {"boolean", "Boolean"}, {"bool", "Boolean"}, {"string", "String"},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(name.s, known[k][0]) == 0)
            return arena_printf(f->mem, "; did you mean '%s'?", known[k][1]);
    return "";
}

void scope_check_imports(Front *f, Scope *s)
{
    for (; s; s = s->outer)
        if (s->cls && s->cls->syn)
            class_imports(f, s->cls);
}

/* Is an import around s missing: then the names that it would import are missing, too. */
static bool is_import_missing(Front *f, const Scope *s, Name name)
{
    for (; s; s = s->outer)
        for (uint32_t k = 0; s->cls && s->cls->syn && k < s->cls->syn->n_imports; k++) {
            const SynImport *i = s->cls->syn->imports[k]->import;
            bool is_named = i->kind == SYN_IMPORT_NAME || i->kind == SYN_IMPORT_AS;
            if ((is_named && name_same(i->name, name)) ||
                find_top(f, i->path.name[0]).kind == FOUND_NONE)
                return true;
        }
    return false;
}

void scope_note_library(Front *f, Scope *s, Name name, bool is_path)
{
    // libraries begin with a capital letter, components do not
    bool is_library = is_path && name.s[0] >= 'A' && name.s[0] <= 'Z';
    if (is_library && find_top(f, name).kind == FOUND_NONE && !is_import_missing(f, s, name) &&
        !*lookup_hint(f, s, name) && map_add(&f->lookup->missing, map_key_ptr(name.s)))
        diag_note(f->diags, SPAN_NONE, "%s", library_missing(name, f->mem));
}

Class *lookup_path_or_report(Front *f, Scope *s, const SynPath *path, const char *what)
{
    Scope *from = path->global ? NULL : scope_of_class(s);
    Found at = lookup_name(f, from, path->name[0]);
    if (at.kind == FOUND_NONE) {
        scope_check_imports(f, from);
        const char *hint = type_hint(f, path->name[0]);
        diag_error(f->diags, path->span, "N02", "there is no %s '%s' here%s", what, path->name[0].s,
                   *hint ? hint : lookup_hint(f, from, path->name[0]));
        scope_note_library(f, from, path->name[0], path->n > 1);
        return NULL;
    }
    for (uint32_t k = 1; k < path->n && at.kind == FOUND_CLASS; k++) {
        Element *e = class_element(f, at.cls, path->name[k]);
        if (!e) {
            if (at.cls->state != CLASS_FAILED)
                diag_error(f->diags, path->span, "N02", "%s has no %s '%s'%s", at.cls->name, what,
                           path->name[k].s, class_hint(f, at.cls, path->name[k]));
            return NULL;
        }
        if (e->is_protected) /* MLS 4.1 */
            diag_error(f->diags, path->span, "N07", "'%s' is protected in %s", e->name.s,
                       at.cls->name);
        at = found_element(f, e, &at.cls->body);
    }
    if (at.kind != FOUND_CLASS) {
        diag_error(f->diags, path->span, "N02", "'%s' is not a class", syn_path_text(f->mem, path));
        return NULL;
    }
    return at.cls;
}

static const Class *builtin_class(Front *f, const char *name)
{
    Name key = name_of(f->names, name);
    Class *c = class_at(f, &f->lookup->predefined, map_key_ptr(key.s));
    if (c)
        return c;
    if (!builtin_is_function(name))
        return NULL;
    c = class_new(f, key.s);
    c->state = CLASS_DONE;
    c->kind = CLASS_BUILTIN_FUNCTION;
    vec_push(f->mem, c->linear, c);
    map_put(&f->lookup->predefined, map_key_ptr(key.s), c->id);
    return c;
}

const Class *scope_class(Front *f, Scope *s, const SynCref *cref)
{
    Found at = lookup_name(f, cref->global ? NULL : s, cref->part[0].name);
    Instance *inst = NULL;
    if (at.kind == FOUND_LOCAL && at.local->value.kind == VALUE_RECORD && !at.local->value.cls) {
        // the variables of a component (scope_assigned_value): its classes are those around
        while (!s->cls)
            s = s->outer;
        at = lookup_name(f, s, cref->part[0].name);
    }
    if (at.kind == FOUND_NONE) {
        if (cref->n == 1)
            return builtin_class(f, cref->part[0].name.s);
        return cref->n == 2
                   ? builtin_class(f, arena_printf(f->scratch, "%s.%s", cref->part[0].name.s,
                                                   cref->part[1].name.s))
                   : NULL;
    }
    for (uint32_t k = 0;; k++) {
        if (at.kind == FOUND_COMPONENT) {
            /* world.gravityAcceleration: the function in the class of the component */
            Instance *around = inst ? inst : at.scope->inst;
            if (around && cref->part[k].sub.n > 0) {
                SynCref part = *cref;
                part.n = k + 1;
                Selection element;
                if (!instance_select(f, s, &part, &element) || element.n != 1 ||
                    element.at[0]->kind != INST_CLASS)
                    return NULL;
                inst = element.at[0];
                at = (Found){.kind = FOUND_CLASS, .cls = inst->cls};
            } else if (around) {
                inst = k == 0 ? instance_local(f, around, at.el)
                              : instance_child(f, around, element_first(at.el)->index);
                if (!inst || inst->kind != INST_CLASS)
                    return NULL;
                at = (Found){.kind = FOUND_CLASS, .cls = inst->cls};
            } else {
                if (!element_type(f, at.el))
                    return NULL;
                inst = NULL;
                at = (Found){.kind = FOUND_CLASS, .cls = at.el->type};
            }
        } else if (at.kind != FOUND_CLASS) {
            return NULL;
        } else {
            if (!inst || inst->cls != at.cls)
                inst = NULL;
        }
        if (k + 1 == cref->n)
            break;
        Element *e = class_element(f, at.cls, cref->part[k + 1].name);
        if (!e)
            return NULL;
        if (e->is_protected) /* MLS 4.1 */
            diag_error(f->diags, cref->part[k + 1].span, "N07", "'%s' is protected in %s",
                       e->name.s, at.cls->name);
        if (e->is_class)
            at = (Found){.kind = FOUND_CLASS, .cls = element_class(f, e, inst)};
        else
            at = (Found){.kind = FOUND_COMPONENT, .el = e, .scope = &at.cls->body};
    }
    class_elaborate(f, at.cls);
    return at.cls;
}

Scope *scope_locals(Front *f, Scope *outer, Local *local, uint32_t n)
{
    Scope *s = arena_make(f->mem, Scope);
    s->outer = outer;
    s->local = local;
    s->n_local = n;
    return s;
}
