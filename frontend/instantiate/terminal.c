/* terminal.c -- the connectors that a model shows to the outside, and icons (ir/terminal.h). */
#include "frontend/instantiate/instance.h"

#include "ir/terminal.h"

#include <stdlib.h>
#include <string.h>

/* ---- annotations -------------------------------------------------------------------------------
 *
 * Annotations of graphics are literals, but for DynamicSelect(literal, expression), signs, and
 * `visible`, which may be of parameters (MLS 18.6.6). Graphics with other expressions are left
 * out. */

static bool number(const SynExpr *x, double *out)
{
    double part;
    if (!x)
        return false;
    switch (x->kind) {
    case SYN_INTEGER:
    case SYN_REAL:
        *out = strtod(x->text, NULL);
        return true;
    case SYN_UNARY:
        if (!number(x->arg.at[0], &part))
            return false;
        *out = x->op == SYN_SUB || x->op == SYN_EL_SUB ? -part : part;
        return x->op != SYN_NOT;
    case SYN_CHAIN:
        *out = 0;
        for (uint32_t k = 0; k < x->arg.n; k++) {
            if (!number(x->arg.at[k], &part))
                return false;
            SynOp op = k ? x->ops[k] : SYN_ADD;
            if (op == SYN_ADD || op == SYN_SUB)
                *out += op == SYN_ADD ? part : -part;
            else if (op == SYN_MUL || op == SYN_DIV)
                *out = op == SYN_MUL ? *out * part : *out / part;
            else
                return false;
        }
        return true;
    case SYN_CALL:
        return x->arg.n == 2 && number(x->arg.at[0], out);
    default:
        return false;
    }
}

/* n numbers, {a, b, ...} */
static bool numbers(const SynExpr *x, uint32_t n, double *out)
{
    if (x && x->kind == SYN_CALL && x->arg.n == 2)
        x = x->arg.at[0];
    if (!x || x->kind != SYN_ARRAY || x->arg.n != n)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!number(x->arg.at[k], &out[k]))
            return false;
    return true;
}

static bool point_of(const SynExpr *x, IconPoint *out)
{
    double xy[2];
    if (!numbers(x, 2, xy))
        return false;
    *out = (IconPoint){xy[0], xy[1]};
    return true;
}

static bool extent_of(const SynExpr *x, IconPoint out[2])
{
    if (x && x->kind == SYN_CALL && x->arg.n == 2)
        x = x->arg.at[0];
    return x && x->kind == SYN_ARRAY && x->arg.n == 2 && point_of(x->arg.at[0], &out[0]) &&
           point_of(x->arg.at[1], &out[1]);
}

/* The literal of an enumeration, by its last name; `otherwise` if it is not in the list. */
static int literal(const SynExpr *x, const char *const *list, int n, int otherwise)
{
    if (!x || x->kind != SYN_CREF)
        return otherwise;
    const char *name = x->cref->part[x->cref->n - 1].name.s;
    for (int k = 0; k < n; k++)
        if (strcmp(name, list[k]) == 0)
            return k;
    return otherwise;
}

static void colour(const SynExpr *x, uint32_t *out)
{
    double c[3];
    if (!numbers(x, 3, c))
        return;
    *out = 0;
    for (int k = 0; k < 3; k++)
        *out = *out << 8 | (uint32_t)(c[k] < 0 ? 0 : c[k] > 255 ? 255 : c[k]);
}

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

static const SynExpr *named(const SynExpr *call, const char *name)
{
    for (uint32_t k = 0; k < call->n_named; k++)
        if (strcmp(call->named[k].name.s, name) == 0)
            return call->named[k].value;
    return NULL;
}

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

static bool points_of(Front *f, const SynExpr *x, IconShape *s)
{
    if (!x || x->kind != SYN_ARRAY || x->arg.n < 2)
        return false;
    IconPoint *point = arena_array(f->sys->mem, IconPoint, x->arg.n);
    for (uint32_t k = 0; k < x->arg.n; k++)
        if (!point_of(x->arg.at[k], &point[k]))
            return false;
    s->n = x->arg.n;
    s->point = point;
    return true;
}

static bool extent_points(Front *f, const SynExpr *x, IconShape *s)
{
    IconPoint *point = arena_array(f->sys->mem, IconPoint, 2);
    s->n = 2;
    s->point = point;
    return extent_of(x, point);
}

static void add_shape(Front *f, Instance *i, const Class *c, const SynExpr *x, Icon *icon)
{
    static const char *const kinds[] = {"Line", "Polygon", "Rectangle", "Ellipse", "Text"};
    static const char *const lines[] = {"None", "Solid", "Dash", "Dot", "DashDot", "DashDotDot"};
    static const char *const fills[] = {
        "None",     "Solid",     "Horizontal",         "Vertical",         "Cross", "Forward",
        "Backward", "CrossDiag", "HorizontalCylinder", "VerticalCylinder", "Sphere"};
    static const char *const smooth[] = {"None", "Bezier"};
    static const char *const aligned[] = {"Left", "Center", "Right"};
    const SynExpr *visible = x->kind == SYN_CALL ? named(x, "visible") : NULL;
    if (x->kind != SYN_CALL || x->cref->n != 1 || (visible && truth(f, i, visible) == NO))
        return;
    int kind = 0;
    while (kind < ICON_KINDS && strcmp(x->cref->part[0].name.s, kinds[kind]) != 0)
        kind++;
    IconShape s = {
        .kind = (IconKind)kind, .line_pattern = LINE_SOLID, .thickness = 0.25, .end_angle = 360};
    bool is_line = kind == ICON_LINE;
    point_of(named(x, "origin"), &s.origin);
    number(named(x, "rotation"), &s.rotation);
    number(named(x, is_line ? "thickness" : "lineThickness"), &s.thickness);
    number(named(x, "radius"), &s.radius);
    number(named(x, "startAngle"), &s.start_angle);
    number(named(x, "endAngle"), &s.end_angle);
    number(named(x, "fontSize"), &s.font_size);
    colour(named(x, is_line ? "color" : "lineColor"), &s.line);
    if (kind == ICON_TEXT)
        colour(named(x, "textColor"), &s.line);
    colour(named(x, "fillColor"), &s.fill);
    int pattern = literal(named(x, "pattern"), lines, sizeof lines / sizeof *lines, LINE_SOLID);
    s.line_pattern = pattern > LINE_DASH_DOT ? LINE_DASH_DOT : (IconLine)pattern;
    s.fill_pattern = (IconFill)literal(named(x, "fillPattern"), fills, FILL_PATTERNS, FILL_NONE);
    s.is_smooth = literal(named(x, "smooth"), smooth, 2, 0) == 1;
    s.align = literal(named(x, "horizontalAlignment"), aligned, 3, 1) - 1;
    const SynExpr *text = named(x, "textString");
    if (text && text->kind == SYN_CALL && text->arg.n == 2)
        text = text->arg.at[0];
    if (kind == ICON_TEXT)
        s.text = text && text->kind == SYN_STRING ? text_of(f, text->text, c->name) : NULL;
    bool ok = kind < ICON_KINDS && (kind != ICON_TEXT || s.text);
    ok = ok && (kind <= ICON_POLYGON ? points_of(f, named(x, "points"), &s)
                                     : extent_points(f, named(x, "extent"), &s));
    if (ok)
        vec_push(f->sys->mem, icon->shape, s);
}

/* Draws the graphics of c's bases, then its own; the innermost coordinate system wins. `as` has the
 * name that texts show. */
static void draw(Front *f, Instance *i, const Class *c, const Class *as, Icon *icon)
{
    for (uint32_t k = 0; k < c->base.n; k++)
        draw(f, i, c->base.at[k], as, icon);
    const SynArg *a = c->syn ? syn_mod_find(c->syn->annotation, "Icon") : NULL;
    if (!a || !a->mod)
        return;
    const SynArg *system = syn_mod_find(a->mod, "coordinateSystem");
    const SynArg *extent = system ? syn_mod_find(system->mod, "extent") : NULL;
    IconPoint corner[2];
    if (extent && extent->mod && extent_of(extent->mod->value, corner) &&
        corner[0].x < corner[1].x && corner[0].y < corner[1].y)
        memcpy(icon->extent, corner, sizeof corner);
    const SynArg *graphics = syn_mod_find(a->mod, "graphics");
    const SynExpr *list = graphics && graphics->mod ? graphics->mod->value : NULL;
    for (uint32_t k = 0; list && list->kind == SYN_ARRAY && k < list->arg.n; k++)
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
    const SynMod *annotation = i->el->component->annotation;
    const SynArg *placement = syn_mod_find(annotation, "Placement"), *move = NULL;
    if (placement && placement->mod) {
        move = syn_mod_find(placement->mod, "iconTransformation");
        move = move ? move : syn_mod_find(placement->mod, "transformation");
    }
    const SynArg *extent = move ? syn_mod_find(move->mod, "extent") : NULL;
    const SynArg *origin = move ? syn_mod_find(move->mod, "origin") : NULL;
    const SynArg *rotation = move ? syn_mod_find(move->mod, "rotation") : NULL;
    if (!extent || !extent->mod || !extent_of(extent->mod->value, at))
        return false;
    IconPoint about = {0};
    double turn = 0;
    if (origin && origin->mod)
        point_of(origin->mod->value, &about);
    if (rotation && rotation->mod)
        number(rotation->mod->value, &turn);
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
                   .class_name = i->cls->name,
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
