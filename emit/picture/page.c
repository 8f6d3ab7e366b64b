#include "emit/picture/page.h"

#include "base/json.h"
#include "emit/picture/uplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool page_is_interactive(void)
{
    return uplot[0].name != NULL;
}

static void put_file(Text *t, const char *name)
{
    for (const BundleFile *f = uplot; f->name; f++)
        if (strcmp(f->name, name) == 0)
            text_put_n(t, f->text, f->size);
}

/* Marks the points of a curve to keep: all, or the ends and extremes of each of SHARES
 * stretches. */
enum { SHARES = 4000 };

static void keep(const ChartCurve *c, bool *kept)
{
    memset(kept, c->n <= 4 * SHARES, c->n * sizeof *kept);
    for (uint32_t s = 0; s < SHARES && c->n > 4 * SHARES; s++) {
        uint32_t from = (uint32_t)((uint64_t)c->n * s / SHARES);
        uint32_t to = (uint32_t)((uint64_t)c->n * (s + 1) / SHARES), low = from, high = from;
        for (uint32_t k = from; k < to; k++) {
            low = c->y[k] < c->y[low] ? k : low;
            high = c->y[k] > c->y[high] ? k : high;
        }
        kept[from] = kept[to - 1] = kept[low] = kept[high] = true;
    }
}

static void put_number(Text *t, double v)
{
    if (isfinite(v))
        text_printf(t, "%.9g", v);
    else
        text_put(t, "null");
}

/* [[x...], [y...], ...]: one axis for all curves, which is that of each where they share it. The
 * j-th row of a time stands at its j-th place, so that both sides of a jump stay. */
static void put_data(Text *t, const Chart *c, Arena *mem)
{
    uint32_t n = 0, all = 0;
    bool **kept = arena_array(mem, bool *, c->n + 1);
    for (uint32_t k = 0; k < c->n; k++) {
        all += c->curve[k].n;
        kept[k] = arena_array(mem, bool, c->curve[k].n + 1);
        keep(&c->curve[k], kept[k]);
    }
    // curves of one result keep the same rows
    for (uint32_t k = 0; k < c->n; k++)
        for (uint32_t i = 0; i < c->n; i++)
            for (uint32_t r = 0; c->curve[i].x == c->curve[k].x && i != k && r < c->curve[k].n; r++)
                kept[k][r] = kept[k][r] || kept[i][r];
    double *x = arena_array(mem, double, all + 1), *one = arena_array(mem, double, all + 1);
    for (uint32_t k = 0; k < c->n; k++) {
        const ChartCurve *u = &c->curve[k];
        bool known = false;
        for (uint32_t i = 0; i < k; i++)
            known = known || c->curve[i].x == u->x;
        uint32_t m = 0, j = 0, both = 0;
        for (uint32_t r = 0; r < u->n && !known; r++)
            if (kept[k][r])
                one[m++] = u->x[r];
        // merged: a time is as often in it as in the one that has it most often
        double *merged = arena_array(mem, double, n + m + 1);
        for (uint32_t i = 0; i < n || j < m;) {
            bool takes = j < m && (i == n || one[j] <= x[i]),
                 has = i < n && (j == m || x[i] <= one[j]);
            merged[both++] = takes ? one[j] : x[i];
            j += takes;
            i += has;
        }
        n = both;
        memcpy(x, merged, n * sizeof *x);
    }
    text_put(t, "[[");
    for (uint32_t r = 0; r < n; r++) {
        text_put(t, r ? "," : "");
        put_number(t, x[r]);
    }
    text_put(t, "]");
    for (uint32_t k = 0; k < c->n; k++) {
        const ChartCurve *u = &c->curve[k];
        uint32_t at = 0;
        text_put(t, ",\n[");
        for (uint32_t r = 0; r < n; r++) {
            while (at < u->n && (!kept[k][at] || u->x[at] < x[r]))
                at++;
            bool has = at < u->n && u->x[at] == x[r];
            text_put(t, r ? "," : "");
            put_number(t, has ? u->y[at] : NAN);
            at += has;
        }
        text_put(t, "]");
    }
    text_put(t, "]");
}

static void put_panel(Text *t, const Chart *c, bool is_last, uint32_t width, uint32_t height,
                      Arena *mem)
{
    Json j = json_new(t);
    text_put(t, "plot(");
    json_object(&j, NULL);
    json_count(&j, "width", width);
    json_count(&j, "height", height);
    json_text(&j, "x", is_last && c->x_label ? c->x_label : "");
    json_text(&j, "y", c->y_label ? c->y_label : "");
    json_array(&j, "curves");
    for (uint32_t k = 0; k < c->n; k++) {
        const ChartCurve *u = &c->curve[k];
        json_object(&j, NULL);
        json_text(&j, "label", u->name);
        json_text(&j, "stroke", chart_colour(u->colour ? u->colour - 1 : k));
        json_count(&j, "dash", u->dash);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    text_put(t, ",\n");
    put_data(t, c, mem);
    text_put(t, ");\n");
}

/* A text of the script cannot end it. */
static void put_script(Text *t, const Text *script)
{
    for (size_t k = 0; k < script->n; k++) {
        if (script->at[k] == '<' && k + 1 < script->n && script->at[k + 1] == '/')
            text_put(t, "<\\");
        else
            text_put_n(t, script->at + k, 1);
    }
}

static const char drawing[] =
    "const dashes = [[], [6, 4], [2, 3], [9, 3, 2, 3]];\n"
    "function plot(o, data) {\n"
    "  const place = document.getElementById('plots').appendChild(document.createElement('div'));\n"
    "  new uPlot({\n"
    "    width: Math.max(o.width, window.innerWidth - 40), height: o.height,\n"
    "    scales: {x: {time: false}},\n"
    "    cursor: {sync: {key: 'rung'}, drag: {x: true, y: false}},\n"
    "    axes: [{label: o.x || undefined}, {label: o.y || undefined, size: 80}],\n"
    "    series: [{label: 'time', value: (u, v) => v == null ? '' : String(+v.toPrecision(9))},\n"
    "      ...o.curves.map((c) => ({label: c.label, stroke: c.stroke, width: 1.6, spanGaps: true,\n"
    "        dash: dashes[c.dash % 4], points: {show: false},\n"
    "        value: (u, v) => v == null ? '' : String(+v.toPrecision(7))}))],\n"
    "  }, data, place);\n"
    "}\n";

Text page_html(const Chart *panel, uint32_t n, uint32_t width, uint32_t height, const char *title,
               const Text *svg, Arena *mem)
{
    Text t = text_new(mem);
    text_put(&t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>");
    text_xml(&t, title ? title : "results");
    text_put(&t, "</title>\n<style>\nbody { font-family: sans-serif; margin: 1em }\n"
                 "h1 { font-size: 120% }\n.u-legend { text-align: left }\n");
    put_file(&t, "uPlot.min.css");
    text_put(&t, "</style>\n</head>\n<body>\n<h1>");
    text_xml(&t, title ? title : "results");
    text_put(&t, "</h1>\n");
    if (!page_is_interactive()) {
        text_put(&t,
                 "<p>A picture without zoom and cursor: this rung was built without uPlot.</p>\n");
        text_put_n(&t, svg->at, svg->n);
        text_put(&t, "</body>\n</html>\n");
        return t;
    }
    text_put(&t,
             "<div id=\"plots\"></div>\n<p>Draw over a stretch of time to see it alone, click "
             "twice to see all.</p>\n<!--\nuPlot, which draws these curves, has this licence:\n\n");
    put_file(&t, "LICENSE");
    text_put(&t, "\n-->\n<script>\n");
    put_file(&t, "uPlot.iife.min.js");
    text_put(&t, "\n</script>\n<script>\n");
    text_put(&t, drawing);
    Text script = text_new(mem);
    for (uint32_t k = 0; k < n; k++)
        put_panel(&script, &panel[k], k + 1 == n, width, height, mem);
    put_script(&t, &script);
    text_put(&t, "</script>\n</body>\n</html>\n");
    return t;
}
