#include "emit/plot.h"
#include "base/vec.h"
#include "emit/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Curve {
    const char *name;
    uint32_t column;
    VEC(double) y;
} Curve;

typedef struct Data {
    Arena *mem;
    VEC(const char *) name; /* of all columns */
    VEC(double) x;
    Curve *curve;
    uint32_t n;
} Data;

/* ------------------------------------------------------------------ reading */

/* One field, RFC 4180; *at moves behind it and its comma. The text is changed in place. */
static char *field(char **at)
{
    char *s = *at, *out = s, *begin = s;
    if (*s == '"') {
        for (s++; *s && !(s[0] == '"' && s[1] != '"'); s++) {
            s += *s == '"';
            *out++ = *s;
        }
        s += *s == '"';
    } else {
        while (*s && *s != ',' && *s != '\n' && *s != '\r')
            *out++ = *s++;
    }
    bool more = *s == ',';
    *out = 0;
    *at = more ? s + 1 : NULL;
    return begin;
}

static bool read_header(Data *d, char *line)
{
    size_t n = strlen(line);
    while (n && (line[n - 1] == '\n' || line[n - 1] == '\r'))
        line[--n] = 0;
    for (char *at = line; at;) {
        char *f = field(&at);
        const char *name = arena_copy(d->mem, f, strlen(f));
        vec_push(d->mem, d->name, name);
    }
    return d->name.n > 1;
}

static uint32_t column_of(const Data *d, const char *name)
{
    for (uint32_t k = 1; k < d->name.n; k++)
        if (!strcmp(d->name.at[k], name))
            return k;
    return 0;
}

/* A row into the curves; they are sorted by column. */
static void read_row(Data *d, const char *line)
{
    uint32_t column = 0;
    char *end;
    double x = strtod(line, &end);
    if (end == line)
        return;
    vec_push(d->mem, d->x, x);
    const char *at = line;
    for (uint32_t k = 0; k < d->n; k++) {
        for (; column < d->curve[k].column && at; column++) {
            at = strchr(at, ',');
            at += at != NULL;
        }
        double y = NAN;
        if (at) {
            y = strtod(at, &end);
            y = end == at ? NAN : y;
        }
        vec_push(d->mem, d->curve[k].y, y);
    }
}

/* Without names: the first columns that move, by more than what integration loses. */
static void choose_varying(Data *d, const char *first, const char *last, uint32_t most)
{
    d->curve = arena_array(d->mem, Curve, most);
    for (uint32_t k = 0; k < d->name.n && d->n < most && first && last; k++) {
        char *end;
        double a = strtod(first, NULL), b = strtod(last, &end);
        bool moves = fabs(a - b) > 1e-6 * fmax(fabs(a), fabs(b));
        if (k && moves && isfinite(b) && end != last)
            d->curve[d->n++] = (Curve){.name = d->name.at[k], .column = k};
        first = strchr(first, ',');
        first += first != NULL;
        last = strchr(last, ',');
        last += last != NULL;
    }
}

static int by_column(const void *a, const void *b)
{
    const Curve *x = a, *y = b;
    return (x->column > y->column) - (x->column < y->column);
}

static bool choose_named(Data *d, const PlotOptions *o, const char **error)
{
    d->curve = arena_array(d->mem, Curve, o->n_columns + 1);
    for (uint32_t k = 0; k < o->n_columns; k++) {
        uint32_t column = column_of(d, o->column[k]);
        if (!column) {
            *error = arena_printf(d->mem, "the result has no variable '%s'", o->column[k]);
            return false;
        }
        d->curve[d->n++] = (Curve){.name = o->column[k], .column = column};
    }
    if (d->n)
        qsort(d->curve, d->n, sizeof *d->curve, by_column);
    return true;
}

/* Some row in the middle and the first tell which columns vary. */
static bool choose(Data *d, FILE *f, const PlotOptions *o, char **line, size_t *room,
                   const char **error)
{
    if (o->n_columns)
        return choose_named(d, o, error);
    long begin = ftell(f);
    const char *first = NULL;
    char *last = NULL;
    size_t size = 0;
    if (getline(line, room, f) > 0)
        first = *line;
    // a run in the middle of its movement differs from its start
    for (int k = 0; k < 37 && first; k++)
        if (getline(&last, &size, f) <= 0)
            break;
    choose_varying(d, first, last, o->most ? o->most : 6);
    free(last);
    return !fseek(f, begin, SEEK_SET);
}

/* ------------------------------------------------------------------ drawing */

typedef struct Axis {
    double low, high; /* of the data, widened to the ticks' grid if wanted */
    double step;
    double from, to; /* pixels */
} Axis;

static double pixel(const Axis *a, double v)
{
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
    return (Axis){low, high, step, from, to};
}

static void xml(Text *t, const char *s)
{
    for (; *s; s++) {
        switch (*s) {
        case '&':
            text_put(t, "&amp;");
            break;
        case '<':
            text_put(t, "&lt;");
            break;
        case '>':
            text_put(t, "&gt;");
            break;
        default:
            text_put_n(t, (unsigned char)*s < 32 ? " " : s, 1);
        }
    }
}

static void put_ticks(Text *t, const Axis *a, bool horizontal, const Axis *other)
{
    double first = ceil(a->low / a->step - 1e-9);
    for (int k = 0; k < 100; k++) {
        double v = (first + k) * a->step, p = pixel(a, v);
        if (v > a->high + 1e-9 * a->step)
            break;
        if (fabs(v) < 1e-9 * a->step)
            v = 0;
        if (horizontal)
            text_printf(t,
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.6g</text>\n",
                        p, other->from, p, other->to, p, other->from + 18, v);
        else
            text_printf(t,
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n",
                        other->from, p, other->to, p, other->from - 8, p + 4, v);
    }
}

static void put_curve(Text *t, const Data *d, const Curve *c, const Axis *h, const Axis *v,
                      const char *colour)
{
    bool down = false;
    double last_x = 0, last_y = 0;
    text_printf(t, "<path stroke=\"%s\" d=\"", colour);
    for (uint32_t k = 0; k < d->x.n; k++) {
        if (!isfinite(c->y.at[k])) {
            down = false;
            continue;
        }
        double px = pixel(h, d->x.at[k]), py = pixel(v, c->y.at[k]);
        if (down && k + 1 < d->x.n && fabs(px - last_x) < 0.4 && fabs(py - last_y) < 0.4)
            continue;
        text_printf(t, "%c%.1f %.1f", down ? 'L' : 'M', px, py);
        down = true;
        last_x = px;
        last_y = py;
    }
    text_put(t, "\"/>\n");
}

static void range(const double *v, uint32_t n, double *low, double *high)
{
    for (uint32_t k = 0; k < n; k++)
        if (isfinite(v[k])) {
            *low = fmin(*low, v[k]);
            *high = fmax(*high, v[k]);
        }
}

static Text draw(const Data *d, const PlotOptions *o)
{
    // told apart also by the colour-blind (Okabe and Ito)
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#000000", "#999933"};
    enum { COLOURS = sizeof colours / sizeof *colours, LEFT = 70, TOP = 40, BOTTOM = 48 };
    uint32_t width = o->width ? o->width : 900, height = o->height ? o->height : 480;
    size_t longest = 0;
    double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
    for (uint32_t k = 0; k < d->n; k++) {
        range(d->curve[k].y.at, d->curve[k].y.n, &low_y, &high_y);
        longest = strlen(d->curve[k].name) > longest ? strlen(d->curve[k].name) : longest;
    }
    range(d->x.at, d->x.n, &low_x, &high_x);
    double right = width - 50 - 7.2 * (double)(longest < 40 ? longest : 40);
    Axis h = axis(low_x, high_x, 8, false, LEFT, right);
    Axis v = axis(low_y, high_y, 6, true, height - BOTTOM, TOP);

    Text t = text_new(d->mem);
    text_printf(&t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
                "viewBox=\"0 0 %u %u\" font-family=\"sans-serif\" font-size=\"12\">\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                width, height, width, height);
    if (o->title) {
        text_printf(&t, "<text x=\"%.1f\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">",
                    (LEFT + right) / 2);
        xml(&t, o->title);
        text_put(&t, "</text>\n");
    }
    text_put(&t, "<g stroke=\"#ddd\" fill=\"#333\" stroke-width=\"1\">\n"
                 "<style>text{stroke:none}</style>\n");
    put_ticks(&t, &h, true, &v);
    put_ticks(&t, &v, false, &h);
    text_put(&t, "</g>\n");
    text_printf(&t,
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%u\" fill=\"none\" "
                "stroke=\"#333\"/>\n<text x=\"%.1f\" y=\"%u\" text-anchor=\"middle\">",
                LEFT, TOP, right - LEFT, height - BOTTOM - TOP, (LEFT + right) / 2, height - 10);
    xml(&t, d->name.at[0]);
    text_put(&t, "</text>\n<g fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\">\n");
    for (uint32_t k = 0; k < d->n; k++)
        put_curve(&t, d, &d->curve[k], &h, &v, colours[k % COLOURS]);
    text_put(&t, "</g>\n");
    for (uint32_t k = 0; k < d->n; k++) {
        double y = TOP + 12 + 20.0 * k;
        text_printf(&t,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
                    "stroke-width=\"3\"/><text x=\"%.1f\" y=\"%.1f\">",
                    right + 12, y, right + 32, y, colours[k % COLOURS], right + 38, y + 4);
        xml(&t, d->curve[k].name);
        text_put(&t, "</text>\n");
    }
    text_put(&t, "</svg>\n");
    return t;
}

static bool read_csv(Data *d, const char *path, const PlotOptions *o, const char **error)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        *error = arena_printf(d->mem, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t room = 0;
    bool ok = getline(&line, &room, f) > 0 && read_header(d, line);
    if (!ok)
        *error = arena_printf(d->mem, "'%s' is no result file: no header", path);
    ok = ok && choose(d, f, o, &line, &room, error);
    while (ok && getline(&line, &room, f) > 0)
        read_row(d, line);
    free(line);
    fclose(f);
    return ok;
}

bool plot_csv(const char *csv, const char *svg, PlotOptions o, Arena *mem, const char **error)
{
    Data d = {.mem = mem};
    if (!read_csv(&d, csv, &o, error))
        return false;
    Text t = draw(&d, &o);
    const char *part = arena_printf(mem, "%s.part", svg);
    FILE *out = fopen(part, "w");
    bool ok = out && fwrite(t.at, 1, t.n, out) == t.n;
    if (out && fclose(out))
        ok = false;
    ok = ok && !rename(part, svg);
    if (!ok) {
        *error = arena_printf(mem, "cannot write '%s': %s", svg, strerror(errno));
        remove(part);
    }
    return ok;
}
