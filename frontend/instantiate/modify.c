/* modify.c -- modifications: trees of modifiers and the environments they form (MLS 3.6 ch. 7). */
#include "frontend/instantiate/instance.h"

#include "base/spelling.h"
#include "base/vec.h"

static Mod *mod_new(Front *f, Name name, Span span, Scope *scope, int each_level)
{
    Mod *m = arena_make(f->mem, Mod);
    m->id = f->lookup->n_mods++;
    m->name = name;
    m->span = span;
    m->scope = scope;
    m->each_level = each_level;
    return m;
}

Mod *mod_find(const Mod *m, Name name)
{
    for (uint32_t k = 0; k < m->n; k++)
        if (name_same(m->sub[k]->name, name))
            return m->sub[k];
    return NULL;
}

/* MLS 7.2.4: no two arguments modify the same thing; a(b = 1), a(c = 2) are two things. */
static void sub_add(Front *f, Mod *m, uint32_t *cap, Mod *sub)
{
    Mod *old = mod_find(m, sub->name);
    if (old) {
        bool clash = (old->value && sub->value) || old->redeclare || sub->redeclare;
        if (clash) {
            diag_error(f->diags, sub->span, "N04", "'%s' is modified twice", sub->name.s);
            diag_note(f->diags, old->span, "here is the other modifier");
            return;
        }
        if (sub->value) {
            old->value = sub->value;
            old->each_level = sub->each_level;
        }
        old->is_final = old->is_final || sub->is_final;
        uint32_t old_cap = old->n;
        for (uint32_t k = 0; k < sub->n; k++)
            sub_add(f, old, &old_cap, sub->sub[k]);
        return;
    }
    if (m->n == *cap)
        m->sub = vec_grow(f->mem, m->sub, sizeof *m->sub, m->n, cap, m->n + 1);
    m->sub[m->n++] = sub;
    m->has_redeclare = m->has_redeclare || sub->redeclare;
}

static Mod *mod_of_redeclaration(Front *f, const SynElement *e, Scope *scope, int level,
                                 int each_level);

static void fill(Front *f, Mod *m, const SynMod *syn, int level);

static void add_argument(Front *f, Mod *m, uint32_t *cap, const SynArg *arg, int level)
{
    switch (arg->kind) {
    case SYN_ARG_MODIFY: {
        int each = arg->each ? level : m->each_level;
        /* a.b = 1 is a(b = 1) */
        Mod *first = NULL;
        Mod *last = NULL;
        for (uint32_t k = 0; k < arg->path.n; k++) {
            Mod *x = mod_new(f, arg->path.name[k], arg->span, m->scope, each);
            if (last) {
                uint32_t none = 0;
                sub_add(f, last, &none, x);
            } else {
                first = x;
            }
            last = x;
        }
        last->is_final = arg->final;
        last->comment = arg->comment;
        if (arg->mod)
            fill(f, last, arg->mod, level + (int)arg->path.n - 1);
        sub_add(f, m, cap, first);
        return;
    }
    case SYN_ARG_ELEMENT: {
        int each = arg->each || arg->element->each ? level : m->each_level;
        sub_add(f, m, cap, mod_of_redeclaration(f, arg->element, m->scope, level, each));
        return;
    }
    case SYN_ARG_BREAK_NAME:
    case SYN_ARG_BREAK_CONNECT:
        return; /* deselection.h */
    }
}

static void fill(Front *f, Mod *m, const SynMod *syn, int level)
{
    m->value = syn->value;
    m->is_break = syn->is_break;
    uint32_t cap = m->n;
    for (uint32_t k = 0; k < syn->n; k++)
        add_argument(f, m, &cap, &syn->arg[k], level + 1);
}

Mod *mod_of_syntax(Front *f, const SynMod *syn, Scope *scope, int level)
{
    if (!syn || (syn->n == 0 && !syn->value && !syn->is_break))
        return NULL;
    Mod *m = mod_new(f, (Name){NULL}, syn->span, scope, 0);
    fill(f, m, syn, level);
    return m;
}

static Mod *mod_of_redeclaration(Front *f, const SynElement *e, Scope *scope, int level,
                                 int each_level)
{
    Name name = e->kind == SYN_CLASS ? e->class_->name : e->component->name;
    Mod *m = mod_new(f, name, e->span, scope, each_level);
    m->redeclare = e;
    m->is_final = e->final;
    if (e->kind == SYN_COMPONENT && e->component->mod)
        fill(f, m, e->component->mod, level);
    return m;
}

Mod *mod_of_bodies(Front *f, SynElement *const *e, uint32_t n, Scope *scope)
{
    Mod *m = NULL;
    uint32_t cap = 0;
    for (uint32_t k = 0; k < n; k++) {
        bool is_class = e[k]->kind == SYN_CLASS;
        bool redeclares =
            (is_class || e[k]->kind == SYN_COMPONENT) &&
            (e[k]->redeclare || (is_class && e[k]->class_->kind == SYN_CLASS_EXTENDS));
        if (!redeclares)
            continue;
        if (!m)
            m = mod_new(f, (Name){NULL}, e[k]->span, scope, 0);
        sub_add(f, m, &cap, mod_of_redeclaration(f, e[k], scope, 0, 0));
    }
    return m;
}

Env env_sub(Front *f, Env env, Name name)
{
    Env out = {0};
    ModSource *at = NULL;
    for (uint32_t k = 0; k < env.n; k++) {
        Mod *sub = mod_find(env.at[k].mod, name);
        if (!sub)
            continue;
        if (!at)
            at = arena_array(f->mem, ModSource, env.n);
        at[out.n] = env.at[k];
        at[out.n++].mod = sub;
    }
    out.at = at;
    return out;
}

Env env_join(Front *f, Env outer, Env inner)
{
    if (!outer.n)
        return inner;
    if (!inner.n)
        return outer;
    ModSource *at = arena_array(f->mem, ModSource, outer.n + inner.n);
    memcpy(at, outer.at, outer.n * sizeof *at);
    memcpy(at + outer.n, inner.at, inner.n * sizeof *at);
    return (Env){at, outer.n + inner.n};
}

Env env_add(Front *f, Env outer, Mod *inner, Instance *at)
{
    if (!inner)
        return outer;
    ModSource *s = arena_make(f->mem, ModSource);
    s->mod = inner;
    s->at = at ? at : inner->scope ? inner->scope->inst : NULL;
    return env_join(f, outer, (Env){s, 1});
}

bool env_has_redeclare(Env env)
{
    for (uint32_t k = 0; k < env.n; k++)
        if (env.at[k].mod->has_redeclare)
            return true;
    return false;
}

Env env_redeclares(Front *f, Env env)
{
    ModSource *at = arena_array(f->mem, ModSource, env.n);
    for (uint32_t k = 0; k < env.n; k++) {
        at[k] = env.at[k];
        at[k].only_redeclare = true;
    }
    return (Env){at, env.n};
}

/* MLS 4.9: which attributes a predefined type has. */
static bool is_attribute(Front *f, BaseType type, Name name)
{
    int k = 0;
    while (k < ATTR_COUNT && !name_same(f->lookup->attribute[k], name))
        k++;
    switch (k) {
    case ATTR_COUNT:
        return false;
    case ATTR_MIN:
    case ATTR_MAX:
        return type != TYPE_BOOLEAN && type != TYPE_STRING;
    case ATTR_NOMINAL:
    case ATTR_UNIT:
    case ATTR_DISPLAY_UNIT:
    case ATTR_STATE_SELECT:
    case ATTR_UNBOUNDED:
        return type == TYPE_REAL;
    default:
        return true;
    }
}

static const char *attribute_hint(Front *f, BaseType type, Name name)
{
    Spelling s = spelling_of(name.s);
    for (int k = 0; k < ATTR_COUNT; k++)
        if (is_attribute(f, type, f->lookup->attribute[k]))
            spelling_try(&s, f->lookup->attribute[k].s);
    return s.nearest ? arena_printf(f->mem, "; did you mean '%s'?", s.nearest) : "";
}

/* True if the modifier goes into a class that `type` has: type must be elaborated with it. */
static bool check_sub(Front *f, Class *type, Mod *sub, bool from_outside)
{
    if (sub->is_reported)
        return false;
    if (type->kind == CLASS_PLAIN || type->kind == CLASS_ENUMERATION) {
        sub->is_reported = !is_attribute(f, type->base_type, sub->name);
        if (sub->is_reported)
            diag_error(f->diags, sub->span, "N03", "a %s has no attribute '%s'%s", type->name,
                       sub->name.s, attribute_hint(f, type->base_type, sub->name));
        return false;
    }
    Element *e = class_element(f, type, sub->name);
    if (!e) {
        sub->is_reported = true;
        diag_error(f->diags, sub->span, "N03", "%s has no element '%s' to modify%s", type->name,
                   sub->name.s, class_hint(f, type, sub->name));
        return false;
    }
    if (e->is_outer && !e->is_inner && !e->is_class && !sub->redeclare) {
        sub->is_reported = true;
        diag_error(f->diags, sub->span, "N48",
                   "'%s' is outer in %s: only the inner component is modified (MLS 5.4)",
                   sub->name.s, type->name);
        return false;
    }
    sub->is_reported = e->is_protected && from_outside;
    if (sub->is_reported)
        diag_error(f->diags, sub->span, "N07",
                   "'%s' is protected in %s and cannot be modified here", sub->name.s, type->name);
    return e->is_class;
}

bool env_check(Front *f, Env env, Class *type, bool from_outside)
{
    bool into_class = false;
    for (uint32_t k = 0; k < env.n; k++) {
        const Mod *m = env.at[k].mod;
        for (uint32_t j = 0; j < m->n && !env.at[k].only_redeclare; j++)
            if (check_sub(f, type, m->sub[j], from_outside))
                into_class = true;
    }
    return into_class;
}
