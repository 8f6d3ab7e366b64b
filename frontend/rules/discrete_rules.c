/* discrete_rules.c -- discrete-time variables equal discrete-time expressions (MLS 3.6 ch. 3.8.5).
 *
 * Reads the text of one class. A connection may turn a Real variable into a clocked one (MLS 16.7),
 * so it counts as continuous only where this class proves it: the class differentiates it, or
 * defines it by a continuous expression such as `time`.
 */
#include "frontend/rules/rules.h"

#include <string.h>

enum { DEFINITIONS_DEEP = 20 }; /* of variables by variables */

typedef struct Discrete {
    Front *f;
    Class *cls;
    Map differentiated; /* names of own variables                    */
    Map defined;        /* name -> index in definition               */
    VEC(const SynExpr *) definition;
    bool in_no_event; /* relations make no events here             */
    bool in_branch;   /* under a continuous condition (3.8.5)      */
    uint32_t depth;
    const SynExpr *side; /* right one of the current equation */
} Discrete;

static bool is_continuous(Discrete *d, const SynExpr *x);

static bool any_continuous(Discrete *d, const SynExprs *x)
{
    for (uint32_t k = 0; k < x->n; k++)
        if (x->at[k] && is_continuous(d, x->at[k]))
            return true;
    return false;
}

static bool is_one_of(const char *name, const char *const *list, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(name, list[k]) == 0)
            return true;
    return false;
}

static bool is_predefined(const Discrete *d, Name name)
{
    return lookup_name(d->f, &d->cls->body, name).kind == FOUND_NONE;
}

/* The own component that a reference without dots names; NULL: another thing. */
static const Element *own_component(const Discrete *d, const SynCref *cref)
{
    const Element *e =
        cref->n == 1 && !cref->global ? class_element(d->f, d->cls, cref->part[0].name) : NULL;
    return e && !e->is_class && e->typed == TYPE_KNOWN && e->type->kind != CLASS_OTHER ? e : NULL;
}

static bool is_continuous_reference(Discrete *d, const SynCref *cref)
{
    Name name = cref->part[0].name;
    if (cref->n == 1 && strcmp(name.s, "time") == 0 && is_predefined(d, name))
        return true;
    const Element *e = own_component(d, cref);
    if (!e || e->member.variability != VARIES_ALWAYS || e->type->kind != CLASS_PLAIN)
        return false;
    if (map_get(&d->differentiated, map_key_ptr(name.s)) != MAP_NONE)
        return true;
    uint32_t k = map_get(&d->defined, map_key_ptr(name.s));
    if (k == MAP_NONE || d->depth >= DEFINITIONS_DEEP)
        return false;
    d->depth++;
    bool outer = d->in_no_event;
    d->in_no_event = false;
    bool found = is_continuous(d, d->definition.at[k]);
    d->in_no_event = outer;
    d->depth--;
    return found;
}

/* MLS 3.8.5, 16: of the operators that are not as variable as their arguments. */
static bool is_continuous_call(Discrete *d, const SynExpr *x)
{
    static const char *const discrete[] = {
        "pre",      "edge",         "change",      "initial",     "terminal",   "sample",
        "previous", "hold",         "subSample",   "superSample", "backSample", "shiftSample",
        "noClock",  "interval",     "firstTick",   "size",        "ndims",      "cardinality",
        "Clock",    "ticksInState", "timeInState", "activeState", "fill",       "zeros",
        "ones",     "identity",     "reinit",      "isRoot",      "rooted",     "getInstanceName",
    };
    static const char *const steps[] = {"integer", "ceil", "floor", "div"};
    const char *name = x->cref->part[0].name.s;
    if (x->n_iter)
        return false;
    if (x->cref->n == 1 && is_predefined(d, x->cref->part[0].name)) {
        if (strcmp(name, "noEvent") == 0) {
            bool outer = d->in_no_event;
            d->in_no_event = true;
            bool found = any_continuous(d, &x->arg);
            d->in_no_event = outer;
            return found;
        }
        if (strcmp(name, "der") == 0)
            return true;
        if (is_one_of(name, discrete, sizeof discrete / sizeof *discrete) ||
            (!d->in_no_event && is_one_of(name, steps, sizeof steps / sizeof *steps)))
            return false;
    }
    bool found = any_continuous(d, &x->arg);
    for (uint32_t k = 0; k < x->n_named && !found; k++)
        found = x->named[k].value && is_continuous(d, x->named[k].value);
    return found;
}

/* Is x, without a doubt, no discrete-time expression. */
static bool is_continuous(Discrete *d, const SynExpr *x)
{
    switch (x->kind) {
    case SYN_CREF:
        return is_continuous_reference(d, x->cref);
    case SYN_BINARY:
        /* a relation that makes events changes at these events only */
        if (x->op >= SYN_LT && x->op <= SYN_GE && !d->in_no_event)
            return false;
        return any_continuous(d, &x->arg);
    case SYN_UNARY:
    case SYN_CHAIN:
    case SYN_IF:
    case SYN_RANGE:
    case SYN_TUPLE:
        return any_continuous(d, &x->arg);
    case SYN_ARRAY:
        return !x->n_iter && any_continuous(d, &x->arg);
    case SYN_MATRIX:
        for (uint32_t k = 0; k < x->n_rows; k++)
            if (any_continuous(d, &x->row[k]))
                return true;
        return false;
    case SYN_CALL:
        return is_continuous_call(d, x);
    default:
        return false;
    }
}

/* Is x, without a doubt, of no type Real: the equations of 3.8.5 are between such. */
static bool is_discrete_valued(Discrete *d, const SynExpr *x)
{
    switch (x->kind) {
    case SYN_INTEGER:
    case SYN_STRING:
    case SYN_BOOLEAN:
        return true;
    case SYN_CREF: {
        const Element *e = own_component(d, x->cref);
        return e && (e->type->kind == CLASS_ENUMERATION ||
                     (e->type->kind == CLASS_PLAIN && e->type->base_type != TYPE_REAL));
    }
    case SYN_BINARY:
        return x->op >= SYN_LT && x->op <= SYN_NE;
    case SYN_CHAIN:
        if (x->ops[1] == SYN_AND || x->ops[1] == SYN_OR)
            return true;
        for (uint32_t k = 0; k < x->arg.n; k++)
            if ((k > 0 && (x->ops[k] == SYN_DIV || x->ops[k] == SYN_EL_DIV)) ||
                !is_discrete_valued(d, x->arg.at[k]))
                return false;
        return true;
    case SYN_UNARY:
        return x->op == SYN_NOT || is_discrete_valued(d, x->arg.at[0]);
    case SYN_IF:
        for (uint32_t k = 1; k < x->arg.n; k += 2)
            if (!is_discrete_valued(d, x->arg.at[k]))
                return false;
        return is_discrete_valued(d, x->arg.at[x->arg.n - 1]);
    case SYN_CALL: {
        const char *name = x->cref->part[0].name.s;
        if (x->cref->n == 1 && is_predefined(d, x->cref->part[0].name))
            return strcmp(name, "integer") == 0 || strcmp(name, "String") == 0 ||
                   strcmp(name, "Integer") == 0 || strcmp(name, "sign") == 0 ||
                   (strcmp(name, "noEvent") == 0 && x->arg.n == 1 && x->arg.at[0] &&
                    is_discrete_valued(d, x->arg.at[0]));
        Scope scope = d->cls->body;
        const Class *f = scope_class(d->f, &scope, x->cref);
        for (uint32_t k = 0; f && f->state == CLASS_DONE && k < f->component.n; k++) {
            const Element *e = f->component.at[k];
            if (e->component->prefix.causality == SYN_OUTPUT)
                return e->typed == TYPE_KNOWN &&
                       (e->type->kind == CLASS_ENUMERATION ||
                        (e->type->kind == CLASS_PLAIN && e->type->base_type != TYPE_REAL));
        }
        return false;
    }
    default:
        return false;
    }
}

/* Is there no Real variable in x that this equation could be solved for: other equations define all
 * of them by known variables. */
static bool has_no_unknowns(Discrete *d, const SynExpr *x)
{
    switch (x->kind) {
    case SYN_INTEGER:
    case SYN_REAL:
        return true;
    case SYN_CREF: {
        const Element *e = own_component(d, x->cref);
        if (!e)
            return strcmp(x->cref->part[0].name.s, "time") == 0;
        if (e->member.variability < VARIES_ALWAYS)
            return true;
        uint32_t k = map_get(&d->defined, map_key_ptr(e->name.s));
        if (k == MAP_NONE || d->definition.at[k] == d->side || d->depth >= DEFINITIONS_DEEP)
            return false;
        d->depth++;
        bool known = has_no_unknowns(d, d->definition.at[k]);
        d->depth--;
        return known;
    }
    case SYN_CALL:
    case SYN_UNARY:
    case SYN_BINARY:
    case SYN_CHAIN:
        for (uint32_t k = 0; k < x->arg.n; k++)
            if (!x->arg.at[k] || !has_no_unknowns(d, x->arg.at[k]))
                return false;
        return x->kind != SYN_CALL || (!x->n_named && strcmp(x->cref->part[0].name.s, "der") != 0);
    default:
        return false;
    }
}

/* ---- the checks ----------------------------------------------------------------------------- */

/* The discrete-time variable that is named, by its declaration: no Real, or prefixed (MLS 4.4.2).
 */
static const Element *discrete_variable(const Discrete *d, const SynExpr *x)
{
    const Element *e = x && x->kind == SYN_CREF ? own_component(d, x->cref) : NULL;
    bool is_simple = e && (e->type->kind == CLASS_ENUMERATION ||
                           (e->type->kind == CLASS_PLAIN && e->type->base_type != TYPE_OBJECT &&
                            e->type->base_type != TYPE_CLOCK));
    return is_simple && e->member.variability == VARIES_DISCRETE ? e : NULL;
}

static void check_side(Discrete *d, const Element *to, const SynExpr *from)
{
    if (!to)
        return;
    if (d->in_branch)
        rule_error(d->f, from->span, "T41",
                   "'%s' changes at events only, so it is not decided by a condition that makes no "
                   "event (MLS 3.8.5)",
                   to->name.s);
    else if (is_continuous(d, from))
        rule_error(d->f, from->span, "T41",
                   "'%s' changes at events only, and this changes all the time: when-clauses, "
                   "relations and integer() make events (MLS 3.8.5)",
                   to->name.s);
}

/* An equation of Reals may well be for another variable than the discrete one. */
static void check_equation(Discrete *d, const SynExpr *to, const SynExpr *from)
{
    const Element *e = discrete_variable(d, to);
    bool is_real = e && e->type->kind == CLASS_PLAIN && e->type->base_type == TYPE_REAL;
    if (e && ((!is_real && is_discrete_valued(d, from)) || has_no_unknowns(d, from)))
        check_side(d, e, from);
    const Element *real = from->kind == SYN_CREF ? own_component(d, from->cref) : NULL;
    if (e && e->type->base_type == TYPE_INTEGER && real && real->type->kind == CLASS_PLAIN &&
        real->type->base_type == TYPE_REAL && has_no_unknowns(d, from) && !is_continuous(d, from))
        rule_error(d->f, from->span, "T30",
                   "'%s' is an Integer and this a Real, which has its value already (MLS 6.7, "
                   "8.3.1)",
                   e->name.s);
}

/* MLS 3.8.5: an expression that makes events must not stand in a branch whose condition makes
 * none. */
static void check_events(Discrete *d, const SynExpr *x)
{
    switch (x->kind) {
    case SYN_BINARY:
        if (d->in_branch && !d->in_no_event && x->op >= SYN_LT && x->op <= SYN_GE &&
            any_continuous(d, &x->arg)) {
            rule_error(d->f, x->span, "T41",
                       "this relation makes events, but a condition without events decides whether "
                       "it counts: write noEvent() (MLS 3.8.5)");
            return;
        }
        break;
    case SYN_IF: {
        bool outer = d->in_branch;
        for (uint32_t k = 0; k < x->arg.n; k++) {
            bool is_condition = k % 2 == 0 && k + 1 < x->arg.n;
            if (is_condition) {
                check_events(d, x->arg.at[k]);
                d->in_branch = d->in_branch || is_continuous(d, x->arg.at[k]);
            } else {
                check_events(d, x->arg.at[k]);
            }
        }
        d->in_branch = outer;
        return;
    }
    case SYN_CALL: {
        bool outer = d->in_no_event;
        const char *name = x->cref->part[0].name.s;
        d->in_no_event = outer || strcmp(name, "noEvent") == 0 || strcmp(name, "smooth") == 0;
        for (uint32_t k = 0; k < x->arg.n; k++)
            if (x->arg.at[k])
                check_events(d, x->arg.at[k]);
        d->in_no_event = outer;
        return;
    }
    case SYN_UNARY:
    case SYN_CHAIN:
    case SYN_ARRAY:
        break;
    default:
        return;
    }
    for (uint32_t k = 0; k < x->arg.n; k++)
        if (x->arg.at[k])
            check_events(d, x->arg.at[k]);
}

/* MLS 3.8: of a call with several results all variables are as variable as the call. As an equation
 * this is only a warning: the standard library has such equations. */
static void tuple(Discrete *d, const SynExprs *to, const SynExpr *from, bool is_equation)
{
    for (uint32_t k = 0; k < to->n; k++) {
        const Element *e = discrete_variable(d, to->at[k]);
        if (!is_equation)
            check_side(d, e, from);
        else if (e && is_continuous(d, from))
            diag_warning(d->f->diags, to->at[k]->span, "T41",
                         "'%s' changes at events only, and the arguments of the function change "
                         "all the time (MLS 3.8)",
                         e->name.s);
    }
}

static void check_equations(Discrete *d, const SynEquations *all);

static void check_branches(Discrete *d, const SynEquation *x)
{
    bool outer = d->in_branch;
    for (uint32_t j = 0; j < x->n_branches; j++) {
        const SynExpr *condition = x->branch[j].condition;
        if (condition) {
            check_events(d, condition);
            d->in_branch = d->in_branch || is_continuous(d, condition);
        }
        check_equations(d, &x->branch[j].body);
    }
    d->in_branch = outer;
}

static void check_equations(Discrete *d, const SynEquations *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        switch (x->kind) {
        case SYN_EQ_EQUAL:
            if (x->lhs->kind == SYN_TUPLE) {
                tuple(d, &x->lhs->arg, x->rhs, true);
            } else {
                d->side = x->rhs;
                check_equation(d, x->lhs, x->rhs);
                check_equation(d, x->rhs, x->lhs);
                check_events(d, x->lhs);
            }
            check_events(d, x->rhs);
            break;
        case SYN_EQ_IF:
            check_branches(d, x);
            break;
        case SYN_EQ_FOR:
            check_equations(d, &x->body);
            break;
        case SYN_EQ_WHEN: /* all is discrete there */
        case SYN_EQ_CALL:
        case SYN_EQ_CONNECT:
            break;
        }
    }
}

static void check_statements(Discrete *d, const SynStatements *all)
{
    bool outer = d->in_branch;
    for (uint32_t k = 0; k < all->n; k++) {
        const SynStatement *x = all->at[k];
        switch (x->kind) {
        case SYN_ST_ASSIGN: {
            SynExpr to = {.kind = SYN_CREF, .span = x->span, .cref = x->target};
            check_side(d, discrete_variable(d, &to), x->value);
            check_events(d, x->value);
            break;
        }
        case SYN_ST_TUPLE:
            tuple(d, &x->tuple, x->value, false);
            break;
        case SYN_ST_IF:
            for (uint32_t j = 0; j < x->n_branches; j++) {
                if (x->branch[j].condition)
                    d->in_branch = d->in_branch || is_continuous(d, x->branch[j].condition);
                check_statements(d, &x->branch[j].body);
            }
            d->in_branch = outer;
            break;
        case SYN_ST_FOR:
            check_statements(d, &x->body);
            break;
        case SYN_ST_WHILE:
            d->in_branch = d->in_branch || is_continuous(d, x->value);
            check_statements(d, &x->body);
            d->in_branch = outer;
            break;
        default:
            break;
        }
    }
}

/* ---- the class's statements on its variables ------------------------------------------------- */

static void find_derivatives(Discrete *d, const SynExpr *x)
{
    switch (x->kind) {
    case SYN_CALL:
        if (x->cref->n == 1 && strcmp(x->cref->part[0].name.s, "der") == 0 && x->arg.n == 1 &&
            x->arg.at[0] && x->arg.at[0]->kind == SYN_CREF && x->arg.at[0]->cref->n == 1)
            map_add(&d->differentiated, map_key_ptr(x->arg.at[0]->cref->part[0].name.s));
        break;
    case SYN_UNARY:
    case SYN_CHAIN:
    case SYN_BINARY:
        break;
    default:
        return;
    }
    for (uint32_t k = 0; k < x->arg.n; k++)
        if (x->arg.at[k])
            find_derivatives(d, x->arg.at[k]);
}

static void define(Discrete *d, Name name, const SynExpr *by)
{
    if (map_get(&d->defined, map_key_ptr(name.s)) != MAP_NONE)
        return;
    map_put(&d->defined, map_key_ptr(name.s), d->definition.n);
    vec_push(d->f->scratch, d->definition, by);
}

/* Bindings, and equations that have a variable alone on the left. */
static void find_definitions(Discrete *d)
{
    const SynClass *syn = d->cls->syn;
    for (uint32_t k = 0; k < syn->n_elements; k++) {
        const SynElement *e = syn->elements[k];
        if (e->kind == SYN_COMPONENT && e->component->mod && e->component->mod->value)
            define(d, e->component->name, e->component->mod->value);
    }
    for (uint32_t k = 0; k < syn->n_sections; k++) {
        const SynSection *s = &syn->section[k];
        for (uint32_t j = 0; !s->algorithm && !s->initial && j < s->equations.n; j++) {
            const SynEquation *x = s->equations.at[j];
            if (x->kind != SYN_EQ_EQUAL)
                continue;
            find_derivatives(d, x->lhs);
            find_derivatives(d, x->rhs);
            if (x->lhs->kind == SYN_CREF && x->lhs->cref->n == 1 && !x->lhs->cref->part[0].sub.n)
                define(d, x->lhs->cref->part[0].name, x->rhs);
        }
    }
}

/* ---- variables declared discrete ------------------------------------------------------------ */

/* Collects the names of variables assigned in when-clauses. */
static void when_equations(Map *to, const SynEquations *all, bool in_when)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        if (x->kind == SYN_EQ_EQUAL && in_when) {
            const SynExprs one = {.at = (SynExpr *[]){x->lhs}, .n = 1};
            const SynExprs *left = x->lhs->kind == SYN_TUPLE ? &x->lhs->arg : &one;
            for (uint32_t j = 0; j < left->n; j++)
                if (left->at[j] && left->at[j]->kind == SYN_CREF)
                    map_add(to, map_key_ptr(left->at[j]->cref->part[0].name.s));
        }
        if (x->kind == SYN_EQ_FOR)
            when_equations(to, &x->body, in_when);
        for (uint32_t j = 0; (x->kind == SYN_EQ_IF || x->kind == SYN_EQ_WHEN) && j < x->n_branches;
             j++)
            when_equations(to, &x->branch[j].body, in_when || x->kind == SYN_EQ_WHEN);
    }
}

static void when_statements(Map *to, const SynStatements *all, bool in_when)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynStatement *x = all->at[k];
        if (x->kind == SYN_ST_ASSIGN && in_when)
            map_add(to, map_key_ptr(x->target->part[0].name.s));
        for (uint32_t j = 0; x->kind == SYN_ST_TUPLE && in_when && j < x->tuple.n; j++)
            if (x->tuple.at[j] && x->tuple.at[j]->kind == SYN_CREF)
                map_add(to, map_key_ptr(x->tuple.at[j]->cref->part[0].name.s));
        if (x->kind == SYN_ST_FOR || x->kind == SYN_ST_WHILE)
            when_statements(to, &x->body, in_when);
        for (uint32_t j = 0; (x->kind == SYN_ST_IF || x->kind == SYN_ST_WHEN) && j < x->n_branches;
             j++)
            when_statements(to, &x->branch[j].body, in_when || x->kind == SYN_ST_WHEN);
    }
}

/* Does an operator on clocks stand in x (MLS 16); sample() of a start and an interval is none. */
static bool is_of_clocks(const SynExpr *x)
{
    static const char *const operators[] = {"Clock",       "previous",    "hold",       "subSample",
                                            "superSample", "shiftSample", "backSample", "noClock",
                                            "sample",      "firstTick",   "interval"};
    if (!x)
        return false;
    switch (x->kind) {
    case SYN_CALL:
        if (x->cref->n == 1 &&
            is_one_of(x->cref->part[0].name.s, operators, sizeof operators / sizeof *operators))
            return true;
        for (uint32_t k = 0; k < x->n_named; k++)
            if (is_of_clocks(x->named[k].value))
                return true;
        break;
    case SYN_UNARY:
    case SYN_BINARY:
    case SYN_CHAIN:
    case SYN_IF:
    case SYN_ARRAY:
    case SYN_TUPLE:
    case SYN_RANGE:
        break;
    default:
        return false;
    }
    for (uint32_t k = 0; k < x->arg.n; k++)
        if (is_of_clocks(x->arg.at[k]))
            return true;
    return false;
}

static bool has_clocks(const SynEquations *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        if (x->kind == SYN_EQ_EQUAL && (is_of_clocks(x->lhs) || is_of_clocks(x->rhs)))
            return true;
        if (x->kind == SYN_EQ_FOR && has_clocks(&x->body))
            return true;
        for (uint32_t j = 0; (x->kind == SYN_EQ_IF || x->kind == SYN_EQ_WHEN) && j < x->n_branches;
             j++)
            if (has_clocks(&x->branch[j].body))
                return true;
    }
    return false;
}

/* Can a variable of c be clocked: by a clock operator in c, or, if *is_open, by a connection (MLS
 * 16.7). */
static bool may_be_clocked(const Class *c, bool *is_open)
{
    *is_open = false;
    for (uint32_t k = 0; k < c->component.n; k++) {
        const Element *e = c->component.at[k];
        const SynMod *mod = e->component->mod;
        *is_open = *is_open || e->typed != TYPE_KNOWN || e->member.is_input || e->is_outer ||
                   class_is_connector(e->type) || e->type->kind == CLASS_OTHER;
        if (mod && is_of_clocks(mod->value))
            return true;
    }
    for (uint32_t b = 0; b < c->linear.n; b++) {
        const SynClass *syn = c->linear.at[b]->syn;
        for (uint32_t j = 0; syn && j < syn->n_sections; j++)
            if (!syn->section[j].algorithm && has_clocks(&syn->section[j].equations))
                return true;
    }
    return false;
}

/* MLS 4.4.4: a Real variable with the prefix discrete is assigned in a when-clause of its model,
 * unless it is clocked. An input gets its value from outside; components of connectors are not
 * checked. */
static void check_discrete(Front *f, Class *c)
{
    bool concerns = c->self == c && !class_is_partial(c) &&
                    (class_is(c, SYN_R_MODEL) || class_is(c, SYN_R_BLOCK));
    Map assigned = {0};
    bool is_ready = false, is_open = false, is_clocked = false;
    for (uint32_t k = 0; concerns && k < c->component.n; k++) {
        const Element *e = c->component.at[k];
        if (e->typed != TYPE_KNOWN || e->component->prefix.variability != SYN_DISCRETE ||
            e->type->kind != CLASS_PLAIN || e->type->base_type != TYPE_REAL || e->member.is_input ||
            e->is_outer)
            continue;
        if (!is_ready) {
            is_ready = true;
            is_clocked = may_be_clocked(c, &is_open);
            assigned = map_new(f->scratch);
            for (uint32_t b = 0; b < c->linear.n; b++) {
                const SynClass *syn = c->linear.at[b]->syn;
                for (uint32_t j = 0; syn && j < syn->n_sections; j++)
                    if (syn->section[j].algorithm)
                        when_statements(&assigned, &syn->section[j].statements, false);
                    else
                        when_equations(&assigned, &syn->section[j].equations, false);
            }
        }
        if (!is_clocked && map_get(&assigned, map_key_ptr(e->name.s)) == MAP_NONE)
            (is_open ? rule_if_strict : rule_error)(
                f, e->component->name_span, "T41",
                "'%s' is declared discrete, but no when-clause assigns it: leave 'discrete' out "
                "(MLS 4.4.4)",
                e->name.s);
    }
}

void discrete_rules(Front *f, Class *c)
{
    if (class_is(c, SYN_R_FUNCTION) || class_is(c, SYN_R_OPERATOR_FUNCTION))
        return; /* MLS 3.8.5: all is discrete there */
    check_discrete(f, c);
    Discrete d = {
        .f = f, .cls = c, .differentiated = map_new(f->scratch), .defined = map_new(f->scratch)};
    find_definitions(&d);
    for (uint32_t k = 0; k < c->syn->n_elements; k++) {
        const SynElement *syn = c->syn->elements[k];
        if (syn->kind != SYN_COMPONENT || !syn->component->mod || !syn->component->mod->value)
            continue;
        const SynExpr *value = syn->component->mod->value;
        const SynPart part = {.name = syn->component->name, .span = syn->component->name_span};
        const SynCref cref = {.n = 1, .part = &part, .span = part.span};
        const SynExpr to = {.kind = SYN_CREF, .span = part.span, .cref = &cref};
        check_side(&d, discrete_variable(&d, &to), value);
        check_events(&d, value);
    }
    for (uint32_t k = 0; k < c->syn->n_sections; k++) {
        const SynSection *s = &c->syn->section[k];
        if (s->initial)
            continue;
        if (s->algorithm)
            check_statements(&d, &s->statements);
        else
            check_equations(&d, &s->equations);
    }
}
