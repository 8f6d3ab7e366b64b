/* interface_rules.c -- a redeclared element has the interface of the original (MLS 3.6 ch.
 * 6.4-6.6).
 *
 * lookup_class.c has checked that all public elements exist before the model is built; this file
 * compares prefixes, dimensions and kinds, and checks elements that the replacement adds. It reads
 * the declarations; a difference of types alone is found where the element is used.
 */
#include "frontend/rules/rules.h"

#include <string.h>

typedef enum Family {
    FAMILY_ANY, /* class: whatever it fulfils */
    FAMILY_FUNCTION,
    FAMILY_PACKAGE,
    FAMILY_CONNECTOR,
    FAMILY_MODEL,
    FAMILY_RECORD,
} Family;

static Family family_of(const Class *c)
{
    if (!c->syn)
        return FAMILY_ANY;
    switch (c->syn->restriction) {
    case SYN_R_FUNCTION:
    case SYN_R_OPERATOR_FUNCTION:
        return FAMILY_FUNCTION;
    case SYN_R_PACKAGE:
        return FAMILY_PACKAGE;
    case SYN_R_CONNECTOR:
    case SYN_R_EXPANDABLE_CONNECTOR:
        return FAMILY_CONNECTOR;
    case SYN_R_MODEL:
    case SYN_R_BLOCK:
        return FAMILY_MODEL;
    case SYN_R_RECORD:
    case SYN_R_OPERATOR_RECORD:
    case SYN_R_TYPE:
        return FAMILY_RECORD;
    default:
        return FAMILY_ANY;
    }
}

static const Class *long_class(const Class *c)
{
    while (c->syn && c->syn->kind == SYN_SHORT && c->base.n)
        c = c->base.at[0];
    return c;
}

static bool same_path(const SynPath *a, const SynPath *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t k = 0; k < a->n; k++)
        if (!name_same(a->name[k], b->name[k]))
            return false;
    return true;
}

/* constant < parameter < discrete < continuous */
static int rank_of(SynVariability v)
{
    return v == SYN_CONSTANT ? 0 : v == SYN_PARAMETER ? 1 : v == SYN_DISCRETE ? 2 : 3;
}

/* The difference of a component from the required one (MLS 6.4); NULL if there is none. */
static const char *component_fault(const Element *wanted, const Element *got)
{
    const SynComponent *w = wanted->component;
    const SynComponent *g = got->component;
    if (got->is_protected)
        return "is protected";
    if (rank_of(g->prefix.variability) > rank_of(w->prefix.variability))
        return w->prefix.variability == SYN_CONSTANT    ? "is no constant"
               : w->prefix.variability == SYN_PARAMETER ? "is no parameter"
                                                        : "is not discrete";
    if (wanted->is_final && !got->is_final)
        return "is not final";
    if (!w->condition != !g->condition)
        return g->condition ? "is conditional" : "is not conditional";
    /* prefixes and dimensions may come from the type */
    if (!same_path(&w->type, &g->type))
        return NULL;
    if (w->prefix.connector != g->prefix.connector)
        return "has other prefixes flow or stream";
    if (w->prefix.causality != g->prefix.causality)
        return "has other prefixes input or output";
    if (w->own_dims.n + w->type_dims.n != g->own_dims.n + g->type_dims.n)
        return "has another number of dimensions";
    return NULL;
}

static bool has_value(Env env)
{
    for (uint32_t k = 0; k < env.n; k++)
        if (env.at[k].mod->value)
            return true;
    return false;
}

/* MLS 6.5: why element e, which only the replacement has, needs a connection or value from outside;
 * NULL if it needs none. `around`: modifiers of the component that is replaced. */
static const char *connectable_fault(Front *f, Env around, const Element *e)
{
    if (e->is_class || e->is_protected || e->typed != TYPE_KNOWN || e->component->condition)
        return NULL;
    const Class *t = e->type;
    bool is_connector = class_is_connector(t);
    if (class_is_expandable(t))
        return "is an expandable connector, to which nothing could be connected";
    if (is_connector && (e->member.is_input || e->component->prefix.causality == SYN_INPUT))
        return "is an input, to which nothing could be connected";
    bool is_simple = t->kind == CLASS_PLAIN || t->kind == CLASS_ENUMERATION;
    bool needs_value =
        is_simple && (e->member.variability <= VARIES_PARAMETER || e->member.is_input);
    if (needs_value && !is_connector && !has_value(e->env) &&
        !has_value(env_sub(f, around, e->name)))
        return e->member.is_input ? "is an input without a value" : "has no value";
    return NULL;
}

/* MLS 6.5: the component that `by` has beyond `type` and that needs something from outside. */
static void check_plug(Front *f, const Element *e, Class *by, Class *type, Span at)
{
    for (uint32_t k = 0; k < by->component.n; k++) {
        const Element *more = by->component.at[k];
        if (class_element(f, type, more->name))
            continue;
        const char *fault = connectable_fault(f, e->is_class ? (Env){0} : e->env, more);
        if (!fault)
            continue;
        rule_if_strict(f, at, "N16", "'%s' cannot be a %s: '%s', which %s has not, %s (MLS 6.5)",
                       e->name.s, long_class(by)->name, more->name.s, type->name, fault);
        return;
    }
}

/* Is it redeclared where its class is inherited, so that more can be connected to it there. */
static bool is_inherited(const Element *e)
{
    const Scope *s = e->own ? e->own->scope : NULL;
    return s && s->cls && s->cls->self == e->in->self;
}

/* MLS 7.3.2: T1 and T2 of `T1 x[n] constrainedby T2` have as many dimensions. */
static void check_dimensions(Front *f, const Element *e, Class *by, Class *type)
{
    const Class *own = e->is_class && by->syn->kind == SYN_SHORT ? by->base.at[0] : by;
    if (own->n_dims != type->n_dims)
        rule_error(f, e->syn->span, "N16",
                   "%s has %u dimensions and %s, its constraint, %u (MLS "
                   "7.3.2)",
                   own->name, own->n_dims, type->name, type->n_dims);
}

void interface_rules(Front *f, const Element *e, Class *by)
{
    Span declared;
    Class *type = class_constraining(f, e, &declared);
    if (!type || by->state != CLASS_DONE || type->state != CLASS_DONE)
        return;
    if (e->syn == e->original)
        check_dimensions(f, e, by, type);
    if (class_same(by, type))
        return;
    Span at = e->syn->span;
    Family wanted = family_of(long_class(type));
    Family got = family_of(long_class(by));
    if (wanted && got && wanted != got) {
        rule_error(f, at, "N16", "'%s' cannot be a %s: %s is a %s (MLS 6.4)", e->name.s,
                   syn_restriction_text(long_class(by)->syn->restriction), type->name,
                   syn_restriction_text(long_class(type)->syn->restriction));
        return;
    }
    bool is_open =
        type->terminal && type->terminal->syn && type->terminal->syn->kind == SYN_ENUM_OPEN;
    if (type->kind == CLASS_ENUMERATION && by->kind == CLASS_ENUMERATION && !is_open &&
        !class_same_type(by, type))
        rule_error(f, at, "N16", "'%s' cannot be a %s: %s has other literals (MLS 6.4)", e->name.s,
                   by->name, type->name);
    if (type->kind == CLASS_PLAIN || type->kind == CLASS_ENUMERATION)
        return;
    if (got == FAMILY_FUNCTION && long_class(by)->syn->purity == SYN_IMPURE &&
        long_class(type)->syn && long_class(type)->syn->purity != SYN_IMPURE)
        rule_error(f, at, "N16", "'%s' cannot be the impure %s: %s is not impure (MLS 6.6)",
                   e->name.s, long_class(by)->name, type->name);
    for (uint32_t k = 0; k < type->component.n; k++) {
        const Element *w = type->component.at[k];
        const Element *g = w->is_protected ? NULL : class_element(f, by, w->name);
        const char *fault = g && !g->is_class ? component_fault(w, g) : NULL;
        if (!fault)
            continue;
        rule_error(f, at, "N16", "'%s' cannot be a %s: its '%s' %s (MLS 6.4)", e->name.s,
                   long_class(by)->name, w->name.s, fault);
        return;
    }
    if (got == FAMILY_MODEL && e->syn != e->original && (e->is_class || !is_inherited(e)))
        check_plug(f, e, by, type, at);
}
