#include "frontend/syntax/syntax.h"

#include <string.h>

const char *syn_restriction_phrase(SynRestriction r)
{
    static const char *const text[] = {
        [SYN_R_CLASS] = "a class",
        [SYN_R_MODEL] = "a model",
        [SYN_R_RECORD] = "a record",
        [SYN_R_OPERATOR_RECORD] = "an operator record",
        [SYN_R_BLOCK] = "a block",
        [SYN_R_CONNECTOR] = "a connector",
        [SYN_R_EXPANDABLE_CONNECTOR] = "an expandable connector",
        [SYN_R_TYPE] = "a type",
        [SYN_R_PACKAGE] = "a package",
        [SYN_R_FUNCTION] = "a function",
        [SYN_R_OPERATOR_FUNCTION] = "an operator function",
        [SYN_R_OPERATOR] = "an operator",
    };
    return text[r];
}

const char *syn_restriction_text(SynRestriction r)
{
    return strchr(syn_restriction_phrase(r), ' ') + 1;
}

const char *syn_op_text(SynOp op)
{
    static const char *const text[] = {
        [SYN_NO_OP] = "",    [SYN_OR] = "or",     [SYN_AND] = "and", [SYN_NOT] = "not",
        [SYN_LT] = "<",      [SYN_LE] = "<=",     [SYN_GT] = ">",    [SYN_GE] = ">=",
        [SYN_EQ] = "==",     [SYN_NE] = "<>",     [SYN_ADD] = "+",   [SYN_SUB] = "-",
        [SYN_EL_ADD] = ".+", [SYN_EL_SUB] = ".-", [SYN_MUL] = "*",   [SYN_DIV] = "/",
        [SYN_EL_MUL] = ".*", [SYN_EL_DIV] = "./", [SYN_POW] = "^",   [SYN_EL_POW] = ".^",
    };
    return text[op];
}

const SynArg *syn_mod_find(const SynMod *m, const char *name)
{
    if (!m)
        return NULL;
    for (uint32_t k = 0; k < m->n; k++) {
        const SynArg *a = &m->arg[k];
        if (a->kind == SYN_ARG_MODIFY && a->path.n == 1 && strcmp(a->path.name[0].s, name) == 0)
            return a;
    }
    return NULL;
}

bool syn_assigns_in(const SynStatement *x, Name name)
{
    if (x->kind == SYN_ST_ASSIGN)
        return name_same(x->target->part[0].name, name);
    for (uint32_t k = 0; x->kind == SYN_ST_TUPLE && k < x->tuple.n; k++)
        if (x->tuple.at[k] && x->tuple.at[k]->kind == SYN_CREF &&
            name_same(x->tuple.at[k]->cref->part[0].name, name))
            return true;
    for (uint32_t k = 0; (x->kind == SYN_ST_IF || x->kind == SYN_ST_WHEN) && k < x->n_branches; k++)
        if (syn_assigns(&x->branch[k].body, name))
            return true;
    return (x->kind == SYN_ST_FOR || x->kind == SYN_ST_WHILE) && syn_assigns(&x->body, name);
}

bool syn_assigns(const SynStatements *all, Name name)
{
    for (uint32_t k = 0; k < all->n; k++)
        if (syn_assigns_in(all->at[k], name))
            return true;
    return false;
}

Name syn_element_name(const SynElement *e)
{
    switch (e->kind) {
    case SYN_CLASS:
        return e->class_->name;
    case SYN_COMPONENT:
        return e->component->name;
    default:
        return (Name){NULL};
    }
}

/* Below this many elements a search is cheaper than a table. */
enum { LOOKUP_MIN = 8 };

SynElement *syn_class_find(const SynClass *c, Name name)
{
    if (!c->lookup) {
        for (uint32_t k = 0; k < c->n_elements; k++) {
            if (name_same(syn_element_name(c->elements[k]), name))
                return c->elements[k];
        }
        return NULL;
    }
    uint32_t k = map_get(c->lookup, map_key_ptr(name.s));
    return k == MAP_NONE ? NULL : c->elements[k];
}

void syn_class_index(SynClass *c, Arena *mem)
{
    if (c->n_elements < LOOKUP_MIN)
        return;
    c->lookup = arena_make(mem, Map);
    *c->lookup = map_new(mem);
    /* Of two with one name the first counts. */
    for (uint32_t k = c->n_elements; k-- > 0;) {
        Name n = syn_element_name(c->elements[k]);
        if (n.s)
            map_put(c->lookup, map_key_ptr(n.s), k);
    }
}

/* ---- Equality ------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_path(const SynPath *a, const SynPath *b)
{
    if (a->global != b->global || a->n != b->n)
        return false;
    for (uint32_t k = 0; k < a->n; k++) {
        if (!name_same(a->name[k], b->name[k]))
            return false;
    }
    return true;
}

static bool same_names(const Name *a, const Name *b, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++) {
        if (!name_same(a[k], b[k]))
            return false;
    }
    return true;
}

static bool same_exprs(const SynExprs *a, const SynExprs *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t k = 0; k < a->n; k++) {
        if (!syntax_equal_expr(a->at[k], b->at[k]))
            return false;
    }
    return true;
}

static bool same_cref(const SynCref *a, const SynCref *b)
{
    if (!a || !b)
        return a == b;
    if (a->global != b->global || a->n != b->n)
        return false;
    for (uint32_t k = 0; k < a->n; k++) {
        if (!name_same(a->part[k].name, b->part[k].name) ||
            !same_exprs(&a->part[k].sub, &b->part[k].sub))
            return false;
    }
    return true;
}

static bool same_iters(const SynIter *a, uint32_t na, const SynIter *b, uint32_t nb)
{
    if (na != nb)
        return false;
    for (uint32_t k = 0; k < na; k++) {
        if (!name_same(a[k].name, b[k].name) || !syntax_equal_expr(a[k].range, b[k].range))
            return false;
    }
    return true;
}

static bool same_named(const SynExpr *a, const SynExpr *b)
{
    if (a->n_named != b->n_named)
        return false;
    for (uint32_t k = 0; k < a->n_named; k++) {
        if (!name_same(a->named[k].name, b->named[k].name) ||
            !syntax_equal_expr(a->named[k].value, b->named[k].value))
            return false;
    }
    return true;
}

bool syntax_equal_expr(const SynExpr *a, const SynExpr *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->op != b->op)
        return false;
    switch (a->kind) {
    case SYN_INTEGER:
    case SYN_REAL:
    case SYN_STRING:
        return same_text(a->text, b->text);
    case SYN_BOOLEAN:
        return a->truth == b->truth;
    case SYN_CREF:
        return same_cref(a->cref, b->cref);
    case SYN_CHAIN:
        return same_exprs(&a->arg, &b->arg) &&
               memcmp(a->ops, b->ops, a->arg.n * sizeof *a->ops) == 0;
    case SYN_CALL:
    case SYN_PARTIAL:
        return same_cref(a->cref, b->cref) && same_exprs(&a->arg, &b->arg) && same_named(a, b) &&
               same_iters(a->iter, a->n_iter, b->iter, b->n_iter);
    case SYN_ARRAY:
        return same_exprs(&a->arg, &b->arg) && same_iters(a->iter, a->n_iter, b->iter, b->n_iter);
    case SYN_MATRIX:
        if (a->n_rows != b->n_rows)
            return false;
        for (uint32_t k = 0; k < a->n_rows; k++) {
            if (!same_exprs(&a->row[k], &b->row[k]))
                return false;
        }
        return true;
    case SYN_INDEX:
        return name_same(a->field, b->field) && syntax_equal_expr(a->base, b->base) &&
               same_exprs(&a->arg, &b->arg);
    case SYN_UNARY:
    case SYN_BINARY:
    case SYN_IF:
    case SYN_RANGE:
    case SYN_TUPLE:
    case SYN_COLON:
    case SYN_END:
        return same_exprs(&a->arg, &b->arg);
    }
    return false;
}

static bool same_element(const SynElement *a, const SynElement *b);

bool syntax_equal_mod(const SynMod *a, const SynMod *b)
{
    if (!a || !b)
        return a == b;
    if (a->has_args != b->has_args || a->assign != b->assign || a->is_break != b->is_break ||
        a->n != b->n || !syntax_equal_expr(a->value, b->value))
        return false;
    for (uint32_t k = 0; k < a->n; k++) {
        const SynArg *x = &a->arg[k];
        const SynArg *y = &b->arg[k];
        if (x->kind != y->kind || x->each != y->each || x->final != y->final ||
            !same_path(&x->path, &y->path) || !syntax_equal_mod(x->mod, y->mod) ||
            !same_text(x->comment, y->comment) || !same_cref(x->a, y->a) ||
            !same_cref(x->b, y->b) || !same_element(x->element, y->element))
            return false;
    }
    return true;
}

static bool same_constrained(const SynConstrained *a, const SynConstrained *b)
{
    if (!a || !b)
        return a == b;
    return same_path(&a->by, &b->by) && syntax_equal_mod(a->mod, b->mod) &&
           same_text(a->comment, b->comment) && syntax_equal_mod(a->annotation, b->annotation);
}

static bool same_prefix(SynTypePrefix a, SynTypePrefix b)
{
    return a.connector == b.connector && a.variability == b.variability &&
           a.causality == b.causality;
}

static bool same_component(const SynComponent *a, const SynComponent *b)
{
    return name_same(a->name, b->name) && same_prefix(a->prefix, b->prefix) &&
           same_path(&a->type, &b->type) && same_exprs(&a->type_dims, &b->type_dims) &&
           same_exprs(&a->own_dims, &b->own_dims) && syntax_equal_mod(a->mod, b->mod) &&
           syntax_equal_expr(a->condition, b->condition) && same_text(a->comment, b->comment) &&
           syntax_equal_mod(a->annotation, b->annotation) &&
           same_constrained(a->constrained, b->constrained);
}

static bool same_import(const SynImport *a, const SynImport *b)
{
    return a->kind == b->kind && same_path(&a->path, &b->path) && name_same(a->name, b->name) &&
           a->n_list == b->n_list && same_names(a->list, b->list, a->n_list) &&
           same_text(a->comment, b->comment) && syntax_equal_mod(a->annotation, b->annotation);
}

static bool same_extends(const SynExtends *a, const SynExtends *b)
{
    return same_path(&a->base, &b->base) && syntax_equal_mod(a->mod, b->mod) &&
           syntax_equal_mod(a->annotation, b->annotation);
}

static bool same_element(const SynElement *a, const SynElement *b)
{
    if (!a || !b)
        return a == b;
    if (a->kind != b->kind || a->is_protected != b->is_protected || a->redeclare != b->redeclare ||
        a->final != b->final || a->inner != b->inner || a->outer != b->outer ||
        a->replaceable != b->replaceable || a->each != b->each)
        return false;
    switch (a->kind) {
    case SYN_IMPORT:
        return same_import(a->import, b->import);
    case SYN_EXTENDS:
        return same_extends(a->extends, b->extends);
    case SYN_CLASS:
        return syntax_equal_class(a->class_, b->class_);
    case SYN_COMPONENT:
        return same_component(a->component, b->component);
    }
    return false;
}

static bool same_equations(const SynEquations *a, const SynEquations *b);

static bool same_equation(const SynEquation *a, const SynEquation *b)
{
    if (a->kind != b->kind || !same_text(a->comment, b->comment) ||
        !syntax_equal_mod(a->annotation, b->annotation))
        return false;
    switch (a->kind) {
    case SYN_EQ_EQUAL:
        return syntax_equal_expr(a->lhs, b->lhs) && syntax_equal_expr(a->rhs, b->rhs);
    case SYN_EQ_CALL:
        return syntax_equal_expr(a->call, b->call);
    case SYN_EQ_CONNECT:
        return same_cref(a->a, b->a) && same_cref(a->b, b->b);
    case SYN_EQ_IF:
    case SYN_EQ_WHEN:
        if (a->n_branches != b->n_branches)
            return false;
        for (uint32_t k = 0; k < a->n_branches; k++) {
            if (!syntax_equal_expr(a->branch[k].condition, b->branch[k].condition) ||
                !same_equations(&a->branch[k].body, &b->branch[k].body))
                return false;
        }
        return true;
    case SYN_EQ_FOR:
        return same_iters(a->iter, a->n_iter, b->iter, b->n_iter) &&
               same_equations(&a->body, &b->body);
    }
    return false;
}

static bool same_equations(const SynEquations *a, const SynEquations *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t k = 0; k < a->n; k++) {
        if (!same_equation(a->at[k], b->at[k]))
            return false;
    }
    return true;
}

static bool same_statements(const SynStatements *a, const SynStatements *b);

static bool same_statement(const SynStatement *a, const SynStatement *b)
{
    if (a->kind != b->kind || !same_cref(a->target, b->target) ||
        !same_exprs(&a->tuple, &b->tuple) || !syntax_equal_expr(a->value, b->value) ||
        a->n_branches != b->n_branches || !same_iters(a->iter, a->n_iter, b->iter, b->n_iter) ||
        !same_statements(&a->body, &b->body) || !same_text(a->comment, b->comment) ||
        !syntax_equal_mod(a->annotation, b->annotation))
        return false;
    for (uint32_t k = 0; k < a->n_branches; k++) {
        if (!syntax_equal_expr(a->branch[k].condition, b->branch[k].condition) ||
            !same_statements(&a->branch[k].body, &b->branch[k].body))
            return false;
    }
    return true;
}

static bool same_statements(const SynStatements *a, const SynStatements *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t k = 0; k < a->n; k++) {
        if (!same_statement(a->at[k], b->at[k]))
            return false;
    }
    return true;
}

static bool same_external(const SynExternal *a, const SynExternal *b)
{
    if (!a || !b)
        return a == b;
    return same_text(a->language, b->language) && same_cref(a->result, b->result) &&
           name_same(a->function, b->function) && same_exprs(&a->arg, &b->arg) &&
           syntax_equal_mod(a->annotation, b->annotation);
}

static bool same_body(const SynClass *a, const SynClass *b)
{
    if (a->n_elements != b->n_elements || a->n_sections != b->n_sections ||
        !same_external(a->external, b->external) || !syntax_equal_mod(a->base_mod, b->base_mod))
        return false;
    for (uint32_t k = 0; k < a->n_elements; k++) {
        if (!same_element(a->elements[k], b->elements[k]))
            return false;
    }
    for (uint32_t k = 0; k < a->n_sections; k++) {
        const SynSection *x = &a->section[k];
        const SynSection *y = &b->section[k];
        if (x->initial != y->initial || x->algorithm != y->algorithm ||
            !same_equations(&x->equations, &y->equations) ||
            !same_statements(&x->statements, &y->statements))
            return false;
    }
    return true;
}

static bool same_literals(const SynClass *a, const SynClass *b)
{
    if (a->n_literals != b->n_literals)
        return false;
    for (uint32_t k = 0; k < a->n_literals; k++) {
        if (!name_same(a->literal[k].name, b->literal[k].name) ||
            !same_text(a->literal[k].comment, b->literal[k].comment) ||
            !syntax_equal_mod(a->literal[k].annotation, b->literal[k].annotation))
            return false;
    }
    return true;
}

bool syntax_equal_class(const SynClass *a, const SynClass *b)
{
    return name_same(a->name, b->name) && a->restriction == b->restriction &&
           a->purity == b->purity && a->kind == b->kind && a->partial == b->partial &&
           a->encapsulated == b->encapsulated && a->element->final == b->element->final &&
           same_body(a, b) && same_prefix(a->prefix, b->prefix) && same_path(&a->base, &b->base) &&
           same_exprs(&a->dims, &b->dims) && syntax_equal_mod(a->mod, b->mod) &&
           same_literals(a, b) && a->n_der_of == b->n_der_of &&
           same_names(a->der_of, b->der_of, a->n_der_of) &&
           same_constrained(a->constrained, b->constrained) && same_text(a->comment, b->comment) &&
           syntax_equal_mod(a->annotation, b->annotation);
}

bool syntax_equal(const SynFile *a, const SynFile *b)
{
    if (a->has_within != b->has_within || !same_path(&a->within, &b->within) ||
        a->n_classes != b->n_classes)
        return false;
    for (uint32_t k = 0; k < a->n_classes; k++) {
        if (!syntax_equal_class(a->class_[k], b->class_[k]))
            return false;
    }
    return true;
}
