#include "doc_pages/class_page.h"

#include "doc_pages/coloured_source.h"
#include "emit/code/quote.h"
#include "frontend/instantiate/graphics.h"
#include "frontend/syntax/syntax_print.h"

#include <string.h>

/* ---- parts of all pages --------------------------------------------------------------------- */

void page_begin(const PageWriter *w, const char *title, Text *out)
{
    text_put(out,
             "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    text_xml(out, title);
    text_printf(out,
                "</title>\n<link rel=\"stylesheet\" href=\"%sstyle.css\">\n"
                "<script defer src=\"%ssearch.js\" data-root=\"%s\"></script>\n</head>\n<body>\n"
                "<header>\n<nav><a href=\"%sindex.html\">",
                w->root, w->root, w->root, w->root);
    text_xml(out, w->title);
    text_put(out, "</a>");
}

void page_body(Text *out)
{
    text_put(out, "</nav>\n<div id=\"search\"><input type=\"search\" placeholder=\"Search ( / )\" "
                  "aria-label=\"Search classes\" autocomplete=\"off\"><ol></ol></div>\n"
                  "</header>\n<main>\n");
}

void page_end(Text *out)
{
    text_put(out, "</main>\n</body>\n</html>\n");
}

void page_link(const PageWriter *w, const DocClass *x, const char *text, Text *out)
{
    if (x) {
        text_printf(out, "<a href=\"%s%s\"", w->root, x->page);
        if (strcmp(x->name, text) != 0) {
            text_put(out, " title=\"");
            text_xml(out, x->name);
            text_put(out, "\"");
        }
        text_put(out, ">");
    }
    text_xml(out, text);
    if (x)
        text_put(out, "</a>");
}

static void put_icon(const PageWriter *w, const DocClass *x, Text *out)
{
    if (x && x->icon)
        text_printf(out, "<img class=\"icon\" src=\"%s%s\" alt=\"\" loading=\"lazy\">", w->root,
                    x->icon);
}

static const char *kind_of(const DocClass *x, Arena *mem)
{
    return arena_printf(mem, "%s%s%s", x->syn->element->replaceable ? "replaceable " : "",
                        x->syn->partial ? "partial " : "",
                        syn_restriction_text(x->syn->restriction));
}

void page_classes(const PageWriter *w, const DocClasses *list, bool full_names, Text *out)
{
    text_put(out, "<table class=\"classes\">\n");
    for (uint32_t k = 0; k < list->n; k++) {
        const DocClass *x = list->at[k];
        text_put(out, "<tr><td class=\"pic\">");
        put_icon(w, x, out);
        text_put(out, "</td><td>");
        page_link(w, x, full_names ? x->name : x->syn->name.s, out);
        text_printf(out, " <small>%s</small></td><td>", kind_of(x, w->mem));
        text_xml(out, x->syn->comment ? x->syn->comment : "");
        text_put(out, "</td></tr>\n");
    }
    text_put(out, "</table>\n");
}

/* ---- components ----------------------------------------------------------------------------- */

typedef enum Part { PARAMETERS, INPUTS, OUTPUTS, CONNECTORS, CONSTANTS, VARIABLES, N_PARTS } Part;

typedef struct Row {
    const OutlineComponent *component;
    const Outline *from;     /* the class that declares it */
    const char *tab, *group; /* of its Dialog; "" */
    bool is_written;
} Row;

typedef struct Rows {
    VEC(Row) at[N_PARTS]; /* by Part */
    Map seen;             /* elements inherited on several ways */
    Arena *mem;
} Rows;

static const char *dialog_text(const SynMod *annotation, const char *name)
{
    const SynArg *dialog = syn_mod_find(annotation, "Dialog");
    const SynExpr *x = dialog ? graphics_argument(dialog->mod, name) : NULL;
    return x && x->kind == SYN_STRING ? x->text : "";
}

static Part part_of(const OutlineComponent *c)
{
    bool is_free = c->is_parameter && !c->element->final;
    return c->is_connector  ? CONNECTORS
           : is_free        ? PARAMETERS
           : c->is_constant ? CONSTANTS
           : c->is_input    ? INPUTS
           : c->is_output   ? OUTPUTS
                            : VARIABLES;
}

/* Own components, then those of bases. */
static void collect_rows(Rows *r, const Outline *o)
{
    for (uint32_t k = 0; k < o->n_components; k++) {
        const OutlineComponent *c = &o->component[k];
        if (c->element->is_protected || !map_add(&r->seen, map_key_ptr(c->element)))
            continue;
        Row row = {c, o, dialog_text(c->syn->annotation, "tab"),
                   dialog_text(c->syn->annotation, "group"), false};
        vec_push(r->mem, r->at[part_of(c)], row);
    }
    for (uint32_t k = 0; k < o->n_bases; k++)
        collect_rows(r, o->base[k].outline);
}

/* An attribute as text: strings without quotes; NULL: none. */
static const char *attribute_text(const PageWriter *w, const SynExpr *x)
{
    return !x ? NULL : x->kind == SYN_STRING ? x->text : syn_expr_text(w->mem, x);
}

static void put_unit(const PageWriter *w, const SynExpr *unit, const SynExpr *display, Text *out)
{
    const char *of = attribute_text(w, unit), *shown = attribute_text(w, display);
    if (of)
        text_xml(out, of);
    if (shown && (!of || strcmp(of, shown) != 0)) {
        text_put(out, " <small>(");
        text_xml(out, shown);
        text_put(out, ")</small>");
    }
}

static void put_bound(const PageWriter *w, const char *before, const SynExpr *x, Text *out)
{
    if (!x)
        return;
    text_printf(out, " <small class=\"bound\">%s&nbsp;", before);
    text_xml(out, attribute_text(w, x));
    text_put(out, "</small>");
}

static void put_dims(const PageWriter *w, const SynComponent *c, Text *out)
{
    const SynExprs *dims[2] = {&c->own_dims, &c->type_dims};
    uint32_t n = 0;
    for (int d = 0; d < 2; d++)
        for (uint32_t k = 0; k < dims[d]->n; k++) {
            text_put(out, n++ ? ", " : "[");
            text_xml(out, syn_expr_text(w->mem, dims[d]->at[k]));
        }
    if (n)
        text_put(out, "]");
}

static void put_type(const PageWriter *w, const OutlineComponent *c, Text *out)
{
    const SynPath *path = &c->syn->type;
    const DocClass *type = catalogue_find(w->catalogue, c->type_syn);
    put_icon(w, c->is_connector ? type : NULL, out);
    if (c->syn->prefix.connector != SYN_NOT_FLOW)
        text_put(out, c->syn->prefix.connector == SYN_FLOW ? "flow " : "stream ");
    page_link(w, type, path->name[path->n - 1].s, out);
}

static void put_row(const PageWriter *w, const Row *row, bool has_values, const Outline *own,
                    Text *out)
{
    const OutlineComponent *c = row->component;
    text_put(out, "<tr><td class=\"type\">");
    put_type(w, c, out);
    text_put(out, "</td><td><b>");
    text_xml(out, c->syn->name.s);
    text_put(out, "</b>");
    put_dims(w, c->syn, out);
    text_put(out, "</td>");
    if (has_values) {
        text_put(out, "<td class=\"value\">");
        if (c->value)
            text_xml(out, syn_expr_text(w->mem, c->value));
        text_put(out, "</td><td>");
        put_unit(w, c->unit, c->display_unit, out);
        text_put(out, "</td>");
    }
    text_put(out, "<td>");
    text_xml(out, c->syn->comment ? c->syn->comment : "");
    if (has_values) {
        put_bound(w, "≥", c->min, out);
        put_bound(w, "≤", c->max, out);
    }
    if (c->syn->condition) {
        text_put(out, " <small>if ");
        text_xml(out, syn_expr_text(w->mem, c->syn->condition));
        text_put(out, "</small>");
    }
    if (row->from != own) {
        const DocClass *from = catalogue_find(w->catalogue, row->from->syn);
        text_put(out, " <small class=\"from\">from ");
        page_link(w, from, row->from->syn->name.s, out);
        text_put(out, "</small>");
    }
    text_put(out, "</td></tr>\n");
}

static void put_group(const Row *row, int columns, Text *out)
{
    if (!*row->tab && !*row->group)
        return;
    text_printf(out, "<tr><th colspan=\"%d\">", columns);
    text_xml(out, row->tab);
    text_put(out, *row->tab && *row->group ? ": " : "");
    text_xml(out, row->group);
    text_put(out, "</th></tr>\n");
}

/* Rows of one tab and group of the dialogue together, in the order of their first ones. */
static void put_rows(const PageWriter *w, Rows *r, Part part, const Outline *own, Text *out)
{
    static const char *const headings[] = {
        [PARAMETERS] = "Parameters", [INPUTS] = "Inputs",
        [OUTPUTS] = "Outputs",       [CONNECTORS] = "Connectors",
        [CONSTANTS] = "Constants",   [VARIABLES] = "Variables and components"};
    Row *row = r->at[part].at;
    uint32_t n = r->at[part].n;
    bool has_values = part == PARAMETERS;
    if (n == 0)
        return;
    for (uint32_t k = 0; part != CONNECTORS && k < n; k++)
        has_values |= row[k].component->value || row[k].component->unit;
    text_printf(out, "<h2>%s</h2>\n<div class=\"wide\"><table class=\"rows\">\n", headings[part]);
    text_printf(out, "<tr class=\"head\"><td>Type</td><td>Name</td>%s<td>Description</td></tr>\n",
                !has_values          ? ""
                : part == PARAMETERS ? "<td>Default</td><td>Unit</td>"
                                     : "<td>Value</td><td>Unit</td>");
    for (uint32_t k = 0; k < n; k++) {
        if (row[k].is_written)
            continue;
        bool in_groups = part == PARAMETERS;
        if (in_groups)
            put_group(&row[k], 5, out);
        for (uint32_t j = k; j < n; j++) {
            if (row[j].is_written || (in_groups && (strcmp(row[j].tab, row[k].tab) != 0 ||
                                                    strcmp(row[j].group, row[k].group) != 0)))
                continue;
            row[j].is_written = true;
            put_row(w, &row[j], has_values, own, out);
        }
    }
    text_put(out, "</table></div>\n");
}

static void put_components(const PageWriter *w, const DocClass *x, Text *out)
{
    static const Part order[] = {PARAMETERS, INPUTS, OUTPUTS, CONNECTORS, CONSTANTS, VARIABLES};
    Rows r = {.seen = map_new(w->mem), .mem = w->mem};
    collect_rows(&r, x->outline);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        put_rows(w, &r, order[k], x->outline, out);
}

/* ---- types ---------------------------------------------------------------------------------- */

static void put_fact(const PageWriter *w, const char *name, const SynExpr *x, Text *out)
{
    const char *value = attribute_text(w, x);
    if (!value)
        return;
    text_printf(out, "<tr><td>%s</td><td>", name);
    text_xml(out, value);
    text_put(out, "</td></tr>\n");
}

static void put_type_facts(const PageWriter *w, const DocClass *x, Text *out)
{
    const Outline *o = x->outline;
    const SynClass *c = x->syn;
    if (o->predefined) {
        text_printf(out,
                    "<h2>Type</h2>\n<table class=\"facts\">\n<tr><td>kind</td><td>%s</td></tr>\n",
                    o->predefined);
        put_fact(w, "unit", o->unit, out);
        put_fact(w, "displayUnit", o->display_unit, out);
        put_fact(w, "quantity", o->quantity, out);
        put_fact(w, "min", o->min, out);
        put_fact(w, "max", o->max, out);
        text_put(out, "</table>\n");
    }
    if (c->n_literals == 0)
        return;
    text_put(out, "<h2>Values</h2>\n<table class=\"facts\">\n");
    for (uint32_t k = 0; k < c->n_literals; k++) {
        text_put(out, "<tr><td><b>");
        text_xml(out, c->literal[k].name.s);
        text_put(out, "</b></td><td>");
        text_xml(out, c->literal[k].comment ? c->literal[k].comment : "");
        text_put(out, "</td></tr>\n");
    }
    text_put(out, "</table>\n");
}

/* ---- relations ------------------------------------------------------------------------------ */

static void put_bases(const PageWriter *w, const Outline *o, Text *out)
{
    if (o->n_bases == 0)
        return;
    text_put(out, "<ul>\n");
    for (uint32_t k = 0; k < o->n_bases; k++) {
        const Outline *base = o->base[k].outline;
        text_put(out, "<li>");
        page_link(w, catalogue_find(w->catalogue, base->syn), base->name, out);
        if (base->syn && base->syn->comment) {
            text_put(out, " <small>");
            text_xml(out, base->syn->comment);
            text_put(out, "</small>");
        }
        put_bases(w, base, out);
        text_put(out, "</li>\n");
    }
    text_put(out, "</ul>\n");
}

static void put_names(const PageWriter *w, const char *heading, const DocClasses *list, Text *out)
{
    if (list->n == 0)
        return;
    text_printf(out, "<h2>%s</h2>\n<ul class=\"names\">\n", heading);
    for (uint32_t k = 0; k < list->n; k++) {
        text_put(out, "<li>");
        page_link(w, list->at[k], list->at[k]->name, out);
        text_put(out, "</li>\n");
    }
    text_put(out, "</ul>\n");
}

static void put_relations(const PageWriter *w, const DocClass *x, Text *out)
{
    DocClasses examples = {0}, others = {0};
    for (uint32_t k = 0; k < x->used_by.n; k++) {
        DocClass *by = x->used_by.at[k];
        if (by->is_example)
            vec_push(w->mem, examples, by);
        else
            vec_push(w->mem, others, by);
    }
    if (x->outline->n_bases) {
        text_put(out, "<h2>Extends</h2>\n");
        put_bases(w, x->outline, out);
    }
    put_names(w, "Extended by", &x->extended_by, out);
    put_names(w, "Examples that use it", &examples, out);
    put_names(w, "Used by", &others, out);
}

/* ---- the page ------------------------------------------------------------------------------- */

static void put_path(const PageWriter *w, const DocClass *x, Text *out)
{
    if (x->parent)
        put_path(w, x->parent, out);
    else if (w->catalogue->top.n == 1 && strcmp(x->name, w->title) == 0)
        return; /* the link to the index */
    text_put(out, " <span>›</span> ");
    page_link(w, x, x->syn->name.s, out);
}

static const char *annotation_text(const SynMod *annotation, const char *outer, const char *name)
{
    const SynArg *a = outer ? syn_mod_find(annotation, outer) : NULL;
    const SynExpr *x = graphics_argument(outer ? (a ? a->mod : NULL) : annotation, name);
    return x && x->kind == SYN_STRING && *x->text ? x->text : NULL;
}

static const char *file_name(const PageWriter *w, const DocClass *x)
{
    const Source *s = diags_source(w->catalogue->front->diags, x->syn->span.file);
    const char *slash = s ? strrchr(s->path, '/') : NULL;
    return slash ? slash + 1 : s ? s->path : "";
}

/* A line may end behind a dot. */
static void put_breakable(const PageWriter *w, const char *name, Text *out)
{
    for (const char *dot; (dot = strchr(name, '.')); name = dot + 1) {
        text_xml(out, arena_copy(w->mem, name, (size_t)(dot + 1 - name)));
        text_put(out, "<wbr>");
    }
    text_xml(out, name);
}

static void put_head(const PageWriter *w, const DocClass *x, Text *out)
{
    const char *version = annotation_text(x->syn->annotation, NULL, "version");
    text_put(out, "<h1>");
    if (x->icon)
        text_printf(out, "<img src=\"%s%s\" alt=\"\">", w->root, x->icon);
    text_put(out, "<span>");
    text_printf(out, "<small>%s</small> ", kind_of(x, w->mem));
    put_breakable(w, x->name, out);
    if (version) {
        text_put(out, " <small>");
        text_xml(out, version);
        text_put(out, "</small>");
    }
    text_put(out, "</span></h1>\n");
    if (x->syn->comment) {
        text_put(out, "<p class=\"lead\">");
        text_xml(out, x->syn->comment);
        text_put(out, "</p>\n");
    }
    if (x->messages.n == 0)
        return;
    text_put(out, "<div class=\"fault\"><b>Not resolved completely:</b><ul>\n");
    for (uint32_t k = 0; k < x->messages.n; k++) {
        text_put(out, "<li>");
        text_xml(out, x->messages.at[k]);
        text_put(out, "</li>\n");
    }
    text_put(out, "</ul></div>\n");
}

static void put_experiment(const PageWriter *w, const DocClass *x, Text *out)
{
    const SynArg *a = syn_mod_find(x->syn->annotation, "experiment");
    if (!a || x->syn->partial)
        return;
    const SynClass *top = x->syn;
    while (top->parent)
        top = top->parent;
    text_put(out, "<pre class=\"run\">rung simulate ");
    if (!top->dir) {
        text_xml(out, file_name(w, x));
        text_put(out, " ");
    }
    text_put(out, "--model ");
    bool is_plain = strchr(x->name, '\'') == NULL;
    text_put(out, is_plain ? "" : "\"");
    text_xml(out, x->name);
    text_put(out, is_plain ? "" : "\"");
    text_put(out, "</pre>\n");
}

static void put_documentation(const PageWriter *w, const DocClass *x, const char *name,
                              const char *heading, Text *out)
{
    const char *info = annotation_text(x->syn->annotation, "Documentation", name);
    if (!info)
        return;
    text_printf(out, "<h2>%s</h2>\n<div class=\"info\">", heading);
    info_write(info, w->links, w->mem, out);
    text_put(out, "</div>\n");
}

void class_page(const PageWriter *w, DocClass *x, bool *has_diagram, Text *out)
{
    page_begin(w, x->name, out);
    put_path(w, x, out);
    page_body(out);
    put_head(w, x, out);
    put_experiment(w, x, out);
    Text diagram = text_new(w->mem);
    *has_diagram = layer_diagram(w->layers, x->outline, &diagram);
    if (*has_diagram) {
        text_put(out, "<figure class=\"diagram\">");
        text_put_n(out, diagram.at, diagram.n);
        text_put(out, "</figure>\n");
    }
    put_documentation(w, x, "info", "Documentation", out);
    if (x->inside.n) {
        text_put(out, "<h2>Contents</h2>\n");
        page_classes(w, &x->inside, false, out);
    }
    put_type_facts(w, x, out);
    put_components(w, x, out);
    put_relations(w, x, out);
    put_documentation(w, x, "revisions", "Revisions", out);
    text_put(out, "<h2>Source <small>");
    text_xml(out, file_name(w, x));
    text_put(out, "</small></h2>\n");
    coloured_source(w, x, out);
    page_end(out);
}
