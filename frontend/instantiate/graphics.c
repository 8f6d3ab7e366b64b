#include "frontend/instantiate/graphics.h"

#include <stdlib.h>
#include <string.h>

/* ---- literals ------------------------------------------------------------------------------- */

/* DynamicSelect(literal, expression), MLS 18.6.6. */
static const SynExpr *fixed_part(const SynExpr *x)
{
    return x && x->kind == SYN_CALL && x->arg.n == 2 ? x->arg.at[0] : x;
}

bool graphics_number(const SynExpr *x, double *out)
{
    double part;
    x = fixed_part(x);
    if (!x)
        return false;
    switch (x->kind) {
    case SYN_INTEGER:
    case SYN_REAL:
        *out = strtod(x->text, NULL);
        return true;
    case SYN_UNARY:
        if (x->op == SYN_NOT || !graphics_number(x->arg.at[0], &part))
            return false;
        *out = x->op == SYN_SUB || x->op == SYN_EL_SUB ? -part : part;
        return true;
    case SYN_CHAIN:
        *out = 0;
        for (uint32_t k = 0; k < x->arg.n; k++) {
            if (!graphics_number(x->arg.at[k], &part))
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
    default:
        return false;
    }
}

/* n numbers, {a, b, ...} */
static bool numbers(const SynExpr *x, uint32_t n, double *out)
{
    x = fixed_part(x);
    if (!x || x->kind != SYN_ARRAY || x->arg.n != n)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!graphics_number(x->arg.at[k], &out[k]))
            return false;
    return true;
}

static bool graphics_point(const SynExpr *x, IconPoint *out)
{
    double xy[2];
    if (!numbers(x, 2, xy))
        return false;
    *out = (IconPoint){xy[0], xy[1]};
    return true;
}

bool graphics_extent(const SynExpr *x, IconPoint out[2])
{
    IconPoint a, b;
    x = fixed_part(x);
    if (!x || x->kind != SYN_ARRAY || x->arg.n != 2 || !graphics_point(x->arg.at[0], &a) ||
        !graphics_point(x->arg.at[1], &b))
        return false;
    out[0] = a;
    out[1] = b;
    return true;
}

/* The literal of an enumeration, by its last name; `otherwise` if it is not in the list. */
static int literal(const SynExpr *x, const char *const *list, int n, int otherwise)
{
    x = fixed_part(x);
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

/* ---- arguments ------------------------------------------------------------------------------ */

const SynExpr *graphics_argument(const SynMod *m, const char *name)
{
    const SynArg *a = m ? syn_mod_find(m, name) : NULL;
    return a && a->mod ? a->mod->value : NULL;
}

static const SynMod *part(const SynMod *m, const char *name)
{
    const SynArg *a = m ? syn_mod_find(m, name) : NULL;
    return a ? a->mod : NULL;
}

/* Arguments of a record in a list of graphics, or of a modification. */
typedef struct Arguments {
    const SynExpr *call;
    const SynMod *mod;
} Arguments;

static const SynExpr *named(const Arguments *from, const char *name)
{
    if (!from->call)
        return graphics_argument(from->mod, name);
    for (uint32_t k = 0; k < from->call->n_named; k++)
        if (strcmp(from->call->named[k].name.s, name) == 0)
            return from->call->named[k].value;
    return NULL;
}

const SynExpr *graphics_of_layer(const SynMod *annotation, const char *layer)
{
    const SynExpr *list = graphics_argument(part(annotation, layer), "graphics");
    return list && list->kind == SYN_ARRAY ? list : NULL;
}

bool graphics_system(const SynMod *annotation, const char *layer, IconPoint out[2])
{
    IconPoint corner[2];
    const SynMod *system = part(part(annotation, layer), "coordinateSystem");
    if (!graphics_extent(graphics_argument(system, "extent"), corner) ||
        corner[0].x >= corner[1].x || corner[0].y >= corner[1].y)
        return false;
    memcpy(out, corner, sizeof corner);
    return true;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static bool points_of(const SynExpr *x, Arena *mem, IconShape *s)
{
    x = fixed_part(x);
    if (!x || x->kind != SYN_ARRAY || x->arg.n < 2)
        return false;
    IconPoint *point = arena_array(mem, IconPoint, x->arg.n);
    for (uint32_t k = 0; k < x->arg.n; k++)
        if (!graphics_point(x->arg.at[k], &point[k]))
            return false;
    s->n = x->arg.n;
    s->point = point;
    return true;
}

static bool extent_points(const SynExpr *x, Arena *mem, IconShape *s)
{
    IconPoint *point = arena_array(mem, IconPoint, 2);
    s->n = 2;
    s->point = point;
    return graphics_extent(x, point);
}

static void arrows_of(const Arguments *from, IconShape *s)
{
    static const char *const arrows[] = {"None", "Open", "Filled", "Half"};
    const SynExpr *x = fixed_part(named(from, "arrow"));
    for (uint32_t k = 0; x && x->kind == SYN_ARRAY && k < 2 && k < x->arg.n; k++)
        s->arrow[k] = (IconArrow)literal(x->arg.at[k], arrows, 4, ARROW_NONE);
    s->arrow_size = 3;
    graphics_number(named(from, "arrowSize"), &s->arrow_size);
}

static void closure_of(const Arguments *from, IconShape *s)
{
    static const char *const closures[] = {"None", "Chord", "Radial"};
    double turn = s->end_angle - s->start_angle;
    bool is_whole = turn >= 360 || turn <= -360;
    int closure = literal(named(from, "closure"), closures, 3, is_whole ? 1 : 2);
    s->is_chord = closure == 1;
    s->is_sector = closure == 2;
}

static void text_of(const Arguments *from, IconShape *s)
{
    static const char *const aligned[] = {"Left", "Center", "Right"};
    static const char *const styles[] = {"Bold", "Italic", "UnderLine"};
    const SynExpr *x = fixed_part(named(from, "textString"));
    s->text = x && x->kind == SYN_STRING ? x->text : NULL;
    s->align = literal(named(from, "horizontalAlignment"), aligned, 3, 1) - 1;
    colour(named(from, "textColor"), &s->line);
    const SynExpr *style = fixed_part(named(from, "textStyle"));
    for (uint32_t k = 0; style && style->kind == SYN_ARRAY && k < style->arg.n; k++) {
        int one = literal(style->arg.at[k], styles, 3, -1);
        s->is_bold |= one == 0;
        s->is_italic |= one == 1;
        s->is_underlined |= one == 2;
    }
}

static void picture_of(const Arguments *from, IconShape *s)
{
    const SynExpr *source = fixed_part(named(from, "imageSource"));
    const SynExpr *file = fixed_part(named(from, "fileName"));
    s->is_coded = source && source->kind == SYN_STRING && *source->text;
    const SynExpr *x = s->is_coded ? source : file;
    s->text = x && x->kind == SYN_STRING ? x->text : NULL;
}

static bool shape_of(IconKind kind, const Arguments *from, Arena *mem, IconShape *s)
{
    static const char *const lines[] = {"None", "Solid", "Dash", "Dot", "DashDot", "DashDotDot"};
    static const char *const fills[] = {
        "None",     "Solid",     "Horizontal",         "Vertical",         "Cross", "Forward",
        "Backward", "CrossDiag", "HorizontalCylinder", "VerticalCylinder", "Sphere"};
    static const char *const smooth[] = {"None", "Bezier"};
    bool is_line = kind == ICON_LINE;
    *s = (IconShape){.kind = kind, .line_pattern = LINE_SOLID, .thickness = 0.25, .end_angle = 360};
    graphics_point(named(from, "origin"), &s->origin);
    graphics_number(named(from, "rotation"), &s->rotation);
    graphics_number(named(from, is_line ? "thickness" : "lineThickness"), &s->thickness);
    graphics_number(named(from, "radius"), &s->radius);
    graphics_number(named(from, "startAngle"), &s->start_angle);
    graphics_number(named(from, "endAngle"), &s->end_angle);
    graphics_number(named(from, "fontSize"), &s->font_size);
    colour(named(from, is_line ? "color" : "lineColor"), &s->line);
    colour(named(from, "fillColor"), &s->fill);
    s->line_pattern =
        (IconLine)literal(named(from, "pattern"), lines, sizeof lines / sizeof *lines, LINE_SOLID);
    s->fill_pattern =
        (IconFill)literal(named(from, "fillPattern"), fills, FILL_PATTERNS, FILL_NONE);
    s->is_smooth = literal(named(from, "smooth"), smooth, 2, 0) == 1;
    if (is_line)
        arrows_of(from, s);
    else if (kind == ICON_ELLIPSE)
        closure_of(from, s);
    else if (kind == ICON_TEXT)
        text_of(from, s);
    else if (kind == ICON_BITMAP)
        picture_of(from, s);
    return kind <= ICON_POLYGON ? points_of(named(from, "points"), mem, s)
                                : extent_points(named(from, "extent"), mem, s);
}

bool graphics_shape(const SynExpr *x, Arena *mem, IconShape *out, const SynExpr **visible)
{
    static const char *const kinds[ICON_KINDS] = {"Line",    "Polygon", "Rectangle",
                                                  "Ellipse", "Text",    "Bitmap"};
    if (x->kind != SYN_CALL || x->cref->n != 1)
        return false;
    int kind = 0;
    while (kind < ICON_KINDS && strcmp(x->cref->part[0].name.s, kinds[kind]) != 0)
        kind++;
    Arguments from = {.call = x};
    *visible = named(&from, "visible");
    return kind < ICON_KINDS && shape_of((IconKind)kind, &from, mem, out);
}

bool graphics_line(const SynMod *annotation, Arena *mem, IconShape *out)
{
    Arguments from = {.mod = part(annotation, "Line")};
    return from.mod && shape_of(ICON_LINE, &from, mem, out);
}

bool graphics_place(const SynMod *annotation, bool in_icon, GraphicsPlace *out,
                    const SynExpr **visible)
{
    const SynMod *placement = part(annotation, "Placement");
    const SynMod *move = in_icon ? part(placement, "iconTransformation") : NULL;
    move = move ? move : part(placement, "transformation");
    *out = (GraphicsPlace){0};
    *visible = graphics_argument(placement, in_icon ? "iconVisible" : "visible");
    if (in_icon && !*visible)
        *visible = graphics_argument(placement, "visible");
    if (!graphics_extent(graphics_argument(move, "extent"), out->extent))
        return false;
    graphics_point(graphics_argument(move, "origin"), &out->origin);
    graphics_number(graphics_argument(move, "rotation"), &out->rotation);
    return true;
}
