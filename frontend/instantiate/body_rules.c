/* body_rules.c -- which equations and statements may stand where (MLS 3.6 ch. 8.3, 11.2, 12.2). */
#include "frontend/instantiate/body_rules.h"

#include <string.h>

/* What is around a statement or equation. */
typedef struct Around {
    Front *f;
    Class *cls;
    bool is_function, initial, algorithm;
    bool in_when, in_loop; /* for or while */
    bool in_branch;        /* if, of an algorithm */
    bool of_connections;   /* an argument of cardinality(), Connections.root() and the like */
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

static void subscripts(const Around *a, const SynCref *cref)
{
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
        rule_error(a->f, x->span, "F40",
                   "'reinit' stands in a when-equation and nowhere else (MLS 8.3.6)");
}

/* MLS 4.4.5: what may be absent is used in connections, and where the graph of connections asks. */
static void check_conditional(const Around *a, const SynCref *cref)
{
    const Element *e = class_element(a->f, a->cls, cref->part[0].name);
    if (!e || e->is_class || !e->component->condition || a->of_connections)
        return;
    for (const struct IterScope *s = a->iter; s; s = s->outer)
        for (uint32_t k = 0; k < s->n; k++)
            if (name_same(s->iter[k].name, cref->part[0].name))
                return;
    rule_error(a->f, cref->span, "N47",
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
        check_conditional(a, x->cref);
        if (a->is_function && x->cref->n == 1 && strcmp(x->cref->part[0].name.s, "time") == 0 &&
            is_predefined(a, x->cref))
            rule_error(a->f, x->span, "F40",
                       "'time' is there in models and blocks, not in a function (MLS 3.6.7)");
        return;
    case SYN_CALL:
    case SYN_PARTIAL:
        if (x->kind == SYN_CALL)
            check_call(a, x);
        if (is_of_connections(x->cref)) {
            Around in = *a;
            in.of_connections = true;
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

static void equations(const Around *a, const SynEquations *all)
{
    for (uint32_t k = 0; k < all->n; k++) {
        const SynEquation *x = all->at[k];
        Around in = *a;
        switch (x->kind) {
        case SYN_EQ_EQUAL:
            expression(a, x->lhs);
            expression(a, x->rhs);
            break;
        case SYN_EQ_CALL:
            expression(a, x->call);
            break;
        case SYN_EQ_CONNECT:
            subscripts(a, x->a);
            subscripts(a, x->b);
            if (a->in_when || a->initial)
                rule_error(a->f, x->span, "F40", "'connect' cannot stand in %s (MLS 9.3)",
                           a->initial ? "an initial equation" : "a when-equation");
            break;
        case SYN_EQ_WHEN:
            if (a->in_when || a->initial)
                rule_error(a->f, x->span, "F40", "a when-equation cannot stand %s (MLS 8.3.5.2)",
                           a->initial ? "in an initial equation" : "inside another one");
            in.in_when = true;
            /* fall through */
        case SYN_EQ_IF:
            for (uint32_t j = 0; j < x->n_branches; j++) {
                if (x->branch[j].condition)
                    expression(a, x->branch[j].condition);
                equations(&in, &x->branch[j].body);
            }
            break;
        case SYN_EQ_FOR:
            iterators(a, x->iter, x->n_iter);
            in.in_loop = true;
            equations(&in, &x->body);
            break;
        }
    }
}

/* ---- statements ------------------------------------------------------------------------------ */

static void assign(const Around *a, const SynCref *to)
{
    subscripts(a, to);
    const SynPart *first = &to->part[0];
    for (const struct IterScope *s = a->iter; s; s = s->outer)
        for (uint32_t k = 0; k < s->n; k++)
            if (name_same(s->iter[k].name, first->name)) {
                rule_error(a->f, to->span, "F40",
                           "'%s' is the variable of a loop and cannot be assigned to (MLS 11.2.2)",
                           first->name.s);
                return;
            }
    const Element *e = class_element(a->f, a->cls, first->name);
    if (!e || e->is_class || e->typed != TYPE_KNOWN)
        return;
    if (a->is_function && e->member.is_input)
        rule_error(a->f, to->span, "F40",
                   "'%s' is an input of the function and cannot be assigned to (MLS 12.2)",
                   first->name.s);
    else if (e->component->prefix.variability == SYN_CONSTANT ||
             (e->component->prefix.variability == SYN_PARAMETER && !a->initial && !a->is_function))
        rule_error(a->f, to->span, "T41", "'%s' is a %s and cannot be assigned to here (MLS 3.8)",
                   first->name.s,
                   e->component->prefix.variability == SYN_CONSTANT ? "constant" : "parameter");
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
            expression(a, x->value);
            break;
        case SYN_ST_BREAK:
            if (!a->in_loop)
                rule_error(a->f, x->span, "F40",
                           "'break' stands in a for- or while-statement (MLS 11.2.4)");
            break;
        case SYN_ST_RETURN:
            if (!a->is_function)
                rule_error(a->f, x->span, "F40",
                           "'return' stands in the algorithm of a function (MLS 12.1.2)");
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

void body_rules(Front *f, Class *c)
{
    Around a = {.f = f, .cls = c};
    a.is_function = class_is(c, SYN_R_FUNCTION) || class_is(c, SYN_R_OPERATOR_FUNCTION);
    for (uint32_t k = 0; k < c->syn->n_elements; k++) {
        const SynElement *e = c->syn->elements[k];
        if (e->kind == SYN_COMPONENT && e->component->mod)
            modification(&a, e->component->mod);
    }
    for (uint32_t k = 0; k < c->syn->n_sections; k++) {
        const SynSection *s = &c->syn->section[k];
        a.initial = s->initial;
        a.algorithm = s->algorithm;
        if (s->algorithm)
            statements(&a, &s->statements);
        else
            equations(&a, &s->equations);
    }
}
