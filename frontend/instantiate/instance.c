/* instance.c -- the instance tree, made on demand (MLS 3.6 ch. 5.6). */
#include "frontend/instantiate/instance.h"

#include "frontend/instantiate/dump.h"

#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum {
    EXPANDABLE_MAX = 6,  /* expandable connectors that connections make inside one another */
    RECURSION_MAX = 200, /* of components of one class inside one another */
};

/* ---- scopes -------------------------------------------------------------------------------- */

Scope *instance_scope(Front *f, Instance *i, const Class *body)
{
    Class *c = i->cls;
    if (!i->scopes) {
        i->scopes = arena_array(f->mem, Scope, c->linear.n);
        for (uint32_t k = 0; k < c->linear.n; k++)
            i->scopes[k] =
                (Scope){.outer = c->linear.at[k]->outer, .cls = c->linear.at[k], .inst = i};
    }
    return &i->scopes[body->place];
}

/* The body of a class, seen from an instance at or inside one of that class. */
Scope *scope_bind(Front *f, Instance *at, Scope *s)
{
    if (!s || s->inst || !s->cls)
        return s;
    for (Instance *i = at; i; i = i->parent)
        if (i->cls == s->cls->self && i->kind == INST_CLASS)
            return instance_scope(f, i, s->cls);
    return s;
}

/* As eval_boolean, independent of the evaluation in progress. */
static bool condition_eval(Front *f, Scope *s, const SynExpr *x, bool *out)
{
    Value v;
    double value = 0;
    if (!eval_structural(f, s, x, "the condition of a component", &v))
        return false;
    if (v.kind != VALUE_PLAIN || v.type != TYPE_BOOLEAN || v.n_dims ||
        !expr_constant(f->sys->pool, v.elem[0], &value)) {
        diag_error(f->diags, x->span, "T31", "the condition of a component must be a Boolean");
        return false;
    }
    *out = value != 0;
    return true;
}

static bool dimension_eval(Front *f, Scope *s, const SynExpr *x, uint32_t *out)
{
    Evaluator saved = f->eval;
    f->eval.structural = f->eval.in_message = f->eval.has_end = f->eval.has_path = false;
    bool good = eval_dimension(f, s, x, out);
    struct FunctionTable *functions = f->eval.functions;
    f->eval = saved;
    f->eval.functions = functions;
    return good;
}

Span instance_span(const Instance *i)
{
    if (i->el)
        return i->el->component->name_span;
    return i->cls->syn ? i->cls->syn->name_span : SPAN_NONE;
}

void context_push(Front *f, const Instance *i)
{
    enum { SHOWN = 80 }; /* of a long path, at both ends */
    if (!i->el)
        return;
    size_t n = strlen(i->path);
    const char *text = i->path;
    if (n > 3 * SHOWN)
        text = arena_printf(f->mem, "%.*s ... %s", SHOWN, i->path, i->path + n - SHOWN);
    diag_push(f->diags, instance_span(i), text);
}

void context_pop(Front *f, const Instance *i)
{
    if (i->el)
        diag_pop(f->diags);
}

/* ---- making instances ---------------------------------------------------------------------- */

static Instance *instance_new(Front *f, InstanceKind kind, Instance *parent, Element *el,
                              Class *cls)
{
    Instance *i = arena_make(f->mem, Instance);
    i->id = f->lookup->n_instances++;
    i->kind = kind;
    i->parent = parent;
    i->depth = parent ? parent->depth + 1 : 0;
    i->el = el;
    i->cls = cls;
    i->n = 1;
    i->variability = VARIES_ALWAYS;
    if (parent) {
        i->is_static = parent->is_static;
        i->is_final = parent->is_final;
        i->is_protected = parent->is_protected;
        i->hides_result = parent->hides_result;
        i->is_flow = parent->is_flow;
        i->is_stream = parent->is_stream;
        i->is_input = parent->is_input;
        i->is_output = parent->is_output;
        i->variability = parent->variability;
    }
    return i;
}

static void children_new(Front *f, Instance *i)
{
    i->child = arena_array(f->mem, Instance *, i->cls->component.n + 1);
}

Instance *instance_root(Front *f, Class *c, Env env)
{
    Instance *i = instance_new(f, INST_CLASS, NULL, NULL, c);
    i->path = "";
    i->env = i->inside = env;
    children_new(f, i);
    return i;
}

/* MLS 5.3.1: of a class that is no component, only the constants have values. */
Instance *class_statics(Front *f, Class *c)
{
    c = c->self;
    if (!c->statics) {
        Instance *i = instance_root(f, c, (Env){0});
        i->path = c->name;
        i->is_static = true;
        c->statics = i;
    }
    return c->statics;
}

static Variability least(Variability a, Variability b)
{
    return a < b ? a : b;
}

static const Value *sized_by_binding(Front *f, Instance *i)
{
    const Value *v = NULL;
    return instance_binding(f, i, false, &v) ? v : NULL;
}

uint32_t own_size(const SynExpr *x, Name name, uint32_t n_dims)
{
    bool is_size = x->kind == SYN_CALL && x->cref->n == 1 && x->arg.n == 2 &&
                   strcmp(x->cref->part[0].name.s, "size") == 0 && x->arg.at[0]->kind == SYN_CREF &&
                   x->arg.at[0]->cref->n == 1 && x->arg.at[1]->kind == SYN_INTEGER &&
                   name_same(x->arg.at[0]->cref->part[0].name, name);
    long k = is_size ? strtol(x->arg.at[1]->text, NULL, 10) : 0;
    return k >= 1 && k <= n_dims ? (uint32_t)k : 0;
}

static bool dims_eval(Front *f, Instance *i, Instance *around)
{
    Element *e = i->el;
    const Member *m = &e->member;
    if (m->n_dims == 0)
        return true;
    uint32_t *dims = arena_array(f->mem, uint32_t, m->n_dims);
    i->n_dims = m->n_dims;
    i->dims = dims;
    uint64_t n = 1;
    const Value *by = NULL;
    const uint32_t *given = expandable_size(f, around, e->name, m->n_dims);
    /* the sizes that are given before those that come from the binding, own ones last */
    for (uint32_t j = 0; j < 3 * m->n_dims; j++) {
        uint32_t k = j % m->n_dims;
        const SynExpr *x = m->dims[k];
        uint32_t own = own_size(x, e->name, m->n_dims);
        if (j / m->n_dims != (own ? 2 : x->kind == SYN_COLON ? 1 : 0))
            continue;
        if (own) {
            dims[k] = dims[own - 1];
            if (by && k < by->n_dims && by->dims[k] != dims[k]) {
                diag_error(f->diags, m->span, "T32", "'%s' is %s, but its binding is %s", e->name.s,
                           dims_text(f, m->n_dims, dims), dims_text(f, by->n_dims, by->dims));
                return false;
            }
        } else if (x->kind == SYN_COLON && given) {
            dims[k] = given[k];
        } else if (x->kind == SYN_COLON) {
            /* MLS 10.1: `:` takes the size of the binding */
            if (!by && !(by = sized_by_binding(f, i))) {
                if (i->bound[0] != BINDING_BAD)
                    diag_error(f->diags, m->span, "T33",
                               "the size of '%s' is ':' but nothing is bound to it", e->name.s);
                return false;
            }
            if (k >= by->n_dims) {
                diag_error(f->diags, m->span, "T32", "'%s' has %u dimensions, its binding %u",
                           e->name.s, m->n_dims, by->n_dims);
                return false;
            }
            dims[k] = by->dims[k];
        } else {
            if (!dimension_eval(f, scope_bind(f, around, e->dims_scope[k]), x, &dims[k]))
                return false;
        }
        n *= dims[k];
        if (n > UINT32_MAX / 2) {
            diag_error(f->diags, m->span, "T33", "'%s' has too many elements", e->name.s);
            return false;
        }
    }
    i->n = (uint32_t)n;
    return true;
}

enum { INDEX_TEXT = DIMS_MAX * 11 + 3 };

/* "[2,3]" of element k, row-major; returns its length. */
static size_t index_text(const Instance *array, uint32_t k, char text[INDEX_TEXT])
{
    uint32_t index[DIMS_MAX];
    uint32_t n = array->n_dims;
    for (uint32_t d = n; d-- > 0;) {
        index[d] = k % array->dims[d] + 1;
        k /= array->dims[d];
    }
    char *at = text;
    for (uint32_t d = 0; d < n; d++) {
        char digits[12];
        int len = 0;
        for (uint32_t x = index[d]; x || !len; x /= 10)
            digits[len++] = (char)('0' + x % 10);
        *at++ = d ? ',' : '[';
        while (len)
            *at++ = digits[--len];
    }
    *at++ = ']';
    *at = 0;
    return (size_t)(at - text);
}

/* MLS 4.4.2.2: inputs and outputs of the model itself and of its connectors come from outside and
 * go there. */
static bool is_at_top(const Instance *i)
{
    bool top = !i->is_flow;
    for (const Instance *p = i; top && p->parent; p = p->parent)
        top = p->parent->parent == NULL || class_is_connector(p->parent->cls);
    return top;
}

static VarKind var_kind(const Instance *i)
{
    if (i->variability == VARIES_NEVER)
        return VAR_CONSTANT;
    if (i->variability == VARIES_PARAMETER)
        return VAR_PARAMETER;
    if (i->is_input && is_at_top(i))
        return VAR_INPUT;
    return i->variability == VARIES_DISCRETE ? VAR_DISCRETE : VAR_CONTINUOUS;
}

/* Which of the System's enumeration types a class is. */
static uint32_t enumeration_of(Front *f, const Class *c)
{
    System *s = f->sys;
    Name name = name_of(f->names, class_name(f, c));
    for (uint32_t k = 0; k < s->enumeration.n; k++)
        if (name_same(s->enumeration.at[k].name, name))
            return k;
    uint32_t n = class_n_literals(f, c);
    Name *literal = arena_array(s->mem, Name, n + 1);
    for (uint32_t k = 0; k < n; k++)
        literal[k] = class_literal(f, c, k);
    vec_push(s->mem, s->enumeration, ((Enumeration){name, n, literal}));
    return s->enumeration.n - 1;
}

/* MLS 9.2: is the variable a potential variable of a connector. */
static bool is_potential(const Instance *i)
{
    if (i->is_flow || i->is_stream || i->is_input || i->is_output)
        return false;
    for (; i && i->cls; i = i->parent) {
        if (class_is_connector(i->cls))
            return true;
        if (class_is(i->cls, SYN_R_MODEL) || class_is(i->cls, SYN_R_BLOCK))
            return false;
    }
    return false;
}

/* The name of element k of an imported variable (import/fmu_model.h), whose quoted identifier is
 * its own name elsewhere. */
static Name unquoted_name(Front *f, const Instance *i, uint32_t k)
{
    char index[INDEX_TEXT];
    size_t all = strlen(i->path), own = strlen(i->el->name.s),
           n = i->n_dims ? index_text(i, k, index) : 0;
    const char *plain = all >= own ? dump_unquoted(f->scratch, i->path + all - own) : NULL;
    const char *name = plain ? arena_printf(f->scratch, "%.*s%s%.*s", (int)(all - own), i->path,
                                            plain, (int)n, index)
                             : arena_printf(f->scratch, "%s%.*s", i->path, (int)n, index);
    return name_of(f->names, name);
}

static void leaf_vars(Front *f, Instance *i)
{
    System *s = f->sys;
    Element *e = i->el;
    uint32_t group = i->n_dims ? system_new_group(s) : GROUP_NONE;
    Var v = var_plain((Name){0});
    v.kind = var_kind(i);
    v.type = i->cls->base_type;
    if (v.type == TYPE_ENUMERATION && i->cls->kind == CLASS_ENUMERATION)
        v.enumeration = enumeration_of(f, i->cls);
    v.group = group;
    v.span = e->component->name_span;
    v.is_output = i->is_output && is_at_top(i);
    v.is_protected = i->is_protected;
    v.hides_result = i->hides_result;
    v.is_final = i->is_final && !f->lookup->is_dump;
    v.is_flow = i->is_flow;
    v.is_potential = is_potential(i);
    if (e->component->comment)
        v.description = name_of(f->names, e->component->comment);
    v.is_error_sum = rung_annotation(e->component->annotation, "errorSum") != NULL;
    v.starts_at_parameter = rung_annotation(e->component->annotation, "parameterStart") != NULL;
    bool is_unquoted = rung_annotation(e->component->annotation, "unquoted") != NULL;
    i->var = VAR_NONE;
    size_t len = strlen(i->path);
    ArenaMark mark = arena_mark(f->scratch);
    char *name = arena_array(f->scratch, char, len + INDEX_TEXT);
    memcpy(name, i->path, len);
    for (uint32_t k = 0; k < i->n; k++) {
        v.name = name_of_n(f->names, name, len + (i->n_dims ? index_text(i, k, name + len) : 0));
        v.index = k;
        if (f->lookup->is_dump && !i->parent->parent && !i->n_dims) {
            const char *plain = dump_unquoted(f->mem, v.name.s);
            v.name = plain ? name_of(f->names, plain) : v.name;
            dump_read_var(f, e->component, &v, s->var.n ? &s->var.at[s->var.n - 1] : NULL);
        }
        if (is_unquoted)
            v.name = unquoted_name(f, i, k);
        VarId id = system_add_var(s, v);
        if (k == 0)
            i->var = id;
        while (f->lookup->leaf_of_var.n < id.i)
            vec_push(f->mem, f->lookup->leaf_of_var, NULL);
        vec_push(f->mem, f->lookup->leaf_of_var, i);
    }
    const SynArg *message = syn_mod_find(e->component->annotation, "unassignedMessage");
    if (i->n && message && message->mod && message->mod->value &&
        message->mod->value->kind == SYN_STRING)
        vec_push(s->mem, s->unassigned,
                 ((UnassignedMessage){i->var, i->n, message->mod->value->text}));
    arena_rollback(f->scratch, mark);
}

static void inherit_prefixes(Instance *i, const Element *e)
{
    const Member *m = &e->member;
    const SynTypePrefix *p = &e->component->prefix;
    const SynTypePrefix *t = &e->type->prefix;
    i->variability = least(i->variability, m->variability);
    i->is_input = i->is_input || m->is_input;
    i->is_output = i->is_output || m->is_output;
    i->is_flow = i->is_flow || p->connector == SYN_FLOW || t->connector == SYN_FLOW;
    i->is_stream = i->is_stream || p->connector == SYN_STREAM || t->connector == SYN_STREAM;
    i->is_protected = i->is_protected || e->is_protected;
    /* the innermost annotation counts */
    if (e->hides_result != UNKNOWN)
        i->hides_result = e->hides_result == YES;
    bool fixed_value = m->variability <= VARIES_PARAMETER;
    /* MLS 4.1: a protected element cannot be modified from outside, nor its value changed later */
    i->is_final =
        i->is_final || e->is_final || (fixed_value && (e->is_evaluate || i->is_protected));
    for (uint32_t k = 0; k < i->env.n; k++)
        if (!i->env.at[k].only_redeclare && i->env.at[k].mod->is_final)
            i->is_final = true;
    for (uint32_t k = 0; k < e->env.n; k++)
        if (!e->env.at[k].only_redeclare && e->env.at[k].mod->is_final)
            i->is_final = true;
}

static Instance *element_instance(Front *f, Instance *array, uint32_t k)
{
    Instance *i = arena_make(f->mem, Instance);
    *i = *array;
    i->id = f->lookup->n_instances++;
    i->kind = INST_CLASS;
    i->array = array;
    i->index = k;
    i->n_dims = 0;
    i->dims = NULL;
    i->n = 1;
    i->bound[0] = i->bound[1] = BINDING_UNKNOWN;
    i->binding[0] = i->binding[1] = NULL;
    char index[INDEX_TEXT] = "[0]";
    if (array->n)
        index_text(array, k, index);
    i->path = arena_printf(f->sys->mem, "%s%s", array->path, index);
    children_new(f, i);
    return i;
}

/* An element for the shape of an empty array of components. */
Instance *instance_prototype(Front *f, Instance *array)
{
    if (array->n)
        return array->elem[0];
    if (!array->elem) {
        array->elem = arena_array(f->mem, Instance *, 1);
        array->elem[0] = element_instance(f, array, 0);
        array->elem[0]->is_static = true;
    }
    return array->elem[0];
}

static Instance *make_child(Front *f, Instance *around, Element *e, Instance **slot);

/* ": " and the class's missingInnerMessage (MLS 5.4), or "". */
static const char *missing_inner_message(Front *f, const Class *type)
{
    const SynArg *a =
        type && type->syn ? syn_mod_find(type->syn->annotation, "missingInnerMessage") : NULL;
    const SynExpr *text = a && a->mod ? a->mod->value : NULL;
    return text && text->kind == SYN_STRING ? arena_printf(f->mem, ": %s", text->text) : "";
}

static const Instance *component_around(const Instance *i)
{
    while (i && i->parent && i->parent->parent)
        i = i->parent;
    return i;
}

UserPlace user_place(const Instance *i, Span inside)
{
    const Instance *own = component_around(i);
    const Element *e = own && own->parent ? own->el ? own->el : own->array->el : NULL;
    if (!e || !e->component || e->component->name_span.file == inside.file)
        return (UserPlace){inside, inside, NULL};
    return (UserPlace){e->component->name_span, inside, own->path};
}

static void note_inside(Front *f, const UserPlace *p, const char *what)
{
    if (p->path)
        diag_note(f->diags, p->inside, "%s, in '%s'", what, p->path);
}

/* MLS 5.4: without an inner one, the model gets a component of the class of the outer one; all such
 * of one name are of one class, and none is partial. NULL if it cannot be. */
static Instance *inner_added(Front *f, const Instance *around, Element *e, Class *type)
{
    Instance *root = f->lookup->root;
    bool is_simple = type->kind == CLASS_PLAIN || type->kind == CLASS_ENUMERATION;
    if (!root || is_simple || class_is_partial(type) || e->member.n_dims)
        return NULL;
    for (uint32_t k = 0; k < root->undeclared.n; k++)
        if (name_same(root->undeclared.at[k]->name, e->name))
            return class_same(root->added[k]->cls, type) ? root->added[k] : NULL;
    const Element *own = class_element(f, root->cls, e->name);
    if (own && !(own->is_outer && !own->is_inner))
        return NULL; /* the model has something else of that name */
    UserPlace place = user_place(around, e->component->name_span);
    diag_warning(f->diags, place.at, "N08",
                 "no component around has an 'inner %s %s': one is added to the model (MLS 5.4)%s",
                 type->name, e->name.s, missing_inner_message(f, type));
    note_inside(f, &place, "the outer component is here");
    SynComponent *c = arena_make(f->mem, SynComponent);
    *c = *e->component;
    c->mod = NULL;
    c->condition = NULL;
    Element *inner = arena_make(f->mem, Element);
    *inner = *e;
    inner->id = f->lookup->n_elements++;
    inner->component = c;
    inner->is_outer = false;
    inner->is_inner = true;
    inner->in = root->cls;
    inner->env = (Env){0};
    inner->own = NULL;
    inner->same = NULL;
    uint32_t n = root->undeclared.n;
    vec_push(f->mem, root->undeclared, inner);
    Instance **all = arena_array(f->mem, Instance *, n + 1);
    if (n)
        memcpy(all, root->added, n * sizeof *all);
    root->added = all;
    return make_child(f, root, inner, &all[n]);
}

/* MLS 5.4, 6.4: the inner one is an array of the size that the outer one has. */
static void check_inner_size(Front *f, Instance *around, const Element *outer,
                             const Instance *inner)
{
    const Member *m = &outer->member;
    if (inner->kind == INST_FAILED || inner->is_sizing)
        return;
    bool same = inner->n_dims == m->n_dims;
    for (uint32_t k = 0; same && k < m->n_dims; k++) {
        uint32_t size = 0;
        if (m->dims[k]->kind != SYN_INTEGER)
            continue; /* by parameters, which are those of other instances */
        if (!dimension_eval(f, scope_bind(f, around, outer->dims_scope[k]), m->dims[k], &size))
            return;
        same = size == inner->dims[k];
    }
    if (same)
        return;
    diag_error(f->diags, outer->component->name_span, "N08",
               "inner '%s' is %s, but outer '%s' is another array (MLS 5.4)", outer->name.s,
               dims_text(f, inner->n_dims, inner->dims), outer->name.s);
    diag_note(f->diags, inner->el->component->name_span, "the inner component is here");
}

/* MLS 5.4: the element an outer one means: the nearest inner around. */
static Instance *inner_of(Front *f, Instance *around, Element *e)
{
    for (Instance *p = around->parent; p; p = p->parent) {
        Element *in = class_element(f, p->cls, e->name);
        if (!in || in->is_class || !in->is_inner)
            continue;
        Instance *i = instance_child(f, p, element_first(in)->index);
        /* MLS 5.4: a subtype of the outer one's, be it derived from it or not */
        bool is_other;
        if (i && i->kind != INST_ABSENT && element_type(f, e) && !class_extends(i->cls, e->type) &&
            (e->type->kind != CLASS_OTHER || class_lacks(f, i->cls, e->type, &is_other))) {
            diag_error(f->diags, e->component->name_span, "N08",
                       "inner '%s' is a %s, but outer '%s' needs a %s", e->name.s, i->cls->name,
                       e->name.s, e->type->name);
            diag_note(f->diags, in->component->name_span, "the inner component is here");
        } else if (i && i->kind != INST_ABSENT && e->typed == TYPE_KNOWN) {
            check_inner_size(f, around, e, i);
        }
        return i;
    }
    Class *type = element_type(f, e) ? e->type : NULL;
    Instance *added = type && !around->is_static ? inner_added(f, around, e, type) : NULL;
    if (added)
        return added;
    if (type && class_is_partial(type))
        f->wants_class = true;
    UserPlace place = user_place(around, e->component->name_span);
    diag_error(f->diags, place.at, "N08",
               "outer '%s' needs an 'inner %s %s' in a component around it%s", e->name.s,
               type ? type->name : "component", e->name.s, missing_inner_message(f, type));
    note_inside(f, &place, "the outer component is here");
    return NULL;
}

/* The type of this one component: with the redeclarations that come from around. */
static Class *type_for(Front *f, Element *e, Env env)
{
    Class *type = e->type;
    if (!env.n)
        return type;
    bool into_class = env_check(f, env, type, true);
    if (!into_class && !env_has_redeclare(env))
        return type;
    type = class_derive(f, type, env_redeclares(f, env), NULL);
    return class_elaborate(f, type) ? type : NULL;
}

/* MLS 5.4: the inner class that an outer class of that name means, seen from `around`; NULL if
 * there is none such. */
Class *inner_class_of(Front *f, Instance *around, Name name)
{
    Element *e = class_element(f, around->cls, name);
    if (!e || !e->is_class || !e->is_outer)
        return NULL;
    for (Instance *p = around->parent; p; p = p->parent) {
        Element *in = class_element(f, p->cls, name);
        if (!in || !in->is_class || !in->is_inner)
            continue;
        Class *c = element_class(f, in, p);
        return class_elaborate(f, c) ? c : NULL;
    }
    return NULL;
}

/* All modifiers of i, with the place where they stand. */
static Env env_inside(Front *f, const Instance *i)
{
    Env own = i->el->env;
    if (!own.n)
        return i->env;
    ModSource *at = arena_array(f->mem, ModSource, i->env.n + own.n);
    for (uint32_t k = 0; k < i->env.n + own.n; k++) {
        at[k] = k < i->env.n ? i->env.at[k] : own.at[k - i->env.n];
        if (!at[k].at)
            at[k].at = i->parent;
        if (k >= i->env.n && !at[k].above)
            at[k].above = i->parent;
    }
    return (Env){at, i->env.n + own.n};
}

static Instance *make_child(Front *f, Instance *around, Element *e, Instance **slot)
{
    const SynComponent *c = e->component;
    if (e->is_outer && (around->cls->kind == CLASS_RECORD || class_is_connector(around->cls))) {
        /* the enclosing component may contain the same connector, endlessly */
        diag_error(f->diags, c->name_span, "N40", "%s has no outer components (MLS 4.6)",
                   syn_restriction_phrase(around->cls->syn->restriction));
        return NULL;
    }
    if (e->is_outer && !e->is_inner)
        return inner_of(f, around, e);
    Instance *i = instance_new(f, INST_CLASS, around, e, NULL);
    *slot = i;
    i->kind = INST_FAILED;
    i->path =
        around->path[0] ? arena_printf(f->sys->mem, "%s.%s", around->path, e->name.s) : e->name.s;
    if (c->condition) {
        bool present = true;
        if (!condition_eval(f, scope_bind(f, around, e->condition_scope), c->condition, &present))
            return i;
        if (!present) {
            i->kind = INST_ABSENT;
            return i;
        }
    }
    if (!element_type(f, e))
        return i;
    i->env = env_sub(f, around->inside, e->name);
    i->cls = type_for(f, e, i->env);
    if (c->type.n == 1 && !c->type.global) {
        Class *inner = inner_class_of(f, around, c->type.name[0]);
        i->cls = inner ? inner : i->cls;
    }
    if (!i->cls)
        return i;
    inherit_prefixes(i, e);
    bool is_leaf = i->cls->kind == CLASS_PLAIN || i->cls->kind == CLASS_ENUMERATION;
    if (!is_leaf) {
        ClassKind kind = i->cls->kind;
        if (kind == CLASS_FUNCTION || kind == CLASS_BUILTIN_FUNCTION ||
            class_is(i->cls, SYN_R_PACKAGE)) {
            diag_error(f->diags, c->type.span, "T34", "'%s' is a %s and no type of a component",
                       i->cls->name, syn_restriction_text(i->cls->syn->restriction));
            return i;
        }
        uint32_t same = 0;
        for (const Instance *p = around; p; p = p->parent)
            same += p->cls->syn == i->cls->syn;
        /* reported once; several such components would double at every level */
        uint64_t endless = map_key_ptr(i->cls->syn);
        if (same > 0 && map_get(&f->lookup->endless, endless) != MAP_NONE)
            return i;
        if (same > RECURSION_MAX || i->depth > INSTANCE_DEPTH_MAX) {
            const char *name = same ? i->cls->name : "";
            bool is_long = strlen(name) > 60; /* A.K.K.K.K... */
            diag_error(f->diags, c->name_span, "F04", "components are nested too deeply%s%.*s%s%s",
                       same ? ": " : "", 60, name, is_long ? "..." : "",
                       same ? " contains itself" : "");
            map_put(&f->lookup->endless, endless, 1);
            return i;
        }
        if (class_is_partial(i->cls) && !around->is_static) {
            if (e->is_replaceable || class_is_replaceable(i->cls))
                f->wants_class = true;
            UserPlace place = user_place(around, c->type.span);
            diag_error(f->diags, place.at, "N12", "%s is partial: '%s' needs a complete class",
                       i->cls->name, e->name.s);
            const Element *by = class_element(f, around->cls, c->type.name[0]);
            if (place.path && by && by->is_class && by->is_replaceable)
                diag_note(f->diags, place.at, "redeclare '%s' where '%s' is declared", by->name.s,
                          place.path);
            note_inside(f, &place, "the component is here");
            return i;
        }
    }
    i->kind = is_leaf ? INST_LEAF : e->member.n_dims ? INST_ARRAY : INST_CLASS;
    i->is_sizing = true;
    bool sized = dims_eval(f, i, around);
    i->is_sizing = false;
    if (!sized) {
        i->kind = INST_FAILED;
        return i;
    }
    if (class_is_expandable(i->cls))
        f->lookup->has_expandable = true;
    if (i->kind == INST_LEAF) {
        i->var = VAR_NONE;
        if (!i->is_static)
            leaf_vars(f, i);
        return i;
    }
    i->inside = env_inside(f, i);
    if (i->kind == INST_CLASS) {
        children_new(f, i);
    } else if (i->n) {
        i->elem = arena_array(f->mem, Instance *, i->n);
        for (uint32_t k = 0; k < i->n; k++)
            i->elem[k] = element_instance(f, i, k);
    }
    return i;
}

Instance *instance_child(Front *f, Instance *i, uint32_t index)
{
    Instance *c = i->child[index];
    if (!c) {
        Element *e = i->cls->component.at[index];
        if (f->lookup->depth > INSTANCE_DEPTH_MAX) {
            diag_error(f->diags, e->component->name_span, "F04",
                       "the sizes of components depend on each other too deeply");
            return NULL;
        }
        f->lookup->depth++;
        context_push(f, i);
        c = make_child(f, i, e, &i->child[index]);
        context_pop(f, i);
        f->lookup->depth--;
        if (!c) {
            c = instance_new(f, INST_FAILED, i, e, NULL);
            c->path = e->name.s;
        }
        i->child[index] = c;
    }
    if (c->is_sizing) {
        diag_error(f->diags, instance_span(c), "N13", "the size of '%s' depends on itself",
                   c->path);
        return NULL;
    }
    return c->kind == INST_FAILED ? NULL : c;
}

Instance *instance_local(Front *f, Instance *i, Element *e)
{
    uint32_t index = element_first(e)->index;
    Element *first = i->cls->component.at[index];
    /* of the model itself, around which there is nothing, both are one */
    if (first->is_inner && first->is_outer && i->parent)
        return inner_of(f, i, first);
    return instance_child(f, i, index);
}

Instance *instance_add(Front *f, Instance *connector, Name name, const Instance *like,
                       uint32_t n_dims, const uint32_t *dims)
{
    uint32_t nested = 0;
    for (const Instance *p = connector; p && class_is_expandable(p->cls); p = p->parent)
        nested++;
    if (nested > EXPANDABLE_MAX) {
        diag_error(f->diags, instance_span(connector), "F04",
                   "connections give this expandable connector itself as a part");
        f->lookup->has_expandable = false; /* no further rounds */
        return NULL;
    }
    SynComponent *c = arena_make(f->mem, SynComponent);
    *c = *like->el->component;
    c->name = name;
    c->mod = NULL;
    c->condition = NULL;
    Element *e = arena_make(f->mem, Element);
    e->id = f->lookup->n_elements++;
    e->name = name;
    e->syn = e->original = like->el->syn;
    e->in = connector->cls;
    e->scope = e->condition_scope = e->own_dims_scope = &connector->cls->body;
    e->component = c;
    e->typed = TYPE_KNOWN;
    e->type = like->cls;
    e->member = like->el->member;
    e->member.name = name;
    bool is_leaf = like->kind == INST_LEAF;
    Instance *i = instance_new(f, is_leaf ? INST_LEAF : INST_CLASS, connector, e, like->cls);
    i->path = arena_printf(f->sys->mem, "%s.%s", connector->path, name.s);
    i->variability = like->variability;
    i->is_flow = like->is_flow;
    i->is_input = i->is_output = false; /* set by its connections */
    if (n_dims) {
        uint32_t *own = arena_array(f->mem, uint32_t, n_dims);
        memcpy(own, dims, n_dims * sizeof *own);
        i->n_dims = n_dims;
        i->dims = own;
        for (uint32_t k = 0; k < n_dims; k++)
            i->n *= dims[k];
    }
    if (is_leaf) {
        leaf_vars(f, i);
    } else if (n_dims == 0) {
        children_new(f, i);
    } else {
        i->kind = INST_ARRAY;
        i->elem = arena_array(f->mem, Instance *, i->n + 1);
        for (uint32_t k = 0; k < i->n; k++)
            i->elem[k] = element_instance(f, i, k);
    }
    uint32_t n = connector->undeclared.n;
    vec_push(f->mem, connector->undeclared, e);
    Instance **added = arena_array(f->mem, Instance *, n + 1);
    if (n)
        memcpy(added, connector->added, n * sizeof *added);
    added[n] = i;
    connector->added = added;
    return i;
}

uint32_t instance_n_parts(const Instance *i)
{
    return i->cls->component.n + i->undeclared.n;
}

Instance *instance_part(const Instance *i, uint32_t k)
{
    uint32_t n = i->cls->component.n;
    if (k >= n)
        return i->added[k - n];
    const Element *e = i->cls->component.at[k];
    /* MLS 5.4: an outer component of the model itself, whose inner one was added to the model */
    bool is_added = e->is_outer && !e->is_inner && i->child[k] && i->child[k]->parent == i;
    return is_added ? NULL : i->child[k];
}

static bool closed_component_of(const Front *f, VarId v, const char **path, Span *at)
{
    uint32_t n = f->component.n, low = 0;
    for (uint32_t high = n; low < high;) {
        uint32_t mid = low + (high - low) / 2;
        if (f->component.at[mid].first <= v.i)
            low = mid + 1;
        else
            high = mid;
    }
    const VarComponent *c = low > 0 ? &f->component.at[low - 1] : NULL;
    if (!c || !c->path)
        return false;
    *path = c->path;
    *at = c->at;
    return true;
}

bool front_component_of(const Front *f, VarId v, const char **path, Span *at)
{
    if (!f->lookup)
        return closed_component_of(f, v, path, at);
    const Instance *i = v.i < f->lookup->leaf_of_var.n ? f->lookup->leaf_of_var.at[v.i] : NULL;
    i = component_around(i);
    const Element *e = i ? i->el ? i->el : i->array ? i->array->el : NULL : NULL;
    if (!e || !e->component)
        return false;
    *path = i->path;
    *at = e->component->name_span;
    return true;
}
