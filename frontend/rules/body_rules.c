/* body_rules.c -- which equations and statements may stand where (MLS 3.6 ch. 8.3, 11.2, 12.2). */
#include "frontend/rules/rules.h"

#include "base/hash.h"

#include <string.h>

/* A 'reinit' that has been met: in which when-equation, and among which equations of it. */
typedef struct Reinit {
    const SynEquation *when;
    const SynEquations *among;
} Reinit;

typedef struct Reinits {
    Map of; /* names of a variable -> index */
    VEC(Reinit) at;
} Reinits;

/* The context of a statement or equation. */
typedef struct Around {
    Front *f;
    Class *cls;
    bool is_function, initial, algorithm;
    bool has_no_time;      /* a class that is neither model nor block */
    bool in_when, in_loop; /* for or while */
    bool in_branch;        /* if, of an algorithm */
    bool in_clocked;       /* a when-equation of a clock (MLS 16.6) */
    bool of_connections;   /* an argument of cardinality(), Connections.root() and the like */
    bool is_pure;          /* an argument of pure() (MLS 12.3) */
    bool may_be_impure;    /* the binding of a parameter */
    bool is_choice;        /* inside an if- or for-equation, outside of when */
    const SynEquation *when;
    const SynEquations *among;
    Reinits *reinit;
    const struct IterScope {
        const SynIter *iter;
        uint32_t n;
        const struct IterScope *outer;
    } * iter;
} Around;

static void expression(const Around *a, const SynExpr *x);

static void expressions(const Around *a, const SynExprs *x)
{
    for (uint32_t k = 0; k < x->n; k++)
        if (x->at[k])
            expression(a, x->at[k]);
}

static bool has_subscripts(const SynCref *cref)
{
    for (uint32_t k = 0; k < cref->n; k++)
        if (cref->part[k].sub.n)
            return true;
    return false;
}

static bool is_iterator(const Around *a, Name name)
{
    for (const struct IterScope *s = a->iter; s; s = s->outer)
        for (uint32_t k = 0; k < s->n; k++)
            if (name_same(s->iter[k].name, name))
                return true;
    return false;
}

/* The first n names. */
static SynPath path_of(const Around *a, const SynCref *cref, uint32_t n)
{
    Name *name = arena_array(a->f->scratch, Name, n);
    for (uint32_t k = 0; k < n; k++)
        name[k] = cref->part[k].name;
    return (SynPath){.global = cref->global, .n = n, .name = name, .span = cref->span};
}

/* MLS 5.3.2, 5.4: a name inside an outer component is declared in the type of the outer
 * declaration; other members of the inner component are not visible through it. */
static void check_outer(const Around *a, const SynCref *cref)
{
    if (cref->n == 1 || cref->global || is_iterator(a, cref->part[0].name))
        return;
    const Element *e = class_element(a->f, a->cls, cref->part[0].name);
    if (!e || e->is_class || !e->is_outer || e->is_inner || e->typed != TYPE_KNOWN ||
        class_is_expandable(e->type) || class_element(a->f, e->type, cref->part[1].name))
        return;
    rule_error(a->f, cref->part[1].span, "N08",
               "%s, the class of the outer '%s', has no '%s' (MLS 5.4)", e->type->name, e->name.s,
               cref->part[1].name.s);
}

static void check_path(const Around *a, const SynCref *cref)
{
    check_outer(a, cref);
    if (cref->n == 1 || is_iterator(a, cref->part[0].name))
        return;
    SynPath path = path_of(a, cref, cref->n);
    path_rules(a->f, a->cls, &path);
}

/* The type that a dimension has by its text alone; NULL: not known. */
static const Class *dimension_type(const Around *a, Scope *s, const SynExpr *x)
{
    if (x->kind != SYN_CREF || has_subscripts(x->cref))
        return NULL;
    SynPath path = path_of(a, x->cref, x->cref->n);
    const Class *c = lookup_path(a->f, s, &path);
    bool is_index = c && (c->kind == CLASS_ENUMERATION ||
                          (c->kind == CLASS_PLAIN && c->base_type == TYPE_BOOLEAN));
    return is_index ? c : NULL;
}

/* MLS 10.1, 10.5: a dimension of a Boolean or enumeration type has subscripts of that type, others
 * are Integer. Where both are plain to see; values are compared when the model is built. */
static void check_index_types(const Around *a, const SynPart *part)
{
    if (is_iterator(a, part->name))
        return;
    const Element *e = part->sub.n ? class_element(a->f, a->cls, part->name) : NULL;
    if (!e || e->is_class || e->typed != TYPE_KNOWN)
        return;
    for (uint32_t k = 0; k < part->sub.n && k < e->member.n_dims; k++) {
        const SynExpr *sub = part->sub.at[k];
        const SynExpr *dim = e->member.dims[k];
        bool is_literal = sub->kind == SYN_CREF && sub->cref->n > 1 && !has_subscripts(sub->cref);
        const Class *literal_of = NULL;
        if (is_literal) {
            SynPath path = path_of(a, sub->cref, sub->cref->n - 1);
            literal_of = lookup_path(a->f, &a->cls->body, &path);
            is_literal = literal_of && literal_of->kind == CLASS_ENUMERATION;
        }
        const Class *wanted = dimension_type(a, e->dims_scope[k], dim);
        bool is_integer = dim->kind == SYN_INTEGER;
        bool is_boolean = wanted && wanted->kind == CLASS_PLAIN;
        bool wrong = sub->kind == SYN_INTEGER   ? wanted != NULL
                     : sub->kind == SYN_BOOLEAN ? is_integer || (wanted && !is_boolean)
                     : is_literal
                         ? is_integer || is_boolean || (wanted && !class_same(wanted, literal_of))
                         : false;
        if (wrong)
            rule_error(a->f, sub->span, "T06",
                       "dimension %u of '%s' has subscripts of type %s (MLS 10.5)", k + 1,
                       part->name.s, wanted ? wanted->name : "Integer");
    }
}

static void subscripts(const Around *a, const SynCref *cref)
{
    if (!cref->global)
        check_index_types(a, &cref->part[0]);
    for (uint32_t k = 0; k < cref->n; k++)
        expressions(a, &cref->part[k].sub);
}

static bool is_one_of(const char *name, const char *const *list, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (strcmp(name, list[k]) == 0)
            return true;
    return false;
}

static bool is_predefined(const Around *a, const SynCref *cref)
{
    return lookup_name(a->f, &a->cls->body, cref->part[0].name).kind == FOUND_NONE;
}

static uint64_t names_key(const SynCref *cref)
{
    uint64_t key = cref->n;
    for (uint32_t k = 0; k < cref->n; k++)
        key = hash_pair(key, map_key_ptr(cref->part[k].name.s));
    return key;
}

/* MLS 8.3.6: a variable has its 'reinit' in one when-equation, and there one in a branch. */
static void check_reinit(const Around *a, const SynExpr *x)
{
    if (!a->when || a->is_choice || x->arg.n == 0 || !x->arg.at[0] ||
        x->arg.at[0]->kind != SYN_CREF || has_subscripts(x->arg.at[0]->cref))
        return;
    uint64_t key = names_key(x->arg.at[0]->cref);
    uint32_t k = map_get(&a->reinit->of, key);
    if (k == MAP_NONE) {
        map_put(&a->reinit->of, key, a->reinit->at.n);
        vec_push(a->f->scratch, a->reinit->at, ((Reinit){a->when, a->among}));
        return;
    }
    const Reinit *old = &a->reinit->at.at[k];
    if (old->when != a->when || old->among == a->among)
        rule_error(a->f, x->span, "F40", "there is another 'reinit' of '%s' in %s (MLS 8.3.6)",
                   x->arg.at[0]->cref->part[0].name.s,
                   old->when == a->when ? "this branch" : "another when-equation");
}

/* MLS 12.3: where a function that is declared impure may be called. The standard library calls them
 * also from functions declared neither pure nor impure: allowed without --strict. */
static void check_impure(const Around *a, const SynExpr *x)
{
    SynPurity purity = a->cls->syn->purity;
    bool allowed = a->is_function ? purity == SYN_IMPURE || (!a->f->strict && purity != SYN_PURE)
                                  : a->in_when || a->initial || a->may_be_impure;
    if (allowed || a->is_pure || has_subscripts(x->cref) || is_predefined(a, x->cref))
        return;
    SynPath path = path_of(a, x->cref, x->cref->n);
    const Class *g = lookup_path(a->f, &a->cls->body, &path);
    if (!g || !g->syn || g->syn->purity != SYN_IMPURE)
        return;
    if (a->is_function)
        rule_error(a->f, x->span, "F40", "'%s' is impure and %s, which calls it, is %s (MLS 12.3)",
                   g->syn->name.s, a->cls->name,
                   purity == SYN_PURE ? "declared pure" : "not declared impure");
    else
        rule_error(a->f, x->span, "F40",
                   "'%s' is impure: it is called in when-clauses, initial sections and bindings "
                   "of parameters (MLS 12.3)",
                   g->syn->name.s);
}

/* MLS 3.7.5: subscripts in the argument of pre() are parameter expressions. */
static void check_fixed_subscripts(const Around *a, const SynCref *cref, const char *operator)
{
    for (uint32_t k = 0; k < cref->n; k++)
        for (uint32_t j = 0; j < cref->part[k].sub.n; j++) {
            const SynExpr *sub = cref->part[k].sub.at[j];
            bool is_name = sub->kind == SYN_CREF && sub->cref->n == 1;
            if (!is_name || is_iterator(a, sub->cref->part[0].name))
                continue;
            const Element *e = class_element(a->f, a->cls, sub->cref->part[0].name);
            if (e && !e->is_class && e->typed == TYPE_KNOWN &&
                e->member.variability > VARIES_PARAMETER)
                rule_error(a->f, sub->span, "T08",
                           "subscripts in the argument of '%s' are parameter expressions; '%s' "
                           "varies (MLS 3.7.5)",
                           operator, e->name.s);
        }
}

/* MLS 5.3.2: a function is called by way of scalar components, and then of classes; it is no
 * operator. */
static void check_way(const Around *a, const SynCref *cref)
{
    if (cref->n == 1 || cref->global || is_iterator(a, cref->part[0].name))
        return;
    Class *in = a->cls;
    const Element *component = NULL;
    bool behind_class = false;
    for (uint32_t k = 0; k < cref->n; k++) {
        Element *e = class_element(a->f, in, cref->part[k].name);
        if (!e || (k == 0 && e->is_class) || (!e->is_class && e->typed != TYPE_KNOWN))
            return;
        if (e->is_class) {
            in = element_class(a->f, e, NULL);
            if (!class_elaborate(a->f, in))
                return;
            behind_class = true;
            if (class_is(in, SYN_R_OPERATOR) || class_is(in, SYN_R_OPERATOR_FUNCTION)) {
                rule_error(a->f, cref->span, "N43",
                           "an operator is not called by way of the component '%s' (MLS 5.3.2)",
                           component->name.s);
                return;
            }
            continue;
        }
        component = e;
        if (behind_class) {
            rule_error(a->f, cref->part[k].span, "N43",
                       "the component '%s' stands behind a class: a function is called by way of "
                       "components and then of classes (MLS 5.3.2)",
                       e->name.s);
            return;
        }
        const SynExprs *sub = &cref->part[k].sub;
        bool is_scalar = sub->n == e->member.n_dims;
        for (uint32_t j = 0; j < sub->n; j++)
            is_scalar = is_scalar && sub->at[j]->kind != SYN_COLON &&
                        sub->at[j]->kind != SYN_RANGE && sub->at[j]->kind != SYN_ARRAY;
        if (!is_scalar) {
            rule_error(a->f, cref->span, "N43",
                       "functions are called by way of scalar components, '%s' is an array (MLS "
                       "5.3.2)",
                       e->name.s);
            return;
        }
        in = e->type;
    }
}

static void check_call(const Around *a, const SynExpr *x)
{
    static const char *const not_in_function[] = {
        "der",          "initial",
        "terminal",     "sample",
        "pre",          "edge",
        "change",       "reinit",
        "delay",        "inStream",
        "cardinality",  "terminate",
        "actualStream", "hold",
        "previous",     "subSample",
        "superSample",  "shiftSample",
        "backSample",   "noClock",
        "interval",     "spatialDistribution",
    };
    const char *name = x->cref->part[0].name.s;
    if (a->is_function) {
        bool bad = (x->cref->n == 1 &&
                    is_one_of(name, not_in_function, sizeof not_in_function / sizeof(char *))) ||
                   (x->cref->n == 2 && strcmp(name, "Connections") == 0);
        if (bad && is_predefined(a, x->cref))
            rule_error(a->f, x->span, "F40", "'%s' cannot be used in a function (MLS 12.2)",
                       x->cref->n == 2 ? "Connections" : name);
    }
    if (x->cref->n == 1 && strcmp(name, "reinit") == 0 && !a->is_function &&
        (!a->in_when || a->algorithm) && is_predefined(a, x->cref))
        rule_error(a->f, x->span, "F40", "'reinit' is allowed in a when-equation only (MLS 8.3.6)");
    else if (x->cref->n == 1 && strcmp(name, "reinit") == 0)
        check_reinit(a, x);
    check_impure(a, x);
    static const char *const of_events[] = {
        "pre", "edge", "change", "reinit", "terminal", "delay", "spatialDistribution"};
    bool by_time = x->cref->n == 1 && strcmp(name, "sample") == 0 && x->arg.n == 2 &&
                   x->arg.at[1] &&
                   (x->arg.at[1]->kind == SYN_REAL || x->arg.at[1]->kind == SYN_INTEGER);
    if (a->in_clocked && x->cref->n == 1 &&
        (by_time || is_one_of(name, of_events, sizeof of_events / sizeof *of_events)) &&
        is_predefined(a, x->cref))
        rule_error(
            a->f, x->span, "F40",
            "'%s' is for variables that are not clocked: previous(), sample(u) and hold() are for "
            "clocks (MLS 16.8.1)",
            name);
    check_way(a, x->cref);
    static const char *const of_variables[] = {"pre", "edge", "change"};
    const SynExpr *of = x->arg.n == 1 ? x->arg.at[0] : NULL;
    if (x->cref->n == 1 && of && of->kind != SYN_CREF &&
        is_one_of(name, of_variables, sizeof of_variables / sizeof *of_variables) &&
        is_predefined(a, x->cref))
        rule_error(a->f, of->span, "T08",
                   "'%s' is of a variable and not of an expression (MLS 3.7.5)", name);
    if (x->cref->n == 1 && of && of->kind == SYN_CREF &&
        is_one_of(name, of_variables, sizeof of_variables / sizeof *of_variables))
        check_fixed_subscripts(a, of->cref, name);
}

/* MLS 4.4.5: a conditional component is used in connections and as argument of Connections.*
 * only. */
static void check_conditional(const Around *a, const SynCref *cref)
{
    if (cref->global)
        return;
    const Element *e = class_element(a->f, a->cls, cref->part[0].name);
    if (!e || e->is_class || !e->component->condition || a->of_connections)
        return;
    if (is_iterator(a, cref->part[0].name))
        return;
    rule_if_strict(a->f, cref->span, "N47",
                   "'%s' is a conditional component: it is modified or connected, and not used "
                   "otherwise (MLS 4.4.5)",
                   e->name.s);
}

static bool is_of_connections(const SynCref *call)
{
    static const char *const name[] = {"cardinality", "Connections", "inStream", "actualStream",
                                       "rooted"};
    return is_one_of(call->part[0].name.s, name, sizeof name / sizeof *name);
}

static void modification(const Around *a, const SynMod *m)
{
    if (m->value)
        expression(a, m->value);
    for (uint32_t k = 0; k < m->n; k++)
        if (m->arg[k].kind == SYN_ARG_MODIFY && m->arg[k].mod)
            modification(a, m->arg[k].mod);
}

static void expression(const Around *a, const SynExpr *x)
{
    switch (x->kind) {
    case SYN_INTEGER:
    case SYN_REAL:
    case SYN_STRING:
    case SYN_BOOLEAN:
    case SYN_COLON:
    case SYN_END:
        return;
    case SYN_CREF:
        subscripts(a, x->cref);
        check_path(a, x->cref);
        check_conditional(a, x->cref);
        if (a->has_no_time && x->cref->n == 1 && strcmp(x->cref->part[0].name.s, "time") == 0 &&
            is_predefined(a, x->cref))
            rule_error(a->f, x->span, "F40",
                       "'time' is there in models and blocks, not in a %s (MLS 3.6.7)",
                       syn_restriction_text(a->cls->syn->restriction));
        if (x->cref->n == 1 && x->cref->part[0].sub.n && is_predefined(a, x->cref) &&
            strcmp(x->cref->part[0].name.s, "time") == 0)
            rule_error(a->f, x->span, "T06", "'time' is a scalar, without subscripts (MLS 3.6.7)");
        return;
    case SYN_CALL:
    case SYN_PARTIAL:
        check_path(a, x->cref);
        if (x->cref->n > 1)
            check_conditional(a, x->cref);
        if (x->kind == SYN_CALL)
            check_call(a, x);
        if (is_of_connections(x->cref)) {
            Around in = *a;
            in.of_connections = true;
            expressions(&in, &x->arg);
            return;
        }
        if (x->kind == SYN_CALL && x->cref->n == 1 &&
            strcmp(x->cref->part[0].name.s, "pure") == 0) {
            Around in = *a;
            in.is_pure = true; /* of the call, not of its arguments */
            expressions(&in, &x->arg);
            return;
        }
        if (a->is_pure) {
            Around in = *a;
            in.is_pure = false;
            expressions(&in, &x->arg);
            return;
        }
        expressions(a, &x->arg);
        for (uint32_t k = 0; k < x->n_named; k++)
            expression(a, x->named[k].value);
        break;
    case SYN_MATRIX:
        for (uint32_t k = 0; k < x->n_rows; k++)
            expressions(a, &x->row[k]);
        return;
    case SYN_INDEX:
        diag_warning(a->f->diags, x->span, "F40",
                     "subscripts and '.' behind parentheses are no Modelica 3.6 yet (MLS 3.2)");
        expression(a, x->base);
        expressions(a, &x->arg);
        return;
    default:
        expressions(a, &x->arg);
        break;
    }
    if (x->kind == SYN_CALL || x->kind == SYN_ARRAY)
        for (uint32_t k = 0; k < x->n_iter; k++)
            if (x->iter[k].range)
                expression(a, x->iter[k].range);
}

static void iterators(const Around *a, const SynIter *iter, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (iter[k].range)
            expression(a, iter[k].range);
}

/* ---- equations ------------------------------------------------------------------------------- */

/* Collects the left sides of the equations, without subscripts; false if they may depend on
 * parameters. */
typedef VEC(const SynCref *) Crefs;

static bool left_sides(const Around *a, const SynEquations *all, Map *seen, Crefs *to)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        if (x->kind == SYN_EQ_IF || (x->kind == SYN_EQ_FOR && !left_sides(a, &x->body, seen, to)))
            return false;
        if (x->kind != SYN_EQ_EQUAL)
            continue;
        uint32_t n = x->lhs->kind == SYN_TUPLE ? x->lhs->arg.n : 1;
        for (uint32_t j = 0; j < n; j++) {
            const SynExpr *e = x->lhs->kind == SYN_TUPLE ? x->lhs->arg.at[j] : x->lhs;
            if (e && e->kind == SYN_CREF && map_add(seen, names_key(e->cref)))
                vec_push(a->f->scratch, *to, e->cref);
        }
    }
    return true;
}

/* MLS 8.3.5.2: the branches of a when-equation have the same variables on their left sides. */
static void check_when_branches(const Around *a, const SynEquation *x)
{
    Map first = map_new(a->f->scratch);
    Crefs wanted = {0};
    if (x->n_branches < 2 || !left_sides(a, &x->branch[0].body, &first, &wanted))
        return;
    for (uint32_t k = 1; k < x->n_branches; k++) {
        Map here = map_new(a->f->scratch);
        Crefs got = {0};
        if (!left_sides(a, &x->branch[k].body, &here, &got))
            return;
        const SynCref *odd = NULL;
        for (uint32_t j = 0; j < wanted.n; j++)
            odd = map_get(&here, names_key(wanted.at[j])) == MAP_NONE ? wanted.at[j] : odd;
        for (uint32_t j = 0; j < got.n; j++)
            odd = map_get(&first, names_key(got.at[j])) == MAP_NONE ? got.at[j] : odd;
        if (odd)
            rule_error(a->f, x->branch[k].condition->span, "F40",
                       "the branches of a when-equation are for the same variables; '%s' is not in "
                       "all of them (MLS 8.3.5.2)",
                       odd->part[odd->n - 1].name.s);
    }
}

/* Is the condition of a when-equation a clock: a call of Clock() or a variable declared Clock. */
static bool is_clocked(const Around *a, const SynExpr *x)
{
    if (!x || (x->kind != SYN_CALL && x->kind != SYN_CREF) || x->cref->n != 1)
        return false;
    if (x->kind == SYN_CALL)
        return strcmp(x->cref->part[0].name.s, "Clock") == 0;
    const Element *e = class_element(a->f, a->cls, x->cref->part[0].name);
    return e && !e->is_class && e->typed == TYPE_KNOWN && e->type->kind == CLASS_PLAIN &&
           e->type->base_type == TYPE_CLOCK;
}

/* MLS 4.4.4: a variable assigned in a when-clause is declared here, or is part of a record or
 * connector that is. */
static void when_target(const Around *a, const SynExpr *x)
{
    Class *c = a->cls;
    if (x->kind != SYN_CREF)
        return;
    for (uint32_t k = 0; k + 1 < x->cref->n; k++) {
        const Element *e = class_element(a->f, c, x->cref->part[k].name);
        if (!e || e->is_class || e->typed != TYPE_KNOWN)
            return;
        c = e->type;
        if (class_is(c, SYN_R_MODEL) || class_is(c, SYN_R_BLOCK)) {
            rule_error(a->f, x->span, "F40",
                       "'%s' belongs to the component '%s', in which the when-clause must stand "
                       "(MLS 4.4.4)",
                       x->cref->part[x->cref->n - 1].name.s, e->name.s);
            return;
        }
    }
}

static void equations(const Around *a, const SynEquations *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        Around in = *a;
        in.among = all;
        switch (x->kind) {
        case SYN_EQ_EQUAL:
            for (uint32_t j = 0; x->lhs->kind == SYN_TUPLE && j < x->lhs->arg.n; j++)
                if (x->lhs->arg.at[j] && x->lhs->arg.at[j]->kind != SYN_CREF)
                    rule_error(a->f, x->lhs->arg.at[j]->span, "F40",
                               "on the left side of a call with several results stand variables "
                               "(MLS 8.3.1)");
            if (a->in_when)
                when_target(a, x->lhs);
            expression(a, x->lhs);
            expression(a, x->rhs);
            break;
        case SYN_EQ_CALL:
            in.may_be_impure = true;
            expression(&in, x->call);
            break;
        case SYN_EQ_CONNECT:
            subscripts(a, x->a);
            subscripts(a, x->b);
            check_outer(a, x->a);
            check_outer(a, x->b);
            if (a->in_when || a->initial)
                rule_error(a->f, x->span, "F40", "'connect' cannot stand in %s (MLS 9.3)",
                           a->initial ? "an initial equation" : "a when-equation");
            break;
        case SYN_EQ_WHEN:
            if (a->in_when || a->initial)
                rule_error(a->f, x->span, "F40", "a when-equation cannot stand %s (MLS 8.3.5.2)",
                           a->initial ? "in an initial equation" : "inside another one");
            check_when_branches(a, x);
            in.in_when = true;
            in.when = x;
            in.in_clocked = is_clocked(a, x->branch[0].condition);
            /* fall through */
        case SYN_EQ_IF:
            in.is_choice = a->is_choice || (!in.when && x->kind == SYN_EQ_IF);
            for (uint32_t j = 0; j < x->n_branches; j++) {
                if (x->branch[j].condition)
                    expression(a, x->branch[j].condition);
                equations(&in, &x->branch[j].body);
            }
            break;
        case SYN_EQ_FOR: {
            iterators(a, x->iter, x->n_iter);
            in.in_loop = in.is_choice = true;
            const struct IterScope loop = {x->iter, x->n_iter, a->iter};
            in.iter = &loop;
            equations(&in, &x->body);
            break;
        }
        }
    }
}

/* ---- statements ------------------------------------------------------------------------------ */

static void assign(const Around *a, const SynCref *to)
{
    subscripts(a, to);
    check_conditional(a, to);
    const SynPart *first = &to->part[0];
    if (is_iterator(a, first->name)) {
        rule_error(a->f, to->span, "F40",
                   "'%s' is the variable of a loop and cannot be assigned to (MLS 11.2.2)",
                   first->name.s);
        return;
    }
    Element *e = class_element(a->f, a->cls, first->name);
    if (a->is_function && e && !e->is_class && e->typed == TYPE_KNOWN && e->member.is_input) {
        rule_error(a->f, to->span, "F40",
                   "'%s' is an input of the function and cannot be assigned to (MLS 12.2)",
                   first->name.s);
        return;
    }
    for (uint32_t k = 0; e && !e->is_class && element_type(a->f, e); k++) {
        SynVariability is = e->component->prefix.variability;
        if (is == SYN_CONSTANT || (is == SYN_PARAMETER && !a->initial && !a->is_function)) {
            rule_error(a->f, to->span, "T41",
                       "'%s' is a %s and cannot be assigned to here (MLS 3.8)", to->part[k].name.s,
                       is == SYN_CONSTANT ? "constant" : "parameter");
            return;
        }
        if (k + 1 == to->n)
            return;
        e = class_element(a->f, e->type, to->part[k + 1].name);
    }
}

static void statements(const Around *a, const SynStatements *all);

static void when_statement(const Around *a, const SynStatement *x)
{
    const char *where = a->is_function ? "in a function"
                        : a->initial   ? "in an initial algorithm"
                        : a->in_when   ? "inside another one"
                        : a->in_loop   ? "in a loop"
                        : a->in_branch ? "in an if-statement"
                                       : NULL;
    if (where)
        rule_error(a->f, x->span, "F40", "a when-statement cannot stand %s (MLS 11.2.7.1)", where);
}

static void statements(const Around *a, const SynStatements *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynStatement *x = all->at[k];
        Around in = *a;
        switch (x->kind) {
        case SYN_ST_ASSIGN:
            assign(a, x->target);
            expression(a, x->value);
            break;
        case SYN_ST_TUPLE:
            for (uint32_t j = 0; j < x->tuple.n; j++)
                if (x->tuple.at[j] && x->tuple.at[j]->kind == SYN_CREF)
                    assign(a, x->tuple.at[j]->cref);
            expression(a, x->value);
            break;
        case SYN_ST_CALL:
            in.may_be_impure = true;
            expression(&in, x->value);
            break;
        case SYN_ST_BREAK:
            if (!a->in_loop)
                rule_error(a->f, x->span, "F40",
                           "'break' is allowed in a for- or while-statement only (MLS 11.2.4)");
            break;
        case SYN_ST_RETURN:
            if (!a->is_function)
                rule_error(a->f, x->span, "F40",
                           "'return' is allowed in the algorithm of a function only (MLS 12.1.2)");
            break;
        case SYN_ST_WHEN:
            when_statement(a, x);
            in.in_when = true;
            for (uint32_t j = 0; j < x->n_branches; j++) {
                if (x->branch[j].condition)
                    expression(a, x->branch[j].condition);
                statements(&in, &x->branch[j].body);
            }
            break;
        case SYN_ST_IF:
            in.in_branch = true;
            for (uint32_t j = 0; j < x->n_branches; j++) {
                if (x->branch[j].condition)
                    expression(a, x->branch[j].condition);
                statements(&in, &x->branch[j].body);
            }
            break;
        case SYN_ST_FOR: {
            iterators(a, x->iter, x->n_iter);
            in.in_loop = true;
            struct IterScope scope = {x->iter, x->n_iter, a->iter};
            in.iter = &scope;
            statements(&in, &x->body);
            break;
        }
        case SYN_ST_WHILE:
            expression(a, x->value);
            in.in_loop = true;
            statements(&in, &x->body);
            break;
        }
    }
}

/* assert(false, ...), or a call of a function that may do that, as Streams.error does. */
static bool may_end(const SynStatement *x)
{
    const SynExpr *c = x->kind == SYN_ST_CALL ? x->value : NULL;
    if (!c || c->kind != SYN_CALL)
        return false;
    bool is_assert = c->cref->n == 1 && strcmp(c->cref->part[0].name.s, "assert") == 0;
    return !is_assert || (c->arg.n > 0 && c->arg.at[0] && c->arg.at[0]->kind == SYN_BOOLEAN &&
                          !c->arg.at[0]->truth);
}

/* Whether `name` can have been left out behind these statements, as far as one can see: it is
 * assigned in some branches of one if-statement and not in the others, which do not fail. It
 * assumes that loops run, and that several if-statements, and an elseif without an else, cover all
 * cases. */
static const SynStatement *leaves_open(const SynStatements *all, Name name)
{
    const SynStatement *open = NULL;
    for (uint32_t k = 0; k < all->n; k++) {
        const SynStatement *x = all->at[k];
        if (may_end(x))
            return NULL;
        if (!syn_assigns_in(x, name))
            continue;
        if (x->kind != SYN_ST_IF || open)
            return NULL;
        bool is_open = x->n_branches == 1;
        for (uint32_t j = 0; j < x->n_branches; j++) {
            const SynStatements *body = &x->branch[j].body;
            bool ends = false;
            for (uint32_t i = 0; i < body->n; i++)
                ends = ends || may_end(body->at[i]);
            is_open = is_open || (!ends && !syn_assigns(body, name)) || leaves_open(body, name);
        }
        if (!is_open)
            return NULL;
        open = x;
    }
    return open;
}

/* MLS 12.4.4: every output of a function is assigned. Whether it is can depend on the inputs: a
 * warning. */
static void check_outputs(Front *f, Class *c, const SynStatements *body)
{
    for (uint32_t k = 0; k < c->element.n; k++) {
        const Element *e = c->element.at[k];
        if (e->is_class || e->is_protected || e->env.n || e->typed != TYPE_KNOWN ||
            e->type->kind != CLASS_PLAIN || e->member.n_dims ||
            e->component->prefix.causality != SYN_OUTPUT)
            continue;
        const SynStatement *open = leaves_open(body, e->name);
        if (!open)
            continue;
        diag_warning(f->diags, e->component->name_span, "T16",
                     "'%s' may be returned without a value: it is assigned in some cases only "
                     "(MLS 12.4.4)",
                     e->name.s);
        diag_note(f->diags, open->branch[0].condition->span, "they are decided here");
    }
}

void body_rules(Front *f, Class *c)
{
    Reinits reinit = {.of = map_new(f->scratch)};
    Around a = {.f = f, .cls = c, .reinit = &reinit};
    a.is_function = class_is(c, SYN_R_FUNCTION) || class_is(c, SYN_R_OPERATOR_FUNCTION);
    a.has_no_time =
        !class_is(c, SYN_R_MODEL) && !class_is(c, SYN_R_BLOCK) && !class_is(c, SYN_R_CLASS);
    for (uint32_t k = 0; k < c->syn->n_elements; k++) {
        const SynElement *e = c->syn->elements[k];
        if (e->kind != SYN_COMPONENT || !e->component->mod)
            continue;
        /* bindings inside structured components, and of external objects, are checked elsewhere */
        const Element *own = class_element(f, c, e->component->name);
        bool varies = own && own->typed == TYPE_KNOWN && own->type->kind == CLASS_PLAIN &&
                      own->type->base_type != TYPE_OBJECT &&
                      own->member.variability > VARIES_PARAMETER;
        a.may_be_impure = !varies;
        modification(&a, e->component->mod);
    }
    a.may_be_impure = false;
    for (uint32_t k = 0; k < c->syn->n_sections; k++) {
        const SynSection *s = &c->syn->section[k];
        a.initial = s->initial;
        a.algorithm = s->algorithm;
        if (s->algorithm)
            statements(&a, &s->statements);
        else
            equations(&a, &s->equations);
        if (s->algorithm && a.is_function && !class_is_partial(c) && c->syn->n_sections == 1)
            check_outputs(f, c, &s->statements);
    }
}
