#include "frontend/instantiate/deselection.h"

#include <string.h>

struct Deselection {
    const SynMod *mod;
    bool *used; /* per argument of mod */
    const Deselection *outer;
};

static bool is_deselection(const SynArg *a)
{
    return a->kind == SYN_ARG_BREAK_NAME || a->kind == SYN_ARG_BREAK_CONNECT;
}

const Deselection *deselection_new(Front *f, const SynMod *mod, const Deselection *outer)
{
    bool any = false;
    for (uint32_t k = 0; mod && k < mod->n; k++)
        any = any || is_deselection(&mod->arg[k]);
    if (!any)
        return outer;
    Deselection *d = arena_make(f->mem, Deselection);
    *d = (Deselection){mod, arena_array(f->mem, bool, mod->n), outer};
    return d;
}

/* The argument that leaves out the component of that name, or UINT32_MAX. */
static uint32_t named(const Deselection *d, Name name)
{
    for (uint32_t k = 0; k < d->mod->n; k++)
        if (d->mod->arg[k].kind == SYN_ARG_BREAK_NAME &&
            name_same(d->mod->arg[k].path.name[0], name))
            return k;
    return UINT32_MAX;
}

/* Are the references the same, apart from spaces and comments. */
static bool same_text(const SynCref *a, const SynCref *b)
{
    SynExpr x = {.kind = SYN_CREF, .cref = a}, y = {.kind = SYN_CREF, .cref = b};
    return syntax_equal_expr(&x, &y);
}

/* A connection is left out by the first extends clause that names it or an end of it. */
static bool leaves_out_connection(const Deselection *all, const SynEquation *x)
{
    for (const Deselection *d = all; d; d = d->outer) {
        uint32_t a = named(d, x->a->part[0].name), b = named(d, x->b->part[0].name);
        if (a != UINT32_MAX || b != UINT32_MAX)
            return true; /* used by the component */
        for (uint32_t k = 0; k < d->mod->n; k++) {
            const SynArg *arg = &d->mod->arg[k];
            if (arg->kind != SYN_ARG_BREAK_CONNECT ||
                !((same_text(arg->a, x->a) && same_text(arg->b, x->b)) ||
                  (same_text(arg->a, x->b) && same_text(arg->b, x->a))))
                continue;
            d->used[k] = true;
            return true;
        }
    }
    return false;
}

static bool leaves_out_component(const Deselection *all, const SynElement *e)
{
    if (e->kind != SYN_COMPONENT)
        return false;
    for (const Deselection *d = all; d; d = d->outer) {
        uint32_t k = named(d, e->component->name);
        if (k == UINT32_MAX)
            continue;
        d->used[k] = true;
        return true;
    }
    return false;
}

/* Copies to *out the equations that are not deselected; true if some are. */
static bool prune(Front *f, const Deselection *d, const SynEquations *all, SynEquations *out)
{
    bool any = false;
    SynEquations kept = {arena_array(f->mem, SynEquation *, all->n + 1), 0};
    for (uint32_t k = 0; k < all->n; k++) {
        SynEquation *x = all->at[k];
        if (x->kind == SYN_EQ_CONNECT && leaves_out_connection(d, x)) {
            any = true;
            continue;
        }
        SynEquations inside;
        if (x->kind == SYN_EQ_FOR && prune(f, d, &x->body, &inside)) {
            SynEquation *copy = arena_make(f->mem, SynEquation);
            *copy = *x;
            copy->body = inside;
            x = copy;
            any = true;
        }
        for (uint32_t j = 0; x->kind == SYN_EQ_IF && j < x->n_branches; j++) {
            if (!prune(f, d, &x->branch[j].body, &inside))
                continue;
            SynEqBranch *branch = arena_array(f->mem, SynEqBranch, x->n_branches);
            memcpy(branch, x->branch, x->n_branches * sizeof *branch);
            branch[j].body = inside;
            SynEquation *copy = arena_make(f->mem, SynEquation);
            *copy = *x;
            copy->branch = branch;
            x = copy;
            any = true;
        }
        kept.at[kept.n++] = x;
    }
    *out = kept;
    return any;
}

SynClass *deselection_apply(Front *f, const Deselection *d, SynClass *syn)
{
    if (!d || !syn || (syn->kind != SYN_LONG && syn->kind != SYN_CLASS_EXTENDS) || syn->dir)
        return syn;
    bool any = false;
    SynElement **elements = arena_array(f->mem, SynElement *, syn->n_elements + 1);
    uint32_t n = 0;
    for (uint32_t k = 0; k < syn->n_elements; k++) {
        bool out = leaves_out_component(d, syn->elements[k]);
        any = any || out;
        if (!out)
            elements[n++] = syn->elements[k];
    }
    SynSection *section = arena_array(f->mem, SynSection, syn->n_sections + 1);
    for (uint32_t k = 0; k < syn->n_sections; k++) {
        section[k] = syn->section[k];
        any |=
            !section[k].algorithm && prune(f, d, &syn->section[k].equations, &section[k].equations);
    }
    if (!any)
        return syn;
    SynClass *copy = arena_make(f->mem, SynClass);
    *copy = *syn;
    copy->whole = syn->whole ? syn->whole : syn;
    copy->elements = elements;
    copy->n_elements = n;
    copy->section = section;
    copy->lookup = NULL;
    syn_class_index(copy, f->mem);
    return copy;
}

void deselection_check_kinds(Front *f, const Deselection *d, Class *base)
{
    const SynClass *whole = base->syn ? base->syn->whole : NULL;
    for (uint32_t k = 0; whole && k < whole->n_elements; k++) {
        const SynElement *e = whole->elements[k];
        if (!leaves_out_component(d, e))
            continue;
        Class *type = lookup_path(f, &base->body, &e->component->type);
        if (!type || !class_elaborate(f, type) || class_is_connector(type) ||
            (type->kind == CLASS_OTHER && type->syn))
            continue;
        for (const Deselection *at = d; at; at = at->outer) {
            uint32_t j = named(at, e->component->name);
            if (j == UINT32_MAX)
                continue;
            diag_error(f->diags, at->mod->arg[j].span, "N50",
                       "'%s' is no model, block or connector, so it cannot be left out (MLS 7.4)",
                       e->component->name.s);
            diag_note(f->diags, e->component->name_span, "it is declared here");
            break;
        }
    }
}

void deselection_check_used(Front *f, const Deselection *d, const SynMod *mod, const Class *base)
{
    for (uint32_t k = 0; d && d->mod == mod && k < mod->n; k++) {
        const SynArg *a = &mod->arg[k];
        if (!is_deselection(a) || d->used[k])
            continue;
        if (a->kind == SYN_ARG_BREAK_NAME)
            diag_error(f->diags, a->span, "N50",
                       "%s has no component '%s' that could be left out (MLS 7.4)", base->name,
                       a->path.name[0].s);
        else
            diag_error(f->diags, a->span, "N50", "%s has no such connection (MLS 7.4)", base->name);
    }
}
