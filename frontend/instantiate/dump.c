#include "frontend/instantiate/dump.h"

#include "frontend/evaluate/expression.h"

#include <stdlib.h>
#include <string.h>

const char *dump_unquoted(Arena *mem, const char *text)
{
    if (text[0] != '\'')
        return NULL;
    char *out = arena_alloc(mem, strlen(text) + 1), *at = out;
    for (text++; *text && *text != '\''; text++) {
        text += *text == '\\' && text[1];
        *at++ = *text;
    }
    *at = 0;
    return *text == '\'' && text[1] == 0 ? out : NULL;
}

Class *dump_model(Front *f, Class *c)
{
    if (!c->syn || !class_is(c, SYN_R_PACKAGE) || c->name[0] != '\'')
        return c;
    Element *e = class_element(f, c, c->syn->name);
    Class *model = e && e->is_class ? element_class(f, e, NULL) : NULL;
    if (!model || !class_elaborate(f, model))
        return c;
    f->lookup->is_dump = true;
    return model;
}

/* x[1,2] -> the length of x; 0 for a scalar. */
static size_t array_name(const char *name)
{
    size_t n = strlen(name);
    if (n == 0 || name[n - 1] != ']')
        return 0;
    while (n > 0 && name[n - 1] != '[')
        n--;
    return n > 0 ? n - 1 : 0;
}

/* `state` of a variable or an equation: its number, or 0. */
static uint32_t state_number(const SynMod *annotation)
{
    const SynMod *state = rung_annotation(annotation, "state");
    bool is_number = state && state->value && state->value->kind == SYN_INTEGER;
    return is_number ? (uint32_t)strtoul(state->value->text, NULL, 10) : 0;
}

void dump_read_var(Front *f, const SynComponent *c, Var *v, const Var *previous)
{
    size_t n = array_name(v->name.s);
    v->is_protected = rung_annotation(c->annotation, "'protected'") != NULL;
    v->is_flow = rung_annotation(c->annotation, "'flow'") != NULL;
    v->is_hidden = rung_annotation(c->annotation, "'hidden'") != NULL;
    v->state = state_number(c->annotation);
    if (n == 0)
        return;
    bool follows = previous && array_name(previous->name.s) == n &&
                   strncmp(previous->name.s, v->name.s, n) == 0;
    v->group = follows ? previous->group : system_new_group(f->sys);
    v->index = follows ? previous->index + 1 : 0;
}

bool dump_is_derivative(const SynEquation *x)
{
    return rung_annotation(x->annotation, "derivative") != NULL;
}

bool dump_is_edge(const SynEquation *x)
{
    return rung_annotation(x->annotation, "is_edge") != NULL;
}

/* A scalar that a fact names, or EXPR_NONE. */
static ExprId fact_value(Front *f, Scope *s, const SynMod *facts, const char *name)
{
    const SynArg *a = facts ? syn_mod_find(facts, name) : NULL;
    Value v;
    if (!a || !a->mod || !a->mod->value || !eval(f, s, a->mod->value, &v) || !value_is_scalar(&v))
        return EXPR_NONE;
    return v.elem[0];
}

ExprId dump_condition(Front *f, Scope *s, const SynExpr *x)
{
    Value v;
    bool ok = expression_value(f, s, x, &v) && value_is_scalar(&v);
    return ok ? v.elem[0] : expr_int(f->sys->pool, 0);
}

/* A number from 1 on, as numbered from 0; `none` if there is none. */
static uint32_t number_of(Front *f, ExprId x, uint32_t none)
{
    double value;
    if (!expr_exists(x) || !expr_constant(f->sys->pool, x, &value) || value < 1 ||
        value > UINT32_MAX)
        return none;
    return (uint32_t)value - 1;
}

bool dump_read_equation(Front *f, Scope *s, const SynEquation *x, uint32_t first, uint32_t n,
                        Eq *eq)
{
    const SynMod *element = rung_annotation(x->annotation, "element");
    uint32_t state = state_number(x->annotation);
    Value v;
    for (uint32_t k = first; k < n; k++)
        eq[k].state = state;
    if (!element || n != first + 1)
        return true;
    if (!element->value || !eval(f, s, element->value, &v) || value_size(&v) != 2) {
        diag_error(f->diags, element->span, "F08",
                   "element = {number of the array equation, number of the element}");
        return false;
    }
    uint32_t group = number_of(f, v.elem[0], GROUP_NONE);
    if (group == GROUP_NONE)
        return true;
    /* groups of the dump, by their numbers there */
    uint32_t known = map_get(&f->lookup->dump_group, group);
    if (known == MAP_NONE) {
        known = system_new_group(f->sys);
        map_put(&f->lookup->dump_group, group, known);
    }
    eq[first].group = known;
    eq[first].index = number_of(f, v.elem[1], 0);
    return true;
}

static VarId variable_of(Front *f, ExprId x)
{
    bool is_var = expr_exists(x) && expr_op(f->sys->pool, x) == OP_VAR;
    return is_var ? expr_var_of(f->sys->pool, x) : VAR_NONE;
}

static Name text_of(Front *f, ExprId x)
{
    bool is_text = expr_exists(x) && expr_op(f->sys->pool, x) == OP_STRING;
    return is_text ? expr_text_of(f->sys->pool, x) : name_of(f->names, "");
}

static bool read_cut(Front *f, Scope *s, const SynMod *cut)
{
    System *sys = f->sys;
    CutJoint c = {.a = text_of(f, fact_value(f, s, cut, "a")),
                  .b = text_of(f, fact_value(f, s, cut, "b")),
                  .inside = text_of(f, fact_value(f, s, cut, "inside")),
                  .span = cut->span,
                  .common = arena_array(sys->mem, ExprId, cut->n),
                  .record = arena_array(sys->mem, ExprId, cut->n)};
    bool ok = true;
    for (uint32_t k = 0; ok && k < cut->n; k++) {
        const SynArg *a = &cut->arg[k];
        const char *name = a->path.n ? a->path.name[0].s : "";
        if (strcmp(name, "common") == 0) {
            c.common[c.n_common] = fact_value(f, s, a->mod, "x");
            ok = expr_exists(c.common[c.n_common++]);
        } else if (strcmp(name, "side") == 0) {
            c.record[c.n_record] = fact_value(f, s, a->mod, "x");
            ok = expr_exists(c.record[c.n_record++]);
        } else if (strcmp(name, "closed") == 0) {
            EqId by = {number_of(f, fact_value(f, s, a->mod, "by"), UINT32_MAX)};
            ok = by.i < sys->eq.n;
            vec_push(sys->mem, c.eq, by);
        } else if (strcmp(name, "through") == 0) {
            CutFlow flow = {.eq = {number_of(f, fact_value(f, s, a->mod, "sum"), UINT32_MAX)},
                            .a = fact_value(f, s, a->mod, "a"),
                            .b = fact_value(f, s, a->mod, "b"),
                            .of = variable_of(f, fact_value(f, s, a->mod, "of"))};
            ok = flow.eq.i < sys->eq.n && expr_exists(flow.a) && expr_exists(flow.b) &&
                 var_exists(flow.of);
            vec_push(sys->mem, c.flow, flow);
        }
    }
    ok = ok && c.eq.n > 0;
    if (ok)
        vec_push(sys->mem, sys->cut, c);
    else
        diag_error(f->diags, cut->span, "F08", "this is no cut joint as dumps describe it");
    return ok;
}

static bool read_machine_state(Front *f, Scope *s, const SynMod *state)
{
    MachineState m = {.path = text_of(f, fact_value(f, s, state, "path")).s,
                      .active = fact_value(f, s, state, "active"),
                      .reset = fact_value(f, s, state, "reset")};
    if (expr_exists(m.active) && expr_exists(m.reset)) {
        vec_push(f->sys->mem, f->sys->state, m);
        return true;
    }
    diag_error(f->diags, state->span, "F08", "this is no state as dumps describe it");
    return false;
}

/* Checks numbers of states, which a person may have changed in the dump. */
static void check_states(Front *f, const Instance *root)
{
    System *s = f->sys;
    bool good = true;
    for (uint32_t k = 0; k < s->eq.n; k++)
        good = good && s->eq.at[k].state <= s->state.n;
    for (uint32_t k = 0; k < s->var.n; k++)
        good = good && s->var.at[k].state <= s->state.n;
    if (!good)
        diag_error(f->diags, root->cls->syn->name_span, "F08",
                   "something is in a state of a higher number than there are states");
}

static void read_facts(Front *f, Instance *root)
{
    const SynMod *annotation = root->cls->syn ? root->cls->syn->annotation : NULL;
    const SynArg *all = annotation ? syn_mod_find(annotation, "__rung") : NULL;
    if (!all || !all->mod)
        return;
    Scope *s = instance_scope(f, root, root->cls);
    for (uint32_t k = 0; k < all->mod->n; k++) {
        const SynArg *a = &all->mod->arg[k];
        const char *name = a->path.n == 1 ? a->path.name[0].s : "";
        if (a->mod && ((strcmp(name, "cut") == 0 && !read_cut(f, s, a->mod)) ||
                       (strcmp(name, "state") == 0 && !read_machine_state(f, s, a->mod))))
            return;
    }
}

void dump_finish(Front *f, Instance *root)
{
    if (!f->lookup->is_dump)
        return;
    for (uint32_t k = 0; k < f->sys->var.n && k < f->lookup->leaf_of_var.n; k++) {
        const Instance *leaf = f->lookup->leaf_of_var.at[k];
        if (leaf && leaf->is_final)
            f->sys->var.at[k].is_final = true;
    }
    read_facts(f, root);
    check_states(f, root);
}
