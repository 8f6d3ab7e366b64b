#include "emit/picture/icon.h"

#include "emit/code/quote.h"

#include <math.h>

/* The graphics of MLS 18.6.1 to 18.6.5. A coordinate system's unit is 0.1 mm (18.6.1.1). */
static const double PI = 3.14159265358979323846;
static const double UNITS_PER_MM = 10, UNITS_PER_POINT = 25.4 / 72 * 10;

/* A picture under construction: y grows downwards, from the upper left corner. */
typedef struct Canvas {
    Text *t;
    const Icon *icon;
} Canvas;

static IconPoint on_canvas(const Canvas *c, IconPoint p)
{
    return (IconPoint){p.x - c->icon->extent[0].x, c->icon->extent[1].y - p.y};
}

/* A point of a shape, turned about its origin. */
static IconPoint placed(const Canvas *c, const IconShape *s, IconPoint p)
{
    double angle = s->rotation * PI / 180, cosine = cos(angle), sine = sin(angle);
    return on_canvas(c, (IconPoint){s->origin.x + cosine * p.x - sine * p.y,
                                    s->origin.y + sine * p.x + cosine * p.y});
}

static void put_colour(Text *t, uint32_t colour)
{
    text_printf(t, "#%06x", colour & 0xffffff);
}

static void put_number(Text *t, double x)
{
    text_printf(t, "%.6g", fabs(x) < 1e-9 ? 0 : x);
}

static void put_point(Text *t, const char *before, IconPoint p)
{
    text_put(t, before);
    put_number(t, p.x);
    text_put(t, " ");
    put_number(t, p.y);
}

/* ------------------------------------------------------------------ fills */

static void put_stop(Text *t, const char *where, uint32_t colour)
{
    text_printf(t, "<stop offset=\"%s\" stop-color=\"", where);
    put_colour(t, colour);
    text_put(t, "\"/>");
}

/* Cylinders and spheres: from the line's colour to that of the fill. */
static void put_gradient(Text *t, const IconShape *s, uint32_t id)
{
    bool is_sphere = s->fill_pattern == FILL_SPHERE;
    text_printf(t, "<%s id=\"f%u\"", is_sphere ? "radialGradient" : "linearGradient", id);
    if (s->fill_pattern == FILL_HORIZONTAL_CYLINDER)
        text_put(t, " x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\"");
    text_put(t, ">");
    put_stop(t, "0", is_sphere ? s->fill : s->line);
    if (!is_sphere)
        put_stop(t, "0.5", s->fill);
    put_stop(t, "1", s->line);
    text_printf(t, "</%s>\n", is_sphere ? "radialGradient" : "linearGradient");
}

/* Lines, of the line's colour, on that of the fill. */
static void put_hatching(Text *t, const IconShape *s, uint32_t id)
{
    static const char *const path[FILL_PATTERNS] = {
        [FILL_HORIZONTAL] = "M0 4H8",  [FILL_VERTICAL] = "M4 0V8",
        [FILL_CROSS] = "M0 4H8M4 0V8", [FILL_FORWARD] = "M0 8L8 0",
        [FILL_BACKWARD] = "M0 0L8 8",  [FILL_CROSS_DIAG] = "M0 8L8 0M0 0L8 8"};
    text_printf(t,
                "<pattern id=\"f%u\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
                "<rect width=\"8\" height=\"8\" fill=\"",
                id);
    put_colour(t, s->fill);
    text_printf(t, "\"/><path d=\"%s\" stroke=\"", path[s->fill_pattern]);
    put_colour(t, s->line);
    text_put(t, "\"/></pattern>\n");
}

static void put_style(Text *t, const IconShape *s, uint32_t id)
{
    static const char *const dashes[] = {
        [LINE_DASH] = "4 3", [LINE_DOT] = "1 3", [LINE_DASH_DOT] = "4 3 1 3"};
    double width = fmax(0.1, s->thickness * UNITS_PER_MM);
    text_put(t, " fill=\"");
    if (s->kind == ICON_LINE || s->fill_pattern == FILL_NONE)
        text_put(t, "none");
    else if (s->fill_pattern == FILL_SOLID)
        put_colour(t, s->fill);
    else
        text_printf(t, "url(#f%u)", id);
    text_put(t, "\" stroke=\"");
    if (s->line_pattern == LINE_NONE) {
        text_put(t, "none\"");
        return;
    }
    put_colour(t, s->line);
    text_put(t, "\" stroke-linejoin=\"round\" stroke-width=\"");
    put_number(t, width);
    text_put(t, "\"");
    if (s->line_pattern > LINE_SOLID) {
        text_put(t, " stroke-dasharray=\"");
        for (const char *at = dashes[s->line_pattern]; *at; at++)
            if (*at == ' ')
                text_put(t, " ");
            else
                put_number(t, (*at - '0') * width);
        text_put(t, "\"");
    }
}

/* ------------------------------------------------------------------ shapes */

static IconPoint between(IconPoint a, IconPoint b)
{
    return (IconPoint){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

/* MLS 18.6.5.1: a smooth line is quadratic from the middle of each segment to the next one, the
 * corner in between being the control point; it begins and ends where the points do. A smooth
 * polygon has no ends. */
static void put_path(const Canvas *c, const IconShape *s)
{
    Text *t = c->t;
    const IconPoint *p = s->point;
    uint32_t n = s->n;
    bool closed = s->kind == ICON_POLYGON;
    if (closed && n > 1 && p[0].x == p[n - 1].x && p[0].y == p[n - 1].y)
        n--;
    text_put(t, "<path d=\"");
    if (!s->is_smooth || n < 3) {
        for (uint32_t k = 0; k < n; k++)
            put_point(t, k ? "L" : "M", placed(c, s, p[k]));
    } else {
        put_point(t, "M", placed(c, s, closed ? between(p[n - 1], p[0]) : p[0]));
        if (!closed)
            put_point(t, "L", placed(c, s, between(p[0], p[1])));
        for (uint32_t k = closed ? 0 : 1; k < (closed ? n : n - 1); k++) {
            put_point(t, "Q", placed(c, s, p[k]));
            put_point(t, " ", placed(c, s, between(p[k], p[(k + 1) % n])));
        }
        if (!closed)
            put_point(t, "L", placed(c, s, p[n - 1]));
    }
    text_put(t, closed ? "Z\"" : "\"");
}

/* Corners as written may be any two opposite ones. */
static void put_box(const Canvas *c, const IconShape *s)
{
    Text *t = c->t;
    double x0 = fmin(s->point[0].x, s->point[1].x), x1 = fmax(s->point[0].x, s->point[1].x);
    double y0 = fmin(s->point[0].y, s->point[1].y), y1 = fmax(s->point[0].y, s->point[1].y);
    if (s->radius <= 0) {
        const IconPoint corner[4] = {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
        IconShape box = *s;
        box.kind = ICON_POLYGON;
        box.is_smooth = false;
        box.n = 4;
        box.point = corner;
        put_path(c, &box);
        return;
    }
    IconPoint about = on_canvas(c, s->origin);
    put_point(t, "<rect x=\"0\" y=\"0\" transform=\"translate(", about);
    text_put(t, ") rotate(");
    put_number(t, -s->rotation);
    put_point(t, ") translate(", (IconPoint){x0, -y1});
    text_put(t, ")\" width=\"");
    put_number(t, x1 - x0);
    text_put(t, "\" height=\"");
    put_number(t, y1 - y0);
    text_put(t, "\" rx=\"");
    put_number(t, s->radius);
    text_put(t, "\"");
}

/* Draws a polygon of many sides, so that arcs of rotated ellipses need no case of their own. A part
 * of an ellipse is closed through its middle (MLS 18.6.5.4). */
static void put_ellipse(const Canvas *c, const IconShape *s)
{
    enum { SIDES = 72 };
    IconPoint at[SIDES + 2], middle = between(s->point[0], s->point[1]);
    double a = fabs(s->point[1].x - s->point[0].x) / 2, b = fabs(s->point[1].y - s->point[0].y) / 2;
    double from = s->start_angle * PI / 180, to = s->end_angle * PI / 180;
    bool whole = fabs(s->end_angle - s->start_angle) >= 360;
    for (int k = 0; k <= SIDES; k++) {
        double angle = from + (to - from) * k / SIDES;
        at[k] = (IconPoint){middle.x + a * cos(angle), middle.y + b * sin(angle)};
    }
    at[SIDES + 1] = middle;
    IconShape sides = *s;
    sides.kind = ICON_POLYGON;
    sides.is_smooth = false;
    sides.n = whole ? SIDES : SIDES + 2;
    sides.point = at;
    put_path(c, &sides);
}

/* A text of size 0 is as large as fits: letters are assumed to be 0.65 of their height wide. */
static void put_text(const Canvas *c, const IconShape *s)
{
    static const char *const anchor[] = {"start", "middle", "end"};
    Text *t = c->t;
    IconPoint middle = between(s->point[0], s->point[1]), at = middle;
    double width = fabs(s->point[1].x - s->point[0].x),
           height = fabs(s->point[1].y - s->point[0].y);
    double letters = 0;
    for (const char *l = s->text; *l; l++)
        letters += ((unsigned char)*l & 0xc0) != 0x80;
    double size = s->font_size * UNITS_PER_POINT;
    if (size <= 0)
        size = width > 0 ? fmin(height, width / (0.65 * fmax(1, letters))) : height;
    at.x += s->align * width / 2;
    IconPoint to = placed(c, s, at);
    put_point(t, "<text transform=\"translate(", to);
    text_put(t, ") rotate(");
    put_number(t, -s->rotation);
    text_put(t, ")\" y=\"");
    put_number(t, 0.35 * size);
    text_put(t, "\" font-family=\"sans-serif\" font-size=\"");
    put_number(t, size);
    text_printf(t, "\" text-anchor=\"%s\" fill=\"", anchor[s->align + 1]);
    put_colour(t, s->line);
    text_put(t, "\">");
    text_xml(t, s->text);
    text_put(t, "</text>\n");
}

static void put_shape(const Canvas *c, const IconShape *s, uint32_t id)
{
    if (s->kind == ICON_TEXT) {
        put_text(c, s);
        return;
    }
    if (s->kind != ICON_LINE && s->fill_pattern >= FILL_HORIZONTAL_CYLINDER)
        put_gradient(c->t, s, id);
    else if (s->kind != ICON_LINE && s->fill_pattern > FILL_SOLID)
        put_hatching(c->t, s, id);
    if (s->kind == ICON_RECTANGLE)
        put_box(c, s);
    else if (s->kind == ICON_ELLIPSE)
        put_ellipse(c, s);
    else
        put_path(c, s);
    put_style(c->t, s, id);
    text_put(c->t, "/>\n");
}

Text icon_svg(const Icon *icon, Arena *mem)
{
    Text t = text_new(mem);
    Canvas c = {&t, icon};
    double width = icon->extent[1].x - icon->extent[0].x;
    double height = icon->extent[1].y - icon->extent[0].y;
    text_put(&t, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"");
    put_number(&t, width);
    text_put(&t, "\" height=\"");
    put_number(&t, height);
    text_put(&t, "\" viewBox=\"0 0 ");
    put_number(&t, width);
    text_put(&t, " ");
    put_number(&t, height);
    text_put(&t, "\">\n");
    for (uint32_t k = 0; k < icon->shape.n; k++)
        put_shape(&c, &icon->shape.at[k], k);
    text_put(&t, "</svg>\n");
    return t;
}
