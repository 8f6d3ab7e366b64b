/* operator_rules.c -- the functions that operator records overload operators with (MLS 3.6 ch. 14),
 * and the two functions of external objects (12.9.7). */
#include "frontend/rules/rules.h"

#include <string.h>

enum { MOST_INPUTS = 16 };

/* Inputs and output of an operator function. */
typedef struct Signature {
    Class *function;
    Span at;
    uint32_t n_in, n_required, n_out;
    const Element *in[MOST_INPUTS];
    const Element *out;
} Signature;

typedef VEC(Signature) Signatures;

static bool is_function(const Class *c)
{
    return class_is(c, SYN_R_FUNCTION) || class_is(c, SYN_R_OPERATOR_FUNCTION);
}

/* False if it is unknown: after an error, or with more inputs than MOST_INPUTS. */
static bool signature_of(Front *f, Class *c, Span at, Signature *out)
{
    *out = (Signature){.function = c, .at = at};
    if (c->state == CLASS_NEW)
        class_elaborate(f, c);
    if (c->state != CLASS_DONE)
        return false;
    for (uint32_t k = 0; k < c->component.n; k++) {
        Element *e = c->component.at[k];
        if (e->is_protected || e->same)
            continue;
        if (!element_type(f, e) || e->typed != TYPE_KNOWN)
            return false;
        if (e->member.is_output) {
            out->n_out++;
            out->out = e;
        } else if (e->member.is_input) {
            if (out->n_in == MOST_INPUTS)
                return false;
            out->n_required += e->member.binding == NULL;
            out->in[out->n_in++] = e;
        }
    }
    return true;
}

static void add_function(Front *f, Element *e, Signatures *to)
{
    Signature s;
    Span at = e->class_syn->name_span;
    Class *c = element_class(f, e, NULL);
    if (c && is_function(c) && !class_is_partial(c) && signature_of(f, c, at, &s))
        vec_push(f->scratch, *to, s);
}

/* The functions of an operator, be it one or a container of them. */
static Signatures functions_of(Front *f, Element *e)
{
    Signatures all = {0};
    Class *c = element_class(f, e, NULL);
    if (!c || (c->state == CLASS_NEW && !class_elaborate(f, c)) || c->state != CLASS_DONE)
        return all;
    if (is_function(c)) {
        add_function(f, e, &all);
        return all;
    }
    for (uint32_t k = 0; k < c->element.n; k++) {
        Element *in = c->element.at[k];
        if (in->is_class && in->class_syn)
            add_function(f, in, &all);
    }
    return all;
}

static bool same_type(const Class *a, const Class *b)
{
    if (a->kind == CLASS_PLAIN && b->kind == CLASS_PLAIN)
        return a->base_type == b->base_type;
    return class_same(a, b);
}

static bool same_input(const Element *a, const Element *b)
{
    return a->member.n_dims == b->member.n_dims && same_type(a->type, b->type);
}

/* Is there a call without names that both can be meant by. */
static bool is_ambiguous(const Signature *a, const Signature *b)
{
    uint32_t n = a->n_required > b->n_required ? a->n_required : b->n_required;
    if (n > a->n_in || n > b->n_in)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!same_input(a->in[k], b->in[k]))
            return false;
    return true;
}

/* The rule that the function violates as operator `name` of the record; NULL if none. */
static const char *signature_fault(const Class *record, const char *name, const Signature *s)
{
    bool is_constructor = strcmp(name, "'constructor'") == 0, is_zero = strcmp(name, "'0'") == 0;
    bool is_string = strcmp(name, "'String'") == 0, is_not = strcmp(name, "'not'") == 0;
    bool is_minus = strcmp(name, "'-'") == 0;
    if (s->n_out != 1)
        return "has one output (MLS 14)";
    if ((is_constructor || is_zero) && (!class_same(s->out->type, record) || s->out->member.n_dims))
        return "gives one record of its own kind (MLS 14.3)";
    if (is_constructor)
        return NULL;
    if (is_zero)
        return s->n_in ? "has no inputs (MLS 14.3)" : NULL;
    bool has_record = false;
    for (uint32_t k = 0; k < s->n_in; k++)
        has_record = has_record || class_same(s->in[k]->type, record);
    if (!has_record)
        return "has its record among the inputs (MLS 14)";
    bool is_first = class_same(s->in[0]->type, record);
    if (is_string)
        return !is_first ? "has its record as first input (MLS 14.4)"
               : s->out->type->kind != CLASS_PLAIN || s->out->type->base_type != TYPE_STRING
                   ? "gives a String (MLS 14.4)"
                   : NULL;
    uint32_t least = 0; /* inputs without a default, before any that has one */
    while (least < s->n_in && !s->in[least]->member.binding)
        least++;
    bool is_unary = least == 1 && s->n_required == 1 && is_first;
    bool is_binary = least == 2 && s->n_required == 2;
    if (is_not)
        return is_unary ? NULL : "has one input without a default, its record (MLS 14.6)";
    if (is_minus)
        return is_unary || is_binary ? NULL : "has one or two inputs without a default (MLS 14.5)";
    return is_binary ? NULL : "has two inputs without a default (MLS 14.5)";
}

/* Can a record be constructed from one of class `from` alone. */
static bool constructs_from(Front *f, Class *record, const Class *from)
{
    Element *e = class_element(f, record, name_of(f->names, "'constructor'"));
    if (!e || !e->is_class || !e->class_syn)
        return false;
    Signatures all = functions_of(f, e);
    for (uint32_t k = 0; k < all.n; k++) {
        const Signature *s = &all.at[k];
        if (s->n_in && s->n_required <= 1 && !s->in[0]->member.n_dims &&
            class_same(s->in[0]->type, from))
            return true;
    }
    return false;
}

/* MLS 14.3: of two records not both are constructed from the other. */
static void check_both_ways(Front *f, const Class *record, const Signatures *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const Signature *s = &all->at[k];
        Class *other = s->n_in && s->n_required <= 1 ? s->in[0]->type : NULL;
        if (other && class_is(other, SYN_R_OPERATOR_RECORD) && !class_same(other, record) &&
            constructs_from(f, other, record))
            rule_error(f, s->at, "N40",
                       "%s and %s can each be constructed from the other (MLS 14.3)", record->name,
                       other->name);
    }
}

static bool is_overloaded(const char *name)
{
    static const char *const all[] = {
        "'constructor'", "'0'", "'String'", "'+'",  "'-'",  "'*'",   "'/'",  "'^'",   "'=='",
        "'<>'",          "'>'", "'<'",      "'>='", "'<='", "'and'", "'or'", "'not'",
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(name, all[k]) == 0)
            return true;
    return false;
}

static void check_operator(Front *f, Class *record, Element *e)
{
    const SynClass *syn = e->class_syn;
    if (syn->restriction != SYN_R_OPERATOR && syn->restriction != SYN_R_OPERATOR_FUNCTION)
        return;
    if (!is_overloaded(syn->name.s)) {
        rule_error(f, syn->name_span, "N40", "there is no operator %s to overload (MLS 14)",
                   syn->name.s);
        return;
    }
    if (!syn->encapsulated)
        rule_error(f, syn->name_span, "N40",
                   "an operator is encapsulated: 'encapsulated operator ...' (MLS 14)");
    Signatures all = functions_of(f, e);
    for (uint32_t k = 0; k < all.n; k++) {
        const Signature *s = &all.at[k];
        const char *fault = signature_fault(record, syn->name.s, s);
        if (fault)
            rule_error(f, s->at, "N40", "a function of operator %s %s", syn->name.s, fault);
        for (uint32_t j = 0; j < k; j++)
            if (is_ambiguous(s, &all.at[j]))
                rule_error(f, s->at, "N40",
                           "a call can mean '%s' and '%s' alike, which take the same arguments "
                           "(MLS 14)",
                           all.at[j].function->syn->name.s, s->function->syn->name.s);
    }
    if (strcmp(syn->name.s, "'constructor'") == 0)
        check_both_ways(f, record, &all);
}

void operator_rules(Front *f, Class *record)
{
    for (uint32_t k = 0; k < record->syn->n_elements; k++) {
        const SynElement *syn = record->syn->elements[k];
        Element *e = syn->kind == SYN_CLASS && syn->class_
                         ? class_element(f, record, syn->class_->name)
                         : NULL;
        if (e && e->is_class && e->class_syn)
            check_operator(f, record, e);
    }
}

/* ---- external objects ------------------------------------------------------------------------ */

void object_rules(Front *f, Class *c)
{
    static const char *const wanted[] = {"constructor", "destructor"};
    bool has[2] = {false, false};
    for (uint32_t k = 0; k < c->syn->n_elements; k++) {
        const SynElement *e = c->syn->elements[k];
        const SynClass *in = e->kind == SYN_CLASS ? e->class_ : NULL;
        uint32_t which = 0;
        while (in && which < 2 && strcmp(in->name.s, wanted[which]) != 0)
            which++;
        bool fits = in && which < 2 && in->restriction == SYN_R_FUNCTION;
        if (fits)
            has[which] = true;
        else if (in || e->kind == SYN_COMPONENT)
            rule_error(f, in ? in->name_span : e->component->name_span, "N40",
                       "an external object has a constructor and a destructor and nothing else "
                       "(MLS 12.9.7)");
    }
    for (uint32_t k = 0; k < 2; k++)
        if (!has[k])
            rule_error(f, c->syn->name_span, "N40",
                       "external object %s has no function '%s' (MLS 12.9.7)", c->name, wanted[k]);
}
