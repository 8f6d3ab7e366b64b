#include "doc_pages/uses.h"

typedef struct Walk {
    Front *front;
    const Outline *outline;
    UseVisit visit;
    void *self;
} Walk;

static void walk_expr(const Walk *w, const SynExpr *x);
static void walk_mod(const Walk *w, const SynMod *m);
static void walk_element(const Walk *w, const SynElement *e);

static void use(const Walk *w, const SynPath *path)
{
    const SynClass *c = path->n ? front_class_named(w->front, w->outline, path) : NULL;
    if (c)
        w->visit(w->self, c, path->span);
}

/* The first n names of a reference. */
static const SynClass *class_of_cref(const Walk *w, const SynCref *c, uint32_t n)
{
    Name *name = arena_array(w->front->mem, Name, n);
    for (uint32_t k = 0; k < n; k++)
        name[k] = c->part[k].name;
    SynPath path = {.global = c->global, .n = n, .name = name};
    return front_class_named(w->front, w->outline, &path);
}

/* A function, a.b.c(x); or the package of a constant, a.b in a.b.c. */
static void use_cref(const Walk *w, const SynCref *c, bool is_call)
{
    uint32_t n = c->n;
    const SynClass *found = is_call || n > 1 ? class_of_cref(w, c, n) : NULL;
    if (!found && !is_call && --n > 0)
        found = class_of_cref(w, c, n);
    if (found)
        w->visit(w->self, found, (Span){c->span.file, c->span.begin, c->part[n - 1].span.end});
}

static void walk_exprs(const Walk *w, const SynExprs *x)
{
    for (uint32_t k = 0; k < x->n; k++)
        walk_expr(w, x->at[k]);
}

static void walk_iterators(const Walk *w, const SynIter *iter, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        walk_expr(w, iter[k].range);
}

static void walk_cref(const Walk *w, const SynCref *c)
{
    for (uint32_t k = 0; k < c->n; k++)
        walk_exprs(w, &c->part[k].sub);
}

static void walk_expr(const Walk *w, const SynExpr *x)
{
    if (!x)
        return;
    switch (x->kind) {
    case SYN_CREF:
        use_cref(w, x->cref, false);
        walk_cref(w, x->cref);
        return;
    case SYN_CALL:
    case SYN_PARTIAL:
        use_cref(w, x->cref, true);
        break;
    case SYN_INDEX:
        walk_expr(w, x->base);
        break;
    case SYN_MATRIX:
        for (uint32_t k = 0; k < x->n_rows; k++)
            walk_exprs(w, &x->row[k]);
        return;
    case SYN_UNARY:
    case SYN_CHAIN:
    case SYN_BINARY:
    case SYN_IF:
    case SYN_RANGE:
    case SYN_ARRAY:
    case SYN_TUPLE:
        break;
    default:
        return;
    }
    walk_exprs(w, &x->arg);
    bool has_named = x->kind == SYN_CALL || x->kind == SYN_PARTIAL;
    for (uint32_t k = 0; has_named && k < x->n_named; k++)
        walk_expr(w, x->named[k].value);
    if (x->kind == SYN_CALL || x->kind == SYN_ARRAY)
        walk_iterators(w, x->iter, x->n_iter);
}

static void walk_mod(const Walk *w, const SynMod *m)
{
    if (!m)
        return;
    for (uint32_t k = 0; k < m->n; k++) {
        if (m->arg[k].element)
            walk_element(w, m->arg[k].element);
        walk_mod(w, m->arg[k].mod);
    }
    walk_expr(w, m->value);
}

static void walk_constraint(const Walk *w, const SynConstrained *c)
{
    if (!c)
        return;
    use(w, &c->by);
    walk_mod(w, c->mod);
}

static void walk_short(const Walk *w, const SynClass *c)
{
    use(w, &c->base);
    walk_exprs(w, &c->dims);
    walk_mod(w, c->mod);
    walk_constraint(w, c->constrained);
}

/* The target of an import is a name from the top (MLS 13.2.1). */
static void walk_import(const Walk *w, const SynImport *i)
{
    SynPath path = i->path;
    path.global = true;
    use(w, &path);
}

static void walk_element(const Walk *w, const SynElement *e)
{
    switch (e->kind) {
    case SYN_IMPORT:
        walk_import(w, e->import);
        return;
    case SYN_EXTENDS:
        use(w, &e->extends->base);
        walk_mod(w, e->extends->mod);
        return;
    case SYN_CLASS:
        walk_short(w, e->class_);
        return;
    case SYN_COMPONENT:
        use(w, &e->component->type);
        walk_exprs(w, &e->component->type_dims);
        walk_exprs(w, &e->component->own_dims);
        walk_mod(w, e->component->mod);
        walk_expr(w, e->component->condition);
        walk_constraint(w, e->component->constrained);
        return;
    }
}

static void walk_equations(const Walk *w, const SynEquations *list)
{
    for (uint32_t k = 0; k < list->n; k++) {
        const SynEquation *x = list->at[k];
        switch (x->kind) {
        case SYN_EQ_EQUAL:
            walk_expr(w, x->lhs);
            walk_expr(w, x->rhs);
            break;
        case SYN_EQ_CALL:
            walk_expr(w, x->call);
            break;
        case SYN_EQ_CONNECT:
            walk_cref(w, x->a);
            walk_cref(w, x->b);
            break;
        case SYN_EQ_IF:
        case SYN_EQ_WHEN:
            for (uint32_t b = 0; b < x->n_branches; b++) {
                walk_expr(w, x->branch[b].condition);
                walk_equations(w, &x->branch[b].body);
            }
            break;
        case SYN_EQ_FOR:
            walk_iterators(w, x->iter, x->n_iter);
            walk_equations(w, &x->body);
            break;
        }
    }
}

static void walk_statements(const Walk *w, const SynStatements *list)
{
    for (uint32_t k = 0; k < list->n; k++) {
        const SynStatement *x = list->at[k];
        if (x->target)
            walk_cref(w, x->target);
        walk_exprs(w, &x->tuple);
        walk_expr(w, x->value);
        for (uint32_t b = 0; b < x->n_branches; b++) {
            walk_expr(w, x->branch[b].condition);
            walk_statements(w, &x->branch[b].body);
        }
        walk_iterators(w, x->iter, x->n_iter);
        walk_statements(w, &x->body);
    }
}

void uses_visit(Front *f, const Outline *o, UseVisit visit, void *self)
{
    Walk w = {f, o, visit, self};
    const SynClass *c = o->syn;
    if (c->kind == SYN_SHORT || c->kind == SYN_DER) {
        walk_short(&w, c);
        return;
    }
    walk_mod(&w, c->base_mod);
    for (uint32_t k = 0; k < c->n_elements; k++)
        if (c->elements[k]->kind != SYN_CLASS)
            walk_element(&w, c->elements[k]);
    for (uint32_t k = 0; k < c->n_sections; k++) {
        walk_equations(&w, &c->section[k].equations);
        walk_statements(&w, &c->section[k].statements);
    }
    if (c->external)
        walk_exprs(&w, &c->external->arg);
}
