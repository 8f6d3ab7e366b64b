/* class_rules.c -- the rules for elements, bases and declarations of a class (MLS 3.6 ch. 4.4, 4.6,
 * 4.9, 7.1.3, 12.2).
 *
 * Every class that the model uses is checked once, by its own text and the types of its own
 * components as far as they are known. Classes that the model does not use are not checked.
 */
#include "frontend/instantiate/instance.h"
#include "frontend/rules/rules.h"
#include "frontend/rules/unit_rules.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Has an error at this place been reported already, while the model was built. */
static bool is_said(const Diags *d, Span at)
{
    for (uint32_t k = 0; k < diags_count(d); k++) {
        const Diag *x = diags_at(d, k);
        if (x->severity == DIAG_ERROR && x->span.file == at.file && x->span.begin == at.begin)
            return true;
    }
    return false;
}

static void report(Front *f, bool is_error, Span at, const char *code, const char *fmt,
                   va_list args)
{
    if (is_said(f->diags, at))
        return;
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    size_t size = n > 0 ? (size_t)n + 1 : 1;
    char *text = arena_alloc(f->mem, size);
    vsnprintf(text, size, fmt, again);
    va_end(again);
    (is_error ? diag_error : diag_warning)(f->diags, at, code, "%s", text);
}

void rule_error(Front *f, Span at, const char *code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    report(f, true, at, code, fmt, args);
    va_end(args);
}

void rule_if_strict(Front *f, Span at, const char *code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    report(f, f->strict, at, code, fmt, args);
    va_end(args);
}

static bool is_function(const Class *c)
{
    return class_is(c, SYN_R_FUNCTION) || class_is(c, SYN_R_OPERATOR_FUNCTION);
}

static bool is_record(const Class *c)
{
    return class_is(c, SYN_R_RECORD) || class_is(c, SYN_R_OPERATOR_RECORD);
}

static bool is_simple(const Class *c)
{
    return c->kind == CLASS_PLAIN || c->kind == CLASS_ENUMERATION;
}

/* The class at the end of a chain of `class A = B` and `model A = B`: it decides the kind of a
 * component. */
static const Class *long_class(const Class *c)
{
    while (c->syn && c->syn->kind == SYN_SHORT && c->base.n)
        c = c->base.at[0];
    return c;
}

static const char *kind_text(const Class *c)
{
    return c->syn ? syn_restriction_text(c->syn->restriction) : "predefined type";
}

static const char *kind_phrase(const Class *c)
{
    return c->syn ? syn_restriction_phrase(c->syn->restriction) : "a predefined type";
}

/* ---- sections ------------------------------------------------------------------------------ */

static const char *section_text(const SynSection *s)
{
    return s->initial     ? s->algorithm ? "initial algorithm" : "initial equation"
           : s->algorithm ? "algorithm"
                          : "equation";
}

static void check_sections(Front *f, const Class *c)
{
    const SynClass *syn = c->syn;
    bool none = is_record(c) || class_is_connector(c) || class_is(c, SYN_R_PACKAGE) ||
                class_is(c, SYN_R_TYPE) || class_is(c, SYN_R_OPERATOR);
    const char *section = class_is(c, SYN_R_PACKAGE)    ? "4.6"
                          : class_is(c, SYN_R_OPERATOR) ? "14.3"
                                                        : "4.6";
    uint32_t algorithms = 0;
    for (uint32_t k = 0; k < syn->n_sections; k++) {
        const SynSection *s = &syn->section[k];
        if (none) {
            rule_error(f, s->span, "N40", "%s has no '%s' (MLS %s)", kind_phrase(c),
                       section_text(s), section);
            return;
        }
        if (!is_function(c))
            continue;
        if (!s->algorithm || s->initial)
            rule_error(f, s->span, "N40", "a function has no '%s' (MLS 12.2)", section_text(s));
        else if (++algorithms > 1 || syn->external)
            rule_error(f, s->span, "N40",
                       "a function has one algorithm or one external interface (MLS 12.2)");
    }
    if (syn->external && !is_function(c))
        rule_error(f, syn->external->span, "N40",
                   "only a function has an external interface, this is a %s (MLS 12.9)",
                   kind_text(c));
}

/* ---- functions ------------------------------------------------------------------------------- */

static const Element *variable_of(Front *f, Class *c, Name name)
{
    const Element *e = class_element(f, c, name);
    return e && !e->is_class ? e : NULL;
}

/* MLS 12.8: inverse(u = g(y, p)): an input by a function of the output and the other inputs. */
static void check_inverse(Front *f, Class *c)
{
    const SynArg *all = syn_mod_find(c->syn->annotation, "inverse");
    for (uint32_t k = 0; all && all->mod && k < all->mod->n; k++) {
        const SynArg *a = &all->mod->arg[k];
        if (a->kind != SYN_ARG_MODIFY || !a->mod || !a->mod->value)
            continue;
        const Element *input = variable_of(f, c, a->path.name[0]);
        if (a->path.n != 1 || !input || !(input->component->prefix.causality == SYN_INPUT)) {
            rule_error(f, a->span, "N40", "'%s' is no input of the function (MLS 12.8)",
                       a->path.name[0].s);
            continue;
        }
        const SynExpr *call = a->mod->value;
        if (call->kind != SYN_CALL) {
            rule_error(f, call->span, "N40", "an inverse is a call of a function (MLS 12.8)");
            continue;
        }
        Found g = lookup_name(f, &c->body, call->cref->part[0].name);
        if (g.kind == FOUND_NONE)
            rule_error(f, call->span, "N01", "nothing is named '%s'", call->cref->part[0].name.s);
        for (uint32_t j = 0; j < call->arg.n; j++) {
            const SynExpr *x = call->arg.at[j];
            if (x && x->kind == SYN_CREF && !variable_of(f, c, x->cref->part[0].name))
                rule_error(f, x->span, "N40",
                           "'%s' is no input and no output of the function (MLS 12.8)",
                           x->cref->part[0].name.s);
        }
    }
}

/* MLS 12.9: arguments of an external call are references, scalar constants and sizes. */
static void check_external(Front *f, const SynExternal *x)
{
    for (uint32_t k = 0; k < x->arg.n; k++) {
        const SynExpr *a = x->arg.at[k];
        if (!a)
            continue;
        const SynExpr *in = a->kind == SYN_UNARY ? a->arg.at[0] : a;
        bool is_size = a->kind == SYN_CALL && strcmp(a->cref->part[0].name.s, "size") == 0;
        bool is_plain = in->kind == SYN_INTEGER || in->kind == SYN_REAL || in->kind == SYN_STRING ||
                        in->kind == SYN_BOOLEAN || a->kind == SYN_CREF;
        if (!is_size && !is_plain)
            rule_error(f, a->span, "N40",
                       "an argument of an external function is a variable, a constant or a size "
                       "(MLS 12.9)");
    }
}

/* ---- elements ------------------------------------------------------------------------------ */

/* May class `in` have a component of this type, by the kinds of both classes. */
static bool component_is_allowed(const Class *in, const Class *type)
{
    const Class *t = long_class(type);
    if (is_simple(type) || !t->syn || is_record(t) || is_record(type))
        return true;
    bool plain_class = class_is(t, SYN_R_CLASS); /* may satisfy the rules of any kind: 7.1.3 */
    if (class_is_connector(in))
        return class_is_connector(t) || plain_class;
    if (is_function(in))
        return is_function(t) || plain_class;
    return plain_class;
}

static const char *contents_text(const Class *c)
{
    return class_is_connector(c) ? "connectors, records and types (MLS 4.6)"
           : is_function(c)      ? "records, types and functions (MLS 12.2)"
                                 : "records and types (MLS 4.6)";
}

static bool has_prefix(const SynTypePrefix *p)
{
    return p->connector != SYN_NOT_FLOW || p->variability != SYN_NO_VARIABILITY ||
           p->causality != SYN_NO_CAUSALITY;
}

static const char *prefix_text(const SynTypePrefix *p)
{
    return p->connector == SYN_FLOW          ? "flow"
           : p->connector == SYN_STREAM      ? "stream"
           : p->variability == SYN_CONSTANT  ? "constant"
           : p->variability == SYN_PARAMETER ? "parameter"
           : p->variability == SYN_DISCRETE  ? "discrete"
           : p->causality == SYN_INPUT       ? "input"
           : p->causality == SYN_OUTPUT      ? "output"
                                             : "";
}

/* A component with flow, stream, input or output somewhere inside `type`, or NULL. */
static const Element *directed_part(Front *f, Class *type, uint32_t depth)
{
    if (is_simple(type) || depth > 20)
        return NULL;
    for (uint32_t k = 0; k < type->component.n; k++) {
        Element *e = type->component.at[k];
        if (e->typed != TYPE_KNOWN)
            continue;
        const SynTypePrefix *p = &e->component->prefix;
        const SynTypePrefix *t = &e->type->prefix;
        if (p->connector || t->connector || p->causality || t->causality)
            return e;
        const Element *in = directed_part(f, e->type, depth + 1);
        if (in)
            return in;
    }
    return NULL;
}

/* Is every part of a flow component Real (MLS 4.4.2). */
static bool is_real(const Class *type, uint32_t depth)
{
    if (type->kind == CLASS_PLAIN)
        return type->base_type == TYPE_REAL;
    if (type->kind == CLASS_ENUMERATION)
        return false;
    for (uint32_t k = 0; k < type->component.n && depth < 20; k++) {
        const Element *e = type->component.at[k];
        bool value = e->typed == TYPE_KNOWN && e->member.variability > VARIES_PARAMETER;
        if (value && !is_real(e->type, depth + 1))
            return false;
    }
    return true;
}

static void check_type_prefix(Front *f, const Class *c, const Element *e)
{
    const SynComponent *x = e->component;
    const SynTypePrefix *p = &x->prefix;
    Class *type = e->type;
    const Class *t = long_class(type);
    bool is_model = !is_simple(type) && t->syn && !is_record(t) && !class_is_connector(t) &&
                    !is_function(t) && !class_is(t, SYN_R_CLASS) && !is_record(type) &&
                    !class_is_connector(type);
    if (has_prefix(p) && is_model) {
        rule_error(f, x->name_span, "N41",
                   "'%s' is a component of a %s, so it has no prefix '%s' (MLS 4.4.2)", e->name.s,
                   kind_text(t), prefix_text(p));
        return;
    }
    if (type->kind == CLASS_PLAIN && type->base_type == TYPE_CLOCK &&
        (p->connector || p->variability)) {
        rule_error(f, x->name_span, "N41", "Clock '%s' has no prefix '%s' (MLS 16.2.1)", e->name.s,
                   prefix_text(p));
        return;
    }
    bool is_connector = class_is_connector(type) || class_is_connector(t);
    if (is_connector && (p->variability == SYN_CONSTANT || p->variability == SYN_PARAMETER)) {
        rule_error(f, x->name_span, "N41", "connector '%s' cannot be a %s (MLS 9.3)", e->name.s,
                   prefix_text(p));
        return;
    }
    if (p->causality == SYN_INPUT &&
        (p->variability == SYN_CONSTANT || p->variability == SYN_PARAMETER) && !is_function(c))
        rule_error(f, x->name_span, "N41", "an input is no %s (MLS 4.4.2)",
                   p->variability == SYN_CONSTANT ? "constant" : "parameter");
    bool directed = p->connector || p->causality;
    if (directed && !is_function(t)) {
        const SynTypePrefix *own = &type->prefix;
        bool twice = (p->causality && own->causality && p->causality != own->causality) ||
                     (p->connector && own->connector && p->connector != own->connector);
        const Element *part = directed_part(f, type, 0);
        if (twice || part)
            rule_error(f, x->name_span, "N41",
                       "'%s' is %s, but '%s' inside it has such a prefix, too (MLS 4.4.2)",
                       e->name.s,
                       p->connector == SYN_FLOW     ? "flow"
                       : p->connector == SYN_STREAM ? "stream"
                       : p->causality == SYN_INPUT  ? "input"
                                                    : "output",
                       part ? part->name.s : type->name);
    }
    if (p->connector == SYN_STREAM && !is_simple(type))
        rule_error(f, x->name_span, "N41",
                   "'stream' is for Real variables, '%s' is a %s (MLS 4.4.2)", e->name.s,
                   kind_text(t));
    else if (p->connector && !is_real(type, 0))
        rule_error(f, x->name_span, "N41", "'%s' is for Real variables (MLS 4.4.2)",
                   p->connector == SYN_FLOW ? "flow" : "stream");
    bool outside = class_is(c, SYN_R_MODEL) || class_is(c, SYN_R_BLOCK) || is_function(c);
    if (p->connector == SYN_STREAM && outside)
        rule_error(f, x->name_span, "N41",
                   "'stream' of '%s' is allowed in connectors only (MLS 15.1)", e->name.s);
    else if (p->connector && outside)
        diag_warning(f->diags, x->name_span, "N41",
                     "'%s' of '%s' has no meaning outside of a connector (MLS 9.2)", prefix_text(p),
                     e->name.s);
}

/* A component of `in` that keeps it from being used as a package (MLS 4.6), or NULL: none in a
 * class declared as package, nor in one that is not elaborated. */
static const Element *hiding_element(const Class *in)
{
    bool open = !in->syn || in->state != CLASS_DONE || class_is(in, SYN_R_PACKAGE) ||
                class_is(in, SYN_R_OPERATOR);
    for (uint32_t k = 0; !open && k < in->element.n; k++) {
        const Element *e = in->element.at[k];
        if (!e->is_class && e->component->prefix.variability != SYN_CONSTANT)
            return e;
    }
    return NULL;
}

static bool is_encapsulated(const Element *e)
{
    return e && e->is_class && e->class_syn->encapsulated;
}

/* MLS 5.3.2: in a class that is no package, lookup finds encapsulated elements only. Reports. */
static bool check_found_in(Front *f, const Class *in, const Element *found, Span at, bool is_error)
{
    const Element *e = is_encapsulated(found) ? NULL : hiding_element(in);
    if (e)
        (is_error ? rule_error : rule_if_strict)(
            f, at, "N43",
            "%s is no package ('%s' is no constant), so only encapsulated elements are found in it "
            "(MLS 5.3.2)",
            in->name, e->name.s);
    return !e;
}

void path_rules(Front *f, Class *c, const SynPath *path)
{
    Found at = path->n > 1 ? lookup_name(f, path->global ? NULL : &c->body, path->name[0])
                           : (Found){.kind = FOUND_NONE};
    for (uint32_t k = 1; k < path->n && at.kind == FOUND_CLASS; k++) {
        Element *e = class_element(f, at.cls, path->name[k]);
        if (!e || !check_found_in(f, at.cls, e, path->span, false) || !e->is_class)
            return;
        at = (Found){.kind = FOUND_CLASS, .cls = element_class(f, e, NULL)};
    }
}

/* MLS 5.3.2: names are looked up inside of classes that are packages, or could be. */
static void check_path(Front *f, Class *c, const SynPath *path)
{
    Found at = path->n > 1 ? lookup_name(f, path->global ? NULL : &c->body, path->name[0])
                           : (Found){.kind = FOUND_NONE};
    for (uint32_t k = 1; k < path->n && at.kind == FOUND_CLASS; k++) {
        Class *in = at.cls;
        Element *e = class_element(f, in, path->name[k]);
        if (!check_found_in(f, in, e, path->span, true))
            return;
        if (class_stays_partial(in) && !class_is_partial(c)) {
            rule_error(f, path->span, "N43",
                       "%s is partial, so nothing is looked up in it (MLS 5.3.2)", in->name);
            return;
        }
        if (!e || !e->is_class)
            return;
        at = (Found){.kind = FOUND_CLASS, .cls = element_class(f, e, NULL)};
    }
}

/* MLS 7.2.5: each is for arrays, e or one that it is in. */
static void check_each(Front *f, const Element *e, const SynMod *m, bool is_in_array)
{
    if (e->is_class || e->typed != TYPE_KNOWN || !e->type)
        return;
    bool is_array = is_in_array || e->member.n_dims > 0;
    for (uint32_t k = 0; m && !is_array && k < m->n; k++) {
        const SynArg *a = &m->arg[k];
        if (a->kind != SYN_ARG_MODIFY || a->path.n != 1)
            continue;
        if (a->each)
            rule_if_strict(f, a->span, "T32", "'each' is for arrays, '%s' is none (MLS 7.2.5)",
                           e->name.s);
        const Element *inner = e->type->state == CLASS_DONE && e->type->kind == CLASS_OTHER
                                   ? class_element(f, e->type, a->path.name[0])
                                   : NULL;
        if (inner)
            check_each(f, inner, a->mod, is_array);
    }
}

/* The same in the modification of a base. */
static void check_each_of_base(Front *f, Class *base, const SynMod *m)
{
    for (uint32_t k = 0; m && base->state == CLASS_DONE && k < m->n; k++) {
        const SynArg *a = &m->arg[k];
        const Element *e = a->kind == SYN_ARG_MODIFY && a->path.n == 1
                               ? class_element(f, base, a->path.name[0])
                               : NULL;
        if (e)
            check_each(f, e, a->mod, base->n_dims > 0);
    }
}

static void check_component(Front *f, Class *c, Element *e)
{
    const SynElement *syn = e->original;
    const SynComponent *x = syn->component;
    const SynTypePrefix *p = &x->prefix;
    bool record = is_record(c);
    bool connector = class_is_connector(c);
    if ((record || connector || is_function(c)) && (syn->inner || syn->outer))
        rule_error(f, x->name_span, "N40", "an element of %s is not '%s' (MLS %s)", kind_phrase(c),
                   syn->inner ? "inner" : "outer", is_function(c) ? "12.2" : "4.6");
    if (record && (p->causality || p->connector))
        rule_error(f, x->name_span, "N40", "an element of %s is not '%s' (MLS 4.6)", kind_phrase(c),
                   p->connector == SYN_FLOW     ? "flow"
                   : p->connector == SYN_STREAM ? "stream"
                   : p->causality == SYN_INPUT  ? "input"
                                                : "output");
    if ((record || connector) && syn->is_protected)
        rule_error(f, x->name_span, "N40", "%s has no protected elements (MLS 4.6)",
                   kind_phrase(c));
    if (class_is(c, SYN_R_EXPANDABLE_CONNECTOR) && p->connector == SYN_FLOW)
        rule_error(f, x->name_span, "N40",
                   "an expandable connector has no flow components of its own (MLS 9.1.3)");
    if (class_is(c, SYN_R_PACKAGE) && p->variability != SYN_CONSTANT &&
        !(e->typed == TYPE_KNOWN && e->member.variability == VARIES_NEVER))
        rule_error(f, x->name_span, "N40",
                   "a package contains classes and constants; '%s' is no constant (MLS 4.6)",
                   e->name.s);
    if (class_is(c, SYN_R_OPERATOR) || class_is(c, SYN_R_TYPE))
        rule_error(f, x->name_span, "N40", "a %s contains no components (MLS 4.6)",
                   class_is(c, SYN_R_TYPE) ? "type" : "operator");
    bool formal = p->causality != SYN_NO_CAUSALITY ||
                  (e->typed == TYPE_KNOWN && (e->member.is_input || e->member.is_output));
    if (is_function(c) && !syn->is_protected && !formal)
        rule_error(f, x->name_span, "N40",
                   "a public variable of a function is an input or an output; '%s' is neither "
                   "(MLS 12.2)",
                   e->name.s);
    if (is_function(c) && p->causality && syn->is_protected)
        rule_error(f, x->name_span, "N40",
                   "the inputs and outputs of a function are public (MLS 12.2)");
    if (syn->outer && !syn->inner && x->mod && (x->mod->n || x->mod->value))
        rule_error(f, x->name_span, "N48", "an outer component has no modification (MLS 5.4)");
    const SynArg *fixed = p->variability == SYN_CONSTANT ? syn_mod_find(x->mod, "fixed") : NULL;
    if (fixed && fixed->mod && fixed->mod->value && fixed->mod->value->kind == SYN_BOOLEAN &&
        !fixed->mod->value->truth)
        rule_error(f, fixed->span, "T41", "a constant is always fixed (MLS 8.6)");
    if (e->typed != TYPE_KNOWN || e->syn != e->original)
        return;
    if ((record || connector || is_function(c)) && !component_is_allowed(c, e->type))
        rule_error(f, x->name_span, "N40", "a %s contains only %s; '%s' is a %s", kind_text(c),
                   contents_text(c), e->name.s, kind_text(long_class(e->type)));
    else if ((record || is_function(c)) && is_simple(e->type) && class_is_connector(e->type))
        rule_if_strict(f, x->name_span, "N40", "%s contains only %s; '%s' is a connector",
                       kind_phrase(c), contents_text(c), e->name.s);
    if (is_function(c) && e->type->kind == CLASS_PLAIN && e->type->base_type == TYPE_CLOCK)
        rule_error(f, x->name_span, "N40", "a function has no Clock (MLS 12.2)");
    /* MLS 4.6: variables of a block's connectors are input or output */
    if (class_is(c, SYN_R_BLOCK) && !syn->is_protected && !p->causality &&
        class_is_connector(e->type) && !class_is_expandable(e->type) &&
        !e->type->prefix.causality) {
        if (is_simple(e->type))
            rule_error(f, x->name_span, "N40",
                       "public connectors of a block are input or output; '%s' is neither "
                       "(MLS 4.6)",
                       e->name.s);
        for (uint32_t k = 0; k < e->type->component.n; k++) {
            const Element *part = e->type->component.at[k];
            if (part->typed == TYPE_KNOWN && part->member.variability > VARIES_PARAMETER &&
                !part->component->prefix.causality && !part->type->prefix.causality &&
                !directed_part(f, part->type, 0) && is_simple(part->type)) {
                rule_error(f, x->name_span, "N40",
                           "variables of public connectors of a block are input or output; "
                           "'%s.%s' is neither (MLS 4.6)",
                           e->name.s, part->name.s);
                break;
            }
        }
    }
    check_type_prefix(f, c, e);
    check_path(f, c, &x->type);
    check_each(f, e, x->mod, false);
    /* MLS 5.3.2: the name of the class could not be found any more */
    if (x->type.n && !x->type.global && name_same(x->type.name[0], e->name))
        rule_error(f, x->name_span, "N44",
                   "a component cannot have the name of its type (MLS 5.3.2)");
}

/* MLS 4.9: names that no element can have. */
static void check_name(Front *f, Name name, Span span)
{
    static const char *const reserved[] = {"Real", "Integer", "Boolean", "String"};
    for (size_t k = 0; k < sizeof reserved / sizeof *reserved; k++)
        if (strcmp(name.s, reserved[k]) == 0)
            rule_error(f, span, "N44",
                       "'%s' is a predefined type, so no element has this name (MLS 4.9)", name.s);
}

/* The class that an import names; FOUND_NONE after an error or for an element that is no class. */
static Found check_imported(Front *f, Class *from, Name name, Span span, bool has_more)
{
    Element *e = class_element(f, from, name);
    if (!e && from->state != CLASS_FAILED)
        rule_error(f, span, "N02", "%s has no '%s' to import (MLS 13.2.1)%s", from->name, name.s,
                   class_hint(f, from, name));
    if (e && e->is_protected)
        rule_error(f, span, "N07", "'%s' is protected in %s", e->name.s, from->name);
    if (e && !e->is_class && has_more)
        rule_error(f, span, "N43",
                   "'%s' of %s is no package; imports are from packages (MLS 13.2.1)", e->name.s,
                   from->name);
    return e && e->is_class ? (Found){.kind = FOUND_CLASS, .cls = element_class(f, e, NULL)}
                            : (Found){.kind = FOUND_NONE};
}

/* MLS 13.2.1: an imported element exists, is in a package and is public. */
static void check_import(Front *f, const SynImport *i)
{
    const SynPath *path = &i->path;
    Found at = lookup_name(f, NULL, path->name[0]);
    if (at.kind == FOUND_NONE) {
        rule_error(f, path->span, "N02",
                   "there is nothing named '%s' to import from (MLS 13.2.1)%s", path->name[0].s,
                   lookup_hint(f, NULL, path->name[0]));
        scope_note_library(f, NULL, path->name[0], true);
    }
    bool is_list = i->kind == SYN_IMPORT_LIST, of_package = is_list || i->kind == SYN_IMPORT_ALL;
    for (uint32_t k = 1; k <= path->n && at.kind == FOUND_CLASS; k++) {
        /* the class before the last dot is a package; the lookup up to it follows 5.3.2 */
        bool is_from = of_package ? k == path->n : k + 1 == path->n;
        if (is_from && at.cls->syn && !class_is(at.cls, SYN_R_PACKAGE)) {
            rule_error(f, path->span, "N43", "%s is %s; imports are from packages (MLS 13.2.1)",
                       at.cls->name, kind_phrase(at.cls));
            return;
        }
        if (k == path->n)
            break;
        if (!check_found_in(f, at.cls, class_element(f, at.cls, path->name[k]), path->span, true))
            return;
        at = check_imported(f, at.cls, path->name[k], path->span, k + 1 < path->n || of_package);
    }
    for (uint32_t k = 0; is_list && at.kind == FOUND_CLASS && k < i->n_list; k++)
        check_imported(f, at.cls, i->list[k], path->span, false);
}

static void import_name(Front *f, Map *seen, Name name, Span at)
{
    if (!map_add(seen, map_key_ptr(name.s)))
        rule_error(f, at, "N05", "another import clause has the name '%s', too (MLS 13.2.1.2)",
                   name.s);
}

void class_imports(Front *f, const Class *c)
{
    Map seen = map_new(f->scratch);
    for (uint32_t k = 0; k < c->syn->n_imports; k++) {
        const SynImport *i = c->syn->imports[k]->import;
        if (i->kind == SYN_IMPORT_NAME || i->kind == SYN_IMPORT_AS)
            import_name(f, &seen, i->name, i->path.span);
        for (uint32_t j = 0; i->kind == SYN_IMPORT_LIST && j < i->n_list; j++)
            import_name(f, &seen, i->list[j], i->path.span);
    }
    for (uint32_t k = 0; k < c->syn->n_imports; k++)
        check_import(f, c->syn->imports[k]->import);
}

/* MLS 7.3.2: a declaration fits its own constrainedby; redeclarations are checked where they stand.
 */
static void check_constrained(Front *f, Element *e)
{
    bool is_replaced = e->syn != e->original; /* maybe in the class that is derived from this one */
    if (is_replaced || (!e->is_class && e->typed != TYPE_KNOWN))
        class_check_original(f, e);
    if (e->is_class) {
        Class *own = element_class(f, e, NULL);
        if (!class_elaborate(f, own) || e->syn != e->original)
            return;
        class_check_constraint(f, e, own);
        interface_rules(f, e, own);
    } else if (e->typed == TYPE_KNOWN) {
        interface_rules(f, e, e->type);
    }
}

static void check_elements(Front *f, Class *c)
{
    class_imports(f, c);
    for (uint32_t k = 0; k < c->syn->n_elements; k++) {
        const SynElement *syn = c->syn->elements[k];
        if (syn->kind == SYN_CLASS && syn->class_) {
            check_name(f, syn->class_->name, syn->class_->name_span);
            SynRestriction r = syn->class_->restriction;
            if (syn->outer && !syn->inner && syn->class_->kind == SYN_LONG &&
                (syn->class_->n_elements || syn->class_->n_sections))
                rule_error(f, syn->class_->name_span, "N48",
                           "an outer class is declared by a short class definition (MLS 5.4)");
            if (class_is(c, SYN_R_OPERATOR) && r != SYN_R_FUNCTION)
                rule_error(f, syn->class_->name_span, "N40",
                           "an operator contains functions only (MLS 4.6)");
            if ((r == SYN_R_OPERATOR || r == SYN_R_OPERATOR_FUNCTION) &&
                !class_is(c, SYN_R_OPERATOR_RECORD) && !class_is(c, SYN_R_CLASS))
                rule_error(f, syn->class_->name_span, "N40",
                           "an operator is allowed in an operator record only (MLS 4.6)");
            if ((is_record(c) || class_is_connector(c)) && syn->is_protected)
                rule_error(f, syn->class_->name_span, "N40",
                           "%s has no protected elements (MLS 4.6)", kind_phrase(c));
            bool is_limited = syn->class_->constrained || syn->redeclare;
            Element *e = is_limited ? class_element(f, c, syn->class_->name) : NULL;
            if (e && e->is_class && (e->syn == syn || e->original == syn))
                check_constrained(f, e);
        }
        if (syn->kind != SYN_COMPONENT)
            continue;
        check_name(f, syn->component->name, syn->component->name_span);
        Element *e = class_element(f, c, syn->component->name);
        if (e && !e->is_class && e->original == syn)
            check_component(f, c, e);
        if (e && !e->is_class && e->original == syn && syn->component->constrained)
            check_constrained(f, e);
    }
}

/* ---- bases ----------------------------------------------------------------------------------- */

/* MLS 7.1.3: which kinds of classes can extend which. NULL if c may extend base; else the text of
 * the rule. *is_clear: the violation has one possible meaning, so that it can be compiled. */
static const char *derivation_fault(const Class *c, const Class *base, bool *is_clear)
{
    *is_clear = false;
    bool is_class = class_is(base, SYN_R_CLASS);
    if (class_is(c, SYN_R_CLASS) || is_class)
        return NULL;
    if (class_is(c, SYN_R_PACKAGE) || class_is(base, SYN_R_PACKAGE)) {
        /* a record without elements, as an icon, adds nothing */
        *is_clear = class_is(base, SYN_R_RECORD) && base->syn && base->syn->n_elements == 0;
        return class_is(c, SYN_R_PACKAGE) && class_is(base, SYN_R_PACKAGE)
                   ? NULL
                   : "packages are derived from packages";
    }
    if (is_function(c) || is_function(base))
        return is_function(c) && is_function(base) ? NULL : "functions are derived from functions";
    if (class_is(c, SYN_R_OPERATOR) || class_is(base, SYN_R_OPERATOR))
        return class_is(c, SYN_R_OPERATOR) && class_is(base, SYN_R_OPERATOR)
                   ? NULL
                   : "operators are derived from operators";
    if (class_is(c, SYN_R_TYPE))
        return !base->syn || class_is(base, SYN_R_TYPE) || is_simple(base)
                   ? NULL
                   : "a type is derived from types";
    if (class_is(base, SYN_R_OPERATOR_RECORD))
        return (class_is(c, SYN_R_OPERATOR_RECORD) || class_is(c, SYN_R_CONNECTOR)) &&
                       c->syn->kind == SYN_SHORT
                   ? NULL
                   : "an operator record is only given another name, by a short class";
    if (class_is(c, SYN_R_OPERATOR_RECORD))
        return "an operator record is derived from operator records";
    if (class_is(c, SYN_R_RECORD))
        return class_is(base, SYN_R_RECORD) ? NULL : "a record is derived from records";
    if (class_is_expandable(c) || class_is_expandable(base))
        return class_is_expandable(c) && class_is_expandable(base)
                   ? NULL
                   : "expandable connectors are derived from expandable connectors";
    if (class_is(c, SYN_R_CONNECTOR))
        return class_is(base, SYN_R_MODEL) || class_is(base, SYN_R_BLOCK)
                   ? "a connector is derived from connectors, records and types"
                   : NULL;
    if (!base->syn || is_simple(base) || class_is(base, SYN_R_TYPE))
        return class_is(c, SYN_R_BLOCK) ? "a block is derived from blocks and records"
                                        : "a model is derived from models, blocks and records";
    *is_clear = true;
    if (class_is(c, SYN_R_BLOCK) && !class_is(base, SYN_R_BLOCK) && !is_record(base))
        return "a block is derived from blocks and records";
    if (class_is_connector(base))
        return "a model is derived from models, blocks and records";
    return NULL;
}

/* MLS 4.6: it is not legal to extend from a class around an operator record: the derived class
 * would hold another record, with operators of its own. */
static void check_base_of_operators(Front *f, const Class *c, const Class *base, Span span)
{
    const SynClass *syn = base->syn;
    for (uint32_t k = 0; syn && k < syn->n_elements; k++) {
        const SynElement *e = syn->elements[k];
        if (e->kind != SYN_CLASS || e->class_->restriction != SYN_R_OPERATOR_RECORD ||
            e->class_->kind == SYN_SHORT)
            continue;
        rule_if_strict(f, span, "N43",
                       "%s cannot extend %s, which is an enclosing scope of the operator record %s "
                       "(MLS 4.6)",
                       c->name, base->name, e->class_->name.s);
        return;
    }
}

static void check_base(Front *f, const Class *c, const Class *base, Span span)
{
    check_base_of_operators(f, c, base, span);
    bool is_clear;
    const char *fault = derivation_fault(c, base, &is_clear);
    if (fault) {
        (is_clear ? rule_if_strict : rule_error)(f, span, class_is(c, SYN_R_TYPE) ? "N40" : "N43",
                                                 "%s cannot extend the %s %s: %s (MLS 7.1.3)",
                                                 kind_phrase(c), kind_text(base), base->name,
                                                 fault);
        return;
    }
    if (c->syn->kind != SYN_LONG || (base->kind == CLASS_PLAIN && base->base_type == TYPE_OBJECT))
        return;
    const char *what = base->n_dims                ? "an array"
                       : has_prefix(&base->prefix) ? "a class with a prefix"
                       : is_simple(base)           ? "a simple type"
                                                   : NULL;
    if (!what)
        return;
    const char *other = c->syn->n_extends > 1 ? "another base"
                        : c->syn->n_sections  ? "equations or algorithms"
                                              : NULL;
    Span at = span;
    for (uint32_t k = 0; k < c->syn->n_elements && !other; k++) {
        const SynElement *e = c->syn->elements[k];
        if (e->kind == SYN_COMPONENT) {
            other = "components";
            at = e->component->name_span;
        }
    }
    if (other)
        rule_error(f, at, class_is(c, SYN_R_TYPE) ? "N40" : "N43",
                   "%s that extends %s has no %s besides (MLS 4.5.1)", kind_text(c), what, other);
}

/* MLS 5.6.1.4: the name of a base finds the same class before and after the inherited elements are
 * added. */
static void check_base_name(Front *f, Class *c, const Class *base, const SynPath *path)
{
    const Element *e = path->global ? NULL : class_element(f, c, path->name[0]);
    if (!e || !e->is_class || e->syn->in == syn_class_whole(c->syn) || e->syn->kind != SYN_CLASS)
        return;
    const SynClass *first = base->syn;
    for (uint32_t k = 1; k < path->n && first; k++)
        first = first->parent;
    if (first && name_same(first->name, path->name[0]) && e->syn->class_ != first)
        rule_error(f, path->span, "N43",
                   "'%s' is another class once the bases are there: one of them has it, too "
                   "(MLS 5.6.1.4)",
                   path->name[0].s);
}

/* MLS 4.4.2: a component with flow, stream, input or output contains none that has one of these. */
static void check_base_prefix(Front *f, Class *c, const Class *base)
{
    const SynTypePrefix *own = &c->syn->prefix;
    if (!own->connector && !own->causality)
        return;
    for (uint32_t k = 0; k < c->component.n; k++)
        element_type(f, c->component.at[k]);
    const Element *part = directed_part(f, c, 0);
    bool twice =
        own->causality && base->prefix.causality && own->causality != base->prefix.causality;
    twice = twice ||
            (own->connector && base->prefix.connector && own->connector != base->prefix.connector);
    if (part || twice)
        rule_error(f, c->syn->base.span, "N41",
                   "%s is %s, but '%s' has such a prefix, too (MLS 4.4.2)", c->name,
                   prefix_text(own), part ? part->name.s : base->name);
}

static void check_bases(Front *f, Class *c)
{
    if (c->syn->kind == SYN_SHORT && c->base.n) {
        check_base(f, c, c->base.at[0], c->syn->base.span);
        check_base_prefix(f, c, c->base.at[0]);
        check_each_of_base(f, c->base.at[0], c->syn->mod);
        path_rules(f, c, &c->syn->base);
        return;
    }
    if (c->syn->kind != SYN_LONG || c->base.n != c->syn->n_extends)
        return;
    for (uint32_t k = 0; k < c->base.n; k++) {
        const Class *base = c->base.at[k];
        Span span = c->syn->extends[k]->extends->base.span;
        check_base(f, c, base, span);
        check_each_of_base(f, c->base.at[k], c->syn->extends[k]->extends->mod);
        path_rules(f, c, &c->syn->extends[k]->extends->base);
        check_base_name(f, c, base, &c->syn->extends[k]->extends->base);
        if (base->syn && base->syn->element->replaceable)
            rule_error(f, span, "N43", "%s is replaceable and cannot be a base (MLS 7.1.4)",
                       base->name);
    }
}

/* ---- enumerations --------------------------------------------------------------------------- */

/* MLS 4.9.5 */
static void check_literals(Front *f, const Class *c)
{
    Map seen = map_new(f->scratch);
    for (uint32_t k = 0; k < c->syn->n_literals; k++) {
        const SynLiteral *l = &c->syn->literal[k];
        if (!map_add(&seen, map_key_ptr(l->name.s)))
            rule_error(f, l->span, "N05", "literal '%s' is there twice (MLS 4.9.5)", l->name.s);
        for (int a = 0; a < ATTR_COUNT; a++)
            if (name_same(f->lookup->attribute[a], l->name) &&
                (a == ATTR_QUANTITY || a == ATTR_MIN || a == ATTR_MAX || a == ATTR_START ||
                 a == ATTR_FIXED))
                rule_error(f, l->span, "N44",
                           "'%s' is an attribute of enumerations and no literal (MLS 4.9.5)",
                           l->name.s);
        check_name(f, l->name, l->span);
    }
}

/* Each redeclaration once, for each declaration that it replaces. */
static void check_redeclared(Front *f, Map *seen, Class *c)
{
    for (uint32_t k = 0; k < c->component.n; k++) {
        const Element *e = c->component.at[k];
        if (e->syn != e->original && e->typed == TYPE_KNOWN &&
            map_add(seen, hash_pair(map_key_ptr(e->syn), map_key_ptr(e->original))))
            interface_rules(f, e, e->type);
    }
    const Element *e = c->replaces;
    if (e && map_add(seen, hash_pair(map_key_ptr(e->syn), map_key_ptr(e->original))))
        interface_rules(f, e, c);
}

void class_rules(Front *f)
{
    Lookup *l = f->lookup;
    if (l->is_dump)
        return;
    Map seen = map_new(f->mem);
    Map redeclared = map_new(f->mem);
    uint32_t n = l->classes.n; /* classes that the checks themselves elaborate are not checked */
    for (uint32_t k = 0; k < n; k++)
        if (l->classes.at[k]->state == CLASS_DONE)
            check_redeclared(f, &redeclared, l->classes.at[k]);
    for (uint32_t k = 0; k < n; k++) {
        Class *c = l->classes.at[k];
        if (!c->syn || c->state != CLASS_DONE || !c->syn->file ||
            !map_add(&seen, map_key_ptr(c->syn)))
            continue;
        ArenaMark mark = arena_mark(f->scratch);
        check_sections(f, c);
        check_bases(f, c);
        check_elements(f, c);
        if (c->syn->kind == SYN_ENUM)
            check_literals(f, c);
        if (is_function(c)) {
            check_inverse(f, c);
            if (c->syn->external)
                check_external(f, c->syn->external);
        }
        if (c->syn->kind == SYN_LONG && class_is(c, SYN_R_OPERATOR_RECORD))
            operator_rules(f, c);
        if (c->syn->kind == SYN_LONG && c->kind == CLASS_PLAIN && c->base_type == TYPE_OBJECT)
            object_rules(f, c);
        body_rules(f, c);
        discrete_rules(f, c);
        if (c->syn->kind == SYN_LONG)
            annotation_rules(f, c);
        if (f->units != RULE_OFF)
            unit_rules(f, c);
        arena_rollback(f->scratch, mark);
    }
}
