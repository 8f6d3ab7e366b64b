#include "emit/picture/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Distinguishable also for the colour-blind (Okabe and Ito); the next round is dashed. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#999933"};
enum { COLOURS = sizeof colours / sizeof *colours };

typedef struct Axis {
    bool log;
    double low,
        high; /* of the data, rounded outward to the ticks' grid on request; of log10 if log */
    double step;
    double from, to; /* pixels */
} Axis;

static double pixel(const Axis *a, double v)
{
    v = a->log ? log10(v) : v;
    return a->from + (v - a->low) / (a->high - a->low) * (a->to - a->from);
}

/* Ticks at 1, 2 or 5 times a power of ten, about `want` of them. */
static Axis axis(double low, double high, int want, bool round_out, double from, double to)
{
    if (!(low <= high)) {
        low = 0;
        high = 1;
    }
    if (high - low <= 1e-12 * fmax(fabs(low), fabs(high)) || high == low) {
        double pad = fmax(fabs(low) * 0.1, 1e-3);
        low -= pad;
        high += pad;
    }
    double raw = (high - low) / want, power = pow(10, floor(log10(raw)));
    double share = raw / power;
    double step = power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
    if (round_out) {
        low = floor(low / step + 1e-9) * step;
        high = ceil(high / step - 1e-9) * step;
    }
    return (Axis){false, low, high, step, from, to};
}

/* low and high are logarithms. Whole decades upwards, sideways just the data and a little room. */
static Axis log_axis(double low, double high, bool round_out, double from, double to)
{
    if (!(low <= high)) {
        low = 0;
        high = 1;
    }
    if (round_out) {
        low = floor(low + 1e-9);
        high = ceil(high - 1e-9);
    }
    if (high - low < 0.3) {
        low -= 0.15;
        high += 0.15;
    }
    double pad = round_out ? 0 : 0.02 * (high - low);
    return (Axis){true, low - pad, high + pad, 1, from, to};
}

/* Few characters: 20000, 1e5; on a linear axis as many digits as distinguish the ticks. */
static const char *label(double v, const Axis *a, char *buffer, size_t size)
{
    double largest = a->log ? 0 : fmax(fabs(a->low), fabs(a->high));
    if (!a->log && (largest >= 1e5 || largest < 1e-3)) {
        int digits = (int)ceil(log10(largest / a->step) - 1e-9);
        snprintf(buffer, size, "%.*e", digits < 0 ? 0 : digits > 15 ? 15 : digits, v);
        char *e = strchr(buffer, 'e');
        if (v == 0 || !e)
            return "0";
        long power = strtol(e + 1, NULL, 10);
        // 1.50e+06 becomes 1.5e6
        bool has_point = memchr(buffer, '.', (size_t)(e - buffer));
        while (has_point && e[-1] == '0')
            e--;
        e -= has_point && e[-1] == '.';
        snprintf(e, size - (size_t)(e - buffer), "e%ld", power);
        return buffer;
    }
    if (!a->log) {
        int places = (int)ceil(-log10(a->step) - 1e-9);
        snprintf(buffer, size, "%.*f", places < 0 ? 0 : places > 15 ? 15 : places, v);
        return buffer;
    }
    double power = v != 0 ? floor(log10(fabs(v)) + 1e-9) : 0;
    if (power < 5)
        snprintf(buffer, size, "%.6g", v);
    else
        snprintf(buffer, size, "%.4ge%.0f", v / pow(10, power), power);
    return buffer;
}

static void put_tick(Text *t, const Axis *a, double p, double v, bool horizontal, const Axis *other,
                     bool labelled)
{
    if (horizontal)
        text_printf(t, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", p, other->from, p,
                    other->to);
    else
        text_printf(t, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", other->from, p,
                    other->to, p);
    char text[32];
    if (labelled && horizontal)
        text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>", p,
                    other->from + 18, label(v, a, text, sizeof text));
    else if (labelled)
        text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>", other->from - 8,
                    p + 4, label(v, a, text, sizeof text));
    text_put(t, "\n");
}

/* 1, 2, 5 of each decade; of many decades only the powers of ten. */
static void put_log_ticks(Text *t, const Axis *a, bool horizontal, const Axis *other)
{
    static const int digit[] = {1, 2, 5};
    double decades = a->high - a->low;
    double skip = ceil(decades / 12);
    for (double e = floor(a->low); e <= a->high; e++) {
        for (int k = 0; k < 3; k++) {
            double v = digit[k] * pow(10, e), l = log10(v);
            if (l < a->low - 1e-9 || l > a->high + 1e-9 || (k > 0 && decades > 6) ||
                fmod(e, skip) != 0)
                continue;
            put_tick(t, a, pixel(a, v), v, horizontal, other, k == 0 || decades < 3.5);
        }
    }
}

/* Points that are marked and few have a tick each. */
static bool put_point_ticks(Text *t, const Chart *c, const Axis *h, const Axis *v)
{
    enum { FEW = 12 };
    const ChartCurve *most = c->curve;
    for (uint32_t k = 1; k < c->n; k++)
        most = c->curve[k].n > most->n ? &c->curve[k] : most;
    if (!c->marks || c->n == 0 || most->n > FEW)
        return false;
    double last = -INFINITY;
    for (uint32_t k = 0; k < most->n; k++) {
        double x = most->x[k];
        if (!isfinite(x) || (h->log && x <= 0))
            continue;
        bool room = fabs(pixel(h, x) - last) > 22;
        put_tick(t, h, pixel(h, x), x, true, v, room);
        last = room ? pixel(h, x) : last;
    }
    return true;
}

static void put_ticks(Text *t, const Axis *a, bool horizontal, const Axis *other)
{
    if (a->log) {
        put_log_ticks(t, a, horizontal, other);
        return;
    }
    double first = ceil(a->low / a->step - 1e-9);
    for (int k = 0; k < 100; k++) {
        double v = (first + k) * a->step;
        if (v > a->high + 1e-9 * a->step)
            break;
        if (fabs(v) < 1e-9 * a->step)
            v = 0;
        put_tick(t, a, pixel(a, v), v, horizontal, other, true);
    }
}

static bool drawable(const Axis *h, const Axis *v, double x, double y)
{
    return isfinite(x) && isfinite(y) && !(h->log && x <= 0) && !(v->log && y <= 0);
}

const char *chart_colour(uint32_t k)
{
    return colours[k % COLOURS];
}

/* The colour of the curve at place k. */
static uint32_t colour_of(const ChartCurve *c, uint32_t k)
{
    return c->colour ? c->colour - 1 : k;
}

static const char *dashes(const ChartCurve *c, uint32_t k)
{
    static const char *const pattern[] = {"", " stroke-dasharray=\"6 4\"",
                                          " stroke-dasharray=\"2 3\"",
                                          " stroke-dasharray=\"9 3 2 3\""};
    return pattern[(c->dash + colour_of(c, k) / COLOURS) % 4];
}

static void put_curve(Text *t, const ChartCurve *c, const Axis *h, const Axis *v, uint32_t colour,
                      bool marks)
{
    bool down = false;
    double last_x = 0, last_y = 0;
    text_printf(t, "<path stroke=\"%s\"%s d=\"", colours[colour_of(c, colour) % COLOURS],
                dashes(c, colour));
    for (uint32_t k = 0; k < c->n; k++) {
        if (!drawable(h, v, c->x[k], c->y[k])) {
            down = false;
            continue;
        }
        double px = pixel(h, c->x[k]), py = pixel(v, c->y[k]);
        if (down && k + 1 < c->n && fabs(px - last_x) < 0.4 && fabs(py - last_y) < 0.4)
            continue;
        text_printf(t, "%c%.1f %.1f", down ? 'L' : 'M', px, py);
        down = true;
        last_x = px;
        last_y = py;
    }
    text_put(t, "\"/>\n");
    for (uint32_t k = 0; marks && k < c->n; k++) {
        if (drawable(h, v, c->x[k], c->y[k]))
            text_printf(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>\n",
                        pixel(h, c->x[k]), pixel(v, c->y[k]),
                        colours[colour_of(c, colour) % COLOURS]);
    }
}

/* The range of the finite points; of their logarithms on a logarithmic axis. */
static void range(const Chart *c, bool of_x, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t i = 0; i < c->n; i++) {
        for (uint32_t k = 0; k < c->curve[i].n; k++) {
            double x = c->curve[i].x[k], y = c->curve[i].y[k];
            double v = of_x ? x : y;
            bool log = of_x ? c->log_x : c->log_y;
            if (!isfinite(v) || (!of_x && !isfinite(x)) || (log && v <= 0))
                continue;
            v = log ? log10(v) : v;
            *low = fmin(*low, v);
            *high = fmax(*high, v);
        }
    }
}

static void put_panel(Text *t, const Chart *c, double left, double right, double top, double bottom)
{
    double low_x, high_x, low_y, high_y;
    range(c, true, &low_x, &high_x);
    range(c, false, &low_y, &high_y);
    Axis h = c->log_x ? log_axis(low_x, high_x, false, left, right)
                      : axis(low_x, high_x, 8, false, left, right);
    Axis v = c->log_y ? log_axis(low_y, high_y, true, bottom, top)
                      : axis(low_y, high_y, 6, true, bottom, top);
    if (c->title) {
        text_printf(t, "<text x=\"%.1f\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">",
                    (left + right) / 2);
        text_xml(t, c->title);
        text_put(t, "</text>\n");
    }
    text_put(t, "<g stroke=\"#ddd\" fill=\"#333\" stroke-width=\"1\" class=\"ticks\">\n");
    if (!put_point_ticks(t, c, &h, &v))
        put_ticks(t, &h, true, &v);
    put_ticks(t, &v, false, &h);
    text_put(t, "</g>\n");
    text_printf(t,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                "stroke=\"#333\"/>\n",
                left, top, right - left, bottom - top);
    if (c->x_label) {
        text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", (left + right) / 2,
                    bottom + 38);
        text_xml(t, c->x_label);
        text_put(t, "</text>\n");
    }
    if (c->y_label) {
        text_printf(t,
                    "<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\">",
                    left - 62, (top + bottom) / 2);
        text_xml(t, c->y_label);
        text_put(t, "</text>\n");
    }
    text_put(t, "<g fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\">\n");
    /* the first one on top */
    for (uint32_t k = c->n; k-- > 0;)
        put_curve(t, &c->curve[k], &h, &v, k, c->marks);
    text_put(t, "</g>\n");
}

enum { LINE = 20 }; /* of a legend */

static void put_legend(Text *t, const Chart *c, double left, double top)
{
    for (uint32_t k = 0; k < c->n; k++) {
        double y = top + 12 + (double)LINE * k;
        text_printf(t,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s "
                    "stroke-width=\"3\"/><text x=\"%.1f\" y=\"%.1f\">",
                    left, y, left + 20, y, colours[colour_of(&c->curve[k], k) % COLOURS],
                    dashes(&c->curve[k], k), left + 26, y + 4);
        text_xml(t, c->curve[k].name);
        text_put(t, "</text>\n");
    }
}

static Text begin(uint32_t width, uint32_t height, Arena *mem)
{
    Text t = text_new(mem);
    text_printf(&t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"12\">\n"
                "<style>.ticks text{stroke:none}</style>\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                width, height, width, height);
    return t;
}

/* The right end of the frames, which leaves room for the names of curves, if there is enough. */
static double frames_end(uint32_t width, size_t longest)
{
    enum { MOST = 40 };
    return width - 50 - 7.2 * (double)(longest < MOST ? longest : MOST);
}

/* The height of a panel, at least that of its legend. */
static uint32_t panel_height(const Chart *c, uint32_t height)
{
    return height > LINE * c->n ? height : LINE * c->n;
}

Text chart_column(const Chart *panel, uint32_t n, uint32_t width, uint32_t height, Arena *mem)
{
    enum { LEFT = 92, TOP = 40, BETWEEN = 30, BOTTOM = 48 };
    size_t longest = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < panel[i].n; k++) {
            size_t length = strlen(panel[i].curve[k].name);
            longest = length > longest ? length : longest;
        }
    uint32_t whole = TOP + (n ? n - 1 : 0) * BETWEEN + BOTTOM;
    for (uint32_t i = 0; i < n; i++)
        whole += panel_height(&panel[i], height);
    Text t = begin(width, whole, mem);
    double end = frames_end(width, longest), top = TOP;
    for (uint32_t i = 0; i < n; i++) {
        double bottom = top + panel_height(&panel[i], height);
        put_panel(&t, &panel[i], LEFT, end, top, bottom);
        put_legend(&t, &panel[i], end + 12, top);
        top = bottom + BETWEEN;
    }
    text_put(&t, "</svg>\n");
    return t;
}

Text chart_svg(const Chart *panel, uint32_t n, uint32_t width, uint32_t height, Arena *mem)
{
    enum { LEFT = 70, TOP = 40, BOTTOM = 48, LABEL = 18 };
    size_t longest = 0;
    uint32_t legend = 0; /* the panel with most curves */
    for (uint32_t i = 0; i < n; i++) {
        legend = panel[i].n > panel[legend].n ? i : legend;
        for (uint32_t k = 0; k < panel[i].n; k++) {
            size_t length = strlen(panel[i].curve[k].name);
            longest = length > longest ? length : longest;
        }
    }
    Text t = begin(width, height, mem);
    double end = frames_end(width, longest);
    double each = end / (n ? n : 1);
    for (uint32_t i = 0; i < n; i++) {
        double left = each * i + LEFT + (panel[i].y_label ? LABEL : 0);
        put_panel(&t, &panel[i], left, each * (i + 1) - (i + 1 < n ? 10 : 0), TOP, height - BOTTOM);
    }
    if (n)
        put_legend(&t, &panel[legend], end + 12, TOP);
    text_put(&t, "</svg>\n");
    return t;
}
