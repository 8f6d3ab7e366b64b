/* terminal.c -- the connectors that a model shows to the outside, and icons (ir/terminal.h). */
#include "frontend/instantiate/graphics.h"
#include "frontend/instantiate/instance.h"

#include "ir/terminal.h"

#include <stdlib.h>
#include <string.h>

/* The value of `visible`: a literal, a Boolean parameter of the instance, and not, and, or of
 * these; else UNKNOWN. */
static Truth truth(Front *f, Instance *i, const SynExpr *x)
{
    if (x->kind == SYN_BOOLEAN)
        return x->truth ? YES : NO;
    if (x->kind == SYN_UNARY && x->op == SYN_NOT) {
        Truth inside = truth(f, i, x->arg.at[0]);
        return inside == UNKNOWN ? UNKNOWN : inside == YES ? NO : YES;
    }
    if (x->kind == SYN_CHAIN && (x->ops[1] == SYN_AND || x->ops[1] == SYN_OR)) {
        Truth decides = x->ops[1] == SYN_AND ? NO : YES, all = decides == NO ? YES : NO;
        for (uint32_t k = 0; k < x->arg.n; k++) {
            Truth part = truth(f, i, x->arg.at[k]);
            if (part == decides)
                return decides;
            all = part == UNKNOWN ? UNKNOWN : all;
        }
        return all;
    }
    if (x->kind != SYN_CREF || x->cref->n != 1 || i->kind != INST_CLASS)
        return UNKNOWN;
    for (uint32_t k = 0; k < instance_n_parts(i); k++) {
        Instance *c = instance_part(i, k);
        if (!c || c->kind != INST_LEAF || c->n_dims || c->cls->base_type != TYPE_BOOLEAN ||
            c->variability > VARIES_PARAMETER || !name_same(c->el->name, x->cref->part[0].name))
            continue;
        double value;
        const Value *bound;
        bool known = instance_has_binding(f, c) && instance_binding(f, c, false, &bound) && bound &&
                     value_is_scalar(bound) && expr_constant(f->sys->pool, bound->elem[0], &value);
        return !known ? UNKNOWN : value != 0 ? YES : NO;
    }
    return UNKNOWN;
}

/* ---- icons ---------------------------------------------------------------------------------- */

/* `%name` and `%class` are the class's own name, `%%` is %; NULL where a value is meant. */
static const char *text_of(Front *f, const char *s, const char *class_name)
{
    static const char *const own[] = {"%name", "%class"};
    const char *last = strrchr(class_name, '.'), *to = last ? last + 1 : class_name;
    char *out = arena_array(f->sys->mem, char, strlen(s) * (strlen(to) + 1) + 1), *at = out;
    while (*s) {
        size_t skip = *s == '%' && s[1] == '%' ? 2 : 0;
        const char *with = "%";
        for (size_t k = 0; k < sizeof own / sizeof *own && !skip; k++)
            if (strncmp(s, own[k], strlen(own[k])) == 0) {
                skip = strlen(own[k]);
                with = to;
            }
        if (!skip && *s == '%')
            return NULL;
        if (!skip) {
            *at++ = *s++;
            continue;
        }
        strcpy(at, with);
        at += strlen(with);
        s += skip;
    }
    return out;
}

static void add_shape(Front *f, Instance *i, const Class *c, const SynExpr *x, Icon *icon)
{
    IconShape s;
    const SynExpr *visible;
    if (!graphics_shape(x, f->sys->mem, &s, &visible) || s.kind == ICON_BITMAP ||
        (visible && truth(f, i, visible) == NO))
        return;
    s.line_pattern = s.line_pattern > LINE_DASH_DOT ? LINE_DASH_DOT : s.line_pattern;
    if (s.kind == ICON_TEXT)
        s.text = s.text ? text_of(f, s.text, c->name) : NULL;
    if (s.kind != ICON_TEXT || s.text)
        vec_push(f->sys->mem, icon->shape, s);
}

/* Draws the graphics of c's bases, then its own; the innermost coordinate system wins. `as` has the
 * name that texts show. */
static void draw(Front *f, Instance *i, const Class *c, const Class *as, Icon *icon)
{
    for (uint32_t k = 0; k < c->base.n; k++)
        draw(f, i, c->base.at[k], as, icon);
    const SynMod *annotation = c->syn ? c->syn->annotation : NULL;
    graphics_system(annotation, "Icon", icon->extent);
    const SynExpr *list = graphics_of_layer(annotation, "Icon");
    for (uint32_t k = 0; list && k < list->arg.n; k++)
        add_shape(f, i, as, list->arg.at[k], icon);
}

/* TERMINAL_NONE if the class draws nothing. Connectors of one class have one icon. */
static uint32_t icon_of(Front *f, Instance *i, Map *drawn)
{
    Terminals *t = &f->sys->terminals;
    uint32_t at = map_get(drawn, i->cls->id);
    if (at != MAP_NONE)
        return at - 1;
    Icon icon = {.extent = {{-100, -100}, {100, 100}}};
    draw(f, i, i->cls, i->cls, &icon);
    at = icon.shape.n ? t->icon.n : TERMINAL_NONE;
    if (icon.shape.n)
        vec_push(f->sys->mem, t->icon, icon);
    map_put(drawn, i->cls->id, at + 1);
    return at;
}

/* ---- terminals ------------------------------------------------------------------------------ */

/* MLS 18.6.5: the smallest upright rectangle around it, and whether the component turns the sides
 * round. */
static bool place_of(const Instance *i, IconPoint at[2])
{
    GraphicsPlace p;
    if (!graphics_place(i->el->component->annotation, true, &p, &(const SynExpr *){NULL}))
        return false;
    memcpy(at, p.extent, sizeof p.extent);
    IconPoint about = p.origin;
    double turn = p.rotation;
    int quarters = ((int)(turn / 90 + (turn < 0 ? -0.5 : 0.5)) % 4 + 4) % 4;
    for (int k = 0; k < 2; k++) {
        for (int q = 0; q < quarters; q++)
            at[k] = (IconPoint){-at[k].y, at[k].x};
        at[k] = (IconPoint){about.x + at[k].x, about.y + at[k].y};
    }
    return at[0].x != at[1].x && at[0].y != at[1].y;
}

/* The members inside i, a record or the connector itself, whose names begin after `skip`
 * characters; connectors inside are terminals of their own, in `inner`. */
static void add_members(Front *f, Instance *i, size_t skip, Instances *inner)
{
    Terminals *t = &f->sys->terminals;
    if (i->kind == INST_LEAF && i->var.i != VAR_NONE.i) {
        const char *name = strlen(i->path) > skip ? i->path + skip : "";
        vec_push(f->sys->mem, t->member,
                 ((TerminalMember){name, i->var, i->n, name_of(f->names, i->path), i->is_flow}));
        return;
    }
    uint32_t n = i->kind == INST_ARRAY ? i->n : i->kind == INST_CLASS ? instance_n_parts(i) : 0;
    for (uint32_t k = 0; k < n; k++) {
        Instance *c = i->kind == INST_ARRAY ? i->elem[k] : instance_part(i, k);
        if (c && i->kind == INST_CLASS && c->parent != i)
            continue; /* an outer component may be an enclosing one */
        if (c && c->kind == INST_CLASS && class_is_connector(c->cls))
            vec_push(f->scratch, *inner, c);
        else if (c)
            add_members(f, c, skip, inner);
    }
}

static void add_terminal(Front *f, Instance *i, uint32_t parent, const char *name, Map *drawn)
{
    Terminals *t = &f->sys->terminals;
    Instances inner = {0};
    uint32_t own = t->terminal.n, first = t->member.n;
    add_members(f, i, strlen(i->path) + 1, &inner);
    Terminal it = {.name = name,
                   .class_name = arena_copy(f->sys->mem, i->cls->name, strlen(i->cls->name)),
                   .description = i->el->component->comment,
                   .is_bus = class_is_expandable(i->cls),
                   .parent = parent,
                   .first_member = first,
                   .n_members = t->member.n - first,
                   .icon = icon_of(f, i, drawn)};
    it.is_placed = place_of(i, it.at);
    vec_push(f->sys->mem, t->terminal, it);
    for (uint32_t k = 0; k < inner.n; k++)
        add_terminal(f, inner.at[k], own, inner.at[k]->path + strlen(i->path) + 1, drawn);
}

void terminals_collect(Front *f, Instance *root)
{
    Map drawn = map_new(f->scratch);
    f->sys->terminals.own_icon = icon_of(f, root, &drawn);
    for (uint32_t k = 0; k < instance_n_parts(root); k++) {
        Instance *i = instance_part(root, k);
        bool is_there = i && i->kind != INST_ABSENT && i->kind != INST_FAILED;
        if (!is_there || i->is_protected || !class_is_connector(i->cls))
            continue;
        if (i->kind == INST_CLASS || i->kind == INST_LEAF)
            add_terminal(f, i, TERMINAL_NONE, i->path, &drawn);
        for (uint32_t e = 0; i->kind == INST_ARRAY && e < i->n; e++)
            add_terminal(f, i->elem[e], TERMINAL_NONE, i->elem[e]->path, &drawn);
    }
}
