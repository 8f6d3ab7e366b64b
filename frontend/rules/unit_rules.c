/* unit_rules.c -- units of a class's equations, statements and bindings (MLS 3.6 ch. 19). */
#include "frontend/rules/unit_rules.h"

#include "base/text.h"
#include "base/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POWERS = 7 }; /* of UnitOfMeasure.power: without angles */

/* UNIT_ANY: not known, fits all. UNIT_NUMBER: of a literal number. */
typedef struct Unit {
    enum { UNIT_ANY, UNIT_NUMBER, UNIT_KNOWN } kind;
    double power[POWERS];
    /* UNIT_KNOWN: the value in base units is factor*value + offset; unknown after multiplication by
     * a literal number, which may be a conversion factor */
    bool is_scaled;
    double factor, offset;
    const char *text; /* as it is declared; or NULL */
} Unit;

typedef struct Iterators {
    const SynIter *iter;
    uint32_t n;
    const struct Iterators *outer;
} Iterators;

typedef struct UnitScope {
    Front *f;
    Class *cls;
    const Iterators *iterators;
} UnitScope;

static const Unit any = {.kind = UNIT_ANY}, number = {.kind = UNIT_NUMBER},
                  one = {.kind = UNIT_KNOWN, .is_scaled = true, .factor = 1};

static Unit unit_of(const UnitScope *p, const SynExpr *x);

/* "kg.m/s2" */
static const char *unit_text(const UnitScope *p, const Unit *u)
{
    static const char *const symbol[POWERS] = {"kg", "m", "s", "A", "K", "mol", "cd"};
    Text t = text_new(p->f->mem);
    for (int sign = 1; sign >= -1; sign -= 2)
        for (int k = 0, n = 0; k < POWERS; k++) {
            double power = sign * u->power[k];
            if (!(power > 0))
                continue;
            if (sign < 0)
                text_put(&t, t.n == 0 ? "1/" : n == 0 ? "/" : ".");
            else
                text_put(&t, n > 0 ? "." : "");
            text_put(&t, symbol[k]);
            if (power != 1)
                text_printf(&t, "%g", power);
            n++;
        }
    return t.n ? t.at : "1";
}

static bool same(const Unit *a, const Unit *b)
{
    for (int k = 0; k < POWERS; k++)
        if (fabs(a->power[k] - b->power[k]) > 1e-6)
            return false;
    return true;
}

static bool is_one(const Unit *a)
{
    return same(a, &one);
}

static void report(const UnitScope *p, Span at, const char *text)
{
    (p->f->units == RULE_ERROR ? diag_error : diag_warning)(p->f->diags, at, "U01", "%s", text);
}

/* Compares factors and offsets of two units of the same dimension: mm and m, degC and K. */
static void check_scale(const UnitScope *p, Span at, const Unit *a, const Unit *b, const char *what)
{
    if (!a->is_scaled || !b->is_scaled)
        return;
    bool same_factor = fabs(a->factor - b->factor) <= 1e-6 * fabs(a->factor);
    if (same_factor && fabs(a->offset - b->offset) <= 1e-6 * fabs(a->factor))
        return;
    const char *x = a->text ? a->text : unit_text(p, a), *y = b->text ? b->text : unit_text(p, b);
    report(p, at,
           same_factor
               ? arena_printf(p->f->mem, "%s: %s and %s have other zeros (MLS 19)", what, x, y)
               : arena_printf(p->f->mem, "%s: %s and %s differ by a factor of %g (MLS 19)", what, x,
                              y, fmax(a->factor, b->factor) / fmin(a->factor, b->factor)));
}

/* The common unit of a and b. If they do not fit, reports it and returns an unknown unit. */
static Unit fit(const UnitScope *p, Span at, Unit a, Unit b, const char *what)
{
    if (a.kind == UNIT_KNOWN && b.kind == UNIT_KNOWN && !same(&a, &b)) {
        report(p, at,
               arena_printf(p->f->mem, "%s: the units %s and %s do not fit (MLS 19)", what,
                            unit_text(p, &a), unit_text(p, &b)));
        return any;
    }
    if (a.kind == UNIT_KNOWN && b.kind == UNIT_KNOWN)
        check_scale(p, at, &a, &b, what);
    // a number is whatever the other is
    bool is_b = b.kind == UNIT_KNOWN || (b.kind == UNIT_ANY && a.kind == UNIT_NUMBER);
    return is_b ? b : a;
}

/* a * b^power */
static Unit times(Unit a, Unit b, double power)
{
    if (a.kind == UNIT_ANY || b.kind == UNIT_ANY)
        return any;
    if (a.kind == UNIT_NUMBER && b.kind == UNIT_NUMBER)
        return number;
    /* a factor without unit may convert, as k = 1000 from m to mm */
    bool plain = a.kind == UNIT_KNOWN && b.kind == UNIT_KNOWN && a.is_scaled && b.is_scaled &&
                 a.offset == 0 && b.offset == 0 && !is_one(&a) && !is_one(&b);
    for (int k = 0; k < POWERS; k++)
        a.power[k] += power * b.power[k];
    a.kind = UNIT_KNOWN;
    a.is_scaled = plain;
    a.factor *= plain ? pow(b.factor, power) : 1;
    a.offset = 0;
    a.text = NULL;
    return a;
}

/* a^power */
static Unit raised(Unit a, double power)
{
    for (int k = 0; k < POWERS; k++)
        a.power[k] *= power;
    a.is_scaled = a.is_scaled && a.offset == 0;
    a.factor = pow(a.factor, power);
    a.offset = 0;
    a.text = NULL;
    return a;
}

/* ---- components ------------------------------------------------------------------------------ */

/* The element that literal subscripts pick of an array of units {"m", "rad"}; NULL if they do not.
 */
static const SynExpr *picked(const SynExpr *x, const SynExprs *subscripts)
{
    for (uint32_t k = 0; x->kind == SYN_ARRAY && x->n_iter == 0; k++) {
        const SynExpr *sub = k < subscripts->n ? subscripts->at[k] : NULL;
        long at = sub && sub->kind == SYN_INTEGER ? strtol(sub->text, NULL, 10) : 0;
        if (at < 1 || at > (long)x->arg.n)
            return NULL;
        x = x->arg.at[at - 1];
    }
    return x;
}

/* The attribute `unit` that the first modifier gives; or NULL. */
static const SynExpr *first_value(const UnitScope *p, Env env)
{
    Env of = env_sub(p->f, env, p->f->lookup->attribute[ATTR_UNIT]);
    for (uint32_t k = 0; k < of.n; k++)
        if (of.at[k].mod->value)
            return of.at[k].mod->value;
    return NULL;
}

static Unit unit_of_text(const char *text)
{
    UnitOfMeasure m;
    if (!*text || !unit_read(text, &m))
        return any;
    Unit out = one;
    for (int k = 0; k < POWERS; k++)
        out.power[k] = m.power[k];
    out.factor = m.factor;
    out.offset = m.offset;
    out.text = text;
    return out;
}

/* `around`: modifiers of e from the components that it is in; `subscripts` behind its name. */
static Unit unit_of_element(const UnitScope *p, Env around, const Element *e,
                            const SynExprs *subscripts)
{
    if (e->is_class || e->typed != TYPE_KNOWN || !e->type || !e->type->terminal)
        return any;
    if (e->type->kind != CLASS_PLAIN || e->type->base_type != TYPE_REAL)
        return e->type->kind == CLASS_PLAIN || e->type->kind == CLASS_ENUMERATION ? number : any;
    Env all = env_join(p->f, env_join(p->f, around, e->env), e->type->terminal->env);
    const SynExpr *x = first_value(p, all);
    x = x ? picked(x, subscripts) : NULL;
    return x && x->kind == SYN_STRING ? unit_of_text(x->text) : any;
}

static bool is_iterator(const UnitScope *p, Name name)
{
    for (const Iterators *s = p->iterators; s; s = s->outer)
        for (uint32_t k = 0; k < s->n; k++)
            if (name_same(s->iter[k].name, name))
                return true;
    return false;
}

/* A component, and its modifiers from the components that it is in. */
typedef struct Component {
    const Element *e; /* NULL: not known */
    Env around;
} Component;

static Unit unit_of_whole(const UnitScope *p, const Component *m)
{
    return unit_of_element(p, m->around, m->e, &(SynExprs){0});
}

static bool has_components(const Component *m)
{
    const Element *e = m->e;
    return e && !e->is_class && e->typed == TYPE_KNOWN && e->type && e->type->state == CLASS_DONE &&
           e->type->kind != CLASS_PLAIN && e->type->kind != CLASS_ENUMERATION;
}

static Component component_in(const UnitScope *p, const Component *m, Name name)
{
    if (!has_components(m))
        return (Component){0};
    return (Component){class_element(p->f, m->e->type, name),
                       env_sub(p->f, env_join(p->f, m->around, m->e->env), name)};
}

/* The component that a reference names; *is_number: it is an iterator or a literal instead. */
static Component referenced(const UnitScope *p, const SynCref *cref, bool *is_number)
{
    Name first = cref->part[0].name;
    *is_number = !cref->global && is_iterator(p, first) && cref->n == 1;
    if (!cref->global && is_iterator(p, first))
        return (Component){0};
    Found at = lookup_name(p->f, cref->global ? NULL : &p->cls->body, first);
    uint32_t k = 0;
    while (at.kind == FOUND_CLASS && k + 1 < cref->n && at.cls->state == CLASS_DONE) {
        Element *e = class_element(p->f, at.cls, cref->part[++k].name);
        *is_number = !e && at.cls->kind == CLASS_ENUMERATION;
        if (!e || (e->is_class && !e->cls))
            return (Component){0};
        at = e->is_class ? (Found){.kind = FOUND_CLASS, .cls = e->cls}
                         : (Found){.kind = FOUND_COMPONENT, .el = e};
    }
    Component m = {at.kind == FOUND_COMPONENT ? at.el : NULL, {0}};
    while (m.e && ++k < cref->n)
        m = component_in(p, &m, cref->part[k].name);
    return m;
}

static Unit unit_of_reference(const UnitScope *p, const SynCref *cref)
{
    bool is_number;
    Component m = referenced(p, cref, &is_number);
    return is_number ? number
           : m.e     ? unit_of_element(p, m.around, m.e, &cref->part[cref->n - 1].sub)
                     : any;
}

/* ---- calls ----------------------------------------------------------------------------------- */

typedef enum Rule {
    RULE_SAME,    /* of the first argument                                */
    RULE_FIT,     /* of all arguments, which fit each other               */
    RULE_NUMBER,  /* a number, of a number                                */
    RULE_COUNT,   /* a number, of whatever                                */
    RULE_ROOT,    /* the square root                                      */
    RULE_RATE,    /* by second                                            */
    RULE_PRODUCT, /* of the first two                                     */
    RULE_LAST,    /* of the last argument                                 */
} Rule;

static const struct {
    const char *name;
    Rule rule;
} rules[] = {
    {"abs", RULE_SAME},
    {"pre", RULE_SAME},
    {"noEvent", RULE_SAME},
    {"previous", RULE_SAME},
    {"hold", RULE_SAME},
    {"subSample", RULE_SAME},
    {"superSample", RULE_SAME},
    {"shiftSample", RULE_SAME},
    {"backSample", RULE_SAME},
    {"noClock", RULE_SAME},
    {"delay", RULE_SAME},
    {"inStream", RULE_SAME},
    {"mod", RULE_SAME},
    {"rem", RULE_SAME},
    {"actualStream", RULE_SAME},
    {"sum", RULE_SAME},
    {"scalar", RULE_SAME},
    {"vector", RULE_SAME},
    {"matrix", RULE_SAME},
    {"transpose", RULE_SAME},
    {"symmetric", RULE_SAME},
    {"diagonal", RULE_SAME},
    {"fill", RULE_SAME},
    {"min", RULE_FIT},
    {"max", RULE_FIT},
    {"homotopy", RULE_FIT},
    {"sin", RULE_NUMBER},
    {"cos", RULE_NUMBER},
    {"tan", RULE_NUMBER},
    {"asin", RULE_NUMBER},
    {"acos", RULE_NUMBER},
    {"atan", RULE_NUMBER},
    {"sinh", RULE_NUMBER},
    {"cosh", RULE_NUMBER},
    {"tanh", RULE_NUMBER},
    {"exp", RULE_NUMBER},
    {"log", RULE_NUMBER},
    {"log10", RULE_NUMBER},
    {"sign", RULE_COUNT},
    {"integer", RULE_COUNT},
    {"size", RULE_COUNT},
    {"ndims", RULE_COUNT},
    {"zeros", RULE_COUNT},
    {"ones", RULE_COUNT},
    {"identity", RULE_COUNT},
    {"sqrt", RULE_ROOT},
    {"der", RULE_RATE},
    {"cross", RULE_PRODUCT},
    {"semiLinear", RULE_PRODUCT},
    {"smooth", RULE_LAST},
};

/* sample(u) and sample(u, clock), not sample(start, interval). */
static bool is_clocked_sample(const UnitScope *p, const SynExpr *x)
{
    const SynExpr *second = x->arg.n == 2 ? x->arg.at[1] : NULL;
    if (!second)
        return x->arg.n == 1;
    if (second->kind == SYN_CALL)
        return second->cref->n == 1 && strcmp(second->cref->part[0].name.s, "Clock") == 0;
    if (second->kind != SYN_CREF || second->cref->n != 1)
        return false;
    Found at = lookup_name(p->f, &p->cls->body, second->cref->part[0].name);
    return at.kind == FOUND_COMPONENT && at.el->typed == TYPE_KNOWN && at.el->type &&
           at.el->type->kind == CLASS_PLAIN && at.el->type->base_type == TYPE_CLOCK;
}

static Unit unit_of_builtin(const UnitScope *p, const SynExpr *x)
{
    const char *name = x->cref->part[0].name.s;
    Unit of[3] = {any, any, any}, all = number;
    for (uint32_t k = 0; k < x->arg.n; k++) {
        Unit u = x->arg.at[k] ? unit_of(p, x->arg.at[k]) : any;
        if (k < 3)
            of[k] = u;
        all = k == 0 ? u : all;
    }
    if (strcmp(name, "atan2") == 0 && x->arg.n == 2) {
        fit(p, x->span, of[0], of[1], "of the arguments of atan2");
        return number;
    }
    if (strcmp(name, "reinit") == 0 && x->arg.n == 2) {
        fit(p, x->arg.at[1]->span, of[0], of[1], "of a state and its new value");
        return any;
    }
    if (strcmp(name, "sample") == 0)
        return is_clocked_sample(p, x) ? of[0] : number;
    const Unit radian = {.kind = UNIT_KNOWN, .is_scaled = true, .factor = 1, .text = "rad"};
    const Unit second = {.kind = UNIT_KNOWN, .power = {[2] = 1}, .is_scaled = true, .factor = 1};
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        if (strcmp(name, rules[r].name) != 0)
            continue;
        switch (rules[r].rule) {
        case RULE_SAME:
            return of[0];
        case RULE_FIT:
            if (x->arg.n == 1)
                return of[0];
            for (uint32_t k = 1; k < x->arg.n && k < 3; k++)
                all = fit(p, x->span, all, of[k],
                          arena_printf(p->f->mem, "of the arguments of %s", name));
            return x->arg.n ? all : any;
        case RULE_NUMBER:
            if (of[0].kind == UNIT_KNOWN && !is_one(&of[0]))
                report(p, x->span,
                       arena_printf(p->f->mem,
                                    "the argument of %s is a number; here it is in %s "
                                    "(MLS 19)",
                                    name, unit_text(p, &of[0])));
            else if (of[0].kind == UNIT_KNOWN)
                check_scale(p, x->span, &of[0], &radian,
                            arena_printf(p->f->mem, "of the argument of %s", name));
            return number;
        case RULE_COUNT:
            return number;
        case RULE_ROOT:
            return of[0].kind == UNIT_KNOWN ? raised(of[0], 0.5) : of[0];
        case RULE_RATE:
            return of[0].kind == UNIT_KNOWN ? times(of[0], second, -1) : any;
        case RULE_PRODUCT:
            return times(of[0], of[1], 1);
        case RULE_LAST:
            return x->arg.n == 2 ? of[1] : any;
        }
    }
    return any;
}

static const Element *nth_of(const Class *c, SynCausality which, uint32_t n)
{
    for (uint32_t k = 0; k < c->component.n; k++) {
        const Element *e = c->component.at[k];
        if (!e->is_protected && e->component->prefix.causality == which && n-- == 0)
            return e;
    }
    return NULL;
}

static void check_argument(const UnitScope *p, const Element *to, const SynExpr *x, Unit u)
{
    if (to)
        fit(p, x->span, unit_of_element(p, (Env){0}, to, &(SynExprs){0}), u,
            arena_printf(p->f->mem, "of '%s' and its argument", to->name.s));
}

/* The unit of the n-th result. */
static Unit unit_of_result(const UnitScope *p, const Class *function, uint32_t n)
{
    const Element *out = nth_of(function, SYN_OUTPUT, n);
    return out ? unit_of_element(p, (Env){0}, out, &(SynExprs){0}) : any;
}

/* The function or record that x is a call of; NULL if it is of neither. */
static const Class *called_class(const UnitScope *p, const SynExpr *x)
{
    if (x->kind != SYN_CALL || (!x->cref->global && is_iterator(p, x->cref->part[0].name)))
        return NULL;
    Scope scope = p->cls->body;
    const Class *c = scope_class(p->f, &scope, x->cref);
    bool is = c && c->syn && c->state == CLASS_DONE &&
              (class_is(c, SYN_R_FUNCTION) || class_is(c, SYN_R_OPERATOR_FUNCTION) ||
               (class_is(c, SYN_R_RECORD) && c->syn->kind == SYN_LONG));
    return is ? c->self : NULL;
}

static const Class *called(const UnitScope *p, const SynExpr *x)
{
    const Class *c = called_class(p, x);
    return c && !class_is(c, SYN_R_RECORD) ? c : NULL;
}

/* MLS 12.6: the n-th input of the record's constructor. */
static const Element *nth_field(const Class *record, uint32_t n)
{
    for (uint32_t k = 0; k < record->component.n; k++) {
        const Element *e = record->component.at[k];
        if (!e->is_final && e->component->prefix.variability != SYN_CONSTANT && n-- == 0)
            return e;
    }
    return NULL;
}

static Unit unit_of_call(const UnitScope *p, const SynExpr *x)
{
    UnitScope in = *p;
    const Iterators own = {x->iter, x->n_iter, p->iterators};
    in.iterators = x->n_iter ? &own : p->iterators;
    const Class *c = called_class(&in, x);
    bool is_record = c && class_is(c, SYN_R_RECORD);
    bool is_builtin = !c && x->cref->n == 1 && builtin_is_function(x->cref->part[0].name.s);
    if (is_builtin)
        return unit_of_builtin(&in, x);
    for (uint32_t k = 0; k < x->arg.n; k++) {
        Unit u = x->arg.at[k] ? unit_of(&in, x->arg.at[k]) : any;
        if (c && x->arg.at[k])
            check_argument(&in, is_record ? nth_field(c, k) : nth_of(c, SYN_INPUT, k), x->arg.at[k],
                           u);
    }
    for (uint32_t k = 0; k < x->n_named; k++) {
        Unit u = unit_of(&in, x->named[k].value);
        const Element *to = c ? class_element(p->f, (Class *)c, x->named[k].name) : NULL;
        if (to && !to->is_class && (is_record || to->component->prefix.causality == SYN_INPUT))
            check_argument(&in, to, x->named[k].value, u);
    }
    return c && !is_record && !x->n_iter ? unit_of_result(&in, c, 0) : any;
}

/* ---- expressions ----------------------------------------------------------------------------- */

/* The number that an exponent is by its text alone. */
static bool is_literal(const SynExpr *x, double *out)
{
    if (x->kind == SYN_INTEGER || x->kind == SYN_REAL) {
        *out = strtod(x->text, NULL);
        return true;
    }
    if (x->kind == SYN_UNARY && x->op == SYN_SUB && is_literal(x->arg.at[0], out)) {
        *out = -*out;
        return true;
    }
    double a, b;
    if (x->kind == SYN_CHAIN && x->arg.n == 2 && x->ops[1] == SYN_DIV &&
        is_literal(x->arg.at[0], &a) && is_literal(x->arg.at[1], &b) && b != 0) {
        *out = a / b;
        return true;
    }
    return false;
}

/* Small numbers, halves and quarters of them are numbers; 9.81, 0.0337 or 1e5 may have a unit that
 * the model does not give. */
static Unit unit_of_literal(const char *text)
{
    static const double LARGE = 100;
    double x = strtod(text, NULL);
    return x < LARGE && 4 * x == floor(4 * x) ? number : any;
}

static Unit unit_of_power(const UnitScope *p, const SynExpr *x)
{
    Unit base = unit_of(p, x->arg.at[0]), exponent = unit_of(p, x->arg.at[1]);
    double power;
    if (exponent.kind == UNIT_KNOWN && !is_one(&exponent))
        report(p, x->arg.at[1]->span,
               arena_printf(p->f->mem, "an exponent is a number; here it is in %s (MLS 19)",
                            unit_text(p, &exponent)));
    if (base.kind != UNIT_KNOWN || is_one(&base))
        return base;
    return is_literal(x->arg.at[1], &power) ? raised(base, power) : any;
}

static Unit unit_of_chain(const UnitScope *p, const SynExpr *x)
{
    Unit sum = unit_of(p, x->arg.at[0]);
    for (uint32_t k = 1; k < x->arg.n; k++) {
        Unit next = unit_of(p, x->arg.at[k]);
        switch (x->ops[k]) {
        case SYN_ADD:
        case SYN_SUB:
        case SYN_EL_ADD:
        case SYN_EL_SUB:
            /* a sum of an absolute value (degC) and a difference has no known scale */
            if (sum.offset != 0 || next.offset != 0 || sum.kind == UNIT_ANY ||
                next.kind == UNIT_ANY)
                sum.is_scaled = next.is_scaled = false;
            sum = fit(p, x->arg.at[k]->span, sum, next, "of a sum");
            break;
        case SYN_MUL:
        case SYN_EL_MUL:
            sum = times(sum, next, 1);
            break;
        case SYN_DIV:
        case SYN_EL_DIV:
            sum = times(sum, next, -1);
            break;
        default:
            sum = number;
        }
    }
    return sum;
}

/* Elements of an array may have units of their own. */
static Unit unit_of_elements(const UnitScope *p, const SynExprs *x, Unit before, bool *begun)
{
    for (uint32_t k = 0; k < x->n; k++) {
        Unit u = x->at[k] ? unit_of(p, x->at[k]) : any;
        bool fits = u.kind != UNIT_KNOWN || before.kind != UNIT_KNOWN || same(&u, &before);
        bool is_any = *begun && (before.kind == UNIT_ANY || u.kind == UNIT_ANY || !fits);
        before = is_any ? any : !*begun || u.kind == UNIT_KNOWN ? u : before;
        *begun = true;
    }
    return before;
}

static Unit unit_of_array(const UnitScope *p, const SynExpr *x)
{
    UnitScope in = *p;
    const Iterators own = {x->iter, x->n_iter, p->iterators};
    in.iterators = x->n_iter ? &own : p->iterators;
    bool begun = false;
    return unit_of_elements(&in, &x->arg, number, &begun);
}

static Unit unit_of(const UnitScope *p, const SynExpr *x)
{
    switch (x->kind) {
    case SYN_INTEGER:
    case SYN_REAL:
        return unit_of_literal(x->text);
    case SYN_BOOLEAN:
    case SYN_STRING:
    case SYN_END:
        return number;
    case SYN_CREF:
        return unit_of_reference(p, x->cref);
    case SYN_UNARY:
        return unit_of(p, x->arg.at[0]);
    case SYN_CHAIN:
        return unit_of_chain(p, x);
    case SYN_BINARY:
        if (x->op == SYN_POW || x->op == SYN_EL_POW)
            return unit_of_power(p, x);
        fit(p, x->span, unit_of(p, x->arg.at[0]), unit_of(p, x->arg.at[1]), "of a relation");
        return number;
    case SYN_IF: {
        Unit all = unit_of(p, x->arg.at[x->arg.n - 1]);
        for (uint32_t k = 0; k + 1 < x->arg.n; k += 2) {
            unit_of(p, x->arg.at[k]);
            Unit u = unit_of(p, x->arg.at[k + 1]);
            /* a parameter may choose the scale, as `if TinK then T else T_degC` does */
            all.is_scaled = u.is_scaled =
                all.is_scaled && u.is_scaled && all.factor == u.factor && all.offset == u.offset;
            all = fit(p, x->arg.at[k + 1]->span, all, u, "of the branches of an if-expression");
        }
        return all;
    }
    case SYN_CALL:
        return unit_of_call(p, x);
    case SYN_ARRAY:
        return unit_of_array(p, x);
    case SYN_MATRIX: {
        Unit all = number;
        bool begun = false;
        for (uint32_t k = 0; k < x->n_rows; k++)
            all = unit_of_elements(p, &x->row[k], all, &begun);
        return all;
    }
    case SYN_RANGE:
    case SYN_PARTIAL:
    case SYN_TUPLE:
    case SYN_INDEX:
    case SYN_COLON:
        return any;
    }
    return any;
}

/* ---- sides: records and connectors by their components, arrays by their elements --------------
 */

/* An expression, or a component as a whole. */
typedef struct Side {
    const SynExpr *x; /* or NULL */
    Component whole;  /* .e NULL: it is none */
} Side;

static Side side_of_reference(const UnitScope *p, const SynCref *cref)
{
    bool is_number;
    Side s = {NULL, {0}};
    if (cref->part[cref->n - 1].sub.n == 0)
        s.whole = referenced(p, cref, &is_number);
    return s;
}

static Side side_of(const UnitScope *p, const SynExpr *x)
{
    Side s = {NULL, {0}};
    if (x->kind == SYN_CREF)
        s = side_of_reference(p, x->cref);
    s.x = x;
    return s;
}

/* The units of a component's elements, {"m", "rad"}; NULL: all have the same. */
static const SynExpr *units_of_elements(const UnitScope *p, const Side *s)
{
    const Element *e = s->whole.e;
    if (!e || e->is_class || e->typed != TYPE_KNOWN || !e->type || !e->type->terminal)
        return NULL;
    Env all = env_join(p->f, env_join(p->f, s->whole.around, e->env), e->type->terminal->env);
    const SynExpr *x = first_value(p, all);
    return x && x->kind == SYN_ARRAY && x->n_iter == 0 ? x : NULL;
}

static Unit unit_of_nth(const UnitScope *p, const Side *s, uint32_t k)
{
    const SynExpr *own = units_of_elements(p, s), *x = s->x;
    if (own)
        return k < own->arg.n && own->arg.at[k]->kind == SYN_STRING
                   ? unit_of_text(own->arg.at[k]->text)
                   : any;
    if (x && x->kind == SYN_ARRAY && x->n_iter == 0)
        return k < x->arg.n && x->arg.at[k] ? unit_of(p, x->arg.at[k]) : any;
    return any;
}

/* Compares two sides of which `a` and `b` are the units as a whole. */
static void fit_sides(const UnitScope *p, Span at, Side x, Unit a, Side y, Unit b, const char *what)
{
    const SynExpr *own = units_of_elements(p, &x);
    own = own ? own : units_of_elements(p, &y);
    for (uint32_t k = 0; own && k < own->arg.n; k++)
        fit(p, at, unit_of_nth(p, &x, k), unit_of_nth(p, &y, k), what);
    if (!own && has_components(&x.whole) && has_components(&y.whole)) {
        const Class *c = x.whole.e->type;
        for (uint32_t k = 0; k < c->component.n && c != y.whole.e->type; k++) {
            Name name = c->component.at[k]->name;
            Side i = {NULL, component_in(p, &x.whole, name)};
            Side j = {NULL, component_in(p, &y.whole, name)};
            if (i.whole.e && j.whole.e)
                fit_sides(p, at, i, unit_of_whole(p, &i.whole), j, unit_of_whole(p, &j.whole),
                          arena_printf(p->f->mem, "%s, '%s'", what, name.s));
        }
    } else if (!own) {
        fit(p, at, a, b, what);
    }
}

/* ---- equations, statements, bindings --------------------------------------------------------- */

/* (a, b) = f(x) */
static void check_results(const UnitScope *p, const SynExprs *to, const SynExpr *from)
{
    unit_of(p, from);
    const Class *c = from->kind == SYN_CALL ? called(p, from) : NULL;
    for (uint32_t k = 0; c && k < to->n; k++)
        if (to->at[k])
            fit(p, to->at[k]->span, unit_of(p, to->at[k]), unit_of_result(p, c, k),
                "of a variable and the result for it");
}

static void check_equations(const UnitScope *p, const SynEquations *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        switch (x->kind) {
        case SYN_EQ_EQUAL:
            if (x->lhs->kind == SYN_TUPLE)
                check_results(p, &x->lhs->arg, x->rhs);
            else
                fit_sides(p, x->span, side_of(p, x->lhs), unit_of(p, x->lhs), side_of(p, x->rhs),
                          unit_of(p, x->rhs), "of the sides of an equation");
            break;
        case SYN_EQ_CALL:
            unit_of(p, x->call);
            break;
        case SYN_EQ_CONNECT:
            fit_sides(p, x->span, side_of_reference(p, x->a), unit_of_reference(p, x->a),
                      side_of_reference(p, x->b), unit_of_reference(p, x->b),
                      "of connected variables");
            break;
        case SYN_EQ_IF:
        case SYN_EQ_WHEN:
            for (uint32_t j = 0; j < x->n_branches; j++) {
                if (x->branch[j].condition)
                    unit_of(p, x->branch[j].condition);
                check_equations(p, &x->branch[j].body);
            }
            break;
        case SYN_EQ_FOR: {
            UnitScope in = *p;
            const Iterators own = {x->iter, x->n_iter, p->iterators};
            in.iterators = &own;
            check_equations(&in, &x->body);
            break;
        }
        }
    }
}

static void check_statements(const UnitScope *p, const SynStatements *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynStatement *x = all->at[k];
        UnitScope in = *p;
        const Iterators own = {x->iter, x->n_iter, p->iterators};
        in.iterators = x->kind == SYN_ST_FOR ? &own : p->iterators;
        if (x->kind == SYN_ST_ASSIGN)
            fit_sides(p, x->span, side_of_reference(p, x->target), unit_of_reference(p, x->target),
                      side_of(p, x->value), unit_of(p, x->value), "of the sides of an assignment");
        else if (x->kind == SYN_ST_TUPLE)
            check_results(p, &x->tuple, x->value);
        else if (x->kind == SYN_ST_CALL || x->kind == SYN_ST_WHILE)
            unit_of(p, x->value);
        for (uint32_t j = 0; j < x->n_branches; j++) {
            if (x->branch[j].condition)
                unit_of(p, x->branch[j].condition);
            check_statements(p, &x->branch[j].body);
        }
        check_statements(&in, &x->body);
    }
}

/* A text that is not written as a unit (MLS 19.1), or has a symbol that is not known. */
static void check_text(const UnitScope *p, const SynExpr *x)
{
    for (uint32_t k = 0; x->kind == SYN_ARRAY && k < x->arg.n; k++)
        if (x->arg.at[k])
            check_text(p, x->arg.at[k]);
    if (x->kind != SYN_STRING)
        return;
    const char *fault = unit_fault(x->text), *nearest;
    const char *unknown = fault ? NULL : unit_unknown(p->f->mem, x->text, &nearest);
    if (fault)
        report(p, x->span,
               arena_printf(p->f->mem, "\"%s\" is no unit: %s (MLS 19.1)", x->text, fault));
    else if (unknown)
        report(p, x->span,
               arena_printf(p->f->mem,
                            "the unit symbol '%s' is not known, so that this unit is not "
                            "checked%s%s%s (MLS 19)",
                            unknown, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                            nearest ? "'?" : ""));
}

/* Reports texts of unit and displayUnit that are no units, and a displayUnit in which values of
 * that unit cannot be shown. */
static void check_texts(const UnitScope *p, const SynMod *mod)
{
    const SynExpr *of[2] = {NULL, NULL}; /* unit, displayUnit */
    for (uint32_t k = 0; mod && k < mod->n; k++) {
        const SynArg *a = &mod->arg[k];
        if (a->kind != SYN_ARG_MODIFY || !a->mod || !a->mod->value || a->path.n != 1)
            continue;
        const char *name = a->path.name[0].s;
        int which = strcmp(name, "unit") == 0 ? 0 : strcmp(name, "displayUnit") == 0 ? 1 : 2;
        if (which < 2)
            check_text(p, a->mod->value);
        if (which < 2 && a->mod->value->kind == SYN_STRING)
            of[which] = a->mod->value;
    }
    UnitOfMeasure unit, shown;
    if (of[0] && of[1] && unit_read(of[0]->text, &unit) && unit_read(of[1]->text, &shown) &&
        !unit_fits(&unit, &shown))
        report(p, of[1]->span,
               arena_printf(p->f->mem, "values in %s cannot be shown in %s (MLS 4.9.1)",
                            of[0]->text, of[1]->text));
}

/* Checks the units of a modification's values: of e itself and, by name, of its components. */
static void check_modification(const UnitScope *p, Env around, const Element *e, const SynMod *mod)
{
    if (!mod || e->is_class || e->typed != TYPE_KNOWN || !e->type)
        return;
    bool is_plain = e->type->kind == CLASS_PLAIN;
    if (is_plain)
        check_texts(p, mod);
    if (mod->value) {
        Side own = {NULL, {e, around}};
        fit_sides(p, mod->value->span, own, unit_of_whole(p, &own.whole), side_of(p, mod->value),
                  unit_of(p, mod->value),
                  arena_printf(p->f->mem, "of '%s' and its value", e->name.s));
    }
    for (uint32_t k = 0; k < mod->n; k++) {
        const SynArg *a = &mod->arg[k];
        if (a->kind != SYN_ARG_MODIFY || !a->mod || a->path.n != 1)
            continue;
        const char *name = a->path.name[0].s;
        bool of_e = strcmp(name, "start") == 0 || strcmp(name, "min") == 0 ||
                    strcmp(name, "max") == 0 || strcmp(name, "nominal") == 0;
        if (is_plain) {
            if (of_e && a->mod->value)
                fit(p, a->mod->value->span, unit_of_element(p, around, e, &(SynExprs){0}),
                    unit_of(p, a->mod->value),
                    arena_printf(p->f->mem, "of '%s' and its %s", e->name.s, name));
            continue;
        }
        if (e->type->state != CLASS_DONE)
            continue;
        const Element *inner = class_element(p->f, e->type, a->path.name[0]);
        if (inner)
            check_modification(p, env_sub(p->f, env_join(p->f, around, e->env), a->path.name[0]),
                               inner, a->mod);
    }
}

void unit_rules(Front *f, Class *c)
{
    const UnitScope p = {.f = f, .cls = c};
    if (c->kind == CLASS_PLAIN)
        check_texts(&p, c->syn->mod);
    for (uint32_t k = 0; k < c->syn->n_elements; k++) {
        const SynElement *syn = c->syn->elements[k];
        if (syn->kind != SYN_COMPONENT)
            continue;
        const Element *e = class_element(f, c, syn->component->name);
        if (e && e->original == syn)
            check_modification(&p, (Env){0}, e, syn->component->mod);
    }
    for (uint32_t k = 0; k < c->syn->n_sections; k++) {
        const SynSection *s = &c->syn->section[k];
        if (s->algorithm)
            check_statements(&p, &s->statements);
        else
            check_equations(&p, &s->equations);
    }
}
