#include "doc_pages/layer.h"

#include "emit/code/quote.h"
#include "frontend/instantiate/graphics.h"
#include "frontend/syntax/syntax_print.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 6 }; /* of icons in icons */

static const char *const layer_names[] = {"Diagram", "Icon"};

typedef struct Layer {
    const LayerContext *context;
    Drawing drawing;
    int depth;
    bool has_content; /* graphics of its own, a component that is no connector, a connection */
} Layer;

/* The class or component whose graphics are drawn. */
typedef struct Shown {
    const Outline *outline;
    const OutlineComponent *component; /* NULL: the class by itself */
} Shown;

/* A component of an outline or its bases by its name; NULL: none. */
static const OutlineComponent *outline_component(const Outline *o, const char *name)
{
    for (uint32_t k = 0; k < o->n_components; k++)
        if (strcmp(o->component[k].syn->name.s, name) == 0)
            return &o->component[k];
    const OutlineComponent *c = NULL;
    for (uint32_t k = 0; k < o->n_bases && !c; k++)
        c = outline_component(o->base[k].outline, name);
    return c;
}

/* ---- values --------------------------------------------------------------------------------- */

/* Of a parameter: from the declaration of the component that is shown, else its default. */
static const SynExpr *value_of(const Shown *shown, const char *name)
{
    const SynExpr *x =
        shown->component ? graphics_argument(shown->component->syn->mod, name) : NULL;
    const OutlineComponent *c = x ? NULL : outline_component(shown->outline, name);
    return c ? c->value : x;
}

typedef enum Known { KNOWN_FALSE, KNOWN_TRUE, NOT_KNOWN } Known;

static const char *last_name(const SynExpr *x)
{
    return x && x->kind == SYN_CREF ? x->cref->part[x->cref->n - 1].name.s : NULL;
}

/* Conditions of literals, Boolean and enumeration parameters. */
static Known truth(const Shown *shown, const SynExpr *x, int depth)
{
    if (!x || depth > 20)
        return NOT_KNOWN;
    if (x->kind == SYN_BOOLEAN)
        return x->truth ? KNOWN_TRUE : KNOWN_FALSE;
    if (x->kind == SYN_UNARY && x->op == SYN_NOT) {
        Known inside = truth(shown, x->arg.at[0], depth + 1);
        return inside == NOT_KNOWN ? NOT_KNOWN : inside == KNOWN_TRUE ? KNOWN_FALSE : KNOWN_TRUE;
    }
    if (x->kind == SYN_CHAIN && (x->ops[1] == SYN_AND || x->ops[1] == SYN_OR)) {
        Known decides = x->ops[1] == SYN_AND ? KNOWN_FALSE : KNOWN_TRUE;
        Known all = decides == KNOWN_TRUE ? KNOWN_FALSE : KNOWN_TRUE;
        for (uint32_t k = 0; k < x->arg.n; k++) {
            Known part = truth(shown, x->arg.at[k], depth + 1);
            if (part == decides)
                return decides;
            all = part == NOT_KNOWN ? NOT_KNOWN : all;
        }
        return all;
    }
    if (x->kind == SYN_BINARY && (x->op == SYN_EQ || x->op == SYN_NE)) {
        const SynExpr *side[2] = {x->arg.at[0], x->arg.at[1]};
        for (int k = 0; k < 2; k++)
            if (side[k]->kind == SYN_CREF && side[k]->cref->n == 1)
                side[k] = value_of(shown, last_name(side[k]));
        const char *a = last_name(side[0]), *b = last_name(side[1]);
        bool is_dotted = a && b && side[0]->cref->n > 1 && side[1]->cref->n > 1;
        return !is_dotted                                 ? NOT_KNOWN
               : (strcmp(a, b) == 0) == (x->op == SYN_EQ) ? KNOWN_TRUE
                                                          : KNOWN_FALSE;
    }
    if (x->kind == SYN_CREF && x->cref->n == 1)
        return truth(shown, value_of(shown, last_name(x)), depth + 1);
    if (x->kind == SYN_CALL && x->arg.n == 2) /* DynamicSelect */
        return truth(shown, x->arg.at[0], depth + 1);
    return NOT_KNOWN;
}

static bool is_identifier(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A value in a text: a literal of an enumeration by its last name, a number with its unit; without
 * one the name. */
static void put_value(const Layer *l, const Shown *shown, const char *name, Text *out)
{
    const SynExpr *x = value_of(shown, name);
    const OutlineComponent *c = outline_component(shown->outline, name);
    if (!x || !c) {
        text_put(out, name);
        return;
    }
    double number;
    if (x->kind == SYN_STRING)
        text_put(out, x->text);
    else if (last_name(x) && x->cref->n > 2)
        text_put(out, last_name(x));
    else
        text_put(out, syn_expr_text(l->context->mem, x));
    if (graphics_number(x, &number) && c->unit && c->unit->kind == SYN_STRING &&
        strcmp(c->unit->text, "1") != 0 && *c->unit->text)
        text_printf(out, " %s", c->unit->text);
}

/* %name, %class, %parameter and %{parameter}, %% (MLS 18.6.5.5). NULL: it is about a component or
 * the value of its parameter, and there is none. */
static const char *text_of(const Layer *l, const Shown *shown, const char *s)
{
    Text t = text_new(l->context->mem);
    text_put(&t, "");
    while (*s) {
        if (*s != '%') {
            text_put_n(&t, s++, 1);
            continue;
        }
        bool in_braces = s[1] == '{';
        const char *name = s + (in_braces ? 2 : 1);
        size_t n = in_braces ? strcspn(name, "}") : 0;
        while (!in_braces && is_identifier(name[n]))
            n++;
        const char *word = arena_copy(l->context->mem, name, n);
        if (n == 0)
            text_put(&t, "%");
        else if (strcmp(word, "class") == 0)
            text_put(&t, shown->outline->syn->name.s);
        else if (!shown->component)
            return NULL;
        else if (strcmp(word, "name") == 0)
            text_put(&t, shown->component->syn->name.s);
        else
            put_value(l, shown, word, &t);
        s = name + n + (in_braces && name[n] ? 1 : n == 0 && *name == '%' ? 1 : 0);
    }
    return t.at;
}

/* ---- coordinate systems --------------------------------------------------------------------- */

/* The class's own, else that of its first base that has one (MLS 18.6.1.1). */
static bool find_system(const Outline *o, int layer, IconPoint out[2], bool *keep_ratio)
{
    if (!o->syn)
        return false;
    if (graphics_system(o->syn->annotation, layer_names[layer], out)) {
        const SynArg *a = syn_mod_find(o->syn->annotation, layer_names[layer]);
        const SynArg *system = syn_mod_find(a->mod, "coordinateSystem");
        const SynExpr *keep = graphics_argument(system->mod, "preserveAspectRatio");
        *keep_ratio = !keep || keep->kind != SYN_BOOLEAN || keep->truth;
        return true;
    }
    for (uint32_t k = 0; k < o->n_bases; k++)
        if (find_system(o->base[k].outline, layer, out, keep_ratio))
            return true;
    return false;
}

static bool system_of(const Outline *o, int layer, IconPoint out[2])
{
    bool keep_ratio = true;
    out[0] = (IconPoint){-100, -100};
    out[1] = (IconPoint){100, 100};
    find_system(o, layer, out, &keep_ratio);
    return keep_ratio;
}

/* ---- graphics of a class and its bases ------------------------------------------------------ */

/* IconMap(extent, primitivesVisible) of an extends clause (MLS 18.6.3). */
static Affine map_of_base(const OutlineBase *b, int layer, const Affine *to, bool *is_visible)
{
    static const char *const maps[] = {"DiagramMap", "IconMap"};
    const SynMod *annotation = b->clause ? b->clause->annotation : NULL;
    const SynArg *map = syn_mod_find(annotation, maps[layer]);
    const SynExpr *visible = map ? graphics_argument(map->mod, "primitivesVisible") : NULL;
    IconPoint extent[2], system[2];
    *is_visible = !visible || visible->kind != SYN_BOOLEAN || visible->truth;
    if (!map || !graphics_extent(graphics_argument(map->mod, "extent"), extent) ||
        extent[0].x == extent[1].x || extent[0].y == extent[1].y)
        return *to;
    bool keep_ratio = system_of(b->outline, layer, system);
    Affine inner = affine_of_place(system, extent, (IconPoint){0}, 0, keep_ratio);
    return affine_times(to, &inner);
}

static void draw_graphics(Layer *l, const Outline *o, const Shown *shown, int layer,
                          const Affine *to)
{
    for (uint32_t k = 0; k < o->n_bases; k++) {
        bool is_visible;
        Affine inner = map_of_base(&o->base[k], layer, to, &is_visible);
        if (is_visible)
            draw_graphics(l, o->base[k].outline, shown, layer, &inner);
    }
    const SynExpr *list = o->syn ? graphics_of_layer(o->syn->annotation, layer_names[layer]) : NULL;
    for (uint32_t k = 0; list && k < list->arg.n; k++) {
        IconShape s;
        const SynExpr *visible;
        const LayerContext *c = l->context;
        if (!graphics_shape(list->arg.at[k], c->mem, &s, &visible) ||
            (visible && truth(shown, visible, 0) == KNOWN_FALSE))
            continue;
        const char *text = s.kind == ICON_TEXT && s.text     ? text_of(l, shown, s.text)
                           : s.kind == ICON_BITMAP && s.text ? c->bitmap(c->self, o->syn, &s)
                                                             : NULL;
        drawing_shape(&l->drawing, &s, text, to);
        l->has_content |= l->depth == 0;
    }
}

static bool has_graphics(const Outline *o, int layer)
{
    if (o->syn && graphics_of_layer(o->syn->annotation, layer_names[layer]))
        return true;
    for (uint32_t k = 0; k < o->n_bases; k++)
        if (has_graphics(o->base[k].outline, layer))
            return true;
    return false;
}

/* ---- components ----------------------------------------------------------------------------- */

static void draw_components(Layer *l, const Outline *o, const Shown *shown, int layer,
                            const Affine *to);

static void begin_link(Layer *l, const OutlineComponent *c)
{
    const char *link = l->context->link(l->context->self, c->type_syn);
    Text *t = &l->drawing.out;
    if (link)
        text_printf(t, "<a href=\"%s\">", link);
    else
        text_put(t, "<g>");
    text_put(t, "<title>");
    text_xml(t, arena_printf(l->context->mem, "%s: %s%s%s", c->syn->name.s, c->type_name,
                             c->syn->comment ? "\n" : "", c->syn->comment ? c->syn->comment : ""));
    text_put(t, "</title>\n");
}

/* in_diagram: of the class whose page it is. */
static void draw_component(Layer *l, const OutlineComponent *c, const Shown *around, int layer,
                           bool in_diagram, const Affine *to)
{
    GraphicsPlace place;
    const SynExpr *visible;
    if (!c->type || (layer == 1 && (!c->is_connector || c->element->is_protected)) ||
        !graphics_place(c->syn->annotation, layer == 1, &place, &visible) ||
        truth(around, visible, 0) == KNOWN_FALSE ||
        (around->component && truth(around, c->syn->condition, 0) == KNOWN_FALSE))
        return;
    const Outline *type = l->context->outline(l->context->self, c);
    if (!type || !type->syn || place.extent[0].x == place.extent[1].x ||
        place.extent[0].y == place.extent[1].y)
        return;
    /* connectors show their diagram in a diagram, if they have one (MLS 18.6) */
    int inner = layer == 0 && c->is_connector && has_graphics(type, 0) ? 0 : 1;
    IconPoint system[2];
    bool keep_ratio = system_of(type, inner, system);
    Affine own = affine_of_place(system, place.extent, place.origin, place.rotation, keep_ratio);
    Affine m = affine_times(to, &own);
    Shown shown = {type, c};
    if (in_diagram)
        begin_link(l, c);
    l->depth++;
    l->has_content |= !c->is_connector;
    draw_graphics(l, type, &shown, inner, &m);
    if (l->depth < DEPTH_MAX)
        draw_components(l, type, &shown, 1, &m);
    l->depth--;
    if (in_diagram)
        text_put(&l->drawing.out,
                 l->context->link(l->context->self, c->type_syn) ? "</a>\n" : "</g>\n");
}

static void draw_components(Layer *l, const Outline *o, const Shown *shown, int layer,
                            const Affine *to)
{
    for (uint32_t k = 0; k < o->n_bases; k++)
        draw_components(l, o->base[k].outline, shown, layer, to);
    bool in_diagram = layer == 0 && l->depth == 0;
    for (uint32_t k = 0; k < o->n_components; k++)
        draw_component(l, &o->component[k], shown, layer, in_diagram, to);
}

/* ---- connections ---------------------------------------------------------------------------- */

static void draw_connections_in(Layer *l, const SynEquations *list)
{
    for (uint32_t k = 0; k < list->n; k++) {
        const SynEquation *x = list->at[k];
        IconShape s;
        if (x->kind == SYN_EQ_CONNECT && graphics_line(x->annotation, l->context->mem, &s)) {
            drawing_shape(&l->drawing, &s, NULL, &AFFINE_IDENTITY);
            l->has_content = true;
        } else if (x->kind == SYN_EQ_FOR) {
            draw_connections_in(l, &x->body);
        }
        for (uint32_t b = 0; (x->kind == SYN_EQ_IF || x->kind == SYN_EQ_WHEN) && b < x->n_branches;
             b++)
            draw_connections_in(l, &x->branch[b].body);
    }
}

static void draw_connections(Layer *l, const Outline *o)
{
    for (uint32_t k = 0; k < o->n_bases; k++)
        draw_connections(l, o->base[k].outline);
    for (uint32_t k = 0; o->syn && k < o->syn->n_sections; k++)
        if (!o->syn->section[k].algorithm)
            draw_connections_in(l, &o->syn->section[k].equations);
}

static bool draw(const LayerContext *context, const Outline *o, int layer, Text *svg)
{
    Layer l = {.context = context, .drawing = drawing_new(context->mem)};
    Shown shown = {.outline = o};
    IconPoint system[2];
    if (!o->syn)
        return false;
    system_of(o, layer, system);
    draw_graphics(&l, o, &shown, layer, &AFFINE_IDENTITY);
    draw_components(&l, o, &shown, layer, &AFFINE_IDENTITY);
    if (layer == 0)
        draw_connections(&l, o);
    if (!l.drawing.has_shapes || (layer == 0 && !l.has_content))
        return false;
    const IconPoint *view =
        layer == 1 ? system : l.drawing.corner; /* a diagram without its empty rim */
    drawing_svg(&l.drawing, view, layer == 1,
                arena_printf(context->mem, "%s of %s", layer == 1 ? "icon" : "diagram", o->name),
                svg);
    return true;
}

bool layer_icon(const LayerContext *l, const Outline *o, Text *svg)
{
    return draw(l, o, 1, svg);
}

bool layer_diagram(const LayerContext *l, const Outline *o, Text *svg)
{
    return draw(l, o, 0, svg);
}
