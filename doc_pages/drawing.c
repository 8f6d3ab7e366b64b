#include "doc_pages/drawing.h"

#include "emit/code/quote.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;
/* Lines of the default thickness, 0.25 mm, are a pixel wide. */
static const double PIXELS_PER_MM = 4;
/* A coordinate system's unit is 0.1 mm (MLS 18.6.1.1). */
static const double UNITS_PER_POINT = 25.4 / 72 * 10;
static const double ARROW_UNITS_PER_MM = 4;

/* ---- transformations ------------------------------------------------------------------------ */

Affine affine_times(const Affine *p, const Affine *q)
{
    return (Affine){p->a * q->a + p->c * q->b,        p->b * q->a + p->d * q->b,
                    p->a * q->c + p->c * q->d,        p->b * q->c + p->d * q->d,
                    p->a * q->e + p->c * q->f + p->e, p->b * q->e + p->d * q->f + p->f};
}

IconPoint affine_point(const Affine *m, IconPoint p)
{
    return (IconPoint){m->a * p.x + m->c * p.y + m->e, m->b * p.x + m->d * p.y + m->f};
}

static Affine turned(IconPoint origin, double degrees)
{
    double angle = degrees * PI / 180, cosine = cos(angle), sine = sin(angle);
    double quarter = degrees / 90;
    if (quarter == floor(quarter)) { /* without rounding */
        cosine = round(cosine);
        sine = round(sine);
    }
    return (Affine){cosine, sine, -sine, cosine, origin.x, origin.y};
}

static IconPoint between(IconPoint a, IconPoint b)
{
    return (IconPoint){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

Affine affine_of_place(const IconPoint system[2], const IconPoint extent[2], IconPoint origin,
                       double rotation, bool keep_ratio)
{
    double sx = (extent[1].x - extent[0].x) / (system[1].x - system[0].x);
    double sy = (extent[1].y - extent[0].y) / (system[1].y - system[0].y);
    if (keep_ratio) {
        double s = fmin(fabs(sx), fabs(sy));
        sx = copysign(s, sx);
        sy = copysign(s, sy);
    }
    IconPoint from = between(system[0], system[1]), to = between(extent[0], extent[1]);
    Affine scaled = {sx, 0, 0, sy, to.x - sx * from.x, to.y - sy * from.y};
    Affine turn = turned(origin, rotation);
    return affine_times(&turn, &scaled);
}

/* The length of a unit, in the mean of all directions. */
static double scale_of(const Affine *m)
{
    return sqrt(fabs(m->a * m->d - m->b * m->c));
}

/* ---- numbers and points --------------------------------------------------------------------- */

static void put_number(Text *t, double x)
{
    char digits[64];
    double rounded = round(x * 100) / 100;
    snprintf(digits, sizeof digits, "%.8g", fabs(rounded) < 0.005 ? 0 : rounded);
    text_put(t, digits);
}

static void put_colour(Text *t, uint32_t colour)
{
    text_printf(t, "#%06x", colour & 0xffffff);
}

static void surround(Drawing *d, IconPoint p)
{
    if (!isfinite(p.x) || !isfinite(p.y))
        return;
    if (!d->has_shapes)
        d->corner[0] = d->corner[1] = p;
    d->has_shapes = true;
    d->corner[0] = (IconPoint){fmin(d->corner[0].x, p.x), fmin(d->corner[0].y, p.y)};
    d->corner[1] = (IconPoint){fmax(d->corner[1].x, p.x), fmax(d->corner[1].y, p.y)};
}

static void put_point(Drawing *d, const char *before, const Affine *to, IconPoint p)
{
    IconPoint q = affine_point(to, p);
    surround(d, q);
    text_put(&d->out, before);
    put_number(&d->out, q.x);
    text_put(&d->out, " ");
    put_number(&d->out, -q.y);
}

/* ---- fills ---------------------------------------------------------------------------------- */

/* Across a cylinder: from the line's colour to that of the fill and back; of a sphere outwards. */
static void put_gradient(Drawing *d, const IconShape *s, const Affine *to, uint32_t id)
{
    Text *t = &d->out;
    IconPoint low = s->point[0], high = s->point[0];
    for (uint32_t k = 1; k < s->n; k++) {
        low = (IconPoint){fmin(low.x, s->point[k].x), fmin(low.y, s->point[k].y)};
        high = (IconPoint){fmax(high.x, s->point[k].x), fmax(high.y, s->point[k].y)};
    }
    bool is_sphere = s->fill_pattern == FILL_SPHERE;
    const char *element = is_sphere ? "radialGradient" : "linearGradient";
    text_printf(t, "<%s id=\"f%u\"", element, id);
    if (!is_sphere) {
        bool is_horizontal = s->fill_pattern == FILL_HORIZONTAL_CYLINDER;
        IconPoint end[2] = {low, high};
        if (is_horizontal)
            end[0].x = end[1].x = (low.x + high.x) / 2;
        else
            end[0].y = end[1].y = (low.y + high.y) / 2;
        text_put(t, " gradientUnits=\"userSpaceOnUse\"");
        for (int k = 0; k < 2; k++) {
            IconPoint p = affine_point(to, end[k]);
            text_printf(t, " x%d=\"", k + 1);
            put_number(t, p.x);
            text_printf(t, "\" y%d=\"", k + 1);
            put_number(t, -p.y);
            text_put(t, "\"");
        }
    }
    text_put(t, "><stop offset=\"0\" stop-color=\"");
    put_colour(t, is_sphere ? s->fill : s->line);
    if (!is_sphere) {
        text_put(t, "\"/><stop offset=\"0.5\" stop-color=\"");
        put_colour(t, s->fill);
    }
    text_put(t, "\"/><stop offset=\"1\" stop-color=\"");
    put_colour(t, s->line);
    text_printf(t, "\"/></%s>\n", element);
}

/* Lines, of the line's colour, on that of the fill. */
static void put_hatching(Drawing *d, const IconShape *s, const Affine *to, uint32_t id)
{
    static const char *const path[FILL_PATTERNS] = {
        [FILL_HORIZONTAL] = "M0 4H8",  [FILL_VERTICAL] = "M4 0V8",
        [FILL_CROSS] = "M0 4H8M4 0V8", [FILL_FORWARD] = "M0 8L8 0",
        [FILL_BACKWARD] = "M0 0L8 8",  [FILL_CROSS_DIAG] = "M0 8L8 0M0 0L8 8"};
    Text *t = &d->out;
    text_printf(t,
                "<pattern id=\"f%u\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\""
                " patternTransform=\"scale(",
                id);
    put_number(t, scale_of(to));
    text_put(t, ")\"><path d=\"M0 0H8V8H0Z\" fill=\"");
    put_colour(t, s->fill);
    text_printf(t, "\"/><path d=\"%s\" stroke=\"", path[s->fill_pattern]);
    put_colour(t, s->line);
    text_put(t, "\"/></pattern>\n");
}

static bool is_filled(const IconShape *s)
{
    return s->kind != ICON_LINE && s->fill_pattern != FILL_NONE;
}

/* Definitions that the style refers to; 0: none. */
static uint32_t put_fill(Drawing *d, const IconShape *s, const Affine *to)
{
    if (!is_filled(s) || s->fill_pattern == FILL_SOLID)
        return 0;
    uint32_t id = ++d->n_ids;
    if (s->fill_pattern >= FILL_HORIZONTAL_CYLINDER)
        put_gradient(d, s, to, id);
    else
        put_hatching(d, s, to, id);
    return id;
}

static void put_style(Drawing *d, const IconShape *s, uint32_t id)
{
    static const char *const dashes[] = {[LINE_DASH] = "5 3",
                                         [LINE_DOT] = "1 2",
                                         [LINE_DASH_DOT] = "5 3 1 3",
                                         [LINE_DASH_DOT_DOT] = "5 3 1 3 1 3"};
    Text *t = &d->out;
    double width = fmax(0.5, s->thickness * PIXELS_PER_MM);
    text_put(t, " fill=\"");
    if (!is_filled(s))
        text_put(t, "none");
    else if (id == 0)
        put_colour(t, s->fill);
    else
        text_printf(t, "url(#f%u)", id);
    if (s->line_pattern == LINE_NONE) {
        text_put(t, "\"");
        return;
    }
    text_put(t, "\" stroke=\"");
    put_colour(t, s->line);
    text_put(t, "\"");
    if (width != 1) {
        text_put(t, " stroke-width=\"");
        put_number(t, width);
        text_put(t, "\"");
    }
    if (s->line_pattern > LINE_SOLID)
        text_printf(t, " stroke-dasharray=\"%s\"", dashes[s->line_pattern]);
}

/* ---- shapes --------------------------------------------------------------------------------- */

/* MLS 18.6.5.1: a smooth line is quadratic from the middle of each segment to the next one, the
 * corner in between being the control point; it begins and ends where the points do. A smooth
 * polygon has no ends. */
static void put_line(Drawing *d, const IconShape *s, const Affine *to)
{
    Text *t = &d->out;
    const IconPoint *p = s->point;
    uint32_t n = s->n;
    bool closed = s->kind == ICON_POLYGON;
    if (closed && n > 1 && p[0].x == p[n - 1].x && p[0].y == p[n - 1].y)
        n--;
    text_put(t, "<path d=\"");
    if (!s->is_smooth || n < 3) {
        for (uint32_t k = 0; k < n; k++)
            put_point(d, k ? "L" : "M", to, p[k]);
    } else {
        put_point(d, "M", to, closed ? between(p[n - 1], p[0]) : p[0]);
        if (!closed)
            put_point(d, "L", to, between(p[0], p[1]));
        for (uint32_t k = closed ? 0 : 1; k < (closed ? n : n - 1); k++) {
            put_point(d, "Q", to, p[k]);
            put_point(d, " ", to, between(p[k], p[(k + 1) % n]));
        }
        if (!closed)
            put_point(d, "L", to, p[n - 1]);
    }
    text_put(t, closed ? "Z\"" : "\"");
}

/* Corners as written may be any two opposite ones. */
static void corners_of(const IconShape *s, IconPoint *low, IconPoint *high)
{
    *low = (IconPoint){fmin(s->point[0].x, s->point[1].x), fmin(s->point[0].y, s->point[1].y)};
    *high = (IconPoint){fmax(s->point[0].x, s->point[1].x), fmax(s->point[0].y, s->point[1].y)};
}

/* An elliptic arc as cubic curves of at most a quarter, which are within 3e-4 of it; the first
 * point with `before`. */
static void put_arc(Drawing *d, const Affine *to, IconPoint middle, double a, double b, double from,
                    double until, const char *before)
{
    int n = (int)ceil(fabs(until - from) / (PI / 2) - 1e-9);
    n = n < 1 ? 1 : n;
    double step = (until - from) / n, k = 4.0 / 3 * tan(step / 4);
    for (int i = 0; i <= n; i++) {
        double angle = from + i * step, c = cos(angle), s = sin(angle);
        IconPoint at = {middle.x + a * c, middle.y + b * s};
        if (i == 0) {
            put_point(d, before, to, at);
        } else {
            double c0 = cos(angle - step), s0 = sin(angle - step);
            put_point(d, "C", to,
                      (IconPoint){middle.x + a * (c0 - k * s0), middle.y + b * (s0 + k * c0)});
            put_point(d, " ", to, (IconPoint){at.x + a * k * s, at.y - b * k * c});
            put_point(d, " ", to, at);
        }
    }
}

static void put_box(Drawing *d, const IconShape *s, const Affine *to)
{
    IconPoint low, high;
    corners_of(s, &low, &high);
    double r = fmin(s->radius, fmin(high.x - low.x, high.y - low.y) / 2);
    text_put(&d->out, "<path d=\"");
    const IconPoint corner[4] = {
        {low.x, low.y}, {high.x, low.y}, {high.x, high.y}, {low.x, high.y}};
    for (int k = 0; k < 4; k++) {
        const char *before = k ? "L" : "M";
        IconPoint middle = {corner[k].x + (k == 0 || k == 3 ? r : -r),
                            corner[k].y + (k < 2 ? r : -r)};
        if (r > 0)
            put_arc(d, to, middle, r, r, PI + k * PI / 2, PI * 1.5 + k * PI / 2, before);
        else
            put_point(d, before, to, corner[k]);
    }
    text_put(&d->out, "Z\"");
}

static void put_ellipse(Drawing *d, const IconShape *s, const Affine *to)
{
    IconPoint low, high;
    corners_of(s, &low, &high);
    IconPoint middle = between(low, high);
    double turn = s->end_angle - s->start_angle;
    bool is_whole = fabs(turn) >= 360;
    double from = s->start_angle * PI / 180, until = from + (is_whole ? 2 * PI : turn * PI / 180);
    text_put(&d->out, "<path d=\"");
    if (s->is_sector && !is_whole)
        put_point(d, "M", to, middle);
    put_arc(d, to, middle, (high.x - low.x) / 2, (high.y - low.y) / 2, from, until,
            s->is_sector && !is_whole ? "L" : "M");
    text_put(&d->out, is_whole || s->is_sector || s->is_chord ? "Z\"" : "\"");
}

/* An arrow's tip at `at`, coming from `back`. */
static void put_arrow(Drawing *d, const IconShape *s, IconArrow kind, IconPoint at, IconPoint back,
                      const Affine *to)
{
    double dx = back.x - at.x, dy = back.y - at.y, length = hypot(dx, dy);
    if (kind == ARROW_NONE || length == 0)
        return;
    double size = s->arrow_size * ARROW_UNITS_PER_MM;
    dx *= size / length;
    dy *= size / length;
    IconPoint left = {at.x + dx - dy / 3, at.y + dy + dx / 3};
    IconPoint right = {at.x + dx + dy / 3, at.y + dy - dx / 3};
    IconShape tip = *s;
    tip.line_pattern = LINE_SOLID;
    tip.fill = s->line;
    text_put(&d->out, "<path d=\"");
    put_point(d, "M", to, left);
    put_point(d, "L", to, at);
    if (kind != ARROW_HALF)
        put_point(d, "L", to, right);
    text_put(&d->out, kind == ARROW_FILLED ? "Z\"" : "\"");
    tip.kind = kind == ARROW_FILLED ? ICON_POLYGON : ICON_LINE;
    tip.fill_pattern = FILL_SOLID;
    put_style(d, &tip, 0);
    text_put(&d->out, "/>\n");
}

/* Texts are upright and not mirrored, wherever their component is turned. A text of size 0 is as
 * large as fits: letters are assumed to be 0.55 of their height wide. */
static void put_text(Drawing *d, const IconShape *s, const char *text, const Affine *to)
{
    static const char *const anchor[] = {"start", "middle", "end"};
    Text *t = &d->out;
    IconPoint low, high;
    corners_of(s, &low, &high);
    IconPoint middle = affine_point(to, between(low, high));
    double width = (high.x - low.x) * hypot(to->a, to->b);
    double height = (high.y - low.y) * hypot(to->c, to->d);
    double angle = atan2(to->b, to->a), letters = 0;
    if (angle > PI / 2 + 1e-6 || angle <= -PI / 2 - 1e-6)
        angle += angle > 0 ? -PI : PI;
    for (const char *l = text; *l; l++)
        letters += ((unsigned char)*l & 0xc0) != 0x80;
    double fits = width > 0 ? fmin(height, width / (0.55 * fmax(1, letters))) : height;
    double size = s->font_size > 0 ? s->font_size * UNITS_PER_POINT * scale_of(to) : fits;
    if (size <= 0 || letters == 0)
        return;
    double aside = s->align * width / 2;
    IconPoint at = {middle.x + cos(angle) * aside, middle.y + sin(angle) * aside};
    double half = fmin(0.55 * size * letters, fmax(width, size)) / 2;
    surround(d, (IconPoint){middle.x - fabs(cos(angle)) * half - fabs(sin(angle)) * size / 2,
                            middle.y - fabs(sin(angle)) * half - fabs(cos(angle)) * size / 2});
    surround(d, (IconPoint){middle.x + fabs(cos(angle)) * half + fabs(sin(angle)) * size / 2,
                            middle.y + fabs(sin(angle)) * half + fabs(cos(angle)) * size / 2});
    text_put(t, "<text transform=\"translate(");
    put_number(t, at.x);
    text_put(t, " ");
    put_number(t, -at.y);
    text_put(t, ")");
    if (fabs(angle) > 1e-6) {
        text_put(t, " rotate(");
        put_number(t, -angle * 180 / PI);
        text_put(t, ")");
    }
    text_put(t, "\" y=\"");
    put_number(t, 0.36 * size);
    text_put(t, "\" font-size=\"");
    put_number(t, size);
    text_printf(t, "\" text-anchor=\"%s\" fill=\"", anchor[s->align + 1]);
    put_colour(t, s->line);
    text_put(t, "\"");
    if (s->is_bold)
        text_put(t, " font-weight=\"bold\"");
    if (s->is_italic)
        text_put(t, " font-style=\"italic\"");
    if (s->is_underlined)
        text_put(t, " text-decoration=\"underline\"");
    text_put(t, ">");
    text_xml(t, text);
    text_put(t, "</text>\n");
}

/* A bitmap lies in a box of y downwards, which the matrix takes to its place. */
static void put_bitmap(Drawing *d, const IconShape *s, const char *url, const Affine *to)
{
    Text *t = &d->out;
    IconPoint low, high;
    corners_of(s, &low, &high);
    double m[6] = {to->a, -to->b, -to->c, to->d, to->e, -to->f};
    surround(d, affine_point(to, low));
    surround(d, affine_point(to, high));
    text_put(t, "<image transform=\"matrix(");
    for (int k = 0; k < 6; k++) {
        text_put(t, k ? " " : "");
        text_printf(t, "%.6g", m[k] == 0 ? 0 : m[k]);
    }
    text_put(t, ")\" x=\"");
    put_number(t, low.x);
    text_put(t, "\" y=\"");
    put_number(t, -high.y);
    text_put(t, "\" width=\"");
    put_number(t, high.x - low.x);
    text_put(t, "\" height=\"");
    put_number(t, high.y - low.y);
    text_put(t, "\" href=\"");
    text_xml(t, url);
    text_put(t, "\"/>\n");
}

Drawing drawing_new(Arena *mem)
{
    Drawing d = {.mem = mem, .out = text_new(mem)};
    text_put(&d.out, "");
    return d;
}

void drawing_shape(Drawing *d, const IconShape *s, const char *text, const Affine *to)
{
    Affine own = turned(s->origin, s->rotation);
    Affine m = affine_times(to, &own);
    if (s->kind == ICON_TEXT || s->kind == ICON_BITMAP) {
        if (text && s->kind == ICON_TEXT)
            put_text(d, s, text, &m);
        else if (text)
            put_bitmap(d, s, text, &m);
        return;
    }
    if (s->line_pattern == LINE_NONE && !is_filled(s))
        return;
    uint32_t id = put_fill(d, s, &m);
    if (s->kind == ICON_RECTANGLE)
        put_box(d, s, &m);
    else if (s->kind == ICON_ELLIPSE)
        put_ellipse(d, s, &m);
    else
        put_line(d, s, &m);
    put_style(d, s, id);
    text_put(&d->out, "/>\n");
    if (s->kind == ICON_LINE) {
        put_arrow(d, s, s->arrow[0], s->point[0], s->point[1], &m);
        put_arrow(d, s, s->arrow[1], s->point[s->n - 1], s->point[s->n - 2], &m);
    }
}

void drawing_svg(const Drawing *d, const IconPoint extent[2], bool is_file, const char *label,
                 Text *out)
{
    static const double margin = 2;
    IconPoint low = extent[0], high = extent[1];
    if (d->has_shapes) {
        low = (IconPoint){fmin(low.x, d->corner[0].x), fmin(low.y, d->corner[0].y)};
        high = (IconPoint){fmax(high.x, d->corner[1].x), fmax(high.y, d->corner[1].y)};
    }
    double width = high.x - low.x + 2 * margin, height = high.y - low.y + 2 * margin;
    text_put(out, "<svg");
    if (is_file)
        text_put(out, " xmlns=\"http://www.w3.org/2000/svg\"");
    text_put(out, " viewBox=\"");
    put_number(out, low.x - margin);
    text_put(out, " ");
    put_number(out, -high.y - margin);
    text_put(out, " ");
    put_number(out, width);
    text_put(out, " ");
    put_number(out, height);
    text_put(out, "\" width=\"");
    put_number(out, is_file ? width : 3 * width);
    text_put(out, "\" height=\"");
    put_number(out, is_file ? height : 3 * height);
    text_put(out, "\" role=\"img\" aria-label=\"");
    text_xml(out, label);
    text_put(out, "\" font-family=\"sans-serif\" stroke-linejoin=\"round\">\n");
    if (is_file)
        text_put(out,
                 "<style>path:not([stroke-width]){vector-effect:non-scaling-stroke}</style>\n");
    text_put_n(out, d->out.at, d->out.n);
    text_put(out, "</svg>\n");
}
