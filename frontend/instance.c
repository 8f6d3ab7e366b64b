/* instance.c -- the instance tree, made on demand, and the values of its leaves (MLS 3.6 ch. 5.6).
 */
#include "frontend/instance.h"

#include "base/bug.h"
#include "base/vec.h"

#include <string.h>

enum {
    INSTANCE_DEPTH_MAX = 400,
    EXPANDABLE_MAX = 6, /* expandable connectors that connections make inside one another */
    RECURSION_MAX = 60, /* of components of one class inside one another */
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

/* As eval_boolean, whatever evaluation is going on. */
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

const char *instance_path(const Instance *i)
{
    return i->path[0] ? i->path : "the model";
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
    /* the sizes that are given before those that come from the binding */
    for (uint32_t j = 0; j < 2 * m->n_dims; j++) {
        uint32_t k = j % m->n_dims;
        const SynExpr *x = m->dims[k];
        if ((x->kind == SYN_COLON) != (j >= m->n_dims))
            continue;
        if (x->kind == SYN_COLON) {
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

static VarKind var_kind(const Instance *i)
{
    if (i->variability == VARIES_NEVER)
        return VAR_CONSTANT;
    if (i->variability == VARIES_PARAMETER)
        return VAR_PARAMETER;
    /* MLS 4.4.2.2: the inputs of the model itself come from outside */
    bool top = i->is_input && !i->is_flow;
    for (const Instance *p = i; top && p->parent; p = p->parent)
        top = p->parent->parent == NULL || class_is_connector(p->parent->cls);
    if (top)
        return VAR_INPUT;
    return i->variability == VARIES_DISCRETE ? VAR_DISCRETE : VAR_CONTINUOUS;
}

static void leaf_vars(Front *f, Instance *i)
{
    System *s = f->sys;
    Element *e = i->el;
    uint32_t group = i->n_dims ? system_new_group(s) : GROUP_NONE;
    Var v = {.kind = var_kind(i),
             .type = i->cls->base_type,
             .attr = attributes_none(),
             .binding = EXPR_NONE,
             .der = VAR_NONE,
             .der_of = VAR_NONE,
             .group = group,
             .span = e->component->name_span,
             .is_output = i->is_output && i->parent->parent == NULL,
             .is_protected = i->is_protected,
             .is_final = i->is_final,
             .is_flow = i->is_flow};
    if (e->component->comment)
        v.description = name_of(f->names, e->component->comment);
    i->var = VAR_NONE;
    size_t len = strlen(i->path);
    ArenaMark mark = arena_mark(f->scratch);
    char *name = arena_array(f->scratch, char, len + INDEX_TEXT);
    memcpy(name, i->path, len);
    for (uint32_t k = 0; k < i->n; k++) {
        v.name = name_of_n(f->names, name, len + (i->n_dims ? index_text(i, k, name + len) : 0));
        v.index = k;
        VarId id = system_add_var(s, v);
        if (k == 0)
            i->var = id;
        while (f->lookup->leaf_of_var.n < id.i)
            vec_push(f->mem, f->lookup->leaf_of_var, NULL);
        vec_push(f->mem, f->lookup->leaf_of_var, i);
    }
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
    bool fixed_value = m->variability <= VARIES_PARAMETER;
    i->is_final = i->is_final || e->is_final || (fixed_value && e->is_evaluate);
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
    i->path = arena_printf(f->mem, "%s%s", array->path, index);
    children_new(f, i);
    return i;
}

/* For the shape of an array of components that has no elements. */
static Instance *prototype(Front *f, Instance *array)
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

/* MLS 5.4: the element an outer one means: the nearest inner around. */
static Instance *inner_of(Front *f, Instance *around, Element *e)
{
    for (Instance *p = around->parent; p; p = p->parent) {
        Element *in = class_element(f, p->cls, e->name);
        if (!in || in->is_class || !in->is_inner)
            continue;
        Instance *i = instance_child(f, p, element_first(in)->index);
        if (i && i->kind != INST_ABSENT && element_type(f, e) && !class_extends(i->cls, e->type)) {
            diag_error(f->diags, e->component->name_span, "N08",
                       "inner '%s' is a %s, but outer '%s' needs a %s", e->name.s, i->cls->name,
                       e->name.s, e->type->name);
            diag_note(f->diags, in->component->name_span, "the inner component is here");
        }
        return i;
    }
    Class *type = element_type(f, e) ? e->type : NULL;
    const SynArg *message =
        type && type->syn ? syn_mod_find(type->syn->annotation, "missingInnerMessage") : NULL;
    diag_error(
        f->diags, e->component->name_span, "N08",
        "outer '%s' needs an 'inner %s %s' in a component around it%s%s", e->name.s,
        type ? type->name : "component", e->name.s,
        message && message->mod && message->mod->value && message->mod->value->kind == SYN_STRING
            ? ": "
            : "",
        message && message->mod && message->mod->value && message->mod->value->kind == SYN_STRING
            ? message->mod->value->text
            : "");
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
    }
    return (Env){at, i->env.n + own.n};
}

static Instance *make_child(Front *f, Instance *around, Element *e)
{
    const SynComponent *c = e->component;
    if (e->is_outer && !e->is_inner)
        return inner_of(f, around, e);
    Instance *i = instance_new(f, INST_CLASS, around, e, NULL);
    around->child[e->index] = i;
    i->kind = INST_FAILED;
    i->path = around->path[0] ? arena_printf(f->mem, "%s.%s", around->path, e->name.s) : e->name.s;
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
    if (!i->cls)
        return i;
    inherit_prefixes(i, e);
    bool is_leaf = i->cls->kind == CLASS_PLAIN || i->cls->kind == CLASS_ENUMERATION;
    if (!is_leaf) {
        if (class_is(i->cls, SYN_R_CLASS) &&
            class_extends(i->cls, lookup_predefined(f, "ExternalObject"))) {
            diag_error(f->diags, c->name_span, "F01",
                       "external objects (MLS 12.9.7), like this %s, are not supported",
                       i->cls->name);
            return i;
        }
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
        /* said once; several such components would double at every level */
        uint64_t endless = map_key_ptr(i->cls->syn);
        if (same > 0 && map_get(&f->lookup->endless, endless) != MAP_NONE)
            return i;
        if (same > RECURSION_MAX || i->depth > INSTANCE_DEPTH_MAX) {
            diag_error(f->diags, c->name_span, "F04", "components are nested too deeply%s%s%s",
                       same ? ": " : "", same ? i->cls->name : "", same ? " contains itself" : "");
            map_put(&f->lookup->endless, endless, 1);
            return i;
        }
        if (class_is_partial(i->cls) && !around->is_static) {
            diag_error(f->diags, c->type.span, "N12", "%s is partial: '%s' needs a complete class",
                       i->cls->name, e->name.s);
            return i;
        }
    }
    i->kind = is_leaf ? INST_LEAF : e->member.n_dims ? INST_ARRAY : INST_CLASS;
    if (!dims_eval(f, i, around)) {
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
        c = make_child(f, i, e);
        context_pop(f, i);
        f->lookup->depth--;
        if (!c) {
            c = instance_new(f, INST_FAILED, i, e, NULL);
            c->path = e->name.s;
        }
        i->child[index] = c;
    }
    return c->kind == INST_FAILED ? NULL : c;
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
    i->path = arena_printf(f->mem, "%s.%s", connector->path, name.s);
    i->variability = like->variability;
    i->is_flow = like->is_flow;
    i->is_input = i->is_output = false; /* given by what it is connected to */
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
    return k < n ? i->child[k] : i->added[k - n];
}

/* ---- bindings ------------------------------------------------------------------------------ */

/* The element of `whole` for instance i: one index for each array component between the place
 * where the modifier stands and i (MLS 7.2.5). `own` counts i's own place in its array. */
static bool split(Front *f, const Value *whole, const ModSource *s, Instance *i, Value *out)
{
    const Instance *level[INSTANCE_DEPTH_MAX + 2];
    uint32_t n = 0;
    uint32_t first = s->at ? s->at->depth + 1 : 0;
    for (const Instance *p = i; p && p->depth >= first && p->el; p = p->parent) {
        int rel = (int)(p->depth - first);
        if (p->array && rel >= s->mod->each_level && n < INSTANCE_DEPTH_MAX)
            level[n++] = p;
    }
    *out = *whole;
    if (n == 0)
        return true;
    uint32_t at = 0;
    uint32_t n_dims = 0;
    for (uint32_t k = n; k-- > 0;) {
        const Instance *array = level[k]->array;
        uint32_t size = 1;
        for (uint32_t d = 0; d < array->n_dims; d++) {
            uint32_t dim = array->dims[d];
            if (n_dims >= whole->n_dims || whole->dims[n_dims] != dim) {
                if (s->mod->is_reported)
                    return false;
                s->mod->is_reported = true;
                diag_error(f->diags, s->mod->span, "T32",
                           n_dims >= whole->n_dims
                               ? "'%s' is modified in an array of components: give an array of "
                                 "values, or write 'each'"
                               : "the modifier of '%s' does not have the size of the array of "
                                 "components",
                           s->mod->name.s ? s->mod->name.s : i->el->name.s);
                return false;
            }
            size *= dim;
            n_dims++;
        }
        at = at * size + level[k]->index;
    }
    *out = value_pick(f->mem, whole, n_dims, &at, 0, NULL);
    return true;
}

static bool needs_split(const ModSource *s, const Instance *i)
{
    uint32_t first = s->at ? s->at->depth + 1 : 0;
    for (const Instance *p = i; p && p->depth >= first && p->el; p = p->parent)
        if (p->array && (int)(p->depth - first) >= s->mod->each_level)
            return true;
    return false;
}

static bool source_eval(Front *f, const ModSource *s, bool structural, Value *out)
{
    Scope *scope = scope_bind(f, s->at, s->mod->scope);
    return structural ? eval_structural(f, scope, s->mod->value,
                                        f->eval.use ? f->eval.use : "a parameter", out)
                      : eval(f, scope, s->mod->value, out);
}

/* The value of a modifier for instance i, in mem. */
static bool source_value(Front *f, const ModSource *s, Instance *i, bool structural, Value *out)
{
    Lookup *l = f->lookup;
    if (!needs_split(s, i))
        return source_eval(f, s, structural, out);
    /* evaluated once for all elements of the array */
    uint64_t key = (uint64_t)s->mod->id << 33 | (uint64_t)(s->at ? s->at->id + 1 : 0) << 1 |
                   (structural ? 1 : 0);
    uint32_t k = map_get(&l->split, key);
    if (k == MAP_NONE) {
        Value *kept = arena_make(f->mem, Value);
        if (!source_eval(f, s, structural, kept))
            kept = NULL;
        k = l->split_value.n;
        vec_push(f->mem, l->split_value, (const Value *)kept);
        map_put(&l->split, key, k);
    }
    const Value *whole = l->split_value.at[k];
    return whole && split(f, whole, s, i, out);
}

/* The first modifier that says something; the element's own come behind those from around. */
static bool find_source(Front *f, const Instance *i, Env outer, Env inner, ModSource *out)
{
    bool found = false;
    for (uint32_t k = 0; k < outer.n + inner.n; k++) {
        ModSource s = k < outer.n ? outer.at[k] : inner.at[k - outer.n];
        if (s.only_redeclare)
            continue;
        if (found) {
            /* MLS 7.2.6 */
            if (s.mod->is_final && !out->mod->is_reported) {
                out->mod->is_reported = true;
                diag_error(f->diags, out->mod->span, "N10", "'%s' is final and cannot be modified",
                           s.mod->name.s ? s.mod->name.s : i->el->name.s);
                diag_note(f->diags, s.mod->span, "it is made final here");
            }
            continue;
        }
        if (!s.mod->value && !s.mod->is_break)
            continue;
        found = true;
        if (!s.at)
            s.at = i->parent;
        *out = s;
    }
    if (found && out->mod->is_break)
        return false;
    bool is_binding = found && (!out->mod->name.s || name_same(out->mod->name, i->el->name));
    if (is_binding && i->el->is_final && out->mod != i->el->own && !out->mod->is_reported) {
        out->mod->is_reported = true;
        diag_error(f->diags, out->mod->span, "N10", "'%s' is final and cannot be modified",
                   i->el->name.s);
    }
    return found;
}

bool value_fits(Front *f, const Value *v, BaseType type, const Class *enumeration, Span span,
                const char *what)
{
    if (v->kind != VALUE_PLAIN) {
        diag_error(f->diags, span, "T31", "%s is %s, not a record", what, base_type_text(type));
        return false;
    }
    if (v->type == type || (type == TYPE_REAL && v->type == TYPE_INTEGER)) {
        if (type != TYPE_ENUMERATION || !v->cls || !enumeration || class_same(v->cls, enumeration))
            return true;
        diag_error(f->diags, span, "T31", "%s is a %s, not a %s", what, enumeration->name,
                   v->cls->name);
        return false;
    }
    if (value_size(v) == 0)
        return true;
    diag_error(f->diags, span, "T31", "%s is %s, not %s", what,
               type == TYPE_ENUMERATION && enumeration ? enumeration->name : base_type_text(type),
               base_type_text(v->type));
    return false;
}

const char *dims_text(Front *f, uint32_t n, const uint32_t *dims)
{
    if (n == 0)
        return "a scalar";
    const char *text = "[";
    for (uint32_t k = 0; k < n; k++)
        text = arena_printf(f->mem, "%s%s%u", text, k ? ", " : "", dims[k]);
    return arena_printf(f->mem, "%s]", text);
}

/* A binding has the type and size of what it is bound to. */
static bool binding_fits(Front *f, Instance *i, const Value *v, Span span)
{
    if (i->kind == INST_LEAF) {
        if (!value_fits(f, v, i->cls->base_type, i->cls, span,
                        arena_printf(f->scratch, "'%s'", i->el->name.s)))
            return false;
    } else if (v->kind != VALUE_RECORD) {
        diag_error(f->diags, span, "T31", "'%s' is a record %s, not %s", i->el->name.s,
                   i->cls->name, base_type_text(v->type));
        return false;
    }
    uint32_t n = i->n_dims;
    bool same = v->n_dims == n;
    for (uint32_t k = 0; same && k < n; k++)
        same = i->dims[k] == v->dims[k] || i->el->member.dims[k]->kind == SYN_COLON;
    if (!same)
        diag_error(f->diags, span, "T32", "'%s' is %s, but its binding is %s", i->el->name.s,
                   dims_text(f, n, i->dims), dims_text(f, v->n_dims, v->dims));
    return same;
}

static bool binding_from(Front *f, const ModSource *s, Instance *i, bool structural, Value *out)
{
    const Instance *context = i->parent->el ? i : i->parent;
    context_push(f, context);
    bool good =
        source_value(f, s, i, structural, out) &&
        (i->array || i->kind == INST_FAILED || binding_fits(f, i, out, s->mod->value->span));
    context_pop(f, context);
    return good;
}

/* The modifier r.field, where a record is bound to a reference r. */
static Mod *field_of(Front *f, const Mod *record, Name field)
{
    const SynCref *r = record->value->cref;
    SynPart *part = arena_array(f->mem, SynPart, r->n + 1);
    memcpy(part, r->part, r->n * sizeof *part);
    part[r->n] = (SynPart){.name = field, .span = r->span};
    SynCref *cref = arena_make(f->mem, SynCref);
    *cref = (SynCref){r->global, r->n + 1, part, r->span};
    SynExpr *x = arena_make(f->mem, SynExpr);
    *x = (SynExpr){.kind = SYN_CREF, .span = r->span, .cref = cref};
    Mod *m = arena_make(f->mem, Mod);
    *m = *record;
    m->id = f->lookup->n_mods++;
    m->value = x;
    return m;
}

/* The reference that a record, or a record around it, is bound to. */
static bool reference_source(Front *f, const Instance *i, ModSource *out)
{
    if (!i->el || i->cls->kind != CLASS_RECORD)
        return false;
    if (find_source(f, i, i->env, i->el->env, out))
        return out->mod->value->kind == SYN_CREF;
    if (!reference_source(f, i->parent, out))
        return false;
    out->mod = field_of(f, out->mod, i->el->name);
    return true;
}

/* Whether a modifier of a field stands outside all bindings of its record as a whole. */
static bool field_comes_first(const Instance *record, Name field)
{
    for (uint32_t k = 0; k < record->inside.n; k++) {
        const ModSource *s = &record->inside.at[k];
        if (s->only_redeclare)
            continue;
        const Mod *sub = mod_find(s->mod, field);
        if (sub && (sub->value || sub->is_break))
            return true;
        if (s->mod->value)
            return false;
    }
    return false;
}

/* MLS 7.2: of the modifiers of a field and of its record as a whole the outermost counts; then
 * comes what the record's own class says. */
static bool binding_find(Front *f, Instance *i, bool structural, Value *out, bool *found)
{
    ModSource s;
    *found = false;
    if (!i->el)
        return true;
    const Instance *p = i->parent;
    if (p->el && p->cls->kind == CLASS_RECORD && !field_comes_first(p, i->el->name)) {
        /* structural evaluation asks for this field alone, others may not be known */
        if (structural && reference_source(f, p, &s)) {
            s.mod = field_of(f, s.mod, i->el->name);
            *found = true;
            return binding_from(f, &s, i, true, out);
        }
        const Value *record = NULL;
        if (!instance_binding(f, i->parent, structural, &record))
            return false;
        const Value *field = record ? value_field(record, i->el->name) : NULL;
        if (field) {
            *found = true;
            *out = *field;
            if (i->array)
                *out = value_pick(f->mem, field, i->array->n_dims, &i->index, 0, NULL);
            return i->array || binding_fits(f, i, out, instance_span(i->parent));
        }
    }
    *found = find_source(f, i, i->env, i->el->env, &s);
    return !*found || binding_from(f, &s, i, structural, out);
}

bool instance_binding(Front *f, Instance *i, bool structural, const Value **out)
{
    int mode = structural ? 1 : 0;
    *out = NULL;
    if (i->bound[mode] == BINDING_PENDING) {
        diag_error(f->diags, instance_span(i), "N13", "the value of '%s' depends on itself",
                   i->path);
        i->bound[mode] = BINDING_BAD;
        return false;
    }
    if (i->bound[mode] == BINDING_UNKNOWN) {
        if (f->lookup->depth > INSTANCE_DEPTH_MAX) {
            diag_error(f->diags, instance_span(i), "F04",
                       "the values of parameters depend on each other too deeply");
            return false;
        }
        i->bound[mode] = BINDING_PENDING;
        f->lookup->depth++;
        Value v;
        bool found = false;
        bool good = binding_find(f, i, structural, &v, &found);
        f->lookup->depth--;
        if (good && found) {
            Value *kept = arena_make(f->mem, Value);
            *kept = v;
            i->binding[mode] = kept;
        }
        i->bound[mode] = good && i->bound[mode] == BINDING_PENDING ? BINDING_KNOWN : BINDING_BAD;
    }
    *out = i->binding[mode];
    return i->bound[mode] == BINDING_KNOWN;
}

bool scope_binding(Front *f, VarId v, ExprId *out)
{
    Lookup *l = f->lookup;
    Instance *i = v.i < l->leaf_of_var.n ? l->leaf_of_var.at[v.i] : NULL;
    /* one that is being evaluated is not known yet; asking again would report a cycle */
    if (!i || i->variability > VARIES_PARAMETER || i->bound[0] == BINDING_PENDING)
        return false;
    Value fixed;
    Span span;
    const Value *b = NULL;
    if (!instance_attribute(f, i, ATTR_FIXED, true, &fixed, &span) ||
        (fixed.kind == VALUE_PLAIN && value_size(&fixed) > 0 &&
         expr_is(f->sys->pool, fixed.elem[(v.i - i->var.i) % value_size(&fixed)], 0)) ||
        !instance_binding(f, i, false, &b) || !b)
        return false;
    *out = b->elem[v.i - i->var.i];
    return true;
}

bool instance_has_binding(Front *f, Instance *i)
{
    ModSource s;
    return i->el && find_source(f, i, i->env, i->el->env, &s);
}

Span instance_binding_span(Front *f, Instance *i)
{
    ModSource s;
    if (i->el && find_source(f, i, i->env, i->el->env, &s))
        return s.mod->value->span;
    return instance_span(i);
}

bool instance_attribute(Front *f, Instance *i, Attribute a, bool structural, Value *out, Span *span)
{
    Name name = f->lookup->attribute[a];
    Env outer = env_sub(f, i->env, name);
    Env inner = env_sub(f, i->el->env, name);
    Env type = env_sub(f, i->cls->terminal->env, name);
    ModSource s;
    out->kind = VALUE_NONE;
    if (outer.n + inner.n + type.n == 0)
        return true;
    if (!find_source(f, i, outer, env_join(f, inner, type), &s))
        return true;
    *span = s.mod->span;
    if (!source_value(f, &s, i, structural, out))
        return false;
    /* MLS 7.2.5: one value for all elements needs `each`; a type's own are for its elements */
    bool of_type = !outer.n && !inner.n;
    if (out->kind != VALUE_PLAIN || out->n_dims > i->n_dims) {
        diag_error(f->diags, s.mod->span, "T32", "'%s' of '%s' must be %s", name.s, i->el->name.s,
                   dims_text(f, i->n_dims, i->dims));
        return false;
    }
    uint32_t skip = i->n_dims - out->n_dims;
    bool fits = true;
    for (uint32_t k = 0; k < out->n_dims; k++)
        fits = fits && out->dims[k] == i->dims[skip + k];
    bool each = s.mod->each_level > 0 || of_type || s.at != i->parent;
    if (!fits || (skip > 0 && !each && out->n_dims > 0)) {
        diag_error(f->diags, s.mod->span, "T32", "'%s' of '%s' is %s, not %s", name.s,
                   i->el->name.s, dims_text(f, i->n_dims, i->dims),
                   dims_text(f, out->n_dims, out->dims));
        return false;
    }
    if (skip > 0 && !each) {
        diag_error(f->diags, s.mod->span, "T32",
                   "'%s' is an array: give '%s' an array of values, or write 'each'", i->el->name.s,
                   name.s);
        return false;
    }
    return true;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool is_alias_of_var(const ExprPool *p, ExprId x)
{
    if (expr_op(p, x) == OP_NEG)
        x = expr_arg(p, x, 0);
    return expr_op(p, x) == OP_VAR;
}

static ExprId *symbols_of(Front *f, Instance *i)
{
    if (i->symbols)
        return i->symbols;
    i->symbols = arena_array(f->mem, ExprId, i->n + 1);
    for (uint32_t k = 0; k < i->n; k++)
        i->symbols[k] = system_var_expr(f->sys, (VarId){i->var.i + k});
    return i->symbols;
}

/* Zeros that the model fixes must be seen by whoever orders equations: a final parameter's
 * elements that are numbers, or other parameters, stand for themselves. */
static bool final_elements(Front *f, Instance *i, Value *out)
{
    if (i->folded) {
        out->elem = i->folded;
        return true;
    }
    const Value *b = NULL;
    out->elem = symbols_of(f, i);
    /* a long chain of parameters is not followed to its end */
    if (f->lookup->depth > INSTANCE_DEPTH_MAX / 2)
        return true;
    if (!instance_binding(f, i, false, &b))
        return false;
    ExprId *elem = arena_array(f->mem, ExprId, i->n + 1);
    memcpy(elem, symbols_of(f, i), i->n * sizeof *elem);
    for (uint32_t k = 0; b && k < i->n; k++)
        if (expr_exists(b->elem[k]) &&
            (expr_is_num(f->sys->pool, b->elem[k]) || is_alias_of_var(f->sys->pool, b->elem[k]) ||
             expr_op(f->sys->pool, b->elem[k]) == OP_STRING))
            elem[k] = b->elem[k];
    i->folded = elem;
    out->elem = elem;
    return true;
}

/* A function may leave a part of a record unassigned. */
static bool all_known(Front *f, const Instance *i, const Value *v, Span use)
{
    for (uint32_t k = 0; k < i->n; k++) {
        if (expr_exists(v->elem[k]))
            continue;
        diag_error(f->diags, use, "N14", "'%s' has no value", i->path);
        return false;
    }
    return true;
}

static bool parameter_number(Front *f, Instance *i, Span use, Value *out)
{
    const Value *b = NULL;
    if (!instance_binding(f, i, true, &b))
        return false;
    if (!b) {
        diag_error(f->diags, use, "N14", "%s needs the value of '%s', which has none",
                   f->eval.use ? f->eval.use : "this", i->path);
        diag_note(f->diags, instance_span(i), "it is declared here without a binding");
        return false;
    }
    if (!all_known(f, i, b, use))
        return false;
    out->elem = b->elem;
    /* what the structure depends on can no longer be set (MLS 18.3) */
    for (uint32_t k = 0; !i->is_static && k < i->n; k++)
        var_at(f->sys, (VarId){i->var.i + k})->is_final = true;
    return true;
}

/* The value of a leaf. */
bool instance_value(Front *f, Instance *i, Span use, Value *out)
{
    *out = (Value){.kind = VALUE_PLAIN,
                   .type = i->cls->base_type,
                   .cls = i->cls->kind == CLASS_ENUMERATION ? i->cls : NULL,
                   .n_dims = i->n_dims,
                   .dims = i->dims};
    if (i->n == 0) {
        out->elem = NULL;
        return true;
    }
    if (i->is_static || i->variability == VARIES_NEVER) {
        if (i->is_static && i->variability > VARIES_PARAMETER) {
            diag_error(f->diags, use, "N11",
                       "'%s' is no constant: only constants of a class around can be used",
                       i->path);
            return false;
        }
        const Value *b = NULL;
        if (!instance_binding(f, i, f->eval.structural, &b))
            return false;
        if (!b) {
            diag_error(f->diags, use, "N14", "constant '%s' has no value", i->path);
            return false;
        }
        if (!all_known(f, i, b, use))
            return false;
        out->elem = b->elem;
        return true;
    }
    if (i->variability == VARIES_PARAMETER) {
        if (f->eval.structural)
            return parameter_number(f, i, use, out);
        if (i->is_final)
            return final_elements(f, i, out);
    }
    out->elem = symbols_of(f, i);
    return true;
}

/* ---- references ---------------------------------------------------------------------------- */

/* A step of a reference: the instances so far, the dimensions they form together. */
typedef struct Walk {
    Instance **at;
    Instance *shape; /* like each of them, when there are none */
    uint32_t n, n_dims;
    uint32_t *dims;
    uint32_t missing; /* WALK_UNDECLARED: the part that is */
} Walk;

static void walk_dim(Front *f, Walk *w, uint32_t dim)
{
    uint32_t *dims = arena_array(f->scratch, uint32_t, w->n_dims + 1);
    if (w->n_dims)
        memcpy(dims, w->dims, w->n_dims * sizeof *dims);
    dims[w->n_dims++] = dim;
    w->dims = dims;
}

static bool subscripts_eval(Front *f, Scope *s, const SynPart *part, const Instance *i,
                            Subscript *sub)
{
    if (part->sub.n > i->n_dims) {
        diag_error(f->diags, part->span, "T32", "'%s' has %u dimensions, not %u", part->name.s,
                   i->n_dims, part->sub.n);
        return false;
    }
    for (uint32_t k = 0; k < i->n_dims; k++) {
        if (k < part->sub.n) {
            if (!eval_subscript(f, s, part->sub.at[k], i->dims[k], &sub[k]))
                return false;
            continue;
        }
        uint32_t *all = arena_array(f->scratch, uint32_t, i->dims[k] + 1);
        for (uint32_t j = 0; j < i->dims[k]; j++)
            all[j] = j + 1;
        sub[k] = (Subscript){i->dims[k], all, true};
    }
    return true;
}

/* Row-major places that subscripts select in an array. */
static uint32_t *places_of(Front *f, const Instance *array, const Subscript *sub, uint32_t *count)
{
    uint32_t total = 1;
    for (uint32_t k = 0; k < array->n_dims; k++)
        total *= sub[k].n;
    uint32_t *at = arena_array(f->scratch, uint32_t, total + 1);
    for (uint32_t j = 0; j < total; j++) {
        uint32_t rest = j;
        uint32_t place = 0;
        uint32_t stride = 1;
        for (uint32_t k = array->n_dims; k-- > 0;) {
            place += (sub[k].index[rest % sub[k].n] - 1) * stride;
            rest /= sub[k].n;
            stride *= array->dims[k];
        }
        at[j] = place;
    }
    *count = total;
    return at;
}

/* From arrays of components to the elements that the subscripts select. */
static bool walk_elements(Front *f, Scope *s, const SynPart *part, Walk *w)
{
    Instance *a = w->shape;
    Subscript *sub = arena_array(f->scratch, Subscript, a->n_dims + 1);
    if (!subscripts_eval(f, s, part, a, sub))
        return false;
    uint32_t per = 0;
    uint32_t *place = places_of(f, a, sub, &per);
    Instance **next = arena_array(f->scratch, Instance *, (size_t)w->n * per + 1);
    uint32_t n = 0;
    for (uint32_t j = 0; j < w->n; j++) {
        if (w->at[j]->kind != INST_ARRAY || w->at[j]->n != a->n) {
            diag_error(f->diags, part->span, "T32", "'%s' differs in size among the elements",
                       part->name.s);
            return false;
        }
        for (uint32_t k = 0; k < per; k++)
            next[n++] = w->at[j]->elem[place[k]];
    }
    for (uint32_t k = 0; k < a->n_dims; k++)
        if (sub[k].keeps_dim)
            walk_dim(f, w, sub[k].n);
    w->at = next;
    w->n = n;
    w->shape = n ? next[0] : prototype(f, a);
    return true;
}

typedef enum WalkResult { WALK_GOOD, WALK_BAD, WALK_ABSENT, WALK_UNDECLARED } WalkResult;

/* Follows a reference from its first component to its last part; arrays of components are
 * replaced by elements, a leaf keeps its subscripts for the caller. */
static WalkResult walk(Front *f, Scope *s, const SynCref *cref, uint32_t from, Instance *around,
                       Element *e, Walk *w)
{
    Instance **one = arena_make(f->scratch, Instance *);
    *w = (Walk){.at = one, .n = 1, .shape = around};
    one[0] = around;
    for (uint32_t k = from;; k++) {
        const SynPart *part = &cref->part[k];
        Instance *added = NULL;
        if (k > from) {
            if (w->shape->kind != INST_CLASS) {
                diag_error(f->diags, part->span, "N01", "'%s' has no parts, so no '%s'",
                           cref->part[k - 1].name.s, part->name.s);
                return WALK_BAD;
            }
            e = class_element(f, w->shape->cls, part->name);
            added = e ? NULL : expandable_part(w->shape, part->name);
            bool can_be_added = !e && !added && w->n == 1 && class_is_expandable(w->shape->cls);
            if (can_be_added) {
                w->missing = k;
                return WALK_UNDECLARED;
            }
            if (!added && (!e || e->is_class)) {
                diag_error(f->diags, part->span, "N01", "%s has no component '%s'%s",
                           w->shape->cls->name, part->name.s,
                           class_hint(f, w->shape->cls, part->name));
                return WALK_BAD;
            }
            /* MLS 4.1 */
            if (!added && e->is_protected) {
                diag_error(f->diags, part->span, "N07", "'%s' is protected in %s", part->name.s,
                           w->shape->cls->name);
                return WALK_BAD;
            }
        }
        uint32_t index = added ? 0 : element_first(e)->index;
        Instance *shape = added ? added : instance_child(f, w->shape, index);
        if (!shape)
            return WALK_BAD;
        if (w->n == 1 && w->n_dims == 0) {
            w->at[0] = shape;
        } else {
            Instance **next = arena_array(f->scratch, Instance *, w->n + 1);
            for (uint32_t j = 0; j < w->n; j++) {
                next[j] = added ? expandable_part(w->at[j], part->name)
                                : instance_child(f, w->at[j], index);
                if (!next[j])
                    return WALK_BAD;
                if (next[j]->kind == INST_ABSENT)
                    return WALK_ABSENT;
            }
            w->at = next;
        }
        w->shape = shape;
        if (shape->kind == INST_ABSENT)
            return WALK_ABSENT;
        if (shape->kind == INST_ARRAY) {
            if (!walk_elements(f, s, part, w))
                return WALK_BAD;
        } else if (shape->kind == INST_CLASS && part->sub.n) {
            diag_error(f->diags, part->span, "T32", "'%s' is no array", part->name.s);
            return WALK_BAD;
        }
        if (k + 1 == cref->n)
            return WALK_GOOD;
    }
}

static bool gather(Front *f, const Walk *w, Span use, Value *out);

static bool gather_leaves(Front *f, const Walk *w, Span use, Value *out)
{
    Instance *shape = w->shape;
    uint32_t n_dims = w->n_dims + shape->n_dims;
    uint32_t *dims = arena_array(f->scratch, uint32_t, n_dims + 1);
    if (w->n_dims)
        memcpy(dims, w->dims, w->n_dims * sizeof *dims);
    if (shape->n_dims)
        memcpy(dims + w->n_dims, shape->dims, shape->n_dims * sizeof *dims);
    *out = value_array(f->scratch, shape->cls->base_type, n_dims, dims);
    out->cls = shape->cls->kind == CLASS_ENUMERATION ? shape->cls : NULL;
    for (uint32_t j = 0; j < w->n; j++) {
        Value v;
        if (w->at[j]->n != shape->n) {
            diag_error(f->diags, use, "T32", "the elements '%s' differ in size", shape->el->name.s);
            return false;
        }
        if (!instance_value(f, w->at[j], use, &v))
            return false;
        if (shape->n)
            memcpy(out->elem + (size_t)j * shape->n, v.elem, shape->n * sizeof *v.elem);
    }
    return true;
}

static bool gather_record(Front *f, const Walk *w, Span use, Value *out)
{
    Instance *shape = w->shape;
    const Class *c = shape->cls;
    *out = (Value){.kind = VALUE_RECORD, .cls = c, .n_dims = w->n_dims, .dims = w->dims};
    out->field = arena_array(f->scratch, Value, c->component.n + 1);
    Name *name = arena_array(f->scratch, Name, c->component.n + 1);
    out->field_name = name;
    for (uint32_t k = 0; k < c->component.n; k++) {
        Walk part = {.n = w->n, .n_dims = w->n_dims, .dims = w->dims};
        part.shape = instance_child(f, shape, k);
        if (!part.shape)
            return false;
        if (part.shape->kind == INST_ABSENT)
            continue;
        part.at = arena_array(f->scratch, Instance *, w->n + 1);
        for (uint32_t j = 0; j < w->n; j++)
            if (!(part.at[j] = instance_child(f, w->at[j], k)))
                return false;
        static const SynPart whole;
        if (part.shape->kind == INST_ARRAY && !walk_elements(f, NULL, &whole, &part))
            return false;
        name[out->n_fields] = c->component.at[k]->name;
        if (!gather(f, &part, use, &out->field[out->n_fields++]))
            return false;
    }
    return true;
}

static bool gather(Front *f, const Walk *w, Span use, Value *out)
{
    if (w->shape->kind == INST_LEAF)
        return gather_leaves(f, w, use, out);
    return gather_record(f, w, use, out);
}

bool instance_whole(Front *f, Instance *i, Span use, Value *out)
{
    Walk w = {.at = &i, .shape = i, .n = 1};
    return gather(f, &w, use, out);
}

static void report_unknown(Front *f, Scope *s, const SynCref *cref)
{
    diag_error(f->diags, cref->part[0].span, "N01", "there is no variable '%s' here%s",
               cref->part[0].name.s, lookup_hint(f, s, cref->part[0].name));
}

/* A.B.c: through classes to a constant or a literal of an enumeration. */
static bool value_in_class(Front *f, Scope *s, const SynCref *cref, Class *c, Value *out)
{
    for (uint32_t k = 1;; k++) {
        if (k == cref->n) {
            diag_error(f->diags, cref->span, "N01", "'%s' is a class, not a value", c->name);
            return false;
        }
        if (!class_elaborate(f, c))
            return false;
        const SynPart *part = &cref->part[k];
        if (c->kind == CLASS_ENUMERATION && k + 1 == cref->n) {
            for (uint32_t j = 0; j < class_n_literals(f, c); j++) {
                if (name_same(class_literal(f, c, j), part->name)) {
                    *out = value_scalar(f->scratch, TYPE_ENUMERATION,
                                        expr_int(f->sys->pool, (long)j + 1));
                    out->cls = c;
                    return true;
                }
            }
        }
        Element *e = class_element(f, c, part->name);
        if (!e) {
            diag_error(f->diags, part->span, "N01", "%s has no '%s'%s", c->name, part->name.s,
                       class_hint(f, c, part->name));
            return false;
        }
        if (e->is_class) {
            c = element_class(f, e, NULL);
            continue;
        }
        Walk w;
        if (walk(f, s, cref, k, class_statics(f, c), e, &w) != WALK_GOOD)
            return false;
        if (!gather(f, &w, cref->span, out))
            return false;
        const SynPart *last = &cref->part[cref->n - 1];
        if (w.shape->kind == INST_LEAF && last->sub.n)
            return value_subscript(f, s, out, last->sub.n, last->sub.at, last->span, out);
        return true;
    }
}

static bool value_of_local(Front *f, Scope *s, const SynCref *cref, const Value *local, Value *out)
{
    Value v = *local;
    for (uint32_t k = 0;; k++) {
        const SynPart *part = &cref->part[k];
        if (part->sub.n) {
            Value sub;
            if (!value_subscript(f, s, &v, part->sub.n, part->sub.at, part->span, &sub))
                return false;
            v = sub;
        }
        if (k + 1 == cref->n)
            break;
        const Value *field =
            v.kind == VALUE_RECORD ? value_field(&v, cref->part[k + 1].name) : NULL;
        if (!field) {
            diag_error(f->diags, cref->part[k + 1].span, "N01", "'%s' has no part '%s'",
                       part->name.s, cref->part[k + 1].name.s);
            return false;
        }
        v = *field;
    }
    *out = v;
    return true;
}

bool scope_value(Front *f, Scope *s, const SynCref *cref, Value *out)
{
    Found at = lookup_name(f, cref->global ? NULL : s, cref->part[0].name);
    if (at.kind == FOUND_LOCAL)
        return value_of_local(f, s, cref, &at.local->value, out);
    if (at.kind == FOUND_CLASS)
        return value_in_class(f, s, cref, at.cls, out);
    if (at.kind == FOUND_NONE) {
        if (cref->n == 1 && strcmp(cref->part[0].name.s, "time") == 0) {
            *out = value_scalar(f->scratch, TYPE_REAL, expr_time(f->sys->pool));
            return true;
        }
        report_unknown(f, s, cref);
        return false;
    }
    Instance *around = at.scope->inst ? at.scope->inst : class_statics(f, at.scope->cls);
    if (cref->n == 1) {
        /* the usual case, short: a variable of this instance */
        Instance *i = instance_child(f, around, element_first(at.el)->index);
        if (!i)
            return false;
        if (i->kind == INST_LEAF) {
            const SynPart *part = &cref->part[0];
            Value v;
            if (!instance_value(f, i, cref->span, &v))
                return false;
            if (!part->sub.n) {
                *out = v;
                return true;
            }
            return value_subscript(f, s, &v, part->sub.n, part->sub.at, part->span, out);
        }
    }
    Walk w;
    WalkResult r = walk(f, s, cref, 0, around, at.el, &w);
    if (r == WALK_ABSENT)
        diag_error(f->diags, cref->span, "N15",
                   "'%s' is used, but a component on the way is absent: its condition is false",
                   cref->part[0].name.s);
    if (r == WALK_UNDECLARED)
        diag_error(f->diags, cref->span, "N01", "no connection gives '%s' to the connector %s",
                   cref->part[w.missing].name.s, w.shape->path);
    if (r != WALK_GOOD)
        return false;
    const SynPart *last = &cref->part[cref->n - 1];
    if (w.shape->kind == INST_LEAF && w.n == 1 && w.n_dims == 0) {
        Value v;
        if (!instance_value(f, w.shape, cref->span, &v))
            return false;
        if (!last->sub.n) {
            *out = v;
            return true;
        }
        return value_subscript(f, s, &v, last->sub.n, last->sub.at, last->span, out);
    }
    if (w.shape->kind == INST_CLASS && w.shape->cls->kind != CLASS_RECORD &&
        !class_is_connector(w.shape->cls)) {
        diag_error(f->diags, cref->span, "T34", "'%s' is a component of class %s, not a value",
                   w.shape->path, w.shape->cls->name);
        return false;
    }
    if (w.shape->kind == INST_LEAF && last->sub.n) {
        /* a[:].x[2]: the subscripts of x behind the dimensions of a */
        SynExpr colon = {.kind = SYN_COLON, .span = last->span};
        SynExpr **sub = arena_array(f->scratch, SynExpr *, w.n_dims + last->sub.n);
        for (uint32_t k = 0; k < w.n_dims; k++)
            sub[k] = &colon;
        for (uint32_t k = 0; k < last->sub.n; k++)
            sub[w.n_dims + k] = last->sub.at[k];
        Value v;
        return gather(f, &w, cref->span, &v) &&
               value_subscript(f, s, &v, w.n_dims + last->sub.n, sub, last->span, out);
    }
    return gather(f, &w, cref->span, out);
}

bool instance_select(Front *f, Scope *s, const SynCref *cref, Selection *out)
{
    *out = (Selection){0};
    Found at = lookup_name(f, cref->global ? NULL : s, cref->part[0].name);
    if (at.kind != FOUND_COMPONENT || !at.scope->inst) {
        if (at.kind == FOUND_NONE)
            report_unknown(f, s, cref);
        else
            diag_error(f->diags, cref->span, "N01", "'%s' is not a component of the model",
                       cref->part[0].name.s);
        return false;
    }
    Walk w;
    WalkResult r = walk(f, s, cref, 0, at.scope->inst, at.el, &w);
    out->is_absent = r == WALK_ABSENT;
    if (r == WALK_UNDECLARED) {
        out->undeclared_in = w.at[0];
        out->undeclared = cref->part[w.missing].name;
        out->can_be_declared = w.missing + 1 == cref->n && !cref->part[w.missing].sub.n;
        return true;
    }
    if (r != WALK_GOOD)
        return r == WALK_ABSENT;
    Instance *first = instance_child(f, at.scope->inst, element_first(at.el)->index);
    /* MLS 9.1.2: a connector of the class itself is an outside one */
    out->is_inside = !class_is_connector(first->cls) || at.el->is_outer;
    out->shape = w.shape;
    if (w.shape->kind != INST_LEAF) {
        out->n = w.n;
        out->at = w.at;
        out->n_dims = w.n_dims;
        out->dims = w.dims;
        return true;
    }
    const SynPart *last = &cref->part[cref->n - 1];
    Subscript *sub = arena_array(f->scratch, Subscript, w.shape->n_dims + 1);
    if (!subscripts_eval(f, s, last, w.shape, sub))
        return false;
    uint32_t per = 0;
    uint32_t *place = places_of(f, w.shape, sub, &per);
    out->at = arena_array(f->scratch, Instance *, (size_t)w.n * per + 1);
    out->place = arena_array(f->scratch, uint32_t, (size_t)w.n * per + 1);
    for (uint32_t j = 0; j < w.n; j++) {
        for (uint32_t k = 0; k < per; k++) {
            out->at[out->n] = w.at[j];
            out->place[out->n++] = place[k];
        }
    }
    for (uint32_t k = 0; k < w.shape->n_dims; k++)
        if (sub[k].keeps_dim)
            walk_dim(f, &w, sub[k].n);
    out->n_dims = w.n_dims;
    out->dims = w.dims;
    return true;
}
