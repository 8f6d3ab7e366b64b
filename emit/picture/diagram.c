#include "emit/picture/diagram.h"

#include "base/json.h"

#include <math.h>
#include <string.h>

/* Light fills for groups (Brewer's set 3 without its greys); neighbours differ. */
static const char *const fills[] = {"#8dd3c7", "#ffed6f", "#bebada", "#fb8072", "#80b1d3",
                                    "#fdb462", "#b3de69", "#fccde5", "#bc80bd", "#ccebc5"};
enum { FILLS = sizeof fills / sizeof *fills };

static const char *fill_of(uint32_t group)
{
    return group == DIAGRAM_NONE ? "#eeeeee" : fills[group % FILLS];
}

/* A string of dot, with its quotes: \" and \\ are all that is special once control characters are
 * gone. */
static void put_quoted(Text *t, const char *s)
{
    text_put(t, "\"");
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            text_put(t, "\\");
        text_put_n(t, (unsigned char)*s < 32 ? " " : s, 1);
    }
    text_put(t, "\"");
}

static bool is_unknown(const DiagramNode *n)
{
    return strcmp(n->kind, "unknown") == 0;
}

/* ---- dot ---- */

void diagram_dot(const Diagram *d, Text *t)
{
    text_put(t, d->directed ? "digraph " : "graph ");
    put_quoted(t, d->title);
    text_put(t, " {\n  node [style=filled];\n");
    for (uint32_t k = 0; k < d->n_nodes; k++) {
        const DiagramNode *n = &d->node[k];
        text_printf(t, "  %s [shape=%s, fillcolor=\"%s\", label=", n->id,
                    is_unknown(n) ? "ellipse" : "box", fill_of(n->group));
        put_quoted(t, is_unknown(n) || d->directed ? n->name : n->id);
        text_put(t, ", tooltip=");
        put_quoted(t, n->name);
        if (n->group != DIAGRAM_NONE)
            text_printf(t, ", %s=%u", d->group_name, n->group + 1);
        if (n->role) {
            text_put(t, ", role=");
            put_quoted(t, n->role);
        }
        text_put(t, "];\n");
    }
    for (uint32_t k = 0; k < d->n_edges; k++) {
        const DiagramEdge *e = &d->edge[k];
        text_printf(t, "  %s %s %s%s;\n", d->node[e->from].id, d->directed ? "->" : "--",
                    d->node[e->to].id, e->matched ? " [penwidth=3]" : "");
    }
    text_put(t, "}\n");
}

/* ---- GraphML ---- */

static void put_data(Text *t, const char *key, const char *value)
{
    text_printf(t, "<data key=\"%s\">", key);
    text_xml(t, value);
    text_put(t, "</data>");
}

void diagram_graphml(const Diagram *d, Text *t)
{
    text_put(t, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    static const char *const keys[][3] = {
        {"kind", "node", "string"}, {"name", "node", "string"},  {"group", "node", "int"},
        {"role", "node", "string"}, {"label", "edge", "string"}, {"matched", "edge", "boolean"}};
    for (uint32_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const char *name = keys[k][0][0] == 'g' ? d->group_name : keys[k][0];
        text_printf(t, "<key id=\"%s\" for=\"%s\" attr.name=\"%s\" attr.type=\"%s\"/>\n",
                    keys[k][0], keys[k][1], name, keys[k][2]);
    }
    text_printf(t, "<graph edgedefault=\"%s\">\n", d->directed ? "directed" : "undirected");
    for (uint32_t k = 0; k < d->n_nodes; k++) {
        const DiagramNode *n = &d->node[k];
        text_printf(t, "<node id=\"%s\">", n->id);
        put_data(t, "kind", n->kind);
        put_data(t, "name", n->name);
        if (n->group != DIAGRAM_NONE)
            text_printf(t, "<data key=\"group\">%u</data>", n->group + 1);
        if (n->role)
            put_data(t, "role", n->role);
        text_put(t, "</node>\n");
    }
    for (uint32_t k = 0; k < d->n_edges; k++) {
        const DiagramEdge *e = &d->edge[k];
        text_printf(t, "<edge source=\"%s\" target=\"%s\">", d->node[e->from].id,
                    d->node[e->to].id);
        if (e->label) {
            put_data(t, "label", e->label);
            put_data(t, "matched", e->matched ? "true" : "false");
        }
        text_put(t, "</edge>\n");
    }
    text_put(t, "</graph>\n</graphml>\n");
}

/* ---- JSON ---- */

void diagram_json(const Diagram *d, Text *t)
{
    Json j = json_new(t);
    json_object(&j, NULL);
    json_text(&j, "title", d->title);
    json_array(&j, "nodes");
    for (uint32_t k = 0; k < d->n_nodes; k++) {
        const DiagramNode *n = &d->node[k];
        json_line(&j, 0);
        json_object(&j, NULL);
        json_text(&j, "id", n->id);
        json_text(&j, "kind", n->kind);
        json_text(&j, "name", n->name);
        if (n->group != DIAGRAM_NONE)
            json_count(&j, d->group_name, n->group + 1);
        if (n->role)
            json_text(&j, "role", n->role);
        if (n->placed) {
            json_number(&j, "x", n->x, 4);
            json_number(&j, "y", n->y, 4);
        }
        json_close(&j);
    }
    json_line(&j, 0);
    json_close(&j);
    json_array(&j, "edges");
    for (uint32_t k = 0; k < d->n_edges; k++) {
        const DiagramEdge *e = &d->edge[k];
        json_line(&j, 0);
        json_object(&j, NULL);
        json_text(&j, d->directed ? "from" : "equation", d->node[e->from].id);
        json_text(&j, d->directed ? "to" : "unknown", d->node[e->to].id);
        if (e->label) {
            json_text(&j, "label", e->label);
            json_bool(&j, "matched", e->matched);
        }
        json_close(&j);
    }
    json_line(&j, 0);
    json_close(&j);
    json_close(&j);
    text_put(t, "\n");
}

/* ---- SVG ---- */

enum { UNIT = 22, LEFT = 30, TOP = 60, NOTE = 40 };

static double px(double x)
{
    return LEFT + (x + 0.5) * UNIT;
}

static double py(double y)
{
    return TOP + (y + 0.5) * UNIT;
}

static void put_edges(const Diagram *d, Text *t, bool matched)
{
    for (uint32_t k = 0; k < d->n_edges; k++) {
        const DiagramNode *e = &d->node[d->edge[k].from];
        const DiagramNode *v = &d->node[d->edge[k].to];
        if (d->edge[k].matched != matched || !e->placed || !v->placed)
            continue;
        const char *way = matched ? " class=\"m\"" : e->group != v->group ? " class=\"o\"" : "";
        text_printf(t, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"%s/>\n", px(e->x),
                    py(e->y), px(v->x), py(v->y), way);
    }
}

static void put_node(Text *t, const DiagramNode *n)
{
    double x = px(n->x), y = py(n->y);
    if (is_unknown(n))
        text_printf(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"%s\">", x, y,
                    fill_of(n->group));
    else
        text_printf(t, "<rect x=\"%.1f\" y=\"%.1f\" width=\"11\" height=\"11\" fill=\"%s\">",
                    x - 5.5, y - 5.5, fill_of(n->group));
    text_put(t, "<title>");
    text_printf(t, "%s ", n->id);
    text_xml(t, n->name);
    if (n->role) {
        text_put(t, ", ");
        text_xml(t, n->role);
    }
    text_printf(t, "</title></%s>\n", is_unknown(n) ? "circle" : "rect");
}

void diagram_svg(const Diagram *d, Text *t)
{
    double width = fmax(2 * LEFT + d->width * UNIT, 480);
    double height = TOP + d->height * UNIT + NOTE;
    text_printf(t,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
                "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"11\">\n"
                "<style>line{stroke:#888;stroke-width:.7}.o{stroke:#0072b2}"
                ".m{stroke:#000;stroke-width:3}.n{stroke:#333;stroke-width:1}"
                ".f{stroke:#bbb;fill-opacity:.25}</style>\n"
                "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                "<text x=\"%d\" y=\"22\" font-size=\"15\">",
                width, height, width, height, LEFT);
    text_xml(t, d->title);
    text_put(t, "</text>\n");
    for (uint32_t k = 0; k < d->n_frames; k++) {
        const DiagramFrame *f = &d->frame[k];
        if (f->group != DIAGRAM_NONE)
            text_printf(t,
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\" "
                        "fill=\"%s\" class=\"f\"/>\n",
                        px(f->x - 0.75), py(f->y - 0.75), (f->width + 0.5) * UNIT,
                        (f->height + 0.5) * UNIT, fill_of(f->group));
        text_printf(t, "<text x=\"%.1f\" y=\"%.1f\" fill=\"#555\">", px(f->x - 0.6),
                    py(f->y - 0.85));
        text_xml(t, f->title);
        text_put(t, "</text>\n");
    }
    put_edges(d, t, false);
    put_edges(d, t, true);
    text_put(t, "<g class=\"n\">\n");
    for (uint32_t k = 0; k < d->n_nodes; k++)
        if (d->node[k].placed)
            put_node(t, &d->node[k]);
    text_put(t, "</g>\n");
    if (d->note) {
        text_printf(t, "<text x=\"%d\" y=\"%.1f\">", LEFT, height - 14);
        text_xml(t, d->note);
        text_put(t, "</text>\n");
    }
    text_put(t, "</svg>\n");
}
